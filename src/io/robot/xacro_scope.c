// SPDX-License-Identifier: Apache-2.0
/// \file
/// Properties of xacro: scopes, late evaluation, and the texts in which ${...} and $(...) stand.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/robot/package.h"
#include "io/robot/xacro.h"

RiStatus ri_xacro_copy(RiXacro *x, const char *text, size_t size, const char **out_text)
{
    *out_text = ri_arena_string_n(&x->arena, text, size);
    return *out_text ? RI_OK : ri_error_memory(x->ctx);
}

static RiXacroName *find_here(const RiXacroScope *scope, const char *name, bool block)
{
    for (RiXacroName *n = scope->names; n; n = n->next)
        if (n->is_block == block && strcmp(n->name, name) == 0)
            return n;
    return NULL;
}

RiXacroName *ri_xacro_find(RiXacroScope *scope, const char *name, bool block)
{
    for (; scope; scope = scope->parent) {
        RiXacroName *found = find_here(scope, name, block);
        if (found)
            return found;
    }
    return NULL;
}

RiStatus ri_xacro_set(RiXacro *x, RiXacroScope *scope, const RiXacroName *value)
{
    RiXacroName *name = find_here(scope, value->name, value->is_block);
    RiXacroName *next = name ? name->next : scope->names;
    if (name && name->running)
        return ri_xacro_error(x, RI_ERR_FORMAT, "property '%.80s' changes while it is evaluated", name->name);
    if (!name) {
        name = ri_arena_alloc(&x->arena, 1, sizeof *name);
        if (!name)
            return ri_error_memory(x->ctx);
        scope->names = name;
    }
    *name = *value;
    name->next = next;
    name->home = scope;
    return RI_OK;
}

RiStatus ri_xacro_resolve(RiXacro *x, RiXacroName *name, RiXacroValue *out_value)
{
    if (name->late) {
        if (name->running)
            return ri_xacro_error(x, RI_ERR_FORMAT, "property '%.80s' is defined in terms of itself", name->name);
        name->running = true;
        RiXacroValue value;
        const RiStatus status = ri_xacro_eval_text(x, name->home, name->value.text, &value);
        name->running = false;
        RI_TRY(status);
        name->value = value.kind == RI_XACRO_STRING ? ri_xacro_literal(x, value.text) : value;
        name->late = false;
    }
    *out_value = name->value;
    return RI_OK;
}

// ---------------------------------------------------------------------------------------------------- $(find), $(arg) ...

static RiStatus lookup_arg(RiXacro *x, const char *name, RiXacroValue *out_value)
{
    const RiXacroName *arg = ri_xacro_find(&x->args, name, false);
    if (arg) {
        *out_value = arg->value;
        return RI_OK;
    }
    RiNameSearch search = ri_name_search(name);
    for (const RiXacroName *n = x->args.names; n; n = n->next)
        ri_name_search_look(&search, n->name);
    return ri_xacro_error(
        x, RI_ERR_NOT_FOUND,
        "$(arg %.80s): there is no <xacro:arg name=\"%.80s\">%s%s%s; give it a default or --set %.80s=VALUE", name,
        name, search.found ? ", did you mean '" : "", search.found ? search.found : "", search.found ? "'" : "", name);
}

static RiStatus find_package(RiXacro *x, const char *name, RiXacroValue *out_value)
{
    RiFileSearch s = {0};
    const char *path;
    if (!ri_package_search(&s, x->root_file, name, x->options->package_paths, x->options->package_path_count))
        return ri_xacro_error(x, RI_ERR_NOT_FOUND,
                              "$(find %.80s): the package is not found; name the folder that holds it with -p FOLDER, "
                              "'packages:' in the scene or ROS_PACKAGE_PATH; searched: %s",
                              name, s.tried);
    RI_TRY(ri_xacro_copy(x, s.found, strlen(s.found), &path));
    *out_value = ri_xacro_string(path);
    return RI_OK;
}

static RiStatus environment(RiXacro *x, const char *name, const char *fallback, RiXacroValue *out_value)
{
    const char *value = getenv(name); // NOLINT(concurrency-mt-unsafe): read only
    if (!value && !fallback)
        return ri_xacro_error(x, RI_ERR_NOT_FOUND, "$(env %.80s): the environment has no such variable", name);
    const char *copy;
    RI_TRY(ri_xacro_copy(x, value ? value : fallback, strlen(value ? value : fallback), &copy));
    *out_value = ri_xacro_string(copy);
    return RI_OK;
}

static RiStatus folder_of_file(RiXacro *x, RiXacroValue *out_value)
{
    const char *slash = strrchr(x->file, '/'), *copy;
    if (slash)
        RI_TRY(ri_xacro_copy(x, x->file, (size_t)(slash - x->file), &copy));
    else
        copy = ".";
    *out_value = ri_xacro_string(copy);
    return RI_OK;
}

/// What is in $(...), its own expressions already evaluated.
static RiStatus extension(RiXacro *x, const char *text, RiXacroValue *out_value)
{
    const size_t skip = strspn(text, " \t\r\n"), word = strcspn(text + skip, " \t\r\n");
    const char *verb, *rest = text + skip + word + strspn(text + skip + word, " \t\r\n");
    RI_TRY(ri_xacro_copy(x, text + skip, word, &verb));
    if (strcmp(verb, "eval") == 0)
        return ri_xacro_eval(x, &x->args, rest, out_value);
    if (strcmp(verb, "dirname") == 0)
        return folder_of_file(x, out_value);
    if (strcmp(verb, "cwd") == 0) {
        *out_value = ri_xacro_string(".");
        return RI_OK;
    }
    const size_t name_size = strcspn(rest, " \t\r\n");
    const char *name, *more = rest + name_size + strspn(rest + name_size, " \t\r\n");
    RI_TRY(ri_xacro_copy(x, rest, name_size, &name));
    if (!*name)
        return ri_xacro_error(x, RI_ERR_FORMAT, "$(%.80s): a name is missing", text);
    if (strcmp(verb, "arg") == 0)
        return lookup_arg(x, name, out_value);
    if (strcmp(verb, "find") == 0)
        return find_package(x, name, out_value);
    if (strcmp(verb, "env") == 0)
        return environment(x, name, NULL, out_value);
    if (strcmp(verb, "optenv") == 0)
        return environment(x, name, more, out_value);
    return ri_xacro_error(x, RI_ERR_FORMAT,
                          "$(%.80s): '%.40s' is not understood; there are arg, find, env, optenv, eval, dirname, cwd",
                          text, verb);
}

// ------------------------------------------------------------------------------------------- texts

/// A text that is put together from pieces; one piece alone keeps its type.
typedef struct Pieces {
    RiXacroValue only;
    int count;
    char *text;
    size_t used, room;
} Pieces;

static RiStatus add_bytes(RiXacro *x, Pieces *p, const char *text, size_t size)
{
    if (p->used + size > RI_XACRO_TEXT)
        return ri_xacro_error(x, RI_ERR_LIMIT, "a value is longer than %d bytes", RI_XACRO_TEXT);
    if (p->used + size + 1 > p->room) {
        const size_t room = 2 * (p->used + size) + 64;
        char *grown = ri_arena_alloc(&x->arena, room, 1);
        if (!grown)
            return ri_error_memory(x->ctx);
        if (p->used)
            memcpy(grown, p->text, p->used);
        p->text = grown;
        p->room = room;
    }
    memcpy(p->text + p->used, text, size);
    p->used += size;
    p->text[p->used] = '\0';
    return RI_OK;
}

static RiStatus add_piece(RiXacro *x, Pieces *p, RiXacroValue value)
{
    const char *text;
    p->only = value;
    p->count++;
    RI_TRY(ri_xacro_text(x, value, &text));
    return add_bytes(x, p, text, strlen(text));
}

/// Evaluates ${...} or $(...) at `at`; `close` is its last character. *out_size is its length with
/// brackets.
static RiStatus add_bracket(RiXacro *x, RiXacroScope *scope, Pieces *p, const char *at, char close, size_t *out_size)
{
    const char *end = strchr(at + 2, close), *inner, *evaluated;
    if (!end)
        return ri_xacro_error(x, RI_ERR_FORMAT, "'%.60s' has no closing '%c'", at, close);
    *out_size = (size_t)(end - at) + 1;
    RI_TRY(ri_xacro_copy(x, at + 2, *out_size - 3, &inner));
    RI_TRY(ri_xacro_eval_string(x, scope, inner, &evaluated));
    RiXacroValue value;
    if (close == '}')
        RI_TRY(ri_xacro_eval(x, scope, evaluated, &value));
    else
        RI_TRY(extension(x, evaluated, &value));
    return add_piece(x, p, value);
}

/// The text up to the next '$' that begins something; `$${` represents `${`.
static size_t plain_length(const char *text)
{
    size_t n = 0;
    while (text[n] && !(text[n] == '$' && (text[n + 1] == '{' || text[n + 1] == '(' || text[n + 1] == '$')))
        n++;
    return n;
}

static RiStatus add_dollars(RiXacro *x, RiXacroScope *scope, Pieces *p, const char *at, size_t *out_size)
{
    const size_t dollars = strspn(at, "$");
    const char after = at[dollars];
    if (dollars > 1 || (after != '{' && after != '(')) {
        const bool escaped = dollars > 1 && (after == '{' || after == '(');
        *out_size = dollars + escaped;
        p->count += 2; // a text, whatever it looks like
        return add_bytes(x, p, at + escaped, *out_size - escaped);
    }
    return add_bracket(x, scope, p, at, after == '{' ? '}' : ')', out_size);
}

static RiStatus eval_pieces(RiXacro *x, RiXacroScope *scope, const char *text, Pieces *p)
{
    while (*text) {
        size_t size = plain_length(text);
        if (size) {
            p->count += 2;
            RI_TRY(add_bytes(x, p, text, size));
        } else {
            RI_TRY(add_dollars(x, scope, p, text, &size));
        }
        text += size;
    }
    return RI_OK;
}

RiStatus ri_xacro_eval_text(RiXacro *x, RiXacroScope *scope, const char *text, RiXacroValue *out_value)
{
    *out_value = ri_xacro_string(text);
    if (!strchr(text, '$'))
        return RI_OK;
    if (x->depth >= RI_XACRO_DEPTH)
        return ri_xacro_error(x, RI_ERR_LIMIT, "expressions and macros are nested more than %d deep", RI_XACRO_DEPTH);
    Pieces p = {0};
    x->depth++;
    const RiStatus status = eval_pieces(x, scope, text, &p);
    x->depth--;
    RI_TRY(status);
    *out_value = p.count == 1 ? p.only : ri_xacro_string(p.text ? p.text : "");
    return RI_OK;
}

RiStatus ri_xacro_eval_string(RiXacro *x, RiXacroScope *scope, const char *text, const char **out_text)
{
    RiXacroValue value;
    *out_text = "";
    RI_TRY(ri_xacro_eval_text(x, scope, text, &value));
    return ri_xacro_text(x, value, out_text);
}

RiStatus ri_xacro_eval_bool(RiXacro *x, RiXacroScope *scope, const char *text, bool *out_value)
{
    RiXacroValue value;
    RI_TRY(ri_xacro_eval_text(x, scope, text, &value));
    if (value.kind == RI_XACRO_STRING)
        value = ri_xacro_literal(x, value.text);
    if (value.kind == RI_XACRO_STRING)
        return ri_xacro_error(x, RI_ERR_FORMAT, "value=\"%.80s\": '%.80s' is not true, false or a number", text,
                              value.text);
    *out_value = ri_xacro_is_true(value);
    return RI_OK;
}
