// SPDX-License-Identifier: Apache-2.0
/// \file
/// Arms: forward kinematics against the dynamics' own, inverse kinematics on thousands of targets,
/// reasons for what is out of reach, and ways.
#include <rille/arm.h>
#include <rille/dynamics.h>
#include <rille/robot.h>

#include "base/rng.h"
#include "check.h"

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiArmChain arm;
} Rig;

static bool open_rig(Rig *r, const char *robot)
{
    char path[512];
    memset(r, 0, sizeof *r);
    snprintf(path, sizeof path, RILLE_SOURCE_DIR "/robots/%s.yaml", robot);
    if (ri_context_create(NULL, &r->ctx) != RI_OK)
        return false;
    CHECK_OK(r->ctx, ri_robot_load(r->ctx, path, NULL, &r->spec));
    CHECK_OK(r->ctx, ri_model_create(r->ctx, r->spec, NULL, &r->model));
    CHECK_OK(r->ctx, ri_arm_chain(r->ctx, r->model, NULL, "tool", &r->arm));
    return r->arm.count > 0;
}

static void close_rig(Rig *r)
{
    ri_model_destroy(r->model);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static const char *const arms[] = {"arm_mer", "arm_m2020", "arm_fido"};
enum { ARMS = sizeof arms / sizeof *arms, TARGETS = 10000 };

static void random_position(const RiArmChain *arm, RiRng *rng, double *q)
{
    for (int k = 0; k < arm->count; k++)
        q[k] = arm->joints[k].lower + (arm->joints[k].upper - arm->joints[k].lower) * ri_rng_uniform(rng);
}

static RiArmTarget target_at(const RiArmChain *arm, const double *q)
{
    const RiPose tip = ri_arm_tip(arm, q);
    return (RiArmTarget){tip.p, ri_rotate(&tip.R, arm->tool_axis), RI_ARM_AUTO};
}

TEST(the_tip_is_where_the_dynamics_has_it)
{
    for (int a = 0; a < ARMS; a++) {
        Rig r;
        RiDyn *d;
        RiRng rng = {.key = 7};
        REQUIRE(open_rig(&r, arms[a]));
        REQUIRE_OK(r.ctx, ri_dyn_create(r.ctx, r.model, &d));
        for (int i = 0; i < 100; i++) {
            double q[RI_ARM_JOINTS];
            random_position(&r.arm, &rng, q);
            CHECK_OK(r.ctx, ri_dyn_update_position(d, q));
            const RiPose x = ri_dyn_frame_pose(d, ri_model_find_frame(r.model, "tool")), y = ri_arm_tip(&r.arm, q);
            CHECK(ri_norm(ri_sub(x.p, y.p)) < 1e-14);
            for (int k = 0; k < 9; k++)
                CHECK_CLOSE(y.R.m[k / 3][k % 3], x.R.m[k / 3][k % 3], 1e-14);
        }
        ri_dyn_destroy(d);
        close_rig(&r);
    }
}

/// The angle that an arm with four joints cannot turn away: out of its plane.
static double angle_left(const Rig *r, const RiArmTarget *target, const double *q)
{
    const RiPose tip = ri_arm_tip(&r->arm, q);
    const RiVec3 t = ri_rotate(&tip.R, r->arm.tool_axis);
    return atan2(ri_norm(ri_cross(t, target->direction)), ri_dot(t, target->direction));
}

TEST(ten_thousand_reachable_targets_are_reached_by_each_arm)
{
    for (int a = 0; a < ARMS; a++) {
        Rig r;
        RiRng rng = {.key = 11};
        int missed = 0, wrong = 0;
        REQUIRE(open_rig(&r, arms[a]));
        for (int i = 0; i < TARGETS; i++) {
            double q[RI_ARM_JOINTS];
            RiArmSolution s;
            random_position(&r.arm, &rng, q);
            const RiArmTarget target = target_at(&r.arm, q);
            const RiArmReach reach = ri_arm_solve(&r.arm, &target, NULL, 1, &s);
            missed += reach.status != RI_ARM_REACHED || reach.count != 1;
            if (reach.count != 1)
                continue;
            const RiPose tip = ri_arm_tip(&r.arm, s.q);
            wrong += ri_norm(ri_sub(tip.p, target.point)) > 1e-6 || angle_left(&r, &target, s.q) > 1e-6;
            for (int k = 0; k < r.arm.count; k++)
                wrong += s.q[k] < r.arm.joints[k].lower || s.q[k] > r.arm.joints[k].upper;
        }
        CHECK_INT(missed, 0);
        CHECK_INT(wrong, 0);
        close_rig(&r);
    }
}

TEST(solutions_are_distinct_true_and_nearest_first)
{
    Rig r;
    RiRng rng = {.key = 13};
    int several = 0;
    REQUIRE(open_rig(&r, "arm_mer"));
    for (int i = 0; i < 200; i++) {
        double q[RI_ARM_JOINTS], last = -1.0;
        RiArmSolution s[16];
        random_position(&r.arm, &rng, q);
        const RiArmTarget target = target_at(&r.arm, q);
        const RiArmReach reach = ri_arm_solve(&r.arm, &target, q, 16, s);
        CHECK(reach.count >= 1);
        several += reach.count > 1;
        for (int k = 0; k < reach.count; k++) {
            double far = 0.0;
            for (int j = 0; j < r.arm.count; j++)
                far = fmax(far, fabs(s[k].q[j] - q[j]));
            CHECK(far >= last);
            last = far;
            CHECK(s[k].distance < 1e-7 && s[k].angle < 1e-7 && s[k].margin >= 0.0);
        }
        CHECK(reach.count < 1 || last >= 0.0);
        double first = 0.0;
        for (int j = 0; j < r.arm.count; j++)
            first = fmax(first, fabs(s[0].q[j] - q[j]));
        CHECK(first < 1e-6); // it stands there already
    }
    CHECK(several > 100);
    close_rig(&r);
}

TEST(what_is_out_of_reach_is_reported_with_its_reason)
{
    Rig r;
    RiRng rng = {.key = 17};
    REQUIRE(open_rig(&r, "arm_mer"));
    for (int i = 0; i < 300; i++) {
        RiArmSolution s;
        const double angle = 6.2831853 * ri_rng_uniform(&rng), z = 2.0 * ri_rng_uniform(&rng) - 1.0;
        const double far = 1.0 + ri_rng_uniform(&rng), flat = far * sqrt(1.0 - z * z);
        const RiArmTarget t = {{flat * cos(angle), flat * sin(angle), far * z}, {0.0, 0.0, -1.0}, RI_ARM_AUTO};
        const RiArmReach reach = ri_arm_solve(&r.arm, &t, NULL, 1, &s);
        CHECK(reach.count == 0 && reach.status == RI_ARM_TOO_FAR);
        const double stretched = 0.10 + 0.32 + 0.30 + sqrt(0.06 * 0.06 + 0.10 * 0.10);
        CHECK_CLOSE(reach.shortest, far - stretched, 1e-12);
    }
    // behind the rover: only with a joint far beyond its limits
    RiArmSolution s;
    const RiArmTarget behind = {{-0.5, 0.1, -0.2}, {0.0, 0.0, -1.0}, RI_ARM_AUTO};
    const RiArmReach reach = ri_arm_solve(&r.arm, &behind, NULL, 1, &s);
    CHECK(reach.count == 0 && reach.status == RI_ARM_LIMITS && reach.joint >= 0 && reach.beyond > 0.5);
    CHECK(reach.nearest.distance > 0.0 || reach.nearest.angle > 0.0);
    close_rig(&r);
}

TEST(an_arm_with_four_joints_turns_its_tool_as_far_as_its_plane_allows)
{
    Rig r;
    RiArmSolution s;
    REQUIRE(open_rig(&r, "arm_fido"));
    // a slope across the arm's plane: what is left is the angle of the direction out of that plane
    const double tilt = 0.3;
    const RiArmTarget t = {{0.5, 0.0, -0.2}, {0.0, sin(tilt), -cos(tilt)}, RI_ARM_AUTO};
    const RiArmReach reach = ri_arm_solve(&r.arm, &t, NULL, 1, &s);
    CHECK_INT(reach.count, 1);
    CHECK(s.distance < 1e-9);
    CHECK_CLOSE(s.angle, tilt, 1e-9);
    close_rig(&r);
}

TEST(a_way_is_straight_above_the_target_and_keeps_its_rates)
{
    Rig r;
    REQUIRE(open_rig(&r, "arm_mer"));
    const double start[RI_ARM_JOINTS] = {0.0, -0.8, 1.6, 0.4, 0.0};
    RiArmPlanDef def = ri_arm_plan_default();
    RiArmPlan plan;
    const RiArmTarget t = {{0.55, 0.1, -0.3}, {0.1, 0.0, -1.0}, RI_ARM_AUTO};
    const RiVec3 down = ri_scale(1.0 / ri_norm(t.direction), t.direction);
    REQUIRE_OK(r.ctx, ri_arm_plan(r.ctx, &r.arm, start, &t, &def, &plan));
    double last[RI_ARM_JOINTS];
    memcpy(last, start, sizeof last);
    const double h = 0.01;
    for (double time = h; time < plan.end_time + 1.0; time += h) {
        double q[RI_ARM_JOINTS];
        ri_arm_plan_at(&r.arm, start, &t, &def, &plan, time, q);
        for (int k = 0; k < r.arm.count; k++) {
            if (time < plan.move_time)
                CHECK(fabs(q[k] - last[k]) <= def.rate * h * 1.001);
            CHECK(fabs(q[k] - last[k]) < 0.02);
        }
        memcpy(last, q, sizeof last);
        if (time < plan.move_time)
            continue;
        const RiPose tip = ri_arm_tip(&r.arm, q);
        const RiVec3 off = ri_sub(tip.p, t.point);
        CHECK(ri_norm(ri_cross(off, down)) < 1e-7); // on the line
        CHECK(ri_norm(ri_cross(ri_rotate(&tip.R, r.arm.tool_axis), down)) < 1e-7);
    }
    const RiPose end = ri_arm_tip(&r.arm, last);
    CHECK(ri_norm(ri_sub(end.p, t.point)) < 1e-7);
    close_rig(&r);
}

TEST(ways_to_the_ground_stop_at_it_and_know_their_clearance)
{
    Rig r;
    RiTerrain *ground;
    REQUIRE(open_rig(&r, "arm_mer"));
    const RiPlaneDef plane = {.slope = atan(0.1), .azimuth = acos(-1.0)};
    REQUIRE_OK(r.ctx, ri_terrain_create_plane(r.ctx, &plane, &ground));
    const RiPose base = {ri_mat3_rpy(0.0, 0.0, 0.4), {1.0, 2.0, 0.15}};
    const double start[RI_ARM_JOINTS] = {0.0, -0.8, 1.6, 0.4, 0.0};
    const RiArmPlanDef def = ri_arm_plan_default();
    RiArmTarget t;
    RiArmPlan plan;
    CHECK(ri_arm_target_on_ground(ground, 1.5, 2.25, &base, &t));
    REQUIRE_OK(r.ctx, ri_arm_plan(r.ctx, &r.arm, start, &t, &def, &plan));
    double q[RI_ARM_JOINTS], when;
    ri_arm_plan_at(&r.arm, start, &t, &def, &plan, plan.end_time, q);
    const RiPose tip = ri_arm_tip(&r.arm, q);
    const RiVec3 touch = ri_pose_point(&base, tip.p);
    CHECK_CLOSE(touch.x, 1.5, 1e-7);
    CHECK_CLOSE(touch.z, -0.15, 1e-7);
    CHECK(ri_arm_plan_clearance(&r.arm, start, &t, &def, &plan, ground, &base, &when) > 0.02);
    ri_terrain_destroy(ground);
    close_rig(&r);
}

TEST(bad_arms_and_ways_are_refused)
{
    Rig r;
    RiArmChain c;
    RiArmPlan plan;
    RiArmPlanDef def = ri_arm_plan_default();
    REQUIRE(open_rig(&r, "arm_mer"));
    CHECK_ERROR(r.ctx, ri_arm_chain(r.ctx, r.model, NULL, "hammer", &c), RI_ERR_NOT_FOUND, "hammer");
    CHECK_ERROR(r.ctx, ri_arm_chain(r.ctx, r.model, "nowhere", "tool", &c), RI_ERR_NOT_FOUND, "nowhere");
    CHECK_ERROR(r.ctx, ri_arm_chain(r.ctx, r.model, "arm_turret", "arm_base", &c), RI_ERR_ARGUMENT, "not behind");
    CHECK_ERROR(r.ctx, ri_arm_chain(r.ctx, r.model, "arm_turret", "tool", &c), RI_ERR_ARGUMENT, "no joint");
    const double start[RI_ARM_JOINTS] = {0.0, -0.8, 1.6, 0.4, 0.0}, outside[RI_ARM_JOINTS] = {3.0};
    RiArmTarget t = {{0.55, 0.1, -0.3}, {0.0, 0.0, -1.0}, RI_ARM_AUTO};
    CHECK_ERROR(r.ctx, ri_arm_plan(r.ctx, &r.arm, outside, &t, &def, &plan), RI_ERR_ARGUMENT, "arm_azimuth");
    t.point.x = 5.0;
    CHECK_ERROR(r.ctx, ri_arm_plan(r.ctx, &r.arm, start, &t, &def, &plan), RI_ERR_ARGUMENT, "beyond the stretched arm");
    t.point = ri_vec3(-0.5, 0.1, -0.2);
    CHECK_ERROR(r.ctx, ri_arm_plan(r.ctx, &r.arm, start, &t, &def, &plan), RI_ERR_ARGUMENT, "beyond its limits");
    t.point.x = NAN;
    CHECK_ERROR(r.ctx, ri_arm_plan(r.ctx, &r.arm, start, &t, &def, &plan), RI_ERR_ARGUMENT, "finite");
    def.approach = 0.0;
    CHECK_ERROR(r.ctx, ri_arm_plan(r.ctx, &r.arm, start, &t, &def, &plan), RI_ERR_ARGUMENT, "positive speeds");
    close_rig(&r);
}

TEST_MAIN(CASE(the_tip_is_where_the_dynamics_has_it), CASE(ten_thousand_reachable_targets_are_reached_by_each_arm),
          CASE(solutions_are_distinct_true_and_nearest_first), CASE(what_is_out_of_reach_is_reported_with_its_reason),
          CASE(an_arm_with_four_joints_turns_its_tool_as_far_as_its_plane_allows),
          CASE(a_way_is_straight_above_the_target_and_keeps_its_rates),
          CASE(ways_to_the_ground_stop_at_it_and_know_their_clearance), CASE(bad_arms_and_ways_are_refused))
