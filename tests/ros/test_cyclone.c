// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille run --ros2` as another program sees it: a Cyclone DDS peer whose types come from
/// Cyclone's own compiler. Everything that `ros2 node list`, `ros2 topic info -v`, `echo` and `pub`
/// rest on is looked at: node, hashes, QoS, contents, commands.
#include "check.h"

#include <dds/dds.h>

#include "ros2.h"
#include "run_rille.h"

static dds_entity_t domain, node;

static dds_qos_t *make_qos(bool reliable, bool latched)
{
    dds_qos_t *q = dds_create_qos();
    dds_qset_reliability(q, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(1));
    dds_qset_durability(q, latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(q, DDS_HISTORY_KEEP_LAST, 200);
    return q;
}

static dds_entity_t reader(const dds_topic_descriptor_t *type, const char *name, bool reliable, bool latched)
{
    dds_qos_t *q = make_qos(reliable, latched);
    const dds_entity_t topic = dds_create_topic(node, type, name, NULL, NULL),
                       r = dds_create_reader(node, topic, q, NULL);
    dds_delete_qos(q);
    if (r < 0)
        CHECK_FAIL("%s: %s", name, dds_strretcode(-r));
    return r;
}

static dds_entity_t writer(const dds_topic_descriptor_t *type, const char *name)
{
    dds_qos_t *q = make_qos(true, false);
    const dds_entity_t topic = dds_create_topic(node, type, name, NULL, NULL),
                       w = dds_create_writer(node, topic, q, NULL);
    dds_delete_qos(q);
    if (w < 0)
        CHECK_FAIL("%s: %s", name, dds_strretcode(-w));
    return w;
}

/// The newest sample within some seconds, or NULL; given back by `give_back`.
static void *await(dds_entity_t r, double seconds)
{
    dds_sample_info_t info;
    const dds_time_t end = dds_time() + (dds_time_t)(seconds * 1e9);
    while (dds_time() < end) {
        void *sample = NULL;
        const int n = dds_take(r, &sample, &info, 1, 1);
        if (n > 0 && info.valid_data)
            return sample;
        if (n > 0)
            dds_return_loan(r, &sample, 1);
        dds_sleepfor(DDS_MSECS(2));
    }
    return NULL;
}

static void give_back(dds_entity_t r, void *sample)
{
    dds_return_loan(r, &sample, 1);
}

static void await_match(dds_entity_t w)
{
    dds_publication_matched_status_t s = {0};
    for (int i = 0; i < 3000 && s.current_count == 0; i++) {
        dds_sleepfor(DDS_MSECS(2));
        dds_get_publication_matched_status(w, &s);
    }
    CHECK(s.current_count > 0);
    dds_sleepfor(DDS_MSECS(50)); // the other side has to see it too
}

static void open_node(void)
{
    domain = dds_create_domain((dds_domainid_t)own_domain(), LOOPBACK_XML);
    node = dds_create_participant((dds_domainid_t)own_domain(), NULL, NULL);
    if (node < 0)
        CHECK_FAIL("%s", dds_strretcode(-node));
}

static void close_node(void)
{
    dds_delete(node);
    dds_delete(domain);
}

static const char *const real_time[] = {"--ros2", "-q", "--set", "ros.pace=real_time", "--duration", "60"};

/// What the writer of a matched topic tells about its type.
static void check_type_hash(dds_entity_t r, const char *start)
{
    dds_instance_handle_t handles[4];
    void *data = NULL;
    size_t size = 0;
    const int n = dds_get_matched_publications(r, handles, 4);
    dds_builtintopic_endpoint_t *e = n > 0 ? dds_get_matched_publication_data(r, handles[0]) : NULL;
    REQUIRE(e);
    CHECK(dds_qget_userdata(e->qos, &data, &size) && size > 20);
    if (!data || strncmp(data, start, strlen(start)) != 0)
        CHECK_FAIL("user data '%s', expected '%s'", data ? (char *)data : "", start);
    dds_free(data);
    dds_builtintopic_free_endpoint(e);
}

TEST(a_node_with_its_endpoints_and_hashes_is_announced)
{
    open_node();
    const pid_t pid = start_rille("mer_around_rock", real_time, 6);
    const dds_entity_t info =
        reader(&rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, "ros_discovery_info", true, true);
    const dds_entity_t joints = reader(&sensor_msgs_msg_dds__JointState__desc, "rt/mer/joint_states", true, false);
    rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *i = await(info, 20.0);
    REQUIRE(i);
    CHECK_INT(i->node_entities_info_seq._length, 1);
    const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *n = &i->node_entities_info_seq._buffer[0];
    CHECK(strcmp(n->node_namespace, "/mer") == 0 && strcmp(n->node_name, "rille") == 0);
    CHECK(n->writer_gid_seq._length >= 15 && n->reader_gid_seq._length >= 15);
    give_back(info, i);
    void *sample = await(joints, 5.0);
    REQUIRE(sample);
    give_back(joints, sample);
    check_type_hash(joints, "typehash=RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e;");
    check_type_hash(info, "typehash=RIHS01_");
    char command[600]; // the graph of what runs: both of us are in it
    snprintf(command, sizeof command,
             "%s ros graph --domain %d -t 1.5 >/tmp/rille_graph_%d && grep -q '/mer/rille *-> /mer/joint_states' "
             "/tmp/rille_graph_%d && grep -q 'participant.*<- /mer/joint_states' /tmp/rille_graph_%d",
             getenv("RILLE") ? getenv("RILLE") : RILLE_PROGRAM, own_domain(), (int)getpid(), (int)getpid(),
             (int)getpid());
    CHECK_INT(system(command), 0);
    snprintf(command, sizeof command, "/tmp/rille_graph_%d", (int)getpid());
    unlink(command);
    CHECK_INT(end_rille(pid, SIGINT), 1); // interrupted, with all files written
    close_node();
}

/// Whether a list of identifiers of 24 bytes holds one of 16, with zeros behind it.
static bool holds(const dds_sequence_humble_msg_dds__Gid_ *list, const uint8_t *key)
{
    static const uint8_t none[8];
    for (uint32_t i = 0; i < list->_length; i++)
        if (memcmp(list->_buffer[i].data, key, 16) == 0 && memcmp(list->_buffer[i].data + 16, none, 8) == 0)
            return true;
    return false;
}

/// `discovery: humble`: the list of nodes as Humble reads it, with the endpoint that is seen beside
/// it.
TEST(a_node_is_announced_as_humble_reads_it)
{
    static const char *const words[] = {
        "--ros2", "-q", "--set", "ros.pace=real_time", "--set", "ros.discovery=humble", "--duration", "60"};
    dds_topic_descriptor_t type = humble_msg_dds__ParticipantEntitiesInfo__desc;
    type.m_typename = rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc.m_typename;
    open_node();
    const pid_t pid = start_rille("mer_around_rock", words, 8);
    const dds_entity_t info = reader(&type, "ros_discovery_info", true, true);
    const dds_entity_t joints = reader(&sensor_msgs_msg_dds__JointState__desc, "rt/mer/joint_states", true, false);
    humble_msg_dds__ParticipantEntitiesInfo_ *i = await(info, 20.0);
    void *sample = await(joints, 5.0);
    REQUIRE(i && sample);
    give_back(joints, sample);
    dds_instance_handle_t handle;
    REQUIRE(dds_get_matched_publications(joints, &handle, 1) == 1);
    dds_builtintopic_endpoint_t *e = dds_get_matched_publication_data(joints, handle);
    REQUIRE(e);
    CHECK_INT(i->node_entities_info_seq._length, 1);
    const humble_msg_dds__NodeEntitiesInfo_ *n = &i->node_entities_info_seq._buffer[0];
    CHECK(strcmp(n->node_namespace, "/mer") == 0 && strcmp(n->node_name, "rille") == 0);
    CHECK(memcmp(i->gid.data, e->participant_key.v, 16) == 0);
    CHECK(holds(&n->writer_gid_seq, e->key.v));
    CHECK(!holds(&n->reader_gid_seq, e->key.v) && n->reader_gid_seq._length >= 15);
    dds_builtintopic_free_endpoint(e);
    give_back(info, i);
    end_rille(pid, SIGINT);
    close_node();
}

TEST(every_topic_can_be_read_with_the_types_of_another_compiler)
{
    open_node();
    const pid_t pid = start_rille("mer_around_rock", real_time, 6);
    const dds_entity_t clock = reader(&rosgraph_msgs_msg_dds__Clock__desc, "rt/clock", false, false),
                       joints = reader(&sensor_msgs_msg_dds__JointState__desc, "rt/mer/joint_states", true, false),
                       tf = reader(&tf2_msgs_msg_dds__TFMessage__desc, "rt/tf", true, false),
                       fixed = reader(&tf2_msgs_msg_dds__TFMessage__desc, "rt/tf_static", true, true),
                       robot = reader(&std_msgs_msg_dds__String__desc, "rt/mer/robot_description", true, true),
                       imu = reader(&sensor_msgs_msg_dds__Imu__desc, "rt/mer/imu/imu", true, false),
                       wrench = reader(&geometry_msgs_msg_dds__WrenchStamped__desc, "rt/mer/wrench/wrist", true, false),
                       odom = reader(&nav_msgs_msg_dds__Odometry__desc, "rt/mer/odom", true, false),
                       info = reader(&sensor_msgs_msg_dds__CameraInfo__desc, "rt/mer/camera/front/camera_info", true,
                                     false),
                       image = reader(&sensor_msgs_msg_dds__Image__desc, "rt/mer/camera/front/image_raw", true, false),
                       png = reader(&sensor_msgs_msg_dds__CompressedImage__desc,
                                    "rt/mer/camera/front/image_raw/compressed", true, false),
                       cloud = reader(&sensor_msgs_msg_dds__PointCloud2__desc, "rt/mer/lidar/mast/points", true, false),
                       health = reader(&diagnostic_msgs_msg_dds__DiagnosticArray__desc, "rt/diagnostics", true, false);
    rosgraph_msgs_msg_dds__Clock_ *c = await(clock, 20.0);
    REQUIRE(c);
    CHECK(c->clock.sec >= 0 && c->clock.sec < 60);
    sensor_msgs_msg_dds__JointState_ *j = await(joints, 5.0);
    REQUIRE(j);
    CHECK(j->name._length >= 14 && j->position._length == j->name._length && j->effort._length == j->name._length);
    CHECK(strstr(j->name._buffer[0], "_joint") != NULL);
    tf2_msgs_msg_dds__TFMessage_ *t = await(tf, 5.0), *s = await(fixed, 5.0);
    REQUIRE(t && s);
    CHECK(t->transforms._length > 10 && s->transforms._length >= 2);
    std_msgs_msg_dds__String_ *d = await(robot, 5.0);
    REQUIRE(d);
    CHECK(strstr(d->data, "<robot") && strstr(d->data, "</robot>"));
    sensor_msgs_msg_dds__Imu_ *m = await(imu, 5.0);
    while (m && m->header.stamp.sec == 0) { // sensors begin with the first tick, and the rover settles
        give_back(imu, m);
        m = await(imu, 5.0);
    }
    REQUIRE(m);
    CHECK_CLOSE(m->linear_acceleration.z, 3.71, 0.2);
    CHECK_CLOSE(m->orientation_covariance[0], -1.0, 0.0);
    geometry_msgs_msg_dds__WrenchStamped_ *w = await(wrench, 5.0);
    while (w && w->header.stamp.sec == 0) {
        give_back(wrench, w);
        w = await(wrench, 5.0);
    }
    REQUIRE(w);
    CHECK(fabs(w->wrench.force.z) > 10.0); // a sixth of the rover
    nav_msgs_msg_dds__Odometry_ *o = await(odom, 5.0);
    REQUIRE(o);
    CHECK(strcmp(o->header.frame_id, "odom") == 0);
    sensor_msgs_msg_dds__CameraInfo_ *f = await(info, 5.0);
    REQUIRE(f);
    CHECK(strcmp(f->distortion_model, "equidistant") == 0 && f->width == 96 && f->k[8] == 1.0);
    sensor_msgs_msg_dds__Image_ *p = await(image, 10.0);
    REQUIRE(p);
    CHECK_INT(p->data._length, 96 * 96 * 3);
    CHECK(strcmp(p->encoding, "rgb8") == 0 && strcmp(p->header.frame_id, "front_optical") == 0);
    sensor_msgs_msg_dds__CompressedImage_ *z = await(png, 10.0);
    REQUIRE(z);
    CHECK(z->data._length > 100 && memcmp(z->data._buffer, "\x89PNG", 4) == 0);
    sensor_msgs_msg_dds__PointCloud2_ *k = await(cloud, 10.0);
    REQUIRE(k);
    CHECK(k->data._length == 24 * k->width && k->width > 500);
    diagnostic_msgs_msg_dds__DiagnosticArray_ *a = await(health, 5.0);
    REQUIRE(a);
    CHECK(a->status._length >= 1 && strcmp(a->status._buffer[0].name, "rille: link") == 0);
    end_rille(pid, SIGINT);
    close_node();
}

TEST(commands_reach_the_robot_and_bad_ones_are_flagged)
{
    open_node();
    const pid_t pid = start_rille("mer_around_rock", real_time, 6);
    const dds_entity_t gravity = writer(&std_msgs_msg_dds__Bool__desc, "rt/mer/enable_gravity"),
                       joints = writer(&sensor_msgs_msg_dds__JointState__desc, "rt/mer/joint_commands"),
                       wrong = writer(&std_msgs_msg_dds__String__desc, "rt/mer/cmd_vel"), // another type: never matches
        imu = reader(&sensor_msgs_msg_dds__Imu__desc, "rt/mer/imu/imu", true, false),
                       health = reader(&diagnostic_msgs_msg_dds__DiagnosticArray__desc, "rt/diagnostics", true, false);
    await_match(gravity);
    await_match(joints);
    bool heavy = false;
    std_msgs_msg_dds__Bool_ off = {false};
    for (int i = 0; i < 400 && !heavy; i++) {
        sensor_msgs_msg_dds__Imu_ *m = await(imu, 0.5);
        heavy = m && m->linear_acceleration.z > 3.0;
        if (m)
            give_back(imu, m);
    }
    CHECK(heavy);
    dds_write(gravity, &off);
    char *name = "drive_front_left_joint";
    double nan_position = NAN;
    sensor_msgs_msg_dds__JointState_ bad = {.header.frame_id = ""};
    bad.name._buffer = &name;
    bad.name._length = bad.name._maximum = 1;
    bad.velocity._buffer = &nan_position;
    bad.velocity._length = bad.velocity._maximum = 1;
    dds_write(joints, &bad);
    std_msgs_msg_dds__String_ text = {"not a twist"};
    dds_write(wrong, &text);
    bool weightless = false, flagged = false;
    for (int i = 0; i < 400 && !(weightless && flagged); i++) {
        sensor_msgs_msg_dds__Imu_ *m = await(imu, 0.5);
        if (m)
            weightless |= fabs(m->linear_acceleration.z) < 0.5;
        if (m)
            give_back(imu, m);
        diagnostic_msgs_msg_dds__DiagnosticArray_ *a = await(health, 0.01);
        for (uint32_t k = 0; a && k < a->status._buffer[0].values._length; k++) {
            const diagnostic_msgs_msg_dds__KeyValue_ *v = &a->status._buffer[0].values._buffer[k];
            flagged |= strcmp(v->key, "refused") == 0 && strcmp(v->value, "0") != 0;
        }
        if (a)
            give_back(health, a);
    }
    CHECK(weightless);
    CHECK(flagged);
    dds_publication_matched_status_t s = {0};
    dds_get_publication_matched_status(wrong, &s);
    CHECK_INT(s.current_count, 0);
    end_rille(pid, SIGINT);
    close_node();
}

/// A reader that wants more than there is (latched joint states) gets nothing, and others go on; so
/// they do when a peer dies.
TEST(wrong_qos_and_dying_peers_do_not_hurt)
{
    open_node();
    const pid_t pid = start_rille("mer_around_rock", real_time, 6);
    const dds_entity_t latched = reader(&sensor_msgs_msg_dds__JointState__desc, "rt/mer/joint_states", true, true),
                       effort = reader(&sensor_msgs_msg_dds__JointState__desc, "rt/mer/joint_states", false, false);
    void *sample = await(effort, 20.0);
    REQUIRE(sample);
    give_back(effort, sample);
    CHECK(!await(latched, 0.3));
    dds_requested_incompatible_qos_status_t q = {0};
    dds_get_requested_incompatible_qos_status(latched, &q);
    CHECK(q.total_count > 0);
    const pid_t peer = fork(); // reads everything and is killed without a word
    if (peer == 0) {
        close_node();
        open_node();
        reader(&sensor_msgs_msg_dds__PointCloud2__desc, "rt/mer/lidar/mast/points", true, false);
        reader(&sensor_msgs_msg_dds__JointState__desc, "rt/mer/joint_states", true, false);
        pause();
        _exit(0);
    }
    dds_sleepfor(DDS_MSECS(600));
    kill(peer, SIGKILL);
    waitpid(peer, NULL, 0);
    int after = 0;
    for (const dds_time_t end = dds_time() + DDS_SECS(1); dds_time() < end;) {
        sample = await(effort, 0.2);
        after += sample != NULL;
        if (sample)
            give_back(effort, sample);
    }
    CHECK(after > 20);
    end_rille(pid, SIGINT);
    close_node();
}

static pid_t start_in(const char *space, const char *out)
{
    char setting[64];
    snprintf(setting, sizeof setting, "ros.namespace=%s", space);
    const char *const words[] = {"--ros2", "-q", "--set",      setting, "--set", "ros.pace=real_time",
                                 "--out",  out,  "--duration", "60"};
    return start_rille("pendulum", words, 10);
}

static void say_pause(dds_entity_t w, bool pause)
{
    std_msgs_msg_dds__Bool_ m = {.data = pause};
    CHECK_INT(dds_write(w, &m), 0);
}

/// Whether nothing comes for 0.3 s, within some seconds.
static bool falls_silent(dds_entity_t r)
{
    for (const dds_time_t end = dds_time() + DDS_SECS(10); dds_time() < end;) {
        void *sample = await(r, 0.3);
        if (!sample)
            return true;
        give_back(r, sample);
    }
    return false;
}

static bool speaks(dds_entity_t r)
{
    void *sample = await(r, 20.0);
    if (sample)
        give_back(r, sample);
    return sample != NULL;
}

/// Two simulators in one domain: a command reaches the one that it names, and when one dies the
/// other goes on.
TEST(simulators_side_by_side_hear_their_own_commands)
{
    char folder[2][64];
    snprintf(folder[0], sizeof folder[0], "/tmp/rille_ros_%d/one", (int)getpid());
    snprintf(folder[1], sizeof folder[1], "/tmp/rille_ros_%d/two", (int)getpid());
    open_node();
    const pid_t one = start_in("one", folder[0]), two = start_in("two", folder[1]);
    const dds_entity_t first = reader(&sensor_msgs_msg_dds__JointState__desc, "rt/one/joint_states", false, false),
                       second = reader(&sensor_msgs_msg_dds__JointState__desc, "rt/two/joint_states", false, false),
                       pause = writer(&std_msgs_msg_dds__Bool__desc, "rt/one/pause");
    CHECK(speaks(first) && speaks(second));
    await_match(pause);
    say_pause(pause, true);
    CHECK(falls_silent(first));
    CHECK(speaks(second));
    kill(two, SIGKILL);
    CHECK(falls_silent(second));
    say_pause(pause, false);
    CHECK(speaks(first));
    CHECK_INT(end_rille(one, SIGINT), 1); // interrupted, with all files written
    end_rille(two, 0);
    close_node();
}

TEST_MAIN(CASE(a_node_with_its_endpoints_and_hashes_is_announced), CASE(a_node_is_announced_as_humble_reads_it),
          CASE(every_topic_can_be_read_with_the_types_of_another_compiler),
          CASE(commands_reach_the_robot_and_bad_ones_are_flagged), CASE(wrong_qos_and_dying_peers_do_not_hurt),
          CASE(simulators_side_by_side_hear_their_own_commands))
