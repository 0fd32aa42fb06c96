// SPDX-License-Identifier: Apache-2.0
/// \file
/// A picture: tiles over threads, samples of a pixel, means and variances.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <rille/report.h>

#include "base/memory.h"
#include "optics/trace_path.h"
#include "optics/trace_quick.h"

enum { TILE = 16, /* TILE x TILE = RI_PATH_BUNCH */ POINTS = 8, THREADS = 64 };

/// Where a pixel is looked at, from its centre: eight rooks on a board of 8 x 8.
static const double point_x[POINTS] = {-0.4375, -0.3125, -0.1875, -0.0625, 0.0625, 0.1875, 0.3125, 0.4375};
static const double point_y[POINTS] = {0.0625, -0.3125, 0.3125, -0.0625, 0.4375, -0.4375, 0.1875, -0.1875};
/// Far points first, so that few samples spread.
static const int point_order[POINTS] = {3, 4, 1, 6, 2, 5, 0, 7};

// --- parallel ------------------------------------------------------------------------------------

typedef struct Pool {
    atomic_int next;
    int count;
    void (*work)(void *user, int index);
    void *user;
} Pool;

static void *run_pool(void *user)
{
    Pool *pool = user;
    for (int i; (i = atomic_fetch_add(&pool->next, 1)) < pool->count;)
        pool->work(pool->user, i);
    return NULL;
}

void ri_in_parallel(int threads, int count, void (*work)(void *user, int index), void *user)
{
    Pool pool = {.count = count, .work = work, .user = user};
    pthread_t thread[THREADS];
    int started = 0;
    while (started < threads - 1 && started < THREADS && pthread_create(&thread[started], NULL, run_pool, &pool) == 0)
        started++;
    run_pool(&pool); // also when no thread could be started
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

// --- frames --------------------------------------------------------------------------------------

RiStatus ri_frame_create(RiContext *ctx, int width, int height, RiFrame **out_frame)
{
    *out_frame = NULL;
    if (width < 1 || height < 1 || width > 32768 || height > 32768)
        return ri_error(ctx, RI_ERR_LIMIT, "picture: %d x %d pixels; allowed: 1 to 32768 each way", width, height);
    const size_t n = (size_t)width * (size_t)height;
    RiFrame *f = ri_alloc_zero(ctx, 1, sizeof *f);
    float *block = ri_alloc_zero(ctx, n * 16, sizeof(float));
    if (!f || !block) {
        ri_release(ctx, f);
        ri_release(ctx, block);
        return ri_error_memory(ctx);
    }
    *f = (RiFrame){.ctx = ctx, .width = width, .height = height, .sharp = block, .soft = block + 3 * n};
    f->albedo = block + 6 * n, f->normal = block + 9 * n;
    f->depth = block + 12 * n, f->sharp_error = block + 13 * n, f->soft_error = block + 14 * n;
    f->mixed = (unsigned char *)(block + 15 * n);
    f->hard = f->mixed + n;
    *out_frame = f;
    return RI_OK;
}

void ri_frame_destroy(RiFrame *frame)
{
    if (!frame)
        return;
    ri_release(frame->ctx, frame->sharp);
    ri_release(frame->ctx, frame);
}

void ri_frame_radiance(const RiFrame *f, float *out)
{
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height; i++)
        out[i] = f->sharp[i] + f->soft[i];
}

// --- pixels --------------------------------------------------------------------------------------

typedef struct Picture {
    const RiTraceJob *job;
    const RiTraceOptions *options;
    RiFrame *frame;
    int tiles_x;
    const RiTraceOptions *first; ///< of the second pass: options of the first
    const unsigned char *hard;   ///< pixels of the second pass by what they show; NULL: all
    int kind;                    ///< that of this turn
    atomic_llong more;           ///< samples of the second pass
    const RiQuickJob *quick;     ///< NULL: no pixels go side by side
    atomic_llong bad;            ///< a pixel whose light is not finite, plus 1; 0: none
} Picture;

typedef struct Sum {
    double sharp[RI_BANDS], soft[RI_BANDS], albedo[RI_BANDS], depth;
    double sharp1, sharp2, soft1, soft2; ///< of the bands' mean: sum and sum of squares
    RiVec3 normal;
    double depths[POINTS]; ///< of the first samples that hit something, rising
    int hits;
    double doubt;
    bool glossy;
} Sum;

static void add_path(Sum *s, const RiPath *p)
{
    double sharp = 0.0, soft = 0.0;
    for (int k = 0; k < RI_BANDS; k++) {
        s->sharp[k] += p->sharp[k], s->soft[k] += p->soft[k], s->albedo[k] += p->albedo[k];
        sharp += p->sharp[k] / RI_BANDS, soft += p->soft[k] / RI_BANDS;
    }
    s->sharp1 += sharp, s->sharp2 += sharp * sharp;
    s->soft1 += soft, s->soft2 += soft * soft;
    s->doubt += p->doubt, s->glossy |= p->glossy;
    if (p->depth < INFINITY) {
        int k = s->hits < POINTS ? s->hits : -1;
        for (; k > 0 && s->depths[k - 1] > p->depth; k--)
            s->depths[k] = s->depths[k - 1];
        if (k >= 0)
            s->depths[k] = p->depth;
        s->depth += p->depth, s->hits++;
        s->normal = ri_add(s->normal, p->normal);
    }
}

/// Variance of the mean of n samples.
static double mean_variance(double sum, double squares, int n)
{
    return n > 1 ? fmax(0.0, squares - sum * sum / n) / ((double)n * (n - 1)) : 0.0;
}

/// Whether a pixel shows more than one smooth surface: its samples then differ by what they see,
/// not by noise. Normals point apart, or the depths have a gap that no slanted plane has.
static bool is_mixed(const Sum *s, int n)
{
    if (s->hits == 0)
        return false;
    if (s->hits < n || ri_norm(s->normal) < 0.93 * n)
        return true;
    const int m = s->hits < POINTS ? s->hits : POINTS;
    const double range = s->depths[m - 1] - s->depths[0];
    double gap = 0.0;
    for (int i = 1; i < m; i++)
        gap = fmax(gap, s->depths[i] - s->depths[i - 1]);
    return range > 0.03 * s->depths[0] && gap > 0.55 * range;
}

/// Variance of the sharp light: of few samples that of their shadows, as a pixel's samples also differ
/// by the places that they look at, which are the same for any number of samples.
static double sharp_variance(const Sum *s, const RiFrame *f, int n)
{
    const double all = mean_variance(s->sharp1, s->sharp2, n);
    return s->glossy || !f->pairs ? all : s->doubt / ((double)n * n);
}

static void store(RiFrame *f, size_t at, const Sum *s, int n)
{
    for (int k = 0; k < RI_BANDS; k++) {
        f->sharp[3 * at + (size_t)k] = (float)(s->sharp[k] / n);
        f->soft[3 * at + (size_t)k] = (float)(s->soft[k] / n);
        f->albedo[3 * at + (size_t)k] = (float)(s->albedo[k] / n);
    }
    f->sharp_error[at] = (float)sharp_variance(s, f, n);
    f->soft_error[at] = (float)mean_variance(s->soft1, s->soft2, n);
    f->mixed[at] = is_mixed(s, n);
    f->depth[at] = s->hits ? (float)(s->depth / s->hits) : INFINITY;
    f->normal[3 * at] = (float)(s->normal.x / n);
    f->normal[3 * at + 1] = (float)(s->normal.y / n);
    f->normal[3 * at + 2] = (float)(s->normal.z / n);
}

void ri_pixel_point(int sample, double *out_x, double *out_y)
{
    *out_x = point_x[point_order[sample % POINTS]];
    *out_y = point_y[point_order[sample % POINTS]];
}

/// Room for a tile: pixels that have a ray are traced together.
typedef struct Tile {
    Sum sums[TILE * TILE];
    RiPath paths[TILE * TILE];
    RiRay rays[TILE * TILE];
    RiNumbers numbers[TILE * TILE];
    RiPath *out[TILE * TILE];
} Tile;

/// Ray of a pixel's sample. False: none goes there.
static bool pixel_ray(const void *picture, int x, int y, int sample, RiNumbers *numbers, RiRay *ray)
{
    const Picture *p = picture;
    const uint32_t at = (uint32_t)((size_t)y * (size_t)p->job->width + (size_t)x);
    double u[3] = {0.5, 0.5, 0.5}, dx, dy;
    *numbers = p->options->more > 0 ? ri_numbers_shared(p->options->seed, (uint32_t)x, (uint32_t)y, (uint32_t)sample,
                                                        (uint32_t)p->options->samples)
                                    : ri_numbers(p->options->seed, at, (uint32_t)sample);
    if (p->job->plain) {
        numbers->use += 2; // as if they were drawn
    } else {
        ri_numbers_pair(numbers, &u[0], &u[1]);
        u[2] = ri_numbers_one(numbers);
    }
    ri_pixel_point(sample, &dx, &dy);
    if (!p->job->ray(p->job->camera, x + dx, y + dy, u, ray))
        return false;
    ray->mask = p->options->mask;
    return true;
}

/// A tile of light alone. False: it cannot be done this way.
static bool trace_quick(Picture *p, int x0, int y0, int wide, int high)
{
    const float part = 1.0f / (float)p->options->samples;
    RiQuickTile t;
    if (!ri_quick_tile(p->quick, x0, y0, wide, high, &t))
        return false;
    for (int y = 0; y < high; y++) {
        const size_t row = (size_t)(y0 + y) * (size_t)p->job->width + (size_t)x0;
        float *sharp = p->frame->sharp + 3 * row, *soft = p->frame->soft + 3 * row, sum = 0.0f;
        for (int x = 0; x < wide; x++) {
            const int from = ri_quick_place(x, y);
            for (int k = 0; k < RI_BANDS; k++) {
                sharp[3 * x + k] = part * t.sharp[k][from];
                soft[3 * x + k] = part * t.soft[k][from];
                sum += sharp[3 * x + k] + soft[3 * x + k];
            }
        }
        for (int x = 0; x < wide && !isfinite(sum); x++)
            if (!isfinite(sharp[3 * x] + sharp[3 * x + 1] + sharp[3 * x + 2] + soft[3 * x] + soft[3 * x + 1] +
                          soft[3 * x + 2]))
                atomic_store(&p->bad, (long long)row + x + 1);
    }
    return true;
}

/// Joins the second pass of a pixel with the first. What it shows is the same: both look at it through
/// the same points.
static void join(const Picture *p, size_t at, const Sum *s)
{
    RiFrame *f = p->frame;
    const int first = p->first->samples, second = p->options->samples;
    const double n = first + second, a = first / n, c = second / n;
    for (size_t k = 0; k < RI_BANDS; k++) {
        f->sharp[3 * at + k] = (float)(a * (double)f->sharp[3 * at + k] + s->sharp[k] / n);
        f->soft[3 * at + k] = (float)(a * (double)f->soft[3 * at + k] + s->soft[k] / n);
    }
    const double rays = first * ri_path_shadow_rays(p->job, p->first),
                 more = second * ri_path_shadow_rays(p->job, p->options);
    f->sharp_error[at] *= (float)(rays / (rays + more));
    f->soft_error[at] = (float)(a * a * (double)f->soft_error[at] + c * c * mean_variance(s->soft1, s->soft2, second));
}

static void trace_tile(void *user, int index)
{
    Picture *p = user;
    const int x0 = index % p->tiles_x * TILE, y0 = index / p->tiles_x * TILE;
    const int wide = p->job->width - x0 < TILE ? p->job->width - x0 : TILE;
    const int high = p->job->height - y0 < TILE ? p->job->height - y0 : TILE;
    int pixels[TILE * TILE], count = 0; // x + TILE y
    Tile t;
    if (p->quick && trace_quick(p, x0, y0, wide, high))
        return;
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++)
            if (!p->hard || p->hard[(size_t)(y0 + y) * (size_t)p->job->width + (size_t)(x0 + x)] == p->kind)
                pixels[count++] = x + TILE * y;
    memset(t.sums, 0, (size_t)count * sizeof *t.sums);
    const int together = count > 0 ? TILE * TILE / count : 0; // samples of few pixels fill a bunch
    for (int i = 0; i < p->options->samples && count > 0; i += together) {
        const int left = p->options->samples - i, n = count * (left < together ? left : together);
        int rays = 0;
        for (int k = 0; k < n; k++) {
            const int x = x0 + pixels[k % count] % TILE, y = y0 + pixels[k % count] / TILE;
            t.paths[k] = ri_path_none();
            if (pixel_ray(p, x, y, i + k / count, &t.numbers[rays], &t.rays[rays]))
                t.out[rays++] = &t.paths[k];
        }
        ri_paths_trace(p->job, p->options, rays, t.rays, t.numbers, t.out);
        for (int k = 0; k < n; k++)
            add_path(&t.sums[k % count], &t.paths[k]);
    }
    for (int k = 0; k < count; k++) {
        const size_t at = (size_t)(y0 + pixels[k] / TILE) * (size_t)p->job->width + (size_t)(x0 + pixels[k] % TILE);
        if (!isfinite(t.sums[k].sharp2 + t.sums[k].soft2))
            atomic_store(&p->bad, (long long)at + 1);
        if (p->hard)
            join(p, at, &t.sums[k]);
        else
            store(p->frame, at, &t.sums[k], p->options->samples);
    }
    if (p->hard)
        atomic_fetch_add(&p->more, (long long)count * p->options->samples);
}

// --- the second pass -----------------------------------------------------------------------------

/// Whether shadows near a pixel are in doubt by more than this part of its light. It asks neighbours,
/// too: those that a pixel's own rays chose would be chosen by their error.
static bool in_doubt(const RiFrame *f, int x, int y)
{
    const double part = 0.03;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < f->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < f->width; i++) {
            const size_t q = (size_t)j * (size_t)f->width + (size_t)i;
            double light = 0.0;
            for (size_t k = 0; k < RI_BANDS; k++)
                light += (double)(f->sharp[3 * q + k] + f->soft[3 * q + k]) / RI_BANDS;
            if ((double)f->sharp_error[q] > part * part * light * light)
                return true;
        }
    return false;
}

/// Whether surfaces turn or end near a pixel. What they shade changes from pixel to pixel, and few
/// samples cannot tell it from noise.
static bool near_edge(const RiFrame *f, int x, int y)
{
    const float turn = 0.15f; // 22 degrees
    const float *n = f->normal + 3 * ((size_t)y * (size_t)f->width + (size_t)x);
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < f->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < f->width; i++) {
            const size_t q = (size_t)j * (size_t)f->width + (size_t)i;
            const float *m = f->normal + 3 * q;
            const float a = n[0] - m[0], b = n[1] - m[1], c = n[2] - m[2];
            if (f->mixed[q] || a * a + b * b + c * c > turn)
                return true;
        }
    return false;
}

/// Whether a pixel's soft light has noise worth a thought: 3 thousandths of its light.
static bool is_noisy(const RiFrame *f, size_t at)
{
    double light = 0.0;
    for (size_t k = 0; k < RI_BANDS; k++)
        light += (double)(f->sharp[3 * at + k] + f->soft[3 * at + k]) / RI_BANDS;
    return (double)f->soft_error[at] > 1e-5 * light * light;
}

enum { PLAIN, EDGES, SHADOWS };

/// Pixels that filters of neighbours do not help.
static void find_hard(const RiFrame *f, unsigned char *hard)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
            const bool there = f->depth[at] < INFINITY;
            hard[at] = there && f->pairs && in_doubt(f, x, y)                             ? SHADOWS
                       : f->mixed[at] || (there && is_noisy(f, at) && near_edge(f, x, y)) ? EDGES
                                                                                          : PLAIN;
        }
}

/// The second pass casts as many shadow rays as the first.
static void trace_more(Picture *p, int tiles)
{
    RiTraceOptions second = *p->options;
    second.samples = second.more;
    second.seed += 0x9E3779B97F4A7C15u;
    find_hard(p->frame, p->frame->hard);
    p->hard = p->frame->hard, p->first = p->options, p->options = &second;
    for (p->kind = EDGES; p->kind <= SHADOWS; p->kind++) {
        second.shadow_rays = ri_path_shadow_rays(p->job, p->first);
        ri_in_parallel(second.threads, tiles, trace_tile, p);
    }
    p->frame->more = atomic_load(&p->more);
}

RiTraceOptions ri_trace_options_default(void)
{
    return (RiTraceOptions){.tracer = RI_TRACER_PATH,
                            .samples = 8,
                            .depth = 3,
                            .roulette = 2,
                            .threads = 1,
                            .seed = 1,
                            .mask = RI_RAY_PHYSICAL};
}

static RiStatus check_options(RiContext *ctx, const RiTraceOptions *o)
{
    const struct {
        const char *name;
        int value, low, high;
    } rows[] = {{"samples", o->samples, 1, 65536}, {"depth", o->depth, 1, 64},
                {"roulette", o->roulette, 0, 64},  {"threads", o->threads, 1, THREADS},
                {"more", o->more, 0, 65536},       {"shadow_rays", o->shadow_rays, 0, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value < rows[i].low || rows[i].value > rows[i].high)
            return ri_error(ctx, RI_ERR_ARGUMENT, "tracer: %s = %d; allowed: %d to %d", rows[i].name, rows[i].value,
                            rows[i].low, rows[i].high);
    return RI_OK;
}

RiStatus ri_trace(RiContext *ctx, const RiTraceJob *job, const RiTraceOptions *options, RiFrame *frame)
{
    RI_TRY(check_options(ctx, options));
    if (frame->width != job->width || frame->height != job->height)
        return ri_error(ctx, RI_ERR_ARGUMENT, "tracer: a frame of %d x %d for a picture of %d x %d", frame->width,
                        frame->height, job->width, job->height);
    frame->samples = options->samples, frame->mask = options->mask;
    frame->pairs = ri_path_shadow_rays(job, options) > 1;
    frame->more = 0;
    memset(frame->hard, 0, (size_t)job->width * (size_t)job->height);
    Picture p = {.job = job, .options = options, .frame = frame, .tiles_x = (job->width + TILE - 1) / TILE};
    const int tiles = p.tiles_x * ((job->height + TILE - 1) / TILE);
    RiQuickJob quick = {.pixel_ray = pixel_ray, .picture = &p};
    RiQuickSurface *surfaces = NULL;
    if (ri_quick_is_possible(job, options)) {
        surfaces = ri_alloc(ctx, (size_t)job->surface_count + 1, sizeof *surfaces);
        if (!surfaces)
            return ri_error_memory(ctx);
        ri_quick_prepare(job, options, surfaces, &quick);
        p.quick = &quick;
    }
    ri_in_parallel(options->threads, tiles, trace_tile, &p);
    if (options->more > 0 && !p.quick)
        trace_more(&p, tiles);
    ri_release(ctx, surfaces);
    const long long bad = atomic_load(&p.bad);
    if (bad)
        return ri_error(ctx, RI_ERR_NUMERIC, "tracer: the light of pixel (%lld, %lld) is not finite",
                        (bad - 1) % job->width, (bad - 1) / job->width);
    return RI_OK;
}

// --- images over the ground ----------------------------------------------------------------------

RiStatus ri_drape_mean(RiContext *ctx, RiDrape *d)
{
    if (d->nx < 1 || d->ny < 1 || !(d->dx > 0.0 && d->dy > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "draped image: %d x %d values, spacing %g x %g m", d->nx, d->ny, d->dx,
                        d->dy);
    double sum[RI_BANDS] = {0}, n[RI_BANDS] = {0};
    for (size_t i = 0; i < 3 * (size_t)d->nx * (size_t)d->ny; i++) {
        if (isnan(d->rgb[i]))
            continue;
        if (!(d->rgb[i] >= 0.0f && d->rgb[i] < INFINITY))
            return ri_error(ctx, RI_ERR_ARGUMENT, "draped image: value %g; allowed: finite and at least 0",
                            (double)d->rgb[i]);
        sum[i % 3] += (double)d->rgb[i], n[i % 3] += 1.0;
    }
    for (int k = 0; k < RI_BANDS; k++) {
        if (!(n[k] > 0.0 && sum[k] > 0.0))
            return ri_error(ctx, RI_ERR_ARGUMENT, "draped image: band %d is black or empty", k);
        d->mean[k] = sum[k] / n[k];
    }
    return RI_OK;
}

void ri_drape_value(const RiDrape *d, double x, double y, double out[RI_BANDS])
{
    const double fx = (x - d->x0) / d->dx, fy = (y - d->y0) / d->dy;
    out[0] = out[1] = out[2] = 1.0;
    if (!(fx >= -0.5 && fy >= -0.5 && fx <= d->nx - 0.5 && fy <= d->ny - 0.5))
        return;
    const double cx = fmin(d->nx - 1, fmax(0.0, fx)), cy = fmin(d->ny - 1, fmax(0.0, fy));
    const int i = (int)fmin(cx, fmax(0, d->nx - 2)), j = (int)fmin(cy, fmax(0, d->ny - 2));
    const double a = cx - i, b = cy - j;
    const int i1 = i + (d->nx > 1), j1 = j + (d->ny > 1);
    for (int k = 0; k < RI_BANDS; k++) {
        const float *v = d->rgb + k;
        const size_t nx = (size_t)d->nx;
        const double low =
            (1.0 - a) * (double)v[3 * ((size_t)j * nx + (size_t)i)] + a * (double)v[3 * ((size_t)j * nx + (size_t)i1)];
        const double high = (1.0 - a) * (double)v[3 * ((size_t)j1 * nx + (size_t)i)] +
                            a * (double)v[3 * ((size_t)j1 * nx + (size_t)i1)];
        const double value = ((1.0 - b) * low + b * high) / d->mean[k];
        if (!isnan(value))
            out[k] = value;
    }
}
