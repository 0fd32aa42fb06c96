// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ground that is no height field, as triangles.
#ifndef RI_LINK_SURFACE_H
#define RI_LINK_SURFACE_H

#include <stdint.h>

#include <rille/terrain.h>

typedef struct RiSurfaceMesh {
    float *points;       ///< [3 point_count]
    uint32_t *triangles; ///< [3 triangle_count]; seen from free space they turn to the left
    int point_count, triangle_count;
} RiSurfaceMesh;

/// The surface around a point: a box that holds `reach` and is larger the farther the ground is,
/// clipped to the terrain's bounds, in cells of at most 1/96 of its longest side. `memory` holds
/// the result, which ri_surface_free gives back.
RI_MUST_CHECK RiStatus ri_surface_around(RiContext *ctx, const RiAllocator *memory, const RiTerrain *terrain,
                                         RiVec3 centre, double reach, RiSurfaceMesh *out);
void ri_surface_free(const RiAllocator *memory, RiSurfaceMesh *mesh);

#endif
