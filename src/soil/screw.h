// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the closed forms and the step of the screw-soil law share: the nodes of a station and what soil can bear there.
#ifndef RI_SOIL_SCREW_H
#define RI_SOIL_SCREW_H

#include <rille/screw.h>

#include "soil/node.h"

/// A thread as the law sees it: at the middle of its height, spread evenly over the cylinder of its edges.
typedef struct RiThread {
    double radius;       ///< at which the blades' pressure acts [m]
    double sine, cosine; ///< of the blade's angle there; the sine has the sign of the hand
    double per_area;     ///< length of blade per area of the cylinder of the edges [1/m]
    double edge_share;   ///< of that cylinder
} RiThread;
RiThread ri_screw_thread(const RiSoilScrew *w);

/// Stresses over a station, per area of the cylinder of the edges, where the soil is fully pressed. Arrays hold whole lanes.
typedef struct RiScrewStresses {
    double pressure[RI_SCREW_PATCH_MAX]; ///< radial: drum and edges [Pa]
    // strengths without [0] and with [1] that pressure; in between they are linear in it
    double rise[RI_SCREW_PATCH_MAX];        ///< d pressure / d depth [Pa/m]
    double friction[2][RI_SCREW_PATCH_MAX]; ///< strength on the drum and the edges [Pa]
    double blade[2][RI_SCREW_PATCH_MAX];    ///< strength across the blades [Pa]
    double strength[2][RI_SCREW_PATCH_MAX]; ///< of the soil around both [Pa]
    double plug[RI_SCREW_PATCH_MAX];        ///< how far the soil between blades goes with them, 0 to 1
    double arm[RI_SCREW_PATCH_MAX];         ///< radius at which friction acts [m]
    double face;                            ///< force on an end face [N]
    double deepest;                         ///< of the drum [m]
} RiScrewStresses;

/// The ground at a station: z = height + side y, and 1 / sqrt(1 + side^2 + along^2).
typedef struct RiScrewPlane {
    double height, side, cosine;
} RiScrewPlane;

/// The angles between which the edges' cylinder is in the soil. 0: not at all; 1: in contact; 2: the axis is below the ground, and the arc ends where it would overhang.
int ri_screw_arc(const RiSoilScrew *w, RiScrewPlane plane, double *out_low, double *out_high);
/// Stresses at `count` nodes whose sines and cosines are given, `step` apart.
void ri_screw_stresses(const RiNodeKernels *k, const RiSoilScrew *w, const RiThread *t, const RiScrewSoil *soil,
                       RiScrewPlane plane, int count, double step, const double *sine, const double *cosine,
                       RiScrewStresses *out);
/// What is out of the law's range, as far as slip and blade go.
unsigned ri_screw_doubts(const RiSoilScrew *w, const RiScrewSoil *soil, double sinkage, double slip);

#endif
