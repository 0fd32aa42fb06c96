// SPDX-License-Identifier: Apache-2.0
/// \file
/// First-order and total Sobol' indices:
///
///     S_i  = mean(f(B) (f(AB_i) - f(A))) / V              [saltelli2010, table 2 b]
///     ST_i = mean((f(A) - f(AB_i))^2) / (2 V)             [jansen1999]
///
/// V is the variance of f(A) and f(B) together. f is centred first, which changes neither formula's
/// expectation and removes most of the variance of the first. Test:
/// tests/study/test_campaign_stats.c (Ishigami, g-function, linear).

#include <math.h>
#include <stddef.h>

#include <rille/study/indices.h>

#include "base/rng.h"

/// Sums over the chosen rows: `pick` gives row r of the resample, NULL for all rows in order.
static void estimate(const double *y, int rows, int d, RiRng *pick, double *first, double *total)
{
    const int group = d + 2;
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < d; i++)
        first[i] = total[i] = 0.0;
    // The mean of all rows is good enough to centre each resample by.
    double mean = 0.0;
    for (int r = 0; r < rows; r++)
        mean += y[r * group] + y[r * group + 1];
    mean /= 2.0 * rows;
    for (int r = 0; r < rows; r++) {
        const double *row = y + (size_t)(pick ? ri_rng_below(pick, rows) : r) * (size_t)group;
        const double a = row[0] - mean, b = row[1] - mean;
        sum += a + b;
        square += a * a + b * b;
        for (int i = 0; i < d; i++) {
            const double ab = row[i + 2] - mean;
            first[i] += b * (ab - a);
            total[i] += (a - ab) * (a - ab);
        }
    }
    const double m = sum / (2.0 * rows), variance = square / (2.0 * rows) - m * m;
    for (int i = 0; i < d; i++) {
        first[i] = variance > 0.0 ? first[i] / (rows * variance) : NAN;
        total[i] = variance > 0.0 ? total[i] / (2.0 * rows * variance) : NAN;
    }
}

static RiInterval interval_of(double *x, int n, double confidence)
{
    ri_sort_numbers(x, n);
    return (RiInterval){ri_sorted_quantile(x, n, 0.5 * (1.0 - confidence)),
                        ri_sorted_quantile(x, n, 0.5 * (1.0 + confidence))};
}

void ri_sobol_indices(const double *y, int rows, int d, double confidence, int replicas, uint64_t seed, double *work,
                      RiSobolIndex *out_index)
{
    double first[64], total[64];
    RiRng rng = ri_rng_stream(seed, "campaign.bootstrap");
    estimate(y, rows, d, NULL, first, total);
    for (int i = 0; i < d; i++)
        out_index[i] = (RiSobolIndex){.first = first[i], .total = total[i]};
    for (int k = 0; k < replicas; k++) {
        estimate(y, rows, d, &rng, first, total);
        for (int i = 0; i < d; i++) {
            work[i * replicas + k] = first[i];
            work[(d + i) * replicas + k] = total[i];
        }
    }
    for (int i = 0; i < d; i++) {
        if (replicas == 0 || isnan(out_index[i].first)) {
            out_index[i].first_interval = out_index[i].total_interval = (RiInterval){NAN, NAN};
            continue;
        }
        out_index[i].first_interval = interval_of(work + i * replicas, replicas, confidence);
        out_index[i].total_interval = interval_of(work + (d + i) * replicas, replicas, confidence);
    }
}
