// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clocks: what time it is on a body, at a place, in a mission.
///
///     place (body, latitude, longitude, UTC), simulated time --(ri_clock_read)--> UTC, TT, local mean and true time, sol, season
///     mission, sol, local hour                               --(ri_mission_time)--> UTC
///
/// Hours are local: a day of every body has 24 of them. Mars time is that of Mars24 [allison2000].
/// On other bodies the true time comes from the hour angle of the sun, and the mean time of the
/// Moon from its mean elongation. Equations: docs/theory/clock.md.
///
/// Threads and ownership: pure functions of plain values.
#ifndef RILLE_CLOCK_H
#define RILLE_CLOCK_H

#include <rille/sun.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_CLOCK_TEXT = 32 };

/// What clocks show at a place. Numbers that a body does not have are NaN.
typedef struct RiClock {
    char utc[RI_CLOCK_TEXT]; ///< "2012-08-06T05:17:57.000"
    double jd_tt;            ///< Julian date, terrestrial time
    double tt_minus_utc;     ///< [s]
    double day_length;       ///< mean solar day of the body [s]
    double mean_hour;        ///< local mean solar time (Mars: LMST) [h], NaN for Europa and Enceladus
    double true_hour;        ///< local true solar time (Mars: LTST) [h]
    /// Mars: sols since MSD 0 at the place's meridian; Moon: lunations since 2000-01-06; others:
    /// mean days since J2000
    double day;
    double season;   ///< Mars: Ls [deg]; others: NaN
    RiMarsTime mars; ///< of Mars alone; zero on other bodies
    RiSun sun;
} RiClock;

/// Clocks at a place with a date (`place->moves`), `time` seconds after it.
RiClock ri_clock_read(const RiSunDef *place, double time);
/// Mean solar day of a body [s]; 0 for RI_WORLD_UNKNOWN.
double ri_clock_day(RiWorld world);
/// Seconds after the date of a place until the local true time is `hour` [0, 24) for the first
/// time; at most a day and its drift.
double ri_clock_until(const RiSunDef *place, double hour);
/// The date `seconds` of uniform time after `utc`, leap seconds included.
void ri_clock_shift(const double utc[2], double seconds, double out_utc[2]);
/// A UTC as text, to milliseconds.
void ri_clock_text(const double utc[2], char out[RI_CLOCK_TEXT]);

/// A landing that sols are reckoned from. Sols change at midnight of local mean time at the landing
/// site.
typedef struct RiMission {
    const char *name;
    const char *landing;        ///< UTC at the spacecraft
    double latitude, longitude; ///< planetographic, to the east [deg]
    int first_sol;              ///< number of the sol of the landing
} RiMission;

/// Number of missions whose clocks are known.
int ri_mission_count(void);
/// Mission by index from 0; NULL beyond the last.
const RiMission *ri_mission_get(int index);
/// Mission by name; NULL if there is none.
const RiMission *ri_mission_find(const char *name);
/// The sol of a mission at a UTC (negative before the landing), and its local mean hour.
int ri_mission_sol(const RiMission *mission, const double utc[2], double *out_mean_hour);
/// UTC at a local mean hour of a sol of a mission.
void ri_mission_time(const RiMission *mission, int sol, double mean_hour, double out_utc[2]);

#ifdef __cplusplus
}
#endif
#endif
