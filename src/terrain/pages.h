// SPDX-License-Identifier: Apache-2.0
/// \file
/// A fixed pool of pages of a large map.
///
///     RiTileSource --(a miss, under a lock)--> page: values with an apron, holes filled, ranges --> slot of the pool
///                                                                    reads without a lock <--/
///
/// A page holds the values of 256 x 256 cells and one more on the west and south, two on the east
/// and north, so that every cell has its 4 x 4 values in one page. Readers take no lock: a slot has
/// a sequence number that is odd while it is being rewritten, and who finds it changed after
/// reading reads again. Every shared number is read and written atomically. A miss reads the source
/// under a mutex and gives the slot that has been unused for the greatest number of misses away.
#ifndef RI_TERRAIN_PAGES_H
#define RI_TERRAIN_PAGES_H

#include <pthread.h>

#include <rille/terrain.h>

#include "base/memory.h"

enum {
    RI_PAGE_SHIFT = 8,
    RI_PAGE_CELLS = 1 << RI_PAGE_SHIFT,
    RI_PAGE_SIDE = RI_PAGE_CELLS + 3,
    RI_PAGE_LEVELS = 6, ///< squares of 8, 16, ... 256 cells with their range
    RI_PAGES_LEAST = 16
};

typedef struct RiPageSlot RiPageSlot;

typedef struct RiPages {
    RiTileSource source;
    int nx, ny; ///< values
    int px, py; ///< pages
    bool bicubic;
    int *where;        ///< slot of each page, or PAGE_ABSENT, PAGE_BAD
    float (*range)[2]; ///< of each page, NAN until it was read; kept when the page gives way
    RiPageSlot *slots;
    int slot_count, used;
    long long clock; ///< misses so far
    int bad;         ///< pages that could not be read
    float low, high; ///< of all pages read
    float flat;      ///< mean of the coarsest level; NAN until it was needed
    float *stage;    ///< a page being made
    float *room;     ///< for reading and filling
    uint32_t *holes; ///< of the page being made
    size_t bytes;
    pthread_mutex_t lock;
} RiPages;

/// All memory from `arena`. The source stays the caller's until this succeeds.
RI_MUST_CHECK RiStatus ri_pages_create(RiArena *arena, const RiTileSource *source, size_t memory, bool bicubic,
                                       RiPages **out_pages);
/// Closes the source.
void ri_pages_destroy(RiPages *p);

/// Values around cell (i, j) as RiHeightsPages.cell; RI_SURFACE_HOLE where one of the cell's
/// corners was filled, and RI_SURFACE_OUTSIDE too where the page cannot be read.
int ri_pages_cell(RiPages *p, int i, int j, float out_values[16]);
/// Lowest and highest ground of square (a, b) of 8 << level cells, and the bound of the second
/// derivatives of one of level 0.
void ri_pages_range(RiPages *p, int level, int a, int b, float out[2]);
float ri_pages_curvature(RiPages *p, int a, int b);
/// A window of a level with holes filled; false if it cannot be read. `out_values` has
/// ri_pages_room(nx, ny) of them, the first nx * ny count.
bool ri_pages_read(RiPages *p, int level, int i, int j, int nx, int ny, float *out_values);
/// Room for the values of a window and for filling it.
size_t ri_pages_room(int nx, int ny);
void ri_pages_bounds(const RiPages *p, double *out_low, double *out_high, int *out_bad);

#endif
