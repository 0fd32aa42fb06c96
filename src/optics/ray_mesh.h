// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays against one mesh in double precision, in every build: whether something is in the way.
///
///     points, triangles --(ri_ray_mesh_create)--> tree of boxes --(ri_ray_mesh_hides)--> yes or no
///
/// A mesh whose edges all join two triangles that run opposite ways is closed: rays meet it from
/// outside only, so that a point inside it looks out freely. An open mesh is a sheet that both
/// sides of hide what is behind it.
#ifndef RI_OPTICS_RAY_MESH_H
#define RI_OPTICS_RAY_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/math.h>

#include "base/memory.h"

typedef struct RiRayTriangle {
    RiVec3 a, ab, ac; ///< a corner, and the edges from it
} RiRayTriangle;

/// A box of the tree. Its children are the next node and `other`; count > 0: a leaf.
typedef struct RiRayNode {
    double low[3], high[3];
    int other;
    int first, count; ///< triangles
} RiRayNode;

typedef struct RiRayMesh {
    RiRayTriangle *triangles;
    RiRayNode *nodes;
    int triangle_count, node_count;
    double radius; ///< of a ball about the frame's origin [m]
    bool closed;
} RiRayMesh;

/// Copies a mesh, scaled, into an arena. Triangles without area and with numbers that are not
/// finite are left out. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_ray_mesh_create(RiContext *ctx, RiArena *arena, const RiVec3 *points,
                                          const uint32_t (*triangles)[3], int triangle_count, const double scale[3],
                                          RiRayMesh *out);
/// Whether the ray o + s d, near < s < far, in the mesh's frame meets it.
bool ri_ray_mesh_hides(const RiRayMesh *m, RiVec3 o, RiVec3 d, double near, double far);

#endif
