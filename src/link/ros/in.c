// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages as commands: one function for each kind of topic, in a table. A message is read whole
/// and checked before anything is changed; what is refused changes nothing, and the last good
/// command holds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/work.h"
#include "link/steer.h"

enum { NAME = 160, JOINTS = 1024 };

static bool refuse(char why[RI_ROS_WHY], const char *text)
{
    snprintf(why, RI_ROS_WHY, "%s", text);
    return false;
}

/// After the last field: the message must have been of this length.
static bool is_whole(const RiRosReader *m, char why[RI_ROS_WHY])
{
    return ri_ros_read_end(m) || refuse(why, "the message is not of this type: it is too short, too long or malformed");
}

/// Answers with the context's message.
static bool fail(RiRos *r, char why[RI_ROS_WHY])
{
    snprintf(why, RI_ROS_WHY, "%.200s", ri_context_message(r->ctx));
    ri_context_clear(r->ctx);
    return false;
}

static bool is_finite_vector(RiVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// --- joints --------------------------------------------------------------------------------------

static int find_joint(const RiRos *r, const char *name)
{
    for (int i = 0; i < r->joint_count; i++)
        if (strcmp(r->joints[i].name, name) == 0)
            return i;
    return -1;
}

/// Set-points of a message: which joints, and up to three numbers for each.
typedef struct SetPoints {
    int joints[JOINTS];
    double x[3][JOINTS];
    int count;
    bool given[3];
} SetPoints;

/// Everything is checked before anything is written.
static bool write_set_points(RiRos *r, const SetPoints *s, char why[RI_ROS_WHY])
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; s->given[k] && i < s->count; i++) {
            const RiRosJoint *j = &r->joints[s->joints[i]];
            const int to = k == 0 ? j->to_position : k == 1 ? j->to_velocity : j->to_effort;
            if (!isfinite(s->x[k][i])) {
                snprintf(why, RI_ROS_WHY, "the set-point of '%.100s' is not a finite number", j->name);
                return false;
            }
            if (to < 0) {
                snprintf(why, RI_ROS_WHY, "'%.60s' does not accept %s: %.120s", j->name,
                         k == 0 ? "position" : "velocity", j->refusal ? j->refusal : "its device has no such input");
                return false;
            }
        }
    for (int k = 0; k < 3; k++)
        for (int i = 0; s->given[k] && i < s->count; i++)
            if (!ri_ros_set_joint(r, s->joints[i], k, s->x[k][i], why))
                return false;
    return true;
}

/// Names, then three lists that are empty or as long as that of names.
static bool take_joint_commands(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    SetPoints s = {.count = 0};
    char name[NAME];
    ri_ros_get_header(m, NULL, 0);
    const uint32_t count = ri_ros_get_count(m, 4);
    if (count > JOINTS)
        return refuse(why, "more than 1024 joints");
    for (uint32_t i = 0; i < count && !m->failed; i++) {
        ri_ros_get_string(m, name, sizeof name);
        s.joints[s.count++] = find_joint(r, name);
        if (!m->failed && s.joints[i] < 0) {
            snprintf(why, RI_ROS_WHY, "there is no joint '%.100s'", name);
            return false;
        }
    }
    for (int k = 0; k < 3; k++) {
        const uint32_t n = ri_ros_get_count(m, 8);
        if (!m->failed && n != 0 && n != count)
            return refuse(why, "a list of set-points is neither empty nor as long as that of names");
        for (uint32_t i = 0; i < n && !m->failed; i++)
            s.x[k][i] = ri_ros_get_f64(m);
        s.given[k] = n > 0;
    }
    return is_whole(m, why) && write_set_points(r, &s, why);
}

/// Numbers in order, as forward controllers of ros2_control have them.
static bool take_group(RiRos *r, RiRosReader *m, int what, char why[RI_ROS_WHY])
{
    SetPoints s = {.count = 0};
    char label[NAME];
    const uint32_t dimensions = ri_ros_get_count(m, 12);
    for (uint32_t i = 0; i < dimensions && !m->failed; i++) {
        ri_ros_get_string(m, label, sizeof label);
        ri_ros_get_u32(m);
        ri_ros_get_u32(m);
    }
    ri_ros_get_u32(m);
    const uint32_t n = ri_ros_get_count(m, 8);
    for (int i = 0; i < r->joint_count && s.count < JOINTS; i++) {
        const RiRosJoint *j = &r->joints[i];
        if ((what == 0 ? j->to_position : what == 1 ? j->to_velocity : j->to_effort) >= 0)
            s.joints[s.count++] = i;
    }
    if (!m->failed && n != (uint32_t)s.count) {
        snprintf(why, RI_ROS_WHY, "%u numbers for %d joints", n, s.count);
        return false;
    }
    for (uint32_t i = 0; i < n && !m->failed; i++)
        s.x[what][i] = ri_ros_get_f64(m);
    s.given[what] = true;
    return is_whole(m, why) && write_set_points(r, &s, why);
}

static bool take_positions(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    return take_group(r, m, 0, why);
}

static bool take_velocities(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    return take_group(r, m, 1, why);
}

static bool take_efforts(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    return take_group(r, m, 2, why);
}

// --- motion --------------------------------------------------------------------------------------

static bool take_twist(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    const RiVec3 linear = ri_ros_get_vec3(m), angular = ri_ros_get_vec3(m);
    if (!is_whole(m, why))
        return false;
    if (!is_finite_vector(linear) || !is_finite_vector(angular))
        return refuse(why, "a velocity is not a finite number");
    return ri_ros_twist(r, linear, angular, why);
}

static bool take_stamped_twist(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    ri_ros_get_header(m, NULL, 0);
    return take_twist(r, m, why);
}

/// A pose with its frame; the quaternion comes out with unit length.
static bool get_pose(RiRosReader *m, char frame[NAME], RiVec3 *p, RiQuat *q, char why[RI_ROS_WHY])
{
    ri_ros_get_header(m, frame, NAME);
    *p = ri_ros_get_vec3(m);
    *q = ri_ros_get_quat(m);
    if (!is_whole(m, why))
        return false;
    const double n = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    if (!is_finite_vector(*p) || !isfinite(n) || fabs(p->x) > 1e9 || fabs(p->y) > 1e9 || fabs(p->z) > 1e9)
        return refuse(why, "the pose is not finite, or more than 1e9 m away");
    if (n < 1e-6)
        return refuse(why, "the quaternion has no direction");
    *q = (RiQuat){q->w / n, q->x / n, q->y / n, q->z / n};
    return true;
}

static bool take_goal(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    char frame[NAME];
    RiVec3 p;
    RiQuat q;
    return get_pose(m, frame, &p, &q, why) && ri_ros_goal(r, p, frame, why);
}

static bool put_robot(RiRos *r, RiRosReader *m, bool settle, char why[RI_ROS_WHY])
{
    char frame[NAME], said[320];
    RiSteerPlace place = {.settle = settle};
    if (!get_pose(m, frame, &place.position, &place.rotation, why))
        return false;
    if (frame[0] && strcmp(frame, "world") != 0 && strcmp(frame, "map") != 0) {
        snprintf(why, RI_ROS_WHY, "the frame must be 'world', not '%.100s'", frame);
        return false;
    }
    if (ri_steer_base(r->ctx, r->scene, &place, said, sizeof said) != RI_OK)
        return fail(r, why);
    ri_ros_forget_shots(r);
    ri_ros_tell(r, "the robot was %s: %.200s", settle ? "placed" : "moved", said);
    return true;
}

static bool take_place(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    return put_robot(r, m, true, why);
}

static bool take_move(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    return put_robot(r, m, false, why);
}

// --- the run -------------------------------------------------------------------------------------

static bool take_gravity(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    const bool on = ri_ros_get_bool(m);
    if (!is_whole(m, why))
        return false;
    if (ri_steer_gravity(r->ctx, r->sim, on ? r->gravity : ri_vec3(0.0, 0.0, 0.0)) != RI_OK)
        return fail(r, why);
    ri_ros_tell(r, "gravity %s", on ? "on" : "off");
    return true;
}

static bool take_pause(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    const bool on = ri_ros_get_bool(m);
    if (!is_whole(m, why))
        return false;
    r->paused = on;
    r->steps = 0;
    ri_ros_reset_pace(r);
    return true;
}

static bool take_step(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    const uint32_t ticks = ri_ros_get_u32(m);
    if (!is_whole(m, why))
        return false;
    if (ticks > 1000000)
        return refuse(why, "more than 1000000 ticks at once");
    r->paused = true;
    r->steps += ticks;
    return true;
}

static bool take_reset(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    if (m->format == RI_ROS_CDR &&
        m->size > m->at) // the one byte that DDS wants in a struct; some writers leave it out
        ri_ros_get_u8(m);
    if (!is_whole(m, why))
        return false;
    if (ri_sim_load_state(r->sim, r->start_state) != RI_OK)
        return fail(r, why);
    ri_ros_stop_following(r);
    r->moving = false;
    ri_ros_reset_cycle(r);
    ri_ros_reset_pace(r);
    ri_ros_tell(r, "reset to the start; parameters keep the values that were set");
    return true;
}

static bool take_value(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    char key[NAME], value[256];
    ri_ros_get_string(m, key, sizeof key);
    ri_ros_get_string(m, value, sizeof value);
    if (!is_whole(m, why))
        return false;
    if (ri_values_set(ri_sim_values(r->sim), key, value) != RI_OK)
        return fail(r, why);
    if (strncmp(key, "gravity.", 8) == 0)
        r->gravity = ri_sim_options(r->sim)->gravity;
    ri_ros_tell(r, "%.150s = %.150s", key, value);
    return true;
}

/// A device's own fault by number, or off and on for every device.
static bool take_fault(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY])
{
    char device[NAME], value[256], name[NAME + 16];
    ri_ros_get_string(m, device, sizeof device);
    ri_ros_get_string(m, value, sizeof value);
    if (!is_whole(m, why))
        return false;
    const bool off = strcmp(value, "off") == 0, on = strcmp(value, "on") == 0;
    snprintf(name, sizeof name, "%s.%s", device, off || on ? "active" : "fault");
    if (ri_values_set(ri_sim_values(r->sim), name, off ? "0" : on ? "1" : value) != RI_OK)
        return fail(r, why);
    ri_ros_tell(r, "fault: %.150s = %.100s", name, value);
    return true;
}

// --- the table -----------------------------------------------------------------------------------

static bool (*const readers[RI_ROS_KIND_COUNT])(RiRos *r, RiRosReader *m, char why[RI_ROS_WHY]) = {
    [RI_ROS_JOINT_COMMANDS] = take_joint_commands,
    [RI_ROS_POSITION_COMMANDS] = take_positions,
    [RI_ROS_VELOCITY_COMMANDS] = take_velocities,
    [RI_ROS_EFFORT_COMMANDS] = take_efforts,
    [RI_ROS_JOINT_TRAJECTORY] = ri_ros_take_trajectory,
    [RI_ROS_CMD_VEL] = take_twist,
    [RI_ROS_CMD_VEL_STAMPED] = take_stamped_twist,
    [RI_ROS_GOAL_POSE] = take_goal,
    [RI_ROS_ENABLE_GRAVITY] = take_gravity,
    [RI_ROS_PLACE_ROBOT] = take_place,
    [RI_ROS_MOVE_ROBOT] = take_move,
    [RI_ROS_PAUSE] = take_pause,
    [RI_ROS_STEP] = take_step,
    [RI_ROS_RESET] = take_reset,
    [RI_ROS_SET_VALUE] = take_value,
    [RI_ROS_DEVICE_FAULT] = take_fault,
};

bool ri_ros_obey(RiRos *r, const RiRosMessage *m, char why[RI_ROS_WHY])
{
    RiRosReader reader;
    const RiRosKind kind = r->endpoints[m->endpoint].kind;
    ri_ros_read_begin(&reader, r->transport->format, m->bytes, m->size);
    return readers[kind](r, &reader, why);
}

double ri_ros_stamp(const RiRos *r, const RiRosMessage *m)
{
    RiRosReader reader;
    const RiRosKind kind = r->endpoints[m->endpoint].kind;
    ri_ros_read_begin(&reader, r->transport->format, m->bytes, m->size);
    if (strncmp(r->endpoints[m->endpoint].type->text, "Header ", 7) != 0 || kind == RI_ROS_JOINT_TRAJECTORY)
        return NAN;
    const double stamp = ri_ros_get_header(&reader, NULL, 0);
    return reader.failed ? NAN : stamp;
}
