// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sine and cosine with the same bits on every machine.
///
/// Argument reduction x = n pi/2 + r in two parts (the first has 33 significant bits, so n times it
/// is exact for
/// |n| < 2^20), then Taylor polynomials to r^15 and r^16 on |r| <= pi/4: truncation below 5e-17. Error at most 1.5 ulp of 1
/// for |x| <= 1e6; larger or non-finite arguments go to the C library. The same operations, lane by
/// lane, in ri_sincos_batch. Test: tests/math/test_sincos.c.
#ifndef RI_MATH_SINCOS_H
#define RI_MATH_SINCOS_H

#include <math.h>

#include "base/functions.h"

#define RI_SINCOS_LIMIT 1e6

/// Polynomials of sin and cos on [-pi/4, pi/4], usable for scalars and vectors alike.
#define RI_SINCOS_POLYNOMIALS(r, sine, cosine)                                                                         \
    const __typeof__(r) z_ = (r) * (r);                                                                                \
    const __typeof__(r) ps_ =                                                                                          \
        ((((((-1.0 / 1307674368000.0 * z_ + 1.0 / 6227020800.0) * z_ - 1.0 / 39916800.0) * z_ + 1.0 / 362880.0) * z_ - \
           1.0 / 5040.0) *                                                                                             \
              z_ +                                                                                                     \
          1.0 / 120.0) *                                                                                               \
             z_ -                                                                                                      \
         1.0 / 6.0);                                                                                                   \
    const __typeof__(r) pc_ =                                                                                          \
        (((((((1.0 / 20922789888000.0 * z_ - 1.0 / 87178291200.0) * z_ + 1.0 / 479001600.0) * z_ - 1.0 / 3628800.0) *  \
                z_ +                                                                                                   \
            1.0 / 40320.0) *                                                                                           \
               z_ -                                                                                                    \
           1.0 / 720.0) *                                                                                              \
              z_ +                                                                                                     \
          1.0 / 24.0) *                                                                                                \
             z_ -                                                                                                      \
         0.5);                                                                                                         \
    sine = (r) + (r) * (z_ * ps_);                                                                                     \
    cosine = 1.0 + z_ * pc_

#define RI_PI_HALF_HIGH 1.57079632673412561417e+00 // first 33 bits of pi/2
#define RI_PI_HALF_LOW  6.07710050650619224932e-11 // pi/2 minus that
#define RI_TWO_OVER_PI  6.36619772367581382433e-01
#define RI_ROUND_MAGIC  6755399441055744.0 // 1.5 * 2^52: adding and subtracting rounds to an integer

static inline void ri_sincos(double x, double *out_sin, double *out_cos)
{
    if (!(fabs(x) <= RI_SINCOS_LIMIT)) {
        *out_sin = ri_sin(x);
        *out_cos = ri_cos(x);
        return;
    }
    const double n = (x * RI_TWO_OVER_PI + RI_ROUND_MAGIC) - RI_ROUND_MAGIC;
    const double r = (x - n * RI_PI_HALF_HIGH) - n * RI_PI_HALF_LOW;
    double s, c;
    RI_SINCOS_POLYNOMIALS(r, s, c);
    const long quadrant = (long)n & 3;
    const double sine = quadrant & 1 ? c : s, cosine = quadrant & 1 ? s : c;
    *out_sin = quadrant & 2 ? -sine : sine;
    *out_cos = (quadrant + 1) & 2 ? -cosine : cosine;
}

#endif
