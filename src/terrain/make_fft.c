// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fourier transform in two dimensions: decimation in time, radix 2, twiddles from a table of our
/// own sines.
#include "terrain/make.h"

/// Factors exp(2 pi i k / n), k < n/2.
static void fill_twiddles(int n, MakeComplex *w)
{
    for (int k = 0; k < n / 2; k++)
        ri_sincos(2.0 * MAKE_PI * k / n, &w[k].im, &w[k].re);
}

static void reverse_bits(int n, MakeComplex *a)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const MakeComplex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
}

static void transform(int n, const MakeComplex *w, MakeComplex *a)
{
    reverse_bits(n, a);
    for (int half = 1; half < n; half *= 2)
        for (int start = 0; start < n; start += 2 * half)
            for (int k = 0, t = 0; k < half; k++, t += n / (2 * half)) {
                MakeComplex *p = &a[start + k], *q = p + half;
                const MakeComplex r = {q->re * w[t].re - q->im * w[t].im, q->re * w[t].im + q->im * w[t].re};
                *q = (MakeComplex){p->re - r.re, p->im - r.im};
                *p = (MakeComplex){p->re + r.re, p->im + r.im};
            }
}

/// Columns c to c + width - 1: copied together, so that a cache line is read once.
static void transform_columns(int nx, int ny, int c, int width, const MakeComplex *w, MakeComplex *data,
                              MakeComplex *columns)
{
    const size_t row = (size_t)nx;
    for (int j = 0; j < ny; j++)
        for (int k = 0; k < width; k++)
            columns[(size_t)k * (size_t)ny + (size_t)j] = data[(size_t)j * row + (size_t)(c + k)];
    for (int k = 0; k < width; k++)
        transform(ny, w, columns + (size_t)k * (size_t)ny);
    for (int j = 0; j < ny; j++)
        for (int k = 0; k < width; k++)
            data[(size_t)j * row + (size_t)(c + k)] = columns[(size_t)k * (size_t)ny + (size_t)j];
}

RiStatus make_fft_2d(Make *m, int nx, int ny, MakeComplex *data)
{
    enum { TOGETHER = 8 };
    const int longest = nx > ny ? nx : ny;
    MakeComplex *w = ri_arena_alloc(m->scratch, (size_t)longest, sizeof *w);
    MakeComplex *columns = ri_arena_alloc(m->scratch, (size_t)ny * TOGETHER, sizeof *columns);
    if (!w || !columns)
        return ri_error_memory(m->ctx);
    fill_twiddles(nx, w);
    for (int j = 0; j < ny; j++)
        transform(nx, w, data + (size_t)j * (size_t)nx);
    fill_twiddles(ny, w);
    for (int i = 0; i < nx; i += TOGETHER)
        transform_columns(nx, ny, i, nx - i < TOGETHER ? nx - i : TOGETHER, w, data, columns);
    return RI_OK;
}
