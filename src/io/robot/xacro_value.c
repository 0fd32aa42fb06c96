// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values of xacro expressions, and their texts as Python prints them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "io/robot/xacro.h"

RiXacroValue ri_xacro_string(const char *text)
{
    return (RiXacroValue){.kind = RI_XACRO_STRING, .text = text};
}

RiXacroValue ri_xacro_int(int64_t value)
{
    return (RiXacroValue){.kind = RI_XACRO_INT, .integer = value};
}

RiXacroValue ri_xacro_float(double value)
{
    return (RiXacroValue){.kind = RI_XACRO_FLOAT, .number = value};
}

RiXacroValue ri_xacro_bool(bool value)
{
    return (RiXacroValue){.kind = RI_XACRO_BOOL, .integer = value};
}

const char *ri_xacro_kind_name(RiXacroKind kind)
{
    switch (kind) {
    case RI_XACRO_NONE:
        return "None";
    case RI_XACRO_BOOL:
        return "a truth value";
    case RI_XACRO_INT:
        return "an int";
    case RI_XACRO_FLOAT:
        return "a float";
    case RI_XACRO_STRING:
        return "a text";
    case RI_XACRO_LIST:
        return "a list";
    case RI_XACRO_DICT:
        return "a dict";
    }
    return "";
}

bool ri_xacro_number(RiXacroValue value, double *out_number)
{
    *out_number = value.kind == RI_XACRO_FLOAT ? value.number : (double)value.integer;
    return value.kind == RI_XACRO_FLOAT || value.kind == RI_XACRO_INT || value.kind == RI_XACRO_BOOL;
}

int ri_xacro_count(RiXacroValue value)
{
    int n = 0;
    for (const RiXacroItem *item = value.items; item; item = item->next)
        n++;
    return n;
}

bool ri_xacro_is_true(RiXacroValue value)
{
    switch (value.kind) {
    case RI_XACRO_NONE:
        return false;
    case RI_XACRO_BOOL:
    case RI_XACRO_INT:
        return value.integer != 0;
    case RI_XACRO_FLOAT:
        return value.number != 0.0;
    case RI_XACRO_STRING:
        return *value.text != '\0';
    case RI_XACRO_LIST:
    case RI_XACRO_DICT:
        return value.items != NULL;
    }
    return false;
}

RiStatus ri_xacro_append(RiXacro *x, const RiXacroItem ***tail, const char *key, RiXacroValue value)
{
    RiXacroItem *item = ri_arena_alloc(&x->arena, 1, sizeof *item);
    if (!item)
        return ri_error_memory(x->ctx);
    *item = (RiXacroItem){key, value, NULL};
    **tail = item;
    *tail = (const RiXacroItem **)&item->next;
    return RI_OK;
}

// -------------------------------------------------------------------------------------------- text

/// As Python's repr of a float: the shortest digits that read back, with a point or an exponent.
static void float_text(double v, char out[40])
{
    if (!isfinite(v)) {
        snprintf(out, 40, "%s", isnan(v) ? "nan" : v > 0.0 ? "inf" : "-inf");
        return;
    }
    ri_number_text(v, out);
    if (!strpbrk(out, ".e"))
        strcat(out, ".0");
}

typedef struct Writer {
    char *text;
    size_t used, room;
} Writer;

static bool put(Writer *w, const char *text)
{
    const size_t n = strlen(text);
    if (n >= w->room - w->used)
        return false;
    memcpy(w->text + w->used, text, n + 1);
    w->used += n;
    return true;
}

static bool put_value(Writer *w, RiXacroValue value, bool quoted);

static bool put_items(Writer *w, RiXacroValue value)
{
    const bool dict = value.kind == RI_XACRO_DICT;
    bool good = put(w, dict ? "{" : "[");
    for (const RiXacroItem *item = value.items; item && good; item = item->next) {
        good = item == value.items || put(w, ", ");
        if (dict)
            good = good && put(w, "'") && put(w, item->key) && put(w, "': ");
        good = good && put_value(w, item->value, true);
    }
    return good && put(w, dict ? "}" : "]");
}

static bool put_value(Writer *w, RiXacroValue value, bool quoted)
{
    char number[40];
    switch (value.kind) {
    case RI_XACRO_NONE:
        return put(w, "None");
    case RI_XACRO_BOOL:
        return put(w, value.integer ? "True" : "False");
    case RI_XACRO_INT:
        snprintf(number, sizeof number, "%lld", (long long)value.integer);
        return put(w, number);
    case RI_XACRO_FLOAT:
        float_text(value.number, number);
        return put(w, number);
    case RI_XACRO_STRING:
        return quoted ? put(w, "'") && put(w, value.text) && put(w, "'") : put(w, value.text);
    case RI_XACRO_LIST:
    case RI_XACRO_DICT:
        return put_items(w, value);
    }
    return false;
}

RiStatus ri_xacro_text(RiXacro *x, RiXacroValue value, const char **out_text)
{
    *out_text = "";
    if (value.kind == RI_XACRO_STRING) {
        *out_text = value.text;
        return RI_OK;
    }
    enum { SHORT = 64, LONG = 65536 };
    const size_t room = value.items ? LONG : SHORT;
    Writer w = {ri_arena_alloc(&x->arena, room, 1), 0, room};
    if (!w.text)
        return ri_error_memory(x->ctx);
    *out_text = w.text;
    return put_value(&w, value, false) ? RI_OK : ri_xacro_error(x, RI_ERR_LIMIT, "a list is too long to be a text");
}

// ---------------------------------------------------------------------------------------- literals

static const char *skip_blanks(const char *text, size_t *size)
{
    text += strspn(text, " \t\r\n");
    *size = strlen(text);
    while (*size && strchr(" \t\r\n", text[*size - 1]))
        --*size;
    return text;
}

static bool is_int(const char *text, size_t size, int64_t *out_value)
{
    const size_t sign = size && (*text == '-' || *text == '+');
    if (size == sign || size - sign > 18)
        return false;
    int64_t value = 0;
    for (size_t i = sign; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = 10 * value + (text[i] - '0');
    }
    *out_value = *text == '-' ? -value : value;
    return true;
}

RiXacroValue ri_xacro_literal(RiXacro *x, const char *text)
{
    const size_t all = strlen(text);
    if (all >= 2 && text[0] == '\'' && text[all - 1] == '\'') {
        const char *inner;
        if (ri_xacro_copy(x, text + 1, all - 2, &inner) == RI_OK)
            return ri_xacro_string(inner);
    }
    size_t size;
    const char *start = skip_blanks(text, &size);
    int64_t integer;
    double number;
    if (is_int(start, size, &integer))
        return ri_xacro_int(integer);
    const char *digits = size && *start == '+' ? start + 1 : start;
    if (ri_number_parse(digits, size - (size_t)(digits - start), &number))
        return ri_xacro_float(number);
    if (strcmp(text, "true") == 0 || strcmp(text, "True") == 0)
        return ri_xacro_bool(true);
    if (strcmp(text, "false") == 0 || strcmp(text, "False") == 0)
        return ri_xacro_bool(false);
    return ri_xacro_string(text);
}
