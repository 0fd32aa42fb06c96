// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bringing a scene into a view.
#ifndef RI_LINK_SHOW_H
#define RI_LINK_SHOW_H

#include <rille/view.h>

/// Keys of kept messages.
enum {
    SHOW_SCENE = 1,
    SHOW_VALUES = 2,
    SHOW_TILES = 4,
    SHOW_RUTS = 5,
    SHOW_PLAN = 6,
    SHOW_WAY = 7,
    SHOW_SENSED = 8,
    SHOW_SEEN = 9
};
static inline uint64_t ri_show_key(int what, int run)
{
    return (uint64_t)what << 56 | (uint64_t)run;
}

/// Of the tile of ruts with this lowest cell.
static inline uint64_t ri_show_rut_key(int run, int i, int j)
{
    const uint64_t place = (uint64_t)((i / RI_RUT_TILE) & 0xfffff) | (uint64_t)((j / RI_RUT_TILE) & 0xfffff) << 20;
    return ri_show_key(SHOW_RUTS, run) | place << 8;
}

/// Declares the run and keeps its scene, meshes and table of values.
RI_MUST_CHECK RiStatus ri_show_scene(RiContext *ctx, RiView *view, RiScene *scene, int *out_run);

enum { RI_SHOW_CONTACTS = 256 }; ///< most that are shown
/// Where the robot touches the ground, and with which force; the number of them. More than
/// RI_SHOW_CONTACTS are left out.
int ri_show_contacts(const RiSim *sim, RiViewContact *out);

#endif
