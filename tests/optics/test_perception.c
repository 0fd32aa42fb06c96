// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cameras and lidars of a scene: keys, truth at closed forms, motion, stereo, and that the run
/// stays what it is.
#include <stdlib.h>
#include <unistd.h>

#include <rille/rille.h>

#include "check.h"
#include "needs.h"
#include "optics/truth.h"

static RiContext *ctx;

/// A block that slides on a plane past a camera of the world, with a pair of cameras and a lidar on
/// its back.
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
    "  world: {model: pinhole, width: 65, height: 49, field: 60 deg, position: [-5, 0, 1], samples: 1}\n"
    "  down: {model: pinhole, width: 33, height: 25, field: 40 deg, frame: mast, rpy: [0, 90 deg, 0], position: [2, 0, "
    "0]}\n"
    "  left: {model: pinhole, width: 33, height: 25, frame: mast, position: [0, 0.1, 0], pair: right, rate: 10 Hz}\n"
    "  right: {model: pinhole, width: 33, height: 25, frame: mast, position: [0, -0.1, 0], pair: left}\n"
    "lidars:\n"
    "  spin: {channels: 4, low: -60 deg, high: -20 deg, columns: 90, rate: 10 Hz, frame: mast}\n"
    "lamps:\n"
    "  head: {frame: mast, power: 30}\n"
    "light: {sky: black}\n";

static RiScene *make(const char *yaml)
{
    RiScene *scene = NULL;
    CHECK_OK(ctx, ri_scene_parse(ctx, NULL, yaml, strlen(yaml), NULL, &scene));
    if (scene)
        CHECK_OK(ctx, ri_scene_build(scene));
    return scene;
}

static int camera_named(const RiScene *s, const char *name)
{
    for (int i = 0; i < ri_scene_camera_count(s); i++)
        if (strcmp(ri_scene_camera(s, i)->name, name) == 0)
            return i;
    return -1;
}

TEST(depth_of_a_plane_and_a_box_are_closed_forms)
{
    RiScene *s = make(text);
    RiPerception *p;
    RiTruthView t;
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 2, NULL, &p));
    REQUIRE_OK(ctx, ri_perception_truth(p, camera_named(s, "world"), &t));
    const int middle = 24 * 65 + 32;
    CHECK_CLOSE(t.depth[middle], 4.5, 1e-12); // the block's rear, half a metre before its middle
    CHECK_INT(t.link[middle], 0);
    CHECK_INT(t.soil[middle], -1);
    CHECK_CLOSE(t.normal[3 * middle], -1.0, 1e-6);
    const int low = 48 * 65 + 32; // below the block: the plane
    const double f = 32.5 / tan(30.0 * M_PI / 180.0), down = 24.0 / f;
    CHECK_CLOSE(t.depth[low], 1.0 / sin(atan(down)), 1e-9);
    CHECK_CLOSE(t.xyz[3 * low], -5.0 + 1.0 / down, 1e-9);
    CHECK_INT(t.link[low], -1);
    CHECK_INT(t.soil[low], 0);
    CHECK(t.depth[32] == INFINITY && t.link[32] == -2); // sky
    ri_perception_destroy(p);
    ri_scene_destroy(s);
}

TEST(flow_is_the_motion_of_the_picture)
{
    RiScene *s = make(text);
    RiPerception *p;
    RiTruthView t;
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 1, NULL, &p));
    for (int i = 0; i < 10; i++)
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(s)));
    CHECK_OK(ctx, ri_perception_look(p));
    CHECK_OK(ctx, ri_perception_truth(p, camera_named(s, "down"), &t));
    const int middle = 12 * 33 + 16;
    const double f = 16.5 / tan(20.0 * M_PI / 180.0);
    CHECK_CLOSE(t.depth[middle], 2.0, 1e-9); // the mast is 2 m above the plane
    // the block went 5 cm along x, which is up in the picture of a camera that looks down: the
    // ground moves down
    CHECK_CLOSE(hypot(t.flow[2 * middle], t.flow[2 * middle + 1]), f * 0.05 / 2.0, 1e-4);
    CHECK(t.flow[2 * middle + 1] > 0.0f);
    CHECK_OK(ctx, ri_perception_truth(p, camera_named(s, "world"), &t));
    CHECK(fabs(t.flow[2 * (48 * 65 + 32)]) < 1e-6); // a camera at rest: the ground stands
    ri_perception_destroy(p);
    ri_scene_destroy(s);
}

TEST(stereo_pairs_see_the_same_ground)
{
    RiScene *s = make(text);
    RiPerception *p;
    RiTruthView t;
    int seen = 0, hits = 0;
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 2, NULL, &p));
    CHECK_OK(ctx, ri_perception_truth(p, camera_named(s, "left"), &t));
    for (int i = 0; i < t.width * t.height; i++) {
        hits += t.link[i] != -2;
        seen += t.visible[i];
    }
    CHECK(hits > 200 && seen > hits * 8 / 10 && seen < hits); // but for the strip at one side
    ri_perception_destroy(p);
    ri_scene_destroy(s);
}

TEST(shots_between_looks_start_where_the_lidar_was)
{
    RiScene *s = make(text);
    RiPerception *p;
    RiCloudView c;
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 2, NULL, &p));
    CHECK(ri_perception_scan(p, 0, false, &c) == RI_ERR_ARGUMENT);
    int shots = 0;
    for (int i = 0; i < 20; i++) {
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(s)));
        CHECK_OK(ctx, ri_perception_look(p));
        CHECK_OK(ctx, ri_perception_scan(p, 0, false, &c));
        for (int k = 0; k < c.count; k++) {
            const RiReturn *r = &c.returns[k];
            CHECK(r->time >= 0.01 * i - 1e-12 && r->time < 0.01 * (i + 1) + 1e-12);
            if (r->link != -1)
                continue;
            const double x = 0.5 * r->time; // of the lidar then
            CHECK_CLOSE(r->truth.x - x, r->point.x, 1e-9);
            CHECK_CLOSE(r->truth.y, r->point.y, 1e-9);
            CHECK_CLOSE(r->truth.z, 0.0, 1e-9);
        }
        shots += c.count;
    }
    CHECK_INT(shots, 2 * 4 * 90); // two turns
    CHECK_OK(ctx, ri_perception_scan(p, 0, true, &c));
    CHECK_INT(c.count, 4 * 90);
    ri_perception_destroy(p);
    ri_scene_destroy(s);
}

TEST(the_run_has_equal_bits_with_and_without_cameras)
{
    RiScene *with = make(text), *without = make(text);
    RiPerception *p;
    RiPictureView view;
    RiCloudView cloud;
    REQUIRE(with && without);
    REQUIRE_OK(ctx, ri_perception_create(ctx, with, 2, NULL, &p));
    for (int i = 0; i < 30; i++) {
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(with)));
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(without)));
        CHECK_OK(ctx, ri_perception_look(p));
        CHECK_OK(ctx, ri_perception_picture(p, camera_named(with, "left"), &view));
        CHECK_OK(ctx, ri_perception_scan(p, 0, false, &cloud));
        CHECK(ri_sim_hash(ri_scene_sim(with)) == ri_sim_hash(ri_scene_sim(without)));
    }
    ri_perception_destroy(p);
    ri_scene_destroy(with);
    ri_scene_destroy(without);
}

TEST(a_picture_is_the_same_for_any_number_of_threads)
{
    RiScene *s = make(text);
    RiPictureView one, four;
    RiPerception *a, *b;
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 1, NULL, &a));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 4, NULL, &b));
    CHECK_OK(ctx, ri_perception_picture(a, 0, &one));
    CHECK_OK(ctx, ri_perception_picture(b, 0, &four));
    CHECK(memcmp(one.radiance, four.radiance, 3 * sizeof(float) * 65 * 49) == 0);
    double sum = 0.0;
    for (int i = 0; i < 3 * 65 * 49; i++)
        sum += one.rgb[i];
    CHECK(sum / (3 * 65 * 49) > 10.0);
    ri_perception_destroy(a);
    ri_perception_destroy(b);
    ri_scene_destroy(s);
}

/// A lens of 2 cm at 3 m: rays of a pixel meet there, and are spread over the lens at twice that
/// distance.
TEST(rays_of_a_lens_meet_where_it_is_sharp)
{
    RiCamera c = ri_camera_pinhole(64, 48, 1.0);
    const double u[4][3] = {{0.9, 0.1, 0.0}, {0.5, 0.6, 0.3}, {0.0, 0.0, 0.9}, {1.0, 0.25, 0.5}};
    REQUIRE_OK(ctx, ri_camera_check(ctx, "c", &c));
    const RiCameraView v = {.camera = &c, .pose = ri_pose_identity(), .aperture = 0.02, .focus = 3.0};
    for (int i = 0; i < 4; i++) {
        RiRay pin, ray;
        REQUIRE(ri_camera_view_ray(&v, 10.0, 40.0, 1, &pin) && ri_camera_view_sample(&v, 10.0, 40.0, u[i], 1, &ray));
        const RiVec3 sharp = ri_add(pin.origin, ri_scale(3.0 / pin.direction.z, pin.direction));
        const RiVec3 there = ri_add(ray.origin, ri_scale((3.0 - ray.origin.z) / ray.direction.z, ray.direction));
        CHECK_CLOSE(ri_norm(ri_sub(sharp, there)), 0.0, 1e-12);
        const RiVec3 far = ri_add(ray.origin, ri_scale(6.0 / ray.direction.z, ray.direction));
        const RiVec3 middle = ri_add(pin.origin, ri_scale(6.0 / pin.direction.z, pin.direction));
        CHECK_CLOSE(hypot(far.x - middle.x, far.y - middle.y), 0.01 * sqrt(u[i][0]), 1e-12);
        CHECK_CLOSE(ri_norm(ray.direction), 1.0, 1e-12);
    }
}

TEST(an_exposure_follows_the_motion_of_the_camera)
{
    RiCamera c = ri_camera_pinhole(64, 48, 1.0);
    const double u[3] = {0.0, 0.0, 0.25};
    RiRay ray;
    REQUIRE_OK(ctx, ri_camera_check(ctx, "c", &c));
    RiCameraView v = {.camera = &c, .pose = ri_pose_identity(), .exposure = 0.2};
    v.twist.lin = ri_vec3(2.0, 0.0, 0.0);
    v.twist.ang = ri_vec3(0.0, 4.0, 0.0);
    REQUIRE(ri_camera_view_sample(&v, 31.5, 23.5, u, 1, &ray));
    CHECK_CLOSE(ray.origin.x, 2.0 * 0.05, 1e-12);
    CHECK_CLOSE(ray.direction.x, sin(4.0 * 0.05), 1e-12);
    CHECK_CLOSE(ray.direction.z, cos(4.0 * 0.05), 1e-12);
}

/// Share of the left image's pixels with a disparity, and the part of their points within a few
/// deviations of the plane z = 0.
static void check_stereo(RiScene *s, RiPerception *p, bool images, double least_share, double least_near)
{
    RiStereoView v;
    int seen = 0, near = 0;
    REQUIRE_OK(ctx, ri_perception_stereo(p, camera_named(s, "right"), images, &v)); // either camera of the pair
    CHECK_CLOSE(v.baseline, 0.2, 1e-12);
    CHECK_CLOSE(v.pose.p.y, 0.1, 1e-12); // the left one
    for (int i = 0; i < v.width * v.height; i++) {
        const double d = (double)v.disparity[i];
        if (!(d > 0.0))
            continue;
        const double z = v.focal * v.baseline / d;
        const RiVec3 local = ri_vec3((i % v.width - v.cx) / v.focal * z, (i / v.width - v.cy) / v.focal * z, z);
        const RiVec3 point = ri_pose_point(&v.pose, local);
        seen++;
        near +=
            fabs(point.z) < 4.0 * 0.25 * z * z / (v.focal * v.baseline) * 0.9; // 4 sigma of 0.25 px, seen from above
    }
    CHECK(seen > least_share * v.width * v.height);
    CHECK(near > least_near * seen);
}

TEST(stereo_measures_the_ground_with_and_without_pictures)
{
    char copy[sizeof text + 400];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; (at = strstr(at, "width: 33, height: 25, frame: mast, position: [0, ")); at++)
        memcpy(at, "width: 96, height: 72, frame: mast, position: [2, ", 50); // before the block
    for (char *at = copy; (at = strstr(at, "sky: black")); at++)
        memcpy(at, "sky: mars ", 10);
    RiScene *s = make(copy);
    RiPerception *p = NULL;
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 2, NULL, &p));
    check_stereo(s, p, false, 0.3, 0.99);
    check_stereo(s, p, true, 0.1, 0.8);
    RiStereoView v;
    CHECK(ri_perception_stereo(p, camera_named(s, "world"), false, &v) == RI_ERR_ARGUMENT);
    ri_perception_destroy(p);
    ri_scene_destroy(s);
}

/// Text with one part replaced.
static const char *with(const char *from, const char *to)
{
    static char copy[sizeof text + 400];
    const char *at = strstr(text, from);
    CHECK(at);
    if (at)
        snprintf(copy, sizeof copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return copy;
}

TEST(filters_make_the_numbers_of_a_camera)
{
    RiScene *s = make(with("samples: 1}", "samples: 1, filters: ['exposure mode=fixed gain=50', 'quantise bits=12']}"));
    RiPerception *p;
    RiPictureView v;
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 2, NULL, &p));
    REQUIRE_OK(ctx, ri_perception_picture(p, camera_named(s, "world"), &v));
    REQUIRE(v.values && v.channels == 3);
    CHECK_CLOSE(v.full_scale, 4095.0, 0.0);
    double sum = 0.0;
    for (int i = 0; i < 3 * v.width * v.height; i++) {
        const double electrons = fmin(50.0 * (double)v.radiance[i], 20000.0);
        CHECK_CLOSE(v.values[i], rint(electrons / 20000.0 * 4095.0), 1.0);
        CHECK(v.values[i] == rintf(v.values[i]));
        CHECK_INT(v.rgb[i], lround(255.0 * (double)v.values[i] / 4095.0));
        sum += (double)v.values[i];
    }
    CHECK(sum > 1000.0);
    REQUIRE_OK(ctx, ri_perception_picture(p, camera_named(s, "left"), &v));
    CHECK(!v.values); // a camera without filters
    ri_perception_destroy(p);
    ri_scene_destroy(s);
}

/// An image of two halves with 1 and 3 over a plane: darker and brighter than the soil alone.
TEST(an_image_over_the_ground_brings_its_pattern)
{
    char file[] = "/tmp/rille_drape_XXXXXX.asc", light[200];
    NEEDS("gdal");
    const int fd = mkstemps(file, 4);
    REQUIRE(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fprintf(f, "ncols 4\nnrows 4\nxllcorner 0\nyllcorner -2\ncellsize 1\nNODATA_value -9\n");
    for (int i = 0; i < 4; i++)
        fprintf(f, "0.25 0.25 0.75 0.75\n");
    CHECK(fclose(f) == 0);
    snprintf(light, sizeof light, "light: {sky: black, ground_image: %s, ground_curve: linear}\n", file);
    const char *yaml = with("light: {sky: black}\n", light);
    RiScene *s = make(yaml), *plain = make(text);
    RiPerception *p = NULL, *q = NULL;
    RiPictureView a, b;
    REQUIRE(s && plain);
    RiCamera c = ri_camera_pinhole(41, 11, 0.6);
    CHECK_OK(ctx, ri_camera_check(ctx, "c", &c));
    const RiPose above = {{{{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}}}, {2.0, 1.5, 6.0}};
    CHECK_OK(ctx, ri_perception_create(ctx, s, 1, NULL, &p));
    CHECK_OK(ctx, ri_perception_create(ctx, plain, 1, NULL, &q));
    REQUIRE(p && q);
    CHECK_OK(ctx, ri_perception_picture_from(p, &c, &above, 1, false, &a));
    CHECK_OK(ctx, ri_perception_picture_from(q, &c, &above, 1, false, &b));
    const int west = 3 * (5 * 41 + 8), east = 3 * (5 * 41 + 32);
    CHECK(b.radiance[west] > 0.0f && b.radiance[east] > 0.0f);
    CHECK(a.radiance[west] <
          0.6f * b.radiance[west]); // sand is not a Lambert surface: light is not in proportion to albedo
    CHECK(a.radiance[east] > 1.4f * b.radiance[east]);
    const RiPose beside = {above.R, {-20.0, 1.5, 6.0}};
    CHECK_OK(ctx, ri_perception_picture_from(p, &c, &beside, 1, false, &a));
    CHECK_OK(ctx, ri_perception_picture_from(q, &c, &beside, 1, false, &b));
    CHECK(memcmp(a.radiance, b.radiance, 3 * sizeof(float) * 41 * 11) == 0); // outside the image nothing changes
    ri_perception_destroy(p);
    ri_perception_destroy(q);
    ri_scene_destroy(s);
    ri_scene_destroy(plain);
    unlink(file);
    RiScene *missing = make(with("light: {sky: black}", "light: {sky: black, ground_image: nowhere.tif}"));
    CHECK(ri_perception_create(ctx, missing, 1, NULL, &p) != RI_OK);
    CHECK(strstr(ri_context_message(ctx), "nowhere.tif"));
    ri_scene_destroy(missing);
}

/// A full Earth above a dark plain gives its irradiance over pi times the albedo, a ring as much as
/// it is told to.
TEST(earth_and_rings_light_the_night)
{
    RiScene *s = make(with("light: {sky: black}",
                           "sun: {azimuth: 0 deg, elevation: -60 deg}\nlight: {sky: black, discs: [{elevation: 90 deg, "
                           "radius: 10 deg, inner: 5 deg, irradiance: [2, 3, 4]}]}"));
    RiScene *dark = make(with("light: {sky: black}",
                              "sun: {azimuth: 0 deg, elevation: -60 deg}\nlight: {sky: black, earth_azimuth: 180 deg, "
                              "earth_elevation: 60 deg}"));
    RiPerception *p = NULL;
    RiPictureView v;
    REQUIRE(s && dark);
    RiCamera c = ri_camera_pinhole(3, 3, 0.1);
    CHECK_OK(ctx, ri_camera_check(ctx, "c", &c));
    const RiPose above = {{{{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}}}, {20.0, 15.0, 6.0}};
    CHECK_OK(ctx, ri_perception_create(ctx, s, 1, NULL, &p));
    REQUIRE(p);
    CHECK_OK(ctx, ri_perception_picture_from(p, &c, &above, 64, false, &v));
    CHECK(v.radiance[12] > 0.0f);
    CHECK(v.radiance[14] / v.radiance[12] > 0.5f);
    ri_perception_destroy(p);
    p = NULL;
    CHECK_OK(ctx, ri_perception_create(ctx, dark, 1, NULL, &p));
    REQUIRE(p);
    CHECK_OK(ctx, ri_perception_picture_from(p, &c, &above, 16, false, &v));
    CHECK(v.radiance[12] > 1e-4f && v.radiance[12] < 0.16f / (float)M_PI); // below a white plain's light
    ri_perception_destroy(p);
    ri_scene_destroy(s);
    ri_scene_destroy(dark);
}

/// Axes, edges of views and clouds: people see them, sensors do not.
TEST(ornaments_are_for_people_only)
{
    RiScene *s = make(text);
    RiPerception *p = NULL;
    RiPictureView v;
    RiCloudView cloud;
    enum { W = 65, H = 49 };
    static float before[3 * W * H], seen[3 * W * H];
    REQUIRE(s && ri_scene_sim(s));
    REQUIRE_OK(ctx, ri_perception_create(ctx, s, 2, NULL, &p));
    const int world = camera_named(s, "world");
    const RiCamera eye = ri_scene_camera(s, world)->camera;
    const RiPose pose = ri_perception_camera_pose(p, world);
    CHECK_OK(ctx, ri_perception_picture(p, world, &v));
    memcpy(before, v.radiance, sizeof before);
    CHECK_OK(ctx, ri_perception_picture_from(p, &eye, &pose, 1, false, &v));
    memcpy(seen, v.radiance, sizeof seen);
    CHECK_OK(ctx, ri_perception_scan(p, 0, true, &cloud));
    const double range = cloud.returns[0].range[0];
    CHECK_OK(ctx, ri_perception_ornaments(p, RI_ORNAMENT_AXES | RI_ORNAMENT_FRUSTA | RI_ORNAMENT_CLOUDS, 1.0));
    CHECK_OK(ctx, ri_perception_picture(p, world, &v));
    CHECK(memcmp(before, v.radiance, sizeof before) == 0);
    CHECK_OK(ctx, ri_perception_scan(p, 0, true, &cloud));
    CHECK(cloud.returns[0].range[0] == range);
    CHECK_OK(ctx, ri_perception_picture_from(p, &eye, &pose, 1, false, &v));
    int changed = 0;
    for (int i = 0; i < W * H; i++)
        changed += seen[3 * i] != v.radiance[3 * i] || seen[3 * i + 2] != v.radiance[3 * i + 2];
    CHECK(changed > 20);
    ri_perception_destroy(p);
    ri_scene_destroy(s);
}

static void check_refused(const char *from, const char *to, const char *word)
{
    char copy[sizeof text + 200];
    RiScene *scene = NULL;
    const char *at = strstr(text, from);
    REQUIRE(at);
    snprintf(copy, sizeof copy, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    RiStatus status = ri_scene_parse(ctx, NULL, copy, strlen(copy), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK);
    if (!strstr(ri_context_message(ctx), word))
        CHECK_FAIL("'%s' does not contain '%s'", ri_context_message(ctx), word);
    ri_scene_destroy(scene);
}

/// Radiance of the plane straight below a camera, light from 30 degrees, for a surface of the
/// ground.
static double plane_of(const char *surface)
{
    char light[300];
    snprintf(light, sizeof light,
             "sun: {azimuth: 90 deg, elevation: 60 deg}\nlight: {sky: black, surfaces: {sand: {%s}}}", surface);
    RiScene *s = make(with("light: {sky: black}", light));
    RiPerception *p = NULL;
    RiPictureView v;
    if (!s)
        return NAN;
    RiCamera c = ri_camera_pinhole(3, 3, 0.1);
    CHECK_OK(ctx, ri_camera_check(ctx, "c", &c));
    const RiPose above = {{{{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}}}, {20.0, 15.0, 6.0}};
    double out = NAN;
    CHECK_OK(ctx, ri_perception_create(ctx, s, 1, NULL, &p));
    if (p) {
        CHECK_OK(ctx, ri_perception_picture_from(p, &c, &above, 64, false, &v));
        out = (double)v.radiance[12];
    }
    ri_perception_destroy(p);
    ri_scene_destroy(s);
    return out;
}

/// Each kind at its closed form; the headlamp shines elsewhere.
TEST(surfaces_are_chosen_by_key)
{
    const double sun = plane_of("kind: lambert, albedo: [1, 1, 1]") * M_PI / sin(M_PI / 3.0);
    CHECK(sun > 100.0);
    CHECK_CLOSE(plane_of("kind: lambert, albedo: [0.3, 0, 0]") / (sun * sin(M_PI / 3.0) * 0.3 / M_PI), 1.0, 1e-3);
    const double mu0 = sin(M_PI / 3.0);
    CHECK_CLOSE(plane_of("kind: lommel_seeliger, albedo: [0.4, 0, 0]") / (sun * 0.1 / M_PI * mu0 / (mu0 + 1.0)), 1.0,
                5e-3);
    CHECK_CLOSE(plane_of("kind: minnaert, minnaert: 1, albedo: [0.5, 0, 0]") / (sun * mu0 * 0.5 / M_PI), 1.0, 1e-3);
    const double moon = plane_of("like: moon, texture: 0"),
                 darker = plane_of("like: moon, texture: 0, albedo: [0.1, 0, 0]");
    CHECK(moon > 0.0 && darker > 0.0 && darker < 0.6 * moon);
    CHECK(plane_of("kind: hapke") > 0.0 && plane_of("kind: ice") > 0.0);
    CHECK(plane_of("kind: metal, roughness: 0.02") < 0.05 * sun / M_PI); // shines elsewhere
}

/// A material that nothing is made of is told with those that there are.
TEST(surfaces_of_unknown_materials_are_refused)
{
    RiScene *s = make(with("light: {sky: black}", "light: {sky: black, surfaces: {snad: {kind: lambert}}}"));
    RiPerception *p = NULL;
    REQUIRE(s);
    CHECK_ERROR(ctx, ri_perception_create(ctx, s, 1, NULL, &p), RI_ERR_NOT_FOUND, "'snad'; there are: robot, sand");
    ri_scene_destroy(s);
}

TEST(wrong_keys_are_refused_by_line_and_name)
{
    check_refused("frame: mast, rpy", "frame: mask, rpy", "did you mean 'mast'");
    check_refused("pair: right", "pair: rihgt", "no other camera 'rihgt'");
    check_refused("width: 65", "widht: 65", "did you mean 'width'");
    check_refused("width: 65", "width: -3", "width");
    check_refused("field: 60 deg", "field: 200 deg", "pinhole");
    check_refused("rate: 10 Hz}\n  right", "rate: 7 Hz}\n  right", "does not divide");
    check_refused("columns: 90", "unit: vlp17", "no lidar unit 'vlp17'");
    check_refused("power: 30", "full: 80 deg", "must lie beyond");
    check_refused("sky: black", "sky: blue", "blue");
    check_refused("samples: 1}", "samples: 1, filters: [shot_nois]}", "no filter 'shot_nois'");
    check_refused("samples: 1}", "samples: 1, filters: ['quantise bits=9']}", "8|12|16");
    check_refused("samples: 1}", "samples: 1, plugins: [none.so]}", "none.so");
    check_refused("sky: black", "sky: black, earth_azimuth: 0", "given together");
    check_refused("sky: black", "sky: black, surfaces: {sand: {kind: lamber}}", "lambert, lommel_seeliger");
    check_refused("sky: black", "sky: black, surfaces: {sand: {like: aluminum}}", "aluminium");
    check_refused("sky: black", "sky: black, surfaces: {sand: {albedo: [0.1, 0.1, 0.1]}}", "either 'like' or 'kind'");
    check_refused("sky: black", "sky: black, surfaces: {sand: {kind: ice, like: ice}}", "either 'like' or 'kind'");
    check_refused("sky: black", "sky: black, surfaces: {sand: {kind: hapke, albedo: [2, 0, 0]}}", "albedo");
    check_refused("sky: black", "sky: black, surfaces: {sand: {kind: metal, rough: 1}}", "rough");
    check_refused("sky: black", "sky: black, surfaces: [sand]", "mapping");
    check_refused("sky: black", "sky: black, discs: [{radius: 1 deg, inner: 2 deg}]", "dark middle");
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(depth_of_a_plane_and_a_box_are_closed_forms),
        CASE(surfaces_are_chosen_by_key),
        CASE(surfaces_of_unknown_materials_are_refused),
        CASE(flow_is_the_motion_of_the_picture),
        CASE(stereo_pairs_see_the_same_ground),
        CASE(shots_between_looks_start_where_the_lidar_was),
        CASE(the_run_has_equal_bits_with_and_without_cameras),
        CASE(a_picture_is_the_same_for_any_number_of_threads),
        CASE(rays_of_a_lens_meet_where_it_is_sharp),
        CASE(an_exposure_follows_the_motion_of_the_camera),
        CASE(stereo_measures_the_ground_with_and_without_pictures),
        CASE(filters_make_the_numbers_of_a_camera),
        CASE(an_image_over_the_ground_brings_its_pattern),
        CASE(earth_and_rings_light_the_night),
        CASE(ornaments_are_for_people_only),
        CASE(wrong_keys_are_refused_by_line_and_name),
    };
    RiPerception *p = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    RiScene *scene = make(text);
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
