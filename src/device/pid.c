// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joint controller with proportional, integral and derivative parts, at its own rate [astrom2006].
///
///     position:  u = kp (r - q) + I + kd (r' - v) + feed-forward,    I' = ki (r - q)
///     velocity:  u = kd (r' - v) + I + feed-forward,                 I' = kp (r' - v)
///
/// The gains keep their units in both modes: in velocity mode the integral of the velocity error is
/// an angle, on which kp acts. The derivative is that of the measurement, so a step of the
/// reference gives no spike; r' is its own input. v passes a first-order low pass with time
/// constant T, exact for a signal that is held: v_f += (1 - exp(-dt / T)) (v - v_f).
///
/// Anti-windup, when u is beyond the effort limit: with a tracking time Tt the integral runs back
/// by the excess, I' -= (u - limit) / Tt; without one it stops as long as it would grow into the
/// limit. Test: tests/device/test_pid.c.
#include "base/functions.h"
#include "device/ports.h"

enum {
    KP,
    KI,
    KD,
    EFFORT_LIMIT,
    INTEGRAL_LIMIT,
    TRACKING_TIME,
    FILTER_TIME,
    MODE,
    REFERENCE_POSITION,
    REFERENCE_VELOCITY,
    FEED_FORWARD,
    MEASURED_POSITION,
    MEASURED_VELOCITY,
    STARTED,
    INTEGRAL,
    LAST_POSITION,
    VELOCITY,
    EFFORT,
    POSITION_ERROR,
    VELOCITY_ERROR,
    SATURATED,
    COUNT
};

static const RiPort ports[COUNT] = {
    [KP] = RI_PARAMETER("kp", "N*m/rad", 0.0, 0.0, INFINITY,
                        "Gain on the position error; in velocity mode, on the integral of the velocity error."),
    [KI] = RI_PARAMETER("ki", "N*m/rad/s", 0.0, 0.0, INFINITY,
                        "Gain on the integral of the position error; 0 in velocity mode."),
    [KD] = RI_PARAMETER("kd", "N*m*s/rad", 0.0, 0.0, INFINITY, "Gain on the velocity error, in both modes."),
    [EFFORT_LIMIT] = RI_PARAMETER("effort_limit", "N*m", 0.0, 0.0, INFINITY, "Largest effort; 0 means none."),
    [INTEGRAL_LIMIT] =
        RI_PARAMETER("integral_limit", "N*m", 0.0, 0.0, INFINITY, "Largest integral part of the effort; 0 means none."),
    [TRACKING_TIME] =
        RI_PARAMETER("tracking_time", "s", 0.0, 0.0, INFINITY,
                     "Time constant of back-calculation at the effort limit; 0: the integral stops there."),
    [FILTER_TIME] = RI_PARAMETER("filter_time", "s", 0.0, 0.0, INFINITY,
                                 "Time constant of the low pass on the measured velocity; 0 means none."),
    [MODE] = RI_PARAMETER("mode", "", 0.0, 0.0, 1.0, "0 controls position, 1 velocity."),
    [REFERENCE_POSITION] = RI_INPUT("reference_position", "rad", "Where the joint shall be."),
    [REFERENCE_VELOCITY] = RI_INPUT("reference_velocity", "rad/s", "How fast it shall move."),
    [FEED_FORWARD] = RI_INPUT("feed_forward", "N*m", "Effort added before the limit."),
    [MEASURED_POSITION] =
        RI_INPUT("measured_position", "rad", "Position from a sensor; not connected: the joint's own."),
    [MEASURED_VELOCITY] =
        RI_INPUT("measured_velocity", "rad/s",
                 "Velocity from a sensor; not connected: difference of a connected position, or the joint's own."),
    [STARTED] = RI_LIMITED_STATE("started", "", 0.0, 1.0, "1 once there is an earlier measurement."),
    [INTEGRAL] = RI_STATE("integral", "N*m", "Integral part of the effort."),
    [LAST_POSITION] = RI_STATE("last_position", "rad", "Position measured last."),
    [VELOCITY] = RI_STATE("velocity", "rad/s", "Measured velocity behind the low pass."),
    [EFFORT] = RI_ACTION("effort", "N*m", RI_PORT_EFFORT, "Effort on the joint."),
    [POSITION_ERROR] = RI_OUTPUT("position_error", "rad", "Reference minus measured position."),
    [VELOCITY_ERROR] = RI_OUTPUT("velocity_error", "rad/s", "Reference minus measured and filtered velocity."),
    [SATURATED] = RI_OUTPUT("saturated", "", "1 while the effort limit acts."),
};

static const char *start(RiDeviceCall *call)
{
    double *x = call->x;
    if (!ri_is_size(x[KP]) || !ri_is_size(x[KI]) || !ri_is_size(x[KD]))
        return "the gains 'kp', 'ki' and 'kd' must be zero or positive";
    if (!ri_is_size(x[EFFORT_LIMIT]) || !ri_is_size(x[INTEGRAL_LIMIT]))
        return "'effort_limit' and 'integral_limit' must be positive, or 0 for none";
    if (!ri_is_size(x[TRACKING_TIME]) || !ri_is_size(x[FILTER_TIME]))
        return "'tracking_time' and 'filter_time' must be positive, or 0 for none";
    if (!ri_is_flag(x[MODE]))
        return "'mode' must be 0 (position) or 1 (velocity)";
    if (x[MODE] == 1.0 && x[KI] != 0.0)
        return "'ki' must be 0 in velocity mode: there 'kd' is the gain on the velocity error and 'kp' on its integral";
    x[STARTED] = x[INTEGRAL] = 0.0;
    return NULL;
}

/// Velocity from the difference of measured positions.
static double difference(const double *x, double q, double dt)
{
    return x[STARTED] != 0.0 ? (q - x[LAST_POSITION]) / dt : 0.0;
}

/// Measured position, and the low-passed velocity into its state; q and v are the joint's own.
static inline double measure(double *x, const bool *connected, double q, double v, double dt)
{
    if (connected && connected[MEASURED_POSITION]) {
        q = x[MEASURED_POSITION];
        v = difference(x, q, dt);
    }
    if (connected && connected[MEASURED_VELOCITY])
        v = x[MEASURED_VELOCITY];
    if (x[FILTER_TIME] > 0.0 && x[STARTED] != 0.0)
        v = x[VELOCITY] - ri_expm1(-dt / x[FILTER_TIME]) * (v - x[VELOCITY]);
    x[VELOCITY] = v;
    x[LAST_POSITION] = q;
    x[STARTED] = 1.0;
    return q;
}

/// The integral when the effort with the integral `after` an update is beyond its limit by
/// `excess`.
static double hold_integral(const double *x, double after, double rate, double excess, double dt)
{
    if (x[TRACKING_TIME] > 0.0) // never more than all of the excess in one update
        return ri_bound(after - fmin(1.0, dt / x[TRACKING_TIME]) * excess, x[INTEGRAL_LIMIT]);
    return rate * excess > 0.0 ? x[INTEGRAL] : after;
}

/// Integral, effort and whether it is limited, when the integral grows at `rate` and the other
/// parts of the effort sum up to `others`.
static inline void limit(double *x, double rate, double others, double dt)
{
    const double after = ri_bound(x[INTEGRAL] + rate * dt, x[INTEGRAL_LIMIT]), most = x[EFFORT_LIMIT];
    double effort = others + after;
    const bool within = fabs(effort) <= (most > 0.0 ? most : INFINITY);
    x[INTEGRAL] = within ? after : hold_integral(x, after, rate, effort - ri_bound(effort, most), dt);
    if (!within)
        effort = others + x[INTEGRAL];
    x[EFFORT] = within ? effort : ri_bound(effort, most);
    x[SATURATED] = x[EFFORT] != effort;
}

static inline void control(double *x, const bool *connected, double q, double v, double dt)
{
    const bool speed = x[MODE] == 1.0;
    const double e_q = x[REFERENCE_POSITION] - measure(x, connected, q, v, dt);
    const double e_v = x[REFERENCE_VELOCITY] - x[VELOCITY];
    const double others = (speed ? 0.0 : x[KP] * e_q) + x[KD] * e_v + x[FEED_FORWARD];
    limit(x, speed ? x[KP] * e_v : x[KI] * e_q, others, dt);
    x[POSITION_ERROR] = e_q;
    x[VELOCITY_ERROR] = e_v;
}

static void update(RiDeviceCall *call)
{
    control(call->x, call->connected, call->joint_position, call->joint_velocity, call->dt);
}

static void update_all(const RiDeviceCall *call, const RiDeviceSeat *seats, int count)
{
    const double dt = call->dt;
    for (int i = 0; i < count; i++)
        control(seats[i].x, seats[i].connected, *seats[i].position, *seats[i].velocity, dt);
}

const RiDeviceClass ri_device_pid = {
    .abi = RI_DEVICE_ABI,
    .name = "pid",
    .doc = "Position or velocity controller of a joint, at its own rate.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
    .update_all = update_all,
};
