// SPDX-License-Identifier: Apache-2.0
/// \file
/// The trapezoidal profile: closed forms, bounds under any sequence of targets, exact landing.
#include "drive.h"

static void profile(Drive *d, double v, double a, double dt, double from)
{
    drive_init(d, "profile", dt);
    drive_set(d, "max_velocity", v);
    drive_set(d, "max_acceleration", a);
    d->call.joint_position = from;
    CHECK(drive_start(d) == NULL);
    CHECK_CLOSE(drive_get(d, "position"), from, 0.0);
}

/// Position at time t of the textbook trapezoid of length D >= 0, from rest to rest.
static double textbook(double t, double D, double v, double a)
{
    const double peak = fmin(v, sqrt(a * D)), t1 = peak / a, total = D / peak + t1;
    if (t >= total)
        return D;
    if (t < t1)
        return 0.5 * a * t * t;
    if (t < total - t1)
        return 0.5 * peak * t1 + peak * (t - t1);
    return D - 0.5 * a * (total - t) * (total - t);
}

TEST(rest_to_rest_is_the_textbook_trapezoid)
{
    const double lengths[] = {3.0, 0.9, 0.4, 1e-3, 250.0};
    for (int k = 0; k < 5; k++) {
        const double D = lengths[k], v = 0.7, a = 0.55, dt = 0.0137; // dt divides nothing
        for (int side = -1; side <= 1; side += 2) {
            Drive d;
            profile(&d, v, a, dt, 0.25);
            drive_set(&d, "target", 0.25 + side * D);
            int n = 0;
            while (drive_get(&d, "done") == 0.0 && n < 100000) {
                drive_update(&d);
                n++;
                CHECK_CLOSE(side * (drive_get(&d, "position") - 0.25), textbook(n * dt, D, v, a), 1e-11 * (1.0 + D));
                CHECK(side * (drive_get(&d, "position") - (0.25 + side * D)) <= 1e-12); // no overshoot
            }
            const double peak = fmin(v, sqrt(a * D)), total = D / peak + peak / a;
            CHECK_INT(n, (int)ceil(total / dt - 1e-9));
            CHECK(drive_get(&d, "position") == 0.25 + side * D && drive_get(&d, "velocity") == 0.0);
            drive_update(&d); // stays
            CHECK(drive_get(&d, "position") == 0.25 + side * D && drive_get(&d, "done") == 1.0);
            CHECK(drive_get(&d, "acceleration") == 0.0 && drive_get(&d, "remaining") == 0.0);
        }
    }
}

TEST(velocity_and_acceleration_keep_their_bounds_for_random_targets)
{
    RiRng rng = ri_rng_stream(3, "profile");
    for (int run = 0; run < 50; run++) {
        const double v_max = ri_rng_between(&rng, 0.05, 3.0), a = ri_rng_between(&rng, 0.05, 9.0);
        const double dt = ri_rng_between(&rng, 1e-3, 0.2);
        Drive d;
        profile(&d, v_max, a, dt, ri_rng_between(&rng, -1.0, 1.0));
        double p = drive_get(&d, "position"), v = 0.0;
        for (int n = 0; n < 3000; n++) {
            if (n < 2000 && ri_rng_below(&rng, 15) == 0)
                drive_set(&d, "target", ri_rng_between(&rng, -2.0, 2.0));
            drive_update(&d);
            const double p1 = drive_get(&d, "position"), v1 = drive_get(&d, "velocity");
            CHECK(fabs(v1) <= v_max * (1.0 + 1e-12));
            CHECK(fabs(v1 - v) <= a * dt * (1.0 + 1e-9) + 1e-12);
            CHECK(fabs(p1 - p) <= v_max * dt * (1.0 + 1e-9) + 1e-12);
            // a motion with bounded acceleration stays near its mean velocity
            CHECK(fabs(p1 - p - 0.5 * (v + v1) * dt) <= 0.25 * a * dt * dt * (1.0 + 1e-9) + 1e-12);
            CHECK(fabs(drive_get(&d, "acceleration")) <= a);
            p = p1, v = v1;
        }
        const double far = 4.0 / v_max + 4.0 * v_max / a;
        for (double t = 0.0; t < far; t += dt)
            drive_update(&d);
        CHECK(drive_get(&d, "position") == drive_get(&d, "target") && drive_get(&d, "done") == 1.0);
    }
}

TEST(a_target_behind_is_reached_after_stopping)
{
    Drive d;
    profile(&d, 1.0, 0.5, 0.01, 0.0);
    drive_set(&d, "target", 10.0);
    for (int n = 0; n < 300; n++) // at full speed after 2 s
        drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "velocity"), 1.0, 1e-12);
    const double turn = drive_get(&d, "position");
    drive_set(&d, "target", 0.0);
    double furthest = turn;
    while (drive_get(&d, "done") == 0.0) {
        drive_update(&d);
        furthest = fmax(furthest, drive_get(&d, "position"));
    }
    CHECK_CLOSE(furthest, turn + 1.0 / (2.0 * 0.5), 1e-4); // braking distance v^2 / (2 a), seen at samples
    CHECK(drive_get(&d, "position") == 0.0);
}

TEST(a_lower_speed_limit_is_braked_to_within_the_acceleration)
{
    Drive d;
    profile(&d, 1.0, 0.5, 0.01, 0.0);
    drive_set(&d, "target", 10.0);
    for (int n = 0; n < 300; n++)
        drive_update(&d);
    drive_set(&d, "max_velocity", 0.2);
    double v = drive_get(&d, "velocity");
    for (int n = 0; n < 200; n++) {
        drive_update(&d);
        CHECK(v - drive_get(&d, "velocity") <= 0.5 * 0.01 * (1.0 + 1e-9));
        v = drive_get(&d, "velocity");
    }
    CHECK_CLOSE(v, 0.2, 1e-12);
    drive_refuses("profile", "max_velocity", 0.0);
    drive_refuses("profile", "max_acceleration", -1.0);
}

TEST_MAIN(CASE(rest_to_rest_is_the_textbook_trapezoid),
          CASE(velocity_and_acceleration_keep_their_bounds_for_random_targets),
          CASE(a_target_behind_is_reached_after_stopping),
          CASE(a_lower_speed_limit_is_braked_to_within_the_acceleration))
