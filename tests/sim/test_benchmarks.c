// SPDX-License-Identifier: Apache-2.0
/// \file
/// The mechanics benchmarks as claims, and the machinery that judges them.
#include "check.h"

#include <rille/context.h>

#include "validate/rig.h"
#include "validate/validate.h"

/// Shows a row that failed.
static void complain(void *user, const RiRow *row)
{
    (void)user;
    if (row->verdict == RI_VERDICT_FAIL)
        CHECK_FAIL("%s: %s = %.15g, published %.15g, allowed [%.15g, %.15g]", row->case_name, row->quantity, row->ours,
                   row->published, row->low, row->high);
}

/// Runs a case and expects `rows` passing rows and nothing else but `skipped` skipped ones.
static void expect_case(const char *name, int rows, bool quick, int skipped)
{
    RiValidation run = {.sink = complain, .quick = quick};
    const RiValidateCase *the_case = ri_validate_find(name);
    REQUIRE(the_case != NULL);
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_validate_run(&run, the_case));
    CHECK_INT(run.passed, rows);
    CHECK_INT(run.failed, 0);
    CHECK_INT(run.skipped, skipped);
    ri_context_destroy(run.ctx);
}

TEST(thrown_body_follows_the_parabola)
{
    expect_case("free_fall", 5, false, 0);
}

TEST(middle_axis_flips_at_the_published_times)
{
    expect_case("dzhanibekov", 18, false, 0);
}

TEST(heavy_top_precesses_at_both_steady_rates)
{
    expect_case("heavy_top", 4, false, 0);
}

TEST(pendulum_period_is_the_elliptic_integral)
{
    expect_case("physical_pendulum", 3, false, 0);
}

TEST(double_pendulum_follows_the_reference_for_five_seconds)
{
    expect_case("double_pendulum", 16, false, 0);
}

TEST(iftomm_simple_pendulum)
{
    expect_case("iftomm_a01", 4, false, 0);
}

TEST(iftomm_two_four_bars_pass_their_singular_positions)
{
    expect_case("iftomm_a02", 12, true, 1); // forty windows take ten seconds: `rille validate` has them
}

TEST(iftomm_andrews_mechanism_moves_and_carries_load_as_published)
{
    expect_case("iftomm_a03", 28, false, 0);
}

TEST(iftomm_bricard_mechanism_moves_by_its_closed_form)
{
    expect_case("iftomm_a04", 7, false, 0);
}

TEST(iftomm_stiff_governor)
{
    expect_case("iftomm_a05", 18, false, 0);
}

TEST(geared_flywheels_match_the_closed_form)
{
    expect_case("gears", 5, false, 0);
}

TEST(linear_couplings_hold_exactly_on_a_tumbling_robot)
{
    expect_case("differential", 6, false, 0);
}

// --- the machinery -------------------------------------------------------------------------------

static RiStatus near_misses(RiValidation *run)
{
    ri_validate_near(run, "inside", "m", 1.0, 0.1, 1.09);
    ri_validate_near(run, "above", "m", 1.0, 0.1, 1.11);
    ri_validate_near(run, "below", "m", 1.0, 0.1, 0.89);
    ri_validate_most(run, "not a number", "m", 1.0, NAN);
    ri_validate_most(run, "infinite", "m", 1.0, INFINITY);
    ri_validate_between(run, "at the end of the band", "m", 1.0, 0.5, 2.0, 2.0);
    ri_validate_skip(run, "later");
    return RI_OK;
}

static RiStatus broken(RiValidation *run)
{
    return ri_error(run->ctx, RI_ERR_NUMERIC, "the motion diverged");
}

typedef struct Last {
    RiRow row;
    char quantity[64];
} Last;

static void remember(void *user, const RiRow *row)
{
    Last *last = user;
    last->row = *row;
    snprintf(last->quantity, sizeof last->quantity, "%s", row->quantity);
}

TEST(only_a_figure_inside_its_band_passes)
{
    const RiValidateCase the_case = {"misses", "", "nowhere", false, 0.0, near_misses};
    RiValidation run = {0};
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_validate_run(&run, &the_case));
    CHECK_INT(run.passed, 2);
    CHECK_INT(run.failed, 4);
    CHECK_INT(run.skipped, 1);
    ri_context_destroy(run.ctx);
}

TEST(case_that_cannot_be_computed_fails_with_its_message)
{
    const RiValidateCase the_case = {"broken", "", "nowhere", false, 0.0, broken};
    Last last = {0};
    RiValidation run = {.sink = remember, .user = &last};
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_validate_run(&run, &the_case));
    CHECK_INT(run.failed, 1);
    CHECK(strcmp(last.quantity, "the motion diverged") == 0);
    CHECK(last.row.verdict == RI_VERDICT_FAIL && isnan(last.row.ours));
    ri_context_destroy(run.ctx);
}

TEST(quick_run_reports_what_it_leaves_out)
{
    const RiValidateCase the_case = {"slow", "", "nowhere", true, 0.0, broken};
    Last last = {0};
    RiValidation run = {.sink = remember, .user = &last, .quick = true};
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_validate_run(&run, &the_case));
    CHECK_INT(run.skipped, 1);
    CHECK(last.row.verdict == RI_VERDICT_SKIPPED);
    ri_context_destroy(run.ctx);
}

TEST(cases_have_distinct_names_and_sources)
{
    CHECK(ri_validate_find("no such case") == NULL);
    for (int i = 0; i < ri_validate_count(); i++) {
        const RiValidateCase *c = ri_validate_get(i);
        CHECK(ri_validate_find(c->name) == c);
        CHECK(c->summary[0] && c->source[0]);
    }
}

/// An allocator that fails at one chosen call and counts what is out.
typedef struct Faulty {
    long calls, fail_at, live;
} Faulty;

static void *faulty_resize(void *user, void *block, size_t size)
{
    Faulty *f = user;
    if (f->calls++ == f->fail_at)
        return NULL;
    void *p = realloc(block, size);
    f->live += p && !block;
    return p;
}

static void faulty_release(void *user, void *block)
{
    Faulty *f = user;
    f->live -= block != NULL;
    free(block);
}

/// Runs the geared flywheels with the n-th allocation failing; true once nothing failed.
static bool survives_fault(long n)
{
    Faulty f = {.fail_at = n};
    const RiAllocator allocator = {faulty_resize, faulty_release, &f};
    RiValidation run = {0};
    RiStatus status = ri_context_create(&allocator, &run.ctx);
    if (status == RI_OK)
        status = ri_validate_run(&run, ri_validate_find("gears"));
    ri_context_destroy(run.ctx);
    CHECK(status == RI_OK || status == RI_ERR_MEMORY);
    CHECK(status == RI_OK ? run.passed == 5 : run.failed == 0);
    CHECK_INT(f.live, 0);
    return f.calls <= n;
}

TEST(failed_allocation_ends_a_case_cleanly)
{
    long n = 0;
    while (n < 2000 && !survives_fault(n))
        n++;
    CHECK(n > 10 && n < 2000);
}

TEST_MAIN(CASE(thrown_body_follows_the_parabola), CASE(middle_axis_flips_at_the_published_times),
          CASE(heavy_top_precesses_at_both_steady_rates), CASE(pendulum_period_is_the_elliptic_integral),
          CASE(double_pendulum_follows_the_reference_for_five_seconds), CASE(iftomm_simple_pendulum),
          CASE(iftomm_two_four_bars_pass_their_singular_positions),
          CASE(iftomm_andrews_mechanism_moves_and_carries_load_as_published),
          CASE(iftomm_bricard_mechanism_moves_by_its_closed_form), CASE(iftomm_stiff_governor),
          CASE(geared_flywheels_match_the_closed_form), CASE(linear_couplings_hold_exactly_on_a_tumbling_robot),
          CASE(only_a_figure_inside_its_band_passes), CASE(case_that_cannot_be_computed_fails_with_its_message),
          CASE(quick_run_reports_what_it_leaves_out), CASE(cases_have_distinct_names_and_sources),
          CASE(failed_allocation_ends_a_case_cleanly))
