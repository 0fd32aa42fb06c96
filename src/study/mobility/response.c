// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a rover drives on planes of one soil: full dynamics on a grid of slopes and directions,
/// steady values kept in a table.
///
/// A rover drives straight on a plane of slope s with the uphill direction at an angle u from
/// ahead. Over the second half of the way
///
///     slip = 1 - way ahead / rolled way,   drift = way aside / way ahead,   energy = work of the wheels / way
///
/// In between, values are bilinear in (s, u). By symmetry u and -u differ in the sign of the drift
/// only. Test: tests/study/test_mobility.c; validation: rille validate mobility.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/mobility.h>
#include <rille/robot.h>
#include <rille/scene.h>
#include <rille/stance.h>

#include "base/functions.h"
#include "optics/tracer.h"

static const double PI = M_PI;

RiMobilityDef ri_mobility_def_default(void)
{
    return (RiMobilityDef){.gravity = 3.71, .speed = 0.1, .way = 3.0};
}

typedef struct Rover {
    char path[4096];     // of its file, from the root folder
    double radius, mass; // of a wheel with grousers [m], of all [kg]
} Rover;

/// Mass and wheels of the robot.
static RiStatus measure_robot(RiContext *ctx, const RiMobilityDef *def, Rover *out)
{
    RiSpec *spec = NULL;
    RiModel *model = NULL;
    RiStance *stance = NULL;
    char *whole = realpath(def->robot, NULL);
    if (!whole || strlen(whole) >= sizeof out->path) {
        free(whole);
        return ri_error(ctx, RI_ERR_NOT_FOUND, "%s: there is no such robot file", def->robot);
    }
    snprintf(out->path, sizeof out->path, "%s", whole);
    free(whole);
    RiStatus status = ri_robot_load(ctx, out->path, NULL, &spec);
    if (status == RI_OK)
        status = ri_model_create(ctx, spec, NULL, &model);
    if (status == RI_OK)
        status = ri_stance_create(ctx, spec, model, NULL, &stance);
    if (status == RI_OK) {
        out->radius = ri_stance_wheel(stance, 0).radius;
        out->mass = ri_model_mass(model);
    }
    ri_stance_destroy(stance);
    ri_model_destroy(model);
    ri_spec_destroy(spec);
    return status;
}

// --- one run -------------------------------------------------------------------------------------

/// A scene on a plane: wheels turn at one rate, steering is held.
static void write_scene(const RiMobilityDef *def, const Rover *r, double slope, double uphill, char *out, size_t size)
{
    const double rate = def->speed / r->radius, hold = 20.0 * r->mass * def->gravity * r->radius / rate;
    snprintf(
        out, size,
        "scene: response\nrobot: {file: \"%s\"}\nterrain: {kind: plane, slope: %.17g rad, azimuth: %.17g rad, soil: "
        "\"%s\", ruts: {cell: 2 cm, memory: 64 MB}}\nstance: {}\nduration: %.17g s\ntick: 4 ms\n"
        "gravity: [0, 0, %.17g]\ninitial: {base: {xyz: [0, 0, 0]}}\ndevices:\n"
        "  - {joints: \"drive_*\", name: \"motor_${joint}\", type: servo, set: {stiffness: 0, damping: %.17g "
        "N*m*s/rad, velocity: %.17g rad/s}}\n"
        "  - {joints: \"steer_*\", name: \"hold_${joint}\", type: servo, set: {stiffness: %.17g N*m/rad, damping: "
        "%.17g N*m*s/rad}}\n",
        r->path, slope, uphill, def->soil, def->way / def->speed + 1.0, -def->gravity, hold, rate,
        100.0 * r->mass * def->gravity * r->radius, 10.0 * r->mass * def->gravity * r->radius);
}

typedef struct Mark {
    double x, y, work, time;
} Mark;

static double read(RiSim *sim, const char *name)
{
    const RiValues *t = ri_sim_values(sim);
    const int i = ri_values_find(t, name);
    return i >= 0 ? ri_values_read(t, i) : NAN;
}

static Mark mark(RiSim *sim)
{
    return (Mark){read(sim, "base.x"), read(sim, "base.y"), ri_sim_energy(sim).work, ri_sim_time(sim)};
}

static double mean_sinkage(RiSim *sim)
{
    const RiValues *t = ri_sim_values(sim);
    double sum = 0.0;
    int count = 0;
    for (int i = ri_values_match(t, "soil.*.sinkage", 0); i >= 0; i = ri_values_match(t, "soil.*.sinkage", i + 1)) {
        sum += ri_values_read(t, i);
        count++;
    }
    return count ? sum / count : 0.0;
}

static RiStatus run_until(RiSim *sim, double time)
{
    while (ri_sim_time(sim) < time - 1e-9 && !ri_sim_stopped(sim))
        RI_TRY(ri_sim_step(sim));
    return RI_OK;
}

/// Steady values between the middle and the end of the way.
static RiStatus drive(RiSim *sim, const RiMobilityDef *def, double slope, double uphill, RiMobilityPoint *out)
{
    const double whole = def->way / def->speed;
    RI_TRY(run_until(sim, 0.5 * whole));
    const Mark a = mark(sim);
    RI_TRY(run_until(sim, 0.75 * whole));
    const Mark b = mark(sim);
    RI_TRY(run_until(sim, whole));
    const Mark c = mark(sim);
    // positions are over the horizontal plane: along the slope they are longer
    const double rise = ri_tan(slope) * ri_cos(uphill), stretch = sqrt(1.0 + rise * rise);
    const double rolled = def->speed * (c.time - a.time), way = (c.x - a.x) * stretch;
    const double early = 1.0 - (b.x - a.x) * stretch / (def->speed * (b.time - a.time)),
                 late = 1.0 - (c.x - b.x) * stretch / (def->speed * (c.time - b.time));
    out->slip = 1.0 - way / rolled;
    out->drift = (c.y - a.y) / fmax(way, 0.05 * rolled);
    out->sinkage = mean_sinkage(sim);
    out->energy = (c.work - a.work) / fmax(way, 0.05 * rolled);
    out->valid = out->slip < 0.7 && out->slip > -0.7 && fabs(early - late) < 0.05 && c.time >= whole - 1e-6;
    return RI_OK;
}

typedef struct Fit {
    const RiMobilityDef *def;
    Rover rover;
    RiMobilityResponse *out;
    RiStatus status[RI_MOBILITY_SLOPES * RI_MOBILITY_DIRECTIONS];
    char message[RI_MOBILITY_SLOPES * RI_MOBILITY_DIRECTIONS][256];
} Fit;

/// One point, with a context of its own. A rover that rolls over or diverges is a point that is not
/// valid.
static RiStatus fit_point(RiContext *ctx, Fit *f, int slope, int direction)
{
    const double s = slope * f->out->slope_step, u = direction * PI / (RI_MOBILITY_DIRECTIONS - 1);
    char text[8192], path[1100];
    RiScene *scene = NULL;
    RiMobilityPoint *p = &f->out->points[slope][direction];
    *p = (RiMobilityPoint){.slip = 1.0, .energy = INFINITY};
    write_scene(f->def, &f->rover, s, u, text, sizeof text);
    snprintf(path, sizeof path, "%.1000s/../scenes/response.yaml", f->def->soils ? f->def->soils : ".");
    const RiSceneOptions options = {.soils = f->def->soils};
    RiStatus status = ri_scene_parse(ctx, path, text, strlen(text), &options, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    if (status == RI_OK && drive(ri_scene_sim(scene), f->def, s, u, p) != RI_OK)
        *p = (RiMobilityPoint){.slip = 1.0, .energy = INFINITY};
    ri_scene_destroy(scene);
    return status;
}

static void work(void *user, int index)
{
    Fit *f = user;
    RiContext *ctx;
    const int slope = index / RI_MOBILITY_DIRECTIONS, direction = index % RI_MOBILITY_DIRECTIONS;
    if (slope == 0 && direction > 0)
        return; // level ground has no uphill
    f->status[index] = ri_context_create(NULL, &ctx);
    if (f->status[index] != RI_OK)
        return;
    f->status[index] = fit_point(ctx, f, slope, direction);
    snprintf(f->message[index], sizeof f->message[index], "%.250s", ri_context_message(ctx));
    ri_context_destroy(ctx);
}

static RiStatus check_def(RiContext *ctx, const RiMobilityDef *d)
{
    if (!d->robot || !d->soil)
        return ri_error(ctx, RI_ERR_ARGUMENT, "mobility: a robot and a soil are wanted");
    if (strpbrk(d->robot, "\"\\\n") || strpbrk(d->soil, "\"\\\n"))
        return ri_error(ctx, RI_ERR_ARGUMENT, "mobility: names of robot and soil must not have quotes");
    if (!(d->gravity > 0.0 && d->gravity < 100.0) || !(d->speed > 1e-3 && d->speed <= 1.0) ||
        !(d->way >= 0.1 && d->way <= 100.0))
        return ri_error(
            ctx, RI_ERR_ARGUMENT,
            "mobility: gravity %g m/s^2, speed %g m/s, way %g m; allowed are 0 to 100, 0.001 to 1, 0.1 to 100",
            d->gravity, d->speed, d->way);
    return RI_OK;
}

RiStatus ri_mobility_fit(RiContext *ctx, const RiMobilityDef *def, RiMobilityResponse *out)
{
    Fit f = {.def = def, .out = out};
    *out = (RiMobilityResponse){.slope_step = 4.0 * PI / 180.0};
    RI_TRY(check_def(ctx, def));
    RI_TRY(measure_robot(ctx, def, &f.rover));
    out->weight = f.rover.mass * def->gravity;
    ri_in_parallel(def->threads, RI_MOBILITY_SLOPES * RI_MOBILITY_DIRECTIONS, work, &f);
    for (int i = 0; i < RI_MOBILITY_SLOPES * RI_MOBILITY_DIRECTIONS; i++)
        if (f.status[i] != RI_OK)
            return ri_error(ctx, f.status[i], "mobility: %s", f.message[i]);
    for (int d = 1; d < RI_MOBILITY_DIRECTIONS; d++)
        out->points[0][d] = out->points[0][0];
    for (int s = 0; s < RI_MOBILITY_SLOPES; s++)
        for (int d = 0; d < RI_MOBILITY_DIRECTIONS; d++)
            out->invalid += !out->points[s][d].valid;
    return RI_OK;
}

// --- in between ----------------------------------------------------------------------------------

static double mix(double a, double b, double t)
{
    return t <= 0.0 ? a : t >= 1.0 ? b : a + t * (b - a); // also where one is infinite
}

static RiMobilityPoint between(const RiMobilityPoint *a, const RiMobilityPoint *b, double t)
{
    return (RiMobilityPoint){.slip = mix(a->slip, b->slip, t),
                             .drift = mix(a->drift, b->drift, t),
                             .sinkage = mix(a->sinkage, b->sinkage, t),
                             .energy = mix(a->energy, b->energy, t),
                             .valid = (a->valid || t >= 1.0) && (b->valid || t <= 0.0)};
}

RiMobilityPoint ri_mobility_respond(const RiMobilityResponse *r, double tilt, double uphill)
{
    const double last = RI_MOBILITY_SLOPES - 1.0, sectors = RI_MOBILITY_DIRECTIONS - 1.0;
    const double u = fabs(remainder(uphill, 2.0 * PI)) / PI * sectors, s = tilt / r->slope_step;
    const int i = (int)fmin(fmax(floor(s), 0.0), last - 1.0), k = (int)fmin(floor(u), sectors - 1.0);
    const RiMobilityPoint low = between(&r->points[i][k], &r->points[i][k + 1], u - k),
                          high = between(&r->points[i + 1][k], &r->points[i + 1][k + 1], u - k);
    RiMobilityPoint p = between(&low, &high, s - i);
    p.valid = p.valid && s <= last;
    if (remainder(uphill, 2.0 * PI) < 0.0)
        p.drift = -p.drift;
    return p;
}
