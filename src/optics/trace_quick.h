// SPDX-License-Identifier: Apache-2.0
/// \file
/// Quick tiles for the tracer, inside.
#ifndef RI_OPTICS_TRACE_QUICK_H
#define RI_OPTICS_TRACE_QUICK_H

#include "optics/quick.h"
#include "optics/trace_numbers.h"
#include "optics/tracer.h"

typedef struct RiQuickJob {
    const RiTraceJob *job;
    const RiTraceOptions *options;
    const RiQuickSurface *surfaces;
    const RiQuickKernels *kernels;
    RiVec3 origin;
    /// Ray and numbers of one sample of a pixel that is a path.
    bool (*pixel_ray)(const void *picture, int x, int y, int sample, RiNumbers *numbers, RiRay *ray);
    const void *picture;
} RiQuickJob;

/// Whether pictures of the job may go this way.
bool ri_quick_is_possible(const RiTraceJob *job, const RiTraceOptions *options);
/// `surfaces` has room for those of the job; pixel_ray and picture are left to the caller.
void ri_quick_prepare(const RiTraceJob *job, const RiTraceOptions *options, RiQuickSurface *surfaces, RiQuickJob *out);
/// Sums the samples' light of the pixels from (x0, y0). False: the camera's rays are too crooked
/// there, trace them one by one.
bool ri_quick_tile(const RiQuickJob *q, int x0, int y0, int wide, int high, RiQuickTile *t);

#endif
