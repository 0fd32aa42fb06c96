// SPDX-License-Identifier: Apache-2.0
/// \file
/// Resampling of a raster row by row, so that a file of any size can be made coarse in little
/// memory.
///
/// Both axes are independent: an output value is sum_j wy_j sum_i wx_i v_ij. An axis that gets
/// coarser takes the mean over the output cell (weights are the parts of input cells inside it: the
/// volume under the heights stays); one that gets finer takes Catmull-Rom [keys1981] between cell
/// centres, ends repeated.
///
/// Missing values (NAN) take no part: the sum is divided by the weight of what is known, and where
/// less than half of it is known the output is missing. Theory: docs/theory/terrain-maps.md; test:
/// tests/io/test_raster_resample.c.
#ifndef RI_IO_RASTER_RESAMPLE_H
#define RI_IO_RASTER_RESAMPLE_H

#include <stdbool.h>

#include <rille/context.h>

/// One axis: `count` values in cells of size `size` become `out_count` in cells of `out_size`, of
/// which the first begins `start` behind the beginning of the first input cell (all along the
/// file's order).
typedef struct RiResampleAxis {
    int count, out_count;
    double size, out_size, start;
} RiResampleAxis;

/// Gives input row `row` (asked for in order, each once), or false to stop.
typedef bool RiResampleRead(void *user, int row, double *out_values);
/// Takes output row `row` (given in order).
typedef void RiResampleWrite(void *user, int row, const float *values);

/// RI_ERR_MEMORY, or RI_ERR_IO if `read` stopped.
RI_MUST_CHECK RiStatus ri_resample(RiContext *ctx, const RiResampleAxis *x, const RiResampleAxis *y,
                                   RiResampleRead *read, RiResampleWrite *write, void *user);

#endif
