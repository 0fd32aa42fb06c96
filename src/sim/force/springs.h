// SPDX-License-Identifier: Apache-2.0
/// \file
/// Springs and ropes between a link and the world.
#ifndef RI_SIM_SPRINGS_H
#define RI_SIM_SPRINGS_H

#include "sim/internal.h"

enum { RI_SPRING_FORCE, RI_SPRING_LENGTH, RI_SPRING_ATTACHED, RI_SPRING_BOOKED, RI_SPRING_OUT };

/// A spring at some state: where its point is, how it moves, and what it does.
typedef struct RiSpringState {
    RiVec3 p, v, rate; // point, its velocity, and the part of its acceleration that no joint acceleration gives
    RiVec3 origin, w;  // of the link, and its angular velocity
    RiVec3 n;          // away from the anchor
    double l;          // distance from it
    RiVec3 spring, damper;
    bool slack; // a rope that does not pull: spring and damper add up to nothing
} RiSpringState;

typedef struct RiSpringSlot {
    const char *name;
    int link;
    RiVec3 point, anchor;
    double stiffness, damping, length;
    bool slack;
    double *out;       // in the state block: force, length, attached (0 or 1), and attached as the books know it
    int stretched;     // validity flag
    RiSpringState now; // of the last step's beginning
} RiSpringSlot;

struct RiSprings {
    RiSpringSlot *items;
    int count, room;
    double *out; // in the state block: [count][RI_SPRING_OUT]
};

/// Slopes K = -dF/dp, C = -dF/dv of a spring's force at its point. False: it is slack.
bool ri_sim_spring_slopes(const RiSim *s, int spring, RiVec3 *out_point, RiMat3 *out_K, RiMat3 *out_C);

#endif
