// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clocks on bodies.
///
/// Mars [allison2000]: MSD = (JD_TT - 2451549.5) / 1.0274912517 + 44796.0 - 0.0009626, LMST = MTC -
/// lonW / 15, LTST = LMST + EOT / 15. Elsewhere the true time is 12 h plus the hour angle of the
/// sun. The Moon's mean sun is over the longitude 180 deg - D with the mean elongation D =
/// 297.8502 deg + 12.19074912 deg d [meeus1998]: at full moon (D = 180 deg) it is noon at the
/// middle of the near side. Tests: tests/site/test_clock.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <erfa.h>
#include <rille/clock.h>

#include "math/sun.h"

static const double degree = M_PI / 180.0;
static const double day = 86400.0;

static double hours_of(double h)
{
    return h - 24.0 * floor(h / 24.0);
}

double ri_clock_day(RiWorld world)
{
    switch (world) {
    case RI_WORLD_EARTH:
        return 86400.0;
    case RI_WORLD_MOON:
        return 29.530589 * 86400.0;
    case RI_WORLD_MARS:
        return 1.0274912517 * 86400.0;
    case RI_WORLD_EUROPA: // rotation 101.3747235 deg/d less Jupiter's mean motion 0.0830853 deg/d
        return 360.0 / (101.3747235 - 0.0830853) * 86400.0;
    case RI_WORLD_ENCELADUS: // rotation 262.7318996 deg/d less Saturn's mean motion 0.0334442 deg/d
        return 360.0 / (262.7318996 - 0.0334442) * 86400.0;
    case RI_WORLD_UNKNOWN:
    case RI_WORLD_COUNT:
        break;
    }
    return 0.0;
}

void ri_clock_shift(const double utc[2], double seconds, double out_utc[2])
{
    double tai[2];
    eraUtctai(utc[0], utc[1], &tai[0], &tai[1]);
    eraTaiutc(tai[0], tai[1] + seconds / day, &out_utc[0], &out_utc[1]);
}

void ri_clock_text(const double utc[2], char out[RI_CLOCK_TEXT])
{
    int year, month, date, part[4];
    if (eraD2dtf("UTC", 3, utc[0], utc[1], &year, &month, &date, part) < 0 || year < 0 || year > 9999)
        snprintf(out, RI_CLOCK_TEXT, "-");
    else
        snprintf(out, RI_CLOCK_TEXT, "%04u-%02u-%02uT%02u:%02u:%02u.%03u", (unsigned)year % 10000U,
                 (unsigned)month % 100U, (unsigned)date % 100U, (unsigned)part[0] % 100U, (unsigned)part[1] % 100U,
                 (unsigned)part[2] % 100U, (unsigned)part[3] % 1000U);
}

/// TAI - UTC at a date [s].
static double leap_seconds(const double utc[2])
{
    int year, month, date;
    double part, seconds = 0.0;
    if (eraJd2cal(utc[0], utc[1], &year, &month, &date, &part) == 0)
        (void)eraDat(year, month, date, part, &seconds); // a year too far ahead uses the leap seconds known last
    return seconds;
}

/// Local mean hour and day of the bodies that have a mean sun; NaN.
static void read_mean(RiClock *c, const RiSunDef *place, double d)
{
    const double turns = place->longitude / (360.0 * degree);
    double mean = NAN; // sub-solar longitude of the mean sun, turns to the east
    switch (place->world) {
    case RI_WORLD_MARS:
        c->day = c->mars.sol_date + turns;
        c->mean_hour = hours_of(c->mars.coordinated + 24.0 * turns);
        return;
    case RI_WORLD_MOON:
        mean = 0.5 - (297.8502 + 12.19074912 * d) / 360.0;
        c->day = (297.8502 + 12.19074912 * d) / 360.0 - 1.0; // lunation 0 began with the new moon of 2000-01-06
        break;
    case RI_WORLD_EARTH: // the mean sun of universal time
        mean = -(d - floor(d));
        c->day = d + 0.5 + turns;
        break;
    case RI_WORLD_EUROPA:
    case RI_WORLD_ENCELADUS:
    case RI_WORLD_UNKNOWN:
    case RI_WORLD_COUNT:
        c->day = d * day / ri_clock_day(place->world);
        break;
    }
    c->mean_hour = hours_of(12.0 + 24.0 * (turns - mean));
}

RiClock ri_clock_read(const RiSunDef *place, double time)
{
    RiClock c = {.season = NAN};
    double now[2], tt[2];
    ri_clock_shift(place->utc, time, now);
    ri_clock_text(now, c.utc);
    ri_sun_tt(place->utc, time, tt);
    c.jd_tt = tt[0] + tt[1];
    c.tt_minus_utc = 32.184 + leap_seconds(now);
    c.day_length = ri_clock_day(place->world);
    c.sun = ri_sun_compute(place, time);
    const RiSubSolar s = ri_sun_subsolar(place->world, place->utc, time);
    c.true_hour = hours_of(12.0 + (place->longitude - s.longitude) / (15.0 * degree));
    if (place->world == RI_WORLD_MARS) {
        c.mars = ri_mars_time(place->utc, time);
        c.season = c.mars.solar_longitude;
    }
    const double d = ri_sun_days(tt) - (place->world == RI_WORLD_EARTH ? c.tt_minus_utc / day : 0.0);
    read_mean(&c, place, d);
    return c;
}

double ri_clock_until(const RiSunDef *place, double hour)
{
    const double length = ri_clock_day(place->world);
    double time = hours_of(hour - ri_clock_read(place, 0.0).true_hour) / 24.0 * length;
    for (int i = 0; i < 8; i++) { // the true sun runs unevenly: corrected by what is left, at most half a day
        const double left = remainder(hour - ri_clock_read(place, time).true_hour, 24.0);
        time += left / 24.0 * length;
    }
    return time > -1e-3 ? fmax(time, 0.0) : time + length;
}

// --- missions ------------------------------------------------------------------------------------

static const RiMission missions[] = {
    {"viking1", "1976-07-20T11:53:06", 22.27, 312.05, 0},       {"viking2", "1976-09-03T22:37:50", 47.64, 134.29, 0},
    {"pathfinder", "1997-07-04T16:56:55", 19.10, 326.75, 1},    {"spirit", "2004-01-04T04:26:00", -14.57, 175.47, 1},
    {"opportunity", "2004-01-25T04:55:00", -1.95, 354.47, 1},   {"phoenix", "2008-05-25T23:38:24", 68.22, 234.25, 0},
    {"curiosity", "2012-08-06T05:17:57", -4.5895, 137.4417, 0}, {"insight", "2018-11-26T19:44:52", 4.50, 135.62, 0},
    {"perseverance", "2021-02-18T20:43:49", 18.44, 77.45, 0},
};
enum { MISSIONS = sizeof missions / sizeof *missions };

int ri_mission_count(void)
{
    return MISSIONS;
}

const RiMission *ri_mission_get(int index)
{
    return index >= 0 && index < MISSIONS ? &missions[index] : NULL;
}

const RiMission *ri_mission_find(const char *name)
{
    for (int i = 0; i < MISSIONS; i++)
        if (strcmp(missions[i].name, name) == 0)
            return &missions[i];
    return NULL;
}

/// Sols of local mean time at a mission's landing site, since MSD 0.
static double local_sols(const RiMission *mission, const double utc[2])
{
    return ri_mars_time(utc, 0.0).sol_date + mission->longitude / 360.0 - (mission->longitude > 180.0 ? 1.0 : 0.0);
}

static void landing_of(const RiMission *mission, double out_utc[2])
{
    int year, month, date, hour, minute, second;
    out_utc[0] = out_utc[1] = 0.0;
    if (sscanf(mission->landing, "%d-%d-%dT%d:%d:%d", &year, &month, &date, &hour, &minute, &second) == 6) // NOLINT
        (void)eraDtf2d("UTC", year, month, date, hour, minute, second, &out_utc[0], &out_utc[1]);
}

int ri_mission_sol(const RiMission *mission, const double utc[2], double *out_mean_hour)
{
    double landing[2];
    landing_of(mission, landing);
    const double now = local_sols(mission, utc);
    if (out_mean_hour)
        *out_mean_hour = 24.0 * (now - floor(now));
    return mission->first_sol + (int)(floor(now) - floor(local_sols(mission, landing)));
}

void ri_mission_time(const RiMission *mission, int sol, double mean_hour, double out_utc[2])
{
    double landing[2];
    landing_of(mission, landing);
    const double at = local_sols(mission, landing);
    const double sols = floor(at) - at + (sol - mission->first_sol) + mean_hour / 24.0;
    ri_clock_shift(landing, sols * ri_clock_day(RI_WORLD_MARS), out_utc);
}
