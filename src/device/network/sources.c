// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sources of power: solar arrays and radioisotope generators.
///
///     array:  P = area eta(T) dust k(incidence) tracker sum over strings of (beam cos i lit_s + sky + ground) / strings
///             eta = eta_ref (1 - slope (T - T_ref)) exp(-red_loss (tau - red_from)),   dust' = -deposition dust per day
///     RTG:    P = P0 2^(-t / half_life) (1 - fade)^t,   heat = Q 2^(-t / half_life)
///
/// A string lies across the frame's x axis; rays from its two ends and its middle towards the sun
/// say how much of it is lit, and the darkest of them limits the string. Sources give what they can
/// (available); the bus takes what it can use (power).
#include "base/functions.h"
#include "device/network/network.h"
#include "device/ports.h"

enum { RAYS = 3 };

static const RiPort array_ports[ARRAY_COUNT] = {
    [ARRAY_BUS] = RI_INPUT("bus", "V", "The bus that it feeds: connect to its voltage."),
    [ARRAY_CELL] = RI_INPUT("node", "K",
                            "The thermal node of the cells: connect to its temperature. Without one, the "
                            "cells are as warm as light and air make them."),
    [ARRAY_CLEAN] = RI_INPUT("clean", "", "Part of the dust that wind takes away at once; goes back to 0 when it has."),
    [ARRAY_AREA] = RI_PARAMETER("area", "m^2", 1.0, 0.0, 1e4, "Of all cells."),
    [ARRAY_EFFICIENCY] = RI_PARAMETER("efficiency", "", 0.25, 0.0, 1.0, "Of the cells at the reference temperature."),
    [ARRAY_TEMPERATURE_SLOPE] =
        RI_PARAMETER("temperature_slope", "1/K", 0.002, 0.0, 0.1, "Loss of efficiency with temperature, relative."),
    [ARRAY_REFERENCE] = RI_PARAMETER("reference_temperature", "K", 301.0, 0.0, 1000.0, "Of the efficiency."),
    [ARRAY_TRACKER] = RI_PARAMETER("tracker_efficiency", "", 0.95, 0.0, 1.0, "Of the peak-power tracker and wiring."),
    [ARRAY_DIRECT] = RI_PARAMETER("direct", "", 0.0, 0.0, 1.0,
                                  "1: no peak-power tracker, the strings hang on the bus at its voltage."),
    [ARRAY_CELLS] = RI_PARAMETER("cells", "", 14.0, 1.0, 10000.0, "In series in a string; used with `direct`."),
    [ARRAY_OPEN_VOLTAGE] = RI_PARAMETER("open_voltage", "V", 2.6, 0.01, 100.0,
                                        "Of an open cell at the reference temperature and 590 W/m^2; with `direct`."),
    [ARRAY_VOLTAGE_SLOPE] = RI_PARAMETER("voltage_slope", "V/K", 0.006, 0.0, 10.0,
                                         "Loss of a cell's voltage with temperature; with `direct`."),
    [ARRAY_STRINGS] = RI_PARAMETER("strings", "", 4.0, 1.0, 32.0, "Strings of cells, across the x axis of the frame."),
    [ARRAY_LENGTH] = RI_PARAMETER("side", "m", 1.0, 0.0, 100.0, "Side of the square that the strings cover."),
    [ARRAY_OFFSET] = RI_PARAMETER("height", "m", 0.02, -10.0, 10.0, "Of the cells above the frame, along its z axis."),
    [ARRAY_TILT] = RI_PARAMETER("tilt", "rad", 0.0, -3.15, 3.15,
                                "Of the cells' normal from the frame's z axis towards its x axis."),
    [ARRAY_ABSORPTANCE] = RI_PARAMETER("absorptance", "", 0.9, 0.0, 1.0, "Of the cells, for their heat."),
    [ARRAY_INCIDENCE] = RI_PARAMETER("incidence_loss", "", 0.0, 0.0, 1.0,
                                     "b of the factor 1 - b (1 / cos i - 1) on the beam: reflection at grazing light."),
    [ARRAY_RED_LOSS] = RI_PARAMETER("red_loss", "", 0.0, 0.0, 10.0,
                                    "Loss of efficiency for each unit of the dust's optical depth beyond `red_from`: "
                                    "dust lets red light through, which cells in series cannot use alone; Mars only."),
    [ARRAY_RED_FROM] = RI_PARAMETER("red_from", "", 2.0, 0.0, 30.0,
                                    "Optical depth from which the junction for blue light limits the cells."),
    [ARRAY_DEPOSITION] = RI_PARAMETER("deposition", "Hz", 0.0, 0.0, 1.0, "Rate at which dust takes light."),
    [ARRAY_DUST_START] = RI_PARAMETER("start_dust", "", 1.0, 0.0, 1.0, "Dust factor at the start; 1 is clean."),
    [ARRAY_FAILED] = RI_PARAMETER("failed_strings", "", 0.0, 0.0, 32.0, "Strings that give nothing: a fault."),
    [ARRAY_DUST] = RI_LIMITED_STATE("dust", "", 0.0, 1.0, "Dust factor; 1 is clean."),
    [ARRAY_ENERGY] = RI_STATE("energy", "J", "Given to the bus since the start."),
    [ARRAY_FLUX] = RI_OUTPUT("flux", "W/m^2", "Light on the array's plane, mean of the strings."),
    [ARRAY_LIT] = RI_OUTPUT("lit", "", "Part of the array that the sun reaches."),
    [ARRAY_PEAK] =
        RI_OUTPUT("off_peak", "", "Part of the peak power that is lost by the bus's voltage; with `direct`."),
    [ARRAY_AVAILABLE] = RI_OUTPUT("available", "W", "What it could give."),
    [ARRAY_POWER] = RI_OUTPUT("power", "W", "What the bus takes."),
};

static const char *array_start(RiDeviceCall *call)
{
    double *x = call->x;
    if (x[ARRAY_STRINGS] != floor(x[ARRAY_STRINGS]))
        return "'strings' must be a whole number";
    if (x[ARRAY_DIRECT] != floor(x[ARRAY_DIRECT]))
        return "'direct' must be 0 or 1";
    if (x[ARRAY_FAILED] > x[ARRAY_STRINGS])
        return "'failed_strings' must be at most 'strings'";
    x[ARRAY_DUST] = x[ARRAY_DUST_START];
    return NULL;
}

/// Where cells face, in the world: the frame's z axis, tilted towards its x axis.
static RiVec3 normal_of(const RiMember *m)
{
    const double tilt = m->x[ARRAY_TILT];
    return ri_rotate(&m->pose.R, ri_vec3(ri_sin(tilt), 0.0, ri_cos(tilt)));
}

/// What is between the array and the sun: `middle`, the part of the disc that its middle sees past
/// the terrain, which is the same all over the array where it is between 0 and 1.
static double middle_lit(const RiNetwork *n, const RiMember *m, const RiNetworkWorld *w)
{
    const RiVec3 at = ri_add(m->pose.p, ri_scale(m->x[ARRAY_OFFSET], normal_of(m)));
    return w->free_view ? ri_network_penumbra(n, w, at) : 1.0;
}

/// The part of the sun that a point of the array sees.
static double point_lit(const RiNetwork *n, const RiNetworkWorld *w, RiVec3 at, double middle)
{
    if (!w->look)
        return ri_network_sunlit(n, w, at);
    const RiSeen seen = w->look(w->user, at, w->towards);
    if (seen == RI_SEEN_ROBOT)
        return 0.0;
    return middle > 0.0 && middle < 1.0 ? middle : seen == RI_SEEN_SKY;
}

/// Part of string k that the sun reaches.
static double string_lit(const RiNetwork *n, const RiMember *m, const RiNetworkWorld *w, int k, double middle)
{
    const double *x = m->x, side = x[ARRAY_LENGTH], along = side * ((k + 0.5) / x[ARRAY_STRINGS] - 0.5);
    double lit = 1.0;
    for (int i = 0; i < RAYS && w->free_view; i++) {
        const double c = ri_cos(x[ARRAY_TILT]), s = ri_sin(x[ARRAY_TILT]);
        const RiVec3 at =
            ri_vec3(c * along + s * x[ARRAY_OFFSET], side * 0.45 * (i - 1), c * x[ARRAY_OFFSET] - s * along);
        lit = fmin(lit, point_lit(n, w, ri_add(m->pose.p, ri_rotate(&m->pose.R, at)), middle));
    }
    return lit;
}

/// Temperature of cells that hang in the air: light in, radiation to both sides and convection out,
/// linear about the air.
static double cell_temperature(const double *site, double absorbed)
{
    const double air = site[SITE_AIR], h = 4.0 * 2.0 * 0.85 * 5.670374419e-8 * air * air * air + 1.0;
    return air + absorbed / h;
}

/// Power of a string at a voltage, over its peak power. Both shapes are those of a cell with Vmp /
/// Voc = 0.87 and Imp / Isc = 0.95: I = Isc (1 - C1 (exp(V / (C2 Voc)) - 1)).
static double off_peak_factor(double voltage, double open)
{
    const double v = 0.87, i = 0.95, C2 = (v - 1.0) / ri_log(1.0 - i), C1 = (1.0 - i) * ri_exp(-v / C2);
    const double u = open > 0.0 ? voltage / open : INFINITY;
    if (!(u > 0.0) || u >= 1.2)
        return 0.0;
    const double part = u * (1.0 - C1 * ri_expm1(u / C2)) / (v * (1.0 - C1 * ri_expm1(v / C2)));
    return fmin(fmax(part, 0.0), 1.0);
}

/// What the colour of the light leaves of the efficiency: exp(-red_loss (tau - red_from)) beyond it.
static double colour_factor(const double *x, const double *site, const RiNetworkWorld *w)
{
    const double red = w->place->world == RI_WORLD_MARS ? fmax(site[SITE_TAU] - x[ARRAY_RED_FROM], 0.0) : 0.0;
    return red > 0.0 ? ri_exp(-x[ARRAY_RED_LOSS] * red) : 1.0;
}

/// What is left of a string's peak power on the bus.
static double on_bus(const RiNetwork *n, const RiMember *m, double flux, double T)
{
    const double *x = m->x;
    if (x[ARRAY_DIRECT] == 0.0 || !(flux > 0.0))
        return 1.0;
    const double bright = ri_log(flux * x[ARRAY_DUST] / 590.0), thermal = 8.617333e-5 * T; // kT/q [V]
    const double open = x[ARRAY_CELLS] * (x[ARRAY_OPEN_VOLTAGE] - x[ARRAY_VOLTAGE_SLOPE] * (T - x[ARRAY_REFERENCE]) +
                                          3.0 * thermal * bright); // three junctions
    const RiMember *bus = ri_member_ref(n, m, REF_BUS);
    const double voltage = bus->x[BUS_VOLTAGE];
    return voltage > 0.0 ? off_peak_factor(voltage, open) : 1.0; // a dead bus: its batteries are charged by a converter
}

void ri_array_step(RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    double *x = m->x;
    const double *site = n->site >= 0 ? n->members[n->site].x : NULL;
    const RiVec3 normal = normal_of(m);
    const double incidence = ri_dot(normal, w->towards);
    x[ARRAY_AVAILABLE] = x[ARRAY_FLUX] = x[ARRAY_LIT] = x[ARRAY_PEAK] = 0.0;
    if (!site)
        return;
    const int strings = (int)x[ARRAY_STRINGS];
    const double sky = site[SITE_DIFFUSE] * 0.5 * (1.0 + normal.z) +
                       site[SITE_USED_ALBEDO] * site[SITE_GLOBAL] * 0.5 * (1.0 - normal.z);
    const double graze = incidence > 0.0 ? fmax(1.0 - x[ARRAY_INCIDENCE] * (1.0 / incidence - 1.0), 0.0) : 0.0;
    const double middle = site[SITE_BEAM] > 0.0 && incidence > 0.0 ? middle_lit(n, m, w) : 0.0;
    double good = 0.0, flux_of[32];
    for (int k = 0; k < strings; k++) {
        const double lit = site[SITE_BEAM] > 0.0 && incidence > 0.0 ? string_lit(n, m, w, k, middle) : 0.0;
        flux_of[k] = site[SITE_BEAM] * graze * fmax(incidence, 0.0) * lit + sky;
        x[ARRAY_LIT] += lit / strings;
        x[ARRAY_FLUX] += flux_of[k] / strings;
    }
    const RiMember *cell = ri_member_ref(n, m, REF_NODE);
    const double T = cell ? cell->x[NODE_TEMPERATURE] : cell_temperature(site, x[ARRAY_ABSORPTANCE] * x[ARRAY_FLUX]);
    const double eta = x[ARRAY_EFFICIENCY] * fmax(1.0 - x[ARRAY_TEMPERATURE_SLOPE] * (T - x[ARRAY_REFERENCE]), 0.0) *
                       colour_factor(x, site, w);
    double peak = 0.0;
    for (int k = (int)x[ARRAY_FAILED]; k < strings; k++) {
        peak += flux_of[k] / strings;
        good += flux_of[k] / strings * on_bus(n, m, flux_of[k], T);
    }
    x[ARRAY_PEAK] = peak > 0.0 ? 1.0 - good / peak : 0.0;
    x[ARRAY_DUST] += fmin(fmax(x[ARRAY_CLEAN], 0.0), 1.0) * (1.0 - x[ARRAY_DUST]);
    x[ARRAY_CLEAN] = 0.0;
    x[ARRAY_DUST] *= ri_exp(-x[ARRAY_DEPOSITION] * w->dt);
    x[ARRAY_AVAILABLE] = x[ARRAY_AREA] * eta * x[ARRAY_DUST] * x[ARRAY_TRACKER] * good;
    if (cell) // what does not become power is heat of the cells
        ri_member_warm(n, m, REF_NODE, x[ARRAY_ABSORPTANCE] * x[ARRAY_DUST] * x[ARRAY_AREA] * x[ARRAY_FLUX]);
}

const RiDeviceClass ri_device_solar_array = {
    .abi = RI_DEVICE_ABI,
    .name = "solar_array",
    .doc = "Solar cells on a frame, facing along its z axis or tilted, with a peak-power tracker.",
    .attach = RI_ATTACH_FRAME,
    .ports = array_ports,
    .port_count = ARRAY_COUNT,
    .start = array_start,
    .update = ri_subsystem_update,
};

// --- radioisotope generators ---------------------------------------------------------------------

static const double year = 365.25 * 86400.0;

static const RiPort rtg_ports[RTG_COUNT] = {
    [RTG_BUS] = RI_INPUT("bus", "V", "The bus that it feeds: connect to its voltage."),
    [RTG_NODE] = RI_INPUT("node", "K", "The thermal node that takes its heat: connect to its temperature."),
    [RTG_START_POWER] = RI_PARAMETER("fresh_power", "W", 110.0, 0.0, 1e6, "Electrical power when it was fuelled."),
    [RTG_HEAT] = RI_PARAMETER("fresh_heat", "W", 2000.0, 0.0, 1e7, "Thermal power when it was fuelled."),
    [RTG_AGE] = RI_PARAMETER("age", "s", 0.0, 0.0, 1e10, "Since it was fuelled, at the start."),
    [RTG_HALF_LIFE] =
        RI_PARAMETER("half_life", "s", 87.7 * 365.25 * 86400.0, 1.0, INFINITY, "Of the fuel: plutonium 238."),
    [RTG_FADE] = RI_PARAMETER("fade", "", 0.016, 0.0, 1.0, "Part of the electrical power that couples lose in a year."),
    [RTG_ENERGY] = RI_STATE("energy", "J", "Given to the bus since the start."),
    [RTG_AVAILABLE] = RI_OUTPUT("available", "W", "What it could give."),
    [RTG_POWER] = RI_OUTPUT("power", "W", "What the bus takes."),
};

void ri_rtg_step(RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    double *x = m->x;
    const double age = x[RTG_AGE] + w->time + 0.5 * w->dt, left = ri_exp2(-age / x[RTG_HALF_LIFE]);
    x[RTG_AVAILABLE] = x[RTG_START_POWER] * left * ri_exp(ri_log1p(-fmin(x[RTG_FADE], 0.999)) * age / year);
    ri_member_warm(n, m, REF_NODE, fmax(x[RTG_HEAT] * left - x[RTG_AVAILABLE], 0.0));
}

const RiDeviceClass ri_device_rtg = {
    .abi = RI_DEVICE_ABI,
    .name = "rtg",
    .doc = "Radioisotope generator: power and heat that decay.",
    .attach = RI_ATTACH_NONE,
    .ports = rtg_ports,
    .port_count = RTG_COUNT,
    .update = ri_subsystem_update,
};
