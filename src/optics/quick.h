// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whitted pictures in single precision, a tile of 16 x 16 pixels at a time, side by side.
///
///     nodes of the tile --(rays)--> Embree --> normals --(begin)--> tint, colour, sky --(toward)--> Embree --(receive)--> light
///
/// The steps between Embree's are kernels, compiled once per instruction set (cmake/RilleKernels.cmake);
/// all of them give the same bits. Only Lambert's and Hapke's surfaces under discs and sky go this way;
/// every other pixel of the tile is a path of trace_path.h. Coordinates are relative to the origin of
/// the ray scene. Test: tests/optics/test_quick.c compares both ways.
#ifndef RI_OPTICS_QUICK_H
#define RI_OPTICS_QUICK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/processor.h"
#include "optics/ray_scene.h"
#include "optics/surface.h"

enum { RI_QUICK_SIDE = 16, RI_QUICK = RI_QUICK_SIDE * RI_QUICK_SIDE, RI_QUICK_NODES = 4, RI_QUICK_PACKET = 8 };
enum { RI_QUICK_NOTHING = -1, RI_QUICK_SLOW = -2 }; ///< in place of a surface

/// A tile. Pixels lie in blocks of 4 x 2, one for each packet: neighbours in all directions are
/// traced together. See ri_quick_place.
typedef struct RiQuickTile {
    _Alignas(64) float origin[3][RI_QUICK];
    float direction[3][RI_QUICK];
    float range[RI_QUICK];
    float normal[3][RI_QUICK]; ///< of the surface itself; `begin` makes it unit and turns it to the viewer
    float smooth[3][RI_QUICK]; ///< of the smooth surface; `begin` replaces those that look away
    float point[3][RI_QUICK];
    float start[3][RI_QUICK];  ///< of shadow rays
    float toward[3][RI_QUICK]; ///< to a disc
    float bright[RI_QUICK];    ///< of the disc there, over its middle
    float cosine[RI_QUICK];    ///< of incidence
    float tint[RI_QUICK];      ///< of the albedo
    float sharp[3][RI_QUICK], soft[3][RI_QUICK];
    int32_t surface[RI_QUICK]; ///< of the scene, or RI_QUICK_*
    int32_t open[RI_QUICK];    ///< -1: light may arrive; 0: no
    uint32_t seed[RI_QUICK];   ///< of the pixel's random numbers
} RiQuickTile;

/// Where pixel (x, y) of a tile lies.
static inline int ri_quick_place(int x, int y)
{
    return (y / 2 * 4 + x / 4) * RI_QUICK_PACKET + y % 2 * 4 + x % 4;
}

/// A surface as kernels take it.
typedef struct RiQuickSurface {
    float albedo[3];
    bool hapke, h2002;
    float b, back, surge, width, fill, tan_slope, cot_slope, chi; ///< tan_slope 0: smooth
    float common, single, x0, x, log_x0, log_x;                   ///< of its colour
    float amplitude;                                              ///< of the texture; 0: none
    int octaves;
    uint32_t seed;
    double coarse;
    double origin[3]; ///< of the scene
} RiQuickSurface;

/// A disc as kernels take it.
typedef struct RiQuickDisc {
    float R[9], low, width, outer, limb;
    float light[3]; ///< radiance of its middle over its density and the number of rays
} RiQuickDisc;

/// Node n of a tile lies at pixel 5 n of its row or column.
typedef struct RiQuickNodes {
    float origin[3][RI_QUICK_NODES][RI_QUICK_NODES], direction[3][RI_QUICK_NODES][RI_QUICK_NODES]; ///< [row][column]
} RiQuickNodes;

typedef struct RiQuickKernels {
    /// Seeds of the pixels' numbers: `seed` of the picture, and the number of the tile's first pixel.
    void (*seeds)(uint32_t seed, uint32_t first, uint32_t width, RiQuickTile *t);
    /// Least and largest of a tile's values.
    void (*span)(const float values[RI_QUICK], float out[2]);
    /// A value at all pixels from those at the nodes, by cubic interpolation.
    void (*spread)(float nodes[RI_QUICK_NODES][RI_QUICK_NODES], float out[RI_QUICK]);
    /// Rays of all pixels from those of the nodes.
    void (*rays)(RiQuickNodes *nodes, RiQuickTile *t);
    /// Points, tint and the sky's light of pixels that show `surface`.
    void (*begin)(const RiQuickSurface *s, int surface, const float sky[3], RiQuickTile *t);
    /// Shadow rays to a disc: sample `index` of pair `use` of the pixels' numbers.
    void (*toward)(const RiQuickDisc *d, uint32_t index, uint32_t use, RiQuickTile *t);
    /// Adds the light of a disc where it is open.
    void (*receive)(const RiQuickSurface *s, int surface, const RiQuickDisc *d, RiQuickTile *t);
} RiQuickKernels;

const RiQuickKernels *ri_quick_kernels(RiIsa isa);

/// First hits of all pixels: range, normals and scene's surface, or RI_QUICK_NOTHING.
void ri_ray_scene_quick_look(const RiRayScene *scene, unsigned mask, RiQuickTile *t);
/// Closes pixels whose shadow ray is blocked.
void ri_ray_scene_quick_shadow(const RiRayScene *scene, unsigned mask, RiQuickTile *t);
RiVec3 ri_ray_scene_origin(const RiRayScene *scene);

/// The disc i of a light; `rays` share its light.
struct RiLight;
void ri_light_quick_disc(const struct RiLight *light, int i, int rays, RiQuickDisc *out);

#endif
