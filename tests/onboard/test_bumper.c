// SPDX-License-Identifier: Apache-2.0
/// \file
/// The contact bar: its depth is exact, it feels what lies between its ends and nothing beyond them,
/// and it ends the drive of a rover whose eyes missed a rock.
#include "../sim/fixture.h"

#include "device/drive.h"

/// A thin post of 2 cm radius around (0, 0.13), which the bar of the tests passes through; outside it
/// the distance is that to the post, up to 10 m.
static double post(const RiDeviceCall *call, RiVec3 p)
{
    (void)call;
    const double far = hypot(p.x, p.y - 0.13) - 0.02;
    return far > 10.0 ? NAN : far;
}

TEST(the_deepest_point_of_the_bar_is_found_with_its_place)
{
    Drive d;
    drive_init(&d, "bumper", 0.1);
    drive_set(&d, "x", 0.3);
    drive_set(&d, "width", 0.5);
    drive_set(&d, "spacing", 0.01);
    CHECK(drive_start(&d) == NULL);
    d.call.above_ground = post;
    d.call.frame_pose.p = ri_vec3(-0.5, 0.0, 0.0); // bar at x = -0.2
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "depth"), -0.18, 1e-12);
    CHECK(drive_get(&d, "touch") == 0.0);
    CHECK_CLOSE(drive_get(&d, "place"), 0.13, 1e-12);
    d.call.frame_pose.p = ri_vec3(-0.31, 0.0, 0.0); // 1 cm before its middle
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "depth"), 0.01, 1e-12);
    CHECK(drive_get(&d, "touch") == 1.0);
    drive_set(&d, "travel", 0.015); // the switch closes later
    drive_update(&d);
    CHECK(drive_get(&d, "touch") == 0.0);
    drive_set(&d, "travel", 0.0);
    d.call.frame_pose.p = ri_vec3(-0.3, -0.24, 0.0); // the post is beyond its left end
    drive_update(&d);
    CHECK(drive_get(&d, "touch") == 0.0);
    d.call.frame_pose.p = ri_vec3(100.0, 0.0, 0.0); // no ground there
    drive_update(&d);
    CHECK(drive_get(&d, "touch") == 0.0);
}

TEST(a_bar_of_no_length_is_a_point_and_bad_bars_are_refused)
{
    Drive d;
    drive_init(&d, "bumper", 0.1);
    drive_set(&d, "width", 0.0);
    drive_set(&d, "y", 0.13);
    CHECK(drive_start(&d) == NULL);
    d.call.above_ground = post;
    drive_update(&d);
    CHECK_CLOSE(drive_get(&d, "depth"), 0.02, 1e-12);
    drive_refuses("bumper", "x", NAN);
    drive_refuses("bumper", "width", 100.0); // 2000 points
}

/// A wall that the rover's laser stripes do not mind. `mode` is with or without dynamics.
#define AT_A_WALL(mode)                                                                                                \
    "scene: s\nrobot: ../robots/sojourner.yaml\nterrain: {kind: shapes, parts: [{shape: plane, material: rock}, "      \
    "{shape: box, size: [0.2 m, 0.1 m, 0.6 m], xyz: [0.9 m, 0.1 m, 0.3 m], material: rock}]}\n" mode                   \
    "duration: 200 s\ngravity: mars\ndevices:\n"                                                                       \
    "  - {name: front, type: bumper, frame: chassis, rate: 10 Hz, set: {x: 0.3 m, z: 0.22 m, width: 0.4 m}}\n"         \
    "  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], rate: 10 Hz, set: {speed: 2 cm/s, "            \
    "steer_time: 0 s}, connect: {command: nav.drive_command, radius: nav.drive_radius, length: nav.drive_length, "     \
    "angle: nav.drive_angle, direction: nav.drive_direction, level: nav.motor_level}}\n"                               \
    "  - {name: nav, type: navigation, group: ['drive_*'], rate: 10 Hz, set: {mode: 0, think_time: 0.5 s, step_max: "  \
    "5 m, span_max: 5 m, drop_max: 5 m, camera_x: 0.28 m, camera_z: 0.25 m, step: 30 cm}, connect: {contact: "         \
    "front.touch, drive_busy: rover.busy, drive_completed: rover.completed, drive_refused: rover.refused}}\n"

static void stops_at_the_wall(const char *text)
{
    Fixture f = parse(text);
    RiValues *t = ri_sim_values(f.sim);
    const char *const names[] = {"nav.x1", "nav.goals", "nav.command"};
    const double to[] = {3.0, 1.0, 1.0};
    for (int k = 0; k < 3; k++)
        CHECK_OK(f.ctx, ri_values_write(t, ri_values_find(t, names[k]), to[k]));
    while (ri_sim_time(f.sim) < 100.0 && value(&f, "nav.reason") == 0.0)
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
    CHECK(value(&f, "nav.reason") == 9.0 && value(&f, "front.touch") == 1.0);
    CHECK_CLOSE(value(&f, "base.x"), 0.8 - 0.3, 0.012); // the bar is at the wall
    const double x = value(&f, "base.x");
    run_to(&f, ri_sim_time(f.sim) + 3.0);
    CHECK(fabs(value(&f, "base.x") - x) < 0.01 && value(&f, "nav.busy") == 0.0); // and it stands
    close_all(&f);
}

TEST(a_rover_that_touches_a_rock_stops_with_and_without_dynamics)
{
    stops_at_the_wall(AT_A_WALL("mode: kinematic\ntick: 100 ms\n"));
    stops_at_the_wall(AT_A_WALL("stance: {}\ntick: 2 ms\n") "  - {joints: 'drive_*', name: 'motor_${joint}', type: "
                                                            "servo, set: {stiffness: 0, damping: 4}, "
                                                            "connect: {velocity: 'rover.${joint}.rate'}}\n"
                                                            "  - {joints: 'steer_*', name: 'hold_${joint}', type: "
                                                            "servo, set: {stiffness: 200, damping: 20}, "
                                                            "connect: {position: 'rover.${joint}.position'}}\n");
}

TEST_MAIN(CASE(the_deepest_point_of_the_bar_is_found_with_its_place),
          CASE(a_bar_of_no_length_is_a_point_and_bad_bars_are_refused),
          CASE(a_rover_that_touches_a_rock_stops_with_and_without_dynamics))
