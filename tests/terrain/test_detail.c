// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fine detail on a given map, and paving stones.
#include <math.h>
#include <string.h>

#include <rille/synthesis.h>

#include "check.h"

static RiContext *ctx;

/// Fractal ground of 257 x 257 heights and unit mean slope.
static RiMade *fractal(double hurst, double cell, unsigned long long seed)
{
    const RiMakeSetting settings[] = {
        {"size_x", 256.0 * cell}, {"size_y", 256.0 * cell}, {"cell", cell}, {"hurst", hurst}, {"rms_height", 1.0}};
    RiMade *m = NULL;
    CHECK_OK(ctx, ri_make(ctx, ri_make_kind_find("fractal"), 5, settings, seed, &m));
    return m;
}

/// Every `step`-th height.
static RiRaster *thin(const RiRaster *r, int step)
{
    RiRaster *out = NULL;
    const int nx = (r->nx - 1) / step + 1, ny = (r->ny - 1) / step + 1;
    CHECK_OK(ctx, ri_raster_create(ctx, nx, ny, step * r->dx, step * r->dy, &out));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            out->values[j * nx + i] = r->values[j * step * r->nx + i * step];
    out->x0 = r->x0;
    out->y0 = r->y0;
    return out;
}

static double mean_square_step(const RiRaster *r, int step)
{
    double sum = 0.0, count = 0.0;
    for (int j = 0; j + step < r->ny; j++)
        for (int i = 0; i + step < r->nx; i++, count += 2.0) {
            const double z = (double)r->values[j * r->nx + i], east = (double)r->values[j * r->nx + i + step] - z,
                         north = (double)r->values[(j + step) * r->nx + i] - z;
            sum += east * east + north * north;
        }
    return sum / count;
}

/// s^2 / D^2 for H = 1/2: (2/pi) (sqrt(pi)/2) / (2 sqrt(pi)) = 1 / (2 pi).
TEST(the_share_of_unseen_waves_is_the_closed_form)
{
    CHECK_CLOSE(ri_detail_share(0.5, 0.0), 1.0 / (2.0 * M_PI), 1e-7);
    CHECK_CLOSE(ri_detail_share(0.5, 0.25), 0.75 / (2.0 * M_PI), 1e-7);
    const double H = 0.8, g = tgamma(1.0 + H) / (2.0 * tgamma(1.0 - H)) * pow(2.0 / M_PI, 2.0 * H);
    CHECK_CLOSE(ri_detail_share(H, 0.0), g, 1e-6 * g);
}

/// Ground of which every fourth height is known gets back the roughness it had between them: fine
/// differences of what is made are those of the original within 15 % (without detail they are less
/// than half). The map itself is kept but for the short waves at its points.
TEST(thinned_fractal_ground_gets_its_roughness_back)
{
    for (int k = 0; k < 2; k++) {
        const double hurst = k ? 0.8 : 0.6;
        RiMade *m = fractal(hurst, 0.25, 3 + (unsigned long long)k);
        RiRaster *map = thin(m->raster, 4), *fine = NULL, *smooth = NULL;
        RiDetailDef def = ri_detail_default();
        def.cell = 0.25;
        def.hurst = hurst;
        CHECK_OK(ctx, ri_raster_add_detail(ctx, map, &def, &fine));
        def.rms_height = 0.0;
        CHECK_OK(ctx, ri_raster_add_detail(ctx, map, &def, &smooth));
        REQUIRE(fine && smooth && fine->nx == m->raster->nx && fine->ny == m->raster->ny);
        const double was = mean_square_step(m->raster, 1), is = mean_square_step(fine, 1);
        const double without = mean_square_step(smooth, 1);
        printf("     H = %.1f: differences of neighbours %.4f m, %.4f m with detail, %.4f m without\n", hurst,
               sqrt(was), sqrt(is), sqrt(without));
        CHECK(fabs(sqrt(is / was) - 1.0) < 0.15);
        CHECK(sqrt(without / was) < 0.85);
        double change = 0.0, kept = 0.0;
        for (int i = 0; i < fine->nx * fine->ny; i++)
            change += pow((double)fine->values[i] - (double)smooth->values[i], 2) / (fine->nx * fine->ny);
        for (int j = 0; j < map->ny; j++)
            for (int i = 0; i < map->nx; i++)
                kept = fmax(kept, fabs((double)smooth->values[4 * j * fine->nx + 4 * i] -
                                       (double)map->values[j * map->nx + i]));
        CHECK_CLOSE(change, ri_detail_share(hurst, 0.25) * mean_square_step(map, 1), 0.05 * change);
        CHECK(kept < 1e-6);
        ri_raster_destroy(map);
        ri_raster_destroy(fine);
        ri_raster_destroy(smooth);
        ri_made_destroy(m);
    }
}

TEST(bad_detail_is_refused_by_name)
{
    RiMade *m = fractal(0.8, 1.0, 1);
    RiRaster *out = NULL;
    RiDetailDef def = ri_detail_default();
    def.cell = 0.3;
    CHECK_ERROR(ctx, ri_raster_add_detail(ctx, m->raster, &def, &out), RI_ERR_ARGUMENT, "a half, a third");
    def.cell = 1e-3;
    CHECK_ERROR(ctx, ri_raster_add_detail(ctx, m->raster, &def, &out), RI_ERR_LIMIT, "window");
    def.cell = 0.5;
    def.hurst = 1.0;
    CHECK_ERROR(ctx, ri_raster_add_detail(ctx, m->raster, &def, &out), RI_ERR_ARGUMENT, "hurst is 1");
    def.hurst = 0.8;
    m->raster->values[5] = NAN;
    CHECK(ri_raster_add_detail(ctx, m->raster, &def, &out) != RI_OK && out == NULL);
    ri_made_destroy(m);
}

/// Rocks stand above what was there, and cover about as much ground as asked for.
TEST(rocks_are_laid_on_the_map)
{
    RiMade *m = fractal(0.8, 0.5, 2);
    RiRaster *bare = NULL, *rocky = NULL;
    for (int k = 0; k < m->raster->nx * m->raster->ny; k++)
        m->raster->values[k] *= 0.01F;
    RiRaster *map = thin(m->raster, 8);
    RiDetailDef def = ri_detail_default();
    def.cell = 0.1;
    CHECK_OK(ctx, ri_raster_add_detail(ctx, map, &def, &bare));
    def.rocks = 0.1;
    def.high = 1.5;
    CHECK_OK(ctx, ri_raster_add_detail(ctx, map, &def, &rocky));
    REQUIRE(bare && rocky);
    double covered = 0.0;
    bool lower = false;
    for (int k = 0; k < bare->nx * bare->ny; k++) {
        covered += rocky->values[k] > bare->values[k] + 0.01F;
        lower |= rocky->values[k] < bare->values[k] - 1e-6F;
    }
    covered /= (double)bare->nx * bare->ny;
    printf("     %.3f of the ground is under rocks\n", covered);
    CHECK(covered > 0.01 && covered < 0.12 && !lower);
    ri_raster_destroy(map);
    ri_raster_destroy(bare);
    ri_raster_destroy(rocky);
    ri_made_destroy(m);
}

/// Stones are plane, joints deep, sand level.
TEST(paving_has_stones_joints_and_sand)
{
    const RiMakeSetting dry[] = {{"sand", -0.5}, {"tilt", 0.0}, {"joint", 0.04}};
    const RiMakeSetting wet[] = {{"sand", 0.002}};
    RiMade *m = NULL;
    CHECK_OK(ctx, ri_make(ctx, ri_make_kind_find("paving"), 3, dry, 1, &m));
    REQUIRE(m != NULL);
    int joints = 0, stones = 0, level = 0;
    double sum = 0.0, square = 0.0;
    for (int k = 0; k < m->raster->nx * m->raster->ny; k++) {
        const double z = (double)m->raster->values[k];
        joints += z < -0.0199;
        if (z > -0.0199)
            sum += z, square += z * z, stones++;
    }
    CHECK_CLOSE((double)joints / (joints + stones), 1.0 - 0.36 * 0.36 / 0.16, 0.05);
    const double spread = sqrt(square / stones - sum * sum / stones / stones);
    CHECK(spread > 0.003 && spread < 0.005);
    ri_made_destroy(m);
    CHECK_OK(ctx, ri_make(ctx, ri_make_kind_find("paving"), 1, wet, 1, &m));
    REQUIRE(m != NULL);
    for (int k = 0; k < m->raster->nx * m->raster->ny; k++) {
        CHECK((double)m->raster->values[k] > 0.002 - 1e-6);
        level += fabs((double)m->raster->values[k] - 0.002) < 1e-6;
    }
    CHECK(level > m->raster->nx * m->raster->ny / 2);
    ri_made_destroy(m);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(the_share_of_unseen_waves_is_the_closed_form), CASE(thinned_fractal_ground_gets_its_roughness_back),
        CASE(bad_detail_is_refused_by_name), CASE(rocks_are_laid_on_the_map), CASE(paving_has_stones_joints_and_sand)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const int failed = check_run(cases, sizeof cases / sizeof *cases, argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
