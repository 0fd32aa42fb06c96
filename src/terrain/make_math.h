// SPDX-License-Identifier: Apache-2.0
/// \file
/// Elementary functions and distributions with the same bits on every machine: sums, products,
/// quotients and square roots only, which IEEE 754 defines. (The C library's exp, log and atan2 may
/// round differently where a processor has fused multiply-add.) Test:
/// tests/terrain/test_make_math.c against the C library.
#ifndef RI_TERRAIN_MAKE_MATH_H
#define RI_TERRAIN_MAKE_MATH_H

#include <math.h>

#include "base/rng.h"
#include "math/sincos.h"

#define MAKE_PI  M_PI
#define MAKE_DEG (MAKE_PI / 180.0)

/// e^x: x = n ln 2 + r, |r| <= ln(2)/2, Taylor to r^14. Within 2 ulp for |x| < 700.
static inline double make_exp(double x)
{
    const double n = floor(x * 1.44269504088896340736 + 0.5);
    const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    double sum = 1.0;
    for (int k = 14; k > 0; k--)
        sum = 1.0 + r * sum / k;
    return ldexp(sum, (int)fmin(fmax(n, -1100.0), 1100.0));
}

/// ln x for x > 0: x = m 2^e, m about 1, ln m = 2 atanh((m - 1)/(m + 1)).
static inline double make_log(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        e--;
    }
    const double s = (m - 1.0) / (m + 1.0), s2 = s * s;
    double sum = 0.0;
    for (int k = 23; k > 1; k -= 2)
        sum = s2 * (sum + 1.0 / k);
    return e * 6.93147180369123816490e-01 + (2.0 * (s + s * sum) + e * 1.90821492927058770002e-10);
}

/// x^y for x > 0.
static inline double make_pow(double x, double y)
{
    return make_exp(y * make_log(x));
}

/// Arc tangent of t >= 0, halved twice: atan t = 2 atan(t / (1 + sqrt(1 + t^2))).
static inline double make_atan_positive(double t)
{
    const int inverse = t > 1.0;
    double u = inverse ? 1.0 / t : t;
    u = u / (1.0 + sqrt(1.0 + u * u));
    u = u / (1.0 + sqrt(1.0 + u * u));
    const double u2 = u * u;
    double sum = 0.0;
    for (int k = 25; k > 0; k -= 2)
        sum = 1.0 / k - u2 * sum;
    const double angle = 4.0 * u * sum;
    return inverse ? 0.5 * MAKE_PI - angle : angle;
}

/// Angle of (x, y) in (-pi, pi]; 0 for (0, 0).
static inline double make_atan2(double y, double x)
{
    if (x == 0.0 && y == 0.0)
        return 0.0;
    const double a = x == 0.0 ? 0.5 * MAKE_PI : make_atan_positive(fabs(y / x));
    const double b = x < 0.0 ? MAKE_PI - a : a;
    return y < 0.0 ? -b : b;
}

static inline double make_sin(double x)
{
    double s, c;
    ri_sincos(x, &s, &c);
    return s;
}

static inline double make_cos(double x)
{
    double s, c;
    ri_sincos(x, &s, &c);
    return c;
}

static inline double make_tan(double x)
{
    double s, c;
    ri_sincos(x, &s, &c);
    return s / c;
}

/// Two independent standard normal numbers (polar method).
static inline void make_normal_pair(RiRng *rng, double *a, double *b)
{
    for (;;) {
        const double x = ri_rng_between(rng, -1.0, 1.0), y = ri_rng_between(rng, -1.0, 1.0), s = x * x + y * y;
        if (s > 0.0 && s < 1.0) {
            const double f = sqrt(-2.0 * make_log(s) / s);
            *a = f * x;
            *b = f * y;
            return;
        }
    }
}

static inline double make_normal(RiRng *rng)
{
    double a, b;
    make_normal_pair(rng, &a, &b);
    return a;
}

/// Number of events of a Poisson process of unit rate up to `mean`, exact, in O(mean); at most
/// `most`.
static inline int make_poisson(RiRng *rng, double mean, int most)
{
    int count = -1;
    for (double t = 0.0; t <= mean && count < most; count++)
        t -= make_log(1.0 - ri_rng_uniform(rng));
    return count;
}

/// Diameter drawn from the power law N(>D) ~ D^-b between low and high.
static inline double make_power_law(RiRng *rng, double b, double low, double high)
{
    const double top = make_pow(high / low, -b), u = ri_rng_uniform(rng);
    return low * make_pow(1.0 - u * (1.0 - top), -1.0 / b);
}

/// 0 below a, 1 above b, smooth between.
static inline double make_smooth_step(double a, double b, double x)
{
    const double t = fmin(fmax((x - a) / (b - a), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

#endif
