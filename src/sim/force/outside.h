// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contacts from another program.
#ifndef RI_SIM_OUTSIDE_H
#define RI_SIM_OUTSIDE_H

#include "sim/internal.h"

enum { RI_OUTSIDE_COUNT, RI_OUTSIDE_FORCE, RI_OUTSIDE_HEAD };

/// A contact as the state holds it: doubles only.
typedef struct RiOutsideSlot {
    double link;
    RiVec3 point;  // in the link frame
    RiVec3 normal; // in the world
    double offset; // of the plane: depth + n.p
    double stiffness, damping, friction;
} RiOutsideSlot;

struct RiOutside {
    double *head;        // in the state block: [RI_OUTSIDE_HEAD]
    RiOutsideSlot *list; // in the state block: [options.outside]
};

RI_MUST_CHECK RiStatus ri_outside_create(RiSim *s);

#endif
