// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sojourner's hazard avoidance: five laser stripes seen in four scan lines give twenty heights.
/// Sources: [mishkin1998] (from memory), [jain2003] 2.9; the rule table is ours where they are
/// silent. Theory: docs/theory/navigation.md. Test: tests/onboard/test_sojourner.c.
#include <math.h>

#include <rille/navigation.h>

static const double pi = M_PI;

RiSojournerOptions ri_sojourner_options_default(void)
{
    // A wheel of 0.13 m climbs steps of its own diameter; the rover is 0.48 m wide.
    return (RiSojournerOptions){.step_max = 0.13, .span_max = 0.2, .drop_max = 0.13, .gap_width = 0.58};
}

static int zone(int column)
{
    if (column < 2)
        return RI_STRIPE_LEFT;
    return column == 2 ? RI_STRIPE_CENTRE : RI_STRIPE_RIGHT;
}

/// Blames the column of the higher of two points whose difference is too large.
static int compare(const RiSojournerOptions *o, double a, int column_a, double b, int column_b)
{
    if (b < -o->drop_max || !(fabs(a - b) > o->step_max)) // a drop-off or NaN is a hazard of its own
        return 0;
    return zone(a > b ? column_a : column_b);
}

int ri_sojourner_hazards(const RiSojournerOptions *options, const double heights[RI_STRIPE_ROWS][RI_STRIPE_COLUMNS])
{
    int hazards = 0, highest_column = 0;
    double lowest = INFINITY, highest = -INFINITY;
    for (int row = 0; row < RI_STRIPE_ROWS; row++)
        for (int column = 0; column < RI_STRIPE_COLUMNS; column++) {
            const double h = heights[row][column];
            if (!isfinite(h) || h < -options->drop_max) {
                hazards |= zone(column);
                continue;
            }
            if (row > 0)
                hazards |= compare(options, h, column, heights[row - 1][column], column);
            if (column > 0)
                hazards |= compare(options, h, column, heights[row][column - 1], column - 1);
            lowest = fmin(lowest, h);
            if (h > highest) {
                highest = h;
                highest_column = column;
            }
        }
    if (highest - lowest > options->span_max)
        hazards |= zone(highest_column);
    return hazards;
}

const char *ri_sojourner_action_name(RiSojournerAction action)
{
    switch (action) {
    case RI_SOJOURNER_ARC:
        return "arc towards the goal";
    case RI_SOJOURNER_TURN_LEFT:
        return "turn left";
    case RI_SOJOURNER_TURN_RIGHT:
        return "turn right";
    case RI_SOJOURNER_THREAD:
        return "thread the needle";
    case RI_SOJOURNER_BACK_OUT:
        return "back out";
    case RI_SOJOURNER_BLOCKED:
        return "blocked";
    case RI_SOJOURNER_ACTIONS:
        break;
    }
    return "?";
}

/// Turns to a side (1 left, -1 right), unless a full circle has been turned already.
static RiSojournerAction turn(RiSojournerState *s, int side)
{
    if (s->turned >= 2.0 * pi - 1e-9)
        return RI_SOJOURNER_BLOCKED;
    s->avoiding = side;
    return side > 0 ? RI_SOJOURNER_TURN_LEFT : RI_SOJOURNER_TURN_RIGHT;
}

static RiSojournerAction decide(const RiSojournerOptions *o, int hazards, double goal_angle, double gap,
                                RiSojournerState *s)
{
    const int goal_side = goal_angle >= 0.0 ? 1 : -1;
    const bool left = hazards & RI_STRIPE_LEFT, centre = hazards & RI_STRIPE_CENTRE, right = hazards & RI_STRIPE_RIGHT;
    if (s->threading && centre)
        return RI_SOJOURNER_BACK_OUT;
    if (!left && !centre && !right)
        return RI_SOJOURNER_ARC;
    if (left && !right)
        return turn(s, -1);
    if (right && !left)
        return turn(s, 1);
    if (!centre && gap > o->gap_width) // hazards on both sides
        return RI_SOJOURNER_THREAD;
    return turn(s, s->avoiding ? s->avoiding : goal_side);
}

RiSojournerAction ri_sojourner_decide(const RiSojournerOptions *options, int hazards, double goal_angle, double gap,
                                      double turned, RiSojournerState *state)
{
    state->turned += fabs(turned);
    const RiSojournerAction action = decide(options, hazards, goal_angle, gap, state);
    if (action == RI_SOJOURNER_ARC) {
        state->avoiding = 0;
        state->turned = 0.0;
    }
    state->threading = action == RI_SOJOURNER_THREAD;
    state->last = action;
    return action;
}
