// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plans: carried out at fidelities that agree, faults that are answered, what cannot be is
/// refused, pages that are written.
#include <rille/plan.h>
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
    refused("activities:\n  - {do: wait, duration: 5 s, hour: 25}\n", "hour");
    refused("activities:\n  - {do: wait, durration: 5 s}\n", "duration");
    refused("activities:\n  - repeat: 0\n    activities: [{do: image}]\n", "repeat");
    refused("activities:\n  - repeat: 20001\n    activities: [{do: image}]\n", "20000");
    refused("activities:\n  - repeat: 1000\n    activities: [{repeat: 1000, activities: [{do: image}]}]\n", "at most");
    refused("activities: [{do: image}]\nmargins: [{name: a, value: main.mode}]\n", "least");
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
                             "margins:\n  - {name: charge, value: battery.state_of_charge, least: 0.2}\n"
                             "activities:\n"
                             "  - {do: sleep, duration: 1 h}\n"
                             "  - {name: go, do: drive, x: 25 m, y: 5 m, loads: drive}\n"
                             "  - {do: arc, length: 6 m, radius: 12 m, loads: drive}\n"
                             "  - {do: turn, angle: 40 deg, loads: drive}\n"
                             "  - {do: image, loads: cameras, data: 1e7}\n"
                             "  - {name: never, do: image, when: main.mode > 1.5}\n"
                             "  - {do: wait, until_hour: 9}\n";

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
        "faults:\n  - {at: 2 h, set: {array.failed_strings: 6}}\n  - {at: 1 h, set: {computer.power: 200 W}}\n"
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

TEST_MAIN(CASE(all_plans_of_the_folder_are_carried_out_with_closed_books),
          CASE(plans_that_cannot_be_are_refused_with_line_and_reason),
          CASE(a_condition_that_cannot_be_read_is_told_with_its_line),
          CASE(map_and_kinematics_agree_on_way_energy_and_time), CASE(a_run_again_has_equal_bits),
          CASE(a_fault_brings_safe_mode_and_what_was_planned_is_skipped),
          CASE(a_page_is_written_and_a_path_that_cannot_be_is_told))
