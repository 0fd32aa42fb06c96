// SPDX-License-Identifier: Apache-2.0
/// \file
/// Merging links that cannot move relative to each other changes nothing but the work: the same
/// robot with `reduce` on and off gives the same accelerations, frames and joint wrenches. Trees
/// full of fixed joints, locked joints and massless frames.
#include "support/trees.h"

typedef struct Pair {
    Robot merged, whole;
} Pair;

/// Copies the state of `from` to `to`, joint by joint.
static void copy_state(const Robot *from, Robot *to)
{
    for (int j = 0; j < from->nj; j++) {
        const RiJointInfo a = ri_model_joint(from->m, j), b = ri_model_joint(to->m, j);
        CHECK_INT(a.nv, b.nv);
        if (a.q_index >= 0)
            memcpy(to->q + b.q_index, from->q + a.q_index, (size_t)a.nq * sizeof *to->q);
        if (a.v_index >= 0 && a.nv > 0)
            memcpy(to->v + b.v_index, from->v + a.v_index, (size_t)a.nv * sizeof *to->v);
        if (a.s_index >= 0 && a.nv > 0)
            memcpy(to->tau_s + b.s_index, from->tau_s + a.s_index, (size_t)a.nv * sizeof *to->tau_s);
    }
    CHECK_OK(to->ctx, ri_dyn_update_position(to->d, to->q));
    ri_dyn_update_velocity(to->d, to->v);
    ri_dyn_map_efforts(to->d, to->tau_s, to->tau);
}

static Pair open_pair(uint64_t seed)
{
    RobotPlan plan = robot_plan(seed);
    plan.links = plan.links > 60 ? 60 : plan.links;
    plan.locked = 0.3;
    plan.massless = 0.6;
    RiContext *ctx = context_new();
    Pair p = {.merged = robot_from_plan(&plan)};
    p.whole = robot_open(ctx, robot_spec(ctx, &plan), false, seed);
    p.whole.plan = plan;
    copy_state(&p.merged, &p.whole);
    return p;
}

static void close_pair(Pair *p)
{
    robot_close(&p->merged);
    robot_close(&p->whole);
}

/// 1e-12, or what rounding leaves of an ill-conditioned tree (condition numbers above 1e5 count).
static double bound(const Pair *p)
{
    return fmax(1e-12, 0.1 * 2.2e-16 * robot_condition(&p->merged));
}

static void push(Robot *r, int link, RiVec3 force)
{
    ri_dyn_clear_wrenches(r->d);
    ri_dyn_add_wrench(r->d, link, force, ri_vec3(0.3, -0.2, 0.5), ri_dyn_frame_pose(r->d, link).p);
}

static void compare_joints(Pair *p)
{
    double *a = numbers((size_t)p->merged.nv), *b = numbers((size_t)p->whole.nv), most = 0.0, scale = 1.0;
    const int link = ri_rng_below(&p->merged.rng, p->merged.nl);
    push(&p->merged, link, ri_vec3(1.0, -2.0, 3.0));
    push(&p->whole, link, ri_vec3(1.0, -2.0, 3.0));
    CHECK_OK(p->merged.ctx, ri_dyn_forward(p->merged.d, p->merged.tau, a));
    CHECK_OK(p->whole.ctx, ri_dyn_forward(p->whole.d, p->whole.tau, b));
    for (int j = 0; j < p->merged.nj; j++) {
        double x[6] = {0.0}, y[6] = {0.0};
        ri_dyn_joint_acceleration(p->merged.d, j, x);
        ri_dyn_joint_acceleration(p->whole.d, j, y);
        most = fmax(most, largest_difference(x, y, 6));
        scale = fmax(scale, largest(x, 6));
    }
    CHECK_SMALL(&p->merged, most / scale, bound(p));
    free(a), free(b);
}

static void compare_frames(Pair *p)
{
    double pose = 0.0, vel = 0.0, acc = 0.0, scale_v = 1.0, scale_a = 1.0;
    for (int f = 0; f < ri_model_frame_count(p->merged.m); f++) {
        const RiPose X = ri_dyn_frame_pose(p->merged.d, f), Y = ri_dyn_frame_pose(p->whole.d, f);
        pose = fmax(pose, largest_difference(&X.R.m[0][0], &Y.R.m[0][0], 9) + vec3_difference(X.p, Y.p));
        const RiSpatial v = ri_dyn_frame_velocity(p->merged.d, f), a = ri_dyn_frame_acceleration(p->merged.d, f);
        vel = fmax(vel, spatial_difference(v, ri_dyn_frame_velocity(p->whole.d, f)));
        acc = fmax(acc, spatial_difference(a, ri_dyn_frame_acceleration(p->whole.d, f)));
        scale_v = fmax(scale_v, spatial_size(v));
        scale_a = fmax(scale_a, spatial_size(a));
    }
    CHECK_SMALL(&p->merged, pose, 1e-12);
    CHECK_SMALL(&p->merged, vel / scale_v, 1e-12);
    CHECK_SMALL(&p->merged, acc / scale_a, bound(p));
}

static void compare_wrenches(Pair *p)
{
    double most = 0.0, scale = 1.0;
    CHECK_OK(p->merged.ctx, ri_dyn_update_wrenches(p->merged.d, p->merged.tau_s));
    CHECK_OK(p->whole.ctx, ri_dyn_update_wrenches(p->whole.d, p->whole.tau_s));
    for (int j = 0; j < p->merged.nj; j++) {
        const RiSpatial f = ri_dyn_joint_wrench(p->merged.d, j);
        most = fmax(most, spatial_difference(f, ri_dyn_joint_wrench(p->whole.d, j)));
        scale = fmax(scale, spatial_size(f));
    }
    CHECK_SMALL(&p->merged, most / scale, bound(p));
}

TEST(merging_changes_no_acceleration_frame_or_wrench)
{
    int fewer = 0;
    for (uint64_t seed = 0; seed < TREE_COUNT; seed++) {
        Pair p = open_pair(seed);
        fewer += ri_model_body_count(p.merged.m) < ri_model_body_count(p.whole.m);
        CHECK_INT(p.merged.nv, p.whole.nv);
        compare_joints(&p);
        compare_frames(&p);
        compare_wrenches(&p);
        close_pair(&p);
    }
    CHECK(fewer > TREE_COUNT * 3 / 4); // the smallest may have nothing to merge
}

/// Fixed joints that are kept have no coordinates; they must not claim those of a neighbour in
/// their cluster.
TEST(kept_fixed_joints_have_no_coordinates)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        Pair p = open_pair(seed);
        for (int j = 0; j < p.whole.nj; j++) {
            const RiJointInfo info = ri_model_joint(p.whole.m, j);
            CHECK_INT(info.v_index >= 0, info.nv > 0 && ri_model_joint(p.merged.m, j).v_index >= 0);
            CHECK_INT(info.q_index >= 0, info.nv > 0 && ri_model_joint(p.merged.m, j).q_index >= 0);
        }
        close_pair(&p);
    }
}

/// A force-torque sensor at a fixed joint under gravity: it carries the hand's weight, at rest,
/// with its lever.
TEST(fixed_joint_carries_the_weight_behind_it)
{
    RiContext *ctx = context_new();
    RiSpec *spec = spec_new(ctx, "arm");
    spec->base = RI_BASE_FIXED;
    RiLinkSpec link = ri_link_default();
    link.name = "base";
    spec_link(spec, &link);
    link.name = "arm", link.mass = 2.0, link.inertia = ri_inertia_sphere(2.0, 0.1);
    spec_link(spec, &link);
    link.name = "hand", link.mass = 3.0, link.com = ri_vec3(0.2, 0.0, 0.0), link.inertia = ri_inertia_sphere(3.0, 0.1);
    spec_link(spec, &link);
    RiJointSpec j = ri_joint_default();
    j.name = "shoulder", j.parent = "base", j.child = "arm", j.type = RI_JOINT_REVOLUTE,
    j.axis = ri_vec3(0.0, 1.0, 0.0);
    spec_joint(spec, &j);
    j.name = "sensor", j.parent = "arm", j.child = "hand", j.type = RI_JOINT_FIXED, j.origin.p = ri_vec3(1.0, 0.0, 0.0);
    spec_joint(spec, &j);
    Robot r = robot_open(ctx, spec, true, 1);
    const double q = 0.0, v = 0.0, a = 0.0;
    double tau;
    ri_dyn_set_gravity(r.d, ri_vec3(0.0, 0.0, -10.0));
    REQUIRE_OK(ctx, ri_inverse_dynamics(r.d, &q, &v, &a, &tau));
    CHECK_CLOSE(tau, -3.0 * 10.0 * 1.2, 1e-12); // about +y, gravity turns +x towards -z: positive; the motor holds
    REQUIRE_OK(ctx, ri_dyn_update_wrenches(r.d, &tau));
    const RiSpatial f = ri_dyn_joint_wrench(r.d, ri_model_find_joint(r.m, "sensor"));
    CHECK_CLOSE(vec3_difference(f.lin, ri_vec3(0.0, 0.0, 30.0)), 0.0, 1e-12);
    CHECK_CLOSE(vec3_difference(f.ang, ri_vec3(0.0, -6.0, 0.0)), 0.0, 1e-12);
    const RiSpatial g = ri_dyn_joint_wrench(r.d, ri_model_find_joint(r.m, "shoulder"));
    CHECK_CLOSE(vec3_difference(g.lin, ri_vec3(0.0, 0.0, 50.0)), 0.0, 1e-12);
    robot_close(&r);
}

TEST_MAIN(CASE(merging_changes_no_acceleration_frame_or_wrench), CASE(kept_fixed_joints_have_no_coordinates),
          CASE(fixed_joint_carries_the_weight_behind_it))
