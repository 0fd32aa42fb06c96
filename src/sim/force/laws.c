// SPDX-License-Identifier: Apache-2.0
/// \file
/// The laws of contact pairs as a run has them: numbers in the state block that named values reach,
/// and what screws report about their threads.
///
///     RiContacts.pairs --(build)--> RiSim.pairs <--> `contact.screw_ice.friction`, set by --set, commands, links
///
/// What is set from outside counts from the next tick on; it is saved, hashed and brought back with
/// the state. Tests: tests/sim/test_pairs.c.
#include <stdio.h>

#include "base/hash.h"
#include "sim/force/touches.h"

/// The run's own numbers of all pairs. Only numbers stand in the state block: its hash tells
/// nothing but what acts.
void ri_laws_take(RiSim *s)
{
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    for (int i = 0; i < s->contacts->pair_count; i++) {
        s->touches->laws[i].law = s->contacts->pairs[i].law;
        for (int k = 0; k < count; k++)
            *ri_pair_number(&s->touches->laws[i], &fields[k]) = ri_pair_get(&s->contacts->pairs[i], &fields[k]);
    }
}

RiStatus ri_laws_check(RiSim *s)
{
    for (int i = 0; i < s->contacts->pair_count; i++) {
        RiPairDef p = s->touches->laws[i];
        p.robot = s->contacts->pairs[i].robot;
        p.ground = s->contacts->pairs[i].ground;
        p.source = s->contacts->pairs[i].source;
        RI_TRY(ri_pair_check(s->ctx, &p));
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

/// The numbers of a pair that its law reads: `contact.PAIR.friction`.
static RiStatus name_pair(RiSim *s, int pair)
{
    const RiContacts *c = s->contacts;
    RiPairDef *p = &s->touches->laws[pair];
    char owner[RI_PAIR_NAME], name[2 * RI_PAIR_NAME];
    int count;
    const RiPairField *fields = ri_pair_fields(&count);
    ri_pair_name(c->pairs, c->pair_count, pair, owner, sizeof owner);
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
    return RI_OK;
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
            const bool thread = p->law == RI_LAW_SCREW && c->features[i].lead_tan != 0.0;
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

RiStatus ri_laws_watch_threads(RiSim *s)
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

void ri_laws_check_threads(RiSim *s)
{
    for (int i = 0; s->touches->watch_threads && i < s->touches->ground_count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const RiThreadWatch *w = &s->touches->threads[t->slot];
        if (t->depth <= 0.0 || t->pair->law != RI_LAW_SCREW || s->contacts->features[t->feature].lead_tan == 0.0)
            continue;
        if (t->edge < t->pair->edge_width)
            ri_sim_report_validity(s, w->blunt);
        if (t->pair->engagement > 0.0 && t->edge > t->height)
            ri_sim_report_validity(s, w->shank);
    }
}
