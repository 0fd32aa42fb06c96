// SPDX-License-Identifier: Apache-2.0
/// \file
/// What follows from the rows of an option table. Values are copied by memcpy, so that a row may
/// describe any field of a struct.
#include "base/option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/names.h"
#include "base/number.h"

static const char *field(const RiOption *row, const void *options)
{
    return (const char *)options + row->offset;
}

const RiOption *ri_option_find(const RiOptionTable *table, const char *key)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->rows[i].key, key) == 0)
            return &table->rows[i];
    return NULL;
}

const char *ri_option_nearest(const RiOptionTable *const *tables, int count, const char *key)
{
    RiNameSearch near = ri_name_search(key);
    for (int t = 0; t < count; t++)
        for (int i = 0; i < tables[t]->count; i++)
            ri_name_search_look(&near, tables[t]->rows[i].key);
    return near.found;
}

// --------------------------------------------------------------------------------------- one field

double ri_option_number(const RiOption *row, const void *options)
{
    const char *at = field(row, options);
    double number;
    int whole;
    bool yes;
    unsigned choice;
    unsigned long long seed;
    switch (row->kind) {
    case RI_OPTION_NUMBER:
        memcpy(&number, at, sizeof number);
        return number;
    case RI_OPTION_WHOLE:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case RI_OPTION_BOOL:
        memcpy(&yes, at, sizeof yes);
        return yes;
    case RI_OPTION_CHOICE:
        memcpy(&choice, at, sizeof choice);
        return choice;
    case RI_OPTION_SEED:
        memcpy(&seed, at, sizeof seed);
        return (double)seed;
    case RI_OPTION_TEXT:
    case RI_OPTION_VECTOR:
    case RI_OPTION_OWN:
        break;
    }
    return NAN;
}

void ri_option_set_number(const RiOption *row, void *options, double x)
{
    char *at = (char *)options + row->offset;
    const int whole = row->kind == RI_OPTION_WHOLE ? (int)x : 0;
    const unsigned choice = row->kind == RI_OPTION_CHOICE ? (unsigned)x : 0;
    const unsigned long long seed = row->kind == RI_OPTION_SEED ? (unsigned long long)x : 0;
    const bool yes = x != 0.0;
    switch (row->kind) {
    case RI_OPTION_NUMBER:
        memcpy(at, &x, sizeof x);
        break;
    case RI_OPTION_WHOLE:
        memcpy(at, &whole, sizeof whole);
        break;
    case RI_OPTION_BOOL:
        memcpy(at, &yes, sizeof yes);
        break;
    case RI_OPTION_CHOICE:
        memcpy(at, &choice, sizeof choice);
        break;
    case RI_OPTION_SEED:
        memcpy(at, &seed, sizeof seed);
        break;
    case RI_OPTION_TEXT:
    case RI_OPTION_VECTOR:
    case RI_OPTION_OWN:
        break;
    }
}

const char *ri_option_text(const RiOption *row, const void *options)
{
    const char *text;
    memcpy(&text, field(row, options), sizeof text);
    return text;
}

void ri_option_set_text(const RiOption *row, void *options, const char *text)
{
    memcpy((char *)options + row->offset, &text, sizeof text);
}

void ri_option_vector(const RiOption *row, const void *options, double out[3])
{
    memcpy(out, field(row, options), 3 * sizeof *out);
}

void ri_option_set_vector(const RiOption *row, void *options, const double x[3])
{
    memcpy((char *)options + row->offset, x, 3 * sizeof *x);
}

void ri_options_default(const RiOptionTable *table, void *options)
{
    for (int i = 0; i < table->count; i++) {
        const RiOption *row = &table->rows[i];
        switch (row->kind) {
        case RI_OPTION_TEXT:
            ri_option_set_text(row, options, row->text);
            break;
        case RI_OPTION_VECTOR:
            ri_option_set_vector(row, options, row->vector);
            break;
        case RI_OPTION_NUMBER:
        case RI_OPTION_WHOLE:
        case RI_OPTION_BOOL:
        case RI_OPTION_CHOICE:
        case RI_OPTION_SEED:
        case RI_OPTION_OWN:
            ri_option_set_number(row, options, row->initial);
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------- checking

/// Whether a number lies in the range of a row.
static bool is_allowed(const RiOption *row, double x)
{
    if (isnan(x))
        return row->flags & RI_OPTION_OPTIONAL;
    if (x == 0.0 && (row->flags & RI_OPTION_OR_ZERO))
        return true;
    const bool low = row->flags & RI_OPTION_ABOVE ? x > row->low : x >= row->low;
    const bool high = row->flags & RI_OPTION_BELOW ? x < row->high : x <= row->high;
    return low && high && isfinite(x);
}

static bool is_good(const RiOption *row, const void *options)
{
    double x[3];
    switch (row->kind) {
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
        return is_allowed(row, ri_option_number(row, options));
    case RI_OPTION_CHOICE:
        return ri_option_number(row, options) < row->word_count;
    case RI_OPTION_VECTOR:
        ri_option_vector(row, options, x);
        return is_allowed(row, x[0]) && is_allowed(row, x[1]) && is_allowed(row, x[2]);
    case RI_OPTION_BOOL:
    case RI_OPTION_SEED:
    case RI_OPTION_TEXT:
    case RI_OPTION_OWN:
        break;
    }
    return true;
}

RiStatus ri_option_check(RiContext *ctx, const char *where, const RiOption *row, const void *options)
{
    char value[160], allowed[320];
    if (is_good(row, options))
        return RI_OK;
    return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %s is %s; allowed: %s", where, row->key,
                    ri_option_print(row, options, value, sizeof value),
                    ri_option_print_allowed(row, allowed, sizeof allowed));
}

RiStatus ri_options_check(RiContext *ctx, const char *where, const RiOptionTable *table, const void *options)
{
    for (int i = 0; i < table->count; i++)
        RI_TRY(ri_option_check(ctx, where ? where : table->name, &table->rows[i], options));
    return RI_OK;
}

// ------------------------------------------------------------------------- fingerprint, comparison

/// All NaN are one, and so are 0 and -0.
static uint64_t hash_number(uint64_t h, double x)
{
    const double canonical = isnan(x) ? NAN : x + 0.0;
    return ri_hash(h, &canonical, sizeof canonical);
}

static uint64_t hash_row(const RiOption *row, const void *options, uint64_t h)
{
    double x[3];
    switch (row->kind) {
    case RI_OPTION_TEXT:
        return ri_hash_text(h, ri_option_text(row, options));
    case RI_OPTION_SEED: // all 64 bits
        return ri_hash(h, field(row, options), sizeof(unsigned long long));
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
    case RI_OPTION_BOOL:
    case RI_OPTION_CHOICE:
    case RI_OPTION_OWN:
        return hash_number(h, ri_option_number(row, options));
    case RI_OPTION_VECTOR:
        break;
    }
    ri_option_vector(row, options, x);
    for (int i = 0; i < 3; i++)
        h = hash_number(h, x[i]);
    return h;
}

static bool is_counted(const RiOption *row)
{
    return row->kind != RI_OPTION_OWN && !(row->flags & RI_OPTION_SILENT);
}

uint64_t ri_options_fingerprint(const RiOptionTable *table, const void *options, uint64_t h)
{
    for (int i = 0; i < table->count; i++)
        if (is_counted(&table->rows[i]))
            h = hash_row(&table->rows[i], options, h);
    return h;
}

static bool is_equal(const RiOption *row, const void *a, const void *b)
{
    double x[3], y[3];
    switch (row->kind) {
    case RI_OPTION_TEXT: {
        const char *s = ri_option_text(row, a), *t = ri_option_text(row, b);
        return s == t || (s && t && strcmp(s, t) == 0);
    }
    case RI_OPTION_VECTOR:
        ri_option_vector(row, a, x);
        ri_option_vector(row, b, y);
        return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
    case RI_OPTION_SEED:
        return memcmp(field(row, a), field(row, b), sizeof(unsigned long long)) == 0;
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
    case RI_OPTION_BOOL:
    case RI_OPTION_CHOICE:
    case RI_OPTION_OWN:
        break;
    }
    x[0] = ri_option_number(row, a);
    y[0] = ri_option_number(row, b);
    return x[0] == y[0] || (isnan(x[0]) && isnan(y[0]));
}

const RiOption *ri_options_compare(const RiOptionTable *table, const void *a, const void *b)
{
    for (int i = 0; i < table->count; i++)
        if (is_counted(&table->rows[i]) && !is_equal(&table->rows[i], a, b))
            return &table->rows[i];
    return NULL;
}

// ---------------------------------------------------------------------------------------- printing

/// A text that is put together in a buffer; what does not fit is cut.
typedef struct Text {
    char *buffer;
    size_t size, used;
} Text;

static void put(Text *t, const char *text)
{
    const int n = snprintf(t->buffer + t->used, t->size - t->used, "%s", text);
    t->used += n > 0 ? (size_t)n : 0;
    if (t->used >= t->size)
        t->used = t->size - 1;
}

/// A number with up to `digits` digits; 0: as many as it takes to read back the same bits.
static void put_number(Text *t, double x, int digits)
{
    char number[40];
    put(t, digits ? ri_number_text_short(x, digits, number) : ri_number_text(x, number));
}

static void put_unit(Text *t, const RiOption *row)
{
    if (row->unit && row->unit[0]) {
        put(t, " ");
        put(t, row->unit);
    }
}

/// A number with its unit. Numbers of degrees in radians, say, stay in SI: what is printed can be
/// read back.
static void put_value(Text *t, const RiOption *row, double x, int digits)
{
    switch (row->kind) {
    case RI_OPTION_BOOL:
        put(t, x != 0.0 ? "true" : "false");
        break;
    case RI_OPTION_CHOICE:
        put(t, x < row->word_count ? row->words[(int)x] : "unknown");
        break;
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
    case RI_OPTION_SEED:
        put_number(t, x, digits);
        put_unit(t, row);
        break;
    case RI_OPTION_TEXT:
    case RI_OPTION_VECTOR:
    case RI_OPTION_OWN:
        break;
    }
}

static void put_vector(Text *t, const RiOption *row, const double x[3], int digits)
{
    for (int i = 0; i < 3; i++) {
        put(t, i ? ", " : "[");
        put_number(t, x[i], digits);
        put_unit(t, row);
    }
    put(t, "]");
}

const char *ri_option_print(const RiOption *row, const void *options, char *buffer, size_t size)
{
    Text t = {buffer, size, 0};
    buffer[0] = '\0';
    double x[3];
    const char *text;
    switch (row->kind) {
    case RI_OPTION_VECTOR:
        ri_option_vector(row, options, x);
        put_vector(&t, row, x, 0);
        break;
    case RI_OPTION_TEXT:
        text = ri_option_text(row, options);
        put(&t, text ? text : "");
        break;
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
    case RI_OPTION_BOOL:
    case RI_OPTION_CHOICE:
    case RI_OPTION_SEED:
        put_value(&t, row, ri_option_number(row, options), 0);
        break;
    case RI_OPTION_OWN:
        break;
    }
    return buffer;
}

const char *ri_option_print_default(const RiOption *row, char *buffer, size_t size)
{
    Text t = {buffer, size, 0};
    buffer[0] = '\0';
    switch (row->kind) {
    case RI_OPTION_VECTOR:
        put_vector(&t, row, row->vector, 7);
        break;
    case RI_OPTION_TEXT:
        put(&t, row->text ? row->text : "");
        break;
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
    case RI_OPTION_BOOL:
    case RI_OPTION_CHOICE:
    case RI_OPTION_SEED:
        if (!isnan(row->initial))
            put_value(&t, row, row->initial, 7);
        break;
    case RI_OPTION_OWN:
        break;
    }
    return buffer;
}

static void put_range(Text *t, const RiOption *row)
{
    const bool low = isfinite(row->low), high = isfinite(row->high);
    const bool above = row->flags & RI_OPTION_ABOVE, below = row->flags & RI_OPTION_BELOW;
    if (row->flags & RI_OPTION_OR_ZERO)
        put(t, "0 or ");
    if (!low && !high)
        put(t, row->kind == RI_OPTION_WHOLE ? "any whole number" : "any finite number");
    if (low) {
        put(t, above ? "above " : high ? "" : "at least ");
        put_number(t, row->low, 7);
    }
    if (high) {
        put(t, !low ? (below ? "below " : "at most ") : above ? (below ? " and below " : " and at most ") : " to ");
        if (low && !above && below)
            put(t, "below ");
        put_number(t, row->high, 7);
    }
    put_unit(t, row);
}

const char *ri_option_print_allowed(const RiOption *row, char *buffer, size_t size)
{
    Text t = {buffer, size, 0};
    buffer[0] = '\0';
    switch (row->kind) {
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
    case RI_OPTION_VECTOR:
        put(&t, row->kind == RI_OPTION_VECTOR ? "three numbers, each " : "");
        put_range(&t, row);
        break;
    case RI_OPTION_BOOL:
        put(&t, "true or false");
        break;
    case RI_OPTION_CHOICE:
        for (int i = 0; i < row->word_count; i++) {
            put(&t, i == 0 ? "" : i == row->word_count - 1 ? " or " : ", ");
            put(&t, row->words[i]);
        }
        break;
    case RI_OPTION_SEED:
        put(&t, "whole number from 0 to 2^53");
        break;
    case RI_OPTION_TEXT:
        put(&t, "text");
        break;
    case RI_OPTION_OWN:
        put(&t, row->text ? row->text : "");
        break;
    }
    return buffer;
}

const char *ri_option_print_markdown(const RiOption *row, char *buffer, size_t size)
{
    char text[320];
    Text t = {buffer, size, 0};
    buffer[0] = '\0';
    put(&t, "| `");
    put(&t, row->key);
    put(&t, "` | ");
    put(&t, ri_option_print_default(row, text, sizeof text));
    put(&t, " | ");
    put(&t, ri_option_print_allowed(row, text, sizeof text));
    put(&t, " | ");
    put(&t, row->doc);
    put(&t, " |");
    return buffer;
}
