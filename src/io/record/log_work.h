// SPDX-License-Identifier: Apache-2.0
/// \file
/// The log reader's inside.
///
///     file --open--> schemas, channels -> signals; chunks (place, times, channels) --load--> raw --walk--> series
///
/// A chunk is trusted only after its checksum agrees. Lengths in the file are compared with what is
/// there before memory is taken for them, and chunks that overlap are refused, so that a small file
/// cannot ask for unbounded work.
#ifndef RI_IO_LOG_WORK_H
#define RI_IO_LOG_WORK_H

#include <rille/record.h>

#include "base/memory.h"
#include "base/names.h"
#include "io/record/crc.h"
#include "io/record/mcap.h"

enum { LOG_SIGNALS = 1000000 };

/// Where the bytes come from: a file, or memory of the caller.
typedef struct LogSource {
    const uint8_t *memory;
    int file;
    uint64_t size;
} LogSource;

typedef struct LogSchema {
    const char *name;
    int field_count; ///< -1: not made of float64 fields alone
    char **fields, **units;
} LogSchema;

typedef struct LogChannel {
    const char *topic, *schema_name;
    int first_signal, field_count; ///< field_count 0: holds no signals
    bool poses, events, numbers;   ///< TFMessage; String; rille/msg/Numbers
    bool cdr;                      ///< messages are in CDR
} LogChannel;

typedef struct LogSignal {
    const char *name, *unit;
    int channel, field;
} LogSignal;

typedef struct LogChunk {
    uint64_t start, end; ///< of its messages [ns]
    uint64_t offset, length;
    size_t first_channel; ///< in the pool of channel numbers
    int channel_count;    ///< -1: not known, any
    bool loose;           ///< messages outside of chunks
    bool timeless;        ///< the index gives no channels and no times: likely it holds definitions only
    bool bad;             ///< damaged; loading it tells how
} LogChunk;

typedef struct LogAttachment {
    const char *name;
    uint64_t offset, length; ///< of the record
} LogAttachment;

/// A channel of poses.
typedef struct LogFrameGroup {
    int channel;
    int count; ///< of frames; 0: not looked at yet
    const char *parent;
    const char **names;
} LogFrameGroup;

/// Chunks that were loaded before the one in `raw`.
enum { LOG_CACHE = 4, LOG_CACHED_SIZE = 16 << 20 }; // larger chunks are not kept
typedef struct LogCached {
    RiBytes raw;
    size_t loaded; ///< chunk plus 1; 0: none
} LogCached;

/// Index of what has a number in the file; grows to the largest number met.
typedef struct LogIds {
    int *index; ///< plus 1, 0: none
    size_t room;
} LogIds;

static inline int ri_log_lookup(const LogIds *ids, size_t id)
{
    return id < ids->room ? ids->index[id] - 1 : -1;
}

struct RiLog {
    RiContext *ctx;
    RiArena arena; ///< names, schemas
    char *path;
    LogSource source;
    RiCrc crc;
    void *zstd; ///< ZSTD_DCtx
    size_t chunk_limit;

    LogIds schema_ids, channel_ids;
    LogSchema *schemas;
    LogChannel *channels;
    LogSignal *signals;
    LogChunk *chunks;
    uint16_t *pool; ///< channel numbers of the chunks
    size_t schema_count, channel_count, signal_count, chunk_count, pool_count;
    size_t schema_room, channel_room, signal_room, chunk_room, pool_room;
    size_t field_total; ///< of all schemas
    RiNames names;      ///< of signals; rebuilt when all are known

    uint64_t start, end; ///< [ns]
    bool complete;

    RiBytes packed, raw; ///< a chunk as stored and as records
    size_t loaded;       ///< chunk in raw, plus 1; 0: none
    LogCached cache[LOG_CACHE];
    int cache_next; ///< the oldest

    LogAttachment *attachments;
    size_t attachment_count, attachment_room;
    LogFrameGroup *groups; ///< made when first asked for
    int group_count;       ///< of channels of poses
};

// --- from memory ---------------------------------------------------------------------------------

/// Opens bytes of the caller, who keeps them until the log is closed. Chunks larger than
/// `chunk_limit` are refused.
RI_MUST_CHECK RiStatus ri_log_open_memory(RiContext *ctx, const char *name, const void *data, size_t size,
                                          size_t chunk_limit, RiLog **out_log);

// --- inside --------------------------------------------------------------------------------------

/// Makes room for one more element of a list; *room is in elements.
RI_MUST_CHECK RiStatus ri_log_grow(RiContext *ctx, void **list, size_t count, size_t *room, size_t size);
/// RI_ERR_FORMAT with path and byte.
RiStatus ri_log_damage(const RiLog *log, uint64_t offset, const char *what);
RI_MUST_CHECK RiStatus ri_log_bytes(RiLog *log, uint64_t offset, size_t size, void *out);
/// The next record of a sequence; false at the end or, with `c->bad`, where it is cut.
bool ri_log_next(RiCursor *c, unsigned *out_opcode, RiCursor *out_content);
/// Brings a chunk's records into log->raw.
RI_MUST_CHECK RiStatus ri_log_load(RiLog *log, size_t chunk);
/// Learns from a Schema or Channel record at `offset`.
RI_MUST_CHECK RiStatus ri_log_define_schema(RiLog *log, uint64_t offset, RiCursor content);
RI_MUST_CHECK RiStatus ri_log_define_channel(RiLog *log, uint64_t offset, RiCursor content);
RI_MUST_CHECK RiStatus ri_log_add_attachment(RiLog *log, uint64_t offset, uint64_t length, const char *name,
                                             size_t name_size);
/// [s]; a time of whole nanoseconds comes back as it was.
static inline double ri_log_seconds(uint64_t ns)
{
    return (double)ns / 1e9; // correctly rounded
}
/// Whether a chunk may hold messages of a channel (its index, not its number).
bool ri_log_chunk_has(const RiLog *log, const LogChunk *chunk, int channel);
/// Fills channels, signals and chunks, by the index or by a scan.
RI_MUST_CHECK RiStatus ri_log_learn(RiLog *log);

#endif
