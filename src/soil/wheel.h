// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the closed forms and the step of the wheel-soil law share: one slice of a wheel in contact, its nodes and their sums.
#ifndef RI_SOIL_WHEEL_H
#define RI_SOIL_WHEEL_H

#include <rille/soil.h>

#include "soil/node.h"

enum { RI_PANEL_POINTS = 8, RI_PANEL_MAX = 32, RI_NODE_MAX = 2 * RI_PANEL_POINTS * RI_PANEL_MAX };

/// The contact of one slice: from theta_r = exit to theta_f = entry in the direction of rolling.
typedef struct RiArc {
    double r, b;                ///< radius and width of the slice [m]
    double entry, exit, middle; ///< [rad]
    double packed;              ///< sinkage that the soil at the entry has already seen [m]
    double slip, beta;          ///< that exponents of layers see
    double over;                ///< ground above the hub [m]: all of the rim is as much deeper
} RiArc;

/// Nodes of an arc: first those from the middle to the entry, then as many from the exit to the middle, at equal pressures in pairs.
typedef struct RiNodes {
    int half;                   ///< in either part; the arrays have 2 half
    double theta[RI_NODE_MAX];  ///< [rad]
    double weight[RI_NODE_MAX]; ///< b r dtheta [m^2]
    double sine[RI_NODE_MAX], cosine[RI_NODE_MAX];
    double depth[RI_NODE_MAX / 2]; ///< of the pair [m]
    double sigma[RI_NODE_MAX / 2]; ///< of the pair [Pa]
    double slope[RI_NODE_MAX / 2]; ///< d sigma / d depth [Pa/m]
} RiNodes;

/// Exponent of sinkage at a slip and slip angle.
double ri_soil_exponent(const RiSoilLaw *soil, double slip, double beta);
/// Pressure of a stacked soil, pressed to `packed` before, at `count` depths (a multiple of RI_NODE_LANES) below the ground as it was, and its slope, never
/// less than 0.
void ri_stack_press(const RiNodeKernels *kernels, const RiSoilLaw *soil, double slip, double beta, double packed,
                    int count, const double *depth, double *out_sigma, double *out_slope);
double ri_stack_pressure(const RiNodeKernels *kernels, const RiSoilLaw *soil, double slip, double beta, double packed,
                         double depth);
/// Shear strength of the layer at a depth; over a quarter of the thinner one on either side of a border, layers pass into each other.
double ri_stack_strength(const RiSoilLaw *soil, double depth, double sigma);
/// Shear strength at a depth under a pressure.
static inline double ri_soil_strength(const RiSoilLaw *soil, double depth, double sigma)
{
    return soil->below ? ri_stack_strength(soil, depth, sigma) : soil->cohesion + sigma * soil->tan_phi;
}
/// theta_m / theta_f at a slip and slip angle, between 0 and 0.95.
double ri_soil_middle(const RiSoilLaw *soil, double slip, double beta);
/// Angle theta_r at which a slice of radius r leaves the ground behind it, not positive.
double ri_soil_exit(const RiSoilLaw *soil, double r, double entry, double slip);
/// Fills in nodes with angles, weights and normal stress (equation 1).
void ri_nodes_fill(const RiNodeKernels *kernels, const RiSoilLaw *soil, const RiArc *arc, double n, int panels,
                   RiNodes *out);
/// Force of Terzaghi's pressure on one side wall of radius r that is sunk to the angle `entry` (equation 14), and its arm below the hub.
double ri_soil_side_wall(const RiSoilLaw *soil, double r, double entry, double *out_arm);
/// Force of all grousers per radian of contact and metre of width [N/(rad m)] (equation 15), before mobilisation.
double ri_soil_grouser(const RiSoilWheel *w, const RiSoilLaw *soil);
/// What is out of the law's range.
unsigned ri_soil_doubts(const RiSoilWheel *w, const RiSoilLaw *soil, double sinkage, double slip);

#endif
