// SPDX-License-Identifier: Apache-2.0
/// \file
/// What xacro expressions may call: mathematics, conversions, load_yaml, and methods of texts,
/// lists and dicts.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "io/file/yaml.h"
#include "io/robot/xacro.h"

#define PI M_PI

// ------------------------------------------------------------------------------------- mathematics

static double to_radians(double v)
{
    return v * (PI / 180.0);
}

static double to_degrees(double v)
{
    return v * (180.0 / PI);
}

typedef struct MathFunction {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} MathFunction;

static const MathFunction math_functions[] = {
    {"sin", ri_sin, NULL},         {"cos", ri_cos, NULL},         {"tan", ri_tan, NULL},        {"asin", ri_asin, NULL},
    {"acos", ri_acos, NULL},       {"atan", ri_atan, NULL},       {"sqrt", sqrt, NULL},         {"exp", ri_exp, NULL},
    {"log", ri_log, NULL},         {"log10", ri_log10, NULL},     {"fabs", fabs, NULL},         {"tanh", ri_tanh, NULL},
    {"radians", to_radians, NULL}, {"degrees", to_degrees, NULL}, {"atan2", NULL, ri_atan2},    {"pow", NULL, ri_pow},
    {"hypot", NULL, ri_hypot},     {"fmod", NULL, fmod},          {"copysign", NULL, copysign},
};

static const MathFunction *find_math(const char *name)
{
    for (size_t i = 0; i < sizeof math_functions / sizeof *math_functions; i++)
        if (strcmp(math_functions[i].name, name) == 0)
            return &math_functions[i];
    return NULL;
}

static RiStatus call_math(RiXacro *x, const MathFunction *f, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double v[2] = {0};
    const int wanted = f->one ? 1 : 2;
    bool good = count == wanted;
    for (int i = 0; i < count && good; i++)
        good = ri_xacro_number(args[i], &v[i]);
    if (!good)
        return ri_xacro_error(x, RI_ERR_FORMAT, "%s() expects %d number%s", f->name, wanted, wanted == 1 ? "" : "s");
    const double result = f->one ? f->one(v[0]) : f->two(v[0], v[1]);
    if (!isfinite(result))
        return ri_xacro_error(x, RI_ERR_NUMERIC, "%s(%g%s) is not a finite number", f->name, v[0],
                              wanted == 2 ? ", ..." : "");
    *out = ri_xacro_float(result);
    return RI_OK;
}

bool ri_xacro_constant(const char *name, RiXacroValue *out_value)
{
    static const struct {
        const char *name;
        double value;
    } numbers[] = {{"pi", PI}, {"e", 2.71828182845904523536}, {"tau", 2.0 * PI}, {"M_PI", PI}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, name) == 0) {
            *out_value = ri_xacro_float(numbers[i].value);
            return true;
        }
    if (strcmp(name, "True") == 0 || strcmp(name, "true") == 0)
        *out_value = ri_xacro_bool(true);
    else if (strcmp(name, "False") == 0 || strcmp(name, "false") == 0)
        *out_value = ri_xacro_bool(false);
    else if (strcmp(name, "None") == 0)
        *out_value = (RiXacroValue){0};
    else
        return false;
    return true;
}

// --------------------------------------------------------------------------------------- load_yaml

static RiStatus from_yaml(RiXacro *x, const RiYamlNode *node, RiXacroValue *out)
{
    if (node->kind == RI_YAML_SCALAR) {
        const char *copy;
        RI_TRY(ri_xacro_copy(x, node->text, strlen(node->text), &copy));
        *out = node->quoted ? ri_xacro_string(copy) : ri_xacro_literal(x, copy);
        return RI_OK;
    }
    RiXacroValue result = {.kind = node->kind == RI_YAML_MAPPING ? RI_XACRO_DICT : RI_XACRO_LIST};
    const RiXacroItem **tail = &result.items;
    for (const RiYamlNode *c = node->first; c; c = c->next) {
        RiXacroValue value;
        const char *key = NULL;
        RI_TRY(from_yaml(x, c, &value));
        if (c->key)
            RI_TRY(ri_xacro_copy(x, c->key, strlen(c->key), &key));
        RI_TRY(ri_xacro_append(x, &tail, key, value));
    }
    *out = result;
    return RI_OK;
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/// Relative paths start at the folder of the file that is expanded now.
static RiStatus load_yaml(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    if (count != 1 || args[0].kind != RI_XACRO_STRING ||
        !(ends_in(args[0].text, ".yaml") || ends_in(args[0].text, ".yml")))
        return ri_xacro_error(x, RI_ERR_FORMAT, "load_yaml() expects the path of a .yaml or .yml file");
    const char *path = args[0].text, *slash = strrchr(x->file, '/');
    if (*path != '/' && slash) {
        const size_t n = (size_t)(slash - x->file) + 1, m = strlen(path);
        char *full = ri_arena_alloc(&x->arena, n + m + 1, 1);
        if (!full)
            return ri_error_memory(x->ctx);
        memcpy(full, x->file, n);
        memcpy(full + n, path, m + 1);
        path = full;
    }
    RiYaml *document;
    RI_TRY(ri_yaml_load(x->ctx, path, NULL, &document));
    const RiStatus status = from_yaml(x, ri_yaml_root(document), out);
    ri_yaml_destroy(document);
    return status;
}

// --------------------------------------------------------------------------------------- built-ins

static RiStatus call_abs(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double v;
    if (count != 1 || !ri_xacro_number(args[0], &v))
        return ri_xacro_error(x, RI_ERR_FORMAT, "abs() expects a number");
    *out = args[0].kind == RI_XACRO_FLOAT ? ri_xacro_float(fabs(v))
                                          : ri_xacro_int(args[0].integer < 0 ? -args[0].integer : args[0].integer);
    return RI_OK;
}

/// min and max of arguments, or of the items of one list.
static RiStatus extreme(RiXacro *x, const RiXacroValue *args, int count, int sign, RiXacroValue *out)
{
    int order;
    if (count == 1 && args[0].kind == RI_XACRO_LIST && args[0].items) {
        *out = args[0].items->value;
        for (const RiXacroItem *i = args[0].items->next; i; i = i->next) {
            RI_TRY(ri_xacro_compare(x, i->value, *out, &order));
            *out = sign * order > 0 ? i->value : *out;
        }
        return RI_OK;
    }
    if (count < 2)
        return ri_xacro_error(x, RI_ERR_FORMAT, "min() and max() want two values or more, or a list");
    *out = args[0];
    for (int i = 1; i < count; i++) {
        RI_TRY(ri_xacro_compare(x, args[i], *out, &order));
        *out = sign * order > 0 ? args[i] : *out;
    }
    return RI_OK;
}

static RiStatus call_min(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    return extreme(x, args, count, -1, out);
}

static RiStatus call_max(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    return extreme(x, args, count, 1, out);
}

/// The whole number of a float that fits 64 bits.
static RiStatus to_int(RiXacro *x, double v, RiXacroValue *out)
{
    if (!(fabs(v) < 9e18))
        return ri_xacro_error(x, RI_ERR_NUMERIC, "%g is too large for an int", v);
    *out = ri_xacro_int((int64_t)v);
    return RI_OK;
}

static RiStatus call_int(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double v;
    const RiXacroValue value = count == 1 && args[0].kind == RI_XACRO_STRING ? ri_xacro_literal(x, args[0].text)
                               : count == 1                                  ? args[0]
                                                                             : (RiXacroValue){0};
    if (!ri_xacro_number(value, &v))
        return ri_xacro_error(x, RI_ERR_FORMAT, "int() expects a number");
    return to_int(x, trunc(v), out);
}

static RiStatus call_float(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double v;
    const RiXacroValue value = count == 1 && args[0].kind == RI_XACRO_STRING ? ri_xacro_literal(x, args[0].text)
                               : count == 1                                  ? args[0]
                                                                             : (RiXacroValue){0};
    if (!ri_xacro_number(value, &v))
        return ri_xacro_error(x, RI_ERR_FORMAT, "float() expects a number");
    *out = ri_xacro_float(v);
    return RI_OK;
}

static RiStatus call_floor(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double v;
    if (count != 1 || !ri_xacro_number(args[0], &v))
        return ri_xacro_error(x, RI_ERR_FORMAT, "floor() expects a number");
    return to_int(x, floor(v), out);
}

static RiStatus call_ceil(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double v;
    if (count != 1 || !ri_xacro_number(args[0], &v))
        return ri_xacro_error(x, RI_ERR_FORMAT, "ceil() expects a number");
    return to_int(x, ceil(v), out);
}

/// Halves go to the even neighbour. With digits the result is a float.
static RiStatus call_round(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double v, digits = 0.0;
    if (count < 1 || count > 2 || !ri_xacro_number(args[0], &v) || (count == 2 && !ri_xacro_number(args[1], &digits)))
        return ri_xacro_error(x, RI_ERR_FORMAT, "round() expects a number and optionally digits");
    if (count == 1)
        return to_int(x, nearbyint(v), out);
    if (fabs(digits) > 15.0)
        return ri_xacro_error(x, RI_ERR_FORMAT, "round() takes -15 to 15 digits");
    const double scale = ri_pow(10.0, trunc(digits));
    *out = ri_xacro_float(nearbyint(v * scale) / scale);
    return RI_OK;
}

static RiStatus call_str(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    const char *text = "";
    if (count > 1)
        return ri_xacro_error(x, RI_ERR_FORMAT, "str() expects one value");
    if (count)
        RI_TRY(ri_xacro_text(x, args[0], &text));
    *out = ri_xacro_string(text);
    return RI_OK;
}

static RiStatus call_bool(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    if (count != 1)
        return ri_xacro_error(x, RI_ERR_FORMAT, "bool() expects one value");
    *out = ri_xacro_bool(ri_xacro_is_true(args[0]));
    return RI_OK;
}

static RiStatus call_len(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    if (count != 1 || args[0].kind < RI_XACRO_STRING)
        return ri_xacro_error(x, RI_ERR_FORMAT, "len() expects a text, a list or a dict");
    *out = ri_xacro_int(args[0].kind == RI_XACRO_STRING ? (int64_t)strlen(args[0].text) : ri_xacro_count(args[0]));
    return RI_OK;
}

static RiStatus call_sum(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    double total = 0.0, v;
    bool whole = true;
    if (count != 1 || args[0].kind != RI_XACRO_LIST)
        return ri_xacro_error(x, RI_ERR_FORMAT, "sum() expects a list");
    for (const RiXacroItem *i = args[0].items; i; i = i->next) {
        if (!ri_xacro_number(i->value, &v))
            return ri_xacro_error(x, RI_ERR_FORMAT, "sum() expects numbers");
        whole = whole && i->value.kind != RI_XACRO_FLOAT;
        total += v;
    }
    *out = ri_xacro_float(total);
    return whole ? to_int(x, total, out) : RI_OK;
}

static RiStatus call_range(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    enum { MOST = 100000 };
    for (int i = 0; i < count; i++)
        if (args[i].kind != RI_XACRO_INT)
            count = 0;
    if (count < 1 || count > 3)
        return ri_xacro_error(x, RI_ERR_FORMAT, "range() expects one to three ints");
    const int64_t first = count > 1 ? args[0].integer : 0, end = args[count > 1].integer,
                  step = count > 2 ? args[2].integer : 1;
    if (step == 0)
        return ri_xacro_error(x, RI_ERR_FORMAT, "range() expects a step other than 0");
    RiXacroValue result = {.kind = RI_XACRO_LIST};
    const RiXacroItem **tail = &result.items;
    int made = 0;
    for (int64_t v = first; step > 0 ? v < end : v > end; v += step) {
        if (made++ == MOST)
            return ri_xacro_error(x, RI_ERR_LIMIT, "range() has more than %d items", MOST);
        RI_TRY(ri_xacro_append(x, &tail, NULL, ri_xacro_int(v)));
    }
    *out = result;
    return RI_OK;
}

/// list(), dict(), xacro.dotify() and xacro.warning() give back what they get.
static RiStatus call_same(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    if (count != 1)
        return ri_xacro_error(x, RI_ERR_FORMAT, "expected one value");
    *out = args[0];
    return RI_OK;
}

/// xacro.error() and xacro.fatal() end the expansion with the author's own message.
static RiStatus call_error(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    const char *text = "";
    *out = (RiXacroValue){0};
    if (count)
        RI_TRY(ri_xacro_text(x, args[0], &text));
    return ri_xacro_error(x, RI_ERR_FORMAT, "the file says: %.200s", text);
}

/// xacro.message() and xacro.warning() print; there is nothing to print to here.
static RiStatus call_nothing(RiXacro *x, const RiXacroValue *args, int count, RiXacroValue *out)
{
    (void)x, (void)args, (void)count;
    *out = ri_xacro_string("");
    return RI_OK;
}

typedef struct Function {
    const char *name;
    RiStatus (*call)(RiXacro *, const RiXacroValue *, int, RiXacroValue *);
} Function;

static const Function functions[] = {
    {"load_yaml", load_yaml}, {"abs", call_abs},     {"min", call_min},         {"max", call_max},
    {"int", call_int},        {"float", call_float}, {"floor", call_floor},     {"ceil", call_ceil},
    {"round", call_round},    {"str", call_str},     {"bool", call_bool},       {"len", call_len},
    {"sum", call_sum},        {"range", call_range}, {"list", call_same},       {"dict", call_same},
    {"dotify", call_same},    {"tuple", call_same},  {"message", call_nothing}, {"warning", call_nothing},
    {"error", call_error},    {"fatal", call_error},
};

static const Function *find_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

RiStatus ri_xacro_call(RiXacro *x, const char *name, const RiXacroValue *args, int count, RiXacroValue *out_value)
{
    const MathFunction *f = find_math(name);
    if (f)
        return call_math(x, f, args, count, out_value);
    const Function *function = find_function(name);
    if (function)
        return function->call(x, args, count, out_value);
    RiNameSearch search = ri_name_search(name);
    for (size_t i = 0; i < sizeof math_functions / sizeof *math_functions; i++)
        ri_name_search_look(&search, math_functions[i].name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        ri_name_search_look(&search, functions[i].name);
    return ri_xacro_error(x, RI_ERR_NOT_FOUND, "function '%.80s' is not understood%s%s%s", name,
                          search.found ? "; did you mean '" : "", search.found ? search.found : "",
                          search.found ? "'?" : "");
}

// ----------------------------------------------------------------------------------------- methods

static RiStatus change_case(RiXacro *x, const char *text, int (*change)(int), RiXacroValue *out)
{
    char *copy = ri_arena_string(&x->arena, text);
    if (!copy)
        return ri_error_memory(x->ctx);
    for (char *c = copy; *c; c++)
        *c = (char)change((unsigned char)*c);
    *out = ri_xacro_string(copy);
    return RI_OK;
}

static RiStatus strip(RiXacro *x, const char *text, RiXacroValue *out)
{
    const char *start = text + strspn(text, " \t\r\n"), *copy;
    size_t n = strlen(start);
    while (n && strchr(" \t\r\n", start[n - 1]))
        n--;
    RI_TRY(ri_xacro_copy(x, start, n, &copy));
    *out = ri_xacro_string(copy);
    return RI_OK;
}

/// Words of a text; without a separator white space parts them.
static RiStatus split(RiXacro *x, const char *text, const char *separator, RiXacroValue *out)
{
    RiXacroValue result = {.kind = RI_XACRO_LIST};
    const RiXacroItem **tail = &result.items;
    while (text) {
        if (!separator)
            text += strspn(text, " \t\r\n");
        if (!separator && !*text)
            break;
        const char *end = separator ? strstr(text, separator) : text + strcspn(text, " \t\r\n"), *word;
        RI_TRY(ri_xacro_copy(x, text, end ? (size_t)(end - text) : strlen(text), &word));
        RI_TRY(ri_xacro_append(x, &tail, NULL, ri_xacro_string(word)));
        text = end ? end + (separator ? strlen(separator) : 0) : NULL;
    }
    *out = result;
    return RI_OK;
}

static RiStatus replace(RiXacro *x, const char *text, const char *old, const char *new, RiXacroValue *out)
{
    const size_t n = strlen(old), m = strlen(new);
    size_t hits = 0;
    for (const char *at = text; n && (at = strstr(at, old)); at += n)
        hits++;
    const size_t size = strlen(text) + hits * m;
    if (size > RI_XACRO_TEXT)
        return ri_xacro_error(x, RI_ERR_LIMIT, "a value is longer than %d bytes", RI_XACRO_TEXT);
    char *copy = ri_arena_alloc(&x->arena, size + 1, 1), *to = copy;
    if (!copy)
        return ri_error_memory(x->ctx);
    for (const char *hit; n && (hit = strstr(text, old)); text = hit + n) {
        memcpy(to, text, (size_t)(hit - text));
        memcpy(to + (hit - text), new, m);
        to += (hit - text) + (ptrdiff_t)m;
    }
    strcpy(to, text);
    *out = ri_xacro_string(copy);
    return RI_OK;
}

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static RiStatus call_text_method(RiXacro *x, const char *text, const char *name, const RiXacroValue *args, int count,
                                 RiXacroValue *out, bool *out_known)
{
    const char *first = count > 0 && args[0].kind == RI_XACRO_STRING ? args[0].text : NULL;
    const char *second = count > 1 && args[1].kind == RI_XACRO_STRING ? args[1].text : NULL;
    *out_known = true;
    if (strcmp(name, "lower") == 0 && count == 0)
        return change_case(x, text, tolower, out);
    if (strcmp(name, "upper") == 0 && count == 0)
        return change_case(x, text, toupper, out);
    if (strcmp(name, "strip") == 0 && count == 0)
        return strip(x, text, out);
    if (strcmp(name, "split") == 0 && (count == 0 || (count == 1 && first && *first)))
        return split(x, text, first, out);
    if (strcmp(name, "replace") == 0 && count == 2 && first && second)
        return replace(x, text, first, second, out);
    if (strcmp(name, "startswith") == 0 && count == 1 && first)
        *out = ri_xacro_bool(starts_with(text, first));
    else if (strcmp(name, "endswith") == 0 && count == 1 && first)
        *out = ri_xacro_bool(strlen(text) >= strlen(first) && strcmp(text + strlen(text) - strlen(first), first) == 0);
    else
        *out_known = false;
    return RI_OK;
}

static RiStatus call_dict_method(RiXacro *x, RiXacroValue of, const char *name, const RiXacroValue *args, int count,
                                 RiXacroValue *out, bool *out_known)
{
    *out_known = true;
    if (strcmp(name, "get") == 0 && (count == 1 || count == 2) && args[0].kind == RI_XACRO_STRING) {
        *out = count == 2 ? args[1] : (RiXacroValue){0};
        for (const RiXacroItem *i = of.items; i; i = i->next)
            if (strcmp(i->key, args[0].text) == 0)
                *out = i->value;
        return RI_OK;
    }
    const bool keys = strcmp(name, "keys") == 0;
    if ((!keys && strcmp(name, "values") != 0) || count) {
        *out_known = false;
        return RI_OK;
    }
    RiXacroValue result = {.kind = RI_XACRO_LIST};
    const RiXacroItem **tail = &result.items;
    for (const RiXacroItem *i = of.items; i; i = i->next)
        RI_TRY(ri_xacro_append(x, &tail, NULL, keys ? ri_xacro_string(i->key) : i->value));
    *out = result;
    return RI_OK;
}

RiStatus ri_xacro_call_method(RiXacro *x, RiXacroValue of, const char *name, const RiXacroValue *args, int count,
                              RiXacroValue *out_value)
{
    bool known = false;
    if (of.kind == RI_XACRO_STRING)
        RI_TRY(call_text_method(x, of.text, name, args, count, out_value, &known));
    else if (of.kind == RI_XACRO_DICT)
        RI_TRY(call_dict_method(x, of, name, args, count, out_value, &known));
    if (known)
        return RI_OK;
    return ri_xacro_error(
        x, RI_ERR_FORMAT,
        "method '%.40s' of %s is not understood with these arguments; texts have lower, upper, strip, split, "
        "replace, startswith, endswith; dicts have get, keys, values",
        name, ri_xacro_kind_name(of.kind));
}
