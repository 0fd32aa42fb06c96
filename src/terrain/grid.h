// SPDX-License-Identifier: Apache-2.0
/// \file
/// Signed distances on a grid. A grid *is* its block: head and arrays one after the other, as the
/// cache on disk holds them.
///
///     any terrain --(grid_bake.c)--> block <--> disk      block --(grid_kernel.c)--> distance, normal, material
///
/// Values are at the nodes (corners of cells), x fastest. **Dense**: all nodes. **Sparse**: the
/// cells are grouped in bricks of 8^3; bricks within the band of the surface have their own 9^3
/// nodes (shared faces are stored twice, so that a cell never leaves its brick), the others one
/// record with a lower bound of the distance.
#ifndef RI_TERRAIN_GRID_H
#define RI_TERRAIN_GRID_H

#include "terrain/terrain.h"

enum {
    RI_BRICK = 8,         ///< cells on a side
    RI_BRICK_SIDE = 9,    ///< nodes on a side
    RI_BRICK_NODES = 729, ///< stored x fastest
    RI_BRICK_STRIDE = 736 ///< floats from brick to brick
};

#define RI_MIXED 0x80000000U ///< of a brick's tag: its cells differ

/// A brick without values.
typedef struct RiFar {
    float bound;   ///< lower bound of the distance with its sign [m]
    int8_t n[3];   ///< direction of free space, times 127: a guess
    uint8_t flags; ///< RI_SURFACE_*
} RiFar;

typedef struct RiGridHead {
    char magic[8];
    uint32_t format, order;
    uint64_t size; ///< of the whole block [bytes]
    uint64_t hash; ///< of the block with this field zero
    uint32_t kind, lookup, edge;
    int32_t cells[3];
    double cell, band;
    double low[3]; ///< of node (0, 0, 0) [m]
    uint32_t brick_count;
    uint32_t material_count, text_size; ///< names, each with its zero
    uint32_t tagged;                    ///< 1: cells have a material or flags
    uint32_t mixed_count;               ///< bricks whose cells differ in these
    int32_t ambiguous;                  ///< cells
    uint32_t exact;
    uint32_t zero;
    uint64_t unused[8];
} RiGridHead;
_Static_assert(sizeof(RiGridHead) == 192, "the head has no padding");

/// Where everything is: what the kernels see.
typedef struct RiGridView {
    RiGridHead head;
    double inverse;       ///< 1 / cell
    int bricks[3];        ///< per axis; sparse
    int stride[2];        ///< nodes from y to y + 1 and from z to z + 1
    const int32_t *table; ///< brick -> its number among those with values, or -1; sparse
    const RiFar *far;     ///< sparse
    const float *values;  ///< [m]
    const uint32_t
        *brick_tag; ///< sparse: the tag of all cells of a brick, or RI_MIXED and where its 512 tags begin; NULL: all 0
    const uint16_t
        *tags;  ///< of cells: material | flags << 8; dense: of all of them, NULL: all 0; sparse: of mixed bricks
    char *text; ///< names
} RiGridView;

/// A triangle as the distance needs it, for many points: in a frame with corner a in its origin,
/// corner b on the first axis, and corner c in the half plane of the second.
typedef struct RiTriangleForm {
    double a[3];       ///< corner
    double u[3], v[3]; ///< axes in the plane
    double w[3];       ///< unit normal
    double length;     ///< of the edge from a to b
    double c[2];       ///< corner c
    double inverse_bc; ///< 1 / square of the edge from b to c
    double inverse_ac; ///< 1 / square of the edge from a to c
} RiTriangleForm;

/// Balls around triangles, in arrays whose ends are padded to a multiple of 8 by balls out of
/// reach.
typedef struct RiBalls {
    double *x, *y, *z, *radius;
    int count;
} RiBalls;

typedef struct RiGridKernels {
    const char *name;
    void (*trilinear)(const RiGridView *g, int count, const RiVec3 *points, RiSurface *out);
    void (*tricubic)(const RiGridView *g, int count, const RiVec3 *points, RiSurface *out);
    /// Closest of `count` triangles (numbers in `list`) for each of n points (a multiple of 8, x,
    /// y, z in arrays): its place in the list. The lowest place of equals.
    void (*closest)(const RiTriangleForm *forms, int count, const uint32_t *list, int n, const double *x,
                    const double *y, const double *z, int *out);
    /// Places of the balls that may hold the closest point for some point within `half` of c, in
    /// order; returns their number. The centre of every ball must belong to what is in it. `room`:
    /// as many numbers as there are balls, padded likewise.
    int (*sift)(const RiBalls *balls, RiVec3 c, double half, double *room, uint32_t *out);
} RiGridKernels;

extern const RiGridKernels ri_grid_kernels_generic;
#if defined(__x86_64__)
extern const RiGridKernels ri_grid_kernels_avx2, ri_grid_kernels_avx512;
#endif
/// The kernels for a name ("generic", "avx2", "avx512"), or the best for NULL. NULL if this
/// processor has not.
const RiGridKernels *ri_grid_kernels_find(const char *name);

typedef struct RiGrid {
    RiTerrain terrain;
    RiGridView view;
    const RiGridKernels *kernels;
    void *block;
    size_t size;
    void (*release)(RiContext *ctx, void *block, size_t size);
    long long cells; ///< that have values
} RiGrid;

/// Sizes of the arrays behind a head, in order of the block. Returns the size of the block, 0 if it
/// exceeds what indices can reach.
size_t ri_grid_lay_out(const RiGridHead *head, char *block, RiGridView *out);
/// A terrain around a complete block, which it takes over; checks everything. On failure the block
/// stays the caller's.
RI_MUST_CHECK RiStatus ri_grid_adopt(RiContext *ctx, void *block, size_t size,
                                     void (*release)(RiContext *ctx, void *block, size_t size), RiTerrain **out);
/// Writes the hash into a block's head.
void ri_grid_seal(void *block, size_t size);
/// The kernels by name for tests and benches; false if t is no grid or the processor has not.
bool ri_grid_set_kernels(RiTerrain *t, const char *name);

bool ri_grid_ray(const RiTerrain *t, RiVec3 origin, RiVec3 direction, double range, RiTerrainHit *out);
bool ri_grid_height(const RiTerrain *t, double x, double y, double from, RiHeight *out);
void ri_grid_query(const RiTerrain *t, int count, const RiVec3 *points, RiSurface *out);

#endif
