// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of named values: entries that never move, a hash of their names, and expressions over
/// them.
///
/// Invariants: entry i has index i for ever; an entry and its three strings are one piece of the
/// arena, so the pointers of ri_values_get() stay valid; every unit is SI with factor 1, so no
/// number is scaled on its way in or out.
#include <rille/values.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/expr.h"
#include "base/memory.h"
#include "base/names.h"

enum { NAME_LENGTH = 255, SHOWN = 96 };

typedef struct Entry {
    RiValue value;
    RiDim dim; ///< of value.unit
} Entry;

/// What reading takes, next to its neighbours: logs read many values in a row.
typedef struct Slot {
    const Entry *entry;
    const void *at;
    RiValueType type;
    bool derived;
} Slot;

struct RiValues {
    RiContext *ctx;
    RiArena arena; ///< entries with their strings
    RiNames names;
    Slot *slots;
    int count, capacity;
    void (*look)(void *user, const void *at), (*change)(void *user); ///< see ri_values_watch
    void *user;
};

const char *ri_value_kind_name(RiValueKind kind)
{
    static const char *const names[] = {"parameter", "input", "state", "output"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown kind";
}

RiValue ri_value_default(void)
{
    return (RiValue){.name = "",
                     .unit = "",
                     .doc = "",
                     .type = RI_VALUE_REAL,
                     .kind = RI_VALUE_PARAMETER,
                     .writable = true,
                     .low = -INFINITY,
                     .high = INFINITY};
}

RiStatus ri_values_create(RiContext *ctx, RiValues **out_values)
{
    *out_values = NULL;
    RiValues *t = ri_alloc_zero(ctx, 1, sizeof *t);
    if (!t)
        return ri_error_memory(ctx);
    t->ctx = ctx;
    ri_arena_init(&t->arena, ctx);
    ri_names_init(&t->names, ctx);
    *out_values = t;
    return RI_OK;
}

void ri_values_destroy(RiValues *t)
{
    if (!t)
        return;
    ri_names_free(&t->names);
    ri_arena_free(&t->arena);
    ri_release(t->ctx, t->slots);
    ri_release(t->ctx, t);
}

// ------------------------------------------------------------------------------------------ adding

/// NULL, or why `name` cannot name a value. Robots bring names of any kind, so all that is not a
/// dotted name is still allowed if it can be between backquotes.
static const char *name_trouble(const char *name)
{
    if (!name || !name[0])
        return "the name is empty";
    const size_t n = strnlen(name, NAME_LENGTH + 1);
    if (n > NAME_LENGTH)
        return "the name is longer than 255 bytes";
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 127 || name[i] == '`')
            return "a name may not contain control characters or backquotes";
    if (name[0] == ' ' || name[n - 1] == ' ')
        return "a name may not begin or end with a space";
    if (ri_expr_is_reserved(name, n) || strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return "the name is a function, constant or unit of expressions";
    return NULL;
}

static RiStatus check_name(const RiValues *t, const RiValue *v)
{
    const char *trouble = name_trouble(v->name);
    if (trouble)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%.*s': %s", SHOWN, v->name ? v->name : "", trouble);
    if (ri_values_find(t, v->name) >= 0)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s' exists already", v->name);
    return RI_OK;
}

static RiStatus check_unit(const RiValues *t, const RiValue *v, RiDim *out_dim)
{
    const char *text = v->unit ? v->unit : "";
    RiQuantity unit;
    RiExprError error;
    *out_dim = (RiDim){{0}};
    if (ri_unit_parse(text, strlen(text), &unit, &error) != RI_OK)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': unit '%.*s', column %d: %s", v->name, SHOWN, text,
                        error.column, error.text);
    if (unit.value != 1.0)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': unit '%s' is %.9g SI units; only SI units are allowed",
                        v->name, text, unit.value);
    *out_dim = unit.dim;
    return RI_OK;
}

static RiStatus check_rest(const RiValues *t, const RiValue *v)
{
    if (!v->at)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s' has no place: 'at' is NULL", v->name);
    if ((unsigned)v->type > RI_VALUE_BOOL || (unsigned)v->kind > RI_VALUE_OUTPUT)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': type %d or kind %d is unknown", v->name, (int)v->type,
                        (int)v->kind);
    if (v->kind == RI_VALUE_OUTPUT && v->writable)
        return ri_error(t->ctx, RI_ERR_ARGUMENT,
                        "value '%s' is an output, which the model computes: it is not writable", v->name);
    if (!(v->low <= v->high))
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': limits [%g, %g] are not in order", v->name, v->low,
                        v->high);
    return RI_OK;
}

/// Appends a string to an entry's text and moves the end.
static const char *put(char **end, const char *text)
{
    const size_t size = strlen(text) + 1;
    const char *start = memcpy(*end, text, size);
    *end += size;
    return start;
}

/// The entry and copies of its strings, as one piece.
static Entry *copy_entry(RiArena *arena, const RiValue *v, RiDim dim)
{
    const char *unit = v->unit ? v->unit : "", *doc = v->doc ? v->doc : "";
    const size_t text = strlen(v->name) + strlen(unit) + strlen(doc) + 3;
    Entry *e = ri_arena_alloc(arena, 1, sizeof *e + text);
    if (!e)
        return NULL;
    char *end = (char *)(e + 1);
    *e = (Entry){*v, dim};
    e->value.name = put(&end, v->name);
    e->value.unit = put(&end, unit);
    e->value.doc = put(&end, doc);
    return e;
}

static RiStatus reserve(RiValues *t)
{
    if (t->count < t->capacity)
        return RI_OK;
    if (t->capacity > INT_MAX / 4)
        return ri_error(t->ctx, RI_ERR_LIMIT, "a table holds at most %d values", t->capacity);
    return ri_grow(t->ctx, &t->slots, t->count, &t->capacity, 64, sizeof *t->slots);
}

RiStatus ri_values_add(RiValues *t, const RiValue *value)
{
    RiDim dim;
    RI_TRY(check_name(t, value));
    RI_TRY(check_unit(t, value, &dim));
    RI_TRY(check_rest(t, value));
    RI_TRY(reserve(t));
    Entry *e = copy_entry(&t->arena, value, dim);
    if (!e)
        return ri_error_memory(t->ctx);
    int existing;
    RI_TRY(ri_names_add(&t->names, e->value.name, t->count, &existing));
    t->slots[t->count++] = (Slot){e, value->at, value->type, value->derived};
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- finding

int ri_values_count(const RiValues *t)
{
    return t->count;
}

const RiValue *ri_values_get(const RiValues *t, int index)
{
    return index >= 0 && index < t->count ? &t->slots[index].entry->value : NULL;
}

int ri_values_find(const RiValues *t, const char *name)
{
    return ri_names_find(&t->names, name);
}

int ri_values_match(const RiValues *t, const char *glob, int start)
{
    for (int i = start < 0 ? 0 : start; i < t->count; i++)
        if (ri_glob_match(glob, t->slots[i].entry->value.name))
            return i;
    return -1;
}

// ----------------------------------------------------------------------------- reading and writing

void ri_values_watch(RiValues *t, void (*look)(void *user, const void *at), void (*change)(void *user), void *user)
{
    t->look = look;
    t->change = change;
    t->user = user;
}

static inline double read_slot(const RiValues *t, int index)
{
    if (index < 0 || index >= t->count)
        return NAN;
    const Slot *v = &t->slots[index];
    if (v->derived && t->look)
        t->look(t->user, v->at);
    if (v->type == RI_VALUE_REAL)
        return *(const double *)v->at;
    return v->type == RI_VALUE_INT ? *(const int *)v->at : *(const bool *)v->at;
}

double ri_values_read(const RiValues *t, int index)
{
    return read_slot(t, index);
}

void ri_values_read_all(const RiValues *t, const int *index, int count, double *out_x)
{
    for (int i = 0; i < count; i++)
        out_x[i] = read_slot(t, index[i]);
}

static RiStatus check_write(const RiValues *t, const RiValue *v, double x)
{
    if (!v->writable)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s' is read-only (%s)", v->name, ri_value_kind_name(v->kind));
    if (!isfinite(x))
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': %g is not a finite number", v->name, x);
    if (v->type == RI_VALUE_BOOL && x != 0.0 && x != 1.0)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': %.9g is neither true nor false (1 or 0)", v->name, x);
    if (v->type == RI_VALUE_INT && (x != rint(x) || x < INT_MIN || x > INT_MAX))
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': %.9g is not a whole number from %d to %d", v->name, x,
                        INT_MIN, INT_MAX);
    if (x < v->low || x > v->high)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "value '%s': %.9g %s is outside its limits [%.9g, %.9g]", v->name, x,
                        v->unit, v->low, v->high);
    return RI_OK;
}

RiStatus ri_values_write(RiValues *t, int index, double x)
{
    const RiValue *v = ri_values_get(t, index);
    if (!v)
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "there is no value number %d; the table has %d", index, t->count);
    RI_TRY(check_write(t, v, x));
    if (t->change && v->kind != RI_VALUE_INPUT)
        t->change(t->user);
    switch (v->type) {
    case RI_VALUE_REAL:
        *(double *)v->at = x;
        break;
    case RI_VALUE_INT:
        *(int *)v->at = (int)x;
        break;
    case RI_VALUE_BOOL:
        *(bool *)v->at = x != 0.0;
        break;
    }
    return RI_OK;
}

// ------------------------------------------------------------------------------------- expressions

static bool is_text(const char *word, const char *text, size_t size)
{
    return strlen(word) == size && memcmp(word, text, size) == 0;
}

/// Names of an expression: true, false, values.
static RiStatus lookup(void *user, const char *name, size_t size, RiQuantity *out_value)
{
    const RiValues *t = user;
    *out_value = (RiQuantity){.value = is_text("true", name, size)};
    if (out_value->value != 0.0 || is_text("false", name, size))
        return RI_OK;
    char key[NAME_LENGTH + 1];
    if (size > NAME_LENGTH)
        return RI_ERR_NOT_FOUND;
    memcpy(key, name, size);
    key[size] = '\0';
    const int index = ri_names_find(&t->names, key);
    if (index < 0)
        return RI_ERR_NOT_FOUND;
    *out_value = (RiQuantity){ri_values_read(t, index), t->slots[index].entry->dim};
    return RI_OK;
}

static RiStatus eval(const RiValues *t, const char *text, RiQuantity *out_value, RiExprError *error)
{
    const RiExprScope scope = {.lookup = lookup, .user = (void *)t, .names = &t->names, .dotted = true};
    return ri_expr_eval(text, strlen(text), &scope, out_value, error);
}

static RiStatus told(const RiValues *t, RiStatus status, const char *text, const RiExprError *error)
{
    return ri_error(t->ctx, status, "'%.*s', column %d: %s", SHOWN, text, error->column, error->text);
}

RiStatus ri_values_eval(const RiValues *t, const char *text, double *out_value)
{
    RiQuantity q;
    RiExprError error;
    *out_value = 0.0;
    const RiStatus status = eval(t, text, &q, &error);
    if (status != RI_OK)
        return told(t, status, text, &error);
    *out_value = q.value;
    return RI_OK;
}

struct RiFormula {
    const RiValues *table;
    const char *text;
    RiDim dim;
    char unit[64];
    int count;
    RiExprStep steps[];
};

static int refer(void *user, const char *name, size_t size)
{
    const RiValues *t = user;
    char key[NAME_LENGTH + 1];
    memcpy(key, name, size); // lookup knows it, so it is short enough
    key[size] = '\0';
    return ri_names_find(&t->names, key); // -1: true or false
}

static double read_name(const void *table, int index)
{
    return read_slot(table, index);
}

/// The unit of a dimension as the values of the table write it, if one has it: "m/s".
static void name_unit(const RiValues *t, RiDim dim, char *out, size_t size)
{
    if (ri_dim_is_plain(dim))
        return;
    ri_dim_text(dim, out, size);
    for (int i = 0; i < t->count; i++)
        if (memcmp(&t->slots[i].entry->dim, &dim, sizeof dim) == 0) {
            snprintf(out, size, "%s", t->slots[i].entry->value.unit);
            return;
        }
}

RiStatus ri_values_compile(RiValues *t, const char *text, const RiFormula **out_formula)
{
    *out_formula = NULL;
    const size_t size = strnlen(text, RI_EXPR_LENGTH + 1);
    const int room = RI_EXPR_STEPS_PER_BYTE * (int)size + RI_EXPR_STEPS_MORE;
    RiExprStep *steps = ri_alloc(t->ctx, (size_t)room, sizeof *steps);
    if (!steps)
        return ri_error_memory(t->ctx);
    const RiExprScope scope = {.lookup = lookup, .user = t, .names = &t->names, .dotted = true, .refer = refer};
    RiExprError error;
    RiDim dim;
    int count;
    RiStatus status = ri_expr_compile(text, size, &scope, steps, room, &count, &dim, &error);
    if (status != RI_OK) {
        ri_release(t->ctx, steps);
        return told(t, status, text, &error);
    }
    RiFormula *f = ri_arena_alloc(&t->arena, 1, sizeof *f + (size_t)count * sizeof *steps + size + 1);
    if (f) {
        *f = (RiFormula){.table = t, .dim = dim, .count = count, .text = (char *)(f->steps + count)};
        memcpy(f->steps, steps, (size_t)count * sizeof *steps);
        memcpy(f->steps + count, text, size + 1);
        name_unit(t, dim, f->unit, sizeof f->unit);
        *out_formula = f;
    }
    ri_release(t->ctx, steps);
    return f ? RI_OK : ri_error_memory(t->ctx);
}

RiStatus ri_formula_eval(const RiFormula *f, double *out_value)
{
    RiExprError error;
    const RiStatus status = ri_expr_run(f->steps, f->count, read_name, f->table, out_value, &error);
    return status == RI_OK ? RI_OK : told(f->table, status, f->text, &error);
}

const char *ri_formula_unit(const RiFormula *f)
{
    return f->unit;
}

/// A value whose name ends with ".<name>": what is meant when the first words were left out.
static const char *longer_name(const RiValues *t, const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < t->count; i++) {
        const char *known = t->slots[i].entry->value.name;
        const size_t k = strlen(known);
        if (k > n + 1 && known[k - n - 1] == '.' && strcmp(known + k - n, name) == 0)
            return known;
    }
    return NULL;
}

static RiStatus unknown_value(const RiValues *t, const char *name)
{
    const char *nearest = ri_names_nearest(&t->names, name);
    if (!nearest)
        nearest = longer_name(t, name);
    if (nearest)
        return ri_error(t->ctx, RI_ERR_NOT_FOUND, "unknown value '%.*s'; did you mean '%s'?", SHOWN, name, nearest);
    return ri_error(t->ctx, RI_ERR_NOT_FOUND, "unknown value '%.*s'; none of the %d names is similar", SHOWN, name,
                    t->count);
}

RiStatus ri_values_set(RiValues *t, const char *name, const char *text)
{
    const int index = ri_values_find(t, name);
    if (index < 0)
        return unknown_value(t, name);
    RiQuantity q;
    RiExprError error;
    const RiStatus status = eval(t, text, &q, &error);
    if (status != RI_OK)
        return ri_error(t->ctx, status, "%s = '%.*s', column %d: %s", name, SHOWN, text, error.column, error.text);
    char got[64], want[64];
    if (!ri_dim_fits(q.dim, t->slots[index].entry->dim))
        return ri_error(t->ctx, RI_ERR_ARGUMENT, "%s = '%.*s' is in %s, but the value takes %s", name, SHOWN, text,
                        ri_dim_text(q.dim, got, sizeof got),
                        ri_dim_text(t->slots[index].entry->dim, want, sizeof want));
    return ri_values_write(t, index, q.value);
}

RiStatus ri_values_set_by(RiValues *t, int index, const RiFormula *f)
{
    RiExprError error;
    double x;
    if (ri_expr_run(f->steps, f->count, read_name, f->table, &x, &error) == RI_OK &&
        ri_dim_fits(f->dim, t->slots[index].entry->dim))
        return ri_values_write(t, index, x);
    return ri_values_set(t, t->slots[index].entry->value.name, f->text); // says why not
}
