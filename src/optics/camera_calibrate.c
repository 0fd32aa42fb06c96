// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fits a camera to sightings of a target: least squares by damped Gauss-Newton steps
/// [marquardt1963].
///
/// Unknowns of the CAHV family: C (3), turns of A (2), H (3), V (3), then turns of O (2), R1 and
/// R2, then E (3). R0 is not fitted: it scales the image as the lengths of H and V do. Axes move on
/// the unit sphere, by two tangents each. Derivatives are central differences: a fit has some
/// twenty unknowns and is not in any loop.
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "math/dense.h"
#include "optics/camera_lens.h"

enum { MOST = 24, STEPS = 200 };

typedef struct Fit {
    int count, unknowns;
    const RiSighting *seen;
    RiCamera start; ///< unknowns are offsets from it
    double unit[MOST];
    double normal[MOST * MOST], gradient[MOST];
} Fit;

static RiVec3 turned(RiVec3 axis, const double by[2])
{
    const RiMat3 tangents = ri_mat3_from_z(ri_scale(1.0 / ri_norm(axis), axis));
    const RiVec3 v =
        ri_add(axis, ri_add(ri_scale(by[0], ri_mat3_col(&tangents, 0)), ri_scale(by[1], ri_mat3_col(&tangents, 1))));
    return ri_scale(1.0 / ri_norm(v), v);
}

static RiVec3 moved(RiVec3 v, const double by[3])
{
    return ri_add(v, ri_vec3(by[0], by[1], by[2]));
}

static RiCamera focal_at(RiCamera c, const double *x)
{
    c.fx += x[0];
    c.fy += x[1];
    c.cx += x[2];
    c.cy += x[3];
    for (int i = 0; i < c.k_count; i++)
        c.k[i] += x[4 + i];
    return c;
}

static RiCamera vectors_at(RiCamera c, const double *x)
{
    c.C = moved(c.C, x);
    c.A = turned(c.A, x + 3);
    c.H = moved(c.H, x + 5);
    c.V = moved(c.V, x + 8);
    const int vectors = ri_camera_vectors(&c);
    if (vectors >= 5) {
        c.O = turned(c.O, x + 11);
        c.R[1] += x[13];
        c.R[2] += x[14];
    }
    for (int i = 0; vectors >= 6 && i < 3; i++)
        c.E[i] += x[15 + i];
    c.inverse_A = 1.0 / ri_dot(c.A, ri_cross(c.V, c.H));
    return c;
}

static bool has_vectors(const RiCamera *c)
{
    return ri_camera_vectors(c) > 0;
}

static RiCamera camera_at(const Fit *f, const double *x)
{
    return has_vectors(&f->start) ? vectors_at(f->start, x) : focal_at(f->start, x);
}

/// Steps of the differences: a ten-thousandth of a pixel, more or less.
static void choose_units(Fit *f)
{
    const double pixel = 1e-4 / f->start.width;
    if (!has_vectors(&f->start)) {
        f->unknowns = 4 + f->start.k_count;
        for (int i = 0; i < f->unknowns; i++)
            f->unit[i] = i < 4 ? 1e-4 : pixel;
        return;
    }
    static const int unknowns[] = {[4] = 11, [5] = 15, [6] = 18};
    f->unknowns = unknowns[ri_camera_vectors(&f->start)];
    for (int i = 0; i < f->unknowns; i++)
        f->unit[i] = i >= 5 && i < 11 ? 1e-4 : pixel;
}

/// Residuals of one sighting; false where the model does not see it.
static bool residual(const RiCamera *c, const RiSighting *s, double out[2])
{
    double sample, line;
    if (!ri_camera_project(c, s->point, &sample, &line))
        return false;
    out[0] = sample - s->sample;
    out[1] = line - s->line;
    return true;
}

static double sum_of_squares(const Fit *f, const RiCamera *c, RiCalibration *out)
{
    double sum = 0.0, r[2];
    out->used = 0;
    out->most = 0.0;
    for (int i = 0; i < f->count; i++) {
        if (!residual(c, &f->seen[i], r))
            continue;
        const double e = r[0] * r[0] + r[1] * r[1];
        sum += e;
        out->most = fmax(out->most, sqrt(e));
        out->used++;
    }
    out->rms = out->used > 0 ? sqrt(sum / out->used) : INFINITY;
    return sum;
}

static void add_row(Fit *f, const double *slope, double r)
{
    for (int i = 0; i < f->unknowns; i++) {
        f->gradient[i] += slope[i] * r;
        for (int k = 0; k <= i; k++)
            f->normal[i * f->unknowns + k] += slope[i] * slope[k];
    }
}

/// Normal equations at x, unknowns in their units.
static void linearise(Fit *f, const double *x)
{
    double y[MOST], slope[2][MOST];
    RiCamera plus[MOST], minus[MOST];
    memset(f->normal, 0, sizeof f->normal);
    memset(f->gradient, 0, sizeof f->gradient);
    for (int k = 0; k < f->unknowns; k++) {
        memcpy(y, x, sizeof y);
        y[k] = x[k] + f->unit[k];
        plus[k] = camera_at(f, y);
        y[k] = x[k] - f->unit[k];
        minus[k] = camera_at(f, y);
    }
    const RiCamera here = camera_at(f, x);
    for (int i = 0; i < f->count; i++) {
        double r[2] = {0.0, 0.0}, a[2] = {0.0, 0.0}, b[2] = {0.0, 0.0};
        bool ok = residual(&here, &f->seen[i], r);
        for (int k = 0; k < f->unknowns && ok; k++) {
            ok = residual(&plus[k], &f->seen[i], a) && residual(&minus[k], &f->seen[i], b);
            slope[0][k] = 0.5 * (a[0] - b[0]);
            slope[1][k] = 0.5 * (a[1] - b[1]);
        }
        for (int j = 0; j < 2 && ok; j++)
            add_row(f, slope[j], r[j]);
    }
}

/// Step of the damped equations; false: they are singular.
static bool damped_step(const Fit *f, double lambda, double *out_step)
{
    const int n = f->unknowns;
    double A[MOST * MOST], scale[MOST];
    for (int i = 0; i < n; i++)
        scale[i] = 1.0 / sqrt(fmax(f->normal[i * n + i], DBL_MIN));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= i; k++)
            A[i * n + k] = A[k * n + i] = f->normal[i * n + k] * scale[i] * scale[k];
        A[i * n + i] += lambda;
        out_step[i] = -f->gradient[i] * scale[i];
    }
    if (!ri_ldl_factor(n, A, 1e-15))
        return false;
    ri_ldl_solve(n, A, out_step);
    for (int i = 0; i < n; i++)
        out_step[i] *= scale[i] * f->unit[i];
    return ri_all_finite(out_step, n);
}

/// One improvement: false when none is left.
static bool improve(Fit *f, double *x, double *sum, double *lambda)
{
    linearise(f, x);
    for (; *lambda < 1e12; *lambda *= 10.0) {
        double step[MOST], y[MOST] = {0};
        RiCalibration quality;
        if (!damped_step(f, *lambda, step))
            continue;
        for (int i = 0; i < f->unknowns; i++)
            y[i] = x[i] + step[i];
        const RiCamera c = camera_at(f, y);
        const double next = sum_of_squares(f, &c, &quality);
        if (quality.used < f->count || !(next < *sum))
            continue;
        const bool goes_on = next < *sum * (1.0 - 1e-9);
        memcpy(x, y, sizeof y);
        *sum = next;
        *lambda = fmax(*lambda * 0.1, 1e-13);
        return goes_on;
    }
    return false;
}

RiStatus ri_camera_calibrate(RiContext *ctx, int count, const RiSighting *sightings, RiCamera *camera,
                             RiCalibration *out)
{
    Fit fit = {.count = count, .seen = sightings, .start = *camera};
    double x[MOST] = {0}, lambda = 1e-3;
    *out = (RiCalibration){0};
    RI_TRY(ri_camera_check(ctx, "start of the fit", &fit.start));
    fit.start.turn = INFINITY; // the lens itself is in motion
    choose_units(&fit);
    if (2 * count < fit.unknowns)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "calibration: %d sightings are too few for %d unknowns; at least %d are needed", count,
                        fit.unknowns, (fit.unknowns + 1) / 2);
    double sum = sum_of_squares(&fit, &fit.start, out);
    if (out->used < count)
        return ri_error(ctx, RI_ERR_ARGUMENT, "calibration: the starting model does not see %d of %d sightings",
                        count - out->used, count);
    int steps = 0;
    while (steps < STEPS && sum > 0.0 && improve(&fit, x, &sum, &lambda))
        steps++;
    RiCamera fitted = camera_at(&fit, x);
    (void)sum_of_squares(&fit, &fitted, out);
    out->steps = steps;
    RI_TRY(ri_camera_check(ctx, "fitted", &fitted));
    *camera = fitted;
    return RI_OK;
}
