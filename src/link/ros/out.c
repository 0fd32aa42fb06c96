// SPDX-License-Identifier: Apache-2.0
/// \file
/// State of the simulation as messages: one function for each kind of topic, in a table.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "link/ros/work.h"

static const char world[] = "world";

static double read_value(const RiRos *r, int index)
{
    return index >= 0 ? ri_values_read(ri_sim_values(r->sim), index) : NAN;
}

/// The value OWNER.WHAT; NAN: there is none.
static double read_named(const RiRos *r, const char *owner, const char *what)
{
    char name[512];
    snprintf(name, sizeof name, "%.300s.%.180s", owner, what);
    return read_value(r, ri_values_find(ri_sim_values(r->sim), name));
}

static void put_clock(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    ri_ros_put_time(w, ri_sim_time(r->sim));
}

/// One list of numbers, read at once: this is what a link sends most.
static void put_joint_numbers(const RiRos *r, RiRosWriter *w, int which)
{
    ri_ros_put_u32(w, (uint32_t)r->joint_count);
    if (r->joint_count == 0)
        return;
    ri_values_read_all(ri_sim_values(r->sim), r->joint_values + (size_t)which * (size_t)r->joint_count, r->joint_count,
                       r->joint_numbers);
    ri_ros_put_f64s(w, r->joint_numbers, r->joint_count);
}

static void put_joint_states(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    ri_ros_put_header(w, ri_sim_time(r->sim), r->frames[0]);
    ri_ros_put_u32(w, (uint32_t)r->joint_count);
    for (int i = 0; i < r->joint_count; i++)
        ri_ros_put_string(w, r->joints[i].name);
    for (int which = 0; which < 3; which++)
        put_joint_numbers(r, w, which);
}

// --- frames --------------------------------------------------------------------------------------

static void put_transform(RiRosWriter *w, double time, const char *parent, const char *child, const RiPose *pose)
{
    ri_ros_put_header(w, time, parent);
    ri_ros_put_string(w, child);
    ri_ros_put_pose(w, pose);
}

/// Whether the link of a joint moves against its parent.
static bool moves(const RiJointInfo *j)
{
    return j->nq > 0 && !j->merged;
}

static void put_tf(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    const RiModel *m = ri_sim_model(r->sim);
    const RiDyn *d = ri_sim_dyn(r->sim);
    const double time = ri_sim_time(r->sim);
    uint32_t count = 0;
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        const RiJointInfo j = ri_model_joint(m, i);
        count += moves(&j);
    }
    ri_ros_put_u32(w, count);
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        const RiJointInfo j = ri_model_joint(m, i);
        if (!moves(&j))
            continue;
        RiPose pose = ri_dyn_frame_pose(d, j.child_link);
        if (j.parent_link >= 0) {
            const RiPose parent = ri_dyn_frame_pose(d, j.parent_link), inverse = ri_pose_inverse(&parent);
            pose = ri_pose_mul(&inverse, &pose);
        }
        put_transform(w, time, j.parent_link >= 0 ? r->frames[j.parent_link] : world, r->frames[j.child_link], &pose);
    }
}

/// Pose of a frame of the model against one of its links.
static RiPose against(const RiDyn *d, int link, int frame)
{
    const RiPose a = ri_dyn_frame_pose(d, link), b = ri_dyn_frame_pose(d, frame), inverse = ri_pose_inverse(&a);
    return ri_pose_mul(&inverse, &b);
}

static int find_body_link(const RiModel *m, const char *name)
{
    const int link = name ? ri_model_find_link(m, name) : -1;
    return link;
}

/// Named frames and sensor mounts of the spec: their links.
static int mount_link(const RiRos *r, int frame)
{
    const RiSpec *spec = ri_scene_spec(r->scene);
    const RiModel *m = ri_sim_model(r->sim);
    const char *name = ri_model_frame_name(m, frame);
    for (int i = 0; i < spec->frame_count; i++)
        if (strcmp(spec->frames[i].name, name) == 0)
            return find_body_link(m, spec->frames[i].link);
    for (int i = 0; i < spec->sensor_count; i++)
        if (spec->sensors[i].link && strcmp(spec->sensors[i].name, name) == 0)
            return find_body_link(m, spec->sensors[i].link);
    return -1;
}

static void put_tf_static(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    const RiModel *m = ri_sim_model(r->sim);
    const RiDyn *d = ri_sim_dyn(r->sim);
    const double time = ri_sim_time(r->sim);
    const int links = ri_model_link_count(m), frames = ri_model_frame_count(m);
    uint32_t count = (uint32_t)ri_ros_sensor_frames(r);
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            ri_ros_put_u32(w, count);
        for (int i = 0; i < ri_model_joint_count(m); i++) {
            const RiJointInfo j = ri_model_joint(m, i);
            if (moves(&j))
                continue;
            const RiPose pose =
                j.parent_link >= 0 ? against(d, j.parent_link, j.child_link) : ri_dyn_frame_pose(d, j.child_link);
            if (pass)
                put_transform(w, time, j.parent_link >= 0 ? r->frames[j.parent_link] : world, r->frames[j.child_link],
                              &pose);
            else
                count++;
        }
        for (int i = links; i < frames; i++) {
            const int link = mount_link(r, i);
            if (link < 0)
                continue;
            const RiPose pose = against(d, link, i);
            if (pass)
                put_transform(w, time, r->frames[link], r->frames[i], &pose);
            else
                count++;
        }
    }
    for (int i = 0; i < ri_ros_sensor_frames(r); i++)
        ri_ros_put_sensor_frame(r, w, i);
}

static void put_description(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    const RiAllocator memory = ri_plain_memory();
    RiText text;
    ri_text_init(&text, &memory);
    ri_ros_put_urdf(&text, ri_scene_spec(r->scene), !ri_model_is_floating(ri_sim_model(r->sim)));
    ri_ros_put_string(w, text.failed ? "" : text.at);
    ri_text_free(&text);
}

// --- sensors -------------------------------------------------------------------------------------

static RiVec3 read_vector(const RiRos *r, const char *owner, const char *const names[3])
{
    return ri_vec3(read_named(r, owner, names[0]), read_named(r, owner, names[1]), read_named(r, owner, names[2]));
}

static const char *frame_name(const RiRos *r, int frame)
{
    return frame >= 0 ? r->frames[frame] : world;
}

/// Square of a parameter on the diagonal; 0: unknown to ROS.
static void put_covariance(RiRosWriter *w, double sigma)
{
    double c[9] = {0.0};
    for (int i = 0; i < 9; i += 4)
        c[i] = isfinite(sigma) ? sigma * sigma : 0.0;
    ri_ros_put_f64s(w, c, 9);
}

/// An IMU does not tell its orientation: ROS has -1 in the first covariance for that.
static void put_imu(RiRos *r, RiRosWriter *w, int item)
{
    static const char *const gyro[] = {"gyro_x", "gyro_y", "gyro_z"}, *const accel[] = {"accel_x", "accel_y",
                                                                                        "accel_z"};
    const RiDeviceInfo d = ri_sim_device(r->sim, item);
    ri_ros_put_header(w, ri_sim_time(r->sim), frame_name(r, d.frame));
    ri_ros_put_quat(w, (RiQuat){.w = 1.0});
    ri_ros_put_f64s(w, (const double[9]){-1.0}, 9);
    ri_ros_put_vec3(w, read_vector(r, d.name, gyro));
    put_covariance(w, NAN);
    ri_ros_put_vec3(w, read_vector(r, d.name, accel));
    put_covariance(w, NAN);
}

static void put_wrench(RiRos *r, RiRosWriter *w, int item)
{
    static const char *const force[] = {"force_x", "force_y", "force_z"}, *const torque[] = {"torque_x", "torque_y",
                                                                                             "torque_z"};
    const RiDeviceInfo d = ri_sim_device(r->sim, item);
    const int child = d.joint >= 0 ? ri_model_joint(ri_sim_model(r->sim), d.joint).child_link : d.frame;
    ri_ros_put_header(w, ri_sim_time(r->sim), frame_name(r, child));
    ri_ros_put_vec3(w, read_vector(r, d.name, force));
    ri_ros_put_vec3(w, read_vector(r, d.name, torque));
}

// --- where the robot is --------------------------------------------------------------------------

static void put_odometry(RiRosWriter *w, double time, const char *frame, const char *child, const RiPose *pose,
                         RiVec3 linear, RiVec3 angular)
{
    static const double none[36];
    ri_ros_put_header(w, time, frame);
    ri_ros_put_string(w, child);
    ri_ros_put_pose(w, pose);
    ri_ros_put_f64s(w, none, 36);
    ri_ros_put_vec3(w, linear);
    ri_ros_put_vec3(w, angular);
    ri_ros_put_f64s(w, none, 36);
}

/// Pose in the world, twist in the axes of the root link.
static void put_truth(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    const RiDyn *d = ri_sim_dyn(r->sim);
    const RiPose pose = ri_dyn_frame_pose(d, 0);
    const RiSpatial v = ri_dyn_frame_velocity(d, 0);
    put_odometry(w, ri_sim_time(r->sim), world, r->frames[0], &pose, ri_rotate_back(&pose.R, v.lin),
                 ri_rotate_back(&pose.R, v.ang));
}

static void put_odom(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    const RiValues *t = ri_sim_values(r->sim);
    const int heading_index = ri_values_match(t, "*.odometry_heading", 0);
    char owner[300];
    snprintf(owner, sizeof owner, "%.*s", (int)strcspn(ri_values_get(t, heading_index)->name, "."),
             ri_values_get(t, heading_index)->name);
    const double heading = ri_values_read(t, heading_index);
    RiPose pose = ri_pose_identity();
    pose.p = ri_vec3(read_named(r, owner, "odometry_x"), read_named(r, owner, "odometry_y"), 0.0);
    pose.R = ri_mat3_rpy(0.0, 0.0, heading);
    const double speed = read_named(r, owner, "base_speed"), turn = read_named(r, owner, "base_turn");
    put_odometry(w, ri_sim_time(r->sim), "odom", r->frames[0], &pose, ri_vec3(isnan(speed) ? 0.0 : speed, 0.0, 0.0),
                 ri_vec3(0.0, 0.0, isnan(turn) ? 0.0 : turn));
}

// --- soil ----------------------------------------------------------------------------------------

static const char *const wheel_columns[] = {"slip_ratio", "slip_angle", "sinkage", "normal", "traction"};
enum { WHEEL_COLUMNS = sizeof wheel_columns / sizeof *wheel_columns };

/// A table: one row for each wheel or screw, columns as labelled. Numbers that a row lacks are NaN.
static void put_wheels(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    const RiValues *t = ri_sim_values(r->sim);
    char rows[1800] = "", columns[200] = "";
    uint32_t count = 0;
    for (int i = ri_values_match(t, "contact.*.sinkage", 0); i >= 0;
         i = ri_values_match(t, "contact.*.sinkage", i + 1)) {
        const char *name = ri_values_get(t, i)->name + 8;
        const size_t used = strlen(rows);
        snprintf(rows + used, sizeof rows - used, "%s%.*s", used ? "," : "", (int)strcspn(name, "."), name);
        count++;
    }
    for (int k = 0; k < WHEEL_COLUMNS; k++)
        snprintf(columns + strlen(columns), sizeof columns - strlen(columns), "%s%s", k ? "," : "", wheel_columns[k]);
    ri_ros_put_u32(w, 2);
    ri_ros_put_string(w, rows);
    ri_ros_put_u32(w, count);
    ri_ros_put_u32(w, count * WHEEL_COLUMNS);
    ri_ros_put_string(w, columns);
    ri_ros_put_u32(w, WHEEL_COLUMNS);
    ri_ros_put_u32(w, WHEEL_COLUMNS);
    ri_ros_put_u32(w, 0);
    ri_ros_put_u32(w, count * WHEEL_COLUMNS);
    for (int i = ri_values_match(t, "contact.*.sinkage", 0); i >= 0;
         i = ri_values_match(t, "contact.*.sinkage", i + 1)) {
        char owner[300];
        const char *name = ri_values_get(t, i)->name;
        snprintf(owner, sizeof owner, "%.*s", (int)(strlen(name) - strlen(".sinkage")), name);
        for (int k = 0; k < WHEEL_COLUMNS; k++)
            ri_ros_put_f64(w, read_named(r, owner, wheel_columns[k]));
    }
}

// --- power ---------------------------------------------------------------------------------------

/// A battery. Charge is in Ah and temperatures are in degrees Celsius in ROS; what the device lacks
/// is NaN.
static void put_battery(RiRos *r, RiRosWriter *w, int item)
{
    enum { CHARGING = 1, DISCHARGING = 2, UNKNOWN = 0 };
    const char *name = ri_sim_device(r->sim, item).name;
    const double current = read_named(r, name, "current"), hour = 3600.0;
    ri_ros_put_header(w, ri_sim_time(r->sim), r->frames[0]);
    ri_ros_put_f32(w, (float)read_named(r, name, "voltage"));
    ri_ros_put_f32(w, (float)(read_named(r, name, "temperature") - 273.15));
    ri_ros_put_f32(w, (float)current);
    ri_ros_put_f32(w, (float)(read_named(r, name, "charge") / hour));
    ri_ros_put_f32(w, (float)(read_named(r, name, "capacity") * read_named(r, name, "health") / hour));
    ri_ros_put_f32(w, (float)(read_named(r, name, "capacity") / hour));
    ri_ros_put_f32(w, (float)read_named(r, name, "state_of_charge"));
    ri_ros_put_u8(w, current > 0.0 ? CHARGING : DISCHARGING);
    ri_ros_put_u8(w, UNKNOWN); // health
    ri_ros_put_u8(w, UNKNOWN); // technology
    ri_ros_put_u8(w, 1);
    ri_ros_put_u32(w, 0);
    ri_ros_put_u32(w, 0);
    ri_ros_put_string(w, name);
    ri_ros_put_string(w, "");
}

// --- diagnostics ---------------------------------------------------------------------------------

static void put_pair(RiRosWriter *w, const char *key, double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.15g", x);
    ri_ros_put_string(w, key);
    ri_ros_put_string(w, text);
}

static void put_status(RiRosWriter *w, int level, const char *name, const char *message, const char *id)
{
    ri_ros_put_u8(w, (uint8_t)level);
    ri_ros_put_string(w, name);
    ri_ros_put_string(w, message);
    ri_ros_put_string(w, id);
}

/// The link itself, then everything that ran outside of its model's assumptions.
static void put_diagnostics(RiRos *r, RiRosWriter *w, int item)
{
    const RiRosStats s = ri_ros_stats(r);
    const bool trouble = s.dropped || s.refused;
    (void)item;
    ri_ros_put_header(w, ri_sim_time(r->sim), "");
    ri_ros_put_u32(w, (uint32_t)(1 + ri_sim_violations(r->sim)));
    put_status(w, trouble ? 1 : 0, "rille: link", trouble ? "messages were dropped or commands refused" : "ok",
               r->node);
    ri_ros_put_u32(w, 5);
    put_pair(w, "sent", (double)s.sent);
    put_pair(w, "received", (double)s.received);
    put_pair(w, "dropped", (double)s.dropped);
    put_pair(w, "refused", (double)s.refused);
    put_pair(w, "late", (double)s.late);
    for (int i = 0, told = 0; i < ri_sim_validity_count(r->sim) && told < ri_sim_violations(r->sim); i++) {
        const RiValidity v = ri_sim_validity(r->sim, i);
        if (v.count == 0)
            continue;
        told++;
        put_status(w, 1, v.name, v.text, "validity");
        ri_ros_put_u32(w, 2);
        put_pair(w, "first_time", v.first_time);
        put_pair(w, "ticks", v.count);
    }
}

// --- the table -----------------------------------------------------------------------------------

static void (*const writers[RI_ROS_KIND_COUNT])(RiRos *r, RiRosWriter *w, int item) = {
    [RI_ROS_CLOCK] = put_clock,
    [RI_ROS_JOINT_STATES] = put_joint_states,
    [RI_ROS_TF] = put_tf,
    [RI_ROS_TF_STATIC] = put_tf_static,
    [RI_ROS_ROBOT_DESCRIPTION] = put_description,
    [RI_ROS_IMU] = put_imu,
    [RI_ROS_WRENCH] = put_wrench,
    [RI_ROS_ODOM] = put_odom,
    [RI_ROS_GROUND_TRUTH] = put_truth,
    [RI_ROS_WHEELS] = put_wheels,
    [RI_ROS_BATTERY] = put_battery,
    [RI_ROS_DIAGNOSTICS] = put_diagnostics,
};

RiRosMessage *ri_ros_make(RiRos *r, int endpoint)
{
    const RiRosEndpoint *e = &r->endpoints[endpoint];
    RiRosWriter w;
    if (e->kind == RI_ROS_CAMERA_INFO)
        return ri_ros_make_info(r, endpoint);
    if (!writers[e->kind])
        return NULL;
    ri_ros_write_begin(&w, r->transport->format, endpoint, r->streams[endpoint].seq, 1024);
    writers[e->kind](r, &w, e->item);
    return ri_ros_write_end(&w);
}
