// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of forces on the robot. One row per kind of force, in data-flow order; each row is
/// defined in the file of its force.
///
///     build:  prepare -> watch -> lay_out -> build -> name -> fingerprint
///     step:   find -> evaluate -> apply -> (solve) -> couple -> predict, relinearize, hold -> finish -> report -> account
///     tick:   end_tick -> stored -> check_validity
///
/// A new kind of force needs its name in RI_FORCE_LIST below and a file with its row.
/// docs/internals.md has an example.
///
/// Verbs may be NULL. They are only called for rows that are present in a simulation, so they need
/// not check for that. A row keeps its own data behind a pointer in RiSim whose type only its own
/// files know.
#ifndef RI_SIM_FORCE_H
#define RI_SIM_FORCE_H

#include <rille/sim.h>

#include "sim/method/method.h"

/// How a step takes the slopes K = -dF/dq and C = -dF/dq' of a force: it applies F - K (v q' + a
/// q'') - C c q''. c is the length of an implicit step, and 0 where forces are taken without
/// slopes.
typedef struct RiSlopes {
    double v, a, c; // [s], [s^2], [s]
} RiSlopes;
/// Forces at the end of a step of length h; 0: forces now, without slopes.
static inline RiSlopes ri_slopes_at_end(double h)
{
    return (RiSlopes){h, h * h, h};
}

/// What a continuous method (rk4, cvode) asks of all forces at the current d. Wrenches go on d,
/// efforts into tau.
typedef struct RiFlow {
    double *tau;       // efforts (nv)
    double work, lost; // powers [W]
    const double *xi;  // deflections of touches, 3 per place; NULL: none
    double *xi_rate;
} RiFlow;

typedef struct RiForceKind {
    const char *name;
    bool is_contact; ///< a method that solves contact itself does not use the verbs of its step

    // --- building ---
    bool (*present)(const RiSim *s); ///< NULL: always
    /// Sizes and workspace, before the state is laid out.
    RiStatus (*prepare)(RiSim *s);
    /// Registers validity flags.
    RiStatus (*watch)(RiSim *s);
    /// Its part of the state block, by ri_carve; called twice, the first time with block NULL.
    void (*lay_out)(RiSim *s, RiBlockPart part, char *block, size_t *at);
    /// Scratch and initial values, once the state block is in place.
    RiStatus (*build)(RiSim *s);
    RiStatus (*name_values)(RiSim *s);
    /// Goes on with a hash over every number that changes this force and is not in the state block.
    uint64_t (*fingerprint)(const RiSim *s, uint64_t h);
    /// Refuses numbers that were set through named values and contradict each other.
    RiStatus (*check)(RiSim *s);

    // --- a step ---
    /// Poses, terrain -> what acts where. After ri_dyn_update_velocity.
    void (*find)(RiSim *s);
    /// The law at the current state -> force and slope.
    void (*evaluate)(RiSim *s, RiSlopes by);
    /// Force and slope -> wrenches and extra inertia on d.
    void (*apply)(RiSim *s, RiSlopes by);
    /// Forces between two bodies, after the solution without them: accelerations with them. Only
    /// with slopes.
    RiStatus (*couple)(RiSim *s, RiSlopes by);
    /// Velocities at the end of the step just solved. False: the force that was applied does not
    /// belong to them.
    bool (*predict)(RiSim *s, double h);
    /// Evaluates again, about the predicted velocities.
    void (*relinearize)(RiSim *s, RiSlopes by);
    /// False: the force did more work in the step just solved than it had stored; it has been
    /// damped, solve again.
    bool (*hold)(RiSim *s, double h);
    /// The step is accepted: memories, ruts, what comes to the books.
    RiStatus (*finish)(RiSim *s, double h);
    /// Memories that decay end at zero, not in subnormal numbers (math/snap.h).
    void (*snap)(RiSim *s);
    /// Lists what touches and sums the outputs, after all have finished.
    void (*report)(RiSim *s);
    /// Work of the forces of a first-order step, into the energy books. After ri_dyn_mean_power.
    void (*account)(RiSim *s, double h, RiSlopes by);
    /// For continuous methods: forces now, their powers, and rates of the force's own states.
    void (*flow)(RiSim *s, RiFlow *flow);

    // --- a tick ---
    /// Slow processes and reports at the end of a tick, with what was found at the new state.
    void (*end_tick)(RiSim *s);
    /// Potential energy that is a function of the configuration [J].
    double (*potential)(const RiSim *s);
    /// Energy that the force could give back, kept by its own books [J].
    double (*stored)(const RiSim *s);
    /// Stored energy of what has been released from outside since it was last asked for [J].
    double (*released)(RiSim *s);
    /// What is stored now is what the books begin with: at start, and after an intervention from
    /// outside.
    void (*rest)(RiSim *s);
    void (*check_validity)(RiSim *s);
} RiForceKind;

/// Rows in data-flow order. Where several act on a link, sums are taken in this order.
#define RI_FORCE_LIST(X)       X(joints) X(springs) X(touches) X(link_contact) X(ground_contact) X(melt) X(soil) X(outside)
#define RI_FORCE_DECLARE(name) extern const RiForceKind ri_force_##name;
RI_FORCE_LIST(RI_FORCE_DECLARE)
#undef RI_FORCE_DECLARE
#define RI_FORCE_ONE(name) +1
enum { RI_FORCE_COUNT = 0 RI_FORCE_LIST(RI_FORCE_ONE) };
#undef RI_FORCE_ONE

typedef struct RiForceRows {
    const RiForceKind *row[RI_FORCE_COUNT];
    int count;
} RiForceRows;

/// The rows of a simulation: all that are present, and of those the ones whose step its method
/// takes.
void ri_forces_choose(const RiSim *s, RiForceRows *out_present, RiForceRows *out_acting);

/// Calls a verb of all rows of a list: RI_FORCES(&s->acting, apply, s, by);
#define RI_FORCES(rows, verb, ...)                                                                                     \
    do                                                                                                                 \
        for (int i_ = 0; i_ < (rows)->count; i_++)                                                                     \
            if ((rows)->row[i_]->verb)                                                                                 \
                (rows)->row[i_]->verb(__VA_ARGS__);                                                                    \
    while (0)
/// The same for verbs that return a status: returns the first that is not RI_OK.
#define RI_FORCES_TRY(rows, verb, ...)                                                                                 \
    do                                                                                                                 \
        for (int i_ = 0; i_ < (rows)->count; i_++)                                                                     \
            if ((rows)->row[i_]->verb)                                                                                 \
                RI_TRY((rows)->row[i_]->verb(__VA_ARGS__));                                                            \
    while (0)
/// Calls a verb that answers yes or no of all rows; whether all said yes.
#define RI_FORCES_ALL(rows, verb, out, ...)                                                                            \
    do {                                                                                                               \
        *(out) = true;                                                                                                 \
        for (int i_ = 0; i_ < (rows)->count; i_++)                                                                     \
            if ((rows)->row[i_]->verb && !(rows)->row[i_]->verb(__VA_ARGS__))                                          \
                *(out) = false;                                                                                        \
    } while (0)

#endif
