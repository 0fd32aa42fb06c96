// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wheels on soft soil at work, as the parts of their step see them.
///
///     soil_wheel.c    ground under each, law, wrench, end of the step, outputs
///     soil_wheel_ruts.c  what a wheel does to the ground: stamps, digging, berms
///     soil_border.c   where soft ground ends at hard ground
#ifndef RI_SIM_SOIL_WHEEL_H
#define RI_SIM_SOIL_WHEEL_H

#include "sim/force/soil.h"
#include "soil/berm.h"

/// Behind a wheel's memory: where it stamped last; energy; soil still to be dug and moved so far
/// [quanta of depth on a cell].
enum {
    RI_KEPT_STAMP_X,
    RI_KEPT_STAMP_Y,
    RI_KEPT_STAMP_Z,
    RI_KEPT_STORED,
    RI_KEPT_PENDING,
    RI_KEPT_COMPACTED,
    RI_KEPT_DISPLACED,
    RI_KEPT_DUG,
    RI_KEPT_PACKED,
    RI_KEPT_ROOM = RI_KEPT_PACKED + 2 * RI_SLICE_MAX
};
/// One wheel.
struct RiWheelRun {
    RiSoilPart part; ///< first: in the wheel frame, at the hub
    RiSoilWheel wheel;
    RiSoilLaw *laws;     ///< [region]; k = 0: hard
    RiBermGround around; ///< heights, for berms
    // at the current state
    RiSoilGround ground;
    double slope; ///< of the ground [-]
    bool lying;   ///< on its side: hard contact carries it
    // of this step
    RiWheelStep step;
    RiWheelForce shown;
};

/// A place in the wheel frame, in the world.
static inline RiVec3 ri_wheel_run_place(const RiWheelRun *x, double along, double across, double up)
{
    return ri_add(x->part.origin, ri_rotate(&x->part.R, ri_vec3(along, across, up)));
}
/// What the soil ahead and behind has seen reaches the contact within half its length of travel.
void ri_wheel_run_follow(RiSim *s, const RiWheelRun *x, double h);
/// Stamps the rut once the wheel has moved on by half a cell (a whole one with berms, which cost
/// more), or sunk, or carried off as much.
RI_MUST_CHECK RiStatus ri_wheel_run_stamp(RiSim *s, RiWheelRun *x, double h);

#endif
