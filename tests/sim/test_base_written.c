// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values of a floating base that commands write: the robot is there, moves so, and the books close.
#include "fixture.h"

static Fixture floating(const char *more)
{
    char text[2048];
    snprintf(text, sizeof text,
             "scene: box\nrobot: {template: {robot: box, base: floating, links: [{name: body, mass: 2 kg, solid: box, "
             "size: [0.4, 0.3, 0.1]}]}}\ngravity: none\ntick: 1 ms\nduration: 5 s\n%s",
             more);
    return parse(text);
}

TEST(a_base_is_where_it_was_put_and_moves_as_it_was_told)
{
    Fixture f = floating("commands: [{at: 0.1 s, set: {base.x: 1.5, base.yaw: 90 deg, base.vy: 2}}, "
                         "{at: 1.1 s, set: {base.rate_z: 0.5}}]\n");
    run_to(&f, 1.1);
    CHECK_CLOSE(value(&f, "base.x"), 1.5, 1e-12);
    CHECK_CLOSE(value(&f, "base.y"), 2.0, 1e-9);
    CHECK_CLOSE(value(&f, "base.z"), 0.0, 1e-12);
    CHECK_CLOSE(value(&f, "base.yaw"), 0.5 * M_PI, 1e-12);
    run_to(&f, 2.1);
    CHECK_CLOSE(value(&f, "base.yaw"), 0.5 * M_PI + 0.5, 1e-6);
    CHECK_CLOSE(value(&f, "base.y"), 4.0, 1e-9);
    const RiEnergy e = ri_sim_energy(f.sim);
    CHECK_CLOSE(e.work, 0.5 * 2.0 * 4.0 + 0.5 * 2.0 * (0.16 + 0.09) / 12.0 * 0.25, 1e-9);
    CHECK(ri_energy_residual(&e) < 1e-10);
    close_all(&f);
}

/// A turn keeps the angular velocity in the world, and several values of one tick act together.
TEST(turning_a_spinning_base_keeps_its_rate_in_the_world)
{
    Fixture f = floating("initial: {base: {rate: [0, 0, 1]}}\n"
                         "commands: [{at: 0.5 s, set: {base.roll: 90 deg, base.pitch: 0, base.yaw: 0, base.z: -3}}]\n");
    run_to(&f, 0.501);
    CHECK_CLOSE(value(&f, "base.z"), -3.0, 1e-12);
    CHECK_CLOSE(value(&f, "base.rate_z"), 1.0, 1e-6);
    CHECK_CLOSE(value(&f, "base.roll"), 0.5 * M_PI, 1e-2);
    close_all(&f);
}

TEST(a_fixed_base_is_not_moved)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    const char *text =
        "scene: box\nrobot: {template: {robot: box, base: fixed, links: [{name: body, mass: 2 kg, solid: "
        "box, size: [0.4, 0.3, 0.1]}]}}\ncommands: [{at: 0.1 s, set: {base.x: 1}}]\n";
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
    status = status == RI_OK ? ri_scene_build(scene) : status;
    for (int k = 0; k < 200 && status == RI_OK; k++)
        status = ri_sim_step(ri_scene_sim(scene));
    CHECK(status != RI_OK && strstr(ri_context_message(ctx), "base.x"));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(a_base_is_where_it_was_put_and_moves_as_it_was_told),
          CASE(turning_a_spinning_base_keeps_its_rate_in_the_world), CASE(a_fixed_base_is_not_moved))
