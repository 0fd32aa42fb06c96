// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soft soil against limits: a node of the contact, a step of one wheel on ruts of 10 mm, of one screw of two, a six-wheeled rover that crosses a ripple. CPU time of the
/// simulation's thread, so a busy machine disturbs little.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench_run.h"
#include "cli.h"
#include "soil/node.h"
#include "terrain.h"

enum { NODES = 1024, NODE_ROUNDS = 2000, WARM = 2500, TICKS = 5000 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
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

/// Ticks of a scene once its wheels roll: CPU time of each [us], one figure per repeat.
static bool time_scene(BenchRun *run, const char *name, const RiSetting *settings, int count, double *out_us)
{
    RiContext *ctx = NULL;
    RiScene *scene = NULL;
    RiStatus status = ri_context_create(NULL, &ctx);
    if (status == RI_OK)
        status = open_scene(ctx, name, settings, count, &scene);
    for (int i = 0; i < WARM && status == RI_OK; i++)
        status = ri_sim_step(ri_scene_sim(scene));
    for (int r = 0; r < run->repeats && status == RI_OK; r++) {
        const double begin = cpu_seconds();
        for (int i = 0; i < TICKS && status == RI_OK; i++)
            status = ri_sim_step(ri_scene_sim(scene));
        out_us[r] = (cpu_seconds() - begin) / TICKS * 1e6;
    }
    if (status != RI_OK)
        bench_fail(run, name, ctx ? ri_context_message(ctx) : "no memory");
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return status == RI_OK;
}

/// From the time of a tick of 2 ms to how many times faster than real time that is.
static void to_real_time(double *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = 2e3 / values[i];
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
    if (bench_wants(run, "wheel") && time_scene(run, "wheel_testbed", wheel, 6, values)) {
        emit(run, "wheel.step", "us", values, 8.0, false);
        to_real_time(values, run->repeats);
        emit(run, "wheel.real_time", "x", values, 200.0, true);
    }
    if (bench_wants(run, "screw") && time_scene(run, "screw_testbed", screws, 3, values)) {
        for (int r = 0; r < run->repeats; r++)
            values[r] *= 0.5; // there are two
        emit(run, "screw.step", "us", values, 8.0, false);
    }
    if (bench_wants(run, "rover") && time_scene(run, "rover_ripple", rover, 2, values)) {
        to_real_time(values, run->repeats);
        emit(run, "rover.real_time", "x", values, 25.0, true);
    }
}
