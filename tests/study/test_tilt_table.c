// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tilt table: the plan is that of the paper, results do not depend on threads, slips are those
/// of closed forms, tuning finds its way.

#include <rille/study/tilt_table.h>

#include "check.h"

static const double DEG = 3.14159265358979323846 / 180.0;

/// Campaigns are large: two for all tests.
static RiTiltCampaign first, second;

static RiTiltOptions options(void)
{
    RiTiltOptions o = ri_tilt_options_default();
    o.scene = RILLE_SOURCE_DIR "/scenes/fido_tilt_table.yaml";
    return o;
}

static RiContext *context(void)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        exit(EXIT_FAILURE);
    return ctx;
}

TEST(the_plan_has_the_numbers_of_the_paper)
{
    ri_tilt_plan(&first);
    int drives[RI_TILT_SLOPES] = {0}, turns[RI_TILT_SLOPES] = {0}, tuned = 0;
    for (int i = 0; i < first.test_count; i++)
        ++*(first.tests[i].turns ? &turns[first.tests[i].slope] : &drives[first.tests[i].slope]);
    for (int i = 0; i < first.run_count; i++)
        tuned += first.runs[i].tuned;
    CHECK_INT(drives[0], 10); // Test21 to Test30
    CHECK_INT(drives[1] + drives[2] + drives[3], 66);
    CHECK_INT(turns[0], 6); // TestT13 to TestT18
    CHECK_INT(turns[1] + turns[2] + turns[3], 54);
    CHECK_INT(first.run_count, 5 * 16 + 3 * 120);
    CHECK_INT(tuned, first.run_count / 2);
    CHECK(strcmp(first.tests[0].name, "Test21") == 0 && strcmp(first.tests[9].name, "Test30") == 0);
    CHECK(strcmp(first.tests[75].name, "TestS66") == 0 && strcmp(first.tests[135].name, "TestTS54") == 0);
}

TEST(results_do_not_depend_on_the_number_of_threads)
{
    RiContext *ctx = context();
    RiTiltOptions o = options();
    o.stride = 73;
    ri_tilt_plan(&first);
    ri_tilt_plan(&second);
    o.threads = 1;
    CHECK_OK(ctx, ri_tilt_run(ctx, &o, &first));
    o.threads = 3;
    CHECK_OK(ctx, ri_tilt_run(ctx, &o, &second));
    CHECK(memcmp(first.runs, second.runs, sizeof first.runs) == 0);
    o.seed = 2;
    ri_tilt_plan(&second);
    CHECK_OK(ctx, ri_tilt_run(ctx, &o, &second));
    CHECK(memcmp(first.runs, second.runs, sizeof first.runs) != 0);
    ri_context_destroy(ctx);
}

/// Without cohesion and scatter, straight up: slip = -s_t ln(1 - (tan(slope) + resistance) /
/// tan(phi)).
TEST(straight_drives_slip_as_the_closed_form)
{
    RiContext *ctx = context();
    RiTiltOptions o = options();
    const RiSetting settings[] = {{"slip_transition", "0.2"}};
    o.settings = settings;
    o.setting_count = 1;
    o.set = (RiTiltSet){{30.0 * DEG, 0.0, 0.05, 0.0, 0.0}};
    o.drives_only = true;
    ri_tilt_plan(&first);
    first.run_count = 0; // one run of each straight drive up
    for (int i = 0; i < first.test_count; i++)
        if (first.tests[i].radius == 0.0 && first.tests[i].length > 0.0 && first.tests[i].heading == 0.0 &&
            !first.tests[i].turns)
            first.runs[first.run_count++] = (RiTiltRun){.test = i};
    CHECK_INT(first.run_count, 4);
    CHECK_OK(ctx, ri_tilt_run(ctx, &o, &first));
    for (int i = 0; i < first.run_count; i++) {
        const RiTiltRun *r = &first.runs[i];
        const double use = (tan(ri_tilt_slope(first.tests[r->test].slope)) + 0.05) / tan(30.0 * DEG);
        const double want = -100.0 * 0.2 * log1p(-use);
        CHECK(r->done);
        CHECK_CLOSE(r->slip, want, 0.05 * want + 0.1); // it starts and stops within the two metres
        CHECK_CLOSE(r->aside, 0.0, 2e-3);
    }
    ri_context_destroy(ctx);
}

/// Gives all tuned drives slips between two shares of FIDO's ranges, logarithmically: 0 the low
/// end, 1 the high one.
static double score_of(double from, double to)
{
    ri_tilt_plan(&first);
    int seen[RI_TILT_SLOPES] = {0};
    for (int i = 0; i < first.run_count; i++) {
        const RiTiltTest *t = &first.tests[first.runs[i].test];
        const RiTiltRange r = ri_tilt_fido(t->slope);
        if (t->turns || !first.runs[i].tuned)
            continue;
        const double low = t->slope == 3 ? from - 0.1 : from; // the steepest shall be covered, the others kept
        const double share = seen[t->slope]++ % 2 ? to : low;
        first.runs[i].slip = exp(log(r.low) + share * log(r.high / r.low));
        first.runs[i].made = true;
    }
    return ri_tilt_score(&first);
}

TEST(the_score_rewards_ranges_inside_and_the_spread_at_the_steepest_slope)
{
    const double inside = score_of(0.06, 0.94);
    CHECK(inside < 0.05);
    CHECK(score_of(-0.2, 0.94) > inside + 0.05);
    CHECK(score_of(-0.4, 0.94) > score_of(-0.2, 0.94));
    CHECK(score_of(0.06, 1.2) > inside + 0.05);
    CHECK(score_of(0.4, 0.6) > inside + 0.5); // at 20 degrees it covers too little
}

/// Ends are compared with the measured ones of the same test; places by the mean of their sizes.
TEST(ends_are_scored_by_place_and_heading)
{
    const RiTiltEnd ends[] = {{"Test21", 0.1, -0.05, 0.2}};
    score_of(0.06, 0.94);
    int runs = 0;
    for (int i = 0; i < first.run_count; i++) {
        RiTiltRun *r = &first.runs[i];
        r->made = strcmp(first.tests[r->test].name, "Test21") == 0 && r->tuned;
        if (r->made) { // means 0.1, -0.05, 0.2 with one part in ten to and fro
            const double more = runs++ % 2 ? 0.9 : 1.1;
            r->ahead = 0.1 * more, r->aside = -0.05 * more, r->heading = 0.2 * more;
        }
    }
    REQUIRE(runs > 0);
    const double off = runs % 2 ? 0.1 / runs : 0.0; // of the mean
    CHECK_CLOSE(ri_tilt_score_ends(&first, ends, 1), off * off * ((0.01 + 0.0025) / 4.0 + 0.04), 1e-12);
    CHECK_CLOSE(ri_tilt_score_ends(&first, NULL, 0), (1.0 + off) * (1.0 + off) * ((0.01 + 0.0025) / 4.0 + 0.04), 1e-12);
    const RiTiltPlaces p = ri_tilt_places(&first, 0);
    CHECK_INT(p.count, runs);
    CHECK_CLOSE(p.worst_ahead, 0.11, 1e-12);
    CHECK_CLOSE(p.aside, 0.05 * (1.0 + off), 1e-12);
    CHECK(isnan(ri_tilt_score_ends(&first, (RiTiltEnd[]){{"Test99", 0.0, 0.0, 0.0}}, 1)));
}

/// A regime acts on its slope alone; a way begins at the start and ends where the run did.
TEST(every_slope_may_have_traction_of_its_own)
{
    RiContext *ctx = context();
    RiTiltOptions o = options();
    RiTiltSet regimes[RI_TILT_SLOPES];
    for (int i = 0; i < RI_TILT_SLOPES; i++)
        regimes[i] = o.set;
    regimes[2].x[RI_TILT_ROLLING_RESISTANCE] = 0.12;
    o.drives_only = true;
    o.stride = 40;
    ri_tilt_plan(&first);
    ri_tilt_plan(&second);
    CHECK_OK(ctx, ri_tilt_run(ctx, &o, &first));
    o.regimes = regimes;
    CHECK_OK(ctx, ri_tilt_run(ctx, &o, &second));
    int same = 0, other = 0, last = -1;
    for (int i = 0; i < first.run_count; i++) {
        if (!first.runs[i].made)
            continue;
        const bool equal = first.runs[i].slip == second.runs[i].slip;
        CHECK(equal == (first.tests[first.runs[i].test].slope != 2));
        same += equal, other += !equal;
        last = i;
    }
    CHECK(same > 0 && other > 0);
    static double driven[400][2], commanded[400][2];
    int count;
    CHECK_OK(ctx, ri_tilt_trace(ctx, &o, &second, last, 400, driven, commanded, &count));
    const RiTiltTest *t = &second.tests[second.runs[last].test];
    REQUIRE(count > 20 && count < 400);
    CHECK(fabs(driven[0][0]) < 1e-12 && fabs(driven[0][1]) < 1e-12 && fabs(commanded[0][0]) < 1e-12);
    const double x = t->radius != 0.0 ? t->radius * sin(t->length / t->radius) : t->length;
    CHECK_CLOSE(commanded[count - 1][0], x, 1e-9);
    CHECK_CLOSE(driven[count - 1][0], x + second.runs[last].ahead, 0.02); // it rolls on for half a second
    o.slope = 3;
    ri_tilt_plan(&second);
    CHECK_OK(ctx, ri_tilt_run(ctx, &o, &second));
    for (int i = 0; i < second.run_count; i++)
        CHECK(!second.runs[i].made || second.tests[second.runs[i].test].slope == 3);
    ri_context_destroy(ctx);
}

static int told;
static double last_best = INFINITY;

static void listen(void *user, const char *phase, int evaluation, const RiTiltSet *set, double score, double best)
{
    (void)user, (void)set;
    told++;
    CHECK_INT(evaluation, told);
    CHECK(best <= score && best <= last_best && phase[0]);
    last_best = best;
}

TEST(a_run_that_fails_is_named)
{
    RiContext *ctx = context();
    RiTiltOptions o = options();
    o.set.x[RI_TILT_FRICTION_ANGLE] = 1.4;
    ri_tilt_plan(&first);
    CHECK_ERROR(ctx, ri_tilt_run(ctx, &o, &first), RI_ERR_ARGUMENT, "run 0 of the tilt table (Test21)");
    o.threads = 0;
    CHECK_ERROR(ctx, ri_tilt_run(ctx, &o, &first), RI_ERR_ARGUMENT, "0 threads");
    o = options();
    o.scene = "nowhere.yaml";
    RiTiltTuneOptions t = {.runs = o, .told = listen};
    RiTiltTuning tuning;
    CHECK_ERROR(ctx, ri_tilt_tune(ctx, &t, &tuning), RI_ERR_NOT_FOUND, "nowhere.yaml");
    CHECK_INT(told, 0);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(ends_are_scored_by_place_and_heading), CASE(every_slope_may_have_traction_of_its_own),
          CASE(the_plan_has_the_numbers_of_the_paper), CASE(results_do_not_depend_on_the_number_of_threads),
          CASE(straight_drives_slip_as_the_closed_form),
          CASE(the_score_rewards_ranges_inside_and_the_spread_at_the_steepest_slope), CASE(a_run_that_fails_is_named))
