// SPDX-License-Identifier: Apache-2.0
/// \file
/// Removes the noise of few samples from a traced frame.
///
///     RiFrame (sharp, soft, variances, albedo, normal, depth) --(divide by albedo, filter, multiply)--> radiance
///
/// An edge-avoiding wavelet filter [dammertz2010] whose weights also know the variance of the
/// light, as in [schied2017], on the two parts of the light apart: soft light is smoothed widely,
/// sharp light only as far as its own noise says (penumbra). Deterministic: the same bits for any
/// number of threads. Docs: docs/theory/denoiser.md, with its error against converged pictures.
#ifndef RI_OPTICS_DENOISE_H
#define RI_OPTICS_DENOISE_H

#include "optics/tracer.h"

/// Further samples (RiTraceOptions.more) for each sample of pictures that are denoised: pixels that the
/// filter cannot help get nine times as many.
enum { RI_DENOISE_MORE = 9 };

/// Pixels with an edge in them are put together from the smooth light around: the `job` that the
/// frame was traced with is asked what each of the pixel's eight points shows (only first surfaces,
/// no light). Without a job (NULL) such pixels keep their noise.
///
/// Writes 3 width height floats of radiance. Works best with frames of at least 4 samples; a frame
/// of one sample has no variance and is smoothed by its features alone.
RI_MUST_CHECK RiStatus ri_denoise(RiContext *ctx, const RiFrame *frame, const RiTraceJob *job, int threads, float *out);

#endif
