// SPDX-License-Identifier: Apache-2.0
/// \file
/// Interpolation of heights within one cell of a raster, with slopes and curvature.
///
/// (s, t) in [0, 1]^2 are coordinates within the cell whose south-west value is v[0], `row` the
/// distance to the next row. Derivatives are by s and t: divide by the cell's sizes for those by x
/// and y. At the corners the values come out to the last bit.
///
/// Bicubic is Catmull-Rom (Keys' kernel with a = -1/2) [keys1981]: along one axis z = sum_k w_k(s)
/// v_k, k = -1..2, with
///
///     w_-1 = (-s + 2 s^2 - s^3) / 2        w_0 = (2 - 5 s^2 + 3 s^3) / 2
///     w_1  = (s + 4 s^2 - 3 s^3) / 2       w_2 = (-s^2 + s^3) / 2
///
/// Slopes are continuous; height, slope and curvature are of order 3, 2 and 1 in the cell's size.
/// It reads one value beyond the cell on every side. Test: tests/terrain/test_heights.c.
#ifndef RI_TERRAIN_PATCH_H
#define RI_TERRAIN_PATCH_H

#include <stddef.h>
#include <string.h>

typedef struct RiPatch {
    double z, zs, zt, zss, zst, ztt;
} RiPatch;

/// Negative weights of Catmull-Rom sum to at least -1/8 along an axis, so heights leave the range
/// [low, high] of the values around a cell by at most this part of high - low: 1/8 along the first
/// axis, and 1/8 of 5/4 along the other.
#define RI_BICUBIC_OVERSHOOT 0.28125

static inline __attribute__((always_inline)) void ri_patch_bilinear(const float *v, ptrdiff_t row, double s, double t,
                                                                    RiPatch *out)
{
    const double a = (double)v[0], b = (double)v[1], c = (double)v[row], d = (double)v[row + 1];
    const double south = b - a, twist = (d - c) - south, west = c - a;
    out->zs = south + t * twist;
    out->zt = west + s * twist;
    // Weights, not increments: they add up to a corner's value without rounding.
    const double p = 1.0 - s, q = 1.0 - t;
    out->z = q * (p * a + s * b) + t * (p * c + s * d);
    out->zss = out->ztt = 0.0;
    out->zst = twist;
}

static inline __attribute__((always_inline)) void ri_patch_bicubic(const float *v, ptrdiff_t row, double s, double t,
                                                                   RiPatch *out)
{
    typedef double V4 __attribute__((vector_size(32)));
    typedef float F4 __attribute__((vector_size(16)));
    // z, zt and ztt of the four columns.
    const double t2 = t * t;
    const double w[3][4] = {{0.5 * (t * ((2.0 - t) * t - 1.0)), 0.5 * ((3.0 * t - 5.0) * t2 + 2.0),
                             0.5 * (t * ((4.0 - 3.0 * t) * t + 1.0)), 0.5 * ((t - 1.0) * t2)},
                            {0.5 * ((4.0 - 3.0 * t) * t - 1.0), 0.5 * ((9.0 * t - 10.0) * t),
                             0.5 * ((8.0 - 9.0 * t) * t + 1.0), 0.5 * ((3.0 * t - 2.0) * t)},
                            {2.0 - 3.0 * t, 9.0 * t - 5.0, 4.0 - 9.0 * t, 3.0 * t - 1.0}};
    V4 column[3] = {{0}, {0}, {0}};
    for (int k = 0; k < 4; k++) {
        F4 f;
        memcpy(&f, v + (k - 1) * row - 1, sizeof f);
        const V4 r = __builtin_convertvector(f, V4);
        for (int d = 0; d < 3; d++)
            column[d] += w[d][k] * r;
    }
    // The same along the row.
    const double s2 = s * s;
    const V4 u0 = {0.5 * (s * ((2.0 - s) * s - 1.0)), 0.5 * ((3.0 * s - 5.0) * s2 + 2.0),
                   0.5 * (s * ((4.0 - 3.0 * s) * s + 1.0)), 0.5 * ((s - 1.0) * s2)};
    const V4 u1 = {0.5 * ((4.0 - 3.0 * s) * s - 1.0), 0.5 * ((9.0 * s - 10.0) * s), 0.5 * ((8.0 - 9.0 * s) * s + 1.0),
                   0.5 * ((3.0 * s - 2.0) * s)};
    const V4 u2 = {2.0 - 3.0 * s, 9.0 * s - 5.0, 4.0 - 9.0 * s, 3.0 * s - 1.0};
#define RI_SUM4(a) ((a)[0] + (a)[1]) + ((a)[2] + (a)[3])
    const V4 z = column[0] * u0, zs = column[0] * u1, zss = column[0] * u2;
    const V4 zt = column[1] * u0, zst = column[1] * u1, ztt = column[2] * u0;
    *out = (RiPatch){RI_SUM4(z), RI_SUM4(zs), RI_SUM4(zt), RI_SUM4(zss), RI_SUM4(zst), RI_SUM4(ztt)};
#undef RI_SUM4
}

#endif
