// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bicubic heights of many points: four points side by side, each with the operations of
/// ri_patch_bicubic in their order, so the bits are those of one point (patch.h). Compiled once per
/// instruction set. Test: tests/terrain/test_heights.c.
#include "terrain/heights.h"

#include <math.h>
#include <stdint.h>

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define INLINE        static inline __attribute__((always_inline))

enum { LANES = 4 };
typedef double V __attribute__((vector_size(32)));
typedef int64_t L __attribute__((vector_size(32)));
typedef double V2 __attribute__((vector_size(16)));
typedef float F __attribute__((vector_size(16)));

INLINE V where(L mask, V a, V b)
{
    return (V)((mask & (L)a) | (~mask & (L)b));
}

INLINE V all(double x)
{
    return (V){x, x, x, x};
}

/// Points of one axis: cells, places in them, and whether they are on the map.
typedef struct Along {
    int cell[LANES];
    V a, u, in; ///< `a`: in cells, wherever it is
} Along;

INLINE Along along(V x, double from, double end, double per, int n)
{
    const V a = (x - from) * per, zero = all(0.0), most = all(n - 1);
    const V held = where(a > zero, where(a < most, a, most), zero); // NAN: 0
    Along out;
    V first;
    for (int k = 0; k < LANES; k++) {
        const int i = (int)held[k];
        out.cell[k] = i < n - 2 ? i : n - 2;
        first[k] = out.cell[k];
    }
    out.a = a;
    out.u = held - first;
    out.in = (V)((x >= from) & (x <= end));
    return out;
}

/// Weights of Catmull and Rom, and their first and second derivatives.
INLINE void weights(V t, V w[3][4])
{
    const V t2 = t * t;
    w[0][0] = 0.5 * (t * ((2.0 - t) * t - 1.0));
    w[0][1] = 0.5 * ((3.0 * t - 5.0) * t2 + 2.0);
    w[0][2] = 0.5 * (t * ((4.0 - 3.0 * t) * t + 1.0));
    w[0][3] = 0.5 * ((t - 1.0) * t2);
    w[1][0] = 0.5 * ((4.0 - 3.0 * t) * t - 1.0);
    w[1][1] = 0.5 * ((9.0 * t - 10.0) * t);
    w[1][2] = 0.5 * ((8.0 - 9.0 * t) * t + 1.0);
    w[1][3] = 0.5 * ((3.0 * t - 2.0) * t);
    w[2][0] = 2.0 - 3.0 * t;
    w[2][1] = 9.0 * t - 5.0;
    w[2][2] = 4.0 - 9.0 * t;
    w[2][3] = 3.0 * t - 1.0;
}

/// Rows of four values at four places, turned into the points' first, second ... values.
INLINE void load_row(const float *const v[LANES], ptrdiff_t at, V out[4])
{
    F a, b, c, d;
    memcpy(&a, v[0] + at, sizeof a);
    memcpy(&b, v[1] + at, sizeof b);
    memcpy(&c, v[2] + at, sizeof c);
    memcpy(&d, v[3] + at, sizeof d);
    const F ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const F AB = __builtin_shufflevector(a, b, 2, 6, 3, 7), CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    out[0] = __builtin_convertvector(__builtin_shufflevector(ab, cd, 0, 1, 4, 5), V);
    out[1] = __builtin_convertvector(__builtin_shufflevector(ab, cd, 2, 3, 6, 7), V);
    out[2] = __builtin_convertvector(__builtin_shufflevector(AB, CD, 0, 1, 4, 5), V);
    out[3] = __builtin_convertvector(__builtin_shufflevector(AB, CD, 2, 3, 6, 7), V);
}

INLINE V along_row(V column[4], V u[4])
{
    return (column[0] * u[0] + column[1] * u[1]) + (column[2] * u[2] + column[3] * u[3]);
}

/// Four points; x and y are whole lanes. Without `bends` second derivatives are left at 0.
INLINE void four(const RiHeights *h, bool bends, V x, V y, int count, RiHeight *out)
{
    const Along ax = along(x, h->x0, h->x1, h->per_dx, h->nx), ay = along(y, h->y0, h->y1, h->per_dy, h->ny);
    const float *v[LANES];
    V w[3][4], u[3][4], column[3][4], r[4];
    for (int k = 0; k < LANES; k++)
        v[k] = h->v + (ay.cell[k] - 1) * h->row + ax.cell[k] - 1;
    weights(ay.u, w);
    for (int k = 0; k < 4; k++) {
        load_row(v, k * h->row, r);
        for (int d = 0; d < (bends ? 3 : 2); d++)
            for (int c = 0; c < 4; c++)
                column[d][c] = (k == 0 ? all(0.0) : column[d][c]) + w[d][k] * r[c];
    }
    weights(ax.u, u);
    // Beyond the border nothing changes across it.
    const V kx = where((L)ax.in, all(h->per_dx), all(0.0)), ky = where((L)ay.in, all(h->per_dy), all(0.0));
    const V sum = ax.a + ay.a;
    const L number = sum == sum;
    const V z = where(number, along_row(column[0], u[0]), all(NAN));
    const V zx = along_row(column[0], u[1]) * kx, zy = along_row(column[1], u[0]) * ky;
    V zxx = all(0.0), zxy = zxx, zyy = zxx;
    if (bends) {
        zxx = along_row(column[0], u[2]) * kx * kx;
        zxy = along_row(column[1], u[1]) * kx * ky;
        zyy = along_row(column[2], u[0]) * ky * ky;
    }
    const L in = (L)ax.in & (L)ay.in;
    for (int k = 0; k < count; k++)
        out[k] = (RiHeight){.z = z[k], .zx = zx[k], .zy = zy[k], .zxx = zxx[k], .zxy = zxy[k], .zyy = zyy[k]};
    for (int k = 0; k < count && (h->filled || h->edge == RI_EDGE_STOP); k++)
        out[k].flags = ri_heights_flags(h, ax.cell[k], ay.cell[k], !in[k]);
}

INLINE void batch(const RiHeights *h, bool bends, int count, const double *x, const double *y, RiHeight *out)
{
    V a = {0}, b = {0};
    for (; count >= LANES; count -= LANES, x += LANES, y += LANES, out += LANES) {
        memcpy(&a, x, sizeof a);
        memcpy(&b, y, sizeof b);
        four(h, bends, a, b, LANES, out);
    }
    if (count == 0)
        return;
    for (int k = 0; k < LANES; k++) { // the last ones, and the last of them again
        a[k] = x[k < count ? k : count - 1];
        b[k] = y[k < count ? k : count - 1];
    }
    four(h, bends, a, b, count, out);
}

void CONCAT(ri_heights_bicubic_, RI_ISA)(const RiHeights *h, bool bends, int count, const double *x, const double *y,
                                         RiHeight *out)
{
    if (bends)
        batch(h, true, count, x, y, out);
    else
        batch(h, false, count, x, y, out);
}
