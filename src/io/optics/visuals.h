// SPDX-License-Identifier: Apache-2.0
/// \file
/// A robot in the ray scene.
#ifndef RI_IO_OPTICS_VISUALS_H
#define RI_IO_OPTICS_VISUALS_H

#include <rille/model.h>
#include <rille/spec.h>

#include "optics/ray_scene.h"

/// Adds one body for each link that shows something, in the order of the model's links;
/// out_links[body] is the link (frame) that moves it. A link shows its visual shapes; without any,
/// its collision shapes; without those, its wheels and screws; else the box that has its inertia.
/// Mesh files that cannot be read are left out and told in `report` (may be NULL). `out_links` has
/// room for all links.
RI_MUST_CHECK RiStatus ri_visuals_add(RiContext *ctx, const RiSpec *spec, const RiModel *model, RiReport *report,
                                      RiRayScene *scene, int *out_links, int *out_count);

#endif
