// SPDX-License-Identifier: Apache-2.0
/// \file
/// A second opinion from Simbody: trees of hinges, sliders, ball, free and fixed joints give the same accelerations.
///
/// Simbody's pin turns about z, its slider moves along x; ball and free joints measure angular velocity in the axes of the
/// inboard frame, ours in body axes: rates, efforts and accelerations are turned by R_JB on the way in and out.
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <Simbody.h>

extern "C" {
#include "support/robots.h"
}

#include "check.h"

namespace
{
using SimTK::Vec3;

struct Twin {
    explicit Twin(const Robot &r)
        : matter(system), forces(system),
          gravity(forces, matter, Vec3(ri_dyn_gravity(r.d).x, ri_dyn_gravity(r.d).y, ri_dyn_gravity(r.d).z))
    {
    }
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter;
    SimTK::GeneralForceSubsystem forces;
    SimTK::Force::Gravity gravity;
    SimTK::Array_<SimTK::MobilizedBodyIndex> links; // by our link index
    SimTK::State state;
};

Vec3 vec(RiVec3 v)
{
    return Vec3(v.x, v.y, v.z);
}

SimTK::Rotation rotation(const RiMat3 &R)
{
    const SimTK::Mat33 m(R.m[0][0], R.m[0][1], R.m[0][2], R.m[1][0], R.m[1][1], R.m[1][2], R.m[2][0], R.m[2][1],
                         R.m[2][2]);
    return SimTK::Rotation(m, true); // exactly as given
}

SimTK::Body::Rigid rigid(const RiLinkSpec &l)
{
    const double(*m)[3] = l.inertia.m;
    const SimTK::Inertia central(m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]);
    return SimTK::Body::Rigid(
        SimTK::MassProperties(l.mass, vec(l.com), central.shiftFromMassCenter(vec(l.com), l.mass)));
}

/// Axes that put the joint's axis where Simbody wants it.
RiMat3 turn_of(const RiJointSpec &j)
{
    const RiMat3 z = ri_mat3_from_z(j.axis);
    if (j.type == RI_JOINT_PRISMATIC) // x along the axis
        return ri_mat3_from_cols(ri_mat3_col(&z, 2), ri_mat3_col(&z, 0), ri_mat3_col(&z, 1));
    return j.type == RI_JOINT_REVOLUTE || j.type == RI_JOINT_CONTINUOUS ? z : ri_mat3_identity();
}

SimTK::MobilizedBodyIndex add(SimTK::MobilizedBody &parent, const RiJointSpec &j, const SimTK::Body::Rigid &body)
{
    const RiMat3 turn = turn_of(j), inboard = ri_mat3_mul(&j.origin.R, &turn);
    const SimTK::Transform X_PF(rotation(inboard), vec(j.origin.p)), X_BM(rotation(turn), Vec3(0));
    switch (j.type) {
    case RI_JOINT_REVOLUTE:
    case RI_JOINT_CONTINUOUS:
        return SimTK::MobilizedBody::Pin(parent, X_PF, body, X_BM).getMobilizedBodyIndex();
    case RI_JOINT_PRISMATIC:
        return SimTK::MobilizedBody::Slider(parent, X_PF, body, X_BM).getMobilizedBodyIndex();
    case RI_JOINT_BALL:
        return SimTK::MobilizedBody::Ball(parent, X_PF, body, X_BM).getMobilizedBodyIndex();
    case RI_JOINT_FREE:
        return SimTK::MobilizedBody::Free(parent, X_PF, body, X_BM).getMobilizedBodyIndex();
    default:
        return SimTK::MobilizedBody::Weld(parent, X_PF, body, X_BM).getMobilizedBodyIndex();
    }
}

/// Random trees list parents first: joint i moves link i + 1.
void build(Twin &t, const Robot &r)
{
    RiJointSpec base = ri_joint_default();
    base.type = RI_JOINT_FREE;
    SimTK::MobilizedBody &ground = t.matter.Ground();
    t.links.push_back(ri_model_is_floating(r.m) ? add(ground, base, rigid(r.spec->links[0]))
                                                : ground.getMobilizedBodyIndex());
    for (int i = 0; i < r.spec->joint_count; i++) {
        const RiJointSpec &j = r.spec->joints[i];
        const int parent = ri_model_find_link(r.m, j.parent);
        t.links.push_back(add(t.matter.updMobilizedBody(t.links[parent]), j, rigid(r.spec->links[i + 1])));
    }
    t.state = t.system.realizeTopology();
    t.system.realizeModel(t.state);
}

/// Our coordinates of a joint in Simbody's order: angular part first and turned from body to inboard axes (or back).
void reorder(RiJointType type, const RiMat3 &R, bool into, const double *x, double *y)
{
    const bool ball = type == RI_JOINT_BALL;
    if (!ball && type != RI_JOINT_FREE) {
        y[0] = x[0];
        return;
    }
    const int from = ball ? 0 : into ? 3 : 0, to = ball ? 0 : into ? 0 : 3;
    const RiVec3 w = {x[from], x[from + 1], x[from + 2]}, u = into ? ri_rotate(&R, w) : ri_rotate_back(&R, w);
    y[to] = u.x, y[to + 1] = u.y, y[to + 2] = u.z;
    for (int k = 0; !ball && k < 3; k++)
        y[3 - to + k] = x[3 - from + k];
}

/// R_JB of a ball or free joint from its positions.
RiMat3 joint_rotation(const RiJointInfo &info, const double *q)
{
    const double *x = q + (info.type == RI_JOINT_FREE ? 3 : 0);
    const RiQuat quat = {x[0], x[1], x[2], x[3]};
    return info.type == RI_JOINT_FREE || info.type == RI_JOINT_BALL ? ri_quat_to_mat3(quat) : ri_mat3_identity();
}

void set_joint(Twin &t, const Robot &r, int joint, SimTK::Vector &tau)
{
    const RiJointInfo info = ri_model_joint(r.m, joint);
    const SimTK::MobilizedBody &body = t.matter.getMobilizedBody(t.links[info.child_link]);
    double q[7], v[6], u[6], f[6];
    ri_dyn_joint_position(r.d, joint, q);
    ri_dyn_joint_velocity(r.d, joint, v);
    const RiMat3 R = joint_rotation(info, q);
    reorder(info.type, R, true, v, u);
    reorder(info.type, R, true, r.tau_s + info.s_index, f);
    const int shift = info.type == RI_JOINT_FREE ? 3 : 0; // quaternion first
    for (int k = 0; k < info.nq; k++)
        body.setOneQ(t.state, k, q[(k + shift) % info.nq]);
    for (int k = 0; k < info.nv; k++) {
        body.setOneU(t.state, k, u[k]);
        tau[body.getFirstUIndex(t.state) + k] = f[k];
    }
}

double difference(Twin &t, const Robot &r, const SimTK::Vector &udot)
{
    double most = 0.0, scale = 1.0;
    for (int j = 0; j < r.nj; j++) {
        const RiJointInfo info = ri_model_joint(r.m, j);
        if (info.nv == 0)
            continue;
        const SimTK::MobilizedBody &body = t.matter.getMobilizedBody(t.links[info.child_link]);
        double q[7], a[6], theirs[6], back[6];
        ri_dyn_joint_position(r.d, j, q);
        ri_dyn_joint_acceleration(r.d, j, a);
        for (int k = 0; k < info.nv; k++)
            theirs[k] = udot[body.getFirstUIndex(t.state) + k];
        reorder(info.type, joint_rotation(info, q), false, theirs, back);
        most = std::fmax(most, largest_difference(a, back, info.nv));
        scale = std::fmax(scale, largest(a, info.nv));
    }
    return most / scale;
}

/// Relative difference of the accelerations of one random tree.
double compare(uint64_t seed)
{
    RobotPlan plan = robot_plan(seed);
    plan.types = 1u << RI_JOINT_FIXED | 1u << RI_JOINT_REVOLUTE | 1u << RI_JOINT_CONTINUOUS | 1u << RI_JOINT_PRISMATIC |
                 1u << RI_JOINT_BALL | 1u << RI_JOINT_FREE;
    plan.links = plan.links > 80 ? 80 : plan.links;
    plan.couplings = 0;
    plan.armature = false;
    Robot r = robot_from_plan(&plan);
    double *a = numbers((size_t)r.nv);
    if (ri_dyn_forward(r.d, r.tau, a) != RI_OK)
        return NAN;
    double result;
    {
        Twin t(r);
        build(t, r);
        SimTK::Vector tau(t.state.getNU(), 0.0), udot;
        for (int j = 0; j < r.nj; j++)
            if (ri_model_joint(r.m, j).nv > 0)
                set_joint(t, r, j, tau);
        t.system.realize(t.state, SimTK::Stage::Dynamics);
        SimTK::Vector_<SimTK::SpatialVec> accelerations;
        t.matter.calcAccelerationIgnoringConstraints(t.state, tau, t.gravity.getBodyForces(t.state), udot,
                                                     accelerations);
        result = difference(t, r, udot);
    }
    free(a);
    robot_close(&r);
    return result;
}
} // namespace

TEST(random_trees_accelerate_as_in_simbody)
{
    double most = 0.0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const double off = compare(seed);
        most = std::fmax(most, off);
        if (!(off <= 1e-8))
            CHECK_FAIL("tree %d: accelerations differ by %g", (int)seed, off);
    }
    printf("     40 trees, largest relative difference %.2g\n", most);
}

TEST_MAIN(CASE(random_trees_accelerate_as_in_simbody))
