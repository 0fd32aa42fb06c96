// SPDX-License-Identifier: Apache-2.0
/// \file
/// Embree: which triangles may be closest, which one a ray may hit. Its instruction set is pinned,
/// as the bits of its hits depend on it.
#include "terrain/mesh.h"

#ifdef RILLE_HAVE_EMBREE

#include <float.h>

#include <embree3/rtcore.h>

/// Rounding of coordinates to single precision, as a distance.
static double rounding(const RiMeshTerrain *m, RiVec3 p)
{
    return 4.0 * FLT_EPSILON * (m->scale + fabs(p.x) + fabs(p.y) + fabs(p.z));
}

static RiStatus embree_error(const RiMeshTerrain *m, RTCDevice device)
{
    const enum RTCError code = rtcGetDeviceError(device);
    if (code == RTC_ERROR_OUT_OF_MEMORY)
        return ri_error_memory(m->terrain.ctx);
    return ri_error(m->terrain.ctx, RI_ERR_UNSUPPORTED, "mesh terrain: Embree failed with error %d", (int)code);
}

static RTCGeometry make_geometry(const RiMeshTerrain *m, RTCDevice device)
{
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!g)
        return NULL;
    float(*points)[3] =
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, (size_t)m->point_count);
    uint32_t(*triangles)[3] =
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, (size_t)m->triangle_count);
    if (!points || !triangles) {
        rtcReleaseGeometry(g);
        return NULL;
    }
    for (int i = 0; i < m->point_count; i++) {
        points[i][0] = (float)m->points[i].x;
        points[i][1] = (float)m->points[i].y;
        points[i][2] = (float)m->points[i].z;
    }
    for (int i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            triangles[i][k] = m->triangles[i][k];
    rtcCommitGeometry(g);
    return g;
}

RiStatus ri_mesh_scene_create(RiMeshTerrain *m)
{
    RTCDevice device = rtcNewDevice("isa=avx2,threads=1");
    if (!device)
        device = rtcNewDevice("isa=sse2,threads=1");
    if (!device)
        return embree_error(m, NULL);
    m->device = device;
    RTCScene scene = rtcNewScene(device);
    m->scene = scene;
    RTCGeometry g = scene ? make_geometry(m, device) : NULL;
    if (!g)
        return embree_error(m, device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    rtcAttachGeometry(scene, g);
    rtcReleaseGeometry(g);
    rtcCommitScene(scene);
    return rtcGetDeviceError(device) == RTC_ERROR_NONE ? RI_OK : embree_error(m, device);
}

void ri_mesh_scene_destroy(RiMeshTerrain *m)
{
    if (m->scene)
        rtcReleaseScene(m->scene);
    if (m->device)
        rtcReleaseDevice(m->device);
}

typedef struct Search {
    const RiMeshTerrain *m;
    RiVec3 p;
    double slack;
    RiClosest best;
    int triangle;
} Search;

static bool try_triangle(struct RTCPointQueryFunctionArguments *args)
{
    Search *s = args->userPtr;
    const RiClosest c = ri_triangle_closest(&s->m->corners[args->primID], s->p);
    if (c.d2 > s->best.d2 || (c.d2 == s->best.d2 && (int)args->primID >= s->triangle && s->triangle >= 0))
        return false;
    s->best = c;
    s->triangle = (int)args->primID;
    const float radius = (float)(sqrt(c.d2) + s->slack); // equals are still visited
    if (radius >= args->query->radius)
        return false;
    args->query->radius = radius;
    return true;
}

int ri_mesh_closest(const RiMeshTerrain *m, RiVec3 p, double radius, RiClosest *out)
{
    Search s = {.m = m, .p = p, .slack = rounding(m, p), .triangle = RI_NO_TRIANGLE};
    s.best.d2 = radius < 1e150 ? radius * radius : INFINITY;
    struct RTCPointQuery query = {
        .x = (float)p.x, .y = (float)p.y, .z = (float)p.z, .radius = (float)(fmin(radius, FLT_MAX / 4) + s.slack)};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(m->scene, &query, &context, try_triangle, &s);
    *out = s.best;
    return s.triangle;
}

typedef struct Collection {
    int count, capacity;
    uint32_t *out;
} Collection;

static bool take_triangle(struct RTCPointQueryFunctionArguments *args)
{
    Collection *c = args->userPtr;
    if (c->count < c->capacity)
        c->out[c->count] = args->primID;
    if (c->count++ < c->capacity)
        return false;
    args->query->radius = 0.0f; // enough
    return true;
}

int ri_mesh_collect(const RiMeshTerrain *m, RiVec3 p, double radius, int capacity, uint32_t *out)
{
    Collection c = {.capacity = capacity, .out = out};
    struct RTCPointQuery query = {
        .x = (float)p.x, .y = (float)p.y, .z = (float)p.z, .radius = (float)(radius + rounding(m, p))};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(m->scene, &query, &context, take_triangle, &c);
    return c.count;
}

/// Where the ray passes the triangle's plane, in double precision.
static double plane_range(const RiMeshTerrain *m, int triangle, RiVec3 p, RiVec3 direction)
{
    const RiVec3 n = m->face_normal[triangle];
    return ri_dot(ri_sub(m->corners[triangle].a, p), n) / ri_dot(direction, n);
}

int ri_mesh_hit(const RiMeshTerrain *m, RiVec3 p, RiVec3 direction, double near, double range, double *out_s)
{
    struct RTCIntersectContext context;
    struct RTCRayHit r = {.ray = {.org_x = (float)p.x,
                                  .org_y = (float)p.y,
                                  .org_z = (float)p.z,
                                  .tnear = (float)near,
                                  .dir_x = (float)direction.x,
                                  .dir_y = (float)direction.y,
                                  .dir_z = (float)direction.z,
                                  .tfar = (float)fmin(range, FLT_MAX / 4),
                                  .mask = (unsigned)-1}};
    r.hit.geomID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcInitIntersectContext(&context);
    rtcIntersect1(m->scene, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return RI_NO_TRIANGLE;
    const int triangle = (int)r.hit.primID;
    const double s = plane_range(m, triangle, p, direction);
    const double slack = 1e3 * rounding(m, p) / fmax(ri_norm(direction), 1e-300);
    *out_s = fabs(s - (double)r.ray.tfar) < slack ? s : (double)r.ray.tfar; // a ray along the plane: Embree's word
    return triangle;
}

#else

RiStatus ri_mesh_scene_create(RiMeshTerrain *m)
{
    return ri_error(
        m->terrain.ctx, RI_ERR_UNSUPPORTED,
        "mesh terrain: this build has no Embree; install libembree-dev (tools/need.sh core) and build again");
}

void ri_mesh_scene_destroy(RiMeshTerrain *m)
{
    (void)m;
}

int ri_mesh_closest(const RiMeshTerrain *m, RiVec3 p, double radius, RiClosest *out)
{
    (void)m, (void)p, (void)radius;
    *out = (RiClosest){.d2 = INFINITY};
    return RI_NO_TRIANGLE;
}

int ri_mesh_collect(const RiMeshTerrain *m, RiVec3 p, double radius, int capacity, uint32_t *out)
{
    (void)m, (void)p, (void)radius, (void)capacity, (void)out;
    return 0;
}

int ri_mesh_hit(const RiMeshTerrain *m, RiVec3 p, RiVec3 direction, double near, double range, double *out_s)
{
    (void)m, (void)p, (void)direction, (void)near, (void)range;
    *out_s = 0.0;
    return RI_NO_TRIANGLE;
}

#endif
