// SPDX-License-Identifier: Apache-2.0
/// \file
/// The functions that every node of a contact needs, many at a time: powers, exponentials, sines.
/// Equal bits on all instruction sets: lane by lane the same operations, none of them fused. Errors
/// below 4 units of the last place in the stated ranges (tests/soil/test_node.c).
#ifndef RI_SOIL_NODE_H
#define RI_SOIL_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/soil.h>

enum { RI_NODE_LANES = 8 }; ///< arrays are padded to a multiple of this, and what is in the padding is computed as well

/// The patches of a slice in a step: shear that they bring, velocities, and what is mobilised at
/// its end. Arrays are padded to whole lanes.
typedef struct RiShear {
    int count;             ///< of patches, 4 to RI_SHEAR_MAX
    bool coupled;          ///< both directions share one strength
    double h;              ///< [s]
    double top, bottom;    ///< angles of the first and the last patch [rad]
    double high, scale;    ///< of the memory: angle of its first patch, patches per radian; -INFINITY: there is none
    double vx, vz, spin;   ///< in the plane of the wheel [m/s, rad/s]
    double vy, turn, lean; ///< across it [m/s, rad/s]
    double r;              ///< [m]
    double per_x, per_y;   ///< one over the shear lengths [1/m]
    double lag;            ///< by which shear is damped [s]
    const double *theta, *sine, *cosine;
    const double *was;                         ///< memory: `count` shares along the rim, then as many across
    double ux[RI_SHEAR_MAX], uy[RI_SHEAR_MAX]; ///< out: mobilised shares
    double fx[RI_SHEAR_MAX], fy[RI_SHEAR_MAX]; ///< out: shares that act, with what damping adds
    double gx[RI_SHEAR_MAX], gy[RI_SHEAR_MAX]; ///< out: slopes of these in the velocities, secants
} RiShear;

/// What the sum over an arc takes besides the mobilised shares.
typedef struct RiArcNodes {
    bool first; ///< its sums are the first ones: nothing is there to add them to
    int half;   ///< nodes of one part of the arc; a multiple of RI_NODE_LANES
    const double *theta, *weight, *sine, *cosine;
    const double *sigma, *slope; ///< of pairs of nodes
    const double *strength;      ///< likewise [Pa]; NULL: cohesion + sigma tan_phi
    double sign, share;          ///< direction of rolling and its weight
    double gain;                 ///< on the strength along the rim
    double cohesion, tan_phi;    ///< [Pa]
    double claws;    ///< force of grousers, and of cohesion at the ends of the soil between them, per area [Pa]
    bool claws_full; ///< grousers push with all of that as soon as the rim slips
    double kx, ky;   ///< shear lengths [m]
} RiArcNodes;

/// An arc of soil whose pressure is a power of the depth, in its own sense of angles: RiArc of wheel.h and
/// what its stresses take.
typedef struct RiArcPress {
    double r, b;                       ///< [m]
    double entry, exit, middle;        ///< [rad]
    double sine, less;                 ///< of the entry: sine, and 1 less its cosine
    double over;                       ///< ground above the hub [m]
    double packed, stretch;            ///< what the soil has seen before, and over which it gives that back [m]
    double k, per_unit, n;             ///< pressure k (z per_unit)^n
    double base_depth, base_stiffness; ///< hard ground below [m, Pa/m]
    const double *square, *rate;       ///< of nodes: t^2, and 2 t dt
} RiArcPress;

/// Rims of slices above the same stations, side by side.
typedef struct RiRims {
    int count; ///< of slices, up to RI_NODE_LANES; what stands behind them is computed as well
    int stations;
    const double *x;                                          ///< of the stations, ascending [m]
    const double *z[RI_NODE_LANES];                           ///< height of the ground there, from the hub [m]
    double r[RI_NODE_LANES];                                  ///< [m]
    double rebound[RI_NODE_LANES];                            ///< share of the sinkage that springs back behind a wheel
    double touches[RI_NODE_LANES];                            ///< out: 0 where there is no contact, else 1
    double low[RI_NODE_LANES], high[RI_NODE_LANES];           ///< out: contact [rad]
    double sine_low[RI_NODE_LANES], sine_high[RI_NODE_LANES]; ///< out: their sines
    double less_low[RI_NODE_LANES], less_high[RI_NODE_LANES]; ///< out: 1 less their cosines
    double back_low[RI_NODE_LANES], back_high[RI_NODE_LANES]; ///< out: angles of what springs back [rad]
} RiRims;

/// Integrals over the arcs of a slice, in the wheel's own sense of angles, for the whole strength
/// of the ground.
typedef struct RiSums {
    double load, resistance, area; ///< of sigma
    double stiffness;              ///< d load / d sinkage [N/m]
    double tc, ts, t, claw;        ///< of tau_x cos, tau_x sin, tau_x; extra torque of grousers
    double side, side_s, side_c;   ///< of tau_y
    double C[3][3];                ///< slopes in (vx, vz, spin), lower triangle
    double D[3][3];                ///< slopes in (vy, turn, lean), lower triangle
    double stored;                 ///< in shear [J]
} RiSums;

struct RiScrewRow;  // screw.h
struct RiScrewSums; // likewise

typedef struct RiNodeKernels {
    const char *name;
    /// k (z / unit)^n; 0 where z is not positive. For z / unit between 1e-300 and 1e300.
    void (*power)(int count, const double *z, double unit, double n, double k, double *out);
    /// The same, each with numbers of its own.
    void (*powers)(int count, const double *z, const double *unit, const double *n, const double *k, double *out);
    /// 1 - exp(-a) for a >= 0, as good as expm1 for small ones.
    void (*mobilise)(int count, const double *a, double *out);
    /// Sine and cosine for |x| <= pi.
    void (*turn)(int count, const double *x, double *out_sin, double *out_cos);
    /// Mobilised shear of patches at the end of a step.
    void (*shear)(RiShear *x);
    /// Adds the stresses of an arc to sums, or begins them with it.
    void (*sum)(const RiArcNodes *nodes, const RiShear *shear, RiSums *sums);
    /// The same with nodes and normal stress of its own: of `nodes` only the numbers are read.
    void (*arc)(const RiArcNodes *nodes, const RiArcPress *press, const RiShear *shear, RiSums *sums);
    /// Places patches evenly from `top` to `bottom`; what is behind them in the last lanes is `bottom`.
    void (*spread)(int count, double top, double bottom, double *theta, double *sine, double *cosine);
    /// Contacts of slices with the ground (contact_kernel.c).
    void (*meet)(RiRims *x);
    /// Whether one of `count` loose cells is higher above a neighbour than may be; `row`: cells
    /// from one row to the next (berm.h: surface).
    bool (*steep)(int count, int row, const int32_t *surface, const int32_t *loose, int32_t beside, int32_t diagonal);
    /// Nodes of a station of a screw: where they stand, what soil can bear there, how a step moves
    /// it, forces and slopes, or only what is shown of them.
    void (*screw_place)(struct RiScrewRow *x);
    void (*screw_bear)(struct RiScrewRow *x);
    void (*screw_move)(struct RiScrewRow *x);
    void (*screw_sum)(const struct RiScrewRow *x, struct RiScrewSums *sums);
    void (*screw_show)(const struct RiScrewRow *x, struct RiScrewSums *sums);
} RiNodeKernels;

/// The kernels of screws for one instruction set.
#define RI_SCREW_KERNELS(isa)                                                                                          \
    void ri_screw_place_##isa(struct RiScrewRow *x), ri_screw_bear_##isa(struct RiScrewRow *x),                        \
        ri_screw_move_##isa(struct RiScrewRow *x);                                                                     \
    void ri_screw_sum_##isa(const struct RiScrewRow *x, struct RiScrewSums *sums);                                     \
    void ri_screw_show_##isa(const struct RiScrewRow *x, struct RiScrewSums *sums)
RI_SCREW_KERNELS(generic);
/// The kernels of wheels for one instruction set.
#define RI_WHEEL_KERNELS(isa)                                                                                          \
    void ri_slice_shear_##isa(RiShear *x), ri_rims_meet_##isa(RiRims *x);                                              \
    void ri_slice_sum_##isa(const RiArcNodes *nodes, const RiShear *shear, RiSums *sums);                              \
    void ri_slice_arc_##isa(const RiArcNodes *nodes, const RiArcPress *press, const RiShear *shear, RiSums *sums);     \
    void ri_slice_spread_##isa(int count, double top, double bottom, double *theta, double *sine, double *cosine)
RI_WHEEL_KERNELS(generic);
bool ri_berm_steep_generic(int count, int row, const int32_t *surface, const int32_t *loose, int32_t beside,
                           int32_t diagonal);
extern const RiNodeKernels ri_node_kernels_generic;
#if defined(__x86_64__)
RI_SCREW_KERNELS(avx2);
RI_SCREW_KERNELS(avx512);
RI_WHEEL_KERNELS(avx2);
RI_WHEEL_KERNELS(avx512);
bool ri_berm_steep_avx2(int count, int row, const int32_t *surface, const int32_t *loose, int32_t beside,
                        int32_t diagonal);
bool ri_berm_steep_avx512(int count, int row, const int32_t *surface, const int32_t *loose, int32_t beside,
                          int32_t diagonal);
extern const RiNodeKernels ri_node_kernels_avx2, ri_node_kernels_avx512;
#endif
/// The kernels for a name ("generic", "avx2", "avx512"), or the best for NULL. NULL if this
/// processor has not.
const RiNodeKernels *ri_node_kernels_find(const char *name);

#endif
