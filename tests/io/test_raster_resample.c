// SPDX-License-Identifier: Apache-2.0
/// \file
/// Resampling: means keep the volume, finer cells follow smooth ground with order 3, missing values
/// take no part.
#include "check.h"

#include "faults.h"
#include "io/raster/raster_resample.h"

enum { MOST = 400 };

typedef struct Grid {
    int nx, ny; ///< of the input
    double in[MOST][MOST];
    float out[MOST][MOST];
    int asked, given; ///< rows
    int stop_at;
    int width;
} Grid;

static Grid grid;

static bool read_row(void *user, int row, double *out)
{
    Grid *g = user;
    CHECK_INT(row, g->asked++); // in order, each once
    memcpy(out, g->in[row], (size_t)g->nx * sizeof *out);
    return row != g->stop_at;
}

static void put_row(void *user, int row, const float *values)
{
    Grid *g = user;
    CHECK_INT(row, g->given++);
    memcpy(g->out[row], values, (size_t)g->width * sizeof *values);
}

static RiStatus run(RiContext *ctx, const RiResampleAxis *x, const RiResampleAxis *y)
{
    grid.nx = x->count;
    grid.width = x->out_count;
    grid.asked = grid.given = 0;
    return ri_resample(ctx, x, y, read_row, put_row, &grid);
}

static void fill(int nx, int ny, double (*f)(double x, double y), double dx, double dy)
{
    grid = (Grid){.nx = nx, .ny = ny, .stop_at = -1};
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            grid.in[j][i] = f((i + 0.5) * dx, (j + 0.5) * dy);
}

static double rough(double x, double y)
{
    return sin(37.0 * x) + cos(91.0 * y + x) + 0.3 * x;
}

static double smooth(double x, double y)
{
    return sin(0.5 * x) * cos(0.4 * y);
}

static RiContext *new_context(void)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

TEST(means_over_cells_of_any_size_keep_the_volume)
{
    RiContext *ctx = new_context();
    static const int sizes[][2] = {{100, 90}, {20, 18}, {37, 11}, {99, 1}, {1, 1}, {3, 89}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        fill(100, 90, rough, 1.0, 2.0);
        const RiResampleAxis x = {100, sizes[k][0], 1.0, 100.0 / sizes[k][0], 0.0};
        const RiResampleAxis y = {90, sizes[k][1], 2.0, 180.0 / sizes[k][1], 0.0};
        REQUIRE_OK(ctx, run(ctx, &x, &y));
        double before = 0.0, after = 0.0;
        for (int j = 0; j < 90; j++)
            for (int i = 0; i < 100; i++)
                before += grid.in[j][i] * x.size * y.size;
        for (int j = 0; j < y.out_count; j++)
            for (int i = 0; i < x.out_count; i++)
                after += (double)grid.out[j][i] * x.out_size * y.out_size;
        CHECK_CLOSE(after, before, 1e-6 * 18000.0);
        CHECK_INT(grid.given, y.out_count);
        CHECK_INT(grid.asked, 90);
    }
    ri_context_destroy(ctx);
}

/// Largest error of smooth ground taken from n to 3 n cells.
static double refine_error(RiContext *ctx, int n)
{
    const double size = 10.0 / n;
    fill(n, n, smooth, size, size);
    const RiResampleAxis a = {n, 3 * n, size, size / 3.0, 0.0};
    CHECK_OK(ctx, run(ctx, &a, &a));
    double worst = 0.0;
    for (int j = 6; j < 3 * n - 6; j++)
        for (int i = 6; i < 3 * n - 6; i++)
            worst = fmax(worst, fabs((double)grid.out[j][i] - smooth((i + 0.5) * a.out_size, (j + 0.5) * a.out_size)));
    return worst;
}

TEST(finer_cells_follow_smooth_ground_with_order_three)
{
    RiContext *ctx = new_context();
    const double coarse = refine_error(ctx, 25), fine = refine_error(ctx, 50);
    printf("     error %.3g -> %.3g\n", coarse, fine);
    CHECK(coarse < 1e-3 && coarse > 0.0);
    CHECK(log2(coarse / fine) > 2.8);
    ri_context_destroy(ctx);
}

TEST(an_axis_may_get_finer_while_the_other_gets_coarser)
{
    RiContext *ctx = new_context();
    fill(60, 60, smooth, 0.1, 1.0);
    const RiResampleAxis x = {60, 12, 0.1, 0.5, 0.0}, y = {60, 120, 1.0, 0.5, 0.0};
    REQUIRE_OK(ctx, run(ctx, &x, &y));
    for (int j = 10; j < 110; j++)
        for (int i = 0; i < 12; i++)
            CHECK_CLOSE((double)grid.out[j][i], smooth((i + 0.5) * 0.5, (j + 0.5) * 0.5), 6e-3);
    ri_context_destroy(ctx);
}

TEST(missing_values_take_no_part_and_half_a_cell_is_enough)
{
    RiContext *ctx = new_context();
    fill(8, 8, rough, 1.0, 1.0);
    const RiResampleAxis a = {8, 2, 1.0, 4.0, 0.0};
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            grid.in[j][i] = i < 4 ? 5.0 : 7.0;
    for (int j = 0; j < 4; j++) // half of the first cell, more than half of the last
        for (int i = 0; i < 2; i++)
            grid.in[j][i] = grid.in[4 + j][4 + i] = (double)NAN;
    grid.in[7][7] = (double)NAN;
    REQUIRE_OK(ctx, run(ctx, &a, &a));
    CHECK(grid.out[0][0] == 5.0f && grid.out[0][1] == 7.0f && grid.out[1][0] == 5.0f);
    CHECK(isnan(grid.out[1][1]));
    // Finer: around a hole the ground goes on, in its middle there is none.
    const RiResampleAxis b = {8, 24, 1.0, 1.0 / 3.0, 0.0};
    fill(8, 8, smooth, 1.0, 1.0);
    for (int j = 3; j < 6; j++)
        for (int i = 3; i < 6; i++)
            grid.in[j][i] = (double)NAN;
    REQUIRE_OK(ctx, run(ctx, &b, &b));
    CHECK(isnan(grid.out[13][13]) && !isnan(grid.out[4][4]) && !isnan(grid.out[13][7]));
    ri_context_destroy(ctx);
}

TEST(a_reader_that_stops_and_memory_that_ends_are_told)
{
    RiContext *ctx = new_context();
    const RiResampleAxis a = {30, 10, 1.0, 3.0, 0.0};
    fill(30, 30, rough, 1.0, 1.0);
    grid.stop_at = 12;
    CHECK_INT(run(ctx, &a, &a), RI_ERR_IO);
    ri_context_destroy(ctx);
    grid.stop_at = -1;
    RiStatus status = RI_ERR_MEMORY;
    long n = 1;
    for (; status == RI_ERR_MEMORY && n < 20; n++) {
        Faults faults = {.fail_at = n};
        const RiAllocator allocator = faults_allocator(&faults);
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        status = run(ctx, &a, &a);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK_INT(status, RI_OK);
    CHECK_INT(n, 9); // seven blocks
}

TEST_MAIN(CASE(means_over_cells_of_any_size_keep_the_volume), CASE(finer_cells_follow_smooth_ground_with_order_three),
          CASE(an_axis_may_get_finer_while_the_other_gets_coarser),
          CASE(missing_values_take_no_part_and_half_a_cell_is_enough),
          CASE(a_reader_that_stops_and_memory_that_ends_are_told))
