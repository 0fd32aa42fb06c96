// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files that call Embree share.
#ifndef RI_OPTICS_RAY_EMBREE_H
#define RI_OPTICS_RAY_EMBREE_H

#include <embree3/rtcore.h>

#include "optics/ray_scene_work.h"

/// Embree's context with the rays in double precision; a ray's id is its index.
typedef struct RiRayContext {
    struct RTCIntersectContext embree;
    const RiRayScene *scene;
    const RiRay *rays;
} RiRayContext;

/// Callbacks of shapes and of ground that answers rays itself (ray_trace.c).
void ri_ray_part_bounds(const struct RTCBoundsFunctionArguments *args);
void ri_ray_part_intersect(const struct RTCIntersectFunctionNArguments *args);
void ri_ray_part_occluded(const struct RTCOccludedFunctionNArguments *args);
void ri_ray_piece_bounds(const struct RTCBoundsFunctionArguments *args);
void ri_ray_piece_intersect(const struct RTCIntersectFunctionNArguments *args);
void ri_ray_piece_occluded(const struct RTCOccludedFunctionNArguments *args);
/// Drops hits of ground where a tile with ruts stands.
void ri_ray_cut_filter(const struct RTCFilterFunctionNArguments *args);

#endif
