// SPDX-License-Identifier: Apache-2.0
/// \file
/// Potentiometer read by an analogue-to-digital converter. With u = (q - low) / (high - low), held
/// within 0 and 1,
///
///     u' = u + 4 linearity u (1 - u) + noise,     code = nearest of u' (2^bits - 1)
///
/// The linearity error is a bow that is largest in the middle and zero at the ends. Test:
/// tests/device/test_sensors.c.
#include "base/functions.h"
#include "device/ports.h"

enum { LOW, HIGH, LINEARITY, NOISE, BITS, SIGN, CODE, POSITION, SATURATED, COUNT };

static const RiPort ports[COUNT] = {
    [LOW] = RI_ANY_PARAMETER("low", "rad", -RI_PI, "Joint position at the lower end."),
    [HIGH] = RI_ANY_PARAMETER("high", "rad", RI_PI, "Joint position at the upper end."),
    [LINEARITY] = RI_PARAMETER("linearity", "", 0.0, -0.2, 0.2, "Error in the middle, as a part of the range."),
    [NOISE] = RI_PARAMETER("noise", "rad", 0.0, 0.0, INFINITY, "Standard deviation of the noise of a reading."),
    [BITS] = RI_PARAMETER("bits", "", 0.0, 0.0, 32.0, "Bits of the converter; 0: none, the reading is continuous."),
    [SIGN] = RI_PARAMETER("sign", "", 1.0, -1.0, 1.0, "1; -1: the position is read with the wrong sign."),
    [CODE] = RI_OUTPUT("code", "", "What the converter gives, 0 to 2^bits - 1; 0 without one."),
    [POSITION] = RI_OUTPUT("position", "rad", "Joint position as read."),
    [SATURATED] = RI_OUTPUT("saturated", "", "1 while the joint is beyond an end."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!(x[LOW] < x[HIGH]) || !isfinite(x[HIGH] - x[LOW]))
        return "'low' must be below 'high'";
    if (!(fabs(x[LINEARITY]) <= 0.2))
        return "'linearity' must be within +-0.2, so that the reading grows with the angle";
    if (!ri_is_size(x[NOISE]))
        return "'noise' must be zero or positive";
    if (!(x[BITS] >= 0.0 && x[BITS] <= 32.0) || x[BITS] != floor(x[BITS]))
        return "'bits' must be a whole number from 0 to 32";
    if (fabs(x[SIGN]) != 1.0)
        return "'sign' must be 1 or -1";
    return NULL;
}

static double within_one(double u)
{
    return fmax(0.0, fmin(1.0, u));
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const double range = x[HIGH] - x[LOW];
    const double truth = (call->joint_position - x[LOW]) / range, held = within_one(truth);
    double u = held + 4.0 * x[LINEARITY] * held * (1.0 - held) + ri_noise(call, x[NOISE] / range, 0);
    u = within_one(u);
    if (x[BITS] > 0.0) {
        const double last = ri_exp2(x[BITS]) - 1.0;
        x[CODE] = floor(u * last + 0.5);
        u = x[CODE] / last;
    }
    x[POSITION] = x[SIGN] * (x[LOW] + u * range);
    x[SATURATED] = held != truth;
}

const RiDeviceClass ri_device_potentiometer = {
    .abi = RI_DEVICE_ABI,
    .name = "potentiometer",
    .doc = "Potentiometer on a joint, with converter.",
    .attach = RI_ATTACH_JOINT,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
