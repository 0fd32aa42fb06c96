// SPDX-License-Identifier: Apache-2.0
/// \file
/// Forces inside joints, against closed forms: springs, dampers, Coulomb friction, Hunt-Crossley
/// stops, rotor inertia.
#include "support/trees.h"

static RiJointSpec slider(void)
{
    RiJointSpec j = ri_joint_default();
    j.name = "slide", j.parent = "rail", j.child = "cart";
    j.type = RI_JOINT_PRISMATIC;
    j.axis = ri_vec3(1.0, 0.0, 0.0);
    return j;
}

/// A cart of 2 kg on a level rail.
static Robot cart(const RiJointSpec *joint)
{
    RiContext *ctx = context_new();
    RiSpec *spec = spec_new(ctx, "cart");
    spec->base = RI_BASE_FIXED;
    RiLinkSpec link = ri_link_default();
    link.name = "rail";
    spec_link(spec, &link);
    link.name = "cart", link.mass = 2.0, link.inertia = ri_inertia_sphere(2.0, 0.1);
    spec_link(spec, &link);
    spec_joint(spec, joint);
    Robot r = robot_open(ctx, spec, true, 3);
    ri_dyn_set_gravity(r.d, ri_vec3(0.0, 0.0, -9.81));
    return r;
}

static double passive_at(Robot *r, double q, double v)
{
    double tau = NAN;
    CHECK_OK(r->ctx, ri_dyn_update_position(r->d, &q));
    ri_dyn_update_velocity(r->d, &v);
    ri_dyn_passive_forces(r->d, &tau);
    return tau;
}

TEST(spring_and_damper_are_linear)
{
    RiJointSpec j = slider();
    j.stiffness = 30.0, j.rest = 0.25, j.damping = 4.0;
    Robot r = cart(&j);
    CHECK_CLOSE(passive_at(&r, 0.25, 0.0), 0.0, 1e-15);
    CHECK_CLOSE(passive_at(&r, 0.75, 0.0), -15.0, 1e-13);
    CHECK_CLOSE(passive_at(&r, 0.25, 2.0), -8.0, 1e-13);
    CHECK_CLOSE(passive_at(&r, -0.25, -1.0), 19.0, 1e-13);
    robot_close(&r);
}

TEST(friction_opposes_motion_with_constant_force)
{
    RiJointSpec j = slider();
    j.friction = 7.0;
    Robot r = cart(&j);
    CHECK_CLOSE(passive_at(&r, 0.0, 0.5), -7.0, 1e-12);
    CHECK_CLOSE(passive_at(&r, 0.0, -0.5), 7.0, 1e-12);
    CHECK_CLOSE(passive_at(&r, 0.0, 0.0), 0.0, 0.0);
    for (double v = -0.01; v < 0.01; v += 1e-4)
        CHECK(passive_at(&r, 0.0, v) * v <= 0.0); // never drives
    robot_close(&r);
}

TEST(stops_push_back_and_never_pull)
{
    RiJointSpec j = slider();
    j.has_limits = true, j.lower = -1.0, j.upper = 2.0;
    j.stop_stiffness = 1e4, j.stop_exponent = 1.5, j.stop_damping = 0.3;
    Robot r = cart(&j);
    CHECK_CLOSE(passive_at(&r, 1.9, 5.0), 0.0, 0.0);
    CHECK_CLOSE(passive_at(&r, 2.01, 0.0), -1e4 * pow(0.01, 1.5), 1e-9);
    CHECK_CLOSE(passive_at(&r, 2.01, 1.0), -1e4 * pow(0.01, 1.5) * 1.3, 1e-9);
    CHECK_CLOSE(passive_at(&r, -1.02, 0.0), 1e4 * pow(0.02, 1.5), 1e-9);
    CHECK_CLOSE(passive_at(&r, -1.02, -1.0), 1e4 * pow(0.02, 1.5) * 1.3, 1e-9);
    CHECK_CLOSE(passive_at(&r, 2.01, -10.0), 0.0, 0.0);
    robot_close(&r);
}

/// Runs the cart into its stop at `speed` and returns the speed at which it leaves.
static double rebound(Robot *r, double speed, double h)
{
    RiIntegrator *it;
    double q = -1e-6, v = speed;
    if (ri_integrator_create(r->ctx, r->d, &it) != RI_OK)
        return NAN;
    ri_integrator_set_efforts(it, NULL, NULL, true);
    for (int i = 0; i < 2000000 && (v > 0.0 || q > 0.0); i++)
        if (ri_integrator_rk4(it, 0.0, h, &q, &v) != RI_OK)
            break;
    ri_integrator_destroy(it);
    return -v;
}

/// Hunt and Crossley: m x'' = -k x^n (1 + c x'), so m x' dx' / (1 + c x') = -k x^n dx. Inward and
/// outward the right side integrates to the same, so with F(u) = u / c - log(1 + c u) / c^2:
/// F(v_in) = F(-v_out).
TEST(stop_loses_the_energy_of_hunt_and_crossley)
{
    RiJointSpec j = slider();
    j.has_limits = true, j.lower = -1.0, j.upper = 0.0;
    j.stop_stiffness = 1e5, j.stop_exponent = 1.5, j.stop_damping = 0.4;
    Robot r = cart(&j);
    const double c = j.stop_damping, in = 0.5;
    double low = 0.0, high = in;
    for (int i = 0; i < 100; i++) {
        const double u = 0.5 * (low + high), want = in / c - log1p(c * in) / (c * c),
                     got = -u / c - log1p(-c * u) / (c * c);
        *(got < want ? &low : &high) = u;
    }
    CHECK(low < in * 0.95);
    CHECK_CLOSE(rebound(&r, in, 2e-6), low, 1e-5);
    robot_close(&r);
    j.stop_damping = 0.0; // elastic
    r = cart(&j);
    CHECK_CLOSE(rebound(&r, in, 2e-6), in, 1e-5);
    robot_close(&r);
}

TEST(armature_adds_to_the_moved_mass)
{
    RiJointSpec j = slider();
    j.armature = 3.0;
    Robot r = cart(&j);
    const double q = 0.1, v = 0.7, tau = 10.0;
    double a, M;
    REQUIRE_OK(r.ctx, ri_forward_dynamics(r.d, &q, &v, &tau, &a));
    CHECK_CLOSE(a, 2.0, 1e-14);
    ri_dyn_mass_matrix(r.d, &M);
    CHECK_CLOSE(M, 5.0, 1e-14);
    CHECK_CLOSE(ri_dyn_kinetic_energy(r.d), 0.5 * 5.0 * v * v, 1e-14);
    robot_close(&r);
}

/// Rotor inertia behind a gear of ratio n counts n^2 times.
TEST(rotor_behind_a_gear_counts_by_the_square_of_the_ratio)
{
    RiContext *ctx = context_new();
    RiSpec *spec = spec_new(ctx, "gear");
    spec->base = RI_BASE_FIXED;
    RiLinkSpec link = ri_link_default();
    link.name = "case";
    spec_link(spec, &link);
    link.name = "out", link.mass = 2.0, link.inertia = ri_inertia_sphere(2.0, 0.5);
    spec_link(spec, &link);
    link.name = "rotor", link.mass = 0.1, link.inertia = ri_inertia_sphere(0.1, 0.05);
    spec_link(spec, &link);
    RiJointSpec j = ri_joint_default();
    j.type = RI_JOINT_CONTINUOUS, j.parent = "case";
    j.name = "shaft", j.child = "out";
    spec_joint(spec, &j);
    j.name = "motor", j.child = "rotor", j.armature = 1e-4;
    spec_joint(spec, &j);
    const double n = 50.0;
    const RiCouplingTerm terms[] = {{"motor", 1.0}, {"shaft", -n}};
    spec_couple(spec, "gear", 2, terms, 0.0);
    Robot r = robot_open(ctx, spec, true, 1);
    CHECK_INT(r.nv, 1);
    double M;
    ri_dyn_mass_matrix(r.d, &M);
    const double rotor = spec->links[2].inertia.m[2][2] + 1e-4, out = spec->links[1].inertia.m[2][2];
    CHECK_CLOSE(M, out + n * n * rotor, 1e-12);
    robot_close(&r);
}

/// Stiffness and damping on every joint of random trees: power of the passive forces is the loss of
/// stored energy, and dampers only take. Springs act on joints whose positions are plain numbers.
static void passive_power(Robot *r)
{
    double *tau = numbers((size_t)r->nv), *q = numbers((size_t)r->nq), power = 0.0, rate = 0.0;
    ri_dyn_set_gravity(r->d, ri_vec3(0.0, 0.0, 0.0));
    ri_dyn_passive_forces(r->d, tau);
    for (int i = 0; i < r->nv; i++)
        power += tau[i] * r->v[i];
    for (int k = 1; k <= 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            ri_model_integrate(r->m, r->q, r->v, side * k * 1e-3, q);
            CHECK_OK(r->ctx, ri_dyn_update_position(r->d, q));
            rate += side * stencil[k - 1] * ri_dyn_potential_energy(r->d) / 1e-3;
        }
    CHECK_SMALL(r, fabs(rate + power) / (1.0 + fabs(power)), 1e-9);
    free(tau), free(q);
}

TEST(spring_energy_is_what_springs_give_back)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        const RobotPlan plan = robot_plan(seed);
        RiContext *ctx = context_new();
        RiSpec *spec = robot_spec(ctx, &plan);
        for (int i = 0; i < spec->joint_count; i++) {
            spec->joints[i].stiffness = 1.0 + i % 7;
            spec->joints[i].rest = 0.1 * (i % 5);
        }
        Robot r = robot_open(ctx, spec, true, seed);
        passive_power(&r);
        robot_close(&r);
    }
}

TEST_MAIN(CASE(spring_and_damper_are_linear), CASE(friction_opposes_motion_with_constant_force),
          CASE(stops_push_back_and_never_pull), CASE(stop_loses_the_energy_of_hunt_and_crossley),
          CASE(armature_adds_to_the_moved_mass), CASE(rotor_behind_a_gear_counts_by_the_square_of_the_ratio),
          CASE(spring_energy_is_what_springs_give_back))
