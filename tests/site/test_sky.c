// SPDX-License-Identifier: Apache-2.0
/// \file
/// Light at a site: limits and symmetries of the tables, planes, the disc at the horizon; the
/// ground: closed form, balance, any step.
#include <rille/sky.h>

#include "check.h"

static const double pi = 3.14159265358979323846;
static const double degree = 3.14159265358979323846 / 180.0;

TEST(net_flux_is_that_of_the_tables_and_their_limits)
{
    CHECK_CLOSE(ri_net_flux(0.0, 0.5, 0.1), 0.813, 1e-12);
    CHECK_CLOSE(ri_net_flux(60.0 * degree, 1.0, 0.1), ri_net_flux(60.0 * degree, 1.0, 0.05), 0.0);
    CHECK_CLOSE(ri_net_flux(30.0 * degree, 0.5, 0.4), 0.546, 1e-12);
    CHECK_CLOSE(ri_net_flux(30.0 * degree, 0.5, 0.25), 0.5 * (0.793 + 0.546), 1e-12);
    CHECK_CLOSE(ri_net_flux(0.0, 0.0, 0.1), 0.9, 1e-12); // no dust: the ground takes what it does not reflect
    CHECK_CLOSE(ri_net_flux(89.0 * degree, 0.5, 0.1), ri_net_flux(85.0 * degree, 0.5, 0.1), 0.0);
    double last = 1.0;
    for (double tau = 0.0; tau < 15.0; tau += 0.05) {
        const double f = ri_net_flux(20.0 * degree, tau, 0.1);
        CHECK(f > 0.0 && f < last);
        last = f;
    }
}

TEST(light_splits_into_a_beam_and_a_sky)
{
    const RiDaylight d = ri_daylight_compute(RI_WORLD_MARS, 1.0, 1.0, 1.0, 0.1, 1.0);
    CHECK_CLOSE(d.direct, 0.36787944, 1e-8);
    CHECK_CLOSE(d.global, 0.80888889, 1e-8);
    CHECK_CLOSE(d.diffuse, 0.44100945, 1e-8);
    const RiDaylight dark = ri_daylight_compute(RI_WORLD_MARS, 600.0, -0.01, 0.5, 0.2, 0.0);
    CHECK(dark.global == 0.0 && dark.beam == 0.0);
    const RiDaylight moon = ri_daylight_compute(RI_WORLD_MOON, 1361.0, 0.01, 5.0, 0.1, 0.5);
    CHECK_CLOSE(moon.beam, 680.5, 1e-12);
    CHECK(moon.diffuse == 0.0);
    const RiDaylight hidden = ri_daylight_compute(RI_WORLD_MARS, 600.0, 0.5, 0.5, 0.2, 0.0);
    CHECK(hidden.beam == 0.0 && hidden.diffuse > 0.0); // a shadow is not black
}

TEST(a_level_plane_sees_the_global_flux_and_a_wall_half_the_sky)
{
    const RiDaylight d = ri_daylight_compute(RI_WORLD_MARS, 600.0, 0.6, 0.8, 0.2, 1.0);
    const RiVec3 sun = ri_vec3(0.8, 0.0, 0.6);
    CHECK_CLOSE(ri_daylight_on_plane(&d, sun, ri_vec3(0.0, 0.0, 1.0), 0.2), d.global, 1e-9);
    const double away = ri_daylight_on_plane(&d, sun, ri_vec3(-1.0, 0.0, 0.0), 0.2);
    CHECK_CLOSE(away, 0.5 * d.diffuse + 0.1 * d.global, 1e-9);
    // a plane and the one opposite: together they see the whole sky, the ground and the beam once
    const RiVec3 n = ri_vec3(0.48, 0.6, 0.64), m = ri_scale(-1.0, n);
    const double both = ri_daylight_on_plane(&d, sun, n, 0.2) + ri_daylight_on_plane(&d, sun, m, 0.2);
    CHECK_CLOSE(both, d.beam * fabs(ri_dot(sun, n)) + d.diffuse + 0.2 * d.global, 1e-9);
}

TEST(the_disc_at_the_horizon_is_cut_by_a_chord)
{
    const double r = ri_sun_disc_radius(1.0);
    CHECK_CLOSE(r / degree, 0.2666, 1e-4);
    CHECK(ri_sun_disc_above(2.0 * r, r) == 1.0 && ri_sun_disc_above(-2.0 * r, r) == 0.0);
    CHECK_CLOSE(ri_sun_disc_above(0.0, r), 0.5, 1e-15);
    for (double u = -0.9; u < 1.0; u += 0.2)
        CHECK_CLOSE(ri_sun_disc_above(u * r, r) + ri_sun_disc_above(-u * r, r), 1.0, 1e-12);
    CHECK_CLOSE(ri_sun_disc_above(0.5 * r, r), 0.80449889, 1e-7); // 1 - (acos u - u sqrt(1 - u^2)) / pi
}

TEST(insolation_agrees_with_a_published_sol_and_with_polar_day_and_night)
{
    const RiInsolation s = ri_mars_insolation(0.0, 0.0, 0.5, 0.1);
    CHECK_CLOSE(s.top / 3600.0, 4389.056, 0.05);
    CHECK_CLOSE(s.global / 3600.0, 3718.527, 0.37);
    CHECK_CLOSE(s.daylight, 12.0, 1e-9);
    CHECK(ri_mars_insolation(270.0 * degree, 70.0 * degree, 0.3, 0.1).global == 0.0);
    CHECK_CLOSE(ri_mars_insolation(90.0 * degree, 70.0 * degree, 0.3, 0.1).daylight, 24.0, 1e-12);
}

/// Largest error of the surface temperature against the closed form, over the last of several days.
static double wave_error(int steps)
{
    const double w = 2.0 * pi / 88775.244, F = 10.0;
    const RiSoilColumnDef def = {.inertia = 250.0, .emissivity = 0.0, .day = 88775.244};
    RiSoilColumn c;
    ri_soil_column_init(&c, 200.0);
    double worst = 0.0, sum = 0.0, dt = def.day / steps;
    for (int i = 0; i < 12 * steps; i++) { // mean flux over the step
        const double t0 = i * dt, t1 = t0 + dt;
        ri_soil_column_step(&def, &c, F * (sin(w * t1) - sin(w * t0)) / (w * dt), dt);
        const double first = F / (def.inertia * sqrt(w)) * cos(w * t1 - 0.25 * pi);
        sum += c.temperature[0] - 200.0;
        if (i >= 11 * steps)
            worst = fmax(worst, fabs(c.temperature[0] - 200.0 - first));
    }
    return worst / (F / (def.inertia * sqrt(w)));
}

TEST(a_wave_of_heat_goes_into_the_ground_with_an_eighth_of_a_period_of_delay)
{
    // the first layer's middle is 4 % of a skin depth down, the start decays over days: 8 % at most
    const double coarse = wave_error(96), fine = wave_error(768);
    CHECK(fine < 0.08 && fine <= coarse);
}

TEST(the_column_takes_in_what_its_surface_does_and_any_step_is_stable)
{
    const RiSoilColumnDef def = {.inertia = 200.0, .emissivity = 0.95, .day = 88775.244};
    for (double dt = 1.0; dt < 1e7; dt *= 10.0) {
        RiSoilColumn c;
        ri_soil_column_init(&c, 210.0);
        double heat = ri_soil_column_heat(&def, &c), taken = 0.0;
        for (int i = 0; i < 50; i++)
            taken += ri_soil_column_step(&def, &c, i % 2 ? 400.0 : 0.0, dt);
        CHECK_CLOSE((ri_soil_column_heat(&def, &c) - heat - taken) / heat, 0.0, 1e-12);
        for (int i = 0; i < RI_SOIL_LAYERS; i++)
            CHECK(c.temperature[i] > 0.0 && c.temperature[i] < 300.0);
    }
}

TEST(the_ground_comes_to_rest_where_it_radiates_what_it_absorbs)
{
    const RiSoilColumnDef def = {.inertia = 200.0, .emissivity = 0.9, .day = 88775.244};
    RiSoilColumn c;
    ri_soil_column_init(&c, 150.0);
    for (int i = 0; i < 2000; i++)
        ri_soil_column_step(&def, &c, 100.0, 1e5);
    const double T = pow(100.0 / (0.9 * 5.670374419e-8), 0.25);
    CHECK_CLOSE(c.temperature[0], T, 1e-6);
    CHECK_CLOSE(c.temperature[RI_SOIL_LAYERS - 1], T, 1e-3);
}

TEST_MAIN(CASE(net_flux_is_that_of_the_tables_and_their_limits), CASE(light_splits_into_a_beam_and_a_sky),
          CASE(a_level_plane_sees_the_global_flux_and_a_wall_half_the_sky),
          CASE(the_disc_at_the_horizon_is_cut_by_a_chord),
          CASE(insolation_agrees_with_a_published_sol_and_with_polar_day_and_night),
          CASE(a_wave_of_heat_goes_into_the_ground_with_an_eighth_of_a_period_of_delay),
          CASE(the_column_takes_in_what_its_surface_does_and_any_step_is_stable),
          CASE(the_ground_comes_to_rest_where_it_radiates_what_it_absorbs))
