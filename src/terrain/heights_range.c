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

/// Second difference of the values around v.
static double bent(const float *v, ptrdiff_t step)
{
    return (double)v[-step] - 2.0 * (double)v[0] + (double)v[step];
}

/// Largest |z_ss| of the cell after v along a row: linear between its ends 2 D_1 - D_2 and 2 D_2 - D_1, D the second differences there.
static double most_bent(const float *v, ptrdiff_t step)
{
    const double d1 = bent(v, step), d2 = bent(v + step, step);
    return fmax(fabs(2.0 * d1 - d2), fabs(2.0 * d2 - d1));
}

/// Bound of the second derivatives in a square of a Catmull-Rom surface: along an axis those of the rows, 5/4 of them between rows, whose weights sum to at
/// most that; with T the largest twist v00 - v10 - v01 + v11 around the square |z_st| <= 25/16 T (derivative weights of differences sum to at most 5/4).
static float block_curvature(const RiHeights *h, int i0, int i1, int j0, int j1)
{
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (int j = j0 - 1; j <= j1 + 1; j++)
        for (int i = i0 - 1; i <= i1 + 1; i++) {
            const float *v = h->v + j * h->row + i;
            if (i >= i0 && i < i1)
                xx = fmax(xx, most_bent(v, 1));
            if (j >= j0 && j < j1)
                yy = fmax(yy, most_bent(v, h->row));
            if (i <= i1 && j <= j1)
                xy = fmax(xy, fabs((double)v[0] - (double)v[1] - (double)v[h->row] + (double)v[h->row + 1]));
        }
    xx *= 1.25 * h->per_dx * h->per_dx;
    yy *= 1.25 * h->per_dy * h->per_dy;
    xy *= 1.5625 * h->per_dx * h->per_dy;
    return (float)(1.000001 * (fmax(xx, yy) + xy)); // largest eigenvalue, by Gershgorin
}

void ri_heights_measure(const RiHeights *h, int i0, int i1, int j0, int j1, float out_range[2], float *out_curvature)
{
    double range[2];
    cells_range(h, i0, i1, j0, j1, range);
    out_range[0] = nextafterf((float)range[0], -INFINITY);
    out_range[1] = nextafterf((float)range[1], INFINITY);
    if (h->bicubic)
        *out_curvature = block_curvature(h, i0, i1, j0, j1);
}

double ri_heights_bend(const RiTerrain *t, double x, double y, double reach)
{
    const RiHeights *h = (const RiHeights *)t;
    if (!h->bicubic || h->pages || !(x - reach >= h->x0) || !(x + reach <= h->x1) || !(y - reach >= h->y0) ||
        !(y + reach <= h->y1))
        return INFINITY;
    const double per_x = h->per_dx / RI_HEIGHTS_BLOCK, per_y = h->per_dy / RI_HEIGHTS_BLOCK;
    const int a0 = (int)((x - reach - h->x0) * per_x), a1 = (int)((x + reach - h->x0) * per_x);
    const int b0 = (int)((y - reach - h->y0) * per_y), b1 = (int)((y + reach - h->y0) * per_y);
    const RiHeightsLevel *l = &h->level[0];
    float most = 0.0F;
    for (int b = b0; b <= least(b1, l->ny - 1); b++)
        for (int a = a0; a <= least(a1, l->nx - 1); a++)
            most = fmaxf(most, h->curvature[(size_t)b * (size_t)l->nx + (size_t)a]);
    return (double)most;
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
