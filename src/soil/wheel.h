// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the closed forms and the step of the wheel-soil law share: one slice of a wheel in contact,
/// its nodes and their sums.
#ifndef RI_SOIL_WHEEL_H
#define RI_SOIL_WHEEL_H

#include <rille/soil.h>

#include "soil/node.h"

enum { RI_PANEL_POINTS = 8, RI_PANEL_MAX = 32, RI_NODE_MAX = 2 * RI_PANEL_POINTS * RI_PANEL_MAX };

/// How a wheel slides over its soil: what exponents and contact angles depend on.
typedef struct RiSliding {
    double slip;  ///< of travel: by the speed of the hub whatever its direction, in [-1, 1]
    double beta;  ///< slip angle, 0 to pi/2 [rad]
    double slide; ///< speed of the rim over the soil by the largest of all speeds, in [0, 1]; |slip| at no slip angle
} RiSliding;

/// The contact of one slice: from theta_r = exit to theta_f = entry in the direction of rolling.
typedef struct RiArc {
    double r, b;                ///< radius and width of the slice [m]
    double entry, exit, middle; ///< [rad]
    double packed;              ///< sinkage that the soil at the entry has already seen [m]
    RiSliding sliding;          ///< that exponents of layers see
    double over;                ///< ground above the hub [m]: all of the rim is as much deeper
} RiArc;

/// Nodes of an arc: first those from the middle to the entry, then as many from the exit to the
/// middle, at equal pressures in pairs.
typedef struct RiNodes {
    int half;                   ///< in either part; the arrays have 2 half
    double theta[RI_NODE_MAX];  ///< [rad]
    double weight[RI_NODE_MAX]; ///< b r dtheta [m^2]
    double sine[RI_NODE_MAX], cosine[RI_NODE_MAX];
    double depth[RI_NODE_MAX / 2]; ///< of the pair [m]
    double sigma[RI_NODE_MAX / 2]; ///< of the pair [Pa]
    double slope[RI_NODE_MAX / 2]; ///< d sigma / d depth [Pa/m]
} RiNodes;

/// Sliding at a slip of travel and a slip angle given by its sine and cosine, both not negative.
///
///     slide^2 = slip^2 + 2 (1 - |slip|) (1 - cos beta),   at most 1
///
/// is the law of cosines for the velocities of hub and rim, in units of the larger one. Test:
/// tests/soil/test_steady.c.
RiSliding ri_soil_sliding(double slip, double sine);
/// Exponent of sinkage.
double ri_soil_exponent(const RiSoilLaw *soil, const RiSliding *x);
/// Pressure of a stacked soil, pressed to `packed` before, at `count` depths (a multiple of
/// RI_NODE_LANES) below the ground as it was, and its slope, never less than 0.
void ri_stack_press(const RiNodeKernels *kernels, const RiSoilLaw *soil, const RiSliding *x, double packed, int count,
                    const double *depth, double *out_sigma, double *out_slope);
double ri_stack_pressure(const RiNodeKernels *kernels, const RiSoilLaw *soil, const RiSliding *x, double packed,
                         double depth);
/// Shear strength of the layer at a depth; over a quarter of the thinner one on either side of a
/// border, layers pass into each other.
double ri_stack_strength(const RiSoilLaw *soil, double depth, double sigma);
/// Whether strength depends on the depth.
static inline bool ri_soil_is_layered(const RiSoilLaw *soil)
{
    return soil->below || soil->plugin;
}
/// Shear strength at a depth under a pressure.
static inline double ri_soil_strength(const RiSoilLaw *soil, double depth, double sigma)
{
    return ri_soil_is_layered(soil) ? ri_stack_strength(soil, depth, sigma) : soil->cohesion + sigma * soil->tan_phi;
}
/// theta_m / theta_f, between 0 and 0.95.
double ri_soil_middle(const RiSoilLaw *soil, const RiSliding *x);
/// Angle theta_r at which a slice of radius r leaves the ground behind it, not positive.
double ri_soil_exit(const RiSoilLaw *soil, double r, double entry, double slip);
/// Places of the nodes of half an arc, as t^2 of t in [0, 1], and their weights 2 t dt.
void ri_nodes_run(int panels, double *out_square, double *out_rate);
/// Fills in nodes with angles, weights and normal stress (equation 1).
void ri_nodes_fill(const RiNodeKernels *kernels, const RiSoilLaw *soil, const RiArc *arc, double n, int panels,
                   RiNodes *out);
/// Force of Terzaghi's pressure on one side wall of radius r that is sunk to the angle `entry`
/// (equation 14), and its arm below the hub.
double ri_soil_side_wall(const RiSoilLaw *soil, double r, double entry, double *out_arm);
/// Force of all grousers per radian of contact and metre of width [N/(rad m)] (equation 15), before
/// mobilisation.
double ri_soil_grouser(const RiSoilWheel *w, const RiSoilLaw *soil);
/// Pressure on the front of a wheel that is sunk by h and moves aside [N], before its share.
double ri_soil_front(const RiSoilWheel *w, const RiSoilLaw *soil, double h);
/// Share of ploughing that a spinning rim leaves: it carries the soil away.
double ri_soil_ploughed(double slip);
/// Share of rolling in the direction of a wheel that moves aside, in [0, 1]: 1 straight on, 0 for
/// one that is dragged along its axle.
double ri_soil_directed(double vx, double vy, double rim);
/// Factor on the strength along the rim, and the pressure that cohesion adds there [Pa]: the ends
/// of the ring of soil between grousers.
double ri_soil_lug_gain(const RiSoilWheel *w, const RiSoilLaw *soil, double *out_more);
/// What is out of the law's range.
unsigned ri_soil_doubts(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, const RiSliding *x);

#endif
