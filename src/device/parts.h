// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parts that stand alone as devices and inside a drive train: the motor with its gear, the profile
/// generator.
#ifndef RI_DEVICE_PARTS_H
#define RI_DEVICE_PARTS_H

#include <stdbool.h>

/// A brushed DC motor with a gear, see motor.c.
typedef struct RiMotor {
    double resistance;      ///< [V/A]
    double torque_constant; ///< [N m/A]
    double friction;        ///< of the shaft [N m s/rad]
    double gear_ratio;
    double efficiency, slip_speed;
    double max_voltage, current_limit; ///< 0: none
    bool open;                         ///< circuit: no current flows
} RiMotor;

typedef struct RiMotorState {
    double speed;         ///< of the shaft [rad/s]
    double voltage;       ///< at the terminals, without the current limit [V]
    double current;       ///< [A]
    double torque;        ///< of the shaft, friction taken off [N m]
    double gear;          ///< joint effort per shaft torque, with the gear's loss
    double damping;       ///< how the effort falls with the joint's rate [N m s/rad]
    double current_slope; ///< how the current does [A s/rad]
    bool limited;
} RiMotorState;

RiMotorState ri_motor_compute(const RiMotor *m, double voltage, double joint_velocity);

typedef struct RiProfile {
    double acceleration, remaining; ///< [rad/s^2] from now on, [s] until the target is reached
    bool done;
} RiProfile;

/// Moves position and velocity by dt along the fastest motion to the target within the limits, see
/// profile.c.
RiProfile ri_profile_advance(double target, double v_max, double a, double dt, double *p, double *v);

#endif
