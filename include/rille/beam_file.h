// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lidar beams from tables.
///
/// Columns dx, dy, dz (a direction of any length), and perhaps ox, oy, oz [m], time [s] from the
/// start of the frame, channel, frame. Frames come in order from 0 and have equally many beams;
/// patterns that do not repeat have several, which are shot one after the other and then again.
#ifndef RILLE_BEAM_FILE_H
#define RILLE_BEAM_FILE_H

#include <stddef.h>

#include <rille/lidar.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes `lidar` a RI_LIDAR_TABLE of the beams; its other fields stay. The caller owns *out_beams,
/// which must live as long as the lidar. RI_ERR_FORMAT names file, line and column: beams of no
/// length, numbers that are not finite, frames out of order.
RI_MUST_CHECK RiStatus ri_beams_load(RiContext *ctx, const char *path, RiLidar *lidar, RiBeam **out_beams);
/// The same from a text; `path` is used in messages.
RI_MUST_CHECK RiStatus ri_beams_parse(RiContext *ctx, const char *path, const char *text, size_t size, RiLidar *lidar,
                                      RiBeam **out_beams);
/// Releases the beams of ri_beams_load or ri_beams_parse; NULL does nothing.
void ri_beams_free(RiContext *ctx, RiBeam *beams);

#ifdef __cplusplus
}
#endif
#endif
