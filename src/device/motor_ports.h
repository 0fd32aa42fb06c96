// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parameters of an electric motor with its gear: the first ports of the devices `motor` and
/// `drive_train`.
#ifndef RI_DEVICE_MOTOR_PORTS_H
#define RI_DEVICE_MOTOR_PORTS_H

#include <math.h>

#include "device/ports.h"

enum {
    RESISTANCE,
    TORQUE_CONSTANT,
    FRICTION,
    GEAR_RATIO,
    EFFICIENCY,
    SLIP_SPEED,
    MAX_VOLTAGE,
    CURRENT_LIMIT,
    STALL_SPEED,
    STALL_CURRENT,
    MOTOR_PORTS
};

/// Rows of the table of ports. The devices say in their own words what `max_voltage` is, and from
/// which current on they call a motor stalled.
#define MOTOR_PORT_ROWS(voltage_about, stall_default)                                                                  \
    [RESISTANCE] = RI_PARAMETER("resistance", "V/A", 1.0, 0.0, INFINITY, "Armature resistance R."),                    \
    [TORQUE_CONSTANT] =                                                                                                \
        RI_PARAMETER("torque_constant", "N*m/A", 0.05, 0.0, INFINITY, "Kt, also the back-EMF constant in V s/rad."),   \
    [FRICTION] = RI_PARAMETER("friction", "N*m*s/rad", 0.0, 0.0, INFINITY, "Viscous friction b of the shaft."),        \
    [GEAR_RATIO] =                                                                                                     \
        RI_ANY_PARAMETER("gear_ratio", "", 1.0, "Turns of the shaft per turn of the joint; negative reverses."),       \
    [EFFICIENCY] = RI_PARAMETER("efficiency", "", 1.0, 0.0, 1.0, "Efficiency eta of the gear."),                       \
    [SLIP_SPEED] = RI_PARAMETER("slip_speed", "rad/s", 1e-3, 0.0, INFINITY,                                            \
                                "Joint speed v0 over which the gear's loss changes sides."),                           \
    [MAX_VOLTAGE] = RI_PARAMETER("max_voltage", "V", 0.0, 0.0, INFINITY, voltage_about),                               \
    [CURRENT_LIMIT] = RI_PARAMETER("current_limit", "A", 0.0, 0.0, INFINITY, "Largest current; 0 means none."),        \
    [STALL_SPEED] = RI_PARAMETER("stall_speed", "rad/s", 0.1, 0.0, INFINITY,                                           \
                                 "Shaft speed below which the motor counts as stalled."),                              \
    [STALL_CURRENT] = RI_PARAMETER("stall_current", "A", stall_default, 0.0, INFINITY,                                 \
                                   "Current above which the motor counts as stalled.")

/// Why the numbers are no motor's; NULL: they are.
static inline const char *motor_refuse(const double *x)
{
    if (!ri_is_positive(x[RESISTANCE]))
        return "'resistance' must be positive";
    if (!ri_is_positive(x[TORQUE_CONSTANT]))
        return "'torque_constant' must be positive";
    if (!ri_is_size(x[FRICTION]))
        return "'friction' must be zero or positive";
    if (!isfinite(x[GEAR_RATIO]) || x[GEAR_RATIO] == 0.0)
        return "'gear_ratio' must not be zero";
    if (!(x[EFFICIENCY] > 0.0 && x[EFFICIENCY] <= 1.0))
        return "'efficiency' must be above 0 and at most 1";
    if (!ri_is_positive(x[SLIP_SPEED]))
        return "'slip_speed' must be positive";
    if (!ri_is_size(x[MAX_VOLTAGE]) || !ri_is_size(x[CURRENT_LIMIT]))
        return "'max_voltage' and 'current_limit' must be positive, or 0 for none";
    if (!ri_is_size(x[STALL_SPEED]) || !ri_is_size(x[STALL_CURRENT]))
        return "'stall_speed' and 'stall_current' must be zero or positive";
    return NULL;
}

#endif
