// SPDX-License-Identifier: Apache-2.0
/// \file
/// One analytic part of the ground, in its own frame: distance, where lines enter and leave it, how
/// it curves.
#ifndef RI_TERRAIN_SHAPE_H
#define RI_TERRAIN_SHAPE_H

#include <stdbool.h>

#include <rille/terrain.h>

#include "terrain/noise.h"

typedef struct RiShape {
    RiGroundShape kind;
    double a, b, c;
    double roughness;     ///< [m]
    const RiNoise *noise; ///< NULL without roughness
} RiShape;

/// Signed distance at p with its gradient. Euclidean inside and out without roughness; with it f /
/// |grad f| for f = distance - roughness * noise.
double ri_shape_distance(const RiShape *s, RiVec3 p, RiVec3 *out_normal);

/// Second derivatives of the signed distance at a point of the surface (symmetric, zero along the
/// normal n).
RiMat3 ri_shape_bend(const RiShape *s, RiVec3 p, RiVec3 n);

/// Parts [lo, hi] of the line o + t d within the solid without roughness, at most two, in order; lo
/// < hi.
typedef struct RiSpan {
    double lo, hi;
} RiSpan;
int ri_shape_spans(const RiShape *s, RiVec3 o, RiVec3 d, RiSpan out[2]);

/// A box in the part's frame that holds the part and its roughness. False: it is endless.
bool ri_shape_bounds(const RiShape *s, RiVec3 *out_low, RiVec3 *out_high);

#endif
