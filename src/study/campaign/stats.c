// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distribution functions and intervals. Beta by its continued fraction [press2007, 6.4], inverses
/// by bisection with Newton steps, so that a root is as exact as the function.

#include <math.h>
#include <stdlib.h>

#include <rille/study/stats.h>

#include "base/functions.h"

// ------------------------------------------------------------------------------------------ normal

/// erfc(x) for x >= 0, of our own so that samples have equal bits on every machine: the series of
/// erf up to 2, beyond it Lentz's evaluation of Laplace's continued fraction [abramowitz1964, 7.1.6
/// and 7.1.14].
static double own_erfc(double x)
{
    const double root_pi = 1.77245385090551602730, scale = ri_exp(-x * x);
    if (x < 2.0) {
        double term = x, sum = x;
        for (int n = 1; n < 200 && term > 1e-18 * sum; n++) {
            term *= 2.0 * x * x / (2 * n + 1);
            sum += term;
        }
        return 1.0 - 2.0 / root_pi * scale * sum;
    }
    double f = x, c = x, d = 0.0;
    for (int n = 1; n < 500; n++) {
        d = 1.0 / (x + 0.5 * n * d);
        c = x + 0.5 * n / c;
        f *= c * d;
        if (fabs(c * d - 1.0) < 1e-16)
            break;
    }
    return scale / (root_pi * f);
}

double ri_normal_cdf(double z)
{
    const double half = 0.5 * own_erfc(fabs(z) * 0.70710678118654752440);
    return z < 0.0 ? half : 1.0 - half;
}

static double polynomial(const double *c, int n, double x)
{
    double y = c[n - 1];
    for (int i = n - 2; i >= 0; i--)
        y = y * x + c[i];
    return y;
}

/// Wichura's rational functions, relative error about 1e-16 [wichura1988].
double ri_normal_quantile(double p)
{
    static const double a[] = {3.3871328727963666080,    1.3314166789178437745e+2, 1.9715909503065514427e+3,
                               1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                               3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double b[] = {1.0,
                               4.2313330701600911252e+1,
                               6.8718700749205790830e+2,
                               5.3941960214247511077e+3,
                               2.1213794301586595867e+4,
                               3.9307895800092710610e+4,
                               2.8729085735721942674e+4,
                               5.2264952788528545610e+3};
    static const double c[] = {1.42343711074968357734,    4.63033784615654529590,   5.76949722146069140550,
                               3.64784832476320460504,    1.27045825245236838258,   2.41780725177450611770e-1,
                               2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[] = {1.0,
                               2.05319162663775882187,
                               1.67638483018380384940,
                               6.89767334985100004550e-1,
                               1.48103976427480074590e-1,
                               1.51986665636164571966e-2,
                               5.47593808499534494600e-4,
                               1.05075007164441684324e-9};
    static const double e[] = {6.65790464350110377720,    5.46378491116411436990,    1.78482653991729133580,
                               2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[] = {1.0,
                               5.99832206555887937690e-1,
                               1.36929880922735805310e-1,
                               1.48753612908506148525e-2,
                               7.86869131145613259100e-4,
                               1.84631831751005468180e-5,
                               1.42151175831644588870e-7,
                               2.04426310338993978564e-15};
    if (!(p > 0.0))
        return -INFINITY;
    if (!(p < 1.0))
        return INFINITY;
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(a, 8, r) / polynomial(b, 8, r);
    }
    const double r = sqrt(-ri_log(q < 0.0 ? p : 1.0 - p));
    const double z = r <= 5.0 ? polynomial(c, 8, r - 1.6) / polynomial(d, 8, r - 1.6)
                              : polynomial(e, 8, r - 5.0) / polynomial(f, 8, r - 5.0);
    return q < 0.0 ? -z : z;
}

// -------------------------------------------------------------------------------------------- beta

/// Lentz's evaluation of the continued fraction of the incomplete beta function.
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m < 100000; m++) {
        const double m2 = 2.0 * m;
        const double even = m * (b - m) * x / ((a + m2 - 1.0) * (a + m2));
        const double odd = -(a + m) * (a + b + m) * x / ((a + m2) * (a + m2 + 1.0));
        for (int k = 0; k < 2; k++) {
            const double t = k ? odd : even;
            d = 1.0 + t * d;
            c = 1.0 + t / c;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            h *= d * c;
        }
        if (fabs(d * c - 1.0) < 1e-16)
            break;
    }
    return h;
}

double ri_beta_cdf(double a, double b, double x)
{
    if (!(x > 0.0))
        return 0.0;
    if (!(x < 1.0))
        return 1.0;
    const double front = ri_exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * ri_log(x) + b * ri_log1p(-x));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                         : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double ri_beta_quantile(double a, double b, double p)
{
    if (!(p > 0.0))
        return 0.0;
    if (!(p < 1.0))
        return 1.0;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 200 && high - low > 1e-17 * high; i++) {
        const double x = 0.5 * (low + high);
        if (x <= low || x >= high)
            break;
        if (ri_beta_cdf(a, b, x) < p)
            low = x;
        else
            high = x;
    }
    return 0.5 * (low + high);
}

double ri_binomial_cdf(int k, int n, double p)
{
    if (k < 0)
        return 0.0;
    return k >= n ? 1.0 : ri_beta_cdf(n - k, k + 1.0, 1.0 - p);
}

// ------------------------------------------------------------------------------------- proportions

/// P(|T| < t) = I_y(1/2, v/2) with y = t^2 / (v + t^2), which keeps its digits where v is large.
double ri_student_quantile(double freedom, double confidence)
{
    const double y = ri_beta_quantile(0.5, 0.5 * freedom, confidence);
    return sqrt(freedom * y / (1.0 - y));
}

RiInterval ri_clopper_pearson(int k, int n, double confidence)
{
    const double alpha = 0.5 * (1.0 - confidence);
    return (RiInterval){k == 0 ? 0.0 : ri_beta_quantile(k, n - k + 1.0, alpha),
                        k == n ? 1.0 : ri_beta_quantile(k + 1.0, n - k, 1.0 - alpha)};
}

RiInterval ri_wilson(int k, int n, double confidence)
{
    const double z = ri_normal_quantile(0.5 + 0.5 * confidence), z2 = z * z, p = (double)k / n;
    const double centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    const double half = z / (1.0 + z2 / n) * sqrt(p * (1.0 - p) / n + z2 / (4.0 * n * n));
    return (RiInterval){k == 0 ? 0.0 : centre - half, k == n ? 1.0 : centre + half};
}

// --------------------------------------------------------------------------------------- quantiles

int ri_quantile_upper_rank(int n, double p, double confidence)
{
    // P(X_(r) >= x_p) = P(at most r - 1 samples are below x_p), which rises with r
    int low = 0, high = n;
    if (n < 1 || ri_binomial_cdf(n - 1, n, p) < confidence)
        return 0;
    while (high - low > 1) {
        const int r = low + (high - low) / 2;
        if (ri_binomial_cdf(r - 1, n, p) >= confidence)
            high = r;
        else
            low = r;
    }
    return high;
}

int ri_quantile_lower_rank(int n, double p, double confidence)
{
    const int mirrored = ri_quantile_upper_rank(n, 1.0 - p, confidence);
    return mirrored ? n + 1 - mirrored : 0;
}

int ri_wilks_count(double p, double confidence, int order)
{
    for (int n = order;; n++)
        if (ri_binomial_cdf(n - order, n, p) >= confidence)
            return n;
}

double ri_sorted_quantile(const double *sorted, int n, double p)
{
    if (n == 0)
        return NAN;
    const double at = p * (n - 1), base = floor(at);
    const int i = (int)base;
    return i + 1 < n ? sorted[i] + (at - base) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ri_sort_numbers(double *x, int n)
{
    if (n > 1)
        qsort(x, (size_t)n, sizeof *x, by_number);
}

double ri_mean(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / n : NAN;
}

double ri_variance(const double *x, int n)
{
    const double mean = ri_mean(x, n);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sum / (n - 1) : 0.0;
}

double ri_correlation(const double *x, const double *y, int n)
{
    const double mx = ri_mean(x, n), my = ri_mean(y, n);
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : NAN;
}

static int by_place(const void *a, const void *b, void *numbers)
{
    const double *x = numbers;
    const double u = x[*(const int *)a], v = x[*(const int *)b];
    return (u > v) - (u < v);
}

void ri_ranks(const double *x, int n, int *work, double *out_rank)
{
    double *copy = (double *)(void *)(size_t)x; // qsort_r hands it on, nothing is written
    for (int i = 0; i < n; i++)
        work[i] = i;
    if (n > 1)
        qsort_r(work, (size_t)n, sizeof *work, by_place, copy);
    for (int i = 0; i < n;) {
        int j = i;
        while (j < n && x[work[j]] <= x[work[i]])
            j++;
        for (int k = i; k < j; k++)
            out_rank[work[k]] = 0.5 * (i + 1 + j);
        i = j;
    }
}
