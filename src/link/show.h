// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bringing a scene into a view.
#ifndef RI_LINK_SHOW_H
#define RI_LINK_SHOW_H

#include <rille/view.h>

/// Keys of kept messages.
enum { SHOW_SCENE = 1, SHOW_VALUES = 2, SHOW_TILES = 4, SHOW_RUTS = 5 };
static inline uint64_t ri_show_key(int what, int run)
{
    return (uint64_t)what << 56 | (uint64_t)run;
}

/// Declares the run and keeps its scene, meshes and table of values.
RI_MUST_CHECK RiStatus ri_show_scene(RiContext *ctx, RiView *view, RiScene *scene, int *out_run);

#endif
