// SPDX-License-Identifier: Apache-2.0
/// \file
/// Expressions: a Pratt parser that evaluates as it reads.
///
/// parse(p, least) reads a prefix (number, name, call, parenthesis, unary operator) and then every
/// binary operator that binds at least as tightly as `least`. A branch that is not taken is read
/// with p->dead > 0: syntax is still checked, but nothing is looked up or computed. Where p->steps
/// is set, every value and operator is also written down as a step on a stack, branches with jumps
/// between them: names and units of dead branches are looked at as well, because they may be taken
/// later.
#include "base/expr.h"
#include "base/functions.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI M_PI

enum { ARGUMENTS = 16, EXPONENT_LIMIT = 12, UNIT_LENGTH = 256 };

typedef struct Parser {
    const char *text;
    size_t size, at;
    const RiExprScope *scope;
    RiExprError *error;
    int depth, dead;
    RiExprStep *steps; ///< NULL: the expression is only evaluated
    int step_count, step_room;
    int skipped;  ///< names that were not looked up in the present branch: its unit is not known
    bool literal; ///< the value is that of a number whose unit is read
} Parser;

// ------------------------------------------------------------------------------------------- steps

enum {
    DO_CONSTANT,
    DO_NAME,
    DO_SCALE,
    DO_NEGATE,
    DO_NOT,
    DO_APPLY,
    DO_CALL,
    DO_JUMP,
    DO_JUMP_IF_NOT,
    DO_AND,
    DO_OR,
    DO_TRUTH
};

/// Writes a step down; its place, for jumps that are to lead on from it.
static int emit(Parser *p, size_t at, RiExprStep step)
{
    if (!p->steps)
        return 0;
    step.at = (short)at;
    if (p->step_count < p->step_room)
        p->steps[p->step_count] = step;
    return p->step_count++;
}

/// Lets the jump at `from` lead to what is written next.
static void land(Parser *p, int from)
{
    if (p->steps && from < p->step_room)
        p->steps[from].index = p->step_count;
}

/// Whether names are not looked up: in a branch that is not taken, unless it may be taken later.
static bool is_skipped(const Parser *p)
{
    return p->dead && !p->steps;
}

/// Whether units are not compared: in a branch with names that were not looked up.
static bool is_ignored(const Parser *p)
{
    return is_skipped(p) && p->skipped > 0;
}

/// Whether values count: not in a branch that is not taken, and not yet where the expression is
/// translated.
static bool is_computed(const Parser *p)
{
    return !p->dead && !p->steps;
}

// ------------------------------------------------------------------------------------------ errors

/// Records a failure at byte `at` of the text.
static RiStatus fail(Parser *p, size_t at, RiStatus status, const char *format, ...) RI_PRINTF(4, 5);
static RiStatus fail(Parser *p, size_t at, RiStatus status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->text, sizeof p->error->text, format, args);
    va_end(args);
    p->error->column = (int)at + 1;
    p->error->told = false;
    return status;
}

/// A name as "%.*s" wants its length, cut to a readable size.
static int shown(size_t size)
{
    return size > 48 ? 48 : (int)size;
}

// -------------------------------------------------------------------------------------- dimensions

bool ri_dim_is_plain(RiDim dim)
{
    for (int i = 0; i < RI_DIM_COUNT; i++)
        if (dim.e[i])
            return false;
    return true;
}

/// Whether nothing but angle is left.
static bool without_si(RiDim dim)
{
    dim.e[RI_DIM_ANGLE] = 0;
    return ri_dim_is_plain(dim);
}

bool ri_dim_fits(RiDim got, RiDim want)
{
    if (ri_dim_is_plain(got))
        return true;
    if (memcmp(got.e, want.e, RI_DIM_ANGLE) != 0)
        return false;
    return !without_si(got) || got.e[RI_DIM_ANGLE] == want.e[RI_DIM_ANGLE];
}

/// a + k b, or false if an exponent grows beyond reason.
static bool dim_combine(RiDim a, RiDim b, int k, RiDim *out)
{
    for (int i = 0; i < RI_DIM_COUNT; i++) {
        const int e = a.e[i] + k * b.e[i];
        if (e > EXPONENT_LIMIT || e < -EXPONENT_LIMIT)
            return false;
        out->e[i] = (signed char)e;
    }
    return true;
}

// ------------------------------------------------------------------------------------------- units

typedef struct Unit {
    const char *name;
    double factor; ///< to SI
    RiDim dim;     ///< m, kg, s, A, K, angle
} Unit;

static const Unit units[] = {
    {"m", 1.0, {{1}}},
    {"cm", 1e-2, {{1}}},
    {"mm", 1e-3, {{1}}},
    {"km", 1e3, {{1}}},
    {"kg", 1.0, {{0, 1}}},
    {"g", 1e-3, {{0, 1}}},
    {"t", 1e3, {{0, 1}}},
    {"s", 1.0, {{0, 0, 1}}},
    {"ms", 1e-3, {{0, 0, 1}}},
    {"min", 60.0, {{0, 0, 1}}},
    {"h", 3600.0, {{0, 0, 1}}},
    {"rad", 1.0, {{0, 0, 0, 0, 0, 1}}},
    {"deg", PI / 180.0, {{0, 0, 0, 0, 0, 1}}},
    {"N", 1.0, {{1, 1, -2}}},
    {"kN", 1e3, {{1, 1, -2}}},
    {"Nm", 1.0, {{2, 1, -2}}},
    {"Pa", 1.0, {{-1, 1, -2}}},
    {"kPa", 1e3, {{-1, 1, -2}}},
    {"MPa", 1e6, {{-1, 1, -2}}},
    {"rpm", 2.0 * PI / 60.0, {{0, 0, -1, 0, 0, 1}}},
    {"Hz", 1.0, {{0, 0, -1}}},
    {"kHz", 1e3, {{0, 0, -1}}},
    {"W", 1.0, {{2, 1, -3}}},
    {"J", 1.0, {{2, 1, -2}}},
    {"V", 1.0, {{2, 1, -3, -1}}},
    {"A", 1.0, {{0, 0, 0, 1}}},
    {"K", 1.0, {{0, 0, 0, 0, 1}}},
};
enum { UNIT_COUNT = sizeof units / sizeof *units };

static bool same(const char *name, const char *text, size_t size)
{
    return strlen(name) == size && memcmp(name, text, size) == 0;
}

static const Unit *find_unit(const char *text, size_t size)
{
    for (int i = 0; i < UNIT_COUNT; i++)
        if (same(units[i].name, text, size))
            return &units[i];
    return NULL;
}

const char *ri_dim_text(RiDim dim, char *buffer, size_t size)
{
    static const char *const base[RI_DIM_COUNT] = {"m", "kg", "s", "A", "K", "rad"};
    if (ri_dim_is_plain(dim)) {
        snprintf(buffer, size, "a plain number");
        return buffer;
    }
    for (int i = 0; i < UNIT_COUNT; i++) {
        if (units[i].factor == 1.0 && memcmp(&units[i].dim, &dim, sizeof dim) == 0) {
            snprintf(buffer, size, "%s", units[i].name);
            return buffer;
        }
    }
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < RI_DIM_COUNT && used < size; i++) {
        if (dim.e[i] == 0)
            continue;
        const char *star = used ? "*" : "";
        const int n = dim.e[i] == 1 ? snprintf(buffer + used, size - used, "%s%s", star, base[i])
                                    : snprintf(buffer + used, size - used, "%s%s^%d", star, base[i], dim.e[i]);
        used += (size_t)n;
    }
    return buffer;
}

// ------------------------------------------------------------------------------------------ lexing

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The byte `ahead` of the reading position, 0 beyond the end.
static char peek(const Parser *p, size_t ahead)
{
    return p->at + ahead < p->size ? p->text[p->at + ahead] : '\0';
}

static void skip_space(Parser *p)
{
    while (peek(p, 0) == ' ' || peek(p, 0) == '\t' || peek(p, 0) == '\n' || peek(p, 0) == '\r')
        p->at++;
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c);
}

/// Length of the name at the reading position, 0 if there is none. In a dotted scope a dot is part
/// of the name if a word follows it.
static size_t name_length(const Parser *p)
{
    const bool dotted = p->scope && p->scope->dotted;
    size_t n = 0;
    if (is_letter(peek(p, 0)))
        while (is_word(peek(p, n)) || (dotted && peek(p, n) == '.' && is_word(peek(p, n + 1))))
            n++;
    return n;
}

bool ri_expr_is_name(const char *text, size_t size)
{
    const Parser p = {.text = text, .size = size};
    return size > 0 && name_length(&p) == size;
}

bool ri_expr_is_dotted_name(const char *text, size_t size)
{
    const RiExprScope scope = {.dotted = true};
    const Parser p = {.text = text, .size = size, .scope = &scope};
    return size > 0 && name_length(&p) == size;
}

// ------------------------------------------------------------------------------ units after values

/// Reads "^2", "**-1" after a unit name; 1 if there is none.
static RiStatus unit_exponent(Parser *p, int *out_exponent)
{
    *out_exponent = 1;
    const size_t mark = peek(p, 0) == '^' ? 1 : peek(p, 0) == '*' && peek(p, 1) == '*' ? 2 : 0;
    if (mark == 0)
        return RI_OK;
    const size_t start = p->at;
    p->at += mark;
    const int sign = peek(p, 0) == '-' ? -1 : 1;
    p->at += peek(p, 0) == '-';
    if (!is_digit(peek(p, 0)) || is_digit(peek(p, 1)) || peek(p, 1) == '.')
        return fail(p, start, RI_ERR_FORMAT, "the exponent of a unit must be a whole number from -9 to 9");
    *out_exponent = sign * (peek(p, 0) - '0');
    p->at++;
    return RI_OK;
}

/// Multiplies `q` by the unit name at the reading position to the power of `sign` times its
/// exponent.
static RiStatus take_unit(Parser *p, const Unit *unit, size_t size, int sign, RiQuantity *q)
{
    const size_t start = p->at;
    p->at += size;
    int exponent;
    RI_TRY(unit_exponent(p, &exponent));
    if (!dim_combine(q->dim, unit->dim, sign * exponent, &q->dim))
        return fail(p, start, RI_ERR_FORMAT, "a unit has an exponent beyond +-%d", EXPONENT_LIMIT);
    const double factor = ri_pow(unit->factor, sign * exponent);
    q->value *= factor;
    if (!p->literal && factor != 1.0)
        emit(p, start, (RiExprStep){.op = DO_SCALE, .value = factor});
    return RI_OK;
}

/// Reads the rest of a product of units: "*m", "/s^2". What is not a unit is left for the
/// expression.
static RiStatus take_more_units(Parser *p, RiQuantity *q)
{
    for (;;) {
        const size_t before = p->at;
        skip_space(p);
        const char op = peek(p, 0);
        if ((op != '*' && op != '/') || peek(p, 1) == '*') {
            p->at = before;
            return RI_OK;
        }
        p->at++;
        skip_space(p);
        const size_t n = name_length(p);
        const Unit *unit = n ? find_unit(p->text + p->at, n) : NULL;
        if (!unit || peek(p, n) == '(') {
            p->at = before;
            return RI_OK;
        }
        RI_TRY(take_unit(p, unit, n, op == '*' ? 1 : -1, q));
    }
}

static RiStatus unknown_unit(Parser *p, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", shown(size), p->text + p->at);
    const char *nearest = NULL;
    int best = 2; // units are short: one slip
    for (int i = 0; i < UNIT_COUNT; i++) {
        const int distance = size < 2 ? best : ri_edit_distance(name, units[i].name, 99);
        if (distance < best) {
            best = distance;
            nearest = units[i].name;
        }
    }
    if (nearest)
        return fail(p, p->at, RI_ERR_FORMAT, "unknown unit '%s'; did you mean '%s'?", name, nearest);
    return fail(p, p->at, RI_ERR_FORMAT, "unknown unit '%s'", name);
}

/// Reads the units that may follow a number or a closing parenthesis.
static RiStatus take_units(Parser *p, RiQuantity *q)
{
    const size_t before = p->at;
    skip_space(p);
    const size_t n = name_length(p);
    if (n == 0) {
        p->at = before;
        return RI_OK;
    }
    const Unit *unit = find_unit(p->text + p->at, n);
    if (!unit)
        return unknown_unit(p, n);
    if (!ri_dim_is_plain(q->dim))
        return fail(p, p->at, RI_ERR_FORMAT, "the value before '%s' has a unit already", unit->name);
    RI_TRY(take_unit(p, unit, n, 1, q));
    RI_TRY(take_more_units(p, q));
    if (!isfinite(q->value))
        return fail(p, before, RI_ERR_NUMERIC, "the value is too large");
    return RI_OK;
}

/// Reads a number with its units.
static RiStatus take_number(Parser *p, RiQuantity *out)
{
    const size_t n = ri_number_length(p->text + p->at, p->size - p->at);
    if (n == 0)
        return fail(p, p->at, RI_ERR_FORMAT, "expected a number");
    if (!ri_number_parse(p->text + p->at, n, &out->value))
        return fail(p, p->at, RI_ERR_NUMERIC, "the number '%.*s' is too long or too large", shown(n), p->text + p->at);
    const size_t start = p->at;
    p->at += n;
    p->literal = true;
    const RiStatus status = take_units(p, out);
    p->literal = false;
    emit(p, start, (RiExprStep){.op = DO_CONSTANT, .value = out->value});
    return status;
}

// ---------------------------------------------------------------------------- values and operators

/// The dimension of a + b, min(a, b), a < b: equal, or one is a plain number.
static RiStatus agree(Parser *p, size_t at, RiDim a, RiDim b, RiDim *out)
{
    *out = ri_dim_is_plain(a) ? b : a;
    if (is_ignored(p) || ri_dim_fits(a, b) || ri_dim_fits(b, a))
        return RI_OK;
    char left[64], right[64];
    return fail(p, at, RI_ERR_FORMAT, "units do not agree: %s and %s", ri_dim_text(a, left, sizeof left),
                ri_dim_text(b, right, sizeof right));
}

static RiStatus want_plain(Parser *p, size_t at, RiDim dim, const char *what, bool angle_too)
{
    char text[64];
    if (is_ignored(p) || ri_dim_is_plain(dim) || (angle_too && without_si(dim) && dim.e[RI_DIM_ANGLE] == 1))
        return RI_OK;
    return fail(p, at, RI_ERR_FORMAT, "%s takes a plain number%s, not %s", what, angle_too ? " or an angle" : "",
                ri_dim_text(dim, text, sizeof text));
}

/// Sets a computed value, or tells that it is not finite.
static RiStatus give(Parser *p, size_t at, double value, RiDim dim, RiQuantity *out)
{
    *out = (RiQuantity){p->dead && !isfinite(value) ? 0.0 : value, dim}; // exponents of dead branches are needed
    if (is_computed(p) && !isfinite(value))
        return fail(p, at, RI_ERR_NUMERIC, "the result is not a finite number");
    return RI_OK;
}

static RiStatus not_zero(Parser *p, size_t at, double divisor)
{
    return is_computed(p) && divisor == 0.0 ? fail(p, at, RI_ERR_NUMERIC, "division by zero") : RI_OK;
}

/// Remainder with the sign of b: a - b floor(a / b).
static double modulo(double a, double b)
{
    const double r = fmod(a, b);
    return r != 0.0 && (r < 0.0) != (b < 0.0) ? r + b : r;
}

static RiStatus power(Parser *p, size_t at, RiQuantity a, RiQuantity b, RiQuantity *out)
{
    RiDim dim = {{0}};
    RI_TRY(want_plain(p, at, b.dim, "an exponent", false));
    if (!is_ignored(p) && !ri_dim_is_plain(a.dim)) {
        if (b.value != rint(b.value) || fabs(b.value) > EXPONENT_LIMIT)
            return fail(p, at, RI_ERR_FORMAT, "a value with a unit takes a whole exponent within +-%d", EXPONENT_LIMIT);
        if (!dim_combine(dim, a.dim, (int)b.value, &dim))
            return fail(p, at, RI_ERR_FORMAT, "a unit has an exponent beyond +-%d", EXPONENT_LIMIT);
    }
    if (a.value == 0.0 && b.value < 0.0)
        RI_TRY(not_zero(p, at, a.value));
    return give(p, at, ri_pow(a.value, b.value), dim, out);
}

typedef enum Op {
    OP_NONE,
    OP_CHOICE,
    OP_OR,
    OP_AND,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_MORE,
    OP_MORE_EQUAL,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_POWER
} Op;

enum { BIND_CHOICE = 1, BIND_OR, BIND_AND, BIND_EQUAL, BIND_ORDER, BIND_SUM, BIND_PRODUCT, BIND_UNARY, BIND_POWER };

typedef struct Operator {
    const char *text;
    Op op;
    int bind;  ///< how tightly
    int right; ///< how tightly the right side must bind
} Operator;

// Longer spellings first.
static const Operator operators[] = {
    {"**", OP_POWER, BIND_POWER, BIND_UNARY},
    {"&&", OP_AND, BIND_AND, BIND_AND + 1},
    {"||", OP_OR, BIND_OR, BIND_OR + 1},
    {"==", OP_EQUAL, BIND_EQUAL, BIND_EQUAL + 1},
    {"!=", OP_UNEQUAL, BIND_EQUAL, BIND_EQUAL + 1},
    {"<=", OP_LESS_EQUAL, BIND_ORDER, BIND_ORDER + 1},
    {">=", OP_MORE_EQUAL, BIND_ORDER, BIND_ORDER + 1},
    {"<", OP_LESS, BIND_ORDER, BIND_ORDER + 1},
    {">", OP_MORE, BIND_ORDER, BIND_ORDER + 1},
    {"+", OP_ADD, BIND_SUM, BIND_SUM + 1},
    {"-", OP_SUBTRACT, BIND_SUM, BIND_SUM + 1},
    {"*", OP_MULTIPLY, BIND_PRODUCT, BIND_PRODUCT + 1},
    {"/", OP_DIVIDE, BIND_PRODUCT, BIND_PRODUCT + 1},
    {"%", OP_MODULO, BIND_PRODUCT, BIND_PRODUCT + 1},
    {"^", OP_POWER, BIND_POWER, BIND_UNARY},
    {"?", OP_CHOICE, BIND_CHOICE, BIND_CHOICE},
};
enum { OPERATOR_COUNT = sizeof operators / sizeof *operators };

static const Operator *find_operator(const Parser *p)
{
    for (int i = 0; i < OPERATOR_COUNT; i++) {
        const char *t = operators[i].text;
        if (peek(p, 0) == t[0] && (!t[1] || peek(p, 1) == t[1]))
            return &operators[i];
    }
    return NULL;
}

static bool compare(Op op, double a, double b)
{
    switch (op) {
    case OP_EQUAL:
        return a == b;
    case OP_UNEQUAL:
        return a != b;
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_MORE:
        return a > b;
    default:
        return a >= b;
    }
}

static RiStatus product(Parser *p, size_t at, Op op, RiQuantity a, RiQuantity b, RiQuantity *out)
{
    RiDim dim;
    if (!dim_combine(a.dim, b.dim, op == OP_MULTIPLY ? 1 : -1, &dim))
        return fail(p, at, RI_ERR_FORMAT, "a unit has an exponent beyond +-%d", EXPONENT_LIMIT);
    if (op == OP_MULTIPLY)
        return give(p, at, a.value * b.value, dim, out);
    RI_TRY(not_zero(p, at, b.value));
    return give(p, at, a.value / b.value, dim, out);
}

/// a op b for every operator that always takes both sides.
static RiStatus apply(Parser *p, size_t at, Op op, RiQuantity a, RiQuantity b, RiQuantity *out)
{
    const RiDim plain = {{0}};
    if (op == OP_POWER)
        return power(p, at, a, b, out);
    if (op == OP_MULTIPLY || op == OP_DIVIDE)
        return product(p, at, op, a, b, out);
    RiDim dim;
    RI_TRY(agree(p, at, a.dim, b.dim, &dim));
    switch (op) {
    case OP_ADD:
        return give(p, at, a.value + b.value, dim, out);
    case OP_SUBTRACT:
        return give(p, at, a.value - b.value, dim, out);
    case OP_MODULO:
        RI_TRY(not_zero(p, at, b.value));
        return give(p, at, modulo(a.value, b.value), dim, out);
    default:
        return give(p, at, compare(op, a.value, b.value), plain, out);
    }
}

// --------------------------------------------------------------------------------------- functions

typedef enum Function {
    F_SIN,
    F_COS,
    F_TAN,
    F_ASIN,
    F_ACOS,
    F_ATAN,
    F_ATAN2,
    F_SQRT,
    F_ABS,
    F_MIN,
    F_MAX,
    F_POW,
    F_EXP,
    F_LOG,
    F_FLOOR,
    F_CEIL,
    F_ROUND,
    F_MOD,
    F_HYPOT,
    F_DEG,
    F_RAD,
    F_IF,
    F_SIGN,
    F_CLAMP
} Function;

typedef struct FunctionInfo {
    const char *name;
    Function function;
    int least, most; ///< arguments
} FunctionInfo;

static const FunctionInfo functions[] = {
    {"sin", F_SIN, 1, 1},     {"cos", F_COS, 1, 1},         {"tan", F_TAN, 1, 1},         {"asin", F_ASIN, 1, 1},
    {"acos", F_ACOS, 1, 1},   {"atan", F_ATAN, 1, 1},       {"atan2", F_ATAN2, 2, 2},     {"sqrt", F_SQRT, 1, 1},
    {"abs", F_ABS, 1, 1},     {"min", F_MIN, 1, ARGUMENTS}, {"max", F_MAX, 1, ARGUMENTS}, {"pow", F_POW, 2, 2},
    {"exp", F_EXP, 1, 1},     {"log", F_LOG, 1, 1},         {"floor", F_FLOOR, 1, 1},     {"ceil", F_CEIL, 1, 1},
    {"round", F_ROUND, 1, 1}, {"mod", F_MOD, 2, 2},         {"hypot", F_HYPOT, 2, 2},     {"deg", F_DEG, 1, 1},
    {"rad", F_RAD, 1, 1},     {"if", F_IF, 3, 3},           {"sign", F_SIGN, 1, 1},       {"clamp", F_CLAMP, 3, 3},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const struct {
    const char *name;
    double value;
} constants[] = {{"pi", PI}, {"tau", 2.0 * PI}, {"e", 2.71828182845904523536}};
enum { CONSTANT_COUNT = sizeof constants / sizeof *constants };

static const FunctionInfo *find_function(const char *text, size_t size)
{
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (same(functions[i].name, text, size))
            return &functions[i];
    return NULL;
}

bool ri_expr_is_reserved(const char *name, size_t size)
{
    for (int i = 0; i < CONSTANT_COUNT; i++)
        if (same(constants[i].name, name, size))
            return true;
    return find_function(name, size) || find_unit(name, size) || same("inf", name, size) || same("nan", name, size);
}

/// Functions of plain numbers and angles.
static RiStatus call_plain(Parser *p, size_t at, const FunctionInfo *f, const RiQuantity *a, RiQuantity *out)
{
    const RiDim plain = {{0}}, angle = {{[RI_DIM_ANGLE] = 1}};
    const double x = a[0].value;
    const bool takes_angle = f->function <= F_TAN || f->function == F_DEG;
    RI_TRY(want_plain(p, at, a[0].dim, f->name, takes_angle));
    switch (f->function) {
    case F_SIN:
        return give(p, at, ri_sin(x), plain, out);
    case F_COS:
        return give(p, at, ri_cos(x), plain, out);
    case F_TAN:
        return give(p, at, ri_tan(x), plain, out);
    case F_ASIN:
        return give(p, at, ri_asin(x), angle, out);
    case F_ACOS:
        return give(p, at, ri_acos(x), angle, out);
    case F_ATAN:
        return give(p, at, ri_atan(x), angle, out);
    case F_EXP:
        return give(p, at, ri_exp(x), plain, out);
    case F_LOG:
        return give(p, at, ri_log(x), plain, out);
    case F_FLOOR:
        return give(p, at, floor(x), plain, out);
    case F_CEIL:
        return give(p, at, ceil(x), plain, out);
    case F_ROUND:
        return give(p, at, round(x), plain, out);
    case F_DEG:
        return give(p, at, x * (180.0 / PI), plain, out);
    default:
        return give(p, at, x * (PI / 180.0), angle, out);
    }
}

static RiStatus call_sqrt(Parser *p, size_t at, RiQuantity a, RiQuantity *out)
{
    for (int i = 0; i < RI_DIM_COUNT; i++) {
        if (a.dim.e[i] % 2 && !is_ignored(p))
            return fail(p, at, RI_ERR_FORMAT, "sqrt of a unit with an odd exponent");
        a.dim.e[i] = (signed char)(a.dim.e[i] / 2);
    }
    return give(p, at, sqrt(a.value), a.dim, out);
}

/// min(a, b, ...), max(a, b, ...).
static RiStatus call_extreme(Parser *p, size_t at, bool largest, const RiQuantity *a, int count, RiQuantity *out)
{
    RiQuantity best = a[0];
    for (int i = 1; i < count; i++) {
        RI_TRY(agree(p, at, best.dim, a[i].dim, &best.dim));
        if (largest ? a[i].value > best.value : a[i].value < best.value)
            best.value = a[i].value;
    }
    return give(p, at, best.value, best.dim, out);
}

static RiStatus call_clamp(Parser *p, size_t at, const RiQuantity *a, RiQuantity *out)
{
    RiDim dim;
    RI_TRY(agree(p, at, a[0].dim, a[1].dim, &dim));
    RI_TRY(agree(p, at, dim, a[2].dim, &dim));
    if (is_computed(p) && a[1].value > a[2].value)
        return fail(p, at, RI_ERR_NUMERIC, "clamp(x, low, high) with low above high");
    return give(p, at, fmin(fmax(a[0].value, a[1].value), a[2].value), dim, out);
}

/// Functions of two values of one dimension.
static RiStatus call_pair(Parser *p, size_t at, Function f, const RiQuantity *a, RiQuantity *out)
{
    const RiDim angle = {{[RI_DIM_ANGLE] = 1}};
    RiDim dim;
    RI_TRY(agree(p, at, a[0].dim, a[1].dim, &dim));
    if (f == F_ATAN2)
        return give(p, at, ri_atan2(a[0].value, a[1].value), angle, out);
    if (f == F_HYPOT)
        return give(p, at, ri_hypot(a[0].value, a[1].value), dim, out);
    return apply(p, at, OP_MODULO, a[0], a[1], out);
}

static RiStatus call(Parser *p, size_t at, const FunctionInfo *f, const RiQuantity *a, int count, RiQuantity *out)
{
    const RiDim plain = {{0}};
    switch (f->function) {
    case F_ABS:
        return give(p, at, fabs(a[0].value), a[0].dim, out);
    case F_SIGN:
        return give(p, at, (a[0].value > 0.0) - (a[0].value < 0.0), plain, out);
    case F_SQRT:
        return call_sqrt(p, at, a[0], out);
    case F_MIN:
    case F_MAX:
        return call_extreme(p, at, f->function == F_MAX, a, count, out);
    case F_CLAMP:
        return call_clamp(p, at, a, out);
    case F_POW:
        return power(p, at, a[0], a[1], out);
    case F_ATAN2:
    case F_HYPOT:
    case F_MOD:
        return call_pair(p, at, f->function, a, out);
    case F_IF:
        *out = a[0].value != 0.0 ? a[1] : a[2];
        return RI_OK;
    default:
        return call_plain(p, at, f, a, out);
    }
}

// ----------------------------------------------------------------------------------------- parsing

static RiStatus parse(Parser *p, int least, RiQuantity *out);

/// The jump after the condition of `if` (past its first branch) and after its first branch (past
/// its second).
static int take_branch(Parser *p, int argument, const int jump[2])
{
    if (argument == 0)
        return emit(p, p->at, (RiExprStep){.op = DO_JUMP_IF_NOT});
    const int past = argument == 1 ? emit(p, p->at, (RiExprStep){.op = DO_JUMP}) : 0;
    land(p, jump[argument - 1]);
    return past;
}

/// Reads a branch; if it is not taken, dead. *known becomes false if its unit is not known because
/// names were not looked up.
static RiStatus parse_branch(Parser *p, bool taken, RiQuantity *out, bool *known)
{
    const int before = p->skipped;
    p->skipped = 0;
    p->dead += !taken;
    RI_TRY(parse(p, BIND_CHOICE, out));
    p->dead -= !taken;
    *known &= p->skipped == 0 || (taken && !p->dead);
    p->skipped += before;
    return RI_OK;
}

/// Both branches of a choice must have units that agree.
static RiStatus compare_branches(Parser *p, size_t at, RiQuantity a, RiQuantity b, bool known)
{
    RiDim dim;
    return known ? agree(p, at, a.dim, b.dim, &dim) : RI_OK;
}

/// Reads `(a, b, ...)` of a call; the branch that `if` does not choose is read dead.
static RiStatus take_arguments(Parser *p, const FunctionInfo *f, RiQuantity *a, int *out_count)
{
    int count = *out_count = 0, jump[2] = {0};
    bool known = true;
    const size_t start = p->at++; // the parenthesis
    for (;;) {
        if (count == f->most)
            return fail(p, p->at, RI_ERR_FORMAT, "%s takes at most %d argument(s)", f->name, f->most);
        const bool chosen = f->function != F_IF || count == 0 || (a[0].value != 0.0) == (count == 1);
        RI_TRY(parse_branch(p, chosen, &a[count], &known));
        if (f->function == F_IF)
            jump[count % 2] = take_branch(p, count, jump);
        count++;
        skip_space(p);
        if (peek(p, 0) == ')')
            break;
        if (peek(p, 0) != ',')
            return fail(p, p->at, RI_ERR_FORMAT, "expected ',' or ')' in the call of %s", f->name);
        p->at++;
    }
    if (count < f->least)
        return fail(p, p->at, RI_ERR_FORMAT, "%s takes %d arguments, not %d", f->name, f->least, count);
    p->at++;
    *out_count = count;
    return f->function == F_IF ? compare_branches(p, start, a[1], a[2], known) : RI_OK;
}

static RiStatus unknown_function(Parser *p, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", shown(size), p->text + p->at);
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (ri_edit_distance(name, functions[i].name, 9) < 2)
            return fail(p, p->at, RI_ERR_NOT_FOUND, "unknown function '%s'; did you mean '%s'?", name,
                        functions[i].name);
    return fail(p, p->at, RI_ERR_NOT_FOUND, "unknown function '%s'", name);
}

static RiStatus take_call(Parser *p, size_t size, RiQuantity *out)
{
    const size_t start = p->at;
    const FunctionInfo *f = find_function(p->text + p->at, size);
    if (!f)
        return unknown_function(p, size);
    p->at += size;
    RiQuantity arguments[ARGUMENTS] = {{0}};
    int count;
    RI_TRY(take_arguments(p, f, arguments, &count));
    RI_TRY(call(p, start, f, arguments, count, out));
    if (f->function != F_IF)
        emit(p, start, (RiExprStep){.op = DO_CALL, .code = (short)(f - functions), .count = (short)count});
    return take_units(p, out);
}

static RiStatus unknown_name(Parser *p, size_t size)
{
    const char *text = p->text + p->at;
    if (find_unit(text, size))
        return fail(p, p->at, RI_ERR_NOT_FOUND, "unit '%.*s' must follow a number or a closing parenthesis",
                    shown(size), text);
    char name[64]; // as much as takes part in a comparison of names
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : sizeof name - 1), text);
    const char *nearest = p->scope && p->scope->names ? ri_names_nearest(p->scope->names, name) : NULL;
    if (nearest)
        return fail(p, p->at, RI_ERR_NOT_FOUND, "unknown name '%s'; did you mean '%.64s'?", name, nearest);
    return fail(p, p->at, RI_ERR_NOT_FOUND, "unknown name '%s'", name);
}

/// Asks the scope for the `size` bytes at the reading position.
static RiStatus take_known(Parser *p, size_t size, RiQuantity *out)
{
    const char *text = p->text + p->at;
    if (is_skipped(p))
        p->skipped++;
    else {
        const bool asks = p->scope && p->scope->lookup;
        const RiStatus status = asks ? p->scope->lookup(p->scope->user, text, size, out) : RI_ERR_NOT_FOUND;
        if (status == RI_ERR_NOT_FOUND)
            return unknown_name(p, size);
        if (status != RI_OK) {
            *p->error = (RiExprError){.column = (int)p->at + 1, .told = true};
            return status;
        }
    }
    if (p->steps) {
        const int index = p->scope->refer(p->scope->user, text, size);
        emit(p, p->at, (RiExprStep){.op = index < 0 ? DO_CONSTANT : DO_NAME, .index = index, .value = out->value});
    }
    p->at += size;
    return give(p, p->at - size, out->value, out->dim, out);
}

static RiStatus take_name(Parser *p, size_t size, RiQuantity *out)
{
    const char *text = p->text + p->at;
    for (int i = 0; i < CONSTANT_COUNT; i++) {
        if (same(constants[i].name, text, size)) {
            emit(p, p->at, (RiExprStep){.op = DO_CONSTANT, .value = constants[i].value});
            p->at += size;
            return give(p, p->at, constants[i].value, out->dim, out);
        }
    }
    return take_known(p, size, out);
}

/// A name in backquotes, which may hold any character but a backquote.
static RiStatus take_quoted(Parser *p, RiQuantity *out)
{
    const size_t start = p->at++;
    const char *end = memchr(p->text + p->at, '`', p->size - p->at);
    if (!end)
        return fail(p, start, RI_ERR_FORMAT, "the backquote in column %d is not closed", (int)start + 1);
    const size_t size = (size_t)(end - (p->text + p->at));
    if (size == 0)
        return fail(p, start, RI_ERR_FORMAT, "there is no name between the backquotes");
    RI_TRY(take_known(p, size, out));
    p->at++;
    return RI_OK;
}

static RiStatus take_parenthesis(Parser *p, RiQuantity *out)
{
    const size_t start = p->at++;
    RI_TRY(parse(p, BIND_CHOICE, out));
    skip_space(p);
    if (peek(p, 0) != ')')
        return fail(p, p->at, RI_ERR_FORMAT, "expected ')' for the '(' in column %d", (int)start + 1);
    p->at++;
    return take_units(p, out);
}

static RiStatus take_unary(Parser *p, char op, RiQuantity *out)
{
    const RiDim plain = {{0}};
    const size_t start = p->at++;
    RI_TRY(parse(p, BIND_UNARY, out));
    if (op != '+')
        emit(p, start, (RiExprStep){.op = op == '!' ? DO_NOT : DO_NEGATE});
    if (op == '!')
        return give(p, start, out->value == 0.0, plain, out);
    return give(p, start, op == '-' ? -out->value : out->value, out->dim, out);
}

/// A value: number, name, call, parenthesis or unary operator with its operand.
static RiStatus take_value(Parser *p, RiQuantity *out)
{
    *out = (RiQuantity){0};
    skip_space(p);
    const char c = peek(p, 0);
    if (is_digit(c) || c == '.')
        return take_number(p, out);
    if (c == '(')
        return take_parenthesis(p, out);
    if (c == '`' && p->scope && p->scope->dotted)
        return take_quoted(p, out);
    if (c == '-' || c == '+' || c == '!')
        return take_unary(p, c, out);
    const size_t n = name_length(p);
    if (n && peek(p, n) == '(')
        return take_call(p, n, out);
    if (n)
        return take_name(p, n, out);
    if (p->at >= p->size)
        return fail(p, p->at, RI_ERR_FORMAT, "the expression ends where a value is expected");
    if (c >= ' ' && c <= '~')
        return fail(p, p->at, RI_ERR_FORMAT, "expected a value, found '%c'", c);
    return fail(p, p->at, RI_ERR_FORMAT, "expected a value, found byte 0x%02x", (unsigned)(unsigned char)c);
}

/// `a ? b : c` after the question mark.
static RiStatus take_choice(Parser *p, RiQuantity *value)
{
    const bool yes = value->value != 0.0;
    bool known = true;
    RiQuantity b, c;
    const int past_b = emit(p, p->at, (RiExprStep){.op = DO_JUMP_IF_NOT});
    RI_TRY(parse_branch(p, yes, &b, &known));
    skip_space(p);
    if (peek(p, 0) != ':')
        return fail(p, p->at, RI_ERR_FORMAT, "expected ':' of 'a ? b : c'");
    const size_t colon = p->at++;
    const int past_c = emit(p, colon, (RiExprStep){.op = DO_JUMP});
    land(p, past_b);
    RI_TRY(parse_branch(p, !yes, &c, &known));
    land(p, past_c);
    *value = yes ? b : c;
    return compare_branches(p, colon, b, c, known);
}

/// `a && b`, `a || b` after the operator: b is dead where a decides.
static RiStatus take_logic(Parser *p, const Operator *o, RiQuantity *value)
{
    const bool left = value->value != 0.0, decided = left == (o->op == OP_OR);
    RiQuantity b;
    const int past_b = emit(p, p->at, (RiExprStep){.op = o->op == OP_OR ? DO_OR : DO_AND});
    p->dead += decided;
    RI_TRY(parse(p, o->right, &b));
    p->dead -= decided;
    emit(p, p->at, (RiExprStep){.op = DO_TRUTH});
    land(p, past_b);
    *value = (RiQuantity){.value = decided ? left : b.value != 0.0};
    return RI_OK;
}

static RiStatus parse_operators(Parser *p, int least, RiQuantity *out)
{
    for (;;) {
        skip_space(p);
        const Operator *o = find_operator(p);
        if (!o || o->bind < least)
            return RI_OK;
        const size_t start = p->at;
        p->at += strlen(o->text);
        if (o->op == OP_CHOICE) {
            RI_TRY(take_choice(p, out));
        } else if (o->op == OP_AND || o->op == OP_OR) {
            RI_TRY(take_logic(p, o, out));
        } else {
            RiQuantity right;
            RI_TRY(parse(p, o->right, &right));
            RI_TRY(apply(p, start, o->op, *out, right, out));
            emit(p, start, (RiExprStep){.op = DO_APPLY, .code = (short)o->op});
        }
    }
}

static RiStatus parse(Parser *p, int least, RiQuantity *out)
{
    if (++p->depth > RI_EXPR_DEPTH)
        return fail(p, p->at, RI_ERR_LIMIT, "the expression is nested more than %d deep", RI_EXPR_DEPTH);
    RI_TRY(take_value(p, out));
    RI_TRY(parse_operators(p, least, out));
    p->depth--;
    return RI_OK;
}

/// Checks that the text has been read to its end.
static RiStatus at_end(Parser *p, const char *expected)
{
    skip_space(p);
    if (p->at >= p->size)
        return RI_OK;
    const char c = peek(p, 0);
    return fail(p, p->at, RI_ERR_FORMAT, "expected %s, found '%c'", expected, c >= ' ' && c <= '~' ? c : '?');
}

RiStatus ri_expr_eval(const char *text, size_t size, const RiExprScope *scope, RiQuantity *out_value,
                      RiExprError *out_error)
{
    *out_value = (RiQuantity){0};
    *out_error = (RiExprError){0};
    Parser p = {.text = text, .size = size, .scope = scope, .error = out_error};
    if (size > RI_EXPR_LENGTH)
        return fail(&p, 0, RI_ERR_LIMIT, "the expression is longer than %d characters", RI_EXPR_LENGTH);
    RiQuantity value;
    RI_TRY(parse(&p, BIND_CHOICE, &value));
    RI_TRY(at_end(&p, "an operator"));
    *out_value = value;
    return RI_OK;
}

// ------------------------------------------------------------------------------------- translation

RiStatus ri_expr_compile(const char *text, size_t size, const RiExprScope *scope, RiExprStep *steps, int room,
                         int *out_count, RiDim *out_dim, RiExprError *out_error)
{
    *out_count = 0;
    *out_dim = (RiDim){{0}};
    *out_error = (RiExprError){0};
    Parser p = {.text = text, .size = size, .scope = scope, .error = out_error, .steps = steps, .step_room = room};
    if (size > RI_EXPR_LENGTH)
        return fail(&p, 0, RI_ERR_LIMIT, "the expression is longer than %d characters", RI_EXPR_LENGTH);
    RiQuantity value;
    RI_TRY(parse(&p, BIND_CHOICE, &value));
    RI_TRY(at_end(&p, "an operator"));
    if (p.step_count > room)
        return fail(&p, 0, RI_ERR_LIMIT, "the expression has %d steps; there is room for %d", p.step_count, room);
    *out_count = p.step_count;
    *out_dim = value.dim;
    return RI_OK;
}

/// Does a step that takes values off the stack and puts one on it: `x` is the uppermost, and where
/// the new one goes.
static RiStatus do_values(Parser *p, const RiExprStep *s, RiQuantity **x)
{
    RiQuantity *top = *x;
    const size_t at = (size_t)s->at;
    switch (s->op) {
    case DO_SCALE:
        return give(p, at, top->value * s->value, top->dim, top);
    case DO_NEGATE:
        top->value = -top->value;
        return RI_OK;
    case DO_NOT:
        top->value = top->value == 0.0;
        return RI_OK;
    case DO_TRUTH:
        top->value = top->value != 0.0;
        return RI_OK;
    case DO_APPLY:
        *x = top - 1;
        return apply(p, at, (Op)s->code, top[-1], top[0], *x);
    default:
        *x = top - s->count + 1;
        return call(p, at, &functions[s->code], *x, s->count, *x);
    }
}

/// Where a step leads to that does not simply go on to the next; what it takes off the stack.
static int do_jump(const RiExprStep *s, int i, RiQuantity **x)
{
    const bool yes = s->op == DO_JUMP || (*x)->value != 0.0;
    if (s->op == DO_JUMP)
        return s->index;
    if (s->op == DO_JUMP_IF_NOT) {
        --*x;
        return yes ? i + 1 : s->index;
    }
    if (yes != (s->op == DO_OR)) { // the other side decides
        --*x;
        return i + 1;
    }
    (*x)->value = yes;
    return s->index;
}

RiStatus ri_expr_run(const RiExprStep *steps, int count, double (*read)(const void *user, int index), const void *user,
                     double *out_value, RiExprError *out_error)
{
    // a parenthesis or operator within another one keeps one value waiting, a call up to all of its
    // arguments but one
    RiQuantity stack[2 + ARGUMENTS * RI_EXPR_DEPTH], *x = stack;
    Parser p = {.error = out_error};
    *out_value = 0.0;
    stack[0] = (RiQuantity){0};
    for (int i = 0; i < count;) {
        const RiExprStep *s = &steps[i];
        if (s->op == DO_CONSTANT || s->op == DO_NAME) {
            x++;
            RI_TRY(give(&p, (size_t)s->at, s->op == DO_NAME ? read(user, s->index) : s->value, (RiDim){{0}}, x));
            i++;
        } else if (s->op >= DO_JUMP && s->op <= DO_OR) {
            i = do_jump(s, i, &x);
        } else {
            RI_TRY(do_values(&p, s, &x));
            i++;
        }
    }
    *out_value = x->value;
    return RI_OK;
}

RiStatus ri_quantity_parse(const char *text, size_t size, RiQuantity *out_value, RiExprError *out_error)
{
    *out_value = (RiQuantity){0};
    *out_error = (RiExprError){0};
    Parser p = {.text = text, .size = size, .error = out_error};
    if (size > RI_EXPR_LENGTH)
        return fail(&p, 0, RI_ERR_LIMIT, "the number is longer than %d characters", RI_EXPR_LENGTH);
    skip_space(&p);
    const bool negative = peek(&p, 0) == '-';
    p.at += negative || peek(&p, 0) == '+';
    RiQuantity value = {0};
    RI_TRY(take_number(&p, &value));
    RI_TRY(at_end(&p, "a number with an optional unit (write a calculation as ${...})"));
    value.value = negative ? -value.value : value.value;
    *out_value = value;
    return RI_OK;
}

RiStatus ri_unit_parse(const char *text, size_t size, RiQuantity *out_unit, RiExprError *out_error)
{
    *out_unit = (RiQuantity){.value = 1.0};
    *out_error = (RiExprError){0};
    Parser p = {.text = text, .size = size, .error = out_error};
    if (size > UNIT_LENGTH)
        return fail(&p, 0, RI_ERR_LIMIT, "the unit is longer than %d characters", UNIT_LENGTH);
    RiQuantity unit = {.value = 1.0};
    skip_space(&p);
    if (peek(&p, 0) == '1')
        p.at++;
    RI_TRY(p.at ? take_more_units(&p, &unit) : take_units(&p, &unit));
    RI_TRY(at_end(&p, "a unit such as 'kg*m^2'"));
    *out_unit = unit;
    return RI_OK;
}
