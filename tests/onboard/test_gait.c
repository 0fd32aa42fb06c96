// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gaits: references are the published waves, rates are their derivatives, and robots that cannot
/// do a gait are refused.
#include "device/drive.h"

enum { N = 8 };

/// A gait on a snake with the given axes, blended in at once.
static void gait(Drive *d, const char *name, const char *axes)
{
    drive_init(d, name, 0.01);
    drive_group(d, N, axes);
    drive_set(d, "ramp", 0.0);
}

TEST(sidewinding_is_two_waves_a_quarter_apart)
{
    Drive d;
    gait(&d, "gait_sidewind", "zy");
    drive_set(&d, "amplitude", 0.6);
    drive_set(&d, "vertical_amplitude", 0.25);
    drive_set(&d, "frequency", 0.8);
    drive_set(&d, "phase_step", 0.7);
    drive_set(&d, "offset", 0.05);
    drive_set(&d, "vertical_offset", -0.02);
    CHECK(drive_start(&d) == NULL);
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < 400; k++) {
        const double P = 2.0 * pi * 0.8 * 0.01 * k;
        drive_update(&d);
        for (int n = 0; n < N; n++) {
            const double want = n % 2 ? -0.02 + 0.25 * sin(P + 0.7 * n + pi / 2.0) : 0.05 + 0.6 * sin(P + 0.7 * n);
            CHECK_CLOSE(d.commands[n].position, want, 1e-10);
        }
    }
}

TEST(rates_are_the_derivatives_of_references_while_blending_and_after)
{
    static const char *const names[] = {"gait_undulate", "gait_sidewind", "gait_roll", "gait_helix"};
    for (int g = 0; g < 4; g++) {
        Drive d;
        double before[N], rate[N];
        drive_init(&d, names[g], 1e-4);
        drive_group(&d, N, "zy");
        drive_set(&d, "ramp", 0.2);
        for (int n = 0; n < N; n++)
            d.joints[n].position = 0.1 * n - 0.3;
        CHECK(drive_start(&d) == NULL);
        for (int k = 0; k < 4000; k++) {
            drive_update(&d);
            for (int n = 0; n < N; n++) {
                if (k == 0) // starts where the joints stand, at rest
                    CHECK(d.commands[n].position == 0.1 * n - 0.3 && d.commands[n].rate == 0.0);
                else // trapezoidal rule: h^3 / 12 times a third derivative of up to 12 / ramp^3 times the way of a joint
                    CHECK_CLOSE(d.commands[n].position - before[n], 0.5e-4 * (rate[n] + d.commands[n].rate), 2e-10);
                before[n] = d.commands[n].position;
                rate[n] = d.commands[n].rate;
            }
        }
        CHECK(drive_get(&d, "blend") == 1.0);
    }
}

TEST(a_rolling_arc_keeps_its_curvature_and_turns_once_per_period)
{
    Drive d;
    gait(&d, "gait_roll", "zy");
    drive_set(&d, "amplitude", 0.4);
    drive_set(&d, "frequency", 1.0);
    CHECK(drive_start(&d) == NULL);
    for (int k = 0; k < 100; k++) {
        drive_update(&d);
        const double angle = 2.0 * 3.14159265358979323846 * 0.01 * k;
        for (int n = 0; n < N; n += 2) {
            CHECK_CLOSE(hypot(d.commands[n].position, d.commands[n + 1].position), 0.4, 1e-12);
            CHECK_CLOSE(d.commands[n].position, 0.4 * sin(angle), 1e-10);
            CHECK_CLOSE(d.commands[n + 1].position, 0.4 * cos(angle), 1e-10);
        }
    }
}

TEST(a_helix_of_bends_and_twists_stands_still_and_may_not_travel)
{
    Drive d;
    gait(&d, "gait_helix", "zx");
    drive_set(&d, "phase_step", 0.3);
    drive_set(&d, "frequency", 0.0);
    CHECK(drive_start(&d) == NULL);
    drive_update(&d);
    for (int n = 0; n < N; n++)
        CHECK_CLOSE(d.commands[n].position, n % 2 ? 0.3 : 0.5, 0.0);
    drive_set(&d, "frequency", 0.5);
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "'frequency' must be 0"));
}

TEST(undulation_needs_lateral_bends_alone_and_holds_the_rest_straight)
{
    Drive d;
    gait(&d, "gait_undulate", "zx");
    CHECK(drive_start(&d) == NULL);
    for (int k = 0; k < 50; k++) {
        drive_update(&d);
        for (int n = 1; n < N; n += 2)
            CHECK(d.commands[n].position == 0.0);
    }
    gait(&d, "gait_undulate", "y");
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "bend sideways"));
}

TEST(robots_that_cannot_do_a_gait_are_told_so)
{
    static const char *const names[] = {"gait_sidewind", "gait_roll", "gait_helix"};
    for (int g = 0; g < 3; g++) {
        Drive d;
        gait(&d, names[g], "z");
        const char *why = drive_start(&d);
        CHECK(why && strstr(why, "sideways") && strstr(why, "up and down"));
    }
}

/// Bends and twists by turns: with the twists at 90 degrees to and fro, the direction in which each bend
/// turns the body, seen from the tail, is that of a snake with bends of two kinds.
TEST(bends_and_twists_sidewind_and_roll_as_two_kinds_of_bends_do)
{
    static const char *const names[] = {"gait_sidewind", "gait_roll"};
    for (int g = 0; g < 2; g++) {
        Drive d, two;
        gait(&d, names[g], "zx");
        gait(&two, names[g], "zy");
        drive_set(&d, "frequency", 0.3);
        drive_set(&two, "frequency", 0.3);
        CHECK(drive_start(&d) == NULL && drive_start(&two) == NULL);
        for (int k = 0; k < 400; k++) {
            drive_update(&d);
            drive_update(&two);
        }
        RiMat3 R = ri_mat3_rpy(0.0, 0.0, 0.0);
        for (int n = 0; n < N; n++) {
            if (n % 2) { // twists, about x
                const RiMat3 turn = ri_mat3_rpy(d.commands[n].position, 0.0, 0.0);
                CHECK_CLOSE(fabs(d.commands[n].position), 0.5 * M_PI, 1e-12);
                R = ri_mat3_mul(&R, &turn);
                continue;
            }
            const RiVec3 axis = ri_rotate(&R, ri_vec3(0.0, 0.0, d.commands[n].position));
            const int bend = n / 2; // bends by turns lateral and vertical, as those of the other snake
            if (bend % 2)
                CHECK_CLOSE(axis.y, two.commands[bend].position, 1e-9);
            else
                CHECK_CLOSE(axis.z, two.commands[bend].position, 1e-9);
        }
    }
}

TEST(amplitudes_and_speeds_beyond_a_joint_are_refused)
{
    Drive d;
    gait(&d, "gait_undulate", "z");
    drive_set(&d, "amplitude", 1.5);
    drive_set(&d, "offset", 0.6); // limit 2
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "limits of a joint"));
    drive_set(&d, "offset", 0.0);
    drive_set(&d, "frequency", 20.0); // limit 100 rad/s
    why = drive_start(&d);
    CHECK(why && strstr(why, "faster than a joint"));
    drive_set(&d, "frequency", 1.0);
    CHECK(drive_start(&d) == NULL);
}

TEST_MAIN(CASE(sidewinding_is_two_waves_a_quarter_apart),
          CASE(rates_are_the_derivatives_of_references_while_blending_and_after),
          CASE(a_rolling_arc_keeps_its_curvature_and_turns_once_per_period),
          CASE(a_helix_of_bends_and_twists_stands_still_and_may_not_travel),
          CASE(undulation_needs_lateral_bends_alone_and_holds_the_rest_straight),
          CASE(robots_that_cannot_do_a_gait_are_told_so),
          CASE(bends_and_twists_sidewind_and_roll_as_two_kinds_of_bends_do),
          CASE(amplitudes_and_speeds_beyond_a_joint_are_refused))
