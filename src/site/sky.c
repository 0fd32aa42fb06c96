// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sunlight at a site.
///
///     global = top cos z f(z, tau, albedo) / (1 - albedo),   direct = top cos z exp(-tau / cos z),   diffuse = global - direct
///
/// with the net-flux tables f [appelbaum1990]. Test: tests/site/test_sky.c; rows of published
/// tables: `rille validate sol`.
#include <math.h>

#include <rille/sky.h>

#include "base/functions.h"
#include "site/net_flux_table.h"

static const double pi = M_PI;
static const double degree = M_PI / 180.0;
static const double sol = 88775.244; // [s]

// --- the tables ----------------------------------------------------------------------------------

/// Optical depth of row i; row -1 is air without dust.
static double depth_of(int i)
{
    return i < 0 ? 0.0 : net_flux_tau[i];
}

/// Logarithm of f in a row, straight in the zenith angle.
static double log_flux(int table, int i, int j, double v)
{
    if (i < 0) // without dust the ground takes what it does not reflect
        return ri_log1p(-(table ? RI_NET_FLUX_ALBEDO_MAX : RI_NET_FLUX_ALBEDO_MIN));
    const double *f = net_flux[table][i];
    return ri_log((1.0 - v) * f[j] + v * f[j + 1]);
}

/// Lagrange's polynomial of log f through rows i to i + count - 1, over the root of tau.
static double through_rows(int table, int i, int count, int j, double v, double tau)
{
    const double at = sqrt(tau);
    double sum = 0.0;
    for (int k = i; k < i + count; k++) {
        double weight = 1.0;
        for (int m = i; m < i + count; m++)
            if (m != k)
                weight *= (at - sqrt(depth_of(m))) / (sqrt(depth_of(k)) - sqrt(depth_of(m)));
        if (weight != 0.0)
            sum += weight * log_flux(table, k, j, v);
    }
    return sum;
}

/// The table of one albedo. In tau: up to 2, where rows are near each other, the cubic of log f over
/// the root of tau (f falls like exp(-tau / cos z) in thin air, like diffusion in thick); beyond 2
/// log f is straight in tau, and beyond the table it goes on as from 4.5 to its end.
static double net_flux_at(int table, double zenith, double tau)
{
    enum { ROWS = 4, LAST = NET_FLUX_TAUS - 1 };
    const double thick = 2.0, before = 4.5;
    const double a = fmin(fmax(zenith / (5.0 * degree), 0.0), NET_FLUX_ANGLES - 1.0);
    const int j = a >= NET_FLUX_ANGLES - 1.0 ? NET_FLUX_ANGLES - 2 : (int)a;
    int i = -1, from = LAST - 1;
    while (i < LAST - 1 && tau > depth_of(i + 1))
        i++;
    if (tau <= thick)
        return ri_exp(through_rows(table, i < 0 ? -1 : i - 1, ROWS, j, a - j, tau));
    while (tau > depth_of(LAST) && depth_of(from) > before)
        from--;
    const int k = tau > depth_of(LAST) ? from : i, m = tau > depth_of(LAST) ? (int)LAST : i + 1;
    const double low = log_flux(table, k, j, a - j), high = log_flux(table, m, j, a - j);
    return ri_exp(high + (high - low) * (tau - depth_of(m)) / (depth_of(m) - depth_of(k)));
}

double ri_net_flux(double zenith, double tau, double albedo)
{
    const double a = fmin(fmax(albedo, RI_NET_FLUX_ALBEDO_MIN), RI_NET_FLUX_ALBEDO_MAX);
    const double u = (a - RI_NET_FLUX_ALBEDO_MIN) / (RI_NET_FLUX_ALBEDO_MAX - RI_NET_FLUX_ALBEDO_MIN);
    const double f = net_flux_at(0, zenith, fmax(tau, 0.0));
    return u == 0.0 ? f : (1.0 - u) * f + u * net_flux_at(1, zenith, fmax(tau, 0.0));
}

// --- sunlight ------------------------------------------------------------------------------------

double ri_sunlight(double distance_au)
{
    return distance_au > 0.0 ? 1361.0 / (distance_au * distance_au) : 1361.0;
}

double ri_mars_sunlight(double solar_longitude)
{
    const double e = 0.093377, a = (1.0 + e * ri_cos(solar_longitude - 248.0 * degree)) / (1.0 - e * e);
    return 590.0 * a * a;
}

double ri_mars_declination(double solar_longitude)
{
    return ri_asin(ri_sin(24.936 * degree) * ri_sin(solar_longitude));
}

double ri_sun_disc_radius(double distance_au)
{
    return distance_au > 0.0 ? 4.6524e-3 / distance_au : 0.0;
}

double ri_sun_disc_above(double elevation, double radius)
{
    if (!(radius > 0.0) || elevation >= radius || elevation <= -radius)
        return elevation > 0.0 ? 1.0 : 0.0;
    const double u = elevation / radius; // a chord through the disc
    return 1.0 - (ri_acos(u) - u * sqrt(1.0 - u * u)) / pi;
}

RiDaylight ri_daylight_compute(RiWorld world, double top, double sine, double tau, double albedo, double lit)
{
    RiDaylight d = {.top = top};
    if (world != RI_WORLD_MARS) {
        d.beam = top * lit;
        d.direct = d.global = d.beam * fmax(sine, 0.0);
        return d;
    }
    if (!(sine > 0.0))
        return d;
    const double a = fmin(fmax(albedo, RI_NET_FLUX_ALBEDO_MIN), RI_NET_FLUX_ALBEDO_MAX);
    const double through = ri_exp(-tau / sine);
    const double all = top * sine * ri_net_flux(ri_acos(fmin(sine, 1.0)), tau, a) / (1.0 - a);
    d.diffuse = fmax(all - top * sine * through, 0.0);
    d.beam = top * through * lit;
    d.direct = d.beam * sine;
    d.global = d.direct + d.diffuse;
    return d;
}

double ri_daylight_on_plane(const RiDaylight *light, RiVec3 towards_sun, RiVec3 normal, double albedo)
{
    const double incidence = ri_dot(towards_sun, normal);
    return light->beam * fmax(incidence, 0.0) + light->diffuse * 0.5 * (1.0 + normal.z) +
           albedo * light->global * 0.5 * (1.0 - normal.z);
}

// --- a sol ---------------------------------------------------------------------------------------

RiInsolation ri_mars_insolation(double solar_longitude, double latitude, double tau, double albedo)
{
    enum { POINTS = 4000 };
    const double top = ri_mars_sunlight(solar_longitude), d = ri_mars_declination(solar_longitude);
    const double a = ri_sin(latitude) * ri_sin(d), b = ri_cos(latitude) * ri_cos(d);
    const double half = a >= b ? pi : a <= -b ? 0.0 : ri_acos(-a / b); // hour angle of sunset
    RiInsolation s = {.daylight = 24.0 * half / pi};
    if (half > 0.0 && a + b > 0.0)
        s.noon = ri_daylight_compute(RI_WORLD_MARS, top, a + b, tau, albedo, 1.0).global;
    for (int i = 0; i < POINTS; i++) { // midpoint rule over half the day
        const double sine = a + b * ri_cos(half * (i + 0.5) / POINTS);
        const RiDaylight light = ri_daylight_compute(RI_WORLD_MARS, top, sine, tau, albedo, 1.0);
        s.top += fmax(top * sine, 0.0);
        s.beam += light.direct;
        s.global += light.global;
    }
    const double seconds = sol * half / pi / POINTS;
    s.top *= seconds;
    s.beam *= seconds;
    s.global *= seconds;
    return s;
}
