// SPDX-License-Identifier: Apache-2.0
/// \file
/// A height field in memory: what its queries and its rays share.
///
///     raster -> ghosts around it, holes filled -> heights.c: height, distance
///                                              -> heights_ray.c: lowest and highest of blocks, rays
#ifndef RI_TERRAIN_HEIGHTS_H
#define RI_TERRAIN_HEIGHTS_H

#include "terrain/patch.h"
#include "terrain/terrain.h"

enum { RI_HEIGHTS_LEVELS = 32, RI_HEIGHTS_BLOCK = 8 };

/// Lowest and highest ground within squares of RI_HEIGHTS_BLOCK << level cells.
typedef struct RiHeightsLevel {
    int nx, ny;
    float (*range)[2];
} RiHeightsLevel;

typedef struct RiHeights RiHeights;

/// Where the values of a map are that is not whole in memory.
typedef struct RiHeightsPages {
    /// Copies the 4 x 4 values around cell (i, j), whose own south-west value is the second of the second row; bilinear maps need only the
    /// middle four. Returns RI_SURFACE_* flags.
    int (*cell)(const RiHeights *h, int i, int j, float out_values[16]);
    /// Highest ground in the square of `level` that holds cell (i, j).
    double (*high)(const RiHeights *h, int level, int i, int j);
} RiHeightsPages;

struct RiHeights {
    RiTerrain terrain;
    const RiHeightsPages *pages; ///< NULL: all values are at v
    int nx, ny;
    ptrdiff_t row;
    double x0, y0, x1, y1; ///< border, through the outermost values [m]
    double dx, dy, per_dx, per_dy;
    const float *v;   ///< value (0, 0); one ghost all around
    uint32_t *filled; ///< one bit per cell with a filled corner; NULL: none
    bool bicubic;
    RiEdge edge;
    int levels;
    RiHeightsLevel level[RI_HEIGHTS_LEVELS];
    double low, high; ///< of the whole
    size_t bytes;
};

/// Ground of cell (i, j) continued to (x, y). Cells -1 and nx - 1 (ny - 1) are those beyond the border, where heights stay as on it.
void ri_heights_cell(const RiHeights *h, int i, int j, double x, double y, RiPatch *out);
/// Cell of a coordinate, -1 to n - 1.
static inline int ri_heights_index(double u, int n)
{
    return u >= 0.0 ? (u > (double)(n - 1) ? n - 1 : u < (double)(n - 2) ? (int)u : n - 2) : -1;
}

/// A ghost before the first of n values: continues the three outermost values as a parabola, two of them as a line: order 3 up to the border.
static inline void ri_heights_extrapolate(float *v, ptrdiff_t step, int n)
{
    const double a = (double)v[0], b = (double)v[step], c = n > 2 ? (double)v[2 * step] : 0.0;
    v[-step] = (float)(n > 2 ? 3.0 * (a - b) + c : 2.0 * a - b);
}

/// For the class tables of kinds that embed RiHeights.
bool ri_heights_height(const RiTerrain *t, double x, double y, double from, RiHeight *out);
void ri_heights_height_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                            bool *out_found);
void ri_heights_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);

/// Lowest and highest ground that ni x nj values can make.
void ri_heights_range(const float *v, ptrdiff_t row, int ni, int nj, bool bicubic, float out[2]);
RI_MUST_CHECK RiStatus ri_heights_build_levels(RiHeights *h);
bool ri_heights_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out);

#endif
