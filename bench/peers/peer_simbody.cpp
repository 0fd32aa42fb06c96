// SPDX-License-Identifier: Apache-2.0
/// \file
/// Simbody as a peer: recursive O(N) forward dynamics, operator form for the rest.
///
/// The gears of snake36_geared are exact here (coordinate couplers, solved by Lagrange
/// multipliers), so that Simbody is the peer for geared forward dynamics; the other quantities
/// ignore constraints and are not offered for it.
#include <Simbody.h>

#include "serve.h"

namespace
{
struct SimbodyModel {
    explicit SimbodyModel(const BenchMechanism *m)
        : mechanism(m), matter(system), forces(system), gravity(forces, matter, SimTK::Vec3(0, 0, -9.81))
    {
    }

    const BenchMechanism *mechanism;
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter;
    SimTK::GeneralForceSubsystem forces;
    SimTK::Force::Gravity gravity;
    SimTK::Array_<SimTK::MobilizedBodyIndex> bodies;
    SimTK::State state;
    SimTK::Vector acceleration, effort, zero, nudge;
    SimTK::Vector_<SimTK::SpatialVec> weights;
    SimTK::Matrix M, inverse, J, W;
    SimTK::Matrix_<SimTK::SpatialVec> jacobians;
    SimTK::FactorLU factor;
    SimTK::Array_<SimTK::MobilizedBodyIndex> point_bodies;
    SimTK::Array_<SimTK::Vec3> points;
};

using SimTK::Vec3;

SimbodyModel &self(void *model)
{
    return *static_cast<SimbodyModel *>(model);
}

/// A pin turns about z of its frames, so the frames are turned until their z is the hinge axis.
SimTK::MobilizedBody add_body(SimbodyModel &x, const BenchBody &b)
{
    SimTK::MobilizedBody &parent = b.parent < 0 ? x.matter.Ground() : x.matter.updMobilizedBody(x.bodies[b.parent]);
    const Vec3 com(b.com, 0, 0);
    const SimTK::Inertia inertia(b.inertia[0], b.inertia[1], b.inertia[2]);
    const SimTK::Body::Rigid body(SimTK::MassProperties(b.mass, com, inertia.shiftFromMassCenter(com, b.mass)));
    if (b.axis < 0)
        return SimTK::MobilizedBody::Free(parent, SimTK::Transform(), body, SimTK::Transform());
    SimTK::Rotation turn;
    if (b.axis == 0)
        turn = SimTK::Rotation(SimTK::Pi / 2, SimTK::YAxis);
    if (b.axis == 1)
        turn = SimTK::Rotation(-SimTK::Pi / 2, SimTK::XAxis);
    return SimTK::MobilizedBody::Pin(parent, SimTK::Transform(turn, Vec3(b.offset, 0, 0)), body,
                                     SimTK::Transform(turn, Vec3(0)));
}

/// angle(follower) + angle(leader) = 0.
void add_gear(SimbodyModel &x, int leader, int follower)
{
    SimTK::Vector coefficients(3, 0.0); // of both angles, and the constant
    coefficients[0] = coefficients[1] = 1.0;
    SimTK::Array_<SimTK::MobilizedBodyIndex> bodies;
    bodies.push_back(x.bodies[leader]);
    bodies.push_back(x.bodies[follower]);
    const SimTK::Array_<SimTK::MobilizerQIndex> first(2, SimTK::MobilizerQIndex(0));
    SimTK::Constraint::CoordinateCoupler(x.matter, new SimTK::Function::Linear(coefficients), bodies, first);
}

void place_points(SimbodyModel &x)
{
    if (!x.mechanism->floating)
        return;
    for (int k = 0; k < BENCH_POINTS; k++) {
        double p[3];
        x.point_bodies.push_back(x.bodies[bench_point(x.mechanism, k, p)]);
        x.points.push_back(Vec3(p[0], p[1], p[2]));
    }
}

void *open_model(const BenchMechanism *mechanism)
{
    SimbodyModel *x = new SimbodyModel(mechanism);
    for (int i = 0; i < mechanism->body_count; i++) {
        x->bodies.push_back(add_body(*x, mechanism->bodies[i]).getMobilizedBodyIndex());
        if (mechanism->bodies[i].sign < 0)
            add_gear(*x, i - 1, i);
    }
    x->state = x->system.realizeTopology();
    x->system.realizeModel(x->state);
    place_points(*x);
    const int nu = x->state.getNU();
    x->acceleration.resize(nu);
    x->effort.resize(nu);
    x->zero = SimTK::Vector(nu, 0.0);
    x->nudge = SimTK::Vector(x->state.getNQ(), 0.0);
    return x;
}

int u_index(const SimbodyModel &x, int body)
{
    return x.matter.getMobilizedBody(x.bodies[body]).getFirstUIndex(x.state);
}

void reset(SimbodyModel &x)
{
    x.state.updQ() = 0.0;
    x.state.updU() = 0.0;
    x.acceleration = 0.0;
    for (int i = 0; i < x.mechanism->body_count; i++) {
        const BenchBody &b = x.mechanism->bodies[i];
        const SimTK::MobilizedBody &body = x.matter.getMobilizedBody(x.bodies[i]);
        if (b.coordinate < 0) {
            body.setQToFitTransform(x.state, SimTK::Transform());
            continue;
        }
        body.setOneQ(x.state, 0, b.sign * bench_q(b.coordinate));
        x.nudge[body.getFirstQIndex(x.state)] = b.sign * BENCH_NUDGE;
        body.setOneU(x.state, 0, b.sign * bench_v(b.coordinate));
        x.acceleration[u_index(x, i)] = b.sign * bench_a(b.coordinate);
    }
    x.system.realize(x.state, SimTK::Stage::Dynamics);
    x.matter.realizeArticulatedBodyInertias(x.state);
    x.weights = x.gravity.getBodyForces(x.state);
}

void move(SimbodyModel &x)
{
    SimTK::Vector &q = x.state.updQ();
    const int first = q.size() - x.mechanism->body_count + (x.mechanism->floating ? 1 : 0);
    for (int i = first; i < q.size(); i++)
        q[i] += x.nudge[i];
}

void call_fd(void *model)
{
    SimbodyModel &x = self(model);
    move(x);
    x.system.realize(x.state, SimTK::Stage::Acceleration);
}

void call_id(void *model)
{
    SimbodyModel &x = self(model);
    x.matter.calcResidualForceIgnoringConstraints(x.state, x.zero, x.weights, x.acceleration, x.effort);
}

/// Touching the speeds makes what depends on them stale.
void call_id_velocity(void *model)
{
    SimbodyModel &x = self(model);
    x.state.updU()[x.state.getNU() - 1] += BENCH_NUDGE;
    x.system.realize(x.state, SimTK::Stage::Velocity);
    call_id(model);
}

void call_id_full(void *model)
{
    SimbodyModel &x = self(model);
    move(x);
    x.system.realize(x.state, SimTK::Stage::Velocity);
    call_id(model);
}

void call_kin(void *model)
{
    SimbodyModel &x = self(model);
    move(x);
    x.system.realize(x.state, SimTK::Stage::Position);
}

void call_crba_factor(void *model)
{
    SimbodyModel &x = self(model);
    x.matter.calcM(x.state, x.M);
    x.factor.factor(x.M);
}

void call_jacobians(void *model)
{
    SimbodyModel &x = self(model);
    x.matter.calcSystemJacobian(x.state, x.jacobians);
}

void call_delassus(void *model)
{
    SimbodyModel &x = self(model);
    x.matter.calcStationJacobian(x.state, x.point_bodies, x.points, x.J);
    x.W = x.J * (x.inverse * ~x.J);
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
    SimbodyModel &x = self(model);
    for (const auto &o : offered)
        if (strcmp(o.quantity, quantity) == 0) {
            if ((x.mechanism->geared && o.call != call_fd) || (o.call == call_delassus && !x.mechanism->floating))
                return nullptr;
            reset(x);
            if (o.call == call_delassus)
                x.matter.calcMInv(x.state, x.inverse);
            return o.call;
        }
    return nullptr;
}

void check_joints(const SimbodyModel &x, const SimTK::Vector &values, double out[BENCH_CHECKS])
{
    std::vector<double> joints(static_cast<size_t>(x.mechanism->coordinates));
    for (int i = 0; i < x.mechanism->body_count; i++)
        if (x.mechanism->bodies[i].coordinate >= 0 && x.mechanism->bodies[i].sign > 0)
            joints[static_cast<size_t>(x.mechanism->bodies[i].coordinate)] = values[u_index(x, i)];
    bench_summary(joints.data(), x.mechanism->coordinates, out);
}

void check_jacobians(const SimbodyModel &x, double out[BENCH_CHECKS])
{
    for (int i = 0; i < x.mechanism->body_count; i++)
        for (int j = 0; j < x.mechanism->body_count; j++) {
            if (x.mechanism->bodies[j].coordinate < 0)
                continue;
            const SimTK::SpatialVec &c = x.jacobians(x.bodies[i], u_index(x, j));
            const double angular[3] = {c[0][0], c[0][1], c[0][2]}, linear[3] = {c[1][0], c[1][1], c[1][2]};
            bench_add_column(angular, linear, out);
        }
}

void check_positions(const SimbodyModel &x, double out[BENCH_CHECKS])
{
    for (int i = 0; i < x.mechanism->body_count; i++) {
        const Vec3 p = x.matter.getMobilizedBody(x.bodies[i]).getBodyOriginLocation(x.state);
        for (int k = 0; k < 3; k++) {
            out[k] = p[k];
            out[3] += p[k];
        }
    }
}

void check_matrix(const SimTK::Matrix &W, double out[BENCH_CHECKS])
{
    std::vector<double> values;
    for (int i = 0; i < W.nrow(); i++)
        for (int j = 0; j < W.ncol(); j++)
            values.push_back(W(i, j));
    bench_matrix_summary(values.data(), W.nrow(), out);
}

void check_solve(const SimbodyModel &x, double out[BENCH_CHECKS])
{
    SimTK::Vector right(x.state.getNU(), 0.0), solution(x.state.getNU());
    for (int i = 0; i < x.mechanism->body_count; i++)
        if (x.mechanism->bodies[i].coordinate >= 0)
            right[u_index(x, i)] = 1.0;
    x.factor.solve(right, solution);
    check_joints(x, solution, out);
}

bool check(void *model, const char *quantity, double out[BENCH_CHECKS])
{
    SimbodyModel &x = self(model);
    const BenchCall call = find(model, quantity);
    call(model);
    if (call == call_fd)
        check_joints(x, x.state.getUDot(), out);
    else if (call == call_id || call == call_id_velocity || call == call_id_full)
        check_joints(x, x.effort, out);
    else if (call == call_kin)
        check_positions(x, out);
    else if (call == call_crba_factor)
        check_solve(x, out);
    else if (call == call_jacobians)
        check_jacobians(x, out);
    else
        check_matrix(x.W, out);
    return true;
}
} // namespace

int main()
{
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    const std::string version =
        std::to_string(major) + "." + std::to_string(minor) + (build ? "." + std::to_string(build) : "");
    const BenchEngine engine = {"simbody", open_model, find, check};
    return peer_serve(&engine, version.c_str());
}
