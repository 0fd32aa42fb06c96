// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sojourner's stripes: hazards of height patterns, and the rule table.
#include <rille/navigation.h>

#include "check.h"

typedef double Stripes[RI_STRIPE_ROWS][RI_STRIPE_COLUMNS];

static int hazards_with(int row, int column, double height)
{
    const RiSojournerOptions o = ri_sojourner_options_default();
    Stripes h = {{0}};
    h[row][column] = height;
    return ri_sojourner_hazards(&o, (const double(*)[RI_STRIPE_COLUMNS])h);
}

TEST(a_rock_a_hole_and_a_missing_point_are_hazards_of_their_zone)
{
    static const int zones[RI_STRIPE_COLUMNS] = {RI_STRIPE_LEFT, RI_STRIPE_LEFT, RI_STRIPE_CENTRE, RI_STRIPE_RIGHT,
                                                 RI_STRIPE_RIGHT};
    for (int row = 0; row < RI_STRIPE_ROWS; row++)
        for (int column = 0; column < RI_STRIPE_COLUMNS; column++) {
            CHECK_INT(hazards_with(row, column, 0.15), zones[column]);
            CHECK_INT(hazards_with(row, column, -0.5), zones[column]);
            CHECK_INT(hazards_with(row, column, NAN), zones[column]);
            CHECK_INT(hazards_with(row, column, 0.10), 0);
        }
}

TEST(a_slope_is_no_hazard_until_its_span_is)
{
    const RiSojournerOptions o = ri_sojourner_options_default();
    Stripes h;
    for (int row = 0; row < RI_STRIPE_ROWS; row++)
        for (int column = 0; column < RI_STRIPE_COLUMNS; column++)
            h[row][column] = 0.05 * row;
    CHECK_INT(ri_sojourner_hazards(&o, (const double(*)[RI_STRIPE_COLUMNS])h), 0);
    for (int row = 0; row < RI_STRIPE_ROWS; row++)
        for (int column = 0; column < RI_STRIPE_COLUMNS; column++)
            h[row][column] = 0.08 * row;
    CHECK(ri_sojourner_hazards(&o, (const double(*)[RI_STRIPE_COLUMNS])h) != 0);
}

TEST(stripes_seen_in_a_mirror_give_mirrored_hazards)
{
    const RiSojournerOptions o = ri_sojourner_options_default();
    unsigned seed = 3;
    for (int trial = 0; trial < 1000; trial++) {
        Stripes h, mirrored;
        for (int row = 0; row < RI_STRIPE_ROWS; row++)
            for (int column = 0; column < RI_STRIPE_COLUMNS; column++) {
                seed = seed * 1664525u + 1013904223u;
                h[row][column] = mirrored[row][RI_STRIPE_COLUMNS - 1 - column] = (seed >> 16) % 1000 / 3000.0;
            }
        const int a = ri_sojourner_hazards(&o, (const double(*)[RI_STRIPE_COLUMNS])h);
        const int b = ri_sojourner_hazards(&o, (const double(*)[RI_STRIPE_COLUMNS])mirrored);
        CHECK_INT(b, (a & RI_STRIPE_CENTRE) | (a & RI_STRIPE_LEFT ? RI_STRIPE_RIGHT : 0) |
                         (a & RI_STRIPE_RIGHT ? RI_STRIPE_LEFT : 0));
    }
}

/// One decision from nothing.
static RiSojournerAction first(int left, int centre, int right, double goal, double gap)
{
    const RiSojournerOptions o = ri_sojourner_options_default();
    RiSojournerState s = {0};
    const int hazards = (left ? RI_STRIPE_LEFT : 0) | (centre ? RI_STRIPE_CENTRE : 0) | (right ? RI_STRIPE_RIGHT : 0);
    return ri_sojourner_decide(&o, hazards, goal, gap, 0.0, &s);
}

TEST(every_row_of_the_rule_table_is_followed)
{
    const double wide = 0.8, narrow = 0.4;
    for (int side = -1; side <= 1; side += 2) {
        const double goal = 0.5 * side;
        const RiSojournerAction to_goal = side > 0 ? RI_SOJOURNER_TURN_LEFT : RI_SOJOURNER_TURN_RIGHT;
        CHECK_INT(first(0, 0, 0, goal, wide), RI_SOJOURNER_ARC);
        CHECK_INT(first(1, 0, 0, goal, wide), RI_SOJOURNER_TURN_RIGHT);
        CHECK_INT(first(0, 0, 1, goal, wide), RI_SOJOURNER_TURN_LEFT);
        CHECK_INT(first(1, 1, 0, goal, wide), RI_SOJOURNER_TURN_RIGHT);
        CHECK_INT(first(0, 1, 1, goal, wide), RI_SOJOURNER_TURN_LEFT);
        CHECK_INT(first(0, 1, 0, goal, wide), to_goal);
        CHECK_INT(first(1, 0, 1, goal, wide), RI_SOJOURNER_THREAD);
        CHECK_INT(first(1, 0, 1, goal, narrow), to_goal);
        CHECK_INT(first(1, 1, 1, goal, wide), to_goal);
    }
}

TEST(it_turns_on_to_the_same_side_and_reports_blocked_after_a_full_circle)
{
    const RiSojournerOptions o = ri_sojourner_options_default();
    const int all = RI_STRIPE_LEFT | RI_STRIPE_CENTRE | RI_STRIPE_RIGHT;
    RiSojournerState s = {0};
    int turns = 0;
    CHECK_INT(ri_sojourner_decide(&o, all, 0.1, 0.0, 0.0, &s), RI_SOJOURNER_TURN_LEFT);
    while (ri_sojourner_decide(&o, all, -0.1, 0.0, 0.5, &s) == RI_SOJOURNER_TURN_LEFT && turns < 100)
        turns++;
    CHECK_INT(turns, 12); // 6.28 rad in steps of 0.5
    CHECK_INT(s.last, RI_SOJOURNER_BLOCKED);
}

TEST(a_hazard_inside_a_gap_makes_it_back_out)
{
    const RiSojournerOptions o = ri_sojourner_options_default();
    RiSojournerState s = {0};
    CHECK_INT(ri_sojourner_decide(&o, RI_STRIPE_LEFT | RI_STRIPE_RIGHT, 0.0, 1.0, 0.0, &s), RI_SOJOURNER_THREAD);
    CHECK_INT(ri_sojourner_decide(&o, RI_STRIPE_CENTRE, 0.0, 1.0, 0.0, &s), RI_SOJOURNER_BACK_OUT);
    CHECK_INT(ri_sojourner_decide(&o, 0, 0.0, 1.0, 0.0, &s), RI_SOJOURNER_ARC);
}

TEST_MAIN(CASE(a_rock_a_hole_and_a_missing_point_are_hazards_of_their_zone),
          CASE(a_slope_is_no_hazard_until_its_span_is), CASE(stripes_seen_in_a_mirror_give_mirrored_hazards),
          CASE(every_row_of_the_rule_table_is_followed),
          CASE(it_turns_on_to_the_same_side_and_reports_blocked_after_a_full_circle),
          CASE(a_hazard_inside_a_gap_makes_it_back_out))
