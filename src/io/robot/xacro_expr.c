// SPDX-License-Identifier: Apache-2.0
/// \file
/// The expressions inside ${...}: a part of Python.
///
///     text --(parse)--> nodes --(eval_node)--> value
///
/// From loose to tight: `a if c else b`, or, and, not, comparisons (also in, not in, is, chained),
/// `+ -`, `* / // %`, unary `+ -`, `**`, then calls, items `a[i]` and members `a.b`, then literals,
/// names, lists, tuples, dicts and parentheses. Branches that are not taken are not evaluated.
/// Slices `a[i:j]` have no step. Comprehensions and lambdas are not understood.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "base/number.h"
#include "io/robot/xacro.h"

typedef enum Op {
    OP_CONST,
    OP_NAME,
    OP_LIST,
    OP_DICT,
    OP_MEMBER,
    OP_ITEM,
    OP_SLICE,
    OP_CALL,
    OP_NEGATE,
    OP_PLUS,
    OP_NOT,
    OP_POWER,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_FLOOR_DIVIDE,
    OP_MODULO,
    OP_ADD,
    OP_SUBTRACT,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_IN,
    OP_NOT_IN,
    OP_AND,
    OP_OR,
    OP_CHOICE
} Op;

typedef struct Node {
    Op op;
    RiXacroValue value;     ///< of a constant
    const char *name;       ///< of a name or member
    struct Node *a, *b, *c; ///< operands; for lists and calls `b` is the first argument; of a slice: what, from, to
    struct Node *next;      ///< argument
} Node;

typedef struct Parser {
    RiXacro *x;
    const char *text, *at;
    int depth, count; ///< of nesting, of nodes
} Parser;

enum { MOST_NODES = 4000 }; // a chain a + b + c ... is as deep as it is long

static RiStatus parse_choice(Parser *p, Node **out);

// ------------------------------------------------------------------------------------------ tokens

static RiStatus fail(const Parser *p, const char *what)
{
    return ri_xacro_error(p->x, RI_ERR_FORMAT, "expression '%.120s': %s at '%.40s'", p->text, what,
                          *p->at ? p->at : "its end");
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_blanks(Parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

/// Takes the sign if it is next.
static bool take(Parser *p, const char *sign)
{
    skip_blanks(p);
    const size_t n = strlen(sign);
    if (strncmp(p->at, sign, n) != 0 || (is_word(sign[0]) && is_word(p->at[n])))
        return false;
    p->at += n;
    return true;
}

static RiStatus make(Parser *p, Op op, Node *a, Node *b, Node **out)
{
    if (++p->count > MOST_NODES)
        return ri_xacro_error(p->x, RI_ERR_LIMIT, "expression '%.60s...' has more than %d parts", p->text, MOST_NODES);
    Node *node = ri_arena_alloc(&p->x->arena, 1, sizeof *node);
    if (!node)
        return ri_error_memory(p->x->ctx);
    *node = (Node){.op = op, .a = a, .b = b};
    *out = node;
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- parsing

/// Arguments or items up to `close`; keyword arguments are refused.
static RiStatus parse_items(Parser *p, char close, Node **out_first, bool *out_comma)
{
    const char end[2] = {close, '\0'};
    Node **tail = out_first;
    *out_comma = false;
    while (!take(p, end)) {
        RI_TRY(parse_choice(p, tail));
        if (take(p, "for"))
            return fail(p, "comprehensions are not understood");
        tail = &(*tail)->next;
        if (take(p, ",")) {
            *out_comma = true;
            continue;
        }
        if (take(p, end))
            return RI_OK;
        return fail(p, close == ')' ? "expected ',' or ')'" : "expected ',' or ']'");
    }
    return RI_OK;
}

static RiStatus parse_dict(Parser *p, Node **out)
{
    RI_TRY(make(p, OP_DICT, NULL, NULL, out));
    Node **tail = &(*out)->b;
    while (!take(p, "}")) {
        Node *key;
        RI_TRY(parse_choice(p, &key));
        if (!take(p, ":"))
            return fail(p, "expected ':'");
        *tail = key;
        RI_TRY(parse_choice(p, &key->next));
        tail = &key->next->next;
        if (!take(p, ",") && strncmp(p->at, "}", 1) != 0)
            return fail(p, "expected ',' or '}'");
    }
    return RI_OK;
}

static RiStatus parse_quoted(Parser *p, Node **out)
{
    const char quote = *p->at++;
    char *copy = ri_arena_alloc(&p->x->arena, strlen(p->at) + 1, 1);
    if (!copy)
        return ri_error_memory(p->x->ctx);
    size_t n = 0;
    for (; *p->at && *p->at != quote; p->at++) {
        if (*p->at == '\\' && p->at[1]) {
            p->at++;
            copy[n++] = *p->at == 'n' ? '\n' : *p->at == 't' ? '\t' : *p->at;
        } else {
            copy[n++] = *p->at;
        }
    }
    if (!*p->at)
        return fail(p, "a text without its closing quote");
    p->at++;
    RI_TRY(make(p, OP_CONST, NULL, NULL, out));
    (*out)->value = ri_xacro_string(copy);
    return RI_OK;
}

static RiStatus parse_number(Parser *p, Node **out)
{
    const size_t n = ri_number_length(p->at, strlen(p->at));
    const char *digits;
    double number;
    if (n == 0 || is_word(p->at[n]) || !ri_number_parse(p->at, n, &number))
        return fail(p, "not a number");
    RI_TRY(ri_xacro_copy(p->x, p->at, n, &digits));
    p->at += n;
    RI_TRY(make(p, OP_CONST, NULL, NULL, out));
    (*out)->value = ri_xacro_literal(p->x, digits);
    return RI_OK;
}

static RiStatus parse_name(Parser *p, Node **out)
{
    size_t n = 0;
    while (is_word(p->at[n]))
        n++;
    RI_TRY(make(p, OP_NAME, NULL, NULL, out));
    RI_TRY(ri_xacro_copy(p->x, p->at, n, &(*out)->name));
    p->at += n;
    if (strcmp((*out)->name, "lambda") == 0)
        return fail(p, "lambda is not understood");
    return RI_OK;
}

static RiStatus parse_group(Parser *p, Node **out)
{
    Node *first = NULL;
    bool comma;
    RI_TRY(parse_items(p, ')', &first, &comma));
    if (first && !comma) {
        *out = first;
        return RI_OK;
    }
    return make(p, OP_LIST, NULL, first, out); // a tuple
}

static RiStatus parse_atom(Parser *p, Node **out)
{
    Node *first = NULL;
    bool comma;
    skip_blanks(p);
    if (*p->at == '\'' || *p->at == '"')
        return parse_quoted(p, out);
    if ((*p->at >= '0' && *p->at <= '9') || (*p->at == '.' && p->at[1] >= '0' && p->at[1] <= '9'))
        return parse_number(p, out);
    if (is_word(*p->at))
        return parse_name(p, out);
    if (take(p, "("))
        return parse_group(p, out);
    if (take(p, "[")) {
        RI_TRY(parse_items(p, ']', &first, &comma));
        return make(p, OP_LIST, NULL, first, out);
    }
    if (take(p, "{"))
        return parse_dict(p, out);
    return fail(p, "expected a value");
}

/// What follows `[`: an item, or a slice whose ends may be left out.
static RiStatus parse_item(Parser *p, Node **out)
{
    Node *from = NULL, *to = NULL;
    if (!take(p, ":")) {
        RI_TRY(parse_choice(p, &from));
        if (take(p, "]"))
            return make(p, OP_ITEM, *out, from, out);
        if (!take(p, ":"))
            return fail(p, "expected ']'");
    }
    if (!take(p, "]")) {
        RI_TRY(parse_choice(p, &to));
        if (!take(p, "]"))
            return fail(p, "expected ']' (slices with a step are not understood)");
    }
    RI_TRY(make(p, OP_SLICE, *out, from, out));
    (*out)->c = to;
    return RI_OK;
}

/// Whether `name=` follows, as in dict(a=1).
static bool is_keyword_next(Parser *p)
{
    skip_blanks(p);
    const char *c = p->at;
    while (is_word(*c))
        c++;
    const char *equals = c + strspn(c, " \t\r\n");
    return c > p->at && equals[0] == '=' && equals[1] != '=';
}

/// dict(a=1, b=2), after the parenthesis.
static RiStatus parse_keywords(Parser *p, Node **out)
{
    RI_TRY(make(p, OP_DICT, NULL, NULL, out));
    Node **tail = &(*out)->b;
    do {
        if (!is_keyword_next(p))
            return fail(p, "expected NAME=VALUE");
        RI_TRY(parse_name(p, tail));
        (*tail)->op = OP_CONST;
        (*tail)->value = ri_xacro_string((*tail)->name);
        tail = &(*tail)->next;
        (void)take(p, "=");
        RI_TRY(parse_choice(p, tail));
        tail = &(*tail)->next;
        if (take(p, ")"))
            return RI_OK;
    } while (take(p, ","));
    return fail(p, "expected ',' or ')'");
}

static RiStatus parse_postfix(Parser *p, Node **out)
{
    RI_TRY(parse_atom(p, out));
    for (;;) {
        bool comma;
        if (take(p, "(")) {
            Node *first = NULL;
            if ((*out)->op == OP_NAME && strcmp((*out)->name, "dict") == 0 && is_keyword_next(p)) {
                RI_TRY(parse_keywords(p, out));
                continue;
            }
            RI_TRY(parse_items(p, ')', &first, &comma));
            RI_TRY(make(p, OP_CALL, *out, first, out));
        } else if (take(p, "[")) {
            RI_TRY(parse_item(p, out));
        } else if (take(p, ".")) {
            Node *member;
            if (!is_word(*p->at))
                return fail(p, "expected a name");
            RI_TRY(parse_name(p, &member));
            member->op = OP_MEMBER;
            member->a = *out;
            *out = member;
        } else {
            return RI_OK;
        }
    }
}

static RiStatus parse_unary(Parser *p, Node **out);

static RiStatus parse_power(Parser *p, Node **out)
{
    Node *exponent;
    RI_TRY(parse_postfix(p, out));
    if (!take(p, "**"))
        return RI_OK;
    RI_TRY(parse_unary(p, &exponent));
    return make(p, OP_POWER, *out, exponent, out);
}

/// Every level of nesting passes here; the depth is bounded.
static RiStatus parse_unary(Parser *p, Node **out)
{
    RiStatus status;
    if (p->depth >= RI_XACRO_DEPTH)
        return ri_xacro_error(p->x, RI_ERR_LIMIT, "expression '%.60s...' is nested more than %d deep", p->text,
                              RI_XACRO_DEPTH);
    p->depth++;
    if (take(p, "-")) {
        status = parse_unary(p, out);
        status = status == RI_OK ? make(p, OP_NEGATE, *out, NULL, out) : status;
    } else if (take(p, "+")) {
        status = parse_unary(p, out);
        status = status == RI_OK ? make(p, OP_PLUS, *out, NULL, out) : status;
    } else {
        status = parse_power(p, out);
    }
    p->depth--;
    return status;
}

typedef struct Sign {
    const char *text;
    Op op;
} Sign;

/// A chain of operators of one rank, from left to right.
static RiStatus parse_chain(Parser *p, RiStatus (*operand)(Parser *, Node **), const Sign *signs, int count, Node **out)
{
    RI_TRY(operand(p, out));
    for (int i = 0; i < count; i++) {
        skip_blanks(p);
        if (strncmp(p->at, "**", 2) == 0 || !take(p, signs[i].text))
            continue;
        Node *right;
        RI_TRY(operand(p, &right));
        RI_TRY(make(p, signs[i].op, *out, right, out));
        i = -1;
    }
    return RI_OK;
}

static RiStatus parse_product(Parser *p, Node **out)
{
    static const Sign signs[] = {{"//", OP_FLOOR_DIVIDE}, {"/", OP_DIVIDE}, {"*", OP_MULTIPLY}, {"%", OP_MODULO}};
    return parse_chain(p, parse_unary, signs, 4, out);
}

static RiStatus parse_sum(Parser *p, Node **out)
{
    static const Sign signs[] = {{"+", OP_ADD}, {"-", OP_SUBTRACT}};
    return parse_chain(p, parse_product, signs, 2, out);
}

/// The comparison that is next, or OP_CONST.
static Op take_comparison(Parser *p)
{
    static const Sign signs[] = {
        {"==", OP_EQUAL}, {"!=", OP_NOT_EQUAL}, {"<=", OP_LESS_EQUAL}, {">=", OP_GREATER_EQUAL},
        {"<", OP_LESS},   {">", OP_GREATER},    {"in", OP_IN}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (take(p, signs[i].text))
            return signs[i].op;
    const char *before = p->at;
    if (take(p, "not")) {
        if (take(p, "in"))
            return OP_NOT_IN;
        p->at = before;
    }
    if (take(p, "is"))
        return take(p, "not") ? OP_NOT_EQUAL : OP_EQUAL;
    return OP_CONST;
}

/// a < b < c means a < b and b < c.
static RiStatus parse_comparison(Parser *p, Node **out)
{
    Node *left, *all = NULL;
    RI_TRY(parse_sum(p, &left));
    for (;;) {
        const Op op = take_comparison(p);
        if (op == OP_CONST) {
            *out = all ? all : left;
            return RI_OK;
        }
        Node *right, *one = NULL;
        RI_TRY(parse_sum(p, &right));
        RI_TRY(make(p, op, left, right, &one));
        if (all)
            RI_TRY(make(p, OP_AND, all, one, &all));
        else
            all = one;
        left = right;
    }
}

static RiStatus parse_not(Parser *p, Node **out)
{
    int count = 0;
    while (take(p, "not"))
        count++;
    RI_TRY(parse_comparison(p, out));
    for (int i = 0; i < count; i++)
        RI_TRY(make(p, OP_NOT, *out, NULL, out));
    return RI_OK;
}

static RiStatus parse_and(Parser *p, Node **out)
{
    static const Sign signs[] = {{"and", OP_AND}};
    return parse_chain(p, parse_not, signs, 1, out);
}

static RiStatus parse_or(Parser *p, Node **out)
{
    static const Sign signs[] = {{"or", OP_OR}};
    return parse_chain(p, parse_and, signs, 1, out);
}

static RiStatus parse_choice_body(Parser *p, Node **out)
{
    Node *yes, *condition, *no;
    RI_TRY(parse_or(p, out));
    if (!take(p, "if"))
        return RI_OK;
    yes = *out;
    RI_TRY(parse_or(p, &condition));
    if (!take(p, "else"))
        return fail(p, "expected 'else'");
    RI_TRY(parse_choice(p, &no));
    RI_TRY(make(p, OP_CHOICE, yes, condition, out));
    (*out)->c = no;
    return RI_OK;
}

static RiStatus parse_choice(Parser *p, Node **out)
{
    if (p->depth >= RI_XACRO_DEPTH)
        return ri_xacro_error(p->x, RI_ERR_LIMIT, "expression '%.60s...' is nested more than %d deep", p->text,
                              RI_XACRO_DEPTH);
    p->depth++;
    const RiStatus status = parse_choice_body(p, out);
    p->depth--;
    return status;
}

// -------------------------------------------------------------------------------------- evaluation

bool ri_xacro_equal(RiXacroValue a, RiXacroValue b)
{
    double u, v;
    if (ri_xacro_number(a, &u) && ri_xacro_number(b, &v))
        return u == v;
    if (a.kind != b.kind)
        return false;
    if (a.kind == RI_XACRO_STRING)
        return strcmp(a.text, b.text) == 0;
    const RiXacroItem *i = a.items, *j = b.items;
    for (; i && j; i = i->next, j = j->next)
        if (!ri_xacro_equal(i->value, j->value) || (i->key && strcmp(i->key, j->key) != 0))
            return false;
    return !i && !j;
}

RiStatus ri_xacro_compare(RiXacro *x, RiXacroValue a, RiXacroValue b, int *out_order)
{
    double u, v;
    *out_order = 0;
    if (ri_xacro_number(a, &u) && ri_xacro_number(b, &v)) {
        *out_order = (u > v) - (u < v);
        return RI_OK;
    }
    if (a.kind != RI_XACRO_STRING || b.kind != RI_XACRO_STRING)
        return ri_xacro_error(x, RI_ERR_FORMAT, "%s and %s cannot be compared", ri_xacro_kind_name(a.kind),
                              ri_xacro_kind_name(b.kind));
    *out_order = strcmp(a.text, b.text);
    return RI_OK;
}

static RiStatus lookup(RiXacro *x, RiXacroScope *scope, const char *name, RiXacroValue *out)
{
    RiXacroName *found = ri_xacro_find(scope, name, false);
    if (found)
        return ri_xacro_resolve(x, found, out);
    if (ri_xacro_constant(name, out))
        return RI_OK;
    RiNameSearch search = ri_name_search(name);
    for (const RiXacroScope *s = scope; s; s = s->parent)
        for (const RiXacroName *n = s->names; n; n = n->next)
            ri_name_search_look(&search, n->name);
    return ri_xacro_error(x, RI_ERR_NOT_FOUND, "there is no property or parameter '%.80s'%s%s%s", name,
                          search.found ? "; did you mean '" : "", search.found ? search.found : "",
                          search.found ? "'?" : "");
}

static RiStatus part_of_text(RiXacro *x, const char *text, int64_t from, int64_t to, RiXacroValue *out)
{
    const char *part = ri_arena_string_n(&x->arena, text + from, (size_t)(to - from));
    if (!part)
        return ri_error_memory(x->ctx);
    *out = ri_xacro_string(part);
    return RI_OK;
}

RiStatus ri_xacro_index(RiXacro *x, RiXacroValue of, RiXacroValue index, RiXacroValue *out)
{
    if (of.kind == RI_XACRO_DICT) {
        const char *key;
        RI_TRY(ri_xacro_text(x, index, &key));
        for (const RiXacroItem *i = of.items; i; i = i->next)
            if (strcmp(i->key, key) == 0) {
                *out = i->value;
                return RI_OK;
            }
        return ri_xacro_error(x, RI_ERR_NOT_FOUND, "the dict has no key '%.80s'", key);
    }
    if (of.kind == RI_XACRO_STRING && index.kind == RI_XACRO_INT) {
        const int64_t size = (int64_t)strlen(of.text), at = index.integer < 0 ? index.integer + size : index.integer;
        if (at < 0 || at >= size)
            return ri_xacro_error(x, RI_ERR_FORMAT, "item %lld of a text of %lld", (long long)index.integer,
                                  (long long)size);
        return part_of_text(x, of.text, at, at + 1, out);
    }
    if (of.kind != RI_XACRO_LIST || index.kind != RI_XACRO_INT)
        return ri_xacro_error(x, RI_ERR_FORMAT, "%s has no item [%s]", ri_xacro_kind_name(of.kind),
                              ri_xacro_kind_name(index.kind));
    const int count = ri_xacro_count(of);
    int64_t k = index.integer < 0 ? index.integer + count : index.integer;
    if (k < 0 || k >= count)
        return ri_xacro_error(x, RI_ERR_FORMAT, "item %lld of a list of %d", (long long)index.integer, count);
    const RiXacroItem *i = of.items;
    for (; k > 0; k--)
        i = i->next;
    *out = i->value;
    return RI_OK;
}

static RiStatus contains(RiXacro *x, RiXacroValue item, RiXacroValue in, bool *out_found)
{
    *out_found = false;
    if (in.kind == RI_XACRO_STRING && item.kind == RI_XACRO_STRING) {
        *out_found = strstr(in.text, item.text) != NULL;
        return RI_OK;
    }
    if (in.kind != RI_XACRO_LIST && in.kind != RI_XACRO_DICT)
        return ri_xacro_error(x, RI_ERR_FORMAT, "%s cannot be searched with 'in'", ri_xacro_kind_name(in.kind));
    for (const RiXacroItem *i = in.items; i; i = i->next)
        *out_found |= ri_xacro_equal(item, i->key ? ri_xacro_string(i->key) : i->value);
    return RI_OK;
}

static const char *op_text(Op op)
{
    static const char *const texts[] = {
        [OP_POWER] = "**", [OP_MULTIPLY] = "*", [OP_DIVIDE] = "/",  [OP_FLOOR_DIVIDE] = "//",
        [OP_MODULO] = "%", [OP_ADD] = "+",      [OP_SUBTRACT] = "-"};
    return texts[op];
}

/// Both ints: exact, as long as the result fits 64 bits. False: compute with floats.
static bool int_result(Op op, int64_t a, int64_t b, int64_t *out)
{
    switch ((int)op) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, out);
    case OP_SUBTRACT:
        return !__builtin_sub_overflow(a, b, out);
    case OP_MULTIPLY:
        return !__builtin_mul_overflow(a, b, out);
    case OP_FLOOR_DIVIDE:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
        return true;
    case OP_MODULO:
        if (b == 0 || b == -1)
            return false;
        *out = a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
        return true;
    case OP_POWER: {
        int64_t r = 1;
        if (b < 0 || b > 63)
            return false;
        for (int64_t i = 0; i < b; i++)
            if (__builtin_mul_overflow(r, a, &r))
                return false;
        *out = r;
        return true;
    }
    default:
        return false;
    }
}

static double float_result(Op op, double a, double b)
{
    switch ((int)op) {
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_FLOOR_DIVIDE:
        return floor(a / b);
    case OP_MODULO:
        return a - b * floor(a / b);
    default:
        return ri_pow(a, b);
    }
}

static RiStatus join_lists(RiXacro *x, RiXacroValue a, RiXacroValue b, RiXacroValue *out)
{
    *out = (RiXacroValue){.kind = RI_XACRO_LIST};
    const RiXacroItem **tail = &out->items;
    for (const RiXacroItem *i = a.items; i; i = i->next)
        RI_TRY(ri_xacro_append(x, &tail, NULL, i->value));
    for (const RiXacroItem *i = b.items; i; i = i->next)
        RI_TRY(ri_xacro_append(x, &tail, NULL, i->value));
    return RI_OK;
}

static RiStatus join_texts(RiXacro *x, const char *a, const char *b, RiXacroValue *out)
{
    const size_t n = strlen(a), m = strlen(b);
    if (n + m > RI_XACRO_TEXT)
        return ri_xacro_error(x, RI_ERR_LIMIT, "a value is longer than %d bytes", RI_XACRO_TEXT);
    char *joined = ri_arena_alloc(&x->arena, n + m + 1, 1);
    if (!joined)
        return ri_error_memory(x->ctx);
    memcpy(joined, a, n);
    memcpy(joined + n, b, m + 1);
    *out = ri_xacro_string(joined);
    return RI_OK;
}

static RiStatus arithmetic(RiXacro *x, Op op, RiXacroValue a, RiXacroValue b, RiXacroValue *out)
{
    double u, v;
    int64_t integer;
    if (op == OP_ADD && a.kind == RI_XACRO_STRING && b.kind == RI_XACRO_STRING)
        return join_texts(x, a.text, b.text, out);
    if (op == OP_ADD && a.kind == RI_XACRO_LIST && b.kind == RI_XACRO_LIST)
        return join_lists(x, a, b, out);
    if (!ri_xacro_number(a, &u) || !ri_xacro_number(b, &v))
        return ri_xacro_error(x, RI_ERR_FORMAT, "%s %s %s is not understood", ri_xacro_kind_name(a.kind), op_text(op),
                              ri_xacro_kind_name(b.kind));
    if (v == 0.0 && (op == OP_DIVIDE || op == OP_FLOOR_DIVIDE || op == OP_MODULO))
        return ri_xacro_error(x, RI_ERR_NUMERIC, "division by zero");
    if (a.kind != RI_XACRO_FLOAT && b.kind != RI_XACRO_FLOAT && int_result(op, a.integer, b.integer, &integer)) {
        *out = ri_xacro_int(integer);
        return RI_OK;
    }
    const double result = float_result(op, u, v);
    if (!isfinite(result))
        return ri_xacro_error(x, RI_ERR_NUMERIC, "%g %s %g is not a finite number", u, op_text(op), v);
    *out = ri_xacro_float(result);
    return RI_OK;
}

static RiStatus eval_node(RiXacro *x, RiXacroScope *scope, const Node *n, RiXacroValue *out);

static RiStatus eval_items(RiXacro *x, RiXacroScope *scope, const Node *n, RiXacroValue *out)
{
    RiXacroValue result = {.kind = n->op == OP_DICT ? RI_XACRO_DICT : RI_XACRO_LIST};
    const RiXacroItem **tail = &result.items;
    for (const Node *i = n->b; i; i = i->next) {
        RiXacroValue value;
        const char *key = NULL;
        RI_TRY(eval_node(x, scope, i, &value));
        if (n->op == OP_DICT) {
            RI_TRY(ri_xacro_text(x, value, &key));
            i = i->next;
            RI_TRY(eval_node(x, scope, i, &value));
        }
        RI_TRY(ri_xacro_append(x, &tail, key, value));
    }
    *out = result;
    return RI_OK;
}

/// An end of a slice: counted from the end if negative, and within 0 to `count`.
static RiStatus slice_end(RiXacro *x, RiXacroScope *scope, const Node *n, int64_t count, int64_t *end)
{
    RiXacroValue value;
    if (!n)
        return RI_OK;
    RI_TRY(eval_node(x, scope, n, &value));
    if (value.kind == RI_XACRO_NONE)
        return RI_OK;
    if (value.kind != RI_XACRO_INT)
        return ri_xacro_error(x, RI_ERR_FORMAT, "an end of a slice is %s, not an int", ri_xacro_kind_name(value.kind));
    *end = value.integer < 0 ? value.integer + count : value.integer;
    *end = *end < 0 ? 0 : *end > count ? count : *end;
    return RI_OK;
}

/// `a[i:j]`, as Python has it: ends beyond the list are cut.
static RiStatus eval_slice(RiXacro *x, RiXacroScope *scope, const Node *n, RiXacroValue *out)
{
    RiXacroValue of, result = {.kind = RI_XACRO_LIST};
    RI_TRY(eval_node(x, scope, n->a, &of));
    if (of.kind != RI_XACRO_LIST && of.kind != RI_XACRO_STRING)
        return ri_xacro_error(x, RI_ERR_FORMAT, "%s has no slices", ri_xacro_kind_name(of.kind));
    const int64_t count = of.kind == RI_XACRO_LIST ? ri_xacro_count(of) : (int64_t)strlen(of.text);
    int64_t from = 0, to = count, at = 0;
    RI_TRY(slice_end(x, scope, n->b, count, &from));
    RI_TRY(slice_end(x, scope, n->c, count, &to));
    if (of.kind == RI_XACRO_STRING)
        return part_of_text(x, of.text, from, to > from ? to : from, out);
    const RiXacroItem **tail = &result.items;
    for (const RiXacroItem *i = of.items; i; i = i->next, at++)
        if (at >= from && at < to)
            RI_TRY(ri_xacro_append(x, &tail, NULL, i->value));
    *out = result;
    return RI_OK;
}

/// "math" in math.sin: a module, unless a property has its name.
static bool is_module(RiXacroScope *scope, const Node *n)
{
    return n->op == OP_NAME && !ri_xacro_find(scope, n->name, false) &&
           (strcmp(n->name, "math") == 0 || strcmp(n->name, "xacro") == 0 || strcmp(n->name, "python") == 0);
}

static RiStatus eval_call(RiXacro *x, RiXacroScope *scope, const Node *n, RiXacroValue *out)
{
    enum { MOST = 16 };
    RiXacroValue args[MOST];
    int count = 0;
    for (const Node *i = n->b; i; i = i->next) {
        if (count == MOST)
            return ri_xacro_error(x, RI_ERR_LIMIT, "a call with more than %d arguments", MOST);
        RI_TRY(eval_node(x, scope, i, &args[count++]));
    }
    if (n->a->op == OP_NAME || (n->a->op == OP_MEMBER && is_module(scope, n->a->a)))
        return ri_xacro_call(x, n->a->name, args, count, out);
    if (n->a->op != OP_MEMBER)
        return ri_xacro_error(x, RI_ERR_FORMAT, "only functions and methods by name can be called");
    RiXacroValue of;
    RI_TRY(eval_node(x, scope, n->a->a, &of));
    return ri_xacro_call_method(x, of, n->a->name, args, count, out);
}

static RiStatus eval_member(RiXacro *x, RiXacroScope *scope, const Node *n, RiXacroValue *out)
{
    if (is_module(scope, n->a)) {
        if (ri_xacro_constant(n->name, out))
            return RI_OK;
        return ri_xacro_error(x, RI_ERR_NOT_FOUND, "%s.%.80s is not understood", n->a->name, n->name);
    }
    RiXacroValue of;
    RI_TRY(eval_node(x, scope, n->a, &of));
    return ri_xacro_index(x, of, ri_xacro_string(n->name), out);
}

static RiStatus eval_compare(RiXacro *x, const Node *n, RiXacroValue a, RiXacroValue b, RiXacroValue *out)
{
    int order;
    bool found;
    switch ((int)n->op) {
    case OP_EQUAL:
    case OP_NOT_EQUAL:
        *out = ri_xacro_bool(ri_xacro_equal(a, b) == (n->op == OP_EQUAL));
        return RI_OK;
    case OP_IN:
    case OP_NOT_IN:
        RI_TRY(contains(x, a, b, &found));
        *out = ri_xacro_bool(found == (n->op == OP_IN));
        return RI_OK;
    default:
        RI_TRY(ri_xacro_compare(x, a, b, &order));
        *out = ri_xacro_bool(n->op == OP_LESS         ? order < 0
                             : n->op == OP_LESS_EQUAL ? order <= 0
                             : n->op == OP_GREATER    ? order > 0
                                                      : order >= 0);
        return RI_OK;
    }
}

static RiStatus eval_unary(RiXacro *x, const Node *n, RiXacroValue a, RiXacroValue *out)
{
    double number;
    if (n->op == OP_NOT) {
        *out = ri_xacro_bool(!ri_xacro_is_true(a));
        return RI_OK;
    }
    if (!ri_xacro_number(a, &number))
        return ri_xacro_error(x, RI_ERR_FORMAT, "a sign before %s", ri_xacro_kind_name(a.kind));
    const int sign = n->op == OP_NEGATE ? -1 : 1;
    *out = a.kind == RI_XACRO_FLOAT ? ri_xacro_float(sign * number) : ri_xacro_int(sign * a.integer);
    return RI_OK;
}

/// `and`, `or` and the choice evaluate only what they need.
static RiStatus eval_lazy(RiXacro *x, RiXacroScope *scope, const Node *n, RiXacroValue *out)
{
    if (n->op == OP_CHOICE) {
        RiXacroValue condition;
        RI_TRY(eval_node(x, scope, n->b, &condition));
        return eval_node(x, scope, ri_xacro_is_true(condition) ? n->a : n->c, out);
    }
    RI_TRY(eval_node(x, scope, n->a, out));
    return ri_xacro_is_true(*out) == (n->op == OP_AND) ? eval_node(x, scope, n->b, out) : RI_OK;
}

static RiStatus eval_node(RiXacro *x, RiXacroScope *scope, const Node *n, RiXacroValue *out)
{
    RiXacroValue a, b;
    if (++x->work > RI_XACRO_WORK)
        return ri_xacro_error(x, RI_ERR_LIMIT, "expressions take too long (%d steps)", RI_XACRO_WORK);
    switch (n->op) {
    case OP_CONST:
        *out = n->value;
        return RI_OK;
    case OP_NAME:
        return lookup(x, scope, n->name, out);
    case OP_LIST:
    case OP_DICT:
        return eval_items(x, scope, n, out);
    case OP_MEMBER:
        return eval_member(x, scope, n, out);
    case OP_SLICE:
        return eval_slice(x, scope, n, out);
    case OP_CALL:
        return eval_call(x, scope, n, out);
    case OP_AND:
    case OP_OR:
    case OP_CHOICE:
        return eval_lazy(x, scope, n, out);
    case OP_NEGATE:
    case OP_PLUS:
    case OP_NOT:
        RI_TRY(eval_node(x, scope, n->a, &a));
        return eval_unary(x, n, a, out);
    case OP_ITEM:
    case OP_POWER:
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_FLOOR_DIVIDE:
    case OP_MODULO:
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
    case OP_EQUAL:
    case OP_NOT_EQUAL:
    case OP_IN:
    case OP_NOT_IN:
        break;
    }
    RI_TRY(eval_node(x, scope, n->a, &a));
    RI_TRY(eval_node(x, scope, n->b, &b));
    if (n->op == OP_ITEM)
        return ri_xacro_index(x, a, b, out);
    return n->op <= OP_SUBTRACT ? arithmetic(x, n->op, a, b, out) : eval_compare(x, n, a, b, out);
}

RiStatus ri_xacro_eval(RiXacro *x, RiXacroScope *scope, const char *text, RiXacroValue *out_value)
{
    Parser p = {.x = x, .text = text, .at = text};
    Node *root;
    RI_TRY(parse_choice(&p, &root));
    skip_blanks(&p);
    if (*p.at)
        return fail(&p, "not understood");
    return eval_node(x, scope, root, out_value);
}
