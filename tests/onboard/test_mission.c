// SPDX-License-Identifier: Apache-2.0
/// \file
/// The mission's phases, its measures and its failures.
#include "device/drive.h"

enum { N = 5 };

/// A body of N joints along a line that leans by an angle from the vertical, its middle at a
/// height.
static void stand(Drive *d, double lean, double height)
{
    for (int i = 0; i < N; i++) {
        const double s = 0.3 * (i - 0.5 * (N - 1));
        d->joints[i].pose.p = ri_vec3(s * sin(lean), 0.0, height + s * cos(lean));
    }
}

static void mission(Drive *d)
{
    drive_init(d, "mission", 0.01);
    drive_group(d, N, "z");
    stand(d, 0.1, 2.0);
    drive_set(d, "hold_time", 1.0);
    drive_set(d, "settle_time", 0.5);
    CHECK(drive_start(d) == NULL);
}

static void run(Drive *d, double seconds)
{
    for (int k = 0; k < (int)lround(100.0 * seconds); k++)
        drive_update(d);
}

TEST(contact_then_hold_then_climb_then_done)
{
    Drive d;
    mission(&d);
    drive_set(&d, "climb_goal", 1.0);
    run(&d, 1.0);
    CHECK(drive_get(&d, "phase") == 0.0); // nothing touches
    drive_set(&d, "touching", 4.0);
    run(&d, 0.45);
    CHECK(drive_get(&d, "phase") == 0.0);
    run(&d, 0.1);
    CHECK(drive_get(&d, "phase") == 1.0 && drive_get(&d, "speed") == 0.0);
    run(&d, 1.0);
    CHECK(drive_get(&d, "phase") == 2.0);
    CHECK_CLOSE(drive_get(&d, "speed"), 0.05, 0.0);
    CHECK_CLOSE(drive_get(&d, "held"), 1.0, 0.011);
    stand(&d, 0.1, 2.6);
    run(&d, 0.01);
    CHECK_CLOSE(drive_get(&d, "climbed"), 0.6, 1e-12);
    stand(&d, 0.1, 2.4); // slides back
    run(&d, 0.01);
    CHECK_CLOSE(drive_get(&d, "climbed"), 0.4, 1e-12);
    CHECK_CLOSE(drive_get(&d, "farthest"), 0.6, 1e-12);
    stand(&d, 0.1, 3.1);
    run(&d, 0.01);
    CHECK(drive_get(&d, "phase") == 3.0 && drive_get(&d, "speed") == 0.0);
}

TEST(pitch_is_the_angle_to_gravity_whichever_end_is_up)
{
    Drive d;
    mission(&d);
    for (int k = -30; k <= 30; k++) {
        const double lean = 0.1 * k, pi = 3.14159265358979323846;
        stand(&d, lean, 0.0);
        drive_update(&d);
        const double a = fabs(lean) > pi / 2.0 ? pi - fabs(lean) : fabs(lean);
        CHECK_CLOSE(drive_get(&d, "pitch"), a, 1e-12);
    }
    d.call.gravity = ri_vec3(-1.0, 0.0, 0.0); // gravity along x: the same body lies
    stand(&d, 0.0, 0.0);
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "pitch"), 3.14159265358979323846 / 2.0, 1e-12);
}

TEST(beyond_60_degrees_mobility_is_lost_for_good)
{
    Drive d;
    mission(&d);
    const double degree = 3.14159265358979323846 / 180.0;
    drive_set(&d, "touching", 4.0);
    run(&d, 2.0);
    CHECK(drive_get(&d, "phase") == 2.0);
    stand(&d, 59.9 * degree, 2.0);
    run(&d, 0.1);
    CHECK(drive_get(&d, "mobility_failure") == 0.0);
    stand(&d, 60.1 * degree, 2.5);
    run(&d, 0.01);
    CHECK(drive_get(&d, "mobility_failure") == 1.0 && drive_get(&d, "speed") == 0.0);
    CHECK(drive_get(&d, "farthest") < 1e-12); // what comes with or after the failure does not count
    stand(&d, 0.0, 2.0);
    run(&d, 0.1);
    CHECK(drive_get(&d, "mobility_failure") == 1.0);
}

TEST(sinking_while_holding_fails_and_lost_contact_starts_anew)
{
    Drive d;
    mission(&d);
    drive_set(&d, "touching", 4.0);
    run(&d, 1.0);
    CHECK(drive_get(&d, "phase") == 1.0 && drive_get(&d, "held") > 0.4);
    drive_set(&d, "touching", 1.0);
    run(&d, 0.1);
    CHECK(drive_get(&d, "phase") == 0.0 && drive_get(&d, "held") == 0.0);
    drive_set(&d, "touching", 4.0);
    run(&d, 0.6);
    stand(&d, 0.1, 1.985);
    run(&d, 0.1);
    CHECK(drive_get(&d, "hold_failure") == 0.0);
    stand(&d, 0.1, 1.975);
    run(&d, 3.0);
    CHECK(drive_get(&d, "hold_failure") == 1.0 && drive_get(&d, "phase") == 1.0);
}

TEST_MAIN(CASE(contact_then_hold_then_climb_then_done), CASE(pitch_is_the_angle_to_gravity_whichever_end_is_up),
          CASE(beyond_60_degrees_mobility_is_lost_for_good),
          CASE(sinking_while_holding_fails_and_lost_contact_starts_anew))
