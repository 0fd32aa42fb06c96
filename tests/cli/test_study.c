// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille study` as a user meets it.
#define SCRATCH RILLE_BINARY_DIR "/study"
#include "run.h"

#include <sys/stat.h>

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

TEST(contact_models_are_compared_with_a_table_and_figures)
{
    run_setup();
    Run r = RUN("study", "contact-models", "--quick", "--alone", "--only", "slope", "--out", SCRATCH "/contact");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "slope_10") && strstr(r.out, "compliant") && strstr(r.out, "exact"));
    CHECK(!strstr(r.out, "mujoco"));
    static const char *const files[] = {"results.csv", "report.md", "report.html", "slope.png", "slope.svg"};
    for (int i = 0; i < 5; i++) {
        char path[1200];
        snprintf(path, sizeof path, SCRATCH "/contact/%s", files[i]);
        CHECK(access(path, R_OK) == 0);
    }
    run_free(&r);
}

static void write_program(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    CHECK(out && fputs(text, out) >= 0);
    if (out)
        fclose(out);
    CHECK_INT(chmod(path, 0755), 0);
}

TEST(an_engine_that_crashes_or_talks_nonsense_is_left_out)
{
    run_setup();
    write_program(SCRATCH "/contact_mujoco", "#!/bin/sh\necho hello broken 1\necho 0 0 0 what\n");
    write_program(SCRATCH "/contact_bullet", "#!/bin/sh\nkill -9 $$\n");
    Run r = RUN("study", "contact-models", "--quick", "--only", "slope_10", "--peers", SCRATCH, "--json");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.err, "is no sample") && strstr(r.err, "ended before it was through"));
    CHECK(strstr(r.out, "\"exact\""));
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
    check_bad(RUN("study"), "Known are: contact-models, rock-fields, tilt-table");
    check_bad(RUN("study", "tide-table"), "Known are: contact-models, rock-fields, tilt-table");
    check_bad(RUN("study", "contact-models", "tilt-table"), "one study at a time");
    check_bad(RUN("study", "contact-models", "--only", "stairs"), "no case contains 'stairs'");
    check_bad(RUN("study", "tilt-table", "--threads", "0"), "--threads is '0', it must be a whole number from 1 to 64");
    check_bad(RUN("study", "tilt-table", "--set", "slip"), "--set expects NAME=VALUE");
    check_bad(RUN("study", "tilt-table", "--quick", "--set", "slip_transition=-1"), "slip_transition is -1");
}

TEST_MAIN(CASE(a_quick_tilt_table_prints_its_table_and_draws_its_figures),
          CASE(contact_models_are_compared_with_a_table_and_figures),
          CASE(an_engine_that_crashes_or_talks_nonsense_is_left_out), CASE(bad_input_is_explained))
