// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values in templates: scalars with ${...}, units, and parameters that refer to each other in any
/// order.
///
/// A parameter is evaluated when it is first asked for; those on the way are marked busy, so a
/// cycle is met as a busy parameter and told as the chain that leads back to it.
#include "io/robot/template.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 60, NUMBER_TEXT = 40 };

// ------------------------------------------------------------------------------------- expressions

typedef struct Names {
    RiTemplate *t;
    const RiLocal *scope;
} Names;

static RiStatus parameter_value(RiTemplate *t, int index, RiQuantity *out_value);

static const RiLocal *find_local(const RiLocal *scope, const char *name, size_t size)
{
    while (scope && (strlen(scope->name) != size || memcmp(scope->name, name, size) != 0))
        scope = scope->outer;
    return scope;
}

/// Inner names first, then parameters.
static RiStatus lookup(void *user, const char *name, size_t size, RiQuantity *out_value)
{
    const Names *names = user;
    const RiLocal *local = find_local(names->scope, name, size);
    if (local) {
        *out_value = local->value;
        return RI_OK;
    }
    char copy[RI_TEMPLATE_NAME + 1];
    if (size > RI_TEMPLATE_NAME)
        return RI_ERR_NOT_FOUND;
    memcpy(copy, name, size);
    copy[size] = '\0';
    const int index = ri_names_find(&names->t->parameter_names, copy);
    return index < 0 ? RI_ERR_NOT_FOUND : parameter_value(names->t, index, out_value);
}

/// Counts work, so that a small file cannot keep the loader busy for ever.
static RiStatus spend(RiTemplate *t, const RiYamlNode *node, size_t size)
{
    t->work += 1 + (long)(size / 16);
    if (t->work > RI_TEMPLATE_WORK)
        return ri_yaml_error(node, RI_ERR_LIMIT, "the template expands without end (too many values)");
    return RI_OK;
}

/// Bad values in a file are malformed input, whatever the expression calls them; limits and memory
/// stay what they are.
static RiStatus file_status(RiStatus status)
{
    return status == RI_ERR_LIMIT || status == RI_ERR_MEMORY ? status : RI_ERR_FORMAT;
}

/// Evaluates `size` bytes at `offset` of a scalar's text.
static RiStatus eval(RiTemplate *t, RiTemplateValue v, size_t offset, size_t size, RiQuantity *out_value)
{
    Names names = {t, v.scope};
    const RiExprScope scope = {.lookup = lookup, .user = &names, .names = &t->parameter_names};
    RiExprError error;
    const char *text = v.node->text + offset;
    const RiStatus status = ri_expr_eval(text, size, &scope, out_value, &error);
    if (status == RI_OK || error.told)
        return status;
    return ri_yaml_error_at(v.node, (int)offset + error.column - 1, file_status(status), "in '%.*s': %s",
                            size > SHOWN ? SHOWN : (int)size, text, error.text);
}

/// Finds the next ${...} from `from`: its expression is `size` bytes at `start`. *found is false if
/// there is none.
static RiStatus next_expression(RiTemplateValue v, size_t from, size_t *start, size_t *size, bool *found)
{
    const char *open = strstr(v.node->text + from, "${");
    *found = open != NULL;
    if (!open)
        return RI_OK;
    *start = (size_t)(open - v.node->text) + 2;
    const char *close = strchr(open, '}');
    if (!close)
        return ri_yaml_error_at(v.node, (int)*start - 2, RI_ERR_FORMAT, "'${' without '}'");
    *size = (size_t)(close - open) - 2;
    return RI_OK;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Whether nothing but space is before and after the ${...} whose expression is `size` bytes at
/// `start`.
static bool stands_alone(const char *text, size_t start, size_t size)
{
    for (size_t i = 0; i + 2 < start; i++)
        if (!is_space(text[i]))
            return false;
    for (const char *c = text + start + size + 1; *c; c++)
        if (!is_space(*c))
            return false;
    return true;
}

/// Whole numbers without decimals, others with `digits` digits and a point in every locale.
static void print_number(double value, int digits, char buffer[NUMBER_TEXT])
{
    if (fabs(value) < 1e15 && value == rint(value)) {
        snprintf(buffer, NUMBER_TEXT, "%lld", (long long)value);
        return;
    }
    snprintf(buffer, NUMBER_TEXT, "%.*g", digits, value);
    for (char *c = buffer; *c; c++)
        if (!strchr("0123456789+-e", *c))
            *c = '.';
}

typedef struct Writer {
    char text[RI_TEMPLATE_TEXT + 1];
    size_t used;
} Writer;

static RiStatus write(Writer *w, const RiYamlNode *node, const char *text, size_t size)
{
    if (size > RI_TEMPLATE_TEXT - w->used)
        return ri_yaml_error(node, RI_ERR_LIMIT, "the text is longer than %d bytes", RI_TEMPLATE_TEXT);
    memcpy(w->text + w->used, text, size);
    w->used += size;
    w->text[w->used] = '\0';
    return RI_OK;
}

/// Writes the value of the ${...} whose expression is `size` bytes at `start`.
static RiStatus write_value(RiTemplate *t, RiTemplateValue v, size_t start, size_t size, bool for_number, Writer *w)
{
    const char *text = v.node->text + start;
    const RiLocal *local = for_number ? NULL : find_local(v.scope, text, size);
    if (local && local->word)
        return write(w, v.node, local->word, strlen(local->word));
    RiQuantity q;
    RI_TRY(eval(t, v, start, size, &q));
    if (for_number && !ri_dim_is_plain(q.dim))
        return ri_yaml_error_at(v.node, (int)start, RI_ERR_FORMAT,
                                "'%.*s' has a unit; write the whole value inside ${...}",
                                size > SHOWN ? SHOWN : (int)size, text);
    char number[NUMBER_TEXT];
    print_number(q.value, for_number ? 17 : 12, number);
    return write(w, v.node, number, strlen(number));
}

/// Replaces every ${...} of a scalar. For numbers the values are written in full and must not carry
/// units, which the text could not keep.
static RiStatus interpolate(RiTemplate *t, RiTemplateValue v, bool for_number, Writer *w)
{
    const char *text = v.node->text;
    size_t from = 0, start = 0, size = 0;
    *w = (Writer){.used = 0};
    for (bool found = true;;) {
        RI_TRY(next_expression(v, from, &start, &size, &found));
        if (!found)
            return write(w, v.node, text + from, strlen(text + from));
        RI_TRY(write(w, v.node, text + from, start - 2 - from));
        RI_TRY(write_value(t, v, start, size, for_number, w));
        from = start + size + 1;
    }
}

static RiStatus parse_quantity(const RiYamlNode *node, const char *text, RiQuantity *out_value)
{
    RiExprError error;
    const RiStatus status = ri_quantity_parse(text, strlen(text), out_value, &error);
    if (status == RI_OK)
        return RI_OK;
    return ri_yaml_error_at(node, text == node->text ? error.column - 1 : 0, file_status(status),
                            "'%.*s' is not a number: %s", SHOWN, text, error.text);
}

RiStatus ri_template_quantity(RiTemplate *t, RiTemplateValue v, RiQuantity *out_value)
{
    *out_value = (RiQuantity){0};
    RI_TRY(ri_yaml_expect(v.node, RI_YAML_SCALAR));
    RI_TRY(spend(t, v.node, strlen(v.node->text)));
    size_t start = 0, size = 0;
    bool found;
    RI_TRY(next_expression(v, 0, &start, &size, &found));
    if (!found)
        return parse_quantity(v.node, v.node->text, out_value);
    if (stands_alone(v.node->text, start, size))
        return eval(t, v, start, size, out_value);
    Writer w;
    RI_TRY(interpolate(t, v, true, &w));
    return parse_quantity(v.node, w.text, out_value);
}

/// true and false as 1 and 0.
static bool is_truth(const char *text, RiQuantity *out_value)
{
    const bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0)
        return false;
    *out_value = (RiQuantity){.value = yes};
    return true;
}

RiStatus ri_template_expression(RiTemplate *t, RiTemplateValue v, RiQuantity *out_value)
{
    *out_value = (RiQuantity){0};
    RI_TRY(ri_yaml_expect(v.node, RI_YAML_SCALAR));
    if (is_truth(v.node->text, out_value))
        return RI_OK;
    if (strstr(v.node->text, "${"))
        return ri_template_quantity(t, v, out_value);
    RI_TRY(spend(t, v.node, strlen(v.node->text)));
    return eval(t, v, 0, strlen(v.node->text), out_value);
}

// ------------------------------------------------------------------------------------ typed values

RiStatus ri_template_number(RiTemplate *t, RiTemplateValue v, const char *unit, double *out_value)
{
    *out_value = 0.0;
    RiQuantity q, want;
    RiExprError error;
    char got[64];
    RI_TRY(ri_template_quantity(t, v, &q));
    *out_value = q.value;
    if (!unit || ri_dim_is_plain(q.dim))
        return RI_OK;
    if (ri_unit_parse(unit, strlen(unit), &want, &error) != RI_OK)
        return ri_yaml_error(v.node, RI_ERR_ARGUMENT, "unit '%s': %s", unit, error.text);
    if (ri_dim_fits(q.dim, want.dim))
        return RI_OK;
    *out_value = 0.0;
    return ri_yaml_error(v.node, RI_ERR_FORMAT, "'%.*s' has unit %s, expected %s", SHOWN, v.node->text,
                         ri_dim_text(q.dim, got, sizeof got), unit[0] ? unit : "a plain number");
}

RiStatus ri_template_whole(RiTemplate *t, RiTemplateValue v, int least, int most, int *out_value)
{
    double value;
    *out_value = 0;
    RI_TRY(ri_template_number(t, v, "", &value));
    if (!(value >= least && value <= most) || value != rint(value))
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "'%.*s' is %g, must be a whole number from %d to %d", SHOWN,
                             v.node->text, value, least, most);
    *out_value = (int)value;
    return RI_OK;
}

RiStatus ri_template_truth(RiTemplate *t, RiTemplateValue v, bool *out_value)
{
    *out_value = false;
    RI_TRY(ri_yaml_expect(v.node, RI_YAML_SCALAR));
    if (!strstr(v.node->text, "${"))
        return ri_yaml_bool(v.node, out_value);
    RiQuantity q;
    RI_TRY(ri_template_quantity(t, v, &q));
    *out_value = q.value != 0.0;
    return RI_OK;
}

RiStatus ri_template_text(RiTemplate *t, RiTemplateValue v, const char **out_text)
{
    RI_TRY(ri_yaml_string(v.node, out_text));
    RI_TRY(spend(t, v.node, strlen(v.node->text)));
    if (!strstr(v.node->text, "${"))
        return RI_OK;
    Writer w;
    RI_TRY(interpolate(t, v, false, &w));
    *out_text = ri_arena_string_n(&t->arena, w.text, w.used);
    return *out_text ? RI_OK : ri_error_memory(t->ctx);
}

RiStatus ri_template_choice(RiTemplate *t, RiTemplateValue v, const char *const *words, int count, int *out_index)
{
    const char *text;
    *out_index = 0;
    RI_TRY(ri_template_text(t, v, &text));
    return ri_yaml_choice_text(v.node, text, words, count, out_index);
}

RiStatus ri_template_numbers(RiTemplate *t, RiTemplateValue v, const char *unit, int least, int most,
                             double *out_values, int *out_count)
{
    *out_count = 0;
    RI_TRY(ri_yaml_expect(v.node, RI_YAML_SEQUENCE));
    if (v.node->count < least || v.node->count > most) {
        if (least == most)
            return ri_yaml_error(v.node, RI_ERR_FORMAT, "expected %d numbers, found %d", least, v.node->count);
        return ri_yaml_error(v.node, RI_ERR_FORMAT, "expected %d to %d numbers, found %d", least, most, v.node->count);
    }
    for (const RiYamlNode *c = v.node->first; c; c = c->next)
        RI_TRY(ri_template_number(t, (RiTemplateValue){c, v.scope}, unit, &out_values[(*out_count)++]));
    return RI_OK;
}

RiStatus ri_template_check_name(const RiTemplate *t, const RiYamlNode *node, const char *name, const RiLocal *scope)
{
    const size_t size = strlen(name);
    if (!ri_expr_is_name(name, size) || size > RI_TEMPLATE_NAME)
        return ri_yaml_error(node, RI_ERR_FORMAT,
                             "'%.*s' is not a name: a letter or '_', then letters, digits and '_', at most %d", SHOWN,
                             name, RI_TEMPLATE_NAME);
    if (ri_expr_is_reserved(name, size) || strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return ri_yaml_error(node, RI_ERR_FORMAT, "the name '%s' is taken by a unit, function or constant", name);
    for (const RiLocal *l = scope; l; l = l->outer)
        if (strcmp(l->name, name) == 0)
            return ri_yaml_error(node, RI_ERR_FORMAT,
                                 "the name '%s' is bound already in line %d; choose another (repeat: with 'as')", name,
                                 l->line);
    if (ri_names_find(&t->parameter_names, name) >= 0)
        return ri_yaml_error(node, RI_ERR_FORMAT, "the name '%s' is a parameter already", name);
    return RI_OK;
}

// -------------------------------------------------------------------------------------- parameters

static RiStatus cycle_error(const RiTemplate *t, int index)
{
    char chain[600];
    size_t used = 0;
    int i = 0;
    while (t->chain[i] != index)
        i++;
    for (; i < t->chain_count && used < sizeof chain; i++)
        used += (size_t)snprintf(chain + used, sizeof chain - used, "%s -> ", t->parameters[t->chain[i]].name);
    return ri_yaml_error(t->parameters[index].node, RI_ERR_FORMAT, "parameters depend on each other: %s%s", chain,
                         t->parameters[index].name);
}

/// Gives a value the declared unit: a plain number is meant in it, any other must fit it.
static RiStatus apply_unit(const RiParameter *p, const RiYamlNode *at, RiQuantity *q)
{
    RiQuantity unit;
    RiExprError error;
    char got[64];
    if (!p->unit)
        return RI_OK;
    const RiStatus status = ri_unit_parse(p->unit->text, strlen(p->unit->text), &unit, &error);
    if (status != RI_OK)
        return ri_yaml_error_at(p->unit, error.column - 1, file_status(status), "%s", error.text);
    if (!ri_dim_fits(q->dim, unit.dim))
        return ri_yaml_error(at, RI_ERR_FORMAT, "parameter '%s' has unit %s, expected %s", p->name,
                             ri_dim_text(q->dim, got, sizeof got), p->unit->text);
    if (ri_dim_is_plain(q->dim))
        q->value *= unit.value;
    q->dim = unit.dim;
    return RI_OK;
}

/// The value given from outside, evaluated like one in the file.
static RiStatus setting_value(RiTemplate *t, const RiParameter *p, RiQuantity *out_value)
{
    Names names = {t, NULL};
    const RiExprScope scope = {.lookup = lookup, .user = &names, .names = &t->parameter_names};
    RiExprError error;
    const char *text = p->setting->value ? p->setting->value : "";
    if (is_truth(text, out_value))
        return RI_OK;
    const RiStatus status = ri_expr_eval(text, strlen(text), &scope, out_value, &error);
    if (status == RI_OK || error.told)
        return status;
    return ri_error(t->ctx, file_status(status), "setting '%.*s': in '%.*s', column %d: %s", SHOWN, p->setting->name,
                    SHOWN, text, error.column, error.text);
}

static RiStatus check_bound(RiTemplate *t, RiParameter *p, const RiYamlNode *bound, bool upper)
{
    if (!bound)
        return RI_OK;
    RiQuantity q;
    RI_TRY(ri_template_expression(t, (RiTemplateValue){bound, NULL}, &q));
    RI_TRY(apply_unit(p, bound, &q));
    if (!ri_dim_fits(p->result.dim, q.dim) && !ri_dim_fits(q.dim, p->result.dim))
        return ri_yaml_error(bound, RI_ERR_FORMAT, "the bound of parameter '%s' has another unit", p->name);
    *(upper ? &p->high : &p->low) = q.value;
    if (upper ? p->result.value <= q.value : p->result.value >= q.value)
        return RI_OK;
    const RiYamlNode *doc = p->node->kind == RI_YAML_MAPPING ? ri_yaml_get(p->node, "doc") : NULL;
    const bool told = doc && doc->kind == RI_YAML_SCALAR;
    if (!p->setting &&
        p->value->document != bound->document) // a file that extends another: the value is where it is given
        return ri_yaml_error(p->value, RI_ERR_FORMAT, "parameter '%s' is %.10g, must be %s %.10g (%s:%d)%s%.*s",
                             p->name, p->result.value, upper ? "at most" : "at least", q.value,
                             ri_yaml_file(bound->document), bound->line, told ? ": " : "", 2 * SHOWN,
                             told ? doc->text : "");
    return ri_yaml_error(bound, RI_ERR_FORMAT, "parameter '%s' is %.10g%s, must be %s %.10g%s%.*s", p->name,
                         p->result.value, p->setting ? " (set from outside)" : "", upper ? "at most" : "at least",
                         q.value, told ? ": " : "", 2 * SHOWN, told ? doc->text : "");
}

const char *ri_template_written_unit(const RiYamlNode *value)
{
    RiQuantity q;
    RiExprError error;
    const char *text = value->text;
    if (ri_quantity_parse(text, strlen(text), &q, &error) != RI_OK || ri_dim_is_plain(q.dim))
        return NULL;
    text += strspn(text, " \t+-");
    text += strspn(text, ".0123456789");
    const char *power = text + 1 + (*text && strchr("+-", text[1]));
    if ((*text == 'e' || *text == 'E') && *power >= '0' && *power <= '9')
        text = power + strspn(power, "0123456789");
    return text + strspn(text, " \t");
}

/// A plain number from outside is meant in the unit that the file's value is written in: 3 for
/// `speed: 4 cm/s` is 3 cm/s. `unit` says it for all values.
static void apply_written_unit(const RiParameter *p, RiQuantity *q)
{
    RiQuantity unit;
    RiExprError error;
    const char *text = p->unit || !ri_dim_is_plain(q->dim) ? NULL : ri_template_written_unit(p->value);
    if (!text || ri_unit_parse(text, strlen(text), &unit, &error) != RI_OK)
        return;
    *q = (RiQuantity){q->value * unit.value, unit.dim};
}

static RiStatus compute_parameter(RiTemplate *t, RiParameter *p)
{
    if (p->setting) {
        RI_TRY(setting_value(t, p, &p->result));
        apply_written_unit(p, &p->result);
    } else {
        RI_TRY(ri_template_expression(t, (RiTemplateValue){p->value, NULL}, &p->result));
    }
    RI_TRY(apply_unit(p, p->value, &p->result));
    RI_TRY(check_bound(t, p, p->least, false));
    return check_bound(t, p, p->most, true);
}

/// Value of a parameter, computed on the first call. The parameter table does not grow any more.
static RiStatus parameter_value(RiTemplate *t, int index, RiQuantity *out_value)
{
    RiParameter *p = &t->parameters[index];
    *out_value = (RiQuantity){0};
    if (p->state == RI_PARAMETER_BUSY)
        return cycle_error(t, index);
    if (p->state == RI_PARAMETER_NEW) {
        if (t->chain_count == RI_TEMPLATE_CHAIN)
            return ri_yaml_error(p->node, RI_ERR_LIMIT, "more than %d parameters depend on each other in a row",
                                 RI_TEMPLATE_CHAIN);
        t->chain[t->chain_count++] = index;
        p->state = RI_PARAMETER_BUSY;
        RI_TRY(compute_parameter(t, p));
        p->state = RI_PARAMETER_DONE;
        t->chain_count--;
    }
    p->used = true;
    *out_value = p->result;
    return RI_OK;
}

/// Takes the fields of a declaration; those not given stay as a base declared them.
static RiStatus declare_fields(RiParameter *p, const RiYamlNode *node)
{
    static const char *const keys[] = {"value", "unit", "min", "max", "doc", "source", "estimated"};
    if (node->kind != RI_YAML_MAPPING) {
        p->value = node;
        return ri_yaml_expect(node, RI_YAML_SCALAR);
    }
    RI_TRY(ri_yaml_check_keys(node, keys, sizeof keys / sizeof *keys));
    const RiYamlNode **const places[] = {&p->value, &p->unit, &p->least, &p->most};
    for (int i = 0; i < 4; i++) {
        const RiYamlNode *given = ri_yaml_get(node, keys[i]);
        if (!given)
            continue;
        RI_TRY(ri_yaml_expect(given, RI_YAML_SCALAR));
        *places[i] = given;
    }
    RI_TRY(ri_yaml_get_bool(node, "estimated", &p->estimated));
    if (!p->value)
        return ri_yaml_error(node, RI_ERR_FORMAT, "key 'value' is missing");
    return RI_OK;
}

static RiStatus declare(RiTemplate *t, const RiYamlNode *node)
{
    int index = ri_names_find(&t->parameter_names, node->key);
    if (index < 0) {
        RI_TRY(ri_template_check_name(t, node, node->key, NULL));
        void *items = t->parameters;
        RI_TRY(ri_template_grow(t, &items, t->parameter_count, &t->parameter_capacity, sizeof *t->parameters));
        t->parameters = items;
        int existing;
        RI_TRY(ri_names_add(&t->parameter_names, node->key, t->parameter_count, &existing));
        index = t->parameter_count++;
        t->parameters[index] = (RiParameter){.name = node->key, .node = node, .low = -INFINITY, .high = INFINITY};
    }
    return declare_fields(&t->parameters[index], node);
}

static RiStatus unknown_setting(const RiTemplate *t, const char *name)
{
    const char *nearest = ri_names_nearest(&t->parameter_names, name);
    const char *file = ri_yaml_file(t->documents[0]);
    if (nearest)
        return ri_error(t->ctx, RI_ERR_NOT_FOUND, "%s: setting '%.*s': there is no such parameter; did you mean '%s'?",
                        file, SHOWN, name, nearest);
    return ri_error(t->ctx, RI_ERR_NOT_FOUND, "%s: setting '%.*s': there is no such parameter", file, SHOWN, name);
}

/// Notes the settings from outside: "modules" and "robot.modules" mean the same. The last one
/// counts.
static RiStatus take_settings(RiTemplate *t)
{
    for (int i = 0; i < t->options.setting_count; i++) {
        const RiSetting *s = &t->options.settings[i];
        const char *name = s->name ? s->name : "";
        if (strncmp(name, "robot.", 6) == 0)
            name += 6;
        const int index = ri_names_find(&t->parameter_names, name);
        if (index < 0)
            return unknown_setting(t, name);
        t->parameters[index].setting = s;
    }
    return RI_OK;
}

/// Chooses the unit in which a parameter is shown: that of a number without one from outside.
static RiStatus choose_shown(RiTemplate *t, RiParameter *p)
{
    RiQuantity unit;
    RiExprError error;
    char si[64];
    p->factor = 1.0;
    p->shown = p->unit ? p->unit->text : ri_template_written_unit(p->value);
    if (p->shown && ri_unit_parse(p->shown, strlen(p->shown), &unit, &error) == RI_OK && unit.value > 0.0) {
        p->factor = unit.value;
        return RI_OK;
    }
    p->shown = ri_dim_is_plain(p->result.dim) ? "" : ri_dim_text(p->result.dim, si, sizeof si);
    p->shown = ri_arena_string_n(&t->arena, p->shown, strlen(p->shown));
    return p->shown ? RI_OK : ri_error_memory(t->ctx);
}

RiStatus ri_template_parameters(RiTemplate *t)
{
    for (int level = t->document_count - 1; level >= 0; level--) {
        const RiYamlNode *list = ri_yaml_get(ri_yaml_root(t->documents[level]), "parameters");
        if (!list)
            continue;
        RI_TRY(ri_yaml_expect(list, RI_YAML_MAPPING));
        for (const RiYamlNode *c = list->first; c; c = c->next)
            RI_TRY(declare(t, c));
    }
    RI_TRY(take_settings(t));
    for (int i = 0; i < t->parameter_count; i++) {
        RiQuantity value;
        const bool used = t->parameters[i].used;
        RI_TRY(parameter_value(t, i, &value));
        t->parameters[i].used = used; // asking here is not using
        RI_TRY(choose_shown(t, &t->parameters[i]));
    }
    return RI_OK;
}

/// The sentence of the strongest file that has one; "" if none has.
static const char *parameter_doc(const RiTemplate *t, const char *name)
{
    for (int i = 0; i < t->document_count; i++) {
        const RiYamlNode *list = ri_yaml_get(ri_yaml_root(t->documents[i]), "parameters");
        const RiYamlNode *node = list ? ri_yaml_get(list, name) : NULL;
        const RiYamlNode *doc = node && node->kind == RI_YAML_MAPPING ? ri_yaml_get(node, "doc") : NULL;
        if (doc && doc->kind == RI_YAML_SCALAR)
            return doc->text;
    }
    return "";
}

RiParameterShown ri_template_parameter(const RiTemplate *t, int index)
{
    const RiParameter *p = &t->parameters[index];
    return (RiParameterShown){p->name,
                              p->shown,
                              parameter_doc(t, p->name),
                              p->result.value / p->factor,
                              p->low / p->factor,
                              p->high / p->factor};
}
