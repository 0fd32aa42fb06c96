// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lidars: firing order, returns, noise that misses get none of, divergence, tables of beams.
#include <rille/rille.h>

#include "check.h"
#include "optics/lidar_scan.h"

static RiContext *ctx;
#define DEGREE (M_PI / 180.0)

static RiLidarMotion still(void)
{
    return (RiLidarMotion){0.0, 1.0, ri_pose_identity(), ri_pose_identity()};
}

static void add(RiRayScene *s, const char *name, RiRayShape shape, float albedo)
{
    const float rgb[3] = {albedo, albedo, albedo};
    int body;
    CHECK(ri_ray_scene_add_surface(s, name, rgb, &shape.surface) == RI_OK);
    CHECK(ri_ray_scene_add_body(s, name, 3, RI_RAY_PHYSICAL, &body) == RI_OK);
    CHECK(ri_ray_scene_add_shape(s, body, &shape) == RI_OK);
}

/// A wall at x = `distance`, endless or ending at y = 0.
static RiRayScene *wall_scene(double distance, bool half)
{
    RiRayScene *s = NULL;
    RiRayShape wall = {.type = RI_RAY_BOX, .pose = ri_pose_identity(), .size = {0.1, 200.0, 200.0}};
    wall.pose.p = ri_vec3(distance + 0.05, half ? 100.0 : 0.0, 0.0);
    if (ri_ray_scene_create(ctx, &s) != RI_OK)
        return NULL;
    add(s, "wall", wall, 0.8f);
    CHECK(ri_ray_scene_update(s) == RI_OK);
    return s;
}

static RiLidar one_beam(void)
{
    RiLidar l = ri_lidar_grid(1, 0.0, 0.0, 4, 10.0);
    CHECK(ri_lidar_check(ctx, "one", &l) == RI_OK);
    return l;
}

TEST(vlp16_shoots_its_lasers_in_their_order)
{
    static const double elevation[4] = {-15.0, 1.0, -13.0, 3.0};
    RiLidar l;
    REQUIRE(ri_lidar_unit("vlp16", &l) && ri_lidar_check(ctx, "vlp16", &l) == RI_OK);
    CHECK_INT(l.shots, 1808 * 16);
    for (int i = 0; i < 4; i++) {
        const RiBeam b = ri_lidar_beam(&l, i);
        CHECK_CLOSE(asin(b.direction.z) / DEGREE, elevation[i], 1e-9);
        CHECK_CLOSE(b.time, i * 2.304e-6, 1e-12);
        CHECK_INT(b.channel, i);
    }
    const RiBeam next = ri_lidar_beam(&l, 16);
    CHECK_CLOSE(next.time, 55.296e-6, 1e-12);
    CHECK_CLOSE(atan2(next.direction.x, next.direction.y), 2.0 * M_PI * 10.0 * 55.296e-6, 1e-12); // clockwise from +y
}

TEST(shot_numbers_follow_time)
{
    for (int k = 0; k < ri_lidar_unit_count(); k++) {
        RiLidar l;
        REQUIRE(ri_lidar_unit(ri_lidar_unit_name(k), &l) && ri_lidar_check(ctx, "unit", &l) == RI_OK);
        for (double t = 0.0; t < 3.0; t += 0.0371) {
            const long long shot = ri_lidar_shot_at(&l, t);
            CHECK(ri_lidar_beam(&l, shot).time >= t);
            CHECK(shot == 0 || ri_lidar_beam(&l, shot - 1).time < t);
        }
    }
}

TEST(a_rosette_stays_in_its_field_and_does_not_repeat)
{
    RiLidar l;
    REQUIRE(ri_lidar_unit("livox_mid40", &l) && ri_lidar_check(ctx, "livox", &l) == RI_OK);
    CHECK_INT(l.shots, 10000);
    int same = 0;
    for (int i = 0; i < l.shots; i++) {
        const RiBeam a = ri_lidar_beam(&l, i), b = ri_lidar_beam(&l, l.shots + i);
        CHECK(acos(a.direction.x) <= 19.2 * DEGREE + 1e-9);
        same += ri_norm(ri_sub(a.direction, b.direction)) < 1e-6;
    }
    CHECK(same < 10);
}

TEST(intensity_is_reflectance_cosine_and_inverse_square)
{
    RiLidar l = one_beam();
    const RiLidarMotion m = still();
    RiReturn r;
    for (double distance = 2.0; distance < 40.0; distance *= 2.0) {
        RiRayScene *s = wall_scene(distance, false);
        REQUIRE(s);
        ri_lidar_shoot(s, &l, &m, 1, true, 0, 1, &r);
        CHECK_CLOSE(r.range[0], distance, 1e-12);
        CHECK_CLOSE(r.intensity[0] * distance * distance, 0.8, 1e-6);
        CHECK_INT(r.link, 3);
        RiLidarMotion turned = m;
        turned.X0.R = turned.X1.R = ri_mat3_rpy(0.0, 0.0, 60.0 * DEGREE);
        ri_lidar_shoot(s, &l, &turned, 1, true, 0, 1, &r);
        CHECK_CLOSE(r.range[0], 2.0 * distance, 1e-9);
        CHECK_CLOSE(r.intensity[0] * 4.0 * distance * distance, 0.4, 1e-6);
        ri_ray_scene_destroy(s);
    }
}

TEST(noise_has_its_deviation_and_misses_get_none)
{
    enum { N = 4000 };
    static RiReturn r[N], again[N];
    RiLidar l = one_beam();
    const RiLidarMotion m = still();
    RiRayScene *s = wall_scene(10.0, false);
    REQUIRE(s);
    l.noise = 0.03;
    double sum = 0.0, squares = 0.0;
    int hits = 0;
    ri_lidar_shoot(s, &l, &m, 7, true, 0, N, r);
    ri_lidar_shoot(s, &l, &m, 7, true, 0, 1000, again);
    ri_lidar_shoot(s, &l, &m, 7, true, 1000, N - 1000, again + 1000);
    for (int i = 0; i < N; i++) {
        CHECK(memcmp(&r[i].range, &again[i].range, sizeof r[i].range) == 0); // the same in one piece or in two
        if (i % 4 == 0) {
            sum += r[i].range[0] - 10.0;
            squares += pow(r[i].range[0] - 10.0, 2.0);
            hits++;
        } else if (i % 4 == 2) { // backwards
            CHECK(r[i].range[0] == INFINITY && r[i].range[1] == INFINITY && r[i].intensity[0] == 0.0f &&
                  isnan(r[i].point.x));
            CHECK_INT(r[i].link, RI_RAY_NOTHING);
        }
    }
    CHECK_CLOSE(sum / hits, 0.0, 0.004);
    CHECK_CLOSE(sqrt(squares / hits), 0.03, 0.003);
    ri_ray_scene_destroy(s);
}

TEST(drop_outs_threshold_and_resolution_act_on_returns)
{
    enum { N = 4000 };
    static RiReturn r[N];
    RiLidar l = one_beam();
    const RiLidarMotion m = still();
    RiRayScene *s = wall_scene(10.0004, false);
    int lost = 0;
    REQUIRE(s);
    l.drop_out = 0.25;
    l.resolution = 0.002;
    ri_lidar_shoot(s, &l, &m, 7, true, 0, N, r);
    for (int i = 0; i < N; i += 4) {
        lost += !isfinite(r[i].range[0]);
        CHECK(!isfinite(r[i].range[0]) || fabs(r[i].range[0] - 10.0) < 1e-9);
    }
    CHECK_CLOSE(lost / (N / 4.0), 0.25, 0.05);
    l.drop_out = 0.0;
    l.threshold = 0.01; // 0.8 / 100 is below
    ri_lidar_shoot(s, &l, &m, 7, true, 0, 1, r);
    CHECK(r[0].range[0] == INFINITY && r[0].link == 3);
    ri_ray_scene_destroy(s);
}

/// A beam that is half on an edge sees it and what is behind.
TEST(a_wide_beam_has_a_first_and_a_last_return)
{
    RiLidar l = one_beam();
    const RiLidarMotion m = still();
    RiRayScene *s = wall_scene(10.0, true);
    RiRayShape back = {.type = RI_RAY_BOX, .pose = ri_pose_identity(), .size = {0.1, 200.0, 200.0}};
    RiReturn r;
    REQUIRE(s);
    back.pose.p.x = 25.05;
    add(s, "back", back, 0.8f);
    CHECK(ri_ray_scene_update(s) == RI_OK);
    l.divergence[0] = l.divergence[1] = 0.1 * DEGREE;
    ri_lidar_shoot(s, &l, &m, 1, true, 0, 1, &r);
    CHECK_CLOSE(r.range[0], 10.0, 1e-3);
    CHECK_CLOSE(r.range[1], 25.0, 1e-3);
    CHECK(r.intensity[0] > r.intensity[1] && r.intensity[1] > 0.0f);
    l.divergence[0] = l.divergence[1] = 0.0;
    RiLidarMotion aside = m;
    aside.X0.p.y = aside.X1.p.y = 0.5;
    ri_lidar_shoot(s, &l, &aside, 1, true, 0, 1, &r);
    CHECK(r.range[0] == r.range[1]);
    ri_ray_scene_destroy(s);
}

TEST(single_precision_is_within_1e_5)
{
    RiLidar l;
    const RiLidarMotion m = still();
    static RiReturn exact[2000], fast[2000];
    RiRayScene *s = wall_scene(37.123, false);
    REQUIRE(s && ri_lidar_unit("os1_64", &l) && ri_lidar_check(ctx, "os1", &l) == RI_OK);
    l.noise = l.resolution = 0.0;
    ri_lidar_shoot(s, &l, &m, 1, true, 0, 2000, exact);
    ri_lidar_shoot(s, &l, &m, 1, false, 0, 2000, fast);
    for (int i = 0; i < 2000; i++)
        CHECK(exact[i].range[0] == fast[i].range[0] ||
              fabs(exact[i].range[0] - fast[i].range[0]) < 1e-5 * exact[i].range[0]);
    ri_ray_scene_destroy(s);
}

static void check_refused(const char *text, RiStatus wanted, const char *word)
{
    RiLidar l = {0};
    RiBeam *beams;
    CHECK(ri_beams_parse(ctx, "b.csv", text, strlen(text), &l, &beams) == wanted);
    CHECK(strstr(ri_context_message(ctx), word) != NULL);
    CHECK(beams == NULL);
}

TEST(tables_of_beams_are_read_or_refused_by_line)
{
    const char *text = "frame,time,dx,dy,dz\n0,0,2,0,0\n0,0.01,0,3,0\n1,0,0,0,4\n1,0.02,0,-1,0\n";
    RiLidar l = ri_lidar_grid(1, 0.0, 0.0, 1, 10.0);
    RiBeam *beams;
    REQUIRE(ri_beams_parse(ctx, "b.csv", text, strlen(text), &l, &beams) == RI_OK);
    REQUIRE(ri_lidar_check(ctx, "table", &l) == RI_OK);
    CHECK_INT(l.shots, 2);
    CHECK_CLOSE(ri_lidar_beam(&l, 2).direction.z, 1.0, 0.0);
    CHECK_CLOSE(ri_lidar_beam(&l, 3).time, 0.12, 1e-12);
    CHECK_CLOSE(ri_lidar_beam(&l, 4).direction.x, 1.0, 0.0); // again from the first frame
    ri_beams_free(ctx, beams);
    check_refused("dx,dy,dz\n0,0,0\n", RI_ERR_FORMAT, "b.csv:2: the direction");
    check_refused("dx,dy,dz\n1,nan,0\n", RI_ERR_FORMAT, "column 'dy'");
    check_refused("dx,dy\n1,0\n", RI_ERR_FORMAT, "no column 'dz'");
    check_refused("frame,dx,dy,dz\n0,1,0,0\n2,1,0,0\n", RI_ERR_FORMAT, "frame 2 is not expected here");
    check_refused("frame,dx,dy,dz\n1,1,0,0\n", RI_ERR_FORMAT, "frame 1 is not expected here");
    check_refused("frame,dx,dy,dz\n0,1,0,0\n0,1,0,0\n1,1,0,0\n", RI_ERR_FORMAT, "frame 1 has 1 beams");
    check_refused("dx,dy,dz\n", RI_ERR_LIMIT, "0 beams");
}

TEST(unusable_lidars_are_refused)
{
    RiLidar l = ri_lidar_grid(16, -0.2, 0.2, 360, 10.0);
    l.rate = 0.0;
    CHECK_ERROR(ctx, ri_lidar_check(ctx, "x", &l), RI_ERR_MODEL, "the rate is 0");
    l = ri_lidar_grid(16, -0.2, 0.2, 360, 10.0);
    l.noise = -1.0;
    CHECK_ERROR(ctx, ri_lidar_check(ctx, "x", &l), RI_ERR_MODEL, "noise is -1");
    l = ri_lidar_grid(16, -0.2, NAN, 360, 10.0);
    CHECK_ERROR(ctx, ri_lidar_check(ctx, "x", &l), RI_ERR_MODEL, "elevation");
    l = ri_lidar_grid(256, -0.2, 0.2, 1000000, 10.0);
    CHECK_ERROR(ctx, ri_lidar_check(ctx, "x", &l), RI_ERR_MODEL, "number of shots");
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(vlp16_shoots_its_lasers_in_their_order),
        CASE(shot_numbers_follow_time),
        CASE(a_rosette_stays_in_its_field_and_does_not_repeat),
        CASE(intensity_is_reflectance_cosine_and_inverse_square),
        CASE(noise_has_its_deviation_and_misses_get_none),
        CASE(drop_outs_threshold_and_resolution_act_on_returns),
        CASE(a_wide_beam_has_a_first_and_a_last_return),
        CASE(single_precision_is_within_1e_5),
        CASE(tables_of_beams_are_read_or_refused_by_line),
        CASE(unusable_lidars_are_refused),
    };
    RiRayScene *s;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    if (ri_ray_scene_create(ctx, &s) == RI_ERR_UNSUPPORTED) {
        printf("skipped: %s\n", ri_context_message(ctx));
        ri_context_destroy(ctx);
        return 77;
    }
    ri_ray_scene_destroy(s);
    const int failed = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
