// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ways over a mobility map: closed forms, headings that differ, what must not be entered, and an
/// independent relaxation to the same costs.
#include "check.h"

#include "base/rng.h"
#include "onboard/drive/navigate.h"

enum { SIDE = RI_NAV_WORLD_CELLS, NX = 40, HEADINGS = 8 };

static RiNavWays ways;
static float costs[HEADINGS * NX * NX];
static RiDeviceMap map;

/// A world of 128 m from (-64, -64), and a map of 40 m in its middle; all costs 1.
static void begin(void)
{
    map = (RiDeviceMap){
        .nx = NX, .ny = NX, .headings = HEADINGS, .x0 = -19.5, .y0 = -19.5, .cell = 1.0, .cost = costs, .outside = 1.0};
    ways = (RiNavWays){.map = &map, .x0 = -64.0, .y0 = -64.0, .cell = 1.0};
    for (int i = 0; i < SIDE * SIDE; i++)
        ways.seen[i] = 1.0;
    for (int i = 0; i < HEADINGS * NX * NX; i++)
        costs[i] = 1.0F;
}

static double length_of(const RiVec3 *path, int count)
{
    double sum = 0.0;
    for (int i = 0; i + 1 < count; i++)
        sum += hypot(path[i + 1].x - path[i].x, path[i + 1].y - path[i].y);
    return sum;
}

TEST(on_even_ground_ways_have_the_length_of_the_grid)
{
    begin();
    ri_nav_ways_search(&ways, 10.5, 3.5);
    CHECK_CLOSE(ri_nav_ways_cost(&ways, -9.5, 3.5), 20.0, 1e-12);
    CHECK_CLOSE(ri_nav_ways_cost(&ways, 0.5, -6.5), 10.0 * sqrt(2.0), 1e-12);
    CHECK_CLOSE(ri_nav_ways_cost(&ways, -9.5, -1.5), 15.0 + 5.0 * sqrt(2.0), 1e-12);
    CHECK_CLOSE(ri_nav_ways_cost(&ways, -9.2, 3.5), 19.7, 1e-12); // linear between middles
    RiVec3 path[64];
    const int count = ri_nav_ways_path(&ways, -9.5, -1.5, 10.5, 3.5, path, 64);
    CHECK(count >= 3 && count <= 4);
    CHECK_CLOSE(length_of(path, count), 15.0 + 5.0 * sqrt(2.0), 1e-12);
    CHECK(isinf(ri_nav_ways_cost(&ways, 100.0, 0.0)));
}

TEST(climbing_and_crossing_cost_what_their_headings_say)
{
    begin(); // everything costs 3 towards north, 1 in all other headings
    for (int i = 0; i < NX * NX; i++)
        costs[2 * NX * NX + i] = 3.0F;
    ri_nav_ways_search(&ways, 0.5, 9.5);
    // straight north would cost 30; a zigzag of diagonals costs 10 sqrt(2)
    CHECK_CLOSE(ri_nav_ways_cost(&ways, 0.5, -0.5), 10.0 * sqrt(2.0), 1e-6);
    ri_nav_ways_search(&ways, 0.5, -9.5);
    CHECK_CLOSE(ri_nav_ways_cost(&ways, 0.5, 0.5), 10.0, 1e-6); // south
}

TEST(a_field_that_must_not_be_entered_is_driven_around)
{
    begin();
    for (int j = 10; j < 30; j++) // x from -2 to 2, y from -10 to 10
        for (int i = 18; i < 22; i++)
            for (int h = 0; h < HEADINGS; h++)
                costs[(h * NX + j) * NX + i] = INFINITY;
    CHECK(ri_nav_map_forbids(&map, 0.5, 0.5) && !ri_nav_map_forbids(&map, 0.5, 11.5) &&
          !ri_nav_map_forbids(&map, 50.0, 0.0));
    ri_nav_ways_search(&ways, 12.5, 0.5);
    RiVec3 path[64];
    const int count = ri_nav_ways_path(&ways, -12.5, 0.5, 12.5, 0.5, path, 64);
    CHECK(count >= 4);
    for (int k = 0; k + 1 < count; k++)
        for (int s = 0; s <= 50; s++) {
            const double x = path[k].x + (path[k + 1].x - path[k].x) * s / 50.0;
            const double y = path[k].y + (path[k + 1].y - path[k].y) * s / 50.0;
            CHECK(fabs(x) > 2.0 - 1e-9 || fabs(y) > 10.0 - 1e-9);
        }
    CHECK(isinf(ri_nav_ways_cost(&ways, 0.5, 0.5)));
    ways.free[64 * SIDE + 64] = 1; // a rover that stands in it cannot leave: its neighbours are closed too
    ri_nav_ways_search(&ways, 12.5, 0.5);
    CHECK(isinf(ri_nav_ways_cost(&ways, 0.5, 0.5)));
    for (int i = 0; i < SIDE * SIDE; i++)
        ways.free[i] = 1;
    ri_nav_ways_search(&ways, 12.5, 0.5);
    CHECK_CLOSE(ri_nav_ways_cost(&ways, 0.5, 0.5), 3.0 + 2.0 + 10.0, 1e-6); // within, out of it, and on
}

TEST(what_was_seen_closes_diagonals_between_two_hazards)
{
    begin();
    ways.seen[64 * SIDE + 65] = ways.seen[65 * SIDE + 64] = INFINITY;
    ri_nav_ways_search(&ways, 1.5, 1.5);
    CHECK(ri_nav_ways_cost(&ways, 0.5, 0.5) > 2.0 * sqrt(2.0) + 1.0);
    ways.seen[64 * SIDE + 64] = INFINITY;
    ri_nav_ways_search(&ways, 0.5, 0.5); // the goal is in a hazard
    CHECK(isinf(ri_nav_ways_cost(&ways, 5.5, 5.5)));
    RiVec3 path[64];
    CHECK_INT(ri_nav_ways_path(&ways, 5.5, 5.5, 0.5, 0.5, path, 64), 0);
}

/// Cost of a move by its definition.
static double move(int i, int j, int di, int dj)
{
    const double h = atan2(dj, di);
    const double ax = ways.x0 + i + 0.5, ay = ways.y0 + j + 0.5;
    const double seen = 0.5 * (ways.seen[j * SIDE + i] + ways.seen[(j + dj) * SIDE + i + di]);
    if (di && dj && isinf(ways.seen[j * SIDE + i + di] + ways.seen[(j + dj) * SIDE + i]))
        return INFINITY;
    return hypot(di, dj) *
           (seen + 0.5 * (ri_nav_map_cost(&map, ax, ay, h) + ri_nav_map_cost(&map, ax + di, ay + dj, h)) - 1.0);
}

TEST(costs_are_the_fixed_point_of_all_moves)
{
    static double g[SIDE * SIDE];
    RiRng rng = ri_rng_stream(5, "ways");
    begin();
    for (int i = 0; i < HEADINGS * NX * NX; i++)
        costs[i] = ri_rng_uniform(&rng) < 0.1 ? INFINITY : (float)ri_rng_between(&rng, 1.0, 5.0);
    for (int i = 0; i < SIDE * SIDE; i++)
        ways.seen[i] = ri_rng_uniform(&rng) < 0.15 ? INFINITY : ri_rng_between(&rng, 1.0, 3.0);
    ways.seen[64 * SIDE + 64] = 1.0;
    ri_nav_ways_search(&ways, 0.5, 0.5);
    for (int i = 0; i < SIDE * SIDE; i++)
        g[i] = INFINITY;
    g[64 * SIDE + 64] = 0.0;
    bool changed = true;
    for (int sweep = 0; sweep < 1000 && changed; sweep++) {
        changed = false;
        for (int c = 0; c < SIDE * SIDE; c++)
            for (int k = 0; k < 9; k++) {
                const int i = c % SIDE, j = c / SIDE, di = k % 3 - 1, dj = k / 3 - 1;
                if ((di || dj) && i + di >= 0 && j + dj >= 0 && i + di < SIDE && j + dj < SIDE) {
                    const double to = move(i, j, di, dj) + g[(j + dj) * SIDE + i + di];
                    if (to < g[c] - 1e-12) {
                        g[c] = to;
                        changed = true;
                    }
                }
            }
    }
    CHECK(!changed);
    int found = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (isinf(g[i]) != isinf(ways.g[i]) || (isfinite(g[i]) && fabs(g[i] - ways.g[i]) > 1e-9))
            CHECK_FAIL("cell %d: %g by sweeps, %g by the search", i, g[i], ways.g[i]);
        found += isfinite(g[i]);
    }
    CHECK(found > SIDE * SIDE / 2);
}

TEST_MAIN(CASE(on_even_ground_ways_have_the_length_of_the_grid),
          CASE(climbing_and_crossing_cost_what_their_headings_say),
          CASE(a_field_that_must_not_be_entered_is_driven_around),
          CASE(what_was_seen_closes_diagonals_between_two_hazards), CASE(costs_are_the_fixed_point_of_all_moves))
