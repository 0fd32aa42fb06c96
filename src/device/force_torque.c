// SPDX-License-Identifier: Apache-2.0
/// \file
/// Six-axis force-torque sensor: the wrench that a joint carries, from its parent side to its child
/// side, in axes of the child link and about its origin, with noise, bias and a range. Test:
/// tests/device/test_sensors.c.
#include "device/ports.h"

enum { AXES = 3 };
enum {
    FORCE_NOISE,
    TORQUE_NOISE,
    FORCE_RANGE,
    TORQUE_RANGE,
    FORCE_BIAS,
    TORQUE_BIAS = FORCE_BIAS + AXES,
    FORCE = TORQUE_BIAS + AXES,
    TORQUE = FORCE + AXES,
    SATURATED = TORQUE + AXES,
    COUNT
};

static const RiPort ports[COUNT] = {
    [FORCE_NOISE] = RI_PARAMETER("force_noise", "N", 0.0, 0.0, INFINITY, "Standard deviation of a force reading."),
    [TORQUE_NOISE] = RI_PARAMETER("torque_noise", "N*m", 0.0, 0.0, INFINITY, "Standard deviation of a torque reading."),
    [FORCE_RANGE] = RI_PARAMETER("force_range", "N", 0.0, 0.0, INFINITY, "Largest force of an axis; 0 means none."),
    [TORQUE_RANGE] =
        RI_PARAMETER("torque_range", "N*m", 0.0, 0.0, INFINITY, "Largest torque of an axis; 0 means none."),
    [FORCE_BIAS + 0] = RI_ANY_PARAMETER("force_bias_x", "N", 0.0, "Constant error."),
    [FORCE_BIAS + 1] = RI_ANY_PARAMETER("force_bias_y", "N", 0.0, "Constant error."),
    [FORCE_BIAS + 2] = RI_ANY_PARAMETER("force_bias_z", "N", 0.0, "Constant error."),
    [TORQUE_BIAS + 0] = RI_ANY_PARAMETER("torque_bias_x", "N*m", 0.0, "Constant error."),
    [TORQUE_BIAS + 1] = RI_ANY_PARAMETER("torque_bias_y", "N*m", 0.0, "Constant error."),
    [TORQUE_BIAS + 2] = RI_ANY_PARAMETER("torque_bias_z", "N*m", 0.0, "Constant error."),
    [FORCE + 0] = RI_OUTPUT("force_x", "N", "Force on the child side, measured."),
    [FORCE + 1] = RI_OUTPUT("force_y", "N", "Force on the child side, measured."),
    [FORCE + 2] = RI_OUTPUT("force_z", "N", "Force on the child side, measured."),
    [TORQUE + 0] = RI_OUTPUT("torque_x", "N*m", "Torque on the child side, measured."),
    [TORQUE + 1] = RI_OUTPUT("torque_y", "N*m", "Torque on the child side, measured."),
    [TORQUE + 2] = RI_OUTPUT("torque_z", "N*m", "Torque on the child side, measured."),
    [SATURATED] = RI_OUTPUT("saturated", "", "1 while an axis is at the end of its range."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!ri_is_size(x[FORCE_NOISE]) || !ri_is_size(x[TORQUE_NOISE]))
        return "'force_noise' and 'torque_noise' must be zero or positive";
    if (!ri_is_size(x[FORCE_RANGE]) || !ri_is_size(x[TORQUE_RANGE]))
        return "'force_range' and 'torque_range' must be positive, or 0 for none";
    for (int k = 0; k < AXES; k++)
        if (!isfinite(x[FORCE_BIAS + k]) || !isfinite(x[TORQUE_BIAS + k]))
            return "the biases 'force_bias_*' and 'torque_bias_*' must be finite";
    return NULL;
}

/// Reads three axes; `out` and `bias` are the first ports of a triple, `normal` the first random
/// number.
static void read_axes(RiDeviceCall *call, RiVec3 truth, int bias, int out, double noise, double range, int normal)
{
    const double value[AXES] = {truth.x, truth.y, truth.z};
    for (int k = 0; k < AXES; k++) {
        const double y = value[k] + call->x[bias + k] + ri_noise(call, noise, normal + k);
        call->x[out + k] = ri_bound(y, range);
        if (call->x[out + k] != y)
            call->x[SATURATED] = 1.0;
    }
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    x[SATURATED] = 0.0;
    read_axes(call, call->wrench.lin, FORCE_BIAS, FORCE, x[FORCE_NOISE], x[FORCE_RANGE], 0);
    read_axes(call, call->wrench.ang, TORQUE_BIAS, TORQUE, x[TORQUE_NOISE], x[TORQUE_RANGE], AXES);
}

const RiDeviceClass ri_device_force_torque = {
    .abi = RI_DEVICE_ABI,
    .name = "force_torque",
    .doc = "Six-axis force-torque sensor in a joint.",
    .attach = RI_ATTACH_WRENCH,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
