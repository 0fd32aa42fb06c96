// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two screws that a gear turns against each other, on a snake that floats freely.
///
/// One motor drives screw a; the gear makes screw b turn by the same angle the other way. As both
/// screws have the same inertia, their angular momenta cancel and the body does not roll. The gear
/// is exact: no spring, no drift, and the coordinate of screw b is not even part of the state.
#include "example.h"

enum { MAX = 16, STEPS = 2000 };

typedef struct Drive {
    int v_index;   ///< of the driven screw
    double effort; ///< [N m]
} Drive;

static void drive(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    const Drive *motor = user;
    (void)d, (void)time, (void)q, (void)v;
    tau[motor->v_index] = motor->effort;
}

int main(void)
{
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiDyn *dyn;
    RiIntegrator *it;
    double q[MAX] = {0}, v[MAX] = {0}, angle_a, angle_b;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    MUST(ctx, ri_urdf_load(ctx, "robots/snake_pair.urdf", NULL, &spec));
    MUST(ctx, ri_model_create(ctx, spec, NULL, &model));
    MUST(ctx, ri_dyn_create(ctx, model, &dyn));
    MUST(ctx, ri_integrator_create(ctx, dyn, &it));
    if (ri_model_nq(model) > MAX)
        return EXIT_FAILURE;
    printf("%d joint coordinates, %d degrees of freedom\n", ri_model_spanning_nv(model), ri_model_nv(model));

    // Free fall: no gravity, no ground, a constant torque for one second, no friction.
    const int a = ri_model_find_joint(model, "front_screw_a_spin"),
              b = ri_model_find_joint(model, "front_screw_b_spin");
    Drive motor = {.v_index = ri_model_joint(model, a).v_index, .effort = 0.3};
    ri_dyn_set_gravity(dyn, ri_vec3(0.0, 0.0, 0.0));
    ri_integrator_set_efforts(it, drive, &motor, false);
    ri_model_get_initial_q(model, q);
    for (int i = 0; i < STEPS; i++)
        MUST(ctx, ri_integrator_rk4(it, i / (double)STEPS, 1.0 / STEPS, q, v));

    MUST(ctx, ri_dyn_update_position(dyn, q));
    ri_dyn_update_velocity(dyn, v);
    ri_dyn_joint_position(dyn, a, &angle_a);
    ri_dyn_joint_position(dyn, b, &angle_b);
    const RiSpatial body = ri_dyn_frame_velocity(dyn, ri_model_find_link(model, "front"));
    printf("after 1 s: screw a at %.6f rad, screw b at %.6f rad, roll rate of the body %.1e rad/s\n", angle_a, angle_b,
           body.ang.x);
    // Each screw has 0.00512 kg m^2, the motor's rotor 0.02; constant torque: angle = effort t^2 /
    // (2 inertia).
    EXPECT_CLOSE(angle_a, 0.5 * motor.effort / (2.0 * 0.00512 + 0.02), 1e-9);
    EXPECT_CLOSE(angle_b, -angle_a, 0.0);
    EXPECT_CLOSE(body.ang.x, 0.0, 1e-12);

    ri_integrator_destroy(it);
    ri_dyn_destroy(dyn);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    return EXIT_SUCCESS;
}
