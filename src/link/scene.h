// SPDX-License-Identifier: Apache-2.0
/// \file
/// The `scene` and `values` messages of a run.
#ifndef RI_LINK_SCENE_H
#define RI_LINK_SCENE_H

#include <rille/mesh.h>
#include <rille/scene.h>

#include "link/text.h"

/// A mesh to be shown: a file, or a part of a wheel or screw.
typedef struct RiSceneMesh {
    const char *path;
    const RiWheelSpec *wheel;
    const RiScrewSpec *screw;
    RiGearPart part;
} RiSceneMesh;

/// Gives a mesh a number; -1: it is left out.
typedef RiStatus (*RiSceneMeshFn)(void *user, const RiSceneMesh *mesh, int *out_number);

RI_MUST_CHECK RiStatus ri_scene_message(RiContext *ctx, const RiScene *scene, int run, RiSceneMeshFn add_mesh,
                                        void *user, RiText *out);
/// A mesh in the form that pages fetch; nothing for blades that cannot be drawn one by one.
RI_MUST_CHECK RiStatus ri_scene_mesh_bytes(RiContext *ctx, const RiSceneMesh *mesh, RiText *out);
/// Do both look alike in their own frames?
bool ri_scene_mesh_equal(const RiSceneMesh *a, const RiSceneMesh *b);

#endif
