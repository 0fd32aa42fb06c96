// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact bar: a straight bar across a body closes its switch where the ground pushes it in.
///
/// The bar lies along the frame's y axis, `width` long about its middle (x, y, z), and is looked at in
/// points no farther apart than `spacing`. It touches while any of them is deeper than `travel` inside
/// the ground, ruts included:
///
///     depth = max over the points of -(distance to the ground),    touch = depth > travel
///
/// It acts without dynamics too, where a body may be moved into a rock. Where there is no ground
/// nothing touches. Test: tests/onboard/test_bumper.c.
#include "device/ports.h"

enum { X, Y, Z, WIDTH, SPACING, TRAVEL, TOUCH, DEPTH, LEFT, COUNT };

enum { MOST_POINTS = 1000 };

static const RiPort ports[COUNT] = {
    [X] = RI_ANY_PARAMETER("x", "m", 0.0, "Middle of the bar in its frame."),
    [Y] = RI_ANY_PARAMETER("y", "m", 0.0, "Middle of the bar in its frame."),
    [Z] = RI_ANY_PARAMETER("z", "m", 0.0, "Middle of the bar in its frame."),
    [WIDTH] = RI_PARAMETER("width", "m", 0.4, 0.0, 1e3, "Length of the bar, along y."),
    [SPACING] = RI_PARAMETER("spacing", "m", 0.05, 1e-4, 1e3, "Largest distance between points of it that are felt."),
    [TRAVEL] = RI_PARAMETER("travel", "m", 0.0, 0.0, 1e3, "Depth inside the ground at which its switch closes."),
    [TOUCH] = RI_OUTPUT("touch", "", "1 while it is pushed in; for `contact` of navigation."),
    [DEPTH] = RI_OUTPUT("depth", "m", "Of its deepest point inside the ground; negative: its distance."),
    [LEFT] = RI_OUTPUT("place", "m", "Of that point on the bar, from its middle to the left."),
};

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    if (!isfinite(x[X] + x[Y] + x[Z]))
        return "'x', 'y' and 'z' must be finite";
    return x[WIDTH] <= MOST_POINTS * x[SPACING] ? NULL : "'width' must be at most 1000 times 'spacing'";
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const int gaps = (int)ceil(x[WIDTH] / x[SPACING]);
    double depth = -INFINITY, place = 0.0;
    for (int i = 0; call->above_ground && i <= gaps; i++) {
        const double left = gaps > 0 ? x[WIDTH] * ((double)i / gaps - 0.5) : 0.0;
        const RiVec3 at = ri_pose_point(&call->frame_pose, ri_vec3(x[X], x[Y] + left, x[Z]));
        const double in = -call->above_ground(call, at);
        if (in > depth) { // false for NaN: no ground there
            depth = in;
            place = left;
        }
    }
    x[TOUCH] = depth > x[TRAVEL];
    if (isinf(depth))
        return; // there is no ground: the last readings stay
    x[DEPTH] = depth;
    x[LEFT] = place;
}

const RiDeviceClass ri_device_bumper = {
    .abi = RI_DEVICE_ABI,
    .name = "bumper",
    .doc = "Contact bar of a body: a switch that closes where the ground pushes it in.",
    .attach = RI_ATTACH_FRAME,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
