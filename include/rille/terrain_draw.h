// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures of terrain: hill shade with overlays from above, and sections through anything.
#ifndef RILLE_TERRAIN_DRAW_H
#define RILLE_TERRAIN_DRAW_H

#include <rille/ground.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiTerrainDrawing {
    double low[2], high[2]; ///< region along the picture's axes [m]
    int size;               ///< pixels of the map on its longer side
    int section;            ///< -1: from above; 0, 1, 2: a cut at x, y or z
    double at;              ///< place of the cut [m]
    bool slope, soil;       ///< overlays
    double contours;        ///< step of contour lines [m]; 0: none
    const char *title;
} RiTerrainDrawing;

/// Draws to a PNG file. From above the axes are x and y; a section at x has y and z, at y has x and
/// z, at z has x and y. `ruts` may be NULL.
RI_MUST_CHECK RiStatus ri_terrain_draw(RiContext *ctx, const RiTerrain *t, const RiRuts *ruts,
                                       const RiTerrainDrawing *drawing, const char *path);
/// The usual region: the terrain's bounds along the axes of a section (-1: from above), 20 m where
/// it has none.
void ri_terrain_draw_region(const RiTerrain *t, int section, double low[2], double high[2]);
/// A step for contour lines that fits a range: 1, 2 or 5 times a power of ten.
double ri_terrain_draw_step(double range);

#ifdef __cplusplus
}
#endif
#endif
