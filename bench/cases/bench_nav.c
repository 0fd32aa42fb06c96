// SPDX-License-Identifier: Apache-2.0
/// \file
/// Navigation against limits: an update of the local map with 10 000 points and 60 arcs, repair of
/// a plan on 500 x 500 cells after a local change, growth with the number of cells. CPU time.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <rille/navigation.h>

#include "base/rng.h"
#include "bench/bench_run.h"
#include "bench/cases/bench_nav.h"

enum { POINTS = 10000, ROOM = 4096 };

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

/// A wedge of points 0.6 to 3 m ahead over rolling ground, as hazcams give it.
static void fill_wedge(RiVec3 *points, RiRng *rng)
{
    for (int i = 0; i < POINTS; i++) {
        const double r = ri_rng_between(rng, 0.6, 3.0), a = ri_rng_between(rng, -1.0, 1.0);
        const double x = r * cos(a), y = r * sin(a);
        points[i] = (RiVec3){x, y, 0.05 * sin(3.0 * x) * cos(2.0 * y) + ri_rng_between(rng, -0.005, 0.005)};
    }
}

/// One cycle: points into cells, patches, 60 arcs rated [ms].
static double time_gestalt(RiNavMap *map, const RiVec3 *points)
{
    static const double radii[14] = {0.8, 1.0, 1.2, 1.5, 1.8, 2.1, 2.5, 3.0, 3.6, 4.4, 5.5, 7.0, 10.0, 20.0};
    RiNavArc arcs[2 * 29 + 2];
    const double begin = cpu_seconds();
    ri_nav_map_add(map, points, POINTS);
    ri_nav_map_update(map);
    const int count = ri_nav_fan(radii, 14, 3.0, 0.5, arcs);
    ri_nav_choose_arc(map, 0.0, 0.0, 0.0, 0.0, &(RiNavGoal){.x = 50.0, .y = 5.0}, arcs, count);
    return 1e3 * (cpu_seconds() - begin);
}

static void bench_gestalt(BenchRun *run, double *values)
{
    RiContext *ctx;
    RiNavMap *map = NULL;
    const RiNavOptions o = ri_nav_options_default();
    RiVec3 *points = malloc(POINTS * sizeof *points);
    if (!points || ri_context_create(NULL, &ctx) != RI_OK || ri_nav_map_create(ctx, &o, &map) != RI_OK) {
        bench_fail(run, "gestalt", "out of memory");
        free(points);
        return;
    }
    RiRng rng = ri_rng_stream(1, "bench.nav");
    fill_wedge(points, &rng);
    ri_nav_map_assume(map, (RiVec3){0}, 1.2);
    for (int i = 0; i < run->repeats; i++) {
        double sum = 0.0;
        for (int k = 0; k < 20; k++)
            sum += time_gestalt(map, points);
        values[i] = sum / 20.0;
    }
    emit(run, "gestalt_10000_points_60_arcs", "ms", values, 1.0);
    ri_nav_map_destroy(map);
    ri_context_destroy(ctx);
    free(points);
}

/// Plans once over n x n cells with rocks, then times a repair after rocks appear ahead of the
/// rover [ms].
static double time_repair(RiContext *ctx, int n, unsigned seed, double *out_first)
{
    static RiVec3 path[ROOM];
    RiPlanner *p = NULL;
    int count;
    double cost;
    if (ri_planner_create(ctx, n, n, 0.4, 0.0, 0.0, &p) != RI_OK)
        return NAN;
    RiRng rng = ri_rng_stream(seed, "bench.nav.plan");
    const double end = 0.4 * n - 2.0;
    bool ok = true;
    for (int i = 0; i < n * n / 20; i++) {
        const int ix = ri_rng_below(&rng, n), iy = ri_rng_below(&rng, n);
        if (ix + iy > 12 && ix + iy < 2 * n - 14)
            ok &= ri_planner_set_cost(p, ix, iy, INFINITY) == RI_OK;
    }
    double begin = cpu_seconds();
    ok &= ri_planner_plan(p, 1.0, 1.0, end, end, path, ROOM, &count, &cost) == RI_PLAN_FOUND;
    *out_first = 1e3 * (cpu_seconds() - begin);
    for (int i = -4; i <= 4; i++)
        ok &= ri_planner_set_cost(p, 12 + i, 12 - i, INFINITY) == RI_OK;
    begin = cpu_seconds();
    ok &= ri_planner_plan(p, 1.2, 1.2, end, end, path, ROOM, &count, &cost) == RI_PLAN_FOUND;
    const double time = 1e3 * (cpu_seconds() - begin);
    ri_planner_destroy(p);
    return ok ? time : NAN;
}

static void bench_plan(BenchRun *run, double *values)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return;
    double *firsts = malloc((size_t)run->repeats * sizeof *firsts), small = 0.0;
    for (int i = 0; i < run->repeats && firsts; i++)
        values[i] = time_repair(ctx, 500, 1u + (unsigned)i, &firsts[i]);
    emit(run, "replan_500x500_after_local_change", "ms", values, 20.0);
    for (int i = 0; i < run->repeats && firsts; i++) {
        time_repair(ctx, 250, 1u + (unsigned)i, &small);
        values[i] = firsts[i] / (4.0 * small);
    }
    emit(run, "growth_of_first_plan_250_to_500_over_linear", "", values, 1.5);
    free(firsts);
    ri_context_destroy(ctx);
}

void bench_nav(BenchRun *run)
{
    double *values = malloc((size_t)run->repeats * sizeof *values);
    if (!values) {
        bench_fail(run, "nav", "out of memory");
        return;
    }
    if (bench_wants(run, "gestalt"))
        bench_gestalt(run, values);
    if (bench_wants(run, "plan"))
        bench_plan(run, values);
    if (bench_wants(run, "drive"))
        bench_nav_drives(run);
    if (bench_wants(run, "map"))
        bench_nav_maps(run);
    free(values);
}
