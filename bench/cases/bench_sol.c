// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sols against limits: a sol of a rover with power, heat, radio and 100 m of kinematic driving in
/// a second, 90 sols in a minute, a sol with dynamic driving on soft soil at 20 times real time, growth of a network's step with its nodes and loads, and what
/// subsystems add to a dynamic tick. CPU time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rille/plan.h>

#include "base/memory.h"
#include "bench/bench_run.h"
#include "device/network/assembly.h"

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
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

// --- plans ---------------------------------------------------------------------------------------

static const char one_sol[] = "plan: sol\nscene: systems/mer_base.yaml\nactivities:\n"
                              "  - {do: sleep, until_hour: 9}\n"
                              "  - {do: wait, until: motors.temperature > 221 K, loads: motor_heater}\n"
                              "  - {do: drive, x: 100 m, loads: drive}\n"
                              "  - {do: panorama, loads: cameras, data: 5e7}\n"
                              "  - {do: sleep, until_hour: 7}\n";
static const char many_sols[] = "plan: mission\nscene: systems/mer_base.yaml\nactivities:\n"
                                "  - repeat: 90\n    activities:\n"
                                "      - {do: sleep, until_hour: 9}\n"
                                "      - {do: wait, until: motors.temperature > 221 K, loads: motor_heater}\n"
                                "      - {do: arc, length: 10 m, loads: drive}\n"
                                "      - {do: panorama, loads: cameras, data: 5e7}\n"
                                "      - {do: sleep, until_hour: 7}\n";

static const char soft_sol[] = "plan: soft\nscene: systems/mer_base.yaml\ndynamic_scene: systems/mer_dynamic.yaml\n"
                               "set: {motors.start_temperature: 300 K}\nactivities:\n"
                               "  - {do: sleep, duration: 1 h}\n"
                               "  - {name: go, do: arc, length: 3 m, loads: \"drive, steering\"}\n"
                               "  - {do: sleep, until_hour: 7}\n";

/// CPU time of a plan [s]; negative: it failed. *out_drive: time of its second activity [s], may be
/// NULL.
static double time_plan(const char *text, RiFidelity fidelity, double *out_drive)
{
    RiContext *ctx;
    RiPlan *plan = NULL;
    RiPlanRun *done = NULL;
    RiPaths paths;
    char path[RI_PATH_SIZE + 32];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return -1.0;
    ri_paths_default(NULL, &paths);
    snprintf(path, sizeof path, "%.*s/bench_plan.yaml", RI_PATH_SIZE, paths.scenes);
    const double begin = cpu_seconds();
    RiStatus status = ri_plan_parse(ctx, path, text, strlen(text), &plan);
    if (status == RI_OK)
        status = ri_plan_run(plan, fidelity, NULL, 0, &paths, &done);
    const double seconds = cpu_seconds() - begin;
    const bool good = status == RI_OK && ri_plan_run_totals(done).failed == 0;
    if (good && out_drive)
        *out_drive = ri_plan_run_row(done, 1)->end - ri_plan_run_row(done, 1)->start;
    ri_plan_run_destroy(done);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
    return good ? seconds : -1.0;
}

static void bench_plan(BenchRun *run, const char *name, const char *text, double limit, double *values)
{
    for (int i = 0; i < run->repeats; i++) {
        values[i] = time_plan(text, RI_FIDELITY_KINEMATIC, NULL);
        if (values[i] < 0.0) {
            bench_fail(run, name, "the plan failed");
            return;
        }
    }
    emit(run, name, "s", values, limit);
}

/// A sol with a drive on soft soil, per second of the drive: at least 20 times real time.
static void bench_soft(BenchRun *run, double *values)
{
    for (int i = 0; i < run->repeats; i++) {
        double drive = 0.0;
        const double seconds = time_plan(soft_sol, RI_FIDELITY_DYNAMIC, &drive);
        if (!(seconds >= 0.0) || !(drive > 0.0)) {
            bench_fail(run, "sol_with_soft_soil_per_second_of_driving", "the plan failed");
            return;
        }
        values[i] = seconds / drive;
    }
    emit(run, "sol_with_soft_soil_per_second_of_driving", "-", values, 0.05);
}

// --- networks ------------------------------------------------------------------------------------

/// Microseconds of a step of a chain of nodes, each with a load.
static double time_chain(RiContext *ctx, int nodes)
{
    static const RiSunDef nowhere = {.world = RI_WORLD_UNKNOWN};
    enum { STEPS = 400 };
    RiArena arena;
    RiNetworkWorld w = {.place = &nowhere};
    RiAssembly *a = malloc(sizeof *a);
    double us = -1.0;
    if (!a)
        return us;
    ri_arena_init(&arena, ctx);
    ri_assembly_init(a);
    const int bus = ri_assembly_add(a, &ri_device_bus, -1, -1, -1);
    ri_assembly_add(a, &ri_device_battery, bus, -1, -1);
    for (int i = 0, last = -1; i < nodes; i++) {
        const int node = ri_assembly_add(a, &ri_device_thermal_node, -1, -1, -1);
        const int load = ri_assembly_add(a, &ri_device_load, bus, node, -1);
        a->x[load][LOAD_POWER] = 0.1;
        a->x[node][NODE_START] = 250.0 + i;
        if (last >= 0)
            a->x[ri_assembly_add(a, &ri_device_conductor, last, node, -1)][CONDUCTOR_CONDUCTANCE] = 0.5;
        last = node;
    }
    if (ri_assembly_start(ctx, &arena, a, &w) == RI_OK) {
        const double begin = cpu_seconds();
        ri_assembly_run(a, &w, STEPS * 10.0, 10.0);
        us = 1e6 * (cpu_seconds() - begin) / STEPS;
    }
    ri_arena_free(&arena);
    free(a);
    return us;
}

static void bench_growth(BenchRun *run, double *values)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return;
    for (int i = 0; i < run->repeats; i++) {
        const double small = time_chain(ctx, 20), large = time_chain(ctx, 80);
        values[i] = large / small / 4.0;
    }
    emit(run, "step_of_80_nodes_over_4_times_20", "-", values, 1.5);
    ri_context_destroy(ctx);
}

// --- a dynamic tick ------------------------------------------------------------------------------

/// CPU time of the drive of a rover on sand with or without subsystems [s].
static double time_drive(const char *text, const char *path)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    RiPaths paths;
    RiSceneOptions options = ri_scene_options_default();
    double seconds = -1.0;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return seconds;
    ri_paths_default(NULL, &paths);
    ri_paths_use(&paths, &options);
    RiStatus status = ri_scene_parse(ctx, path, text, strlen(text), &options, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    for (int i = 0; i < 1000 && status == RI_OK; i++)
        status = ri_sim_step(ri_scene_sim(scene));
    const double begin = cpu_seconds();
    for (int i = 0; i < 5000 && status == RI_OK; i++)
        status = ri_sim_step(ri_scene_sim(scene));
    if (status == RI_OK)
        seconds = cpu_seconds() - begin;
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return seconds;
}

static void bench_tick(BenchRun *run, double *values)
{
    static const char sun[] =
        "sun: {body: mars, date: 2018-05-29T00:00:00, latitude: -2.28 deg, longitude: 354.5 deg, local_time: 10}\n";
    char path[RI_PATH_SIZE + 32], bare[400], full[400];
    RiPaths paths;
    ri_paths_default(NULL, &paths);
    snprintf(path, sizeof path, "%.*s/bench_tick.yaml", RI_PATH_SIZE, paths.scenes);
    snprintf(bare, sizeof bare, "scene: bare\ninclude: mer_sand.yaml\n%s", sun);
    snprintf(full, sizeof full, "scene: full\ninclude: [mer_sand.yaml, systems/mer.yaml]\n%s", sun);
    for (int i = 0; i < run->repeats; i++) {
        const double a = time_drive(bare, path), b = time_drive(full, path);
        if (a < 0.0 || b < 0.0) {
            bench_fail(run, "subsystems_in_a_dynamic_tick", "the scene failed");
            return;
        }
        values[i] = fmax(b / a - 1.0, 1e-4);
    }
    emit(run, "subsystems_in_a_dynamic_tick", "-", values, 0.1);
}

void bench_sol(BenchRun *run)
{
    double *values = malloc((size_t)run->repeats * sizeof *values);
    if (!values)
        return;
    if (bench_wants(run, "sol_with_100_m"))
        bench_plan(run, "sol_with_100_m", one_sol, 1.0, values);
    if (bench_wants(run, "90_sols"))
        bench_plan(run, "90_sols", many_sols, 60.0, values);
    if (bench_wants(run, "sol_with_soft_soil_per_second_of_driving"))
        bench_soft(run, values);
    if (bench_wants(run, "growth"))
        bench_growth(run, values);
    if (bench_wants(run, "subsystems_in_a_dynamic_tick"))
        bench_tick(run, values);
    free(values);
}
