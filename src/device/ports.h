// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shorthand for writing the built-in devices: port tables, and the few operations that all sensors
/// and controllers share.
///
/// A class file has an enum of its ports, a table with designated initialisers ([KP] = ...), so
/// that enum and table cannot drift apart, a `start` that checks the parameters and an `update`.
#ifndef RI_DEVICE_PORTS_H
#define RI_DEVICE_PORTS_H

#include <math.h>

#include <rille/device.h>

#define RI_PARAMETER(name, unit, initial, low, high, doc)                                                              \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_PARAMETER, initial, low, high, RI_PORT_NONE                                          \
    }
/// A parameter without limits.
#define RI_ANY_PARAMETER(name, unit, initial, doc) RI_PARAMETER(name, unit, initial, -INFINITY, INFINITY, doc)
#define RI_INPUT(name, unit, doc)                                                                                      \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_INPUT, 0.0, -INFINITY, INFINITY, RI_PORT_NONE                                        \
    }
#define RI_STATE(name, unit, doc)                                                                                      \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_STATE, 0.0, -INFINITY, INFINITY, RI_PORT_NONE                                        \
    }
/// A state with limits, such as a flag or an index: a checkpoint with another value is refused.
#define RI_LIMITED_STATE(name, unit, low, high, doc)                                                                   \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_STATE, 0.0, low, high, RI_PORT_NONE                                                  \
    }
#define RI_OUTPUT(name, unit, doc)                                                                                     \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_OUTPUT, 0.0, -INFINITY, INFINITY, RI_PORT_NONE                                       \
    }
/// An output that acts on the joint.
#define RI_ACTION(name, unit, action, doc)                                                                             \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_OUTPUT, 0.0, -INFINITY, INFINITY, action                                             \
    }

#define RI_PI M_PI

extern const RiDeviceClass ri_device_pid, ri_device_servo, ri_device_motor, ri_device_profile, ri_device_encoder,
    ri_device_potentiometer, ri_device_imu, ri_device_inclinometer, ri_device_force_torque, ri_device_sun_sensor,
    ri_device_drive_train, ri_device_clearance, ri_device_bumper;

/// x within +-limit; a limit of 0 is none. What is not a number stays so, for the step to find.
static inline double ri_bound(double x, double limit)
{
    const double most = limit > 0.0 ? limit : INFINITY;
    return x > most ? most : x < -most ? -most : x;
}

/// The multiple of `step` nearest to x; a step of 0 is none.
static inline double ri_round_to(double x, double step)
{
    return step > 0.0 ? step * floor(x / step + 0.5) : x;
}

/// sigma times the k-th normal number of this update.
static inline double ri_noise(const RiDeviceCall *call, double sigma, int k)
{
    return sigma > 0.0 ? sigma * call->normal(call, k) : 0.0;
}

static inline bool ri_is_connected(const RiDeviceCall *call, int port)
{
    return call->connected && call->connected[port];
}

static inline bool ri_is_flag(double x)
{
    return x == 0.0 || x == 1.0;
}

/// Zero or positive, and finite.
static inline bool ri_is_size(double x)
{
    return x >= 0.0 && x < INFINITY;
}

static inline bool ri_is_positive(double x)
{
    return x > 0.0 && x < INFINITY;
}

#endif
