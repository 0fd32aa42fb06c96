// SPDX-License-Identifier: Apache-2.0
/// \file
/// A foreign mesh importer in a process of its own, so that its hangs, crashes and memory hunger stay there.
///
///     parent: fork --> child: limits, import, RiMeshGuardHeader + corners --pipe--> parent: check, merge --> RiMesh
#ifndef RI_IO_MESH_GUARD_H
#define RI_IO_MESH_GUARD_H

#include <stddef.h>
#include <stdint.h>

#include <rille/mesh.h>

/// What the child writes first. A mesh is followed by `size` triangles of 9 doubles (three corners, outside
/// counter-clockwise); a refusal by `size` bytes of text that say why.
typedef struct RiMeshGuardHeader {
    uint32_t magic; ///< RI_MESH_GUARD_MAGIC
    uint32_t kind;
    uint64_t size;
} RiMeshGuardHeader;

enum { RI_MESH_GUARD_MAGIC = 0x52694d47, RI_MESH_GUARD_MESH = 1, RI_MESH_GUARD_REFUSED = 2 };

/// Runs in the child: imports `path` and writes the result to `fd`. Whatever it does afterwards, it ends with _exit.
typedef void RiMeshImporter(const char *path, int fd);

/// Writes all bytes; ends the process if the pipe is broken. For importers.
void ri_mesh_guard_write(int fd, const void *data, size_t size);
/// Writes a refusal. For importers.
void ri_mesh_guard_refuse(int fd, const char *reason);

/// Runs `importer` in a child with limits on time, processor time and memory, and makes a mesh of what it writes, equal
/// points merged. `seconds` is the wall-clock limit. RI_ERR_FORMAT says whether the importer refused the file, crashed or
/// took too long; RI_ERR_NOT_FOUND, RI_ERR_IO and RI_ERR_LIMIT are told before the child is started.
RI_MUST_CHECK RiStatus ri_mesh_guard_run(RiContext *ctx, const char *path, RiMeshImporter *importer, double seconds,
                                         RiMesh **out_mesh);

/// Loads a .dae, .gltf or .glb file by assimp under guard; RI_ERR_UNSUPPORTED in a build without it.
RI_MUST_CHECK RiStatus ri_mesh_load_assimp(RiContext *ctx, const char *path, RiMesh **out_mesh);

#endif
