// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files of images: EXR for linear radiance, JPEG for bytes. PNG is in io/draw/picture.h.
#ifndef RILLE_IMAGE_FILE_H
#define RILLE_IMAGE_FILE_H

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One channel of an EXR file: its name ("R", "G", "B", "Z", "normal.X") and where its values are,
/// `stride` floats apart.
typedef struct RiExrChannel {
    const char *name;
    const float *values;
    int stride;
} RiExrChannel;

/// Writes an OpenEXR file of 32-bit floats, uncompressed, rows from the top. Channels are sorted by
/// name, as the format wants. RI_ERR_ARGUMENT for names that are empty, longer than 31 letters or
/// given twice.
RI_MUST_CHECK RiStatus ri_exr_save(RiContext *ctx, const char *path, int width, int height,
                                   const RiExrChannel *channels, int count);
/// Writes a JPEG file of bytes with 1 or 3 channels. RI_ERR_UNSUPPORTED in a build without libjpeg.
RI_MUST_CHECK RiStatus ri_jpeg_save(RiContext *ctx, const char *path, const unsigned char *pixels, int width,
                                    int height, int channels, int quality);

#ifdef __cplusplus
}
#endif
#endif
