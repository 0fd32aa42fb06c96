// SPDX-License-Identifier: Apache-2.0
/// \file
/// Incremental encoder on a joint or on the motor side of its gear.
///
///     count = nearest whole number of (q - offset) N resolution / (2 pi),
///     position = s (offset + 2 pi count / (N resolution)),  s = 1, or -1 for an encoder that is read the wrong way round
///
/// The position is off by at most half a count; the velocity is its difference, so a slow joint
/// shows jumps of one count per update, as the real one does. Test: tests/device/test_sensors.c.
#include "device/ports.h"

enum { RESOLUTION, GEAR_RATIO, OFFSET, SIGN, STARTED, COUNTS, POSITION, VELOCITY, PORT_COUNT };

static const RiPort ports[PORT_COUNT] = {
    [RESOLUTION] = RI_PARAMETER("resolution", "", 4096.0, 1.0, INFINITY, "Counts per turn of the encoder's shaft."),
    [GEAR_RATIO] = RI_ANY_PARAMETER("gear_ratio", "", 1.0,
                                    "Turns of the encoder's shaft per turn of the joint; negative reverses."),
    [OFFSET] = RI_ANY_PARAMETER("offset", "rad", 0.0, "Joint position at count 0."),
    [SIGN] = RI_PARAMETER("sign", "", 1.0, -1.0, 1.0, "1; -1: position and velocity are read with the wrong sign."),
    [STARTED] = RI_LIMITED_STATE("started", "", 0.0, 1.0, "1 once there is an earlier measurement."),
    [COUNTS] = RI_OUTPUT("count", "", "Counts, a whole number."),
    [POSITION] = RI_OUTPUT("position", "rad", "Joint position from the counts."),
    [VELOCITY] = RI_OUTPUT("velocity", "rad/s", "Difference of position over one update."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!(x[RESOLUTION] >= 1.0 && x[RESOLUTION] <= 1e12))
        return "'resolution' must be from 1 to 1e12 counts per turn";
    if (!isfinite(x[GEAR_RATIO]) || x[GEAR_RATIO] == 0.0)
        return "'gear_ratio' must not be zero";
    if (!isfinite(x[OFFSET]))
        return "'offset' must be finite";
    if (fabs(x[SIGN]) != 1.0)
        return "'sign' must be 1 or -1";
    call->x[STARTED] = 0.0;
    return NULL;
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const double per_count = 2.0 * RI_PI / (x[RESOLUTION] * x[GEAR_RATIO]); // [rad] of the joint
    const double before = x[POSITION];
    x[COUNTS] = floor((call->joint_position - x[OFFSET]) / per_count + 0.5);
    x[POSITION] = x[SIGN] * (x[OFFSET] + x[COUNTS] * per_count);
    x[VELOCITY] = x[STARTED] != 0.0 ? (x[POSITION] - before) / call->dt : 0.0;
    x[STARTED] = 1.0;
}

const RiDeviceClass ri_device_encoder = {
    .abi = RI_DEVICE_ABI,
    .name = "encoder",
    .doc = "Incremental encoder: counts of a joint.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = PORT_COUNT,
    .start = start,
    .update = update,
};
