// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where two hulls meet: up to four points that carry a face on a face, an edge on a face, a
/// corner, or two segments along each other.
///
///     last normal still parts them? --> none
///     nearest points, normal n --> sides along n: face, edge or corner of either --> incident side clipped to the reference side --> four points
///
/// The side of a hull along n is its face whose normal is within ALONG of it; for a capsule its
/// segment, if that is across n. Where only corners or edges cross, the nearest points alone are
/// the contact.
#include "contact/hull.h"

#include <math.h>
#include <string.h>

/// Cosine between the normal and a face for the face to be the reference: 2.5 degrees. The one that
/// is clipped is the nearest to it, at nearly any angle: an edge then touches with both of its
/// ends.
static const double ALONG = 0.999, INCIDENT = 0.05;
/// Sine between a segment and the plane across the normal for both of its ends to count.
static const double ACROSS = 0.1;
enum { CLIPPED = 3 * RI_HULL_POINTS };

typedef struct Polygon {
    RiVec3 p[CLIPPED];
    int n;
} Polygon;

/// The face whose normal is nearest to a direction; -1: none within the cosine.
static int face_along(const RiConvex *c, RiVec3 d, double least, double *out_cosine)
{
    const RiVec3 local = ri_rotate_back(&c->pose.R, d);
    int best = -1;
    *out_cosine = least;
    for (int f = 0; f < c->hull->face_count; f++) {
        const double x = ri_dot(c->hull->faces[f].normal, local);
        if (x > *out_cosine)
            *out_cosine = x, best = f;
    }
    return best;
}

static RiVec3 face_normal(const RiConvex *c, int f)
{
    return ri_rotate(&c->pose.R, c->hull->faces[f].normal);
}

static void load_face(const RiConvex *c, int f, Polygon *out)
{
    const RiHullFace *face = &c->hull->faces[f];
    out->n = face->count;
    for (int k = 0; k < face->count; k++)
        out->p[k] = c->points[c->hull->corners[face->first + k]];
}

/// Copies what is not beyond normal . x = offset. Polygons of two points are segments.
static void clip(const Polygon *x, RiVec3 normal, double offset, Polygon *out)
{
    const int n = x->n, sides = n == 2 ? 1 : n;
    double d[CLIPPED];
    for (int i = 0; i < n; i++)
        d[i] = ri_dot(normal, x->p[i]) - offset;
    out->n = 0;
    for (int i = 0; i < n; i++) {
        const int k = i + 1 < n ? i + 1 : 0;
        if (d[i] <= 0.0)
            out->p[out->n++] = x->p[i];
        if (i < sides && ((d[i] < 0.0 && d[k] > 0.0) || (d[i] > 0.0 && d[k] < 0.0)))
            out->p[out->n++] = ri_add(x->p[i], ri_scale(d[i] / (d[i] - d[k]), ri_sub(x->p[k], x->p[i])));
    }
}

static bool reaches_beyond(const Polygon *x, RiVec3 normal, double offset)
{
    for (int i = 0; i < x->n; i++)
        if (ri_dot(normal, x->p[i]) > offset)
            return true;
    return false;
}

/// Clips to the prism over a face.
static void clip_to_face(const RiConvex *c, int f, Polygon *x)
{
    const RiHullFace *face = &c->hull->faces[f];
    const int *corner = c->hull->corners + face->first;
    const RiVec3 n = face_normal(c, f);
    Polygon other, *from = x, *to = &other;
    for (int k = 0; k < face->count && from->n > 0 && from->n < CLIPPED - 2; k++) {
        const RiVec3 a = c->points[corner[k]], b = c->points[corner[k + 1 < face->count ? k + 1 : 0]];
        const RiVec3 out = ri_cross(ri_sub(b, a), n);
        const double offset = ri_dot(out, a);
        if (!reaches_beyond(from, out, offset))
            continue;
        clip(from, out, offset, to);
        Polygon *swap = from;
        from = to;
        to = swap;
    }
    if (from != x) {
        memcpy(x->p, from->p, (size_t)from->n * sizeof *x->p);
        x->n = from->n;
    }
}

/// Of many points the deepest, the one farthest from it, the one farthest from their line, and the
/// one farthest on the other side of it.
static int pick_four(int n, const RiVec3 *p, const double *depth, RiVec3 normal, int out[RI_MEETS])
{
    if (n <= RI_MEETS) {
        for (int i = 0; i < n; i++)
            out[i] = i;
        return n;
    }
    int a = 0, b = -1, c = -1, d = -1;
    for (int i = 1; i < n; i++)
        a = depth[i] > depth[a] + 1e-9 ? i : a; // ties go to the first, step after step
    double most = -1.0, high = 0.0, low = 0.0;
    for (int i = 0; i < n; i++) {
        const double x = ri_norm(ri_sub(p[i], p[a]));
        if (x > most)
            most = x, b = i;
    }
    const RiVec3 side = ri_cross(normal, ri_sub(p[b], p[a]));
    for (int i = 0; i < n; i++) {
        const double x = ri_dot(side, ri_sub(p[i], p[a]));
        if (x > high)
            high = x, c = i;
        if (x < low)
            low = x, d = i;
    }
    int count = 0;
    const int chosen[RI_MEETS] = {a, b, c, d};
    for (int k = 0; k < RI_MEETS; k++)
        if (chosen[k] >= 0)
            out[count++] = chosen[k];
    return count;
}

/// Points of a clipped side over a reference face: `sign` +1 if the face is B's (its normal points
/// to A). `other` is the clipped body's radius.
static int over_face(const RiConvex *c, int f, double sign, double radius, double margin, const Polygon *x,
                     RiMeet out[RI_MEETS])
{
    const RiVec3 n = face_normal(c, f);
    const double offset = ri_dot(n, c->points[c->hull->corners[c->hull->faces[f].first]]);
    RiVec3 p[CLIPPED];
    double depth[CLIPPED];
    int count = 0, chosen[RI_MEETS];
    for (int i = 0; i < x->n; i++) {
        const double over = ri_dot(n, x->p[i]) - offset;
        depth[count] = radius - over;
        p[count] = ri_sub(x->p[i], ri_scale(0.5 * (over + radius), n));
        count += depth[count] > -margin;
    }
    count = pick_four(count, p, depth, n, chosen);
    for (int k = 0; k < count; k++)
        out[k] = (RiMeet){p[chosen[k]], ri_scale(sign, n), depth[chosen[k]]};
    return count;
}

static int single(const RiConvex *A, const RiConvex *B, const RiNearest *x, double margin, RiMeet out[RI_MEETS])
{
    const double depth = A->hull->radius + B->hull->radius - x->distance;
    if (depth <= -margin)
        return 0;
    const RiVec3 a = ri_sub(x->a, ri_scale(A->hull->radius, x->normal)),
                 b = ri_add(x->b, ri_scale(B->hull->radius, x->normal));
    out[0] = (RiMeet){ri_scale(0.5, ri_add(a, b)), x->normal, depth};
    return 1;
}

static bool is_across(const RiConvex *c, RiVec3 n)
{
    const RiVec3 d = ri_sub(c->points[1], c->points[0]);
    return fabs(ri_dot(d, n)) < ACROSS * ri_norm(d);
}

/// Two segments side by side: the ends of the part that they have in common.
static int along_segments(const RiConvex *A, const RiConvex *B, const RiNearest *x, double margin, RiMeet out[RI_MEETS])
{
    const RiVec3 e = ri_sub(B->points[1], B->points[0]);
    Polygon part, half;
    part.p[0] = A->points[0], part.p[1] = A->points[1], part.n = 2;
    clip(&part, e, ri_dot(e, B->points[1]), &half);
    clip(&half, ri_scale(-1.0, e), -ri_dot(e, B->points[0]), &part);
    if (part.n < 2)
        return single(A, B, x, margin, out);
    int count = 0;
    for (int k = 0; k < 2; k++) {
        const double t = ri_dot(e, ri_sub(part.p[k], B->points[0])) / ri_dot(e, e);
        RiNearest y = {.a = part.p[k], .b = ri_add(B->points[0], ri_scale(t, e))};
        const RiVec3 v = ri_sub(y.a, y.b);
        y.distance = ri_norm(v);
        if (y.distance < 1e-9 * ri_norm(e))
            return single(A, B, x, margin, out);
        y.normal = ri_scale(1.0 / y.distance, v);
        count += single(A, B, &y, margin, out + count);
    }
    return count;
}

static int two_capsules(const RiConvex *A, const RiConvex *B, const RiNearest *x, double margin, RiMeet out[RI_MEETS])
{
    if (A->hull->point_count < 2 || B->hull->point_count < 2)
        return single(A, B, x, margin, out);
    const RiVec3 d = ri_sub(A->points[1], A->points[0]), e = ri_sub(B->points[1], B->points[0]);
    const bool parallel = ri_norm(ri_cross(d, e)) < ACROSS * ri_norm(d) * ri_norm(e);
    return parallel ? along_segments(A, B, x, margin, out) : single(A, B, x, margin, out);
}

/// A polytope's face under the other body's face or segment.
static int on_face(const RiConvex *A, const RiConvex *B, const RiNearest *x, double margin, RiMeet out[RI_MEETS])
{
    double cos_a, cos_b, unused;
    const RiVec3 down = ri_scale(-1.0, x->normal);
    const int fa = face_along(A, down, ALONG, &cos_a), fb = face_along(B, x->normal, ALONG, &cos_b);
    if (fa < 0 && fb < 0)
        return single(A, B, x, margin, out);
    const bool of_b = fb >= 0 && (fa < 0 || cos_b >= cos_a - 1e-6); // ties go to B, step after step
    const RiConvex *under = of_b ? B : A, *over = of_b ? A : B;
    const int face = of_b ? fb : fa, points = over->hull->point_count;
    Polygon side;
    side.n = 0;
    if (points == 2 && is_across(over, x->normal)) {
        side.p[0] = over->points[0], side.p[1] = over->points[1], side.n = 2;
    } else if (points > 2) {
        const int other = face_along(over, of_b ? down : x->normal, INCIDENT, &unused);
        if (other >= 0)
            load_face(over, other, &side);
    }
    if (side.n == 0)
        return single(A, B, x, margin, out);
    clip_to_face(under, face, &side);
    const int count = over_face(under, face, of_b ? 1.0 : -1.0, over->hull->radius, margin, &side, out);
    return count > 0 ? count : single(A, B, x, margin, out);
}

/// How far apart the hulls are along a direction.
static double gap_along(const RiConvex *A, const RiConvex *B, RiVec3 n)
{
    const double a = ri_dot(n, A->points[ri_convex_support(A, ri_scale(-1.0, n))]);
    const double b = ri_dot(n, B->points[ri_convex_support(B, n)]);
    return a - b - A->hull->radius - B->hull->radius;
}

int ri_convex_meet(const RiConvex *A, const RiConvex *B, double margin, RiVec3 *axis, RiMeet out[RI_MEETS])
{
    RiVec3 guess = *axis;
    if (ri_dot(guess, guess) == 0.0)
        guess = ri_sub(ri_pose_point(&A->pose, A->hull->centre), ri_pose_point(&B->pose, B->hull->centre));
    const double size = ri_norm(guess);
    guess = size > 0.0 ? ri_scale(1.0 / size, guess) : ri_vec3(0.0, 0.0, 1.0);
    *axis = guess;
    if (gap_along(A, B, guess) > margin)
        return 0;
    const RiNearest x = ri_convex_nearest(A, B, guess);
    *axis = x.normal;
    if (x.distance - A->hull->radius - B->hull->radius > margin)
        return 0;
    const bool plain = A->hull->face_count == 0 && B->hull->face_count == 0;
    return plain ? two_capsules(A, B, &x, margin, out) : on_face(A, B, &x, margin, out);
}
