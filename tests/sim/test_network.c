// SPDX-License-Identifier: Apache-2.0
/// \file
/// Subsystems in a simulation: rest equals stepping, snapshots and checkpoints carry on with equal
/// bits, motors draw what they drew, refusals name the line.
#include <rille/scene.h>

#include "check.h"

typedef struct Run {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Run;

static const char scene_path[] = RILLE_SOURCE_DIR "/scenes/mer_sol.yaml";

static Run open_scene(const char *path, const RiSetting *settings, int count)
{
    Run r = {0};
    const char *robots[] = {RILLE_SOURCE_DIR "/robots"}, *terrains[] = {RILLE_SOURCE_DIR "/terrains"};
    RiSceneOptions options = ri_scene_options_default();
    options.settings = settings;
    options.setting_count = count;
    options.robot_paths = robots;
    options.robot_path_count = 1;
    options.terrain_paths = terrains;
    options.terrain_path_count = 1;
    options.soils = RILLE_SOURCE_DIR "/soils";
    if (ri_context_create(NULL, &r.ctx) != RI_OK)
        exit(1);
    CHECK_OK(r.ctx, ri_scene_load(r.ctx, path, &options, &r.scene));
    if (r.scene)
        CHECK_OK(r.ctx, ri_scene_build(r.scene));
    r.sim = r.scene ? ri_scene_sim(r.scene) : NULL;
    return r;
}

static void close_scene(Run *r)
{
    ri_scene_destroy(r->scene);
    ri_context_destroy(r->ctx);
}

static double value(const Run *r, const char *name)
{
    double x = NAN;
    CHECK_OK(r->ctx, ri_values_eval(ri_sim_values(r->sim), name, &x));
    return x;
}

static void step_to(Run *r, double time)
{
    while (ri_sim_time(r->sim) < time - 1e-9)
        if (ri_sim_step(r->sim) != RI_OK) {
            CHECK_FAIL("%s", ri_context_message(r->ctx));
            return;
        }
}

static const RiSetting still[] = {{"tick", "0.5 s"}, {"drive.power", "0"}};

TEST(rest_by_long_steps_equals_ticks_within_a_thousandth)
{
    Run a = open_scene(scene_path, still, 2), b = open_scene(scene_path, still, 2);
    REQUIRE(a.sim && b.sim);
    step_to(&a, 150.0);
    step_to(&b, 150.0);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    CHECK_OK(a.ctx, ri_sim_rest(a.sim, 7200.0, 30.0));
    step_to(&b, 7350.0);
    CHECK_CLOSE(ri_sim_time(a.sim), ri_sim_time(b.sim), 1e-9);
    static const char *const names[] = {"main.generated",  "main.used",          "box.temperature",  "battery.charge",
                                        "site.insolation", "motors.temperature", "shell.temperature"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const double x = value(&a, names[i]), y = value(&b, names[i]);
        if (!(fabs(x / y - 1.0) < 1e-3))
            CHECK_FAIL("%s: %g by rest, %g by ticks", names[i], x, y);
    }
    CHECK(value(&a, "main.generated") > 1e5);
    CHECK_CLOSE(value(&a, "main.ledger"), 0.0, 1e-6);
    close_scene(&a);
    close_scene(&b);
}

TEST(a_saved_state_goes_on_with_equal_bits_also_through_rest)
{
    Run a = open_scene(scene_path, NULL, 0), b = open_scene(scene_path, NULL, 0);
    REQUIRE(a.sim && b.sim);
    step_to(&a, 33.3);
    void *block = malloc(ri_sim_state_size(a.sim));
    REQUIRE(block != NULL);
    ri_sim_save_state(a.sim, block);
    CHECK_OK(b.ctx, ri_sim_load_state(b.sim, block));
    step_to(&a, 150.0);
    step_to(&b, 150.0);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    CHECK_OK(a.ctx, ri_sim_rest(a.sim, 3000.0, 20.0));
    CHECK_OK(b.ctx, ri_sim_rest(b.sim, 3000.0, 20.0));
    step_to(&a, 3200.0);
    step_to(&b, 3200.0);
    CHECK(ri_sim_hash(a.sim) == ri_sim_hash(b.sim));
    free(block);
    close_scene(&a);
    close_scene(&b);
}

TEST(rest_ends_at_the_time_of_a_command)
{
    Run r = open_scene(scene_path, NULL, 0);
    REQUIRE(r.sim != NULL);
    CHECK_OK(r.ctx, ri_sim_rest(r.sim, 500.0, 60.0));
    CHECK_CLOSE(ri_sim_time(r.sim), 2.0, 1e-9); // the drive's command
    CHECK_OK(r.ctx, ri_sim_step(r.sim));
    CHECK(value(&r, "drive.on") == 1.0);
    step_to(&r, 30.0);
    CHECK(ri_sim_rest(r.sim, 10.0, 1.0) == RI_ERR_ARGUMENT && strstr(ri_context_message(r.ctx), "does not rest"));
    close_scene(&r);
}

static const char wheels[] = "motor_drive_front_left_joint.electrical_energy+motor_drive_front_right_joint."
                             "electrical_energy+motor_drive_middle_left_joint.electrical_energy+motor_drive_middle_"
                             "right_joint.electrical_energy+motor_drive_rear_left_joint.electrical_energy+motor_drive_"
                             "rear_right_joint.electrical_energy";

TEST(a_dead_bus_stops_motors_and_what_they_drew_is_paid_when_it_lives)
{
    Run r = open_scene(RILLE_SOURCE_DIR "/scenes/mer_dead_bus.yaml", NULL, 0);
    REQUIRE(r.sim != NULL);
    RiValues *v = ri_sim_values(r.sim);
    step_to(&r, 6.5);
    CHECK(value(&r, "drive.supply") == 1.0 && value(&r, "rover.busy") == 1.0 && value(&r, "base.x") > 0.02);
    CHECK_OK(r.ctx, ri_values_set(v, "battery.discharge_current", "0 A"));
    CHECK_OK(r.ctx, ri_values_set(v, "array.failed_strings", "12"));
    step_to(&r, 9.0);
    CHECK(value(&r, "main.alive") == 0.0 && value(&r, "drive.supply") == 0.0);
    CHECK(value(&r, "motor_drive_front_left_joint.current") == 0.0 && value(&r, "rover.busy") == 1.0);
    const double drawn = value(&r, wheels), paid = value(&r, "drive.seen");
    CHECK(drawn - paid > 0.5); // of the second in which the bus died
    CHECK_OK(r.ctx, ri_values_set(v, "battery.discharge_current", "20 A"));
    CHECK_OK(r.ctx, ri_values_set(v, "array.failed_strings", "0"));
    step_to(&r, 10.0);
    CHECK(value(&r, "main.alive") == 1.0 && value(&r, "drive.supply") == 1.0);
    CHECK_CLOSE(value(&r, "drive.seen"), drawn, 1e-9 * drawn);
    CHECK_CLOSE(value(&r, "main.ledger"), 0.0, 1e-9);
    step_to(&r, 12.0);
    CHECK(value(&r, "rover.busy") == 1.0 && value(&r, "abs(motor_drive_front_left_joint.current)") > 0.0);
    close_scene(&r);
}

/// Part of the sun that the array sees, as one setting says.
static double lit_with(const char *height, const char *looks)
{
    const RiSetting settings[] = {{"array.height", height}, {"robot.looks", looks}, {"sun.local_time", "12:00"}};
    Run r = open_scene(scene_path, settings, 3);
    step_to(&r, 3.0);
    const double lit = value(&r, "array.lit");
    close_scene(&r);
    return lit;
}

/// The drawn cells of the rover are a mesh, 4 cm above the deck.
TEST(meshes_of_a_robot_throw_shadows)
{
    CHECK(lit_with("3 cm", "0") > 0.5);
    CHECK(lit_with("3 cm", "1") < 0.5 * lit_with("3 cm", "0")); // below the drawn cells
    CHECK(lit_with("5 cm", "1") > 0.5);
}

/// The message of a scene with one more device.
static void refused(const char *device, const char *says)
{
    static const char path[] = RILLE_SOURCE_DIR "/scenes/test_network_bad.yaml";
    char text[2000];
    const char *robots[] = {RILLE_SOURCE_DIR "/robots"};
    RiContext *ctx;
    RiScene *scene = NULL;
    RiSceneOptions options = ri_scene_options_default();
    options.robot_paths = robots;
    options.robot_path_count = 1;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    const int n = snprintf(text, sizeof text, "scene: bad\ninclude: mer_sol.yaml\ndevices:\n  - %s\n", device);
    RiStatus status = ri_scene_parse(ctx, path, text, (size_t)n, &options, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK);
    if (!strstr(ri_context_message(ctx), says) || !strstr(ri_context_message(ctx), "yaml:4"))
        CHECK_FAIL("'%s' gives '%s'", device, ri_context_message(ctx));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(subsystems_that_cannot_work_are_refused_with_file_line_and_reason)
{
    refused("{name: lamp, type: load, set: {power: 3 W}}", "has no bus");
    refused("{name: cell, type: battery, set: {capacity: -2 A*s}, connect: {bus: main.voltage}}", "capacity");
    refused("{name: cell, type: battery, set: {capacity: 0 A*s}, connect: {bus: main.voltage}}", "must be positive");
    refused("{name: low, type: orbiter, set: {semi_major: 3000 km}}", "inside the body");
    refused("{name: hot, type: heater, set: {on_below: 260 K, off_above: 255 K}, connect: {bus: main.voltage, node: "
            "box.temperature}}",
            "gap");
    refused("{name: odd, type: load, connect: {bus: box.temperature}}", "wrong kind");
    refused("{name: fast, type: load, rate: 5 Hz, connect: {bus: main.voltage}}", "another rate");
    refused("{name: second, type: site}", "second site");
    refused(
        "{name: cell, type: battery, set: {capacity: 9 A*h, empty_voltage: 10 V, full_voltage: 12 V}, connect: {bus: "
        "main.voltage}}",
        "below 'under_voltage'");
}

TEST_MAIN(CASE(rest_by_long_steps_equals_ticks_within_a_thousandth),
          CASE(a_saved_state_goes_on_with_equal_bits_also_through_rest), CASE(rest_ends_at_the_time_of_a_command),
          CASE(a_dead_bus_stops_motors_and_what_they_drew_is_paid_when_it_lives), CASE(meshes_of_a_robot_throw_shadows),
          CASE(subsystems_that_cannot_work_are_refused_with_file_line_and_reason))
