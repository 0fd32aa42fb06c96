// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every kind of terrain gives: a table of functions. A kind embeds RiTerrain as its first
/// member.
#ifndef RI_TERRAIN_TERRAIN_H
#define RI_TERRAIN_TERRAIN_H

#include <math.h>

#include <rille/terrain.h>

#include "base/memory.h"

typedef struct RiTerrainClass {
    const char *kind;
    void (*destroy)(RiTerrain *t); ///< what the arena does not hold; may be NULL
    void (*info)(const RiTerrain *t, RiTerrainInfo *out);
    void (*query_many)(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);
    /// See ri_terrain_query_near_many; may be NULL: then query_many answers.
    void (*near_many)(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);
    /// As query_many, but of the ground downhill (in distance) from the one below a point: exact
    /// there, and no search for other ground that may be nearer. Only kinds with near_many have it.
    void (*downhill_many)(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);
    /// Bound of the second derivatives of the height along any direction within `reach` of (x, y)
    /// along both axes [1/m]; INFINITY: not known, or not worth the time to find. May be NULL: not
    /// known.
    double (*bend)(const RiTerrain *t, double x, double y, double reach);
    /// An upper bound of the height within `reach` of (x, y) along both axes [m], of ground that is
    /// a height field there; INFINITY: not known. May be NULL: not known.
    double (*top)(const RiTerrain *t, double x, double y, double reach);
    /// Highest surface at (x, y) not above `from` (INFINITY: the highest).
    bool (*height)(const RiTerrain *t, double x, double y, double from, RiHeight *out);
    /// The map whose values the ground goes through, if it is one and whole in memory. May be NULL:
    /// it is not.
    const struct RiHeights *(*map)(const RiTerrain *t);
    /// May be NULL: then the height function is called one by one.
    void (*height_many)(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                        bool *out_found);
    /// The same without second derivatives and materials, which are left as they come; may be NULL.
    void (*slope_many)(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out, bool *out_found);
    /// Heights for drawing at the values of a raster; may be NULL: then they are asked for one by
    /// one.
    RiStatus (*overview)(const RiTerrain *t, RiRaster *r);
    /// May be NULL: then the ray is marched by distance (ri_terrain_march).
    bool (*ray)(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out);
    /// The terrains that this one is made of, and how many; may be NULL: it is one itself.
    int (*parts)(const RiTerrain *t, const RiTerrain *const **out_parts);
} RiTerrainClass;

struct RiTerrain {
    const RiTerrainClass *kind;
    RiContext *ctx;
    RiArena arena; ///< holds the terrain itself and all of its small parts
    const char **materials;
    int material_count;
};

/// A zeroed terrain of `size` bytes (its struct) in an arena of its own, with no materials yet.
RI_MUST_CHECK RiStatus ri_terrain_alloc(RiContext *ctx, const RiTerrainClass *kind, size_t size, RiTerrain **out);
/// Index of a material by name (NULL: "ground"), added if new.
RI_MUST_CHECK RiStatus ri_terrain_add_material(RiTerrain *t, const char *name, int *out_material);
/// Bound of the second derivatives of the height within `reach` of (x, y) [1/m]; INFINITY where it
/// is not known.
static inline double ri_terrain_bend(const RiTerrain *t, double x, double y, double reach)
{
    return t->kind->bend ? t->kind->bend(t, x, y, reach) : INFINITY;
}
/// An upper bound of the height within `reach` of (x, y) [m]; INFINITY where it is not known.
static inline double ri_terrain_top(const RiTerrain *t, double x, double y, double reach)
{
    return t->kind->top ? t->kind->top(t, x, y, reach) : INFINITY;
}
/// As ri_terrain_height_many, for callers that need neither second derivatives nor materials.
void ri_terrain_slope_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                           bool *out_found);
/// The terrains that `t` is made of (a union's parts, what a soil map covers); 0: it is not made of
/// others.
static inline int ri_terrain_parts(const RiTerrain *t, const RiTerrain *const **out_parts)
{
    return t->kind->parts ? t->kind->parts(t, out_parts) : 0;
}
/// Sphere tracing with a final bisection, for kinds whose distance does not overshoot.
bool ri_terrain_march(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out);

#endif
