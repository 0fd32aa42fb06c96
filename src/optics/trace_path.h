// SPDX-License-Identifier: Apache-2.0
/// \file
/// One path, inside.
#ifndef RI_OPTICS_TRACE_PATH_H
#define RI_OPTICS_TRACE_PATH_H

#include "optics/trace_numbers.h"
#include "optics/tracer.h"

/// What one sample of a pixel brings.
typedef struct RiPath {
    double sharp[RI_BANDS], soft[RI_BANDS];
    double albedo[RI_BANDS];
    RiVec3 normal;
    double depth; ///< INFINITY: no matte surface
} RiPath;

void ri_path_trace(const RiTraceJob *job, const RiTraceOptions *options, RiRay ray, RiNumbers numbers, RiPath *out);

/// What the first surface of the ray is, without light: albedo, normal and depth of *out. False:
/// nothing (depth INFINITY), or a mirror.
bool ri_path_features(const RiTraceJob *job, const RiRay *ray, RiPath *out);

/// Where sample i looks at a pixel, from the pixel's centre [pixels].
void ri_pixel_point(int sample, double *out_x, double *out_y);

#endif
