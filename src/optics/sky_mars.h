// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sky of Mars, inside.
#ifndef RI_OPTICS_SKY_MARS_H
#define RI_OPTICS_SKY_MARS_H

#include "optics/sky.h"

typedef struct RiMarsSky {
    RiVec3 sun;
    double tau, air_mass;  ///< of the sun
    double flux[RI_BANDS]; ///< sunlight above the dust [W/m^2], times the part of the disc above the horizon
    double once[RI_BANDS]; ///< the part of it that light scattered once takes
    double many[RI_BANDS]; ///< radiance of light scattered more than once, before its shape over the zenith angle
} RiMarsSky;

void ri_mars_sky_init(RiMarsSky *m, const RiDisc *sun, double tau, double ground_albedo);
void ri_mars_sky_radiance(const RiMarsSky *m, RiVec3 toward, double out[RI_BANDS]);

#endif
