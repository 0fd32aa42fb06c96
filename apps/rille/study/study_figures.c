// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures 5 to 8 of the tilt table, the table of its runs, and measured ends.
///
/// Figures 5 and 8 show, for every test, the mean over its repeats of the heading's error, one
/// panel for each slope. Figure 6 shows the slip of every drive at its slope, with FIDO's and
/// ROAMS's ranges as bars beside it: measured slips of single runs are not public.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>
#include <rille/memory.h>
#include <rille/plot.h>

#include "cli.h"
#include "study/study.h"

static const double DEG = M_PI / 180.0;

static RiStatus write_plot(RiContext *ctx, const char *folder, const char *name, const RiPlot *plot)
{
    char path[PATH_MAX], *text = NULL;
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    RI_TRY(ri_plot_png(ctx, plot, path));
    RI_TRY(ri_plot_svg(ctx, plot, &text));
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    const RiStatus status = ri_file_write(ctx, path, text, strlen(text));
    ri_release(ctx, text);
    return status;
}

/// Mean error of the heading over the repeats of a test [deg].
static double mean_heading(const RiTiltCampaign *c, int test)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < c->run_count; i++)
        if (c->runs[i].test == test && c->runs[i].made) {
            sum += fabs(c->runs[i].heading) / DEG;
            count++;
        }
    return count ? sum / count : NAN;
}

/// Bars of one slope: x, y hold three points for each test. Returns how many points.
static int fill_bars(const RiTiltCampaign *c, bool turns, int slope, double *x, double *y)
{
    int n = 1, number = 0;
    x[0] = 0.0, y[0] = NAN; // room beside the first bar and the last
    for (int i = 0; i < c->test_count; i++) {
        if (c->tests[i].turns != turns || c->tests[i].slope != slope)
            continue;
        number++;
        x[n] = x[n + 1] = x[n + 2] = number;
        y[n] = 0.0, y[n + 1] = mean_heading(c, i), y[n + 2] = NAN;
        n += 3;
    }
    x[n] = number + 1, y[n] = NAN;
    return n + 1;
}

static RiStatus draw_headings(RiContext *ctx, const char *folder, const RiTiltCampaign *c, bool turns)
{
    static const char *const units[RI_TILT_SLOPES] = {"deg, level", "deg, 5 deg", "deg, 10 deg", "deg, 20 deg"};
    const size_t room = 3 * RI_TILT_TESTS;
    double *points = ri_alloc_zero(ctx, 2 * RI_TILT_SLOPES * room, sizeof *points);
    if (!points)
        return ri_error_memory(ctx);
    RiCurve curves[RI_TILT_SLOPES];
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        double *x = points + 2 * (size_t)slope * room, *y = x + room;
        curves[slope] = (RiCurve){"mean error of the heading", units[slope], x, y, fill_bars(c, turns, slope, x, y)};
    }
    RiPlot plot = ri_plot_default();
    plot.title = turns ? "Figure 8: heading error of turns in place, against the command"
                       : "Figure 5: heading error of drives, against the command";
    plot.x_label = "test";
    plot.curves = curves;
    plot.curve_count = RI_TILT_SLOPES;
    plot.panel_height = 150;
    const RiStatus status = write_plot(ctx, folder, turns ? "figure8" : "figure5", &plot);
    ri_release(ctx, points);
    return status;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// The slips of one slope in rising order as dots, spread over its column. Returns how many points.
static int fill_slips(const RiTiltCampaign *c, int slope, int tuned, double from, double to, double *x, double *y)
{
    double slips[RI_TILT_RUNS];
    int count = 0, n = 0;
    for (int i = 0; i < c->run_count; i++)
        if (!c->tests[c->runs[i].test].turns && c->tests[c->runs[i].test].slope == slope && c->runs[i].tuned == tuned &&
            c->runs[i].made)
            slips[count++] = c->runs[i].slip;
    qsort(slips, (size_t)count, sizeof *slips, by_value);
    for (int i = 0; i < count; i++) {
        x[n] = x[n + 1] = x[n + 2] = from + (to - from) * (i + 0.5) / count;
        y[n] = slips[i] - 0.25, y[n + 1] = slips[i] + 0.25, y[n + 2] = NAN;
        n += 3;
    }
    return n;
}

/// Upright bars from the least to the largest slip of each slope, at an offset from its column.
static int fill_ranges(RiTiltRange (*range)(int slope), double at, double *x, double *y)
{
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        const RiTiltRange r = range(slope);
        double *px = x + 3 * slope, *py = y + 3 * slope;
        px[0] = px[1] = px[2] = slope + at;
        py[0] = r.low, py[1] = r.high, py[2] = NAN;
    }
    return 3 * RI_TILT_SLOPES;
}

static RiStatus draw_slips(RiContext *ctx, const char *folder, const RiTiltCampaign *c)
{
    const size_t room = 3 * RI_TILT_RUNS;
    double *points = ri_alloc_zero(ctx, 8 * room, sizeof *points);
    if (!points)
        return ri_error_memory(ctx);
    double *x[4], *y[4];
    int n[4] = {0};
    for (int i = 0; i < 4; i++)
        x[i] = points + 2 * (size_t)i * room, y[i] = x[i] + room;
    n[0] = fill_ranges(ri_tilt_fido, 0.0, x[0], y[0]);
    n[1] = fill_ranges(ri_tilt_roams, 0.06, x[1], y[1]);
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        n[2] += fill_slips(c, slope, 1, slope + 0.15, slope + 0.45, x[2] + n[2], y[2] + n[2]);
        n[3] += fill_slips(c, slope, 0, slope + 0.5, slope + 0.85, x[3] + n[3], y[3] + n[3]);
    }
    const RiCurve curves[4] = {{"FIDO, range", "%", x[0], y[0], n[0]},
                               {"ROAMS, range", "%", x[1], y[1], n[1]},
                               {"Rille, tuned half", "%", x[2], y[2], n[2]},
                               {"Rille, other half", "%", x[3], y[3], n[3]}};
    RiPlot plot = ri_plot_default();
    plot.title = "Figure 6: slip of all drives";
    plot.x_label = "slope: 0 level, 1 5 deg, 2 10 deg, 3 20 deg";
    plot.curves = curves;
    plot.curve_count = 4;
    plot.panel_height = 420;
    const RiStatus status = write_plot(ctx, folder, "figure6", &plot);
    ri_release(ctx, points);
    return status;
}

// --- figure 7 ------------------------------------------------------------------------------------

enum { WAYS = 3, WAY_ROOM = 400 };

/// The first straight drive, shallow and tight arc forwards up a slope: their first runs.
static int choose_ways(const RiTiltCampaign *c, int slope, int runs[WAYS])
{
    int count = 0;
    for (int i = 0; i < c->run_count && count < WAYS; i++) {
        const RiTiltTest *t = &c->tests[c->runs[i].test];
        if (!t->turns && t->slope == slope && c->runs[i].repeat == 0 && t->length > 0.0 && t->radius >= 0.0)
            runs[count++] = i;
    }
    return count;
}

static RiStatus trace_slope(RiContext *ctx, const RiTiltOptions *o, const RiTiltCampaign *c, int slope, double *points,
                            int *out_n)
{
    const size_t room = WAYS * (WAY_ROOM + 1);
    double driven[WAY_ROOM][2], commanded[WAY_ROOM][2];
    int runs[WAYS];
    const int ways = choose_ways(c, slope, runs);
    *out_n = 0;
    for (int k = 0; k < ways; k++) {
        int count;
        RI_TRY(ri_tilt_trace(ctx, o, c, runs[k], WAY_ROOM, driven, commanded, &count));
        for (int i = 0; i <= count; i++, (*out_n)++)
            for (int d = 0; d < 2; d++) { // a gap behind each way
                points[(size_t)d * room + (size_t)*out_n] = i < count ? driven[i][d] : NAN;
                points[(size_t)(2 + d) * room + (size_t)*out_n] = i < count ? commanded[i][d] : NAN;
            }
    }
    return RI_OK;
}

RiStatus study_draw_ways(RiContext *ctx, const char *folder, const RiTiltOptions *o, const RiTiltCampaign *c)
{
    static const char *const units[RI_TILT_SLOPES] = {"m, level", "m, 5 deg", "m, 10 deg", "m, 20 deg"};
    const size_t room = WAYS * (WAY_ROOM + 1);
    double *points = ri_alloc_zero(ctx, 4 * RI_TILT_SLOPES * room, sizeof *points);
    RiCurve curves[2 * RI_TILT_SLOPES];
    RiStatus status = points ? RI_OK : ri_error_memory(ctx);
    for (int slope = 0; slope < RI_TILT_SLOPES && status == RI_OK; slope++) {
        double *p = points + 4 * (size_t)slope * room;
        int n = 0;
        status = trace_slope(ctx, o, c, slope, p, &n);
        curves[2 * slope] = (RiCurve){"ideal", units[slope], p + 2 * room, p + 3 * room, n};
        curves[2 * slope + 1] = (RiCurve){"simulated", units[slope], p, p + room, n};
    }
    RiPlot plot = ri_plot_default();
    plot.title = "Figure 7: outlines of drives up the slope, commanded and simulated; the rover's own are not public";
    plot.x_label = "ahead [m]";
    plot.curves = curves;
    plot.curve_count = 2 * RI_TILT_SLOPES;
    plot.panel_height = 220;
    if (status == RI_OK)
        status = write_plot(ctx, folder, "figure7", &plot);
    ri_release(ctx, points);
    return status;
}

RiStatus study_draw(RiContext *ctx, const char *folder, const RiTiltCampaign *c)
{
    RI_TRY(draw_headings(ctx, folder, c, false));
    RI_TRY(draw_slips(ctx, folder, c));
    return draw_headings(ctx, folder, c, true);
}

RiStatus study_write_runs(RiContext *ctx, const char *folder, const RiTiltCampaign *c)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/runs.csv", folder);
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
    if (!out)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be written", path);
    fprintf(out,
            "test,repeat,half,slope_deg,heading_deg,radius_m,length_m,angle_deg,done,slip_percent,heading_error_deg,"
            "ahead_m,aside_m\n");
    for (int i = 0; i < c->run_count; i++) {
        const RiTiltRun *r = &c->runs[i];
        const RiTiltTest *t = &c->tests[r->test];
        if (!r->made)
            continue;
        fprintf(out, "%s,%d,%s,%.4g,%.4g,%g,%g,%.4g,%d,%.6g,%.6g,%.6g,%.6g\n", t->name, r->repeat + 1,
                r->tuned ? "tuned" : "other", ri_tilt_slope(t->slope) / DEG, t->heading / DEG, t->radius, t->length,
                t->angle / DEG, r->done, r->slip, r->heading / DEG, r->ahead, r->aside);
    }
    return ri_beside_close(&beside, true) == 0 ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: cannot be written", path);
}

/// A line of measured ends, which is changed; false: it is not one.
static bool read_end(char *line, RiTiltEnd *out)
{
    double x[3];
    char *rest = line, *name = strsep(&rest, ",");
    *out = (RiTiltEnd){.ahead = 0.0};
    line[strcspn(line, "\r\n")] = '\0';
    for (int i = 0; i < 3; i++) {
        char *field = strsep(&rest, ",\r\n");
        if (!field || !cli_parse_number(field + strspn(field, " "), &x[i]))
            return false;
    }
    snprintf(out->test, sizeof out->test, "%s", name + strspn(name, " "));
    out->ahead = x[0], out->aside = x[1], out->heading = x[2] * DEG;
    return true;
}

RiStatus study_read_ends(RiContext *ctx, const char *path, RiTiltEnd *out, int room, int *out_count)
{
    char line[256];
    RiStatus status = RI_OK;
    FILE *f = fopen(path, "r");
    *out_count = 0;
    if (!f)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be read", path);
    for (int number = 1; status == RI_OK && fgets(line, sizeof line, f); number++) {
        if (number == 1 || line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0')
            continue; // the head, comments, empty lines
        if (*out_count == room)
            status = ri_error(ctx, RI_ERR_LIMIT, "%s:%d: more than %d tests", path, number, room);
        else if (!read_end(line, &out[*out_count]))
            status = ri_error(ctx, RI_ERR_FORMAT, "%s:%d: not 'test,ahead_m,aside_m,heading_deg'", path, number);
        else
            ++*out_count;
    }
    fclose(f);
    return status == RI_OK && *out_count == 0 ? ri_error(ctx, RI_ERR_FORMAT, "%s: no tests", path) : status;
}
