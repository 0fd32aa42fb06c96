// SPDX-License-Identifier: Apache-2.0
/// \file
/// Radial functions of lenses and their inverses.
#ifndef RI_OPTICS_CAMERA_LENS_H
#define RI_OPTICS_CAMERA_LENS_H

#include <stdbool.h>

#include <rille/camera.h>

/// How many vectors the model has: 4 for CAHV, 5 for CAHVOR, 6 for CAHVORE, 0 for the models with a
/// focal length.
int ri_camera_vectors(const RiCamera *c);
/// Image radius of a ray, and its slope. The argument is chi (CAHV family), tan of the angle
/// (Brown-Conrady) or the angle (Kannala-Brandt).
double ri_lens_radius(const RiCamera *c, double x, double *out_slope);
/// Inverse below the turning point; false: no ray has that image radius.
bool ri_lens_inverse(const RiCamera *c, double radius, double *out_x);
/// Finds where the radial function first turns back, up to `end`.
void ri_lens_find_turn(RiCamera *c, double end);

#endif
