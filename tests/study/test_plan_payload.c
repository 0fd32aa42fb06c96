// SPDX-License-Identifier: Apache-2.0
/// \file
/// Payload of plans with real models: an arm that goes to its target or says why not, a camera whose
/// picture says how light it is, activities that wait for others, kinematic stretches.
#include <rille/plan.h>
#include <unistd.h>

#include "check.h"

static const char station[] = "plan: p\nscene: arm_station.yaml\n";

static RiPlan *parse(RiContext *ctx, const char *folder, const char *head, const char *rest)
{
    char text[2000], path[500];
    RiPlan *plan = NULL;
    snprintf(text, sizeof text, "%s%s", head, rest);
    snprintf(path, sizeof path, RILLE_SOURCE_DIR "/%s/test.yaml", folder);
    CHECK_OK(ctx, ri_plan_parse(ctx, path, text, strlen(text), &plan));
    return plan;
}

TEST(an_arm_goes_to_its_target_and_home_and_says_why_it_does_not)
{
    static const char errand[] =
        "activities:\n"
        "  - {name: spectra, do: arm, arm: arm, x: 0.5 m, y: 0.1 m, z: -0.05 m, duration: 10 min, loads: instruments}\n"
        "  - {name: far, do: arm, arm: arm, x: 3 m, y: 0 m, z: 0 m, duration: 10 min, loads: instruments}\n"
        "  - {name: analysis, do: wait, duration: 60 s, after: spectra}\n"
        "  - {name: no analysis, do: wait, duration: 60 s, after: \"spectra, far\"}\n";
    RiContext *ctx;
    RiPlanRun *run = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan = parse(ctx, "tests/study", station, errand);
    REQUIRE(plan != NULL);
    CHECK_OK(ctx, ri_plan_run(plan, RI_FIDELITY_KINEMATIC, NULL, 0, NULL, &run));
    REQUIRE(run != NULL);
    const RiPlanRow *spectra = ri_plan_run_row(run, 0), *far = ri_plan_run_row(run, 1);
    if (spectra->state != RI_ACTIVITY_DONE)
        CHECK_FAIL("%s", spectra->reason);
    const double moves = spectra->end - spectra->start - 600.0;
    if (!(moves > 10.0 && moves < 200.0)) // there and back at 0.1 rad/s
        CHECK_FAIL("the arm moved for %g s", moves);
    CHECK_CLOSE(spectra->used, 12.0 * (spectra->end - spectra->start), 12.0 * 3.0);
    CHECK(far->state == RI_ACTIVITY_FAILED && strstr(far->reason, "too far"));
    CHECK(far->end - far->start < 30.0);
    CHECK(ri_plan_run_row(run, 2)->state == RI_ACTIVITY_DONE);
    CHECK(ri_plan_run_row(run, 3)->state == RI_ACTIVITY_SKIPPED && strstr(ri_plan_run_row(run, 3)->reason, "'far'"));
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(a_camera_takes_its_picture_and_a_black_one_fails)
{
    static const char shots[] = "activities:\n"
                                "  - {name: noon, do: image, camera: context, pictures: 3, depth: 8, duration: 60 s}\n"
                                "  - {do: wait, until_hour: 23}\n"
                                "  - {name: night, do: image, camera: context, duration: 60 s}\n"
                                "margins:\n  - {name: data, value: memory.produced, most: 1e9}\n";
    static const char page[] = RILLE_BINARY_DIR "/test_plan_payload.html";
    RiContext *ctx;
    RiPlanRun *run = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan = parse(ctx, "tests/study", station, shots);
    REQUIRE(plan != NULL);
    CHECK_OK(ctx, ri_plan_run(plan, RI_FIDELITY_KINEMATIC, NULL, 0, NULL, &run));
    REQUIRE(run != NULL);
    if (strstr(ri_plan_run_row(run, 0)->reason, "ray tracer") == NULL) {
        CHECK(ri_plan_run_row(run, 0)->state == RI_ACTIVITY_DONE);
        CHECK(ri_plan_run_row(run, 2)->state == RI_ACTIVITY_FAILED && strstr(ri_plan_run_row(run, 2)->reason, "black"));
        REQUIRE(ri_plan_run_picture_count(run) == 2);
        const RiPlanPicture *noon = ri_plan_run_picture(run, 0);
        CHECK(noon->width == 64 && noon->height == 48 && noon->row == 0 && memcmp(noon->png, "\x89PNG", 4) == 0);
        CHECK(noon->radiance > 1.0 && noon->radiance < 100.0); // some 500 W/m2 on ground of 0.2
        CHECK_CLOSE(ri_plan_run_margin(run, 0)->worst, 3.0 * 64 * 48 * 8, 1.0);
        CHECK_OK(ctx, ri_plan_report(ctx, plan, run, NULL, page));
        CHECK(access(page, R_OK) == 0);
        unlink(page);
    }
    ri_plan_run_destroy(run);
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

static void refused_when_run(const char *rest, const char *says)
{
    RiContext *ctx;
    RiPlanRun *run = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiPlan *plan = parse(ctx, "tests/study", station, rest);
    REQUIRE(plan != NULL);
    CHECK(ri_plan_run(plan, RI_FIDELITY_MAP, NULL, 0, NULL, &run) == RI_ERR_NOT_FOUND && run == NULL);
    if (!strstr(ri_context_message(ctx), says) || !strstr(ri_context_message(ctx), "test.yaml:4"))
        CHECK_FAIL("'%s' gives '%s'", rest, ri_context_message(ctx));
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(payload_that_the_scene_lacks_is_told_with_its_line)
{
    refused_when_run("activities:\n  - {do: image, camera: hazcam}\n", "no camera 'hazcam'");
    refused_when_run("activities:\n  - {do: arm, arm: battery}\n", "no device 'battery' of class place_instrument");
}

TEST_MAIN(CASE(an_arm_goes_to_its_target_and_home_and_says_why_it_does_not),
          CASE(a_camera_takes_its_picture_and_a_black_one_fails),
          CASE(payload_that_the_scene_lacks_is_told_with_its_line))
