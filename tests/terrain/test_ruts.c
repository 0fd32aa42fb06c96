// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts: what is written is read back, in any order of events the same bytes; steps that fail leave
/// none; hostile blocks are refused; heights, slopes and curvature against closed forms;
/// checkpoints.
#include <limits.h>

#include <rille/checkpoint.h>
#include <rille/spec.h>

#include "check.h"
#include "io/faults.h"

static RiContext *open_context(void)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        exit(EXIT_FAILURE);
    return ctx;
}

static RiRuts *open_ruts(RiContext *ctx, double cell, size_t memory)
{
    RiRuts *r;
    if (ri_ruts_create(ctx, &(RiRutsDef){cell, memory}, &r) != RI_OK)
        exit(EXIT_FAILURE);
    return r;
}

static unsigned long long next(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

static RiRut some_rut(unsigned long long *state)
{
    return (RiRut){(float)next(state) * 1e-12F - 0.001F, (float)next(state) * 1e-12F, (float)next(state) * 1e-12F,
                   (uint16_t)(next(state) % 7), (int16_t)((int)(next(state) % 65535) - 32767)};
}

static bool is_equal(RiRut a, RiRut b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

TEST(cells_keep_what_is_written_and_all_others_are_untouched)
{
    enum { N = 3000 };
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 0);
    static int at[N][2];
    static RiRut ruts[N];
    unsigned long long state = 1;
    for (int k = 0; k < N; k++) {
        at[k][0] = (int)(next(&state) % 1000) - 500;
        at[k][1] = (int)(next(&state) % 1000) - 500;
        ruts[k] = some_rut(&state);
        REQUIRE_OK(ctx, ri_ruts_set(r, at[k][0], at[k][1], &ruts[k]));
    }
    int wrong = 0;
    static RiRut grid[1000][1000];
    for (int k = 0; k < N; k++)
        grid[at[k][1] + 500][at[k][0] + 500] = ruts[k];
    for (int j = -500; j < 500; j++)
        for (int i = -500; i < 500; i++)
            wrong += !is_equal(ri_ruts_get(r, i, j), grid[j + 500][i + 500]);
    CHECK_INT(wrong, 0);
    CHECK_INT(ri_ruts_tile_count(r), 16 * 16);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

TEST(cells_and_points_agree_on_both_sides_of_zero)
{
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.02, 0);
    const int cells[] = {-130, -129, -128, -65, -64, -63, -1, 0, 1, 63, 64, 65, 127, 128};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        const RiVec3 p = ri_ruts_centre(r, cells[k], -cells[k]);
        int i, j;
        ri_ruts_cell_at(r, p.x, p.y, &i, &j);
        CHECK_INT(i, cells[k]);
        CHECK_INT(j, -cells[k]);
    }
    int i, j;
    ri_ruts_cell_at(r, 1e300, -INFINITY, &i, &j);
    CHECK_ERROR(ctx, ri_ruts_set(r, i, 0, &(RiRut){.depth = 1}), RI_ERR_LIMIT, "too far out");
    CHECK_ERROR(ctx, ri_ruts_set(r, 0, j, &(RiRut){.depth = 1}), RI_ERR_LIMIT, "too far out");
    CHECK_ERROR(ctx, ri_ruts_set(r, 0, 0, &(RiRut){.depth = NAN}), RI_ERR_ARGUMENT, "finite");
    CHECK_ERROR(ctx, ri_ruts_set(r, 0, 0, &(RiRut){.loose = -1}), RI_ERR_ARGUMENT, "not negative");
    CHECK_ERROR(ctx, ri_ruts_set(r, 0, 0, &(RiRut){.slip = INT16_MIN}), RI_ERR_ARGUMENT, "slip -32768");
    CHECK_INT(ri_ruts_tile_count(r), 0);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

/// The block of ruts; the caller frees it.
static char *block_of(const RiRuts *r, size_t *out_size)
{
    *out_size = ri_ruts_state_size(r);
    char *block = malloc(*out_size);
    if (!block)
        abort();
    ri_ruts_save_state(r, block);
    return block;
}

TEST(equal_ruts_give_equal_blocks_whatever_the_order_of_events)
{
    enum { N = 500 };
    RiContext *ctx = open_context();
    RiRuts *a = open_ruts(ctx, 0.01, 0), *b = open_ruts(ctx, 0.01, 0);
    RiRut ruts[N];
    unsigned long long state = 7;
    for (int k = 0; k < N; k++)
        ruts[k] = some_rut(&state);
    for (int k = 0; k < N; k++) {
        CHECK_OK(ctx, ri_ruts_set(a, 37 * k - 9000, 11 * k, &ruts[k]));
        if (k % 10 == 0)
            ri_ruts_commit(a);
    }
    ri_ruts_commit(a);
    // Backwards, with detours: cells that are made and unmade, tiles that come to nothing, a zero
    // with a sign, a step taken back.
    for (int k = N - 1; k >= 0; k--) {
        CHECK_OK(ctx, ri_ruts_set(b, 37 * k - 9000, 11 * k, &(RiRut){.depth = 5}));
        CHECK_OK(ctx, ri_ruts_set(b, 100000 + k, -5, &(RiRut){.depth = 5}));
        ri_ruts_commit(b);
        CHECK_OK(ctx, ri_ruts_set(b, 37 * k - 9000, 11 * k, &ruts[k]));
        CHECK_OK(ctx, ri_ruts_set(b, 100000 + k, -5, &(RiRut){.depth = -0.0F}));
        ri_ruts_commit(b);
        CHECK_OK(ctx, ri_ruts_set(b, 37 * k - 9000, 11 * k, &(RiRut){.passes = 3}));
        CHECK_OK(ctx, ri_ruts_set(b, -50000, k, &(RiRut){.passes = 3}));
        ri_ruts_rollback(b);
    }
    size_t n, m;
    char *x = block_of(a, &n), *y = block_of(b, &m);
    CHECK(n == m && memcmp(x, y, n) == 0);
    CHECK(ri_ruts_hash(a) == ri_ruts_hash(b));
    CHECK(ri_ruts_tile_count(b) > ri_ruts_tile_count(a));
    CHECK_OK(ctx, ri_ruts_set(b, 0, 0, &(RiRut){.passes = 1}));
    CHECK(ri_ruts_hash(a) != ri_ruts_hash(b));
    free(x);
    free(y);
    ri_ruts_destroy(a);
    ri_ruts_destroy(b);
    ri_context_destroy(ctx);
}

TEST(what_is_rolled_back_never_was)
{
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 0);
    CHECK_OK(ctx, ri_ruts_set(r, 3, 4, &(RiRut){.depth = 0.01F, .passes = 1}));
    ri_ruts_commit(r);
    const uint64_t before = ri_ruts_hash(r);
    const unsigned version = ri_ruts_tile_version(r, 0);
    CHECK_OK(ctx, ri_ruts_set(r, 3, 4, &(RiRut){.depth = 0.02F, .passes = 2}));
    CHECK_OK(ctx, ri_ruts_set(r, 3, 4, &(RiRut){.depth = 0.03F, .passes = 3}));
    CHECK_OK(ctx, ri_ruts_set(r, 900, 4, &(RiRut){.depth = 0.03F}));
    CHECK_INT(ri_ruts_tile_count(r), 2);
    CHECK_CLOSE(ri_ruts_get(r, 3, 4).depth, 0.03F, 0.0); // seen at once
    ri_ruts_rollback(r);
    CHECK_INT(ri_ruts_tile_count(r), 1);
    CHECK(ri_ruts_hash(r) == before);
    CHECK_INT(ri_ruts_tile_version(r, 0), version);
    CHECK_CLOSE(ri_ruts_get(r, 3, 4).depth, 0.01F, 0.0);
    CHECK_CLOSE(ri_ruts_get(r, 900, 4).depth, 0.0, 0.0);
    ri_ruts_rollback(r);
    CHECK(ri_ruts_hash(r) == before);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

TEST(tiles_stand_in_order_and_only_changed_ones_get_a_new_version)
{
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 0);
    const int at[][2] = {{200, 5}, {-200, 5}, {5, 700}, {5, -700}, {5, 5}};
    for (int k = 0; k < 5; k++)
        CHECK_OK(ctx, ri_ruts_set(r, at[k][0], at[k][1], &(RiRut){.depth = 1}));
    ri_ruts_commit(r);
    int i0 = INT_MIN, j0 = INT_MIN, i, j;
    for (int k = 0; k < 5; k++) {
        const RiRut *cells = ri_ruts_tile(r, k, &i, &j);
        CHECK(cells && (j > j0 || (j == j0 && i > i0)));
        CHECK(i % RI_RUT_TILE == 0 && j % RI_RUT_TILE == 0);
        i0 = i;
        j0 = j;
    }
    CHECK(ri_ruts_tile(r, 5, &i, &j) == NULL);
    const unsigned before = ri_ruts_tile_version(r, 0);
    CHECK_OK(ctx, ri_ruts_set(r, 5, -700, &(RiRut){.depth = 2})); // the first in order
    ri_ruts_commit(r);
    CHECK(ri_ruts_tile_version(r, 0) > before);
    for (int k = 1; k < 5; k++)
        CHECK_INT(ri_ruts_tile_version(r, k), before);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

TEST(a_block_that_is_loaded_is_the_same_and_hostile_ones_change_nothing)
{
    RiContext *ctx = open_context();
    RiRuts *a = open_ruts(ctx, 0.01, 0), *b = open_ruts(ctx, 0.01, 0), *other = open_ruts(ctx, 0.02, 0);
    RiRuts *small = open_ruts(ctx, 0.01, 70000);
    unsigned long long state = 3;
    for (int k = 0; k < 300; k++) {
        const RiRut rut = some_rut(&state);
        CHECK_OK(ctx, ri_ruts_set(a, 13 * k - 2000, 17 * k - 1000, &rut));
    }
    size_t n;
    char *block = block_of(a, &n);
    CHECK_OK(ctx, ri_ruts_set(b, 1, 1, &(RiRut){.depth = 9}));
    CHECK_OK(ctx, ri_ruts_load_state(b, block, n));
    CHECK(ri_ruts_hash(a) == ri_ruts_hash(b));
    CHECK_CLOSE(ri_ruts_get(b, 1, 1).depth, ri_ruts_get(a, 1, 1).depth, 0.0);
    const uint64_t before = ri_ruts_hash(b);
    CHECK_ERROR(ctx, ri_ruts_load_state(b, block, n - 1), RI_ERR_FORMAT, "truncated");
    CHECK_ERROR(ctx, ri_ruts_load_state(b, block, 3), RI_ERR_FORMAT, "not a block of ruts");
    CHECK_ERROR(ctx, ri_ruts_load_state(other, block, n), RI_ERR_MODEL, "cells of 0.01 m");
    CHECK_ERROR(ctx, ri_ruts_load_state(small, block, n), RI_ERR_MEMORY, "more than the 70000 bytes");
    const size_t tile = 8 + 16 * 64 * 64;
    const struct {
        size_t at;
        unsigned value;
        const char *part;
    } hostile[] = {{0, 1, "not a block of ruts"},           {0, 0x53545552, "earlier version"},
                   {4, 0xFFFFFFFF, "not a block of ruts"},  {16, 0x7FFFFFFF, "too far out"},
                   {16 + tile, 0x80000000, "out of order"}, {20 + 2 * tile, 0x80000000, "out of order"},
                   {24, 0x7FC00000, "no rut can have"},  // NaN
                   {28, 0xBF800000, "no rut can have"},  // compacted -1
                   {32, 0x80000000, "no rut can have"},  // -0
                   {36, 0x80000001, "no rut can have"}}; // a slip below -1
    for (size_t k = 0; k < sizeof hostile / sizeof *hostile; k++) {
        char *copy = malloc(n);
        REQUIRE(copy);
        memcpy(copy, block, n);
        memcpy(copy + hostile[k].at, &hostile[k].value, 4);
        CHECK_ERROR(ctx, ri_ruts_load_state(b, copy, n), RI_ERR_FORMAT, hostile[k].part);
        CHECK(ri_ruts_hash(b) == before);
        free(copy);
    }
    memset(block + 24, 0, tile - 8);
    CHECK_ERROR(ctx, ri_ruts_load_state(b, block, n), RI_ERR_FORMAT, "is empty");
    CHECK(ri_ruts_hash(b) == before);
    free(block);
    ri_ruts_destroy(a);
    ri_ruts_destroy(b);
    ri_ruts_destroy(other);
    ri_ruts_destroy(small);
    ri_context_destroy(ctx);
}

TEST(memory_is_bounded_and_the_message_names_the_key)
{
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 200000), *none;
    RiStatus status = RI_OK;
    int k = 0;
    for (; k < 10 && status == RI_OK; k++)
        status = ri_ruts_set(r, 64 * k, 0, &(RiRut){.depth = 1});
    CHECK_INT(status, RI_ERR_MEMORY);
    CHECK_INT(ri_ruts_tile_count(r), 3);
    CHECK(strstr(ri_context_message(ctx), "key 'memory' of 'ruts'"));
    CHECK_ERROR(ctx, ri_ruts_create(ctx, &(RiRutsDef){-1.0, 0}, &none), RI_ERR_ARGUMENT, "the cell is -1 m");
    CHECK_ERROR(ctx, ri_ruts_create(ctx, &(RiRutsDef){NAN, 0}, &none), RI_ERR_ARGUMENT, "the cell is");
    CHECK_ERROR(ctx, ri_ruts_create(ctx, &(RiRutsDef){0.01, 100}, &none), RI_ERR_ARGUMENT, "one tile");
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

// --- shape ---------------------------------------------------------------------------------------

/// Writes d(x, y) into all cells around zero.
static void carve(RiContext *ctx, RiRuts *r, int n, double (*d)(double, double))
{
    for (int j = -n; j < n; j++)
        for (int i = -n; i < n; i++) {
            const RiVec3 p = ri_ruts_centre(r, i, j);
            CHECK_OK(ctx, ri_ruts_set(r, i, j, &(RiRut){.depth = (float)d(p.x, p.y)}));
        }
    ri_ruts_commit(r);
}

/// What a bilinear function has to give exactly.
static double saddle(double x, double y)
{
    return 0.5 + 0.25 * x - 0.125 * y + 2.0 * x * y;
}

TEST(a_bilinear_depth_is_met_exactly_with_its_slopes_and_twist)
{
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 0);
    RiTerrain *t;
    REQUIRE_OK(ctx, ri_terrain_create_plane(ctx, &(RiPlaneDef){.slope = 0.1, .azimuth = 0.7}, &t));
    carve(ctx, r, 100, saddle);
    unsigned long long state = 5;
    for (int k = 0; k < 2000; k++) {
        const double x = (double)(next(&state) % 19000) * 1e-4 - 0.95, y = (double)(next(&state) % 19000) * 1e-4 - 0.95;
        double dx, dy;
        RiHeight bare, rutted;
        CHECK_CLOSE(ri_ruts_depth(r, x, y, &dx, &dy), saddle(x, y), 3e-7); // depths are floats
        CHECK_CLOSE(dx, 0.25 + 2.0 * y, 3e-5);
        CHECK_CLOSE(dy, -0.125 + 2.0 * x, 3e-5);
        CHECK(ri_terrain_height(t, x, y, &bare) && ri_ground_height(t, r, x, y, &rutted));
        CHECK_CLOSE(rutted.z, bare.z - saddle(x, y), 3e-7);
        CHECK_CLOSE(rutted.zx, bare.zx - 0.25 - 2.0 * y, 3e-5);
        CHECK_CLOSE(rutted.zy, bare.zy + 0.125 - 2.0 * x, 3e-5);
        CHECK_CLOSE(rutted.zxy, -2.0, 4e-3);
        CHECK_CLOSE(rutted.zxx, 0.0, 0.0);
        CHECK(ri_ground_height(t, NULL, x, y, &rutted) && rutted.z == bare.z);
    }
    CHECK_CLOSE(ri_ruts_depth(r, 1e9, NAN, NULL, NULL), 0.0, 0.0);
    ri_terrain_destroy(t);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

/// A wheel's track: a Gaussian trough.
static double trough(double x, double y)
{
    return 0.05 * exp(-y * y / 0.02) * cos(3.0 * x);
}

TEST(depths_converge_with_the_square_of_the_cell)
{
    double error[3];
    for (int level = 0; level < 3; level++) {
        RiContext *ctx = open_context();
        const double cell = 0.02 / (1 << level);
        RiRuts *r = open_ruts(ctx, cell, 0);
        carve(ctx, r, 25 << level, trough);
        error[level] = 0.0;
        for (int k = 0; k < 4000; k++) {
            const double x = -0.4 + 0.0002 * k, y = 0.3 * sin(37.0 * k);
            error[level] = fmax(error[level], fabs(ri_ruts_depth(r, x, y, NULL, NULL) - trough(x, y)));
        }
        ri_ruts_destroy(r);
        ri_context_destroy(ctx);
    }
    for (int level = 0; level < 2; level++)
        CHECK_CLOSE(log2(error[level] / error[level + 1]), 2.0, 0.15);
}

TEST(the_exported_raster_is_the_ground_cell_by_cell)
{
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 0);
    RiTerrain *t;
    RiRaster *depths, *ground;
    REQUIRE_OK(ctx, ri_terrain_create_plane(ctx, &(RiPlaneDef){.point = {0, 0, 2.0}, .slope = 0.1}, &t));
    CHECK_ERROR(ctx, ri_ruts_raster(ctx, t, r, true, &ground), RI_ERR_ARGUMENT, "nothing has happened");
    unsigned long long state = 3;
    for (int k = 0; k < 300; k++) {
        const RiRut rut = some_rut(&state);
        CHECK_OK(ctx, ri_ruts_set(r, 2 * k - 100, 50 - k, &rut));
    }
    ri_ruts_commit(r);
    REQUIRE_OK(ctx, ri_ruts_raster(ctx, NULL, r, false, &depths));
    REQUIRE_OK(ctx, ri_ruts_raster(ctx, t, r, true, &ground));
    CHECK(depths->nx % 64 == 0 && depths->ny % 64 == 0 && depths->nx == ground->nx);
    int wrong = 0;
    for (int j = 0; j < depths->ny; j++)
        for (int i = 0; i < depths->nx; i++) {
            const double x = depths->x0 + i * depths->dx, y = depths->y0 + j * depths->dy;
            const size_t at = (size_t)j * (size_t)depths->nx + (size_t)i;
            int ci, cj;
            RiHeight h;
            ri_ruts_cell_at(r, x, y, &ci, &cj);
            wrong += depths->values[at] != ri_ruts_get(r, ci, cj).depth;
            wrong += !ri_ground_height(t, r, x, y, &h) || fabs(h.z - (double)ground->values[at]) > 1e-6;
        }
    CHECK_INT(wrong, 0);
    ri_raster_destroy(depths);
    ri_raster_destroy(ground);
    ri_terrain_destroy(t);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

// --- in a simulation -----------------------------------------------------------------------------

typedef struct Bench {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiTerrain *terrain;
    RiSim *sim;
} Bench;

/// A hinge over an inclined plane, with ruts.
static RiStatus bench_open(Bench *b, const RiAllocator *allocator, double slope, bool ruts)
{
    *b = (Bench){0};
    RiLinkSpec link = ri_link_default();
    RiJointSpec joint = ri_joint_default();
    link.mass = 1.0;
    link.com = ri_vec3(0.1, 0.0, 0.0);
    link.inertia = ri_inertia_sphere(1.0, 0.1);
    joint.name = "hinge";
    joint.type = RI_JOINT_REVOLUTE;
    joint.axis = ri_vec3(0.0, 1.0, 0.0);
    joint.parent = "a";
    joint.child = "b";
    RI_TRY(ri_context_create(allocator, &b->ctx));
    RI_TRY(ri_spec_create(b->ctx, "two", &b->spec));
    link.name = "a";
    RI_TRY(ri_spec_add_link(b->spec, &link));
    link.name = "b";
    RI_TRY(ri_spec_add_link(b->spec, &link));
    RI_TRY(ri_spec_add_joint(b->spec, &joint));
    RI_TRY(ri_model_create(b->ctx, b->spec, NULL, &b->model));
    RI_TRY(ri_terrain_create_plane(b->ctx, &(RiPlaneDef){.point = {0, 0, -1.0}, .slope = slope}, &b->terrain));
    RI_TRY(ri_sim_create(b->ctx, b->model, NULL, &b->sim));
    RI_TRY(ri_sim_set_terrain(b->sim, b->terrain));
    if (ruts)
        RI_TRY(ri_sim_enable_ruts(b->sim, &(RiRutsDef){.cell = 0.01}));
    RI_TRY(ri_sim_build(b->sim));
    return ri_sim_start(b->sim);
}

static void bench_close(Bench *b)
{
    ri_sim_destroy(b->sim);
    ri_terrain_destroy(b->terrain);
    ri_model_destroy(b->model);
    ri_spec_destroy(b->spec);
    ri_context_destroy(b->ctx);
}

/// Steps, and digs in every tick as a wheel would.
static RiStatus run(Bench *b, int ticks)
{
    for (int k = 0; k < ticks; k++) {
        const int n = (int)ri_sim_tick(b->sim);
        const RiRut rut = {.depth = 0.001F * (float)(n % 50), .compacted = 0.05F, .passes = 1};
        RI_TRY(ri_ruts_set(ri_sim_ruts(b->sim), 3 * n, -n, &rut));
        RI_TRY(ri_sim_step(b->sim));
    }
    return RI_OK;
}

TEST(a_resumed_run_with_ruts_ends_with_the_same_bits)
{
    const char *path = RILLE_BINARY_DIR "/test_ruts.checkpoint";
    Bench whole, first, second;
    REQUIRE_OK(whole.ctx, bench_open(&whole, NULL, 0.1, true));
    REQUIRE_OK(first.ctx, bench_open(&first, NULL, 0.1, true));
    REQUIRE_OK(second.ctx, bench_open(&second, NULL, 0.1, true));
    const size_t empty = ri_sim_state_size(whole.sim);
    CHECK_OK(whole.ctx, run(&whole, 200));
    CHECK_OK(first.ctx, run(&first, 120));
    CHECK_OK(first.ctx, ri_checkpoint_save(first.sim, path));
    CHECK_OK(second.ctx, ri_checkpoint_load(second.sim, path));
    CHECK(ri_sim_hash(first.sim) == ri_sim_hash(second.sim));
    CHECK_INT(ri_ruts_tile_count(ri_sim_ruts(second.sim)), ri_ruts_tile_count(ri_sim_ruts(first.sim)));
    CHECK_CLOSE(ri_ruts_get(ri_sim_ruts(second.sim), 3 * 77, -77).depth, 0.001F * 27.0F, 0.0);
    CHECK_OK(second.ctx, run(&second, 80));
    CHECK(ri_sim_hash(whole.sim) == ri_sim_hash(second.sim));
    CHECK(ri_sim_state_size(whole.sim) == ri_sim_state_size(second.sim) && ri_sim_state_size(whole.sim) > empty);
    size_t n = ri_sim_state_size(whole.sim);
    void *a = malloc(n), *b = malloc(n);
    REQUIRE(a && b);
    ri_sim_save_state(whole.sim, a);
    ri_sim_save_state(second.sim, b);
    CHECK(memcmp(a, b, n) == 0);
    CHECK_OK(first.ctx, ri_sim_load_state(first.sim, a));
    CHECK(ri_sim_hash(first.sim) == ri_sim_hash(whole.sim));
    free(a);
    free(b);
    bench_close(&whole);
    bench_close(&first);
    bench_close(&second);
    remove(path);
}

TEST(a_checkpoint_of_another_ground_is_refused)
{
    const char *path = RILLE_BINARY_DIR "/test_ruts_other.checkpoint";
    Bench b, steeper, plain;
    REQUIRE_OK(b.ctx, bench_open(&b, NULL, 0.1, true));
    REQUIRE_OK(steeper.ctx, bench_open(&steeper, NULL, 0.2, true));
    REQUIRE_OK(plain.ctx, bench_open(&plain, NULL, 0.1, false));
    CHECK_OK(b.ctx, run(&b, 20));
    CHECK_OK(b.ctx, ri_checkpoint_save(b.sim, path));
    CHECK_ERROR(steeper.ctx, ri_checkpoint_load(steeper.sim, path), RI_ERR_MODEL, "terrain");
    CHECK_ERROR(plain.ctx, ri_checkpoint_load(plain.sim, path), RI_ERR_MODEL, "terrain");
    CHECK_INT(ri_sim_tick(plain.sim), 0);
    bench_close(&b);
    bench_close(&steeper);
    bench_close(&plain);
    remove(path);
}

static RiRuts *dug; // what the device below digs in

/// Digs in the middle of a tick, and lets it fail after ten.
static void dig_and_explode(RiDeviceCall *call)
{
    const int n = (int)(1000.0 * call->time + 0.5);
    if (ri_ruts_set(dug, 100 * n, 0, &(RiRut){.depth = 0.01F}) != RI_OK)
        abort();
    call->x[0] = n > 9 ? 1e300 : 0.0;
}

TEST(a_failed_tick_commits_no_rut)
{
    static const RiPort port = {.name = "effort",
                                .unit = "N*m",
                                .doc = "too much",
                                .kind = RI_VALUE_OUTPUT,
                                .low = -INFINITY,
                                .high = INFINITY,
                                .action = RI_PORT_EFFORT};
    static const RiDeviceClass bomb = {.abi = RI_DEVICE_ABI,
                                       .name = "bomb",
                                       .doc = "Makes the motion diverge.",
                                       .attach = RI_ATTACH_JOINT,
                                       .ports = &port,
                                       .port_count = 1,
                                       .update = dig_and_explode};
    Bench b;
    REQUIRE_OK(b.ctx, bench_open(&b, NULL, 0.1, false));
    ri_sim_destroy(b.sim);
    REQUIRE_OK(b.ctx, ri_sim_create(b.ctx, b.model, NULL, &b.sim));
    REQUIRE_OK(b.ctx, ri_sim_set_terrain(b.sim, b.terrain));
    REQUIRE_OK(b.ctx, ri_sim_enable_ruts(b.sim, NULL));
    dug = ri_sim_ruts(b.sim);
    REQUIRE_OK(b.ctx, ri_sim_add_device(b.sim, &(RiDeviceDef){.name = "d", .device = &bomb, .attach = "hinge"}));
    REQUIRE_OK(b.ctx, ri_sim_build(b.sim));
    REQUIRE_OK(b.ctx, ri_sim_start(b.sim));
    CHECK_ERROR(b.ctx, ri_sim_enable_ruts(b.sim, NULL), RI_ERR_ARGUMENT, "before ri_sim_build");
    CHECK_ERROR(b.ctx, ri_sim_set_terrain(b.sim, NULL), RI_ERR_ARGUMENT, "before ri_sim_build");
    RiStatus status = RI_OK;
    uint64_t before = 0;
    for (int k = 0; k < 10; k++)
        CHECK_OK(b.ctx, ri_sim_step(b.sim));
    CHECK_CLOSE(ri_ruts_get(dug, 900, 0).depth, 0.01F, 0.0);
    for (int k = 0; k < 100 && status == RI_OK; k++) {
        before = ri_sim_hash(b.sim);
        status = ri_sim_step(b.sim);
    }
    CHECK_INT(status, RI_ERR_NUMERIC);
    CHECK(ri_sim_hash(b.sim) == before);
    const int failed = (int)ri_sim_tick(b.sim); // the tick that was tried
    CHECK(failed >= 10 && failed < 20);
    CHECK_CLOSE(ri_ruts_get(dug, 100 * failed, 0).depth, 0.0, 0.0);
    CHECK_CLOSE(ri_ruts_get(dug, 100 * (failed - 1), 0).depth, 0.01F, 0.0);
    bench_close(&b);
}

TEST(named_values_tell_the_ground_under_the_base)
{
    Bench b;
    REQUIRE_OK(b.ctx, bench_open(&b, NULL, 0.1, true));
    RiValues *v = ri_sim_values(b.sim);
    double x;
    CHECK_OK(b.ctx, ri_values_eval(v, "terrain.height", &x));
    CHECK_CLOSE(x, -1.0, 1e-15);
    CHECK_OK(b.ctx, ri_values_eval(v, "terrain.clearance", &x));
    CHECK_CLOSE(x, cos(0.1), 1e-15);
    CHECK_OK(b.ctx, ri_values_eval(v, "terrain.slope", &x));
    CHECK_CLOSE(x, 0.1, 1e-15);
    for (int j = -2; j < 2; j++)
        for (int i = -2; i < 2; i++)
            CHECK_OK(b.ctx, ri_ruts_set(ri_sim_ruts(b.sim), i, j, &(RiRut){.depth = 0.125F}));
    CHECK_OK(b.ctx, ri_sim_step(b.sim));
    CHECK_OK(b.ctx, ri_values_eval(v, "terrain.height", &x));
    CHECK_CLOSE(x, -1.125, 1e-15);
    CHECK(ri_sim_stopped(b.sim) == NULL);
    CHECK(ri_sim_terrain(b.sim) == b.terrain);
    bench_close(&b);
}

TEST(failing_memory_is_told_and_leaves_no_half_a_rut)
{
    const char *path = RILLE_BINARY_DIR "/test_ruts_faults.checkpoint";
    bool done = false;
    long at = 0;
    for (; !done && at < 20000; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        Bench b;
        RiRaster *raster = NULL;
        RiStatus status = bench_open(&b, &allocator, 0.1, true);
        if (status == RI_OK)
            status = run(&b, 40);
        if (status == RI_OK)
            status = ri_checkpoint_save(b.sim, path);
        if (status == RI_OK)
            status = ri_checkpoint_load(b.sim, path);
        if (status == RI_OK)
            status = ri_ruts_raster(b.ctx, b.terrain, ri_sim_ruts(b.sim), true, &raster);
        done = status == RI_OK;
        if (!done)
            CHECK_INT(status, RI_ERR_MEMORY);
        ri_raster_destroy(raster);
        bench_close(&b);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done && at > 30);
    remove(path);
}

TEST(many_points_at_once_are_answered_as_one_by_one)
{
    enum { N = 2000 };
    static double x[N], y[N], depth[N], packed[N];
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 0);
    unsigned long long state = 5;
    for (int k = 0; k < 4000; k++) {
        const RiRut rut = some_rut(&state);
        REQUIRE_OK(ctx, ri_ruts_set(r, (int)(next(&state) % 200) - 100, (int)(next(&state) % 200) - 100, &rut));
    }
    for (int k = 0; k < N; k++) {
        x[k] = 1e-5 * (double)(next(&state) % 260000) - 1.3;
        y[k] = 1e-5 * (double)(next(&state) % 260000) - 1.3;
    }
    x[0] = 1e300, y[1] = -1e300, x[2] = NAN;
    ri_ruts_depth_many(r, N, x, y, depth);
    ri_ruts_packed_many(r, N, x, y, packed);
    for (int k = 0; k < N; k++) {
        CHECK(depth[k] == ri_ruts_depth(r, x[k], y[k], NULL, NULL));
        int i, j;
        double sum = 0.0;
        ri_ruts_cell_at(r, x[k] - 0.005, y[k] - 0.005, &i, &j);
        const double a = (x[k] - 0.005) / 0.01 - i, b = (y[k] - 0.005) / 0.01 - j;
        for (int n = 0; n < 4 && k > 2; n++) {
            const RiRut c = ri_ruts_get(r, i + (n & 1), j + (n >> 1));
            sum += (n & 1 ? a : 1.0 - a) * (n & 2 ? b : 1.0 - b) * fmax((double)c.compacted - (double)c.loose, 0.0);
        }
        CHECK_CLOSE(packed[k], sum, 1e-12);
    }
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

TEST(runs_of_cells_cover_a_row_piece_by_piece)
{
    RiContext *ctx = open_context();
    RiRuts *r = open_ruts(ctx, 0.01, 0);
    unsigned long long state = 6;
    for (int i = -70; i < 60; i++) {
        const RiRut rut = some_rut(&state);
        REQUIRE_OK(ctx, ri_ruts_set(r, i, -3, &rut));
    }
    int pieces = 0, empty = 0;
    for (int i = -200, count; i < 200; i += count, pieces++) {
        const RiRut *run = ri_ruts_run(r, i, -3, 200 - i, &count);
        REQUIRE(count > 0 && count <= RI_RUT_TILE);
        empty += !run;
        for (int k = 0; k < count; k++)
            CHECK(is_equal(run ? run[k] : (RiRut){0}, ri_ruts_get(r, i + k, -3)));
    }
    CHECK_INT(pieces, 8);
    CHECK_INT(empty, 5);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
}

TEST(bytes_grow_with_touched_ground_alone)
{
    RiContext *ctx = open_context();
    RiRuts *near = open_ruts(ctx, 0.01, 0), *far = open_ruts(ctx, 0.01, 0);
    const RiRut rut = {.depth = 0.01F, .compacted = 0.01F, .passes = 1};
    const size_t none = ri_ruts_bytes(near);
    CHECK(none > 0 && none < 1024);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 64; i++) // one row of a tile, then another
            REQUIRE_OK(ctx, ri_ruts_set(near, i, 10 * k, &rut));
        ri_ruts_commit(near);
        CHECK_INT(ri_ruts_tile_count(near), 1);
    }
    REQUIRE_OK(ctx, ri_ruts_set(far, 0, 0, &rut));
    REQUIRE_OK(ctx, ri_ruts_set(far, 1 << 29, -(1 << 29), &rut));
    const size_t tile = RI_RUT_TILE * RI_RUT_TILE * sizeof(RiRut);
    CHECK(ri_ruts_bytes(near) >= none + tile && ri_ruts_bytes(near) < none + 2 * tile);
    CHECK(ri_ruts_bytes(far) >= none + 2 * tile && ri_ruts_bytes(far) < none + 3 * tile); // not with what lies between
    ri_ruts_rollback(far);
    CHECK(ri_ruts_bytes(far) < none + tile);
    ri_ruts_destroy(near);
    ri_ruts_destroy(far);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(many_points_at_once_are_answered_as_one_by_one), CASE(runs_of_cells_cover_a_row_piece_by_piece),
          CASE(bytes_grow_with_touched_ground_alone), CASE(cells_keep_what_is_written_and_all_others_are_untouched),
          CASE(cells_and_points_agree_on_both_sides_of_zero),
          CASE(equal_ruts_give_equal_blocks_whatever_the_order_of_events), CASE(what_is_rolled_back_never_was),
          CASE(tiles_stand_in_order_and_only_changed_ones_get_a_new_version),
          CASE(a_block_that_is_loaded_is_the_same_and_hostile_ones_change_nothing),
          CASE(memory_is_bounded_and_the_message_names_the_key),
          CASE(a_bilinear_depth_is_met_exactly_with_its_slopes_and_twist),
          CASE(depths_converge_with_the_square_of_the_cell), CASE(the_exported_raster_is_the_ground_cell_by_cell),
          CASE(a_resumed_run_with_ruts_ends_with_the_same_bits), CASE(a_checkpoint_of_another_ground_is_refused),
          CASE(a_failed_tick_commits_no_rut), CASE(named_values_tell_the_ground_under_the_base),
          CASE(failing_memory_is_told_and_leaves_no_half_a_rut))
