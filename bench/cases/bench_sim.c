// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulation against limits: what a tick of a 36-coordinate robot costs beyond its integration
/// (scheduler with its copy of the state, 30 sampled controllers at 1 kHz, validity, a log at 100
/// Hz), how fast a log is written, and how long a scene takes to start.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/record.h>
#include <rille/scene.h>
#include <rille/sim.h>

#include "bench/bench_run.h"
#include "bench/temporary.h"
#include "cli.h"
#include "sim/internal.h"

enum { CONTROLLERS = 30, BURSTS = 80, BURST = 100, LOG_EVERY = 10, SIGNALS = 512, RECORDS = 20000 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Subject {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiSim *sim;
    RiRecord *record;
    char path[256];
    int group;
    int count, index[4 * CONTROLLERS];
    const char *failure;
} Subject;

static const char *joint_name(const RiModel *m, int k)
{
    for (int j = 0, n = 0; j < ri_model_joint_count(m); j++) {
        const RiJointInfo info = ri_model_joint(m, j);
        if (info.nv == 1 && info.v_index >= 0 && n++ == k)
            return info.name;
    }
    return NULL;
}

static RiStatus add_controllers(Subject *x)
{
    for (int i = 0; i < CONTROLLERS; i++) {
        char name[32];
        snprintf(name, sizeof name, "control_%d", i);
        const RiDeviceDef def = {
            .name = name, .device = ri_device_find("pid"), .attach = joint_name(x->model, i), .rate = 1000.0};
        RI_TRY(ri_sim_add_device(x->sim, &def));
    }
    return RI_OK;
}

/// A log of all joint positions, velocities and efforts.
static RiStatus open_log(Subject *x)
{
    static const char *const globs[] = {"*.position", "*.velocity", "*.effort"};
    const char *names[4 * CONTROLLERS], *units[4 * CONTROLLERS];
    RiValues *t = ri_sim_values(x->sim);
    for (int g = 0; g < 3; g++)
        for (int i = ri_values_match(t, globs[g], 0); i >= 0 && x->count < 4 * CONTROLLERS;
             i = ri_values_match(t, globs[g], i + 1)) {
            names[x->count] = ri_values_get(t, i)->name;
            units[x->count] = ri_values_get(t, i)->unit;
            x->index[x->count++] = i;
        }
    bench_temporary(bench_temporary_folder(), ".mcap", x->path, sizeof x->path);
    RI_TRY(ri_record_create(x->ctx, x->path, NULL, &x->record));
    return ri_record_add_signals(x->record, "/values", x->count, names, units, &x->group);
}

static RiStatus open_subject(Subject *x, const char *robot, bool full)
{
    memset(x, 0, sizeof *x);
    RI_TRY(ri_context_create(NULL, &x->ctx));
    RI_TRY(ri_robot_load(x->ctx, robot, NULL, &x->spec));
    RI_TRY(ri_model_create(x->ctx, x->spec, NULL, &x->model));
    RI_TRY(ri_sim_create(x->ctx, x->model, NULL, &x->sim));
    if (full)
        RI_TRY(add_controllers(x));
    RI_TRY(ri_sim_build(x->sim));
    for (int i = 0; full && i < CONTROLLERS; i++) {
        char name[32];
        snprintf(name, sizeof name, "control_%d.kp", i);
        RI_TRY(ri_values_set(ri_sim_values(x->sim), name, "5"));
        snprintf(name, sizeof name, "control_%d.kd", i);
        RI_TRY(ri_values_set(ri_sim_values(x->sim), name, "0.5"));
    }
    RI_TRY(ri_sim_start(x->sim));
    return full ? open_log(x) : RI_OK;
}

static void close_subject(Subject *x)
{
    ri_record_destroy(x->record);
    if (x->path[0])
        unlink(x->path);
    ri_sim_destroy(x->sim);
    ri_model_destroy(x->model);
    ri_spec_destroy(x->spec);
    ri_context_destroy(x->ctx);
}

/// Processor time of a burst of ticks [s]: scheduler, devices, integration, outputs, log.
static double time_ticks(BenchRun *run, Subject *x)
{
    double values[4 * CONTROLLERS];
    RiStatus status = RI_OK;
    const double start = cpu_seconds();
    for (int i = 0; i < BURST && status == RI_OK; i++) {
        status = ri_sim_step(x->sim);
        if (i % LOG_EVERY == 0 && status == RI_OK) {
            ri_values_read_all(ri_sim_values(x->sim), x->index, x->count, values);
            status = ri_record_signals(x->record, x->group, ri_sim_time(x->sim), values);
        }
    }
    if (status != RI_OK)
        bench_fail(run, "tick", ri_context_message(x->ctx));
    return cpu_seconds() - start;
}

/// One integration step, without what a tick does around it.
static RiStatus advance(RiSim *s, double h)
{
    s->advanced = h;
    RI_TRY(s->method->step(s, h));
    return ri_sim_accept(s, h);
}

/// Processor time of as many integration steps [s], and nothing else.
static double time_steps(BenchRun *run, Subject *x)
{
    const double h = ri_sim_options(x->sim)->tick;
    RiStatus status = RI_OK;
    const double start = cpu_seconds();
    for (int i = 0; i < BURST && status == RI_OK; i++)
        status = advance(x->sim, h);
    if (status != RI_OK)
        bench_fail(run, "step", ri_context_message(x->ctx));
    return cpu_seconds() - start;
}

static void emit(const BenchRun *run, const char *name, const char *unit, double *values, double limit,
                 bool larger_is_better)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = "limit";
    row.ours = bench_median(values, run->repeats, &row.spread);
    row.peer_value = limit;
    row.ratio = larger_is_better ? row.ours / limit : limit / row.ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

/// Share of a tick that is not integration: the same robot with all that stands around a step,
/// against the step alone. Bursts of both take turns, so that a change of clock or a neighbour's
/// load meets both; their medians count, so that one that was interrupted does not.
static void bench_overhead(BenchRun *run, const char *robot, double *share, double *tick)
{
    Subject bare, full;
    const RiStatus a = open_subject(&bare, robot, false), b = open_subject(&full, robot, true);
    if (a != RI_OK || b != RI_OK)
        bench_fail(run, "tick", ri_context_message(a != RI_OK ? bare.ctx : full.ctx));
    for (int r = 0; r < run->repeats && a == RI_OK && b == RI_OK; r++) {
        double without[BURSTS], with[BURSTS], spread;
        for (int k = 0; k < BURSTS; k++) {
            without[k] = time_steps(run, &bare);
            with[k] = time_ticks(run, &full);
        }
        const double one = bench_median(with, BURSTS, &spread);
        tick[r] = one / BURST * 1e6;
        share[r] = 1.0 - bench_median(without, BURSTS, &spread) / one;
    }
    close_subject(&bare);
    close_subject(&full);
    if (a != RI_OK || b != RI_OK)
        return;
    emit(run, "snake36.tick", "us", tick, 1000.0, false);
    emit(run, "snake36.devices_and_log_share", "-", share, 0.1, false);
}

/// Signal payload written per second [MB/s], of smooth signals.
static double write_records(BenchRun *run, RiContext *ctx, const char *path)
{
    RiRecord *record;
    const char *names[SIGNALS], *units[SIGNALS];
    static char text[SIGNALS][16];
    double values[SIGNALS];
    int group;
    for (int i = 0; i < SIGNALS; i++) {
        snprintf(text[i], sizeof text[i], "signal_%d", i);
        names[i] = text[i];
        units[i] = "m";
    }
    RiStatus status = ri_record_create(ctx, path, NULL, &record);
    if (status == RI_OK)
        status = ri_record_add_signals(record, "/values", SIGNALS, names, units, &group);
    const double start = cpu_seconds();
    for (int k = 0; k < RECORDS && status == RI_OK; k++) {
        for (int i = 0; i < SIGNALS; i++)
            values[i] = 0.001 * k * (i + 1);
        status = ri_record_signals(record, group, 1e-3 * k, values);
    }
    if (status == RI_OK)
        status = ri_record_close(record);
    const double seconds = cpu_seconds() - start;
    if (status != RI_OK)
        bench_fail(run, "record", ri_context_message(ctx));
    ri_record_destroy(record);
    return 8e-6 * SIGNALS * RECORDS / seconds;
}

static void bench_record(BenchRun *run, double *rate)
{
    RiContext *ctx;
    char path[256];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return;
    bench_temporary(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : bench_temporary_folder(), ".mcap", path, sizeof path);
    for (int r = 0; r < run->repeats; r++)
        rate[r] = write_records(run, ctx, path);
    unlink(path);
    ri_context_destroy(ctx);
    emit(run, "record.write", "MB/s", rate, 200.0, true);
}

/// Time to load, build and start a scene [ms].
static void bench_start(BenchRun *run, const char *scene_path, double *ms)
{
    for (int r = 0; r < run->repeats; r++) {
        RiContext *ctx;
        RiScene *scene;
        const double start = cpu_seconds();
        if (ri_context_create(NULL, &ctx) != RI_OK)
            return;
        RiStatus status = ri_scene_load(ctx, scene_path, NULL, &scene);
        if (status == RI_OK)
            status = ri_scene_build(scene);
        ms[r] = (cpu_seconds() - start) * 1e3;
        if (status != RI_OK)
            bench_fail(run, "start", ri_context_message(ctx));
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
    }
    emit(run, "scene.start", "ms", ms, 50.0, false);
}

void bench_sim(BenchRun *run)
{
    double *x = calloc(2 * (size_t)run->repeats, sizeof *x);
    if (!x)
        return;
    char robots[PATH_MAX], scenes[PATH_MAX], path[PATH_MAX + 32];
    cli_data_folder("robots", robots);
    cli_data_folder("scenes", scenes);
    snprintf(path, sizeof path, "%s/snake.yaml", robots);
    if (bench_wants(run, "snake36.tick"))
        bench_overhead(run, path, x, x + run->repeats);
    if (bench_wants(run, "record.write"))
        bench_record(run, x);
    snprintf(path, sizeof path, "%s/snake_servo.yaml", scenes);
    if (bench_wants(run, "scene.start"))
        bench_start(run, path, x);
    free(x);
}
