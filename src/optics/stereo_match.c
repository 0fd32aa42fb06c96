// SPDX-License-Identifier: Apache-2.0
/// \file
/// Block matching: census transform, Hamming distances summed over a square, the best disparity of
/// each pixel, checks, parabola.
///
/// Row by row: `column` holds for each (x, d) the distances summed over the square's rows; sliding
/// sums along x give the costs.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <rille/stereo.h>

#include "base/memory.h"

enum { CX = 4, CY = 3 };

typedef struct Match {
    const RiStereoPair *pair;
    const RiStereoOptions *options;
    uint64_t *left, *right; ///< census of both
    uint16_t *column;       ///< width * depth
    uint32_t *cost;         ///< width * depth, of one row
    int16_t *best_right;    ///< disparity of pixels of the right image
    int depth;              ///< number of disparities
} Match;

RiStereoOptions ri_stereo_options_default(void)
{
    return (RiStereoOptions){.most = 128, .window = 4, .check = 1.0, .ratio = 1.0};
}

/// One bit for each pixel of the 9 x 7 around: darker than the middle. The image goes on beyond its
/// border as on it.
static void census(const float *image, int width, int height, uint64_t *out)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float middle = image[(size_t)y * (size_t)width + (size_t)x];
            uint64_t bits = 0;
            for (int j = -CY; j <= CY; j++)
                for (int i = -CX; i <= CX; i++) {
                    const int u = x + i < 0 ? 0 : x + i >= width ? width - 1 : x + i;
                    const int v = y + j < 0 ? 0 : y + j >= height ? height - 1 : y + j;
                    bits = bits << 1 | (image[(size_t)v * (size_t)width + (size_t)u] < middle);
                }
            out[(size_t)y * (size_t)width + (size_t)x] = bits;
        }
}

/// Adds (or takes away) a row of distances. Where the right image ends, the distance is that of
/// unrelated pixels.
static void add_row(const Match *m, int y, int sign)
{
    const int width = m->pair->width;
    const uint64_t *l = m->left + (size_t)y * (size_t)width, *r = m->right + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++)
        for (int d = 0; d < m->depth; d++) {
            const int far = x >= d ? __builtin_popcountll(l[x] ^ r[x - d]) : 31;
            uint16_t *c = &m->column[(size_t)x * (size_t)m->depth + (size_t)d];
            *c = (uint16_t)(*c + sign * far);
        }
}

/// Costs of a row: sums of columns over the square's width, shorter at the border and scaled to the
/// same number of pixels.
static void sum_columns(const Match *m)
{
    const int width = m->pair->width, w = m->options->window, depth = m->depth;
    for (int d = 0; d < depth; d++) {
        uint32_t sum = 0;
        int n = 0;
        for (int x = 0; x < w && x < width; x++)
            sum += m->column[(size_t)x * (size_t)depth + (size_t)d], n++;
        for (int x = 0; x < width; x++) {
            if (x + w < width)
                sum += m->column[(size_t)(x + w) * (size_t)depth + (size_t)d], n++;
            m->cost[(size_t)x * (size_t)depth + (size_t)d] = sum * 16u / (uint32_t)n;
            if (x - w >= 0)
                sum -= m->column[(size_t)(x - w) * (size_t)depth + (size_t)d], n--;
        }
    }
}

static void find_right(const Match *m)
{
    for (int x = 0; x < m->pair->width; x++) {
        uint32_t least = UINT32_MAX;
        m->best_right[x] = -1;
        for (int d = 0; d < m->depth && x + d < m->pair->width; d++) {
            const uint32_t c = m->cost[(size_t)(x + d) * (size_t)m->depth + (size_t)d];
            if (c < least)
                least = c, m->best_right[x] = (int16_t)d;
        }
    }
}

/// The best disparity of a pixel, refined; NAN if it fails a check.
static float choose(const Match *m, int x)
{
    const uint32_t *c = m->cost + (size_t)x * (size_t)m->depth;
    const int end = x + 1 < m->depth ? x + 1 : m->depth;
    int best = 0;
    for (int d = 1; d < end; d++)
        if (c[d] < c[best])
            best = d;
    uint32_t second = UINT32_MAX;
    for (int d = 0; d < end; d++)
        if ((d < best - 1 || d > best + 1) && c[d] < second)
            second = c[d];
    if (best < 1 || best + 1 >= end || (double)second < m->options->ratio * (double)c[best])
        return NAN;
    if (fabs((double)(m->best_right[x - best] - best)) > m->options->check)
        return NAN;
    const double a = c[best - 1], b = c[best], e = c[best + 1], bend = a - 2.0 * b + e;
    return (float)(best + (bend > 0.0 ? 0.5 * (a - e) / bend : 0.0));
}

static void match_rows(const Match *m, float *out)
{
    const int width = m->pair->width, height = m->pair->height, w = m->options->window;
    memset(m->column, 0, (size_t)width * (size_t)m->depth * sizeof *m->column);
    for (int y = 0; y < w && y < height; y++)
        add_row(m, y, 1);
    for (int y = 0; y < height; y++) {
        if (y + w < height)
            add_row(m, y + w, 1);
        if (y - w > 0)
            add_row(m, y - w - 1, -1);
        sum_columns(m);
        find_right(m);
        for (int x = 0; x < width; x++)
            out[(size_t)y * (size_t)width + (size_t)x] = choose(m, x);
    }
}

static RiStatus check(RiContext *ctx, const RiStereoPair *p, const RiStereoOptions *o)
{
    if (p->width < 16 || p->height < 16 || p->width > 32768 || p->height > 32768)
        return ri_error(ctx, RI_ERR_ARGUMENT, "stereo: images of %d x %d; allowed: 16 to 32768 each way", p->width,
                        p->height);
    if (o->most < 1 || o->most > 512)
        return ri_error(ctx, RI_ERR_ARGUMENT, "stereo: largest disparity %d; allowed: 1 to 512", o->most);
    if (o->window < 1 || o->window > 15)
        return ri_error(ctx, RI_ERR_ARGUMENT, "stereo: window %d; allowed: 1 to 15", o->window);
    if (!(o->check >= 0.0) || !(o->ratio >= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "stereo: check %g and ratio %g; allowed: at least 0 and 1", o->check,
                        o->ratio);
    return RI_OK;
}

RiStatus ri_stereo_match(RiContext *ctx, const RiStereoPair *pair, const RiStereoOptions *options, const float *left,
                         const float *right, float *out_disparity)
{
    RI_TRY(check(ctx, pair, options));
    const size_t n = (size_t)pair->width * (size_t)pair->height, depth = (size_t)options->most + 2,
                 w = (size_t)pair->width;
    Match m = {.pair = pair, .options = options, .depth = (int)depth};
    m.left = ri_alloc(ctx, 2 * n, sizeof(uint64_t));
    m.cost = ri_alloc(ctx, w * depth, sizeof(uint32_t));
    m.column = ri_alloc(ctx, w * depth, sizeof(uint16_t));
    m.best_right = ri_alloc(ctx, w, sizeof(int16_t));
    RiStatus status = RI_OK;
    if (!m.left || !m.cost || !m.column || !m.best_right) {
        status = ri_error_memory(ctx);
    } else {
        m.right = m.left + n;
        census(left, pair->width, pair->height, m.left);
        census(right, pair->width, pair->height, m.right);
        match_rows(&m, out_disparity);
    }
    ri_release(ctx, m.left);
    ri_release(ctx, m.cost);
    ri_release(ctx, m.column);
    ri_release(ctx, m.best_right);
    return status;
}
