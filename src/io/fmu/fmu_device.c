// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device class of an FMU. At an update inputs are set, a step of one period is made, and the
/// outputs at its end act at once: what a sampled controller computes from its inputs has no delay.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/opened.h"
#include "io/fmu/fmu_work.h"

// --- state in ports ------------------------------------------------------------------------------

static void put_state(const RiFmu *f, double *x)
{
    x[f->steps] = (double)f->made;
    x[f->size] = (double)f->byte_count;
    for (int k = 0; k < f->state_ports; k++) {
        uint64_t word = 0;
        for (size_t b = 0, at = (size_t)k * FMU_STATE_BYTES; b < FMU_STATE_BYTES && at + b < f->byte_count; b++)
            word |= (uint64_t)f->bytes[at + b] << 8 * b;
        x[f->state + k] = (double)word;
    }
}

/// The bytes in the ports; false if they are those that the FMU is in.
static bool differs(const RiFmu *f, const double *x, unsigned char *out, size_t *out_size)
{
    const size_t size = (size_t)x[f->size];
    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)((uint64_t)x[f->state + (int)(i / FMU_STATE_BYTES)] >> 8 * (i % FMU_STATE_BYTES));
    *out_size = size;
    return (long long)x[f->steps] != f->made || size != f->byte_count || memcmp(out, f->bytes, size) != 0;
}

static size_t capacity(const RiFmu *f)
{
    return (size_t)f->state_ports * FMU_STATE_BYTES;
}

/// Takes the FMU to the moment that the ports belong to. NULL, or what is wrong.
static const char *follow(RiFmu *f, const double *x)
{
    unsigned char bytes[FMU_STATE_PORTS * FMU_STATE_BYTES];
    size_t size;
    if (f->state_ports == 0) {
        if ((long long)x[f->steps] == f->made)
            return NULL;
        snprintf(f->trouble, sizeof f->trouble,
                 "FMU '%.100s' cannot be brought to another moment: it does not save its state; run from the start",
                 f->d.name);
        return f->trouble;
    }
    if (!(x[f->size] >= 0.0 && x[f->size] <= (double)capacity(f)))
        return "the size of the FMU's state is out of range";
    if (!differs(f, x, bytes, &size))
        return NULL;
    if (!ri_fmu_restore(f, bytes, size))
        return f->trouble;
    memcpy(f->bytes, bytes, size);
    f->byte_count = size;
    f->made = (long long)x[f->steps];
    return NULL;
}

// --- verbs ---------------------------------------------------------------------------------------

/// Outputs into their ports; one that is not finite keeps its last good value and is counted.
static const char *take_outputs(RiFmu *f, double *x)
{
    for (int i = 0; i < f->variable_ports; i += f->d.variables[f->variables[i]].size) {
        const FmuVariable *v = &f->d.variables[f->variables[i]];
        double y[FMU_ELEMENTS];
        if (v->causality != FMU_OUTPUT)
            continue;
        if (ri_fmu_get(f, v, y) > FMI_WARNING) {
            snprintf(f->trouble, sizeof f->trouble, "FMU '%.100s': output '%.100s' cannot be read", f->d.name, v->name);
            return f->trouble;
        }
        for (int k = 0; k < v->size; k++) {
            if (isfinite(y[k]))
                x[i + k] = y[k];
            else
                x[f->faults] += 1.0;
        }
    }
    if (f->state_ports > 0 && !ri_fmu_save(f))
        return f->trouble;
    if (f->byte_count > capacity(f))
        return "the FMU's state has outgrown its ports";
    put_state(f, x);
    return NULL;
}

static const char *start(RiDeviceCall *call)
{
    RiFmu *f = call->user;
    if (!ri_fmu_begin(f, call->x))
        return f->trouble;
    return take_outputs(f, call->x);
}

/// Inputs and parameters that may change. One with an element that is not finite keeps its last
/// good value, and is counted.
static const char *give_inputs(RiFmu *f, double *x)
{
    for (int i = 0; i < f->variable_ports; i += f->d.variables[f->variables[i]].size) {
        const FmuVariable *v = &f->d.variables[f->variables[i]];
        bool finite = true;
        if (v->causality != FMU_INPUT && !(v->causality == FMU_PARAMETER && v->tunable))
            continue;
        for (int k = 0; k < v->size; k++)
            finite &= isfinite(x[i + k]) != 0;
        if (!finite)
            x[f->faults] += 1.0;
        else if (ri_fmu_set(f, v, x + i) > FMI_WARNING) {
            snprintf(f->trouble, sizeof f->trouble, "FMU '%.100s': '%.100s' = %g%s is refused%s%.300s", f->d.name,
                     v->name, x[i], v->size > 1 ? ", ..." : "", *f->log ? ": " : "", f->log);
            return f->trouble;
        }
    }
    return NULL;
}

static void update(RiDeviceCall *call)
{
    RiFmu *f = call->user;
    double *x = call->x;
    call->trouble = follow(f, x);
    if (!call->trouble)
        call->trouble = give_inputs(f, x);
    if (!call->trouble && ri_fmu_step(f, call->time, call->dt) != FMI_OK)
        call->trouble = f->trouble;
    if (!call->trouble)
        call->trouble = take_outputs(f, x);
}

// --- ports ---------------------------------------------------------------------------------------

/// A name that values can have: letters, digits, '_' and '.', unlike those before it.
static const char *port_name(RiFmu *f, const char *name, int count)
{
    char text[200];
    size_t n = 0;
    for (const char *p = name; *p && n < sizeof text - 8; p++) {
        const char c = *p;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!plain && (p[1] == '\0' || n == 0))
            continue;
        text[n++] = plain ? c : '_';
    }
    if (n == 0 || (text[0] >= '0' && text[0] <= '9')) {
        memmove(text + 1, text, n++);
        text[0] = 'v';
    }
    text[n] = '\0';
    for (int k = 0; k < count; k++)
        if (strcmp(f->ports[k].name, text) == 0) {
            snprintf(text + n, sizeof text - n, "_%d", count);
            break;
        }
    return ri_arena_string(&f->d.arena, text);
}

static RiStatus add_port(RiFmu *f, RiPort port, const char *name)
{
    port.name = port_name(f, name, f->class.port_count);
    if (!port.name)
        return ri_error_memory(f->ctx);
    f->ports[f->class.port_count++] = port;
    return RI_OK;
}

/// "q" of a scalar, "q_2" and "q_1_3" of the elements of arrays.
static void element_name(const FmuVariable *v, int element, char *out, size_t size)
{
    int rest = element, place[FMU_DIMENSIONS] = {0};
    for (int k = v->dimensions - 1; k >= 0; k--) {
        place[k] = rest % v->shape[k];
        rest /= v->shape[k];
    }
    size_t n = (size_t)snprintf(out, size, "%.150s", v->name);
    for (int k = 0; k < v->dimensions && n < size; k++)
        n += (size_t)snprintf(out + n, size - n, "_%d", place[k] + 1);
}

static RiStatus add_variables(RiFmu *f)
{
    static const RiValueKind kinds[] = {
        [FMU_INPUT] = RI_VALUE_INPUT, [FMU_OUTPUT] = RI_VALUE_OUTPUT, [FMU_PARAMETER] = RI_VALUE_PARAMETER};
    for (int i = 0; i < f->d.count; i++) {
        const FmuVariable *v = &f->d.variables[i];
        const bool port = v->causality == FMU_INPUT || v->causality == FMU_OUTPUT || v->causality == FMU_PARAMETER;
        if (!port || v->kind == FMU_OTHER)
            continue;
        if (f->variable_ports + v->size > FMU_PORTS)
            return ri_error(f->ctx, RI_ERR_LIMIT, "%s: more than %d inputs, outputs and parameters", f->path,
                            FMU_PORTS);
        const bool free = v->causality == FMU_OUTPUT;
        const double low = free ? -INFINITY : v->low, high = free ? INFINITY : v->high;
        for (int k = 0; k < v->size; k++) {
            char name[200];
            element_name(v, k, name, sizeof name);
            f->variables[f->variable_ports++] = i;
            RI_TRY(add_port(f,
                            (RiPort){.unit = v->unit,
                                     .doc = v->doc,
                                     .kind = kinds[v->causality],
                                     .initial = fmin(fmax(v->start[k], low), high),
                                     .low = low,
                                     .high = high},
                            name));
        }
    }
    return RI_OK;
}

/// How many ports its state takes; 0 if it cannot be saved, or is too large for them.
static int count_state_ports(RiFmu *f)
{
    double x[FMU_PORTS];
    for (int i = 0; i < f->variable_ports; i++)
        x[i] = f->ports[i].initial;
    if (!f->d.can_save || !ri_fmu_begin(f, x) || !ri_fmu_save(f))
        return 0;
    const size_t ports = (f->byte_room + FMU_STATE_BYTES - 1) / FMU_STATE_BYTES;
    return ports <= FMU_STATE_PORTS ? (int)ports : 0;
}

static RiStatus add_state(RiFmu *f)
{
    char name[32];
    const RiPort count = {.unit = "", .doc = "steps made", .kind = RI_VALUE_STATE, .high = 9e15};
    const RiPort faults = {.unit = "",
                           .doc = "inputs and outputs that were not finite: the last good ones were held",
                           .kind = RI_VALUE_STATE,
                           .high = 9e15};
    RiPort bytes = {.unit = "", .doc = "bytes of the FMU's state", .kind = RI_VALUE_STATE, .high = 281474976710655.0};
    f->faults = f->class.port_count;
    RI_TRY(add_port(f, faults, "faults"));
    f->steps = f->class.port_count;
    RI_TRY(add_port(f, count, "steps"));
    f->size = f->class.port_count;
    bytes.doc = "size of the FMU's state in bytes";
    RI_TRY(add_port(f, bytes, "state_size"));
    f->state = f->class.port_count;
    f->state_ports = count_state_ports(f);
    bytes.doc = "six bytes of the FMU's state";
    for (int k = 0; k < f->state_ports; k++) {
        snprintf(name, sizeof name, "state_%d", k + 1);
        RI_TRY(add_port(f, bytes, name));
    }
    return RI_OK;
}

static RiStatus make_class(RiFmu *f)
{
    f->ports = ri_alloc_zero(f->ctx, FMU_PORTS + FMU_STATE_PORTS + 8, sizeof *f->ports);
    f->variables = ri_alloc_zero(f->ctx, FMU_PORTS, sizeof *f->variables);
    if (!f->ports || !f->variables)
        return ri_error_memory(f->ctx);
    f->made = -1;
    f->class = (RiDeviceClass){.abi = RI_DEVICE_ABI,
                               .name = f->d.identifier,
                               .doc = f->d.doc,
                               .attach = RI_ATTACH_NONE,
                               .ports = f->ports,
                               .start = start,
                               .update = update,
                               .user = f};
    RI_TRY(add_variables(f));
    RI_TRY(add_state(f));
    const RiStatus status = ri_device_check(f->ctx, &f->class);
    char why[512];
    snprintf(why, sizeof why, "%s", ri_context_message(f->ctx));
    return status == RI_OK ? RI_OK : ri_error(f->ctx, RI_ERR_FORMAT, "%s: %s", f->path, why);
}

RiStatus ri_fmu_load(RiContext *ctx, const char *path, RiFmu **out_fmu)
{
    *out_fmu = NULL;
    ri_context_opened(ctx, path);
    RiFmu *f = ri_alloc_zero(ctx, 1, sizeof *f);
    char *copy = ri_alloc(ctx, strlen(path) + 1, 1);
    if (!f || !copy) {
        ri_release(ctx, f);
        ri_release(ctx, copy);
        return ri_error_memory(ctx);
    }
    f->ctx = ctx;
    f->path = memcpy(copy, path, strlen(path) + 1);
    RiStatus status = ri_fmu_open(f);
    if (status == RI_OK)
        status = make_class(f);
    if (status != RI_OK) {
        ri_fmu_destroy(f);
        return status;
    }
    *out_fmu = f;
    return RI_OK;
}

void ri_fmu_destroy(RiFmu *f)
{
    if (!f)
        return;
    ri_fmu_close(f);
    ri_release(f->ctx, f->ports);
    ri_release(f->ctx, f->variables);
    ri_release(f->ctx, f->bytes);
    ri_release(f->ctx, (char *)f->path);
    ri_release(f->ctx, f);
}

const char *ri_fmu_left_out(const RiFmu *f, int *out_count)
{
    *out_count = f->d.left_out;
    return f->d.one_left;
}

const RiDeviceClass *ri_fmu_class(const RiFmu *f)
{
    return &f->class;
}
