// SPDX-License-Identifier: Apache-2.0
/// \file
/// The page of a run: HTML with drawings as inline SVG, nothing fetched from anywhere, no scripts.
#include "io/report.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/record.h>

enum { WIDTH = 860, HEIGHT = 260, LEFT = 70, RIGHT = 10, TOP = 10, BOTTOM = 34, MOST_LINES = 12 };

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 "
    "1rem;color:#222;background:#fff}"
    "h1{margin-bottom:0}h2{margin-top:2rem;font-size:1.15rem}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0;border-bottom:1px solid #ddd;"
    "vertical-align:top;overflow-wrap:anywhere}th{font-weight:600;white-space:nowrap}"
    "svg{width:100%;height:auto}svg text{font-size:12px;fill:#444}.key span{margin-right:1.2rem}";

static const char *const colours[MOST_LINES] = {"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b",
                                                "#17becf", "#bcbd22", "#e377c2", "#7f7f7f", "#003f5c", "#665191"};

/// One logged value.
typedef struct Line {
    const char *name, *unit;
    double *times, *values;
    int count;
} Line;

typedef struct Drawing {
    Line lines[MOST_LINES];
    int count;
    bool more;                ///< there were more values than lines
    double t0, t1, low, high; ///< what the axes span
} Drawing;

/// Text with the characters that mean something to HTML escaped.
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *escaped = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (escaped)
            fputs(escaped, out);
        else
            fputc(*text, out);
    }
}

// --- drawings -------------------------------------------------------------------------------------------------------

/// Whether `text` matches a glob with '*' and '?'.
static bool matches(const char *glob, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*glob == '*') {
            star = glob++;
            retry = text;
        } else if (*glob == '?' || *glob == *text) {
            glob++;
            text++;
        } else if (star) {
            glob = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    return glob[strspn(glob, "*")] == '\0';
}

static bool is_chosen(const RiPagePlot *plot, const char *name)
{
    for (int i = 0; i < plot->glob_count; i++)
        if (matches(plot->globs[i], name))
            return true;
    return false;
}

static RiStatus collect(RiLog *log, const RiPagePlot *plot, Drawing *d)
{
    for (int i = 0; i < ri_log_signal_count(log); i++) {
        if (!is_chosen(plot, ri_log_signal_name(log, i)))
            continue;
        if (d->count == MOST_LINES) {
            d->more = true;
            return RI_OK;
        }
        Line *line = &d->lines[d->count];
        RI_TRY(ri_log_read(log, i, ri_log_start(log), ri_log_end(log), &line->times, &line->values, &line->count));
        line->name = ri_log_signal_name(log, i);
        line->unit = ri_log_signal_unit(log, i);
        d->count++;
    }
    return RI_OK;
}

static void release(RiLog *log, Drawing *d)
{
    for (int i = 0; i < d->count; i++) {
        ri_log_release(log, d->lines[i].times);
        ri_log_release(log, d->lines[i].values);
    }
}

/// What the axes span; a constant gets some room around it.
static void find_ranges(Drawing *d)
{
    d->t0 = d->low = INFINITY;
    d->t1 = d->high = -INFINITY;
    for (int k = 0; k < d->count; k++)
        for (int i = 0; i < d->lines[k].count; i++) {
            const double t = d->lines[k].times[i], x = d->lines[k].values[i];
            d->t0 = fmin(d->t0, t);
            d->t1 = fmax(d->t1, t);
            d->low = isfinite(x) ? fmin(d->low, x) : d->low;
            d->high = isfinite(x) ? fmax(d->high, x) : d->high;
        }
    if (!(d->low <= d->high))
        d->low = d->high = 0.0;
    if (!(d->high - d->low > 1e-12 * fabs(d->high))) {
        const double room = d->high != 0.0 ? 0.1 * fabs(d->high) : 1.0;
        d->low -= room;
        d->high += room;
    }
    if (!(d->t1 > d->t0))
        d->t1 = d->t0 + 1.0;
}

static double x_of(const Drawing *d, double t)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * ((t - d->t0) / (d->t1 - d->t0));
}

static double y_of(const Drawing *d, double x)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * ((d->high - x) / (d->high - d->low));
}

/// A step of 1, 2 or 5 times a power of ten that divides a range into about `parts`.
static double round_step(double range, int parts)
{
    const double raw = range / parts, power = pow(10.0, floor(log10(raw))), lead = raw / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

static void put_axes(FILE *out, const Drawing *d)
{
    enum { MOST_TICKS = 30 };
    const double dt = round_step(d->t1 - d->t0, 8), dx = round_step(d->high - d->low, 5);
    double t = ceil(d->t0 / dt) * dt, x = ceil(d->low / dx) * dx;
    fprintf(out, "<g stroke=\"#ddd\">");
    for (int i = 0; i < MOST_TICKS && t <= d->t1 + 1e-9 * dt; i++, t += dt)
        fprintf(out, "<path d=\"M%.1f %dV%d\"/>", x_of(d, t), TOP, HEIGHT - BOTTOM);
    for (int i = 0; i < MOST_TICKS && x <= d->high + 1e-9 * dx; i++, x += dx)
        fprintf(out, "<path d=\"M%d %.1fH%d\"/>", LEFT, y_of(d, x), WIDTH - RIGHT);
    fprintf(out, "</g>\n");
    t = ceil(d->t0 / dt) * dt;
    x = ceil(d->low / dx) * dx;
    for (int i = 0; i < MOST_TICKS && t <= d->t1 + 1e-9 * dt; i++, t += dt)
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>", x_of(d, t), HEIGHT - BOTTOM + 16,
                fabs(t) < 1e-9 * dt ? 0.0 : t);
    for (int i = 0; i < MOST_TICKS && x <= d->high + 1e-9 * dx; i++, x += dx)
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>", LEFT - 6, y_of(d, x) + 4,
                fabs(x) < 1e-9 * dx ? 0.0 : x);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">time [s]</text>\n", WIDTH - RIGHT, HEIGHT - 4);
}

/// A line, with at most the smallest and the largest value of each pixel's time, in their order: spikes stay visible.
static void put_line(FILE *out, const Drawing *d, const Line *line, const char *colour)
{
    bool pen = false;
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" d=\"", colour);
    for (int i = 0; i < line->count;) {
        const double pixel = floor(x_of(d, line->times[i]));
        int low = i, high = i, k = i;
        for (; k < line->count && floor(x_of(d, line->times[k])) == pixel; k++) {
            low = line->values[k] < line->values[low] ? k : low;
            high = line->values[k] > line->values[high] ? k : high;
        }
        const int ends[2] = {low < high ? low : high, low < high ? high : low};
        for (int e = 0; e < (ends[0] == ends[1] ? 1 : 2); e++) {
            const double x = line->values[ends[e]];
            if (isfinite(x))
                fprintf(out, "%c%.1f %.1f", pen ? 'L' : 'M', x_of(d, line->times[ends[e]]), y_of(d, x));
            pen = isfinite(x);
        }
        i = k > i ? k : i + 1; // times that are not numbers end the pixel at once
    }
    fprintf(out, "\"/>\n");
}

static void put_drawing(FILE *out, const Drawing *d)
{
    fprintf(out, "<p class=\"key\">");
    for (int i = 0; i < d->count; i++) {
        fprintf(out, "<span><b style=\"color:%s\">&#9632;</b> ", colours[i]);
        put_text(out, d->lines[i].name);
        if (*d->lines[i].unit) {
            fputs(" [", out);
            put_text(out, d->lines[i].unit);
            fputs("]", out);
        }
        fputs("</span>", out);
    }
    fprintf(out, "%s</p>\n<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", d->more ? "and more" : "", WIDTH, HEIGHT);
    put_axes(out, d);
    for (int i = 0; i < d->count; i++)
        put_line(out, d, &d->lines[i], colours[i]);
    fprintf(out, "</svg>\n");
}

static RiStatus put_plot(FILE *out, RiLog *log, const RiPagePlot *plot)
{
    Drawing d = {.count = 0};
    fputs("<h2>", out);
    put_text(out, plot->title ? plot->title : "");
    fputs("</h2>\n", out);
    const RiStatus status = log ? collect(log, plot, &d) : RI_OK;
    find_ranges(&d);
    if (status == RI_OK && d.count > 0)
        put_drawing(out, &d);
    else if (status == RI_OK)
        fputs("<p>None of these values is in the log.</p>\n", out);
    if (log)
        release(log, &d);
    return status;
}

// --- page -----------------------------------------------------------------------------------------------------------

static void put_head(FILE *out, const RiPage *page)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", out);
    put_text(out, page->title);
    fprintf(out, "</title><style>%s</style></head>\n<body>\n<h1>", style);
    put_text(out, page->title);
    fputs("</h1>\n<p>", out);
    put_text(out, page->doc ? page->doc : "");
    fputs("</p>\n<table>\n", out);
    for (int i = 0; i < page->row_count; i++) {
        fputs("<tr><th>", out);
        put_text(out, page->rows[i].name);
        fputs("</th><td>", out);
        put_text(out, page->rows[i].text);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void put_events(FILE *out, const RiPage *page)
{
    fputs("<h2>Events</h2>\n<table>\n", out);
    for (int i = 0; i < page->event_count; i++) {
        fprintf(out, "<tr><th>%.9g s</th><td>", page->events[i].time);
        put_text(out, page->events[i].text);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n</body></html>\n", out);
}

static RiStatus put_page(RiContext *ctx, FILE *out, const RiPage *page)
{
    RiLog *log = NULL;
    RiStatus status = page->log && page->plot_count > 0 ? ri_log_open(ctx, page->log, &log) : RI_OK;
    put_head(out, page);
    for (int i = 0; status == RI_OK && i < page->plot_count; i++)
        status = put_plot(out, log, &page->plots[i]);
    put_events(out, page);
    ri_log_close(log);
    return status;
}

RiStatus ri_page_save(RiContext *ctx, const RiPage *page, const char *path)
{
    char reason[128];
    FILE *out = fopen(path, "we");
    if (!out)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot write the file: %s", path,
                        strerror_r(errno, reason, sizeof reason));
    // Numbers with a point, whatever the program's locale.
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain ? uselocale(plain) : (locale_t)0;
    const RiStatus status = plain ? put_page(ctx, out, page) : ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    const bool bad = ferror(out) != 0;
    if ((fclose(out) != 0 || bad) && status == RI_OK)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot write the file: %s", path,
                        strerror_r(errno, reason, sizeof reason));
    return status;
}
