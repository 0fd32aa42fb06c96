// SPDX-License-Identifier: Apache-2.0
/// \file
/// A path through the scene: at each surface light is looked for directly (next-event estimation)
/// and by going on in a direction of the surface's choice. Where both ways can find the same light
/// they are weighted by the balance heuristic [veach1995].
#include "optics/trace_path.h"

#include <math.h>

/// A surface that the path has met.
typedef struct Vertex {
    const RiOpticSurface *surface;
    RiVec3 point, normal;  ///< geometric normal, on the side of the viewer
    RiMat3 frame;          ///< columns: two tangents and the shading normal
    RiVec3 wo;             ///< to the viewer, in the frame
    double tint[RI_BANDS]; ///< factor of the albedo
    double gap;            ///< rays start that far above the surface [m]
} Vertex;

typedef struct Walk {
    const RiTraceJob *job;
    const RiTraceOptions *options;
    RiNumbers numbers;
    double through[RI_BANDS]; ///< part of the light at the path's end that reaches the viewer
    int matte;                ///< surfaces so far that are not mirrors
    RiPath *out;
} Walk;

static void add(double sum[RI_BANDS], const double a[RI_BANDS], const double b[RI_BANDS], double weight)
{
    for (int k = 0; k < RI_BANDS; k++)
        sum[k] += a[k] * b[k] * weight;
}

static void set_tint(const RiTraceJob *job, const RiRayPoint *p, Vertex *v)
{
    const double t = ri_texture_value(&v->surface->texture, p->point);
    v->tint[0] = v->tint[1] = v->tint[2] = t;
    if (!job->drape || p->body != RI_RAY_GROUND)
        return;
    double image[RI_BANDS];
    ri_drape_value(job->drape, p->point.x, p->point.y, image);
    for (int k = 0; k < RI_BANDS; k++)
        v->tint[k] *= image[k];
}

static void set_vertex(const RiTraceJob *job, const RiRay *ray, const RiRayPoint *p, Vertex *v)
{
    v->surface = &job->surfaces[p->surface];
    v->point = p->point;
    v->normal = p->normal;
    const RiVec3 back = ri_scale(-1.0, ray->direction);
    const bool smooth = ri_dot(p->shading, back) > 1e-3; // a shading normal that looks away would be black
    v->frame = ri_mat3_from_z(smooth ? p->shading : p->normal);
    v->wo = ri_rotate_back(&v->frame, back);
    v->gap = 2e-5 + 2e-5 * p->range; // above the rounding of single precision
    set_tint(job, p, v);
}

static RiRay ray_from(const Walk *w, const Vertex *v, RiVec3 toward, double far)
{
    return (RiRay){ri_add(v->point, ri_scale(v->gap, v->normal)), toward, 0.0, far, w->options->mask};
}

/// BRDF times cosine for light from `toward`; false: it comes from below, or something is in the
/// way.
static bool receives(const Walk *w, const Vertex *v, RiVec3 toward, double far, double out[RI_BANDS], RiVec3 *out_wi)
{
    *out_wi = ri_rotate_back(&v->frame, toward);
    if (out_wi->z <= 1e-9 || ri_dot(toward, v->normal) <= 0.0)
        return false;
    const RiRay ray = ray_from(w, v, toward, far);
    if (w->job->world.blocked(w->job->world.scene, &ray))
        return false;
    ri_surface_brdf(v->surface, v->tint, *out_wi, v->wo, out);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] *= out_wi->z;
    return true;
}

/// Whether a direction chosen by the surface may also find discs and sky.
static bool goes_on(const Walk *w, int depth)
{
    return w->options->tracer == RI_TRACER_PATH && depth + 1 < w->options->depth;
}

/// Shadow rays per disc or lamp. Shadows of the first surface are sharp, and no filter brings back
/// what few rays miss: pictures of few samples cast two rays there.
static int shadow_rays(const Walk *w)
{
    return w->matte == 1 && w->options->samples < 64 ? 2 : 1;
}

/// Pair n of `rays` for one use: 8 samples of 2 rays draw the same points as 16 samples of one.
/// Call with n = 0 first.
static void shadow_pair(Walk *w, int n, int rays, double *u1, double *u2)
{
    RiNumbers numbers = w->numbers;
    numbers.index = numbers.index * (uint32_t)rays + (uint32_t)n;
    ri_numbers_pair(&numbers, u1, u2);
    if (n + 1 == rays)
        w->numbers.use++;
}

static void light_of_discs(Walk *w, const Vertex *v, bool both_ways, double sum[RI_BANDS])
{
    const RiLightDef *light = ri_light_def(w->job->light);
    const int rays = shadow_rays(w);
    for (int n = 0; n < rays * light->disc_count; n++) {
        const int i = n / rays;
        double u1, u2, f[RI_BANDS], radiance[RI_BANDS];
        RiVec3 wi;
        shadow_pair(w, n % rays, rays, &u1, &u2);
        const RiVec3 toward = ri_disc_sample(&light->discs[i], u1, u2);
        ri_disc_radiance(&light->discs[i], toward, radiance);
        if (radiance[0] + radiance[1] + radiance[2] <= 0.0 || !receives(w, v, toward, INFINITY, f, &wi))
            continue;
        const double density = ri_disc_density(&light->discs[i], toward);
        const double other = both_ways ? ri_surface_density(v->surface, wi, v->wo) : 0.0;
        add(sum, radiance, f, 1.0 / (rays * density + other));
    }
}

static void light_of_lamp(Walk *w, const Vertex *v, const RiLamp *lamp, double sum[RI_BANDS])
{
    const int rays = lamp->radius > 0.0 ? shadow_rays(w) : 1;
    for (int n = 0; n < rays; n++) {
        double u1, u2, f[RI_BANDS], got[RI_BANDS], range;
        RiVec3 wi, toward;
        shadow_pair(w, n, rays, &u1, &u2);
        ri_lamp_light(lamp, v->point, u1, u2, &toward, &range, got);
        if (got[0] + got[1] + got[2] > 0.0 && receives(w, v, toward, range * (1.0 - 1e-4), f, &wi))
            add(sum, got, f, 1.0 / rays);
    }
}

static void light_of_lamps(Walk *w, const Vertex *v, double sum[RI_BANDS])
{
    const RiLightDef *light = ri_light_def(w->job->light);
    for (int i = 0; i < light->lamp_count; i++)
        light_of_lamp(w, v, &light->lamps[i], sum);
}

static void light_of_sky(Walk *w, const Vertex *v, bool both_ways, double sum[RI_BANDS])
{
    double u1, u2, density, f[RI_BANDS], radiance[RI_BANDS];
    RiVec3 wi, toward;
    ri_numbers_pair(&w->numbers, &u1, &u2);
    if (!ri_sky_sample(w->job->light, u1, u2, &toward, &density) || !receives(w, v, toward, INFINITY, f, &wi))
        return;
    ri_sky_radiance(w->job->light, toward, radiance);
    const double other = both_ways ? ri_surface_density(v->surface, wi, v->wo) : 0.0;
    add(sum, radiance, f, 1.0 / (density + other));
}

/// Whitted's tracer knows the sky as light without shadows: level ground sees all of it, a wall
/// half.
static void light_of_ambient(const Walk *w, const Vertex *v, double sum[RI_BANDS])
{
    double colour[RI_BANDS];
    ri_surface_colour(v->surface, v->tint, colour);
    add(sum, ri_sky_irradiance(w->job->light), colour, 0.5 * (1.0 + v->frame.m[2][2]) / 3.14159265358979323846);
}

/// All light that arrives directly at a vertex. At the first matte surface discs and lamps are
/// sharp, the rest is soft.
static void gather(Walk *w, const Vertex *v, int depth)
{
    double sharp[RI_BANDS] = {0}, soft[RI_BANDS] = {0};
    const bool both_ways = goes_on(w, depth);
    light_of_discs(w, v, both_ways, sharp);
    light_of_lamps(w, v, sharp);
    if (w->options->tracer == RI_TRACER_PATH)
        light_of_sky(w, v, both_ways, soft);
    else
        light_of_ambient(w, v, soft);
    add(w->matte == 1 ? w->out->sharp : w->out->soft, sharp, w->through, 1.0);
    add(w->out->soft, soft, w->through, 1.0);
}

/// The path leaves the scene in a direction that was chosen with `density` (0: by a mirror or the
/// camera).
static void escape(Walk *w, RiVec3 toward, double density)
{
    const RiLightDef *light = ri_light_def(w->job->light);
    double radiance[RI_BANDS];
    ri_sky_radiance(w->job->light, toward, radiance);
    const double sky = density > 0.0 ? density / (density + ri_sky_density(w->job->light, toward)) : 1.0;
    add(w->matte == 0 ? w->out->sharp : w->out->soft, radiance, w->through, sky);
    for (int i = 0; i < light->disc_count; i++) {
        const double other = ri_disc_density(&light->discs[i], toward);
        if (other <= 0.0)
            continue;
        ri_disc_radiance(&light->discs[i], toward, radiance);
        add(w->matte <= 1 ? w->out->sharp : w->out->soft, radiance, w->through,
            density > 0.0 ? density / (density + shadow_rays(w) * other) : 1.0);
    }
}

/// Features of the picture: those of the first surface that is not a mirror, in the mirror's
/// colour.
static void note_features(Walk *w, const Vertex *v, double range)
{
    double colour[RI_BANDS];
    ri_surface_colour(v->surface, v->tint, colour);
    for (int k = 0; k < RI_BANDS; k++)
        w->out->albedo[k] = colour[k] * w->through[k];
    w->out->normal = ri_mat3_col(&v->frame, 2);
    w->out->depth = range;
}

/// Ends dim paths by chance; those that go on carry the others' light.
static bool survives(Walk *w, int depth)
{
    if (depth < w->options->roulette)
        return true;
    const double bright = fmax(w->through[0], fmax(w->through[1], w->through[2])), keep = fmin(0.95, bright);
    if (ri_numbers_one(&w->numbers) >= keep)
        return false;
    for (int k = 0; k < RI_BANDS; k++)
        w->through[k] /= keep;
    return true;
}

/// Chooses where the path goes on from a vertex. False: it ends there.
static bool turn(Walk *w, const Vertex *v, int depth, RiRay *ray, double *out_density)
{
    const bool mirror = ri_surface_is_mirror(v->surface);
    if (depth + 1 >= w->options->depth || (!mirror && w->options->tracer == RI_TRACER_WHITTED))
        return false;
    double u[3], weight[RI_BANDS];
    RiVec3 wi;
    ri_numbers_pair(&w->numbers, &u[0], &u[1]);
    u[2] = ri_surface_is_matte(v->surface) ? 0.0 : ri_numbers_one(&w->numbers);
    if (!ri_surface_sample(v->surface, v->tint, v->wo, u, &wi, weight, out_density))
        return false;
    const RiVec3 toward = ri_rotate(&v->frame, wi);
    if (ri_dot(toward, v->normal) <= 0.0)
        return false;
    for (int k = 0; k < RI_BANDS; k++)
        w->through[k] *= weight[k];
    *ray = ray_from(w, v, toward, INFINITY);
    return survives(w, depth);
}

bool ri_path_features(const RiTraceJob *job, const RiRay *ray, RiPath *out)
{
    *out = (RiPath){.albedo = {1.0, 1.0, 1.0}, .depth = INFINITY};
    RiRayPoint p;
    Vertex v;
    if (!job->world.look(job->world.scene, ray, &p))
        return false;
    set_vertex(job, ray, &p, &v);
    out->depth = p.range;
    if (ri_surface_is_mirror(v.surface))
        return false;
    Walk w = {.job = job, .through = {1.0, 1.0, 1.0}, .out = out};
    note_features(&w, &v, p.range);
    return true;
}

void ri_path_trace(const RiTraceJob *job, const RiTraceOptions *options, RiRay ray, RiNumbers numbers, RiPath *out)
{
    *out = (RiPath){.albedo = {1.0, 1.0, 1.0}, .depth = INFINITY};
    Walk w = {.job = job, .options = options, .numbers = numbers, .through = {1.0, 1.0, 1.0}, .out = out};
    double density = 0.0, range = 0.0;
    for (int depth = 0;; depth++) {
        RiRayPoint p;
        Vertex v;
        if (!job->world.look(job->world.scene, &ray, &p)) {
            escape(&w, ray.direction, density);
            return;
        }
        set_vertex(job, &ray, &p, &v);
        range += p.range;
        if (!ri_surface_is_mirror(v.surface)) {
            if (w.matte++ == 0)
                note_features(&w, &v, range);
            gather(&w, &v, depth);
        }
        if (!turn(&w, &v, depth, &ray, &density))
            return;
    }
}
