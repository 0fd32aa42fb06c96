// SPDX-License-Identifier: Apache-2.0
/// \file
/// Eight numbers side by side. As in dynamics/simd6.h, every build does the same operations in the
/// same order, and products and sums are fused only where fma is written, so all instruction sets
/// give equal bits; so does the same expression in single numbers.
///
/// Eight doubles are one register with AVX-512 and two halves else: compilers handle vectors wider
/// than a register badly.
#ifndef RI_TERRAIN_SIMD8_H
#define RI_TERRAIN_SIMD8_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef double D4 __attribute__((vector_size(32)));
typedef int64_t L4 __attribute__((vector_size(32)));
typedef float F8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));

#define RI_INLINE static inline __attribute__((always_inline))

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

/// 1 / sqrt(a).
RI_INLINE F8 f8_inverse_root(F8 a)
{
#if defined(__AVX2__)
    return (F8)_mm256_div_ps(_mm256_set1_ps(1.0f), _mm256_sqrt_ps((__m256)a));
#else
    for (int i = 0; i < 8; i++)
        a[i] = 1.0f / sqrtf(a[i]);
    return a;
#endif
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

#if defined(__AVX512F__)

typedef struct D8 {
    __m512d v;
} D8;

#define D8_OF(x) ((D8){x})

RI_INLINE D8 d8_load(const double *p)
{
    return D8_OF(_mm512_loadu_pd(p));
}

RI_INLINE void d8_store(double *p, D8 a)
{
    _mm512_storeu_pd(p, a.v);
}

RI_INLINE D8 d8_splat(double s)
{
    return D8_OF(_mm512_set1_pd(s));
}

RI_INLINE D4 d8_low(D8 a)
{
    return (D4)_mm512_castpd512_pd256(a.v);
}

RI_INLINE D4 d8_high(D8 a)
{
    return (D4)_mm512_extractf64x4_pd(a.v, 1);
}

RI_INLINE D8 d8_add(D8 a, D8 b)
{
    return D8_OF(_mm512_add_pd(a.v, b.v));
}

RI_INLINE D8 d8_sub(D8 a, D8 b)
{
    return D8_OF(_mm512_sub_pd(a.v, b.v));
}

RI_INLINE D8 d8_mul(D8 a, D8 b)
{
    return D8_OF(_mm512_mul_pd(a.v, b.v));
}

/// a b + c, rounded once.
RI_INLINE D8 d8_fma(D8 a, D8 b, D8 c)
{
    return D8_OF(_mm512_fmadd_pd(a.v, b.v, c.v));
}

/// c - a b, rounded once.
RI_INLINE D8 d8_fnma(D8 a, D8 b, D8 c)
{
    return D8_OF(_mm512_fnmadd_pd(a.v, b.v, c.v));
}

/// a < b ? a : b; b if a is NaN.
RI_INLINE D8 d8_min(D8 a, D8 b)
{
    return D8_OF(_mm512_min_pd(a.v, b.v));
}

/// a > b ? a : b; b if a is NaN.
RI_INLINE D8 d8_max(D8 a, D8 b)
{
    return D8_OF(_mm512_max_pd(a.v, b.v));
}

/// a < b ? x : y.
RI_INLINE D8 d8_where_less(D8 a, D8 b, D8 x, D8 y)
{
    return D8_OF(_mm512_mask_blend_pd(_mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ), y.v, x.v));
}

/// Towards zero.
RI_INLINE I8 d8_to_i8(D8 a)
{
    return (I8)_mm512_cvttpd_epi32(a.v);
}

RI_INLINE D8 i8_to_d8(I8 a)
{
    return D8_OF(_mm512_cvtepi32_pd((__m256i)a));
}

RI_INLINE F8 d8_to_f8(D8 a)
{
    return (F8)_mm512_cvtpd_ps(a.v);
}

RI_INLINE D8 f8_to_d8(F8 a)
{
    return D8_OF(_mm512_cvtps_pd((__m256)a));
}

#else

typedef struct D8 {
    D4 a, b;
} D8;

#define D8_OF(x, y)        ((D8){x, y})
#define D8_BOTH(operation) D8_OF(a.a operation b.a, a.b operation b.b)

RI_INLINE D8 d8_load(const double *p)
{
    D8 a;
    memcpy(&a.a, p, sizeof a.a);
    memcpy(&a.b, p + 4, sizeof a.b);
    return a;
}

RI_INLINE void d8_store(double *p, D8 a)
{
    memcpy(p, &a.a, sizeof a.a);
    memcpy(p + 4, &a.b, sizeof a.b);
}

RI_INLINE D8 d8_splat(double s)
{
    return D8_OF(((D4){s, s, s, s}), ((D4){s, s, s, s}));
}

RI_INLINE D4 d8_low(D8 a)
{
    return a.a;
}

RI_INLINE D4 d8_high(D8 a)
{
    return a.b;
}

RI_INLINE D8 d8_add(D8 a, D8 b)
{
    return D8_BOTH(+);
}

RI_INLINE D8 d8_sub(D8 a, D8 b)
{
    return D8_BOTH(-);
}

RI_INLINE D8 d8_mul(D8 a, D8 b)
{
    return D8_BOTH(*);
}

RI_INLINE D4 d4_fma(D4 a, D4 b, D4 c)
{
#if defined(__FMA__)
    return (D4)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    for (int i = 0; i < 4; i++)
        a[i] = fma(a[i], b[i], c[i]);
    return a;
#endif
}

RI_INLINE D8 d8_fma(D8 a, D8 b, D8 c)
{
    return D8_OF(d4_fma(a.a, b.a, c.a), d4_fma(a.b, b.b, c.b));
}

RI_INLINE D8 d8_fnma(D8 a, D8 b, D8 c)
{
    return D8_OF(d4_fma(-a.a, b.a, c.a), d4_fma(-a.b, b.b, c.b));
}

RI_INLINE D4 d4_where(L4 mask, D4 x, D4 y)
{
    return (D4)((mask & (L4)x) | (~mask & (L4)y));
}

RI_INLINE D8 d8_where_less(D8 a, D8 b, D8 x, D8 y)
{
    return D8_OF(d4_where(a.a < b.a, x.a, y.a), d4_where(a.b < b.b, x.b, y.b));
}

RI_INLINE D8 d8_min(D8 a, D8 b)
{
#if defined(__AVX2__)
    return D8_OF((D4)_mm256_min_pd((__m256d)a.a, (__m256d)b.a), (D4)_mm256_min_pd((__m256d)a.b, (__m256d)b.b));
#else
    return d8_where_less(a, b, a, b);
#endif
}

RI_INLINE D8 d8_max(D8 a, D8 b)
{
#if defined(__AVX2__)
    return D8_OF((D4)_mm256_max_pd((__m256d)a.a, (__m256d)b.a), (D4)_mm256_max_pd((__m256d)a.b, (__m256d)b.b));
#else
    return d8_where_less(b, a, a, b);
#endif
}

RI_INLINE I8 d8_to_i8(D8 a)
{
#if defined(__AVX2__)
    return (I8)_mm256_set_m128i(_mm256_cvttpd_epi32((__m256d)a.b), _mm256_cvttpd_epi32((__m256d)a.a));
#else
    I8 r;
    for (int i = 0; i < 4; i++)
        r[i] = (int32_t)a.a[i], r[i + 4] = (int32_t)a.b[i];
    return r;
#endif
}

RI_INLINE D8 i8_to_d8(I8 a)
{
#if defined(__AVX2__)
    return D8_OF((D4)_mm256_cvtepi32_pd(_mm256_castsi256_si128((__m256i)a)),
                 (D4)_mm256_cvtepi32_pd(_mm256_extracti128_si256((__m256i)a, 1)));
#else
    return D8_OF(((D4){a[0], a[1], a[2], a[3]}), ((D4){a[4], a[5], a[6], a[7]}));
#endif
}

RI_INLINE F8 d8_to_f8(D8 a)
{
#if defined(__AVX2__)
    return (F8)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)a.b), _mm256_cvtpd_ps((__m256d)a.a));
#else
    F8 r;
    for (int i = 0; i < 4; i++)
        r[i] = (float)a.a[i], r[i + 4] = (float)a.b[i];
    return r;
#endif
}

RI_INLINE D8 f8_to_d8(F8 a)
{
#if defined(__AVX2__)
    return D8_OF((D4)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)a)),
                 (D4)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)a, 1)));
#else
    return D8_OF(((D4){(double)a[0], (double)a[1], (double)a[2], (double)a[3]}),
                 ((D4){(double)a[4], (double)a[5], (double)a[6], (double)a[7]}));
#endif
}

#endif

/// 1 / sqrt(a) to the last bit or two: in single precision, then one step of Newton's method. For a
/// within what floats hold.
RI_INLINE D8 d8_inverse_root(D8 a)
{
    const D8 y = f8_to_d8(f8_inverse_root(d8_to_f8(a)));
    return d8_mul(y, d8_fma(d8_mul(d8_mul(a, d8_splat(-0.5)), y), y, d8_splat(1.5)));
}

#endif
