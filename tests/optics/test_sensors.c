// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sensors beside a run: at their rates, with the same bits for any number of threads, without a
/// trace in the motion; and as messages of a log.
#include <stdlib.h>
#include <unistd.h>

#include <rille/rille.h>

#include "check.h"

static RiContext *ctx;

static const char text[] =
    "scene: slide\n"
    "robot:\n"
    "  template:\n"
    "    robot: block\n"
    "    links:\n"
    "      - {name: block, mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
    "    shapes:\n"
    "      - {link: block, type: box, size: [1, 0.5, 0.4]}\n"
    "    frames:\n"
    "      - {name: mast, link: block, origin: {xyz: [0, 0, 1]}}\n"
    "  base: floating\n"
    "gravity: none\n"
    "tick: 10 ms\n"
    "duration: 1 s\n"
    "initial: {base: {xyz: [0, 0, 1], velocity: [0.5, 0, 0]}}\n"
    "terrain: {template: {kind: plane, material: sand}}\n"
    "contact: none\n"
    "cameras:\n"
    "  fast: {model: pinhole, width: 32, height: 24, field: 60 deg, frame: mast, rpy: [0, 40 deg, 0], rate: 10 Hz}\n"
    "  slow: {model: equidistant, width: 24, height: 24, field: 200 deg, frame: mast, rate: 4 Hz, samples: 1}\n"
    "  still: {model: pinhole, width: 32, height: 24, frame: mast}\n"
    "  off: {model: pinhole, width: 32, height: 24, frame: mast, rate: 10 Hz, on: false}\n"
    "lidars:\n"
    "  spin: {channels: 4, low: -60 deg, high: -20 deg, columns: 90, rate: 10 Hz, frame: mast, range_most: 3 m}\n"
    "light: {sky: black}\n";

static RiScene *make(void)
{
    RiScene *scene = NULL;
    CHECK_OK(ctx, ri_scene_parse(ctx, NULL, text, strlen(text), NULL, &scene));
    if (scene)
        CHECK_OK(ctx, ri_scene_build(scene));
    return scene;
}

/// What has come so far.
typedef struct Basket {
    int pictures[4], cooked[4], clouds, points;
    double last[4];
    uint64_t hash; ///< of all pictures
} Basket;

static void cook(void *user, int camera, const RiPictureView *v)
{
    Basket *b = user;
    b->cooked[camera] += v->width > 0;
}

static RiStatus picture(void *user, int camera, const RiPictureView *v, const RiPose *pose)
{
    Basket *b = user;
    CHECK(b->pictures[camera] == 0 || v->time > b->last[camera]);
    CHECK_CLOSE(pose->p.x, 0.5 * v->time, 1e-9); // where the mast was then, not where it is now
    b->last[camera] = v->time;
    b->pictures[camera]++;
    for (int i = 0; i < 3 * v->width * v->height; i++)
        b->hash = (b->hash ^ v->rgb[i]) * 1099511628211ULL;
    return RI_OK;
}

static RiStatus cloud(void *user, int lidar, const RiCloudView *c)
{
    Basket *b = user;
    CHECK_INT(lidar, 0);
    CHECK_INT(c->count, 4 * 90);
    b->clouds++;
    for (int i = 0; i < c->count; i++)
        b->points += c->returns[i].range[0] < INFINITY;
    return RI_OK;
}

static Basket run(int threads, uint64_t *out_hash)
{
    Basket b = {.clouds = 0};
    const RiSensorSink sink = {.user = &b, .cook = cook, .picture = picture, .cloud = cloud};
    RiScene *s = make();
    RiSensors *sensors = NULL;
    if (s)
        CHECK_OK(ctx, ri_sensors_create(ctx, s, threads, NULL, &sink, &sensors));
    if (sensors)
        CHECK_OK(ctx, ri_sensors_tick(sensors));
    for (int i = 0; sensors && i < 100; i++) {
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(s)));
        CHECK_OK(ctx, ri_sensors_tick(sensors));
    }
    if (sensors)
        CHECK_OK(ctx, ri_sensors_finish(sensors));
    ri_sensors_destroy(sensors);
    *out_hash = s ? ri_sim_hash(ri_scene_sim(s)) : 0;
    ri_scene_destroy(s);
    return b;
}

TEST(sensors_work_at_their_rates)
{
    uint64_t hash;
    const Basket b = run(1, &hash);
    CHECK_INT(b.pictures[0], 11); // 0, 0.1, ... 1 s
    CHECK_INT(b.pictures[1], 5);  // 0, 0.25, ... 1 s
    CHECK_INT(b.pictures[2], 0);  // on request only
    CHECK_INT(b.pictures[3], 0);  // off
    CHECK_INT(b.cooked[0], 11);
    CHECK_INT(b.clouds, 10);
    CHECK(b.points > 1000);
}

TEST(pictures_and_motion_have_equal_bits_for_any_number_of_threads)
{
    uint64_t one, four;
    const Basket a = run(1, &one), b = run(4, &four);
    CHECK(a.hash == b.hash);
    CHECK(one == four);
    RiScene *s = make();
    REQUIRE(s);
    for (int i = 0; i < 100; i++)
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(s)));
    CHECK(ri_sim_hash(ri_scene_sim(s)) == one); // without sensors
    ri_scene_destroy(s);
}

static uint32_t u32(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static RiStatus write_log(const char *path)
{
    RiScene *s = make();
    RiRecord *record = NULL;
    RiSensorLog *log = NULL;
    RiSensors *sensors = NULL;
    RiSensorSink sink;
    RiStatus status = s ? ri_record_create(ctx, path, NULL, &record) : RI_ERR_FORMAT;
    if (status == RI_OK)
        status = ri_sensor_log_create(ctx, s, record, true, &log, &sink);
    if (status == RI_OK)
        status = ri_sensors_create(ctx, s, 2, NULL, &sink, &sensors);
    for (int i = 0; i <= 50 && status == RI_OK; i++) {
        status = i > 0 ? ri_sim_step(ri_scene_sim(s)) : RI_OK;
        if (status == RI_OK)
            status = ri_sensors_tick(sensors);
    }
    if (status == RI_OK)
        status = ri_sensors_finish(sensors);
    if (status == RI_OK)
        status = ri_record_close(record);
    ri_sensors_destroy(sensors);
    ri_sensor_log_destroy(log);
    ri_record_destroy(record);
    ri_scene_destroy(s);
    return status;
}

TEST(a_log_holds_pictures_camera_data_and_clouds)
{
    char path[] = "/tmp/rille_sensors_XXXXXX.mcap";
    const int fd = mkstemps(path, 5);
    RiLog *log = NULL;
    const void *data;
    size_t size;
    double time;
    REQUIRE(fd >= 0);
    close(fd);
    REQUIRE_OK(ctx, write_log(path));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK_OK(ctx, ri_log_read_message(log, "/camera/fast/image", 0.35, &data, &size, &time));
    CHECK_CLOSE(time, 0.3, 1e-9);
    REQUIRE(size > 60);
    const unsigned char *m = data;
    CHECK_INT(u32(m + 4), 0);         // stamp: seconds
    CHECK_INT(u32(m + 8), 300000000); // and nanoseconds
    CHECK_INT(u32(m + 12), 12);       // "camera/fast" and its zero
    CHECK(memcmp(m + 16, "camera/fast", 12) == 0);
    CHECK(u32(m + 28) == 5 || u32(m + 28) == 4); // "jpeg" or "png"
    CHECK_OK(ctx, ri_log_read_message(log, "/camera/slow/camera_info", 0.5, &data, &size, &time));
    CHECK_CLOSE(time, 0.5, 1e-9);
    m = data;
    CHECK_INT(u32(m + 28), 24); // height, behind "camera/slow"
    CHECK_INT(u32(m + 32), 24);
    CHECK(memcmp(m + 40, "kannala_brandt", 15) == 0);
    CHECK_OK(ctx, ri_log_read_message(log, "/lidar/spin/points", 0.5, &data, &size, &time));
    m = data;
    REQUIRE(size > 200);
    const uint32_t width = u32(m + 32); // behind stamp, "lidar/spin" and height
    CHECK(width > 100 && width <= 360 && size > 28 * width);
    CHECK(ri_log_read_message(log, "/camera/none/image", 0.5, &data, &size, &time) == RI_ERR_NOT_FOUND);
    CHECK_OK(ctx, ri_log_read_message(log, "/camera/still/image", 0.5, &data, &size, &time));
    CHECK_INT((int)size, 0); // declared, never taken
    ri_log_close(log);
    unlink(path);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(sensors_work_at_their_rates),
        CASE(pictures_and_motion_have_equal_bits_for_any_number_of_threads),
        CASE(a_log_holds_pictures_camera_data_and_clouds),
    };
    RiPerception *p = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    RiScene *scene = make();
    const RiStatus status = scene && ri_scene_sim(scene) ? ri_perception_create(ctx, scene, 1, NULL, &p) : RI_OK;
    ri_perception_destroy(p);
    ri_scene_destroy(scene);
    if (status == RI_ERR_UNSUPPORTED) {
        printf("skipped: %s\n", ri_context_message(ctx));
        ri_context_destroy(ctx);
        return 77;
    }
    const int failed = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
