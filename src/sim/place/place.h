// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placement, inside: what its parts share.
///
///     place_shape.c  chain of the robot, curve --> joint angles and base pose
///     place_pull.c   features, ground --> pulls, as the springs of a scratch simulation
///     place_press.c  touches, weight --> forces that press and balance
///     place_work.h   stages of one attempt
///     place.c        what was asked for, attempts, report
#ifndef RI_SIM_PLACE_H
#define RI_SIM_PLACE_H

#include <rille/place.h>

#include "sim/force/joints.h"
#include "sim/force/springs.h"
#include "sim/force/touches.h"
#include "sim/internal.h"

/// A joint of the chain that bends or twists, with the straight robot's base at the world's origin.
typedef struct RiChainJoint {
    int joint;
    int q, s; // in q, in spanning velocities
    bool bend;
    RiVec3 origin, axis;
    double lower, upper;
} RiChainJoint;

typedef struct RiChain {
    RiChainJoint *joints;
    int count, bends;
    RiVec3 start, along; // of the straight chain; along: unit
    double tip;          // of the last segment [m]
    double segment;      // mean length [m]
} RiChain;

/// Finds the longest chain of turning joints. Screws and wheels at its sides are no part of it.
/// count is 0 if there is none.
RI_MUST_CHECK RiStatus ri_chain_find(RiArena *arena, RiContext *ctx, const RiModel *m, const RiContacts *c,
                                     const double *q, RiChain *out);

/// Corners of a curve: as many as the chain needs, from the base's origin over the bending axes to
/// the tip.
typedef struct RiCorners {
    RiVec3 *at;
    double *length; // [count - 1] of the segments between them [m]
    int count;
} RiCorners;
RI_MUST_CHECK RiStatus ri_corners_create(RiArena *arena, const RiChain *chain, RiCorners *out);
/// Writes base pose and angles of the guess into q. The corners come to lie on the curve.
RI_MUST_CHECK RiStatus ri_place_guess(RiContext *ctx, RiCorners *corners, const RiModel *m, const RiChain *chain,
                                      const RiPlaceDef *def, double *q);

/// All features near and far, and what pulls them.
typedef struct RiPuller {
    const RiContacts *contacts;
    RiTouchWork work;
    RiVec3 *no_normals; ///< [places] zero: of a simulation without contacts
    const bool *meant;  // [feature]
    double k, c;        // stiffness and damping of a pull
    double most;        // largest pull [N]
    double *load;       // [feature] pull at the ground [N]
    bool push;          // penetrating features are pushed out; else the contacts do that
    bool banded;        // the terrain knows normals only near its surface
    RiVec3 *far_hit;    // [feature] nearest ground found by rays
    int *far_age;       // [feature] steps since; 0: none
    RiPlacePull *pulls; // [feature]
    RiVec3 *normal;     // [pull] of the ground
    double *gap;        // [feature] distance from the ground [m]
    RiVec3 *last;       // [feature] where the feature's centre was, for creep
    int pull_count;
} RiPuller;

RI_MUST_CHECK RiStatus ri_puller_create(RiArena *arena, const RiContacts *c, RiPuller *out);
/// One spring per feature, before the scratch simulation is built.
RI_MUST_CHECK RiStatus ri_puller_add_springs(const RiPuller *p, RiSim *scratch);
/// Pull of all features at the ground.
void ri_puller_set_load(RiPuller *p, double load);
/// Looks at all features of a simulation's current state: gaps, pulls.
void ri_puller_look(RiPuller *p, const RiSim *scratch);
/// Forces again after a change of loads, at the last look.
void ri_puller_aim(RiPuller *p);
/// Makes the springs pull for the step to come.
void ri_puller_pull(RiPuller *p, RiSim *scratch);
/// Only the dampers of the springs.
void ri_puller_brake(const RiPuller *p, RiSim *scratch);
/// Lets go of everything.
void ri_puller_release(RiSim *scratch);
/// Speed of the fastest centre of a feature [m/s].
double ri_puller_speed(const RiPuller *p, const RiSim *scratch);
/// Keeps where the features are; how far the farthest has gone since.
void ri_puller_mark(RiPuller *p);
double ri_puller_moved(const RiPuller *p);

/// Touches that shall press.
typedef struct RiPress {
    RiVec3 *point, *normal, *force; // [count]
    RiVec3 *thread;                 // [count] across the thread, zero
    const RiPairDef **pair;
    const RiLawUse **use;
    double *target; // pressing wanted [N]
    int *feature;
    bool *in; // it presses
    int count;
    RiVec3 centre; // of mass [m]
    double size;   // of the robot, roughly [m]
} RiPress;
/// Forces that balance the weight [N], are nearest to their targets, and do not pull. False: there
/// are none.
bool ri_press_solve(RiPress *x, RiVec3 weight);
/// Changes of the forces [N] that press by the targets and have no resultant: what one touch
/// presses more the others press less.
bool ri_press_spread(RiPress *x);
/// Part of the friction of all touches that the forces leave; negative: they would slide.
double ri_press_reserve(const RiPress *x);

#endif
