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

typedef struct RiHeights RiHeights;

/// Where the values of a map are that is not whole in memory, and what is known of its squares.
typedef struct RiHeightsPages {
    /// Copies the 4 x 4 values around cell (i, j), whose own south-west value is the second of the
    /// second row; bilinear maps need only the middle four. Returns RI_SURFACE_* flags.
    int (*cell)(const RiHeights *h, int i, int j, float out_values[16]);
    /// Lowest and highest ground of square (a, b) of a level.
    void (*range)(const RiHeights *h, int level, int a, int b, float out[2]);
    /// Bound of the second derivatives in square (a, b) of level 0.
    float (*curvature)(const RiHeights *h, int a, int b);
} RiHeightsPages;

struct RiHeights {
    RiTerrain terrain;
    const RiHeightsPages *pages; ///< NULL: values at v, squares at level
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
};

/// Ground of cell (i, j) continued to (x, y). Cells -1 and nx - 1 (ny - 1) are those beyond the
/// border, where heights stay as on it.
void ri_heights_cell(const RiHeights *h, int i, int j, double x, double y, RiPatch *out);
/// Cell of a coordinate, -1 to n - 1.
static inline int ri_heights_index(double u, int n)
{
    return u >= 0.0 ? (u > (double)(n - 1) ? n - 1 : u < (double)(n - 2) ? (int)u : n - 2) : -1;
}

/// Heights below 1e-30 m become 0: as floats they could be subnormal, which some processors compute
/// with slowly.
static inline void ri_heights_settle(float *v, size_t n)
{
    for (size_t k = 0; k < n; k++)
        v[k] = fabsf(v[k]) < 1e-30F ? 0.0F : v[k];
}

/// Flags of the ground of a cell.
static inline int ri_heights_flags(const RiHeights *h, int i, int j, bool outside)
{
    int flags = outside && h->edge == RI_EDGE_STOP ? RI_SURFACE_OUTSIDE : 0;
    if (h->filled) {
        const size_t cell = (size_t)j * (size_t)(h->nx - 1) + (size_t)i;
        flags |= h->filled[cell / 32] >> (cell % 32) & 1 ? RI_SURFACE_HOLE : 0;
    }
    return flags;
}

/// Bicubic heights of points on a map that is whole in memory; without `bends` second derivatives are
/// left at 0 (heights_kernel.c).
void ri_heights_bicubic_generic(const RiHeights *h, bool bends, int count, const double *x, const double *y,
                                RiHeight *out);
#if defined(__x86_64__)
void ri_heights_bicubic_avx2(const RiHeights *h, bool bends, int count, const double *x, const double *y,
                             RiHeight *out);
void ri_heights_bicubic_avx512(const RiHeights *h, bool bends, int count, const double *x, const double *y,
                               RiHeight *out);
#endif

/// A ghost before the first of n values: continues the three outermost as a parabola, two as a
/// line: order 3 up to the border.
static inline void ri_heights_extrapolate(float *v, ptrdiff_t step, int n)
{
    const double a = (double)v[0], b = (double)v[step], c = n > 2 ? (double)v[2 * step] : 0.0;
    v[-step] = (float)(n > 2 ? 3.0 * (a - b) + c : 2.0 * a - b);
}

/// For the class tables of kinds that embed RiHeights.
bool ri_heights_height(const RiTerrain *t, double x, double y, double from, RiHeight *out);
void ri_heights_height_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                            bool *out_found);
void ri_heights_slope_many(const RiTerrain *t, int count, const double *x, const double *y, RiHeight *out,
                           bool *out_found);
void ri_heights_query_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);
/// By the ground below each point, its slope and curvature.
void ri_heights_downhill_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);
void ri_heights_near_many(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);

/// Bound of the second derivatives in square (a, b) of level 0 of a bicubic field [1/m].
static inline double ri_heights_square_curvature(const RiHeights *h, int a, int b)
{
    return (double)(h->pages ? h->pages->curvature(h, a, b)
                             : h->curvature[(size_t)b * (size_t)h->level[0].nx + (size_t)a]);
}
/// Lowest and highest ground of the cells [i0, i1) x [j0, j1) by the values at v, rounded outwards;
/// of a bicubic field also the bound of the second derivatives.
void ri_heights_measure(const RiHeights *h, int i0, int i1, int j0, int j1, float out_range[2], float *out_curvature);
/// Lowest and highest ground of square (a, b) of a level.
static inline void ri_heights_square(const RiHeights *h, int level, int a, int b, float out[2])
{
    if (h->pages) {
        h->pages->range(h, level, a, b, out);
        return;
    }
    const RiHeightsLevel *l = &h->level[level];
    const float *range = l->range[(size_t)b * (size_t)l->nx + (size_t)a];
    out[0] = range[0];
    out[1] = range[1];
}
/// Lowest and highest ground of a cell.
void ri_heights_cell_range(const RiHeights *h, int i, int j, double out[2]);
/// See RiTerrainClass.bend: of bicubic fields, within the border.
double ri_heights_bend(const RiTerrain *t, double x, double y, double reach);
/// See RiTerrainClass.top: within the border.
double ri_heights_top(const RiTerrain *t, double x, double y, double reach);
RI_MUST_CHECK RiStatus ri_heights_build_levels(RiHeights *h);
/// The point of the ground that is closest to p, or with `nearby` the one downhill from below it;
/// `below` is the ground below p, `out` its slope at the closest point.
RiVec3 ri_heights_closest(const RiHeights *h, RiVec3 p, const RiHeight *below, bool nearby, RiHeight *out);
bool ri_heights_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out);

#endif
