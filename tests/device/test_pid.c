// SPDX-License-Identifier: Apache-2.0
/// \file
/// The joint controller against recursions and closed forms written independently.
#include "drive.h"

TEST(closed_loop_of_a_double_integrator_matches_sums_over_its_history)
{
    enum { STEPS = 400 };
    const double dt = 0.005, kp = 40.0, ki = 25.0, kd = 9.0, J = 0.7, T = 0.02;
    Drive d;
    drive_init(&d, "pid", dt);
    drive_set(&d, "kp", kp);
    drive_set(&d, "ki", ki);
    drive_set(&d, "kd", kd);
    drive_set(&d, "filter_time", T);
    CHECK(drive_start(&d) == NULL);
    double e[STEPS], v_all[STEPS], q = 0.0, v = 3.0;
    for (int n = 0; n < STEPS; n++) {
        const double t = n * dt, r = sin(3.0 * t), rate = 3.0 * cos(3.0 * t), forward = -9.0 * J * r;
        drive_set(&d, "reference_position", r);
        drive_set(&d, "reference_velocity", rate);
        drive_set(&d, "feed_forward", forward);
        d.call.joint_position = q;
        d.call.joint_velocity = v;
        drive_update(&d);
        // the same from the whole history: a plain sum, and the low pass as a convolution
        e[n] = r - q, v_all[n] = v;
        double sum = 0.0, filtered = v_all[0] * exp(-n * dt / T);
        for (int k = 0; k <= n; k++)
            sum += e[k];
        for (int k = 1; k <= n; k++)
            filtered += (1.0 - exp(-dt / T)) * exp(-(n - k) * dt / T) * v_all[k];
        const double want = kp * e[n] + ki * dt * sum + kd * (rate - filtered) + forward;
        CHECK_CLOSE(drive_get(&d, "effort"), want, 1e-10 * (1.0 + fabs(want)));
        q += v * dt + 0.5 * dt * dt * want / J;
        v += dt * want / J;
    }
    CHECK_CLOSE(q, sin(3.0 * STEPS * dt), 0.05); // and it follows
}

TEST(velocity_mode_closes_a_first_order_loop)
{
    const double dt = 0.01, kd = 5.0, J = 0.5, r = 2.0;
    Drive d;
    drive_init(&d, "pid", dt);
    drive_set(&d, "mode", 1.0);
    drive_set(&d, "kd", kd);
    drive_set(&d, "reference_velocity", r);
    drive_set(&d, "reference_position", 77.0); // plays no part
    CHECK(drive_start(&d) == NULL);
    double v = 0.0;
    for (int n = 0; n < 50; n++) {
        CHECK_CLOSE(v, r * (1.0 - pow(1.0 - dt * kd / J, n)), 1e-12);
        d.call.joint_velocity = v;
        drive_update(&d);
        v += dt * drive_get(&d, "effort") / J;
    }
    // with a gain on the integral a constant load leaves no error
    drive_set(&d, "kp", 40.0);
    for (int n = 0; n < 2000; n++) {
        d.call.joint_velocity = v;
        drive_update(&d);
        v += dt * (drive_get(&d, "effort") - 3.0) / J;
    }
    CHECK_CLOSE(v, r, 1e-9);
    CHECK_CLOSE(drive_get(&d, "integral"), 3.0, 1e-8);
}

/// A controller pushed against its limit of 2 N m by an error of 1 rad for `updates`.
static Drive *wound_up(Drive *d, double tracking_time, int updates)
{
    drive_init(d, "pid", 0.01);
    drive_set(d, "kp", 1.0);
    drive_set(d, "ki", 5.0);
    drive_set(d, "effort_limit", 2.0);
    drive_set(d, "tracking_time", tracking_time);
    drive_set(d, "reference_position", 1.0);
    CHECK(drive_start(d) == NULL);
    for (int i = 0; i < updates; i++)
        drive_update(d);
    return d;
}

TEST(the_integral_stops_at_the_effort_limit)
{
    Drive d;
    wound_up(&d, 0.0, 10000);
    CHECK_CLOSE(drive_get(&d, "effort"), 2.0, 0.05);
    CHECK(drive_get(&d, "integral") <= 1.0 + 1e-12);
    drive_set(&d, "reference_position", -1.0); // the effort leaves the limit with the first update
    drive_update(&d);
    CHECK(drive_get(&d, "effort") < 0.0 && drive_get(&d, "saturated") == 0.0);
}

TEST(back_calculation_settles_where_excess_equals_ki_e_tt)
{
    const double Tt = 0.2, ki = 5.0, dt = 0.01;
    Drive d;
    wound_up(&d, Tt, 10000);
    CHECK_CLOSE(drive_get(&d, "effort"), 2.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "saturated"), 1.0, 0.0);
    // before + ki e dt exceeds by ki e Tt, so before exceeds by ki e (Tt - dt)
    CHECK_CLOSE(1.0 + drive_get(&d, "integral") - 2.0, ki * (Tt - dt), 1e-9);
}

TEST(the_integral_keeps_to_its_own_limit)
{
    Drive d;
    drive_init(&d, "pid", 0.01);
    drive_set(&d, "ki", 5.0);
    drive_set(&d, "integral_limit", 0.25);
    drive_set(&d, "reference_position", -1.0);
    CHECK(drive_start(&d) == NULL);
    for (int i = 0; i < 100; i++)
        drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "effort"), -0.25, 1e-15);
}

TEST(connected_sensors_replace_the_joint)
{
    Drive d;
    drive_init(&d, "pid", 0.1);
    drive_set(&d, "kp", 1.0);
    drive_set(&d, "kd", 1.0);
    CHECK(drive_start(&d) == NULL);
    d.call.joint_position = 5.0, d.call.joint_velocity = 7.0;
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "effort"), -12.0, 1e-14);
    // a position alone gives its difference as velocity, 0 at first
    CHECK(drive_start(&d) == NULL);
    drive_connect(&d, "measured_position");
    drive_set(&d, "measured_position", 1.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "effort"), -1.0, 1e-14);
    drive_set(&d, "measured_position", 1.5);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "effort"), -1.5 - 5.0, 1e-13);
    drive_connect(&d, "measured_velocity");
    drive_set(&d, "measured_velocity", 2.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "effort"), -1.5 - 2.0, 1e-13);
}

TEST(bad_parameters_are_named)
{
    drive_refuses("pid", "kp", -1.0);
    drive_refuses("pid", "ki", NAN);
    drive_refuses("pid", "effort_limit", -1.0);
    drive_refuses("pid", "tracking_time", INFINITY);
    drive_refuses("pid", "mode", 0.5);
    Drive d;
    drive_init(&d, "pid", 0.01);
    drive_set(&d, "mode", 1.0);
    drive_set(&d, "ki", 1.0);
    CHECK(strstr(drive_start(&d), "'ki' must be 0 in velocity mode"));
}

TEST(servo_passes_gains_references_and_limits_on)
{
    Drive d;
    drive_init(&d, "servo", 0.01);
    drive_set(&d, "stiffness", 100.0);
    drive_set(&d, "damping", 10.0);
    drive_set(&d, "effort_limit", 4.0);
    drive_set(&d, "position", 0.5);
    drive_set(&d, "velocity", -0.25);
    drive_set(&d, "feed_forward", -9.0);
    CHECK(drive_start(&d) == NULL);
    drive_update(&d);
    const struct {
        RiPortAction action;
        double want;
    } table[] = {{RI_PORT_SERVO_GAIN, 100.0}, {RI_PORT_SERVO_DAMPING, 10.0}, {RI_PORT_SERVO_POSITION, 0.5},
                 {RI_PORT_SERVO_RATE, -0.25}, {RI_PORT_SERVO_LIMIT, 4.0},    {RI_PORT_EFFORT, -4.0}};
    int found = 0;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < d.device->port_count; i++) {
            if (d.device->ports[i].action == table[k].action) {
                CHECK_CLOSE(d.x[i], table[k].want, 0.0);
                found++;
            }
        }
    }
    CHECK_INT(found, 6);
    drive_refuses("servo", "stiffness", -1.0);
    drive_refuses("servo", "damping", NAN);
    drive_refuses("servo", "effort_limit", -1.0);
}

TEST_MAIN(CASE(closed_loop_of_a_double_integrator_matches_sums_over_its_history),
          CASE(velocity_mode_closes_a_first_order_loop), CASE(the_integral_stops_at_the_effort_limit),
          CASE(back_calculation_settles_where_excess_equals_ki_e_tt), CASE(the_integral_keeps_to_its_own_limit),
          CASE(connected_sensors_replace_the_joint), CASE(bad_parameters_are_named),
          CASE(servo_passes_gains_references_and_limits_on))
