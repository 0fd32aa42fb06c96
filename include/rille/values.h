// SPDX-License-Identifier: Apache-2.0
/// \file
/// One table of named values.
///
///     "arm.elbow.position [rad]" <--> a double, int or bool somewhere in the simulation
///
/// Every parameter, state and output of a simulation has a name, a unit, a type and a description.
/// Settings from the command line, stop conditions, scheduled commands, logs, plots and links all
/// use this table.
///
/// Names are words joined by dots; a glob has `*` (any run of characters) and `?`.
///
/// Threads and ownership: a table belongs to one thread. It copies names, units and sentences, and
/// borrows the places of the values; the owner of those removes or outlives the table.
#ifndef RILLE_VALUES_H
#define RILLE_VALUES_H

#include <stdbool.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiValueType { RI_VALUE_REAL, RI_VALUE_INT, RI_VALUE_BOOL } RiValueType;

typedef enum RiValueKind {
    RI_VALUE_PARAMETER, ///< set before or during a run, not changed by it
    RI_VALUE_INPUT,     ///< read by a model, written from outside or by a connection
    RI_VALUE_STATE,     ///< carried from step to step
    RI_VALUE_OUTPUT     ///< computed by a model
} RiValueKind;

/// Name of a kind; never NULL.
const char *ri_value_kind_name(RiValueKind kind);

typedef struct RiValue {
    const char *name;
    const char *unit; ///< SI, as text: "rad/s", "N*m", "" for a plain number
    const char *doc;
    RiValueType type;
    RiValueKind kind;
    void *at; ///< double, int or bool
    bool writable;
    double low, high; ///< allowed when written from outside; -INFINITY, INFINITY for none
    bool derived;     ///< computed only when it is read: see ri_values_watch
} RiValue;

/// A writable real parameter without limits.
RiValue ri_value_default(void);

typedef struct RiValues RiValues;

/// An empty table. RI_ERR_MEMORY.
RI_MUST_CHECK RiStatus ri_values_create(RiContext *ctx, RiValues **out_values);
/// Destroys it; NULL does nothing.
void ri_values_destroy(RiValues *t);

/// Adds a value. RI_ERR_ARGUMENT if the name exists or is not a name, the unit is not one, or an
/// output is writable: a checkpoint holds the writable values, and an output may be NaN.
RI_MUST_CHECK RiStatus ri_values_add(RiValues *t, const RiValue *value);

/// Callbacks for the owner of the values: `look` is called before the derived value at `at` is read,
/// `change` before a value other than an input is written (inputs have no effect until they are
/// read). Either may be NULL.
void ri_values_watch(RiValues *t, void (*look)(void *user, const void *at), void (*change)(void *user), void *user);

/// Number of values.
int ri_values_count(const RiValues *t);
/// Value by index, NULL beyond the last; borrowed, valid until values are added.
const RiValue *ri_values_get(const RiValues *t, int index);
/// Index of a name, -1 if there is none.
int ri_values_find(const RiValues *t, const char *name);
/// First index >= start whose name matches the glob, -1 if there is none.
int ri_values_match(const RiValues *t, const char *glob, int start);

/// The value as a number (bool: 0 or 1).
double ri_values_read(const RiValues *t, int index);
/// Several values at once, for logs.
void ri_values_read_all(const RiValues *t, const int *index, int count, double *out_x);
/// Writes a number. RI_ERR_ARGUMENT, with the value's name, if it is read-only, outside its limits,
/// not finite, or not a whole number where one is needed.
RI_MUST_CHECK RiStatus ri_values_write(RiValues *t, int index, double x);

/// Sets `name` from text: a number with a unit ("20 deg"), an expression over other values ("2 *
/// arm.elbow.position"), true or false. Unknown names get a suggestion; a unit of another dimension
/// is refused.
RI_MUST_CHECK RiStatus ri_values_set(RiValues *t, const char *name, const char *text);

/// Evaluates an expression over the table, such as "abs(base.pitch) > 60 deg". Does not allocate.
RI_MUST_CHECK RiStatus ri_values_eval(const RiValues *t, const char *text, double *out_value);

/// An expression over a table that is read once and evaluated often: stop conditions, checks.
typedef struct RiFormula RiFormula;
/// Reads an expression. The formula belongs to the table and lives as long. All names must exist
/// and all units agree, also in branches that are not taken now.
RI_MUST_CHECK RiStatus ri_values_compile(RiValues *t, const char *text, const RiFormula **out_formula);
/// Its value now: that of ri_values_eval. Does not allocate.
RI_MUST_CHECK RiStatus ri_formula_eval(const RiFormula *f, double *out_value);
/// ri_values_set by index with the formula's text, read once: the same value, the same refusals.
RI_MUST_CHECK RiStatus ri_values_set_by(RiValues *t, int index, const RiFormula *f);
/// The unit of its value, as text; "" for a plain number.
const char *ri_formula_unit(const RiFormula *f);

#ifdef __cplusplus
}
#endif
#endif
