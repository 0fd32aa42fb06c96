// SPDX-License-Identifier: Apache-2.0
/// \file
/// Images over the ground, from rasters.
#ifndef RI_IO_DRAPE_H
#define RI_IO_DRAPE_H

#include "io/scene/scene_optics.h"
#include "optics/tracer.h"

/// Reads the image that a scene's `light` names: three bands, or one for all colours; at most 2^26
/// cells. Empty without one. Messages begin with the path. The caller releases `rgb` with
/// ri_release.
RI_MUST_CHECK RiStatus ri_drape_load(RiContext *ctx, const RiSceneLight *light, RiDrape *out);

#endif
