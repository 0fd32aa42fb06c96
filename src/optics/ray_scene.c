// SPDX-License-Identifier: Apache-2.0
/// \file
/// Building the ray scene: surfaces, bodies, poses, updates. Embree's instruction set is pinned, as
/// the bits of its hits depend on it.
#include "optics/ray_scene.h"

#ifdef RILLE_HAVE_EMBREE

#include <math.h>
#include <string.h>

#include "optics/ray_embree.h"
#include "optics/ray_shape.h"

enum { MOST_BODIES = 100000, MOST_SURFACES = 10000 };

RiStatus ri_ray_error(const RiRayScene *s)
{
    const enum RTCError code = rtcGetDeviceError(s->device);
    if (code == RTC_ERROR_OUT_OF_MEMORY)
        return ri_error_memory(s->ctx);
    return code == RTC_ERROR_NONE
               ? RI_OK
               : ri_error(s->ctx, RI_ERR_UNSUPPORTED, "rays: Embree failed with error %d", (int)code);
}

/// A scene as an instance of the top scene under a fixed number.
static void *add_instance(RiRayScene *s, void *scene, unsigned id)
{
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_INSTANCE);
    if (!g)
        return NULL;
    rtcSetGeometryInstancedScene(g, scene);
    rtcSetGeometryMask(g, RI_RAY_PHYSICAL);
    rtcCommitGeometry(g);
    rtcAttachGeometryByID(s->top, g, id);
    return g; // the caller releases it in the end
}

static RiStatus create_scenes(RiRayScene *s)
{
    s->device = rtcNewDevice("isa=avx2,threads=1");
    if (!s->device)
        s->device = rtcNewDevice("isa=sse2,threads=1");
    if (!s->device)
        return ri_error(s->ctx, RI_ERR_UNSUPPORTED, "rays: Embree finds no instruction set that it can use");
    s->top = rtcNewScene(s->device);
    s->ground = rtcNewScene(s->device);
    s->ruts = rtcNewScene(s->device);
    RI_TRY(ri_ray_error(s));
    rtcSetSceneFlags(s->ground, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneFlags(s->ruts, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(s->ruts, RTC_BUILD_QUALITY_LOW);
    rtcSetSceneFlags(s->top, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
    rtcCommitScene(s->ground);
    rtcCommitScene(s->ruts);
    s->ruts_instance = add_instance(s, s->ruts, RI_RAY_INST_RUTS);
    rtcCommitScene(s->top);
    return ri_ray_error(s);
}

RiStatus ri_ray_scene_create(RiContext *ctx, RiRayScene **out_scene)
{
    *out_scene = NULL;
    RiRayScene *s = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    s->ctx = ctx;
    ri_arena_init(&s->arena, ctx);
    const RiStatus status = create_scenes(s);
    if (status != RI_OK)
        ri_ray_scene_destroy(s);
    else
        *out_scene = s;
    return status;
}

static void release_scene(void *scene)
{
    if (scene)
        rtcReleaseScene(scene);
}

static void release_geometry(void *geometry)
{
    if (geometry)
        rtcReleaseGeometry(geometry);
}

static void free_body(RiRayScene *s, RiRayBody *b)
{
    release_geometry(b->instance);
    release_scene(b->scene);
    ri_release(s->ctx, b->parts);
}

void ri_ray_scene_destroy(RiRayScene *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->body_count; i++)
        free_body(s, &s->bodies[i]);
    ri_ray_ruts_free(s);
    ri_ray_ground_free(s);
    release_geometry(s->ruts_instance);
    release_scene(s->ruts);
    release_scene(s->ground);
    release_scene(s->top);
    if (s->device)
        rtcReleaseDevice(s->device);
    ri_release(s->ctx, s->bodies);
    ri_release(s->ctx, s->surfaces);
    ri_arena_free(&s->arena);
    ri_release(s->ctx, s);
}

RiStatus ri_ray_scene_add_surface(RiRayScene *s, const char *name, const float albedo[3], int *out_surface)
{
    for (int i = 0; i < s->surface_count; i++)
        if (strcmp(s->surfaces[i].name, name) == 0) {
            *out_surface = i;
            return RI_OK;
        }
    *out_surface = 0;
    if (s->surface_count >= MOST_SURFACES)
        return ri_error(s->ctx, RI_ERR_LIMIT, "rays: more than %d surfaces", MOST_SURFACES);
    RI_TRY(ri_grow(s->ctx, &s->surfaces, s->surface_count, &s->surface_capacity, 16, sizeof *s->surfaces));
    RiRaySurface *surface = &s->surfaces[s->surface_count];
    *surface = (RiRaySurface){.name = ri_arena_string(&s->arena, name)};
    if (!surface->name)
        return ri_error_memory(s->ctx);
    memcpy(surface->albedo, albedo, sizeof surface->albedo);
    *out_surface = s->surface_count++;
    return RI_OK;
}

int ri_ray_scene_surface_count(const RiRayScene *s)
{
    return s->surface_count;
}

const RiRaySurface *ri_ray_scene_surface(const RiRayScene *s, int surface)
{
    return &s->surfaces[surface];
}

void ri_ray_scene_set_albedo(RiRayScene *s, int surface, const float albedo[3])
{
    memcpy(s->surfaces[surface].albedo, albedo, sizeof s->surfaces[surface].albedo);
}

// --- bodies --------------------------------------------------------------------------------------

RiStatus ri_ray_scene_add_body(RiRayScene *s, const char *name, int link, unsigned mask, int *out_body)
{
    *out_body = 0;
    if (s->body_count >= MOST_BODIES)
        return ri_error(s->ctx, RI_ERR_LIMIT, "rays: more than %d bodies", MOST_BODIES);
    RI_TRY(ri_grow(s->ctx, &s->bodies, s->body_count, &s->body_capacity, 16, sizeof *s->bodies));
    RiRayBody *b = &s->bodies[s->body_count];
    *b = (RiRayBody){.name = ri_arena_string(&s->arena, name),
                     .link = link,
                     .mask = mask,
                     .pose = ri_pose_identity(),
                     .dirty_shape = true,
                     .dirty_pose = true};
    if (!b->name)
        return ri_error_memory(s->ctx);
    b->scene = rtcNewScene(s->device);
    RI_TRY(ri_ray_error(s));
    rtcSetSceneFlags(b->scene, RTC_SCENE_FLAG_ROBUST);
    b->instance = add_instance(s, b->scene, (unsigned)(RI_RAY_INST_BODIES + s->body_count));
    if (!b->instance) {
        release_scene(b->scene);
        return ri_error_memory(s->ctx);
    }
    rtcSetGeometryMask(b->instance, mask);
    *out_body = s->body_count++;
    return ri_ray_error(s);
}

static bool sizes_are_good(const RiRayShape *shape)
{
    static const int counts[] = {[RI_RAY_SPHERE] = 1, [RI_RAY_CYLINDER] = 2, [RI_RAY_CAPSULE] = 2,
                                 [RI_RAY_BOX] = 3,    [RI_RAY_PLANE] = 0,    [RI_RAY_MESH] = 0};
    for (int i = 0; i < counts[shape->type]; i++)
        if (!(shape->size[i] > 0.0 && isfinite(shape->size[i])))
            return false;
    return true;
}

/// Normals at points: the mean of the triangles around them, weighted by area.
static RiStatus smooth_normals(RiRayScene *s, RiRayPart *p)
{
    p->normals = ri_arena_alloc(&s->arena, (size_t)p->point_count + 1, sizeof *p->normals);
    if (!p->normals)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < p->triangle_count; i++) {
        const uint32_t *t = p->triangles[i];
        const RiVec3 n = ri_cross(ri_sub(p->points[t[1]], p->points[t[0]]), ri_sub(p->points[t[2]], p->points[t[0]]));
        for (int k = 0; k < 3; k++)
            p->normals[t[k]] = ri_add(p->normals[t[k]], n);
    }
    return RI_OK;
}

static RiStatus copy_mesh(RiRayScene *s, const RiRayShape *shape, RiRayPart *p)
{
    p->point_count = shape->point_count;
    p->triangle_count = shape->triangle_count;
    p->points = ri_arena_alloc(&s->arena, (size_t)p->point_count + 1, sizeof *p->points);
    p->triangles = ri_arena_alloc(&s->arena, (size_t)p->triangle_count + 1, sizeof *p->triangles);
    if (!p->points || !p->triangles)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < p->point_count; i++) {
        const RiVec3 v = shape->points[i];
        p->points[i] = ri_pose_point(&p->pose, ri_vec3(v.x * p->size[0], v.y * p->size[1], v.z * p->size[2]));
        if (!isfinite(p->points[i].x + p->points[i].y + p->points[i].z))
            return ri_error(s->ctx, RI_ERR_ARGUMENT, "rays: point %d of a mesh is not finite", i);
    }
    for (int i = 0; i < p->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            p->triangles[i][k] = shape->triangles[i][k];
            if (p->triangles[i][k] >= (uint32_t)p->point_count)
                return ri_error(s->ctx, RI_ERR_ARGUMENT,
                                "rays: triangle %d of a mesh names a point that does not exist", i);
        }
    return shape->smooth ? smooth_normals(s, p) : RI_OK;
}

RiStatus ri_ray_scene_add_shape(RiRayScene *s, int body, const RiRayShape *shape)
{
    RiRayBody *b = &s->bodies[body];
    if (!sizes_are_good(shape))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "rays: a shape of '%s' has a size that is not positive", b->name);
    RI_TRY(ri_grow(s->ctx, &b->parts, b->part_count, &b->part_capacity, 16, sizeof *b->parts));
    RiRayPart *p = ri_arena_alloc(&s->arena, 1, sizeof *p);
    if (!p)
        return ri_error_memory(s->ctx);
    *p = (RiRayPart){.type = shape->type, .pose = shape->pose, .surface = shape->surface, .scene = s, .body = body};
    memcpy(p->size, shape->size, sizeof p->size);
    if (p->type == RI_RAY_MESH)
        RI_TRY(copy_mesh(s, shape, p));
    RI_TRY(ri_ray_part_geometry(s, b, p));
    b->parts[b->part_count++] = p;
    b->dirty_shape = true;
    return RI_OK;
}

int ri_ray_scene_body_count(const RiRayScene *s)
{
    return s->body_count;
}

const char *ri_ray_scene_body_name(const RiRayScene *s, int body)
{
    return s->bodies[body].name;
}

int ri_ray_scene_body_link(const RiRayScene *s, int body)
{
    return s->bodies[body].link;
}

void ri_ray_scene_set_pose(RiRayScene *s, int body, const RiPose *pose)
{
    s->bodies[body].pose = *pose;
    s->bodies[body].dirty_pose = true;
}

RiPose ri_ray_scene_pose(const RiRayScene *s, int body)
{
    return s->bodies[body].pose;
}

// --- geometry of shapes --------------------------------------------------------------------------

static RTCGeometry triangles_of(RiRayScene *s, int point_count, int triangle_count, float (**points)[3],
                                uint32_t (**triangles)[3])
{
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!g)
        return NULL;
    *points = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, (size_t)point_count);
    *triangles = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, (size_t)triangle_count);
    if (*points && *triangles)
        return g;
    rtcReleaseGeometry(g);
    return NULL;
}

static RTCGeometry mesh_geometry(RiRayScene *s, const RiRayPart *p)
{
    float(*points)[3];
    uint32_t(*triangles)[3];
    RTCGeometry g = triangles_of(s, p->point_count, p->triangle_count, &points, &triangles);
    for (int i = 0; g && i < p->point_count; i++) {
        points[i][0] = (float)p->points[i].x;
        points[i][1] = (float)p->points[i].y;
        points[i][2] = (float)p->points[i].z;
    }
    if (g)
        memcpy(triangles, p->triangles, (size_t)p->triangle_count * sizeof *triangles);
    s->triangles += g ? p->triangle_count : 0;
    return g;
}

static RTCGeometry shape_geometry(RiRayScene *s, RiRayPart *p)
{
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_USER);
    if (!g)
        return NULL;
    rtcSetGeometryUserPrimitiveCount(g, 1);
    rtcSetGeometryUserData(g, p);
    rtcSetGeometryBoundsFunction(g, ri_ray_part_bounds, NULL);
    rtcSetGeometryIntersectFunction(g, ri_ray_part_intersect);
    rtcSetGeometryOccludedFunction(g, ri_ray_part_occluded);
    return g;
}

RiStatus ri_ray_part_geometry(RiRayScene *s, RiRayBody *b, RiRayPart *p)
{
    RTCGeometry g = p->type == RI_RAY_MESH ? mesh_geometry(s, p) : shape_geometry(s, p);
    if (!g) {
        const RiStatus status = ri_ray_error(s);
        return status != RI_OK ? status : ri_error_memory(s->ctx);
    }
    rtcSetGeometryMask(g, b->mask);
    rtcCommitGeometry(g);
    rtcAttachGeometryByID(b->scene, g, (unsigned)b->part_count);
    rtcReleaseGeometry(g);
    return ri_ray_error(s);
}

// --- updates -------------------------------------------------------------------------------------

RiStatus ri_ray_scene_set_ground(RiRayScene *s, const RiRayGroundDef *def)
{
    ri_ray_ruts_free(s);
    ri_ray_ground_free(s);
    s->def = *def;
    s->origin = def->focus;
    for (int i = 0; i < s->body_count; i++)
        s->bodies[i].dirty_pose = true;
    if (!def->terrain)
        return RI_OK;
    s->single_valued = ri_terrain_info(def->terrain).single_valued;
    RI_TRY(ri_ray_ground_build(s));
    rtcCommitScene(s->ground);
    return ri_ray_error(s);
}

static void move_instance(const RiRayScene *s, RiRayBody *b)
{
    const RiVec3 p = ri_sub(b->pose.p, s->origin);
    float m[12];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            m[3 * k + i] = (float)b->pose.R.m[i][k];
    m[9] = (float)p.x;
    m[10] = (float)p.y;
    m[11] = (float)p.z;
    rtcSetGeometryTransform(b->instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, m);
    rtcCommitGeometry(b->instance);
    b->dirty_pose = false;
}

/// Around all that is not plain ground, a little larger than it is: rays that miss it need not ask.
static void find_box(RiRayScene *s)
{
    struct RTCBounds b;
    rtcGetSceneBounds(s->top, &b);
    const float low[3] = {b.lower_x, b.lower_y, b.lower_z}, high[3] = {b.upper_x, b.upper_y, b.upper_z};
    for (int k = 0; k < 3; k++) {
        const float slack = 1e-4f + 1e-5f * (fabsf(low[k]) + fabsf(high[k]));
        s->low[k] = low[k] - slack, s->high[k] = high[k] + slack;
    }
    s->things = low[0] <= high[0];
    s->ball = 0.0f;
    for (int k = 0; k < 3; k++) {
        const float half = 0.5f * (s->high[k] - s->low[k]);
        s->middle[k] = s->low[k] + half;
        s->ball += half * half;
    }
}

RiStatus ri_ray_scene_update(RiRayScene *s)
{
    bool ruts;
    for (int i = 0; i < s->body_count; i++) {
        RiRayBody *b = &s->bodies[i];
        const bool built = b->dirty_shape;
        if (b->dirty_shape)
            rtcCommitScene(b->scene);
        b->dirty_shape = false;
        if (b->dirty_pose || built)
            move_instance(s, b);
    }
    RI_TRY(ri_ray_ruts_update(s, &ruts));
    if (ruts) {
        rtcCommitScene(s->ruts);
        rtcCommitGeometry(s->ruts_instance);
    }
    rtcCommitScene(s->top);
    find_box(s);
    return ri_ray_error(s);
}

long long ri_ray_scene_triangles(const RiRayScene *s)
{
    return s->triangles;
}

#endif
