// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls of an FMU, the same for both versions of the standard.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/fmu/fmu_work.h"

/// Room for all elements of a variable, whatever they are in memory.
typedef union FmuRoom {
    double f64[FMU_ELEMENTS];
    float f32[FMU_ELEMENTS];
    int8_t i8[FMU_ELEMENTS];
    uint8_t u8[FMU_ELEMENTS];
    int16_t i16[FMU_ELEMENTS];
    uint16_t u16[FMU_ELEMENTS];
    int32_t i32[FMU_ELEMENTS];
    uint32_t u32[FMU_ELEMENTS];
    int64_t i64[FMU_ELEMENTS];
    uint64_t u64[FMU_ELEMENTS];
    bool flag[FMU_ELEMENTS];
} FmuRoom;

/// Whole numbers beyond 2^53 are rounded, as doubles have them.
static double load(FmuWord word, const FmuRoom *at, int i)
{
    switch (word) {
    case FMU_FLOAT64:
        return at->f64[i];
    case FMU_FLOAT32:
        return (double)at->f32[i];
    case FMU_INT8:
        return at->i8[i];
    case FMU_UINT8:
        return at->u8[i];
    case FMU_INT16:
        return at->i16[i];
    case FMU_UINT16:
        return at->u16[i];
    case FMU_INT32:
        return at->i32[i];
    case FMU_UINT32:
        return at->u32[i];
    case FMU_INT64:
        return (double)at->i64[i];
    case FMU_UINT64:
        return (double)at->u64[i];
    case FMU_BOOL:
        return at->flag[i] ? 1.0 : 0.0;
    case FMU_WORDS:
        break;
    }
    return NAN;
}

/// The nearest whole number within limits.
static double whole(double x, double low, double high)
{
    return fmin(fmax(rint(x), low), high);
}

static void store(FmuWord word, FmuRoom *at, int i, double x)
{
    switch (word) {
    case FMU_FLOAT64:
        at->f64[i] = x;
        return;
    case FMU_FLOAT32:
        at->f32[i] = (float)x;
        return;
    case FMU_INT8:
        at->i8[i] = (int8_t)whole(x, INT8_MIN, INT8_MAX);
        return;
    case FMU_UINT8:
        at->u8[i] = (uint8_t)whole(x, 0.0, UINT8_MAX);
        return;
    case FMU_INT16:
        at->i16[i] = (int16_t)whole(x, INT16_MIN, INT16_MAX);
        return;
    case FMU_UINT16:
        at->u16[i] = (uint16_t)whole(x, 0.0, UINT16_MAX);
        return;
    case FMU_INT32:
        at->i32[i] = (int32_t)whole(x, INT32_MIN, INT32_MAX);
        return;
    case FMU_UINT32:
        at->u32[i] = (uint32_t)whole(x, 0.0, UINT32_MAX);
        return;
    case FMU_INT64: // the largest doubles below 2^63 and 2^64
        at->i64[i] = (int64_t)whole(x, -9223372036854775808.0, 9223372036854774784.0);
        return;
    case FMU_UINT64:
        at->u64[i] = (uint64_t)whole(x, 0.0, 18446744073709549568.0);
        return;
    case FMU_BOOL:
        at->flag[i] = x != 0.0;
        return;
    case FMU_WORDS:
        return;
    }
}

FmiStatus ri_fmu_get(RiFmu *f, const FmuVariable *v, double *out_x)
{
    const FmuCalls *c = &f->call;
    FmuRoom room;
    int32_t flag = 0;
    memset(&room, 0, (size_t)v->size * sizeof(double));
    const FmiStatus status = f->d.version == 3 ? c->get3[v->word](f->instance, &v->reference, 1, &room, (size_t)v->size)
                             : v->kind == FMU_REAL    ? c->get_real(f->instance, &v->reference, 1, room.f64)
                             : v->kind == FMU_INTEGER ? c->get_integer(f->instance, &v->reference, 1, room.i32)
                                                      : c->get_boolean(f->instance, &v->reference, 1, &flag);
    if (f->d.version == 2 && v->kind == FMU_BOOLEAN)
        room.flag[0] = flag != 0;
    for (int i = 0; i < v->size; i++) {
        const double x = load(v->word, &room, i);
        out_x[i] = v->kind == FMU_REAL ? v->factor * x + v->offset : x;
    }
    return status;
}

FmiStatus ri_fmu_set(RiFmu *f, const FmuVariable *v, const double *si)
{
    const FmuCalls *c = &f->call;
    const int32_t flag = si[0] != 0.0;
    FmuRoom room;
    for (int i = 0; i < v->size; i++)
        store(v->word, &room, i, v->kind == FMU_REAL ? (si[i] - v->offset) / v->factor : si[i]);
    if (f->d.version == 3)
        return c->set3[v->word](f->instance, &v->reference, 1, &room, (size_t)v->size);
    return v->kind == FMU_REAL      ? c->set_real(f->instance, &v->reference, 1, room.f64)
           : v->kind == FMU_INTEGER ? c->set_integer(f->instance, &v->reference, 1, room.i32)
                                    : c->set_boolean(f->instance, &v->reference, 1, &flag);
}

/// Notes which call failed, with what the FMU said about it.
static bool fails(RiFmu *f, FmiStatus status, const char *call)
{
    if (status == FMI_OK || status == FMI_WARNING)
        return false;
    snprintf(f->trouble, sizeof f->trouble, "FMU '%.100s': %s failed%s%.500s", f->d.name, call, *f->log ? ": " : "",
             f->log);
    return true;
}

bool ri_fmu_begin(RiFmu *f, const double *x)
{
    f->log[0] = '\0';
    if (f->made >= 0 && fails(f, f->call.reset(f->instance), "reset"))
        return false;
    for (int i = 0; i < f->variable_ports; i += f->d.variables[f->variables[i]].size) {
        const FmuVariable *v = &f->d.variables[f->variables[i]];
        if (v->causality != FMU_OUTPUT && fails(f, ri_fmu_set(f, v, x + i), v->name))
            return false;
    }
    if (f->d.version == 2
            ? fails(f, f->call.setup2(f->instance, 0, 0.0, 0.0, 0, 0.0), "setupExperiment") ||
                  fails(f, f->call.enter(f->instance), "enterInitializationMode")
            : fails(f, f->call.enter3(f->instance, false, 0.0, 0.0, false, 0.0), "enterInitializationMode"))
        return false;
    f->made = 0;
    return !fails(f, f->call.exit(f->instance), "exitInitializationMode");
}

FmiStatus ri_fmu_step(RiFmu *f, double time, double dt)
{
    bool event = false, terminate = false, early = false;
    double last = time + dt;
    f->log[0] = '\0';
    FmiStatus status = f->d.version == 2
                           ? f->call.step2(f->instance, time, dt, 1)
                           : f->call.step3(f->instance, time, dt, true, &event, &terminate, &early, &last);
    if (terminate || (early && last < time + dt - 1e-9))
        status = FMI_DISCARD;
    (void)fails(f, status, terminate ? "it asks for the end; doStep" : "doStep");
    f->made++;
    return status == FMI_WARNING ? FMI_OK : status;
}

bool ri_fmu_save(RiFmu *f)
{
    void *state = NULL;
    size_t size = 0;
    bool good =
        f->call.get_state(f->instance, &state) == FMI_OK && f->call.state_size(f->instance, state, &size) == FMI_OK;
    if (good && size > f->byte_room) {
        unsigned char *more = f->byte_room == 0 ? ri_alloc(f->ctx, size + size / 4 + 64, 1) : NULL;
        if (more) // at the start only: steps do not allocate
            f->byte_room = size + size / 4 + 64;
        f->bytes = more ? more : f->bytes;
        good = more != NULL;
    }
    good = good && f->call.serialize(f->instance, state, f->bytes, size) == FMI_OK;
    f->byte_count = good ? size : 0;
    if (state)
        (void)f->call.free_state(f->instance, &state);
    if (!good)
        snprintf(f->trouble, sizeof f->trouble, "FMU '%.100s': its state cannot be saved, or has outgrown its start",
                 f->d.name);
    return good;
}

bool ri_fmu_restore(RiFmu *f, const unsigned char *bytes, size_t size)
{
    void *state = NULL;
    const bool good = f->call.deserialize(f->instance, bytes, size, &state) == FMI_OK &&
                      f->call.set_state(f->instance, state) == FMI_OK;
    if (state)
        (void)f->call.free_state(f->instance, &state);
    if (!good)
        snprintf(f->trouble, sizeof f->trouble, "FMU '%.100s': it refuses a state that it saved itself%s%.300s",
                 f->d.name, *f->log ? ": " : "", f->log);
    return good;
}
