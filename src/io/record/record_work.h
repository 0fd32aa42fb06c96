// SPDX-License-Identifier: Apache-2.0
/// \file
/// The record writer's inside.
///
///     message --> raw (the open chunk) + entries (its index) --ri_record_flush--> packed --> file
///                                                           \--> chunk_index (kept for the summary)
///
/// Invariant: every buffer that a message needs has its full size before the first message, so that
/// writing messages does not allocate. `chunk_index` alone grows with the file, by doubling; it
/// starts with room for a few thousand chunks.
#ifndef RI_IO_RECORD_WORK_H
#define RI_IO_RECORD_WORK_H

#include <rille/record.h>

#include "base/memory.h"
#include "base/names.h"
#include "io/file/sink.h"
#include "io/record/crc.h"
#include "io/record/mcap.h"

enum {
    RECORD_ENTRIES = 16384, ///< most messages in a chunk
    RECORD_INDEX_ROOM = 256 * 1024,
    RECORD_GROUPS = 65534 ///< channel and schema numbers have 16 bits
};

typedef enum GroupKind { GROUP_SIGNALS, GROUP_FRAMES, GROUP_EVENTS, GROUP_NUMBERS, GROUP_MESSAGES } GroupKind;

/// Places of the changing parts of a frame in the group's message.
typedef struct FramePlace {
    size_t stamp, numbers;
} FramePlace;

typedef struct Group {
    GroupKind kind;
    int count; ///< signals or frames
    const char *topic;
    size_t size;      ///< of a message's data [bytes]; events and numbers: not used
    uint8_t *message; ///< frames: the message with its constant parts
    FramePlace *places;
    uint64_t message_count;
    int first, last, in_chunk; ///< chain of entries of the open chunk
} Group;

/// A message of the open chunk.
typedef struct Entry {
    uint64_t time, offset;
    int next; ///< of the same group, -1: none
} Entry;

struct RiRecord {
    RiContext *ctx;
    RiArena arena; ///< groups and names
    RiRecordOptions options;
    RiSink sink;
    RiCrc crc;
    void *zstd; ///< ZSTD_CCtx

    Group **groups;
    int group_count, group_capacity;
    RiNames topics, signals, types; ///< to refuse or to avoid duplicates

    RiBytes raw;    ///< records of the open chunk; capacity fixed by ri_record_size_buffers
    RiBytes packed; ///< chunk record and message indexes as written
    Entry *entries;
    int entry_count, entry_capacity;
    uint64_t chunk_start, chunk_end;

    RiBytes schemas, channels, chunk_index, attachment_index; ///< for the summary
    uint32_t data_crc;
    uint64_t message_count, start, end;
    uint32_t chunk_count, attachment_count;
    bool closed;
};

/// Makes the buffers fit chunks of `raw` bytes. The open chunk is kept.
RI_MUST_CHECK RiStatus ri_record_size_buffers(RiRecord *r, size_t raw);
/// Writes bytes of the data section.
RI_MUST_CHECK RiStatus ri_record_write_data(RiRecord *r, const void *data, size_t size);
/// Writes the open chunk with its indexes, if there is anything in it.
RI_MUST_CHECK RiStatus ri_record_flush(RiRecord *r);
/// Summary, summary offsets, footer.
RI_MUST_CHECK RiStatus ri_record_finish(RiRecord *r);

#endif
