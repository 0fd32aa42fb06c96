// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading signals from a log. Only chunks that overlap the asked time and, by the index, contain
/// the asked channels are read. Inside a chunk the messages are walked: the message indexes of the
/// file have no checksum, the chunk has one.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <errno.h>
#include <limits.h>
#include <lz4frame.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/record/log_work.h"

RiStatus ri_log_grow(RiContext *ctx, void **list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return RI_OK;
    const size_t bigger = *room ? 2 * *room : 64;
    void *grown = ri_resize(ctx, *list, bigger, size);
    if (!grown)
        return ri_error_memory(ctx);
    *list = grown;
    *room = bigger;
    return RI_OK;
}

RiStatus ri_log_damage(const RiLog *log, uint64_t offset, const char *what)
{
    return ri_error(log->ctx, RI_ERR_FORMAT, "%s: byte %llu: %s", log->path, (unsigned long long)offset, what);
}

RiStatus ri_log_bytes(RiLog *log, uint64_t offset, size_t size, void *out)
{
    char text[128];
    if (offset > log->source.size || size > log->source.size - offset)
        return ri_log_damage(log, offset, "the file ends here");
    if (log->source.memory) {
        if (size > 0)
            memcpy(out, log->source.memory + offset, size);
        return RI_OK;
    }
    for (size_t done = 0; done < size;) {
        const ssize_t n = pread(log->source.file, (char *)out + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ri_error(log->ctx, RI_ERR_IO, "%s: byte %llu: cannot read the file: %s", log->path,
                            (unsigned long long)offset, strerror_r(errno, text, sizeof text));
        if (n == 0)
            return ri_log_damage(log, offset + done, "the file became shorter");
        done += (size_t)n;
    }
    return RI_OK;
}

bool ri_log_next(RiCursor *c, unsigned *out_opcode, RiCursor *out_content)
{
    if (c->bad || ri_left(c) == 0)
        return false;
    *out_opcode = (unsigned)ri_get(c, 1);
    const uint64_t length = ri_get(c, 8);
    const uint8_t *at = ri_get_data(c, length);
    *out_content = ri_cursor(at, at ? (size_t)length : 0);
    return at != NULL;
}

// --- chunks --------------------------------------------------------------------------------------

/// The head of a chunk record.
typedef struct ChunkHead {
    uint64_t raw_size, size;
    uint32_t crc;
    const char *compression;
    size_t compression_size;
    const uint8_t *data;
} ChunkHead;

static bool is_compression(const ChunkHead *h, const char *name)
{
    return h->compression_size == strlen(name) && memcmp(h->compression, name, h->compression_size) == 0;
}

/// Checks everything that can be known before memory is taken for the records.
static RiStatus read_chunk_head(RiLog *log, const LogChunk *chunk, RiCursor c, ChunkHead *out)
{
    const uint64_t opcode = ri_get(&c, 1), length = ri_get(&c, 8);
    ri_get_data(&c, 16); // times: the index or the messages tell them
    ChunkHead h = {.raw_size = ri_get(&c, 8), .crc = (uint32_t)ri_get(&c, 4)};
    h.compression = ri_get_string(&c, &h.compression_size);
    h.size = ri_get(&c, 8);
    h.data = ri_get_data(&c, h.size);
    if (c.bad || opcode != MCAP_CHUNK || length != chunk->length - MCAP_RECORD_HEAD || ri_left(&c) > 0)
        return ri_log_damage(log, chunk->offset, "a chunk's lengths do not fit together");
    if (h.raw_size > log->chunk_limit)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: byte %llu: a chunk of %llu bytes, at most %zu are allowed",
                        log->path, (unsigned long long)chunk->offset, (unsigned long long)h.raw_size, log->chunk_limit);
    if (is_compression(&h, "bz2"))
        return ri_error(log->ctx, RI_ERR_UNSUPPORTED, "%s: byte %llu: compression 'bz2'; zstd, lz4 or none is read",
                        log->path, (unsigned long long)chunk->offset);
    if (!is_compression(&h, "zstd") && !is_compression(&h, "lz4") && !is_compression(&h, ""))
        return ri_log_damage(log, chunk->offset, "a chunk with an unknown compression");
    if (is_compression(&h, "") && h.size != h.raw_size)
        return ri_log_damage(log, chunk->offset, "a chunk's lengths do not fit together");
    *out = h;
    return RI_OK;
}

/// An LZ4 frame that gives exactly the stated bytes.
static bool unpack_lz4(const ChunkHead *h, uint8_t *out)
{
    LZ4F_dctx *d = NULL;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&d, LZ4F_VERSION)))
        return false;
    size_t used = 0, done = 0, left = 1;
    while (left != 0 && !LZ4F_isError(left)) {
        size_t room = (size_t)h->raw_size - done, rest = (size_t)h->size - used;
        left = LZ4F_decompress(d, out + done, &room, h->data + used, &rest, NULL);
        if (room == 0 && rest == 0)
            break;
        done += room;
        used += rest;
    }
    LZ4F_freeDecompressionContext(d);
    return left == 0 && done == h->raw_size && used == h->size;
}

static RiStatus unpack(RiLog *log, const LogChunk *chunk, const ChunkHead *h)
{
    const bool zstd = is_compression(h, "zstd"), lz4 = is_compression(h, "lz4");
    const unsigned long long stated = zstd ? ZSTD_getFrameContentSize(h->data, (size_t)h->size) : h->raw_size;
    if (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != h->raw_size)
        return ri_log_damage(log, chunk->offset, "the compressed data of a chunk are damaged");
    log->raw.size = 0;
    if (!ri_bytes_reserve(&log->raw, (size_t)h->raw_size)) {
        log->raw.failed = false;
        return ri_error_memory(log->ctx);
    }
    if (zstd) {
        const size_t n = ZSTD_decompressDCtx(log->zstd, log->raw.at, (size_t)h->raw_size, h->data, (size_t)h->size);
        if (ZSTD_isError(n) || n != h->raw_size)
            return ri_log_damage(log, chunk->offset, "the compressed data of a chunk are damaged");
    } else if (lz4) {
        if (!unpack_lz4(h, log->raw.at))
            return ri_log_damage(log, chunk->offset, "the compressed data of a chunk are damaged");
    } else if (h->size > 0) {
        memcpy(log->raw.at, h->data, (size_t)h->size);
    }
    log->raw.size = (size_t)h->raw_size;
    if (h->crc != 0 && h->crc != ri_crc_add(&log->crc, 0, log->raw.at, log->raw.size))
        return ri_log_damage(log, chunk->offset, "a chunk does not match its checksum");
    return RI_OK;
}

static RiStatus load(RiLog *log, const LogChunk *chunk)
{
    if (chunk->length == 0)
        return ri_log_damage(log, chunk->offset, "a damaged message index, or one without its chunk");
    if (chunk->length > 2 * (uint64_t)log->chunk_limit)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: byte %llu: a record of %llu bytes", log->path,
                        (unsigned long long)chunk->offset, (unsigned long long)chunk->length);
    RiBytes *b = chunk->loose ? &log->raw : &log->packed;
    b->size = 0;
    if (!ri_bytes_reserve(b, (size_t)chunk->length)) {
        b->failed = false;
        return ri_error_memory(log->ctx);
    }
    RI_TRY(ri_log_bytes(log, chunk->offset, (size_t)chunk->length, b->at));
    b->size = (size_t)chunk->length;
    if (chunk->loose)
        return RI_OK;
    ChunkHead h = {0};
    RI_TRY(read_chunk_head(log, chunk, ri_cursor(b->at, b->size), &h));
    return unpack(log, chunk, &h);
}

/// Exchanges the loaded chunk for one of the cache.
static void swap_cached(RiLog *log, LogCached *cached)
{
    const LogCached now = {log->raw, log->loaded};
    log->raw = cached->raw;
    log->loaded = cached->loaded;
    *cached = now;
}

RiStatus ri_log_load(RiLog *log, size_t chunk)
{
    if (log->loaded == chunk + 1)
        return RI_OK;
    for (int i = 0; i < LOG_CACHE; i++)
        if (log->cache[i].loaded == chunk + 1) {
            swap_cached(log, &log->cache[i]);
            return RI_OK;
        }
    if (log->loaded && log->raw.capacity <= LOG_CACHED_SIZE) {
        swap_cached(log, &log->cache[log->cache_next]);
        log->cache_next = (log->cache_next + 1) % LOG_CACHE;
    }
    log->loaded = 0;
    RI_TRY(load(log, &log->chunks[chunk]));
    log->loaded = chunk + 1;
    return RI_OK;
}

// --- messages ------------------------------------------------------------------------------------

/// What a pass over the file looks for.
typedef struct Pass {
    double from, to;
    int *first, *next; ///< chains of series: first by channel, next by series; -1: none
    const int *signals;
    RiLogSeries *series;
} Pass;

static RiStatus append(RiLog *log, RiLogSeries *s, double time, double value)
{
    RI_TRY(ri_log_grow(log->ctx, (void **)&s->times, s->count, &s->room_times, sizeof *s->times));
    RI_TRY(ri_log_grow(log->ctx, (void **)&s->values, s->count, &s->room_values, sizeof *s->values));
    if (s->count == INT_MAX)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: a signal has more than %d samples", log->path, INT_MAX);
    s->times[s->count] = time;
    s->values[s->count++] = value;
    return RI_OK;
}

static double load_f64(const uint8_t *at, bool big_endian)
{
    uint64_t bits = 0;
    double x;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)at[i] << (8 * (big_endian ? 7 - i : i));
    memcpy(&x, &bits, sizeof x);
    return x;
}

static RiStatus take_message(RiLog *log, const Pass *pass, const LogChunk *chunk, RiCursor c)
{
    const int channel = ri_log_lookup(&log->channel_ids, (size_t)ri_get(&c, 2));
    ri_get_data(&c, 4);
    const double time = ri_log_seconds(ri_get(&c, 8));
    ri_get_data(&c, 8);
    if (c.bad)
        return ri_log_damage(log, chunk->offset, "a message is cut short");
    if (channel < 0 || pass->first[channel] < 0 || !(time >= pass->from && time <= pass->to))
        return RI_OK;
    const size_t size = ri_left(&c);
    const uint8_t *data = c.at;
    if (size < MCAP_CDR_HEAD + 8 * (size_t)log->channels[channel].field_count || data[0] != 0 || data[1] > 1)
        return ri_log_damage(log, chunk->offset, "a message does not fit its schema");
    for (int i = pass->first[channel]; i >= 0; i = pass->next[i]) {
        const size_t at = MCAP_CDR_HEAD + 8 * (size_t)log->signals[pass->signals[i]].field;
        RI_TRY(append(log, &pass->series[i], time, load_f64(data + at, data[1] == 0)));
    }
    return RI_OK;
}

static bool is_wanted(const RiLog *log, const Pass *pass, const LogChunk *chunk)
{
    if (chunk->bad)
        return true; // what is in it is not known: loading it tells what is wrong
    if (!(ri_log_seconds(chunk->end) >= pass->from && ri_log_seconds(chunk->start) <= pass->to))
        return false;
    if (chunk->channel_count < 0)
        return true;
    for (int i = 0; i < chunk->channel_count; i++) {
        const int channel = ri_log_lookup(&log->channel_ids, log->pool[chunk->first_channel + (size_t)i]);
        if (channel >= 0 && pass->first[channel] >= 0)
            return true;
    }
    return false;
}

bool ri_log_chunk_has(const RiLog *log, const LogChunk *chunk, int channel)
{
    for (int i = 0; i < chunk->channel_count; i++)
        if (ri_log_lookup(&log->channel_ids, log->pool[chunk->first_channel + (size_t)i]) == channel)
            return true;
    return chunk->channel_count < 0;
}

static RiStatus take_chunks(RiLog *log, const Pass *pass)
{
    for (size_t i = 0; i < log->chunk_count; i++) {
        const LogChunk *chunk = &log->chunks[i];
        if (!is_wanted(log, pass, chunk))
            continue;
        RI_TRY(ri_log_load(log, i));
        RiCursor c = ri_cursor(log->raw.at, log->raw.size), content;
        for (unsigned opcode; ri_log_next(&c, &opcode, &content);)
            if (opcode == MCAP_MESSAGE)
                RI_TRY(take_message(log, pass, chunk, content));
        if (c.bad)
            return ri_log_damage(log, chunk->offset, "the records of a chunk are cut short");
    }
    return RI_OK;
}

// --- order ---------------------------------------------------------------------------------------

typedef struct Sample {
    double time, value;
    size_t place;
} Sample;

static int compare_samples(const void *a, const void *b)
{
    const Sample *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/// Puts a series in the order of time; samples of equal time keep the order of the file.
static RiStatus sort_series(RiLog *log, RiLogSeries *s)
{
    bool sorted = true;
    for (size_t i = 1; i < s->count; i++)
        sorted &= s->times[i] >= s->times[i - 1];
    if (sorted)
        return RI_OK;
    Sample *samples = ri_alloc(log->ctx, s->count, sizeof *samples);
    if (!samples)
        return ri_error_memory(log->ctx);
    for (size_t i = 0; i < s->count; i++)
        samples[i] = (Sample){s->times[i], s->values[i], i};
    qsort(samples, s->count, sizeof *samples, compare_samples);
    for (size_t i = 0; i < s->count; i++) {
        s->times[i] = samples[i].time;
        s->values[i] = samples[i].value;
    }
    ri_release(log->ctx, samples);
    return RI_OK;
}

// --- verbs ---------------------------------------------------------------------------------------

void ri_log_free_series(RiLog *log, RiLogSeries *series, int count)
{
    for (int i = 0; i < count; i++) {
        ri_release(log->ctx, series[i].times);
        ri_release(log->ctx, series[i].values);
        series[i] = (RiLogSeries){0};
    }
}

/// Chains the series of each channel.
static void chain_series(const RiLog *log, Pass *pass, int count)
{
    for (size_t i = 0; i < log->channel_count; i++)
        pass->first[i] = -1;
    for (int i = count - 1; i >= 0; i--) {
        int *first = &pass->first[log->signals[pass->signals[i]].channel];
        pass->next[i] = *first;
        *first = i;
    }
}

RiStatus ri_log_read_many(RiLog *log, const int *signals, int count, double from, double to, RiLogSeries *out)
{
    for (int i = 0; i < count; i++)
        out[i] = (RiLogSeries){0};
    for (int i = 0; i < count; i++)
        if (signals[i] < 0 || (size_t)signals[i] >= log->signal_count)
            return ri_error(log->ctx, RI_ERR_ARGUMENT, "%s: there is no signal %d", log->path, signals[i]);
    if (isnan(from) || isnan(to))
        return ri_error(log->ctx, RI_ERR_ARGUMENT, "%s: times from %g to %g", log->path, from, to);
    int *chains = ri_alloc(log->ctx, log->channel_count + (size_t)count, sizeof *chains);
    if (!chains)
        return ri_error_memory(log->ctx);
    Pass pass = {from, to, chains, chains + log->channel_count, signals, out};
    chain_series(log, &pass, count);
    RiStatus status = take_chunks(log, &pass);
    for (int i = 0; i < count && status == RI_OK; i++)
        status = sort_series(log, &out[i]);
    ri_release(log->ctx, chains);
    if (status != RI_OK)
        ri_log_free_series(log, out, count);
    return status;
}

RiStatus ri_log_read(RiLog *log, int signal, double from, double to, double **out_times, double **out_values,
                     int *out_count)
{
    RiLogSeries s;
    const RiStatus status = ri_log_read_many(log, &signal, 1, from, to, &s);
    *out_times = s.times;
    *out_values = s.values;
    *out_count = (int)s.count;
    return status;
}

void ri_log_release(RiLog *log, void *block)
{
    ri_release(log->ctx, block);
}

int ri_log_signal_count(const RiLog *log)
{
    return (int)log->signal_count;
}

const char *ri_log_signal_name(const RiLog *log, int signal)
{
    return signal >= 0 && (size_t)signal < log->signal_count ? log->signals[signal].name : NULL;
}

const char *ri_log_signal_unit(const RiLog *log, int signal)
{
    return signal >= 0 && (size_t)signal < log->signal_count ? log->signals[signal].unit : NULL;
}

int ri_log_find_signal(const RiLog *log, const char *name)
{
    return ri_names_find(&log->names, name);
}

double ri_log_start(const RiLog *log)
{
    return ri_log_seconds(log->start);
}

double ri_log_end(const RiLog *log)
{
    return ri_log_seconds(log->end);
}

bool ri_log_is_complete(const RiLog *log)
{
    return log->complete;
}

const char *ri_log_other_channel(const RiLog *log, int index)
{
    for (size_t i = 0; i < log->channel_count; i++)
        if (log->channels[i].field_count == 0 && index-- == 0)
            return log->channels[i].topic;
    return NULL;
}
