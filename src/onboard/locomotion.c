// SPDX-License-Identifier: Apache-2.0
/// \file
/// Locomotion of wheeled rovers: arcs, turns in place, crabbing and lists of waypoints become
/// set-points of drive and steering motors; odometry decides when a motion is complete.
/// [jain2003 2.10]
///
/// A motion is a twist per unit of progress s of the reference point C: (t_x, t_y) and t_w in axes
/// of the root link. An arc of curvature k is (1, 0, k), a turn (0, 0, 1) with s an angle, crabbing
/// (cos a, sin a, 0). The wheel at (x, y) from C then goes
///
///     (v_x, v_y) = (t_x - t_w y, t_y + t_w x)
///
/// so its steering points along it and its rim moves by k_i = |v| per progress, or backwards by
/// -|v| with the steering turned by half a turn: whichever the steering's limits allow, and which
/// is nearer. Where every steering lies and which wheel it turns is read off the robot's own
/// joints. Wheels that cannot be steered roll with what of (v_x, v_y) lies along them; C lies on
/// their axle, so that on arcs this is all of it.
///
/// Odometry: progress grows by the median over the wheels of r dtheta / k_i, which one dead or
/// runaway motor does not move. The speed falls as sqrt(2 a (goal - s)) to the end. Slip and errors
/// compare with what the robot really did. Test: tests/onboard/test_locomotion.c.
#include <string.h>

#include "base/functions.h"
#include "onboard/onboard.h"

enum { WHEELS = 16, WAYPOINTS = 8 };

enum {
    SPEED,
    ACCELERATION,
    STEER_TOLERANCE,
    STEER_TIME,
    TURN_FIRST,
    RESOLUTION,
    WHEEL_RADIUS,
    COLD_LIMIT,
    COMMAND,
    RADIUS,
    LENGTH,
    ANGLE,
    DIRECTION,
    LEVEL,
    POWERED,
    TEMPERATURE,
    WAYPOINT_COUNT,
    WAYPOINT,
    PHASE = WAYPOINT + 2 * WAYPOINTS,
    TWIST_X,
    TWIST_Y,
    TWIST_W,
    GOAL,
    RATE,
    WAITED,
    NEXT_WAYPOINT,
    AXLE,
    START_X,
    START_Y,
    START_Z,
    AHEAD_X,
    AHEAD_Y,
    AHEAD_Z,
    LEFT_X,
    LEFT_Y,
    LEFT_Z,
    TRUE_WAY,
    PROGRESS,
    ODOMETRY_X,
    ODOMETRY_Y,
    ODOMETRY_HEADING,
    BUSY,
    COMPLETED,
    REFUSED,
    REASON,
    NEAREST_RADIUS,
    MOTOR_LEVEL,
    SLIP,
    SLIP_ANGLE,
    PATH_ERROR,
    HEADING_ERROR,
    BASE_SPEED,
    BASE_TURN,
    BASE_DIRECTION,
    COUNT
};

enum { DO_NOTHING, DO_ARC, DO_TURN, DO_CRAB, DO_WAYPOINTS, DO_STOP };
enum { IDLE, STEERING, DRIVING };
enum { FINE, TOO_TIGHT, NOT_ALL_STEER, NO_SENSE, TOO_COLD };

#define PLACE_PORTS(n)                                                                                                 \
    [WAYPOINT + 2 * (n)-2] = RI_INPUT("x" #n, "m", "Waypoint " #n "."),                                                \
                    [WAYPOINT + 2 * (n)-1] = RI_INPUT("y" #n, "m", "Waypoint " #n ".")

static const RiPort ports[COUNT] = {
    [SPEED] = RI_PARAMETER("speed", "m/s", 0.05, 0.0, INFINITY, "Of the fastest wheel's rim."),
    [ACCELERATION] = RI_PARAMETER("acceleration", "m/s^2", 0.05, 0.0, INFINITY, "Of the fastest wheel's rim."),
    [STEER_TOLERANCE] =
        RI_PARAMETER("steer_tolerance", "rad", 0.01, 0.0, INFINITY, "Error of the steering at which driving begins."),
    [STEER_TIME] =
        RI_PARAMETER("steer_time", "s", 20.0, 0.0, INFINITY, "Time after which driving begins whatever the steering."),
    [TURN_FIRST] = RI_PARAMETER("turn_first", "rad", 0.5, 0.0, RI_PI,
                                "Bearing of a waypoint beyond which the rover turns in place before it drives."),
    [RESOLUTION] = RI_PARAMETER("resolution", "", 0.0, 0.0, INFINITY,
                                "Counts of the odometry's encoders per turn of a wheel; 0: exact."),
    [WHEEL_RADIUS] = RI_PARAMETER("wheel_radius", "m", 0.0, 0.0, INFINITY,
                                  "That odometry reckons with; 0: that of the robot's wheels, grousers included."),
    [COLD_LIMIT] =
        RI_PARAMETER("cold_limit", "K", 0.0, 0.0, 1000.0, "Temperature of the motors below which motions are refused."),
    [COMMAND] = RI_INPUT("command", "",
                         "1 arc, 2 turn in place, 3 crab, 4 waypoints, 5 stop; goes back to 0 when it is taken up."),
    [RADIUS] = RI_INPUT("radius", "m", "Of an arc, positive to the left; 0: straight."),
    [LENGTH] = RI_INPUT("length", "m", "Of an arc or of crabbing, negative backwards."),
    [ANGLE] = RI_INPUT("angle", "rad", "Of a turn in place, positive to the left."),
    [DIRECTION] = RI_INPUT("direction", "rad", "Of crabbing, from straight ahead to the left."),
    [LEVEL] = RI_INPUT("level", "", "0 locomotion, 1 motor: drive trains follow their manual inputs."),
    [POWERED] = {"powered", "",
                 "0: motors have no power, so a motion waits; connect to `supply` of the load that represents them.",
                 RI_VALUE_INPUT, 1.0, -INFINITY, INFINITY, RI_PORT_NONE},
    [TEMPERATURE] = {"temperature", "K", "Of the motors: connect to that of their thermal node.", RI_VALUE_INPUT,
                     293.15, -INFINITY, INFINITY, RI_PORT_NONE},
    [WAYPOINT_COUNT] = RI_INPUT("waypoints", "", "How many waypoints there are, at most 8."),
    PLACE_PORTS(1),
    PLACE_PORTS(2),
    PLACE_PORTS(3),
    PLACE_PORTS(4),
    PLACE_PORTS(5),
    PLACE_PORTS(6),
    PLACE_PORTS(7),
    PLACE_PORTS(8),
    [PHASE] = RI_LIMITED_STATE("phase", "", 0.0, 2.0, "0 idle, 1 steering, 2 driving."),
    [TWIST_X] = RI_STATE("twist_x", "", "Motion ahead per progress."),
    [TWIST_Y] = RI_STATE("twist_y", "", "Motion to the left per progress."),
    [TWIST_W] = RI_STATE("twist_w", "", "Turn per progress."),
    [GOAL] = RI_STATE("goal", "", "Progress at which the motion is complete [m, or rad of a turn]."),
    [RATE] = RI_STATE("rate", "", "Commanded rate of progress."),
    [WAITED] = RI_STATE("waited", "s", "Time spent steering."),
    [NEXT_WAYPOINT] =
        RI_LIMITED_STATE("next_waypoint", "", 0.0, WAYPOINTS + 1, "Waypoint that is driven to, from 1; 0: none."),
    [AXLE] = RI_STATE("axle", "m", "Where the reference point is, ahead of the root link's origin."),
    [START_X] = RI_STATE("start_x", "m", "Reference point when the motion began."),
    [START_Y] = RI_STATE("start_y", "m", "Reference point when the motion began."),
    [START_Z] = RI_STATE("start_z", "m", "Reference point when the motion began."),
    [AHEAD_X] = RI_STATE("ahead_x", "", "Direction ahead when the motion began."),
    [AHEAD_Y] = RI_STATE("ahead_y", "", "Direction ahead when the motion began."),
    [AHEAD_Z] = RI_STATE("ahead_z", "", "Direction ahead when the motion began."),
    [LEFT_X] = RI_STATE("left_x", "", "Direction to the left when the motion began."),
    [LEFT_Y] = RI_STATE("left_y", "", "Direction to the left when the motion began."),
    [LEFT_Z] = RI_STATE("left_z", "", "Direction to the left when the motion began."),
    [TRUE_WAY] = RI_STATE("true_way", "", "Progress that the robot has really made."),
    [PROGRESS] = RI_OUTPUT("progress", "", "Progress of the motion by odometry [m, or rad of a turn]."),
    [ODOMETRY_X] = RI_OUTPUT("odometry_x", "m", "Where the rover believes to be; starts at the truth."),
    [ODOMETRY_Y] = RI_OUTPUT("odometry_y", "m", "Where the rover believes to be; starts at the truth."),
    [ODOMETRY_HEADING] = RI_OUTPUT("odometry_heading", "rad", "Where it believes to head; starts at the truth."),
    [BUSY] = RI_OUTPUT("busy", "", "1 while a command is carried out."),
    [COMPLETED] = RI_OUTPUT("completed", "", "Number of commands that have been completed."),
    [REFUSED] = RI_OUTPUT("refused", "", "1 after a command that cannot be carried out, until the next one."),
    [REASON] = RI_OUTPUT(
        "reason", "",
        "1 tighter than the steering allows: see nearest_radius; 2 crabbing needs all wheels steered; 3 no such "
        "command, or not a number; 4 the motors are colder than `cold_limit`."),
    [NEAREST_RADIUS] = RI_OUTPUT("nearest_radius", "m", "The tightest arc possible on that side."),
    [MOTOR_LEVEL] = RI_OUTPUT("motor_level", "", "1 at motor level; for the input `manual` of drive trains."),
    [SLIP] = RI_OUTPUT("slip", "", "Slip of this motion: of the way really gone against odometry, as slip of wheels."),
    [SLIP_ANGLE] = RI_OUTPUT("slip_angle", "rad", "From where the motion leads to where the rover goes."),
    [PATH_ERROR] = RI_OUTPUT("path_error", "m", "Distance from where the rover should be by its progress."),
    [HEADING_ERROR] = RI_OUTPUT("heading_error", "rad", "Heading over what it should be by the progress."),
    [BASE_SPEED] =
        RI_OUTPUT("base_speed", "m/s", "Commanded speed of the root link's origin; moves a robot without dynamics."),
    [BASE_TURN] = RI_OUTPUT("base_turn", "rad/s", "Commanded turn of the root link, likewise."),
    [BASE_DIRECTION] = RI_OUTPUT("base_direction", "rad", "Of that motion, left of the heading, likewise."),
};

/// A wheel in the plane of the root link.
typedef struct Wheel {
    int drive, steer;       // joints of the group; steer -1
    double x, y;            // from the reference point [m]
    double radius;          // [m]
    double heading;         // direction in which positive turns roll [rad]
    double straight, sense; // heading at steering 0, and its change per angle of the steering joint
} Wheel;

typedef struct Rover {
    Wheel wheels[WHEELS];
    int count, steered;
} Rover;

/// Where a motion wants the wheels.
typedef struct Plan {
    double steer[WHEELS]; // joint positions
    double rim[WHEELS];   // travel of the rim per progress, signed
    double fastest;
    int reason;
} Plan;

static double wrap(double angle)
{
    return angle - 2.0 * RI_PI * floor(angle / (2.0 * RI_PI) + 0.5);
}

// --- the robot's own geometry --------------------------------------------------------------------

/// A joint's origin and axis in axes of the root link.
static void in_base(const RiDeviceCall *call, int joint, RiVec3 *out_p, RiVec3 *out_axis)
{
    const RiGroupJoint *j = &call->joints[joint];
    const RiMat3 *R = &call->frame_pose.R;
    *out_p = ri_rotate_back(R, ri_sub(j->pose.p, call->frame_pose.p));
    *out_axis = ri_rotate_back(R, ri_rotate(&j->pose.R, j->axis));
}

/// The steering joint nearest to a wheel, within its radius; -1: it cannot be steered.
static int find_steering(const RiDeviceCall *call, RiVec3 wheel, double radius, double *out_up)
{
    int best = -1;
    for (int i = 0; i < call->joint_count; i++) {
        RiVec3 p, axis;
        in_base(call, i, &p, &axis);
        const double away = ri_hypot(p.x - wheel.x, p.y - wheel.y);
        if (fabs(axis.z) < 0.7 || away > radius)
            continue;
        radius = away;
        best = i;
        *out_up = axis.z > 0.0 ? 1.0 : -1.0;
    }
    return best;
}

static void add_wheel(const RiDeviceCall *call, int joint, Rover *r)
{
    RiVec3 p, axis;
    in_base(call, joint, &p, &axis);
    if (fabs(axis.z) >= 0.7 || r->count == WHEELS)
        return;
    const double own = call->joints[joint].wheel_radius, given = call->x[WHEEL_RADIUS];
    Wheel *w = &r->wheels[r->count++];
    *w = (Wheel){.drive = joint, .x = p.x, .y = p.y, .radius = given > 0.0 ? given : own, .sense = 1.0};
    w->heading = ri_atan2(-axis.x, axis.y); // axis x up
    w->steer = find_steering(call, p, own > 0.0 ? own : w->radius, &w->sense);
    w->straight = w->heading;
    if (w->steer >= 0)
        w->straight = wrap(w->heading - w->sense * call->joints[w->steer].position);
    r->steered += w->steer >= 0;
}

/// The wheels, from the reference point: on the axle of those that are not steered, or else at the
/// root link's origin.
static Rover find_wheels(const RiDeviceCall *call)
{
    Rover r = {.count = 0};
    double sum = 0.0;
    for (int i = 0; i < call->joint_count; i++)
        add_wheel(call, i, &r);
    for (int i = 0; i < r.count; i++)
        sum += r.wheels[i].steer < 0 ? r.wheels[i].x : 0.0;
    call->x[AXLE] = r.steered < r.count ? sum / (r.count - r.steered) : 0.0;
    for (int i = 0; i < r.count; i++)
        r.wheels[i].x -= call->x[AXLE];
    return r;
}

// --- planning ------------------------------------------------------------------------------------

/// Steering of a wheel along (vx, vy), forwards or backwards, whichever is within the limits and
/// nearer. False: neither is.
static bool steer_along(const RiDeviceCall *call, const Wheel *w, double vx, double vy, double *out_steer,
                        double *out_rim)
{
    const RiGroupJoint *j = &call->joints[w->steer];
    const double size = ri_hypot(vx, vy), slack = 1e-9;
    double nearest = INFINITY;
    for (int back = 0; back < 2; back++) {
        const double to = w->sense * wrap(ri_atan2(vy, vx) + (back ? RI_PI : 0.0) - w->straight);
        if (to < j->lower - slack || to > j->upper + slack || fabs(to - j->position) >= nearest)
            continue;
        nearest = fabs(to - j->position);
        *out_steer = to;
        *out_rim = back ? -size : size;
    }
    return nearest < INFINITY;
}

static Plan plan_motion(const RiDeviceCall *call, const Rover *r, double tx, double ty, double tw)
{
    Plan plan = {.reason = FINE};
    for (int i = 0; i < r->count; i++) {
        const Wheel *w = &r->wheels[i];
        const double vx = tx - tw * w->y, vy = ty + tw * w->x, size = ri_hypot(vx, vy);
        if (w->steer >= 0) {
            plan.steer[i] = call->joints[w->steer].position;
            if (size > 1e-9 && !steer_along(call, w, vx, vy, &plan.steer[i], &plan.rim[i]))
                plan.reason = TOO_TIGHT;
        } else {
            plan.rim[i] = vx * ri_cos(w->heading) + vy * ri_sin(w->heading);
            if (r->steered > 0 && ty != 0.0)
                plan.reason = NOT_ALL_STEER;
        }
        plan.fastest = fmax(plan.fastest, fabs(plan.rim[i]));
    }
    return plan;
}

/// The tightest arc on the side of a curvature that cannot be driven.
static double nearest_radius(const RiDeviceCall *call, const Rover *r, double sign, double curvature)
{
    double good = 0.0, bad = curvature;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (good + bad);
        *(plan_motion(call, r, sign, 0.0, sign * middle).reason == FINE ? &good : &bad) = middle;
    }
    return good != 0.0 ? 1.0 / good : 0.0; // 0: not even a wide one
}

static RiVec3 reference_point(const RiDeviceCall *call)
{
    return ri_add(call->frame_pose.p, ri_rotate(&call->frame_pose.R, ri_vec3(call->x[AXLE], 0.0, 0.0)));
}

/// Starts a motion of the given twist and goal, or refuses it.
static void begin(RiDeviceCall *call, const Rover *r, double tx, double ty, double tw, double goal)
{
    double *x = call->x;
    const Plan plan = plan_motion(call, r, tx, ty, tw);
    x[REASON] = !isfinite(tx + ty + tw + goal) ? NO_SENSE : x[TEMPERATURE] < x[COLD_LIMIT] ? TOO_COLD : plan.reason;
    x[REFUSED] = x[REASON] != FINE;
    x[NEAREST_RADIUS] = 0.0;
    if (x[REASON] == TOO_TIGHT && ty == 0.0)
        x[NEAREST_RADIUS] = tx != 0.0 ? nearest_radius(call, r, tx, tw / tx) : nearest_radius(call, r, 1.0, 1e3 * tw);
    if (x[REFUSED] != 0.0) {
        x[PHASE] = IDLE;
        x[NEXT_WAYPOINT] = 0.0;
        return;
    }
    const RiVec3 p = reference_point(call), e = ri_rotate(&call->frame_pose.R, ri_vec3(1.0, 0.0, 0.0)),
                 l = ri_rotate(&call->frame_pose.R, ri_vec3(0.0, 1.0, 0.0));
    const double now[] = {p.x, p.y, p.z, e.x, e.y, e.z, l.x, l.y, l.z};
    memcpy(x + START_X, now, sizeof now);
    x[TWIST_X] = tx, x[TWIST_Y] = ty, x[TWIST_W] = tw, x[GOAL] = goal;
    x[PHASE] = STEERING;
    x[RATE] = x[WAITED] = x[PROGRESS] = x[TRUE_WAY] = 0.0;
    x[SLIP] = x[SLIP_ANGLE] = x[PATH_ERROR] = x[HEADING_ERROR] = 0.0;
}

/// The next leg to a waypoint: a turn in place if it lies aside, or else the arc through it.
static void next_leg(RiDeviceCall *call, const Rover *r)
{
    double *x = call->x;
    const int next = (int)x[NEXT_WAYPOINT], count = (int)fmax(fmin(x[WAYPOINT_COUNT], WAYPOINTS), 0.0);
    if (next > count) {
        x[NEXT_WAYPOINT] = 0.0;
        x[COMPLETED] += 1.0;
        return;
    }
    const double dx = x[WAYPOINT + 2 * next - 2] - x[ODOMETRY_X], dy = x[WAYPOINT + 2 * next - 1] - x[ODOMETRY_Y];
    const double far = ri_hypot(dx, dy), bearing = wrap(ri_atan2(dy, dx) - x[ODOMETRY_HEADING]);
    if (far < 1e-3) {
        x[NEXT_WAYPOINT] += 1.0;
        return;
    }
    const double curvature = 2.0 * ri_sin(bearing) / far;
    if (fabs(bearing) > x[TURN_FIRST] || plan_motion(call, r, 1.0, 0.0, curvature).reason != FINE) {
        begin(call, r, 0.0, 0.0, bearing < 0.0 ? -1.0 : 1.0, fabs(bearing));
        return;
    }
    begin(call, r, 1.0, 0.0, curvature, fabs(bearing) > 1e-9 ? far * bearing / ri_sin(bearing) : far);
    x[NEXT_WAYPOINT] += 1.0;
}

/// Takes up what is commanded.
static void obey(RiDeviceCall *call, const Rover *r)
{
    double *x = call->x;
    const double back = x[LENGTH] < 0.0 ? -1.0 : 1.0, k = x[RADIUS] != 0.0 ? 1.0 / x[RADIUS] : 0.0;
    const double command = x[COMMAND];
    x[COMMAND] = DO_NOTHING;
    x[NEXT_WAYPOINT] = 0.0;
    if (command == DO_ARC)
        begin(call, r, back, 0.0, back * k, fabs(x[LENGTH]));
    else if (command == DO_TURN)
        begin(call, r, 0.0, 0.0, x[ANGLE] < 0.0 ? -1.0 : 1.0, fabs(x[ANGLE]));
    else if (command == DO_CRAB)
        begin(call, r, back * ri_cos(x[DIRECTION]), back * ri_sin(x[DIRECTION]), 0.0, fabs(x[LENGTH]));
    else if (command == DO_WAYPOINTS)
        x[PHASE] = IDLE, x[NEXT_WAYPOINT] = 1.0;
    else if (command == DO_STOP)
        x[PHASE] = IDLE;
    else
        begin(call, r, NAN, 0.0, 0.0, 0.0);
}

// --- carrying out --------------------------------------------------------------------------------

static double median(double *x, int n)
{
    for (int i = 1; i < n; i++) {
        const double value = x[i];
        int at = i;
        for (; at > 0 && x[at - 1] > value; at--)
            x[at] = x[at - 1];
        x[at] = value;
    }
    return n == 0 ? 0.0 : n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/// Turns of the wheels since the last update, as encoders see them, into progress.
static double read_odometry(RiDeviceCall *call, const Rover *r, const Plan *plan)
{
    double made[WHEELS];
    int n = 0;
    const double step = call->x[RESOLUTION] > 0.0 ? 2.0 * RI_PI / call->x[RESOLUTION] : 0.0;
    for (int i = 0; i < r->count; i++) {
        const Wheel *w = &r->wheels[i];
        const double angle = ri_round_to(call->joints[w->drive].position, step);
        const double rolled = w->radius * (angle - call->commands[w->drive].memory);
        call->commands[w->drive].memory = angle;
        if (fabs(plan->rim[i]) > 0.05 * plan->fastest)
            made[n++] = rolled / plan->rim[i];
    }
    return median(made, n);
}

/// Dead reckoning along the twist.
static void reckon(double *x, double progress)
{
    const double turn = x[TWIST_W] * progress, middle = x[ODOMETRY_HEADING] + 0.5 * turn, c = ri_cos(middle),
                 s = ri_sin(middle);
    x[PROGRESS] += progress;
    x[ODOMETRY_X] += progress * (x[TWIST_X] * c - x[TWIST_Y] * s);
    x[ODOMETRY_Y] += progress * (x[TWIST_X] * s + x[TWIST_Y] * c);
    x[ODOMETRY_HEADING] = wrap(x[ODOMETRY_HEADING] + turn);
}

static RiVec3 at3(const double *x)
{
    return ri_vec3(x[0], x[1], x[2]);
}

/// Velocity of the reference point ahead and aside along the motion, and the turn, in axes of the
/// root link.
static void compare_motion(RiDeviceCall *call)
{
    double *x = call->x;
    const RiMat3 *R = &call->frame_pose.R;
    const RiVec3 arm = ri_rotate(R, ri_vec3(x[AXLE], 0.0, 0.0));
    const RiVec3 w = ri_rotate_back(R, call->frame_velocity.ang);
    const RiVec3 v = ri_rotate_back(R, ri_add(call->frame_velocity.lin, ri_cross(call->frame_velocity.ang, arm)));
    const bool turns = x[TWIST_X] == 0.0 && x[TWIST_Y] == 0.0;
    const double along = v.x * x[TWIST_X] + v.y * x[TWIST_Y], aside = v.y * x[TWIST_X] - v.x * x[TWIST_Y];
    x[TRUE_WAY] += call->dt * (turns ? w.z * x[TWIST_W] : along);
    x[SLIP_ANGLE] = !turns && ri_hypot(along, aside) > 1e-4 ? ri_atan2(aside, along) : 0.0;
    x[SLIP] = x[PROGRESS] > 1e-3 ? ri_slip(x[TRUE_WAY], x[PROGRESS]) : 0.0;
}

/// Where the robot is against where its progress would have brought it.
static void compare_place(RiDeviceCall *call)
{
    double *x = call->x;
    const double s = x[PROGRESS], turn = x[TWIST_W] * s, k = x[TWIST_W];
    const double a = fabs(turn) > 1e-9 ? ri_sin(turn) / k : s, b = fabs(turn) > 1e-9 ? (1.0 - ri_cos(turn)) / k : 0.0;
    const RiVec3 ahead = at3(x + AHEAD_X), left = at3(x + LEFT_X);
    const RiVec3 d = ri_sub(reference_point(call), at3(x + START_X));
    const RiVec3 nose = ri_rotate(&call->frame_pose.R, ri_vec3(1.0, 0.0, 0.0));
    const double ex = ri_dot(d, ahead) - (x[TWIST_X] * a - x[TWIST_Y] * b);
    const double ey = ri_dot(d, left) - (x[TWIST_X] * b + x[TWIST_Y] * a);
    x[PATH_ERROR] = ri_hypot(ex, ey);
    x[HEADING_ERROR] = wrap(ri_atan2(ri_dot(nose, left), ri_dot(nose, ahead)) - turn);
}

/// Set-points of the motors for a rate of progress.
static void command_motors(RiDeviceCall *call, const Rover *r, const Plan *plan, double rate)
{
    for (int i = 0; i < r->count; i++) {
        const Wheel *w = &r->wheels[i];
        RiGroupCommand *drive = &call->commands[w->drive];
        drive->rate = plan->rim[i] * rate / w->radius;
        drive->position += drive->rate * call->dt;
        if (w->steer >= 0)
            call->commands[w->steer].position = plan->steer[i];
    }
}

/// No wheel turns; the steering stays as it is.
static void stand(RiDeviceCall *call, const Rover *r)
{
    for (int i = 0; i < r->count; i++)
        call->commands[r->wheels[i].drive].rate = 0.0;
    call->x[RATE] = 0.0;
}

/// True once every steering stands where it shall, or time is up.
static bool has_steered(RiDeviceCall *call, const Rover *r, const Plan *plan)
{
    double *x = call->x, worst = 0.0;
    for (int i = 0; i < r->count; i++)
        if (r->wheels[i].steer >= 0)
            worst = fmax(worst, fabs(call->joints[r->wheels[i].steer].position - plan->steer[i]));
    x[WAITED] += call->dt;
    return worst <= x[STEER_TOLERANCE] || x[WAITED] > x[STEER_TIME];
}

/// Rate of progress for the next update: up with the acceleration, down to the goal.
static double next_rate(const RiDeviceCall *call, const Plan *plan)
{
    const double *x = call->x, scale = fmax(plan->fastest, 1e-9), a = x[ACCELERATION] / scale;
    const double left = fmax(0.0, x[GOAL] - x[PROGRESS]);
    return fmin(fmin(x[SPEED] / scale, x[RATE] + a * call->dt), sqrt(2.0 * a * left));
}

static void drive(RiDeviceCall *call, const Rover *r)
{
    double *x = call->x;
    const Plan plan = plan_motion(call, r, x[TWIST_X], x[TWIST_Y], x[TWIST_W]);
    const double made = read_odometry(call, r, &plan);
    if (x[PHASE] == IDLE) {
        stand(call, r);
        return;
    }
    if (x[POWERED] == 0.0) { // wheels may still roll, and odometry sees it
        if (x[PHASE] == DRIVING)
            reckon(x, made);
        stand(call, r);
        return;
    }
    if (x[PHASE] == STEERING) {
        x[PHASE] = has_steered(call, r, &plan) ? DRIVING : STEERING;
        command_motors(call, r, &plan, 0.0);
        return;
    }
    reckon(x, made);
    compare_motion(call);
    compare_place(call);
    const double close = 1e-4 * (1.0 + x[GOAL]);
    x[RATE] = next_rate(call, &plan);
    if (x[GOAL] - x[PROGRESS] < close) {
        x[RATE] = 0.0;
        x[PHASE] = IDLE;
        x[COMPLETED] += x[NEXT_WAYPOINT] == 0.0;
    }
    command_motors(call, r, &plan, x[RATE]);
}

/// The motion of the root link's origin, for robots that are placed along it.
static void move_base(double *x)
{
    const double vx = x[TWIST_X], vy = x[TWIST_Y] - x[TWIST_W] * x[AXLE];
    x[BASE_SPEED] = x[RATE] * ri_hypot(vx, vy);
    x[BASE_TURN] = x[RATE] * x[TWIST_W];
    x[BASE_DIRECTION] = x[BASE_SPEED] > 0.0 ? ri_atan2(vy, vx) : 0.0;
}

static const char *start(RiDeviceCall *call)
{
    double *x = call->x;
    if (!ri_is_positive(x[SPEED]) || !ri_is_positive(x[ACCELERATION]))
        return "'speed' and 'acceleration' must be positive";
    if (!ri_is_size(x[STEER_TOLERANCE]) || !ri_is_size(x[STEER_TIME]))
        return "'steer_tolerance' and 'steer_time' must be finite";
    if (!ri_is_size(x[RESOLUTION]) || !ri_is_size(x[WHEEL_RADIUS]))
        return "'resolution' and 'wheel_radius' must be positive, or 0 for the robot's own";
    const Rover r = find_wheels(call);
    if (r.count < 2)
        return "needs at least two joints in its group that turn wheels: their axes lie across the root link's z axis";
    for (int i = 0; i < r.count; i++)
        if (!(r.wheels[i].radius > 0.0))
            return "a joint of the group turns no wheel that can touch: give 'wheel_radius', or a group without it";
    for (int i = 0; i < call->joint_count; i++)
        call->commands[i].position = call->commands[i].memory = call->joints[i].position;
    const RiVec3 p = reference_point(call), nose = ri_rotate(&call->frame_pose.R, ri_vec3(1.0, 0.0, 0.0));
    x[ODOMETRY_X] = p.x;
    x[ODOMETRY_Y] = p.y;
    x[ODOMETRY_HEADING] = ri_atan2(nose.y, nose.x);
    return NULL;
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    const Rover r = find_wheels(call);
    x[MOTOR_LEVEL] = x[LEVEL] != 0.0;
    if (x[MOTOR_LEVEL] != 0.0)
        x[PHASE] = IDLE, x[NEXT_WAYPOINT] = 0.0;
    else if (x[COMMAND] != DO_NOTHING)
        obey(call, &r);
    if (x[PHASE] == IDLE && x[NEXT_WAYPOINT] > 0.0)
        next_leg(call, &r);
    drive(call, &r);
    move_base(x);
    x[BUSY] = x[PHASE] != IDLE || x[NEXT_WAYPOINT] > 0.0;
}

/// The waypoint is used as an index.
static const char *check_state(const RiDeviceCall *call)
{
    return call->x[NEXT_WAYPOINT] == floor(call->x[NEXT_WAYPOINT]) ? NULL : "'next_waypoint' is not a whole number";
}

const RiDeviceClass ri_locomotion = {
    .abi = RI_DEVICE_ABI,
    .name = "locomotion",
    .doc = "Arcs, turns, crabbing and waypoints of a wheeled rover, complete when odometry says so.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
    .check_state = check_state,
};
