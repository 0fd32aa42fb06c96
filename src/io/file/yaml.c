// SPDX-License-Identifier: Apache-2.0
/// \file
/// The document tree: libyaml gives events with marks, a stack of open nodes turns them into a
/// tree.
///
/// Invariants: a mapping's children have keys, all different; nesting, number of nodes and size
/// stay within the limits, which are checked at each event, so that no input is read further than
/// it is accepted.
#include "io/file/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/expr.h"
#include "base/memory.h"
#include "base/names.h"
#include "io/file/file.h"

enum {
    DEPTH_LIMIT = 64, // also the size of the stack of open nodes
    NODE_LIMIT = 2000000,
    SIZE_LIMIT = 64 << 20, // [bytes]
    TEXT_POOL = 16000,     // texts are packed into blocks of this size [bytes]
    PAIRWISE_KEYS = 16,    // mappings up to this size are searched for equal keys pair by pair
    SHOWN = 60,            // longest part of a value that a message repeats
};

struct RiYaml {
    RiContext *ctx;
    RiArena arena;
    const char *file;
    RiYamlNode *root;
};

typedef struct Builder {
    RiYaml *document;
    RiYamlLimits limits;
    const char *text;
    size_t size;
    RiYamlNode *open[DEPTH_LIMIT + 1]; ///< the path from the root to the node being filled
    RiYamlNode *last[DEPTH_LIMIT + 1]; ///< youngest child of each
    int depth, nodes;
    const char *key; ///< waiting for its value
    int key_line, key_column;
    char *pool; ///< rest of the current text block
    size_t pool_left;
} Builder;

RiYamlLimits ri_yaml_limits_default(void)
{
    return (RiYamlLimits){.depth = DEPTH_LIMIT, .nodes = NODE_LIMIT, .size = SIZE_LIMIT};
}

const char *ri_yaml_kind_name(RiYamlKind kind)
{
    return kind == RI_YAML_SCALAR ? "scalar" : kind == RI_YAML_SEQUENCE ? "sequence" : "mapping";
}

const RiYamlNode *ri_yaml_root(const RiYaml *document)
{
    return document->root;
}

const char *ri_yaml_file(const RiYaml *document)
{
    return document->file;
}

// ---------------------------------------------------------------------------------------- building

static RiStatus refuse(const Builder *b, yaml_mark_t at, RiStatus status, const char *what)
{
    return ri_error(b->document->ctx, status, "%s:%d:%d: %s", b->document->file, (int)at.line + 1, (int)at.column + 1,
                    what);
}

/// Whether a text holds what steers a terminal: zero, escape and their kin, and those of Latin-1
/// (U+0080 to U+009F).
static bool has_control(const char *text, size_t size)
{
    const unsigned char *c = (const unsigned char *)text;
    for (size_t i = 0; i < size; i++)
        if ((c[i] < ' ' && c[i] != '\t' && c[i] != '\n' && c[i] != '\r') || c[i] == 0x7f ||
            (c[i] == 0xc2 && i + 1 < size && c[i + 1] >= 0x80 && c[i + 1] < 0xa0))
            return true;
    return false;
}

/// Copies a text of the document; short ones share a block.
static RiStatus keep_text(Builder *b, const yaml_event_t *event, const char **out_text)
{
    const char *text = (const char *)event->data.scalar.value;
    const size_t size = event->data.scalar.length;
    *out_text = NULL;
    if (has_control(text, size))
        return refuse(b, event->start_mark, RI_ERR_FORMAT, "a control character is not allowed in a text");
    if (size + 1 > b->pool_left) {
        const size_t bytes = size + 1 > TEXT_POOL ? size + 1 : TEXT_POOL;
        char *pool = ri_arena_alloc(&b->document->arena, bytes, 1);
        if (!pool)
            return ri_error_memory(b->document->ctx);
        b->pool = pool;
        b->pool_left = bytes;
    }
    memcpy(b->pool, text, size);
    b->pool[size] = '\0';
    *out_text = b->pool;
    b->pool += size + 1;
    b->pool_left -= size + 1;
    return RI_OK;
}

/// Whether the next scalar is a key.
static bool wants_key(const Builder *b)
{
    return b->depth > 0 && b->open[b->depth - 1]->kind == RI_YAML_MAPPING && !b->key;
}

/// Appends a node to the open one, or makes it the root.
static RiStatus add_node(Builder *b, RiYamlKind kind, yaml_mark_t at, RiYamlNode **out_node)
{
    if (b->nodes >= b->limits.nodes)
        return refuse(b, at, RI_ERR_LIMIT, "the document has too many values");
    RiYamlNode *node = *out_node = ri_arena_alloc(&b->document->arena, 1, sizeof *node);
    if (!node)
        return ri_error_memory(b->document->ctx);
    b->nodes++;
    *node = (RiYamlNode){.document = b->document,
                         .key = b->key,
                         .text = "",
                         .line = (int)at.line + 1,
                         .column = (int)at.column + 1,
                         .key_line = b->key_line,
                         .key_column = b->key_column,
                         .kind = (unsigned char)kind};
    b->key = NULL;
    b->key_line = b->key_column = 0;
    if (b->depth == 0) {
        b->document->root = node;
        return RI_OK;
    }
    const int top = b->depth - 1;
    if (b->last[top])
        b->last[top]->next = node;
    else
        b->open[top]->first = node;
    b->last[top] = node;
    b->open[top]->count++;
    return RI_OK;
}

static RiStatus add_scalar(Builder *b, const yaml_event_t *event)
{
    const char *text;
    RI_TRY(keep_text(b, event, &text));
    if (wants_key(b)) {
        b->key = text;
        b->key_line = (int)event->start_mark.line + 1;
        b->key_column = (int)event->start_mark.column + 1;
        return RI_OK;
    }
    RiYamlNode *node;
    RI_TRY(add_node(b, RI_YAML_SCALAR, event->start_mark, &node));
    node->text = text;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return RI_OK;
}

static RiStatus open_node(Builder *b, RiYamlKind kind, const yaml_event_t *event)
{
    if (wants_key(b))
        return refuse(b, event->start_mark, RI_ERR_FORMAT, "a key must be a text");
    if (b->depth >= b->limits.depth)
        return refuse(b, event->start_mark, RI_ERR_LIMIT, "the document is nested too deep");
    RiYamlNode *node;
    RI_TRY(add_node(b, kind, event->start_mark, &node));
    b->open[b->depth] = node;
    b->last[b->depth] = NULL;
    b->depth++;
    return RI_OK;
}

static RiStatus key_twice(const RiYamlNode *second, int first_line)
{
    return ri_error(second->document->ctx, RI_ERR_FORMAT, "%s:%d:%d: key '%.*s' is given twice, first in line %d",
                    second->document->file, second->key_line, second->key_column, SHOWN, second->key, first_line);
}

/// Large mappings: a table from key to line.
static RiStatus check_many_keys(const RiYamlNode *map)
{
    RiNames names;
    ri_names_init(&names, map->document->ctx);
    RiStatus status = RI_OK;
    for (const RiYamlNode *c = map->first; c && status == RI_OK; c = c->next) {
        int first_line;
        status = ri_names_add(&names, c->key, c->key_line, &first_line);
        if (status == RI_OK && first_line >= 0)
            status = key_twice(c, first_line);
    }
    ri_names_free(&names);
    return status;
}

static RiStatus check_keys_differ(const RiYamlNode *map)
{
    if (map->count > PAIRWISE_KEYS)
        return check_many_keys(map);
    for (const RiYamlNode *c = map->first; c; c = c->next)
        for (const RiYamlNode *d = map->first; d != c; d = d->next)
            if (strcmp(c->key, d->key) == 0)
                return key_twice(c, d->key_line);
    return RI_OK;
}

static RiStatus close_node(Builder *b)
{
    const RiYamlNode *node = b->open[--b->depth];
    return node->kind == RI_YAML_MAPPING ? check_keys_differ(node) : RI_OK;
}

/// Refuses anchors and tags. A quoted scalar has the non-specific tag "!" written or not; libyaml
/// gives NULL for it.
static RiStatus check_plain(const Builder *b, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor || event->type == YAML_ALIAS_EVENT)
        return refuse(b, event->start_mark, RI_ERR_FORMAT, "anchors (&) and aliases (*) are not allowed");
    if (tag)
        return refuse(b, event->start_mark, RI_ERR_FORMAT, "tags (!) are not allowed");
    return RI_OK;
}

static RiStatus take_event(Builder *b, const yaml_event_t *event)
{
    RI_TRY(check_plain(b, event));
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->document->root)
            return refuse(b, event->start_mark, RI_ERR_FORMAT, "only one document is allowed in a file");
        return RI_OK;
    case YAML_SCALAR_EVENT:
        return add_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(b, RI_YAML_SEQUENCE, event);
    case YAML_MAPPING_START_EVENT:
        return open_node(b, RI_YAML_MAPPING, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_node(b);
    default:
        return RI_OK;
    }
}

/// Whether line `line` (from 0) of the text has "${" in it.
static bool line_has_expression(const Builder *b, size_t line)
{
    const char *at = b->text, *end = b->text + b->size;
    for (; line > 0 && at < end; line--) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    for (; at + 1 < end && *at != '\n'; at++)
        if (at[0] == '$' && at[1] == '{')
            return true;
    return false;
}

/// What may be wrong, in words of somebody who does not know the grammar.
static const char *parser_hint(const Builder *b, const yaml_parser_t *parser)
{
    static const char *const hints[][2] = {
        {"tab character", "; indent with blanks, not with tabs"},
        {"cannot start any token",
         "; indent with blanks, not with tabs, and put texts with special characters in quotes"},
        {"mapping values are not allowed", "; is the indentation right, or does a text with ': ' lack its quotes?"},
        {"did not find expected key", "; is the indentation right?"},
        {"did not find expected ',' or", "; a comma, a quote or a bracket is missing"},
        {"unexpected end of stream", "; a quote or a bracket is not closed"},
    };
    if (line_has_expression(b, parser->problem_mark.line))
        return "; inside [ ] and { } write an expression in quotes: \"${...}\"";
    for (size_t i = 0; parser->problem && i < sizeof hints / sizeof *hints; i++)
        if (strstr(parser->problem, hints[i][0]))
            return hints[i][1];
    return "";
}

/// What libyaml says about a text it cannot read.
static RiStatus parser_error(const Builder *b, const yaml_parser_t *parser)
{
    RiContext *ctx = b->document->ctx;
    if (parser->error == YAML_MEMORY_ERROR)
        return ri_error_memory(ctx);
    if (parser->error == YAML_READER_ERROR)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: byte %zu: %s", b->document->file, parser->problem_offset,
                        parser->problem ? parser->problem : "unreadable text");
    const yaml_mark_t at = parser->problem_mark;
    return ri_error(ctx, RI_ERR_FORMAT, "%s:%d:%d: %s%s%s%s", b->document->file, (int)at.line + 1, (int)at.column + 1,
                    parser->context ? parser->context : "", parser->context ? ", " : "",
                    parser->problem ? parser->problem : "malformed text", parser_hint(b, parser));
}

/// Reads all events into the tree.
static RiStatus build(Builder *b)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return ri_error_memory(b->document->ctx);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)b->text, b->size);
    RiStatus status = RI_OK;
    for (bool done = false; !done && status == RI_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = parser_error(b, &parser);
            break;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        status = take_event(b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

/// Makes the document with its name; the tree comes later.
static RiStatus create(RiContext *ctx, const char *file, RiYaml **out_document)
{
    *out_document = NULL;
    RiYaml *document = ri_alloc_zero(ctx, 1, sizeof *document);
    if (!document)
        return ri_error_memory(ctx);
    document->ctx = ctx;
    ri_arena_init(&document->arena, ctx);
    document->file = ri_arena_string(&document->arena, file ? file : "<text>");
    if (!document->file) {
        ri_yaml_destroy(document);
        return ri_error_memory(ctx);
    }
    *out_document = document;
    return RI_OK;
}

RiStatus ri_yaml_parse(RiContext *ctx, const char *file, const char *text, size_t size, const RiYamlLimits *limits,
                       RiYaml **out_document)
{
    *out_document = NULL;
    RiYaml *document;
    RI_TRY(create(ctx, file, &document));
    Builder b = {.document = document, .text = text, .size = size};
    b.limits = limits ? *limits : ri_yaml_limits_default();
    if (b.limits.depth > DEPTH_LIMIT)
        b.limits.depth = DEPTH_LIMIT;
    RiStatus status = RI_OK;
    if (size > b.limits.size)
        status = ri_error(ctx, RI_ERR_LIMIT, "%s: the text is larger than %zu bytes", document->file, b.limits.size);
    else
        status = build(&b);
    if (status == RI_OK && !document->root) {
        RiYamlNode *node;
        status = add_node(&b, RI_YAML_SCALAR, (yaml_mark_t){0}, &node);
    }
    if (status != RI_OK) {
        ri_yaml_destroy(document);
        return status;
    }
    *out_document = document;
    return RI_OK;
}

RiStatus ri_yaml_load(RiContext *ctx, const char *path, const RiYamlLimits *limits, RiYaml **out_document)
{
    *out_document = NULL;
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, limits ? limits->size : SIZE_LIMIT, &text, &size));
    const RiStatus status = ri_yaml_parse(ctx, path, text, size, limits, out_document);
    ri_release(ctx, text);
    return status;
}

void ri_yaml_destroy(RiYaml *document)
{
    if (!document)
        return;
    RiContext *ctx = document->ctx;
    ri_arena_free(&document->arena);
    ri_release(ctx, document);
}

// ----------------------------------------------------------------------------------------- getters

const RiYamlNode *ri_yaml_get(const RiYamlNode *map, const char *key)
{
    if (map && map->kind == RI_YAML_MAPPING)
        for (const RiYamlNode *c = map->first; c; c = c->next)
            if (strcmp(c->key, key) == 0)
                return c;
    return NULL;
}

const RiYamlNode *ri_yaml_at(const RiYamlNode *sequence, int index)
{
    if (!sequence || sequence->kind != RI_YAML_SEQUENCE)
        return NULL;
    const RiYamlNode *c = sequence->first;
    for (; c && index > 0; index--)
        c = c->next;
    return c;
}

static RiStatus error_in_column(const RiYamlNode *node, int column, RiStatus status, const char *text)
{
    RiContext *ctx = node->document->ctx;
    const char *file = node->document->file;
    if (node->key)
        return ri_error(ctx, status, "%s:%d:%d: key '%.*s': %s", file, node->line, column, SHOWN, node->key, text);
    return ri_error(ctx, status, "%s:%d:%d: %s", file, node->line, column, text);
}

RiStatus ri_yaml_error(const RiYamlNode *node, RiStatus status, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_in_column(node, node->column, status, text);
}

RiStatus ri_yaml_error_key(const RiYamlNode *node, RiStatus status, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ri_error(node->document->ctx, status, "%s:%d:%d: %s", node->document->file, node->key_line, node->key_column,
                    text);
}

RiStatus ri_yaml_error_at(const RiYamlNode *node, int offset, RiStatus status, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_in_column(node, node->column + node->quoted + offset, status, text);
}

RiStatus ri_yaml_expect(const RiYamlNode *node, RiYamlKind kind)
{
    if (node->kind == kind)
        return RI_OK;
    const bool empty = node->kind == RI_YAML_SCALAR && !node->text[0];
    return ri_yaml_error(node, RI_ERR_FORMAT, "expected a %s, found %s%s", ri_yaml_kind_name(kind),
                         empty ? "nothing" : "a ", empty ? "" : ri_yaml_kind_name((RiYamlKind)node->kind));
}

RiStatus ri_yaml_require(const RiYamlNode *map, const char *key, RiYamlKind kind, const RiYamlNode **out_node)
{
    *out_node = NULL;
    RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    const RiYamlNode *node = ri_yaml_get(map, key);
    if (!node)
        return ri_yaml_error(map, RI_ERR_FORMAT, "key '%s' is missing", key);
    RI_TRY(ri_yaml_expect(node, kind));
    *out_node = node;
    return RI_OK;
}

/// "a, b, c" of a list of words, cut where the buffer ends.
static const char *join_words(const char *const *words, int count, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const int n = snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", words[i]);
        used += n > 0 ? (size_t)n : 0;
    }
    return buffer;
}

static bool is_word(const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

RiStatus ri_yaml_check_keys(const RiYamlNode *map, const char *const *allowed, int count)
{
    RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    for (const RiYamlNode *c = map->first; c; c = c->next) {
        if (is_word(c->key, allowed, count))
            continue;
        const char *nearest = ri_nearest_name(c->key, allowed, count);
        char list[512];
        if (nearest)
            return ri_yaml_error_key(c, RI_ERR_FORMAT, "unknown key '%.*s'; did you mean '%s'?", SHOWN, c->key,
                                     nearest);
        return ri_yaml_error_key(c, RI_ERR_FORMAT, "unknown key '%.*s'; allowed: %s", SHOWN, c->key,
                                 join_words(allowed, count, list, sizeof list));
    }
    return RI_OK;
}

RiStatus ri_yaml_string(const RiYamlNode *node, const char **out_text)
{
    *out_text = "";
    RI_TRY(ri_yaml_expect(node, RI_YAML_SCALAR));
    if (!node->text[0] && !node->quoted)
        return ri_yaml_error(node, RI_ERR_FORMAT, "expected a text, found nothing");
    *out_text = node->text;
    return RI_OK;
}

/// Tells that a value does not have the unit that is wanted.
static RiStatus check_unit(const RiYamlNode *node, RiQuantity q, const char *unit)
{
    RiQuantity want;
    RiExprError error;
    char got[64];
    if (!unit)
        return RI_OK;
    if (ri_unit_parse(unit, strlen(unit), &want, &error) != RI_OK)
        return ri_yaml_error(node, RI_ERR_ARGUMENT, "unit '%s': %s", unit, error.text);
    if (ri_dim_fits(q.dim, want.dim))
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT, "'%.*s' has unit %s, expected %s", SHOWN, node->text,
                         ri_dim_text(q.dim, got, sizeof got), unit[0] ? unit : "a plain number");
}

RiStatus ri_yaml_number(const RiYamlNode *node, const char *unit, double *out_value)
{
    *out_value = 0.0;
    RI_TRY(ri_yaml_expect(node, RI_YAML_SCALAR));
    RiQuantity q;
    RiExprError error;
    if (ri_quantity_parse(node->text, strlen(node->text), &q, &error) != RI_OK)
        return ri_yaml_error_at(node, error.column - 1, RI_ERR_FORMAT, "'%.*s' is not a number: %s", SHOWN, node->text,
                                error.text);
    RI_TRY(check_unit(node, q, unit));
    *out_value = q.value;
    return RI_OK;
}

RiStatus ri_yaml_int(const RiYamlNode *node, int least, int most, int *out_value)
{
    *out_value = 0;
    double value;
    RI_TRY(ri_yaml_number(node, "", &value));
    if (!(value >= least && value <= most) || value != (double)(int)value)
        return ri_yaml_error(node, RI_ERR_FORMAT, "'%.*s' must be a whole number from %d to %d", SHOWN, node->text,
                             least, most);
    *out_value = (int)value;
    return RI_OK;
}

RiStatus ri_yaml_bool(const RiYamlNode *node, bool *out_value)
{
    static const char *const words[] = {"false", "true"};
    int index;
    *out_value = false;
    RI_TRY(ri_yaml_choice(node, words, 2, &index));
    *out_value = index == 1;
    return RI_OK;
}

RiStatus ri_yaml_numbers(const RiYamlNode *node, const char *unit, double *out_values, int count)
{
    memset(out_values, 0, (size_t)count * sizeof *out_values);
    RI_TRY(ri_yaml_expect(node, RI_YAML_SEQUENCE));
    if (node->count != count)
        return ri_yaml_error(node, RI_ERR_FORMAT, "expected %d numbers, found %d", count, node->count);
    int i = 0;
    for (const RiYamlNode *c = node->first; c; c = c->next)
        RI_TRY(ri_yaml_number(c, unit, &out_values[i++]));
    return RI_OK;
}

RiStatus ri_yaml_choice_text(const RiYamlNode *node, const char *text, const char *const *words, int count,
                             int *out_index)
{
    *out_index = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out_index = i;
            return RI_OK;
        }
    }
    char list[512];
    const char *nearest = ri_nearest_name(text, words, count);
    if (nearest)
        return ri_yaml_error(node, RI_ERR_FORMAT, "'%.*s' is not allowed; did you mean '%s'?", SHOWN, text, nearest);
    return ri_yaml_error(node, RI_ERR_FORMAT, "'%.*s' is not allowed; one of: %s", SHOWN, text,
                         join_words(words, count, list, sizeof list));
}

RiStatus ri_yaml_choice(const RiYamlNode *node, const char *const *words, int count, int *out_index)
{
    *out_index = 0;
    RI_TRY(ri_yaml_expect(node, RI_YAML_SCALAR));
    return ri_yaml_choice_text(node, node->text, words, count, out_index);
}

RiStatus ri_yaml_get_string(const RiYamlNode *map, const char *key, const char **out_text)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    return node ? ri_yaml_string(node, out_text) : RI_OK;
}

RiStatus ri_yaml_get_number(const RiYamlNode *map, const char *key, const char *unit, double *out_value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    return node ? ri_yaml_number(node, unit, out_value) : RI_OK;
}

RiStatus ri_yaml_get_int(const RiYamlNode *map, const char *key, int least, int most, int *out_value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    return node ? ri_yaml_int(node, least, most, out_value) : RI_OK;
}

RiStatus ri_yaml_get_bool(const RiYamlNode *map, const char *key, bool *out_value)
{
    const RiYamlNode *node = ri_yaml_get(map, key);
    return node ? ri_yaml_bool(node, out_value) : RI_OK;
}
