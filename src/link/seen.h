// SPDX-License-Identifier: Apache-2.0
/// \file
/// What cameras and lidars of a live run see, as the protocol's messages: pictures (kind 5), clouds
/// in the world (kind 7), and what cameras see of the ground (kind 9).
///
///     layers that pages ask for --> RiSensors (rendered beside the run) --> kept messages --> pages
///
/// Sensors work only while a page asks for them; the simulation is only read. Belongs to the thread
/// of the simulation. Test: tests/link/test_shown.c.
#ifndef RI_LINK_SEEN_H
#define RI_LINK_SEEN_H

#include <rille/perception.h>
#include <rille/view.h>

typedef struct RiSeen RiSeen;

/// *out is NULL for a scene without cameras and lidars; all functions below take NULL then. Scene and
/// view are used by all but ri_seen_destroy: the view may be gone by then.
RI_MUST_CHECK RiStatus ri_seen_create(RiContext *ctx, RiView *view, RiScene *scene, int run, RiSeen **out);
void ri_seen_destroy(RiSeen *s);
/// Call it after each tick and whenever pages may have asked for something (`layers`). What fails
/// stops the sensors until pages ask for other layers.
RI_MUST_CHECK RiStatus ri_seen_tick(RiSeen *s, int layers);
/// The robot was put elsewhere, or time was: all sensors start again.
void ri_seen_restart(RiSeen *s);
/// Where the borders of the cameras' frames meet the ground now.
RI_MUST_CHECK RiStatus ri_seen_sights(RiSeen *s);

#endif
