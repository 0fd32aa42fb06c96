// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stereo on rendered pairs of textured ground with rocks: share of pixels within a pixel of truth,
/// heights from four pairs, and the model of errors against the matcher's.
#include <math.h>
#include <stdio.h>

#include <rille/stereo.h>

#include "base/memory.h"
#include "base/rng.h"
#include "optics/trace_balls.h"
#include "validate/validate.h"

enum { WIDTH = 256, HEIGHT = 192, N = WIDTH * HEIGHT, PAIRS = 4 };

static const RiStereoPair pair = {WIDTH, HEIGHT, 240.0, 0.5 * (WIDTH - 1), 0.5 * (HEIGHT - 1), 0.2};

typedef struct Yard {
    BallWorld world;
    RiOpticSurface surfaces[2];
    RiLight *light;
    RiFrame *frame;
    float *left, *right, *range, *disparity, *model; ///< N each
} Yard;

static RiStatus open_yard(RiContext *ctx, Yard *y)
{
    RiRng rng = ri_rng_stream(11, "stereo");
    *y = (Yard){.world = {.plane = true, .balls = 30}};
    for (int i = 0; i < 30; i++) {
        const double r = ri_rng_between(&rng, 0.05, 0.25);
        y->world.ball[i].centre = ri_vec3(ri_rng_between(&rng, -2.5, 2.5), ri_rng_between(&rng, 1.0, 6.0), 0.3 * r);
        y->world.ball[i].radius = r, y->world.ball[i].surface = 1;
    }
    y->surfaces[0] = ri_surface_find("mars_soil")->surface, y->surfaces[1] = ri_surface_find("mars_rock")->surface;
    RI_TRY(ri_surface_prepare(ctx, "mars_soil", &y->surfaces[0]));
    RI_TRY(ri_surface_prepare(ctx, "mars_rock", &y->surfaces[1]));
    RiLightDef def = {.sky = RI_SKY_MARS, .tau = 0.5, .ground_albedo = 0.25, .disc_count = 1};
    def.discs[0] = ri_disc_sun(ri_vec3(0.6, 0.36, 0.7144228439796703), 1.52);
    RI_TRY(ri_light_create(ctx, &def, &y->light));
    RI_TRY(ri_frame_create(ctx, WIDTH, HEIGHT, &y->frame));
    y->left = ri_alloc(ctx, 5 * N, sizeof(float));
    if (!y->left)
        return ri_error_memory(ctx);
    y->right = y->left + N, y->range = y->left + 2 * N, y->disparity = y->left + 3 * N, y->model = y->left + 4 * N;
    return RI_OK;
}

static void close_yard(RiContext *ctx, Yard *y)
{
    ri_light_destroy(y->light);
    ri_frame_destroy(y->frame);
    ri_release(ctx, y->left);
}

/// The grey picture of a camera.
static RiStatus shoot(RiContext *ctx, Yard *y, const BallCamera *camera, uint64_t seed, float *out)
{
    const RiTraceJob job = ball_job(&y->world, y->surfaces, 2, y->light, camera);
    RiTraceOptions o = ri_trace_options_default();
    o.tracer = RI_TRACER_WHITTED, o.threads = 2, o.seed = seed;
    RI_TRY(ri_trace(ctx, &job, &o, y->frame));
    for (int i = 0; i < N; i++) {
        const float *a = y->frame->sharp + 3 * i, *b = y->frame->soft + 3 * i;
        out[i] = a[0] + a[1] + a[2] + b[0] + b[1] + b[2];
    }
    return RI_OK;
}

/// True distance along the axis at pixel centres.
static void true_range(const Yard *y, const BallCamera *c, float *out)
{
    for (int i = 0; i < N; i++) {
        RiRay ray;
        RiRayPoint p;
        const double u[3] = {0};
        ball_camera_ray(c, i % WIDTH, i / WIDTH, u, &ray);
        const RiVec3 axis = ri_mat3_col(&c->pose.R, 2);
        out[i] = ball_world_look(&y->world, &ray, &p) ? (float)(p.range * ri_dot(axis, ray.direction)) : INFINITY;
    }
}

typedef struct Tally {
    double good, seen, all, near1, near2; ///< near: squared range errors between 1.5 and 3 m and between 3 and 6 m
    double n1, n2;
} Tally;

static void tally(const float *range, const float *disparity, Tally *t)
{
    for (int i = 0; i < N; i++) {
        const double truth = pair.focal * pair.baseline / (double)range[i], d = (double)disparity[i];
        if (!(truth > 2.0) || i % WIDTH < truth + 4.0) // the right camera must see it
            continue;
        t->all++;
        if (isnan(d))
            continue;
        t->seen++, t->good += fabs(d - truth) <= 1.0;
        const double off = ri_stereo_range(&pair, d) - (double)range[i];
        if (fabs(d - truth) > 1.0)
            continue;
        if (range[i] > 1.5f && range[i] < 3.0f)
            t->near1 += off * off, t->n1++;
        else if (range[i] >= 3.0f && range[i] < 6.0f)
            t->near2 += off * off, t->n2++;
    }
}

static double plane(const void *user, double x, double y)
{
    const BallWorld *w = user;
    double h = 0.0;
    for (int i = 0; i < w->balls; i++) {
        const double dx = x - w->ball[i].centre.x, dy = y - w->ball[i].centre.y, r = w->ball[i].radius;
        const double q = r * r - dx * dx - dy * dy;
        if (q > -0.02 * r)
            h = q > 0.25 * r * r ? fmax(h, w->ball[i].centre.z + sqrt(q)) : NAN; // steep flanks are left out
        if (isnan(h))
            return NAN;
    }
    return h;
}

static RiStatus measure(RiValidation *run, Yard *y)
{
    Tally matched = {0}, modelled = {0};
    const RiStereoOptions o = {.most = 60, .window = 4, .check = 1.0, .ratio = 1.0};
    RiStereoErrors e = ri_stereo_errors_default();
    RiStereoMap *map = NULL;
    RI_TRY(ri_stereo_map_create(run->ctx, -1.2, 1.2, 0.04, 60, 60, &map));
    RiStatus status = RI_OK;
    for (int i = 0; i < PAIRS && status == RI_OK; i++) {
        const double x = -0.6 + 0.4 * i;
        const BallCamera left = ball_camera(ri_vec3(x, -0.4, 1.4), ri_vec3(x, 2.2, 0.0), WIDTH, HEIGHT, pair.focal);
        BallCamera right = left;
        right.pose.p = ri_add(left.pose.p, ri_scale(pair.baseline, ri_mat3_col(&left.pose.R, 0)));
        status = shoot(run->ctx, y, &left, (uint64_t)(2 * i + 1), y->left);
        if (status == RI_OK)
            status = shoot(run->ctx, y, &right, (uint64_t)(2 * i + 2), y->right);
        if (status == RI_OK)
            status = ri_stereo_match(run->ctx, &pair, &o, y->left, y->right, y->disparity);
        if (status != RI_OK)
            break;
        true_range(y, &left, y->range);
        tally(y->range, y->disparity, &matched);
        ri_stereo_measure(&pair, &e, y->range, NULL, (unsigned long long)i, y->model);
        tally(y->range, y->model, &modelled);
        ri_stereo_map_add(map, &pair, &left.pose, y->disparity, 6.0);
    }
    RiRaster *heights = NULL;
    if (status == RI_OK)
        status = ri_stereo_map_heights(map, 3, &heights);
    if (status == RI_OK) {
        const RiStereoScore s = ri_stereo_compare(heights, plane, &y->world);
        ri_validate_between(run, "textured ground: pixels within 1 px of truth", "-", 1.0, 0.85, 1.0,
                            matched.good / matched.all);
        ri_validate_between(run, "textured ground: of the pixels with a match, within 1 px", "-", 1.0, 0.9, 1.0,
                            matched.good / matched.seen);
        const double one = sqrt(matched.near1 / matched.n1), two = sqrt(matched.near2 / matched.n2);
        ri_validate_between(run, "range error at 3 to 6 m over that at 1.5 to 3 m (range squared: 4)", "-", 4.0, 2.0,
                            8.0, two / one);
        ri_validate_between(run, "model of errors over matcher: range error at 3 to 6 m", "-", 1.0, 0.5, 2.0,
                            sqrt(modelled.near2 / modelled.n2) / two);
        // one cell: on a slope of 45 degrees a height is off by as much as its place
        ri_validate_most(run, "height map of four pairs, 4 cm cells: rms", "m", 0.04, s.rms);
        ri_validate_between(run, "height map of four pairs: part of the cells with a height", "-", 1.0, 0.6, 1.0,
                            (double)s.cells / (60.0 * 60.0));
    }
    ri_raster_destroy(heights);
    ri_stereo_map_destroy(map);
    return status;
}

RiStatus ri_case_stereo(RiValidation *run)
{
    Yard y;
    RiStatus status = open_yard(run->ctx, &y);
    if (status == RI_OK)
        status = measure(run, &y);
    close_yard(run->ctx, &y);
    return status;
}
