// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays: Embree finds what is hit in single precision; the point is then computed again in double
/// precision.
#include "optics/ray_scene.h"

#ifdef RILLE_HAVE_EMBREE

#include <float.h>
#include <math.h>
#include <string.h>

#include "optics/ray_embree.h"
#include "optics/ray_shape.h"

enum { PACKET = 8, LOOKS = 256 };

/// Where the normal of smooth ground comes from.
typedef enum Shade { SHADE_FLAT, SHADE_SMOOTH, SHADE_LATER } Shade;

/// Packets of any width are arrays side by side; Embree has accessors for C++ only.
enum { RAY_TFAR = 8, RAY_ID = 10, RAY_FIELDS = 12, HIT_U = 3, HIT_V, HIT_PRIMITIVE, HIT_GEOMETRY, HIT_INSTANCE };

static float *ray_far(struct RTCRayN *rays, unsigned n, unsigned i)
{
    return (float *)rays + RAY_TFAR * n + i;
}

static unsigned ray_id(const struct RTCRayN *rays, unsigned n, unsigned i)
{
    return ((const unsigned *)rays)[RAY_ID * n + i];
}

/// Writes a hit of a shape or piece that has one primitive.
static void write_hit(const struct RTCIntersectFunctionNArguments *args, unsigned i, double range)
{
    const unsigned n = args->N;
    float *number = (float *)args->rayhit + RAY_FIELDS * n + i;
    unsigned *index = (unsigned *)args->rayhit + RAY_FIELDS * n + i;
    *ray_far((struct RTCRayN *)args->rayhit, n, i) = (float)range;
    number[HIT_U * n] = number[HIT_V * n] = 0.0f;
    index[HIT_PRIMITIVE * n] = args->primID;
    index[HIT_GEOMETRY * n] = args->geomID;
    index[HIT_INSTANCE * n] = args->context->instID[0];
}

// --- callbacks of shapes -------------------------------------------------------------------------

static RiVec3 to_part(const RiRayPart *p, const RiPose *body, RiVec3 v, bool point)
{
    const RiVec3 in_body = ri_rotate_back(&body->R, point ? ri_sub(v, body->p) : v);
    return ri_rotate_back(&p->pose.R, point ? ri_sub(in_body, p->pose.p) : in_body);
}

/// A shape's hit by a world ray, in double precision.
static bool part_hit(const RiRayPart *p, const RiRay *ray, double near, double far, double *range, RiVec3 *normal)
{
    const RiPose *body = &p->scene->bodies[p->body].pose;
    return ri_ray_shape_hit(p->type, p->size, to_part(p, body, ray->origin, true),
                            to_part(p, body, ray->direction, false), near, far, range, normal);
}

void ri_ray_part_bounds(const struct RTCBoundsFunctionArguments *args)
{
    const RiRayPart *p = args->geometryUserPtr;
    const RiVec3 half = ri_ray_shape_half(p->type, p->size);
    double size[3];
    for (int i = 0; i < 3; i++)
        size[i] = fabs(p->pose.R.m[i][0]) * half.x + fabs(p->pose.R.m[i][1]) * half.y +
                  fabs(p->pose.R.m[i][2]) * half.z + 1e-6;
    args->bounds_o->lower_x = (float)(p->pose.p.x - size[0]);
    args->bounds_o->lower_y = (float)(p->pose.p.y - size[1]);
    args->bounds_o->lower_z = (float)(p->pose.p.z - size[2]);
    args->bounds_o->upper_x = (float)(p->pose.p.x + size[0]);
    args->bounds_o->upper_y = (float)(p->pose.p.y + size[1]);
    args->bounds_o->upper_z = (float)(p->pose.p.z + size[2]);
}

/// Embree's ray i of a packet: the double-precision one, and its range.
static const RiRay *ray_of(const struct RTCIntersectContext *context, struct RTCRayN *rays, unsigned n, unsigned i)
{
    return &((const RiRayContext *)context)->rays[ray_id(rays, n, i)];
}

void ri_ray_part_intersect(const struct RTCIntersectFunctionNArguments *args)
{
    const RiRayPart *p = args->geometryUserPtr;
    struct RTCRayN *rays = (struct RTCRayN *)args->rayhit;
    for (unsigned i = 0; i < args->N; i++) {
        double range;
        RiVec3 normal;
        if (!args->valid[i])
            continue;
        const RiRay *ray = ray_of(args->context, rays, args->N, i);
        if (!part_hit(p, ray, ray->near, (double)*ray_far(rays, args->N, i), &range, &normal))
            continue;
        write_hit(args, i, range);
    }
}

void ri_ray_part_occluded(const struct RTCOccludedFunctionNArguments *args)
{
    const RiRayPart *p = args->geometryUserPtr;
    for (unsigned i = 0; i < args->N; i++) {
        double range;
        RiVec3 normal;
        if (!args->valid[i])
            continue;
        const RiRay *ray = ray_of(args->context, args->ray, args->N, i);
        if (part_hit(p, ray, ray->near, ray->far, &range, &normal))
            *ray_far(args->ray, args->N, i) = -INFINITY;
    }
}

// --- callbacks of ground -------------------------------------------------------------------------

static float bounded(double x)
{
    const double most = 1e6;
    return (float)fmax(-most, fmin(most, x));
}

void ri_ray_piece_bounds(const struct RTCBoundsFunctionArguments *args)
{
    const RiRayPiece *p = args->geometryUserPtr;
    const RiTerrainInfo info = ri_terrain_info(p->terrain);
    const RiVec3 low = ri_sub(info.low, p->scene->origin), high = ri_sub(info.high, p->scene->origin);
    args->bounds_o->lower_x = bounded(low.x);
    args->bounds_o->lower_y = bounded(low.y);
    args->bounds_o->lower_z = bounded(low.z);
    args->bounds_o->upper_x = bounded(high.x);
    args->bounds_o->upper_y = bounded(high.y);
    args->bounds_o->upper_z = bounded(high.z);
}

/// The ground's own answer between two ranges, past tiles with ruts.
static bool piece_hit(const RiRayPiece *p, const RiRay *ray, double near, double far, RiTerrainHit *out)
{
    const double longest = 2e3, step = 1e-3; // [m] distance functions are walked along: not without end
    double from = near;
    for (int tries = 0; tries < 16; tries++) {
        const RiVec3 start = ri_add(ray->origin, ri_scale(from, ray->direction));
        const double range = fmin(far, longest) - from;
        if (!(range > 0.0) || !ri_terrain_ray(p->terrain, start, ray->direction, range, out))
            return false;
        out->range += from;
        if (!p->cut || !ri_ray_ruts_at(p->scene, out->point.x, out->point.y))
            return true;
        from = out->range + step;
    }
    return false;
}

void ri_ray_piece_intersect(const struct RTCIntersectFunctionNArguments *args)
{
    const RiRayPiece *p = args->geometryUserPtr;
    struct RTCRayN *rays = (struct RTCRayN *)args->rayhit;
    for (unsigned i = 0; i < args->N; i++) {
        RiTerrainHit hit;
        if (!args->valid[i])
            continue;
        const RiRay *ray = ray_of(args->context, rays, args->N, i);
        if (!piece_hit(p, ray, ray->near, (double)*ray_far(rays, args->N, i), &hit))
            continue;
        write_hit(args, i, hit.range);
    }
}

void ri_ray_piece_occluded(const struct RTCOccludedFunctionNArguments *args)
{
    const RiRayPiece *p = args->geometryUserPtr;
    for (unsigned i = 0; i < args->N; i++) {
        RiTerrainHit hit;
        if (!args->valid[i])
            continue;
        const RiRay *ray = ray_of(args->context, args->ray, args->N, i);
        if (piece_hit(p, ray, ray->near, ray->far, &hit))
            *ray_far(args->ray, args->N, i) = -INFINITY;
    }
}

void ri_ray_cut_filter(const struct RTCFilterFunctionNArguments *args)
{
    const RiRayPiece *p = args->geometryUserPtr;
    if (p->scene->tile_count == 0)
        return;
    for (unsigned i = 0; i < args->N; i++) {
        if (args->valid[i] != -1)
            continue;
        const RiRay *ray = ray_of(args->context, args->ray, args->N, i);
        const double s = (double)*ray_far(args->ray, args->N, i);
        if (ri_ray_ruts_at(p->scene, ray->origin.x + s * ray->direction.x, ray->origin.y + s * ray->direction.y))
            args->valid[i] = 0;
    }
}

// --- tracing -------------------------------------------------------------------------------------

static float far_of(const RiRay *r)
{
    return r->far < (double)FLT_MAX ? (float)r->far : FLT_MAX;
}

static void start_context(RiRayContext *c, const RiRayScene *s, const RiRay *rays, bool coherent)
{
    rtcInitIntersectContext(&c->embree);
    c->embree.flags = coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    c->scene = s;
    c->rays = rays;
}

/// Whether a ray may meet something of the top scene: by the box around it. Division by zero gives
/// infinities, and NaN where a ray runs within a face: the comparisons then say yes.
static bool near_things(const RiRayScene *s, const struct RTCRay *r)
{
    const float origin[3] = {r->org_x, r->org_y, r->org_z}, direction[3] = {r->dir_x, r->dir_y, r->dir_z};
    float first = 0.0f, last = r->tfar;
    for (int k = 0; k < 3; k++) {
        const float inverse = 1.0f / direction[k];
        const float a = (s->low[k] - origin[k]) * inverse, b = (s->high[k] - origin[k]) * inverse;
        const float in = a < b ? a : b, out = a < b ? b : a;
        first = in > first ? in : first;
        last = out < last ? out : last;
    }
    return !(first > last * 1.0001f + 1e-4f);
}

static void set_hit(RiRayHit *out, float range, float u, float v, unsigned instance, unsigned geometry,
                    unsigned primitive)
{
    if (geometry == RTC_INVALID_GEOMETRY_ID) {
        *out = (RiRayHit){.range = INFINITY, .body = RI_RAY_NOTHING};
        return;
    }
    *out = (RiRayHit){.range = range, .u = u, .v = v, .part = geometry, .primitive = primitive, .body = RI_RAY_GROUND};
    if (instance == RI_RAY_INST_RUTS)
        out->part |= RI_RAY_RUT_PART;
    else if (instance != RTC_INVALID_GEOMETRY_ID)
        out->body = (int)instance - RI_RAY_INST_BODIES;
}

static struct RTCRay single_ray(const RiRayScene *s, const RiRay *r, unsigned id)
{
    return (struct RTCRay){.org_x = (float)(r->origin.x - s->origin.x),
                           .org_y = (float)(r->origin.y - s->origin.y),
                           .org_z = (float)(r->origin.z - s->origin.z),
                           .tnear = (float)r->near,
                           .dir_x = (float)r->direction.x,
                           .dir_y = (float)r->direction.y,
                           .dir_z = (float)r->direction.z,
                           .tfar = far_of(r),
                           .mask = r->mask,
                           .id = id};
}

static void trace_one(const RiRayScene *s, RiRayContext *c, const RiRay *rays, int i, RiRayHit *out, float *normal)
{
    struct RTCRayHit h = {.ray = single_ray(s, &rays[i], (unsigned)i)};
    h.hit.geomID = h.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(s->ground, &c->embree, &h);
    if (s->things && near_things(s, &h.ray))
        rtcIntersect1(s->top, &c->embree, &h);
    set_hit(out, h.ray.tfar, h.hit.u, h.hit.v, h.hit.instID[0], h.hit.geomID, h.hit.primID);
    if (normal)
        normal[0] = h.hit.Ng_x, normal[1] = h.hit.Ng_y, normal[2] = h.hit.Ng_z;
}

static void fill_packet(const RiRayScene *s, const RiRay *rays, int first, struct RTCRay8 *p)
{
    for (int k = 0; k < PACKET; k++) {
        const RiRay *r = &rays[first + k];
        p->org_x[k] = (float)(r->origin.x - s->origin.x);
        p->org_y[k] = (float)(r->origin.y - s->origin.y);
        p->org_z[k] = (float)(r->origin.z - s->origin.z);
        p->tnear[k] = (float)r->near;
        p->dir_x[k] = (float)r->direction.x;
        p->dir_y[k] = (float)r->direction.y;
        p->dir_z[k] = (float)r->direction.z;
        p->time[k] = 0.0f;
        p->tfar[k] = far_of(r);
        p->mask[k] = r->mask;
        p->id[k] = (unsigned)(first + k);
        p->flags[k] = 0;
    }
}

static void trace_packet(const RiRayScene *s, RiRayContext *c, const RiRay *rays, int first, RiRayHit *out,
                         float (*normals)[3])
{
    const _Alignas(32) int valid[PACKET] = {-1, -1, -1, -1, -1, -1, -1, -1};
    struct RTCRayHit8 h;
    fill_packet(s, rays, first, &h.ray);
    for (int k = 0; k < PACKET; k++)
        h.hit.geomID[k] = h.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect8(valid, s->ground, &c->embree, &h);
    if (s->things && ri_ray_packet_near_things(s, &h.ray))
        rtcIntersect8(valid, s->top, &c->embree, &h);
    for (int k = 0; k < PACKET; k++)
        set_hit(&out[first + k], h.ray.tfar[k], h.hit.u[k], h.hit.v[k], h.hit.instID[0][k], h.hit.geomID[k],
                h.hit.primID[k]);
    for (int k = 0; normals && k < PACKET; k++) {
        normals[first + k][0] = h.hit.Ng_x[k];
        normals[first + k][1] = h.hit.Ng_y[k];
        normals[first + k][2] = h.hit.Ng_z[k];
    }
}

void ri_ray_scene_trace_normals(const RiRayScene *s, int count, const RiRay *rays, bool coherent, RiRayHit *out,
                                float (*out_normals)[3])
{
    RiRayContext c;
    int i = 0;
    start_context(&c, s, rays, coherent);
    for (; coherent && i + PACKET <= count; i += PACKET)
        trace_packet(s, &c, rays, i, out, out_normals);
    for (; i < count; i++)
        trace_one(s, &c, rays, i, &out[i], out_normals ? out_normals[i] : NULL);
}

void ri_ray_scene_trace(const RiRayScene *s, int count, const RiRay *rays, bool coherent, RiRayHit *out)
{
    ri_ray_scene_trace_normals(s, count, rays, coherent, out, NULL);
}

void ri_ray_scene_blocked(const RiRayScene *s, int count, const RiRay *rays, bool coherent, bool *out)
{
    const _Alignas(32) int valid[PACKET] = {-1, -1, -1, -1, -1, -1, -1, -1};
    RiRayContext c;
    int i = 0;
    start_context(&c, s, rays, coherent);
    for (; coherent && i + PACKET <= count; i += PACKET) {
        struct RTCRay8 p;
        fill_packet(s, rays, i, &p);
        rtcOccluded8(valid, s->ground, &c.embree, &p);
        if (s->things && ri_ray_packet_near_things(s, &p))
            rtcOccluded8(valid, s->top, &c.embree, &p);
        for (int k = 0; k < PACKET; k++)
            out[i + k] = p.tfar[k] < 0.0f;
    }
    for (; i < count; i++) {
        struct RTCRay r = single_ray(s, &rays[i], (unsigned)i);
        rtcOccluded1(s->ground, &c.embree, &r);
        if (s->things && r.tfar >= 0.0f && near_things(s, &r))
            rtcOccluded1(s->top, &c.embree, &r);
        out[i] = r.tfar < 0.0f;
    }
}

// --- the point -----------------------------------------------------------------------------------

static RiVec3 unit(RiVec3 v, RiVec3 otherwise)
{
    const double n = ri_norm(v);
    return n > 0.0 ? ri_scale(1.0 / n, v) : otherwise;
}

/// Where the ray passes the plane of a triangle, if that is near Embree's word; a grazing ray keeps
/// that.
static double plane_range(const RiRay *ray, RiVec3 corner, RiVec3 normal, double guess)
{
    const double s = ri_dot(ri_sub(corner, ray->origin), normal) / ri_dot(ray->direction, normal);
    return fabs(s - guess) <= 1e-3 * (1.0 + guess) ? s : guess;
}

static RiVec3 float_point(const RiRayScene *s, const float p[3])
{
    return ri_add(s->origin, ri_vec3((double)p[0], (double)p[1], (double)p[2]));
}

/// Triangle of the ground: range and normal.
static void ground_triangle(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, const float (*points)[3],
                            const uint32_t t[3], RiRayPoint *out)
{
    const RiVec3 a = float_point(s, points[t[0]]), b = float_point(s, points[t[1]]), c = float_point(s, points[t[2]]);
    out->normal = unit(ri_cross(ri_sub(b, a), ri_sub(c, a)), ri_scale(-1.0, ray->direction));
    out->range = plane_range(ray, a, out->normal, (double)hit->range);
}

/// Normal and material of the smooth ground at the point.
static void ground_shading(const RiRayScene *s, RiRayPoint *out)
{
    RiHeight h;
    RiSurface q;
    if (s->single_valued && ri_ground_height(s->def.terrain, s->def.ruts, out->point.x, out->point.y, &h)) {
        out->shading = unit(ri_vec3(-h.zx, -h.zy, 1.0), out->normal);
        out->soil = h.material;
        return;
    }
    ri_terrain_query(s->def.terrain, out->point, &q);
    out->shading = q.flags & RI_SURFACE_FAR ? out->normal : unit(q.normal, out->normal);
    out->soil = q.material;
}

/// Material alone.
static void ground_material(const RiRayScene *s, RiRayPoint *out)
{
    const RiVec3 normal = out->normal;
    out->soil = 0;
    if (s->material_count > 1)
        ground_shading(s, out);
    out->shading = normal;
}

static void ground_point(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, Shade shade, RiRayPoint *out)
{
    if (hit->part & RI_RAY_RUT_PART) {
        const RiRayTile *t = &s->tiles[hit->part & ~(unsigned)RI_RAY_RUT_PART];
        ground_triangle(s, ray, hit, (const float(*)[3])t->points, t->triangles[hit->primitive], out);
    } else if (s->pieces[hit->part]->kind == RI_PIECE_FUNCTION) {
        RiTerrainHit h;
        out->range = (double)hit->range;
        out->normal = ri_scale(-1.0, ray->direction);
        if (piece_hit(s->pieces[hit->part], ray, ray->near, ray->far, &h)) {
            out->range = h.range;
            out->normal = h.normal;
        }
    } else {
        const RiRayPiece *p = s->pieces[hit->part];
        ground_triangle(s, ray, hit, (const float(*)[3])p->points, p->triangles[hit->primitive], out);
    }
    out->point = ri_add(ray->origin, ri_scale(out->range, ray->direction));
    if (shade == SHADE_SMOOTH)
        ground_shading(s, out);
    else if (shade == SHADE_FLAT)
        ground_material(s, out);
    out->u = out->point.x;
    out->v = out->point.y;
    out->link = RI_RAY_GROUND;
    out->surface = s->material_surface[out->soil];
}

/// Triangle of a body: everything in the body's frame, then turned.
static void mesh_point(const RiRayPart *p, const RiPose *pose, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out)
{
    const uint32_t *t = p->triangles[hit->primitive];
    const RiVec3 a = p->points[t[0]], b = p->points[t[1]], c = p->points[t[2]];
    const RiRay local = {.origin = ri_rotate_back(&pose->R, ri_sub(ray->origin, pose->p)),
                         .direction = ri_rotate_back(&pose->R, ray->direction)};
    const RiVec3 n = unit(ri_cross(ri_sub(b, a), ri_sub(c, a)), ri_scale(-1.0, local.direction));
    out->range = plane_range(&local, a, n, (double)hit->range);
    out->normal = out->shading = ri_rotate(&pose->R, n);
    out->u = (double)hit->u;
    out->v = (double)hit->v;
    if (!p->normals)
        return;
    const RiVec3 mixed =
        ri_add(ri_scale(1.0 - out->u - out->v, unit(p->normals[t[0]], n)),
               ri_add(ri_scale(out->u, unit(p->normals[t[1]], n)), ri_scale(out->v, unit(p->normals[t[2]], n))));
    out->shading = ri_rotate(&pose->R, unit(mixed, n));
}

static void body_point(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out)
{
    const RiRayBody *b = &s->bodies[hit->body];
    const RiRayPart *p = b->parts[hit->part];
    RiVec3 n;
    out->link = b->link;
    out->surface = p->surface;
    out->soil = -1;
    if (p->type == RI_RAY_MESH) {
        mesh_point(p, &b->pose, ray, hit, out);
    } else if (part_hit(p, ray, ray->near, ray->far, &out->range, &n)) {
        const RiVec3 in_body = ri_rotate(&p->pose.R, n);
        out->normal = out->shading = ri_rotate(&b->pose.R, in_body);
    } else { // a grazing ray: Embree's word
        out->range = (double)hit->range;
        out->normal = out->shading = ri_scale(-1.0, ray->direction);
    }
    out->point = ri_add(ray->origin, ri_scale(out->range, ray->direction));
}

static void point_of(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, Shade shade, RiRayPoint *out)
{
    *out = (RiRayPoint){.body = hit->body};
    if (hit->body == RI_RAY_GROUND)
        ground_point(s, ray, hit, shade, out);
    else
        body_point(s, ray, hit, out);
    out->inside = ri_dot(out->normal, ray->direction) > 0.0;
    if (out->inside)
        out->normal = ri_scale(-1.0, out->normal);
    if (ri_dot(out->shading, out->normal) < 0.0)
        out->shading = ri_scale(-1.0, out->shading);
    memcpy(out->albedo, s->surfaces[out->surface].albedo, sizeof out->albedo);
}

void ri_ray_scene_point(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out)
{
    point_of(s, ray, hit, SHADE_SMOOTH, out);
}

void ri_ray_scene_flat_point(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, RiRayPoint *out)
{
    point_of(s, ray, hit, SHADE_FLAT, out);
}

/// Triangles of the ground that need no more than what Embree said.
static bool is_rough(const RiRayScene *s, const RiRayHit *hit)
{
    if (hit->body != RI_RAY_GROUND || s->material_count > 1)
        return false;
    return (hit->part & RI_RAY_RUT_PART) || s->pieces[hit->part]->kind != RI_PIECE_FUNCTION;
}

void ri_ray_scene_rough_point(const RiRayScene *s, const RiRay *ray, const RiRayHit *hit, const float normal[3],
                              RiRayPoint *out)
{
    if (!is_rough(s, hit)) {
        point_of(s, ray, hit, SHADE_FLAT, out);
        return;
    }
    const RiVec3 n = ri_vec3((double)normal[0], (double)normal[1], (double)normal[2]);
    const double facing = ri_dot(n, ray->direction), length = ri_norm(n);
    out->range = (double)hit->range;
    out->point = ri_add(ray->origin, ri_scale(out->range, ray->direction));
    out->normal = out->shading = ri_scale((facing > 0.0 ? -1.0 : 1.0) / fmax(length, 1e-300), n);
    out->u = out->point.x;
    out->v = out->point.y;
    out->body = out->link = RI_RAY_GROUND;
    out->soil = 0;
    out->surface = s->material_surface[0];
    out->inside = false;
    memcpy(out->albedo, s->surfaces[out->surface].albedo, sizeof out->albedo);
}

/// Smooth normals and materials of points of the ground, many at once.
static void shade_many(const RiRayScene *s, int count, const int *which, RiRayPoint *points)
{
    double x[LOOKS], y[LOOKS];
    RiHeight h[LOOKS];
    bool found[LOOKS];
    for (int i = 0; i < count; i++)
        x[i] = points[which[i]].point.x, y[i] = points[which[i]].point.y;
    ri_terrain_height_many(s->def.terrain, count, x, y, h, found);
    for (int i = 0; i < count; i++) {
        RiRayPoint *p = &points[which[i]];
        if (found[i]) {
            p->shading = unit(ri_vec3(-h[i].zx, -h[i].zy, 1.0), p->normal);
            p->soil = h[i].material;
        } else {
            ground_shading(s, p);
        }
        p->surface = s->material_surface[p->soil];
        if (ri_dot(p->shading, p->normal) < 0.0)
            p->shading = ri_scale(-1.0, p->shading);
        memcpy(p->albedo, s->surfaces[p->surface].albedo, sizeof p->albedo);
    }
}

/// At most LOOKS rays.
static void look_some(const RiRayScene *s, int count, const RiRay *rays, bool coherent, RiRayPoint *out)
{
    const bool together = s->single_valued && !s->def.ruts;
    RiRayHit hits[LOOKS];
    int which[LOOKS], ground = 0;
    ri_ray_scene_trace(s, count, rays, coherent, hits);
    for (int i = 0; i < count; i++) {
        if (hits[i].body == RI_RAY_NOTHING) {
            out[i].body = RI_RAY_NOTHING;
            continue;
        }
        const bool later = together && hits[i].body == RI_RAY_GROUND;
        point_of(s, &rays[i], &hits[i], later ? SHADE_LATER : SHADE_SMOOTH, &out[i]);
        if (later)
            which[ground++] = i;
    }
    if (ground > 0)
        shade_many(s, ground, which, out);
}

void ri_ray_scene_look_many(const RiRayScene *s, int count, const RiRay *rays, bool coherent, RiRayPoint *out)
{
    for (int i = 0; i < count; i += LOOKS)
        look_some(s, count - i < LOOKS ? count - i : LOOKS, rays + i, coherent, out + i);
}

bool ri_ray_scene_look(const RiRayScene *s, const RiRay *ray, RiRayPoint *out)
{
    RiRayHit hit;
    ri_ray_scene_trace(s, 1, ray, false, &hit);
    if (hit.body == RI_RAY_NOTHING)
        return false;
    ri_ray_scene_point(s, ray, &hit, out);
    return true;
}

#endif
