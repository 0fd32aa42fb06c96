// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soil maps, inside.
#ifndef RI_TERRAIN_SOIL_MAP_H
#define RI_TERRAIN_SOIL_MAP_H

#include <rille/ground.h>

#include "base/memory.h"

/// Held in memory [bytes].
size_t ri_soil_map_bytes(const RiSoilMap *map);

#endif
