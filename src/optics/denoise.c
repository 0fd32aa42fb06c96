// SPDX-License-Identifier: Apache-2.0
/// \file
/// The filter. Level i weighs 5 x 5 pixels that are 2^i apart:
///
///     w = b3 spline * exp(-(angle of normals)^2) * exp(-|depth off the tangent plane|) * exp(-|difference of light| / (k sigma))
///
/// Variances follow the same weights, squared, so that each level knows how much noise is left.
#include "optics/denoise.h"

#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "base/memory.h"
#include "optics/trace_path.h"

enum { SOFT_LEVELS = 5, SHARP_LEVELS = 3, REACH = 2 };

enum { RINGS = 17, SPOKES = 32 };

/// What the sky and the plain around send to a surface of each direction, over its mean: light that
/// is divided by it changes less from normal to normal. All 1 under a black sky.
typedef struct Dome {
    float share[RINGS][SPOKES][3]; ///< from straight up to straight down; turns from x to y
} Dome;

typedef struct Layer {
    float *light;  ///< 3 per pixel, divided by albedo
    float *error;  ///< variance of the bands' mean
    float *light2; ///< the other level
    float *error2;
    float spread;      ///< k: differences of light within k sigma are noise
    float hard_spread; ///< of pixels that had further samples: what is seen there changes within a pixel or two
} Layer;

typedef struct Work {
    const RiFrame *frame;
    float *slope; ///< 2 per pixel: change of depth to the right and downwards [m]
    float *even;  ///< standard deviation of the light, from smoothed variances
    Layer *layer;
    int step;
    const RiTraceJob *job; ///< may be NULL
    Dome dome;
    float *out;
} Work;

static RiVec3 dome_normal(int ring, int spoke)
{
    const double down = M_PI * ring / (RINGS - 1), turn = 2.0 * M_PI * spoke / SPOKES;
    return ri_vec3(ri_sin(down) * ri_cos(turn), ri_sin(down) * ri_sin(turn), ri_cos(down));
}

static void make_dome(const RiLight *light, Dome *d)
{
    enum { ROWS = 32, COLUMNS = 32 };
    RiVec3 toward[ROWS * COLUMNS];
    double radiance[ROWS * COLUMNS][RI_BANDS], mean[RI_BANDS] = {0};
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const double z = 1.0 - 2.0 * (i / COLUMNS + 0.5) / ROWS, turn = 2.0 * M_PI * (i % COLUMNS + 0.5) / COLUMNS,
                     s = sqrt(1.0 - z * z);
        toward[i] = ri_vec3(s * ri_cos(turn), s * ri_sin(turn), z);
        ri_sky_radiance(light, toward[i], radiance[i]);
        for (int k = 0; k < RI_BANDS; k++)
            mean[k] += 0.25 * radiance[i][k] / (ROWS * COLUMNS);
    }
    for (int a = 0; a < RINGS; a++)
        for (int b = 0; b < SPOKES; b++) {
            const RiVec3 n = dome_normal(a, b);
            double sum[RI_BANDS] = {0};
            for (int i = 0; i < ROWS * COLUMNS; i++)
                for (int k = 0; k < RI_BANDS; k++)
                    sum[k] += fmax(0.0, ri_dot(n, toward[i])) * radiance[i][k] / (ROWS * COLUMNS);
            for (int k = 0; k < RI_BANDS; k++) // two fifths of the mean arrive in any case: from other surfaces
                d->share[a][b][k] = mean[k] > 0.0 ? (float)(0.4 + 0.6 * sum[k] / mean[k]) : 1.0f;
        }
}

static void dome_at(const Dome *d, const float n[3], float out[3])
{
    const double size = sqrt((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
    out[0] = out[1] = out[2] = 1.0f;
    if (!(size > 0.0))
        return;
    const double down = ri_acos(fmax(-1.0, fmin(1.0, (double)n[2] / size))) / M_PI * (RINGS - 1);
    double turn = ri_atan2((double)n[1], (double)n[0]) / (2.0 * M_PI) * SPOKES;
    turn = turn < 0.0 ? turn + SPOKES : turn;
    const int i = (int)fmin(RINGS - 2, down), j = (int)fmin(SPOKES - 1, turn), next = (j + 1) % SPOKES;
    const float a = (float)(down - i), b = (float)(turn - j);
    for (int k = 0; k < 3; k++)
        out[k] = (1.0f - a) * ((1.0f - b) * d->share[i][j][k] + b * d->share[i][next][k]) +
                 a * ((1.0f - b) * d->share[i + 1][j][k] + b * d->share[i + 1][next][k]);
}

static float depth_at(const RiFrame *f, int x, int y)
{
    return f->depth[(size_t)y * (size_t)f->width + (size_t)x];
}

/// The smaller of the differences to both neighbours: the other one may cross an edge.
static float slope_of(float before, float here, float after)
{
    const float a = here - before, b = after - here;
    if (!(fabsf(a) < INFINITY))
        return fabsf(b) < INFINITY ? b : 0.0f;
    return !(fabsf(b) < INFINITY) || fabsf(a) < fabsf(b) ? a : b;
}

static void find_slopes(void *user, int y)
{
    const Work *w = user;
    const RiFrame *f = w->frame;
    for (int x = 0; x < f->width; x++) {
        float *s = w->slope + 2 * ((size_t)y * (size_t)f->width + (size_t)x);
        const float here = depth_at(f, x, y);
        s[0] = slope_of(x > 0 ? depth_at(f, x - 1, y) : INFINITY, here,
                        x + 1 < f->width ? depth_at(f, x + 1, y) : INFINITY);
        s[1] = slope_of(y > 0 ? depth_at(f, x, y - 1) : INFINITY, here,
                        y + 1 < f->height ? depth_at(f, x, y + 1) : INFINITY);
        if (!(here < INFINITY))
            s[0] = s[1] = 0.0f;
    }
}

/// Smooths variances over 3 x 3 pixels: those of eight samples are rough guesses.
static void find_deviation(void *user, int y)
{
    const Work *w = user;
    const RiFrame *f = w->frame;
    for (int x = 0; x < f->width; x++) {
        float sum = 0.0f, share = 0.0f;
        for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < f->height; j++)
            for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < f->width; i++) {
                const size_t q = (size_t)j * (size_t)f->width + (size_t)i;
                const float weight = f->mixed[q] ? 1e-9f : (i == x ? 2.0f : 1.0f) * (j == y ? 2.0f : 1.0f);
                sum += weight * w->layer->error[q], share += weight;
            }
        w->even[(size_t)y * (size_t)f->width + (size_t)x] = sqrtf(sum / share);
    }
}

static float mean3(const float *v)
{
    return (v[0] + v[1] + v[2]) * (1.0f / 3.0f);
}

/// exp(-x) for x >= 0, to 2 %: only weights.
static float fall(float x)
{
    const float y = 1.0f + x * (0.25f + x * 0.03125f);
    return 1.0f / (y * y * y * y);
}

/// Likeness of what is seen at two pixels, without their light.
static float likeness(const Work *w, size_t p, size_t q, int dx, int dy)
{
    const RiFrame *f = w->frame;
    const float *a = f->normal + 3 * p, *b = f->normal + 3 * q, *s = w->slope + 2 * p;
    const float n0 = a[0] - b[0], n1 = a[1] - b[1], n2 = a[2] - b[2], turn = n0 * n0 + n1 * n1 + n2 * n2;
    if (turn > 0.5f)
        return 0.0f;
    const float off = fabsf(f->depth[q] - f->depth[p] - s[0] * (float)dx - s[1] * (float)dy);
    const float tolerance = 0.002f * f->depth[p] + 0.25f * (fabsf(s[0] * (float)dx) + fabsf(s[1] * (float)dy)) + 1e-6f;
    const float *c = f->albedo + 3 * p, *d = f->albedo + 3 * q;
    const float tone = fabsf(c[0] - d[0]) + fabsf(c[1] - d[1]) + fabsf(c[2] - d[2]);
    return fall(turn * 50.0f + off / tolerance + tone * 3.0f);
}

static void smooth_pixel(const Work *w, int x, int y)
{
    static const float spline[REACH + 1] = {3.0f / 8.0f, 1.0f / 4.0f, 1.0f / 16.0f};
    const RiFrame *f = w->frame;
    const Layer *l = w->layer;
    const size_t p = (size_t)y * (size_t)f->width + (size_t)x;
    const float spread = f->hard[p] ? l->hard_spread : l->spread;
    const float bright = mean3(l->light + 3 * p), sigma = spread * w->even[p] + 1e-6f * fabsf(bright) + 1e-12f;
    float sum[3] = {0}, error = 0.0f, share = 0.0f;
    for (int j = -REACH; j <= REACH; j++)
        for (int i = -REACH; i <= REACH; i++) {
            const int dx = i * w->step, dy = j * w->step, u = x + dx, v = y + dy;
            if (u < 0 || v < 0 || u >= f->width || v >= f->height)
                continue;
            const size_t q = (size_t)v * (size_t)f->width + (size_t)u;
            if (!(f->depth[q] < INFINITY) || f->mixed[q] != f->mixed[p])
                continue;
            float weight = spline[i < 0 ? -i : i] * spline[j < 0 ? -j : j];
            if (q != p)
                weight *= likeness(w, p, q, dx, dy) * fall(fabsf(mean3(l->light + 3 * q) - bright) / sigma);
            for (int k = 0; k < 3; k++)
                sum[k] += weight * l->light[3 * q + (size_t)k];
            error += weight * weight * l->error[q], share += weight;
        }
    for (int k = 0; k < 3; k++)
        l->light2[3 * p + (size_t)k] = sum[k] / share;
    l->error2[p] = error / (share * share);
}

static void smooth_row(void *user, int y)
{
    const Work *w = user;
    const RiFrame *f = w->frame;
    const size_t row = (size_t)y * (size_t)f->width;
    for (int x = 0; x < f->width; x++) {
        const size_t p = row + (size_t)x;
        if (f->depth[p] < INFINITY && !f->mixed[p]) {
            smooth_pixel(w, x, y);
        } else {
            memcpy(w->layer->light2 + 3 * p, w->layer->light + 3 * p, 3 * sizeof(float));
            w->layer->error2[p] = w->layer->error[p];
        }
    }
}

static void smooth(Work *w, int levels, int threads)
{
    for (int level = 0; level < levels; level++) {
        w->step = 1 << level;
        ri_in_parallel(threads, w->frame->height, find_deviation, w);
        ri_in_parallel(threads, w->frame->height, smooth_row, w);
        Layer *l = w->layer;
        float *light = l->light, *error = l->error;
        l->light = l->light2, l->error = l->error2, l->light2 = light, l->error2 = error;
    }
}

static const float DARK = 0.01f; ///< albedos below it are not divided out

/// What light is divided by: albedo, and of soft light the dome.
static void scale_at(const Work *w, size_t p, bool soft, float out[3])
{
    const RiFrame *f = w->frame;
    out[0] = out[1] = out[2] = 1.0f;
    if (soft)
        dome_at(&w->dome, f->normal + 3 * p, out);
    for (size_t k = 0; k < 3; k++)
        out[k] *= fmaxf(DARK, f->albedo[3 * p + k]);
}

static void divide(const Work *w, bool soft)
{
    const RiFrame *f = w->frame;
    const float *light = soft ? f->soft : f->sharp, *error = soft ? f->soft_error : f->sharp_error;
    const size_t n = (size_t)f->width * (size_t)f->height;
    for (size_t p = 0; p < n; p++) {
        float scale[3];
        scale_at(w, p, soft, scale);
        for (size_t k = 0; k < 3; k++)
            w->layer->light[3 * p + k] = light[3 * p + k] / scale[k];
        w->layer->error[p] = error[p] / (mean3(scale) * mean3(scale));
    }
}

static void multiply(const Work *w, bool soft)
{
    const size_t n = (size_t)w->frame->width * (size_t)w->frame->height;
    for (size_t p = 0; p < n; p++) {
        float scale[3];
        scale_at(w, p, soft, scale);
        for (size_t k = 0; k < 3; k++)
            w->out[3 * p + k] = (soft ? w->out[3 * p + k] : 0.0f) + w->layer->light[3 * p + k] * scale[k];
    }
}

// --- pixels with edges ---------------------------------------------------------------------------

enum { AROUND = 3, POINTS = 8 };

/// Soft light over albedo of a point with these features, from pixels around it that show one
/// surface. False: none of them is alike.
static bool light_around(const Work *w, int x, int y, const RiPath *point, float out[3])
{
    const RiFrame *f = w->frame;
    float share = 0.0f;
    out[0] = out[1] = out[2] = 0.0f;
    for (int v = y - AROUND; v <= y + AROUND; v++)
        for (int u = x - AROUND; u <= x + AROUND; u++) {
            if (u < 0 || v < 0 || u >= f->width || v >= f->height)
                continue;
            const size_t q = (size_t)v * (size_t)f->width + (size_t)u;
            if (f->mixed[q] || !(f->depth[q] < INFINITY))
                continue;
            const float *n = f->normal + 3 * q, *a = f->albedo + 3 * q;
            float turn = 0.0f, tone = 0.0f;
            const float want[3] = {(float)point->normal.x, (float)point->normal.y, (float)point->normal.z};
            for (int k = 0; k < 3; k++) {
                turn += (n[k] - want[k]) * (n[k] - want[k]);
                tone += fabsf(a[k] - (float)point->albedo[k]);
            }
            const float far = fabsf(f->depth[q] - (float)point->depth) / (0.02f * (float)point->depth + 1e-6f);
            const int dx = u - x, dy = v - y;
            const float weight = fall(turn * 30.0f + far + tone * 3.0f) / (float)(1 + dx * dx + dy * dy);
            if (turn > 0.5f)
                continue;
            for (int k = 0; k < 3; k++)
                out[k] += weight * w->layer->light[3 * q + (size_t)k];
            share += weight;
        }
    for (int k = 0; k < 3; k++)
        out[k] /= fmaxf(1e-30f, share);
    return share > 0.002f;
}

/// Part of a mixed pixel's soft light that comes from pixels around it; the rest is its own. Without
/// further samples both err by about as much, and not together.
static float others(const RiFrame *f, size_t p)
{
    return f->hard[p] ? 0.15f : 0.5f;
}

/// A mixed pixel's soft light: the mean over its points, from what is like them around.
static void mend_pixel(const Work *w, int x, int y)
{
    const size_t p = (size_t)y * (size_t)w->frame->width + (size_t)x;
    const double u[3] = {0.5, 0.5, 0.5};
    float sum[3] = {0}, own[3];
    scale_at(w, p, true, own);
    for (int i = 0; i < POINTS; i++) {
        double dx, dy;
        RiRay ray;
        RiPath point;
        float light[3], dome[3];
        ri_pixel_point(i, &dx, &dy);
        if (!w->job->ray(w->job->camera, x + dx, y + dy, u, &ray))
            continue;
        ray.mask = w->frame->mask;
        if (!ri_path_features(w->job, &ray, &point)) {
            if (point.depth < INFINITY)
                return; // a mirror
            continue;
        }
        if (!light_around(w, x, y, &point, light)) // nothing is like it: the pixel's own light
            memcpy(light, w->layer->light + 3 * p, sizeof light);
        const float normal[3] = {(float)point.normal.x, (float)point.normal.y, (float)point.normal.z};
        dome_at(&w->dome, normal, dome);
        for (int k = 0; k < 3; k++)
            sum[k] += light[k] * dome[k] * fmaxf(DARK, (float)point.albedo[k]) / POINTS;
    }
    for (size_t k = 0; k < 3; k++)
        w->out[3 * p + k] += others(w->frame, p) * (sum[k] - w->layer->light[3 * p + k] * own[k]);
}

static void mend_row(void *user, int y)
{
    const Work *w = user;
    for (int x = 0; x < w->frame->width; x++)
        if (w->frame->mixed[(size_t)y * (size_t)w->frame->width + (size_t)x])
            mend_pixel(w, x, y);
}

RiStatus ri_denoise(RiContext *ctx, const RiFrame *f, const RiTraceJob *job, int threads, float *out)
{
    if (threads < 1 || threads > 64)
        return ri_error(ctx, RI_ERR_ARGUMENT, "denoiser: threads = %d; allowed: 1 to 64", threads);
    const size_t n = (size_t)f->width * (size_t)f->height;
    float *block = ri_alloc(ctx, n * 11, sizeof(float));
    if (!block)
        return ri_error_memory(ctx);
    Layer layer = {block, block + 6 * n, block + 3 * n, block + 7 * n, 0.0f, 0.0f};
    Work w = {.frame = f, .slope = block + 8 * n, .even = block + 10 * n, .layer = &layer, .job = job, .out = out};
    if (job)
        make_dome(job->light, &w.dome);
    for (int i = 0; i < RINGS * SPOKES && !job; i++)
        for (int k = 0; k < 3; k++)
            w.dome.share[i / SPOKES][i % SPOKES][k] = 1.0f;
    ri_in_parallel(threads, f->height, find_slopes, &w);
    divide(&w, false);
    layer.spread = f->samples > 1 ? 2.0f : 0.0f;
    smooth(&w, SHARP_LEVELS, threads);
    multiply(&w, false);
    divide(&w, true);
    layer.spread = f->samples > 1 ? 2.4f : INFINITY;
    layer.hard_spread = 0.5f;
    smooth(&w, SOFT_LEVELS, threads);
    multiply(&w, true);
    if (job)
        ri_in_parallel(threads, f->height, mend_row, &w);
    ri_release(ctx, block);
    return RI_OK;
}
