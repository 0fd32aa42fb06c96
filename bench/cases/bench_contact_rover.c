// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille bench contact`, row exomars.step: simulated seconds per second of processor time of
/// ExoMars over its step with integrator moreau, every contact exact. Forty is the bar.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <rille/scene.h>

#include "bench/bench_run.h"
#include "bench/engine.h"
#include "cli.h"

static const double BAR = 40.0;

/// One run of the scene; *out_valid if it got over the step and every problem was solved. NAN after
/// a failure.
static double run_once(RiContext *ctx, const char *path, bool *out_valid)
{
    RiScene *scene = NULL;
    RiStatus status = ri_scene_load(ctx, path, NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    double speed = NAN, x = 0.0, unsolved = 1.0;
    if (status == RI_OK) {
        RiSim *sim = ri_scene_sim(scene);
        const double start = bench_cpu_seconds();
        while (status == RI_OK && !ri_sim_stopped(sim) && ri_sim_time(sim) < ri_scene_duration(scene))
            status = ri_sim_step(sim);
        if (status == RI_OK)
            speed = ri_sim_time(sim) / (bench_cpu_seconds() - start);
        if (status == RI_OK)
            status = ri_values_eval(ri_sim_values(sim), "base.x", &x);
        if (status == RI_OK)
            status = ri_values_eval(ri_sim_values(sim), "validity.contact.not_converged", &unsolved);
    }
    *out_valid = status == RI_OK && x > 2.5 && unsolved == 0.0;
    ri_scene_destroy(scene);
    return speed;
}

void bench_contact_rover(BenchRun *run)
{
    static const char name[] = "exomars.step";
    char scene[PATH_MAX];
    RiContext *ctx = NULL;
    if (!bench_wants(run, name) || !cli_find_scene("exomars_step", scene))
        return;
    double *speeds = calloc((size_t)run->repeats, sizeof *speeds);
    bool good = speeds && ri_context_create(NULL, &ctx) == RI_OK, valid = true;
    if (!good)
        bench_fail(run, name, "out of memory");
    for (int r = 0; r < run->repeats && good; r++) {
        bool solved;
        speeds[r] = run_once(ctx, scene, &solved);
        valid &= solved;
        good = isfinite(speeds[r]);
        if (!good)
            bench_fail(run, name, ri_context_message(ctx));
    }
    if (good) {
        BenchRow row = bench_row(run->bench, name, "x real time", run->repeats);
        row.peer = "limit";
        row.peer_value = BAR;
        row.ours = bench_median(speeds, run->repeats, &row.spread);
        row.ratio = row.ours / BAR;
        row.bar = 1.0;
        row.valid = valid;
        bench_emit(run, &row);
    }
    ri_context_destroy(ctx);
    free(speeds);
}
