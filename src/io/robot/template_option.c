// SPDX-License-Identifier: Apache-2.0
/// \file
/// Option tables in YAML: each row knows its key, unit and range, so one function reads them all.
#include "io/robot/template_option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 60 };
static const double MOST_SEED = 9007199254740992.0; // 2^53: whole numbers are exact up to here

static bool is_key(const RiOptionTable *const *tables, int count, const char *key)
{
    for (int t = 0; t < count; t++)
        if (ri_option_find(tables[t], key))
            return true;
    return false;
}

/// "a, b, c" of all keys, cut where the buffer ends.
static const char *join_keys(const RiOptionTable *const *tables, int count, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int t = 0; t < count; t++)
        for (int i = 0; i < tables[t]->count && used < size; i++) {
            const int n = snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", tables[t]->rows[i].key);
            used += n > 0 ? (size_t)n : 0;
        }
    return buffer;
}

RiStatus ri_template_check_options(const RiYamlNode *map, const RiOptionTable *const *tables, int count)
{
    char keys[900];
    RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    for (const RiYamlNode *c = map->first; c; c = c->next) {
        if (is_key(tables, count, c->key))
            continue;
        const char *nearest = ri_option_nearest(tables, count, c->key);
        if (nearest)
            return ri_yaml_error_key(c, RI_ERR_FORMAT, "unknown key '%.*s'; did you mean '%s'?", SHOWN, c->key,
                                     nearest);
        return ri_yaml_error_key(c, RI_ERR_FORMAT, "unknown key '%.*s'; allowed: %s", SHOWN, c->key,
                                 join_keys(tables, count, keys, sizeof keys));
    }
    return RI_OK;
}

/// "'2 km' is 2000 m; allowed: 0 to 1000 m". The value is the one that was just written to the
/// struct.
static RiStatus check_range(RiTemplate *t, const RiYamlNode *node, const RiOption *row, const void *options)
{
    char value[160], allowed[320];
    if (ri_option_check(t->ctx, "", row, options) == RI_OK)
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT, "'%.*s' is %s; allowed: %s", SHOWN, node->text,
                         ri_option_print(row, options, value, sizeof value),
                         ri_option_print_allowed(row, allowed, sizeof allowed));
}

/// A whole number must be one before it can be stored in an integer.
static RiStatus read_whole(RiTemplate *t, RiTemplateValue v, const RiOption *row, double *out_value)
{
    const double low = row->kind == RI_OPTION_SEED ? 0.0 : row->low,
                 high = row->kind == RI_OPTION_SEED ? MOST_SEED : row->high;
    char allowed[320];
    RI_TRY(ri_template_number(t, v, "", out_value));
    const double x = *out_value;
    if (x == rint(x) && ((x >= low && x <= high) || (x == 0.0 && (row->flags & RI_OPTION_OR_ZERO))))
        return RI_OK;
    return ri_yaml_error(v.node, RI_ERR_FORMAT, "'%.*s' is %.9g; allowed: %s%s", SHOWN, v.node->text, x,
                         row->kind == RI_OPTION_SEED ? "" : "whole numbers, ",
                         ri_option_print_allowed(row, allowed, sizeof allowed));
}

static RiStatus read_scalar(RiTemplate *t, RiTemplateValue v, const RiOption *row, double *out_value)
{
    bool yes = false;
    int choice = 0;
    switch (row->kind) {
    case RI_OPTION_NUMBER:
        return ri_template_number(t, v, row->unit ? row->unit : "", out_value);
    case RI_OPTION_WHOLE:
    case RI_OPTION_SEED:
        return read_whole(t, v, row, out_value);
    case RI_OPTION_BOOL:
        RI_TRY(ri_template_truth(t, v, &yes));
        *out_value = yes;
        return RI_OK;
    case RI_OPTION_CHOICE:
        RI_TRY(ri_template_choice(t, v, row->words, row->word_count, &choice));
        *out_value = choice;
        return RI_OK;
    case RI_OPTION_TEXT:
    case RI_OPTION_VECTOR:
    case RI_OPTION_OWN:
        break;
    }
    return RI_OK;
}

RiStatus ri_template_option(RiTemplate *t, const RiYamlNode *node, const RiOption *row, void *options)
{
    const RiTemplateValue v = {node, NULL};
    const char *text;
    double x[3] = {0.0};
    int count;
    switch (row->kind) {
    case RI_OPTION_OWN:
        return RI_OK;
    case RI_OPTION_TEXT:
        RI_TRY(ri_template_text(t, v, &text));
        ri_option_set_text(row, options, text);
        break;
    case RI_OPTION_VECTOR:
        RI_TRY(ri_template_numbers(t, v, row->unit ? row->unit : "", 3, 3, x, &count));
        ri_option_set_vector(row, options, x);
        break;
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
    case RI_OPTION_BOOL:
    case RI_OPTION_CHOICE:
    case RI_OPTION_SEED:
        RI_TRY(read_scalar(t, v, row, x));
        ri_option_set_number(row, options, x[0]);
    }
    return check_range(t, node, row, options);
}

RiStatus ri_template_options(RiTemplate *t, const RiYamlNode *map, const RiOptionTable *table, void *options)
{
    for (int i = 0; i < table->count; i++) {
        const RiYamlNode *node = ri_yaml_get(map, table->rows[i].key);
        if (node)
            RI_TRY(ri_template_option(t, node, &table->rows[i], options));
    }
    return RI_OK;
}
