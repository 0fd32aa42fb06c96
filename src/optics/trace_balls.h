// SPDX-License-Identifier: Apache-2.0
/// \file
/// Worlds of balls, boxes, a plate and a plane for tests and validation of tracers: exact in double
/// precision, small enough for closed forms.
#ifndef RI_OPTICS_TRACE_BALLS_H
#define RI_OPTICS_TRACE_BALLS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "optics/tracer.h"

enum { BALL_LIMIT = 64 };

typedef struct BallWorld {
    bool plane; ///< z = 0, surface 0
    bool plate; ///< x < 0 at z = plate_height, surface 1
    double plate_height;
    int balls, boxes;
    struct {
        RiVec3 centre;
        double radius;
        int surface;
    } ball[BALL_LIMIT];
    struct {
        RiVec3 low, high;
        int surface;
    } box[BALL_LIMIT];
} BallWorld;

static inline void ball_world_note(const RiRay *ray, double t, RiVec3 normal, int surface, int body, RiRayPoint *out)
{
    memset(out, 0, sizeof *out);
    out->range = t;
    out->point = ri_add(ray->origin, ri_scale(t, ray->direction));
    out->inside = ri_dot(normal, ray->direction) > 0.0;
    out->normal = out->shading = out->inside ? ri_scale(-1.0, normal) : normal;
    out->surface = surface, out->body = body, out->link = body, out->soil = -1;
    out->u = out->point.x, out->v = out->point.y;
}

static inline double ball_world_box(const RiRay *ray, RiVec3 low, RiVec3 high, RiVec3 *out_normal)
{
    const double o[3] = {ray->origin.x, ray->origin.y, ray->origin.z},
                 d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    const double a[3] = {low.x, low.y, low.z}, b[3] = {high.x, high.y, high.z};
    double in = -INFINITY, out = INFINITY;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        if (d[k] == 0.0) {
            if (o[k] < a[k] || o[k] > b[k])
                return INFINITY;
            continue;
        }
        const double s = (a[k] - o[k]) / d[k], e = (b[k] - o[k]) / d[k];
        if (fmin(s, e) > in)
            in = fmin(s, e), axis = k;
        out = fmin(out, fmax(s, e));
    }
    const double sign = d[axis] > 0.0 ? -1.0 : 1.0;
    *out_normal = ri_vec3(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
    return in <= out ? in : INFINITY;
}

static inline bool ball_world_look(const void *scene, const RiRay *ray, RiRayPoint *out)
{
    const BallWorld *w = scene;
    double best = ray->far;
    bool found = false;
    const double dz = ray->direction.z;
    for (int k = 0; k < 2; k++) { // plane and plate
        const double t = ((k ? w->plate_height : 0.0) - ray->origin.z) / dz;
        if (!(k ? w->plate : w->plane) || dz == 0.0 || !(t > ray->near && t < best))
            continue;
        if (k && ray->origin.x + t * ray->direction.x >= 0.0)
            continue;
        best = t, found = true;
        ball_world_note(ray, t, ri_vec3(0.0, 0.0, 1.0), k, k ? 0 : RI_RAY_GROUND, out);
    }
    for (int i = 0; i < w->balls; i++) {
        const RiVec3 c = ri_sub(ray->origin, w->ball[i].centre);
        const double b = ri_dot(c, ray->direction), q = b * b - ri_dot(c, c) + w->ball[i].radius * w->ball[i].radius;
        if (q <= 0.0)
            continue;
        const double root = sqrt(q), t = -b - root > ray->near ? -b - root : -b + root;
        if (!(t > ray->near && t < best))
            continue;
        best = t, found = true;
        const RiVec3 p = ri_add(c, ri_scale(t, ray->direction));
        ball_world_note(ray, t, ri_scale(1.0 / w->ball[i].radius, p), w->ball[i].surface, i, out);
    }
    for (int i = 0; i < w->boxes; i++) {
        RiVec3 normal = {0.0, 0.0, 1.0};
        const double t = ball_world_box(ray, w->box[i].low, w->box[i].high, &normal);
        if (!(t > ray->near && t < best))
            continue;
        best = t, found = true;
        ball_world_note(ray, t, normal, w->box[i].surface, i, out);
    }
    return found;
}

static inline bool ball_world_blocked(const void *scene, const RiRay *ray)
{
    RiRayPoint p;
    return ball_world_look(scene, ray, &p);
}

/// A pinhole camera: pose with x right, y down, z forward; focal length in pixels.
typedef struct BallCamera {
    RiPose pose;
    double focal;
    int width, height;
} BallCamera;

static inline bool ball_camera_ray(const void *camera, double x, double y, const double u[3], RiRay *out)
{
    const BallCamera *c = camera;
    (void)u;
    RiVec3 d = ri_vec3(x - 0.5 * (c->width - 1), y - 0.5 * (c->height - 1), c->focal);
    d = ri_scale(1.0 / ri_norm(d), d);
    *out = (RiRay){c->pose.p, ri_rotate(&c->pose.R, d), 0.0, INFINITY, RI_RAY_ALL};
    return true;
}

/// A camera at `eye` that looks at `at`, z up.
static inline BallCamera ball_camera(RiVec3 eye, RiVec3 at, int width, int height, double focal)
{
    RiVec3 z = ri_sub(at, eye);
    z = ri_scale(1.0 / ri_norm(z), z);
    RiVec3 x = ri_cross(z, fabs(z.z) > 0.999 ? ri_vec3(0.0, 1.0, 0.0) : ri_vec3(0.0, 0.0, 1.0));
    x = ri_scale(1.0 / ri_norm(x), x);
    BallCamera c = {.focal = focal, .width = width, .height = height};
    c.pose.R = ri_mat3_from_cols(x, ri_cross(z, x), z);
    c.pose.p = eye;
    return c;
}

static inline RiTraceJob ball_job(const BallWorld *w, const RiOpticSurface *surfaces, int count, const RiLight *light,
                                  const BallCamera *camera)
{
    return (RiTraceJob){.world = {.scene = w, .look = ball_world_look, .blocked = ball_world_blocked},
                        .surfaces = surfaces,
                        .surface_count = count,
                        .light = light,
                        .ray = ball_camera_ray,
                        .camera = camera,
                        .width = camera->width,
                        .height = camera->height};
}

#endif
