// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille fit` as a user meets it: numbers that made the tests are found again, bad rows are named.
#define SCRATCH RILLE_BINARY_DIR "/fit"
#include <rille/study/fit_soil.h>

#include "run.h"

#include "check.h"

#define TABLE SCRATCH "/tests.csv"
static const char head[] = "# made by the law\nload,slip,slip_angle,fx,fy,sinkage,note\n";

/// A table of tests of a known soil, with a disturbance of a share of the load.
static bool write_tests(double disturbance)
{
    const RiSoil sand = {.name = "sand",
                         .form = RI_SOIL_BEKKER,
                         .n = 1.1,
                         .n1 = 0.2,
                         .kc = 0.0,
                         .kphi = 1.5e6,
                         .cohesion = 1040.0,
                         .friction = 28.0 * M_PI / 180.0,
                         .kx = 0.025,
                         .ky = 0.02,
                         .density = 1600.0,
                         .a0 = 0.18,
                         .a1 = 0.32,
                         .gravity = NAN,
                         .mu = NAN,
                         .confidence = 'A'};
    char text[8192];
    RiContext *ctx;
    RiSoilWheel w;
    RiSoilLaw law;
    run_setup();
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return false;
    bool good = ri_soil_wheel_init(ctx, 0.13, 0.16, 0.0, 1, &w) == RI_OK &&
                ri_soil_law_init(ctx, &sand, 0.16, 3.71, &law) == RI_OK;
    law.bulldozing = 0.0;
    int n = snprintf(text, sizeof text, "%s", head);
    for (int i = 0; i < 27 && good; i++) {
        double x[3];
        const RiWheelTest t = {
            .slip = 0.1 * (i % 9), .beta = 10.0 * (i / 9) * M_PI / 180.0, .load = 80.0 + 10.0 * (i % 4)};
        ri_wheel_test_predict(ctx, &w, &law, &t, x);
        n += snprintf(text + n, sizeof text - (size_t)n, "%.17g,%.17g,%d,%.17g,%.17g,%.17g,x\n", t.load, t.slip,
                      10 * (i / 9), x[0] + disturbance * t.load * sin(3.7 * i + 1.0),
                      x[1] + disturbance * t.load * sin(5.1 * i + 2.0), 1e3 * x[2]);
    }
    write_file(TABLE, text, (size_t)n);
    ri_context_destroy(ctx);
    return good;
}

#define WHEEL "--radius", "0.13", "--width", "0.16", "--gravity", "3.71"
#define KNOWN                                                                                                          \
    "--friction-angle", "28", "--set", "n=1.1", "--set", "bulldozing=0", "--set", "a0=0.18", "--set", "a1=0.32",       \
        "--set", "k=3e6", "--set", "c=500", "--fit", "k,n1,c,kx,ky"
static const char *const names[] = {"k", "n1", "c", "kx", "ky"};
static const double truth[] = {1.5e6, 0.2, 1040.0, 0.025, 0.02};

TEST(numbers_of_a_soil_are_found_from_its_tests_and_judged_on_rows_kept_back)
{
    REQUIRE(write_tests(0.0));
    Run r = RUN("fit", "soil", TABLE, WHEEL, KNOWN, "--json", "--plots", SCRATCH "/plot");
    CHECK_INT(r.code, 0);
    CHECK(json_is_valid(r.out));
    for (int i = 0; i < 5; i++)
        CHECK_CLOSE(json_get(r.out, "numbers.%s.value", names[i]) / truth[i], 1.0, 1e-2);
    CHECK_INT((int)json_get(r.out, "fitted.rows"), 18);
    CHECK_INT((int)json_get(r.out, "held_out.rows"), 9);
    CHECK(json_get(r.out, "held_out.pull") < 1e-3 && json_get(r.out, "held_out.sinkage") < 1e-4);
    CHECK(access(SCRATCH "/plot-fx.png", R_OK) == 0 && access(SCRATCH "/plot-sinkage.svg", R_OK) == 0);
    run_free(&r);
}

TEST(intervals_of_disturbed_tests_hold_the_truth)
{
    REQUIRE(write_tests(0.02));
    Run r = RUN("fit", "soil", TABLE, WHEEL, KNOWN, "--json", "--hold-out", "0");
    CHECK_INT(r.code, 0);
    CHECK_INT((int)json_get(r.out, "held_out.rows"), 0);
    for (int i = 0; i < 5; i++) {
        const double low = json_get(r.out, "numbers.%s.low", names[i]);
        const double high = json_get(r.out, "numbers.%s.high", names[i]);
        CHECK(low < truth[i] && truth[i] < high && high - low > 1e-4 * fabs(truth[i]));
    }
    run_free(&r);
}

static void refused(const char *rows, const char *message)
{
    char text[1024];
    run_setup();
    const int n = snprintf(text, sizeof text, "%s%s", head, rows);
    write_file(TABLE, text, (size_t)n);
    Run r = RUN("fit", "soil", TABLE, WHEEL);
    CHECK_INT(r.code, 2);
    if (!strstr(r.err, message))
        CHECK_FAIL("messages '%s' lack '%s'", r.err, message);
    run_free(&r);
}

TEST(bad_rows_are_named_by_file_line_and_column)
{
    refused("80,0.1,0,1,2,3,x\n80,1.2,0,1,2,3,x\n", "tests.csv:4: field 'slip': '1.2' must lie in -1 to 1");
    refused("0,0.1,0,1,2,3,x\n", "tests.csv:3: field 'load': '0' must be positive");
    refused("80,0.1,-5,1,2,3,x\n", "field 'slip_angle': '-5' must lie in 0 to 90");
    refused("80,0.1,0,one,2,3,x\n", "field 'fx': 'one' is not a number");
    refused("80,0.1,0,1,nan,3,x\n", "field 'fy': 'nan'");
    refused("80,0.1,0,1,2,-3,x\n", "field 'sinkage': '-3' must not be negative");
    refused("80,0.1,0,1,2,3\n", "tests.csv:3: 6 fields; the head names 7 columns");
    refused("80,0.1,0,1,2,3,x\n", "1 tests are too few for 7 numbers");
    refused("", "0 tests are too few");
}

static void usage(Run r, const char *message)
{
    CHECK_INT(r.code, 2);
    if (!strstr(r.err, message))
        CHECK_FAIL("messages '%s' lack '%s'", r.err, message);
    run_free(&r);
}

TEST(bad_arguments_are_answered_with_what_is_allowed)
{
    REQUIRE(write_tests(0.0));
    usage(RUN("fit", "sol", TABLE), "did you mean 'soil'?");
    usage(RUN("fit", "soil", TABLE), "--radius and --width must be given");
    usage(RUN("fit", "soil", WHEEL), "which file?");
    usage(RUN("fit", "soil", TABLE, "--radius", "-1", "--width", "0.1"), "--radius '-1' must be a number");
    usage(RUN("fit", "soil", TABLE, WHEEL, "--fit", "k,mud"), "no number 'mud'; known are n, n1");
    usage(RUN("fit", "soil", TABLE, WHEEL, "--fit", "k,k"), "'k' twice");
    usage(RUN("fit", "soil", TABLE, WHEEL, "--set", "k"), "must be NAME=VALUE");
    usage(RUN("fit", "soil", TABLE, WHEEL, "--set", "k=0"), "k '0' must be a number from 1000");
    usage(RUN("fit", "soil", TABLE, WHEEL, "--hold-out", "1"), "must be 0, or a whole number from 2 on");
    usage(RUN("fit", "soil", TABLE, WHEEL, "--grousers", "12"), "belong together");
    usage(RUN("fit", "soil", TABLE, WHEEL, "--soil", "dry_sand_LL"), "did you mean 'dry_sand_LLL'?");
    usage(RUN("fit", "soil", SCRATCH "/none.csv", WHEEL), "none.csv");
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(numbers_of_a_soil_are_found_from_its_tests_and_judged_on_rows_kept_back),
                               CASE(intervals_of_disturbed_tests_hold_the_truth),
                               CASE(bad_rows_are_named_by_file_line_and_column),
                               CASE(bad_arguments_are_answered_with_what_is_allowed)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
