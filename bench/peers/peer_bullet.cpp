// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bullet as a peer: btMultiBody (articulated-body algorithm), double precision.
///
/// Bullet's link frames sit at the centres of mass. It writes accelerations as velocity changes, so
/// that a step of one second gives them; the timed calls use a step too short to move the
/// velocities. Debian packages Bullet's inverse dynamics and mass matrix in single precision only,
/// so they are not offered; gears exist only inside the world step.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <string>
#include <vector>

#include "serve.h"

namespace
{
struct BulletModel {
    const BenchMechanism *mechanism;
    btMultiBody *body;
    int links; ///< bodies without the free base
    btAlignedObjectArray<btScalar> scratch_r;
    btAlignedObjectArray<btVector3> scratch_v, local;
    btAlignedObjectArray<btMatrix3x3> scratch_m;
    btAlignedObjectArray<btQuaternion> turn;
    std::vector<btScalar> jacobians, J, response, W;
    int point_link[BENCH_POINTS];
    btVector3 point[BENCH_POINTS]; ///< world
};

BulletModel &self(void *model)
{
    return *static_cast<BulletModel *>(model);
}

/// Links are bodies without the free base, which is Bullet's link -1.
int link_of(const BulletModel &x, int body)
{
    return body - (x.mechanism->floating ? 1 : 0);
}

const BenchBody &body_of(const BulletModel &x, int link)
{
    return x.mechanism->bodies[link + (x.mechanism->floating ? 1 : 0)];
}

void add_link(BulletModel &x, int link)
{
    const BenchBody &b = body_of(x, link);
    btVector3 axis(0, 0, 0);
    axis[b.axis] = 1;
    const double parent_com = b.parent < 0 ? 0.0 : x.mechanism->bodies[b.parent].com;
    const int parent = b.parent < 0 ? -1 : link_of(x, b.parent);
    x.body->setupRevolute(link, b.mass, btVector3(b.inertia[0], b.inertia[1], b.inertia[2]), parent,
                          btQuaternion(0, 0, 0, 1), axis, btVector3(b.offset - parent_com, 0, 0),
                          btVector3(b.com, 0, 0), true);
}

void *open_model(const BenchMechanism *mechanism)
{
    if (mechanism->geared)
        return nullptr;
    BulletModel *x = new BulletModel();
    x->mechanism = mechanism;
    x->links = mechanism->body_count - (mechanism->floating ? 1 : 0);
    const BenchBody &base = mechanism->bodies[0];
    x->body =
        new btMultiBody(x->links, mechanism->floating ? base.mass : 1.0,
                        btVector3(base.inertia[0], base.inertia[1], base.inertia[2]), !mechanism->floating, false);
    x->body->setLinearDamping(0);
    x->body->setAngularDamping(0);
    x->body->setUseGyroTerm(true);
    x->body->setMaxCoordinateVelocity(1e9);
    for (int i = 0; i < x->links; i++)
        add_link(*x, i);
    x->body->finalizeMultiDof();
    const size_t row = static_cast<size_t>(6 + x->links), rows = 3 * BENCH_POINTS;
    x->jacobians.resize(6 * row * static_cast<size_t>(mechanism->body_count));
    x->J.resize(rows * row);
    x->response.resize(rows * row);
    x->W.resize(rows * rows);
    return x;
}

void set_state(BulletModel &x)
{
    for (int i = 0; i < x.links; i++) {
        x.body->setJointPos(i, bench_q(body_of(x, i).coordinate));
        x.body->setJointVel(i, bench_v(body_of(x, i).coordinate));
    }
    x.body->setBasePos(btVector3(x.mechanism->floating ? x.mechanism->bodies[0].com : 0.0, 0, 0));
    x.body->setWorldToBaseRot(btQuaternion(0, 0, 0, 1));
    x.body->setBaseVel(btVector3(0, 0, 0));
    x.body->setBaseOmega(btVector3(0, 0, 0));
}

void call_kin(void *model)
{
    BulletModel &x = self(model);
    for (int i = 0; i < x.links; i++)
        x.body->setJointPos(i, x.body->getJointPos(i) + BENCH_NUDGE);
    x.body->forwardKinematics(x.turn, x.local);
}

void accelerate(BulletModel &x, btScalar step)
{
    const btVector3 gravity(0, 0, -9.81);
    x.body->clearForcesAndTorques();
    if (x.mechanism->floating)
        x.body->addBaseForce(gravity * x.body->getBaseMass());
    for (int i = 0; i < x.links; i++)
        x.body->addLinkForce(i, gravity * x.body->getLinkMass(i));
    x.body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(step, x.scratch_r, x.scratch_v, x.scratch_m, false,
                                                                 false, false);
}

void call_fd(void *model)
{
    call_kin(model);
    accelerate(self(model), 1e-12);
}

/// World position of a point given in a body's joint frame.
btVector3 world_point(const BulletModel &x, int body, const btVector3 &p)
{
    const BenchBody &b = x.mechanism->bodies[body];
    const btVector3 from_com = p - btVector3(b.com, 0, 0);
    const int link = link_of(x, body);
    return link < 0 ? x.body->getBasePos() + from_com : x.body->localPosToWorld(link, from_com);
}

/// One row per call: Bullet offers the Jacobian of a direction at a point.
void call_jacobians(void *model)
{
    BulletModel &x = self(model);
    const btVector3 zero(0, 0, 0);
    btScalar *row = x.jacobians.data();
    for (int i = 0; i < x.mechanism->body_count; i++) {
        const btVector3 origin = world_point(x, i, zero);
        for (int k = 0; k < 6; k++, row += 6 + x.links) {
            btVector3 direction(0, 0, 0);
            direction[k % 3] = 1;
            x.body->fillConstraintJacobianMultiDof(link_of(x, i), origin, k < 3 ? direction : zero,
                                                   k < 3 ? zero : direction, row, x.scratch_r, x.scratch_v,
                                                   x.scratch_m);
        }
    }
}

/// Jacobian row, response to a unit force along it, and products of all pairs.
void call_delassus(void *model)
{
    BulletModel &x = self(model);
    const int n = 3 * BENCH_POINTS, width = 6 + x.links;
    for (int i = 0; i < n; i++) {
        btVector3 direction(0, 0, 0);
        direction[i % 3] = 1;
        btScalar *row = &x.J[static_cast<size_t>(i * width)];
        x.body->fillContactJacobianMultiDof(x.point_link[i / 3], x.point[i / 3], direction, row, x.scratch_r,
                                            x.scratch_v, x.scratch_m);
        x.body->calcAccelerationDeltasMultiDof(row, &x.response[static_cast<size_t>(i * width)], x.scratch_r,
                                               x.scratch_v);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            btScalar sum = 0;
            for (int k = 0; k < width; k++)
                sum += x.J[static_cast<size_t>(i * width + k)] * x.response[static_cast<size_t>(j * width + k)];
            x.W[static_cast<size_t>(i * n + j)] = x.W[static_cast<size_t>(j * n + i)] = sum;
        }
}

BenchCall find(void *model, const char *quantity)
{
    static const struct {
        const char *quantity;
        BenchCall call;
    } offered[] = {{"fd", call_fd}, {"kin", call_kin}, {"jacobians", call_jacobians}, {"delassus20", call_delassus}};
    BulletModel &x = self(model);
    for (const auto &o : offered)
        if (strcmp(o.quantity, quantity) == 0) {
            if (o.call == call_delassus && !x.mechanism->floating)
                return nullptr;
            set_state(x);
            call_fd(model); // fills the articulated inertias that responses use
            for (int k = 0; x.mechanism->floating && k < BENCH_POINTS; k++) {
                double p[3];
                const int body = bench_point(x.mechanism, k, p);
                x.point_link[k] = link_of(x, body);
                x.point[k] = world_point(x, body, btVector3(p[0], p[1], p[2]));
            }
            return o.call;
        }
    return nullptr;
}

void check_accelerations(BulletModel &x, double out[BENCH_CHECKS])
{
    std::vector<double> joints(static_cast<size_t>(x.links));
    set_state(x);
    x.body->forwardKinematics(x.turn, x.local);
    accelerate(x, 1.0);
    for (int i = 0; i < x.links; i++) {
        const int k = body_of(x, i).coordinate;
        joints[static_cast<size_t>(k)] = x.body->getJointVel(i) - bench_v(k);
    }
    bench_summary(joints.data(), x.links, out);
}

void check_positions(const BulletModel &x, double out[BENCH_CHECKS])
{
    for (int i = 0; i < x.mechanism->body_count; i++) {
        const btVector3 p = world_point(x, i, btVector3(0, 0, 0));
        for (int k = 0; k < 3; k++) {
            out[k] = p[k];
            out[3] += p[k];
        }
    }
}

void check_jacobians(const BulletModel &x, double out[BENCH_CHECKS])
{
    const int width = 6 + x.links;
    for (int i = 0; i < x.mechanism->body_count; i++) {
        const btScalar *J = &x.jacobians[static_cast<size_t>(6 * i * width)];
        for (int c = 6; c < width; c++) {
            const double angular[3] = {J[c], J[width + c], J[2 * width + c]};
            const double linear[3] = {J[3 * width + c], J[4 * width + c], J[5 * width + c]};
            bench_add_column(angular, linear, out);
        }
    }
}

bool check(void *model, const char *quantity, double out[BENCH_CHECKS])
{
    BulletModel &x = self(model);
    const BenchCall call = find(model, quantity);
    call(model);
    if (call == call_fd)
        check_accelerations(x, out);
    else if (call == call_kin)
        check_positions(x, out);
    else if (call == call_jacobians)
        check_jacobians(x, out);
    else
        bench_matrix_summary(x.W.data(), 3 * BENCH_POINTS, out);
    return true;
}
} // namespace

int main()
{
    const std::string version = std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
    const BenchEngine engine = {"bullet", open_model, find, check};
    return peer_serve(&engine, version.c_str());
}
