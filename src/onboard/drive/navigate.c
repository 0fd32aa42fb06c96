// SPDX-License-Identifier: Apache-2.0
/// \file
/// Onboard navigation: sees, decides, and drives by a locomotion device, cycle after cycle, until
/// the goal or a reason to stop.
///
///     idle --command 1--> thinks --think_time--> orders --locomotion is busy--> drives --done--> thinks ...
///                            \--arrived, blocked, a limit--> halts --> idle, `reason` says why
///
/// Levels: 3 goal (a list of goals, the planner), 2 navigation (one target that another program may
/// move at any time, no planner), 1 locomotion (the manual inputs pass through), 0 motor (drive
/// trains follow their own manual inputs). The level may be switched at any time; a drive ends
/// then. A cycle takes the think time, as flown, plus what visual odometry cost since the last one.
///
/// Every drive ends: escapes are counted, cycles without progress are counted, and time and way may
/// be limited. Docs: docs/navigation.md, docs/theory/navigation.md. Test:
/// tests/onboard/test_navigate.c.
#include <stdlib.h>
#include <string.h>

#include "base/functions.h"
#include "onboard/drive/navigate.h"
#include "onboard/onboard.h"

#define GOAL_PORTS(n)                                                                                                  \
    [NAV_GOAL + 2 * (n)-2] = RI_INPUT("x" #n, "m", "Goal " #n "."),                                                    \
                    [NAV_GOAL + 2 * (n)-1] = RI_INPUT("y" #n, "m", "Goal " #n ".")
#define ZONE_PORTS(n)                                                                                                  \
    [NAV_ZONE + 3 * (n)-3] = RI_INPUT("zone_x" #n, "m", "Middle of keep-out zone " #n "."),                            \
                    [NAV_ZONE + 3 * (n)-2] = RI_INPUT("zone_y" #n, "m", "Middle of keep-out zone " #n "."),            \
                    [NAV_ZONE + 3 * (n)-1] =                                                                           \
                        STARTED_INPUT("zone_r" #n, "m", 0.0, 0.0, 1e6, "Radius of keep-out zone " #n ".")
#define CORNER_PORTS(n)                                                                                                \
    [NAV_CORNER + 2 * (n)-2] = RI_OUTPUT("path_x" #n, "m", "Corner " #n " of the planned path."),                      \
                      [NAV_CORNER + 2 * (n)-1] = RI_OUTPUT("path_y" #n, "m", "Corner " #n " of the planned path.")
#define STARTED_INPUT(name, unit, initial, low, high, doc)                                                             \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_INPUT, initial, low, high, RI_PORT_NONE                                              \
    }
#define DEGREES(x) ((x)*RI_PI / 180.0)

static const RiPort ports[NAV_PORTS] = {
    [NAV_MODE] = RI_PARAMETER("mode", "", 1.0, 0.0, 1.0, "0 Sojourner's stripes, 1 GESTALT."),
    [NAV_PLANNER] = RI_PARAMETER("planner", "", 1.0, 0.0, 1.0, "1: a global planner helps GESTALT; 0: it is alone."),
    [NAV_VISION] = RI_PARAMETER("vision", "", 0.0, 0.0, 2.0,
                                "0 a wedge of rays, 1 a camera pair of the scene, 2 a lidar of the scene."),
    [NAV_SENSOR] = RI_PARAMETER("sensor", "", 0.0, 0.0, 999.0, "Number of that camera or lidar in the scene, from 0."),
    [NAV_CAMERA_X] = RI_ANY_PARAMETER("camera_x", "m", 0.6, "Eye in axes of the root link, ahead."),
    [NAV_CAMERA_Z] = RI_ANY_PARAMETER("camera_z", "m", 0.5, "Eye in axes of the root link, up."),
    [NAV_CAMERA_PITCH] =
        RI_PARAMETER("camera_pitch", "rad", DEGREES(35.0), -RI_PI / 2, RI_PI / 2, "Middle of the view, downwards."),
    [NAV_FIELD_ACROSS] = RI_PARAMETER("field_across", "rad", DEGREES(120.0), 0.01, 3.0, "Full field of view across."),
    [NAV_FIELD_UPRIGHT] = RI_PARAMETER("field_upright", "rad", DEGREES(70.0), 0.01, 3.0, "Full field of view upright."),
    [NAV_COLUMNS] = RI_PARAMETER("columns", "", 64.0, 1.0, 512.0, "Rays of the wedge across."),
    [NAV_ROWS] = RI_PARAMETER("rows", "", 48.0, 1.0, 512.0, "Rays of the wedge upright."),
    [NAV_RANGE_LEAST] = RI_PARAMETER("range_least", "m", 0.3, 0.0, 1e4, "Nearest range that is measured."),
    [NAV_RANGE_MOST] = RI_PARAMETER("range_most", "m", 4.0, 0.01, 1e4, "Farthest range that is measured."),
    [NAV_RANGE_ERROR] = RI_PARAMETER("range_error", "1/m", 0.003, 0.0, 1.0,
                                     "Deviation of a range of 1 m in m; it grows with the square of the range."),
    [NAV_MISSING] = RI_PARAMETER("missing", "", 0.05, 0.0, 1.0, "Share of the points that are not found."),
    [NAV_REAR] = RI_PARAMETER("rear", "", 1.0, 0.0, 1.0, "1: the same eyes look backwards too."),
    [NAV_REAR_X] = RI_ANY_PARAMETER("rear_x", "m", -0.6, "Rear eye in axes of the root link, ahead."),
    [NAV_THINK_TIME] = RI_PARAMETER("think_time", "s", 45.0, 0.0, 1e6, "Pictures, maps and choice of one cycle."),
    [NAV_STEP] = RI_PARAMETER("step", "m", 0.5, 1e-3, 100.0, "Way of one cycle."),
    [NAV_ARC] = RI_PARAMETER("arc", "m", 1.0, 1e-3, 100.0, "Length of candidate arcs."),
    [NAV_TURN] = RI_PARAMETER("turn", "rad", DEGREES(30.0), 0.01, RI_PI, "Turn in place of one cycle."),
    [NAV_LEAST_RADIUS] = RI_PARAMETER("least_radius", "m", 1.0, 1e-2, 1e4, "Of the tightest candidate arc."),
    [NAV_RADII] = RI_PARAMETER("radii", "", 8.0, 1.0, RI_NAV_MOST_RADII, "Candidate arcs to each side."),
    [NAV_CELL] = RI_PARAMETER("cell", "m", 0.2, 1e-3, 100.0, "Cell of the local map, about a wheel."),
    [NAV_CELLS] = RI_PARAMETER("cells", "", 50.0, 8.0, RI_NAV_MOST_CELLS, "Cells on a side of the local map."),
    [NAV_RADIUS] = RI_PARAMETER("radius", "m", 0.8, 1e-3, 100.0, "Of the disc that covers the rover."),
    [NAV_STEP_MAX] = RI_PARAMETER("step_max", "m", 0.25, 1e-6, 1e3, "Step that is a hazard."),
    [NAV_TILT_MAX] = RI_PARAMETER("tilt_max", "rad", DEGREES(20.0), 1e-6, 1.57, "Tilt of a patch that is a hazard."),
    [NAV_ROUGHNESS_MAX] = RI_PARAMETER("roughness_max", "m", 0.08, 1e-6, 1e3, "Roughness that is a hazard."),
    [NAV_KNOWN_LEAST] = RI_PARAMETER("known_least", "", 0.5, 0.0, 1.0, "Share of a patch that must be known."),
    [NAV_POINTS_MOST] = RI_PARAMETER("points_most", "", 400.0, 1.0, 1e9, "Points that a cell weighs at most."),
    [NAV_LOOK_AHEAD] = RI_PARAMETER("look_ahead", "m", 1.0, 0.0, 100.0, "Part of an arc that must be known and free."),
    [NAV_WEIGHT_HAZARD] = RI_PARAMETER("weight_hazard", "", 0.3, 0.0, 1.0, "Weight of the vote for good ground."),
    [NAV_WEIGHT_STEER] = RI_PARAMETER("weight_steer", "", 0.1, 0.0, 1.0, "Weight of the vote against steering."),
    [NAV_WEIGHT_GOAL] = RI_PARAMETER("weight_goal", "", 0.6, 0.0, 1.0, "Weight of the vote for the goal."),
    [NAV_WORLD_CELL] = RI_PARAMETER("world_cell", "m", 0.4, 1e-2, 100.0, "Cell of the planner's map of 128 x 128."),
    [NAV_STRIPE_NEAR] = RI_ANY_PARAMETER("stripe_near", "m", 0.4, "Nearest scan line, ahead of the root link."),
    [NAV_STRIPE_FAR] = RI_ANY_PARAMETER("stripe_far", "m", 0.65, "Farthest scan line, ahead of the root link."),
    [NAV_STRIPE_WIDTH] = RI_PARAMETER("stripe_width", "m", 0.6, 1e-3, 100.0, "From the left to the right stripe."),
    [NAV_SPAN_MAX] = RI_PARAMETER("span_max", "m", 0.2, 1e-6, 1e3, "Highest minus lowest point that is a hazard."),
    [NAV_DROP_MAX] = RI_PARAMETER("drop_max", "m", 0.15, 1e-6, 1e3, "Depth of a drop-off."),
    [NAV_GAP_WIDTH] = RI_PARAMETER("gap_width", "m", 0.58, 1e-3, 100.0, "Gap that the rover threads."),
    [NAV_CLEAR_LENGTH] = RI_PARAMETER("clear_length", "m", 0.3, 0.0, 100.0, "Way past a hazard before the goal again."),
    [NAV_TILT_LIMIT] = RI_PARAMETER("tilt_limit", "rad", DEGREES(30.0), 0.0, RI_PI, "Lean at which a drive stops."),
    [NAV_SUSPENSION_LIMIT] =
        RI_PARAMETER("suspension_limit", "rad", 0.0, 0.0, RI_PI, "Rocker or bogie angle at which it stops; 0: none."),
    [NAV_SLIP_LIMIT] = RI_PARAMETER("slip_limit", "", 0.0, 0.0, 10.0, "Slip at which it stops; 0: none."),
    [NAV_STALL_TORQUE] =
        RI_PARAMETER("stall_torque", "N*m", 0.0, 0.0, INFINITY, "Torque of a wheel that does not turn; 0: none."),
    [NAV_STALL_TIME] = RI_PARAMETER("stall_time", "s", 1.0, 0.0, INFINITY, "For which it pushes before a stop."),
    [NAV_TIME_LIMIT] = RI_PARAMETER("time_limit", "s", 0.0, 0.0, INFINITY, "Of a whole drive; 0: none."),
    [NAV_WAY_LIMIT] = RI_PARAMETER("way_limit", "m", 0.0, 0.0, INFINITY, "Of a whole drive; 0: none."),
    [NAV_PATIENCE] = RI_PARAMETER("patience", "", 12.0, 1.0, 1e6, "Cycles without progress before an escape."),
    [NAV_ESCAPES] = RI_PARAMETER("escapes", "", 3.0, 0.0, 100.0, "Escapes of a drive before it gives up."),
    [NAV_COMMAND] = STARTED_INPUT("command", "", 0.0, 0.0, 3.0,
                                  "1 go, 2 stop, 3 go with a fresh map; goes back to 0 when it is taken up."),
    [NAV_LEVEL] = STARTED_INPUT("level", "", 3.0, 0.0, 3.0, "0 motor, 1 locomotion, 2 navigation, 3 goal."),
    [NAV_GOAL_COUNT] = STARTED_INPUT("goals", "", 0.0, 0.0, RI_NAV_GOALS, "How many goals there are, at most 8."),
    [NAV_GOAL_RADIUS] = STARTED_INPUT("goal_radius", "m", 0.5, 1e-3, 1e6, "Of the circle that is the goal."),
    GOAL_PORTS(1),
    GOAL_PORTS(2),
    GOAL_PORTS(3),
    GOAL_PORTS(4),
    GOAL_PORTS(5),
    GOAL_PORTS(6),
    GOAL_PORTS(7),
    GOAL_PORTS(8),
    [NAV_TARGET_X] = RI_INPUT("target_x", "m", "Target at the level of navigation; may move."),
    [NAV_TARGET_Y] = RI_INPUT("target_y", "m", "Target at the level of navigation; may move."),
    [NAV_ZONE_COUNT] =
        STARTED_INPUT("zones", "", 0.0, 0.0, RI_NAV_ZONES, "How many keep-out zones there are, at most 4."),
    ZONE_PORTS(1),
    ZONE_PORTS(2),
    ZONE_PORTS(3),
    ZONE_PORTS(4),
    [NAV_MANUAL_COMMAND] =
        RI_INPUT("manual_command", "", "At the level of locomotion: its command; goes back to 0 when it is taken up."),
    [NAV_MANUAL_RADIUS] = RI_INPUT("manual_radius", "m", "Radius for it."),
    [NAV_MANUAL_LENGTH] = RI_INPUT("manual_length", "m", "Length for it."),
    [NAV_MANUAL_ANGLE] = RI_INPUT("manual_angle", "rad", "Angle for it."),
    [NAV_MANUAL_DIRECTION] = RI_INPUT("manual_direction", "rad", "Direction for it."),
    [NAV_POSE_X] = RI_INPUT("x", "m", "Where the rover believes to be; not connected: where it is."),
    [NAV_POSE_Y] = RI_INPUT("y", "m", "Where the rover believes to be; not connected: where it is."),
    [NAV_POSE_HEADING] = RI_INPUT("heading", "rad", "Where it believes to head; not connected: where it heads."),
    [NAV_AXLE_INPUT] =
        RI_INPUT("axle", "m", "How far ahead of the root link that place is: `axle` of the locomotion device."),
    [NAV_SLIP_INPUT] = RI_INPUT("slip", "", "Measured slip, for slip_limit."),
    [NAV_COST_INPUT] = RI_INPUT("vo_time", "s", "Time spent on visual odometry; what is new is added to a cycle."),
    [NAV_CONTACT_INPUT] = RI_INPUT("contact", "", "Not 0: the body touches something, stop."),
    [NAV_BUSY_INPUT] = RI_INPUT("drive_busy", "", "`busy` of the locomotion device."),
    [NAV_COMPLETED_INPUT] = RI_INPUT("drive_completed", "", "`completed` of the locomotion device."),
    [NAV_REFUSED_INPUT] = RI_INPUT("drive_refused", "", "`refused` of the locomotion device."),
    [NAV_PHASE] = RI_LIMITED_STATE("phase", "", 0.0, NAV_PHASES - 1, "0 idle, 1 thinks, 2 orders, 3 drives, 4 halts."),
    [NAV_WAITED] = RI_STATE("waited", "s", "Time in this phase."),
    [NAV_HELD_LEVEL] = RI_LIMITED_STATE("held_level", "", 0.0, 3.0, "Level at the last update."),
    [NAV_NUMBER] = RI_LIMITED_STATE("goal", "", 0.0, RI_NAV_GOALS, "Goal that is driven to, from 1; 0: none."),
    [NAV_BEGUN] = RI_STATE("begun", "s", "When the drive began."),
    [NAV_SEEN_COMPLETED] = RI_STATE("seen_completed", "", "drive_completed when an order was given."),
    [NAV_PAID] = RI_STATE("paid", "s", "Time of visual odometry that has been waited for."),
    [NAV_LAST_X] = RI_STATE("last_x", "m", "Where the way was last measured."),
    [NAV_LAST_Y] = RI_STATE("last_y", "m", "Where the way was last measured."),
    [NAV_CURVATURE] = RI_STATE("curvature", "1/m", "Of the last arc."),
    [NAV_TURNED] = RI_STATE("turned", "rad", "Turn of the last order."),
    [NAV_BEST] = RI_STATE("best", "m", "Least distance, or cost, to the goal so far; -1: none."),
    [NAV_STALE] = RI_STATE("stale", "", "Cycles since the last progress."),
    [NAV_ESCAPED] = RI_STATE("escaped", "", "Escapes of this drive."),
    [NAV_BACKED] = RI_LIMITED_STATE("backed", "", 0.0, 1.0, "1: the last escape took back what was driven before."),
    [NAV_TURN_FREE] = RI_LIMITED_STATE("turn_free", "", 0.0, 1.0, "1: a turn in place was free in the last cycle."),
    [NAV_LAST_ORDER] = RI_LIMITED_STATE("last_order", "", 0.0, 2.0,
                                        "What was driven last: 1 an arc, 2 a turn; 0: nothing, or taken back."),
    [NAV_STALLED] = RI_STATE("stalled", "s", "For which a wheel has pushed without turning."),
    [NAV_AVOIDING] =
        RI_LIMITED_STATE("avoiding", "", -1.0, 1.0, "Side to which hazards are avoided: 1 left, -1 right."),
    [NAV_THREADING] = RI_LIMITED_STATE("threading", "", 0.0, 1.0, "1 inside a gap."),
    [NAV_AVOIDED] = RI_STATE("avoided", "rad", "Turned in this avoidance."),
    [NAV_CLEARING] = RI_STATE("clearing", "m", "Way to go straight before the goal again."),
    [NAV_LEVEL_Z] = RI_STATE("ground_z", "m", "Plane of the wheels' feet in the root link, at the start."),
    [NAV_DRIVE_COMMAND] = RI_OUTPUT("drive_command", "", "For `command` of the locomotion device."),
    [NAV_DRIVE_RADIUS] = RI_OUTPUT("drive_radius", "m", "For its `radius`."),
    [NAV_DRIVE_LENGTH] = RI_OUTPUT("drive_length", "m", "For its `length`."),
    [NAV_DRIVE_ANGLE] = RI_OUTPUT("drive_angle", "rad", "For its `angle`."),
    [NAV_DRIVE_DIRECTION] = RI_OUTPUT("drive_direction", "rad", "For its `direction`."),
    [NAV_MOTOR_LEVEL] = RI_OUTPUT("motor_level", "", "For its `level`."),
    [NAV_BUSY] = RI_OUTPUT("busy", "", "1 while a drive is under way."),
    [NAV_ARRIVED] = RI_OUTPUT("arrived", "", "1 after a drive that reached its last goal, until the next."),
    [NAV_REACHED] = RI_OUTPUT("reached", "", "Goals of this drive that have been reached."),
    [NAV_REASON] = RI_OUTPUT("reason", "",
                             "Why the drive ended: 0 under way, 1 arrived, 2 stopped, 3 blocked, 4 no progress, 5 "
                             "tilt, 6 suspension, 7 slip, 8 stall, "
                             "9 contact, 10 time, 11 way, 12 goal outside the map, 13 goal occupied, 14 blind, 15 "
                             "locomotion does not answer, 16 no "
                             "goal, 17 level switched."),
    [NAV_REFUSED] = RI_OUTPUT("refused", "", "1 after a command that cannot be carried out: see reason."),
    [NAV_DISTANCE] = RI_OUTPUT("distance", "m", "To the goal, as the rover believes."),
    [NAV_CYCLES] = RI_OUTPUT("cycles", "", "Cycles of this drive."),
    [NAV_THINKING] = RI_OUTPUT("thinking", "s", "Time that this drive has spent thinking."),
    [NAV_DRIVING] = RI_OUTPUT("driving", "s", "Time that it has spent driving."),
    [NAV_WAY] = RI_OUTPUT("way", "m", "Way of this drive, as the rover believes."),
    [NAV_POINTS] = RI_OUTPUT("points", "", "Range points of the last cycle."),
    [NAV_FREE_ARCS] = RI_OUTPUT("free_arcs", "", "Candidates that were free in the last cycle."),
    [NAV_VOTE] = RI_OUTPUT("vote", "", "Of the arc that was chosen."),
    [NAV_HAZARDS] = RI_OUTPUT("hazards", "", "Of the stripes: 1 left, 2 centre, 4 right, added."),
    [NAV_ACTION] = RI_OUTPUT(
        "action", "", "Of the stripes: 0 arc, 1 turn left, 2 turn right, 3 thread the needle, 4 back out, 5 blocked."),
    [NAV_PLAN_RESULT] =
        RI_OUTPUT("plan_result", "", "0 found, 1 no path, 2 start occupied, 3 goal occupied, 4 too many corners."),
    [NAV_PLAN_COST] = RI_OUTPUT("plan_cost", "m", "Cost of the planned path."),
    [NAV_CORNER_COUNT] = RI_OUTPUT("corners", "", "Corners of the planned path that follow."),
    CORNER_PORTS(1),
    CORNER_PORTS(2),
    CORNER_PORTS(3),
    CORNER_PORTS(4),
    CORNER_PORTS(5),
    CORNER_PORTS(6),
};

const char *ri_nav_reason_name(int reason)
{
    switch ((RiNavReason)reason) {
    case RI_NAV_UNDER_WAY:
        return "under way, or never begun";
    case RI_NAV_ARRIVED:
        return "arrived";
    case RI_NAV_STOPPED:
        return "stopped by command";
    case RI_NAV_BLOCKED:
        return "blocked";
    case RI_NAV_NO_PROGRESS:
        return "no progress";
    case RI_NAV_TILTED:
        return "the body tilts beyond its limit";
    case RI_NAV_SUSPENSION:
        return "a rocker or bogie is beyond its limit";
    case RI_NAV_SLIPPED:
        return "slip beyond its limit";
    case RI_NAV_STALL:
        return "a wheel pushes and does not turn";
    case RI_NAV_TOUCHED:
        return "contact of the body";
    case RI_NAV_TIME_UP:
        return "limit of time";
    case RI_NAV_WAY_UP:
        return "limit of way";
    case RI_NAV_GOAL_OUTSIDE:
        return "the goal is outside the planner's map";
    case RI_NAV_GOAL_OCCUPIED:
        return "no free place in the goal's circle";
    case RI_NAV_BLIND:
        return "blind";
    case RI_NAV_NO_ANSWER:
        return "locomotion refused or does not answer";
    case RI_NAV_NO_GOAL:
        return "no goal, or not a number";
    case RI_NAV_LEVEL_TAKEN:
        return "the level was switched";
    case RI_NAV_REASONS:
        break;
    }
    return "?";
}

// --- where it is and where it goes ---------------------------------------------------------------

RiNavPose ri_nav_pose(const RiDeviceCall *call)
{
    const RiMat3 *R = &call->frame_pose.R;
    RiNavPose p = {.x = call->frame_pose.p.x,
                   .y = call->frame_pose.p.y,
                   .heading = ri_atan2(R->m[1][0], R->m[0][0]),
                   .pose = call->frame_pose};
    const double truth = p.heading;
    if (ri_is_connected(call, NAV_POSE_X))
        p.x = call->x[NAV_POSE_X];
    if (ri_is_connected(call, NAV_POSE_Y))
        p.y = call->x[NAV_POSE_Y];
    if (ri_is_connected(call, NAV_POSE_HEADING))
        p.heading = call->x[NAV_POSE_HEADING];
    const double c = ri_cos(p.heading - truth), s = ri_sin(p.heading - truth);
    const RiMat3 turn = {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    p.pose.R = ri_mat3_mul(&turn, R);
    if (ri_is_connected(call, NAV_POSE_X)) {
        p.x -= call->x[NAV_AXLE_INPUT] * p.pose.R.m[0][0];
        p.y -= call->x[NAV_AXLE_INPUT] * p.pose.R.m[1][0];
    }
    p.pose.p.x = p.x;
    p.pose.p.y = p.y;
    return p;
}

static int goal_count(const double *x)
{
    return (int)fmax(0.0, fmin(floor(x[NAV_GOAL_COUNT]), RI_NAV_GOALS));
}

RiVec3 ri_nav_goal(const double *x)
{
    const int n = (int)x[NAV_NUMBER];
    if (x[NAV_HELD_LEVEL] == NAV_AT_NAVIGATION || n < 1)
        return ri_vec3(x[NAV_TARGET_X], x[NAV_TARGET_Y], 0.0);
    return ri_vec3(x[NAV_GOAL + 2 * n - 2], x[NAV_GOAL + 2 * n - 1], 0.0);
}

bool ri_nav_is_kept_out(const double *x, double px, double py)
{
    const int n = (int)fmax(0.0, fmin(floor(x[NAV_ZONE_COUNT]), RI_NAV_ZONES));
    for (int i = 0; i < n; i++) {
        const double *zone = x + NAV_ZONE + (ptrdiff_t)3 * i;
        if (ri_hypot(px - zone[0], py - zone[1]) < zone[2] + x[NAV_RADIUS])
            return true;
    }
    return false;
}

// --- phases --------------------------------------------------------------------------------------

static void enter(double *x, int phase)
{
    x[NAV_PHASE] = phase;
    x[NAV_WAITED] = 0.0;
}

static void halt(double *x)
{
    x[NAV_DRIVE_COMMAND] = NAV_DO_STOP;
    enter(x, NAV_HALTS);
}

/// Ends the drive; locomotion is told to stop if it moves.
static void finish(double *x, RiNavReason reason)
{
    x[NAV_REASON] = reason;
    x[NAV_ARRIVED] = reason == RI_NAV_ARRIVED;
    x[NAV_BUSY] = 0.0;
    halt(x);
}

/// Whether counts are whole numbers in their range: what is connected to an input has no limits.
static bool is_count(double count, double most)
{
    return count >= 0.0 && count <= most && count == floor(count);
}

/// A command that cannot even begin.
static void refuse(double *x, RiNavReason reason)
{
    x[NAV_REFUSED] = 1.0;
    finish(x, reason);
}

static void give(double *x, const RiNavOrder *order)
{
    x[NAV_DRIVE_COMMAND] = order->command;
    x[NAV_DRIVE_RADIUS] = order->radius;
    x[NAV_DRIVE_LENGTH] = order->length;
    x[NAV_DRIVE_ANGLE] = order->angle;
    x[NAV_SEEN_COMPLETED] = x[NAV_COMPLETED_INPUT];
    x[NAV_TURNED] = order->command == NAV_DO_TURN ? order->angle : 0.0;
    x[NAV_LAST_ORDER] = order->command;
    enter(x, NAV_ORDERS);
}

static bool is_at_goal(const RiDeviceCall *call)
{
    const RiNavPose at = ri_nav_pose(call);
    const RiVec3 goal = ri_nav_goal(call->x);
    call->x[NAV_DISTANCE] = ri_hypot(goal.x - at.x, goal.y - at.y);
    return call->x[NAV_DISTANCE] <= call->x[NAV_GOAL_RADIUS];
}

/// Prepares for the goal that is next; false: it cannot be driven to, and the drive has ended.
static bool take_goal(RiDeviceCall *call)
{
    double *x = call->x;
    const RiVec3 goal = ri_nav_goal(x);
    const bool global = x[NAV_MODE] != 0.0 && x[NAV_PLANNER] != 0.0 && x[NAV_HELD_LEVEL] == NAV_AT_GOAL;
    x[NAV_BEST] = -1.0;
    x[NAV_STALE] = 0.0;
    if (!isfinite(goal.x + goal.y))
        refuse(x, RI_NAV_NO_GOAL);
    else if (ri_nav_is_kept_out(x, goal.x, goal.y) && x[NAV_DISTANCE] > x[NAV_GOAL_RADIUS])
        refuse(x, RI_NAV_GOAL_OCCUPIED);
    else if (global && !ri_nav_world_begin(call, goal.x, goal.y))
        refuse(x, RI_NAV_GOAL_OUTSIDE);
    else
        return true;
    return false;
}

/// A goal is reached: the next one, or the end.
static void reach(RiDeviceCall *call)
{
    double *x = call->x;
    x[NAV_REACHED] += 1.0;
    if (x[NAV_HELD_LEVEL] == NAV_AT_NAVIGATION || x[NAV_NUMBER] >= goal_count(x)) {
        finish(x, RI_NAV_ARRIVED);
        return;
    }
    x[NAV_NUMBER] += 1.0;
    if (take_goal(call))
        enter(x, NAV_THINKS);
}

static void begin(RiDeviceCall *call)
{
    double *x = call->x;
    const RiNavPose at = ri_nav_pose(call);
    const int zeros[] = {NAV_REACHED,   NAV_CYCLES,  NAV_THINKING, NAV_DRIVING,    NAV_WAY,
                         NAV_ESCAPED,   NAV_BACKED,  NAV_STALLED,  NAV_LAST_ORDER, NAV_TURN_FREE,
                         NAV_REASON,    NAV_REFUSED, NAV_ARRIVED,  NAV_CLEARING,   NAV_AVOIDING,
                         NAV_THREADING, NAV_AVOIDED, NAV_TURNED,   NAV_CURVATURE};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        x[zeros[i]] = 0.0;
    x[NAV_DRIVE_COMMAND] = x[NAV_BUSY_INPUT] != 0.0 ? NAV_DO_STOP : 0.0; // it does not think while it moves
    x[NAV_BEGUN] = call->time;
    x[NAV_PAID] = x[NAV_COST_INPUT];
    x[NAV_LAST_X] = at.x, x[NAV_LAST_Y] = at.y;
    x[NAV_NUMBER] = x[NAV_HELD_LEVEL] == NAV_AT_GOAL ? 1.0 : 0.0;
    const bool counted = is_count(x[NAV_GOAL_COUNT], RI_NAV_GOALS) && is_count(x[NAV_ZONE_COUNT], RI_NAV_ZONES);
    if (!counted || (x[NAV_HELD_LEVEL] == NAV_AT_GOAL && goal_count(x) < 1)) {
        refuse(x, RI_NAV_NO_GOAL);
        return;
    }
    call->keep_memory(call);
    if (x[NAV_COMMAND] == 3.0)
        ri_nav_memory(call)->made = 0;
    ri_nav_ready(call);
    (void)is_at_goal(call); // for the distance
    if (!take_goal(call))
        return;
    x[NAV_BUSY] = 1.0;
    enter(x, NAV_THINKS);
}

/// The last motion, backwards: ground that the rover has just stood on.
static RiNavOrder take_back(const double *x)
{
    if (x[NAV_LAST_ORDER] == NAV_DO_TURN)
        return (RiNavOrder){.command = NAV_DO_TURN, .angle = -x[NAV_DRIVE_ANGLE]};
    return (RiNavOrder){.command = NAV_DO_ARC, .radius = x[NAV_DRIVE_RADIUS], .length = -x[NAV_DRIVE_LENGTH]};
}

/// Gets out of a place without a way on: hazards that may be ghosts are forgotten; the rover takes
/// back what it drove last, or turns where that is free, or only looks again. It never drives where
/// its map says no, but for ground that it has just stood on.
static void escape(RiDeviceCall *call, RiNavReason reason)
{
    double *x = call->x;
    if (x[NAV_ESCAPED] >= x[NAV_ESCAPES]) {
        finish(x, reason);
        return;
    }
    x[NAV_ESCAPED] += 1.0;
    x[NAV_STALE] = 0.0;
    if (x[NAV_MODE] != 0.0 && x[NAV_PLANNER] != 0.0)
        ri_nav_world_forget(call);
    const bool back = x[NAV_BACKED] == 0.0 && x[NAV_LAST_ORDER] != 0.0;
    x[NAV_BACKED] = back;
    if (back) {
        const RiNavOrder order = take_back(x);
        give(x, &order);
        x[NAV_LAST_ORDER] = 0.0;
    } else if (x[NAV_TURN_FREE] != 0.0 || x[NAV_MODE] == 0.0) {
        give(x, &(RiNavOrder){.command = NAV_DO_TURN, .angle = x[NAV_TURN]});
    } else {
        enter(x, NAV_THINKS);
    }
}

/// Waits for what was under way when a drive began; true: the rover stands.
static bool has_halted(double *x)
{
    if (x[NAV_DRIVE_COMMAND] != NAV_DO_STOP)
        return true;
    x[NAV_WAITED] = 0.0;
    if (x[NAV_BUSY_INPUT] != 0.0)
        return false;
    x[NAV_DRIVE_COMMAND] = 0.0;
    return true;
}

/// Looks and decides at the end of the time that this takes.
static void think(RiDeviceCall *call)
{
    double *x = call->x;
    RiNavOrder order = {0};
    RiNavReason reason = RI_NAV_BLOCKED;
    if (!has_halted(x))
        return;
    x[NAV_THINKING] += call->dt;
    if (is_at_goal(call)) {
        reach(call);
        return;
    }
    if (x[NAV_WAITED] < x[NAV_THINK_TIME] + fmax(0.0, x[NAV_COST_INPUT] - x[NAV_PAID]))
        return;
    x[NAV_PAID] = x[NAV_COST_INPUT];
    x[NAV_CYCLES] += 1.0;
    call->keep_memory(call);
    ri_nav_ready(call);
    const bool found =
        x[NAV_MODE] != 0.0 ? ri_nav_gestalt(call, &order, &reason) : ri_nav_stripes(call, &order, &reason);
    if (!found && reason == RI_NAV_GOAL_OCCUPIED && x[NAV_ESCAPED] >= 1.0)
        finish(x, reason); // it was looked at twice
    else if (!found)
        escape(call, reason);
    else if (x[NAV_STALE] > x[NAV_PATIENCE])
        escape(call, RI_NAV_NO_PROGRESS);
    else
        give(x, &order);
}

/// Holds an order until locomotion has taken it up.
static void hold_order(double *x)
{
    const bool taken = x[NAV_BUSY_INPUT] != 0.0 || x[NAV_COMPLETED_INPUT] != x[NAV_SEEN_COMPLETED];
    if (taken) {
        x[NAV_DRIVE_COMMAND] = 0.0;
        enter(x, NAV_DRIVES);
    } else if (x[NAV_WAITED] > 2.0) {
        finish(x, RI_NAV_NO_ANSWER);
    }
}

// --- stops ---------------------------------------------------------------------------------------

static bool is_wheel(const RiGroupJoint *j)
{
    return j->wheel_radius > 0.0;
}

/// Largest angle of a joint that is no wheel: rockers and bogies.
static double worst_suspension(const RiDeviceCall *call)
{
    double most = 0.0;
    for (int i = 0; i < call->joint_count; i++)
        if (!is_wheel(&call->joints[i]))
            most = fmax(most, fabs(call->joints[i].position));
    return most;
}

/// Whether a wheel pushes and does not turn.
static bool is_stalling(const RiDeviceCall *call)
{
    for (int i = 0; i < call->joint_count; i++)
        if (is_wheel(&call->joints[i]) && fabs(call->joints[i].effort) > call->x[NAV_STALL_TORQUE] &&
            fabs(call->joints[i].velocity) < 0.01)
            return true;
    return false;
}

/// The reason for which a drive must stop now; 0: none.
static RiNavReason find_stop(const RiDeviceCall *call)
{
    double *x = call->x;
    const double up = call->frame_pose.R.m[2][2];
    const bool drives = x[NAV_PHASE] == NAV_DRIVES;
    x[NAV_STALLED] = drives && x[NAV_STALL_TORQUE] > 0.0 && is_stalling(call) ? x[NAV_STALLED] + call->dt : 0.0;
    if (x[NAV_CONTACT_INPUT] != 0.0)
        return RI_NAV_TOUCHED;
    if (up < ri_cos(x[NAV_TILT_LIMIT]))
        return RI_NAV_TILTED;
    if (x[NAV_SUSPENSION_LIMIT] > 0.0 && worst_suspension(call) > x[NAV_SUSPENSION_LIMIT])
        return RI_NAV_SUSPENSION;
    if (x[NAV_SLIP_LIMIT] > 0.0 && fabs(x[NAV_SLIP_INPUT]) > x[NAV_SLIP_LIMIT])
        return RI_NAV_SLIPPED;
    if (x[NAV_STALLED] > x[NAV_STALL_TIME])
        return RI_NAV_STALL;
    if (x[NAV_TIME_LIMIT] > 0.0 && call->time - x[NAV_BEGUN] > x[NAV_TIME_LIMIT])
        return RI_NAV_TIME_UP;
    return x[NAV_WAY_LIMIT] > 0.0 && x[NAV_WAY] > x[NAV_WAY_LIMIT] ? RI_NAV_WAY_UP : RI_NAV_UNDER_WAY;
}

// --- update --------------------------------------------------------------------------------------

static void measure_way(const RiDeviceCall *call)
{
    double *x = call->x;
    const RiNavPose at = ri_nav_pose(call);
    const double made = ri_hypot(at.x - x[NAV_LAST_X], at.y - x[NAV_LAST_Y]);
    if (made < 0.01)
        return;
    x[NAV_WAY] += made;
    x[NAV_LAST_X] = at.x, x[NAV_LAST_Y] = at.y;
}

static void drive(RiDeviceCall *call)
{
    double *x = call->x;
    x[NAV_DRIVING] += call->dt;
    measure_way(call);
    if (is_at_goal(call))
        reach(call);
    else if (x[NAV_BUSY_INPUT] == 0.0)
        enter(x, NAV_THINKS);
}

static void run_phase(RiDeviceCall *call)
{
    double *x = call->x;
    const RiNavReason stop = x[NAV_BUSY] != 0.0 ? find_stop(call) : RI_NAV_UNDER_WAY;
    if (stop != RI_NAV_UNDER_WAY) {
        finish(x, stop);
        return;
    }
    switch ((int)x[NAV_PHASE]) {
    case NAV_THINKS:
        think(call);
        break;
    case NAV_ORDERS:
        hold_order(x);
        break;
    case NAV_DRIVES:
        drive(call);
        break;
    case NAV_HALTS: // long enough for locomotion to see it
        if (x[NAV_BUSY_INPUT] == 0.0 && x[NAV_WAITED] > 0.0) {
            x[NAV_DRIVE_COMMAND] = 0.0;
            enter(x, NAV_IDLE);
        }
        break;
    default:
        break;
    }
}

/// At the level of locomotion: hands over what is commanded by hand, until it is taken up.
static void pass_through(double *x)
{
    if (x[NAV_MANUAL_COMMAND] != 0.0) {
        x[NAV_DRIVE_COMMAND] = x[NAV_MANUAL_COMMAND];
        x[NAV_DRIVE_RADIUS] = x[NAV_MANUAL_RADIUS];
        x[NAV_DRIVE_LENGTH] = x[NAV_MANUAL_LENGTH];
        x[NAV_DRIVE_ANGLE] = x[NAV_MANUAL_ANGLE];
        x[NAV_DRIVE_DIRECTION] = x[NAV_MANUAL_DIRECTION];
        x[NAV_SEEN_COMPLETED] = x[NAV_COMPLETED_INPUT];
        x[NAV_MANUAL_COMMAND] = 0.0;
        enter(x, NAV_ORDERS);
    } else if (x[NAV_PHASE] == NAV_ORDERS &&
               (x[NAV_BUSY_INPUT] != 0.0 || x[NAV_COMPLETED_INPUT] != x[NAV_SEEN_COMPLETED] || x[NAV_WAITED] > 2.0)) {
        x[NAV_DRIVE_COMMAND] = 0.0;
        enter(x, NAV_IDLE);
    }
}

/// Switches the level where it has been changed: a drive ends, and so does an arc that was commanded by
/// hand.
static void take_level(double *x)
{
    const double level = floor(fmax(NAV_AT_MOTOR, fmin(NAV_AT_GOAL, x[NAV_LEVEL])));
    if (level != x[NAV_HELD_LEVEL] && x[NAV_BUSY] != 0.0)
        finish(x, RI_NAV_LEVEL_TAKEN);
    else if (level != x[NAV_HELD_LEVEL] && x[NAV_BUSY_INPUT] != 0.0)
        halt(x);
    x[NAV_HELD_LEVEL] = level;
    x[NAV_MOTOR_LEVEL] = level == NAV_AT_MOTOR;
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    take_level(x);
    x[NAV_WAITED] += call->dt;
    if (x[NAV_HELD_LEVEL] < NAV_AT_NAVIGATION) {
        x[NAV_COMMAND] = 0.0;
        if (x[NAV_PHASE] == NAV_HALTS)
            run_phase(call);
        else if (x[NAV_HELD_LEVEL] == NAV_AT_LOCOMOTION)
            pass_through(x);
        return;
    }
    if (x[NAV_COMMAND] == 2.0 && x[NAV_BUSY] != 0.0)
        finish(x, RI_NAV_STOPPED);
    else if (x[NAV_COMMAND] == 1.0 || x[NAV_COMMAND] == 3.0)
        begin(call);
    x[NAV_COMMAND] = 0.0;
    run_phase(call);
}

// --- start ---------------------------------------------------------------------------------------

static const char *check_numbers(const double *x)
{
    const int whole[] = {NAV_MODE, NAV_PLANNER, NAV_VISION, NAV_SENSOR, NAV_COLUMNS,
                         NAV_ROWS, NAV_REAR,    NAV_RADII,  NAV_CELLS};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (x[whole[i]] != floor(x[whole[i]]))
            return "'mode', 'planner', 'vision', 'sensor', 'columns', 'rows', 'rear', 'radii' and 'cells' must be "
                   "whole numbers";
    if (x[NAV_COLUMNS] * x[NAV_ROWS] * (1.0 + x[NAV_REAR]) > RI_NAV_MOST_POINTS)
        return "'columns' times 'rows', twice with 'rear', must be at most 8192 points";
    if (!(x[NAV_RANGE_LEAST] < x[NAV_RANGE_MOST]))
        return "'range_least' must be less than 'range_most'";
    if (x[NAV_MODE] == 0.0 && !(x[NAV_STRIPE_NEAR] < x[NAV_STRIPE_FAR] && x[NAV_CAMERA_X] < x[NAV_STRIPE_FAR]))
        return "'stripe_near' must be less than 'stripe_far', and the camera behind it";
    if (!(x[NAV_RADIUS] >= x[NAV_CELL] && x[NAV_RADIUS] <= 0.25 * x[NAV_CELLS] * x[NAV_CELL]))
        return "'radius' must be at least a cell and at most a quarter of the map: cell times cells / 4";
    if (x[NAV_MODE] != 0.0 && x[NAV_TILT_LIMIT] < x[NAV_TILT_MAX])
        return "'tilt_limit', which stops a drive, must be at least 'tilt_max', up to which ground is free";
    if (x[NAV_LOOK_AHEAD] > x[NAV_CELLS] * x[NAV_CELL])
        return "'look_ahead' must be within the map: cell times cells";
    return x[NAV_STEP] <= x[NAV_ARC] ? NULL : "'step' must be at most 'arc': a rover drives only what it has looked at";
}

static const char *start(RiDeviceCall *call)
{
    double *x = call->x, sum = 0.0;
    int wheels = 0;
    const char *wrong = check_numbers(x);
    if (wrong)
        return wrong;
    for (int i = 0; i < call->joint_count; i++)
        if (is_wheel(&call->joints[i])) {
            const RiVec3 hub = ri_rotate_back(&call->frame_pose.R, ri_sub(call->joints[i].pose.p, call->frame_pose.p));
            sum += hub.z - call->joints[i].wheel_radius;
            wheels++;
        }
    if (wheels == 0)
        return "needs the joints of wheels that can touch in its group; rockers and bogies may be in it too";
    if (x[NAV_VISION] != 0.0 && !(call->see && call->see(call, (int)x[NAV_VISION], (int)x[NAV_SENSOR], NULL, 0) >= 0))
        return "'vision' 1 needs a camera with a 'pair', 2 a lidar of the scene of number 'sensor', and a build with "
               "Embree";
    if (x[NAV_VISION] == 0.0 && !call->ground_ray)
        return "needs a terrain to look at";
    x[NAV_LEVEL_Z] = sum / wheels;
    x[NAV_BEST] = -1.0;
    x[NAV_HELD_LEVEL] = floor(x[NAV_LEVEL]);
    return NULL;
}

/// Numbers that are used as indices, and the map's own.
static const char *check_state(const RiDeviceCall *call)
{
    const double *x = call->x;
    if (x[NAV_NUMBER] != floor(x[NAV_NUMBER]) || x[NAV_PHASE] != floor(x[NAV_PHASE]) ||
        x[NAV_HELD_LEVEL] != floor(x[NAV_HELD_LEVEL]) || x[NAV_AVOIDING] != floor(x[NAV_AVOIDING]))
        return "'goal', 'phase', 'held_level' or 'avoiding' is not a whole number";
    const RiNavMemory *m = call->memory;
    if (!m)
        return NULL;
    const bool sound = (m->made == 0 || m->made == 1) && m->stripe_count >= 0 && m->stripe_count <= RI_NAV_STRIPES &&
                       isfinite(m->corner_x + m->corner_y);
    if (!sound)
        return "its memory is not that of a map";
    if (!m->made)
        return NULL;
    struct RiNavHead head;
    const int most = 100000000;
    memcpy(&head, m->map, sizeof head);
    if (!(m->options[1] >= 8.0 && m->options[1] <= RI_NAV_MOST_CELLS) || head.ix < -most || head.ix > most ||
        head.iy < -most || head.iy > most)
        return "its map is out of range";
    const int n = (int)m->options[1];
    return head.column == (head.ix % n + n) % n && head.row == (head.iy % n + n) % n && isfinite(head.reference)
               ? NULL
               : "its map's corner does not fit its place";
}

const RiDeviceClass ri_navigation = {
    .abi = RI_DEVICE_ABI,
    .name = "navigation",
    .doc =
        "Sees, decides and drives to goals by Sojourner's rules or GESTALT with a global planner; levels of control.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = NAV_PORTS,
    .start = start,
    .update = update,
    .check_state = check_state,
    .memory = sizeof(RiNavMemory),
    .takes_map = true,
    .scratch = sizeof(RiNavScratch),
};
