// SPDX-License-Identifier: Apache-2.0
/// \file
/// Temperatures against closed forms: two nodes that exchange heat, a node that radiates, a heated
/// node, a chain at rest; a stiff network against CVODE; a sol of sleep by long steps against fine
/// ones.
///
/// Backward Euler is first order: with steps of h the error of an exponential with the time
/// constant tau is about h / (2 tau) of what is left; bands are 1.5 times that.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "device/network/assembly.h"
#include "sim/method/ode_cvode.h"
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

// --- against CVODE -------------------------------------------------------------------------------

/// A rover's nodes: electronics in a warm box, a shell, motors, a thin leg; the last is the sky.
enum { BODIES = 5, LINKS = 7 };
static const double capacity[BODIES] = {45000.0, 7000.0, 9000.0, 9000.0, 15.0},
                    begin[BODIES] = {268.0, 272.0, 210.0, 205.0, 300.0}, source[BODIES] = {20.0, 3.0, 0.0, 30.0, 0.0};
static const struct {
    int a, b; ///< BODIES: the sky
    double conductance, radiation;
} joints[LINKS] = {{0, 2, 0.28, 0.0}, {1, 0, 0.15, 0.0}, {1, 2, 0.04, 0.0}, {3, 2, 0.1, 0.02},
                   {4, 3, 5.0, 0.0},  {2, 5, 0.0, 1.3},  {4, 5, 0.0, 0.05}};
static const double sky = 120.0;

static RiStatus slopes(void *user, double t, const double *T, double *out)
{
    (void)user, (void)t;
    for (int i = 0; i < BODIES; i++)
        out[i] = source[i] / capacity[i];
    for (int k = 0; k < LINKS; k++) {
        const double A = T[joints[k].a], B = joints[k].b == BODIES ? sky : T[joints[k].b];
        const double flow =
            joints[k].conductance * (A - B) + 5.670374419e-8 * joints[k].radiation * (pow(A, 4.0) - pow(B, 4.0));
        out[joints[k].a] -= flow / capacity[joints[k].a];
        if (joints[k].b < BODIES)
            out[joints[k].b] += flow / capacity[joints[k].b];
    }
    return RI_OK;
}

/// The same by CVODE; RI_ERR_UNSUPPORTED in a build without it.
static RiStatus reference(RiValidation *run, double end, double T[BODIES])
{
    const RiOdeProblem problem = {.n = BODIES, .rhs = slopes};
    RiOdeOptions options = ri_ode_options_default();
    RiOde *ode;
    double time;
    options.rtol = 1e-11;
    options.atol = 1e-9;
    RI_TRY(ri_ode_create(run->ctx, &problem, &options, &ode));
    RiStatus status = ri_ode_reset(ode, 0.0, begin);
    if (status == RI_OK)
        status = ri_ode_advance(ode, end, T, &time, NULL);
    ri_ode_destroy(ode);
    return status;
}

static RiStatus stiff(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w)
{
    static const char *const labels[] = {"a stiff network against CVODE after a minute, worst node",
                                         "a stiff network against CVODE after six hours, worst node"};
    static const double ends[] = {60.0, 21600.0}, steps[] = {0.1, 1.0}, bands[] = {0.05, 0.01};
    for (int k = 0; k < 2; k++) {
        double want[BODIES], worst = 0.0;
        const RiStatus status = reference(run, ends[k], want);
        if (status == RI_ERR_UNSUPPORTED) {
            ri_validate_skip(run, labels[k]);
            continue;
        }
        RI_TRY(status);
        ri_assembly_init(a);
        for (int i = 0; i < BODIES; i++)
            a->x[add_node(a, capacity[i], begin[i])][NODE_RHU] = source[i];
        add_node(a, 0.0, sky);
        for (int i = 0; i < LINKS; i++)
            join(a, joints[i].a, joints[i].b, joints[i].conductance, joints[i].radiation);
        RI_TRY(ri_assembly_start(run->ctx, arena, a, w));
        ri_assembly_run(a, w, ends[k], steps[k]);
        for (int i = 0; i < BODIES; i++)
            worst = fmax(worst, fabs(a->x[i][NODE_TEMPERATURE] - want[i]));
        ri_validate_most(run, labels[k], "K", bands[k], worst);
    }
    return RI_OK;
}

// --- sleep ---------------------------------------------------------------------------------------

enum { SLEEP_NUMBERS = 7 };

/// A sol on Mars of a rover that sleeps, at a step.
static RiStatus sleep_a_sol(RiValidation *run, RiArena *arena, RiAssembly *a, double dt, double out[SLEEP_NUMBERS])
{
    RiSunDef place = {.world = RI_WORLD_MARS, .moves = true, .latitude = -0.04, .longitude = -0.1};
    RiNetworkWorld w = {.place = &place};
    RI_TRY(ri_sun_date(run->ctx, "2018-05-29T09:00:00", place.utc));
    ri_assembly_init(a);
    const int site = ri_assembly_add(a, &ri_device_site, -1, -1, -1),
              bus = ri_assembly_add(a, &ri_device_bus, -1, -1, -1), box = add_node(a, 45000.0, 268.0),
              shell = add_node(a, 9000.0, 210.0), array = ri_assembly_add(a, &ri_device_solar_array, bus, -1, -1),
              battery = ri_assembly_add(a, &ri_device_battery, bus, box, -1),
              load = ri_assembly_add(a, &ri_device_load, bus, box, -1),
              heater = ri_assembly_add(a, &ri_device_heater, bus, box, -1);
    join(a, box, shell, 0.28, 0.0);
    a->x[shell][NODE_AREA] = 2.2;
    a->x[shell][NODE_SUN_AREA] = 0.8;
    a->x[shell][NODE_CONVECTION] = 0.6;
    a->x[load][LOAD_POWER] = 4.0;
    a->x[battery][BATTERY_START] = 0.6;
    a->x[battery][BATTERY_CAPACITY] = 72000.0;
    a->x[heater][HEATER_ON_BELOW] = 255.0;
    a->x[heater][HEATER_OFF_ABOVE] = 256.0;
    a->x[heater][HEATER_POWER] = 12.0;
    RI_TRY(ri_assembly_start(run->ctx, arena, a, &w));
    ri_assembly_run(a, &w, 88780.0, dt);
    const double *const x[] = {a->x[bus], a->x[battery], a->x[box], a->x[shell], a->x[site], a->x[array]};
    const double numbers[SLEEP_NUMBERS] = {x[0][BUS_GENERATED] + x[0][BUS_CURTAILED],
                                           x[0][BUS_USED],
                                           x[1][BATTERY_CHARGE],
                                           x[2][NODE_TEMPERATURE],
                                           x[3][NODE_TEMPERATURE],
                                           x[4][SITE_INSOLATION],
                                           x[5][ARRAY_ENERGY]};
    for (int i = 0; i < SLEEP_NUMBERS; i++)
        out[i] = numbers[i];
    return RI_OK;
}

static RiStatus sleeping(RiValidation *run, RiArena *arena, RiAssembly *a, RiNetworkWorld *w)
{
    (void)w;
    double fine[SLEEP_NUMBERS], long_steps[SLEEP_NUMBERS], worst = 0.0;
    RI_TRY(sleep_a_sol(run, arena, a, 1.0, fine));
    RI_TRY(sleep_a_sol(run, arena, a, 10.0, long_steps)); // the longest with thermostats
    for (int i = 0; i < SLEEP_NUMBERS; i++)
        worst = fmax(worst, fabs(long_steps[i] / fine[i] - 1.0));
    ri_validate_most(run, "a sol of sleep by steps of 10 s against 1 s: energies, charge, temperatures", "-", 1e-3,
                     worst);
    return RI_OK;
}

RiStatus ri_case_thermal(RiValidation *run)
{
    static const Experiment experiments[] = {exchange, radiate, heat, chain, order, stiff, sleeping};
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
