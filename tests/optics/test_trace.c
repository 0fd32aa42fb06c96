// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tracers against closed forms: a ball on a plane under sun and sky, penumbra, furnaces, mirrors,
/// threads.
#include "check.h"

#include <rille/context.h>

#include "base/memory.h"
#include "optics/trace_balls.h"
#include "optics/trace_numbers.h"

#define PI M_PI

static RiContext *ctx;

static RiLight *light_of(const RiLightDef *def)
{
    RiLight *light = NULL;
    if (ri_light_create(ctx, def, &light) != RI_OK)
        CHECK_FAIL("light: %s", ri_context_message(ctx));
    return light;
}

static RiDisc point_sun(double elevation, double radius)
{
    RiDisc d = {.toward = {-cos(elevation), 0.0, sin(elevation)}, .outer = radius, .irradiance = {100.0, 80.0, 60.0}};
    return d;
}

static RiFrame *trace(const RiTraceJob *job, const RiTraceOptions *o)
{
    RiFrame *f = NULL;
    if (ri_frame_create(ctx, job->width, job->height, &f) != RI_OK || ri_trace(ctx, job, o, f) != RI_OK)
        CHECK_FAIL("trace: %s", ri_context_message(ctx));
    return f;
}

/// Picture of a black ball of radius 1 on a white plane under a uniform sky of radiance 1: the ball
/// takes (r/d)^2 cos of a plane point's irradiance.
static double sky_on_plane(const RiRay *ray)
{
    const double t = -ray->origin.z / ray->direction.z;
    const RiVec3 p = ri_add(ray->origin, ri_scale(t, ray->direction)), way = ri_sub(ri_vec3(0.0, 0.0, 1.0), p);
    const double d2 = ri_dot(way, way);
    return 1.0 - way.z / (d2 * sqrt(d2));
}

static double sky_picture_rms(int samples)
{
    const BallWorld w = {.plane = true, .balls = 1, .ball = {{{0.0, 0.0, 1.0}, 1.0, 1}}};
    const RiOpticSurface s[2] = {ri_surface_lambert(1.0), ri_surface_lambert(0.0)};
    RiLight *light = light_of(&(RiLightDef){.sky = RI_SKY_UNIFORM, .uniform = {1.0, 1.0, 1.0}});
    const BallCamera c = ball_camera(ri_vec3(1.2, -0.3, 6.0), ri_vec3(1.2, 0.0, 0.0), 32, 24, 60.0);
    const RiTraceJob job = ball_job(&w, s, 2, light, &c);
    RiTraceOptions o = ri_trace_options_default();
    o.samples = samples, o.depth = 2, o.roulette = 9;
    RiFrame *f = trace(&job, &o);
    double sum = 0.0;
    int n = 0;
    for (int i = 0; i < 32 * 24; i++) {
        if (f->albedo[3 * i] < 1.0f) // the ball is in the pixel
            continue;
        double want = 0.0;
        for (int k = 0; k < 16; k++) {
            RiRay ray;
            const double u[3] = {0};
            ball_camera_ray(&c, i % 32 - 0.375 + 0.25 * (k % 4), i / 32 - 0.375 + 0.25 * (k / 4), u, &ray);
            want += sky_on_plane(&ray) / 16;
        }
        const double got = (double)f->sharp[3 * i] + (double)f->soft[3 * i] - want;
        sum += got * got, n++;
    }
    ri_frame_destroy(f);
    ri_light_destroy(light);
    return sqrt(sum / n);
}

TEST(path_tracing_converges_at_least_as_one_over_root_n)
{
    const double a = sky_picture_rms(8), b = sky_picture_rms(128), c = sky_picture_rms(1024);
    printf("     rms against the closed form: %.2e with 8, %.2e with 128, %.2e with 1024 samples\n", a, b, c);
    CHECK(a < 0.12);
    CHECK(b < 1.15 * a / 4.0);
    CHECK(c < 1.15 * b / sqrt(8.0));
}

TEST(whitted_is_path_tracing_where_light_is_direct)
{
    BallWorld w = {.plane = true, .balls = 1, .ball = {{{0.0, 0.0, 1.0}, 1.0, 1}}};
    const RiOpticSurface s[2] = {ri_surface_lambert(0.5), ri_surface_lambert(0.8)};
    RiLightDef def = {.disc_count = 1, .discs = {point_sun(0.6, 1e-3)}, .lamp_count = 1};
    def.lamps[0] = (RiLamp){
        .position = {0, -4, 3}, .direction = {0, 0.8, -0.6}, .full = 0.3, .edge = 0.6, .intensity = {50, 50, 90}};
    RiLight *light = light_of(&def);
    const BallCamera c = ball_camera(ri_vec3(0.5, -6.0, 3.0), ri_vec3(0.5, 0.0, 0.5), 40, 30, 50.0);
    const RiTraceJob job = ball_job(&w, s, 2, light, &c);
    RiTraceOptions o = ri_trace_options_default();
    o.depth = 1;
    o.samples = 64; // both cast one shadow ray a sample
    RiFrame *path = trace(&job, &o);
    o.tracer = RI_TRACER_WHITTED, o.depth = 8;
    RiFrame *whitted = trace(&job, &o);
    CHECK(memcmp(path->sharp, whitted->sharp, 3 * 40 * 30 * sizeof(float)) == 0);
    CHECK(memcmp(path->soft, whitted->soft, 3 * 40 * 30 * sizeof(float)) == 0);
    // and both are the closed form: albedo/pi E sin(elevation) on lit ground that the lamp does not
    // reach
    const size_t at = 3 * (29 * 40 + 39);
    double lit = 0.5 / PI * 100.0 * sin(0.6);
    CHECK_CLOSE((double)path->sharp[at] / lit, 1.0, 2e-3);
    ri_frame_destroy(path);
    ri_frame_destroy(whitted);
    ri_light_destroy(light);
}

/// A plate 10 m above the ground ends at x = 0, the sun of radius 0.05 stands above it: at x the
/// part of its disc beyond the edge is seen.
TEST(penumbra_has_the_shape_of_the_disc)
{
    for (int dark = 0; dark < 2; dark++) {
        const BallWorld w = {.plane = true, .plate = true, .plate_height = 10.0};
        const RiOpticSurface s[2] = {ri_surface_lambert(1.0), ri_surface_lambert(0.0)};
        RiLightDef def = {.disc_count = 1};
        def.discs[0] = (RiDisc){.toward = {0, 0, 1}, .outer = 0.05, .irradiance = {1, 1, 1}, .limb = dark ? 0.6 : 0.0};
        RiLight *light = light_of(&def);
        const BallCamera c = ball_camera(ri_vec3(0.0, -3.0, 5.0), ri_vec3(0.0, 0.0, 0.0), 64, 1, 400.0);
        const RiTraceJob job = ball_job(&w, s, 2, light, &c);
        RiTraceOptions o = ri_trace_options_default();
        o.samples = 1024, o.depth = 1;
        RiFrame *f = trace(&job, &o);
        for (int x = 0; x < 64; x++) {
            RiRay ray;
            const double u[3] = {0};
            ball_camera_ray(&c, x, 0.0, u, &ray);
            const double at = ray.origin.x - ray.origin.z / ray.direction.z * ray.direction.x;
            const double want = ri_disc_above(at / 10.0 / sin(0.05), def.discs[0].limb) / PI;
            CHECK_CLOSE((double)f->sharp[3 * x], want, 0.006);
        }
        ri_frame_destroy(f);
        ri_light_destroy(light);
    }
}

/// A box of which every wall reflects a and that holds a uniform sky outside a hole cannot be
/// solved in closed form; a pit between two endless mirrors can: a plane of albedo a under a white
/// sky shows a, whatever the kind of surface.
TEST(plane_under_white_sky_shows_its_albedo)
{
    const char *names[] = {"moon", "mars_soil", "aluminium", "ice", "snow"};
    for (int i = 0; i < 5; i++) {
        RiOpticSurface s = ri_surface_find(names[i])->surface;
        s.texture.amplitude = 0.0;
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, names[i], &s));
        const BallWorld w = {.plane = true};
        RiLight *light = light_of(&(RiLightDef){.sky = RI_SKY_UNIFORM, .uniform = {1.0, 1.0, 1.0}});
        const BallCamera c = ball_camera(ri_vec3(0.0, -3.0, 3.0), ri_vec3(0.0, 0.0, 0.0), 1, 1, 4000.0);
        const RiTraceJob job = ball_job(&w, &s, 1, light, &c);
        RiTraceOptions o = ri_trace_options_default();
        o.samples = 4096;
        RiFrame *f = trace(&job, &o);
        double want[3];
        ri_surface_albedo(&s, ri_vec3(sqrt(0.5), 0.0, sqrt(0.5)), 300, want);
        for (int k = 0; k < 3; k++)
            if (!(fabs((double)(f->sharp[k] + f->soft[k]) - want[k]) <= 0.005 * want[k] + 1e-4))
                CHECK_FAIL("%s band %d: %.5f, expected %.5f", names[i], k, (double)(f->sharp[k] + f->soft[k]), want[k]);
        ri_frame_destroy(f);
        ri_light_destroy(light);
    }
}

TEST(bounces_between_walls_add_up)
{
    // inside a ball of albedo a lit by a lamp at its centre: E0 = I/r^2, radiance = a/pi E0/(1 - a)
    const BallWorld w = {.balls = 1, .ball = {{{0.0, 0.0, 0.0}, 2.0, 0}}};
    const RiOpticSurface s = ri_surface_lambert(0.5);
    RiLightDef def = {.lamp_count = 1};
    def.lamps[0] = (RiLamp){.direction = {1, 0, 0}, .full = 3.1, .edge = PI, .intensity = {4.0, 4.0, 4.0}};
    RiLight *light = light_of(&def);
    const BallCamera c = ball_camera(ri_vec3(0.5, 0.2, 0.0), ri_vec3(2.0, 0.0, 0.5), 8, 8, 8.0);
    const RiTraceJob job = ball_job(&w, &s, 1, light, &c);
    RiTraceOptions o = ri_trace_options_default();
    o.samples = 256, o.depth = 40;
    RiFrame *f = trace(&job, &o);
    double mean = 0.0;
    for (int i = 0; i < 64; i++)
        mean += (double)(f->sharp[3 * i] + f->soft[3 * i]) / 64.0;
    CHECK_CLOSE(mean, 0.5 / PI * 1.0 / (1.0 - 0.5), 0.005 * mean);
    ri_frame_destroy(f);
    ri_light_destroy(light);
}

TEST(mirrors_show_what_is_behind_the_viewer)
{
    const BallWorld w = {.plane = true, .balls = 1, .ball = {{{0.0, 0.0, 1.0}, 1.0, 1}}};
    RiOpticSurface s[2] = {{.kind = RI_SURFACE_METAL, .albedo = {1.0, 0.5, 0.25}}, {0}};
    s[1] = ri_surface_lambert(0.5);
    RiLightDef def = {.sky = RI_SKY_UNIFORM, .uniform = {2.0, 2.0, 2.0}};
    RiLight *light = light_of(&def);
    const BallCamera c = ball_camera(ri_vec3(8.0, 0.0, 5.0), ri_vec3(8.0, 0.001, 0.0), 1, 1, 50.0);
    RiTraceJob job = ball_job(&w, s, 2, light, &c);
    RiTraceOptions o = ri_trace_options_default();
    for (int t = 0; t < 2; t++) {
        o.tracer = t ? RI_TRACER_PATH : RI_TRACER_WHITTED;
        RiFrame *f = trace(&job, &o);
        CHECK_CLOSE((double)f->sharp[0], 2.0, 1e-3);
        CHECK_CLOSE((double)f->sharp[1], 1.0, 1e-3);
        CHECK_CLOSE((double)f->sharp[2], 0.5, 1e-3);
        ri_frame_destroy(f);
    }
    ri_light_destroy(light);
}

TEST(pictures_do_not_depend_on_threads)
{
    BallWorld w = {.plane = true, .balls = 2, .ball = {{{0.0, 0.0, 1.0}, 1.0, 1}, {{2.0, 1.0, 0.5}, 0.5, 2}}};
    RiOpticSurface s[3] = {ri_surface_find("mars_soil")->surface, ri_surface_find("aluminium")->surface,
                           ri_surface_find("ice")->surface};
    for (int i = 0; i < 3; i++)
        REQUIRE_OK(ctx, ri_surface_prepare(ctx, "s", &s[i]));
    RiLightDef def = {.sky = RI_SKY_MARS, .tau = 0.5, .ground_albedo = 0.25, .disc_count = 1};
    def.discs[0] = ri_disc_sun(ri_vec3(0.6, 0.0, 0.8), 1.52);
    RiLight *light = light_of(&def);
    const BallCamera c = ball_camera(ri_vec3(0.5, -6.0, 3.0), ri_vec3(0.5, 0.0, 0.5), 67, 43, 60.0);
    const RiTraceJob job = ball_job(&w, s, 3, light, &c);
    RiTraceOptions o = ri_trace_options_default();
    RiFrame *one = trace(&job, &o);
    for (int threads = 2; threads <= 5; threads += 3) {
        o.threads = threads;
        RiFrame *many = trace(&job, &o);
        CHECK(memcmp(one->sharp, many->sharp, 15 * 67 * 43 * sizeof(float)) == 0);
        ri_frame_destroy(many);
    }
    o.seed = 2;
    RiFrame *other = trace(&job, &o);
    CHECK(memcmp(one->soft, other->soft, 3 * 67 * 43 * sizeof(float)) != 0);
    ri_frame_destroy(other);
    ri_frame_destroy(one);
    ri_light_destroy(light);
}

TEST(options_out_of_range_are_named)
{
    const BallWorld w = {.plane = true};
    const RiOpticSurface s = ri_surface_lambert(0.5);
    RiLight *light = light_of(&(RiLightDef){0});
    const BallCamera c = ball_camera(ri_vec3(0.0, -3.0, 3.0), ri_vec3(0.0, 0.0, 0.0), 2, 2, 2.0);
    const RiTraceJob job = ball_job(&w, &s, 1, light, &c);
    RiFrame *f = NULL;
    REQUIRE_OK(ctx, ri_frame_create(ctx, 2, 2, &f));
    RiTraceOptions o = ri_trace_options_default();
    o.samples = 0;
    CHECK_ERROR(ctx, ri_trace(ctx, &job, &o, f), RI_ERR_ARGUMENT, "samples = 0; allowed: 1 to 65536");
    RiFrame *big = NULL;
    CHECK_ERROR(ctx, ri_frame_create(ctx, 1000000, 2, &big), RI_ERR_LIMIT, "1000000 x 2");
    ri_frame_destroy(f);
    ri_light_destroy(light);
}

TEST(draped_images_tint_the_ground)
{
    const float rgb[12] = {0.2f, 0.2f, 0.2f, 0.6f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.6f, 0.2f, NAN};
    RiDrape d = {.rgb = rgb, .nx = 2, .ny = 2, .dx = 1.0, .dy = 1.0};
    REQUIRE_OK(ctx, ri_drape_mean(ctx, &d));
    double v[3];
    ri_drape_value(&d, 1.0, 0.0, v);
    CHECK_CLOSE(v[0], 1.5, 1e-6);
    CHECK_CLOSE(v[1], 1.0, 1e-6);
    ri_drape_value(&d, 0.5, 0.5, v);
    CHECK_CLOSE(v[0], 1.0, 1e-6);
    CHECK_CLOSE(v[2], 1.0, 0.0); // no value there
    ri_drape_value(&d, 40.0, 0.0, v);
    CHECK_CLOSE(v[0], 1.0, 0.0);
    const float black[3] = {0.0f, 1.0f, 1.0f};
    RiDrape bad = {.rgb = black, .nx = 1, .ny = 1, .dx = 1.0, .dy = 1.0};
    CHECK_ERROR(ctx, ri_drape_mean(ctx, &bad), RI_ERR_ARGUMENT, "band 0 is black");
}

TEST(neighbours_share_their_sample_points)
{
    // means over 4 x 4 pixels of 8 samples: those of one sequence of 128 points
    double shared = 0.0, own = 0.0;
    for (uint32_t b = 0; b < 256; b++) {
        double sum = 0.0, sum_own = 0.0;
        for (uint32_t i = 0; i < 16 * 8; i++) {
            const uint32_t x = 4 * (b % 16) + i / 8 % 4, y = 4 * (b / 16) + i / 32;
            double u1, u2;
            RiNumbers n = ri_numbers_shared(3, x, y, i % 8, 8), m = ri_numbers(3, 1024 * y + x, i % 8);
            ri_numbers_pair(&n, &u1, &u2);
            CHECK(u1 >= 0.0 && u1 < 1.0 && u2 >= 0.0 && u2 < 1.0);
            sum += u1 * u1 + u2 < 0.7 ? 1.0 / 128 : 0.0;
            ri_numbers_pair(&m, &u1, &u2);
            sum_own += u1 * u1 + u2 < 0.7 ? 1.0 / 128 : 0.0;
        }
        const double area = 0.7 * sqrt(0.7) * 2.0 / 3.0; // of u2 < 0.7 - u1^2
        shared += (sum - area) * (sum - area), own += (sum_own - area) * (sum_own - area);
    }
    printf("     rms error of the means: shared %.4f, each its own %.4f\n", sqrt(shared / 256), sqrt(own / 256));
    CHECK(shared < 0.5 * own);
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(path_tracing_converges_at_least_as_one_over_root_n),
                               CASE(neighbours_share_their_sample_points),
                               CASE(whitted_is_path_tracing_where_light_is_direct),
                               CASE(penumbra_has_the_shape_of_the_disc),
                               CASE(plane_under_white_sky_shows_its_albedo),
                               CASE(bounces_between_walls_add_up),
                               CASE(mirrors_show_what_is_behind_the_viewer),
                               CASE(pictures_do_not_depend_on_threads),
                               CASE(options_out_of_range_are_named),
                               CASE(draped_images_tint_the_ground)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
