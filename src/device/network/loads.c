// SPDX-License-Identifier: Apache-2.0
/// \file
/// What draws power: loads with modes, and heaters with thermostats.
///
/// A load draws `power` times the duty of the bus's mode while it is on, plus the power that
/// `follow` brings, plus what up to six energy counters gained since the last step over its length:
/// motors by the current that they really drew. What motors drew while the bus gave nothing is
/// owed: the counters are seen only as far as the bus has given, so that a later step brings it,
/// and what motors gave back while braking lowers later steps. `supply` says whether devices that
/// hang on the load have power. A heater switches on below one temperature and off above another.
#include "device/network/network.h"
#include "device/ports.h"

#define ENERGY(i) RI_INPUT("energy_" #i, "J", "An energy counter that it follows, such as that of a drive train.")

static const RiPort load_ports[LOAD_COUNT] = {
    [LOAD_BUS] = RI_INPUT("bus", "V", "The bus that feeds it: connect to its voltage."),
    [LOAD_NODE] = RI_INPUT("node", "K", "The thermal node that takes its heat: connect to its temperature."),
    [LOAD_ON] = {"on", "", "Not 0: it is switched on.", RI_VALUE_INPUT, 1.0, -INFINITY, INFINITY, RI_PORT_NONE},
    [LOAD_FOLLOW] = RI_INPUT("follow", "W", "Power of a device that it follows, on or off."),
    [LOAD_ENERGY_1] = ENERGY(1),
    [LOAD_ENERGY_1 + 1] = ENERGY(2),
    [LOAD_ENERGY_1 + 2] = ENERGY(3),
    [LOAD_ENERGY_1 + 3] = ENERGY(4),
    [LOAD_ENERGY_1 + 4] = ENERGY(5),
    [LOAD_ENERGY_6] = ENERGY(6),
    [LOAD_POWER] = RI_PARAMETER("power", "W", 0.0, 0.0, 1e9, "While it is on."),
    [LOAD_PRIORITY] = RI_PARAMETER("priority", "", 5.0, 0.0, 99.0,
                                   "Loads with the largest number are shed first; 0: the bus dies without it."),
    [LOAD_AWAKE] = RI_PARAMETER("awake", "", 1.0, 0.0, 1.0, "Duty in mode 0 of the bus."),
    [LOAD_ASLEEP] = RI_PARAMETER("asleep", "", 0.0, 0.0, 1.0, "Duty in mode 1."),
    [LOAD_SAFE] = RI_PARAMETER("safe", "", 0.0, 0.0, 1.0, "Duty in mode 2."),
    [LOAD_HEAT] = RI_PARAMETER("heat_part", "", 1.0, 0.0, 1.0, "Part of its power that becomes heat of its node."),
    [LOAD_SEEN] = RI_STATE("seen", "J", "Part of the energy counters' sum that the bus has given."),
    [LOAD_USED] = RI_STATE("energy", "J", "Drawn since the start."),
    [LOAD_DRAW] = RI_OUTPUT("draw", "W", "What it draws."),
    [LOAD_SERVED] = RI_OUTPUT("served", "", "0: it requested power and was shed."),
    [LOAD_SUPPLY] = RI_OUTPUT("supply", "", "1: switched on, and the bus is alive and does not shed it."),
    [LOAD_UNSERVED] = RI_STATE("unserved", "J", "Energy that it requested and did not get."),
};

static double counters(const double *x)
{
    double sum = 0.0;
    for (int k = LOAD_ENERGY_1; k <= LOAD_ENERGY_6; k++)
        sum += x[k];
    return sum;
}

static double duty(const double *x, double mode)
{
    return mode < 0.5 ? x[LOAD_AWAKE] : mode < 1.5 ? x[LOAD_ASLEEP] : x[LOAD_SAFE];
}

/// What it draws besides the counters [W].
static double own_draw(const RiNetwork *n, const RiMember *m)
{
    const double *x = m->x, mode = ri_member_ref(n, m, REF_BUS)->x[BUS_MODE];
    return (x[LOAD_ON] != 0.0 ? x[LOAD_POWER] * duty(x, mode) : 0.0) + fmax(x[LOAD_FOLLOW], 0.0);
}

static double load_wanted(const RiNetwork *n, const RiMember *m, double dt)
{
    return fmax(own_draw(n, m) + (counters(m->x) - m->x[LOAD_SEEN]) / dt, 0.0);
}

static void load_serve(RiNetwork *n, RiMember *m, bool served, double dt)
{
    double *x = m->x;
    const double own = own_draw(n, m), power = served ? m->wanted : 0.0;
    x[LOAD_DRAW] = power;
    x[LOAD_SERVED] = served || m->wanted == 0.0;
    x[LOAD_SUPPLY] = served && x[LOAD_ON] != 0.0;
    x[LOAD_USED] += power * dt;
    x[LOAD_SEEN] += served ? (power - own) * dt : 0.0;
    x[LOAD_UNSERVED] += served ? 0.0 : own * dt; // what the counters gained is still owed
    ri_member_warm(n, m, REF_NODE, power * x[LOAD_HEAT]);
}

/// The thermostat: on below, off above, as it was in between.
static double heater_wanted(const RiNetwork *n, RiMember *m)
{
    double *x = m->x;
    const RiMember *sensor = m->ref[REF_THIRD] >= 0 ? ri_member_ref(n, m, REF_THIRD) : ri_member_ref(n, m, REF_NODE);
    const double T = sensor->x[NODE_TEMPERATURE];
    if (x[HEATER_FAULT] == 0.0)
        x[HEATER_ON] = T < x[HEATER_ON_BELOW] ? 1.0 : T > x[HEATER_OFF_ABOVE] ? 0.0 : x[HEATER_ON];
    else
        x[HEATER_ON] = x[HEATER_FAULT] == 1.0 ? 0.0 : 1.0;
    return x[HEATER_ENABLED] != 0.0 && x[HEATER_ON] != 0.0 ? x[HEATER_POWER] : 0.0;
}

static double radio_wanted(const RiMember *m)
{
    const double *x = m->x;
    const bool on = x[RADIO_ON] != 0.0 || (x[RADIO_AUTOMATIC] != 0.0 && x[RADIO_VISIBLE] != 0.0);
    return on ? x[RADIO_DRAW_POWER] : 0.0;
}

double ri_load_wanted(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    if (ri_member_is(m, RI_SUBSYSTEM_HEATER))
        return m->wanted = heater_wanted(n, m);
    if (ri_member_is(m, RI_SUBSYSTEM_RADIO))
        return m->wanted = radio_wanted(m);
    return m->wanted = load_wanted(n, m, w->dt);
}

void ri_load_serve(RiNetwork *n, RiMember *m, bool served, double dt)
{
    const double power = served ? m->wanted : 0.0;
    double *x = m->x;
    if (ri_member_is(m, RI_SUBSYSTEM_HEATER)) {
        x[HEATER_DRAW] = power;
        x[HEATER_SERVED] = served || m->wanted == 0.0;
        x[HEATER_USED] += power * dt;
        x[HEATER_ON_TIME] += power > 0.0 ? dt : 0.0;
        ri_member_warm(n, m, REF_NODE, power);
    } else if (ri_member_is(m, RI_SUBSYSTEM_RADIO)) {
        x[RADIO_DRAW] = power;
        x[RADIO_SERVED] = served && m->wanted > 0.0;
        x[RADIO_USED] += power * dt;
    } else {
        load_serve(n, m, served, dt);
    }
}

const RiDeviceClass ri_device_load = {
    .abi = RI_DEVICE_ABI,
    .name = "load",
    .doc = "A named load of a bus, by modes, by a device's power or by energy counters.",
    .attach = RI_ATTACH_NONE,
    .ports = load_ports,
    .port_count = LOAD_COUNT,
    .update = ri_subsystem_update,
};

static const RiPort heater_ports[HEATER_COUNT] = {
    [HEATER_BUS] = RI_INPUT("bus", "V", "The bus that feeds it: connect to its voltage."),
    [HEATER_NODE] = RI_INPUT("node", "K", "The thermal node that it heats: connect to its temperature."),
    [HEATER_SENSOR] =
        RI_INPUT("sensor", "K", "The node that its thermostat feels; without one, the node that it heats."),
    [HEATER_ENABLED] = {"enabled", "", "Not 0: the thermostat may switch it on.", RI_VALUE_INPUT, 1.0, -INFINITY,
                        INFINITY, RI_PORT_NONE},
    [HEATER_POWER] = RI_PARAMETER("power", "W", 5.0, 0.0, 1e6, "While it is on."),
    [HEATER_ON_BELOW] = RI_PARAMETER("on_below", "K", 253.0, 0.0, 1000.0, "The thermostat switches on."),
    [HEATER_OFF_ABOVE] = RI_PARAMETER("off_above", "K", 258.0, 0.0, 1000.0, "The thermostat switches off."),
    [HEATER_PRIORITY] = RI_PARAMETER("priority", "", 2.0, 0.0, 99.0, "As that of a load."),
    [HEATER_FAULT] = RI_PARAMETER("fault", "", 0.0, 0.0, 2.0, "1: stuck off, 2: stuck on."),
    [HEATER_ON] = RI_LIMITED_STATE("on", "", 0.0, 1.0, "1: the thermostat demands heat."),
    [HEATER_USED] = RI_STATE("energy", "J", "Drawn since the start."),
    [HEATER_ON_TIME] = RI_STATE("on_time", "s", "For which it was heating."),
    [HEATER_DRAW] = RI_OUTPUT("draw", "W", "What it draws."),
    [HEATER_SERVED] = RI_OUTPUT("served", "", "0: it requested power and was shed."),
};

static const char *heater_start(RiDeviceCall *call)
{
    return call->x[HEATER_ON_BELOW] < call->x[HEATER_OFF_ABOVE]
               ? NULL
               : "'on_below' must be below 'off_above': a thermostat without a gap never stops switching";
}

const RiDeviceClass ri_device_heater = {
    .abi = RI_DEVICE_ABI,
    .name = "heater",
    .doc = "Electrical heater with a thermostat.",
    .attach = RI_ATTACH_NONE,
    .ports = heater_ports,
    .port_count = HEATER_COUNT,
    .start = heater_start,
    .update = ri_subsystem_update,
};
