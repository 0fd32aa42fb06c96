// SPDX-License-Identifier: Apache-2.0
/// \file
/// Light: discs, lamps, the sky of Mars.
#include "check.h"

#include <rille/context.h>

#include "base/rng.h"
#include "optics/sky.h"

#define PI M_PI

static RiContext *ctx;

static RiLight *mars(double tau, double elevation_deg)
{
    const double e = elevation_deg * PI / 180.0;
    RiLightDef def = {.sky = RI_SKY_MARS, .tau = tau, .ground_albedo = 0.1, .disc_count = 1};
    def.discs[0] = ri_disc_sun(ri_vec3(cos(e), 0.0, sin(e)), 1.0);
    RiLight *light = NULL;
    if (ri_light_create(ctx, &def, &light) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    return light;
}

TEST(discs_bring_their_irradiance)
{
    const RiDisc discs[] = {ri_disc_sun(ri_vec3(0.6, 0.0, 0.8), 1.0),
                            {.toward = {0, 0, 1}, .outer = 0.4, .inner = 0.2, .irradiance = {3, 2, 1}}};
    for (int i = 0; i < 2; i++) {
        RiRng rng = ri_rng_stream(1, "disc");
        double sum = 0.0;
        const int n = 40000;
        for (int k = 0; k < n; k++) {
            double L[3];
            const RiVec3 w = ri_disc_sample(&discs[i], ri_rng_uniform(&rng), ri_rng_uniform(&rng));
            ri_disc_radiance(&discs[i], w, L);
            CHECK(L[0] > 0.0 || discs[i].limb > 0.9);
            sum += L[0] * ri_dot(w, discs[i].toward) / ri_disc_density(&discs[i], w) / n;
        }
        CHECK_CLOSE(sum / discs[i].irradiance[0], 1.0, 0.003);
    }
    CHECK_CLOSE(2.0 * discs[0].outer * 180.0 / PI, 0.53291, 2e-5);
    CHECK_CLOSE(2.0 * ri_disc_sun(ri_vec3(0, 0, 1), 1.52368).outer * 180.0 / PI, 0.34975, 2e-5);
}

/// The quick samples of a light's discs are those of the disc itself.
TEST(samples_of_a_light_are_those_of_its_discs)
{
    RiLightDef def = {.sky = RI_SKY_BLACK, .disc_count = 2};
    RiLight *l;
    def.discs[0] = ri_disc_sun(ri_vec3(0.48, 0.64, 0.6), 1.0);
    def.discs[1] = (RiDisc){.toward = {0.0, 0.0, 1.0}, .outer = 0.4, .inner = 0.3, .irradiance = {3.0, 2.0, 1.0}};
    REQUIRE(ri_light_create(ctx, &def, &l) == RI_OK);
    for (int n = 0; n < 200; n++) {
        const RiDisc *d = &def.discs[n % 2];
        const double u1 = (n + 0.5) / 200.0, u2 = fmod(0.618034 * n, 1.0);
        double got[RI_BANDS], want[RI_BANDS], density;
        RiVec3 toward;
        ri_light_disc(l, n % 2, u1, u2, &toward, got, &density);
        CHECK_CLOSE(ri_norm(ri_sub(toward, ri_disc_sample(d, u1, u2))), 0.0, 1e-14);
        ri_disc_radiance(d, toward, want);
        for (int k = 0; k < RI_BANDS; k++)
            CHECK_CLOSE(got[k] / want[k], 1.0, 1e-8); // near the limb a root is steep
        CHECK_CLOSE(density / ri_disc_density(d, toward), 1.0, 1e-13);
    }
    ri_light_destroy(l);
}

TEST(full_earth_lights_the_moon_by_a_sixth_of_a_watt)
{
    CHECK_CLOSE(ri_disc_earth(ri_vec3(0, 0, 1), 0.0).irradiance[1], 0.16, 0.01);
    CHECK_CLOSE(ri_disc_earth(ri_vec3(0, 0, 1), PI).irradiance[1], 0.0, 1e-12);
}

TEST(lamps_fall_with_the_square_of_range_and_end_at_their_edge)
{
    const RiLamp lamp = {
        .position = {0, 0, 2}, .direction = {0, 0, -1}, .full = 0.3, .edge = 0.5, .intensity = {8, 4, 2}};
    RiVec3 toward;
    double range, got[3];
    ri_lamp_light(&lamp, ri_vec3(0, 0, 0), 0.5, 0.5, &toward, &range, got);
    CHECK_CLOSE(got[0], 2.0, 1e-12);
    CHECK_CLOSE(range, 2.0, 1e-12);
    ri_lamp_light(&lamp, ri_vec3(2.0 * tan(0.55), 0, 0), 0.5, 0.5, &toward, &range, got);
    CHECK_CLOSE(got[0], 0.0, 0.0);
    ri_lamp_light(&lamp, ri_vec3(2.0 * tan(0.4), 0, 0), 0.5, 0.5, &toward, &range, got);
    CHECK(got[0] > 0.0 && got[0] < 2.0);
}

/// Dust that does not absorb loses nothing: what is not reflected comes through.
TEST(white_dust_conserves_flux)
{
    for (int i = 0; i < 12; i++) {
        const double tau = 0.1 * pow(1.5, i), mass = 1.0 + 0.7 * (i % 5);
        const RiDustFlux f = ri_dust_flux(tau, 1.0 - 1e-9, 0.65, mass);
        CHECK_CLOSE(f.total + f.reflected, 1.0, 1e-4);
        CHECK(f.total >= f.direct && f.reflected >= 0.0);
    }
    const RiDustFlux none = ri_dust_flux(0.0, 0.9, 0.65, 2.0);
    CHECK_CLOSE(none.total, 1.0, 1e-12);
}

TEST(sky_samples_follow_their_density)
{
    RiLight *l = mars(0.5, 30.0);
    RiRng rng = ri_rng_stream(1, "sky");
    double sum[3] = {0}, whole = 0.0;
    const int n = 60000;
    for (int i = 0; i < n; i++) {
        RiVec3 w;
        double density, L[3];
        REQUIRE(ri_sky_sample(l, ri_rng_uniform(&rng), ri_rng_uniform(&rng), &w, &density));
        if (i % 50 == 0)
            CHECK_CLOSE(density, ri_sky_density(l, w), 1e-9 * density);
        ri_sky_radiance(l, w, L);
        whole += 1.0 / density / n;
        for (int k = 0; k < 3; k++)
            sum[k] += L[k] * w.z / density / n;
    }
    CHECK_CLOSE(whole, 2.0 * PI, 0.1);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(sum[k] / ri_sky_irradiance(l)[k], 1.0, 0.01);
    ri_light_destroy(l);
}

static double band(const RiLight *l, double elevation_deg, double azimuth_deg, int k)
{
    const double e = elevation_deg * PI / 180.0, a = azimuth_deg * PI / 180.0;
    double L[3];
    ri_sky_radiance(l, ri_vec3(cos(e) * cos(a), cos(e) * sin(a), sin(e)), L);
    return L[k];
}

TEST(martian_sky_is_brown_bright_at_the_sun_and_blue_around_it)
{
    RiLight *l = mars(0.5, 40.0), *evening = mars(0.8, 5.0);
    CHECK(band(l, 60.0, 180.0, 0) > 1.3 * band(l, 60.0, 180.0, 2)); // away from the sun: red over blue
    CHECK(band(l, 45.0, 0.0, 0) > 2.0 * band(l, 45.0, 180.0, 0));   // towards the sun it is brighter
    CHECK(band(l, 5.0, 120.0, 0) > band(l, 70.0, 180.0, 0));        // and at the horizon
    CHECK(band(evening, 7.0, 3.0, 2) > band(evening, 7.0, 3.0, 0)); // a low sun has a blue halo
    CHECK(band(evening, 30.0, 180.0, 0) > band(evening, 30.0, 180.0, 2));
    ri_light_destroy(l);
    ri_light_destroy(evening);
}

TEST(sky_darkens_as_tau_goes_to_zero_and_as_the_sun_sets)
{
    RiLight *clear = mars(0.0, 40.0), *night = mars(0.5, -1.0);
    CHECK_CLOSE(ri_sky_irradiance(clear)[0], 0.0, 1e-6);
    CHECK_CLOSE(ri_sky_irradiance(night)[0], 0.0, 0.0);
    CHECK_CLOSE(ri_light_def(clear)->discs[0].irradiance[0], 1361.0, 1e-6);
    ri_light_destroy(clear);
    ri_light_destroy(night);
}

TEST(bad_lights_are_refused)
{
    RiLight *l = NULL;
    RiLightDef def = {.sky = RI_SKY_MARS, .tau = 0.5};
    CHECK_ERROR(ctx, ri_light_create(ctx, &def, &l), RI_ERR_ARGUMENT, "needs a sun");
    def.disc_count = 1, def.discs[0] = ri_disc_sun(ri_vec3(0, 0, 2), 1.0);
    CHECK_ERROR(ctx, ri_light_create(ctx, &def, &l), RI_ERR_ARGUMENT, "not a unit vector");
    def.discs[0].toward.z = 1.0, def.tau = NAN;
    CHECK_ERROR(ctx, ri_light_create(ctx, &def, &l), RI_ERR_ARGUMENT, "tau = nan");
    def.tau = 0.5, def.lamp_count = 1, def.lamps[0] = (RiLamp){.direction = {1, 0, 0}, .full = 0.5, .edge = 0.4};
    CHECK_ERROR(ctx, ri_light_create(ctx, &def, &l), RI_ERR_ARGUMENT, "lamp 0: half angles");
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(discs_bring_their_irradiance),
                               CASE(samples_of_a_light_are_those_of_its_discs),
                               CASE(full_earth_lights_the_moon_by_a_sixth_of_a_watt),
                               CASE(lamps_fall_with_the_square_of_range_and_end_at_their_edge),
                               CASE(white_dust_conserves_flux),
                               CASE(sky_samples_follow_their_density),
                               CASE(martian_sky_is_brown_bright_at_the_sun_and_blue_around_it),
                               CASE(sky_darkens_as_tau_goes_to_zero_and_as_the_sun_sets),
                               CASE(bad_lights_are_refused)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
