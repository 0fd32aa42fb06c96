// SPDX-License-Identifier: Apache-2.0
/// \file
/// On which side of the surface a point is. Between a point and the closest point c of the surface
/// there is no surface, so the side at c decides:
///
/// - **clean**: the pseudo-normal at c (of the face, the sum of the two faces of an edge, the
///   angle-weighted sum at a point) has a positive product with p - c exactly if p is outside
///   [baerentzen2005].
/// - **open** (c on a border): the same, which goes on with the sheet beyond its border; uncertain.
/// - **tangled**: no pseudo-normal exists. In a closed mesh the winding number decides
///   [jacobson2013], with far clusters of triangles as dipoles [barill2018]; in an open one a vote
///   of rays: a ray from free space first meets a front side. Uncertain where they hesitate.
#include <string.h>

#include "base/functions.h"
#include "terrain/mesh.h"

enum { LEAF = 16, VOTES = 26 };
#define OPENING 2.0 ///< a cluster is far if it is farther away than this times its radius [barill2018]

typedef struct RiWindingNode {
    RiVec3 centre;    ///< area-weighted
    RiVec3 dipole;    ///< sum of area vectors [m^2]
    double radius;    ///< of a ball about the centre that holds the cluster [m]
    int first, count; ///< of winding_order; leaves only
    int left, right;  ///< nodes; 0 in leaves
} RiWindingNode;

// --- winding number ------------------------------------------------------------------------------

/// Solid angle of a triangle seen from the origin [vanoosterom1983].
static double solid_angle(RiVec3 a, RiVec3 b, RiVec3 c)
{
    const double la = ri_norm(a), lb = ri_norm(b), lc = ri_norm(c);
    const double det = ri_dot(a, ri_cross(b, c));
    return 2.0 * ri_atan2(det, la * lb * lc + ri_dot(a, b) * lc + ri_dot(b, c) * la + ri_dot(c, a) * lb);
}

static RiVec3 middle(const RiMeshTerrain *m, uint32_t t)
{
    const RiMeshTriangle *x = &m->corners[t];
    return ri_scale(1.0 / 3.0, ri_add(x->a, ri_add(x->b, x->c)));
}

static double along(RiVec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static void gather_moments(const RiMeshTerrain *m, RiWindingNode *node)
{
    double area = 0.0;
    RiVec3 sum = {0};
    for (int i = 0; i < node->count; i++) {
        const uint32_t t = m->winding_order[node->first + i];
        const RiMeshTriangle *x = &m->corners[t];
        const RiVec3 v = ri_scale(0.5, ri_cross(ri_sub(x->b, x->a), ri_sub(x->c, x->a)));
        const double w = ri_norm(v);
        area += w;
        sum = ri_add(sum, ri_scale(w, middle(m, t)));
        node->dipole = ri_add(node->dipole, v);
    }
    node->centre = ri_scale(1.0 / area, sum);
    for (int i = 0; i < node->count; i++) {
        const RiMeshTriangle *x = &m->corners[m->winding_order[node->first + i]];
        const RiVec3 p[3] = {x->a, x->b, x->c};
        for (int k = 0; k < 3; k++)
            node->radius = fmax(node->radius, ri_norm(ri_sub(p[k], node->centre)));
    }
}

/// Brings the `half` triangles that lie lowest along an axis to the front of the list (Hoare's
/// selection).
static void select_lowest(const RiMeshTerrain *m, uint32_t *order, int count, int half, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        const double pivot = along(middle(m, order[low + (high - low) / 2]), axis);
        int i = low, k = high;
        while (i <= k) {
            while (along(middle(m, order[i]), axis) < pivot)
                i++;
            while (along(middle(m, order[k]), axis) > pivot)
                k--;
            if (i <= k) {
                const uint32_t swap = order[i];
                order[i++] = order[k];
                order[k--] = swap;
            }
        }
        if (half <= k)
            high = k;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

/// Halves a cluster along the longest axis of its triangles' middles.
static void halve(const RiMeshTerrain *m, const RiWindingNode *node)
{
    uint32_t *order = m->winding_order + node->first;
    RiVec3 low = middle(m, order[0]), high = low;
    for (int i = 1; i < node->count; i++) {
        const RiVec3 p = middle(m, order[i]);
        low = ri_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    const RiVec3 size = ri_sub(high, low);
    select_lowest(m, order, node->count, node->count / 2,
                  size.x >= size.y && size.x >= size.z ? 0
                  : size.y >= size.z                   ? 1
                                                       : 2);
}

RiStatus ri_mesh_winding_create(RiMeshTerrain *m)
{
    const size_t n = (size_t)m->triangle_count;
    const size_t most = 2 * (n / (LEAF / 2) + 1); // leaves are at least half full
    m->winding = ri_arena_alloc(&m->terrain.arena, most, sizeof *m->winding);
    m->winding_order = ri_arena_alloc(&m->terrain.arena, n, sizeof *m->winding_order);
    if (!m->winding || !m->winding_order)
        return ri_error_memory(m->terrain.ctx);
    for (size_t i = 0; i < n; i++)
        m->winding_order[i] = (uint32_t)i;
    m->winding[0].count = m->triangle_count;
    m->winding_count = 1;
    for (int i = 0; i < m->winding_count; i++) { // breadth first: the list is its own queue
        RiWindingNode *node = &m->winding[i];
        gather_moments(m, node);
        if (node->count <= LEAF)
            continue;
        const int left = node->count / 2;
        halve(m, node);
        node->left = m->winding_count++;
        node->right = m->winding_count++;
        m->winding[node->left] = (RiWindingNode){.first = node->first, .count = left};
        m->winding[node->right] = (RiWindingNode){.first = node->first + left, .count = node->count - left};
    }
    return RI_OK;
}

static double leaf_angle(const RiMeshTerrain *m, const RiWindingNode *node, RiVec3 p)
{
    double sum = 0.0;
    for (int i = 0; i < node->count; i++) {
        const RiMeshTriangle *x = &m->corners[m->winding_order[node->first + i]];
        sum += solid_angle(ri_sub(x->a, p), ri_sub(x->b, p), ri_sub(x->c, p));
    }
    return sum;
}

static double angle_of(const RiMeshTerrain *m, int at, RiVec3 p)
{
    const RiWindingNode *node = &m->winding[at];
    const RiVec3 r = ri_sub(node->centre, p);
    const double distance = ri_norm(r);
    if (distance > OPENING * node->radius)
        return ri_dot(node->dipole, r) / (distance * distance * distance);
    if (!node->left)
        return leaf_angle(m, node, p);
    return angle_of(m, node->left, p) + angle_of(m, node->right, p);
}

double ri_mesh_winding(const RiMeshTerrain *m, RiVec3 p)
{
    return angle_of(m, 0, p) / (4.0 * M_PI);
}

// --- votes ---------------------------------------------------------------------------------------

/// Share of rays that first meet a front side, 0 to 1; 0.5 if none meets anything. Directions: the
/// 26 of a cube, turned off the axes.
static double vote_free(const RiMeshTerrain *m, RiVec3 p)
{
    const RiMat3 turn = ri_mat3_rpy(0.3, 0.2, 0.1);
    int front = 0, met = 0;
    for (int i = 0; i < VOTES + 1; i++) {
        if (i == VOTES / 2)
            continue; // the zero direction
        const RiVec3 d = ri_rotate(&turn, ri_vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        double s;
        const int t = ri_mesh_hit(m, p, d, 0.0, INFINITY, &s);
        if (t < 0)
            continue;
        met++;
        front += ri_dot(m->face_normal[t], d) < 0.0;
    }
    return met ? (double)front / met : 0.5;
}

// --- the answer ----------------------------------------------------------------------------------

/// Pseudo-normal at a feature of a triangle and what is known about the side there.
static RiVec3 pseudo_normal(const RiMeshTerrain *m, int t, int feature, int *out_side)
{
    *out_side = RI_SIDE_CLEAN;
    if (feature < 3) {
        const uint32_t point = m->triangles[t][feature];
        *out_side = m->side[point];
        return m->point_normal[point];
    }
    if (feature == 6)
        return m->face_normal[t];
    const int across = m->neighbour[t][feature - 3];
    if (across >= 0)
        return ri_add(m->face_normal[t], m->face_normal[across]);
    *out_side = across == RI_TANGLED_EDGE ? RI_SIDE_TANGLED : RI_SIDE_OPEN;
    return m->face_normal[t];
}

/// Inside by the winding number: half way between the levels of ground and free space.
static bool wound_inside(const RiMeshTerrain *m, RiVec3 p, int *flags)
{
    const double excess = ri_mesh_winding(m, p) - (m->volume < 0.0 ? -0.5 : 0.5);
    if (fabs(excess) < 0.25)
        *flags |= RI_SURFACE_AMBIGUOUS;
    return excess > 0.0;
}

static bool voted_inside(const RiMeshTerrain *m, RiVec3 p, int *flags)
{
    *flags |= RI_SURFACE_AMBIGUOUS;
    return vote_free(m, p) < 0.5;
}

void ri_mesh_surface(const RiMeshTerrain *m, RiVec3 p, int triangle, const RiClosest *at, RiSurface *out)
{
    int side, flags = 0;
    const RiVec3 away = ri_sub(p, at->point), n = pseudo_normal(m, triangle, at->feature, &side);
    const double distance = sqrt(at->d2), strength = ri_norm(n);
    bool inside = ri_dot(away, n) < 0.0;
    if (m->overlaps || (m->closed && (side == RI_SIDE_TANGLED || strength < 1e-6)))
        inside = wound_inside(m, p, &flags);
    else if (side == RI_SIDE_TANGLED || strength < 1e-6)
        inside = voted_inside(m, p, &flags);
    else if (side == RI_SIDE_OPEN)
        flags |= RI_SURFACE_AMBIGUOUS;
    *out = (RiSurface){.distance = inside ? -distance : distance, .flags = flags};
    if (distance > 1e-12 * m->scale)
        out->normal = ri_scale((inside ? -1.0 : 1.0) / distance, away);
    else
        out->normal = strength < 1e-6 ? m->face_normal[triangle] : ri_scale(1.0 / strength, n);
}

/// Looks just off the middle of up to 4096 triangles spread over the mesh: there the pseudo-normal
/// knows the side of its own sheet, and the winding number that of the whole. Where they differ,
/// one part lies within another.
void ri_mesh_find_overlaps(RiMeshTerrain *m)
{
    if (!m->closed)
        return;
    const int step = m->triangle_count / 4096 + 1;
    int different = 0, looked = 0;
    for (int t = 0; t < m->triangle_count; t += step, looked++) {
        const RiMeshTriangle *x = &m->corners[t];
        const double size = ri_norm(ri_sub(x->b, x->a));
        const RiVec3 p = ri_add(middle(m, (uint32_t)t), ri_scale(1e-3 * size, m->face_normal[t]));
        int flags = 0;
        different += wound_inside(m, p, &flags);
    }
    m->overlaps = different > 0;
}
