// SPDX-License-Identifier: Apache-2.0
/// \file
/// The MCAP container, version 0: what the record writer and the log reader share.
///
///     magic, Header, { Chunk{Schema, Channel, Message ...}, MessageIndex ... } ..., Attachment ..., DataEnd,
///     summary { Schema, Channel, Statistics, ChunkIndex, AttachmentIndex }, SummaryOffset ..., Footer, magic
///
/// Each record is an opcode (1 byte), the length of its content (8 bytes) and the content; numbers
/// are little endian, strings are a length (4 bytes) and UTF-8. The format: mcap.dev/spec.
#ifndef RI_IO_MCAP_H
#define RI_IO_MCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <rille/context.h>

enum {
    MCAP_HEADER = 0x01,
    MCAP_FOOTER,
    MCAP_SCHEMA,
    MCAP_CHANNEL,
    MCAP_MESSAGE,
    MCAP_CHUNK,
    MCAP_MESSAGE_INDEX,
    MCAP_CHUNK_INDEX,
    MCAP_ATTACHMENT,
    MCAP_ATTACHMENT_INDEX,
    MCAP_STATISTICS,
    MCAP_METADATA,
    MCAP_METADATA_INDEX,
    MCAP_SUMMARY_OFFSET,
    MCAP_DATA_END
};

enum {
    MCAP_MAGIC_SIZE = 8,
    MCAP_RECORD_HEAD = 9,   ///< opcode and length
    MCAP_MESSAGE_HEAD = 22, ///< channel, sequence, log time, publish time
    MCAP_FOOTER_SIZE = 20,
    MCAP_CHUNK_HEAD = 8 + 8 + 8 + 4 + 4 + 8, ///< content of a chunk without the name of its compression and the data
    MCAP_CDR_HEAD = 4
};

extern const uint8_t ri_mcap_magic[MCAP_MAGIC_SIZE];

/// Largest uncompressed chunk that is written or read: a bound for what a hostile file can make us
/// allocate.
#define RI_CHUNK_LIMIT ((size_t)256 << 20)

// --- writing -------------------------------------------------------------------------------------

/// Bytes that grow. A failed growth sets `failed`; everything put after that is lost, and the flag
/// stays.
typedef struct RiBytes {
    RiContext *ctx;
    uint8_t *at;
    size_t size, capacity;
    bool failed;
} RiBytes;

void ri_bytes_init(RiBytes *b, RiContext *ctx);
void ri_bytes_free(RiBytes *b);
/// Room for `extra` more bytes; false (and `failed`) if there is none.
bool ri_bytes_reserve(RiBytes *b, size_t extra);
void ri_put_data(RiBytes *b, const void *data, size_t size);
void ri_put_u8(RiBytes *b, unsigned value);
void ri_put_u16(RiBytes *b, unsigned value);
void ri_put_u32(RiBytes *b, uint32_t value);
void ri_put_u64(RiBytes *b, uint64_t value);
/// Length and bytes.
void ri_put_string(RiBytes *b, const char *text);
/// Opens a record; ri_put_end fills in its length.
size_t ri_put_begin(RiBytes *b, unsigned opcode);
void ri_put_end(RiBytes *b, size_t begin);

static inline void ri_store_u16(uint8_t *at, unsigned v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
}

static inline void ri_store_u32(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}

static inline void ri_store_u64(uint8_t *at, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}

static inline void ri_store_f64(uint8_t *at, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    ri_store_u64(at, bits);
}

// --- reading -------------------------------------------------------------------------------------

/// A place in bytes that are read in order. Reading beyond the end gives zeros and sets `bad`.
typedef struct RiCursor {
    const uint8_t *at, *end;
    bool bad;
} RiCursor;

RiCursor ri_cursor(const void *data, size_t size);
uint64_t ri_get(RiCursor *c, int bytes); ///< little-endian number of 1 to 8 bytes
/// The next `size` bytes, NULL if there are fewer.
const uint8_t *ri_get_data(RiCursor *c, uint64_t size);
/// A string's bytes (not terminated) and length.
const char *ri_get_string(RiCursor *c, size_t *out_size);
static inline size_t ri_left(const RiCursor *c)
{
    return (size_t)(c->end - c->at);
}

#endif
