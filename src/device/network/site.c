// SPDX-License-Identifier: Apache-2.0
/// \file
/// The site of a robot: light, ground, air; orbiters and the Earth over it.
///
///     daylight: site/sky.c.   ground: absorbed = (1 - A) global + sky_ir, a column of soil.   air: T' = (T_ground - T) / lag, Mars only
///
/// The air near the ground follows it with a lag and stays some 20 K cooler at the warmest time, as
/// measured [spanovich2006]. Sky: the infrared of the sky gives its temperature, (sky_ir /
/// sigma)^(1/4).
#include "base/functions.h"
#include "device/network/network.h"
#include "device/ports.h"

static const double stefan = 5.670374419e-8;

#define LAYER(i) RI_STATE("layer_" #i, "K", "Temperature of layer " #i " of the ground, counted from the surface.")

static const RiPort ports[SITE_COUNT] = {
    [SITE_TAU] = RI_PARAMETER("tau", "", 0.5, 0.0, 30.0, "Optical depth of the dust; a storm sets it by commands."),
    [SITE_ALBEDO] = RI_PARAMETER("albedo", "", 0.25, 0.0, 0.99, "Of the ground."),
    [SITE_INERTIA] = RI_PARAMETER("thermal_inertia", "", 250.0, 1.0, 1e4, "Of the ground, in J/(m^2 K s^0.5)."),
    [SITE_EMISSIVITY] = RI_PARAMETER("emissivity", "", 0.95, 0.0, 1.0, "Of the ground, in the infrared."),
    [SITE_SKY_IR] = RI_PARAMETER("sky_infrared", "W/m^2", 20.0, 0.0, 1e4, "Infrared from the sky on the ground."),
    [SITE_PRESSURE] = RI_PARAMETER("pressure", "Pa", 700.0, 0.0, 1e7, "Of the air; 0: none, and no convection."),
    [SITE_WIND] = RI_PARAMETER("wind", "m/s", 0.0, 0.0, 100.0, "Speed of the wind."),
    [SITE_AIR_LAG] = RI_PARAMETER("air_lag", "s", 5400.0, 1.0, 1e6, "Time in which the air follows the ground."),
    [SITE_SPIN_UP] = RI_PARAMETER("spin_up", "", 10.0, 0.0, 200.0,
                                  "Days before the start over which the ground is brought to its cycle."),
    [SITE_LAYER + 0] = LAYER(0),
    [SITE_LAYER + 1] = LAYER(1),
    [SITE_LAYER + 2] = LAYER(2),
    [SITE_LAYER + 3] = LAYER(3),
    [SITE_LAYER + 4] = LAYER(4),
    [SITE_LAYER + 5] = LAYER(5),
    [SITE_LAYER + 6] = LAYER(6),
    [SITE_LAYER + 7] = LAYER(7),
    [SITE_LAYER + 8] = LAYER(8),
    [SITE_LAYER + 9] = LAYER(9),
    [SITE_LAYER + 10] = LAYER(10),
    [SITE_LAYER + 11] = LAYER(11),
    [SITE_LAYER + 12] = LAYER(12),
    [SITE_LAYER + 13] = LAYER(13),
    [SITE_LAYER + 14] = LAYER(14),
    [SITE_LAYER + 15] = LAYER(15),
    [SITE_LAYER + 16] = LAYER(16),
    [SITE_LAYER + 17] = LAYER(17),
    [SITE_LAYER + 18] = LAYER(18),
    [SITE_LAYER + 19] = LAYER(19),
    [SITE_LAYER + 20] = LAYER(20),
    [SITE_LAYER + 21] = LAYER(21),
    [SITE_LAYER + 22] = LAYER(22),
    [SITE_LAYER + 23] = LAYER(23),
    [SITE_AIR] = RI_STATE("air_temperature", "K", "Of the air near the ground; without air, of the ground."),
    [SITE_GROUND] = RI_STATE("ground_temperature", "K", "Of the surface."),
    [SITE_SKY] = RI_OUTPUT("sky_temperature", "K", "Temperature at which the sky radiates."),
    [SITE_TOP] = RI_OUTPUT("top_flux", "W/m^2", "Sunlight above the air."),
    [SITE_BEAM] = RI_OUTPUT("beam", "W/m^2", "Direct sunlight, normal to it."),
    [SITE_DIFFUSE] = RI_OUTPUT("diffuse", "W/m^2", "Light of the sky on the horizontal."),
    [SITE_GLOBAL] = RI_OUTPUT("global", "W/m^2", "Light on the horizontal."),
    [SITE_LIT] = RI_OUTPUT("disc", "", "Part of the sun's disc above the flat horizon."),
    [SITE_INSOLATION] = RI_STATE("insolation", "J/m^2", "Light on the horizontal since the start."),
    [SITE_BEYOND] =
        RI_OUTPUT("beyond_tables", "", "1: tau is beyond the tables of net flux (0.1 to 6) while the sun is up."),
};
_Static_assert(RI_SOIL_LAYERS == 24, "ports of the layers");

static const char *start(RiDeviceCall *call)
{
    return call->x[SITE_INERTIA] > 0.0 ? NULL : "'thermal_inertia' must be positive";
}

static double day_of(const RiNetworkWorld *w)
{
    return w->place->world == RI_WORLD_MARS        ? 88775.244
           : w->place->world == RI_WORLD_MOON      ? 29.530589 * 86400.0
           : w->place->world == RI_WORLD_EUROPA    ? 307064.0
           : w->place->world == RI_WORLD_ENCELADUS ? 118404.0
                                                   : 86400.0;
}

static RiDaylight light_of(const double *x, const RiNetworkWorld *w, RiSun sun)
{
    const double radius = ri_sun_disc_radius(sun.distance > 0.0 ? sun.distance : 1.0);
    return ri_daylight_compute(w->place->world, ri_sunlight(sun.distance), ri_sin(sun.elevation), x[SITE_TAU],
                               x[SITE_ALBEDO], ri_sun_disc_above(sun.elevation, radius));
}

/// Moves ground and air by dt under a light.
static void warm(double *x, const RiNetworkWorld *w, const RiDaylight *light, double dt)
{
    const RiSoilColumnDef def = {x[SITE_INERTIA], x[SITE_EMISSIVITY], day_of(w)};
    const double absorbed = (1.0 - x[SITE_ALBEDO]) * light->global + x[SITE_EMISSIVITY] * x[SITE_SKY_IR];
    RiSoilColumn column;
    for (int i = 0; i < RI_SOIL_LAYERS; i++)
        column.temperature[i] = x[SITE_LAYER + i];
    const double flux = ri_soil_column_step(&def, &column, absorbed, dt) / dt;
    for (int i = 0; i < RI_SOIL_LAYERS; i++)
        x[SITE_LAYER + i] = column.temperature[i];
    const double emitted = fmax(absorbed - flux, 0.0);
    x[SITE_GROUND] =
        x[SITE_EMISSIVITY] > 0.0 ? sqrt(sqrt(emitted / (x[SITE_EMISSIVITY] * stefan))) : column.temperature[0];
    if (x[SITE_PRESSURE] > 0.0)
        x[SITE_AIR] += (x[SITE_GROUND] - x[SITE_AIR]) * -ri_expm1(-dt / x[SITE_AIR_LAG]);
    else
        x[SITE_AIR] = x[SITE_GROUND];
}

static void report(double *x, const RiNetworkWorld *w, const RiDaylight *light)
{
    x[SITE_SKY] = sqrt(sqrt(x[SITE_SKY_IR] / stefan));
    x[SITE_TOP] = light->top;
    x[SITE_BEAM] = light->beam;
    x[SITE_DIFFUSE] = light->diffuse;
    x[SITE_GLOBAL] = light->global;
    x[SITE_LIT] = ri_sun_disc_above(w->sun.elevation, ri_sun_disc_radius(w->sun.distance));
    x[SITE_BEYOND] = w->place->world == RI_WORLD_MARS && light->global > 0.0 &&
                     (x[SITE_TAU] < RI_NET_FLUX_TAU_MIN || x[SITE_TAU] > RI_NET_FLUX_TAU_MAX);
}

void ri_site_begin(RiMember *m, const RiNetworkWorld *w)
{
    enum { STEPS = 96 };
    double *x = m->x;
    const double day = day_of(w);
    const int days = (int)x[SITE_SPIN_UP];
    RiDaylight cycle[STEPS]; // of the day before the start
    double mean = 0.0;
    for (int i = 0; i < STEPS; i++) {
        cycle[i] = light_of(x, w, ri_sun_compute(w->place, w->time - day + (i + 0.5) * day / STEPS));
        mean += cycle[i].global / STEPS;
    }
    const double absorbed = (1.0 - x[SITE_ALBEDO]) * mean + x[SITE_EMISSIVITY] * x[SITE_SKY_IR];
    const double even = 0.95 * sqrt(sqrt(fmax(absorbed, 0.01) / (fmax(x[SITE_EMISSIVITY], 0.01) * stefan)));
    for (int i = 0; i < RI_SOIL_LAYERS; i++)
        x[SITE_LAYER + i] = even;
    x[SITE_AIR] = x[SITE_GROUND] = even;
    for (int i = 0; i < days * STEPS; i++)
        warm(x, w, &cycle[i % STEPS], day / STEPS);
    x[SITE_INSOLATION] = 0.0;
    const RiDaylight now = light_of(x, w, w->sun);
    report(x, w, &now);
}

void ri_site_step(RiMember *m, const RiNetworkWorld *w)
{
    const RiDaylight light = light_of(m->x, w, w->sun);
    warm(m->x, w, &light, w->dt);
    m->x[SITE_INSOLATION] += light.global * w->dt;
    report(m->x, w, &light);
}

const RiDeviceClass ri_device_site = {
    .abi = RI_DEVICE_ABI,
    .name = "site",
    .doc = "Light, ground and air at the robot's place.",
    .attach = RI_ATTACH_NONE,
    .ports = ports,
    .port_count = SITE_COUNT,
    .start = start,
    .update = ri_subsystem_update,
};

// --- orbiters and the Earth ----------------------------------------------------------------------

static const RiPort orbiter_ports[ORBITER_COUNT] = {
    [ORBITER_SEMI_MAJOR] = RI_PARAMETER("semi_major", "m", 3.7895e6, 0.0, INFINITY, "Semi-major axis of the orbit."),
    [ORBITER_ECCENTRICITY] = RI_PARAMETER("eccentricity", "", 0.0, 0.0, 1.0, "Below 1."),
    [ORBITER_INCLINATION] = RI_ANY_PARAMETER("inclination", "rad", 1.6, "Against the body's equator."),
    [ORBITER_NODE] =
        RI_ANY_PARAMETER("node", "rad", 0.0, "Ascending node, to the east of the prime meridian at the start."),
    [ORBITER_PERIAPSIS] = RI_ANY_PARAMETER("periapsis", "rad", 0.0, "Argument of periapsis."),
    [ORBITER_ANOMALY] = RI_ANY_PARAMETER("anomaly", "rad", 0.0, "Mean anomaly at the start."),
    [ORBITER_AZIMUTH] = RI_OUTPUT("azimuth", "rad", "Clockwise from north."),
    [ORBITER_ELEVATION] = RI_OUTPUT("elevation", "rad", "Above the horizon."),
    [ORBITER_RANGE] = RI_OUTPUT("range", "m", "Distance from the site."),
    [ORBITER_LIGHT_TIME] = RI_OUTPUT("light_time", "s", "One way."),
};

static const RiPort earth_ports[EARTH_COUNT] = {
    [EARTH_AZIMUTH] = RI_OUTPUT("azimuth", "rad", "Clockwise from north."),
    [EARTH_ELEVATION] = RI_OUTPUT("elevation", "rad", "Above the horizon."),
    [EARTH_RANGE] = RI_OUTPUT("range", "m", "Distance from the site."),
    [EARTH_LIGHT_TIME] = RI_OUTPUT("light_time", "s", "One way."),
};
_Static_assert(ORBITER_LIGHT_TIME - ORBITER_AZIMUTH == EARTH_LIGHT_TIME - EARTH_AZIMUTH, "the same outputs");

/// The Earth over the site. Its ephemeris costs a tenth of a millisecond: it is computed every five
/// minutes, and the direction goes straight in between, off by theta^2 / 8 = 6e-5 rad at most.
static RiLook earth_at(RiMember *m, const RiNetworkWorld *w, double time)
{
    const double period = 300.0;
    const long long knot = (long long)floor(time / period);
    if (!m->has_knots || m->knot != knot) {
        m->from = m->has_knots && m->knot == knot - 1 ? m->to : ri_earth_look(w->place, period * (double)knot);
        m->to = ri_earth_look(w->place, period * (double)(knot + 1));
        m->knot = knot;
        m->has_knots = true;
    }
    const double part = time / period - (double)knot;
    const RiVec3 u = ri_add(ri_scale(1.0 - part, m->from.towards), ri_scale(part, m->to.towards));
    const RiSun angles = ri_sun_from_direction(u);
    return (RiLook){.azimuth = angles.azimuth,
                    .elevation = angles.elevation,
                    .range = (1.0 - part) * m->from.range + part * m->to.range,
                    .light_time = (1.0 - part) * m->from.light_time + part * m->to.light_time};
}

void ri_orbiter_step(RiMember *m, const RiNetworkWorld *w)
{
    const bool earth = ri_member_is(m, RI_SUBSYSTEM_EARTH);
    const double *x = m->x, middle = w->time + 0.5 * w->dt;
    double *out = m->x + (earth ? EARTH_AZIMUTH : ORBITER_AZIMUTH);
    RiLook look;
    if (earth) {
        look = earth_at(m, w, middle);
    } else {
        const RiOrbit o = {x[ORBITER_SEMI_MAJOR], x[ORBITER_ECCENTRICITY], x[ORBITER_INCLINATION],
                           x[ORBITER_NODE],       x[ORBITER_PERIAPSIS],    x[ORBITER_ANOMALY]};
        look = ri_orbit_look(&o, w->place->world, w->place->latitude, w->place->longitude, 0.0, middle);
    }
    out[0] = look.azimuth;
    out[1] = look.elevation;
    out[2] = look.range;
    out[3] = look.light_time;
}

const RiDeviceClass ri_device_orbiter = {
    .abi = RI_DEVICE_ABI,
    .name = "orbiter",
    .doc = "A relay on a Keplerian orbit, as seen from the site.",
    .attach = RI_ATTACH_NONE,
    .ports = orbiter_ports,
    .port_count = ORBITER_COUNT,
    .update = ri_subsystem_update,
};

const RiDeviceClass ri_device_earth = {
    .abi = RI_DEVICE_ABI,
    .name = "earth",
    .doc = "The Earth, as seen from the site.",
    .attach = RI_ATTACH_NONE,
    .ports = earth_ports,
    .port_count = EARTH_COUNT,
    .update = ri_subsystem_update,
};
