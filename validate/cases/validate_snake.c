// SPDX-License-Identifier: Apache-2.0
/// \file
/// A free-flying snake robot of ten modules, 36 coordinates, without friction: what must stay
/// constant, and how fast the integrator's error falls with the step.
///
/// Head (0.3 m, 5 kg) and ten modules; a module is a bend about z (0.1 m, 3 kg) and a twist about x
/// (0.3 m, 3 kg) that carries a screw about x (0.26 m, 3 kg).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "validate/rig.h"

static const RiVec3 x_axis = {1.0, 0.0, 0.0}, z_axis = {0.0, 0.0, 1.0}, origin = {0.0, 0.0, 0.0};

static RiStatus add_part(RiRig *rig, const char *parent, const char *name, double at, RiVec3 axis, double com,
                         double length, double position)
{
    RI_TRY(ri_rig_link(rig, name, 3.0, ri_vec3(com, 0.0, 0.0), ri_inertia_box(3.0, ri_vec3(length, 0.15, 0.15))));
    return ri_rig_joint(rig, RI_JOINT_CONTINUOUS, parent, name, ri_vec3(at, 0.0, 0.0), axis, position);
}

/// Joint k = 3 i + (0 bend, 1 twist, 2 screw) starts at 0.3 sin(1 + 0.7 k) rad.
static RiStatus build_snake(RiRig *rig)
{
    char parent[16] = "head", bend[16], twist[16], screw[16];
    RI_TRY(ri_rig_link(rig, "head", 5.0, ri_vec3(0.15, 0.0, 0.0), ri_inertia_box(5.0, ri_vec3(0.3, 0.15, 0.15))));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "head", origin, x_axis, 0.0));
    for (int i = 0; i < 10; i++) {
        const double q[3] = {0.3 * sin(1.0 + 2.1 * i), 0.3 * sin(1.7 + 2.1 * i), 0.3 * sin(2.4 + 2.1 * i)};
        snprintf(bend, sizeof bend, "bend_%d", i);
        snprintf(twist, sizeof twist, "twist_%d", i);
        snprintf(screw, sizeof screw, "screw_%d", i);
        RI_TRY(add_part(rig, parent, bend, 0.3, z_axis, 0.05, 0.1, q[0]));
        RI_TRY(add_part(rig, bend, twist, 0.1, x_axis, 0.15, 0.3, q[1]));
        RI_TRY(add_part(rig, twist, screw, 0.15, x_axis, 0.0, 0.26, q[2]));
        memcpy(parent, twist, sizeof parent);
    }
    return RI_OK;
}

/// Initial state: joint k turns with 0.5 cos(0.3 + 0.9 k) rad/s, the head moves and turns.
static void start_snake(RiRig *rig)
{
    static const double head[6] = {0.4, -0.2, 0.3, 0.2, 0.5, -0.3};
    ri_model_get_initial_q(rig->model, rig->q);
    rig->time = 0.0;
    memcpy(rig->v, head, sizeof head);
    for (int k = 6; k < ri_model_nv(rig->model); k++)
        rig->v[k] = 0.5 * cos(0.3 + 0.9 * (k - 6));
}

typedef struct Sums {
    double energy, kinetic;
    RiVec3 linear, angular; // angular momentum about the centre of mass
} Sums;

static RiStatus sum_up(RiRig *rig, Sums *out)
{
    RI_TRY(ri_rig_energy(rig, &out->energy));
    const RiSpatial h = ri_dyn_momentum(rig->dyn);
    out->kinetic = ri_dyn_kinetic_energy(rig->dyn);
    out->linear = h.lin;
    out->angular = h.ang;
    return RI_OK;
}

/// Ten seconds of flight. Energy is measured against the kinetic energy at the start (a level-free
/// scale), momentum against itself; under gravity the linear momentum must grow by m g t. Band 1e-9
/// at h = 1e-4 s, as asked of the integrator.
static RiStatus fly(RiRig *rig)
{
    const char *field = rig->user;
    const double T = rig->run->quick ? 1.0 : 10.0;
    Sums a, b;
    char text[96];
    start_snake(rig);
    RI_TRY(sum_up(rig, &a));
    double drift = 0.0;
    for (int i = 1; i <= 100; i++) {
        RI_TRY(ri_rig_run(rig, T * i / 100.0, 1e-4));
        RI_TRY(sum_up(rig, &b));
        drift = fmax(drift, fabs(b.energy - a.energy) / a.kinetic);
    }
    const RiVec3 gained = ri_scale(T * ri_model_mass(rig->model), ri_dyn_gravity(rig->dyn));
    const RiVec3 lost = ri_sub(b.linear, ri_add(a.linear, gained));
    snprintf(text, sizeof text, "largest change of energy in %g s %s, relative", T, field);
    ri_validate_most(rig->run, text, "-", 1e-9, drift);
    snprintf(text, sizeof text, "error of linear momentum after %g s %s, relative", T, field);
    ri_validate_most(rig->run, text, "-", 1e-9, ri_norm(lost) / ri_norm(b.linear));
    snprintf(text, sizeof text, "change of angular momentum after %g s %s, relative", T, field);
    ri_validate_most(rig->run, text, "-", 1e-9, ri_norm(ri_sub(b.angular, a.angular)) / ri_norm(a.angular));
    return RI_OK;
}

enum { SNAKE_MOST = 96 };

/// State after 0.4 s with step h.
static RiStatus state_after(RiRig *rig, double h, double *out_y)
{
    start_snake(rig);
    RI_TRY(ri_rig_run(rig, 0.4, h));
    memcpy(out_y, rig->q, (size_t)ri_model_nq(rig->model) * sizeof *out_y);
    memcpy(out_y + ri_model_nq(rig->model), rig->v, (size_t)ri_model_nv(rig->model) * sizeof *out_y);
    return RI_OK;
}

static double distance(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/// Halving the step must divide the error by 2^4. Errors are differences of successive solutions,
/// |y(h) - y(h/2)|; the band 15 to 17 allows for the next term of the error, of relative size h.
static RiStatus halve(RiRig *rig)
{
    static const double steps[4] = {4e-3, 2e-3, 1e-3, 5e-4};
    double y[4][SNAKE_MOST];
    const int n = ri_model_nq(rig->model) + ri_model_nv(rig->model);
    for (int i = 0; i < 4; i++)
        RI_TRY(state_after(rig, steps[i], y[i]));
    for (int i = 0; i < 2; i++) {
        char text[80];
        snprintf(text, sizeof text, "error at h = %g s over error at half of it", steps[i]);
        ri_validate_between(rig->run, text, "-", 16.0, 15.0, 17.0,
                            distance(y[i], y[i + 1], n) / distance(y[i + 1], y[i + 2], n));
    }
    return RI_OK;
}

RiStatus ri_case_snake(RiValidation *run)
{
    char free_text[] = "without gravity", field_text[] = "with gravity";
    RI_TRY(ri_rig_use(run, "snake", origin, build_snake, fly, free_text));
    RI_TRY(ri_rig_use(run, "snake", ri_vec3(0.0, 0.0, -9.81), build_snake, fly, field_text));
    return ri_rig_use(run, "snake", origin, build_snake, halve, NULL);
}
