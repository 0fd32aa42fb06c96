// SPDX-License-Identifier: Apache-2.0
/// \file
/// A path through the scene: at each surface light is looked for directly (next-event estimation)
/// and by going on in a direction of the surface's choice. Where both ways can find the same light
/// they are weighted by the balance heuristic [veach1995].
///
/// Paths go in bunches: all of them look for their next surface, then all of them ask for the light
/// of one lamp, disc or point of the sky, and so on. Rays of a bunch are traced together, as
/// packets where they look in nearly the same direction. What a path draws and adds up, and in
/// which order, does not depend on the others.
#include "optics/trace_path.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

/// A surface that a path has met.
typedef struct Vertex {
    struct Walk *walk;
    const RiOpticSurface *surface;
    RiVec3 point, normal;                   ///< geometric normal, on the side of the viewer
    RiMat3 frame;                           ///< columns: two tangents and the shading normal
    RiVec3 wo;                              ///< to the viewer, in the frame
    double tint[RI_BANDS];                  ///< factor of the albedo
    double colour[RI_BANDS];                ///< of the first matte surface, and of all in Whitted\'s tracer
    double gap;                             ///< rays start that far above the surface [m]
    double sharp[RI_BANDS], soft[RI_BANDS]; ///< light that arrives directly
    double known[RI_BANDS], known_cosine;   ///< BRDF times cosine of a small disc's ray before; 0: none
    double one, doubt;                      ///< light of one ray of a pair; variance of all
} Vertex;

typedef struct Walk {
    const RiTraceJob *job;
    const RiTraceOptions *options;
    RiNumbers numbers;
    double through[RI_BANDS]; ///< part of the light at the path's end that reaches the viewer
    double density, range;    ///< of the direction that it goes [1/sr], 0: not by chance; way so far [m]
    int matte;                ///< surfaces so far that are not mirrors
    RiPath *out;
} Walk;

/// Light on its way to a vertex, if nothing is in between.
typedef struct Beam {
    int vertex;
    RiVec3 wi;
    double light[RI_BANDS]; ///< radiance of a disc, irradiance of a lamp
} Beam;

/// Paths that go together. Rays, points and vertices are those of the paths that still go on.
typedef struct Bunch {
    const RiTraceJob *job;
    const RiTraceOptions *options;
    bool coherent; ///< neighbours look in nearly the same direction
    Walk walks[RI_PATH_BUNCH];
    Walk *going[RI_PATH_BUNCH];
    RiRay rays[RI_PATH_BUNCH];
    RiRayPoint points[RI_PATH_BUNCH];
    Vertex vertices[RI_PATH_BUNCH];
    int lit[RI_PATH_BUNCH]; ///< vertices that light is looked for at
    Beam beams[RI_PATH_BUNCH];
    RiRay shadows[RI_PATH_BUNCH];
    bool blocked[RI_PATH_BUNCH];
    int going_count, vertex_count, lit_count, beam_count;
} Bunch;

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

static void set_vertex(const RiTraceJob *job, const RiRay *ray, const RiRayPoint *p, Walk *walk, Vertex *v)
{
    v->walk = walk;
    for (int k = 0; k < RI_BANDS; k++)
        v->sharp[k] = v->soft[k] = 0.0;
    v->one = v->doubt = v->known_cosine = 0.0;
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

static RiRay ray_from(const RiTraceOptions *o, const Vertex *v, RiVec3 toward, double far)
{
    return (RiRay){ri_add(v->point, ri_scale(v->gap, v->normal)), toward, 0.0, far, o->mask};
}

// --- many rays -----------------------------------------------------------------------------------

static void look_many(const RiRayWorld *w, int count, const RiRay *rays, bool coherent, RiRayPoint *out)
{
    if (w->look_many) {
        w->look_many(w->scene, count, rays, coherent, out);
        return;
    }
    for (int i = 0; i < count; i++)
        if (!w->look(w->scene, &rays[i], &out[i]))
            out[i].body = RI_RAY_NOTHING;
}

static void blocked_many(const RiRayWorld *w, int count, const RiRay *rays, bool coherent, bool *out)
{
    if (w->blocked_many) {
        w->blocked_many(w->scene, count, rays, coherent, out);
        return;
    }
    for (int i = 0; i < count; i++)
        out[i] = w->blocked(w->scene, &rays[i]);
}

// --- light at a surface --------------------------------------------------------------------------

/// Sends a shadow ray from a vertex towards light. NULL: it would come from below.
static Beam *send(Bunch *b, int vertex, RiVec3 toward, double far)
{
    const Vertex *v = &b->vertices[vertex];
    const RiVec3 wi = ri_rotate_back(&v->frame, toward);
    if (wi.z <= 1e-9 || ri_dot(toward, v->normal) <= 0.0)
        return NULL;
    b->shadows[b->beam_count] = ray_from(b->options, v, toward, far);
    Beam *beam = &b->beams[b->beam_count++];
    beam->vertex = vertex, beam->wi = wi;
    return beam;
}

/// BRDF times cosine of the beam that arrives.
static void received(const Vertex *v, RiVec3 wi, double out[RI_BANDS])
{
    ri_surface_brdf(v->surface, v->tint, wi, v->wo, out);
    for (int k = 0; k < RI_BANDS; k++)
        out[k] *= wi.z;
}

/// Whether a direction chosen by the surface may also find discs and sky.
static bool goes_on(const RiTraceOptions *o, int depth)
{
    return o->tracer == RI_TRACER_PATH && depth + 1 < o->depth;
}

/// Shadow rays per disc or lamp.
static int shadow_rays(const Walk *w)
{
    return w->matte == 1 ? ri_path_shadow_rays(w->job, w->options) : 1;
}

/// Pair n of `rays` for one use: 8 samples of 4 rays draw the same points as 32 samples of one.
/// Call with n = 0 first.
static void shadow_pair(Walk *w, int n, int rays, double *u1, double *u2)
{
    RiNumbers numbers = w->numbers;
    numbers.index = numbers.index * (uint32_t)rays + (uint32_t)n;
    ri_numbers_pair(&numbers, u1, u2);
    if (n + 1 == rays)
        w->numbers.use++;
}

/// The same for ray n of several to a disc. Those beyond the first pair take the BRDF of an earlier one
/// where the disc is so small that it hardly changes (half a degree across).
static void received_again(Vertex *v, const RiDisc *disc, int n, RiVec3 wi, double out[RI_BANDS])
{
    const bool small = disc->outer < 0.01 && ri_surface_is_matte(v->surface);
    if (n >= 2 && small && v->known_cosine > 0.0) {
        for (int k = 0; k < RI_BANDS; k++)
            out[k] = v->known[k] * (wi.z / v->known_cosine);
        return;
    }
    received(v, wi, out);
    memcpy(v->known, out, sizeof v->known);
    v->known_cosine = wi.z;
}

/// Adds what ray n brought. Rays go in pairs: where one of them is blocked and the other is not, the
/// square of their difference is the pair's share of the variance; without shadows nothing is in
/// doubt.
static void add_ray(Vertex *v, int n, const double light[RI_BANDS], const double f[RI_BANDS], double weight)
{
    double mean = 0.0;
    for (int k = 0; k < RI_BANDS; k++)
        mean += light[k] * f[k] * weight / RI_BANDS;
    add(v->sharp, light, f, weight);
    v->one += n % 2 == 0 ? mean : v->one > 0.0 ? -v->one : mean;
}

/// After both rays of a pair: what is left of one alone is in doubt.
static void close_rays(Bunch *b, bool last)
{
    for (int i = 0; i < b->lit_count; i++) {
        Vertex *v = &b->vertices[b->lit[i]];
        v->doubt += v->one * v->one;
        v->one = 0.0;
        if (last)
            v->known_cosine = 0.0;
    }
}

/// Ray n of the vertices towards a disc.
static void light_of_disc(Bunch *b, int disc, int n, bool both_ways)
{
    double density = 0.0;
    b->beam_count = 0;
    for (int i = 0; i < b->lit_count; i++) {
        const int vertex = b->lit[i];
        Walk *w = b->vertices[vertex].walk;
        const int rays = shadow_rays(w);
        double u1, u2, radiance[RI_BANDS];
        if (n >= rays)
            continue;
        shadow_pair(w, n, rays, &u1, &u2);
        RiVec3 toward;
        ri_light_disc(b->job->light, disc, u1, u2, &toward, radiance, &density);
        Beam *beam = radiance[0] + radiance[1] + radiance[2] > 0.0 ? send(b, vertex, toward, INFINITY) : NULL;
        if (beam)
            memcpy(beam->light, radiance, sizeof radiance);
    }
    blocked_many(&b->job->world, b->beam_count, b->shadows, b->coherent, b->blocked);
    for (int i = 0; i < b->beam_count; i++) {
        Vertex *v = &b->vertices[b->beams[i].vertex];
        double f[RI_BANDS];
        if (b->blocked[i])
            continue;
        received_again(v, &ri_light_def(b->job->light)->discs[disc], n, b->beams[i].wi, f);
        const double other = both_ways ? ri_surface_density(v->surface, b->beams[i].wi, v->wo) : 0.0;
        add_ray(v, n, b->beams[i].light, f, 1.0 / (shadow_rays(v->walk) * density + other));
    }
}

/// Ray n of the vertices towards a lamp.
static void light_of_lamp(Bunch *b, const RiLamp *lamp, int n)
{
    b->beam_count = 0;
    for (int i = 0; i < b->lit_count; i++) {
        const Vertex *v = &b->vertices[b->lit[i]];
        const int rays = lamp->radius > 0.0 ? shadow_rays(v->walk) : 1;
        double u1, u2, got[RI_BANDS], range;
        RiVec3 toward;
        if (n >= rays)
            continue;
        shadow_pair(v->walk, n, rays, &u1, &u2);
        ri_lamp_light(lamp, v->point, u1, u2, &toward, &range, got);
        Beam *beam = got[0] + got[1] + got[2] > 0.0 ? send(b, b->lit[i], toward, range * (1.0 - 1e-4)) : NULL;
        if (beam)
            memcpy(beam->light, got, sizeof got);
    }
    blocked_many(&b->job->world, b->beam_count, b->shadows, b->coherent, b->blocked);
    for (int i = 0; i < b->beam_count; i++) {
        Vertex *v = &b->vertices[b->beams[i].vertex];
        double f[RI_BANDS];
        if (b->blocked[i])
            continue;
        received(v, b->beams[i].wi, f);
        add_ray(v, lamp->radius > 0.0 ? n : 1, b->beams[i].light, f,
                1.0 / (lamp->radius > 0.0 ? shadow_rays(v->walk) : 1));
    }
}

static void light_of_sky(Bunch *b, bool both_ways)
{
    double densities[RI_PATH_BUNCH];
    b->beam_count = 0;
    for (int i = 0; i < b->lit_count; i++) {
        double u1, u2, density;
        RiVec3 toward;
        ri_numbers_pair(&b->vertices[b->lit[i]].walk->numbers, &u1, &u2);
        if (ri_sky_sample(b->job->light, u1, u2, &toward, &density) && send(b, b->lit[i], toward, INFINITY))
            densities[b->beam_count - 1] = density;
    }
    blocked_many(&b->job->world, b->beam_count, b->shadows, false, b->blocked);
    for (int i = 0; i < b->beam_count; i++) {
        Vertex *v = &b->vertices[b->beams[i].vertex];
        double f[RI_BANDS], radiance[RI_BANDS];
        if (b->blocked[i])
            continue;
        received(v, b->beams[i].wi, f);
        ri_sky_radiance(b->job->light, b->shadows[i].direction, radiance);
        const double other = both_ways ? ri_surface_density(v->surface, b->beams[i].wi, v->wo) : 0.0;
        add(v->soft, radiance, f, 1.0 / (densities[i] + other));
    }
}

/// Whitted's tracer knows the sky as light without shadows: level ground sees all of it, a wall
/// half.
static void light_of_ambient(Bunch *b)
{
    for (int i = 0; i < b->lit_count; i++) {
        Vertex *v = &b->vertices[b->lit[i]];
        add(v->soft, ri_sky_irradiance(b->job->light), v->colour, 0.5 * (1.0 + v->frame.m[2][2]) / M_PI);
    }
}

/// All light that arrives directly at the vertices. At the first matte surface discs and lamps are
/// sharp, the rest is soft.
static void gather(Bunch *b, int depth)
{
    enum { MOST_RAYS = 4 };
    const RiLightDef *light = ri_light_def(b->job->light);
    const bool both_ways = goes_on(b->options, depth);
    for (int n = 0; n < MOST_RAYS * light->disc_count; n++) {
        light_of_disc(b, n / MOST_RAYS, n % MOST_RAYS, both_ways);
        if (n % 2 == 1)
            close_rays(b, n % MOST_RAYS + 1 == MOST_RAYS);
    }
    for (int n = 0; n < MOST_RAYS * light->lamp_count; n++) {
        light_of_lamp(b, &light->lamps[n / MOST_RAYS], n % MOST_RAYS);
        if (n % 2 == 1)
            close_rays(b, n % MOST_RAYS + 1 == MOST_RAYS);
    }
    if (b->options->tracer == RI_TRACER_PATH)
        light_of_sky(b, both_ways);
    else
        light_of_ambient(b);
    for (int i = 0; i < b->lit_count; i++) {
        const Vertex *v = &b->vertices[b->lit[i]];
        const Walk *w = v->walk;
        add(w->matte == 1 ? w->out->sharp : w->out->soft, v->sharp, w->through, 1.0);
        if (w->matte == 1) {
            w->out->doubt += v->doubt;
            w->out->glossy |= !ri_surface_is_matte(v->surface);
        }
        add(w->out->soft, v->soft, w->through, 1.0);
    }
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
    for (int k = 0; k < RI_BANDS; k++)
        w->out->albedo[k] = v->colour[k] * w->through[k];
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
    *ray = ray_from(w->options, v, toward, INFINITY);
    return survives(w, depth);
}

void ri_path_sky(const RiTraceJob *job, RiVec3 toward, double out[RI_BANDS])
{
    const RiLightDef *light = ri_light_def(job->light);
    ri_sky_radiance(job->light, toward, out);
    for (int i = 0; i < light->disc_count; i++) {
        double radiance[RI_BANDS];
        ri_disc_radiance(&light->discs[i], toward, radiance);
        for (int k = 0; k < RI_BANDS; k++)
            out[k] += radiance[k];
    }
}

bool ri_path_features(const RiTraceJob *job, const RiRay *ray, RiPath *out)
{
    *out = ri_path_none();
    RiRayPoint p;
    Vertex v;
    if (!job->world.look(job->world.scene, ray, &p))
        return false;
    set_vertex(job, ray, &p, NULL, &v);
    out->depth = p.range;
    if (ri_surface_is_mirror(v.surface))
        return false;
    Walk w = {.job = job, .through = {1.0, 1.0, 1.0}, .out = out};
    ri_surface_colour(v.surface, v.tint, v.colour);
    note_features(&w, &v, p.range);
    return true;
}

// --- all of it -----------------------------------------------------------------------------------

/// Looks for the next surface of each path; those that find none end in the sky.
static void look(Bunch *b)
{
    look_many(&b->job->world, b->going_count, b->rays, b->coherent, b->points);
    b->vertex_count = b->lit_count = 0;
    for (int i = 0; i < b->going_count; i++) {
        Walk *w = b->going[i];
        if (b->points[i].body == RI_RAY_NOTHING) {
            escape(w, b->rays[i].direction, w->density);
            continue;
        }
        Vertex *v = &b->vertices[b->vertex_count];
        set_vertex(b->job, &b->rays[i], &b->points[i], w, v);
        w->range += b->points[i].range;
        if (!ri_surface_is_mirror(v->surface)) {
            if (w->matte == 0 || b->options->tracer == RI_TRACER_WHITTED)
                ri_surface_colour(v->surface, v->tint, v->colour);
            if (w->matte++ == 0)
                note_features(w, v, w->range);
            b->lit[b->lit_count++] = b->vertex_count;
        }
        b->vertex_count++;
    }
}

/// Lets the paths go on from their vertices.
static void go_on(Bunch *b, int depth)
{
    b->going_count = 0;
    for (int i = 0; i < b->vertex_count; i++) {
        Walk *w = b->vertices[i].walk;
        if (!turn(w, &b->vertices[i], depth, &b->rays[b->going_count], &w->density))
            continue;
        b->going[b->going_count++] = w;
    }
}

void ri_paths_trace(const RiTraceJob *job, const RiTraceOptions *options, int count, const RiRay *rays,
                    const RiNumbers *numbers, RiPath *const *out)
{
    Bunch b;
    b.job = job, b.options = options, b.going_count = count, b.coherent = true;
    RI_ASSERT(count <= RI_PATH_BUNCH);
    for (int i = 0; i < count; i++) {
        *out[i] = ri_path_none();
        b.walks[i] =
            (Walk){.job = job, .options = options, .numbers = numbers[i], .through = {1.0, 1.0, 1.0}, .out = out[i]};
        b.going[i] = &b.walks[i];
        b.rays[i] = rays[i];
    }
    for (int depth = 0; b.going_count > 0; depth++) {
        look(&b);
        gather(&b, depth);
        go_on(&b, depth);
        b.coherent = false;
    }
}
