// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pressing against two walls by widening a shape.
///
/// A snake that is wedged as a zig-zag or arch between two walls presses against them when all its
/// bends grow together. The shape is that of the first positions q0; the references are s q0 for
/// bends and q0 for twists, and the scale s follows the measured force,
///
///     ds/dt = rate clamp((F - F_measured) / F, -1, 1),     least <= s <= most,
///
/// so that a robot without contact opens at a steady rate until it touches, and the force then
/// settles exactly (integral action). Joints stop at their limits. With the force not connected the
/// scale goes to `most`. Test: tests/onboard/test_press.c.
#include "onboard/onboard.h"

enum { RATE, LEAST, MOST, TOLERANCE, TARGET, MEASURED, SCALE, ERROR, PRESSED, LIMITED, COUNT };

static const RiPort ports[COUNT] = {
    [RATE] = RI_PARAMETER("rate", "1/s", 0.1, 0.0, INFINITY, "Change of the scale per second at full error."),
    [LEAST] = RI_PARAMETER("least", "", 0.5, 0.0, INFINITY, "Smallest scale."),
    [MOST] = RI_PARAMETER("most", "", 2.0, 0.0, INFINITY, "Largest scale."),
    [TOLERANCE] =
        RI_PARAMETER("tolerance", "", 0.1, 0.0, INFINITY, "Relative error of the force that counts as pressed."),
    [TARGET] = RI_INPUT("target", "N", "Commanded force F; 0: back to the first shape."),
    [MEASURED] = RI_INPUT("measured", "N", "Force that presses, such as contact.normal or a force-torque sensor's."),
    [SCALE] = RI_STATE("scale", "", "Scale s of the shape; starts at 1."),
    [ERROR] = RI_OUTPUT("error", "N", "Commanded minus measured force."),
    [PRESSED] = RI_OUTPUT("pressed", "", "1 while the force is within the tolerance."),
    [LIMITED] = RI_OUTPUT("limited", "", "1 while a joint or the scale is at its limit."),
};

static const char *start(RiDeviceCall *call)
{
    double *x = call->x, bend = 0.0;
    for (int i = 0; i < call->joint_count; i++) {
        call->commands[i].memory = call->commands[i].position = call->joints[i].position;
        if (ri_joint_use(&call->joints[i]) != RI_USE_TWIST)
            bend = fmax(bend, fabs(call->joints[i].position));
    }
    if (call->joint_count > 0 && bend < 1e-3)
        return "the robot is straight: give it a zig-zag or arch between the walls as its initial positions";
    if (!(x[LEAST] <= 1.0 && x[MOST] >= 1.0))
        return "'least' must be at most 1 and 'most' at least 1: the first shape is 1";
    x[SCALE] = 1.0;
    return ri_is_size(x[RATE]) ? NULL : "'rate' must be finite";
}

/// How fast the scale shall change, before its limits.
static double scale_rate(const RiDeviceCall *call)
{
    const double *x = call->x;
    if (x[TARGET] <= 0.0)
        return call->dt > 0.0 ? ri_bound((1.0 - x[SCALE]) / call->dt, x[RATE]) : 0.0;
    return x[RATE] * fmax(-1.0, fmin(1.0, x[ERROR] / x[TARGET]));
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    x[ERROR] = x[TARGET] - x[MEASURED];
    const double free = x[SCALE] + scale_rate(call) * call->dt;
    const double scale = fmax(x[LEAST], fmin(x[MOST], free)),
                 rate = call->dt > 0.0 ? (scale - x[SCALE]) / call->dt : 0.0;
    x[LIMITED] = scale != free;
    for (int i = 0; i < call->joint_count; i++) {
        const bool twist = ri_joint_use(&call->joints[i]) == RI_USE_TWIST;
        const double first = call->commands[i].memory, want = twist ? first : scale * first;
        const double got = ri_within_joint(&call->joints[i], want);
        call->commands[i].position = got;
        call->commands[i].rate = got == want && !twist ? rate * first : 0.0;
        if (got != want)
            x[LIMITED] = 1.0;
    }
    x[SCALE] = scale;
    x[PRESSED] = x[TARGET] > 0.0 && fabs(x[ERROR]) <= x[TOLERANCE] * x[TARGET];
}

const RiDeviceClass ri_wall_press = {
    .abi = RI_DEVICE_ABI,
    .name = "wall_press",
    .doc = "Widens a shape between two walls until it presses with a force.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
