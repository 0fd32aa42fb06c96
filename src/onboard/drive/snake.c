// SPDX-License-Identifier: Apache-2.0
/// \file
/// Navigation of a snake with screws: a modest first version. It looks ahead from its head, chooses
/// a direction, bends its head there, lets the body follow, and drives its screws.
///
///     range points --> free way per sector --> direction --> bend of the head --> body follows the leader
///     class of the ground ahead --> gait, speed                            `--> speed and turn of the screws
///
/// Sectors. In the level frame of the head, a point at distance r and bearing b is an obstacle if it
/// lies more than step_max over or drop_max under the line of the body, or on ground that has gait 0.
/// It ends the free way of all sectors within asin(half_width / r) of b. Ground that is not seen over
/// gap_max ends it too: a crevasse hides its floor.
///
/// Choice. Of the sectors that are free for clear_length the least of
///
///     w_g |b - goal| + w_k |b - last| - w_f free / range_most
///
/// or, in a channel, the mean bearing weighted by the cube of the free way: the middle of the
/// opening. The head bends by 2 spacing sin(b) / look, pure pursuit's curvature [coulter1992] times
/// the distance of joints; the body repeats it (ri_lead) by the way that was really made,
///
///     ds = (a . dc) / |a|^2,   a the mean of the joints' directions, dc the motion of their mean place,
///
/// exact on a straight line and on a circle. Screws drive at v / (1 - slip of the class) and turn
/// the body as its mean curvature asks, v sum of bends / length.
///
/// Gaits: 1 screws along the body; 2 the same with a lateral wave on top, for ground where screws
/// hold badly. There is no map: it knows what it sees now. Levels and reasons are those of the device
/// navigation. Docs: docs/navigation.md. Test: tests/onboard/test_snake.c.
#include <string.h>

#include "base/functions.h"
#include "math/sincos.h"
#include "onboard/drive/navigate.h"
#include "onboard/onboard.h"

enum {
    SECTORS = 31,
    BINS = 64,
    CLASSES = 4,
    GOALS = 8,
    MANUALS = 24,
    POINTS_MOST = 8192,
    FEW = 20 ///< a snake that sees fewer points is blind
};

enum {
    VISION,
    SENSOR,
    CAMERA_X,
    CAMERA_Z,
    CAMERA_PITCH,
    FIELD_ACROSS,
    FIELD_UPRIGHT,
    COLUMNS,
    ROWS,
    RANGE_LEAST,
    RANGE_MOST,
    RANGE_ERROR,
    MISSING,
    THINK_TIME,
    DRIVE_TIME,
    HEAD_HEIGHT,
    HALF_WIDTH,
    STEP_MAX,
    DROP_MAX,
    GAP_MAX,
    BLIND,
    CLEAR_LENGTH,
    CHANNEL,
    WEIGHT_GOAL,
    WEIGHT_KEEP,
    WEIGHT_FREE,
    LOOK,
    BEND_MAX,
    BEND_RATE,
    BACK_LENGTH,
    GAIT,                         // gait_0 ...
    CLASS_SPEED = GAIT + CLASSES, // speed_0 ...
    CLASS_SLIP = CLASS_SPEED + CLASSES,
    POSTURE = CLASS_SLIP + CLASSES,
    STARTS_POSED,
    WAVE_AMPLITUDE,
    WAVE_FREQUENCY,
    WAVE_STEP,
    TILT_LIMIT,
    SLIP_LIMIT,
    TIME_LIMIT,
    WAY_LIMIT,
    PATIENCE,
    ESCAPES,
    // inputs
    COMMAND,
    LEVEL,
    GOAL_COUNT,
    GOAL_RADIUS,
    GOAL,
    TARGET_X = GOAL + 2 * GOALS,
    TARGET_Y,
    MANUAL_SPEED,
    MANUAL_TURN,
    MANUAL_BEND,
    MANUAL_GAIT,
    MANUAL, // manual_1 ...
    CONTACT_INPUT = MANUAL + MANUALS,
    // states
    PHASE,
    WAITED,
    HELD_LEVEL,
    NUMBER,
    BEGUN,
    SPACING,
    PROGRESS,
    HEAD,
    WAVE_PHASE,
    BLEND,
    POSED,
    LAST_X,
    LAST_Y,
    LAST_Z,
    PLACED,
    BEST,
    STALE,
    ESCAPED,
    BACKED,
    LAST_BEARING,
    CYCLE_WAY,
    // outputs
    VX,
    YAW_RATE,
    MOTOR_LEVEL,
    GAIT_NOW,
    CLASS_NOW,
    BUSY,
    ARRIVED,
    REACHED,
    REASON,
    REFUSED,
    DISTANCE,
    CYCLES,
    THINKING,
    DRIVING,
    WAY,
    SPEED,
    SLIP,
    POINTS,
    BEARING,
    FREE,
    OPEN,
    COUNT
};

#define DEGREES(x) ((x)*RI_PI / 180.0)
#define CLASS_PORTS(k, gait, speed)                                                                                    \
    [GAIT + (k)] = RI_PARAMETER("gait_" #k, "", gait, 0.0, 2.0,                                                        \
                                "On ground of material " #k ": 0 keep out, 1 screws, 2 screws and a wave."),           \
            [CLASS_SPEED + (k)] = RI_PARAMETER("speed_" #k, "m/s", speed, 1e-4, 10.0, "Speed on it."),                 \
            [CLASS_SLIP + (k)] =                                                                                       \
                RI_PARAMETER("slip_" #k, "", 0.0, 0.0, 0.9, "Slip of the screws that is expected on it.")
#define GOAL_PORTS(n)                                                                                                  \
    [GOAL + 2 * (n)-2] = RI_INPUT("x" #n, "m", "Goal " #n "."),                                                        \
                [GOAL + 2 * (n)-1] = RI_INPUT("y" #n, "m", "Goal " #n ".")
#define MANUAL_PORT(n) [MANUAL + (n)-1] = RI_INPUT("manual_" #n, "rad", "At level 0: bend " #n " from the tail.")
#define STARTED_INPUT(name, unit, initial, low, high, doc)                                                             \
    {                                                                                                                  \
        name, unit, doc, RI_VALUE_INPUT, initial, low, high, RI_PORT_NONE                                              \
    }

static const RiPort ports[COUNT] = {
    [VISION] = RI_PARAMETER("vision", "", 0.0, 0.0, 2.0,
                            "0 a wedge of rays from the head, 1 a camera pair of the scene, 2 a lidar of the scene."),
    [SENSOR] = RI_PARAMETER("sensor", "", 0.0, 0.0, 999.0, "Number of that camera or lidar in the scene, from 0."),
    [CAMERA_X] = RI_ANY_PARAMETER("camera_x", "m", 0.2, "Eye in axes of the last joint's link, ahead."),
    [CAMERA_Z] = RI_ANY_PARAMETER("camera_z", "m", 0.25, "Eye in axes of the last joint's link, up."),
    [CAMERA_PITCH] =
        RI_PARAMETER("camera_pitch", "rad", DEGREES(25.0), -RI_PI / 2, RI_PI / 2, "Middle of the view, downwards."),
    [FIELD_ACROSS] = RI_PARAMETER("field_across", "rad", DEGREES(120.0), 0.01, 3.0, "Full field of view across."),
    [FIELD_UPRIGHT] = RI_PARAMETER("field_upright", "rad", DEGREES(44.0), 0.01, 3.0, "Full field of view upright."),
    [COLUMNS] = RI_PARAMETER("columns", "", 64.0, 1.0, 512.0, "Rays of the wedge across."),
    [ROWS] = RI_PARAMETER("rows", "", 64.0, 1.0, 512.0, "Rays of the wedge upright."),
    [RANGE_LEAST] = RI_PARAMETER("range_least", "m", 0.2, 0.0, 1e4, "Nearest range that is measured."),
    [RANGE_MOST] = RI_PARAMETER("range_most", "m", 3.0, 0.01, 1e4, "Farthest range that is measured."),
    [RANGE_ERROR] = RI_PARAMETER("range_error", "1/m", 0.003, 0.0, 1.0,
                                 "Deviation of a range of 1 m in m; it grows with the square of the range."),
    [MISSING] = RI_PARAMETER("missing", "", 0.05, 0.0, 1.0, "Share of the points that are not found."),
    [THINK_TIME] = RI_PARAMETER("think_time", "s", 2.0, 0.0, 1e6, "Time the rover waits while it plans, each cycle."),
    [DRIVE_TIME] = RI_PARAMETER("drive_time", "s", 4.0, 0.05, 1e6, "Drives, each cycle."),
    [HEAD_HEIGHT] =
        RI_PARAMETER("head_height", "m", 0.1, 0.0, 10.0, "Of the joints' axes over the ground they lie on."),
    [HALF_WIDTH] = RI_PARAMETER("half_width", "m", 0.25, 1e-3, 10.0, "Of the body, with what it needs beside it."),
    [STEP_MAX] = RI_PARAMETER("step_max", "m", 0.12, 1e-6, 10.0, "Height over the body's line that is an obstacle."),
    [DROP_MAX] = RI_PARAMETER("drop_max", "m", 0.2, 1e-6, 10.0, "Depth under the body's line that is an obstacle."),
    [GAP_MAX] = RI_PARAMETER("gap_max", "m", 0.4, 1e-3, 100.0, "Ground not seen over this length ends a free way."),
    [BLIND] = RI_PARAMETER("blind", "m", 0.6, 0.0, 100.0,
                           "Ground this near ahead cannot be seen and is not required to be seen."),
    [CLEAR_LENGTH] = RI_PARAMETER("clear_length", "m", 1.5, 1e-3, 100.0, "Free way that a direction needs."),
    [CHANNEL] = RI_PARAMETER("channel", "", 0.0, 0.0, 1.0, "1: follows the middle of the opening ahead, not the goal."),
    [WEIGHT_GOAL] = RI_PARAMETER("weight_goal", "1/rad", 1.0, 0.0, 100.0, "For the goal's direction."),
    [WEIGHT_KEEP] = RI_PARAMETER("weight_keep", "1/rad", 0.3, 0.0, 100.0, "For the direction of before."),
    [WEIGHT_FREE] = RI_PARAMETER("weight_free", "", 0.3, 0.0, 100.0, "For a long free way."),
    [LOOK] = RI_PARAMETER("look", "m", 1.0, 0.01, 100.0, "Way ahead that the head steers to."),
    [BEND_MAX] = RI_PARAMETER("bend_max", "rad", DEGREES(20.0), 1e-3, RI_PI / 2, "Largest bend of the head."),
    [BEND_RATE] = RI_PARAMETER("bend_rate", "rad/s", DEGREES(10.0), 1e-4, 10.0, "Of the head."),
    [BACK_LENGTH] = RI_PARAMETER("back_length", "m", 0.8, 0.0, 100.0, "Way back of an escape."),
    CLASS_PORTS(0, 1.0, 0.05),
    CLASS_PORTS(1, 1.0, 0.05),
    CLASS_PORTS(2, 2.0, 0.03),
    CLASS_PORTS(3, 0.0, 0.05),
    [POSTURE] = RI_PARAMETER("posture", "rad", DEGREES(6.0), 0.0, RI_PI / 2,
                             "Standing wave of bends: a straight snake would roll over like a log."),
    [STARTS_POSED] = RI_PARAMETER("starts_posed", "", 0.0, 0.0, 1.0, "1: the robot begins in its posture."),
    [WAVE_AMPLITUDE] =
        RI_PARAMETER("wave_amplitude", "rad", DEGREES(10.0), 0.0, RI_PI / 2, "Of gait 2, more than the posture."),
    [WAVE_FREQUENCY] = RI_PARAMETER("wave_frequency", "Hz", 0.05, -10.0, 10.0, "Of gait 2."),
    [WAVE_STEP] = RI_PARAMETER("wave_step", "rad", 0.9, -RI_PI, RI_PI, "Phase from bend to bend of posture and wave."),
    [TILT_LIMIT] = RI_PARAMETER("tilt_limit", "rad", DEGREES(60.0), 0.0, RI_PI, "Lean of the head that ends a drive."),
    [SLIP_LIMIT] = RI_PARAMETER("slip_limit", "", 0.0, 0.0, 1.0, "Slip of a cycle that ends a drive; 0: none."),
    [TIME_LIMIT] = RI_PARAMETER("time_limit", "s", 0.0, 0.0, 1e9, "Longest drive; 0: none."),
    [WAY_LIMIT] = RI_PARAMETER("way_limit", "m", 0.0, 0.0, 1e9, "Longest way of a drive; 0: none."),
    [PATIENCE] = RI_PARAMETER("patience", "", 20.0, 1.0, 1e6, "Cycles without coming nearer before an escape."),
    [ESCAPES] = RI_PARAMETER("escapes", "", 3.0, 0.0, 1e6, "Escapes before it gives up."),
    [COMMAND] = STARTED_INPUT("command", "", 0.0, 0.0, 2.0, "1 go, 2 stop; 0 when it is taken up."),
    [LEVEL] = STARTED_INPUT("level", "", 3.0, 0.0, 3.0, "3 goal, 2 navigation, 1 locomotion, 0 motor."),
    [GOAL_COUNT] = STARTED_INPUT("goals", "", 0.0, 0.0, GOALS, "How many goals, driven to in order."),
    [GOAL_RADIUS] =
        STARTED_INPUT("goal_radius", "m", 0.5, 1e-3, 1e3, "A goal is a circle of this radius for the head."),
    GOAL_PORTS(1),
    GOAL_PORTS(2),
    GOAL_PORTS(3),
    GOAL_PORTS(4),
    GOAL_PORTS(5),
    GOAL_PORTS(6),
    GOAL_PORTS(7),
    GOAL_PORTS(8),
    [TARGET_X] = RI_INPUT("target_x", "m", "At level 2: where to, may move."),
    [TARGET_Y] = RI_INPUT("target_y", "m", "At level 2: where to, may move."),
    [MANUAL_SPEED] = RI_INPUT("manual_speed", "m/s", "At levels 1 and 0: speed along the body."),
    [MANUAL_TURN] = RI_INPUT("manual_turn", "rad/s", "At level 0: turn of the body by its screws."),
    [MANUAL_BEND] = RI_INPUT("manual_bend", "rad", "At level 1: bend of the head; the body follows."),
    [MANUAL_GAIT] = STARTED_INPUT("manual_gait", "", 1.0, 1.0, 2.0, "At level 1: the gait."),
    MANUAL_PORT(1),
    MANUAL_PORT(2),
    MANUAL_PORT(3),
    MANUAL_PORT(4),
    MANUAL_PORT(5),
    MANUAL_PORT(6),
    MANUAL_PORT(7),
    MANUAL_PORT(8),
    MANUAL_PORT(9),
    MANUAL_PORT(10),
    MANUAL_PORT(11),
    MANUAL_PORT(12),
    MANUAL_PORT(13),
    MANUAL_PORT(14),
    MANUAL_PORT(15),
    MANUAL_PORT(16),
    MANUAL_PORT(17),
    MANUAL_PORT(18),
    MANUAL_PORT(19),
    MANUAL_PORT(20),
    MANUAL_PORT(21),
    MANUAL_PORT(22),
    MANUAL_PORT(23),
    MANUAL_PORT(24),
    [CONTACT_INPUT] = RI_INPUT("contact", "", "Not 0 ends a drive, such as a force sensor's limit."),
    [PHASE] = RI_LIMITED_STATE("phase", "", 0.0, 3.0, "0 idle, 1 thinks, 2 drives, 3 goes back."),
    [WAITED] = RI_STATE("waited", "s", "In this phase."),
    [HELD_LEVEL] = RI_LIMITED_STATE("held_level", "", 0.0, 3.0, "Level in force."),
    [NUMBER] = RI_LIMITED_STATE("goal", "", 0.0, GOALS, "Number of the goal that is driven to."),
    [BEGUN] = RI_STATE("begun", "s", "When the drive began."),
    [SPACING] = RI_STATE("spacing", "m", "Mean distance of the bends."),
    [PROGRESS] = RI_LIMITED_STATE("progress", "", 0.0, 1.0, "Share of a spacing since bends were passed on."),
    [HEAD] = RI_STATE("head", "rad", "Bend of the head that is commanded."),
    [WAVE_PHASE] = RI_STATE("wave_phase", "rad", "Of gait 2."),
    [BLEND] = RI_LIMITED_STATE("blend", "", 0.0, 1.0, "Share of the wave."),
    [POSED] = RI_LIMITED_STATE("posed", "", 0.0, 1.0, "Share of the posture."),
    [LAST_X] = RI_STATE("last_x", "m", "Mean place of the joints at the last update."),
    [LAST_Y] = RI_STATE("last_y", "m", "Mean place of the joints at the last update."),
    [LAST_Z] = RI_STATE("last_z", "m", "Mean place of the joints at the last update."),
    [PLACED] = RI_LIMITED_STATE("placed", "", 0.0, 1.0, "1: there is one."),
    [BEST] = RI_STATE("best", "m", "Nearest to the goal so far; -1: not measured."),
    [STALE] = RI_STATE("stale", "", "Cycles since it came nearer."),
    [ESCAPED] = RI_STATE("escaped", "", "Escapes of this drive."),
    [BACKED] = RI_STATE("backed", "m", "Way back of this escape."),
    [LAST_BEARING] = RI_STATE("last_bearing", "rad", "Direction that was chosen last, in the world."),
    [CYCLE_WAY] = RI_STATE("cycle_way", "m", "Way of this cycle."),
    [VX] = RI_OUTPUT("vx", "m/s", "For the screws: along the body."),
    [YAW_RATE] = RI_OUTPUT("yaw_rate", "rad/s", "For the screws: turn."),
    [MOTOR_LEVEL] = RI_OUTPUT("motor_level", "", "1 at level 0."),
    [GAIT_NOW] = RI_OUTPUT("gait", "", "1 screws, 2 screws and a wave; 0 stopped."),
    [CLASS_NOW] = RI_OUTPUT("class", "", "Material of the ground ahead of the head; -1: none."),
    [BUSY] = RI_OUTPUT("busy", "", "1 while a drive is under way."),
    [ARRIVED] = RI_OUTPUT("arrived", "", "1 after a drive that reached its last goal."),
    [REACHED] = RI_OUTPUT("reached", "", "Goals reached by this drive."),
    [REASON] = RI_OUTPUT("reason", "", "Why it ended, numbers as those of navigation."),
    [REFUSED] = RI_OUTPUT("refused", "", "1 if a command could not begin."),
    [DISTANCE] = RI_OUTPUT("distance", "m", "Of the head to the goal."),
    [CYCLES] = RI_OUTPUT("cycles", "", "Of this drive."),
    [THINKING] = RI_OUTPUT("thinking", "s", "Time that was thought."),
    [DRIVING] = RI_OUTPUT("driving", "s", "Time that was driven."),
    [WAY] = RI_OUTPUT("way", "m", "Driven, ahead and back."),
    [SPEED] = RI_OUTPUT("speed", "m/s", "Made good along the body, over about a second."),
    [SLIP] = RI_OUTPUT("slip", "", "Of the last cycle: 1 - way / commanded way."),
    [POINTS] = RI_OUTPUT("points", "", "Range points of the last look."),
    [BEARING] = RI_OUTPUT("bearing", "rad", "Direction that was chosen, left of the head."),
    [FREE] = RI_OUTPUT("free", "m", "Free way there."),
    [OPEN] = RI_OUTPUT("open", "", "Sectors of 31 that are free."),
};

enum { IDLE, THINKS, DRIVES, BACKS };
enum { AT_MOTOR, AT_LOCOMOTION, AT_NAVIGATION, AT_GOAL };

/// Working space.
typedef struct Scratch {
    RiVec3 points[POINTS_MOST];
    unsigned char seen[SECTORS][BINS];
    double free[SECTORS];
} Scratch;

// --- where it is ---------------------------------------------------------------------------------

static const RiGroupJoint *head_of(const RiDeviceCall *call)
{
    return &call->joints[call->joint_count - 1];
}

static double heading_of(const RiPose *pose)
{
    return ri_atan2(pose->R.m[1][0], pose->R.m[0][0]);
}

static double wrap(double angle)
{
    return angle - 2.0 * RI_PI * floor(angle / (2.0 * RI_PI) + 0.5);
}

/// Bend of joint n to the left that is commanded, without the wave.
static double sum_of_bends(const RiDeviceCall *call, int *out_count)
{
    double sum = 0.0;
    *out_count = 0;
    for (int i = 0; i < call->joint_count; i++)
        if (ri_joint_use(&call->joints[i]) == RI_USE_LATERAL) {
            sum += ri_axis_sign(&call->joints[i]) * call->commands[i].position;
            ++*out_count;
        }
    return sum;
}

/// Way along the body since the last update.
static double measure_way(RiDeviceCall *call)
{
    double *x = call->x;
    RiVec3 centre = {0}, along = {0};
    const double share = 1.0 / call->joint_count;
    for (int i = 0; i < call->joint_count; i++) {
        centre = ri_add(centre, ri_scale(share, call->joints[i].pose.p));
        along = ri_add(along, ri_scale(share, ri_mat3_col(&call->joints[i].pose.R, 0)));
    }
    const RiVec3 moved = ri_sub(centre, ri_vec3(x[LAST_X], x[LAST_Y], x[LAST_Z]));
    const double size2 = ri_dot(along, along);
    const double way = x[PLACED] != 0.0 && size2 > 0.01 ? ri_dot(along, moved) / size2 : 0.0;
    x[LAST_X] = centre.x, x[LAST_Y] = centre.y, x[LAST_Z] = centre.z;
    x[PLACED] = 1.0;
    return way;
}

static int goal_count(const double *x)
{
    return (int)fmax(0.0, fmin(floor(x[GOAL_COUNT]), GOALS));
}

static RiVec3 goal_of(const double *x)
{
    const int n = (int)x[NUMBER];
    return x[HELD_LEVEL] == AT_NAVIGATION || n < 1 ? ri_vec3(x[TARGET_X], x[TARGET_Y], 0.0)
                                                   : ri_vec3(x[GOAL + 2 * n - 2], x[GOAL + 2 * n - 1], 0.0);
}

static bool is_at_goal(const RiDeviceCall *call)
{
    double *x = call->x;
    const RiVec3 goal = goal_of(x), at = head_of(call)->pose.p;
    x[DISTANCE] = ri_hypot(goal.x - at.x, goal.y - at.y);
    return x[DISTANCE] <= x[GOAL_RADIUS];
}

// --- looking -------------------------------------------------------------------------------------

/// Range points in the world.
static int look(const RiDeviceCall *call, RiVec3 *out, int room)
{
    const double *x = call->x;
    if (x[VISION] != 0.0) {
        const int count = call->see ? call->see(call, (int)x[VISION], (int)x[SENSOR], out, room) : 0;
        return count < 0 ? 0 : count;
    }
    RiDeviceCall eye = *call; // a wedge looks from the frame of its call: the head
    eye.frame_pose = head_of(call)->pose;
    const RiWedge w = {.at = ri_vec3(x[CAMERA_X], 0.0, x[CAMERA_Z]),
                       .pitch = x[CAMERA_PITCH],
                       .across = x[FIELD_ACROSS],
                       .upright = x[FIELD_UPRIGHT],
                       .columns = (int)x[COLUMNS],
                       .rows = (int)x[ROWS],
                       .least = x[RANGE_LEAST],
                       .most = x[RANGE_MOST],
                       .error = x[RANGE_ERROR],
                       .missing = x[MISSING]};
    const int count = ri_vision_wedge(&eye, &w, 0, out, room);
    for (int i = 0; i < count; i++)
        out[i] = ri_pose_point(&eye.frame_pose, out[i]);
    return count;
}

static double bearing_of(int sector)
{
    return DEGREES(60.0) * (2.0 * sector / (SECTORS - 1.0) - 1.0);
}

/// The row of classes for the ground at a place; -1: there is no ground.
static int class_at(const RiDeviceCall *call, RiVec3 p)
{
    int material = 0;
    if (call->ground_height && !isfinite(call->ground_height(call, p, &material)))
        return -1;
    return material >= 0 && material < CLASSES ? material : 0;
}

/// The level frame of the head, and the line of the body ahead of it.
typedef struct Ahead {
    RiVec3 at;
    double c, s;   // of the head's heading
    double ground; // height under the head
    double rise;   // of the body's line, per metre ahead
} Ahead;

static Ahead find_ahead(const RiDeviceCall *call)
{
    const RiPose *head = &head_of(call)->pose;
    Ahead a = {.at = head->p, .ground = head->p.z - call->x[HEAD_HEIGHT]};
    ri_sincos(heading_of(head), &a.s, &a.c);
    const int back = call->joint_count > 3 ? call->joint_count - 4 : 0;
    const RiVec3 line = ri_sub(head->p, call->joints[back].pose.p);
    const double flat = ri_hypot(line.x, line.y);
    a.rise = flat > 1e-6 ? line.z / flat : 0.0;
    return a;
}

/// An obstacle at distance r and bearing b ends the free way of the sectors around it.
static void block(const double *x, Scratch *s, double r, double b)
{
    const double reach = r > x[HALF_WIDTH] ? ri_asin(x[HALF_WIDTH] / r) : 0.5 * RI_PI;
    for (int k = 0; k < SECTORS; k++)
        if (fabs(bearing_of(k) - b) < reach)
            s->free[k] = fmin(s->free[k], fmax(0.0, r - x[HALF_WIDTH]));
}

static void take_point(const RiDeviceCall *call, Scratch *s, const Ahead *a, RiVec3 p)
{
    const double *x = call->x, dx = p.x - a->at.x, dy = p.y - a->at.y;
    const double ahead = dx * a->c + dy * a->s, left = dy * a->c - dx * a->s;
    const double r = ri_hypot(ahead, left), b = ri_atan2(left, ahead);
    if (!(r < x[RANGE_MOST]) || !(fabs(b) < DEGREES(75.0)))
        return;
    const double over = p.z - (a->ground + a->rise * ahead);
    const int class = class_at(call, ri_vec3(p.x, p.y, p.z + 0.05));
    if (over > x[STEP_MAX] || over < -x[DROP_MAX] || class < 0 || x[GAIT + class] == 0.0) {
        block(x, s, r, b);
        return;
    }
    const double k = (b / DEGREES(60.0) + 1.0) * 0.5 * (SECTORS - 1.0) + 0.5;
    if (k >= 0.0 && k < SECTORS)
        s->seen[(int)k][(int)(r / x[RANGE_MOST] * BINS)] = 1;
}

/// Where ground is not seen over gap_max in a sector and its neighbours.
static double first_gap(const double *x, const Scratch *s, int sector)
{
    const double bin = x[RANGE_MOST] / BINS;
    double last = x[BLIND];
    for (int i = 0; i < BINS; i++) {
        const double r = (i + 0.5) * bin;
        bool seen = false;
        for (int k = sector - 1; k <= sector + 1; k++)
            seen = seen || (k >= 0 && k < SECTORS && s->seen[k][i]);
        if (seen && r <= last + x[GAP_MAX])
            last = fmax(last, r);
    }
    return last;
}

/// Free way of every sector; returns how many points there were.
static int find_free(RiDeviceCall *call, Scratch *s)
{
    const double *x = call->x;
    const Ahead a = find_ahead(call);
    const int count = look(call, s->points, POINTS_MOST);
    memset(s->seen, 0, sizeof s->seen);
    for (int k = 0; k < SECTORS; k++)
        s->free[k] = x[RANGE_MOST];
    for (int i = 0; i < count; i++)
        take_point(call, s, &a, s->points[i]);
    for (int k = 0; k < SECTORS; k++) {
        const double edge = first_gap(x, s, k);
        s->free[k] = fmin(s->free[k], edge);
        if (edge < x[RANGE_MOST] - x[GAP_MAX]) // a gap that was looked over, not the end of the range
            block(x, s, edge + x[HALF_WIDTH], bearing_of(k));
    }
    return count;
}

// --- choosing ------------------------------------------------------------------------------------

/// The middle of the opening: bearings weighted by the cube of their free way.
static double middle(const Scratch *s)
{
    double sum = 0.0, weight = 0.0;
    for (int k = 0; k < SECTORS; k++) {
        const double w = s->free[k] * s->free[k] * s->free[k];
        sum += w * bearing_of(k);
        weight += w;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

/// Direction to drive in; false: none is free.
static bool choose(RiDeviceCall *call, const Scratch *s, double *out)
{
    double *x = call->x, least = INFINITY;
    const RiPose *head = &head_of(call)->pose;
    const RiVec3 goal = goal_of(x);
    const double heading = heading_of(head);
    const double wanted = wrap(ri_atan2(goal.y - head->p.y, goal.x - head->p.x) - heading);
    const double last = x[CYCLES] > 1.0 ? wrap(x[LAST_BEARING] - heading) : 0.0;
    const double need = fmin(x[CLEAR_LENGTH], x[DISTANCE]);
    int best = -1;
    x[OPEN] = 0.0;
    for (int k = 0; k < SECTORS; k++) {
        if (s->free[k] < need)
            continue;
        const double b = bearing_of(k);
        const double cost = x[WEIGHT_GOAL] * fabs(b - wanted) + x[WEIGHT_KEEP] * fabs(b - last) -
                            x[WEIGHT_FREE] * s->free[k] / x[RANGE_MOST];
        x[OPEN] += 1.0;
        if (cost < least) {
            least = cost;
            best = k;
        }
    }
    if (best < 0)
        return false;
    *out = x[CHANNEL] != 0.0 ? middle(s) : bearing_of(best);
    if (x[CHANNEL] == 0.0 && fabs(wanted) < bearing_of(SECTORS - 1) &&
        fabs(wanted - *out) < bearing_of(SECTORS / 2 + 1))
        *out = wanted; // the goal lies in that very sector
    x[FREE] = s->free[x[CHANNEL] != 0.0 ? SECTORS / 2 : best];
    x[BEARING] = *out;
    x[LAST_BEARING] = wrap(heading + *out);
    return true;
}

// --- phases --------------------------------------------------------------------------------------

static void enter(double *x, int phase)
{
    x[PHASE] = phase;
    x[WAITED] = 0.0;
    x[CYCLE_WAY] = 0.0;
}

static void finish(double *x, RiNavReason reason)
{
    x[REASON] = reason;
    x[ARRIVED] = reason == RI_NAV_ARRIVED;
    x[BUSY] = 0.0;
    enter(x, IDLE);
}

static bool take_goal(double *x)
{
    const RiVec3 goal = goal_of(x);
    x[BEST] = -1.0;
    x[STALE] = 0.0;
    if (isfinite(goal.x + goal.y))
        return true;
    x[REFUSED] = 1.0;
    finish(x, RI_NAV_NO_GOAL);
    return false;
}

static void begin(RiDeviceCall *call)
{
    double *x = call->x;
    static const int zeros[] = {REACHED, CYCLES, THINKING, DRIVING, WAY, ESCAPED, REASON, REFUSED, ARRIVED, SLIP};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        x[zeros[i]] = 0.0;
    x[BEGUN] = call->time;
    x[NUMBER] = x[HELD_LEVEL] == AT_GOAL ? 1.0 : 0.0;
    const bool counted = x[GOAL_COUNT] >= 0.0 && x[GOAL_COUNT] <= GOALS && x[GOAL_COUNT] == floor(x[GOAL_COUNT]);
    if (!counted || (x[HELD_LEVEL] == AT_GOAL && goal_count(x) < 1)) {
        x[REFUSED] = 1.0;
        finish(x, RI_NAV_NO_GOAL);
        return;
    }
    if (!take_goal(x))
        return;
    x[BUSY] = 1.0;
    enter(x, THINKS);
}

static void reach(double *x)
{
    x[REACHED] += 1.0;
    if (x[HELD_LEVEL] == AT_NAVIGATION || x[NUMBER] >= goal_count(x)) {
        finish(x, RI_NAV_ARRIVED);
        return;
    }
    x[NUMBER] += 1.0;
    if (take_goal(x))
        enter(x, THINKS);
}

/// Goes back the way it came, for the body keeps it; or gives up.
static void escape(double *x, RiNavReason reason)
{
    if (x[ESCAPED] >= x[ESCAPES]) {
        finish(x, reason);
        return;
    }
    x[ESCAPED] += 1.0;
    x[STALE] = 0.0;
    x[BEST] = -1.0;
    x[BACKED] = 0.0;
    enter(x, BACKS);
}

/// Whether the last cycle brought it nearer; in a channel, whether it moved.
static void judge_progress(double *x)
{
    const bool moves = x[CHANNEL] != 0.0 && x[CYCLE_WAY] > 0.2 * x[DRIVE_TIME] * fabs(x[CLASS_SPEED]);
    const bool nearer = x[BEST] < 0.0 || x[DISTANCE] < x[BEST] - 0.02;
    if (nearer)
        x[BEST] = x[DISTANCE];
    x[STALE] = nearer || moves ? 0.0 : x[STALE] + 1.0;
}

static void think(RiDeviceCall *call)
{
    double *x = call->x, bearing;
    Scratch *s = call->scratch;
    x[THINKING] += call->dt;
    if (is_at_goal(call)) {
        reach(x);
        return;
    }
    if (x[WAITED] < x[THINK_TIME])
        return;
    x[CYCLES] += 1.0;
    x[POINTS] = find_free(call, s);
    const RiPose *head = &head_of(call)->pose;
    const int class = class_at(call, ri_pose_point(head, ri_vec3(x[LOOK], 0.0, x[CAMERA_Z])));
    x[CLASS_NOW] = class;
    if (x[POINTS] < FEW)
        escape(x, RI_NAV_BLIND);
    else if (!choose(call, s, &bearing))
        escape(x, RI_NAV_BLOCKED);
    else if (x[STALE] > x[PATIENCE])
        escape(x, RI_NAV_NO_PROGRESS);
    else
        enter(x, DRIVES);
}

/// Speed on the class of ground ahead; ground that must not be entered is an obstacle, not a class.
static int class_now(const double *x)
{
    return x[CLASS_NOW] >= 0.0 ? (int)x[CLASS_NOW] : 0;
}

static void drive(RiDeviceCall *call)
{
    double *x = call->x;
    x[DRIVING] += call->dt;
    if (is_at_goal(call)) {
        reach(x);
        return;
    }
    if (x[WAITED] < x[DRIVE_TIME])
        return;
    x[SLIP] = 1.0 - x[CYCLE_WAY] / (x[CLASS_SPEED + class_now(x)] * x[WAITED]);
    judge_progress(x);
    enter(x, THINKS);
}

static void go_back(RiDeviceCall *call, double way)
{
    double *x = call->x;
    x[DRIVING] += call->dt;
    x[BACKED] += fabs(way);
    const double long_enough = 3.0 * x[BACK_LENGTH] / x[CLASS_SPEED + class_now(x)] + 1.0;
    if (x[BACKED] >= x[BACK_LENGTH] || x[WAITED] > long_enough)
        enter(x, THINKS);
}

static RiNavReason find_stop(const RiDeviceCall *call)
{
    const double *x = call->x;
    if (x[CONTACT_INPUT] != 0.0)
        return RI_NAV_TOUCHED;
    if (head_of(call)->pose.R.m[2][2] < ri_cos(x[TILT_LIMIT]))
        return RI_NAV_TILTED;
    if (x[SLIP_LIMIT] > 0.0 && x[SLIP] > x[SLIP_LIMIT])
        return RI_NAV_SLIPPED;
    if (x[TIME_LIMIT] > 0.0 && call->time - x[BEGUN] > x[TIME_LIMIT])
        return RI_NAV_TIME_UP;
    return x[WAY_LIMIT] > 0.0 && x[WAY] > x[WAY_LIMIT] ? RI_NAV_WAY_UP : RI_NAV_UNDER_WAY;
}

static void run_phase(RiDeviceCall *call, double way)
{
    double *x = call->x;
    const RiNavReason stop = x[BUSY] != 0.0 ? find_stop(call) : RI_NAV_UNDER_WAY;
    if (stop != RI_NAV_UNDER_WAY) {
        finish(x, stop);
        return;
    }
    switch ((int)x[PHASE]) {
    case THINKS:
        think(call);
        break;
    case DRIVES:
        drive(call);
        break;
    case BACKS:
        go_back(call, way);
        break;
    default:
        break;
    }
}

// --- moving --------------------------------------------------------------------------------------

/// What shall be driven now.
typedef struct Motion {
    double speed, bend;
    int gait;
} Motion;

static Motion motion_now(const double *x)
{
    const int class = class_now(x);
    const double speed = x[CLASS_SPEED + class];
    const int gait = x[GAIT + class] >= 1.0 ? (int)x[GAIT + class] : 1;
    if (x[HELD_LEVEL] == AT_LOCOMOTION)
        return (Motion){x[MANUAL_SPEED], x[MANUAL_BEND], (int)x[MANUAL_GAIT]};
    if (x[HELD_LEVEL] >= AT_NAVIGATION && x[PHASE] == DRIVES)
        return (Motion){speed, 2.0 * x[SPACING] * ri_sin(x[BEARING]) / x[LOOK], gait};
    if (x[HELD_LEVEL] >= AT_NAVIGATION && x[PHASE] == BACKS)
        return (Motion){-speed, x[HEAD], gait};
    return (Motion){0.0, x[HEAD], 0};
}

/// Posture, and the wave of gait 2, on top of where the body follows.
static void add_wave(RiDeviceCall *call, int gait)
{
    double *x = call->x;
    const double turn = gait == 2 ? 2.0 * RI_PI * x[WAVE_FREQUENCY] : 0.0;
    x[BLEND] = fmin(1.0, fmax(0.0, x[BLEND] + (gait == 2 ? 0.2 : -0.2) * call->dt));
    x[POSED] = fmin(1.0, x[POSED] + (gait > 0 ? 0.2 : 0.0) * call->dt);
    x[WAVE_PHASE] = fmod(x[WAVE_PHASE] + turn * call->dt, 2.0 * RI_PI);
    const double amplitude = x[POSED] * x[POSTURE] + x[BLEND] * x[WAVE_AMPLITUDE];
    for (int i = 0, n = 0; i < call->joint_count; i++) {
        if (ri_joint_use(&call->joints[i]) != RI_USE_LATERAL)
            continue;
        const double angle = x[WAVE_PHASE] + x[WAVE_STEP] * n++, a = ri_axis_sign(&call->joints[i]) * amplitude;
        RiGroupCommand *c = &call->commands[i];
        c->position = ri_within_joint(&call->joints[i], c->position + a * ri_sin(angle));
        c->rate += a * turn * ri_cos(angle);
    }
}

/// At the level of motors: bends as another program sets them, no faster than bend_rate.
static void move_by_hand(RiDeviceCall *call)
{
    double *x = call->x;
    for (int i = 0, n = 0; i < call->joint_count; i++) {
        const RiGroupJoint *j = &call->joints[i];
        if (ri_joint_use(j) != RI_USE_LATERAL)
            continue;
        RiGroupCommand *c = &call->commands[i];
        const double want = n < MANUALS ? ri_axis_sign(j) * x[MANUAL + n] : c->position, most = x[BEND_RATE] * call->dt;
        const double next = ri_within_joint(j, c->position + ri_bound(want - c->position, most));
        c->rate = (next - c->position) / call->dt;
        c->position = c->memory = next;
        n++;
    }
    x[PROGRESS] = 0.0;
    x[BLEND] = x[POSED] = 0.0;
    x[VX] = x[MANUAL_SPEED];
    x[YAW_RATE] = x[MANUAL_TURN];
    x[GAIT_NOW] = 0.0;
}

static void move(RiDeviceCall *call)
{
    double *x = call->x;
    const Motion m = motion_now(x);
    int bends;
    const double bend = ri_bound(m.bend, x[BEND_MAX]);
    x[HEAD] += ri_bound(bend - x[HEAD], x[BEND_RATE] * call->dt);
    ri_lead(call, RI_USE_LATERAL, x[HEAD], x[SPEED], x[SPACING], &x[PROGRESS]);
    const double curvature = sum_of_bends(call, &bends) / (x[SPACING] * bends);
    add_wave(call, m.gait);
    const double slip = x[HELD_LEVEL] >= AT_NAVIGATION ? x[CLASS_SLIP + class_now(x)] : 0.0;
    x[VX] = m.speed / (1.0 - slip);
    x[YAW_RATE] = x[VX] * curvature;
    x[GAIT_NOW] = m.gait;
}

static void take_level(double *x)
{
    const double level = floor(fmax(AT_MOTOR, fmin(AT_GOAL, x[LEVEL])));
    if (level != x[HELD_LEVEL] && x[BUSY] != 0.0)
        finish(x, RI_NAV_LEVEL_TAKEN);
    x[HELD_LEVEL] = level;
    x[MOTOR_LEVEL] = level == AT_MOTOR;
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const double way = measure_way(call);
    take_level(x);
    x[SPEED] += (way / call->dt - x[SPEED]) * fmin(1.0, call->dt / 1.0);
    x[WAITED] += call->dt;
    if (x[BUSY] != 0.0) {
        x[CYCLE_WAY] += way;
        x[WAY] += fabs(way);
    }
    if (x[HELD_LEVEL] >= AT_NAVIGATION) {
        if (x[COMMAND] == 2.0 && x[BUSY] != 0.0)
            finish(x, RI_NAV_STOPPED);
        else if (x[COMMAND] == 1.0)
            begin(call);
        run_phase(call, way);
    }
    x[COMMAND] = 0.0;
    if (x[HELD_LEVEL] == AT_MOTOR)
        move_by_hand(call);
    else
        move(call);
}

// --- start ---------------------------------------------------------------------------------------

static const char *check_numbers(const double *x)
{
    static const int whole[] = {VISION,       SENSOR, COLUMNS,  ROWS,     CHANNEL,
                                STARTS_POSED, GAIT,   GAIT + 1, GAIT + 2, GAIT + 3};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (x[whole[i]] != floor(x[whole[i]]))
            return "'vision', 'sensor', 'columns', 'rows', 'channel', 'starts_posed' and 'gait_0' to 'gait_3' must be "
                   "whole "
                   "numbers";
    if (x[COLUMNS] * x[ROWS] > POINTS_MOST)
        return "'columns' times 'rows' must be at most 8192 points";
    if (!(x[RANGE_LEAST] < x[RANGE_MOST]))
        return "'range_least' must be less than 'range_most'";
    if (!(x[CLEAR_LENGTH] <= x[RANGE_MOST] && x[BLIND] < x[CLEAR_LENGTH]))
        return "'clear_length' must be more than 'blind' and at most 'range_most', or no direction is ever free";
    return x[HALF_WIDTH] < x[CLEAR_LENGTH] ? NULL : "'half_width' must be less than 'clear_length'";
}

static const char *start(RiDeviceCall *call)
{
    double *x = call->x;
    const char *wrong = check_numbers(x);
    if (wrong)
        return wrong;
    if (ri_count_use(call, RI_USE_LATERAL) < 2)
        return "needs at least two joints that bend sideways (axis z of their links) in its group";
    if (x[VISION] != 0.0 && !(call->see && call->see(call, (int)x[VISION], (int)x[SENSOR], NULL, 0) >= 0))
        return "'vision' 1 needs a camera with a 'pair', 2 a lidar of the scene of number 'sensor', and a build with "
               "Embree";
    if (x[VISION] == 0.0 && !call->ground_ray)
        return "needs a terrain to look at";
    x[SPACING] = ri_mean_spacing(call, RI_USE_LATERAL);
    x[POSED] = x[STARTS_POSED];
    for (int i = 0, n = 0; i < call->joint_count; i++) {
        RiGroupCommand *c = &call->commands[i];
        c->memory = c->position = call->joints[i].position;
        if (ri_joint_use(&call->joints[i]) == RI_USE_LATERAL)
            c->memory -= ri_axis_sign(&call->joints[i]) * x[POSED] * x[POSTURE] * ri_sin(x[WAVE_STEP] * n++);
    }
    x[HELD_LEVEL] = floor(x[LEVEL]);
    x[BEST] = -1.0;
    x[CLASS_NOW] = 0.0;
    return ri_is_positive(x[SPACING]) ? NULL : "the bends of its group lie in one place";
}

static const char *check_state(const RiDeviceCall *call)
{
    const double *x = call->x;
    const bool whole =
        x[PHASE] == floor(x[PHASE]) && x[NUMBER] == floor(x[NUMBER]) && x[HELD_LEVEL] == floor(x[HELD_LEVEL]);
    if (!whole)
        return "'goal', 'phase' or 'held_level' is not a whole number";
    return x[CLASS_NOW] >= -1.0 && x[CLASS_NOW] < CLASSES && x[CLASS_NOW] == floor(x[CLASS_NOW])
               ? NULL
               : "'class' is not one of its rows";
}

const RiDeviceClass ri_snake_navigation = {
    .abi = RI_DEVICE_ABI,
    .name = "snake_navigation",
    .doc = "Drives a snake with screws to goals or along a channel: looks ahead, avoids, chooses a gait; levels.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
    .check_state = check_state,
    .scratch = sizeof(Scratch),
};
