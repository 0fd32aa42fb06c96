// SPDX-License-Identifier: Apache-2.0
/// \file
/// Navigation closes the loop: rovers see, decide and drive; every drive ends with a true reason;
/// levels can be taken over; a run resumes bit by bit.
#include <stdlib.h>

#include <rille/navigation.h>

#include "needs.h"
#include "sim/fixture.h"

/// A quick MER without dynamics: the same decisions as with flight's times, in fewer ticks.
#define ROVER(terrain, base, settings)                                                                                 \
    "scene: s\nrobot: ../robots/mer.yaml\nterrain: " terrain                                                           \
    "\nmode: kinematic\nduration: 3 h\ntick: 200 ms\ngravity: mars\ninitial: {base: {xyz: " base "}}\ndevices:\n"      \
    "  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], set: {speed: 0.1 m/s, acceleration: 0.1 "      \
    "m/s^2, steer_time: 0 s}, connect: {command: nav.drive_command, radius: nav.drive_radius, length: "                \
    "nav.drive_length, angle: nav.drive_angle, direction: nav.drive_direction, level: nav.motor_level}}\n"             \
    "  - {name: nav, type: navigation, group: ['drive_*', 'rocker_*', 'bogie_*'], set: {radius: 1.1 m, step_max: "     \
    "0.2 m, roughness_max: 0.1 m, camera_x: 0.7 m, camera_z: 0.55 m, rear_x: -0.7 m, think_time: 1 s, step: 0.6 "      \
    "m, columns: 40, rows: 32" settings "}, connect: {x: rover.odometry_x, y: rover.odometry_y, heading: "             \
    "rover.odometry_heading, axle: rover.axle, drive_busy: rover.busy, drive_completed: rover.completed, "             \
    "drive_refused: rover.refused}}\nstop: {when: 'nav.reason > 0'}\n"
#define PLANE "{kind: plane, material: rock}"

static void set(Fixture *f, const char *name, double x)
{
    RiValues *t = ri_sim_values(f->sim);
    const int i = ri_values_find(t, name);
    REQUIRE(i >= 0);
    CHECK_OK(f->ctx, ri_values_write(t, i, x));
}

static void send(Fixture *f, double x, double y)
{
    set(f, "nav.x1", x);
    set(f, "nav.y1", y);
    set(f, "nav.goals", 1.0);
    set(f, "nav.command", 1.0);
}

TEST(a_goal_on_clear_ground_is_reached_in_the_time_of_its_cycles)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    send(&f, 5.0, 1.0);
    run_to(&f, 600.0);
    CHECK(value(&f, "nav.reason") == 1.0 && value(&f, "nav.arrived") == 1.0 && value(&f, "nav.busy") == 0.0);
    CHECK(hypot(value(&f, "base.x") - 5.0, value(&f, "base.y") - 1.0) < 0.51);
    const double cycles = value(&f, "nav.cycles");
    CHECK(cycles >= 8.0 && cycles <= 11.0);                              // 4.6 m in steps of 0.6 m
    CHECK_CLOSE(value(&f, "nav.thinking"), cycles * 1.0, 0.21 * cycles); // to the tick
    CHECK(value(&f, "nav.way") < 5.3);
    close_all(&f);
}

TEST(a_goal_under_the_rover_is_reached_without_driving)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    send(&f, 0.2, 0.0);
    run_to(&f, 10.0);
    CHECK(value(&f, "nav.reason") == 1.0 && value(&f, "nav.way") == 0.0 && ri_sim_time(f.sim) < 1.0);
    close_all(&f);
}

static double drive_cul_de_sac(const char *planner)
{
    char text[4096];
    snprintf(text, sizeof text, ROVER("../terrains/cul_de_sac.yaml", "[-8 m, 0.5 m, 0]", ", planner: %s"), planner);
    Fixture f = parse(text);
    send(&f, 4.0, 0.0);
    run_to(&f, 3000.0);
    const double reason = value(&f, "nav.reason");
    if (reason != 1.0)
        CHECK(value(&f, "nav.escaped") == 3.0 && value(&f, "base.x") < 0.0);
    close_all(&f);
    return reason;
}

TEST(gestalt_alone_gives_up_in_a_cul_de_sac_and_with_the_planner_gets_around)
{
    CHECK(drive_cul_de_sac("1") == 1.0);
    const double alone = drive_cul_de_sac("0");
    CHECK(alone == 3.0 || alone == 4.0);
}

TEST(a_closed_ring_of_rocks_is_reported_as_blocked)
{
    Fixture f = parse(ROVER("../terrains/rock_ring.yaml", "[0, 0, 0]", ""));
    send(&f, 8.0, 0.0);
    run_to(&f, 3000.0);
    CHECK(value(&f, "nav.reason") == 3.0 && value(&f, "nav.escaped") == 3.0);
    CHECK(fabs(value(&f, "base.x")) < 4.0 && fabs(value(&f, "base.y")) < 4.0);
    close_all(&f);
}

TEST(keep_out_zones_are_not_entered)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    set(&f, "nav.zones", 1.0);
    set(&f, "nav.zone_x1", 5.0);
    set(&f, "nav.zone_y1", 0.2);
    set(&f, "nav.zone_r1", 1.5);
    send(&f, 10.0, 0.0);
    double nearest = INFINITY;
    while (!ri_sim_stopped(f.sim) && ri_sim_time(f.sim) < 2000.0) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        nearest = fmin(nearest, hypot(value(&f, "base.x") - 5.0, value(&f, "base.y") - 0.2));
    }
    CHECK(value(&f, "nav.reason") == 1.0);
    CHECK(nearest > 1.5 + 1.1 - 0.05 && nearest < 4.5); // the zone and the rover's own disc; no detour beyond need
    close_all(&f);
}

TEST(goals_that_cannot_be_are_refused_with_the_reason)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    set(&f, "nav.command", 1.0); // no goal
    run_to(&f, 1.0);
    CHECK(value(&f, "nav.refused") == 1.0 && value(&f, "nav.reason") == 16.0);
    close_all(&f);
    f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    send(&f, 1000.0, 0.0);
    run_to(&f, 1.0);
    CHECK(value(&f, "nav.refused") == 1.0 && value(&f, "nav.reason") == 12.0);
    close_all(&f);
    f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    set(&f, "nav.zones", 1.0);
    set(&f, "nav.zone_x1", 8.0);
    set(&f, "nav.zone_r1", 1.0);
    send(&f, 8.0, 0.0);
    run_to(&f, 1.0);
    CHECK(value(&f, "nav.refused") == 1.0 && value(&f, "nav.reason") == 13.0);
    const int i = ri_values_find(ri_sim_values(f.sim), "nav.x1");
    CHECK(ri_values_write(ri_sim_values(f.sim), i, NAN) != RI_OK);
    close_all(&f);
}

/// Counts of goals and zones have limits, and parts of a goal are none.
TEST(counts_of_goals_and_zones_are_whole_and_in_range)
{
    static const struct {
        const char *name;
        double count;
    } beyond[] = {{"nav.goals", 9.0}, {"nav.goals", -1.0}, {"nav.zones", 5.0}, {"nav.zone_r1", -1.0}};
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    RiValues *t = ri_sim_values(f.sim);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        CHECK(ri_values_write(t, ri_values_find(t, beyond[i].name), beyond[i].count) != RI_OK);
    set(&f, "nav.x1", 5.0);
    set(&f, "nav.goals", 1.5);
    set(&f, "nav.command", 1.0);
    run_to(&f, 1.0);
    CHECK(value(&f, "nav.refused") == 1.0 && value(&f, "nav.reason") == 16.0);
    close_all(&f);
}

TEST(a_stop_by_tilt_below_the_tilt_of_free_ground_is_refused)
{
    static const char text[] = ROVER(PLANE, "[0, 0, 0]", ", tilt_max: 20 deg, tilt_limit: 19 deg");
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiStatus status = ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, sizeof text - 1, NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK && strstr(ri_context_message(ctx), "'tilt_limit', which stops a drive"));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

/// A goal inside a block is seen to be occupied, and the drive ends before it.
TEST(a_goal_inside_a_rock_ends_with_the_goal_occupied)
{
    Fixture f = parse(ROVER("../terrains/cul_de_sac.yaml", "[-4.5 m, 0, 0]", ""));
    set(&f, "nav.goal_radius", 0.2);
    send(&f, 0.0, 0.0);
    run_to(&f, 2000.0);
    CHECK(value(&f, "nav.reason") == 13.0);
    CHECK(value(&f, "base.x") < -1.4); // wheels reach 0.9 m ahead of the middle, the block begins at -0.3 m
    close_all(&f);
}

TEST(a_rover_that_sees_nothing_says_so)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ", missing: 1"));
    send(&f, 5.0, 0.0);
    run_to(&f, 600.0);
    CHECK(value(&f, "nav.reason") == 14.0 && value(&f, "nav.way") < 0.1);
    close_all(&f);
}

// --- three sources of points ---------------------------------------------------------------------

#define LIDAR                                                                                                          \
    "lidars:\n  mid: {channels: 24, low: -45 deg, high: 5 deg, columns: 192, rate: 1 Hz, frame: chassis, position: "   \
    "[0.75, 0.3, 1.0]}\n"
#define PAIR                                                                                                           \
    "sun: {azimuth: 120 deg, elevation: 35 deg, body: mars}\ncameras:\n"                                               \
    "  left: {model: pinhole, field: 100 deg, width: 160, height: 120, frame: chassis, position: [0.95 m, 0.1 m, 0.8 " \
    "m], rpy: [0, 35 deg, 0], pair: right}\n"                                                                          \
    "  right: {model: pinhole, field: 100 deg, width: 160, height: 120, frame: chassis, position: [0.95 m, -0.1 m, "   \
    "0.8 m], rpy: [0, 35 deg, 0], pair: left}\n"

/// With a lidar of the scene the rover gets out of the cul-de-sac as well.
TEST(a_lidar_of_the_scene_serves_as_eyes)
{
    NEEDS("embree");
    Fixture f = parse(ROVER("../terrains/cul_de_sac.yaml", "[-8 m, 0.5 m, 0]", ", vision: 2") LIDAR);
    send(&f, 4.0, 0.0);
    run_to(&f, 3000.0);
    CHECK(value(&f, "nav.reason") == 1.0 && value(&f, "nav.points") > 500.0);
    close_all(&f);
}

/// Eyes that fail: the renderer has no memory, a picture cannot be taken.
static int fail_to_see(void *user, int kind, int sensor, RiVec3 *out_points, int room)
{
    (void)kind, (void)sensor, (void)out_points, (void)room;
    ++*(int *)user;
    return -1;
}

/// A rover whose pictures or scans fail in the middle of a drive does not drive on by its old map:
/// it says that it is blind.
TEST(eyes_that_fail_in_a_drive_end_it_blind)
{
    NEEDS("embree");
    int asked = 0;
    Fixture f = parse(ROVER("../terrains/cul_de_sac.yaml", "[-8 m, 0.5 m, 0]", ", vision: 2") LIDAR);
    send(&f, 4.0, 0.0);
    run_to(&f, 15.0);
    CHECK(value(&f, "nav.busy") == 1.0 && value(&f, "nav.points") > 500.0);
    CHECK_OK(f.ctx, ri_sim_set_see(f.sim, fail_to_see, &asked));
    const double way = value(&f, "nav.way");
    run_to(&f, 600.0);
    CHECK(value(&f, "nav.reason") == 14.0 && value(&f, "nav.points") == 0.0 && asked > 0);
    CHECK(value(&f, "nav.way") - way < 4.0); // the step it was in, and its escapes
    close_all(&f);
}

#define FIELD "{file: ../terrains/boulder_field.yaml, set: {length: 16 m, width: 16 m, seed: 7}}"

/// Rendered and matched pictures of rough ground: their points make a map to drive by.
TEST(rendered_picture_pairs_serve_as_eyes)
{
    NEEDS("embree");
    Fixture f = parse(ROVER(FIELD, "[-5 m, 0, 0]", ", vision: 1") PAIR);
    send(&f, 5.0, 0.5);
    run_to(&f, 24.0);
    CHECK(value(&f, "nav.reason") == 0.0 && value(&f, "nav.points") > 500.0 && value(&f, "nav.escaped") == 0.0);
    CHECK(value(&f, "nav.way") > 1.0);
    close_all(&f);
}

// --- stops ---------------------------------------------------------------------------------------

/// Sends the rover off, does something to it, and expects a reason within one update.
static void stops_for(const char *settings, const char *input, double to, double reason)
{
    char text[4096];
    snprintf(text, sizeof text, ROVER(PLANE, "[0, 0, 0]", "%s"), settings);
    Fixture f = parse(text);
    send(&f, 8.0, 0.0);
    run_to(&f, 6.0);
    CHECK(value(&f, "nav.busy") == 1.0);
    set(&f, input, to);
    run_to(&f, 6.2);
    if (value(&f, "nav.reason") != reason)
        CHECK_FAIL("%s = %g: reason %g, expected %g", input, to, value(&f, "nav.reason"), reason);
    CHECK(value(&f, "nav.busy") == 0.0);
    close_all(&f);
}

TEST(contact_slip_a_command_and_a_switch_of_level_stop_a_drive_at_once)
{
    stops_for("", "nav.contact", 1.0, 9.0);
    stops_for(", slip_limit: 0.4", "nav.slip", 0.5, 7.0);
    stops_for("", "nav.command", 2.0, 2.0);
    stops_for("", "nav.level", 1.0, 17.0);
    stops_for("", "nav.time_limit", 3.0, 10.0);
    stops_for("", "nav.way_limit", 0.1, 11.0);
}

/// With dynamics and thresholds so lax that it does not mind a wall, the rover pushes against it.
/// Its weak motors cannot spin the wheels: after stall_time of pushing, and not before, the drive
/// ends.
static double stalls_after(double stall_time)
{
    char text[4096];
    snprintf(text, sizeof text,
             "scene: s\nrobot: ../robots/mer.yaml\nterrain: {kind: shapes, parts: "
             "[{shape: plane, material: rock}, {shape: box, size: [1 m, 6 m, 2 m], xyz: [2.2 m, 0, 1 m], material: "
             "rock}]}\nstance: {}\nduration: 200 s\ntick: 4 ms\ngravity: mars\ndevices:\n"
             "  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], rate: 25 Hz, set: {speed: 0.1 m/s, "
             "acceleration: 0.1 m/s^2, steer_time: 0 s}, connect: {command: nav.drive_command, radius: "
             "nav.drive_radius, length: nav.drive_length, angle: nav.drive_angle, direction: nav.drive_direction, "
             "level: nav.motor_level}}\n"
             "  - {name: nav, type: navigation, group: ['drive_*', 'rocker_*', 'bogie_*'], rate: 25 Hz, set: {planner: "
             "0, step_max: 9 m, roughness_max: 9 m, tilt_max: 89 deg, think_time: 0.2 s, step: 5 m, arc: 5 m, "
             "tilt_limit: 89 deg, suspension_limit: 80 deg, stall_torque: 2 N*m, stall_time: %g s}, connect: "
             "{drive_busy: rover.busy, drive_completed: rover.completed, drive_refused: rover.refused}}\n"
             "  - {joints: 'drive_*', name: 'motor_${joint}', type: servo, set: {stiffness: 0, damping: 4}, connect: "
             "{velocity: 'rover.${joint}.rate'}}\n"
             "  - {joints: 'steer_*', name: 'hold_${joint}', type: servo, set: {stiffness: 5000, damping: 500}, "
             "connect: {position: 'rover.${joint}.position'}}\nstop: {when: 'nav.reason > 0'}\n",
             stall_time);
    Fixture f = parse(text);
    send(&f, 8.0, 0.0);
    run_to(&f, 60.0);
    const double reason = value(&f, "nav.reason"), time = ri_sim_time(f.sim);
    if (reason != 8.0)
        CHECK_FAIL("reason %g at %g s, x = %g m", reason, time, value(&f, "base.x"));
    close_all(&f);
    return time;
}

TEST(a_wheel_that_pushes_without_turning_ends_a_drive_after_its_time)
{
    const double early = stalls_after(1.0), late = stalls_after(3.0);
    CHECK_CLOSE(late - early, 2.0, 0.3);
}

TEST(a_slope_beyond_the_limit_of_tilt_stops_a_drive)
{
    Fixture f = parse(ROVER("{kind: plane, material: rock, slope: 0.2, azimuth: 0}", "[0, 0, 0]",
                            ", tilt_max: 10 deg, tilt_limit: 10 deg"));
    send(&f, 5.0, 0.0);
    run_to(&f, 5.0);
    CHECK(value(&f, "nav.reason") == 5.0);
    close_all(&f);
}

TEST(a_ramp_within_the_limit_is_driven)
{
    Fixture f = parse(ROVER("{kind: plane, material: rock, slope: 0.2, azimuth: 0}", "[0, 0, 0]", ""));
    send(&f, 4.0, 0.0);
    run_to(&f, 600.0);
    CHECK(value(&f, "nav.reason") == 1.0);
    close_all(&f);
}

// --- levels --------------------------------------------------------------------------------------

TEST(another_program_takes_over_locomotion_and_gives_it_back)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    set(&f, "nav.level", 1.0);
    set(&f, "nav.manual_length", 1.0);
    set(&f, "nav.manual_command", 1.0);
    run_to(&f, 30.0);
    CHECK_CLOSE(value(&f, "base.x"), 1.0, 0.03);
    CHECK(value(&f, "rover.completed") == 1.0); // once, not again and again
    set(&f, "nav.level", 0.0);
    run_to(&f, 31.0);
    CHECK(value(&f, "nav.motor_level") == 1.0 && value(&f, "rover.motor_level") == 1.0);
    set(&f, "nav.level", 3.0);
    send(&f, 3.0, 0.0);
    run_to(&f, 300.0);
    CHECK(value(&f, "nav.reason") == 1.0);
    close_all(&f);
}

/// What another program had commanded by hand is stopped before the rover thinks: it does not drive
/// blindly while it does.
TEST(a_drive_that_begins_stops_what_was_under_way)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    set(&f, "nav.think_time", 20.0);
    set(&f, "nav.level", 1.0);
    set(&f, "nav.manual_length", 100.0);
    set(&f, "nav.manual_command", 1.0);
    run_to(&f, 10.0);
    const double x = value(&f, "base.x");
    CHECK(x > 0.8 && value(&f, "rover.busy") == 1.0);
    set(&f, "nav.level", 3.0);
    send(&f, x + 5.0, 0.0);
    run_to(&f, 20.0);
    CHECK(value(&f, "nav.phase") == 1.0 && value(&f, "rover.busy") == 0.0);
    CHECK(value(&f, "base.x") - x < 0.1); // less than a second at 0.1 m/s
    run_to(&f, 35.0);
    CHECK(value(&f, "nav.phase") == 3.0);
    set(&f, "nav.command", 1.0); // the same again, in the middle of an arc
    run_to(&f, 36.5);
    const double again = value(&f, "base.x");
    run_to(&f, 45.0);
    CHECK(value(&f, "nav.phase") == 1.0 && value(&f, "base.x") == again);
    close_all(&f);
    f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    set(&f, "nav.level", 1.0);
    set(&f, "nav.manual_length", 100.0);
    set(&f, "nav.manual_command", 1.0);
    run_to(&f, 5.0);
    CHECK(value(&f, "rover.busy") == 1.0);
    set(&f, "nav.level", 2.0); // given back without a new command: it stands
    run_to(&f, 7.0);
    CHECK(value(&f, "rover.busy") == 0.0 && value(&f, "nav.busy") == 0.0 && value(&f, "nav.reason") == 0.0);
    close_all(&f);
}

TEST(reasons_have_names)
{
    for (int k = 0; k <= 17; k++)
        for (int j = 0; j < k; j++)
            CHECK(strcmp(ri_nav_reason_name(k), ri_nav_reason_name(j)) != 0);
    CHECK(strcmp(ri_nav_reason_name(1), "arrived") == 0);
    CHECK(strcmp(ri_nav_reason_name(18), "?") == 0 && strcmp(ri_nav_reason_name(-1), "?") == 0);
}

TEST(at_the_level_of_navigation_a_moving_target_is_followed)
{
    Fixture f = parse(ROVER(PLANE, "[0, 0, 0]", ""));
    set(&f, "nav.level", 2.0);
    set(&f, "nav.target_x", 6.0);
    set(&f, "nav.command", 1.0);
    run_to(&f, 20.0);
    CHECK(value(&f, "nav.busy") == 1.0);
    set(&f, "nav.target_y", 4.0);
    run_to(&f, 600.0);
    CHECK(value(&f, "nav.reason") == 1.0);
    CHECK(hypot(value(&f, "base.x") - 6.0, value(&f, "base.y") - 4.0) < 0.52);
    close_all(&f);
}

// --- state ---------------------------------------------------------------------------------------

/// From a state in the middle of a drive another simulation ends with the same bits; its map came
/// with the state.
TEST(a_drive_resumes_bit_by_bit)
{
    Fixture a = parse(ROVER(FIELD, "[-5 m, 0, 0]", "")), b = parse(ROVER(FIELD, "[-5 m, 0, 0]", ""));
    send(&a, 5.0, 0.5);
    run_to(&a, 61.0);
    CHECK(value(&a, "nav.cycles") >= 4.0 && value(&a, "nav.busy") == 1.0);
    void *block = malloc(ri_sim_state_size(a.sim));
    REQUIRE(block != NULL);
    ri_sim_save_state(a.sim, block);
    CHECK_OK(b.ctx, ri_sim_load_state(b.sim, block));
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    run_to(&a, 160.0);
    run_to(&b, 160.0);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    CHECK(value(&b, "nav.cycles") >= 8.0);
    free(block);
    close_all(&a);
    close_all(&b);
}

TEST(settings_that_contradict_each_other_are_refused)
{
    static const struct {
        const char *settings, *message;
    } bad[] = {{"nav.radius: 0.05 m", "'radius' must be at least a cell"},
               {"nav.radius: 4 m", "at most a quarter of the map"},
               {"nav.radius: 0", "outside its limits"},
               {"nav.range_least: 5 m", "'range_least' must be less"},
               {"nav.columns: 200, nav.rows: 200", "at most 8192 points"},
               {"nav.step: 2 m", "'step' must be at most 'arc'"},
               {"nav.vision: 2", "'vision' 1 needs a camera"},
               {"nav.radii: 2.5", "must be whole numbers"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        RiContext *ctx;
        RiScene *scene = NULL;
        char text[4096];
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        snprintf(text, sizeof text, ROVER(PLANE, "[0, 0, 0]", "") "values: {%s}\n", bad[i].settings);
        RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
        if (status == RI_OK)
            status = ri_scene_build(scene);
        if (status == RI_OK || !strstr(ri_context_message(ctx), bad[i].message))
            CHECK_FAIL("%s gives '%s'", bad[i].settings, ri_context_message(ctx));
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
    }
}

TEST_MAIN(CASE(a_goal_on_clear_ground_is_reached_in_the_time_of_its_cycles),
          CASE(a_goal_under_the_rover_is_reached_without_driving),
          CASE(gestalt_alone_gives_up_in_a_cul_de_sac_and_with_the_planner_gets_around),
          CASE(a_closed_ring_of_rocks_is_reported_as_blocked), CASE(keep_out_zones_are_not_entered),
          CASE(goals_that_cannot_be_are_refused_with_the_reason),
          CASE(counts_of_goals_and_zones_are_whole_and_in_range),
          CASE(a_stop_by_tilt_below_the_tilt_of_free_ground_is_refused),
          CASE(a_goal_inside_a_rock_ends_with_the_goal_occupied), CASE(a_rover_that_sees_nothing_says_so),
          CASE(a_lidar_of_the_scene_serves_as_eyes), CASE(rendered_picture_pairs_serve_as_eyes),
          CASE(eyes_that_fail_in_a_drive_end_it_blind),
          CASE(a_wheel_that_pushes_without_turning_ends_a_drive_after_its_time),
          CASE(contact_slip_a_command_and_a_switch_of_level_stop_a_drive_at_once),
          CASE(a_slope_beyond_the_limit_of_tilt_stops_a_drive), CASE(a_ramp_within_the_limit_is_driven),
          CASE(another_program_takes_over_locomotion_and_gives_it_back),
          CASE(a_drive_that_begins_stops_what_was_under_way), CASE(reasons_have_names),
          CASE(at_the_level_of_navigation_a_moving_target_is_followed), CASE(a_drive_resumes_bit_by_bit),
          CASE(settings_that_contradict_each_other_are_refused))
