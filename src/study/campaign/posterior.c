// SPDX-License-Identifier: Apache-2.0
/// \file
/// The affine-invariant ensemble [goodman2010]: half of the walkers move along lines through
/// walkers of the other half, y = x_j + z (x_k - x_j) with z drawn from 1/sqrt(z) on [1/2, 2],
/// accepted with z^(n-1) p(y)/p(x). No tuning, and equal behaviour for every linear change of the
/// parameters.

#include <math.h>
#include <string.h>

#include <rille/study/posterior.h>

#include "base/functions.h"
#include "base/memory.h"
#include "base/rng.h"

/// A move that is being tried.
typedef struct Move {
    double z, chance;
    int walker;
} Move;

typedef struct Ensemble {
    const RiChains *o;
    int n, walkers;
    double *x, *log_p;   // [walkers n], [walkers]
    double *means;       // [steps n] of the ensemble, for the autocorrelation
    double *sums;        // [2 walkers n] sums of each walker's first and second half, then [2 walkers n] of squares
    double *y, *new_log; // [walkers n], [walkers] where walkers may go
    Move *moves;         // [walkers]
    long long accepted, tried;
    RiDensityFn density;
    void *user;
    RiRng rng;
} Ensemble;

int ri_chains_walkers(const RiChains *o)
{
    const int least = 4 * o->n > 16 ? 4 * o->n : 16;
    return o->walkers > 0 ? o->walkers + (o->walkers & 1) : least;
}

static void note_best(const Ensemble *e, int k, RiChainsResult *out)
{
    if (e->log_p[k] > out->best_log) {
        out->best_log = e->log_p[k];
        memcpy(out->best, e->x + (size_t)(k * e->n), (size_t)e->n * sizeof *out->best);
    }
}

/// Log densities of some points.
static RiStatus evaluate(const Ensemble *e, int count, const double *x, double *out_log, RiChainsResult *out)
{
    out->evaluations += count;
    if (e->o->many)
        return e->o->many(e->user, e->n, count, x, out_log);
    for (int k = 0; k < count; k++)
        RI_TRY(e->density(e->user, e->n, x + (size_t)(k * e->n), &out_log[k]));
    return RI_OK;
}

/// Starts of the walkers; those that are impossible are drawn again.
static RiStatus begin(RiContext *ctx, Ensemble *e, RiChainsResult *out)
{
    const int n = e->n;
    for (int k = 0; k < e->walkers; k++)
        e->log_p[k] = -INFINITY;
    for (int tries = 0;; tries++) {
        int missing = 0;
        for (int k = 0; k < e->walkers; k++) {
            if (isfinite(e->log_p[k]))
                continue;
            for (int i = 0; i < n; i++)
                e->y[missing * n + i] = e->o->start[i] + e->o->sd[i] * ri_rng_normal(&e->rng);
            e->moves[missing++].walker = k;
        }
        if (missing == 0)
            return RI_OK;
        if (tries == 1000)
            return ri_error(ctx, RI_ERR_NUMERIC, "no possible start of the chains was found in 1000 draws");
        RI_TRY(evaluate(e, missing, e->y, e->new_log, out));
        for (int j = 0; j < missing; j++) {
            const int k = e->moves[j].walker;
            memcpy(e->x + (size_t)(k * n), e->y + (size_t)(j * n), (size_t)n * sizeof *e->x);
            e->log_p[k] = e->new_log[j];
            note_best(e, k, out);
        }
    }
}

/// Moves one half of the walkers, which look at the other half alone: all of them at once.
static RiStatus move_half(Ensemble *e, int first, RiChainsResult *out)
{
    const int n = e->n, half = e->walkers / 2;
    for (int j = 0; j < half; j++) {
        const int k = first + j, other = (first ? 0 : half) + ri_rng_below(&e->rng, half);
        const double u = ri_rng_uniform(&e->rng), root = (1.0 + u) * 0.70710678118654752440, z = root * root;
        const double *x = e->x + (size_t)(k * n), *anchor = e->x + (size_t)(other * n);
        for (int i = 0; i < n; i++)
            e->y[j * n + i] = anchor[i] + z * (x[i] - anchor[i]);
        e->moves[j] = (Move){.z = z, .chance = ri_rng_uniform(&e->rng)};
    }
    RI_TRY(evaluate(e, half, e->y, e->new_log, out));
    for (int j = 0; j < half; j++) {
        const int k = first + j;
        e->tried++;
        if (ri_log(1.0 - e->moves[j].chance) >= (n - 1) * ri_log(e->moves[j].z) + e->new_log[j] - e->log_p[k])
            continue;
        memcpy(e->x + (size_t)(k * n), e->y + (size_t)(j * n), (size_t)n * sizeof *e->x);
        e->log_p[k] = e->new_log[j];
        e->accepted++;
        note_best(e, k, out);
    }
    return RI_OK;
}

/// Adds the ensemble as it is to all sums.
static void keep(Ensemble *e, int step, double *out_samples, RiChainsResult *out)
{
    const int n = e->n, W = e->walkers, part = step >= e->o->steps / 2;
    double *means = e->means + (size_t)(step * n);
    for (int k = 0; k < W; k++)
        for (int i = 0; i < n; i++) {
            const double x = e->x[k * n + i] - e->o->start[i]; // shifted: squares keep their digits
            means[i] += x / W;
            e->sums[(part * W + k) * n + i] += x;
            e->sums[((2 + part) * W + k) * n + i] += x * x;
            out->mean[i] += x;
            for (int j = 0; j <= i; j++)
                out->covariance[i * n + j] += x * (e->x[k * n + j] - e->o->start[j]);
        }
    if (out_samples)
        memcpy(out_samples + (size_t)step * (size_t)(W * n), e->x, (size_t)(W * n) * sizeof *out_samples);
}

/// Integrated autocorrelation time of a series, by Sokal's window of five times itself.
static double correlation_time(const double *series, int count, int stride)
{
    double mean = 0.0, c0 = 0.0, tau = 1.0;
    for (int t = 0; t < count; t++)
        mean += series[t * stride] / count;
    for (int t = 0; t < count; t++)
        c0 += (series[t * stride] - mean) * (series[t * stride] - mean) / count;
    if (!(c0 > 0.0))
        return count;
    for (int lag = 1; lag < count / 2 && lag < 5.0 * tau; lag++) {
        double c = 0.0;
        for (int t = 0; t + lag < count; t++)
            c += (series[t * stride] - mean) * (series[(t + lag) * stride] - mean) / count;
        tau += 2.0 * c / c0;
    }
    return tau > 1.0 ? tau : 1.0;
}

/// Split R-hat of one parameter: each walker's halves, gathered by eights, are the chains that are
/// compared.
static double r_hat(const Ensemble *e, int i)
{
    enum { GROUPS = 8 };
    const int W = e->walkers, half = e->o->steps / 2;
    double mean[GROUPS] = {0}, square[GROUPS] = {0}, all = 0.0, within = 0.0, between = 0.0;
    int members[GROUPS] = {0};
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < W; k++) {
            const int g = part * (GROUPS / 2) + k % (GROUPS / 2), length = part ? e->o->steps - half : half;
            mean[g] += e->sums[(part * W + k) * e->n + i];
            square[g] += e->sums[((2 + part) * W + k) * e->n + i];
            members[g] += length;
        }
    for (int g = 0; g < GROUPS; g++) {
        mean[g] /= members[g];
        within += (square[g] / members[g] - mean[g] * mean[g]) / GROUPS;
        all += mean[g] / GROUPS;
    }
    for (int g = 0; g < GROUPS; g++)
        between += (mean[g] - all) * (mean[g] - all) / (GROUPS - 1);
    return within > 0.0 ? sqrt(1.0 + between / within) : INFINITY;
}

static void summarise(const Ensemble *e, RiChainsResult *out)
{
    const int n = e->n;
    const double samples = (double)e->walkers * e->o->steps;
    out->samples = (int)samples;
    out->acceptance = e->tried ? (double)e->accepted / (double)e->tried : 0.0;
    for (int i = 0; i < n; i++)
        out->mean[i] /= samples;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            out->covariance[i * n + j] = out->covariance[j * n + i] =
                out->covariance[i * n + j] / samples - out->mean[i] * out->mean[j];
    for (int i = 0; i < n; i++) {
        const double tau = correlation_time(e->means + i, e->o->steps, n);
        out->mean[i] += e->o->start[i];
        out->sd[i] = sqrt(out->covariance[i * n + i]);
        out->ess[i] = samples / tau;
        out->standard_error[i] = out->sd[i] / sqrt(out->ess[i]);
        out->r_hat[i] = r_hat(e, i);
    }
}

static RiStatus run(RiContext *ctx, Ensemble *e, double *out_samples, RiChainsResult *out)
{
    RI_TRY(begin(ctx, e, out));
    for (int step = -e->o->warmup; step < e->o->steps; step++) {
        RI_TRY(move_half(e, 0, out));
        RI_TRY(move_half(e, e->walkers / 2, out));
        if (step >= 0)
            keep(e, step, out_samples, out);
    }
    summarise(e, out);
    return RI_OK;
}

RiStatus ri_chains_sample(RiContext *ctx, const RiChains *o, RiDensityFn density, void *user, double *out_samples,
                          RiChainsResult *out_result)
{
    Ensemble e = {.o = o,
                  .n = o->n,
                  .walkers = ri_chains_walkers(o),
                  .density = density,
                  .user = user,
                  .rng = ri_rng_stream(o->seed, "campaign.chains")};
    memset(out_result, 0, sizeof *out_result);
    out_result->best_log = -INFINITY;
    if (o->n < 1 || o->n > RI_FIT_PARAMETERS || o->steps < 8 || o->warmup < 0 || e.walkers < 2 * o->n + 2)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "chains: 1 to %d parameters, at least 8 steps and 2 n + 2 walkers are needed",
                        RI_FIT_PARAMETERS);
    const size_t n = (size_t)e.n, W = (size_t)e.walkers, steps = (size_t)o->steps;
    double *block = ri_alloc_zero(ctx, 2 * W * (n + 1) + steps * n + 4 * W * n, sizeof *block);
    e.moves = ri_alloc_zero(ctx, W, sizeof *e.moves);
    if (!block || !e.moves) {
        ri_release(ctx, block);
        ri_release(ctx, e.moves);
        return ri_error_memory(ctx);
    }
    e.x = block;
    e.log_p = e.x + W * n;
    e.means = e.log_p + W;
    e.sums = e.means + steps * n;
    e.y = e.sums + 4 * W * n;
    e.new_log = e.y + W * n;
    const RiStatus status = run(ctx, &e, out_samples, out_result);
    ri_release(ctx, e.moves);
    ri_release(ctx, block);
    return status;
}
