// SPDX-License-Identifier: Apache-2.0
/// \file
/// Large maps: opening a GeoTIFF of 10 000 x 10 000 heights and what it takes of memory, reading
/// pages, heights from resident pages beside the same heights in memory, and a walk over 10 km with
/// a patch of 1 cm around it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/terrain_io.h>

#include "bench/bench_run.h"
#include "bench/temporary.h"
#include "cli.h"

enum { SIDE = 10000, ASKED = 200000, AT_ONCE = 1000, WALK = 10000 };

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Memory of this process that it does not share with others, and of its children likewise [MB].
static double memory_of(long pid)
{
    char path[64], line[128];
    long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "Pss:", 4) == 0)
            kilobytes = strtol(line + 4, NULL, 10);
    if (f)
        fclose(f);
    return (double)kilobytes / 1024.0;
}

static double memory_of_all(void)
{
    char path[64], text[256] = "";
    double sum = memory_of((long)getpid());
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *f = fopen(path, "r");
    if (f && fgets(text, sizeof text, f))
        for (char *rest = text, *word; (word = strsep(&rest, " "));)
            sum += word[0] ? memory_of(strtol(word, NULL, 10)) : 0.0;
    if (f)
        fclose(f);
    return sum;
}

static double ground(double x, double y)
{
    return 40.0 * sin(0.0013 * x) * cos(0.0017 * y) + 2.0 * sin(0.041 * x + 0.2 * sin(0.03 * y)) + 0.2 * cos(0.37 * y);
}

static RiStatus make_raster(RiContext *ctx, int n, double cell, double x0, double y0, RiRaster **out)
{
    RI_TRY(ri_raster_create(ctx, n, n, cell, cell, out));
    (*out)->x0 = x0;
    (*out)->y0 = y0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            (*out)->values[(size_t)j * (size_t)n + (size_t)i] = (float)ground(x0 + i * cell, y0 + j * cell);
    return RI_OK;
}

static RiStatus write_map(RiContext *ctx, const char *path)
{
    RiRaster *r = NULL;
    RiStatus status = make_raster(ctx, SIDE, 1.0, 0.0, 0.0, &r);
    if (status == RI_OK)
        status = ri_raster_save(ctx, r, path, false);
    ri_raster_destroy(r);
    return status;
}

static RiStatus open_map(RiContext *ctx, const char *path, const RiTerrain *patch, RiTerrain **out)
{
    RiTilesDef def = ri_tiles_def_default();
    RI_TRY(ri_tiles_open(ctx, path, NULL, &def.source));
    def.patch = patch;
    def.blend = patch ? 0.5 : 0.0;
    return ri_terrain_create_tiles(ctx, &def, out);
}

static void emit(const BenchRun *run, const char *name, const char *unit, const char *peer, double *ours, double limit,
                 double bar, bool rate)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = peer;
    row.ours = bench_median(ours, run->repeats, &row.spread);
    row.peer_value = limit;
    row.ratio = rate ? row.ours / limit : limit / row.ours;
    row.bar = bar;
    bench_emit(run, &row);
}

/// Heights per second [M/s]: tracks of a body of AT_ONCE points that moves through a square of
/// `reach` metres.
static double height_rate(const RiTerrain *t, double reach)
{
    static double x[AT_ONCE], y[AT_ONCE];
    static RiHeight out[AT_ONCE];
    double best = 0.0;
    for (int turn = 0; turn < 3; turn++) { // the first also reads the pages
        const double start = wall_seconds();
        for (int k = 0; k < ASKED; k += AT_ONCE) {
            const double at = reach * k / ASKED;
            for (int n = 0; n < AT_ONCE; n++) {
                x[n] = 100.0 + at + 0.01 * n;
                y[n] = 100.0 + at + 0.3 * (n % 10);
            }
            ri_terrain_height_many(t, AT_ONCE, x, y, out, NULL);
        }
        best = fmax(best, 1e-6 * ASKED / (wall_seconds() - start));
    }
    return best;
}

static void bench_heights(BenchRun *run, RiContext *ctx, const char *path, double *paged, double *whole)
{
    RiRaster *r = NULL;
    RiTerrain *all = NULL, *map = NULL;
    RiHeightsDef def = ri_heights_def_default();
    RiStatus status = make_raster(ctx, 1000, 1.0, 0.0, 0.0, &r);
    def.raster = r;
    if (status == RI_OK)
        status = ri_terrain_create_heights(ctx, &def, &all);
    if (status == RI_OK)
        status = open_map(ctx, path, NULL, &map);
    for (int k = 0; k < run->repeats && status == RI_OK; k++) {
        whole[k] = height_rate(all, 500.0);
        paged[k] = height_rate(map, 500.0);
    }
    double spread;
    if (status == RI_OK)
        emit(run, "tiles.height_bicubic", "M/s", "in memory", paged, bench_median(whole, run->repeats, &spread), 0.5,
             true);
    else
        bench_fail(run, "tiles.height_bicubic", ri_context_message(ctx));
    ri_terrain_destroy(map);
    ri_terrain_destroy(all);
    ri_raster_destroy(r);
}

/// Time of opening until the first height is there [s], memory with every page of the pool in use
/// [MB], time of a page [ms].
static void bench_open(BenchRun *run, RiContext *ctx, const char *path, double *x)
{
    const int n = run->repeats;
    double *seconds = x, *memory = x + n, *page = x + 2 * n;
    for (int k = 0; k < n; k++) {
        RiTerrain *map;
        RiHeight h;
        const double before = memory_of_all(), start = wall_seconds();
        if (open_map(ctx, path, NULL, &map) != RI_OK) {
            bench_fail(run, "tiles.open", ri_context_message(ctx));
            return;
        }
        ri_terrain_height(map, 0.5 * SIDE, 0.5 * SIDE, &h);
        seconds[k] = wall_seconds() - start;
        const double then = wall_seconds();
        for (int p = 0; p < 600; p++)
            ri_terrain_height(map, 100.0 + 256.0 * (p % 38), 100.0 + 256.0 * (p / 38), &h);
        page[k] = (wall_seconds() - then) / 600.0 * 1e3;
        memory[k] = memory_of_all() - before;
        if (ri_terrain_info(map).ambiguous)
            bench_fail(run, "tiles.open", "a page could not be read");
        ri_terrain_destroy(map);
    }
    emit(run, "tiles.open_10k", "s", "limit", seconds, 0.5, 1.0, false);
    emit(run, "tiles.memory_10k", "MB", "limit", memory, 300.0, 1.0, false);
    emit(run, "tiles.page_read", "ms", "limit", page, 10.0, 1.0, false);
}

/// A robot crosses the map of 10 km and 1 m cells along its diagonal in steps of about 1 m: six
/// wheels and a ray in each, and every 2000 steps the map is opened again with a patch of 10 m and 1
/// cm cells around the robot. Time of a step [us] and memory [MB].
static double walk(BenchRun *run, RiContext *ctx, const char *path, double *out_memory)
{
    const double before = memory_of_all(), start = wall_seconds();
    RiTerrain *map = NULL, *patch = NULL;
    RiStatus status = RI_OK;
    double most = 0.0;
    for (int k = 0; k < WALK && status == RI_OK; k++) {
        const double x = 0.7 * k + 100.0, y = 0.7 * k + 150.0 + 50.0 * sin(0.01 * k);
        if (k % 2000 == 0) { // a session with one patch
            RiRaster *r = NULL;
            RiHeightsDef def = ri_heights_def_default();
            ri_terrain_destroy(map);
            ri_terrain_destroy(patch);
            map = patch = NULL;
            status = make_raster(ctx, 1000, 0.01, x - 5.0, y - 5.0, &r);
            def.raster = r;
            if (status == RI_OK)
                status = ri_terrain_create_heights(ctx, &def, &patch);
            if (status == RI_OK)
                status = open_map(ctx, path, patch, &map);
            ri_raster_destroy(r);
        }
        RiSurface s[6];
        RiTerrainHit hit;
        RiVec3 points[6];
        for (int w = 0; w < 6; w++)
            points[w] = ri_vec3(x + w % 3, y + 1.0 * (w / 3), ground(x, y) + 0.25);
        if (status == RI_OK) {
            ri_terrain_query_many(map, 6, points, s);
            ri_terrain_ray(map, ri_add(points[0], ri_vec3(0, 0, 2.0)), ri_vec3(0.7, 0.7, -0.05), 100.0, &hit);
        }
        most = k % 500 == 0 ? fmax(most, memory_of_all() - before) : most;
    }
    if (status != RI_OK)
        bench_fail(run, "tiles.walk_10km", ri_context_message(ctx));
    ri_terrain_destroy(map);
    ri_terrain_destroy(patch);
    *out_memory = most;
    return (wall_seconds() - start) / WALK * 1e6;
}

static void bench_walk(BenchRun *run, RiContext *ctx, const char *path, double *step, double *memory)
{
    for (int k = 0; k < run->repeats && !run->failed; k++)
        step[k] = walk(run, ctx, path, &memory[k]);
    if (run->failed)
        return;
    emit(run, "tiles.walk_10km_step", "us", "limit", step, 1000.0, 1.0, false);
    emit(run, "tiles.walk_10km_memory", "MB", "limit", memory, 300.0, 1.0, false);
}

void bench_terrain_tiles(BenchRun *run)
{
    if (!bench_wants(run, "tiles.open_10k") && !bench_wants(run, "tiles.height_bicubic") &&
        !bench_wants(run, "tiles.walk_10km"))
        return;
    RiContext *ctx = NULL;
    char path[256];
    double *x = calloc(4 * (size_t)run->repeats, sizeof *x);
    bench_temporary(bench_temporary_folder(), ".tif", path, sizeof path);
    if (!x || ri_context_create(NULL, &ctx) != RI_OK || write_map(ctx, path) != RI_OK)
        bench_fail(run, "tiles", ctx ? ri_context_message(ctx) : "out of memory");
    else {
        if (bench_wants(run, "tiles.open_10k"))
            bench_open(run, ctx, path, x);
        if (bench_wants(run, "tiles.height_bicubic"))
            bench_heights(run, ctx, path, x, x + run->repeats);
        if (bench_wants(run, "tiles.walk_10km"))
            bench_walk(run, ctx, path, x, x + run->repeats);
    }
    unlink(path);
    ri_context_destroy(ctx);
    free(x);
}
