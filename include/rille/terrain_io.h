// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain and files: what is read from disk, and what is kept there.
///
///     RiTerrain --(ri_terrain_bake_cached)--> distance grid, from the cache on disk or baked and put there
///
/// Threads and ownership: as in terrain.h; several programs may share a cache folder.
#ifndef RILLE_TERRAIN_IO_H
#define RILLE_TERRAIN_IO_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- cache of distance grids --------------------------------------------------------------------------------------------

/// ri_terrain_bake through a cache on disk. `content_hash` stands for everything that the source was made from (the bytes of a scan, the
/// numbers of a scene); together with the definition it names the file. `source` may be NULL if only the cache is wanted: RI_ERR_NOT_FOUND where
/// it does not help. `folder`: NULL for $XDG_CACHE_HOME/rille or ~/.cache/rille; it is created. A damaged file is baked anew and
/// replaced; a folder that cannot be written only costs the time of baking. `out_hit` (may be NULL) says whether the cache answered.
RI_MUST_CHECK RiStatus ri_terrain_bake_cached(RiContext *ctx, const RiTerrain *source, uint64_t content_hash,
                                              const RiBakeDef *def, const char *folder, bool *out_hit,
                                              RiTerrain **out_terrain);
/// Hash of a mesh for `content_hash`: its points, triangles, flip and material.
uint64_t ri_ground_mesh_hash(const RiGroundMeshDef *def);

#ifdef __cplusplus
}
#endif
#endif
