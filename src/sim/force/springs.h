// SPDX-License-Identifier: Apache-2.0
/// \file
/// Springs and ropes between a link and the world.
#ifndef RI_SIM_SPRINGS_H
#define RI_SIM_SPRINGS_H

#include "sim/internal.h"

enum { RI_SPRING_FORCE, RI_SPRING_LENGTH, RI_SPRING_ATTACHED, RI_SPRING_BOOKED, RI_SPRING_OUT };

typedef struct RiSpringSlot {
    const char *name;
    int link;
    RiVec3 point, anchor;
    double stiffness, damping, length;
    bool slack;
    double *out;   // in the state block: force, length, attached (0 or 1), and attached as the books know it
    int stretched; // validity flag
} RiSpringSlot;

struct RiSprings {
    RiSpringSlot *items;
    int count, room;
    double *out; // in the state block: [count][RI_SPRING_OUT]
};

/// Slopes K = -dF/dp, C = -dF/dv of a spring's force at its point. False: it is slack.
bool ri_sim_spring_slopes(const RiSim *s, int spring, RiVec3 *out_point, RiMat3 *out_K, RiMat3 *out_C);

#endif
