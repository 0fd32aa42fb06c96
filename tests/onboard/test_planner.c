// SPDX-License-Identifier: Apache-2.0
/// \file
/// The global planner: exact shortest paths of mazes, repair against planning anew, costs, bad
/// input.
#include <rille/navigation.h>

#include "base/rng.h"
#include "check.h"

enum { ROOM = 4096 };
static RiVec3 path[ROOM];

typedef struct Rect {
    double x0, y0, x1, y1;
} Rect;
typedef struct Rock {
    double x, y, r;
} Rock;

/// A maze with its exact shortest paths for discs of three radii (mazes.yaml: tangent visibility
/// graph).
typedef struct Maze {
    const char *name;
    double sx, sy, gx, gy;
    Rect walls[3];
    int wall_count;
    Rock rocks[16];
    int rock_count;
    double length[3]; // radii 0, 0.4, 0.8 m
} Maze;

static const Maze mazes[] = {
    {"single wall", 2, 10, 18, 10, {{9.5, 4, 10.5, 16}}, 1, {{0, 0, 0}}, 0, {20.209373, 20.765826, 21.355631}},
    {"slalom",
     2,
     3,
     18,
     3,
     {{5, -2, 5.5, 14}, {10, 6, 10.5, 22}, {15, -2, 15.5, 14}},
     3,
     {{0, 0, 0}},
     0,
     {42.539828, 45.377905, 48.384295}},
    {"cul-de-sac",
     4,
     10,
     18,
     10,
     {{8, 5, 15, 5.5}, {8, 14.5, 15, 15}, {14.5, 5.2, 15.2, 14.8}},
     3,
     {{0, 0, 0}},
     0,
     {19.242945, 20.045356, 20.901693}},
    {"rock field",
     1,
     1,
     19,
     19,
     {{0, 0, 0, 0}},
     0,
     {{6.23, 5.32, 0.74},
      {11.09, 12.66, 1.22},
      {13.12, 5.35, 0.53},
      {3.46, 15.14, 1.11},
      {15.79, 12.64, 0.51},
      {12.35, 8.7, 0.53},
      {4.89, 9.42, 0.42},
      {9.3, 16.55, 0.77},
      {15.56, 7.56, 0.65},
      {9.64, 4.01, 0.56},
      {14.69, 17.0, 0.46},
      {6.53, 12.6, 0.84},
      {8.82, 7.9, 0.86},
      {16.71, 3.45, 0.56},
      {3.14, 3.6, 0.56},
      {3.14, 6.66, 0.53}},
     16,
     {25.493065, 25.814192, 26.078037}},
    {"wide and narrow gap",
     2,
     6.5,
     18,
     6.5,
     {{9.8, -2, 10.2, 6}, {9.8, 7.5, 10.2, 13}, {9.8, 15.2, 10.2, 22}},
     3,
     {{6, 8, 1.0}, {14, 12, 1.2}},
     2,
     {16.0, 16.0, 22.053116}},
};

static double rect_gap(Rect a, Rect b)
{
    const double dx = fmax(fmax(a.x0 - b.x1, b.x0 - a.x1), 0.0), dy = fmax(fmax(a.y0 - b.y1, b.y0 - a.y1), 0.0);
    return hypot(dx, dy);
}
static double rock_gap(Rect a, Rock r)
{
    const double dx = fmax(fmax(a.x0 - r.x, r.x - a.x1), 0.0), dy = fmax(fmax(a.y0 - r.y, r.y - a.y1), 0.0);
    return hypot(dx, dy) - r.r;
}

/// A cell is free if the rover's centre may be anywhere in it: the path can then not be too short.
static RiPlanner *lay_out(RiContext *ctx, const Maze *m, double radius, double cell)
{
    RiPlanner *p = NULL;
    const int n = (int)(20.0 / cell + 0.5);
    CHECK_OK(ctx, ri_planner_create(ctx, n, n, cell, 0.0, 0.0, &p));
    for (int iy = 0; iy < n; iy++)
        for (int ix = 0; ix < n; ix++) {
            const Rect c = {ix * cell, iy * cell, (ix + 1) * cell, (iy + 1) * cell};
            double gap = 1e9;
            for (int i = 0; i < m->wall_count; i++)
                gap = fmin(gap, rect_gap(c, m->walls[i]));
            for (int i = 0; i < m->rock_count; i++)
                gap = fmin(gap, rock_gap(c, m->rocks[i]));
            // a wall that only shares a border with the cell leaves a point free to pass
            if (gap < radius - 1e-9 || (radius == 0.0 && gap <= 0.0 && m->rock_count > 0 && gap < -1e-9))
                CHECK_OK(ctx, ri_planner_set_cost(p, ix, iy, INFINITY));
            else if (radius == 0.0)
                for (int i = 0; i < m->wall_count; i++)
                    if (c.x0 < m->walls[i].x1 - 1e-9 && c.x1 > m->walls[i].x0 + 1e-9 && c.y0 < m->walls[i].y1 - 1e-9 &&
                        c.y1 > m->walls[i].y0 + 1e-9)
                        CHECK_OK(ctx, ri_planner_set_cost(p, ix, iy, INFINITY));
        }
    return p;
}

static double path_length(int count)
{
    double length = 0.0;
    for (int i = 0; i + 1 < count; i++)
        length += hypot(path[i + 1].x - path[i].x, path[i + 1].y - path[i].y);
    return length;
}

TEST(paths_through_mazes_are_within_two_percent_of_exact_and_never_shorter)
{
    static const double radii[3] = {0.0, 0.4, 0.8};
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (size_t i = 0; i < sizeof mazes / sizeof *mazes; i++)
        for (int k = 0; k < 3; k++) {
            const Maze *m = &mazes[i];
            RiPlanner *p = lay_out(ctx, m, radii[k], 0.1);
            int count;
            double cost;
            const RiPlanResult r = ri_planner_plan(p, m->sx, m->sy, m->gx, m->gy, path, ROOM, &count, &cost);
            if (r != RI_PLAN_FOUND) {
                CHECK_FAIL("%s, radius %g: %s", m->name, radii[k], ri_plan_result_name(r));
            } else {
                const double length = path_length(count);
                printf("    %-20s r = %.1f: %.4f m, exact %.4f (%+.2f %%)\n", m->name, radii[k], length, m->length[k],
                       100.0 * (length / m->length[k] - 1.0));
                CHECK(length >= m->length[k] - 1e-6);
                CHECK(length <= 1.02 * m->length[k]);
                CHECK_CLOSE(cost, length, 1e-9 * length);
            }
            ri_planner_destroy(p);
        }
    ri_context_destroy(ctx);
}

TEST(a_repaired_plan_costs_what_a_new_one_does)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiRng rng = ri_rng_stream(11, "planner");
    for (int trial = 0; trial < 30; trial++) {
        enum { N = 40 };
        RiPlanner *a = NULL;
        int count;
        double cost, sx = 0.5, sy = 0.5;
        CHECK_OK(ctx, ri_planner_create(ctx, N, N, 1.0, 0.0, 0.0, &a));
        ri_planner_plan(a, sx, sy, 39.3, 39.7, path, ROOM, &count, &cost);
        for (int change = 0; change < 15; change++) {
            for (int i = 0; i < 40; i++) {
                const int ix = ri_rng_below(&rng, N), iy = ri_rng_below(&rng, N);
                if (ix + iy < 3 || ix + iy > 2 * N - 5)
                    continue;
                const double u = ri_rng_uniform(&rng);
                CHECK_OK(ctx, ri_planner_set_cost(a, ix, iy, u < 0.4 ? INFINITY : 1.0 + 5.0 * u));
            }
            if (change % 5 == 4) { // the rover moves on
                sx += 0.3;
                sy += 0.2;
            }
            RiPlanner *b = NULL;
            CHECK_OK(ctx, ri_planner_create(ctx, N, N, 1.0, 0.0, 0.0, &b));
            for (int iy = 0; iy < N; iy++)
                for (int ix = 0; ix < N; ix++)
                    CHECK_OK(ctx, ri_planner_set_cost(b, ix, iy, ri_planner_get_cost(a, ix, iy)));
            double anew;
            int anew_count;
            const RiPlanResult rb = ri_planner_plan(b, sx, sy, 39.3, 39.7, path, ROOM, &anew_count, &anew);
            const RiPlanResult ra = ri_planner_plan(a, sx, sy, 39.3, 39.7, path, ROOM, &count, &cost);
            CHECK_INT(ra, rb);
            if (ra == RI_PLAN_FOUND) {
                CHECK(cost == anew); // equal bits: values are a function of the costs alone
                CHECK_INT(count, anew_count);
                const double va = ri_planner_cost(a, sx, sy), vb = ri_planner_cost(b, sx, sy);
                CHECK(va == vb);
            }
            ri_planner_destroy(b);
        }
        ri_planner_destroy(a);
    }
    ri_context_destroy(ctx);
}

TEST(a_local_change_expands_few_nodes)
{
    enum { N = 300 };
    RiContext *ctx;
    RiPlanner *p = NULL;
    int count;
    double cost;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_planner_create(ctx, N, N, 0.4, 0.0, 0.0, &p));
    CHECK_INT(ri_planner_plan(p, 1, 1, 119, 119, path, ROOM, &count, &cost), RI_PLAN_FOUND);
    CHECK_CLOSE(cost, 118.0 * 1.4142135623730951, 1e-6);
    CHECK_INT(count, 2); // straight
    const long long first = ri_planner_expanded(p);
    for (int i = -3; i <= 3; i++)
        CHECK_OK(ctx, ri_planner_set_cost(p, 20 + i, 20 - i, INFINITY));
    CHECK_INT(ri_planner_plan(p, 1, 1, 119, 119, path, ROOM, &count, &cost), RI_PLAN_FOUND);
    CHECK(cost > 118.0 * 1.4142135623730951);
    CHECK(ri_planner_expanded(p) < first / 4 + 4000);
    ri_planner_destroy(p);
    ri_context_destroy(ctx);
}

TEST(dear_ground_is_avoided_when_the_detour_is_cheaper)
{
    enum { N = 40 };
    RiContext *ctx;
    RiPlanner *p = NULL;
    int count;
    double straight, around;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_planner_create(ctx, N, N, 1.0, 0.0, 0.0, &p));
    for (int iy = 10; iy < 30; iy++)
        for (int ix = 18; ix < 22; ix++)
            CHECK_OK(ctx, ri_planner_set_cost(p, ix, iy, 1.2));
    CHECK_INT(ri_planner_plan(p, 2.5, 20.5, 37.5, 20.5, path, ROOM, &count, &straight), RI_PLAN_FOUND);
    CHECK_CLOSE(straight, 31.0 + 4.0 * 1.2, 1e-3);
    for (int iy = 10; iy < 30; iy++)
        for (int ix = 18; ix < 22; ix++)
            CHECK_OK(ctx, ri_planner_set_cost(p, ix, iy, 50.0));
    CHECK_INT(ri_planner_plan(p, 2.5, 20.5, 37.5, 20.5, path, ROOM, &count, &around), RI_PLAN_FOUND);
    const double exact = hypot(15.5, 9.5) + 4.0 + hypot(15.5, 9.5); // over the upper corners (18, 30), (22, 30)
    CHECK_CLOSE(around, exact, 1e-3 * exact);
    ri_planner_destroy(p);
    ri_context_destroy(ctx);
}

TEST(bad_questions_get_a_clear_answer)
{
    RiContext *ctx;
    RiPlanner *p = NULL;
    int count;
    double cost;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_INT(ri_planner_create(ctx, 0, 5, 1.0, 0, 0, &p), RI_ERR_ARGUMENT);
    CHECK_INT(ri_planner_create(ctx, 4096, 4096, 1.0, 0, 0, &p), RI_ERR_ARGUMENT);
    CHECK_INT(ri_planner_create(ctx, 5, 5, NAN, 0, 0, &p), RI_ERR_ARGUMENT);
    CHECK_OK(ctx, ri_planner_create(ctx, 5, 5, 1.0, 0, 0, &p));
    CHECK_INT(ri_planner_set_cost(p, 5, 0, 2.0), RI_ERR_ARGUMENT);
    CHECK_INT(ri_planner_set_cost(p, 0, 0, 0.5), RI_ERR_ARGUMENT);
    CHECK_INT(ri_planner_set_cost(p, 0, 0, NAN), RI_ERR_ARGUMENT);
    CHECK_INT(ri_planner_plan(p, -1, 0, 4, 4, path, ROOM, &count, &cost), RI_PLAN_START_INSIDE);
    CHECK_INT(ri_planner_plan(p, NAN, 0, 4, 4, path, ROOM, &count, &cost), RI_PLAN_START_INSIDE);
    CHECK_INT(ri_planner_plan(p, 1, 1, 9, 4, path, ROOM, &count, &cost), RI_PLAN_GOAL_INSIDE);
    CHECK_INT(ri_planner_plan(p, 1.2, 1.2, 1.7, 1.8, path, ROOM, &count, &cost), RI_PLAN_FOUND); // one cell
    CHECK_CLOSE(cost, hypot(0.5, 0.6), 1e-12);
    CHECK_INT(ri_planner_plan(p, 1.2, 1.2, 1.2, 1.2, path, ROOM, &count, &cost), RI_PLAN_FOUND); // under the rover
    CHECK_CLOSE(cost, 0.0, 1e-12);
    CHECK_INT(ri_planner_plan(p, 0.5, 0.5, 4.5, 4.5, path, 1, &count, &cost), RI_PLAN_ROOM);
    for (int i = 0; i < 5; i++)
        CHECK_OK(ctx, ri_planner_set_cost(p, 2, i, INFINITY));
    CHECK_INT(ri_planner_plan(p, 0.5, 0.5, 4.5, 4.5, path, ROOM, &count, &cost), RI_PLAN_BLOCKED);
    CHECK(isinf(ri_planner_cost(p, 0.5, 0.5)));
    CHECK_INT(ri_planner_plan(p, 2.5, 0.5, 4.5, 4.5, path, ROOM, &count, &cost), RI_PLAN_START_INSIDE);
    ri_planner_destroy(p);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(paths_through_mazes_are_within_two_percent_of_exact_and_never_shorter),
          CASE(a_repaired_plan_costs_what_a_new_one_does), CASE(a_local_change_expands_few_nodes),
          CASE(dear_ground_is_avoided_when_the_detour_is_cheaper), CASE(bad_questions_get_a_clear_answer))
