// SPDX-License-Identifier: Apache-2.0
/// \file
/// The implicit step in parts, between which several simulations meet (lockstep.c):
///
///     begin -> (forward dynamics) -> judge [-> again] -> end -> (mean power) -> close
#ifndef RI_SIM_METHOD_EULER_H
#define RI_SIM_METHOD_EULER_H

#include "sim/internal.h"

/// How often a step has been solved again, and why.
typedef struct RiPasses {
    int passes; ///< about other velocities
    int holds;  ///< since soil gave back more than it held
} RiPasses;

/// State -> forces on d and in tau.
RI_MUST_CHECK RiStatus ri_euler_begin(RiSim *s, double h, RiPasses *x);
/// Accelerations are in `a`: either they stay, or the step is loaded to be solved again.
RI_MUST_CHECK RiStatus ri_euler_judge(RiSim *s, double h, RiPasses *x, bool *out_again);
/// Accelerations -> new_q, new_v, memories.
RI_MUST_CHECK RiStatus ri_euler_end(RiSim *s, double h);
/// Mean powers are in `power`: energy books.
void ri_euler_close(RiSim *s, double h);
/// A step that could not be solved: joints are as they were. Gives the status back.
RI_MUST_CHECK RiStatus ri_euler_fail(RiSim *s, RiStatus status);

#endif
