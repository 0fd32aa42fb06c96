// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convex bodies: how they are made, and where two of them are nearest or overlap.
///
///     points, meshes --(qhull, decomposition)--> hulls --(posed)--> GJK distance, EPA depth --> manifold of up to four points
///
/// A hull is a polytope swept by a ball: a sphere is a point with a radius, a capsule a segment
/// with one, boxes and hulls of meshes have none. Theory: docs/theory/hulls.md. Tests:
/// tests/contact/test_hull.c.
#ifndef RI_CONTACT_HULL_H
#define RI_CONTACT_HULL_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>
#include <rille/math.h>

#include "base/memory.h"

enum { RI_HULL_POINTS = 64 }; ///< of a hull, at most

/// A flat side: normal . x <= offset within the hull, corners counter-clockwise from outside.
typedef struct RiHullFace {
    RiVec3 normal;
    double offset;
    int first, count; ///< of RiHull.corners
} RiHullFace;

typedef struct RiHull {
    RiVec3 *points;
    RiHullFace *faces;
    int *corners;
    int point_count, face_count;
    double radius;       ///< of the ball that sweeps it [m]
    RiVec3 centre, half; ///< box around the points
} RiHull;

/// Hull of points, in an arena. Beyond `most` corners the ones farthest from each other are kept,
/// so it lies within the exact one. RI_ERR_ARGUMENT: fewer than four points that span a volume; the
/// message has no subject, the caller names it.
RI_MUST_CHECK RiStatus ri_hull_create(RiArena *arena, int count, const RiVec3 *points, int most, RiHull *out);
/// Shapes, centred at a pose. A cylinder is a prism of `sides` sides about the pose's z axis whose
/// sides are as often outside of it as inside.
RI_MUST_CHECK RiStatus ri_hull_box(RiArena *arena, const RiPose *pose, RiVec3 size, RiHull *out);
RI_MUST_CHECK RiStatus ri_hull_cylinder(RiArena *arena, const RiPose *pose, double radius, double length, int sides,
                                        RiHull *out);
/// A sphere for length 0; the length is that of the segment.
RI_MUST_CHECK RiStatus ri_hull_capsule(RiArena *arena, const RiPose *pose, double radius, double length, RiHull *out);
double ri_hull_volume(const RiHull *hull); ///< of the polytope, without the radius [m^3]
/// How deep a point is below the polytope's surface; negative: outside of some face by that much
/// [m].
double ri_hull_depth(const RiHull *hull, RiVec3 p);

/// `count` of n points, far from each other: each next one is the farthest from those chosen, the
/// first the farthest from the middle. Fewer where no others are left; returns how many.
int ri_spread_points(int n, const RiVec3 *points, int count, double *distance, int *out_chosen);

/// What a triangle mesh is made of; indices are not checked here.
typedef struct RiTriangleSet {
    const RiVec3 *points;
    const uint32_t (*triangles)[3];
    int point_count, triangle_count;
} RiTriangleSet;

typedef struct RiDecomposition {
    double tolerance; ///< how deep the mesh's surface may lie below that of its hulls [m]
    int most;         ///< hulls
    int corners;      ///< of each hull, at most
} RiDecomposition;

/// Convex hulls that cover a mesh. RI_ERR_ARGUMENT: no volume; RI_ERR_LIMIT: more hulls needed than
/// `most`, with what was reached. The message has no subject.
RI_MUST_CHECK RiStatus ri_hull_decompose(RiArena *arena, const RiTriangleSet *mesh, const RiDecomposition *how,
                                         RiHull **out_hulls, int *out_count);

// --- two of them ---------------------------------------------------------------------------------

/// A hull in its place: the points in the world, and the rotation for its faces.
typedef struct RiConvex {
    const RiHull *hull;
    const RiVec3 *points;
    RiPose pose;
} RiConvex;

/// Where two hulls without their radii are nearest, or how they overlap.
typedef struct RiNearest {
    RiVec3 a, b;     ///< points of either, a - b = distance normal
    RiVec3 normal;   ///< unit, from b's hull to a's
    double distance; ///< negative: the least translation that parts them [m]
} RiNearest;

/// `guess` is a direction from B to A to start from, of any length but 0.
RiNearest ri_convex_nearest(const RiConvex *A, const RiConvex *B, RiVec3 guess);
/// Part of the above for overlapping polytopes. `seeds` are points of A and B whose differences
/// enclose the origin; NULL: none are known.
RiNearest ri_convex_depth(const RiConvex *A, const RiConvex *B, const int seeds[4][2]);

/// The index of the point farthest along d.
static inline int ri_convex_support(const RiConvex *c, RiVec3 d)
{
    int best = 0;
    double most = ri_dot(c->points[0], d);
    for (int i = 1; i < c->hull->point_count; i++) {
        const double x = ri_dot(c->points[i], d);
        if (x > most)
            most = x, best = i;
    }
    return best;
}

enum { RI_MEETS = 4 }; ///< points of one pair of hulls, at most

/// One of the points where two hulls meet.
typedef struct RiMeet {
    RiVec3 point;  ///< half-way between the surfaces
    RiVec3 normal; ///< from B to A
    double depth;  ///< negative: a gap [m]
} RiMeet;

/// Points where A and B touch or are nearer than `margin`. `axis` comes as a guess, the normal of
/// the last time or zero, and leaves as the normal. Returns how many.
int ri_convex_meet(const RiConvex *A, const RiConvex *B, double margin, RiVec3 *axis, RiMeet out[RI_MEETS]);

#endif
