// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distance grids: against the exact distance, against themselves in every instruction set and
/// number of threads, as blocks and in the cache.
#include <rille/terrain_io.h>

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "io/faults.h"
#include "io/terrain/terrain_cache.h"
#include "meshes.h"
#include "terrain/grid.h"

static const double sphere_size[8] = {1, 0, 0, 0, 0, 0, 0, 1};
static const double ground_size[8] = {2, 0.2};

typedef struct World {
    RiContext *ctx;
    TestMesh mesh;
    RiTerrain *source;
} World;

static World open_world(bool ground)
{
    World w = {0};
    if (ri_context_create(NULL, &w.ctx) != RI_OK)
        abort();
    w.mesh = ground ? mesh_patch(map_ground, ground_size, 40, 40) : mesh_patch(map_sphere, sphere_size, 60, 30);
    const RiGroundMeshDef def = mesh_def(&w.mesh);
    CHECK_OK(w.ctx, ri_terrain_create_mesh(w.ctx, &def, &w.source));
    return w;
}

static void close_world(World *w)
{
    ri_terrain_destroy(w->source);
    mesh_free(&w->mesh);
    ri_context_destroy(w->ctx);
}

static RiBakeDef coarse(double cell, RiGridKind kind, RiGridLookup lookup)
{
    RiBakeDef def = ri_bake_def_default();
    def.cell = cell;
    def.kind = kind;
    def.lookup = lookup;
    def.threads = 2;
    return def;
}

static RiVec3 near_point(RiRng *rng, double reach)
{
    return ri_vec3(ri_rng_between(rng, -reach, reach), ri_rng_between(rng, -reach, reach),
                   ri_rng_between(rng, -reach, reach));
}

/// Largest error within the band.
static double largest_error(const World *w, const RiTerrain *grid, double band, int *out_far)
{
    RiRng rng = ri_rng_stream(3, "grid");
    double worst = 0.0;
    *out_far = 0;
    for (int i = 0; i < 20000; i++) {
        RiSurface exact, s;
        const RiVec3 p = near_point(&rng, 1.1);
        ri_terrain_query(w->source, p, &exact);
        ri_terrain_query(grid, p, &s);
        if (fabs(exact.distance) <= band) {
            *out_far += (s.flags & RI_SURFACE_FAR) != 0;
            worst = fmax(worst, fabs(s.distance - exact.distance));
        } else if (s.flags & RI_SURFACE_FAR) {
            CHECK(fabs(s.distance) <= fabs(exact.distance));
            CHECK((s.distance < 0.0) == (exact.distance < 0.0));
        }
        CHECK_CLOSE(ri_norm(s.normal), 1.0, 1e-12);
    }
    return worst;
}

TEST(error_is_below_half_a_cell_and_bounds_hold_far_away)
{
    World w = open_world(false);
    for (int kind = 0; kind < 2; kind++)
        for (int lookup = 0; lookup < 2; lookup++) {
            RiTerrain *grid;
            const RiBakeDef def = coarse(0.05, (RiGridKind)kind, (RiGridLookup)lookup);
            int far;
            REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid));
            const double worst = largest_error(&w, grid, 3.0 * def.cell, &far);
            if (!(worst < 0.5 * def.cell) || far)
                CHECK_FAIL("kind %d lookup %d: error %g of a cell, %d far", kind, lookup, worst / def.cell, far);
            ri_terrain_destroy(grid);
        }
    close_world(&w);
}

/// The exact plane has no error; a smooth surface's falls as the square of the cell.
TEST(error_falls_as_the_square_of_the_cell)
{
    World w = open_world(false);
    double error[2];
    for (int i = 0; i < 2; i++) {
        RiTerrain *grid;
        const RiBakeDef def = coarse(i ? 0.1 : 0.2, RI_GRID_DENSE, RI_LOOKUP_TRILINEAR);
        RiRng rng = ri_rng_stream(4, "order");
        error[i] = 0.0;
        REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid));
        for (int k = 0; k < 20000; k++) {
            RiSurface s;
            const RiVec3 p = near_point(&rng, 1.1);
            if (ri_norm(p) < 0.7)
                continue; // the middle has no gradient
            ri_terrain_query(grid, p, &s);
            RiSurface exact;
            ri_terrain_query(w.source, p, &exact);
            error[i] += fabs(s.distance - exact.distance);
        }
        ri_terrain_destroy(grid);
    }
    CHECK(log2(error[0] / error[1]) > 1.6);
    close_world(&w);
}

TEST(one_point_and_many_and_all_instruction_sets_give_equal_bits)
{
    World w = open_world(true);
    static RiVec3 p[1003];
    static RiSurface many[3][1003], one;
    static const char *const names[] = {"generic", "avx2", "avx512"};
    RiRng rng = ri_rng_stream(5, "bits");
    for (int i = 0; i < 1003; i++)
        p[i] = near_point(&rng, 1.3);
    p[7].y = NAN;
    p[500].x = INFINITY;
    for (int mode = 0; mode < 12; mode++) {
        RiTerrain *grid;
        RiBakeDef def = coarse(0.05, (RiGridKind)(mode & 1), (RiGridLookup)(mode >> 1 & 1));
        def.edge = (RiEdge)(mode >> 2);
        REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid));
        for (int k = 0; k < 3; k++) {
            if (!ri_grid_set_kernels(grid, names[k]))
                continue;
            memset(many[k], 0, sizeof many[k]);
            ri_terrain_query_many(grid, 1003, p, many[k]);
            CHECK(memcmp(many[k], many[0], sizeof many[k]) == 0 || k == 0);
            for (int i = 0; i < 1003; i++) {
                memset(&one, 0, sizeof one);
                ri_terrain_query(grid, p[i], &one);
                if (memcmp(&one, &many[k][i], sizeof one) != 0 && !(isnan(one.distance) && isnan(many[k][i].distance)))
                    CHECK_FAIL("mode %d %s point %d: %.17g %.17g", mode, names[k], i, one.distance,
                               many[k][i].distance);
            }
        }
        CHECK(isnan(many[0][7].distance));
        ri_terrain_destroy(grid);
    }
    close_world(&w);
}

TEST(block_does_not_depend_on_threads_and_comes_back_whole)
{
    World w = open_world(true);
    RiTerrain *a, *b, *c;
    RiBakeDef def = coarse(0.04, RI_GRID_SPARSE, RI_LOOKUP_TRILINEAR);
    REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &a));
    def.threads = 1;
    REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &b));
    const size_t size = ri_terrain_grid_size(a);
    REQUIRE(size == ri_terrain_grid_size(b));
    char *x = malloc(size), *y = malloc(size);
    ri_terrain_grid_save(a, x);
    ri_terrain_grid_save(b, y);
    CHECK(memcmp(x, y, size) == 0);
    REQUIRE_OK(w.ctx, ri_terrain_grid_load(w.ctx, x, size, &c));
    CHECK_INT(ri_terrain_info(c).ambiguous, ri_terrain_info(a).ambiguous);
    CHECK(ri_terrain_info(c).ambiguous > 0);
    for (size_t i = 0; i < size; i += size / 97) { // damage anywhere is found
        RiTerrain *bad;
        y[i] ^= 4;
        CHECK(ri_terrain_grid_load(w.ctx, y, size, &bad) == RI_ERR_FORMAT && !bad);
        y[i] ^= 4;
        CHECK(ri_terrain_grid_load(w.ctx, y, i, &bad) == RI_ERR_FORMAT && !bad);
    }
    RiHeight h, exact;
    CHECK(ri_terrain_height(c, 0.31, -0.2, &h) && ri_terrain_height(w.source, 0.31, -0.2, &exact));
    CHECK_CLOSE(h.z, exact.z, 0.02);
    CHECK_CLOSE(h.zx, exact.zx, 0.2);
    free(x);
    free(y);
    ri_terrain_destroy(a);
    ri_terrain_destroy(b);
    ri_terrain_destroy(c);
    close_world(&w);
}

/// Across cell borders the tricubic normal moves no more than within a cell; the trilinear one
/// jumps.
TEST(tricubic_normals_are_continuous)
{
    World w = open_world(false);
    double jump[2] = {0.0, 0.0};
    for (int lookup = 0; lookup < 2; lookup++) {
        RiTerrain *grid;
        const RiBakeDef def = coarse(0.1, RI_GRID_SPARSE, (RiGridLookup)lookup);
        REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid));
        for (int i = 0; i < 20000; i++) {
            const double angle = 1e-4 * i;
            const RiVec3 p = ri_vec3(cos(angle), 0.3 * sin(angle), sin(angle));
            const RiVec3 q = ri_add(p, ri_vec3(1e-6, 1e-6, 1e-6));
            RiSurface a, b;
            ri_terrain_query(grid, p, &a);
            ri_terrain_query(grid, q, &b);
            if (!((a.flags | b.flags) & RI_SURFACE_FAR))
                jump[lookup] = fmax(jump[lookup], ri_norm(ri_sub(a.normal, b.normal)));
        }
        ri_terrain_destroy(grid);
    }
    CHECK(jump[RI_LOOKUP_TRICUBIC] < 1e-4);
    CHECK(jump[RI_LOOKUP_TRILINEAR] > 1e-3);
    close_world(&w);
}

/// First place along the ray where the interpolated distance is 0, by steps of a hundredth of a
/// cell.
static double first_zero(const RiTerrain *grid, RiVec3 p, RiVec3 d, double range, double step)
{
    double before = INFINITY;
    for (double r = 0.0; r <= range; r += step) {
        RiSurface s;
        ri_terrain_query(grid, ri_add(p, ri_scale(r, d)), &s);
        if (s.distance <= 0.0)
            return before < INFINITY ? r - step * s.distance / (s.distance - before) : r;
        before = s.distance;
    }
    return INFINITY;
}

TEST(rays_equal_brute_force)
{
    World w = open_world(false);
    const RiBakeDef sparse = coarse(0.1, RI_GRID_SPARSE, RI_LOOKUP_TRILINEAR);
    RiBakeDef dense = coarse(0.1, RI_GRID_DENSE, RI_LOOKUP_TRILINEAR);
    dense.low = ri_vec3(-1.6, -1.6, -1.6);
    dense.high = ri_vec3(1.6, 1.6, 1.6);
    RiTerrain *grids[2];
    RiRng rng = ri_rng_stream(8, "rays");
    REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &sparse, &grids[0]));
    REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &dense, &grids[1]));
    for (int g = 0; g < 2; g++) {
        int met = 0;
        for (int k = 0; k < 150; k++) {
            const RiVec3 p = near_point(&rng, 1.15), to = near_point(&rng, 1.0);
            const RiVec3 d = ri_scale(1.0 / ri_norm(ri_sub(to, p)), ri_sub(to, p));
            RiTerrainHit hit = {0};
            RiSurface s;
            ri_terrain_query(grids[g], p, &s);
            const double brute = first_zero(grids[g], p, d, 2.0, 0.001);
            const bool found = ri_terrain_ray(grids[g], p, d, 2.0, &hit);
            if (s.distance <= 0.0 || fabs(brute - 2.0) < 0.01)
                continue;
            met += found;
            if (found != (brute < 2.0)) { // a ray that only touches
                double least = INFINITY;
                for (double r = 0.0; r < 2.0; r += 0.001) {
                    ri_terrain_query(grids[g], ri_add(p, ri_scale(r, d)), &s);
                    least = fmin(least, s.distance);
                }
                CHECK_CLOSE(least, 0.0, 1e-4);
            } else if (found)
                CHECK_CLOSE(hit.range, brute, 1e-3);
        }
        CHECK(met > 20);
        ri_terrain_destroy(grids[g]);
    }
    close_world(&w);
}

TEST(edges_stop_extend_or_wall)
{
    World w = open_world(true);
    const RiVec3 beyond = {5.0, 0.0, 0.0};
    for (int edge = 0; edge < 3; edge++) {
        RiTerrain *grid;
        RiSurface s;
        RiBakeDef def = coarse(0.05, RI_GRID_SPARSE, RI_LOOKUP_TRILINEAR);
        def.edge = (RiEdge)edge;
        def.low = ri_vec3(-0.9, -0.9, -0.5);
        def.high = ri_vec3(0.9, 0.9, 0.5);
        REQUIRE_OK(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid));
        ri_terrain_query(grid, beyond, &s);
        CHECK(((s.flags & RI_SURFACE_OUTSIDE) != 0) == (edge == RI_EDGE_STOP));
        CHECK(edge == RI_EDGE_WALL ? fabs(s.distance + 4.1) < 1e-9 : fabs(s.distance) < 0.5);
        ri_terrain_destroy(grid);
    }
    close_world(&w);
}

static bool stop_at_half(void *user, double done)
{
    *(double *)user = done;
    return done < 0.5;
}

TEST(bad_definitions_and_cancelling_are_answered)
{
    World w = open_world(false);
    RiTerrain *grid, *plane;
    double done = 0.0;
    RiBakeDef def = coarse(0.0, RI_GRID_SPARSE, RI_LOOKUP_TRILINEAR);
    CHECK_ERROR(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid), RI_ERR_ARGUMENT, "cells of 0 m");
    def.cell = 1e-7;
    CHECK_ERROR(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid), RI_ERR_ARGUMENT, "along x");
    def.cell = 0.05;
    def.progress = stop_at_half;
    def.user = &done;
    CHECK_ERROR(w.ctx, ri_terrain_bake(w.ctx, w.source, &def, &grid), RI_ERR_LIMIT, "cancelled");
    CHECK(done >= 0.5 && !grid);
    const RiPlaneDef flat = {0};
    REQUIRE_OK(w.ctx, ri_terrain_create_plane(w.ctx, &flat, &plane));
    CHECK_ERROR(w.ctx, ri_terrain_bake(w.ctx, plane, &def, &grid), RI_ERR_ARGUMENT, "give a region");
    ri_terrain_destroy(plane);
    close_world(&w);
}

TEST(cache_answers_the_second_time_and_damage_is_baked_anew)
{
    World w = open_world(false);
    char folder[] = "/tmp/rille-test-XXXXXX", path[4096];
    REQUIRE(mkdtemp(folder) != NULL);
    const RiBakeDef def = coarse(0.1, RI_GRID_SPARSE, RI_LOOKUP_TRILINEAR);
    bool hit = true;
    RiTerrain *a, *b;
    REQUIRE_OK(w.ctx, ri_terrain_bake_cached(w.ctx, w.source, 77, &def, folder, &hit, &a));
    CHECK(!hit);
    REQUIRE_OK(w.ctx, ri_terrain_bake_cached(w.ctx, NULL, 77, &def, folder, &hit, &b));
    CHECK(hit);
    const RiVec3 p = {0.9, 0.2, 0.1};
    RiSurface s, t;
    memset(&s, 0, sizeof s);
    memset(&t, 0, sizeof t);
    ri_terrain_query(a, p, &s);
    ri_terrain_query(b, p, &t);
    CHECK(memcmp(&s, &t, sizeof s) == 0);
    ri_terrain_destroy(b);
    CHECK_ERROR(w.ctx, ri_terrain_bake_cached(w.ctx, NULL, 78, &def, folder, &hit, &b), RI_ERR_NOT_FOUND,
                "not in the cache");
    REQUIRE(ri_terrain_cache_path(77, &def, folder, path, sizeof path));
    REQUIRE(truncate(path, 1000) == 0);
    REQUIRE_OK(w.ctx, ri_terrain_bake_cached(w.ctx, w.source, 77, &def, folder, &hit, &b));
    CHECK(!hit);
    ri_terrain_destroy(b);
    REQUIRE_OK(w.ctx, ri_terrain_bake_cached(w.ctx, w.source, 77, &def, folder, &hit, &b));
    CHECK(hit);
    ri_terrain_destroy(b);
    REQUIRE_OK(w.ctx, ri_terrain_bake_cached(w.ctx, w.source, 77, &def, "/proc/none", &hit, &b)); // cannot be written
    CHECK(!hit);
    ri_terrain_destroy(b);
    unlink(path);
    CHECK(rmdir(folder) == 0); // nothing else was left there
    ri_terrain_destroy(a);
    close_world(&w);
}

TEST(baking_survives_every_failed_allocation)
{
    TestMesh sphere = mesh_patch(map_ground, ground_size, 6, 6);
    const RiGroundMeshDef mesh = mesh_def(&sphere);
    const RiBakeDef def = coarse(0.2, RI_GRID_SPARSE, RI_LOOKUP_TRILINEAR);
    bool done = false;
    for (long fail = 0; fail < 100 && !done; fail++) {
        Faults faults = {.fail_at = -1};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        RiTerrain *source, *grid;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        REQUIRE_OK(ctx, ri_terrain_create_mesh(ctx, &mesh, &source));
        faults.call = 0;
        faults.fail_at = fail;
        const RiStatus status = ri_terrain_bake(ctx, source, &def, &grid);
        done = faults.call <= fail;
        CHECK(done ? status == RI_OK : status == RI_ERR_MEMORY && !grid);
        ri_terrain_destroy(grid);
        ri_terrain_destroy(source);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done);
    mesh_free(&sphere);
}

TEST_MAIN(CASE(rays_equal_brute_force), CASE(error_is_below_half_a_cell_and_bounds_hold_far_away),
          CASE(error_falls_as_the_square_of_the_cell),
          CASE(one_point_and_many_and_all_instruction_sets_give_equal_bits),
          CASE(block_does_not_depend_on_threads_and_comes_back_whole), CASE(tricubic_normals_are_continuous),
          CASE(edges_stop_extend_or_wall), CASE(bad_definitions_and_cancelling_are_answered),
          CASE(cache_answers_the_second_time_and_damage_is_baked_anew), CASE(baking_survives_every_failed_allocation))
