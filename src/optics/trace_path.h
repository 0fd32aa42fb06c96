// SPDX-License-Identifier: Apache-2.0
/// \file
/// One path, inside.
#ifndef RI_OPTICS_TRACE_PATH_H
#define RI_OPTICS_TRACE_PATH_H

#include <math.h>

#include "optics/trace_numbers.h"
#include "optics/tracer.h"

/// What one sample of a pixel brings.
typedef struct RiPath {
    double sharp[RI_BANDS], soft[RI_BANDS];
    double albedo[RI_BANDS];
    RiVec3 normal;
    double depth; ///< INFINITY: no matte surface
    double doubt; ///< variance of `sharp`, mean of bands, as far as shadows make it
    bool glossy;  ///< other things make it too
} RiPath;

/// A pixel without light.
static inline RiPath ri_path_none(void)
{
    return (RiPath){.albedo = {1.0, 1.0, 1.0}, .depth = INFINITY};
}

enum { RI_PATH_BUNCH = 256 };

/// Paths of at most RI_PATH_BUNCH rays, neighbours next to each other.
void ri_paths_trace(const RiTraceJob *job, const RiTraceOptions *options, int count, const RiRay *rays,
                    const RiNumbers *numbers, RiPath *const *out);

/// What the first surface of the ray is, without light: albedo, normal and depth of *out. False:
/// nothing (depth INFINITY), or a mirror.
bool ri_path_features(const RiTraceJob *job, const RiRay *ray, RiPath *out);

/// Light of sky and discs that arrives from `toward`.
void ri_path_sky(const RiTraceJob *job, RiVec3 toward, double out[RI_BANDS]);
/// Shadow rays per disc or lamp at the first matte surface. No filter brings back what few rays miss:
/// pictures of few samples cast two, path-traced ones under a black sky, where shadows are most of the
/// noise, four.
static inline int ri_path_shadow_rays(const RiTraceJob *job, const RiTraceOptions *options)
{
    const bool black = ri_light_def(job->light)->sky == RI_SKY_BLACK;
    if (options->shadow_rays > 0)
        return options->shadow_rays;
    return options->samples >= 64 ? 1 : options->tracer == RI_TRACER_PATH && black ? 4 : 2;
}

/// Where sample i looks at a pixel, from the pixel's centre [pixels].
void ri_pixel_point(int sample, double *out_x, double *out_y);

#endif
