// SPDX-License-Identifier: Apache-2.0
/// \file
/// Building and running the robots of `rille bench snake`.
#include "bench/cases/bench_snake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rille/robot.h>
#include <rille/scene.h>

#include "bench/snake.h"
#include "bench/temporary.h"
#include "cli.h"

enum { LOG_EVERY = 10 };
static const double TICK = 1e-3;
/// When the robot of the scene between walls has been let go, has held itself and climbs [s].
static const double CLIMBS = 6.0;

/// Bend of every joint with which the ends of ten modules press on each other [rad].
static const double CURL = 0.8;

static void *count_resize(void *user, void *block, size_t size)
{
    ++*(long *)user;
    return realloc(block, size);
}

static void count_release(void *user, void *block)
{
    (void)user;
    free(block);
}

static RiStatus load(SnakeRig *rig, const SnakeCase *c)
{
    char folder[PATH_MAX], path[PATH_MAX + 64], count[16];
    cli_data_folder("robots", folder);
    snprintf(path, sizeof path, "%s/%s", folder, c->robot);
    snprintf(count, sizeof count, "%d", c->modules);
    const RiSetting set = {"modules", count};
    const RiLoadOptions options = {.settings = &set, .setting_count = 1};
    RI_TRY(ri_robot_load(rig->ctx, path, &options, &rig->spec));
    return ri_model_create(rig->ctx, rig->spec, NULL, &rig->model);
}

static RiStatus make_field(SnakeRig *rig, double half)
{
    RiRaster *raster;
    const double cell = 2.0 * half / (BENCH_FIELD - 1);
    RI_TRY(ri_raster_create(rig->ctx, BENCH_FIELD, BENCH_FIELD, cell, cell, &raster));
    raster->x0 = raster->y0 = -half;
    for (int j = 0; j < BENCH_FIELD; j++)
        for (int i = 0; i < BENCH_FIELD; i++)
            raster->values[j * BENCH_FIELD + i] = (float)bench_ground(-half + i * cell, -half + j * cell);
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    def.material = "ice";
    const RiStatus status = ri_terrain_create_heights(rig->ctx, &def, &rig->terrain);
    ri_raster_destroy(raster);
    return status;
}

static RiStatus make_ground(SnakeRig *rig)
{
    return make_field(rig, rig->ground == SNAKE_ON_WIDE_FIELD ? 4.0 * BENCH_FIELD_HALF : BENCH_FIELD_HALF);
}

static RiStatus make_contacts(SnakeRig *rig)
{
    RiPairDef ice = ri_pair_default();
    ice.robot = "screw", ice.ground = "ice", ice.law = RI_LAW_SCREW;
    ice.friction = 0.15, ice.e0 = 2.0, ice.e1 = 0.01, ice.e_max = 8.0;
    RiContactOptions options = ri_contact_options_default();
    options.pairs = &ice;
    options.pair_count = 1;
    options.back_end = rig->hulls ? RI_BACK_END_HULLS : RI_BACK_END_POINTS;
    return ri_contacts_create(rig->ctx, rig->spec, rig->model, rig->terrain, &options, &rig->contacts);
}

static const char *const joint_format[3] = {"bend_%d", "twist_%d", "screw_front_%d_joint"};

/// A controller on every bend, twist and (front) screw joint; geared rear screws follow.
static RiStatus add_controllers(SnakeRig *rig)
{
    for (int i = 0; i < 3 * rig->modules; i++) {
        char joint[64], name[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // one of the three literals above
        snprintf(joint, sizeof joint, joint_format[i % 3], 1 + i / 3);
#pragma GCC diagnostic pop
        snprintf(name, sizeof name, "control_%d", i);
        const RiDeviceDef def = {.name = name, .device = ri_device_find("pid"), .attach = joint, .rate = 1.0 / TICK};
        RI_TRY(ri_sim_add_device(rig->sim, &def));
    }
    return RI_OK;
}

static RiStatus set(SnakeRig *rig, int device, const char *port, double value)
{
    char name[64];
    snprintf(name, sizeof name, "control_%d.%s", device, port);
    return ri_values_write(ri_sim_values(rig->sim), ri_values_find(ri_sim_values(rig->sim), name), value);
}

/// Gains and the places of the references.
static RiStatus tune(SnakeRig *rig)
{
    const BenchGains gains[3] = {BENCH_BEND_GAINS, BENCH_TWIST_GAINS, BENCH_SCREW_GAINS};
    for (int i = 0; i < 3 * rig->modules; i++) {
        const bool screw = i % 3 == 2;
        char name[64];
        RI_TRY(set(rig, i, "mode", screw ? 1.0 : 0.0));
        RI_TRY(set(rig, i, "kp", gains[i % 3].kp));
        RI_TRY(set(rig, i, "kd", gains[i % 3].kd));
        RI_TRY(set(rig, i, "ki", screw ? 0.0 : 50.0));
        RI_TRY(set(rig, i, "effort_limit", 400.0));
        snprintf(name, sizeof name, "control_%d.%s", i, screw ? "reference_velocity" : "reference_position");
        rig->reference[i] = ri_values_find(ri_sim_values(rig->sim), name);
    }
    return RI_OK;
}

/// Straight above the field.
static void place(SnakeRig *rig)
{
    double *q = ri_sim_q(rig->sim);
    q[0] = BENCH_START_X - (rig->ground == SNAKE_ON_WIDE_FIELD ? 10.0 : 0.0);
    q[1] = BENCH_START_Y;
    q[2] = rig->ground != SNAKE_ON_WIDE_FIELD ? bench_start_height(0.4 * rig->modules, 0.1) : 0.35;
}

/// A log of all joint positions, velocities and efforts, and of the contacts.
static RiStatus open_log(SnakeRig *rig)
{
    static const char *const globs[] = {"*.position", "*.velocity", "*.effort", "contact.*"};
    RiValues *t = ri_sim_values(rig->sim);
    const int room = ri_values_count(t);
    const char **names = calloc(2 * (size_t)room, sizeof *names), **units = names + room;
    rig->logged = calloc((size_t)room, sizeof *rig->logged);
    rig->row = calloc((size_t)room, sizeof *rig->row);
    if (!names || !rig->logged || !rig->row) {
        free(names);
        return ri_error(rig->ctx, RI_ERR_MEMORY, "out of memory");
    }
    for (size_t g = 0; g < sizeof globs / sizeof *globs; g++)
        for (int i = ri_values_match(t, globs[g], 0); i >= 0 && rig->logged_count < room;
             i = ri_values_match(t, globs[g], i + 1)) {
            names[rig->logged_count] = ri_values_get(t, i)->name;
            units[rig->logged_count] = ri_values_get(t, i)->unit;
            rig->logged[rig->logged_count++] = i;
        }
    bench_temporary(bench_temporary_folder(), ".mcap", rig->path, sizeof rig->path);
    RiStatus status = ri_record_create(rig->ctx, rig->path, NULL, &rig->record);
    if (status == RI_OK)
        status = ri_record_add_signals(rig->record, "/values", rig->logged_count, names, units, &rig->group);
    free(names);
    return status;
}

static RiStatus build(SnakeRig *rig)
{
    RiSimOptions options = ri_sim_options_default();
    options.tick = TICK;
    options.gravity = ri_vec3(0.0, 0.0, -9.81);
    RI_TRY(make_ground(rig));
    RI_TRY(make_contacts(rig));
    RI_TRY(ri_sim_create(rig->ctx, rig->model, &options, &rig->sim));
    RI_TRY(ri_sim_set_contacts(rig->sim, rig->contacts));
    RI_TRY(add_controllers(rig));
    RI_TRY(ri_sim_build(rig->sim));
    RI_TRY(tune(rig));
    place(rig);
    return ri_sim_start(rig->sim);
}

/// The climb between walls as the scene has it, without a goal that ends it.
static RiStatus build_scene(SnakeRig *rig)
{
    static const RiSetting settings[] = {{"hold", "1 s"}, {"goal", "1000 m"}, {"duration", "1000 s"}};
    char folder[PATH_MAX], path[PATH_MAX + 64];
    cli_data_folder("scenes", folder);
    snprintf(path, sizeof path, "%s/climb_walls.yaml", folder);
    const RiSceneOptions options = {.settings = settings, .setting_count = 3};
    RI_TRY(ri_scene_load(rig->ctx, path, &options, &rig->scene));
    RI_TRY(ri_scene_build(rig->scene));
    rig->sim = ri_scene_sim(rig->scene);
    return RI_OK;
}

RiStatus snake_rig_open(SnakeRig *rig, const SnakeCase *c)
{
    memset(rig, 0, sizeof *rig);
    rig->ground = c->ground;
    rig->modules = c->modules;
    rig->hulls = c->hulls;
    const RiAllocator counting = {count_resize, count_release, &rig->allocations};
    RI_TRY(ri_context_create(&counting, &rig->ctx));
    rig->reference = calloc(3 * (size_t)c->modules, sizeof *rig->reference);
    if (!rig->reference)
        return ri_error(rig->ctx, RI_ERR_MEMORY, "out of memory");
    if (c->ground == SNAKE_BETWEEN_WALLS) {
        RI_TRY(build_scene(rig));
    } else {
        RI_TRY(load(rig, c));
        RI_TRY(build(rig));
    }
    RI_TRY(open_log(rig));
    while (ri_sim_time(rig->sim) < (rig->scene ? CLIMBS : BENCH_SETTLE))
        RI_TRY(snake_rig_tick(rig));
    return RI_OK;
}

void snake_rig_close(SnakeRig *rig)
{
    ri_record_destroy(rig->record);
    if (rig->path[0])
        unlink(rig->path);
    if (!rig->scene)
        ri_sim_destroy(rig->sim);
    ri_scene_destroy(rig->scene);
    ri_contacts_destroy(rig->contacts);
    ri_terrain_destroy(rig->terrain);
    ri_model_destroy(rig->model);
    ri_spec_destroy(rig->spec);
    ri_context_destroy(rig->ctx);
    free(rig->reference);
    free(rig->logged);
    free(rig->row);
}

static double reference(const SnakeRig *rig, int i, double t)
{
    const int module = i / 3;
    if (rig->ground == SNAKE_IN_COIL) // closed within 5 s, the screws turn on
        return i % 3 == 0 ? CURL * fmin(1.0, t / 5.0) : i % 3 == 1 ? 0.0 : bench_screw(module, t);
    return i % 3 == 0 ? bench_bend(module, t) : i % 3 == 1 ? bench_twist(module, t) : bench_screw(module, t);
}

RiStatus snake_rig_step(SnakeRig *rig)
{
    RiValues *values = ri_sim_values(rig->sim);
    const double t = ri_sim_time(rig->sim) - BENCH_SETTLE;
    for (int i = 0; i < 3 * rig->modules && !rig->scene; i++)
        RI_TRY(ri_values_write(values, rig->reference[i], reference(rig, i, fmax(0.0, t))));
    return ri_sim_step(rig->sim);
}

RiStatus snake_rig_tick(SnakeRig *rig)
{
    RI_TRY(snake_rig_step(rig));
    if (ri_sim_tick(rig->sim) % LOG_EVERY != 0)
        return RI_OK;
    for (int k = 0; k < rig->logged_count; k++)
        rig->row[k] = ri_values_read(ri_sim_values(rig->sim), rig->logged[k]);
    return ri_record_signals(rig->record, rig->group, ri_sim_time(rig->sim), rig->row);
}
