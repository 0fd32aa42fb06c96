// SPDX-License-Identifier: Apache-2.0
/// \file
/// The way that a robot's base has gone, for pages that open in the middle of a run or of a log.
///
/// Places are taken when the base has moved by `spacing`. When there is no room for more, every
/// second one goes and the spacing doubles: a way of any length fits and its shape is kept to
/// within the spacing. Pages have it in pieces, of which only the last one changes as the way
/// grows. Test: tests/link/test_way.c.
#ifndef RI_LINK_WAY_H
#define RI_LINK_WAY_H

#include <rille/view.h>

#include "link/text.h"

enum { RI_WAY_PIECE = 256, RI_WAY_PIECES = 32, RI_WAY_MOST = RI_WAY_PIECE * RI_WAY_PIECES };

typedef struct RiWay {
    float at[RI_WAY_MOST][4]; ///< time [s], x, y, z [m]
    int count;
    int clean;  ///< places that pages have
    int pieces; ///< that pages have
    double spacing;
} RiWay;

void ri_way_init(RiWay *w);
void ri_way_clear(RiWay *w); ///< pages lose it with the next ri_way_keep
/// Takes a place if it is far enough from the last one. Times must not fall.
void ri_way_add(RiWay *w, double time, RiVec3 p);
/// Keeps the pieces that have changed for pages. What fails is done with the next call.
RI_MUST_CHECK RiStatus ri_way_keep(RiWay *w, RiView *view, int run);

#endif
