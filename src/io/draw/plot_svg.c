// SPDX-License-Identifier: Apache-2.0
/// \file
/// The SVG canvas.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "io/draw/plot.h"

static void put_text(RiBytes *b, const char *text)
{
    ri_put_data(b, text, strlen(text));
}

/// Text with what XML reserves written as entities; control characters, which XML forbids, as '?'.
static void put_escaped(RiBytes *b, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            put_text(b, "&lt;");
            break;
        case '>':
            put_text(b, "&gt;");
            break;
        case '&':
            put_text(b, "&amp;");
            break;
        case '"':
            put_text(b, "&quot;");
            break;
        default:
            ri_put_u8(b, (unsigned char)*text < 0x20 ? '?' : (unsigned char)*text);
        }
}

static void svg_fill(void *self, double x, double y, double width, double height, uint32_t rgb)
{
    char text[160];
    snprintf(text, sizeof text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, y,
             width, height, rgb);
    put_text(self, text);
}

/// A path; each gap begins a new part of it. A lone point is a part of no length, which round ends
/// make visible.
static void svg_line(void *self, const RiPlotPoint *p, int count, uint32_t rgb, double width)
{
    RiBytes *b = self;
    char text[160];
    snprintf(text, sizeof text, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.1f\" d=\"", rgb, width);
    put_text(b, text);
    bool inside = false;
    for (int i = 0; i < count; i++) {
        if (isnan(p[i].x)) {
            inside = false;
            continue;
        }
        const bool lone = !inside && (i + 1 == count || isnan(p[i + 1].x));
        snprintf(text, sizeof text, "%c%.1f %.1f%s", inside ? 'L' : 'M', p[i].x, p[i].y, lone ? "h0" : "");
        put_text(b, text);
        inside = true;
    }
    put_text(b, "\"/>\n");
}

static void svg_text(void *self, double x, double y, const char *text, RiAnchor anchor, uint32_t rgb, double size,
                     bool turned)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    RiBytes *b = self;
    char head[200];
    snprintf(head, sizeof head, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%g\" fill=\"#%06x\"", x, y,
             anchors[anchor], size, rgb);
    put_text(b, head);
    if (turned) {
        snprintf(head, sizeof head, " transform=\"rotate(-90 %.1f %.1f)\"", x, y);
        put_text(b, head);
    }
    put_text(b, ">");
    put_escaped(b, text);
    put_text(b, "</text>\n");
}

RiStatus ri_plot_svg(RiContext *ctx, const RiPlot *plot, char **out_text)
{
    RiBytes b;
    char head[320];
    *out_text = NULL;
    ri_bytes_init(&b, ctx);
    snprintf(head, sizeof head,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
             "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" stroke-linejoin=\"round\" "
             "stroke-linecap=\"round\">\n",
             plot->width, ri_plot_height(plot), plot->width, ri_plot_height(plot));
    put_text(&b, head);
    const RiCanvas canvas = {&b, svg_fill, svg_line, svg_text};
    RiStatus status = ri_plot_draw(ctx, plot, &canvas);
    put_text(&b, "</svg>\n");
    ri_put_u8(&b, 0);
    if (status == RI_OK && b.failed)
        status = ri_error_memory(ctx);
    if (status == RI_OK)
        *out_text = (char *)b.at;
    else
        ri_bytes_free(&b);
    return status;
}
