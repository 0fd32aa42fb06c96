// SPDX-License-Identifier: Apache-2.0
/// \file
/// Growing bytes and cursors for MCAP files.
#include "io/record/mcap.h"

#include "base/memory.h"

const uint8_t ri_mcap_magic[MCAP_MAGIC_SIZE] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

// --- growing bytes -------------------------------------------------------------------------------

void ri_bytes_init(RiBytes *b, RiContext *ctx)
{
    *b = (RiBytes){.ctx = ctx};
}

void ri_bytes_free(RiBytes *b)
{
    ri_release(b->ctx, b->at);
    ri_bytes_init(b, b->ctx);
}

bool ri_bytes_reserve(RiBytes *b, size_t extra)
{
    if (b->failed || b->capacity - b->size >= extra)
        return !b->failed;
    size_t capacity = b->capacity ? b->capacity : 256;
    while (capacity - b->size < extra && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    uint8_t *at = capacity - b->size >= extra ? ri_resize(b->ctx, b->at, capacity, 1) : NULL;
    if (!at) {
        b->failed = true;
        return false;
    }
    b->at = at;
    b->capacity = capacity;
    return true;
}

void ri_put_data(RiBytes *b, const void *data, size_t size)
{
    if (size == 0 || !ri_bytes_reserve(b, size))
        return;
    memcpy(b->at + b->size, data, size);
    b->size += size;
}

static void put(RiBytes *b, uint64_t value, int bytes)
{
    uint8_t data[8];
    ri_store_u64(data, value);
    ri_put_data(b, data, (size_t)bytes);
}

void ri_put_u8(RiBytes *b, unsigned value)
{
    put(b, value, 1);
}

void ri_put_u16(RiBytes *b, unsigned value)
{
    put(b, value, 2);
}

void ri_put_u32(RiBytes *b, uint32_t value)
{
    put(b, value, 4);
}

void ri_put_u64(RiBytes *b, uint64_t value)
{
    put(b, value, 8);
}

void ri_put_string(RiBytes *b, const char *text)
{
    const size_t n = strlen(text);
    ri_put_u32(b, (uint32_t)n);
    ri_put_data(b, text, n);
}

size_t ri_put_begin(RiBytes *b, unsigned opcode)
{
    ri_put_u8(b, opcode);
    ri_put_u64(b, 0);
    return b->size;
}

void ri_put_end(RiBytes *b, size_t begin)
{
    if (!b->failed)
        ri_store_u64(b->at + begin - 8, b->size - begin);
}

// --- cursors -------------------------------------------------------------------------------------

RiCursor ri_cursor(const void *data, size_t size)
{
    const uint8_t *at = data;
    return (RiCursor){at, size ? at + size : at, false};
}

const uint8_t *ri_get_data(RiCursor *c, uint64_t size)
{
    if (c->bad || size > ri_left(c)) {
        c->bad = true;
        return NULL;
    }
    const uint8_t *at = c->at;
    if (size)
        c->at += size;
    return at;
}

uint64_t ri_get(RiCursor *c, int bytes)
{
    const uint8_t *at = ri_get_data(c, (uint64_t)bytes);
    uint64_t value = 0;
    for (int i = 0; at && i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

const char *ri_get_string(RiCursor *c, size_t *out_size)
{
    const uint64_t n = ri_get(c, 4);
    const uint8_t *at = ri_get_data(c, n);
    *out_size = at ? (size_t)n : 0;
    return at ? (const char *)at : "";
}
