// SPDX-License-Identifier: Apache-2.0
/// \file
/// Forces of joints: what devices and commands put in, and what a step takes out.
#ifndef RI_SIM_JOINTS_H
#define RI_SIM_JOINTS_H

#include "sim/internal.h"

/// Joint efforts of one step, in spanning coordinates.
typedef struct RiLoads {
    double *tau;       // at the beginning of the step; in the state block
    double *extra;     // h C + h^2 K
    double *drift;     // h K s': taken off tau
    double *lost;      // the part of tau that dissipates (for the energy balance)
    double *K, *C;     // slopes of the passive part
    double *stiffness; // slope K of all together
    double *stored;    // the part that comes from springs
} RiLoads;

/// The limits of a joint by its description; infinite where there is no limit. Flags are -1 where
/// there is none.
typedef struct RiJointWatch {
    double lower, upper, most_rate, most_effort;
    int s, sq;
    int position, rate, effort; // validity flags
} RiJointWatch;

/// What a step asks of a spanning coordinate, beside its spring: the description is much larger.
typedef struct RiJointSeat {
    double lower, upper; // limits of one coordinate, infinite where there are none
    const RiJointSpec *spec;
    RiJointType type;
    int sq;        // its position among the spanning positions, -1: it has no plain one
    bool friction; // there is some
} RiJointSeat;

struct RiJoints {
    RiLoads load;
    RiJointSeat *seats; // [ns]
    // in the state block, [ns]
    double *effort;                                            // commanded from outside
    double *held;                                              // from devices, held between their updates
    double *servo_k, *servo_d, *servo_q, *servo_v, *servo_max; // servo: gains, references, largest effort
    RiJointSpring *spring;                                     // [ns] springs and dampers of the joints: parameters
    // scratch of a step
    double *softened; // [ns] 1: a servo at its limit that would leave it within the step; it has slopes
    int saturated;    // servos at their limits at the beginning of the step
    // validity
    RiJointWatch *watches;
    int watch_count;
    double *most_rate, *most_effort; // [ns] of the watched joints, infinite for the others
    double *lower, *upper;           // [nsq] likewise
};

/// What commands and devices write, as part of the state block. It is before what devices keep
/// for themselves.
void ri_joints_lay_out_inputs(RiSim *s, char *block, size_t *at);
/// Efforts and slopes at the current d: held, servo, passive.
void ri_joints_evaluate(RiSim *s, RiSlopes by);

#endif
