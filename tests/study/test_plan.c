// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plans: carried out at fidelities that agree, faults that are answered, what cannot be is
/// refused, pages that are written.
#include <math.h>
#include <rille/plan.h>
#include <rille/rille.h>
#include <unistd.h>

#include "check.h"

static RiPlan *parse(RiContext *ctx, const char *text)
{
    RiPlan *plan = NULL;
    CHECK_OK(ctx, ri_plan_parse(ctx, RILLE_SOURCE_DIR "/plans/test.yaml", text, strlen(text), &plan));
    return plan;
}

static const char head[] = "plan: p\nscene: ../scenes/systems/mer_base.yaml\n";

static void refused(const char *rest, const char *says)
{
    char text[2000];
    RiContext *ctx;
    RiPlan *plan = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    snprintf(text, sizeof text, "%s%s", head, rest);
    CHECK(ri_plan_parse(ctx, "bad.yaml", text, strlen(text), &plan) != RI_OK && plan == NULL);
    if (!strstr(ri_context_message(ctx), says) || !strstr(ri_context_message(ctx), "bad.yaml:"))
        CHECK_FAIL("'%s' gives '%s'", rest, ri_context_message(ctx));
    ri_context_destroy(ctx);
}

TEST(plans_that_cannot_be_are_refused_with_line_and_reason)
{
    refused("", "activities");
    refused("activities: []\n", "without activities");
    refused("activities:\n  - {do: dance}\n", "'dance'");
    refused("activities:\n  - {do: wait}\n", "never ends");
    refused("activities:\n  - {do: sleep}\n", "never ends");
    refused("activities:\n  - {do: wait, duration: -5 s}\n", "duration");
    refused("activities:\n  - {do: wait, duration: 5 s, at: 10 s, before: 5 s}\n", "never");
    refused("activities:\n  - {do: pass}\n", "needs a 'radio'");
    refused("activities:\n  - {do: arc}\n", "length");
    refused("activities:\n  - {do: wait, duration: 5 kg}\n", "kg");
    refused("activities:\n  - {name: a, do: image, after: b}\n  - {name: b, do: image, after: a}\n", "a cycle");
    refused("activities:\n  - {name: a, do: image, after: a}\n", "itself");
    refused("activities:\n  - {name: a, do: image, after: z}\n", "'z', which does not exist");
    refused("activities:\n  - {do: image, arm: arm}\n", "uses no arm");
    refused("activities:\n  - {do: drill, camera: eye}\n", "uses no camera");
    refused("activities:\n  - {do: image, fidelity: map}\n", "does not drive");
    refused("activities:\n  - {do: turn, fix_every: 1 m}\n", "no 'fix_every'");
    refused("activities:\n  - {do: wait, duration: 5 s, hour: 25}\n", "hour");
    refused("activities:\n  - {do: wait, durration: 5 s}\n", "duration");
    refused("activities:\n  - repeat: 0\n    activities: [{do: image}]\n", "repeat");
    refused("activities:\n  - repeat: 20001\n    activities: [{do: image}]\n", "20000");
    refused("activities:\n  - repeat: 1000\n    activities: [{repeat: 1000, activities: [{do: image}]}]\n", "at most");
    refused("activities: [{do: image}]\nmargins: [{name: a, value: main.mode}]\n", "least");
    refused("activities: [{do: image}]\nmargins: [{name: a, value: main.mode, least: 2, most: 1}]\n", "more than most");
    refused("activities: [{do: sleep, duration: 2e9 s}]\n", "duration");
    refused("activities: [{do: pass, radio: uhf, reply: 5 s}]\n", "only uplink has a 'reply'");
    refused("activities: [{do: image}]\nfaults: [{at: -1 s, set: {a.b: 1}}]\n", "times start at 0");
    refused("activities: [{do: image}]\nslip: [[0 deg, 1.5]]\n", "below 1");
}

TEST(a_condition_that_cannot_be_read_is_told_with_its_line)
{
    RiContext *ctx;
    RiPlanRun *run;
    char text[400];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    snprintf(text, sizeof text, "%sactivities:\n  - {do: wait, until: nobody.home > 1}\n", head);
    RiPlan *plan = parse(ctx, text);
    REQUIRE(plan != NULL);
    CHECK(ri_plan_run(plan, RI_FIDELITY_MAP, NULL, 0, NULL, &run) != RI_OK && run == NULL);
    CHECK(strstr(ri_context_message(ctx), "test.yaml:4") && strstr(ri_context_message(ctx), "nobody"));
    CHECK(ri_plan_run(plan, RI_FIDELITY_DYNAMIC, NULL, 0, NULL, &run) == RI_ERR_ARGUMENT);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

static const char errand[] = "plan: p\nscene: ../scenes/systems/mer_base.yaml\n"
                             "set: {motors.start_temperature: 235 K}\n"
                             "margins:\n  - {name: charge, value: battery.state_of_charge, least: 0.2}\n"
                             "activities:\n"
                             "  - {do: sleep, duration: 1 h}\n"
                             "  - {name: go, do: drive, x: 25 m, y: 5 m, loads: drive}\n"
                             "  - {do: arc, length: 6 m, radius: 12 m, loads: drive}\n"
                             "  - {do: turn, angle: 40 deg, loads: drive}\n"
                             "  - {do: image, loads: cameras, data: 1e7}\n"
                             "  - {name: never, do: image, when: main.mode > 1.5}\n"
                             "  - {do: wait, until_hour: 9}\n";

/// Loads, radios, recorder and bus that the scene lacks are told before anything runs.
TEST(parts_that_the_scene_lacks_are_told_with_their_line)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"activities:\n  - {do: image, loads: camera}\n", "test.yaml:4:5: activity 'image': the scene has no load"},
        {"activities:\n  - {do: uplink, radio: low_gain}\n",
         "test.yaml:4:5: activity 'uplink': the scene has no radio"},
        {"recorder: tape\nactivities:\n  - {do: image, data: 5}\n", "test.yaml:5:5: activity 'image' brings data"},
        {"bus: mane\nactivities:\n  - {do: image}\n", "test.yaml:1:1: plan 'p': the scene has no bus 'mane'"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        RiContext *ctx;
        RiPlanRun *run = NULL;
        snprintf(text, sizeof text, "%s%s", head, rows[i].text);
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        RiPlan *plan = parse(ctx, text);
        REQUIRE(plan != NULL);
        CHECK(ri_plan_run(plan, RI_FIDELITY_MAP, NULL, 0, NULL, &run) != RI_OK && !run);
        if (!strstr(ri_context_message(ctx), rows[i].says))
            CHECK_FAIL("'%s' gives '%s'", rows[i].text, ri_context_message(ctx));
        ri_plan_destroy(plan);
        ri_context_destroy(ctx);
    }
}

TEST(map_and_kinematics_agree_on_way_energy_and_time)
{
    RiContext *ctx;
    RiPlanTotals t[2];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan = parse(ctx, errand);
    REQUIRE(plan != NULL);
    for (int k = 0; k < 2; k++) {
        RiPlanRun *run = NULL;
        CHECK_OK(ctx, ri_plan_run(plan, k ? RI_FIDELITY_KINEMATIC : RI_FIDELITY_MAP, NULL, 0, NULL, &run));
        REQUIRE(run != NULL);
        t[k] = ri_plan_run_totals(run);
        CHECK_INT(ri_plan_run_row_count(run), 7);
        CHECK(ri_plan_run_row(run, 5)->state == RI_ACTIVITY_SKIPPED &&
              strstr(ri_plan_run_row(run, 5)->reason, "main.mode"));
        CHECK_INT(t[k].failed, 0);
        CHECK_INT(t[k].skipped, 1);
        CHECK_CLOSE(t[k].ledger, 0.0, 1e-6);
        CHECK(ri_plan_run_margin(run, 0)->slack > 0.0 && ri_plan_run_margin(run, 0)->slack < 0.8);
        ri_plan_run_destroy(run);
    }
    CHECK_CLOSE(t[0].way / t[1].way, 1.0, 0.05);
    CHECK_CLOSE(t[0].used / t[1].used, 1.0, 0.02);
    CHECK_CLOSE(t[0].generated / t[1].generated, 1.0, 0.02);
    CHECK_CLOSE(t[0].time, t[1].time, 120.0);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

static RiPlanRun *past_the_rim(RiContext *ctx, const char *more, RiPlan **out_plan)
{
    char text[1200];
    RiPlanRun *run = NULL;
    snprintf(text, sizeof text,
             "plan: p\nscene: ../scenes/systems/mer_crater.yaml\nspeed: 0.04 m/s\nmap_loads: motors_by_map\n"
             "set: {motors.start_temperature: 235 K}\nmargins: []\n%s",
             more);
    *out_plan = parse(ctx, text);
    if (*out_plan)
        CHECK_OK(ctx, ri_plan_run(*out_plan, RI_FIDELITY_AUTO, NULL, 0, NULL, &run));
    return run;
}

/// From 5 m before the foot of the rim to its slope; the ground says where dynamics begin.
TEST(fidelity_is_switched_by_the_slope_of_the_ground)
{
    static const char go[] =
        "activities: [{do: drive, x: -10.5 m, y: 5.5 m, fix_every: 1 m, loads: \"drive, steering\"}]\n";
    RiContext *ctx;
    double dynamic[4] = {0}, kinematic[4] = {0};
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int k = 0; k < 4; k++) {
        static const char *const steep[4] = {"steep: 80 deg\n", "steep: 5 deg\n", "steep: 3 deg\n",
                                             "steep: 5 deg\nuneven: 1 deg\n"};
        char text[400];
        RiPlan *plan;
        snprintf(text, sizeof text, "%s%s", steep[k], go);
        RiPlanRun *run = past_the_rim(ctx, text, &plan);
        REQUIRE(run != NULL);
        const RiPlanTotals t = ri_plan_run_totals(run);
        CHECK_INT(t.failed, 0);
        CHECK_CLOSE(t.way_at[RI_FIDELITY_MAP] + t.way_at[RI_FIDELITY_KINEMATIC] + t.way_at[RI_FIDELITY_DYNAMIC], t.way,
                    1e-9);
        CHECK_CLOSE(t.way, 6.5, 0.5);
        kinematic[k] = t.way_at[RI_FIDELITY_KINEMATIC];
        CHECK_CLOSE(t.ledger, 0.0, 1e-6);
        CHECK(ri_plan_run_fidelity(run) == RI_FIDELITY_AUTO);
        dynamic[k] = t.way_at[RI_FIDELITY_DYNAMIC];
        ri_plan_run_destroy(run);
        ri_plan_destroy(plan);
    }
    CHECK_CLOSE(dynamic[0], 0.0, 1e-12);
    CHECK(kinematic[0] == 0.0 && kinematic[1] == 0.0 && kinematic[3] > 0.5);
    CHECK_CLOSE(dynamic[3], dynamic[1], 0.3);
    if (!(dynamic[1] > 0.5 && dynamic[1] < 6.0 && dynamic[2] > dynamic[1] - 0.2))
        CHECK_FAIL("%g m with dynamics at 5 degrees, %g m at 3", dynamic[1], dynamic[2]);
    ri_context_destroy(ctx);
}

TEST(an_activity_may_choose_its_own_fidelity)
{
    RiContext *ctx;
    RiPlan *plan;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlanRun *run = past_the_rim(ctx,
                                  "activities:\n"
                                  "  - {do: arc, length: 1 m, loads: \"drive, steering\", fidelity: dynamic}\n"
                                  "  - {do: arc, length: 1 m, loads: \"drive, steering\", fidelity: map}\n"
                                  "  - {do: arc, length: 1 m, loads: \"drive, steering\"}\n"
                                  "  - {do: arc, length: 1 m, loads: \"drive, steering\", fidelity: kinematic}\n"
                                  "  - {do: arc, length: 0.5 m, loads: \"drive, steering\", fidelity: dynamic}\n",
                                  &plan);
    REQUIRE(run != NULL);
    static const RiFidelity expected[] = {RI_FIDELITY_DYNAMIC, RI_FIDELITY_MAP, RI_FIDELITY_MAP, RI_FIDELITY_KINEMATIC,
                                          RI_FIDELITY_DYNAMIC};
    for (int i = 0; i < 5; i++) {
        const RiPlanRow *row = ri_plan_run_row(run, i);
        const double way = i < 4 ? 1.0 : 0.5, seconds = row->end - row->start;
        if (row->state != RI_ACTIVITY_DONE)
            CHECK_FAIL("arc %d: %s", i, row->reason);
        CHECK_CLOSE(row->way_at[expected[i]], way * (1.0 - row->slip), 0.1); // what the wheels roll, less their slip
        CHECK(fabs(row->slip) < 0.25);
        CHECK_CLOSE(row->way_at[expected[i]], row->way, 1e-9);
        const double power = row->used / seconds; // 30.2 W besides driving: 45 W of electronics, 12 W for motors
        if (!(power > 60.0 && power < 110.0))
            CHECK_FAIL("arc %d: %g W", i, power);
        CHECK(!isnan(row->slip));
    }
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(fidelity_auto_without_a_switchable_scene_is_refused)
{
    RiContext *ctx;
    RiPlanRun *run = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan = parse(ctx, errand);
    REQUIRE(plan != NULL);
    CHECK(ri_plan_run(plan, RI_FIDELITY_AUTO, NULL, 0, NULL, &run) == RI_ERR_ARGUMENT && run == NULL);
    CHECK(strstr(ri_context_message(ctx), "switchable"));
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(a_run_again_has_equal_bits)
{
    RiContext *ctx;
    unsigned long long hash[2] = {0};
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan = parse(ctx, errand);
    REQUIRE(plan != NULL);
    for (int k = 0; k < 2; k++) {
        RiPlanRun *run = NULL;
        CHECK_OK(ctx, ri_plan_run(plan, RI_FIDELITY_KINEMATIC, NULL, 0, NULL, &run));
        REQUIRE(run != NULL);
        hash[k] = ri_plan_run_totals(run).hash;
        ri_plan_run_destroy(run);
    }
    CHECK(hash[0] == hash[1] && hash[0] != 0);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(a_fault_brings_safe_mode_and_what_was_planned_is_skipped)
{
    static const char text[] =
        "plan: p\nscene: ../scenes/systems/mer_base.yaml\n"
        "faults:\n  - {at: 2 h, set: {array.failed_strings: 12}}\n  - {at: 1 h, set: {computer.power: 200 W}}\n"
        "responses:\n  - {name: low power, when: battery.state_of_charge < 0.5, do: safe}\n"
        "activities:\n"
        "  - {do: wait, duration: 4 h}\n"
        "  - {name: go, do: drive, x: 5 m, loads: drive}\n"
        "  - {name: vital, do: image, priority: 0}\n";
    RiContext *ctx;
    RiPlanRun *run = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan = parse(ctx, text);
    REQUIRE(plan != NULL);
    CHECK_OK(ctx, ri_plan_run(plan, RI_FIDELITY_KINEMATIC, NULL, 0, NULL, &run));
    REQUIRE(run != NULL);
    CHECK(ri_plan_run_row(run, 0)->state == RI_ACTIVITY_DONE);
    CHECK(ri_plan_run_row(run, 1)->state == RI_ACTIVITY_SKIPPED &&
          strstr(ri_plan_run_row(run, 1)->reason, "low power"));
    CHECK(ri_plan_run_row(run, 2)->state == RI_ACTIVITY_DONE);
    CHECK(ri_plan_run_totals(run).responses >= 1 && ri_plan_run_totals(run).way == 0.0);
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

static RiPlanRun *run_text(RiContext *ctx, const char *rest, RiPlan **out_plan)
{
    char text[1200];
    RiPlanRun *run = NULL;
    snprintf(text, sizeof text, "%s%s", head, rest);
    *out_plan = parse(ctx, text);
    if (*out_plan)
        CHECK_OK(ctx, ri_plan_run(*out_plan, RI_FIDELITY_KINEMATIC, NULL, 0, NULL, &run));
    return run;
}

/// An answer takes light twice the way and the ground its time; the Earth is 5.2 min away on that day.
TEST(an_answer_comes_after_twice_the_light_time)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan;
    RiPlanRun *run = run_text(ctx,
                              "activities:\n  - {do: sleep, until_hour: 11}\n  - {do: uplink, radio: high_gain, "
                              "duration: 5 min}\n  - {name: ask, do: uplink, radio: high_gain, duration: 5 min, reply: "
                              "20 min}\n  - {do: image, after: ask}\n",
                              &plan);
    const RiPlanRow *told = ri_plan_run_row(run, 1), *asked = ri_plan_run_row(run, 2);
    CHECK(told->state == RI_ACTIVITY_DONE && asked->state == RI_ACTIVITY_DONE);
    CHECK(asked->light_time > 300.0 && asked->light_time < 330.0);
    CHECK_CLOSE(told->end - told->start, 300.0, 2.0);
    CHECK_CLOSE(asked->end - asked->start, 1500.0 + 2.0 * asked->light_time, 4.0);
    CHECK(isnan(ri_plan_run_row(run, 0)->light_time) && ri_plan_run_row(run, 3)->state == RI_ACTIVITY_DONE);
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

/// An uplink that its window cuts short has not told all, and one without an answer is no go.
TEST(an_uplink_beyond_its_window_fails_and_what_waits_for_it_is_skipped)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan;
    RiPlanRun *run = run_text(ctx,
                              "activities:\n  - {name: long, do: uplink, radio: uhf, duration: 2 h, longest: 12 h}\n"
                              "  - {do: image, after: long}\n  - {name: ask, do: uplink, radio: uhf, reply: 20 min, "
                              "longest: 10 min}\n",
                              &plan);
    const RiPlanRow *row = ri_plan_run_row(run, 0);
    CHECK(row->state == RI_ACTIVITY_FAILED && strstr(row->reason, "uhf lost its remote after"));
    CHECK(ri_plan_run_row(run, 1)->state == RI_ACTIVITY_SKIPPED);
    CHECK(ri_plan_run_row(run, 2)->state == RI_ACTIVITY_FAILED &&
          strstr(ri_plan_run_row(run, 2)->reason, "saw nothing"));
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

/// The locomotion device bends towards a goal that is a little aside, and turns first to one far
/// aside: by map the robot ends as it does kinematically.
TEST(a_drive_by_map_ends_where_and_as_the_robot_heads)
{
    static const char *const goals[] = {"x: 20 m, y: 5 m", "x: 12 m, y: -9 m", "x: -8 m, y: 3 m"};
    for (int i = 0; i < 3; i++) {
        double ends[2][4];
        for (int f = 0; f < 2; f++) {
            RiContext *ctx;
            REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
            char text[600];
            snprintf(text, sizeof text,
                     "%sset: {motors.start_temperature: 235 K}\nactivities:\n  - {do: drive, %s, loads: drive}\n"
                     "  - {do: arc, length: 5 m, loads: drive}\n", // its end tells how the robot headed
                     head, goals[i]);
            RiPlan *plan = parse(ctx, text);
            RiPlanRun *run = NULL;
            CHECK_OK(ctx, ri_plan_run(plan, f ? RI_FIDELITY_KINEMATIC : RI_FIDELITY_MAP, NULL, 0, NULL, &run));
            REQUIRE(run != NULL);
            const RiPlanSample *last = ri_plan_run_sample(run, ri_plan_run_sample_count(run) - 1);
            const RiPlanRow *row = ri_plan_run_row(run, 0);
            const double end[4] = {last->x, last->y, row->way, row->end - row->start};
            memcpy(ends[f], end, sizeof end);
            ri_plan_run_destroy(run);
            ri_plan_destroy(plan);
            ri_context_destroy(ctx);
        }
        CHECK_CLOSE(ends[0][0], ends[1][0], 0.1);
        CHECK_CLOSE(ends[0][1], ends[1][1], 0.1);
        CHECK_CLOSE(ends[0][2] / ends[1][2], 1.0, 0.02);
        CHECK_CLOSE(ends[0][3] / ends[1][3], 1.0, 0.15);
    }
}

TEST(an_hour_is_the_first_one_after_the_earliest_start)
{
    RiContext *ctx;
    RiPlan *plan;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlanRun *run = run_text(ctx,
                              "activities:\n"
                              "  - {do: wait, at: 5 h, hour: 9, duration: 10 min}\n" // begins at 7: the next morning
                              "  - {do: wait, at: 30 h, hour: 14, duration: 10 min}\n",
                              &plan);
    REQUIRE(run != NULL);
    CHECK_CLOSE(ri_plan_run_row(run, 0)->hour, 9.0, 0.01);
    CHECK_CLOSE(ri_plan_run_row(run, 0)->start, 26.0 / 24.0 * 88775.244, 60.0);
    CHECK_CLOSE(ri_plan_run_row(run, 1)->hour, 14.0, 0.01);
    CHECK(ri_plan_run_row(run, 1)->start > 30.0 * 3600.0 && ri_plan_run_row(run, 1)->start < 33.0 * 3600.0);
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(what_is_lost_or_never_comes_is_in_the_totals)
{
    RiContext *ctx;
    RiPlan *plan;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlanRun *run =
        run_text(ctx,
                 "set: {battery.start_charge: 0.3}\n"
                 "faults: [{at: 30 min, set: {array.failed_strings: 12}}, {at: 30 h, set: {site.tau: 5}}]\n"
                 "activities:\n"
                 "  - {do: panorama, data: 5e9}\n" // into a memory of 1e9
                 "  - {do: wait, duration: 16 h, loads: instruments}\n",
                 &plan);
    REQUIRE(run != NULL);
    const RiPlanTotals t = ri_plan_run_totals(run);
    CHECK_CLOSE(t.lost, 4e9, 1.0);
    CHECK(t.unserved > 3600.0 && t.dead > 0.0);
    CHECK_INT(t.pending, 1);
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

/// A fault at an odd second of a drive comes in its tick, not at the executive's next look.
TEST(a_fault_comes_at_its_moment_also_while_the_robot_drives)
{
    RiContext *ctx;
    double used[2];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int k = 0; k < 2; k++) {
        RiPlan *plan;
        char text[500];
        snprintf(text, sizeof text,
                 "set: {motors.start_temperature: 235 K}\nfaults: [{at: %d s, set: {computer.power: 1028 W, "
                 "battery.discharge_current: 100 A}}, {at: 58 s, set: {computer.power: 28 W}}]\n"
                 "activities: [{do: arc, length: 5 m, loads: drive}]\n",
                 51 + 3 * k);
        RiPlanRun *run = run_text(ctx, text, &plan);
        REQUIRE(run != NULL);
        CHECK_INT(ri_plan_run_totals(run).failed, 0);
        used[k] = ri_plan_run_totals(run).used;
        ri_plan_run_destroy(run);
        ri_plan_destroy(plan);
    }
    CHECK_CLOSE(used[0] - used[1], 3.0 * 1000.0, 1.0);
    ri_context_destroy(ctx);
}

/// Safe mode comes and goes while the robot sleeps: it sleeps on.
TEST(after_safe_mode_the_bus_is_in_the_mode_of_the_activity)
{
    RiContext *ctx;
    double used[2];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int k = 0; k < 2; k++) {
        RiPlan *plan;
        char text[500];
        snprintf(text, sizeof text,
                 "faults: [{at: 1 h, set: {site.tau: 0.7}}, {at: 62 min, set: {site.tau: 0.6}}]\n%s"
                 "activities: [{do: sleep, duration: 10 h}]\n",
                 k ? "responses: [{name: dusty, when: site.tau > 0.65, do: safe, resume: site.tau < 0.65}]\n" : "");
        RiPlanRun *run = run_text(ctx, text, &plan);
        REQUIRE(run != NULL);
        CHECK_INT(ri_plan_run_totals(run).responses, k);
        used[k] = ri_plan_run_totals(run).used;
        ri_plan_run_destroy(run);
        ri_plan_destroy(plan);
    }
    CHECK_CLOSE(used[1] / used[0], 1.0, 0.01); // minutes of safe mode; awake it would draw ten times as much
    ri_context_destroy(ctx);
}

/// The only activity of a plan fails at both fidelities, for a reason that says `says`.
static void fails(const char *rest, const char *says)
{
    char text[800];
    snprintf(text, sizeof text, "%s%s", head, rest);
    for (int f = RI_FIDELITY_MAP; f <= RI_FIDELITY_KINEMATIC; f++) {
        RiContext *ctx;
        RiPlanRun *run = NULL;
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        RiPlan *plan = parse(ctx, text);
        REQUIRE(plan != NULL);
        CHECK_OK(ctx, ri_plan_run(plan, (RiFidelity)f, NULL, 0, NULL, &run));
        REQUIRE(run != NULL);
        const RiPlanRow *row = ri_plan_run_row(run, 0);
        if (row->state != RI_ACTIVITY_FAILED || !strstr(row->reason, says))
            CHECK_FAIL("%s (%s): %s, '%s'", rest, ri_fidelity_name((RiFidelity)f), ri_activity_state_name(row->state),
                       row->reason);
        CHECK(ri_plan_run_totals(run).way < 0.02 && ri_plan_run_totals(run).failed == 1);
        ri_plan_run_destroy(run);
        ri_plan_destroy(plan);
        ri_context_destroy(ctx);
    }
}

TEST(motions_that_are_refused_or_have_no_power_fail_at_every_fidelity)
{
    fails("set: {motors.start_temperature: 230 K, robot.steer_limit: 30 deg}\nactivities: [{do: arc, length: 1 m, "
          "radius: 0.5 m, loads: drive}]\n",
          "tighter than the steering allows");
    fails("set: {motors.start_temperature: 200 K}\nactivities: [{do: drive, x: 3 m, loads: drive}]\n",
          "below their limit of 218.0 K");
    fails("set: {motors.start_temperature: 230 K}\nactivities: [{do: drive, x: 3 m}]\n", "no power");
    fails("set: {motors.start_temperature: 230 K, battery.discharge_current: 0 A}\nactivities: [{do: drive, x: 3 m, "
          "loads: drive}]\n",
          "no power");
    fails("set: {battery.discharge_current: 0 A}\nactivities: [{do: image, loads: cameras}]\n", "'cameras' no power");
}

TEST(a_page_is_written_and_a_path_that_cannot_be_is_told)
{
    static const char path[] = RILLE_BINARY_DIR "/test_plan.html";
    RiContext *ctx;
    RiPlanRun *run = NULL;
    char text[400];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    snprintf(text, sizeof text, "%sdoc: a < b\nactivities:\n  - {do: image, loads: cameras}\n", head);
    RiPlan *plan = parse(ctx, text);
    REQUIRE(plan != NULL);
    CHECK_OK(ctx, ri_plan_run(plan, RI_FIDELITY_MAP, NULL, 0, NULL, &run));
    REQUIRE(run != NULL);
    CHECK_OK(ctx, ri_plan_report(ctx, plan, run, run, path));
    FILE *f = fopen(path, "rb");
    REQUIRE(f != NULL);
    static char page[1 << 18];
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
    unlink(path);
    CHECK(strstr(page, "a &lt; b") && strstr(page, "Timeline") && strstr(page, "image") && !strstr(page, "nan"));
    CHECK(ri_plan_report(ctx, plan, run, NULL, "/nowhere/x.html") == RI_ERR_IO);
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(all_plans_of_the_folder_are_carried_out_with_closed_books)
{
    static const char *const names[] = {"mer_sol",      "curiosity_rtg_sol", "sojourner_sol",
                                        "exomars_plan", "viper_polar",       "eels_descent_budget"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        RiContext *ctx;
        RiPlan *plan = NULL;
        RiPlanRun *run = NULL;
        char path[400];
        if (strcmp(names[i], "viper_polar") == 0 && !strstr(ri_version_features(), "gdal: yes"))
            continue; // its map of heights needs GDAL
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        snprintf(path, sizeof path, "%s/plans/%s.yaml", RILLE_SOURCE_DIR, names[i]);
        CHECK_OK(ctx, ri_plan_load(ctx, path, &plan));
        if (plan)
            CHECK_OK(ctx, ri_plan_run(plan, RI_FIDELITY_MAP, NULL, 0, NULL, &run));
        if (run) {
            const RiPlanTotals t = ri_plan_run_totals(run);
            CHECK(strcmp(ri_plan_name(plan), names[i]) == 0 && ri_plan_doc(plan)[0]);
            CHECK_CLOSE(t.ledger, 0.0, 1e-6);
            CHECK_INT(t.failed, 0);
            CHECK(t.used > 0.0 && ri_plan_run_sample_count(run) > 2);
        }
        ri_plan_run_destroy(run);
        ri_plan_destroy(plan);
        ri_context_destroy(ctx);
    }
}

/// The array's energy on the sols that were reported: 652, 468, 345 and 22 Wh.
TEST(the_storm_of_2018_takes_the_energy_that_was_reported_and_brings_safe_mode)
{
    static const struct {
        int sol;
        double energy, part; // [Wh], relative
    } reported[] = {{0, 652.0, 0.03}, {5, 468.0, 0.03}, {6, 345.0, 0.05}, {11, 22.0, 0.1}};
    RiContext *ctx;
    RiPlan *plan = NULL;
    RiPlanRun *run = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_plan_load(ctx, RILLE_SOURCE_DIR "/plans/opportunity_storm.yaml", &plan));
    REQUIRE(plan != NULL);
    CHECK_OK(ctx, ri_plan_run(plan, RI_FIDELITY_MAP, NULL, 0, NULL, &run));
    REQUIRE(run != NULL && ri_plan_run_sol_count(run) >= 12);
    for (size_t i = 0; i < sizeof reported / sizeof *reported; i++)
        CHECK_CLOSE(ri_plan_run_sol(run, reported[i].sol)->available / 3600.0, reported[i].energy,
                    reported[i].part * reported[i].energy);
    const RiPlanTotals t = ri_plan_run_totals(run);
    bool held = false;
    for (int i = 0; i < ri_plan_run_row_count(run); i++)
        held |= strcmp(ri_plan_run_row(run, i)->reason, "safe mode: low power") == 0;
    CHECK(held && t.responses > 0 && t.dead > 0.0);
    CHECK_CLOSE(t.ledger, 0.0, 1e-6);
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(a_drive_by_map_ends_where_and_as_the_robot_heads), CASE(an_answer_comes_after_twice_the_light_time),
          CASE(an_uplink_beyond_its_window_fails_and_what_waits_for_it_is_skipped),
          CASE(parts_that_the_scene_lacks_are_told_with_their_line),
          CASE(the_storm_of_2018_takes_the_energy_that_was_reported_and_brings_safe_mode),
          CASE(all_plans_of_the_folder_are_carried_out_with_closed_books),
          CASE(plans_that_cannot_be_are_refused_with_line_and_reason),
          CASE(a_condition_that_cannot_be_read_is_told_with_its_line),
          CASE(map_and_kinematics_agree_on_way_energy_and_time), CASE(a_run_again_has_equal_bits),
          CASE(a_fault_brings_safe_mode_and_what_was_planned_is_skipped),
          CASE(an_hour_is_the_first_one_after_the_earliest_start), CASE(what_is_lost_or_never_comes_is_in_the_totals),
          CASE(a_fault_comes_at_its_moment_also_while_the_robot_drives),
          CASE(after_safe_mode_the_bus_is_in_the_mode_of_the_activity),
          CASE(fidelity_is_switched_by_the_slope_of_the_ground), CASE(an_activity_may_choose_its_own_fidelity),
          CASE(fidelity_auto_without_a_switchable_scene_is_refused),
          CASE(motions_that_are_refused_or_have_no_power_fail_at_every_fidelity),
          CASE(a_page_is_written_and_a_path_that_cannot_be_is_told))
