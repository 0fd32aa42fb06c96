// SPDX-License-Identifier: Apache-2.0
/// \file
/// Powers, exponentials and sines of nodes; compiled once per instruction set.
///
/// **exp** x = k ln 2 + r with |r| <= ln 2 / 2, Taylor's series of e^r - 1 to r^13 (truncation below 1e-17 relative), then 2^k by its bits.
/// **log** x = 2^k m with m in [sqrt(1/2), sqrt 2), log m = 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.1716, series to s^19.
/// **sin, cos** of x from those of x / 4 by doubling twice: 1 - cos is carried, so nothing cancels.
///
/// Integers are moved in and out of doubles by adding 1.5 * 2^52, so no conversion instructions are needed that some sets lack.
#include <stdint.h>
#include <string.h>

#include "math/sincos.h"
#include "soil/node.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define TEXT_(a)      #a
#define TEXT(a)       TEXT_(a)
#define INLINE        static inline __attribute__((always_inline))

#if defined(__AVX512F__)
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

/// e^r - 1 and 2^k with e^x = 2^k e^r; for -700 <= x <= 700.
INLINE V exp_parts(V x, V *out_scale)
{
    const V magic = x * LOG2_E + RI_ROUND_MAGIC, k = magic - RI_ROUND_MAGIC;
    const V r = (x - k * LN2_HIGH) - k * LN2_LOW;
    V p = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
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
    V p = z * (2.0 / 21.0) + 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    return k * LN2_HIGH + (2.0 * s + (s * (z * p) + k * LN2_LOW));
}

static void power(int count, const double *z, double unit, double n, double k, double *out)
{
    const V none = (V){0} + 0.0, one = none + 1.0;
    for (int i = 0; i < count; i += WIDE) {
        const V x = load(z + i) / unit;
        const L some = x > none;
        V scale;
        const V p = exp_parts(n * logarithm(where(some, x, one)), &scale);
        store(out + i, where(some, k * (scale * p + scale), none));
    }
}

static void mobilise(int count, const double *a, double *out)
{
    const V most = (V){0} + 700.0;
    for (int i = 0; i < count; i += WIDE) {
        const V x = load(a + i);
        V scale;
        const V p = exp_parts(-where(x < most, x, most), &scale);
        store(out + i, (1.0 - scale) - scale * p);
    }
}

static void turn(int count, const double *x, double *out_sin, double *out_cos)
{
    for (int i = 0; i < count; i += WIDE) {
        const V r = load(x + i) * 0.25, z = r * r;
        V s, c;
        RI_SINCOS_POLYNOMIALS(r, s, c);
        V less = -(z * pc_); // 1 - cos
        (void)c;
        for (int k = 0; k < 2; k++) {
            const V twice = 2.0 * s;
            const V next = twice * (1.0 - less);
            less = twice * s;
            s = next;
        }
        store(out_sin + i, s);
        store(out_cos + i, 1.0 - less);
    }
}

const RiNodeKernels CONCAT(ri_node_kernels_,
                           RI_ISA) = {.name = TEXT(RI_ISA), .power = power, .mobilise = mobilise, .turn = turn};
