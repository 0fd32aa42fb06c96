// SPDX-License-Identifier: Apache-2.0
/// \file
/// A foreign mesh importer under guard (guard.h).
///
///     child: import, RiGuardHeader + corners --> parent: check, merge --> RiMesh
#ifndef RI_IO_MESH_GUARD_H
#define RI_IO_MESH_GUARD_H

#include <rille/mesh.h>

#include "io/file/guard.h"

/// Runs in the child: imports `path` and writes the result to `fd`: a header with the number of
/// triangles, then 9 doubles of each (three corners, outside counter-clockwise); or a refusal.
typedef void RiMeshImporter(const char *path, int fd);

/// Runs `importer` in a child with limits on time, processor time and memory, and makes a mesh of
/// what it writes, equal points merged. `seconds` is the wall-clock limit. RI_ERR_FORMAT says
/// whether the importer refused the file, crashed or took too long; RI_ERR_NOT_FOUND, RI_ERR_IO and
/// RI_ERR_LIMIT are reported before the child is started.
RI_MUST_CHECK RiStatus ri_mesh_guard_run(RiContext *ctx, const char *path, RiMeshImporter *importer, double seconds,
                                         RiMesh **out_mesh);

/// Loads a .dae, .gltf or .glb file by assimp under guard; RI_ERR_UNSUPPORTED in a build without
/// it.
RI_MUST_CHECK RiStatus ri_mesh_load_assimp(RiContext *ctx, const char *path, RiMesh **out_mesh);

#endif
