// SPDX-License-Identifier: Apache-2.0
/// \file
/// The log of a run holds every touch, whatever the number of features that touch.
#include <rille/record.h>

#include <sys/stat.h>

#define SCRATCH RILLE_BINARY_DIR "/test_cli_run_log"
#include "check.h"
#include "cli/run.h"

/// The largest number of touches in the log of a scene's first seconds; -1 without a channel of
/// contacts.
static int most_touches(const char *scene, const char *duration, double end)
{
    float numbers[6 * 200];
    RiContext *ctx;
    RiLog *log = NULL;
    int most = -1;
    Run r = RUN("run", scene, "--out", SCRATCH "/run", "--duration", duration, "--set", "log.rate=500", "--quiet");
    CHECK_INT(r.code, 0);
    run_free(&r);
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return -1;
    if (ri_log_open(ctx, SCRATCH "/run/log.mcap", &log) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (ri_log_has_numbers(log, "/contacts"))
        for (double time = 0.0; time <= end; time += 0.001) {
            int count = 0;
            CHECK_OK(ctx, ri_log_read_numbers(log, "/contacts", time, 6 * 200, numbers, &count));
            most = count / 6 > most ? count / 6 : most;
        }
    ri_log_close(log);
    ri_context_destroy(ctx);
    return most;
}

/// Six wheels with two circles each: a circle that meets a step touches in two places.
TEST(wheels_at_a_step_log_more_touches_than_they_have_circles)
{
    const int most = most_touches("rover_step", "5", 5.0);
    printf("     at most %d touches at once\n", most);
    CHECK(most > 12);
}

/// Links that touch each other have no features.
TEST(touches_between_links_are_logged)
{
    CHECK(most_touches("woodpecker", "0.3", 0.3) > 0);
}

int main(int argc, char **argv)
{
    mkdir(SCRATCH, 0755);
    const CheckCase cases[] = {CASE(wheels_at_a_step_log_more_touches_than_they_have_circles),
                               CASE(touches_between_links_are_logged)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
