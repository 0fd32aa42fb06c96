// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rasters: memory, and smooth filling of holes.
///
/// Holes are filled with the solution of Laplace's equation, the surface a soap film takes:
///
///     4 z_ij = z_i-1,j + z_i+1,j + z_i,j-1 + z_i,j+1        at every missing value,
///
/// solved from coarse to fine (cascadic multigrid): the raster is halved until no value is missing;
/// each finer level starts from the coarser one and is relaxed by Gauss-Seidel with
/// over-relaxation.
#include "terrain/raster.h"

#include <string.h>

#include "base/memory.h"

#define RI_RASTER_MOST 2147483647LL

enum { LEVELS = 32, SWEEPS = 400 };

RiStatus ri_raster_check_size(RiContext *ctx, int nx, int ny, double dx, double dy)
{
    if (nx < 2 || ny < 2 || (long long)nx * ny > RI_RASTER_MOST)
        return ri_error(ctx, RI_ERR_LIMIT, "raster: size %d x %d, allowed are at least 2 x 2 and at most %lld values",
                        nx, ny, RI_RASTER_MOST);
    if (!(dx > 0.0 && dy > 0.0 && isfinite(dx * (double)nx) && isfinite(dy * (double)ny)))
        return ri_error(ctx, RI_ERR_ARGUMENT, "raster: spacing %g x %g m must be positive and finite", dx, dy);
    return RI_OK;
}

RiStatus ri_raster_create(RiContext *ctx, int nx, int ny, double dx, double dy, RiRaster **out_raster)
{
    *out_raster = NULL;
    RI_TRY(ri_raster_check_size(ctx, nx, ny, dx, dy));
    RiRaster *r = ri_alloc_zero(ctx, 1, sizeof *r);
    if (!r)
        return ri_error_memory(ctx);
    *r = (RiRaster){.ctx = ctx, .nx = nx, .ny = ny, .dx = dx, .dy = dy};
    r->values = ri_alloc_zero(ctx, (size_t)nx * (size_t)ny, sizeof *r->values);
    r->projection = ri_alloc_zero(ctx, 1, 1);
    if (!r->values || !r->projection) {
        ri_raster_destroy(r);
        return ri_error_memory(ctx);
    }
    *out_raster = r;
    return RI_OK;
}

void ri_raster_destroy(RiRaster *r)
{
    if (!r)
        return;
    ri_release(r->ctx, r->values);
    ri_release(r->ctx, r->projection);
    ri_release(r->ctx, r);
}

// --- filling -------------------------------------------------------------------------------------

typedef struct Level {
    int nx, ny;
    float *z;
    uint32_t *holes; ///< indices of missing values
    size_t count;
} Level;

static RiStatus find_holes(RiContext *ctx, Level *l)
{
    const size_t n = (size_t)l->nx * (size_t)l->ny;
    size_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += isnan(l->z[k]) != 0;
    l->holes = ri_alloc(ctx, count, sizeof *l->holes);
    if (!l->holes)
        return ri_error_memory(ctx);
    for (size_t k = 0; k < n; k++)
        if (isnan(l->z[k]))
            l->holes[l->count++] = (uint32_t)k;
    return RI_OK;
}

/// Means of the known values in 2 x 2 blocks.
static RiStatus halve(RiContext *ctx, const Level *fine, Level *out)
{
    *out = (Level){.nx = (fine->nx + 1) / 2, .ny = (fine->ny + 1) / 2};
    out->z = ri_alloc(ctx, (size_t)out->nx * (size_t)out->ny, sizeof *out->z);
    if (!out->z)
        return ri_error_memory(ctx);
    for (int j = 0; j < out->ny; j++)
        for (int i = 0; i < out->nx; i++) {
            double sum = 0.0;
            int known = 0;
            for (int b = 2 * j; b < 2 * j + 2 && b < fine->ny; b++)
                for (int a = 2 * i; a < 2 * i + 2 && a < fine->nx; a++) {
                    const float z = fine->z[(size_t)b * (size_t)fine->nx + (size_t)a];
                    sum += isnan(z) ? 0.0 : (double)z;
                    known += !isnan(z);
                }
            out->z[(size_t)j * (size_t)out->nx + (size_t)i] = known ? (float)(sum / known) : NAN;
        }
    return find_holes(ctx, out);
}

/// Starts the missing values from the coarser level, bilinearly (block centres lie at 2 i + 1/2).
static void refine(const Level *coarse, Level *fine)
{
    for (size_t n = 0; n < fine->count; n++) {
        const int i = (int)(fine->holes[n] % (uint32_t)fine->nx), j = (int)(fine->holes[n] / (uint32_t)fine->nx);
        const double u = fmin(fmax(0.5 * i - 0.25, 0.0), coarse->nx - 1.0);
        const double v = fmin(fmax(0.5 * j - 0.25, 0.0), coarse->ny - 1.0);
        const int a = (int)u, b = (int)v, a1 = a + 1 < coarse->nx ? a + 1 : a, b1 = b + 1 < coarse->ny ? b + 1 : b;
        const double s = u - a, t = v - b;
        const float *low = coarse->z + (size_t)b * (size_t)coarse->nx;
        const float *high = coarse->z + (size_t)b1 * (size_t)coarse->nx;
        fine->z[fine->holes[n]] = (float)((1.0 - t) * ((1.0 - s) * (double)low[a] + s * (double)low[a1]) +
                                          t * ((1.0 - s) * (double)high[a] + s * (double)high[a1]));
    }
}

/// Relaxes until no value moves by more than 1e-6 of the range of the heights, or SWEEPS times.
static void relax(Level *l, double range)
{
    const double omega = l->count > 1 ? 1.7 : 1.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0.0;
        for (size_t n = 0; n < l->count; n++) {
            const size_t k = l->holes[n], nx = (size_t)l->nx, i = k % nx, j = k / nx;
            double sum = 0.0;
            int around = 0;
            if (i > 0)
                sum += (double)l->z[k - 1], around++;
            if (i + 1 < nx)
                sum += (double)l->z[k + 1], around++;
            if (j > 0)
                sum += (double)l->z[k - nx], around++;
            if (j + 1 < (size_t)l->ny)
                sum += (double)l->z[k + nx], around++;
            const double step = around ? omega * (sum / around - (double)l->z[k]) : 0.0;
            l->z[k] = (float)((double)l->z[k] + step);
            moved = fmax(moved, fabs(step));
        }
        if (moved <= 1e-6 * range)
            return;
    }
}

static double range_of(const Level *l)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < (size_t)l->nx * (size_t)l->ny; k++)
        if (!isnan(l->z[k])) {
            low = fmin(low, (double)l->z[k]);
            high = fmax(high, (double)l->z[k]);
        }
    return high - low;
}

static RiStatus fill_levels(RiContext *ctx, Level *level, long long *out_count)
{
    RI_TRY(find_holes(ctx, &level[0]));
    *out_count = (long long)level[0].count;
    if (level[0].count == (size_t)level[0].nx * (size_t)level[0].ny)
        return ri_error(ctx, RI_ERR_FORMAT, "raster: all of the %d x %d heights are missing", level[0].nx, level[0].ny);
    const double range = range_of(&level[0]);
    int n = 0;
    while (level[n].count > 0) { // ends: a single value that is left is known
        RI_TRY(halve(ctx, &level[n], &level[n + 1]));
        n++;
    }
    while (n-- > 0) {
        refine(&level[n + 1], &level[n]);
        relax(&level[n], range);
    }
    return RI_OK;
}

RiStatus ri_raster_fill(RiContext *ctx, int nx, int ny, float *values, long long *out_count)
{
    Level level[LEVELS + 1] = {{.nx = nx, .ny = ny, .z = values}};
    long long count = 0;
    const RiStatus status = fill_levels(ctx, level, &count);
    for (int n = 0; n <= LEVELS; n++) {
        if (n > 0)
            ri_release(ctx, level[n].z);
        ri_release(ctx, level[n].holes);
    }
    if (out_count)
        *out_count = count;
    return status;
}
