// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parts of the sun's place: time scales, and the orientation of bodies.
#ifndef RI_MATH_SUN_H
#define RI_MATH_SUN_H

#include <rille/sun.h>

/// What comes out of ERFA, settled: it calls the C library's sine and may be compiled with fused
/// products, so its last bits differ between machines. Rounded to 2^-28 (of an astronomical unit
/// 0.6 km, of a direction 0.8 milli arc seconds) two machines agree unless a number lies within
/// their difference, about 1e-15, of the edge between two steps: once in some million numbers.
double ri_sun_settle(double x);
/// Terrestrial time as a Julian date in two parts, `time` seconds after a UTC; to 0.1 us.
void ri_sun_tt(const double utc[2], double time, double out_tt[2]);
/// Days of terrestrial time since J2000.
double ri_sun_days(const double tt[2]);

/// Sub-solar point of a moon from ephemerides and the orientation of its axes (sun_moons.c).
RiSubSolar ri_sun_moon(RiWorld world, const double tt[2]);

/// The Earth as seen from the centre of the Moon, Mars, Europa or Enceladus, in axes of that body
/// [AU]; zero for others (sun_moons.c).
void ri_sun_earth_from(RiWorld world, const double tt[2], double out_fixed[3]);

#endif
