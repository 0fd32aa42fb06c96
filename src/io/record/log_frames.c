// SPDX-License-Identifier: Apache-2.0
/// \file
/// Poses, events and attachments of a log, found by the chunk index.
///
/// Messages are CDR, little or big endian: a TFMessage is a sequence of { stamp, parent's name,
/// child's name, translation, quaternion x y z w }, each number aligned to its size from the end of
/// the four-byte head.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "io/record/log_work.h"

enum { FRAMES = 65535, ATTACHMENT_LIMIT = 256 << 20 };

// --- CDR -----------------------------------------------------------------------------------------

typedef struct Cdr {
    const uint8_t *start; ///< after the head
    RiCursor c;
    bool big;
} Cdr;

static Cdr cdr_open(const uint8_t *data, size_t size)
{
    const bool ok = size >= MCAP_CDR_HEAD && data[0] == 0 && data[1] <= 1;
    Cdr x = {ok ? data + MCAP_CDR_HEAD : data,
             ri_cursor(ok ? data + MCAP_CDR_HEAD : data, ok ? size - MCAP_CDR_HEAD : 0), ok && data[1] == 0};
    x.c.bad = !ok;
    return x;
}

/// An unsigned number of 4 or 8 bytes.
static uint64_t cdr_number(Cdr *x, size_t size)
{
    const size_t at = (size_t)(x->c.at - x->start) % size;
    uint64_t value = 0;
    ri_get_data(&x->c, at ? size - at : 0);
    const uint8_t *bytes = ri_get_data(&x->c, size);
    for (size_t i = 0; bytes && i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * (x->big ? size - 1 - i : i));
    return value;
}

static double cdr_f64(Cdr *x)
{
    const uint64_t bits = cdr_number(x, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// A string; the pointer is into the message. Without its end mark it is not accepted.
static const char *cdr_string(Cdr *x)
{
    const uint64_t size = cdr_number(x, 4);
    const char *at = (const char *)ri_get_data(&x->c, size);
    if (at && size > 0 && memchr(at, '\0', (size_t)size) == at + size - 1)
        return at;
    x->c.bad = true;
    return "";
}

/// One transform.
typedef struct Transform {
    const char *parent, *child;
    double numbers[7];
} Transform;

static void cdr_transform(Cdr *x, Transform *out)
{
    cdr_number(x, 4);
    cdr_number(x, 4);
    out->parent = cdr_string(x);
    out->child = cdr_string(x);
    for (int i = 0; i < 7; i++)
        out->numbers[i] = cdr_f64(x);
}

static bool to_pose(const double n[7], RiPose *out)
{
    const RiQuat q = {n[6], n[3], n[4], n[5]};
    const double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(norm > 0.5) || !(norm < 2.0)) // NaN included
        return false;
    const RiQuat unit = {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
    *out = (RiPose){ri_quat_to_mat3(unit), ri_vec3(n[0], n[1], n[2])};
    return true;
}

// --- the message at a time -----------------------------------------------------------------------

/// What is looked for, and the best found.
typedef struct Search {
    int channel;
    double time;
    bool after; ///< the first message at or after instead of the last at or before
    bool found;
    double best;
    size_t chunk, place, size; ///< of the message's data
} Search;

static bool is_better(const Search *s, double t)
{
    if (s->after)
        return t >= s->time && (!s->found || t < s->best);
    return t <= s->time && (!s->found || t >= s->best);
}

/// Looks through the loaded chunk.
static void search_loaded(RiLog *log, Search *s, size_t chunk)
{
    RiCursor c = ri_cursor(log->raw.at, log->raw.size), content;
    for (unsigned opcode; ri_log_next(&c, &opcode, &content);) {
        if (opcode != MCAP_MESSAGE)
            continue;
        const int channel = ri_log_lookup(&log->channel_ids, (size_t)ri_get(&content, 2));
        ri_get_data(&content, 4);
        const double t = ri_log_seconds(ri_get(&content, 8));
        ri_get_data(&content, 8);
        if (content.bad || channel != s->channel || !is_better(s, t))
            continue;
        s->found = true;
        s->best = t;
        s->chunk = chunk;
        s->place = (size_t)(content.at - log->raw.at);
        s->size = ri_left(&content);
    }
}

/// Whether a chunk can hold something better than what was found.
static bool can_improve(const RiLog *log, const Search *s, const LogChunk *chunk)
{
    const double start = ri_log_seconds(chunk->start), end = ri_log_seconds(chunk->end);
    if (chunk->bad || chunk->timeless || !ri_log_chunk_has(log, chunk, s->channel))
        return false;
    if (s->after)
        return end >= s->time && (!s->found || start < s->best);
    return start <= s->time && (!s->found || end > s->best);
}

/// Chunks are in the order of time in logs of most tools, so that one or two are loaded.
static RiStatus search(RiLog *log, Search *s)
{
    s->found = false;
    for (size_t k = 0; k < log->chunk_count; k++) {
        const size_t i = s->after ? k : log->chunk_count - 1 - k;
        if (!can_improve(log, s, &log->chunks[i]))
            continue;
        RI_TRY(ri_log_load(log, i));
        search_loaded(log, s, i);
    }
    return s->found ? ri_log_load(log, s->chunk) : RI_OK;
}

// --- poses ---------------------------------------------------------------------------------------

int ri_log_frame_group_count(const RiLog *log)
{
    return log->group_count;
}

static RiStatus make_groups(RiLog *log)
{
    if (log->groups)
        return RI_OK;
    log->groups = ri_alloc_zero(log->ctx, (size_t)log->group_count + 1, sizeof *log->groups);
    if (!log->groups)
        return ri_error_memory(log->ctx);
    int count = 0;
    for (size_t i = 0; i < log->channel_count; i++)
        if (log->channels[i].poses)
            log->groups[count++].channel = (int)i;
    return RI_OK;
}

static RiStatus odd_message(const RiLog *log, const Search *s, const char *what)
{
    return ri_error(log->ctx, RI_ERR_FORMAT, "%s: %s: message at %.9g s: %s", log->path,
                    log->channels[s->channel].topic, s->best, what);
}

static RiStatus learn_names(RiLog *log, LogFrameGroup *g, const Search *s)
{
    Cdr x = cdr_open(log->raw.at + s->place, s->size);
    const uint64_t count = cdr_number(&x, 4);
    if (x.c.bad || count == 0 || count > FRAMES)
        return odd_message(log, s, "not a TFMessage of 1 to 65535 frames");
    const char **names = ri_arena_alloc(&log->arena, (size_t)count, sizeof *names), *parent = NULL;
    if (!names)
        return ri_error_memory(log->ctx);
    for (uint64_t i = 0; i < count; i++) {
        Transform t;
        cdr_transform(&x, &t);
        if (x.c.bad)
            return odd_message(log, s, "it is cut short");
        if (i == 0)
            parent = ri_arena_string(&log->arena, t.parent);
        names[i] = ri_arena_string(&log->arena, t.child);
        if (!parent || !names[i])
            return ri_error_memory(log->ctx);
        if (strcmp(parent, t.parent) != 0)
            return odd_message(log, s,
                               "its frames have several parents; a log of another tool? Poses in one frame are read");
    }
    g->parent = parent;
    g->names = names;
    g->count = (int)count;
    return RI_OK;
}

RiStatus ri_log_frames(RiLog *log, int group, RiLogFrames *out)
{
    *out = (RiLogFrames){0};
    if (group < 0 || group >= log->group_count)
        return ri_error(log->ctx, RI_ERR_ARGUMENT, "%s: there is no group of frames %d", log->path, group);
    RI_TRY(make_groups(log));
    LogFrameGroup *g = &log->groups[group];
    if (g->count == 0) {
        Search s = {.channel = g->channel, .time = -INFINITY, .after = true};
        RI_TRY(search(log, &s));
        if (!s.found)
            return ri_error(log->ctx, RI_ERR_NOT_FOUND, "%s: %s: there is no message", log->path,
                            log->channels[g->channel].topic);
        RI_TRY(learn_names(log, g, &s));
    }
    *out = (RiLogFrames){log->channels[g->channel].topic, g->parent, g->count, (const char *const *)g->names};
    return RI_OK;
}

static RiStatus read_poses(RiLog *log, const LogFrameGroup *g, const Search *s, RiPose *out)
{
    Cdr x = cdr_open(log->raw.at + s->place, s->size);
    if (cdr_number(&x, 4) != (uint64_t)g->count)
        return odd_message(log, s, "its frames are not those of the first message; a log of another tool?");
    for (int i = 0; i < g->count; i++) {
        Transform t;
        cdr_transform(&x, &t);
        if (x.c.bad)
            return odd_message(log, s, "it is cut short");
        if (strcmp(t.child, g->names[i]) != 0 || strcmp(t.parent, g->parent) != 0)
            return odd_message(log, s, "its frames are not those of the first message; a log of another tool?");
        if (!to_pose(t.numbers, &out[i]))
            return odd_message(log, s, "a quaternion is not of length 1");
    }
    return RI_OK;
}

RiStatus ri_log_read_frames(RiLog *log, int group, double time, RiPose *out_poses, double *out_time)
{
    RiLogFrames frames;
    *out_time = 0.0;
    RI_TRY(ri_log_frames(log, group, &frames));
    if (isnan(time))
        return ri_error(log->ctx, RI_ERR_ARGUMENT, "%s: time %g", log->path, time);
    const LogFrameGroup *g = &log->groups[group];
    Search s = {.channel = g->channel, .time = time};
    RI_TRY(search(log, &s));
    if (!s.found) {
        s.after = true;
        RI_TRY(search(log, &s));
    }
    if (!s.found)
        return ri_error(log->ctx, RI_ERR_NOT_FOUND, "%s: %s: there is no message", log->path, frames.topic);
    *out_time = s.best;
    return read_poses(log, g, &s, out_poses);
}

// --- lists of numbers ----------------------------------------------------------------------------

/// The channel of lists under a topic, -1 if there is none.
static int find_numbers(const RiLog *log, const char *topic)
{
    for (size_t i = 0; i < log->channel_count; i++)
        if (log->channels[i].numbers && strcmp(log->channels[i].topic, topic) == 0)
            return (int)i;
    return -1;
}

bool ri_log_has_numbers(const RiLog *log, const char *topic)
{
    return find_numbers(log, topic) >= 0;
}

RiStatus ri_log_read_numbers(RiLog *log, const char *topic, double time, int most, float *out_numbers, int *out_count)
{
    *out_count = 0;
    Search s = {.channel = find_numbers(log, topic), .time = time};
    if (s.channel < 0)
        return ri_error(log->ctx, RI_ERR_NOT_FOUND, "%s: there is no channel of numbers '%s'", log->path, topic);
    if (isnan(time))
        return ri_error(log->ctx, RI_ERR_ARGUMENT, "%s: time %g", log->path, time);
    RI_TRY(search(log, &s));
    if (!s.found)
        return RI_OK;
    Cdr x = cdr_open(log->raw.at + s.place, s.size);
    const uint64_t count = cdr_number(&x, 4);
    if (x.c.bad || count > ri_left(&x.c) / 4)
        return odd_message(log, &s, "a list is cut short");
    for (; *out_count < most && (uint64_t)*out_count < count; ++*out_count) {
        const uint32_t bits = (uint32_t)cdr_number(&x, 4);
        memcpy(&out_numbers[*out_count], &bits, sizeof bits);
    }
    return RI_OK;
}

RiStatus ri_log_read_message(RiLog *log, const char *topic, double time, const void **out_data, size_t *out_size,
                             double *out_time)
{
    Search s = {.channel = -1, .time = time};
    *out_data = NULL;
    *out_size = 0;
    *out_time = 0.0;
    for (size_t i = 0; i < log->channel_count && s.channel < 0; i++)
        if (strcmp(log->channels[i].topic, topic) == 0)
            s.channel = (int)i;
    if (s.channel < 0)
        return ri_error(log->ctx, RI_ERR_NOT_FOUND, "%s: there is no channel '%s'", log->path, topic);
    if (isnan(time))
        return ri_error(log->ctx, RI_ERR_ARGUMENT, "%s: time %g", log->path, time);
    RI_TRY(search(log, &s));
    if (!s.found)
        return RI_OK;
    *out_data = log->raw.at + s.place;
    *out_size = s.size;
    *out_time = s.best;
    return RI_OK;
}

// --- events --------------------------------------------------------------------------------------

/// Events on their way out: texts are in `texts` one after the other, by offset until all are
/// there.
typedef struct Events {
    RiLogEvent *list;
    size_t *offsets;
    size_t count, list_room, offset_room;
    RiBytes texts;
} Events;

static RiStatus add_event(RiLog *log, Events *e, double time, int channel, const char *text)
{
    RI_TRY(ri_log_grow(log->ctx, (void **)&e->list, e->count, &e->list_room, sizeof *e->list));
    RI_TRY(ri_log_grow(log->ctx, (void **)&e->offsets, e->count, &e->offset_room, sizeof *e->offsets));
    if (e->count == INT_MAX)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: more than %d events", log->path, INT_MAX);
    e->list[e->count] = (RiLogEvent){.time = time, .topic = log->channels[channel].topic};
    e->offsets[e->count++] = e->texts.size;
    ri_put_data(&e->texts, text, strlen(text) + 1);
    return e->texts.failed ? ri_error_memory(log->ctx) : RI_OK;
}

static RiStatus events_of_chunk(RiLog *log, Events *e, const char *topic, double from, double to, const LogChunk *chunk)
{
    RiCursor c = ri_cursor(log->raw.at, log->raw.size), content;
    for (unsigned opcode; ri_log_next(&c, &opcode, &content);) {
        if (opcode != MCAP_MESSAGE)
            continue;
        const int channel = ri_log_lookup(&log->channel_ids, (size_t)ri_get(&content, 2));
        ri_get_data(&content, 4);
        const double t = ri_log_seconds(ri_get(&content, 8));
        ri_get_data(&content, 8);
        if (content.bad || channel < 0 || !log->channels[channel].events || !(t >= from && t <= to) ||
            (topic && strcmp(topic, log->channels[channel].topic) != 0))
            continue;
        Cdr x = cdr_open(content.at, ri_left(&content));
        const char *text = cdr_string(&x);
        if (x.c.bad)
            return ri_log_damage(log, chunk->offset, "an event is not a string");
        RI_TRY(add_event(log, e, t, channel, text));
    }
    return RI_OK;
}

static bool has_events(const RiLog *log, const LogChunk *chunk, const char *topic)
{
    for (size_t i = 0; i < log->channel_count; i++)
        if (log->channels[i].events && (!topic || strcmp(topic, log->channels[i].topic) == 0) &&
            ri_log_chunk_has(log, chunk, (int)i))
            return true;
    return false;
}

static RiStatus collect_events(RiLog *log, Events *e, const char *topic, double from, double to)
{
    for (size_t i = 0; i < log->chunk_count; i++) {
        const LogChunk *chunk = &log->chunks[i];
        if (chunk->bad || ri_log_seconds(chunk->end) < from || ri_log_seconds(chunk->start) > to ||
            !has_events(log, chunk, topic))
            continue;
        RI_TRY(ri_log_load(log, i));
        RI_TRY(events_of_chunk(log, e, topic, from, to, chunk));
    }
    return RI_OK;
}

static int compare_events(const void *a, const void *b)
{
    const RiLogEvent *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->text < y->text ? -1 : x->text > y->text; // the order of the file
}

/// One block: the list, then the texts.
static RiStatus pack_events(RiLog *log, const Events *e, RiLogEvent **out, int *out_count)
{
    char *block = ri_alloc(log->ctx, 1, e->count * sizeof **out + e->texts.size + 1);
    if (!block)
        return ri_error_memory(log->ctx);
    *out = (RiLogEvent *)(void *)block;
    *out_count = (int)e->count;
    char *texts = block + e->count * sizeof **out;
    if (e->texts.size > 0)
        memcpy(texts, e->texts.at, e->texts.size);
    for (size_t i = 0; i < e->count; i++) {
        (*out)[i] = e->list[i];
        (*out)[i].text = texts + e->offsets[i];
    }
    if (e->count > 1)
        qsort(*out, e->count, sizeof **out, compare_events);
    return RI_OK;
}

RiStatus ri_log_read_events(RiLog *log, const char *topic, double from, double to, RiLogEvent **out_events,
                            int *out_count)
{
    *out_events = NULL;
    *out_count = 0;
    if (isnan(from) || isnan(to))
        return ri_error(log->ctx, RI_ERR_ARGUMENT, "%s: times from %g to %g", log->path, from, to);
    Events e = {0};
    ri_bytes_init(&e.texts, log->ctx);
    RiStatus status = collect_events(log, &e, topic, from, to);
    if (status == RI_OK)
        status = pack_events(log, &e, out_events, out_count);
    ri_release(log->ctx, e.list);
    ri_release(log->ctx, e.offsets);
    ri_bytes_free(&e.texts);
    return status;
}

// --- attachments ---------------------------------------------------------------------------------

RiStatus ri_log_add_attachment(RiLog *log, uint64_t offset, uint64_t length, const char *name, size_t name_size)
{
    RI_TRY(ri_log_grow(log->ctx, (void **)&log->attachments, log->attachment_count, &log->attachment_room,
                       sizeof *log->attachments));
    const char *copy = ri_arena_string_n(&log->arena, name, name_size);
    if (!copy)
        return ri_error_memory(log->ctx);
    log->attachments[log->attachment_count++] = (LogAttachment){copy, offset, length};
    return RI_OK;
}

int ri_log_attachment_count(const RiLog *log)
{
    return (int)log->attachment_count;
}

const char *ri_log_attachment_name(const RiLog *log, int attachment)
{
    return attachment >= 0 && (size_t)attachment < log->attachment_count ? log->attachments[attachment].name : NULL;
}

/// The data in a record of `length` bytes at `record`.
static RiStatus open_attachment(const RiLog *log, const LogAttachment *a, const char *record, RiCursor *out_data)
{
    size_t unused;
    RiCursor c = ri_cursor(record, (size_t)a->length);
    const uint64_t opcode = ri_get(&c, 1), length = ri_get(&c, 8);
    ri_get_data(&c, 8 + 8);
    ri_get_string(&c, &unused);
    ri_get_string(&c, &unused);
    const uint64_t size = ri_get(&c, 8);
    const uint8_t *data = ri_get_data(&c, size);
    const uint32_t crc = (uint32_t)ri_get(&c, 4);
    if (c.bad || opcode != MCAP_ATTACHMENT || length != a->length - MCAP_RECORD_HEAD)
        return ri_log_damage(log, a->offset, "an attachment's lengths do not fit together");
    if (crc != 0 && crc != ri_crc_add(&log->crc, 0, record + MCAP_RECORD_HEAD, (size_t)length - 4))
        return ri_log_damage(log, a->offset, "an attachment does not match its checksum");
    *out_data = ri_cursor(data, (size_t)size);
    return RI_OK;
}

RiStatus ri_log_read_attachment(RiLog *log, const char *name, char **out_data, size_t *out_size)
{
    *out_data = NULL;
    *out_size = 0;
    const LogAttachment *a = NULL;
    for (size_t i = 0; i < log->attachment_count; i++)
        a = strcmp(log->attachments[i].name, name) == 0 ? &log->attachments[i] : a;
    if (!a)
        return ri_error(log->ctx, RI_ERR_NOT_FOUND, "%s: there is no attachment '%s'", log->path, name);
    if (a->length > ATTACHMENT_LIMIT || a->length < MCAP_RECORD_HEAD)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: attachment '%s' has %llu bytes, at most %d are read", log->path,
                        name, (unsigned long long)a->length, ATTACHMENT_LIMIT);
    char *record = ri_alloc(log->ctx, (size_t)a->length + 1, 1);
    if (!record)
        return ri_error_memory(log->ctx);
    RiCursor data;
    RiStatus status = ri_log_bytes(log, a->offset, (size_t)a->length, record);
    if (status == RI_OK)
        status = open_attachment(log, a, record, &data);
    if (status != RI_OK) {
        ri_release(log->ctx, record);
        return status;
    }
    *out_size = ri_left(&data);
    if (*out_size > 0)
        memmove(record, data.at, *out_size);
    record[*out_size] = '\0';
    *out_data = record;
    return RI_OK;
}
