// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fitting drag tests: known parameters are found within the stated intervals, bad tables are
/// named.
#include "check.h"

#include <unistd.h>

#include <rille/study/fit_screw.h>

#include "../io/faults.h"
#include "base/memory.h"
#include "base/rng.h"

enum { LOADS = 5, REPEATS = 4, TESTS = 2 * LOADS * REPEATS };
static const double MU = 0.12, E0 = 2.5, E1 = 0.015, SCATTER = 0.008;

/// Drag tests of known parameters with normal scatter of the coefficients.
static void synthesize(RiRng *rng, RiDragTest tests[TESTS])
{
    for (int i = 0; i < TESTS; i++) {
        RiDragTest *t = &tests[i];
        *t = (RiDragTest){.load = 25.0 * (1 + i % LOADS),
                          .direction = i < TESTS / 2 ? RI_DRAG_PARALLEL : RI_DRAG_NORMAL};
        const double E = t->direction == RI_DRAG_NORMAL ? E0 + E1 * t->load : 1.0;
        t->force = t->load * (MU * E + SCATTER * ri_rng_normal(rng));
        t->line = i + 2;
    }
}

static bool covers(const RiEstimate *e, double value)
{
    return e->low <= value && value <= e->high;
}

TEST(known_parameters_are_within_the_intervals_in_nine_of_ten_repeats)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    int mu = 0, e0 = 0, e1 = 0;
    double width = 0.0;
    for (int k = 0; k < 100; k++) {
        RiRng rng = ri_rng_stream((uint64_t)k, "drag");
        RiDragTest tests[TESTS];
        RiScrewFit f;
        synthesize(&rng, tests);
        REQUIRE_OK(ctx, ri_screw_fit(ctx, tests, TESTS, false, &f));
        mu += covers(&f.mu, MU);
        e0 += covers(&f.e0, E0);
        e1 += covers(&f.e1, E1);
        width = fmax(width, f.mu.high - f.mu.low);
    }
    CHECK(mu >= 90 && e0 >= 90 && e1 >= 90);
    CHECK(mu + e0 + e1 < 300); // intervals that are not too wide miss now and then
    CHECK(width < 0.015);
    ri_context_destroy(ctx);
}

TEST(without_scatter_the_parameters_are_exact)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiDragTest tests[TESTS];
    RiScrewFit f;
    RiRng rng = ri_rng_stream(1, "drag");
    synthesize(&rng, tests);
    for (int i = 0; i < TESTS; i++)
        tests[i].force = tests[i].load * MU * (tests[i].direction == RI_DRAG_NORMAL ? E0 + E1 * tests[i].load : 1.0);
    REQUIRE_OK(ctx, ri_screw_fit(ctx, tests, TESTS, false, &f));
    CHECK_CLOSE(f.mu.value, MU, 1e-12);
    CHECK_CLOSE(f.e0.value, E0, 1e-10);
    CHECK_CLOSE(f.e1.value, E1, 1e-12);
    CHECK_INT(f.parallel, TESTS / 2);
    ri_context_destroy(ctx);
}

TEST(an_outlier_is_marked_and_can_be_dropped)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiDragTest tests[TESTS];
    RiScrewFit with, without;
    RiRng rng = ri_rng_stream(2, "drag");
    synthesize(&rng, tests);
    tests[7].force *= 3.0;
    REQUIRE_OK(ctx, ri_screw_fit(ctx, tests, TESTS, false, &with));
    CHECK(tests[7].outlier);
    REQUIRE_OK(ctx, ri_screw_fit(ctx, tests, TESTS, true, &without));
    CHECK_INT(without.parallel,
              TESTS / 2 - without.outliers + (without.normal < TESTS / 2 ? TESTS / 2 - without.normal : 0));
    CHECK(fabs(without.mu.value - MU) < fabs(with.mu.value - MU));
    ri_context_destroy(ctx);
}

TEST(quantiles_of_student_agree_with_tables)
{
    CHECK_CLOSE(ri_student_95(1.0), 12.7062, 1e-3);
    CHECK_CLOSE(ri_student_95(2.0), 4.3027, 1e-3);
    CHECK_CLOSE(ri_student_95(3.0), 3.1824, 0.01);
    CHECK_CLOSE(ri_student_95(5.0), 2.5706, 1e-3);
    CHECK_CLOSE(ri_student_95(10.0), 2.2281, 1e-4);
    CHECK_CLOSE(ri_student_95(100.0), 1.9840, 1e-4);
}

/// Loads a table and says what came of it.
static RiStatus load_text(RiContext *ctx, const char *text, RiDragTest **tests, int *count)
{
    char path[] = "/tmp/rille-fit-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    close(file);
    const RiStatus status = ri_drag_tests_load(ctx, path, tests, count);
    unlink(path);
    return status;
}

TEST(tables_are_read_in_any_order_of_columns)
{
    RiContext *ctx;
    RiDragTest *tests;
    int count;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, load_text(ctx, "# drag\nforce,who,load,direction\r\n3, a, 20, normal\n\n2.5,b,20,parallel", &tests,
                              &count));
    REQUIRE(count == 2);
    CHECK_CLOSE(tests[0].force, 3.0, 0.0);
    CHECK_INT(tests[0].direction, RI_DRAG_NORMAL);
    CHECK_INT(tests[1].line, 5);
    ri_release(ctx, tests);
    ri_context_destroy(ctx);
}

TEST(bad_tables_are_named_by_line_and_field)
{
    static const struct {
        const char *text, *part;
    } bad[] = {{"", "no row with the names"},
               {"load,direction\n", "column 'force' is missing"},
               {"load,load,direction,force\n", "'load' appears twice"},
               {"load,direction,force\n20,sideways,3\n", ":2: field 'direction': 'sideways'"},
               {"load,direction,force\n20,normal,x\n", ":2: field 'force': 'x' is not a number"},
               {"load,direction,force\n-1,normal,3\n", ":2: field 'load': '-1' must be positive"},
               {"load,direction,force\n1,normal\n", ":2: 2 fields; the head names 3"}};
    RiContext *ctx;
    RiDragTest *tests;
    int count;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_ERROR(ctx, load_text(ctx, bad[i].text, &tests, &count), RI_ERR_FORMAT, bad[i].part);
    ri_context_destroy(ctx);
}

TEST(too_few_tests_are_refused_with_their_number)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiDragTest tests[5] = {{.load = 1, .force = 1}, {.load = 1, .force = 1}};
    RiScrewFit f;
    CHECK_ERROR(ctx, ri_screw_fit(ctx, tests, 2, false, &f), RI_ERR_ARGUMENT, "2 parallel and 0 normal");
    for (int i = 2; i < 5; i++)
        tests[i] = (RiDragTest){.load = 10.0, .force = 4.0, .direction = RI_DRAG_NORMAL};
    CHECK_ERROR(ctx, ri_screw_fit(ctx, tests, 5, false, &f), RI_ERR_ARGUMENT, "two different loads");
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_an_error_without_leaks)
{
    bool done = false;
    long at = 0;
    for (; !done && at < 100; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx = NULL;
        RiDragTest *tests = NULL;
        RiScrewFit f;
        int count;
        RiStatus status = ri_context_create(&allocator, &ctx);
        if (status == RI_OK)
            status = load_text(
                ctx, "load,direction,force\n1,parallel,1\n2,parallel,2\n1,normal,3\n2,normal,7\n3,normal,11\n", &tests,
                &count);
        if (status == RI_OK)
            status = ri_screw_fit(ctx, tests, count, false, &f);
        done = status == RI_OK;
        if (!done)
            CHECK_INT(status, RI_ERR_MEMORY);
        if (tests)
            ri_release(ctx, tests);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done && at > 2);
}

TEST_MAIN(CASE(known_parameters_are_within_the_intervals_in_nine_of_ten_repeats),
          CASE(without_scatter_the_parameters_are_exact), CASE(an_outlier_is_marked_and_can_be_dropped),
          CASE(quantiles_of_student_agree_with_tables), CASE(tables_are_read_in_any_order_of_columns),
          CASE(bad_tables_are_named_by_line_and_field), CASE(too_few_tests_are_refused_with_their_number),
          CASE(every_failed_allocation_is_an_error_without_leaks))
