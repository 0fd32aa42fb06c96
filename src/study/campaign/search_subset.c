// SPDX-License-Identifier: Apache-2.0
/// \file
/// Subset simulation [au2001]: P(g <= 0) = P(g <= b1) P(g <= b2 | g <= b1) ... Each level's
/// threshold b is the `share` quantile of its samples; the samples of the next level are Markov
/// chains from the seeds below it. The chains keep the standard normal by z' = rho z + sqrt(1 -
/// rho^2) e [papaioannou2015], which moves in all dimensions at once and is tuned to accept 44 %.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/study/search.h>
#include <rille/study/stats.h>

#include "base/functions.h"
#include "base/memory.h"
#include "base/rng.h"

typedef struct Subset {
    const RiSubsetOptions *o;
    int n, count, chains, length; // samples; chains and their length in later levels
    double *z, *g;                // [count n], [count] samples of this level
    double *seeds, *seed_g;       // [chains n], [chains]
    double *try_z, *try_g;        // [chains n], [chains]
    double *sorted;               // [count]
    double spread;                // sqrt(1 - rho^2)
    RiRng rng;
} Subset;

/// A point that could not be evaluated is neither failure nor near it.
static void settle(double *g, int count)
{
    for (int i = 0; i < count; i++)
        if (isnan(g[i]))
            g[i] = HUGE_VAL;
}

static RiStatus first_level(Subset *s, RiSearchFn f, void *user, RiSubsetResult *out)
{
    for (int i = 0; i < s->count * s->n; i++)
        s->z[i] = ri_rng_normal(&s->rng);
    RI_TRY(f(user, s->n, s->count, s->z, s->g, NULL));
    settle(s->g, s->count);
    out->evaluations += s->count;
    return RI_OK;
}

static void keep_least(const Subset *s, RiSubsetResult *out)
{
    for (int i = 0; i < s->count; i++)
        if (s->g[i] < out->least) {
            out->least = s->g[i];
            memcpy(out->worst, s->z + (size_t)(i * s->n), (size_t)s->n * sizeof *out->worst);
        }
}

/// Samples at or below the threshold become seeds, at most one for each chain.
static void take_seeds(Subset *s, double threshold)
{
    int k = 0;
    for (int i = 0; i < s->count && k < s->chains; i++) {
        if (!(s->g[i] <= threshold))
            continue;
        memcpy(s->seeds + (size_t)(k * s->n), s->z + (size_t)(i * s->n), (size_t)s->n * sizeof *s->z);
        s->seed_g[k++] = s->g[i];
    }
}

/// One step of all chains; sample `step` of chain k is row step * chains + k. Returns the accepted
/// share.
static RiStatus advance(Subset *s, double threshold, int step, RiSearchFn f, void *user, double *out_share)
{
    const double rho = sqrt(1.0 - s->spread * s->spread);
    int accepted = 0;
    for (int i = 0; i < s->chains * s->n; i++)
        s->try_z[i] = rho * s->seeds[i] + s->spread * ri_rng_normal(&s->rng);
    RI_TRY(f(user, s->n, s->chains, s->try_z, s->try_g, NULL));
    settle(s->try_g, s->chains);
    for (int k = 0; k < s->chains; k++) {
        if (s->try_g[k] <= threshold) {
            memcpy(s->seeds + (size_t)(k * s->n), s->try_z + (size_t)(k * s->n), (size_t)s->n * sizeof *s->z);
            s->seed_g[k] = s->try_g[k];
            accepted++;
        }
        const size_t row = (size_t)(step * s->chains + k);
        memcpy(s->z + row * (size_t)s->n, s->seeds + (size_t)(k * s->n), (size_t)s->n * sizeof *s->z);
        s->g[row] = s->seed_g[k];
    }
    *out_share = (double)accepted / s->chains;
    return RI_OK;
}

static RiStatus next_level(Subset *s, double threshold, RiSearchFn f, void *user, RiSubsetResult *out)
{
    take_seeds(s, threshold);
    for (int step = 0; step < s->length; step++) {
        double share;
        RI_TRY(advance(s, threshold, step, f, user, &share));
        out->evaluations += s->chains;
        s->spread = fmin(1.0, fmax(0.05, s->spread * ri_exp((share - 0.44) / sqrt(step + 1.0))));
    }
    return RI_OK;
}

/// Squared coefficient of variation of a level's conditional probability p, from the correlation
/// along the chains [au2001, eq. 28].
static double variation(const Subset *s, double threshold, double p, bool chains)
{
    double gamma = 0.0;
    if (p <= 0.0 || p >= 1.0)
        return 0.0;
    for (int lag = 1; chains && lag < s->length; lag++) {
        double both = 0.0;
        for (int i = 0; i + lag < s->length; i++)
            for (int k = 0; k < s->chains; k++)
                both += s->g[i * s->chains + k] <= threshold && s->g[(i + lag) * s->chains + k] <= threshold;
        const double r = both / ((s->length - lag) * s->chains) - p * p;
        gamma += 2.0 * (1.0 - (double)lag / s->length) * r / (p * (1.0 - p));
    }
    return (1.0 - p) / (p * s->count) * (1.0 + fmax(0.0, gamma));
}

static RiStatus run(RiContext *ctx, Subset *s, RiSearchFn f, void *user, RiSubsetResult *out)
{
    double square = 0.0;
    out->probability = 1.0;
    for (int level = 0; level < s->o->levels; level++) {
        if (level == 0)
            RI_TRY(first_level(s, f, user, out));
        keep_least(s, out);
        out->levels = level + 1;
        memcpy(s->sorted, s->g, (size_t)s->count * sizeof *s->g);
        ri_sort_numbers(s->sorted, s->count);
        const double threshold = s->sorted[s->chains - 1];
        const double bound = fmax(threshold, 0.0);
        int inside = 0;
        for (int i = 0; i < s->count; i++)
            inside += s->g[i] <= bound;
        const double p = (double)inside / s->count;
        out->probability *= p;
        square += variation(s, bound, p, level > 0);
        if (threshold <= 0.0) {
            out->variation = sqrt(square);
            return RI_OK;
        }
        if (!isfinite(threshold))
            return ri_error(ctx, RI_ERR_NUMERIC, "more than a share of %g of the points could not be evaluated",
                            1.0 - s->o->share);
        RI_TRY(next_level(s, threshold, f, user, out));
    }
    out->variation = sqrt(square);
    return ri_error(ctx, RI_ERR_NUMERIC, "no failure was reached in %d levels: its probability is below about %.2g",
                    s->o->levels, out->probability);
}

RiStatus ri_subset_probability(RiContext *ctx, const RiSubsetOptions *options, RiSearchFn g, void *user,
                               RiSubsetResult *out_result)
{
    RiSubsetOptions o = *options;
    *out_result = (RiSubsetResult){.least = INFINITY};
    o.share = o.share > 0.0 ? o.share : 0.1;
    o.levels = o.levels > 0 ? o.levels : 8;
    if (o.n < 1 || o.n > RI_SEARCH_DIMENSIONS || o.samples < 50 || o.share > 0.5)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "subset simulation: 1 to %d dimensions, at least 50 samples, a share of at most 0.5",
                        RI_SEARCH_DIMENSIONS);
    Subset s = {.o = &o, .n = o.n, .spread = 0.8, .rng = ri_rng_stream(o.seed, "campaign.subset")};
    s.length = (int)(1.0 / o.share + 0.5);
    s.chains = o.samples / s.length;
    s.count = s.chains * s.length;
    const size_t n = (size_t)s.n, rows = (size_t)s.count, chains = (size_t)s.chains;
    double *block = ri_alloc_zero(ctx, rows * (n + 2) + 2 * chains * (n + 1), sizeof *block);
    if (!block)
        return ri_error_memory(ctx);
    s.z = block;
    s.g = s.z + rows * n;
    s.sorted = s.g + rows;
    s.seeds = s.sorted + rows;
    s.seed_g = s.seeds + chains * n;
    s.try_z = s.seed_g + chains;
    s.try_g = s.try_z + chains * n;
    const RiStatus status = run(ctx, &s, g, user, out_result);
    ri_release(ctx, block);
    return status;
}
