// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain against the machine: lookups in distance grids against raw gathers of the same run,
/// closest points against a bare Embree loop, and the time to bake a scan of a million triangles
/// and to start again from the cache. Then the rows of height fields and of large maps.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/terrain_io.h>

#include "bench/bench_run.h"
#include "bench/cases/bench_raw.h"
#include "bench/cases/bench_terrain_heights.h"
#include "bench/temporary.h"
#include "cli.h"

enum {
    BODY = 1000,
    STEPS = 512,
    POINTS = BODY * STEPS,
    CACHED = 32 * BODY,
    SIDE = BENCH_RAW_SIDE,
    AROUND = 1000,
    ALONG = 500,
    ASKED = 20000
};

static const double cell = 0.02; // of the lookup grids [m]

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Of all threads.
static double process_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// ratio: ours over the limit (a rate) or the limit over ours (a time).
static void emit(const BenchRun *run, const char *name, const char *unit, const char *peer, double *ours, double *peers,
                 int count, double bar, bool rate)
{
    BenchRow row = bench_row(run->bench, name, unit, count);
    row.peer = peer;
    row.ours = bench_median(ours, count, &row.spread);
    row.peer_value = bench_median(peers, count, &row.peer_spread);
    row.ratio = rate ? row.ours / row.peer_value : row.peer_value / row.ours;
    row.bar = bar;
    bench_emit(run, &row);
}

// --- lookups -------------------------------------------------------------------------------------

/// Points of a body of 0.3 m (10 x 10 x 10, slowly moving along the surface), or anywhere, in node
/// units and in metres. Each side reads its own: the raw loop 12 bytes for a point, the query 24.
typedef struct Cloud {
    int count;
    float *x, *y, *z;
    RiVec3 *points;
} Cloud;

typedef struct Lookup {
    RiContext *ctx;
    RiTerrain *plane, *dense, *sparse, *cubic;
    float *raw, *raw_out;
    RiSurface *out;
    Cloud coherent, cached,
        random; ///< half a million along a way; its first ones, which stay in the cache; half a million anywhere
} Lookup;

static double unit_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) * 0x1p-53;
}

static bool make_cloud(Cloud *c, bool coherent)
{
    uint64_t seed = 7;
    c->count = POINTS;
    c->x = malloc(POINTS * sizeof *c->x);
    c->y = malloc(POINTS * sizeof *c->y);
    c->z = malloc(POINTS * sizeof *c->z);
    c->points = malloc(POINTS * sizeof *c->points);
    if (!c->x || !c->y || !c->z || !c->points)
        return false;
    for (int i = 0; i < POINTS; i++) {
        const int b = i % BODY, step = i / BODY;
        double u = 60.0 + 0.1 * step + 1.2 * (b % 10), v = 100.0 + 0.02 * step + 1.2 * (b / 10 % 10);
        double w = 120.0 + 1.2 * (b / 100);
        if (!coherent) {
            u = 254.9 * unit_random(&seed);
            v = 254.9 * unit_random(&seed);
            w = 254.9 * unit_random(&seed);
        }
        c->x[i] = (float)u;
        c->y[i] = (float)v;
        c->z[i] = (float)w;
        c->points[i] = ri_vec3(cell * u, cell * v, cell * w);
    }
    return true;
}

static void free_cloud(Cloud *c)
{
    free(c->x);
    free(c->y);
    free(c->z);
    free(c->points);
}

static RiStatus bake_lookups(Lookup *k)
{
    const RiPlaneDef plane = {.point = {2.55, 2.55, 2.5}, .slope = 0.1, .azimuth = 0.5};
    RiBakeDef def = ri_bake_def_default();
    def.cell = cell;
    def.high = ri_vec3(cell * (SIDE - 1), cell * (SIDE - 1), cell * (SIDE - 1));
    def.band = 0.6; // the body stays within the bricks
    RI_TRY(ri_context_create(NULL, &k->ctx));
    RI_TRY(ri_terrain_create_plane(k->ctx, &plane, &k->plane));
    RI_TRY(ri_terrain_bake(k->ctx, k->plane, &def, &k->sparse));
    def.kind = RI_GRID_DENSE;
    RI_TRY(ri_terrain_bake(k->ctx, k->plane, &def, &k->dense));
    def.lookup = RI_LOOKUP_TRICUBIC;
    return ri_terrain_bake(k->ctx, k->plane, &def, &k->cubic);
}

static RiStatus open_lookup(Lookup *k)
{
    RI_TRY(bake_lookups(k));
    k->raw = malloc((size_t)SIDE * SIDE * SIDE * sizeof *k->raw);
    k->raw_out = malloc(BODY * sizeof *k->raw_out);
    k->out = malloc(BODY * sizeof *k->out);
    if (!k->raw || !k->raw_out || !k->out || !make_cloud(&k->coherent, true) || !make_cloud(&k->random, false))
        return ri_error(k->ctx, RI_ERR_MEMORY, "out of memory");
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        RiSurface s;
        ri_terrain_query(k->plane, ri_vec3(cell * (i % SIDE), cell * (i / SIDE % SIDE), cell * (i / SIDE / SIDE)), &s);
        k->raw[i] = (float)s.distance;
    }
    k->cached = k->coherent; // borrowed
    k->cached.count = CACHED;
    return RI_OK;
}

static void close_lookup(Lookup *k)
{
    free(k->raw);
    free(k->raw_out);
    free(k->out);
    free_cloud(&k->coherent);
    free_cloud(&k->random);
    ri_terrain_destroy(k->dense);
    ri_terrain_destroy(k->sparse);
    ri_terrain_destroy(k->cubic);
    ri_terrain_destroy(k->plane);
    ri_context_destroy(k->ctx);
}

/// Lookups per second [M/s], bodies of 1000 points into one buffer.
static double time_raw(const BenchRun *run, Lookup *k, const Cloud *c)
{
    const double start = cpu_seconds();
    double spent, count = 0.0;
    do {
        for (int i = 0; i < c->count; i += BODY)
            bench_raw_trilinear(k->raw, BODY, c->x + i, c->y + i, c->z + i, k->raw_out);
        count += c->count;
        spent = cpu_seconds() - start;
    } while (spent < run->seconds);
    return count / spent * 1e-6;
}

static double time_batch(const BenchRun *run, Lookup *k, const RiTerrain *t, const Cloud *c)
{
    const double start = cpu_seconds();
    double spent, count = 0.0;
    do {
        for (int i = 0; i < c->count; i += BODY)
            ri_terrain_query_many(t, BODY, c->points + i, k->out);
        count += c->count;
        spent = cpu_seconds() - start;
    } while (spent < run->seconds);
    return count / spent * 1e-6;
}

/// Time of a call for one point [ns].
static double time_single(const BenchRun *run, Lookup *k, const RiTerrain *t, const Cloud *c)
{
    const double start = cpu_seconds();
    double spent, count = 0.0;
    do {
        for (int i = 0; i < c->count; i++)
            ri_terrain_query(t, c->points[i], &k->out[i % BODY]);
        count += c->count;
        spent = cpu_seconds() - start;
    } while (spent < run->seconds);
    return spent / count * 1e9;
}

/// The raw loop and the public call must have looked up the same numbers.
static void check_lookup(BenchRun *run, Lookup *k)
{
    const Cloud *c = &k->coherent;
    bench_raw_trilinear(k->raw, BODY, c->x, c->y, c->z, k->raw_out);
    ri_terrain_query_many(k->sparse, BODY, c->points, k->out);
    for (int i = 0; i < BODY; i++) {
        const RiVec3 n = k->out[i].normal;
        const double gradient = cell * (n.x + n.y + n.z), sum = k->out[i].distance + gradient;
        if (k->out[i].flags || fabs(sum - (double)k->raw_out[i]) > 1e-5)
            bench_fail(run, "grid.sparse", "the raw loop and the query disagree");
    }
}

/// What a round measures: rates [M/s] and times [ns].
enum {
    COPY,
    RAW,
    RAW_CACHED,
    RAW_RANDOM,
    DENSE,
    DENSE_CACHED,
    DENSE_RANDOM,
    SPARSE,
    SPARSE_CACHED,
    CUBIC,
    ONE_DENSE,
    ONE_SPARSE,
    LIMIT,
    MEASURED
};

static void measure_lookups(const BenchRun *run, Lookup *k, double *x, int r)
{
    const int n = run->repeats;
    x[COPY * n + r] = bench_raw_copy(run->seconds);
    x[RAW * n + r] = time_raw(run, k, &k->coherent);
    x[DENSE * n + r] = time_batch(run, k, k->dense, &k->coherent);
    x[SPARSE * n + r] = time_batch(run, k, k->sparse, &k->coherent);
    x[CUBIC * n + r] = time_batch(run, k, k->cubic, &k->coherent);
    x[RAW_CACHED * n + r] = time_raw(run, k, &k->cached);
    x[DENSE_CACHED * n + r] = time_batch(run, k, k->dense, &k->cached);
    x[SPARSE_CACHED * n + r] = time_batch(run, k, k->sparse, &k->cached);
    x[RAW_RANDOM * n + r] = time_raw(run, k, &k->random);
    x[DENSE_RANDOM * n + r] = time_batch(run, k, k->dense, &k->random);
    x[ONE_DENSE * n + r] = time_single(run, k, k->dense, &k->cached);
    x[ONE_SPARSE * n + r] = time_single(run, k, k->sparse, &k->cached);
    x[LIMIT * n + r] = 60.0;
}

/// The bars stand at the points that come from memory, for the raw loop as for the query.
static void bench_lookup(BenchRun *run, double *x)
{
    Lookup k = {0};
    const int n = run->repeats;
    if (open_lookup(&k) != RI_OK) {
        bench_fail(run, "grid", ri_context_message(k.ctx));
        close_lookup(&k);
        return;
    }
    check_lookup(run, &k);
    for (int r = 0; r < n; r++)
        measure_lookups(run, &k, x, r);
    double *raw = x + RAW * n, *cached = x + RAW_CACHED * n, *random = x + RAW_RANDOM * n, *limit = x + LIMIT * n;
    emit(run, "limit.memcpy", "GB/s", "itself", x + COPY * n, x + COPY * n, n, NAN, true);
    emit(run, "grid.dense.batch", "M/s", "raw gather", x + DENSE * n, raw, n, 0.6, true);
    emit(run, "grid.dense.batch_cached", "M/s", "raw gather", x + DENSE_CACHED * n, cached, n, NAN, true);
    emit(run, "grid.dense.batch_random", "M/s", "raw gather", x + DENSE_RANDOM * n, random, n, 0.6, true);
    emit(run, "grid.sparse.batch", "M/s", "raw gather", x + SPARSE * n, raw, n, 0.4, true);
    emit(run, "grid.sparse.batch_cached", "M/s", "raw gather", x + SPARSE_CACHED * n, cached, n, NAN, true);
    emit(run, "grid.dense.tricubic", "M/s", "raw gather", x + CUBIC * n, raw, n, NAN, true);
    emit(run, "grid.dense.single", "ns", "limit", x + ONE_DENSE * n, limit, n, 1.0, false);
    emit(run, "grid.sparse.single", "ns", "limit", x + ONE_SPARSE * n, limit, n, 1.0, false);
    close_lookup(&k);
}

// --- a scan --------------------------------------------------------------------------------------

/// A rough tube of 20 m with a radius of about 6 m: a million triangles, free inside.
typedef struct Scan {
    RiVec3 *points;
    float (*single)[3];
    uint32_t (*triangles)[3];
    RiGroundMeshDef def;
} Scan;

static RiVec3 scan_point(int i, int k)
{
    const double angle = 2.0 * M_PI * i / AROUND, z = 20.0 * k / ALONG;
    double r = 6.0 + 0.4 * sin(3.0 * angle + 0.7 * z) + 0.3 * cos(0.9 * z);
    for (double f = 1.0, a = 0.1; f < 20.0; f *= 2.0, a *= 0.5)
        r += a * sin(11.0 * f * angle + 3.0 * f * z) * cos(2.3 * f * z + 5.0 * angle);
    return ri_vec3(r * cos(angle), r * sin(angle), z);
}

static bool make_scan(Scan *s)
{
    const int points = AROUND * (ALONG + 1), triangles = 2 * AROUND * ALONG;
    s->points = malloc((size_t)points * sizeof *s->points);
    s->single = malloc((size_t)points * sizeof *s->single);
    s->triangles = malloc((size_t)triangles * sizeof *s->triangles);
    if (!s->points || !s->single || !s->triangles)
        return false;
    for (int i = 0; i < points; i++) {
        s->points[i] = scan_point(i % AROUND, i / AROUND);
        s->single[i][0] = (float)s->points[i].x;
        s->single[i][1] = (float)s->points[i].y;
        s->single[i][2] = (float)s->points[i].z;
    }
    for (int i = 0; i < AROUND * ALONG; i++) {
        const uint32_t a = (uint32_t)i, b = (uint32_t)(i / AROUND * AROUND + (i + 1) % AROUND), c = a + AROUND,
                       d = b + AROUND;
        memcpy(s->triangles[2 * i], (uint32_t[3]){a, c, b}, 12);
        memcpy(s->triangles[2 * i + 1], (uint32_t[3]){b, c, d}, 12);
    }
    s->def = (RiGroundMeshDef){.points = s->points,
                               .triangles = (const uint32_t(*)[3])s->triangles,
                               .point_count = points,
                               .triangle_count = triangles,
                               .material = "ice"};
    return true;
}

static void free_scan(Scan *s)
{
    free(s->points);
    free(s->single);
    free(s->triangles);
}

/// Points up to 0.3 m off the surface, in an order along it.
static void scan_points(RiVec3 *points, float (*single)[3])
{
    uint64_t seed = 3;
    for (int i = 0; i < ASKED; i++) {
        const RiVec3 p = scan_point(i % AROUND, i / AROUND * 20);
        const RiVec3 off = ri_vec3(unit_random(&seed) - 0.5, unit_random(&seed) - 0.5, unit_random(&seed) - 0.5);
        for (int axis = 0; axis < 3; axis++)
            single[i][axis] = (float)(axis == 0   ? p.x + 0.6 * off.x
                                      : axis == 1 ? p.y + 0.6 * off.y
                                                  : p.z + 0.6 * off.z);
        points[i] = ri_vec3((double)single[i][0], (double)single[i][1], (double)single[i][2]);
    }
}

static void bench_closest(BenchRun *run, const Scan *s, const RiTerrain *mesh, double *x)
{
    RiVec3 *points = malloc(ASKED * sizeof *points);
    float(*single)[3] = malloc(ASKED * sizeof *single), *bare = malloc(ASKED * sizeof *bare);
    RiSurface *out = malloc(ASKED * sizeof *out);
    BenchRawMesh *raw =
        bench_raw_mesh(s->def.point_count, (const float(*)[3])s->single, s->def.triangle_count, s->def.triangles);
    if (!points || !single || !bare || !out || !raw) {
        bench_fail(run, "mesh.closest", "no Embree or no memory");
    } else {
        scan_points(points, single);
        for (int r = 0; r < run->repeats; r++) {
            double start = cpu_seconds();
            bench_raw_closest(raw, ASKED, (const float(*)[3])single, bare);
            x[run->repeats + r] = (cpu_seconds() - start) / ASKED * 1e6;
            start = cpu_seconds();
            ri_terrain_query_many(mesh, ASKED, points, out);
            x[r] = (cpu_seconds() - start) / ASKED * 1e6;
        }
        for (int i = 0; i < ASKED; i++)
            if (fabs(fabs(out[i].distance) - (double)bare[i]) > 1e-4)
                bench_fail(run, "mesh.closest", "the bare loop and the query disagree");
        emit(run, "mesh1M.closest", "us", "bare rtcPointQuery", x, x + run->repeats, run->repeats, 1.0 / 1.3, false);
    }
    bench_raw_mesh_free(raw);
    free(points);
    free(single);
    free(bare);
    free(out);
}

/// The cache's folder and the files in it.
static bool remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d)
        return false;
    char path[600];
    bool done = true;
    for (const struct dirent *e; (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        done &= unlink(path) == 0;
    }
    closedir(d);
    return rmdir(folder) == 0 && done;
}

/// Two cores for 20 s are 40 s of processor time, which does not depend on what else runs; the time
/// by the wall does.
static RiStatus bake_once(BenchRun *run, const Scan *s, RiContext *ctx, const RiTerrain *mesh, const RiBakeDef *def,
                          const char *folder)
{
    double forty = 40.0, twenty = 20.0;
    bool hit;
    RiTerrain *grid;
    const double start = wall_seconds(), spent = process_seconds();
    RI_TRY(ri_terrain_bake_cached(ctx, mesh, ri_ground_mesh_hash(&s->def), def, folder, &hit, &grid));
    double wall = wall_seconds() - start, processor = process_seconds() - spent;
    ri_terrain_destroy(grid);
    emit(run, "bake1M.sparse_2cm.processor", "s", "limit", &processor, &forty, 1, 1.0, false);
    emit(run, "bake1M.sparse_2cm.wall", "s", "limit", &wall, &twenty, 1, 1.0, false);
    return RI_OK;
}

static void bench_bake(BenchRun *run, const Scan *s, RiContext *ctx, const RiTerrain *mesh, double *x)
{
    char folder[256];
    snprintf(folder, sizeof folder, "%s/rille-bench-XXXXXX", bench_temporary_folder());
    if (!mkdtemp(folder)) {
        bench_fail(run, "bake", "there is no temporary folder");
        return;
    }
    RiBakeDef def = ri_bake_def_default();
    def.cell = 0.02;
    def.low = ri_vec3(-10.0, -10.0, 0.0);
    def.high = ri_vec3(10.0, 10.0, 20.0);
    if (bake_once(run, s, ctx, mesh, &def, folder) != RI_OK) {
        bench_fail(run, "bake", ri_context_message(ctx));
        return;
    }
    for (int r = 0; r < run->repeats; r++) {
        bool hit;
        RiTerrain *grid;
        const double start = wall_seconds();
        if (ri_terrain_bake_cached(ctx, NULL, ri_ground_mesh_hash(&s->def), &def, folder, &hit, &grid) != RI_OK)
            bench_fail(run, "cache", ri_context_message(ctx));
        x[r] = wall_seconds() - start;
        x[run->repeats + r] = 0.3;
        ri_terrain_destroy(grid);
    }
    emit(run, "bake1M.cached_start", "s", "limit", x, x + run->repeats, run->repeats, 1.0, false);
    if (!remove_folder(folder))
        bench_fail(run, "cache", "the folder could not be removed");
}

static void bench_scan(BenchRun *run, double *x)
{
    Scan s = {0};
    RiContext *ctx = NULL;
    RiTerrain *mesh = NULL;
    const bool made = make_scan(&s) && ri_context_create(NULL, &ctx) == RI_OK;
    const double start = process_seconds();
    if (!made)
        bench_fail(run, "mesh", "out of memory");
    else if (ri_terrain_create_mesh(ctx, &s.def, &mesh) != RI_OK)
        bench_fail(run, "mesh", ri_context_message(ctx));
    else {
        double spent = process_seconds() - start, limit = 5.0;
        emit(run, "mesh1M.create", "s", "limit", &spent, &limit, 1, NAN, false);
        if (bench_wants(run, "mesh1M.closest"))
            bench_closest(run, &s, mesh, x);
        if (!run->only || strstr("bake1M.sparse_2cm bake1M.cached_start", run->only))
            bench_bake(run, &s, ctx, mesh, x);
    }
    ri_terrain_destroy(mesh);
    ri_context_destroy(ctx);
    free_scan(&s);
}

void bench_terrain(BenchRun *run)
{
    double *x = calloc(MEASURED * (size_t)run->repeats, sizeof *x);
    if (!x)
        return;
    if (!run->only || strncmp(run->only, "grid", 4) == 0)
        bench_lookup(run, x);
    if (!run->only || strstr("mesh1M.closest mesh1M.create bake1M.sparse_2cm bake1M.cached_start", run->only))
        bench_scan(run, x);
    free(x);
    bench_terrain_heights(run);
    bench_terrain_tiles(run);
}
