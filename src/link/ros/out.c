// SPDX-License-Identifier: Apache-2.0
/// \file
/// State of the simulation as messages: one function for each kind of topic, in a table.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/navigation.h>

#include "base/functions.h"
#include "link/ros/work.h"

static const char world[] = "world", map[] = "map";

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

/// Odometry reckons with a point `axle` ahead of the root link's origin, in the plane.
RiPose ri_ros_odometry_pose(const RiRos *r)
{
    const char *device = ri_ros_odometer(r);
    const double heading = read_named(r, device, "odometry_heading"), axle = read_named(r, device, "axle");
    RiPose pose = ri_pose_identity();
    pose.p = ri_vec3(read_named(r, device, "odometry_x") - axle * ri_cos(heading),
                     read_named(r, device, "odometry_y") - axle * ri_sin(heading), 0.0);
    pose.R = ri_mat3_rpy(0.0, 0.0, heading);
    return pose;
}

/// A base that floats, as REP 105 has it: map -> odom -> base_link. odom -> base_link is what
/// odometry believes, and map -> odom corrects it, so that their product is the truth. Returns the
/// number of transforms; writes them unless w is NULL.
static uint32_t put_base(const RiRos *r, RiRosWriter *w, const RiPose *truth)
{
    const char *device = ri_ros_odometer(r);
    const double time = ri_sim_time(r->sim);
    if (device && w) {
        const RiPose believed = ri_ros_odometry_pose(r), inverse = ri_pose_inverse(&believed);
        const RiPose correction = ri_pose_mul(truth, &inverse);
        put_transform(w, time, map, r->odom_frame, &correction);
        put_transform(w, time, r->odom_frame, r->base_frame, &believed);
    } else if (w) {
        put_transform(w, time, map, r->base_frame, truth);
    }
    return device ? 2 : 1;
}

/// Whether the link of a joint moves against its parent.
static bool moves(const RiJointInfo *j)
{
    return j->nq > 0 && !j->merged;
}

/// Whether a joint lets the root link float in the world.
static bool is_base(const RiRos *r, const RiJointInfo *j)
{
    return ri_model_is_floating(ri_sim_model(r->sim)) && j->parent_link < 0 && j->child_link == 0;
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
        count += !moves(&j) ? 0 : is_base(r, &j) ? put_base(r, NULL, NULL) : 1;
    }
    ri_ros_put_u32(w, count);
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        const RiJointInfo j = ri_model_joint(m, i);
        if (!moves(&j))
            continue;
        RiPose pose = ri_dyn_frame_pose(d, j.child_link);
        if (is_base(r, &j)) {
            put_base(r, w, &pose);
            continue;
        }
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
    const RiPose same = ri_pose_identity();
    const bool floats = ri_model_is_floating(m), own_base = floats && !r->base_is_link;
    uint32_t count = (uint32_t)ri_ros_sensor_frames(r) + floats + own_base;
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
    if (floats)
        put_transform(w, time, world, map, &same);
    if (own_base)
        put_transform(w, time, r->base_frame, r->frames[0], &same);
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

/// Variance of a channel of an IMU about its constant bias and scale: white noise of density N over
/// the device's period, and the bias that has walked since the start (src/device/imu.c).
///
///     N^2 / dt + K^2 T/2 (1 - exp(-2 t / T)),     T = 0: N^2 / dt + K^2 t                           [ieee952]
static double imu_variance(const RiRos *r, const RiDeviceInfo *d, const char *triad)
{
    char noise[32], walk[32], walk_time[32];
    snprintf(noise, sizeof noise, "%s_noise", triad);
    snprintf(walk, sizeof walk, "%s_walk", triad);
    snprintf(walk_time, sizeof walk_time, "%s_walk_time", triad);
    const double N = read_named(r, d->name, noise), K = read_named(r, d->name, walk);
    const double T = read_named(r, d->name, walk_time), t = ri_sim_time(r->sim);
    const double dt = d->rate > 0.0 ? 1.0 / d->rate : ri_sim_options(r->sim)->tick;
    return N * N / dt + K * K * (T > 0.0 ? -0.5 * T * ri_expm1(-2.0 * t / T) : t);
}

/// Independent channels of equal variance. All zeros say "unknown" in ROS: this is what a device
/// without noise sends.
static void put_covariance(RiRosWriter *w, double variance)
{
    double c[9] = {0.0};
    for (int i = 0; i < 9; i += 4)
        c[i] = variance;
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
    put_covariance(w, imu_variance(r, &d, "gyro"));
    ri_ros_put_vec3(w, read_vector(r, d.name, accel));
    put_covariance(w, imu_variance(r, &d, "accel"));
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
                         RiVec3 linear, RiVec3 angular, const double pose_covariance[36],
                         const double twist_covariance[36])
{
    ri_ros_put_header(w, time, frame);
    ri_ros_put_string(w, child);
    ri_ros_put_pose(w, pose);
    ri_ros_put_f64s(w, pose_covariance, 36);
    ri_ros_put_vec3(w, linear);
    ri_ros_put_vec3(w, angular);
    ri_ros_put_f64s(w, twist_covariance, 36);
}

static const double exact[36] = {0.0}, unknown[36] = {-1.0};

/// Pose in the world, twist in the axes of the root link. Its covariance is zero: it is the truth.
static void put_truth(RiRos *r, RiRosWriter *w, int item)
{
    (void)item;
    const RiDyn *d = ri_sim_dyn(r->sim);
    const RiPose pose = ri_dyn_frame_pose(d, 0);
    const RiSpatial v = ri_dyn_frame_velocity(d, 0);
    put_odometry(w, ri_sim_time(r->sim), world, r->frames[0], &pose, ri_rotate_back(&pose.R, v.lin),
                 ri_rotate_back(&pose.R, v.ang), exact, exact);
}

/// Odometry of a locomotion device. Its error is slip, which the device does not know, and its
/// twist is the commanded one: both covariances are unknown.
static void put_odom(RiRos *r, RiRosWriter *w, int item)
{
    const char *device = ri_ros_odometer(r);
    const RiPose pose = ri_ros_odometry_pose(r);
    const double speed = read_named(r, device, "base_speed"), direction = read_named(r, device, "base_direction");
    (void)item;
    put_odometry(w, ri_sim_time(r->sim), r->odom_frame, r->base_frame, &pose,
                 ri_vec3(speed * ri_cos(direction), speed * ri_sin(direction), 0.0),
                 ri_vec3(0.0, 0.0, read_named(r, device, "base_turn")), unknown, unknown);
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
    enum { UNKNOWN, CHARGING, DISCHARGING, NOT_CHARGING };
    const char *name = ri_sim_device(r->sim, item).name;
    const double current = read_named(r, name, "current"), hour = 3600.0;
    const char *node = ri_sim_device_source(r->sim, item, "node"); // a sensor on the thermal node it is on
    const double temperature = node ? read_value(r, ri_values_find(ri_sim_values(r->sim), node)) : NAN;
    ri_ros_put_header(w, ri_sim_time(r->sim), r->frames[0]);
    ri_ros_put_f32(w, (float)read_named(r, name, "voltage"));
    ri_ros_put_f32(w, (float)(temperature - 273.15));
    ri_ros_put_f32(w, (float)current);
    ri_ros_put_f32(w, (float)(read_named(r, name, "charge") / hour));
    ri_ros_put_f32(w, (float)(read_named(r, name, "capacity") * read_named(r, name, "health") / hour));
    ri_ros_put_f32(w, (float)(read_named(r, name, "capacity") / hour));
    ri_ros_put_f32(w, (float)read_named(r, name, "state_of_charge"));
    ri_ros_put_u8(w, current > 0.0 ? CHARGING : current < 0.0 ? DISCHARGING : current == 0.0 ? NOT_CHARGING : UNKNOWN);
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

/// The drive of a device `navigation`: a warning where it ended without arriving.
static void put_drive(const RiRos *r, RiRosWriter *w)
{
    static const char *const ports[] = {"level", "busy", "goals", "reached", "distance", "way", "cycles", "escaped"};
    enum { PORTS = sizeof ports / sizeof *ports };
    const char *device = ri_sim_device(r->sim, r->nav).name;
    const int reason = (int)read_named(r, device, "reason");
    char name[RI_ROS_NAME];
    snprintf(name, sizeof name, "navigation: %.100s", device);
    put_status(w, reason > 1, name, ri_nav_reason_name(reason), device);
    ri_ros_put_u32(w, PORTS);
    for (int k = 0; k < PORTS; k++)
        put_pair(w, ports[k], read_named(r, device, ports[k]));
}

/// The link itself, the drive of a rover that navigates, then everything that ran outside of its
/// model's assumptions.
static void put_diagnostics(RiRos *r, RiRosWriter *w, int item)
{
    const RiRosStats s = ri_ros_stats(r);
    const bool trouble = s.dropped || s.refused;
    (void)item;
    ri_ros_put_header(w, ri_sim_time(r->sim), "");
    ri_ros_put_u32(w, (uint32_t)(1 + (r->nav >= 0) + ri_sim_violations(r->sim)));
    put_status(w, trouble ? 1 : 0, "rille: link", trouble ? "messages were dropped or commands refused" : "ok",
               r->node);
    ri_ros_put_u32(w, 5);
    put_pair(w, "sent", (double)s.sent);
    put_pair(w, "received", (double)s.received);
    put_pair(w, "dropped", (double)s.dropped);
    put_pair(w, "refused", (double)s.refused);
    put_pair(w, "late", (double)s.late);
    if (r->nav >= 0)
        put_drive(r, w);
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
