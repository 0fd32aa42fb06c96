// SPDX-License-Identifier: Apache-2.0
/// \file
/// The model of stereo's errors, and height maps from points.
#include "base/functions.h"

#include <rille/camera.h>
#include <rille/stereo.h>

#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "optics/surface.h"

RiVec3 ri_stereo_point(const RiStereoPair *pair, double x, double y, double disparity)
{
    const double z = ri_stereo_range(pair, disparity);
    return ri_vec3((x - pair->cx) / pair->focal * z, (y - pair->cy) / pair->focal * z, z);
}

// --- errors --------------------------------------------------------------------------------------

RiStereoErrors ri_stereo_errors_default(void)
{
    return (RiStereoErrors){
        .sigma = 0.25, .step = 1.0 / 16.0, .smooth = 0.3, .patch = 20.0, .dropout = 0.02, .most = 256};
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

static double uniform(unsigned long long seed, uint64_t index)
{
    return (double)(mix(mix(index + 0x9E3779B97F4A7C15ULL) ^ mix(seed + 0xD1B54A32D192ED03ULL)) >> 11) * 0x1p-53;
}

/// Whether a pixel is in a hole: noise in [-1, 1] with the size of patches, against how well the
/// ground matches.
static bool in_hole(const RiStereoErrors *e, int x, int y, double texture, unsigned long long seed)
{
    if (e->smooth <= 0.0 || texture >= e->smooth)
        return false;
    const RiTexture noise = {.amplitude = 1.0, .coarse = e->patch, .octaves = 2, .seed = (unsigned)mix(seed)};
    const double v = ri_texture_value(&noise, ri_vec3(x, y, 0.5)) - 1.0;
    return 0.5 + v >= texture / e->smooth;
}

void ri_stereo_measure(const RiStereoPair *pair, const RiStereoErrors *e, const float *range, const float *texture,
                       unsigned long long seed, float *out)
{
    for (int y = 0; y < pair->height; y++)
        for (int x = 0; x < pair->width; x++) {
            const size_t p = (size_t)y * (size_t)pair->width + (size_t)x;
            const double u = 1.0 - uniform(seed, 3 * p), v = uniform(seed, 3 * p + 1);
            double d = pair->focal * pair->baseline / (double)range[p];
            out[p] = NAN;
            if (!(d > 0.0 && d <= e->most) || uniform(seed, 3 * p + 2) < e->dropout ||
                in_hole(e, x, y, texture ? (double)texture[p] : 1.0, seed))
                continue;
            d += e->sigma * sqrt(-2.0 * ri_log(u)) * ri_cos(6.283185307179586477 * v);
            if (e->step > 0.0)
                d = floor(d / e->step + 0.5) * e->step;
            if (d > 0.0)
                out[p] = (float)d;
        }
}

// --- maps ----------------------------------------------------------------------------------------

struct RiStereoMap {
    RiContext *ctx;
    double x0, y0, cell;
    int nx, ny;
    double *sum, *weight; ///< nx * ny
    int *points;
};

RiStatus ri_stereo_map_create(RiContext *ctx, double x0, double y0, double cell, int nx, int ny, RiStereoMap **out_map)
{
    *out_map = NULL;
    if (nx < 2 || ny < 2 || nx > 20000 || ny > 20000 || !(cell > 0.0 && cell < INFINITY))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "stereo map: %d x %d cells of %g m; allowed: 2 to 20000 cells each way, above 0 m", nx, ny,
                        cell);
    const size_t n = (size_t)nx * (size_t)ny;
    RiStereoMap *m = ri_alloc_zero(ctx, 1, sizeof *m);
    if (!m)
        return ri_error_memory(ctx);
    *m = (RiStereoMap){.ctx = ctx, .x0 = x0, .y0 = y0, .cell = cell, .nx = nx, .ny = ny};
    m->sum = ri_alloc_zero(ctx, 2 * n, sizeof(double));
    m->points = ri_alloc_zero(ctx, n, sizeof(int));
    if (!m->sum || !m->points) {
        ri_stereo_map_destroy(m);
        return ri_error_memory(ctx);
    }
    m->weight = m->sum + n;
    *out_map = m;
    return RI_OK;
}

void ri_stereo_map_destroy(RiStereoMap *map)
{
    if (!map)
        return;
    ri_release(map->ctx, map->sum);
    ri_release(map->ctx, map->points);
    ri_release(map->ctx, map);
}

void ri_stereo_map_add(RiStereoMap *m, const RiStereoPair *pair, const RiPose *camera, const float *disparity,
                       double far)
{
    for (int y = 0; y < pair->height; y++)
        for (int x = 0; x < pair->width; x++) {
            const double d = (double)disparity[(size_t)y * (size_t)pair->width + (size_t)x];
            if (!(d > 0.0) || ri_stereo_range(pair, d) > far)
                continue;
            const RiVec3 local = ri_stereo_point(pair, x, y, d), p = ri_pose_point(camera, local);
            const double i = floor((p.x - m->x0) / m->cell + 0.5), j = floor((p.y - m->y0) / m->cell + 0.5);
            if (!(i >= 0.0 && j >= 0.0 && i < m->nx && j < m->ny))
                continue;
            const size_t at = (size_t)j * (size_t)m->nx + (size_t)i;
            const double weight = 1.0 / (local.z * local.z * local.z * local.z);
            m->sum[at] += weight * p.z, m->weight[at] += weight, m->points[at]++;
        }
}

RiStatus ri_stereo_map_heights(const RiStereoMap *m, int least, RiRaster **out_raster)
{
    RI_TRY(ri_raster_create(m->ctx, m->nx, m->ny, m->cell, m->cell, out_raster));
    RiRaster *r = *out_raster;
    r->x0 = m->x0, r->y0 = m->y0;
    for (size_t i = 0; i < (size_t)m->nx * (size_t)m->ny; i++)
        r->values[i] = m->points[i] >= (least > 1 ? least : 1) ? (float)(m->sum[i] / m->weight[i]) : NAN;
    return RI_OK;
}

RiStereoScore ri_stereo_compare(const RiRaster *r, double (*truth)(const void *user, double x, double y),
                                const void *user)
{
    RiStereoScore s = {0};
    double squares = 0.0, good = 0.0;
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            const double h = (double)r->values[(size_t)j * (size_t)r->nx + (size_t)i];
            const double want = isnan(h) ? NAN : truth(user, r->x0 + i * r->dx, r->y0 + j * r->dy);
            if (isnan(h) || isnan(want))
                continue;
            s.cells++;
            s.mean += h - want, squares += (h - want) * (h - want), good += fabs(h - want) <= 0.01;
        }
    if (s.cells) {
        s.mean /= (double)s.cells;
        s.rms = sqrt(squares / (double)s.cells);
        s.within_1cm = good / (double)s.cells;
    }
    return s;
}

// --- rectification -------------------------------------------------------------------------------

static double grey_at(const unsigned char *rgb, int width, int x, int y)
{
    const unsigned char *c = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/// Between four pixels; 0 outside of the picture.
static double sample_grey(const unsigned char *rgb, int width, int height, double x, double y)
{
    if (!(x >= 0.0 && y >= 0.0 && x <= width - 1 && y <= height - 1))
        return 0.0;
    const int i = x < width - 1 ? (int)x : width - 2, j = y < height - 1 ? (int)y : height - 2;
    const double u = x - i, v = y - j;
    return (1.0 - v) * ((1.0 - u) * grey_at(rgb, width, i, j) + u * grey_at(rgb, width, i + 1, j)) +
           v * ((1.0 - u) * grey_at(rgb, width, i, j + 1) + u * grey_at(rgb, width, i + 1, j + 1));
}

void ri_stereo_rectify(const RiStereoPair *pair, const RiPose *frame, const RiCamera *camera, const RiPose *pose,
                       const unsigned char *rgb, float *out_grey)
{
    const double far = 1e4; // [m] where the pupil's place does not matter
    for (int y = 0; y < pair->height; y++)
        for (int x = 0; x < pair->width; x++) {
            const RiVec3 d = ri_vec3((x - pair->cx) / pair->focal, (y - pair->cy) / pair->focal, 1.0);
            const RiVec3 point = ri_pose_point(frame, ri_scale(far, d));
            double sample, line;
            const bool seen =
                camera->width > 1 && camera->height > 1 &&
                ri_camera_project(camera, ri_rotate_back(&pose->R, ri_sub(point, pose->p)), &sample, &line);
            out_grey[(size_t)y * (size_t)pair->width + (size_t)x] =
                seen ? (float)sample_grey(rgb, camera->width, camera->height, sample, line) : 0.0f;
        }
}
