// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables that subsystems of a scene read from files: passes, dust over time, horizons.
#ifndef RI_IO_SUBSYSTEM_TABLE_H
#define RI_IO_SUBSYSTEM_TABLE_H

#include <rille/device.h>
#include <rille/relay.h>
#include <rille/terrain.h>

#include "base/memory.h"

/// Reads the table of a subsystem's class, in SI. A horizon may also be a map of heights (.tif,
/// .asc, ...): its profiles are those seen from 1 m above 3 x 3 places about the map's local origin,
/// which is the scene's, on a body that curves. RI_ERR_UNSUPPORTED: the class reads none.
RI_MUST_CHECK RiStatus ri_subsystem_table_load(RiContext *ctx, RiArena *arena, const RiDeviceClass *device,
                                               const char *path, RiWorld world, double **out_table, int *out_rows,
                                               int *out_columns);
/// The horizon of a map of heights in `rows` even directions from north on [rad], `stride` numbers
/// apart. A sphere of radius `body`, 0: flat. Looked at from `eye` above the ground at (x, y), which
/// must be on the map.
RI_MUST_CHECK RiStatus ri_horizon_of_raster(RiContext *ctx, const RiRaster *raster, double x, double y, double body,
                                            double eye, int rows, int stride, double *out_elevations);

#endif
