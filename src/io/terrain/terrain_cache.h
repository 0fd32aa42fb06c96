// SPDX-License-Identifier: Apache-2.0
/// \file
/// Names of cached distance grids.
#ifndef RI_IO_TERRAIN_CACHE_H
#define RI_IO_TERRAIN_CACHE_H

#include <rille/terrain_io.h>

/// Path of the file for a content and a definition; false if it does not fit or no folder is known.
bool ri_terrain_cache_path(uint64_t content_hash, const RiBakeDef *def, const char *folder, char *out, size_t size);

#endif
