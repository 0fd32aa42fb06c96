// SPDX-License-Identifier: Apache-2.0
/// \file
/// JPEG in memory.
#ifndef RI_OPTICS_FILTER_JPEG_H
#define RI_OPTICS_FILTER_JPEG_H

#include <stddef.h>

#include <rille/context.h>

/// Compresses bytes of 1 (grey) or 3 (red, green, blue) channels, quality 1 to 100. The caller
/// frees *out_bytes with free(). RI_ERR_UNSUPPORTED in a build without libjpeg.
RI_MUST_CHECK RiStatus ri_jpeg_encode(RiContext *ctx, const unsigned char *pixels, int width, int height, int channels,
                                      int quality, unsigned char **out_bytes, size_t *out_size);
/// Decompresses into a buffer of width * height * channels bytes; another size or number of
/// channels is RI_ERR_FORMAT.
RI_MUST_CHECK RiStatus ri_jpeg_decode(RiContext *ctx, const unsigned char *bytes, size_t size, int width, int height,
                                      int channels, unsigned char *out);

#endif
