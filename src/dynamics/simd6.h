// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spatial vectors in vector registers.
///
/// A six-vector is eight doubles in memory, (w0 w1 w2 0 | l0 l1 l2 0): two three-vectors with a
/// zero pad each, so that 3-D operations work on 256-bit halves. With AVX-512 it is one register,
/// otherwise two vectors of four. Every build does the same operations in the same order; products
/// and sums are fused where this file says so (in software where the processor cannot) and nowhere
/// else, so results are equal to the last bit on every machine.
#ifndef RI_DYNAMICS_SIMD6_H
#define RI_DYNAMICS_SIMD6_H

#include <math.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef double V4 __attribute__((vector_size(32)));
typedef double V8 __attribute__((vector_size(64)));

#define RI_INLINE static inline __attribute__((always_inline))

RI_INLINE V4 v4_load(const double *p)
{
    return *(const V4 *)p;
}

/// From anywhere.
RI_INLINE V4 v4_load_any(const double *p)
{
    V4 a;
    memcpy(&a, p, sizeof a);
    return a;
}

RI_INLINE void v4_store(double *p, V4 a)
{
    *(V4 *)p = a;
}

RI_INLINE V4 v4_set(double x, double y, double z)
{
    return (V4){x, y, z, 0.0};
}

/// a b + c, rounded once.
RI_INLINE V4 v4_fma(V4 a, V4 b, V4 c)
{
#if defined(__FMA__)
    return (V4)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return (V4){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1]), fma(a[2], b[2], c[2]), fma(a[3], b[3], c[3])};
#endif
}

RI_INLINE V4 v4_splat(double s)
{
    return (V4){s, s, s, s};
}

RI_INLINE V4 v4_yzx(V4 a)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

/// a x b; pads stay zero.
RI_INLINE V4 v4_cross(V4 a, V4 b)
{
    return v4_yzx(v4_fma(a, v4_yzx(b), -(v4_yzx(a) * b)));
}

/// a_0 s_0 + a_1 s_1 + a_2 s_2.
RI_INLINE V4 v4_combine(V4 a0, V4 a1, V4 a2, double s0, double s1, double s2)
{
    return v4_fma(a2, v4_splat(s2), v4_fma(a1, v4_splat(s1), a0 * s0));
}

#if defined(__AVX512F__)

typedef V8 V6;

RI_INLINE V8 v8_fma(V8 a, V8 b, V8 c)
{
    return (V8)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}

RI_INLINE V6 v6_make(V4 lo, V4 hi)
{
    return __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7);
}

RI_INLINE V4 v6_lo(V6 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

RI_INLINE V4 v6_hi(V6 a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

RI_INLINE V6 v6_load(const double *p)
{
    return *(const V8 *)p;
}

RI_INLINE void v6_store(double *p, V6 a)
{
    *(V8 *)p = a;
}

RI_INLINE V6 v6_zero(void)
{
    return (V6){0};
}

RI_INLINE V6 v6_add(V6 a, V6 b)
{
    return a + b;
}

RI_INLINE V6 v6_sub(V6 a, V6 b)
{
    return a - b;
}

RI_INLINE V6 v6_scale(double s, V6 a)
{
    return s * a;
}

RI_INLINE V6 v6_axpy(V6 a, double s, V6 b)
{
    return v8_fma((V8)_mm512_set1_pd(s), b, a);
}

/// (a.lo, b.lo) x (c.lo, c.hi), half by half.
RI_INLINE V6 v6_cross_halves(V6 a, V6 c)
{
    const V8 ay = __builtin_shufflevector(a, a, 1, 2, 0, 3, 5, 6, 4, 7);
    const V8 cy = __builtin_shufflevector(c, c, 1, 2, 0, 3, 5, 6, 4, 7);
    const V8 t = v8_fma(a, cy, -(ay * c));
    return __builtin_shufflevector(t, t, 1, 2, 0, 3, 5, 6, 4, 7);
}

/// Rate of a motion vector m carried by velocity v: (w x m.lo; w x m.hi + v x m.lo).
RI_INLINE V6 v6_crm(V6 v, V6 m)
{
    const V8 ww = __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
    const V4 extra = v4_cross(v6_hi(v), v6_lo(m));
    return v6_cross_halves(ww, m) + v6_make((V4){0}, extra);
}

/// Rate of a force vector f carried by velocity v: (w x f.lo + v x f.hi; w x f.hi).
RI_INLINE V6 v6_crf(V6 v, V6 f)
{
    const V8 ww = __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
    const V4 extra = v4_cross(v6_hi(v), v6_hi(f));
    return v6_cross_halves(ww, f) + v6_make(extra, (V4){0});
}

#else

typedef struct V6 {
    V4 lo, hi;
} V6;

RI_INLINE V6 v6_make(V4 lo, V4 hi)
{
    return (V6){lo, hi};
}

RI_INLINE V4 v6_lo(V6 a)
{
    return a.lo;
}

RI_INLINE V4 v6_hi(V6 a)
{
    return a.hi;
}

RI_INLINE V6 v6_load(const double *p)
{
    return (V6){v4_load(p), v4_load(p + 4)};
}

RI_INLINE void v6_store(double *p, V6 a)
{
    v4_store(p, a.lo);
    v4_store(p + 4, a.hi);
}

RI_INLINE V6 v6_zero(void)
{
    return (V6){{0.0}, {0.0}};
}

RI_INLINE V6 v6_add(V6 a, V6 b)
{
    return (V6){a.lo + b.lo, a.hi + b.hi};
}

RI_INLINE V6 v6_sub(V6 a, V6 b)
{
    return (V6){a.lo - b.lo, a.hi - b.hi};
}

RI_INLINE V6 v6_scale(double s, V6 a)
{
    return (V6){s * a.lo, s * a.hi};
}

RI_INLINE V6 v6_axpy(V6 a, double s, V6 b)
{
    return (V6){v4_fma(v4_splat(s), b.lo, a.lo), v4_fma(v4_splat(s), b.hi, a.hi)};
}

RI_INLINE V6 v6_crm(V6 v, V6 m)
{
    const V4 extra = v4_cross(v.hi, m.lo);
    return (V6){v4_cross(v.lo, m.lo), v4_cross(v.lo, m.hi) + extra};
}

RI_INLINE V6 v6_crf(V6 v, V6 f)
{
    const V4 extra = v4_cross(v.hi, f.hi);
    return (V6){v4_cross(v.lo, f.lo) + extra, v4_cross(v.lo, f.hi)};
}

#endif

/// Independent numbers side by side: as many as a register holds.
#if defined(__AVX512F__)
typedef V8 VL;
enum { RI_LANES = 8 };
#else
typedef V4 VL;
enum { RI_LANES = 4 };
#endif
typedef double VLU __attribute__((vector_size(8 * RI_LANES), aligned(8))); // unaligned in memory

RI_INLINE VL vl_load(const double *p)
{
    return *(const VLU *)p;
}

RI_INLINE void vl_store(double *p, VL a)
{
    *(VLU *)p = a;
}

/// s a + c, rounded once.
RI_INLINE VL vl_axpy(VL c, double s, VL a)
{
#if defined(__AVX512F__)
    return v8_fma((V8)_mm512_set1_pd(s), a, c);
#else
    return v4_fma(v4_splat(s), a, c);
#endif
}

/// Sum of products, in one fixed order.
RI_INLINE double v6_dot(V6 a, V6 b)
{
    const V4 t = v4_fma(v6_hi(a), v6_hi(b), v6_lo(a) * v6_lo(b));
    return (t[0] + t[2]) + t[1];
}

/// Moves the origin of a motion vector by r: lin + ang x r.
RI_INLINE V6 v6_shift_motion(V6 v, V4 r)
{
    return v6_make(v6_lo(v), v6_hi(v) + v4_cross(v6_lo(v), r));
}

/// Moves the origin of a force vector back by r: moment + r x force.
RI_INLINE V6 v6_shift_force(V6 f, V4 r)
{
    return v6_make(v6_lo(f) + v4_cross(r, v6_hi(f)), v6_hi(f));
}

/// Symmetric 6x6 matrix by columns.
typedef struct V66 {
    V6 c[6];
} V66;

RI_INLINE V6 v66_mul(const V66 *A, V6 x)
{
    const V4 lo = v6_lo(x), hi = v6_hi(x);
    const V6 a = v6_axpy(v6_axpy(v6_scale(lo[0], A->c[0]), lo[1], A->c[1]), lo[2], A->c[2]);
    const V6 b = v6_axpy(v6_axpy(v6_scale(hi[0], A->c[3]), hi[1], A->c[4]), hi[2], A->c[5]);
    return v6_add(a, b);
}

/// A - s x x^T.
RI_INLINE void v66_rank1(V66 *A, V6 x, double s)
{
    const V6 y = v6_scale(-s, x);
    const V4 lo = v6_lo(x), hi = v6_hi(x);
    for (int k = 0; k < 3; k++) {
        A->c[k] = v6_axpy(A->c[k], lo[k], y);
        A->c[3 + k] = v6_axpy(A->c[3 + k], hi[k], y);
    }
}

RI_INLINE void v66_load_add(V66 *A, const double *p)
{
    for (int k = 0; k < 6; k++)
        A->c[k] = v6_add(A->c[k], v6_load(p + 8 * k));
}

RI_INLINE void v66_store(double *p, const V66 *A)
{
    for (int k = 0; k < 6; k++)
        v6_store(p + 8 * k, A->c[k]);
}

/// Rigid-body inertia about the region's origin: columns of the rotational part, and (m c, m).
typedef struct VInertia {
    V4 J[3];
    V4 mc; // m c_x, m c_y, m c_z, m
} VInertia;

/// m c without the mass in the fourth lane.
RI_INLINE V4 inertia_moment(const VInertia *I)
{
    return I->mc * (V4){1.0, 1.0, 1.0, 0.0};
}

/// Momentum of a rigid body: (J w + m c x v; m v + w x m c).
RI_INLINE V6 inertia_mul(const VInertia *I, V6 x)
{
    const V4 w = v6_lo(x), v = v6_hi(x), mc = inertia_moment(I);
    const V4 ang = v4_combine(I->J[0], I->J[1], I->J[2], w[0], w[1], w[2]) + v4_cross(mc, v);
    const V4 lin = I->mc[3] * v + v4_cross(w, mc);
    return v6_make(ang, lin);
}

#endif
