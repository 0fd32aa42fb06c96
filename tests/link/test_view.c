// SPDX-License-Identifier: Apache-2.0
/// \file
/// The viewer's server, seen from a socket: who gets in, what strangers cannot reach, and that
/// nothing a client does disturbs the run.
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

#include <rille/rille.h>

#include "../../bench/ws_client.h"
#include "io/faults.h"

static const char token[] = "0123456789abcdef0123456789abcdef";
static const char page[] = "/?token=0123456789abcdef0123456789abcdef";
static const char socket_path[] = "/ws?token=0123456789abcdef0123456789abcdef";
static const char protocol[] = "rille.view.1";

/// A scene that runs in its own thread while the test is the client.
typedef struct Rig {
    RiContext *ctx;
    RiScene *scene;
    RiView *view;
    RiLive *live;
    int port;
    pthread_t thread;
    atomic_int stop;
    atomic_llong ticks;
} Rig;

static void *drive(void *user)
{
    Rig *r = user;
    RiSim *sim = ri_scene_sim(r->scene);
    while (!atomic_load(&r->stop)) {
        ri_live_serve(r->live);
        const int run = ri_live_due(r->live);
        if (run >= 0) {
            ri_live_stepped(r->live, run, ri_sim_step(sim));
            atomic_store(&r->ticks, ri_sim_tick(sim));
        } else {
            usleep(500);
        }
    }
    return NULL;
}

static bool rig_start(Rig *r, const char *scene, bool paused)
{
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", RILLE_SOURCE_DIR, scene);
    *r = (Rig){0};
    RiViewOptions o = ri_view_options_default();
    o.token = token;
    o.end = 10.0;
    RiLiveOptions lo = ri_live_options_default();
    lo.paused = paused;
    lo.folder = RILLE_BINARY_DIR;
    if (ri_context_create(NULL, &r->ctx) != RI_OK || ri_scene_load(r->ctx, path, NULL, &r->scene) != RI_OK ||
        ri_scene_build(r->scene) != RI_OK || ri_view_create(r->ctx, &o, &r->view) != RI_OK ||
        ri_live_create(r->ctx, r->view, &r->scene, 1, &lo, &r->live) != RI_OK) {
        CHECK_FAIL("%s", r->ctx ? ri_context_message(r->ctx) : "no context");
        return false;
    }
    r->port = ri_view_port(r->view);
    return pthread_create(&r->thread, NULL, drive, r) == 0;
}

static void rig_end(Rig *r)
{
    atomic_store(&r->stop, 1);
    pthread_join(r->thread, NULL);
    ri_view_destroy(r->view);
    ri_live_destroy(r->live);
    ri_scene_destroy(r->scene);
    ri_context_destroy(r->ctx);
}

static void local_host(const Rig *r, char host[64])
{
    snprintf(host, 64, "127.0.0.1:%d", r->port);
}

/// True if the run's ticks grow.
static bool runs_on(Rig *r)
{
    const long long before = atomic_load(&r->ticks);
    for (int i = 0; i < 500; i++) {
        if (atomic_load(&r->ticks) > before)
            return true;
        usleep(10000);
    }
    return false;
}

static int open_page(Ws *w, const Rig *r)
{
    return ws_open(w, r->port, socket_path, protocol, "");
}

/// The number after `"name":` in a JSON text.
static double number_of(const char *text, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = text ? strstr(text, key) : NULL;
    return at ? strtod(at + strlen(key), NULL) : NAN;
}

// --- who gets in ---------------------------------------------------------------------------------

TEST(the_page_needs_the_token_and_the_bundle_reveals_nothing)
{
    Rig r;
    char host[64];
    if (!rig_start(&r, "pendulum", true))
        return;
    local_host(&r, host);
    CHECK_INT(ws_get(r.port, page, host, ""), 200);
    CHECK_INT(ws_get(r.port, "/", host, ""), 403);
    CHECK_INT(ws_get(r.port, "/?token=", host, ""), 403);
    CHECK_INT(ws_get(r.port, "/?token=0123456789abcdef0123456789abcdee", host, ""), 403);
    CHECK_INT(ws_get(r.port, "/?token=0123456789abcdef0123456789abcdef0", host, ""), 403);
    CHECK_INT(ws_get(r.port, "/?token=0123456789abcdef0123456789abcde", host, ""), 403);
    CHECK_INT(ws_get(r.port, "/index.html", host, ""), 403);
    CHECK_INT(ws_get(r.port, "/mesh/0", host, ""), 403);
    rig_end(&r);
}

TEST(foreign_hosts_and_origins_are_refused)
{
    Rig r;
    char host[64], own[128];
    Ws w;
    if (!rig_start(&r, "pendulum", true))
        return;
    local_host(&r, host);
    snprintf(own, sizeof own, "Origin: http://localhost:%d\r\n", r.port);
    CHECK_INT(ws_get(r.port, page, "evil.example", ""), 403);
    CHECK_INT(ws_get(r.port, page, "127.0.0.1:1", ""), 403);
    CHECK_INT(ws_get(r.port, page, "127.0.0.1", ""), 403);
    CHECK_INT(ws_get(r.port, page, host, "Origin: http://evil.example\r\n"), 403);
    CHECK_INT(ws_get(r.port, page, host, own), 200);
    CHECK_INT(ws_open(&w, r.port, socket_path, protocol, own), 101);
    ws_close(&w);
    CHECK_INT(ws_open(&w, r.port, socket_path, protocol, "Origin: http://evil.example\r\n"), 403);
    ws_close(&w);
    CHECK_INT(ws_open(&w, r.port, socket_path, protocol, "Origin: null\r\n"), 403);
    ws_close(&w);
    CHECK_INT(ws_open(&w, r.port, "/ws?token=00000000000000000000000000000000", protocol, ""), 403);
    ws_close(&w);
    CHECK_INT(ws_open(&w, r.port, "/ws", protocol, ""), 403);
    ws_close(&w);
    CHECK_INT(ws_open(&w, r.port, "/other?token=0123456789abcdef0123456789abcdef", protocol, ""), 404);
    ws_close(&w);
    CHECK(ws_open(&w, r.port, socket_path, NULL, "") != 101);
    ws_close(&w);
    CHECK(ws_open(&w, r.port, socket_path, "chat", "") != 101);
    ws_close(&w);
    rig_end(&r);
}

TEST(nothing_outside_the_bundle_can_be_reached)
{
    static const char *const paths[] = {"/../../../../etc/passwd",
                                        "/%2e%2e/%2e%2e/etc/passwd",
                                        "/..%2f..%2fetc/passwd",
                                        "//etc/passwd",
                                        "/mesh/../../etc/passwd",
                                        "/mesh/-1",
                                        "/mesh/99999999999999999999",
                                        "/mesh/",
                                        "/mesh/0x0",
                                        "/app.js/..",
                                        "/etc/passwd"};
    Rig r;
    char host[64], path[128];
    if (!rig_start(&r, "pendulum", true))
        return;
    local_host(&r, host);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(path, sizeof path, "%s?token=%s", paths[i], token);
        const int code = ws_get(r.port, path, host, "");
        if (code != 404 && code != 403 && code != 400 && code != 0)
            CHECK_FAIL("%s: %d", path, code);
    }
    CHECK_INT(ws_get(r.port, page, host, ""), 200);
    rig_end(&r);
}

TEST(a_port_that_is_taken_and_bad_options_are_told)
{
    RiContext *ctx;
    RiView *view = NULL, *second = NULL;
    RiViewOptions o = ri_view_options_default();
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    o.token = "short";
    CHECK_ERROR(ctx, ri_view_create(ctx, &o, &view), RI_ERR_ARGUMENT, "16 to 64 letters");
    o.token = "0123456789abcde/";
    CHECK_ERROR(ctx, ri_view_create(ctx, &o, &view), RI_ERR_ARGUMENT, "16 to 64 letters");
    o.token = NULL;
    o.listen = "example.org";
    CHECK_ERROR(ctx, ri_view_create(ctx, &o, &view), RI_ERR_ARGUMENT, "not an IPv4 address");
    o.listen = NULL;
    o.port = 70000;
    CHECK_ERROR(ctx, ri_view_create(ctx, &o, &view), RI_ERR_ARGUMENT, "port 70000");
    o.port = 0;
    REQUIRE_OK(ctx, ri_view_create(ctx, &o, &view));
    const char *secret = strstr(ri_view_url(view), "token=");
    REQUIRE(secret && strlen(secret) == 6 + 32);
    o.port = ri_view_port(view);
    CHECK_ERROR(ctx, ri_view_create(ctx, &o, &second), RI_ERR_IO, "is it taken");
    CHECK(!second);
    o.port = 0;
    REQUIRE_OK(ctx, ri_view_create(ctx, &o, &second));
    CHECK(strcmp(secret, strstr(ri_view_url(second), "token=")) != 0);
    ri_view_destroy(second);
    ri_view_destroy(view);
    ri_view_destroy(NULL);
    ri_context_destroy(ctx);
}

// --- what a page gets ----------------------------------------------------------------------------

TEST(a_page_gets_hello_scene_values_and_frames_in_this_order)
{
    Rig r;
    Ws w;
    if (!rig_start(&r, "snake_servo", false))
        return;
    REQUIRE(open_page(&w, &r) == 101);
    WsMessage m = ws_receive(&w);
    CHECK(m.opcode == 1 && strncmp((char *)m.data, "{\"op\":\"hello\",\"protocol\":1,", 27) == 0);
    CHECK(strstr((char *)m.data, "\"mode\":\"live\""));
    m = ws_receive(&w);
    CHECK(m.opcode == 1 &&
          strncmp((char *)m.data, "{\"op\":\"scene\",\"run\":0,\"bodies\":[{\"name\":\"tail\"", 46) == 0);
    CHECK(strstr((char *)m.data, "\"springs\":[\"rope_tail\",\"rope_head\"]"));
    m = ws_receive(&w);
    CHECK(m.opcode == 1 && strncmp((char *)m.data, "{\"op\":\"values\"", 14) == 0);
    while (m.opcode == 1)
        m = ws_receive(&w);
    REQUIRE(m.opcode == 2 && m.size >= 24);
    const int links = ri_model_link_count(ri_sim_model(ri_scene_sim(r.scene)));
    CHECK_INT(m.data[0], 1);
    CHECK_INT(m.data[16] | m.data[17] << 8, links);
    CHECK_INT(m.data[18] | m.data[19] << 8, 0);
    CHECK_INT(m.data[20] | m.data[21] << 8, 2);
    CHECK_INT(m.size, 24 + 20 * links + 28 * 2);
    ws_close(&w);
    rig_end(&r);
}

/// The pose of a body in a frame.
static void frame_pose(const WsMessage *m, int body, double p[3], double q[4])
{
    const unsigned char *at = m->data + 24 + 20 * body;
    for (int i = 0; i < 3; i++) {
        float f;
        memcpy(&f, at + 4 * i, 4);
        p[i] = (double)f;
    }
    for (int i = 0; i < 4; i++) {
        int16_t s;
        memcpy(&s, at + 12 + 2 * i, 2);
        q[i] = s / 32767.0;
    }
}

TEST(poses_on_the_wire_are_those_of_the_simulation)
{
    Rig r;
    Ws w;
    double p[3], q[4];
    if (!rig_start(&r, "snake_servo", true))
        return;
    REQUIRE(open_page(&w, &r) == 101);
    WsMessage m = ws_receive(&w);
    while (m.opcode == 1)
        m = ws_receive(&w);
    REQUIRE(m.opcode == 2);
    RiSim *sim = ri_scene_sim(r.scene); // paused: nobody writes to it
    for (int i = 0; i < ri_model_link_count(ri_sim_model(sim)); i++) {
        const RiPose pose = ri_dyn_frame_pose(ri_sim_dyn(sim), i);
        const RiQuat want = ri_quat_from_mat3(&pose.R);
        frame_pose(&m, i, p, q);
        CHECK_CLOSE(p[0], pose.p.x, 1e-6);
        CHECK_CLOSE(p[1], pose.p.y, 1e-6);
        CHECK_CLOSE(p[2], pose.p.z, 1e-6);
        CHECK_CLOSE(fabs(q[0] * want.w + q[1] * want.x + q[2] * want.y + q[3] * want.z), 1.0, 1e-4);
    }
    ws_close(&w);
    rig_end(&r);
}

// --- steering ------------------------------------------------------------------------------------

TEST(pause_step_set_and_get_are_carried_out_at_ticks)
{
    Rig r;
    Ws w;
    const char *text;
    if (!rig_start(&r, "pendulum", false))
        return;
    REQUIRE(open_page(&w, &r) == 101);
    CHECK(ws_text(&w, "{\"op\":\"pause\",\"id\":1}"));
    CHECK((text = ws_expect(&w, "\"to\":1,")) && strstr(text, "\"ok\":true"));
    const long long before = atomic_load(&r.ticks);
    CHECK(ws_text(&w, "{\"op\":\"step\",\"count\":7,\"id\":2}"));
    CHECK(ws_expect(&w, "\"to\":2,") != NULL);
    for (int i = 0; i < 500 && atomic_load(&r.ticks) < before + 7; i++)
        usleep(10000);
    usleep(30000);
    CHECK_INT(atomic_load(&r.ticks), before + 7);
    CHECK(ws_text(&w, "{\"op\":\"set\",\"id\":3,\"name\":\"hinge_2.position\",\"text\":\"20 deg\"}"));
    CHECK((text = ws_expect(&w, "\"to\":3,")) && strstr(text, "\"ok\":true"));
    CHECK_CLOSE(number_of(text, "value"), 20.0 * 3.14159265358979323846 / 180.0, 1e-15);
    CHECK(ws_text(&w, "{\"op\":\"get\",\"id\":4,\"name\":\"hinge_2.position\"}"));
    CHECK_CLOSE(number_of(ws_expect(&w, "\"to\":4,"), "value"), 20.0 * 3.14159265358979323846 / 180.0, 1e-15);
    CHECK(ws_text(&w, "{\"op\":\"set\",\"id\":5,\"name\":\"hinge_2.postion\",\"text\":\"20 deg\"}"));
    CHECK((text = ws_expect(&w, "\"to\":5,")) && strstr(text, "\"ok\":false") && strstr(text, "hinge_2.position"));
    CHECK(ws_text(&w, "{\"op\":\"set\",\"id\":6,\"name\":\"hinge_2.position\",\"text\":\"20 kg\"}"));
    CHECK((text = ws_expect(&w, "\"to\":6,")) && strstr(text, "\"ok\":false"));
    CHECK(ws_text(&w, "{\"op\":\"move\",\"id\":7,\"position\":[0,0,1]}"));
    CHECK((text = ws_expect(&w, "\"to\":7,")) && strstr(text, "base is fixed"));
    CHECK(ws_text(&w, "{\"op\":\"gravity\",\"id\":8,\"on\":false}"));
    CHECK(ws_expect(&w, "\"to\":8,") != NULL);
    CHECK(ws_text(&w, "{\"op\":\"get\",\"id\":9,\"name\":\"gravity.z\"}"));
    CHECK_CLOSE(number_of(ws_expect(&w, "\"to\":9,"), "value"), 0.0, 0.0);
    CHECK(ws_text(&w, "{\"op\":\"gravity\",\"id\":10,\"on\":true}"));
    CHECK(ws_text(&w, "{\"op\":\"get\",\"id\":11,\"name\":\"gravity.z\"}"));
    CHECK_CLOSE(number_of(ws_expect(&w, "\"to\":11,"), "value"), -9.81, 0.0);
    CHECK(ws_text(&w, "{\"op\":\"restart\",\"id\":12}"));
    CHECK(ws_expect(&w, "\"to\":12,") != NULL);
    CHECK(ws_text(&w, "{\"op\":\"get\",\"id\":13,\"name\":\"time\"}"));
    CHECK_CLOSE(number_of(ws_expect(&w, "\"to\":13,"), "value"), 0.0, 0.0);
    ws_close(&w);
    rig_end(&r);
}

TEST(the_base_can_be_put_somewhere_and_the_next_frame_shows_it)
{
    Rig r;
    Ws w;
    double p[3] = {0}, q[4];
    if (!rig_start(&r, "snake_servo", true))
        return;
    REQUIRE(open_page(&w, &r) == 101);
    CHECK(ws_text(&w, "{\"op\":\"move\",\"id\":1,\"position\":[1.5,-2,0.25],\"quaternion\":[1,0,0,0]}"));
    const char *text = ws_expect(&w, "\"to\":1,");
    CHECK(text && strstr(text, "\"ok\":true"));
    for (int i = 0; i < 40 && fabs(p[0] - 1.5) > 1e-6; i++) {
        const WsMessage m = ws_receive(&w);
        REQUIRE(m.opcode > 0);
        if (m.opcode == 2)
            frame_pose(&m, 0, p, q);
    }
    CHECK_CLOSE(p[0], 1.5, 1e-6);
    CHECK_CLOSE(p[1], -2.0, 1e-6);
    CHECK_CLOSE(p[2], 0.25, 1e-6);
    ws_close(&w);
    rig_end(&r);
}

TEST(a_page_reloaded_in_the_middle_gets_everything_again)
{
    Rig r;
    Ws w;
    if (!rig_start(&r, "snake_servo", false))
        return;
    REQUIRE(open_page(&w, &r) == 101);
    CHECK(ws_text(&w, "{\"op\":\"set\",\"id\":1,\"name\":\"rope_tail.stiffness\",\"text\":\"21 kN/m\"}"));
    CHECK(ws_expect(&w, "\"kind\":\"command\"") != NULL);
    CHECK(ws_text(&w, "{\"op\":\"plot\",\"id\":2,\"name\":\"base.x\"}"));
    CHECK(ws_expect(&w, "\"op\":\"series\",\"id\":2,") != NULL);
    CHECK(ws_text(&w, "{\"op\":\"pause\",\"id\":3}"));
    CHECK(ws_expect(&w, "\"to\":3,") != NULL);
    ws_close(&w);
    REQUIRE(open_page(&w, &r) == 101);
    CHECK(ws_expect(&w, "\"op\":\"hello\"") != NULL);
    CHECK(ws_expect(&w, "\"op\":\"scene\"") != NULL);
    CHECK(ws_expect(&w, "rope_tail.stiffness = 21 kN/m") != NULL);
    const char *text = ws_expect(&w, "\"op\":\"status\"");
    CHECK(text && strstr(text, "\"paused\":true"));
    CHECK(ws_text(&w, "{\"op\":\"plot\",\"id\":9,\"name\":\"base.x\"}"));
    text = ws_expect(&w, "\"op\":\"series\",\"id\":9,");
    CHECK(text && strstr(text, "\"append\":false") && !strstr(text, "\"times\":[]"));
    ws_close(&w);
    rig_end(&r);
}

// --- bad clients ---------------------------------------------------------------------------------

TEST(malformed_requests_are_answered_and_the_connection_stays)
{
    static const char *const bad[] = {"",
                                      "{",
                                      "[]",
                                      "null",
                                      "{\"op\":5}",
                                      "{\"op\":\"fly\"}",
                                      "{\"op\":\"speed\",\"factor\":-1}",
                                      "{\"op\":\"speed\",\"factor\":1e999}",
                                      "{\"op\":\"step\",\"count\":\"many\"}",
                                      "{\"op\":\"plot\",\"name\":\"base.x\"}",
                                      "{\"op\":\"pause\",\"run\":7}",
                                      "{\"op\":\"set\",\"name\":\"a\\u0000b\",\"text\":\"1\"}",
                                      "{\"op\":\"move\",\"position\":[1,2]}",
                                      "{\"op\":\"move\",\"position\":[1,2,3],\"quaternion\":[0,0,0,0]}",
                                      "{\"op\":\"pause\"} x",
                                      "{\"op\":\"layer\",\"name\":\"sky\",\"on\":true}",
                                      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
                                      "{\"op\":\"pause\",\"id\":1.5}"};
    Rig r;
    Ws w;
    if (!rig_start(&r, "pendulum", false))
        return;
    REQUIRE(open_page(&w, &r) == 101);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(ws_text(&w, bad[i]));
        if (i > 0 && !ws_expect(&w, "\"ok\":false"))
            CHECK_FAIL("no answer to %s", bad[i]);
    }
    CHECK(ws_text(&w, "{\"op\":\"get\",\"id\":77,\"name\":\"time\"}"));
    CHECK(ws_expect(&w, "\"to\":77,\"ok\":true") != NULL);
    CHECK(runs_on(&r));
    ws_close(&w);
    rig_end(&r);
}

TEST(oversized_and_binary_requests_close_the_connection_with_their_code)
{
    Rig r;
    Ws w;
    char *long_text = malloc(20000);
    REQUIRE(long_text);
    memset(long_text, ' ', 20000);
    if (!rig_start(&r, "pendulum", false))
        return;
    static const int codes[3] = {1009, 1003, 1009};
    for (int kind = 0; kind < 3; kind++) {
        REQUIRE(open_page(&w, &r) == 101);
        if (kind == 0)
            ws_send_frame(&w, 1, true, long_text, 20000, 20000);
        else if (kind == 1)
            ws_send_frame(&w, 2, true, "x", 1, 1);
        else // the same in fragments; the last one exceeds the limit, so none is sent to a closed socket
            for (int i = 0; i < 17; i++)
                ws_send_frame(&w, i ? 0 : 1, i == 16, long_text, 1000, 1000);
        WsMessage m = ws_receive(&w);
        while (m.opcode == 1 || m.opcode == 2)
            m = ws_receive(&w);
        if (m.opcode == 8 && m.size >= 2)
            CHECK_INT(m.data[0] << 8 | m.data[1], codes[kind]);
        else
            CHECK_FAIL("kind %d: no close message", kind);
        ws_close(&w);
    }
    CHECK(runs_on(&r));
    free(long_text);
    rig_end(&r);
}

TEST(garbage_and_lies_about_lengths_do_not_stop_the_server)
{
    Rig r;
    Ws w;
    char host[64];
    unsigned char noise[4096];
    unsigned state = 12345;
    if (!rig_start(&r, "pendulum", false))
        return;
    local_host(&r, host);
    for (int k = 0; k < 20; k++) {
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
        if (k % 2 == 0) {
            if (ws_connect(&w, r.port))
                ws_send_raw(&w, noise, sizeof noise);
        } else if (open_page(&w, &r) == 101) {
            ws_send_raw(&w, noise, sizeof noise);
        }
        ws_close(&w);
    }
    if (open_page(&w, &r) == 101)
        ws_send_frame(&w, 1, true, "{", 1, UINT64_C(1) << 62);
    ws_close(&w);
    CHECK_INT(ws_get(r.port, page, host, ""), 200);
    CHECK(runs_on(&r));
    rig_end(&r);
}

/// More connections than the server has room for, each with half a request, some after a whole one.
TEST(half_open_requests_keep_no_new_page_out)
{
    enum { HALVES = 400 };
    static Ws halves[HALVES];
    Rig r;
    Ws w;
    char host[64], whole[200];
    static const char half[] = "GET / HTTP/1.1\r\nHost: 127";
    if (!rig_start(&r, "pendulum", false))
        return;
    local_host(&r, host);
    snprintf(whole, sizeof whole, "GET /nothing HTTP/1.1\r\nHost: %s\r\n\r\n", host);
    for (int i = 0; i < HALVES; i++) {
        CHECK(ws_connect(&halves[i], r.port));
        if (i % 3 == 0)
            ws_send_raw(&halves[i], whole, strlen(whole));
        ws_send_raw(&halves[i], half, sizeof half - 1);
    }
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    CHECK_INT(ws_get(r.port, page, host, ""), 200);
    CHECK_INT(open_page(&w, &r), 101);
    clock_gettime(CLOCK_MONOTONIC, &end);
    CHECK((double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec) < 5.0);
    ws_close(&w);
    for (int i = 0; i < HALVES; i++)
        ws_close(&halves[i]);
    CHECK(runs_on(&r));
    rig_end(&r);
}

TEST(a_client_that_never_reads_holds_up_nobody)
{
    static const char request[] =
        "{\"op\":\"get\",\"id\":1,\"name\":\"there is no such value, and the answer says so\"}";
    Rig r;
    Ws deaf, other;
    if (!rig_start(&r, "snake_servo", false))
        return;
    REQUIRE(open_page(&deaf, &r) == 101);
    const int small = 2048;
    setsockopt(deaf.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    const size_t size = sizeof request - 1;
    unsigned char frame[6 + sizeof request] = {0x81, (unsigned char)(0x80 | size)};
    memcpy(frame + 6, request, size);
    for (int i = 0; i < 20000; i++) // each is answered, and nobody takes the answers
        if (send(deaf.fd, frame, 6 + size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
            usleep(100);
    REQUIRE(open_page(&other, &r) == 101);
    CHECK(ws_text(&other, "{\"op\":\"get\",\"id\":5,\"name\":\"time\"}"));
    CHECK(ws_expect(&other, "\"to\":5,") != NULL);
    int frames = 0;
    for (int i = 0; i < 400 && frames < 20; i++)
        frames += ws_receive(&other).opcode == 2;
    CHECK_INT(frames, 20);
    CHECK(runs_on(&r));
    ws_close(&deaf);
    ws_close(&other);
    rig_end(&r);
}

TEST(a_hundred_clients_are_served)
{
    enum { CLIENTS = 100 };
    static Ws w[CLIENTS];
    Rig r;
    if (!rig_start(&r, "snake_servo", false))
        return;
    int open = 0;
    for (int i = 0; i < CLIENTS; i++)
        open += open_page(&w[i], &r) == 101;
    CHECK_INT(open, CLIENTS);
    int served = 0;
    for (int i = 0; i < CLIENTS; i++) {
        WsMessage m = ws_receive(&w[i]);
        while (m.opcode == 1)
            m = ws_receive(&w[i]);
        served += m.opcode == 2;
    }
    CHECK_INT(served, CLIENTS);
    CHECK_INT(ri_view_client_count(r.view), CLIENTS);
    CHECK(runs_on(&r));
    for (int i = 0; i < CLIENTS; i++)
        ws_close(&w[i]);
    rig_end(&r);
}

TEST(a_run_does_not_depend_on_who_watches)
{
    Rig r;
    Ws w;
    if (!rig_start(&r, "snake_servo", true))
        return;
    REQUIRE(open_page(&w, &r) == 101);
    CHECK(ws_text(&w, "{\"op\":\"plot\",\"id\":1,\"name\":\"base.x\"}"));
    CHECK(ws_text(&w, "{\"op\":\"step\",\"count\":200,\"id\":2}"));
    for (int i = 0; i < 1000 && atomic_load(&r.ticks) < 200; i++)
        usleep(5000);
    CHECK_INT(atomic_load(&r.ticks), 200);
    RiScene *alone = NULL;
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_scene_load(ctx, RILLE_SOURCE_DIR "/scenes/snake_servo.yaml", NULL, &alone));
    REQUIRE_OK(ctx, ri_scene_build(alone));
    for (int i = 0; i < 200; i++)
        REQUIRE_OK(ctx, ri_sim_step(ri_scene_sim(alone)));
    usleep(20000);
    CHECK(ri_sim_hash(ri_scene_sim(alone)) == ri_sim_hash(ri_scene_sim(r.scene)));
    ri_scene_destroy(alone);
    ri_context_destroy(ctx);
    ws_close(&w);
    rig_end(&r);
}

// --- memory --------------------------------------------------------------------------------------

typedef struct SharedFaults {
    Faults f;
    pthread_mutex_t lock;
} SharedFaults;

static void *shared_resize(void *user, void *block, size_t size)
{
    SharedFaults *s = user;
    pthread_mutex_lock(&s->lock);
    void *p = faults_resize(&s->f, block, size);
    pthread_mutex_unlock(&s->lock);
    return p;
}

static void shared_release(void *user, void *block)
{
    SharedFaults *s = user;
    pthread_mutex_lock(&s->lock);
    faults_release(&s->f, block);
    pthread_mutex_unlock(&s->lock);
}

TEST(every_failed_allocation_is_told_and_leaves_nothing_behind)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_scene_load(ctx, RILLE_SOURCE_DIR "/scenes/snake_servo.yaml", NULL, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    RiStatus status = RI_ERR_MEMORY;
    int failures = 0;
    for (long n = 0; n < 400 && status != RI_OK; n++) {
        SharedFaults s = {.f = {.fail_at = n}, .lock = PTHREAD_MUTEX_INITIALIZER};
        const RiAllocator memory = {shared_resize, shared_release, &s};
        RiViewOptions o = ri_view_options_default();
        RiView *view = NULL;
        RiLive *live = NULL;
        o.allocator = &memory;
        status = ri_view_create(ctx, &o, &view);
        if (status == RI_OK)
            status = ri_live_create(ctx, view, &scene, 1, NULL, &live);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        failures += status != RI_OK;
        ri_view_destroy(view);
        ri_live_destroy(live);
        CHECK_INT(s.f.live, 0);
    }
    CHECK(status == RI_OK);
    CHECK(failures > 10);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

// --- answers that are lost, plots that begin anew ------------------------------------------------

/// A view without a run: the test is the simulation.
static bool view_alone(RiContext **ctx, RiView **view)
{
    RiViewOptions o = ri_view_options_default();
    const RiViewRun def = {.name = "a", .scene = "a", .bodies = 1};
    int run;
    o.token = token;
    *view = NULL;
    if (ri_context_create(NULL, ctx) != RI_OK || ri_view_create(*ctx, &o, view) != RI_OK ||
        ri_view_add_run(*view, &def, &run) != RI_OK) {
        CHECK_FAIL("%s", *ctx ? ri_context_message(*ctx) : "no context");
        return false;
    }
    ri_view_ready(*view);
    return true;
}

/// The next request of a page, as the simulation gets it.
static bool wait_command(RiView *view, RiViewCommand *c)
{
    for (int i = 0; i < 1000; i++) {
        if (ri_view_poll(view, c))
            return true;
        usleep(5000);
    }
    return false;
}

/// Reads until `count` answers have come or were counted as lost; returns those that were lost, -1
/// if the connection ended.
static int count_lost(Ws *w, int count)
{
    int lost = 0;
    for (int got = 0; got < count;) {
        const WsMessage m = ws_receive(w);
        const char *text = (const char *)m.data;
        if (m.opcode < 0 || m.opcode == 8)
            return -1;
        const int missing = m.opcode == 1 && strstr(text, "\"op\":\"lost\"") ? (int)number_of(text, "answers") : 0;
        lost += missing;
        got += missing + (m.opcode == 1 && strstr(text, "\"text\":\"mine\"") ? 1 : 0);
    }
    return lost;
}

TEST(a_page_is_told_how_many_answers_were_lost)
{
    enum { OUTBOX = 1024, MINE = 5, ROUNDS = 20 };
    RiContext *ctx;
    RiView *view;
    RiViewCommand c;
    Ws w;
    if (!view_alone(&ctx, &view))
        return;
    REQUIRE(ws_open(&w, ri_view_port(view), socket_path, protocol, "") == 101);
    REQUIRE(ws_text(&w, "{\"op\":\"pause\",\"id\":1}") && wait_command(view, &c));
    RiViewCommand stranger = c; // a page that has left: its answers fill the outbox and go nowhere
    stranger.client = c.client + 1000;
    int lost = 0;
    for (int round = 0; round < ROUNDS && lost == 0; round++) { // the service thread may have made room in between
        for (int i = 0; i < 2 * OUTBOX; i++)
            ri_view_answer(view, &stranger, true, NAN, "x");
        for (int i = 0; i < MINE; i++)
            ri_view_answer(view, &c, true, NAN, "mine");
        lost = count_lost(&w, MINE);
    }
    CHECK(lost > 0);
    ws_close(&w);
    ri_view_destroy(view);
    ri_context_destroy(ctx);
}

TEST(a_plot_begins_anew_while_its_page_looks_on)
{
    RiContext *ctx;
    RiView *view;
    RiViewCommand c;
    RiViewSeries *series;
    Ws w;
    if (!view_alone(&ctx, &view))
        return;
    REQUIRE(ri_view_add_series(view, 0, "x", "m", 64, &series) == RI_OK);
    REQUIRE(ws_open(&w, ri_view_port(view), socket_path, protocol, "") == 101);
    REQUIRE(ws_text(&w, "{\"op\":\"plot\",\"id\":3,\"name\":\"x\"}") && wait_command(view, &c));
    ri_view_subscribe(view, &c, series);
    for (int i = 0; i < 200; i++) { // the service thread looks for news meanwhile: a race for the thread sanitizer
        ri_view_clear_series(view, 0);
        ri_view_sample(series, i, i);
        usleep(1000);
    }
    const char *text = ws_expect(&w, "\"op\":\"series\"");
    CHECK(text && number_of(text, "id") == 3.0);
    ws_close(&w);
    ri_view_destroy(view);
    ri_context_destroy(ctx);
}

// --- two runs ------------------------------------------------------------------------------------

/// Serves until the steps asked for are done, at most 50; returns how many there were.
static int do_steps(RiLive *live, RiScene **scenes)
{
    int steps = 0;
    for (int i = 0; i < 2000 && steps < 50 && (steps == 0 || !ri_live_is_paused(live)); i++) {
        ri_live_serve(live);
        const int run = ri_live_due(live);
        if (run < 0) {
            usleep(1000);
            continue;
        }
        ri_live_stepped(live, run, ri_sim_step(ri_scene_sim(scenes[run])));
        steps++;
    }
    return steps;
}

TEST(a_step_ends_although_the_second_run_has_ended)
{
    RiContext *ctx;
    RiScene *scenes[2] = {NULL, NULL};
    RiView *view = NULL;
    RiLive *live = NULL;
    Ws w;
    RiViewOptions o = ri_view_options_default();
    RiLiveOptions lo = ri_live_options_default();
    o.token = token;
    lo.paused = true;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int i = 0; i < 2; i++) {
        REQUIRE_OK(ctx, ri_scene_load(ctx, RILLE_SOURCE_DIR "/scenes/pendulum.yaml", NULL, &scenes[i]));
        REQUIRE_OK(ctx, ri_scene_build(scenes[i]));
    }
    REQUIRE_OK(ctx, ri_view_create(ctx, &o, &view));
    REQUIRE_OK(ctx, ri_live_create(ctx, view, scenes, 2, &lo, &live));
    REQUIRE(ws_open(&w, ri_view_port(view), socket_path, protocol, "") == 101);
    ri_live_stop(live, 1, "it has ended");
    REQUIRE(ws_text(&w, "{\"op\":\"step\",\"count\":3,\"id\":1}"));
    CHECK_INT(do_steps(live, scenes), 3);
    CHECK_INT(ri_live_due(live), -1);
    // When the other has ended, too, a further step is refused and none is left over.
    ri_live_stop(live, 0, "it has ended, too");
    CHECK(ws_text(&w, "{\"op\":\"step\",\"count\":1,\"id\":2}"));
    for (int i = 0; i < 100; i++) {
        ri_live_serve(live);
        usleep(1000);
    }
    const char *text = ws_expect(&w, "\"to\":2,");
    CHECK(text && strstr(text, "\"ok\":false") && strstr(text, "restart"));
    CHECK(ri_live_is_paused(live));
    ws_close(&w);
    ri_view_destroy(view);
    ri_live_destroy(live);
    for (int i = 0; i < 2; i++)
        ri_scene_destroy(scenes[i]);
    ri_context_destroy(ctx);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(the_page_needs_the_token_and_the_bundle_reveals_nothing),
                               CASE(foreign_hosts_and_origins_are_refused),
                               CASE(nothing_outside_the_bundle_can_be_reached),
                               CASE(a_port_that_is_taken_and_bad_options_are_told),
                               CASE(a_page_gets_hello_scene_values_and_frames_in_this_order),
                               CASE(poses_on_the_wire_are_those_of_the_simulation),
                               CASE(pause_step_set_and_get_are_carried_out_at_ticks),
                               CASE(the_base_can_be_put_somewhere_and_the_next_frame_shows_it),
                               CASE(a_page_reloaded_in_the_middle_gets_everything_again),
                               CASE(malformed_requests_are_answered_and_the_connection_stays),
                               CASE(oversized_and_binary_requests_close_the_connection_with_their_code),
                               CASE(garbage_and_lies_about_lengths_do_not_stop_the_server),
                               CASE(half_open_requests_keep_no_new_page_out),
                               CASE(a_client_that_never_reads_holds_up_nobody),
                               CASE(a_hundred_clients_are_served),
                               CASE(a_run_does_not_depend_on_who_watches),
                               CASE(a_page_is_told_how_many_answers_were_lost),
                               CASE(a_plot_begins_anew_while_its_page_looks_on),
                               CASE(a_step_ends_although_the_second_run_has_ended),
                               CASE(every_failed_allocation_is_told_and_leaves_nothing_behind)};
    if (!strstr(ri_version_features(), "view: yes")) {
        printf("skipped: this build has no libwebsockets\n");
        return 77;
    }
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
