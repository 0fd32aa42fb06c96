// SPDX-License-Identifier: Apache-2.0
/// \file
/// Orbits and links: Kepler's laws, passes, the Earth over Mars and the Moon, link budgets.
#include <rille/clock.h>
#include <rille/relay.h>

#include "check.h"

static const double pi = 3.14159265358979323846;
static const double degree = 3.14159265358979323846 / 180.0;

TEST(a_circular_orbit_passes_overhead_as_the_closed_form_says)
{
    const RiPass p = ri_pass_overhead(RI_WORLD_MARS, 400e3, 10.0 * degree);
    CHECK_CLOSE(p.half_angle / degree, 18.254139, 1e-6);
    CHECK_CLOSE(p.duration, 718.2503, 1e-3);
    CHECK_CLOSE(p.range, 1205305.5, 1.0);
    const RiOrbit o = {.semi_major = 3789.5e3};
    CHECK_CLOSE(ri_orbit_period(&o, RI_WORLD_MARS), 7082.506, 1e-2);
}

TEST(an_orbiter_over_the_equator_rises_and_sets_at_the_mask)
{
    const RiOrbit o = {.semi_major = 3789.5e3, .inclination = 0.0};
    const RiPass p = ri_pass_overhead(RI_WORLD_MARS, 400e3, 0.0);
    const double n = 2.0 * pi / ri_orbit_period(&o, RI_WORLD_MARS), spin = ri_body_spin(RI_WORLD_MARS);
    const RiLook up = ri_orbit_look(&o, RI_WORLD_MARS, 0.0, 0.0, 0.0, 0.0);
    CHECK_CLOSE(up.elevation / degree, 90.0, 1e-6);
    CHECK_CLOSE(up.range, 400e3, 1e-3);
    const double t = p.half_angle / (n - spin); // the site turns after it
    const RiLook set = ri_orbit_look(&o, RI_WORLD_MARS, 0.0, 0.0, 0.0, t);
    CHECK_CLOSE(set.elevation, 0.0, 1e-9);
    CHECK_CLOSE(set.azimuth / degree, 90.0, 1e-6); // it goes east
    CHECK_CLOSE(set.range, p.range, 1e-2);
    CHECK_CLOSE(set.light_time, p.range / 299792458.0, 1e-12);
}

TEST(an_ellipse_keeps_its_energy_and_areas)
{
    const RiOrbit o = {7000e3, 0.4, 1.1, 0.3, 0.7, 0.2};
    const double gm = ri_body_gm(RI_WORLD_MARS), period = ri_orbit_period(&o, RI_WORLD_MARS);
    CHECK(ri_orbit_trouble(&o, RI_WORLD_MARS) == NULL);
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < 5000; i++) { // seen from a site at the pole, whose axes do not move but turn
        const RiLook l = ri_orbit_look(&o, RI_WORLD_MARS, 90.0 * degree, 0.0, -3389500.0, period * i / 5000);
        least = fmin(least, l.range);
        most = fmax(most, l.range);
    }
    CHECK_CLOSE(least, 7000e3 * 0.6, 20.0);
    CHECK_CLOSE(most, 7000e3 * 1.4, 20.0);
    CHECK_CLOSE(period * period, 4.0 * pi * pi * 7000e3 * 7000e3 * 7000e3 / gm, 1e-3);
}

/// The relays at Mars keep their local time: the node goes round once in a year of Mars, 0.524
/// degrees a day. Orbits of 400 and 290 km height do so at inclinations of 93 and 92.7 degrees.
TEST(an_oblate_mars_turns_the_nodes_of_its_relays_with_the_sun)
{
    const double day = 86400.0, year = 686.98;
    const RiOrbit relays[] = {{.semi_major = 3789.5e3, .inclination = 92.9 * degree},
                              {.semi_major = 3679.5e3, .inclination = 92.65 * degree, .eccentricity = 0.009}};
    for (int i = 0; i < 2; i++) {
        const RiOrbit o = ri_orbit_drift(&relays[i], RI_WORLD_MARS, 1.96045e-3, day);
        CHECK_CLOSE((o.node - relays[i].node) / degree, 360.0 / year, 0.01);
    }
    const double critical = acos(sqrt(0.2)); // the periapsis stays at 63.4 degrees
    const RiOrbit frozen = {.semi_major = 9000e3, .eccentricity = 0.5, .inclination = critical, .periapsis = 1.0};
    CHECK_CLOSE(ri_orbit_drift(&frozen, RI_WORLD_MARS, 1.96045e-3, 100.0 * day).periapsis, 1.0, 1e-12);
    const RiOrbit still = ri_orbit_drift(&frozen, RI_WORLD_MARS, 0.0, 100.0 * day);
    CHECK(still.node == frozen.node && still.periapsis == frozen.periapsis && still.anomaly == frozen.anomaly);
}

TEST(orbits_that_meet_the_body_are_refused)
{
    RiOrbit o = {.semi_major = 3400e3, .eccentricity = 0.1};
    CHECK(strstr(ri_orbit_trouble(&o, RI_WORLD_MARS), "inside the body"));
    o.eccentricity = 1.0;
    CHECK(strstr(ri_orbit_trouble(&o, RI_WORLD_MARS), "below 1"));
    o.eccentricity = 0.0;
    CHECK(ri_orbit_trouble(&o, RI_WORLD_MARS) == NULL && ri_orbit_trouble(&o, RI_WORLD_UNKNOWN));
    o.node = NAN;
    CHECK(strstr(ri_orbit_trouble(&o, RI_WORLD_MARS), "finite"));
}

static RiSunDef at(RiWorld world, const char *when, double latitude, double longitude)
{
    RiSunDef def = {.world = world, .moves = true, .latitude = degree * latitude, .longitude = degree * longitude};
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK || ri_sun_date(ctx, when, def.utc) != RI_OK)
        CHECK_FAIL("%s", when);
    ri_context_destroy(ctx);
    return def;
}

TEST(the_earth_hangs_over_the_middle_of_the_near_side_of_the_moon)
{
    for (int day = 0; day < 30; day++) {
        const RiSunDef def = at(RI_WORLD_MOON, "2024-05-01T00:00:00", 0.0, 0.0);
        const RiLook l = ri_earth_look(&def, 86400.0 * day);
        CHECK(l.elevation / degree > 79.0); // libration
        CHECK(l.range > 354e6 && l.range < 406e6);
    }
}

TEST(the_earth_stands_near_the_sun_of_mars_and_light_takes_minutes)
{
    double least = INFINITY, most = 0.0;
    for (int day = 0; day < 800; day += 5) {
        const RiSunDef def = at(RI_WORLD_MARS, "2012-08-06T05:17:57", -4.59, 137.44);
        const RiLook l = ri_earth_look(&def, 86400.0 * day);
        const double apart = acos(ri_dot(l.towards, ri_sun_direction(ri_sun_compute(&def, 86400.0 * day)))) / degree;
        CHECK(apart < 48.0); // largest elongation of the Earth from Mars
        least = fmin(least, 2.0 * l.light_time / 60.0);
        most = fmax(most, 2.0 * l.light_time / 60.0);
    }
    CHECK(least > 6.0 && least < 12.0 && most > 38.0 && most < 44.5); // round trip 6 to 44 min [mishkin2006]
    const RiSunDef landing = at(RI_WORLD_MARS, "2012-08-06T05:17:57", -4.59, 137.44);
    CHECK_CLOSE(ri_earth_look(&landing, 0.0).light_time, 13.8 * 60.0, 6.0); // told at Curiosity's landing
}

TEST(a_link_falls_with_the_square_of_the_distance_and_steps_in_octaves)
{
    const RiLink l = {401.6e6, 12.0, 0.0, 0.0, 2.0, -25.0, 4.5, 3.0};
    const RiLinkState near = ri_link_compute(&l, 400e3, 0.0), far = ri_link_compute(&l, 800e3, 0.0);
    CHECK_CLOSE(near.space_loss, 136.5649, 1e-3);
    CHECK_CLOSE(near.rate / far.rate, 4.0, 1e-9);
    CHECK_CLOSE(ri_link_step(130e3, 8e3, 256e3), 128e3, 0.0);
    CHECK_CLOSE(ri_link_step(1e9, 8e3, 256e3), 256e3, 0.0);
    CHECK(ri_link_step(7.9e3, 8e3, 256e3) == 0.0 && ri_link_step(NAN, 8e3, 256e3) == 0.0);
    const RiLink dish = {8.4e9, 15.0, 24.8, 5.0 * degree, 0.0, 60.0, 1.0, 0.0};
    CHECK_CLOSE(ri_link_compute(&dish, 1e11, 2.5 * degree).pattern_loss, 3.0, 1e-9); // half power at half the width
}

TEST(polarisation_and_codes_have_the_losses_that_are_known)
{
    CHECK_CLOSE(ri_polarisation_loss(0.0, 0.0), 0.0, 1e-12);
    CHECK_CLOSE(ri_polarisation_loss(0.0, 100.0), 3.0103, 1e-3); // circular to linear: half
    CHECK_CLOSE(ri_polarisation_loss(100.0, 0.0), 3.0103, 1e-3);
    CHECK(ri_polarisation_loss(100.0, 100.0) > 60.0);         // crossed linear antennas
    CHECK_CLOSE(ri_polarisation_loss(3.0, 3.0), 0.512, 5e-3); // cos^2 of twice atan((r - 1) / (r + 1))
    CHECK(ri_code_threshold(1) == 9.6 && ri_code_threshold(4) == 1.0 && isnan(ri_code_threshold(5)));
    // uncoded phase-shift keying at 9.6 dB: Q(sqrt(2 Eb/N0)) = 1e-5
    CHECK_CLOSE(0.5 * erfc(sqrt(pow(10.0, 0.1 * ri_code_threshold(1)))), 1e-5, 5e-7); // 9.6 is rounded
}

TEST_MAIN(CASE(polarisation_and_codes_have_the_losses_that_are_known),
          CASE(a_circular_orbit_passes_overhead_as_the_closed_form_says),
          CASE(an_orbiter_over_the_equator_rises_and_sets_at_the_mask), CASE(an_ellipse_keeps_its_energy_and_areas),
          CASE(an_oblate_mars_turns_the_nodes_of_its_relays_with_the_sun), CASE(orbits_that_meet_the_body_are_refused),
          CASE(the_earth_hangs_over_the_middle_of_the_near_side_of_the_moon),
          CASE(the_earth_stands_near_the_sun_of_mars_and_light_takes_minutes),
          CASE(a_link_falls_with_the_square_of_the_distance_and_steps_in_octaves))
