// SPDX-License-Identifier: Apache-2.0
/// \file
/// A cycle of Sojourner: twenty points of the laser stripes, hazards left, centre, right, and the
/// rules.          [mishkin1998]
///
/// The stripes end at four distances ahead of the rover in five columns across its path. Heights
/// are above the plane of the wheels. After a hazard the rover drives on for clear_length before it
/// turns back to its goal. Test: tests/onboard/test_navigate.c.
#include "base/functions.h"
#include "onboard/drive/navigate.h"

static const double pi = M_PI;

static double wrap(double angle)
{
    return angle - 2.0 * pi * floor(angle / (2.0 * pi) + 0.5);
}

/// Heights of the stripe pattern; also kept for drawing.
static void scan(RiDeviceCall *call, double heights[RI_STRIPE_ROWS][RI_STRIPE_COLUMNS])
{
    RiNavMemory *m = ri_nav_memory(call);
    const double *x = call->x, level = x[NAV_LEVEL_Z];
    const RiNavPose at = ri_nav_pose(call);
    const RiVec3 eye = ri_vec3(x[NAV_CAMERA_X], 0.0, x[NAV_CAMERA_Z]);
    int n = 0;
    for (int row = 0; row < RI_STRIPE_ROWS; row++)
        for (int column = 0; column < RI_STRIPE_COLUMNS; column++, n++) {
            const double ahead =
                x[NAV_STRIPE_NEAR] + (x[NAV_STRIPE_FAR] - x[NAV_STRIPE_NEAR]) * row / (RI_STRIPE_ROWS - 1);
            const double left = x[NAV_STRIPE_WIDTH] * (0.5 - (double)column / (RI_STRIPE_COLUMNS - 1));
            const RiVec3 aim = ri_vec3(ahead, left, level);
            heights[row][column] = ri_vision_stripe(call, eye, aim, level, x[NAV_RANGE_ERROR], n);
            const RiVec3 p = ri_pose_point(&at.pose, aim);
            m->stripes[3 * n] = (float)p.x;
            m->stripes[3 * n + 1] = (float)p.y;
            m->stripes[3 * n + 2] = isfinite(heights[row][column]) ? (float)heights[row][column] : -1e3f;
        }
    m->stripe_count = n;
}

/// Free width between hazards left and right: from the innermost column with a bad point on each
/// side.
static double gap_width(const RiSojournerOptions *o, double width, double heights[RI_STRIPE_ROWS][RI_STRIPE_COLUMNS])
{
    int inner[2] = {-1, RI_STRIPE_COLUMNS};
    for (int column = 0; column < RI_STRIPE_COLUMNS; column++)
        for (int row = 0; row < RI_STRIPE_ROWS; row++) {
            if (fabs(heights[row][column]) <= o->step_max) // false for NaN
                continue;
            if (column < 2)
                inner[0] = column;
            else if (column > 2 && inner[1] == RI_STRIPE_COLUMNS)
                inner[1] = column;
        }
    return width * (inner[1] - inner[0]) / (RI_STRIPE_COLUMNS - 1);
}

static RiNavOrder straight(double length)
{
    return (RiNavOrder){.command = NAV_DO_ARC, .length = length};
}

/// Towards the goal: a turn in place where it lies aside, else an arc through it, not tighter than
/// allowed.
static RiNavOrder to_goal(const double *x, double angle, double far)
{
    if (fabs(angle) > 0.5)
        return (RiNavOrder){.command = NAV_DO_TURN, .angle = fmax(-pi / 2.0, fmin(pi / 2.0, angle))};
    const double k = 2.0 * ri_sin(angle) / fmax(far, 1e-6), most = 1.0 / x[NAV_LEAST_RADIUS];
    const double curvature = fmax(-most, fmin(most, k));
    return (RiNavOrder){.command = NAV_DO_ARC,
                        .radius = fabs(curvature) > 1e-6 ? 1.0 / curvature : 0.0,
                        .length = fmin(x[NAV_STEP], far)};
}

static RiNavOrder order_of(double *x, RiSojournerAction action, double angle, double far)
{
    switch (action) {
    case RI_SOJOURNER_TURN_LEFT:
    case RI_SOJOURNER_TURN_RIGHT:
        x[NAV_CLEARING] = x[NAV_CLEAR_LENGTH];
        return (RiNavOrder){.command = NAV_DO_TURN,
                            .angle = action == RI_SOJOURNER_TURN_LEFT ? x[NAV_TURN] : -x[NAV_TURN]};
    case RI_SOJOURNER_THREAD:
        return straight(x[NAV_STEP]);
    case RI_SOJOURNER_BACK_OUT:
        x[NAV_CLEARING] = 0.0;
        x[NAV_AVOIDING] = angle >= 0.0 ? 1.0 : -1.0;
        return straight(-x[NAV_CLEAR_LENGTH]);
    case RI_SOJOURNER_ARC:
    case RI_SOJOURNER_BLOCKED:
    case RI_SOJOURNER_ACTIONS:
        break;
    }
    if (x[NAV_CLEARING] > 0.0) { // past the hazard first
        x[NAV_CLEARING] -= x[NAV_STEP];
        return straight(x[NAV_STEP]);
    }
    return to_goal(x, angle, far);
}

bool ri_nav_stripes(RiDeviceCall *call, RiNavOrder *out, RiNavReason *out_reason)
{
    double *x = call->x, heights[RI_STRIPE_ROWS][RI_STRIPE_COLUMNS];
    const RiSojournerOptions o = {.step_max = x[NAV_STEP_MAX],
                                  .span_max = x[NAV_SPAN_MAX],
                                  .drop_max = x[NAV_DROP_MAX],
                                  .gap_width = x[NAV_GAP_WIDTH]};
    const RiNavPose at = ri_nav_pose(call);
    const RiVec3 goal = ri_nav_goal(x);
    const double far = ri_hypot(goal.x - at.x, goal.y - at.y);
    const double angle = wrap(ri_atan2(goal.y - at.y, goal.x - at.x) - at.heading);
    scan(call, heights);
    const int hazards = ri_sojourner_hazards(&o, (const double(*)[RI_STRIPE_COLUMNS])heights);
    RiSojournerState state = {.avoiding = (int)x[NAV_AVOIDING],
                              .threading = x[NAV_THREADING] != 0.0,
                              .turned = x[NAV_AVOIDED],
                              .last = (RiSojournerAction)x[NAV_ACTION]};
    const RiSojournerAction action =
        ri_sojourner_decide(&o, hazards, angle, gap_width(&o, x[NAV_STRIPE_WIDTH], heights), x[NAV_TURNED], &state);
    x[NAV_AVOIDING] = state.avoiding;
    x[NAV_THREADING] = state.threading;
    x[NAV_AVOIDED] = state.turned;
    x[NAV_HAZARDS] = hazards;
    x[NAV_ACTION] = action;
    x[NAV_POINTS] = RI_NAV_STRIPES;
    x[NAV_STALE] = x[NAV_BEST] < 0.0 || far < x[NAV_BEST] - 0.02 ? 0.0 : x[NAV_STALE] + 1.0;
    if (x[NAV_STALE] == 0.0)
        x[NAV_BEST] = far;
    *out_reason = RI_NAV_BLOCKED;
    *out = order_of(x, action, angle, far);
    return action != RI_SOJOURNER_BLOCKED;
}
