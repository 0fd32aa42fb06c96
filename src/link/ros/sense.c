// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures and clouds as messages. They are rendered only while somebody reads them, and between
/// ticks: a run has equal bits with and without them.
///
/// A scan goes out whole, or in slices of at most SLICE points: a reader whose socket has the
/// system's usual buffer loses whole clouds of more than about 150 kB (docs/ros.md).
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/work.h"

enum { SLICE = 8192, POINT = 16 };

/// Rendering needs the scene's geometry: made when the first reader comes.
static bool look(RiRos *r)
{
    if (r->blind)
        return false;
    RiStatus status = r->perception ? RI_OK : ri_perception_create(r->ctx, r->scene, 1, NULL, &r->perception);
    if (status == RI_OK)
        status = ri_perception_look(r->perception);
    if (status == RI_OK)
        return true;
    ri_ros_tell(r, "cameras and lidars are off: %s", ri_context_message(r->ctx));
    ri_context_clear(r->ctx);
    r->blind = true;
    return false;
}

/// "left_optical" of camera "left"; lidars have their own names.
static void camera_frame(const RiRos *r, int camera, char out[RI_ROS_NAME])
{
    snprintf(out, RI_ROS_NAME, "%s%.100s_optical", r->options.frame_prefix, ri_scene_camera(r->scene, camera)->name);
}

static void lidar_frame(const RiRos *r, int lidar, char out[RI_ROS_NAME])
{
    snprintf(out, RI_ROS_NAME, "%s%.100s", r->options.frame_prefix, ri_scene_lidar(r->scene, lidar)->name);
}

int ri_ros_sensor_frames(const RiRos *r)
{
    return ri_scene_camera_count(r->scene) + ri_scene_lidar_count(r->scene);
}

void ri_ros_put_sensor_frame(const RiRos *r, RiRosWriter *w, int index)
{
    const int cameras = ri_scene_camera_count(r->scene);
    char name[RI_ROS_NAME], parent[RI_ROS_NAME];
    const char *mount;
    RiPose pose;
    if (index < cameras) {
        const RiCameraMount *c = ri_scene_camera(r->scene, index);
        const RiPose optical = ri_camera_frame(&c->camera);
        pose = ri_pose_mul(&c->pose, &optical);
        mount = c->frame;
        camera_frame(r, index, name);
    } else {
        const RiLidarMount *l = ri_scene_lidar(r->scene, index - cameras);
        pose = l->pose;
        mount = l->frame;
        lidar_frame(r, index - cameras, name);
    }
    snprintf(parent, sizeof parent, "%s%.200s", mount ? r->options.frame_prefix : "", mount ? mount : "world");
    ri_ros_put_header(w, ri_sim_time(r->sim), parent);
    ri_ros_put_string(w, name);
    ri_ros_put_pose(w, &pose);
}

// --- cameras -------------------------------------------------------------------------------------

/// ROS's word for a distortion. A model that it has no word for keeps its own, with its own
/// numbers.
static const char *distortion_word(const RiCamera *c)
{
    const char *own = ri_camera_distortion(c);
    return strcmp(own, "kannala_brandt") == 0 ? "equidistant" : own;
}

/// How far this camera is to the right of its partner [m]; 0: it has none, or is the left one.
static double baseline(const RiRos *r, const RiCameraMount *c)
{
    for (int i = 0; c->pair && i < ri_scene_camera_count(r->scene); i++) {
        const RiCameraMount *other = ri_scene_camera(r->scene, i);
        const bool same_frame =
            (!c->frame && !other->frame) || (c->frame && other->frame && strcmp(c->frame, other->frame) == 0);
        if (strcmp(other->name, c->pair) != 0 || !same_frame)
            continue;
        const RiPose oa = ri_camera_frame(&other->camera), ob = ri_camera_frame(&c->camera);
        const RiPose a = ri_pose_mul(&other->pose, &oa), b = ri_pose_mul(&c->pose, &ob), inverse = ri_pose_inverse(&a);
        return fmax(0.0, ri_pose_point(&inverse, b.p).x);
    }
    return 0.0;
}

RiRosMessage *ri_ros_make_info(RiRos *r, int endpoint)
{
    const int camera = r->endpoints[endpoint].item;
    const RiCameraMount *c = ri_scene_camera(r->scene, camera);
    char frame[RI_ROS_NAME];
    double fx, fy, cx, cy, k[RI_CAMERA_COEFFICIENTS];
    const int n = ri_camera_distortion_numbers(&c->camera, k);
    RiRosWriter w;
    ri_camera_focal(&c->camera, &fx, &fy, &cx, &cy);
    camera_frame(r, camera, frame);
    ri_ros_write_begin(&w, r->transport->format, endpoint, r->streams[endpoint].seq, 512);
    ri_ros_put_header(&w, ri_sim_time(r->sim), frame);
    ri_ros_put_u32(&w, (uint32_t)c->camera.height);
    ri_ros_put_u32(&w, (uint32_t)c->camera.width);
    ri_ros_put_string(&w, distortion_word(&c->camera));
    ri_ros_put_u32(&w, (uint32_t)n);
    ri_ros_put_f64s(&w, k, n);
    ri_ros_put_f64s(&w, (const double[9]){fx, 0, cx, 0, fy, cy, 0, 0, 1}, 9);
    ri_ros_put_f64s(&w, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9);
    ri_ros_put_f64s(&w, (const double[12]){fx, 0, cx, -fx * baseline(r, c), 0, fy, cy, 0, 0, 0, 1, 0}, 12);
    for (int i = 0; i < 6; i++) // no binning, no region of interest
        ri_ros_put_u32(&w, 0);
    ri_ros_put_u8(&w, 0);
    return ri_ros_write_end(&w);
}

static RiRosMessage *make_image(RiRos *r, int endpoint, const RiPictureView *p, const char *frame)
{
    RiRosWriter w;
    const size_t size = 3 * (size_t)p->width * (size_t)p->height;
    ri_ros_write_begin(&w, r->transport->format, endpoint, r->streams[endpoint].seq, size + 128);
    ri_ros_put_header(&w, p->time, frame);
    ri_ros_put_u32(&w, (uint32_t)p->height);
    ri_ros_put_u32(&w, (uint32_t)p->width);
    ri_ros_put_string(&w, "rgb8");
    ri_ros_put_u8(&w, 0);
    ri_ros_put_u32(&w, 3 * (uint32_t)p->width);
    ri_ros_put_bytes(&w, p->rgb, size);
    return ri_ros_write_end(&w);
}

static RiRosMessage *make_compressed(RiRos *r, int endpoint, const RiPictureView *p, const char *frame)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->width,
                       .height = (png_uint_32)p->height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    void *bytes = malloc(size);
    RiRosMessage *m = NULL;
    if (bytes && png_image_write_to_memory(&image, bytes, &size, 0, p->rgb, 0, NULL)) {
        RiRosWriter w;
        ri_ros_write_begin(&w, r->transport->format, endpoint, r->streams[endpoint].seq, size + 128);
        ri_ros_put_header(&w, p->time, frame);
        ri_ros_put_string(&w, "rgb8; png compressed rgb8");
        ri_ros_put_bytes(&w, bytes, size);
        m = ri_ros_write_end(&w);
    }
    free(bytes);
    return m;
}

static void sense_picture(RiRos *r, int endpoint)
{
    const RiRosEndpoint *e = &r->endpoints[endpoint];
    RiPictureView p;
    char frame[RI_ROS_NAME];
    if (!ri_scene_camera(r->scene, e->item)->on || !look(r))
        return;
    if (ri_perception_picture(r->perception, e->item, &p) != RI_OK) {
        ri_ros_tell(r, "%s: %s", e->name, ri_context_message(r->ctx));
        ri_context_clear(r->ctx);
        return;
    }
    camera_frame(r, e->item, frame);
    ri_ros_send(r,
                e->kind == RI_ROS_IMAGE ? make_image(r, endpoint, &p, frame) : make_compressed(r, endpoint, &p, frame));
}

// --- lidars --------------------------------------------------------------------------------------

static void put_fields(RiRosWriter *w)
{
    static const char *const names[] = {"x", "y", "z", "intensity"};
    enum { FLOAT32 = 7 };
    ri_ros_put_u32(w, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ri_ros_put_string(w, names[i]);
        ri_ros_put_u32(w, 4 * i);
        ri_ros_put_u8(w, FLOAT32);
        ri_ros_put_u32(w, 1);
    }
}

/// Points `from` to `to` less one of those that came back; returns where the next message begins.
static int send_points(RiRos *r, int endpoint, const RiCloudView *cloud, int from, int most, const char *frame)
{
    RiRosWriter w;
    int to = from, count = 0;
    for (; to < cloud->count && count < most; to++)
        count += isfinite(cloud->returns[to].point.x);
    ri_ros_write_begin(&w, r->transport->format, endpoint, r->streams[endpoint].seq, (size_t)count * POINT + 256);
    ri_ros_put_header(&w, cloud->time, frame);
    ri_ros_put_u32(&w, 1);
    ri_ros_put_u32(&w, (uint32_t)count);
    put_fields(&w);
    ri_ros_put_u8(&w, 0);
    ri_ros_put_u32(&w, POINT);
    ri_ros_put_u32(&w, POINT * (uint32_t)count);
    uint8_t *at = ri_ros_put_room(&w, (size_t)count * POINT, true);
    for (int i = from; at && i < to; i++) {
        const RiReturn *b = &cloud->returns[i];
        if (!isfinite(b->point.x))
            continue;
        const float x[4] = {(float)b->point.x, (float)b->point.y, (float)b->point.z, b->intensity[RI_RETURN_FIRST]};
        memcpy(at, x, sizeof x);
        at += POINT;
    }
    ri_ros_put_u8(&w, 1);
    ri_ros_send(r, ri_ros_write_end(&w));
    return to;
}

static void sense_cloud(RiRos *r, int endpoint)
{
    const RiRosEndpoint *e = &r->endpoints[endpoint];
    RiCloudView cloud;
    char frame[RI_ROS_NAME];
    if (!ri_scene_lidar(r->scene, e->item)->on || !look(r))
        return;
    if (ri_perception_scan(r->perception, e->item, true, &cloud) != RI_OK) {
        ri_ros_tell(r, "%s: %s", e->name, ri_context_message(r->ctx));
        ri_context_clear(r->ctx);
        return;
    }
    lidar_frame(r, e->item, frame);
    const int most = e->kind == RI_ROS_SLICES ? SLICE : cloud.count + 1;
    int at = 0;
    do
        at = send_points(r, endpoint, &cloud, at, most, frame);
    while (at < cloud.count);
}

void ri_ros_sense(RiRos *r, int endpoint)
{
    const RiRosKind kind = r->endpoints[endpoint].kind;
    if (kind == RI_ROS_IMAGE || kind == RI_ROS_COMPRESSED)
        sense_picture(r, endpoint);
    else
        sense_cloud(r, endpoint);
}
