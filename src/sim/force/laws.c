// SPDX-License-Identifier: Apache-2.0
/// \file
/// The laws of contact pairs as a run has them: numbers in the state block that named values reach,
/// and when laws are left: threads of screws, wheels on soil of one contact point.
///
///     RiContacts.pairs --(build)--> RiSim.pairs <--> `contact.screw_ice.friction`, set by --set, commands, links
///
/// What is set from outside counts from the next tick on; it is saved, hashed and brought back with
/// the state. Tests: tests/sim/test_pairs.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sim/force/touches.h"

/// The run's own numbers of all pairs. Only numbers are in the state block: its hash tells
/// nothing but what acts.
RiStatus ri_laws_take(RiSim *s)
{
    const RiContacts *c = s->contacts;
    RiTouches *x = s->touches;
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    for (int i = 0; i < s->contacts->pair_count; i++) {
        s->touches->laws[i].law = s->contacts->pairs[i].law;
        for (int k = 0; k < count; k++)
            *ri_pair_number(&s->touches->laws[i], &fields[k]) = ri_pair_get(&s->contacts->pairs[i], &fields[k]);
    }
    if (!c->uses)
        return RI_OK;
    if (!(x->uses = ri_arena_alloc(&s->arena, (size_t)c->given + 1, sizeof *x->uses)))
        return ri_error_memory(s->ctx);
    for (int i = 0; i <= c->given; i++) {
        double *own = x->numbers + (size_t)i * RI_PLUGIN_OPTIONS;
        x->uses[i] = (RiLawUse){c->uses[i].plugin, own};
        for (int k = 0; c->uses[i].plugin && k < c->uses[i].plugin->option_count; k++)
            own[k] = c->uses[i].numbers[k];
    }
    return RI_OK;
}

RiStatus ri_laws_check(RiSim *s)
{
    for (int i = 0; i < s->contacts->pair_count; i++) {
        RiPairDef p = s->touches->laws[i];
        p.robot = s->contacts->pairs[i].robot;
        p.ground = s->contacts->pairs[i].ground;
        p.source = s->contacts->pairs[i].source;
        RI_TRY(ri_pair_check(s->ctx, &p));
        if (p.adhesion > 0.0 && (s->options.method != RI_METHOD_MOREAU || s->options.events > 0.0))
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "%s:%d: adhesion is %g N: only integrator moreau without 'events' holds contacts by it",
                            p.source.file ? p.source.file : "contact", p.source.line, p.adhesion);
        const RiLawUse *use = ri_contacts_use(s->contacts, s->touches->uses, i);
        if (p.law == RI_LAW_PLUGIN)
            RI_TRY(ri_contact_plugin_check(s->ctx, use->plugin, use->numbers));
    }
    return RI_OK;
}

/// Whether any feature may meet a ground, or any two hulls each other, by this pair.
static bool is_used(const RiContacts *c, int pair)
{
    for (int i = 0; i < c->feature_count * c->ground_count; i++)
        if (c->pair_of[i] == pair)
            return true;
    for (int i = 0; c->law_of && i < c->solid_count * c->solid_count; i++)
        if (c->law_of[i] == pair)
            return true;
    return false;
}

/// Whether a run may change a number: whether a pair has a stick deflection or an engagement at all
/// is a choice of kind, which a run keeps.
static bool is_open(const RiPairDef *p, const RiPairField *f, double *low)
{
    const bool stick = f->at == offsetof(RiPairDef, stick_stiffness) || f->at == offsetof(RiPairDef, stick_damping);
    const bool thread = f->at == offsetof(RiPairDef, engagement) || f->at == offsetof(RiPairDef, edge_width);
    *low = stick || thread ? RI_ABOVE_ZERO : f->low;
    return (!stick || p->stick_stiffness > 0.0) && (!thread || ri_pair_get(p, f) > 0.0);
}

/// The options of a plugin's law: `contact.PAIR.OPTION`. Variants of a pair by friction share them.
static RiStatus name_options(RiSim *s, int pair, const char *owner)
{
    const RiContacts *c = s->contacts;
    const RiLawUse *use = ri_contacts_use(c, s->touches->uses, pair);
    char name[2 * RI_PAIR_NAME];
    if (c->pairs[pair].law != RI_LAW_PLUGIN)
        return RI_OK;
    for (int i = 0; i < pair; i++)
        if (c->origins[i].given == c->origins[pair].given && is_used(c, i))
            return RI_OK;
    for (int k = 0; k < use->plugin->option_count; k++) {
        const RiPluginOption *o = &use->plugin->options[k];
        RiValue v = ri_value_default();
        snprintf(name, sizeof name, "contact.%s.%s", owner, o->name);
        v.name = name;
        v.unit = o->unit;
        v.doc = o->doc;
        v.at = s->touches->numbers + (size_t)c->origins[pair].given * RI_PLUGIN_OPTIONS + k;
        v.low = o->low;
        v.high = o->high;
        v.writable = true;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}

/// The numbers of a pair that its law reads: `contact.PAIR.friction`.
static RiStatus name_pair(RiSim *s, int pair)
{
    const RiContacts *c = s->contacts;
    RiPairDef *p = &s->touches->laws[pair];
    char owner[RI_PAIR_NAME], name[2 * RI_PAIR_NAME];
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    ri_pair_name(c->pairs, pair, owner, sizeof owner);
    for (int k = 0; k < count; k++) {
        const RiPairField *f = &fields[k];
        if (!(f->laws & 1u << p->law))
            continue;
        RiValue v = ri_value_default();
        snprintf(name, sizeof name, "contact.%s.%s", owner, f->name);
        v.name = name;
        v.unit = f->unit;
        v.doc = f->doc;
        v.at = ri_pair_number(p, f);
        v.high = f->high;
        v.writable = is_open(p, f, &v.low);
        RI_TRY(ri_values_add(s->values, &v));
    }
    return name_options(s, pair, owner);
}

RiStatus ri_laws_name(RiSim *s)
{
    for (int i = 0; i < s->contacts->pair_count; i++)
        if (is_used(s->contacts, i))
            RI_TRY(name_pair(s, i));
    return RI_OK;
}

/// As they were given: numbers that named values change later are saved with the state.
uint64_t ri_laws_fingerprint(const RiContacts *c, uint64_t h)
{
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    for (int i = 0; i < c->pair_count; i++) {
        const RiPairDef *p = &c->pairs[i];
        h = ri_hash_mix(h, (uint64_t)p->law);
        for (int k = 0; k < count; k++) {
            const double x = ri_pair_get(p, &fields[k]);
            h = ri_hash(h, &x, sizeof x);
        }
    }
    for (int i = 0; c->uses && i < c->given; i++)
        if (c->pairs[i].law == RI_LAW_PLUGIN) {
            h = ri_hash(h, c->uses[i].plugin->name, strlen(c->uses[i].plugin->name));
            h = ri_hash(h, c->uses[i].numbers, (size_t)c->uses[i].plugin->option_count * sizeof *c->uses[i].numbers);
        }
    h = ri_hash(h, c->pair_of, (size_t)(c->feature_count * c->ground_count) * sizeof *c->pair_of);
    return c->law_of ? ri_hash(h, c->law_of, (size_t)(c->solid_count * c->solid_count) * sizeof *c->law_of) : h;
}

// --- threads -------------------------------------------------------------------------------------

/// Registers the flags of one link whose thread meets the ground by a pair that knows how wide or
/// how deep it is.
static RiStatus watch_link(RiSim *s, int slot)
{
    const RiContacts *c = s->contacts;
    const RiContactLink *x = &c->links[slot];
    RiThreadWatch *w = &s->touches->threads[slot];
    bool wide = false, deep = false;
    for (int i = x->first; i < x->first + x->count; i++)
        for (int g = 0; g < c->ground_count; g++) {
            const RiPairDef *p = ri_contacts_pair(c, i, g);
            const bool thread = ri_laws[p->law].threads && c->features[i].lead_tan != 0.0;
            wide |= thread && p->edge_width > 0.0;
            deep |= thread && p->engagement > 0.0;
        }
    char name[512];
    snprintf(name, sizeof name, "%.380s.blunt", s->m->links[x->link].name);
    if (wide)
        RI_TRY(ri_sim_add_validity(
            s, name, "the thread's edge is less deep in the ground than it is wide: the screw law is for sharp edges",
            &w->blunt));
    snprintf(name, sizeof name, "%.380s.shank", s->m->links[x->link].name);
    if (deep)
        RI_TRY(ri_sim_add_validity(
            s, name,
            "the thread is in the ground over all its height: the shank touches, which the screw law was not fitted to",
            &w->shank));
    s->touches->watch_threads |= wide || deep;
    return RI_OK;
}

static RiStatus watch_threads(RiSim *s)
{
    s->touches->threads = ri_arena_alloc(&s->arena, (size_t)s->contacts->link_count + 1, sizeof *s->touches->threads);
    if (!s->touches->threads)
        return ri_error_memory(s->ctx);
    for (int l = 0; l < s->contacts->link_count; l++) {
        s->touches->threads[l] = (RiThreadWatch){-1, -1};
        RI_TRY(watch_link(s, l));
    }
    return RI_OK;
}

static void check_threads(RiSim *s)
{
    for (int i = 0; s->touches->watch_threads && i < s->touches->ground_count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const RiThreadWatch *w = &s->touches->threads[t->slot];
        if (t->depth <= 0.0 || !ri_laws[t->pair->law].threads || s->contacts->features[t->feature].lead_tan == 0.0)
            continue;
        if (t->edge < t->pair->edge_width)
            ri_sim_report_validity(s, w->blunt);
        if (t->pair->engagement > 0.0 && t->edge > t->height)
            ri_sim_report_validity(s, w->shank);
    }
}

// --- wheels on soil, one contact point each ------------------------------------------------------

/// Slip up to which the law was compared with measured ones: FIDO on the tilt table, 10 to 60 %.
static const double MOST_SLIP = 0.6;
/// Speed of hub or rim below which slip is that of starting and stopping [m/s].
static const double LEAST_ROLLING = 0.01;
/// Sinkage over the wheel's radius from which on its geometry, which stays on the surface, is
/// wrong.
static const double MOST_SINKAGE = 0.5;

static bool has_rolling(const RiContacts *c)
{
    for (int i = 0; i < c->feature_count * c->ground_count; i++)
        if (ri_laws[c->pairs[c->pair_of[i]].law].rolls)
            return true;
    return false;
}

static RiStatus watch_rolling(RiSim *s)
{
    RiTouches *x = s->touches;
    x->watch_rolling = has_rolling(s->contacts);
    if (!x->watch_rolling)
        return RI_OK;
    RI_TRY(ri_sim_add_validity(s, "contact.terzaghi_slope",
                               "under a wheel of law terzaghi the ground is steeper than the soil's friction angle: "
                               "no soil is stable at this slope, and nothing holds the wheel on it",
                               &x->rolling.slope));
    RI_TRY(ri_sim_add_validity(s, "contact.terzaghi_slip",
                               "a wheel of law terzaghi slips by more than 0.6, beyond what the law was compared with",
                               &x->rolling.slip));
    return ri_sim_add_validity(s, "contact.terzaghi_sinkage",
                               "a wheel of law terzaghi sinks deeper than half its radius: the law's geometry stays on "
                               "the surface",
                               &x->rolling.sinkage);
}

static void check_rolling(RiSim *s)
{
    RiTouches *x = s->touches;
    for (int i = 0; x->watch_rolling && i < x->info_count; i++) {
        const RiTouch *t = &x->list[x->info_of[i]];
        const RiTouchInfo *info = &x->info[i];
        if (!t->roll.soil)
            continue;
        const double up = ri_dot(t->normal, s->contacts->up), tan_phi = t->roll.soil->tan_phi;
        if (up * up * (1.0 + tan_phi * tan_phi) < 1.0 || up < 0.0) // cos(slope) < cos(phi)
            ri_sim_report_validity(s, x->rolling.slope);
        if (fabs(info->slip_ratio) > MOST_SLIP && t->roll.renewed > LEAST_ROLLING)
            ri_sim_report_validity(s, x->rolling.slip);
        if (info->sinkage > MOST_SINKAGE * t->roll.radius)
            ri_sim_report_validity(s, x->rolling.sinkage);
    }
}

RiStatus ri_laws_watch(RiSim *s)
{
    RI_TRY(watch_threads(s));
    return watch_rolling(s);
}

void ri_laws_check_validity(RiSim *s)
{
    check_threads(s);
    check_rolling(s);
}
