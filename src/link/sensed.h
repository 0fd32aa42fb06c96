// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a rover has made of the ground, as the protocol's messages: its map of goodness and hazards
/// (kind 8), the footprints of its laser stripes (kind 7), and the mobility map it was given (kind 8).
///
///     memory of a device `navigation` --ri_nav_draw--> RiNavDrawing --ri_sensed_keep--> pages
///
/// Pages draw one map of each kind: that of the first device `navigation`. Messages go out when
/// they change. Test: tests/link/test_shown.c.
#ifndef RI_LINK_SENSED_H
#define RI_LINK_SENSED_H

#include <rille/sim.h>
#include <rille/view.h>

typedef struct RiSensed {
    uint64_t hashes[3]; ///< of what pages have: hazards, goodness, stripes; 0: nothing
    int given;          ///< layers of the mobility map that pages have: it does not change
} RiSensed;

/// Keeps what has changed for pages. What fails is done with the next call.
RI_MUST_CHECK RiStatus ri_sensed_keep(RiSensed *sensed, RiView *view, const RiSim *sim, int run);

#endif
