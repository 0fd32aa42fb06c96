// SPDX-License-Identifier: Apache-2.0
/// \file
/// Light and warmth at a site: sunlight through dust on any plane, and the temperature of the
/// ground.
///
///     body, distance of the sun, its height, optical depth --(ri_daylight_compute)--> direct and diffuse flux
///                                                          --(ri_daylight_on_plane)--> flux on a plane
///     absorbed flux, thermal inertia                       --(ri_soil_column_step)--> temperatures of the ground
///
/// Mars: the net-flux tables of Pollack as published by Appelbaum and Flood [appelbaum1990],
/// bilinear in optical depth and zenith angle, linear in albedo. Bodies without air have direct
/// light alone. Equations, ranges and sources: docs/theory/sky.md.
///
/// Threads and ownership: pure functions of plain values; a column is plain memory.
#ifndef RILLE_SKY_H
#define RILLE_SKY_H

#include <rille/sun.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Ranges of the net-flux tables. Beyond them values are held (zenith angle, albedo) or continued
/// (optical depth), see ri_net_flux.
#define RI_NET_FLUX_TAU_MIN    0.1
#define RI_NET_FLUX_TAU_MAX    6.0
#define RI_NET_FLUX_ALBEDO_MIN 0.1
#define RI_NET_FLUX_ALBEDO_MAX 0.4

/// Normalised net flux f(z, tau, albedo): what the ground absorbs over the flux on top times cos z;
/// it contains (1 - albedo). Zenith angles above 85 deg are held there. Below tau 0.1 it is
/// straight to 1 - albedo at tau 0; above 6 it falls exponentially with the last slope.
double ri_net_flux(double zenith, double tau, double albedo);

/// Sunlight on top of the air [W/m^2]: 1361 / R^2.
double ri_sunlight(double distance_au);
/// Sunlight on top of the air of Mars by season, as in NASA TM-103623: 590 (1 + e cos(Ls - 248
/// deg))^2 / (1 - e^2)^2 [W/m^2].
double ri_mars_sunlight(double solar_longitude);
/// Declination of the sun there: asin(sin 24.936 deg sin Ls) [rad].
double ri_mars_declination(double solar_longitude);

/// Light at the ground [W/m^2].
typedef struct RiDaylight {
    double top;     ///< normal to the sun, above the air
    double beam;    ///< normal to the sun, direct
    double direct;  ///< direct on the horizontal
    double diffuse; ///< from the sky on the horizontal
    double global;  ///< both
} RiDaylight;

/// `sine`: of the sun's elevation; `lit`: the part of the sun's disc that is seen, 0 to 1. The
/// diffuse light stays where the disc is hidden by the ground nearby. Only Mars has air here: on
/// other bodies tau is not used.
RiDaylight ri_daylight_compute(RiWorld world, double top, double sine, double tau, double albedo, double lit);
/// Flux on a plane: beam by incidence, the sky as seen from a tilted plane (1 + n_z) / 2, and the
/// ground's reflection albedo global (1 - n_z) / 2.
double ri_daylight_on_plane(const RiDaylight *light, RiVec3 towards_sun, RiVec3 normal, double albedo);
/// The part of the sun's disc that is above a flat horizon; `radius` is that of the disc [rad].
double ri_sun_disc_above(double elevation, double radius);
/// Radius of the sun's disc at a distance [rad].
double ri_sun_disc_radius(double distance_au);

/// Daily insolation of Mars on the horizontal [J/m^2 per sol]: top, beam and global, from season,
/// latitude and dust.
typedef struct RiInsolation {
    double daylight;          ///< hours of 24 per sol
    double top, beam, global; ///< [J/m^2]
    double noon;              ///< global at noon [W/m^2]
} RiInsolation;
/// Light of a sol at solar longitude and latitude [rad], optical depth tau and albedo of the
/// ground.
RiInsolation ri_mars_insolation(double solar_longitude, double latitude, double tau, double albedo);

// --- the ground ----------------------------------------------------------------------------------

enum { RI_SOIL_LAYERS = 24 };

/// A column of soil: temperatures of layers whose thickness grows downwards; no heat passes its
/// bottom. Depths are in skin depths of one day, so that thermal inertia alone is needed: sqrt(k
/// rho c) [J/(m^2 K s^0.5)].
typedef struct RiSoilColumn {
    double temperature[RI_SOIL_LAYERS]; ///< [K], the first at the surface
} RiSoilColumn;

/// What the column is.
typedef struct RiSoilColumnDef {
    double inertia;    ///< [J/(m^2 K s^0.5)]
    double emissivity; ///<
    double day;        ///< [s]
} RiSoilColumnDef;

/// All layers at one temperature.
void ri_soil_column_init(RiSoilColumn *column, double temperature);
/// Moves the column by `dt` [s] with `absorbed` [W/m^2] at its surface (mean over the step), which
/// radiates emissivity sigma T^4. Implicit: any step is stable. Returns the heat that the surface
/// took in on balance [J/m^2]: the column's content changes by exactly that.
double ri_soil_column_step(const RiSoilColumnDef *def, RiSoilColumn *column, double absorbed, double dt);
/// Heat in the column against 0 K [J/m^2].
double ri_soil_column_heat(const RiSoilColumnDef *def, const RiSoilColumn *column);

#ifdef __cplusplus
}
#endif
#endif
