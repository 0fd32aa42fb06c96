// SPDX-License-Identifier: Apache-2.0
/// \file
/// PNG files from pictures of bytes.
#include "io/picture.h"

#include <png.h>

#include "base/memory.h"
#include "io/sink.h"

RiStatus ri_picture_save(RiContext *ctx, const RiPicture *picture, const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    image.width = (png_uint_32)picture->width;
    image.height = (png_uint_32)picture->height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *memory = ri_alloc(ctx, size, 1);
    if (!memory)
        return ri_error_memory(ctx);
    RiStatus status = RI_OK;
    if (!png_image_write_to_memory(&image, memory, &size, 0, picture->rgb, 0, NULL))
        status = ri_error(ctx, RI_ERR_MEMORY, "%s: the picture cannot be made: %s", path, image.message);
    RiSink sink;
    if (status == RI_OK)
        status = ri_sink_open(&sink, ctx, path);
    if (status == RI_OK) {
        status = ri_sink_write(&sink, memory, size);
        const RiStatus closing = ri_sink_close(&sink);
        status = status != RI_OK ? status : closing;
    }
    ri_release(ctx, memory);
    return status;
}
