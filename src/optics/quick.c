// SPDX-License-Identifier: Apache-2.0
/// \file
/// A tile of a Whitted picture: which pixels go side by side, and in which order.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/functions.h"
#include "optics/trace_path.h"
#include "optics/trace_quick.h"

extern const RiQuickKernels ri_quick_kernels_generic;
#if defined(__x86_64__)
extern const RiQuickKernels ri_quick_kernels_avx2, ri_quick_kernels_avx512;
#endif

const RiQuickKernels *ri_quick_kernels(RiIsa isa)
{
#if defined(__x86_64__)
    static const RiQuickKernels *const kernels[RI_ISA_COUNT] = {&ri_quick_kernels_generic, &ri_quick_kernels_avx2,
                                                                &ri_quick_kernels_avx512};
    return kernels[isa];
#else
    (void)isa;
    return &ri_quick_kernels_generic;
#endif
}

bool ri_quick_is_possible(const RiTraceJob *job, const RiTraceOptions *o)
{
    return o->light_only && o->tracer == RI_TRACER_WHITTED && job->world.quick && job->plain && !job->drape &&
           ri_light_def(job->light)->lamp_count == 0;
}

static bool is_quick(const RiOpticSurface *s)
{
    return s->kind == RI_SURFACE_LAMBERT || s->kind == RI_SURFACE_HAPKE;
}

static void convert(const RiOpticSurface *s, RiVec3 origin, RiQuickSurface *out)
{
    const RiHapke *h = &s->hapke;
    const double slope = h->roughness > 0.0 ? ri_tan(h->roughness) : 0.0;
    *out = (RiQuickSurface){.hapke = s->kind == RI_SURFACE_HAPKE,
                            .h2002 = h->h == RI_HAPKE_H2002,
                            .b = (float)h->b,
                            .back = (float)h->back,
                            .surge = (float)h->surge,
                            .width = (float)h->width,
                            .fill = (float)h->fill,
                            .tan_slope = (float)slope,
                            .cot_slope = slope > 0.0 ? (float)(1.0 / slope) : 0.0f,
                            .chi = (float)(1.0 / sqrt(1.0 + M_PI * slope * slope)),
                            .common = (float)s->colour.common,
                            .single = (float)s->colour.single,
                            .x0 = (float)s->colour.x0,
                            .x = (float)s->colour.x,
                            .log_x0 = (float)s->colour.log_x0,
                            .log_x = (float)s->colour.log_x,
                            .amplitude = (float)s->texture.amplitude,
                            .octaves = s->texture.octaves,
                            .seed = s->texture.seed,
                            .coarse = s->texture.coarse,
                            .origin = {origin.x, origin.y, origin.z}};
    for (int k = 0; k < RI_BANDS; k++)
        out->albedo[k] = (float)s->albedo[k];
}

// --- rays ----------------------------------------------------------------------------------------

/// The ray of a point of the image, from the origin of the scene.
static bool ray_at(const RiQuickJob *q, double x, double y, float origin[3], float direction[3])
{
    const double u[3] = {0.5, 0.5, 0.5};
    RiRay r;
    if (!q->job->ray(q->job->camera, x, y, u, &r) || r.near > 0.0 || r.far < INFINITY)
        return false;
    const RiVec3 o = ri_sub(r.origin, q->origin);
    origin[0] = (float)o.x, origin[1] = (float)o.y, origin[2] = (float)o.z;
    direction[0] = (float)r.direction.x, direction[1] = (float)r.direction.y, direction[2] = (float)r.direction.z;
    return true;
}

/// Whether interpolation gives the camera's own ray of a pixel, to a thousandth of a pixel.
static bool agrees(const RiQuickJob *q, const RiQuickTile *t, double x, double y, int i, int j)
{
    float origin[3], direction[3], pixel = 0.0f;
    const int at = ri_quick_place(i, j), next = ri_quick_place(i + 1, j);
    if (!ray_at(q, x + i, y + j, origin, direction))
        return false;
    for (int k = 0; k < 3; k++)
        pixel = fmaxf(pixel, fabsf(t->direction[k][at] - t->direction[k][next]));
    for (int k = 0; k < 3; k++)
        if (!(fabsf(direction[k] - t->direction[k][at]) < fmaxf(1e-6f, 1e-3f * pixel) &&
              fabsf(origin[k] - t->origin[k][at]) < 1e-6f * (1.0f + fabsf(origin[k]))))
            return false;
    return true;
}

enum { STEP = (RI_QUICK_SIDE - 1) / (RI_QUICK_NODES - 1) };

static bool make_rays(const RiQuickJob *q, double x, double y, RiQuickNodes *nodes, RiQuickTile *t)
{
    for (int j = 0; j < RI_QUICK_NODES; j++)
        for (int i = 0; i < RI_QUICK_NODES; i++) {
            float origin[3], direction[3];
            if (!ray_at(q, x + STEP * i, y + STEP * j, origin, direction))
                return false;
            for (int k = 0; k < 3; k++)
                nodes->origin[k][j][i] = origin[k], nodes->direction[k][j][i] = direction[k];
        }
    q->kernels->rays(nodes, t);
    return agrees(q, t, x, y, 2, 2) && agrees(q, t, x, y, 7, 8) && agrees(q, t, x, y, 13, 12);
}

// --- light ---------------------------------------------------------------------------------------

/// What the tile shows, each surface once; the list ends with -1. True: some pixels are paths.
static bool list_surfaces(const RiQuickJob *q, RiQuickTile *t, int wide, int high, int list[RI_QUICK + 1])
{
    int count = 0;
    bool slow = false;
    for (int j = 0; j < RI_QUICK_SIDE; j++)
        for (int i = 0; i < RI_QUICK_SIDE; i++) {
            int32_t *s = &t->surface[ri_quick_place(i, j)];
            if (i >= wide || j >= high)
                *s = RI_QUICK_NOTHING;
            if (*s < 0)
                continue;
            if (!is_quick(&q->job->surfaces[*s])) {
                *s = RI_QUICK_SLOW;
                slow = true;
                continue;
            }
            int n = 0;
            while (n < count && list[n] != *s)
                n++;
            if (n == count)
                list[count++] = *s;
        }
    list[count] = -1;
    return slow;
}

static void add_light(const RiQuickJob *q, int sample, const int *list, RiQuickTile *t)
{
    const RiLight *light = q->job->light;
    const RiLightDef *def = ri_light_def(light);
    const double *sky = ri_sky_irradiance(light);
    const float around[3] = {(float)sky[0], (float)sky[1], (float)sky[2]};
    const int rays = ri_path_shadow_rays(q->job, q->options);
    for (const int *s = list; *s >= 0; s++)
        q->kernels->begin(&q->surfaces[*s], *s, around, t);
    for (int d = 0; d < def->disc_count && *list >= 0; d++) {
        RiQuickDisc disc;
        ri_light_quick_disc(light, d, rays, &disc);
        if (!(disc.light[0] + disc.light[1] + disc.light[2] > 0.0f))
            continue;
        for (int n = 0; n < rays; n++) {
            q->kernels->toward(&disc, (uint32_t)(sample * rays + n), 3 + (uint32_t)d, t);
            ri_ray_scene_quick_shadow(q->job->world.quick, q->options->mask, t);
            for (const int *s = list; *s >= 0; s++)
                q->kernels->receive(&q->surfaces[*s], *s, &disc, t);
        }
    }
}

static RiVec3 direction_of(const RiQuickTile *t, int at)
{
    return ri_vec3((double)t->direction[0][at], (double)t->direction[1][at], (double)t->direction[2][at]);
}

/// Whether all nodes look at one smooth piece of the sky: above the horizon, beside all discs.
static bool is_smooth_sky(const RiQuickJob *q, const RiQuickNodes *nodes)
{
    const RiLightDef *def = ri_light_def(q->job->light);
    for (int n = 0; n < RI_QUICK_NODES * RI_QUICK_NODES; n++) {
        const float *d[3] = {nodes->direction[0][0], nodes->direction[1][0], nodes->direction[2][0]};
        const RiVec3 to = {(double)d[0][n], (double)d[1][n], (double)d[2][n]};
        const RiVec3 first = {(double)d[0][0], (double)d[1][0], (double)d[2][0]};
        if (to.z < 0.01)
            return false;
        for (int i = 0; i < def->disc_count; i++)
            if (ri_dot(to, def->discs[i].toward) > 0.0 &&
                ri_norm(ri_sub(to, def->discs[i].toward)) <
                    2.0 * def->discs[i].outer + ri_norm(ri_sub(to, first)) + 0.05)
                return false;
    }
    return true;
}

/// The sky of a tile from that of its nodes. False: it changes too much, or is better asked for.
static bool spread_sky(const RiQuickJob *q, const RiQuickNodes *nodes, const RiQuickTile *t, float rgb[3][RI_QUICK])
{
    static const int probes[3] = {2 * 8 + 1, 15 * 8 + 6, 28 * 8 + 3};
    float at_nodes[3][RI_QUICK_NODES][RI_QUICK_NODES];
    if (!is_smooth_sky(q, nodes))
        return false;
    for (int j = 0; j < RI_QUICK_NODES; j++)
        for (int i = 0; i < RI_QUICK_NODES; i++) {
            double sky[RI_BANDS];
            ri_path_sky(q->job,
                        ri_vec3((double)nodes->direction[0][j][i], (double)nodes->direction[1][j][i],
                                (double)nodes->direction[2][j][i]),
                        sky);
            for (int b = 0; b < RI_BANDS; b++)
                at_nodes[b][j][i] = (float)sky[b];
        }
    for (int b = 0; b < RI_BANDS; b++)
        q->kernels->spread(at_nodes[b], rgb[b]);
    for (int n = 0; n < 3; n++) {
        double sky[RI_BANDS];
        ri_path_sky(q->job, direction_of(t, probes[n]), sky);
        for (int b = 0; b < RI_BANDS; b++)
            if (!(fabs(sky[b] - (double)rgb[b][probes[n]]) <= 1e-4 * sky[b]))
                return false;
    }
    return true;
}

static void add_sky(const RiQuickJob *q, const RiQuickNodes *nodes, int wide, int high, RiQuickTile *t)
{
    enum { MANY = 32 }; // pixels; fewer are asked for one by one
    float rgb[3][RI_QUICK];
    int count = 0;
    for (int i = 0; i < RI_QUICK; i++)
        count += t->surface[i] == RI_QUICK_NOTHING;
    if (count == 0)
        return;
    const bool smooth = count >= MANY && spread_sky(q, nodes, t, rgb);
    for (int k = 0; k < wide * high; k++) {
        const int at = ri_quick_place(k % wide, k / wide);
        double sky[RI_BANDS];
        if (t->surface[at] != RI_QUICK_NOTHING)
            continue;
        if (!smooth)
            ri_path_sky(q->job, direction_of(t, at), sky);
        for (int b = 0; b < RI_BANDS; b++)
            t->sharp[b][at] += smooth ? rgb[b][at] : (float)sky[b];
    }
}

/// Pixels that are paths.
static void add_others(const RiQuickJob *q, int x0, int y0, int wide, int high, int sample, RiQuickTile *t)
{
    RiPath paths[RI_QUICK], *out[RI_QUICK];
    RiRay rays[RI_QUICK];
    RiNumbers numbers[RI_QUICK];
    int places[RI_QUICK], count = 0;
    for (int k = 0; k < wide * high; k++) {
        const int i = k % wide, j = k / wide, at = ri_quick_place(i, j);
        if (t->surface[at] != RI_QUICK_SLOW ||
            !q->pixel_ray(q->picture, x0 + i, y0 + j, sample, &numbers[count], &rays[count]))
            continue;
        out[count] = &paths[count];
        places[count++] = at;
    }
    if (count > 0)
        ri_paths_trace(q->job, q->options, count, rays, numbers, out);
    for (int n = 0; n < count; n++)
        for (int b = 0; b < RI_BANDS; b++) {
            t->sharp[b][places[n]] += (float)paths[n].sharp[b];
            t->soft[b][places[n]] += (float)paths[n].soft[b];
        }
}

bool ri_quick_tile(const RiQuickJob *q, int x0, int y0, int wide, int high, RiQuickTile *t)
{
    int list[RI_QUICK + 1];
    memset(t->sharp, 0, sizeof t->sharp);
    memset(t->soft, 0, sizeof t->soft);
    memset(t->start, 0, sizeof t->start);
    memset(t->toward, 0, sizeof t->toward);
    q->kernels->seeds(ri_numbers_seed(q->options->seed), (uint32_t)((size_t)y0 * (size_t)q->job->width + (size_t)x0),
                      (uint32_t)q->job->width, t);
    for (int sample = 0; sample < q->options->samples; sample++) {
        double dx, dy;
        ri_pixel_point(sample, &dx, &dy);
        RiQuickNodes nodes;
        if (!make_rays(q, x0 + dx, y0 + dy, &nodes, t))
            return false;
        ri_ray_scene_quick_look(q->job->world.quick, q->options->mask, t);
        const bool slow = list_surfaces(q, t, wide, high, list);
        add_light(q, sample, list, t);
        add_sky(q, &nodes, wide, high, t);
        if (slow)
            add_others(q, x0, y0, wide, high, sample, t);
    }
    return true;
}

void ri_quick_prepare(const RiTraceJob *job, const RiTraceOptions *options, RiQuickSurface *surfaces, RiQuickJob *out)
{
    out->job = job, out->options = options, out->surfaces = surfaces;
    out->kernels = ri_quick_kernels(ri_isa_best());
    out->origin = ri_ray_scene_origin(job->world.quick);
    for (int i = 0; i < job->surface_count; i++)
        convert(&job->surfaces[i], out->origin, &surfaces[i]);
}
