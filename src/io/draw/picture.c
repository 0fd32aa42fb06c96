// SPDX-License-Identifier: Apache-2.0
/// \file
/// PNG files from pictures of bytes.

#include <png.h>

#include <rille/picture.h>

#include "base/memory.h"
#include "io/file/sink.h"

RiStatus ri_picture_encode(RiContext *ctx, const RiPicture *picture, uint8_t **out_bytes, size_t *out_size)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    image.width = (png_uint_32)picture->width;
    image.height = (png_uint_32)picture->height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    *out_size = 0;
    *out_bytes = ri_alloc(ctx, size, 1);
    if (!*out_bytes)
        return ri_error_memory(ctx);
    if (!png_image_write_to_memory(&image, *out_bytes, &size, 0, picture->rgb, 0, NULL)) {
        ri_release(ctx, *out_bytes);
        *out_bytes = NULL;
        return ri_error(ctx, RI_ERR_MEMORY, "the picture cannot be made: %s", image.message);
    }
    *out_size = size;
    return RI_OK;
}

RiStatus ri_picture_save(RiContext *ctx, const RiPicture *picture, const char *path)
{
    uint8_t *bytes;
    size_t size;
    RI_TRY(ri_picture_encode(ctx, picture, &bytes, &size));
    const RiStatus status = ri_file_write(ctx, path, bytes, size);
    ri_release(ctx, bytes);
    return status;
}
