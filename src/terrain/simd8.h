// SPDX-License-Identifier: Apache-2.0
/// \file
/// Eight numbers side by side. As in dynamics/simd6.h, every build does the same operations in the same order, and products and sums are
/// fused only where fma is written, so all instruction sets give equal bits; so does the same expression in single numbers.
#ifndef RI_TERRAIN_SIMD8_H
#define RI_TERRAIN_SIMD8_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef double D8 __attribute__((vector_size(64)));
typedef double D4 __attribute__((vector_size(32)));
typedef int64_t L8 __attribute__((vector_size(64)));
typedef float F8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));

#define RI_INLINE static inline __attribute__((always_inline))

RI_INLINE D8 d8_load(const double *p)
{
    D8 a;
    memcpy(&a, p, sizeof a);
    return a;
}

RI_INLINE D8 d8_splat(double s)
{
    return (D8){s, s, s, s, s, s, s, s};
}

RI_INLINE F8 f8_splat(float s)
{
    return (F8){s, s, s, s, s, s, s, s};
}

RI_INLINE I8 i8_splat(int32_t s)
{
    return (I8){s, s, s, s, s, s, s, s};
}

RI_INLINE D4 d8_low(D8 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

RI_INLINE D4 d8_high(D8 a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

RI_INLINE D8 d8_join(D4 low, D4 high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// a b + c, rounded once.
RI_INLINE D8 d8_fma(D8 a, D8 b, D8 c)
{
#if defined(__AVX512F__)
    return (D8)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__FMA__)
    return d8_join((D4)_mm256_fmadd_pd((__m256d)d8_low(a), (__m256d)d8_low(b), (__m256d)d8_low(c)),
                   (D4)_mm256_fmadd_pd((__m256d)d8_high(a), (__m256d)d8_high(b), (__m256d)d8_high(c)));
#else
    for (int i = 0; i < 8; i++)
        a[i] = fma(a[i], b[i], c[i]);
    return a;
#endif
}

RI_INLINE F8 f8_fma(F8 a, F8 b, F8 c)
{
#if defined(__FMA__)
    return (F8)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    for (int i = 0; i < 8; i++)
        a[i] = fmaf(a[i], b[i], c[i]);
    return a;
#endif
}

/// a < b ? a : b; b if a is NaN.
RI_INLINE D8 d8_min(D8 a, D8 b)
{
#if defined(__AVX512F__)
    return (D8)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
    return d8_join((D4)_mm256_min_pd((__m256d)d8_low(a), (__m256d)d8_low(b)),
                   (D4)_mm256_min_pd((__m256d)d8_high(a), (__m256d)d8_high(b)));
#else
    for (int i = 0; i < 8; i++)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
#endif
}

/// a > b ? a : b; b if a is NaN.
RI_INLINE D8 d8_max(D8 a, D8 b)
{
#if defined(__AVX512F__)
    return (D8)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
    return d8_join((D4)_mm256_max_pd((__m256d)d8_low(a), (__m256d)d8_low(b)),
                   (D4)_mm256_max_pd((__m256d)d8_high(a), (__m256d)d8_high(b)));
#else
    for (int i = 0; i < 8; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
#endif
}

RI_INLINE D8 d8_sqrt(D8 a)
{
#if defined(__AVX512F__)
    return (D8)_mm512_sqrt_pd((__m512d)a);
#elif defined(__AVX2__)
    return d8_join((D4)_mm256_sqrt_pd((__m256d)d8_low(a)), (D4)_mm256_sqrt_pd((__m256d)d8_high(a)));
#else
    for (int i = 0; i < 8; i++)
        a[i] = sqrt(a[i]);
    return a;
#endif
}

/// mask ? a : b, with masks of all or no bits as comparisons give them.
RI_INLINE D8 d8_select(L8 mask, D8 a, D8 b)
{
    return (D8)((mask & (L8)a) | (~mask & (L8)b));
}

RI_INLINE I8 i8_select(I8 mask, I8 a, I8 b)
{
    return (mask & a) | (~mask & b);
}

/// Whether any lane of a mask is set.
RI_INLINE int i8_any(I8 mask)
{
#if defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#else
    int32_t any = 0;
    for (int i = 0; i < 8; i++)
        any |= mask[i];
    return any != 0;
#endif
}

#endif
