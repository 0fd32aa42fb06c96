// SPDX-License-Identifier: Apache-2.0
/// \file
/// Motion that is asked for: velocities of a rover or snake, goals, trajectories of joints.
///
/// **cmd_vel of a rover.** A locomotion device drives arcs, so a twist (v, w) becomes the arc of
/// radius v/w, without end, or a turn in place. The device's `speed` is that of the fastest rim;
/// with wheels at (x, y) from the reference point, the body's speed v needs
///
///     speed = |v| max_i sqrt((R - y_i)^2 + x_i^2) / |R|,   R = v/w;   of a turn in place |w| max_i sqrt(x_i^2 + y_i^2)
///
/// **Where a device `navigation` commands the locomotion device**, each topic takes over one of its
/// levels: set-points of motors 0, cmd_vel 1 (by its manual inputs), goal_pose 3. Test:
/// tests/link/test_ros.c.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/functions.h"
#include "link/ros/work.h"

/// Named values of what drives, in RiRos.ports.
enum { SPEED, COMMAND, RADIUS, LENGTH, ANGLE, DIRECTION, WAYPOINTS, X1, Y1, AXLE, BUSY, LEVEL, VX, VY, YAW, PORTS };
static const char *const port_names[PORTS] = {"speed",     "command",   "radius", "length", "angle",
                                              "direction", "waypoints", "x1",     "y1",     "axle",
                                              "busy",      "level",     "vx",     "vy",     "yaw_rate"};
/// The same of a device `navigation` that commands it, in RiRos.nav; NULL: it has none.
static const char *const nav_names[PORTS] = {[COMMAND] = "manual_command",
                                             [RADIUS] = "manual_radius",
                                             [LENGTH] = "manual_length",
                                             [ANGLE] = "manual_angle",
                                             [DIRECTION] = "manual_direction",
                                             [WAYPOINTS] = "goals",
                                             [X1] = "x1",
                                             [Y1] = "y1",
                                             [LEVEL] = "level"};
/// Who decides, by the number that navigation gives its levels.
typedef enum Level { BY_MOTOR, BY_LOCOMOTION, BY_GOAL = 3 } Level;
static const char *const base_names[] = {"drive.speed", "drive.turn", "drive.direction"};
enum { ARC = 1, TURN, CRAB, GO, STOP };
static const double endless = 1e6; ///< length of an arc that another command ends [m]

static bool refuse(char why[RI_ROS_WHY], const char *text)
{
    snprintf(why, RI_ROS_WHY, "%s", text);
    return false;
}

static double read_port(const RiRos *r, int port)
{
    return r->ports[port] >= 0 ? ri_values_read(ri_sim_values(r->sim), r->ports[port]) : 0.0;
}

static bool write_value(RiRos *r, int value, double x, char why[RI_ROS_WHY])
{
    if (value < 0 || ri_values_write(ri_sim_values(r->sim), value, x) == RI_OK)
        return true;
    snprintf(why, RI_ROS_WHY, "%.200s", ri_context_message(r->ctx));
    ri_context_clear(r->ctx);
    return false;
}

// --- what drives ---------------------------------------------------------------------------------

/// Places of the wheels in the root link's frame, from the pose that the robot has now.
static void find_wheels(RiRos *r)
{
    const RiSpec *spec = ri_scene_spec(r->scene);
    const RiModel *m = ri_sim_model(r->sim);
    const RiPose root = ri_dyn_frame_pose(ri_sim_dyn(r->sim), 0), inverse = ri_pose_inverse(&root);
    if (!(r->wheels = calloc((size_t)spec->wheel_count + 1, sizeof *r->wheels)))
        return;
    for (int i = 0; i < spec->wheel_count; i++) {
        const int link = ri_model_find_link(m, spec->wheels[i].link);
        if (link >= 0)
            r->wheels[r->wheel_count++] = ri_pose_point(&inverse, ri_dyn_frame_pose(ri_sim_dyn(r->sim), link).p);
    }
}

/// The device `navigation` whose output the locomotion device's command is read from; -1: none.
static int find_navigation(const RiRos *r)
{
    const char *source = ri_sim_device_source(r->sim, r->device, "command");
    for (int i = 0; source && i < ri_sim_device_count(r->sim); i++) {
        const RiDeviceInfo d = ri_sim_device(r->sim, i);
        const size_t length = strlen(d.name);
        if (strcmp(d.device->name, "navigation") == 0 && strncmp(source, d.name, length) == 0 &&
            strcmp(source + length, ".drive_command") == 0)
            return i;
    }
    return -1;
}

/// A port of the device `navigation` as a named value.
static int nav_value(const RiRos *r, const char *port)
{
    char name[512];
    snprintf(name, sizeof name, "%.300s.%s", ri_sim_device(r->sim, r->nav).name, port);
    return ri_values_find(ri_sim_values(r->sim), name);
}

/// Where navigation commands the rover, its inputs are those that are open to others.
static void find_nav_ports(RiRos *r)
{
    r->nav = find_navigation(r);
    for (int k = 0; r->nav >= 0 && k < PORTS; k++)
        if (nav_names[k])
            r->ports[k] = nav_value(r, nav_names[k]);
}

void ri_ros_find_drive(RiRos *r)
{
    const RiValues *t = ri_sim_values(r->sim);
    char name[512];
    for (int k = 0; k < PORTS; k++)
        r->ports[k] = -1;
    for (int i = 0; i < ri_sim_device_count(r->sim) && !r->drive; i++) {
        const RiDeviceInfo d = ri_sim_device(r->sim, i);
        if (strcmp(d.device->name, "locomotion") == 0)
            r->drive = RI_ROS_DRIVE_ROVER;
        else if (strcmp(d.device->name, "screw_allocation") == 0 && !ri_sim_device_source(r->sim, i, "vx"))
            r->drive = RI_ROS_DRIVE_SCREWS;
        for (int k = 0; r->drive && k < PORTS; k++) {
            snprintf(name, sizeof name, "%.300s.%s", d.name, port_names[k]);
            r->ports[k] = ri_values_find(t, name);
        }
        r->device = r->drive ? i : -1;
    }
    if (!r->drive && ri_values_find(t, base_names[0]) >= 0)
        r->drive = RI_ROS_DRIVE_BASE;
    r->nav = -1;
    if (r->drive != RI_ROS_DRIVE_ROVER)
        return;
    find_wheels(r);
    find_nav_ports(r);
}

/// Hands the decision to a level. Without navigation there are two: motors, and what drives them.
static bool take_level(RiRos *r, Level level, char why[RI_ROS_WHY])
{
    return write_value(r, r->ports[LEVEL], r->nav >= 0 ? (double)level : level == BY_MOTOR, why);
}

// --- velocities ----------------------------------------------------------------------------------

/// Speed of the fastest wheel for a unit of body speed on an arc, or of turn rate about the
/// reference point (radius 0).
static double fastest(const RiRos *r, double radius)
{
    const double axle = read_port(r, AXLE);
    double most = radius != 0.0 ? 1.0 : 0.5;
    for (int i = 0; i < r->wheel_count; i++) {
        const double way = ri_hypot(radius - r->wheels[i].y, r->wheels[i].x - axle);
        most = fmax(most, radius != 0.0 ? way / fabs(radius) : way);
    }
    return most;
}

static bool command_rover(RiRos *r, int command, double speed, char why[RI_ROS_WHY])
{
    if (command != STOP && r->scene_speed == 0.0)
        r->scene_speed = read_port(r, SPEED);
    return take_level(r, BY_LOCOMOTION, why) && (command == STOP || write_value(r, r->ports[SPEED], speed, why)) &&
           write_value(r, r->ports[COMMAND], command, why);
}

static bool drive_rover(RiRos *r, RiVec3 v, double w, char why[RI_ROS_WHY])
{
    const double still = 1e-6, speed = ri_hypot(v.x, v.y);
    if (speed < still && fabs(w) < still)
        return command_rover(r, STOP, 0.0, why);
    if (speed < still)
        return write_value(r, r->ports[ANGLE], copysign(endless, w), why) &&
               command_rover(r, TURN, fabs(w) * fastest(r, 0.0), why);
    if (fabs(v.y) > 1e-3 * speed) {
        if (fabs(w) > still)
            return refuse(why, "a rover crabs or turns, not both: give linear.y or angular.z");
        return write_value(r, r->ports[DIRECTION], ri_atan2(v.y, v.x), why) &&
               write_value(r, r->ports[LENGTH], endless, why) && command_rover(r, CRAB, speed, why);
    }
    const double radius = fabs(w) > 1e-6 * speed ? v.x / w : 0.0;
    return write_value(r, r->ports[RADIUS], radius, why) &&
           write_value(r, r->ports[LENGTH], copysign(endless, v.x), why) &&
           command_rover(r, ARC, speed * (radius != 0.0 ? fastest(r, radius) : 1.0), why);
}

static bool drive_base(RiRos *r, RiVec3 v, double w, char why[RI_ROS_WHY])
{
    const RiValues *t = ri_sim_values(r->sim);
    const bool crab = fabs(v.y) > 1e-3 * fabs(v.x);
    const double x[3] = {crab ? ri_hypot(v.x, v.y) : v.x, w, crab ? ri_atan2(v.y, v.x) : 0.0};
    for (int i = 0; i < 3; i++)
        if (!write_value(r, ri_values_find(t, base_names[i]), x[i], why))
            return false;
    return true;
}

bool ri_ros_twist(RiRos *r, RiVec3 v, RiVec3 w, char why[RI_ROS_WHY])
{
    const bool same = r->moving && v.x == r->linear.x && v.y == r->linear.y && w.z == r->angular.z;
    bool done = true;
    switch (r->drive) {
    case RI_ROS_DRIVE_NONE:
        return refuse(why,
                      "nothing in this scene drives the robot: it needs a device locomotion or screw_allocation, or "
                      "mode kinematic");
    case RI_ROS_DRIVE_ROVER: // a repeated command would restart the steering
        done = (same && read_port(r, BUSY) > 0.0) || drive_rover(r, v, w.z, why);
        break;
    case RI_ROS_DRIVE_SCREWS:
        done = write_value(r, r->ports[VX], v.x, why) && write_value(r, r->ports[VY], v.y, why) &&
               write_value(r, r->ports[YAW], w.z, why);
        break;
    case RI_ROS_DRIVE_BASE:
        done = drive_base(r, v, w.z, why);
        break;
    }
    if (!done)
        return false;
    r->linear = v;
    r->angular = w;
    r->twist_time = ri_sim_time(r->sim);
    r->moving = v.x != 0.0 || v.y != 0.0 || w.z != 0.0;
    return true;
}

/// Pose of the rover in the plane, as the truth has it.
static RiPose true_pose(const RiRos *r)
{
    const RiPose truth = ri_dyn_frame_pose(ri_sim_dyn(r->sim), 0);
    RiPose p = ri_pose_identity();
    p.p = ri_vec3(truth.p.x, truth.p.y, 0.0);
    p.R = ri_mat3_rpy(0.0, 0.0, ri_atan2(truth.R.m[1][0], truth.R.m[0][0]));
    return p;
}

/// Pose of the rover as the one who drives to goals believes it: navigation by what its inputs are
/// connected to, locomotion by odometry.
static RiPose believed_pose(const RiRos *r)
{
    double x[4] = {0.0};
    const char *const names[4] = {"x", "y", "heading", "axle"};
    if (r->nav < 0)
        return ri_ros_odometry_pose(r);
    RiPose p = true_pose(r);
    for (int k = 0; k < 4; k++) {
        const char *source = ri_sim_device_source(r->sim, r->nav, names[k]);
        if (!source && k < 3)
            return p; // it knows the truth
        const int value = source ? ri_values_find(ri_sim_values(r->sim), source) : nav_value(r, names[k]);
        x[k] = value >= 0 ? ri_values_read(ri_sim_values(r->sim), value) : 0.0;
    }
    p.p = ri_vec3(x[0] - x[3] * ri_cos(x[2]), x[1] - x[3] * ri_sin(x[2]), 0.0);
    p.R = ri_mat3_rpy(0.0, 0.0, x[2]);
    return p;
}

/// A place of a frame in which the rover is at `from`, in the one in which it is at `to`.
static RiVec3 carry(RiPose from, RiPose to, RiVec3 p)
{
    const RiPose inverse = ri_pose_inverse(&from);
    return ri_pose_point(&to, ri_pose_point(&inverse, ri_vec3(p.x, p.y, 0.0)));
}

/// Sets it going, after the goal.
static bool command_goal(RiRos *r, char why[RI_ROS_WHY])
{
    return r->nav < 0 ? write_value(r, r->ports[COMMAND], GO, why) : write_value(r, nav_value(r, "command"), 1.0, why);
}

bool ri_ros_goal(RiRos *r, RiVec3 p, const char *frame, char why[RI_ROS_WHY])
{
    if (r->drive != RI_ROS_DRIVE_ROVER)
        return refuse(why, "goals need a device locomotion");
    const bool map = strcmp(frame, "world") == 0 || strcmp(frame, "map") == 0;
    if (!map && frame[0] && strcmp(frame, r->odom_frame) != 0) {
        snprintf(why, RI_ROS_WHY, "the frame must be '%.60s', 'map' or 'world', not '%.80s'", r->odom_frame, frame);
        return false;
    }
    p = carry(map ? true_pose(r) : ri_ros_odometry_pose(r), believed_pose(r), p);
    r->moving = false;
    if (r->scene_speed > 0.0 && !write_value(r, r->ports[SPEED], r->scene_speed, why))
        return false; // cmd_vel has set another
    r->scene_speed = 0.0;
    return take_level(r, BY_GOAL, why) && write_value(r, r->ports[X1], p.x, why) &&
           write_value(r, r->ports[Y1], p.y, why) && write_value(r, r->ports[WAYPOINTS], 1.0, why) &&
           command_goal(r, why);
}

// --- joints --------------------------------------------------------------------------------------

bool ri_ros_set_joint(RiRos *r, int joint, int what, double x, char why[RI_ROS_WHY])
{
    RiRosJoint *j = &r->joints[joint];
    const int to = what == 0 ? j->to_position : what == 1 ? j->to_velocity : j->to_effort;
    const char *name = to >= 0 ? ri_values_get(ri_sim_values(r->sim), to)->name : "";
    if (strstr(name, ".manual_") && !take_level(r, BY_MOTOR, why)) // drive trains now follow us
        return false;
    return write_value(r, to, x, why);
}

void ri_ros_stop_following(RiRos *r)
{
    free(r->trajectory.joints);
    free(r->trajectory.x);
    r->trajectory = (RiRosTrajectory){0};
}

/// A list of numbers that is as long as the joints, or empty if that is allowed.
static bool get_numbers(RiRosReader *m, int count, bool empty, double *out, bool *out_given)
{
    const uint32_t n = ri_ros_get_count(m, 8);
    if (m->failed || (n != (uint32_t)count && !(empty && n == 0)))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = ri_ros_get_f64(m);
        if (!isfinite(out[i]))
            return false;
    }
    *out_given = n > 0;
    return true;
}

/// One point: positions, velocities or none, the rest is read over, time.
static bool get_point(RiRosReader *m, RiRosTrajectory *t, int point, char why[RI_ROS_WHY])
{
    const int n = t->joint_count;
    double *row = t->x + (size_t)point * (size_t)(1 + 2 * n), unused[1024];
    bool rates = false, given;
    if (!get_numbers(m, n, false, row + 1, &given) || !get_numbers(m, n, true, row + 1 + n, &rates) ||
        !get_numbers(m, n, true, unused, &given) || !get_numbers(m, n, true, unused, &given))
        return refuse(why, "a point has lists that are not as long as the joints, or numbers that are not finite");
    row[0] = ri_ros_get_time(m);
    t->rates &= rates;
    if (m->failed || row[0] < 0.0 || (point > 0 && row[0] <= row[-(1 + 2 * n)]))
        return refuse(why, "times of points must rise from 0");
    return true;
}

static bool get_joints(RiRos *r, RiRosReader *m, RiRosTrajectory *t, char why[RI_ROS_WHY])
{
    char name[160];
    const uint32_t count = ri_ros_get_count(m, 4);
    if (m->failed || count == 0 || count > 1024)
        return refuse(why, "from 1 to 1024 joints are allowed");
    t->joint_count = (int)count;
    if (!(t->joints = calloc(count, sizeof *t->joints)))
        return refuse(why, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        int k = 0;
        ri_ros_get_string(m, name, sizeof name);
        while (k < r->joint_count && strcmp(r->joints[k].name, name) != 0)
            k++;
        if (m->failed || k == r->joint_count || r->joints[k].to_position < 0) {
            snprintf(why, RI_ROS_WHY, "'%.100s' is no joint that takes positions", name);
            return false;
        }
        t->joints[i] = k;
    }
    return true;
}

static bool get_trajectory(RiRos *r, RiRosReader *m, RiRosTrajectory *t, char why[RI_ROS_WHY])
{
    ri_ros_get_header(m, NULL, 0);
    if (!get_joints(r, m, t, why))
        return false;
    const uint32_t count = ri_ros_get_count(m, 24);
    if (m->failed || count > RI_ROS_PATH)
        return refuse(why, "the message is malformed, or has more than 4096 points");
    t->point_count = (int)count;
    t->rates = true;
    t->start = ri_sim_time(r->sim);
    if (!(t->x = calloc(((size_t)count + 1) * (size_t)(1 + 2 * t->joint_count), sizeof *t->x)))
        return refuse(why, "out of memory");
    for (int i = 0; i < t->point_count; i++)
        if (!get_point(m, t, i, why))
            return false;
    return ri_ros_read_end(m) || refuse(why, "the message is too long");
}

/// A trajectory whose first point is later than now begins where the joints are now.
static void start_from_here(const RiRos *r, RiRosTrajectory *t)
{
    const RiValues *values = ri_sim_values(r->sim);
    const int n = t->joint_count;
    const size_t width = (size_t)(1 + 2 * n);
    if (t->point_count == 0 || t->x[0] <= 0.0)
        return;
    memmove(t->x + width, t->x, (size_t)t->point_count++ * width * sizeof *t->x);
    t->x[0] = 0.0;
    for (int i = 0; i < n; i++) {
        t->x[1 + i] = ri_values_read(values, r->joints[t->joints[i]].position);
        t->x[1 + n + i] = ri_values_read(values, r->joints[t->joints[i]].velocity);
    }
}

bool ri_ros_take_trajectory(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    RiRosTrajectory t = {0};
    if (!get_trajectory(r, m, &t, why)) {
        free(t.joints);
        free(t.x);
        return false;
    }
    start_from_here(r, &t);
    ri_ros_stop_following(r); // one without points stops what was followed
    r->trajectory = t;
    return true;
}

/// Set-points between two rows: cubic with rates at both ends, else straight.
static void interpolate(const RiRosTrajectory *t, const double *a, const double *b, int joint, double time, double *p,
                        double *v)
{
    const int n = t->joint_count;
    const double h = b[0] - a[0], s = fmax(0.0, fmin(1.0, (time - a[0]) / h)), pa = a[1 + joint], pb = b[1 + joint];
    if (!t->rates) {
        *p = pa + s * (pb - pa);
        *v = (pb - pa) / h;
        return;
    }
    const double va = a[1 + n + joint] * h, vb = b[1 + n + joint] * h, c = 3.0 * (pb - pa) - 2.0 * va - vb,
                 d = va + vb - 2.0 * (pb - pa);
    *p = pa + s * (va + s * (c + s * d));
    *v = (va + s * (2.0 * c + s * 3.0 * d)) / h;
}

/// The first row is of time 0 (start_from_here).
static void follow_trajectory(RiRos *r)
{
    RiRosTrajectory *t = &r->trajectory;
    const int n = t->joint_count, width = 1 + 2 * n;
    char why[RI_ROS_WHY] = "";
    if (t->point_count == 0)
        return;
    const double time = ri_sim_time(r->sim) - t->start;
    int k = 0;
    while (k < t->point_count && t->x[k * width] <= time)
        k++;
    for (int i = 0; i < n; i++) {
        const RiRosJoint *j = &r->joints[t->joints[i]];
        double p, v = 0.0;
        if (k == t->point_count) {
            p = t->x[(k - 1) * width + 1 + i];
        } else {
            interpolate(t, &t->x[(k - 1) * width], &t->x[k * width], i, time, &p, &v);
        }
        ri_ros_set_joint(r, t->joints[i], 0, p, why);
        if (j->to_velocity >= 0)
            ri_ros_set_joint(r, t->joints[i], 1, v, why);
    }
    if (why[0])
        ri_ros_tell(r, "trajectory: %.200s", why);
    if (k == t->point_count || why[0])
        ri_ros_stop_following(r); // the last point holds
}

void ri_ros_follow(RiRos *r)
{
    char why[RI_ROS_WHY];
    const double limit = r->options.command_time;
    if (limit > 0.0 && r->moving && ri_sim_time(r->sim) - r->twist_time > limit) {
        ri_ros_tell(r, "cmd_vel: nothing for %.3g s: stopped", limit);
        if (!ri_ros_twist(r, ri_vec3(0.0, 0.0, 0.0), ri_vec3(0.0, 0.0, 0.0), why))
            ri_ros_tell(r, "cmd_vel: %.200s", why);
        r->moving = false;
    }
    follow_trajectory(r);
}
