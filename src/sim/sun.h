// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sun over a simulation (sun.c).
#ifndef RI_SIM_SUN_H
#define RI_SIM_SUN_H

#include "sim/internal.h"

struct RiSunSlot {
    RiSunDef def;
    bool given;
    long long knot;  // whole minute that `from` belongs to
    RiVec3 from, to; // directions then and a minute later
    double distance; // then [AU]
    double out[2];   // azimuth, elevation
};

/// Unit vector towards the sun now; zero if none was given.
RiVec3 ri_sim_sun_direction(RiSim *s);
/// The same at a time [s], and its distance [AU], which may be NULL.
RiVec3 ri_sim_sun_at(RiSim *s, double time, double *out_distance);
void ri_sim_update_sun(RiSim *s);
uint64_t ri_sim_sun_fingerprint(const RiSim *s, uint64_t h); // sensors see the sun: it belongs to what a state means
RI_MUST_CHECK RiStatus ri_sim_name_sun(RiSim *s);

#endif
