// SPDX-License-Identifier: Apache-2.0
/// \file
/// From triangles as files have them to a surface with two sides: equal points are merged,
/// triangles without area and second copies are dropped, neighbours are found, reversed triangles
/// are turned round, and pseudo-normals are summed.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/functions.h"
#include "base/hash.h"
#include "terrain/mesh.h"

/// A half edge in the list of its lower point: the higher one, and 2 * (3 * triangle + corner) + (1
/// if it runs from high to low).
typedef struct HalfEdge {
    uint32_t high, half;
} HalfEdge;

// --- points --------------------------------------------------------------------------------------

static RiStatus check_def(RiContext *ctx, const RiGroundMeshDef *def)
{
    if (def->point_count < 0 || def->triangle_count < 1 || def->triangle_count > INT_MAX / 4)
        return ri_error(ctx, RI_ERR_ARGUMENT, "mesh terrain: %d triangles; from 1 to %d are allowed",
                        def->triangle_count, INT_MAX / 4);
    for (int i = 0; i < def->point_count; i++)
        if (!(fabs(def->points[i].x) < 1e9 && fabs(def->points[i].y) < 1e9 && fabs(def->points[i].z) < 1e9))
            return ri_error(ctx, RI_ERR_ARGUMENT,
                            "mesh terrain: point %d is (%g, %g, %g); coordinates must be finite and below 1e9 m", i,
                            def->points[i].x, def->points[i].y, def->points[i].z);
    for (int i = 0; i < def->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (def->triangles[i][k] >= (uint32_t)def->point_count)
                return ri_error(ctx, RI_ERR_ARGUMENT, "mesh terrain: triangle %d uses point %u of %d", i,
                                def->triangles[i][k], def->point_count);
    return RI_OK;
}

static void widen(RiVec3 *low, RiVec3 *high, RiVec3 p)
{
    *low = ri_vec3(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
    *high = ri_vec3(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
}

/// The middle of the bounds, about which single precision is finest.
static void choose_origin(RiMeshTerrain *m, const RiGroundMeshDef *def)
{
    RiVec3 low = def->points[def->triangles[0][0]], high = low;
    for (int t = 0; t < def->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            widen(&low, &high, def->points[def->triangles[t][k]]);
    m->origin = ri_scale(0.5, ri_add(low, high));
}

static void find_bounds(RiMeshTerrain *m)
{
    m->low = m->high = m->points[m->triangles[0][0]];
    for (int t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            widen(&m->low, &m->high, m->points[m->triangles[t][k]]);
    m->scale = fmax(ri_norm(m->low), ri_norm(m->high));
}

static size_t table_size(size_t count)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    return size;
}

/// Gives equal points one number: `number[i]` is the merged point of def's point i.
static RiStatus merge_points(RiMeshTerrain *m, const RiGroundMeshDef *def, uint32_t *number, RiArena *work)
{
    const size_t size = table_size((size_t)def->point_count);
    int32_t *table = ri_arena_alloc(work, size, sizeof *table); // merged point + 1
    m->points = ri_arena_alloc(&m->terrain.arena, (size_t)def->point_count, sizeof *m->points);
    if (!table || !m->points)
        return ri_error_memory(m->terrain.ctx);
    for (int i = 0; i < def->point_count; i++) {
        const RiVec3 p = ri_add(ri_sub(def->points[i], m->origin), ri_vec3(0.0, 0.0, 0.0)); // no negative zeros
        size_t at = (size_t)ri_hash(0, &p, sizeof p) & (size - 1);
        while (table[at] && memcmp(&m->points[table[at] - 1], &p, sizeof p) != 0)
            at = (at + 1) & (size - 1);
        if (!table[at]) {
            m->points[m->point_count] = p;
            table[at] = ++m->point_count;
        }
        number[i] = (uint32_t)table[at] - 1;
    }
    return RI_OK;
}

// --- triangles -----------------------------------------------------------------------------------

static RiVec3 area_vector(const RiMeshTerrain *m, const uint32_t t[3])
{
    const RiVec3 a = m->points[t[0]];
    return ri_scale(0.5, ri_cross(ri_sub(m->points[t[1]], a), ri_sub(m->points[t[2]], a)));
}

/// Below this share of the longest edge squared, or a square of a picometre, an area is rounding.
static bool has_area(const RiMeshTerrain *m, const uint32_t t[3])
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, ri_norm(ri_sub(m->points[t[(k + 1) % 3]], m->points[t[k]])));
    return ri_norm(area_vector(m, t)) > 1e-14 * longest * longest + 1e-24;
}

/// The triangle with its smallest point first, direction kept; then without direction, as the key
/// of copies.
static void sorted(const uint32_t t[3], uint32_t out[3])
{
    memcpy(out, t, 3 * sizeof *out);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (out[k] > out[k + 1]) {
                const uint32_t swap = out[k];
                out[k] = out[k + 1];
                out[k + 1] = swap;
            }
}

static RiStatus keep_triangles(RiMeshTerrain *m, const RiGroundMeshDef *def, const uint32_t *number, RiArena *work)
{
    const size_t size = table_size((size_t)def->triangle_count);
    int32_t *table = ri_arena_alloc(work, size, sizeof *table); // kept triangle + 1
    m->triangles = ri_arena_alloc(&m->terrain.arena, (size_t)def->triangle_count, sizeof *m->triangles);
    if (!table || !m->triangles)
        return ri_error_memory(m->terrain.ctx);
    for (int i = 0; i < def->triangle_count; i++) {
        const uint32_t *d = def->triangles[i];
        const uint32_t t[3] = {number[d[0]], number[d[def->flip ? 2 : 1]], number[d[def->flip ? 1 : 2]]};
        uint32_t key[3], other[3];
        sorted(t, key);
        size_t at = (size_t)ri_hash(0, key, sizeof key) & (size - 1);
        for (; table[at]; at = (at + 1) & (size - 1)) {
            sorted(m->triangles[table[at] - 1], other);
            if (memcmp(key, other, sizeof key) == 0)
                break;
        }
        if (table[at] || !has_area(m, t)) {
            m->dropped++;
            continue;
        }
        memcpy(m->triangles[m->triangle_count], t, sizeof t);
        table[at] = ++m->triangle_count;
    }
    if (m->triangle_count == 0)
        return ri_error(m->terrain.ctx, RI_ERR_ARGUMENT, "mesh terrain: none of its %d triangles has an area",
                        def->triangle_count);
    return RI_OK;
}

// --- edges ---------------------------------------------------------------------------------------

/// The half edges sorted by their lower point, then by their higher one: those of one edge stand
/// side by side.
typedef struct Edges {
    HalfEdge *list; ///< 3 per triangle
    uint32_t *end;  ///< of each lower point's part of the list, which begins where that of the point before ends
    int point_count;
} Edges;

/// Half edges [first, last) on one edge: how many of them run upwards, from its lower to its higher
/// point.
typedef struct EdgeUse {
    uint32_t low;
    size_t first, last;
    int up;
} EdgeUse;

static int triangle_of(const HalfEdge *h)
{
    return (int)(h->half / 6);
}

static int corner_of(const HalfEdge *h)
{
    return (int)(h->half / 2 % 3);
}

static int by_high(const void *a, const void *b)
{
    const HalfEdge *x = a, *y = b;
    return x->high != y->high ? (x->high < y->high ? -1 : 1) : (x->half > y->half) - (x->half < y->half);
}

/// Most points have a handful of edges; the hub of a large fan has them all.
static void sort_edges(HalfEdge *list, size_t count)
{
    if (count > 32) {
        qsort(list, count, sizeof *list, by_high);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const HalfEdge h = list[i];
        size_t k = i;
        for (; k > 0 && by_high(&list[k - 1], &h) > 0; k--)
            list[k] = list[k - 1];
        list[k] = h;
    }
}

static RiStatus find_edges(RiMeshTerrain *m, Edges *e, RiArena *work)
{
    const size_t count = 3 * (size_t)m->triangle_count;
    e->point_count = m->point_count;
    e->list = ri_arena_alloc(work, count, sizeof *e->list);
    e->end = ri_arena_alloc(work, (size_t)m->point_count + 1, sizeof *e->end);
    if (!e->list || !e->end)
        return ri_error_memory(m->terrain.ctx);
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = m->triangles[i / 3][i % 3], b = m->triangles[i / 3][(i % 3 + 1) % 3];
        e->end[(a < b ? a : b) + 1]++;
    }
    for (int i = 0; i < m->point_count; i++)
        e->end[i + 1] += e->end[i]; // end[i]: the beginning, until the edges of i are in
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = m->triangles[i / 3][i % 3], b = m->triangles[i / 3][(i % 3 + 1) % 3];
        e->list[e->end[a < b ? a : b]++] = (HalfEdge){a < b ? b : a, (uint32_t)(2 * i + (a > b))};
    }
    for (int i = 0; i < m->point_count; i++) {
        const size_t first = i ? e->end[i - 1] : 0;
        sort_edges(e->list + first, e->end[i] - first);
    }
    return RI_OK;
}

/// Steps to the next edge; begins with an empty use. False after the last one.
static bool next_edge(const Edges *e, EdgeUse *use)
{
    const size_t first = use->last;
    while (use->low < (uint32_t)e->point_count && e->end[use->low] <= first)
        use->low++;
    if (use->low == (uint32_t)e->point_count)
        return false;
    *use = (EdgeUse){.low = use->low, .first = first, .last = first};
    while (use->last < e->end[use->low] && e->list[use->last].high == e->list[first].high)
        use->up += !(e->list[use->last++].half & 1);
    return true;
}

// --- direction -----------------------------------------------------------------------------------

/// Sets of triangles joined by two-sided edges, with the direction of each relative to its set's
/// first.
typedef struct Sheets {
    int32_t *parent;
    uint8_t *turned; ///< relative to the parent
} Sheets;

static int sheet_of(Sheets *s, int t, uint8_t *out_turned)
{
    uint8_t turned = 0;
    int root = t;
    while (s->parent[root] != root) {
        turned ^= s->turned[root];
        root = s->parent[root];
    }
    for (uint8_t left = turned; s->parent[t] != root && t != root;) { // shorten the way
        const int next = s->parent[t];
        const uint8_t step = s->turned[t];
        s->parent[t] = root;
        s->turned[t] = left;
        left ^= step;
        t = next;
    }
    *out_turned = turned;
    return root;
}

/// Joins the two triangles of an edge; same: they pass it in the same direction, so one of them is
/// reversed.
static void join(Sheets *s, int a, int b, bool same)
{
    uint8_t ta, tb;
    const int ra = sheet_of(s, a, &ta), rb = sheet_of(s, b, &tb);
    if (ra == rb)
        return; // if they contradict, the edge stays tangled
    s->parent[rb] = ra;
    s->turned[rb] = (uint8_t)(ta ^ tb ^ (same ? 1 : 0));
}

/// Turns round the smaller part (by area) of each sheet whose triangles disagree.
static RiStatus turn_triangles(RiMeshTerrain *m, const Edges *e, RiArena *work)
{
    const size_t n = (size_t)m->triangle_count;
    Sheets s = {ri_arena_alloc(work, n, sizeof *s.parent), ri_arena_alloc(work, n, 1)};
    double *vote = ri_arena_alloc(work, n, sizeof *vote);
    if (!s.parent || !s.turned || !vote)
        return ri_error_memory(m->terrain.ctx);
    for (int t = 0; t < m->triangle_count; t++)
        s.parent[t] = t;
    for (EdgeUse use = {0}; next_edge(e, &use);)
        if (use.last - use.first == 2)
            join(&s, triangle_of(&e->list[use.first]), triangle_of(&e->list[use.first + 1]), use.up != 1);
    uint8_t turned;
    for (int t = 0; t < m->triangle_count; t++) {
        const int root = sheet_of(&s, t, &turned);
        vote[root] += (turned ? -1.0 : 1.0) * ri_norm(area_vector(m, m->triangles[t]));
    }
    for (int t = 0; t < m->triangle_count; t++) {
        const int root = sheet_of(&s, t, &turned);
        if (turned != (vote[root] < 0.0)) {
            const uint32_t swap = m->triangles[t][1];
            m->triangles[t][1] = m->triangles[t][2];
            m->triangles[t][2] = swap;
            m->reversed++;
        }
    }
    return RI_OK;
}

static void mark_side(RiMeshTerrain *m, uint32_t point, uint8_t side)
{
    if (m->side[point] < side)
        m->side[point] = side;
}

/// Neighbours across edges, the kinds of edges and points, and whether the mesh is closed.
static RiStatus link_triangles(RiMeshTerrain *m, const Edges *e)
{
    m->neighbour = ri_arena_alloc(&m->terrain.arena, (size_t)m->triangle_count, sizeof *m->neighbour);
    m->side = ri_arena_alloc(&m->terrain.arena, (size_t)m->point_count, 1);
    if (!m->neighbour || !m->side)
        return ri_error_memory(m->terrain.ctx);
    m->closed = true;
    for (EdgeUse use = {0}; next_edge(e, &use);) {
        const int count = (int)(use.last - use.first);
        const HalfEdge *half = &e->list[use.first];
        const bool clean = count == 2 && use.up == 1;
        m->closed &= 2 * use.up == count;
        for (int k = 0; k < count; k++)
            m->neighbour[triangle_of(&half[k])][corner_of(&half[k])] = clean        ? triangle_of(&half[1 - k])
                                                                       : count == 1 ? RI_NO_TRIANGLE
                                                                                    : RI_TANGLED_EDGE;
        if (clean)
            continue;
        m->open_edges += count == 1;
        m->tangled_edges += count > 1;
        mark_side(m, use.low, count == 1 ? RI_SIDE_OPEN : RI_SIDE_TANGLED);
        mark_side(m, half->high, count == 1 ? RI_SIDE_OPEN : RI_SIDE_TANGLED);
    }
    return RI_OK;
}

// --- normals -------------------------------------------------------------------------------------

static double angle_at(RiVec3 a, RiVec3 b, RiVec3 c)
{
    const RiVec3 u = ri_sub(b, a), v = ri_sub(c, a);
    return ri_atan2(ri_norm(ri_cross(u, v)), ri_dot(u, v));
}

/// Face normals, and at each point the sum of those around it weighted by their angles
/// [baerentzen2005].
static RiStatus sum_normals(RiMeshTerrain *m)
{
    RiArena *arena = &m->terrain.arena;
    m->corners = ri_arena_alloc(arena, (size_t)m->triangle_count, sizeof *m->corners);
    m->face_normal = ri_arena_alloc(arena, (size_t)m->triangle_count, sizeof *m->face_normal);
    m->point_normal = ri_arena_alloc(arena, (size_t)m->point_count, sizeof *m->point_normal);
    if (!m->corners || !m->face_normal || !m->point_normal)
        return ri_error_memory(m->terrain.ctx);
    for (int i = 0; i < m->triangle_count; i++) {
        const uint32_t *t = m->triangles[i];
        const RiVec3 p[3] = {m->points[t[0]], m->points[t[1]], m->points[t[2]]};
        const RiVec3 area = area_vector(m, t), n = ri_scale(1.0 / ri_norm(area), area);
        m->corners[i] = (RiMeshTriangle){p[0], p[1], p[2]};
        m->face_normal[i] = n;
        m->volume += ri_dot(p[0], area) / 3.0;
        for (int k = 0; k < 3; k++) {
            const double angle = angle_at(p[k], p[(k + 1) % 3], p[(k + 2) % 3]);
            m->point_normal[t[k]] = ri_add(m->point_normal[t[k]], ri_scale(angle, n));
        }
    }
    if (!m->closed)
        m->volume = 0.0;
    return RI_OK;
}

/// Number of triangles met when walking round corner k of triangle t over clean edges; negative if
/// a border ends the walk.
static int walk_round(const RiMeshTerrain *m, int t, int k)
{
    const uint32_t point = m->triangles[t][k];
    int count = 0;
    for (int at = t;;) {
        count++;
        int corner = 0;
        while (m->triangles[at][corner] != point)
            corner++;
        at = m->neighbour[at][corner];
        if (at < 0)
            return -1;
        if (at == t)
            return count;
    }
}

/// A point where several closed sheets meet (two cones tip to tip) has no one normal.
static RiStatus find_tangled_points(RiMeshTerrain *m, RiArena *work)
{
    int32_t *count = ri_arena_alloc(work, (size_t)m->point_count, sizeof *count);
    if (!count)
        return ri_error_memory(m->terrain.ctx);
    for (int t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            count[m->triangles[t][k]]++;
    for (int t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t p = m->triangles[t][k];
            if (count[p] > 0 && m->side[p] == RI_SIDE_CLEAN && walk_round(m, t, k) != count[p])
                m->side[p] = RI_SIDE_TANGLED;
            count[p] = 0; // looked at once
        }
    return RI_OK;
}

RiStatus ri_mesh_build(RiMeshTerrain *m, const RiGroundMeshDef *def, RiArena *work)
{
    RI_TRY(check_def(m->terrain.ctx, def));
    uint32_t *number = ri_arena_alloc(work, (size_t)def->point_count, sizeof *number);
    Edges edges;
    if (!number)
        return ri_error_memory(m->terrain.ctx);
    choose_origin(m, def);
    RI_TRY(merge_points(m, def, number, work));
    RI_TRY(keep_triangles(m, def, number, work));
    find_bounds(m);
    RI_TRY(find_edges(m, &edges, work));
    RI_TRY(turn_triangles(m, &edges, work));
    if (m->reversed > 0)
        RI_TRY(find_edges(m, &edges, work));
    RI_TRY(link_triangles(m, &edges));
    RI_TRY(sum_normals(m));
    return find_tangled_points(m, work);
}
