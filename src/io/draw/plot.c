// SPDX-License-Identifier: Apache-2.0
/// \file
/// Layout of line plots: a panel for each unit, a common time axis, round numbers at the ticks, a
/// legend above each panel.
#include "io/draw/plot.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"

enum { MARGIN_RIGHT = 24, MARGIN_TITLE = 30, LEGEND_LINE = 18, TICK_ROOM = 20, LABEL_ROOM = 24, LEGEND_MOST = 24 };
enum { BUCKETS = 1000 }; // up to four points each
static const double text_size = 11.0, title_size = 13.0;
static const uint32_t ink = 0x333333, grid = 0xe4e4e4, frame = 0x999999;

RiPlot ri_plot_default(void)
{
    return (RiPlot){.title = "", .x_label = "time [s]", .width = 900, .panel_height = 240};
}

uint32_t ri_plot_color(int n)
{
    static const uint32_t colors[] = {0x0f6cb0, 0xd3560c, 0x14925f, 0xb8418f, 0xc79100,
                                      0x4aa3d8, 0x6b4fa0, 0x5a5a5a, 0x8c2d04, 0x9aa817};
    return colors[n % (int)(sizeof colors / sizeof *colors)];
}

// --- axes ----------------------------------------------------------------------------------------

/// 1, 2 or 5 times a power of ten, not below x.
static double round_step(double x)
{
    const double power = pow(10.0, floor(log10(x)));
    const double lead = x / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

RiAxis ri_axis_fit(double low, double high, int ticks)
{
    const double most = DBL_MAX / 16.0, least = DBL_MIN * 1e20;
    low = fmin(fmax(low, -most), most);
    high = fmin(fmax(high, -most), most);
    const double size = fmax(fabs(low), fabs(high));
    if (high - low <= 1e-9 * size || high - low < least) { // a constant: ticks must still be apart
        const double half = size > least ? 0.05 * size : 1.0;
        low -= half;
        high += half;
    }
    RiAxis a = {.low = low, .high = high, .step = round_step((high - low) / ticks)};
    const double reach = fmax(fabs(low), fabs(high));
    const int exponent = (int)floor(log10(a.step) + 1e-9);
    a.digits = reach >= 1e7 || reach < 1e-4 ? -1 : exponent < 0 ? -exponent : 0;
    return a;
}

int ri_axis_tick_count(const RiAxis *a)
{
    const double n = floor(a->high / a->step + 1e-9) - ceil(a->low / a->step - 1e-9) + 1.0;
    return n > 0.0 && n < 100.0 ? (int)n : 0;
}

double ri_axis_tick(const RiAxis *a, int index)
{
    const double k = ceil(a->low / a->step - 1e-9) + index;
    return k == 0.0 ? 0.0 : k * a->step; // no "-0"
}

void ri_axis_label(const RiAxis *a, double value, char out[32])
{
    if (a->digits >= 0)
        snprintf(out, 32, "%.*f", a->digits < 12 ? a->digits : 12, value);
    else
        snprintf(out, 32, "%.10g", value);
}

// --- curves --------------------------------------------------------------------------------------

bool ri_plot_starts_panel(const RiPlot *plot, int curve)
{
    for (int i = 0; i < curve; i++)
        if (strcmp(plot->curves[i].unit, plot->curves[curve].unit) == 0)
            return false;
    return true;
}

double ri_plot_scale(const char *unit, const char **out_shown)
{
    const bool angle = unit && strcmp(unit, "rad") == 0;
    *out_shown = angle ? "deg" : unit;
    return angle ? 57.29577951308232 : 1.0;
}

bool ri_plot_bounds(const RiPlot *plot, const char *unit, double *out_low, double *out_high)
{
    *out_low = INFINITY;
    *out_high = -INFINITY;
    for (int i = 0; i < plot->curve_count; i++) {
        const RiCurve *c = &plot->curves[i];
        const double *v = unit ? c->y : c->x;
        if (unit && strcmp(unit, c->unit) != 0)
            continue;
        for (int k = 0; k < c->count; k++) {
            if (!isfinite(v[k]))
                continue;
            *out_low = fmin(*out_low, v[k]);
            *out_high = fmax(*out_high, v[k]);
        }
    }
    const char *shown;
    const double scale = ri_plot_scale(unit, &shown);
    *out_low *= scale;
    *out_high *= scale;
    return *out_low <= *out_high;
}

size_t ri_curve_room(const RiCurve *c, int buckets)
{
    const size_t all = (size_t)c->count, reduced = 5 * (size_t)(buckets + 1);
    return all < reduced ? all : reduced;
}

/// The samples [from, to) of a bucket as at most four points in their order, and a gap if there was
/// one.
static int reduce(const RiCurve *c, int from, int to, RiPlotPoint *out)
{
    int keep[4] = {-1, -1, -1, -1}; // first, least, greatest, last
    bool gap = false;
    for (int i = from; i < to; i++) {
        gap |= !isfinite(c->y[i]);
        if (!isfinite(c->y[i]))
            continue;
        keep[0] = keep[0] < 0 ? i : keep[0];
        keep[1] = keep[1] < 0 || c->y[i] < c->y[keep[1]] ? i : keep[1];
        keep[2] = keep[2] < 0 || c->y[i] > c->y[keep[2]] ? i : keep[2];
        keep[3] = i;
    }
    if (keep[1] > keep[2]) {
        const int swap = keep[1];
        keep[1] = keep[2];
        keep[2] = swap;
    }
    int n = 0;
    for (int k = 0; k < 4; k++)
        if (keep[k] >= 0 && (k == 0 || keep[k] != keep[k - 1]))
            out[n++] = (RiPlotPoint){c->x[keep[k]], c->y[keep[k]]};
    if (gap)
        out[n++] = (RiPlotPoint){NAN, NAN};
    return n;
}

int ri_curve_points(const RiCurve *c, double low, double high, int buckets, RiPlotPoint *out)
{
    int n = 0;
    if ((size_t)c->count <= 5 * (size_t)(buckets + 1)) {
        for (int i = 0; i < c->count; i++)
            out[n++] = isfinite(c->y[i]) ? (RiPlotPoint){c->x[i], c->y[i]} : (RiPlotPoint){NAN, NAN};
        return n;
    }
    for (int from = 0, to; from < c->count; from = to) {
        const double bucket = floor((c->x[from] - low) / (high - low) * buckets);
        for (to = from + 1; to < c->count; to++)
            if (floor((c->x[to] - low) / (high - low) * buckets) != bucket)
                break;
        n += reduce(c, from, to, out + n);
    }
    return n;
}

// --- layout --------------------------------------------------------------------------------------

typedef struct Panel {
    const char *unit;
    int first, count;           ///< first curve, number of curves
    double x, y, width, height; ///< of the drawing area [px]
    RiAxis time, value;
} Panel;

typedef struct Drawing {
    RiContext *ctx;
    const RiPlot *plot;
    const RiCanvas *canvas;
} Drawing;

static double text_width(const char *text, double size)
{
    size_t n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80; // bytes that continue a UTF-8 character do not count
    return (double)n * RI_GLYPH_ADVANCE * size;
}

static double legend_entry_width(const RiCurve *c)
{
    return 26.0 + text_width(c->name, text_size) + 18.0;
}

/// How the n-th curve of a panel is drawn.
static uint32_t color_of(const RiPlot *plot, int n)
{
    return ri_plot_color(plot->pairs ? n / 2 : n);
}

static bool is_marked(const RiPlot *plot, int n)
{
    return plot->pairs && n % 2 == 0;
}

static void draw_mark(const RiCanvas *canvas, RiPlotPoint at, uint32_t rgb)
{
    canvas->fill(canvas->self, at.x - 3.0, at.y - 3.0, 6.0, 6.0, rgb);
}

/// Places the legend's entries and, with a canvas, draws them; returns how many lines it takes.
static int lay_legend(const RiPlot *plot, const Panel *p, const RiCanvas *canvas, double top)
{
    int lines = 1, n = 0;
    double x = 0.0;
    for (int i = p->first; i < plot->curve_count && n < LEGEND_MOST; i++) {
        const RiCurve *c = &plot->curves[i];
        if (strcmp(c->unit, p->unit) != 0)
            continue;
        const double width = legend_entry_width(c);
        if (x > 0.0 && x + width > plot->width - MARGIN_RIGHT - 70.0) {
            lines++;
            x = 0.0;
        }
        const double y = top + lines * LEGEND_LINE - 6.0;
        const RiPlotPoint dash[2] = {{p->x + x, y - 4.0}, {p->x + x + 20.0, y - 4.0}};
        if (canvas) {
            if (is_marked(plot, n))
                draw_mark(canvas, (RiPlotPoint){p->x + x + 10.0, y - 4.0}, color_of(plot, n));
            else
                canvas->line(canvas->self, dash, 2, color_of(plot, n), 2.5);
            canvas->text(canvas->self, p->x + x + 26.0, y, c->name, RI_ANCHOR_LEFT, ink, text_size, false);
        }
        x += width;
        n++;
    }
    if (n < p->count && canvas) {
        char text[48];
        snprintf(text, sizeof text, "and %d more", p->count - n);
        canvas->text(canvas->self, p->x + x, top + lines * LEGEND_LINE - 6.0, text, RI_ANCHOR_LEFT, ink, text_size,
                     false);
    }
    return lines;
}

static Panel panel_of(const RiPlot *plot, int first)
{
    Panel p = {.unit = plot->curves[first].unit, .first = first};
    for (int i = first; i < plot->curve_count; i++)
        p.count += strcmp(plot->curves[i].unit, p.unit) == 0;
    return p;
}

int ri_plot_height(const RiPlot *plot)
{
    int height = plot->title[0] ? MARGIN_TITLE : 8;
    for (int i = 0; i < plot->curve_count; i++) {
        if (!ri_plot_starts_panel(plot, i))
            continue;
        const Panel p = panel_of(plot, i);
        height += lay_legend(plot, &p, NULL, 0.0) * LEGEND_LINE + plot->panel_height + TICK_ROOM;
    }
    return height + LABEL_ROOM;
}

static double place_x(const Panel *p, double t)
{
    return p->x + (t - p->time.low) / (p->time.high - p->time.low) * p->width;
}

static double place_y(const Panel *p, double v)
{
    return p->y + p->height - (v - p->value.low) / (p->value.high - p->value.low) * p->height;
}

static void draw_line(const Drawing *d, double x1, double y1, double x2, double y2, uint32_t color)
{
    const RiPlotPoint ends[2] = {{x1, y1}, {x2, y2}};
    d->canvas->line(d->canvas->self, ends, 2, color, 1.0);
}

static void draw_axes(const Drawing *d, const Panel *p)
{
    const RiCanvas *c = d->canvas;
    char label[32];
    for (int i = 0; i < ri_axis_tick_count(&p->value); i++) {
        const double v = ri_axis_tick(&p->value, i), y = place_y(p, v);
        draw_line(d, p->x, y, p->x + p->width, y, v == 0.0 ? frame : grid);
        ri_axis_label(&p->value, v, label);
        c->text(c->self, p->x - 7.0, y + 4.0, label, RI_ANCHOR_RIGHT, ink, text_size, false);
    }
    for (int i = 0; i < ri_axis_tick_count(&p->time); i++) {
        const double t = ri_axis_tick(&p->time, i), x = place_x(p, t);
        draw_line(d, x, p->y, x, p->y + p->height, grid);
        ri_axis_label(&p->time, t, label);
        c->text(c->self, x, p->y + p->height + 15.0, label, RI_ANCHOR_MIDDLE, ink, text_size, false);
    }
    const RiPlotPoint box[5] = {{p->x, p->y},
                                {p->x + p->width, p->y},
                                {p->x + p->width, p->y + p->height},
                                {p->x, p->y + p->height},
                                {p->x, p->y}};
    c->line(c->self, box, 5, frame, 1.0);
    char unit[64];
    const char *shown;
    ri_plot_scale(p->unit, &shown);
    snprintf(unit, sizeof unit, "[%.60s]", shown[0] ? shown : "-");
    c->text(c->self, 16.0, p->y + p->height / 2.0, unit, RI_ANCHOR_MIDDLE, ink, text_size, true);
}

static RiStatus draw_curve(Drawing *d, const Panel *p, const RiCurve *curve, int n)
{
    RiPlotPoint *points = ri_alloc(d->ctx, ri_curve_room(curve, BUCKETS), sizeof *points);
    if (!points)
        return ri_error_memory(d->ctx);
    const int count = ri_curve_points(curve, p->time.low, p->time.high, BUCKETS, points);
    const char *shown;
    const double scale = ri_plot_scale(curve->unit, &shown);
    for (int i = 0; i < count; i++)
        if (!isnan(points[i].x))
            points[i] = (RiPlotPoint){place_x(p, points[i].x), place_y(p, scale * points[i].y)};
    for (int i = 0; i < count && is_marked(d->plot, n); i++)
        if (!isnan(points[i].x))
            draw_mark(d->canvas, points[i], color_of(d->plot, n));
    if (!is_marked(d->plot, n))
        d->canvas->line(d->canvas->self, points, count, color_of(d->plot, n), 1.6);
    ri_release(d->ctx, points);
    return RI_OK;
}

/// Ranges of a panel; an empty one gets [0, 1].
static void fit_panel(const RiPlot *plot, Panel *p)
{
    double low, high;
    if (!ri_plot_bounds(plot, NULL, &low, &high))
        low = 0.0, high = 1.0;
    p->time = ri_axis_fit(low, high, 8);
    if (!ri_plot_bounds(plot, p->unit, &low, &high))
        low = 0.0, high = 1.0;
    p->value = ri_axis_fit(low, high, 6);
    const double air = 0.04 * (p->value.high - p->value.low); // a curve does not touch the frame
    p->value.low -= air;
    p->value.high += air;
}

/// Room for the widest label of any panel, so that the panels line up.
static double left_margin(const RiPlot *plot)
{
    double widest = 30.0;
    for (int i = 0; i < plot->curve_count; i++) {
        Panel p = {.unit = plot->curves[i].unit};
        char label[32];
        if (!ri_plot_starts_panel(plot, i))
            continue;
        fit_panel(plot, &p);
        for (int k = 0; k < ri_axis_tick_count(&p.value); k++) {
            ri_axis_label(&p.value, ri_axis_tick(&p.value, k), label);
            widest = fmax(widest, text_width(label, text_size));
        }
    }
    return widest + 34.0;
}

static RiStatus draw_panel(Drawing *d, int first, double left, double *y)
{
    Panel p = panel_of(d->plot, first);
    p.x = left;
    p.width = d->plot->width - left - MARGIN_RIGHT;
    p.height = d->plot->panel_height;
    fit_panel(d->plot, &p);
    p.y = *y + lay_legend(d->plot, &p, d->canvas, *y) * LEGEND_LINE;
    draw_axes(d, &p);
    for (int i = first, n = 0; i < d->plot->curve_count; i++)
        if (strcmp(d->plot->curves[i].unit, p.unit) == 0)
            RI_TRY(draw_curve(d, &p, &d->plot->curves[i], n++));
    *y = p.y + p.height + TICK_ROOM;
    return RI_OK;
}

static RiStatus draw_all(Drawing *d)
{
    const RiPlot *plot = d->plot;
    const RiCanvas *c = d->canvas;
    c->fill(c->self, 0.0, 0.0, plot->width, ri_plot_height(plot), 0xffffff);
    if (plot->title[0])
        c->text(c->self, plot->width / 2.0, 20.0, plot->title, RI_ANCHOR_MIDDLE, ink, title_size, false);
    const double left = left_margin(plot);
    double y = plot->title[0] ? MARGIN_TITLE : 8;
    for (int i = 0; i < plot->curve_count; i++)
        if (ri_plot_starts_panel(plot, i))
            RI_TRY(draw_panel(d, i, left, &y));
    c->text(c->self, left + (plot->width - left - MARGIN_RIGHT) / 2.0, y + 14.0, plot->x_label, RI_ANCHOR_MIDDLE, ink,
            text_size, false);
    return RI_OK;
}

RiStatus ri_plot_check(RiContext *ctx, const RiPlot *plot)
{
    if (plot->width < 200 || plot->width > 8000 || plot->panel_height < 50 || plot->panel_height > 4000)
        return ri_error(ctx, RI_ERR_ARGUMENT, "plot: %d x %d pixels; 200 to 8000 by 50 to 4000 are allowed",
                        plot->width, plot->panel_height);
    return RI_OK;
}

RiStatus ri_plot_draw(RiContext *ctx, const RiPlot *plot, const RiCanvas *canvas)
{
    RI_TRY(ri_plot_check(ctx, plot));
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // points, not commas, in numbers
    if (!plain)
        return ri_error_memory(ctx);
    const locale_t before = uselocale(plain);
    Drawing d = {.ctx = ctx, .plot = plot, .canvas = canvas};
    const RiStatus status = draw_all(&d);
    uselocale(before);
    freelocale(plain);
    return status;
}
