// SPDX-License-Identifier: Apache-2.0
/// \file
/// The local map: hand-checked terrains, a slow reference implementation, scrolling, votes of arcs.
#include <rille/navigation.h>

#include "base/rng.h"
#include "check.h"

static const double degree = 0.017453292519943295;

typedef double (*Ground)(double x, double y);

/// A map of 64 cells of 0.2 m with one point in the middle of every cell.
static RiNavMap *map_of(RiContext *ctx, Ground ground)
{
    RiNavOptions o = ri_nav_options_default();
    o.cells = 64;
    o.weight_hazard = o.weight_steer = 0.0; // the cases rank free arcs by the distance of their end
    o.weight_goal = 1.0;
    RiNavMap *m = NULL;
    CHECK_OK(ctx, ri_nav_map_create(ctx, &o, &m));
    if (!m)
        return NULL;
    for (int iy = 0; iy < o.cells; iy++)
        for (int ix = 0; ix < o.cells; ix++) {
            RiVec3 p = ri_nav_map_cell_centre(m, ix, iy);
            p.z = ground(p.x, p.y);
            CHECK_INT(ri_nav_map_add(m, &p, 1), 1);
        }
    ri_nav_map_update(m);
    return m;
}

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0.0;
}
static bool in_box(double x, double y)
{
    return x > 2.8 && x < 3.2 && fabs(y) < 0.2;
}
static double tall_rock(double x, double y)
{
    return in_box(x, y) ? 0.30 : 0.0;
}
static double low_rock(double x, double y)
{
    return in_box(x, y) ? 0.20 : 0.0;
}
static double ramp(double x, double y)
{
    (void)y;
    return x * 0.2679491924311227; // tan(15 degrees)
}
static double ledge(double x, double y)
{
    (void)y;
    return x > 3.0 ? 0.22 : 0.0;
}
static double gap(double x, double y)
{
    return x > 3.0 && x < 3.4 && fabs(y) >= 0.85 ? 1.0 : 0.0;
}
static double crest(double x, double y) // up 15 degrees, then level
{
    (void)y;
    return fmin(x, 2.0) * 0.2679491924311227;
}
static double crater(double x, double y) // a hole 0.6 m deep, 1.2 m across
{
    return (x - 3.0) * (x - 3.0) + y * y < 0.36 ? -0.6 : 0.0;
}

enum { ARCS = 11 };
static const double radii[5] = {1.0, 1.5, 2.0, 3.0, 6.0};
static const char *const arc_names[ARCS] = {"L1", "L1.5", "L2", "L3", "L6", "S", "R6", "R3", "R2", "R1.5", "R1"};

/// Figures of terrain_cases.yaml (computed there by hand and by an independent program).
typedef struct Case {
    const char *name;
    Ground ground;
    double at_y, tilt_deg, rms, step, above;
    int hazards;
    const char *vetoed; // names of arcs, a space after each
    const char *best;
    double clearance[ARCS]; // 0: no obstacle
} Case;

static const Case terrains[] = {
    {"flat ground", flat, 0.1, 0.0, 0.0, 0.0, 0.0, 0, "", "S ", {0}},
    {"single tall rock",
     tall_rock,
     0.1,
     1.265864,
     0.081674,
     0.3,
     0.275510,
     RI_NAV_STEP | RI_NAV_ROUGHNESS,
     "L6 S R6 ",
     "L3 R3 ",
     {1.9120, 1.5871, 1.3287, 0.9598, 0.4405, 0.0, 0.4405, 0.9598, 1.3287, 1.5871, 1.9120}},
    {"single low rock", low_rock, 0.1, 0.843985, 0.054449, 0.2, 0.183673, 0, "", "S ", {0}},
    {"ramp of 15 degrees", ramp, 0.1, 15.0, 0.0, 0.053590, 0.0, 0, "", "S ", {0}},
    {"ledge of 0.22 m", ledge, 0.1, 12.907409, 0.058826, 0.22, 0.089796, 0, "", "S ", {0}},
    {"gap of 1.70 m",
     gap,
     1.3,
     16.893295,
     0.424809,
     1.0,
     0.838861,
     RI_NAV_STEP | RI_NAV_ROUGHNESS,
     "L3 L6 R6 R3 ",
     "S ",
     {2.0, 1.5, 1.0050, 0.4756, 0.1691, 0.85, 0.1691, 0.4756, 1.0050, 1.5, 2.0}},
};
enum { CASES = sizeof terrains / sizeof *terrains };

TEST(patches_of_small_terrains_have_their_hand_checked_figures)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int i = 0; i < CASES; i++) {
        const Case *c = &terrains[i];
        RiNavMap *m = map_of(ctx, c->ground);
        const RiNavPatch p = ri_nav_map_patch(m, 3.1, c->at_y);
        CHECK_INT(p.cells, 49);
        CHECK_INT(p.known, 49);
        CHECK_CLOSE(p.tilt / degree, c->tilt_deg, 2e-6);
        CHECK_CLOSE(p.roughness, c->rms, 1e-6);
        CHECK_CLOSE(p.step, c->step, 1e-6);
        CHECK_CLOSE(p.above, c->above, 1e-6);
        CHECK_INT(p.hazards, c->hazards);
        ri_nav_map_destroy(m);
    }
    ri_context_destroy(ctx);
}

/// Forward arcs of 3 m from the origin.
static int forward_fan(RiNavArc *arcs)
{
    RiNavArc all[24];
    ri_nav_fan(radii, 5, 3.0, 0.5, all);
    memcpy(arcs, all, ARCS * sizeof *arcs);
    return ARCS;
}

TEST(arcs_over_small_terrains_are_vetoed_as_by_hand)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int i = 0; i < CASES; i++) {
        const Case *c = &terrains[i];
        RiNavMap *m = map_of(ctx, c->ground);
        RiNavArc arcs[ARCS];
        const int count = forward_fan(arcs);
        const int best = ri_nav_choose_arc(m, 0.0, 0.0, 0.0, 0.0, &(RiNavGoal){.x = 10.0, .radius = 0.5}, arcs, count);
        REQUIRE(best >= 0);
        char found[8];
        snprintf(found, sizeof found, "%s ", arc_names[best]);
        if (!strstr(c->best, found))
            CHECK_FAIL("%s: best arc is %s, expected one of %s", c->name, found, c->best);
        for (int k = 0; k < count; k++) {
            snprintf(found, sizeof found, "%s ", arc_names[k]);
            // "L1 " must not be found in "L1.5 ": names end with a space and begin after one
            const char *at = strstr(c->vetoed, found);
            const bool expected = at && (at == c->vetoed || at[-1] == ' ');
            if ((arcs[k].veto != RI_NAV_FREE) != expected)
                CHECK_FAIL("%s: arc %s is %s", c->name, arc_names[k], ri_nav_veto_name(arcs[k].veto));
            if (c->clearance[0] > 0.0) // a grid may differ by a cell
                CHECK_CLOSE(ri_nav_clearance(m, &arcs[k], 0.0, 0.0, 0.0), c->clearance[k], 0.2);
        }
        ri_nav_map_destroy(m);
    }
    ri_context_destroy(ctx);
}

TEST(a_ramp_is_no_obstacle_at_its_crest_but_a_crater_is)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNavArc arcs[ARCS];
    RiNavMap *m = map_of(ctx, crest);
    const int count = forward_fan(arcs);
    ri_nav_choose_arc(m, 0.0, 0.0, 0.0, 0.0, &(RiNavGoal){.x = 10.0}, arcs, count);
    for (int k = 0; k < count; k++)
        CHECK_INT(arcs[k].veto, RI_NAV_FREE);
    ri_nav_map_destroy(m);
    m = map_of(ctx, crater);
    ri_nav_choose_arc(m, 0.0, 0.0, 0.0, 0.0, &(RiNavGoal){.x = 10.0}, arcs, count);
    CHECK_INT(arcs[5].veto, RI_NAV_VETO_HAZARD); // straight
    ri_nav_map_destroy(m);
    ri_context_destroy(ctx);
}

/// A plain implementation: all points kept, planes by normal equations in the patch, no increments.
typedef struct Slow {
    RiVec3 *points;
    int count;
} Slow;

static bool slow_mean(const Slow *s, double cell, int ix, int iy, double *out_mean, int *out_count)
{
    double sum = 0.0;
    int n = 0;
    for (int i = 0; i < s->count; i++)
        if ((int)floor(s->points[i].x / cell) == ix && (int)floor(s->points[i].y / cell) == iy) {
            sum += s->points[i].z;
            n++;
        }
    *out_mean = n > 0 ? sum / n : 0.0;
    *out_count = n;
    return n > 0;
}

static void slow_plane(const Slow *s, double cell, double radius, int cx, int cy, double *out_tilt, double *out_rms)
{
    const double x0 = (cx + 0.5) * cell, y0 = (cy + 0.5) * cell;
    double n = 0, mx = 0, my = 0, mz = 0, xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, r = 0;
    for (int pass = 0; pass < 3; pass++) {
        double a = 0, b = 0;
        if (pass == 2) {
            const double det = xx * yy - xy * xy;
            a = (xz * yy - yz * xy) / det;
            b = (yz * xx - xz * xy) / det;
            *out_tilt = atan(hypot(a, b));
        }
        for (int i = 0; i < s->count; i++) {
            const RiVec3 p = s->points[i];
            const double ccx = (floor(p.x / cell) + 0.5) * cell - x0, ccy = (floor(p.y / cell) + 0.5) * cell - y0;
            if (hypot(ccx, ccy) > radius * (1 + 1e-12))
                continue;
            if (pass == 0) {
                n += 1;
                mx += p.x;
                my += p.y;
                mz += p.z;
            } else if (pass == 1) {
                xx += (p.x - mx) * (p.x - mx);
                xy += (p.x - mx) * (p.y - my);
                yy += (p.y - my) * (p.y - my);
                xz += (p.x - mx) * (p.z - mz);
                yz += (p.y - my) * (p.z - mz);
            } else {
                const double e = p.z - mz - a * (p.x - mx) - b * (p.y - my);
                r += e * e;
            }
        }
        if (pass == 0) {
            mx /= n;
            my /= n;
            mz /= n;
        }
    }
    *out_rms = sqrt(r / n);
}

TEST(patches_of_random_points_equal_a_slow_reference)
{
    enum { POINTS = 3000 };
    RiContext *ctx;
    RiNavMap *m = NULL;
    RiNavOptions o = ri_nav_options_default();
    static RiVec3 points[POINTS];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    o.cells = 16;
    o.points_most = 1e6;
    CHECK_OK(ctx, ri_nav_map_create(ctx, &o, &m));
    RiRng rng = ri_rng_stream(7, "nav");
    ri_nav_map_reset(m, (RiVec3){0.0, 0.0, 100.0});
    for (int i = 0; i < POINTS; i++) {
        const double x = 3.1 * ri_rng_uniform(&rng) - 1.55, y = 3.1 * ri_rng_uniform(&rng) - 1.55;
        points[i] = (RiVec3){x, y, 100.0 + 0.3 * x - 0.1 * y + 0.05 * ri_rng_uniform(&rng)};
        if (i % 500 == 0)
            ri_nav_map_update(m); // increments must not matter
        ri_nav_map_add(m, &points[i], 1);
    }
    ri_nav_map_update(m);
    const Slow slow = {points, POINTS};
    for (int c = -2; c <= 2; c++) {
        double tilt = 0.0, rms = 0.0, a, b;
        int na, nb;
        slow_plane(&slow, o.cell, o.radius, c, -c, &tilt, &rms);
        const RiNavPatch p = ri_nav_map_patch(m, (c + 0.5) * o.cell, (-c + 0.5) * o.cell);
        CHECK_CLOSE(p.tilt, tilt, 1e-11);
        CHECK_CLOSE(p.roughness, rms, 1e-10);
        CHECK(slow_mean(&slow, o.cell, c, 0, &a, &na) && slow_mean(&slow, o.cell, c + 1, 0, &b, &nb));
        CHECK(p.step >= fabs(a - b) - 1e-12 || c < -1 || c > 1); // both cells lie in the patches around the middle
        CHECK_INT(ri_nav_map_goodness(m, (c + 0.5) * o.cell, (-c + 0.5) * o.cell),
                  p.hazards & ~RI_NAV_BORDER ? 0 : p.goodness);
    }
    ri_nav_map_destroy(m);
    ri_context_destroy(ctx);
}

TEST(a_map_that_scrolls_keeps_what_stays_inside_and_forgets_the_rest)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNavMap *m = map_of(ctx, tall_rock);
    CHECK_INT(ri_nav_map_goodness(m, 3.1, 0.1), 0);
    ri_nav_map_scroll(m, 4.0, 0.0);
    ri_nav_map_update(m);
    CHECK_INT(ri_nav_map_goodness(m, 3.1, 0.1), 0);
    CHECK_INT(ri_nav_map_goodness(m, 9.9, 0.1), -1); // new ground is not known
    ri_nav_map_scroll(m, 40.0, 0.0);
    ri_nav_map_update(m);
    CHECK_INT(ri_nav_map_goodness(m, 3.1, 0.1), -1); // outside
    ri_nav_map_scroll(m, 0.0, 0.0);
    ri_nav_map_update(m);
    CHECK_INT(ri_nav_map_goodness(m, 3.1, 0.1), -1); // forgotten
    ri_nav_map_destroy(m);
    ri_context_destroy(ctx);
}

TEST(the_memory_of_a_map_makes_an_equal_map)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNavMap *a = map_of(ctx, tall_rock), *b = map_of(ctx, flat);
    size_t size_a, size_b;
    const void *from = ri_nav_map_memory(a, &size_a);
    void *to = ri_nav_map_memory(b, &size_b);
    REQUIRE(size_a == size_b);
    memcpy(to, from, size_a);
    const RiNavPatch p = ri_nav_map_patch(a, 3.1, 0.1), q = ri_nav_map_patch(b, 3.1, 0.1);
    CHECK(memcmp(&p.tilt, &q.tilt, sizeof p.tilt) == 0);
    CHECK_INT(p.hazards, q.hazards);
    CHECK_INT(ri_nav_map_goodness(b, 3.1, 0.1), 0);
    ri_nav_map_destroy(a);
    ri_nav_map_destroy(b);
    ri_context_destroy(ctx);
}

TEST(bad_points_and_options_are_refused)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNavMap *m = map_of(ctx, flat);
    const RiVec3 bad[] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, NAN}, {1e300, 0, 0}, {1e5, 0, 0}};
    CHECK_INT(ri_nav_map_add(m, bad, 5), 0);
    ri_nav_map_scroll(m, NAN, 0.0);
    CHECK_INT(ri_nav_map_goodness(m, NAN, 0.0), -1);
    ri_nav_map_destroy(m);
    RiNavOptions o = ri_nav_options_default();
    o.radius = -1.0;
    CHECK_INT(ri_nav_map_create(ctx, &o, &m), RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(ctx), "radius") != NULL);
    o = ri_nav_options_default();
    o.tilt_max = NAN;
    CHECK_INT(ri_nav_map_create(ctx, &o, &m), RI_ERR_ARGUMENT);
    ri_context_destroy(ctx);
}

TEST(arcs_end_where_geometry_says)
{
    const RiNavArc left = {.curvature = 0.5, .length = 3.0}, turn = {.turn = 1.0};
    double x, y, h;
    ri_nav_along(&left, 1.0, 2.0, 0.0, 2.0 * 1.5707963267948966, &x, &y, &h);
    CHECK_CLOSE(x, 3.0, 1e-14);
    CHECK_CLOSE(y, 4.0, 1e-14);
    CHECK_CLOSE(h, 1.5707963267948966, 1e-15);
    ri_nav_along(&turn, 1.0, 2.0, 0.3, 1.0, &x, &y, &h);
    CHECK(x == 1.0 && y == 2.0);
    CHECK_CLOSE(h, 1.3, 1e-15);
}

TEST_MAIN(CASE(patches_of_small_terrains_have_their_hand_checked_figures),
          CASE(arcs_over_small_terrains_are_vetoed_as_by_hand),
          CASE(a_ramp_is_no_obstacle_at_its_crest_but_a_crater_is),
          CASE(patches_of_random_points_equal_a_slow_reference),
          CASE(a_map_that_scrolls_keeps_what_stays_inside_and_forgets_the_rest),
          CASE(the_memory_of_a_map_makes_an_equal_map), CASE(bad_points_and_options_are_refused),
          CASE(arcs_end_where_geometry_says))
