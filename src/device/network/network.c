// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of subsystems, and a step of all of them.
#include "device/network/network.h"

#define KIND(name) (1U << RI_SUBSYSTEM_##name)
#define BUS_OF(port_)                                                                                                  \
    {                                                                                                                  \
        port_, KIND(BUS), true                                                                                         \
    }
#define NODE_OF(port_)                                                                                                 \
    {                                                                                                                  \
        port_, KIND(NODE), false                                                                                       \
    }
#define NONE                                                                                                           \
    {                                                                                                                  \
        -1, 0, false                                                                                                   \
    }

#define DEGREE (M_PI / 180.0)

// Order: REF_BUS, REF_NODE, REF_THIRD; columns of its table.
static const RiSubsystemClass rows[] = {
    {&ri_device_site, RI_SUBSYSTEM_SITE, {NONE, NONE, NONE}, {{"time", 1.0}, {"tau", 1.0}}},
    {&ri_device_orbiter,
     RI_SUBSYSTEM_ORBITER,
     {NONE, NONE, NONE},
     {{"rise", 1.0},
      {"set", 1.0},
      {"elevation_deg", DEGREE},
      {"rise_azimuth_deg", DEGREE},
      {"set_azimuth_deg", DEGREE}}},
    {&ri_device_earth, RI_SUBSYSTEM_EARTH, {NONE, NONE, NONE}, {{0}}},
    {&ri_device_solar_array, RI_SUBSYSTEM_ARRAY, {BUS_OF(ARRAY_BUS), NODE_OF(ARRAY_CELL), NONE}, {{0}}},
    {&ri_device_rtg, RI_SUBSYSTEM_RTG, {BUS_OF(RTG_BUS), NODE_OF(RTG_NODE), NONE}, {{0}}},
    {&ri_device_battery, RI_SUBSYSTEM_BATTERY, {BUS_OF(BATTERY_BUS), NODE_OF(BATTERY_NODE), NONE}, {{0}}},
    {&ri_device_bus, RI_SUBSYSTEM_BUS, {NONE, NONE, NONE}, {{0}}},
    {&ri_device_load, RI_SUBSYSTEM_LOAD, {BUS_OF(LOAD_BUS), NODE_OF(LOAD_NODE), NONE}, {{0}}},
    {&ri_device_heater,
     RI_SUBSYSTEM_HEATER,
     {BUS_OF(HEATER_BUS), {HEATER_NODE, KIND(NODE), true}, NODE_OF(HEATER_SENSOR)},
     {{0}}},
    {&ri_device_thermal_node, RI_SUBSYSTEM_NODE, {NONE, NONE, NONE}, {{0}}},
    {&ri_device_conductor,
     RI_SUBSYSTEM_CONDUCTOR,
     {{CONDUCTOR_A, KIND(NODE), true}, {CONDUCTOR_B, KIND(NODE), true}, NONE},
     {{0}}},
    {&ri_device_radio,
     RI_SUBSYSTEM_RADIO,
     {BUS_OF(RADIO_BUS), {RADIO_REMOTE, KIND(ORBITER) | KIND(EARTH), true}, {RADIO_RECORDER, KIND(RECORDER), false}},
     {{0}}},
    {&ri_device_recorder, RI_SUBSYSTEM_RECORDER, {NONE, NONE, NONE}, {{0}}},
    {&ri_device_horizon,
     RI_SUBSYSTEM_HORIZON,
     {NONE, NONE, NONE},
     {{"azimuth_deg", DEGREE}, {"elevation_deg", DEGREE}}},
    {&ri_device_ground_cover, RI_SUBSYSTEM_COVER, {NONE, NONE, NONE}, {{0}}},
};
enum { ROWS = sizeof rows / sizeof *rows };

const RiSubsystemClass *ri_subsystem_of(const RiDeviceClass *device)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].device == device)
            return &rows[i];
    return NULL;
}

void ri_subsystem_update(RiDeviceCall *call)
{
    (void)call;
}

// --- checks --------------------------------------------------------------------------------------

static const char *check_refs(const RiNetwork *n, const RiMember *m)
{
    for (int k = 0; k < RI_NETWORK_REFS; k++) {
        const RiRefRule *rule = &m->row->refs[k];
        if (rule->port < 0)
            continue;
        if (m->ref[k] < 0 && rule->required)
            return rule->kinds == KIND(BUS) ? "has no bus: connect 'bus' to the voltage of one"
                   : rule->kinds == KIND(NODE)
                       ? "lacks a thermal node: connect its inputs to temperatures of nodes"
                       : "has no remote: connect 'remote' to the range of an orbiter or the Earth";
        if (m->ref[k] >= 0 && !(rule->kinds & 1U << n->members[m->ref[k]].row->kind))
            return "is connected to a subsystem of the wrong kind for this input";
    }
    return NULL;
}

/// Whether a heater feels another node than the one that it heats.
static bool feels_elsewhere(const RiNetwork *n, const RiMember *m)
{
    const int heats = m->ref[REF_NODE], feels = m->ref[REF_THIRD];
    return ri_member_is(m, RI_SUBSYSTEM_HEATER) && heats >= 0 && feels >= 0 && heats != feels &&
           n->node_of[heats] >= 0 && n->node_of[feels] >= 0;
}

/// Whether heaters wait for each other in a ring: each feels the node that the next one heats. All
/// nodes that the heater's thermostat follows in the end are marked, node by node.
static bool is_in_ring(const RiNetwork *n, int heater)
{
    const RiMember *first = &n->members[heater];
    if (!feels_elsewhere(n, first))
        return false;
    double *followed = n->work; // by number of the node
    for (int k = 0; k < n->node_count; k++)
        followed[k] = 0.0;
    followed[n->node_of[first->ref[REF_THIRD]]] = 1.0;
    for (bool grew = true; grew;) {
        grew = false;
        for (int i = 0; i < n->count; i++) {
            const RiMember *m = &n->members[i];
            if (!feels_elsewhere(n, m) || followed[n->node_of[m->ref[REF_NODE]]] == 0.0 ||
                followed[n->node_of[m->ref[REF_THIRD]]] != 0.0)
                continue;
            followed[n->node_of[m->ref[REF_THIRD]]] = 1.0;
            grew = true;
        }
    }
    return followed[n->node_of[first->ref[REF_NODE]]] != 0.0;
}

static const char *check_kind(const RiNetwork *n, int i, RiWorld world)
{
    const RiMember *m = &n->members[i];
    const double *x = m->x;
    if (ri_member_is(m, RI_SUBSYSTEM_SITE) && n->site != i)
        return "is a second site: a robot has one";
    if (ri_member_is(m, RI_SUBSYSTEM_HORIZON) && n->horizon != i)
        return "is a second horizon: a robot has one";
    if ((ri_member_is(m, RI_SUBSYSTEM_HORIZON) || ri_member_is(m, RI_SUBSYSTEM_COVER)) && n->site < 0)
        return "needs a device of class site: it is what the site has";
    if (ri_member_table_trouble(m))
        return ri_member_table_trouble(m);
    if (ri_member_is(m, RI_SUBSYSTEM_ARRAY) && n->site < 0)
        return "needs a device of class site: it knows the light";
    if (ri_member_is(m, RI_SUBSYSTEM_EARTH) && (world == RI_WORLD_UNKNOWN || world == RI_WORLD_EARTH))
        return "needs a sun with a date on another body";
    if (ri_member_is(m, RI_SUBSYSTEM_HEATER) && is_in_ring(n, i))
        return "is in a ring of thermostats that feel each other's nodes";
    if (ri_member_is(m, RI_SUBSYSTEM_CONDUCTOR) && m->ref[0] == m->ref[1])
        return "joins a node to itself";
    if (ri_member_is(m, RI_SUBSYSTEM_BATTERY) && m->ref[REF_BUS] >= 0 &&
        n->members[m->ref[REF_BUS]].x[BUS_UNDER_VOLTAGE] > x[BATTERY_FULL_VOLTAGE])
        return "has a 'full_voltage' below 'under_voltage' of its bus: it could never be drawn";
    if (!ri_member_is(m, RI_SUBSYSTEM_ORBITER))
        return NULL;
    const RiOrbit o = {x[ORBITER_SEMI_MAJOR], x[ORBITER_ECCENTRICITY], x[ORBITER_INCLINATION],
                       x[ORBITER_NODE],       x[ORBITER_PERIAPSIS],    x[ORBITER_ANOMALY]};
    return ri_orbit_trouble(&o, world);
}

const char *ri_network_check(const RiNetwork *n, RiWorld world, int *out_member)
{
    for (int i = 0; i < n->count; i++) {
        *out_member = i;
        const char *wrong = check_refs(n, &n->members[i]);
        if (!wrong)
            wrong = check_kind(n, i, world);
        if (wrong)
            return wrong;
    }
    return NULL;
}

// --- steps ---------------------------------------------------------------------------------------

RiStatus ri_network_prepare(RiContext *ctx, RiArena *arena, RiNetwork *n)
{
    n->node_of = ri_arena_alloc(arena, (size_t)n->count + 1, sizeof *n->node_of);
    n->work = ri_arena_alloc(arena, 8 * (size_t)n->count + 1, sizeof *n->work);
    if (!n->node_of || !n->work)
        return ri_error_memory(ctx);
    n->node_count = 0;
    n->site = n->horizon = n->cover = -1;
    n->moved = true;
    for (int i = 0; i < n->count; i++) {
        n->node_of[i] = ri_member_is(&n->members[i], RI_SUBSYSTEM_NODE) ? n->node_count++ : -1;
        if (n->site < 0 && ri_member_is(&n->members[i], RI_SUBSYSTEM_SITE))
            n->site = i;
        if (n->horizon < 0 && ri_member_is(&n->members[i], RI_SUBSYSTEM_HORIZON))
            n->horizon = i;
    }
    return RI_OK;
}

void ri_network_begin(RiNetwork *n, const RiNetworkWorld *w)
{
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        if (ri_member_is(m, RI_SUBSYSTEM_SITE))
            ri_site_begin(n, m, w);
        if (ri_member_is(m, RI_SUBSYSTEM_BATTERY))
            ri_battery_begin(m);
        if (ri_member_is(m, RI_SUBSYSTEM_BUS))
            m->x[BUS_ALIVE] = 1.0;
        if (ri_member_is(m, RI_SUBSYSTEM_LOAD)) // until the first step says otherwise
            m->x[LOAD_SUPPLY] = m->x[LOAD_ON] != 0.0;
    }
    ri_thermal_begin(n);
    for (int i = 0; i < n->count; i++) // what is reported at the start
        if (ri_member_is(&n->members[i], RI_SUBSYSTEM_BATTERY)) {
            n->members[n->members[i].ref[REF_BUS]].x[BUS_SOC] = n->members[i].x[BATTERY_SOC];
            n->members[n->members[i].ref[REF_BUS]].x[BUS_VOLTAGE] = n->members[i].x[BATTERY_VOLTAGE];
        }
}

/// What comes before the bus: sky, relays, sources.
static void see(RiNetwork *n, const RiNetworkWorld *w)
{
    if (n->horizon >= 0)
        ri_horizon_step(n, &n->members[n->horizon], w);
    if (n->site >= 0)
        ri_site_step(n, &n->members[n->site], w);
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        m->heat = m->wanted = 0.0;
        if (ri_member_is(m, RI_SUBSYSTEM_ORBITER) || ri_member_is(m, RI_SUBSYSTEM_EARTH))
            ri_orbiter_step(m, w);
        if (ri_member_is(m, RI_SUBSYSTEM_COVER))
            m->x[COVER_UNDER] = i == n->cover;
        if (n->moved && ri_member_is(m, RI_SUBSYSTEM_NODE))
            ri_node_look(n, m, w);
    }
    n->moved = false;
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        if (ri_member_is(m, RI_SUBSYSTEM_ARRAY))
            ri_array_step(n, m, w);
        else if (ri_member_is(m, RI_SUBSYSTEM_RTG))
            ri_rtg_step(n, m, w);
        else if (ri_member_is(m, RI_SUBSYSTEM_RADIO))
            ri_radio_look(n, m, w);
    }
}

void ri_network_step(RiNetwork *n, const RiNetworkWorld *w)
{
    see(n, w);
    for (int i = 0; i < n->count; i++)
        if (ri_member_is(&n->members[i], RI_SUBSYSTEM_BUS))
            ri_bus_step(n, i, w);
    ri_thermal_step(n, w);
    for (int i = 0; i < n->count; i++) {
        RiMember *m = &n->members[i];
        if (ri_member_is(m, RI_SUBSYSTEM_RECORDER))
            ri_recorder_step(m, w->dt);
    }
    for (int i = 0; i < n->count; i++)
        if (ri_member_is(&n->members[i], RI_SUBSYSTEM_RADIO))
            ri_radio_send(n, &n->members[i], w->dt);
}
