// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ruts, inside: blocks whose size is in their head.
#ifndef RI_TERRAIN_RUTS_H
#define RI_TERRAIN_RUTS_H

#include <rille/ground.h>

enum { RI_RUTS_HEAD = 16 }; ///< bytes of a block without tiles

/// Size of the block that begins with the RI_RUTS_HEAD bytes at `block`, as they state it [bytes].
size_t ri_ruts_block_size(const void *block);

/// ri_ruts_depth_many and ri_ruts_packed_many at once, for the price of one.
void ri_ruts_read_many(const RiRuts *r, int count, const double *x, const double *y, double *out_depth,
                       double *out_packed);

#endif
