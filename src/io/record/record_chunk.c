// SPDX-License-Identifier: Apache-2.0
/// \file
/// Chunks on their way into the file, and the summary that ends it. A chunk with its message
/// indexes is one write: on a full disk it is there as a whole or not at all.
#include <zstd.h>

#include "io/record/record_work.h"

/// A message index takes 16 bytes for each message and this much for each group, of which there are
/// at most as many.
enum { INDEX_HEAD = MCAP_RECORD_HEAD + 2 + 4, INDEX_ENTRY = 16 };

RiStatus ri_record_size_buffers(RiRecord *r, size_t raw)
{
    const size_t packed = MCAP_RECORD_HEAD + MCAP_CHUNK_HEAD + 4 + ZSTD_compressBound(raw) +
                          (size_t)r->entry_capacity * (INDEX_HEAD + INDEX_ENTRY);
    if (packed > r->packed.capacity && !ri_bytes_reserve(&r->packed, packed - r->packed.size)) {
        r->packed.failed = false; // the record goes on with chunks of the old size
        return ri_error_memory(r->ctx);
    }
    if (raw > r->raw.capacity && !ri_bytes_reserve(&r->raw, raw - r->raw.size)) {
        r->raw.failed = false;
        return ri_error_memory(r->ctx);
    }
    return RI_OK;
}

RiStatus ri_record_write_data(RiRecord *r, const void *data, size_t size)
{
    RI_TRY(ri_sink_write(&r->sink, data, size));
    r->data_crc = ri_crc_add(&r->crc, r->data_crc, data, size);
    return RI_OK;
}

// --- a chunk -------------------------------------------------------------------------------------

/// The open chunk as a record in `packed`; *out_compressed is the size of its data.
static RiStatus pack_chunk(RiRecord *r, size_t *out_compressed)
{
    RiBytes *b = &r->packed;
    *out_compressed = 0;
    b->size = 0;
    const size_t begin = ri_put_begin(b, MCAP_CHUNK);
    ri_put_u64(b, r->chunk_start);
    ri_put_u64(b, r->chunk_end);
    ri_put_u64(b, r->raw.size);
    ri_put_u32(b, ri_crc_add(&r->crc, 0, r->raw.at, r->raw.size));
    ri_put_string(b, r->options.level > 0 ? "zstd" : "");
    const size_t length_at = b->size;
    ri_put_u64(b, 0);
    size_t n = r->raw.size;
    if (r->options.level > 0) {
        n = ZSTD_compress2(r->zstd, b->at + b->size, b->capacity - b->size, r->raw.at, r->raw.size);
        if (ZSTD_isError(n))
            return ri_error_memory(r->ctx); // the only way to fail with a destination of the bound's size
        b->size += n;
    } else {
        ri_put_data(b, r->raw.at, r->raw.size);
    }
    ri_store_u64(b->at + length_at, n);
    ri_put_end(b, begin);
    *out_compressed = n;
    return RI_OK;
}

static void put_message_index(RiRecord *r, int channel, const Group *g)
{
    RiBytes *b = &r->packed;
    const size_t begin = ri_put_begin(b, MCAP_MESSAGE_INDEX);
    ri_put_u16(b, (unsigned)channel);
    ri_put_u32(b, (uint32_t)g->in_chunk * INDEX_ENTRY);
    for (int i = g->first; i >= 0; i = r->entries[i].next) {
        ri_store_u64(b->at + b->size, r->entries[i].time);
        ri_store_u64(b->at + b->size + 8, r->entries[i].offset);
        b->size += INDEX_ENTRY;
    }
    ri_put_end(b, begin);
}

/// Appends the message indexes of the chunk to `packed` and the chunk's entry to the summary. Room
/// for both was made before.
static void index_chunk(RiRecord *r, size_t compressed)
{
    const uint64_t offset = r->sink.size, length = r->packed.size;
    RiBytes *x = &r->chunk_index;
    const size_t begin = ri_put_begin(x, MCAP_CHUNK_INDEX);
    ri_put_u64(x, r->chunk_start);
    ri_put_u64(x, r->chunk_end);
    ri_put_u64(x, offset);
    ri_put_u64(x, length);
    const size_t map_at = x->size;
    ri_put_u32(x, 0);
    for (int i = 0; i < r->group_count; i++) {
        if (r->groups[i]->in_chunk == 0)
            continue;
        ri_put_u16(x, (unsigned)i + 1);
        ri_put_u64(x, offset + r->packed.size);
        put_message_index(r, i + 1, r->groups[i]);
    }
    ri_store_u32(x->at + map_at, (uint32_t)(x->size - map_at - 4));
    ri_put_u64(x, r->packed.size - length);
    ri_put_string(x, r->options.level > 0 ? "zstd" : "");
    ri_put_u64(x, compressed);
    ri_put_u64(x, r->raw.size);
    ri_put_end(x, begin);
}

/// Empties the open chunk.
static void start_chunk(RiRecord *r)
{
    r->raw.size = 0;
    r->entry_count = 0;
    r->chunk_start = r->chunk_end = 0;
    for (int i = 0; i < r->group_count; i++)
        r->groups[i]->in_chunk = 0;
}

RiStatus ri_record_flush(RiRecord *r)
{
    if (r->raw.size == 0)
        return RI_OK;
    const size_t index_before = r->chunk_index.size;
    if (!ri_bytes_reserve(&r->chunk_index, MCAP_RECORD_HEAD + 96 + 10 * (size_t)r->group_count)) {
        r->chunk_index.failed = false; // nothing is lost: the chunk stays open
        return ri_error_memory(r->ctx);
    }
    size_t compressed;
    RI_TRY(pack_chunk(r, &compressed));
    index_chunk(r, compressed);
    const RiStatus status = ri_record_write_data(r, r->packed.at, r->packed.size);
    r->packed.size = 0;
    if (status != RI_OK) {
        r->chunk_index.size = index_before;
        return status;
    }
    r->chunk_count++;
    start_chunk(r);
    return RI_OK;
}

// --- the end of the file -------------------------------------------------------------------------

static void put_statistics(const RiRecord *r, RiBytes *b)
{
    const size_t begin = ri_put_begin(b, MCAP_STATISTICS);
    ri_put_u64(b, r->message_count);
    ri_put_u16(b, (unsigned)r->group_count); // each group has a schema
    ri_put_u32(b, (uint32_t)r->group_count);
    ri_put_u32(b, r->attachment_count);
    ri_put_u32(b, 0); // metadata records
    ri_put_u32(b, r->chunk_count);
    ri_put_u64(b, r->start);
    ri_put_u64(b, r->end);
    ri_put_u32(b, (uint32_t)r->group_count * 10);
    for (int i = 0; i < r->group_count; i++) {
        ri_put_u16(b, (unsigned)i + 1);
        ri_put_u64(b, r->groups[i]->message_count);
    }
    ri_put_end(b, begin);
}

/// Appends a group of summary records and its entry in the summary offsets.
static void put_part(RiBytes *summary, RiBytes *offsets, uint64_t start, unsigned opcode, const RiBytes *records)
{
    if (records->size == 0)
        return;
    const size_t begin = ri_put_begin(offsets, MCAP_SUMMARY_OFFSET);
    ri_put_u8(offsets, opcode);
    ri_put_u64(offsets, start + summary->size);
    ri_put_u64(offsets, records->size);
    ri_put_end(offsets, begin);
    ri_put_data(summary, records->at, records->size);
}

static void put_summary(const RiRecord *r, uint64_t start, RiBytes *b, RiBytes *offsets, RiBytes *statistics)
{
    put_statistics(r, statistics);
    put_part(b, offsets, start, MCAP_SCHEMA, &r->schemas);
    put_part(b, offsets, start, MCAP_CHANNEL, &r->channels);
    put_part(b, offsets, start, MCAP_STATISTICS, statistics);
    put_part(b, offsets, start, MCAP_CHUNK_INDEX, &r->chunk_index);
    put_part(b, offsets, start, MCAP_ATTACHMENT_INDEX, &r->attachment_index);
    const uint64_t offsets_start = start + b->size;
    ri_put_data(b, offsets->at, offsets->size);
    const size_t begin = ri_put_begin(b, MCAP_FOOTER);
    ri_put_u64(b, start);
    ri_put_u64(b, offsets_start);
    if (!b->failed)
        ri_store_u64(b->at + begin - 8, MCAP_FOOTER_SIZE); // the checksum covers the length too
    ri_put_u32(b, b->failed ? 0 : ri_crc_add(&r->crc, 0, b->at, b->size));
    ri_put_data(b, ri_mcap_magic, MCAP_MAGIC_SIZE);
}

/// The data section's last record.
static RiStatus write_data_end(RiRecord *r)
{
    uint8_t end[MCAP_RECORD_HEAD + 4] = {MCAP_DATA_END};
    ri_store_u64(end + 1, 4);
    ri_store_u32(end + MCAP_RECORD_HEAD, r->data_crc);
    return ri_sink_write(&r->sink, end, sizeof end);
}

RiStatus ri_record_finish(RiRecord *r)
{
    RiBytes summary, offsets, statistics;
    ri_bytes_init(&summary, r->ctx);
    ri_bytes_init(&offsets, r->ctx);
    ri_bytes_init(&statistics, r->ctx);
    RiStatus status = write_data_end(r);
    if (status == RI_OK) {
        put_summary(r, r->sink.size, &summary, &offsets, &statistics);
        if (summary.failed || offsets.failed || statistics.failed)
            status = ri_error_memory(r->ctx);
        else
            status = ri_sink_write(&r->sink, summary.at, summary.size);
    }
    ri_bytes_free(&summary);
    ri_bytes_free(&offsets);
    ri_bytes_free(&statistics);
    return status;
}
