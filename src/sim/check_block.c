// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a state that comes from a file can be gone on from. Its checksum may be right and its
/// numbers made by hand: an index beyond its table, a counter that overflows, a coordinate that is
/// not finite.
///
/// What the table of named values says is asked of every value in the block, so that a new part
/// needs no line here: states, inputs and parameters must be finite and within their limits, and a
/// parameter that cannot be written as the scene set it. Devices with a `check_state` add what
/// limits cannot say. Outputs may be NaN.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sim/devices.h"
#include "sim/schedule.h"

enum { MOST_TIME = 1 << 30 }; ///< [s], 34 years

/// Clock, commands and stop conditions.
static RiStatus check_head(const RiSim *s, const RiSimHead *head)
{
    const double most = MOST_TIME / s->options.tick;
    const bool in_time = head->tick >= 0 && (double)head->tick <= most && head->time >= 0.0 && head->time <= MOST_TIME;
    const double ticks = head->time / s->options.tick - (double)head->tick; // 0, or a part of the next one (cvode)
    if (in_time && !(ticks >= -1e-6 && ticks < 1.0))
        return ri_error(s->ctx, RI_ERR_MODEL, "its time is not within its tick");
    const bool in_lists = head->next_command >= 0 && head->next_command <= s->schedule->command_count &&
                          head->stopped >= 0 && head->stopped <= s->schedule->stop_count + (s->terrain != NULL);
    if (in_time && in_lists)
        return RI_OK;
    return ri_error(s->ctx, RI_ERR_MODEL, "it is beyond %s", in_time ? "its commands or stop conditions" : "its time");
}

/// Counters: updates of devices, ticks in which a law left its assumptions.
static RiStatus check_counters(const RiSim *s, const char *block)
{
    const double most = MOST_TIME / s->options.tick;
    const long long *updates =
        (const long long *)(const void *)(block + ((const char *)s->devices->updates - (const char *)s->block));
    bool good = ri_validity_is_sound(s, (const RiSimHead *)(const void *)block, block);
    for (int i = 0; i < s->devices->count; i++)
        good = good && updates[i] >= 0 && (double)updates[i] <= most;
    return good ? RI_OK : ri_error(s->ctx, RI_ERR_MODEL, "a counter is out of its range");
}

static RiStatus check_coordinates(const RiSim *s, const double *x, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return ri_error(s->ctx, RI_ERR_MODEL, "%s %d is not finite", what, i);
    return RI_OK;
}

/// A value's number in a copy of the block.
static double number_in(const RiSim *s, const RiValue *v, const char *block)
{
    const char *at = block + ((const char *)v->at - (const char *)s->block);
    double x;
    int i;
    bool b;
    switch (v->type) {
    case RI_VALUE_REAL:
        memcpy(&x, at, sizeof x);
        return x;
    case RI_VALUE_INT:
        memcpy(&i, at, sizeof i);
        return i;
    case RI_VALUE_BOOL:
        memcpy(&b, at, sizeof b);
        return b;
    }
    return NAN;
}

static RiStatus check_values(const RiSim *s, const char *block)
{
    for (int i = 0; i < ri_values_count(s->values); i++) {
        const RiValue *v = ri_values_get(s->values, i);
        const char *at = v->at, *start = (const char *)s->block;
        if (at < start || at >= start + s->block_size || v->kind == RI_VALUE_OUTPUT)
            continue;
        const double x = number_in(s, v, block);
        if (x == number_in(s, v, start))
            continue; // as the scene set it: a default may be outside of what may be written
        if (v->kind == RI_VALUE_PARAMETER && !v->writable)
            return ri_error(s->ctx, RI_ERR_MODEL, "value '%s': %.9g is not what the scene says", v->name, x);
        if (!isfinite(x) || x < v->low || x > v->high)
            return ri_error(s->ctx, RI_ERR_MODEL, "value '%s': %.9g is not a number from %.9g to %.9g", v->name, x,
                            v->low, v->high);
    }
    return RI_OK;
}

static RiStatus check_devices(const RiSim *s, char *block)
{
    double *ports = (double *)(void *)(block + ((const char *)s->devices->ports - (const char *)s->block));
    char *memory = s->devices->memory ? block + (s->devices->memory - (const char *)s->block) : NULL;
    for (int i = 0; i < s->devices->count; i++) {
        const RiDeviceSlot *slot = &s->devices->slots[i];
        const RiDeviceClass *device = slot->device;
        if (device->abi < 5 || !device->check_state)
            continue;
        double *x = ports + slot->port;
        const RiDeviceCall call = {.x = x,
                                   .commands = (RiGroupCommand *)(void *)(x + device->port_count),
                                   .joint_count = slot->group_count,
                                   .table = slot->table,
                                   .table_rows = slot->table_rows,
                                   .table_columns = slot->table_columns,
                                   .name = slot->name,
                                   .user = device->abi >= 6 ? device->user : NULL,
                                   .memory = slot->memory_size > 0 ? memory + slot->memory : NULL};
        const char *wrong = device->check_state(&call);
        if (wrong)
            return ri_error(s->ctx, RI_ERR_MODEL, "device '%s' (%s): %s", slot->name, device->name, wrong);
    }
    return RI_OK;
}

static RiStatus check_parts(const RiSim *s, char *block)
{
    RI_TRY(check_head(s, (const RiSimHead *)(const void *)block));
    const double *q = (const double *)(const void *)(block + ((const char *)s->q - (const char *)s->block));
    const double *v = (const double *)(const void *)(block + ((const char *)s->v - (const char *)s->block));
    RI_TRY(check_coordinates(s, q, s->m->nq, "coordinate"));
    RI_TRY(check_coordinates(s, v, s->m->nv, "velocity"));
    if (!ri_model_is_normalized(s->m, q))
        return ri_error(s->ctx, RI_ERR_MODEL, "an attitude is not a quaternion of length 1");
    RI_TRY(check_counters(s, block));
    RI_TRY(check_values(s, block));
    return check_devices(s, block);
}

RiStatus ri_sim_check_block(const RiSim *s, const void *block)
{
    char *copy = ri_alloc(s->ctx, s->block_size, 1); // aligned, whatever the file's bytes are
    if (!copy)
        return ri_error_memory(s->ctx);
    memcpy(copy, block, s->block_size);
    const RiStatus status = check_parts(s, copy);
    ri_release(s->ctx, copy);
    return status;
}
