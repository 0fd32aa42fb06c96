// SPDX-License-Identifier: Apache-2.0
/// \file
/// The page of a plan: timeline, path, charge, power, temperatures, data, margins; what was
/// predicted beside what was executed.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/plan/plan_run.h"

enum { WIDTH = 1000, HEIGHT = 160, LEFT = 60 };

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

/// Bars of the activities, one line each kind of state.
static void draw_timeline(FILE *f, const RiPlanRun *run, double end, const char *title)
{
    fprintf(f, "<h2>%s</h2><svg viewBox='0 0 %d 70' width='100%%'>", title, WIDTH);
    for (int i = 0; i < ri_plan_run_row_count(run); i++) {
        const RiPlanRow *row = ri_plan_run_row(run, i);
        const char *fill = row->state == RI_ACTIVITY_FAILED    ? "#d62728"
                           : row->state == RI_ACTIVITY_SKIPPED ? "#bbb"
                           : strcmp(row->kind, "sleep") == 0   ? "#6b7a99"
                           : row->way > 0.0                    ? "#2ca02c"
                           : row->sent > 0.0                   ? "#9467bd"
                                                               : "#1f77b4";
        fprintf(f, "<rect x='%.1f' y='%d' width='%.1f' height='18' fill='%s'><title>", place(row->start, end),
                10 + 22 * (i % 2), fmax((row->end - row->start) / end * (WIDTH - LEFT - 10), 1.5), fill);
        put(f, row->name);
        fprintf(f, ": %s, %.2f h</title></rect>", ri_activity_state_name(row->state), (row->end - row->start) / 3600.0);
    }
    for (int k = 0; k <= 10; k++)
        fprintf(f, "<text x='%.1f' y='66' font-size='11'>%.1f h</text>", place(end * k / 10.0, end) - 10.0,
                end * k / 36000.0);
    fprintf(f, "</svg>\n");
}

/// Curves of some signals over time; those of `other` are dashed.
static void draw_signals(FILE *f, const RiPlanRun *run, const RiPlanRun *other, const int *signals, int count,
                         double scale, double end, const char *title)
{
    double low = INFINITY, high = -INFINITY;
    const RiPlanRun *const runs[2] = {run, other};
    for (int r = 0; r < 2; r++)
        for (int i = 0; runs[r] && i < ri_plan_run_sample_count(runs[r]); i++)
            for (int k = 0; k < count; k++) {
                const double x = scale * ri_plan_run_sample(runs[r], i)->signal[signals[k]];
                low = fmin(low, x);
                high = fmax(high, x);
            }
    if (!(high >= low))
        return;
    if (high - low < 1e-9)
        high = low + 1.0;
    fprintf(f, "<h3>%s: ", title);
    for (int k = 0; k < count; k++)
        fprintf(f, "<span style='color:%s'>%s</span> ", colours[k % 5], ri_plan_signal_name(signals[k]));
    fprintf(f,
            "</h3><svg viewBox='0 0 %d %d' width='100%%'><text x='2' y='14' font-size='11'>%.4g</text><text x='2' "
            "y='%d' font-size='11'>%.4g</text>",
            WIDTH, HEIGHT, high, HEIGHT - 4, low);
    for (int r = 0; r < 2; r++)
        for (int k = 0; runs[r] && k < count; k++) {
            fprintf(f, "<polyline fill='none' stroke='%s' stroke-width='1.5'%s points='", colours[k % 5],
                    r ? " stroke-dasharray='4 3'" : "");
            for (int i = 0; i < ri_plan_run_sample_count(runs[r]); i++) {
                const RiPlanSample *s = ri_plan_run_sample(runs[r], i);
                const double x = scale * s->signal[signals[k]];
                if (!isnan(x))
                    fprintf(f, "%.1f,%.1f ", place(s->time, end), 6.0 + (HEIGHT - 12) * (high - x) / (high - low));
            }
            fprintf(f, "'/>");
        }
    fprintf(f, "</svg>\n");
}

static void draw_path(FILE *f, const RiPlanRun *run)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < ri_plan_run_sample_count(run); i++) {
        const RiPlanSample *s = ri_plan_run_sample(run, i);
        low[0] = fmin(low[0], s->x), high[0] = fmax(high[0], s->x);
        low[1] = fmin(low[1], s->y), high[1] = fmax(high[1], s->y);
    }
    const double side = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1.0);
    fprintf(f,
            "<h3>Path: %.1f m across, x to the right, y upwards</h3><svg viewBox='-10 -10 420 420' "
            "width='420'><polyline fill='none' stroke='#2ca02c' stroke-width='2' points='",
            side);
    for (int i = 0; i < ri_plan_run_sample_count(run); i++) {
        const RiPlanSample *s = ri_plan_run_sample(run, i);
        fprintf(f, "%.1f,%.1f ", 400.0 * (s->x - low[0]) / side, 400.0 - 400.0 * (s->y - low[1]) / side);
    }
    fprintf(f, "'/></svg>\n");
}

static void table_rows(FILE *f, const RiPlanRun *run, const RiPlanRun *predicted)
{
    fprintf(f, "<h2>Activities</h2><table><tr><th>activity<th>kind<th>state<th>local hour<th>start h<th>length "
               "h<th>used Wh<th>predicted Wh<th>charge<th>way m<th>sent Mbit<th>why</tr>\n");
    for (int i = 0; i < ri_plan_run_row_count(run); i++) {
        const RiPlanRow *a = ri_plan_run_row(run, i), *b = predicted ? ri_plan_run_row(predicted, i) : NULL;
        fprintf(f, "<tr><td>");
        put(f, a->name);
        fprintf(f, "<td>%s<td class='%s'>%s<td>%.2f<td>%.2f<td>%.2f<td>%.1f<td>", a->kind,
                ri_activity_state_name(a->state), ri_activity_state_name(a->state), a->hour, a->start / 3600.0,
                (a->end - a->start) / 3600.0, a->used / 3600.0);
        if (b)
            fprintf(f, "%.1f", b->used / 3600.0);
        fprintf(f, "<td>%.3f<td>%.1f<td>%.2f<td>", a->charge, a->way, 1e-6 * a->sent);
        put(f, a->reason);
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

RiStatus ri_plan_report(RiContext *ctx, const RiPlan *plan, const RiPlanRun *run, const RiPlanRun *predicted,
                        const char *path)
{
    static const int charge[] = {0}, power[] = {1, 2}, warmth[] = {5, 6, 7, 8}, light[] = {3}, dust[] = {4},
                     data[] = {9};
    FILE *f = fopen(path, "w");
    if (!f)
        return ri_error(ctx, RI_ERR_IO, "%s: %s", path, strerror(errno));
    const double end = fmax(end_of(run), predicted ? end_of(predicted) : 0.0);
    const RiPlanTotals t = ri_plan_run_totals(run);
    fprintf(f, "<!DOCTYPE html><meta charset='utf-8'><title>");
    put(f, plan->name);
    fprintf(f, "</title><style>body{font:14px sans-serif;max-width:1100px;margin:20px "
               "auto}table{border-collapse:collapse}td,th{padding:2px 8px;border-bottom:1px solid "
               "#ddd;text-align:right}td:first-child,th:first-child{text-align:left}.failed{color:#d62728}.skipped{"
               "color:#888}</style><h1>");
    put(f, plan->name);
    fprintf(f, "</h1><p>");
    put(f, ri_plan_doc(plan));
    fprintf(f,
            "</p><p>Fidelity %s: %.2f h, %.1f m driven, %.1f Wh generated, %.1f Wh used, %.1f Mbit sent, lowest charge "
            "%.3f, ledger %.1e. %d failed, %d skipped, %d margins violated.%s</p>\n",
            ri_fidelity_name(run->fidelity), t.time / 3600.0, t.way, t.generated / 3600.0, t.used / 3600.0,
            1e-6 * t.sent, t.lowest_charge, t.ledger, t.failed, t.skipped, t.violated,
            predicted ? " Dashed: predicted by map." : "");
    draw_timeline(f, run, end, "Timeline");
    if (predicted)
        draw_timeline(f, predicted, end, "Predicted");
    draw_signals(f, run, predicted, charge, 1, 1.0, end, "Charge");
    draw_signals(f, run, predicted, power, 2, 1.0, end, "Power [W]");
    draw_signals(f, run, predicted, warmth, 4, 1.0, end, "Temperature [K]");
    draw_signals(f, run, predicted, light, 1, 1.0, end, "Light [W/m2]");
    draw_signals(f, run, predicted, dust, 1, 1.0, end, "Dust");
    draw_signals(f, run, predicted, data, 1, 1e-6, end, "Data [Mbit]");
    draw_path(f, run);
    table_rows(f, run, predicted);
    table_margins(f, run);
    const bool bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad)
        return ri_error(ctx, RI_ERR_IO, "%s: it cannot be written", path);
    return RI_OK;
}
