// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clouds and arrays as files.
#ifndef RILLE_CLOUD_FILE_H
#define RILLE_CLOUD_FILE_H

#include <rille/perception.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the points with a return as .pcd (binary) or .ply (binary), by the path's ending: x, y, z
/// [m] as float32, intensity, range [m], time [s] after the cloud's, channel, link. `world`: true
/// points of the world without noise; else measured ones in the lidar's frame at the time of each
/// shot. RI_ERR_UNSUPPORTED for other endings.
RI_MUST_CHECK RiStatus ri_cloud_save(RiContext *ctx, const RiCloudView *cloud, bool world, const char *path);

/// Writes numbers as a NumPy array (.npy) of height x width x depth; depth 1: of height x width.
/// `kind` is NumPy's: "<f8", "<f4", "<i4", "|u1".
RI_MUST_CHECK RiStatus ri_npy_save(RiContext *ctx, const char *path, const char *kind, int height, int width, int depth,
                                   const void *data);

#ifdef __cplusplus
}
#endif
#endif
