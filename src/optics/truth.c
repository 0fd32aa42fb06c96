// SPDX-License-Identifier: Apache-2.0
/// \file
/// What pixels really see, and the rays that they collect. Tests: tests/optics/test_perception.c.
#include "optics/truth.h"

#include <math.h>

#include "base/functions.h"

/// Time after the first row's beginning at which a row begins [s].
static double row_time(const RiCameraView *v, double line)
{
    const int rows = v->camera->height;
    return v->readout > 0.0 && rows > 1 ? v->readout * line / (rows - 1) : 0.0;
}

static RiPose pose_after(const RiCameraView *v, double t)
{
    if (t == 0.0)
        return v->pose;
    const RiMat3 turn = ri_quat_to_mat3(ri_quat_exp(ri_scale(t, v->twist.ang)));
    return (RiPose){ri_mat3_mul(&turn, &v->pose.R), ri_add(v->pose.p, ri_scale(t, v->twist.lin))};
}

RiPose ri_camera_view_pose(const RiCameraView *v, double line)
{
    return pose_after(v, row_time(v, line));
}

static RiRay world_ray(const RiPose *pose, RiVec3 origin, RiVec3 direction, unsigned mask)
{
    return (RiRay){.origin = ri_pose_point(pose, origin),
                   .direction = ri_rotate(&pose->R, direction),
                   .far = INFINITY,
                   .mask = mask};
}

bool ri_camera_view_ray(const RiCameraView *v, double sample, double line, unsigned mask, RiRay *out)
{
    RiVec3 origin, direction;
    if (!ri_camera_ray(v->camera, sample, line, &origin, &direction))
        return false;
    const RiPose pose = ri_camera_view_pose(v, line);
    *out = world_ray(&pose, origin, direction, mask);
    return true;
}

/// Lets the ray start elsewhere on a thin lens and go through the same sharp point.
static void move_on_lens(const RiCameraView *v, double u1, double u2, RiVec3 *origin, RiVec3 *direction)
{
    const RiPose frame = ri_camera_frame(v->camera);
    const RiVec3 axis = ri_camera_is_perspective(v->camera) ? ri_mat3_col(&frame.R, 2) : *direction;
    const double along = ri_dot(axis, *direction), r = 0.5 * v->aperture * sqrt(u1), a = 2.0 * M_PI * u2;
    if (!(along > 1e-3))
        return;
    const RiMat3 lens = ri_mat3_from_z(axis);
    const RiVec3 sharp = ri_add(*origin, ri_scale(v->focus / along, *direction));
    *origin = ri_add(*origin, ri_rotate(&lens, ri_vec3(r * ri_cos(a), r * ri_sin(a), 0.0)));
    const RiVec3 way = ri_sub(sharp, *origin);
    *direction = ri_scale(1.0 / ri_norm(way), way);
}

bool ri_camera_view_sample(const RiCameraView *v, double sample, double line, const double u[3], unsigned mask,
                           RiRay *out)
{
    RiVec3 origin, direction;
    if (!ri_camera_ray(v->camera, sample, line, &origin, &direction))
        return false;
    if (v->aperture > 0.0)
        move_on_lens(v, u[0], u[1], &origin, &direction);
    const RiPose pose = pose_after(v, row_time(v, line) + v->exposure * u[2]);
    *out = world_ray(&pose, origin, direction, mask);
    return true;
}

static bool project(const RiCamera *c, const RiPose *pose, RiVec3 point, double *sample, double *line)
{
    return ri_camera_project(c, ri_rotate_back(&pose->R, ri_sub(point, pose->p)), sample, line);
}

static void flow_of(const RiTruthJob *job, const RiRayPoint *p, double sample, double line, float out[2])
{
    RiVec3 later = p->point;
    double s, l;
    out[0] = out[1] = NAN;
    if (p->body >= 0) {
        const RiPose now = ri_ray_scene_pose(job->scene, p->body);
        later = ri_pose_point(&job->later_bodies[p->body], ri_rotate_back(&now.R, ri_sub(p->point, now.p)));
    }
    if (!project(job->view.camera, &job->later_pose, later, &s, &l))
        return;
    out[0] = (float)(s - sample);
    out[1] = (float)(l - line);
}

/// Whether the other camera has the point in its frame and nothing is between.
static bool is_seen(const RiTruthJob *job, const RiRayPoint *p)
{
    const RiCameraView *o = job->other;
    const double slack = 1e-4; // [m] of the point's own surface
    double s, l;
    RiRay ray;
    bool blocked;
    if (!project(o->camera, &o->pose, p->point, &s, &l) || !ri_camera_in_frame(o->camera, s, l))
        return false;
    if (!ri_camera_view_ray(o, s, l, job->mask, &ray) || ri_dot(p->normal, ray.direction) >= 0.0)
        return false;
    ray.far = ri_norm(ri_sub(p->point, ray.origin)) - slack - 1e-4 * ri_norm(ri_sub(p->point, ray.origin));
    ri_ray_scene_blocked(job->scene, 1, &ray, false, &blocked);
    return !blocked;
}

static void put3(float *out, RiVec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void put_xyz(double *out, RiVec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void write_pixel(const RiTruthJob *job, const RiTruth *t, size_t at, const RiRayPoint *p, double sample,
                        double line)
{
    const RiVec3 nowhere = {NAN, NAN, NAN}, none = {0.0, 0.0, 0.0};
    if (t->depth)
        t->depth[at] = p ? p->range : INFINITY;
    if (t->xyz)
        put_xyz(t->xyz + 3 * at, p ? p->point : nowhere);
    if (t->normal)
        put3(t->normal + 3 * at, p ? p->normal : none);
    for (int k = 0; t->albedo && k < 3; k++)
        t->albedo[3 * at + (size_t)k] = p ? p->albedo[k] : 0.0f;
    if (t->link)
        t->link[at] = p ? p->link : RI_RAY_NOTHING;
    if (t->soil)
        t->soil[at] = p ? p->soil : -1;
    if (t->flow) {
        t->flow[2 * at] = t->flow[2 * at + 1] = NAN;
        if (p && job->later_bodies)
            flow_of(job, p, sample, line, t->flow + 2 * at);
    }
    if (t->visible)
        t->visible[at] = p && job->other && is_seen(job, p);
}

void ri_truth_rows(const RiTruthJob *job, int first, int count, const RiTruth *out)
{
    const int width = job->view.camera->width;
    for (int j = first; j < first + count; j++)
        for (int i = 0; i < width; i++) {
            RiRay ray;
            RiRayPoint p;
            const bool seen =
                ri_camera_view_ray(&job->view, i, j, job->mask, &ray) && ri_ray_scene_look(job->scene, &ray, &p);
            write_pixel(job, out, (size_t)j * (size_t)width + (size_t)i, seen ? &p : NULL, i, j);
        }
}
