// SPDX-License-Identifier: Apache-2.0
/// \file
/// Xacro sources of robots, expanded to the URDF that they stand for.
///
///     tree with <xacro:...> --(ri_xacro_expand)--> tree of plain URDF; every node knows the file and line it came from
///
///     xacro.c        elements: property, macro and its calls, include, if, unless, arg, insert_block, element, attribute
///     xacro_scope.c  properties: scopes, late evaluation, the texts with ${...} and $(...)
///     xacro_expr.c   the expressions inside ${...}, a part of Python
///     xacro_call.c   functions and methods that expressions may call, load_yaml among them
///     xacro_value.c  values of expressions and their texts
///
/// The rules are those of the ROS program: properties are evaluated when they are used, macros see
/// the scope of their caller, and a text that is one expression keeps its type. Expansion is
/// bounded in depth, elements, files and work.
#ifndef RI_IO_XACRO_H
#define RI_IO_XACRO_H

#include <stdint.h>

#include <rille/robot.h>

#include "base/names.h"
#include "io/file/xml.h"

enum {
    RI_XACRO_DEPTH = 100,     ///< nested macro calls, includes and expressions
    RI_XACRO_FILES = 256,     ///< included files
    RI_XACRO_TEXT = 1 << 20,  ///< bytes of one value
    RI_XACRO_WORK = 20000000, ///< evaluated nodes of expressions
    RI_XACRO_ERRORS = 10,     ///< collected before expansion gives up
    RI_XACRO_MESSAGE = 1024,
};

/// Whether a document uses xacro: its namespace is declared, or an element has the prefix "xacro:".
bool ri_xacro_is_used(const RiXmlNode *root);

/// Expands `xml` in place. Settings of `options` are values of $(arg NAME); one that no <xacro:arg>
/// declares is an error.
RI_MUST_CHECK RiStatus ri_xacro_expand(RiContext *ctx, const char *file, const RiLoadOptions *options, RiXml *xml);

// ----------------------------------------------------------------------------- shared by its files

typedef enum RiXacroKind {
    RI_XACRO_NONE,
    RI_XACRO_BOOL,
    RI_XACRO_INT,
    RI_XACRO_FLOAT,
    RI_XACRO_STRING,
    RI_XACRO_LIST,
    RI_XACRO_DICT
} RiXacroKind;

typedef struct RiXacroItem RiXacroItem;

/// A value of an expression. Texts and items live in the arena of the expansion and are never
/// changed.
typedef struct RiXacroValue {
    RiXacroKind kind;
    int64_t integer; ///< of a bool or an int
    double number;   ///< of a float
    const char *text;
    const RiXacroItem *items; ///< of a list or a dict
} RiXacroValue;

struct RiXacroItem {
    const char *key; ///< of a dict
    RiXacroValue value;
    RiXacroItem *next;
};

/// A property or parameter. A block is a list of elements.
typedef struct RiXacroName {
    const char *name;
    RiXacroValue value;
    const RiXmlNode *block; ///< its children, or itself if `whole`
    bool is_block, whole;
    bool late;                 ///< value.text is not evaluated yet
    bool running;              ///< its evaluation has begun
    struct RiXacroScope *home; ///< where it is defined and evaluated
    struct RiXacroName *next;
} RiXacroName;

typedef struct RiXacroScope {
    struct RiXacroScope *parent;
    RiXacroName *names;
} RiXacroScope;

typedef struct RiXacroParam {
    const char *name;
    const char *fallback; ///< text of the default, or NULL
    bool forward;         ///< `:=^`: the value of the caller's property of this name comes first
    int stars;            ///< 1: *block, 2: **block
    struct RiXacroParam *next;
} RiXacroParam;

typedef struct RiXacroMacro {
    const char *name;
    const RiXmlNode *body;
    RiXacroParam *params;
    struct RiXacroMacro *next;
} RiXacroMacro;

/// An expansion in progress.
typedef struct RiXacro {
    RiContext *ctx;
    const RiLoadOptions *options;
    RiArena arena; ///< everything but the result
    RiArena *out;  ///< the result
    const char *root_file;
    RiXml files[RI_XACRO_FILES]; ///< included documents
    int file_count;
    RiXacroScope global, args; ///< args: the values of $(arg NAME)
    RiXacroMacro *macros;
    int depth, work, element_count;
    const char *file; ///< where the element that is expanded now comes from
    int line;
    char errors[RI_XACRO_ERRORS][RI_XACRO_MESSAGE];
    int error_count;
} RiXacro;

/// Fails with "file:line: ..." of the element that is expanded now.
RiStatus ri_xacro_error(RiXacro *x, RiStatus status, const char *format, ...) RI_PRINTF(3, 4);
RI_MUST_CHECK RiStatus ri_xacro_copy(RiXacro *x, const char *text, size_t size, const char **out_text);

// xacro_value.c
/// The text of a value as Python's str() gives it.
RI_MUST_CHECK RiStatus ri_xacro_text(RiXacro *x, RiXacroValue value, const char **out_text);
/// What a text means as a literal: an int, a float, a truth value, a text in single quotes, or
/// itself.
RiXacroValue ri_xacro_literal(RiXacro *x, const char *text);
RiXacroValue ri_xacro_string(const char *text);
RiXacroValue ri_xacro_int(int64_t value);
RiXacroValue ri_xacro_float(double value);
RiXacroValue ri_xacro_bool(bool value);
/// Python's truth of a value.
bool ri_xacro_is_true(RiXacroValue value);
/// Value of an int, float or bool; false for other kinds.
bool ri_xacro_number(RiXacroValue value, double *out_number);
int ri_xacro_count(RiXacroValue value);
/// Appends to a list or dict that is being built; *tail is where the next item goes.
RI_MUST_CHECK RiStatus ri_xacro_append(RiXacro *x, const RiXacroItem ***tail, const char *key, RiXacroValue value);
const char *ri_xacro_kind_name(RiXacroKind kind);

// xacro_scope.c
RI_MUST_CHECK RiStatus ri_xacro_set(RiXacro *x, RiXacroScope *scope, const RiXacroName *value);
/// The name in this scope or an outer one, or NULL. `block`: of a block, not of a value.
RiXacroName *ri_xacro_find(RiXacroScope *scope, const char *name, bool block);
/// Value of a property, evaluated now if it has not been yet.
RI_MUST_CHECK RiStatus ri_xacro_resolve(RiXacro *x, RiXacroName *name, RiXacroValue *out_value);
/// Evaluates ${...} and $(...) in a text.
RI_MUST_CHECK RiStatus ri_xacro_eval_text(RiXacro *x, RiXacroScope *scope, const char *text, RiXacroValue *out_value);
/// The same as a text.
RI_MUST_CHECK RiStatus ri_xacro_eval_string(RiXacro *x, RiXacroScope *scope, const char *text, const char **out_text);
/// The same as the truth value of <xacro:if>.
RI_MUST_CHECK RiStatus ri_xacro_eval_bool(RiXacro *x, RiXacroScope *scope, const char *text, bool *out_value);

// xacro_expr.c
RI_MUST_CHECK RiStatus ri_xacro_eval(RiXacro *x, RiXacroScope *scope, const char *text, RiXacroValue *out_value);
/// Item of a list by index or of a dict by key.
RI_MUST_CHECK RiStatus ri_xacro_index(RiXacro *x, RiXacroValue of, RiXacroValue index, RiXacroValue *out_value);
/// Python's order of two values: numbers or texts. *out_order is negative, 0 or positive.
RI_MUST_CHECK RiStatus ri_xacro_compare(RiXacro *x, RiXacroValue a, RiXacroValue b, int *out_order);
bool ri_xacro_equal(RiXacroValue a, RiXacroValue b);

// xacro_call.c
/// Calls a function by its name ("sin", "math.sin", "xacro.load_yaml").
RI_MUST_CHECK RiStatus ri_xacro_call(RiXacro *x, const char *name, const RiXacroValue *args, int count,
                                     RiXacroValue *out_value);
/// Calls a method of a text, list or dict.
RI_MUST_CHECK RiStatus ri_xacro_call_method(RiXacro *x, RiXacroValue of, const char *name, const RiXacroValue *args,
                                            int count, RiXacroValue *out_value);
/// A constant that needs no property: pi, e, True, ...; false if there is none of this name.
bool ri_xacro_constant(const char *name, RiXacroValue *out_value);

#endif
