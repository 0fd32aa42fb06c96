// SPDX-License-Identifier: Apache-2.0
/// \file
/// A mesh being read. Arrays grow by half, so adding is amortised O(1) and at most a third of the
/// memory is unused until ri_mesh_build_finish trims it. The order of the points is that of their
/// first appearance: the hash never shows.
#include "io/mesh/mesh_build.h"

#include <string.h>

#include "base/memory.h"

void ri_mesh_build_init(RiMeshBuild *build, RiContext *ctx, const char *file)
{
    *build = (RiMeshBuild){.ctx = ctx, .file = file};
}

void ri_mesh_build_free(RiMeshBuild *build)
{
    ri_release(build->ctx, build->points);
    ri_release(build->ctx, build->triangles);
    ri_release(build->ctx, build->slots);
    ri_mesh_build_init(build, build->ctx, build->file);
}

/// Resizes an array; NULL leaves it as it was.
static RiStatus set_capacity(RiContext *ctx, void **array, size_t *capacity, size_t wanted, size_t item_size)
{
    void *grown = ri_resize(ctx, *array, wanted, item_size);
    if (!grown)
        return ri_error_memory(ctx);
    *array = grown;
    *capacity = wanted;
    return RI_OK;
}

static RiStatus set_point_capacity(RiMeshBuild *build, size_t wanted)
{
    void *array = build->points;
    RI_TRY(set_capacity(build->ctx, &array, &build->point_capacity, wanted, sizeof *build->points));
    build->points = array;
    return RI_OK;
}

static RiStatus set_triangle_capacity(RiMeshBuild *build, size_t wanted)
{
    void *array = build->triangles;
    RI_TRY(set_capacity(build->ctx, &array, &build->triangle_capacity, wanted, sizeof *build->triangles));
    build->triangles = array;
    return RI_OK;
}

static size_t grown(size_t capacity)
{
    return capacity < 64 ? 64 : capacity + capacity / 2;
}

RiStatus ri_mesh_build_reserve(RiMeshBuild *build, size_t points, size_t triangles)
{
    if (points > build->point_capacity)
        RI_TRY(set_point_capacity(build, points));
    if (triangles > build->triangle_capacity)
        RI_TRY(set_triangle_capacity(build, triangles));
    return RI_OK;
}

RiStatus ri_mesh_build_add(RiMeshBuild *build, RiVec3 point)
{
    if (build->point_count == RI_MESH_MAX_POINTS)
        return ri_error(build->ctx, RI_ERR_LIMIT, "%s: more than %zu points", build->file, RI_MESH_MAX_POINTS);
    if (build->point_count == build->point_capacity)
        RI_TRY(set_point_capacity(build, grown(build->point_capacity)));
    build->points[build->point_count++] = point;
    return RI_OK;
}

RiStatus ri_mesh_build_triangle(RiMeshBuild *build, uint32_t a, uint32_t b, uint32_t c)
{
    if (build->triangle_count == RI_MESH_MAX_TRIANGLES)
        return ri_error(build->ctx, RI_ERR_LIMIT, "%s: more than %zu triangles", build->file, RI_MESH_MAX_TRIANGLES);
    if (build->triangle_count == build->triangle_capacity)
        RI_TRY(set_triangle_capacity(build, grown(build->triangle_capacity)));
    uint32_t *t = build->triangles[build->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    return RI_OK;
}

static uint64_t point_hash(RiVec3 p)
{
    uint64_t bits[3];
    memcpy(bits, &p, sizeof bits);
    return ri_mesh_mix(bits[0] + ri_mesh_mix(bits[1] + ri_mesh_mix(bits[2])));
}

static int same_point(RiVec3 a, RiVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Doubles the table (at least 256 slots, and room for the points that were reserved) and enters
/// all points again.
static RiStatus grow_slots(RiMeshBuild *build)
{
    size_t count = build->slot_count ? 2 * build->slot_count : 256;
    while (count < 2 * build->point_capacity)
        count *= 2;
    uint32_t *slots = ri_alloc_zero(build->ctx, count, sizeof *slots);
    if (!slots)
        return ri_error_memory(build->ctx);
    for (size_t i = 0; i < build->point_count; i++) {
        size_t at = point_hash(build->points[i]) & (count - 1);
        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t)i + 1;
    }
    ri_release(build->ctx, build->slots);
    build->slots = slots;
    build->slot_count = count;
    return RI_OK;
}

RiStatus ri_mesh_build_merge(RiMeshBuild *build, RiVec3 point, uint32_t *out_index)
{
    // At most half of the slots are taken, so that a search ends soon and always.
    if (2 * (build->point_count + 1) > build->slot_count)
        RI_TRY(grow_slots(build));
    const RiVec3 p = ri_add(point, ri_vec3(0.0, 0.0, 0.0)); // -0 + 0 = +0: equal points have equal bits
    size_t at = point_hash(p) & (build->slot_count - 1);
    for (; build->slots[at]; at = (at + 1) & (build->slot_count - 1)) {
        const uint32_t index = build->slots[at] - 1;
        if (same_point(build->points[index], p)) {
            *out_index = index;
            return RI_OK;
        }
    }
    RI_TRY(ri_mesh_build_add(build, p));
    *out_index = (uint32_t)build->point_count - 1;
    build->slots[at] = *out_index + 1;
    return RI_OK;
}

/// Gives back what growth left unused.
static RiStatus trim(RiMeshBuild *build)
{
    if (build->point_capacity > build->point_count)
        RI_TRY(set_point_capacity(build, build->point_count));
    if (build->triangle_capacity > build->triangle_count)
        RI_TRY(set_triangle_capacity(build, build->triangle_count));
    return RI_OK;
}

RiStatus ri_mesh_build_finish(RiMeshBuild *build, RiMesh **out_mesh)
{
    *out_mesh = NULL;
    if (build->triangle_count == 0)
        return ri_error(build->ctx, RI_ERR_FORMAT, "%s: the mesh has no triangles, at least 1 is needed", build->file);
    RI_TRY(trim(build));
    RiMesh *mesh = ri_alloc_zero(build->ctx, 1, sizeof *mesh);
    if (!mesh)
        return ri_error_memory(build->ctx);
    *mesh = (RiMesh){.ctx = build->ctx,
                     .points = build->points,
                     .triangles = build->triangles,
                     .point_count = (int)build->point_count,
                     .triangle_count = (int)build->triangle_count};
    build->points = NULL;
    build->triangles = NULL;
    *out_mesh = mesh;
    return RI_OK;
}
