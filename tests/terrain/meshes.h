// SPDX-License-Identifier: Apache-2.0
/// \file
/// Meshes built in code for the tests of mesh terrain: closed, open and broken ones whose ideal
/// shapes are known.
#ifndef RI_TESTS_TERRAIN_MESHES_H
#define RI_TESTS_TERRAIN_MESHES_H

#include <stdlib.h>
#include <string.h>

#include <rille/terrain.h>

#include "base/rng.h"

typedef struct TestMesh {
    RiVec3 *points;
    uint32_t (*triangles)[3];
    int point_count, triangle_count;
} TestMesh;

static inline void mesh_free(TestMesh *m)
{
    free(m->points);
    free(m->triangles);
}

static inline RiGroundMeshDef mesh_def(const TestMesh *m)
{
    return (RiGroundMeshDef){.points = m->points,
                             .triangles = (const uint32_t(*)[3])m->triangles,
                             .point_count = m->point_count,
                             .triangle_count = m->triangle_count};
}

/// A patch of nu x nv quads over a map; closed in u or v if the map is periodic and `wrap` says so
/// (points are then merged by the library).
typedef RiVec3 (*SurfaceMap)(double u, double v, const double *size);

static inline TestMesh mesh_patch(SurfaceMap map, const double *size, int nu, int nv)
{
    TestMesh m = {malloc((size_t)(nu + 1) * (size_t)(nv + 1) * sizeof(RiVec3)),
                  malloc((size_t)(2 * nu * nv) * sizeof *m.triangles), (nu + 1) * (nv + 1), 2 * nu * nv};
    for (int j = 0; j <= nv; j++)
        for (int i = 0; i <= nu; i++)
            m.points[j * (nu + 1) + i] = map((double)(i % nu == 0 && i ? (size[7] > 0.0 ? 0 : nu) : i) / nu,
                                             (double)(j == nv && size[6] > 0.0 ? 0 : j) / nv, size);
    for (int j = 0; j < nv; j++)
        for (int i = 0; i < nu; i++) {
            const uint32_t a = (uint32_t)(j * (nu + 1) + i), b = a + 1, c = a + (uint32_t)nu + 1, d = c + 1;
            memcpy(m.triangles[2 * (j * nu + i)], (uint32_t[3]){a, b, d}, 12);
            memcpy(m.triangles[2 * (j * nu + i) + 1], (uint32_t[3]){a, d, c}, 12);
        }
    return m;
}

#define TAU 6.283185307179586

/// size: 0 radius; u around (wraps), v from pole to pole.
static inline RiVec3 map_sphere(double u, double v, const double *size)
{
    const double s = v == 0.0 || v == 1.0 ? 0.0 : sin(0.5 * TAU * v);
    return ri_vec3(size[0] * s * cos(TAU * u), size[0] * s * sin(TAU * u), -size[0] * cos(0.5 * TAU * v));
}

/// size: 0 large radius, 1 small radius; both wrap.
static inline RiVec3 map_torus(double u, double v, const double *size)
{
    const double r = size[0] + size[1] * cos(TAU * v);
    return ri_vec3(r * cos(TAU * u), r * sin(TAU * u), size[1] * sin(TAU * v));
}

/// size: 0 radius, 1 length; open at both ends, free inside (u wraps backwards).
static inline RiVec3 map_tube(double u, double v, const double *size)
{
    return ri_vec3(size[0] * cos(-TAU * u), size[0] * sin(-TAU * u), size[1] * (v - 0.5));
}

/// size: 0 radius, 1 length: the lower half of a tube along y, an open channel.
static inline RiVec3 map_channel(double u, double v, const double *size)
{
    const double angle = 0.5 * TAU * (1.0 + u);
    return ri_vec3(size[0] * cos(angle), size[1] * (v - 0.5), size[0] * sin(angle));
}

/// size: 0 width, 1 height of waves: a scan of the ground.
static inline RiVec3 map_ground(double u, double v, const double *size)
{
    const double x = size[0] * (u - 0.5), y = size[0] * (v - 0.5);
    return ri_vec3(x, y, size[1] * sin(3.0 * x) * cos(2.0 * y));
}

static inline TestMesh mesh_box(RiVec3 low, RiVec3 high)
{
    static const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    TestMesh m = {malloc(8 * sizeof(RiVec3)), malloc(sizeof faces), 8, 12};
    for (int i = 0; i < 8; i++)
        m.points[i] = ri_vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    memcpy(m.triangles, faces, sizeof faces);
    return m;
}

static inline TestMesh mesh_join(TestMesh a, TestMesh b)
{
    TestMesh m = {malloc((size_t)(a.point_count + b.point_count) * sizeof(RiVec3)),
                  malloc((size_t)(a.triangle_count + b.triangle_count) * sizeof *m.triangles),
                  a.point_count + b.point_count, a.triangle_count + b.triangle_count};
    memcpy(m.points, a.points, (size_t)a.point_count * sizeof *m.points);
    memcpy(m.points + a.point_count, b.points, (size_t)b.point_count * sizeof *m.points);
    memcpy(m.triangles, a.triangles, (size_t)a.triangle_count * sizeof *m.triangles);
    for (int i = 0; i < b.triangle_count; i++)
        for (int k = 0; k < 3; k++)
            m.triangles[a.triangle_count + i][k] = b.triangles[i][k] + (uint32_t)a.point_count;
    mesh_free(&a);
    mesh_free(&b);
    return m;
}

/// Takes every n-th triangle away (holes), turns every n-th round, or gives it twice.
static inline TestMesh mesh_break(TestMesh m, int holes, int turned, int twice)
{
    TestMesh r = {m.points, malloc((size_t)(2 * m.triangle_count) * sizeof *r.triangles), m.point_count, 0};
    for (int i = 0; i < m.triangle_count; i++) {
        if (holes && i % holes == holes / 2)
            continue;
        uint32_t *t = r.triangles[r.triangle_count++];
        memcpy(t, m.triangles[i], 12);
        if (turned && i % turned == turned / 3) {
            t[1] = m.triangles[i][2];
            t[2] = m.triangles[i][1];
        }
        if (twice && i % twice == 0)
            memcpy(r.triangles[r.triangle_count++], t, 12);
    }
    free(m.triangles);
    return r;
}

#endif
