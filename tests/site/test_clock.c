// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clocks: worked examples, leap seconds, local times, sols of missions, and identities between
/// them.
#include <rille/clock.h>

#include "check.h"

static const double degree = 3.14159265358979323846 / 180.0;

static RiSunDef place(RiWorld world, const char *when, double latitude, double longitude)
{
    RiSunDef def = {.world = world, .moves = true, .latitude = degree * latitude, .longitude = degree * longitude};
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK || ri_sun_date(ctx, when, def.utc) != RI_OK)
        CHECK_FAIL("%s", when);
    ri_context_destroy(ctx);
    return def;
}

TEST(mars_clocks_agree_with_the_worked_examples_of_mars24)
{
    const RiSunDef first = place(RI_WORLD_MARS, "2000-01-06T00:00:00", 0.0, 0.0);
    RiClock c = ri_clock_read(&first, 0.0);
    CHECK_CLOSE(c.tt_minus_utc, 64.184, 1e-9);
    CHECK_CLOSE(c.mars.sol_date, 44795.99976, 1e-5);
    CHECK_CLOSE(c.mars.coordinated, 23.994249, 1e-6);
    CHECK_CLOSE(c.true_hour, 23.648400, 1e-6);
    const RiSunDef spirit = place(RI_WORLD_MARS, "2004-01-03T13:46:31", -14.640, -184.702);
    c = ri_clock_read(&spirit, 0.0);
    CHECK_CLOSE(c.mean_hour, 0.851902, 2e-6);
    CHECK_CLOSE(c.true_hour, 0.000200, 2e-6);
    const RiSunDef curiosity = place(RI_WORLD_MARS, "2012-08-06T05:17:57", -4.5895, -222.5583);
    c = ri_clock_read(&curiosity, 0.0);
    CHECK_CLOSE(c.tt_minus_utc, 67.184, 1e-9);
    CHECK_CLOSE(c.mean_hour, 15.054060, 2e-6);
    CHECK_CLOSE(c.true_hour, 15.604764, 2e-6);
    CHECK_CLOSE(c.season, 150.702910, 1e-6);
    CHECK(strcmp(c.utc, "2012-08-06T05:17:57.000") == 0);
}

TEST(a_leap_second_is_a_second)
{
    const RiSunDef before = place(RI_WORLD_MARS, "2016-12-31T23:59:59", 0.0, 0.0);
    CHECK(strcmp(ri_clock_read(&before, 1.0).utc, "2016-12-31T23:59:60.000") == 0);
    CHECK(strcmp(ri_clock_read(&before, 2.0).utc, "2017-01-01T00:00:00.000") == 0);
    CHECK_CLOSE(ri_clock_read(&before, 0.0).tt_minus_utc, 68.184, 1e-9);
    CHECK_CLOSE(ri_clock_read(&before, 2.0).tt_minus_utc, 69.184, 1e-9);
}

TEST(the_true_hour_is_twelve_where_the_sun_is_due_south_or_north_on_every_body)
{
    for (int w = 1; w < RI_WORLD_COUNT; w++) {
        RiSunDef def = place((RiWorld)w, "2026-03-01T00:00:00", 0.0, 0.0);
        const RiSubSolar s = ri_sun_subsolar(def.world, def.utc, 0.0);
        def.longitude = s.longitude;
        def.latitude = s.latitude;
        const RiClock c = ri_clock_read(&def, 0.0);
        CHECK_CLOSE(c.true_hour, 12.0, 1e-9);
        CHECK_CLOSE(c.sun.elevation / degree, 90.0, 0.01);
        def.longitude += 90.0 * degree; // a quarter turn to the east it is 18 h
        CHECK_CLOSE(ri_clock_read(&def, 0.0).true_hour, 18.0, 1e-9);
    }
}

TEST(until_finds_the_local_hour_within_a_day)
{
    for (int w = 1; w < RI_WORLD_COUNT; w++) {
        const RiSunDef def = place((RiWorld)w, "2018-06-10T00:00:00", -2.0, 354.0);
        for (double hour = 0.0; hour < 24.0; hour += 5.5) {
            const double t = ri_clock_until(&def, hour);
            CHECK(t >= 0.0 && t <= 1.01 * ri_clock_day(def.world));
            CHECK_CLOSE(remainder(ri_clock_read(&def, t).true_hour - hour, 24.0), 0.0, 1e-6);
        }
    }
}

TEST(mean_days_follow_the_true_sun_over_years)
{
    static const RiWorld worlds[] = {RI_WORLD_EARTH, RI_WORLD_MOON, RI_WORLD_MARS};
    static const double widest[] = {0.3, 1.2, 0.9}; // equation of time, libration and eccentricity [h of 24]
    for (int w = 0; w < 3; w++) {
        const RiSunDef def = place(worlds[w], "2010-01-01T00:00:00", 0.0, 40.0);
        double sum = 0.0, most = 0.0;
        enum { LOOKS = 800 };
        for (int i = 0; i < LOOKS; i++) {
            const RiClock c = ri_clock_read(&def, 86400.0 * 9.37 * i);
            const double apart = remainder(c.true_hour - c.mean_hour, 24.0);
            sum += apart;
            most = fmax(most, fabs(apart));
        }
        CHECK_CLOSE(sum / LOOKS, 0.0, 0.05);
        CHECK(most < widest[w]);
    }
}

TEST(a_day_is_from_one_true_noon_to_the_next_on_average)
{
    for (int w = 1; w < RI_WORLD_COUNT; w++) {
        const RiSunDef def = place((RiWorld)w, "2020-01-01T00:00:00", 0.0, 0.0);
        const double day = ri_clock_day(def.world), first = ri_clock_until(&def, 12.0);
        enum { DAYS = 60 };
        const double left = remainder(12.0 - ri_clock_read(&def, first + DAYS * day).true_hour, 24.0);
        CHECK(fabs(left) < 1.2); // the equation of time, not a drift of 60 times an error
    }
}

TEST(sols_of_missions_are_those_of_their_reports)
{
    static const struct {
        const char *mission, *date;
        int sol;
    } known[] = {{"spirit", "2004-01-04T06:00:00", 1},         {"opportunity", "2009-07-08T12:00:00", 1939},
                 {"opportunity", "2018-06-10T12:00:00", 5111}, {"curiosity", "2012-08-06T05:17:57", 0},
                 {"curiosity", "2012-08-07T12:00:00", 1},      {"perseverance", "2021-02-18T20:50:00", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const RiSunDef def = place(RI_WORLD_MARS, known[i].date, 0.0, 0.0);
        double hour;
        const int sol = ri_mission_sol(ri_mission_find(known[i].mission), def.utc, &hour);
        CHECK(abs(sol - known[i].sol) <= (strcmp(known[i].mission, "opportunity") == 0)); // reports name the day alone
        CHECK(hour >= 0.0 && hour < 24.0);
    }
    CHECK(ri_mission_find("beagle") == NULL && ri_mission_get(-1) == NULL);
}

TEST(time_of_a_sol_and_sol_of_a_time_are_inverse)
{
    for (int i = 0; i < ri_mission_count(); i++)
        for (int sol = 0; sol < 5000; sol += 733) {
            double utc[2], hour;
            ri_mission_time(ri_mission_get(i), sol, 14.25, utc);
            CHECK_INT(ri_mission_sol(ri_mission_get(i), utc, &hour), sol);
            CHECK_CLOSE(hour, 14.25, 1e-5);
        }
}

TEST_MAIN(CASE(mars_clocks_agree_with_the_worked_examples_of_mars24), CASE(a_leap_second_is_a_second),
          CASE(the_true_hour_is_twelve_where_the_sun_is_due_south_or_north_on_every_body),
          CASE(until_finds_the_local_hour_within_a_day), CASE(mean_days_follow_the_true_sun_over_years),
          CASE(a_day_is_from_one_true_noon_to_the_next_on_average), CASE(sols_of_missions_are_those_of_their_reports),
          CASE(time_of_a_sol_and_sol_of_a_time_are_inverse))
