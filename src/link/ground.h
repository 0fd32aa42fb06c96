// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain and ruts in the protocol's form.
#ifndef RI_LINK_GROUND_H
#define RI_LINK_GROUND_H

#include <stdint.h>

#include <rille/ground.h>
#include <rille/sim.h>

#include "link/text.h"

/// Takes a message; `key` tells messages of one run apart.
typedef RiStatus (*RiGroundFn)(void *user, uint64_t key, const void *data, size_t size);

/// The `terrain` member of a scene message: null without terrain.
void ri_ground_member(RiText *out, const RiSim *sim);
/// All tiles of the sim's terrain, the coarsest first.
RI_MUST_CHECK RiStatus ri_ground_tiles(RiContext *ctx, const RiSim *sim, int run, RiGroundFn take, void *user);
/// One tile of ruts.
void ri_ground_rut_tile(RiText *out, const RiRuts *ruts, int tile, int run);

#endif
