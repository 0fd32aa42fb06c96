// SPDX-License-Identifier: Apache-2.0
/// \file
/// DART as a peer: articulated-body forward dynamics, recursive inverse dynamics, cached lazily.
///
/// DART recomputes what a change of position made stale, so its mass matrix is timed with the
/// kinematics it needs. Factors and products are Eigen's, as a user of DART would write them. Gears
/// exist only as soft constraints inside DART's world step and are not offered.
#include <dart/config.hpp>
// One header per class: the collective header needs files that Debian does not package.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "serve.h"

namespace
{
using namespace dart::dynamics;

struct DartModel {
    const BenchMechanism *mechanism;
    SkeletonPtr skeleton;
    std::vector<BodyNode *> bodies;
    std::vector<Eigen::Index> index; ///< of each coordinate
    Eigen::VectorXd q, v, a;
    Eigen::LLT<Eigen::MatrixXd> factor;
    Eigen::MatrixXd inverse, J, W;
    std::vector<BodyNode *> point_bodies;
    std::vector<Eigen::Vector3d> points;
    volatile double sink; ///< keeps results that nobody reads
};

DartModel &self(void *model)
{
    return *static_cast<DartModel *>(model);
}

BodyNode *add_body(DartModel &x, const BenchBody &b, int i)
{
    BodyNode *parent = b.parent < 0 ? nullptr : x.bodies[static_cast<size_t>(b.parent)];
    BodyNode::Properties body;
    body.mName = "b" + std::to_string(i);
    BodyNode *node = nullptr;
    if (b.axis < 0) {
        node = x.skeleton->createJointAndBodyNodePair<FreeJoint>(parent, FreeJoint::Properties(), body).second;
    } else {
        RevoluteJoint::Properties joint;
        joint.mName = "j" + std::to_string(i);
        joint.mAxis = Eigen::Vector3d::Unit(b.axis);
        joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(b.offset, 0, 0);
        node = x.skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second;
    }
    const Eigen::Vector3d inertia(b.inertia[0], b.inertia[1], b.inertia[2]);
    node->setInertia(Inertia(b.mass, Eigen::Vector3d(b.com, 0, 0), inertia.asDiagonal()));
    return node;
}

void *open_model(const BenchMechanism *mechanism)
{
    if (mechanism->geared)
        return nullptr;
    DartModel *x = new DartModel();
    x->mechanism = mechanism;
    x->skeleton = Skeleton::create(mechanism->name);
    x->skeleton->setGravity(Eigen::Vector3d(0, 0, -9.81));
    for (int i = 0; i < mechanism->body_count; i++)
        x->bodies.push_back(add_body(*x, mechanism->bodies[i], i));
    x->index.resize(static_cast<size_t>(mechanism->coordinates));
    for (int i = 0; i < mechanism->body_count; i++)
        if (mechanism->bodies[i].coordinate >= 0)
            x->index[static_cast<size_t>(mechanism->bodies[i].coordinate)] =
                static_cast<Eigen::Index>(x->bodies[static_cast<size_t>(i)]->getParentJoint()->getIndexInSkeleton(0));
    for (int k = 0; mechanism->floating && k < BENCH_POINTS; k++) {
        double p[3];
        x->point_bodies.push_back(x->bodies[static_cast<size_t>(bench_point(mechanism, k, p))]);
        x->points.push_back(Eigen::Vector3d(p[0], p[1], p[2]));
    }
    return x;
}

void set_positions(DartModel &x)
{
    x.q.tail(x.mechanism->coordinates).array() += BENCH_NUDGE; // the free base comes first
    x.skeleton->setPositions(x.q);
}

void touch_poses(DartModel &x)
{
    for (BodyNode *body : x.bodies)
        x.sink = body->getWorldTransform().translation()[0];
}

void reset(DartModel &x)
{
    const auto n = static_cast<Eigen::Index>(x.skeleton->getNumDofs());
    x.q = x.v = x.a = Eigen::VectorXd::Zero(n);
    for (size_t k = 0; k < x.index.size(); k++) {
        x.q[x.index[k]] = bench_q(static_cast<int>(k));
        x.v[x.index[k]] = bench_v(static_cast<int>(k));
        x.a[x.index[k]] = bench_a(static_cast<int>(k));
    }
    x.skeleton->resetGeneralizedForces(); // inverse dynamics leaves its efforts there
    x.skeleton->setPositions(x.q);
    x.skeleton->setVelocities(x.v);
    x.skeleton->setAccelerations(x.a);
    touch_poses(x);
}

void call_fd(void *model)
{
    DartModel &x = self(model);
    set_positions(x);
    x.skeleton->setVelocities(x.v);
    x.skeleton->computeForwardDynamics();
}

void call_id(void *model)
{
    DartModel &x = self(model);
    x.a.tail(x.mechanism->coordinates).array() += BENCH_NUDGE;
    x.skeleton->setAccelerations(x.a);
    x.skeleton->computeInverseDynamics();
}

void call_id_velocity(void *model)
{
    DartModel &x = self(model);
    x.v.tail(x.mechanism->coordinates).array() += BENCH_NUDGE;
    x.skeleton->setVelocities(x.v);
    call_id(model);
}

void call_id_full(void *model)
{
    DartModel &x = self(model);
    set_positions(x);
    x.skeleton->setVelocities(x.v);
    call_id(model);
}

void call_kin(void *model)
{
    DartModel &x = self(model);
    set_positions(x);
    touch_poses(x);
}

void call_crba_factor(void *model)
{
    DartModel &x = self(model);
    set_positions(x);
    x.factor.compute(x.skeleton->getMassMatrix());
}

/// Columns of the joints that move a body only: DART's own form, less than the full width.
void call_jacobians(void *model)
{
    DartModel &x = self(model);
    x.bodies.front()->dirtyJacobian();
    for (BodyNode *body : x.bodies)
        x.sink = body->getWorldJacobian()(0, 0);
}

void call_delassus(void *model)
{
    DartModel &x = self(model);
    x.bodies.front()->dirtyJacobian();
    for (size_t k = 0; k < x.points.size(); k++)
        x.J.middleRows<3>(3 * static_cast<Eigen::Index>(k)) =
            x.skeleton->getLinearJacobian(x.point_bodies[k], x.points[k]);
    x.W.noalias() = x.J * (x.inverse * x.J.transpose());
}

BenchCall find(void *model, const char *quantity)
{
    static const struct {
        const char *quantity;
        BenchCall call;
    } offered[] = {{"fd", call_fd},
                   {"id", call_id},
                   {"id_velocity", call_id_velocity},
                   {"id_full", call_id_full},
                   {"kin", call_kin},
                   {"crba_factor", call_crba_factor},
                   {"jacobians", call_jacobians},
                   {"delassus20", call_delassus}};
    DartModel &x = self(model);
    for (const auto &o : offered)
        if (strcmp(o.quantity, quantity) == 0) {
            if (o.call == call_delassus && !x.mechanism->floating)
                return nullptr;
            reset(x);
            if (o.call == call_delassus) {
                x.inverse = x.skeleton->getInvMassMatrix();
                x.J.resize(3 * BENCH_POINTS, x.q.size());
            }
            return o.call;
        }
    return nullptr;
}

void check_joints(const DartModel &x, const Eigen::VectorXd &values, double out[BENCH_CHECKS])
{
    std::vector<double> joints;
    for (Eigen::Index k : x.index)
        joints.push_back(values[k]);
    bench_summary(joints.data(), x.mechanism->coordinates, out);
}

void check_jacobians(const DartModel &x, double out[BENCH_CHECKS])
{
    for (BodyNode *body : x.bodies) {
        const dart::math::Jacobian J = x.skeleton->getWorldJacobian(body);
        for (Eigen::Index k : x.index) {
            const double angular[3] = {J(0, k), J(1, k), J(2, k)}, linear[3] = {J(3, k), J(4, k), J(5, k)};
            bench_add_column(angular, linear, out);
        }
    }
}

void check_positions(const DartModel &x, double out[BENCH_CHECKS])
{
    for (BodyNode *body : x.bodies) {
        const Eigen::Vector3d p = body->getWorldTransform().translation();
        for (int k = 0; k < 3; k++) {
            out[k] = p[k];
            out[3] += p[k];
        }
    }
}

void check_solve(const DartModel &x, double out[BENCH_CHECKS])
{
    Eigen::VectorXd right = Eigen::VectorXd::Zero(x.q.size());
    for (Eigen::Index k : x.index)
        right[k] = 1.0;
    check_joints(x, x.factor.solve(right), out);
}

bool check(void *model, const char *quantity, double out[BENCH_CHECKS])
{
    DartModel &x = self(model);
    const BenchCall call = find(model, quantity);
    call(model);
    if (call == call_fd)
        check_joints(x, x.skeleton->getAccelerations(), out);
    else if (call == call_id || call == call_id_velocity || call == call_id_full)
        check_joints(x, x.skeleton->getForces(), out);
    else if (call == call_kin)
        check_positions(x, out);
    else if (call == call_crba_factor)
        check_solve(x, out);
    else if (call == call_jacobians)
        check_jacobians(x, out);
    else
        bench_matrix_summary(x.W.data(), 3 * BENCH_POINTS, out);
    return true;
}
} // namespace

int main()
{
    const BenchEngine engine = {"dart", open_model, find, check};
    return peer_serve(&engine, DART_VERSION);
}
