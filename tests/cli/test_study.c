// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille study` as a user meets it.
#define SCRATCH RILLE_BINARY_DIR "/study"
#include "run.h"

#include "check.h"

TEST(a_quick_tilt_table_prints_its_table_and_draws_its_figures)
{
    run_setup();
    Run r = RUN("study", "tilt-table", "--quick", "--threads", "2", "--out", SCRATCH "/tilt");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "Table 1") && strstr(r.out, "20 deg") && strstr(r.out, "26 runs"));
    CHECK(strstr(r.err, "100 %  26 of 26 runs")); // not a terminal: lines instead of a bar
    static const char *const files[] = {"runs.csv", "figure5.png", "figure6.svg", "figure8.png"};
    for (int i = 0; i < 4; i++) {
        char path[1200];
        snprintf(path, sizeof path, SCRATCH "/tilt/%s", files[i]);
        CHECK(access(path, R_OK) == 0);
    }
    run_free(&r);
}

static void check_bad(Run r, const char *message)
{
    CHECK_INT(r.code, 2);
    if (!strstr(r.err, message))
        CHECK_FAIL("messages '%s' lack '%s'", r.err, message);
    run_free(&r);
}

TEST(bad_input_is_explained)
{
    run_setup();
    check_bad(RUN("study"), "Known are: contact-models, tilt-table");
    check_bad(RUN("study", "tide-table"), "Known are: contact-models, tilt-table");
    check_bad(RUN("study", "tilt-table", "--threads", "0"), "--threads is '0', it must be a whole number from 1 to 64");
    check_bad(RUN("study", "tilt-table", "--set", "slip"), "--set needs NAME=VALUE");
    check_bad(RUN("study", "tilt-table", "--quick", "--set", "slip_transition=-1"), "slip_transition is -1");
}

TEST_MAIN(CASE(a_quick_tilt_table_prints_its_table_and_draws_its_figures), CASE(bad_input_is_explained))
