// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the sun is: from a date and a place on a body, or as given.
///
///     body, date (UTC), latitude, longitude, simulated time --(ri_sun_compute)--> azimuth, elevation, distance
///
/// Directions are in world axes: x east, y north, z up at the place. Air does not bend the light:
/// at the Earth's horizon the sun is seen 0.5 degrees higher than told. Accuracy, sources and
/// equations: docs/theory/sun.md.
///
/// Threads and ownership: pure functions of plain values.
#ifndef RILLE_SUN_H
#define RILLE_SUN_H

#include <stdbool.h>

#include <rille/context.h>
#include <rille/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiWorld {
    RI_WORLD_UNKNOWN,
    RI_WORLD_EARTH,
    RI_WORLD_MOON,
    RI_WORLD_MARS,
    RI_WORLD_EUROPA,
    RI_WORLD_ENCELADUS,
    RI_WORLD_COUNT
} RiWorld;

/// "mars" ...; "" for RI_WORLD_UNKNOWN.
const char *ri_world_name(RiWorld world);

/// Where the sun is.
typedef struct RiSun {
    double azimuth;   ///< clockwise from north, the y axis [rad]
    double elevation; ///< above the horizon [rad]
    double distance;  ///< [AU]; 0: not known
} RiSun;

/// What the sun's place comes from.
typedef struct RiSunDef {
    RiWorld world;    ///< the body it is seen from; pictures take their sky from it
    bool moves;       ///< it goes with the date; else it is fixed at:
    RiSun fixed;      ///<
    double utc[2];    ///< date at simulated time 0, from ri_sun_date
    double latitude;  ///< planetographic (Earth: geodetic) [rad]
    double longitude; ///< to the east [rad]
} RiSunDef;

/// From the south-east, high; on no particular body.
RiSunDef ri_sun_def_default(void);

/// A date such as "2012-08-06T05:17:57", UTC, seconds with decimals, 'Z' at its end or not, from
/// 1972 to 2099. The two numbers are a quasi-Julian date in two parts, in which a day with a leap
/// second has 86401 s. RI_ERR_FORMAT says what is wrong.
RI_MUST_CHECK RiStatus ri_sun_date(RiContext *ctx, const char *text, double out_utc[2]);

/// Where the sun is at simulated time [s].
RiSun ri_sun_compute(const RiSunDef *def, double time);

/// Unit vector towards it, in world axes.
RiVec3 ri_sun_direction(RiSun sun);
/// And back; the distance stays 0.
RiSun ri_sun_from_direction(RiVec3 towards);

/// The point of a body's surface over which the sun is at a date [rad, to the east], and its
/// distance [AU].
typedef struct RiSubSolar {
    double latitude, longitude, distance;
} RiSubSolar;
/// `time` [s] after `utc`; the world must be known.
RiSubSolar ri_sun_subsolar(RiWorld world, const double utc[2], double time);

/// Mars time, as Mars24 reckons it.
typedef struct RiMarsTime {
    double mean_anomaly;         ///< M [deg]
    double fictitious_mean_sun;  ///< alpha_FMS [deg]
    double equation_of_centre;   ///< nu - M [deg]
    double solar_longitude;      ///< L_s [deg]
    double equation_of_time;     ///< [deg]
    double sol_date;             ///< MSD, sols
    double coordinated;          ///< MTC [h]
    double subsolar_longitude_w; ///< to the west [deg]
    double declination;          ///< planetographic [deg]
    double distance;             ///< [AU]
} RiMarsTime;
/// Clocks of Mars `time` seconds after an instant of UTC (a Julian date in two parts).
RiMarsTime ri_mars_time(const double utc[2], double time);

#ifdef __cplusplus
}
#endif
#endif
