// SPDX-License-Identifier: Apache-2.0
/// \file
/// Folders that `rille map --headings --out` has written: costs for devices that plan, and what a
/// drive by map needs besides.
#ifndef RI_IO_SCENE_MAP_H
#define RI_IO_SCENE_MAP_H

#include <rille/device.h>

#include "base/memory.h"

/// Costs, and what is drawn of them; it lives as long as the arena.
RI_MUST_CHECK RiStatus ri_map_load(RiContext *ctx, RiArena *arena, const char *folder, RiDeviceMap **out_map);
/// A layer of all headings, [headings][ny][nx], NAN where the map has none: "slip". All its files
/// must be there.
RI_MUST_CHECK RiStatus ri_map_load_headings(RiContext *ctx, RiArena *arena, const char *folder, const char *layer,
                                            const RiDeviceMap *map, const float **out);

#endif
