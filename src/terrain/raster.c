// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rasters: life.
#include "base/memory.h"

#include <rille/terrain.h>

RiStatus ri_raster_create(RiContext *ctx, int nx, int ny, double dx, double dy, RiRaster **out_raster)
{
    *out_raster = NULL;
    if (nx < 1 || ny < 1 || !(dx > 0.0) || !(dy > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "raster: %d x %d values %g m x %g m apart; all must be positive", nx, ny,
                        dx, dy);
    RiRaster *r = ri_alloc_zero(ctx, 1, sizeof *r);
    float *values = ri_alloc_zero(ctx, (size_t)nx * (size_t)ny, sizeof *values);
    if (!r || !values) {
        ri_release(ctx, r);
        ri_release(ctx, values);
        return ri_error_memory(ctx);
    }
    *r = (RiRaster){.ctx = ctx, .nx = nx, .ny = ny, .dx = dx, .dy = dy, .values = values};
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
