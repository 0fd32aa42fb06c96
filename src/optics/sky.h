// SPDX-License-Identifier: Apache-2.0
/// \file
/// Light of a scene: discs (the sun, a planet, a ring), the sky, lamps.
///
///     date, place, tau --> RiLightDef --(ri_light_create)--> RiLight --> radiance of a direction, samples for shadows rays
///
/// Three bands (red, green, blue) in W/(m^2 sr) and W/m^2: each band carries the figure that the
/// whole spectrum would have if all of it had that band's colour. White sunlight of 1361 W/m^2 is
/// (1361, 1361, 1361). World axes, z up. Docs: docs/theory/light.md. A light is constant after its
/// creation; any number of threads may use it.
#ifndef RI_OPTICS_SKY_H
#define RI_OPTICS_SKY_H

#include <stdbool.h>

#include <rille/context.h>
#include <rille/math.h>

#include "optics/surface.h"

#define RI_SUN_RADIUS        6.957e8        ///< [m]
#define RI_ASTRONOMICAL_UNIT 1.495978707e11 ///< [m]
#define RI_SOLAR_CONSTANT    1361.0         ///< at 1 au [W/m^2]

/// A disc or ring of the sky so far away that its direction is the same everywhere.
typedef struct RiDisc {
    RiVec3 toward;               ///< unit, to its centre
    double outer;                ///< angular radius [rad], above 0
    double inner;                ///< of the dark middle of a ring [rad]; 0: a disc
    double irradiance[RI_BANDS]; ///< on an area that faces it [W/m^2]
    double limb;                 ///< darkening u: radiance falls as 1 - u (1 - mu) to the edge; 0: uniform. Discs only.
} RiDisc;

/// A lamp on a link: a point, or a small disc with soft shadows, that shines into a cone.
typedef struct RiLamp {
    RiVec3 position, direction; ///< world; direction is unit
    double full, edge;          ///< half angles: full intensity inside `full`, none beyond `edge` [rad]
    double intensity[RI_BANDS]; ///< along the axis [W/sr]
    double radius;              ///< of the lamp [m]; 0: a point
} RiLamp;

typedef enum RiSkyKind { RI_SKY_BLACK, RI_SKY_UNIFORM, RI_SKY_MARS } RiSkyKind;

enum { RI_LIGHT_DISCS = 8, RI_LIGHT_LAMPS = 32 };

typedef struct RiLightDef {
    RiSkyKind sky;
    double uniform[RI_BANDS];     ///< radiance of a uniform sky
    double tau;                   ///< optical depth of dust, of the sky of Mars; 0 to 20
    double ground_albedo;         ///< of the plain around, for light that goes up and comes down again
    RiDisc discs[RI_LIGHT_DISCS]; ///< above the atmosphere; the first is the sun for the sky of Mars
    int disc_count;
    RiLamp lamps[RI_LIGHT_LAMPS];
    int lamp_count;
} RiLightDef;

typedef struct RiLight RiLight;

/// The sun at `distance` [au], towards the unit vector, limb darkening 0.6.
RiDisc ri_disc_sun(RiVec3 toward, double distance);
/// Earth as seen from the Moon, lit at the phase angle [rad] between sun and observer (0: full), as
/// a Lambert sphere of geometric albedo 0.434: at most 0.16 W/m^2.
RiDisc ri_disc_earth(RiVec3 toward, double phase);

/// Checks and prepares: extinction of discs, the sky's table. RI_ERR_ARGUMENT names the field, its
/// value and what is allowed.
RI_MUST_CHECK RiStatus ri_light_create(RiContext *ctx, const RiLightDef *def, RiLight **out_light);
void ri_light_destroy(RiLight *light);
const RiLightDef *ri_light_def(const RiLight *light); ///< with discs as they arrive at the ground

/// Radiance of the sky (without discs) from the unit vector `toward`. Below the horizon, where the
/// scene ends, it is that of a lit Lambert plain of `ground_albedo`; black under a black sky.
void ri_sky_radiance(const RiLight *light, RiVec3 toward, double out[RI_BANDS]);
/// Irradiance of the sky on level ground.
const double *ri_sky_irradiance(const RiLight *light);
/// A direction of the sky, more often where it is bright, with its density [1/sr]. False: the sky
/// is black.
bool ri_sky_sample(const RiLight *light, double u1, double u2, RiVec3 *out_toward, double *out_density);
double ri_sky_density(const RiLight *light, RiVec3 toward);

/// Radiance of a disc from `toward`; zero outside it.
void ri_disc_radiance(const RiDisc *disc, RiVec3 toward, double out[RI_BANDS]);
/// A uniform direction of the disc, and the density 1/(solid angle).
RiVec3 ri_disc_sample(const RiDisc *disc, double u1, double u2);
double ri_disc_density(const RiDisc *disc, RiVec3 toward); ///< 0 outside
/// The three of disc i of a light at once and quicker, equal to the last digit or two.
void ri_light_disc(const RiLight *light, int i, double u1, double u2, RiVec3 *out_toward, double out_radiance[RI_BANDS],
                   double *out_density);

/// Irradiance of a lamp at a point on an area that faces it, and the way to it: *out_toward unit,
/// *out_range [m]. u1, u2 choose the point of a lamp with a radius.
void ri_lamp_light(const RiLamp *lamp, RiVec3 point, double u1, double u2, RiVec3 *out_toward, double *out_range,
                   double out[RI_BANDS]);

/// Part of a disc above a flat horizon: its centre at elevation x in units of its radius; uniform,
/// or darkened with u to the limb (weighted by radiance).
double ri_disc_above(double x, double limb);

/// Transmission of dust by the delta-Eddington two-stream approximation [joseph1976, meador1980]:
/// total and reflected part of the flux through a horizontal area, for sunlight at the air mass m
/// (cosine 1/m), and the reflectance for diffuse light from below.
typedef struct RiDustFlux {
    double direct, total, reflected, diffuse_reflected;
} RiDustFlux;
RiDustFlux ri_dust_flux(double tau, double albedo, double asymmetry, double air_mass);
/// Length of a ray through a shell of dust of 11 km over Mars, in units of its height; z is the
/// cosine of the zenith angle.
double ri_mars_air_mass(double z);

#endif
