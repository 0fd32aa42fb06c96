// SPDX-License-Identifier: Apache-2.0
/// \file
/// Warm screws on ice within a run: temperatures, what melts under each touch, and the heat books.
///
///     touches, temperatures --(ri_melt_flow)--> melting speeds --> melt depths --> friction heat of the tick --> temperatures
///
/// Once a tick, after the motion. A touch keeps how much ice is gone under it; its elastic depth is
/// the depth of the edge less that. What its normal spring loses by melting is heat like friction.
/// All heat of a screw's contacts goes into the screw or into the ice; none is lost from the books:
///
///     friction = from_friction + (into the ice),   C (T - T_start) = from_friction + from_heater - to_ice - to_surroundings
///
/// Tests: tests/sim/test_melt.c. Theory: docs/theory/melt.md.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/names.h"
#include "sim/force/melt.h"

static bool has_thread(const RiContacts *c, const RiContactLink *x)
{
    for (int i = x->first; i < x->first + x->count; i++)
        if (c->features[i].lead_tan != 0.0)
            return true;
    return false;
}

/// A thread melts in where it is, so it must be an envelope: points on a thread that turns
/// leave their places.
static RiStatus check_features(const RiSim *s)
{
    const RiContacts *c = s->contacts;
    for (int i = 0; i < c->feature_count; i++) {
        const RiFeature *f = &c->features[i];
        if (f->lead_tan != 0.0 && f->kind != RI_FEATURE_CIRCLE)
            return ri_error(s->ctx, RI_ERR_ARGUMENT, "melt: it needs contact points: envelope, not thread");
        if (f->lead_tan != 0.0 && !(f->height > 0.0))
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "melt: screw '%s' has no core_radius below its radius: its thread has no height", f->name);
    }
    return RI_OK;
}

/// There must be something that melts, and something that melts it.
static RiStatus check_partners(const RiSim *s)
{
    const RiContacts *c = s->contacts;
    bool ice = false, screw = false;
    for (int g = 0; g < c->ground_count; g++)
        ice |= ri_glob_match(s->melting->given.ground, ri_terrain_material_name(c->terrain, g));
    for (int l = 0; l < c->link_count; l++)
        screw |= has_thread(c, &c->links[l]);
    if (!ice)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "melt: no material of the terrain matches ground '%s'",
                        s->melting->given.ground);
    return screw ? RI_OK : ri_error(s->ctx, RI_ERR_ARGUMENT, "melt: the robot has no screw");
}

RiStatus ri_sim_set_melt(RiSim *s, const RiMeltDef *def)
{
    const RiMeltDef used = def ? *def : ri_melt_default();
    if (s->built || !s->contacts)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "melt: it is set after the contacts and before ri_sim_build");
    RI_TRY(ri_method_require(s->ctx, s->options.method, RI_OFFERS_CONTACT_WORK, "melt: screws with friction heat",
                             "leave melt out instead"));
    RI_TRY(ri_melt_check(s->ctx, &used));
    s->melting = ri_arena_alloc(&s->arena, 1, sizeof *s->melting);
    if (!s->melting)
        return ri_error_memory(s->ctx);
    s->melting->given = used;
    s->melting->given.ground = ri_arena_string(&s->arena, used.ground ? used.ground : "ice");
    if (!s->melting->given.ground)
        return ri_error_memory(s->ctx);
    RI_TRY(check_features(s));
    RI_TRY(check_partners(s));
    return RI_OK;
}

static RiStatus add_screw(RiSim *s, int slot)
{
    const RiContactLink *x = &s->contacts->links[slot];
    const char *link = s->m->links[x->link].name;
    RiWarmScrew *screw = &s->melting->screws[s->melting->count];
    char name[512];
    *screw = (RiWarmScrew){.slot = slot, .effort = s->m->joints[s->m->bodies[x->body].joint].spec.effort};
    s->melting->screw_of[slot] = s->melting->count++;
    snprintf(name, sizeof name, "%.380s.embedded", link);
    return ri_sim_add_validity(s, name,
                               "the screw has melted in up to its shank, or its joint cannot turn it out of the ice: "
                               "the screw law is for minimal penetration",
                               &screw->flag);
}

static bool present(const RiSim *s)
{
    return s->melting != NULL;
}

static RiStatus prepare(RiSim *s)
{
    const RiContacts *c = s->contacts;
    s->melting->screws = ri_arena_alloc(&s->arena, (size_t)c->link_count + 1, sizeof *s->melting->screws);
    s->melting->screw_of = ri_arena_alloc(&s->arena, (size_t)c->link_count + 1, sizeof *s->melting->screw_of);
    s->melting->icy = ri_arena_alloc(&s->arena, (size_t)c->ground_count + 1, sizeof *s->melting->icy);
    s->melting->flow = ri_arena_alloc(&s->arena, (size_t)c->state_count + 1, sizeof *s->melting->flow);
    if (!s->melting->screws || !s->melting->screw_of || !s->melting->icy || !s->melting->flow)
        return ri_error_memory(s->ctx);
    for (int g = 0; g < c->ground_count; g++)
        s->melting->icy[g] = ri_glob_match(s->melting->given.ground, ri_terrain_material_name(c->terrain, g));
    for (int l = 0; l < c->link_count; l++) {
        s->melting->screw_of[l] = -1;
        if (has_thread(c, &c->links[l]))
            RI_TRY(add_screw(s, l));
    }
    return RI_OK;
}

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    RiMelting *x = s->melting;
    const size_t places = (size_t)s->contacts->state_count, screws = (size_t)x->count;
    switch (part) {
    case RI_BLOCK_MOVING:
        x->depth = ri_carve(block, at, places, sizeof *x->depth);
        x->speed = ri_carve(block, at, places, sizeof *x->speed);
        x->heat = ri_carve(block, at, screws, sizeof *x->heat);
        break;
    case RI_BLOCK_MEMORY:
        break;
    case RI_BLOCK_KEPT:
        x->def = ri_carve(block, at, 1, sizeof *x->def);
        x->heater = ri_carve(block, at, screws, sizeof *x->heater);
        break;
    }
}

static RiStatus build(RiSim *s)
{
    int count;
    const RiMeltField *fields = ri_melt_fields(&count);
    for (int i = 0; i < count; i++) // numbers alone: the block's hash knows no addresses
        *ri_melt_number(s->melting->def, &fields[i]) = ri_melt_get(&s->melting->given, &fields[i]);
    for (int i = 0; i < s->melting->count; i++)
        s->melting->heat[i].temperature = s->melting->def->start_temperature;
    return RI_OK;
}

// --- values --------------------------------------------------------------------------------------

static RiStatus add_value(RiSim *s, const char *owner, const char *what, const char *unit, const char *doc,
                          RiValueKind kind, double *at, double low, double high)
{
    char name[512];
    RiValue v = ri_value_default();
    snprintf(name, sizeof name, "%.380s.%.60s", owner, what);
    v.name = name, v.unit = unit, v.doc = doc, v.kind = kind, v.at = at;
    v.writable = kind != RI_VALUE_OUTPUT;
    v.low = low, v.high = high;
    return ri_values_add(s->values, &v);
}

static RiStatus name_screw(RiSim *s, int i)
{
    const char *link = s->m->links[s->contacts->links[s->melting->screws[i].slot].link].name;
    RiScrewHeat *x = &s->melting->heat[i];
    const struct {
        const char *name, *unit, *doc;
        double *at;
    } outputs[] = {
        {"embedded", "", "depth of the thread's edge in the ice over its height; 1: the shank touches", &x->embedded},
        {"melted_in", "m", "ice that is gone under the thread's edge", &x->melted_in},
        {"breakout", "N*m", "torque that it takes to turn the screw out of its grooves", &x->breakout},
        {"ice_power", "W", "heat conducted into the ice", &x->ice_power},
        {"friction_heat", "J", "heat made by the screw's contacts since start", &x->friction},
        {"heat_from_friction", "J", "part of it that the screw took since start", &x->from_friction},
        {"heat_from_heater", "J", "heat from motor and heater since start", &x->from_heater},
        {"heat_to_ice", "J", "heat conducted into the ice since start", &x->to_ice},
        {"heat_to_melt", "J", "part of it that melted ice", &x->to_melt},
        {"heat_to_surroundings", "J", "heat given to the surroundings since start", &x->to_surroundings}};
    RI_TRY(add_value(s, link, "temperature", "K", "temperature of the screw", RI_VALUE_STATE, &x->temperature, 0.0,
                     2000.0));
    RI_TRY(add_value(s, link, "heater", "W", "heat from motor and heater into the screw", RI_VALUE_INPUT,
                     &s->melting->heater[i], -INFINITY, INFINITY));
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        RI_TRY(add_value(s, link, outputs[k].name, outputs[k].unit, outputs[k].doc, RI_VALUE_OUTPUT, outputs[k].at,
                         -INFINITY, INFINITY));
    return RI_OK;
}

static RiStatus name_values(RiSim *s)
{
    int count;
    const RiMeltField *fields = ri_melt_fields(&count);
    for (int i = 0; i < count; i++)
        if (fields[i].at != offsetof(RiMeltDef, start_temperature)) // each screw's own temperature says it
            RI_TRY(add_value(s, "melt", fields[i].name, fields[i].unit, fields[i].doc, RI_VALUE_PARAMETER,
                             ri_melt_number(s->melting->def, &fields[i]), fields[i].low, fields[i].high));
    for (int i = 0; i < s->melting->count; i++)
        RI_TRY(name_screw(s, i));
    return RI_OK;
}

/// As it was set: numbers that named values change later are saved with the state.
static uint64_t fingerprint(const RiSim *s, uint64_t h)
{
    int count;
    const RiMeltField *fields = ri_melt_fields(&count);
    h = ri_hash_text(h, s->melting->given.ground);
    for (int i = 0; i < count; i++) {
        const double x = ri_melt_get(&s->melting->given, &fields[i]);
        h = ri_hash(h, &x, sizeof x);
    }
    return h;
}

/// Takes what has melted off the depths of touches.
static void find(RiSim *s)
{
    const RiMelting *x = s->melting;
    for (int i = 0; i < s->touches->ground_count; i++) {
        RiTouch *t = &s->touches->list[i];
        t->depth -= x->depth[t->place];
        t->recede = x->speed[t->place];
    }
}

/// Work of the touches of screws in this step.
static void account(RiSim *s, double h, RiSlopes by)
{
    const RiTouches *x = s->touches;
    (void)h, (void)by;
    for (int i = 0; i < x->ground_count; i++)
        if (s->melting->screw_of[x->list[i].slot] >= 0)
            s->melting->heat[s->melting->screw_of[x->list[i].slot]].work += x->work_done[i];
}

// --- a tick --------------------------------------------------------------------------------------

/// Whether a touch is that of a thread in ice.
static bool melts_at(const RiSim *s, const RiTouch *t)
{
    return s->contacts->features[t->feature].lead_tan != 0.0 && s->melting->icy[t->ground] && t->edge > 0.0;
}

static RiMeltThread thread_of(const RiSim *s, const RiTouch *t)
{
    const RiFeature *f = &s->contacts->features[t->feature];
    return (RiMeltThread){.radius = f->radius,
                          .height = f->height,
                          .edges = f->edges,
                          .span = f->span,
                          .depth = t->edge,
                          .force = ri_touch_pressed(t)};
}

/// Speed at which a touch moves over the ice, and the length of its groove: a screw that moves on
/// leaves what it has melted.
static double renewal(const RiSim *s, const RiTouch *t)
{
    const RiBodyMotion *m = &s->touches->work.motion[t->slot];
    const RiFeature *f = &s->contacts->features[t->feature];
    const RiVec3 centre = ri_sub(s->touches->work.centres[t->feature], m->origin);
    const RiVec3 v = ri_add(m->v, ri_cross(m->w, centre));
    const double along = ri_norm(ri_sub(v, ri_scale(ri_dot(v, t->normal), t->normal)));
    const double depth = fmin(t->edge, f->radius);
    return along / fmax(2.0 * sqrt((2.0 * f->radius - depth) * depth), s->melting->def->edge_width);
}

/// The touches of a screw's link: they are side by side, in order of links.
typedef struct Reach {
    int screw, first, end;
} Reach;

/// The touches of a screw that come after those of the ones before it.
static Reach reach_of(const RiSim *s, int screw, int from)
{
    const int slot = s->melting->screws[screw].slot;
    while (from < s->touches->ground_count && s->touches->list[from].slot < slot)
        from++;
    Reach r = {screw, from, from};
    while (r.end < s->touches->ground_count && s->touches->list[r.end].slot == slot)
        r.end++;
    return r;
}

/// Heat that a screw's touches would take [W], with all its touches' speeds in s->melting->flow.
typedef struct ScrewFlow {
    double melting, conduct, hold, deepest, melted;
} ScrewFlow;

/// What a screw's touches do, at the temperature it has.
static void find_flows(RiSim *s, Reach r, ScrewFlow *out)
{
    *out = (ScrewFlow){0};
    for (int i = r.first; i < r.end; i++) {
        const RiTouch *t = &s->touches->list[i];
        if (!melts_at(s, t))
            continue;
        const RiMeltThread x = thread_of(s, t);
        const RiFeature *f = &s->contacts->features[t->feature];
        const double lead = fabs(f->lead_tan);
        s->melting->flow[t->place] = ri_melt_flow(s->melting->def, &x, s->melting->heat[r.screw].temperature);
        out->melting += s->melting->flow[t->place].melting;
        out->conduct += s->melting->flow[t->place].conduct;
        out->hold += ri_melt_hold(s->melting->def, &x) * f->radius * lead / sqrt(1.0 + lead * lead);
        out->deepest = fmax(out->deepest, t->edge / f->height);
    }
}

/// Moves the melt depths of a screw's touches over a tick; `part` of what they would melt has its
/// heat. A groove that is being left does not grow; one that is deep already is not lifted out of.
static void deepen(RiSim *s, Reach r, double part, double h, ScrewFlow *flow)
{
    for (int i = r.first; i < r.end; i++) {
        RiTouch *t = &s->touches->list[i];
        if (!melts_at(s, t))
            continue;
        double *depth = &s->melting->depth[t->place];
        const double speed = part * s->melting->flow[t->place].speed;
        const double net = fmax(0.0, speed - renewal(s, t) * *depth);
        *depth = fmin(*depth + h * net, t->edge);
        s->melting->speed[t->place] = net;
        t->depth = t->edge - *depth;
        t->recede = net;
        flow->melted = fmax(flow->melted, *depth);
    }
}

/// What the springs of a screw's touches store.
static double stored_in(const RiSim *s, Reach r)
{
    double energy = 0.0;
    for (int i = r.first; i < r.end; i++)
        energy += ri_touch_energy(&s->touches->list[i], s->touches->deflection[s->touches->list[i].place]);
    return energy;
}

/// Temperature and heat books of a screw over a tick. `melting` is the power that melts.
static void warm(RiSim *s, Reach r, double melting, double conduct, double h)
{
    const RiMeltDef *d = s->melting->def;
    RiScrewHeat *x = &s->melting->heat[r.screw];
    const double stored = stored_in(s, r), made = -(x->work + stored - x->stored);
    const double taken = d->friction_share * made, heater = h * s->melting->heater[r.screw];
    double mean;
    // conduction into cold ice goes from the interface, which is never warmer than melting ice
    const bool wet = x->temperature > d->melting_temperature;
    const double dry = wet ? conduct * (d->melting_temperature - d->ice_temperature) : 0.0;
    const double power = taken / h + s->melting->heater[r.screw] - melting - dry;
    const double to_ice = wet ? 0.0 : conduct;
    x->temperature = ri_lump_temperature(x->temperature, d->heat_capacity, power, d->surroundings_conductance,
                                         d->surroundings_temperature, to_ice, d->ice_temperature, h, &mean);
    x->friction += made;
    x->from_friction += taken;
    x->from_heater += heater;
    x->ice_power = melting + dry + to_ice * (mean - d->ice_temperature);
    x->to_ice += h * x->ice_power;
    x->to_melt += h * melting;
    x->to_surroundings += h * d->surroundings_conductance * (mean - d->surroundings_temperature);
    x->work = 0.0;
    x->stored = stored;
}

static void melt_screw(RiSim *s, Reach r, double h)
{
    ScrewFlow flow;
    RiScrewHeat *x = &s->melting->heat[r.screw];
    find_flows(s, r, &flow);
    // no more than what brings the screw down to the melting point
    const double most =
        s->melting->def->heat_capacity * fmax(0.0, x->temperature - s->melting->def->melting_temperature) / h;
    const double part = flow.melting > most ? most / flow.melting : 1.0;
    deepen(s, r, part, h, &flow);
    warm(s, r, part * flow.melting, flow.conduct, h);
    x->embedded = flow.deepest;
    x->melted_in = flow.melted;
    x->breakout = flow.hold;
}

/// Melting, heat and temperatures over the tick that just ended, with touches of the new state:
/// before contacts are booked.
static void end_tick(RiSim *s)
{
    const size_t n = (size_t)s->contacts->state_count;
    memset(s->touches->pressed, 0, n * sizeof *s->touches->pressed);
    for (int i = 0; i < s->touches->ground_count; i++)
        s->touches->pressed[s->touches->list[i].place] |= s->touches->list[i].edge > 0.0;
    for (size_t k = 0; k < n; k++) // out of the ice a groove is forgotten
        if (!s->touches->pressed[k])
            s->melting->depth[k] = s->melting->speed[k] = 0.0;
    Reach r = {0};
    for (int i = 0; i < s->melting->count; i++) {
        r = reach_of(s, i, r.end);
        melt_screw(s, r, s->options.tick);
    }
}

/// Takes what the springs of the touches store now as their beginning.
static void rest(RiSim *s)
{
    Reach r = {0};
    for (int i = 0; i < s->melting->count; i++) {
        r = reach_of(s, i, r.end);
        s->melting->heat[i].stored = stored_in(s, r);
    }
}

/// Screws that are stuck in the ice.
static void check_validity(RiSim *s)
{
    for (int i = 0; i < s->melting->count; i++)
        if (s->melting->heat[i].embedded > 1.0 || s->melting->heat[i].breakout > s->melting->screws[i].effort)
            ri_sim_report_validity(s, s->melting->screws[i].flag);
}

const RiForceKind ri_force_melt = {
    .name = "melt",
    .present = present,
    .prepare = prepare,
    .lay_out = lay_out,
    .build = build,
    .name_values = name_values,
    .fingerprint = fingerprint,
    .find = find,
    .account = account,
    .end_tick = end_tick,
    .rest = rest,
    .check_validity = check_validity,
};
