// SPDX-License-Identifier: Apache-2.0
/// \file
/// The site of a robot: light, ground, air; orbiters and the Earth over it.
///
///     daylight: site/sky.c.   ground: absorbed = (1 - A) global + sky_ir, columns of soil.   air: T' = (T_ground - T) / lag, Mars only
///
/// The air near the ground follows it with a lag and stays some 20 K cooler at the warmest time, as
/// measured [spanovich2006]. Sky: the infrared of the sky gives its temperature, (sky_ir /
/// sigma)^(1/4).
#include "base/functions.h"
#include "device/network/network.h"
#include "device/ports.h"

static const double stefan = 5.670374419e-8;

#define LAYER(i) RI_STATE("layer_" #i, "K", "Temperature of layer " #i " of the ground, counted from the surface.")

#define LAYERS(at)                                                                                                     \
    [(at) + 0] = LAYER(0), [(at) + 1] = LAYER(1), [(at) + 2] = LAYER(2), [(at) + 3] = LAYER(3), [(at) + 4] = LAYER(4), \
            [(at) + 5] = LAYER(5), [(at) + 6] = LAYER(6), [(at) + 7] = LAYER(7), [(at) + 8] = LAYER(8),                \
            [(at) + 9] = LAYER(9), [(at) + 10] = LAYER(10), [(at) + 11] = LAYER(11), [(at) + 12] = LAYER(12),          \
            [(at) + 13] = LAYER(13), [(at) + 14] = LAYER(14), [(at) + 15] = LAYER(15), [(at) + 16] = LAYER(16),        \
            [(at) + 17] = LAYER(17), [(at) + 18] = LAYER(18), [(at) + 19] = LAYER(19), [(at) + 20] = LAYER(20),        \
            [(at) + 21] = LAYER(21), [(at) + 22] = LAYER(22), [(at) + 23] = LAYER(23)

static const RiPort ports[SITE_COUNT] = {
    [SITE_TAU] = RI_PARAMETER("tau", "", 0.5, 0.0, 30.0,
                              "Optical depth of the dust; a storm sets it by commands, or a `file` of time and tau."),
    [SITE_ALBEDO] = RI_PARAMETER("albedo", "", 0.25, 0.0, 0.99, "Of the ground."),
    [SITE_INERTIA] = RI_PARAMETER("thermal_inertia", "", 250.0, 1.0, 1e4, "Of the ground, in J/(m^2 K s^0.5)."),
    [SITE_EMISSIVITY] = RI_PARAMETER("emissivity", "", 0.95, 0.0, 1.0, "Of the ground, in the infrared."),
    [SITE_SKY_IR] = RI_PARAMETER("sky_infrared", "W/m^2", 20.0, 0.0, 1e4, "Infrared from the sky on the ground."),
    [SITE_PRESSURE] = RI_PARAMETER("pressure", "Pa", 700.0, 0.0, 1e7, "Of the air; 0: none, and no convection."),
    [SITE_WIND] = RI_PARAMETER("wind", "m/s", 0.0, 0.0, 100.0, "Speed of the wind."),
    [SITE_AIR_LAG] = RI_PARAMETER("air_lag", "s", 5400.0, 1.0, 1e6, "Time in which the air follows the ground."),
    [SITE_SPIN_UP] = RI_PARAMETER("spin_up", "", 10.0, 0.0, 200.0,
                                  "Days before the start over which the ground is brought to its cycle."),
    LAYERS(SITE_LAYER),
    [SITE_AIR] = RI_STATE("air_temperature", "K", "Of the air near the ground; without air, of the ground."),
    [SITE_GROUND] = RI_STATE("ground_temperature", "K", "Of the surface."),
    [SITE_SKY] = RI_OUTPUT("sky_temperature", "K", "Temperature at which the sky radiates."),
    [SITE_TOP] = RI_OUTPUT("top_flux", "W/m^2", "Sunlight above the air."),
    [SITE_BEAM] = RI_OUTPUT("beam", "W/m^2", "Direct sunlight, normal to it."),
    [SITE_DIFFUSE] = RI_OUTPUT("diffuse", "W/m^2", "Light of the sky on the horizontal."),
    [SITE_GLOBAL] = RI_OUTPUT("global", "W/m^2", "Light on the horizontal."),
    [SITE_LIT] = RI_OUTPUT("disc", "", "Part of the sun's disc above the flat horizon."),
    [SITE_USED_ALBEDO] = RI_OUTPUT("used_albedo", "", "Of the ground under the robot: a ground_cover's, or `albedo`."),
    [SITE_USED_INERTIA] = RI_OUTPUT("used_inertia", "", "Thermal inertia of the ground under the robot."),
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
    switch (w->place->world) {
    case RI_WORLD_MARS:
        return 88775.244;
    case RI_WORLD_MOON:
        return 29.530589 * 86400.0;
    case RI_WORLD_EUROPA:
        return 307064.0;
    case RI_WORLD_ENCELADUS:
        return 118404.0;
    case RI_WORLD_UNKNOWN:
    case RI_WORLD_EARTH:
    case RI_WORLD_COUNT:
        break;
    }
    return 86400.0;
}

/// Light at a time with the sun there. `lit`: part of its disc above the horizon.
static RiDaylight light_of(const RiNetwork *n, const double *x, const RiNetworkWorld *w, RiSun sun)
{
    const double radius = ri_sun_disc_radius(sun.distance > 0.0 ? sun.distance : 1.0);
    return ri_daylight_compute(w->place->world, ri_sunlight(sun.distance), ri_sin(sun.elevation), x[SITE_TAU],
                               x[SITE_USED_ALBEDO],
                               ri_sun_disc_above(sun.elevation - ri_network_horizon(n, sun.azimuth), radius));
}

/// Moves a column of ground by dt under a light; its surface's temperature.
static double warm_ground(double *layers, double inertia, double albedo, const double *site, const RiNetworkWorld *w,
                          const RiDaylight *light, double dt)
{
    const RiSoilColumnDef def = {inertia, site[SITE_EMISSIVITY], day_of(w)};
    const double absorbed = (1.0 - albedo) * light->global + site[SITE_EMISSIVITY] * site[SITE_SKY_IR];
    RiSoilColumn column;
    for (int i = 0; i < RI_SOIL_LAYERS; i++)
        column.temperature[i] = layers[i];
    const double flux = ri_soil_column_step(&def, &column, absorbed, dt) / dt;
    for (int i = 0; i < RI_SOIL_LAYERS; i++)
        layers[i] = column.temperature[i];
    const double emitted = fmax(absorbed - flux, 0.0);
    return site[SITE_EMISSIVITY] > 0.0 ? sqrt(sqrt(emitted / (site[SITE_EMISSIVITY] * stefan))) : column.temperature[0];
}

/// Moves the site's ground and all covers, and the air over the ground that the robot is on.
static void warm(const RiNetwork *n, double *x, const RiNetworkWorld *w, const RiDaylight *light, double dt)
{
    double under = warm_ground(x + SITE_LAYER, x[SITE_INERTIA], x[SITE_ALBEDO], x, w, light, dt);
    for (int i = 0; i < n->count; i++) {
        double *cover = n->members[i].x;
        if (!ri_member_is(&n->members[i], RI_SUBSYSTEM_COVER))
            continue;
        cover[COVER_GROUND] =
            warm_ground(cover + COVER_LAYER, cover[COVER_INERTIA], cover[COVER_ALBEDO], x, w, light, dt);
        under = i == n->cover ? cover[COVER_GROUND] : under;
    }
    x[SITE_GROUND] = under;
    if (x[SITE_PRESSURE] > 0.0)
        x[SITE_AIR] += (x[SITE_GROUND] - x[SITE_AIR]) * -ri_expm1(-dt / x[SITE_AIR_LAG]);
    else
        x[SITE_AIR] = x[SITE_GROUND];
}

static void report(const RiNetwork *n, double *x, const RiNetworkWorld *w, const RiDaylight *light)
{
    x[SITE_SKY] = sqrt(sqrt(x[SITE_SKY_IR] / stefan));
    x[SITE_TOP] = light->top;
    x[SITE_BEAM] = light->beam;
    x[SITE_DIFFUSE] = light->diffuse;
    x[SITE_GLOBAL] = light->global;
    x[SITE_LIT] = ri_network_disc(n, w);
    x[SITE_BEYOND] = w->place->world == RI_WORLD_MARS && light->global > 0.0 &&
                     (x[SITE_TAU] < RI_NET_FLUX_TAU_MIN || x[SITE_TAU] > RI_NET_FLUX_TAU_MAX);
}

/// What is under the robot now, and the dust of the table.
static void prepare(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    double *x = m->x;
    const double *cover = n->cover >= 0 ? n->members[n->cover].x : NULL;
    x[SITE_USED_ALBEDO] = cover ? cover[COVER_ALBEDO] : x[SITE_ALBEDO];
    x[SITE_USED_INERTIA] = cover ? cover[COVER_INERTIA] : x[SITE_INERTIA];
    if (m->table)
        x[SITE_TAU] = ri_member_course(m, w->time + 0.5 * w->dt);
}

/// All layers at about the mean of the cycle.
static double even_out(double *layers, double albedo, const double *site, double mean)
{
    const double absorbed = (1.0 - albedo) * mean + site[SITE_EMISSIVITY] * site[SITE_SKY_IR];
    const double even = 0.95 * sqrt(sqrt(fmax(absorbed, 0.01) / (fmax(site[SITE_EMISSIVITY], 0.01) * stefan)));
    for (int i = 0; i < RI_SOIL_LAYERS; i++)
        layers[i] = even;
    return even;
}

void ri_site_begin(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    enum { STEPS = 96 };
    double *x = m->x;
    const double day = day_of(w);
    const int days = (int)x[SITE_SPIN_UP];
    RiDaylight cycle[STEPS]; // of the day before the start
    double mean = 0.0;
    prepare(n, m, w);
    for (int i = 0; i < STEPS; i++) {
        cycle[i] = light_of(n, x, w, ri_sun_compute(w->place, w->time - day + (i + 0.5) * day / STEPS));
        mean += cycle[i].global / STEPS;
    }
    x[SITE_AIR] = x[SITE_GROUND] = even_out(x + SITE_LAYER, x[SITE_ALBEDO], x, mean);
    for (int i = 0; i < n->count; i++)
        if (ri_member_is(&n->members[i], RI_SUBSYSTEM_COVER))
            n->members[i].x[COVER_GROUND] =
                even_out(n->members[i].x + COVER_LAYER, n->members[i].x[COVER_ALBEDO], x, mean);
    for (int i = 0; i < days * STEPS; i++)
        warm(n, x, w, &cycle[i % STEPS], day / STEPS);
    x[SITE_INSOLATION] = 0.0;
    const RiDaylight now = light_of(n, x, w, w->sun);
    report(n, x, w, &now);
}

void ri_site_step(const RiNetwork *n, RiMember *m, const RiNetworkWorld *w)
{
    prepare(n, m, w);
    const RiDaylight light = light_of(n, m->x, w, w->sun);
    warm(n, m->x, w, &light, w->dt);
    m->x[SITE_INSOLATION] += light.global * w->dt;
    report(n, m->x, w, &light);
}

static const RiPort cover_ports[COVER_COUNT] = {
    [COVER_ALBEDO] = RI_PARAMETER("albedo", "", 0.25, 0.0, 0.99, "Of the ground."),
    [COVER_INERTIA] = RI_PARAMETER("thermal_inertia", "", 250.0, 1.0, 1e4, "Of the ground, in J/(m^2 K s^0.5)."),
    LAYERS(COVER_LAYER),
    [COVER_GROUND] = RI_STATE("ground_temperature", "K", "Of the surface."),
    [COVER_UNDER] = RI_OUTPUT("under", "", "1: the robot is on it."),
};

const RiDeviceClass ri_device_ground_cover = {
    .abi = RI_DEVICE_ABI,
    .name = "ground_cover",
    .doc = "Ground of a material that has the device's name, with albedo and thermal inertia of its own.",
    .attach = RI_ATTACH_NONE,
    .ports = cover_ports,
    .port_count = COVER_COUNT,
    .update = ri_subsystem_update,
};

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
    [ORBITER_SEMI_MAJOR] = RI_PARAMETER("semi_major", "m", 3.7895e6, 0.0, INFINITY,
                                        "Semi-major axis of the orbit; its radius with a table of passes."),
    [ORBITER_ECCENTRICITY] = RI_PARAMETER("eccentricity", "", 0.0, 0.0, 1.0, "Below 1."),
    [ORBITER_INCLINATION] = RI_ANY_PARAMETER("inclination", "rad", 1.6, "Against the body's equator."),
    [ORBITER_NODE] =
        RI_ANY_PARAMETER("node", "rad", 0.0, "Ascending node, to the east of the prime meridian at the start."),
    [ORBITER_PERIAPSIS] = RI_ANY_PARAMETER("periapsis", "rad", 0.0, "Argument of periapsis."),
    [ORBITER_ANOMALY] = RI_ANY_PARAMETER("anomaly", "rad", 0.0, "Mean anomaly at the start."),
    [ORBITER_OBLATENESS] =
        RI_PARAMETER("oblateness", "", 0.0, 0.0, 0.1,
                     "J2 of the body, by which node and periapsis drift: Mars 1.96e-3; 0: they stay."),
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
    } else if (m->table) {
        look = ri_member_pass(m, w, middle);
    } else {
        const RiOrbit o = {x[ORBITER_SEMI_MAJOR], x[ORBITER_ECCENTRICITY], x[ORBITER_INCLINATION],
                           x[ORBITER_NODE],       x[ORBITER_PERIAPSIS],    x[ORBITER_ANOMALY]};
        const RiOrbit now = ri_orbit_drift(&o, w->place->world, x[ORBITER_OBLATENESS], middle);
        look = ri_orbit_look(&now, w->place->world, w->place->latitude, w->place->longitude, 0.0, middle);
    }
    out[0] = look.azimuth;
    out[1] = look.elevation;
    out[2] = look.range;
    out[3] = look.light_time;
}

const RiDeviceClass ri_device_orbiter = {
    .abi = RI_DEVICE_ABI,
    .name = "orbiter",
    .doc = "A relay on a Keplerian orbit or by a table of its passes, as seen from the site.",
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
