// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distances of a mesh at the nodes of a block. Nearby nodes have nearby closest triangles, so the triangles that come into question are
/// found once for the block and sifted once for each part of it:
///
/// With D the distance of a middle and H the farthest node from it, every node is at most D + H away from the mesh, so its closest triangle
/// lies within D + 2 H of the middle. Then each node is tried against the triangles left, eight nodes at a time (RiGridKernels.closest).
/// Far from the mesh many triangles are equally far: there each node asks Embree, starting from its neighbour's answer.
#include "terrain/grid_mesh.h"

enum { PART = 3, PART_NODES = 64, MOST_TRIED = 256 };

static RiVec3 node_at(RiVec3 first, double cell, int i, int j, int k)
{
    return ri_vec3(first.x + cell * i, first.y + cell * j, first.z + cell * k);
}

static void put(double out[3], RiVec3 v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

/// A triangle as the kernel wants it.
static void form_triangle(const RiMeshTerrain *m, uint32_t t, RiTriangleForm *out)
{
    const RiMeshTriangle *x = &m->corners[t];
    const RiVec3 p[3] = {x->a, x->b, x->c}, n = m->face_normal[t];
    put(out->n, n);
    for (int k = 0; k < 3; k++) {
        const RiVec3 e = ri_sub(p[(k + 1) % 3], p[k]);
        put(out->p[k], p[k]);
        put(out->e[k], e);
        put(out->m[k], ri_cross(n, e));
        out->inverse[k] = 1.0 / ri_dot(e, e);
    }
}

/// Collects the triangles for a ball of radius H about c at distance D; returns their number, -1 if there are too many.
static int prepare(const RiMeshTerrain *m, RiMeshBlock *w, RiVec3 c, double reach)
{
    const int count = ri_mesh_collect(m, c, reach, RI_MESH_BLOCK_TRIANGLES, w->found);
    if (count > RI_MESH_BLOCK_TRIANGLES)
        return -1;
    for (int i = 0; i < count; i++) {
        const RiMeshTriangle *t = &m->corners[w->found[i]];
        const RiVec3 middle = ri_scale(1.0 / 3.0, ri_add(t->a, ri_add(t->b, t->c)));
        w->x[i] = middle.x, w->y[i] = middle.y, w->z[i] = middle.z;
        w->radius[i] =
            fmax(ri_norm(ri_sub(t->a, middle)), fmax(ri_norm(ri_sub(t->b, middle)), ri_norm(ri_sub(t->c, middle))));
        form_triangle(m, w->found[i], &w->form[i]);
    }
    return count;
}

/// Places of the triangles that may be closest to a node within `half` of c.
static int sift(RiMeshBlock *w, int count, RiVec3 c, double half)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        const double dx = w->x[i] - c.x, dy = w->y[i] - c.y, dz = w->z[i] - c.z;
        w->away[i] = sqrt(dx * dx + dy * dy + dz * dz);
        least = w->away[i] < least ? w->away[i] : least; // the middle belongs to the triangle: no farther than this
    }
    int n = 0;
    const double reach = (least + 2.0 * half) * (1.0 + 1e-9);
    for (int i = 0; i < count; i++)
        if (w->away[i] - w->radius[i] <= reach)
            w->near[n++] = (uint32_t)i;
    return n;
}

/// Node by node; hint is a triangle near the first one.
static int ask_embree(const RiMeshTerrain *m, RiVec3 p, int hint, RiSurface *out)
{
    RiClosest at;
    const double radius = hint >= 0 ? sqrt(ri_triangle_closest(&m->corners[hint], p).d2) * (1.0 + 1e-12) : INFINITY;
    int t = ri_mesh_closest(m, p, radius, &at);
    if (t < 0) {
        t = hint;
        at = ri_triangle_closest(&m->corners[hint], p);
    }
    ri_mesh_surface(m, p, t, &at, out);
    return t;
}

/// A part of the block: nodes from `from` to before `to`.
typedef struct Part {
    int from[3], to[3];
} Part;

static int part_nodes(const Part *part, RiVec3 first, double cell, double *x, double *y, double *z)
{
    int n = 0;
    for (int k = part->from[2]; k < part->to[2]; k++)
        for (int j = part->from[1]; j < part->to[1]; j++)
            for (int i = part->from[0]; i < part->to[0]; i++, n++) {
                const RiVec3 p = node_at(first, cell, i, j, k);
                x[n] = p.x, y[n] = p.y, z[n] = p.z;
            }
    return n;
}

static RiVec3 part_middle(const Part *part, RiVec3 first, double cell, double *out_half)
{
    const RiVec3 a = node_at(first, cell, part->from[0], part->from[1], part->from[2]);
    const RiVec3 b = node_at(first, cell, part->to[0] - 1, part->to[1] - 1, part->to[2] - 1);
    *out_half = 0.5 * ri_norm(ri_sub(b, a));
    return ri_scale(0.5, ri_add(a, b));
}

static void sample_part(const RiMeshTerrain *m, const RiGridKernels *kernels, RiMeshBlock *w, int count,
                        const Part *part, const int n[3], RiVec3 first, double cell, int *hint, RiSurface *out)
{
    double x[PART_NODES], y[PART_NODES], z[PART_NODES], half;
    int which[PART_NODES];
    const RiVec3 c = part_middle(part, first, cell, &half);
    const int nodes = part_nodes(part, first, cell, x, y, z), tried = count > 0 ? sift(w, count, c, half) : 0;
    const bool together = tried > 0 && tried <= MOST_TRIED;
    for (int i = nodes; i % 8 != 0; i++)
        x[i] = x[0], y[i] = y[0], z[i] = z[0];
    if (together)
        kernels->closest(w->form, tried, w->near, (nodes + 7) / 8 * 8, x, y, z, which);
    int at = 0;
    for (int k = part->from[2]; k < part->to[2]; k++)
        for (int j = part->from[1]; j < part->to[1]; j++)
            for (int i = part->from[0]; i < part->to[0]; i++, at++) {
                const RiVec3 p = ri_vec3(x[at], y[at], z[at]);
                RiSurface *s = &out[(k * n[1] + j) * n[0] + i];
                if (!together) {
                    *hint = ask_embree(m, p, *hint, s);
                    continue;
                }
                const int t = (int)w->found[w->near[which[at]]];
                const RiClosest closest = ri_triangle_closest(&m->corners[t], p);
                ri_mesh_surface(m, p, t, &closest, s);
            }
}

void ri_mesh_sample(const RiMeshTerrain *m, const RiGridKernels *kernels, RiMeshBlock *work, const int n[3],
                    RiVec3 first, double cell, RiSurface *out)
{
    first = ri_sub(first, m->origin);
    const Part whole = {{0, 0, 0}, {n[0], n[1], n[2]}};
    double half;
    const RiVec3 c = part_middle(&whole, first, cell, &half);
    RiClosest at;
    int hint = ri_mesh_closest(m, c, INFINITY, &at);
    const double away = sqrt(at.d2);
    const int count = away < 4.0 * half ? prepare(m, work, c, (away + 2.0 * half) * (1.0 + 1e-9)) : -1;
    for (int k = 0; k < n[2]; k += PART)
        for (int j = 0; j < n[1]; j += PART)
            for (int i = 0; i < n[0]; i += PART) {
                const Part part = {{i, j, k},
                                   {i + PART < n[0] ? i + PART : n[0], j + PART < n[1] ? j + PART : n[1],
                                    k + PART < n[2] ? k + PART : n[2]}};
                sample_part(m, kernels, work, count, &part, n, first, cell, &hint, out);
            }
}
