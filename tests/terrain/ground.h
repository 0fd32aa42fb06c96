// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the tests of the terrain share: rasters of known surfaces, random points, an allocator that
/// fails on demand.
#ifndef RI_TESTS_TERRAIN_GROUND_H
#define RI_TESTS_TERRAIN_GROUND_H

#include <rille/terrain.h>

#include "base/rng.h"
#include "check.h"

typedef double (*Surface)(double x, double y);

static inline RiContext *context_open(void)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

/// A raster of n x n values over [low, low + size]^2.
static inline RiRaster *raster_of(RiContext *ctx, Surface f, int n, double low, double size)
{
    RiRaster *r;
    if (ri_raster_create(ctx, n, n, size / (n - 1), size / (n - 1), &r) != RI_OK)
        abort();
    r->x0 = r->y0 = low;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            r->values[(size_t)j * (size_t)n + (size_t)i] = (float)f(low + i * r->dx, low + j * r->dy);
    return r;
}

static inline RiTerrain *heights_of(RiContext *ctx, Surface f, int n, double low, double size, RiInterpolation kind,
                                    RiEdge edge)
{
    RiRaster *r = raster_of(ctx, f, n, low, size);
    RiHeightsDef def = ri_heights_def_default();
    def.raster = r;
    def.interpolation = kind;
    def.edge = edge;
    RiTerrain *t;
    if (ri_terrain_create_heights(ctx, &def, &t) != RI_OK)
        abort();
    ri_raster_destroy(r);
    return t;
}

static inline RiVec3 point_between(RiRng *rng, RiVec3 low, RiVec3 high)
{
    const double x = ri_rng_between(rng, low.x, high.x), y = ri_rng_between(rng, low.y, high.y);
    return ri_vec3(x, y, ri_rng_between(rng, low.z, high.z));
}

static inline RiVec3 direction_of(RiRng *rng)
{
    const double x = ri_rng_normal(rng), y = ri_rng_normal(rng);
    const RiVec3 v = ri_vec3(x, y, ri_rng_normal(rng));
    return ri_scale(1.0 / ri_norm(v), v);
}

/// Counts allocations down and then fails them all.
typedef struct Failing {
    int left;
} Failing;

static inline void *failing_resize(void *user, void *block, size_t size)
{
    Failing *f = user;
    return f->left-- > 0 ? realloc(block, size) : NULL;
}

static inline void failing_release(void *user, void *block)
{
    (void)user;
    free(block);
}

#endif
