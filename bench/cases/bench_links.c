// SPDX-License-Identifier: Apache-2.0
/// \file
/// Links to other programs, case by case: what a step, a value, a message costs through each of
/// them.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "bench/links.h"
#include "cli.h"

double links_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void links_limit(const BenchRun *run, const char *name, const char *unit, double *values, double limit)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = "limit";
    row.ours = bench_median(values, run->repeats, &row.spread);
    row.peer_value = limit;
    row.ratio = limit / row.ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

RiScene *links_open_scene(BenchRun *run, const char *name, RiContext **out_ctx)
{
    char path[PATH_MAX];
    RiScene *scene = NULL;
    *out_ctx = NULL;
    if (!cli_find_scene(name, path) || ri_context_create(NULL, out_ctx) != RI_OK) {
        bench_fail(run, name, "the scene cannot be opened");
        return NULL;
    }
    if (ri_scene_load(*out_ctx, path, NULL, &scene) != RI_OK || ri_scene_build(scene) != RI_OK) {
        bench_fail(run, name, ri_context_message(*out_ctx));
        ri_scene_destroy(scene);
        ri_context_destroy(*out_ctx);
        *out_ctx = NULL;
        return NULL;
    }
    return scene;
}

void bench_links(BenchRun *run)
{
#define LINK_CASE(name) links_##name(run);
#include "bench/links.def"
#undef LINK_CASE
}
