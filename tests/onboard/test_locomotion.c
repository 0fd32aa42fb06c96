// SPDX-License-Identifier: Apache-2.0
/// \file
/// Locomotion: rovers end where closed forms say, refuse what they cannot, and their energy is
/// accounted for from the terminals to the ground.
#include <rille/scene.h>

#include "check.h"
#include "device/drive.h"

static const double DEG = 3.14159265358979323846 / 180.0;

typedef struct Rover {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Rover;

/// A rover on hard, rough ground with locomotion `drive` and motors `motor_JOINT`.
static const char *const text =
    "scene: yard\nrobot: {file: %s/robots/rocker_bogie.yaml%s}\nterrain: {kind: plane, material: rock}\nduration: 100 "
    "s\n"
    "tick: 5 ms\ncontact: {wheel_stations: 1, wheel_touches: 1, pairs: [{robot: wheel%s, stiffness: 500 kN/m, damping: "
    "10 "
    "kN*s/m}]}\ninitial: {base: {xyz: [0, 0, 8 mm]}}\n"
    "devices:\n  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], rate: 50 Hz, set: {speed: 0.2 m/s, "
    "acceleration: 0.1 m/s^2}}\n"
    "  - {joints: 'drive_*', name: 'motor_${joint}', type: drive_train, set: {mode: 1, resistance: 2 V/A, "
    "torque_constant: "
    "0.05 N*m/A, gear_ratio: 500, friction: 1e-6 N*m*s/rad, efficiency: 0.7, max_voltage: 28 V, max_velocity: 2 rad/s, "
    "max_acceleration: "
    "2 "
    "rad/s^2}, connect: {target_rate: 'rover.${joint}.rate', manual: rover.motor_level}}\n"
    "  - {joints: 'steer_*', name: 'motor_${joint}', type: drive_train, set: {resistance: 2 V/A, torque_constant: 0.05 "
    "N*m/A, gear_ratio: 2000, max_velocity: 0.5 rad/s}, connect: {target: 'rover.${joint}.position', manual: "
    "rover.motor_level}}\n";

static RiStatus make(const char *robot, const char *pair, Rover *out)
{
    static char scene[4096];
    if (ri_context_create(NULL, &out->ctx) != RI_OK)
        exit(EXIT_FAILURE);
    snprintf(scene, sizeof scene, text, RILLE_SOURCE_DIR, robot, pair);
    out->scene = NULL;
    RI_TRY(ri_scene_parse(out->ctx, RILLE_SOURCE_DIR "/scenes/yard.yaml", scene, strlen(scene), NULL, &out->scene));
    RI_TRY(ri_scene_build(out->scene));
    out->sim = ri_scene_sim(out->scene);
    return RI_OK;
}

static Rover hard(const char *robot)
{
    Rover r;
    const RiStatus status = make(robot, ", friction: 0.9", &r);
    if (status != RI_OK)
        CHECK_FAIL("%s", ri_context_message(r.ctx));
    return r;
}

static void end(Rover *r)
{
    ri_scene_destroy(r->scene);
    ri_context_destroy(r->ctx);
}

static double value(Rover *r, const char *expression)
{
    double x = NAN;
    CHECK_OK(r->ctx, ri_values_eval(ri_sim_values(r->sim), expression, &x));
    return x;
}

static void set(Rover *r, const char *name, const char *to)
{
    CHECK_OK(r->ctx, ri_values_set(ri_sim_values(r->sim), name, to));
}

static void run(Rover *r, double seconds)
{
    const double until = ri_sim_time(r->sim) + seconds - 1e-9;
    while (ri_sim_time(r->sim) < until)
        REQUIRE_OK(r->ctx, ri_sim_step(r->sim));
}

/// Runs until the command is complete and the wheels stand.
static void finish(Rover *r)
{
    for (run(r, 0.1); value(r, "rover.busy") != 0.0 && ri_sim_time(r->sim) < 300.0;)
        run(r, 0.1);
    run(r, 1.0);
}

TEST(an_arc_ends_where_geometry_says)
{
    static const struct {
        const char *radius, *length;
        double r, l;
    } arcs[] = {
        {"0", "3 m", INFINITY, 3.0}, {"3 m", "4 m", 3.0, 4.0}, {"-2 m", "3 m", -2.0, 3.0}, {"5 m", "-3 m", 5.0, -3.0}};
    for (int k = 0; k < 4; k++) {
        Rover r = hard("");
        REQUIRE(r.sim != NULL);
        set(&r, "rover.radius", arcs[k].radius);
        set(&r, "rover.length", arcs[k].length);
        set(&r, "rover.command", "1");
        finish(&r);
        const double turn = arcs[k].l / arcs[k].r;
        const double x = isinf(arcs[k].r) ? arcs[k].l : arcs[k].r * sin(turn);
        const double y = isinf(arcs[k].r) ? 0.0 : arcs[k].r * (1.0 - cos(turn));
        CHECK_CLOSE(value(&r, "base.x"), x, 0.015 * fabs(arcs[k].l));
        CHECK_CLOSE(value(&r, "base.y"), y, 0.015 * fabs(arcs[k].l));
        CHECK_CLOSE(value(&r, "base.yaw"), turn, 0.015);
        CHECK_CLOSE(value(&r, "rover.odometry_x"), x, 2e-3);
        CHECK_CLOSE(value(&r, "rover.odometry_y"), y, 2e-3);
        CHECK_CLOSE(value(&r, "rover.odometry_heading"), turn, 2e-3);
        CHECK_CLOSE(value(&r, "rover.slip"), 0.0, 0.01);
        CHECK(value(&r, "rover.path_error") < 0.05 && value(&r, "rover.completed") == 1.0);
        end(&r);
    }
}

TEST(a_turn_in_place_turns_in_place)
{
    Rover r = hard("");
    REQUIRE(r.sim != NULL);
    set(&r, "rover.angle", "-90 deg");
    set(&r, "rover.command", "2");
    finish(&r);
    CHECK_CLOSE(value(&r, "base.yaw"), -90.0 * DEG, 1.5 * DEG);
    CHECK_CLOSE(value(&r, "sqrt(base.x^2 + base.y^2)"), 0.0, 0.02);
    end(&r);
}

TEST(arcs_tighter_than_the_steering_allows_are_refused_with_the_nearest_radius)
{
    Rover r = hard(", set: {steer_limit: 20 deg}");
    REQUIRE(r.sim != NULL);
    set(&r, "rover.radius", "1 m");
    set(&r, "rover.length", "1 m");
    set(&r, "rover.command", "1");
    run(&r, 0.1);
    CHECK(value(&r, "rover.refused") == 1.0 && value(&r, "rover.reason") == 1.0 && value(&r, "rover.busy") == 0.0);
    // the inner wheel furthest from the middle axle: tan(steering) = distance / (radius - half
    // track)
    const double front = 0.30402 + 0.881 - (0.30402 - 0.754 + 0.44998), y = 0.79959 + 0.26291;
    const double rear = fabs(0.30402 - 0.754 - 0.625 - (0.30402 - 0.754 + 0.44998));
    const double want = y + fmax(front, rear) / tan(20.0 * DEG);
    CHECK_CLOSE(value(&r, "rover.nearest_radius"), want, 0.02); // the suspension has settled a little
    CHECK(value(&r, "validity.rover.refused") > 0.0 && value(&r, "rover.drive_front_left_joint.rate") == 0.0);
    char radius[40];
    snprintf(radius, sizeof radius, "%.9g", -(want + 0.1)); // the other side, just wide enough
    set(&r, "rover.radius", radius);
    set(&r, "rover.command", "1");
    run(&r, 0.1);
    CHECK(value(&r, "rover.refused") == 0.0 && value(&r, "rover.busy") == 1.0);
    set(&r, "rover.angle", "1 rad"); // on the spot it cannot turn at all
    set(&r, "rover.command", "2");
    run(&r, 0.1);
    CHECK(value(&r, "rover.refused") == 1.0);
    CHECK_CLOSE(value(&r, "rover.nearest_radius"), want, 0.02);
    end(&r);
}

TEST(what_cannot_be_done_is_refused)
{
    Rover r = hard("");
    REQUIRE(r.sim != NULL);
    set(&r, "rover.direction", "30 deg");
    set(&r, "rover.length", "1 m");
    set(&r, "rover.command", "3");
    run(&r, 0.1);
    CHECK(value(&r, "rover.refused") == 1.0 && value(&r, "rover.reason") == 2.0); // its middle wheels are not steered
    set(&r, "rover.command", "9");
    run(&r, 0.1);
    CHECK(value(&r, "rover.refused") == 1.0 && value(&r, "rover.reason") == 3.0);
    end(&r);
}

TEST(waypoints_are_reached_one_after_the_other)
{
    Rover r = hard("");
    REQUIRE(r.sim != NULL);
    set(&r, "rover.x1", "2 m");
    set(&r, "rover.y1", "0.5 m");
    set(&r, "rover.x2", "2 m");
    set(&r, "rover.y2", "2 m");
    set(&r, "rover.waypoints", "2");
    set(&r, "rover.command", "4");
    finish(&r);
    CHECK(value(&r, "rover.completed") == 1.0);
    CHECK_CLOSE(value(&r, "base.x"), 2.0, 0.05);
    CHECK_CLOSE(value(&r, "base.y"), 2.0, 0.05);
    end(&r);
}

TEST(levels_switch_while_the_rover_drives)
{
    Rover r = hard("");
    REQUIRE(r.sim != NULL);
    set(&r, "rover.length", "3 m");
    set(&r, "rover.command", "1");
    run(&r, 5.0);
    CHECK(value(&r, "base.vx") > 0.1);
    set(&r, "rover.level", "1");
    run(&r, 3.0);
    CHECK_CLOSE(value(&r, "base.vx"), 0.0, 1e-3); // motor level: nothing is commanded there
    static const char *const wheels[] = {"front_left",  "middle_left",  "rear_left",
                                         "front_right", "middle_right", "rear_right"};
    for (int i = 0; i < 6; i++) {
        char name[80];
        snprintf(name, sizeof name, "motor_drive_%s_joint.manual_rate", wheels[i]);
        set(&r, name, "-0.4 rad/s");
    }
    run(&r, 3.0);
    CHECK_CLOSE(value(&r, "base.vx"), -0.4 * 0.2575, 2e-3);
    set(&r, "rover.level", "0");
    run(&r, 3.0);
    CHECK_CLOSE(value(&r, "base.vx"), 0.0, 1e-3);
    end(&r);
}

TEST(a_dead_wheel_is_dragged_and_the_rover_turns_towards_it)
{
    Rover r;
    REQUIRE_OK(r.ctx,
               make("",
                    ", law: terzaghi, friction_angle: 30 deg, cohesion: 0, density: 1600 kg/m^3, slip_transition: 0.1",
                    &r));
    set(&r, "motor_drive_front_right_joint.fault", "2"); // jammed
    set(&r, "rover.length", "3 m");
    set(&r, "rover.command", "1");
    finish(&r);
    CHECK(value(&r, "rover.completed") == 1.0); // odometry does not wait for the wheel
    CHECK(value(&r, "base.yaw") < -0.02);
    CHECK_CLOSE(value(&r, "drive_front_right_joint.position"), 0.0, 0.1);
    CHECK(value(&r, "base.x") > 2.0 && value(&r, "base.x") < 2.99);
    end(&r);
}

TEST(energy_from_the_terminals_to_the_soil_closes)
{
    Rover r;
    REQUIRE_OK(r.ctx, make("", ", law: terzaghi, friction_angle: 30 deg, cohesion: 500 Pa, density: 1600 kg/m^3", &r));
    set(&r, "rover.radius", "4 m");
    set(&r, "rover.length", "2 m");
    set(&r, "rover.command", "1");
    finish(&r);
    double in = 0.0, out = 0.0, given = 0.0;
    const RiValues *v = ri_sim_values(r.sim);
    for (int i = 0; i < ri_values_count(v); i++) {
        const char *name = ri_values_get(v, i)->name, *dot = strrchr(name, '.');
        if (strncmp(name, "motor_", 6) != 0 || !dot)
            continue;
        const double x = ri_values_read(v, i);
        in += strcmp(dot, ".electrical_energy") == 0 ? x : 0.0;
        given += strcmp(dot, ".mechanical_energy") == 0 || strcmp(dot, ".lock_energy") == 0 ? x : 0.0;
        out += strcmp(dot, ".heat_energy") == 0 || strcmp(dot, ".friction_energy") == 0 ||
                       strcmp(dot, ".gear_energy") == 0 || strcmp(dot, ".mechanical_energy") == 0
                   ? x
                   : 0.0;
    }
    CHECK(in > 10.0);
    CHECK_CLOSE(out / in, 1.0, 1e-9);
    CHECK_CLOSE(given / value(&r, "energy.work"), 1.0, 1e-6); // what the motors gave is what the robot got
    const RiEnergy e = ri_sim_energy(r.sim);                  // and where that went is known
    CHECK(ri_energy_residual(&e) < 1e-10 && e.dissipated > 0.1 * e.work);
    end(&r);
}

TEST(a_resumed_drive_has_equal_bits)
{
    Rover a = hard(""), b = hard("");
    REQUIRE(a.sim != NULL && b.sim != NULL);
    set(&a, "rover.radius", "4 m");
    set(&a, "rover.length", "2 m");
    set(&a, "rover.command", "1");
    run(&a, 3.0);
    void *block = malloc(ri_sim_state_size(a.sim));
    ri_sim_save_state(a.sim, block);
    CHECK_OK(b.ctx, ri_sim_load_state(b.sim, block));
    free(block);
    run(&a, 4.0);
    run(&b, 4.0);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    end(&a);
    end(&b);
}

TEST(without_dynamics_the_rover_is_placed_along_the_arc)
{
    static const char *const scene = "scene: placed\nrobot: fido\nterrain: {kind: plane, material: rock}\nduration: "
                                     "100 s\ntick: 20 ms\nmode: kinematic\n"
                                     "devices:\n  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], "
                                     "set: {speed: 0.06 m/s, acceleration: "
                                     "0.06 m/s^2, steer_time: 0 s}}\n";
    const char *const paths[] = {RILLE_SOURCE_DIR "/robots"};
    const RiSceneOptions options = {.robot_paths = paths, .robot_path_count = 1};
    Rover r = {NULL, NULL, NULL};
    if (ri_context_create(NULL, &r.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    REQUIRE_OK(r.ctx,
               ri_scene_parse(r.ctx, RILLE_SOURCE_DIR "/scenes/placed.yaml", scene, strlen(scene), &options, &r.scene));
    REQUIRE_OK(r.ctx, ri_scene_build(r.scene));
    r.sim = ri_scene_sim(r.scene);
    set(&r, "rover.radius", "1.5 m");
    set(&r, "rover.length", "-2 m");
    set(&r, "rover.command", "1");
    finish(&r);
    CHECK_CLOSE(value(&r, "base.x"), 1.5 * sin(-2.0 / 1.5), 2e-3);
    CHECK_CLOSE(value(&r, "base.y"), 1.5 * (1.0 - cos(-2.0 / 1.5)), 2e-3);
    CHECK_CLOSE(value(&r, "base.yaw"), -2.0 / 1.5, 2e-3);
    set(&r, "rover.direction", "40 deg"); // crab: all six wheels are steered
    set(&r, "rover.length", "1 m");
    set(&r, "rover.command", "3");
    const double x = value(&r, "base.x"), y = value(&r, "base.y"), yaw = value(&r, "base.yaw");
    finish(&r);
    CHECK_CLOSE(value(&r, "base.x"), x + cos(yaw + 40.0 * DEG), 2e-3);
    CHECK_CLOSE(value(&r, "base.y"), y + sin(yaw + 40.0 * DEG), 2e-3);
    CHECK_CLOSE(value(&r, "base.yaw"), yaw, 1e-9);
    CHECK(value(&r, "rover.completed") == 2.0);
    CHECK_CLOSE(value(&r, "rover.path_error"), 0.0, 2e-3);
    end(&r);
}

TEST(a_group_without_wheels_is_refused)
{
    drive_refuses("locomotion", "speed", 0.0);
    drive_refuses("locomotion", "resolution", -1.0);
    Drive d;
    drive_init(&d, "locomotion", 0.02);
    drive_group(&d, 6, "z");
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "at least two joints in its group that turn wheels"));
}

TEST_MAIN(CASE(an_arc_ends_where_geometry_says), CASE(a_turn_in_place_turns_in_place),
          CASE(arcs_tighter_than_the_steering_allows_are_refused_with_the_nearest_radius),
          CASE(what_cannot_be_done_is_refused), CASE(waypoints_are_reached_one_after_the_other),
          CASE(levels_switch_while_the_rover_drives), CASE(a_dead_wheel_is_dragged_and_the_rover_turns_towards_it),
          CASE(energy_from_the_terminals_to_the_soil_closes), CASE(a_resumed_drive_has_equal_bits),
          CASE(without_dynamics_the_rover_is_placed_along_the_arc), CASE(a_group_without_wheels_is_refused))
