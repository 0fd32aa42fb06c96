// SPDX-License-Identifier: Apache-2.0
/// \file
/// Schemas and channels of a log, and the signals they make. A channel has signals if its messages
/// are CDR and its schema is a ROS 2 message of float64 fields alone. Logs of ours carry the
/// signals' own names in the channel's metadata; for others a signal is named after topic and
/// field.
#include "io/record/log_work.h"

/// Gives a number to an index.
static RiStatus set_id(RiLog *log, LogIds *ids, size_t id, size_t index)
{
    if (id >= ids->room) {
        const size_t room = 2 * id + 16;
        int *grown = ri_resize(log->ctx, ids->index, room, sizeof *grown);
        if (!grown)
            return ri_error_memory(log->ctx);
        memset(grown + ids->room, 0, (room - ids->room) * sizeof *grown);
        ids->index = grown;
        ids->room = room;
    }
    ids->index[id] = (int)index + 1;
    return RI_OK;
}

// --- schema text ---------------------------------------------------------------------------------

/// Cuts the next line off `*text`; NULL at the end.
static char *next_line(char **text)
{
    char *line = *text;
    if (!line || !*line)
        return NULL;
    char *end = strchr(line, '\n');
    *text = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

/// Cuts the next word off `*text`; NULL if there is none.
static char *next_word(char **text)
{
    char *word = *text + strspn(*text, " \t\r");
    if (!*word)
        return NULL;
    char *end = word + strcspn(word, " \t\r");
    *text = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

/// The unit in a comment such as "unit: rad", or "".
static char *comment_unit(char *comment)
{
    static char none[] = "";
    char *unit = strstr(comment, "unit:");
    if (!unit)
        return none;
    unit += strlen("unit:");
    unit += strspn(unit, " \t");
    unit[strcspn(unit, "\r")] = '\0';
    return unit;
}

typedef enum LineKind { LINE_EMPTY, LINE_FIELD, LINE_OTHER, LINE_END } LineKind;

/// What a line of a message definition says.
static LineKind read_line(char *line, char **out_field, char **out_unit)
{
    static char none[] = "";
    *out_unit = none;
    char *comment = strchr(line, '#');
    if (comment) {
        *comment = '\0';
        *out_unit = comment_unit(comment + 1);
    }
    if (strncmp(line, "===", 3) == 0)
        return LINE_END; // definitions of other messages follow
    const bool constant = strchr(line, '=') != NULL;
    const char *type = next_word(&line);
    if (!type || constant)
        return LINE_EMPTY;
    *out_field = next_word(&line);
    return *out_field && strcmp(type, "float64") == 0 ? LINE_FIELD : LINE_OTHER;
}

/// Fields of a schema, pointing into `text`, which is cut up.
static RiStatus read_fields(RiLog *log, LogSchema *s, char *text)
{
    size_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    lines = lines < LOG_SIGNALS ? lines : LOG_SIGNALS + 1;
    s->fields = ri_arena_alloc(&log->arena, lines, sizeof *s->fields);
    s->units = ri_arena_alloc(&log->arena, lines, sizeof *s->units);
    if (!s->fields || !s->units)
        return ri_error_memory(log->ctx);
    size_t count = 0;
    for (char *line; count < lines && (line = next_line(&text));) {
        const LineKind kind = read_line(line, &s->fields[count], &s->units[count]);
        if (kind == LINE_OTHER)
            return RI_OK; // field_count stays -1
        if (kind == LINE_END)
            break;
        count += kind == LINE_FIELD;
    }
    log->field_total += count;
    if (log->field_total > LOG_SIGNALS)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: more than %d signals", log->path, LOG_SIGNALS);
    s->field_count = count > 0 ? (int)count : -1;
    return RI_OK;
}

static bool equals(const char *text, size_t size, const char *want)
{
    return size == strlen(want) && memcmp(text, want, size) == 0;
}

RiStatus ri_log_define_schema(RiLog *log, uint64_t offset, RiCursor c)
{
    size_t name_size, encoding_size, text_size;
    const size_t id = (size_t)ri_get(&c, 2);
    const char *name = ri_get_string(&c, &name_size);
    const char *encoding = ri_get_string(&c, &encoding_size);
    const char *text = ri_get_string(&c, &text_size);
    if (c.bad || id == 0)
        return ri_log_damage(log, offset, "a schema record is cut short or has number 0");
    if (ri_log_lookup(&log->schema_ids, id) >= 0)
        return RI_OK; // repeated
    RI_TRY(ri_log_grow(log->ctx, (void **)&log->schemas, log->schema_count, &log->schema_room, sizeof *log->schemas));
    LogSchema s = {.field_count = -1, .name = ri_arena_string_n(&log->arena, name, name_size)};
    if (!s.name)
        return ri_error_memory(log->ctx);
    if (equals(encoding, encoding_size, "ros2msg")) {
        char *copy = ri_arena_string_n(&log->arena, text, text_size);
        if (!copy)
            return ri_error_memory(log->ctx);
        RI_TRY(read_fields(log, &s, copy));
    }
    RI_TRY(set_id(log, &log->schema_ids, id, log->schema_count));
    log->schemas[log->schema_count++] = s;
    return RI_OK;
}

// --- lists in the metadata -----------------------------------------------------------------------

/// Writes a code point as UTF-8 and returns its bytes.
static int put_utf8(char *at, unsigned code)
{
    if (code < 0x80) {
        at[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        at[0] = (char)(0xc0 | (code >> 6));
        at[1] = (char)(0x80 | (code & 63));
        return 2;
    }
    at[0] = (char)(0xe0 | (code >> 12));
    at[1] = (char)(0x80 | ((code >> 6) & 63));
    at[2] = (char)(0x80 | (code & 63));
    return 3;
}

/// Four hexadecimal digits, or 0.
static unsigned hex4(const char *at)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *d = at[i] ? strchr(digits, at[i] | 0x20) : NULL;
        if (!d || !*d)
            return 0;
        value = 16 * value + (unsigned)(d - digits);
    }
    return value;
}

/// A JSON string that begins at `*text` (its quote), unescaped in place; NULL if it is malformed.
static char *json_string(char **text)
{
    char *in = *text, *out = in, *start = in;
    if (*in++ != '"')
        return NULL;
    while (*in != '"') {
        if (*in == '\0')
            return NULL;
        if (*in != '\\') {
            *out++ = *in++;
            continue;
        }
        const unsigned code = in[1] == 'u' ? hex4(in + 2) : 0;
        if (in[1] == '\0' || (in[1] == 'u' && code == 0))
            return NULL;
        if (in[1] == 'u')
            out += put_utf8(out, code);
        else
            *out++ = in[1] == 'n' || in[1] == 't' || in[1] == 'r' ? ' ' : in[1];
        in += in[1] == 'u' ? 6 : 2;
    }
    *text = in + 1;
    *out = '\0';
    return start;
}

static void skip_space(char **text)
{
    *text += strspn(*text, " \t\r\n");
}

/// A JSON list of exactly `count` strings, cut up in place.
static bool json_list(char *text, int count, char **out)
{
    skip_space(&text);
    if (*text++ != '[')
        return false;
    for (int i = 0; i < count; i++) {
        skip_space(&text);
        if (i > 0 && *text++ != ',')
            return false;
        skip_space(&text);
        if (!(out[i] = json_string(&text)))
            return false;
    }
    skip_space(&text);
    return *text == ']';
}

// --- channels ------------------------------------------------------------------------------------

typedef struct Lists {
    char **names, **units; ///< NULL: not given or not of the right length
} Lists;

/// The lists 'signals' and 'units' of a channel's metadata.
static RiStatus read_lists(RiLog *log, RiCursor map, int count, Lists *out)
{
    while (!map.bad && ri_left(&map) > 0) {
        size_t key_size, value_size;
        const char *key = ri_get_string(&map, &key_size);
        const char *value = ri_get_string(&map, &value_size);
        char ***list = equals(key, key_size, "signals") ? &out->names
                       : equals(key, key_size, "units") ? &out->units
                                                        : NULL;
        if (map.bad || !list || *list)
            continue;
        char *copy = ri_arena_string_n(&log->arena, value, value_size);
        char **texts = ri_arena_alloc(&log->arena, (size_t)count, sizeof *texts);
        if (!copy || !texts)
            return ri_error_memory(log->ctx);
        if (json_list(copy, count, texts))
            *list = texts;
    }
    return RI_OK;
}

/// "/robot/imu" and "x" as "robot.imu.x".
static const char *join_name(RiLog *log, const char *topic, const char *field)
{
    topic += *topic == '/';
    const size_t n = strlen(topic), m = strlen(field);
    char *name = ri_arena_alloc(&log->arena, n + m + 2, 1);
    if (!name)
        return NULL;
    memcpy(name, topic, n);
    for (size_t i = 0; i < n; i++)
        name[i] = name[i] == '/' ? '.' : name[i];
    name[n] = '.';
    memcpy(name + n + 1, field, m);
    return n > 0 ? name : name + 1;
}

static RiStatus add_signals(RiLog *log, const LogChannel *channel, const LogSchema *s, const Lists *lists)
{
    if (log->signal_count + (size_t)s->field_count > LOG_SIGNALS)
        return ri_error(log->ctx, RI_ERR_LIMIT, "%s: more than %d signals", log->path, LOG_SIGNALS);
    for (int i = 0; i < s->field_count; i++) {
        RI_TRY(
            ri_log_grow(log->ctx, (void **)&log->signals, log->signal_count, &log->signal_room, sizeof *log->signals));
        LogSignal x = {.channel = (int)log->channel_count, .field = i};
        x.name = lists->names ? lists->names[i] : join_name(log, channel->topic, s->fields[i]);
        x.unit = lists->units ? lists->units[i] : s->units[i];
        if (!x.name)
            return ri_error_memory(log->ctx);
        log->signals[log->signal_count++] = x;
    }
    return RI_OK;
}

/// Whether a channel carries CDR messages of a schema known by one of two names.
static bool is_encoded(const char *encoding, size_t size, const LogSchema *s, const char *name, const char *old_name)
{
    return s && equals(encoding, size, "cdr") && (strcmp(s->name, name) == 0 || strcmp(s->name, old_name) == 0);
}

RiStatus ri_log_define_channel(RiLog *log, uint64_t offset, RiCursor c)
{
    size_t topic_size, encoding_size, map_size;
    const size_t id = (size_t)ri_get(&c, 2), schema_id = (size_t)ri_get(&c, 2);
    const char *topic = ri_get_string(&c, &topic_size);
    const char *encoding = ri_get_string(&c, &encoding_size);
    const char *map = ri_get_string(&c, &map_size);
    if (c.bad)
        return ri_log_damage(log, offset, "a channel record is cut short");
    if (ri_log_lookup(&log->channel_ids, id) >= 0)
        return RI_OK; // repeated
    RI_TRY(
        ri_log_grow(log->ctx, (void **)&log->channels, log->channel_count, &log->channel_room, sizeof *log->channels));
    const int schema = ri_log_lookup(&log->schema_ids, schema_id);
    const LogSchema *s = schema >= 0 ? &log->schemas[schema] : NULL;
    LogChannel channel = {.topic = ri_arena_string_n(&log->arena, topic, topic_size),
                          .schema_name = s ? s->name : "",
                          .first_signal = (int)log->signal_count};
    if (!channel.topic)
        return ri_error_memory(log->ctx);
    if (s && s->field_count > 0 && equals(encoding, encoding_size, "cdr")) {
        Lists lists = {0};
        RI_TRY(read_lists(log, ri_cursor(map, map_size), s->field_count, &lists));
        RI_TRY(add_signals(log, &channel, s, &lists));
        channel.field_count = s->field_count;
    }
    channel.cdr = equals(encoding, encoding_size, "cdr");
    channel.poses = is_encoded(encoding, encoding_size, s, "tf2_msgs/msg/TFMessage", "tf2_msgs/TFMessage");
    channel.events = is_encoded(encoding, encoding_size, s, "std_msgs/msg/String", "std_msgs/String");
    channel.numbers = is_encoded(encoding, encoding_size, s, "rille/msg/Numbers", "rille/Numbers");
    log->group_count += channel.poses;
    RI_TRY(set_id(log, &log->channel_ids, id, log->channel_count));
    log->channels[log->channel_count++] = channel;
    return RI_OK;
}
