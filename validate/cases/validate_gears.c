// SPDX-License-Identifier: Apache-2.0
/// \file
/// Couplings: geared flywheels against the closed form, and ties that must hold to the last bit on
/// moving robots.
#include <math.h>
#include <stdio.h>

#include "validate/rig.h"

static const RiVec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0}, z_axis = {0.0, 0.0, 1.0},
                    origin = {0.0, 0.0, 0.0};

// --- two flywheels -------------------------------------------------------------------------------

#define GEAR_I1    0.7
#define GEAR_I2    0.2
#define GEAR_RATIO -2.5
#define GEAR_TAU   1.3

static RiStatus build_gears(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "one", 4.0, origin, ri_diagonal(0.5, 0.5, GEAR_I1)));
    RI_TRY(ri_rig_link(rig, "two", 2.0, origin, ri_diagonal(0.2, 0.2, GEAR_I2)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "one", origin, z_axis, 0.0));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "two", ri_vec3(0.5, 0.0, 0.0), z_axis, 0.0));
    return ri_rig_couple(rig, "two", 1.0, "one", -GEAR_RATIO);
}

static void push_first(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    (void)user, (void)d, (void)time, (void)q, (void)v;
    tau[0] = GEAR_TAU;
}

/// Gear ratio r, torque tau on the first wheel:  q2 = r q1,  q1'' = tau / (I1 + r^2 I2);  the teeth
/// turn the second wheel with r I2 q1'' and the first with -r^2 I2 q1''. Everything is linear in
/// time or quadratic: exact for RK4 up to rounding (1e-12).
static RiStatus turn_gears(RiRig *rig)
{
    const double r = GEAR_RATIO, a1 = GEAR_TAU / (GEAR_I1 + r * r * GEAR_I2), T = 3.0;
    const int one = ri_rig_joint_index(rig, "one"), two = ri_rig_joint_index(rig, "two");
    double tau[2] = {0.0}, a[2] = {0.0}, x, spanning[2] = {0.0};
    ri_integrator_set_efforts(rig->it, push_first, NULL, true);
    ri_validate_near(rig->run, "degrees of freedom of the geared pair", "-", 1.0, 0.0, ri_model_nv(rig->model));
    RI_TRY(ri_rig_run(rig, T, 1e-2));
    ri_dyn_joint_position(rig->dyn, one, &x);
    ri_validate_near(rig->run, "angle of the driving wheel at 3 s", "rad", 0.5 * a1 * T * T, 1e-12, x);
    ri_dyn_joint_velocity(rig->dyn, two, &x);
    ri_validate_near(rig->run, "rate of the driven wheel at 3 s", "rad/s", r * a1 * T, 1e-12, x);
    push_first(NULL, rig->dyn, rig->time, rig->q, rig->v, tau);
    RI_TRY(ri_dyn_forward(rig->dyn, tau, a));
    spanning[ri_model_joint(rig->model, one).s_index] = GEAR_TAU;
    RI_TRY(ri_dyn_update_wrenches(rig->dyn, spanning));
    ri_validate_near(rig->run, "torque of the teeth on the driven wheel", "N m", r * GEAR_I2 * a1, 1e-13,
                     ri_dyn_coupling_effort(rig->dyn, two));
    ri_validate_near(rig->run, "torque of the teeth on the driving wheel", "N m", -r * r * GEAR_I2 * a1, 1e-13,
                     ri_dyn_coupling_effort(rig->dyn, one));
    return RI_OK;
}

RiStatus ri_case_gears(RiValidation *run)
{
    return ri_rig_use(run, "flywheels", origin, build_gears, turn_gears, NULL);
}

// --- ties on a free body -------------------------------------------------------------------------

typedef struct Tie {
    const char *name, *a, *b; // the joints, tied by a + b = 0
} Tie;

/// A chassis with a rocker on each side; the differential makes them turn against each other.
static RiStatus build_rockers(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "chassis", 20.0, origin, ri_inertia_box(20.0, ri_vec3(0.6, 0.4, 0.2))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "chassis", origin, x_axis, 0.0));
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "right" : "left";
        const double y = i ? -0.3 : 0.3, com = i ? 0.12 : -0.05; // unequal on purpose
        RI_TRY(ri_rig_link(rig, name, 4.0, ri_vec3(com, 0.0, -0.15), ri_inertia_box(4.0, ri_vec3(0.7, 0.05, 0.1))));
        RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "chassis", name, ri_vec3(0.0, y, 0.05), y_axis, 0.0));
    }
    return ri_rig_couple(rig, "right", 1.0, "left", 1.0);
}

/// A body with a screw at either end, geared to turn against each other.
static RiStatus build_screws(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "body", 5.0, origin, ri_inertia_box(5.0, ri_vec3(0.5, 0.15, 0.15))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "body", origin, x_axis, 0.0));
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "front" : "rear";
        RI_TRY(ri_rig_link(rig, name, 1.5, ri_vec3(0.0, 0.01, 0.0), ri_inertia_box(1.5, ri_vec3(0.2, 0.12, 0.12))));
        RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "body", name, ri_vec3(i ? 0.35 : -0.35, 0.0, 0.0), x_axis, 0.0));
    }
    return ri_rig_couple(rig, "rear", 1.0, "front", 1.0);
}

/// Ten seconds of free fall with everything turning. Linear couplings are built into the
/// coordinates, so the sum of the tied angles is zero exactly, not to a tolerance. Energy and
/// angular momentum: the error of RK4 at h = 5e-4 s, 1e-9.
static RiStatus tumble(RiRig *rig)
{
    const Tie *tie = rig->user;
    const int a = ri_rig_joint_index(rig, tie->a), b = ri_rig_joint_index(rig, tie->b);
    static const double v0[] = {0.3, -0.1, 0.2, 0.4, -0.7, 0.5, 3.0};
    for (int k = 0; k < ri_model_nv(rig->model) && k < 7; k++)
        rig->v[k] = v0[k];
    double energy0, energy, worst = 0.0;
    RI_TRY(ri_rig_energy(rig, &energy0));
    const RiVec3 H0 = ri_dyn_momentum(rig->dyn).ang;
    for (int i = 0; i < 20000; i++) {
        double qa, qb, va, vb;
        rig->time = i * 5e-4;
        RI_TRY(ri_rig_step(rig, 5e-4));
        RI_TRY(ri_rig_update(rig));
        ri_dyn_joint_position(rig->dyn, a, &qa);
        ri_dyn_joint_position(rig->dyn, b, &qb);
        ri_dyn_joint_velocity(rig->dyn, a, &va);
        ri_dyn_joint_velocity(rig->dyn, b, &vb);
        worst = fmax(worst, fmax(fabs(qa + qb), fabs(va + vb)));
    }
    RI_TRY(ri_rig_energy(rig, &energy));
    char text[80];
    snprintf(text, sizeof text, "%s: largest |q + q|, |v + v| of the tied joints in 10 s", tie->name);
    ri_validate_most(rig->run, text, "rad", 0.0, worst);
    snprintf(text, sizeof text, "%s: change of energy after 10 s, relative", tie->name);
    ri_validate_most(rig->run, text, "-", 1e-9, fabs(energy - energy0) / fabs(energy0));
    snprintf(text, sizeof text, "%s: change of angular momentum after 10 s, relative", tie->name);
    ri_validate_most(rig->run, text, "-", 1e-9, ri_norm(ri_sub(ri_dyn_momentum(rig->dyn).ang, H0)) / ri_norm(H0));
    return RI_OK;
}

RiStatus ri_case_differential(RiValidation *run)
{
    Tie rockers = {"rocker differential", "left", "right"}, screws = {"screw pair", "rear", "front"};
    RI_TRY(ri_rig_use(run, "rockers", ri_vec3(0.0, 0.0, -3.71), build_rockers, tumble, &rockers));
    return ri_rig_use(run, "screws", ri_vec3(0.0, 0.0, -3.71), build_screws, tumble, &screws);
}
