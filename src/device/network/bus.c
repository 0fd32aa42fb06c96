// SPDX-License-Identifier: Apache-2.0
/// \file
/// A bus: what sources give, what loads get, what the battery takes or gives; shedding, death and
/// revival.
///
/// Loads are served while sources and batteries can. Where they cannot, the loads with the largest
/// priority number are shed first. If loads of priority 0 cannot be served, the bus dies: nothing
/// is served, and all sources charge the batteries until enough light or charge is there. Books,
/// closed to rounding:
///
///     generated = used + lost (converter) + stored in batteries + lost in batteries,   available = generated + curtailed
#include "device/network/network.h"
#include "device/ports.h"

static const RiPort ports[BUS_COUNT] = {
    [BUS_EFFICIENCY] = RI_PARAMETER("efficiency", "", 1.0, 0.01, 1.0, "Of the converters between bus and loads."),
    [BUS_UNDER_VOLTAGE] = RI_PARAMETER("under_voltage", "V", 0.0, 0.0, 1e6, "Batteries are not drawn below it."),
    [BUS_RECOVER_POWER] =
        RI_PARAMETER("recover_power", "W", 10.0, 0.0, 1e9, "A dead bus comes back when sources give that much,"),
    [BUS_RECOVER_SOC] = RI_PARAMETER("recover_charge", "", 0.1, 0.0, 1.0, "and batteries have this state of charge."),
    [BUS_SHED_SOC] = RI_PARAMETER("shed_charge", "", 0.0, 0.0, 1.0, "Below this state of charge loads are shed"),
    [BUS_SHED_PRIORITY] = RI_PARAMETER("shed_priority", "", 5.0, 0.0, 99.0, "from this priority number on."),
    [BUS_MODE] = {"mode", "", "0 awake, 1 asleep, 2 safe: chooses the duties of loads.", RI_VALUE_INPUT, 0.0, 0.0, 2.0,
                  RI_PORT_NONE},
    [BUS_ALIVE] = RI_LIMITED_STATE("alive", "", 0.0, 1.0, "0: dead."),
    [BUS_GENERATED] = RI_STATE("generated", "J", "Taken from sources since the start."),
    [BUS_USED] = RI_STATE("used", "J", "Given to loads since the start."),
    [BUS_LOST] = RI_STATE("lost", "J", "Lost in converters since the start."),
    [BUS_CURTAILED] = RI_STATE("curtailed", "J", "Energy that sources could have given and nothing could use."),
    [BUS_DEAD_TIME] = RI_STATE("dead_time", "s", "For which it was dead."),
    [BUS_DEATHS] = RI_STATE("deaths", "", "How often it died."),
    [BUS_VOLTAGE] = RI_OUTPUT("voltage", "V", "Of the bus; 0: dead."),
    [BUS_SOURCE_POWER] = RI_OUTPUT("source_power", "W", "From sources."),
    [BUS_LOAD_POWER] = RI_OUTPUT("load_power", "W", "To loads."),
    [BUS_BATTERY_POWER] = RI_OUTPUT("battery_power", "W", "Into batteries."),
    [BUS_SOC] = RI_OUTPUT("state_of_charge", "", "Of its batteries together."),
    [BUS_SHED] = RI_OUTPUT("shed", "", "Loads that were shed in this step."),
    [BUS_RESIDUAL] = RI_OUTPUT("ledger", "", "What the books lack over the energy turned over."),
};

static bool is_source(const RiMember *m)
{
    return ri_member_is(m, RI_SUBSYSTEM_ARRAY) || ri_member_is(m, RI_SUBSYSTEM_RTG);
}

static bool is_load(const RiMember *m)
{
    return ri_member_is(m, RI_SUBSYSTEM_LOAD) || ri_member_is(m, RI_SUBSYSTEM_HEATER) ||
           ri_member_is(m, RI_SUBSYSTEM_RADIO);
}

static double priority_of(const RiMember *m)
{
    return ri_member_is(m, RI_SUBSYSTEM_HEATER)  ? m->x[HEATER_PRIORITY]
           : ri_member_is(m, RI_SUBSYSTEM_RADIO) ? m->x[RADIO_PRIORITY]
                                                 : m->x[LOAD_PRIORITY];
}

/// Sums over the members of a bus.
typedef struct Sums {
    double available, wanted, charge, discharge, held, capacity, voltage;
} Sums;

static Sums sum_up(RiNetwork *n, int bus, const RiNetworkWorld *w)
{
    Sums s = {0};
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        if (m->ref[REF_BUS] != bus)
            continue;
        if (is_source(m)) {
            s.available += m->x[ri_member_is(m, RI_SUBSYSTEM_ARRAY) ? (int)ARRAY_AVAILABLE : (int)RTG_AVAILABLE];
        } else if (is_load(m)) {
            s.wanted += ri_load_wanted(n, m, w);
        } else if (ri_member_is(m, RI_SUBSYSTEM_BATTERY)) {
            double in, out;
            ri_battery_limits(n, m, w->dt, &in, &out);
            s.charge += in;
            s.discharge += out;
            s.held += m->x[BATTERY_CHARGE];
            s.capacity += m->x[BATTERY_CAPACITY] * m->x[BATTERY_AGED];
        }
    }
    return s;
}

/// The lowest priority number of which all loads of at least that number must go, and what the
/// others want.
static double shed_from(const RiNetwork *n, int bus, double supply, double from, double *out_wanted)
{
    for (;;) {
        double worst = -1.0, sum = 0.0;
        for (int i = 0; i < n->count; i++) {
            const RiMember *m = &n->members[i];
            if (m->ref[REF_BUS] != bus || !is_load(m) || m->wanted == 0.0 || priority_of(m) >= from)
                continue;
            sum += m->wanted;
            worst = fmax(worst, priority_of(m));
        }
        *out_wanted = sum;
        if (sum <= supply || worst < 0.0)
            return from;
        from = worst;
    }
}

/// Shares the power of batteries by what each can.
static void share_batteries(RiNetwork *n, int bus, double power, const Sums *s, double dt)
{
    const double whole = power > 0.0 ? s->charge : s->discharge;
    double volts = 0.0;
    int count = 0;
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        double in, out;
        if (m->ref[REF_BUS] != bus || !ri_member_is(m, RI_SUBSYSTEM_BATTERY))
            continue;
        ri_battery_limits(n, m, dt, &in, &out);
        const double part = whole > 0.0 ? power * (power > 0.0 ? in : out) / whole : 0.0;
        ri_battery_step(n, m, part, dt);
        volts += m->x[BATTERY_VOLTAGE];
        count++;
    }
    double *x = n->members[bus].x;
    x[BUS_VOLTAGE] = x[BUS_ALIVE] == 0.0 ? 0.0 : count ? volts / count : 28.0;
}

static void take_sources(RiNetwork *n, int bus, double part, double dt)
{
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        if (m->ref[REF_BUS] != bus || !is_source(m))
            continue;
        const bool array = ri_member_is(m, RI_SUBSYSTEM_ARRAY);
        const double power = part * m->x[array ? (int)ARRAY_AVAILABLE : (int)RTG_AVAILABLE];
        m->x[array ? (int)ARRAY_POWER : (int)RTG_POWER] = power;
        m->x[array ? (int)ARRAY_ENERGY : (int)RTG_ENERGY] += power * dt;
        if (array)
            ri_member_warm(n, m, REF_NODE, -power);
    }
}

static void serve(RiNetwork *n, int bus, double from, double dt)
{
    double shed = 0.0;
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        if (m->ref[REF_BUS] != bus || !is_load(m))
            continue;
        const bool served = priority_of(m) < from;
        shed += !served && m->wanted > 0.0;
        ri_load_serve(n, m, served, dt);
    }
    n->members[bus].x[BUS_SHED] = shed;
}

/// Dies, lives or comes back; returns the priority number from which on loads are shed.
static double decide(RiNetwork *n, int bus, const Sums *s, double *out_wanted)
{
    double *x = n->members[bus].x;
    const double soc = s->capacity > 0.0 ? s->held / s->capacity : 1.0, all = 1e3;
    const double supply = (s->available + s->discharge) * x[BUS_EFFICIENCY] * (1.0 + 1e-12);
    if (x[BUS_ALIVE] == 0.0 && s->available >= x[BUS_RECOVER_POWER] && soc >= x[BUS_RECOVER_SOC])
        x[BUS_ALIVE] = 1.0;
    double from = 0.0;
    *out_wanted = 0.0;
    if (x[BUS_ALIVE] != 0.0) {
        from = soc < x[BUS_SHED_SOC] ? fmax(x[BUS_SHED_PRIORITY], 1.0) : all;
        from = shed_from(n, bus, supply, from, out_wanted);
        if (from <= 0.0) { // what cannot be missed is missing
            x[BUS_ALIVE] = 0.0;
            x[BUS_DEATHS] += 1.0;
            *out_wanted = 0.0;
        }
    }
    return from;
}

void ri_bus_step(RiNetwork *n, int bus, const RiNetworkWorld *w)
{
    double *x = n->members[bus].x, wanted;
    const double dt = w->dt;
    const Sums s = sum_up(n, bus, w);
    const double from = decide(n, bus, &s, &wanted);
    const double drawn = wanted / x[BUS_EFFICIENCY], surplus = s.available - drawn;
    const double battery = surplus > 0.0 ? fmin(surplus, s.charge) : fmax(surplus, -s.discharge);
    const double taken = drawn + battery, part = s.available > 0.0 ? fmax(taken, 0.0) / s.available : 0.0;
    serve(n, bus, from, dt);
    take_sources(n, bus, fmin(part, 1.0), dt);
    share_batteries(n, bus, battery, &s, dt);
    const double generated = fmin(part, 1.0) * s.available;
    x[BUS_GENERATED] += generated * dt;
    x[BUS_CURTAILED] += (s.available - generated) * dt;
    x[BUS_USED] += wanted * dt;
    x[BUS_LOST] += (drawn - wanted) * dt;
    x[BUS_DEAD_TIME] += x[BUS_ALIVE] == 0.0 ? dt : 0.0;
    x[BUS_SOURCE_POWER] = generated;
    x[BUS_LOAD_POWER] = wanted;
    x[BUS_BATTERY_POWER] = battery;
    double stored = 0.0, lost = 0.0, held = 0.0;
    for (int i = 0; i < n->count; i++)
        if (n->members[i].ref[REF_BUS] == bus && ri_member_is(&n->members[i], RI_SUBSYSTEM_BATTERY)) {
            stored += n->members[i].x[BATTERY_STORED];
            lost += n->members[i].x[BATTERY_LOSS];
            held += n->members[i].x[BATTERY_CHARGE];
        }
    x[BUS_SOC] = s.capacity > 0.0 ? held / s.capacity : 0.0;
    const double turned = x[BUS_GENERATED] + x[BUS_USED] + lost;
    x[BUS_RESIDUAL] = turned > 0.0 ? (x[BUS_GENERATED] - x[BUS_USED] - x[BUS_LOST] - stored - lost) / turned : 0.0;
}

const RiDeviceClass ri_device_bus = {
    .abi = RI_DEVICE_ABI,
    .name = "bus",
    .doc = "Power bus: serves loads by priority, charges batteries, sheds, dies and comes back.",
    .attach = RI_ATTACH_NONE,
    .ports = ports,
    .port_count = BUS_COUNT,
    .update = ri_subsystem_update,
};
