// SPDX-License-Identifier: Apache-2.0
/// \file
/// Mobility maps against full dynamics: a MER drives straight over hills of sand from random places
/// in random headings, none of which was used for the fit, and its slip and energy are compared
/// with the map's along the same way.
///
/// The map predicts from the body's tilt alone; the runs have ruts, multi-pass, dynamics, and
/// ground that curves. Bands: the issue's own wish of a slip error of 0.05 rms and of 15 % of
/// energy. The way of a run is 3 m, of which the second half counts: the rear wheels are in the
/// ruts of the front wheels then. Runs whose way has a place outside the response's validity are
/// not compared, and counted.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/mobility.h>
#include <rille/robot.h>
#include <rille/scene.h>
#include <rille/terrain_file.h>

#include "base/rng.h"
#include "validate/validate.h"

enum { RUNS = 100 };

static const double WAY = 3.0, SPEED = 0.1, HALF = 14.0, CELL = 0.25;
static const char SOIL[] = "MER_trench_high";

/// Gentle hills: slopes of 4 degrees rms, no feature shorter than the rover.
#define GROUND                                                                                                         \
    "{kind: make, make: fractal, set: {size_x: 40 m, size_y: 40 m, cell: 25 cm, hurst: 0.9, rms_slope: 4 deg, "        \
    "short_wave: 5 m}, "                                                                                               \
    "seed: 5, soil: MER_trench_high, ruts: {cell: 2 cm, memory: 128 MB}}"

typedef struct Rig {
    RiValidation *run;
    RiTerrainFile *ground;
    RiSpec *spec;
    RiModel *model;
    RiMobilityResponse response;
    RiMobilityMap *map;
    char robot[1100], base[1100], soils[1100];
} Rig;

static RiStatus make_ground(Rig *rig)
{
    const char *text = GROUND;
    const RiTerrainOptions options = {.soils = rig->soils};
    return ri_terrain_file_parse(rig->run->ctx, rig->base, text, strlen(text), &options, &rig->ground);
}

static RiStatus make_map(Rig *rig)
{
    RiMobilityDef fit = ri_mobility_def_default();
    fit.robot = rig->robot;
    fit.soil = SOIL;
    fit.soils = rig->soils;
    RI_TRY(ri_mobility_fit(rig->run->ctx, &fit, &rig->response));
    RiMobilityMapDef def = ri_mobility_map_def_default();
    def.x0 = def.y0 = -HALF - 4.0;
    def.x1 = def.y1 = HALF + 4.0;
    def.cell = CELL;
    return ri_mobility_map_create(rig->run->ctx, &def, rig->spec, rig->model, ri_terrain_file_terrain(rig->ground),
                                  &rig->response, &rig->map);
}

/// A run from a place in one of the eight headings.
typedef struct Drive {
    double x, y;
    int heading;
    double slip, energy;   // of the second half
    double x0, y0, x1, y1; // where that began and ended
    bool done;
} Drive;

static double read(RiSim *sim, const char *name)
{
    const int i = ri_values_find(ri_sim_values(sim), name);
    return i >= 0 ? ri_values_read(ri_sim_values(sim), i) : NAN;
}

static RiStatus run_drive(RiSim *sim, Drive *d)
{
    double work = 0.0, z0 = 0.0;
    while (ri_sim_time(sim) < WAY / SPEED - 1e-9) {
        if (d->x0 == 0.0 && ri_sim_time(sim) >= 0.5 * WAY / SPEED) {
            d->x0 = read(sim, "base.x"), d->y0 = read(sim, "base.y"), z0 = read(sim, "base.z");
            work = ri_sim_energy(sim).work;
        }
        RI_TRY(ri_sim_step(sim));
    }
    d->x1 = read(sim, "base.x"), d->y1 = read(sim, "base.y");
    const double flat = hypot(d->x1 - d->x0, d->y1 - d->y0), way = hypot(flat, read(sim, "base.z") - z0);
    d->slip = 1.0 - way / (0.5 * WAY);
    d->energy = (ri_sim_energy(sim).work - work) / way;
    d->done = true;
    return RI_OK;
}

static RiStatus simulate(Rig *rig, Drive *d, double radius, double mass)
{
    char text[8192];
    const double g = 3.71, rate = SPEED / radius, hold = 20.0 * mass * g * radius / rate;
    RiScene *scene = NULL;
    snprintf(
        text, sizeof text,
        "scene: cell\nrobot: ../robots/mer.yaml\nterrain: " GROUND
        "\nstance: {}\nduration: 100 s\ntick: 4 ms\ngravity: [0, 0, "
        "-3.71]\ninitial: {base: {xyz: [%.17g, %.17g, 0], rpy: [0, 0, %d deg]}}\ndevices:\n"
        "  - {joints: \"drive_*\", name: \"motor_${joint}\", type: servo, set: {stiffness: 0, damping: %.17g, "
        "velocity: "
        "%.17g}}\n"
        "  - {joints: \"steer_*\", name: \"hold_${joint}\", type: servo, set: {stiffness: %.17g, damping: %.17g}}\n",
        d->x, d->y, 45 * d->heading, hold, rate, 100.0 * mass * g * radius, 10.0 * mass * g * radius);
    const RiSceneOptions options = {.soils = rig->soils};
    RI_TRY(ri_scene_parse(rig->run->ctx, rig->base, text, strlen(text), &options, &scene));
    RiStatus status = ri_scene_build(scene);
    if (status == RI_OK)
        status = run_drive(ri_scene_sim(scene), d);
    ri_scene_destroy(scene);
    return status == RI_ERR_NUMERIC ? RI_OK : status; // a run that diverged is not compared
}

/// Mean of a layer along the measured way; false: a place of it is not valid.
static bool predict(const Rig *rig, const Drive *d, RiMobilityLayer layer, double *out)
{
    const RiMobilityMap *m = rig->map;
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    double sum = 0.0;
    enum { PLACES = 9 };
    for (int k = 0; k < PLACES; k++) {
        const double t = (k + 0.5) / PLACES, x = d->x0 + t * (d->x1 - d->x0), y = d->y0 + t * (d->y1 - d->y0);
        const int i = (int)floor((x - m->x0) / m->cell + 0.5), j = (int)floor((y - m->y0) / m->cell + 0.5);
        if (i < 0 || j < 0 || i >= m->nx || j >= m->ny)
            return false;
        const size_t at = (size_t)d->heading * cells + (size_t)j * (size_t)m->nx + (size_t)i;
        if (m->layers[RI_MOBILITY_VALID][at] < 0.5F)
            return false;
        sum += (double)m->layers[layer][at] / PLACES;
    }
    *out = sum;
    return true;
}

static RiStatus compare(Rig *rig)
{
    RiRng rng = ri_rng_stream(11, "validate.mobility");
    RiStance *stance;
    RI_TRY(ri_stance_create(rig->run->ctx, rig->spec, rig->model, NULL, &stance));
    const double radius = ri_stance_wheel(stance, 0).radius, mass = ri_model_mass(rig->model);
    ri_stance_destroy(stance);
    double squares = 0.0, ours = 0.0, theirs = 0.0, worst = 0.0, off = 0.0;
    int compared = 0, beyond = 0, runs = rig->run->quick ? RUNS / 10 : RUNS;
    for (int k = 0; k < runs; k++) {
        Drive d = {.x = ri_rng_between(&rng, -HALF, HALF),
                   .y = ri_rng_between(&rng, -HALF, HALF),
                   .heading = ri_rng_below(&rng, 8)};
        double slip, energy;
        RI_TRY(simulate(rig, &d, radius, mass));
        if (!d.done || !predict(rig, &d, RI_MOBILITY_SLIP, &slip) || !predict(rig, &d, RI_MOBILITY_ENERGY, &energy))
            continue;
        compared++;
        squares += (slip - d.slip) * (slip - d.slip);
        worst = fmax(worst, fabs(slip - d.slip));
        off += (energy - d.energy) * (energy - d.energy);
        beyond += fabs(energy - d.energy) > 0.15 * fabs(d.energy);
        ours += energy;
        theirs += d.energy;
    }
    char text[160];
    snprintf(text, sizeof text, "error of slip, rms over %d random cells and headings (largest %.3f)", compared, worst);
    ri_validate_most(rig->run, text, "", 0.05, sqrt(squares / (compared ? compared : 1)));
    ri_validate_near(rig->run, "energy of these ways, map over dynamics", "", 1.0, 0.15, ours / theirs);
    ri_validate_most(rig->run, "error of energy of single ways, rms over their mean energy", "", 0.15,
                     sqrt(off * compared) / fabs(theirs));
    snprintf(text, sizeof text, "share of %d ways whose energy is off by more than 15 %%", compared);
    ri_validate_most(rig->run, text, "", 0.05, (double)beyond / (compared ? compared : 1));
    snprintf(text, sizeof text, "share of %d runs that are within the response's validity", runs);
    ri_validate_near(rig->run, text, "", 1.0, 0.5, (double)compared / runs);
    return RI_OK;
}

RiStatus ri_case_mobility(RiValidation *run)
{
    if (!run->robots) {
        ri_validate_skip(run, "the folder of robots is not there");
        return RI_OK;
    }
    Rig rig = {.run = run};
    snprintf(rig.robot, sizeof rig.robot, "%.1000s/mer.yaml", run->robots);
    snprintf(rig.soils, sizeof rig.soils, "%.1000s/../soils", run->robots);
    snprintf(rig.base, sizeof rig.base, "%.1000s/../scenes/mobility.yaml", run->robots);
    RiStatus status = ri_robot_load(run->ctx, rig.robot, NULL, &rig.spec);
    if (status == RI_OK)
        status = ri_model_create(run->ctx, rig.spec, NULL, &rig.model);
    if (status == RI_OK)
        status = make_ground(&rig);
    if (status == RI_OK)
        status = make_map(&rig);
    if (status == RI_OK)
        status = compare(&rig);
    ri_mobility_map_destroy(rig.map);
    ri_terrain_file_destroy(rig.ground);
    ri_model_destroy(rig.model);
    ri_spec_destroy(rig.spec);
    return status;
}
