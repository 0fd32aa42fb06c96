// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading plans. Every key is in an option table; the format is described in docs/plans.md.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/file/file.h"
#include "study/plan/plan.h"

enum { SHOWN = 60 };

const char *ri_fidelity_name(RiFidelity fidelity)
{
    static const char *const names[RI_FIDELITY_COUNT] = {"map", "kinematic", "dynamic", "auto"};
    return (unsigned)fidelity < RI_FIDELITY_COUNT ? names[fidelity] : "";
}

static const char *const fidelities[] = {"map", "kinematic", "dynamic", "auto"};
static const char *const kinds[] = {"wait",         "sleep", "drive", "arc",    "turn", "image", "panorama",
                                    "spectrometer", "arm",   "drill", "charge", "pass", "uplink"};
static const char *const response_kinds[] = {"safe", "stop"};
_Static_assert(sizeof kinds / sizeof *kinds == RI_ACTIVITY_KIND_COUNT, "a name for every kind");
_Static_assert(sizeof fidelities / sizeof *fidelities == RI_FIDELITY_COUNT, "a name for every fidelity");

const char *ri_activity_kind_name(unsigned kind)
{
    return kind < RI_ACTIVITY_KIND_COUNT ? kinds[kind] : "";
}

bool ri_plan_next_name(const char **at, char out[RI_PLAN_NAME])
{
    if (!*at)
        return false;
    const size_t skip = strspn(*at, ", "), all = strcspn(*at + skip, ",");
    size_t size = all;
    while (size > 0 && (*at)[skip + size - 1] == ' ')
        size--;
    snprintf(out, RI_PLAN_NAME, "%.*s", (int)(size < RI_PLAN_NAME - 8 ? size : RI_PLAN_NAME - 8), *at + skip);
    *at += skip + all;
    return size > 0;
}

double ri_activity_usual_duration(unsigned kind)
{
    switch ((RiActivityKind)kind) {
    case RI_ACTIVITY_IMAGE:
        return 120.0;
    case RI_ACTIVITY_PANORAMA:
        return 1800.0;
    case RI_ACTIVITY_SPECTROMETER:
        return 3600.0;
    case RI_ACTIVITY_ARM:
        return 900.0;
    case RI_ACTIVITY_DRILL:
        return 7200.0;
    case RI_ACTIVITY_UPLINK:
        return 1200.0;
    case RI_ACTIVITY_WAIT:
    case RI_ACTIVITY_SLEEP:
    case RI_ACTIVITY_DRIVE:
    case RI_ACTIVITY_ARC:
    case RI_ACTIVITY_TURN:
    case RI_ACTIVITY_CHARGE:
    case RI_ACTIVITY_PASS:
    case RI_ACTIVITY_KIND_COUNT:
        break;
    }
    return NAN;
}

static const RiOption plan_rows[] = {
    RI_OPTION_WORD("plan", RiPlan, name, NULL, "name of the plan; required"),
    RI_OPTION_WORD("doc", RiPlan, doc, NULL, "what it is for"),
    RI_OPTION_WORD("scene", RiPlan, scene, NULL, "scene file, seen from the plan's folder; required"),
    RI_OPTION_WORD("dynamic_scene", RiPlan, dynamic, NULL,
                   "scene of fidelities dynamic and auto; its subsystems have the same names. Without it, "
                   "`scene` if its mode is switchable"),
    RI_OPTION_ONE_OF("fidelity", RiPlan, fidelity, fidelities, 1.0, "how drives are carried out"),
    RI_OPTION_WORD("locomotion", RiPlan, locomotion, "rover", "name of the device that drives"),
    RI_OPTION_WORD("bus", RiPlan, bus, "main", "name of the bus whose modes are used"),
    RI_OPTION_WORD("recorder", RiPlan, recorder, "memory", "name of the recorder that takes data"),
    RI_OPTION("speed", RiPlan, speed, "m/s", 0.05, 0.0, 100.0, "of drives at fidelity map", .flags = RI_OPTION_ABOVE),
    RI_OPTION("overhead", RiPlan, overhead, "s", 20.0, 0.0, 3600.0,
              "time that a drive at fidelity map takes besides its way: steering"),
    RI_OPTION("step", RiPlan, step, "s", 30.0, 0.0, 3600.0, "longest step while the robot rests",
              .flags = RI_OPTION_ABOVE),
    RI_OPTION("steep", RiPlan, steep, "rad", 0.0872664625997164788, 0.0, 1.5,
              "slope of the ground from which fidelity auto drives with dynamics"),
    RI_OPTION("uneven", RiPlan, uneven, "rad", 1.5, 0.0, 1.5,
              "slope of the ground from which fidelity auto steps the robot kinematically; below it goes by map"),
    RI_OPTION_WORD(
        "map_loads", RiPlan, map_loads, NULL,
        "loads that are on during stretches by map and kinematic ones at fidelity auto, separated by commas: they "
        "stand for motors, which draw nothing there"),
    RI_OPTION_WORD("map", RiPlan, map, NULL,
                   "folder of a mobility map, seen from the plan's folder: slip and energy of stretches by map"),
    RI_OPTION("motor_efficiency", RiPlan, motor_efficiency, "", NAN, 0.0, 1.0,
              "with `map`: work of the wheels over what gears take in; required there",
              .flags = RI_OPTION_OPTIONAL | RI_OPTION_ABOVE),
    RI_OPTION("motor_loss", RiPlan, motor_loss, "W/N^2", 0.0, 0.0, 1e6,
              "with `map`: loss of all motors over the square of the force at the rims, copper"),
    RI_OPTION_OWNED("slip", "list of [slope, slip]", "slip of drives at fidelity map, over the slope along the way"),
    RI_OPTION_OWNED("set", "mapping", "settings of the scene, as of `rille run --set`"),
    RI_OPTION_OWNED("activities", "list", "what is done, one after the other; required"),
    RI_OPTION_OWNED("margins", "list", "`{name, value, least, most}`: what must stay within limits"),
    RI_OPTION_OWNED("responses", "list", "`{name, when, do: safe or stop, resume}`: what the executive does by itself"),
    RI_OPTION_OWNED("faults", "list", "`{at, set: {NAME: VALUE}}`: what happens to it"),
};
const RiOptionTable ri_plan_option_table = RI_OPTION_TABLE("plan", RiPlan, plan_rows);

#define TIME_OF(key, field, text)                                                                                      \
    RI_OPTION(key, RiActivity, field, "s", NAN, 0.0, 1e9, text, .flags = RI_OPTION_OPTIONAL)
#define HOUR_OF(key, field, text)                                                                                      \
    RI_OPTION(key, RiActivity, field, "", NAN, 0.0, 24.0, text, .flags = RI_OPTION_OPTIONAL)
static const RiOption activity_rows[] = {
    RI_OPTION_WORD("name", RiActivity, name, NULL, "of the activity; the kind's by default"),
    RI_OPTION_ONE_OF("do", RiActivity, kind, kinds, 0.0, "kind of activity; required"),
    TIME_OF("at", at, "earliest start, since the start of the plan"),
    TIME_OF("before", before, "latest start; later, it fails"),
    HOUR_OF("hour", hour, "local true solar hour at which it begins"),
    HOUR_OF("until_hour", until_hour, "local true solar hour at which it ends"),
    TIME_OF("duration", duration,
            "of the activity; image, panorama, spectrometer, arm, drill and uplink have one of their own"),
    RI_OPTION("longest", RiActivity, longest, "s", 14400.0, 0.0, 1e8,
              "time after which an activity that has not ended fails", .flags = RI_OPTION_ABOVE),
    RI_OPTION_WORD("until", RiActivity, until, NULL, "expression over named values: it ends when this is true"),
    RI_OPTION_WORD("when", RiActivity, when, NULL, "expression: it is skipped where this is false"),
    RI_OPTION_WORD("after", RiActivity, after, NULL,
                   "names of earlier activities, separated by commas: it is skipped unless all of them were done"),
    RI_OPTION_WORD("loads", RiActivity, loads, NULL, "loads that are on during it, separated by commas"),
    RI_OPTION_WORD("radio", RiActivity, radio, NULL, "of a pass or uplink; required there"),
    RI_OPTION("reply", RiActivity, reply, "s", NAN, 0.0, 1e8,
              "of uplink: the ground answers what the robot sends; the answer is there after twice the light time and "
              "this",
              .flags = RI_OPTION_OPTIONAL),
    RI_OPTION("x", RiActivity, x, "m", 0.0, -1e6, 1e6, "of drive"),
    RI_OPTION("y", RiActivity, y, "m", 0.0, -1e6, 1e6, "of drive"),
    RI_OPTION("fix_every", RiActivity, fix_every, "m", 0.0, 0.1, 1e4,
              "of drive: way after which a stepped robot learns where it is, as by visual odometry; 0: it goes by its "
              "own odometry to the end",
              .flags = RI_OPTION_OR_ZERO),
    RI_OPTION_WORD(
        "arm", RiActivity, arm, NULL,
        "of arm and drill: device of class place_instrument that goes to x, y, z, stays for the duration, and "
        "goes home"),
    RI_OPTION("z", RiActivity, z, "m", 0.0, -1e6, 1e6, "of arm and drill with an `arm`"),
    RI_OPTION_WORD("camera", RiActivity, camera, NULL,
                   "of image and panorama: camera of the scene that takes the pictures"),
    RI_OPTION("pictures", RiActivity, pictures, "", 1, 1, 1000,
              "how many, with a `camera`: their size times `depth` is data"),
    RI_OPTION("depth", RiActivity, depth, "", 12.0, 0.01, 64.0,
              "bits for each pixel, with a `camera`, after compression"),
    RI_OPTION("length", RiActivity, length, "m", 0.0, -1e5, 1e5, "of arc"),
    RI_OPTION("radius", RiActivity, radius, "m", 0.0, -1e6, 1e6, "of arc; 0: straight"),
    RI_OPTION("angle", RiActivity, angle, "rad", 0.0, -100.0, 100.0, "of turn"),
    RI_OPTION("data", RiActivity, data, "", 0.0, 0.0, 1e15, "bits that it brings to the recorder, when it is done"),
    RI_OPTION("priority", RiActivity, priority, "", 5, 0, 99, "0: done in safe mode, too"),
    RI_OPTION_ONE_OF(
        "fidelity", RiActivity, fidelity, fidelities, (double)RI_FIDELITY_AUTO,
        "map, kinematic or dynamic: of a drive, arc or turn while the plan runs at fidelity auto; auto: by slope"),
};
const RiOptionTable ri_activity_option_table = RI_OPTION_TABLE("activity", RiActivity, activity_rows);

static const RiOption margin_rows[] = {
    RI_OPTION_WORD("name", RiPlanMarginDef, name, NULL, "of the margin"),
    RI_OPTION_WORD("value", RiPlanMarginDef, value, NULL, "expression over named values"),
    RI_OPTION("least", RiPlanMarginDef, least, NULL, NAN, -1e300, 1e300, "lower limit", .flags = RI_OPTION_OPTIONAL),
    RI_OPTION("most", RiPlanMarginDef, most, NULL, NAN, -1e300, 1e300, "upper limit", .flags = RI_OPTION_OPTIONAL),
};
static const RiOptionTable margin_table = RI_OPTION_TABLE("margin", RiPlanMarginDef, margin_rows);

static const RiOption response_rows[] = {
    RI_OPTION_WORD("name", RiResponse, name, NULL, "of the response"),
    RI_OPTION_WORD("when", RiResponse, when, NULL, "expression: it answers when this becomes true"),
    RI_OPTION_ONE_OF("do", RiResponse, kind, response_kinds, 0.0,
                     "safe: safe mode until `resume`; stop: ends the activity"),
    RI_OPTION_WORD("resume", RiResponse, resume, NULL, "expression: safe mode ends when this is true"),
};
static const RiOptionTable response_table = RI_OPTION_TABLE("response", RiResponse, response_rows);

// --- items ---------------------------------------------------------------------------------------

static RiStatus missing(const RiYamlNode *node, const char *key)
{
    return ri_yaml_error(node, RI_ERR_FORMAT, "key '%s' is missing", key);
}

static bool is_driving(unsigned kind)
{
    return kind == RI_ACTIVITY_DRIVE || kind == RI_ACTIVITY_ARC || kind == RI_ACTIVITY_TURN;
}

/// An activity that could never end, or whose window is empty.
static RiStatus check_activity(const RiActivity *a)
{
    const bool ends = is_driving(a->kind) || !isnan(a->duration) || !isnan(a->until_hour) || a->until ||
                      a->kind == RI_ACTIVITY_PASS || a->kind == RI_ACTIVITY_CHARGE;
    if (!ends)
        return ri_yaml_error(a->node, RI_ERR_FORMAT,
                             "activity '%.*s' never ends: give 'duration', 'until' or 'until_hour'", SHOWN, a->name);
    if (!isnan(a->at) && !isnan(a->before) && a->before < a->at)
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' may start from %g s until %g s: never", SHOWN,
                             a->name, a->at, a->before);
    if ((a->kind == RI_ACTIVITY_PASS || a->kind == RI_ACTIVITY_UPLINK) && !a->radio)
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' needs a 'radio'", SHOWN, a->name);
    if (!isnan(a->reply) && a->kind != RI_ACTIVITY_UPLINK)
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' asks nobody: only uplink has a 'reply'", SHOWN,
                             a->name);
    if (a->fidelity != RI_FIDELITY_AUTO && !is_driving(a->kind))
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' does not drive: it has no 'fidelity'", SHOWN,
                             a->name);
    if (a->fix_every > 0.0 && a->kind != RI_ACTIVITY_DRIVE)
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' is no drive to a goal: it has no 'fix_every'",
                             SHOWN, a->name);
    if (a->arm && a->kind != RI_ACTIVITY_ARM && a->kind != RI_ACTIVITY_DRILL)
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' uses no arm: only arm and drill do", SHOWN,
                             a->name);
    if (a->camera && a->kind != RI_ACTIVITY_IMAGE && a->kind != RI_ACTIVITY_PANORAMA)
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' uses no camera: only image and panorama do",
                             SHOWN, a->name);
    if (a->kind == RI_ACTIVITY_ARC && a->length == 0.0)
        return ri_yaml_error(a->node, RI_ERR_FORMAT, "activity '%.*s' needs a 'length' other than 0", SHOWN, a->name);
    return RI_OK;
}

static RiStatus read_activity(RiPlan *p, const RiYamlNode *node)
{
    static const RiOptionTable *const tables[] = {&ri_activity_option_table};
    RiActivity a = {.node = node};
    void *items = p->activities;
    if (p->activity_count >= RI_PLAN_ACTIVITIES)
        return ri_yaml_error(node, RI_ERR_LIMIT, "a plan has at most %d activities, repetitions included",
                             RI_PLAN_ACTIVITIES);
    RI_TRY(ri_template_grow(&p->t, &items, p->activity_count, &p->activity_room, sizeof a));
    p->activities = items;
    RI_TRY(ri_template_check_options(node, tables, 1));
    if (!ri_yaml_get(node, "do"))
        return missing(node, "do");
    ri_options_default(&ri_activity_option_table, &a);
    RI_TRY(ri_template_options(&p->t, node, &ri_activity_option_table, &a));
    if (!a.name)
        a.name = ri_activity_kind_name(a.kind);
    if (isnan(a.duration))
        a.duration = ri_activity_usual_duration(a.kind);
    RI_TRY(check_activity(&a));
    p->activities[p->activity_count++] = a;
    return RI_OK;
}

/// Activities and repetitions of them: `{repeat: 3, activities: [...]}`.
static RiStatus read_activities(RiPlan *p, const RiYamlNode *list, int depth)
{
    static const char *const keys[] = {"repeat", "activities"};
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        const RiYamlNode *times = ri_yaml_get(c, "repeat"), *inner;
        if (!times) {
            RI_TRY(read_activity(p, c));
            continue;
        }
        int count;
        RI_TRY(ri_yaml_check_keys(c, keys, 2));
        RI_TRY(ri_yaml_int(times, 1, RI_PLAN_ACTIVITIES, &count));
        RI_TRY(ri_yaml_require(c, "activities", RI_YAML_SEQUENCE, &inner));
        if (depth >= RI_PLAN_DEPTH)
            return ri_yaml_error(c, RI_ERR_LIMIT, "repetitions are nested deeper than %d", RI_PLAN_DEPTH);
        if (inner->count == 0)
            return ri_yaml_error(c, RI_ERR_FORMAT, "a repetition of nothing");
        for (int i = 0; i < count; i++)
            RI_TRY(read_activities(p, inner, depth + 1));
    }
    return RI_OK;
}

/// What an activity waits for must have come before it: else each would wait for the other, or for
/// itself.
static RiStatus check_after(const RiPlan *p, int index)
{
    const RiActivity *a = &p->activities[index];
    char name[RI_PLAN_NAME];
    for (const char *at = a->after; ri_plan_next_name(&at, name);) {
        int later = -1;
        bool found = false;
        for (int i = 0; i < p->activity_count; i++)
            if (strcmp(p->activities[i].name, name) == 0) {
                found |= i < index;
                later = i >= index ? i : later;
            }
        if (!found && later >= 0)
            return ri_yaml_error(a->node, RI_ERR_FORMAT,
                                 "activity '%.*s' comes after '%s', which is %s: a cycle, it would never begin", SHOWN,
                                 a->name, name, later == index ? "itself" : "later in the plan");
        if (!found)
            return ri_yaml_error(a->node, RI_ERR_NOT_FOUND, "activity '%.*s' comes after '%s', which does not exist",
                                 SHOWN, a->name, name);
    }
    return RI_OK;
}

/// Room for the items of a list; *out_list NULL where the plan has none.
static RiStatus begin_list(RiPlan *p, const char *key, size_t size, const RiYamlNode **out_list, void **out_items)
{
    const RiYamlNode *list = *out_list = ri_yaml_get(ri_yaml_root(p->t.documents[0]), key);
    *out_items = NULL;
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    *out_items = ri_arena_alloc(&p->t.arena, (size_t)list->count + 1, size);
    return *out_items ? RI_OK : ri_error_memory(p->ctx);
}

static RiStatus read_margins(RiPlan *p)
{
    static const RiOptionTable *const tables[] = {&margin_table};
    const RiYamlNode *list;
    void *items;
    RI_TRY(begin_list(p, "margins", sizeof *p->margins, &list, &items));
    p->margins = items;
    for (const RiYamlNode *c = list ? list->first : NULL; c; c = c->next) {
        RiPlanMarginDef *m = &p->margins[p->margin_count++];
        RI_TRY(ri_template_check_options(c, tables, 1));
        ri_options_default(&margin_table, m);
        RI_TRY(ri_template_options(&p->t, c, &margin_table, m));
        m->node = c;
        if (!m->value || !m->name)
            return missing(c, m->name ? "value" : "name");
        if (isnan(m->least) && isnan(m->most))
            return missing(c, "least");
        m->least = isnan(m->least) ? -INFINITY : m->least;
        m->most = isnan(m->most) ? INFINITY : m->most;
        if (!(m->least <= m->most))
            return ri_yaml_error(c, RI_ERR_FORMAT, "margin '%.*s': least %.9g is more than most %.9g", SHOWN, m->name,
                                 m->least, m->most);
    }
    return RI_OK;
}

static RiStatus read_responses(RiPlan *p)
{
    static const RiOptionTable *const tables[] = {&response_table};
    const RiYamlNode *list;
    void *items;
    RI_TRY(begin_list(p, "responses", sizeof *p->responses, &list, &items));
    p->responses = items;
    for (const RiYamlNode *c = list ? list->first : NULL; c; c = c->next) {
        RiResponse *r = &p->responses[p->response_count++];
        RI_TRY(ri_template_check_options(c, tables, 1));
        ri_options_default(&response_table, r);
        RI_TRY(ri_template_options(&p->t, c, &response_table, r));
        r->node = c;
        if (!r->when || !r->name)
            return missing(c, r->name ? "when" : "name");
    }
    return RI_OK;
}

static RiStatus read_faults(RiPlan *p)
{
    static const char *const keys[] = {"at", "set"};
    const RiYamlNode *list = ri_yaml_get(ri_yaml_root(p->t.documents[0]), "faults");
    int total = 0;
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        const RiYamlNode *set;
        RI_TRY(ri_yaml_check_keys(c, keys, 2));
        RI_TRY(ri_yaml_require(c, "set", RI_YAML_MAPPING, &set));
        total += set->count;
    }
    p->faults = ri_arena_alloc(&p->t.arena, (size_t)total + 1, sizeof *p->faults);
    if (!p->faults)
        return ri_error_memory(p->ctx);
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        double at = 0.0;
        RI_TRY(ri_yaml_get_number(c, "at", "s", &at));
        if (!(at >= 0.0))
            return ri_yaml_error(c, RI_ERR_FORMAT, "a fault at %g s: times start at 0", at);
        for (const RiYamlNode *v = ri_yaml_get(c, "set")->first; v; v = v->next) {
            RiPlanFault *f = &p->faults[p->fault_count++];
            *f = (RiPlanFault){.at = at, .name = v->key, .node = v};
            RI_TRY(ri_yaml_string(v, &f->value));
        }
    }
    for (int i = 1; i < p->fault_count; i++) // in order of time, first come first
        for (int k = i; k > 0 && p->faults[k].at < p->faults[k - 1].at; k--) {
            const RiPlanFault swap = p->faults[k];
            p->faults[k] = p->faults[k - 1];
            p->faults[k - 1] = swap;
        }
    return RI_OK;
}

static RiStatus read_settings(RiPlan *p)
{
    const RiYamlNode *map = ri_yaml_get(ri_yaml_root(p->t.documents[0]), "set");
    if (!map)
        return RI_OK;
    RI_TRY(ri_yaml_expect(map, RI_YAML_MAPPING));
    p->settings = ri_arena_alloc(&p->t.arena, (size_t)map->count + 1, sizeof *p->settings);
    if (!p->settings)
        return ri_error_memory(p->ctx);
    for (const RiYamlNode *c = map->first; c; c = c->next) {
        RiSetting *s = &p->settings[p->setting_count++];
        s->name = c->key;
        RI_TRY(ri_yaml_string(c, &s->value));
    }
    return RI_OK;
}

static RiStatus read_slips(RiPlan *p)
{
    const RiYamlNode *list = ri_yaml_get(ri_yaml_root(p->t.documents[0]), "slip");
    if (!list)
        return RI_OK;
    RI_TRY(ri_yaml_expect(list, RI_YAML_SEQUENCE));
    if (list->count > RI_PLAN_SLIPS)
        return ri_yaml_error(list, RI_ERR_LIMIT, "at most %d rows", RI_PLAN_SLIPS);
    for (const RiYamlNode *c = list->first; c; c = c->next) {
        double *row = p->slips[p->slip_count++];
        RI_TRY(ri_yaml_expect(c, RI_YAML_SEQUENCE));
        if (c->count != 2)
            return ri_yaml_error(c, RI_ERR_FORMAT, "a row is [slope, slip]");
        RI_TRY(ri_yaml_number(ri_yaml_at(c, 0), "rad", &row[0]));
        RI_TRY(ri_yaml_number(ri_yaml_at(c, 1), "", &row[1]));
        if (!(row[1] >= -1.0 && row[1] < 1.0) || (p->slip_count > 1 && !(row[0] > row[-2])))
            return ri_yaml_error(c, RI_ERR_FORMAT, "slopes must rise and slips be below 1");
    }
    return RI_OK;
}

static RiStatus read_plan(RiPlan *p)
{
    static const RiOptionTable *const tables[] = {&ri_plan_option_table};
    const RiYamlNode *root = ri_yaml_root(p->t.documents[0]), *list;
    RI_TRY(ri_template_check_options(root, tables, 1));
    ri_options_default(&ri_plan_option_table, p);
    RI_TRY(ri_template_options(&p->t, root, &ri_plan_option_table, p));
    if (!p->name || !p->scene)
        return missing(root, p->name ? "scene" : "plan");
    RI_TRY(ri_yaml_require(root, "activities", RI_YAML_SEQUENCE, &list));
    RI_TRY(read_activities(p, list, 0));
    if (p->activity_count == 0)
        return ri_yaml_error(list, RI_ERR_FORMAT, "a plan without activities");
    for (int i = 0; i < p->activity_count; i++)
        RI_TRY(check_after(p, i));
    RI_TRY(read_margins(p));
    RI_TRY(read_responses(p));
    RI_TRY(read_faults(p));
    RI_TRY(read_settings(p));
    RI_TRY(read_slips(p));
    if (p->map && (!p->map_loads || isnan(p->motor_efficiency)))
        return ri_yaml_error(ri_yaml_get(root, "map"), RI_ERR_FORMAT, "a plan with 'map' needs '%s', %s",
                             p->map_loads ? "motor_efficiency" : "map_loads",
                             p->map_loads ? "what gears give of what they take in"
                                          : "whose first load draws what the map says");
    if (p->path) {
        if (p->map)
            RI_TRY(ri_template_join(&p->t, p->path, p->map, &p->map));
        RI_TRY(ri_template_join(&p->t, p->path, p->scene, &p->scene));
        if (p->dynamic)
            RI_TRY(ri_template_join(&p->t, p->path, p->dynamic, &p->dynamic));
    }
    return RI_OK;
}

// --- life cycle ----------------------------------------------------------------------------------

RiStatus ri_plan_parse(RiContext *ctx, const char *path, const char *text, size_t size, RiPlan **out_plan)
{
    *out_plan = NULL;
    RiPlan *p = ri_alloc_zero(ctx, 1, sizeof *p);
    if (!p)
        return ri_error_memory(ctx);
    p->ctx = p->t.ctx = ctx;
    ri_arena_init(&p->t.arena, ctx);
    ri_names_init(&p->t.parameter_names, ctx);
    RiStatus status = ri_yaml_parse(ctx, path, text, size, NULL, &p->t.documents[0]);
    if (status == RI_OK) {
        p->t.document_count = 1;
        p->path = p->t.paths[0] = path ? ri_arena_string(&p->t.arena, path) : NULL;
        status = read_plan(p);
    }
    if (status != RI_OK) {
        ri_plan_destroy(p);
        return status;
    }
    *out_plan = p;
    return RI_OK;
}

RiStatus ri_plan_load(RiContext *ctx, const char *path, RiPlan **out_plan)
{
    *out_plan = NULL;
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, ri_yaml_limits_default().size, &text, &size));
    const RiStatus status = ri_plan_parse(ctx, path, text, size, out_plan);
    ri_release(ctx, text);
    return status;
}

void ri_plan_destroy(RiPlan *p)
{
    if (!p)
        return;
    RiContext *ctx = p->ctx;
    ri_release(ctx, p->activities);
    ri_yaml_destroy(p->t.documents[0]);
    ri_names_free(&p->t.parameter_names);
    ri_arena_free(&p->t.arena);
    ri_release(ctx, p);
}

const char *ri_plan_name(const RiPlan *plan)
{
    return plan->name;
}

const char *ri_plan_doc(const RiPlan *plan)
{
    return plan->doc ? plan->doc : "";
}

const char *ri_plan_scene(const RiPlan *plan)
{
    return plan->scene;
}

int ri_plan_activity_count(const RiPlan *plan)
{
    return plan->activity_count;
}

bool ri_plan_has_slips(const RiPlan *plan)
{
    return plan->slip_count > 0;
}

RiFidelity ri_plan_fidelity(const RiPlan *plan)
{
    return (RiFidelity)plan->fidelity;
}
