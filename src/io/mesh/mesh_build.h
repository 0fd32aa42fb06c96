// SPDX-License-Identifier: Apache-2.0
/// \file
/// A mesh being read: growing arrays of points and triangles, and a table that merges equal points.
///
///     reader --add/merge points, triangles--> RiMeshBuild --finish--> RiMesh
#ifndef RI_IO_MESH_BUILD_H
#define RI_IO_MESH_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include <rille/mesh.h>

#define RI_MESH_MAX_BYTES     ((size_t)512 << 20)
#define RI_MESH_MAX_TRIANGLES ((size_t)50000000)
#define RI_MESH_MAX_POINTS    (3 * RI_MESH_MAX_TRIANGLES)

typedef struct RiMeshBuild {
    RiContext *ctx;
    const char *file; ///< for messages; borrowed
    RiVec3 *points;
    uint32_t (*triangles)[3];
    size_t point_count, point_capacity;
    size_t triangle_count, triangle_capacity;
    uint32_t *slots;   ///< open addressing: index of a point + 1, or 0
    size_t slot_count; ///< a power of two, more than twice the points that were merged; 0 before the first
} RiMeshBuild;

void ri_mesh_build_init(RiMeshBuild *build, RiContext *ctx, const char *file);
void ri_mesh_build_free(RiMeshBuild *build);

/// Makes room for so many points and triangles in all. A hint: adding grows the arrays too.
RI_MUST_CHECK RiStatus ri_mesh_build_reserve(RiMeshBuild *build, size_t points, size_t triangles);
/// Appends a point.
RI_MUST_CHECK RiStatus ri_mesh_build_add(RiMeshBuild *build, RiVec3 point);
/// Index of the point with exactly these coordinates, appended if it is new. -0 counts as 0.
/// Expected O(1). Use either this or ri_mesh_build_add for one mesh, not both.
RI_MUST_CHECK RiStatus ri_mesh_build_merge(RiMeshBuild *build, RiVec3 point, uint32_t *out_index);
/// Appends a triangle; RI_ERR_LIMIT beyond RI_MESH_MAX_TRIANGLES.
RI_MUST_CHECK RiStatus ri_mesh_build_triangle(RiMeshBuild *build, uint32_t a, uint32_t b, uint32_t c);
/// Hands the arrays over as a mesh; RI_ERR_FORMAT if it has no triangles. `build` still has to be
/// freed.
RI_MUST_CHECK RiStatus ri_mesh_build_finish(RiMeshBuild *build, RiMesh **out_mesh);

/// Are all three coordinates finite?
static inline int ri_mesh_is_finite(RiVec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

/// Mixes 64 bits so that every input bit reaches every output bit (multiply and fold, twice).
static inline uint64_t ri_mesh_mix(uint64_t h)
{
    h = (h ^ (h >> 32)) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29)) * 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

// The readers with own code. Each adds to `build` and reports with file and line, or file and byte.
RI_MUST_CHECK RiStatus ri_mesh_read_stl(RiMeshBuild *build, const char *data, size_t size);
RI_MUST_CHECK RiStatus ri_mesh_read_obj(RiMeshBuild *build, const char *data, size_t size);
RI_MUST_CHECK RiStatus ri_mesh_read_ply(RiMeshBuild *build, const char *data, size_t size);

#endif
