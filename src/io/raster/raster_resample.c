// SPDX-License-Identifier: Apache-2.0
/// \file
/// Resampling row by row.
#include "io/raster/raster_resample.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/// The inputs of one output: `count` from `first`, weights in a table.
typedef struct Tap {
    int first, count;
} Tap;

typedef struct Taps {
    Tap *tap;
    double *weight; ///< `most` for each output
    int most;
} Taps;

/// Catmull-Rom weights of the values at -1, 0, 1, 2 for a point at s in [0, 1].
static void cubic_weights(double s, double *w)
{
    w[0] = 0.5 * (s * ((2.0 - s) * s - 1.0));
    w[1] = 0.5 * ((3.0 * s - 5.0) * s * s + 2.0);
    w[2] = 0.5 * (s * ((4.0 - 3.0 * s) * s + 1.0));
    w[3] = 0.5 * ((s - 1.0) * s * s);
}

static void tap_cubic(const RiResampleAxis *a, int k, Tap *tap, double *weight)
{
    const double u = (a->start + (k + 0.5) * a->out_size) / a->size - 0.5;
    const double low = fmin(fmax(floor(u), 0.0), fmax(a->count - 2.0, 0.0)); // the last cell reaches its end
    double w[4];
    cubic_weights(fmin(fmax(u - low, 0.0), 1.0), w);
    const int i = (int)low;
    tap->first = i > 0 ? i - 1 : 0;
    tap->count = (i + 2 < a->count ? i + 2 : a->count - 1) - tap->first + 1;
    for (int n = 0; n < 4; n++) { // beyond an end the last value is repeated
        const int at = i - 1 + n, inside = at < 0 ? 0 : at < a->count ? at : a->count - 1;
        weight[inside - tap->first] += w[n];
    }
}

static void tap_mean(const RiResampleAxis *a, int k, Tap *tap, double *weight)
{
    const double from = (a->start + k * a->out_size) / a->size, to = (a->start + (k + 1) * a->out_size) / a->size;
    const int last = a->count - 1, i0 = (int)fmin(fmax(floor(from), 0.0), last);
    const int i1 = (int)fmin(fmax(ceil(to) - 1.0, i0), last);
    double sum = 0.0;
    *tap = (Tap){i0, i1 - i0 + 1};
    for (int i = i0; i <= i1; i++)
        sum += weight[i - i0] = fmax(fmin(to, i + 1.0) - fmax(from, i), 0.0);
    for (int i = i0; i <= i1; i++)
        weight[i - i0] = sum > 0.0 ? weight[i - i0] / sum : 1.0;
}

static RiStatus make_taps(RiContext *ctx, const RiResampleAxis *a, Taps *t)
{
    const bool finer = a->out_size < a->size;
    t->most = finer ? 4 : (int)fmin(ceil(a->out_size / a->size) + 2.0, a->count + 1.0);
    t->tap = ri_alloc_zero(ctx, (size_t)a->out_count, sizeof *t->tap);
    t->weight = ri_alloc_zero(ctx, (size_t)a->out_count * (size_t)t->most, sizeof *t->weight);
    if (!t->tap || !t->weight)
        return ri_error_memory(ctx);
    for (int k = 0; k < a->out_count; k++)
        (finer ? tap_cubic : tap_mean)(a, k, &t->tap[k], t->weight + (size_t)k * (size_t)t->most);
    return RI_OK;
}

/// Input rows resampled along x, each as sums of values and of weights; the last `keep` of them.
typedef struct Work {
    Taps x, y;
    int keep, rows; ///< rows read so far
    double *input;  ///< one row
    double *ring;   ///< keep x (values, weights) x out_count
    float *output;
} Work;

static double *ring_row(const Work *w, const RiResampleAxis *x, int row)
{
    return w->ring + (size_t)(row % w->keep) * 2 * (size_t)x->out_count;
}

static void resample_row(const Work *w, const RiResampleAxis *x, int row)
{
    double *value = ring_row(w, x, row), *known = value + x->out_count;
    for (int k = 0; k < x->out_count; k++) {
        const Tap tap = w->x.tap[k];
        const double *weight = w->x.weight + (size_t)k * (size_t)w->x.most, *v = w->input + tap.first;
        double sum = 0.0, part = 0.0;
        for (int i = 0; i < tap.count; i++) {
            const bool is_known = !isnan(v[i]);
            sum += is_known ? weight[i] * v[i] : 0.0;
            part += is_known ? weight[i] : 0.0;
        }
        value[k] = sum;
        known[k] = part;
    }
}

static void mix_rows(const Work *w, const RiResampleAxis *x, int out_row)
{
    const Tap tap = w->y.tap[out_row];
    const double *weight = w->y.weight + (size_t)out_row * (size_t)w->y.most;
    for (int k = 0; k < x->out_count; k++) {
        double sum = 0.0, part = 0.0;
        for (int j = 0; j < tap.count; j++) {
            const double *value = ring_row(w, x, tap.first + j);
            sum += weight[j] * value[k];
            part += weight[j] * value[x->out_count + k];
        }
        w->output[k] = part >= 0.5 ? (float)(sum / part) : NAN;
    }
}

static RiStatus prepare(RiContext *ctx, const RiResampleAxis *x, const RiResampleAxis *y, Work *w)
{
    RI_TRY(make_taps(ctx, x, &w->x));
    RI_TRY(make_taps(ctx, y, &w->y));
    w->keep = w->y.most;
    w->input = ri_alloc(ctx, (size_t)x->count, sizeof *w->input);
    w->ring = ri_alloc(ctx, (size_t)w->keep * 2 * (size_t)x->out_count, sizeof *w->ring);
    w->output = ri_alloc(ctx, (size_t)x->out_count, sizeof *w->output);
    return w->input && w->ring && w->output ? RI_OK : ri_error_memory(ctx);
}

static RiStatus run(const RiResampleAxis *x, const RiResampleAxis *y, RiResampleRead *read, RiResampleWrite *write,
                    void *user, Work *w)
{
    for (int k = 0; k < y->out_count; k++) {
        const int end = w->y.tap[k].first + w->y.tap[k].count;
        for (; w->rows < end; w->rows++) {
            if (!read(user, w->rows, w->input))
                return RI_ERR_IO;
            resample_row(w, x, w->rows);
        }
        mix_rows(w, x, k);
        write(user, k, w->output);
    }
    return RI_OK;
}

RiStatus ri_resample(RiContext *ctx, const RiResampleAxis *x, const RiResampleAxis *y, RiResampleRead *read,
                     RiResampleWrite *write, void *user)
{
    Work w = {0};
    RiStatus status = prepare(ctx, x, y, &w);
    if (status == RI_OK)
        status = run(x, y, read, write, user, &w);
    void *const blocks[] = {w.x.tap, w.x.weight, w.y.tap, w.y.weight, w.input, w.ring, w.output};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        ri_release(ctx, blocks[i]);
    return status;
}
