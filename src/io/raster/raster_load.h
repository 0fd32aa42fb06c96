// SPDX-License-Identifier: Apache-2.0
/// \file
/// What loading a raster and opening a paged map share in the parent.
#ifndef RI_IO_RASTER_LOAD_H
#define RI_IO_RASTER_LOAD_H

#include "io/file/guard.h"
#include "io/raster/raster_file.h"

#ifdef RILLE_HAVE_GDAL

/// Refuses options that no file could fulfil.
RI_MUST_CHECK RiStatus ri_raster_check_options(RiContext *ctx, const char *path, const RiRasterOptions *options);
/// Receives what ri_raster_file_send_head sent, checks it, and tells the report the notes. The
/// caller releases *out_wkt.
RI_MUST_CHECK RiStatus ri_raster_receive_head(RiContext *ctx, RiGuard *guard, RiReport *report, RiRasterHead *out_head,
                                              char **out_wkt);

#endif
#endif
