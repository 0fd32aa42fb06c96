// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene for rays as a tracer's world, and surfaces for its materials.
#include <string.h>

#include <rille/report.h>

#include "base/memory.h"
#include "optics/tracer.h"

static bool look(const void *scene, const RiRay *ray, RiRayPoint *out)
{
    return ri_ray_scene_look(scene, ray, out);
}

static bool blocked(const void *scene, const RiRay *ray)
{
    bool result = false;
    ri_ray_scene_blocked(scene, 1, ray, false, &result);
    return result;
}

static void look_many(const void *scene, int count, const RiRay *rays, bool coherent, RiRayPoint *out)
{
    ri_ray_scene_look_many(scene, count, rays, coherent, out);
}

static void blocked_many(const void *scene, int count, const RiRay *rays, bool coherent, bool *out)
{
    ri_ray_scene_blocked(scene, count, rays, coherent, out);
}

RiRayWorld ri_ray_world(const RiRayScene *scene)
{
    return (RiRayWorld){.scene = scene,
                        .look = look,
                        .blocked = blocked,
                        .look_many = look_many,
                        .blocked_many = blocked_many,
                        .quick = scene};
}

static void choose(const RiRaySurface *material, RiReport *report, RiOpticSurface *out)
{
    bool guess = false;
    const RiSurfaceRow *row =
        material->ground ? ri_surface_of_soil(material->name, &guess) : ri_surface_find(material->name);
    if (guess)
        ri_report_add(report, RI_FINDING_WARNING, NULL, 0, "ground '%s' has no surface: it is shown as '%s'",
                      material->name, row->name);
    if (row) {
        *out = row->surface;
        return;
    }
    *out = ri_surface_lambert(0.0);
    for (int k = 0; k < RI_BANDS; k++)
        out->albedo[k] = (double)material->albedo[k];
}

RiStatus ri_surfaces_of_scene(RiContext *ctx, const RiRayScene *scene, RiReport *report, RiOpticSurface **out_surfaces,
                              int *out_count)
{
    *out_surfaces = NULL;
    *out_count = ri_ray_scene_surface_count(scene);
    RiOpticSurface *s = ri_alloc_zero(ctx, (size_t)*out_count, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    for (int i = 0; i < *out_count; i++) {
        const RiRaySurface *material = ri_ray_scene_surface(scene, i);
        choose(material, report, &s[i]);
        const RiStatus status = ri_surface_prepare(ctx, material->name, &s[i]);
        if (status != RI_OK) {
            ri_release(ctx, s);
            return status;
        }
    }
    *out_surfaces = s;
    return RI_OK;
}
