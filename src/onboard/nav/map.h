// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inside of the local map: cells with additive moments in a torus that scrolls with the rover.
#ifndef RI_ONBOARD_NAV_MAP_H
#define RI_ONBOARD_NAV_MAP_H

#include <stdint.h>

#include <rille/navigation.h>

/// Moments of the points in a cell, about the cell's centre and the map's reference height. They
/// add: the plane through a patch needs only their sum over the cells of the patch.
typedef struct RiNavCell {
    double n;                      // weight: number of points, at most points_most
    double x, y, z;                // sums
    double xx, xy, yy, xz, yz, zz; // sums of products
    double low, high;              // extremes of z, about the reference
    int32_t ix, iy;                // place in the world, in cells
} RiNavCell;

/// What the last update found for the patch around a cell.
typedef struct RiNavMark {
    uint8_t goodness, certainty, hazards;
    uint8_t obstacle; // the higher side of a step
    uint8_t near;     // the rover's disc anywhere in this cell may meet an obstacle
    uint8_t spare[3];
} RiNavMark;

enum { RI_NAV_DIRECTIONS = 4 }; // east, north, north-east, north-west

struct RiNavMap {
    RiContext *ctx;
    RiNavOptions options;
    void *memory; // head, cells, marks, dirty: all that is remembered
    size_t memory_size;
    struct RiNavHead {
        double reference;    // height of z = 0 in the cells [m]
        int32_t ix, iy;      // lower left cell of the map, in cells
        int32_t column, row; // its place in the torus
    } * head;
    RiNavCell *cells; // [n][n], cell (ix, iy) at (ix mod n, iy mod n)
    RiNavMark *marks; // [n][n] alike
    uint8_t *dirty;   // [n][n] the patch must be evaluated
    // scratch and constants
    double *steps; // [n][n][RI_NAV_DIRECTIONS] height differences to neighbours; NAN: not both known
    struct RiNavOffset {
        int dx, dy;
        bool pair[RI_NAV_DIRECTIONS]; // the neighbour is in the disc too
    } * disc;
    double slope_spread;   // height over a cell's diagonal at the limit of tilt [m]
    int disc_count, reach; // cells of a patch; most cells from its centre
};

/// Bytes that a map of so many cells on a side remembers, and its working space: room for the steps
/// and for a disc that reaches as far as options allow.
#define RI_NAV_MAP_STATE(cells)                                                                                        \
    (sizeof(struct RiNavHead) + (size_t)(cells) * (size_t)(cells) * (sizeof(RiNavCell) + sizeof(RiNavMark) + 1))
#define RI_NAV_MAP_SCRATCH(cells)                                                                                      \
    ((size_t)(cells) * (size_t)(cells)*RI_NAV_DIRECTIONS * sizeof(double) +                                            \
     (2 * ((size_t)(cells) / 4) + 3) * (2 * ((size_t)(cells) / 4) + 3) * sizeof(struct RiNavOffset))
/// Points a map into its memory; enough to read it.
static inline void ri_nav_map_point(RiNavMap *m, void *memory)
{
    const size_t n = (size_t)m->options.cells * (size_t)m->options.cells;
    m->memory = memory;
    m->memory_size = RI_NAV_MAP_STATE(m->options.cells);
    m->head = memory;
    m->cells = (RiNavCell *)(m->head + 1);
    m->marks = (RiNavMark *)(m->cells + n);
    m->dirty = (uint8_t *)(m->marks + n);
}
/// A map in memory of somebody else. Options are checked before; what the memory holds stays.
void ri_nav_map_place(RiNavMap *m, const RiNavOptions *options, void *memory, void *scratch);

/// Index of the cell at world cell (ix, iy), which must be inside the map.
static inline int ri_nav_slot(const RiNavMap *m, int ix, int iy)
{
    const int n = m->options.cells;
    const int a = ix - m->head->ix + m->head->column, b = iy - m->head->iy + m->head->row;
    return (b >= n ? b - n : b) * n + (a >= n ? a - n : a);
}
static inline bool ri_nav_inside(const RiNavMap *m, int ix, int iy)
{
    const int n = m->options.cells;
    return ix >= m->head->ix && ix < m->head->ix + n && iy >= m->head->iy && iy < m->head->iy + n;
}
/// World cell of a coordinate; the caller checks that it is finite and within 1e8 cells.
static inline int ri_nav_index(const RiNavMap *m, double x)
{
    return (int)floor(x / m->options.cell);
}
static inline double ri_nav_centre(const RiNavMap *m, int i)
{
    return (i + 0.5) * m->options.cell;
}
/// Whether both coordinates can be a place in some map.
static inline bool ri_nav_is_place(const RiNavMap *m, double x, double y)
{
    const double most = 1e8 * m->options.cell;
    return fabs(x) < most && fabs(y) < most; // false for NaN
}

#endif
