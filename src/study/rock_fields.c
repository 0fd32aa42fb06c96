// SPDX-License-Identifier: Apache-2.0
/// \file
/// Drives through random rock fields. See rock_fields.h.
#include "base/functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/study/rock_fields.h>
#include <rille/terrain_file.h>

#include "base/memory.h"
#include "optics/tracer.h"

enum { WHEELS = 6, TRAIL = 16 };

const double ri_rock_step_limit = 0.26;

/// The last places of a wheel's foot.
typedef struct Trail {
    double x[TRAIL], y[TRAIL], z[TRAIL];
    int count;
} Trail;

typedef struct Judge {
    RiSim *sim;
    const RiTerrain *terrain;
    int wheels[WHEELS]; // frames
    int belly;
    Trail trails[WHEELS];
    RiRockDrive *drive;
} Judge;

static double read(RiSim *sim, const char *name)
{
    const int i = ri_values_find(ri_sim_values(sim), name);
    return i >= 0 ? ri_values_read(ri_sim_values(sim), i) : NAN;
}

static RiStatus find_parts(RiContext *ctx, Judge *j)
{
    static const char *const names[WHEELS] = {"wheel_front_left",  "wheel_middle_left",  "wheel_rear_left",
                                              "wheel_front_right", "wheel_middle_right", "wheel_rear_right"};
    const RiModel *m = ri_sim_model(j->sim);
    j->belly = ri_model_find_frame(m, "belly");
    bool all = j->belly >= 0;
    for (int i = 0; i < WHEELS; i++) {
        j->wheels[i] = ri_model_find_frame(m, names[i]);
        all = all && j->wheels[i] >= 0;
    }
    return all ? RI_OK
               : ri_error(ctx, RI_ERR_MODEL, "rock fields: the robot needs six links wheel_* and a frame 'belly'");
}

/// Rise of the ground under a wheel within one radius of its way.
static double rise(Trail *t, double x, double y, double z, double radius)
{
    double most = 0.0;
    for (int i = 0; i < t->count; i++)
        if (ri_hypot(t->x[i] - x, t->y[i] - y) <= radius)
            most = fmax(most, z - t->z[i]);
    if (t->count == TRAIL) {
        memmove(t->x, t->x + 1, (TRAIL - 1) * sizeof *t->x);
        memmove(t->y, t->y + 1, (TRAIL - 1) * sizeof *t->y);
        memmove(t->z, t->z + 1, (TRAIL - 1) * sizeof *t->z);
        t->count--;
    }
    t->x[t->count] = x, t->y[t->count] = y, t->z[t->count++] = z;
    return most;
}

/// Looks at the true ground under belly and wheels.
static void look(Judge *j)
{
    RiDyn *d = ri_sim_dyn(j->sim);
    const RiPose body = ri_dyn_frame_pose(d, j->belly);
    RiRockDrive *out = j->drive;
    for (int k = 0; k < 15; k++) { // a grid of 3 x 5 over the body, 0.8 x 0.52 m
        const int row = k / 5 - 1;
        const RiVec3 p = ri_pose_point(&body, ri_vec3(0.2 * (k % 5 - 2), 0.26 * row, 0.0));
        RiHeight h;
        if (ri_terrain_height(j->terrain, p.x, p.y, &h))
            out->clearance = fmin(out->clearance, p.z - h.z);
    }
    for (int i = 0; i < WHEELS; i++) {
        const RiVec3 hub = ri_dyn_frame_pose(d, j->wheels[i]).p;
        RiHeight h;
        if (ri_terrain_height(j->terrain, hub.x, hub.y, &h))
            out->step = fmax(out->step, rise(&j->trails[i], hub.x, hub.y, h.z, 0.13));
    }
    out->tilt = fmax(out->tilt, ri_acos(fmin(1.0, body.R.m[2][2])));
}

/// Whether a rover may be set down: no rock of more than 0.2 m within its disc.
static bool is_clear(const RiTerrain *terrain, double x, double y)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 900; k++) {
        const double dx = 0.1 * (k % 30 - 14.5), dy = 0.1 * (k / 30 - 14.5);
        RiHeight h;
        if (ri_hypot(dx, dy) > 1.4 || !ri_terrain_height(terrain, x + dx, y + dy, &h))
            continue;
        low = fmin(low, h.z);
        high = fmax(high, h.z);
    }
    return high - low < 0.25; // the ground below is rough by some centimetres
}

static RiStatus drive(RiContext *ctx, RiScene *scene, RiRockDrive *out)
{
    Judge j = {.sim = ri_scene_sim(scene), .terrain = ri_terrain_file_terrain(ri_scene_terrain(scene)), .drive = out};
    RI_TRY(find_parts(ctx, &j));
    RiStatus status = RI_OK;
    if (!is_clear(j.terrain, read(j.sim, "base.x"), read(j.sim, "base.y"))) {
        out->reason = -1;
        return RI_OK;
    }
    const int limit = ri_values_find(ri_sim_values(j.sim), "nav.way_limit");
    RI_TRY(ri_values_write(ri_sim_values(j.sim), limit, 60.0));
    while (status == RI_OK && !ri_sim_stopped(j.sim) && ri_sim_time(j.sim) < ri_scene_duration(scene)) {
        status = ri_sim_step(j.sim);
        look(&j);
    }
    out->reason = (int)read(j.sim, "nav.reason");
    out->way = read(j.sim, "nav.way");
    out->time = ri_sim_time(j.sim);
    out->hash = ri_sim_hash(j.sim);
    out->collided = status == RI_ERR_NUMERIC || out->clearance < 0.0 || out->step > ri_rock_step_limit;
    return status == RI_ERR_NUMERIC ? RI_OK : status; // no stance: it drove where it cannot be
}

/// Drives through the field of this seed; reason -1: it would begin on rocks.
static RiStatus try_field(RiContext *ctx, const char *path, RiRockDrive *out)
{
    char cover[32], field[32];
    snprintf(cover, sizeof cover, "%.6g", out->cover);
    snprintf(field, sizeof field, "%d", out->field);
    const RiSetting settings[] = {{"cover", cover},      {"field", field},   {"goals", "1"},   {"leg", "20 m"},
                                  {"think_time", "1 s"}, {"margin", "14 m"}, {"width", "48 m"}};
    const RiSceneOptions options = {.settings = settings, .setting_count = 7};
    RiScene *scene = NULL;
    out->clearance = INFINITY;
    out->step = out->tilt = 0.0;
    RI_TRY(ri_scene_load(ctx, path, &options, &scene));
    RiStatus status = ri_scene_build(scene);
    if (status == RI_OK)
        status = drive(ctx, scene, out);
    ri_scene_destroy(scene);
    return status;
}

RiStatus ri_rock_field_drive(RiContext *ctx, const char *path, RiRockDrive *out)
{
    enum { TRIES = 50, NEXT = 1000 };
    out->skipped = 0;
    RI_TRY(try_field(ctx, path, out));
    while (out->reason == -1 && out->skipped < TRIES) {
        out->skipped++;
        out->field += NEXT;
        RI_TRY(try_field(ctx, path, out));
    }
    return RI_OK;
}

typedef struct Batch {
    const char *scene;
    RiRockDrive *drives;
    RiStatus *status;
    char (*message)[256];
} Batch;

static void work(void *user, int i)
{
    const Batch *b = user;
    RiContext *ctx;
    b->status[i] = ri_context_create(NULL, &ctx);
    if (b->status[i] != RI_OK)
        return;
    b->status[i] = ri_rock_field_drive(ctx, b->scene, &b->drives[i]);
    snprintf(b->message[i], sizeof b->message[i], "%.250s", ri_context_message(ctx));
    ri_context_destroy(ctx);
}

RiStatus ri_rock_field_drives(RiContext *ctx, const char *scene, int threads, RiRockDrive *drives, int count)
{
    Batch b = {.scene = scene,
               .drives = drives,
               .status = ri_alloc_zero(ctx, (size_t)count, sizeof *b.status),
               .message = ri_alloc_zero(ctx, (size_t)count, sizeof *b.message)};
    RiStatus status = b.status && b.message ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK)
        ri_in_parallel(threads, count, work, &b);
    for (int i = 0; status == RI_OK && i < count; i++)
        if (b.status[i] != RI_OK)
            status =
                ri_error(ctx, b.status[i], "field %d, cover %g: %s", drives[i].field, drives[i].cover, b.message[i]);
    ri_release(ctx, b.status);
    ri_release(ctx, b.message);
    return status;
}
