// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures of bytes, and previews of terrain: hill shade from above, meshes from the side.
#ifndef RILLE_PICTURE_H
#define RILLE_PICTURE_H

#include <stdint.h>

#include <rille/mesh.h>
#include <rille/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Three bytes (red, green, blue) for each pixel, row by row from the top.
typedef struct RiPicture {
    uint8_t *rgb;
    int width, height;
} RiPicture;

/// Writes a PNG file. The picture is compressed in memory first, so that failures of the disk are
/// told as everywhere.
RI_MUST_CHECK RiStatus ri_picture_save(RiContext *ctx, const RiPicture *picture, const char *path);

/// The bytes of a PNG file; release them with ri_release.
RI_MUST_CHECK RiStatus ri_picture_encode(RiContext *ctx, const RiPicture *picture, uint8_t **out_bytes,
                                         size_t *out_size);

/// Hill shade of heights, north up, light from the north-west 40 degrees above the horizon; low
/// ground darker. About `most` pixels on the longer side (small rasters are enlarged by whole
/// factors, large ones are sampled). Missing heights are blue.
RI_MUST_CHECK RiStatus ri_shade_heights(RiContext *ctx, const RiRaster *raster, int most, const char *path);
/// A mesh seen from the south and 20 degrees from above, only the triangles that face the viewer:
/// of a tube, the far wall's inside.
RI_MUST_CHECK RiStatus ri_shade_mesh(RiContext *ctx, const RiMesh *mesh, int most, const char *path);

#ifdef __cplusplus
}
#endif
#endif
