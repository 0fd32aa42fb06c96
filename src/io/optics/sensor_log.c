// SPDX-License-Identifier: Apache-2.0
/// \file
/// What sensors make as channels of a record, in messages that ROS 2 and Foxglove know. Tests:
/// tests/optics/test_sensors.c, tests/foxglove.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/perception.h>
#include <rille/picture.h>
#include <rille/record.h>

#include "base/memory.h"
#include "io/record/mcap.h"
#include "optics/filter_jpeg.h"

#define LINE "================================================================================\n"
#define HEADER                                                                                                         \
    LINE "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" LINE                                 \
         "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"

static const char image_definition[] = "std_msgs/Header header\nstring format\nuint8[] data\n" HEADER;
static const char info_definition[] =
    "std_msgs/Header header\nuint32 height\nuint32 width\nstring distortion_model\nfloat64[] d\nfloat64[9] k\n"
    "float64[9] r\nfloat64[12] p\nuint32 binning_x\nuint32 binning_y\nsensor_msgs/RegionOfInterest roi\n" HEADER LINE
    "MSG: sensor_msgs/RegionOfInterest\nuint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\n"
    "bool do_rectify\n";
static const char cloud_definition[] =
    "std_msgs/Header header\nuint32 height\nuint32 width\nsensor_msgs/PointField[] fields\nbool is_bigendian\n"
    "uint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n" HEADER LINE
    "MSG: sensor_msgs/PointField\nuint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\n"
    "uint8 UINT32=6\nuint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\nuint32 offset\nuint8 datatype\nuint32 count\n";

/// A picture on its way: compressed in the rendering thread, written in the run's.
typedef struct Cooked {
    unsigned char *bytes; ///< of malloc: the context belongs to another thread
    size_t size;
    const char *format;
} Cooked;

struct RiSensorLog {
    RiContext *ctx;
    const RiScene *scene;
    RiRecord *record;
    RiBytes message;
    Cooked *cooked;
    int *images, *infos, *clouds, *frames; ///< groups of each sensor
    int camera_count, lidar_count;
    char (*names)[160]; ///< of the sensors' frames
};

// --- CDR -----------------------------------------------------------------------------------------

static void align(RiBytes *b, size_t size)
{
    while (!b->failed && (b->size - MCAP_CDR_HEAD) % size != 0)
        ri_put_u8(b, 0);
}

static void put_u32(RiBytes *b, uint32_t x)
{
    align(b, 4);
    ri_put_u32(b, x);
}

static void put_f64(RiBytes *b, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    align(b, 8);
    ri_put_u64(b, bits);
}

static void put_text(RiBytes *b, const char *text)
{
    put_u32(b, (uint32_t)strlen(text) + 1);
    ri_put_data(b, text, strlen(text) + 1);
}

static void put_bytes(RiBytes *b, const void *data, size_t size)
{
    put_u32(b, (uint32_t)size);
    ri_put_data(b, data, size);
}

static void put_header(RiBytes *b, double time, const char *frame)
{
    const uint64_t ns = (uint64_t)llround(time * 1e9);
    b->size = 0;
    ri_put_u32(b, 0x00000100); // CDR, little endian: bytes 0 1 0 0
    put_u32(b, (uint32_t)(ns / 1000000000u));
    put_u32(b, (uint32_t)(ns % 1000000000u));
    put_text(b, frame);
}

static RiStatus send(RiSensorLog *l, int group, double time)
{
    if (l->message.failed) {
        l->message.failed = false;
        return ri_error_memory(l->ctx);
    }
    return ri_record_message(l->record, group, time, l->message.at, l->message.size);
}

// --- messages ------------------------------------------------------------------------------------

/// Without JPEG in this build: PNG.
static const char *compress_png(RiContext *own, const RiPictureView *v, unsigned char **out_bytes, size_t *out_size)
{
    const RiPicture picture = {(uint8_t *)(uintptr_t)v->rgb, v->width, v->height};
    uint8_t *bytes;
    if (ri_picture_encode(own, &picture, &bytes, out_size) != RI_OK)
        return NULL;
    *out_bytes = malloc(*out_size);
    if (*out_bytes)
        memcpy(*out_bytes, bytes, *out_size);
    ri_release(own, bytes);
    return *out_bytes ? "png" : NULL;
}

const char *ri_picture_compress(const RiPictureView *v, unsigned char **out_bytes, size_t *out_size)
{
    enum { QUALITY = 90 };
    const char *format = NULL;
    RiContext *own;
    *out_bytes = NULL;
    *out_size = 0;
    if (ri_context_create(NULL, &own) != RI_OK)
        return NULL;
    if (ri_jpeg_encode(own, v->rgb, v->width, v->height, 3, QUALITY, out_bytes, out_size) == RI_OK)
        format = "jpeg";
    else
        format = compress_png(own, v, out_bytes, out_size);
    ri_context_destroy(own);
    return format;
}

static void cook(void *user, int camera, const RiPictureView *v)
{
    RiSensorLog *l = user;
    Cooked *c = &l->cooked[camera];
    free(c->bytes);
    c->format = ri_picture_compress(v, &c->bytes, &c->size);
}

static void put_info(RiBytes *b, const RiCamera *c)
{
    double fx, fy, cx, cy, numbers[RI_CAMERA_COEFFICIENTS];
    ri_camera_focal(c, &fx, &fy, &cx, &cy);
    const int count = ri_camera_distortion_numbers(c, numbers);
    const double k[9] = {fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0};
    const double p[12] = {fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0};
    put_u32(b, (uint32_t)c->height);
    put_u32(b, (uint32_t)c->width);
    put_text(b, ri_camera_distortion(c));
    put_u32(b, (uint32_t)count);
    for (int i = 0; i < count; i++)
        put_f64(b, numbers[i]);
    for (int i = 0; i < 9; i++)
        put_f64(b, k[i]);
    for (int i = 0; i < 9; i++)
        put_f64(b, i % 4 == 0 ? 1.0 : 0.0);
    for (int i = 0; i < 12; i++)
        put_f64(b, p[i]);
    for (int i = 0; i < 6; i++) // no binning, the whole image
        put_u32(b, 0);
    ri_put_u8(b, 0);
}

static RiStatus write_picture(void *user, int camera, const RiPictureView *v, const RiPose *pose)
{
    RiSensorLog *l = user;
    const RiCameraMount *m = ri_scene_camera(l->scene, camera);
    const Cooked *c = &l->cooked[camera];
    if (!c->bytes)
        return ri_error_memory(l->ctx);
    put_header(&l->message, v->time, l->names[camera]);
    put_text(&l->message, c->format);
    put_bytes(&l->message, c->bytes, c->size);
    RI_TRY(send(l, l->images[camera], v->time));
    put_header(&l->message, v->time, l->names[camera]);
    put_info(&l->message, &m->camera);
    RI_TRY(send(l, l->infos[camera], v->time));
    const RiPose optical = ri_camera_frame(&m->camera), world = ri_pose_mul(pose, &optical);
    return l->frames ? ri_record_frames(l->record, l->frames[camera], v->time, &world) : RI_OK;
}

enum { POINT_BYTES = 28 };

static const struct {
    const char *name;
    uint32_t offset;
    unsigned type; ///< 7 float32, 5 int32
} fields[] = {{"x", 0, 7},      {"y", 4, 7},  {"z", 8, 7},    {"intensity", 12, 7},
              {"range", 16, 7}, {"t", 20, 7}, {"ring", 24, 5}};
enum { FIELDS = sizeof fields / sizeof *fields };

/// The points with a return; their number is known afterwards.
static uint32_t put_points(RiBytes *b, const RiCloudView *cloud)
{
    uint32_t count = 0;
    for (int i = 0; i < cloud->count; i++) {
        const RiReturn *r = &cloud->returns[i];
        if (!isfinite(r->range[0]) || !isfinite(r->point.x))
            continue;
        const float numbers[6] = {(float)r->point.x, (float)r->point.y,  (float)r->point.z,
                                  r->intensity[0],   (float)r->range[0], (float)(r->time - cloud->time)};
        const int32_t ring = r->channel;
        ri_put_data(b, numbers, sizeof numbers);
        ri_put_data(b, &ring, sizeof ring);
        count++;
    }
    return count;
}

static RiStatus write_cloud(void *user, int lidar, const RiCloudView *cloud)
{
    RiSensorLog *l = user;
    RiBytes *b = &l->message;
    const int sensor = l->camera_count + lidar;
    put_header(b, cloud->time, l->names[sensor]);
    put_u32(b, 1);
    const size_t width_at = b->size;
    put_u32(b, 0);
    put_u32(b, FIELDS);
    for (int i = 0; i < FIELDS; i++) {
        put_text(b, fields[i].name);
        put_u32(b, fields[i].offset);
        ri_put_u8(b, fields[i].type);
        put_u32(b, 1);
    }
    ri_put_u8(b, 0);
    put_u32(b, POINT_BYTES);
    const size_t row_at = b->size;
    put_u32(b, 0);
    put_u32(b, 0);
    const uint32_t count = put_points(b, cloud);
    ri_put_u8(b, 1);
    if (!b->failed) {
        ri_store_u32(b->at + width_at, count);
        ri_store_u32(b->at + row_at, POINT_BYTES * count);
        ri_store_u32(b->at + row_at + 4, POINT_BYTES * count);
    }
    RI_TRY(send(l, l->clouds[lidar], cloud->time));
    return l->frames ? ri_record_frames(l->record, l->frames[sensor], cloud->time, &cloud->pose) : RI_OK;
}

// --- life ----------------------------------------------------------------------------------------

static RiStatus declare(RiSensorLog *l)
{
    char topic[256];
    for (int i = 0; i < l->camera_count; i++) {
        const char *name = ri_scene_camera(l->scene, i)->name;
        snprintf(l->names[i], sizeof l->names[i], "camera/%.140s", name);
        snprintf(topic, sizeof topic, "/camera/%.140s/image", name);
        RI_TRY(ri_record_add_messages(l->record, topic, "sensor_msgs/msg/CompressedImage", image_definition,
                                      &l->images[i]));
        snprintf(topic, sizeof topic, "/camera/%.140s/camera_info", name);
        RI_TRY(ri_record_add_messages(l->record, topic, "sensor_msgs/msg/CameraInfo", info_definition, &l->infos[i]));
    }
    for (int i = 0; i < l->lidar_count; i++) {
        const char *name = ri_scene_lidar(l->scene, i)->name;
        snprintf(l->names[l->camera_count + i], sizeof *l->names, "lidar/%.140s", name);
        snprintf(topic, sizeof topic, "/lidar/%.140s/points", name);
        RI_TRY(
            ri_record_add_messages(l->record, topic, "sensor_msgs/msg/PointCloud2", cloud_definition, &l->clouds[i]));
    }
    for (int i = 0; l->frames && i < l->camera_count + l->lidar_count; i++) {
        const char *names[] = {l->names[i]};
        snprintf(topic, sizeof topic, "/tf_sensors/%.140s", l->names[i]);
        RI_TRY(ri_record_add_frames(l->record, topic, "world", 1, names, &l->frames[i]));
    }
    return RI_OK;
}

RiStatus ri_sensor_log_create(RiContext *ctx, const RiScene *scene, RiRecord *record, bool frames, RiSensorLog **out,
                              RiSensorSink *out_sink)
{
    *out = NULL;
    RiSensorLog *l = ri_alloc_zero(ctx, 1, sizeof *l);
    if (!l)
        return ri_error_memory(ctx);
    *l = (RiSensorLog){.ctx = ctx, .scene = scene, .record = record};
    l->camera_count = ri_scene_camera_count(scene);
    l->lidar_count = ri_scene_lidar_count(scene);
    const size_t cameras = (size_t)l->camera_count + 1, lidars = (size_t)l->lidar_count + 1;
    ri_bytes_init(&l->message, ctx);
    l->cooked = ri_alloc_zero(ctx, cameras, sizeof *l->cooked);
    l->images = ri_alloc_zero(ctx, cameras, sizeof *l->images);
    l->infos = ri_alloc_zero(ctx, cameras, sizeof *l->infos);
    l->clouds = ri_alloc_zero(ctx, lidars, sizeof *l->clouds);
    l->names = ri_alloc_zero(ctx, cameras + lidars, sizeof *l->names);
    l->frames = frames ? ri_alloc_zero(ctx, cameras + lidars, sizeof *l->frames) : NULL;
    const bool ok = l->cooked && l->images && l->infos && l->clouds && l->names && (l->frames || !frames);
    const RiStatus status = ok ? declare(l) : ri_error_memory(ctx);
    if (status != RI_OK) {
        ri_sensor_log_destroy(l);
        return status;
    }
    *out = l;
    *out_sink = (RiSensorSink){.user = l, .cook = cook, .picture = write_picture, .cloud = write_cloud};
    return RI_OK;
}

void ri_sensor_log_destroy(RiSensorLog *l)
{
    if (!l)
        return;
    for (int i = 0; l->cooked && i < l->camera_count; i++)
        free(l->cooked[i].bytes);
    ri_bytes_free(&l->message);
    void *const blocks[] = {l->cooked, l->images, l->infos, l->clouds, l->names, l->frames};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        ri_release(l->ctx, blocks[i]);
    ri_release(l->ctx, l);
}
