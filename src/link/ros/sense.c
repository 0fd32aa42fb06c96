// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures and clouds as messages. They are rendered only while somebody reads them, and between
/// ticks: a run has equal bits with and without them.
///
/// Lidars shoot in every tick for which a cloud is wanted, from where they are then; a cloud holds
/// the shots of one scan, each point with its time. It goes out whole, or in slices of SLICE
/// points: a reader whose socket has the system's usual buffer loses whole clouds of more than
/// about 150 kB (docs/ros.md).
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/work.h"

enum { SLICE = 5000, POINT = 24 };

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

/// As drivers of spinning lidars lay their points out.
static const struct {
    const char *name;
    uint32_t at;
    uint8_t type;
} fields[] = {{"x", 0, 7}, {"y", 4, 7}, {"z", 8, 7}, {"intensity", 12, 7}, {"time", 16, 7}, {"ring", 20, 4}};
enum { FIELDS = sizeof fields / sizeof *fields }; // types of PointField: 7 float32, 4 uint16

static void put_fields(RiRosWriter *w)
{
    ri_ros_put_u32(w, FIELDS);
    for (int i = 0; i < FIELDS; i++) {
        ri_ros_put_string(w, fields[i].name);
        ri_ros_put_u32(w, fields[i].at);
        ri_ros_put_u8(w, fields[i].type);
        ri_ros_put_u32(w, 1);
    }
}

static void put_point(const RiRos *r, const RiReturn *b, double now, uint8_t *at)
{
    const RiVec3 p = r->options.clouds == RI_ROS_CLOUDS_WORLD ? b->world : b->point;
    const float x[5] = {(float)p.x, (float)p.y, (float)p.z, b->intensity[RI_RETURN_FIRST], (float)(b->time - now)};
    const uint16_t ring[2] = {(uint16_t)b->channel, 0};
    memcpy(at, x, sizeof x);
    memcpy(at + sizeof x, ring, sizeof ring);
}

/// Points `from` to `to` less one of those that came back; returns where the next message begins.
static int send_points(RiRos *r, int endpoint, const RiRosReel *reel, int from, int most, const char *frame)
{
    RiRosWriter w;
    const double now = ri_sim_time(r->sim);
    int to = from, count = 0;
    for (; to < reel->count && count < most; to++)
        count += isfinite(reel->returns[to].point.x);
    ri_ros_write_begin(&w, r->transport->format, endpoint, r->streams[endpoint].seq, (size_t)count * POINT + 256);
    ri_ros_put_header(&w, now, frame);
    ri_ros_put_u32(&w, 1);
    ri_ros_put_u32(&w, (uint32_t)count);
    put_fields(&w);
    ri_ros_put_u8(&w, 0);
    ri_ros_put_u32(&w, POINT);
    ri_ros_put_u32(&w, POINT * (uint32_t)count);
    uint8_t *at = ri_ros_put_room(&w, (size_t)count * POINT, true);
    for (int i = from; at && i < to; i++) {
        if (!isfinite(reel->returns[i].point.x))
            continue;
        put_point(r, &reel->returns[i], now, at);
        at += POINT;
    }
    ri_ros_put_u8(&w, 1);
    ri_ros_send(r, ri_ros_write_end(&w));
    return to;
}

/// Shots that a cloud holds: those of one scan, or since the last cloud if that is less [s].
static double span_of(const RiRos *r, int endpoint)
{
    const double tick = ri_sim_options(r->sim)->tick,
                 rate = ri_scene_lidar(r->scene, r->endpoints[endpoint].item)->lidar.rate;
    return fmin((double)r->streams[endpoint].period * tick, 1.0 / rate);
}

/// Whether this tick's shots will be in a cloud that somebody reads. One tick more: shots need two
/// looks.
static bool wants_shots(const RiRos *r, int lidar)
{
    const long long tick = ri_sim_tick(r->sim);
    for (int i = 0; i < r->count; i++) {
        const RiRosEndpoint *e = &r->endpoints[i];
        const long long period = r->streams[i].period;
        if ((e->kind != RI_ROS_POINTS && e->kind != RI_ROS_SLICES) || e->item != lidar || period <= 0)
            continue;
        const long long due = (tick + period - 1) / period * period;
        if ((double)(due - tick) * ri_sim_options(r->sim)->tick <= span_of(r, i) + 1e-9 && ri_ros_is_read(r, i))
            return true;
    }
    return false;
}

static bool make_room(RiRos *r, RiRosReel *reel, int lidar, int more)
{
    const double old = ri_sim_time(r->sim) - 1.0 / ri_scene_lidar(r->scene, lidar)->lidar.rate - 1e-9;
    int kept = 0;
    if (reel->count + more <= reel->room)
        return true;
    for (int i = 0; i < reel->count; i++) // shots older than a scan are in no cloud
        if (reel->returns[i].time >= old)
            reel->returns[kept++] = reel->returns[i];
    reel->count = kept;
    if (reel->count + more <= reel->room / 2)
        return true;
    const int room = 2 * (reel->count + more) + 1024;
    RiReturn *returns = realloc(reel->returns, (size_t)room * sizeof *returns);
    if (!returns)
        return false;
    reel->returns = returns;
    reel->room = room;
    return true;
}

static void add_shots(RiRos *r, int lidar, bool whole)
{
    RiRosReel *reel = &r->reels[lidar];
    RiCloudView cloud;
    if (!whole && reel->still >= 0) { // the scan of the start ends where the first shots begin
        reel->still = -1;
        reel->count = 0;
    }
    if (ri_perception_scan(r->perception, lidar, whole, &cloud) != RI_OK) {
        ri_ros_tell(r, "lidar '%s': %s", ri_scene_lidar(r->scene, lidar)->name, ri_context_message(r->ctx));
        ri_context_clear(r->ctx);
        reel->since = INFINITY;
        return;
    }
    if (!make_room(r, reel, lidar, cloud.count)) {
        ri_ros_tell(r, "lidar '%s': out of memory", ri_scene_lidar(r->scene, lidar)->name);
        reel->since = INFINITY;
        return;
    }
    if (cloud.count > 0)
        memcpy(reel->returns + reel->count, cloud.returns, (size_t)cloud.count * sizeof *cloud.returns);
    for (int i = 0; whole && i < cloud.count; i++)
        reel->returns[reel->count + i].time = cloud.time;
    reel->count += cloud.count;
}

void ri_ros_shoot(RiRos *r)
{
    const long long tick = ri_sim_tick(r->sim);
    const int lidars = ri_scene_lidar_count(r->scene);
    bool any = false;
    for (int i = 0; i < lidars; i++)
        any |= ri_scene_lidar(r->scene, i)->on && wants_shots(r, i);
    if (!any || !look(r)) {
        r->looked = -1;
        return;
    }
    for (int i = 0; i < lidars; i++) {
        RiRosReel *reel = &r->reels[i];
        if (!ri_scene_lidar(r->scene, i)->on || !wants_shots(r, i)) {
            reel->since = INFINITY;
        } else if (r->looked == tick - 1 && isfinite(reel->since)) {
            add_shots(r, i, false);
        } else {
            reel->count = 0;
            reel->since = ri_sim_time(r->sim);
        }
    }
    r->looked = tick;
}

void ri_ros_forget_shots(RiRos *r)
{
    r->looked = -1;
    r->jumped = ri_sim_tick(r->sim);
    for (int i = 0; r->reels && i < ri_scene_lidar_count(r->scene); i++) {
        r->reels[i].count = 0;
        r->reels[i].since = INFINITY;
        r->reels[i].still = -1;
    }
}

/// At the start, and where the state has jumped, there were no shots before: a scan from where the
/// lidar is, all of now.
static bool stand_still(RiRos *r, int lidar)
{
    RiRosReel *reel = &r->reels[lidar];
    const long long tick = ri_sim_tick(r->sim);
    if (reel->still == tick && reel->count > 0)
        return true;
    if (tick != r->jumped || !look(r))
        return false;
    reel->count = 0;
    reel->since = ri_sim_time(r->sim);
    reel->still = tick;
    r->looked = tick;
    add_shots(r, lidar, true);
    return reel->count > 0;
}

/// A cloud of the shots up to now. A reader that has come amid a scan gets the next whole one.
static void sense_cloud(RiRos *r, int endpoint)
{
    const RiRosEndpoint *e = &r->endpoints[endpoint];
    RiRosReel *reel = &r->reels[e->item];
    const double begin = ri_sim_time(r->sim) - span_of(r, endpoint);
    char frame[RI_ROS_NAME] = "world";
    if (!ri_scene_lidar(r->scene, e->item)->on || r->blind)
        return;
    const bool still = stand_still(r, e->item);
    if (!still && !(reel->since <= begin + 1e-9))
        return;
    if (r->options.clouds == RI_ROS_CLOUDS_LIDAR)
        lidar_frame(r, e->item, frame);
    int at = 0;
    while (!still && at < reel->count && reel->returns[at].time < begin - 1e-9)
        at++; // of before
    const int most = e->kind == RI_ROS_SLICES ? SLICE : reel->count + 1;
    do
        at = send_points(r, endpoint, reel, at, most, frame);
    while (at < reel->count);
}

void ri_ros_sense(RiRos *r, int endpoint)
{
    const RiRosKind kind = r->endpoints[endpoint].kind;
    if (kind == RI_ROS_IMAGE || kind == RI_ROS_COMPRESSED)
        sense_picture(r, endpoint);
    else
        sense_cloud(r, endpoint);
}
