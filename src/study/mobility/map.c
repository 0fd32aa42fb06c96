// SPDX-License-Identifier: Apache-2.0
/// \file
/// A stance in every cell for every heading, and what the soil's response makes of it.
///
///     stance -> body's axes e_x, e_y, e_z: rise ahead e_x.z, rise to the left e_y.z, tilt acos(e_z.z)
///     slip, sinkage, energy: response at that tilt, uphill at atan2(rise left, rise ahead)
///     clearance: of five points of the belly over the ground, straight down
///     margin: least angle by which gravity may turn before it passes an edge between outer wheels     [papadopoulos1996]
///     risk: the largest of tilt / limit, slip / limit, and how far clearance and margin are towards their least, 0 to 1
///
/// Rows are independent, so the bits do not depend on the number of threads. Test:
/// tests/study/test_mobility.c.
#include <math.h>
#include <string.h>

#include <rille/mobility.h>
#include <rille/stance.h>

#include "base/functions.h"
#include "base/memory.h"
#include "optics/tracer.h"

enum { MOST_WHEELS = 16, BELLY_POINTS = 5, MOST_CELLS = 16000000 };

static const double PI = M_PI;

RiMobilityMapDef ri_mobility_map_def_default(void)
{
    return (RiMobilityMapDef){.cell = 1.0,
                              .tilt_limit = 25.0 * M_PI / 180.0,
                              .slip_limit = 0.6,
                              .clearance_least = 0.05,
                              .margin_least = 10.0 * M_PI / 180.0};
}

static const struct {
    const char *name, *unit;
} layer_texts[RI_MOBILITY_LAYERS] = {[RI_MOBILITY_SLIP] = {"slip", ""},
                                     [RI_MOBILITY_SINKAGE] = {"sinkage", "m"},
                                     [RI_MOBILITY_ENERGY] = {"energy", "J/m"},
                                     [RI_MOBILITY_TILT] = {"tilt", "rad"},
                                     [RI_MOBILITY_CLEARANCE] = {"clearance", "m"},
                                     [RI_MOBILITY_MARGIN] = {"margin", "rad"},
                                     [RI_MOBILITY_RISK] = {"risk", ""},
                                     [RI_MOBILITY_VALID] = {"valid", ""}};

const char *ri_mobility_layer_name(RiMobilityLayer layer)
{
    return layer_texts[layer].name;
}

const char *ri_mobility_layer_unit(RiMobilityLayer layer)
{
    return layer_texts[layer].unit;
}

// --- the rover -----------------------------------------------------------------------------------

/// What is the same everywhere.
typedef struct Job {
    const RiMobilityMapDef *def;
    const RiSpec *spec;
    const RiModel *model;
    const RiTerrain *terrain;
    const RiMobilityResponse *response;
    RiMobilityMap *map;
    RiVec3 belly[BELLY_POINTS]; // in axes of the root link
    RiVec3 com;                 // likewise, as it is on level ground
    int hull[MOST_WHEELS];      // wheels around the rover, counter-clockwise
    int hull_count;
    double *start;    // q
    RiStatus *status; // [ny]
} Job;

/// The outer wheels, counter-clockwise seen from above (gift wrapping).
static void wrap_wheels(Job *job, const RiVec3 *p, int count)
{
    int first = 0;
    for (int i = 1; i < count; i++)
        if (p[i].x < p[first].x || (p[i].x == p[first].x && p[i].y < p[first].y))
            first = i;
    for (int at = first; job->hull_count < count;) {
        int next = at == 0 ? 1 : 0;
        job->hull[job->hull_count++] = at;
        for (int i = 0; i < count; i++) {
            const double turn = (p[next].x - p[at].x) * (p[i].y - p[at].y) - (p[next].y - p[at].y) * (p[i].x - p[at].x);
            if (i != at && (next == at || turn < 0.0))
                next = i;
        }
        at = next;
        if (at == first)
            return;
    }
}

static RiPose base_pose(const double *q)
{
    return (RiPose){ri_quat_to_mat3((RiQuat){q[3], q[4], q[5], q[6]}), ri_vec3(q[0], q[1], q[2])};
}

/// Belly, centre of mass and outer wheels, from a stance on level ground.
static RiStatus measure_rover(RiContext *ctx, Job *job, RiStance *stance, RiDyn *dyn, double *q)
{
    RiTerrain *level = NULL;
    const RiPlaneDef plane = {.point = {0.0, 0.0, 0.0}};
    RI_TRY(ri_terrain_create_plane(ctx, &plane, &level));
    RiStanceReport report;
    const bool stands = ri_stance_solve(stance, level, 0.0, 0.0, 0.0, q, &report);
    ri_terrain_destroy(level);
    const int count = ri_stance_wheel_count(stance);
    if (!stands || count > MOST_WHEELS)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "mobility: the robot cannot stand on level ground: %s", report.text);
    RiVec3 feet[MOST_WHEELS];
    double front = 0.0, side = 0.0;
    for (int i = 0; i < count; i++) {
        feet[i] = ri_stance_wheel(stance, i).hub;
        front = fmax(front, fabs(feet[i].x - q[0]));
        side = fmax(side, fabs(feet[i].y - q[1]));
    }
    wrap_wheels(job, feet, count);
    RI_TRY(ri_dyn_update_position(dyn, q));
    const RiPose base = base_pose(q);
    job->com = ri_rotate_back(&base.R, ri_sub(ri_dyn_com(dyn), base.p));
    const int frame = ri_model_find_frame(job->model, "belly");
    const RiVec3 belly =
        frame >= 0 ? ri_rotate_back(&base.R, ri_sub(ri_dyn_frame_pose(dyn, frame).p, base.p)) : ri_vec3(NAN, NAN, NAN);
    for (int i = 0; i < BELLY_POINTS; i++) // the middle, and half way to the wheels
        job->belly[i] =
            ri_add(belly, ri_vec3(i ? (i % 2 ? 0.5 : -0.5) * front : 0.0, i ? (i < 3 ? 0.4 : -0.4) * side : 0.0, 0.0));
    memcpy(job->start, q, (size_t)ri_model_nq(job->model) * sizeof *q);
    return RI_OK;
}

// --- one place -----------------------------------------------------------------------------------

static double clearance_at(const Job *job, const RiPose *base)
{
    double least = INFINITY;
    for (int i = 0; i < BELLY_POINTS; i++) {
        const RiVec3 p = ri_pose_point(base, job->belly[i]);
        RiHeight h;
        if (!ri_terrain_height(job->terrain, p.x, p.y, &h))
            continue;
        least = fmin(least, p.z - h.z);
    }
    return isfinite(job->belly[0].x) ? least : NAN;
}

/// Least angle by which the line from the centre of mass along gravity is inside the edges of the
/// outer wheels.
static double margin_at(const Job *job, const RiStance *stance, const RiPose *base)
{
    const RiVec3 com = ri_pose_point(base, job->com);
    double least = INFINITY;
    for (int i = 0; i < job->hull_count; i++) {
        const RiVec3 a = ri_stance_wheel(stance, job->hull[i]).point,
                     b = ri_stance_wheel(stance, job->hull[(i + 1) % job->hull_count]).point;
        const RiVec3 edge = ri_sub(b, a), along = ri_scale(1.0 / ri_norm(edge), edge), arm = ri_sub(com, a);
        const RiVec3 up = ri_sub(arm, ri_scale(ri_dot(arm, along), along)); // from the edge to the centre of mass
        RiVec3 inward = ri_cross(ri_vec3(0.0, 0.0, 1.0), along);            // counter-clockwise: to the left
        inward = ri_scale(1.0 / ri_norm(inward), inward);
        const RiVec3 plumb = ri_cross(along, inward); // normal to the edge, upwards
        least = fmin(least, ri_atan2(ri_dot(up, inward), ri_dot(up, plumb)));
    }
    return least;
}

static double share(double x, double at_zero, double at_one)
{
    return fmin(fmax((x - at_zero) / (at_one - at_zero), 0.0), 1.0);
}

static double risk_of(const RiMobilityMapDef *d, const float *v)
{
    double risk = share((double)v[RI_MOBILITY_TILT], 0.0, d->tilt_limit);
    risk = fmax(risk, share(fabs((double)v[RI_MOBILITY_SLIP]), 0.0, d->slip_limit));
    if (isfinite(v[RI_MOBILITY_CLEARANCE]))
        risk = fmax(risk, share((double)v[RI_MOBILITY_CLEARANCE], 4.0 * d->clearance_least, d->clearance_least));
    return fmax(risk, share((double)v[RI_MOBILITY_MARGIN], 4.0 * d->margin_least, d->margin_least));
}

/// All layers of a place where the rover stands.
static void judge(const Job *job, const RiStance *stance, const double *q, float v[RI_MOBILITY_LAYERS])
{
    const RiPose base = base_pose(q);
    const double ahead = base.R.m[2][0], left = base.R.m[2][1];
    const double tilt = ri_acos(fmin(fmax(base.R.m[2][2], -1.0), 1.0));
    const RiMobilityPoint p = ri_mobility_respond(job->response, tilt, ri_atan2(left, ahead));
    v[RI_MOBILITY_SLIP] = (float)p.slip;
    v[RI_MOBILITY_SINKAGE] = (float)p.sinkage;
    v[RI_MOBILITY_ENERGY] = (float)p.energy;
    v[RI_MOBILITY_TILT] = (float)tilt;
    v[RI_MOBILITY_CLEARANCE] = (float)clearance_at(job, &base);
    v[RI_MOBILITY_MARGIN] = (float)margin_at(job, stance, &base);
    v[RI_MOBILITY_VALID] = p.valid;
    v[RI_MOBILITY_RISK] = (float)risk_of(job->def, v);
}

/// A row of cells for all headings. Each heading starts from the cell before.
static RiStatus fill_row(RiContext *ctx, const Job *job, int j)
{
    RiMobilityMap *m = job->map;
    RiStance *stance = NULL;
    const size_t nq = (size_t)ri_model_nq(job->model), cells = (size_t)m->nx * (size_t)m->ny;
    RI_TRY(ri_stance_create(ctx, job->spec, job->model, NULL, &stance));
    double *q = ri_alloc(ctx, nq, sizeof *q);
    for (int h = 0; q && h < RI_MOBILITY_HEADINGS; h++) {
        memcpy(q, job->start, nq * sizeof *q);
        for (int i = 0; i < m->nx; i++) {
            const double x = m->x0 + i * m->cell, y = m->y0 + j * m->cell;
            float v[RI_MOBILITY_LAYERS];
            if (ri_stance_solve(stance, job->terrain, x, y, h * 2.0 * PI / RI_MOBILITY_HEADINGS, q, NULL)) {
                judge(job, stance, q, v);
            } else {
                for (int k = 0; k < RI_MOBILITY_LAYERS; k++)
                    v[k] = NAN;
                v[RI_MOBILITY_RISK] = 1.0F;
                v[RI_MOBILITY_VALID] = 0.0F;
                memcpy(q, job->start, nq * sizeof *q);
            }
            for (int k = 0; k < RI_MOBILITY_LAYERS; k++)
                m->layers[k][(size_t)h * cells + (size_t)j * (size_t)m->nx + (size_t)i] = v[k];
        }
    }
    const RiStatus status = q ? RI_OK : ri_error_memory(ctx);
    ri_release(ctx, q);
    ri_stance_destroy(stance);
    return status;
}

static void work(void *user, int row)
{
    const Job *job = user;
    RiContext *ctx;
    job->status[row] = ri_context_create(NULL, &ctx);
    if (job->status[row] != RI_OK)
        return;
    job->status[row] = fill_row(ctx, job, row);
    ri_context_destroy(ctx);
}

// --- the map -------------------------------------------------------------------------------------

static RiStatus check_def(RiContext *ctx, const RiMobilityMapDef *d)
{
    const double nx = (d->x1 - d->x0) / d->cell, ny = (d->y1 - d->y0) / d->cell;
    if (!(d->cell > 0.0) || !(nx >= 1.0) || !(ny >= 1.0) || !(nx * ny <= MOST_CELLS))
        return ri_error(
            ctx, RI_ERR_ARGUMENT,
            "mobility: (%g, %g) to (%g, %g) m in cells of %g m; at least one and at most %d cells are allowed", d->x0,
            d->y0, d->x1, d->y1, d->cell, MOST_CELLS);
    if (!(d->tilt_limit > 0.0) || !(d->slip_limit > 0.0) || !(d->clearance_least > 0.0) || !(d->margin_least > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "mobility: limits of tilt, slip, clearance and margin must be positive");
    return RI_OK;
}

static RiStatus allocate(RiContext *ctx, const RiMobilityMapDef *d, RiMobilityMap **out)
{
    RiMobilityMap *m = *out = ri_alloc_zero(ctx, 1, sizeof *m);
    if (!m)
        return ri_error_memory(ctx);
    m->ctx = ctx;
    m->cell = d->cell;
    m->nx = (int)floor((d->x1 - d->x0) / d->cell + 1e-9);
    m->ny = (int)floor((d->y1 - d->y0) / d->cell + 1e-9);
    m->x0 = d->x0 + 0.5 * d->cell;
    m->y0 = d->y0 + 0.5 * d->cell;
    const size_t count = (size_t)m->nx * (size_t)m->ny * RI_MOBILITY_HEADINGS;
    for (int k = 0; k < RI_MOBILITY_LAYERS; k++) {
        m->layers[k] = ri_alloc(ctx, count, sizeof *m->layers[k]);
        if (!m->layers[k])
            return ri_error_memory(ctx);
    }
    return RI_OK;
}

static RiStatus fill(RiContext *ctx, Job *job)
{
    RiStance *stance = NULL;
    RiDyn *dyn = NULL;
    const size_t nq = (size_t)ri_model_nq(job->model);
    double *q = ri_alloc_zero(ctx, 2 * nq, sizeof *q);
    job->status = ri_alloc_zero(ctx, (size_t)job->map->ny, sizeof *job->status);
    RiStatus status = q && job->status ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK)
        status = ri_stance_create(ctx, job->spec, job->model, NULL, &stance);
    if (status == RI_OK)
        status = ri_dyn_create(ctx, job->model, &dyn);
    if (status == RI_OK) {
        job->start = q + nq;
        ri_model_get_initial_q(job->model, q);
        status = measure_rover(ctx, job, stance, dyn, q);
    }
    if (status == RI_OK)
        ri_in_parallel(job->def->threads, job->map->ny, work, job);
    for (int j = 0; status == RI_OK && j < job->map->ny; j++)
        if (job->status[j] != RI_OK)
            status = ri_error(ctx, job->status[j], "mobility: row %d of the map failed", j);
    ri_release(ctx, q);
    ri_release(ctx, job->status);
    ri_dyn_destroy(dyn);
    ri_stance_destroy(stance);
    return status;
}

RiStatus ri_mobility_map_create(RiContext *ctx, const RiMobilityMapDef *def, const RiSpec *spec, const RiModel *model,
                                const RiTerrain *terrain, const RiMobilityResponse *response, RiMobilityMap **out_map)
{
    *out_map = NULL;
    RI_TRY(check_def(ctx, def));
    Job job = {.def = def, .spec = spec, .model = model, .terrain = terrain, .response = response};
    RiStatus status = allocate(ctx, def, &job.map);
    if (status == RI_OK)
        status = fill(ctx, &job);
    if (status != RI_OK) {
        ri_mobility_map_destroy(job.map);
        return status;
    }
    RiMobilityMap *m = job.map;
    const size_t count = (size_t)m->nx * (size_t)m->ny * RI_MOBILITY_HEADINGS;
    for (size_t i = 0; i < count; i++)
        m->missing += isnan(m->layers[RI_MOBILITY_TILT][i]);
    m->stances = (long long)count - m->missing;
    *out_map = m;
    return RI_OK;
}

void ri_mobility_map_destroy(RiMobilityMap *map)
{
    if (!map)
        return;
    for (int k = 0; k < RI_MOBILITY_LAYERS; k++)
        ri_release(map->ctx, map->layers[k]);
    ri_release(map->ctx, map);
}

/// The worse of two values of a layer; a missing one is the worst.
static float worse(RiMobilityLayer layer, float a, float b)
{
    const bool low = layer == RI_MOBILITY_CLEARANCE || layer == RI_MOBILITY_MARGIN || layer == RI_MOBILITY_VALID;
    if (isnan(a) || isnan(b))
        return NAN;
    return low ? fminf(a, b) : fmaxf(a, b);
}

RiStatus ri_mobility_map_raster(const RiMobilityMap *map, RiMobilityLayer layer, int heading, RiRaster **out_raster)
{
    *out_raster = NULL;
    if ((unsigned)layer >= RI_MOBILITY_LAYERS || heading < -1 || heading >= RI_MOBILITY_HEADINGS)
        return ri_error(map->ctx, RI_ERR_ARGUMENT, "mobility: layer %d, heading %d; 0 to %d and -1 to %d are there",
                        (int)layer, heading, RI_MOBILITY_LAYERS - 1, RI_MOBILITY_HEADINGS - 1);
    RI_TRY(ri_raster_create(map->ctx, map->nx, map->ny, map->cell, map->cell, out_raster));
    RiRaster *r = *out_raster;
    const size_t cells = (size_t)map->nx * (size_t)map->ny;
    r->x0 = map->x0;
    r->y0 = map->y0;
    const int first = heading < 0 ? 0 : heading, last = heading < 0 ? RI_MOBILITY_HEADINGS - 1 : heading;
    for (size_t i = 0; i < cells; i++) {
        r->values[i] = map->layers[layer][(size_t)first * cells + i];
        for (int h = first + 1; h <= last; h++)
            r->values[i] = worse(layer, r->values[i], map->layers[layer][(size_t)h * cells + i]);
    }
    return RI_OK;
}
