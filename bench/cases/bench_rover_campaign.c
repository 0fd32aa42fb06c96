// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille bench rover`, row fido.campaign: runs of the tilt table's campaign per second on two
/// cores, loading included. All of them in a minute is the bar.
#include <math.h>
#include <stdlib.h>

#include <rille/study/tilt_table.h>

#include "bench/bench_run.h"
#include "bench/engine.h"
#include "cli.h"

enum { EVERY = 11, CORES = 2 }; // the runs are independent: two cores make twice as many
static const double MINUTE = 60.0;

/// Runs per second of processor time; NAN after a failure.
static double make_runs(RiContext *ctx, const char *scene, int round, RiTiltCampaign *c)
{
    RiTiltOptions o = ri_tilt_options_default();
    o.scene = scene;
    o.threads = 1;
    o.stride = EVERY;
    o.seed = (unsigned long long)round + 1;
    ri_tilt_plan(c);
    const double start = bench_cpu_seconds();
    if (ri_tilt_run(ctx, &o, c) != RI_OK)
        return NAN;
    return (c->run_count + EVERY - 1) / EVERY / (bench_cpu_seconds() - start);
}

static bool all_done(const RiTiltCampaign *c)
{
    for (int i = 0; i < c->run_count; i += EVERY)
        if (!c->runs[i].done)
            return false;
    return true;
}

void bench_rover_campaign(BenchRun *run)
{
    char scene[PATH_MAX];
    RiContext *ctx = NULL;
    if (!bench_wants(run, "fido.campaign") || !cli_find_scene("fido_tilt_table", scene))
        return;
    RiTiltCampaign *c = calloc(1, sizeof *c);
    double *speeds = calloc((size_t)run->repeats, sizeof *speeds);
    bool good = c && speeds && ri_context_create(NULL, &ctx) == RI_OK;
    if (!good)
        bench_fail(run, "fido.campaign", "out of memory");
    for (int r = 0; r < run->repeats && good; r++) {
        speeds[r] = CORES * make_runs(ctx, scene, r, c);
        good = isfinite(speeds[r]);
        if (!good)
            bench_fail(run, "fido.campaign", ri_context_message(ctx));
    }
    if (good) {
        BenchRow row = bench_row(run->bench, "fido.campaign", "1/s", run->repeats);
        row.peer = "limit";
        row.ours = bench_median(speeds, run->repeats, &row.spread);
        row.peer_value = c->run_count / MINUTE;
        row.ratio = row.ours / row.peer_value;
        row.bar = 1.0;
        row.valid = all_done(c);
        bench_emit(run, &row);
    }
    ri_context_destroy(ctx);
    free(speeds);
    free(c);
}
