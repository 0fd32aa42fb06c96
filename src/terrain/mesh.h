// SPDX-License-Identifier: Apache-2.0
/// \file
/// A triangle mesh as terrain.
///
///     points, triangles --(mesh_build.c: merge, drop, turn round, neighbours, pseudo-normals)--> RiMeshTerrain
///                       --(mesh_scene.c: Embree)--> closest triangle, rays      --(mesh_sign.c)--> sign
///
/// All coordinates are relative to `origin`, the middle of the bounds: Embree works in single
/// precision. Embree only says which triangles come into question; distances, closest points and
/// signs are computed here in double precision, so the answer does not depend on its instruction
/// set.
#ifndef RI_TERRAIN_MESH_H
#define RI_TERRAIN_MESH_H

#include "terrain/terrain.h"

/// What is known about the sides of the surface at an edge or a point.
enum {
    RI_SIDE_CLEAN,  ///< a proper surface with two sides
    RI_SIDE_OPEN,   ///< a border
    RI_SIDE_TANGLED ///< three or more triangles at an edge, sides that contradict, several sheets at a point
};

enum { RI_NO_TRIANGLE = -1, RI_TANGLED_EDGE = -2 };

typedef struct RiMeshTriangle {
    RiVec3 a, b, c;
} RiMeshTriangle;

typedef struct RiMeshTerrain {
    RiTerrain terrain;
    RiVec3 origin;    ///< [m]
    RiVec3 low, high; ///< relative to origin
    double scale;     ///< half diagonal of the bounds [m]
    int point_count, triangle_count;
    RiVec3 *points;
    uint32_t (*triangles)[3];
    RiMeshTriangle *corners; ///< the triangles' points side by side: one place in memory for each closest-point test
    RiVec3 *face_normal;     ///< unit
    RiVec3 *point_normal;    ///< angle-weighted sum of face normals
    int32_t (*neighbour)[3]; ///< triangle across the edge from corner k to k + 1; RI_NO_TRIANGLE, RI_TANGLED_EDGE
    uint8_t *side;           ///< of the points: RI_SIDE_*
    long long dropped, reversed;
    int open_edges, tangled_edges;
    bool closed;   ///< every edge is passed as often in one direction as in the other: the winding number is whole
    bool overlaps; ///< closed, but parts lie within each other: only the winding number tells the side
    double volume; ///< enclosed by a closed mesh: positive ground, negative free space
    struct RiWindingNode *winding;
    int winding_count;
    uint32_t *winding_order; ///< triangles, leaf by leaf
    void *device, *scene;    ///< Embree's
} RiMeshTerrain;

/// Closest point of a triangle.
typedef struct RiClosest {
    RiVec3 point;
    double d2;   ///< squared distance
    int feature; ///< 0..2 corner, 3..5 edge from corner k - 3, 6 face
} RiClosest;

/// By the regions of the plane around the triangle [ericson2005].
static inline RiClosest ri_triangle_closest(const RiMeshTriangle *t, RiVec3 p)
{
    const RiVec3 ab = ri_sub(t->b, t->a), ac = ri_sub(t->c, t->a);
    const RiVec3 ap = ri_sub(p, t->a), bp = ri_sub(p, t->b), cp = ri_sub(p, t->c);
    const double d1 = ri_dot(ab, ap), d2 = ri_dot(ac, ap), d3 = ri_dot(ab, bp), d4 = ri_dot(ac, bp);
    const double d5 = ri_dot(ab, cp), d6 = ri_dot(ac, cp);
    const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    double v, w;
    int feature;
    if (d1 <= 0.0 && d2 <= 0.0)
        v = 0.0, w = 0.0, feature = 0;
    else if (d3 >= 0.0 && d4 <= d3)
        v = 1.0, w = 0.0, feature = 1;
    else if (d6 >= 0.0 && d5 <= d6)
        v = 0.0, w = 1.0, feature = 2;
    else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        v = d1 / (d1 - d3), w = 0.0, feature = 3;
    else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1.0 - w, feature = 4;
    else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        v = 0.0, w = d2 / (d2 - d6), feature = 5;
    else {
        const double k = 1.0 / (va + vb + vc);
        v = vb * k, w = vc * k, feature = 6;
    }
    RiClosest r = {.feature = feature};
    r.point = ri_add(t->a, ri_add(ri_scale(v, ab), ri_scale(w, ac)));
    const RiVec3 e = ri_sub(p, r.point);
    r.d2 = ri_dot(e, e);
    return r;
}

/// Whether t is a mesh terrain.
bool ri_terrain_is_mesh(const RiTerrain *t);

// --- building ------------------------------------------------------------------------------------

/// Copies and repairs the mesh; everything but Embree's scene and the winding tree. `work` is
/// scratch that may be freed afterwards.
RI_MUST_CHECK RiStatus ri_mesh_build(RiMeshTerrain *m, const RiGroundMeshDef *def, RiArena *work);

// --- Embree --------------------------------------------------------------------------------------

RI_MUST_CHECK RiStatus ri_mesh_scene_create(RiMeshTerrain *m);
void ri_mesh_scene_destroy(RiMeshTerrain *m);
/// Triangle closest to p (relative to origin) among those nearer than `radius`, the first of
/// equals; RI_NO_TRIANGLE if there is none.
int ri_mesh_closest(const RiMeshTerrain *m, RiVec3 p, double radius, RiClosest *out);
/// Numbers of all triangles whose box comes within `radius` of p, in no order; more than `capacity`
/// if there are more.
int ri_mesh_collect(const RiMeshTerrain *m, RiVec3 p, double radius, int capacity, uint32_t *out);
/// First triangle hit by the ray with near <= s <= range (relative to origin); RI_NO_TRIANGLE if
/// there is none.
int ri_mesh_hit(const RiMeshTerrain *m, RiVec3 p, RiVec3 direction, double near, double range, double *out_s);

// --- sides ---------------------------------------------------------------------------------------

/// Generalised winding number of the mesh about p: 1 inside a closed mesh that is seen
/// counter-clockwise from outside, 0 outside.
double ri_mesh_winding(const RiMeshTerrain *m, RiVec3 p);
RI_MUST_CHECK RiStatus ri_mesh_winding_create(RiMeshTerrain *m);
/// Distance with sign, normal and flags at p, whose closest triangle is known.
void ri_mesh_surface(const RiMeshTerrain *m, RiVec3 p, int triangle, const RiClosest *at, RiSurface *out);
/// Compares the winding number with the pseudo-normals at points around the mesh: sets `overlaps`.
void ri_mesh_find_overlaps(RiMeshTerrain *m);

#endif
