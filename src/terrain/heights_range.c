// SPDX-License-Identifier: Apache-2.0
/// \file
/// How low, how high and how curved the ground of a height field is, in squares of cells.
#include <math.h>

#include "terrain/heights.h"

/// Lowest and highest ground of ni x nj values, with what bicubic interpolation may add.
static void values_range(const float *v, ptrdiff_t row, int ni, int nj, bool bicubic, double out[2])
{
    float low = INFINITY, high = -INFINITY;
    for (int j = 0; j < nj; j++)
        for (int i = 0; i < ni; i++) {
            const float z = v[j * row + i];
            low = z < low ? z : low;
            high = z > high ? z : high;
        }
    const double over = bicubic ? RI_BICUBIC_OVERSHOOT * ((double)high - (double)low) : 0.0;
    out[0] = (double)low - over;
    out[1] = (double)high + over;
}

static void cells_range(const RiHeights *h, int i0, int i1, int j0, int j1, double out[2])
{
    const int pad = h->bicubic ? 1 : 0;
    values_range(h->v + (j0 - pad) * h->row + (i0 - pad), h->row, i1 - i0 + 1 + 2 * pad, j1 - j0 + 1 + 2 * pad,
                 h->bicubic, out);
}

void ri_heights_cell_range(const RiHeights *h, int i, int j, double out[2])
{
    float around[16];
    if (!h->pages) {
        cells_range(h, i, i + 1, j, j + 1, out);
        return;
    }
    (void)h->pages->cell(h, i, j, around);
    values_range(h->bicubic ? around : around + 5, 4, h->bicubic ? 4 : 2, h->bicubic ? 4 : 2, h->bicubic, out);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/// Least and largest of some numbers.
typedef struct Range {
    double low, high;
} Range;

static void extend(Range *r, double x)
{
    r->low = x < r->low ? x : r->low;
    r->high = x > r->high ? x : r->high;
}

/// Largest size of a mean of numbers of a range whose weights sum to one, the negative ones to no
/// less than -over.
static double mean_at_most(const Range *r, double over)
{
    const double beyond = over * (r->high - r->low);
    return fmax(r->high + beyond, beyond - r->low);
}

/// Bound of the second derivatives in a square. With D_1 and D_2 the second differences of the
/// values at the ends of a cell, z_ss of Catmull-Rom runs from 2 D_1 - D_2 to 2 D_2 - D_1 along a
/// row; between rows it is a mean with negative weights of up to -1/8. z_st is a mean of the twists
/// v00 - v10 - v01 + v11 around: along an axis the weights of differences are negative by up to
/// -1/4, along both -(1/4 + 3/2 1/4).
static float block_curvature(const RiHeights *h, int i0, int i1, int j0, int j1)
{
    Range xx = {INFINITY, -INFINITY}, yy = xx, xy = xx;
    const ptrdiff_t row = h->row;
    for (int j = j0 - 1; j <= j1 + 1; j++)
        for (int i = i0 - 1; i <= i1 + 1; i++) {
            const float *v = h->v + j * row + i;
            const double v0 = (double)v[0];
            if (i >= i0 && i < i1) {
                const double d1 = (double)v[-1] - 2.0 * v0 + (double)v[1], d2 = v0 - 2.0 * (double)v[1] + (double)v[2];
                extend(&xx, 2.0 * d1 - d2);
                extend(&xx, 2.0 * d2 - d1);
            }
            if (j >= j0 && j < j1) {
                const double d1 = (double)v[-row] - 2.0 * v0 + (double)v[row],
                             d2 = v0 - 2.0 * (double)v[row] + (double)v[2 * row];
                extend(&yy, 2.0 * d1 - d2);
                extend(&yy, 2.0 * d2 - d1);
            }
            if (i <= i1 && j <= j1)
                extend(&xy, v0 - (double)v[1] - (double)v[row] + (double)v[row + 1]);
        }
    const double zxx = mean_at_most(&xx, 0.125) * h->per_dx * h->per_dx;
    const double zyy = mean_at_most(&yy, 0.125) * h->per_dy * h->per_dy;
    const double zxy = mean_at_most(&xy, 0.625) * h->per_dx * h->per_dy;
    return (float)(1.000001 * (fmax(zxx, zyy) + zxy)); // largest eigenvalue, by Gershgorin
}

/// Most squares that are looked at for a bound.
enum { SQUARES = 256 };

/// Squares of level 0 that a window reaches into.
typedef struct Window {
    int a0, a1, b0, b1;
} Window;

/// False: it reaches beyond the border, or into too many squares.
static bool window_of(const RiHeights *h, double x, double y, double reach, Window *out)
{
    if (!(x - reach >= h->x0) || !(x + reach <= h->x1) || !(y - reach >= h->y0) || !(y + reach <= h->y1))
        return false;
    const double per_x = h->per_dx / RI_HEIGHTS_BLOCK, per_y = h->per_dy / RI_HEIGHTS_BLOCK;
    const int last_a = (h->nx - 2) / RI_HEIGHTS_BLOCK, last_b = (h->ny - 2) / RI_HEIGHTS_BLOCK;
    out->a0 = (int)((x - reach - h->x0) * per_x);
    out->a1 = least((int)((x + reach - h->x0) * per_x), last_a);
    out->b0 = (int)((y - reach - h->y0) * per_y);
    out->b1 = least((int)((y + reach - h->y0) * per_y), last_b);
    return (long long)(out->a1 - out->a0 + 1) * (out->b1 - out->b0 + 1) <= SQUARES;
}

double ri_heights_bend(const RiTerrain *t, double x, double y, double reach)
{
    const RiHeights *h = (const RiHeights *)t;
    Window w;
    if (!h->bicubic || !window_of(h, x, y, reach, &w))
        return INFINITY;
    double most = 0.0;
    for (int b = w.b0; b <= w.b1; b++)
        for (int a = w.a0; a <= w.a1; a++)
            most = fmax(most, ri_heights_square_curvature(h, a, b));
    return most;
}

double ri_heights_top(const RiTerrain *t, double x, double y, double reach)
{
    const RiHeights *h = (const RiHeights *)t;
    Window w;
    if (h->pages || !window_of(h, x, y, reach, &w))
        return INFINITY;
    double top = -INFINITY, exact[2];
    float range[2];
    if (2.0 * reach * fmax(h->per_dx, h->per_dy) < RI_HEIGHTS_BLOCK) { // by its cells
        const int i0 = (int)((x - reach - h->x0) * h->per_dx), i1 = (int)((x + reach - h->x0) * h->per_dx);
        const int j0 = (int)((y - reach - h->y0) * h->per_dy), j1 = (int)((y + reach - h->y0) * h->per_dy);
        cells_range(h, i0, least(i1, h->nx - 2) + 1, j0, least(j1, h->ny - 2) + 1, exact);
        return exact[1];
    }
    for (int b = w.b0; b <= w.b1; b++)
        for (int a = w.a0; a <= w.a1; a++) {
            ri_heights_square(h, 0, a, b, range);
            top = fmax(top, (double)range[1]);
        }
    return top;
}

void ri_heights_measure(const RiHeights *h, int i0, int i1, int j0, int j1, float out_range[2], float *out_curvature)
{
    double range[2];
    cells_range(h, i0, i1, j0, j1, range);
    // beyond the next number, and beyond those that are too small to be normal
    const float least = (float)range[0], most = (float)range[1];
    out_range[0] = fabsf(least) < 1e-30F ? -1e-30F : nextafterf(least, -INFINITY);
    out_range[1] = fabsf(most) < 1e-30F ? 1e-30F : nextafterf(most, INFINITY);
    if (h->bicubic)
        *out_curvature = block_curvature(h, i0, i1, j0, j1);
}

static void measure_block(RiHeights *h, int bi, int bj, size_t index)
{
    const int i0 = bi * RI_HEIGHTS_BLOCK, j0 = bj * RI_HEIGHTS_BLOCK;
    const int i1 = least(i0 + RI_HEIGHTS_BLOCK, h->nx - 1), j1 = least(j0 + RI_HEIGHTS_BLOCK, h->ny - 1);
    ri_heights_measure(h, i0, i1, j0, j1, h->level[0].range[index], h->bicubic ? &h->curvature[index] : NULL);
}

static void merge_ranges(const RiHeightsLevel *fine, int bi, int bj, float out[2])
{
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (int j = 2 * bj; j < 2 * bj + 2 && j < fine->ny; j++)
        for (int i = 2 * bi; i < 2 * bi + 2 && i < fine->nx; i++) {
            const float *r = fine->range[(size_t)j * (size_t)fine->nx + (size_t)i];
            out[0] = fminf(out[0], r[0]);
            out[1] = fmaxf(out[1], r[1]);
        }
}

RiStatus ri_heights_build_levels(RiHeights *h)
{
    int nx = (h->nx - 2) / RI_HEIGHTS_BLOCK + 1, ny = (h->ny - 2) / RI_HEIGHTS_BLOCK + 1;
    if (h->bicubic) {
        const size_t blocks = (size_t)nx * (size_t)ny;
        h->curvature = ri_arena_alloc(&h->terrain.arena, blocks, sizeof *h->curvature);
        if (!h->curvature)
            return ri_error_memory(h->terrain.ctx);
        h->bytes += blocks * sizeof *h->curvature;
    }
    for (int l = 0;; l++, nx = (nx + 1) / 2, ny = (ny + 1) / 2) {
        RiHeightsLevel *level = &h->level[l];
        const size_t count = (size_t)nx * (size_t)ny;
        *level = (RiHeightsLevel){nx, ny, ri_arena_alloc(&h->terrain.arena, count, sizeof *level->range)};
        if (!level->range)
            return ri_error_memory(h->terrain.ctx);
        h->bytes += count * sizeof *level->range;
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                const size_t index = (size_t)j * (size_t)nx + (size_t)i;
                if (l == 0)
                    measure_block(h, i, j, index);
                else
                    merge_ranges(&h->level[l - 1], i, j, level->range[index]);
            }
        h->levels = l + 1;
        if (count == 1)
            break;
    }
    h->low = (double)h->level[h->levels - 1].range[0][0];
    h->high = (double)h->level[h->levels - 1].range[0][1];
    return RI_OK;
}
