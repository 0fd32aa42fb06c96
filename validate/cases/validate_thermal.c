// SPDX-License-Identifier: Apache-2.0
/// \file
/// Temperatures against closed forms: two nodes that exchange heat, a node that radiates, a heated
/// node, a chain at rest.
///
/// Backward Euler is first order: with steps of h the error of an exponential with the time
/// constant tau is about h / (2 tau) of what is left; bands are 1.5 times that.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "device/network/assembly.h"
#include "validate/validate.h"

static const RiSunDef nowhere = {.world = RI_WORLD_UNKNOWN};

typedef RiStatus (*Experiment)(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w);

static int add_node(RiAssembly *a, double capacity, double temperature)
{
    const int i = ri_assembly_add(a, &ri_device_thermal_node, -1, -1, -1);
    a->x[i][NODE_CAPACITY] = capacity;
    a->x[i][NODE_START] = temperature;
    return i;
}

static int join(RiAssembly *a, int from, int to, double conductance, double radiation)
{
    const int i = ri_assembly_add(a, &ri_device_conductor, from, to, -1);
    a->x[i][CONDUCTOR_CONDUCTANCE] = conductance;
    a->x[i][CONDUCTOR_RADIATION] = radiation;
    return i;
}

/// T_a - T_b = D exp(-t / tau), tau = C_a C_b / (g (C_a + C_b)); heat is kept.
static RiStatus exchange(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w)
{
    const double Ca = 2000.0, Cb = 500.0, g = 0.5, t = 1000.0, h = 1.0, tau = Ca * Cb / (g * (Ca + Cb));
    const int hot = add_node(a, Ca, 300.0), cold = add_node(a, Cb, 200.0);
    join(a, hot, cold, g, 0.0);
    RI_TRY(ri_assembly_start(run->ctx, arena, a, w));
    ri_assembly_run(a, w, t, h);
    const double left = 100.0 * exp(-t / tau), mean = (Ca * 300.0 + Cb * 200.0) / (Ca + Cb);
    const double Ta = mean + Cb / (Ca + Cb) * left;
    ri_validate_near(run, "two nodes: difference after 1.25 time constants", "K", left,
                     1.5 * left * h / (2.0 * tau) * t / tau,
                     a->x[hot][NODE_TEMPERATURE] - a->x[cold][NODE_TEMPERATURE]);
    ri_validate_near(run, "two nodes: the hot one", "K", Ta, 0.05, a->x[hot][NODE_TEMPERATURE]);
    const double kept = Ca * a->x[hot][NODE_TEMPERATURE] + Cb * a->x[cold][NODE_TEMPERATURE];
    ri_validate_most(run, "two nodes: heat lost", "-", 1e-12, fabs(kept / (Ca * 300.0 + Cb * 200.0) - 1.0));
    return RI_OK;
}

/// A node that radiates to surroundings at 0 K (a fixed node near it): T^-3 = T0^-3 + 3 s A t / C.
static RiStatus radiate(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w)
{
    const double C = 1000.0, A = 0.2, t = 3600.0, h = 2.0, s = 5.670374419e-8;
    const int body = add_node(a, C, 350.0), space = add_node(a, 0.0, 1.0);
    join(a, body, space, 0.0, A);
    RI_TRY(ri_assembly_start(run->ctx, arena, a, w));
    ri_assembly_run(a, w, t, h);
    const double want = pow(pow(350.0, -3.0) + 3.0 * s * A * t / C, -1.0 / 3.0);
    ri_validate_near(run, "a node that radiates for an hour", "K", want, 0.05, a->x[body][NODE_TEMPERATURE]);
    ri_validate_most(run, "a node that radiates: heat balance", "-", 1e-12, fabs(a->x[body][NODE_RESIDUAL]));
    return RI_OK;
}

/// T = T_s + (Q / g)(1 - exp(-g t / C)).
static RiStatus heat(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w)
{
    const double C = 4000.0, g = 2.0, Q = 10.0, t = 3000.0, h = 1.0, tau = C / g;
    const int body = add_node(a, C, 250.0), wall = add_node(a, 0.0, 250.0);
    a->x[body][NODE_RHU] = Q;
    join(a, body, wall, g, 0.0);
    RI_TRY(ri_assembly_start(run->ctx, arena, a, w));
    ri_assembly_run(a, w, t, h);
    const double want = 250.0 + Q / g * (1.0 - exp(-t / tau));
    ri_validate_near(run, "a heated node", "K", want, 1.5 * Q / g * h / (2.0 * tau) * t / tau,
                     a->x[body][NODE_TEMPERATURE]);
    return RI_OK;
}

/// A stiff chain of 40 nodes comes to rest on a straight line between its ends, by steps of an
/// hour.
static RiStatus chain(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w)
{
    enum { NODES = 40 };
    const int first = add_node(a, 0.0, 300.0);
    int last = first;
    for (int i = 1; i < NODES; i++) {
        const int next = add_node(a, i == NODES - 1 ? 0.0 : i % 2 ? 1.0 : 1e4, 200.0);
        join(a, last, next, 5.0, 0.0);
        last = next;
    }
    RI_TRY(ri_assembly_start(run->ctx, arena, a, w));
    ri_assembly_run(a, w, 3600.0 * 1000.0, 3600.0);
    double worst = 0.0;
    for (int i = 0, k = 0; i < a->network.count; i++)
        if (ri_member_is(&a->members[i], RI_SUBSYSTEM_NODE)) {
            worst = fmax(worst, fabs(a->x[i][NODE_TEMPERATURE] - (300.0 - 100.0 * k / (NODES - 1))));
            k++;
        }
    ri_validate_most(run, "a stiff chain at rest, off the straight line", "K", 1e-6, worst);
    return RI_OK;
}

/// Order of the step: the error of the exchange halves with the step.
static RiStatus order(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w)
{
    double error[2];
    const double Ca = 2000.0, Cb = 500.0, g = 0.5, t = 1000.0, tau = Ca * Cb / (g * (Ca + Cb));
    for (int k = 0; k < 2; k++) {
        ri_assembly_init(a);
        const int hot = add_node(a, Ca, 300.0), cold = add_node(a, Cb, 200.0);
        join(a, hot, cold, g, 0.0);
        RI_TRY(ri_assembly_start(run->ctx, arena, a, w));
        ri_assembly_run(a, w, t, k ? 5.0 : 10.0);
        error[k] = a->x[hot][NODE_TEMPERATURE] - a->x[cold][NODE_TEMPERATURE] - 100.0 * exp(-t / tau);
    }
    ri_validate_near(run, "error at a step over that at half of it", "-", 2.0, 0.1, error[0] / error[1]);
    return RI_OK;
}

RiStatus ri_case_thermal(RiValidation *run)
{
    static const Experiment experiments[] = {exchange, radiate, heat, chain, order};
    RiStatus status = RI_OK;
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments && status == RI_OK; i++) {
        RiArena arena;
        RiNetworkWorld w = {.place = &nowhere};
        RiAssembly *a = ri_alloc_zero(run->ctx, 1, sizeof *a);
        if (!a)
            return ri_error_memory(run->ctx);
        ri_arena_init(&arena, run->ctx);
        ri_assembly_init(a);
        status = experiments[i](run, &arena, a, &w);
        ri_arena_free(&arena);
        ri_release(run->ctx, a);
    }
    return status;
}
