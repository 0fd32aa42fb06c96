// SPDX-License-Identifier: Apache-2.0
/// \file
/// Follow the leader: every joint does where the leader has done it.
/// [choset1999]
///
/// The path of the head is remembered as one knot per joint. With f the share of a joint spacing
/// travelled since the knots were last passed on, joint i of N stands between its own knot and that
/// of the joint ahead,
///
///     q_i = (1 - f) k_i + f k_{i+1},     k_{N+1} = the leader's command,
///
/// and when f reaches 1 every knot moves one joint back. So a joint repeats the leader's command of
/// (N - i) spacings ago, exactly where knots are passed on and linearly in between. Driven
/// backwards, knots move to the head and the tail keeps its own. Lateral and vertical joints form
/// two chains with their own spacing; twists are held at 0. The spacing is the mean distance of the
/// chain's joints at the start. Test: tests/onboard/test_follow.c.
#include "onboard/onboard.h"

enum { SPACING, VERTICAL_SPACING, HEAD, VERTICAL_HEAD, SPEED, PROGRESS, VERTICAL_PROGRESS, TRAVELLED, COUNT };

static const RiPort ports[COUNT] = {
    [SPACING] = RI_PARAMETER("spacing", "m", 0.0, 0.0, INFINITY,
                             "Distance between lateral joints; 0: their mean distance at the start."),
    [VERTICAL_SPACING] = RI_PARAMETER("vertical_spacing", "m", 0.0, 0.0, INFINITY,
                                      "Distance between vertical joints; 0: their mean distance at the start."),
    [HEAD] = RI_INPUT("head", "rad", "What the first lateral joint behind the head shall do."),
    [VERTICAL_HEAD] = RI_INPUT("vertical_head", "rad", "What the first vertical joint shall do."),
    [SPEED] = RI_INPUT("speed", "m/s", "Speed along the path; negative goes back."),
    [PROGRESS] = RI_STATE("progress", "", "Share of a lateral spacing travelled since knots were passed on."),
    [VERTICAL_PROGRESS] = RI_STATE("vertical_progress", "", "Share of a vertical spacing."),
    [TRAVELLED] = RI_STATE("travelled", "m", "Distance travelled."),
};

/// Next joint of a use ahead of joint i (towards the head), joint_count if there is none.
static int ahead_of(const RiDeviceCall *call, int i, RiJointUse use)
{
    do
        i++;
    while (i < call->joint_count && ri_joint_use(&call->joints[i]) != use);
    return i;
}

double ri_mean_spacing(const RiDeviceCall *call, RiJointUse use)
{
    double sum = 0.0;
    int count = 0;
    for (int i = ahead_of(call, -1, use), next; i < call->joint_count; i = next) {
        next = ahead_of(call, i, use);
        if (next < call->joint_count) {
            sum += ri_norm(ri_sub(call->joints[next].pose.p, call->joints[i].pose.p));
            count++;
        }
    }
    return count ? sum / count : 0.0;
}

/// Passes the knots of a chain on by one joint: back, or to the head.
static void pass_on(const RiDeviceCall *call, RiJointUse use, double head, bool back)
{
    double kept = 0.0;
    bool first = true;
    for (int i = ahead_of(call, -1, use), next; i < call->joint_count; i = next) {
        next = ahead_of(call, i, use);
        const double own = call->commands[i].memory;
        if (back)
            call->commands[i].memory =
                next < call->joint_count ? call->commands[next].memory : ri_axis_sign(&call->joints[i]) * head;
        else if (!first)
            call->commands[i].memory = kept;
        kept = own;
        first = false;
    }
}

void ri_lead(const RiDeviceCall *call, RiJointUse use, double head, double speed, double spacing, double *progress)
{
    *progress += spacing > 0.0 ? speed * call->dt / spacing : 0.0;
    const double whole = floor(*progress); // spacings passed; beyond the length of the chain nothing changes any more
    for (int k = (int)fmin(fabs(whole), call->joint_count); k > 0; k--)
        pass_on(call, use, head, whole > 0.0);
    *progress -= whole;
    for (int i = ahead_of(call, -1, use), next; i < call->joint_count; i = next) {
        next = ahead_of(call, i, use);
        const double own = call->commands[i].memory;
        const double wanted =
            next < call->joint_count ? call->commands[next].memory : ri_axis_sign(&call->joints[i]) * head;
        call->commands[i].position = ri_within_joint(&call->joints[i], own + *progress * (wanted - own));
        call->commands[i].rate = spacing > 0.0 ? (wanted - own) * speed / spacing : 0.0;
    }
}

static const char *start(RiDeviceCall *call)
{
    double *x = call->x;
    if (ri_count_use(call, RI_USE_LATERAL) < 2 && ri_count_use(call, RI_USE_VERTICAL) < 2)
        return "needs at least two joints that bend the same way (axis z or y of their links) in its group";
    for (int i = 0; i < call->joint_count; i++)
        call->commands[i].memory = call->commands[i].position = call->joints[i].position;
    if (x[SPACING] == 0.0)
        x[SPACING] = ri_mean_spacing(call, RI_USE_LATERAL);
    if (x[VERTICAL_SPACING] == 0.0)
        x[VERTICAL_SPACING] = ri_mean_spacing(call, RI_USE_VERTICAL);
    return ri_is_size(x[SPACING]) && ri_is_size(x[VERTICAL_SPACING]) ? NULL : "'spacing' must be finite";
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    ri_lead(call, RI_USE_LATERAL, x[HEAD], x[SPEED], x[SPACING], &x[PROGRESS]);
    ri_lead(call, RI_USE_VERTICAL, x[VERTICAL_HEAD], x[SPEED], x[VERTICAL_SPACING], &x[VERTICAL_PROGRESS]);
    x[TRAVELLED] += x[SPEED] * call->dt;
}

static const char *check_state(const RiDeviceCall *call)
{
    const double a = call->x[PROGRESS], b = call->x[VERTICAL_PROGRESS];
    return a >= 0.0 && a <= 1.0 && b >= 0.0 && b <= 1.0 ? NULL : "'progress' is not a share from 0 to 1";
}

const RiDeviceClass ri_follow_the_leader = {
    .abi = RI_DEVICE_ABI,
    .name = "follow_the_leader",
    .doc = "Passes the bends of the head back along the body with the way.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
    .check_state = check_state,
};
