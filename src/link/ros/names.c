// SPDX-License-Identifier: Apache-2.0
/// \file
/// Topics and joints of a scene, found from its robot, devices and sensors.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/work.h"

void ri_ros_join_name(char *out, size_t room, const char *space, const char *name)
{
    if (name[0] == '/')
        snprintf(out, room, "%s", name);
    else
        snprintf(out, room, "%s%s%s", space, strcmp(space, "/") == 0 ? "" : "/", name);
}

void ri_ros_clean_name(char *out, size_t room, const char *name)
{
    size_t n = 0;
    if (isdigit((unsigned char)name[0]) && room > 1)
        out[n++] = '_';
    for (; *name && n + 1 < room; name++)
        out[n++] = isalnum((unsigned char)*name) ? *name : '_';
    out[n] = '\0';
}

// --- joints --------------------------------------------------------------------------------------

static int find_value(const RiRos *r, const char *owner, const char *what)
{
    char name[512];
    snprintf(name, sizeof name, "%.300s.%.180s", owner, what);
    return ri_values_find(ri_sim_values(r->sim), name);
}

/// Inputs of device classes that take set-points, the better ones first.
static const struct {
    const char *device, *position, *velocity;
} set_points[] = {
    {"servo", "position", "velocity"},
    {"pid", "reference_position", "reference_velocity"},
    {"profile", "target", NULL},
    {"drive_train", "target", "target_rate"},
    {"drive_train", "manual_target", "manual_rate"}, // where locomotion has the others: level 1
};
enum { SET_POINTS = sizeof set_points / sizeof *set_points };

/// Takes an input of a device for set-points unless something else is connected to it.
static int free_input(const RiRos *r, int device, const char *input)
{
    if (!input || ri_sim_device_source(r->sim, device, input))
        return -1;
    return find_value(r, ri_sim_device(r->sim, device).name, input);
}

static void connect_joint(RiRos *r, RiRosJoint *j, int joint)
{
    j->refusal = "no servo, controller or drive train is on this joint: command its effort";
    for (int i = 0; i < ri_sim_device_count(r->sim); i++) {
        const RiDeviceInfo d = ri_sim_device(r->sim, i);
        for (int k = 0; d.joint == joint && k < SET_POINTS; k++) {
            if (strcmp(d.device->name, set_points[k].device) != 0)
                continue;
            if (j->to_position < 0)
                j->to_position = free_input(r, i, set_points[k].position);
            if (j->to_velocity < 0)
                j->to_velocity = free_input(r, i, set_points[k].velocity);
            j->refusal = "its device follows another one: disconnect it in the scene, or command that one";
        }
    }
    if (j->to_position >= 0 || j->to_velocity >= 0)
        j->refusal = NULL;
}

RiStatus ri_ros_find_joints(RiRos *r)
{
    const RiModel *m = ri_sim_model(r->sim);
    const int count = ri_model_joint_count(m);
    if (!(r->joints = calloc((size_t)count + 1, sizeof *r->joints)))
        return ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
    for (int i = 0; i < count; i++) {
        const RiJointInfo info = ri_model_joint(m, i);
        const int position = find_value(r, info.name, "position");
        const int velocity = find_value(r, info.name, "velocity"), effort = find_value(r, info.name, "effort");
        if (info.nq != 1 || info.merged || position < 0 || velocity < 0 || effort < 0)
            continue;
        RiRosJoint *j = &r->joints[r->joint_count++];
        *j = (RiRosJoint){.name = info.name,
                          .position = position,
                          .velocity = velocity,
                          .effort = effort,
                          .to_position = -1,
                          .to_velocity = -1,
                          .to_effort = find_value(r, info.name, "command"),
                          .last = {NAN, NAN}};
        connect_joint(r, j, i);
    }
    const size_t n = (size_t)r->joint_count;
    r->joint_values = calloc(3 * n + 1, sizeof *r->joint_values);
    r->joint_numbers = calloc(n + 1, sizeof *r->joint_numbers);
    if (!r->joint_values || !r->joint_numbers)
        return ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        r->joint_values[i] = r->joints[i].position;
        r->joint_values[n + i] = r->joints[i].velocity;
        r->joint_values[2 * n + i] = r->joints[i].effort;
    }
    return RI_OK;
}

// --- frames --------------------------------------------------------------------------------------

static bool is_frame(const RiRos *r, const char *name)
{
    for (int i = 0; i < ri_model_frame_count(ri_sim_model(r->sim)); i++)
        if (strcmp(r->frames[i], name) == 0)
            return true;
    return false;
}

/// Frames of REP 105 above the root link. A robot whose links have these names would be no tree.
static RiStatus name_base(RiRos *r)
{
    snprintf(r->odom_frame, sizeof r->odom_frame, "%.100sodom", r->options.frame_prefix);
    snprintf(r->base_frame, sizeof r->base_frame, "%.100sbase_link", r->options.frame_prefix);
    if (is_frame(r, "map") || is_frame(r, r->odom_frame))
        return ri_error(r->ctx, RI_ERR_ARGUMENT,
                        "ros: the robot has a frame 'map' or 'odom', which /tf needs for itself: set ros.frame_prefix, "
                        "or rename it");
    r->base_is_link = is_frame(r, r->base_frame);
    if (r->base_is_link)
        snprintf(r->base_frame, sizeof r->base_frame, "%.150s", r->frames[0]);
    return RI_OK;
}

/// Names of all frames with the prefix, in one block.
static RiStatus name_frames(RiRos *r)
{
    const RiModel *m = ri_sim_model(r->sim);
    const int count = ri_model_frame_count(m);
    size_t size = 1;
    for (int i = 0; i < count; i++)
        size += strlen(r->options.frame_prefix) + strlen(ri_model_frame_name(m, i)) + 2;
    r->frames = calloc((size_t)count + 1, sizeof *r->frames);
    r->frame_text = malloc(size);
    if (!r->frames || !r->frame_text)
        return ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
    char *at = r->frame_text;
    for (int i = 0; i < count; i++) {
        r->frames[i] = at;
        at += sprintf(at, "%s%s", r->options.frame_prefix, ri_model_frame_name(m, i)) + 1;
    }
    return name_base(r);
}

// --- topics --------------------------------------------------------------------------------------

/// Ticks between messages of a topic. Cameras and lidars have rates of their own.
static long long period_of(const RiRos *r, const RiRosEndpoint *e)
{
    double rate = e->qos.rate;
    if (rate == 0.0 && (e->kind == RI_ROS_IMAGE || e->kind == RI_ROS_COMPRESSED || e->kind == RI_ROS_CAMERA_INFO))
        rate = ri_scene_camera(r->scene, e->item)->rate;
    if (rate == 0.0 && (e->kind == RI_ROS_POINTS || e->kind == RI_ROS_SLICES))
        rate = ri_scene_lidar(r->scene, e->item)->lidar.rate;
    if (rate == 0.0 || !e->out)
        return 0;
    return (long long)fmax(1.0, round(1.0 / (rate * ri_sim_options(r->sim)->tick)));
}

/// Whether a key is in a list with commas.
static bool in_list(const char *list, const char *key)
{
    const size_t n = strlen(key);
    for (const char *at = list; (at = strstr(at, key)) != NULL; at += n)
        if ((at == list || strchr(", ", at[-1])) && (at[n] == '\0' || strchr(", ", at[n])))
            return true;
    return false;
}

static RiStatus add_topic(RiRos *r, RiRosKind kind, int item, const char *item_name)
{
    const RiRosKindInfo *info = ri_ros_kind(kind);
    const RiRosTopicOptions *o = &r->options.topics[kind];
    if (!o->on)
        return RI_OK;
    if (r->count == r->room) {
        const int room = 2 * r->room + 32;
        RiRosEndpoint *endpoints = realloc(r->endpoints, (size_t)room * sizeof *endpoints);
        if (endpoints)
            r->endpoints = endpoints;
        RiRosStream *streams = endpoints ? realloc(r->streams, (size_t)room * sizeof *streams) : NULL;
        if (!streams)
            return ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
        r->streams = streams;
        r->room = room;
    }
    char clean[96], name[RI_ROS_NAME];
    const char *pattern = o->name ? o->name : info->name, *hole = strstr(pattern, "%s");
    ri_ros_clean_name(clean, sizeof clean, item_name ? item_name : "");
    if (hole)
        snprintf(name, sizeof name, "%.*s%s%s", (int)(hole - pattern), pattern, clean, hole + 2);
    else
        snprintf(name, sizeof name, "%s", pattern);
    RiRosEndpoint *e = &r->endpoints[r->count];
    *e = (RiRosEndpoint){
        .type = ri_ros_type_find(info->type), .kind = kind, .item = item, .out = kind <= RI_ROS_DIAGNOSTICS, .qos = *o};
    e->keep_all = !e->out && r->options.pace == RI_ROS_LOCKSTEP && in_list(r->options.answers, info->key);
    ri_ros_join_name(e->name, sizeof e->name, r->setup.space, name);
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->endpoints[i].name, e->name) == 0)
            return ri_error(r->ctx, RI_ERR_ARGUMENT,
                            "ros: two topics have the name '%s': give one another (ros.topics.%s.name)", e->name,
                            info->key);
    memset(&r->streams[r->count], 0, sizeof *r->streams);
    r->streams[r->count].period = period_of(r, e);
    r->count++;
    return RI_OK;
}

/// A topic for each device of a class.
static RiStatus add_device_topics(RiRos *r, RiRosKind kind, const char *device_class)
{
    for (int i = 0; i < ri_sim_device_count(r->sim); i++) {
        const RiDeviceInfo d = ri_sim_device(r->sim, i);
        if (strcmp(d.device->name, device_class) == 0)
            RI_TRY(add_topic(r, kind, i, d.name));
    }
    return RI_OK;
}

const char *ri_ros_odometer(const RiRos *r)
{
    for (int i = 0; i < ri_sim_device_count(r->sim); i++) {
        const RiDeviceInfo d = ri_sim_device(r->sim, i);
        if (strcmp(d.device->name, "locomotion") == 0)
            return d.name;
    }
    return NULL;
}

/// Whether the scene has what a kind of topic speaks of.
static bool is_there(const RiRos *r, RiRosKind kind)
{
    const RiValues *t = ri_sim_values(r->sim);
    switch (kind) {
    case RI_ROS_ODOM:
        return ri_ros_odometer(r) != NULL;
    case RI_ROS_WHEELS:
        return ri_sim_soil_wheel_count(r->sim) + ri_sim_soil_screw_count(r->sim) > 0 ||
               ri_values_match(t, "contact.*.slip_ratio", 0) >= 0;
    default:
        return true;
    }
}

static RiStatus add_kind(RiRos *r, RiRosKind kind)
{
    switch (kind) {
    case RI_ROS_IMU:
        return add_device_topics(r, kind, "imu");
    case RI_ROS_BATTERY:
        return add_device_topics(r, kind, "battery");
    case RI_ROS_WRENCH:
        return add_device_topics(r, kind, "force_torque");
    case RI_ROS_IMAGE:
    case RI_ROS_COMPRESSED:
    case RI_ROS_CAMERA_INFO:
        for (int i = 0; i < ri_scene_camera_count(r->scene); i++)
            RI_TRY(add_topic(r, kind, i, ri_scene_camera(r->scene, i)->name));
        return RI_OK;
    case RI_ROS_POINTS:
    case RI_ROS_SLICES:
        for (int i = 0; i < ri_scene_lidar_count(r->scene); i++)
            RI_TRY(add_topic(r, kind, i, ri_scene_lidar(r->scene, i)->name));
        return RI_OK;
    default:
        return is_there(r, kind) ? add_topic(r, kind, -1, NULL) : RI_OK;
    }
}

RiStatus ri_ros_find_topics(RiRos *r)
{
    RI_TRY(name_frames(r));
    for (int i = 0; i < RI_ROS_KIND_COUNT; i++)
        RI_TRY(add_kind(r, (RiRosKind)i));
    return RI_OK;
}
