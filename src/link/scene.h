// SPDX-License-Identifier: Apache-2.0
/// \file
/// The `scene` and `values` messages of a run.
#ifndef RI_LINK_SCENE_H
#define RI_LINK_SCENE_H

#include <rille/scene.h>

#include "link/text.h"

/// Gives a mesh file a number; -1: it is left out.
typedef RiStatus (*RiSceneMeshFn)(void *user, const char *path, int *out_number);

RI_MUST_CHECK RiStatus ri_scene_message(RiContext *ctx, const RiScene *scene, int run, RiSceneMeshFn add_mesh,
                                        void *user, RiText *out);
/// A mesh file in the form that pages fetch.
RI_MUST_CHECK RiStatus ri_scene_mesh_bytes(RiContext *ctx, const char *path, RiText *out);

#endif
