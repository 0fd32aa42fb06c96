// SPDX-License-Identifier: Apache-2.0
/// \file
/// The estimated pose: errors of visual odometry are as parameterised, the covariance tells the
/// truth, and failures leave odometry.
#include "device/drive.h"

static void place(Drive *d, double x, double y, double h)
{
    d->call.frame_pose.p = ri_vec3(x, y, 0.0);
    d->call.frame_pose.R = (RiMat3){{{cos(h), -sin(h), 0.0}, {sin(h), cos(h), 0.0}, {0.0, 0.0, 1.0}}};
}

static void report(Drive *d, double x, double y, double h)
{
    drive_set(d, "odometry_x", x);
    drive_set(d, "odometry_y", y);
    drive_set(d, "odometry_heading", h);
}

static void begin(Drive *d, unsigned long long seed)
{
    drive_init(d, "pose_estimator", 1.0);
    d->call.seed = seed;
    drive_connect(d, "odometry_x");
    drive_connect(d, "odometry_y");
    drive_connect(d, "odometry_heading");
    CHECK(drive_start(d) == NULL);
    drive_update(d);
}

TEST(exact_odometry_gives_an_exact_pose)
{
    Drive d;
    begin(&d, 1);
    for (int i = 1; i <= 200; i++) {
        const double h = 0.01 * i, r = 5.0; // an arc
        place(&d, r * sin(h), r * (1.0 - cos(h)), h);
        report(&d, r * sin(h), r * (1.0 - cos(h)), h);
        drive_update(&d);
    }
    CHECK_CLOSE(drive_get(&d, "error"), 0.0, 1e-12);
    CHECK(drive_get(&d, "sigma_x") > 0.0);
}

/// Wheels roll 1.25 m for each metre: odometry is 25 % long, and visual odometry is not. Its errors
/// have the deviation that was asked for.
TEST(visual_odometry_finds_slip_and_its_errors_are_as_parameterised)
{
    double sum = 0.0, ahead = 0.0;
    enum { RUNS = 60, STEPS = 40 };
    for (int run = 0; run < RUNS; run++) {
        Drive d;
        begin(&d, (unsigned)run + 1);
        drive_set(&d, "vo", 1.0);
        drive_set(&d, "vo_step", 0.5);
        drive_set(&d, "vo_error", 0.02);
        drive_set(&d, "vo_heading_error", 0.0);
        for (int i = 1; i <= STEPS; i++) {
            place(&d, 0.4 * i, 0.0, 0.0);
            report(&d, 0.5 * i, 0.0, 0.0);
            drive_update(&d);
        }
        CHECK(drive_get(&d, "vo_updates") == STEPS && drive_get(&d, "vo_failures") == 0.0);
        CHECK_CLOSE(drive_get(&d, "slip"), 0.2, 0.08);
        const double off = drive_get(&d, "x") - 0.4 * STEPS;
        sum += off * off + drive_get(&d, "y") * drive_get(&d, "y");
        ahead += off;
        CHECK_CLOSE(drive_get(&d, "sigma_x"), 0.02 * 0.4 * sqrt(STEPS), 1e-9); // what it claims
    }
    const double one = 0.02 * 0.4, expected = 2.0 * STEPS * one * one;
    CHECK_CLOSE(sum / RUNS, expected, 4.0 * expected / sqrt(RUNS)); // chi-square of 2 RUNS degrees: four deviations
    CHECK(fabs(ahead / RUNS) < 4.0 * one * sqrt(STEPS / (double)RUNS));
}

static double bare_height(const RiDeviceCall *call, RiVec3 p, int *out_material)
{
    (void)call;
    *out_material = p.x > 5.0; // sand begins there
    return 0.0;
}

TEST(on_featureless_sand_visual_odometry_fails_and_odometry_remains)
{
    Drive d;
    begin(&d, 3);
    d.call.ground_height = bare_height;
    drive_set(&d, "vo", 1.0);
    drive_set(&d, "vo_step", 0.5);
    drive_set(&d, "vo_time", 100.0);
    drive_set(&d, "bare_material", 1.0);
    for (int i = 1; i <= 20; i++) {
        place(&d, 0.5 * i, 0.0, 0.0);
        report(&d, 0.6 * i, 0.0, 0.0);
        drive_update(&d);
    }
    // pictures look 1.5 m ahead: those from 4 m on see sand
    CHECK(drive_get(&d, "vo_updates") == 7.0 && drive_get(&d, "vo_failures") == 13.0);
    CHECK_CLOSE(drive_get(&d, "vo_spent"), 2000.0, 1e-9);
    CHECK_CLOSE(drive_get(&d, "error"), 13 * 0.1, 0.1); // 0.1 m of slip for each that failed
    CHECK(drive_get(&d, "sigma_x") > 0.1 * sqrt(13 * 0.6) - 1e-9);
}

TEST(pictures_that_share_too_little_fail)
{
    Drive d;
    begin(&d, 3);
    drive_set(&d, "vo", 1.0);
    place(&d, 2.0, 0.0, 0.0);
    report(&d, 2.0, 0.0, 0.0); // beyond vo_most
    drive_update(&d);
    CHECK(drive_get(&d, "vo_failures") == 1.0 && drive_get(&d, "vo_updates") == 0.0);
}

/// A gyro with a bias turns the estimate; the sun brings it back within its own error over the root
/// of looks.
TEST(the_sun_holds_the_heading_against_the_drift_of_a_gyro)
{
    for (int sun = 0; sun < 2; sun++) {
        Drive d;
        begin(&d, 5);
        drive_connect(&d, "gyro");
        drive_set(&d, "gyro", 1e-3); // the rover stands
        drive_set(&d, "gyro_walk", 1e-3);
        d.call.sun = ri_vec3(0.6, 0.0, 0.8);
        drive_set(&d, "sun_x", 0.6);
        drive_set(&d, "sun_z", 0.8);
        drive_set(&d, "sun_valid", 1.0);
        drive_set(&d, "sun_error", 0.01);
        drive_set(&d, "sun_period", sun ? 10.0 : 0.0);
        for (int i = 0; i < 600; i++)
            drive_update(&d);
        if (!sun)
            CHECK_CLOSE(drive_get(&d, "error_heading"), 0.6, 2e-3);
        else
            CHECK(fabs(drive_get(&d, "error_heading")) < 0.04 && drive_get(&d, "sigma_heading") < 0.01);
    }
}

/// Turned by any angle, the estimate turns with it: covariance in the world's axes, its ellipse in
/// the rover's.
TEST(the_covariance_turns_with_the_world)
{
    double trace[2];
    for (int k = 0; k < 2; k++) {
        Drive d;
        const double h = k ? 0.8 : 0.0;
        begin(&d, 7);
        d.x[drive_port(&d, "started")] = 0.0;
        place(&d, 0.0, 0.0, h);
        report(&d, 0.0, 0.0, h);
        drive_update(&d);
        for (int i = 1; i <= 30; i++) {
            place(&d, 0.1 * i * cos(h), 0.1 * i * sin(h), h);
            report(&d, 0.1 * i * cos(h), 0.1 * i * sin(h), h);
            drive_update(&d);
        }
        trace[k] = drive_get(&d, "cov_xx") + drive_get(&d, "cov_yy");
        CHECK(drive_get(&d, "cov_xx") * drive_get(&d, "cov_yy") > pow(drive_get(&d, "cov_xy"), 2.0));
    }
    CHECK_CLOSE(trace[0], trace[1], 1e-12);
}

TEST_MAIN(CASE(exact_odometry_gives_an_exact_pose),
          CASE(visual_odometry_finds_slip_and_its_errors_are_as_parameterised),
          CASE(on_featureless_sand_visual_odometry_fails_and_odometry_remains),
          CASE(pictures_that_share_too_little_fail), CASE(the_sun_holds_the_heading_against_the_drift_of_a_gyro),
          CASE(the_covariance_turns_with_the_world))
