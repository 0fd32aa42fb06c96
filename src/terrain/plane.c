// SPDX-License-Identifier: Apache-2.0
/// \file
/// An endless inclined plane.
#include "base/functions.h"
#include "terrain/terrain.h"

typedef struct Plane {
    RiTerrain terrain;
    RiVec3 point, normal;
    double zx, zy;
} Plane;

static void plane_info(const RiTerrain *t, RiTerrainInfo *out)
{
    (void)t;
    out->low = ri_vec3(-INFINITY, -INFINITY, -INFINITY);
    out->high = ri_vec3(INFINITY, INFINITY, INFINITY);
    out->single_valued = out->exact = true;
    out->bytes = sizeof(Plane);
}

static void plane_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const Plane *p = (const Plane *)t;
    for (int i = 0; i < count; i++)
        out[i] = (RiSurface){.distance = ri_dot(ri_sub(points[i], p->point), p->normal), .normal = p->normal};
}

static bool plane_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    const Plane *p = (const Plane *)t;
    *out = (RiHeight){.z = p->point.z + p->zx * (x - p->point.x) + p->zy * (y - p->point.y), .zx = p->zx, .zy = p->zy};
    return out->z <= from;
}

static bool plane_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const Plane *p = (const Plane *)t;
    const double away = ri_dot(direction, p->normal), height = ri_dot(ri_sub(origin, p->point), p->normal);
    const double s = height < 0.0 ? 0.0 : -height / away;
    if ((away >= 0.0 && height > 0.0) || !(s >= 0.0 && s <= range))
        return false;
    *out = (RiTerrainHit){.range = s, .point = ri_add(origin, ri_scale(s, direction)), .normal = p->normal};
    return true;
}

static const RiTerrainClass plane_class = {
    .kind = "plane", .info = plane_info, .query_many = plane_query_many, .height = plane_height, .ray = plane_ray};

RiStatus ri_terrain_create_plane(RiContext *ctx, const RiPlaneDef *def, RiTerrain **out_terrain)
{
    *out_terrain = NULL;
    if (!(fabs(def->slope) < 1.5707) || !isfinite(def->azimuth) || !isfinite(ri_norm(def->point)))
        return ri_error(ctx, RI_ERR_ARGUMENT, "plane: slope is %g rad, it must lie between -pi/2 and pi/2", def->slope);
    RiTerrain *t;
    RI_TRY(ri_terrain_alloc(ctx, &plane_class, sizeof(Plane), &t));
    Plane *p = (Plane *)t;
    p->point = def->point;
    p->zx = ri_tan(def->slope) * ri_cos(def->azimuth);
    p->zy = ri_tan(def->slope) * ri_sin(def->azimuth);
    p->normal = ri_scale(ri_cos(def->slope), ri_vec3(-p->zx, -p->zy, 1.0));
    int material;
    const RiStatus status = ri_terrain_add_material(t, def->material, &material);
    if (status != RI_OK)
        ri_terrain_destroy(t);
    else
        *out_terrain = t;
    return status;
}
