// SPDX-License-Identifier: Apache-2.0
/// \file
/// The recursions of several robots at once, one robot per lane of a vector register.
///
///     q, v of each --(place)--> poses, twists      tau of each --(forward)--> accelerations      a --(mean_power)--> powers
///
/// The robots have the same tree; lengths, masses, gravity and states may differ. Every lane does
/// the operations of tree_kernel.c in their order, so each robot gets the bits that it would have
/// alone. A RiDyn that was placed here has its poses, twists, moments, accelerations and shares;
/// what only the recursions need (inertias, motion columns, biases) stays in the lanes until
/// ri_dyn_own asks for it. Trees with loops, several regions, rotors, or a root other than one
/// floating body are not taken.
///
/// Threads and ownership: lanes belong to one thread at a time and borrow their robots.
/// Test: tests/dynamics/test_lanes.c.
#ifndef RI_DYNAMICS_LANES_H
#define RI_DYNAMICS_LANES_H

#include "dynamics/dyn.h"

enum { RI_LANES_MOST = 8, RI_CLUSTER_COLUMNS = 8 };

/// Numbers of all robots side by side: entry i of an array of n is at [i][lane].
typedef struct RiLanes {
    RiContext *ctx;
    const struct RiLaneKernels *k;
    void *block;
    int sums;                                // places of IA
    int count;                               // robots; lanes beyond have the numbers of the first
    RiDyn *d[RI_LANES_MOST];                 // [width]
    bool current[RI_LANES_MOST];             // the lane may hold its robot's place ...
    unsigned long long stamp[RI_LANES_MOST]; // ... if this is the robot's `placed`
    bool same;                               // all robots are of one model, not only of one tree
    bool *extra_on, *pushed;                 // [nb + 1] bodies with extra inertia, with wrenches, in any lane

    // constant
    double *tree; // [nb][12] rotation by columns, position
    double *body; // [nb][13] inertia by columns, centre of mass, mass
    double *G;    // [nmap]
    // position
    double *sn, *cs; // [nrev]
    double *pose;    // [nb + 1][12] columns of R_WB, position
    double *rigid;   // [nb + 1][13] rotational inertia by columns, m c, m
    double *col;     // [ncol][6]
    double *scol;    // [ns][6]
    // velocity
    double *vel, *bias, *gyro; // [nb + 1][6]
    // acceleration
    double *acc, *pA; // [nb + 1][6]
    double *share;    // [nb + 1][6]
    double *IA;       // [sums][36] by columns: what children add to a body, until it is reduced
    int *sum_at;      // [nb + 1] which of these a body has; they are few, so that they stay near the core
    double *Z;        // [nv][6]
    double *fac;      // [nfac]
    double *u;        // [nv]
    double *a;        // [nv]
    double *arm;      // [ns] armature
    double *load;     // [nv] efforts, or accelerations, of the call at hand
} RiLanes;

/// One implementation, for one instruction set.
typedef struct RiLaneKernels {
    int width;
    void (*place)(RiLanes *w, unsigned mask);
    /// Robots whose inertias were all positive.
    unsigned (*forward)(RiLanes *w, unsigned mask);
    void (*mean_power)(RiLanes *w, double h, unsigned mask, double out[][3]);
} RiLaneKernels;

extern const RiLaneKernels ri_lane_kernels_generic;
#if defined(__x86_64__)
extern const RiLaneKernels ri_lane_kernels_avx2, ri_lane_kernels_avx512;
#endif

/// Robots that lanes take at once on this processor.
int ri_lanes_width(void);
/// Lanes for up to ri_lanes_width() robots; NULL in *out (and RI_OK) if their trees are not of the
/// kind above or differ.
RI_MUST_CHECK RiStatus ri_lanes_create(RiContext *ctx, int count, RiDyn *const *d, RiLanes **out);
void ri_lanes_destroy(RiLanes *w);

/// ri_dyn_update_position and ri_dyn_update_velocity of the robots in `mask`.
void ri_lanes_place(RiLanes *w, const double *const *q, const double *const *v, unsigned mask);
/// ri_dyn_forward of the robots in `mask`, which must be placed. Those that are not in the answer
/// were not solved: ri_dyn_forward solves them, or says why not.
unsigned ri_lanes_forward(RiLanes *w, const double *const *tau, double *const *out_a, unsigned mask);
/// ri_dyn_mean_power of the robots in `mask`.
void ri_lanes_mean_power(RiLanes *w, const double *const *a, double h, unsigned mask, RiMeanPower *out);

#endif
