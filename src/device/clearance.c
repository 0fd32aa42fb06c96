// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clearance sensor: how far a point of a frame is from the ground; one at each corner and one
/// under the belly tell how near a rover is to resting on a rock. Test:
/// tests/onboard/test_clearance.c.
#include "device/ports.h"

enum { X, Y, Z, NOISE, RANGE, WARNING, DISTANCE, TRUTH, CLOSE, VALID, COUNT };

static const RiPort ports[COUNT] = {
    [X] = RI_ANY_PARAMETER("x", "m", 0.0, "Place of the sensor in its frame."),
    [Y] = RI_ANY_PARAMETER("y", "m", 0.0, "Place of the sensor in its frame."),
    [Z] = RI_ANY_PARAMETER("z", "m", 0.0, "Place of the sensor in its frame."),
    [NOISE] = RI_PARAMETER("noise", "m", 0.0, 0.0, INFINITY, "Standard deviation of the noise of a reading."),
    [RANGE] = RI_PARAMETER("range", "m", 0.0, 0.0, INFINITY, "Largest reading; 0 means none."),
    [WARNING] = RI_ANY_PARAMETER("warning", "m", 0.0, "Reading below which `close` is 1."),
    [DISTANCE] = RI_OUTPUT("distance", "m", "Distance to the ground, measured; negative inside it."),
    [TRUTH] = RI_OUTPUT("truth", "m", "Distance to the ground, exact."),
    [CLOSE] = RI_OUTPUT("close", "", "1 while the reading is below the warning."),
    [VALID] = RI_OUTPUT("valid", "", "1 while there is ground to measure."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!ri_is_size(x[NOISE]) || !ri_is_size(x[RANGE]))
        return "'noise' and 'range' must be positive, or 0 for none";
    return isfinite(x[X] + x[Y] + x[Z] + x[WARNING]) ? NULL : "its place and 'warning' must be finite";
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const RiVec3 at = ri_pose_point(&call->frame_pose, ri_vec3(x[X], x[Y], x[Z]));
    const double distance = call->above_ground ? call->above_ground(call, at) : NAN;
    x[VALID] = distance == distance;
    if (x[VALID] == 0.0)
        return;
    x[TRUTH] = distance;
    x[DISTANCE] = distance + ri_noise(call, x[NOISE], 0);
    if (x[RANGE] > 0.0)
        x[DISTANCE] = fmin(x[DISTANCE], x[RANGE]);
    x[CLOSE] = x[DISTANCE] < x[WARNING];
}

const RiDeviceClass ri_device_clearance = {
    .abi = RI_DEVICE_ABI,
    .name = "clearance",
    .doc = "Distance of a point of a frame to the ground.",
    .attach = RI_ATTACH_FRAME,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
