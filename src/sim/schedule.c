// SPDX-License-Identifier: Apache-2.0
/// \file
/// Commands at given times, and stop conditions. Tests: tests/sim/test_sim.c,
/// tests/sim/test_roots.c.
#include <stdio.h>
#include <string.h>

#include "sim/schedule.h"

RiStatus ri_schedule_create(RiSim *s)
{
    s->schedule = ri_arena_alloc(&s->arena, 1, sizeof *s->schedule);
    return s->schedule ? RI_OK : ri_error_memory(s->ctx);
}

void ri_schedule_destroy(RiSim *s)
{
    if (!s->schedule)
        return;
    ri_release(s->ctx, s->schedule->commands);
    ri_release(s->ctx, s->schedule->stops);
}

static RiStatus copy_source(RiSim *s, RiSource source, RiSource *out)
{
    out->line = source.line;
    return ri_sim_copy_text(s, source.file, &out->file);
}

RiStatus ri_sim_add_command(RiSim *s, double time, const char *name, const char *text, RiSource source)
{
    if (!(time >= 0.0) || !isfinite(time))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "command on '%s' at time %g s: times start at 0", name, time);
    RI_SIM_GROW(s, s->schedule->commands, s->schedule->command_count, s->schedule->command_room);
    RiCommandSlot slot = {.time = time, .value = -1};
    RI_TRY(ri_sim_copy_text(s, name, &slot.name));
    RI_TRY(ri_sim_copy_text(s, text, &slot.text));
    RI_TRY(copy_source(s, source, &slot.source));
    int at = s->schedule->command_count++;
    for (; at > 0 && s->schedule->commands[at - 1].time > time; at--) // kept in order of time, first come first
        s->schedule->commands[at] = s->schedule->commands[at - 1];
    s->schedule->commands[at] = slot;
    return RI_OK;
}

RiStatus ri_sim_add_stop(RiSim *s, const char *text, RiSource source)
{
    RI_SIM_GROW(s, s->schedule->stops, s->schedule->stop_count, s->schedule->stop_room);
    RiStopSlot slot = {0};
    RI_TRY(ri_sim_copy_text(s, text, &slot.text));
    RI_TRY(copy_source(s, source, &slot.source));
    s->schedule->stops[s->schedule->stop_count++] = slot;
    return RI_OK;
}

static const char *where(RiSource source, char *text, size_t size)
{
    text[0] = '\0';
    if (source.file)
        snprintf(text, size, "%s:%d: ", source.file, source.line);
    return text;
}

/// Reads the text of a command once. Commands that come again and again have equal texts: an earlier
/// one's formula is used, if it is not far away. A text that cannot be read now is read when its
/// time comes, and refused then.
static RiStatus read_command(RiSim *s, int i)
{
    enum { NEAR = 256, MOST = 4096 };
    RiSchedule *x = s->schedule;
    RiCommandSlot *c = &x->commands[i];
    for (int k = i - 1; k >= 0 && k >= i - NEAR && !c->formula; k--)
        if (x->commands[k].value == c->value && strcmp(x->commands[k].text, c->text) == 0)
            c->formula = x->commands[k].formula;
    if (c->formula || x->formula_count == MOST)
        return RI_OK;
    const RiStatus status = ri_values_compile(s->values, c->text, &c->formula);
    x->formula_count += status == RI_OK;
    if (status == RI_ERR_MEMORY)
        return status;
    if (status != RI_OK)
        ri_context_clear(s->ctx);
    return RI_OK;
}

RiStatus ri_schedule_start(RiSim *s)
{
    char at[512];
    for (int i = 0; i < s->schedule->command_count; i++) {
        RiCommandSlot *c = &s->schedule->commands[i];
        c->value = ri_values_find(s->values, c->name);
        if (c->value < 0 || !ri_values_get(s->values, c->value)->writable) {
            const char *state = c->value < 0 ? "does not exist" : "cannot be set";
            return ri_error(s->ctx, RI_ERR_NOT_FOUND, "%scommand at %g s: value '%s' %s",
                            where(c->source, at, sizeof at), c->time, c->name, state);
        }
        RI_TRY(read_command(s, i));
    }
    double x;
    for (int i = 0; i < s->schedule->stop_count; i++) {
        RiStopSlot *stop = &s->schedule->stops[i];
        RiStatus status = stop->formula ? RI_OK : ri_values_compile(s->values, stop->text, &stop->formula);
        if (status == RI_OK)
            status = ri_formula_eval(stop->formula, &x);
        if (status == RI_OK)
            continue;
        if (status == RI_ERR_MEMORY)
            return status;
        char message[1024];
        snprintf(message, sizeof message, "%s", ri_context_message(s->ctx));
        return ri_error(s->ctx, RI_ERR_FORMAT, "%sstop condition: %s",
                        where(s->schedule->stops[i].source, at, sizeof at), message);
    }
    return RI_OK;
}

bool ri_schedule_is_due(const RiSim *s)
{
    return s->head->next_command < s->schedule->command_count &&
           s->schedule->commands[s->head->next_command].time <= s->head->time + 1e-9 * s->options.tick;
}

double ri_schedule_next(const RiSim *s)
{
    return s->head->next_command < s->schedule->command_count ? s->schedule->commands[s->head->next_command].time
                                                              : INFINITY;
}

RiStatus ri_schedule_run(RiSim *s)
{
    while (ri_schedule_is_due(s)) {
        const RiCommandSlot *c = &s->schedule->commands[s->head->next_command];
        RI_TRY(c->formula ? ri_values_set_by(s->values, c->value, c->formula)
                          : ri_values_set(s->values, c->name, c->text));
        s->head->next_command++;
    }
    return RI_OK;
}

RiStatus ri_schedule_look(RiSim *s)
{
    for (int i = 0; i < s->schedule->stop_count && !s->head->stopped; i++) {
        double x;
        RI_TRY(ri_formula_eval(s->schedule->stops[i].formula, &x));
        if (x != 0.0)
            s->head->stopped = 1 + i;
    }
    if (!s->head->stopped && ri_sim_left_terrain(s))
        s->head->stopped = 1 + s->schedule->stop_count;
    return RI_OK;
}
