// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a scene expects of its run.
///
///     checks:
///       - {name: turns towards the jammed wheel, value: base.yaw, take: change, from: 2 s, to: 28 s, most: -0.1 deg}
///
/// A check takes one number from the course of an expression over named values (its last value, its
/// mean, ...) and compares it with a band. It only looks: a run with and without checks has equal
/// bits.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/scene/scene.h"

/// How often checks look at a run [s].
static const double LOOK_PERIOD = 0.01;

enum { TAKE_LAST, TAKE_MEAN, TAKE_LEAST, TAKE_MOST, TAKE_CHANGE, TAKE_TIMES, TAKE_COUNT };
static const char *const takes[TAKE_COUNT] = {"last", "mean", "least", "most", "change", "times"};

// --- reading -------------------------------------------------------------------------------------

static RiStatus read_time(RiScene *sc, const RiYamlNode *node, const char *key, double *time)
{
    const RiYamlNode *x = ri_yaml_get(node, key);
    if (!x)
        return RI_OK;
    RI_TRY(ri_template_number(&sc->t, (RiTemplateValue){x, NULL}, "s", time));
    if (!(*time >= 0.0))
        return ri_yaml_error(x, RI_ERR_FORMAT, "%s is %.9g s; times start at 0", key, *time);
    return RI_OK;
}

static RiStatus read_text(RiScene *sc, const RiYamlNode *node, const char *key, const char **out_text)
{
    const RiYamlNode *x = ri_yaml_get(node, key);
    return x ? ri_scene_expression(sc, (RiTemplateValue){x, NULL}, out_text) : RI_OK;
}

static RiStatus read_check(RiScene *sc, const RiYamlNode *node, RiSceneCheckSlot *c)
{
    static const char *const keys[] = {"name", "value", "take", "from", "to", "least", "most"};
    *c = (RiSceneCheckSlot){.node = node, .to = INFINITY};
    RI_TRY(ri_yaml_check_keys(node, keys, sizeof keys / sizeof *keys));
    const RiYamlNode *name = ri_yaml_get(node, "name"), *take = ri_yaml_get(node, "take");
    if (!name || !ri_yaml_get(node, "value"))
        return ri_yaml_error(node, RI_ERR_FORMAT, "key '%s' of a check is missing", name ? "value" : "name");
    if (!ri_yaml_get(node, "least") && !ri_yaml_get(node, "most"))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a check needs the key 'least', 'most' or both");
    RI_TRY(ri_template_text(&sc->t, (RiTemplateValue){name, NULL}, &c->name));
    if (take)
        RI_TRY(ri_template_choice(&sc->t, (RiTemplateValue){take, NULL}, takes, TAKE_COUNT, &c->take));
    RI_TRY(read_time(sc, node, "from", &c->from));
    RI_TRY(read_time(sc, node, "to", &c->to));
    if (!(c->to > c->from))
        return ri_yaml_error(node, RI_ERR_FORMAT, "a check from %.9g s to %.9g s; the end must come later", c->from,
                             c->to);
    RI_TRY(read_text(sc, node, "value", &c->text));
    RI_TRY(read_text(sc, node, "least", &c->least_text));
    return read_text(sc, node, "most", &c->most_text);
}

RiStatus ri_scene_read_checks(RiScene *sc)
{
    const RiYamlNode *list = ri_scene_key(sc, "checks");
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    sc->checks = ri_arena_alloc(&sc->t.arena, (size_t)list->count + 1, sizeof *sc->checks);
    if (!sc->checks)
        return ri_error_memory(sc->ctx);
    for (const RiYamlNode *c = list->first; c; c = c->next)
        RI_TRY(read_check(sc, c, &sc->checks[sc->check_count++]));
    return RI_OK;
}

// --- building ------------------------------------------------------------------------------------

/// A bound, which must have the unit of the value.
static RiStatus build_bound(RiScene *sc, const RiSceneCheckSlot *c, const char *key, const char *text, double *bound)
{
    char both[1024];
    const RiFormula *unused;
    if (!text)
        return RI_OK;
    const char *value = c->take == TAKE_TIMES ? "1" : c->text;
    if (snprintf(both, sizeof both, "(%s) < (%s)", value, text) >= (int)sizeof both)
        return ri_yaml_error(c->node, RI_ERR_LIMIT, "value and '%s' of the check are too long", key);
    RI_TRY(ri_scene_wrap(ri_yaml_get(c->node, key), ri_values_compile(ri_sim_values(sc->sim), both, &unused), sc->ctx));
    return ri_scene_wrap(ri_yaml_get(c->node, key), ri_values_eval(ri_sim_values(sc->sim), text, bound), sc->ctx);
}

RiStatus ri_scene_build_checks(RiScene *sc)
{
    const double tick = sc->sim_options.tick;
    sc->look_ticks = LOOK_PERIOD > tick ? (long long)round(LOOK_PERIOD / tick) : 1;
    for (int i = 0; i < sc->check_count; i++) {
        RiSceneCheckSlot *c = &sc->checks[i];
        c->least = -INFINITY;
        c->most = INFINITY;
        c->looks = 0;
        RI_TRY(ri_scene_wrap(ri_yaml_get(c->node, "value"),
                             ri_values_compile(ri_sim_values(sc->sim), c->text, &c->formula), sc->ctx));
        RI_TRY(build_bound(sc, c, "least", c->least_text, &c->least));
        RI_TRY(build_bound(sc, c, "most", c->most_text, &c->most));
        if (!(c->least <= c->most))
            return ri_yaml_error(c->node, RI_ERR_FORMAT, "least %.9g is more than most %.9g", c->least, c->most);
    }
    return RI_OK;
}

// --- looking -------------------------------------------------------------------------------------

static void look(RiSceneCheckSlot *c, double time, double x)
{
    if (c->looks++ == 0) {
        c->begun = time;
        c->first = c->low = c->high = x;
        c->sum = 0.0;
        c->times = 0;
        c->last = c->take == TAKE_TIMES ? 0.0 : x;
    }
    c->times += x != 0.0 && c->last == 0.0;
    c->sum += x;
    c->low = x < c->low ? x : c->low;
    c->high = x > c->high ? x : c->high;
    c->last = x;
    c->ended = time;
}

void ri_scene_look(RiScene *sc)
{
    if (!sc->check_count || (ri_sim_tick(sc->sim) % sc->look_ticks != 0 && !ri_sim_stopped(sc->sim)))
        return;
    const double time = ri_sim_time(sc->sim), slack = 0.5 * sc->sim_options.tick;
    for (int i = 0; i < sc->check_count; i++) {
        RiSceneCheckSlot *c = &sc->checks[i];
        double x;
        if (time < c->from - slack || time > c->to + slack)
            continue;
        look(c, time, ri_formula_eval(c->formula, &x) == RI_OK ? x : NAN);
    }
}

int ri_scene_check_count(const RiScene *scene)
{
    return scene->check_count;
}

static double taken(const RiSceneCheckSlot *c)
{
    switch (c->take) {
    case TAKE_MEAN:
        return c->sum / (double)c->looks;
    case TAKE_LEAST:
        return c->low;
    case TAKE_MOST:
        return c->high;
    case TAKE_CHANGE:
        return c->last - c->first;
    case TAKE_TIMES:
        return c->times;
    default:
        return c->last;
    }
}

RiSceneCheck ri_scene_check(const RiScene *scene, int index)
{
    RiSceneCheck out = {.name = "", .unit = "", .value = NAN};
    if (index < 0 || index >= scene->check_count)
        return out;
    const RiSceneCheckSlot *c = &scene->checks[index];
    const double period = (double)scene->look_ticks * scene->sim_options.tick * (1.0 + 1e-9);
    out.name = c->name;
    out.least = c->least;
    out.most = c->most;
    if (!c->formula)
        return out;
    out.unit = c->take == TAKE_TIMES ? "" : ri_formula_unit(c->formula);
    double at_end;
    const bool held = c->looks == 0 && ri_sim_stopped(scene->sim) && ri_sim_time(scene->sim) < c->from;
    if (held && c->take != TAKE_CHANGE && c->take != TAKE_TIMES && ri_formula_eval(c->formula, &at_end) == RI_OK) {
        out.value = at_end; // a run that stopped by itself stays as it is
        out.seen = true;
        out.passed = at_end >= c->least && at_end <= c->most;
    }
    if (c->looks == 0)
        return out;
    out.value = taken(c);
    out.seen = c->begun <= c->from + period && (isinf(c->to) || c->ended >= c->to - period);
    out.passed = out.seen && out.value >= c->least && out.value <= c->most;
    return out;
}

// --- writing -------------------------------------------------------------------------------------

static void put(RiSceneWriter *w, const char *key, const char *text)
{
    if (!text)
        return;
    ri_scene_put(w, ", %s: ", key);
    ri_scene_put_quoted(w, text);
}

void ri_scene_put_checks(const RiScene *sc, RiSceneWriter *w)
{
    char number[40];
    if (sc->check_count)
        ri_scene_put(w, "checks:\n");
    for (int i = 0; i < sc->check_count; i++) {
        const RiSceneCheckSlot *c = &sc->checks[i];
        ri_scene_put(w, "  - {name: ");
        ri_scene_put_quoted(w, c->name);
        put(w, "value", c->text);
        ri_scene_put(w, ", take: %s, from: %s s", takes[c->take], ri_number_text(c->from, number));
        if (isfinite(c->to))
            ri_scene_put(w, ", to: %s s", ri_number_text(c->to, number));
        put(w, "least", c->least_text);
        put(w, "most", c->most_text);
        ri_scene_put(w, "}\n");
    }
}
