// SPDX-License-Identifier: Apache-2.0
/// \file
/// Driving without dynamics: arcs, crab, rolling and steering without slip, and the end of the way.
#include "check.h"

#include <rille/robot.h>
#include <rille/sim.h>

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiStance *stance;
    RiSim *s;
} Rig;

static RiStatus build(Rig *r, const char *robot, double slope)
{
    char path[512];
    const RiPlaneDef plane = {.slope = slope, .azimuth = 0.0};
    RiSimOptions options = ri_sim_options_default();
    options.method = RI_METHOD_KINEMATIC;
    options.tick = 0.02;
    snprintf(path, sizeof path, RILLE_SOURCE_DIR "/robots/%s.yaml", robot);
    RI_TRY(ri_context_create(NULL, &r->ctx));
    RI_TRY(ri_robot_load(r->ctx, path, NULL, &r->spec));
    RI_TRY(ri_model_create(r->ctx, r->spec, NULL, &r->m));
    RI_TRY(ri_terrain_create_plane(r->ctx, &plane, &r->t));
    RI_TRY(ri_stance_create(r->ctx, r->spec, r->m, NULL, &r->stance));
    RI_TRY(ri_sim_create(r->ctx, r->m, &options, &r->s));
    RI_TRY(ri_sim_set_terrain(r->s, r->t));
    RI_TRY(ri_sim_set_stance(r->s, r->stance));
    RI_TRY(ri_sim_build(r->s));
    RI_TRY(ri_sim_stand(r->s, 0.0, 0.0, 0.0));
    return ri_sim_start(r->s);
}

static void close_rig(Rig *r)
{
    ri_sim_destroy(r->s);
    ri_stance_destroy(r->stance);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static double value(const Rig *r, const char *name)
{
    return ri_values_read(ri_sim_values(r->s), ri_values_find(ri_sim_values(r->s), name));
}

static RiStatus drive(Rig *r, const char *speed, const char *turn, const char *direction, int ticks)
{
    RI_TRY(ri_values_set(ri_sim_values(r->s), "drive.speed", speed));
    RI_TRY(ri_values_set(ri_sim_values(r->s), "drive.turn", turn));
    RI_TRY(ri_values_set(ri_sim_values(r->s), "drive.direction", direction));
    for (int i = 0; i < ticks; i++)
        RI_TRY(ri_sim_step(r->s));
    return RI_OK;
}

TEST(the_base_follows_the_arc_exactly)
{
    Rig r = {0};
    REQUIRE_OK(r.ctx, build(&r, "mer", 0.0));
    REQUIRE_OK(r.ctx, drive(&r, "0.05", "0.02", "0", 500)); // 10 s on a circle of 2.5 m
    CHECK_CLOSE(value(&r, "base.x"), 2.5 * sin(0.2), 1e-12);
    CHECK_CLOSE(value(&r, "base.y"), 2.5 * (1.0 - cos(0.2)), 1e-12);
    CHECK_CLOSE(value(&r, "base.yaw"), 0.2, 1e-12);
    CHECK_CLOSE(hypot(value(&r, "base.vx"), value(&r, "base.vy")), 0.05, 1e-6); // a chord of the arc
    close_rig(&r);
}

/// The hub of each wheel moves along the wheel's own direction, as fast as it rolls.
static void check_rolling(const Rig *r)
{
    RiDyn *d = ri_sim_dyn(r->s);
    // Velocities are those of a step's chord, half a step behind the heading: speed times turn
    // times h / 2.
    const double turn = fabs(value(r, "drive.turn"));
    const double lag = 1.001 * 0.5 * 0.02 * turn * (fabs(value(r, "drive.speed")) + 0.001 * turn) + 1e-9;
    for (int i = 0; i < r->spec->wheel_count; i++) {
        const RiWheelSpec *w = &r->spec->wheels[i];
        const int link = ri_model_find_link(r->m, w->link);
        const RiPose pose = ri_dyn_frame_pose(d, link);
        const RiSpatial v = ri_dyn_frame_velocity(d, link);
        const RiVec3 axle = ri_mat3_col(&pose.R, 1);
        const RiVec3 contact = ri_vec3(0.0, 0.0, -(w->radius + w->grouser_height));
        const RiVec3 slip = ri_add(v.lin, ri_cross(v.ang, contact));
        CHECK_CLOSE(ri_norm(slip), 0.0, lag);
        CHECK_CLOSE(ri_dot(axle, v.lin), 0.0, lag);
    }
}

TEST(steered_wheels_roll_without_slip_on_arcs_in_place_and_crabwise)
{
    static const char *const ways[][3] = {
        {"0.05", "0.02", "0"}, {"0", "0.05", "0"}, {"0.05", "0", "0.6"}, {"-0.05", "0.01", "0.2"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        Rig r = {0};
        REQUIRE_OK(r.ctx, build(&r, "exomars", 0.0));                        // all wheels are steered
        REQUIRE_OK(r.ctx, drive(&r, ways[i][0], ways[i][1], ways[i][2], 1)); // wheels turn into their paths at once
        REQUIRE_OK(r.ctx, drive(&r, ways[i][0], ways[i][1], ways[i][2], 20));
        check_rolling(&r);
        close_rig(&r);
    }
}

TEST(on_a_slope_the_rover_rises_with_it)
{
    Rig r = {0};
    REQUIRE_OK(r.ctx, build(&r, "curiosity", 0.2));
    const double z = value(&r, "base.z");
    REQUIRE_OK(r.ctx, drive(&r, "0.1", "0", "0", 100));
    CHECK_CLOSE(value(&r, "base.z") - z, 0.2 * tan(0.2), 1e-9);
    CHECK_CLOSE(value(&r, "base.pitch"), -0.2, 1e-9);
    const RiEnergy e = ri_sim_energy(r.s);
    CHECK(ri_energy_residual(&e) < 1e-12);
    close_rig(&r);
}

TEST(a_failed_tick_leaves_the_last_good_state)
{
    Rig r = {0};
    REQUIRE_OK(r.ctx, build(&r, "mer", 0.0));
    REQUIRE_OK(r.ctx, drive(&r, "0.1", "0", "0", 10));
    const uint64_t before = ri_sim_hash(r.s);
    REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "drive.speed", "1e300"));
    CHECK_ERROR(r.ctx, ri_sim_step(r.s), RI_ERR_NUMERIC, "cannot stand at");
    REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "drive.speed", "0.1"));
    CHECK(ri_sim_hash(r.s) == before);
    CHECK_OK(r.ctx, ri_sim_step(r.s));
    close_rig(&r);
}

TEST(without_a_terrain_or_a_stance_it_is_refused)
{
    Rig r = {0};
    RiSimOptions options = ri_sim_options_default();
    options.method = RI_METHOD_KINEMATIC;
    REQUIRE_OK(r.ctx, ri_context_create(NULL, &r.ctx));
    REQUIRE_OK(r.ctx, ri_robot_load(r.ctx, RILLE_SOURCE_DIR "/robots/mer.yaml", NULL, &r.spec));
    REQUIRE_OK(r.ctx, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    REQUIRE_OK(r.ctx, ri_sim_create(r.ctx, r.m, &options, &r.s));
    CHECK_ERROR(r.ctx, ri_sim_build(r.s), RI_ERR_ARGUMENT, "a terrain and a stance");
    close_rig(&r);
}

TEST_MAIN(CASE(the_base_follows_the_arc_exactly), CASE(steered_wheels_roll_without_slip_on_arcs_in_place_and_crabwise),
          CASE(on_a_slope_the_rover_rises_with_it), CASE(a_failed_tick_leaves_the_last_good_state),
          CASE(without_a_terrain_or_a_stance_it_is_refused))
