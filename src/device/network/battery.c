// SPDX-License-Identifier: Apache-2.0
/// \file
/// A battery: charge, voltage, losses, limits, ageing.
///
///     U(s) = U_empty + (U_full - U_empty) s,   terminal V = U + R i,   q' = eta i charging, i discharging
///
/// Over a step of length h with constant current i the mean of U is U(s0) + U' eta i h / (2 Q), so
/// the power P at the terminals gives i from
///
///     P = i (U0 + a i),   a = R + U' eta h / (2 Q)
///
/// exactly, and P h = (stored) + R i^2 h + (1 - eta) i U h closes to rounding. Cold takes away the
/// lower end of the charge. Ageing takes capacity with the charge that went through; the energy in
/// the lost part is booked as loss.
#include "device/network/network.h"
#include "device/ports.h"

static const RiPort ports[BATTERY_COUNT] = {
    [BATTERY_BUS] = RI_INPUT("bus", "V", "The bus that it serves: connect to its voltage."),
    [BATTERY_NODE] = RI_INPUT("node", "K", "Its thermal node: connect to its temperature. Without one it is at 293 K."),
    [BATTERY_CAPACITY] =
        RI_PARAMETER("capacity", "A*s", 36000.0, 0.0, 1e12, "Charge between empty and full, when new and warm."),
    [BATTERY_EMPTY_VOLTAGE] = RI_PARAMETER("empty_voltage", "V", 24.0, 0.0, 1e6, "Open-circuit voltage, empty."),
    [BATTERY_FULL_VOLTAGE] = RI_PARAMETER("full_voltage", "V", 32.8, 0.0, 1e6, "Open-circuit voltage, full."),
    [BATTERY_RESISTANCE] = RI_PARAMETER("resistance", "V/A", 0.1, 0.0, 1e6, "Internal."),
    [BATTERY_EFFICIENCY] =
        RI_PARAMETER("charge_efficiency", "", 0.99, 0.0, 1.0, "Part of the charging current that is stored."),
    [BATTERY_CHARGE_CURRENT] = RI_PARAMETER("charge_current", "A", 10.0, 0.0, 1e6, "Largest; 0: it cannot be charged."),
    [BATTERY_DISCHARGE_CURRENT] = RI_PARAMETER("discharge_current", "A", 30.0, 0.0, 1e6, "Largest."),
    [BATTERY_LEAST] = RI_PARAMETER("least_charge", "", 0.0, 0.0, 1.0, "State of charge below which it gives nothing."),
    [BATTERY_COLD] =
        RI_PARAMETER("cold", "K", 253.0, 0.0, 400.0, "Temperature at which `cold_capacity` is left; all at 293 K."),
    [BATTERY_COLD_CAPACITY] =
        RI_PARAMETER("cold_capacity", "", 0.7, 0.01, 1.0, "Part of the capacity that is left when cold."),
    [BATTERY_CHARGE_COLD] = RI_PARAMETER("charge_above", "K", 253.0, 0.0, 1000.0, "It is not charged below."),
    [BATTERY_CHARGE_HOT] = RI_PARAMETER("charge_below", "K", 313.0, 0.0, 1000.0, "It is not charged above."),
    [BATTERY_AGEING] =
        RI_PARAMETER("ageing", "", 0.0, 0.0, 1.0, "Part of the capacity lost by one full discharge and charge."),
    [BATTERY_START] = RI_PARAMETER("start_charge", "", 1.0, 0.0, 1.0, "State of charge at the start."),
    [BATTERY_CHARGE] = RI_STATE("charge", "A*s", "What it holds."),
    [BATTERY_AGED] = RI_LIMITED_STATE("health", "", 0.0, 1.0, "Part of the capacity that ageing has left."),
    [BATTERY_THROUGHPUT] = RI_STATE("throughput", "A*s", "Charge that went in and out."),
    [BATTERY_STORED] = RI_STATE("stored", "J", "Energy put in less taken out since the start, at the cells."),
    [BATTERY_LOSS] = RI_STATE("loss", "J", "Energy lost in it since the start."),
    [BATTERY_SOC] = RI_OUTPUT("state_of_charge", "", "Charge over capacity."),
    [BATTERY_VOLTAGE] = RI_OUTPUT("voltage", "V", "At the terminals."),
    [BATTERY_CURRENT] = RI_OUTPUT("current", "A", "Positive charges it."),
    [BATTERY_POWER] = RI_OUTPUT("power", "W", "Positive charges it."),
    [BATTERY_LOWEST] = RI_STATE("lowest", "", "Lowest state of charge since the start."),
    [BATTERY_INHIBITED] = RI_OUTPUT("inhibited", "", "1: too cold or too hot to be charged."),
};

static const char *start(RiDeviceCall *call)
{
    double *x = call->x;
    if (!ri_is_positive(x[BATTERY_CAPACITY]))
        return "'capacity' must be positive";
    if (!(x[BATTERY_EMPTY_VOLTAGE] > 0.0 && x[BATTERY_FULL_VOLTAGE] >= x[BATTERY_EMPTY_VOLTAGE]))
        return "'empty_voltage' must be positive and at most 'full_voltage'";
    if (!(x[BATTERY_EFFICIENCY] > 0.0))
        return "'charge_efficiency' must be positive";
    if (!(x[BATTERY_CHARGE_COLD] < x[BATTERY_CHARGE_HOT]))
        return "'charge_above' must be below 'charge_below'";
    return NULL;
}

void ri_battery_begin(RiMember *m)
{
    double *x = m->x;
    x[BATTERY_AGED] = 1.0;
    x[BATTERY_CHARGE] = x[BATTERY_START] * x[BATTERY_CAPACITY];
    x[BATTERY_SOC] = x[BATTERY_LOWEST] = x[BATTERY_START];
    x[BATTERY_VOLTAGE] =
        x[BATTERY_EMPTY_VOLTAGE] + (x[BATTERY_FULL_VOLTAGE] - x[BATTERY_EMPTY_VOLTAGE]) * x[BATTERY_START];
}

static double temperature_of(const RiNetwork *n, const RiMember *m)
{
    const RiMember *node = ri_member_ref(n, m, REF_NODE);
    return node ? node->x[NODE_TEMPERATURE] : 293.0;
}

/// State of charge below which cold or the limit keeps it from giving.
static double floor_of(const RiNetwork *n, const RiMember *m)
{
    const double *x = m->x, warm = 293.0, T = temperature_of(n, m);
    const double part = T >= warm ? 0.0 : fmin((warm - T) / fmax(warm - x[BATTERY_COLD], 1e-9), 1.5);
    const double usable = fmax(1.0 - part * (1.0 - x[BATTERY_COLD_CAPACITY]), 0.0);
    return fmax(x[BATTERY_LEAST], 1.0 - usable);
}

static double voltage_slope(const double *x)
{
    return (x[BATTERY_FULL_VOLTAGE] - x[BATTERY_EMPTY_VOLTAGE]) / (x[BATTERY_CAPACITY] * x[BATTERY_AGED]);
}

/// a of P = i (U0 + a i); a positive current charges.
static double slope_of(const double *x, double dt, bool charging)
{
    return x[BATTERY_RESISTANCE] + 0.5 * voltage_slope(x) * (charging ? x[BATTERY_EFFICIENCY] : 1.0) * dt;
}

static double open_voltage(const double *x)
{
    return x[BATTERY_EMPTY_VOLTAGE] + voltage_slope(x) * x[BATTERY_CHARGE];
}

void ri_battery_limits(const RiNetwork *n, RiMember *m, double dt, double *out_charge, double *out_discharge)
{
    double *x = m->x;
    const RiMember *bus = ri_member_ref(n, m, REF_BUS);
    const double T = temperature_of(n, m), Q = x[BATTERY_CAPACITY] * x[BATTERY_AGED], U = open_voltage(x);
    x[BATTERY_INHIBITED] = T < x[BATTERY_CHARGE_COLD] || T > x[BATTERY_CHARGE_HOT];
    const double room = fmax(Q - x[BATTERY_CHARGE], 0.0) / (x[BATTERY_EFFICIENCY] * dt);
    const double in = x[BATTERY_INHIBITED] != 0.0 ? 0.0 : fmin(x[BATTERY_CHARGE_CURRENT], room);
    *out_charge = in * (U + slope_of(x, dt, true) * in);
    const double left = fmax(x[BATTERY_CHARGE] - floor_of(n, m) * Q, 0.0) / dt, a = slope_of(x, dt, false);
    double out = fmin(x[BATTERY_DISCHARGE_CURRENT], left);
    const double least = bus->x[BUS_UNDER_VOLTAGE];
    if (U - a * out < least) // the voltage may not fall below the limit of the bus
        out = a > 0.0 ? fmax((U - least) / a, 0.0) : U >= least ? out : 0.0;
    out = a > 0.0 ? fmin(out, 0.5 * U / a) : out; // beyond, more current gives less power
    *out_discharge = out * (U - a * out);
}

void ri_battery_step(RiNetwork *n, RiMember *m, double power, double dt)
{
    double *x = m->x;
    const double U = open_voltage(x), a = slope_of(x, dt, power > 0.0);
    const double root = sqrt(fmax(U * U + 4.0 * a * power, 0.0)), i = 2.0 * power / (U + root); // P = i (U + a i)
    const double eta = i > 0.0 ? x[BATTERY_EFFICIENCY] : 1.0;
    const double mean = U + 0.5 * voltage_slope(x) * eta * i * dt;
    const double stored = eta * i * mean * dt, loss = (x[BATTERY_RESISTANCE] * i + (1.0 - eta) * mean) * i * dt;
    x[BATTERY_CHARGE] += eta * i * dt;
    x[BATTERY_STORED] += stored;
    x[BATTERY_LOSS] += loss;
    x[BATTERY_THROUGHPUT] += fabs(i) * dt;
    const double aged = x[BATTERY_AGEING] * fabs(i) * dt / (2.0 * x[BATTERY_CAPACITY]) * x[BATTERY_AGED];
    const double gone = aged / x[BATTERY_AGED] * x[BATTERY_CHARGE] * // energy of the charge that the lost part held
                        (x[BATTERY_EMPTY_VOLTAGE] + 0.5 * voltage_slope(x) * x[BATTERY_CHARGE]);
    x[BATTERY_CHARGE] *= 1.0 - aged / x[BATTERY_AGED];
    x[BATTERY_AGED] -= aged;
    x[BATTERY_STORED] -= gone;
    x[BATTERY_LOSS] += gone;
    x[BATTERY_SOC] = x[BATTERY_CHARGE] / (x[BATTERY_CAPACITY] * x[BATTERY_AGED]);
    x[BATTERY_LOWEST] = fmin(x[BATTERY_LOWEST], x[BATTERY_SOC]);
    x[BATTERY_CURRENT] = i;
    x[BATTERY_POWER] = power;
    x[BATTERY_VOLTAGE] = mean + x[BATTERY_RESISTANCE] * i;
    ri_member_warm(n, m, REF_NODE, loss / dt);
}

const RiDeviceClass ri_device_battery = {
    .abi = RI_DEVICE_ABI,
    .name = "battery",
    .doc = "Battery with losses, limits by charge and temperature, and ageing.",
    .attach = RI_ATTACH_NONE,
    .ports = ports,
    .port_count = BATTERY_COUNT,
    .start = start,
    .update = ri_subsystem_update,
};
