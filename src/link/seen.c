// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures, clouds and sights for pages. See seen.h.
#include "link/seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "link/show.h"
#include "link/view_work.h"

enum { IMAGE = 5, POINTS = 7, SIGHT = 9 };                ///< kinds of messages
enum { OF_CAMERA, OF_LIDAR, OF_SIGHT };                   ///< kept under a key for each sensor
enum { POINTS_MOST = 32768, SIDE = 12, RAYS = 4 * SIDE }; ///< points of a cloud; rays along a frame's border
static const double reach = 30.0;                         ///< [m] that sights are followed

/// A picture, compressed by the rendering thread.
typedef struct Cooked {
    unsigned char *bytes;
    size_t size;
} Cooked;

/// A lidar's pose at the end of its last cloud.
typedef struct Lidar {
    RiPose pose;
    double time;
    bool known;
} Lidar;

struct RiSeen {
    RiContext *ctx;
    RiView *view;       ///< may be gone when this is destroyed
    RiAllocator memory; ///< its
    RiScene *scene;
    int run, layers; ///< of pages, that the sensors represent
    RiSensors *sensors;
    Cooked *cooked;
    Lidar *lidars;
    int camera_count, lidar_count;
};

// --- messages ------------------------------------------------------------------------------------

static void put_u16(RiText *t, unsigned x)
{
    const unsigned char bytes[2] = {(unsigned char)x, (unsigned char)(x >> 8)};
    ri_text_put(t, bytes, sizeof bytes);
}

static void put_u32(RiText *t, uint32_t x)
{
    put_u16(t, x & 0xffffu);
    put_u16(t, x >> 16);
}

static void put_f32(RiText *t, double x)
{
    const float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(t, bits);
}

static void put_vec3(RiText *t, RiVec3 v)
{
    put_f32(t, v.x);
    put_f32(t, v.y);
    put_f32(t, v.z);
}

/// A name, filled up to 4 bytes.
static void put_name(RiText *t, const char *name)
{
    static const char zeros[4] = {0};
    const size_t length = strlen(name);
    ri_text_put(t, name, length);
    ri_text_put(t, zeros, (4 - length % 4) % 4);
}

static RiStatus keep(RiSeen *s, int what, int sensor, RiText *t)
{
    const uint64_t key = ri_show_key(SHOW_SEEN, s->run) | (uint64_t)(unsigned)(what << 16 | sensor) << 8;
    const RiStatus status = t->failed ? ri_error(s->ctx, RI_ERR_MEMORY, "out of memory")
                                      : ri_view_keep(s->view, key, false, t->at, t->size);
    ri_text_free(t);
    return status;
}

static RiText begin(const RiSeen *s, int kind)
{
    RiText t;
    ri_text_init(&t, &s->view->memory);
    put_u32(&t, (unsigned)kind | (unsigned)s->run << 8);
    return t;
}

// --- pictures and clouds -------------------------------------------------------------------------

static void cook(void *user, int camera, const RiPictureView *view)
{
    RiSeen *s = user;
    Cooked *c = &s->cooked[camera];
    free(c->bytes);
    (void)ri_picture_compress(view, &c->bytes, &c->size); // without memory there are no bytes
}

static RiStatus keep_picture(void *user, int camera, const RiPictureView *view, const RiPose *pose)
{
    RiSeen *s = user;
    const char *name = ri_scene_camera(s->scene, camera)->name;
    const size_t length = strnlen(name, 255);
    (void)pose;
    if (!s->cooked[camera].bytes)
        return ri_error(s->ctx, RI_ERR_MEMORY, "out of memory");
    RiText t = begin(s, IMAGE);
    const unsigned char head = (unsigned char)length;
    put_u16(&t, (unsigned)view->width);
    put_u16(&t, (unsigned)view->height);
    ri_text_put(&t, &head, 1);
    ri_text_put(&t, name, length);
    ri_text_put(&t, s->cooked[camera].bytes, s->cooked[camera].size);
    return keep(s, OF_CAMERA, camera, &t);
}

/// Pose between two, at part u of the way.
static RiPose pose_between(const RiPose *a, const RiPose *b, double u)
{
    const RiQuat qa = ri_quat_from_mat3(&a->R), qb = ri_quat_from_mat3(&b->R);
    const RiQuat back = {qa.w, -qa.x, -qa.y, -qa.z};
    const RiVec3 turn = ri_quat_log(ri_quat_mul(back, qb));
    RiPose p;
    p.R = ri_quat_to_mat3(ri_quat_mul(qa, ri_quat_exp(ri_scale(u, turn))));
    p.p = ri_add(a->p, ri_scale(u, ri_sub(b->p, a->p)));
    return p;
}

/// Where the lidar was at a time of its scan: between the ends of the last scan and of this one.
static RiPose pose_at(const Lidar *l, const RiCloudView *cloud, double time)
{
    const double span = cloud->time - l->time;
    if (!l->known || !(span > 0.0))
        return cloud->pose;
    return pose_between(&l->pose, &cloud->pose, fmin(1.0, fmax(0.0, (time - l->time) / span)));
}

static bool has_return(const RiReturn *r)
{
    return isfinite(r->range[0]) && isfinite(r->point.x);
}

/// Points as measured, brought to the world by the pose at the time of each shot; their ranges
/// behind them.
static void put_points(RiText *t, const Lidar *l, const RiCloudView *cloud, int stride)
{
    RiPose pose = cloud->pose;
    double last = NAN;
    for (int i = 0; i < cloud->count; i += stride) {
        const RiReturn *r = &cloud->returns[i];
        if (!has_return(r))
            continue;
        if (r->time != last)
            pose = pose_at(l, cloud, r->time);
        last = r->time;
        put_vec3(t, ri_pose_point(&pose, r->point));
    }
    for (int i = 0; i < cloud->count; i += stride)
        if (has_return(&cloud->returns[i]))
            put_f32(t, cloud->returns[i].range[0]);
}

static RiStatus keep_cloud(void *user, int lidar, const RiCloudView *cloud)
{
    RiSeen *s = user;
    Lidar *l = &s->lidars[lidar];
    const char *name = ri_scene_lidar(s->scene, lidar)->name;
    const int stride = 1 + (cloud->count - 1) / POINTS_MOST;
    uint32_t count = 0;
    for (int i = 0; i < cloud->count; i += stride)
        count += has_return(&cloud->returns[i]);
    RiText t = begin(s, POINTS);
    put_u16(&t, (unsigned)strlen(name));
    put_u16(&t, 1); // ranges follow
    put_u32(&t, count);
    put_name(&t, name);
    put_points(&t, l, cloud, stride);
    *l = (Lidar){cloud->pose, cloud->time, true};
    return keep(s, OF_LIDAR, lidar, &t);
}

// --- sights --------------------------------------------------------------------------------------

/// Pixel k of the way around the frame, clockwise from its upper left corner.
static void border_pixel(const RiCamera *c, int k, double *out_sample, double *out_line)
{
    const double right = c->width - 1.0, low = c->height - 1.0, u = (double)(k % SIDE) / SIDE;
    const double x[4] = {u * right, right, (1.0 - u) * right, 0.0}, y[4] = {0.0, u * low, low, (1.0 - u) * low};
    *out_sample = x[k / SIDE];
    *out_line = y[k / SIDE];
}

/// A border ray's end and whether it is ground (1), nothing within reach (0), or no ray at all
/// (-1).
static void put_ray(RiText *t, const RiSeen *s, const RiCamera *c, const RiPose *pose, int k)
{
    const RiTerrain *ground = ri_sim_terrain(ri_scene_sim(s->scene));
    double sample, line;
    RiVec3 o, d;
    RiTerrainHit hit;
    border_pixel(c, k, &sample, &line);
    if (!ri_camera_ray(c, sample, line, &o, &d)) {
        put_vec3(t, pose->p);
        put_f32(t, -1.0);
        return;
    }
    const RiVec3 origin = ri_pose_point(pose, o), toward = ri_rotate(&pose->R, d);
    const bool found = ground && ri_terrain_ray(ground, origin, toward, reach, &hit);
    put_vec3(t, found ? hit.point : ri_add(origin, ri_scale(reach, toward)));
    put_f32(t, found ? 1.0 : 0.0);
}

static RiPose camera_pose(const RiSeen *s, const RiCameraMount *m)
{
    RiSim *sim = ri_scene_sim(s->scene);
    const int frame = m->frame ? ri_model_find_frame(ri_sim_model(sim), m->frame) : -1;
    if (frame < 0)
        return m->pose;
    const RiPose body = ri_dyn_frame_pose(ri_sim_dyn(sim), frame);
    return ri_pose_mul(&body, &m->pose);
}

RiStatus ri_seen_sights(RiSeen *s)
{
    for (int i = 0; s && i < s->camera_count; i++) {
        const RiCameraMount *m = ri_scene_camera(s->scene, i);
        if (!m->on)
            continue;
        const RiPose pose = camera_pose(s, m), optical = ri_camera_frame(&m->camera);
        RiText t = begin(s, SIGHT);
        put_u16(&t, (unsigned)strlen(m->name));
        put_u16(&t, RAYS);
        put_name(&t, m->name);
        put_vec3(&t, ri_pose_point(&pose, optical.p));
        for (int k = 0; k < RAYS; k++)
            put_ray(&t, s, &m->camera, &pose, k);
        RI_TRY(keep(s, OF_SIGHT, i, &t));
    }
    return RI_OK;
}

// --- life ----------------------------------------------------------------------------------------

static void release(RiSeen *s)
{
    const RiAllocator memory = s->memory;
    memory.release(memory.user, s->cooked);
    memory.release(memory.user, s->lidars);
    memory.release(memory.user, s);
}

RiStatus ri_seen_create(RiContext *ctx, RiView *view, RiScene *scene, int run, RiSeen **out)
{
    const int cameras = ri_scene_camera_count(scene), lidars = ri_scene_lidar_count(scene);
    *out = NULL;
    if (cameras + lidars == 0)
        return RI_OK;
    RiSeen *s = ri_view_alloc(view, sizeof *s);
    if (!s)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    *s = (RiSeen){.ctx = ctx, .view = view, .memory = view->memory, .scene = scene, .run = run};
    s->camera_count = cameras, s->lidar_count = lidars;
    s->cooked = ri_view_alloc(view, ((size_t)cameras + 1) * sizeof *s->cooked);
    s->lidars = ri_view_alloc(view, ((size_t)lidars + 1) * sizeof *s->lidars);
    if (!s->cooked || !s->lidars) {
        release(s);
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    }
    memset(s->cooked, 0, ((size_t)cameras + 1) * sizeof *s->cooked);
    memset(s->lidars, 0, ((size_t)lidars + 1) * sizeof *s->lidars);
    *out = s;
    return RI_OK;
}

void ri_seen_restart(RiSeen *s)
{
    if (!s)
        return;
    ri_sensors_destroy(s->sensors);
    s->sensors = NULL;
    s->layers = 0;
    for (int i = 0; i < s->lidar_count; i++)
        s->lidars[i].known = false;
}

void ri_seen_destroy(RiSeen *s)
{
    if (!s)
        return;
    ri_seen_restart(s);
    for (int i = 0; i < s->camera_count; i++)
        free(s->cooked[i].bytes);
    release(s);
}

RiStatus ri_seen_tick(RiSeen *s, int layers)
{
    const int wanted = layers & (RI_VIEW_PICTURES | RI_VIEW_CLOUDS);
    if (!s)
        return RI_OK;
    if (wanted != s->layers) {
        ri_seen_restart(s);
        s->layers = wanted;
        RiSensorSink sink = {.user = s, .latest = true};
        if (wanted & RI_VIEW_PICTURES)
            sink.cook = cook, sink.picture = keep_picture;
        if (wanted & RI_VIEW_CLOUDS)
            sink.cloud = keep_cloud;
        if (wanted)
            RI_TRY(ri_sensors_create(s->ctx, s->scene, 1, NULL, &sink, &s->sensors));
    }
    const RiStatus status = s->sensors ? ri_sensors_tick(s->sensors) : RI_OK;
    if (status != RI_OK) {
        ri_sensors_destroy(s->sensors);
        s->sensors = NULL;
    }
    return status;
}
