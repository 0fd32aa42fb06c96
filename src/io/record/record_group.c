// SPDX-License-Identifier: Apache-2.0
/// \file
/// Groups of a record: their ROS 2 schemas and channels. A group's schema and channel are in the
/// chunk of its first message, where the chunk's checksum guards them, and again in the summary.
#include <ctype.h>
#include <stdio.h>

#include "io/record/record_work.h"

enum { LARGEST_MESSAGE = 64 << 20 };

// --- text ----------------------------------------------------------------------------------------

static void put_text(RiBytes *b, const char *text)
{
    ri_put_data(b, text, strlen(text));
}

/// A JSON list of strings.
static void put_json_list(RiBytes *b, int count, const char *const *texts)
{
    for (int i = 0; i < count; i++) {
        put_text(b, i == 0 ? "[\"" : ",\"");
        for (const char *c = texts[i]; *c; c++) {
            if (*c == '"' || *c == '\\')
                ri_put_u8(b, '\\');
            ri_put_u8(b, (unsigned char)*c);
        }
        put_text(b, "\"");
    }
    put_text(b, "]");
}

/// Names and units go into comments, lists and tables: no control characters.
static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    return true;
}

/// Text as a ROS field name: small letters, digits and single underscores, a letter first, no
/// underscore last.
static void field_name(char *out, const char *name)
{
    size_t n = 0;
    if (!isalpha((unsigned char)name[0]))
        out[n++] = 's';
    for (; *name; name++) {
        if (isalnum((unsigned char)*name))
            out[n++] = (char)tolower((unsigned char)*name);
        else if (n > 0 && out[n - 1] != '_')
            out[n++] = '_';
    }
    if (n > 1 && out[n - 1] == '_')
        n--;
    out[n] = '\0';
}

/// Text as a ROS type name: words of the topic in one, each with a capital.
static void type_name(char *out, const char *topic)
{
    size_t n = 0;
    bool word = true;
    if (!isalpha(
            (unsigned char)topic[strcspn(topic, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")]))
        out[n++] = 'T';
    for (; *topic; topic++) {
        if (isalnum((unsigned char)*topic))
            out[n++] = (char)(word ? toupper((unsigned char)*topic) : *topic);
        word = !isalnum((unsigned char)*topic);
    }
    out[n] = '\0';
}

enum { SUFFIX = 16 }; ///< room for "_" and a number

/// A name that is not in `used` yet, from `wanted` (with SUFFIX bytes of room behind it), and adds
/// it there.
static RiStatus make_unique(RiNames *used, char *wanted, int number)
{
    int existing;
    RI_TRY(ri_names_add(used, wanted, number, &existing));
    const size_t n = strlen(wanted);
    for (int i = number; existing >= 0; i++) {
        snprintf(wanted + n, SUFFIX, "%s%d", islower((unsigned char)wanted[0]) ? "_" : "", i);
        RI_TRY(ri_names_add(used, wanted, number, &existing));
    }
    return RI_OK;
}

// --- schemas -------------------------------------------------------------------------------------

static const char tf_schema[] = "geometry_msgs/TransformStamped[] transforms\n"
                                "================================================================================\n"
                                "MSG: geometry_msgs/TransformStamped\n"
                                "std_msgs/Header header\n"
                                "string child_frame_id\n"
                                "geometry_msgs/Transform transform\n"
                                "================================================================================\n"
                                "MSG: std_msgs/Header\n"
                                "builtin_interfaces/Time stamp\n"
                                "string frame_id\n"
                                "================================================================================\n"
                                "MSG: builtin_interfaces/Time\n"
                                "int32 sec\n"
                                "uint32 nanosec\n"
                                "================================================================================\n"
                                "MSG: geometry_msgs/Transform\n"
                                "geometry_msgs/Vector3 translation\n"
                                "geometry_msgs/Quaternion rotation\n"
                                "================================================================================\n"
                                "MSG: geometry_msgs/Vector3\n"
                                "float64 x\n"
                                "float64 y\n"
                                "float64 z\n"
                                "================================================================================\n"
                                "MSG: geometry_msgs/Quaternion\n"
                                "float64 x\n"
                                "float64 y\n"
                                "float64 z\n"
                                "float64 w\n";

/// Schema of a group of signals: one float64 field each, the unit as a comment.
static RiStatus put_signal_fields(RiRecord *r, RiBytes *b, int count, const char *const *names,
                                  const char *const *units)
{
    RiNames used;
    RiArena arena;
    ri_names_init(&used, r->ctx);
    ri_arena_init(&arena, r->ctx);
    RiStatus status = RI_OK;
    for (int i = 0; i < count && status == RI_OK; i++) {
        char *field = ri_arena_alloc(&arena, strlen(names[i]) + 2 + SUFFIX, 1);
        if (!field) {
            status = ri_error_memory(r->ctx);
            break;
        }
        field_name(field, names[i]);
        status = make_unique(&used, field, i);
        put_text(b, "float64 ");
        put_text(b, field);
        if (units && units[i][0]) {
            put_text(b, " # unit: ");
            put_text(b, units[i]);
        }
        put_text(b, "\n");
    }
    ri_names_free(&used);
    ri_arena_free(&arena);
    return status;
}

// --- channels ------------------------------------------------------------------------------------

typedef struct Declared {
    const char *schema_name;
    RiBytes schema;        ///< text
    RiBytes names, units;  ///< JSON lists; empty: none
    RiBytes schema_record; ///< the two records
    RiBytes channel_record;
} Declared;

static void free_declared(Declared *d)
{
    RiBytes *bytes[] = {&d->schema, &d->names, &d->units, &d->schema_record, &d->channel_record};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        ri_bytes_free(bytes[i]);
}

static void init_declared(Declared *d, RiContext *ctx)
{
    RiBytes *bytes[] = {&d->schema, &d->names, &d->units, &d->schema_record, &d->channel_record};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        ri_bytes_init(bytes[i], ctx);
    d->schema_name = "";
}

static void put_pair(RiBytes *b, const char *key, const RiBytes *value)
{
    if (value->size == 0)
        return;
    ri_put_string(b, key);
    ri_put_u32(b, (uint32_t)value->size);
    ri_put_data(b, value->at, value->size);
}

static void put_records(Declared *d, const char *topic, unsigned id)
{
    RiBytes *s = &d->schema_record, *c = &d->channel_record;
    const size_t schema = ri_put_begin(s, MCAP_SCHEMA);
    ri_put_u16(s, id);
    ri_put_string(s, d->schema_name);
    ri_put_string(s, "ros2msg");
    ri_put_u32(s, (uint32_t)d->schema.size);
    ri_put_data(s, d->schema.at, d->schema.size);
    ri_put_end(s, schema);
    const size_t channel = ri_put_begin(c, MCAP_CHANNEL);
    ri_put_u16(c, id);
    ri_put_u16(c, id); // schema
    ri_put_string(c, topic);
    ri_put_string(c, "cdr");
    const size_t map_at = c->size;
    ri_put_u32(c, 0);
    put_pair(c, "signals", &d->names);
    put_pair(c, "units", &d->units);
    if (!c->failed)
        ri_store_u32(c->at + map_at, (uint32_t)(c->size - map_at - 4));
    ri_put_end(c, channel);
}

/// Puts the records of a group into the open chunk and the summary, all or nothing.
static RiStatus store_records(RiRecord *r, const Declared *d)
{
    const size_t total = d->schema_record.size + d->channel_record.size;
    if (total > RI_CHUNK_LIMIT / 2)
        return ri_error(r->ctx, RI_ERR_LIMIT, "%s: the names and units of a group take %zu bytes, %zu are allowed",
                        r->sink.path, total, RI_CHUNK_LIMIT / 2);
    if (r->raw.size > 0 && r->raw.size + total > r->options.chunk_size)
        RI_TRY(ri_record_flush(r));
    RI_TRY(ri_record_size_buffers(r, r->raw.size + total));
    if (!ri_bytes_reserve(&r->schemas, d->schema_record.size) ||
        !ri_bytes_reserve(&r->channels, d->channel_record.size)) {
        r->schemas.failed = r->channels.failed = false;
        return ri_error_memory(r->ctx);
    }
    ri_put_data(&r->schemas, d->schema_record.at, d->schema_record.size);
    ri_put_data(&r->channels, d->channel_record.at, d->channel_record.size);
    ri_put_data(&r->raw, d->schema_record.at, d->schema_record.size);
    ri_put_data(&r->raw, d->channel_record.at, d->channel_record.size);
    return RI_OK;
}

// --- groups --------------------------------------------------------------------------------------

static RiStatus check_topic(RiRecord *r, const char *topic)
{
    if (r->closed)
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "record: the record is closed");
    if (!topic || !topic[0] || !is_plain(topic))
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "%s: a topic is a name without control characters, such as '/robot'",
                        r->sink.path);
    if (ri_names_find(&r->topics, topic) >= 0)
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "%s: the topic '%s' is declared already", r->sink.path, topic);
    if (r->group_count >= RECORD_GROUPS)
        return ri_error(r->ctx, RI_ERR_LIMIT, "%s: more than %d groups", r->sink.path, RECORD_GROUPS);
    return RI_OK;
}

static RiStatus check_names(RiRecord *r, const char *topic, int count, const char *const *names,
                            const char *const *units)
{
    if (count < 1 || (size_t)count > LARGEST_MESSAGE / 8)
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "%s: %s: count %d is not from 1 to %d", r->sink.path, topic, count,
                        LARGEST_MESSAGE / 8);
    for (int i = 0; i < count; i++)
        if (!names[i] || !names[i][0] || !is_plain(names[i]) || (units && (!units[i] || !is_plain(units[i]))))
            return ri_error(r->ctx, RI_ERR_ARGUMENT,
                            "%s: %s: name or unit %d is missing, empty or has control characters", r->sink.path, topic,
                            i);
    return RI_OK;
}

/// A group with room in the list, not in it yet.
static RiStatus new_group(RiRecord *r, GroupKind kind, const char *topic, int count, Group **out)
{
    *out = NULL;
    RI_TRY(ri_grow(r->ctx, &r->groups, r->group_count, &r->group_capacity, 16, sizeof(Group *)));
    Group *g = ri_arena_alloc(&r->arena, 1, sizeof *g);
    char *copy = ri_arena_string(&r->arena, topic);
    if (!g || !copy)
        return ri_error_memory(r->ctx);
    *g = (Group){.kind = kind, .topic = copy, .count = count};
    *out = g;
    return RI_OK;
}

/// Makes the group part of the record.
static RiStatus add_group(RiRecord *r, Group *g, Declared *d, int *out_group)
{
    put_records(d, g->topic, (unsigned)r->group_count + 1);
    if (d->schema.failed || d->names.failed || d->units.failed || d->schema_record.failed || d->channel_record.failed)
        return ri_error_memory(r->ctx);
    int existing;
    RI_TRY(ri_record_size_buffers(r, MCAP_RECORD_HEAD + MCAP_MESSAGE_HEAD + g->size));
    RI_TRY(ri_names_add(&r->topics, g->topic, r->group_count, &existing));
    RI_TRY(store_records(r, d));
    r->groups[r->group_count] = g;
    *out_group = r->group_count++;
    return RI_OK;
}

/// Names of signals are unique in a record: a log finds them by name alone.
static RiStatus check_unique(RiRecord *r, int count, const char *const *names)
{
    RiNames own;
    ri_names_init(&own, r->ctx);
    RiStatus status = RI_OK;
    for (int i = 0; i < count && status == RI_OK; i++) {
        int existing;
        status = ri_names_add(&own, names[i], i, &existing);
        if (status == RI_OK && (existing >= 0 || ri_names_find(&r->signals, names[i]) >= 0))
            status =
                ri_error(r->ctx, RI_ERR_ARGUMENT, "%s: the signal '%s' is declared already", r->sink.path, names[i]);
    }
    ri_names_free(&own);
    return status;
}

static RiStatus claim_names(RiRecord *r, int count, const char *const *names)
{
    RI_TRY(check_unique(r, count, names));
    for (int i = 0; i < count; i++) {
        int existing;
        const char *copy = ri_arena_string(&r->arena, names[i]);
        if (!copy)
            return ri_error_memory(r->ctx);
        RI_TRY(ri_names_add(&r->signals, copy, i, &existing));
    }
    return RI_OK;
}

static RiStatus declare_signals(RiRecord *r, Group *g, Declared *d, const char *const *names, const char *const *units)
{
    static const char prefix[] = "rille/msg/";
    char *type = ri_arena_alloc(&r->arena, sizeof prefix + strlen(g->topic) + 1 + SUFFIX, 1);
    if (!type)
        return ri_error_memory(r->ctx);
    RI_TRY(claim_names(r, g->count, names));
    char *bare = type + sizeof prefix - 1;
    type_name(bare, g->topic);
    RI_TRY(make_unique(&r->types, bare, r->group_count));
    memcpy(type, prefix, sizeof prefix - 1);
    d->schema_name = type;
    RI_TRY(put_signal_fields(r, &d->schema, g->count, names, units));
    put_json_list(&d->names, g->count, names);
    if (units)
        put_json_list(&d->units, g->count, units);
    return RI_OK;
}

RiStatus ri_record_add_signals(RiRecord *r, const char *topic, int count, const char *const *names,
                               const char *const *units, int *out_group)
{
    *out_group = -1;
    RI_TRY(check_topic(r, topic));
    RI_TRY(check_names(r, topic, count, names, units));
    Group *g;
    RI_TRY(new_group(r, GROUP_SIGNALS, topic, count, &g));
    g->size = MCAP_CDR_HEAD + 8 * (size_t)count;
    Declared d;
    init_declared(&d, r->ctx);
    RiStatus status = declare_signals(r, g, &d, names, units);
    if (status == RI_OK)
        status = add_group(r, g, &d, out_group);
    free_declared(&d);
    return status;
}

// --- frames and events ---------------------------------------------------------------------------

/// CDR aligns numbers to their size, counted from the end of its head.
static void align(RiBytes *b, size_t size)
{
    while (!b->failed && (b->size - MCAP_CDR_HEAD) % size != 0)
        ri_put_u8(b, 0);
}

static void put_cdr_string(RiBytes *b, const char *text)
{
    align(b, 4);
    ri_put_u32(b, (uint32_t)strlen(text) + 1);
    ri_put_data(b, text, strlen(text) + 1);
}

/// A tf2_msgs/TFMessage whose stamps and numbers are zero, and where those stand.
static void put_tf(RiBytes *b, FramePlace *places, const char *parent, int count, const char *const *names)
{
    ri_put_u32(b, 0x00000100); // CDR, little endian: bytes 0 1 0 0
    ri_put_u32(b, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        align(b, 4);
        places[i].stamp = b->size;
        ri_put_u64(b, 0);
        put_cdr_string(b, parent);
        put_cdr_string(b, names[i]);
        align(b, 8);
        places[i].numbers = b->size;
        for (int k = 0; k < 7; k++)
            ri_put_u64(b, 0);
    }
}

static RiStatus make_tf(RiRecord *r, Group *g, const char *parent, const char *const *names)
{
    RiBytes b;
    ri_bytes_init(&b, r->ctx);
    g->places = ri_arena_alloc(&r->arena, (size_t)g->count, sizeof *g->places);
    if (g->places)
        put_tf(&b, g->places, parent, g->count, names);
    g->message = g->places && !b.failed ? ri_arena_alloc(&r->arena, b.size, 1) : NULL;
    if (g->message)
        memcpy(g->message, b.at, b.size);
    g->size = b.size;
    ri_bytes_free(&b);
    if (g->size > LARGEST_MESSAGE)
        return ri_error(r->ctx, RI_ERR_LIMIT, "%s: %s: a message of %zu bytes is larger than the %d allowed",
                        r->sink.path, g->topic, g->size, LARGEST_MESSAGE);
    return g->message ? RI_OK : ri_error_memory(r->ctx);
}

RiStatus ri_record_add_frames(RiRecord *r, const char *topic, const char *parent, int count, const char *const *names,
                              int *out_group)
{
    *out_group = -1;
    RI_TRY(check_topic(r, topic));
    RI_TRY(check_names(r, topic, count, names, NULL));
    Group *g;
    RI_TRY(new_group(r, GROUP_FRAMES, topic, count, &g));
    RI_TRY(make_tf(r, g, parent, names));
    Declared d;
    init_declared(&d, r->ctx);
    d.schema_name = "tf2_msgs/msg/TFMessage";
    put_text(&d.schema, tf_schema);
    const RiStatus status = add_group(r, g, &d, out_group);
    free_declared(&d);
    return status;
}

/// A channel without a fixed size, of a given type.
static RiStatus add_plain(RiRecord *r, GroupKind kind, const char *topic, const char *type, const char *schema,
                          int *out_group)
{
    *out_group = -1;
    RI_TRY(check_topic(r, topic));
    Group *g;
    RI_TRY(new_group(r, kind, topic, 0, &g));
    Declared d;
    init_declared(&d, r->ctx);
    d.schema_name = type;
    put_text(&d.schema, schema);
    const RiStatus status = add_group(r, g, &d, out_group);
    free_declared(&d);
    return status;
}

RiStatus ri_record_add_events(RiRecord *r, const char *topic, int *out_group)
{
    return add_plain(r, GROUP_EVENTS, topic, "std_msgs/msg/String", "string data\n", out_group);
}

RiStatus ri_record_add_numbers(RiRecord *r, const char *topic, int *out_group)
{
    return add_plain(r, GROUP_NUMBERS, topic, "rille/msg/Numbers", "float32[] data\n", out_group);
}

RiStatus ri_record_add_messages(RiRecord *r, const char *topic, const char *type, const char *definition,
                                int *out_group)
{
    *out_group = -1;
    if (!type || !type[0] || !is_plain(type))
        return ri_error(r->ctx, RI_ERR_ARGUMENT, "%s: a type is a name such as 'std_msgs/msg/String'", r->sink.path);
    return add_plain(r, GROUP_MESSAGES, topic, type, definition, out_group);
}
