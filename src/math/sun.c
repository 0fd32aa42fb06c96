// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sun over a place: dates, the Earth, Mars, and from the sub-solar point to azimuth and
/// elevation.
///
/// With the sub-solar point (latitude d, longitude l) and a place (phi, lambda), longitudes to the
/// east, H = lambda - l:
///
///     sin(elevation) = sin d sin phi + cos d cos phi cos H
///     azimuth = atan2(-cos d sin H, sin d cos phi - cos d sin phi cos H)
///
/// The Earth: position and velocity from ERFA (eraEpv00), orientation from eraC2t00b with UT1 = UTC
/// (0.9 s at most: 14 arc seconds), annual aberration and parallax to first order. Mars: the
/// formulas of Mars24 [allison2000]. Test: tests/math/test_sun.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <erfa.h>

#include "base/functions.h"
#include "math/sun.h"

enum { SHOWN = 60 };

static const double degree = M_PI / 180.0;
static const double day = 86400.0;

const char *ri_world_name(RiWorld world)
{
    static const char *const names[RI_WORLD_COUNT] = {"", "earth", "moon", "mars", "europa", "enceladus"};
    return (unsigned)world < RI_WORLD_COUNT ? names[world] : "";
}

// --- dates ---------------------------------------------------------------------------------------

/// A number of exactly `digits` digits followed by one of `ends`, which is passed over; -1: there
/// is none.
static int read_digits(const char **at, int digits, const char *ends)
{
    int n = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        if (**at < '0' || **at > '9')
            return -1;
        n = 10 * n + (**at - '0');
    }
    if (!strchr(ends, **at))
        return -1;
    *at += **at != '\0';
    return n;
}

/// Decimals of the seconds and the letter Z, to the end of the text; negative: something else
/// is there.
static double read_rest(const char *at, char before)
{
    double part = 0.0, scale = 0.1;
    for (; before == '.' && *at >= '0' && *at <= '9'; at++, scale *= 0.1)
        part += scale * (*at - '0');
    if (before == '.' && *at == 'Z')
        at++;
    return *at == '\0' ? part : -1.0;
}

RiStatus ri_sun_date(RiContext *ctx, const char *text, double out_utc[2])
{
    const char *at = text;
    out_utc[0] = out_utc[1] = 0.0;
    const int year = read_digits(&at, 4, "-"), month = year < 0 ? -1 : read_digits(&at, 2, "-");
    const int date = month < 0 ? -1 : read_digits(&at, 2, "Tt "), hour = date < 0 ? -1 : read_digits(&at, 2, ":");
    const int minute = hour < 0 ? -1 : read_digits(&at, 2, ":"), second = minute < 0 ? -1 : read_digits(&at, 2, ".Z");
    const double part = second < 0 ? -1.0 : read_rest(at, at[-1]);
    if (part < 0.0)
        return ri_error(ctx, RI_ERR_FORMAT, "'%.*s' is not a date such as 2012-08-06T05:17:57 (UTC)", SHOWN, text);
    if (year < 1972 || year > 2099)
        return ri_error(ctx, RI_ERR_FORMAT, "the year %d is not between 1972 and 2099", year);
    const int wrong = eraDtf2d("UTC", year, month, date, hour, minute, second + part, &out_utc[0], &out_utc[1]);
    if (wrong == -2)
        return ri_error(ctx, RI_ERR_FORMAT, "'%.*s': there is no month %d", SHOWN, text, month);
    if (wrong == -3)
        return ri_error(ctx, RI_ERR_FORMAT, "'%.*s': the month has no day %d", SHOWN, text, date);
    if (wrong < 0 || wrong >= 2) // 2: beyond the end of the day; 1: leap seconds of that year are not known yet
        return ri_error(ctx, RI_ERR_FORMAT, "'%.*s': %02d:%02d:%02d is no time of that day", SHOWN, text, hour, minute,
                        second);
    return RI_OK;
}

double ri_sun_settle(double x)
{
    return 0x1p-28 * floor(0x1p28 * x + 0.5);
}

void ri_sun_tt(const double utc[2], double time, double out_tt[2])
{
    double tai[2];
    eraUtctai(utc[0], utc[1], &tai[0], &tai[1]); // a year too far ahead uses the leap seconds known last
    eraTaitt(tai[0], tai[1], &out_tt[0], &out_tt[1]);
    out_tt[1] = 0x1p-40 * floor(0x1p40 * out_tt[1] + 0.5); // ERFA's last bits depend on how it was compiled
    out_tt[1] += time / day;
}

double ri_sun_days(const double tt[2])
{
    return (tt[0] - 2451545.0) + tt[1];
}

// --- Mars ----------------------------------------------------------------------------------------

/// Pull of the planets on Mars [deg]: sum A cos(0.985626 d / tau + phi).
static double perturbers(double d)
{
    static const double rows[7][3] = {{0.0071, 2.2353, 49.409},  {0.0057, 2.7543, 168.173}, {0.0039, 1.1177, 191.837},
                                      {0.0037, 15.7866, 21.736}, {0.0021, 2.1354, 15.704},  {0.0020, 2.4694, 95.528},
                                      {0.0018, 32.8493, 49.095}};
    double sum = 0.0;
    for (int i = 0; i < 7; i++)
        sum += rows[i][0] * ri_cos(degree * (0.985626 * d / rows[i][1] + rows[i][2]));
    return sum;
}

static double turn_of(double degrees)
{
    return degrees - 360.0 * floor(degrees / 360.0);
}

RiMarsTime ri_mars_time(const double utc[2], double time)
{
    double tt[2];
    RiMarsTime m = {0};
    ri_sun_tt(utc, time, tt);
    const double d = ri_sun_days(tt);
    m.mean_anomaly = turn_of(19.3871 + 0.52402073 * d);
    m.fictitious_mean_sun = turn_of(270.3871 + 0.524038496 * d);
    const double M = degree * m.mean_anomaly;
    m.equation_of_centre = (10.691 + 3.0e-7 * d) * ri_sin(M) + 0.623 * ri_sin(2.0 * M) + 0.050 * ri_sin(3.0 * M) +
                           0.005 * ri_sin(4.0 * M) + 0.0005 * ri_sin(5.0 * M) + perturbers(d);
    m.solar_longitude = turn_of(m.fictitious_mean_sun + m.equation_of_centre);
    const double L = degree * m.solar_longitude;
    m.equation_of_time =
        2.861 * ri_sin(2.0 * L) - 0.071 * ri_sin(4.0 * L) + 0.002 * ri_sin(6.0 * L) - m.equation_of_centre;
    m.sol_date = (d - 4.5) / 1.0274912517 + 44796.0 - 0.0009626;
    m.coordinated = 24.0 * (m.sol_date - floor(m.sol_date));
    m.subsolar_longitude_w = turn_of(m.coordinated * 15.0 + m.equation_of_time + 180.0);
    m.declination = ri_asin(0.42565 * ri_sin(L)) / degree + 0.25 * ri_sin(L);
    m.distance = 1.52367934 * (1.00436 - 0.09309 * ri_cos(M) - 0.004336 * ri_cos(2.0 * M) - 0.00031 * ri_cos(3.0 * M) -
                               0.00003 * ri_cos(4.0 * M));
    return m;
}

// --- the Earth -----------------------------------------------------------------------------------

static RiSubSolar over_earth(const double utc[2], double time, const double tt[2])
{
    const double light = 173.1446326846693; // [AU/day]
    double heliocentric[2][3], barycentric[2][3], R[3][3], towards[3], velocity[3], fixed[3];
    RiSubSolar s;
    eraEpv00(tt[0], tt[1], heliocentric, barycentric); // beyond 1900 to 2100 a warning, not reached
    eraC2t00b(tt[0], tt[1], utc[0], utc[1] + time / day, 0.0, 0.0, R);
    for (int k = 0; k < 3; k++) {
        towards[k] = ri_sun_settle(heliocentric[0][k]);
        velocity[k] = ri_sun_settle(barycentric[1][k]);
    }
    s.distance = sqrt(towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2]);
    for (int k = 0; k < 3; k++) // light comes from where the sun was, slanted by the Earth's own motion
        towards[k] = velocity[k] / light - towards[k] / s.distance;
    for (int k = 0; k < 3; k++)
        fixed[k] = ri_sun_settle(R[k][0]) * towards[0] + ri_sun_settle(R[k][1]) * towards[1] +
                   ri_sun_settle(R[k][2]) * towards[2];
    s.longitude = ri_atan2(fixed[1], fixed[0]);
    s.latitude = ri_atan2(fixed[2], ri_hypot(fixed[0], fixed[1]));
    return s;
}

RiSubSolar ri_sun_subsolar(RiWorld world, const double utc[2], double time)
{
    double tt[2];
    ri_sun_tt(utc, time, tt);
    if (world == RI_WORLD_EARTH)
        return over_earth(utc, time, tt);
    if (world != RI_WORLD_MARS)
        return ri_sun_moon(world, tt);
    const RiMarsTime m = ri_mars_time(utc, time);
    return (RiSubSolar){degree * m.declination, -degree * m.subsolar_longitude_w, m.distance};
}

// --- over a place --------------------------------------------------------------------------------

RiSun ri_sun_compute(const RiSunDef *def, double time)
{
    if (!def->moves)
        return def->fixed;
    const RiSubSolar s = ri_sun_subsolar(def->world, def->utc, time);
    const double sd = ri_sin(s.latitude), cd = ri_cos(s.latitude), sp = ri_sin(def->latitude),
                 cp = ri_cos(def->latitude);
    const double H = def->longitude - s.longitude;
    RiSun sun =
        ri_sun_from_direction(ri_vec3(-cd * ri_sin(H), sd * cp - cd * sp * ri_cos(H), sd * sp + cd * cp * ri_cos(H)));
    sun.distance = s.distance;
    const double earth_radius = 4.2635e-5; // [AU]
    if (def->world == RI_WORLD_EARTH)
        sun.elevation -= earth_radius / s.distance * ri_cos(sun.elevation);
    return sun;
}

RiVec3 ri_sun_direction(RiSun sun)
{
    const double flat = ri_cos(sun.elevation);
    return ri_vec3(flat * ri_sin(sun.azimuth), flat * ri_cos(sun.azimuth), ri_sin(sun.elevation));
}

RiSun ri_sun_from_direction(RiVec3 u)
{
    const double azimuth = ri_atan2(u.x, u.y);
    return (RiSun){.azimuth = azimuth < 0.0 ? azimuth + 360.0 * degree : azimuth,
                   .elevation = ri_atan2(u.z, ri_hypot(u.x, u.y))};
}
