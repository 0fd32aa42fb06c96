// SPDX-License-Identifier: Apache-2.0
/// \file
/// Extremes: wheels on their sides, walls around soft soil, starts inside the ground, motions that
/// are no simulation any more.
#include "../io/scene.h"

static RiScene *parse(const char *text)
{
    const RiSceneOptions options = {
        .robot_paths = folders, .robot_path_count = 1, .terrain_paths = grounds, .terrain_path_count = 1};
    RiScene *scene = NULL;
    if (ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/extreme.yaml", text, strlen(text), &options, &scene) == RI_OK &&
        ri_scene_build(scene) == RI_OK)
        return scene;
    ri_scene_destroy(scene);
    return NULL;
}

static const char flat_wheel[] = "scene: flat\n"
                                 "robot:\n"
                                 "  template:\n"
                                 "    robot: disk\n"
                                 "    base: floating\n"
                                 "    links: [{name: body, mass: 5 kg, inertia: [0.02, 0.03, 0.02]}]\n"
                                 "    wheels: [{name: rim, link: body, radius: 0.15, width: 0.1}]\n"
                                 "duration: 3 s\n"
                                 "tick: 2 ms\n"
                                 "initial: {base: {xyz: [0, 0, 0.1], rpy: [90 deg, 0, 0]}}\n";

/// Height of the hub of a wheel on its side after two seconds, and how often it was flagged.
static double height_on_side(const char *ground, double *out_flagged)
{
    char text[1024];
    double z = NAN;
    snprintf(text, sizeof text, "%sterrain: {kind: plane, %s}\n", flat_wheel, ground);
    RiScene *scene = parse(text);
    if (!scene)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (run_to(scene, 2.0)) {
        z = value(scene, "base.z");
        CHECK_CLOSE(value(scene, "base.vz"), 0.0, 1e-3);
        *out_flagged = strncmp(ground, "soil", 4) == 0 ? value(scene, "validity.soil.rim.lying") : 0.0;
    }
    ri_scene_destroy(scene);
    return z;
}

TEST(a_wheel_that_lies_on_soft_soil_is_carried_as_on_rock_and_flagged)
{
    double soft = 0.0, hard = 0.0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_CLOSE(height_on_side("soil: dry_sand_LLL", &soft), height_on_side("material: rock", &hard), 1e-9);
    CHECK(soft > 0.0 && hard == 0.0);
    ri_context_destroy(ctx);
}

static const char rolled_rover[] = "scene: roll\n"
                                   "robot: mer\n"
                                   "duration: 5 s\n"
                                   "tick: 2 ms\n"
                                   "gravity: mars\n"
                                   "terrain: {kind: plane, soil: dry_sand_LLL}\n"
                                   "initial: {base: {xyz: [0, 0, 0.8], rpy: [90 deg, 0, 0]}}\n";

TEST(a_rover_on_its_side_lies_on_soft_soil)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = parse(rolled_rover);
    if (!scene)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (run_to(scene, 3.0))
        CHECK(value(scene, "base.z") > -0.3 && fabs(value(scene, "base.vz")) < 2.0);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_wall_at_the_border_stops_a_rover_on_soft_soil)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = parse("scene: wall\nrobot: mer\nduration: 20 s\ntick: 5 ms\ngravity: mars\n"
                           "terrain: {kind: make, make: fractal, edge: wall, soil: dry_sand_LLL, set: {size_x: 4 m, "
                           "size_y: 4 m, cell: 5 cm, "
                           "rms_height: 0.1 mm, long_wave: 1.5 m, short_wave: 30 cm}}\n"
                           "initial: {base: {xyz: [0.8 m, 0, 2 cm]}}\n"
                           "devices:\n"
                           "  - {joints: 'steer_*', name: 'hold_${joint}', type: servo, set: {stiffness: 2 kN*m/rad, "
                           "damping: 50 N*m*s/rad}}\n"
                           "  - {joints: 'drive_*', name: 'motor_${joint}', type: servo, set: {stiffness: 0, damping: "
                           "400 N*m*s/rad, velocity: "
                           "2}}\n");
    if (!scene)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (run_to(scene, 8.0))
        CHECK(value(scene, "base.x") > 1.0 && value(scene, "base.x") < 1.3);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_start_deep_in_hard_ground_is_refused)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = parse("scene: deep\nrobot: mer\nduration: 3 s\ntick: 2 ms\ngravity: mars\nterrain: {kind: plane}\n"
                           "initial: {base: {xyz: [0, 0, -0.5]}}\n");
    CHECK(!scene && strstr(ri_context_message(ctx), "plausible.penetration"));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(wheels_of_impossible_size_are_refused)
{
    static const char *const sizes[] = {"-1", "1e6", "0"};
    for (int i = 0; i < 3; i++) {
        char text[600];
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        snprintf(text, sizeof text,
                 "scene: size\nrobot:\n  template:\n    robot: disk\n    base: floating\n"
                 "    links: [{name: body, mass: 5 kg, inertia: [0.02, 0.03, 0.02]}]\n"
                 "    wheels: [{name: rim, link: body, radius: %s, width: 0.1}]\n"
                 "terrain: {kind: plane}\nduration: 1 s\n",
                 sizes[i]);
        RiScene *scene = parse(text);
        CHECK(!scene && strstr(ri_context_message(ctx), "radius"));
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
    }
}

/// A ball that is thrown at 2e5 m/s, and one that starts 2000 km away.
TEST(motions_beyond_every_bound_end_with_the_name_of_the_bound)
{
    static const char *const starts[] = {"xyz: [0, 0, 1 m], velocity: [2e5 m/s, 0, 0]", "xyz: [2e6 m, 0, 1 m]"};
    static const char *const names[] = {"plausible.speed", "plausible.position"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        snprintf(
            text, sizeof text,
            "scene: far\nrobot: {file: ../robots/mass.yaml, base: floating}\nduration: 1 s\ninitial: {base: {%s}}\n",
            starts[i]);
        RiScene *scene = parse(text);
        if (!scene)
            CHECK_FAIL("%s", ri_context_message(ctx));
        else {
            CHECK(ri_sim_step(ri_scene_sim(scene)) == RI_ERR_NUMERIC);
            CHECK(strstr(ri_context_message(ctx), names[i]));
        }
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
    }
}

TEST_MAIN(CASE(a_wheel_that_lies_on_soft_soil_is_carried_as_on_rock_and_flagged),
          CASE(a_rover_on_its_side_lies_on_soft_soil), CASE(a_wall_at_the_border_stops_a_rover_on_soft_soil),
          CASE(a_start_deep_in_hard_ground_is_refused), CASE(wheels_of_impossible_size_are_refused),
          CASE(motions_beyond_every_bound_end_with_the_name_of_the_bound))
