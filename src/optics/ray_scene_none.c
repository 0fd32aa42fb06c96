// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ray scene of a build without Embree: it cannot be created, and says what to install. Nothing
/// else of it is ever called.
#include "optics/ray_scene.h"

#ifndef RILLE_HAVE_EMBREE

#include <math.h>
#include <stddef.h>

RiStatus ri_ray_scene_create(RiContext *ctx, RiRayScene **out_scene)
{
    *out_scene = NULL;
    return ri_error(
        ctx, RI_ERR_UNSUPPORTED,
        "cameras and lidars: this build has no Embree; install libembree-dev (tools/need.sh core) and build again");
}

void ri_ray_scene_destroy(RiRayScene *scene)
{
    (void)scene;
}

RiStatus ri_ray_scene_add_surface(RiRayScene *scene, const char *name, const float albedo[3], int *out_surface)
{
    (void)scene, (void)name, (void)albedo;
    *out_surface = 0;
    return RI_ERR_UNSUPPORTED;
}

int ri_ray_scene_surface_count(const RiRayScene *scene)
{
    (void)scene;
    return 0;
}

const RiRaySurface *ri_ray_scene_surface(const RiRayScene *scene, int surface)
{
    (void)scene, (void)surface;
    return NULL;
}

void ri_ray_scene_set_albedo(RiRayScene *scene, int surface, const float albedo[3])
{
    (void)scene, (void)surface, (void)albedo;
}

RiStatus ri_ray_scene_add_body(RiRayScene *scene, const char *name, int link, unsigned mask, int *out_body)
{
    (void)scene, (void)name, (void)link, (void)mask;
    *out_body = 0;
    return RI_ERR_UNSUPPORTED;
}

RiStatus ri_ray_scene_add_shape(RiRayScene *scene, int body, const RiRayShape *shape)
{
    (void)scene, (void)body, (void)shape;
    return RI_ERR_UNSUPPORTED;
}

int ri_ray_scene_body_count(const RiRayScene *scene)
{
    (void)scene;
    return 0;
}

const char *ri_ray_scene_body_name(const RiRayScene *scene, int body)
{
    (void)scene, (void)body;
    return "";
}

int ri_ray_scene_body_link(const RiRayScene *scene, int body)
{
    (void)scene, (void)body;
    return RI_RAY_NOTHING;
}

RiStatus ri_ray_scene_set_ground(RiRayScene *scene, const RiRayGroundDef *def)
{
    (void)scene, (void)def;
    return RI_ERR_UNSUPPORTED;
}

void ri_ray_scene_set_pose(RiRayScene *scene, int body, const RiPose *pose)
{
    (void)scene, (void)body, (void)pose;
}

RiPose ri_ray_scene_pose(const RiRayScene *scene, int body)
{
    (void)scene, (void)body;
    return ri_pose_identity();
}

RiStatus ri_ray_scene_update(RiRayScene *scene)
{
    (void)scene;
    return RI_ERR_UNSUPPORTED;
}

void ri_ray_scene_trace(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, RiRayHit *out)
{
    (void)scene, (void)rays, (void)coherent;
    for (int i = 0; i < count; i++)
        out[i] = (RiRayHit){.range = INFINITY, .body = RI_RAY_NOTHING};
}

void ri_ray_scene_blocked(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, bool *out)
{
    (void)scene, (void)rays, (void)coherent;
    for (int i = 0; i < count; i++)
        out[i] = false;
}

void ri_ray_scene_point(const RiRayScene *scene, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out)
{
    (void)scene, (void)ray, (void)hit;
    *out = (RiRayPoint){.body = RI_RAY_NOTHING};
}

void ri_ray_scene_flat_point(const RiRayScene *scene, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out)
{
    ri_ray_scene_point(scene, ray, hit, out);
}

void ri_ray_scene_rough_point(const RiRayScene *scene, const RiRay *ray, const RiRayHit *hit, const float normal[3],
                              RiRayPoint *out)
{
    (void)normal;
    ri_ray_scene_point(scene, ray, hit, out);
}

void ri_ray_scene_trace_normals(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, RiRayHit *out,
                                float (*out_normals)[3])
{
    (void)out_normals;
    ri_ray_scene_trace(scene, count, rays, coherent, out);
}

bool ri_ray_scene_look(const RiRayScene *scene, const RiRay *ray, RiRayPoint *out)
{
    (void)scene, (void)ray;
    *out = (RiRayPoint){.body = RI_RAY_NOTHING};
    return false;
}

void ri_ray_scene_look_many(const RiRayScene *scene, int count, const RiRay *rays, bool coherent, RiRayPoint *out)
{
    (void)coherent;
    for (int i = 0; i < count; i++)
        (void)ri_ray_scene_look(scene, &rays[i], &out[i]);
}

long long ri_ray_scene_triangles(const RiRayScene *scene)
{
    (void)scene;
    return 0;
}

#endif
