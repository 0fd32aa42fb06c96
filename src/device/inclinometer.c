// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inclinometer: roll and pitch of a frame from the direction of gravity.
///
/// With the unit vector u upwards in axes of the frame (R = Rz(yaw) Ry(pitch) Rx(roll) gives u =
/// (-sin pitch, cos pitch sin roll, cos pitch cos roll)),
///
///     roll = atan2(u_y, u_z),     pitch = atan2(-u_x, hypot(u_y, u_z))
///
/// Quasi-static: u is against gravity. With `dynamic` it is along the specific force a - g, as a
/// real instrument senses. Where there is no direction (free fall) the last reading stays and
/// `valid` is 0. Test: tests/device/test_sensors.c.
#include "base/functions.h"
#include "device/ports.h"

enum {
    NOISE,
    ROLL_BIAS,
    PITCH_BIAS,
    RANGE,
    RESOLUTION,
    DYNAMIC,
    ROLL,
    PITCH,
    TRUTH_ROLL,
    TRUTH_PITCH,
    VALID,
    SATURATED,
    COUNT
};

static const RiPort ports[COUNT] = {
    [NOISE] = RI_PARAMETER("noise", "rad", 0.0, 0.0, INFINITY, "Standard deviation of the noise of a reading."),
    [ROLL_BIAS] = RI_ANY_PARAMETER("roll_bias", "rad", 0.0, "Constant error of roll."),
    [PITCH_BIAS] = RI_ANY_PARAMETER("pitch_bias", "rad", 0.0, "Constant error of pitch."),
    [RANGE] = RI_PARAMETER("range", "rad", 0.0, 0.0, INFINITY, "Largest reading; 0 means none."),
    [RESOLUTION] = RI_PARAMETER("resolution", "rad", 0.0, 0.0, INFINITY, "Step of the reading; 0 means none."),
    [DYNAMIC] = RI_PARAMETER("dynamic", "", 0.0, 0.0, 1.0, "1: accelerations disturb the reading; 0: they do not."),
    [ROLL] = RI_OUTPUT("roll", "rad", "Roll, measured."),
    [PITCH] = RI_OUTPUT("pitch", "rad", "Pitch, measured."),
    [TRUTH_ROLL] = RI_OUTPUT("truth_roll", "rad", "Roll, exact."),
    [TRUTH_PITCH] = RI_OUTPUT("truth_pitch", "rad", "Pitch, exact."),
    [VALID] = RI_OUTPUT("valid", "", "1 while there is a direction to measure."),
    [SATURATED] = RI_OUTPUT("saturated", "", "1 while a reading is at the end of its range."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!ri_is_size(x[NOISE]))
        return "'noise' must be zero or positive";
    if (!isfinite(x[ROLL_BIAS]) || !isfinite(x[PITCH_BIAS]))
        return "'roll_bias' and 'pitch_bias' must be finite";
    if (!ri_is_size(x[RANGE]) || !ri_is_size(x[RESOLUTION]))
        return "'range' and 'resolution' must be positive, or 0 for none";
    if (!ri_is_flag(x[DYNAMIC]))
        return "'dynamic' must be 0 or 1";
    return NULL;
}

/// Angles of an upward vector in axes of the frame.
static void tilt(RiVec3 up, double *roll, double *pitch)
{
    *roll = ri_atan2(up.y, up.z);
    *pitch = ri_atan2(-up.x, ri_hypot(up.y, up.z));
}

static double reading(const double *x, double angle)
{
    return ri_bound(ri_round_to(angle, x[RESOLUTION]), x[RANGE]);
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const RiVec3 against = ri_scale(-1.0, call->gravity);
    const RiVec3 sensed = x[DYNAMIC] != 0.0 ? ri_add(call->frame_acceleration.lin, against) : against;
    x[VALID] = ri_norm(sensed) > 1e-9;
    if (x[VALID] == 0.0)
        return;
    double roll, pitch;
    tilt(ri_rotate_back(&call->frame_pose.R, against), &x[TRUTH_ROLL], &x[TRUTH_PITCH]);
    tilt(ri_rotate_back(&call->frame_pose.R, sensed), &roll, &pitch);
    roll += x[ROLL_BIAS] + ri_noise(call, x[NOISE], 0);
    pitch += x[PITCH_BIAS] + ri_noise(call, x[NOISE], 1);
    x[ROLL] = reading(x, roll);
    x[PITCH] = reading(x, pitch);
    x[SATURATED] = x[RANGE] > 0.0 && (fabs(roll) > x[RANGE] || fabs(pitch) > x[RANGE]);
}

const RiDeviceClass ri_device_inclinometer = {
    .abi = RI_DEVICE_ABI,
    .name = "inclinometer",
    .doc = "Roll and pitch of a frame from gravity.",
    .attach = RI_ATTACH_FRAME,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
