// SPDX-License-Identifier: Apache-2.0
/// \file
/// JPEG by libjpeg-turbo. The library reports errors by a call that must not return: it jumps back
/// here.
#include "optics/filter_jpeg.h"

#ifdef RILLE_HAVE_JPEG

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

typedef struct Trouble {
    struct jpeg_error_mgr base;
    jmp_buf back;
    char text[JMSG_LENGTH_MAX];
} Trouble;

static void jump(j_common_ptr info)
{
    Trouble *t = (Trouble *)info->err;
    t->base.format_message(info, t->text);
    longjmp(t->back, 1);
}

/// Warnings (a cut stream) are errors too: no half image is taken for a whole one.
static void warn(j_common_ptr info, int level)
{
    if (level < 0)
        jump(info);
}

static struct jpeg_error_mgr *trouble_init(Trouble *t)
{
    jpeg_std_error(&t->base);
    t->base.error_exit = jump;
    t->base.emit_message = warn;
    return &t->base;
}

RiStatus ri_jpeg_encode(RiContext *ctx, const unsigned char *pixels, int width, int height, int channels, int quality,
                        unsigned char **out_bytes, size_t *out_size)
{
    struct jpeg_compress_struct c;
    Trouble t;
    unsigned long size = 0;
    *out_bytes = NULL, *out_size = 0;
    c.err = trouble_init(&t);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, out_bytes, &size);
    if (setjmp(t.back)) {
        jpeg_destroy_compress(&c);
        free(*out_bytes);
        *out_bytes = NULL;
        return ri_error(ctx, RI_ERR_ARGUMENT, "JPEG: %s", t.text);
    }
    c.image_width = (JDIMENSION)width, c.image_height = (JDIMENSION)height;
    c.input_components = channels, c.in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&c);
    jpeg_set_quality(&c, quality, TRUE);
    jpeg_start_compress(&c, TRUE);
    while (c.next_scanline < c.image_height) {
        JSAMPROW row = (JSAMPROW)pixels + (size_t)c.next_scanline * (size_t)width * (size_t)channels;
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    *out_size = size;
    return RI_OK;
}

RiStatus ri_jpeg_decode(RiContext *ctx, const unsigned char *bytes, size_t size, int width, int height, int channels,
                        unsigned char *out)
{
    struct jpeg_decompress_struct d;
    Trouble t;
    d.err = trouble_init(&t);
    jpeg_create_decompress(&d);
    if (setjmp(t.back)) {
        jpeg_destroy_decompress(&d);
        return ri_error(ctx, RI_ERR_FORMAT, "JPEG: %s", t.text);
    }
    jpeg_mem_src(&d, bytes, (unsigned long)size);
    jpeg_read_header(&d, TRUE);
    if (d.image_width != (JDIMENSION)width || d.image_height != (JDIMENSION)height || d.num_components != channels) {
        const unsigned w = d.image_width, h = d.image_height;
        const int n = d.num_components;
        jpeg_destroy_decompress(&d);
        return ri_error(ctx, RI_ERR_FORMAT, "JPEG: %u x %u pixels of %d channels, expected %d x %d of %d", w, h, n,
                        width, height, channels);
    }
    jpeg_start_decompress(&d);
    while (d.output_scanline < d.output_height) {
        JSAMPROW row = out + (size_t)d.output_scanline * (size_t)width * (size_t)channels;
        jpeg_read_scanlines(&d, &row, 1);
    }
    jpeg_finish_decompress(&d);
    jpeg_destroy_decompress(&d);
    return RI_OK;
}

#else

static RiStatus missing(RiContext *ctx)
{
    return ri_error(ctx, RI_ERR_UNSUPPORTED, "this build has no JPEG: install libjpeg62-turbo-dev and rebuild");
}

RiStatus ri_jpeg_encode(RiContext *ctx, const unsigned char *pixels, int width, int height, int channels, int quality,
                        unsigned char **out_bytes, size_t *out_size)
{
    (void)pixels, (void)width, (void)height, (void)channels, (void)quality;
    *out_bytes = NULL, *out_size = 0;
    return missing(ctx);
}

RiStatus ri_jpeg_decode(RiContext *ctx, const unsigned char *bytes, size_t size, int width, int height, int channels,
                        unsigned char *out)
{
    (void)bytes, (void)size, (void)width, (void)height, (void)channels, (void)out;
    return missing(ctx);
}

#endif
