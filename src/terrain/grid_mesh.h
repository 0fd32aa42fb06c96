// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distances of a mesh at the nodes of a small block of a grid.
#ifndef RI_TERRAIN_GRID_MESH_H
#define RI_TERRAIN_GRID_MESH_H

#include "terrain/grid.h"
#include "terrain/mesh.h"

enum { RI_MESH_BLOCK_TRIANGLES = 4096 };

/// Room for one thread.
typedef struct RiMeshBlock {
    uint32_t found[RI_MESH_BLOCK_TRIANGLES + 1];
    RiTriangleForm form[RI_MESH_BLOCK_TRIANGLES];
    uint32_t room_list[RI_MESH_BLOCK_TRIANGLES], group_list[RI_MESH_BLOCK_TRIANGLES]; ///< places in found, in room_list
    double balls[4][RI_MESH_BLOCK_TRIANGLES + 8], room_balls[4][RI_MESH_BLOCK_TRIANGLES + 8];
    double scratch[RI_MESH_BLOCK_TRIANGLES + 8];
} RiMeshBlock;

/// Surfaces at n[0] x n[1] x n[2] nodes from `first` (world), x fastest.
void ri_mesh_sample(const RiMeshTerrain *m, const RiGridKernels *kernels, RiMeshBlock *work, const int n[3],
                    RiVec3 first, double cell, RiSurface *out);

#endif
