// SPDX-License-Identifier: Apache-2.0
/// \file
/// Camera models: closed forms, inverses, families, refusals, calibration.
#include <rille/rille.h>

#include "base/rng.h"
#include "check.h"

static RiContext *ctx;

/// A fisheye of more than 180 degrees.
static RiCamera wide_fisheye(void)
{
    return (RiCamera){.model = RI_CAMERA_KANNALA_BRANDT,
                      .width = 1000,
                      .height = 1000,
                      .fx = 300.0,
                      .fy = 300.0,
                      .cx = 499.5,
                      .cy = 499.5,
                      .k = {-0.01, 0.002, -0.0003, 0.0},
                      .k_count = 4};
}

static RiCamera brown(int count)
{
    return (RiCamera){.model = RI_CAMERA_BROWN_CONRADY,
                      .width = 1024,
                      .height = 1024,
                      .fx = 820.5,
                      .fy = 818.9,
                      .cx = 511.5,
                      .cy = 511.5,
                      .k = {-0.285, 0.092, 0.0006, -0.0004, -0.014, 0.01, 0.002, 0.0001},
                      .k_count = count};
}

/// The camera of figure 8 of EELS-DARTS.
static RiCamera figure8(RiCameraModel model)
{
    return (RiCamera){.model = model,
                      .width = 620,
                      .height = 640,
                      .C = {0.0, 0.0, 35.0},
                      .A = {0.0, 0.0, -1.0},
                      .H = {734.264, 0.0, -310.0},
                      .V = {0.0, -714.264, -320.0},
                      .O = {0.0, 0.0, -1.0},
                      .R = {0.05, -0.21, 0.01},
                      .E = {0.12, -0.14, 0.13},
                      .pupil = 1};
}

static double round_trip(const RiCamera *c, double distance)
{
    double worst = 0.0;
    for (int j = 0; j <= 20; j++)
        for (int i = 0; i <= 20; i++) {
            const double s = -0.5 + c->width * i / 20.0, l = -0.5 + c->height * j / 20.0;
            RiVec3 o, d;
            double x, y;
            const bool there = ri_camera_ray(c, s, l, &o, &d);
            const bool back = there && ri_camera_project(c, ri_add(o, ri_scale(distance, d)), &x, &y);
            worst = fmax(worst, back ? fmax(fabs(x - s), fabs(y - l)) : INFINITY);
            CHECK_CLOSE(ri_norm(d), 1.0, 1e-14);
        }
    return worst;
}

TEST(back_projection_inverts_projection_over_the_frame)
{
    RiCamera list[] = {ri_camera_pinhole(640, 480, 1.2),
                       brown(5),
                       brown(8),
                       wide_fisheye(),
                       figure8(RI_CAMERA_CAHV),
                       figure8(RI_CAMERA_CAHVOR),
                       figure8(RI_CAMERA_CAHVORE)};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CHECK(ri_camera_check(ctx, "c", &list[i]) == RI_OK);
        CHECK_CLOSE(round_trip(&list[i], 2.0), 0.0, 1e-9);
        CHECK_CLOSE(round_trip(&list[i], 2000.0), 0.0, 1e-9);
    }
}

TEST(pinhole_is_similar_triangles)
{
    RiCamera c = ri_camera_pinhole(640, 480, M_PI_2);
    double s, l;
    REQUIRE(ri_camera_check(ctx, "c", &c) == RI_OK);
    CHECK(ri_camera_project(&c, ri_vec3(1.0, 0.5, 2.0), &s, &l));
    CHECK_CLOSE(s, 319.5 + 320.0 * 0.5, 1e-12);
    CHECK_CLOSE(l, 239.5 + 320.0 * 0.25, 1e-12);
    CHECK(!ri_camera_project(&c, ri_vec3(1.0, 0.5, -2.0), &s, &l));
}

TEST(equidistant_radius_is_the_angle_and_sees_behind)
{
    RiCamera c = {.model = RI_CAMERA_EQUIDISTANT,
                  .width = 800,
                  .height = 800,
                  .fx = 200.0,
                  .fy = 200.0,
                  .cx = 399.5,
                  .cy = 399.5};
    double s, l;
    REQUIRE(ri_camera_check(ctx, "c", &c) == RI_OK);
    for (double angle = 0.1; angle < 3.1; angle += 0.25) {
        CHECK(ri_camera_project(&c, ri_vec3(sin(angle), 0.0, cos(angle)), &s, &l));
        CHECK_CLOSE(s, 399.5 + 200.0 * angle, 1e-9);
        CHECK_CLOSE(l, 399.5, 1e-9);
    }
}

/// The axis of E moves the pupil: rays of different angles cross the axis at different places.
TEST(cahvore_rays_start_at_the_moved_pupil)
{
    RiCamera c = figure8(RI_CAMERA_CAHVORE);
    RiVec3 o, d;
    REQUIRE(ri_camera_check(ctx, "c", &c) == RI_OK);
    CHECK(ri_camera_ray(&c, 310.0, 320.0, &o, &d));
    CHECK_CLOSE(ri_norm(ri_sub(o, c.C)), 0.0, 1e-12);
    CHECK(ri_camera_ray(&c, 600.0, 320.0, &o, &d));
    const double theta = ri_camera_angle(&c, d), t = theta * theta;
    CHECK_CLOSE(o.z, 35.0 - (theta / sin(theta) - 1.0) * (0.12 - 0.14 * t + 0.13 * t * t), 1e-12);
    CHECK(fabs(o.z - 35.0) > 1e-4);
}

TEST(cahvore_without_pupil_shift_is_cahvor_and_that_without_r_is_cahv)
{
    RiCamera e = figure8(RI_CAMERA_CAHVORE), r = figure8(RI_CAMERA_CAHVOR), flat = r, v = figure8(RI_CAMERA_CAHV);
    RiRng rng = ri_rng_stream(1, "cameras");
    memset(e.E, 0, sizeof e.E);
    memset(flat.R, 0, sizeof flat.R);
    REQUIRE(ri_camera_check(ctx, "e", &e) == RI_OK && ri_camera_check(ctx, "r", &r) == RI_OK);
    REQUIRE(ri_camera_check(ctx, "flat", &flat) == RI_OK && ri_camera_check(ctx, "v", &v) == RI_OK);
    for (int i = 0; i < 200; i++) {
        const RiVec3 p = ri_vec3(ri_rng_between(&rng, -9.0, 9.0), ri_rng_between(&rng, -9.0, 9.0),
                                 ri_rng_between(&rng, -20.0, 10.0));
        double a[2], b[2];
        CHECK(ri_camera_project(&e, p, &a[0], &a[1]) && ri_camera_project(&r, p, &b[0], &b[1]));
        CHECK_CLOSE(a[0], b[0], 1e-9);
        CHECK_CLOSE(a[1], b[1], 1e-9);
        CHECK(ri_camera_project(&flat, p, &a[0], &a[1]) && ri_camera_project(&v, p, &b[0], &b[1]));
        CHECK_CLOSE(a[0], b[0], 1e-9);
        CHECK_CLOSE(a[1], b[1], 1e-9);
    }
}

static void check_refused(RiCamera c, const char *word)
{
    CHECK(ri_camera_check(ctx, "bad", &c) == RI_ERR_MODEL);
    CHECK(strstr(ri_context_message(ctx), word) != NULL);
}

TEST(unusable_models_are_refused_with_the_reason)
{
    RiCamera c = figure8(RI_CAMERA_CAHV);
    c.V = c.H;
    check_refused(c, "one plane");
    c = figure8(RI_CAMERA_CAHVOR);
    c.R[1] = -2.0; // turns back at chi = 0.42, the corner is at 0.6
    check_refused(c, "turns back");
    c = brown(5);
    c.k[0] = -1.0;
    check_refused(c, "turns back");
    c = figure8(RI_CAMERA_CAHVORE);
    c.pupil = 4;
    check_refused(c, "pupil type 4");
    c = ri_camera_pinhole(640, 480, 1.0);
    c.fx = 0.0;
    check_refused(c, "focal");
    c = ri_camera_pinhole(640, 480, 1.0);
    c.cx = NAN;
    check_refused(c, "finite");
    c = ri_camera_pinhole(640, 480, 1.0);
    c.width = 0;
    check_refused(c, "size 0");
    c = wide_fisheye();
    c.width = 9000; // beyond 180 degrees from the axis
    check_refused(c, "no ray");
}

TEST(labels_tell_what_the_lens_is)
{
    RiCamera e = figure8(RI_CAMERA_CAHVORE);
    double k[RI_CAMERA_COEFFICIENTS];
    REQUIRE(ri_camera_check(ctx, "e", &e) == RI_OK);
    CHECK(strcmp(ri_camera_distortion(&e), "cahvore") == 0);
    CHECK_INT(ri_camera_distortion_numbers(&e, k), 7);
    CHECK_CLOSE(k[6], 1.0, 0.0);
    RiCamera b = brown(8);
    CHECK(strcmp(ri_camera_distortion(&b), "rational_polynomial") == 0);
    b.k_count = 5;
    CHECK(strcmp(ri_camera_distortion(&b), "plumb_bob") == 0);
}

TEST(the_models_of_mars_2020_load_by_name_and_invert)
{
    RiCameras *set;
    REQUIRE(ri_cameras_load(ctx, RILLE_SOURCE_DIR "/cameras/m2020.csv", &set) == RI_OK);
    CHECK_INT(ri_cameras_count(set), 27);
    CHECK(ri_cameras_find(set, "NAVL") >= 0);
    CHECK(strcmp(ri_cameras_suggest(set, "NAVX"), "NAVL") == 0 || strcmp(ri_cameras_suggest(set, "NAVX"), "NAVR") == 0);
    for (int i = 0; i < ri_cameras_count(set); i++) {
        RiCamera c = *ri_cameras_get(set, i);
        ri_camera_unit_axis(&c);
        CHECK_CLOSE(round_trip(&c, 3.0), 0.0, 1e-9);
    }
    ri_cameras_destroy(set);
}

/// Points of a grid of pixels at three distances.
static int see_target(const RiCamera *c, RiSighting *out)
{
    int count = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 11 * 11; i++) {
            RiVec3 o, d;
            RiSighting *s = &out[count];
            s->sample = (c->width - 1) * (i % 11) / 10.0;
            s->line = (c->height - 1) * (i / 11) / 10.0;
            if (ri_camera_ray(c, s->sample, s->line, &o, &d))
                out[count++].point = ri_add(o, ri_scale(0.4 * pow(6.0, k), d));
        }
    return count;
}

TEST(calibration_finds_the_camera_that_saw_the_target)
{
    RiCameras *set;
    RiSighting seen[3 * 121];
    RiCalibration quality;
    REQUIRE(ri_cameras_load(ctx, RILLE_SOURCE_DIR "/cameras/m2020.csv", &set) == RI_OK);
    RiCamera truth = *ri_cameras_get(set, ri_cameras_find(set, "NAVL")), c = truth;
    ri_camera_unit_axis(&truth);
    const int count = see_target(&truth, seen);
    c.C.x += 0.01; // a mount that is off
    c.H.y += 12.0;
    c.R[1] = 0.03;
    memset(c.E, 0, sizeof c.E);
    CHECK(ri_camera_calibrate(ctx, count, seen, &c, &quality) == RI_OK);
    CHECK_INT(quality.used, count);
    CHECK_CLOSE(quality.most, 0.0, 1e-3);
    CHECK_CLOSE(ri_norm(ri_sub(c.C, truth.C)), 0.0, 1e-5);
    // a model without a moving pupil cannot explain near points
    RiCamera cahvor = truth;
    cahvor.model = RI_CAMERA_CAHVOR;
    CHECK(ri_camera_calibrate(ctx, count, seen, &cahvor, &quality) == RI_OK);
    CHECK(quality.rms > 0.05);
    CHECK(ri_camera_calibrate(ctx, 3, seen, &c, &quality) == RI_ERR_ARGUMENT);
    ri_cameras_destroy(set);
}

static void check_table(const char *text, RiStatus wanted, const char *word)
{
    RiCameras *set;
    CHECK(ri_cameras_parse(ctx, "t.csv", text, strlen(text), &set) == wanted);
    CHECK(strstr(ri_context_message(ctx), word) != NULL);
    CHECK(set == NULL);
}

TEST(bad_tables_of_cameras_are_refused_by_file_line_and_column)
{
    check_table("", RI_ERR_FORMAT, "no head");
    check_table("name,type,width,height,fx,fy,cx,cy\na,pinhole,64,48,50,50,31.5\n", RI_ERR_FORMAT,
                "t.csv:2: fewer fields");
    check_table("name,type,width,height,fx,fy,cx,cy\na,pinhole,64,48,50,x,31.5,1\n", RI_ERR_FORMAT, "column 'fy': 'x'");
    check_table("name,type,width,height\na,pinhole,64,48\n", RI_ERR_FORMAT, "no column 'fx'");
    check_table("name,type,width,height\na,lens,64,48\n", RI_ERR_FORMAT, "'lens'");
    check_table("name,type,width,height\na,cahv,6e9,48\n", RI_ERR_FORMAT, "column 'width'");
}

TEST(a_saved_camera_loads_as_it_was)
{
    RiCamera list[] = {brown(5),
                       brown(8),
                       wide_fisheye(),
                       figure8(RI_CAMERA_CAHV),
                       figure8(RI_CAMERA_CAHVOR),
                       figure8(RI_CAMERA_CAHVORE)};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        RiCameras *set;
        REQUIRE(ri_camera_check(ctx, "c", &list[i]) == RI_OK);
        CHECK(ri_camera_save(ctx, &list[i], "it", RILLE_BINARY_DIR "/test_camera.csv") == RI_OK);
        REQUIRE(ri_cameras_load(ctx, RILLE_BINARY_DIR "/test_camera.csv", &set) == RI_OK);
        double a[2], b[2];
        const RiVec3 p = ri_vec3(0.3, -0.2, list[i].model >= RI_CAMERA_CAHV ? 30.0 : 1.5);
        CHECK(ri_camera_project(&list[i], p, &a[0], &a[1]) &&
              ri_camera_project(ri_cameras_get(set, 0), p, &b[0], &b[1]));
        CHECK(a[0] == b[0] && a[1] == b[1]);
        ri_cameras_destroy(set);
    }
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(back_projection_inverts_projection_over_the_frame),
        CASE(pinhole_is_similar_triangles),
        CASE(equidistant_radius_is_the_angle_and_sees_behind),
        CASE(cahvore_rays_start_at_the_moved_pupil),
        CASE(cahvore_without_pupil_shift_is_cahvor_and_that_without_r_is_cahv),
        CASE(unusable_models_are_refused_with_the_reason),
        CASE(labels_tell_what_the_lens_is),
        CASE(the_models_of_mars_2020_load_by_name_and_invert),
        CASE(calibration_finds_the_camera_that_saw_the_target),
        CASE(bad_tables_of_cameras_are_refused_by_file_line_and_column),
        CASE(a_saved_camera_loads_as_it_was),
    };
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const int failed = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return failed;
}
