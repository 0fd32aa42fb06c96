// SPDX-License-Identifier: Apache-2.0
/// \file
/// Arithmetic expressions with units, as they are in robot templates, scenes and `--set`
/// arguments.
///
///     "2*spacing + 5 cm"  --(ri_expr_eval, names from a callback)-->  value in SI and its dimension
///
/// Grammar, from loose to tight: `a ? b : c`, `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`,
/// unary `- + !`, `^` or `**` (to the right: 2^3^2 = 512, -2^2 = -4), then numbers, names,
/// parentheses and calls. `a % b` has the sign of b. Comparisons and logic give 0 or 1. Branches
/// that are not taken (`? :`, `if`, `&&`, `||`) are parsed but not evaluated, so `n > 0 ? 1/n : 0`
/// is safe. Both branches of a choice must have units that agree; a branch that is not taken is
/// compared if it has no names, or if the expression is compiled.
///
/// A unit may follow a number or a closing parenthesis: `5 cm`, `(a + b) deg`, `9.81 m/s^2`, `3
/// N*m/rad`. The value is scaled to SI and the dimension goes along: `*` and `/` combine
/// dimensions; `+`, `-` and comparisons want equal ones; a number without a unit agrees with every
/// dimension. Angle is kept apart from plain numbers only where it stands alone (`5 deg` is not a
/// factor), because rad drops out of products such as radius times angle.
///
/// Functions: sin cos tan asin acos atan atan2 sqrt abs min max pow exp log floor ceil round mod
/// hypot sign clamp if, rad(degrees), deg(radians). Constants: pi tau e. There is no infinity: a
/// result that is not finite is an error.
///
/// An expression that is wanted again and again is translated once: ri_expr_compile, then
/// ri_expr_run, with equal results.
///
/// Threads and ownership: no allocation, no state; any number of threads.
#ifndef RI_BASE_EXPR_H
#define RI_BASE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "base/number.h"

enum { RI_EXPR_LENGTH = 4096, RI_EXPR_DEPTH = 64, RI_EXPR_ERROR = 240 };

/// Exponents of metre, kilogram, second, ampere, kelvin and angle.
enum { RI_DIM_M, RI_DIM_KG, RI_DIM_S, RI_DIM_A, RI_DIM_K, RI_DIM_ANGLE, RI_DIM_COUNT };
typedef struct RiDim {
    signed char e[RI_DIM_COUNT];
} RiDim;

/// A value in SI units and its dimension.
typedef struct RiQuantity {
    double value;
    RiDim dim;
} RiQuantity;

/// Where an expression failed (column from 1) and why. `told` means that a look-up failed and has
/// recorded its own sentence elsewhere; text is empty then.
typedef struct RiExprError {
    int column;
    bool told;
    char text[RI_EXPR_ERROR];
} RiExprError;

/// Where names come from. `lookup` returns RI_OK and the value, RI_ERR_NOT_FOUND for a name it does
/// not know, or any other status if finding the value failed (see RiExprError.told). All members
/// may be NULL.
typedef struct RiExprScope {
    RiStatus (*lookup)(void *user, const char *name, size_t size, RiQuantity *out_value);
    void *user;
    const RiNames *names; ///< for "did you mean"
    /// For ri_expr_compile: a number that represents a name which `lookup` knows, -1 if its value
    /// never changes.
    int (*refer)(void *user, const char *name, size_t size);
    bool dotted; ///< names may be words joined by dots, or anything in backquotes; see ri_expr_is_dotted_name
} RiExprScope;

/// Evaluates the first `size` bytes of `text`. `scope` may be NULL (no names). RI_ERR_FORMAT for
/// bad syntax or units, RI_ERR_NOT_FOUND for an unknown name, RI_ERR_NUMERIC for division by zero
/// or a result that is not finite, RI_ERR_LIMIT if longer or deeper than the limits above.
RI_MUST_CHECK RiStatus ri_expr_eval(const char *text, size_t size, const RiExprScope *scope, RiQuantity *out_value,
                                    RiExprError *out_error);

/// One step of a translated expression; its fields belong to expr.c.
typedef struct RiExprStep {
    short op, code, count; ///< what it does, with which operator or function, on how many values
    short at;              ///< column of messages, from 0
    int index;             ///< of a name, or where a jump leads to
    double value;          ///< of a constant
} RiExprStep;

/// Most steps that a text of a size can have.
enum { RI_EXPR_STEPS_PER_BYTE = 2, RI_EXPR_STEPS_MORE = 4 };

/// Translates the first `size` bytes of `text` into steps, at most `room` of them. Unlike
/// ri_expr_eval it looks up the names of all branches and compares their units; a name keeps the
/// unit it has now. Values may make no sense yet (division by zero): that is reported when it is run.
/// *out_dim is the dimension of the value now.
RI_MUST_CHECK RiStatus ri_expr_compile(const char *text, size_t size, const RiExprScope *scope, RiExprStep *steps,
                                       int room, int *out_count, RiDim *out_dim, RiExprError *out_error);
/// Evaluates steps: `read` gives the value of a name by the number that `refer` gave it.
RI_MUST_CHECK RiStatus ri_expr_run(const RiExprStep *steps, int count, double (*read)(const void *user, int index),
                                   const void *user, double *out_value, RiExprError *out_error);

/// Reads a number with an optional sign and an optional unit, and nothing else: "5", "-20 deg",
/// "9.81 m/s^2".
RI_MUST_CHECK RiStatus ri_quantity_parse(const char *text, size_t size, RiQuantity *out_value, RiExprError *out_error);

/// Reads a unit such as "kg*m^2/s": its factor to SI and its dimension. "" and "1" are a plain
/// number.
RI_MUST_CHECK RiStatus ri_unit_parse(const char *text, size_t size, RiQuantity *out_unit, RiExprError *out_error);

/// Whether a value of dimension `got` may be where `want` is expected. A plain number may stand
/// anywhere.
bool ri_dim_fits(RiDim got, RiDim want);
bool ri_dim_is_plain(RiDim dim);
/// "N", "kg*m^2", "a plain number"; written into `buffer` and returned.
const char *ri_dim_text(RiDim dim, char *buffer, size_t size);

/// Whether a name means something to expressions already (function, constant, unit) and cannot be
/// given to a value.
bool ri_expr_is_reserved(const char *name, size_t size);
/// Whether `text` is a name: a letter or '_', then letters, digits and '_'.
bool ri_expr_is_name(const char *text, size_t size);
/// Whether `text` is a name of a dotted scope as it is: a name, then words of letters, digits
/// and '_' joined by dots ("arm.joint.2.position"). Other names are written in backquotes: `left
/// wheel/joint.position`.
bool ri_expr_is_dotted_name(const char *text, size_t size);

#endif
