// SPDX-License-Identifier: Apache-2.0
/// \file
/// A part of a link that soft soil acts on: its frame and motion, a wrench with slopes in it as a load of the link, and what both came to at the end of a step.
///
///     place --(law: wrench F and slope S at the motion w)--> apply --(solve)--> end --> correct
///
/// At the end of a step with w+ = w + h (J a + rate) the wrench is F - S (w+ - w): h S becomes inertia of the link's body, the rest a wrench.
///
/// **Passive.** Soil does no more work than it holds. Where a solve would let it, a damper -c P w+ joins the wrench, P = diag(lever^2, 1) of turning and moving, and the
/// step is solved again with a larger c until the work is within what is held (ri_soil_part_hold). The damper takes from the motion only what the law gives too much: a
/// wheel that other forces move goes on moving.
#ifndef RI_SIM_SOIL_PART_H
#define RI_SIM_SOIL_PART_H

#include "sim/internal.h"

/// Of hard ground under soil [Pa/m].
#define RI_BASE_STIFFNESS 1e8

typedef struct RiSoilPart {
    int link, body;
    RiPose pose;  ///< in the link frame
    double lever; ///< by which the damper weighs turning [m]
    // at the current state
    RiMat3 R; ///< the part's frame in the world
    RiVec3 origin, arm,
        rate;    ///< arm from the region's origin; rate: of the origin's velocity, without joint accelerations
    RiVec3 v, w; ///< in the part's frame
    // of this step
    RiVec3 applied_f, applied_m; ///< in the world, before the solve; then what they came to
    RiVec3 v_end, w_end;         ///< in the part's frame
    double damper;               ///< c [N s/m]
} RiSoilPart;

/// Motion of the part in its frame, once R and origin are set.
void ri_soil_part_move(const RiSim *s, RiSoilPart *x);
/// Puts wrench and slopes at the origin, in the part's frame, on its link; h = 0: without slopes.
// slope is read only: C17 has no const for rows that also takes others
void ri_soil_part_apply(RiSim *s, RiSoilPart *x, RiVec3 force, RiVec3 moment, double slope[6][6], double h);
/// The motion at the end of the step just solved; the wrench there takes the place of the one applied, and comes back.
void ri_soil_part_end(RiSim *s, RiSoilPart *x, double h);
void ri_soil_part_correct(RiSim *s, RiSoilPart *x, double slope[6][6], RiVec3 *force, RiVec3 *moment);
/// Work of the wrench on the robot at the mean velocity of the step, after ri_dyn_mean_power.
double ri_soil_part_work(const RiSim *s, const RiSoilPart *x, double h);
/// Whether the work of a step just solved is within what soil holds; else the damper has been raised, and the step is to be solved again. After ri_dyn_mean_power.
bool ri_soil_part_hold(const RiSim *s, RiSoilPart *x, RiVec3 force, RiVec3 moment, double slope[6][6], double held,
                       double h);
/// The share of the law's force that a damper has left, after ri_soil_part_correct.
double ri_soil_part_left(const RiSoilPart *x, RiVec3 force, double slope[6][6]);

#endif
