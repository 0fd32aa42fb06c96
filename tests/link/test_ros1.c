// SPDX-License-Identifier: Apache-2.0
/// \file
/// ROS 1's own parts: XML-RPC, TCPROS headers, the master, and two links that find each other
/// through it. Debian's tools: tests/ros/test_ros1.sh.
#include "check.h"

#include <rille/rille.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link/ros/master.h"
#include "link/ros/net.h"
#include "link/ros/tcpros.h"
#include "link/ros/work.h"

static RiRpc x;

static bool parse(const char *text)
{
    return ri_rpc_parse(&x, text, strlen(text));
}

TEST(calls_are_read_as_ros_writes_them)
{
    char word[64];
    long number;
    REQUIRE(parse("<?xml version='1.0'?>\n<methodCall>\n<methodName>requestTopic</methodName>\n<params>\n"
                  "<param><value><string>/a&lt;b&amp;c</string></value></param>\n<param><value>/bare</value></param>"
                  "<param><value><array><data><value><array><data><value><string>TCPROS</string></value></data></array>"
                  "</value><value><i4>-7</i4></value></data></array></value></param></params></methodCall>"));
    CHECK(strcmp(x.method, "requestTopic") == 0);
    CHECK(ri_rpc_get_string(ri_rpc_param(&x, 0), word, sizeof word) && strcmp(word, "/a<b&c") == 0);
    CHECK(ri_rpc_get_string(ri_rpc_param(&x, 1), word, sizeof word) && strcmp(word, "/bare") == 0);
    const RiRpcValue *list = ri_rpc_param(&x, 2);
    REQUIRE(list && list->kind == RI_RPC_ARRAY && list->count == 2);
    CHECK(ri_rpc_get_string(ri_rpc_item(&x, ri_rpc_item(&x, list, 0), 0), word, sizeof word) &&
          strcmp(word, "TCPROS") == 0);
    CHECK(ri_rpc_get_int(ri_rpc_item(&x, list, 1), &number) && number == -7);
    CHECK(!ri_rpc_param(&x, 3) && !ri_rpc_item(&x, list, 2) && !ri_rpc_item(&x, list, -1));
    CHECK(!ri_rpc_get_string(ri_rpc_param(&x, 0), word, 4)); // too long for its place
}

TEST(what_is_no_call_is_refused)
{
    char deep[4000] = "<methodCall><methodName>a</methodName><params><param>";
    CHECK(!parse(""));
    CHECK(!parse("<methodCall>"));
    CHECK(!parse("<methodCall><methodName>x</methodName><params><param></param></params></methodCall>"));
    CHECK(!parse(
        "<methodCall><methodName>x</methodName><params><param><value><i4>1</value></param></params></methodCall>"));
    for (int i = 0; i < 60; i++)
        strcat(deep, "<value><array><data>");
    CHECK(!parse(deep)); // deeper than anybody needs
    REQUIRE(parse("<methodResponse><fault><value>no</value></fault></methodResponse>"));
    CHECK(x.fault);
}

TEST(http_messages_have_a_length_that_is_checked)
{
    size_t body, size;
    static const char good[] = "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc";
    CHECK_INT(ri_rpc_http_scan(good, sizeof good - 1, false, &body, &size), RI_RPC_HTTP_WHOLE);
    CHECK(size == 3 && memcmp(good + body, "abc", 3) == 0);
    CHECK_INT(ri_rpc_http_scan(good, sizeof good - 3, false, &body, &size), RI_RPC_HTTP_MORE);
    CHECK_INT(ri_rpc_http_scan(good, sizeof good - 3, true, &body, &size), RI_RPC_HTTP_BAD);
    static const char huge[] = "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n";
    CHECK_INT(ri_rpc_http_scan(huge, sizeof huge - 1, false, &body, &size), RI_RPC_HTTP_BAD);
    char host[32];
    int port;
    CHECK(ri_rpc_http_address("http://127.0.0.1:11311/", host, sizeof host, &port) && port == 11311);
    CHECK(!ri_rpc_http_address("http://127.0.0.1:0/", host, sizeof host, &port));
    CHECK(!ri_rpc_http_address("https://a:1", host, sizeof host, &port));
    CHECK(!ri_rpc_http_address("http://user@evil/x:80/", host, sizeof host, &port));
}

TEST(headers_of_connections_are_checked_field_by_field)
{
    const RiAllocator memory = ri_plain_memory();
    RiText t;
    char value[32];
    ri_text_init(&t, &memory);
    ri_tcpros_put(&t, "topic", "/a");
    ri_tcpros_put(&t, "md5sum", "*");
    const uint8_t *bytes = (const uint8_t *)t.at;
    CHECK(ri_tcpros_check(bytes, t.size) && ri_tcpros_get(bytes, t.size, "md5sum", value, sizeof value));
    CHECK(strcmp(value, "*") == 0 && !ri_tcpros_get(bytes, t.size, "md5", value, sizeof value));
    CHECK(!ri_tcpros_check(bytes, t.size - 1) && !ri_tcpros_check((const uint8_t *)"\377\377\377\377", 4));
    ri_text_free(&t);
}

/// Calls the master of a test.
static bool call(const RiRosMaster *m, const char *method, const char *const *params, int count, RiText *answer)
{
    char uri[64];
    snprintf(uri, sizeof uri, "http://127.0.0.1:%d/", ri_ros_master_port(m));
    return ri_net_call(uri, true, method, params, count, NULL, answer, &x);
}

TEST(the_master_knows_who_publishes_and_who_reads)
{
    const RiAllocator memory = ri_plain_memory();
    static const char *const publisher[] = {"/a", "/t", "std_msgs/Bool", "http://127.0.0.1:1/"},
                             *const subscriber[] = {"/b", "/t", "std_msgs/Bool", "http://127.0.0.1:2/"};
    RiRosMaster *m = ri_ros_master_start(0, false);
    char word[64];
    long number;
    RiText answer;
    REQUIRE(m);
    ri_text_init(&answer, &memory);
    CHECK(call(m, "registerPublisher", publisher, 4, &answer));
    ri_text_free(&answer);
    ri_text_init(&answer, &memory);
    REQUIRE(call(m, "registerSubscriber", subscriber, 4, &answer));
    CHECK(ri_rpc_get_string(ri_rpc_item(&x, ri_rpc_item(&x, ri_rpc_param(&x, 0), 2), 0), word, sizeof word));
    CHECK(strcmp(word, publisher[3]) == 0);
    ri_text_free(&answer);
    ri_text_init(&answer, &memory);
    REQUIRE(call(m, "unregisterPublisher", publisher, 2, &answer));
    CHECK(ri_rpc_get_int(ri_rpc_item(&x, ri_rpc_param(&x, 0), 2), &number) && number == 1);
    ri_text_free(&answer);
    ri_text_init(&answer, &memory);
    CHECK(!call(m, "noSuchMethod", publisher, 1, &answer));
    ri_text_free(&answer);
    ri_ros_master_stop(m);
}

/// A scene whose link is open.
typedef struct Side {
    RiContext *ctx;
    RiScene *scene;
    RiRos *ros;
} Side;

static bool open_side(Side *s, const char *name, const char *space, const char *master)
{
    char path[600];
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", RILLE_SOURCE_DIR, name);
    *s = (Side){0};
    if (ri_context_create(NULL, &s->ctx) != RI_OK || ri_scene_load(s->ctx, path, NULL, &s->scene) != RI_OK ||
        ri_scene_build(s->scene) != RI_OK)
        return false;
    RiRosOptions o = *ri_scene_ros(s->scene);
    o.space = space;
    o.pace = RI_ROS_FREE;
    o.master = master;
    if (ri_ros_create(s->ctx, s->scene, &o, RI_ROS_VERSION_1, &s->ros) == RI_OK)
        return true;
    CHECK_FAIL("%s", ri_context_message(s->ctx));
    return false;
}

static void close_side(Side *s)
{
    ri_ros_destroy(s->ros);
    ri_scene_destroy(s->scene);
    ri_context_destroy(s->ctx);
}

static int find_topic(const RiRos *r, const char *name)
{
    for (int i = 0; i < ri_ros_topic_count(r); i++)
        if (strcmp(ri_ros_topic(r, i).name, name) == 0)
            return i;
    return -1;
}

static void turn(const Side *s)
{
    ri_ros_wait(s->ros, 0.0);
    if (ri_sim_step(ri_scene_sim(s->scene)) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(s->ctx));
    ri_ros_stepped(s->ros);
    usleep(2000);
}

/// A TCPROS reader by hand: subscribes to a topic of the link and reads one message.
static long read_by_hand(const char *uri, const char *topic, const char *md5, const char *type, char *said, size_t room)
{
    const RiAllocator memory = ri_plain_memory();
    const char *const params[] = {"/hand", topic};
    char host[64];
    long port = 0, size = -1;
    uint8_t length[4];
    RiText answer, header;
    ri_text_init(&answer, &memory);
    ri_text_init(&header, &memory);
    said[0] = '\0';
    if (ri_net_call(uri, true, "requestTopic", params, 2, "<value><array><data></data></array></value>", &answer, &x)) {
        const RiRpcValue *v = ri_rpc_item(&x, ri_rpc_param(&x, 0), 2);
        ri_rpc_get_string(ri_rpc_item(&x, v, 1), host, sizeof host);
        ri_rpc_get_int(ri_rpc_item(&x, v, 2), &port);
    }
    const int s = port ? ri_net_connect(host, (int)port, true) : -1;
    if (s >= 0) {
        struct timeval patience = {.tv_sec = 5};
        ri_tcpros_put(&header, "callerid", "/hand");
        ri_tcpros_put(&header, "topic", topic);
        ri_tcpros_put(&header, "md5sum", md5);
        ri_tcpros_put(&header, "type", type);
        const uint32_t n = (uint32_t)header.size;
        ri_net_send(s, &n, 4);
        ri_net_send(s, header.at, header.size);
        for (int i = 0; i < 1000 && recv(s, length, 4, MSG_PEEK | MSG_DONTWAIT) != 4; i++)
            usleep(5000);
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (recv(s, length, 4, MSG_DONTWAIT) == 4)
            size = (long)ri_tcpros_length(length);
        if (size > 0 && size < (long)room)
            said[recv(s, said, (size_t)size, MSG_DONTWAIT) > 0 ? size : 0] = '\0';
        close(s);
    }
    ri_text_free(&answer);
    ri_text_free(&header);
    return size;
}

TEST(a_reader_of_another_type_is_refused_with_a_sentence)
{
    const RiAllocator memory = ri_plain_memory();
    static const char *const who[] = {"/hand", "/one/rille"};
    char master[64], uri[128] = "", said[4096];
    RiRosMaster *m = ri_ros_master_start(0, false);
    Side one;
    RiText answer;
    REQUIRE(m);
    snprintf(master, sizeof master, "http://127.0.0.1:%d", ri_ros_master_port(m));
    REQUIRE(open_side(&one, "pendulum", "one", master));
    ri_text_init(&answer, &memory);
    REQUIRE(call(m, "lookupNode", who, 2, &answer));
    CHECK(ri_rpc_get_string(ri_rpc_item(&x, ri_rpc_param(&x, 0), 2), uri, sizeof uri));
    ri_text_free(&answer);
    CHECK(read_by_hand(uri, "/one/joint_states", "0123", "std_msgs/Bool", said, sizeof said) > 0);
    CHECK(strstr(said + 4, "another type") != NULL);
    CHECK(read_by_hand(uri, "/one/joint_states", "*", "*", said, sizeof said) > 100);
    CHECK(memmem(said, 400, "3066dcd76a6cfaef579bd0f34173e9fd", 32) != NULL);
    CHECK_INT(read_by_hand(uri, "/nothing", "*", "*", said, sizeof said), -1);
    close_side(&one);
    ri_ros_master_stop(m);
}

/// A node that publishes what the other reads: /clock of both has the same name, but neither hears
/// itself.
TEST(links_register_with_a_master_and_take_their_leave)
{
    const RiAllocator memory = ri_plain_memory();
    static const char *const who[] = {"/test"};
    char master[64];
    RiRosMaster *m = ri_ros_master_start(0, false);
    Side one, two;
    RiText answer;
    REQUIRE(m);
    snprintf(master, sizeof master, "http://127.0.0.1:%d", ri_ros_master_port(m));
    REQUIRE(open_side(&one, "pendulum", "one", master));
    REQUIRE(open_side(&two, "pendulum", "two", master));
    for (int i = 0; i < 20; i++) {
        turn(&one);
        turn(&two);
    }
    CHECK(find_topic(one.ros, "/one/joint_states") >= 0 && find_topic(two.ros, "/two/joint_states") >= 0);
    RiRosGraph *g;
    RiRosOptions o = ri_ros_options_default();
    o.master = master;
    CHECK_OK(one.ctx, ri_ros_graph_look(one.ctx, &o, RI_ROS_VERSION_1, 0.0, &g));
    CHECK_INT(ri_ros_graph_count(g), ri_ros_topic_count(one.ros) + ri_ros_topic_count(two.ros));
    ri_ros_graph_destroy(g);
    close_side(&one);
    close_side(&two);
    ri_text_init(&answer, &memory);
    REQUIRE(call(m, "getSystemState", who, 1, &answer));
    const RiRpcValue *state = ri_rpc_item(&x, ri_rpc_param(&x, 0), 2);
    CHECK(ri_rpc_item(&x, state, 0)->count == 0 && ri_rpc_item(&x, state, 1)->count == 0);
    ri_text_free(&answer);
    ri_ros_master_stop(m);
}

/// RViz finds the robot in a parameter, searched for from its own name outwards.
TEST(the_master_gets_the_robot_as_a_parameter)
{
    enum { ROOM = 1 << 18 };
    const RiAllocator memory = ri_plain_memory();
    static const char *const nearest[] = {"/one/tools/rviz", "robot_description"},
                             *const key[] = {"/rviz", "/one/robot_description"}, *const none[] = {"/rviz", "no_such"};
    char master[64], name[64] = "", *urdf = calloc(ROOM, 1);
    RiRosMaster *m = ri_ros_master_start(0, false);
    Side one;
    RiText answer;
    bool there = false;
    REQUIRE(m && urdf);
    snprintf(master, sizeof master, "http://127.0.0.1:%d", ri_ros_master_port(m));
    REQUIRE(open_side(&one, "snake_servo", "one", master));
    for (int i = 0; i < 1000 && !there; i++) { // the publishing thread sets it
        ri_text_init(&answer, &memory);
        there = call(m, "searchParam", nearest, 2, &answer);
        CHECK(!there || ri_rpc_get_string(ri_rpc_item(&x, ri_rpc_param(&x, 0), 2), name, sizeof name));
        ri_text_free(&answer);
        usleep(5000);
    }
    CHECK(there && strcmp(name, "/one/robot_description") == 0);
    ri_text_init(&answer, &memory);
    REQUIRE(call(m, "getParam", key, 2, &answer));
    CHECK(ri_rpc_get_string(ri_rpc_item(&x, ri_rpc_param(&x, 0), 2), urdf, ROOM));
    CHECK(strstr(urdf, "<robot name=\"") && strstr(urdf, "</robot>"));
    ri_text_free(&answer);
    ri_text_init(&answer, &memory);
    CHECK(!call(m, "searchParam", none, 2, &answer));
    ri_text_free(&answer);
    close_side(&one);
    ri_text_init(&answer, &memory);
    CHECK(!call(m, "getParam", key, 2, &answer)); // it goes with its node
    ri_text_free(&answer);
    ri_ros_master_stop(m);
    free(urdf);
}

/// A topic may have more publishers than fit into one formatted line.
TEST(a_long_last_value_of_a_call_is_whole)
{
    const RiAllocator memory = ri_plain_memory();
    static const char *const who[] = {"/a"};
    RiText list, text;
    ri_text_init(&list, &memory);
    ri_text_init(&text, &memory);
    ri_rpc_begin_array(&list);
    for (int i = 0; i < 100; i++)
        ri_rpc_string(&list, "http://127.0.0.1:11311/");
    ri_rpc_end_array(&list);
    ri_rpc_call(&text, "publisherUpdate", who, 1, list.at);
    REQUIRE(ri_rpc_parse(&x, text.at, text.size));
    CHECK_INT(ri_rpc_param(&x, 1)->count, 100);
    ri_text_free(&list);
    ri_text_free(&text);
}

TEST(a_master_that_is_not_there_is_named)
{
    RiContext *ctx;
    RiScene *scene;
    RiRos *ros;
    char path[600];
    snprintf(path, sizeof path, "%s/scenes/pendulum.yaml", RILLE_SOURCE_DIR);
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_scene_load(ctx, path, NULL, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    RiRosOptions o = ri_ros_options_default();
    o.master = "http://127.0.0.1:9";
    CHECK_ERROR(ctx, ri_ros_create(ctx, scene, &o, RI_ROS_VERSION_1, &ros), RI_ERR_IO,
                "no master answers at http://127.0.0.1:9");
    o.master = "localhost";
    CHECK_ERROR(ctx, ri_ros_create(ctx, scene, &o, RI_ROS_VERSION_1, &ros), RI_ERR_ARGUMENT,
                "is no address of a master");
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(calls_are_read_as_ros_writes_them), CASE(what_is_no_call_is_refused),
          CASE(http_messages_have_a_length_that_is_checked), CASE(headers_of_connections_are_checked_field_by_field),
          CASE(the_master_knows_who_publishes_and_who_reads), CASE(a_reader_of_another_type_is_refused_with_a_sentence),
          CASE(links_register_with_a_master_and_take_their_leave), CASE(the_master_gets_the_robot_as_a_parameter),
          CASE(a_long_last_value_of_a_call_is_whole), CASE(a_master_that_is_not_there_is_named))
