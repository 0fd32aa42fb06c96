// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writers of image files. EXR: version 2, single part, scan lines without compression: a head of
/// named attributes, a table with the place of each row, and the rows, channel by channel.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rille/image_file.h>

#include "base/memory.h"
#include "io/file/sink.h"
#include "optics/filter_jpeg.h"

enum { CHANNELS = 64, NAME = 31, HEAD = 8192 };

typedef struct Head {
    unsigned char bytes[HEAD];
    size_t size;
} Head;

static void put(Head *h, const void *data, size_t size)
{
    memcpy(h->bytes + h->size, data, size);
    h->size += size;
}

/// Little-endian.
static void put_int(Head *h, uint32_t x)
{
    const unsigned char b[4] = {(unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
                                (unsigned char)(x >> 24)};
    put(h, b, 4);
}

static void put_float(Head *h, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    put_int(h, bits);
}

static void put_attribute(Head *h, const char *name, const char *type, uint32_t size)
{
    put(h, name, strlen(name) + 1);
    put(h, type, strlen(type) + 1);
    put_int(h, size);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const RiExrChannel *)a)->name, ((const RiExrChannel *)b)->name);
}

static void put_channels(Head *h, const RiExrChannel *c, int count)
{
    uint32_t size = 1;
    for (int i = 0; i < count; i++)
        size += (uint32_t)strlen(c[i].name) + 17;
    put_attribute(h, "channels", "chlist", size);
    for (int i = 0; i < count; i++) {
        put(h, c[i].name, strlen(c[i].name) + 1);
        put_int(h, 2); // 32-bit floats
        put_int(h, 0);
        put_int(h, 1), put_int(h, 1); // one value per pixel
    }
    put(h, "", 1);
}

static void put_head(Head *h, int width, int height, const RiExrChannel *c, int count)
{
    const unsigned char magic[8] = {0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0};
    put(h, magic, 8);
    put_channels(h, c, count);
    put_attribute(h, "compression", "compression", 1), put(h, "", 1);
    for (int k = 0; k < 2; k++) {
        put_attribute(h, k ? "displayWindow" : "dataWindow", "box2i", 16);
        put_int(h, 0), put_int(h, 0), put_int(h, (uint32_t)(width - 1)), put_int(h, (uint32_t)(height - 1));
    }
    put_attribute(h, "lineOrder", "lineOrder", 1), put(h, "", 1);
    put_attribute(h, "pixelAspectRatio", "float", 4), put_float(h, 1.0f);
    put_attribute(h, "screenWindowCenter", "v2f", 8), put_float(h, 0.0f), put_float(h, 0.0f);
    put_attribute(h, "screenWindowWidth", "float", 4), put_float(h, 1.0f);
    put(h, "", 1);
}

static RiStatus check(RiContext *ctx, const char *path, int width, int height, const RiExrChannel *c, int count)
{
    if (width < 1 || height < 1 || width > 65536 || height > 65536 || count < 1 || count > CHANNELS)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "%s: %d x %d pixels of %d channels; allowed: 1 to 65536, 1 to %d channels", path, width, height,
                        count, CHANNELS);
    for (int i = 0; i < count; i++) {
        if (!*c[i].name || strlen(c[i].name) > NAME)
            return ri_error(ctx, RI_ERR_ARGUMENT, "%s: channel '%s'; allowed: names of 1 to %d letters", path,
                            c[i].name, NAME);
        if (i && strcmp(c[i - 1].name, c[i].name) == 0)
            return ri_error(ctx, RI_ERR_ARGUMENT, "%s: channel '%s' is given twice", path, c[i].name);
    }
    return RI_OK;
}

/// Row y: its number, its size, then all values of each channel.
static void fill_row(unsigned char *row, int y, int width, const RiExrChannel *c, int count)
{
    Head start = {.size = 0};
    put_int(&start, (uint32_t)y);
    put_int(&start, (uint32_t)(width * count * 4));
    memcpy(row, start.bytes, 8);
    for (int i = 0; i < count; i++)
        for (int x = 0; x < width; x++) {
            uint32_t bits;
            memcpy(&bits, &c[i].values[((size_t)y * (size_t)width + (size_t)x) * (size_t)c[i].stride], 4);
            unsigned char *at = row + 8 + 4 * ((size_t)i * (size_t)width + (size_t)x);
            at[0] = (unsigned char)bits, at[1] = (unsigned char)(bits >> 8);
            at[2] = (unsigned char)(bits >> 16), at[3] = (unsigned char)(bits >> 24);
        }
}

static RiStatus write_rows(RiSink *sink, unsigned char *row, size_t row_size, size_t head, int width, int height,
                           const RiExrChannel *c, int count)
{
    for (int y = 0; y < height; y++) {
        const uint64_t place = head + 8 * (uint64_t)height + (uint64_t)y * row_size;
        unsigned char bytes[8];
        for (int k = 0; k < 8; k++)
            bytes[k] = (unsigned char)(place >> (8 * k));
        RI_TRY(ri_sink_write(sink, bytes, 8));
    }
    for (int y = 0; y < height; y++) {
        fill_row(row, y, width, c, count);
        RI_TRY(ri_sink_write(sink, row, row_size));
    }
    return RI_OK;
}

RiStatus ri_exr_save(RiContext *ctx, const char *path, int width, int height, const RiExrChannel *channels, int count)
{
    RiExrChannel sorted[CHANNELS];
    if (count > 0 && count <= CHANNELS) {
        memcpy(sorted, channels, (size_t)count * sizeof *sorted);
        qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    }
    RI_TRY(check(ctx, path, width, height, sorted, count));
    const size_t row_size = 8 + 4 * (size_t)width * (size_t)count;
    Head *head = ri_alloc_zero(ctx, 1, sizeof *head + row_size);
    if (!head)
        return ri_error_memory(ctx);
    put_head(head, width, height, sorted, count);
    RiSink sink;
    RiStatus status = ri_sink_open(&sink, ctx, path);
    if (status == RI_OK)
        status = ri_sink_write(&sink, head->bytes, head->size);
    if (status == RI_OK)
        status = write_rows(&sink, (unsigned char *)(head + 1), row_size, head->size, width, height, sorted, count);
    status = ri_sink_close(&sink, status);
    ri_release(ctx, head);
    return status;
}

RiStatus ri_jpeg_save(RiContext *ctx, const char *path, const unsigned char *pixels, int width, int height,
                      int channels, int quality)
{
    unsigned char *bytes;
    size_t size;
    RI_TRY(ri_jpeg_encode(ctx, pixels, width, height, channels, quality, &bytes, &size));
    const RiStatus status = ri_file_write(ctx, path, bytes, size);
    free(bytes);
    return status;
}
