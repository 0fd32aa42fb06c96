// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls of an FMU, the same for both versions of the standard.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/fmu/fmu_work.h"

FmiStatus ri_fmu_get(RiFmu *f, const FmuVariable *v, double *out_x)
{
    const FmuCalls *c = &f->call;
    double x = 0.0;
    int32_t whole = 0;
    bool flag = false;
    FmiStatus status;
    if (f->d.version == 2) {
        status = v->kind == FMU_REAL      ? c->get_real(f->instance, &v->reference, 1, &x)
                 : v->kind == FMU_INTEGER ? c->get_integer(f->instance, &v->reference, 1, &whole)
                                          : c->get_boolean(f->instance, &v->reference, 1, &whole);
    } else {
        status = v->kind == FMU_REAL      ? c->get_real3(f->instance, &v->reference, 1, &x, 1)
                 : v->kind == FMU_INTEGER ? c->get_integer3(f->instance, &v->reference, 1, &whole, 1)
                                          : c->get_boolean3(f->instance, &v->reference, 1, &flag, 1);
    }
    *out_x = v->kind == FMU_REAL ? v->factor * x + v->offset : whole != 0 && v->kind == FMU_BOOLEAN ? 1.0 : whole;
    if (flag)
        *out_x = 1.0;
    return status;
}

FmiStatus ri_fmu_set(RiFmu *f, const FmuVariable *v, double si)
{
    const FmuCalls *c = &f->call;
    const double x = (si - v->offset) / v->factor;
    const int32_t whole = (int32_t)fmin(fmax(rint(si), INT32_MIN), INT32_MAX), flag2 = si != 0.0;
    const bool flag = si != 0.0;
    if (f->d.version == 2)
        return v->kind == FMU_REAL      ? c->set_real(f->instance, &v->reference, 1, &x)
               : v->kind == FMU_INTEGER ? c->set_integer(f->instance, &v->reference, 1, &whole)
                                        : c->set_boolean(f->instance, &v->reference, 1, &flag2);
    return v->kind == FMU_REAL      ? c->set_real3(f->instance, &v->reference, 1, &x, 1)
           : v->kind == FMU_INTEGER ? c->set_integer3(f->instance, &v->reference, 1, &whole, 1)
                                    : c->set_boolean3(f->instance, &v->reference, 1, &flag, 1);
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
    for (int i = 0; i < f->variable_ports; i++) {
        const FmuVariable *v = &f->d.variables[f->variables[i]];
        if (v->causality != FMU_OUTPUT && fails(f, ri_fmu_set(f, v, x[i]), v->name))
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
