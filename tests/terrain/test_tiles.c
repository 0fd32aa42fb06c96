// SPDX-License-Identifier: Apache-2.0
/// \file
/// Paged maps: the same answers as in memory to the last bit, in bounded memory, from many threads;
/// holes, patches, reads that fail.
#include "ground.h"

#include <pthread.h>

/// Sanitizers slow pages down tenfold: they look for what goes wrong, not for rare places.
#if defined(__SANITIZE_THREAD__)
enum { PLACES = 60, RAYS = 40, STEPS = 60 };
#elif defined(__SANITIZE_ADDRESS__)
enum { PLACES = 600, RAYS = 100, STEPS = 300 };
#else
enum { PLACES = 3000, RAYS = 400, STEPS = 1500 };
#endif

/// A raster in memory as a source, which counts what is read and fails on demand.
typedef struct Store {
    RiRaster *raster;
    int reads[16]; ///< by level
    int closed;
    int fail_from, fail_to; ///< columns of level 0 that cannot be read; none if equal
} Store;

static float level_value(const RiRaster *r, int level, int i, int j)
{
    double sum = 0.0;
    int known = 0;
    for (int b = j << level; b < (j + 1) << level && b < r->ny; b++)
        for (int a = i << level; a < (i + 1) << level && a < r->nx; a++) {
            const float z = r->values[(size_t)b * (size_t)r->nx + (size_t)a];
            sum += fabsf(z) < 1e9f ? (double)z : 0.0;
            known += fabsf(z) < 1e9f;
        }
    return known ? (float)(sum / known) : NAN;
}

static RiStatus store_read(void *user, int level, int i, int j, int nx, int ny, float *out)
{
    Store *s = user;
    const int size_x = (s->raster->nx + (1 << level) - 1) >> level,
              size_y = (s->raster->ny + (1 << level) - 1) >> level;
    s->reads[level]++;
    if (i < 0 || j < 0 || nx < 1 || ny < 1 || i + nx > size_x || j + ny > size_y)
        abort(); // asked for what is not there
    if (s->fail_from < s->fail_to && i < s->fail_to && i + nx > s->fail_from)
        return RI_ERR_IO;
    for (int b = 0; b < ny; b++)
        for (int a = 0; a < nx; a++)
            out[(size_t)b * (size_t)nx + (size_t)a] =
                level ? level_value(s->raster, level, i + a, j + b)
                      : s->raster->values[(size_t)(j + b) * (size_t)s->raster->nx + (size_t)(i + a)];
    return RI_OK;
}

static void store_close(void *user)
{
    ((Store *)user)->closed++;
}

static double dunes(double x, double y)
{
    return 3.0 * sin(0.011 * x) * cos(0.013 * y) + 0.4 * sin(0.17 * x + 0.3 * cos(0.05 * y)) + 0.1 * cos(0.9 * y);
}

/// nx x ny values of dunes, 0.5 x 0.625 m apart.
static RiRaster *dune_raster(RiContext *ctx, int nx, int ny)
{
    RiRaster *r;
    if (ri_raster_create(ctx, nx, ny, 0.5, 0.625, &r) != RI_OK)
        abort();
    r->x0 = -100.25;
    r->y0 = 37.5;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            r->values[(size_t)j * (size_t)nx + (size_t)i] = (float)dunes(r->x0 + i * r->dx, r->y0 + j * r->dy);
    return r;
}

enum { SIXTEEN_PAGES = 16 * 295000 };

static RiTilesDef def_of(Store *s, int levels)
{
    const RiRaster *r = s->raster;
    RiTilesDef def = ri_tiles_def_default();
    def.source = (RiTileSource){.levels = levels,
                                .nx = r->nx,
                                .ny = r->ny,
                                .x0 = r->x0,
                                .y0 = r->y0,
                                .dx = r->dx,
                                .dy = r->dy,
                                .read = store_read,
                                .close = store_close,
                                .user = s};
    def.memory = SIXTEEN_PAGES;
    return def;
}

static RiTerrain *whole(RiContext *ctx, const RiRaster *r, RiInterpolation kind, RiEdge edge)
{
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    def.interpolation = kind;
    def.edge = edge;
    RiTerrain *t;
    if (ri_terrain_create_heights(ctx, &def, &t) != RI_OK)
        abort();
    return t;
}

/// Field by field: structs have padding.
static bool same_height(const RiHeight *a, const RiHeight *b)
{
    return a->z == b->z && a->zx == b->zx && a->zy == b->zy && a->zxx == b->zxx && a->zxy == b->zxy &&
           a->zyy == b->zyy && a->material == b->material && a->flags == b->flags;
}

static bool same_surface(const RiSurface *a, const RiSurface *b)
{
    return a->distance == b->distance && a->normal.x == b->normal.x && a->normal.y == b->normal.y &&
           a->normal.z == b->normal.z && a->material == b->material && a->flags == b->flags;
}

/// Random places of a map and beyond it; every fourth within a cell of a border between pages.
static RiVec3 any_place(RiRng *rng, const RiRaster *r)
{
    const RiVec3 low = ri_vec3(r->x0 - 20.0, r->y0 - 20.0, -4.0);
    const RiVec3 high = ri_vec3(r->x0 + r->nx * r->dx + 20.0, r->y0 + r->ny * r->dy + 20.0, 6.0);
    RiVec3 p = point_between(rng, low, high);
    if (ri_rng_between(rng, 0.0, 1.0) < 0.25)
        p.x = r->x0 + (256.0 * floor(ri_rng_between(rng, 0.0, r->nx / 256.0)) + ri_rng_between(rng, -1.0, 1.0)) * r->dx;
    return p;
}

static void compare(RiInterpolation kind, RiEdge edge, int nx, int ny)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, nx, ny)};
    RiTerrain *all = whole(ctx, store.raster, kind, edge), *paged;
    RiTilesDef def = def_of(&store, 1);
    def.interpolation = kind;
    def.edge = edge;
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &paged));
    RiRng rng = ri_rng_stream(7, "places");
    for (int k = 0; k < PLACES; k++) {
        const RiVec3 p = any_place(&rng, store.raster);
        RiHeight a, b;
        RiSurface c, d;
        CHECK(ri_terrain_height(all, p.x, p.y, &a) == ri_terrain_height(paged, p.x, p.y, &b));
        CHECK(same_height(&a, &b));
        if (k % 10)
            continue; // distances take longer
        ri_terrain_query(all, p, &c);
        ri_terrain_query(paged, p, &d);
        CHECK(same_surface(&c, &d));
    }
    CHECK(ri_terrain_info(paged).bytes < SIXTEEN_PAGES + 2000000);
    ri_terrain_destroy(paged);
    CHECK_INT(store.closed, 1);
    ri_terrain_destroy(all);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

TEST(paged_answers_equal_those_in_memory_to_the_last_bit)
{
    compare(RI_BICUBIC, RI_EDGE_EXTEND, 1500, 1300);
    compare(RI_BICUBIC, RI_EDGE_WALL, 1025, 1281);
    compare(RI_BILINEAR, RI_EDGE_STOP, 1301, 1290);
    compare(RI_BICUBIC, RI_EDGE_STOP, 258, 257);
    compare(RI_BILINEAR, RI_EDGE_EXTEND, 2, 3);
    compare(RI_BICUBIC, RI_EDGE_EXTEND, 3, 2);
}

TEST(paged_rays_hit_where_rays_in_memory_do)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 1500, 1300)};
    for (int kind = 0; kind < 4; kind++) {
        RiTilesDef def = def_of(&store, 1);
        def.interpolation = kind % 2 ? RI_BICUBIC : RI_BILINEAR;
        def.edge = kind < 2 ? RI_EDGE_EXTEND : RI_EDGE_WALL;
        RiTerrain *all = whole(ctx, store.raster, def.interpolation, def.edge), *paged;
        REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &paged));
        RiRng rng = ri_rng_stream(11, "rays");
        int hits = 0;
        for (int k = 0; k < RAYS; k++) {
            const RiVec3 from = any_place(&rng, store.raster);
            RiVec3 along = direction_of(&rng);
            along.z *= 0.05; // grazing
            RiTerrainHit a = {0}, b = {0};
            const bool found = ri_terrain_ray(all, from, along, 2000.0, &a);
            CHECK(found == ri_terrain_ray(paged, from, along, 2000.0, &b));
            if (found) {
                CHECK_CLOSE(b.range, a.range, 1e-8 * (1.0 + a.range));
                CHECK_CLOSE(ri_norm(ri_sub(a.normal, b.normal)), 0.0, 1e-7);
            }
            hits += found;
        }
        CHECK(hits > 3 * RAYS / 8);
        ri_terrain_destroy(all);
        ri_terrain_destroy(paged);
    }
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

TEST(a_ray_above_pages_known_to_be_low_reads_nothing)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 1500, 1300)};
    RiTilesDef def = def_of(&store, 1);
    RiTerrain *t;
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    RiTerrainHit hit;
    const RiVec3 from = ri_vec3(-100.0, 300.0, 20.0), along = ri_vec3(1.0, 0.0, 0.0);
    CHECK(!ri_terrain_ray(t, from, along, 700.0, &hit));
    const int first = store.reads[0];
    CHECK(first >= 6 && first <= 7); // the pages below it, once
    // Other pages take every slot; what was learnt stays.
    for (int k = 0; k < 40; k++) {
        RiHeight h;
        ri_terrain_height(t, -100.0 + 128.0 * (k % 6), 50.0 + 160.0 * (k / 6 % 5), &h);
    }
    const int then = store.reads[0];
    CHECK(!ri_terrain_ray(t, from, along, 700.0, &hit));
    CHECK(store.reads[0] <= then + 1); // at most the page below its start
    ri_terrain_destroy(t);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

TEST(memory_stays_bounded_and_the_longest_unused_page_gives_way)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 2000, 1100)}; // 8 x 5 pages in 16 slots
    RiTilesDef def = def_of(&store, 1);
    RiTerrain *t;
    RiHeight h;
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    const size_t bytes = ri_terrain_info(t).bytes;
    const unsigned long long allocations = ri_context_allocation_count(ctx);
    for (int k = 0; k < 40; k++) { // the first page is used again and again
        ri_terrain_height(t, -100.25, 37.5, &h);
        ri_terrain_height(t, -90.0 + 128.0 * (k % 8), 50.0 + 160.0 * (k / 8), &h);
    }
    CHECK_INT(store.reads[0], 40); // each page once: the busy one stayed
    CHECK_INT(ri_terrain_info(t).bytes, bytes);
    CHECK(bytes < SIXTEEN_PAGES + 2000000);
    CHECK_INT(ri_context_allocation_count(ctx), allocations);
    ri_terrain_destroy(t);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

static void punch(RiRaster *r, int i0, int j0, int nx, int ny)
{
    for (int j = j0; j < j0 + ny; j++)
        for (int i = i0; i < i0 + nx; i++)
            r->values[(size_t)j * (size_t)r->nx + (size_t)i] = i % 7 ? NAN : j % 5 ? INFINITY : -3.4e38f;
}

TEST(holes_are_filled_without_seams_and_flagged)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 900, 700)};
    punch(store.raster, 240, 100, 40, 30); // across the border of two pages
    punch(store.raster, 0, 0, 9, 5);       // at a corner
    RiTilesDef def = def_of(&store, 9);
    def.holes = RI_HOLES_FILL;
    RiTerrain *t;
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    const RiRaster *r = store.raster;
    const double border = r->x0 + 256 * r->dx;
    RiHeight a, b;
    for (int j = 90; j < 140; j++) {
        const double y = r->y0 + (j + 0.3) * r->dy;
        CHECK(ri_terrain_height(t, border - 1e-9, y, &a) && ri_terrain_height(t, border + 1e-9, y, &b));
        CHECK_CLOSE(a.z, b.z, 1e-8);
        CHECK_CLOSE(a.zx, b.zx, 1e-8);
        CHECK_INT(a.flags, j >= 99 && j < 130 ? RI_SURFACE_HOLE : 0);
        // Within what the ground does around: its relief over the hole is less than 1.5 m.
        CHECK_CLOSE(a.z, dunes(border, y), 1.5);
    }
    CHECK(ri_terrain_height(t, r->x0, r->y0, &a));
    CHECK_INT(a.flags, RI_SURFACE_HOLE);
    CHECK(isfinite(a.z));
    ri_terrain_destroy(t);
    // To be refused: a run that comes there is told to stop.
    def = def_of(&store, 9);
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    ri_terrain_height(t, border, r->y0 + 110 * r->dy, &a);
    CHECK_INT(a.flags, RI_SURFACE_HOLE | RI_SURFACE_OUTSIDE);
    ri_terrain_destroy(t);
    // Without coarser levels there is still ground.
    def = def_of(&store, 1);
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    ri_terrain_height(t, border, r->y0 + 110 * r->dy, &a);
    CHECK(fabs(a.z) < 4.0);
    ri_terrain_destroy(t);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

TEST(a_page_that_cannot_be_read_is_level_flagged_and_counted)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 1500, 1300), .fail_from = 600, .fail_to = 601};
    RiTilesDef def = def_of(&store, 1);
    RiTerrain *t;
    RiHeight h;
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    ri_terrain_height(t, -90.0, 50.0, &h);
    CHECK_INT(h.flags, 0);
    const double x = store.raster->x0 + 600 * store.raster->dx;
    for (int k = 0; k < 3; k++) {
        CHECK(ri_terrain_height(t, x, 50.0 + k, &h));
        CHECK_INT(h.flags, RI_SURFACE_HOLE | RI_SURFACE_OUTSIDE);
        CHECK(fabs(h.zx) < 1e-12 && fabs(h.zy) < 1e-12 && fabs(h.z) < 5.0);
    }
    CHECK_INT(ri_terrain_info(t).ambiguous, 1);
    CHECK_INT(store.reads[0], 2); // not tried again
    RiSurface s;
    ri_terrain_query(t, ri_vec3(x, 50.0, h.z + 1.0), &s);
    CHECK_CLOSE(s.distance, 1.0, 1e-6);
    ri_terrain_destroy(t);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

// ---- The patch

static double pebbles(double x, double y)
{
    return dunes(x, y) + 0.02 * sin(9.0 * x) * sin(8.0 * y) + 0.03;
}

typedef struct Scene {
    RiContext *ctx;
    Store store;
    RiTerrain *patch, *map, *both;
} Scene;

/// A patch of [0, 10]^2 at 5 cm, moved up by 3 cm, that goes over into the map within 2 m.
static void open_scene(Scene *s)
{
    *s = (Scene){.ctx = context_open()};
    s->store.raster = dune_raster(s->ctx, 600, 600);
    for (int k = 0; k < 600 * 600; k++) // the map around (0, 0)
        s->store.raster->values[k] = (float)dunes(-100.25 + (k % 600) * 0.5, -150.0 + (k / 600) * 0.625);
    s->store.raster->y0 = -150.0;
    s->patch = heights_of(s->ctx, pebbles, 201, 0.0, 10.0, RI_BICUBIC, RI_EDGE_EXTEND);
    RiTilesDef def = def_of(&s->store, 1);
    CHECK_OK(s->ctx, ri_terrain_create_tiles(s->ctx, &def, &s->map));
    def.patch = s->patch;
    def.blend = 2.0;
    def.material = "regolith";
    CHECK_OK(s->ctx, ri_terrain_create_tiles(s->ctx, &def, &s->both));
}

static void close_scene(Scene *s)
{
    ri_terrain_destroy(s->both);
    ri_terrain_destroy(s->map);
    ri_terrain_destroy(s->patch);
    ri_raster_destroy(s->store.raster);
    ri_context_destroy(s->ctx);
}

TEST(outside_the_patch_is_the_map_and_in_its_core_the_patch)
{
    Scene s;
    open_scene(&s);
    RiRng rng = ri_rng_stream(3, "patch");
    for (int k = 0; k < 800; k++) {
        const RiVec3 p = point_between(&rng, ri_vec3(-20, -20, -3), ri_vec3(30, 30, 3));
        const bool outside = p.x <= 0 || p.x >= 10 || p.y <= 0 || p.y >= 10;
        const bool core = p.x >= 2 && p.x <= 8 && p.y >= 2 && p.y <= 8;
        RiHeight a, b;
        RiSurface c, d;
        ri_terrain_height(s.both, p.x, p.y, &a);
        ri_terrain_query(s.both, p, &c);
        ri_terrain_height(outside ? s.map : s.patch, p.x, p.y, &b);
        ri_terrain_query(outside ? s.map : s.patch, p, &d);
        if (core || outside) {
            CHECK_INT(a.material, core);
            CHECK_INT(c.material, core);
            a.material = b.material = c.material = d.material = 0;
            CHECK(same_height(&a, &b));
            CHECK(same_surface(&c, &d));
        }
    }
    CHECK(strcmp(ri_terrain_material_name(s.both, 0), "regolith") == 0);
    CHECK(strcmp(ri_terrain_material_name(s.both, 1), "ground") == 0);
    CHECK_CLOSE(ri_terrain_info(s.both).cell, 0.05, 1e-12);
    close_scene(&s);
}

TEST(in_the_ring_slopes_and_curvature_are_those_of_the_height)
{
    Scene s;
    open_scene(&s);
    RiRng rng = ri_rng_stream(5, "ring");
    const double e = 1e-5;
    for (int k = 0; k < 500; k++) {
        const double x = ri_rng_between(&rng, 0.01, 1.99), y = ri_rng_between(&rng, 0.01, 9.99);
        if (fabs(x / 0.05 - round(x / 0.05)) < 0.01 || fabs(y / 0.05 - round(y / 0.05)) < 0.01 ||
            fabs((y + 150.0) / 0.625 - round((y + 150.0) / 0.625)) < 0.01)
            continue; // curvature jumps between cells
        RiHeight h, xp, xm, yp, ym;
        ri_terrain_height(s.both, x, y, &h);
        ri_terrain_height(s.both, x + e, y, &xp);
        ri_terrain_height(s.both, x - e, y, &xm);
        ri_terrain_height(s.both, x, y + e, &yp);
        ri_terrain_height(s.both, x, y - e, &ym);
        CHECK_CLOSE(h.zx, (xp.z - xm.z) / (2 * e), 1e-7);
        CHECK_CLOSE(h.zy, (yp.z - ym.z) / (2 * e), 1e-7);
        CHECK_CLOSE(h.zxx, (xp.zx - xm.zx) / (2 * e), 1e-5);
        CHECK_CLOSE(h.zxy, (yp.zx - ym.zx) / (2 * e), 1e-5);
        CHECK_CLOSE(h.zyy, (yp.zy - ym.zy) / (2 * e), 1e-5);
        RiSurface on;
        ri_terrain_query(s.both, ri_vec3(x, y, h.z), &on);
        CHECK_CLOSE(on.distance, 0.0, 1e-15);
    }
    close_scene(&s);
}

TEST(rays_meet_the_blended_ground_where_small_steps_do)
{
    Scene s;
    open_scene(&s);
    RiRng rng = ri_rng_stream(9, "rays");
    int hits = 0;
    for (int k = 0; k < 150; k++) {
        const RiVec3 from = point_between(&rng, ri_vec3(-10, -10, 1.5), ri_vec3(20, 20, 3));
        const RiVec3 to = point_between(&rng, ri_vec3(-3, -3, -3), ri_vec3(13, 13, -1));
        const RiVec3 along = ri_scale(1.0 / ri_norm(ri_sub(to, from)), ri_sub(to, from));
        RiTerrainHit hit;
        const bool found = ri_terrain_ray(s.both, from, along, 40.0, &hit);
        double brute = -1.0;
        for (double r = 0.0; brute < 0.0 && r < 40.0; r += 1e-3) {
            RiHeight h;
            ri_terrain_height(s.both, from.x + r * along.x, from.y + r * along.y, &h);
            brute = from.z + r * along.z <= h.z ? r : -1.0;
        }
        CHECK(found == (brute >= 0.0));
        if (found)
            CHECK_CLOSE(hit.range, brute, 2e-3);
        hits += found;
    }
    CHECK(hits > 100);
    close_scene(&s);
}

// ---- Threads

typedef struct Walker {
    const RiTerrain *paged, *all;
    const RiRaster *raster;
    unsigned long long seed;
    int wrong;
} Walker;

static void *walk(void *user)
{
    Walker *w = user;
    RiRng rng = ri_rng_stream(w->seed, "walker");
    for (int k = 0; k < STEPS; k++) {
        const RiVec3 p = any_place(&rng, w->raster);
        RiHeight a, b;
        ri_terrain_height(w->all, p.x, p.y, &a);
        ri_terrain_height(w->paged, p.x, p.y, &b);
        w->wrong += !same_height(&a, &b);
        RiTerrainHit hit;
        if (k % 50 == 0)
            ri_terrain_ray(w->paged, p, ri_vec3(1.0, 0.1, -0.01), 300.0, &hit);
    }
    return NULL;
}

TEST(threads_that_fight_for_pages_all_get_the_right_answers)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 2000, 1500)}; // 48 pages in 16 slots
    RiTilesDef def = def_of(&store, 1);
    RiTerrain *paged, *all = whole(ctx, store.raster, RI_BICUBIC, RI_EDGE_EXTEND);
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &paged));
    Walker walkers[4];
    pthread_t threads[4];
    for (int k = 0; k < 4; k++) {
        walkers[k] = (Walker){paged, all, store.raster, (unsigned long long)k, 0};
        pthread_create(&threads[k], NULL, walk, &walkers[k]);
    }
    for (int k = 0; k < 4; k++) {
        pthread_join(threads[k], NULL);
        CHECK_INT(walkers[k].wrong, 0);
    }
    CHECK(store.reads[0] > 100); // they did fight
    ri_terrain_destroy(paged);
    ri_terrain_destroy(all);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

// ---- Overview, definitions, faults

TEST(an_overview_comes_from_coarse_levels)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 1600, 1280)};
    RiTilesDef def = def_of(&store, 6);
    RiTerrain *t;
    RiRaster *r;
    REQUIRE_OK(ctx, ri_terrain_create_tiles(ctx, &def, &t));
    const RiTerrainInfo info = ri_terrain_info(t);
    REQUIRE_OK(ctx, ri_terrain_overview(ctx, t, info.low.x, info.low.y, info.high.x, info.high.y, 100, &r));
    CHECK_INT(store.reads[0], 0);
    CHECK(r->nx == 100 || r->ny == 100);
    double worst = 0.0;
    for (int j = 1; j < r->ny - 1; j++)
        for (int i = 1; i < r->nx - 1; i++)
            worst = fmax(worst, fabs((double)r->values[j * r->nx + i] -
                                     3.0 * sin(0.011 * (r->x0 + i * r->dx)) * cos(0.013 * (r->y0 + j * r->dy))));
    CHECK(worst < 0.5); // the long waves remain: the short ones have 0.5 m in all
    CHECK(worst > 0.01);
    ri_raster_destroy(r);
    // Close to the map's own cells: its own heights.
    REQUIRE_OK(ctx, ri_terrain_overview(ctx, t, 0.0, 50.0, 20.0, 70.0, 64, &r));
    RiHeight h;
    ri_terrain_height(t, r->x0 + 5 * r->dx, r->y0 + 7 * r->dy, &h);
    CHECK(r->values[7 * r->nx + 5] == (float)h.z);
    ri_raster_destroy(r);
    ri_terrain_destroy(t);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

TEST(wrong_definitions_are_refused_and_the_source_is_closed)
{
    RiContext *ctx = context_open();
    Store store = {.raster = dune_raster(ctx, 1500, 1300)};
    RiTerrain *t, *plane;
    const RiPlaneDef flat = {.slope = 0.0};
    REQUIRE_OK(ctx, ri_terrain_create_plane(ctx, &flat, &plane));
    RiTilesDef def = def_of(&store, 1);
    def.memory = 1000000;
    CHECK_ERROR(ctx, ri_terrain_create_tiles(ctx, &def, &t), RI_ERR_ARGUMENT, "hold 3 pages, at least 16");
    CHECK_INT(store.closed, 1);
    def = def_of(&store, 0);
    CHECK_ERROR(ctx, ri_terrain_create_tiles(ctx, &def, &t), RI_ERR_ARGUMENT, "0 levels");
    def = def_of(&store, 1);
    def.source.nx = 1;
    CHECK_ERROR(ctx, ri_terrain_create_tiles(ctx, &def, &t), RI_ERR_LIMIT, "1 x 1300 values");
    def = def_of(&store, 1);
    def.source.dx = (double)NAN;
    CHECK_ERROR(ctx, ri_terrain_create_tiles(ctx, &def, &t), RI_ERR_ARGUMENT, "spacing nan");
    def = def_of(&store, 1);
    def.patch = plane;
    CHECK_ERROR(ctx, ri_terrain_create_tiles(ctx, &def, &t), RI_ERR_ARGUMENT, "this one is 'plane'");
    CHECK_INT(store.closed, 5);
    RiTerrain *patch = heights_of(ctx, dunes, 11, 0.0, 4.0, RI_BICUBIC, RI_EDGE_EXTEND);
    def.patch = patch;
    def.blend = 2.1;
    CHECK_ERROR(ctx, ri_terrain_create_tiles(ctx, &def, &t), RI_ERR_ARGUMENT,
                "blend is 2.1 m, allowed are 0 to half of the patch's side, 2 m");
    CHECK(t == NULL);
    CHECK_INT(store.closed, 6);
    ri_terrain_destroy(patch);
    ri_terrain_destroy(plane);
    ri_raster_destroy(store.raster);
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_told_and_closes_the_source)
{
    RiContext *plain = context_open();
    Store store = {.raster = dune_raster(plain, 300, 300)};
    RiStatus status = RI_ERR_MEMORY;
    int tries = 0;
    for (; status == RI_ERR_MEMORY && tries < 100; tries++) {
        Failing failing = {1 + tries}; // the context itself
        const RiAllocator allocator = {failing_resize, failing_release, &failing};
        RiContext *ctx;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        RiTilesDef def = def_of(&store, 1);
        RiTerrain *t;
        status = ri_terrain_create_tiles(ctx, &def, &t);
        CHECK((status == RI_OK) == (t != NULL));
        ri_terrain_destroy(t);
        CHECK_INT(store.closed, tries + 1);
        ri_context_destroy(ctx);
    }
    CHECK_INT(status, RI_OK);
    CHECK(tries > 3);
    ri_raster_destroy(store.raster);
    ri_context_destroy(plain);
}

TEST_MAIN(CASE(paged_answers_equal_those_in_memory_to_the_last_bit), CASE(paged_rays_hit_where_rays_in_memory_do),
          CASE(a_ray_above_pages_known_to_be_low_reads_nothing),
          CASE(memory_stays_bounded_and_the_longest_unused_page_gives_way),
          CASE(holes_are_filled_without_seams_and_flagged),
          CASE(a_page_that_cannot_be_read_is_level_flagged_and_counted),
          CASE(outside_the_patch_is_the_map_and_in_its_core_the_patch),
          CASE(in_the_ring_slopes_and_curvature_are_those_of_the_height),
          CASE(rays_meet_the_blended_ground_where_small_steps_do),
          CASE(threads_that_fight_for_pages_all_get_the_right_answers), CASE(an_overview_comes_from_coarse_levels),
          CASE(wrong_definitions_are_refused_and_the_source_is_closed),
          CASE(every_failed_allocation_is_told_and_closes_the_source))
