// SPDX-License-Identifier: Apache-2.0
/// \file
/// Depth of overlapping polytopes: the point of the surface of A - B nearest to the origin, by an
/// expanding polytope [vandenbergen2001]. It starts as the tetrahedron with which GJK found the
/// overlap, or one of far corners of A - B; each round takes its face nearest to the origin and
/// adds the corner of A - B farthest along that face's normal. When that corner is not beyond the
/// face, the face is one of A - B itself and the depth is exact.
///
/// Everything lies on the stack. A - B of two hulls of 64 corners may have thousands of faces, but
/// only those near the origin are ever made; should the room run out, the face at hand is at most
/// as deep as the true one.
#include "contact/hull.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 160, FACES = 2 * CORNERS };
/// Part of the size of A - B by which a corner must be beyond a face.
static const double BEYOND = 1e-12;
/// The same for a face to be replaced with it.
static const double SEEN = 1e-14;

typedef struct Corner {
    RiVec3 w, a, b;
} Corner;

typedef struct Face {
    int c[3];
    RiVec3 n; ///< outward, unit
    double d; ///< distance of its plane from the origin
    bool alive;
} Face;

typedef struct Body {
    Corner corners[CORNERS];
    Face faces[FACES];
    int corner_count, face_count;
    double size;
} Body;

typedef struct Edge {
    int from, to;
} Edge;

/// The corner of A - B farthest along d.
static Corner farthest(const RiConvex *A, const RiConvex *B, RiVec3 d)
{
    const RiVec3 a = A->points[ri_convex_support(A, d)], b = B->points[ri_convex_support(B, ri_scale(-1.0, d))];
    return (Corner){ri_sub(a, b), a, b};
}

/// A face of three corners, seen counter-clockwise from where the inner point is not. Slivers get
/// no distance.
static bool add_face(Body *x, int i, int k, int l, RiVec3 inside)
{
    if (x->face_count == FACES)
        return false;
    Face *f = &x->faces[x->face_count++];
    *f = (Face){.c = {i, k, l}, .alive = true};
    const RiVec3 a = x->corners[i].w, b = ri_sub(x->corners[k].w, a), c = ri_sub(x->corners[l].w, a);
    const RiVec3 n = ri_cross(b, c);
    const double size = ri_norm(n);
    if (size <= 1e-14 * x->size * x->size) {
        f->d = INFINITY;
        return true;
    }
    f->n = ri_scale(1.0 / size, n);
    if (ri_dot(f->n, ri_sub(a, inside)) < 0.0) {
        f->n = ri_scale(-1.0, f->n);
        f->c[1] = l, f->c[2] = k;
    }
    f->d = ri_dot(f->n, a);
    return true;
}

/// The corner that is farthest from the origin's plane on either side of `n` through `from`; its
/// distance.
static double spread(const RiConvex *A, const RiConvex *B, RiVec3 n, RiVec3 from, Corner *out)
{
    const Corner up = farthest(A, B, n), down = farthest(A, B, ri_scale(-1.0, n));
    const double high = ri_dot(n, ri_sub(up.w, from)), low = ri_dot(n, ri_sub(from, down.w));
    *out = high >= low ? up : down;
    return high >= low ? high : low;
}

/// A tetrahedron of far corners; the number of corners that are independent, 4 if it has a volume.
static int start(const RiConvex *A, const RiConvex *B, Body *x)
{
    static const RiVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    Corner *c = x->corners;
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const Corner up = farthest(A, B, axes[k]), down = farthest(A, B, ri_scale(-1.0, axes[k]));
        const double size = ri_norm(ri_sub(up.w, down.w));
        if (size > most)
            most = size, c[0] = up, c[1] = down;
    }
    x->size = most;
    if (most == 0.0)
        return 1;
    const RiVec3 along = ri_scale(1.0 / most, ri_sub(c[1].w, c[0].w));
    const RiMat3 frame = ri_mat3_from_z(along);
    double wide = 0.0;
    for (int k = 0; k < 2; k++) {
        Corner far;
        const double size = spread(A, B, ri_mat3_col(&frame, k), c[0].w, &far);
        if (size > wide)
            wide = size, c[2] = far;
    }
    if (wide <= 1e-10 * most)
        return 2;
    RiVec3 n = ri_cross(ri_sub(c[1].w, c[0].w), ri_sub(c[2].w, c[0].w));
    n = ri_scale(1.0 / ri_norm(n), n);
    return spread(A, B, n, c[0].w, &c[3]) <= 1e-10 * most ? 3 : 4;
}

/// The tetrahedron that GJK ended with. False: it is too flat to go on from.
static bool start_from(const RiConvex *A, const RiConvex *B, const int seeds[4][2], Body *x)
{
    x->size = 2.0 * (ri_norm(A->hull->half) + ri_norm(B->hull->half));
    for (int k = 0; k < 4; k++) {
        const RiVec3 a = A->points[seeds[k][0]], b = B->points[seeds[k][1]];
        x->corners[k] = (Corner){ri_sub(a, b), a, b};
    }
    const RiVec3 o = x->corners[0].w, u = ri_sub(x->corners[1].w, o), v = ri_sub(x->corners[2].w, o);
    return fabs(ri_dot(ri_cross(u, v), ri_sub(x->corners[3].w, o))) > 1e-6 * x->size * x->size * x->size;
}

static int nearest_face(const Body *x)
{
    int best = -1;
    for (int f = 0; f < x->face_count; f++)
        if (x->faces[f].alive && (best < 0 || x->faces[f].d < x->faces[best].d))
            best = f;
    return best;
}

/// Keeps edges that border one removed face only.
static void toggle(Edge *edges, int *count, int from, int to)
{
    for (int i = 0; i < *count; i++)
        if (edges[i].from == to && edges[i].to == from) {
            edges[i] = edges[--*count];
            return;
        }
    edges[(*count)++] = (Edge){from, to};
}

/// Puts dead faces away.
static void compact(Body *x)
{
    int kept = 0;
    for (int f = 0; f < x->face_count; f++)
        if (x->faces[f].alive)
            x->faces[kept++] = x->faces[f];
    x->face_count = kept;
}

/// Replaces the faces that the new corner sees by a fan around it. False: no room.
static bool expand(Body *x, const Corner *w, RiVec3 inside)
{
    Edge edges[3 * FACES];
    int count = 0;
    if (x->corner_count == CORNERS)
        return false;
    for (int f = 0; f < x->face_count; f++) {
        Face *face = &x->faces[f];
        const RiVec3 from = x->corners[face->c[0]].w;
        if (!isfinite(face->d) || ri_dot(face->n, ri_sub(w->w, from)) <= SEEN * x->size)
            continue; // slivers stay: they have no side to be seen from
        face->alive = false;
        for (int k = 0; k < 3; k++)
            toggle(edges, &count, face->c[k], face->c[(k + 1) % 3]);
    }
    compact(x);
    const int at = x->corner_count++;
    x->corners[at] = *w;
    for (int i = 0; i < count; i++)
        if (!add_face(x, edges[i].from, edges[i].to, at, inside))
            return false;
    return true;
}

static RiNearest from_face(const Body *x, const Face *f)
{
    const Corner *a = &x->corners[f->c[0]], *b = &x->corners[f->c[1]], *c = &x->corners[f->c[2]];
    const RiVec3 p = ri_scale(f->d, f->n), ab = ri_sub(b->w, a->w), ac = ri_sub(c->w, a->w), ap = ri_sub(p, a->w);
    const RiVec3 n = ri_cross(ab, ac);
    const double nn = ri_dot(n, n), v = ri_dot(ri_cross(ap, ac), n) / nn, w = ri_dot(ri_cross(ab, ap), n) / nn;
    RiNearest out = {.normal = ri_scale(-1.0, f->n), .distance = -f->d};
    out.a = ri_add(ri_scale(1.0 - v - w, a->a), ri_add(ri_scale(v, b->a), ri_scale(w, c->a)));
    out.b = ri_add(ri_scale(1.0 - v - w, a->b), ri_add(ri_scale(v, b->b), ri_scale(w, c->b)));
    return out;
}

/// Flat A - B: they overlap in no more than a plane, and part across it.
static RiNearest flat(const RiConvex *A, const RiConvex *B, const Body *x, int rank)
{
    RiVec3 n = {0.0, 0.0, 1.0};
    if (rank == 3)
        n = ri_cross(ri_sub(x->corners[1].w, x->corners[0].w), ri_sub(x->corners[2].w, x->corners[0].w));
    else if (rank == 2) {
        const RiMat3 frame = ri_mat3_from_z(ri_scale(1.0 / x->size, ri_sub(x->corners[1].w, x->corners[0].w)));
        n = ri_mat3_col(&frame, 0);
    }
    const RiVec3 a = A->points[0], b = B->points[0];
    return (RiNearest){.a = a, .b = b, .normal = ri_scale(1.0 / ri_norm(n), n), .distance = 0.0};
}

RiNearest ri_convex_depth(const RiConvex *A, const RiConvex *B, const int seeds[4][2])
{
    Body x;
    x.face_count = 0;
    const int rank = seeds && start_from(A, B, seeds, &x) ? 4 : start(A, B, &x);
    if (rank < 4)
        return flat(A, B, &x, rank);
    x.corner_count = 4;
    RiVec3 inside = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++)
        inside = ri_add(inside, ri_scale(0.25, x.corners[k].w));
    static const int four[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (int k = 0; k < 4; k++)
        add_face(&x, four[k][0], four[k][1], four[k][2], inside);
    Face best;
    do {
        best = x.faces[nearest_face(&x)];
        const Corner w = farthest(A, B, best.n);
        if (ri_dot(best.n, w.w) - best.d <= BEYOND * x.size || !expand(&x, &w, inside))
            break;
    } while (nearest_face(&x) >= 0);
    return from_face(&x, &best);
}
