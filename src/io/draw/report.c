// SPDX-License-Identifier: Apache-2.0
/// \file
/// The page of a run: HTML with drawings as inline SVG, nothing fetched from anywhere, no scripts.

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <rille/page.h>
#include <rille/record.h>

#include "base/memory.h"
#include "io/draw/plot.h"
#include "io/file/beside.h"
#include "io/record/log_work.h"

enum { MOST_CURVES = 12, MOST_AT_ONCE = 3 * MOST_CURVES }; ///< of a plot; read in one pass over the log

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 "
    "1rem;color:#222;background:#fff}"
    "h1{margin-bottom:0}h2{margin-top:2rem;font-size:1.15rem}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0;border-bottom:1px solid #ddd;"
    "vertical-align:top;overflow-wrap:anywhere}th{font-weight:600;white-space:nowrap}"
    ".story{font-size:1.1rem}tr.pass th{color:#17692c}tr.failed th{color:#b3261e}tr.open th{color:#7a5c00}"
    "summary{cursor:pointer;margin:1rem 0;font-weight:600}code{background:#f2f2f2;padding:0 .2rem}"
    "svg,img{max-width:100%;height:auto}figure{margin:1rem 0}";

/// The curves of one plot.
typedef struct Drawing {
    RiCurve curves[MOST_CURVES];
    RiLogSeries series[MOST_CURVES];
    int signals[MOST_CURVES];
    int count;
    bool more; ///< there were more values than curves
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

// --- drawings ------------------------------------------------------------------------------------

/// Adds a signal to a drawing, once.
static void add_signal(int signal, Drawing *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->signals[i] == signal)
            return;
    d->more |= d->count == MOST_CURVES;
    if (d->count < MOST_CURVES)
        d->signals[d->count++] = signal;
}

/// All signals that match; a glob that matches none does not spoil the others.
static RiStatus collect(RiLog *log, const RiPagePlot *plot, Drawing *d)
{
    for (int i = 0; i < plot->glob_count; i++) {
        int *signals, count;
        RiStatus status = ri_log_select(log, &plot->globs[i], 1, &signals, &count);
        if (status == RI_ERR_NOT_FOUND)
            continue;
        RI_TRY(status);
        for (int k = 0; k < count; k++)
            add_signal(signals[k], d);
        ri_log_release(log, signals);
    }
    return RI_OK;
}

/// Reads the numbers of drawings in one pass over the log.
static RiStatus read_drawings(RiLog *log, int count, Drawing *drawings)
{
    int signals[MOST_AT_ONCE], n = 0;
    RiLogSeries series[MOST_AT_ONCE] = {{0}};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < drawings[i].count; k++)
            signals[n++] = drawings[i].signals[k];
    if (n == 0)
        return RI_OK;
    RI_TRY(ri_log_read_many(log, signals, n, ri_log_start(log), ri_log_end(log), series));
    n = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < drawings[i].count; k++) {
            const RiLogSeries *x = &series[n];
            drawings[i].series[k] = *x;
            drawings[i].curves[k] = (RiCurve){ri_log_signal_name(log, signals[n]), ri_log_signal_unit(log, signals[n]),
                                              x->times, x->values, (int)x->count};
            n++;
        }
    return RI_OK;
}

static RiStatus put_drawing(RiContext *ctx, FILE *out, const Drawing *d)
{
    RiPlot plot = ri_plot_default();
    char *text;
    plot.curves = d->curves;
    plot.curve_count = d->count;
    RI_TRY(ri_plot_svg(ctx, &plot, &text));
    const char *svg = strstr(text, "<svg"); // what may be before it does not belong into a page
    fputs(svg ? svg : text, out);
    ri_release(ctx, text);
    if (d->more)
        fprintf(out, "<p>Only the first %d values are drawn; the log has more.</p>\n", MOST_CURVES);
    return RI_OK;
}

static RiStatus put_plot(RiContext *ctx, FILE *out, const RiPagePlot *plot, const Drawing *d)
{
    fputs("<h2>", out);
    put_text(out, plot->title ? plot->title : "");
    fputs("</h2>\n", out);
    if (d->count > 0)
        return put_drawing(ctx, out, d);
    fputs("<p>None of these values is in the log.</p>\n", out);
    return RI_OK;
}

/// Plots from one on that are read together: as many as MOST_AT_ONCE curves allow.
static RiStatus put_plots_from(RiContext *ctx, FILE *out, RiLog *log, const RiPage *page, int first, int *out_end)
{
    Drawing drawings[MOST_AT_ONCE / MOST_CURVES] = {{.count = 0}};
    const int left = page->plot_count - first, most = MOST_AT_ONCE / MOST_CURVES, count = left < most ? left : most;
    RiStatus status = RI_OK;
    for (int i = 0; i < count && status == RI_OK && log; i++)
        status = collect(log, &page->plots[first + i], &drawings[i]);
    if (status == RI_OK && log)
        status = read_drawings(log, count, drawings);
    for (int i = 0; i < count && status == RI_OK; i++)
        status = put_plot(ctx, out, &page->plots[first + i], &drawings[i]);
    for (int i = 0; i < count && log; i++)
        ri_log_free_series(log, drawings[i].series, drawings[i].count);
    *out_end = first + count;
    return status;
}

// --- page ----------------------------------------------------------------------------------------

static void put_rows(FILE *out, const RiPageRow *rows, int count, bool classes)
{
    fputs("<table>\n", out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "<tr%s%s%s><th>", classes ? " class=\"" : "", classes ? rows[i].name : "", classes ? "\"" : "");
        put_text(out, rows[i].name);
        fputs("</th><td>", out);
        put_text(out, rows[i].text);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void put_head(FILE *out, const RiPage *page)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", out);
    put_text(out, page->title);
    fprintf(out, "</title><style>%s</style></head>\n<body>\n<h1>", style);
    put_text(out, page->title);
    fputs("</h1>\n<p>", out);
    put_text(out, page->doc ? page->doc : "");
    fputs("</p>\n", out);
    if (page->story && *page->story) {
        fputs("<p class=\"story\">", out);
        put_text(out, page->story);
        fputs("</p>\n", out);
    }
}

/// Checks, then the technical rows, folded, and what can be done with the files beside the page.
static void put_details(FILE *out, const RiPage *page)
{
    if (page->check_count > 0) {
        fputs("<h2>Checks</h2>\n", out);
        put_rows(out, page->checks, page->check_count, true);
    }
    fputs("<details><summary>Technical details</summary>\n", out);
    put_rows(out, page->rows, page->row_count, false);
    fputs("</details>\n<p>Files: ", out);
    if (page->log)
        fputs("<a href=\"log.mcap\">log.mcap</a> (Foxglove opens it), ", out);
    fputs("<a href=\"config.yaml\">config.yaml</a>, <a href=\"summary.json\">summary.json</a>.", out);
    if (page->log)
        fputs(" Watch it again: <code>rille view log.mcap</code>.", out);
    if (page->scene) {
        fputs(" Live: <code>rille view ", out);
        put_text(out, page->scene);
        fputs("</code>.", out);
    }
    fputs("</p>\n", out);
}

void ri_page_put_base64(FILE *out, const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned bits = (unsigned)data[i] << 16 | (left > 1 ? (unsigned)data[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)data[i + 2] : 0);
        const char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                              left > 2 ? digits[bits & 63] : '='};
        fwrite(text, 1, sizeof text, out);
    }
}

static void put_pictures(FILE *out, const RiPage *page)
{
    for (int i = 0; i < page->picture_count; i++) {
        const RiPagePicture *x = &page->pictures[i];
        fprintf(out, "<figure><img alt=\"The run at %.9g s\" src=\"data:image/png;base64,", x->time);
        ri_page_put_base64(out, x->png, x->size);
        fprintf(out, "\"><figcaption>%.9g s</figcaption></figure>\n", x->time);
    }
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
    put_pictures(out, page);
    put_details(out, page);
    for (int i = 0; status == RI_OK && i < page->plot_count;)
        status = put_plots_from(ctx, out, log, page, i, &i);
    put_events(out, page);
    ri_log_close(log);
    return status;
}

RiStatus ri_page_save(RiContext *ctx, const RiPage *page, const char *path)
{
    char reason[128];
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
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
    const int code = ri_beside_close(&beside, status == RI_OK);
    if (code != 0 && status == RI_OK)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot write the file: %s", path, strerror_r(code, reason, sizeof reason));
    return status;
}
