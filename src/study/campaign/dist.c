// SPDX-License-Identifier: Apache-2.0
/// \file
/// Quantile functions. A truncated distribution is the quantile of a narrower range of u: F(low) +
/// u (F(high) - F(low)).

#include <math.h>
#include <stddef.h>

#include <rille/study/dist.h>
#include <rille/study/stats.h>

#include "base/functions.h"

const char *ri_dist_kind_name(RiDistKind kind)
{
    static const char *const names[] = {"uniform", "normal", "lognormal", "triangular", "empirical", "list", "grid"};
    return names[kind];
}

bool ri_dist_is_discrete(const RiDist *d)
{
    return d->kind == RI_DIST_LIST || d->kind == RI_DIST_GRID;
}

static const char *check_shape(const RiDist *d)
{
    switch (d->kind) {
    case RI_DIST_UNIFORM:
        return d->b > d->a ? NULL : "the second number must be greater than the first";
    case RI_DIST_NORMAL:
        return d->b > 0.0 ? NULL : "the standard deviation must be greater than 0";
    case RI_DIST_LOGNORMAL:
        if (!(d->a > 0.0))
            return "the median must be greater than 0";
        return d->b > 0.0 ? NULL : "sigma must be greater than 0";
    case RI_DIST_TRIANGULAR:
        return d->a <= d->b && d->b <= d->c && d->a < d->c ? NULL : "low, mode and high must rise";
    case RI_DIST_EMPIRICAL:
        return d->count >= 2 ? NULL : "at least two values are needed";
    case RI_DIST_LIST:
        return d->count >= 1 ? NULL : "at least one value is needed";
    case RI_DIST_GRID:
        return d->c > 0.0 && d->b >= d->a ? NULL : "it must run upwards, with a step greater than 0";
    case RI_DIST_KINDS:
        break;
    }
    return "unknown kind";
}

static double inner_cdf(const RiDist *d, double x);

const char *ri_dist_check(const RiDist *d)
{
    if (!isfinite(d->a) || !isfinite(d->b) || !isfinite(d->c))
        return "its numbers must be finite";
    const char *why = check_shape(d);
    if (why)
        return why;
    if (isfinite(d->low) || isfinite(d->high)) {
        if (ri_dist_is_discrete(d))
            return "a list or grid cannot be truncated";
        if (!(d->low < d->high))
            return "'low' must be less than 'high'";
        if (!(inner_cdf(d, d->high) - inner_cdf(d, d->low) > 1e-12))
            return "nearly nothing of the distribution lies between 'low' and 'high'";
    }
    return NULL;
}

static double triangular_quantile(const RiDist *d, double u)
{
    const double w = d->c - d->a, cut = (d->b - d->a) / w;
    return u < cut ? d->a + sqrt(u * w * (d->b - d->a)) : d->c - sqrt((1.0 - u) * w * (d->c - d->b));
}

static int pick(const RiDist *d, double u)
{
    const int i = (int)(u * d->count);
    return i < d->count ? i : d->count - 1;
}

static double inner_quantile(const RiDist *d, double u)
{
    switch (d->kind) {
    case RI_DIST_UNIFORM:
        return d->a + (d->b - d->a) * u;
    case RI_DIST_NORMAL:
        return d->a + d->b * ri_normal_quantile(u);
    case RI_DIST_LOGNORMAL:
        return d->a * ri_exp(d->b * ri_normal_quantile(u));
    case RI_DIST_TRIANGULAR:
        return triangular_quantile(d, u);
    case RI_DIST_EMPIRICAL:
        return ri_sorted_quantile(d->values, d->count, u);
    case RI_DIST_LIST:
        return d->values ? d->values[pick(d, u)] : pick(d, u);
    case RI_DIST_GRID:
        return d->a + d->c * pick(d, u);
    case RI_DIST_KINDS:
        break;
    }
    return NAN;
}

static double triangular_cdf(const RiDist *d, double x)
{
    const double w = d->c - d->a;
    if (x <= d->a)
        return 0.0;
    if (x >= d->c)
        return 1.0;
    return x < d->b ? (x - d->a) * (x - d->a) / (w * (d->b - d->a))
                    : 1.0 - (d->c - x) * (d->c - x) / (w * (d->c - d->b));
}

static double empirical_cdf(const RiDist *d, double x)
{
    if (x <= d->values[0])
        return 0.0;
    if (x >= d->values[d->count - 1])
        return 1.0;
    int i = 0;
    while (d->values[i + 1] <= x)
        i++;
    return (i + (x - d->values[i]) / (d->values[i + 1] - d->values[i])) / (d->count - 1);
}

/// Share of the values of a list or grid that are at most x.
static double discrete_cdf(const RiDist *d, double x)
{
    int below = 0;
    for (int i = 0; i < d->count; i++)
        below += inner_quantile(d, (i + 0.5) / d->count) <= x;
    return (double)below / d->count;
}

static double inner_cdf(const RiDist *d, double x)
{
    switch (d->kind) {
    case RI_DIST_UNIFORM:
        return fmin(1.0, fmax(0.0, (x - d->a) / (d->b - d->a)));
    case RI_DIST_NORMAL:
        return ri_normal_cdf((x - d->a) / d->b);
    case RI_DIST_LOGNORMAL:
        return x > 0.0 ? ri_normal_cdf(ri_log(x / d->a) / d->b) : 0.0;
    case RI_DIST_TRIANGULAR:
        return triangular_cdf(d, x);
    case RI_DIST_EMPIRICAL:
        return empirical_cdf(d, x);
    case RI_DIST_LIST:
    case RI_DIST_GRID:
        return discrete_cdf(d, x);
    case RI_DIST_KINDS:
        break;
    }
    return NAN;
}

static bool is_truncated(const RiDist *d)
{
    return isfinite(d->low) || isfinite(d->high);
}

double ri_dist_quantile(const RiDist *d, double u)
{
    if (!is_truncated(d))
        return inner_quantile(d, u);
    const double f = inner_cdf(d, d->low), g = inner_cdf(d, d->high);
    return fmin(d->high, fmax(d->low, inner_quantile(d, f + u * (g - f))));
}

double ri_dist_cdf(const RiDist *d, double x)
{
    if (!is_truncated(d))
        return inner_cdf(d, x);
    const double f = inner_cdf(d, d->low), g = inner_cdf(d, d->high);
    return fmin(1.0, fmax(0.0, (inner_cdf(d, x) - f) / (g - f)));
}

bool ri_copula_factor(int n, double *R)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = R[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= R[i * n + k] * R[j * n + k];
            if (i == j && !(sum > 1e-12))
                return false;
            R[i * n + j] = i == j ? sqrt(sum) : sum / R[j * n + j];
        }
        for (int i = 0; i < j; i++)
            R[i * n + j] = 0.0;
    }
    return true;
}

void ri_copula_apply(int n, const double *L, double *u, double *work)
{
    for (int i = 0; i < n; i++)
        work[i] = ri_normal_quantile(u[i]);
    for (int i = 0; i < n; i++) {
        double z = 0.0;
        bool mixed = false;
        for (int k = 0; k <= i; k++) {
            z += L[i * n + k] * work[k];
            mixed |= k < i && (L[i * n + k] > 0.0 || L[i * n + k] < 0.0);
        }
        if (mixed) // one that follows no other keeps its bits
            u[i] = ri_normal_cdf(z);
    }
}
