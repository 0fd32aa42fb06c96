// SPDX-License-Identifier: Apache-2.0
/// \file
/// A height field in memory: what its queries and its rays share.
///
///     raster -> ghosts around it, holes filled -> heights.c: height, distance <- heights_closest.c: closest point
///                                              -> heights_range.c: lowest, highest, most curved ground of squares
///                                              -> heights_ray.c: rays
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

typedef struct RiHeights {
    RiTerrain terrain;
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
    float *curvature; ///< bound of the second derivatives within the squares of level 0 [1/m]; bicubic only
    double low, high; ///< of the whole
    size_t bytes;
} RiHeights;

/// Ground of cell (i, j) continued to (x, y). Cells -1 and nx - 1 (ny - 1) are those beyond the border, where heights stay as on it.
void ri_heights_cell(const RiHeights *h, int i, int j, double x, double y, RiPatch *out);
/// Cell of a coordinate, -1 to n - 1.
static inline int ri_heights_index(double u, int n)
{
    return u >= 0.0 ? (u > (double)(n - 1) ? n - 1 : u < (double)(n - 2) ? (int)u : n - 2) : -1;
}

/// Lowest and highest ground of a cell.
void ri_heights_cell_range(const RiHeights *h, int i, int j, double out[2]);
RI_MUST_CHECK RiStatus ri_heights_build_levels(RiHeights *h);
/// The point of the ground that is closest to p; `below` is the ground below p, `out` its slope at the closest point.
RiVec3 ri_heights_closest(const RiHeights *h, RiVec3 p, const RiHeight *below, RiHeight *out);
bool ri_heights_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out);

#endif
