// SPDX-License-Identifier: Apache-2.0
/// \file
/// The denoiser: less noise, sharp edges, the same bits for any number of threads.
#include "check.h"

#include <rille/context.h>

#include "optics/denoise.h"
#include "optics/trace_balls.h"

enum { W = 96, H = 64 };

static RiContext *ctx;
static float truth[3 * W * H], raw[3 * W * H], clean[3 * W * H], again[3 * W * H];

static double rms(const float *a)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * W * H; i++)
        sum += (double)((a[i] - truth[i]) * (a[i] - truth[i]));
    return sqrt(sum / (3 * W * H));
}

TEST(noise_falls_and_threads_do_not_matter)
{
    const BallWorld w = {.plane = true, .balls = 1, .ball = {{{0.0, 5.0, 1.0}, 1.0, 1}}};
    const RiOpticSurface s[2] = {ri_surface_lambert(0.6), ri_surface_lambert(0.3)};
    RiLightDef def = {.sky = RI_SKY_UNIFORM, .uniform = {10.0, 11.0, 12.0}, .disc_count = 1};
    def.discs[0] = ri_disc_sun(ri_vec3(0.6, 0.0, 0.8), 5.0);
    RiLight *light = NULL;
    RiFrame *f = NULL;
    REQUIRE_OK(ctx, ri_light_create(ctx, &def, &light));
    REQUIRE_OK(ctx, ri_frame_create(ctx, W, H, &f));
    const BallCamera c = ball_camera(ri_vec3(0.0, 0.0, 1.5), ri_vec3(0.0, 5.0, 0.7), W, H, 80.0);
    const RiTraceJob job = ball_job(&w, s, 2, light, &c);
    RiTraceOptions o = ri_trace_options_default();
    o.samples = 256, o.seed = 9;
    REQUIRE_OK(ctx, ri_trace(ctx, &job, &o, f));
    ri_frame_radiance(f, truth);
    o.samples = 8, o.seed = 1;
    REQUIRE_OK(ctx, ri_trace(ctx, &job, &o, f));
    ri_frame_radiance(f, raw);
    REQUIRE_OK(ctx, ri_denoise(ctx, f, &job, 1, clean));
    REQUIRE_OK(ctx, ri_denoise(ctx, f, &job, 3, again));
    printf("     rms: raw %.4g, denoised %.4g\n", rms(raw), rms(clean));
    CHECK(rms(clean) < 0.65 * rms(raw));
    CHECK(memcmp(clean, again, sizeof clean) == 0);
    CHECK_ERROR(ctx, ri_denoise(ctx, f, &job, 0, clean), RI_ERR_ARGUMENT, "threads = 0");
    ri_frame_destroy(f);
    ri_light_destroy(light);
}

/// Traces a ball on a plane under sun and sky.
static RiStatus trace_ball(const RiTraceOptions *o, RiFrame *f)
{
    const BallWorld w = {.plane = true, .balls = 1, .ball = {{{0.0, 5.0, 1.0}, 1.0, 1}}};
    const RiOpticSurface s[2] = {ri_surface_lambert(0.6), ri_surface_lambert(0.3)};
    RiLightDef def = {.sky = RI_SKY_UNIFORM, .uniform = {10.0, 11.0, 12.0}, .disc_count = 1};
    def.discs[0] = ri_disc_sun(ri_vec3(0.6, 0.0, 0.8), 5.0);
    RiLight *light = NULL;
    RI_TRY(ri_light_create(ctx, &def, &light));
    const BallCamera c = ball_camera(ri_vec3(0.0, 0.0, 1.5), ri_vec3(0.0, 5.0, 0.7), W, H, 80.0);
    const RiTraceJob job = ball_job(&w, s, 2, light, &c);
    const RiStatus status = ri_trace(ctx, &job, o, f);
    ri_light_destroy(light);
    return status;
}

TEST(further_samples_go_to_edges_and_shadows_alone)
{
    RiFrame *f = NULL;
    RiTraceOptions o = ri_trace_options_default();
    double before = 0.0, after = 0.0;
    long long hard = 0;
    REQUIRE_OK(ctx, ri_frame_create(ctx, W, H, &f));
    o.samples = 256, o.seed = 9;
    REQUIRE_OK(ctx, trace_ball(&o, f));
    ri_frame_radiance(f, truth);
    CHECK(f->more == 0);
    o.samples = 8, o.seed = 1, o.more = 1;
    REQUIRE_OK(ctx, trace_ball(&o, f));
    ri_frame_radiance(f, raw);
    o.more = 64;
    REQUIRE_OK(ctx, trace_ball(&o, f));
    ri_frame_radiance(f, again);
    for (int i = 0; i < W * H; i++) {
        hard += f->hard[i] != 0;
        for (int k = 0; k < 3; k++) {
            const int at = 3 * i + k;
            if (f->hard[i]) {
                before += (double)((raw[at] - truth[at]) * (raw[at] - truth[at]));
                after += (double)((again[at] - truth[at]) * (again[at] - truth[at]));
            } else if (again[at] != raw[at]) {
                CHECK_FAIL("pixel %d is plain and changed", i);
            }
        }
    }
    printf("     %lld of %d pixels; rms falls to %.3f\n", hard, W * H, sqrt(after / before));
    CHECK(hard > W * H / 100 && hard < W * H / 3);
    CHECK(f->more == 64 * hard);
    CHECK(after < 0.25 * before);
    o.threads = 3;
    REQUIRE_OK(ctx, trace_ball(&o, f));
    ri_frame_radiance(f, clean);
    CHECK(memcmp(clean, again, sizeof clean) == 0);
    o.more = -1;
    CHECK_ERROR(ctx, trace_ball(&o, f), RI_ERR_ARGUMENT, "more = -1");
    ri_frame_destroy(f);
}

TEST(pictures_without_noise_stay_as_they_are)
{
    RiFrame *f = NULL;
    REQUIRE_OK(ctx, ri_frame_create(ctx, W, H, &f));
    f->samples = 8;
    for (int i = 0; i < W * H; i++) {
        f->depth[i] = 5.0f, f->normal[3 * i + 2] = 1.0f;
        for (int k = 0; k < 3; k++)
            f->albedo[3 * i + k] = 0.5f, f->sharp[3 * i + k] = i % W < W / 2 ? 1.0f : 3.0f, f->soft[3 * i + k] = 0.25f;
    }
    REQUIRE_OK(ctx, ri_denoise(ctx, f, NULL, 1, clean));
    for (int i = 0; i < 3 * W * H; i++)
        if (!(fabsf(clean[i] - f->sharp[i] - f->soft[i]) < 1e-3f))
            CHECK_FAIL("value %d: %g", i, (double)clean[i]);
    ri_frame_destroy(f);
}

int main(int argc, char **argv)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    const CheckCase cases[] = {CASE(noise_falls_and_threads_do_not_matter),
                               CASE(further_samples_go_to_edges_and_shadows_alone),
                               CASE(pictures_without_noise_stay_as_they_are)};
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
