// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays of a tile of pixels: packets go to Embree as they lie. Ground of triangles keeps what Embree
/// says; everything else is computed as in ri_ray_scene_point.
#include "optics/quick.h"

#ifdef RILLE_HAVE_EMBREE

#include <float.h>
#include <math.h>
#include <string.h>

#include "optics/ray_embree.h"

/// What Embree needs of a tile beside the rays themselves, and what it answers.
typedef struct Stream {
    RiRayContext context;
    const RiRayScene *scene;
    unsigned mask;
    _Alignas(64) float near[RI_QUICK];
    float far[RI_QUICK], time[RI_QUICK], u[RI_QUICK], v[RI_QUICK];
    unsigned masks[RI_QUICK], id[RI_QUICK], flags[RI_QUICK], primitive[RI_QUICK], geometry[RI_QUICK],
        instance[RI_QUICK];
    RiRay rays[RI_QUICK];                  ///< in double precision, for callbacks of shapes
    bool wide[RI_QUICK / RI_QUICK_PACKET]; ///< which of them are there
} Stream;

static void open_stream(const RiRayScene *s, unsigned mask, Stream *p)
{
    rtcInitIntersectContext(&p->context.embree);
    p->context.embree.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    p->context.scene = p->scene = s;
    p->context.rays = p->rays;
    p->mask = mask;
    memset(p->wide, 0, sizeof p->wide);
    memset(p->near, 0, sizeof p->near);
    memset(p->time, 0, sizeof p->time);
    memset(p->flags, 0, sizeof p->flags);
    memset(p->geometry, 0xff, sizeof p->geometry);
    memset(p->instance, 0xff, sizeof p->instance);
    for (unsigned i = 0; i < RI_QUICK; i++)
        p->far[i] = FLT_MAX, p->masks[i] = mask, p->id[i] = i;
}

static struct RTCRayNp rays_of(Stream *p, float (*origin)[RI_QUICK], float (*direction)[RI_QUICK])
{
    return (struct RTCRayNp){.org_x = origin[0],
                             .org_y = origin[1],
                             .org_z = origin[2],
                             .tnear = p->near,
                             .dir_x = direction[0],
                             .dir_y = direction[1],
                             .dir_z = direction[2],
                             .time = p->time,
                             .tfar = p->far,
                             .mask = p->masks,
                             .id = p->id,
                             .flags = p->flags};
}

static void fill(const Stream *p, float (*origin)[RI_QUICK], float (*direction)[RI_QUICK], int first,
                 struct RTCRay8 *out)
{
    const size_t size = sizeof out->org_x;
    memcpy(out->org_x, &origin[0][first], size), memcpy(out->dir_x, &direction[0][first], size);
    memcpy(out->org_y, &origin[1][first], size), memcpy(out->dir_y, &direction[1][first], size);
    memcpy(out->org_z, &origin[2][first], size), memcpy(out->dir_z, &direction[2][first], size);
    memcpy(out->tnear, &p->near[first], size), memcpy(out->tfar, &p->far[first], size);
    memcpy(out->time, &p->time[first], size), memcpy(out->mask, &p->masks[first], size);
    memcpy(out->id, &p->id[first], size), memcpy(out->flags, &p->flags[first], size);
}

/// The rays of a packet in double precision and world coordinates.
static void widen(Stream *p, float (*origin)[RI_QUICK], float (*direction)[RI_QUICK], int first)
{
    const RiVec3 o = p->scene->origin;
    for (int i = first; i < first + RI_QUICK_PACKET && !p->wide[first / RI_QUICK_PACKET]; i++)
        p->rays[i] =
            (RiRay){.origin = {o.x + (double)origin[0][i], o.y + (double)origin[1][i], o.z + (double)origin[2][i]},
                    .direction = {(double)direction[0][i], (double)direction[1][i], (double)direction[2][i]},
                    .far = INFINITY,
                    .mask = p->mask};
    p->wide[first / RI_QUICK_PACKET] = true;
}

/// All of them, if the ground asks for them.
static void widen_for_ground(Stream *p, float (*origin)[RI_QUICK], float (*direction)[RI_QUICK])
{
    bool asks = false;
    for (int i = 0; i < p->scene->piece_count; i++)
        asks |= p->scene->pieces[i]->kind == RI_PIECE_FUNCTION || p->scene->pieces[i]->cut;
    for (int first = 0; first < RI_QUICK && asks; first += RI_QUICK_PACKET)
        widen(p, origin, direction, first);
}

/// Whether any ray of the tile may meet something of the top scene: the box, and the spans of the
/// rays' origins and directions.
static bool tile_near_things(const RiRayScene *s, float (*origin)[RI_QUICK], float (*direction)[RI_QUICK])
{
    const RiQuickKernels *kernels = ri_quick_kernels(ri_isa_best());
    float first = 0.0f, last = FLT_MAX;
    for (int k = 0; s->things && k < 3; k++) {
        float o[2], d[2];
        kernels->span(origin[k], o), kernels->span(direction[k], d);
        if (!(d[0] > 0.0f || d[1] < 0.0f))
            continue; // the way along this axis is endless
        const float low = s->low[k] - o[1], high = s->high[k] - o[0];
        const float enter = d[0] > 0.0f ? low : high, leave = d[0] > 0.0f ? high : low;
        first = fmaxf(first, fminf(enter / d[0], enter / d[1]));
        last = fminf(last, fmaxf(leave / d[0], leave / d[1]));
    }
    return s->things && !(first > last * 1.0001f + 1e-4f);
}

/// A hit of a height field's triangle on ground of one material.
static bool is_plain(const Stream *p, int i)
{
    return p->instance[i] == RTC_INVALID_GEOMETRY_ID && p->scene->material_count == 1 &&
           p->scene->pieces[p->geometry[i]]->slopes;
}

static void plain_hit(const Stream *p, int i, RiQuickTile *t)
{
    const RiRayPiece *piece = p->scene->pieces[p->geometry[i]];
    const uint32_t *corner = piece->triangles[p->primitive[i]];
    const float u = p->u[i], v = p->v[i], w = 1.0f - u - v;
    const float *a = piece->slopes[corner[0]], *b = piece->slopes[corner[1]], *c = piece->slopes[corner[2]];
    t->range[i] = p->far[i];
    t->smooth[0][i] = -(w * a[0] + u * b[0] + v * c[0]);
    t->smooth[1][i] = -(w * a[1] + u * b[1] + v * c[1]);
    t->smooth[2][i] = 1.0f;
    t->surface[i] = p->scene->material_surface[0];
}

/// Anything else: the exact point.
static void other_hit(Stream *s, int i, RiQuickTile *t)
{
    RiRayHit hit = {.range = s->far[i],
                    .u = s->u[i],
                    .v = s->v[i],
                    .part = s->geometry[i],
                    .primitive = s->primitive[i],
                    .body = RI_RAY_GROUND};
    RiRayPoint p;
    widen(s, t->origin, t->direction, i / RI_QUICK_PACKET * RI_QUICK_PACKET);
    if (s->instance[i] == RI_RAY_INST_RUTS)
        hit.part |= RI_RAY_RUT_PART;
    else if (s->instance[i] != RTC_INVALID_GEOMETRY_ID)
        hit.body = (int)s->instance[i] - RI_RAY_INST_BODIES;
    ri_ray_scene_point(s->scene, &s->rays[i], &hit, &p);
    t->range[i] = (float)p.range;
    t->normal[0][i] = (float)p.normal.x, t->normal[1][i] = (float)p.normal.y, t->normal[2][i] = (float)p.normal.z;
    t->smooth[0][i] = (float)p.shading.x, t->smooth[1][i] = (float)p.shading.y, t->smooth[2][i] = (float)p.shading.z;
    t->surface[i] = p.surface;
}

/// What is in front of the ground.
static void look_at_things(Stream *p, int first, RiQuickTile *t)
{
    const _Alignas(32) int valid[RI_QUICK_PACKET] = {-1, -1, -1, -1, -1, -1, -1, -1};
    struct RTCRayHit8 h;
    fill(p, t->origin, t->direction, first, &h.ray);
    if (!ri_ray_packet_near_things(p->scene, &h.ray))
        return;
    widen(p, t->origin, t->direction, first);
    memset(h.hit.geomID, 0xff, sizeof h.hit.geomID);
    memset(h.hit.instID, 0xff, sizeof h.hit.instID);
    rtcIntersect8(valid, p->scene->top, &p->context.embree, &h);
    for (int k = 0; k < RI_QUICK_PACKET; k++) {
        const int i = first + k;
        if (h.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID)
            continue;
        p->far[i] = h.ray.tfar[k], p->u[i] = h.hit.u[k], p->v[i] = h.hit.v[k];
        p->geometry[i] = h.hit.geomID[k], p->primitive[i] = h.hit.primID[k], p->instance[i] = h.hit.instID[0][k];
    }
}

void ri_ray_scene_quick_look(const RiRayScene *s, unsigned mask, RiQuickTile *t)
{
    Stream p;
    open_stream(s, mask, &p);
    widen_for_ground(&p, t->origin, t->direction);
    struct RTCRayHitNp h = {
        .ray = rays_of(&p, t->origin, t->direction),
        .hit = {t->normal[0], t->normal[1], t->normal[2], p.u, p.v, p.primitive, p.geometry, {p.instance}}};
    rtcIntersectNp(s->ground, &p.context.embree, &h, RI_QUICK);
    if (tile_near_things(s, t->origin, t->direction))
        for (int first = 0; first < RI_QUICK; first += RI_QUICK_PACKET)
            look_at_things(&p, first, t);
    for (int i = 0; i < RI_QUICK; i++) {
        t->surface[i] = RI_QUICK_NOTHING;
        if (p.geometry[i] == RTC_INVALID_GEOMETRY_ID)
            continue;
        if (is_plain(&p, i))
            plain_hit(&p, i, t);
        else
            other_hit(&p, i, t);
    }
}

void ri_ray_scene_quick_shadow(const RiRayScene *s, unsigned mask, RiQuickTile *t)
{
    Stream p;
    open_stream(s, mask, &p);
    widen_for_ground(&p, t->start, t->toward);
    for (int i = 0; i < RI_QUICK; i++)
        p.far[i] = t->open[i] ? FLT_MAX : -1.0f; // Embree skips rays that end before they begin
    struct RTCRayNp rays = rays_of(&p, t->start, t->toward);
    rtcOccludedNp(s->ground, &p.context.embree, &rays, RI_QUICK);
    const bool near = tile_near_things(s, t->start, t->toward);
    for (int first = 0; first < RI_QUICK && near; first += RI_QUICK_PACKET) {
        _Alignas(32) int valid[RI_QUICK_PACKET];
        struct RTCRay8 r;
        fill(&p, t->start, t->toward, first, &r);
        if (!ri_ray_packet_near_things(s, &r))
            continue;
        widen(&p, t->start, t->toward, first);
        for (int k = 0; k < RI_QUICK_PACKET; k++)
            valid[k] = r.tfar[k] >= 0.0f ? -1 : 0;
        rtcOccluded8(valid, s->top, &p.context.embree, &r);
        memcpy(&p.far[first], r.tfar, sizeof r.tfar);
    }
    for (int i = 0; i < RI_QUICK; i++)
        t->open[i] = p.far[i] < 0.0f ? 0 : -1;
}

RiVec3 ri_ray_scene_origin(const RiRayScene *s)
{
    return s->origin;
}

#else

void ri_ray_scene_quick_look(const RiRayScene *s, unsigned mask, RiQuickTile *t)
{
    (void)s, (void)mask;
    for (int i = 0; i < RI_QUICK; i++)
        t->surface[i] = RI_QUICK_NOTHING;
}

void ri_ray_scene_quick_shadow(const RiRayScene *s, unsigned mask, RiQuickTile *t)
{
    (void)s, (void)mask, (void)t;
}

RiVec3 ri_ray_scene_origin(const RiRayScene *s)
{
    (void)s;
    return (RiVec3){0.0, 0.0, 0.0};
}

#endif
