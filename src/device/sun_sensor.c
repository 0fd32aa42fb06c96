// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sun sensor: the direction of the sun in the axes of a frame.
///
/// Truth is the unit vector u = R^T s, s towards the sun in world axes. The sensor looks along the
/// frame's x axis and sees the sun while it is above the horizon and within the field of view.
/// It reads
///
///     y = normalised(u + b x u + n_1 e_1 + n_2 e_2)
///
/// with the misalignment b (a small rotation) and noise along two axes e normal to u, so that each
/// has the given deviation as an angle. Where it sees nothing the last reading stays and `valid` is
/// 0. Neither ground nor robot casts a shadow on it. Test: tests/device/test_sensors.c.
#include "base/functions.h"
#include "device/ports.h"

enum { X, Y, Z, AXES };
enum { NOISE, BIAS, FIELD = BIAS + AXES, OUT, TRUTH = OUT + AXES, VALID = TRUTH + AXES, COUNT };

static const RiPort ports[COUNT] = {
    [NOISE] =
        RI_PARAMETER("noise", "rad", 0.0, 0.0, INFINITY, "Standard deviation of the direction about each of two axes."),
    [BIAS + X] = RI_ANY_PARAMETER("bias_x", "rad", 0.0, "Misalignment about x, a small angle."),
    [BIAS + Y] = RI_ANY_PARAMETER("bias_y", "rad", 0.0, "Misalignment about y, a small angle."),
    [BIAS + Z] = RI_ANY_PARAMETER("bias_z", "rad", 0.0, "Misalignment about z, a small angle."),
    [FIELD] = RI_PARAMETER("field_of_view", "rad", 0.0, 0.0, 2.0 * RI_PI,
                           "Full angle of the cone about x that is seen; 0: all round."),
    [OUT + X] = RI_OUTPUT("x", "", "Direction of the sun in the frame, measured."),
    [OUT + Y] = RI_OUTPUT("y", "", "Direction of the sun in the frame, measured."),
    [OUT + Z] = RI_OUTPUT("z", "", "Direction of the sun in the frame, measured."),
    [TRUTH + X] = RI_OUTPUT("truth_x", "", "Direction of the sun in the frame, exact."),
    [TRUTH + Y] = RI_OUTPUT("truth_y", "", "Direction of the sun in the frame, exact."),
    [TRUTH + Z] = RI_OUTPUT("truth_z", "", "Direction of the sun in the frame, exact."),
    [VALID] = RI_OUTPUT("valid", "", "1 while the sun is seen."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!ri_is_size(x[NOISE]))
        return "'noise' must be zero or positive";
    for (int k = 0; k < AXES; k++)
        if (!isfinite(x[BIAS + k]))
            return "'bias_x', 'bias_y' and 'bias_z' must be finite";
    if (!(x[FIELD] >= 0.0 && x[FIELD] <= 2.0 * RI_PI))
        return "'field_of_view' must be at least 0 and at most 360 deg";
    return NULL;
}

static void put(double *to, RiVec3 u)
{
    to[X] = u.x;
    to[Y] = u.y;
    to[Z] = u.z;
}

/// Two unit vectors normal to u and to each other.
static void across(RiVec3 u, RiVec3 *e1, RiVec3 *e2)
{
    const RiVec3 aside = fabs(u.x) < 0.7 ? ri_vec3(1.0, 0.0, 0.0) : ri_vec3(0.0, 1.0, 0.0);
    const RiVec3 n = ri_cross(u, aside);
    *e1 = ri_scale(1.0 / ri_norm(n), n);
    *e2 = ri_cross(u, *e1);
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const RiVec3 u = ri_rotate_back(&call->frame_pose.R, call->sun);
    put(x + TRUTH, u);
    x[VALID] = call->sun.z > 0.0 && (x[FIELD] == 0.0 || u.x >= ri_cos(0.5 * x[FIELD]));
    if (x[VALID] == 0.0)
        return;
    RiVec3 e1, e2;
    across(u, &e1, &e2);
    const RiVec3 bias = ri_cross(ri_vec3(x[BIAS + X], x[BIAS + Y], x[BIAS + Z]), u);
    const RiVec3 noise = ri_add(ri_scale(ri_noise(call, x[NOISE], 0), e1), ri_scale(ri_noise(call, x[NOISE], 1), e2));
    const RiVec3 y = ri_add(u, ri_add(bias, noise));
    put(x + OUT, ri_scale(1.0 / ri_norm(y), y));
}

const RiDeviceClass ri_device_sun_sensor = {
    .abi = RI_DEVICE_ABI,
    .name = "sun_sensor",
    .doc = "Direction of the sun in the axes of a frame.",
    .attach = RI_ATTACH_FRAME,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
