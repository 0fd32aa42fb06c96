// SPDX-License-Identifier: Apache-2.0
/// \file
/// Projection and back-projection.
///
///     CAHV      x = p.H / p.A, y = p.V / p.A with p = P - C                                             [yakimovsky1978]
///     CAHVOR    p' = p + (R0 + R1 t + R2 t^2) l, l = p - (p.O) O, t = |l|^2 / (p.O)^2, then as CAHV      [gennery2001]
///     CAHVORE   z = p.O, l = |p - z O|; the angle th at the moved pupil solves
///                   z sin th - l cos th - (th - sin th) (E0 + E1 th^2 + E2 th^4) = 0
///               chi = tan(L th) / L, th or sin(L th) / L for L > 0, = 0, < 0
///               p' = (l / chi) O + (1 + R0 + R1 chi^2 + R2 chi^4) (p - z O), then as CAHV                [gennery2006]
///
/// Vectors are used as they are given, not normalised, as flight software does. Tests:
/// tests/optics/test_camera.c, `rille validate cameras`.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/functions.h"
#include "optics/camera_lens.h"

enum { NEWTON_STEPS = 100 };
static const double no_angle = 1e-12; ///< [rad] below it a ray runs along the axis

static const char *const model_names[RI_CAMERA_MODEL_COUNT] = {
    "pinhole", "brown_conrady", "equidistant", "kannala_brandt", "cahv", "cahvor", "cahvore",
};

const char *ri_camera_model_name(RiCameraModel model)
{
    return model_names[model];
}

bool ri_camera_model_find(const char *name, RiCameraModel *out_model)
{
    for (int i = 0; i < RI_CAMERA_MODEL_COUNT; i++)
        if (strcmp(model_names[i], name) == 0) {
            *out_model = (RiCameraModel)i;
            return true;
        }
    return false;
}

RiCamera ri_camera_pinhole(int width, int height, double field)
{
    const double f = 0.5 * width / ri_tan(0.5 * field);
    return (RiCamera){.model = RI_CAMERA_PINHOLE,
                      .width = width,
                      .height = height,
                      .fx = f,
                      .fy = f,
                      .cx = 0.5 * (width - 1),
                      .cy = 0.5 * (height - 1)};
}

int ri_camera_vectors(const RiCamera *c)
{
    switch (c->model) {
    case RI_CAMERA_CAHV:
        return 4;
    case RI_CAMERA_CAHVOR:
        return 5;
    case RI_CAMERA_CAHVORE:
        return 6;
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_BROWN_CONRADY:
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_KANNALA_BRANDT:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    return 0;
}

static bool is_cahv(const RiCamera *c)
{
    return ri_camera_vectors(c) > 0;
}

bool ri_camera_is_perspective(const RiCamera *c)
{
    switch (c->model) {
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_BROWN_CONRADY:
    case RI_CAMERA_CAHV:
    case RI_CAMERA_CAHVOR:
        return true;
    case RI_CAMERA_CAHVORE:
        return c->pupil == 1;
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_KANNALA_BRANDT:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    return false;
}

const char *ri_camera_distortion(const RiCamera *c)
{
    switch (c->model) {
    case RI_CAMERA_PINHOLE:
        return "plumb_bob";
    case RI_CAMERA_BROWN_CONRADY:
        return c->k_count > 5 ? "rational_polynomial" : "plumb_bob";
    case RI_CAMERA_EQUIDISTANT:
        return "kannala_brandt";
    case RI_CAMERA_KANNALA_BRANDT:
    case RI_CAMERA_CAHV:
    case RI_CAMERA_CAHVOR:
    case RI_CAMERA_CAHVORE:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    return model_names[c->model];
}

int ri_camera_distortion_numbers(const RiCamera *c, double out[RI_CAMERA_COEFFICIENTS])
{
    memset(out, 0, RI_CAMERA_COEFFICIENTS * sizeof *out);
    switch (c->model) {
    case RI_CAMERA_PINHOLE:
        return 5;
    case RI_CAMERA_BROWN_CONRADY:
        memcpy(out, c->k, RI_CAMERA_COEFFICIENTS * sizeof *out);
        return c->k_count > 5 ? 8 : 5;
    case RI_CAMERA_EQUIDISTANT:
        return 4;
    case RI_CAMERA_KANNALA_BRANDT:
        memcpy(out, c->k, 4 * sizeof *out);
        return 4;
    case RI_CAMERA_CAHVOR:
        memcpy(out, c->R, 3 * sizeof *out);
        return 3;
    case RI_CAMERA_CAHVORE:
        memcpy(out, c->R, 3 * sizeof *out);
        memcpy(out + 3, c->E, 3 * sizeof *out);
        out[6] = c->linear;
        return 7;
    case RI_CAMERA_CAHV:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    return 0;
}

void ri_camera_unit_axis(RiCamera *c)
{
    const double length = ri_norm(c->O);
    if (is_cahv(c) && length > 0.0)
        c->O = ri_scale(1.0 / length, c->O);
}

void ri_camera_scale(RiCamera *c, double factor)
{
    const double shift = 0.5 * factor - 0.5; // edges of the frame stay edges
    c->width = (int)fmax(round(c->width * factor), 1.0);
    c->height = (int)fmax(round(c->height * factor), 1.0);
    c->fx *= factor;
    c->fy *= factor;
    c->cx = factor * c->cx + shift;
    c->cy = factor * c->cy + shift;
    c->H = ri_add(ri_scale(factor, c->H), ri_scale(shift, c->A));
    c->V = ri_add(ri_scale(factor, c->V), ri_scale(shift, c->A));
}

bool ri_camera_in_frame(const RiCamera *c, double sample, double line)
{
    return sample >= -0.5 && sample < c->width - 0.5 && line >= -0.5 && line < c->height - 0.5;
}

// --- focal models --------------------------------------------------------------------------------

/// Tangential part of Brown-Conrady with its derivatives.
static void tangential(const RiCamera *c, double x, double y, double out[2], double slope[3])
{
    const double p1 = c->k[2], p2 = c->k[3];
    out[0] = 2.0 * p1 * x * y + p2 * (3.0 * x * x + y * y);
    out[1] = p1 * (x * x + 3.0 * y * y) + 2.0 * p2 * x * y;
    slope[0] = 2.0 * p1 * y + 6.0 * p2 * x; // d out0 / dx
    slope[1] = 2.0 * p1 * x + 2.0 * p2 * y; // d out0 / dy = d out1 / dx
    slope[2] = 6.0 * p1 * y + 2.0 * p2 * x; // d out1 / dy
}

/// Distorted from undistorted coordinates of Brown-Conrady, and the derivatives xx, xy (= yx), yy.
static bool brown_distort(const RiCamera *c, const double in[2], double out[2], double slope[3])
{
    const double r = ri_hypot(in[0], in[1]);
    double radial_slope, t[2];
    if (r > c->turn)
        return false;
    const double radius = ri_lens_radius(c, r, &radial_slope);
    const double g = r > 0.0 ? radius / r : radial_slope;
    const double h = r > 0.0 ? (radial_slope - g) / (r * r) : 0.0;
    tangential(c, in[0], in[1], t, slope);
    out[0] = g * in[0] + t[0];
    out[1] = g * in[1] + t[1];
    slope[0] += g + h * in[0] * in[0];
    slope[1] += h * in[0] * in[1];
    slope[2] += g + h * in[1] * in[1];
    return true;
}

/// Newton's steps in the plane, from the inverse of the radial part.
static bool brown_undistort(const RiCamera *c, const double in[2], double out[2])
{
    const double radius = ri_hypot(in[0], in[1]);
    double r, at[2], slope[3];
    if (!ri_lens_inverse(c, fmin(radius, c->turn_back * (1.0 - 1e-6)), &r))
        return false;
    out[0] = radius > 0.0 ? in[0] * r / radius : 0.0;
    out[1] = radius > 0.0 ? in[1] * r / radius : 0.0;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        if (!brown_distort(c, out, at, slope))
            return false;
        const double ex = in[0] - at[0], ey = in[1] - at[1], det = slope[0] * slope[2] - slope[1] * slope[1];
        if (!(det > 0.0 && slope[0] > 0.0))
            return false; // the picture folds here
        const double dx = (slope[2] * ex - slope[1] * ey) / det, dy = (slope[0] * ey - slope[1] * ex) / det;
        out[0] += dx;
        out[1] += dy;
        if (fabs(dx) + fabs(dy) <= 1e-15 * (1.0 + ri_hypot(out[0], out[1])))
            return true;
    }
    return false;
}

/// Focal coordinates of a direction: tan-like for perspective lenses, angle-like for fisheyes.
static bool focal_distort(const RiCamera *c, RiVec3 p, double out[2])
{
    double slope[3];
    const double r = ri_hypot(p.x, p.y);
    if (ri_camera_is_perspective(c)) {
        if (!(p.z > 0.0))
            return false;
        const double in[2] = {p.x / p.z, p.y / p.z};
        if (c->model == RI_CAMERA_BROWN_CONRADY)
            return brown_distort(c, in, out, slope);
        out[0] = in[0], out[1] = in[1];
        return true;
    }
    const double theta = ri_atan2(r, p.z);
    if (!(r > 0.0)) {
        out[0] = out[1] = 0.0;
        return p.z > 0.0; // straight behind there is no direction in the image
    }
    if (theta > c->turn)
        return false;
    const double radius = ri_lens_radius(c, theta, slope);
    out[0] = radius * p.x / r;
    out[1] = radius * p.y / r;
    return true;
}

static bool focal_project(const RiCamera *c, RiVec3 p, double *sample, double *line)
{
    double at[2];
    if (!focal_distort(c, p, at))
        return false;
    *sample = c->fx * at[0] + c->cx;
    *line = c->fy * at[1] + c->cy;
    return true;
}

static bool focal_ray(const RiCamera *c, double sample, double line, RiVec3 *direction)
{
    const double in[2] = {(sample - c->cx) / c->fx, (line - c->cy) / c->fy};
    double at[2] = {in[0], in[1]}, theta;
    if (c->model == RI_CAMERA_BROWN_CONRADY && !brown_undistort(c, in, at))
        return false;
    if (ri_camera_is_perspective(c)) {
        const RiVec3 d = ri_vec3(at[0], at[1], 1.0);
        *direction = ri_scale(1.0 / ri_norm(d), d);
        return true;
    }
    const double radius = ri_hypot(in[0], in[1]);
    if (!ri_lens_inverse(c, radius, &theta) || !(theta < M_PI))
        return false;
    const double s = radius > 0.0 ? ri_sin(theta) / radius : 1.0;
    *direction = ri_vec3(s * in[0], s * in[1], ri_cos(theta));
    return true;
}

// --- CAHV family ---------------------------------------------------------------------------------

static bool cahv_pixel(const RiCamera *c, RiVec3 p, double *sample, double *line)
{
    const double depth = ri_dot(p, c->A);
    if (!(depth > 0.0))
        return false;
    *sample = ri_dot(p, c->H) / depth;
    *line = ri_dot(p, c->V) / depth;
    return true;
}

/// Direction of a pixel without distortion, with a positive share along A: models may be mirrored.
static RiVec3 cahv_direction(const RiCamera *c, double sample, double line)
{
    const RiVec3 v = ri_sub(c->V, ri_scale(line, c->A)), h = ri_sub(c->H, ri_scale(sample, c->A));
    return ri_scale(c->inverse_A, ri_cross(v, h));
}

static bool cahvor_project(const RiCamera *c, RiVec3 p, double *sample, double *line)
{
    const double w = ri_dot(p, c->O);
    const RiVec3 l = ri_sub(p, ri_scale(w, c->O));
    if (!(w > 0.0) || ri_norm(l) > c->turn * w)
        return false;
    const double t = ri_dot(l, l) / (w * w);
    return cahv_pixel(c, ri_add(p, ri_scale(c->R[0] + t * (c->R[1] + t * c->R[2]), l)), sample, line);
}

static double chi_of(double L, double theta)
{
    return L > 0.0 ? ri_tan(L * theta) / L : L < 0.0 ? ri_sin(L * theta) / L : theta;
}

static double theta_of(double L, double chi)
{
    return L > 0.0 ? ri_atan(L * chi) / L : L < 0.0 ? ri_asin(L * chi) / L : chi;
}

/// Largest angle that the lens equation knows [rad].
static double largest_angle(double L)
{
    return L != 0.0 ? fmin(M_PI_2 / fabs(L), M_PI) : M_PI;
}

static double pupil_factor(const RiCamera *c, double theta)
{
    const double t = theta * theta;
    return c->E[0] + t * (c->E[1] + t * c->E[2]);
}

/// The angle at the moved pupil: Newton's steps from the angle at C, halved where they leave the
/// lens.
static bool pupil_angle(const RiCamera *c, double z, double l, double *out_theta)
{
    const double most = largest_angle(c->linear);
    double theta = ri_atan2(l, z);
    if (theta >= most)
        theta = 0.999 * most;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        const double s = ri_sin(theta), k = ri_cos(theta), t = theta * theta;
        const double f = z * s - l * k - (theta - s) * pupil_factor(c, theta);
        const double slope = z * k + l * s - (1.0 - k) * pupil_factor(c, theta) -
                             (theta - s) * theta * (2.0 * c->E[1] + 4.0 * c->E[2] * t);
        double next = theta - f / slope;
        if (!(next > 0.0))
            next = 0.5 * theta;
        if (!(next < most))
            next = 0.5 * (theta + most);
        const double step = fabs(next - theta);
        theta = next;
        if (step <= 4e-16 * theta) {
            *out_theta = theta;
            return slope > 0.0;
        }
        if (i > 20 && step <= 4e-15 * theta) { // rounding goes to and fro
            *out_theta = theta;
            return slope > 0.0;
        }
    }
    return false;
}

static bool cahvore_project(const RiCamera *c, RiVec3 p, double *sample, double *line)
{
    const double z = ri_dot(p, c->O);
    const RiVec3 across = ri_sub(p, ri_scale(z, c->O));
    const double l = ri_norm(across);
    double theta;
    if (l <= no_angle * fabs(z)) // along the axis: also the pupil stays on it
        return z > 0.0 && cahv_pixel(c, p, sample, line);
    if (!pupil_angle(c, z, l, &theta))
        return false;
    const double chi = chi_of(c->linear, theta), s = chi * chi;
    if (!(chi <= c->turn))
        return false;
    const double mu = c->R[0] + s * (c->R[1] + s * c->R[2]);
    return cahv_pixel(c, ri_add(ri_scale(l / chi, c->O), ri_scale(1.0 + mu, across)), sample, line);
}

/// Removes the lens: chi of a pixel and the unit vector across the axis.
static bool remove_lens(const RiCamera *c, RiVec3 direction, double *out_chi, RiVec3 *out_across, double *out_z)
{
    const double z = ri_dot(direction, c->O);
    const RiVec3 across = ri_sub(direction, ri_scale(z, c->O));
    *out_z = z;
    *out_across = across;
    *out_chi = 0.0;
    return z > 0.0 && ri_lens_inverse(c, ri_norm(across) / z, out_chi);
}

static bool cahvor_ray(const RiCamera *c, RiVec3 straight, RiVec3 *direction)
{
    double chi, z;
    RiVec3 across;
    if (!remove_lens(c, straight, &chi, &across, &z))
        return false;
    const double l = ri_norm(across);
    const RiVec3 d = ri_add(ri_scale(z, c->O), ri_scale(l > 0.0 ? chi * z / l : 1.0, across));
    *direction = ri_scale(1.0 / ri_norm(d), d);
    return true;
}

static bool cahvore_ray(const RiCamera *c, RiVec3 straight, RiVec3 *origin, RiVec3 *direction)
{
    double chi, z;
    RiVec3 across;
    if (!remove_lens(c, straight, &chi, &across, &z))
        return false;
    const double theta = theta_of(c->linear, chi), l = ri_norm(across);
    if (!(theta < largest_angle(c->linear)))
        return false;
    if (theta <= no_angle) {
        *direction = ri_scale(1.0 / ri_norm(c->O), c->O);
        return true;
    }
    const double shift = (theta / ri_sin(theta) - 1.0) * pupil_factor(c, theta);
    *origin = ri_add(c->C, ri_scale(shift, c->O));
    const RiVec3 d = ri_add(ri_scale(ri_cos(theta), c->O), ri_scale(ri_sin(theta) / l, across));
    *direction = ri_scale(1.0 / ri_norm(d), d);
    return true;
}

// --- for all -------------------------------------------------------------------------------------

bool ri_camera_project(const RiCamera *c, RiVec3 point, double *out_sample, double *out_line)
{
    const RiVec3 p = ri_sub(point, c->C);
    *out_sample = *out_line = NAN;
    switch (c->model) {
    case RI_CAMERA_CAHV:
        return cahv_pixel(c, p, out_sample, out_line);
    case RI_CAMERA_CAHVOR:
        return cahvor_project(c, p, out_sample, out_line);
    case RI_CAMERA_CAHVORE:
        return cahvore_project(c, p, out_sample, out_line);
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_BROWN_CONRADY:
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_KANNALA_BRANDT:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    return focal_project(c, point, out_sample, out_line);
}

bool ri_camera_ray(const RiCamera *c, double sample, double line, RiVec3 *out_origin, RiVec3 *out_direction)
{
    *out_origin = is_cahv(c) ? c->C : ri_vec3(0.0, 0.0, 0.0);
    *out_direction = ri_vec3(0.0, 0.0, 0.0);
    if (!is_cahv(c))
        return focal_ray(c, sample, line, out_direction);
    const RiVec3 straight = cahv_direction(c, sample, line);
    switch (c->model) {
    case RI_CAMERA_CAHVOR:
        return cahvor_ray(c, straight, out_direction);
    case RI_CAMERA_CAHVORE:
        return cahvore_ray(c, straight, out_origin, out_direction);
    case RI_CAMERA_CAHV:
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_BROWN_CONRADY:
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_KANNALA_BRANDT:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    *out_direction = ri_scale(1.0 / ri_norm(straight), straight);
    return true;
}

RiPose ri_camera_frame(const RiCamera *c)
{
    if (!is_cahv(c))
        return ri_pose_identity();
    const RiVec3 z = ri_scale(1.0 / ri_norm(c->A), c->A);
    RiVec3 x = ri_sub(c->H, ri_scale(ri_dot(c->H, z), z));
    x = ri_scale(1.0 / ri_norm(x), x);
    return (RiPose){ri_mat3_from_cols(x, ri_cross(z, x), z), c->C};
}

double ri_camera_angle(const RiCamera *c, RiVec3 direction)
{
    const RiVec3 axis = !is_cahv(c) ? ri_vec3(0.0, 0.0, 1.0) : ri_camera_vectors(c) < 5 ? c->A : c->O;
    return ri_atan2(ri_norm(ri_cross(axis, direction)), ri_dot(axis, direction));
}

void ri_camera_focal(const RiCamera *c, double *fx, double *fy, double *cx, double *cy)
{
    *fx = c->fx, *fy = c->fy, *cx = c->cx, *cy = c->cy;
    if (!is_cahv(c))
        return;
    const double a = ri_dot(c->A, c->A);
    *fx = ri_norm(ri_cross(c->A, c->H)) / a;
    *fy = ri_norm(ri_cross(c->A, c->V)) / a;
    *cx = ri_dot(c->A, c->H) / a;
    *cy = ri_dot(c->A, c->V) / a;
}
