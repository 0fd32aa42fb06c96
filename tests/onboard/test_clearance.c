// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sensors and the ground: clearance is exact over a slope and silent without ground; an IMU feels
/// what the ground carries.
#include <rille/scene.h>

#include "check.h"
#include "needs.h"

static double value(RiContext *ctx, RiScene *scene, const char *name)
{
    double x = NAN;
    CHECK_OK(ctx, ri_values_eval(ri_sim_values(ri_scene_sim(scene)), name, &x));
    return x;
}

static RiScene *open_scene(RiContext *ctx, const char *text)
{
    RiScene *scene = NULL;
    CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &scene));
    if (scene)
        CHECK_OK(ctx, ri_scene_build(scene));
    return scene;
}

#define BODY                                                                                                           \
    "scene: s\nrobot: {file: ../robots/mass.yaml}\ngravity: none\ndevices:\n"                                          \
    "  - {name: corner, type: clearance, frame: ball, set: {x: 0.4, z: -0.1, warning: 0.35}}\n"

TEST(the_distance_to_a_slope_is_exact)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_scene(ctx, BODY "terrain: {kind: plane, point: [0, 0, -0.5], slope: 0.2, azimuth: 0}\n");
    REQUIRE(scene != NULL);
    CHECK_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
    const double z = value(ctx, scene, "terrain.height"); // of the body's place
    CHECK_CLOSE(z, -0.5, 1e-12);
    CHECK_CLOSE(value(ctx, scene, "corner.truth"), (0.5 - 0.1) * cos(0.2) - 0.4 * sin(0.2), 1e-12);
    CHECK(value(ctx, scene, "corner.valid") == 1.0 && value(ctx, scene, "corner.close") == 1.0);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(without_ground_there_is_no_reading)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_scene(ctx, BODY);
    REQUIRE(scene != NULL);
    CHECK_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
    CHECK(value(ctx, scene, "corner.valid") == 0.0);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

/// A body on three feet: what an IMU in it reads at rest is its weight, whichever way contacts are
/// computed.
TEST(an_imu_on_a_standing_robot_feels_its_weight)
{
    NEEDS("cvode");
    static const char *const methods[] = {"implicit", "moreau", "cvode"};
    for (int i = 0; i < 3; i++) {
        RiContext *ctx;
        char text[1024];
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        snprintf(
            text, sizeof text,
            "scene: s\nrobot:\n  template:\n    robot: stool\n    extends: ../robots/mass.yaml\n    contact_points:\n"
            "      - {name: a, link: ball, point: [0.1, 0, -0.1]}\n"
            "      - {name: b, link: ball, point: [-0.1, 0.1, -0.1]}\n"
            "      - {name: c, link: ball, point: [-0.1, -0.1, -0.1]}\n"
            "gravity: mars\nintegrator: %s\nterrain: {kind: plane}\ninitial: {base: {xyz: [0, 0, 0.1]}}\n"
            "contact: {pairs: [{stiffness: 10 kN/m, damping: 100 N*s/m}]}\n"
            "devices: [{name: imu, type: imu, frame: ball, rate: 100 Hz}]\n",
            methods[i]);
        RiScene *scene = open_scene(ctx, text);
        REQUIRE(scene != NULL);
        for (int k = 0; k < 2000; k++)
            CHECK_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
        CHECK_CLOSE(value(ctx, scene, "imu.truth_accel_z"), 3.71, 0.01);
        CHECK_CLOSE(value(ctx, scene, "imu.truth_accel_x"), 0.0, 0.01); // it stands a little oblique
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
    }
}

TEST_MAIN(CASE(an_imu_on_a_standing_robot_feels_its_weight), CASE(the_distance_to_a_slope_is_exact),
          CASE(without_ground_there_is_no_reading))
