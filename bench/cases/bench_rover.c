// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille bench rover`: stances per second of Curiosity along a way over a DEM of 1024 x 1024
/// values, and a driven MER on the height field of `rille bench snake` with six motors, encoders
/// and four steering controllers, ticks of 2 ms, one core, beside MuJoCo with cylinders for wheels.
///
/// Speeds are per second of processor time; a round takes the next part of the same way in every
/// engine in turn.
#include "bench/cases/bench_rover.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench_run.h"
#include "bench/engine.h"
#include "bench/rover.h"
#include "bench/temporary.h"

enum { DEM = 1024, POSES = 20000 };
static const double DEM_HALF = 32.0, RADIUS = 20.0, STEP = 0.02, FALLEN = 0.7;

static void fail(BenchRun *run, const char *name, const RoverRig *rig)
{
    bench_fail(run, name, rig->ctx ? ri_context_message(rig->ctx) : "out of memory");
}

static void emit_limit(const BenchRun *run, const char *name, const char *unit, double *values, int count, double limit,
                       bool valid)
{
    BenchRow row = bench_row(run->bench, name, unit, count);
    row.peer = isnan(limit) ? "none" : "limit";
    row.ours = bench_median(values, count, &row.spread);
    row.peer_value = limit;
    row.ratio = row.ours / limit;
    row.bar = isnan(limit) ? NAN : 1.0;
    row.valid = valid;
    bench_emit(run, &row);
}

// --- stances -------------------------------------------------------------------------------------

/// Stances per second along a circle, each from the one before; all of them must be found.
static double walk(RoverRig *rig, double *q, int round, int poses, int *out_failed)
{
    RiStanceReport report;
    const double start = bench_cpu_seconds();
    for (int i = 0; i < poses; i++) {
        const double a = (round * poses + i) * STEP / RADIUS;
        if (!ri_stance_solve(rig->stance, rig->terrain, RADIUS * cos(a), RADIUS * sin(a), a + 1.5707963, q, &report))
            ++*out_failed;
    }
    return poses / (bench_cpu_seconds() - start);
}

static void bench_stances(BenchRun *run, const char *name, RiStanceContact contact, double limit, double *speeds)
{
    RoverRig rig;
    RiStanceDef def = ri_stance_def_default();
    def.contact = contact;
    int failed = 0;
    RiStatus status = rover_rig_load(&rig, "curiosity", true, DEM, DEM_HALF);
    if (status == RI_OK)
        status = ri_stance_create(rig.ctx, rig.spec, rig.model, &def, &rig.stance);
    double *q = status == RI_OK ? calloc((size_t)ri_model_nq(rig.model), sizeof *q) : NULL;
    if (!q)
        fail(run, name, &rig);
    else {
        ri_model_get_initial_q(rig.model, q);
        const long before = rig.allocations;
        const int poses = contact == RI_STANCE_BELOW_HUB ? POSES : POSES / 10;
        for (int r = 0; r < run->repeats; r++)
            speeds[r] = walk(&rig, q, r, poses, &failed);
        emit_limit(run, name, "1/s", speeds, run->repeats, limit, failed == 0 && rig.allocations == before);
    }
    free(q);
    rover_rig_close(&rig);
}

// --- driven --------------------------------------------------------------------------------------

/// Speed over the next `seconds` of motion; NAN after a failure.
static double drive(BenchRun *run, const char *name, RoverRig *rig, double seconds)
{
    const double start = bench_cpu_seconds();
    for (int left = (int)lround(seconds / ri_sim_options(rig->sim)->tick); left > 0; left--)
        if (rover_rig_step(rig) != RI_OK) {
            fail(run, name, rig);
            return NAN;
        }
    return seconds / (bench_cpu_seconds() - start);
}

/// It has gone somewhere, upright and on the field.
static bool has_driven(const RoverRig *rig)
{
    const double *q = ri_sim_q(rig->sim);
    const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
    return R.m[2][2] > FALLEN && q[0] > BENCH_ROVER_X + 1.0 && fabs(q[0]) < 5.0 && fabs(q[1]) < 5.0;
}

static void compare(const BenchRun *run, const RoverRig *rig, double *ours, double *theirs, int peer)
{
    BenchRow row = bench_row(run->bench, "mer.mujoco", "x", run->repeats);
    row.peer = run->peers.list[peer].label;
    row.ours = bench_median(ours, run->repeats, &row.spread);
    row.peer_value = bench_median(theirs, run->repeats, &row.peer_spread);
    row.ratio = row.ours / row.peer_value;
    row.bar = 8.0;
    row.valid = has_driven(rig);
    bench_emit(run, &row);
}

static void bench_drive(BenchRun *run, double *ours, double *theirs)
{
    RoverRig rig;
    char path[256];
    int peer = -1;
    const double seconds = BENCH_ROVER_SECONDS / run->repeats;
    bench_temporary(bench_temporary_folder(), ".xml", path, sizeof path);
    bool good = rover_rig_open(&rig, "mer", true) == RI_OK;
    if (!good)
        fail(run, "mer", &rig);
    else if (!rover_rig_write_mjcf(&rig, path))
        bench_fail(run, "mer", "the XML file for MuJoCo cannot be written to /tmp");
    for (int r = 0; r < run->repeats && good; r++) {
        ours[r] = drive(run, "mer", &rig, seconds);
        good = isfinite(ours[r]);
        for (int p = 0; p < run->peers.count && good; p++) {
            double us;
            if ((r > 0 && p != peer) || strncmp(run->peers.list[p].label, "mujoco", 6) != 0)
                continue;
            if (!bench_peer_time(&run->peers, p, path, "elliptic", seconds, &us))
                continue;
            theirs[r] = 1e6 / us;
            peer = p;
        }
    }
    if (good && peer >= 0)
        compare(run, &rig, ours, theirs, peer);
    if (good)
        emit_limit(run, "mer.speed", "x", ours, run->repeats, 100.0, has_driven(&rig));
    unlink(path);
    rover_rig_close(&rig);
}

/// What collision shapes of the body cost where only wheels are near the ground: speed with them
/// over that without, round by round.
static void bench_bodies(BenchRun *run, double *ratios)
{
    RoverRig whole, bare;
    const char *name = "mer.bodies";
    const double seconds = BENCH_ROVER_SECONDS / run->repeats;
    bool good = rover_rig_open(&whole, "mer", true) == RI_OK;
    if (!good)
        fail(run, name, &whole);
    if (rover_rig_open(&bare, "mer", false) != RI_OK) {
        fail(run, name, &bare);
        good = false;
    }
    for (int r = 0; r < run->repeats && good; r++) {
        const double without = drive(run, name, &bare, seconds), with = drive(run, name, &whole, seconds);
        ratios[r] = with / without;
        good = isfinite(ratios[r]);
    }
    const bool same =
        good && memcmp(ri_sim_q(whole.sim), ri_sim_q(bare.sim), (size_t)ri_model_nq(whole.model) * sizeof(double)) == 0;
    if (good) {
        BenchRow row = bench_row(run->bench, name, "x", run->repeats);
        row.peer = "wheels only";
        row.ours = row.ratio = bench_median(ratios, run->repeats, &row.spread);
        row.peer_value = 1.0;
        row.bar = 0.97;
        row.valid = same && has_driven(&whole);
        bench_emit(run, &row);
    }
    rover_rig_close(&whole);
    rover_rig_close(&bare);
}

void bench_rover(BenchRun *run)
{
    double *speeds = calloc(2 * (size_t)run->repeats, sizeof *speeds);
    if (!speeds)
        return;
    if (bench_wants(run, "stance.hub"))
        bench_stances(run, "stance.hub", RI_STANCE_BELOW_HUB, 200000.0, speeds);
    if (bench_wants(run, "stance.surface"))
        bench_stances(run, "stance.surface", RI_STANCE_ON_SURFACE, NAN, speeds);
    if (bench_wants(run, "mer.speed"))
        bench_drive(run, speeds, speeds + run->repeats);
    if (bench_wants(run, "mer.bodies"))
        bench_bodies(run, speeds);
    free(speeds);
    bench_rover_campaign(run);
}
