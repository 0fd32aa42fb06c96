// SPDX-License-Identifier: Apache-2.0
/// \file
/// The viewer against limits: what a watching page costs a simulation, bytes on the wire, and how
/// long a log of an hour takes to open and to go to a time. The page is a client on a socket in a
/// thread of its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench_run.h"
#include "bench/temporary.h"
#include "bench/ws_client.h"
#include "cli.h"

enum { TICKS = 5000, BODIES = 60, HOUR_ROWS = 180000 };

static double clock_seconds(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void emit(const BenchRun *run, const char *name, const char *unit, double *values, double limit)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = "limit";
    row.ours = bench_median(values, run->repeats, &row.spread);
    row.peer_value = limit;
    row.ratio = limit / row.ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

// --- a watched run -------------------------------------------------------------------------------

typedef struct Page {
    Ws socket;
    pthread_t thread;
    atomic_int stop;
    atomic_llong bytes, frames;
} Page;

static void *watch(void *user)
{
    Page *p = user;
    while (!atomic_load(&p->stop)) {
        const WsMessage m = ws_receive(&p->socket);
        if (m.opcode < 0)
            break;
        atomic_fetch_add(&p->bytes, (long long)m.size + 4);
        atomic_fetch_add(&p->frames, m.opcode == 2);
    }
    return NULL;
}

typedef struct Show {
    RiContext *ctx;
    RiScene *scene;
    RiView *view;
    RiLive *live;
    Page page;
    bool watched;
} Show;

static RiStatus open_show(Show *s, bool watched)
{
    char path[2 * PATH_MAX], folder[PATH_MAX], address[128];
    const RiSetting setting = {"duration", "400"};
    RiSceneOptions o = ri_scene_options_default();
    RiLiveOptions live = ri_live_options_default();
    memset(s, 0, sizeof *s);
    cli_scenes_folder(folder);
    snprintf(path, sizeof path, "%s/snake_servo.yaml", folder);
    o.settings = &setting;
    o.setting_count = 1;
    live.speed = 0.0;
    RI_TRY(ri_context_create(NULL, &s->ctx));
    RI_TRY(ri_scene_load(s->ctx, path, &o, &s->scene));
    RI_TRY(ri_scene_build(s->scene));
    if (!watched)
        return RI_OK;
    RI_TRY(ri_view_create(s->ctx, NULL, &s->view));
    RI_TRY(ri_live_create(s->ctx, s->view, &s->scene, 1, &live, &s->live));
    snprintf(address, sizeof address, "/ws?%s", strstr(ri_view_url(s->view), "token="));
    if (ws_open(&s->page.socket, ri_view_port(s->view), address, "rille.view.1", "") != 101 ||
        pthread_create(&s->page.thread, NULL, watch, &s->page) != 0)
        return ri_error(s->ctx, RI_ERR_IO, "the page cannot connect");
    s->watched = true;
    return RI_OK;
}

static void close_show(Show *s)
{
    if (s->watched) {
        atomic_store(&s->page.stop, 1);
        pthread_join(s->page.thread, NULL);
        ws_close(&s->page.socket);
    }
    ri_view_destroy(s->view);
    ri_live_destroy(s->live);
    ri_scene_destroy(s->scene);
    ri_context_destroy(s->ctx);
}

/// Time that the simulation's thread takes for one tick [us].
static double time_ticks(BenchRun *run, Show *s)
{
    RiSim *sim = ri_scene_sim(s->scene);
    RiStatus status = RI_OK;
    const double begin = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < TICKS && status == RI_OK; i++) {
        if (s->live) {
            ri_live_serve(s->live);
            (void)ri_live_due(s->live);
        }
        status = ri_sim_step(sim);
        if (s->live)
            ri_live_stepped(s->live, 0, status);
    }
    if (status != RI_OK)
        bench_fail(run, "watched", ri_context_message(s->ctx));
    return (clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin) / TICKS * 1e6;
}

static void bench_watched(BenchRun *run, double *cost)
{
    Show alone, watched;
    const RiStatus a = open_show(&alone, false), b = open_show(&watched, true);
    if (a != RI_OK || b != RI_OK)
        bench_fail(run, "watched", ri_context_message(a != RI_OK ? alone.ctx : watched.ctx));
    for (int r = 0; r < run->repeats && a == RI_OK && b == RI_OK; r++) {
        const double without = time_ticks(run, &alone), with = time_ticks(run, &watched);
        cost[r] = 100.0 * (with - without > 0.0 ? with / without - 1.0 : 1e-6);
    }
    close_show(&alone);
    close_show(&watched);
    if (!run->failed)
        emit(run, "watched.cost", "%", cost, 3.0);
}

// --- the wire ------------------------------------------------------------------------------------

enum {
    TILE_SIDE = 129,
    TILE_BYTES = 44 + 3 * TILE_SIDE * TILE_SIDE,
    GROUND_TILES = 64,
    RUT_BYTES = 20 + 3 * 64 * 64,
    RUT_TILES = 8
};

/// Messages of one size and kind, as the ground's tiles and ruts are; the bytes do not matter here.
static RiStatus keep_tiles(RiView *view, int kind, int count, size_t size)
{
    static unsigned char bytes[TILE_BYTES];
    RiStatus status = RI_OK;
    bytes[0] = (unsigned char)kind;
    for (int i = 0; i < count && status == RI_OK; i++)
        status = ri_view_keep(view, (uint64_t)kind << 48 | (uint64_t)i << 8, false, bytes, size);
    return status;
}

/// Waits until the page has a ground of 1024 x 1024 heights.
static void await_ground(const Page *page)
{
    for (int i = 0; i < 2000 && atomic_load(&page->bytes) < (long long)GROUND_TILES * TILE_BYTES; i++)
        usleep(2000);
}

/// Frames of a robot of 60 bodies on such a ground for a second, eight tiles of ruts changing twice
/// in it; bytes in that second.
static double count_bytes(BenchRun *run, RiContext *ctx)
{
    RiView *view = NULL;
    Page page = {0};
    int number;
    char address[128];
    static RiPose poses[BODIES];
    const RiViewRun def = {.name = "bench", .scene = "bench", .bodies = BODIES};
    if (ri_view_create(ctx, NULL, &view) != RI_OK || ri_view_add_run(view, &def, &number) != RI_OK ||
        keep_tiles(view, 2, GROUND_TILES, TILE_BYTES) != RI_OK) {
        bench_fail(run, "wire", ri_context_message(ctx));
        ri_view_destroy(view);
        return 0.0;
    }
    ri_view_ready(view);
    snprintf(address, sizeof address, "/ws?%s", strstr(ri_view_url(view), "token="));
    double rate = 0.0;
    if (ws_open(&page.socket, ri_view_port(view), address, "rille.view.1", "") == 101 &&
        pthread_create(&page.thread, NULL, watch, &page) == 0) {
        await_ground(&page);
        const long long before = atomic_load(&page.bytes);
        const double begin = clock_seconds(CLOCK_MONOTONIC);
        double now = begin;
        int rutted = 0;
        for (int k = 0; (now = clock_seconds(CLOCK_MONOTONIC)) < begin + 1.0; k++) {
            for (int i = 0; i < BODIES; i++)
                poses[i] = (RiPose){ri_mat3_identity(), ri_vec3(k, i, 0.0)};
            const RiViewFrame frame = {.bodies = BODIES, .poses = poses, .status.time = now - begin};
            ri_view_frame(view, number, &frame);
            if (now - begin >= 0.5 * rutted && keep_tiles(view, 4, RUT_TILES, RUT_BYTES) == RI_OK)
                rutted++;
            usleep(4000);
        }
        rate = (double)(atomic_load(&page.bytes) - before) / (now - begin) / 1e6;
        atomic_store(&page.stop, 1);
        pthread_join(page.thread, NULL);
    } else {
        bench_fail(run, "wire", "the page cannot connect");
    }
    ws_close(&page.socket);
    ri_view_destroy(view);
    return rate;
}

// --- a log of an hour ----------------------------------------------------------------------------

static RiStatus write_hour(RiContext *ctx, const char *path)
{
    RiRecord *r = NULL;
    char texts[BODIES][16];
    const char *names[BODIES];
    static RiPose poses[BODIES];
    int group;
    for (int i = 0; i < BODIES; i++) {
        snprintf(texts[i], sizeof texts[i], "link_%d", i);
        names[i] = texts[i];
    }
    RI_TRY(ri_record_create(ctx, path, NULL, &r));
    RiStatus status = ri_record_add_frames(r, "/tf", "world", BODIES, names, &group);
    for (int k = 0; k < HOUR_ROWS && status == RI_OK; k++) {
        for (int i = 0; i < BODIES; i++)
            poses[i] = (RiPose){ri_mat3_identity(), ri_vec3(0.001 * k, i, 1.0 / (1 + k % 977))};
        status = ri_record_frames(r, group, 0.02 * k, poses);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    ri_record_destroy(r);
    return status;
}

static void bench_hour(BenchRun *run, double *open, double *seek)
{
    RiContext *ctx = NULL;
    char path[256];
    static RiPose poses[BODIES];
    bench_temporary(bench_temporary_folder(), ".mcap", path, sizeof path);
    if (ri_context_create(NULL, &ctx) != RI_OK || write_hour(ctx, path) != RI_OK)
        bench_fail(run, "hour", ctx ? ri_context_message(ctx) : "out of memory");
    for (int r = 0; r < run->repeats && !run->failed; r++) {
        enum { SEEKS = 50 };
        RiLog *log = NULL;
        double at, begin = clock_seconds(CLOCK_MONOTONIC);
        RiStatus status = ri_log_open(ctx, path, &log);
        if (status == RI_OK)
            status = ri_log_read_frames(log, 0, 0.0, poses, &at);
        open[r] = clock_seconds(CLOCK_MONOTONIC) - begin;
        begin = clock_seconds(CLOCK_MONOTONIC);
        for (int k = 0; k < SEEKS && status == RI_OK; k++)
            status = ri_log_read_frames(log, 0, 3600.0 * ((k * 37) % SEEKS) / SEEKS, poses, &at);
        seek[r] = 1e3 * (clock_seconds(CLOCK_MONOTONIC) - begin) / SEEKS;
        if (status != RI_OK)
            bench_fail(run, "hour", ri_context_message(ctx));
        ri_log_close(log);
    }
    unlink(path);
    ri_context_destroy(ctx);
    if (run->failed)
        return;
    emit(run, "hour.open", "s", open, 2.0);
    emit(run, "hour.seek", "ms", seek, 16.7);
}

void bench_view(BenchRun *run)
{
    double *values = calloc(2 * (size_t)run->repeats, sizeof *values);
    RiContext *ctx = NULL;
    if (!values || ri_context_create(NULL, &ctx) != RI_OK) {
        bench_fail(run, "view", "out of memory");
        free(values);
        return;
    }
    const bool server = strstr(ri_version_features(), "view: yes") != NULL;
    if (!server)
        cli_error("note: this build has no libwebsockets: rows of the server are left out");
    if (server && bench_wants(run, "watched"))
        bench_watched(run, values);
    if (server && bench_wants(run, "wire")) {
        for (int r = 0; r < run->repeats; r++)
            values[r] = count_bytes(run, ctx);
        if (!run->failed)
            emit(run, "wire.60_bodies_ruts", "MB/s", values, 2.0);
    }
    if (bench_wants(run, "hour"))
        bench_hour(run, values, values + run->repeats);
    ri_context_destroy(ctx);
    free(values);
}
