// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the sun stands: worked examples, published ephemerides, and identities.
#include <erfa.h>
#include <rille/sun.h>

#include "check.h"

static const double degree = 3.14159265358979323846 / 180.0;

static void date(const char *text, double utc[2])
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK(ri_sun_date(ctx, text, utc) == RI_OK);
    ri_context_destroy(ctx);
}

static RiSun sun_over(RiWorld world, const char *when, double latitude, double longitude, double time)
{
    RiSunDef def = {.world = world, .moves = true, .latitude = degree * latitude, .longitude = degree * longitude};
    date(when, def.utc);
    return ri_sun_compute(&def, time);
}

/// Smallest turn between two angles [deg].
static double apart(double a, double b)
{
    return fabs(remainder(a - b, 360.0));
}

TEST(mars_agrees_with_the_worked_example_at_the_beginning_of_2000)
{
    double utc[2];
    date("2000-01-06T00:00:00", utc);
    const RiMarsTime m = ri_mars_time(utc, 0.0);
    CHECK_CLOSE(m.mean_anomaly, 21.745583, 1e-6);
    CHECK_CLOSE(m.fictitious_mean_sun, 272.745663, 1e-6);
    CHECK_CLOSE(m.equation_of_centre, 4.441927, 1e-6);
    CHECK_CLOSE(m.solar_longitude, 277.187589, 1e-6);
    CHECK_CLOSE(m.equation_of_time, -5.187746, 1e-6);
    CHECK_CLOSE(m.sol_date, 44795.99976, 1e-5);
    CHECK_CLOSE(m.coordinated, 23.994249, 1e-6);
    CHECK_CLOSE(m.subsolar_longitude_w, 174.725996, 2e-6);
    CHECK_CLOSE(m.declination, -25.228244, 1e-6);
    CHECK_CLOSE(m.distance, 1.393584, 1e-6);
    const RiSun sun = sun_over(RI_WORLD_MARS, "2000-01-06T00:00:00Z", 0.0, 0.0, 0.0);
    CHECK_CLOSE(90.0 - sun.elevation / degree, 154.261757, 2e-6);
}

TEST(mars_agrees_with_the_worked_examples_of_two_landings)
{
    const RiSun spirit = sun_over(RI_WORLD_MARS, "2004-01-03T13:46:31", -14.640, -184.702, 0.0);
    CHECK_CLOSE(90.0 - spirit.elevation / degree, 151.939600, 2e-6);
    CHECK_CLOSE(spirit.distance, 1.477672, 1e-6);
    const RiSun curiosity = sun_over(RI_WORLD_MARS, "2012-08-06T05:17:57", -4.5895, -222.5583, 0.0);
    CHECK_CLOSE(90.0 - curiosity.elevation / degree, 56.291248, 2e-6);
    CHECK_CLOSE(curiosity.azimuth / degree, 287.894237, 2e-6);
    CHECK_CLOSE(curiosity.distance, 1.536245, 1e-6);
}

/// Sub-solar point of Mars from another ephemeris and the IAU's axes of Mars, with light that
/// leaves the sun's place.
static void other_mars(const char *when, double *latitude, double *longitude)
{
    double utc[2], tai[2], tt[2], pv[2][3], R[3][3], fixed[3], towards[3];
    date(when, utc);
    eraUtctai(utc[0], utc[1], &tai[0], &tai[1]);
    eraTaitt(tai[0], tai[1], &tt[0], &tt[1]);
    const double d = tt[0] - 2451545.0 + tt[1], T = d / 36525.0;
    eraPlan94(tt[0], tt[1], 4, pv);
    eraSxp(-1.0, pv[0], towards);
    eraIr(R);
    eraRz(degree * (90.0 + 317.68143 - 0.1061 * T), R);
    eraRx(degree * (90.0 - 52.88650 + 0.0609 * T), R);
    eraRz(degree * (176.630 + 350.89198226 * d), R);
    eraRxp(R, towards, fixed);
    eraC2s(fixed, longitude, latitude);
}

TEST(mars_agrees_with_another_ephemeris_and_the_axes_of_the_iau)
{
    static const char *const dates[] = {"1976-07-20T11:53:00", "1997-07-04T16:57:00", "2012-08-06T05:17:57",
                                        "2021-02-18T20:55:00", "2033-11-01T00:00:00"};
    for (int i = 0; i < 5; i++) {
        double utc[2], latitude, longitude;
        date(dates[i], utc);
        const RiSubSolar s = ri_sun_subsolar(RI_WORLD_MARS, utc, 0.0);
        other_mars(dates[i], &latitude, &longitude);
        // Mars24 counts latitudes planetographic: tan(graphic) = tan(centric) / (1 - f)^2
        const double graphic = atan(tan(latitude) / ((1.0 - 0.00589) * (1.0 - 0.00589)));
        CHECK(apart(s.longitude / degree, longitude / degree) < 0.05);
        CHECK(apart(s.latitude / degree, graphic / degree) < 0.05);
    }
}

TEST(earth_agrees_with_the_published_example_of_the_solar_position_algorithm)
{
    // Reda and Andreas 2004, table A5.1: topocentric, before refraction
    const RiSun sun = sun_over(RI_WORLD_EARTH, "2003-10-17T19:30:30", 39.742476, -105.1786, 0.0);
    CHECK_CLOSE(sun.elevation / degree, 39.872046, 5e-4);
    CHECK_CLOSE(sun.azimuth / degree, 194.34024, 5e-4);
    CHECK_CLOSE(sun.distance, 0.9965423, 1e-5);
}

TEST(the_moons_sun_agrees_with_meeus_and_with_eclipses)
{
    double utc[2];
    date("1992-04-11T23:59:01", utc); // 1992 April 12, 0h TD: example 53.a
    const RiSubSolar s = ri_sun_subsolar(RI_WORLD_MOON, utc, 0.0);
    CHECK_CLOSE(s.longitude / degree, 67.89, 0.02);
    CHECK_CLOSE(s.latitude / degree, 1.46, 0.02);
    // New moon of a total eclipse of the sun: it stands over the far side's middle; the full moon
    // of one of the moon: the near side's.
    date("2017-08-21T18:26:40", utc);
    CHECK(apart(ri_sun_subsolar(RI_WORLD_MOON, utc, 0.0).longitude / degree, 180.0) < 8.0);
    date("2018-07-27T20:21:44", utc);
    CHECK(apart(ri_sun_subsolar(RI_WORLD_MOON, utc, 0.0).longitude / degree, 0.0) < 8.0);
}

TEST(the_moons_sun_stays_near_its_equator_and_goes_round_in_a_synodic_month)
{
    double utc[2], turned = 0.0, last = 0.0, most = 0.0;
    date("2020-01-01T00:00:00", utc);
    enum { YEARS = 19, DAYS = YEARS * 365 };
    for (int i = 0; i <= DAYS; i++) {
        const RiSubSolar s = ri_sun_subsolar(RI_WORLD_MOON, utc, 86400.0 * i);
        turned += i ? remainder(s.longitude - last, 360.0 * degree) : 0.0;
        last = s.longitude;
        most = fmax(most, fabs(s.latitude));
    }
    CHECK_CLOSE(most / degree, 1.57, 0.04); // 1.543 deg of the axis, and its wobble
    CHECK_CLOSE(-360.0 * degree * DAYS / turned, 29.530589, 0.01);
}

TEST(saturns_seasons_and_jupiters_lack_of_them_are_seen_from_their_moons)
{
    double utc[2];
    date("2009-08-11T00:00:00", utc); // equinox
    CHECK_CLOSE(ri_sun_subsolar(RI_WORLD_ENCELADUS, utc, 0.0).latitude / degree, 0.0, 0.1);
    date("2017-05-24T00:00:00", utc); // solstice
    const RiSubSolar saturn = ri_sun_subsolar(RI_WORLD_ENCELADUS, utc, 0.0);
    CHECK_CLOSE(saturn.latitude / degree, 26.73, 0.1);
    CHECK_CLOSE(saturn.distance, 10.06, 0.02);
    for (int i = 0; i < 120; i++)
        CHECK(fabs(ri_sun_subsolar(RI_WORLD_EUROPA, utc, 36.0 * 86400.0 * i).latitude / degree) < 4.3);
    // Their days: as long as their way round the planet, lengthened by the planet's own way round
    // the sun.
    const double day = 1.370218 * 86400.0;
    const double a = ri_sun_subsolar(RI_WORLD_ENCELADUS, utc, 0.0).longitude,
                 b = ri_sun_subsolar(RI_WORLD_ENCELADUS, utc, day).longitude;
    CHECK_CLOSE(remainder(b - a, 360.0 * degree) / degree, 0.046, 0.01);
}

TEST(directions_and_angles_are_one_thing)
{
    for (int i = 0; i < 200; i++) {
        const RiSun sun = {.azimuth = 0.0314 * i, .elevation = -1.5 + 0.015 * i};
        const RiVec3 u = ri_sun_direction(sun);
        const RiSun back = ri_sun_from_direction(u);
        CHECK_CLOSE(ri_norm(u), 1.0, 1e-15);
        CHECK_CLOSE(back.azimuth, sun.azimuth, 1e-12);
        CHECK_CLOSE(back.elevation, sun.elevation, 1e-12);
    }
    const RiVec3 east = ri_sun_direction((RiSun){.azimuth = 90.0 * degree});
    CHECK_CLOSE(east.x, 1.0, 1e-15);
}

TEST(it_rises_in_the_east_and_time_goes_on)
{
    // Equator of the Earth at the equinox: up at six o'clock local time in the east, a quarter turn
    // later overhead.
    const RiSun rise = sun_over(RI_WORLD_EARTH, "2024-03-20T06:07:30", 0.0, 0.0, 0.0);
    CHECK_CLOSE(rise.elevation / degree, 0.0, 0.1);
    CHECK_CLOSE(rise.azimuth / degree, 90.0, 0.2);
    const RiSun noon = sun_over(RI_WORLD_EARTH, "2024-03-20T06:07:30", 0.0, 0.0, 6.0 * 3600.0);
    CHECK_CLOSE(noon.elevation / degree, 90.0, 0.2);
    const RiSunDef still = ri_sun_def_default();
    CHECK_CLOSE(ri_sun_compute(&still, 1e6).azimuth, still.fixed.azimuth, 0.0);
}

TEST(dates_that_are_none_are_told_apart)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {{"", "not a date"},
                 {"2012", "not a date"},
                 {"2012-08-06", "not a date"},
                 {"2012-08-06T05:17", "not a date"},
                 {"2012-08-06T05:17:57+02:00", "not a date"},
                 {"2012-08-06T05:17:57 ", "not a date"},
                 {"2012-8-6T05:17:57", "not a date"},
                 {"2012-13-06T05:17:57", "no month 13"},
                 {"2013-02-29T05:17:57", "no day 29"},
                 {"2012-08-06T25:17:57", "no time of that day"},
                 {"2012-08-06T05:61:57", "no time of that day"},
                 {"2012-08-06T05:17:60", "no time of that day"},
                 {"1066-10-14T09:00:00", "1972"}};
    RiContext *ctx;
    double utc[2];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(ri_sun_date(ctx, wrong[i].text, utc) == RI_ERR_FORMAT);
        if (!strstr(ri_context_message(ctx), wrong[i].says))
            CHECK_FAIL("'%s' gives '%s'", wrong[i].text, ri_context_message(ctx));
        ri_context_clear(ctx);
    }
    CHECK(ri_sun_date(ctx, "2016-12-31T23:59:60.5Z", utc) == RI_OK); // a leap second
    CHECK(ri_sun_date(ctx, "2099-12-31 23:59:59.999", utc) == RI_OK);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(mars_agrees_with_the_worked_example_at_the_beginning_of_2000),
          CASE(mars_agrees_with_the_worked_examples_of_two_landings),
          CASE(mars_agrees_with_another_ephemeris_and_the_axes_of_the_iau),
          CASE(earth_agrees_with_the_published_example_of_the_solar_position_algorithm),
          CASE(the_moons_sun_agrees_with_meeus_and_with_eclipses),
          CASE(the_moons_sun_stays_near_its_equator_and_goes_round_in_a_synodic_month),
          CASE(saturns_seasons_and_jupiters_lack_of_them_are_seen_from_their_moons),
          CASE(directions_and_angles_are_one_thing), CASE(it_rises_in_the_east_and_time_goes_on),
          CASE(dates_that_are_none_are_told_apart))
