// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rays against shapes in double precision.
#ifndef RI_OPTICS_RAY_SHAPE_H
#define RI_OPTICS_RAY_SHAPE_H

#include "optics/ray_scene.h"

/// First hit of the ray o + s d in the shape's own frame, near < s < far: range and outward normal.
/// A ray that starts inside hits the surface from within.
bool ri_ray_shape_hit(RiRayShapeType type, const double size[3], RiVec3 o, RiVec3 d, double near, double far,
                      double *out_range, RiVec3 *out_normal);
/// Half sizes of the box around a shape.
RiVec3 ri_ray_shape_half(RiRayShapeType type, const double size[3]);

#endif
