// SPDX-License-Identifier: Apache-2.0
/// \file
/// Elements of xacro: each is replaced by what it represents.
///
/// The source trees are read only. The result is a new tree whose nodes carry the file and line of
/// their source, so that messages of the URDF loader name the place in the xacro file. An element
/// that cannot be expanded is left out and its message collected; expansion goes on to find the
/// next ones, and fails at the end with all of them.
#include "io/robot/xacro.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/file/file.h"

static const char prefix[] = "xacro:";

static const char *xacro_name(const RiXmlNode *node)
{
    return strncmp(node->name, prefix, sizeof prefix - 1) == 0 ? node->name + sizeof prefix - 1 : NULL;
}

static bool has_xacro(const RiXmlNode *node, int depth)
{
    if (xacro_name(node))
        return true;
    for (const RiXmlNode *c = node->first_child; c && depth < RI_XML_MAX_DEPTH; c = c->next)
        if (has_xacro(c, depth + 1))
            return true;
    return false;
}

bool ri_xacro_is_used(const RiXmlNode *root)
{
    return ri_xml_attribute(root, "xmlns:xacro") || has_xacro(root, 0);
}

RiStatus ri_xacro_error(RiXacro *x, RiStatus status, const char *format, ...)
{
    char text[RI_XACRO_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ri_error(x->ctx, status, "%s:%d: %s", x->file, x->line, text);
}

// -------------------------------------------------------------------------------------- the result

static RiStatus make_node(RiXacro *x, RiXmlNode *parent, const RiXmlNode *source, const char *name,
                          RiXmlNode **out_node)
{
    if (++x->element_count > RI_XML_MAX_ELEMENTS)
        return ri_xacro_error(x, RI_ERR_LIMIT, "the expanded robot has more than %d elements", RI_XML_MAX_ELEMENTS);
    RiXmlNode *node = ri_arena_alloc(x->out, 1, sizeof *node);
    char *copy = ri_arena_string(x->out, name), *file = ri_arena_string(x->out, x->file);
    if (!node || !copy || !file)
        return ri_error_memory(x->ctx);
    *node = (RiXmlNode){.name = copy, .file = file, .line = source->line, .parent = parent};
    if (parent && parent->last_child)
        parent->last_child->next = node;
    else if (parent)
        parent->first_child = node;
    if (parent)
        parent->last_child = node;
    *out_node = node;
    return RI_OK;
}

static RiStatus add_attribute(RiXacro *x, RiXmlNode *node, const char *name, const char *value)
{
    // Rare enough that the list is copied for each one; reserved in steps would cost more code than
    // time.
    RiXmlAttribute *list = ri_arena_alloc(x->out, (size_t)node->attribute_count + 1, sizeof *list);
    char *name_copy = ri_arena_string(x->out, name), *value_copy = ri_arena_string(x->out, value);
    if (!list || !name_copy || !value_copy)
        return ri_error_memory(x->ctx);
    if (node->attribute_count)
        memcpy(list, node->attributes, (size_t)node->attribute_count * sizeof *list);
    list[node->attribute_count++] = (RiXmlAttribute){name_copy, value_copy};
    node->attributes = list;
    return RI_OK;
}

// -------------------------------------------------------------------------------------- attributes

/// Evaluated text of an attribute; NULL if it is absent.
static RiStatus optional_text(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, const char *name,
                              const char **out_text)
{
    const char *text = ri_xml_attribute(node, name);
    *out_text = NULL;
    return text ? ri_xacro_eval_string(x, scope, text, out_text) : RI_OK;
}

static RiStatus required_text(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, const char *name,
                              const char **out_text)
{
    RI_TRY(optional_text(x, scope, node, name, out_text));
    return *out_text ? RI_OK : ri_xacro_error(x, RI_ERR_FORMAT, "<%s> has no attribute '%s'", node->name, name);
}

// ---------------------------------------------------------------------------------------- elements

static RiStatus expand_children(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out);
static RiStatus expand_node(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out);

static RiXacroScope *scope_for(RiXacro *x, RiXacroScope *scope, const char *word)
{
    if (word && strcmp(word, "global") == 0)
        return &x->global;
    if (word && strcmp(word, "parent") == 0)
        return scope->parent ? scope->parent : scope;
    return scope;
}

static RiStatus property(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    (void)out;
    const char *name, *where = ri_xml_attribute(node, "scope");
    RI_TRY(required_text(x, scope, node, "name", &name));
    const char *value = ri_xml_attribute(node, "value"), *fallback = ri_xml_attribute(node, "default");
    if (where && strcmp(where, "global") != 0 && strcmp(where, "parent") != 0)
        return ri_xacro_error(x, RI_ERR_FORMAT, "property '%.80s': scope=\"%.40s\" is not parent or global", name,
                              where);
    RiXacroScope *target = scope_for(x, scope, where);
    if (!value && !fallback) {
        const RiXacroName block = {.name = name, .block = node, .is_block = true};
        return ri_xacro_set(x, target, &block);
    }
    if (!value && ri_xacro_find(scope, name, false))
        return RI_OK;
    RiXacroName entry = {.name = name, .value = ri_xacro_string(value ? value : fallback), .late = true};
    if (target != scope) { // of another scope: evaluated here, where its names mean something
        RI_TRY(ri_xacro_eval_text(x, scope, entry.value.text, &entry.value));
        if (entry.value.kind == RI_XACRO_STRING)
            entry.value = ri_xacro_literal(x, entry.value.text);
        entry.late = false;
    }
    return ri_xacro_set(x, target, &entry);
}

static RiStatus argument(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    (void)out;
    const char *name, *fallback;
    RI_TRY(required_text(x, scope, node, "name", &name));
    for (int i = 0; i < x->options->setting_count; i++)
        if (strcmp(x->options->settings[i].name, name) == 0) {
            const RiXacroName given = {.name = name, .value = ri_xacro_literal(x, x->options->settings[i].value)};
            return ri_xacro_set(x, &x->args, &given);
        }
    RI_TRY(optional_text(x, scope, node, "default", &fallback));
    if (!fallback || ri_xacro_find(&x->args, name, false))
        return RI_OK;
    const RiXacroName entry = {.name = name, .value = ri_xacro_literal(x, fallback)};
    return ri_xacro_set(x, &x->args, &entry);
}

// ------------------------------------------------------------------------------------------ macros

/// The end of a default: white space outside quotes.
static size_t default_length(const char *text)
{
    size_t n = 0;
    char quote = '\0';
    int depth = 0;
    for (; text[n]; n++) {
        if (quote)
            quote = text[n] == quote ? '\0' : quote;
        else if (text[n] == '\'' || text[n] == '"')
            quote = text[n];
        else if (text[n] == '{' || text[n] == '(')
            depth++;
        else if (text[n] == '}' || text[n] == ')')
            depth--;
        else if (depth <= 0 && strchr(" \t\r\n,", text[n]))
            break;
    }
    return n;
}

/// One parameter: name, *name, **name, name:=default, name:=^ or name:=^|default. *at moves behind
/// it.
static RiStatus read_param(RiXacro *x, const char **at, RiXacroParam *p)
{
    p->stars = (int)strspn(*at, "*");
    *at += p->stars;
    const size_t n = strcspn(*at, " \t\r\n,:=");
    RI_TRY(ri_xacro_copy(x, *at, n, &p->name));
    *at += n;
    if (p->stars > 2 || !n)
        return ri_xacro_error(x, RI_ERR_FORMAT, "params: '%.40s' is not a parameter", *at - n - p->stars);
    const size_t sign = strncmp(*at, ":=", 2) == 0 ? 2 : **at == '=';
    if (!sign)
        return RI_OK;
    *at += sign;
    if (**at == '^') {
        p->forward = true;
        ++*at;
        if (**at != '|')
            return RI_OK;
        ++*at;
    }
    const size_t length = default_length(*at);
    RI_TRY(ri_xacro_copy(x, *at, length, &p->fallback));
    *at += length;
    return RI_OK;
}

static RiStatus read_params(RiXacro *x, const char *text, RiXacroParam **out_first)
{
    RiXacroParam **tail = out_first;
    for (text += strspn(text, " \t\r\n,"); *text; text += strspn(text, " \t\r\n,")) {
        RiXacroParam *p = *tail = ri_arena_alloc(&x->arena, 1, sizeof *p);
        if (!p)
            return ri_error_memory(x->ctx);
        RI_TRY(read_param(x, &text, p));
        tail = &p->next;
    }
    return RI_OK;
}

static RiXacroMacro *find_macro(const RiXacro *x, const char *name)
{
    for (RiXacroMacro *m = x->macros; m; m = m->next)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

static RiStatus define_macro(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    (void)out;
    const char *name, *params = ri_xml_attribute(node, "params");
    RI_TRY(required_text(x, scope, node, "name", &name));
    if (strncmp(name, prefix, sizeof prefix - 1) == 0)
        name += sizeof prefix - 1;
    RiXacroMacro *macro = ri_arena_alloc(&x->arena, 1, sizeof *macro);
    if (!macro)
        return ri_error_memory(x->ctx);
    *macro = (RiXacroMacro){.name = name, .body = node, .next = x->macros};
    RI_TRY(read_params(x, params ? params : "", &macro->params));
    x->macros = macro; // a later definition hides an earlier one
    return RI_OK;
}

static RiXacroParam *find_param(const RiXacroMacro *macro, const char *name)
{
    for (RiXacroParam *p = macro->params; p; p = p->next)
        if (!p->stars && strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static RiStatus set_attributes(RiXacro *x, RiXacroScope *scope, const RiXacroMacro *macro, const RiXmlNode *call,
                               RiXacroScope *inner)
{
    for (int i = 0; i < call->attribute_count; i++) {
        const RiXmlAttribute *a = &call->attributes[i];
        if (strcmp(a->name, "macro") == 0 && strcmp(call->name, "xacro:call") == 0)
            continue;
        const RiXacroParam *p = find_param(macro, a->name);
        if (!p)
            return ri_xacro_error(x, RI_ERR_FORMAT, "macro '%.80s' has no parameter '%.80s'", macro->name, a->name);
        RiXacroName entry = {.name = p->name};
        RI_TRY(ri_xacro_eval_text(x, scope, a->value, &entry.value));
        if (entry.value.kind == RI_XACRO_STRING)
            entry.value = ri_xacro_literal(x, entry.value.text);
        RI_TRY(ri_xacro_set(x, inner, &entry));
    }
    return RI_OK;
}

/// Blocks are expanded in the scope of the call, before the macro sees them.
static RiStatus set_blocks(RiXacro *x, RiXacroScope *scope, const RiXacroMacro *macro, const RiXmlNode *call,
                           RiXacroScope *inner)
{
    RiXmlNode *holder;
    RI_TRY(make_node(x, NULL, call, "blocks", &holder));
    RI_TRY(expand_children(x, scope, call, holder));
    const RiXmlNode *block = holder->first_child;
    for (const RiXacroParam *p = macro->params; p; p = p->next) {
        if (!p->stars)
            continue;
        if (!block)
            return ri_xacro_error(x, RI_ERR_FORMAT, "macro '%.80s' needs a block for its parameter '%s%.80s'",
                                  macro->name, p->stars == 2 ? "**" : "*", p->name);
        const RiXacroName entry = {.name = p->name, .block = block, .is_block = true, .whole = p->stars == 1};
        RI_TRY(ri_xacro_set(x, inner, &entry));
        block = block->next;
    }
    if (block)
        return ri_xacro_error(x, RI_ERR_FORMAT, "macro '%.80s' has no use for the block <%.80s>", macro->name,
                              block->name);
    return RI_OK;
}

static RiStatus set_defaults(RiXacro *x, RiXacroScope *scope, const RiXacroMacro *macro, RiXacroScope *inner)
{
    for (const RiXacroParam *p = macro->params; p; p = p->next) {
        const RiXacroScope own = {.names = inner->names};
        if (p->stars || ri_xacro_find((RiXacroScope *)&own, p->name, false))
            continue;
        RiXacroName entry = {.name = p->name}, *outer = p->forward ? ri_xacro_find(scope, p->name, false) : NULL;
        if (outer)
            RI_TRY(ri_xacro_resolve(x, outer, &entry.value));
        else if (p->fallback)
            RI_TRY(ri_xacro_eval_text(x, inner, p->fallback, &entry.value));
        else
            return ri_xacro_error(x, RI_ERR_FORMAT, "macro '%.80s' needs its parameter '%.80s'", macro->name, p->name);
        if (entry.value.kind == RI_XACRO_STRING)
            entry.value = ri_xacro_literal(x, entry.value.text);
        RI_TRY(ri_xacro_set(x, inner, &entry));
    }
    return RI_OK;
}

static RiStatus no_macro(RiXacro *x, const char *name)
{
    RiNameSearch search = ri_name_search(name);
    for (const RiXacroMacro *m = x->macros; m; m = m->next)
        ri_name_search_look(&search, m->name);
    return ri_xacro_error(x, RI_ERR_NOT_FOUND, "<xacro:%.80s>: there is no macro of this name%s%s%s", name,
                          search.found ? "; did you mean '" : "", search.found ? search.found : "",
                          search.found ? "'?" : "");
}

static RiStatus call_macro(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, const char *name, RiXmlNode *out)
{
    const RiXacroMacro *macro = find_macro(x, name);
    if (!macro)
        return no_macro(x, name);
    if (x->depth >= RI_XACRO_DEPTH)
        return ri_xacro_error(x, RI_ERR_LIMIT, "macro '%.80s': calls are nested more than %d deep", name,
                              RI_XACRO_DEPTH);
    RiXacroScope inner = {.parent = scope};
    RI_TRY(set_attributes(x, scope, macro, node, &inner));
    RI_TRY(set_blocks(x, scope, macro, node, &inner));
    RI_TRY(set_defaults(x, scope, macro, &inner));
    x->depth++;
    const RiStatus status = expand_children(x, &inner, macro->body, out);
    x->depth--;
    return status;
}

static RiStatus call_by_name(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    const char *name;
    RI_TRY(required_text(x, scope, node, "macro", &name));
    return call_macro(x, scope, node, name, out);
}

static RiStatus insert_block(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    const char *name;
    RI_TRY(required_text(x, scope, node, "name", &name));
    const RiXacroName *block = ri_xacro_find(scope, name, true);
    if (!block)
        return ri_xacro_error(x, RI_ERR_NOT_FOUND, "<xacro:insert_block>: there is no block '%.80s'", name);
    if (x->depth >= RI_XACRO_DEPTH)
        return ri_xacro_error(x, RI_ERR_LIMIT, "block '%.80s' is nested more than %d deep", name, RI_XACRO_DEPTH);
    x->depth++;
    const RiStatus status =
        block->whole ? expand_node(x, scope, block->block, out) : expand_children(x, scope, block->block, out);
    x->depth--;
    return status;
}

// ---------------------------------------------------------------------------------------- the rest

static RiStatus expand_if(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out, bool wanted)
{
    const char *text = ri_xml_attribute(node, "value");
    bool value;
    if (!text)
        return ri_xacro_error(x, RI_ERR_FORMAT, "<%s> has no attribute 'value'", node->name);
    RI_TRY(ri_xacro_eval_bool(x, scope, text, &value));
    return value == wanted ? expand_children(x, scope, node, out) : RI_OK;
}

static RiStatus expand_then(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    return expand_if(x, scope, node, out, true);
}

static RiStatus expand_unless(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    return expand_if(x, scope, node, out, false);
}

/// The path of an included file: absolute, or from the folder of the file that includes it.
static RiStatus include_path(RiXacro *x, const char *name, const char **out_path)
{
    const char *slash = strrchr(x->file, '/');
    const size_t n = *name != '/' && slash ? (size_t)(slash - x->file) + 1 : 0;
    char *path = ri_arena_alloc(&x->arena, n + strlen(name) + 1, 1);
    if (!path)
        return ri_error_memory(x->ctx);
    memcpy(path, x->file, n);
    strcpy(path + n, name);
    *out_path = path;
    return RI_OK;
}

/// Tells every element which file it comes from: a macro is expanded far from its definition.
static void sign(RiXmlNode *root, const char *file)
{
    for (RiXmlNode *node = root; node;) {
        node->file = file;
        if (node->first_child) {
            node = node->first_child;
            continue;
        }
        while (node != root && !node->next)
            node = node->parent;
        node = node == root ? NULL : node->next;
    }
}

static RiStatus read_file(RiXacro *x, const char *path, const RiXmlNode **out_root)
{
    char *text;
    size_t size;
    if (x->file_count == RI_XACRO_FILES)
        return ri_xacro_error(x, RI_ERR_LIMIT, "more than %d files are included", RI_XACRO_FILES);
    RI_TRY(ri_file_read(x->ctx, path, RI_XML_MAX_SIZE, &text, &size));
    RiXml *xml = &x->files[x->file_count];
    const RiStatus status = ri_xml_parse(x->ctx, path, text, size, xml);
    ri_release(x->ctx, text);
    RI_TRY(status);
    x->file_count++;
    sign(xml->root, path);
    *out_root = xml->root;
    return RI_OK;
}

static RiStatus include(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    const char *name, *path = NULL, *space, *may_lack;
    const RiXmlNode *root = NULL;
    RI_TRY(required_text(x, scope, node, "filename", &name));
    RI_TRY(optional_text(x, scope, node, "ns", &space));
    RI_TRY(optional_text(x, scope, node, "optional", &may_lack));
    if (space)
        return ri_xacro_error(x, RI_ERR_FORMAT, "<xacro:include>: name spaces (ns=\"%.40s\") are not understood",
                              space);
    if (x->depth >= RI_XACRO_DEPTH)
        return ri_xacro_error(x, RI_ERR_LIMIT, "files include each other more than %d deep", RI_XACRO_DEPTH);
    RI_TRY(include_path(x, name, &path));
    RiStatus status = read_file(x, path, &root);
    if (status == RI_ERR_NOT_FOUND && may_lack && strcasecmp(may_lack, "true") == 0)
        return RI_OK;
    if (status == RI_ERR_NOT_FOUND)
        return ri_xacro_error(x, status, "<xacro:include>: there is no file '%.300s'", path);
    RI_TRY(status);
    x->depth++;
    status = expand_children(x, scope, root, out);
    x->depth--;
    return status;
}

static RiStatus add_element(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    const char *name;
    RiXmlNode *made;
    RI_TRY(required_text(x, scope, node, "xacro:name", &name));
    RI_TRY(make_node(x, out, node, name, &made));
    for (int i = 0; i < node->attribute_count; i++) {
        const char *value;
        if (strcmp(node->attributes[i].name, "xacro:name") == 0)
            continue;
        RI_TRY(ri_xacro_eval_string(x, scope, node->attributes[i].value, &value));
        RI_TRY(add_attribute(x, made, node->attributes[i].name, value));
    }
    return expand_children(x, scope, node, made);
}

static RiStatus set_attribute(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    const char *name, *value;
    RI_TRY(required_text(x, scope, node, "name", &name));
    RI_TRY(required_text(x, scope, node, "value", &value));
    return add_attribute(x, out, name, value);
}

typedef struct Element {
    const char *name;
    RiStatus (*expand)(RiXacro *, RiXacroScope *, const RiXmlNode *, RiXmlNode *);
} Element;

static const Element elements[] = {
    {"property", property},
    {"arg", argument},
    {"macro", define_macro},
    {"call", call_by_name},
    {"insert_block", insert_block},
    {"include", include},
    {"if", expand_then},
    {"unless", expand_unless},
    {"element", add_element},
    {"attribute", set_attribute},
};

static RiStatus expand_xacro(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, const char *name, RiXmlNode *out)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strcmp(elements[i].name, name) == 0)
            return elements[i].expand(x, scope, node, out);
    return call_macro(x, scope, node, name, out);
}

static RiStatus expand_plain(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    RiXmlNode *made;
    RI_TRY(make_node(x, out, node, node->name, &made));
    for (int i = 0; i < node->attribute_count; i++) {
        const char *value;
        RI_TRY(ri_xacro_eval_string(x, scope, node->attributes[i].value, &value));
        RI_TRY(add_attribute(x, made, node->attributes[i].name, value));
    }
    if (node->text) {
        const char *text;
        RI_TRY(ri_xacro_eval_string(x, scope, node->text, &text));
        made->text = ri_arena_string(x->out, text);
        if (!made->text)
            return ri_error_memory(x->ctx);
    }
    return expand_children(x, scope, node, made);
}

static RiStatus expand_node(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    const char *name = xacro_name(node), *file = x->file;
    const int line = x->line;
    x->line = node->line;
    x->file = node->file;
    const RiStatus status = name ? expand_xacro(x, scope, node, name, out) : expand_plain(x, scope, node, out);
    x->line = line;
    x->file = file;
    return status;
}

/// Collects a message and goes on; other failures than bad input end the expansion.
static RiStatus keep_error(RiXacro *x, RiStatus status)
{
    if (status == RI_OK || status == RI_ERR_MEMORY || status == RI_ERR_LIMIT || x->error_count == RI_XACRO_ERRORS)
        return status;
    snprintf(x->errors[x->error_count++], RI_XACRO_MESSAGE, "%s", ri_context_message(x->ctx));
    return x->error_count == RI_XACRO_ERRORS ? status : RI_OK;
}

static RiStatus expand_children(RiXacro *x, RiXacroScope *scope, const RiXmlNode *node, RiXmlNode *out)
{
    for (const RiXmlNode *c = node->first_child; c; c = c->next)
        RI_TRY(keep_error(x, expand_node(x, scope, c, out)));
    return RI_OK;
}

// -------------------------------------------------------------------------------------- the public

/// Fails with all collected messages, a line each.
static RiStatus fail_with_errors(const RiXacro *x)
{
    enum { SHOWN = 5 };
    char text[SHOWN * RI_XACRO_MESSAGE] = "";
    for (int i = 0; i < x->error_count && i < SHOWN; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? "\n  " : "", x->errors[i]);
    }
    if (x->error_count > SHOWN)
        return ri_error(x->ctx, RI_ERR_FORMAT, "%s\n  and %s%d more", text,
                        x->error_count == RI_XACRO_ERRORS ? "at least " : "", x->error_count - SHOWN);
    return ri_error(x->ctx, RI_ERR_FORMAT, "%s", text);
}

static RiStatus check_settings(RiXacro *x)
{
    for (int i = 0; i < x->options->setting_count; i++) {
        const char *name = x->options->settings[i].name;
        if (ri_xacro_find(&x->args, name, false))
            continue;
        char known[512] = "";
        for (const RiXacroName *n = x->args.names; n; n = n->next) {
            const size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", n->name);
        }
        return ri_error(x->ctx, RI_ERR_NOT_FOUND, "%s: there is no <xacro:arg name=\"%.80s\">; arguments: %s",
                        x->root_file, name, *known ? known : "none");
    }
    return RI_OK;
}

static RiStatus expand_document(RiXacro *x, const RiXmlNode *root, RiXmlNode **out_root)
{
    x->line = root->line;
    RI_TRY(make_node(x, NULL, root, root->name, out_root));
    for (int i = 0; i < root->attribute_count; i++) {
        const char *value, *name = root->attributes[i].name;
        if (strncmp(name, "xmlns", 5) == 0)
            continue;
        RI_TRY(ri_xacro_eval_string(x, &x->global, root->attributes[i].value, &value));
        RI_TRY(add_attribute(x, *out_root, name, value));
    }
    const RiStatus status = expand_children(x, &x->global, root, *out_root);
    if (x->error_count)
        return fail_with_errors(x);
    RI_TRY(status);
    return check_settings(x);
}

static void report(const RiXacro *x, const RiXmlNode *root)
{
    int macros = 0;
    for (const RiXacroMacro *m = x->macros; m; m = m->next)
        macros++;
    ri_report_add(x->options->report, RI_FINDING_UNDERSTOOD, x->root_file, root->line,
                  "xacro: %d macro%s, %d included file%s, %d elements after expansion", macros, macros == 1 ? "" : "s",
                  x->file_count, x->file_count == 1 ? "" : "s", x->element_count);
}

RiStatus ri_xacro_expand(RiContext *ctx, const char *file, const RiLoadOptions *options, RiXml *xml)
{
    RiXacro *x = ri_alloc_zero(ctx, 1, sizeof *x);
    if (!x)
        return ri_error_memory(ctx);
    RiXml result = {0};
    *x = (RiXacro){.ctx = ctx, .options = options, .root_file = file, .file = file, .out = &result.arena};
    ri_arena_init(&x->arena, ctx);
    ri_arena_init(&result.arena, ctx);
    sign(xml->root, file);
    const RiStatus status = expand_document(x, xml->root, &result.root);
    if (status == RI_OK)
        report(x, result.root);
    for (int i = 0; i < x->file_count; i++)
        ri_xml_free(&x->files[i]);
    ri_arena_free(&x->arena);
    ri_release(ctx, x);
    ri_xml_free(status == RI_OK ? xml : &result);
    if (status == RI_OK)
        *xml = result;
    return status;
}
