// SPDX-License-Identifier: Apache-2.0
/// \file
/// The PNG canvas: anti-aliased lines and text on a picture of bytes. A pixel is covered by a line to the
/// extent that its centre is nearer to the line than half the line's width, with a ramp of one
/// pixel.
#include <math.h>

#include <rille/picture.h>

#include "base/memory.h"
#include "io/draw/plot.h"
#include "io/draw/plot_text.h"

static const double scale = 2.0;

static void blend(RiPicture *p, int x, int y, uint32_t rgb, double cover)
{
    if (x < 0 || y < 0 || x >= p->width || y >= p->height || cover <= 0.0)
        return;
    uint8_t *at = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
    const double a = cover < 1.0 ? cover : 1.0;
    for (int k = 0; k < 3; k++)
        at[k] = (uint8_t)(at[k] + a * ((double)((rgb >> (16 - 8 * k)) & 255) - at[k]) + 0.5);
}

static void paint_fill(void *self, double x, double y, double width, double height, uint32_t rgb)
{
    for (int j = (int)(scale * y); j < (int)(scale * (y + height)); j++)
        for (int i = (int)(scale * x); i < (int)(scale * (x + width)); i++)
            blend(self, i, j, rgb, 1.0);
}

static double distance(RiPlotPoint a, RiPlotPoint b, double x, double y)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0.0 ? ((x - a.x) * dx + (y - a.y) * dy) / length2 : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(x - a.x - t * dx, y - a.y - t * dy);
}

/// A segment in pixels. Runs along the longer axis and, across it, only over what the line can
/// reach.
static void draw_segment(RiPicture *p, RiPlotPoint a, RiPlotPoint b, uint32_t rgb, double width)
{
    const bool steep = fabs(b.y - a.y) > fabs(b.x - a.x);
    const double u1 = steep ? a.y : a.x, u2 = steep ? b.y : b.x, v1 = steep ? a.x : a.y, v2 = steep ? b.x : b.y;
    const double slope = u1 != u2 ? (v2 - v1) / (u2 - u1) : 0.0;
    const double reach = 0.5 * width + 1.0, across = reach * sqrt(1.0 + slope * slope) + 1.0;
    const double limit = steep ? p->height : p->width;
    const int from = (int)fmax(floor(fmin(u1, u2) - reach), 0.0);
    const int to = (int)fmin(ceil(fmax(u1, u2) + reach), limit);
    for (int u = from; u < to; u++) {
        const double middle = v1 + slope * (fmin(fmax(u + 0.5, fmin(u1, u2)), fmax(u1, u2)) - u1);
        for (int v = (int)floor(middle - across); v <= (int)ceil(middle + across); v++) {
            const int x = steep ? v : u, y = steep ? u : v;
            blend(p, x, y, rgb, 0.5 * width + 0.5 - distance(a, b, x + 0.5, y + 0.5));
        }
    }
}

static void paint_line(void *self, const RiPlotPoint *p, int count, uint32_t rgb, double width)
{
    for (int i = 0; i < count; i++) {
        if (isnan(p[i].x))
            continue;
        const bool last = i + 1 == count || isnan(p[i + 1].x), first = i == 0 || isnan(p[i - 1].x);
        if (last && !first)
            continue;
        const RiPlotPoint q = last ? p[i] : p[i + 1];
        const RiPlotPoint a = {scale * p[i].x, scale * p[i].y}, b = {scale * q.x, scale * q.y};
        draw_segment(self, a, b, rgb, scale * width);
    }
}

/// A glyph's strokes at (x, y), the left end of its base line; turned by a quarter if asked.
static void draw_glyph(RiPicture *p, double x, double y, unsigned char c, uint32_t rgb, double size, bool turned)
{
    const double unit = 0.11 * size * scale;
    bool inside = false;
    RiPlotPoint before = {0.0, 0.0};
    for (const char *g = ri_glyph(c); *g; g += *g == ' ' ? 1 : 2) {
        if (*g == ' ') {
            inside = false;
            continue;
        }
        const double gx = (g[0] - '0') * unit, gy = (g[1] - '6') * unit;
        const RiPlotPoint now = turned ? (RiPlotPoint){x + gy, y - gx} : (RiPlotPoint){x + gx, y + gy};
        if (inside)
            draw_segment(p, before, now, rgb, 0.1 * size * scale);
        before = now;
        inside = true;
    }
}

/// Bytes that begin a character: one glyph each.
static bool begins(char c)
{
    return (c & 0xc0) != 0x80;
}

/// Puts a mask with its start at (x, y) of the base line; turned text runs upwards.
static void put_mask(RiPicture *p, const RiTextMask *m, double x, double y, uint32_t rgb, bool turned)
{
    const int left = (int)lround(x), base = (int)lround(y);
    for (int j = 0; j < m->height; j++)
        for (int i = 0; i < m->width; i++) {
            const double cover = m->cover[(size_t)j * (size_t)m->stride + (size_t)i] / 255.0;
            const int down = j - m->base;
            blend(p, turned ? left + down : left + i, turned ? base - i : base + down, rgb, cover);
        }
}

static double share_before(RiAnchor anchor)
{
    return anchor == RI_ANCHOR_LEFT ? 0.0 : anchor == RI_ANCHOR_MIDDLE ? 0.5 : 1.0;
}

static void paint_text(void *self, double x, double y, const char *text, RiAnchor anchor, uint32_t rgb, double size,
                       bool turned)
{
    RiTextMask mask;
    if (ri_text_mask(text, scale * size, &mask)) {
        const double before = share_before(anchor) * mask.advance;
        put_mask(self, &mask, scale * x - (turned ? 0.0 : before), scale * y + (turned ? before : 0.0), rgb, turned);
        ri_text_mask_free(&mask);
        return;
    }
    const double advance = RI_GLYPH_ADVANCE * size * scale;
    size_t n = 0;
    for (const char *c = text; *c; c++)
        n += begins(*c);
    const double back = (double)n * advance * share_before(anchor);
    double at_x = scale * x - (turned ? 0.0 : back), at_y = scale * y + (turned ? back : 0.0);
    for (; *text; text++) {
        if (!begins(*text))
            continue;
        draw_glyph(self, at_x, at_y, (unsigned char)*text, rgb, size, turned);
        at_x += turned ? 0.0 : advance;
        at_y -= turned ? advance : 0.0;
    }
}

RiCanvas ri_picture_canvas(RiPicture *picture)
{
    return (RiCanvas){picture, paint_fill, paint_line, paint_text};
}

RiStatus ri_plot_png(RiContext *ctx, const RiPlot *plot, const char *path)
{
    enum { TALLEST = 32000 };
    RI_TRY(ri_plot_check(ctx, plot));
    const int height = ri_plot_height(plot);
    if (height > TALLEST)
        return ri_error(ctx, RI_ERR_LIMIT, "%s: a plot of %d pixels in height, at most %d; choose fewer signals", path,
                        height, TALLEST);
    RiPicture p = {.width = (int)(scale * plot->width), .height = (int)(scale * height)};
    p.rgb = ri_alloc_zero(ctx, 3 * (size_t)p.width, (size_t)p.height);
    if (!p.rgb)
        return ri_error_memory(ctx);
    const RiCanvas canvas = ri_picture_canvas(&p);
    RiStatus status = ri_plot_draw(ctx, plot, &canvas);
    if (status == RI_OK)
        status = ri_picture_save(ctx, &p, path);
    ri_release(ctx, p.rgb);
    return status;
}
