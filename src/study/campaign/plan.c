// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading a campaign file. Keys are checked against lists, numbers against their distributions,
/// names against each other; names of values are checked when the scene is built (collect.c).

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/study/plan.h>
#include <rille/study/stats.h>

#include "base/expr.h"
#include "base/hash.h"
#include "base/rng.h"
#include "io/file/file.h"
#include "io/file/yaml.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

const char *ri_stage_name(RiStage stage)
{
    static const char *const names[] = {"build", "start", "time", "when", "end"};
    return names[stage];
}

static const char *const take_names[] = {"last",     "first",      "max",      "min",   "mean",
                                         "quantile", "first_time", "duration", "series"};

const char *ri_take_name(RiTake take)
{
    return take_names[take];
}

// ------------------------------------------------------------------------------------- dispersions

/// Sequence of `least` to `most` numbers in the arena.
static RiStatus read_numbers(RiCampaignPlan *p, const RiYamlNode *node, int least, int most, double **out,
                             int *out_count)
{
    RI_TRY(ri_yaml_expect(node, RI_YAML_SEQUENCE));
    if (node->count < least || node->count > most)
        return ri_yaml_error(node, RI_ERR_FORMAT, "%d numbers; %d to %d are wanted", node->count, least, most);
    double *x = ri_arena_alloc(&p->arena, (size_t)node->count + 1, sizeof *x);
    if (!x)
        return ri_error_memory(p->ctx);
    int n = 0;
    for (const RiYamlNode *c = node->first; c; c = c->next)
        RI_TRY(ri_yaml_number(c, NULL, &x[n++]));
    *out = x;
    *out_count = n;
    return RI_OK;
}

/// Where all words are numbers, these are what results are plotted over.
static RiStatus read_list_numbers(RiCampaignPlan *p, RiDispersion *d)
{
    RiExprError error;
    RiQuantity q;
    double *x = ri_arena_alloc(&p->arena, (size_t)d->dist.count + 1, sizeof *x);
    if (!x)
        return ri_error_memory(p->ctx);
    for (int i = 0; i < d->dist.count; i++) {
        if (ri_quantity_parse(d->words[i], strlen(d->words[i]), &q, &error) != RI_OK)
            return RI_OK;
        x[i] = q.value;
    }
    d->dist.values = x;
    return RI_OK;
}

/// A list: of numbers if all are, else of words.
static RiStatus read_list(RiCampaignPlan *p, const RiYamlNode *node, RiDispersion *d)
{
    RI_TRY(ri_yaml_expect(node, RI_YAML_SEQUENCE));
    const char **words = ri_arena_alloc(&p->arena, (size_t)node->count + 1, sizeof *words);
    if (!words)
        return ri_error_memory(p->ctx);
    int n = 0;
    for (const RiYamlNode *c = node->first; c; c = c->next)
        RI_TRY(ri_yaml_string(c, &words[n++]));
    d->dist.count = n;
    d->words = words;
    return read_list_numbers(p, d);
}

/// The unit of a sequence's numbers; all of them must have one dimension.
static RiStatus read_unit(const RiYamlNode *node, RiDispersion *d)
{
    RiExprError error;
    RiQuantity first = {0}, q;
    for (const RiYamlNode *c = node->first; c; c = c->next) {
        if (ri_quantity_parse(c->text, strlen(c->text), &q, &error) != RI_OK)
            return ri_yaml_error(c, RI_ERR_FORMAT, "%s", error.text);
        if (ri_dim_is_plain(first.dim))
            first = q;
        if (!ri_dim_fits(q.dim, first.dim))
            return ri_yaml_error(c, RI_ERR_FORMAT, "'%.60s' has another unit than the numbers before it", c->text);
    }
    if (!ri_dim_is_plain(first.dim))
        ri_dim_text(first.dim, d->unit, sizeof d->unit);
    return RI_OK;
}

static RiStatus read_shape(RiCampaignPlan *p, const RiYamlNode *node, RiDispersion *d)
{
    static const int counts[] = {2, 2, 2, 3, INT_MAX, 0, 3};
    double *x = NULL;
    int n = 0;
    if (d->dist.kind == RI_DIST_LIST)
        return read_list(p, node, d);
    RI_TRY(ri_yaml_expect(node, RI_YAML_SEQUENCE));
    if (d->dist.kind != RI_DIST_LOGNORMAL) {
        RI_TRY(read_unit(node, d));
    } else if (node->first) { // sigma is that of the logarithm: a plain number
        RiExprError error;
        RiQuantity q = {0};
        if (ri_quantity_parse(node->first->text, strlen(node->first->text), &q, &error) == RI_OK &&
            !ri_dim_is_plain(q.dim))
            ri_dim_text(q.dim, d->unit, sizeof d->unit);
    }
    if (d->dist.kind == RI_DIST_EMPIRICAL) {
        RI_TRY(read_numbers(p, node, 2, 1000000, &x, &n));
        ri_sort_numbers(x, n);
        d->dist.values = x;
        d->dist.count = n;
        return RI_OK;
    }
    RI_TRY(read_numbers(p, node, counts[d->dist.kind], counts[d->dist.kind], &x, &n));
    d->dist.a = x[0];
    d->dist.b = x[1];
    d->dist.c = n > 2 ? x[2] : 0.0;
    if (d->dist.kind == RI_DIST_GRID && d->dist.c > 0.0 && d->dist.b >= d->dist.a) {
        const double steps = floor((d->dist.b - d->dist.a) / d->dist.c * (1.0 + 1e-12) + 1e-9);
        if (steps >= 1e6)
            return ri_yaml_error(node, RI_ERR_LIMIT, "a grid has at most a million values");
        d->dist.count = (int)steps + 1;
    }
    return RI_OK;
}

static RiStatus read_dispersion(RiCampaignPlan *p, const RiYamlNode *node)
{
    static const char *const keys[] = {"uniform", "normal", "lognormal", "triangular", "empirical",
                                       "list",    "grid",   "low",       "high"};
    if (p->design.dimensions == RI_DESIGN_DIMENSIONS)
        return ri_yaml_error(node, RI_ERR_LIMIT, "there are more than %d dispersions", RI_DESIGN_DIMENSIONS);
    RiDispersion *d = &p->dispersions[p->design.dimensions];
    *d = (RiDispersion){.name = node->key, .line = node->key_line, .dist = {.low = -INFINITY, .high = INFINITY}};
    const RiYamlNode *shape = NULL;
    RI_TRY(ri_yaml_expect(node, RI_YAML_MAPPING));
    RI_TRY(ri_yaml_check_keys(node, keys, COUNT(keys)));
    for (int i = 0; i < RI_DIST_KINDS; i++) {
        const RiYamlNode *c = ri_yaml_get(node, keys[i]);
        if (c && shape)
            return ri_yaml_error(c, RI_ERR_FORMAT, "a dispersion has one distribution, this one has '%s' too",
                                 shape->key);
        if (c) {
            shape = c;
            d->dist.kind = (RiDistKind)i;
        }
    }
    if (!shape)
        return ri_yaml_error(
            node, RI_ERR_FORMAT,
            "a distribution is missing: uniform, normal, lognormal, triangular, empirical, list or grid");
    RI_TRY(read_shape(p, shape, d));
    RI_TRY(ri_yaml_get_number(node, "low", NULL, &d->dist.low));
    RI_TRY(ri_yaml_get_number(node, "high", NULL, &d->dist.high));
    const char *why = ri_dist_check(&d->dist);
    if (why)
        return ri_yaml_error(shape, RI_ERR_FORMAT, "%s", why);
    p->design.dimensions++;
    return RI_OK;
}

static int find_dispersion(const RiCampaignPlan *p, const char *name)
{
    for (int i = 0; i < p->design.dimensions; i++)
        if (strcmp(p->dispersions[i].name, name) == 0)
            return i;
    return -1;
}

/// One entry of the correlation matrix: two names and a number.
static RiStatus read_correlation(RiCampaignPlan *p, const RiYamlNode *node)
{
    static const char *const keys[] = {"between", "rho"};
    const RiYamlNode *between;
    double rho = NAN;
    int at[2];
    RI_TRY(ri_yaml_expect(node, RI_YAML_MAPPING));
    RI_TRY(ri_yaml_check_keys(node, keys, COUNT(keys)));
    RI_TRY(ri_yaml_require(node, "between", RI_YAML_SEQUENCE, &between));
    RI_TRY(ri_yaml_get_number(node, "rho", "", &rho));
    if (between->count != 2 || !(rho > -1.0 && rho < 1.0))
        return ri_yaml_error(node, RI_ERR_FORMAT, "two names under 'between' and a 'rho' between -1 and 1 are wanted");
    for (int i = 0; i < 2; i++) {
        const RiYamlNode *c = ri_yaml_at(between, i);
        at[i] = find_dispersion(p, c->text);
        if (at[i] < 0)
            return ri_yaml_error(c, RI_ERR_NOT_FOUND, "'%.60s' is not dispersed", c->text);
    }
    if (at[0] == at[1])
        return ri_yaml_error(between, RI_ERR_FORMAT, "a dispersion is correlated with itself");
    const int n = p->design.dimensions;
    p->copula[at[0] * n + at[1]] = p->copula[at[1] * n + at[0]] = rho;
    return RI_OK;
}

static RiStatus read_correlations(RiCampaignPlan *p, const RiYamlNode *list)
{
    const int n = p->design.dimensions;
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    p->copula = ri_arena_alloc(&p->arena, (size_t)(n * n) + 1, sizeof *p->copula);
    if (!p->copula)
        return ri_error_memory(p->ctx);
    for (int i = 0; i < n; i++)
        p->copula[i * n + i] = 1.0;
    for (const RiYamlNode *c = list->first; c; c = c->next)
        RI_TRY(read_correlation(p, c));
    if (!ri_copula_factor(n, p->copula))
        return ri_yaml_error(list, RI_ERR_FORMAT,
                             "these are not the correlations of any variables: the matrix is not positive definite");
    return RI_OK;
}

// ------------------------------------------------------------------------------------------ stages

static RiStatus add_stage(RiCampaignPlan *p, RiStageCommand command, const RiYamlNode *node)
{
    if (p->stage_count == RI_CAMPAIGN_STAGES)
        return ri_yaml_error(node, RI_ERR_LIMIT, "there are more than %d stage commands", RI_CAMPAIGN_STAGES);
    command.name = node->key;
    command.line = node->key_line;
    RI_TRY(ri_yaml_string(node, &command.value));
    p->stages[p->stage_count++] = command;
    return RI_OK;
}

static RiStatus read_stage(RiCampaignPlan *p, const RiYamlNode *node)
{
    static const char *const keys[] = {"at", "when", "set"};
    static const char *const words[] = {"build", "start", "end"};
    static const RiStage stages[] = {RI_STAGE_BUILD, RI_STAGE_START, RI_STAGE_END};
    RiStageCommand command = {.stage = RI_STAGE_TIME};
    const RiYamlNode *set, *at = ri_yaml_get(node, "at"), *when = ri_yaml_get(node, "when");
    RI_TRY(ri_yaml_expect(node, RI_YAML_MAPPING));
    RI_TRY(ri_yaml_check_keys(node, keys, COUNT(keys)));
    RI_TRY(ri_yaml_require(node, "set", RI_YAML_MAPPING, &set));
    if (!at == !when)
        return ri_yaml_error(node, RI_ERR_FORMAT, "a stage has 'at' (build, start, end or a time) or 'when'");
    if (when) {
        command.stage = RI_STAGE_WHEN;
        RI_TRY(ri_yaml_string(when, &command.when));
    } else {
        bool is_word = false;
        for (int i = 0; i < 3; i++)
            if (strcmp(at->text, words[i]) == 0) {
                command.stage = stages[i];
                is_word = true;
            }
        if (!is_word && ri_yaml_number(at, "s", &command.time) != RI_OK)
            return ri_yaml_error(at, RI_ERR_FORMAT, "'%.60s' is none of build, start, end and a time", at->text);
        if (!is_word && command.time < 0.0)
            return ri_yaml_error(at, RI_ERR_FORMAT, "a time is not negative");
    }
    for (const RiYamlNode *c = set->first; c; c = c->next)
        RI_TRY(add_stage(p, command, c));
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- results

bool ri_campaign_is_spread(const char *text, char out_function[8], char *out_glob, size_t size)
{
    static const char *const functions[] = {"max", "min", "mean", "sum"};
    const size_t n = strlen(text);
    for (int i = 0; i < COUNT(functions); i++) {
        const size_t m = strlen(functions[i]);
        if (strncmp(text, functions[i], m) != 0 || text[m] != '(' || n < m + 3 || text[n - 1] != ')')
            continue;
        const char *inside = text + m + 1;
        const size_t length = n - m - 2;
        if (length >= size || strcspn(inside, " +-/(),<>=") < length || !memchr(inside, '*', length))
            return false;
        memcpy(out_glob, inside, length);
        out_glob[length] = '\0';
        strcpy(out_function, functions[i]);
        return true;
    }
    return false;
}

/// What is taken of a value if nothing is said: of max(GLOB) the greatest over time too, else the
/// last.
static RiTake natural_take(const char *value)
{
    char function[8], glob[256];
    if (!ri_campaign_is_spread(value, function, glob, sizeof glob))
        return RI_TAKE_LAST;
    return strcmp(function, "max") == 0 ? RI_TAKE_MAX : strcmp(function, "min") == 0 ? RI_TAKE_MIN : RI_TAKE_MEAN;
}

/// A trigger without names is the same at all times: it must be true.
static RiStatus check_trigger(const RiYamlNode *node, const char *text)
{
    RiExprError error;
    RiQuantity value;
    if (ri_expr_eval(text, strlen(text), NULL, &value, &error) == RI_OK && fabs(value.value) < 0.5)
        return ri_yaml_error(node, RI_ERR_FORMAT, "'%.60s' is never true: this trigger cannot fire", text);
    return RI_OK;
}

static RiStatus read_result(RiCampaignPlan *p, const RiYamlNode *node)
{
    static const char *const keys[] = {"value", "take", "when", "quantile", "rate"};
    if (p->result_count == RI_CAMPAIGN_RESULTS)
        return ri_yaml_error(node, RI_ERR_LIMIT, "there are more than %d results", RI_CAMPAIGN_RESULTS);
    RiResultSpec *r = &p->results[p->result_count];
    *r = (RiResultSpec){.name = node->key, .line = node->key_line, .quantile = NAN};
    if (!ri_expr_is_dotted_name(node->key, strlen(node->key)))
        return ri_yaml_error(node, RI_ERR_FORMAT, "'%.60s' is not a name: letters, digits, '_' and '.'", node->key);
    if (node->kind == RI_YAML_SCALAR) {
        RI_TRY(ri_yaml_string(node, &r->value));
        r->take = natural_take(r->value);
    } else {
        int take;
        RI_TRY(ri_yaml_expect(node, RI_YAML_MAPPING));
        RI_TRY(ri_yaml_check_keys(node, keys, COUNT(keys)));
        const RiYamlNode *value, *word = ri_yaml_get(node, "take"), *when = ri_yaml_get(node, "when");
        RI_TRY(ri_yaml_require(node, "value", RI_YAML_SCALAR, &value));
        RI_TRY(ri_yaml_string(value, &r->value));
        take = (int)natural_take(r->value);
        if (word)
            RI_TRY(ri_yaml_choice(word, take_names, COUNT(take_names), &take));
        r->take = (RiTake)take;
        if (when) {
            RI_TRY(ri_yaml_string(when, &r->when));
            RI_TRY(check_trigger(when, r->when));
        }
        RI_TRY(ri_yaml_get_number(node, "quantile", "", &r->quantile));
        RI_TRY(ri_yaml_get_number(node, "rate", "Hz", &r->rate));
        if ((r->take == RI_TAKE_QUANTILE) != isfinite(r->quantile))
            return ri_yaml_error(node, RI_ERR_FORMAT,
                                 "'quantile' belongs to 'take: quantile', and the other way round");
        if (isfinite(r->quantile) && !(r->quantile >= 0.0 && r->quantile <= 1.0))
            return ri_yaml_error(node, RI_ERR_FORMAT, "quantile %g is not within 0 and 1", r->quantile);
        if (r->rate < 0.0)
            return ri_yaml_error(node, RI_ERR_FORMAT, "a rate is not negative");
    }
    p->result_count++;
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- success

typedef struct Results {
    const RiCampaignPlan *plan;
    const double *values;
    bool missing;
} Results;

static RiStatus look_up(void *user, const char *name, size_t size, RiQuantity *out_value)
{
    Results *r = user;
    for (int i = 0; i < r->plan->result_count; i++) {
        const char *known = r->plan->results[i].name;
        if (strlen(known) != size || strncmp(known, name, size) != 0)
            continue;
        const double x = r->values ? r->values[i] : 1.0;
        r->missing |= isnan(x);
        *out_value = (RiQuantity){.value = isnan(x) ? 0.0 : x};
        return RI_OK;
    }
    return RI_ERR_NOT_FOUND;
}

RiStatus ri_campaign_evaluate(const RiCampaignPlan *p, const char *text, int line, const double *values,
                              double *out_value)
{
    Results r = {p, values, false};
    const RiExprScope scope = {.lookup = look_up, .user = &r, .dotted = true};
    RiExprError error = {0};
    RiQuantity q;
    *out_value = NAN;
    const RiStatus status = ri_expr_eval(text, strlen(text), &scope, &q, &error);
    if (status == RI_ERR_NUMERIC)
        return RI_OK;
    if (status != RI_OK)
        return ri_error(p->ctx, status, "%s:%d: '%.100s', column %d: %s", p->file, line, text, error.column,
                        error.text);
    if (!r.missing)
        *out_value = q.value;
    return RI_OK;
}

RiStatus ri_campaign_success(const RiCampaignPlan *p, const double *values, bool *out_success)
{
    double x = 1.0;
    if (p->success)
        RI_TRY(ri_campaign_evaluate(p, p->success, p->success_line, values, &x));
    *out_success = !isnan(x) && fabs(x) > 0.5;
    return RI_OK;
}

// ---------------------------------------------------------------------------------------- the file

static int find_result(const RiCampaignPlan *p, const char *name)
{
    for (int i = 0; i < p->result_count; i++)
        if (strcmp(p->results[i].name, name) == 0)
            return i;
    return -1;
}

/// `mean: {RESULT: WIDTH, ...}`
static RiStatus read_mean_rules(RiCampaignPlan *p, const RiYamlNode *map)
{
    RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    for (const RiYamlNode *c = map->first; c; c = c->next) {
        RiMeanRule *r = &p->stop.means[p->stop.mean_count++]; // keys of a mapping differ: no more than results
        r->result = find_result(p, c->key);
        if (r->result < 0)
            return ri_yaml_error(c, RI_ERR_NOT_FOUND, "'%.60s' is not a result of this campaign", c->key);
        if (p->results[r->result].take == RI_TAKE_SERIES)
            return ri_yaml_error(c, RI_ERR_FORMAT, "'%.60s' is a series: it has no mean over the runs", c->key);
        RI_TRY(ri_yaml_number(c, NULL, &r->width));
        if (!(r->width > 0.0 && isfinite(r->width)))
            return ri_yaml_error(c, RI_ERR_FORMAT, "the width of a mean's interval is greater than 0, not %g",
                                 r->width);
    }
    return RI_OK;
}

static RiStatus read_stop(RiCampaignPlan *p, const RiYamlNode *node)
{
    static const char *const keys[] = {"width", "mean", "confidence", "failures", "least"};
    p->stop = (RiStopRule){.confidence = 0.95, .least = 20};
    if (!node)
        return RI_OK;
    RI_TRY(ri_yaml_expect(node, RI_YAML_MAPPING));
    RI_TRY(ri_yaml_check_keys(node, keys, COUNT(keys)));
    RI_TRY(ri_yaml_get_number(node, "width", "", &p->stop.width));
    RI_TRY(ri_yaml_get_number(node, "confidence", "", &p->stop.confidence));
    if (ri_yaml_get(node, "mean"))
        RI_TRY(read_mean_rules(p, ri_yaml_get(node, "mean")));
    RI_TRY(ri_yaml_get_int(node, "failures", 1, INT_MAX, &p->stop.failures));
    RI_TRY(ri_yaml_get_int(node, "least", 1, INT_MAX, &p->stop.least));
    if (!(p->stop.confidence > 0.0 && p->stop.confidence < 1.0))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a confidence is between 0 and 1, not %g", p->stop.confidence);
    if (p->stop.width < 0.0 || p->stop.width >= 1.0)
        return ri_yaml_error(node, RI_ERR_FORMAT, "the width of an interval is between 0 and 1, not %g", p->stop.width);
    return RI_OK;
}

static RiStatus read_design(RiCampaignPlan *p, const RiYamlNode *root)
{
    static const char *const kinds[] = {"random", "latin_hypercube", "sobol", "grid", "saltelli"};
    const RiYamlNode *kind = ri_yaml_get(root, "sampling"), *runs = ri_yaml_get(root, "runs");
    int choice = RI_DESIGN_RANDOM, gridded = 0, seed = 1;
    if (kind)
        RI_TRY(ri_yaml_choice(kind, kinds, COUNT(kinds), &choice));
    RiDesign *d = &p->design;
    d->kind = (RiDesignKind)choice;
    d->scrambled = true;
    RI_TRY(ri_yaml_get_bool(root, "scramble", &d->scrambled));
    RI_TRY(ri_yaml_get_bool(root, "midpoints", &d->midpoint));
    RI_TRY(ri_yaml_get_int(root, "seed", 0, INT_MAX, &seed));
    d->seed = (uint64_t)seed;
    for (int i = 0; i < d->dimensions; i++) {
        d->levels[i] = ri_dist_is_discrete(&p->dispersions[i].dist) ? p->dispersions[i].dist.count : 0;
        gridded += d->levels[i] > 0;
    }
    const RiYamlNode *at = kind ? kind : root;
    if (d->kind == RI_DESIGN_SOBOL && d->dimensions > RI_SOBOL_DIMENSIONS)
        return ri_yaml_error(at, RI_ERR_LIMIT, "Sobol' points have at most %d dispersions, there are %d",
                             RI_SOBOL_DIMENSIONS, d->dimensions);
    if (d->kind == RI_DESIGN_SALTELLI && p->copula)
        return ri_yaml_error(at, RI_ERR_FORMAT, "Sobol' indices want independent dispersions; these are correlated");
    if (d->kind == RI_DESIGN_GRID && !gridded)
        return ri_yaml_error(at, RI_ERR_FORMAT, "a grid needs at least one dispersion of 'grid' or 'list'");
    const long long size = d->kind == RI_DESIGN_GRID ? ri_design_grid_size(d) : 100;
    if (size < 0)
        return ri_yaml_error(at, RI_ERR_LIMIT, "the grid has more than 2^31 runs");
    p->runs = (int)size;
    if (runs)
        RI_TRY(ri_yaml_int(runs, 1, 100000000, &p->runs));
    if (d->kind == RI_DESIGN_GRID && p->runs % size != 0)
        return ri_yaml_error(runs, RI_ERR_FORMAT, "a grid of %lld points has a multiple of so many runs, not %d", size,
                             p->runs);
    const int group = d->dimensions + 2;
    if (d->kind == RI_DESIGN_SALTELLI && p->runs % group != 0)
        return ri_yaml_error(
            runs ? runs : at, RI_ERR_FORMAT,
            "with %d dispersions the runs of a Saltelli design come in groups of %d; %d is not a multiple: "
            "take %d",
            d->dimensions, group, p->runs, (p->runs / group + 1) * group);
    d->blocks[0] = p->runs;
    d->block_count = 1;
    return RI_OK;
}

static RiStatus read_settings(RiCampaignPlan *p, const RiYamlNode *map)
{
    if (map)
        RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    for (const RiYamlNode *c = map ? map->first : NULL; c; c = c->next) {
        if (p->setting_count == RI_CAMPAIGN_SETTINGS)
            return ri_yaml_error(c, RI_ERR_LIMIT, "there are more than %d settings", RI_CAMPAIGN_SETTINGS);
        if (find_dispersion(p, c->key) >= 0)
            return ri_yaml_error(c, RI_ERR_FORMAT, "'%.60s' is dispersed, too", c->key);
        RiSetting *s = &p->settings[p->setting_count++];
        s->name = c->key;
        RI_TRY(ri_yaml_string(c, &s->value));
    }
    return RI_OK;
}

static RiStatus read_root(RiCampaignPlan *p, const RiYamlNode *root)
{
    static const char *const keys[] = {"campaign", "doc",          "scene", "seed",    "runs",      "sampling",
                                       "scramble", "midpoints",    "set",   "results", "success",   "dispersions",
                                       "stages",   "correlations", "stop",  "timeout", "checkpoint"};
    const RiYamlNode *node, *map, *list;
    RI_TRY(ri_yaml_expect(root, RI_YAML_MAPPING));
    RI_TRY(ri_yaml_check_keys(root, keys, COUNT(keys)));
    RI_TRY(ri_yaml_require(root, "campaign", RI_YAML_SCALAR, &node));
    RI_TRY(ri_yaml_string(node, &p->name));
    if (!*p->name || strlen(p->name) > 200)
        return ri_yaml_error(node, RI_ERR_FORMAT, "a campaign has a name of 1 to 200 characters");
    RI_TRY(ri_yaml_get_string(root, "doc", &p->doc));
    RI_TRY(ri_yaml_require(root, "scene", RI_YAML_SCALAR, &node));
    RI_TRY(ri_yaml_string(node, &p->scene));
    map = ri_yaml_get(root, "dispersions");
    if (map)
        RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    for (const RiYamlNode *c = map ? map->first : NULL; c; c = c->next)
        RI_TRY(read_dispersion(p, c));
    RI_TRY(read_correlations(p, ri_yaml_get(root, "correlations")));
    RI_TRY(read_settings(p, ri_yaml_get(root, "set")));
    list = ri_yaml_get(root, "stages");
    if (list)
        RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = list ? list->first : NULL; c; c = c->next)
        RI_TRY(read_stage(p, c));
    RI_TRY(ri_yaml_require(root, "results", RI_YAML_MAPPING, &map));
    for (const RiYamlNode *c = map->first; c; c = c->next)
        RI_TRY(read_result(p, c));
    RI_TRY(read_stop(p, ri_yaml_get(root, "stop")));
    RI_TRY(read_design(p, root));
    p->timeout = 600.0;
    RI_TRY(ri_yaml_get_number(root, "timeout", "s", &p->timeout));
    RI_TRY(ri_yaml_get_number(root, "checkpoint", "s", &p->checkpoint));
    if (!(p->timeout > 0.0))
        return ri_yaml_error(ri_yaml_get(root, "timeout"), RI_ERR_FORMAT, "'timeout' is greater than 0");
    if (p->checkpoint < 0.0)
        return ri_yaml_error(ri_yaml_get(root, "checkpoint"), RI_ERR_FORMAT, "'checkpoint' is not negative");
    node = ri_yaml_get(root, "success");
    if (node) {
        bool success;
        RI_TRY(ri_yaml_string(node, &p->success));
        p->success_line = node->line;
        RI_TRY(ri_campaign_success(p, NULL, &success));
    }
    return RI_OK;
}

RiStatus ri_campaign_parse(RiContext *ctx, const char *file, const char *text, size_t size, RiCampaignPlan **out_plan)
{
    RiCampaignPlan *p = ri_alloc_zero(ctx, 1, sizeof *p);
    *out_plan = NULL;
    if (!p)
        return ri_error_memory(ctx);
    p->ctx = ctx;
    ri_arena_init(&p->arena, ctx);
    p->doc = "";
    p->file = ri_arena_string(&p->arena, file);
    p->text = ri_arena_string_n(&p->arena, text, size);
    RiStatus status = p->file && p->text ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK)
        status = ri_yaml_parse(ctx, file, text, size, NULL, &p->document);
    if (status == RI_OK) {
        p->hash = ri_hash(0, text, size);
        status = read_root(p, ri_yaml_root(p->document));
    }
    if (status == RI_OK)
        *out_plan = p;
    else
        ri_campaign_destroy(p);
    return status;
}

RiStatus ri_campaign_load(RiContext *ctx, const char *path, RiCampaignPlan **out_plan)
{
    char *text;
    size_t size;
    *out_plan = NULL;
    RI_TRY(ri_file_read(ctx, path, 16 << 20, &text, &size));
    const RiStatus status = ri_campaign_parse(ctx, path, text, size, out_plan);
    ri_release(ctx, text);
    return status;
}

void ri_campaign_destroy(RiCampaignPlan *plan)
{
    if (!plan)
        return;
    ri_yaml_destroy(plan->document);
    ri_arena_free(&plan->arena);
    ri_release(plan->ctx, plan);
}

RiStatus ri_campaign_extend(RiCampaignPlan *p, int runs)
{
    RiDesign *d = &p->design;
    const int group = d->kind == RI_DESIGN_SALTELLI ? d->dimensions + 2 : 1;
    if (d->kind == RI_DESIGN_GRID)
        return ri_error(p->ctx, RI_ERR_ARGUMENT, "%s: a grid has all its runs: it cannot be extended", p->file);
    if (runs < 1 || runs > 100000000 - p->runs || runs % group != 0)
        return ri_error(p->ctx, RI_ERR_ARGUMENT,
                        "%s: %d runs cannot be added: the number must be a positive multiple of %d", p->file, runs,
                        group);
    if (d->block_count == RI_DESIGN_BLOCKS)
        return ri_error(p->ctx, RI_ERR_LIMIT, "%s: a campaign is extended at most %d times", p->file,
                        RI_DESIGN_BLOCKS - 1);
    d->blocks[d->block_count++] = runs;
    p->runs += runs;
    return RI_OK;
}

// ----------------------------------------------------------------------------------------- samples

void ri_campaign_map(const RiCampaignPlan *p, const double *u, RiSample *out)
{
    double v[RI_DESIGN_DIMENSIONS], work[RI_DESIGN_DIMENSIONS];
    const int n = p->design.dimensions;
    memcpy(v, u, (size_t)n * sizeof *v);
    if (p->copula)
        ri_copula_apply(n, p->copula, v, work);
    for (int i = 0; i < n; i++) {
        const RiDispersion *d = &p->dispersions[i];
        out[i].u = v[i];
        out[i].x = ri_dist_quantile(&d->dist, v[i]);
        snprintf(out[i].text, sizeof out[i].text, "%.17g%s%s", out[i].x, *d->unit ? " " : "", d->unit);
        const int last = d->dist.count - 1, pick = (int)(v[i] * d->dist.count);
        out[i].value = d->words ? d->words[pick < last ? pick : last] : out[i].text;
    }
}

bool ri_campaign_is_independent(const RiCampaignPlan *plan, int k)
{
    return plan->design.kind != RI_DESIGN_SALTELLI || k % (plan->design.dimensions + 2) < 2;
}

void ri_campaign_sample(const RiCampaignPlan *p, int k, RiSample *out)
{
    double u[RI_DESIGN_DIMENSIONS];
    ri_design_point(&p->design, k, u);
    ri_campaign_map(p, u, out);
}

int ri_campaign_settings(const RiCampaignPlan *p, const RiSample *samples, RiSetting *out)
{
    int n = 0;
    for (int i = 0; i < p->setting_count; i++)
        out[n++] = p->settings[i];
    for (int i = 0; i < p->stage_count; i++)
        if (p->stages[i].stage == RI_STAGE_BUILD)
            out[n++] = (RiSetting){p->stages[i].name, p->stages[i].value};
    for (int i = 0; i < p->design.dimensions; i++)
        out[n++] = (RiSetting){p->dispersions[i].name, samples[i].value};
    return n;
}

uint64_t ri_campaign_hash(uint64_t hash, const void *data, size_t size)
{
    return ri_hash(hash, data, size);
}

uint64_t ri_campaign_seed(const RiCampaignPlan *p, int k)
{
    RiRng rng = ri_rng_stream(p->design.seed, "campaign.scene_seed");
    rng.counter = (uint64_t)k;
    return ri_rng_next(&rng) >> 12; // scenes take seeds up to 2^53
}
