// SPDX-License-Identifier: Apache-2.0
/// \file
/// Previews of terrain: a Lambert shade of heights, and of a mesh by a depth buffer.
#include <rille/picture.h>

#include "base/memory.h"

enum { MOST_PIXELS = 8192 };

static const RiVec3 light_above = {-0.5417, 0.5417, 0.6428}; ///< from the north-west, 40 degrees high

/// Lambert's law with some light from the sky.
static double lambert(RiVec3 normal, RiVec3 light)
{
    const double direct = ri_dot(normal, light) / ri_norm(normal);
    return 0.12 + 0.88 * fmax(direct, 0.0);
}

static uint8_t to_byte(double value)
{
    return (uint8_t)(fmin(fmax(value, 0.0), 1.0) * 255.0 + 0.5);
}

static double value_at(const RiRaster *r, int i, int j)
{
    i = i < 0 ? 0 : i >= r->nx ? r->nx - 1 : i;
    j = j < 0 ? 0 : j >= r->ny ? r->ny - 1 : j;
    return (double)r->values[(size_t)j * (size_t)r->nx + (size_t)i];
}

typedef struct Range {
    double low, high;
} Range;

static Range height_range(const RiRaster *r)
{
    Range range = {INFINITY, -INFINITY};
    const size_t count = (size_t)r->nx * (size_t)r->ny;
    for (size_t k = 0; k < count; k++) {
        range.low = fmin(range.low, (double)r->values[k]);
        range.high = fmax(range.high, (double)r->values[k]);
    }
    return range;
}

/// Colour of the height at column i, row j; slopes over `step` values.
static void shade_pixel(const RiRaster *r, Range range, int i, int j, int step, uint8_t *out)
{
    const double zx = (value_at(r, i + step, j) - value_at(r, i - step, j)) / (2.0 * step * r->dx);
    const double zy = (value_at(r, i, j + step) - value_at(r, i, j - step)) / (2.0 * step * r->dy);
    const double light = lambert(ri_vec3(-zx, -zy, 1.0), light_above);
    const double part = range.high > range.low ? (value_at(r, i, j) - range.low) / (range.high - range.low) : 0.5;
    const double tone = light * (0.75 + 0.25 * part) * 1.15;
    if (!isfinite(tone)) {
        out[0] = out[1] = 60;
        out[2] = 200;
        return;
    }
    out[0] = to_byte(tone);
    out[1] = to_byte(tone * 0.95);
    out[2] = to_byte(tone * 0.88);
}

RiStatus ri_shade_heights(RiContext *ctx, const RiRaster *raster, int most, const char *path)
{
    const int longest = raster->nx > raster->ny ? raster->nx : raster->ny;
    if (most < 1 || most > MOST_PIXELS)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %d pixels requested, 1 to %d are possible", path, most, MOST_PIXELS);
    const int grow = longest < most ? most / longest : 1, skip = (longest + most - 1) / most;
    RiPicture p = {.width = (raster->nx + skip - 1) / skip * grow, .height = (raster->ny + skip - 1) / skip * grow};
    p.rgb = ri_alloc(ctx, 3 * (size_t)p.width, (size_t)p.height);
    if (!p.rgb)
        return ri_error_memory(ctx);
    const Range range = height_range(raster);
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            shade_pixel(raster, range, x / grow * skip, raster->ny - 1 - y / grow * skip, skip,
                        p.rgb + 3 * ((size_t)y * (size_t)p.width + (size_t)x));
    const RiStatus status = ri_picture_save(ctx, &p, path);
    ri_release(ctx, p.rgb);
    return status;
}

// --- meshes --------------------------------------------------------------------------------------

/// A view along -z of its own axes: right, up, towards the viewer.
typedef struct View {
    RiMat3 to_view;
    RiVec3 low;     ///< corner of the mesh in view axes
    double scale;   ///< [px/m]
    double *depths; ///< towards the viewer, -inf where nothing is
    RiPicture picture;
} View;

static RiVec3 to_pixels(const View *v, RiVec3 p)
{
    const RiVec3 q = ri_sub(ri_rotate(&v->to_view, p), v->low);
    return ri_vec3(q.x * v->scale, (double)v->picture.height - q.y * v->scale, q.z * v->scale);
}

static void draw_pixel(View *v, int x, int y, double depth, double tone)
{
    const size_t at = (size_t)y * (size_t)v->picture.width + (size_t)x;
    if (depth <= v->depths[at])
        return;
    v->depths[at] = depth;
    v->picture.rgb[3 * at] = to_byte(tone * 0.82);
    v->picture.rgb[3 * at + 1] = to_byte(tone * 0.93);
    v->picture.rgb[3 * at + 2] = to_byte(tone * 1.05);
}

/// Fills a triangle given in pixels by barycentric coordinates; pictures have y down, so facing
/// ones run clockwise there.
static void draw_triangle(View *v, RiVec3 a, RiVec3 b, RiVec3 c)
{
    const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (!(area < 0.0))
        return;
    const RiVec3 n = ri_cross(ri_sub(ri_vec3(b.x, -b.y, b.z), ri_vec3(a.x, -a.y, a.z)),
                              ri_sub(ri_vec3(c.x, -c.y, c.z), ri_vec3(a.x, -a.y, a.z)));
    const double tone = lambert(n, ri_vec3(-0.45, 0.55, 0.70));
    const int x0 = (int)fmax(floor(fmin(a.x, fmin(b.x, c.x))), 0.0),
              y0 = (int)fmax(floor(fmin(a.y, fmin(b.y, c.y))), 0.0);
    const int x1 = (int)fmin(ceil(fmax(a.x, fmax(b.x, c.x))), v->picture.width - 1.0);
    const int y1 = (int)fmin(ceil(fmax(a.y, fmax(b.y, c.y))), v->picture.height - 1.0);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const double px = x + 0.5, py = y + 0.5;
            const double wb = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) / area;
            const double wc = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
            if (wb >= 0.0 && wc >= 0.0 && wb + wc <= 1.0)
                draw_pixel(v, x, y, a.z + wb * (b.z - a.z) + wc * (c.z - a.z), tone);
        }
}

/// Fits the mesh into a picture of `most` pixels on the longer side.
static void fit_view(View *v, const RiMesh *mesh, int most)
{
    const double tilt = 20.0 * M_PI / 180.0, s = sin(tilt), c = cos(tilt);
    v->to_view = (RiMat3){{{1.0, 0.0, 0.0}, {0.0, s, c}, {0.0, -c, s}}};
    RiVec3 high = {-INFINITY, -INFINITY, -INFINITY};
    v->low = ri_vec3(INFINITY, INFINITY, INFINITY);
    for (int i = 0; i < mesh->point_count; i++) {
        const RiVec3 p = ri_rotate(&v->to_view, mesh->points[i]);
        v->low = ri_vec3(fmin(v->low.x, p.x), fmin(v->low.y, p.y), fmin(v->low.z, p.z));
        high = ri_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    const double width = high.x - v->low.x, height = high.y - v->low.y, longest = fmax(width, height);
    v->scale = longest > 0.0 ? most / longest : 1.0;
    v->picture.width = (int)fmax(ceil(width * v->scale), 1.0);
    v->picture.height = (int)fmax(ceil(height * v->scale), 1.0);
}

RiStatus ri_shade_mesh(RiContext *ctx, const RiMesh *mesh, int most, const char *path)
{
    if (most < 1 || most > MOST_PIXELS)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%s: %d pixels requested, 1 to %d are possible", path, most, MOST_PIXELS);
    View v;
    fit_view(&v, mesh, most);
    const size_t count = (size_t)v.picture.width * (size_t)v.picture.height;
    v.depths = ri_alloc(ctx, count, sizeof *v.depths);
    v.picture.rgb = ri_alloc(ctx, count, 3);
    RiStatus status = v.depths && v.picture.rgb ? RI_OK : ri_error_memory(ctx);
    for (size_t k = 0; status == RI_OK && k < count; k++) {
        v.depths[k] = -INFINITY;
        v.picture.rgb[3 * k] = v.picture.rgb[3 * k + 1] = v.picture.rgb[3 * k + 2] = 255;
    }
    for (int i = 0; status == RI_OK && i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        draw_triangle(&v, to_pixels(&v, mesh->points[t[0]]), to_pixels(&v, mesh->points[t[1]]),
                      to_pixels(&v, mesh->points[t[2]]));
    }
    if (status == RI_OK)
        status = ri_picture_save(ctx, &v.picture, path);
    ri_release(ctx, v.depths);
    ri_release(ctx, v.picture.rgb);
    return status;
}
