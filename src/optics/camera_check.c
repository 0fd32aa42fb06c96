// SPDX-License-Identifier: Apache-2.0
/// \file
/// What makes a camera usable: finite numbers, independent vectors, a lens that does not turn back
/// in the frame, a ray for every pixel.
#include <math.h>
#include <stddef.h>

#include "base/functions.h"
#include "optics/camera_lens.h"

static bool finite3(RiVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static RiStatus refuse(RiContext *ctx, const char *name, const char *why)
{
    return ri_error(ctx, RI_ERR_MODEL, "camera '%s': %s", name, why);
}

static RiStatus check_numbers(RiContext *ctx, const char *name, const RiCamera *c)
{
    bool ok = finite3(c->C) && finite3(c->A) && finite3(c->H) && finite3(c->V) && finite3(c->O);
    ok &= isfinite(c->fx) && isfinite(c->fy) && isfinite(c->cx) && isfinite(c->cy) && isfinite(c->linearity);
    for (int i = 0; i < RI_CAMERA_COEFFICIENTS; i++)
        ok &= isfinite(c->k[i]) != 0;
    for (int i = 0; i < 3; i++)
        ok &= isfinite(c->R[i]) && isfinite(c->E[i]);
    if (!ok)
        return refuse(ctx, name, "all numbers must be finite");
    if (c->width < 1 || c->height < 1 || c->width > RI_CAMERA_MOST_PIXELS || c->height > RI_CAMERA_MOST_PIXELS)
        return ri_error(ctx, RI_ERR_MODEL, "camera '%s': size %d x %d; 1 to %d pixels on a side are allowed", name,
                        c->width, c->height, RI_CAMERA_MOST_PIXELS);
    return RI_OK;
}

static RiStatus check_focal(RiContext *ctx, const char *name, RiCamera *c)
{
    if (!(c->fx > 0.0 && c->fy > 0.0))
        return ri_error(ctx, RI_ERR_MODEL, "camera '%s': focal lengths %g and %g px; they must be positive", name,
                        c->fx, c->fy);
    switch (c->model) {
    case RI_CAMERA_BROWN_CONRADY:
        if (c->k_count != 5 && c->k_count != 8)
            return ri_error(ctx, RI_ERR_MODEL, "camera '%s': %d coefficients; brown_conrady has 5 or 8", name,
                            c->k_count);
        if (c->k_count == 5)
            c->k[5] = c->k[6] = c->k[7] = 0.0;
        break;
    case RI_CAMERA_KANNALA_BRANDT:
        if (c->k_count != 4)
            return ri_error(ctx, RI_ERR_MODEL, "camera '%s': %d coefficients; kannala_brandt has 4", name, c->k_count);
        break;
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_CAHV:
    case RI_CAMERA_CAHVOR:
    case RI_CAMERA_CAHVORE:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    return RI_OK;
}

static RiStatus check_vectors(RiContext *ctx, const char *name, RiCamera *c)
{
    const double a = ri_norm(c->A), volume = ri_dot(c->A, ri_cross(c->V, c->H));
    if (!(fabs(a - 1.0) < 1e-3))
        return ri_error(ctx, RI_ERR_MODEL, "camera '%s': axis A has length %g; it must be a unit vector", name, a);
    if (!(fabs(volume) > 1e-9 * a * ri_norm(c->H) * ri_norm(c->V)))
        return refuse(ctx, name, "the vectors A, H and V lie in one plane: the model is singular");
    c->inverse_A = 1.0 / volume;
    if (ri_camera_vectors(c) < 5)
        return RI_OK;
    const double o = ri_norm(c->O);
    if (!(fabs(o - 1.0) < 1e-3))
        return ri_error(ctx, RI_ERR_MODEL, "camera '%s': optical axis O has length %g; it must be a unit vector", name,
                        o);
    if (!(ri_dot(c->A, c->O) > 0.0))
        return refuse(ctx, name, "the optical axis O must look the way that A looks");
    return RI_OK;
}

static RiStatus choose_linearity(RiContext *ctx, const char *name, RiCamera *c)
{
    switch (c->pupil) {
    case 1:
        c->linear = 1.0;
        return RI_OK;
    case 2:
        c->linear = 0.0;
        return RI_OK;
    case 3:
        c->linear = c->linearity;
        if (c->linear < -1.0 || c->linear > 1.0)
            return ri_error(ctx, RI_ERR_MODEL, "camera '%s': linearity %g; -1 to 1 is allowed", name, c->linear);
        return RI_OK;
    default:
        return ri_error(ctx, RI_ERR_MODEL,
                        "camera '%s': pupil type %d; 1 (perspective), 2 (fisheye) and 3 (general) exist", name,
                        c->pupil);
    }
}

/// Where the argument of the radial function ends.
static double lens_end(const RiCamera *c)
{
    const double wide = 1e3; // tan of 89.94 degrees
    switch (c->model) {
    case RI_CAMERA_EQUIDISTANT:
    case RI_CAMERA_KANNALA_BRANDT:
        return M_PI;
    case RI_CAMERA_CAHVORE:
        return c->linear > 0.5    ? wide
               : c->linear > 0.0  ? ri_tan(c->linear * M_PI) / c->linear
               : c->linear < -0.5 ? -1.0 / c->linear
               : c->linear < 0.0  ? ri_sin(c->linear * M_PI) / c->linear
                                  : M_PI;
    case RI_CAMERA_PINHOLE:
    case RI_CAMERA_BROWN_CONRADY:
    case RI_CAMERA_CAHV:
    case RI_CAMERA_CAHVOR:
    case RI_CAMERA_MODEL_COUNT:
        break;
    }
    return wide;
}

static RiStatus check_pixel(RiContext *ctx, const char *name, const RiCamera *c, double sample, double line)
{
    RiVec3 origin, direction;
    if (ri_camera_ray(c, sample, line, &origin, &direction) && finite3(direction) && finite3(origin))
        return RI_OK;
    return ri_error(
        ctx, RI_ERR_MODEL,
        "camera '%s': pixel (%.1f, %.1f) has no ray: the lens turns back or ends inside the frame of %d x %d", name,
        sample, line, c->width, c->height);
}

/// Along the border and the lines between: a lens turns back farthest from its axis first.
static RiStatus check_frame(RiContext *ctx, const char *name, const RiCamera *c)
{
    enum { STEPS = 32 };
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= STEPS; j++)
            RI_TRY(
                check_pixel(ctx, name, c, -0.5 + (double)i * c->width / STEPS, -0.5 + (double)j * c->height / STEPS));
    return RI_OK;
}

RiStatus ri_camera_check(RiContext *ctx, const char *name, RiCamera *c)
{
    RI_TRY(check_numbers(ctx, name, c));
    const int vectors = ri_camera_vectors(c);
    RI_TRY(vectors > 0 ? check_vectors(ctx, name, c) : check_focal(ctx, name, c));
    c->linear = 1.0;
    if (vectors >= 6)
        RI_TRY(choose_linearity(ctx, name, c));
    ri_lens_find_turn(c, lens_end(c));
    return check_frame(ctx, name, c);
}
