// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inertial unit: truth in frame axes, and noise whose Allan deviation is that of its
/// parameters.
#include "drive.h"

TEST(truth_is_specific_force_and_rate_in_frame_axes)
{
    RiRng rng = ri_rng_stream(2, "imu");
    Drive d;
    drive_init(&d, "imu", 0.01);
    CHECK(drive_start(&d) == NULL);
    drive_update(&d); // at rest and level: the support pushes upwards
    CHECK_CLOSE(drive_get(&d, "accel_z"), 9.81, 1e-15);
    d.call.frame_acceleration.lin = d.call.gravity; // falling freely: nothing
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "accel_z"), 0.0, 0.0);
    for (int i = 0; i < 100; i++) {
        // on a turntable of radius r at rate w about the vertical, the frame's x axis outwards
        const double w = ri_rng_between(&rng, -3.0, 3.0), r = ri_rng_between(&rng, 0.1, 2.0);
        const double angle = ri_rng_between(&rng, -3.0, 3.0);
        d.call.frame_pose.R = ri_mat3_rpy(0.0, 0.0, angle);
        d.call.frame_velocity.ang = ri_vec3(0.0, 0.0, w);
        d.call.frame_acceleration.lin = ri_vec3(-w * w * r * cos(angle), -w * w * r * sin(angle), 0.0);
        drive_update(&d);
        CHECK_CLOSE(drive_get(&d, "accel_x"), -w * w * r, 1e-13);
        CHECK_CLOSE(drive_get(&d, "accel_y"), 0.0, 1e-13);
        CHECK_CLOSE(drive_get(&d, "truth_accel_z"), 9.81, 1e-13);
        CHECK_CLOSE(drive_get(&d, "gyro_z"), w, 1e-14);
    }
    d.call.frame_pose.R = ri_mat3_rpy(0.0, 0.5, 0.0); // nose down by 0.5: upwards is (-sin, 0, cos)
    d.call.frame_acceleration.lin = ri_vec3(0.0, 0.0, 0.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "accel_x"), -9.81 * sin(0.5), 1e-14);
    CHECK_CLOSE(drive_get(&d, "accel_z"), 9.81 * cos(0.5), 1e-14);
}

TEST(scale_bias_and_range_act_on_each_channel)
{
    Drive d;
    drive_init(&d, "imu", 0.01);
    drive_set(&d, "accel_scale", 0.01);
    drive_set(&d, "accel_bias_z", 0.2);
    drive_set(&d, "gyro_bias_x", -0.1);
    drive_set(&d, "gyro_scale", -0.5);
    drive_set(&d, "gyro_range", 2.0);
    CHECK(drive_start(&d) == NULL);
    d.call.frame_velocity.ang = ri_vec3(1.0, 6.0, 0.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "accel_z"), 1.01 * 9.81 + 0.2, 1e-14);
    CHECK_CLOSE(drive_get(&d, "gyro_x"), 0.5 - 0.1, 1e-15);
    CHECK_CLOSE(drive_get(&d, "gyro_y"), 2.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "truth_gyro_y"), 6.0, 0.0);
    CHECK_CLOSE(drive_get(&d, "saturated"), 1.0, 0.0);
    drive_refuses("imu", "accel_noise", -1.0);
    drive_refuses("imu", "gyro_walk", NAN);
    drive_refuses("imu", "gyro_walk_time", -1.0);
    drive_refuses("imu", "accel_range", -1.0);
    drive_refuses("imu", "gyro_scale", -1.0);
}

enum { RATE = 100, SAMPLES = 3600 * RATE, CHANNELS = 6 };

/// Sums of a channel's samples: sums[k][i] = y_0 + ... + y_{i-1}.
static double *record(const Drive *d, int samples, const char *const *names)
{
    Drive run = *d;
    run.call.x = run.x;
    run.call.connected = run.connected;
    int port[CHANNELS];
    for (int k = 0; k < CHANNELS; k++)
        port[k] = drive_port(&run, names[k]);
    double *sums = calloc((size_t)CHANNELS * ((size_t)samples + 1), sizeof *sums);
    if (!sums)
        exit(1);
    for (int i = 0; i < samples; i++) {
        drive_update(&run);
        for (int k = 0; k < CHANNELS; k++) {
            double *s = sums + (size_t)k * ((size_t)samples + 1);
            s[i + 1] = s[i] + run.x[port[k]];
        }
    }
    return sums;
}

/// Overlapping Allan variance of three channels at averaging length m.
static double allan_variance(const double *sums, int samples, int m)
{
    double total = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *s = sums + (size_t)k * ((size_t)samples + 1);
        for (int i = 0; i + 2 * m <= samples; i++) {
            const double step = (s[i + 2 * m] - 2.0 * s[i + m] + s[i]) / m;
            total += 0.5 * step * step;
        }
    }
    return total / (3.0 * (samples - 2 * m + 1));
}

static const char *const channels[CHANNELS] = {"gyro_x", "gyro_y", "gyro_z", "accel_x", "accel_y", "accel_z"};

TEST(allan_deviation_of_an_hour_matches_the_parameters)
{
    const double N = 1e-3, K = 2e-3, Na = 0.02, Ka = 0.03, T = 2.0;
    Drive d;
    drive_init(&d, "imu", 1.0 / RATE);
    drive_set(&d, "gyro_noise", N);
    drive_set(&d, "gyro_walk", K);
    drive_set(&d, "accel_noise", Na);
    drive_set(&d, "accel_walk", Ka);
    drive_set(&d, "accel_walk_time", T);
    d.call.gravity = ri_vec3(0.0, 0.0, 0.0);
    CHECK(drive_start(&d) == NULL);
    double *sums = record(&d, SAMPLES, channels);
    const int lengths[] = {1, 3, 10, 30, 100, 300, 1000, 2000};
    for (int k = 0; k < 8; k++) {
        const double tau = (double)lengths[k] / RATE, x = tau / T;
        const double gyro = sqrt(allan_variance(sums, SAMPLES, lengths[k]));
        const double accel = sqrt(allan_variance(sums + 3 * ((size_t)SAMPLES + 1), SAMPLES, lengths[k]));
        const double want = sqrt(N * N / tau + K * K * tau / 3.0);
        const double bounded = Ka * T * Ka * T / tau * (1.0 - (3.0 - 4.0 * exp(-x) + exp(-2.0 * x)) / (2.0 * x));
        const double want_accel = sqrt(Na * Na / tau + bounded);
        CHECK_CLOSE(gyro / want, 1.0, 0.05);
        CHECK_CLOSE(accel / want_accel, 1.0, 0.05);
        if (tau <= 0.1) // angle random walk alone, slope -1/2
            CHECK_CLOSE(gyro / (N / sqrt(tau)), 1.0, 0.05);
        if (tau >= 10.0) // rate random walk alone, slope +1/2
            CHECK_CLOSE(gyro / (K * sqrt(tau / 3.0)), 1.0, 0.05);
    }
    free(sums);
}

TEST(integrated_noise_does_not_depend_on_the_rate)
{
    const double N = 0.01;
    for (int rate = 10; rate <= 1000; rate *= 10) {
        Drive d;
        drive_init(&d, "imu", 1.0 / rate);
        drive_set(&d, "gyro_noise", N);
        CHECK(drive_start(&d) == NULL);
        const int seconds = 1000;
        double *sums = record(&d, seconds * rate, channels), squares = 0.0;
        for (int s = 0; s < seconds; s++) { // the angle of one second has deviation N
            for (int k = 0; k < 3; k++) {
                const double *y = sums + (size_t)k * ((size_t)seconds * (size_t)rate + 1);
                const double angle = (y[(s + 1) * rate] - y[s * rate]) / rate;
                squares += angle * angle;
            }
        }
        CHECK_CLOSE(sqrt(squares / (3.0 * seconds)) / N, 1.0, 0.05);
        free(sums);
    }
}

TEST(equal_seeds_give_equal_bits)
{
    Drive a, b;
    drive_init(&a, "imu", 0.01);
    drive_set(&a, "gyro_noise", 1.0);
    drive_set(&a, "gyro_walk", 1.0);
    b = a;
    b.call.x = b.x;
    b.call.connected = b.connected;
    for (int i = 0; i < 100; i++) {
        drive_update(&a);
        drive_update(&b);
    }
    CHECK(memcmp(a.x, b.x, sizeof a.x) == 0);
    b.call.seed = 2;
    drive_update(&a);
    drive_update(&b);
    CHECK(drive_get(&a, "gyro_x") != drive_get(&b, "gyro_x"));
    CHECK(drive_get(&a, "gyro_x") != drive_get(&a, "gyro_y"));
}

TEST_MAIN(CASE(truth_is_specific_force_and_rate_in_frame_axes), CASE(scale_bias_and_range_act_on_each_channel),
          CASE(allan_deviation_of_an_hour_matches_the_parameters), CASE(integrated_noise_does_not_depend_on_the_rate),
          CASE(equal_seeds_give_equal_bits))
