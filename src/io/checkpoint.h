// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checkpoints in memory.
#ifndef RI_IO_CHECKPOINT_H
#define RI_IO_CHECKPOINT_H

#include <rille/checkpoint.h>

enum { RI_CHECKPOINT_HEAD = 64, RI_CHECKPOINT_SUM = 8 }; ///< bytes before and after the content

/// Size of a checkpoint of this simulation [bytes].
size_t ri_checkpoint_size(const RiSim *s);
/// Writes it to `out`, aligned as for a double.
void ri_checkpoint_compose(const RiSim *s, unsigned char *out);
/// Makes the checksum of a checkpoint right.
void ri_checkpoint_seal(unsigned char *data, size_t size);

#endif
