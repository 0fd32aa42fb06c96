// SPDX-License-Identifier: Apache-2.0
/// \file
/// The denoiser on views of shipped scenes: pictures of 8 samples against raw ones of 64.
///
/// Errors are against two independent raw pictures A and B of 256 samples: the mean of
/// (x - A)(x - B) estimates the squared error of x without that of A and B. Edges are pixels that
/// differ from a neighbour by a fifth. Errors are summed over four seeds: a single one is off by some
/// 5 % at edges. Pictures are 96 pixels wide, so that there are many edges. The filter's numbers were
/// chosen with these views in sight, except those marked "held out".
///
/// Bands: no worse than 64 raw samples (a ratio of 1). Pixels with edges and uncertain shadows get
/// further samples; rows tell how many all pixels have on average. Their band: no more than 64.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/perception.h>

#include "base/memory.h"
#include "validate/drive.h"

enum { SEEDS = 4, WIDTH = 96, MOST = WIDTH * 160 };

typedef struct View {
    const char *scene, *camera;
    bool held_out, slow;
} View;

static const View views[] = {
    {"figure8_cameras", "cahv", false, false},
    {"figure9_snake_sensors", "plan", false, false},
    {"figure9_snake_sensors", "ahead_left", false, false},
    {"mer_hazcam", "hazcam_left", false, false},
    {"mer_hazcam", "navcam_left", false, false},
    {"lunar_pole", "front", false, false},
    {"lunar_pole", "aside", false, false},
    {"figure9_snake_sensors", "ahead_right", false, false},
    {"figure8_cameras", "cahvore", false, false},
    {"mer_hazcam", "hazcam_right", false, false},
    {"mer_hazcam", "navcam_right", true, false},
    {"figure8_cameras", "cahvor", true, false},
    {"figure13_moulin", "head_left", false, true},
    {"dingo_gap_navcam", "navcam_left", false, false},
};

typedef struct Studio {
    RiPerception *perception;
    RiCamera camera;
    RiPose pose;
    int width, height;
    float *a, *b, *raw, *clean; ///< 3 MOST each
} Studio;

static RiStatus shoot(Studio *s, uint64_t seed, int samples, float *out, double *out_mean)
{
    RiPictureView view;
    ri_perception_seed(s->perception, seed);
    RI_TRY(ri_perception_picture_from(s->perception, &s->camera, &s->pose, samples, true, &view));
    memcpy(out, view.radiance, 3 * sizeof *out * (size_t)view.width * (size_t)view.height);
    *out_mean = view.samples;
    return RI_OK;
}

static float bright(const Studio *s, int x, int y)
{
    const size_t at = 3 * ((size_t)y * (size_t)s->width + (size_t)x);
    float sum = 0.0f;
    for (size_t k = 0; k < 3; k++)
        sum += s->a[at + k] + s->b[at + k];
    return sum;
}

static bool is_edge(const Studio *s, int x, int y)
{
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    const float here = bright(s, x, y);
    for (int i = 0; i < 4; i++) {
        const int u = x + dx[i], v = y + dy[i];
        if (u < 0 || v < 0 || u >= s->width || v >= s->height)
            continue;
        const float there = bright(s, u, v);
        if (fabsf(there - here) > 0.2f * fmaxf(there, here))
            return true;
    }
    return false;
}

typedef struct Errors {
    double all, edges; ///< sums of squares
} Errors;

static void add_errors(Errors *sum, const Studio *s, const float *picture)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            double square = 0.0;
            for (size_t k = 0; k < 3; k++) {
                const size_t at = 3 * ((size_t)y * (size_t)s->width + (size_t)x) + k;
                square += (double)(picture[at] - s->a[at]) * (double)(picture[at] - s->b[at]);
            }
            sum->all += square;
            sum->edges += is_edge(s, x, y) ? square : 0.0;
        }
}

static RiStatus compare(RiValidation *run, const View *view, Studio *s)
{
    char text[160];
    double mean;
    RI_TRY(shoot(s, 100, 256, s->a, &mean));
    RI_TRY(shoot(s, 101, 256, s->b, &mean));
    Errors raw = {0}, clean = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        RI_TRY(shoot(s, seed, 64, s->raw, &mean));
        RI_TRY(shoot(s, seed, 8, s->clean, &mean));
        add_errors(&raw, s, s->raw);
        add_errors(&clean, s, s->clean);
    }
    const char *held = view->held_out ? ", held out" : "";
    snprintf(text, sizeof text, "%s, %s%s: rms, denoised over raw", view->scene, view->camera, held);
    ri_validate_most(run, text, "1", 1.0, sqrt(clean.all / raw.all));
    snprintf(text, sizeof text, "%s, %s%s: rms of edges", view->scene, view->camera, held);
    ri_validate_most(run, text, "1", 1.0, sqrt(clean.edges / raw.edges));
    snprintf(text, sizeof text, "%s, %s%s: mean samples of a pixel", view->scene, view->camera, held);
    ri_validate_most(run, text, "1", 64.0, mean);
    return RI_OK;
}

static int find(const RiScene *scene, const char *camera)
{
    for (int i = 0; i < ri_scene_camera_count(scene); i++)
        if (strcmp(ri_scene_camera(scene, i)->name, camera) == 0)
            return i;
    return -1;
}

static RiStatus open_view(RiValidation *run, const View *view, const RiDrive *d, Studio *s)
{
    const int camera = find(d->scene, view->camera);
    if (camera < 0)
        return ri_error(run->ctx, RI_ERR_ARGUMENT, "%s has no camera %s", view->scene, view->camera);
    RI_TRY(ri_perception_create(run->ctx, d->scene, 2, NULL, &s->perception));
    s->camera = ri_scene_camera(d->scene, camera)->camera;
    s->pose = ri_perception_camera_pose(s->perception, camera);
    ri_camera_scale(&s->camera, (double)WIDTH / s->camera.width);
    RI_TRY(ri_camera_check(run->ctx, view->camera, &s->camera));
    s->width = s->camera.width, s->height = s->camera.height;
    s->a = ri_alloc(run->ctx, 4 * 3 * (size_t)MOST, sizeof *s->a);
    if (!s->a || s->width * s->height > MOST)
        return ri_error_memory(run->ctx);
    s->b = s->a + 3 * MOST, s->raw = s->a + 6 * MOST, s->clean = s->a + 9 * MOST;
    return RI_OK;
}

static RiStatus one_view(RiValidation *run, const View *view)
{
    RiDrive d;
    Studio s = {0};
    RiStatus status = ri_drive_open(&d, run, view->scene, NULL, 0);
    if (status == RI_OK)
        status = open_view(run, view, &d, &s);
    if (status == RI_OK)
        status = compare(run, view, &s);
    ri_perception_destroy(s.perception);
    ri_release(run->ctx, s.a);
    ri_drive_close(&d);
    return status;
}

RiStatus ri_case_denoiser(RiValidation *run)
{
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const bool there = strcmp(views[i].scene, "dingo_gap_navcam") != 0 || run->data;
        if (!run->robots || !there || (views[i].slow && run->quick)) {
            ri_validate_skip(run, views[i].scene);
            continue;
        }
        const RiStatus status = one_view(run, &views[i]);
        if (status == RI_ERR_UNSUPPORTED) {
            ri_validate_skip(run, "pictures (a build without Embree)");
            return RI_OK;
        }
        RI_TRY(status);
    }
    return RI_OK;
}
