// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checkpoints in memory.
#ifndef RI_IO_CHECKPOINT_H
#define RI_IO_CHECKPOINT_H

#include <rille/checkpoint.h>

enum { RI_CHECKPOINT_HEAD = 64, RI_CHECKPOINT_SUM = 8 }; ///< bytes before and after the content

/// Makes the checksum of a checkpoint right.
void ri_checkpoint_seal(unsigned char *data, size_t size);

#endif
