// SPDX-License-Identifier: Apache-2.0
/// \file
/// Follow the leader: a joint repeats what the leader did where the joint is now.
#include "device/drive.h"

enum { N = 8 };

static void follow(Drive *d, const char *axes, double dt)
{
    drive_init(d, "follow_the_leader", dt);
    drive_group(d, N, axes);
    CHECK(drive_start(d) == NULL);
}

/// What the leader does at a place of its way.
static double path(double s)
{
    return 0.4 * sin(7.0 * s) + 0.1 * s;
}

TEST(every_joint_repeats_the_leader_a_spacing_later_per_joint)
{
    Drive d;
    follow(&d, "z", 0.01);
    CHECK_CLOSE(drive_get(&d, "spacing"), 0.1, 1e-15);
    drive_set(&d, "speed", 0.1); // a spacing takes 100 updates
    double worst = 0.0;
    for (int k = 1; k <= 3000; k++) {
        const double way = 0.001 * k;
        drive_set(&d, "head", path(way));
        drive_update(&d);
        if (way < 0.1 * (N + 1))
            continue; // the old shape is still on the body
        // linear between knots: second derivative of the path times spacing^2 / 8, and as much for
        // the moving end
        for (int i = 0; i < N - 1; i++)
            worst = fmax(worst, fabs(d.commands[i].position - path(way - 0.1 * (N - 1 - i))));
        if (k % 100 == 0) // knots are passed on exactly here
            for (int i = 0; i < N - 1; i++)
                CHECK_CLOSE(d.commands[i].position, path(way - 0.1 * (N - i) + 0.1), 0.4 * 7.0 * 0.0011 + 1e-4);
    }
    CHECK(worst < 0.4 * 49.0 * 0.01 / 8.0 * 1.1 + 0.4 * 7.0 * 0.0011);
    CHECK(worst > 1e-4);
    CHECK_CLOSE(drive_get(&d, "travelled"), 3.0, 1e-9);
}

TEST(standing_still_changes_no_joint_but_the_leader)
{
    Drive d;
    follow(&d, "z", 0.01);
    for (int k = 0; k < 100; k++) {
        drive_set(&d, "head", 0.3);
        drive_update(&d);
    }
    for (int i = 0; i < N; i++)
        CHECK(d.commands[i].position == 0.0 && d.commands[i].rate == 0.0);
}

TEST(driven_back_a_body_takes_its_earlier_shapes)
{
    Drive d;
    follow(&d, "z", 0.01);
    double shape[N];
    drive_set(&d, "speed", 0.1);
    for (int k = 1; k <= 2050; k++) {
        drive_set(&d, "head", path(0.001 * k));
        drive_update(&d);
        if (k == 1850) // mid-way between knots
            for (int i = 0; i < N; i++)
                shape[i] = d.commands[i].position;
    }
    drive_set(&d, "speed", -0.1);
    for (int k = 0; k < 200; k++)
        drive_update(&d);
    for (int i = 2; i < N - 1; i++) // what left at the tail is gone
        CHECK_CLOSE(d.commands[i].position, shape[i], 1e-9);
}

TEST(lateral_and_vertical_joints_are_two_chains)
{
    Drive d;
    follow(&d, "zy", 0.01);
    CHECK_CLOSE(drive_get(&d, "spacing"), 0.2, 1e-15);
    CHECK_CLOSE(drive_get(&d, "vertical_spacing"), 0.2, 1e-15);
    drive_set(&d, "speed", 0.1);
    drive_set(&d, "head", 0.3);
    drive_set(&d, "vertical_head", -0.2);
    for (int k = 0; k < 1000; k++)
        drive_update(&d);
    for (int i = 0; i < N; i++)
        CHECK_CLOSE(d.commands[i].position, i % 2 ? -0.2 : 0.3, 1e-12);
}

TEST(a_group_without_a_chain_is_refused)
{
    Drive d;
    drive_init(&d, "follow_the_leader", 0.01);
    drive_group(&d, N, "x");
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "at least two joints"));
}

TEST(a_leap_beyond_the_body_leaves_the_leaders_command_everywhere_and_ends)
{
    Drive d;
    follow(&d, "z", 0.01);
    drive_set(&d, "head", 0.3);
    drive_set(&d, "speed", 1e200);
    drive_update(&d);
    for (int i = 0; i < N; i++)
        CHECK_CLOSE(d.commands[i].position, 0.3, 1e-12);
}

TEST_MAIN(CASE(every_joint_repeats_the_leader_a_spacing_later_per_joint),
          CASE(standing_still_changes_no_joint_but_the_leader), CASE(driven_back_a_body_takes_its_earlier_shapes),
          CASE(lateral_and_vertical_joints_are_two_chains), CASE(a_group_without_a_chain_is_refused),
          CASE(a_leap_beyond_the_body_leaves_the_leaders_command_everywhere_and_ends))
