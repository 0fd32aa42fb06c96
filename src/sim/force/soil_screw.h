// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screws on soft soil at work, as the parts of their step see them.
///
///     soil_screw.c       ground under each, law, wrench, end of the step, outputs
///     soil_screw_ruts.c  the grooves that they find, and those that they leave
#ifndef RI_SIM_SOIL_SCREW_H
#define RI_SIM_SOIL_SCREW_H

#include <rille/screw.h>

#include "sim/force/soil.h"

/// Behind a screw's memory: energy, sinkage of the last step, where it stamped last and how deep,
/// volume of its groove [quanta of depth on a cell].
enum {
    RI_DRUM_STORED,
    RI_DRUM_SUNK,
    RI_DRUM_STAMP_X,
    RI_DRUM_STAMP_Y,
    RI_DRUM_STAMP_SINKAGE,
    RI_DRUM_GROOVE,
    RI_DRUM_KEPT
};
/// One screw.
struct RiDrumRun {
    RiSoilPart part; ///< first
    RiSoilScrew screw;
    RiScrewSoil *soils; ///< [region]; k = 0: hard
    RiScrewGround ground;
    double raised[RI_SCREW_STATION_MAX]; ///< vertical length per length along the screw frame's z, at a station
    double slope;                        ///< tangent of the ground's inclination
    RiScrewStep step;
    RiScrewForce shown;
};

/// Ruts under the stations that have soil: across the screw, below the deepest plane that lies
/// nowhere below the ground.
void ri_drum_find_ruts(const RiSim *s, RiDrumRun *x);
/// Presses the groove under the drum once it has moved on by a cell or sunk.
RI_MUST_CHECK RiStatus ri_drum_stamp(RiSim *s, RiDrumRun *x);

#endif
