// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sun over the Moon, Europa and Enceladus.
///
/// The direction of the sun in the celestial axes is turned into the body's own by the pole (alpha,
/// delta) and the prime meridian W of the IAU report of 2015 [archinal2018]:
///
///     fixed = R3(W) R1(90 deg - delta) R3(90 deg + alpha) celestial
///
/// The Moon: the Earth's place (eraEpv00) and the Moon's (eraMoon98), with all thirteen terms of
/// the orientation: 0.01 degrees. Europa and Enceladus: the place of their planet (eraPlan94) is
/// taken for theirs, which turns the sun by 0.05 and 0.01 degrees at most. Test:
/// tests/math/test_sun.c.
#include <math.h>
#include <string.h>

#include <erfa.h>

#include <rille/math.h>

#include "base/functions.h"
#include "math/sun.h"

static const double degree = M_PI / 180.0;

/// Axes of a body [deg].
typedef struct Axes {
    double alpha, delta, W;
} Axes;

/// A term of an angle: argument [deg], rate [deg/day], and what its sine or cosine adds to alpha,
/// delta, W [deg].
typedef struct Term {
    double at, rate, alpha, delta, W;
} Term;

static void add_terms(Axes *axes, const Term *terms, int count, double d)
{
    for (int i = 0; i < count; i++) {
        const double x = degree * (terms[i].at + terms[i].rate * d);
        axes->alpha += terms[i].alpha * ri_sin(x);
        axes->delta += terms[i].delta * ri_cos(x);
        axes->W += terms[i].W * ri_sin(x);
    }
}

static Axes axes_of_moon(double d)
{
    static const Term terms[13] = {
        {125.045, -0.0529921, -3.8787, 1.5419, 3.5610},  {250.089, -0.1059842, -0.1204, 0.0239, 0.1208},
        {260.008, 13.0120009, 0.0700, -0.0278, -0.0642}, {176.625, 13.3407154, -0.0172, 0.0068, 0.0158},
        {357.529, 0.9856003, 0.0, 0.0, 0.0252},          {311.589, 26.4057084, 0.0072, -0.0029, -0.0066},
        {134.963, 13.0649930, 0.0, 0.0009, -0.0047},     {276.617, 0.3287146, 0.0, 0.0, -0.0046},
        {34.226, 1.7484877, 0.0, 0.0, 0.0028},           {15.134, -0.1589763, -0.0052, 0.0008, 0.0052},
        {119.743, 0.0036096, 0.0, 0.0, 0.0040},          {239.961, 0.1643573, 0.0, 0.0, 0.0019},
        {25.053, 12.9590088, 0.0043, -0.0009, -0.0044}};
    const double T = d / 36525.0;
    Axes a = {269.9949 + 0.0031 * T, 66.5392 + 0.0130 * T, 38.3213 + 13.17635815 * d - 1.4e-12 * d * d};
    add_terms(&a, terms, 13, d);
    return a;
}

static Axes axes_of_europa(double d)
{
    const double century = 36525.0, T = d / century;
    const Term terms[4] = {{355.80, 1191.3 / century, 1.086, 0.468, -0.980},
                           {119.90, 262.1 / century, 0.060, 0.026, -0.054},
                           {229.80, 64.3 / century, 0.015, 0.007, -0.014},
                           {352.25, 2382.6 / century, 0.009, 0.002, -0.008}};
    Axes a = {268.08 - 0.009 * T, 64.51 + 0.003 * T, 36.022 + 101.3747235 * d};
    add_terms(&a, terms, 4, d);
    return a;
}

static Axes axes_of_enceladus(double d)
{
    const double T = d / 36525.0;
    return (Axes){40.66 - 0.036 * T, 83.52 - 0.004 * T, 6.32 + 262.7318996 * d};
}

static Axes axes_of_mars(double d)
{
    const double T = d / 36525.0;
    return (Axes){317.68143 - 0.1061 * T, 52.88650 - 0.0609 * T, 176.630 + 350.89198226 * d};
}

static RiVec3 settled(const double place[3])
{
    return ri_vec3(ri_sun_settle(place[0]), ri_sun_settle(place[1]), ri_sun_settle(place[2]));
}

/// From the sun to the body, celestial axes [AU].
static RiVec3 locate(RiWorld world, const double tt[2])
{
    double body[2][3], barycentric[2][3], moon[2][3];
    int planet = 0; // as ERFA numbers them
    switch (world) {
    case RI_WORLD_MOON:
        eraEpv00(tt[0], tt[1], body, barycentric);
        eraMoon98(tt[0], tt[1], moon);
        return ri_add(settled(body[0]), settled(moon[0]));
    case RI_WORLD_MARS:
        planet = 4;
        break;
    case RI_WORLD_EUROPA: // Jupiter's
        planet = 5;
        break;
    case RI_WORLD_ENCELADUS: // Saturn's
    case RI_WORLD_UNKNOWN:   // and those that do not come here
    case RI_WORLD_EARTH:
    case RI_WORLD_COUNT:
        planet = 6;
        break;
    }
    eraPlan94(tt[0], tt[1], planet, body); // from 1000 to 3000
    return settled(body[0]);
}

static Axes axes_of(RiWorld world, double d)
{
    switch (world) {
    case RI_WORLD_MOON:
        return axes_of_moon(d);
    case RI_WORLD_MARS:
        return axes_of_mars(d);
    case RI_WORLD_EUROPA:
        return axes_of_europa(d);
    case RI_WORLD_ENCELADUS:
    case RI_WORLD_UNKNOWN: // do not come here
    case RI_WORLD_EARTH:
    case RI_WORLD_COUNT:
        break;
    }
    return axes_of_enceladus(d);
}

/// Axes turned about their first (k = 0) or third axis: what a vector is in the new ones.
static RiVec3 turned(int k, double angle, RiVec3 v)
{
    const double c = ri_cos(angle), s = ri_sin(angle);
    return k == 0 ? ri_vec3(v.x, c * v.y + s * v.z, c * v.z - s * v.y)
                  : ri_vec3(c * v.x + s * v.y, c * v.y - s * v.x, v.z);
}

/// A vector in the axes of a body from one in the celestial axes.
static RiVec3 turn_into(RiWorld world, double d, RiVec3 celestial)
{
    const Axes a = axes_of(world, d);
    const RiVec3 node = turned(2, degree * (90.0 + a.alpha), celestial);
    return turned(2, degree * a.W, turned(0, degree * (90.0 - a.delta), node));
}

RiSubSolar ri_sun_moon(RiWorld world, const double tt[2])
{
    const RiVec3 place = locate(world, tt);
    const RiVec3 fixed = turn_into(world, ri_sun_days(tt), ri_scale(-1.0, place));
    return (RiSubSolar){.latitude = ri_atan2(fixed.z, ri_hypot(fixed.x, fixed.y)),
                        .longitude = ri_atan2(fixed.y, fixed.x),
                        .distance = ri_norm(place)};
}

void ri_sun_earth_from(RiWorld world, const double tt[2], double out_fixed[3])
{
    double earth[2][3], barycentric[2][3];
    memset(out_fixed, 0, 3 * sizeof *out_fixed);
    if (world == RI_WORLD_EARTH || world == RI_WORLD_UNKNOWN)
        return;
    eraEpv00(tt[0], tt[1], earth, barycentric);
    const RiVec3 fixed = turn_into(world, ri_sun_days(tt), ri_sub(settled(earth[0]), locate(world, tt)));
    out_fixed[0] = fixed.x, out_fixed[1] = fixed.y, out_fixed[2] = fixed.z;
}
