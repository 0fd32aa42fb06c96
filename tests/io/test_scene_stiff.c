// SPDX-License-Identifier: Apache-2.0
/// \file
/// `stance: {}` of rovers without a suspension: on a plane all wheels touch, elsewhere none digs in.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/scene.h>

#include "check.h"

static const double radius = 0.1;

static RiScene *open_rover(RiContext *ctx, const char *terrain, const char *more)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "scene: stiff\n"
        "robot:\n"
        "  template:\n"
        "    robot: stiff\n"
        "    links:\n"
        "      - {name: body, mass: 20 kg, solid: box, size: [0.6, 0.4, 0.2]}\n"
        "    parts:\n"
        "      - repeat: {left: 1, right: -1}\n"
        "        as: side\n"
        "        parts:\n"
        "          - repeat: {front: 1, rear: -1}\n"
        "            as: end\n"
        "            links: [{name: \"wheel_${end}_${side}\", mass: 1 kg, solid: cylinder, size: [0.1, 0.08], axis: "
        "y}]\n"
        "            joints: [{name: \"drive_${end}_${side}\", type: continuous, parent: body, child: "
        "\"wheel_${end}_${side}\",\n"
        "                      axis: y, origin: {xyz: [\"${0.3*end}\", \"${0.25*side}\", 0]}}]\n"
        "            wheels: [{name: \"w_${end}_${side}\", link: \"wheel_${end}_${side}\", radius: 0.1, width: 0.08}]\n"
        "terrain: %s\n"
        "stance: {}\n"
        "duration: 1 s\n"
        "tick: 1 ms\n"
        "gravity: mars\n"
        "initial: {base: {xyz: [0.5, -0.3, 0], rpy: [0, 0, 40 deg]}}\n"
        "%s",
        terrain, more);
    RiScene *scene = NULL;
    if (ri_scene_parse(ctx, "stiff.yaml", text, strlen(text), NULL, &scene) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    return scene;
}

/// Distances of the hubs to the ground; the least and the largest.
static void measure(RiScene *scene, double *out_least, double *out_most)
{
    RiSim *sim = ri_scene_sim(scene);
    const RiModel *m = ri_sim_model(sim);
    *out_least = INFINITY;
    *out_most = -INFINITY;
    for (int i = 0; i < ri_model_link_count(m); i++) {
        if (strncmp(ri_model_link(m, i).name, "wheel", 5) != 0)
            continue;
        RiSurface s;
        ri_terrain_query(ri_sim_terrain(sim), ri_dyn_frame_pose(ri_sim_dyn(sim), i).p, &s);
        *out_least = fmin(*out_least, s.distance);
        *out_most = fmax(*out_most, s.distance);
    }
}

TEST(on_a_slope_all_four_wheels_touch)
{
    for (int k = 0; k < 8; k++) {
        RiContext *ctx = NULL;
        char terrain[200];
        double least, most;
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        snprintf(terrain, sizeof terrain, "{kind: plane, slope: 15 deg, azimuth: %d deg, material: rock}", 45 * k);
        RiScene *scene = open_rover(ctx, terrain, "");
        REQUIRE_OK(ctx, ri_scene_build(scene));
        measure(scene, &least, &most);
        CHECK_CLOSE(least, radius, 1e-9);
        CHECK_CLOSE(most, radius, 1e-9);
        const double *q = ri_sim_q(ri_scene_sim(scene)); // it keeps its place and where it heads
        const RiMat3 R = ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]});
        CHECK_CLOSE(atan2(R.m[1][0], R.m[0][0]), 40.0 * M_PI / 180.0, 1e-9);
        CHECK(q[0] == 0.5 && q[1] == -0.3);
        CHECK_CLOSE(acos(R.m[2][2]), 15.0 * M_PI / 180.0, 1e-9);
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
    }
}

TEST(on_uneven_ground_none_digs_in_and_the_rest_is_told)
{
    RiContext *ctx = NULL;
    double least, most;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_rover(ctx,
                                "{kind: make, make: fractal, seed: 4, set: {size_x: 4, size_y: 4, cell: 0.05, "
                                "rms_height: 0.03, long_wave: 1.5, short_wave: 0.3}, material: rock}",
                                "");
    const RiStatus status = ri_scene_build(scene);
    CHECK_OK(ctx, status);
    if (status == RI_OK) {
        measure(scene, &least, &most);
        CHECK(least > 0.9 * radius); // the law of the plane, on ground that bends below a wheel
        CHECK(most > least);
    }
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(without_dynamics_it_is_still_refused)
{
    RiContext *ctx = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_rover(ctx, "{kind: plane, material: rock}", "mode: kinematic\n");
    CHECK_ERROR(ctx, ri_scene_build(scene), RI_ERR_UNSUPPORTED, "a wheel more than can touch");
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(on_a_slope_all_four_wheels_touch), CASE(on_uneven_ground_none_digs_in_and_the_rest_is_told),
          CASE(without_dynamics_it_is_still_refused))
