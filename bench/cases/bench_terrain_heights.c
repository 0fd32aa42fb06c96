// SPDX-License-Identifier: Apache-2.0
/// \file
/// Height fields and shapes against limits: heights with slopes against the rates a map must give
/// and against what memory gives, distance and rays, and how little a thousand stones cost beside
/// one.
#include "bench/cases/bench_terrain_heights.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <rille/terrain.h>

#include "base/rng.h"

enum { SIDE = 2048, BATCH = 4096, RAYS = 512, STONES = 1000 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// What is asked: points of a path or anywhere, and room for the answers.
typedef struct Work {
    BenchRun *run;
    RiContext *ctx;
    RiRaster *raster;
    RiTerrain *terrain;
    double x[BATCH], y[BATCH];
    RiVec3 point[BATCH], direction[RAYS];
    RiHeight height[BATCH];
    RiSurface surface[BATCH];
    RiTerrainHit hit[RAYS];
    bool found[BATCH];
    uint32_t index[BATCH];
    double sum; ///< keeps what is computed alive
} Work;

/// Rolling ground, 0.25 m between values.
static RiStatus make_raster(Work *w)
{
    RI_TRY(ri_raster_create(w->ctx, SIDE, SIDE, 0.25, 0.25, &w->raster));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const double x = 0.25 * i, y = 0.25 * j;
            w->raster->values[(size_t)j * SIDE + (size_t)i] =
                (float)(3.0 * sin(0.05 * x + sin(0.03 * y)) + 0.4 * sin(0.7 * x) * cos(0.9 * y));
        }
    return RI_OK;
}

static RiStatus make_heights(Work *w, RiInterpolation kind)
{
    RiHeightsDef def = ri_heights_def_default();
    def.raster = w->raster;
    def.interpolation = kind;
    return ri_terrain_create_heights(w->ctx, &def, &w->terrain);
}

/// Points along rows a tenth of a cell apart, or anywhere.
static void place_points(Work *w, bool coherent)
{
    RiRng rng = ri_rng_stream(1, "bench.heights");
    const double size = 0.25 * (SIDE - 1);
    for (int k = 0; k < BATCH; k++) {
        w->x[k] = coherent ? 100.0 + 0.025 * (k % 1024) : ri_rng_between(&rng, 0.0, size);
        w->y[k] = coherent ? 200.0 + 0.025 * (double)(k / 1024) : ri_rng_between(&rng, 0.0, size);
        w->index[k] = (uint32_t)(w->y[k] / 0.25) * SIDE + (uint32_t)(w->x[k] / 0.25);
    }
}

/// A new random batch in the same memory: the caches must not learn it.
static void shift_points(Work *w, double by)
{
    const double size = 0.25 * (SIDE - 1);
    for (int k = 0; k < BATCH; k++) {
        w->x[k] = fmod(w->x[k] + by, size);
        w->y[k] = fmod(w->y[k] + 1.7 * by, size);
        w->index[k] = (uint32_t)(w->y[k] / 0.25) * SIDE + (uint32_t)(w->x[k] / 0.25);
    }
}

static void ask_heights(Work *w)
{
    ri_terrain_height_many(w->terrain, BATCH, w->x, w->y, w->height, NULL);
    w->sum += w->height[BATCH - 1].z;
}

static void ask_distance(Work *w)
{
    ri_terrain_query_many(w->terrain, BATCH, w->point, w->surface);
    w->sum += w->surface[BATCH - 1].distance;
}

static void ask_rays(Work *w)
{
    ri_terrain_ray_many(w->terrain, RAYS, w->point, w->direction, 1e3, w->hit, w->found);
    w->sum += w->found[0] ? w->hit[0].range : 0.0;
}

/// One value per query from anywhere in the raster: what memory gives.
static void gather(Work *w)
{
    double sum = 0.0;
    for (int k = 0; k < BATCH; k++)
        sum += (double)w->raster->values[w->index[k]];
    w->sum += sum;
}

/// Rate of a question [M/s]; `wander`: random points move between batches, outside the time.
static double rate(Work *w, void (*ask)(Work *), int count, bool wander)
{
    double spent = 0.0;
    long long done = 0;
    ask(w);
    while (spent < w->run->seconds) {
        if (wander)
            shift_points(w, 17.3);
        const double start = cpu_seconds();
        for (int k = 0; k < (wander ? 1 : 16); k++, done += count)
            ask(w);
        spent += cpu_seconds() - start;
    }
    return 1e-6 * (double)done / spent;
}

static void emit(const BenchRun *run, const char *name, const char *unit, double *ours, double limit, double bar)
{
    BenchRow row = bench_row(run->bench, name, unit, run->repeats);
    row.peer = "limit";
    row.ours = bench_median(ours, run->repeats, &row.spread);
    row.peer_value = limit;
    row.ratio = row.ours / limit;
    row.bar = bar;
    bench_emit(run, &row);
}

static void bench_batches(Work *w, RiInterpolation kind, double *x)
{
    BenchRun *run = w->run;
    const char *coherent = kind == RI_BICUBIC ? "heights.bicubic.coherent" : "heights.bilinear.coherent";
    const char *random = kind == RI_BICUBIC ? "heights.bicubic.random" : "heights.bilinear.random";
    if (bench_wants(run, coherent)) {
        place_points(w, true);
        for (int r = 0; r < run->repeats; r++)
            x[r] = rate(w, ask_heights, BATCH, false);
        emit(run, coherent, "M/s", x, kind == RI_BICUBIC ? 15.0 : 50.0, 1.0);
    }
    if (bench_wants(run, random)) {
        place_points(w, false);
        double *raw = x + run->repeats;
        for (int r = 0; r < run->repeats; r++) {
            raw[r] = rate(w, gather, BATCH, true);
            x[r] = rate(w, ask_heights, BATCH, true);
        }
        double spread;
        emit(run, random, "M/s", x, bench_median(raw, run->repeats, &spread), NAN);
    }
}

/// Contact points within centimetres of the ground, and a camera's view over it.
static void bench_distance(Work *w, double *x)
{
    BenchRun *run = w->run;
    if (bench_wants(run, "heights.bicubic.distance")) {
        place_points(w, true);
        ask_heights(w);
        for (int k = 0; k < BATCH; k++)
            w->point[k] = ri_vec3(w->x[k], w->y[k], w->height[k].z + 0.01 * ((k * 7) % 11 - 5));
        double *height = x + run->repeats, spread;
        for (int r = 0; r < run->repeats; r++) {
            height[r] = rate(w, ask_heights, BATCH, false);
            x[r] = rate(w, ask_distance, BATCH, false);
        }
        // A closest point may cost ten heights.
        emit(run, "heights.bicubic.distance", "M/s", x, bench_median(height, run->repeats, &spread), 0.1);
    }
    if (bench_wants(run, "heights.bicubic.rays")) {
        for (int k = 0; k < RAYS; k++) {
            w->point[k] = ri_vec3(100.0, 200.0, 8.0);
            w->direction[k] = ri_vec3(cos(0.002 * k), sin(0.002 * k), -0.3 + 0.0006 * k);
        }
        for (int r = 0; r < run->repeats; r++)
            x[r] = rate(w, ask_rays, RAYS, false);
        emit(run, "heights.bicubic.rays", "M/s", x, 0.2, 1.0);
    }
}

static RiStatus make_stones(Work *w, int count)
{
    RiRng rng = ri_rng_stream(2, "bench.stones");
    RiGroundPart *parts = calloc((size_t)count + 1, sizeof *parts);
    if (!parts)
        return RI_ERR_MEMORY;
    parts[0] = (RiGroundPart){.shape = RI_GROUND_PLANE, .pose = ri_pose_identity()};
    for (int k = 1; k <= count; k++) {
        const double size = ri_rng_between(&rng, 0.05, 0.3);
        parts[k] = (RiGroundPart){
            .shape = RI_GROUND_STONE, .pose = ri_pose_identity(), .a = size, .b = 0.8 * size, .c = 0.6 * size};
        parts[k].pose.p = ri_vec3(ri_rng_between(&rng, 0.0, 50.0), ri_rng_between(&rng, 0.0, 50.0), 0.0);
    }
    const RiStatus status = ri_terrain_create_shapes(w->ctx, count + 1, parts, &w->terrain);
    free(parts);
    return status;
}

/// A thousand stones must not cost a thousand evaluations: against one stone on the same plane.
static void bench_stones(Work *w, double *x)
{
    BenchRun *run = w->run;
    double *one = x + run->repeats, spread;
    RiRng rng = ri_rng_stream(3, "bench.walk");
    for (int k = 0; k < BATCH; k++)
        w->point[k] =
            ri_vec3(ri_rng_between(&rng, 0.0, 50.0), ri_rng_between(&rng, 0.0, 50.0), ri_rng_between(&rng, -0.05, 0.5));
    for (int many = 0; many < 2; many++) {
        if (make_stones(w, many ? STONES : 1) != RI_OK) {
            bench_fail(run, "shapes.stones1000", ri_context_message(w->ctx));
            return;
        }
        for (int r = 0; r < run->repeats; r++)
            (many ? x : one)[r] = rate(w, ask_distance, BATCH, false);
        ri_terrain_destroy(w->terrain);
        w->terrain = NULL;
    }
    emit(run, "shapes.stones1000", "M/s", x, bench_median(one, run->repeats, &spread), 0.05);
}

static void bench_all(Work *w, double *x)
{
    if (make_raster(w) != RI_OK) {
        bench_fail(w->run, "heights", ri_context_message(w->ctx));
        return;
    }
    for (int kind = 0; kind < 2; kind++) {
        const RiInterpolation interpolation = kind ? RI_BICUBIC : RI_BILINEAR;
        if (make_heights(w, interpolation) != RI_OK) {
            bench_fail(w->run, "heights", ri_context_message(w->ctx));
            continue;
        }
        bench_batches(w, interpolation, x);
        if (kind)
            bench_distance(w, x);
        ri_terrain_destroy(w->terrain);
        w->terrain = NULL;
    }
    if (bench_wants(w->run, "shapes.stones1000"))
        bench_stones(w, x);
}

void bench_terrain_heights(BenchRun *run)
{
    Work *w = calloc(1, sizeof *w);
    double *x = calloc(2 * (size_t)run->repeats, sizeof *x);
    if (w && x && ri_context_create(NULL, &w->ctx) == RI_OK) {
        w->run = run;
        bench_all(w, x);
        ri_raster_destroy(w->raster);
        ri_context_destroy(w->ctx);
    }
    free(x);
    free(w);
}
