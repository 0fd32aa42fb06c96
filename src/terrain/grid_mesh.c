// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distances of a mesh at the nodes of a block. Nearby nodes have nearby closest triangles, so the
/// triangles that come into question are found once for the block and sifted twice:
///
///     block (9^3 nodes) --Embree--> found --rooms of 4^3 nodes--> room list --groups of 8 nodes--> group list --> closest of each node
///
/// With D the distance of a middle and H the farthest node from it, every node is at most D + H
/// away from the mesh, so its closest triangle lies within D + 2 H of the middle. The eight nodes
/// of a group are tried together (RiGridKernels.closest). Far from the mesh many triangles are
/// equally far: there each node asks Embree, starting from its neighbour's answer.
#include "terrain/grid_mesh.h"

enum { ROOM = 4, GROUP = 8, MOST_TRIED = 256 };

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
    const RiVec3 ab = ri_sub(x->b, x->a), ac = ri_sub(x->c, x->a), bc = ri_sub(x->c, x->b);
    out->length = ri_norm(ab);
    const RiVec3 w = m->face_normal[t], u = ri_scale(1.0 / out->length, ab), v = ri_cross(w, u);
    put(out->a, x->a);
    put(out->u, u);
    put(out->v, v);
    put(out->w, w);
    out->c[0] = ri_dot(u, ac);
    out->c[1] = ri_dot(v, ac);
    out->inverse_bc = 1.0 / ri_dot(bc, bc);
    out->inverse_ac = 1.0 / ri_dot(ac, ac);
}

static RiBalls balls_in(double arrays[4][RI_MESH_BLOCK_TRIANGLES + 8], int count)
{
    return (RiBalls){arrays[0], arrays[1], arrays[2], arrays[3], count};
}

/// Fills the last eight up with balls that nothing reaches.
static void pad(RiBalls *b)
{
    for (int i = b->count; i % 8 != 0; i++)
        b->x[i] = b->y[i] = b->z[i] = 1e30, b->radius[i] = 0.0;
}

/// Distance of a point from a box.
static double box_distance(RiVec3 p, RiVec3 c, RiVec3 half)
{
    return ri_norm(ri_vec3(fmax(fabs(p.x - c.x) - half.x, 0.0), fmax(fabs(p.y - c.y) - half.y, 0.0),
                           fmax(fabs(p.z - c.z) - half.z, 0.0)));
}

/// Collects the triangles that may be closest to a node of the box about c, which is `away` from
/// the mesh; returns their number, -1 if there are too many.
static int prepare(const RiMeshTerrain *m, RiMeshBlock *w, RiVec3 c, RiVec3 half, double away)
{
    const double most = (away + ri_norm(half)) * (1.0 + 1e-9); // distance of any node
    const int count = ri_mesh_collect(m, c, most + ri_norm(half), RI_MESH_BLOCK_TRIANGLES, w->found);
    if (count > RI_MESH_BLOCK_TRIANGLES)
        return -1;
    RiBalls balls = balls_in(w->balls, 0);
    for (int i = 0; i < count; i++) {
        const RiMeshTriangle *t = &m->corners[w->found[i]];
        const RiVec3 middle = ri_scale(1.0 / 3.0, ri_add(t->a, ri_add(t->b, t->c)));
        const RiVec3 a = ri_sub(t->a, middle), b = ri_sub(t->b, middle), d = ri_sub(t->c, middle);
        const double radius = sqrt(fmax(ri_dot(a, a), fmax(ri_dot(b, b), ri_dot(d, d))));
        if (box_distance(middle, c, half) - radius > most)
            continue;
        const int at = balls.count++;
        w->found[at] = w->found[i];
        balls.x[at] = middle.x, balls.y[at] = middle.y, balls.z[at] = middle.z, balls.radius[at] = radius;
        form_triangle(m, w->found[at], &w->form[at]);
    }
    pad(&balls);
    return balls.count;
}

/// The balls of a list side by side.
static RiBalls gather_balls(RiMeshBlock *w, int count)
{
    RiBalls to = balls_in(w->room_balls, count);
    const RiBalls from = balls_in(w->balls, 0);
    for (int i = 0; i < count; i++) {
        const uint32_t k = w->room_list[i];
        to.x[i] = from.x[k], to.y[i] = from.y[k], to.z[i] = from.z[k], to.radius[i] = from.radius[k];
    }
    pad(&to);
    return to;
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

/// What is being sampled.
typedef struct Sampling {
    const RiMeshTerrain *m;
    const RiGridKernels *kernels;
    RiMeshBlock *work;
    int n[3];
    RiVec3 first; ///< node 0, relative to the mesh's origin
    double cell;
    int hint; ///< a triangle near the last node
    RiSurface *out;
} Sampling;

static int part_nodes(const Sampling *s, const Part *part, double x[GROUP], double y[GROUP], double z[GROUP],
                      int at[GROUP])
{
    int n = 0;
    for (int k = part->from[2]; k < part->to[2]; k++)
        for (int j = part->from[1]; j < part->to[1]; j++)
            for (int i = part->from[0]; i < part->to[0]; i++, n++) {
                const RiVec3 p = node_at(s->first, s->cell, i, j, k);
                x[n] = p.x, y[n] = p.y, z[n] = p.z;
                at[n] = (k * s->n[1] + j) * s->n[0] + i;
            }
    for (int i = n; i < GROUP; i++)
        x[i] = x[0], y[i] = y[0], z[i] = z[0];
    return n;
}

static RiVec3 part_middle(const Sampling *s, const Part *part, RiVec3 *out_half)
{
    const RiVec3 a = node_at(s->first, s->cell, part->from[0], part->from[1], part->from[2]);
    const RiVec3 b = node_at(s->first, s->cell, part->to[0] - 1, part->to[1] - 1, part->to[2] - 1);
    *out_half = ri_scale(0.5, ri_sub(b, a));
    return ri_scale(0.5, ri_add(a, b));
}

/// Up to eight nodes at once; `balls`: those of the room, NULL if there are too many.
static void sample_group(Sampling *s, const Part *group, const RiBalls *balls)
{
    RiMeshBlock *w = s->work;
    double x[GROUP], y[GROUP], z[GROUP];
    int at[GROUP], which[GROUP], tried = 0;
    RiVec3 half;
    const RiVec3 c = part_middle(s, group, &half);
    const int nodes = part_nodes(s, group, x, y, z, at);
    if (balls)
        tried = s->kernels->sift(balls, c, ri_norm(half), w->scratch, w->group_list);
    const bool together = tried > 0 && tried <= MOST_TRIED;
    for (int i = 0; i < tried && together; i++)
        w->group_list[i] = w->room_list[w->group_list[i]];
    if (together)
        s->kernels->closest(w->form, tried, w->group_list, GROUP, x, y, z, which);
    for (int i = 0; i < nodes; i++) {
        const RiVec3 p = ri_vec3(x[i], y[i], z[i]);
        if (!together) {
            s->hint = ask_embree(s->m, p, s->hint, &s->out[at[i]]);
            continue;
        }
        const int t = (int)w->found[w->group_list[which[i]]];
        const RiClosest closest = ri_triangle_closest(&s->m->corners[t], p);
        ri_mesh_surface(s->m, p, t, &closest, &s->out[at[i]]);
    }
}

/// Sides of the groups of a room: doubled one after the other, so that groups are as round as eight
/// nodes can be.
static void group_sides(const Part *room, int side[3])
{
    side[0] = side[1] = side[2] = 1;
    while (side[0] * side[1] * side[2] < GROUP) {
        int shortest = -1;
        for (int axis = 0; axis < 3; axis++)
            if (side[axis] < room->to[axis] - room->from[axis] && (shortest < 0 || side[axis] < side[shortest]))
                shortest = axis;
        if (shortest < 0)
            return;
        side[shortest] *= 2;
    }
}

/// The part of `whole` with sides `side` from node (i, j, k).
static Part part_of(const Part *whole, const int side[3], int i, int j, int k)
{
    Part p = {.from = {i, j, k}};
    for (int axis = 0; axis < 3; axis++)
        p.to[axis] = p.from[axis] + side[axis] < whole->to[axis] ? p.from[axis] + side[axis] : whole->to[axis];
    return p;
}

static void sample_room(Sampling *s, const Part *room, const RiBalls *all)
{
    RiVec3 half;
    const RiVec3 c = part_middle(s, room, &half);
    RiBalls near = {0};
    int side[3];
    if (all) {
        const int count = s->kernels->sift(all, c, ri_norm(half), s->work->scratch, s->work->room_list);
        near = gather_balls(s->work, count);
    }
    group_sides(room, side);
    for (int k = room->from[2]; k < room->to[2]; k += side[2])
        for (int j = room->from[1]; j < room->to[1]; j += side[1])
            for (int i = room->from[0]; i < room->to[0]; i += side[0]) {
                const Part group = part_of(room, side, i, j, k);
                sample_group(s, &group, all ? &near : NULL);
            }
}

void ri_mesh_sample(const RiMeshTerrain *m, const RiGridKernels *kernels, RiMeshBlock *work, const int n[3],
                    RiVec3 first, double cell, RiSurface *out)
{
    Sampling s = {m, kernels, work, {n[0], n[1], n[2]}, ri_sub(first, m->origin), cell, RI_NO_TRIANGLE, out};
    const Part whole = {{0, 0, 0}, {n[0], n[1], n[2]}};
    const int side[3] = {ROOM, ROOM, ROOM};
    RiVec3 half;
    RiClosest at;
    const RiVec3 c = part_middle(&s, &whole, &half);
    s.hint = ri_mesh_closest(m, c, INFINITY, &at);
    const double away = sqrt(at.d2);
    const int count = away < 4.0 * ri_norm(half) ? prepare(m, work, c, half, away) : -1;
    const RiBalls balls = balls_in(work->balls, count);
    for (int k = 0; k < n[2]; k += ROOM)
        for (int j = 0; j < n[1]; j += ROOM)
            for (int i = 0; i < n[0]; i += ROOM) {
                const Part room = part_of(&whole, side, i, j, k);
                sample_room(&s, &room, count > 0 ? &balls : NULL);
            }
}
