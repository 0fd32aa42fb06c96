// SPDX-License-Identifier: Apache-2.0
/// Fitting the wheel-soil law: numbers that made the tests are found again, and what cannot be
/// fitted is refused.

#include <rille/study/fit_soil.h>

#include "base/memory.h"
#include "check.h"
#include "io/faults.h"

static RiContext *ctx;
enum { TESTS = 18 };

static bool make_law(RiContext *c, RiSoilWheel *w, RiSoilLaw *law)
{
    const RiSoil sand = {.name = "sand",
                         .form = RI_SOIL_BEKKER,
                         .n = 1.1,
                         .n1 = 0.2,
                         .kc = 990.0,
                         .kphi = 1528430.0,
                         .cohesion = 1040.0,
                         .friction = 0.5,
                         .kx = 0.025,
                         .ky = 0.02,
                         .density = 1600.0,
                         .a0 = 0.18,
                         .a1 = 0.32,
                         .gravity = NAN,
                         .mu = NAN,
                         .confidence = 'A'};
    return ri_soil_wheel_init(c, 0.13, 0.16, 0.0, 1, w) == RI_OK &&
           ri_soil_law_init(c, &sand, 0.16, 3.71, law) == RI_OK;
}

/// Tests as the law itself would give them, with a deterministic disturbance of a share of the
/// load.
static void make_tests(RiContext *c, const RiSoilWheel *w, const RiSoilLaw *law, double disturbance, RiWheelTest *tests)
{
    for (int i = 0; i < TESTS; i++) {
        double x[3];
        RiWheelTest t = {.slip = 0.1 * (i % 9), .beta = i < 9 ? 0.0 : 0.3, .load = 80.0 + 10.0 * (i % 3), .used = true};
        ri_wheel_test_predict(c, w, law, &t, x);
        t.pull = x[0] + disturbance * t.load * sin(3.7 * i + 1.0);
        t.side = x[1] + disturbance * t.load * sin(5.1 * i + 2.0);
        t.sinkage = x[2];
        tests[i] = t;
    }
}

static const char *const names[] = {"k", "n1", "c", "kx", "ky"};

TEST(numbers_that_made_the_tests_are_found_again)
{
    RiSoilWheel w;
    RiSoilLaw law;
    RiWheelTest tests[TESTS];
    RiSoilFit fit;
    REQUIRE(make_law(ctx, &w, &law));
    make_tests(ctx, &w, &law, 0.0, tests);
    RiSoilLaw start = law;
    start.k *= 1.5, start.n1 = 0.0, start.cohesion *= 2.0, start.kx = 0.05, start.ky = 0.05;
    REQUIRE(ri_soil_fit(ctx, &w, &start, tests, TESTS, names, 5, &fit) == RI_OK);
    CHECK_CLOSE(fit.law.k / law.k, 1.0, 1e-3);
    CHECK_CLOSE(fit.law.n1, law.n1, 1e-3);
    CHECK_CLOSE(fit.law.cohesion / law.cohesion, 1.0, 1e-2);
    CHECK_CLOSE(fit.law.kx / law.kx, 1.0, 1e-2);
    CHECK_CLOSE(fit.law.ky / law.ky, 1.0, 1e-2);
    const RiSoilMisfit m = ri_soil_misfit(ctx, &w, &fit.law, tests, TESTS, true);
    CHECK(m.count == TESTS && m.pull < 1e-4 && m.side < 1e-4 && m.sinkage < 1e-5);
}

TEST(intervals_hold_the_truth_and_grow_with_scatter)
{
    RiSoilWheel w;
    RiSoilLaw law;
    RiWheelTest tests[TESTS];
    RiSoilFit little, much;
    REQUIRE(make_law(ctx, &w, &law));
    make_tests(ctx, &w, &law, 0.01, tests);
    REQUIRE(ri_soil_fit(ctx, &w, &law, tests, TESTS, names, 5, &little) == RI_OK);
    make_tests(ctx, &w, &law, 0.03, tests);
    REQUIRE(ri_soil_fit(ctx, &w, &law, tests, TESTS, names, 5, &much) == RI_OK);
    const double truth[5] = {law.k, law.n1, law.cohesion, law.kx, law.ky};
    for (int i = 0; i < 5; i++) {
        CHECK(little.estimates[i].low < truth[i] && truth[i] < little.estimates[i].high);
        CHECK(much.estimates[i].high - much.estimates[i].low > little.estimates[i].high - little.estimates[i].low);
    }
}

/// A number of mean 0 and variance 1: the sum of twelve of a simple generator.
static double chance(uint64_t *state)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += (double)(*state >> 11) / 9007199254740992.0;
    }
    return sum;
}

TEST(intervals_cover_the_truth_as_often_as_they_say_whatever_scatters_most)
{
    enum { FITS = 24 };
    static const double forces[] = {0.05, 0.01}, sinkage[] = {0.3e-3, 3e-3};
    RiSoilWheel w;
    RiSoilLaw law;
    RiWheelTest tests[TESTS];
    RiSoilFit fit;
    uint64_t state = 5;
    REQUIRE(make_law(ctx, &w, &law));
    const double truth[5] = {law.k, law.n1, law.cohesion, law.kx, law.ky};
    for (int kind = 0; kind < 2; kind++) {
        int held[5] = {0};
        for (int i = 0; i < FITS; i++) {
            make_tests(ctx, &w, &law, 0.0, tests);
            for (int k = 0; k < TESTS; k++) {
                tests[k].pull += forces[kind] * tests[k].load * chance(&state);
                tests[k].side += forces[kind] * tests[k].load * chance(&state);
                tests[k].sinkage += sinkage[kind] * chance(&state);
            }
            REQUIRE(ri_soil_fit(ctx, &w, &law, tests, TESTS, names, 5, &fit) == RI_OK);
            for (int k = 0; k < 5; k++)
                held[k] += fit.estimates[k].low < truth[k] && truth[k] < fit.estimates[k].high;
        }
        printf("     k, n1, c, kx, ky within their intervals in %d, %d, %d, %d, %d of %d fits\n", held[0], held[1],
               held[2], held[3], held[4], FITS);
        for (int k = 0; k < 5; k++)
            CHECK(held[k] >= 19); // at 95 % fewer come about once in 200
    }
}

TEST(braking_shares_the_numbers_of_driving_unless_it_has_its_own)
{
    RiSoilWheel w;
    RiSoilLaw law;
    RiWheelTest tests[TESTS];
    RiSoilFit fit;
    static const char *const one[] = {"n1"}, *const two[] = {"n1", "n1_skid"};
    REQUIRE(make_law(ctx, &w, &law));
    make_tests(ctx, &w, &law, 0.0, tests);
    RiSoilLaw start = law;
    start.n1 = start.n1_skid = law.n1 + 0.1;
    REQUIRE(ri_soil_fit(ctx, &w, &start, tests, TESTS, one, 1, &fit) == RI_OK);
    CHECK_CLOSE(fit.law.n1, law.n1, 1e-6);
    CHECK(fit.law.n1_skid == fit.law.n1);
    start.n1_skid = law.n1 + 0.3;
    REQUIRE(ri_soil_fit(ctx, &w, &start, tests, TESTS, one, 1, &fit) == RI_OK);
    CHECK(fit.law.n1_skid == law.n1 + 0.3);
    for (int i = 0; i < TESTS; i += 2)
        tests[i].slip = -0.2; // so that there is braking to tell from
    for (int i = 0; i < TESTS; i++) {
        double x[3];
        ri_wheel_test_predict(ctx, &w, &law, &tests[i], x);
        tests[i].pull = x[0], tests[i].side = x[1], tests[i].sinkage = x[2];
    }
    REQUIRE(ri_soil_fit(ctx, &w, &start, tests, TESTS, two, 2, &fit) == RI_OK);
    CHECK_CLOSE(fit.law.n1_skid, law.n1_skid, 1e-5);
}

TEST(what_cannot_be_fitted_is_refused_with_the_reason)
{
    RiSoilWheel w;
    RiSoilLaw law;
    RiWheelTest tests[TESTS];
    RiSoilFit fit;
    static const char *const wrong[] = {"stickiness"}, *const twins[] = {"k", "k"};
    REQUIRE(make_law(ctx, &w, &law));
    make_tests(ctx, &w, &law, 0.01, tests);
    CHECK(ri_soil_fit(ctx, &w, &law, tests, TESTS, wrong, 1, &fit) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(ctx), "stickiness") != NULL);
    CHECK(ri_soil_fit(ctx, &w, &law, tests, 1, names, 5, &fit) == RI_ERR_ARGUMENT);
    CHECK(ri_soil_fit(ctx, &w, &law, tests, TESTS, twins, 2, &fit) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(ctx), "twice") != NULL);
    CHECK(ri_soil_parameter("n") && !ri_soil_parameter(""));
}

/// Straight tests of a wheel that is driven say nothing about the side: those numbers stay at the
/// first guess and are named, the others are found.
TEST(what_the_tests_do_not_tell_is_held_by_a_prior_and_named)
{
    static const char *const asked[] = {"k", "a0", "ky", "bulldozing", "n1_skid"};
    RiSoilWheel w;
    RiSoilLaw law;
    RiWheelTest tests[8];
    RiSoilFit fit;
    REQUIRE(make_law(ctx, &w, &law));
    for (int i = 0; i < 8; i++) {
        double x[3];
        tests[i] = (RiWheelTest){.slip = 0.1 * i, .load = 60.0 + 10.0 * (i % 3), .used = true};
        ri_wheel_test_predict(ctx, &w, &law, &tests[i], x);
        tests[i].pull = x[0], tests[i].side = x[1], tests[i].sinkage = x[2];
    }
    RiSoilLaw guess = law;
    guess.k *= 1.5;
    guess.n1_skid = 0.123; // its own, not that of driving
    REQUIRE(ri_soil_fit(ctx, &w, &guess, tests, 8, asked, 5, &fit) == RI_OK);
    CHECK(fit.held && !fit.untold[0] && !fit.untold[1]);
    CHECK(fit.untold[2] && fit.untold[3] && fit.untold[4]);
    CHECK_CLOSE(fit.law.k, law.k, 0.02 * law.k);
    CHECK_CLOSE(fit.law.ky, guess.ky, 1e-9);
    CHECK_CLOSE(fit.law.n1_skid, 0.123, 1e-9);
}

/// A carriage gives the slip of travel; by it a wheel may go along its axle, which leaves no speed
/// along the heading.
TEST(tables_say_which_slip_they_give)
{
    static const struct {
        const char *text, *refused;
    } rows[] = {{"travel_slip,slip_angle,load,fx,fy,sinkage\n0.1,90,80,1,-2,3\n", NULL},
                {"slip,slip_angle,load,fx,fy,sinkage\n0.1,60,80,1,-2,3\n", NULL},
                {"slip,slip_angle,load,fx,fy,sinkage\n0.1,90,80,1,-2,3\n", "travel_slip"},
                {"slip,travel_slip,slip_angle,load,fx,fy,sinkage\n0.1,0.1,60,80,1,-2,3\n", "one of them"},
                {"slip_angle,load,fx,fy,sinkage\n60,80,1,-2,3\n", "slip or travel_slip"},
                {"travel_slip,slip_angle,load,fx,fy,sinkage\n1.5,60,80,1,-2,3\n", "'travel_slip'"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        RiWheelTest *tests = NULL;
        int count = 0;
        strcpy(text, rows[i].text);
        const RiStatus status = ri_wheel_tests_parse(ctx, "t.csv", text, strlen(text), &tests, &count);
        CHECK(status == (rows[i].refused ? RI_ERR_FORMAT : RI_OK));
        if (rows[i].refused)
            CHECK(strstr(ri_context_message(ctx), rows[i].refused) != NULL);
        else
            CHECK(count == 1 && tests->travel == (i == 0));
        if (tests)
            ri_release(ctx, tests);
    }
}

TEST(a_failed_allocation_is_answered)
{
    for (long at = 0; at < 4; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *c = NULL;
        RiSoilWheel w;
        RiSoilLaw law;
        RiWheelTest tests[TESTS];
        RiSoilFit fit;
        if (ri_context_create(&allocator, &c) == RI_OK && make_law(c, &w, &law)) {
            make_tests(c, &w, &law, 0.01, tests);
            const RiStatus status = ri_soil_fit(c, &w, &law, tests, TESTS, names, 1, &fit);
            CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        }
        ri_context_destroy(c);
        CHECK_INT(faults.live, 0);
    }
}

TEST(reading_a_table_answers_every_failed_allocation)
{
    for (long at = 0; at < 4; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *c = NULL;
        RiWheelTest *read = NULL;
        int count = 0;
        char text[] = "travel_slip,slip_angle,load,fx,fy,sinkage\n0.1,90,80,1,-2,3\n";
        if (ri_context_create(&allocator, &c) == RI_OK) {
            const RiStatus status = ri_wheel_tests_parse(c, "t.csv", text, sizeof text - 1, &read, &count);
            CHECK(status == RI_OK || (status == RI_ERR_MEMORY && !read && count == 0));
            if (status == RI_OK)
                CHECK(count == 1 && read->used && fabs(read->beta - 1.5707963267948966) < 1e-15 &&
                      fabs(read->sinkage - 3e-3) < 1e-15 && read->side == -2.0);
            if (read)
                ri_release(c, read);
        }
        ri_context_destroy(c);
        CHECK_INT(faults.live, 0);
    }
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(numbers_that_made_the_tests_are_found_again),
                               CASE(intervals_hold_the_truth_and_grow_with_scatter),
                               CASE(intervals_cover_the_truth_as_often_as_they_say_whatever_scatters_most),
                               CASE(braking_shares_the_numbers_of_driving_unless_it_has_its_own),
                               CASE(what_cannot_be_fitted_is_refused_with_the_reason),
                               CASE(what_the_tests_do_not_tell_is_held_by_a_prior_and_named),
                               CASE(tables_say_which_slip_they_give),
                               CASE(a_failed_allocation_is_answered),
                               CASE(reading_a_table_answers_every_failed_allocation)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
