// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stereo: shifted noise is matched, errors have the statistics they claim, maps are means.
#include "check.h"

#include <rille/context.h>
#include <rille/stereo.h>

#include "base/rng.h"
#include "optics/surface.h"

enum { W = 96, H = 64 };

static RiContext *ctx;
static float left[W * H], right[W * H], out[W * H], range[W * H];
static const RiStereoPair pair = {W, H, 100.0, 0.5 * (W - 1), 0.5 * (H - 1), 0.2};

/// Smooth noise, so that parts of a pixel mean something.
static double pattern(double x, double y)
{
    const RiTexture t = {0.9, 6.0, 3, 4u};
    return ri_texture_value(&t, ri_vec3(x, y, 0.5));
}

TEST(a_shifted_picture_has_its_shift_as_disparity)
{
    const double shifts[] = {5.0, 12.0, 7.5};
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < W * H; i++)
            left[i] = (float)pattern(i % W, i / W), right[i] = (float)pattern(i % W + shifts[s], i / W);
        RiStereoOptions o = ri_stereo_options_default();
        o.most = 30;
        REQUIRE_OK(ctx, ri_stereo_match(ctx, &pair, &o, left, right, out));
        int good = 0, all = 0;
        for (int y = 4; y < H - 4; y++)
            for (int x = 20; x < W - 5; x++, all++)
                good += fabs((double)out[y * W + x] - shifts[s]) < 0.35;
        if (good <= 0.95 * all)
            CHECK_FAIL("shift %g: %d of %d", shifts[s], good, all);
    }
}

TEST(unrelated_pictures_fail_the_checks)
{
    RiRng rng = ri_rng_stream(3, "noise");
    for (int i = 0; i < W * H; i++)
        left[i] = (float)ri_rng_uniform(&rng), right[i] = (float)ri_rng_uniform(&rng);
    const RiStereoOptions o = {.most = 40, .window = 4, .check = 0.5, .ratio = 1.2};
    REQUIRE_OK(ctx, ri_stereo_match(ctx, &pair, &o, left, right, out));
    int found = 0;
    for (int i = 0; i < W * H; i++)
        found += !isnan(out[i]);
    if (found >= W * H / 20)
        CHECK_FAIL("%d of %d pixels have a match", found, W * H);
}

TEST(range_errors_grow_with_range_squared)
{
    RiStereoErrors e = ri_stereo_errors_default();
    e.step = 0.0, e.dropout = 0.0;
    double sigma[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < W * H; i++)
            range[i] = k ? 4.0f : 2.0f;
        ri_stereo_measure(&pair, &e, range, NULL, 5, out);
        double sum = 0.0;
        for (int i = 0; i < W * H; i++) {
            const double off = ri_stereo_range(&pair, (double)out[i]) - (double)range[i];
            sum += off * off;
        }
        sigma[k] = sqrt(sum / (W * H));
    }
    CHECK_CLOSE(sigma[0], 4.0 / (100.0 * 0.2) * 0.25, 0.003); // z^2/(f B) sigma
    CHECK_CLOSE(sigma[1] / sigma[0], 4.0, 0.4);
}

TEST(disparities_come_in_steps_and_smooth_sand_has_holes)
{
    RiStereoErrors e = ri_stereo_errors_default();
    float texture[W * H];
    int missing[2] = {0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < W * H; i++)
            range[i] = 3.0f, texture[i] = k ? 0.05f : 0.9f;
        ri_stereo_measure(&pair, &e, range, texture, 5, out);
        for (int i = 0; i < W * H; i++) {
            missing[k] += isnan(out[i]);
            if (!isnan(out[i]))
                CHECK_CLOSE(fmod((double)out[i] * 16.0, 1.0), 0.0, 1e-6);
        }
    }
    CHECK_CLOSE(missing[0], 0.02 * W * H, 0.01 * W * H);
    CHECK(missing[1] > 0.3 * W * H && missing[1] < W * H);
    range[7] = INFINITY;
    ri_stereo_measure(&pair, &e, range, NULL, 5, out);
    CHECK(isnan(out[7]));
}

static double level(const void *user, double x, double y)
{
    (void)user, (void)x, (void)y;
    return 0.5;
}

TEST(a_map_of_level_ground_is_level)
{
    RiStereoMap *map = NULL;
    RiRaster *heights = NULL;
    REQUIRE_OK(ctx, ri_stereo_map_create(ctx, -1.0, -1.0, 0.1, 21, 21, &map));
    RiPose camera = {ri_mat3_from_cols(ri_vec3(1, 0, 0), ri_vec3(0, -1, 0), ri_vec3(0, 0, -1)),
                     {0.0, 0.0, 2.5}}; // looks down
    for (int i = 0; i < W * H; i++)
        out[i] = (float)(pair.focal * pair.baseline / 2.0);
    out[5] = NAN, out[6] = -1.0f;
    ri_stereo_map_add(map, &pair, &camera, out, 10.0);
    REQUIRE_OK(ctx, ri_stereo_map_heights(map, 2, &heights));
    const RiStereoScore s = ri_stereo_compare(heights, level, NULL);
    CHECK(s.cells > 100);
    CHECK_CLOSE(s.rms, 0.0, 1e-6);
    CHECK_CLOSE(s.within_1cm, 1.0, 0.0);
    ri_raster_destroy(heights);
    ri_stereo_map_destroy(map);
}

TEST(bad_options_are_named)
{
    RiStereoOptions o = ri_stereo_options_default();
    o.most = 0;
    CHECK_ERROR(ctx, ri_stereo_match(ctx, &pair, &o, left, right, out), RI_ERR_ARGUMENT, "largest disparity 0");
    o = ri_stereo_options_default();
    o.window = 99;
    CHECK_ERROR(ctx, ri_stereo_match(ctx, &pair, &o, left, right, out), RI_ERR_ARGUMENT, "window 99");
    RiStereoMap *map = NULL;
    CHECK_ERROR(ctx, ri_stereo_map_create(ctx, 0, 0, NAN, 10, 10, &map), RI_ERR_ARGUMENT, "nan m");
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(a_shifted_picture_has_its_shift_as_disparity),
                               CASE(unrelated_pictures_fail_the_checks),
                               CASE(range_errors_grow_with_range_squared),
                               CASE(disparities_come_in_steps_and_smooth_sand_has_holes),
                               CASE(a_map_of_level_ground_is_level),
                               CASE(bad_options_are_named)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
