// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the closed forms and the step of the screw-soil law share: the nodes of a station and what
/// soil can bear there.
///
///     place --(angles, depths)--> press --(pressures)--> bear --(strengths)--> move --(mobilised parts)--> sum
///
/// Kernels (screw_kernel.c) do whole rows of nodes at once; rows are filled up to whole lanes with
/// nodes that weigh nothing.
#ifndef RI_SOIL_SCREW_H
#define RI_SOIL_SCREW_H

#include <rille/screw.h>

#include "soil/node.h"

/// A thread as the law sees it: at the middle of its height, spread evenly over the cylinder of its
/// edges.
typedef struct RiThread {
    double radius;       ///< at which the blades' pressure acts [m]
    double sine, cosine; ///< of the blade's angle there; the sine has the sign of the hand
    double per_area;     ///< length of blade per area of the cylinder of the edges [1/m]
    double edge_share;   ///< of that cylinder
} RiThread;
RiThread ri_screw_thread(const RiSoilScrew *w);

/// The ground at a station: z = height + side y, and 1 / sqrt(1 + side^2 + along^2).
typedef struct RiScrewPlane {
    double height, side, cosine;
} RiScrewPlane;

/// The part of the edges' cylinder that is in the soil.
typedef struct RiScrewArc {
    double half, chord;  ///< on either side of its middle [rad], and half the width of the contact [m]
    double sine, cosine; ///< of the angle of its middle
} RiScrewArc;
/// 0: not in the soil; 1: in contact; 2: the axis is below the ground, and the arc ends where it
/// would overhang.
int ri_screw_arc(const RiSoilScrew *w, RiScrewPlane plane, RiScrewArc *out);

/// Where the soil of a station was before a step: between four stations, or outside.
typedef struct RiScrewSource {
    int first;
    double weight[4];
    double keep; ///< 1, less where soil has come in
    int end;     ///< at which it comes in
} RiScrewSource;

/// What nodes of a station remember, field by field, station by station in rows of whole lanes.
enum { RI_ROW_PRESSED, RI_ROW_ALONG, RI_ROW_AROUND, RI_ROW_BLADE, RI_ROW_FRICTION, RI_ROW_STRENGTH, RI_ROW_FIELDS };

/// Nodes of one station. Stresses are per area of the cylinder of the edges; pairs of strengths are
/// without [0] and with [1] the pressure, in between they are linear in it.
typedef struct RiScrewRow {
    int count, lanes;     ///< nodes, and with those that fill up
    const double *weight; ///< of each: 1 or 0
    const RiSoilScrew *w;
    const RiThread *t;
    const RiSoilLaw *law;
    // the station
    RiScrewPlane plane;
    RiScrewArc arc;
    double first, step; ///< angle of the first node from the arc's middle, and between nodes [rad]
    double x;           ///< along the axis [m]
    double area;        ///< that a node represents [m^2]
    // place
    double *sine, *cosine;
    double drum[RI_SCREW_PATCH_MAX], edge[RI_SCREW_PATCH_MAX]; ///< depths, not negative [m]
    double cover[RI_SCREW_PATCH_MAX];                          ///< how much of a node's width the drum covers
    const double *rut, *packed; ///< RI_SCREW_RUTS places across: surface below the plane, how deep it was pressed
    double reach;               ///< of these places on either side [m]; rut NULL: there are none
    bool end;                   ///< the row is at an end of the drum, whose face minds what was pressed before
    double before[RI_SCREW_PATCH_MAX];   ///< depth to which the soil was pressed before [m]
    double above[2][RI_SCREW_PATCH_MAX]; ///< heights of drum and edges above the floor of a rut, 0 if it is reached [m]
    // press: what a plate of either width would bear there; slopes where `exponent` does not give
    // them
    double exponent; ///< of depth; 0: not a power
    /// There are several layers: cohesion and tan(phi) at the depths of drum, edges and the middle
    /// between
    bool layered;
    double cohesion[3][RI_SCREW_PATCH_MAX], tan_phi[3][RI_SCREW_PATCH_MAX];
    double by_drum[RI_SCREW_PATCH_MAX], by_edge[RI_SCREW_PATCH_MAX], by_before[RI_SCREW_PATCH_MAX];
    double drum_slope[RI_SCREW_PATCH_MAX], edge_slope[RI_SCREW_PATCH_MAX];
    // bear
    double *pressure;                       ///< radial: drum and edges, where the soil is fully pressed [Pa]
    double *elastic;                        ///< displacement that unloads a node [m]
    double *friction[2];                    ///< strength on the drum and the edges [Pa]
    double *blade[2];                       ///< strength across the blades [Pa]
    double *plug;                           ///< how far the soil between blades goes with them, 0 to 1
    double *arm;                            ///< radius at which friction acts [m]
    double *most;                           ///< how far a node can be pressed
    double carried;                         ///< area across the axis of soil that goes with the blades [m^2]
    double rise[RI_SCREW_PATCH_MAX];        ///< d pressure / d depth [Pa/m]
    double strength[2][RI_SCREW_PATCH_MAX]; ///< of the soil around both [Pa]
    double face;                            ///< force on an end face [N]
    // move: the motion of the station's point of the axis, and what is left of the memory
    double h;
    double vx, vy, vz, wx, wy, wz;
    RiScrewSource soil, between; ///< where the ground and the soil between blades come from
    const double *memory;        ///< fields
    int nodes;                   ///< in a field
    int at;                      ///< of the row in a field
    double incoming;             ///< how far soil that comes in is pressed
    double pressed[RI_SCREW_PATCH_MAX],
        beyond[RI_SCREW_PATCH_MAX]; ///< part, and the way beyond what is elastic [m]
    double u[RI_SCREW_PATCH_MAX], c[RI_SCREW_PATCH_MAX], b[RI_SCREW_PATCH_MAX]; ///< mobilised parts
    double rub[RI_SCREW_PATCH_MAX], push[RI_SCREW_PATCH_MAX];        ///< friction and blade as far as pressed [Pa]
    double slope_u[RI_SCREW_PATCH_MAX], slope_b[RI_SCREW_PATCH_MAX]; ///< du/dv, db/dv [s/m]
    double in[RI_SCREW_PATCH_MAX];                                   ///< speed into the soil [m/s]
} RiScrewRow;

/// What is summed over nodes, in partial sums; slopes by columns of the lower half of the 6 x 6.
enum {
    RI_SCREW_WRENCH = 0, ///< moment, force
    RI_SCREW_THRUST = 6,
    RI_SCREW_DRAG,
    RI_SCREW_STORED,
    RI_SCREW_LIMIT,
    RI_SCREW_SLOPE,
    RI_SCREW_SUMS = RI_SCREW_SLOPE + 21
};
typedef struct RiScrewSums {
    double lane[RI_SCREW_SUMS][RI_NODE_LANES];
} RiScrewSums;
double ri_screw_total(const RiScrewSums *sums, int which);

/// Whole lanes for a number of nodes.
static inline int ri_screw_lanes(int count)
{
    return (count + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES;
}
/// Weights of a row of nodes.
void ri_screw_weights(int count, double out[RI_SCREW_PATCH_MAX]);
/// Places the nodes of a row and finds out what soil can bear there: everything up to `bear`.
void ri_screw_load(const RiNodeKernels *k, const RiScrewSoil *soil, RiScrewRow *x);
/// How deep blades dig at a slip in the end: soil of the height `carried` goes back with the
/// thread, and what it leaves passes back with the ground.
double ri_screw_dug(const RiSoilScrew *w, double carried, double slip);
/// What is out of the law's range, as far as slip and blade go.
unsigned ri_screw_doubts(const RiSoilScrew *w, const RiScrewSoil *soil, double sinkage, double slip);

#endif
