// SPDX-License-Identifier: Apache-2.0
/// \file
/// From documents to items: blocks are repeated, names made, and items of a derived robot laid over
/// those of its base.
///
/// Order: the base first, then what extends it; within a document as written. An item that
/// overrides another keeps its place in the order, so a derived robot has its links and joints
/// where the base has them.
#include "io/robot/template.h"

#include <string.h>

enum { KEYS = 64, NAME_LENGTH = 255 };

static const char *const control_keys[] = {"repeat", "as", "if", "let"};
enum { CONTROL_COUNT = sizeof control_keys / sizeof *control_keys };

typedef RiStatus (*Once)(RiTemplate *t, RiItemKind kind, const RiYamlNode *node, const RiLocal *scope);

RiStatus ri_template_count(RiTemplate *t, const RiYamlNode *node)
{
    if (++t->expanded > RI_TEMPLATE_ITEMS)
        return ri_yaml_error(node, RI_ERR_LIMIT, "the template expands without end: more than %d items here",
                             RI_TEMPLATE_ITEMS);
    return RI_OK;
}

// ------------------------------------------------------------------------------ repeat, let and if

static RiStatus bind(RiTemplate *t, RiLocal local, const RiLocal **scope)
{
    RiLocal *kept = ri_arena_alloc(&t->arena, 1, sizeof *kept);
    if (!kept)
        return ri_error_memory(t->ctx);
    *kept = local;
    kept->outer = *scope;
    *scope = kept;
    return RI_OK;
}

/// Binds the names of `let`, each of which may use those before it.
static RiStatus bind_lets(RiTemplate *t, const RiYamlNode *node, const RiLocal **scope)
{
    const RiYamlNode *let = ri_yaml_get(node, "let");
    if (!let)
        return RI_OK;
    RI_TRY(ri_yaml_expect(let, RI_YAML_MAPPING));
    for (const RiYamlNode *c = let->first; c; c = c->next) {
        RiQuantity value;
        RI_TRY(ri_template_check_name(t, c, c->key, *scope));
        RI_TRY(ri_template_expression(t, (RiTemplateValue){c, *scope}, &value));
        RI_TRY(bind(t, (RiLocal){.name = c->key, .value = value, .line = c->key_line}, scope));
    }
    return RI_OK;
}

/// One pass over a block or an item: its names, its condition, then what it holds.
static RiStatus pass(RiTemplate *t, RiItemKind kind, const RiYamlNode *node, const RiLocal *scope, Once once)
{
    RI_TRY(ri_template_count(t, node));
    RI_TRY(bind_lets(t, node, &scope));
    const RiYamlNode *condition = ri_yaml_get(node, "if");
    bool wanted = true;
    if (condition)
        RI_TRY(ri_template_truth(t, (RiTemplateValue){condition, scope}, &wanted));
    return wanted ? once(t, kind, node, scope) : RI_OK;
}

/// `repeat: N`: the count from 1 is bound to the name.
static RiStatus repeat_count(RiTemplate *t, RiItemKind kind, RiTemplateValue body, const RiYamlNode *times,
                             const char *name, Once once)
{
    int count;
    RI_TRY(ri_template_whole(t, (RiTemplateValue){times, body.scope}, 0, 1000000000, &count));
    for (int i = 1; i <= count; i++) {
        const RiLocal *inner = body.scope;
        if (t->expanded >= RI_TEMPLATE_ITEMS)
            return ri_template_count(t, times);
        RI_TRY(bind(t, (RiLocal){.name = name, .value = {.value = i}, .line = times->key_line}, &inner));
        RI_TRY(pass(t, kind, body.node, inner, once));
    }
    return RI_OK;
}

/// `repeat: {left: 1, right: -1}`: the name is the word in texts and the value in expressions.
static RiStatus repeat_words(RiTemplate *t, RiItemKind kind, RiTemplateValue body, const RiYamlNode *words,
                             const char *name, Once once)
{
    for (const RiYamlNode *c = words->first; c; c = c->next) {
        const RiLocal *inner = body.scope;
        RiLocal local = {.name = name, .word = c->key, .line = words->key_line};
        RI_TRY(ri_template_expression(t, (RiTemplateValue){c, body.scope}, &local.value));
        RI_TRY(bind(t, local, &inner));
        RI_TRY(pass(t, kind, body.node, inner, once));
    }
    return RI_OK;
}

/// Passes over a block or an item as often as its `repeat` says.
static RiStatus repeat(RiTemplate *t, RiItemKind kind, const RiYamlNode *node, const RiLocal *scope, Once once)
{
    const RiYamlNode *times = ri_yaml_get(node, "repeat"), *as = ri_yaml_get(node, "as");
    if (!times && as)
        return ri_yaml_error(as, RI_ERR_FORMAT, "'as' names the count of a 'repeat', which is missing");
    if (!times)
        return pass(t, kind, node, scope, once);
    const char *name = "i";
    if (as)
        RI_TRY(ri_yaml_string(as, &name));
    RI_TRY(ri_template_check_name(t, as ? as : times, name, scope));
    const bool words = times->kind == RI_YAML_MAPPING;
    return (words ? repeat_words : repeat_count)(t, kind, (RiTemplateValue){node, scope}, times, name, once);
}

// ------------------------------------------------------------------------------------------- items

static bool is_control(const char *key)
{
    for (int i = 0; i < CONTROL_COUNT; i++)
        if (strcmp(key, control_keys[i]) == 0)
            return true;
    return false;
}

static RiStatus item_name(RiTemplate *t, RiItemKind kind, const RiYamlNode *node, const RiLocal *scope,
                          const char **out_name)
{
    const RiYamlNode *name = ri_yaml_get(node, "name");
    *out_name = NULL;
    if (!name && kind == RI_ITEM_SHAPE)
        return RI_OK;
    if (!name)
        return ri_yaml_error(node, RI_ERR_FORMAT, "key 'name' is missing in an item of '%s'",
                             ri_template_list_name(kind));
    RI_TRY(ri_template_text(t, (RiTemplateValue){name, scope}, out_name));
    if (!(*out_name)[0] || strlen(*out_name) > NAME_LENGTH)
        return ri_yaml_error(name, RI_ERR_FORMAT, "a name has 1 to %d bytes", NAME_LENGTH);
    return RI_OK;
}

/// Lays the fields of `node` over those that the item has.
static RiStatus collect_fields(RiTemplate *t, const RiYamlNode *node, const RiLocal *scope, RiItem *item)
{
    RiTemplateValue *fields = ri_arena_alloc(&t->arena, (size_t)(item->field_count + node->count), sizeof *fields);
    if (!fields)
        return ri_error_memory(t->ctx);
    int count = 0;
    for (int i = 0; i < item->field_count; i++)
        if (!ri_yaml_get(node, item->fields[i].node->key))
            fields[count++] = item->fields[i];
    for (const RiYamlNode *c = node->first; c; c = c->next)
        if (!is_control(c->key))
            fields[count++] = (RiTemplateValue){c, scope};
    item->fields = fields;
    item->field_count = count;
    return RI_OK;
}

static RiStatus append_item(RiTemplate *t, RiItemKind kind, const char *name, const RiYamlNode *node, RiItem **out_item)
{
    void *items = t->items;
    RI_TRY(ri_template_grow(t, &items, t->item_count, &t->item_capacity, sizeof *t->items));
    t->items = items;
    if (name) {
        int existing;
        RI_TRY(ri_names_add(&t->item_names[kind], name, t->item_count, &existing));
    }
    *out_item = &t->items[t->item_count++];
    **out_item = (RiItem){.kind = kind, .name = name, .node = node};
    return RI_OK;
}

/// Adds an item, or lays it over one of the same name that a base gave. What this document removes
/// is the base's, so a removed item is never of this level.
static RiStatus add_item(RiTemplate *t, RiItemKind kind, const RiYamlNode *node, const RiLocal *scope)
{
    const char *name;
    RI_TRY(item_name(t, kind, node, scope, &name));
    const int index = name ? ri_names_find(&t->item_names[kind], name) : -1;
    RiItem *item = index >= 0 ? &t->items[index] : NULL;
    if (item && item->level == t->level)
        return ri_yaml_error(node, RI_ERR_FORMAT, "'%s' is given twice in '%s', first in line %d", name,
                             ri_template_list_name(kind), item->node->line);
    if (item && item->removed)
        *item = (RiItem){.kind = kind, .name = item->name, .node = node};
    if (!item)
        RI_TRY(append_item(t, kind, name, node, &item));
    item->level = t->level;
    return collect_fields(t, node, scope, item);
}

static RiStatus expand_list(RiTemplate *t, RiItemKind kind, const RiYamlNode *list, const RiLocal *scope)
{
    const char *keys[KEYS];
    int count = ri_template_item_keys(kind, keys, KEYS - CONTROL_COUNT);
    for (int i = 0; i < CONTROL_COUNT; i++)
        keys[count++] = control_keys[i];
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        RI_TRY(ri_yaml_check_keys(c, keys, count));
        RI_TRY(repeat(t, kind, c, scope, add_item));
    }
    return RI_OK;
}

// ------------------------------------------------------------------------------------------ blocks

/// Kind of a list by its key, or RI_ITEM_KIND_COUNT.
static RiItemKind list_kind(const char *key)
{
    int kind = 0;
    while (kind < RI_ITEM_KIND_COUNT && strcmp(ri_template_list_name((RiItemKind)kind), key) != 0)
        kind++;
    return (RiItemKind)kind;
}

static RiStatus expand_part(RiTemplate *t, const RiYamlNode *part, const RiLocal *scope);

/// The lists and parts of a block, in the order in which they are written.
static RiStatus expand_block(RiTemplate *t, RiItemKind none, const RiYamlNode *block, const RiLocal *scope)
{
    (void)none;
    for (const RiYamlNode *c = block->first; c; c = c->next) {
        const RiItemKind kind = list_kind(c->key);
        if (kind != RI_ITEM_KIND_COUNT)
            RI_TRY(expand_list(t, kind, c, scope));
        if (strcmp(c->key, "parts") != 0)
            continue;
        RI_TRY(ri_yaml_expect(c, RI_YAML_SEQUENCE));
        for (const RiYamlNode *part = c->first; part; part = part->next)
            RI_TRY(expand_part(t, part, scope));
    }
    return RI_OK;
}

static int block_keys(const char **keys)
{
    int count = 0;
    for (int i = 0; i < RI_ITEM_KIND_COUNT; i++)
        keys[count++] = ri_template_list_name((RiItemKind)i);
    keys[count++] = "parts";
    keys[count++] = "doc";
    return count;
}

static RiStatus expand_part(RiTemplate *t, const RiYamlNode *part, const RiLocal *scope)
{
    const char *keys[KEYS];
    int count = block_keys(keys);
    for (int i = 0; i < CONTROL_COUNT; i++)
        keys[count++] = control_keys[i];
    RI_TRY(ri_yaml_check_keys(part, keys, count));
    return repeat(t, RI_ITEM_KIND_COUNT, part, scope, expand_block);
}

// ------------------------------------------------------------------------------ removal, documents

static RiStatus remove_one(RiTemplate *t, RiItemKind kind, const RiYamlNode *node)
{
    const char *name;
    RI_TRY(ri_template_text(t, (RiTemplateValue){node, NULL}, &name));
    const int index = ri_names_find(&t->item_names[kind], name);
    if (index >= 0 && !t->items[index].removed) {
        t->items[index].removed = true;
        return RI_OK;
    }
    const char *nearest = ri_names_nearest(&t->item_names[kind], name);
    return ri_yaml_error(node, RI_ERR_FORMAT, "the base has no '%s' in '%s'%s%s%s", name, ri_template_list_name(kind),
                         nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/// `remove: {links: [a, b], ...}`.
static RiStatus remove_items(RiTemplate *t, const RiYamlNode *remove)
{
    const char *keys[KEYS];
    RI_TRY(ri_yaml_check_keys(remove, keys, block_keys(keys) - 2)); // the lists alone
    for (const RiYamlNode *list = remove->first; list; list = list->next) {
        RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
        for (const RiYamlNode *c = list->first; c; c = c->next)
            RI_TRY(remove_one(t, list_kind(list->key), c));
    }
    return RI_OK;
}

static RiStatus expand_document(RiTemplate *t, const RiYamlNode *root)
{
    const char *keys[KEYS];
    int count = block_keys(keys);
    static const char *const top[] = {"robot", "source", "extends", "parameters", "base", "remove"};
    for (size_t i = 0; i < sizeof top / sizeof *top; i++)
        keys[count++] = top[i];
    RI_TRY(ri_yaml_check_keys(root, keys, count));
    const RiYamlNode *remove = ri_yaml_get(root, "remove");
    if (remove && !ri_yaml_get(root, "extends"))
        return ri_yaml_error(remove, RI_ERR_FORMAT, "there is nothing to remove from without 'extends'");
    if (remove)
        RI_TRY(remove_items(t, remove));
    return expand_block(t, RI_ITEM_KIND_COUNT, root, NULL);
}

RiStatus ri_template_expand(RiTemplate *t)
{
    for (t->level = t->document_count - 1; t->level >= 0; t->level--)
        RI_TRY(expand_document(t, ri_yaml_root(t->documents[t->level])));
    return RI_OK;
}
