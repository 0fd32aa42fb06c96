// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scratch of contact between links.
#ifndef RI_SIM_LINK_CONTACT_H
#define RI_SIM_LINK_CONTACT_H

#include "sim/force/touches.h"

struct RiLinkContact {
    int full;        // validity flag: no room for all pairs
    RiVec3 *cg;      // vectors of conjugate gradients
    double *scratch; // [nv]
};

#endif
