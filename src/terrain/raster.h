// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work on rasters that several kinds of terrain share.
#ifndef RI_TERRAIN_RASTER_H
#define RI_TERRAIN_RASTER_H

#include <rille/terrain.h>

/// Refuses sizes that are not those of a raster: below 2 or too many values; spacings that are not
/// positive and finite.
RI_MUST_CHECK RiStatus ri_raster_check_size(RiContext *ctx, int nx, int ny, double dx, double dy);

/// Replaces NANs by a smooth surface through the values around them (Laplace's equation, level
/// borders where the raster ends). Fails if every value is missing. `out_count`: how many were
/// filled; may be NULL.
RI_MUST_CHECK RiStatus ri_raster_fill(RiContext *ctx, int nx, int ny, float *values, long long *out_count);

#endif
