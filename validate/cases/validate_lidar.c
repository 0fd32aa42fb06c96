// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lidar: rays against shapes, units over a tilted plane, a pattern of two prisms, and a scan while
/// driving, at closed forms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/optics/table.h"
#include "optics/lidar_scan.h"
#include "validate/validate.h"

enum { MOST_BYTES = 4 << 20 };
#define DEGREE (M_PI / 180.0)

// --- rays against shapes -------------------------------------------------------------------------

/// Numbers behind "key=" in a text.
static int numbers_of(const char *text, const char *key, double *out, int most)
{
    const char *at = strstr(text, key);
    int count = 0;
    for (at = at ? at + strlen(key) : ""; count < most; count++) {
        char *end;
        out[count] = strtod(at, &end);
        if (end == at)
            break;
        at = end;
    }
    return count;
}

static RiVec3 vector(const double *v)
{
    return ri_vec3(v[0], v[1], v[2]);
}

static void read_box(const char *text, RiRayShape *shape)
{
    double v[9] = {0};
    shape->type = RI_RAY_BOX;
    numbers_of(text, "half=", shape->size, 3);
    for (int i = 0; i < 3; i++)
        shape->size[i] *= 2.0;
    numbers_of(text, "axes=", v, 9);
    shape->pose.R = ri_mat3_from_cols(vector(v), vector(v + 3), vector(v + 6));
}

static void read_cylinder(const char *text, RiRayShape *shape)
{
    double v[3] = {0};
    shape->type = RI_RAY_CYLINDER;
    numbers_of(text, "axis=", v, 3);
    shape->pose.R = ri_mat3_from_z(vector(v));
    numbers_of(text, " r=", shape->size, 1);
    numbers_of(text, "half_length=", shape->size + 1, 1);
    shape->size[1] *= 2.0;
}

static void read_plane(const char *text, RiRayShape *shape)
{
    double v[3] = {0}, h = 0.0;
    shape->type = RI_RAY_PLANE;
    numbers_of(text, "n=", v, 3);
    numbers_of(text, "h=", &h, 1);
    shape->pose = (RiPose){ri_mat3_from_z(vector(v)), ri_scale(h, vector(v))};
}

/// Shape of a row and where it is.
static RiStatus read_shape(const RiTable *t, int row, RiRayShape *shape)
{
    const char *kind = ri_table_text(t, row, 0), *text = ri_table_text(t, row, 1);
    double c[3] = {0};
    shape->pose = ri_pose_identity();
    if (numbers_of(text, "c=", c, 3) == 3)
        shape->pose.p = vector(c);
    if (strcmp(kind, "sphere") == 0) {
        shape->type = RI_RAY_SPHERE;
        numbers_of(text, " r=", shape->size, 1);
    } else if (strcmp(kind, "cylinder") == 0) {
        read_cylinder(text, shape);
    } else if (strcmp(kind, "box") == 0) {
        read_box(text, shape);
    } else if (strcmp(kind, "plane") == 0) {
        read_plane(text, shape);
    } else {
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: shape '%s' is not known", t->path, t->lines[row], kind);
    }
    return RI_OK;
}

typedef struct Worst {
    double range, normal, incidence, single;
    int wrong;
} Worst;

static RiStatus compare_row(const RiTable *t, int row, const RiRayPoint *p, const RiRay *ray, double single, Worst *w)
{
    static const char *const names[] = {"nx", "ny", "nz"};
    double range, n[3], incidence;
    RI_TRY(ri_table_need(t, row, "t", &range));
    RI_TRY(ri_table_need(t, row, "incidence_deg", &incidence));
    for (int i = 0; i < 3; i++)
        RI_TRY(ri_table_need(t, row, names[i], &n[i]));
    w->range = fmax(w->range, fabs(p->range - range));
    w->single = fmax(w->single, fabs(single - range) / range);
    w->normal = fmax(w->normal, ri_norm(ri_sub(p->normal, vector(n))));
    const double ours = atan2(ri_norm(ri_cross(p->normal, ray->direction)), -ri_dot(p->normal, ray->direction));
    w->incidence = fmax(w->incidence, fabs(ours / DEGREE - incidence));
    return RI_OK;
}

/// A scene that holds one shape.
static RiStatus shape_scene(RiContext *ctx, RiRayShape *shape, RiRayScene **out)
{
    const float grey[3] = {0.3f, 0.3f, 0.3f};
    int body;
    RI_TRY(ri_ray_scene_create(ctx, out));
    RiStatus status = ri_ray_scene_add_surface(*out, "grey", grey, &shape->surface);
    if (status == RI_OK)
        status = ri_ray_scene_add_body(*out, "shape", 0, RI_RAY_PHYSICAL, &body);
    if (status == RI_OK)
        status = ri_ray_scene_add_shape(*out, body, shape);
    if (status == RI_OK)
        status = ri_ray_scene_update(*out);
    if (status == RI_OK)
        return RI_OK;
    ri_ray_scene_destroy(*out);
    *out = NULL;
    return status;
}

static RiStatus shoot_row(RiContext *ctx, const RiTable *t, int row, Worst *w)
{
    static const char *const names[] = {"ox", "oy", "oz", "dx", "dy", "dz", "hit"};
    double v[7];
    RiRayScene *s;
    RiRayShape shape = {0};
    RiRayPoint p;
    RiRayHit hit;
    RiStatus status = RI_OK;
    for (int i = 0; i < 7; i++)
        RI_TRY(ri_table_need(t, row, names[i], &v[i]));
    RI_TRY(read_shape(t, row, &shape));
    const RiRay ray = {.origin = vector(v), .direction = vector(v + 3), .far = INFINITY, .mask = RI_RAY_PHYSICAL};
    RI_TRY(shape_scene(ctx, &shape, &s));
    ri_ray_scene_trace(s, 1, &ray, false, &hit);
    const bool found = ri_ray_scene_look(s, &ray, &p);
    w->wrong += found != (v[6] != 0.0);
    if (found && v[6] != 0.0)
        status = compare_row(t, row, &p, &ray, (double)hit.range, w);
    ri_ray_scene_destroy(s);
    return status;
}

static RiStatus shape_rows(RiValidation *run)
{
    char path[1024];
    RiTable *t;
    Worst w = {0};
    snprintf(path, sizeof path, "%s/lidar/beams_exact.csv", run->data);
    RI_TRY(ri_table_load(run->ctx, path, ';', MOST_BYTES, &t));
    RiStatus status = RI_OK;
    for (int i = 0; i < t->row_count && status == RI_OK; i++)
        status = shoot_row(run->ctx, t, i, &w);
    ri_table_destroy(t);
    RI_TRY(status);
    ri_validate_near(run, "rays against shapes: hits taken for misses, misses for hits", "rows", 0.0, 0.0, w.wrong);
    ri_validate_most(run, "rays against shapes: range, double precision", "m", 1e-9, w.range);
    ri_validate_most(run, "rays against shapes: range, single precision, relative", "-", 1e-5, w.single);
    ri_validate_most(run, "rays against shapes: normal", "-", 1e-9, w.normal);
    ri_validate_most(run, "rays against shapes: incidence", "deg", 1e-7, w.incidence);
    return RI_OK;
}

// --- units over a tilted plane -------------------------------------------------------------------

static RiVec3 tilted_normal(void)
{
    const double tilt = 6.0 * DEGREE, towards = 40.0 * DEGREE;
    return ri_vec3(sin(tilt) * cos(towards), sin(tilt) * sin(towards), cos(tilt));
}

/// The plane of the rows.
static RiStatus plane_scene(RiContext *ctx, RiRayScene **out)
{
    RiRayShape plane = {.type = RI_RAY_PLANE, .pose = {ri_mat3_from_z(tilted_normal()), {0.0, 0.0, -1.2}}};
    return shape_scene(ctx, &plane, out);
}

/// A unit without noise; columns of the VLP-16 are whole degrees.
static RiLidar quiet_unit(const char *name)
{
    RiLidar l = {0};
    (void)ri_lidar_unit(name, &l);
    l.noise = l.resolution = l.divergence[0] = l.divergence[1] = l.threshold = l.range_least = 0.0;
    if (strcmp(name, "vlp16") == 0) {
        l.column_time = 1.0 / (l.rate * 360.0);
        l.channel_time = 0.0;
    }
    return l;
}

typedef struct Rows {
    double range[2], angle;
    int wrong;
} Rows;

static double rosette_error(const RiLidar *l, double shot, double off, double way)
{
    const RiBeam b = ri_lidar_beam(l, (long long)shot);
    const RiVec3 wanted = ri_vec3(cos(off), sin(off) * cos(way), sin(off) * sin(way));
    return ri_norm(ri_cross(b.direction, wanted)) / DEGREE;
}

static RiStatus unit_row(const RiTable *t, int row, const RiRayScene *s, const RiLidar units[3], Rows *w)
{
    const RiLidarMotion still = {0.0, 1.0, ri_pose_identity(), ri_pose_identity()};
    const char *name = ri_table_text(t, row, 0), *range = ri_table_text(t, row, 5);
    double v[4];
    RiReturn r;
    for (int i = 0; i < 4; i++)
        RI_TRY(ri_table_number(t, row, 1 + i, &v[i]));
    if (strncmp(name, "livox", 5) == 0) {
        w->angle = fmax(w->angle, rosette_error(&units[2], v[0], v[2] * DEGREE, v[3] * DEGREE));
        return RI_OK;
    }
    const int k = strncmp(name, "os1", 3) == 0;
    ri_lidar_shoot(s, &units[k], &still, 1, true, (long long)(v[1] * units[k].channels + v[0]), 1, &r);
    if ((*range == 0) != !isfinite(r.range[0]))
        w->wrong++;
    else if (*range)
        w->range[k] = fmax(w->range[k], fabs(r.range[0] - strtod(range, NULL)));
    return RI_OK;
}

static RiStatus unit_rows(RiValidation *run)
{
    char path[1024];
    RiTable *t;
    RiRayScene *s = NULL;
    Rows w = {0};
    RiLidar units[3] = {quiet_unit("vlp16"), quiet_unit("os1_64"), quiet_unit("livox_mid40")};
    for (int i = 0; i < 3; i++)
        RI_TRY(ri_lidar_check(run->ctx, "unit", &units[i]));
    snprintf(path, sizeof path, "%s/lidar/scan_rows.csv", run->data);
    RI_TRY(ri_table_load(run->ctx, path, ',', MOST_BYTES, &t));
    RiStatus status = plane_scene(run->ctx, &s);
    for (int i = 0; i < t->row_count && status == RI_OK; i++)
        status = unit_row(t, i, s, units, &w);
    ri_ray_scene_destroy(s);
    ri_table_destroy(t);
    RI_TRY(status);
    ri_validate_near(run, "units over a tilted plane: returns too many or missing", "rows", 0.0, 0.0, w.wrong);
    ri_validate_most(run, "VLP-16 over a tilted plane: range (rows have 9 digits)", "m", 5e-9, w.range[0]);
    ri_validate_most(run, "OS1-64 over a tilted plane: range (rows have 9 digits)", "m", 5e-9, w.range[1]);
    ri_validate_most(run, "Livox-like rosette: direction (rows have 1e-8 deg)", "deg", 1e-7, w.angle);
    return RI_OK;
}

// --- a scan while driving ------------------------------------------------------------------------

enum { CHANNELS = 8, COLUMNS = 90, COUNT = CHANNELS * COLUMNS };

/// Largest distance of the returns from where rays at speed v [m/s] and turning at w [rad/s] meet
/// the plane.
static double driving_error(const RiLidar *l, const RiReturn *out, double v, double w)
{
    const RiVec3 n = tilted_normal();
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++) {
        const RiBeam b = ri_lidar_beam(l, i);
        const double yaw = 0.3 + w * b.time;
        const RiVec3 d = ri_vec3(cos(yaw) * b.direction.x - sin(yaw) * b.direction.y,
                                 sin(yaw) * b.direction.x + cos(yaw) * b.direction.y, b.direction.z);
        const double range = (-1.2 * n.z - n.x * v * b.time) / ri_dot(n, d);
        worst = fmax(worst, fabs(range - out[i].range[0]));
    }
    return worst;
}

/// Every return of a turn lies where a ray from the pose at its own time meets the plane.
static RiStatus driving_rows(RiValidation *run)
{
    static RiReturn out[COUNT];
    RiLidar l = ri_lidar_grid(CHANNELS, -60.0 * DEGREE, -15.0 * DEGREE, COLUMNS, 10.0);
    const double speed = 1.5, turn = 0.8;
    const RiLidarMotion m = {0.0,
                             0.1,
                             {ri_mat3_rpy(0.0, 0.0, 0.3), {0.0, 0.0, 0.0}},
                             {ri_mat3_rpy(0.0, 0.0, 0.3 + 0.1 * turn), {0.1 * speed, 0.0, 0.0}}};
    RiRayScene *s;
    RI_TRY(ri_lidar_check(run->ctx, "grid", &l));
    RI_TRY(plane_scene(run->ctx, &s));
    ri_lidar_shoot(s, &l, &m, 1, true, 0, COUNT, out);
    ri_ray_scene_destroy(s);
    ri_validate_most(run, "a turn while driving at 1.5 m/s and turning: range", "m", 1e-9,
                     driving_error(&l, out, speed, turn));
    ri_validate_between(run, "what leaving the motion out would cost", "m", 0.1, 0.01, 10.0,
                        driving_error(&l, out, 0.0, 0.0));
    return RI_OK;
}

RiStatus ri_case_lidar(RiValidation *run)
{
    RiRayScene *s;
    if (ri_ray_scene_create(run->ctx, &s) == RI_ERR_UNSUPPORTED) {
        ri_validate_skip(run, "all rows: this build has no Embree");
        return RI_OK;
    }
    ri_ray_scene_destroy(s);
    RI_TRY(driving_rows(run));
    if (!run->data) {
        ri_validate_skip(run, "rows of rays and units");
        return RI_OK;
    }
    RI_TRY(shape_rows(run));
    return unit_rows(run);
}
