// SPDX-License-Identifier: Apache-2.0
/// \file
/// Images over the ground. The image multiplies the soil's albedo by its value over its mean, so
/// that it brings pattern and colour, and the soil brings brightness. Tests:
/// tests/optics/test_perception.c.
#include "io/optics/drape.h"
#include "base/functions.h"

#include <math.h>
#include <stdio.h>

#include <rille/terrain_io.h>

#include "base/memory.h"

enum { MOST_CELLS = 1 << 26 };

/// Light of a value from 0 to 1 of sRGB.
static double linear_of(double x)
{
    return x <= 0.04045 ? x / 12.92 : ri_pow((x + 0.055) / 1.055, 2.4);
}

/// Largest value that the image can hold: 8 bits where nothing is above 255, else 16; images of
/// parts of one stay as they are.
static double white_of(const RiRaster *r)
{
    double most = 0.0;
    for (size_t i = 0; i < (size_t)r->nx * (size_t)r->ny; i++)
        if (isfinite(r->values[i]))
            most = fmax(most, (double)r->values[i]);
    return most <= 1.0 ? 1.0 : most <= 255.0 ? 255.0 : 65535.0;
}

static void copy_band(const RiRaster *r, int band, double white, bool linear, float *rgb)
{
    for (size_t i = 0; i < (size_t)r->nx * (size_t)r->ny; i++) {
        const double x = (double)r->values[i] / white;
        rgb[RI_BANDS * i + (size_t)band] = (float)(linear ? x : linear_of(x));
    }
}

static RiStatus load_band(RiContext *ctx, const RiSceneLight *light, int band, RiRaster **out)
{
    RiRasterOptions o = ri_raster_options_default();
    o.band = band;
    if (isfinite(light->ground_origin.x)) {
        o.has_origin = true;
        o.origin_x = light->ground_origin.x;
        o.origin_y = light->ground_origin.y;
    }
    return ri_raster_load(ctx, light->ground_image, &o, out);
}

static RiStatus start(RiContext *ctx, const RiSceneLight *light, const RiRaster *r, RiDrape *d)
{
    const size_t cells = (size_t)r->nx * (size_t)r->ny;
    if (cells > MOST_CELLS)
        return ri_error(ctx, RI_ERR_LIMIT,
                        "%s: %d x %d cells are too many for an image over the ground; %d are allowed",
                        light->ground_image, r->nx, r->ny, MOST_CELLS);
    d->rgb = ri_alloc(ctx, RI_BANDS * cells, sizeof *d->rgb);
    if (!d->rgb)
        return ri_error_memory(ctx);
    d->nx = r->nx, d->ny = r->ny;
    d->x0 = r->x0, d->y0 = r->y0;
    d->dx = r->dx, d->dy = r->dy;
    return RI_OK;
}

/// All bands; an image of one band serves for all colours.
static RiStatus load(RiContext *ctx, const RiSceneLight *light, RiDrape *d)
{
    RiRaster *r = NULL;
    RI_TRY(load_band(ctx, light, 1, &r));
    double white = white_of(r);
    RiStatus status = start(ctx, light, r, d);
    float *rgb = (float *)(uintptr_t)d->rgb;
    for (int k = 0; k < RI_BANDS && status == RI_OK; k++) {
        RiRaster *more = NULL;
        if (k > 0 && load_band(ctx, light, k + 1, &more) == RI_OK && more->nx == d->nx && more->ny == d->ny) {
            white = fmax(white, white_of(more));
            copy_band(more, k, white, light->ground_curve == 1, rgb);
        } else {
            copy_band(r, k, white, light->ground_curve == 1, rgb);
        }
        ri_raster_destroy(more);
    }
    ri_raster_destroy(r);
    return status;
}

RiStatus ri_drape_load(RiContext *ctx, const RiSceneLight *light, RiDrape *out)
{
    *out = (RiDrape){.rgb = NULL};
    if (!light->ground_image)
        return RI_OK;
    RiStatus status = load(ctx, light, out);
    if (status == RI_OK && ri_drape_mean(ctx, out) != RI_OK) {
        char why[240];
        snprintf(why, sizeof why, "%.200s", ri_context_message(ctx));
        status = ri_error(ctx, RI_ERR_FORMAT, "%s: %s", light->ground_image, why);
    }
    if (status != RI_OK) {
        ri_release(ctx, (void *)(uintptr_t)out->rgb);
        out->rgb = NULL;
    }
    return status;
}
