// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distance of two convex polytopes by Gilbert, Johnson and Keerthi [gilbert1988]: the point of A -
/// B nearest to the origin, held as a point of a simplex of at most four corners of A - B. Each
/// round adds the corner farthest against the nearest point v and keeps the part of the simplex
/// that the new nearest point lies in. It ends when no corner w is nearer along v: then |v| is at
/// most (v.v - v.w) / |v| too large.
///
/// Polytopes end after a finite number of rounds; a round that comes no nearer (rounding) ends it
/// too. Where the simplex encloses the origin the bodies overlap: see epa.c. Two segments have a
/// closed form.
#include "contact/hull.h"

#include <math.h>

/// Relative to |v|^2: what is left when no corner is nearer.
static const double NEAR_ENOUGH = 1e-13;
/// Part of the bodies' size below which they overlap.
static const double TOUCHING = 1e-11;
enum { ROUNDS = 100 };

typedef struct Corner {
    RiVec3 w; ///< a - b
    int a, b;
} Corner;

typedef struct Simplex {
    Corner c[4];
    double part[4]; ///< barycentric coordinates of the nearest point
    int n;
} Simplex;

static Corner corner(const RiConvex *A, const RiConvex *B, RiVec3 v)
{
    const int a = ri_convex_support(A, ri_scale(-1.0, v)), b = ri_convex_support(B, v);
    return (Corner){ri_sub(A->points[a], B->points[b]), a, b};
}

static void keep1(Simplex *s, int i)
{
    s->c[0] = s->c[i];
    s->part[0] = 1.0;
    s->n = 1;
}

static void keep2(Simplex *s, int i, int k, double t)
{
    const Corner a = s->c[i], b = s->c[k];
    s->c[0] = a, s->c[1] = b;
    s->part[0] = 1.0 - t, s->part[1] = t;
    s->n = 2;
}

static void on_segment(Simplex *s)
{
    const RiVec3 d = ri_sub(s->c[1].w, s->c[0].w);
    const double along = -ri_dot(s->c[0].w, d), size = ri_dot(d, d);
    if (along <= 0.0)
        keep1(s, 0);
    else if (along >= size)
        keep1(s, 1);
    else
        keep2(s, 0, 1, along / size);
}

/// Voronoi regions of a triangle [ericson2005].
static void on_triangle(Simplex *s)
{
    const RiVec3 a = s->c[0].w, b = s->c[1].w, c = s->c[2].w, ab = ri_sub(b, a), ac = ri_sub(c, a);
    const double d1 = -ri_dot(ab, a), d2 = -ri_dot(ac, a), d3 = -ri_dot(ab, b), d4 = -ri_dot(ac, b);
    const double d5 = -ri_dot(ab, c), d6 = -ri_dot(ac, c);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0.0 && d2 <= 0.0)
        keep1(s, 0);
    else if (d3 >= 0.0 && d4 <= d3)
        keep1(s, 1);
    else if (d6 >= 0.0 && d5 <= d6)
        keep1(s, 2);
    else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        keep2(s, 0, 1, d1 / (d1 - d3));
    else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        keep2(s, 0, 2, d2 / (d2 - d6));
    else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
        keep2(s, 1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    else {
        const double sum = va + vb + vc;
        s->part[0] = va / sum, s->part[1] = vb / sum, s->part[2] = vc / sum;
    }
}

static RiVec3 nearest_of(const Simplex *s)
{
    RiVec3 v = ri_scale(s->part[0], s->c[0].w);
    for (int i = 1; i < s->n; i++)
        v = ri_add(v, ri_scale(s->part[i], s->c[i].w));
    return v;
}

/// The nearest of the faces that have the origin on their outside; of all faces where the
/// tetrahedron is flat. True: it encloses the origin.
static bool on_tetrahedron(Simplex *s)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    Simplex best = {.n = 0};
    double least = INFINITY;
    for (int f = 0; f < 4; f++) {
        Simplex t = {.c = {s->c[face[f][0]], s->c[face[f][1]], s->c[face[f][2]]}, .n = 3};
        const RiVec3 ab = ri_sub(t.c[1].w, t.c[0].w), ac = ri_sub(t.c[2].w, t.c[0].w), n = ri_cross(ab, ac);
        const RiVec3 up = ri_sub(s->c[face[f][3]].w, t.c[0].w);
        const double top = ri_dot(n, up), origin = -ri_dot(n, t.c[0].w);
        const bool flat = fabs(top) <= 1e-13 * ri_norm(n) * ri_norm(up);
        if (!flat && origin * top >= 0.0)
            continue;
        on_triangle(&t);
        const RiVec3 v = nearest_of(&t);
        if (ri_dot(v, v) < least) {
            least = ri_dot(v, v);
            best = t;
        }
    }
    if (best.n == 0)
        return true;
    *s = best;
    return false;
}

/// Keeps the part of the simplex that is nearest to the origin. True: it encloses it.
static bool reduce(Simplex *s)
{
    if (s->n == 2)
        on_segment(s);
    else if (s->n == 3)
        on_triangle(s);
    else
        return on_tetrahedron(s);
    return false;
}

static bool is_known(const Simplex *s, const Corner *w)
{
    for (int i = 0; i < s->n; i++)
        if (s->c[i].a == w->a && s->c[i].b == w->b)
            return true;
    return false;
}

static RiNearest answer(const RiConvex *A, const RiConvex *B, const Simplex *s, RiVec3 v)
{
    RiNearest out = {.distance = ri_norm(v)};
    for (int i = 0; i < s->n; i++) {
        out.a = ri_add(out.a, ri_scale(s->part[i], A->points[s->c[i].a]));
        out.b = ri_add(out.b, ri_scale(s->part[i], B->points[s->c[i].b]));
    }
    out.normal = ri_scale(1.0 / out.distance, v);
    return out;
}

static double size_of(const RiConvex *c)
{
    return ri_norm(c->hull->half);
}

// --- segments ------------------------------------------------------------------------------------

static double clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/// A direction away from both segments, where they meet: across them, from B's middle to A's.
static RiVec3 across(RiVec3 d, RiVec3 e, RiVec3 guess)
{
    RiVec3 n = ri_cross(d, e);
    if (ri_dot(n, n) <= 1e-20 * ri_dot(d, d) * ri_dot(e, e)) {
        const RiVec3 along = ri_dot(d, d) > 0.0 ? d : e;
        if (ri_dot(along, along) == 0.0)
            n = ri_vec3(0.0, 0.0, 1.0);
        else
            n = ri_cross(along, fabs(along.x) < 0.7 * ri_norm(along) ? ri_vec3(1.0, 0.0, 0.0) : ri_vec3(0.0, 1.0, 0.0));
    }
    n = ri_scale(1.0 / ri_norm(n), n);
    return ri_dot(n, guess) < 0.0 ? ri_scale(-1.0, n) : n;
}

/// Points or segments: the nearest points in closed form.
static RiNearest segments(const RiConvex *A, const RiConvex *B, RiVec3 guess)
{
    const RiVec3 p = A->points[0], q = B->points[0], zero = {0.0, 0.0, 0.0};
    const RiVec3 d = A->hull->point_count > 1 ? ri_sub(A->points[1], p) : zero;
    const RiVec3 e = B->hull->point_count > 1 ? ri_sub(B->points[1], q) : zero, r = ri_sub(p, q);
    const double dd = ri_dot(d, d), ee = ri_dot(e, e), de = ri_dot(d, e), dr = ri_dot(d, r), er = ri_dot(e, r);
    const double det = dd * ee - de * de;
    double s = det > 1e-14 * dd * ee ? clamp((de * er - dr * ee) / det) : 0.5;
    double t = ee > 0.0 ? clamp((de * s + er) / ee) : 0.0;
    s = dd > 0.0 ? clamp((de * t - dr) / dd) : 0.0;
    RiNearest out = {.a = ri_add(p, ri_scale(s, d)), .b = ri_add(q, ri_scale(t, e))};
    const RiVec3 v = ri_sub(out.a, out.b);
    out.distance = ri_norm(v);
    const double size = sqrt(dd) + sqrt(ee) + A->hull->radius + B->hull->radius;
    out.normal = out.distance > TOUCHING * size ? ri_scale(1.0 / out.distance, v) : across(d, e, guess);
    return out;
}

/// From a tetrahedron that encloses the origin.
static RiNearest overlap(const RiConvex *A, const RiConvex *B, const Simplex *s)
{
    int seeds[4][2];
    for (int k = 0; k < 4; k++)
        seeds[k][0] = s->c[k].a, seeds[k][1] = s->c[k].b;
    return ri_convex_depth(A, B, (const int(*)[2])seeds);
}

RiNearest ri_convex_nearest(const RiConvex *A, const RiConvex *B, RiVec3 guess)
{
    if (A->hull->point_count <= 2 && B->hull->point_count <= 2)
        return segments(A, B, guess);
    const double touching = TOUCHING * (size_of(A) + size_of(B));
    Simplex s = {.c = {corner(A, B, guess)}, .part = {1.0}, .n = 1};
    RiVec3 v = s.c[0].w;
    for (int round = 0; round < ROUNDS; round++) {
        const double vv = ri_dot(v, v);
        if (vv <= touching * touching)
            return ri_convex_depth(A, B, NULL);
        const Corner w = corner(A, B, v);
        if (vv - ri_dot(v, w.w) <= NEAR_ENOUGH * vv || is_known(&s, &w))
            break;
        Simplex next = s;
        next.c[next.n++] = w;
        if (reduce(&next))
            return overlap(A, B, &next);
        const RiVec3 u = nearest_of(&next);
        if (ri_dot(u, u) >= vv)
            break;
        s = next;
        v = u;
    }
    return answer(A, B, &s, v);
}
