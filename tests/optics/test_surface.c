// SPDX-License-Identifier: Apache-2.0
/// \file
/// Surfaces: reciprocity, energy, white furnaces, sampling.
#include "check.h"

#include <rille/context.h>

#include "base/rng.h"
#include "optics/surface.h"

#define PI M_PI

static RiContext *ctx;

static RiVec3 direction(RiRng *rng)
{
    const double mu = ri_rng_between(rng, 0.02, 1.0), phi = ri_rng_between(rng, 0.0, 2.0 * PI), s = sqrt(1.0 - mu * mu);
    return ri_vec3(s * cos(phi), s * sin(phi), mu);
}

static RiVec3 toward(double deg)
{
    return ri_vec3(sin(deg * PI / 180.0), 0.0, cos(deg * PI / 180.0));
}

/// Row `index` of the table, then a few extremes; false after the last.
static bool pick(int index, RiOpticSurface *out, const char **out_name)
{
    static const RiOpticSurface extremes[] = {
        {.kind = RI_SURFACE_LOMMEL_SEELIGER, .albedo = {1.0, 0.5, 0.1}},
        {.kind = RI_SURFACE_LUNAR_LAMBERT, .albedo = {0.12, 0.3, 0.0}},
        {.kind = RI_SURFACE_MINNAERT, .albedo = {0.2, 0.9, 0.1}, .minnaert = 0.7},
        {.kind = RI_SURFACE_MINNAERT, .albedo = {0.2, 1.0, 0.1}, .minnaert = 1.4},
        {.kind = RI_SURFACE_METAL, .albedo = {1.0, 0.9, 0.2}, .roughness = 0.02},
        {.kind = RI_SURFACE_METAL, .albedo = {1.0, 0.9, 0.2}, .roughness = 0.5},
        {.kind = RI_SURFACE_METAL, .albedo = {1.0, 0.9, 0.2}, .roughness = 1.0},
        {.kind = RI_SURFACE_ICE, .albedo = {1.0, 0.9, 0.2}, .roughness = 0.05, .index = 1.31, .asymmetry = 0.5},
    };
    int count = 0;
    while (ri_surface_row(count))
        count++;
    if (index >= count + (int)(sizeof extremes / sizeof *extremes))
        return false;
    *out = index < count ? ri_surface_row(index)->surface : extremes[index - count];
    *out_name = index < count ? ri_surface_row(index)->name : "extreme";
    return true;
}

TEST(both_directions_can_be_exchanged)
{
    RiOpticSurface s;
    const char *name;
    RiRng rng = ri_rng_stream(5, "reciprocity");
    for (int i = 0; pick(i, &s, &name); i++) {
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, name, &s));
        for (int n = 0; n < 200; n++) {
            const RiVec3 a = direction(&rng), b = direction(&rng);
            double f[3], g[3];
            ri_surface_brdf(&s, NULL, a, b, f);
            ri_surface_brdf(&s, NULL, b, a, g);
            for (int k = 0; k < 3; k++)
                if (!(fabs(f[k] - g[k]) <= 1e-10 * (f[k] + g[k]) + 1e-14))
                    CHECK_FAIL("%s band %d: %.12g and %.12g", name, k, f[k], g[k]);
        }
    }
}

/// Mean weight of samples, which is the albedo, by a lattice of numbers.
static void furnace(const RiOpticSurface *s, RiVec3 wo, int n, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    RiRng rng = ri_rng_stream(7, "furnace");
    for (int i = 0; i < n * n; i++) {
        const double u[3] = {(i / n + ri_rng_uniform(&rng)) / n, (i % n + ri_rng_uniform(&rng)) / n,
                             ri_rng_uniform(&rng)};
        double weight[3], density;
        RiVec3 wi;
        if (ri_surface_sample(s, NULL, wo, u, &wi, weight, &density))
            for (int k = 0; k < 3; k++)
                out[k] += weight[k] / (n * n);
    }
}

TEST(no_surface_gains_energy)
{
    RiOpticSurface s;
    const char *name;
    for (int i = 0; pick(i, &s, &name); i++) {
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, name, &s));
        for (int deg = 1; deg < 90; deg += 11) {
            double a[3];
            const bool glossy = s.kind >= RI_SURFACE_METAL && s.roughness > 0.0;
            const bool narrow = glossy && s.roughness < 0.2; // a lobe for samples, with their noise
            if (narrow)
                furnace(&s, toward(deg), 150, a);
            else
                ri_surface_albedo(&s, toward(deg), glossy ? 150 : 60, a);
            for (int k = 0; k < 3; k++)
                if (!(a[k] >= 0.0 && a[k] <= 1.0 + (narrow ? 1e-2 : 1e-9)))
                    CHECK_FAIL("%s from %d degrees, band %d: albedo %.5f", name, deg, k, a[k]);
        }
    }
}

TEST(a_white_furnace_stays_white)
{
    const double rough[] = {0.02, 0.1, 0.3, 0.6, 1.0};
    for (int r = 0; r < 5; r++) {
        RiOpticSurface s = {.kind = RI_SURFACE_METAL, .albedo = {1.0, 1.0, 1.0}, .roughness = rough[r]};
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, "white", &s));
        for (int deg = 0; deg <= 85; deg += 17) {
            double a[3];
            furnace(&s, toward(deg), 200, a);
            if (!(fabs(a[0] - 1.0) <= 0.005))
                CHECK_FAIL("roughness %g, %d degrees: %.5f", rough[r], deg, a[0]);
        }
    }
    RiOpticSurface white = ri_surface_lambert(1.0);
    double a[3];
    furnace(&white, toward(40), 20, a);
    CHECK_CLOSE(a[1], 1.0, 1e-12);
    RiOpticSurface clear = {.kind = RI_SURFACE_ICE, .albedo = {1.0, 1.0, 1.0}, .index = 1.31};
    REQUIRE_OK(ctx, ri_surface_prepare(ctx, "clear", &clear));
    furnace(&clear, toward(40), 200, a);
    CHECK_CLOSE(a[1], 1.0 - 0.024, 0.005); // without gloss, Fresnel's part is missing: 2.4 % at 40 degrees for n = 1.31
}

TEST(sampling_agrees_with_quadrature)
{
    RiOpticSurface s;
    const char *name;
    for (int i = 0; pick(i, &s, &name); i++) {
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, name, &s));
        if (ri_surface_is_mirror(&s) || (s.kind >= RI_SURFACE_METAL && s.roughness > 0.0 && s.roughness < 0.1))
            continue; // lobes too narrow for the rings
        double a[3], q[3];
        furnace(&s, toward(35), 150, a);
        ri_surface_albedo(&s, toward(35), 150, q);
        for (int k = 0; k < 3; k++)
            if (!(fabs(a[k] - q[k]) <= 0.01 * q[k] + 1e-4))
                CHECK_FAIL("%s band %d: sampled %.5f, quadrature %.5f", name, k, a[k], q[k]);
    }
}

/// The density integrates to the part of the choices that lead away from the surface.
TEST(densities_integrate_to_what_is_chosen)
{
    enum { N = 300 };
    const double rough[] = {0.2, 0.5};
    for (int r = 0; r < 2; r++) {
        RiOpticSurface s = {.kind = RI_SURFACE_METAL, .albedo = {1.0, 1.0, 1.0}, .roughness = rough[r]};
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, "metal", &s));
        RiRng rng = ri_rng_stream(3, "choices");
        double sum = 0.0, chosen = 0.0;
        for (int i = 0; i < N * N; i++) {
            const double mu = (i / N + 0.5) / N, phi = 2.0 * PI * (i % N + 0.5) / N, q = sqrt(1.0 - mu * mu);
            sum += ri_surface_density(&s, ri_vec3(q * cos(phi), q * sin(phi), mu), toward(20)) * 2.0 * PI / (N * N);
            const double u[3] = {(i / N + 0.5) / N, (i % N + 0.5) / N, ri_rng_uniform(&rng)};
            double weight[3], density;
            RiVec3 wi;
            chosen += ri_surface_sample(&s, NULL, toward(20), u, &wi, weight, &density);
        }
        CHECK_CLOSE(sum, chosen / (N * N), 0.003);
    }
}

/// Without the noise of samples: white metal and white ice by a fine quadrature.
TEST(white_gloss_returns_all_and_no_more)
{
    RiOpticSurface s[2] = {
        {.kind = RI_SURFACE_METAL, .albedo = {1.0, 1.0, 1.0}, .roughness = 0.4},
        {.kind = RI_SURFACE_ICE, .albedo = {1.0, 1.0, 1.0}, .roughness = 0.4, .index = 1.31, .asymmetry = 0.5}};
    for (int i = 0; i < 2; i++) {
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, "white", &s[i]));
        for (int deg = 0; deg <= 80; deg += 10) {
            double a[3];
            ri_surface_albedo(&s[i], toward(deg), 500, a);
            if (!(a[0] <= 1.0 && a[0] >= 0.998))
                CHECK_FAIL("%d: %d degrees: %.6f", i, deg, a[0]);
        }
    }
}

TEST(bad_parameters_are_named)
{
    RiOpticSurface s = ri_surface_lambert(1.2);
    CHECK_ERROR(ctx, ri_surface_prepare(ctx, "chalk", &s), RI_ERR_ARGUMENT, "'chalk': albedo = 1.2");
    s = ri_surface_find("moon")->surface;
    s.hapke.back = NAN;
    CHECK_ERROR(ctx, ri_surface_prepare(ctx, "dust", &s), RI_ERR_ARGUMENT, "back = nan");
    s = ri_surface_find("moon")->surface;
    s.albedo[1] = 1.0, s.hapke.surge = 9.0, s.hapke.width = 9.0;
    CHECK_ERROR(ctx, ri_surface_prepare(ctx, "bright", &s), RI_ERR_ARGUMENT, "of the light from");
}

TEST(soils_have_surfaces)
{
    bool guess;
    CHECK(ri_surface_of_soil("lunar_nominal", &guess) == ri_surface_find("moon") && !guess);
    CHECK(ri_surface_of_soil("MER_B_sandy_loam", &guess) == ri_surface_find("mars_soil") && !guess);
    CHECK(ri_surface_of_soil("cold_ice", &guess) == ri_surface_find("ice") && !guess);
    CHECK(ri_surface_of_soil("xyzzy", &guess) == ri_surface_find("grey_soil") && guess);
}

TEST(texture_has_mean_one_and_known_bounds)
{
    const RiTexture t = {0.3, 0.2, 5, 11u};
    double sum = 0.0, low = 2.0, high = 0.0;
    for (int i = 0; i < 20000; i++) {
        const double v = ri_texture_value(&t, ri_vec3(0.137 * i, -0.05 * (i % 211), 0.0));
        sum += v, low = fmin(low, v), high = fmax(high, v);
    }
    CHECK_CLOSE(sum / 20000, 1.0, 0.01);
    CHECK(low >= 0.7 && high <= 1.3 && high - low > 0.2);
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(both_directions_can_be_exchanged),
                               CASE(no_surface_gains_energy),
                               CASE(a_white_furnace_stays_white),
                               CASE(sampling_agrees_with_quadrature),
                               CASE(densities_integrate_to_what_is_chosen),
                               CASE(white_gloss_returns_all_and_no_more),
                               CASE(bad_parameters_are_named),
                               CASE(soils_have_surfaces),
                               CASE(texture_has_mean_one_and_known_bounds)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
