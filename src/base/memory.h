// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory inside of the library: the public part, and laying out a workspace.
#ifndef RI_BASE_MEMORY_H
#define RI_BASE_MEMORY_H

#include <rille/memory.h>

/// Takes room for `count` items off a block at *at and moves *at on, in steps of 64 bytes; with a
/// NULL block it only counts. Laying out a workspace is one function run twice: to learn its size,
/// and to place its arrays.
void *ri_carve(char *block, size_t *at, size_t count, size_t size);

#endif
