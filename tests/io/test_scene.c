// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes: defaults and what beats them, includes, items per joint, every kind of refusal with its
/// place, saving and loading with equal bits, the example scenes, failing memory.
#include "check.h"
#include "data.h"

#include <dirent.h>
#include <unistd.h>

#include <rille/clock.h>
#include <rille/scene.h>

#include "base/memory.h"
#include "io/faults.h"
#include "io/file/file.h"

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct Fixture {
    RiContext *ctx;
    RiScene *scene;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {NULL, NULL};
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    return f;
}

static void end(Fixture *f)
{
    ri_scene_destroy(f->scene);
    ri_context_destroy(f->ctx);
    *f = (Fixture){NULL, NULL};
}

/// Reads a scene as if it stood in scenes/.
static RiStatus parse(Fixture *f, const char *text, const RiSceneOptions *options)
{
    ri_scene_destroy(f->scene);
    return ri_scene_parse(f->ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), options, &f->scene);
}

static RiStatus build(Fixture *f, const char *text, const RiSceneOptions *options)
{
    RI_TRY(parse(f, text, options));
    return ri_scene_build(f->scene);
}

/// A text that must be refused, by loading or building, with a message.
static void refused(const char *text, RiStatus status, const char *part)
{
    Fixture f = begin();
    CHECK_ERROR(f.ctx, build(&f, text, NULL), status, part);
    CHECK(!f.scene || (!ri_scene_sim(f.scene) && !ri_scene_spec(f.scene)));
    end(&f);
}

static void refused_setting(const char *text, const char *name, const char *value, RiStatus status, const char *part)
{
    Fixture f = begin();
    const RiSetting setting = {name, value};
    const RiSceneOptions options = {.settings = &setting, .setting_count = 1};
    CHECK_ERROR(f.ctx, build(&f, text, &options), status, part);
    end(&f);
}

static double value(const Fixture *f, const char *name)
{
    RiValues *values = ri_sim_values(ri_scene_sim(f->scene));
    const int index = ri_values_find(values, name);
    if (index < 0)
        CHECK_FAIL("there is no value %s", name);
    return index < 0 ? NAN : ri_values_read(values, index);
}

static void run(Fixture *f, int ticks)
{
    for (int i = 0; i < ticks; i++)
        REQUIRE_OK(f->ctx, ri_sim_step(ri_scene_sim(f->scene)));
}

static void path_of(const char *name, char path[1024])
{
    snprintf(path, 1024, "%s/test_scene_%ld_%s", RILLE_BINARY_DIR, (long)getpid(), name);
}

static void write_file(const char *name, const char *text, char path[1024])
{
    path_of(name, path);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        CHECK_FAIL("cannot write %s", path);
}

#define PENDULUM "scene: s\nrobot: ../robots/pendulum.yaml\n"

// ---------------------------------------------------------------------------- defaults, precedence

TEST(everything_but_name_and_robot_has_a_default)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f, PENDULUM, NULL));
    const RiSimOptions *o = ri_sim_options(ri_scene_sim(f.scene));
    CHECK(strcmp(ri_scene_name(f.scene), "s") == 0 && strcmp(ri_scene_doc(f.scene), "") == 0);
    CHECK_CLOSE(ri_scene_duration(f.scene), 10.0, 0);
    CHECK_CLOSE(o->tick, 1e-3, 0);
    CHECK_INT(o->substeps, 1);
    CHECK_INT(o->method, RI_METHOD_IMPLICIT);
    CHECK_CLOSE(o->gravity.z, -9.81, 0);
    CHECK_INT(o->seed, 1);
    CHECK_CLOSE(ri_scene_log_rate(f.scene), 100.0, 1e-12);
    CHECK_INT(ri_scene_log_glob_count(f.scene), 4);
    CHECK(ri_scene_log_frames(f.scene));
    CHECK_CLOSE(ri_scene_checkpoint_period(f.scene), 0.0, 0);
    CHECK_INT(ri_scene_plot_count(f.scene), 0);
    CHECK(ri_scene_plot_title(f.scene, 0) == NULL && ri_scene_log_glob(f.scene, 4) == NULL);
    REQUIRE_OK(f.ctx, parse(&f, PENDULUM "tick: 3 ms\n", NULL)); // the log keeps to whole ticks
    CHECK_CLOSE(ri_scene_log_rate(f.scene), 1.0 / 0.012, 1e-9);
    end(&f);
}

TEST(keys_are_read_with_units_and_parameters)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f,
                            "scene: all\ndoc: A sentence.\n"
                            "parameters: {n: 3, span: 2 min, angle: 30 deg}\n"
                            "robot: {file: ../robots/pendulum.yaml, set: {rods: '${n}', length: '${50 cm}'}}\n"
                            "duration: ${span/2}\ntick: 2 ms\nsubsteps: ${n + 1}\nintegrator: semi-implicit\n"
                            "rtol: 1e-9\natol: ${1e-3/n}\n"
                            "gravity: [0, 1 cm/s^2, -3.71]\nseed: 42\n"
                            "initial: {positions: {hinge_1: '${angle}', 'hinge_?': 1}, velocities: {hinge_3: 60 rpm}}\n"
                            "checkpoint: {every: 1 min}\n"
                            "log: {rate: 50 Hz, values: 'hinge_${n}.*', frames: false}\n"
                            "plots: [{title: A, values: [time, base.x]}, {title: B, values: energy.*}]\n",
                            NULL));
    const RiSimOptions *o = ri_sim_options(ri_scene_sim(f.scene));
    CHECK_CLOSE(ri_scene_duration(f.scene), 60.0, 0);
    CHECK_CLOSE(o->tick, 2e-3, 0);
    CHECK_INT(o->substeps, 4);
    CHECK_INT(o->method, RI_METHOD_SEMI_IMPLICIT);
    CHECK_CLOSE(o->rtol, 1e-9, 0);
    CHECK_CLOSE(o->atol, 1e-3 / 3.0, 0);
    CHECK_CLOSE(o->gravity.y, 0.01, 0);
    CHECK_INT(o->seed, 42);
    CHECK_CLOSE(value(&f, "hinge_1.position"), 1.0, 0); // later keys win
    CHECK_CLOSE(value(&f, "hinge_3.velocity"), 6.283185307179586, 1e-12);
    CHECK_CLOSE(ri_scene_checkpoint_period(f.scene), 60.0, 0);
    CHECK(strcmp(ri_scene_log_glob(f.scene, 0), "hinge_3.*") == 0);
    CHECK(!ri_scene_log_frames(f.scene));
    CHECK_INT(ri_scene_plot_count(f.scene), 2);
    CHECK_INT(ri_scene_plot_glob_count(f.scene, 0), 2);
    CHECK(strcmp(ri_scene_plot_title(f.scene, 1), "B") == 0);
    CHECK(strcmp(ri_scene_plot_glob(f.scene, 0, 1), "base.x") == 0);
    CHECK_INT(ri_scene_spec(f.scene)->joint_count, 3);
    end(&f);
}

TEST(body_date_and_hour_of_the_sun_are_settings)
{
    Fixture f = begin();
    const char *text = PENDULUM "sun: {body: mars, date: 2018-05-29T00:00:00, latitude: 0, longitude: 0}\n";
    const RiSetting settings[] = {
        {"sun.body", "moon"}, {"sun.date", "2024-11-20T00:00:00"}, {"sun.local_time", "12:00"}};
    const RiSceneOptions options = {.settings = settings, .setting_count = 3};
    REQUIRE_OK(f.ctx, build(&f, text, &options));
    const RiSunDef *sun = ri_scene_sun(f.scene);
    CHECK(sun->world == RI_WORLD_MOON && sun->moves);
    CHECK_CLOSE(ri_clock_read(sun, 0.0).true_hour, 12.0, 0.01);
    const RiSetting bad[] = {{"sun.date", "1600-01-01T00:00:00"}};
    const RiSceneOptions early = {.settings = bad, .setting_count = 1};
    CHECK_ERROR(f.ctx, build(&f, text, &early), RI_ERR_FORMAT, "year 1600");
    end(&f);
}

TEST(a_date_beats_the_fixed_sun_of_an_included_file_and_not_that_of_its_own)
{
    Fixture f = begin();
#define DATED "scene: s\ninclude: mer_sand.yaml\nsun: {body: mars, date: 2018-05-29T00:00:00, latitude: 0, longitude: 0"
    REQUIRE_OK(f.ctx, parse(&f, DATED "}\n", NULL));
    CHECK(ri_scene_sun(f.scene)->moves);
    CHECK_ERROR(f.ctx, parse(&f, DATED ", azimuth: 1}\n", NULL), RI_ERR_FORMAT, "its place comes from one");
#undef DATED
    end(&f);
}

/// A command of the scene that comes later wins: the user is told.
TEST(a_setting_that_a_command_overwrites_is_warned_of)
{
    Fixture f = begin();
    const char *text = PENDULUM "devices: [{name: servo, type: servo, joint: hinge_2, set: {stiffness: 5}}]\n"
                                "commands:\n  - {at: 1 s, set: {servo.stiffness: 6}}\n";
    const RiSetting settings[] = {{"servo.stiffness", "7"}, {"servo.damping", "1"}};
    RiReport *report;
    REQUIRE_OK(f.ctx, ri_report_create(f.ctx, &report));
    const RiSceneOptions options = {.settings = settings, .setting_count = 2, .report = report};
    REQUIRE_OK(f.ctx, build(&f, text, &options));
    int told = 0;
    for (int i = 0; i < ri_report_count(report); i++)
        told += strstr(ri_report_get(report, i)->text, "'servo.stiffness' does not last") != NULL;
    CHECK_INT(told, 1);
    CHECK_CLOSE(value(&f, "servo.stiffness"), 7.0, 0);
    ri_scene_destroy(f.scene);
    f.scene = NULL;
    ri_report_destroy(report);
    end(&f);
}

TEST(settings_beat_the_scene_which_beats_defaults)
{
    Fixture f = begin();
    const char *text = PENDULUM "parameters: {angle: 10 deg}\nduration: 5 s\ntick: 2 ms\n"
                                "initial: {positions: {hinge_1: '${angle}'}}\n"
                                "devices: [{name: servo, type: servo, joint: hinge_2, set: {stiffness: 5}}]\n";
    REQUIRE_OK(f.ctx, build(&f, text, NULL));
    CHECK_CLOSE(ri_scene_duration(f.scene), 5.0, 0);
    CHECK_CLOSE(value(&f, "servo.stiffness"), 5.0, 0);
    const RiSetting settings[] = {
        {"duration", "3 s"},
        {"duration", "2*3.5 s"},
        {"tick", "1 ms"},
        {"integrator", "rk4"},
        {"gravity", "moon"},
        {"angle", "20 deg"},
        {"robot.length", "0.5 m"},
        {"servo.stiffness", "2*3"},
        {"hinge_2.velocity", "2"},
        {"substeps", "2"},
        {"seed", "9"},
        {"rtol", "1e-6"},
        {"atol", "0"},
        {"log.rate", "10"},
    };
    const RiSceneOptions options = {.settings = settings, .setting_count = sizeof settings / sizeof *settings};
    REQUIRE_OK(f.ctx, build(&f, text, &options));
    const RiSimOptions *o = ri_sim_options(ri_scene_sim(f.scene));
    CHECK_CLOSE(ri_scene_duration(f.scene), 7.0, 0); // the last one counts
    CHECK_CLOSE(o->tick, 1e-3, 0);
    CHECK_INT(o->method, RI_METHOD_RK4);
    CHECK_CLOSE(o->gravity.z, -1.62, 0);
    CHECK_INT(o->substeps, 2);
    CHECK_INT(o->seed, 9);
    CHECK_CLOSE(o->rtol, 1e-6, 0);
    CHECK_CLOSE(o->atol, 0.0, 0);
    CHECK_CLOSE(ri_scene_log_rate(f.scene), 10.0, 0);
    CHECK_CLOSE(value(&f, "hinge_1.position"), 20.0 * degree, 1e-15);
    CHECK_CLOSE(value(&f, "hinge_2.velocity"), 2.0, 0);
    CHECK_CLOSE(value(&f, "servo.stiffness"), 6.0, 0);
    CHECK_CLOSE(ri_scene_spec(f.scene)->joints[1].origin.p.z, -0.5, 0);
    end(&f);
}

TEST(gravity_is_a_body_a_strength_or_a_vector)
{
    static const struct {
        const char *text;
        double z;
    } cases[] = {{"earth", -9.81},      {"mars", -3.71},   {"moon", -1.62},    {"none", 0.0},
                 {"enceladus", -0.113}, {"2 m/s^2", -2.0}, {"[0, 0, 1]", 1.0}, {"${2*1.5}", -3.0}};
    Fixture f = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, PENDULUM "gravity: %s\n", cases[i].text);
        REQUIRE_OK(f.ctx, build(&f, text, NULL));
        CHECK_CLOSE(ri_sim_options(ri_scene_sim(f.scene))->gravity.z, cases[i].z, 0);
    }
    end(&f);
}

TEST(a_floating_base_starts_where_and_as_fast_as_told)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f,
                            "scene: s\nrobot: ../robots/mass.yaml\ngravity: none\n"
                            "initial: {base: {xyz: [1, 2, 3 cm], rpy: [10 deg, 20 deg, 30 deg], velocity: [1, 0, -1],\n"
                            "          rate: [0.1, 0.2, 0.3]}}\n",
                            NULL));
    CHECK_CLOSE(value(&f, "base.z"), 0.03, 1e-15);
    CHECK_CLOSE(value(&f, "base.pitch"), 20.0 * degree, 1e-14);
    CHECK_CLOSE(value(&f, "base.yaw"), 30.0 * degree, 1e-14);
    CHECK_CLOSE(value(&f, "base.vz"), -1.0, 1e-15);
    CHECK_CLOSE(value(&f, "base.rate_x"), 0.1, 1e-14); // world axes, whatever the attitude
    CHECK_CLOSE(value(&f, "base.rate_z"), 0.3, 1e-14);
    run(&f, 1000);
    CHECK_CLOSE(value(&f, "base.x"), 2.0, 1e-9);
    end(&f);
}

// ------------------------------------------------------------------------------------------- items

TEST(an_item_with_joints_is_one_per_joint)
{
    Fixture f = begin();
    REQUIRE_OK(
        f.ctx,
        build(&f,
              "scene: s\nrobot: {file: ../robots/pendulum.yaml, set: {rods: 3}}\n"
              "devices:\n"
              "  - {joints: 'hinge_*', name: 'move_${joint}', type: profile, set: {target: '${index} deg'}}\n"
              "  - joints: [hinge_1, hinge_3]\n"
              "    name: servo_${index}\n"
              "    type: servo\n"
              "    rate: 0.5 kHz\n"
              "    active: ${index == 1}\n"
              "    connect: {position: 'move_${joint}.position'}\n"
              "commands:\n"
              "  - {joints: hinge_3, at: 2 ms, set: {'move_${joint}.target': '${10*index} deg + ${0*index - 1}*0'}}\n",
              NULL));
    CHECK_CLOSE(value(&f, "move_hinge_2.target"), 2.0 * degree, 1e-15);
    CHECK_CLOSE(value(&f, "servo_1.active"), 1.0, 0);
    CHECK_CLOSE(value(&f, "servo_2.active"), 0.0, 0);
    CHECK(ri_values_find(ri_sim_values(ri_scene_sim(f.scene)), "servo_3.active") < 0);
    run(&f, 3);
    CHECK_CLOSE(value(&f, "move_hinge_3.target"), 10.0 * degree, 1e-15);
    CHECK(value(&f, "servo_1.position") > 0.0);
    end(&f);
}

TEST(commands_are_repeated_and_stops_stop)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx,
               build(&f,
                     PENDULUM "parameters: {most: 20 ms}\n"
                              "commands:\n"
                              "  - {at: 2 ms, every: 3 ms, until: 9 ms, set: {hinge_1.command: hinge_1.command + 1}}\n"
                              "  - {at: 2 ms, set: {hinge_2.command: 5 N*m}}\n"
                              "stop: [{when: '0 > 1'}, 'time >= ${most}']\n",
                     NULL));
    RiSim *s = ri_scene_sim(f.scene);
    run(&f, 2);
    CHECK_CLOSE(value(&f, "hinge_1.command"), 0.0, 0);
    run(&f, 1);
    CHECK_CLOSE(value(&f, "hinge_1.command"), 1.0, 0);
    CHECK_CLOSE(value(&f, "hinge_2.command"), 5.0, 0);
    run(&f, 15);
    CHECK_CLOSE(value(&f, "hinge_1.command"), 3.0, 0); // at 2, 5 and 8 ms
    CHECK(ri_sim_stopped(s) == NULL);
    run(&f, 2);
    CHECK(ri_sim_stopped(s) && strcmp(ri_sim_stopped(s), "time >= (0.02 s)") == 0);
    end(&f);
}

TEST(a_spring_holds_a_mass_at_its_static_stretch)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f,
                            "scene: s\nrobot: ../robots/mass.yaml\ntick: 5 ms\n"
                            "springs: [{name: spring, link: ball, anchor: [0, 0, 1], length: 1 m, stiffness: 1 kN/m,\n"
                            "           damping: 100 N*s/m}]\n"
                            "values: {spring.stiffness: 2 kN/m}\n",
                            NULL));
    run(&f, 1000);
    CHECK_CLOSE(value(&f, "base.z"), -9.81 / 2000.0, 1e-9);
    CHECK_CLOSE(value(&f, "spring.force"), 9.81, 1e-6);
    end(&f);
}

TEST(a_library_brings_its_own_devices)
{
    Fixture f = begin();
    char text[2048], path[1024];
    snprintf(text, sizeof text,
             PENDULUM
             "devices:\n"
             "  - {name: brake, library: %s/plugins/brake.so, type: spring_brake, joint: hinge_1, set: {torque: 50}}\n"
             "  - {name: other, library: %s/plugins/brake.so, type: bang_bang, joint: hinge_2}\n",
             RILLE_BINARY_DIR, RILLE_BINARY_DIR);
    REQUIRE_OK(f.ctx, build(&f, text, NULL));
    CHECK_CLOSE(value(&f, "brake.torque"), 50.0, 0);
    path_of("library.yaml", path);
    REQUIRE_OK(f.ctx, ri_scene_save(f.scene, path));
    run(&f, 100);
    const uint64_t hash = ri_sim_hash(ri_scene_sim(f.scene));
    ri_scene_destroy(f.scene);
    REQUIRE_OK(f.ctx, ri_scene_load(f.ctx, path, NULL, &f.scene));
    REQUIRE_OK(f.ctx, ri_scene_build(f.scene));
    run(&f, 100);
    CHECK(ri_sim_hash(ri_scene_sim(f.scene)) == hash);
    remove(path);
    end(&f);
    refused(PENDULUM "devices: [{name: a, library: none.so, type: b, joint: hinge_1}]\n", RI_ERR_IO,
            "test.yaml:3:30: key 'library': ");
}

// ---------------------------------------------------------------------------------------- includes

TEST(included_files_are_weaker_and_later_ones_beat_earlier_ones)
{
    Fixture f = begin();
    char first[1024], second[1024], text[4096];
    write_file("first.yaml",
               "parameters: {a: 1, b: 1, c: 1}\nduration: 1 s\nseed: 1\ntick: 4 ms\nlog: {rate: 25 Hz, frames: false}\n"
               "springs: [{name: rope, link: rod_1, anchor: [0, 0, 0], stiffness: 1}]\n"
               "devices: [{name: d, type: servo, joint: hinge_1, set: {stiffness: 1, damping: 1}}]\n",
               first);
    write_file("second.yaml", "parameters: {b: 2, c: 2}\nduration: 2 s\nseed: 2\n", second);
    snprintf(text, sizeof text,
             PENDULUM "include: [%s, %s]\nparameters: {c: 3}\nseed: 3\nlog: {frames: true}\n"
                      "devices: [{name: d, type: servo, joint: hinge_2, set: {stiffness: '${a + 10*b + 100*c}'}}]\n",
             first, second);
    REQUIRE_OK(f.ctx, build(&f, text, NULL));
    const RiSimOptions *o = ri_sim_options(ri_scene_sim(f.scene));
    CHECK_CLOSE(ri_scene_duration(f.scene), 2.0, 0);
    CHECK_INT(o->seed, 3);
    CHECK_CLOSE(o->tick, 4e-3, 0);
    CHECK_CLOSE(ri_scene_log_rate(f.scene), 25.0, 0); // mappings are merged key by key
    CHECK(ri_scene_log_frames(f.scene));
    CHECK_CLOSE(value(&f, "d.stiffness"), 321.0, 0); // the device of the same name is replaced as a whole
    CHECK_CLOSE(value(&f, "d.damping"), 0.0, 0);
    CHECK_CLOSE(value(&f, "rope.stiffness"), 1.0, 0); // others are kept
    remove(first);
    remove(second);
    end(&f);
}

TEST(includes_in_a_circle_too_many_or_missing_are_refused)
{
    Fixture f = begin();
    char path[1024], text[16384];
    path_of("loop.yaml", path);
    snprintf(text, sizeof text, PENDULUM "include: %s\n", path);
    write_file("loop.yaml", text, path);
    CHECK_ERROR(f.ctx, ri_scene_load(f.ctx, path, NULL, &f.scene), RI_ERR_FORMAT,
                "loop.yaml:3:10: key 'include': files "
                "include each other");
    write_file("loop.yaml", "seed: 2\n", path);
    strcpy(text, PENDULUM "include:\n");
    for (int i = 0; i < 9; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  - %s\n", path);
    CHECK_ERROR(f.ctx, parse(&f, text, NULL), RI_ERR_LIMIT, "at most 8 files");
    remove(path);
    CHECK_ERROR(f.ctx, parse(&f, PENDULUM "include: [none.yaml]\n", NULL), RI_ERR_NOT_FOUND, "test.yaml:3:11: ");
    const char text_only[] = "scene: s\ninclude: a.yaml\nrobot: b\n";
    CHECK_ERROR(f.ctx, ri_scene_parse(f.ctx, NULL, text_only, strlen(text_only), NULL, &f.scene), RI_ERR_FORMAT,
                "<text>:2:10: key 'include': a text without a path");
    end(&f);
}

// ------------------------------------------------------------------------------------------ robots

TEST(robots_are_found_by_name_in_the_folders_given)
{
    Fixture f = begin();
    const char *const folders[] = {"/nowhere", RILLE_SOURCE_DIR "/robots"};
    const RiSceneOptions options = {.robot_paths = folders, .robot_path_count = 2};
    REQUIRE_OK(f.ctx, build(&f, "scene: s\nrobot: mass\n", &options));
    CHECK(strcmp(ri_scene_spec(f.scene)->name, "mass") == 0);
    REQUIRE_OK(f.ctx, build(&f, "scene: s\nrobot: {file: arm, base: fixed}\n", &options));
    CHECK(strcmp(ri_scene_spec(f.scene)->name, "arm") == 0);
    CHECK_ERROR(f.ctx, build(&f, "scene: s\nrobot: mess\n", &options), RI_ERR_NOT_FOUND,
                "test.yaml:2:8: key 'robot': there is no robot file 'mess'");
    end(&f);
}

TEST(a_robot_may_stand_in_the_scene_and_errors_in_it_keep_their_lines)
{
    Fixture f = begin();
    const char bad[] =
        "scene: s\nparameters: {heavy: 3 kg}\nrobot:\n  set: {weight: '${heavy}'}\n  template:\n    robot: inner\n"
        "    parameters: {weight: {value: 1, unit: kg}}\n    links:\n"
        "      - {name: a, mass: '${weight}', solid: sphere, size: [1 m],\n         estimated: }\n";
    REQUIRE_OK(f.ctx, ri_scene_parse(f.ctx, NULL, bad, strlen(bad), NULL, &f.scene));
    CHECK_ERROR(f.ctx, ri_scene_build(f.scene), RI_ERR_FORMAT, "<text>:10:");
    ri_scene_destroy(f.scene);
    const char *end_of_good = strstr(bad, ",\n         estimated");
    char text[512];
    snprintf(text, sizeof text, "%.*s}\n", (int)(end_of_good - bad), bad);
    REQUIRE_OK(f.ctx, ri_scene_parse(f.ctx, NULL, text, strlen(text), NULL, &f.scene));
    REQUIRE_OK(f.ctx, ri_scene_build(f.scene));
    CHECK_CLOSE(ri_scene_spec(f.scene)->links[0].mass, 3.0, 0);
    end(&f);
    refused("scene: s\nrobot:\n  template:\n    robot: r\n    links:\n      - name: a\n        mss: 1\n", RI_ERR_FORMAT,
            "test.yaml:7:");
}

TEST(a_similar_robot_replaces_the_scenes_own_and_another_is_refused)
{
    Fixture f = begin();
    RiSceneOptions options = {.robot = RILLE_SOURCE_DIR "/robots/arm.urdf"};
    REQUIRE_OK(f.ctx, build(&f, "scene: s\nrobot: {file: ../robots/arm.urdf, base: fixed}\n", &options));
    CHECK_ERROR(f.ctx, build(&f, PENDULUM, &options), RI_ERR_MODEL, "not structurally similar");
    CHECK_ERROR(f.ctx, build(&f, "scene: s\nrobot: {template: {robot: r, links: [{name: a, mass: 1}]}}\n", &options),
                RI_ERR_ARGUMENT, "cannot be replaced");
    end(&f);
}

// ---------------------------------------------------------------------------------------- refusals

TEST(unknown_keys_are_refused_with_a_suggestion)
{
    refused(PENDULUM "durations: 5\n", RI_ERR_FORMAT,
            "test.yaml:3:1: unknown key 'durations'; did you mean 'duration'?");
    refused("scene: s\nrobot: {fil: a}\n", RI_ERR_FORMAT, "test.yaml:2:9: unknown key 'fil'");
    refused(PENDULUM "log: {rat: 1}\n", RI_ERR_FORMAT, "test.yaml:3:7: unknown key 'rat'");
    refused(PENDULUM "checkpoint: {evry: 1}\n", RI_ERR_FORMAT, "did you mean 'every'");
    refused(PENDULUM "initial: {position: {}}\n", RI_ERR_FORMAT, "did you mean 'positions'");
    refused(PENDULUM "initial: {base: {xzy: [0, 0, 0]}}\n", RI_ERR_FORMAT, "did you mean 'xyz'");
    refused(PENDULUM "devices:\n  - {name: a, typ: servo}\n", RI_ERR_FORMAT, "test.yaml:4:15: unknown key 'typ'");
    refused(PENDULUM "springs:\n  - {nam: a}\n", RI_ERR_FORMAT, "test.yaml:4:6: unknown key");
    refused(PENDULUM "commands:\n  - {at: 1, sett: {}}\n", RI_ERR_FORMAT, "did you mean 'set'");
    refused(PENDULUM "stop: {if: 1}\n", RI_ERR_FORMAT, "unknown key 'if'");
    refused(PENDULUM "plots: [{titel: a}]\n", RI_ERR_FORMAT, "did you mean 'title'");
}

TEST(wrong_units_are_refused_and_both_are_named)
{
    refused(PENDULUM "duration: 5 kg\n", RI_ERR_FORMAT,
            "test.yaml:3:11: key 'duration': '5 kg' has unit kg, expected s");
    refused(PENDULUM "tick: 5 m\n", RI_ERR_FORMAT, "has unit m, expected s");
    refused(PENDULUM "gravity: [0, 0, 1 s]\n", RI_ERR_FORMAT, "has unit s, expected m/s^2");
    refused(PENDULUM "log: {rate: 1 s}\n", RI_ERR_FORMAT, "expected Hz");
    refused(PENDULUM "initial: {positions: {hinge_1: 1 m}}\n", RI_ERR_FORMAT,
            "test.yaml:3:32: key 'hinge_1': '1 m' has unit m, expected rad");
    refused(PENDULUM "initial: {velocities: {hinge_1: 1 deg}}\n", RI_ERR_FORMAT, "expected rad/s");
    refused(PENDULUM "parameters: {x: 1 kg}\nduration: ${x}\n", RI_ERR_FORMAT, "test.yaml:4:11: ");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, set: {stiffness: 1 m}}]\n", RI_ERR_FORMAT,
            "test.yaml:3:67: key 'stiffness': a.stiffness = '1 m' is in m, but the value takes");
    refused(PENDULUM "commands: [{at: 1, set: {hinge_1.command: 3 kg}}]\n", RI_ERR_FORMAT, "test.yaml:3:43: ");
    refused(PENDULUM "commands: [{at: 1 deg, set: {}}]\n", RI_ERR_FORMAT, "expected s");
    refused(PENDULUM "springs: [{name: a, link: rod_1, anchor: [0, 0, 0], stiffness: 5 N}]\n", RI_ERR_FORMAT,
            "expected N/m");
    refused(PENDULUM "springs: [{name: a, link: rod_1, anchor: [0, 0, 1 kg]}]\n", RI_ERR_FORMAT, "expected m");
    refused(PENDULUM "values: {hinge_1.velocity: 3 m}\n", RI_ERR_FORMAT, "test.yaml:3:28: ");
}

TEST(impossible_numbers_are_refused)
{
    refused(PENDULUM "duration: 0\n", RI_ERR_FORMAT, "key 'duration': '0' is 0 s; allowed: above 0");
    refused(PENDULUM "tick: -1 ms\n", RI_ERR_FORMAT, "test.yaml:3:7: key 'tick'");
    refused(PENDULUM "rtol: 0.5\n", RI_ERR_FORMAT, "key 'rtol': '0.5' is 0.5; allowed: 0 to 0.1");
    refused(PENDULUM "atol: 1 m\n", RI_ERR_FORMAT, "unit");
    refused(PENDULUM "integrator: cvode\nrtol: 0\natol: 0\n", RI_ERR_FORMAT, "not both 0");
    refused(PENDULUM "substeps: 1.5\n", RI_ERR_FORMAT, "whole number");
    refused(PENDULUM "seed: -1\n", RI_ERR_FORMAT, "whole number from 0");
    refused(PENDULUM "integrator: implicitly\n", RI_ERR_FORMAT, "did you mean 'implicit'");
    refused(PENDULUM "gravity: pluto\n", RI_ERR_FORMAT, "earth, mars, moon, enceladus, none");
    refused(PENDULUM "log: {rate: 300}\n", RI_ERR_FORMAT,
            "test.yaml:3:13: key 'rate': a rate of 300 Hz does not divide the tick rate of 1000 Hz");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, rate: 600 Hz}]\n", RI_ERR_FORMAT,
            "test.yaml:3:56: key 'rate': a rate of 600 Hz does not divide");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, rate: 2 kHz}]\n", RI_ERR_FORMAT,
            "does not divide");
    refused(PENDULUM "checkpoint: {every: 1e-5}\n", RI_ERR_FORMAT, "shorter than the tick");
    refused(PENDULUM "commands: [{every: 0.1 ms, set: {hinge_1.command: 1}}]\n", RI_ERR_FORMAT,
            "shorter than the tick");
    refused(PENDULUM "duration: 1e6\ncommands: [{every: 1 ms, set: {hinge_1.command: 1}}]\n", RI_ERR_LIMIT,
            "more than 100000 commands");
    refused(PENDULUM "springs: [{name: a, link: rod_1, anchor: [0, 0, 0], stiffness: -5}]\n", RI_ERR_FORMAT,
            "is negative");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, set: {stiffness: -1}}]\n", RI_ERR_FORMAT,
            "outside its limits");
}

TEST(unknown_names_are_refused_with_a_suggestion)
{
    refused("scene: s\nrobot: ../robots/none.yaml\n", RI_ERR_NOT_FOUND, "test.yaml:2:8: key 'robot'");
    refused("scene: s\nrobot: {file: ../robots/pendulum.yaml, set: {rod: 1}}\n", RI_ERR_NOT_FOUND,
            "did you mean 'rods'");
    refused(PENDULUM "devices: [{name: a, type: serva, joint: hinge_1}]\n", RI_ERR_NOT_FOUND,
            "test.yaml:3:27: key 'type': there is no device type 'serva'; did you mean 'servo'?");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hing_1}]\n", RI_ERR_NOT_FOUND,
            "test.yaml:3:41: key 'joint': there is no joint 'hing_1'; did you mean 'hinge_1'?");
    refused(PENDULUM "devices: [{name: a, type: imu, frame: tipp}]\n", RI_ERR_NOT_FOUND, "did you mean 'tip'?");
    refused(PENDULUM "devices: [{name: '${joint}x', type: servo, joints: 'bend_*'}]\n", RI_ERR_NOT_FOUND,
            "no moving joint matches bend_*");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, set: {stifness: 1}}]\n", RI_ERR_NOT_FOUND,
            "did you mean 'a.stiffness'?");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, connect: {positon: time}}]\n", RI_ERR_NOT_FOUND,
            "test.yaml:3:69: key 'positon': a servo has no input");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, connect: {position: hinge_2.positon}}]\n",
            RI_ERR_NOT_FOUND, "test.yaml:3:70: key 'position': unknown value 'hinge_2.positon'; did you mean");
    refused(PENDULUM "springs: [{name: a, link: rod_3, anchor: [0, 0, 0]}]\n", RI_ERR_NOT_FOUND,
            "there is no link 'rod_3'; did you mean 'rod_");
    refused(PENDULUM "commands: [{at: 1, set: {hinge_1.comand: 3}}]\n", RI_ERR_NOT_FOUND,
            "did you mean 'hinge_1.command'?");
    refused(PENDULUM "stop: {when: 'abs(base.pich) > 1'}\n", RI_ERR_FORMAT, "test.yaml:3: stop condition: ");
    refused(PENDULUM "log: {values: [hinge_1.positions]}\n", RI_ERR_NOT_FOUND, "test.yaml:3:16: ");
    refused(PENDULUM "plots: [{title: a, values: [enrgy.kinetic]}]\n", RI_ERR_NOT_FOUND,
            "did you mean 'energy.kinetic'");
    refused(PENDULUM "initial: {positions: {hinge1: 1}}\n", RI_ERR_NOT_FOUND, "did you mean 'hinge_1'?");
    refused(PENDULUM "initial: {base: {xyz: [0, 0, 0]}}\n", RI_ERR_FORMAT, "the base of the robot is fixed");
    refused(PENDULUM "duration: ${lenght}\nparameters: {length: 1}\n", RI_ERR_FORMAT, "did you mean 'length'");
    refused(PENDULUM "values: {hinge_1.acceleration: 1}\n", RI_ERR_FORMAT, "read-only");
    refused(PENDULUM "commands: [{at: 1, set: {time: 3}}]\n", RI_ERR_FORMAT, "cannot be set");
}

TEST(bad_kinds_and_missing_keys_are_refused)
{
    refused("", RI_ERR_FORMAT, "expected a mapping");
    refused("robot: x\n", RI_ERR_FORMAT, "key 'scene' (its name) is missing");
    refused("scene: s\n", RI_ERR_FORMAT, "key 'robot' is missing");
    refused("scene: s\nrobot: {}\n", RI_ERR_FORMAT, "one of the keys 'file' and 'template'");
    refused("scene: s\nrobot: [a]\n", RI_ERR_FORMAT, "expected a mapping, found a sequence");
    refused("scene: [a]\nrobot: r\n", RI_ERR_FORMAT, "test.yaml:1:8: ");
    refused(PENDULUM "devices: {}\n", RI_ERR_FORMAT, "test.yaml:3:10: key 'devices': expected a sequence");
    refused(PENDULUM "devices: [{type: servo}]\n", RI_ERR_FORMAT, "key 'name' is missing");
    refused(PENDULUM "devices: [{name: a}]\n", RI_ERR_FORMAT, "key 'type' is missing");
    refused(PENDULUM "devices: [{name: a, type: servo}]\n", RI_ERR_FORMAT, "a servo needs the key 'joint'");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, frame: tip}]\n", RI_ERR_FORMAT, "only one of");
    refused(PENDULUM "devices: [{name: a, type: servo, joint: hinge_1, set: [1]}]\n", RI_ERR_FORMAT,
            "expected a mapping");
    refused(PENDULUM "devices: [{name: hinge_1, type: servo, joint: hinge_1}]\n", RI_ERR_FORMAT, "is taken by a joint");
    refused(PENDULUM "devices: [{name: a, type: servo, joints: '*'}]\n", RI_ERR_FORMAT, "given twice");
    refused(PENDULUM "springs: [{name: a, link: rod_1}]\n", RI_ERR_FORMAT, "key 'anchor' is missing");
    refused(PENDULUM "springs: [{name: a, link: rod_1, anchor: [0, 1]}]\n", RI_ERR_FORMAT, "expected 3 numbers");
    refused(PENDULUM "commands: [{at: 1}]\n", RI_ERR_FORMAT, "key 'set' is missing");
    refused(PENDULUM "stop: [{}]\n", RI_ERR_FORMAT, "key 'when' is missing");
    refused(PENDULUM "plots: [{title: a}]\n", RI_ERR_FORMAT, "key 'values' is missing");
    refused(PENDULUM "include: {a: b}\n", RI_ERR_FORMAT, "expected a sequence");
    refused(PENDULUM "duration: [1]\n", RI_ERR_FORMAT, "expected a scalar");
}

TEST(bad_settings_are_refused_and_named)
{
    refused_setting(PENDULUM, "duration", "5 kg", RI_ERR_FORMAT,
                    "setting 'duration':1:1: '5 kg' has unit kg, expected s");
    refused_setting(PENDULUM, "duraton", "5", RI_ERR_NOT_FOUND,
                    "setting 'duraton': there is no such key; did you mean 'duration'?");
    refused_setting(PENDULUM "parameters: {pace: 1}\n", "pacee", "5", RI_ERR_NOT_FOUND, "did you mean 'pace'?");
    refused_setting(PENDULUM "parameters: {speed: {value: 1, max: 2}}\n", "speed", "5", RI_ERR_FORMAT, "at most 2");
    refused_setting(PENDULUM, "robot.rds", "5", RI_ERR_NOT_FOUND, "did you mean 'rods'");
    refused_setting(PENDULUM, "hinge_1.velocty", "5", RI_ERR_NOT_FOUND, "did you mean 'hinge_1.velocity'?");
    refused_setting(PENDULUM, "hinge_1.velocity", "5 kg", RI_ERR_FORMAT, "setting 'hinge_1.velocity': ");
    refused_setting(PENDULUM, "integrator", "rk5", RI_ERR_FORMAT, "setting 'integrator':1:1: ");
    refused_setting(PENDULUM, "energy.kinetic", "5", RI_ERR_FORMAT, "read-only");
}

// ------------------------------------------------------------------------------------------ saving

/// Saves, loads, saves: the texts are equal, and so are the states after some steps.
static void round_trip(Fixture *f)
{
    char first[1024], second[1024], *a = NULL, *b = NULL;
    size_t na = 0, nb = 0;
    RiScene *again = NULL;
    const char *data = data_folder();
    const RiSceneOptions options = {.terrain_paths = &data, .terrain_path_count = 1};
    path_of("first_save.yaml", first);
    path_of("second_save.yaml", second);
    CHECK_OK(f->ctx, ri_scene_save(f->scene, first));
    CHECK_OK(f->ctx, ri_scene_load(f->ctx, first, &options, &again));
    REQUIRE(again != NULL);
    CHECK_OK(f->ctx, ri_scene_build(again));
    REQUIRE(ri_scene_sim(again) != NULL);
    RiSim *s = ri_scene_sim(f->scene), *t = ri_scene_sim(again);
    CHECK(ri_sim_fingerprint(s) == ri_sim_fingerprint(t));
    CHECK(ri_sim_hash(s) == ri_sim_hash(t));
    for (int i = 0; i < 100; i++) {
        CHECK_OK(f->ctx, ri_sim_step(s));
        CHECK_OK(f->ctx, ri_sim_step(t));
    }
    CHECK(ri_sim_hash(s) == ri_sim_hash(t));
    CHECK_OK(f->ctx, ri_scene_save(again, second)); // after a hundred steps: the start is what is saved
    CHECK_OK(f->ctx, ri_file_read(f->ctx, first, 1 << 24, &a, &na));
    CHECK_OK(f->ctx, ri_file_read(f->ctx, second, 1 << 24, &b, &nb));
    CHECK(a && b && strcmp(a, b) == 0);
    ri_release(f->ctx, a);
    ri_release(f->ctx, b);
    ri_scene_destroy(again);
    remove(first);
    remove(second);
}

TEST(sun_and_pictures_are_read_checked_and_saved)
{
    static const char path[] = RILLE_BINARY_DIR "/test_scene_sun.yaml";
    static const char head[] = "scene: s\ninclude: pendulum.yaml\n";
    char text[400];
    const RiSetting low = {"sun.elevation", "5 deg"};
    RiSceneOptions o = ri_scene_options_default();
    Fixture f = begin();
    CHECK_OK(f.ctx, build(&f, head, NULL));
    CHECK_CLOSE(ri_scene_sun(f.scene)->fixed.elevation, 0.7, 1e-12);
    CHECK_INT(ri_scene_picture_count(f.scene), 0);
    CHECK_INT(ri_scene_view(f.scene).kind, RI_LOOK_ORBIT);
    snprintf(text, sizeof text,
             "%ssun: {azimuth: 30 deg, elevation: 40 deg}\npictures: [2, 500 ms]\ncamera: {view: plan, distance: 5, "
             "target: [1, 2, 3], follow: false, layers: 'slope,contacts'}\n",
             head);
    o.settings = &low;
    o.setting_count = 1;
    REQUIRE_OK(f.ctx, build(&f, text, &o));
    CHECK_OK(f.ctx, ri_scene_save(f.scene, path));
    ri_scene_destroy(f.scene);
    f.scene = NULL;
    REQUIRE_OK(f.ctx, ri_scene_load(f.ctx, path, NULL, &f.scene));
    CHECK_CLOSE(ri_scene_sun(f.scene)->fixed.azimuth, 30.0 * degree, 1e-15);
    CHECK_CLOSE(ri_scene_sun(f.scene)->fixed.elevation, 5.0 * degree, 1e-15);
    const RiSceneView view = ri_scene_view(f.scene);
    CHECK_INT(view.kind, RI_LOOK_PLAN);
    CHECK_CLOSE(view.distance, 5.0, 0.0);
    CHECK_CLOSE(view.target.z, 3.0, 0.0);
    CHECK(!view.follow && view.layers && strcmp(view.layers, "slope,contacts") == 0);
    CHECK_INT(ri_scene_picture_count(f.scene), 2);
    CHECK_CLOSE(ri_scene_picture(f.scene, 0), 2.0, 0.0);
    CHECK_CLOSE(ri_scene_picture(f.scene, 1), 0.5, 0.0);
    end(&f);
    unlink(path);
    snprintf(text, sizeof text, "%ssun: {elevation: 100 deg}\n", head);
    refused(text, RI_ERR_FORMAT, "key 'elevation'");
    snprintf(text, sizeof text, "%scamera: {layers: 'slope,contact'}\n", head);
    refused(text, RI_ERR_FORMAT, "there is no layer 'contact'");
    snprintf(text, sizeof text, "%scamera: {view: sideways}\n", head);
    refused(text, RI_ERR_FORMAT, "orbit, chase, plan");
    snprintf(text, sizeof text, "%ssun: {height: 1 deg}\n", head);
    refused(text, RI_ERR_FORMAT, "height");
    snprintf(text, sizeof text, "%spictures: [-1]\n", head);
    refused(text, RI_ERR_FORMAT, "a picture at -1 s");
}

static const char gale[] =
    "scene: s\ninclude: pendulum.yaml\ntick: 10 s\nintegrator: rk4\ngravity: none\nlog: {rate: 0.1 Hz}\n"
    "sun: {body: mars, date: 2012-08-06T05:17:57, latitude: -4.5895 deg, longitude: 137.4417 deg}\n";

TEST(a_sun_of_a_date_moves_with_simulated_time)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f, gale, NULL));
    RiSim *s = ri_scene_sim(f.scene);
    RiValues *values = ri_sim_values(s);
    const int azimuth = ri_values_find(values, "sun.azimuth"), elevation = ri_values_find(values, "sun.elevation");
    REQUIRE(azimuth >= 0 && elevation >= 0);
    CHECK_CLOSE(ri_values_read(values, azimuth) / degree, 287.894237, 1e-5);
    CHECK_CLOSE(ri_values_read(values, elevation) / degree, 90.0 - 56.291248, 1e-5);
    for (int i = 1; i <= 30; i++) {
        CHECK_OK(f.ctx, ri_sim_step(s));
        const RiSun sun = ri_sun_compute(ri_scene_sun(f.scene), 10.0 * i);
        CHECK_CLOSE(ri_values_read(values, azimuth), sun.azimuth, 5e-6);
        CHECK_CLOSE(ri_values_read(values, elevation), sun.elevation, 5e-6);
    }
    end(&f);
}

static const char gale_morning[] = "scene: s\ninclude: pendulum.yaml\n"
                                   "sun: {body: mars, date: 2012-08-06T05:17:57, latitude: -4.5895 deg, longitude: "
                                   "137.4417 deg, local_time: \"09:30\"}\n";

TEST(a_sun_of_a_date_is_saved_and_what_it_lacks_is_told)
{
    static const char path[] = RILLE_BINARY_DIR "/test_scene_date.yaml", head[] = "scene: s\ninclude: pendulum.yaml\n";
    static const struct {
        const char *sun, *says;
    } wrong[] = {
        {"{body: pluto}", "pluto"},
        {"{body: mars, date: yesterday, latitude: 0 deg, longitude: 0 deg}", "yesterday"},
        {"{date: 2012-08-06T05:17:57, latitude: 0 deg, longitude: 0 deg}", "needs a 'body'"},
        {"{body: mars, date: 2012-08-06T05:17:57, longitude: 0 deg}", "needs a 'latitude'"},
        {"{body: mars, date: 2012-08-06T05:17:57, latitude: 91 deg, longitude: 0 deg}", "key 'latitude'"},
        {"{body: mars, date: 2012-08-06T05:17:57, latitude: 0 deg, longitude: 0 deg, azimuth: 1}", "azimuth"},
        {"{body: mars, date: 2012-08-06T05:17:57, latitude: 0 deg, longitude: 0 deg, local_time: 24}", "no local hour"},
        {"{local_time: 9}", "needs a 'date'"},
        {"{body: mars, latitude: 0 deg}", "needs a 'date'"}};
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f, gale_morning, NULL));
    CHECK_CLOSE(ri_clock_read(ri_scene_sun(f.scene), 0.0).true_hour, 9.5, 1e-6);
    CHECK_OK(f.ctx, ri_scene_save(f.scene, path));
    const RiSunDef was = *ri_scene_sun(f.scene);
    ri_scene_destroy(f.scene);
    f.scene = NULL;
    REQUIRE_OK(f.ctx, ri_scene_load(f.ctx, path, NULL, &f.scene));
    const RiSunDef is = *ri_scene_sun(f.scene);
    CHECK(is.world == was.world && is.moves && is.utc[0] == was.utc[0] && is.utc[1] == was.utc[1]);
    CHECK(is.latitude == was.latitude && is.longitude == was.longitude);
    end(&f);
    unlink(path);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[300];
        snprintf(text, sizeof text, "%ssun: %s\n", head, wrong[i].sun);
        refused(text, RI_ERR_FORMAT, wrong[i].says);
    }
}

TEST(a_saved_scene_loads_to_the_same_text_and_the_same_bits)
{
    Fixture f = begin();
    const RiSetting settings[] = {{"robot.length", "1 m/3"}, {"hinge_1.position", "0.1"}, {"gravity.z", "-1.1"},
                                  {"rope.damping", "1/3"},   {"hinge_2.command", "0.7"},  {"pid.kp", "1/7"},
                                  {"pid.active", "true"},    {"duration", "(1/3) s"}};
    const RiSceneOptions options = {.settings = settings, .setting_count = sizeof settings / sizeof *settings};
    REQUIRE_OK(f.ctx,
               build(&f,
                     "scene: \"quoted \\\" \\\\ \\L text\"\ndoc: 'it: is # one'\n"
                     "parameters: {x: 1 m/7}\n"
                     "robot: {file: ../robots/pendulum.yaml, set: {radius: '${x/10}', mass: 2 kg}, reduce: false}\n"
                     "integrator: rk4\nsubsteps: 2\nseed: 77\n"
                     "initial: {velocities: {'hinge_*': -0.3 rad/s}}\n"
                     "devices:\n"
                     "  - {name: pid, type: pid, joint: hinge_1, rate: 500 Hz, active: false, set: {kd: 0.1},\n"
                     "     connect: {reference_position: move.position}}\n"
                     "  - {name: move, type: profile, joint: hinge_1, set: {target: hinge_1.position + 1 deg}}\n"
                     "  - {name: imu, type: imu, frame: tip, rate: 100 Hz, set: {accel_noise: 0.1}}\n"
                     "springs: [{name: rope, link: rod_2, point: ['${-x}', 0, 0], anchor: [0, 0.1, -3], stiffness: 3,\n"
                     "           length: '${x}', slack: true}]\n"
                     "commands: [{at: 10 ms, every: 20 ms, until: 70 ms, set: {move.target: '${x}/1 m*time/(1 s)'}}]\n"
                     "stop: {when: 'hinge_1.position > 100 deg'}\n"
                     "log: {rate: 10 Hz, values: ['*.position', 'nothing.*']}\ncheckpoint: {every: 0.3 s}\n"
                     "plots: [{title: 'a \"b\"', values: [time]}]\n",
                     &options));
    CHECK_CLOSE(value(&f, "pid.kp"), 1.0 / 7.0, 0);
    round_trip(&f);
    end(&f);
}

TEST(a_saved_scene_keeps_a_floating_base_and_an_inline_robot)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f,
                            "scene: s\nrobot:\n  template:\n    extends: ../robots/pendulum.yaml\n    robot: derived\n"
                            "    base: floating\n    parameters: {rods: 3}\n"
                            "    links: [{name: rod_0, mass: 1, solid: sphere, size: [0.1]}]\n"
                            "initial: {base: {rpy: [0.1, 0.2, 0.3], rate: [1, 2, 3]}, positions: {hinge_2: 0.3}}\n",
                            NULL));
    round_trip(&f);
    end(&f);
}

TEST(a_scene_that_is_not_built_or_cannot_be_written_is_not_saved)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, parse(&f, PENDULUM, NULL));
    CHECK_ERROR(f.ctx, ri_scene_save(f.scene, "x.yaml"), RI_ERR_ARGUMENT, "after ri_scene_build");
    REQUIRE_OK(f.ctx, ri_scene_build(f.scene));
    CHECK_ERROR(f.ctx, ri_scene_build(f.scene), RI_ERR_ARGUMENT, "built already");
    CHECK_ERROR(f.ctx, ri_scene_save(f.scene, "/nowhere/x.yaml"), RI_ERR_IO, "/nowhere/x.yaml: ");
    CHECK_ERROR(f.ctx, ri_scene_save(f.scene, RILLE_SOURCE_DIR "/scenes"), RI_ERR_IO, "Is a directory");
    end(&f);
}

// ------------------------------------------------------------------------------- scenes and memory

TEST(parameters_are_told_with_unit_value_bounds_and_meaning)
{
    static const char text[] = "scene: s\nparameters:\n  speed: 4 cm/s\n  tilt: {value: 0.1 rad, unit: deg, max: 20}\n"
                               "  way: {value: speed*10 s, doc: of the drive}\n  count: {value: 3, min: 1}\n"
                               "robot: {template: {robot: r, links: [{name: a, mass: 1}]}}\n";
    const RiSetting setting = {"speed", "5"};
    const RiSceneOptions options = {.settings = &setting, .setting_count = 1};
    Fixture f = begin();
    REQUIRE_OK(f.ctx, ri_scene_parse(f.ctx, NULL, text, strlen(text), &options, &f.scene));
    CHECK_INT(ri_scene_parameter_count(f.scene), 4);
    const RiSceneParameter speed = ri_scene_parameter(f.scene, 0), tilt = ri_scene_parameter(f.scene, 1);
    const RiSceneParameter way = ri_scene_parameter(f.scene, 2), count = ri_scene_parameter(f.scene, 3);
    CHECK(strcmp(speed.name, "speed") == 0 && strcmp(speed.unit, "cm/s") == 0 && !*speed.doc);
    CHECK_CLOSE(speed.value, 5.0, 1e-12);
    CHECK(strcmp(tilt.unit, "deg") == 0 && tilt.least == -INFINITY);
    CHECK_CLOSE(tilt.value, 0.1 * 180.0 / 3.14159265358979, 1e-12);
    CHECK_CLOSE(tilt.most, 20.0, 1e-12);
    CHECK(strcmp(way.unit, "m") == 0 && strcmp(way.doc, "of the drive") == 0);
    CHECK_CLOSE(way.value, 0.5, 1e-12);
    CHECK(!*count.unit && count.least == 1.0 && count.most == INFINITY);
    CHECK(!*ri_scene_parameter(f.scene, 4).name && !*ri_scene_parameter(f.scene, -1).name);
    end(&f);
}

/// What a scene does at its start is within what its robot can give, and brings no energy. Other laws
/// may be outside their range where that is the scene's point (`embed`).
static void starts_within_limits(Fixture *f)
{
    static const char *const endings[] = {".velocity_limit", ".effort_limit", ".energy_gain", ".started_inside"};
    const RiSim *sim = ri_scene_sim(f->scene);
    for (int i = 0; i < ri_sim_validity_count(sim); i++) {
        const RiValidity v = ri_sim_validity(sim, i);
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
            if (v.count > 0 && strstr(v.name, endings[k]))
                CHECK_FAIL("%s: %s at %g s: %s", ri_scene_name(f->scene), v.name, v.first_time, v.text);
    }
}

TEST(all_example_scenes_load_run_and_save)
{
    DIR *folder = opendir(RILLE_SOURCE_DIR "/scenes");
    REQUIRE(folder != NULL);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".yaml") || skips_scene(entry->d_name))
            continue;
        Fixture f = begin();
        char path[1024];
        const char *data = data_folder();
        RiReport *report = NULL;
        CHECK_OK(f.ctx, ri_report_create(f.ctx, &report));
        const RiSceneOptions options = {.report = report, .terrain_paths = &data, .terrain_path_count = 1};
        snprintf(path, sizeof path, "%s/scenes/%s", RILLE_SOURCE_DIR, entry->d_name);
        CHECK_OK(f.ctx, ri_scene_load(f.ctx, path, &options, &f.scene));
        const RiStatus status = f.scene ? ri_scene_build(f.scene) : RI_ERR_FORMAT;
        if (status == RI_ERR_UNSUPPORTED)
            printf("     skipped: %s\n", ri_context_message(f.ctx)); // an optional part that this build lacks
        else
            CHECK_OK(f.ctx, status);
        if (status == RI_OK) {
            CHECK(strncmp(ri_scene_name(f.scene), entry->d_name, strlen(ri_scene_name(f.scene))) == 0);
            for (int i = 0; i < ri_scene_parameter_count(f.scene); i++)
                if (!ri_scene_parameter(f.scene, i).doc[0])
                    CHECK_FAIL("%s: parameter '%s' has no doc", entry->d_name, ri_scene_parameter(f.scene, i).name);
            CHECK(ri_scene_doc(f.scene)[0] && ri_scene_plot_count(f.scene) > 0 && ri_scene_log_rate(f.scene) > 0.0);
            for (int i = 0; i < ri_report_count(report); i++) // a glob that matches nothing
                if (ri_report_get(report, i)->kind == RI_FINDING_WARNING)
                    CHECK_FAIL("%s: warning: %s", entry->d_name, ri_report_get(report, i)->text);
            round_trip(&f);
            run(&f, 100);
            starts_within_limits(&f);
        }
        count++;
        ri_scene_destroy(f.scene);
        f.scene = NULL;
        ri_report_destroy(report);
        end(&f);
    }
    closedir(folder);
    CHECK(count >= 7);
}

TEST(the_stiff_spring_comes_to_rest_and_the_arm_arrives)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, ri_scene_load(f.ctx, RILLE_SOURCE_DIR "/scenes/stiff_spring.yaml", NULL, &f.scene));
    REQUIRE_OK(f.ctx, ri_scene_build(f.scene));
    run(&f, 400);
    CHECK_CLOSE(value(&f, "base.z"), -9.81e-6, 1e-10);
    ri_scene_destroy(f.scene);
    REQUIRE_OK(f.ctx, ri_scene_load(f.ctx, RILLE_SOURCE_DIR "/scenes/arm_hold.yaml", NULL, &f.scene));
    REQUIRE_OK(f.ctx, ri_scene_build(f.scene));
    run(&f, 1000);
    CHECK_CLOSE(value(&f, "elbow.position"), 1.2, 0.02); // held
    run(&f, 5000);
    CHECK_CLOSE(value(&f, "elbow.position"), 50.0 * degree, 0.002);
    CHECK_CLOSE(value(&f, "wrist_pitch.position"), 30.0 * degree, 0.02);
    CHECK(ri_sim_stopped(ri_scene_sim(f.scene)) == NULL);
    end(&f);
}

TEST(failing_memory_is_told_and_nothing_leaks)
{
    char path[1024];
    write_file("faults.yaml",
               "scene: s\nparameters: {a: 2}\n"
               "robot: {template: {robot: r, base: fixed, links: [{name: a}, {name: b, mass: 1, solid: sphere, size: "
               "[0.1]}],\n"
               "        joints: [{name: j, type: revolute, parent: a, child: b}]}}\n"
               "devices: [{name: 'd_${joint}', type: servo, joints: '*', connect: {position: j.position}, set: "
               "{damping: 1}}]\n"
               "springs: [{name: k, link: b, anchor: [0, 0, 1], stiffness: '${a}'}]\n"
               "commands: [{every: 1 s, set: {j.command: 1}}]\nstop: time > 5\nplots: [{title: a, values: [time]}]\n",
               path);
    const RiSetting settings[] = {{"duration", "2 s"}, {"a", "3"}, {"j.velocity", "1"}};
    const RiSceneOptions options = {.settings = settings, .setting_count = 3};
    char saved[1024];
    path_of("faults_saved.yaml", saved);
    bool done = false;
    long at = 0;
    for (; !done && at < 20000; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx = NULL;
        RiScene *scene = NULL;
        RiStatus status = ri_context_create(&allocator, &ctx);
        if (status == RI_OK)
            status = ri_scene_load(ctx, path, &options, &scene);
        if (status == RI_OK)
            status = ri_scene_build(scene);
        if (status == RI_OK)
            status = ri_scene_save(scene, saved);
        done = status == RI_OK;
        if (!done)
            CHECK_INT(status, RI_ERR_MEMORY);
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done && at > 50);
    remove(path);
    remove(saved);
}

TEST_MAIN(CASE(everything_but_name_and_robot_has_a_default), CASE(keys_are_read_with_units_and_parameters),
          CASE(settings_beat_the_scene_which_beats_defaults), CASE(body_date_and_hour_of_the_sun_are_settings),
          CASE(a_date_beats_the_fixed_sun_of_an_included_file_and_not_that_of_its_own),
          CASE(a_setting_that_a_command_overwrites_is_warned_of), CASE(gravity_is_a_body_a_strength_or_a_vector),
          CASE(a_floating_base_starts_where_and_as_fast_as_told), CASE(an_item_with_joints_is_one_per_joint),
          CASE(commands_are_repeated_and_stops_stop), CASE(a_spring_holds_a_mass_at_its_static_stretch),
          CASE(a_library_brings_its_own_devices), CASE(included_files_are_weaker_and_later_ones_beat_earlier_ones),
          CASE(includes_in_a_circle_too_many_or_missing_are_refused),
          CASE(robots_are_found_by_name_in_the_folders_given),
          CASE(a_robot_may_stand_in_the_scene_and_errors_in_it_keep_their_lines),
          CASE(a_similar_robot_replaces_the_scenes_own_and_another_is_refused),
          CASE(unknown_keys_are_refused_with_a_suggestion), CASE(wrong_units_are_refused_and_both_are_named),
          CASE(impossible_numbers_are_refused), CASE(unknown_names_are_refused_with_a_suggestion),
          CASE(bad_kinds_and_missing_keys_are_refused), CASE(bad_settings_are_refused_and_named),
          CASE(sun_and_pictures_are_read_checked_and_saved), CASE(a_sun_of_a_date_moves_with_simulated_time),
          CASE(a_sun_of_a_date_is_saved_and_what_it_lacks_is_told),
          CASE(a_saved_scene_loads_to_the_same_text_and_the_same_bits),
          CASE(a_saved_scene_keeps_a_floating_base_and_an_inline_robot),
          CASE(a_scene_that_is_not_built_or_cannot_be_written_is_not_saved), CASE(all_example_scenes_load_run_and_save),
          CASE(parameters_are_told_with_unit_value_bounds_and_meaning),
          CASE(the_stiff_spring_comes_to_rest_and_the_arm_arrives), CASE(failing_memory_is_told_and_nothing_leaks))
