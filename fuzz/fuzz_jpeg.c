// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: JPEG images. What is decoded has the size that was asked for; what is refused has a
/// message.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <rille/rille.h>

#include "optics/filter_jpeg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { WIDTH = 16, HEIGHT = 8 };
    RiContext *ctx;
    unsigned char pixels[WIDTH * HEIGHT * 3];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    for (int channels = 1; channels <= 3; channels += 2)
        if (ri_jpeg_decode(ctx, data, size, WIDTH, HEIGHT, channels, pixels) != RI_OK && !*ri_context_message(ctx))
            abort();
    ri_context_destroy(ctx);
    return 0;
}
