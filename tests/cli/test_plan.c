// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille plan` with a mobility map as a user meets it: what it cannot say is told, and is in the
/// exit code.
#define SCRATCH RILLE_BINARY_DIR "/plan"
#include "run.h"

#include "check.h"
#include "needs.h"

static void check(const char *table, const char *x, int code, const char *says)
{
    char text[1500];
    const int n = snprintf(text, sizeof text,
                           "plan: p\nscene: " RILLE_SOURCE_DIR "/scenes/systems/mer_crater.yaml\nspeed: 0.04 m/s\n"
                           "set: {motors.start_temperature: 235 K}\nmap: " RILLE_SOURCE_DIR
                           "/terrains/crater_mobility\nmap_loads: motors_by_map\nmotor_efficiency: 0.6\n%s"
                           "activities:\n  - {do: drive, x: %s, y: 5.5 m, loads: \"drive, steering\"}\n",
                           table, x);
    run_setup();
    write_file(SCRATCH "/plan.yaml", text, (size_t)n);
    Run r = RUN("plan", "check", SCRATCH "/plan.yaml");
    CHECK_INT(r.code, code);
    if (!strstr(r.out, says))
        CHECK_FAIL("output '%s' lacks '%s' (%s)", r.out, says, r.err);
    run_free(&r);
}

TEST(what_the_map_cannot_say_is_told_and_in_the_exit_code)
{
    NEEDS("gdal");
    check("", "-19 m", 0, "2.0 m by the mobility map");
    check("", "-21 m", 1, "1.0 m BEYOND the map: no slip, the plan has no table");
    check("slip: [[0 deg, 0.1]]\n", "-21 m", 0, "1.0 m BEYOND the map: slip by the plan's table");
    check("", "5 m", 1, "the map forbids (-1.");
}

/// Exit code and words of a plan by each command that carries it out.
static void carry_out(const char *rest, int code, const char *says)
{
    static const char *const commands[] = {"check", "run", "report"};
    char text[800];
    const int n =
        snprintf(text, sizeof text,
                 "plan: p\nscene: " RILLE_SOURCE_DIR "/scenes/systems/mer_base.yaml\nfidelity: map\n%s", rest);
    run_setup();
    write_file(SCRATCH "/plan.yaml", text, (size_t)n);
    for (int i = 0; i < 3; i++) {
        Run r = i == 2 ? RUN("plan", "report", SCRATCH "/plan.yaml", "-o", SCRATCH "/plan.html")
                       : RUN("plan", commands[i], SCRATCH "/plan.yaml");
        CHECK_INT(r.code, code);
        if (!strstr(r.out, says))
            CHECK_FAIL("plan %s: output '%s' lacks '%s' (%s)", commands[i], r.out, says, r.err);
        run_free(&r);
    }
}

TEST(a_plan_that_does_not_hold_is_told_by_every_command_and_its_exit_code)
{
    carry_out("activities: [{do: image}]\n", 0, "0 failed");
    carry_out("activities: [{do: wait, until: main.mode > 1, longest: 5 min}]\n", 1, "had not ended");
    carry_out("margins: [{name: charge, value: battery.state_of_charge, least: 0.9}]\nactivities: [{do: image}]\n", 1,
              "BEYOND");
    carry_out("activities: [{do: image, data: 3e9}]\n", 1, "2000 Mbit of data");
}

TEST_MAIN(CASE(a_plan_that_does_not_hold_is_told_by_every_command_and_its_exit_code),
          CASE(what_the_map_cannot_say_is_told_and_in_the_exit_code))
