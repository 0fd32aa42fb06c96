// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille bench snake`: snakes with screws on ice for 45 s, a `pid` device at 1 kHz on every driven
/// joint, the anisotropic screw law, a log at 100 Hz, one core, ticks of 1 ms. EELS 1.5 climbs as
/// in the scene climb_walls: servos, wall press and screw allocation at 100 Hz, the same log.
///
/// Speeds are simulated seconds per second of processor time. A round simulates the next part of
/// the same 45 s in every engine in turn. Steps are timed one by one in three equal runs, without
/// the log, which now and then compresses a chunk; the time of a step is the least of the three,
/// because the runs have equal bits and what differs is the machine.
#include "bench/cases/bench_snake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench_run.h"
#include "bench/engine.h"
#include "bench/snake.h"
#include "bench/temporary.h"

enum { RUNS = 3 };
/// A row counts only if the robot lies on its ground, or has climbed that far between its walls
/// [m].
static const double DEEPEST = 0.01, CLIMBED = 1.5;

static void fail(BenchRun *run, const char *name, const SnakeRig *rig)
{
    bench_fail(run, name, rig->ctx ? ri_context_message(rig->ctx) : "out of memory");
}

/// Speed over the next `seconds` of motion; NAN after a failure.
static double speed(BenchRun *run, const char *name, SnakeRig *rig, double seconds)
{
    const double start = bench_cpu_seconds();
    for (int left = (int)lround(seconds / ri_sim_options(rig->sim)->tick); left > 0; left--)
        if (snake_rig_tick(rig) != RI_OK) {
            fail(run, name, rig);
            return NAN;
        }
    return seconds / (bench_cpu_seconds() - start);
}

static double value(const SnakeRig *rig, const char *name)
{
    return ri_values_read(ri_sim_values(rig->sim), ri_values_find(ri_sim_values(rig->sim), name));
}

/// Whether links press on links.
static bool holds_itself(const SnakeRig *rig)
{
    for (int i = 0; i < ri_sim_touch_count(rig->sim); i++)
        if (ri_sim_touch(rig->sim, i)->other >= 0)
            return true;
    return false;
}

static bool lies_on_ground(const SnakeRig *rig)
{
    if (rig->ground == SNAKE_IN_COIL && !holds_itself(rig))
        return false;
    if (rig->ground == SNAKE_BETWEEN_WALLS)
        return value(rig, "mission.climbed") >= CLIMBED && value(rig, "mission.mobility_failure") == 0.0 &&
               ri_sim_stopped(rig->sim) == NULL;
    return value(rig, "contact.touching") > 0.0 && value(rig, "contact.depth") < DEEPEST &&
           ri_sim_stopped(rig->sim) == NULL;
}

static void emit_limit(const BenchRun *run, const char *name, const char *unit, double *values, int count, double limit,
                       bool larger_is_better, bool valid)
{
    BenchRow row = bench_row(run->bench, name, unit, count);
    row.peer = "limit";
    row.ours = bench_median(values, count, &row.spread);
    row.peer_value = limit;
    row.ratio = larger_is_better ? row.ours / limit : limit / row.ours;
    row.bar = 1.0;
    row.valid = valid;
    bench_emit(run, &row);
}

/// A robot against real time.
static void bench_speed(BenchRun *run, const char *name, const SnakeCase *c, double limit, double *speeds)
{
    SnakeRig rig;
    bool good = snake_rig_open(&rig, c) == RI_OK;
    if (!good)
        fail(run, name, &rig);
    for (int r = 0; r < run->repeats && good; r++) {
        speeds[r] = speed(run, name, &rig, BENCH_TRAVERSE / run->repeats);
        good = isfinite(speeds[r]);
    }
    if (good)
        emit_limit(run, name, "x", speeds, run->repeats, limit, true, lies_on_ground(&rig));
    snake_rig_close(&rig);
}

/// The front-only robot in every engine that knows the scene, in turns.
typedef struct Race {
    SnakeRig rig;
    char path[64];
    const char *const *cones;
    double *ours, *theirs[2]; ///< [round]
    int peer[2];              ///< that answered; -1: none
} Race;

static const char *const cones[2] = {"elliptic", "pyramidal"};

static void race_round(BenchRun *run, Race *race, int r)
{
    const double seconds = BENCH_TRAVERSE / run->repeats;
    race->ours[r] = speed(run, "front", &race->rig, seconds);
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < run->peers.count; p++) {
            double us;
            if ((r > 0 && race->peer[k] != p) || strncmp(run->peers.list[p].label, "mujoco", 6) != 0)
                continue;
            if (!bench_peer_time(&run->peers, p, race->path, cones[k], seconds, &us))
                continue;
            race->theirs[k][r] = 1e6 / us;
            race->peer[k] = p;
        }
}

static void race_rows(const BenchRun *run, Race *race)
{
    const bool valid = lies_on_ground(&race->rig);
    for (int k = 0; k < 2; k++) {
        if (race->peer[k] < 0)
            continue;
        char name[64];
        snprintf(name, sizeof name, "front.mujoco_%s", cones[k]);
        BenchRow row = bench_row(run->bench, name, "x", run->repeats);
        row.peer = run->peers.list[race->peer[k]].label;
        row.ours = bench_median(race->ours, run->repeats, &row.spread);
        row.peer_value = bench_median(race->theirs[k], run->repeats, &row.peer_spread);
        row.ratio = row.ours / row.peer_value;
        row.bar = k == 0 ? 10.0 : NAN;
        row.valid = valid;
        bench_emit(run, &row);
    }
    emit_limit(run, "front.speed", "x", race->ours, run->repeats, 60.0, true, valid);
}

static void bench_race(BenchRun *run, const SnakeCase *c, double *speeds)
{
    Race race = {.peer = {-1, -1}, .ours = speeds, .theirs = {speeds + run->repeats, speeds + 2 * run->repeats}};
    bench_temporary(bench_temporary_folder(), ".xml", race.path, sizeof race.path);
    bool good = snake_rig_open(&race.rig, c) == RI_OK;
    if (!good)
        fail(run, "front", &race.rig);
    else if (!snake_rig_write_mjcf(&race.rig, race.path))
        bench_fail(run, "front", "the XML file for MuJoCo cannot be written to /tmp");
    for (int r = 0; r < run->repeats && good; r++) {
        race_round(run, &race, r);
        good = isfinite(race.ours[r]);
    }
    if (good)
        race_rows(run, &race);
    unlink(race.path);
    snake_rig_close(&race.rig);
}

/// Time of four times the modules over four times the time, in bursts that take turns.
static void bench_growth(BenchRun *run, const SnakeCase *c, double *shares)
{
    SnakeCase large = *c, small = *c;
    large.modules = 4 * c->modules;
    large.ground = small.ground = SNAKE_ON_WIDE_FIELD;
    SnakeRig a, b;
    const bool opened = snake_rig_open(&a, &small) == RI_OK, both = snake_rig_open(&b, &large) == RI_OK;
    if (!opened || !both)
        fail(run, "front.growth", opened ? &b : &a);
    bool good = opened && both;
    for (int r = 0; r < run->repeats && good; r++) {
        const double fast = speed(run, "front.growth", &a, 2.0), slow = speed(run, "front.growth", &b, 2.0);
        shares[r] = fast / slow / 4.0;
        good = isfinite(shares[r]);
    }
    if (good)
        emit_limit(run, "front.modules_40_over_4x10", "-", shares, run->repeats, 1.15, false,
                   lies_on_ground(&a) && lies_on_ground(&b));
    snake_rig_close(&a);
    snake_rig_close(&b);
}

/// Time of every step: the least of equal runs. Returns allocations made by the steps of one run,
/// -1 after a failure.
static long time_steps(BenchRun *run, const SnakeCase *c, int steps, double *least)
{
    long allocations = 0;
    for (int k = 0; k < RUNS; k++) {
        SnakeRig rig;
        bool good = snake_rig_open(&rig, c) == RI_OK;
        for (int i = 0; i < steps && good; i++) {
            const long before = rig.allocations;
            const double start = bench_cpu_seconds();
            good = snake_rig_step(&rig) == RI_OK;
            const double spent = bench_cpu_seconds() - start;
            least[i] = k == 0 ? spent : fmin(least[i], spent);
            allocations += k == 0 ? rig.allocations - before : 0;
        }
        if (!good)
            fail(run, "front.slowest_step", &rig);
        snake_rig_close(&rig);
        if (!good)
            return -1;
    }
    return allocations;
}

static void bench_steps(BenchRun *run, const SnakeCase *c)
{
    const int steps = (int)(BENCH_TRAVERSE * 1000.0);
    double *least = calloc((size_t)steps, sizeof *least);
    if (!least)
        return;
    const long allocations = time_steps(run, c, steps, least);
    if (allocations >= 0) {
        double slowest = 0.0, count = (double)allocations;
        for (int i = 0; i < steps; i++)
            slowest = fmax(slowest, least[i]);
        slowest /= bench_median(least, steps, NULL);
        emit_limit(run, "front.slowest_over_median_step", "-", &slowest, 1, 10.0, false, true);
        BenchRow row = bench_row(run->bench, "front.allocations", "-", 1);
        row.peer = "limit";
        row.ours = count;
        row.peer_value = 0.0;
        row.ratio = count == 0.0 ? 1.0 : 0.0;
        row.bar = 1.0;
        bench_emit(run, &row);
    }
    free(least);
}

void bench_snake(BenchRun *run)
{
    static const SnakeCase front = {"eels_front.yaml", 10, SNAKE_ON_FIELD, false};
    static const SnakeCase alternating = {"snake.yaml", 10, SNAKE_ON_FIELD, false};
    static const SnakeCase walls = {"eels_1_5.yaml", 10, SNAKE_BETWEEN_WALLS, false};
    static const SnakeCase hulls = {"eels_front.yaml", 10, SNAKE_ON_FIELD, true};
    static const SnakeCase coil = {"eels_front.yaml", 10, SNAKE_IN_COIL, true};
    double *speeds = calloc(3 * (size_t)run->repeats, sizeof *speeds);
    if (!speeds)
        return;
    if (bench_wants(run, "front.speed"))
        bench_race(run, &front, speeds);
    if (bench_wants(run, "alternating.speed"))
        bench_speed(run, "alternating.speed", &alternating, 40.0, speeds);
    if (bench_wants(run, "eels_1_5.walls_climb"))
        bench_speed(run, "eels_1_5.walls_climb", &walls, 40.0, speeds);
    if (bench_wants(run, "front.hulls"))
        bench_speed(run, "front.hulls", &hulls, 10.0, speeds);
    if (bench_wants(run, "front.hulls_coil"))
        bench_speed(run, "front.hulls_coil", &coil, 10.0, speeds);
    if (bench_wants(run, "front.growth"))
        bench_growth(run, &front, speeds);
    if (bench_wants(run, "front.steps"))
        bench_steps(run, &front);
    free(speeds);
}
