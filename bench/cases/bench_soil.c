// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soft soil against limits: a node of the contact, a step of one wheel on ruts of 10 mm, of one
/// screw of two, a six-wheeled rover that crosses a ripple, another with everything on; how cost
/// grows with way, map and a second rover, and what ruts take. CPU time of the simulation's thread,
/// so a busy machine disturbs little; only two rovers at once are timed by the clock.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rille/record.h>

#include "bench/bench_run.h"
#include "bench/temporary.h"
#include "cli.h"
#include "soil/node.h"

enum { NODES = 1024, NODE_ROUNDS = 2000, WARM = 2500, TICKS = 5000, LOG_EVERY = 5 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// A row whose figure shall stay below a limit, or above it.
static void emit(const BenchRun *run, const char *name, const char *unit, double *values, double limit, bool above)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = "limit";
    row.ours = bench_median(values, run->repeats, &row.spread);
    row.peer_value = limit;
    row.ratio = above ? row.ours / limit : limit / row.ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

/// Time of one node: pressure and two mobilised shears [ns].
static double time_node(const RiNodeKernels *k)
{
    static double z[NODES], p[NODES], a[NODES], u[NODES];
    for (int i = 0; i < NODES; i++) {
        z[i] = 1e-4 + 1e-4 * (i % 300);
        a[i] = 0.01 * (i % 200);
    }
    const double begin = cpu_seconds();
    for (int r = 0; r < NODE_ROUNDS; r++) {
        k->power(NODES, z, 1.0, 1.1, 1e6, p);
        k->mobilise(NODES, a, u);
        k->mobilise(NODES, p, a);
    }
    return (cpu_seconds() - begin) / NODES / NODE_ROUNDS * 1e9;
}

static RiStatus open_scene(RiContext *ctx, const char *name, const RiSetting *settings, int count, RiScene **out)
{
    char scenes[PATH_MAX], path[2 * PATH_MAX], robots[2 * PATH_MAX], terrains[2 * PATH_MAX];
    cli_scenes_folder(scenes);
    snprintf(path, sizeof path, "%s/%s.yaml", scenes, name);
    snprintf(robots, sizeof robots, "%s/../robots", scenes);
    snprintf(terrains, sizeof terrains, "%s/../terrains", scenes);
    const char *robot_paths[] = {robots}, *terrain_paths[] = {terrains};
    const RiSceneOptions o = {.settings = settings,
                              .setting_count = count,
                              .robot_paths = robot_paths,
                              .robot_path_count = 1,
                              .terrain_paths = terrain_paths,
                              .terrain_path_count = 1};
    RI_TRY(ri_scene_load(ctx, path, &o, out));
    return ri_scene_build(*out);
}

/// A scene at work.
typedef struct Subject {
    RiContext *ctx;
    RiScene *scene;
    RiRecord *record; ///< what the scene logs, in a file; NULL: no log
    char path[256];
    int group, count, *index;
    double *values;
} Subject;

/// The log that the scene asks for.
static RiStatus open_log(Subject *x)
{
    RiValues *t = ri_sim_values(ri_scene_sim(x->scene));
    const size_t most = (size_t)ri_values_count(t);
    const char **names = calloc(2 * most, sizeof *names);
    x->index = calloc(most, sizeof *x->index);
    x->values = calloc(most, sizeof *x->values);
    RiStatus status = names && x->index && x->values ? RI_OK : RI_ERR_MEMORY;
    for (int g = 0; status == RI_OK && g < ri_scene_log_glob_count(x->scene); g++) {
        const char *glob = ri_scene_log_glob(x->scene, g);
        for (int i = ri_values_match(t, glob, 0); i >= 0 && (size_t)x->count < most;
             i = ri_values_match(t, glob, i + 1)) {
            names[x->count] = ri_values_get(t, i)->name;
            names[most + (size_t)x->count] = ri_values_get(t, i)->unit;
            x->index[x->count++] = i;
        }
    }
    bench_temporary(bench_temporary_folder(), ".mcap", x->path, sizeof x->path);
    if (status == RI_OK)
        status = ri_record_create(x->ctx, x->path, NULL, &x->record);
    if (status == RI_OK)
        status = ri_record_add_signals(x->record, "/values", x->count, names, names + most, &x->group);
    free(names);
    return status;
}

static RiStatus open_subject(const char *name, const RiSetting *settings, int count, bool log, Subject *x)
{
    memset(x, 0, sizeof *x);
    RI_TRY(ri_context_create(NULL, &x->ctx));
    RI_TRY(open_scene(x->ctx, name, settings, count, &x->scene));
    return log ? open_log(x) : RI_OK;
}

static void close_subject(Subject *x)
{
    ri_record_destroy(x->record);
    if (x->path[0])
        unlink(x->path);
    ri_scene_destroy(x->scene);
    ri_context_destroy(x->ctx);
    free(x->index);
    free(x->values);
}

/// Ticks, with a record every LOG_EVERY of them.
static RiStatus run_ticks(Subject *x, int count)
{
    RiSim *sim = ri_scene_sim(x->scene);
    for (int k = 1; k <= count; k++) {
        RI_TRY(ri_sim_step(sim));
        if (!x->record || k % LOG_EVERY != 0)
            continue;
        ri_values_read_all(ri_sim_values(sim), x->index, x->count, x->values);
        RI_TRY(ri_record_signals(x->record, x->group, ri_sim_time(sim), x->values));
    }
    return RI_OK;
}

/// Ticks of a scene once its wheels roll: CPU time of each [us], one figure per repeat; and the
/// memory of its ruts per area of their tiles [bytes/m^2].
static bool time_scene(BenchRun *run, const char *name, const RiSetting *settings, int count, bool log, double *out_us,
                       double *out_bytes)
{
    Subject x;
    RiStatus status = open_subject(name, settings, count, log, &x);
    if (status == RI_OK)
        status = run_ticks(&x, WARM);
    for (int r = 0; r < run->repeats && status == RI_OK; r++) {
        const double begin = cpu_seconds();
        status = run_ticks(&x, TICKS);
        out_us[r] = (cpu_seconds() - begin) / TICKS * 1e6;
    }
    if (status == RI_OK && out_bytes) {
        const RiRuts *ruts = ri_sim_ruts(ri_scene_sim(x.scene));
        const double side = RI_RUT_TILE * ri_ruts_cell(ruts);
        *out_bytes = (double)ri_ruts_bytes(ruts) / (ri_ruts_tile_count(ruts) * side * side);
    }
    if (status != RI_OK)
        bench_fail(run, name, x.ctx ? ri_context_message(x.ctx) : "no memory");
    close_subject(&x);
    return status == RI_OK;
}

// --- two at once ---------------------------------------------------------------------------------

/// Time by the clock of `many` processes that drive a rover each, at the same time, from when all
/// are ready [s]; NAN after a failure.
static double time_together(int many)
{
    int ready[2] = {-1, -1}, go[2] = {-1, -1};
    pid_t child[2] = {-1, -1};
    bool good = pipe(ready) == 0 && pipe(go) == 0;
    for (int i = 0; i < many && good; i++) {
        child[i] = fork();
        if (child[i] == 0) {
            Subject x;
            char signal = 0;
            close(go[1]);
            bool ok = open_subject("mer_sand", NULL, 0, false, &x) == RI_OK && run_ticks(&x, WARM / 5) == RI_OK;
            ok = ok && write(ready[1], "r", 1) == 1 && read(go[0], &signal, 1) == 0; // until the other end is closed
            _exit(ok && run_ticks(&x, TICKS) == RI_OK ? 0 : 1);
        }
        good = child[i] > 0;
    }
    close(ready[1]);
    close(go[0]);
    char signal;
    for (int i = 0; i < many && good; i++)
        good = read(ready[0], &signal, 1) == 1;
    const double begin = bench_clock();
    close(go[1]);
    for (int i = 0; i < many; i++) {
        int status = 1;
        if (child[i] > 0)
            waitpid(child[i], &status, 0);
        good = good && status == 0;
    }
    close(ready[0]);
    return good ? bench_clock() - begin : NAN;
}

/// Two rovers at once against one alone, in pairs one after the other, so that whatever else runs
/// disturbs both.
static void time_cores(BenchRun *run)
{
    double ratio[64];
    for (int r = 0; r < run->repeats; r++) {
        const double one = time_together(1), two = time_together(2);
        ratio[r] = two / one;
        if (!isfinite(ratio[r])) {
            bench_fail(run, "rover.two_cores", "a rover's process failed");
            return;
        }
    }
    emit(run, "rover.two_cores", "-", ratio, 1.1, false);
}

// --- growth --------------------------------------------------------------------------------------

/// CPU time of a tick of b over that of a, one figure per repeat. Bursts of both take turns and
/// their medians count, so that a change of clock or a neighbour's load meets both.
static RiStatus compare(const BenchRun *run, Subject *a, Subject *b, double *out_ratio)
{
    enum { BURSTS = 40 };
    double one[BURSTS], other[BURSTS], spread;
    for (int r = 0; r < run->repeats; r++) {
        for (int k = 0; k < BURSTS; k++) {
            const double begin = cpu_seconds();
            RI_TRY(run_ticks(a, TICKS / BURSTS));
            const double middle = cpu_seconds();
            RI_TRY(run_ticks(b, TICKS / BURSTS));
            one[k] = middle - begin;
            other[k] = cpu_seconds() - middle;
        }
        out_ratio[r] = bench_median(other, BURSTS, &spread) / bench_median(one, BURSTS, &spread);
    }
    return RI_OK;
}

/// Emits that comparison of two scenes, the second of which has run for some ticks more.
static void compare_scenes(BenchRun *run, const char *row, const char *name, const RiSetting *settings, int first,
                           int second, int ahead)
{
    double ratio[64];
    Subject a, b = {0};
    RiStatus status = open_subject(name, settings, first, false, &a);
    if (status == RI_OK)
        status = open_subject(name, settings, second, false, &b);
    if (status == RI_OK)
        status = run_ticks(&a, WARM);
    if (status == RI_OK)
        status = run_ticks(&b, WARM + ahead);
    if (status == RI_OK)
        status = compare(run, &a, &b, ratio);
    if (status == RI_OK)
        emit(run, row, "-", ratio, 1.1, false);
    else
        bench_fail(run, row, "a scene failed");
    close_subject(&a);
    close_subject(&b);
}

/// A wheel that has driven on for a long way against one that has begun.
static void time_distance(BenchRun *run)
{
    static const RiSetting wheel[] = {{"tick", "2 ms"},  {"radius", "0.25 m"}, {"width", "0.2 m"},
                                      {"load", "60 kg"}, {"speed", "0.2 m/s"}, {"duration", "1000 s"}};
    compare_scenes(run, "wheel.distance", "wheel_testbed", wheel, 6, 6, 60 * TICKS);
}

/// A map four times as long and as wide, against the usual one.
static void time_map(BenchRun *run)
{
    static const RiSetting settings[] = {{"duration", "1000 s"}, {"size", "64 m"}};
    compare_scenes(run, "rover.map", "mer_sand", settings, 1, 2, 0);
}

/// From the time of a tick of 2 ms to how many times faster than real time that is.
static void to_real_time(double *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = 2e3 / values[i];
}

/// A rover with motors, locomotion, ruts, multi-pass, berms and a log at 100 Hz.
static void time_full_rover(BenchRun *run)
{
    static const RiSetting settings[] = {{"duration", "1000 s"}};
    double values[64], bytes;
    if (!time_scene(run, "mer_sand", settings, 1, true, values, &bytes))
        return;
    to_real_time(values, run->repeats);
    emit(run, "rover.full", "x", values, 25.0, true);
    for (int r = 0; r < run->repeats; r++)
        values[r] = bytes;
    emit(run, "ruts.memory", "B/m^2", values, 1.65e6, false); // 165 bytes for each of 10^4 nodes of 10 mm
}

void bench_soil(BenchRun *run)
{
    static const RiSetting wheel[] = {{"tick", "2 ms"},  {"radius", "0.25 m"}, {"width", "0.2 m"},
                                      {"load", "60 kg"}, {"speed", "50 mm/s"}, {"duration", "1000 s"}};
    static const RiSetting rover[] = {{"tick", "2 ms"}, {"duration", "1000 s"}};
    static const RiSetting screws[] = {{"tick", "2 ms"}, {"speed", "50 mm/s"}, {"duration", "1000 s"}};
    double values[64];
    run->repeats = run->repeats < 64 ? run->repeats : 64;
    if (bench_wants(run, "node")) {
        for (int r = 0; r < run->repeats; r++)
            values[r] = time_node(ri_node_kernels_find(NULL));
        emit(run, "node", "ns", values, 8.0, false);
    }
    if (bench_wants(run, "wheel") && time_scene(run, "wheel_testbed", wheel, 6, false, values, NULL)) {
        emit(run, "wheel.step", "us", values, 8.0, false);
        to_real_time(values, run->repeats);
        emit(run, "wheel.real_time", "x", values, 200.0, true);
    }
    if (bench_wants(run, "screw") && time_scene(run, "screw_testbed", screws, 3, false, values, NULL)) {
        for (int r = 0; r < run->repeats; r++)
            values[r] *= 0.5; // there are two
        emit(run, "screw.step", "us", values, 8.0, false);
    }
    if (bench_wants(run, "wheel.distance"))
        time_distance(run);
    if (bench_wants(run, "rover.real_time") && time_scene(run, "rover_ripple", rover, 2, false, values, NULL)) {
        to_real_time(values, run->repeats);
        emit(run, "rover.real_time", "x", values, 25.0, true);
    }
    if (bench_wants(run, "rover.full"))
        time_full_rover(run);
    if (bench_wants(run, "rover.map"))
        time_map(run);
    if (bench_wants(run, "rover.two_cores"))
        time_cores(run);
}
