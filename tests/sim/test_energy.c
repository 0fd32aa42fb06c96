// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the integrator must keep: energy, momentum, order, work, the state on failure, and no
/// allocations.
#include "check.h"

#include <rille/sim.h>

#include "validate/rig.h"

static const RiVec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0}, z_axis = {0.0, 0.0, 1.0},
                    origin = {0.0, 0.0, 0.0}, down = {0.0, 0.0, -9.81};

/// Runs an experiment on a rig; its rows and checks tell.
static void use(RiVec3 gravity, RiRigFn build, RiRigFn experiment, void *user)
{
    RiValidation run = {0};
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_rig_use(&run, "rig", gravity, build, experiment, user));
    ri_context_destroy(run.ctx);
}

/// An arm of three links that turn about z, y and x, and a ball-jointed lamp at its end.
static RiStatus build_arm(RiRig *rig)
{
    const RiVec3 com = {0.1, 0.02, -0.03}, step = {0.3, 0.0, 0.05};
    const RiMat3 J = ri_diagonal(0.02, 0.03, 0.025);
    RI_TRY(ri_rig_link(rig, "a", 2.0, com, J));
    RI_TRY(ri_rig_link(rig, "b", 1.5, com, J));
    RI_TRY(ri_rig_link(rig, "c", 1.0, com, J));
    RI_TRY(ri_rig_link(rig, "lamp", 0.5, com, J));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "a", origin, z_axis, 0.3));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "a", "b", step, y_axis, -0.5));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "b", "c", step, x_axis, 0.8));
    return ri_rig_joint(rig, RI_JOINT_BALL, "c", "lamp", step, x_axis, 0.0);
}

static void start_arm(RiRig *rig)
{
    ri_model_get_initial_q(rig->model, rig->q);
    rig->time = 0.0;
    for (int k = 0; k < ri_model_nv(rig->model); k++)
        rig->v[k] = 0.5 + 0.3 * k;
}

// --- conservation --------------------------------------------------------------------------------

TEST(free_snake_keeps_energy_and_momentum_and_shows_order_four)
{
    RiValidation run = {0};
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_validate_run(&run, ri_validate_find("snake")));
    CHECK_INT(run.passed, 8);
    CHECK_INT(run.failed, 0);
    ri_context_destroy(run.ctx);
}

static RiStatus swing_arm(RiRig *rig)
{
    double before, after;
    start_arm(rig);
    RI_TRY(ri_rig_energy(rig, &before));
    RI_TRY(ri_rig_run(rig, 5.0, 5e-4));
    RI_TRY(ri_rig_energy(rig, &after));
    CHECK_CLOSE(after, before, 2e-8);
    CHECK_CLOSE(rig->q[3] * rig->q[3] + rig->q[4] * rig->q[4] + rig->q[5] * rig->q[5] + rig->q[6] * rig->q[6], 1.0,
                1e-15);
    return RI_OK;
}

TEST(arm_with_ball_joint_keeps_energy_and_unit_quaternion)
{
    use(down, build_arm, swing_arm, NULL);
}

// --- order ---------------------------------------------------------------------------------------

/// Distance of the states after `T` with steps h, h/2 and h/4, as a ratio: 2^order.
static RiStatus error_ratio(RiRig *rig, void (*start)(RiRig *), double T, double h, double *out_ratio)
{
    double y[3][32] = {{0.0}}, sum[2] = {0.0};
    const int n = ri_model_nq(rig->model) + ri_model_nv(rig->model);
    for (int i = 0; i < 3; i++) {
        start(rig);
        RI_TRY(ri_rig_run(rig, T, h / (1 << i)));
        ri_dyn_get_q(rig->dyn, y[i]);
        memcpy(y[i] + ri_model_nq(rig->model), rig->v, (size_t)ri_model_nv(rig->model) * sizeof(double));
    }
    for (int k = 0; k < n; k++) {
        sum[0] += (y[0][k] - y[1][k]) * (y[0][k] - y[1][k]);
        sum[1] += (y[1][k] - y[2][k]) * (y[1][k] - y[2][k]);
    }
    *out_ratio = sqrt(sum[0] / sum[1]);
    return RI_OK;
}

static RiStatus halve_arm(RiRig *rig)
{
    double ratio;
    RI_TRY(error_ratio(rig, start_arm, 0.5, 4e-3, &ratio));
    CHECK_CLOSE(ratio, 16.0, 1.0);
    return RI_OK;
}

TEST(rk4_is_of_order_four_on_quaternions)
{
    use(down, build_arm, halve_arm, NULL);
}

/// A crank, coupler and rocker: bars of 0.2, 0.6 and 0.5 m on pivots 0.55 m apart.
static RiStatus build_four_bar(RiRig *rig)
{
    const RiMat3 J = ri_diagonal(0.001, 0.02, 0.02);
    RI_TRY(ri_rig_link(rig, "crank", 1.0, ri_vec3(0.1, 0.0, 0.0), J));
    RI_TRY(ri_rig_link(rig, "coupler", 1.0, ri_vec3(0.3, 0.05, 0.0), J));
    RI_TRY(ri_rig_link(rig, "rocker", 1.0, ri_vec3(0.25, 0.0, 0.0), J));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "crank", origin, z_axis, 0.0));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "crank", "coupler", ri_vec3(0.2, 0.0, 0.0), z_axis, 0.8));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, "world", "rocker", ri_vec3(0.55, 0.0, 0.0), z_axis, 1.5));
    ri_spec_find_joint(rig->spec, "crank")->independent = true;
    return ri_rig_close(rig, RI_LOOP_REVOLUTE, "coupler", ri_vec3(0.6, 0.0, 0.0), "rocker", ri_vec3(0.5, 0.0, 0.0));
}

static void start_four_bar(RiRig *rig)
{
    ri_model_get_initial_q(rig->model, rig->q);
    rig->time = 0.0;
    rig->v[0] = 6.0;
}

static RiStatus halve_four_bar(RiRig *rig)
{
    double ratio, before, after;
    CHECK_INT(ri_model_nv(rig->model), 1);
    RI_TRY(error_ratio(rig, start_four_bar, 0.5, 2e-3, &ratio));
    CHECK_CLOSE(ratio, 16.0, 1.0);
    start_four_bar(rig);
    rig->v[0] = 14.0; // enough to go round
    RI_TRY(ri_rig_energy(rig, &before));
    RI_TRY(ri_rig_run(rig, 2.0, 2e-4));
    RI_TRY(ri_rig_energy(rig, &after));
    CHECK(rig->q[0] > 4.0 * M_PI);
    CHECK_CLOSE(after, before, 1e-8);
    return RI_OK;
}

TEST(closed_loops_keep_order_four_and_energy)
{
    use(ri_vec3(0.0, -9.81, 0.0), build_four_bar, halve_four_bar, NULL);
}

// --- work and time -------------------------------------------------------------------------------

static void constant_torque(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    (void)user, (void)d, (void)time, (void)q, (void)v;
    tau[1] = 2.5;
}

/// A constant torque does the work  tau (q1 - q0).
static RiStatus push_arm(RiRig *rig)
{
    double before, after;
    start_arm(rig);
    const double q0 = *ri_rig_q(rig, "b");
    ri_integrator_set_efforts(rig->it, constant_torque, NULL, true);
    RI_TRY(ri_rig_energy(rig, &before));
    RI_TRY(ri_rig_run(rig, 2.0, 5e-4));
    RI_TRY(ri_rig_energy(rig, &after));
    CHECK(fabs(*ri_rig_q(rig, "b") - q0) > 0.1);
    CHECK_CLOSE(after - before, 2.5 * (*ri_rig_q(rig, "b") - q0), 2e-8);
    return RI_OK;
}

TEST(work_of_a_torque_becomes_energy)
{
    use(down, build_arm, push_arm, NULL);
}

static RiStatus build_cart(RiRig *rig)
{
    RI_TRY(ri_rig_link(rig, "cart", 2.0, origin, ri_diagonal(1.0, 1.0, 1.0)));
    return ri_rig_joint(rig, RI_JOINT_PRISMATIC, "world", "cart", origin, x_axis, 0.0);
}

static void shake(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    (void)user, (void)d, (void)q, (void)v;
    tau[0] = 2.0 * cos(7.0 * time);
}

/// m x'' = F cos(w t) from rest:  x = F (1 - cos(w t)) / (m w^2).  Wrong stage times would show at
/// once.
static RiStatus shake_cart(RiRig *rig)
{
    ri_integrator_set_efforts(rig->it, shake, NULL, true);
    RI_TRY(ri_rig_run(rig, 3.0, 1e-3));
    CHECK_CLOSE(rig->q[0], (1.0 - cos(21.0)) / 49.0, 1e-11);
    return RI_OK;
}

TEST(efforts_see_the_time_of_their_stage)
{
    use(down, build_cart, shake_cart, NULL);
}

// --- failure and memory --------------------------------------------------------------------------

static void blow_up(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    (void)user, (void)d, (void)q, (void)v;
    tau[0] = time > 0.05 ? NAN : 1.0;
}

static RiStatus break_arm(RiRig *rig)
{
    double q[16], v[16];
    start_arm(rig);
    ri_integrator_set_efforts(rig->it, blow_up, NULL, true);
    RI_TRY(ri_rig_run(rig, 0.05, 1e-2));
    memcpy(q, rig->q, (size_t)ri_model_nq(rig->model) * sizeof *q);
    memcpy(v, rig->v, (size_t)ri_model_nv(rig->model) * sizeof *v);
    CHECK(ri_integrator_rk4(rig->it, 0.05, 1e-2, rig->q, rig->v) == RI_ERR_NUMERIC);
    CHECK(ri_context_message(rig->ctx)[0] != '\0');
    CHECK(memcmp(q, rig->q, (size_t)ri_model_nq(rig->model) * sizeof *q) == 0);
    CHECK(memcmp(v, rig->v, (size_t)ri_model_nv(rig->model) * sizeof *v) == 0);
    return RI_OK;
}

TEST(failed_step_leaves_the_state_as_it_was)
{
    use(down, build_arm, break_arm, NULL);
}

static RiStatus count_four_bar(RiRig *rig)
{
    start_four_bar(rig);
    const unsigned long long before = ri_context_allocation_count(rig->ctx);
    RI_TRY(ri_rig_run(rig, 1.0, 1e-4));
    CHECK_INT(ri_context_allocation_count(rig->ctx) - before, 0);
    return RI_OK;
}

TEST(ten_thousand_steps_allocate_nothing)
{
    use(ri_vec3(0.0, -9.81, 0.0), build_four_bar, count_four_bar, NULL);
}

TEST_MAIN(CASE(free_snake_keeps_energy_and_momentum_and_shows_order_four),
          CASE(arm_with_ball_joint_keeps_energy_and_unit_quaternion), CASE(rk4_is_of_order_four_on_quaternions),
          CASE(closed_loops_keep_order_four_and_energy), CASE(work_of_a_torque_becomes_energy),
          CASE(efforts_see_the_time_of_their_stage), CASE(failed_step_leaves_the_state_as_it_was),
          CASE(ten_thousand_steps_allocate_nothing))
