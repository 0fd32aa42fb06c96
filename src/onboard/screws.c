// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screw speeds for a commanded motion of the body.
///
/// A screw with axis a, radius R and lead angle L (t = tan L, negative for a left-handed thread)
/// touches the ground, or one of two walls, on the side opposite to the surface's normal n, of
/// which the part across the axis counts. Its thread runs there along c + t a, with c = n x a
/// across the axis; it holds across the thread, along g = a - t c. The point of contact must not
/// move in that direction. With u the velocity of the screw's axis and w its turn the point moves
/// with u + w R c, so
///
///     g . (u + w R c) = 0     ->     w = g . u / (R t)
///
/// one equation per screw, u = v + yaw x r from the commanded motion. A straight screw that
/// advances by its lead per turn is the case u = v a. Where two screws are geared, the turn of the
/// driver is the least-squares solution of both equations. Where the ground holds across the thread
/// only E times better than along it, a pair of opposite hands slips and advances less [acceptance:
/// v = w R t (E - 1) / (E + t^2)], so the speeds are raised by (E + t^2) / (E - 1).
///
/// The motion that the turns represent (after the speed limit) is the least-squares solution of all
/// equations over vx, vy and yaw rate, the smallest where several are (a straight robot whose
/// screws have one hand does not hold along its thread). Test: tests/onboard/test_screws.c.
#include "base/functions.h"
#include "onboard/onboard.h"

enum {
    MAX_SPEED,
    ACCELERATION,
    ANISOTROPY,
    GEAR,
    WALL_X,
    WALL_Y,
    WALL_Z,
    HEADING_GAIN,
    VX,
    VY,
    YAW_RATE,
    SCALE,
    HEADING,
    EXPECTED_VX,
    EXPECTED_VY,
    EXPECTED_YAW,
    RESIDUAL,
    COUNT
};

static const RiPort ports[COUNT] = {
    [MAX_SPEED] = RI_PARAMETER("max_speed", "rad/s", 0.0, 0.0, INFINITY,
                               "Largest speed of a screw; 0: that of its joint. All are slowed down together."),
    [ACCELERATION] = RI_PARAMETER("acceleration", "rad/s^2", 0.0, 0.0, INFINITY,
                                  "Largest change of a screw's speed per second; 0 means none."),
    [ANISOTROPY] =
        RI_PARAMETER("anisotropy", "", 0.0, 0.0, INFINITY,
                     "E, how much better the ground holds across the thread than along it; 0: no slip is assumed."),
    [GEAR] = RI_ANY_PARAMETER("gear", "", 0.0,
                              "Turns of every second screw of the group per turn of the one before it; 0: not geared."),
    [WALL_X] =
        RI_PARAMETER("wall_x", "", 0.0, -1.0, 1.0,
                     "Normal of two walls between which the robot is wedged, world axes; all 0: the ground is below."),
    [WALL_Y] = RI_PARAMETER("wall_y", "", 0.0, -1.0, 1.0, "The same, y."),
    [WALL_Z] = RI_PARAMETER("wall_z", "", 0.0, -1.0, 1.0, "The same, z."),
    [HEADING_GAIN] = RI_PARAMETER("heading_gain", "1/s", 0.0, 0.0, INFINITY,
                                  "Between walls: turn per second against the body's lean from the vertical."),
    [VX] = RI_INPUT("vx", "m/s", "Velocity along the body, tail to head; between walls: upwards."),
    [VY] = RI_INPUT("vy", "m/s", "Velocity to the left of that, on the ground or along the walls."),
    [YAW_RATE] =
        RI_INPUT("yaw_rate", "rad/s", "Turn about the ground's or the walls' normal through the middle of the screws."),
    [SCALE] = RI_OUTPUT("scale", "", "Share of the command that the speed limit leaves."),
    [HEADING] = RI_OUTPUT("heading", "rad", "Lean of the body from the vertical between walls; 0 on the ground."),
    [EXPECTED_VX] = RI_OUTPUT("expected_vx", "m/s", "Motion that the screws' turns stand for, along the first axis."),
    [EXPECTED_VY] = RI_OUTPUT("expected_vy", "m/s", "The same along the second axis."),
    [EXPECTED_YAW] = RI_OUTPUT("expected_yaw_rate", "rad/s", "The same about the vertical."),
    [RESIDUAL] = RI_OUTPUT("residual", "m/s", "Root mean square of what the screws' equations disagree by."),
};

/// The frame in which motion is commanded: x forwards, y left, up along the normal of the ground or
/// the walls.
typedef struct Body {
    RiVec3 x, y, up, centre;
    bool walls;
    double lean; ///< of the line from the first to the last screw against x, about up
} Body;

/// The equation of a screw: grip . u = turn * w.
typedef struct Row {
    RiVec3 grip, arm;
    double turn;
} Row;

static RiVec3 unit_or(RiVec3 v, RiVec3 other)
{
    const double n = ri_norm(v);
    return n > 1e-9 ? ri_scale(1.0 / n, v) : other;
}

/// Forwards is along the robot from its first to its last screw (with one, along its axis); between
/// walls it is upwards.
static Body find_body(const RiDeviceCall *call)
{
    const RiGroupJoint *first = &call->joints[0], *last = &call->joints[call->joint_count - 1];
    const RiVec3 wall = ri_vec3(call->x[WALL_X], call->x[WALL_Y], call->x[WALL_Z]);
    const RiVec3 sky = ri_scale(-1.0, call->gravity);
    const RiVec3 along = unit_or(ri_sub(last->pose.p, first->pose.p), ri_rotate(&first->pose.R, first->thread_axis));
    Body b = {.walls = ri_norm(wall) > 0.0};
    b.up = b.walls ? unit_or(wall, wall) : unit_or(sky, ri_mat3_col(&call->frame_pose.R, 2));
    const RiVec3 ahead = b.walls && ri_norm(ri_cross(b.up, sky)) > 1e-9 ? sky : along;
    b.y = unit_or(ri_cross(b.up, ahead), ri_mat3_col(&call->frame_pose.R, 1));
    b.x = ri_cross(b.y, b.up);
    b.lean = b.walls ? ri_atan2(ri_dot(along, b.y), ri_dot(along, b.x)) : 0.0;
    for (int i = 0; i < call->joint_count; i++)
        b.centre = ri_add(b.centre, ri_scale(1.0 / call->joint_count, call->joints[i].pose.p));
    return b;
}

/// The equation of screw i, turns counted about its joint's axis.
static Row find_row(const RiDeviceCall *call, const Body *b, int i)
{
    const RiGroupJoint *joint = &call->joints[i];
    const double tangent = joint->thread_lead / (2.0 * RI_PI * joint->thread_radius), E = call->x[ANISOTROPY];
    const RiVec3 a = ri_rotate(&joint->pose.R, joint->thread_axis);
    Row row = {.arm = ri_sub(joint->pose.p, b->centre)};
    const RiVec3 n = b->walls && ri_dot(row.arm, b->up) > 0.0 ? ri_scale(-1.0, b->up) : b->up; // the nearer wall's
    const RiVec3 across = ri_cross(unit_or(ri_sub(n, ri_scale(ri_dot(n, a), a)), ri_vec3(0.0, 0.0, 0.0)), a);
    const double slip = E > 0.0 ? (E - 1.0) / (E + tangent * tangent) : 1.0;
    row.grip = ri_sub(a, ri_scale(tangent, across));
    row.turn = slip * joint->thread_radius * tangent * (ri_dot(joint->axis, joint->thread_axis) < 0.0 ? -1.0 : 1.0);
    return row;
}

/// Solves the symmetric positive definite A x = b of three unknowns by Cholesky's method, in place.
static void solve3(double A[3][3], double b[3])
{
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < k; j++)
            A[k][k] -= A[k][j] * A[k][j];
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < 3; i++) {
            for (int j = 0; j < k; j++)
                A[i][k] -= A[i][j] * A[k][j];
            A[i][k] /= A[k][k];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++)
            b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
    for (int i = 2; i >= 0; i--) {
        for (int j = i + 1; j < 3; j++)
            b[i] -= A[j][i] * b[j];
        b[i] /= A[i][i];
    }
}

static void coefficients(const Body *b, const Row *row, double out[3])
{
    out[0] = ri_dot(row->grip, b->x);
    out[1] = ri_dot(row->grip, b->y);
    out[2] = ri_dot(row->grip, ri_cross(b->up, row->arm));
}

/// The motion that the commanded turns represent, and what the equations disagree by.
static void expect(RiDeviceCall *call, const Body *b)
{
    double A[3][3] = {{0.0}}, rhs[3] = {0.0}, c[3], left = 0.0;
    for (int i = 0; i < call->joint_count; i++) {
        const Row row = find_row(call, b, i);
        coefficients(b, &row, c);
        const double want = row.turn * call->commands[i].rate;
        for (int k = 0; k < 3; k++) {
            rhs[k] += c[k] * want;
            for (int j = 0; j < 3; j++)
                A[k][j] += c[k] * c[j];
        }
    }
    const double floor = 1e-9 * (1.0 + A[0][0] + A[1][1] + A[2][2]); // the smallest of several solutions
    for (int k = 0; k < 3; k++)
        A[k][k] += floor;
    solve3(A, rhs);
    for (int i = 0; i < call->joint_count; i++) {
        const Row row = find_row(call, b, i);
        coefficients(b, &row, c);
        const double want = row.turn * call->commands[i].rate;
        const double off = c[0] * rhs[0] + c[1] * rhs[1] + c[2] * rhs[2] - want;
        left += off * off / call->joint_count;
    }
    call->x[EXPECTED_VX] = rhs[0];
    call->x[EXPECTED_VY] = rhs[1];
    call->x[EXPECTED_YAW] = rhs[2];
    call->x[RESIDUAL] = sqrt(left);
}

/// Turns of the screws, geared ones in pairs; returns the share that the slowest limit leaves.
static double allocate(RiDeviceCall *call, const Body *b)
{
    const double *x = call->x, gear = x[GEAR];
    const RiVec3 v = ri_add(ri_scale(x[VX], b->x), ri_scale(x[VY], b->y));
    const double yaw_rate = x[YAW_RATE] - x[HEADING_GAIN] * b->lean;
    double share = 1.0;
    for (int i = 0; i < call->joint_count; i++) {
        const Row row = find_row(call, b, i);
        const RiVec3 u = ri_add(v, ri_scale(yaw_rate, ri_cross(b->up, row.arm)));
        call->commands[i].rate = ri_dot(row.grip, u) / row.turn;
        if (gear != 0.0 && i % 2 == 1) { // the pair's equations: turn_0 w = need_0, turn_1 gear w = need_1
            const double turn0 = find_row(call, b, i - 1).turn, turn1 = gear * row.turn;
            const double need0 = turn0 * call->commands[i - 1].rate, need1 = row.turn * call->commands[i].rate;
            const double w = (turn0 * need0 + turn1 * need1) / (turn0 * turn0 + turn1 * turn1);
            call->commands[i - 1].rate = w;
            call->commands[i].rate = gear * w;
        }
    }
    for (int i = 0; i < call->joint_count; i++) {
        const double most = x[MAX_SPEED] > 0.0 ? x[MAX_SPEED] : call->joints[i].max_rate;
        share = fmin(share, most / fmax(most, fabs(call->commands[i].rate)));
    }
    return share;
}

static const char *start(RiDeviceCall *call)
{
    const double *x = call->x;
    for (int i = 0; i < call->joint_count; i++)
        if (call->joints[i].thread_radius <= 0.0)
            return "a joint of the group turns no screw, or the scene has no contact";
    if (x[ANISOTROPY] != 0.0 && !(x[ANISOTROPY] > 1.0 && x[ANISOTROPY] < INFINITY))
        return "'anisotropy' must be 0 or more than 1: a screw that slips the same in all directions does not drive";
    if (x[GEAR] != 0.0 && call->joint_count % 2 == 1)
        return "'gear' needs an even number of screws in the group";
    return NULL;
}

static void update(RiDeviceCall *call)
{
    if (call->joint_count == 0)
        return;
    const Body b = find_body(call);
    const double share = allocate(call, &b);
    const double most = call->x[ACCELERATION] * call->dt;
    for (int i = 0; i < call->joint_count; i++) {
        RiGroupCommand *c = &call->commands[i];
        const double want = isfinite(share) ? share * c->rate : c->rate;
        c->rate = c->memory += ri_bound(want - c->memory, most);
        c->position += c->rate * call->dt;
    }
    call->x[SCALE] = isfinite(share) ? share : 1.0;
    call->x[HEADING] = b.lean;
    expect(call, &b);
}

const RiDeviceClass ri_screw_allocation = {
    .abi = RI_DEVICE_ABI,
    .name = "screw_allocation",
    .doc = "Speeds of screws for a commanded motion of the body.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
};
