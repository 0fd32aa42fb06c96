// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lanes of doubles for the kernels of this room, as wide as the instruction set that they are
/// compiled for (cmake/RilleKernels.cmake). Only for *_kernel.c.
#ifndef RI_SOIL_LANES_H
#define RI_SOIL_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "math/sincos.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define TEXT_(a)      #a
#define TEXT(a)       TEXT_(a)
#define INLINE        static inline __attribute__((always_inline))

#if defined(__AVX512F__) && !defined(RI_FOUR_LANES) // a file may ask for four, where it has few numbers
#define RI_EIGHT_LANES
enum { WIDE = 8 };
#else
enum { WIDE = 4 };
#endif
typedef double V __attribute__((vector_size(8 * WIDE)));
typedef int64_t L __attribute__((vector_size(8 * WIDE)));
typedef uint64_t U __attribute__((vector_size(8 * WIDE))); // what may wrap round

#define LN2_HIGH 6.93147180369123816490e-01 // 33 bits: k times it is exact
#define LN2_LOW  1.90821492927058770002e-10
#define LOG2_E   1.44269504088896338700
#define BIAS     1023

INLINE V load(const double *p)
{
    V v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store(double *p, V v)
{
    memcpy(p, &v, sizeof v);
}

INLINE V where(L mask, V a, V b)
{
    return (V)((mask & (L)a) | (~mask & (L)b));
}

INLINE V all(double x)
{
    return (V){0} + x;
}

/// a < b ? a : b
INLINE V smaller(V a, V b)
{
#if defined(RI_EIGHT_LANES)
    return (V)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX__)
    return (V)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return where(a < b, a, b);
#endif
}

/// a > b ? a : b
INLINE V larger(V a, V b)
{
#if defined(RI_EIGHT_LANES)
    return (V)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX__)
    return (V)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return where(a > b, a, b);
#endif
}

INLINE V between(V x, double low, double high)
{
    return smaller(all(high), larger(all(low), x));
}

/// Square root, correctly rounded.
INLINE V root(V x)
{
#if defined(RI_EIGHT_LANES)
    return (V)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX__)
    return (V)_mm256_sqrt_pd((__m256d)x);
#else
    V out = {0};
    for (int lane = 0; lane < WIDE; lane++)
        out[lane] = __builtin_sqrt(x[lane]);
    return out;
#endif
}

/// x >= 0, or 0 where x means nothing: below 1e-30 of a unit of strength or of a shear length. Its
/// powers are then no subnormal numbers.
INLINE V meaningful(V x)
{
    const V none = (V){0};
    return where(x > none + 1e-30, x, none);
}

/// e^r - 1 and 2^k with e^x = 2^k e^r; for -700 <= x <= 700.
INLINE V exp_parts(V x, V *out_scale)
{
    const V magic = x * LOG2_E + RI_ROUND_MAGIC, k = magic - RI_ROUND_MAGIC;
    const V r = (x - k * LN2_HIGH) - k * LN2_LOW;
    const V r2 = r * r, r4 = r2 * r2; // pairs of terms, then pairs of pairs: a short chain
    const V a = (0.5 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
    const V b = (1.0 / 720.0 + r * (1.0 / 5040.0)) + r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0));
    const V c = (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) + r2 * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0));
    V p = a + r4 * (b + r4 * c);
    p = r + r * (r * p);
    *out_scale = (V)(((U)magic << 52) + ((uint64_t)BIAS << 52));
    return p;
}

/// Natural logarithm of positive normal numbers.
INLINE V logarithm(V x)
{
    const L bits = (L)x;
    const L up = (bits & 0x000fffffffffffff) > 0x0006a09e667f3bcd; // mantissa beyond sqrt 2: -1 where true
    const L e = ((bits >> 52) & 0x7ff) - up;
    const V k = (V)(e | 0x4330000000000000) - (4503599627370496.0 + (double)BIAS);
    const V m = (V)((bits & 0x000fffffffffffff) | ((up & ((int64_t)(BIAS - 1) << 52)) | (~up & ((int64_t)BIAS << 52))));
    const V s = (m - 1.0) / (m + 1.0), z = s * s;
    const V z2 = z * z, z4 = z2 * z2; // pairs of terms, then pairs of pairs: a short chain
    const V a = (2.0 / 3.0 + z * (2.0 / 5.0)) + z2 * (2.0 / 7.0 + z * (2.0 / 9.0));
    const V b = (2.0 / 11.0 + z * (2.0 / 13.0)) + z2 * (2.0 / 15.0 + z * (2.0 / 17.0));
    const V p = a + z4 * (b + z4 * (2.0 / 19.0 + z * (2.0 / 21.0)));
    return k * LN2_HIGH + (2.0 * s + (s * (z * p) + k * LN2_LOW));
}

/// 1 - e^-a for a >= 0.
INLINE V mobilised(V a)
{
    const V most = (V){0} + 700.0, some = meaningful(a);
    V scale;
    const V p = exp_parts(-where(some < most, some, most), &scale);
    return (1.0 - scale) - scale * p;
}

/// Sine, and one less cosine, for |x| <= pi, from those of x / 4 by doubling twice: nothing cancels.
/// Taylor's polynomials to r^15 and r^16 as pairs of terms, then pairs of pairs: short chains. Squares
/// that mean nothing have no powers.
INLINE void sine_and_less(V x, V *out_sin, V *out_less)
{
    const V r = x * 0.25, z = r * r, z1 = meaningful(z), z2 = z1 * z1, z4 = z2 * z2;
    const V s0 = (-1.0 / 6.0 + z1 * (1.0 / 120.0)) + z2 * (-1.0 / 5040.0 + z1 * (1.0 / 362880.0));
    const V s1 = (-1.0 / 39916800.0 + z1 * (1.0 / 6227020800.0)) + z2 * (-1.0 / 1307674368000.0);
    const V c0 = (0.5 + z1 * (-1.0 / 24.0)) + z2 * (1.0 / 720.0 + z1 * (-1.0 / 40320.0));
    const V c1 =
        (1.0 / 3628800.0 + z1 * (-1.0 / 479001600.0)) + z2 * (1.0 / 87178291200.0 + z1 * (-1.0 / 20922789888000.0));
    V s = r + r * (z * (s0 + z4 * s1)), less = z * (c0 + z4 * c1);
    for (int k = 0; k < 2; k++) {
        const V twice = 2.0 * s;
        const V next = twice * (1.0 - less);
        less = twice * s;
        s = next;
    }
    *out_sin = s;
    *out_less = less;
}

INLINE void sines(V x, V *out_sin, V *out_cos)
{
    V less;
    sine_and_less(x, out_sin, &less);
    *out_cos = 1.0 - less;
}

INLINE V magnitude(V x)
{
    return (V)((L)x & INT64_MAX);
}

/// Whether a mask is set in any lane.
INLINE bool any(L mask)
{
#if defined(RI_EIGHT_LANES)
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX__)
    return _mm256_movemask_pd((__m256d)mask) != 0;
#else
    int64_t some = 0;
    for (int lane = 0; lane < WIDE; lane++)
        some |= mask[lane];
    return some != 0;
#endif
}

/// asin(x) / x of z = x^2 <= 0.1: its series to z^14, as pairs of terms, then pairs of pairs.
INLINE V small_angle(V z)
{
    const V z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    const V a = (1.0 + z * (1.0 / 6.0)) + z2 * (3.0 / 40.0 + z * (5.0 / 112.0));
    const V b = (35.0 / 1152.0 + z * (63.0 / 2816.0)) + z2 * (231.0 / 13312.0 + z * (143.0 / 10240.0));
    const V c =
        (6435.0 / 557056.0 + z * (12155.0 / 1245184.0)) + z2 * (46189.0 / 5505024.0 + z * (88179.0 / 12058624.0));
    const V d = (676039.0 / 104857600.0 + z * (1300075.0 / 226492416.0)) + z2 * (5014575.0 / 973078528.0);
    return (a + z4 * b) + z8 * (c + z4 * d);
}

/// Arcus sine for 0.3 < |x| <= 1: three halvings of the angle by its tangent, then the series of
/// arctan to t^21, |t| < 0.199.
INLINE V large_angle(V x)
{
    V t = x / (1.0 + root((1.0 - x) * (1.0 + x)));
    t = t / (1.0 + root(1.0 + t * t));
    t = t / (1.0 + root(1.0 + t * t));
    const V z = t * t, z2 = z * z, z4 = z2 * z2;
    const V a = (1.0 - z * (1.0 / 3.0)) + z2 * (1.0 / 5.0 - z * (1.0 / 7.0));
    const V b = (1.0 / 9.0 - z * (1.0 / 11.0)) + z2 * (1.0 / 13.0 - z * (1.0 / 15.0));
    const V c = (1.0 / 17.0 - z * (1.0 / 19.0)) + z2 * (1.0 / 21.0);
    return 8.0 * t * (a + z4 * (b + z4 * c));
}

/// Arcus sine for |x| <= 1.
INLINE V angle_of_sine(V x)
{
    const V z = meaningful(x * x);
    const L small = z <= 0.1;
    const V angle = x * small_angle(where(small, z, (V){0}));
    return any(~small) ? where(small, angle, large_angle(where(small, all(1.0), x))) : angle;
}

/// The whole part of x, 0 <= x < 2^32, and the same as an integer.
INLINE V whole_part(V x, L *out)
{
    const V nearest = (x + RI_ROUND_MAGIC) - RI_ROUND_MAGIC;
    const V down = nearest - where(nearest > x, (V){0} + 1.0, (V){0});
    *out = (L)(down + RI_ROUND_MAGIC) & 0xffffffff; // the low bits are the number
    return down;
}

/// table[at], lane by lane; the table has room for `room` numbers, in whole lanes of 8.
INLINE V pick(const double *table, int room, L at)
{
#if defined(RI_EIGHT_LANES)
    if (room <= 16)
        return (V)_mm512_permutex2var_pd((__m512d)load(table), (__m512i)at, (__m512d)load(table + (room > 8 ? 8 : 0)));
#else
    (void)room;
#endif
    V out = {0};
    for (int lane = 0; lane < WIDE; lane++)
        out[lane] = table[at[lane]];
    return out;
}

#endif
