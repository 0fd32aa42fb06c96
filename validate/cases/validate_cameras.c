// SPDX-License-Identifier: Apache-2.0
/// \file
/// Camera models: rows of flight models and of OpenCV's, and that back-projection inverts
/// projection over the frame of every model.
///
/// Rows use the published vectors as they are. Closure uses a unit optical axis, as the equations
/// of both directions assume one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/camera_file.h>

#include "io/optics/table.h"
#include "validate/validate.h"

enum { MOST_BYTES = 4 << 20 };

typedef struct Sets {
    RiCameras *flight, *extra;
} Sets;

static const RiCamera *find(const Sets *s, const char *name)
{
    const int i = ri_cameras_find(s->flight, name), k = s->extra ? ri_cameras_find(s->extra, name) : -1;
    return i >= 0 ? ri_cameras_get(s->flight, i) : k >= 0 ? ri_cameras_get(s->extra, k) : NULL;
}

/// The camera of a row with the row's own linearity.
static RiStatus row_camera(const Sets *s, const RiTable *t, int row, RiCamera *out)
{
    const char *name = ri_table_text(t, row, ri_table_column(t, "camera"));
    const RiCamera *c = find(s, name);
    if (!c)
        return ri_error(t->ctx, RI_ERR_NOT_FOUND, "%s:%d: camera '%s' is not known", t->path, t->lines[row], name);
    *out = *c;
    return RI_OK;
}

static RiStatus project_rows(RiValidation *run, const Sets *s, const RiTable *t)
{
    double worst = 0.0;
    for (int i = 0; i < t->row_count; i++) {
        RiCamera c;
        RiVec3 p;
        double sample, line, x, y;
        RI_TRY(row_camera(s, t, i, &c));
        RI_TRY(ri_table_need(t, i, "X", &p.x));
        RI_TRY(ri_table_need(t, i, "Y", &p.y));
        RI_TRY(ri_table_need(t, i, "Z", &p.z));
        RI_TRY(ri_table_need(t, i, "sample", &sample));
        RI_TRY(ri_table_need(t, i, "line", &line));
        const bool seen = ri_camera_project(&c, p, &x, &y);
        worst = fmax(worst, seen ? fmax(fabs(x - sample), fabs(y - line)) : INFINITY);
    }
    char quantity[64];
    snprintf(quantity, sizeof quantity, "CAHV family, %d points: pixel", t->row_count);
    ri_validate_most(run, quantity, "px", 1e-6, worst);
    return RI_OK;
}

static RiStatus ray_rows(RiValidation *run, const Sets *s, const RiTable *t)
{
    double worst_origin = 0.0, worst_angle = 0.0;
    for (int i = 0; i < t->row_count; i++) {
        static const char *const names[] = {"sample", "line", "ox", "oy", "oz", "dx", "dy", "dz"};
        double v[8];
        RiCamera c;
        RiVec3 o, d;
        RI_TRY(row_camera(s, t, i, &c));
        for (int k = 0; k < 8; k++)
            RI_TRY(ri_table_need(t, i, names[k], &v[k]));
        const bool seen = ri_camera_ray(&c, v[0], v[1], &o, &d);
        const RiVec3 wanted = ri_vec3(v[5], v[6], v[7]);
        const double angle = atan2(ri_norm(ri_cross(d, wanted)), ri_dot(d, wanted));
        worst_origin = fmax(worst_origin, seen ? ri_norm(ri_sub(o, ri_vec3(v[2], v[3], v[4]))) : INFINITY);
        worst_angle = fmax(worst_angle, angle);
    }
    char quantity[64];
    snprintf(quantity, sizeof quantity, "CAHV family, %d pixels: origin of the ray", t->row_count);
    ri_validate_most(run, quantity, "m", 1e-9, worst_origin);
    snprintf(quantity, sizeof quantity, "CAHV family, %d pixels: direction of the ray", t->row_count);
    ri_validate_most(run, quantity, "rad", 1e-9, worst_angle);
    return RI_OK;
}

/// A camera of OpenCV's kind; its table has no frame size, so the lens is checked at the row's
/// pixel alone.
static RiStatus opencv_camera(const RiTable *t, int row, RiCamera *c)
{
    const char *model = ri_table_text(t, row, ri_table_column(t, "model"));
    const char *at = ri_table_text(t, row, ri_table_column(t, "coeffs"));
    *c = (RiCamera){.model = strncmp(model, "brown", 5) == 0 ? RI_CAMERA_BROWN_CONRADY : RI_CAMERA_KANNALA_BRANDT,
                    .width = 16,
                    .height = 16};
    RI_TRY(ri_table_need(t, row, "fx", &c->fx));
    RI_TRY(ri_table_need(t, row, "fy", &c->fy));
    for (char *end = NULL; c->k_count < RI_CAMERA_COEFFICIENTS; at = end) {
        c->k[c->k_count] = strtod(at, &end);
        if (end == at)
            break;
        c->k_count++;
    }
    RI_TRY(ri_camera_check(t->ctx, "row", c));
    RI_TRY(ri_table_need(t, row, "cx", &c->cx));
    return ri_table_need(t, row, "cy", &c->cy);
}

static RiStatus opencv_rows(RiValidation *run, const RiTable *t)
{
    double worst = 0.0, closure = 0.0;
    for (int i = 0; i < t->row_count; i++) {
        RiCamera c;
        RiVec3 p, o, d;
        double u, v, x, y;
        RI_TRY(opencv_camera(t, i, &c));
        RI_TRY(ri_table_need(t, i, "X", &p.x));
        RI_TRY(ri_table_need(t, i, "Y", &p.y));
        RI_TRY(ri_table_need(t, i, "Z", &p.z));
        RI_TRY(ri_table_need(t, i, "u", &u));
        RI_TRY(ri_table_need(t, i, "v", &v));
        const bool seen = ri_camera_project(&c, p, &x, &y);
        worst = fmax(worst, seen ? fmax(fabs(x - u), fabs(y - v)) : INFINITY);
        const bool back = ri_camera_ray(&c, x, y, &o, &d);
        closure = fmax(closure, back ? atan2(ri_norm(ri_cross(d, p)), ri_dot(d, p)) : INFINITY);
    }
    ri_validate_most(run, "Brown-Conrady and Kannala-Brandt, OpenCV's rows: pixel", "px", 1e-6, worst);
    ri_validate_most(run, "the same back: direction", "rad", 1e-9, closure);
    return RI_OK;
}

/// Largest move of a pixel on its way out to a point and back.
static double closure_of(RiCamera c, double distance)
{
    enum { STEPS = 48 };
    double worst = 0.0;
    ri_camera_unit_axis(&c);
    for (int i = 0; i <= STEPS; i++)
        for (int k = 0; k <= STEPS; k++) {
            const double sample = -0.5 + (double)i * c.width / STEPS, line = -0.5 + (double)k * c.height / STEPS;
            RiVec3 o, d;
            double x, y;
            const bool ok = ri_camera_ray(&c, sample, line, &o, &d) &&
                            ri_camera_project(&c, ri_add(o, ri_scale(distance, d)), &x, &y);
            worst = fmax(worst, ok ? fmax(fabs(x - sample), fabs(y - line)) : INFINITY);
        }
    return worst;
}

static void closure_rows(RiValidation *run, const RiCameras *set, const char *quantity)
{
    double worst = 0.0;
    for (int i = 0; i < ri_cameras_count(set); i++)
        for (double distance = 0.5; distance < 1e4; distance *= 20.0)
            worst = fmax(worst, closure_of(*ri_cameras_get(set, i), distance));
    ri_validate_most(run, quantity, "px", 1e-9, worst);
}

/// CAHVORE without pupil shift and with L = 1 is CAHVOR; that without R is CAHV.
static RiStatus family_rows(RiValidation *run, const RiCameras *flight)
{
    const RiCamera *navcam = ri_cameras_get(flight, ri_cameras_find(flight, "NAVL"));
    RiCamera cahvore = *navcam, cahvor = *navcam, cahv = *navcam;
    double worst[2] = {0.0, 0.0};
    ri_camera_unit_axis(&cahvore);
    ri_camera_unit_axis(&cahvor);
    cahvore.pupil = 1;
    memset(cahvore.E, 0, sizeof cahvore.E);
    cahvor.model = RI_CAMERA_CAHVOR;
    cahv.model = RI_CAMERA_CAHV;
    RI_TRY(ri_camera_check(run->ctx, "CAHVORE", &cahvore));
    RI_TRY(ri_camera_check(run->ctx, "CAHVOR", &cahvor));
    RiCamera plain = cahvor;
    memset(plain.R, 0, sizeof plain.R);
    RI_TRY(ri_camera_check(run->ctx, "R = 0", &plain));
    RI_TRY(ri_camera_check(run->ctx, "CAHV", &cahv));
    for (int i = 0; i < 1000; i++) {
        const RiVec3 p = ri_vec3(2.0 + 0.01 * i, -1.5 + 0.003 * i, sin(0.1 * i));
        double a[2], b[2];
        if (ri_camera_project(&cahvore, p, &a[0], &a[1]) && ri_camera_project(&cahvor, p, &b[0], &b[1]))
            worst[0] = fmax(worst[0], hypot(a[0] - b[0], a[1] - b[1]));
        if (ri_camera_project(&plain, p, &a[0], &a[1]) && ri_camera_project(&cahv, p, &b[0], &b[1]))
            worst[1] = fmax(worst[1], hypot(a[0] - b[0], a[1] - b[1]));
    }
    ri_validate_most(run, "CAHVORE with E = 0, L = 1 minus CAHVOR", "px", 1e-9, worst[0]);
    ri_validate_most(run, "CAHVOR with R = 0 minus CAHV", "px", 1e-9, worst[1]);
    return RI_OK;
}

typedef RiStatus (*TableFn)(RiValidation *run, const Sets *s, const RiTable *t);

static RiStatus with_table(RiValidation *run, const Sets *s, const char *file, TableFn work)
{
    char path[1024];
    RiTable *table;
    snprintf(path, sizeof path, "%s/cameras/%s", run->data, file);
    RI_TRY(ri_table_load(run->ctx, path, ',', MOST_BYTES, &table));
    const RiStatus status = work ? work(run, s, table) : opencv_rows(run, table);
    ri_table_destroy(table);
    return status;
}

static RiStatus data_rows(RiValidation *run, Sets *s)
{
    char path[1024];
    if (!run->data) {
        ri_validate_skip(run, "rows of flight and OpenCV cameras");
        return RI_OK;
    }
    snprintf(path, sizeof path, "%s/cameras/extra_cameras.csv", run->data);
    RI_TRY(ri_cameras_load(run->ctx, path, &s->extra));
    RI_TRY(with_table(run, s, "cahvore_project.csv", project_rows));
    RI_TRY(with_table(run, s, "cahvore_backproject.csv", ray_rows));
    RI_TRY(with_table(run, s, "opencv_models.csv", NULL));
    closure_rows(run, s->extra, "variants of pupil type and linearity: there and back over the frame");
    return RI_OK;
}

RiStatus ri_case_cameras(RiValidation *run)
{
    char path[1024];
    Sets s = {0};
    if (!run->robots) {
        ri_validate_skip(run, "all rows");
        return RI_OK;
    }
    snprintf(path, sizeof path, "%s/../cameras/m2020.csv", run->robots);
    RiStatus status = ri_cameras_load(run->ctx, path, &s.flight);
    if (status == RI_OK) {
        closure_rows(run, s.flight, "27 models of Mars 2020: there and back over the frame");
        status = family_rows(run, s.flight);
    }
    if (status == RI_OK)
        status = data_rows(run, &s);
    ri_cameras_destroy(s.extra);
    ri_cameras_destroy(s.flight);
    return status;
}
