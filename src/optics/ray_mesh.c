// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays against one mesh: a tree of boxes, halved at the median of the longest side, so that its
/// shape is a function of the triangles alone. Test: tests/optics/test_ray_mesh.c.
#include "optics/ray_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, DEPTH = 64 };

// --- closed or not -------------------------------------------------------------------------------

/// An edge between two places, the lesser one first; `sign` says which way the triangle runs.
typedef struct Edge {
    double from[3], to[3];
    int sign;
} Edge;

static int compare_numbers(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_edges(const void *pa, const void *pb)
{
    const Edge *a = pa, *b = pb;
    const int from = compare_numbers(a->from, b->from, 3);
    return from ? from : compare_numbers(a->to, b->to, 3);
}

static Edge edge_between(RiVec3 a, RiVec3 b)
{
    Edge e = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, 1};
    if (compare_numbers(e.from, e.to, 3) <= 0)
        return e;
    return (Edge){{b.x, b.y, b.z}, {a.x, a.y, a.z}, -1};
}

/// Whether each edge is passed as often one way as the other. Points count by their place: files
/// of triangles repeat them.
static RiStatus find_closed(RiContext *ctx, RiRayMesh *m, const RiVec3 (*corners)[3])
{
    const size_t count = 3 * (size_t)m->triangle_count;
    Edge *edges = ri_alloc_zero(ctx, count + 1, sizeof *edges);
    if (!edges)
        return ri_error_memory(ctx);
    for (size_t i = 0; i < count; i++)
        edges[i] = edge_between(corners[i / 3][i % 3], corners[i / 3][(i + 1) % 3]);
    qsort(edges, count, sizeof *edges, compare_edges);
    m->closed = count > 0;
    for (size_t i = 0, next; i < count && m->closed; i = next) {
        int sum = 0;
        for (next = i; next < count && compare_edges(&edges[i], &edges[next]) == 0; next++)
            sum += edges[next].sign;
        m->closed = sum == 0;
    }
    ri_release(ctx, edges);
    return RI_OK;
}

// --- the tree ------------------------------------------------------------------------------------

typedef struct Item {
    double at; ///< place along the axis that is halved
    int triangle;
} Item;

typedef struct Builder {
    RiRayMesh *m;
    const RiRayTriangle *triangles;
    Item *items;
} Builder;

static int compare_items(const void *pa, const void *pb)
{
    const Item *a = pa, *b = pb;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static double part(RiVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void bound(const Builder *b, RiRayNode *node, int first, int count)
{
    for (int k = 0; k < 3; k++) {
        node->low[k] = INFINITY;
        node->high[k] = -INFINITY;
        for (int i = first; i < first + count; i++) {
            const RiRayTriangle *t = &b->triangles[b->items[i].triangle];
            const double x = part(t->a, k), y = x + part(t->ab, k), z = x + part(t->ac, k);
            node->low[k] = fmin(node->low[k], fmin(x, fmin(y, z)));
            node->high[k] = fmax(node->high[k], fmax(x, fmax(y, z)));
        }
        const double slack = 1e-12 * (1.0 + fabs(node->low[k]) + fabs(node->high[k])); // a + ab is rounded
        node->low[k] -= slack;
        node->high[k] += slack;
    }
}

/// Halves at the median, so the depth is at most the logarithm of the count.
static void build(Builder *b, int first, int count)
{
    RiRayNode *node = &b->m->nodes[b->m->node_count++];
    bound(b, node, first, count);
    node->first = first;
    node->count = count <= LEAF ? count : 0;
    if (node->count > 0)
        return;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
            axis = k;
    for (int i = first; i < first + count; i++) {
        const RiRayTriangle *t = &b->triangles[b->items[i].triangle];
        b->items[i].at = 3.0 * part(t->a, axis) + part(t->ab, axis) + part(t->ac, axis);
    }
    qsort(b->items + first, (size_t)count, sizeof *b->items, compare_items);
    build(b, first, count / 2);
    node->other = b->m->node_count;
    build(b, first + count / 2, count - count / 2);
}

static RiStatus plant(RiContext *ctx, RiArena *arena, RiRayMesh *m)
{
    const size_t n = (size_t)m->triangle_count;
    Builder b = {.m = m, .triangles = m->triangles};
    RiRayTriangle *sorted = ri_arena_alloc(arena, n + 1, sizeof *sorted);
    m->nodes = ri_arena_alloc(arena, 2 * n + 1, sizeof *m->nodes);
    b.items = ri_alloc_zero(ctx, n + 1, sizeof *b.items);
    if (!sorted || !m->nodes || !b.items) {
        ri_release(ctx, b.items);
        return ri_error_memory(ctx);
    }
    for (int i = 0; i < m->triangle_count; i++)
        b.items[i].triangle = i;
    if (m->triangle_count > 0)
        build(&b, 0, m->triangle_count);
    for (size_t i = 0; i < n; i++)
        sorted[i] = m->triangles[b.items[i].triangle];
    m->triangles = sorted;
    ri_release(ctx, b.items);
    return RI_OK;
}

// --- building ------------------------------------------------------------------------------------

static bool is_finite(RiVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

RiStatus ri_ray_mesh_create(RiContext *ctx, RiArena *arena, const RiVec3 *points, const uint32_t (*triangles)[3],
                            int triangle_count, const double scale[3], RiRayMesh *out)
{
    *out = (RiRayMesh){.closed = false};
    RiVec3(*corners)[3] = ri_alloc_zero(ctx, (size_t)triangle_count + 1, sizeof *corners);
    RiRayTriangle *found = ri_alloc_zero(ctx, (size_t)triangle_count + 1, sizeof *found);
    RiStatus status = corners && found ? RI_OK : ri_error_memory(ctx);
    for (int i = 0; i < triangle_count && status == RI_OK; i++) {
        RiVec3 c[3];
        for (int k = 0; k < 3; k++) {
            const RiVec3 p = points[triangles[i][k]];
            c[k] = ri_vec3(scale[0] * p.x, scale[1] * p.y, scale[2] * p.z);
        }
        const RiRayTriangle t = {c[0], ri_sub(c[1], c[0]), ri_sub(c[2], c[0])};
        if (!is_finite(c[0]) || !is_finite(c[1]) || !is_finite(c[2]) || !(ri_norm(ri_cross(t.ab, t.ac)) > 0.0))
            continue;
        for (int k = 0; k < 3; k++)
            out->radius = fmax(out->radius, ri_norm(c[k]));
        memcpy(corners[out->triangle_count], c, sizeof c);
        found[out->triangle_count++] = t;
    }
    if (status == RI_OK)
        status = find_closed(ctx, out, (const RiVec3(*)[3])corners);
    out->triangles = found;
    if (status == RI_OK)
        status = plant(ctx, arena, out);
    if (out->closed && scale[0] * scale[1] * scale[2] < 0.0) // mirrored: what was outside is inside
        for (int i = 0; i < out->triangle_count && status == RI_OK; i++) {
            const RiVec3 ab = out->triangles[i].ab;
            out->triangles[i].ab = out->triangles[i].ac;
            out->triangles[i].ac = ab;
        }
    ri_release(ctx, found);
    ri_release(ctx, corners);
    if (status != RI_OK)
        *out = (RiRayMesh){.closed = false};
    return status;
}

// --- rays ----------------------------------------------------------------------------------------

static bool meets_box(const RiRayNode *node, const double o[3], const double inverse[3], double near, double far)
{
    for (int k = 0; k < 3; k++) {
        if (isinf(inverse[k])) {
            if (o[k] < node->low[k] || o[k] > node->high[k])
                return false;
            continue;
        }
        const double a = (node->low[k] - o[k]) * inverse[k], b = (node->high[k] - o[k]) * inverse[k];
        near = fmax(near, fmin(a, b));
        far = fmin(far, fmax(a, b));
    }
    return near <= far;
}

/// [moeller1997]
static bool meets_triangle(const RiRayTriangle *t, bool closed, RiVec3 o, RiVec3 d, double near, double far)
{
    const RiVec3 p = ri_cross(d, t->ac);
    const double det = ri_dot(t->ab, p);
    if (det == 0.0 || (closed && det < 0.0)) // det > 0: from the side that sees it counter-clockwise
        return false;
    const RiVec3 s = ri_sub(o, t->a), q = ri_cross(s, t->ab);
    const double u = ri_dot(s, p) / det, v = ri_dot(d, q) / det, range = ri_dot(t->ac, q) / det;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && range > near && range < far;
}

bool ri_ray_mesh_hides(const RiRayMesh *m, RiVec3 o, RiVec3 d, double near, double far)
{
    const double from[3] = {o.x, o.y, o.z}, inverse[3] = {1.0 / d.x, 1.0 / d.y, 1.0 / d.z};
    int stack[DEPTH], top = 0;
    if (m->node_count > 0)
        stack[top++] = 0;
    while (top > 0) {
        const int at = stack[--top];
        const RiRayNode *node = &m->nodes[at];
        if (!meets_box(node, from, inverse, near, far))
            continue;
        for (int i = node->first; i < node->first + node->count; i++)
            if (meets_triangle(&m->triangles[i], m->closed, o, d, near, far))
                return true;
        if (node->count == 0) {
            stack[top++] = node->other;
            stack[top++] = at + 1;
        }
    }
    return false;
}
