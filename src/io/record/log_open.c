// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a log contains: by its summary if that is whole, else by a scan from the front.
///
/// The scan looks into every chunk. Chunks that are damaged stay in the list, so that reading over
/// them fails instead of skipping data; at the end of the file they are what a killed run left, and
/// are dropped.
#define ZSTD_STATIC_LINKING_ONLY // for a decompressor that takes its memory from the context
#include <zstd.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/record/log_work.h"

enum { SUMMARY_LIMIT = 256 << 20, DEFINITION_LIMIT = 64 << 20, LOOSE_SIZE = 1 << 20 };

// --- chunks --------------------------------------------------------------------------------------

static RiStatus add_chunk(RiLog *log, const LogChunk *chunk)
{
    RI_TRY(ri_log_grow(log->ctx, (void **)&log->chunks, log->chunk_count, &log->chunk_room, sizeof *log->chunks));
    log->chunks[log->chunk_count++] = *chunk;
    return RI_OK;
}

static void widen(LogChunk *chunk, uint64_t time)
{
    chunk->start = time < chunk->start ? time : chunk->start;
    chunk->end = time > chunk->end ? time : chunk->end;
}

static bool has_messages(const LogChunk *chunk)
{
    return !chunk->bad && !chunk->timeless && chunk->channel_count != 0 && chunk->start <= chunk->end;
}

static void find_time_range(RiLog *log)
{
    bool any = false;
    log->start = log->end = 0;
    for (size_t i = 0; i < log->chunk_count; i++) {
        const LogChunk *c = &log->chunks[i];
        if (!has_messages(c))
            continue;
        log->start = !any || c->start < log->start ? c->start : log->start;
        log->end = !any || c->end > log->end ? c->end : log->end;
        any = true;
    }
}

// --- by the summary ------------------------------------------------------------------------------

typedef struct Summary {
    uint64_t start, size;
    bool has_footer, has_statistics;
    uint64_t messages, chunks;
} Summary;

static RiStatus read_chunk_index(RiLog *log, const Summary *s, RiCursor c)
{
    LogChunk chunk = {.start = ri_get(&c, 8), .end = ri_get(&c, 8)};
    chunk.offset = ri_get(&c, 8);
    chunk.length = ri_get(&c, 8);
    const uint64_t map_size = ri_get(&c, 4);
    const uint8_t *map = ri_get_data(&c, map_size);
    const bool indexed = ri_get(&c, 8) > 0; // without message indexes the map says nothing
    if (c.bad || chunk.offset < MCAP_MAGIC_SIZE || chunk.length > s->start || chunk.offset > s->start - chunk.length)
        return ri_log_damage(log, s->start, "a chunk index points outside of the data");
    chunk.channel_count = indexed ? (int)(map_size / 10) : -1;
    chunk.timeless = !indexed && chunk.start == 0 && chunk.end == 0;
    chunk.first_channel = log->pool_count;
    RiCursor entries = ri_cursor(map, (size_t)map_size);
    for (int i = 0; i < chunk.channel_count; i++) {
        RI_TRY(ri_log_grow(log->ctx, (void **)&log->pool, log->pool_count, &log->pool_room, sizeof *log->pool));
        log->pool[log->pool_count++] = (uint16_t)ri_get(&entries, 2);
        ri_get_data(&entries, 8);
    }
    return add_chunk(log, &chunk);
}

static RiStatus read_attachment_index(RiLog *log, const Summary *s, RiCursor c)
{
    size_t name_size;
    const uint64_t offset = ri_get(&c, 8), length = ri_get(&c, 8);
    ri_get_data(&c, 8 + 8 + 8);
    const char *name = ri_get_string(&c, &name_size);
    if (c.bad || length > s->start || offset > s->start - length)
        return ri_log_damage(log, s->start, "an attachment index points outside of the data");
    return ri_log_add_attachment(log, offset, length, name, name_size);
}

static RiStatus read_summary_record(RiLog *log, Summary *s, unsigned opcode, RiCursor content)
{
    switch (opcode) {
    case MCAP_SCHEMA:
        return ri_log_define_schema(log, s->start, content);
    case MCAP_CHANNEL:
        return ri_log_define_channel(log, s->start, content);
    case MCAP_CHUNK_INDEX:
        return read_chunk_index(log, s, content);
    case MCAP_ATTACHMENT_INDEX:
        return read_attachment_index(log, s, content);
    case MCAP_STATISTICS:
        s->has_statistics = true;
        s->messages = ri_get(&content, 8);
        ri_get_data(&content, 2 + 4 + 4 + 4);
        s->chunks = ri_get(&content, 4);
        return RI_OK;
    default:
        return RI_OK;
    }
}

static int compare_offsets(const void *a, const void *b)
{
    const LogChunk *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/// Chunks in the order of the file; false if two overlap, or the statistics speak of others.
static bool check_chunks(RiLog *log, const Summary *s)
{
    if (log->chunk_count > 1)
        qsort(log->chunks, log->chunk_count, sizeof *log->chunks, compare_offsets);
    for (size_t i = 1; i < log->chunk_count; i++)
        if (log->chunks[i].offset < log->chunks[i - 1].offset + log->chunks[i - 1].length)
            return false;
    if (s->has_statistics)
        return s->chunks == log->chunk_count && (s->chunks > 0 || s->messages == 0);
    return log->chunk_count > 0;
}

/// The summary's place, from the footer.
static RiStatus find_summary(RiLog *log, Summary *s, bool *out_found)
{
    enum { TAIL = MCAP_RECORD_HEAD + MCAP_FOOTER_SIZE + MCAP_MAGIC_SIZE };
    uint8_t tail[TAIL];
    const uint64_t size = log->source.size;
    *out_found = false;
    if (size < MCAP_MAGIC_SIZE + TAIL)
        return RI_OK;
    RI_TRY(ri_log_bytes(log, size - TAIL, TAIL, tail));
    RiCursor c = ri_cursor(tail, TAIL);
    const uint64_t opcode = ri_get(&c, 1), length = ri_get(&c, 8);
    s->start = ri_get(&c, 8);
    if (opcode != MCAP_FOOTER || length != MCAP_FOOTER_SIZE || memcmp(tail + TAIL - 8, ri_mcap_magic, 8) != 0)
        return RI_OK;
    s->has_footer = true;
    *out_found = s->start >= MCAP_MAGIC_SIZE && s->start <= size - TAIL && size - s->start <= SUMMARY_LIMIT;
    s->size = *out_found ? size - MCAP_MAGIC_SIZE - s->start : 0; // with the footer
    return RI_OK;
}

/// Reads the summary. RI_ERR_FORMAT means that a scan is needed.
static RiStatus learn_by_summary(RiLog *log)
{
    Summary s = {0};
    bool found;
    RI_TRY(find_summary(log, &s, &found));
    if (!found)
        return ri_log_damage(log, log->source.size, "there is no index at the end");
    RiBytes *b = &log->packed;
    b->size = 0;
    if (!ri_bytes_reserve(b, (size_t)s.size))
        return ri_error_memory(log->ctx);
    RI_TRY(ri_log_bytes(log, s.start, (size_t)s.size, b->at));
    RiCursor stored = ri_cursor(b->at + s.size - 4, 4);
    const uint32_t crc = (uint32_t)ri_get(&stored, 4);
    if (crc != 0 && crc != ri_crc_add(&log->crc, 0, b->at, (size_t)s.size - 4))
        return ri_log_damage(log, s.start, "the index does not match its checksum");
    RiCursor c = ri_cursor(b->at, (size_t)s.size - MCAP_RECORD_HEAD - MCAP_FOOTER_SIZE), content;
    for (unsigned opcode; ri_log_next(&c, &opcode, &content);)
        RI_TRY(read_summary_record(log, &s, opcode, content));
    if (c.bad || !check_chunks(log, &s))
        return ri_log_damage(log, s.start, "the index contradicts itself");
    return RI_OK;
}

// --- by a scan -----------------------------------------------------------------------------------

typedef struct Scan {
    uint64_t at;
    bool after_chunk; ///< message indexes may follow
    bool ended;       ///< met the end of the data section
} Scan;

/// Failures that say something about the file's content, not about the machine.
static bool is_damage(RiStatus status)
{
    return status == RI_ERR_FORMAT || status == RI_ERR_LIMIT || status == RI_ERR_UNSUPPORTED;
}

/// Definitions and times of the chunk in log->raw.
static RiStatus learn_from_records(RiLog *log, LogChunk *chunk)
{
    RiCursor c = ri_cursor(log->raw.at, log->raw.size), content;
    for (unsigned opcode; ri_log_next(&c, &opcode, &content);) {
        if (opcode == MCAP_SCHEMA)
            RI_TRY(ri_log_define_schema(log, chunk->offset, content));
        if (opcode == MCAP_CHANNEL)
            RI_TRY(ri_log_define_channel(log, chunk->offset, content));
        if (opcode == MCAP_MESSAGE) {
            ri_get_data(&content, 2 + 4);
            widen(chunk, ri_get(&content, 8));
        }
    }
    return c.bad ? ri_log_damage(log, chunk->offset, "the records of a chunk are cut short") : RI_OK;
}

static RiStatus scan_chunk(RiLog *log, uint64_t offset, uint64_t length)
{
    const LogChunk chunk = {.start = UINT64_MAX, .offset = offset, .length = length, .channel_count = -1};
    RI_TRY(add_chunk(log, &chunk));
    LogChunk *last = &log->chunks[log->chunk_count - 1];
    RiStatus status = ri_log_load(log, log->chunk_count - 1);
    if (status == RI_OK)
        status = learn_from_records(log, last);
    last->bad = is_damage(status);
    return last->bad ? RI_OK : status;
}

/// A message outside of chunks: neighbours are read together.
static RiStatus scan_message(RiLog *log, uint64_t offset, uint64_t length)
{
    uint8_t head[MCAP_MESSAGE_HEAD];
    if (length < MCAP_RECORD_HEAD + MCAP_MESSAGE_HEAD)
        return ri_log_damage(log, offset, "a message record is cut short");
    RI_TRY(ri_log_bytes(log, offset + MCAP_RECORD_HEAD, sizeof head, head));
    LogChunk *last = log->chunk_count > 0 ? &log->chunks[log->chunk_count - 1] : NULL;
    if (!last || !last->loose || last->offset + last->length != offset || last->length > LOOSE_SIZE) {
        const LogChunk chunk = {.start = UINT64_MAX, .offset = offset, .channel_count = -1, .loose = true};
        RI_TRY(add_chunk(log, &chunk));
        last = &log->chunks[log->chunk_count - 1];
    }
    RiCursor c = ri_cursor(head + 6, 8);
    widen(last, ri_get(&c, 8));
    last->length += length;
    return RI_OK;
}

static RiStatus scan_definition(RiLog *log, unsigned opcode, uint64_t offset, uint64_t length)
{
    RiBytes *b = &log->packed;
    if (length > DEFINITION_LIMIT)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: byte %llu: a schema or channel of %llu bytes", log->path,
                        (unsigned long long)offset, (unsigned long long)length);
    b->size = 0;
    if (!ri_bytes_reserve(b, (size_t)length))
        return ri_error_memory(log->ctx);
    RI_TRY(ri_log_bytes(log, offset, (size_t)length, b->at));
    const RiCursor content = ri_cursor(b->at + MCAP_RECORD_HEAD, (size_t)length - MCAP_RECORD_HEAD);
    return opcode == MCAP_SCHEMA ? ri_log_define_schema(log, offset, content)
                                 : ri_log_define_channel(log, offset, content);
}

/// A message index needs nothing but a look: one that stands alone or does not fit itself hides a
/// chunk that is not recognisable any more, and reads must not skip over that.
static RiStatus scan_message_index(RiLog *log, const Scan *scan, uint64_t length)
{
    uint8_t head[6] = {0};
    if (length >= MCAP_RECORD_HEAD + sizeof head)
        RI_TRY(ri_log_bytes(log, scan->at + MCAP_RECORD_HEAD, sizeof head, head));
    RiCursor c = ri_cursor(head + 2, 4);
    if (scan->after_chunk && ri_get(&c, 4) == length - MCAP_RECORD_HEAD - sizeof head)
        return RI_OK;
    const LogChunk lost = {.offset = scan->at, .channel_count = -1, .bad = true};
    return add_chunk(log, &lost);
}

static RiStatus scan_attachment(RiLog *log, uint64_t offset, uint64_t length)
{
    uint8_t head[MCAP_RECORD_HEAD + 8 + 8 + 4 + 1024] = {0};
    const size_t size = length < sizeof head ? (size_t)length : sizeof head;
    size_t name_size;
    RI_TRY(ri_log_bytes(log, offset, size, head));
    RiCursor c = ri_cursor(head, size);
    ri_get_data(&c, MCAP_RECORD_HEAD + 8 + 8);
    const char *name = ri_get_string(&c, &name_size);
    return c.bad ? RI_OK
                 : ri_log_add_attachment(log, offset, length, name, name_size); // a name beyond 1024 bytes is not ours
}

/// One record of the data section, `length` bytes with its head.
static RiStatus scan_record(RiLog *log, Scan *scan, unsigned opcode, uint64_t length)
{
    if (opcode == MCAP_MESSAGE_INDEX)
        return scan_message_index(log, scan, length);
    scan->after_chunk = opcode == MCAP_CHUNK;
    if (opcode == MCAP_CHUNK)
        return scan_chunk(log, scan->at, length);
    if (opcode == MCAP_MESSAGE)
        return scan_message(log, scan->at, length);
    if (opcode == MCAP_SCHEMA || opcode == MCAP_CHANNEL)
        return scan_definition(log, opcode, scan->at, length);
    if (opcode == MCAP_ATTACHMENT)
        return scan_attachment(log, scan->at, length);
    scan->ended = opcode == MCAP_DATA_END;
    return RI_OK;
}

/// Walks the file until the data ends, a record is cut, or what follows is no record.
static RiStatus learn_by_scan(RiLog *log)
{
    Scan scan = {.at = MCAP_MAGIC_SIZE};
    while (!scan.ended && log->source.size - scan.at >= MCAP_RECORD_HEAD) {
        uint8_t head[MCAP_RECORD_HEAD];
        RI_TRY(ri_log_bytes(log, scan.at, sizeof head, head));
        RiCursor c = ri_cursor(head + 1, 8);
        const uint64_t content = ri_get(&c, 8);
        if (head[0] == 0 || content > log->source.size - scan.at - MCAP_RECORD_HEAD)
            break;
        const RiStatus status = scan_record(log, &scan, head[0], MCAP_RECORD_HEAD + content);
        if (is_damage(status))
            break;
        RI_TRY(status);
        scan.at += MCAP_RECORD_HEAD + content;
    }
    log->complete = scan.ended;
    for (size_t i = 0; i < log->chunk_count; i++)
        log->complete &= !log->chunks[i].bad;
    while (log->chunk_count > 0 && log->chunks[log->chunk_count - 1].bad)
        log->chunk_count--;
    return RI_OK;
}

static void forget(RiLog *log)
{
    ri_release(log->ctx, log->schema_ids.index);
    ri_release(log->ctx, log->channel_ids.index);
    log->schema_ids = log->channel_ids = (LogIds){0};
    log->schema_count = log->channel_count = log->signal_count = log->chunk_count = log->pool_count = 0;
    log->field_total = log->attachment_count = 0;
    log->group_count = 0;
    ri_arena_free(&log->arena);
}

/// A file without summary is whole if its footer says that there is none.
static RiStatus lacks_summary(RiLog *log, bool *out_lacks)
{
    Summary s = {0};
    bool found;
    RI_TRY(find_summary(log, &s, &found));
    *out_lacks = s.has_footer && s.start == 0;
    return RI_OK;
}

RiStatus ri_log_learn(RiLog *log)
{
    log->complete = true;
    RiStatus status = learn_by_summary(log);
    if (is_damage(status)) {
        bool plain;
        forget(log);
        RI_TRY(lacks_summary(log, &plain));
        status = learn_by_scan(log);
        log->complete &= plain;
    }
    RI_TRY(status);
    find_time_range(log);
    for (size_t i = 0; i < log->signal_count; i++) {
        int existing; // of two signals with one name, the first is found by it
        RI_TRY(ri_names_add(&log->names, log->signals[i].name, (int)i, &existing));
    }
    return RI_OK;
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

static RiStatus create_log(RiContext *ctx, const char *path, size_t chunk_limit, RiLog **out)
{
    RiLog *log = ri_alloc_zero(ctx, 1, sizeof *log);
    if (!log)
        return ri_error_memory(ctx);
    *out = log;
    log->ctx = ctx;
    log->source.file = -1;
    log->chunk_limit = chunk_limit;
    ri_arena_init(&log->arena, ctx);
    ri_names_init(&log->names, ctx);
    ri_bytes_init(&log->packed, ctx);
    ri_bytes_init(&log->raw, ctx);
    for (int i = 0; i < LOG_CACHE; i++)
        ri_bytes_init(&log->cache[i].raw, ctx);
    ri_crc_init(&log->crc);
    const ZSTD_customMem memory = {zstd_alloc, zstd_release, ctx};
    log->zstd = ZSTD_createDCtx_advanced(memory);
    log->path = ri_alloc(ctx, strlen(path) + 1, 1);
    if (!log->zstd || !log->path)
        return ri_error_memory(ctx);
    strcpy(log->path, path);
    return RI_OK;
}

void ri_log_close(RiLog *log)
{
    if (!log)
        return;
    if (log->source.file >= 0)
        close(log->source.file);
    ZSTD_freeDCtx(log->zstd);
    void *const blocks[] = {log->schema_ids.index,
                            log->channel_ids.index,
                            log->path,
                            log->schemas,
                            log->channels,
                            log->signals,
                            log->chunks,
                            log->pool,
                            log->attachments,
                            log->groups};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        ri_release(log->ctx, blocks[i]);
    ri_names_free(&log->names);
    ri_bytes_free(&log->packed);
    ri_bytes_free(&log->raw);
    for (int i = 0; i < LOG_CACHE; i++)
        ri_bytes_free(&log->cache[i].raw);
    ri_arena_free(&log->arena);
    ri_release(log->ctx, log);
}

static RiStatus check_magic(RiLog *log)
{
    uint8_t magic[MCAP_MAGIC_SIZE] = {0};
    if (log->source.size >= MCAP_MAGIC_SIZE)
        RI_TRY(ri_log_bytes(log, 0, sizeof magic, magic));
    if (memcmp(magic, ri_mcap_magic, sizeof magic) != 0)
        return ri_log_damage(log, 0, "not an MCAP file (version 0)");
    return RI_OK;
}

/// Ends an opening: the log, or NULL and the reason.
static RiStatus finish(RiLog *log, RiStatus status, RiLog **out_log)
{
    if (status == RI_OK)
        status = check_magic(log);
    if (status == RI_OK)
        status = ri_log_learn(log);
    if (status != RI_OK)
        ri_log_close(log);
    *out_log = status == RI_OK ? log : NULL;
    return status;
}

RiStatus ri_log_open_memory(RiContext *ctx, const char *name, const void *data, size_t size, size_t chunk_limit,
                            RiLog **out_log)
{
    RiLog *log = NULL;
    const RiStatus status = create_log(ctx, name, chunk_limit, &log);
    if (log)
        log->source = (LogSource){.memory = data, .file = -1, .size = size};
    return finish(log, status, out_log);
}

static RiStatus open_file(RiLog *log)
{
    struct stat info;
    char text[128];
    log->source.file = open(log->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (log->source.file < 0 || fstat(log->source.file, &info) != 0) {
        const RiStatus status = errno == ENOENT || errno == ENOTDIR ? RI_ERR_NOT_FOUND : RI_ERR_IO;
        return ri_error(log->ctx, status, "%s: cannot open the file: %s", log->path,
                        strerror_r(errno, text, sizeof text));
    }
    if (!S_ISREG(info.st_mode))
        return ri_error(log->ctx, RI_ERR_IO, "%s: a log is a regular file, this is not", log->path);
    log->source.size = (uint64_t)info.st_size;
    return RI_OK;
}

RiStatus ri_log_open(RiContext *ctx, const char *path, RiLog **out_log)
{
    RiLog *log = NULL;
    RiStatus status = create_log(ctx, path, RI_CHUNK_LIMIT, &log);
    if (status == RI_OK)
        status = open_file(log);
    return finish(log, status, out_log);
}
