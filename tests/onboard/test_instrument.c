// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placing an instrument: the arm goes to its target, presses, goes home; and what it cannot reach
/// it refuses.
#include <rille/scene.h>

#include "check.h"

static double value(RiContext *ctx, RiScene *scene, const char *name)
{
    double x = NAN;
    CHECK_OK(ctx, ri_values_eval(ri_sim_values(ri_scene_sim(scene)), name, &x));
    return x;
}

static RiScene *open_scene(RiContext *ctx)
{
    RiScene *scene = NULL;
    CHECK_OK(ctx, ri_scene_load(ctx, RILLE_SOURCE_DIR "/scenes/place_instrument.yaml", NULL, &scene));
    if (scene)
        CHECK_OK(ctx, ri_scene_build(scene));
    return scene;
}

static void run_to(RiContext *ctx, RiScene *scene, double time)
{
    while (ri_sim_time(ri_scene_sim(scene)) < time - 1e-9)
        if (ri_sim_step(ri_scene_sim(scene)) != RI_OK) {
            CHECK_FAIL("%s", ri_context_message(ctx));
            return;
        }
}

TEST(the_instrument_is_pressed_on_and_taken_home)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_scene(ctx);
    REQUIRE(scene != NULL);
    const double home = value(ctx, scene, "arm_elbow.position");
    run_to(ctx, scene, 40.0);
    CHECK(value(ctx, scene, "arm.phase") == 2.0 && value(ctx, scene, "arm.done") == 1.0);
    const double force = value(ctx, scene, "contact.arm_turret.normal");
    CHECK(force >= 2.0 && force < 4.0);
    CHECK(value(ctx, scene, "arm.distance") < 0.006); // the ground is 5 mm above the target
    run_to(ctx, scene, 75.0);
    CHECK(value(ctx, scene, "arm.phase") == 0.0);
    CHECK_CLOSE(value(ctx, scene, "arm_elbow.position"), home, 0.02);
    CHECK(value(ctx, scene, "contact.touching") == 0.0);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_target_out_of_reach_is_refused_and_the_arm_stays)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_scene(ctx);
    REQUIRE(scene != NULL);
    RiValues *values = ri_sim_values(ri_scene_sim(scene));
    CHECK_OK(ctx, ri_values_set(values, "arm.target_x", "2 m"));
    const double before = value(ctx, scene, "arm.arm_elbow.position");
    run_to(ctx, scene, 2.0);
    CHECK(value(ctx, scene, "arm.phase") == 4.0 && value(ctx, scene, "arm.reason") == 1.0);
    CHECK(value(ctx, scene, "arm.arm_elbow.position") == before);
    CHECK_OK(ctx, ri_values_set(values, "arm.go", "0"));
    CHECK_OK(ctx, ri_values_set(values, "arm.target_x", "-0.5 m"));
    run_to(ctx, scene, 2.1);
    CHECK_OK(ctx, ri_values_set(values, "arm.go", "1"));
    run_to(ctx, scene, 2.2);
    CHECK(value(ctx, scene, "arm.phase") == 4.0 && value(ctx, scene, "arm.reason") == 2.0);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(the_instrument_is_pressed_on_and_taken_home), CASE(a_target_out_of_reach_is_refused_and_the_arm_stays))
