// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soil under a wheel that touches in one point: how far it sinks, how much it can pull, how it
/// slips.
#ifndef RI_CONTACT_TERZAGHI_H
#define RI_CONTACT_TERZAGHI_H

#include <stdint.h>

#include <rille/ground.h>

/// A soil as the law uses it.
typedef struct RiBearing {
    double cohesion;    ///< [Pa]
    double tan_phi;     ///< of the friction angle
    double unit_weight; ///< density times gravity [N/m^3]
    RiBearingFactors N;
} RiBearing;

/// Sinkage at which the soil carries a load under a wheel of a radius and width [m].
double ri_bearing_sinkage(const RiBearing *soil, double load, double radius, double width);
/// Largest traction of the wheel at that sinkage [N].
double ri_bearing_traction(const RiBearing *soil, double load, double radius, double width, double sinkage);
/// What a stick spring-damper of force |y| carries when the soil is renewed under it: solves f +
/// damp S(f) = |y| with the slip S(f) = -transition ln(1 - f / limit). `damp` is b V, see
/// docs/theory/roams.md.
double ri_bearing_carried(double y, double limit, double damp, double transition);
/// A standard normal number that belongs to a place, continuous over the ground; patches of a size
/// [m] are independent.
double ri_patch_normal(uint64_t key, double patch, double x, double y);

#endif
