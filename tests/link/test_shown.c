// SPDX-License-Identifier: Apache-2.0
/// \file
/// What pages are shown besides poses: logs with contacts and springs, two logs side by side,
/// ground as tiles and as a mesh, ruts.
#include "check.h"

#include <sys/stat.h>

#include <rille/rille.h>

#include "../../bench/ws_client.h"
#include "../io/faults.h"
#include "base/rng.h"
#include "link/ground.h"
#include "link/plan.h"
#include "link/rut_log.h"
#include "link/surface.h"
#include "link/text.h"

static const char token[] = "0123456789abcdef0123456789abcdef";
static const char socket_path[] = "/ws?token=0123456789abcdef0123456789abcdef";

static double f32_at(const WsMessage *m, size_t at)
{
    float x = NAN;
    if (at + 4 <= m->size)
        memcpy(&x, m->data + at, 4);
    return (double)x;
}

static unsigned u16_at(const WsMessage *m, size_t at)
{
    return at + 2 <= m->size ? m->data[at] | (unsigned)m->data[at + 1] << 8 : 0;
}

static double f64_at(const WsMessage *m, size_t at)
{
    double x = NAN;
    if (at + 8 <= m->size)
        memcpy(&x, m->data + at, 8);
    return x;
}

// --- logs ----------------------------------------------------------------------------------------

enum { ROWS = 1000 };

/// Body 0 moves along x by `speed`; one contact whose force is the time; one spring.
static RiStatus write_log(RiContext *ctx, const char *path, double speed)
{
    static const char *const names[1] = {"base"};
    RiRecord *r = NULL;
    int frames, contacts, springs;
    RI_TRY(ri_record_create(ctx, path, NULL, &r));
    RiStatus status = ri_record_add_frames(r, "/tf", "world", 1, names, &frames);
    if (status == RI_OK)
        status = ri_record_add_numbers(r, "/contacts", &contacts);
    if (status == RI_OK)
        status = ri_record_add_numbers(r, "/springs", &springs);
    for (int k = 0; k <= ROWS && status == RI_OK; k++) {
        const double t = 0.01 * k;
        const RiPose pose = {ri_mat3_identity(), ri_vec3(speed * t, 0.0, 0.0)};
        const float contact[6] = {1.0f, 2.0f, 3.0f, 0.0f, 0.0f, (float)t};
        const float spring[7] = {0.0f, 0.0f, 0.0f, (float)t, 0.0f, 1.0f, 5.0f};
        status = ri_record_frames(r, frames, t, &pose);
        if (status == RI_OK)
            status = ri_record_numbers(r, contacts, t, k % 2 ? 0 : 6, contact);
        if (status == RI_OK)
            status = ri_record_numbers(r, springs, t, 7, spring);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    ri_record_destroy(r);
    return status;
}

typedef struct Shown {
    RiContext *ctx;
    RiLog *logs[2];
    RiView *view;
    RiReplay *replay;
    RiScene *scene;
    RiLive *live;
    Ws page;
} Shown;

static void close_shown(Shown *s)
{
    ws_close(&s->page);
    ri_view_destroy(s->view);
    ri_replay_destroy(s->replay);
    ri_live_destroy(s->live);
    ri_scene_destroy(s->scene);
    for (int i = 0; i < 2; i++)
        ri_log_close(s->logs[i]);
    ri_context_destroy(s->ctx);
}

static bool open_view(Shown *s, bool replay)
{
    RiViewOptions o = ri_view_options_default();
    o.token = token;
    o.replay = replay;
    o.end = 10.0;
    return ri_view_create(s->ctx, &o, &s->view) == RI_OK;
}

static bool open_logs(Shown *s, int count)
{
    static const char *const paths[2] = {RILLE_BINARY_DIR "/shown_a.mcap", RILLE_BINARY_DIR "/shown_b.mcap"};
    *s = (Shown){.page.fd = -1};
    bool fine = ri_context_create(NULL, &s->ctx) == RI_OK;
    for (int i = 0; i < count && fine; i++)
        fine =
            write_log(s->ctx, paths[i], i ? -2.0 : 1.0) == RI_OK && ri_log_open(s->ctx, paths[i], &s->logs[i]) == RI_OK;
    fine = fine && open_view(s, true) &&
           ri_replay_create(s->ctx, s->view, s->logs, paths, count, &s->replay) == RI_OK &&
           ws_open(&s->page, ri_view_port(s->view), socket_path, "rille.view.1", "") == 101;
    if (!fine) {
        CHECK_FAIL("%s", s->ctx ? ri_context_message(s->ctx) : "no context");
        close_shown(s);
    }
    return fine;
}

/// Lets the simulation's side do what pages ask for.
static void pump(Shown *s, int times)
{
    for (int i = 0; i < times; i++) {
        if (s->replay)
            ri_replay_serve(s->replay);
        if (s->live)
            ri_live_serve(s->live);
        usleep(4000);
    }
}

/// The next binary message of a kind and a run for which `wanted` holds; opcode 0: none came.
static WsMessage next_of(Shown *s, int kind, int run, bool (*wanted)(const WsMessage *m, double x), double x)
{
    for (int i = 0; i < 400; i++) {
        pump(s, 3);
        const WsMessage m = ws_receive(&s->page);
        if (m.opcode <= 0)
            break;
        if (m.opcode == 2 && m.size > 4 && m.data[0] == kind && m.data[1] == run && (!wanted || wanted(&m, x)))
            return m;
    }
    return (WsMessage){0};
}

static bool is_at(const WsMessage *m, double time)
{
    return f64_at(m, 8) == time;
}

static bool has_contacts(const WsMessage *m, double time)
{
    return is_at(m, time) && u16_at(m, 18) > 0;
}

TEST(a_log_shows_the_poses_of_the_time_asked_for_forwards_and_back)
{
    Shown s;
    static const double times[] = {5.0, 2.5, 9.99, 0.0, 7.125};
    if (!open_logs(&s, 1))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"pause\",\"run\":0}"));
    for (int i = 0; i < 5; i++) {
        char text[80];
        snprintf(text, sizeof text, "{\"op\":\"seek\",\"time\":%g}", times[i]);
        CHECK(ws_text(&s.page, text));
        const WsMessage m = next_of(&s, 1, 0, is_at, times[i]);
        REQUIRE(m.opcode == 2);
        CHECK_CLOSE(f32_at(&m, 24), floor(times[i] * 100.0 + 1e-9) / 100.0, 1e-6); // the last row at or before
    }
    close_shown(&s);
}

TEST(a_log_shows_springs_always_and_contacts_while_a_page_wants_them)
{
    Shown s;
    if (!open_logs(&s, 1))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"pause\",\"run\":0}"));
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":4}"));
    WsMessage m = next_of(&s, 1, 0, is_at, 4.0);
    REQUIRE(m.opcode == 2);
    CHECK_INT(u16_at(&m, 18), 0);
    CHECK_INT(u16_at(&m, 20), 1);
    CHECK_CLOSE(f32_at(&m, 44 + 12), 4.0, 1e-6); // the spring's other end
    CHECK_CLOSE(f32_at(&m, 44 + 24), 5.0, 1e-6);
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"contacts\",\"on\":true}"));
    m = next_of(&s, 1, 0, has_contacts, 4.0);
    REQUIRE(m.opcode == 2);
    CHECK_INT(u16_at(&m, 18), 1);
    CHECK_CLOSE(f32_at(&m, 44 + 4), 2.0, 1e-6);
    CHECK_CLOSE(f32_at(&m, 44 + 20), 4.0, 1e-6);
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":4.01}"));
    m = next_of(&s, 1, 0, is_at, 4.01);
    CHECK_INT(u16_at(&m, 18), 0); // that row has none
    close_shown(&s);
}

TEST(two_logs_go_by_one_clock)
{
    Shown s;
    if (!open_logs(&s, 2))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"pause\",\"run\":0}"));
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":3}"));
    const WsMessage a = next_of(&s, 1, 0, is_at, 3.0);
    CHECK_CLOSE(f32_at(&a, 24), 3.0, 1e-6);
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":6}"));
    const WsMessage b = next_of(&s, 1, 1, is_at, 6.0);
    CHECK_CLOSE(f32_at(&b, 24), -12.0, 1e-5);
    close_shown(&s);
}

// --- ground --------------------------------------------------------------------------------------

/// A scene of the scenes folder; with `text`, that one as if it stood there.
static bool open_ground(Shown *s, const char *name, const char *text)
{
    char path[512];
    *s = (Shown){.page.fd = -1};
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", RILLE_SOURCE_DIR, name);
    RiLiveOptions o = ri_live_options_default();
    o.paused = true;
    const bool fine = ri_context_create(NULL, &s->ctx) == RI_OK &&
                      (text ? ri_scene_parse(s->ctx, path, text, strlen(text), NULL, &s->scene)
                            : ri_scene_load(s->ctx, path, NULL, &s->scene)) == RI_OK &&
                      ri_scene_build(s->scene) == RI_OK && open_view(s, false) &&
                      ri_live_create(s->ctx, s->view, &s->scene, 1, &o, &s->live) == RI_OK &&
                      ws_open(&s->page, ri_view_port(s->view), socket_path, "rille.view.1", "") == 101;
    if (!fine) {
        CHECK_FAIL("%s", s->ctx ? ri_context_message(s->ctx) : "no context");
        close_shown(s);
    }
    return fine;
}

TEST(the_robot_comes_before_the_ground)
{
    Shown s;
    if (!open_ground(&s, "ball_over_dunes", NULL))
        return;
    bool scene = false;
    WsMessage m = {0};
    for (int i = 0; i < 400 && m.opcode != 2; i++) {
        pump(&s, 5);
        m = ws_receive(&s.page);
        scene = scene || (m.opcode == 1 && strstr((const char *)m.data, "\"op\":\"scene\""));
    }
    REQUIRE(m.opcode == 2);
    CHECK(scene);
    CHECK_INT(m.data[0], 1);
    m = next_of(&s, 2, 0, NULL, 0.0);
    CHECK_INT(m.opcode, 2); // which comes all the same
    close_shown(&s);
}

TEST(heights_of_a_tile_are_those_of_the_terrain)
{
    Shown s;
    if (!open_ground(&s, "ball_over_dunes", NULL))
        return;
    const RiTerrain *t = ri_sim_terrain(ri_scene_sim(s.scene));
    const WsMessage m = next_of(&s, 2, 0, NULL, 0.0);
    REQUIRE(m.opcode == 2);
    const unsigned nx = u16_at(&m, 16), ny = u16_at(&m, 18);
    const double x0 = f32_at(&m, 20), y0 = f32_at(&m, 24), dx = f32_at(&m, 28), dy = f32_at(&m, 32);
    const double base = f32_at(&m, 36), step = f32_at(&m, 40);
    CHECK(nx > 2 && ny > 2 && m.size == 44 + 3u * nx * ny);
    double worst = 0.0;
    for (unsigned k = 0; k < nx * ny; k += 37) {
        RiHeight h;
        const unsigned height = u16_at(&m, 44 + 2 * (size_t)k);
        if (ri_terrain_height(t, x0 + k % nx * dx, y0 + k / nx * dy, &h) && height != 65535)
            worst = fmax(worst, fabs(base + step * height - h.z));
    }
    CHECK(worst < 2.0 * step + 1e-3);
    close_shown(&s);
}

/// Points of the mesh lie on the tube, its triangles face the hollow, and their area is that of the
/// wall inside the box.
TEST(the_mesh_of_a_tube_is_its_wall)
{
    const double radius = 0.25, half = 3.0;
    const RiGroundPart part = {.shape = RI_GROUND_TUBE, .pose = ri_pose_identity(), .a = radius};
    const RiAllocator memory = ri_plain_memory();
    RiContext *ctx;
    RiTerrain *terrain;
    RiSurfaceMesh mesh;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_terrain_create_shapes(ctx, 1, &part, &terrain));
    REQUIRE_OK(ctx, ri_surface_around(ctx, &memory, terrain, ri_vec3(0.0, 0.0, 0.0), 0.0, &mesh));
    CHECK(mesh.triangle_count > 1000);
    double worst = 0.0, area = 0.0;
    int turned = 0;
    for (int i = 0; i < mesh.point_count; i++)
        worst = fmax(worst, fabs(hypot((double)mesh.points[3 * i], (double)mesh.points[3 * i + 1]) - radius));
    CHECK(worst < 1e-3);
    for (int i = 0; i < mesh.triangle_count; i++) {
        RiVec3 p[3];
        for (int k = 0; k < 3; k++) {
            const float *x = mesh.points + 3 * (size_t)mesh.triangles[3 * i + k];
            p[k] = ri_vec3((double)x[0], (double)x[1], (double)x[2]);
        }
        const RiVec3 n = ri_cross(ri_sub(p[1], p[0]), ri_sub(p[2], p[0]));
        turned += n.x * p[0].x + n.y * p[0].y > 0.0; // away from the axis
        area += 0.5 * ri_norm(n);
    }
    CHECK_INT(turned, 0);
    CHECK_CLOSE(area / (2.0 * 3.14159265358979 * radius * 2.0 * half), 1.0, 0.05);
    ri_surface_free(&memory, &mesh);
    ri_terrain_destroy(terrain);
    ri_context_destroy(ctx);
}

// --- ruts ----------------------------------------------------------------------------------------

static const char rutted[] = "scene: rutted\n"
                             "include: pendulum.yaml\n"
                             "integrator: implicit\n"
                             "terrain: {kind: plane, ruts: {cell: 5 cm}}\n";

static RiStatus press(RiSim *sim, int i, int j, double depth)
{
    RiRuts *ruts = ri_sim_ruts(sim);
    const RiRut rut = {
        .depth = (float)depth, .compacted = (float)fmax(0.0, depth), .passes = depth > 0.0, .slip = RI_RUT_SLIP / 2};
    RI_TRY(ri_ruts_set(ruts, i, j, &rut));
    ri_ruts_commit(ruts);
    return RI_OK;
}

/// Depth of a tile's cell [m].
static double depth_at(const WsMessage *m, int cell)
{
    return 1e-4 * (int16_t)u16_at(m, 20 + 2 * (size_t)cell);
}

/// Slip of a tile's cell; NAN where no wheel has been.
static double slip_at(const WsMessage *m, int cell)
{
    const unsigned char code = m->data[20 + 2 * RI_RUT_TILE * RI_RUT_TILE + cell];
    return code ? (code - 128) / 127.0 : NAN;
}

static bool is_tile(const WsMessage *m, double i)
{
    int32_t at;
    memcpy(&at, m->data + 4, 4);
    return at == (int32_t)i;
}

static bool is_flat(const WsMessage *m, double i)
{
    return is_tile(m, i) && depth_at(m, 0) == 0.0;
}

/// Counts rut messages that come within a while.
static int count_ruts(Shown *s)
{
    int count = 0;
    for (int i = 0; i < 40; i++) {
        pump(s, 5);
        const WsMessage m = ws_receive(&s->page);
        count += m.opcode == 2 && m.data[0] == 4;
    }
    return count;
}

TEST(ruts_are_sent_when_they_change_and_are_gone_after_a_restart)
{
    Shown s;
    if (!open_ground(&s, "rutted", rutted))
        return;
    RiSim *sim = ri_scene_sim(s.scene);
    REQUIRE_OK(s.ctx, press(sim, 0, 0, 0.02));
    REQUIRE_OK(s.ctx, press(sim, RI_RUT_TILE, 0, 0.03));
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"ruts\",\"on\":true}"));
    WsMessage m = next_of(&s, 4, 0, is_tile, 0.0);
    REQUIRE(m.opcode == 2);
    CHECK_CLOSE(depth_at(&m, 0), 0.02, 1e-4);
    CHECK_CLOSE(slip_at(&m, 0), 0.5, 0.004);
    CHECK(isnan(slip_at(&m, 1)));
    CHECK_CLOSE(f32_at(&m, 12), 0.05, 1e-7);
    m = next_of(&s, 4, 0, is_tile, RI_RUT_TILE);
    REQUIRE(m.opcode == 2);
    CHECK_CLOSE(depth_at(&m, 0), 0.03, 1e-4);
    CHECK_INT(count_ruts(&s), 0); // nothing has changed
    REQUIRE_OK(s.ctx, press(sim, 1, 0, -0.01));
    m = next_of(&s, 4, 0, NULL, 0.0);
    REQUIRE(m.opcode == 2);
    CHECK(is_tile(&m, 0.0)); // the one that has
    CHECK_CLOSE(depth_at(&m, 1), -0.01, 1e-4);
    CHECK(isnan(slip_at(&m, 1))); // a berm: nobody has pressed it
    CHECK(ws_text(&s.page, "{\"op\":\"restart\",\"run\":0}"));
    m = next_of(&s, 4, 0, is_flat, 0.0);
    CHECK(m.opcode == 2);
    REQUIRE_OK(s.ctx, press(sim, 0, 0, 0.04));
    m = next_of(&s, 4, 0, is_tile, 0.0);
    while (m.opcode == 2 && depth_at(&m, 0) == 0.0)
        m = next_of(&s, 4, 0, is_tile, 0.0);
    CHECK_CLOSE(m.opcode == 2 ? depth_at(&m, 0) : NAN, 0.04, 1e-4);
    close_shown(&s);
}

/// A wheel rolls along x at 1 cell in 0.1 s for 10 s and leaves 1 mm more with every cell, into a
/// log; a file of ruts as nobody writes them if `broken`.
static RiStatus write_rut_log(RiContext *ctx, const char *path, bool broken)
{
    static const char *const names[1] = {"base"};
    static const float odd[6] = {1.0f, 0.05f, 0.0f, 0.0f, 9e9f, NAN};
    RiRecord *r = NULL;
    RiRuts *ruts = NULL;
    RiRutLog *log = NULL;
    int frames = 0, whole = 0;
    RI_TRY(ri_ruts_create(ctx, &(RiRutsDef){.cell = 0.05, .memory = 1 << 24}, &ruts));
    RiStatus status = ri_record_create(ctx, path, NULL, &r);
    if (status == RI_OK)
        status = ri_record_add_frames(r, "/tf", "world", 1, names, &frames);
    if (status == RI_OK)
        status = broken ? ri_record_add_numbers(r, "/ruts", &whole) : ri_rut_log_create(ctx, r, ruts, &log);
    if (status == RI_OK && broken)
        status = ri_record_numbers(r, whole, 0.0, 6, odd);
    for (int k = 0; k <= 100 && status == RI_OK; k++) {
        const RiPose pose = {ri_mat3_identity(), ri_vec3(0.05 * k, 0.0, 0.0)};
        const RiRut rut = {.depth = 0.001f * (float)(k + 1),
                           .compacted = 0.001f * (float)(k + 1),
                           .passes = 1,
                           .slip = (int16_t)(RI_RUT_SLIP / 50 * (k - 50))};
        status = ri_ruts_set(ruts, k, 0, &rut);
        ri_ruts_commit(ruts);
        if (status == RI_OK)
            status = ri_record_frames(r, frames, 0.1 * k, &pose);
        if (status == RI_OK && log)
            status = ri_rut_log_write(log, 0.1 * k);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    ri_rut_log_destroy(log);
    ri_record_destroy(r);
    ri_ruts_destroy(ruts);
    return status;
}

static bool open_rut_log(Shown *s, bool broken)
{
    static const char *const paths[1] = {RILLE_BINARY_DIR "/shown_ruts.mcap"};
    *s = (Shown){.page.fd = -1};
    const bool fine = ri_context_create(NULL, &s->ctx) == RI_OK && write_rut_log(s->ctx, paths[0], broken) == RI_OK &&
                      ri_log_open(s->ctx, paths[0], &s->logs[0]) == RI_OK && open_view(s, true) &&
                      ri_replay_create(s->ctx, s->view, s->logs, paths, 1, &s->replay) == RI_OK &&
                      ws_open(&s->page, ri_view_port(s->view), socket_path, "rille.view.1", "") == 101;
    if (!fine) {
        CHECK_FAIL("%s", s->ctx ? ri_context_message(s->ctx) : "no context");
        close_shown(s);
    }
    return fine;
}

/// A tile that begins at cell 0 and in which the wheel has come to a cell, no further.
static bool is_rolled_to(const WsMessage *m, double cell)
{
    return is_tile(m, 0.0) && depth_at(m, (int)cell) > 0.0 && depth_at(m, (int)cell + 12) == 0.0;
}

TEST(ruts_of_a_log_are_those_of_the_time_asked_for_forwards_and_back)
{
    Shown s;
    if (!open_rut_log(&s, false))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"pause\"}"));
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"ruts\",\"on\":true}"));
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":4}"));
    WsMessage m = next_of(&s, 4, 0, is_rolled_to, 34.0); // written twice a second
    REQUIRE(m.opcode == 2);
    for (int k = 0; k <= 34; k++) {
        CHECK_CLOSE(depth_at(&m, k), 0.001 * (k + 1), 1e-4);
        CHECK_CLOSE(slip_at(&m, k), (k - 50) / 50.0, 0.006);
    }
    CHECK(isnan(slip_at(&m, 50)));
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":10}"));
    m = next_of(&s, 4, 0, is_tile, RI_RUT_TILE);
    REQUIRE(m.opcode == 2);
    CHECK_CLOSE(depth_at(&m, 30), 0.095, 1e-4);
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":2}"));
    m = next_of(&s, 4, 0, is_flat, RI_RUT_TILE);
    CHECK(m.opcode == 2);
    close_shown(&s);
}

enum { WIDE = 150, MOMENTS = 120 };

/// Presses cells at random, now and then back to level ground, and remembers what the ground was at
/// every moment.
static RiStatus write_random_ruts(RiContext *ctx, const char *path, double step, float (*truth)[WIDE][2])
{
    RiRecord *r = NULL;
    RiRuts *ruts = NULL;
    RiRutLog *log = NULL;
    RiRng rng = ri_rng_stream(3, "ruts");
    RI_TRY(ri_ruts_create(ctx, &(RiRutsDef){.cell = 0.05, .memory = 1 << 26}, &ruts));
    RiStatus status = ri_record_create(ctx, path, NULL, &r);
    if (status == RI_OK)
        status = ri_rut_log_create(ctx, r, ruts, &log);
    if (status == RI_OK)
        ri_rut_log_set_step(log, step);
    for (int m = 0; m < MOMENTS && status == RI_OK; m++) {
        if (m > 0)
            memcpy(truth[m], truth[m - 1], sizeof truth[m]);
        for (int n = 0; n < (m % 17 == 0 ? 150 : 6) && status == RI_OK; n++) {
            const int i = ri_rng_below(&rng, WIDE);
            const bool level = ri_rng_below(&rng, 9) == 0;
            const RiRut rut = {.depth = level ? 0.0f : (float)ri_rng_between(&rng, 0.001, 0.2),
                               .passes = !level,
                               .slip = (int16_t)(level ? 0 : ri_rng_below(&rng, RI_RUT_SLIP))};
            status = ri_ruts_set(ruts, i, i / 2, &rut);
            truth[m][i][0] = rut.depth;
            truth[m][i][1] = level ? 0.0f : (float)ri_ground_slip(&rut);
        }
        ri_ruts_commit(ruts);
        if (status == RI_OK)
            status = ri_rut_log_write(log, (double)m);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    ri_rut_log_destroy(log);
    ri_record_destroy(r);
    ri_ruts_destroy(ruts);
    return status;
}

/// Bytes of a log of a wheel that is 12 cells wide and rolls on by 4 cells, 2 m in all, with every
/// message.
static long long size_of_way(RiContext *ctx, int messages)
{
    static const char path[] = RILLE_BINARY_DIR "/way_ruts.mcap";
    RiRecord *r = NULL;
    RiRuts *ruts = NULL;
    RiRutLog *log = NULL;
    struct stat info = {0};
    RiRng rng = ri_rng_stream(5, "way");
    RiStatus status = ri_ruts_create(ctx, &(RiRutsDef){.cell = 0.02, .memory = 1 << 28}, &ruts);
    if (status == RI_OK)
        status = ri_record_create(ctx, path, NULL, &r);
    if (status == RI_OK)
        status = ri_rut_log_create(ctx, r, ruts, &log);
    for (int m = 0; m < messages && status == RI_OK; m++) {
        for (int k = 0; k < 12 * 12 && status == RI_OK; k++) {
            const RiRut rut = {.depth = (float)ri_rng_between(&rng, 0.01, 0.02), .passes = 1};
            status = ri_ruts_set(ruts, 4 * m + k / 12, k % 12, &rut);
        }
        ri_ruts_commit(ruts);
        if (status == RI_OK)
            status = ri_rut_log_write(log, 0.5 * m);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    CHECK_OK(ctx, status);
    ri_rut_log_destroy(log);
    ri_record_destroy(r);
    ri_ruts_destroy(ruts);
    CHECK(stat(path, &info) == 0);
    remove(path);
    return (long long)info.st_size;
}

/// Twice the way, about twice the bytes.
TEST(the_log_of_ruts_grows_with_the_way_not_with_its_square)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const double short_way = (double)size_of_way(ctx, 800), long_way = (double)size_of_way(ctx, 3200);
    if (!(long_way < 4.0 * 1.35 * short_way))
        CHECK_FAIL("%g bytes for 800 messages, %g for 3200", short_way, long_way);
    printf("     %.0f and %.0f bytes a message\n", short_way / 800, long_way / 3200);
    ri_context_destroy(ctx);
}

/// Compares a log with what was written at moments in any order: whole, deltas on deltas, cells
/// that are level again.
static void check_moments(double step)
{
    static float truth[MOMENTS][WIDE][2];
    static const char path[] = RILLE_BINARY_DIR "/exact_ruts.mcap";
    Shown s = {.page.fd = -1};
    RiLog *log = NULL;
    RiRutReplay *r = NULL;
    memset(truth, 0, sizeof truth);
    REQUIRE(ri_context_create(NULL, &s.ctx) == RI_OK);
    REQUIRE_OK(s.ctx, write_random_ruts(s.ctx, path, step, truth));
    REQUIRE_OK(s.ctx, ri_log_open(s.ctx, path, &log));
    REQUIRE(open_view(&s, true));
    REQUIRE_OK(s.ctx, ri_rut_replay_create(s.ctx, s.view, 0, log, &r));
    for (int k = 0; k < MOMENTS; k++) {
        const int m = k * 37 % MOMENTS;
        REQUIRE_OK(s.ctx, ri_rut_replay_show(r, (double)m + 0.1));
        for (int i = 0; i < WIDE; i++) {
            unsigned char slip;
            const float depth = ri_rut_replay_depth(r, i, i / 2, &slip), off = fabsf(depth - truth[m][i][0]);
            if (step > 0.0 ? off > 0.501f * (float)step : off != 0.0f || (float)slip != truth[m][i][1]) {
                CHECK_FAIL("moment %d, cell %d: %g, expected %g", m, i, (double)depth, (double)truth[m][i][0]);
                break;
            }
        }
    }
    ri_rut_replay_destroy(r);
    ri_log_close(log);
    close_shown(&s);
    remove(path);
}

TEST(ruts_of_a_log_are_exact_at_every_moment)
{
    check_moments(0.0);
}

TEST(a_coarse_log_is_off_by_half_its_step_at_most)
{
    check_moments(0.005);
}

TEST(ruts_of_a_log_that_nobody_writes_so_are_told_and_do_no_harm)
{
    Shown s;
    if (!open_rut_log(&s, true))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"ruts\",\"on\":true}"));
    bool told = false;
    for (int i = 0; i < 400 && !told; i++) {
        pump(&s, 5);
        const WsMessage m = ws_receive(&s.page);
        told = m.opcode == 1 && strstr((const char *)m.data, "ruts are not as they are written");
        CHECK(m.opcode != 2 || m.data[0] != 4);
    }
    CHECK(told);
    close_shown(&s);
}

TEST(every_failed_allocation_of_a_rut_log_is_told_and_leaves_nothing_behind)
{
    static const char path[] = RILLE_BINARY_DIR "/shown_fault.mcap";
    RiStatus status = RI_ERR_MEMORY;
    int failures = 0;
    for (long n = 0; n < 400 && status != RI_OK; n++) {
        Faults f = {.fail_at = -1};
        const RiAllocator memory = faults_allocator(&f);
        RiContext *ctx;
        REQUIRE(ri_context_create(&memory, &ctx) == RI_OK);
        f.fail_at = f.call + n;
        status = write_rut_log(ctx, path, false);
        CHECK(status == RI_OK || (status == RI_ERR_MEMORY && strstr(ri_context_message(ctx), "memory")));
        failures += status != RI_OK;
        ri_context_destroy(ctx);
        CHECK_INT(f.live, 0);
    }
    CHECK(status == RI_OK);
    CHECK(failures > 10);
}

TEST(every_failed_allocation_of_shown_ruts_is_told_and_leaves_nothing_behind)
{
    static const char path[] = RILLE_BINARY_DIR "/shown_fault.mcap";
    RiContext *ctx;
    RiLog *log = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, write_rut_log(ctx, path, false));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    RiStatus status = RI_ERR_MEMORY;
    int failures = 0;
    for (long n = 0; n < 100 && status != RI_OK; n++) {
        Faults f = {.fail_at = -1};
        const RiAllocator memory = faults_allocator(&f); // of this thread alone: no page is there
        RiViewOptions o = ri_view_options_default();
        RiView *view = NULL;
        RiRutReplay *ruts = NULL;
        o.allocator = &memory;
        REQUIRE_OK(ctx, ri_view_create(ctx, &o, &view));
        f.fail_at = f.call + n;
        status = ri_rut_replay_create(ctx, view, 0, log, &ruts);
        if (status == RI_OK)
            status = ri_rut_replay_show(ruts, 9.0);
        if (status == RI_OK)
            status = ri_rut_replay_show(ruts, 1.0);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        failures += status != RI_OK;
        ri_rut_replay_destroy(ruts);
        ri_view_destroy(view);
        CHECK_INT(f.live, 0);
    }
    CHECK(status == RI_OK);
    CHECK(failures > 3);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

// --- cameras and lidars --------------------------------------------------------------------------

/// A camera 5 m above a plane that looks down, and a lidar 4 m above it, both in the world.
static const char watched[] =
    "scene: watched\n"
    "include: pendulum.yaml\n"
    "integrator: implicit\n"
    "terrain: {kind: plane}\n"
    "cameras:\n"
    "  down: {model: pinhole, width: 32, height: 24, field: 60 deg, position: [20, 0, 5], rpy: [0, 90 deg, 0], "
    "samples: 1}\n"
    "lidars:\n"
    "  ring: {channels: 2, low: -45 deg, high: -30 deg, columns: 64, rate: 10 Hz, position: [50, 0, 4]}\n";

TEST(sights_of_a_camera_end_where_the_border_of_its_frame_meets_the_ground)
{
    Shown s;
    if (!open_ground(&s, "watched", watched))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"sights\",\"on\":true}"));
    const WsMessage m = next_of(&s, 9, 0, NULL, 0.0);
    REQUIRE(m.opcode == 2);
    const unsigned rays = u16_at(&m, 6);
    REQUIRE(u16_at(&m, 4) == 4 && memcmp(m.data + 8, "down", 4) == 0);
    REQUIRE(rays % 4 == 0 && m.size == 12 + 12 + 16 * rays);
    CHECK_CLOSE(f32_at(&m, 12), 20.0, 1e-6);
    CHECK_CLOSE(f32_at(&m, 20), 5.0, 1e-6);
    const double half = 5.0 * tan(30.0 * M_PI / 180.0) * 31.0 / 32.0, low = half * 23.0 / 31.0;
    for (unsigned k = 0; k < rays; k++) {
        const size_t at = 24 + 16 * (size_t)k;
        const double x = fabs(f32_at(&m, at) - 20.0), y = fabs(f32_at(&m, at + 4));
        CHECK(fabs(fmax(x / low, y / half) - 1.0) < 1e-5); // on the border of a rectangle
        CHECK_CLOSE(f32_at(&m, at + 8), 0.0, 1e-5);
        CHECK_CLOSE(f32_at(&m, at + 12), 1.0, 0.0);
        if (k % (rays / 4) == 0)
            CHECK(fabs(x / low - 1.0) < 1e-5 && fabs(y / half - 1.0) < 1e-5);
    }
    close_shown(&s);
}

static bool has_event(Shown *s, const char *text)
{
    for (int i = 0; i < 200; i++) {
        pump(s, 1);
        const WsMessage m = ws_receive(&s->page);
        if (m.opcode == 1 && strstr((const char *)m.data, text))
            return true;
    }
    return false;
}

TEST(pictures_and_clouds_come_while_a_page_asks_for_them_and_leave_the_motion_alone)
{
    Shown s;
    if (!open_ground(&s, "watched", watched))
        return;
    RiSim *sim = ri_scene_sim(s.scene);
    const uint64_t before = ri_sim_hash(sim);
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"clouds\",\"on\":true}"));
    RiPerception *p = NULL;
    if (ri_perception_create(s.ctx, s.scene, 1, NULL, &p) == RI_ERR_UNSUPPORTED) {
        CHECK(has_event(&s, "Embree")); // a build without it says so
        close_shown(&s);
        return;
    }
    ri_perception_destroy(p);
    WsMessage m = next_of(&s, 7, 0, NULL, 0.0);
    REQUIRE(m.opcode == 2);
    REQUIRE(u16_at(&m, 4) == 4 && u16_at(&m, 6) == 1 && m.size == 16 + 16 * 128u);
    for (size_t k = 0; k < 128; k++) {
        const double x = f32_at(&m, 16 + 12 * k) - 50.0, y = f32_at(&m, 20 + 12 * k), z = f32_at(&m, 24 + 12 * k);
        const double range = f32_at(&m, 16 + 12 * 128 + 4 * k);
        CHECK_CLOSE(z, 0.0, 1e-4);
        CHECK_CLOSE(hypot(hypot(x, y), 4.0 - z), range, 1e-4);
        CHECK(fabs(range - 8.0) < 1e-4 || fabs(range - 4.0 * sqrt(2.0)) < 1e-4);
    }
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"pictures\",\"on\":true}"));
    m = next_of(&s, 5, 0, NULL, 0.0);
    REQUIRE(m.opcode == 2 && m.size > 13 + 100);
    CHECK_INT(u16_at(&m, 4), 32);
    CHECK_INT(u16_at(&m, 6), 24);
    CHECK(m.data[8] == 4 && memcmp(m.data + 9, "down", 4) == 0);
    CHECK((m.data[13] == 0xff && m.data[14] == 0xd8) || memcmp(m.data + 14, "PNG", 3) == 0);
    CHECK(ri_sim_hash(sim) == before);
    close_shown(&s);
}

// --- planned paths -------------------------------------------------------------------------------

/// A log with the plan of one waypoint from 2 s on, of two from 6 s on; lists that nobody writes if
/// `broken`.
static RiStatus write_plan_log(RiContext *ctx, const char *path, bool broken)
{
    static const char *const names[1] = {"base"};
    static const float lists[2][8] = {{1, 1, 0, 1, 5, 6}, {1, 2, 0, 2, 5, 6, 7, 8}};
    RiRecord *r = NULL;
    int frames, plan;
    RI_TRY(ri_record_create(ctx, path, NULL, &r));
    RiStatus status = ri_record_add_frames(r, "/tf", "world", 1, names, &frames);
    if (status == RI_OK)
        status = ri_record_add_numbers(r, "/plan", &plan);
    for (int k = 0; k <= 100 && status == RI_OK; k++) {
        const RiPose pose = ri_pose_identity();
        status = ri_record_frames(r, frames, 0.1 * k, &pose);
        if (status == RI_OK && (k == 20 || k == 60))
            status = ri_record_numbers(r, plan, 0.1 * k, broken ? 5 : k == 20 ? 6 : 8, lists[k == 60]);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    ri_record_destroy(r);
    return status;
}

/// Waits for a text message with these words; NULL: none came.
static bool is_told(Shown *s, const char *words)
{
    for (int i = 0; i < 400; i++) {
        pump(s, 3);
        const WsMessage m = ws_receive(&s->page);
        if (m.opcode <= 0)
            return false;
        if (m.opcode == 1 && strstr((const char *)m.data, words))
            return true;
    }
    return false;
}

static bool open_plan_log(Shown *s, bool broken)
{
    static const char *const paths[1] = {RILLE_BINARY_DIR "/shown_plan.mcap"};
    *s = (Shown){.page.fd = -1};
    const bool fine = ri_context_create(NULL, &s->ctx) == RI_OK && write_plan_log(s->ctx, paths[0], broken) == RI_OK &&
                      ri_log_open(s->ctx, paths[0], &s->logs[0]) == RI_OK && open_view(s, true) &&
                      ri_replay_create(s->ctx, s->view, s->logs, paths, 1, &s->replay) == RI_OK &&
                      ws_open(&s->page, ri_view_port(s->view), socket_path, "rille.view.1", "") == 101;
    if (!fine) {
        CHECK_FAIL("%s", s->ctx ? ri_context_message(s->ctx) : "no context");
        close_shown(s);
    }
    return fine;
}

TEST(the_plan_of_a_log_is_that_of_the_time_asked_for_forwards_and_back)
{
    Shown s;
    if (!open_plan_log(&s, false))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"pause\"}"));
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":7}"));
    CHECK(is_told(&s, "\"goal\":2,\"motion\":[],\"waypoints\":[5,6,7,8]"));
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":3}"));
    CHECK(is_told(&s, "\"goal\":1,\"motion\":[],\"waypoints\":[5,6]}"));
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":1}"));
    CHECK(is_told(&s, "\"op\":\"plan\",\"run\":0,\"rovers\":[]"));
    close_shown(&s);
}

TEST(a_plan_of_a_log_that_nobody_writes_so_is_told_and_does_no_harm)
{
    Shown s;
    if (!open_plan_log(&s, true))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"seek\",\"time\":7}"));
    CHECK(is_told(&s, "planned paths are not as they are written"));
    close_shown(&s);
}

TEST(the_plan_of_a_rover_that_drives_is_told_and_goes_with_a_restart)
{
    Shown s;
    if (!open_ground(&s, "drive_arc", NULL))
        return;
    RiSim *sim = ri_scene_sim(s.scene);
    while (ri_sim_time(sim) < 1.0)
        REQUIRE_OK(s.ctx, ri_sim_step(sim));
    CHECK(is_told(&s, "{\"driving\":true,\"goal\":0,\"motion\":["));
    CHECK(ws_text(&s.page, "{\"op\":\"restart\",\"run\":0}"));
    CHECK(is_told(&s, "{\"driving\":false,\"goal\":0,\"motion\":[],\"waypoints\":[]}"));
    close_shown(&s);
}

static bool is_way_to(const WsMessage *m, double x)
{
    const size_t count = u16_at(m, 8);
    return count > 0 && fabs(f32_at(m, 12 + 16 * (count - 1) + 4) - x) < 0.02;
}

TEST(the_way_of_a_log_is_there_without_having_been_watched)
{
    Shown s;
    if (!open_logs(&s, 1))
        return;
    CHECK(ws_text(&s.page, "{\"op\":\"pause\",\"run\":0}"));
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"path\",\"on\":true}"));
    WsMessage m = {0};
    double last = 0.0;
    for (int piece = 0; last < 9.97; piece = piece < 100 ? piece + 1 : piece) { // 10 m in pieces of at most 256 places
        m = next_of(&s, 6, 0, NULL, 0.0);
        REQUIRE(m.opcode == 2);
        const size_t count = u16_at(&m, 8);
        for (size_t k = 0; k < count; k++) {
            CHECK_CLOSE(f32_at(&m, 12 + 16 * k), f32_at(&m, 12 + 16 * k + 4), 1e-5); // at 1 m/s x is the time
            last = fmax(last, f32_at(&m, 12 + 16 * k + 4));
        }
    }
    close_shown(&s);
}

TEST(the_way_of_a_run_is_there_for_a_page_that_comes_late_and_goes_with_a_restart)
{
    Shown s;
    if (!open_ground(&s, "ball_over_dunes", NULL))
        return;
    RiSim *sim = ri_scene_sim(s.scene);
    for (int k = 0; k < 50; k++) {
        ri_sim_q(sim)[0] = 0.1 * k; // a base that is free: x first
        REQUIRE_OK(s.ctx, ri_sim_step(sim));
        ri_live_stepped(s.live, 0, RI_OK);
    }
    CHECK(ws_text(&s.page, "{\"op\":\"layer\",\"name\":\"path\",\"on\":true}"));
    WsMessage m = next_of(&s, 6, 0, is_way_to, 4.9);
    REQUIRE(m.opcode == 2);
    CHECK_INT(u16_at(&m, 8), 50);
    CHECK(ws_text(&s.page, "{\"op\":\"restart\",\"run\":0}"));
    m = next_of(&s, 6, 0, NULL, 0.0);
    REQUIRE(m.opcode == 2);
    CHECK_INT(u16_at(&m, 8), 0);
    close_shown(&s);
}

// --- what a rover has made of the ground ---------------------------------------------------------

/// Drives a scene with a device `nav` for so many simulated seconds, with its page asleep.
static void drive(Shown *s, double seconds)
{
    RiSim *sim = ri_scene_sim(s->scene);
    while (ri_sim_time(sim) < seconds)
        REQUIRE_OK(s->ctx, ri_sim_step(sim));
}

static bool is_map_of(const WsMessage *m, double what)
{
    return u16_at(m, 4) == (unsigned)what;
}

static bool is_no_map(const WsMessage *m, double what)
{
    return is_map_of(m, what) && u16_at(m, 20) == 1 && m->size == 25 && m->data[24] == 255;
}

TEST(the_maps_of_a_rover_that_navigates_are_shown_and_go_with_a_restart)
{
    Shown s;
    if (!open_ground(&s, "mer_cul_de_sac", NULL))
        return;
    drive(&s, 150.0);
    RiNavDrawing d = {0};
    const char *name, *class;
    size_t size;
    const void *memory = ri_sim_device_memory(ri_scene_sim(s.scene), 1, &name, &class, &size);
    REQUIRE(memory && strcmp(class, "navigation") == 0 && ri_nav_draw(memory, size, &d));
    REQUIRE(d.cells == 50);
    for (int what = 0; what < 2; what++) { // hazards, goodness: in this order
        const WsMessage m = next_of(&s, 8, 0, is_map_of, what);
        REQUIRE(m.opcode == 2);
        CHECK_CLOSE(f32_at(&m, 8), d.x0, 1e-5);
        CHECK_CLOSE(f32_at(&m, 12), d.y0, 1e-5);
        CHECK_CLOSE(f32_at(&m, 16), 0.2, 1e-6);
        CHECK_INT(u16_at(&m, 20), 50);
        CHECK_INT(u16_at(&m, 22), 50);
        REQUIRE(m.size == 24 + 2500);
        int known = 0, hazards = 0;
        for (int k = 0; k < 2500; k++) {
            const int g = d.goodness[k], v = m.data[24 + k];
            known += g >= 0;
            hazards += g == 0;
            CHECK(what == 0 ? v == (g == 0 ? 254 : 255) : g < 0 ? v == 255 : fabs(v / 254.0 - g / 255.0) < 0.0021);
        }
        CHECK(known > 300 && hazards > 20 && hazards < known);
    }
    CHECK(ws_text(&s.page, "{\"op\":\"restart\",\"run\":0}"));
    CHECK(next_of(&s, 8, 0, is_no_map, 1.0).opcode == 2);
    close_shown(&s);
}

/// Points of the cloud "stripes".
static bool has_points(const WsMessage *m, double count)
{
    return u16_at(m, 4) == 7 && memcmp(m->data + 12, "stripes", 8) == 0 && u16_at(m, 8) == (unsigned)count;
}

TEST(the_stripes_of_sojourner_lie_on_the_ground_ahead_of_it)
{
    Shown s;
    if (!open_ground(&s, "sojourner_garden", NULL))
        return;
    drive(&s, 12.0);
    const WsMessage m = next_of(&s, 7, 0, has_points, 20.0);
    REQUIRE(m.opcode == 2 && m.size == 20 + 20 * 12);
    for (int k = 0; k < 20; k++) {
        const size_t at = 20 + 12 * (size_t)k;
        const double x = f32_at(&m, at), y = f32_at(&m, at + 4);
        RiHeight ground;
        REQUIRE(ri_terrain_height(ri_sim_terrain(ri_scene_sim(s.scene)), x, y, &ground));
        CHECK_CLOSE(f32_at(&m, at + 8), ground.z, 1e-5);
        CHECK_CLOSE(x, -0.6 + 0.36 + 0.08 * (k / 5), 0.08); // it has hardly moved
        CHECK_CLOSE(y, 0.4 - 0.2 * (k % 5), 0.08);
    }
    CHECK(ws_text(&s.page, "{\"op\":\"restart\",\"run\":0}"));
    CHECK(next_of(&s, 7, 0, has_points, 0.0).opcode == 2);
    close_shown(&s);
}

TEST_MAIN(CASE(a_log_shows_the_poses_of_the_time_asked_for_forwards_and_back),
          CASE(a_log_shows_springs_always_and_contacts_while_a_page_wants_them), CASE(two_logs_go_by_one_clock),
          CASE(the_robot_comes_before_the_ground), CASE(heights_of_a_tile_are_those_of_the_terrain),
          CASE(the_mesh_of_a_tube_is_its_wall), CASE(ruts_are_sent_when_they_change_and_are_gone_after_a_restart),
          CASE(sights_of_a_camera_end_where_the_border_of_its_frame_meets_the_ground),

          CASE(pictures_and_clouds_come_while_a_page_asks_for_them_and_leave_the_motion_alone),

          CASE(ruts_of_a_log_are_those_of_the_time_asked_for_forwards_and_back),
          CASE(the_log_of_ruts_grows_with_the_way_not_with_its_square), CASE(ruts_of_a_log_are_exact_at_every_moment),
          CASE(a_coarse_log_is_off_by_half_its_step_at_most),
          CASE(ruts_of_a_log_that_nobody_writes_so_are_told_and_do_no_harm),
          CASE(every_failed_allocation_of_a_rut_log_is_told_and_leaves_nothing_behind),
          CASE(every_failed_allocation_of_shown_ruts_is_told_and_leaves_nothing_behind),
          CASE(the_plan_of_a_log_is_that_of_the_time_asked_for_forwards_and_back),
          CASE(a_plan_of_a_log_that_nobody_writes_so_is_told_and_does_no_harm),
          CASE(the_plan_of_a_rover_that_drives_is_told_and_goes_with_a_restart),
          CASE(the_way_of_a_log_is_there_without_having_been_watched),
          CASE(the_way_of_a_run_is_there_for_a_page_that_comes_late_and_goes_with_a_restart),
          CASE(the_maps_of_a_rover_that_navigates_are_shown_and_go_with_a_restart),
          CASE(the_stripes_of_sojourner_lie_on_the_ground_ahead_of_it))
