// SPDX-License-Identifier: Apache-2.0
/// \file
/// A terrain whose materials come from a soil map. Everything else is asked of the terrain below,
/// in batches as it comes.
#include <rille/ground.h>

#include "terrain/soil_map.h"
#include "terrain/terrain.h"

typedef struct Covered {
    RiTerrain terrain;
    const RiTerrain *base;
    const RiSoilMap *map;
} Covered;

static void covered_info(const RiTerrain *t, RiTerrainInfo *out)
{
    const Covered *c = (const Covered *)t;
    *out = ri_terrain_info(c->base); // the kind too: a cover is not a kind of its own
    out->bytes += sizeof *c + ri_soil_map_bytes(c->map);
}

/// The soil is that of the nearest point of the surface. Outside of a narrow band that point is a
/// guess: then of the point itself.
static void cover(const Covered *c, int count, const RiVec3 *points, RiSurface *out)
{
    for (int i = 0; i < count; i++) {
        const double d = out[i].flags & RI_SURFACE_FAR ? 0.0 : out[i].distance;
        out[i].material = ri_soil_map_region_at(c->map, points[i].x - d * out[i].normal.x, //
                                                points[i].y - d * out[i].normal.y);
    }
}

static void covered_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const Covered *c = (const Covered *)t;
    ri_terrain_query_many(c->base, count, points, out);
    cover(c, count, points, out);
}

static void covered_near_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const Covered *c = (const Covered *)t;
    ri_terrain_query_near_many(c->base, count, points, out);
    cover(c, count, points, out);
}

static void covered_downhill_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out)
{
    const Covered *c = (const Covered *)t;
    c->base->kind->downhill_many(c->base, count, points, out);
    cover(c, count, points, out);
}

static double covered_bend(const RiTerrain *t, double x, double y, double reach)
{
    return ri_terrain_bend(((const Covered *)t)->base, x, y, reach);
}

static const struct RiHeights *covered_map(const RiTerrain *t)
{
    const RiTerrain *base = ((const Covered *)t)->base;
    return base->kind->map ? base->kind->map(base) : NULL;
}

static double covered_top(const RiTerrain *t, double x, double y, double reach)
{
    return ri_terrain_top(((const Covered *)t)->base, x, y, reach);
}

static bool covered_height(const RiTerrain *t, double x, double y, double from, RiHeight *out)
{
    const Covered *c = (const Covered *)t;
    const bool found = c->base->kind->height(c->base, x, y, from, out);
    if (found)
        out->material = ri_soil_map_region_at(c->map, x, y);
    return found;
}

static void covered_height_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                                bool *out_found)
{
    const Covered *c = (const Covered *)t;
    ri_terrain_height_many(c->base, count, x, y, out, out_found);
    for (int i = 0; i < count; i++)
        out[i].material = ri_soil_map_region_at(c->map, x[i], y[i]);
}

static void covered_slope_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                               bool *out_found)
{
    ri_terrain_slope_many(((const Covered *)t)->base, count, x, y, out, out_found);
}

static bool covered_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out)
{
    const Covered *c = (const Covered *)t;
    const bool found = ri_terrain_ray(c->base, origin, direction, range, out);
    if (found)
        out->material = ri_soil_map_region_at(c->map, out->point.x, out->point.y);
    return found;
}

static int covered_parts(const RiTerrain *t, const RiTerrain *const **out_parts)
{
    *out_parts = &((const Covered *)t)->base;
    return 1;
}

static const RiTerrainClass covered_class = {.kind = "covered",
                                             .info = covered_info,
                                             .query_many = covered_query_many,
                                             .bend = covered_bend,
                                             .top = covered_top,
                                             .map = covered_map,
                                             .height = covered_height,
                                             .height_many = covered_height_many,
                                             .slope_many = covered_slope_many,
                                             .ray = covered_ray,
                                             .parts = covered_parts};

/// For ground that has cheaper answers close by.
static const RiTerrainClass covered_near_class = {.kind = "covered",
                                                  .info = covered_info,
                                                  .query_many = covered_query_many,
                                                  .near_many = covered_near_many,
                                                  .downhill_many = covered_downhill_many,
                                                  .bend = covered_bend,
                                                  .top = covered_top,
                                                  .map = covered_map,
                                                  .height = covered_height,
                                                  .height_many = covered_height_many,
                                                  .slope_many = covered_slope_many,
                                                  .ray = covered_ray,
                                                  .parts = covered_parts};

RiStatus ri_terrain_create_covered(RiContext *ctx, const RiTerrain *base, const RiSoilMap *map, RiTerrain **out_terrain)
{
    RiTerrain *t;
    RiStatus status = RI_OK;
    *out_terrain = NULL;
    const bool near = base->kind->near_many && base->kind->downhill_many;
    RI_TRY(ri_terrain_alloc(ctx, near ? &covered_near_class : &covered_class, sizeof(Covered), &t));
    ((Covered *)t)->base = base;
    ((Covered *)t)->map = map;
    for (int i = 0, material; i < ri_soil_map_region_count(map) && status == RI_OK; i++)
        status = ri_terrain_add_material(t, ri_soil_map_region(map, i)->name, &material);
    if (status != RI_OK)
        ri_terrain_destroy(t);
    else
        *out_terrain = t;
    return status;
}

const RiSoilMap *ri_terrain_soil_map(const RiTerrain *t)
{
    return t->kind == &covered_class || t->kind == &covered_near_class ? ((const Covered *)t)->map : NULL;
}
