// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain and ruts in the protocol's form.
#ifndef RI_LINK_GROUND_H
#define RI_LINK_GROUND_H

#include <stdint.h>

#include <rille/ground.h>
#include <rille/sim.h>
#include <rille/terrain_file.h>

#include "link/text.h"

/// Takes a message; `key` tells messages of one run apart.
typedef RiStatus (*RiGroundFn)(void *user, uint64_t key, const void *data, size_t size);

/// The `terrain` member of a scene message: null without terrain.
void ri_ground_member(RiText *out, const RiSim *sim, const RiTerrainFile *file);
/// All tiles of the sim's terrain, the coarsest first; of ground with overhangs a mesh of what lies
/// around the robot.
RI_MUST_CHECK RiStatus ri_ground_tiles(RiContext *ctx, RiSim *sim, int run, RiGroundFn take, void *user);
/// A slip in one byte: 0: no wheel has pressed the cell; 1 to 255: -1 to 1.
unsigned char ri_ground_slip(const RiRut *rut);
/// A tile of ruts from its lowest cell, depths [m] and slips row by row; NULL: nothing has happened
/// in it.
void ri_ground_depths(RiText *out, double cell, int i, int j, const float *depth, const unsigned char *slip, int run);
/// One tile of ruts.
void ri_ground_rut_tile(RiText *out, const RiRuts *ruts, int tile, int run);

#endif
