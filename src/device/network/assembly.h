// SPDX-License-Identifier: Apache-2.0
/// \file
/// A network put together by hand, without a simulation: for tests, validation and benches.
///
///     Assembly a; ri_assembly_init(&a); const int bus = ri_assembly_add(&a, &ri_device_bus, -1, -1, -1); ...; ri_assembly_start(ctx, &arena, &a, &world)
#ifndef RI_DEVICE_NETWORK_ASSEMBLY_H
#define RI_DEVICE_NETWORK_ASSEMBLY_H

#include <string.h>

#include "device/network/network.h"

enum { RI_ASSEMBLY_MEMBERS = 256, RI_ASSEMBLY_PORTS = 64 };

typedef struct RiAssembly {
    RiNetwork network;
    RiMember members[RI_ASSEMBLY_MEMBERS];
    double x[RI_ASSEMBLY_MEMBERS][RI_ASSEMBLY_PORTS];
    const char *trouble; ///< what a class said about its parameters; NULL
} RiAssembly;

static inline void ri_assembly_init(RiAssembly *a)
{
    memset(a, 0, sizeof *a);
    a->network.members = a->members;
}

/// Adds a subsystem with its default parameters; the references are members, -1.
static inline int ri_assembly_add(RiAssembly *a, const RiDeviceClass *device, int first, int second, int third)
{
    const int i = a->network.count++;
    a->members[i] = (RiMember){.name = device->name,
                               .row = ri_subsystem_of(device),
                               .x = a->x[i],
                               .pose = ri_pose_identity(),
                               .ref = {first, second, third}};
    for (int k = 0; k < device->port_count; k++)
        a->x[i][k] = device->ports[k].initial;
    return i;
}

/// Checks and starts it; RI_ERR_ARGUMENT with the sentence in `trouble`.
static inline RiStatus ri_assembly_start(RiContext *ctx, RiArena *arena, RiAssembly *a, const RiNetworkWorld *w)
{
    int member;
    const RiStatus status = ri_network_prepare(ctx, arena, &a->network);
    if (status != RI_OK)
        return status;
    for (int i = 0; i < a->network.count && !a->trouble; i++) {
        RiDeviceCall call = {.x = a->x[i]};
        if (a->members[i].row->device->start)
            a->trouble = a->members[i].row->device->start(&call);
    }
    if (!a->trouble)
        a->trouble = ri_network_check(&a->network, w->place->world, &member);
    if (a->trouble)
        return RI_ERR_ARGUMENT;
    ri_network_begin(&a->network, w);
    return RI_OK;
}

/// Steps of length `dt` for a time.
static inline void ri_assembly_run(RiAssembly *a, RiNetworkWorld *w, double seconds, double dt)
{
    const long long steps = (long long)(seconds / dt + 0.5);
    w->dt = dt;
    for (long long i = 0; i < steps; i++) {
        if (w->place->moves) {
            w->sun = ri_sun_compute(w->place, w->time + 0.5 * dt);
            w->towards = ri_sun_direction(w->sun);
        }
        ri_network_step(&a->network, w);
        w->time += dt;
    }
}

#endif
