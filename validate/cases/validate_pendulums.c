// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pendulums: simple, compound and double. Gravity along -y, angles from the downward vertical,
/// joints about z.
#include <math.h>
#include <stdio.h>

#include "validate/rig.h"

static const RiVec3 z_axis = {0.0, 0.0, 1.0}, origin = {0.0, 0.0, 0.0}, down = {0.0, -9.81, 0.0};

static RiMat3 point_mass(void)
{
    return ri_diagonal(0.0, 0.0, 0.0);
}

static double first_velocity(RiRig *rig)
{
    return rig->v[0];
}

// --- simple pendulum, IFToMM A01 -----------------------------------------------------------------

static RiStatus build_simple(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "bob", 1.0, ri_vec3(0.0, -1.0, 0.0), point_mass()));
    return ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "bob", origin, z_axis, -0.5 * M_PI);
}

/// Bands: thirteen digits are published; ten are asked of RK4 at h = 1e-3 s (h omega = 3e-3, global
/// error of order 1e-11).
static RiStatus swing_simple(RiRig *rig)
{
    double half, energy0, energy1;
    RI_TRY(ri_rig_energy(rig, &energy0));
    RI_TRY(ri_rig_cross(rig, 1e-3, 3.0, first_velocity, &half)); // it is at rest after half a period
    ri_validate_near(rig->run, "period", "s", 2.3678419475762, 1e-10, 2.0 * half);
    ri_model_get_initial_q(rig->model, rig->q);
    rig->v[0] = rig->time = 0.0;
    RI_TRY(ri_rig_run(rig, 10.0, 1e-3));
    ri_validate_near(rig->run, "x at 10 s", "m", -0.2750874625761, 1e-10, sin(rig->q[0]));
    ri_validate_near(rig->run, "y at 10 s", "m", -0.9614192050991, 1e-10, -cos(rig->q[0]));
    RI_TRY(ri_rig_energy(rig, &energy1));
    ri_validate_most(rig->run, "change of energy over 10 s", "J", 1e-10, fabs(energy1 - energy0));
    return RI_OK;
}

RiStatus ri_case_iftomm_a01(RiValidation *run)
{
    return ri_rig_use(run, "pendulum", down, build_simple, swing_simple, NULL);
}

// --- compound pendulum ---------------------------------------------------------------------------

static RiStatus build_compound(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "plate", 3.0, ri_vec3(0.0, -0.4, 0.0), ri_diagonal(0.1, 0.05, 0.15)));
    return ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "plate", origin, z_axis, 0.0);
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean:  K(k) = pi / (2
/// agm(1, sqrt(1 - k^2))).
static double elliptic_K(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 40 && fabs(a - b) > 1e-16 * a; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * M_PI / a;
}

/// Period at amplitude A:  4 sqrt(I / (m g l)) K(sin(A / 2)),  I about the pivot [abramowitz1964].
/// Bands: 1e-9 of the period, RK4 at h = 5e-4 s.
static RiStatus swing_compound(RiRig *rig)
{
    static const double amplitudes[] = {10.0, 90.0, 170.0};
    const double I = 0.15 + 3.0 * 0.4 * 0.4, mgl = 3.0 * 9.81 * 0.4;
    for (int i = 0; i < 3; i++) {
        const double A = amplitudes[i] * M_PI / 180.0, period = 4.0 * sqrt(I / mgl) * elliptic_K(sin(0.5 * A));
        double half;
        char text[64];
        rig->q[0] = A;
        rig->v[0] = rig->time = 0.0;
        RI_TRY(ri_rig_cross(rig, 5e-4, 10.0, first_velocity, &half));
        snprintf(text, sizeof text, "period at amplitude %g deg", amplitudes[i]);
        ri_validate_near(rig->run, text, "s", period, 1e-9 * period, 2.0 * half);
    }
    return RI_OK;
}

RiStatus ri_case_physical_pendulum(RiValidation *run)
{
    return ri_rig_use(run, "plate", down, build_compound, swing_compound, NULL);
}

// --- double pendulum -----------------------------------------------------------------------------

static RiStatus build_double(RiRig *rig)
{
    const RiVec3 end = {0.0, -1.0, 0.0};
    RI_TRY(ri_rig_link(rig, "upper", 1.0, end, point_mass()));
    RI_TRY(ri_rig_link(rig, "lower", 1.0, end, point_mass()));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "upper", origin, z_axis, 0.5 * M_PI));
    return ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "upper", "lower", end, z_axis, 0.0);
}

/// Bands: ten decimals are published, one unit of the last; h = 1e-4 s puts RK4's error below that
/// up to 5 s, through which errors of this start grow about a hundredfold. Angles and rates of the
/// lower rod are absolute.
static RiStatus swing_double(RiRig *rig)
{
    static const struct {
        double t, y[4];
    } at[] = {{1.0, {-0.6250876998, -1.0345850857, -3.9222795729, -1.3030992487}},
              {2.0, {-0.4829715343, -1.3240487123, 3.0652881921, 2.9492715476}},
              {3.0, {1.7857955221, 1.1181074612, 0.3279806195, -0.5044551039}},
              {5.0, {-0.6271867051, -1.3013155502, 2.1254086738, 3.8818887273}}};
    static const char *const names[] = {"upper angle", "lower angle", "upper rate", "lower rate"};
    for (int i = 0; i < 4; i++) {
        RI_TRY(ri_rig_run(rig, at[i].t, 1e-4));
        const double y[4] = {rig->q[0], rig->q[0] + rig->q[1], rig->v[0], rig->v[0] + rig->v[1]};
        for (int k = 0; k < 4; k++) {
            char text[64];
            snprintf(text, sizeof text, "%s at %g s", names[k], at[i].t);
            ri_validate_near(rig->run, text, k < 2 ? "rad" : "rad/s", at[i].y[k], 1e-10, y[k]);
        }
    }
    return RI_OK;
}

RiStatus ri_case_double_pendulum(RiValidation *run)
{
    return ri_rig_use(run, "double pendulum", down, build_double, swing_double, NULL);
}
