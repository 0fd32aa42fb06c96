// SPDX-License-Identifier: Apache-2.0
/// \file
/// CMA-ES [hansen2016] on a box scaled to [0, 1]^n: weighted recombination, cumulative step-size
/// control, rank-one and rank-mu updates. The square root of the covariance is its eigenvectors
/// times the roots of its eigenvalues, by Jacobi rotations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/study/search.h>

#include "base/functions.h"
#include "base/memory.h"
#include "base/rng.h"
#include "study/campaign/eigen.h"

typedef struct Cma {
    const RiCmaOptions *o;
    int n, lambda, mu;
    double mean[RI_SEARCH_DIMENSIONS], sigma;
    double C[RI_SEARCH_DIMENSIONS * RI_SEARCH_DIMENSIONS];
    double B[RI_SEARCH_DIMENSIONS * RI_SEARCH_DIMENSIONS], D[RI_SEARCH_DIMENSIONS];
    double ps[RI_SEARCH_DIMENSIONS], pc[RI_SEARCH_DIMENSIONS];
    double mueff, cs, ds, cc, c1, cmu, chi;
    double *weights;       // [lambda]
    double *y, *x, *f, *v; // [lambda n] steps, [lambda n] points of the user, [lambda] values and violations
    int *order;            // [lambda]
    RiRng rng;
} Cma;

static void set_rates(Cma *c)
{
    const double n = c->n;
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < c->lambda; i++) {
        c->weights[i] = i < c->mu ? ri_log(c->mu + 0.5) - ri_log(i + 1.0) : 0.0;
        sum += c->weights[i];
    }
    for (int i = 0; i < c->mu; i++) {
        c->weights[i] /= sum;
        square += c->weights[i] * c->weights[i];
    }
    c->mueff = 1.0 / square;
    c->cs = (c->mueff + 2.0) / (n + c->mueff + 5.0);
    c->ds = 1.0 + 2.0 * fmax(0.0, sqrt((c->mueff - 1.0) / (n + 1.0)) - 1.0) + c->cs;
    c->cc = (4.0 + c->mueff / n) / (n + 4.0 + 2.0 * c->mueff / n);
    c->c1 = 2.0 / ((n + 1.3) * (n + 1.3) + c->mueff);
    c->cmu = fmin(1.0 - c->c1, 2.0 * (c->mueff - 2.0 + 1.0 / c->mueff) / ((n + 2.0) * (n + 2.0) + c->mueff));
    c->chi = sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
}

/// A number folded back into [0, 1] at the walls.
static double mirror(double x)
{
    x = fabs(fmod(x, 2.0));
    return x > 1.0 ? 2.0 - x : x;
}

static void draw(Cma *c, int k)
{
    const int n = c->n;
    double z[RI_SEARCH_DIMENSIONS];
    for (int i = 0; i < n; i++)
        z[i] = c->D[i] * ri_rng_normal(&c->rng);
    for (int i = 0; i < n; i++) {
        double y = 0.0;
        for (int j = 0; j < n; j++)
            y += c->B[i * n + j] * z[j];
        const double u = mirror(c->mean[i] + c->sigma * y);
        c->y[k * n + i] = (u - c->mean[i]) / c->sigma; // of the mirrored point
        c->x[k * n + i] = c->o->low[i] + u * (c->o->high[i] - c->o->low[i]);
    }
}

/// Points that keep the constraints first, then by violation; failed points last.
static bool is_better(const Cma *c, int a, int b)
{
    const double va = isnan(c->f[a]) ? INFINITY : c->v[a], vb = isnan(c->f[b]) ? INFINITY : c->v[b];
    if (va < vb || va > vb)
        return va < vb;
    return c->f[a] < c->f[b];
}

static void rank(Cma *c)
{
    for (int i = 0; i < c->lambda; i++) {
        int k = i;
        for (; k > 0 && is_better(c, i, c->order[k - 1]); k--)
            c->order[k] = c->order[k - 1];
        c->order[k] = i;
    }
}

static void move_mean(Cma *c, double *step)
{
    for (int i = 0; i < c->n; i++) {
        step[i] = 0.0;
        for (int k = 0; k < c->mu; k++)
            step[i] += c->weights[k] * c->y[c->order[k] * c->n + i];
        c->mean[i] += c->sigma * step[i];
    }
}

/// ps <- (1 - cs) ps + sqrt(cs (2 - cs) mueff) C^-1/2 step; its length.
static double move_path(Cma *c, const double *step)
{
    const int n = c->n;
    double z[RI_SEARCH_DIMENSIONS], length = 0.0;
    for (int j = 0; j < n; j++) {
        z[j] = 0.0;
        for (int i = 0; i < n; i++)
            z[j] += c->B[i * n + j] * step[i];
        z[j] /= c->D[j];
    }
    for (int i = 0; i < n; i++) {
        double w = 0.0;
        for (int j = 0; j < n; j++)
            w += c->B[i * n + j] * z[j];
        c->ps[i] = (1.0 - c->cs) * c->ps[i] + sqrt(c->cs * (2.0 - c->cs) * c->mueff) * w;
        length += c->ps[i] * c->ps[i];
    }
    return sqrt(length);
}

static void adapt(Cma *c, int generation)
{
    const int n = c->n;
    double step[RI_SEARCH_DIMENSIONS];
    move_mean(c, step);
    const double length = move_path(c, step);
    const bool steady =
        length / sqrt(1.0 - ri_pow(1.0 - c->cs, 2.0 * (generation + 1))) / c->chi < 1.4 + 2.0 / (n + 1.0);
    for (int i = 0; i < n; i++)
        c->pc[i] = (1.0 - c->cc) * c->pc[i] + (steady ? sqrt(c->cc * (2.0 - c->cc) * c->mueff) * step[i] : 0.0);
    const double keep = 1.0 - c->c1 - c->cmu + (steady ? 0.0 : c->c1 * c->cc * (2.0 - c->cc));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double r = 0.0;
            for (int k = 0; k < c->mu; k++)
                r += c->weights[k] * c->y[c->order[k] * n + i] * c->y[c->order[k] * n + j];
            c->C[i * n + j] = c->C[j * n + i] = keep * c->C[i * n + j] + c->c1 * c->pc[i] * c->pc[j] + c->cmu * r;
        }
    c->sigma *= ri_exp(fmin(1.0, c->cs / c->ds * (length / c->chi - 1.0)));
    memcpy(c->B, c->C, (size_t)(n * n) * sizeof *c->B);
    ri_eigen_symmetric(n, c->B, c->D);
    for (int i = 0; i < n; i++)
        c->D[i] = sqrt(fmax(c->D[i], 1e-20));
}

static void keep_best(const Cma *c, RiCmaResult *out)
{
    const int k = c->order[0];
    if (isnan(c->f[k]))
        return;
    if (c->v[k] > out->violation || (c->v[k] >= out->violation && c->f[k] >= out->f))
        return;
    out->f = c->f[k];
    out->violation = c->v[k];
    memcpy(out->x, c->x + (size_t)(k * c->n), (size_t)c->n * sizeof *out->x);
}

static RiStatus run(Cma *c, RiSearchFn f, void *user, RiCmaResult *out)
{
    const double tolerance = c->o->tolerance > 0.0 ? c->o->tolerance : 1e-6;
    for (int g = 0; out->evaluations + c->lambda <= c->o->evaluations; g++) {
        for (int k = 0; k < c->lambda; k++)
            draw(c, k);
        memset(c->v, 0, (size_t)c->lambda * sizeof *c->v);
        RI_TRY(f(user, c->n, c->lambda, c->x, c->f, c->v));
        out->evaluations += c->lambda;
        out->generations = g + 1;
        rank(c);
        keep_best(c, out);
        adapt(c, g);
        out->step = c->sigma;
        double widest = 0.0;
        for (int i = 0; i < c->n; i++)
            widest = fmax(widest, c->sigma * sqrt(c->C[i * c->n + i]));
        if (widest < tolerance)
            break;
    }
    return RI_OK;
}

static void begin(Cma *c)
{
    const RiCmaOptions *o = c->o;
    set_rates(c);
    c->sigma = o->step > 0.0 ? o->step : 0.3;
    c->rng = ri_rng_stream(o->seed, "campaign.cma");
    for (int i = 0; i < c->n; i++) {
        c->mean[i] = o->start ? (o->start[i] - o->low[i]) / (o->high[i] - o->low[i]) : 0.5;
        c->D[i] = c->C[i * c->n + i] = c->B[i * c->n + i] = 1.0;
    }
}

RiStatus ri_cma_minimise(RiContext *ctx, const RiCmaOptions *o, RiSearchFn f, void *user, RiCmaResult *out_result)
{
    *out_result = (RiCmaResult){.f = INFINITY, .violation = INFINITY};
    if (o->n < 1 || o->n > RI_SEARCH_DIMENSIONS)
        return ri_error(ctx, RI_ERR_ARGUMENT, "a search has 1 to %d dimensions, not %d", RI_SEARCH_DIMENSIONS, o->n);
    Cma *c = ri_alloc_zero(ctx, 1, sizeof *c);
    if (!c)
        return ri_error_memory(ctx);
    c->o = o;
    c->n = o->n;
    c->lambda = o->population > 3 ? o->population : 4 + (int)(3.0 * ri_log(o->n));
    c->mu = c->lambda / 2;
    const size_t rows = (size_t)c->lambda, n = (size_t)c->n;
    double *block = ri_alloc_zero(ctx, rows * (3 + 2 * n), sizeof *block);
    c->order = ri_alloc_zero(ctx, rows, sizeof *c->order);
    RiStatus status = block && c->order ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK) {
        c->weights = block;
        c->f = block + rows;
        c->v = block + 2 * rows;
        c->y = block + 3 * rows;
        c->x = c->y + rows * n;
        begin(c);
        status = run(c, f, user, out_result);
    }
    ri_release(ctx, block);
    ri_release(ctx, c->order);
    ri_release(ctx, c);
    return status;
}
