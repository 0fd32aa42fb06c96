// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joint servo that the integrator evaluates at every stage, so that stiff gains do not need a high
/// rate:
///
///     tau = k (r - q) + d (r' - v) + feed-forward
///
/// The device only passes gains and references on. Test: tests/device/test_pid.c.
#include "device/ports.h"

enum {
    STIFFNESS,
    DAMPING,
    EFFORT_LIMIT,
    POSITION,
    VELOCITY,
    FEED_FORWARD,
    SERVO_GAIN,
    SERVO_DAMPING,
    SERVO_POSITION,
    SERVO_RATE,
    SERVO_LIMIT,
    SERVO_EFFORT,
    COUNT
};

static const RiPort ports[COUNT] = {
    [STIFFNESS] = RI_PARAMETER("stiffness", "N*m/rad", 0.0, 0.0, INFINITY, "k, effort per position error."),
    [DAMPING] = RI_PARAMETER("damping", "N*m*s/rad", 0.0, 0.0, INFINITY, "d, effort per velocity error."),
    [EFFORT_LIMIT] = RI_PARAMETER("effort_limit", "N*m", 0.0, 0.0, INFINITY, "Largest effort; 0 means none."),
    [POSITION] = RI_INPUT("position", "rad", "Where the joint shall be."),
    [VELOCITY] = RI_INPUT("velocity", "rad/s", "How fast it shall move."),
    [FEED_FORWARD] = RI_INPUT("feed_forward", "N*m", "Effort added to the servo's, itself within the limit."),
    [SERVO_GAIN] = RI_ACTION("servo_gain", "N*m/rad", RI_PORT_SERVO_GAIN, "k in force."),
    [SERVO_DAMPING] = RI_ACTION("servo_damping", "N*m*s/rad", RI_PORT_SERVO_DAMPING, "d in force."),
    [SERVO_POSITION] = RI_ACTION("servo_position", "rad", RI_PORT_SERVO_POSITION, "Reference in force."),
    [SERVO_RATE] = RI_ACTION("servo_rate", "rad/s", RI_PORT_SERVO_RATE, "Reference rate in force."),
    [SERVO_LIMIT] = RI_ACTION("servo_limit", "N*m", RI_PORT_SERVO_LIMIT, "Limit in force."),
    [SERVO_EFFORT] = RI_ACTION("servo_effort", "N*m", RI_PORT_EFFORT, "Feed-forward in force."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!ri_is_size(x[STIFFNESS]) || !ri_is_size(x[DAMPING]))
        return "'stiffness' and 'damping' must be zero or positive";
    if (!ri_is_size(x[EFFORT_LIMIT]))
        return "'effort_limit' must be positive, or 0 for none";
    return NULL;
}

static inline void pass_on(double *x)
{
    x[SERVO_GAIN] = x[STIFFNESS];
    x[SERVO_DAMPING] = x[DAMPING];
    x[SERVO_POSITION] = x[POSITION];
    x[SERVO_RATE] = x[VELOCITY];
    x[SERVO_LIMIT] = x[EFFORT_LIMIT];
    x[SERVO_EFFORT] = ri_bound(x[FEED_FORWARD], x[EFFORT_LIMIT]);
}

static void update(RiDeviceCall *call)
{
    pass_on(call->x);
}

static void update_all(const RiDeviceCall *call, const RiDeviceSeat *seats, int count)
{
    (void)call;
    for (int i = 0; i < count; i++)
        pass_on(seats[i].x);
}

const RiDeviceClass ri_device_servo = {
    .abi = RI_DEVICE_ABI,
    .name = "servo",
    .doc = "Spring and damper towards a reference, evaluated by the integrator.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
    .update_all = update_all,
};
