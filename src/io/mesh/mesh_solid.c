// SPDX-License-Identifier: Apache-2.0
/// \file
/// The solid that a mesh encloses: bounds, mass properties, and whether it is closed at all.
///
/// Mass properties are sums over the tetrahedra from a reference point to each triangle (divergence
/// theorem). With a, b, c the corners relative to that point, d = a . (b x c) and s = a + b + c, a
/// tetrahedron contributes
///
///     volume        d / 6
///     first moment  d / 24 s
///     second moment d / 120 (a a^T + b b^T + c c^T + s s^T)
///
/// all exact for polyhedra, up to rounding. Tetrahedra outside the solid count negative and cancel,
/// for any reference point; the middle of the bounding box keeps the cancellation small for meshes
/// far from the origin.
#include <rille/mesh.h>

#include "base/memory.h"
#include "io/mesh/mesh_build.h"

void ri_mesh_bounds(const RiMesh *mesh, RiVec3 *out_low, RiVec3 *out_high)
{
    // Over the triangles, not the points: a file may list points that no triangle uses.
    RiVec3 low = {0.0, 0.0, 0.0}, high = low;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const RiVec3 p = mesh->points[mesh->triangles[t][k]];
            const int first = t == 0 && k == 0;
            low = first ? p : ri_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
            high = first ? p : ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        }
    *out_low = low;
    *out_high = high;
}

/// m += k v v^T.
static void add_outer(RiMat3 *m, double k, RiVec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m->m[i][j] += k * x[i] * x[j];
}

typedef struct Moments {
    double volume;
    RiVec3 first;
    RiMat3 second;
} Moments;

static Moments moments_about(const RiMesh *mesh, RiVec3 origin)
{
    Moments sum = {0};
    for (int t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *index = mesh->triangles[t];
        const RiVec3 a = ri_sub(mesh->points[index[0]], origin);
        const RiVec3 b = ri_sub(mesh->points[index[1]], origin);
        const RiVec3 c = ri_sub(mesh->points[index[2]], origin);
        const double d = ri_dot(a, ri_cross(b, c));
        const RiVec3 s = ri_add(a, ri_add(b, c));
        sum.volume += d / 6.0;
        sum.first = ri_add(sum.first, ri_scale(d / 24.0, s));
        add_outer(&sum.second, d / 120.0, a);
        add_outer(&sum.second, d / 120.0, b);
        add_outer(&sum.second, d / 120.0, c);
        add_outer(&sum.second, d / 120.0, s);
    }
    return sum;
}

void ri_mesh_mass_properties(const RiMesh *mesh, double *out_volume, RiVec3 *out_centre, RiMat3 *out_inertia)
{
    RiVec3 low, high;
    ri_mesh_bounds(mesh, &low, &high);
    const RiVec3 origin = ri_scale(0.5, ri_add(low, high));
    Moments sum = moments_about(mesh, origin);
    // A surface without volume has no centre of volume; the middle of its box stands in for it.
    const RiVec3 r = sum.volume != 0.0 ? ri_scale(1.0 / sum.volume, sum.first) : ri_vec3(0.0, 0.0, 0.0);
    // Second moment about the centre (parallel axes), then J = tr(S) 1 - S.
    add_outer(&sum.second, -sum.volume, r);
    const double trace = sum.second.m[0][0] + sum.second.m[1][1] + sum.second.m[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out_inertia->m[i][j] = (i == j ? trace : 0.0) - sum.second.m[i][j];
    *out_volume = sum.volume;
    *out_centre = ri_add(origin, r);
}

/// Edge between two merged points, with the number of triangles that run along it from low to high
/// and back.
typedef struct Edge {
    uint64_t ends; ///< low << 32 | high; 0 is a free slot, since low < high
    uint32_t up, down;
} Edge;

typedef struct EdgeTable {
    RiContext *ctx;
    Edge *slots;
    size_t slot_count; ///< a power of two
    size_t count;
} EdgeTable;

static Edge *find_slot(Edge *slots, size_t slot_count, uint64_t ends)
{
    size_t at = ri_mesh_mix(ends) & (slot_count - 1);
    while (slots[at].ends && slots[at].ends != ends)
        at = (at + 1) & (slot_count - 1);
    return &slots[at];
}

static RiStatus grow_table(EdgeTable *table)
{
    const size_t slot_count = table->slot_count ? 2 * table->slot_count : 256;
    Edge *slots = ri_alloc_zero(table->ctx, slot_count, sizeof *slots);
    if (!slots)
        return ri_error_memory(table->ctx);
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->slots[i].ends)
            *find_slot(slots, slot_count, table->slots[i].ends) = table->slots[i];
    ri_release(table->ctx, table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
    return RI_OK;
}

static RiStatus add_edge(EdgeTable *table, uint32_t from, uint32_t to)
{
    if (2 * (table->count + 1) > table->slot_count)
        RI_TRY(grow_table(table));
    const uint64_t low = from < to ? from : to, high = from < to ? to : from;
    Edge *edge = find_slot(table->slots, table->slot_count, low << 32 | high);
    table->count += edge->ends == 0;
    edge->ends = low << 32 | high;
    edge->up += from < to;
    edge->down += from > to;
    return RI_OK;
}

/// Adds the edges of all triangles. A triangle with two equal corners has no area and its two
/// remaining edges lie on each other: it neither closes nor opens the surface, and is passed over.
static RiStatus add_edges(const RiMesh *mesh, RiMeshBuild *merged, EdgeTable *table)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        uint32_t i[3];
        for (int k = 0; k < 3; k++)
            RI_TRY(ri_mesh_build_merge(merged, mesh->points[mesh->triangles[t][k]], &i[k]));
        if (i[0] == i[1] || i[1] == i[2] || i[2] == i[0])
            continue;
        for (int k = 0; k < 3; k++)
            RI_TRY(add_edge(table, i[k], i[(k + 1) % 3]));
    }
    return RI_OK;
}

RiStatus ri_mesh_open_edges(const RiMesh *mesh, int *out_count)
{
    *out_count = 0;
    EdgeTable table = {.ctx = mesh->ctx};
    RiMeshBuild merged;
    ri_mesh_build_init(&merged, mesh->ctx, "mesh");
    const RiStatus status = add_edges(mesh, &merged, &table);
    for (size_t i = 0; status == RI_OK && i < table.slot_count; i++)
        *out_count += table.slots[i].ends && (table.slots[i].up != 1 || table.slots[i].down != 1);
    ri_mesh_build_free(&merged);
    ri_release(mesh->ctx, table.slots);
    return status;
}
