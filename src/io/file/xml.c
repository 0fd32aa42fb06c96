// SPDX-License-Identifier: Apache-2.0
/// \file
/// A tree built from expat's events.
///
/// A node, its attributes and their strings are one piece of memory, cut from large pieces of the
/// arena; a robot of 100 000 links has a million nodes. The text of the open elements is a stack in
/// one buffer: an element's text starts where its parent's text so far ends, and is popped when the
/// element ends.
///
/// expat allocates with malloc: its memory hooks carry no user pointer, and the library has no
/// global state to hold one.
#include "io/file/xml.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 65536 };

typedef struct Builder {
    RiContext *ctx;
    const char *path;
    XML_Parser parser;
    RiXml *xml;
    RiStatus status; ///< of the handlers; they do nothing once it is not RI_OK
    char *piece;     ///< unused part of the newest piece of the arena
    size_t piece_left;
    RiXmlNode *open; ///< innermost open element
    int depth, element_count;
    size_t text_start[RI_XML_MAX_DEPTH]; ///< of each open element, in `text`
    char *text;
    size_t text_size, text_capacity;
} Builder;

/// Records a failure at the parser's position and stops the parser. Columns count from 1.
RI_PRINTF(3, 4) static void stop(Builder *b, RiStatus status, const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const unsigned long line = XML_GetCurrentLineNumber(b->parser), column = XML_GetCurrentColumnNumber(b->parser) + 1;
    b->status = ri_error(b->ctx, status, "%s:%lu:%lu: %s", b->path, line, column, what);
    XML_StopParser(b->parser, XML_FALSE);
}

static void stop_memory(Builder *b)
{
    b->status = ri_error_memory(b->ctx);
    XML_StopParser(b->parser, XML_FALSE);
}

/// Zeroed memory, aligned for pointers.
static void *take(Builder *b, size_t bytes)
{
    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > b->piece_left) {
        const size_t size = bytes > PIECE ? bytes : PIECE;
        b->piece = ri_arena_alloc(&b->xml->arena, 1, size);
        b->piece_left = b->piece ? size : 0;
        if (!b->piece)
            return NULL;
    }
    void *block = b->piece;
    b->piece += bytes;
    b->piece_left -= bytes;
    return block;
}

static const char *copy_string(char **at, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = memcpy(*at, text, n);
    *at += n;
    return copy;
}

/// A node with its attributes in one block. `pairs` is expat's list: name, value, name, value, ...,
/// NULL.
static RiXmlNode *make_node(Builder *b, const char *name, const char *const *pairs)
{
    size_t count = 0, bytes = strlen(name) + 1;
    for (; pairs[2 * count]; count++)
        bytes += strlen(pairs[2 * count]) + 1 + strlen(pairs[2 * count + 1]) + 1;
    RiXmlNode *node = take(b, sizeof *node + count * sizeof *node->attributes + bytes);
    if (!node)
        return NULL;
    RiXmlAttribute *attributes = (RiXmlAttribute *)(node + 1);
    char *strings = (char *)(attributes + count);
    node->name = copy_string(&strings, name);
    for (size_t i = 0; i < count; i++) {
        attributes[i].name = copy_string(&strings, pairs[2 * i]);
        attributes[i].value = copy_string(&strings, pairs[2 * i + 1]);
    }
    node->attributes = attributes;
    node->attribute_count = (int)count;
    node->line = (int)XML_GetCurrentLineNumber(b->parser);
    return node;
}

static void attach(Builder *b, RiXmlNode *node)
{
    RiXmlNode *parent = node->parent = b->open;
    if (!parent)
        b->xml->root = node;
    else if (parent->last_child)
        parent->last_child->next = node;
    else
        parent->first_child = node;
    if (parent)
        parent->last_child = node;
}

static void on_start(void *user, const XML_Char *name, const XML_Char **pairs)
{
    Builder *b = user;
    if (b->status != RI_OK)
        return;
    if (b->depth == RI_XML_MAX_DEPTH) {
        stop(b, RI_ERR_LIMIT, "elements are nested more than %d deep", RI_XML_MAX_DEPTH);
        return;
    }
    if (b->element_count++ == RI_XML_MAX_ELEMENTS) {
        stop(b, RI_ERR_LIMIT, "more than %d elements", RI_XML_MAX_ELEMENTS);
        return;
    }
    RiXmlNode *node = make_node(b, name, (const char *const *)pairs);
    if (!node) {
        stop_memory(b);
        return;
    }
    attach(b, node);
    b->text_start[b->depth++] = b->text_size;
    b->open = node;
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void on_end(void *user, const XML_Char *name)
{
    (void)name;
    Builder *b = user;
    if (b->status != RI_OK)
        return;
    const size_t start = b->text_start[--b->depth];
    size_t end = b->text_size;
    while (end > start && is_space(b->text[end - 1]))
        end--;
    if (end > start) {
        char *text = take(b, end - start + 1);
        if (!text) {
            stop_memory(b);
            return;
        }
        b->open->text = memcpy(text, b->text + start, end - start);
    }
    b->text_size = start;
    b->open = b->open->parent;
}

static void on_text(void *user, const XML_Char *text, int length)
{
    Builder *b = user;
    if (b->status != RI_OK || !b->depth)
        return;
    size_t n = (size_t)length;
    // White space before the first character of an element's text is not kept.
    if (b->text_size == b->text_start[b->depth - 1])
        for (; n && is_space(*text); n--)
            text++;
    if (!n)
        return;
    if (b->text_capacity - b->text_size < n) {
        const size_t capacity = 2 * (b->text_size + n);
        char *grown = ri_resize(b->ctx, b->text, capacity, 1);
        if (!grown) {
            stop_memory(b);
            return;
        }
        b->text = grown;
        b->text_capacity = capacity;
    }
    memcpy(b->text + b->text_size, text, n);
    b->text_size += n;
}

static void on_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public, int subset)
{
    (void)name, (void)system, (void)public, (void)subset;
    stop(user, RI_ERR_FORMAT, "document type declarations (<!DOCTYPE>) are not allowed");
}

/// Status of a finished or broken parse.
static RiStatus run(Builder *b, const char *text, size_t size)
{
    XML_SetUserData(b->parser, b);
    XML_SetElementHandler(b->parser, on_start, on_end);
    XML_SetCharacterDataHandler(b->parser, on_text);
    XML_SetStartDoctypeDeclHandler(b->parser, on_doctype);
    if (XML_Parse(b->parser, text, (int)size, XML_TRUE) == XML_STATUS_OK || b->status != RI_OK)
        return b->status;
    const enum XML_Error code = XML_GetErrorCode(b->parser);
    if (code == XML_ERROR_NO_MEMORY)
        return ri_error_memory(b->ctx);
    stop(b, RI_ERR_FORMAT, "%s%s", XML_ErrorString(code),
         code == XML_ERROR_NO_ELEMENTS     ? ": the file ends before every element is closed"
         : code == XML_ERROR_TAG_MISMATCH  ? ": this end tag closes another element than the last one opened"
         : code == XML_ERROR_INVALID_TOKEN ? ": a quote, < or & may be missing or too much (&lt; &amp; in texts)"
                                           : "");
    return b->status;
}

RiStatus ri_xml_parse(RiContext *ctx, const char *path, const char *text, size_t size, RiXml *out_xml)
{
    *out_xml = (RiXml){0};
    ri_arena_init(&out_xml->arena, ctx);
    if (size > RI_XML_MAX_SIZE)
        return ri_error(ctx, RI_ERR_LIMIT, "%s: %zu bytes of XML, at most %d are allowed", path, size, RI_XML_MAX_SIZE);
    Builder b = {.ctx = ctx, .path = path, .xml = out_xml, .parser = XML_ParserCreate(NULL)};
    if (!b.parser)
        return ri_error_memory(ctx);
    const RiStatus status = run(&b, text, size);
    XML_ParserFree(b.parser);
    ri_release(ctx, b.text);
    if (status != RI_OK)
        ri_xml_free(out_xml);
    return status;
}

void ri_xml_free(RiXml *xml)
{
    if (xml->arena.ctx)
        ri_arena_free(&xml->arena);
    xml->root = NULL;
}

const char *ri_xml_attribute(const RiXmlNode *node, const char *name)
{
    for (int i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return node->attributes[i].value;
    return NULL;
}

const RiXmlNode *ri_xml_child(const RiXmlNode *node, const char *name)
{
    for (const RiXmlNode *child = node->first_child; child; child = child->next)
        if (strcmp(child->name, name) == 0)
            return child;
    return NULL;
}
