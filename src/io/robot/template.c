// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robot templates: YAML with parameters, expressions, repetition and inheritance -> RiSpec
/// (EELS-DARTS 2.1.5: the number of modules of a snake robot is chosen at launch). The format is
/// described in docs/templates.md.
#include "io/robot/template.h"

#include <stdio.h>
#include <string.h>

#include "io/file/file.h"

enum { PATH_LENGTH = 4096 };

RiStatus ri_template_grow(RiTemplate *t, void **items, int count, int *capacity, size_t size)
{
    return ri_grow(t->ctx, items, count, capacity, 32, size);
}

// ------------------------------------------------------------------------------------------- paths

/// Whether the last part of the path of `used` bytes is a folder that ".." can take away.
static bool ends_in_folder(const char *path, size_t used, size_t *out_start)
{
    size_t start = used;
    while (start > 0 && path[start - 1] != '/')
        start--;
    *out_start = start;
    const size_t size = used - start;
    return size > 0 && !(size == 2 && path[start] == '.' && path[start + 1] == '.');
}

/// Appends one part ("name", ".", "..") of a path. Returns the new length.
static size_t append_part(char *path, size_t used, const char *part, size_t size)
{
    size_t start;
    if (size == 0 || (size == 1 && part[0] == '.'))
        return used;
    if (size == 2 && part[0] == '.' && part[1] == '.' && ends_in_folder(path, used, &start))
        return start > 1 ? start - 1 : start; // without its slash, but for the root
    if (used > 0 && path[used - 1] != '/')
        path[used++] = '/';
    memcpy(path + used, part, size);
    return used + size;
}

/// Appends all parts of `text`. The caller has made sure that they fit.
static size_t append_path(char *path, size_t used, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end) {
        const char *slash = memchr(text, '/', (size_t)(end - text));
        const size_t part = (size_t)((slash ? slash : end) - text);
        used = append_part(path, used, text, part);
        text += part + (slash != NULL);
    }
    return used;
}

RiStatus ri_template_join(RiTemplate *t, const char *from, const char *path, const char **out_path)
{
    const char *slash = from ? strrchr(from, '/') : NULL;
    const size_t folder = slash && path[0] != '/' ? (size_t)(slash - from) : 0, size = strlen(path);
    *out_path = NULL;
    if (folder + size + 3 > PATH_LENGTH)
        return ri_error(t->ctx, RI_ERR_LIMIT, "%s: the path '%.60s...' is too long", from ? from : "<text>", path);
    char joined[PATH_LENGTH] = "";
    size_t used = 0;
    if (path[0] == '/' || (slash && from[0] == '/'))
        joined[used++] = '/';
    used = append_path(joined, used, from ? from : "", folder);
    used = append_path(joined, used, path, size);
    *out_path = ri_arena_string_n(&t->arena, joined, used);
    return *out_path ? RI_OK : ri_error_memory(t->ctx);
}

// --------------------------------------------------------------------------------------- documents

/// Refuses a file that is in the chain of extends already.
static RiStatus check_cycle(const RiTemplate *t, const RiYamlNode *extends, const char *path)
{
    char chain[1024];
    size_t used = 0;
    bool found = false;
    for (int i = 0; i < t->document_count && used < sizeof chain; i++) {
        found |= strcmp(t->paths[i], path) == 0;
        if (found)
            used += (size_t)snprintf(chain + used, sizeof chain - used, "%s -> ", t->paths[i]);
    }
    if (!found)
        return RI_OK;
    return ri_yaml_error(extends, RI_ERR_FORMAT, "files extend each other: %s%s", chain, path);
}

/// Loads the file that the last document extends. *out_more is false if it extends none.
static RiStatus load_base(RiTemplate *t, bool *out_more)
{
    const int last = t->document_count - 1;
    const RiYamlNode *root = ri_yaml_root(t->documents[last]);
    const char *name, *path;
    *out_more = false;
    RI_TRY(ri_yaml_expect(root, RI_YAML_MAPPING));
    const RiYamlNode *extends = ri_yaml_get(root, "extends");
    if (!extends)
        return RI_OK;
    RI_TRY(ri_yaml_string(extends, &name));
    if (!t->paths[last])
        return ri_yaml_error(extends, RI_ERR_FORMAT, "a text without a path cannot extend a file");
    if (last == RI_TEMPLATE_EXTENDS)
        return ri_yaml_error(extends, RI_ERR_LIMIT, "more than %d files extend each other", RI_TEMPLATE_EXTENDS);
    RI_TRY(ri_template_join(t, t->paths[last], name, &path));
    RI_TRY(check_cycle(t, extends, path));
    const RiStatus status = ri_yaml_load(t->ctx, path, NULL, &t->documents[last + 1]);
    if (status == RI_ERR_NOT_FOUND || status == RI_ERR_IO)
        return ri_yaml_error(extends, status, "%s", ri_context_message(t->ctx));
    RI_TRY(status);
    t->paths[t->document_count++] = path;
    *out_more = true;
    return RI_OK;
}

/// Loads the document and those it extends. `path` may be NULL.
static RiStatus load_documents(RiTemplate *t, const char *path, const char *text, size_t size)
{
    if (path)
        RI_TRY(ri_template_join(t, NULL, path, &t->paths[0]));
    RI_TRY(ri_yaml_parse(t->ctx, path, text, size, NULL, &t->documents[0]));
    t->document_count = 1;
    for (bool more = true; more;)
        RI_TRY(load_base(t, &more));
    return RI_OK;
}

// -------------------------------------------------------------------------------------------- spec

/// The first document that has a key decides; NULL if none has.
static const RiYamlNode *inherited(const RiTemplate *t, const char *key)
{
    for (int i = 0; i < t->document_count; i++) {
        const RiYamlNode *node = ri_yaml_get(ri_yaml_root(t->documents[i]), key);
        if (node)
            return node;
    }
    return NULL;
}

static RiStatus read_base(RiTemplate *t, RiBase *out_base)
{
    static const char *const words[] = {"auto", "fixed", "floating"};
    const RiYamlNode *node = inherited(t, "base");
    int index = 0;
    if (node)
        RI_TRY(ri_template_choice(t, (RiTemplateValue){node, NULL}, words, 3, &index));
    *out_base = (RiBase)index;
    return RI_OK;
}

/// Tells what was understood, and which parameters have no effect.
static void report(RiTemplate *t, const RiSpec *spec)
{
    int estimated = 0;
    for (int i = 0; i < t->parameter_count; i++) {
        const RiParameter *p = &t->parameters[i];
        const char *file = ri_yaml_file(p->node->document);
        estimated += p->estimated;
        // Of a base that this file extends, one may be left out by a condition that is set here.
        const bool inherited = !p->setting && p->value->document != t->documents[0];
        if (!p->used)
            ri_report_add(t->options.report, inherited ? RI_FINDING_IGNORED : RI_FINDING_WARNING, file,
                          p->node->key_line, "parameter '%s' is not used", p->name);
        else if (p->setting)
            ri_report_add(t->options.report, RI_FINDING_UNDERSTOOD, file, p->node->key_line,
                          "parameter '%s' is set to %.10g from outside", p->name, p->result.value);
    }
    ri_report_add(t->options.report, RI_FINDING_UNDERSTOOD, ri_yaml_file(t->documents[0]), 0,
                  "robot '%s': %d links, %d joints, %d couplings, %d loops; %d of %d parameters are estimates",
                  spec->name, spec->link_count, spec->joint_count, spec->coupling_count, spec->loop_count, estimated,
                  t->parameter_count);
}

static RiStatus make_spec(RiTemplate *t, RiSpec **out_spec)
{
    const char *name;
    RiBase base;
    const RiYamlNode *robot = inherited(t, "robot");
    if (!robot)
        return ri_yaml_error(ri_yaml_root(t->documents[0]), RI_ERR_FORMAT, "key 'robot' (its name) is missing");
    RI_TRY(ri_template_text(t, (RiTemplateValue){robot, NULL}, &name));
    RI_TRY(read_base(t, &base));
    RI_TRY(ri_spec_create(t->ctx, name, out_spec));
    (*out_spec)->base = base;
    return ri_template_build(t, *out_spec);
}

static RiStatus load(RiTemplate *t, const char *path, const char *text, size_t size, RiSpec **out_spec)
{
    RI_TRY(load_documents(t, path, text, size));
    RI_TRY(ri_template_parameters(t));
    RI_TRY(ri_template_expand(t));
    RI_TRY(make_spec(t, out_spec));
    report(t, *out_spec);
    return RI_OK;
}

static void release(RiTemplate *t)
{
    for (int i = 0; i <= RI_TEMPLATE_EXTENDS; i++)
        ri_yaml_destroy(t->documents[i]);
    for (int i = 0; i < RI_ITEM_KIND_COUNT; i++)
        ri_names_free(&t->item_names[i]);
    ri_names_free(&t->parameter_names);
    ri_release(t->ctx, t->parameters);
    ri_release(t->ctx, t->items);
    ri_arena_free(&t->arena);
    ri_release(t->ctx, t);
}

RiStatus ri_template_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                           const RiLoadOptions *options, RiSpec **out_spec)
{
    *out_spec = NULL;
    RiTemplate *t = ri_alloc_zero(ctx, 1, sizeof *t);
    if (!t)
        return ri_error_memory(ctx);
    t->ctx = ctx;
    if (options)
        t->options = *options;
    ri_arena_init(&t->arena, ctx);
    ri_names_init(&t->parameter_names, ctx);
    for (int i = 0; i < RI_ITEM_KIND_COUNT; i++)
        ri_names_init(&t->item_names[i], ctx);
    const RiStatus status = load(t, path, text, size, out_spec);
    release(t);
    if (status != RI_OK) {
        ri_spec_destroy(*out_spec);
        *out_spec = NULL;
    }
    return status;
}

RiStatus ri_template_load(RiContext *ctx, const char *path, const RiLoadOptions *options, RiSpec **out_spec)
{
    *out_spec = NULL;
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, ri_yaml_limits_default().size, &text, &size));
    const RiStatus status = ri_template_parse(ctx, path, text, size, options, out_spec);
    ri_release(ctx, text);
    return status;
}
