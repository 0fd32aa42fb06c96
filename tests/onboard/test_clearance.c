// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clearance sensors in a scene: exact over a slope, less over ruts, silent without ground.
#include <rille/scene.h>

#include "check.h"

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

TEST_MAIN(CASE(the_distance_to_a_slope_is_exact), CASE(without_ground_there_is_no_reading))
