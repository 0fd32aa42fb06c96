// SPDX-License-Identifier: Apache-2.0
/// \file
/// Encoder, potentiometer, inclinometer, force-torque sensor.
#include "drive.h"

static const double pi = 3.14159265358979323846;

TEST(encoder_counts_and_is_off_by_at_most_half_a_count)
{
    RiRng rng = ri_rng_stream(5, "encoder");
    Drive d;
    drive_init(&d, "encoder", 0.02);
    drive_set(&d, "resolution", 512.0);
    drive_set(&d, "gear_ratio", -20.0);
    drive_set(&d, "offset", 0.3);
    CHECK(drive_start(&d) == NULL);
    const double step = 2.0 * pi / (512.0 * 20.0);
    double before = 0.0;
    for (int i = 0; i < 1000; i++) {
        d.call.joint_position = ri_rng_between(&rng, -20.0, 20.0);
        drive_update(&d);
        const double got = drive_get(&d, "position");
        CHECK(fabs(got - d.call.joint_position) <= 0.5 * step * (1.0 + 1e-9));
        CHECK(drive_get(&d, "count") == rint(drive_get(&d, "count")));
        CHECK_CLOSE(drive_get(&d, "velocity"), i ? (got - before) / 0.02 : 0.0, 1e-9);
        before = got;
    }
    d.call.joint_position = 0.3 + 1.0; // one radian, against the encoder's direction
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "count"), floor(-512.0 * 20.0 / (2.0 * pi) + 0.5), 0.0);
    drive_refuses("encoder", "resolution", 0.0);
    drive_refuses("encoder", "gear_ratio", 0.0);
    drive_refuses("encoder", "offset", NAN);
    drive_refuses("encoder", "sign", 0.5);
}

static void potentiometer(Drive *d, double bits, double linearity, double noise)
{
    drive_init(d, "potentiometer", 0.01);
    drive_set(d, "low", -1.0);
    drive_set(d, "high", 3.0);
    drive_set(d, "bits", bits);
    drive_set(d, "linearity", linearity);
    drive_set(d, "noise", noise);
    CHECK(drive_start(d) == NULL);
}

TEST(potentiometer_quantises_bends_and_saturates)
{
    Drive d;
    potentiometer(&d, 10.0, 0.0, 0.0);
    for (int i = 0; i <= 400; i++) {
        d.call.joint_position = -1.0 + 0.01 * i;
        drive_update(&d);
        CHECK(fabs(drive_get(&d, "position") - d.call.joint_position) <= 0.5 * 4.0 / 1023.0 * (1.0 + 1e-9));
        CHECK(drive_get(&d, "code") == rint(drive_get(&d, "code")) && drive_get(&d, "code") <= 1023.0);
    }
    d.call.joint_position = 3.5;
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "position"), 3.0, 1e-15);
    CHECK_CLOSE(drive_get(&d, "code"), 1023.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "saturated"), 1.0, 0.0);
    potentiometer(&d, 0.0, 0.02, 0.0);
    d.call.joint_position = 1.0; // the middle
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "position"), 1.0 + 0.02 * 4.0, 1e-14);
    d.call.joint_position = -1.0; // the ends are right
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "position"), -1.0, 1e-14);
    CHECK_CLOSE(drive_get(&d, "saturated"), 0.0, 0.0);
    drive_refuses("potentiometer", "low", 4.0);
    drive_refuses("potentiometer", "linearity", 0.3);
    drive_refuses("potentiometer", "noise", -1.0);
    drive_refuses("potentiometer", "bits", 7.5);
    drive_refuses("potentiometer", "sign", 0.0);
}

/// Mean and standard deviation of a port's error over many updates.
static void spread(Drive *d, const char *port, double truth, double *out_mean, double *out_deviation)
{
    enum { SAMPLES = 40000 };
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        drive_update(d);
        const double e = drive_get(d, port) - truth;
        sum += e;
        squares += e * e;
    }
    *out_mean = sum / SAMPLES;
    *out_deviation = sqrt(squares / SAMPLES - *out_mean * *out_mean);
}

TEST(noise_has_the_given_deviation)
{
    Drive d;
    double mean, deviation;
    potentiometer(&d, 0.0, 0.0, 0.05);
    d.call.joint_position = 1.0;
    spread(&d, "position", 1.0, &mean, &deviation);
    CHECK_CLOSE(mean, 0.0, 4.0 * 0.05 / 200.0);
    CHECK_CLOSE(deviation, 0.05, 0.02 * 0.05);
    drive_init(&d, "inclinometer", 0.01);
    drive_set(&d, "noise", 0.01);
    drive_set(&d, "pitch_bias", 0.02);
    CHECK(drive_start(&d) == NULL);
    spread(&d, "pitch", 0.02, &mean, &deviation);
    CHECK_CLOSE(mean, 0.0, 4.0 * 0.01 / 200.0);
    CHECK_CLOSE(deviation, 0.01, 0.02 * 0.01);
    drive_init(&d, "force_torque", 0.01);
    drive_set(&d, "torque_noise", 0.3);
    CHECK(drive_start(&d) == NULL);
    spread(&d, "torque_y", 0.0, &mean, &deviation);
    CHECK_CLOSE(deviation, 0.3, 0.02 * 0.3);
    CHECK_CLOSE(drive_get(&d, "force_y"), 0.0, 0.0);
}

TEST(channels_have_noise_of_their_own)
{
    Drive d;
    drive_init(&d, "force_torque", 0.01);
    drive_set(&d, "force_noise", 1.0);
    drive_set(&d, "torque_noise", 1.0);
    drive_update(&d);
    const char *const names[] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++)
            CHECK(drive_get(&d, names[i]) != drive_get(&d, names[k]));
    drive_init(&d, "inclinometer", 0.01);
    drive_set(&d, "noise", 0.1);
    drive_update(&d);
    CHECK(drive_get(&d, "roll") != drive_get(&d, "pitch"));
}

TEST(inclinometer_finds_roll_and_pitch_whatever_the_yaw)
{
    RiRng rng = ri_rng_stream(9, "tilt");
    for (int i = 0; i < 500; i++) {
        Drive d;
        drive_init(&d, "inclinometer", 0.01);
        CHECK(drive_start(&d) == NULL);
        const double roll = ri_rng_between(&rng, -3.1, 3.1), pitch = ri_rng_between(&rng, -1.5, 1.5);
        d.call.frame_pose.R = ri_mat3_rpy(roll, pitch, ri_rng_between(&rng, -3.0, 3.0));
        d.call.frame_acceleration.lin = ri_vec3(1.0, 2.0, 3.0); // quasi-static: plays no part
        drive_update(&d);
        CHECK_CLOSE(drive_get(&d, "roll"), roll, 1e-12);
        CHECK_CLOSE(drive_get(&d, "pitch"), pitch, 1e-12);
    }
}

TEST(inclinometer_steps_saturates_and_feels_accelerations_if_asked)
{
    Drive d;
    drive_init(&d, "inclinometer", 0.01);
    drive_set(&d, "resolution", 0.01);
    drive_set(&d, "range", 0.5);
    CHECK(drive_start(&d) == NULL);
    d.call.frame_pose.R = ri_mat3_rpy(0.1234, 0.7, 0.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "roll"), 0.12, 1e-15);
    CHECK_CLOSE(drive_get(&d, "pitch"), 0.5, 0.0);
    CHECK_CLOSE(drive_get(&d, "truth_pitch"), 0.7, 1e-14);
    CHECK_CLOSE(drive_get(&d, "saturated"), 1.0, 0.0);
    d.call.gravity = ri_vec3(0.0, 0.0, 0.0); // free fall: the reading stays
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "valid"), 0.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "roll"), 0.12, 1e-15);
    drive_init(&d, "inclinometer", 0.01);
    drive_set(&d, "dynamic", 1.0);
    d.call.frame_acceleration.lin = ri_vec3(1.0, 0.0, 0.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "pitch"), -atan2(1.0, 9.81), 1e-14); // speeding up looks like nose up
    CHECK_CLOSE(drive_get(&d, "truth_pitch"), 0.0, 0.0);
    drive_refuses("inclinometer", "noise", -1.0);
    drive_refuses("inclinometer", "roll_bias", NAN);
    drive_refuses("inclinometer", "range", -1.0);
    drive_refuses("inclinometer", "dynamic", 3.0);
}

TEST(force_torque_sensor_reads_bias_and_range)
{
    Drive d;
    drive_init(&d, "force_torque", 0.01);
    drive_set(&d, "force_bias_y", 0.5);
    drive_set(&d, "torque_bias_z", -0.25);
    drive_set(&d, "force_range", 100.0);
    CHECK(drive_start(&d) == NULL);
    d.call.wrench = (RiSpatial){{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
    drive_update(&d);
    const char *const names[] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
    const double want[] = {4.0, 5.5, 6.0, 1.0, 2.0, 2.75};
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(drive_get(&d, names[k]), want[k], 1e-15);
    CHECK_CLOSE(drive_get(&d, "saturated"), 0.0, 0.0);
    d.call.wrench.lin.x = -250.0;
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "force_x"), -100.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "saturated"), 1.0, 0.0);
    drive_refuses("force_torque", "force_noise", -1.0);
    drive_refuses("force_torque", "torque_range", -1.0);
    drive_refuses("force_torque", "force_range", NAN);
}

TEST(sun_sensor_reads_the_direction_in_its_own_axes)
{
    Drive d;
    drive_init(&d, "sun_sensor", 0.01);
    drive_set(&d, "bias_z", 0.01);
    drive_set(&d, "field_of_view", 0.5 * pi);
    CHECK(drive_start(&d) == NULL);
    d.call.frame_pose.R = ri_mat3_rpy(0.0, -0.5, 0.25 * pi); // looks north-east, upwards
    d.call.sun = ri_rotate(&d.call.frame_pose.R, ri_vec3(0.8, 0.6, 0.0));
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "truth_x"), 0.8, 1e-15);
    CHECK_CLOSE(drive_get(&d, "truth_y"), 0.6, 1e-15);
    CHECK_CLOSE(drive_get(&d, "truth_z"), 0.0, 1e-15);
    CHECK_CLOSE(atan2(drive_get(&d, "y"), drive_get(&d, "x")), atan2(0.6, 0.8) + atan(0.01), 1e-12);
    CHECK_CLOSE(drive_get(&d, "valid"), 1.0, 0.0);
    d.call.sun = ri_rotate(&d.call.frame_pose.R, ri_vec3(0.6, 0.8, 0.0)); // 53 degrees off, beside the cone
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "valid"), 0.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "truth_x"), 0.6, 1e-15);
    CHECK(drive_get(&d, "x") > 0.79);      // the last reading stays
    d.call.sun = ri_vec3(0.6, 0.78, -0.1); // set
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "valid"), 0.0, 0.0);
    drive_refuses("sun_sensor", "noise", -1.0);
    drive_refuses("sun_sensor", "bias_y", NAN);
    drive_refuses("sun_sensor", "field_of_view", 7.0);
}

TEST(sun_sensor_is_off_by_the_given_deviation_about_two_axes)
{
    enum { SAMPLES = 20000 };
    Drive d;
    double squares = 0.0;
    drive_init(&d, "sun_sensor", 0.01);
    drive_set(&d, "noise", 0.01);
    CHECK(drive_start(&d) == NULL);
    d.call.sun = ri_vec3(0.48, 0.6, 0.64);
    for (int i = 0; i < SAMPLES; i++) {
        drive_update(&d);
        const RiVec3 y = ri_vec3(drive_get(&d, "x"), drive_get(&d, "y"), drive_get(&d, "z"));
        CHECK_CLOSE(ri_norm(y), 1.0, 1e-14);
        const double off = ri_norm(ri_cross(y, d.call.sun));
        squares += off * off;
    }
    CHECK_CLOSE(sqrt(squares / SAMPLES), sqrt(2.0) * 0.01, 0.02 * 0.01);
}

TEST_MAIN(CASE(encoder_counts_and_is_off_by_at_most_half_a_count), CASE(potentiometer_quantises_bends_and_saturates),
          CASE(noise_has_the_given_deviation), CASE(channels_have_noise_of_their_own),
          CASE(inclinometer_finds_roll_and_pitch_whatever_the_yaw),
          CASE(inclinometer_steps_saturates_and_feels_accelerations_if_asked),
          CASE(force_torque_sensor_reads_bias_and_range), CASE(sun_sensor_reads_the_direction_in_its_own_axes),
          CASE(sun_sensor_is_off_by_the_given_deviation_about_two_axes))
