// SPDX-License-Identifier: Apache-2.0
/// \file
/// The record writer: life cycle, messages, attachments.
#define ZSTD_STATIC_LINKING_ONLY // for a compressor that takes its memory from the context
#include <zstd.h>

#include <math.h>

#include "io/record/record_work.h"

RiRecordOptions ri_record_options_default(void)
{
    return (RiRecordOptions){.chunk_size = 1 << 20, .level = 1};
}

// --- life cycle ----------------------------------------------------------------------------------

static void *zstd_alloc(void *ctx, size_t size)
{
    return ri_alloc(ctx, size, 1);
}

static void zstd_release(void *ctx, void *block)
{
    ri_release(ctx, block);
}

static RiStatus check_options(RiContext *ctx, const RiRecordOptions *o)
{
    if (o->chunk_size < 256 || o->chunk_size > RI_CHUNK_LIMIT / 2)
        return ri_error(ctx, RI_ERR_ARGUMENT, "record: chunk_size %zu is not from 256 to %zu bytes", o->chunk_size,
                        RI_CHUNK_LIMIT / 2);
    if (o->level < 0 || o->level > 19)
        return ri_error(ctx, RI_ERR_ARGUMENT, "record: level %d is not from 0 to 19", o->level);
    return RI_OK;
}

/// Least bytes of a message record; bounds how many fit in a chunk.
enum { LEAST_MESSAGE = MCAP_RECORD_HEAD + MCAP_MESSAGE_HEAD + MCAP_CDR_HEAD };

static RiStatus create_buffers(RiRecord *r)
{
    const size_t most = r->options.chunk_size / LEAST_MESSAGE + 1;
    r->entry_capacity = most < RECORD_ENTRIES ? (int)most : RECORD_ENTRIES;
    r->entries = ri_alloc(r->ctx, (size_t)r->entry_capacity, sizeof *r->entries);
    const ZSTD_customMem memory = {zstd_alloc, zstd_release, r->ctx};
    r->zstd = ZSTD_createCCtx_advanced(memory);
    if (!r->entries || !r->zstd || !ri_bytes_reserve(&r->chunk_index, RECORD_INDEX_ROOM))
        return ri_error_memory(r->ctx);
    ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_compressionLevel, r->options.level);
    return ri_record_size_buffers(r, r->options.chunk_size);
}

/// The file's first bytes: magic and header.
static RiStatus write_head(RiRecord *r)
{
    ri_put_data(&r->packed, ri_mcap_magic, MCAP_MAGIC_SIZE);
    const size_t begin = ri_put_begin(&r->packed, MCAP_HEADER);
    ri_put_string(&r->packed, ""); // no profile
    ri_put_string(&r->packed, "rille");
    ri_put_end(&r->packed, begin);
    if (r->packed.failed)
        return ri_error_memory(r->ctx);
    return ri_record_write_data(r, r->packed.at, r->packed.size);
}

static void init(RiRecord *r, RiContext *ctx, const RiRecordOptions *options)
{
    r->ctx = ctx;
    r->options = *options;
    r->sink = (RiSink){.ctx = ctx, .file = -1};
    ri_arena_init(&r->arena, ctx);
    ri_crc_init(&r->crc);
    RiNames *names[] = {&r->topics, &r->signals, &r->types};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ri_names_init(names[i], ctx);
    RiBytes *bytes[] = {&r->raw, &r->packed, &r->schemas, &r->channels, &r->chunk_index, &r->attachment_index};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        ri_bytes_init(bytes[i], ctx);
}

RiStatus ri_record_create(RiContext *ctx, const char *path, const RiRecordOptions *options, RiRecord **out_record)
{
    *out_record = NULL;
    const RiRecordOptions chosen = options ? *options : ri_record_options_default();
    RI_TRY(check_options(ctx, &chosen));
    RiRecord *r = ri_alloc_zero(ctx, 1, sizeof *r);
    if (!r)
        return ri_error_memory(ctx);
    init(r, ctx, &chosen);
    RiStatus status = create_buffers(r);
    if (status == RI_OK)
        status = ri_sink_open_growing(&r->sink, ctx, path);
    if (status == RI_OK)
        status = write_head(r);
    if (status != RI_OK) {
        r->closed = true; // nothing to save
        ri_record_destroy(r);
        return status;
    }
    *out_record = r;
    return RI_OK;
}

RiStatus ri_record_close(RiRecord *r)
{
    if (r->closed)
        return RI_OK;
    RiStatus status = ri_record_flush(r);
    if (status == RI_OK)
        status = ri_record_finish(r);
    const RiStatus closing = ri_sink_close(&r->sink, RI_OK);
    r->closed = true;
    return status != RI_OK ? status : closing;
}

void ri_record_destroy(RiRecord *r)
{
    if (!r)
        return;
    // Without a close the file stays unfinished, but the open chunk is worth saving: runs that fail
    // end here.
    if (!r->closed && ri_record_flush(r) != RI_OK)
        r->closed = true;
    if (ri_sink_close(&r->sink, RI_OK) != RI_OK)
        r->closed = true;
    ZSTD_freeCCtx(r->zstd);
    RiBytes *bytes[] = {&r->raw, &r->packed, &r->schemas, &r->channels, &r->chunk_index, &r->attachment_index};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        ri_bytes_free(bytes[i]);
    ri_names_free(&r->topics);
    ri_names_free(&r->signals);
    ri_names_free(&r->types);
    ri_release(r->ctx, r->entries);
    ri_release(r->ctx, r->groups);
    ri_arena_free(&r->arena);
    ri_release(r->ctx, r);
}

// --- messages ------------------------------------------------------------------------------------

static const char *const kind_names[] = {"signals", "frames", "events", "numbers", "messages"};

static RiStatus check_call(RiRecord *r, int group, GroupKind kind, double time)
{
    if (r->closed)
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "record: the record is closed");
    if (group < 0 || group >= r->group_count || r->groups[group]->kind != kind)
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "%s: %d is not a group of %s", r->sink.path, group, kind_names[kind]);
    if (!(time >= 0.0 && time < 2147483647.0)) // seconds of a ROS time have 31 bits
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "%s: %s: time %g is not from 0 to 2147483647 s", r->sink.path,
                        r->groups[group]->topic, time);
    return RI_OK;
}

static void add_entry(RiRecord *r, Group *g, uint64_t time)
{
    const int i = r->entry_count++;
    r->entries[i] = (Entry){time, r->raw.size, -1};
    if (g->in_chunk++ == 0)
        g->first = i;
    else
        r->entries[g->last].next = i;
    g->last = i;
    r->chunk_start = i == 0 || time < r->chunk_start ? time : r->chunk_start;
    r->chunk_end = i == 0 || time > r->chunk_end ? time : r->chunk_end;
    r->start = r->message_count == 0 || time < r->start ? time : r->start;
    r->end = r->message_count == 0 || time > r->end ? time : r->end;
    g->message_count++;
    r->message_count++;
}

/// Starts a message of `size` bytes of data in the open chunk and returns where the data goes.
static RiStatus begin_message(RiRecord *r, int group, uint64_t time, size_t size, uint8_t **out_data)
{
    Group *g = r->groups[group];
    const size_t total = MCAP_RECORD_HEAD + MCAP_MESSAGE_HEAD + size;
    if (r->entry_count == r->entry_capacity || (r->raw.size > 0 && r->raw.size + total > r->options.chunk_size))
        RI_TRY(ri_record_flush(r));
    if (total > r->raw.capacity)
        RI_TRY(ri_record_size_buffers(r, total));
    uint8_t *at = r->raw.at + r->raw.size;
    at[0] = MCAP_MESSAGE;
    ri_store_u64(at + 1, MCAP_MESSAGE_HEAD + size);
    ri_store_u16(at + 9, (unsigned)group + 1);
    ri_store_u32(at + 11, (uint32_t)g->message_count);
    ri_store_u64(at + 15, time);
    ri_store_u64(at + 23, time);
    add_entry(r, g, time);
    r->raw.size += total;
    *out_data = at + MCAP_RECORD_HEAD + MCAP_MESSAGE_HEAD;
    return RI_OK;
}

static uint64_t nanoseconds(double time)
{
    return (uint64_t)llround(time * 1e9);
}

static const uint8_t cdr_little_endian[MCAP_CDR_HEAD] = {0, 1, 0, 0};

RiStatus ri_record_signals(RiRecord *r, int group, double time, const double *values)
{
    RI_TRY(check_call(r, group, GROUP_SIGNALS, time));
    const Group *g = r->groups[group];
    uint8_t *at;
    RI_TRY(begin_message(r, group, nanoseconds(time), g->size, &at));
    memcpy(at, cdr_little_endian, MCAP_CDR_HEAD);
    for (int i = 0; i < g->count; i++)
        ri_store_f64(at + MCAP_CDR_HEAD + 8 * (size_t)i, values[i]);
    return RI_OK;
}

/// geometry_msgs/Transform: translation x y z, rotation x y z w.
static void store_pose(uint8_t *at, const RiPose *pose)
{
    const RiQuat q = ri_quat_from_mat3(&pose->R);
    const double numbers[7] = {pose->p.x, pose->p.y, pose->p.z, q.x, q.y, q.z, q.w};
    for (size_t i = 0; i < 7; i++)
        ri_store_f64(at + 8 * i, numbers[i]);
}

RiStatus ri_record_frames(RiRecord *r, int group, double time, const RiPose *poses)
{
    RI_TRY(check_call(r, group, GROUP_FRAMES, time));
    const Group *g = r->groups[group];
    const uint64_t ns = nanoseconds(time);
    uint8_t *at;
    RI_TRY(begin_message(r, group, ns, g->size, &at));
    memcpy(at, g->message, g->size);
    for (int i = 0; i < g->count; i++) {
        ri_store_u32(at + g->places[i].stamp, (uint32_t)(ns / 1000000000u));
        ri_store_u32(at + g->places[i].stamp + 4, (uint32_t)(ns % 1000000000u));
        store_pose(at + g->places[i].numbers, &poses[i]);
    }
    return RI_OK;
}

RiStatus ri_record_event(RiRecord *r, int group, double time, const char *text)
{
    enum { LONGEST = 16 << 20 };
    RI_TRY(check_call(r, group, GROUP_EVENTS, time));
    const size_t n = strlen(text) + 1; // CDR strings count their final zero
    if (n > LONGEST)
        return ri_error(r->ctx, RI_ERR_LIMIT, "%s: %s: an event of %zu bytes is longer than the %d allowed",
                        r->sink.path, r->groups[group]->topic, n, LONGEST);
    uint8_t *at;
    RI_TRY(begin_message(r, group, nanoseconds(time), MCAP_CDR_HEAD + 4 + n, &at));
    memcpy(at, cdr_little_endian, MCAP_CDR_HEAD);
    ri_store_u32(at + MCAP_CDR_HEAD, (uint32_t)n);
    memcpy(at + MCAP_CDR_HEAD + 4, text, n);
    return RI_OK;
}

RiStatus ri_record_numbers(RiRecord *r, int group, double time, int count, const float *numbers)
{
    enum { MOST = 4 << 20 };
    RI_TRY(check_call(r, group, GROUP_NUMBERS, time));
    if (count < 0 || count > MOST)
        return ri_error(r->ctx, RI_ERR_LIMIT, "%s: %s: a list of %d numbers, 0 to %d are allowed", r->sink.path,
                        r->groups[group]->topic, count, MOST);
    uint8_t *at;
    RI_TRY(begin_message(r, group, nanoseconds(time), MCAP_CDR_HEAD + 4 + 4 * (size_t)count, &at));
    memcpy(at, cdr_little_endian, MCAP_CDR_HEAD);
    ri_store_u32(at + MCAP_CDR_HEAD, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        ri_store_u32(at + MCAP_CDR_HEAD + 4 + 4 * (size_t)i, bits);
    }
    return RI_OK;
}

RiStatus ri_record_message(RiRecord *r, int group, double time, const void *data, size_t size)
{
    enum { LONGEST = 64 << 20 };
    RI_TRY(check_call(r, group, GROUP_MESSAGES, time));
    if (size < MCAP_CDR_HEAD || size > LONGEST)
        return ri_error(r->ctx, RI_ERR_LIMIT, "%s: %s: a message of %zu bytes, %d to %d are allowed", r->sink.path,
                        r->groups[group]->topic, size, MCAP_CDR_HEAD, LONGEST);
    uint8_t *at;
    RI_TRY(begin_message(r, group, nanoseconds(time), size, &at));
    memcpy(at, data, size);
    return RI_OK;
}

// --- attachments ---------------------------------------------------------------------------------

/// Everything of the attachment before its data.
static void put_attachment_head(RiRecord *r, RiBytes *b, const char *name, const char *media_type, size_t size)
{
    const size_t begin = ri_put_begin(b, MCAP_ATTACHMENT);
    ri_put_u64(b, r->end);
    ri_put_u64(b, r->end);
    ri_put_string(b, name);
    ri_put_string(b, media_type);
    ri_put_u64(b, size);
    if (!b->failed)
        ri_store_u64(b->at + begin - 8, b->size - begin + size + 4);
}

static void put_attachment_index(RiRecord *r, uint64_t length, const char *name, const char *media_type, size_t size)
{
    RiBytes *b = &r->attachment_index;
    const size_t begin = ri_put_begin(b, MCAP_ATTACHMENT_INDEX);
    ri_put_u64(b, r->sink.size);
    ri_put_u64(b, length);
    ri_put_u64(b, r->end);
    ri_put_u64(b, r->end);
    ri_put_u64(b, size);
    ri_put_string(b, name);
    ri_put_string(b, media_type);
    ri_put_end(b, begin);
}

RiStatus ri_record_attach(RiRecord *r, const char *name, const char *media_type, const void *data, size_t size)
{
    if (r->closed)
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "record: the record is closed");
    RiBytes b; // head, data and checksum together: a failed write leaves nothing of them
    ri_bytes_init(&b, r->ctx);
    put_attachment_head(r, &b, name, media_type, size);
    ri_put_data(&b, data, size);
    if (!b.failed)
        ri_put_u32(&b, ri_crc_add(&r->crc, 0, b.at + MCAP_RECORD_HEAD, b.size - MCAP_RECORD_HEAD));
    const size_t index_before = r->attachment_index.size;
    put_attachment_index(r, b.size, name, media_type, size);
    RiStatus status = RI_OK;
    if (b.failed || r->attachment_index.failed)
        status = ri_error_memory(r->ctx);
    else
        status = ri_record_write_data(r, b.at, b.size);
    if (status == RI_OK)
        r->attachment_count++;
    else
        r->attachment_index.size = index_before;
    r->attachment_index.failed = false;
    ri_bytes_free(&b);
    return status;
}
