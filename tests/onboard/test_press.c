// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pressing: opens until it touches, settles on the commanded force exactly, stops at limits.
#include "device/drive.h"

static void press(Drive *d)
{
    drive_init(d, "wall_press", 0.01);
    drive_group(d, 6, "z");
    for (int i = 0; i < 6; i++)
        d->joints[i].position = i % 2 ? -0.6 : 0.6;
    CHECK(drive_start(d) == NULL);
    drive_set(d, "target", 1000.0);
}

/// A wall that the shape meets at scale 1.1, with a stiffness.
static double wall(double scale)
{
    return fmax(0.0, 20000.0 * (scale - 1.1));
}

TEST(the_force_settles_on_the_command_and_the_shape_keeps_its_form)
{
    Drive d;
    press(&d);
    for (int k = 0; k < 3000; k++) {
        drive_set(&d, "measured", wall(drive_get(&d, "scale")));
        drive_update(&d);
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(d.commands[i].position, (i % 2 ? -0.6 : 0.6) * drive_get(&d, "scale"), 1e-15);
        if (k == 50) // no contact yet: at the steady rate
            CHECK_CLOSE(drive_get(&d, "scale"), 1.0 + 0.1 * 0.51, 1e-12);
    }
    CHECK_CLOSE(drive_get(&d, "scale"), 1.15, 1e-6); // integral action: no error is left
    CHECK(drive_get(&d, "pressed") == 1.0 && drive_get(&d, "limited") == 0.0);
    drive_set(&d, "target", 0.0);
    for (int k = 0; k < 1000; k++)
        drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "scale"), 1.0, 1e-12);
}

TEST(without_a_wall_it_ends_at_the_largest_scale_and_says_so)
{
    Drive d;
    press(&d);
    for (int k = 0; k < 3000; k++)
        drive_update(&d);
    CHECK(drive_get(&d, "scale") == 2.0 && drive_get(&d, "limited") == 1.0 && drive_get(&d, "pressed") == 0.0);
    d.joints[0].upper = 0.9; // and joints stop at their own
    drive_update(&d);
    CHECK(d.commands[0].position == 0.9 && d.commands[1].position == -1.2);
}

TEST(twists_keep_their_places)
{
    Drive d;
    drive_init(&d, "wall_press", 0.01);
    drive_group(&d, 6, "zx");
    for (int i = 0; i < 6; i++)
        d.joints[i].position = 0.4;
    CHECK(drive_start(&d) == NULL);
    drive_set(&d, "target", 1000.0);
    for (int k = 0; k < 100; k++)
        drive_update(&d);
    CHECK(d.commands[1].position == 0.4 && d.commands[1].rate == 0.0 && d.commands[0].position > 0.43);
}

TEST(a_straight_robot_and_bad_limits_are_refused)
{
    Drive d;
    drive_init(&d, "wall_press", 0.01);
    drive_group(&d, 6, "z");
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "is straight"));
    drive_refuses("wall_press", "least", 1.5);
    drive_refuses("wall_press", "most", 0.5);
}

TEST_MAIN(CASE(the_force_settles_on_the_command_and_the_shape_keeps_its_form),
          CASE(without_a_wall_it_ends_at_the_largest_scale_and_says_so), CASE(twists_keep_their_places),
          CASE(a_straight_robot_and_bad_limits_are_refused))
