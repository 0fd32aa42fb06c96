// SPDX-License-Identifier: Apache-2.0
/// \file
/// The page of a plan: timeline with passes, path on the map, slip, charge, power, temperatures,
/// data, margins; what was predicted, or another plan, beside what was executed.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/page.h>
#include <rille/picture.h>

#include "io/file/beside.h"
#include "study/plan/plan_run.h"

enum { WIDTH = 1000, HEIGHT = 170, LEFT = 70 };

static const char *const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e"};

/// Text inside HTML.
static void put(FILE *f, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", f);
        else if (*text == '&')
            fputs("&amp;", f);
        else if (*text == '"')
            fputs("&quot;", f);
        else
            fputc(*text, f);
}

static double end_of(const RiPlanRun *run)
{
    const int n = ri_plan_run_sample_count(run);
    return n > 0 ? fmax(ri_plan_run_sample(run, n - 1)->time, 1.0) : 1.0;
}

static double place(double time, double end)
{
    return LEFT + (WIDTH - LEFT - 10) * time / end;
}

/// Hours between marks on the axis of time: round numbers, at most a dozen of them.
static double hours_between(double end)
{
    static const double steps[] = {0.25, 0.5, 1.0, 2.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 240.0, 480.0, 1200.0};
    const double hours = end / 3600.0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (hours / steps[i] <= 12.0)
            return steps[i];
    return hours / 10.0;
}

/// Lines across a drawing and their hours below it.
static void draw_hours(FILE *f, double end, double top, double bottom)
{
    const double step = hours_between(end);
    for (int k = 0; k * step * 3600.0 <= end; k++) {
        const double x = place(k * step * 3600.0, end);
        fprintf(f,
                "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='#e4e4e4'/><text x='%.1f' y='%.1f' "
                "font-size='11' text-anchor='%s'>%g h</text>",
                x, x, top, bottom, x, bottom + 13.0, x > WIDTH - 20.0 ? "end" : "middle", k * step);
    }
}

static const struct {
    const char *fill, *meaning;
} bars[] = {{"#1f77b4", "work"}, {"#2ca02c", "driving"}, {"#9467bd", "data sent"},   {"#6b7a99", "sleep"},
            {"#bbb", "skipped"}, {"#d62728", "failed"},  {"#d8c8e8", "seen, unused"}};
enum { BAR_WORK, BAR_DRIVING, BAR_SENT, BAR_SLEEP, BAR_SKIPPED, BAR_FAILED, BAR_SEEN, BARS };

static int bar_of(const RiPlanRow *row)
{
    return row->state == RI_ACTIVITY_FAILED    ? BAR_FAILED
           : row->state == RI_ACTIVITY_SKIPPED ? BAR_SKIPPED
           : strcmp(row->kind, "sleep") == 0   ? BAR_SLEEP
           : row->way > 0.0                    ? BAR_DRIVING
           : row->sent > 0.0                   ? BAR_SENT
                                               : BAR_WORK;
}

/// A bar from one time to another, with a text that shows when it is pointed at.
static double begin_bar(FILE *f, double start, double stop, double end, double y, double height, int bar)
{
    const double width = fmax((stop - start) / end * (WIDTH - LEFT - 10), 1.5);
    fprintf(f, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'><title>", place(start, end), y, width,
            height, bars[bar].fill);
    return width;
}

/// The row of a radio among the radios of a run.
static int radio_row(const RiPlanRun *run, const char *radio)
{
    int i = 0;
    while (i < run->radio_count && strcmp(run->radios[i].name, radio) != 0)
        i++;
    return i;
}

/// Bars of the activities in two lines, with names where there is room, and one line of passes for
/// each radio.
static void draw_timeline(FILE *f, const RiPlanRun *run, double end, const char *title)
{
    enum { FIRST = 58, LINE = 14 };
    const double bottom = FIRST + LINE * run->radio_count;
    fprintf(f, "<h2>");
    put(f, title);
    fprintf(f, "</h2><svg viewBox='0 0 %d %.0f' width='100%%'>", WIDTH, bottom + 36.0);
    draw_hours(f, end, 6.0, bottom);
    for (int i = 0; i < ri_plan_run_row_count(run); i++) {
        const RiPlanRow *row = ri_plan_run_row(run, i);
        const double y = 10.0 + 22.0 * (i % 2);
        const double width = begin_bar(f, row->start, row->end, end, y, 18.0, bar_of(row));
        put(f, row->name);
        fprintf(f, ": %s, from %.2f h for %.2f h</title></rect>", ri_activity_state_name(row->state),
                row->start / 3600.0, (row->end - row->start) / 3600.0);
        if (width > 6.0 * (double)strlen(row->name)) {
            fprintf(f, "<text x='%.1f' y='%.1f' font-size='11' fill='#fff' pointer-events='none'>",
                    place(row->start, end) + 3.0, y + 13.0);
            put(f, row->name);
            fprintf(f, "</text>");
        }
    }
    for (int i = 0; i < run->radio_count; i++) {
        fprintf(f, "<text x='2' y='%d' font-size='11'>", FIRST + LINE * i + 9);
        put(f, run->radios[i].name);
        fprintf(f, "</text>");
    }
    for (int i = 0; i < ri_plan_run_pass_count(run); i++) {
        const RiPlanPass *p = ri_plan_run_pass(run, i);
        (void)begin_bar(f, p->start, p->end, end, FIRST + LINE * radio_row(run, p->radio), 9.0,
                        p->sent > 0.0 ? BAR_SENT : BAR_SEEN);
        put(f, p->radio);
        fprintf(f, " sees its remote for %.1f min, %.1f Mbit</title></rect>", (p->end - p->start) / 60.0,
                1e-6 * p->sent);
    }
    for (int k = 0; k < BARS; k++)
        fprintf(
            f, "<rect x='%d' y='%.1f' width='10' height='10' fill='%s'/><text x='%d' y='%.1f' font-size='11'>%s</text>",
            LEFT + 110 * k, bottom + 22.0, bars[k].fill, LEFT + 110 * k + 14, bottom + 31.0, bars[k].meaning);
    fprintf(f, "</svg>\n");
}

/// Least and greatest number of some signals over two runs; false: there is none.
static bool range_of(const RiPlanRun *const runs[2], const int *signals, int count, double scale, double *low,
                     double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int r = 0; r < 2; r++)
        for (int i = 0; runs[r] && i < ri_plan_run_sample_count(runs[r]); i++)
            for (int k = 0; k < count; k++) {
                const double x = scale * ri_plan_run_sample(runs[r], i)->signal[signals[k]];
                *low = fmin(*low, x);
                *high = fmax(*high, x);
            }
    if (!(*high >= *low))
        return false;
    if (*high - *low < 1e-9)
        *high = *low + 1.0;
    return true;
}

/// Curves of some signals over time; those of `other` are dashed.
static void draw_signals(FILE *f, const RiPlanRun *run, const RiPlanRun *other, const int *signals, int count,
                         double scale, double end, const char *title)
{
    const double top = 8.0, bottom = HEIGHT - 20.0;
    const RiPlanRun *const runs[2] = {run, other};
    double low, high;
    if (!range_of(runs, signals, count, scale, &low, &high))
        return;
    fprintf(f, "<h3>%s: ", title);
    for (int k = 0; k < count; k++)
        fprintf(f, "<span style='color:%s'>%s</span> ", colours[k % 5], ri_plan_signal_name(signals[k]));
    fprintf(f, "</h3><svg viewBox='0 0 %d %d' width='100%%'>", WIDTH, HEIGHT);
    draw_hours(f, end, top, bottom);
    for (int k = 0; k <= 2; k++) {
        const double y = bottom - 0.5 * k * (bottom - top);
        fprintf(f,
                "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#e4e4e4'/><text x='%d' y='%.1f' font-size='11' "
                "text-anchor='end'>%.4g</text>",
                LEFT, WIDTH - 10, y, y, LEFT - 6, y + 4.0, low + 0.5 * k * (high - low));
    }
    for (int r = 0; r < 2; r++)
        for (int k = 0; runs[r] && k < count; k++) {
            fprintf(f, "<polyline fill='none' stroke='%s' stroke-width='1.5'%s points='", colours[k % 5],
                    r ? " stroke-dasharray='4 3'" : "");
            for (int i = 0; i < ri_plan_run_sample_count(runs[r]); i++) {
                const RiPlanSample *s = ri_plan_run_sample(runs[r], i);
                const double x = scale * s->signal[signals[k]];
                if (!isnan(x))
                    fprintf(f, "%.1f,%.1f ", place(s->time, end), top + (bottom - top) * (high - x) / (high - low));
            }
            fprintf(f, "'/>");
        }
    fprintf(f, "</svg>\n");
}

// --- the map -------------------------------------------------------------------------------------

enum { MAP = 480, PIXELS = 240 };

/// The square of ground that a page shows.
typedef struct Window {
    double x, y, side; ///< south-west corner [m]
} Window;

static Window window_of(const RiPlanRun *const runs[2])
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 2; k++)
        for (int i = 0; runs[k] && i < ri_plan_run_sample_count(runs[k]); i++) {
            const RiPlanSample *s = ri_plan_run_sample(runs[k], i);
            low[0] = fmin(low[0], s->x), high[0] = fmax(high[0], s->x);
            low[1] = fmin(low[1], s->y), high[1] = fmax(high[1], s->y);
        }
    const double side = 1.3 * fmax(fmax(high[0] - low[0], high[1] - low[1]), 4.0);
    return (Window){0.5 * (low[0] + high[0] - side), 0.5 * (low[1] + high[1] - side), side};
}

/// Hill shade of a pixel, light from the north-west; blue where there is no ground.
static void shade(const RiTerrain *ground, const Window *w, int column, int row, unsigned char rgb[3])
{
    const double d = w->side / PIXELS, x = w->x + (column + 0.5) * d, y = w->y + w->side - (row + 0.5) * d;
    RiHeight h[4];
    if (!ri_terrain_height(ground, x + d, y, &h[0]) || !ri_terrain_height(ground, x - d, y, &h[1]) ||
        !ri_terrain_height(ground, x, y + d, &h[2]) || !ri_terrain_height(ground, x, y - d, &h[3])) {
        rgb[0] = 170, rgb[1] = 190, rgb[2] = 220;
        return;
    }
    const double gx = (h[0].z - h[1].z) / (2.0 * d), gy = (h[2].z - h[3].z) / (2.0 * d);
    const double light = (0.766 * (gx - gy) * 0.7071 + 0.643) / sqrt(1.0 + gx * gx + gy * gy);
    const double bright = fmin(fmax(light / 0.643 * 190.0, 0.0), 255.0);
    rgb[0] = (unsigned char)bright;
    rgb[1] = (unsigned char)(0.93 * bright);
    rgb[2] = (unsigned char)(0.85 * bright);
}

static RiStatus put_ground(RiContext *ctx, FILE *f, const RiPlanRun *run, const Window *w)
{
    const RiTerrain *ground = ri_sim_terrain(run->sim);
    if (!ground)
        return RI_OK;
    uint8_t *rgb = ri_alloc_zero(ctx, (size_t)PIXELS * PIXELS, 3), *bytes = NULL;
    size_t size;
    if (!rgb)
        return ri_error_memory(ctx);
    for (int row = 0; row < PIXELS; row++)
        for (int column = 0; column < PIXELS; column++)
            shade(ground, w, column, row, rgb + 3 * ((size_t)row * PIXELS + (size_t)column));
    const RiPicture picture = {rgb, PIXELS, PIXELS};
    const RiStatus status = ri_picture_encode(ctx, &picture, &bytes, &size);
    if (status == RI_OK) {
        fprintf(f, "<image width='%d' height='%d' href='data:image/png;base64,", MAP, MAP);
        ri_page_put_base64(f, bytes, size);
        fprintf(f, "'/>");
    }
    ri_release(ctx, bytes);
    ri_release(ctx, rgb);
    return status;
}

static void put_point(FILE *f, const Window *w, const RiPlanSample *s)
{
    fprintf(f, "%.1f,%.1f ", MAP * (s->x - w->x) / w->side, MAP - MAP * (s->y - w->y) / w->side);
}

static RiStatus draw_path(RiContext *ctx, FILE *f, const RiPlanRun *run, const RiPlanRun *other)
{
    static const char *const stroke[2] = {"#1a7f1a", "#d62728' stroke-dasharray='5 4"};
    const RiPlanRun *const runs[2] = {run, other};
    const Window w = window_of(runs);
    fprintf(f,
            "<h3>Path on the map: %.1f m across, x from %.1f m to the right, y from %.1f m upwards</h3><svg "
            "viewBox='0 0 %d %d' width='%d'>",
            w.side, w.x, w.y, MAP, MAP, MAP);
    RI_TRY(put_ground(ctx, f, run, &w));
    for (int k = 1; k >= 0; k--) {
        if (!runs[k])
            continue;
        fprintf(f, "<polyline fill='none' stroke-width='2' stroke='%s' points='", stroke[k]);
        for (int i = 0; i < ri_plan_run_sample_count(runs[k]); i++)
            put_point(f, &w, ri_plan_run_sample(runs[k], i));
        fprintf(f, "'/>");
    }
    fprintf(f, "</svg>\n");
    return RI_OK;
}

// --- tables --------------------------------------------------------------------------------------

/// The row of another run that belongs to a row: the same activity of the same plan, or the first
/// of that name.
static const RiPlanRow *partner(const RiPlanRun *run, const RiPlanRun *other, int row)
{
    if (!other)
        return NULL;
    if (other->plan == run->plan)
        return ri_plan_run_row(other, row);
    for (int i = 0; i < other->row_count; i++)
        if (strcmp(other->rows[i].name, run->rows[row].name) == 0)
            return &other->rows[i];
    return NULL;
}

static void put_way(FILE *f, const RiPlanRow *a)
{
    fprintf(f, "<td>%.1f<td>", a->way);
    for (int k = 0; k < RI_FIDELITY_AUTO; k++)
        if (a->way_at[k] > 0.0)
            fprintf(f, "%s %.1f ", ri_fidelity_name((RiFidelity)k), a->way_at[k]);
    if (isnan(a->slip))
        fprintf(f, "<td>");
    else
        fprintf(f, "<td>%.2f", a->slip);
}

static void table_rows(FILE *f, const RiPlanRun *run, const RiPlanRun *other)
{
    fprintf(f,
            "<h2>Activities</h2><table><tr><th>activity<th>kind<th>state<th>local hour<th>start h<th>length "
            "h<th>dashed h<th>used Wh<th>dashed Wh<th>charge<th>way m<th>by<th>most slip<th>sent Mbit<th>why</tr>\n");
    for (int i = 0; i < ri_plan_run_row_count(run); i++) {
        const RiPlanRow *a = ri_plan_run_row(run, i), *b = partner(run, other, i);
        fprintf(f, "<tr><td>");
        put(f, a->name);
        fprintf(f, "<td>%s<td class='%s'>%s<td>%.2f<td>%.2f<td>%.2f<td>", a->kind, ri_activity_state_name(a->state),
                ri_activity_state_name(a->state), a->hour, a->start / 3600.0, (a->end - a->start) / 3600.0);
        if (b)
            fprintf(f, "%.2f", (b->end - b->start) / 3600.0);
        fprintf(f, "<td>%.1f<td>", a->used / 3600.0);
        if (b)
            fprintf(f, "%.1f", b->used / 3600.0);
        fprintf(f, "<td>%.3f", a->charge);
        put_way(f, a);
        fprintf(f, "<td>%.2f<td>", 1e-6 * a->sent);
        put(f, a->reason);
        fprintf(f, "</tr>\n");
    }
    fprintf(f, "</table>\n");
}

static void table_passes(FILE *f, const RiPlanRun *run)
{
    fprintf(f,
            "<h2>Passes</h2><p>Times in which a radio saw its remote, to the minute.</p><table><tr><th>radio<th>from "
            "h<th>length min<th>best rate kbit/s<th>sent Mbit<th>light time s</tr>\n");
    for (int i = 0; i < ri_plan_run_pass_count(run); i++) {
        const RiPlanPass *p = ri_plan_run_pass(run, i);
        fprintf(f, "<tr><td>");
        put(f, p->radio);
        fprintf(f, "<td>%.2f<td>%.1f<td>%.1f<td>%.2f<td>%.3g</tr>\n", p->start / 3600.0, (p->end - p->start) / 60.0,
                1e-3 * p->rate, 1e-6 * p->sent, p->light_time);
    }
    fprintf(f, "</table>\n");
}

static void put_pictures(FILE *f, const RiPlanRun *run)
{
    if (ri_plan_run_picture_count(run) > 0)
        fprintf(f, "<h2>Pictures</h2>");
    for (int i = 0; i < ri_plan_run_picture_count(run); i++) {
        const RiPlanPicture *p = ri_plan_run_picture(run, i);
        fprintf(f, "<figure style='display:inline-block;margin:6px'><img width='320' src='data:image/png;base64,");
        ri_page_put_base64(f, p->png, p->size);
        fprintf(f, "'><figcaption>");
        put(f, ri_plan_run_row(run, p->row) ? ri_plan_run_row(run, p->row)->name : "");
        fprintf(f, ", ");
        put(f, p->camera);
        fprintf(f, ", %d x %d, %.2f h, %.3g W/(m2 sr)</figcaption></figure>\n", p->width, p->height, p->time / 3600.0,
                p->radiance);
    }
}

static void table_sols(FILE *f, const RiPlanRun *run)
{
    if (ri_plan_run_sol_count(run) == 0)
        return;
    fprintf(f, "<h2>Sols</h2><p>From local midnight to local midnight, cut by start and end of the "
               "plan.</p><table><tr><th>from h<th>hours<th>available Wh<th>generated Wh<th>used Wh<th>lowest "
               "charge<th>way m<th>sent Mbit<th>optical depth</tr>\n");
    for (int i = 0; i < ri_plan_run_sol_count(run); i++) {
        const RiPlanSol *s = ri_plan_run_sol(run, i);
        fprintf(f, "<tr><td>%.2f<td>%.2f<td>%.1f<td>%.1f<td>%.1f<td>%.3f<td>%.1f<td>%.2f<td>", s->start / 3600.0,
                (s->end - s->start) / 3600.0, s->available / 3600.0, s->generated / 3600.0, s->used / 3600.0, s->lowest,
                s->way, 1e-6 * s->sent);
        if (!isnan(s->tau))
            fprintf(f, "%.2f", s->tau);
        fprintf(f, "</tr>\n");
    }
    fprintf(f, "</table>\n");
}

static void table_margins(FILE *f, const RiPlanRun *run)
{
    fprintf(f, "<h2>Margins</h2><table><tr><th>margin<th>value<th>worst<th>at h<th>slack</tr>\n");
    for (int i = 0; i < ri_plan_run_margin_count(run); i++) {
        const RiPlanMargin *m = ri_plan_run_margin(run, i);
        fprintf(f, "<tr><td>");
        put(f, m->name);
        fprintf(f, "<td>");
        put(f, m->value);
        fprintf(f, "<td>%.5g<td>%.2f<td class='%s'>%.4g</tr>\n", m->worst, m->time / 3600.0,
                m->slack < 0.0 ? "failed" : "done", m->slack);
    }
    fprintf(f, "</table>\n");
}

/// Sums of two plans side by side.
static void table_totals(FILE *f, const RiPlanRun *a, const RiPlanRun *b)
{
    const RiPlanTotals t[2] = {ri_plan_run_totals(a), ri_plan_run_totals(b)};
    const struct {
        const char *name;
        double x[2];
    } rows[] = {{"time [h]", {t[0].time / 3600.0, t[1].time / 3600.0}},
                {"way [m]", {t[0].way, t[1].way}},
                {"generated [Wh]", {t[0].generated / 3600.0, t[1].generated / 3600.0}},
                {"used [Wh]", {t[0].used / 3600.0, t[1].used / 3600.0}},
                {"charge at the end", {t[0].charge, t[1].charge}},
                {"lowest charge", {t[0].lowest_charge, t[1].lowest_charge}},
                {"sent [Mbit]", {1e-6 * t[0].sent, 1e-6 * t[1].sent}},
                {"lost [Mbit]", {1e-6 * t[0].lost, 1e-6 * t[1].lost}},
                {"bus dead [h]", {t[0].dead / 3600.0, t[1].dead / 3600.0}},
                {"activities failed", {t[0].failed, t[1].failed}},
                {"activities skipped", {t[0].skipped, t[1].skipped}},
                {"margins violated", {t[0].violated, t[1].violated}}};
    fprintf(f, "<h2>Side by side</h2><table><tr><th><th>");
    put(f, a->plan->name);
    fprintf(f, "<th>");
    put(f, b->plan->name);
    fprintf(f, "<th>difference</tr>\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(f, "<tr><td>%s<td>%.4g<td>%.4g<td>%+.4g</tr>\n", rows[i].name, rows[i].x[0], rows[i].x[1],
                rows[i].x[1] - rows[i].x[0]);
    fprintf(f, "</table>\n");
}

/// All tables of a run.
static void put_tables(FILE *f, const RiPlanRun *run, const RiPlanRun *other)
{
    table_rows(f, run, other);
    table_sols(f, run);
    put_pictures(f, run);
    table_passes(f, run);
    table_margins(f, run);
}

RiStatus ri_plan_report(RiContext *ctx, const RiPlan *plan, const RiPlanRun *run, const RiPlanRun *predicted,
                        const char *path)
{
    static const int charge[] = {0}, power[] = {1, 2}, warmth[] = {5, 6, 7, 8}, light[] = {3}, dust[] = {4},
                     data[] = {9}, slip[] = {RI_PLAN_SLIP}, rate[] = {RI_PLAN_RATE};
    RiBeside beside;
    FILE *f = ri_beside_stream(&beside, path);
    if (!f)
        return ri_error(ctx, RI_ERR_IO, "%s: %s", path, strerror(errno));
    const double end = fmax(end_of(run), predicted ? end_of(predicted) : 0.0);
    const RiPlanTotals t = ri_plan_run_totals(run);
    const bool same = predicted && predicted->plan == run->plan;
    fprintf(f, "<!DOCTYPE html><meta charset='utf-8'><title>");
    put(f, plan->name);
    fprintf(f, "</title><style>body{font:14px sans-serif;max-width:1100px;margin:20px "
               "auto}table{border-collapse:collapse}td,th{padding:2px 8px;border-bottom:1px solid "
               "#ddd;text-align:right}td:first-child,th:first-child{text-align:left}.failed{color:#d62728}.skipped{"
               "color:#888}</style><h1>");
    put(f, plan->name);
    if (predicted && !same) {
        fprintf(f, " and ");
        put(f, predicted->plan->name);
    }
    fprintf(f, "</h1><p>");
    put(f, ri_plan_doc(plan));
    fprintf(
        f,
        "</p><p>Fidelity %s: %.2f h, %.1f m driven (%.1f by map, %.1f kinematic, %.1f dynamic), %.1f Wh "
        "generated, %.1f Wh used, %.1f Mbit sent, lowest charge %.3f, ledger %.1e. %d failed, %d skipped, %d margins "
        "violated.",
        ri_fidelity_name(run->fidelity), t.time / 3600.0, t.way, t.way_at[RI_FIDELITY_MAP],
        t.way_at[RI_FIDELITY_KINEMATIC], t.way_at[RI_FIDELITY_DYNAMIC], t.generated / 3600.0, t.used / 3600.0,
        1e-6 * t.sent, t.lowest_charge, t.ledger, t.failed, t.skipped, t.violated);
    if (t.beyond > 0.0)
        fprintf(f, " <b>Optical depths were beyond the tables of net flux in %.1f h of daylight.</b>",
                t.beyond / 3600.0);
    if (t.lost > 0.0)
        fprintf(f, " <b>%.4g Mbit of data were lost: the recorder was full.</b>", 1e-6 * t.lost);
    if (t.unserved > 0.0 || t.dead > 0.0)
        fprintf(f, " Loads lacked %.1f Wh; the bus was dead for %.2f h.", t.unserved / 3600.0, t.dead / 3600.0);
    if (t.curtailed > 0.0)
        fprintf(f, " %.1f Wh of the sources found no taker.", t.curtailed / 3600.0);
    if (t.pending > 0)
        fprintf(f, " %d faults never came: the plan ended before their time.", t.pending);
    if (t.mapped.inside + t.mapped.outside > 0.0)
        fprintf(f,
                " Mobility map: %.1f m, rolled %.1f m, %.1f Wh of the motors; <b>%.1f m beyond it, %.1f m where it is "
                "not valid</b>.",
                t.mapped.inside, t.mapped.rolled, t.mapped.energy / 3600.0, t.mapped.outside, t.mapped.invalid);
    if (predicted) {
        fprintf(f, " Dashed: ");
        put(f, same ? "predicted" : predicted->plan->name);
        fprintf(f, " (%s).", ri_fidelity_name(predicted->fidelity));
    }
    fprintf(f, "</p>\n");
    if (predicted && !same)
        table_totals(f, run, predicted);
    draw_timeline(f, run, end, predicted && !same ? plan->name : "Timeline");
    if (predicted)
        draw_timeline(f, predicted, end, same ? "Predicted" : predicted->plan->name);
    draw_signals(f, run, predicted, charge, 1, 1.0, end, "Charge");
    draw_signals(f, run, predicted, power, 2, 1.0, end, "Power [W]");
    draw_signals(f, run, predicted, warmth, 4, 1.0, end, "Temperature [K]");
    draw_signals(f, run, predicted, light, 1, 1.0, end, "Light [W/m2]");
    draw_signals(f, run, predicted, dust, 1, 1.0, end, "Dust");
    draw_signals(f, run, predicted, data, 1, 1e-6, end, "Data [Mbit]");
    draw_signals(f, run, predicted, rate, 1, 1e-3, end, "Link [kbit/s]");
    draw_signals(f, run, predicted, slip, 1, 1.0, end, "Slip of drives");
    const RiStatus drawn = draw_path(ctx, f, run, predicted);
    put_tables(f, run, predicted);
    if (predicted && !same) {
        fprintf(f, "<h1>");
        put(f, predicted->plan->name);
        fprintf(f, "</h1>");
        put_tables(f, predicted, run);
    }
    const int code = ri_beside_close(&beside, drawn == RI_OK);
    if (drawn != RI_OK)
        return drawn;
    return code == 0 ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(code));
}
