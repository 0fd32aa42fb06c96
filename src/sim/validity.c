// SPDX-License-Identifier: Apache-2.0
/// \file
/// Validity: laws say when they run outside of what they were made for.
///
///     ri_sim_add_validity (until build) --> flag --(ri_sim_report_validity, by the law)--> raised --(end of tick)--> first time, count
///
/// A report raises a flag for the tick at hand; at its end raised flags are counted and lowered.
/// The counts are the named values `validity.*` and part of the state, so a resumed run goes on
/// counting. A report costs one store. What is evaluated at states that are never accepted (stages,
/// trial steps) is not heard: RiSim.trial. Tests: tests/sim/test_validity.c.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sim/devices.h"

typedef struct RiValiditySlot {
    const char *name, *text;
} RiValiditySlot;

/// A validity flag in the state block.
typedef struct RiValidityState {
    double first_time; // end of the first tick in which it was raised [s]
    int count;         // ticks in which it was raised
    int raised;        // in this tick
} RiValidityState;

struct RiValiditySet {
    RiValiditySlot *slots;
    int count, room;
    bool raised;            // any flag, in this tick
    RiValidityState *state; // [count] in the state block
};

RiStatus ri_validity_create(RiSim *s)
{
    s->validity = ri_arena_alloc(&s->arena, 1, sizeof *s->validity);
    return s->validity ? RI_OK : ri_error_memory(s->ctx);
}

void ri_validity_destroy(RiSim *s)
{
    if (s->validity)
        ri_release(s->ctx, s->validity->slots);
}

void ri_validity_lay_out(RiSim *s, char *block, size_t *at)
{
    s->validity->state = ri_carve(block, at, (size_t)s->validity->count, sizeof *s->validity->state);
}

RiStatus ri_validity_name(RiSim *s)
{
    const RiValiditySet *x = s->validity;
    for (int i = 0; i < x->count; i++)
        RI_TRY(ri_sim_name_value(s, "validity", x->slots[i].name, "", x->slots[i].text, RI_VALUE_OUTPUT,
                                 &x->state[i].count, RI_VALUE_INT, false));
    return RI_OK;
}

bool ri_validity_is_sound(const RiSim *s, const RiSimHead *head, const char *block)
{
    const size_t at = (size_t)((const char *)s->validity->state - (const char *)s->block);
    const RiValidityState *x = (const RiValidityState *)(const void *)(block + at);
    bool good = head->violations >= 0 && head->violations <= s->validity->count;
    for (int i = 0; i < s->validity->count; i++)
        good = good && x[i].count >= 0 && (x[i].raised == 0 || x[i].raised == 1);
    return good;
}

uint64_t ri_validity_fingerprint(const RiSim *s, uint64_t h)
{
    for (int i = 0; i < s->validity->count; i++)
        h = ri_hash_text(h, s->validity->slots[i].name);
    return h;
}

RiStatus ri_sim_add_validity(RiSim *s, const char *name, const char *text, int *out_flag)
{
    *out_flag = -1;
    RI_SIM_GROW(s, s->validity->slots, s->validity->count, s->validity->room);
    RiValiditySlot slot = {0};
    RI_TRY(ri_sim_copy_text(s, name, &slot.name));
    RI_TRY(ri_sim_copy_text(s, text, &slot.text));
    *out_flag = s->validity->count;
    s->validity->slots[s->validity->count++] = slot;
    return RI_OK;
}

RiStatus ri_sim_add_flag(RiSim *s, const char *owner, const char *what, const char *text, int *out_flag)
{
    char name[512];
    snprintf(name, sizeof name, "%.380s.%.100s", owner, what);
    return ri_sim_add_validity(s, name, text, out_flag);
}

void ri_sim_report_validity(RiSim *s, int flag)
{
    if (flag < 0 || s->trial)
        return;
    RI_ASSERT(flag < s->validity->count);
    s->validity->state[flag].raised = 1;
    s->validity->raised = true;
}

void ri_sim_check_validity(RiSim *s)
{
    RI_FORCES(&s->present, check_validity, s);
    ri_devices_check_validity(s);
    for (int i = 0; i < s->validity->count && s->validity->raised; i++) {
        RiValidityState *x = &s->validity->state[i];
        if (!x->raised)
            continue;
        if (x->count == 0) {
            x->first_time = s->head->time;
            s->head->violations++;
        }
        x->count += x->count < INT_MAX;
        x->raised = 0;
    }
    s->kept_changed |= s->validity->raised;
    s->validity->raised = false;
}

int ri_sim_violations(const RiSim *s)
{
    return s->head ? (int)s->head->violations : 0;
}

int ri_sim_validity_count(const RiSim *s)
{
    return s->validity->count;
}

RiValidity ri_sim_validity(const RiSim *s, int index)
{
    const RiValiditySlot *slot = &s->validity->slots[index];
    const RiValidityState *x = s->validity->state ? &s->validity->state[index] : NULL;
    return (RiValidity){slot->name, slot->text, x ? x->first_time : 0.0, x ? x->count : 0};
}
