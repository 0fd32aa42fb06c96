// SPDX-License-Identifier: Apache-2.0
/// \file
/// The motor: stall, no-load, limits, and where the power goes.
#include "drive.h"

static const double R = 1.7, Kt = 0.042, N = 120.0, b = 3e-6;

static void motor(Drive *d, double friction, double efficiency)
{
    drive_init(d, "motor", 0.001);
    drive_set(d, "resistance", R);
    drive_set(d, "torque_constant", Kt);
    drive_set(d, "gear_ratio", N);
    drive_set(d, "friction", friction);
    drive_set(d, "efficiency", efficiency);
    CHECK(drive_start(d) == NULL);
}

static void run(Drive *d, double voltage, double joint_velocity)
{
    drive_set(d, "voltage", voltage);
    d->call.joint_velocity = joint_velocity;
    drive_update(d);
}

TEST(stall_torque_is_kt_v_over_r_times_the_ratio)
{
    Drive d;
    motor(&d, b, 0.7);
    run(&d, 24.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "effort"), Kt * 24.0 / R * N, 1e-12);
    CHECK_CLOSE(drive_get(&d, "current"), 24.0 / R, 1e-14);
    CHECK_CLOSE(drive_get(&d, "power"), 24.0 * 24.0 / R, 1e-11);
    CHECK_CLOSE(drive_get(&d, "stalled"), 1.0, 0.0);
    run(&d, 24.0, 0.5);
    CHECK_CLOSE(drive_get(&d, "stalled"), 0.0, 0.0);
    run(&d, 0.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "stalled"), 0.0, 0.0); // stands still, but no current flows
}

TEST(no_load_speed_is_v_over_kt_times_the_ratio)
{
    Drive d;
    motor(&d, 0.0, 1.0);
    run(&d, 24.0, 24.0 / (Kt * N));
    CHECK_CLOSE(drive_get(&d, "effort"), 0.0, 1e-10);
    CHECK_CLOSE(drive_get(&d, "current"), 0.0, 1e-12);
    CHECK_CLOSE(drive_get(&d, "back_emf"), 24.0, 1e-12);
    // half of it gives half the stall torque and the largest power, V^2 / (4 R)
    run(&d, 24.0, 0.5 * 24.0 / (Kt * N));
    CHECK_CLOSE(drive_get(&d, "effort"), 0.5 * Kt * 24.0 / R * N, 1e-10);
    CHECK_CLOSE(drive_get(&d, "effort") * d.call.joint_velocity, 24.0 * 24.0 / (4.0 * R), 1e-10);
    motor(&d, b, 1.0); // with friction: Kt V / (Kt^2 + R b)
    run(&d, 24.0, Kt * 24.0 / (Kt * Kt + R * b) / N);
    CHECK_CLOSE(drive_get(&d, "effort"), 0.0, 1e-10);
}

TEST(electrical_power_is_work_heat_friction_and_gear_loss)
{
    RiRng rng = ri_rng_stream(7, "motor");
    for (int i = 0; i < 2000; i++) {
        Drive d;
        motor(&d, b, ri_rng_between(&rng, 0.3, 1.0));
        drive_set(&d, "current_limit", i % 2 ? 4.0 : 0.0);
        drive_set(&d, "max_voltage", 20.0);
        drive_set(&d, "gear_ratio", i % 3 ? N : -N);
        run(&d, ri_rng_between(&rng, -30.0, 30.0), ri_rng_between(&rng, -6.0, 6.0) * (i % 5 ? 1.0 : 1e-4));
        const double I = drive_get(&d, "current"), w = drive_get(&d, "speed"), tau = drive_get(&d, "torque");
        const double work = drive_get(&d, "effort") * d.call.joint_velocity, gear_loss = tau * w - work;
        CHECK(fabs(drive_get(&d, "applied_voltage")) <= fmax(20.0, fabs(Kt * w)) + R * 4.0 * (i % 2) + 1e-9);
        CHECK_CLOSE(drive_get(&d, "applied_voltage") * I, work + gear_loss + R * I * I + b * w * w, 1e-9);
        CHECK_CLOSE(drive_get(&d, "power"), tau * w + R * I * I + b * w * w, 1e-9);
        CHECK(gear_loss >= -1e-12);
    }
}

TEST(the_gear_loses_on_the_side_that_is_driven)
{
    Drive d;
    motor(&d, 0.0, 0.6);
    run(&d, 24.0, 1.0); // drives
    CHECK_CLOSE(drive_get(&d, "effort"), 0.6 * N * drive_get(&d, "torque"), 1e-12);
    run(&d, 24.0, -1.0); // is driven back
    CHECK_CLOSE(drive_get(&d, "effort"), N * drive_get(&d, "torque") / 0.6, 1e-10);
}

TEST(held_and_continuous_parts_make_up_the_same_law)
{
    Drive d, at;
    motor(&d, b, 1.0);
    run(&d, 12.0, 0.3);
    CHECK(drive_get(&d, "servo_damping") > 0.0);
    for (int k = -5; k < 10; k++) { // speeds the joint may reach before the next update
        const double v = 0.1 * k;
        motor(&at, b, 1.0);
        run(&at, 12.0, v);
        CHECK_CLOSE(drive_get(&d, "held_effort") - drive_get(&d, "servo_damping") * v, drive_get(&at, "effort"), 1e-11);
    }
    drive_set(&d, "continuous", 0.0);
    run(&d, 12.0, 0.3);
    CHECK_CLOSE(drive_get(&d, "servo_damping"), 0.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "held_effort"), drive_get(&d, "effort"), 0.0);
}

TEST(limits_hold_and_are_told)
{
    Drive d;
    motor(&d, b, 1.0);
    drive_set(&d, "max_voltage", 12.0);
    run(&d, 24.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "current"), 12.0 / R, 1e-14);
    CHECK_CLOSE(drive_get(&d, "limited"), 1.0, 0.0);
    run(&d, 11.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "limited"), 0.0, 0.0);
    drive_set(&d, "current_limit", 2.0);
    run(&d, -12.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "current"), -2.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "applied_voltage"), -2.0 * R, 1e-14);
    CHECK_CLOSE(drive_get(&d, "limited"), 1.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "servo_damping"), N * N * b, 1e-15); // the current does not fall with speed
}

TEST(bad_parameters_are_named)
{
    drive_refuses("motor", "resistance", 0.0);
    drive_refuses("motor", "torque_constant", -1.0);
    drive_refuses("motor", "friction", NAN);
    drive_refuses("motor", "gear_ratio", 0.0);
    drive_refuses("motor", "efficiency", 0.0);
    drive_refuses("motor", "efficiency", 1.1);
    drive_refuses("motor", "slip_speed", 0.0);
    drive_refuses("motor", "current_limit", -1.0);
    drive_refuses("motor", "stall_speed", -1.0);
    drive_refuses("motor", "continuous", 2.0);
}

TEST_MAIN(CASE(stall_torque_is_kt_v_over_r_times_the_ratio), CASE(no_load_speed_is_v_over_kt_times_the_ratio),
          CASE(electrical_power_is_work_heat_friction_and_gear_loss), CASE(the_gear_loses_on_the_side_that_is_driven),
          CASE(held_and_continuous_parts_make_up_the_same_law), CASE(limits_hold_and_are_told),
          CASE(bad_parameters_are_named))
