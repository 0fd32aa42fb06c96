// SPDX-License-Identifier: Apache-2.0
/// \file
/// Orbiters and the Earth over a site, and radio links.
///
///     Kepler: M = M0 + n t, E - e sin E = M, n = sqrt(GM / a^3)
///     free-space loss 20 log10(4 pi d f / c);   C/N0 = EIRP - losses + G/T + 228.6 dB;   rate = C/N0 - (Eb/N0 + margin)
///     pattern: 12 (angle / width)^2 dB within the main lobe, at most 30 dB
///
/// Tests: tests/site/test_relay.c; rows: `rille validate comms`.
#include <math.h>

#include <erfa.h>
#include <rille/relay.h>

#include "base/functions.h"
#include "math/sun.h"

static const double pi = M_PI;
static const double degree = M_PI / 180.0;
static const double light = 299792458.0;   // [m/s]
static const double unit = 1.495978707e11; // [m]

typedef struct Body {
    double radius, gm, spin;
} Body;

static Body body_of(RiWorld world)
{
    switch (world) {
    case RI_WORLD_EARTH:
        return (Body){6371000.0, 3.986004e14, 7.2921159e-5};
    case RI_WORLD_MOON:
        return (Body){1737400.0, 4.902800e12, 13.17635815 * degree / 86400.0};
    case RI_WORLD_MARS:
        return (Body){3389500.0, 4.282837e13, 350.89198226 * degree / 86400.0};
    case RI_WORLD_EUROPA:
        return (Body){1560800.0, 3.2027e12, 101.3747235 * degree / 86400.0};
    case RI_WORLD_ENCELADUS:
        return (Body){252100.0, 7.2111e9, 262.7318996 * degree / 86400.0};
    case RI_WORLD_UNKNOWN:
    case RI_WORLD_COUNT:
        break;
    }
    return (Body){0};
}

double ri_body_radius(RiWorld world)
{
    return body_of(world).radius;
}

double ri_body_gm(RiWorld world)
{
    return body_of(world).gm;
}

double ri_body_spin(RiWorld world)
{
    return body_of(world).spin;
}

// --- orbits --------------------------------------------------------------------------------------

const char *ri_orbit_trouble(const RiOrbit *o, RiWorld world)
{
    const double all = o->semi_major + o->eccentricity + o->inclination + o->node + o->periapsis + o->anomaly;
    if (!isfinite(all))
        return "has elements that are not finite";
    if (!(o->eccentricity >= 0.0 && o->eccentricity < 1.0))
        return "has an eccentricity that is not at least 0 and below 1";
    if (world == RI_WORLD_UNKNOWN)
        return "needs a sun with a body and a date";
    if (!(o->semi_major * (1.0 - o->eccentricity) > ri_body_radius(world)))
        return "has its periapsis inside the body";
    return NULL;
}

/// With p = a (1 - e^2) and k = n J2 (R / p)^2 [vallado2013]:
///
///     node' = -3/2 k cos i,  periapsis' = 3/4 k (5 cos^2 i - 1),  anomaly' = n + 3/4 k sqrt(1 - e^2) (3 cos^2 i - 1)
///
/// Test: tests/site/test_relay.c (an orbit whose node follows the sun).
RiOrbit ri_orbit_drift(const RiOrbit *orbit, RiWorld world, double j2, double time)
{
    const double e2 = orbit->eccentricity * orbit->eccentricity, c = ri_cos(orbit->inclination);
    const double ratio = ri_body_radius(world) / (orbit->semi_major * (1.0 - e2));
    const double k = 2.0 * pi / ri_orbit_period(orbit, world) * j2 * ratio * ratio;
    RiOrbit o = *orbit;
    o.node -= 1.5 * k * c * time;
    o.periapsis += 0.75 * k * (5.0 * c * c - 1.0) * time;
    o.anomaly += 0.75 * k * sqrt(1.0 - e2) * (3.0 * c * c - 1.0) * time;
    return o;
}

double ri_orbit_period(const RiOrbit *o, RiWorld world)
{
    return 2.0 * pi * sqrt(o->semi_major * o->semi_major * o->semi_major / ri_body_gm(world));
}

/// Eccentric anomaly of a mean anomaly, by Newton's method from a start that converges for all e <
/// 1.
static double eccentric_anomaly(double M, double e)
{
    M -= 2.0 * pi * floor(M / (2.0 * pi));
    double E = e < 0.8 ? M : pi;
    for (int i = 0; i < 50; i++) {
        const double step = (E - e * ri_sin(E) - M) / (1.0 - e * ri_cos(E));
        E -= step;
        if (fabs(step) < 1e-14)
            break;
    }
    return E;
}

/// Position in the axes of the orbit's elements [m].
static RiVec3 orbit_place(const RiOrbit *o, double gm, double time)
{
    const double a = o->semi_major, e = o->eccentricity, n = sqrt(gm / (a * a * a));
    const double E = eccentric_anomaly(o->anomaly + n * time, e);
    const double x = a * (ri_cos(E) - e), y = a * sqrt(1.0 - e * e) * ri_sin(E);
    const double cw = ri_cos(o->periapsis), sw = ri_sin(o->periapsis), ci = ri_cos(o->inclination),
                 si = ri_sin(o->inclination), cn = ri_cos(o->node), sn = ri_sin(o->node);
    const double u = cw * x - sw * y, v = sw * x + cw * y; // in the plane, from the node
    return ri_vec3(cn * u - sn * ci * v, sn * u + cn * ci * v, si * v);
}

/// A vector in axes of the body, from a site, in world axes there.
static RiLook look_at(RiVec3 v, double latitude, double longitude)
{
    const double sp = ri_sin(latitude), cp = ri_cos(latitude), sl = ri_sin(longitude), cl = ri_cos(longitude);
    const RiVec3 east = ri_vec3(-sl, cl, 0.0), north = ri_vec3(-sp * cl, -sp * sl, cp),
                 up = ri_vec3(cp * cl, cp * sl, sp);
    RiLook look = {.range = ri_norm(v)};
    const RiVec3 w = ri_scale(1.0 / look.range, v);
    look.towards = ri_vec3(ri_dot(w, east), ri_dot(w, north), ri_dot(w, up));
    const RiSun at = ri_sun_from_direction(look.towards);
    look.azimuth = at.azimuth;
    look.elevation = at.elevation;
    look.light_time = look.range / light;
    return look;
}

RiLook ri_orbit_look(const RiOrbit *orbit, RiWorld world, double latitude, double longitude, double height, double time)
{
    const Body b = body_of(world);
    const RiVec3 p = orbit_place(orbit, b.gm, time);
    const double turn = b.spin * time, c = ri_cos(turn), s = ri_sin(turn);
    const RiVec3 fixed = ri_vec3(c * p.x + s * p.y, c * p.y - s * p.x, p.z);
    const double r = b.radius + height, cp = ri_cos(latitude);
    const RiVec3 site = ri_vec3(r * cp * ri_cos(longitude), r * cp * ri_sin(longitude), r * ri_sin(latitude));
    return look_at(ri_sub(fixed, site), latitude, longitude);
}

RiLook ri_earth_look(const RiSunDef *place, double time)
{
    double tt[2], fixed[3];
    ri_sun_tt(place->utc, time, tt);
    ri_sun_earth_from(place->world, tt, fixed);
    const double r = ri_body_radius(place->world), cp = ri_cos(place->latitude);
    const RiVec3 site =
        ri_vec3(r * cp * ri_cos(place->longitude), r * cp * ri_sin(place->longitude), r * ri_sin(place->latitude));
    return look_at(ri_sub(ri_vec3(unit * fixed[0], unit * fixed[1], unit * fixed[2]), site), place->latitude,
                   place->longitude);
}

// --- links ---------------------------------------------------------------------------------------

double ri_polarisation_loss(double a, double b)
{
    const double r = ri_pow(10.0, 0.05 * a), t = ri_pow(10.0, 0.05 * b), p = r * r, q = t * t;
    const double part = 0.5 + (4.0 * r * t - (p - 1.0) * (q - 1.0)) / (2.0 * (p + 1.0) * (q + 1.0));
    return -10.0 * ri_log10(fmax(part, 1e-10));
}

double ri_code_threshold(int code)
{
    static const double thresholds[] = {9.6, 4.5, 2.5, 1.0};
    return code >= 1 && code <= 4 ? thresholds[code - 1] : NAN;
}

RiLinkState ri_link_compute(const RiLink *l, double range, double off_axis)
{
    const double per_decibel = 20.0, most = 30.0, boltzmann = 228.5991672; // -10 log10(k)
    RiLinkState s;
    s.space_loss = per_decibel * ri_log10(4.0 * pi * range * l->frequency / light);
    s.pattern_loss =
        l->beam_width > 0.0 ? fmin(12.0 * (off_axis / l->beam_width) * (off_axis / l->beam_width), most) : 0.0;
    s.carrier_to_noise =
        10.0 * ri_log10(l->power) + l->gain - s.pattern_loss - l->losses - s.space_loss + l->gain_to_noise + boltzmann;
    s.rate = l->power > 0.0 ? ri_pow(10.0, 0.1 * (s.carrier_to_noise - l->threshold - l->margin)) : 0.0;
    return s;
}

double ri_link_step(double rate, double lowest, double highest)
{
    if (!(rate >= lowest) || !(lowest > 0.0))
        return 0.0;
    double step = lowest;
    while (2.0 * step <= rate && 2.0 * step <= highest)
        step *= 2.0;
    return step;
}

RiPass ri_pass_overhead(RiWorld world, double altitude, double mask)
{
    const Body b = body_of(world);
    const double r = b.radius + altitude, c = b.radius * ri_cos(mask);
    RiPass p = {.half_angle = ri_acos(c / r) - mask};
    p.duration = 2.0 * p.half_angle / sqrt(b.gm / (r * r * r));
    p.range = sqrt(r * r - c * c) - b.radius * ri_sin(mask);
    return p;
}
