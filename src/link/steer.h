// SPDX-License-Identifier: Apache-2.0
/// \file
/// What other programs may do to a running simulation between ticks, whatever way they ask for it.
#ifndef RI_LINK_STEER_H
#define RI_LINK_STEER_H

#include <rille/scene.h>

/// Sets gravity [m/s^2]; zero switches it off.
RI_MUST_CHECK RiStatus ri_steer_gravity(RiContext *ctx, RiSim *sim, RiVec3 gravity);
/// Brings derived values in line with a state that was changed from outside, and forgets that the
/// run had ended.
RI_MUST_CHECK RiStatus ri_steer_refresh(RiContext *ctx, RiSim *sim);

/// Where a robot is to be put.
typedef struct RiSteerPlace {
    RiVec3 position; ///< [m]
    RiQuat rotation; ///< unit
    bool settle;     ///< let it find its hold on the ground
    RiPlaceWatchFn watch;
    void *user;
} RiSteerPlace;
/// Puts the base somewhere, everything at rest, and lets the robot find its hold there if that is
/// asked for. `said` tells what came of it. What fails changes nothing.
RI_MUST_CHECK RiStatus ri_steer_base(RiContext *ctx, RiScene *scene, const RiSteerPlace *place, char *said,
                                     size_t size);

#endif
