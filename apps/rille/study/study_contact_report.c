// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures and report of `rille study contact-models`.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>
#include <rille/memory.h>
#include <rille/plot.h>

#include "cli.h"
#include "study/study_contact.h"

static const double DEG = M_PI / 180.0;

/// What a figure shows of each model's trace of one case.
typedef struct Figure {
    const char *file, *title, *behind; // between them is the level of the case that is shown, times `show`
    double show;
    const char *x_label, *unit[2], *what[2];
    RiContactTask task;
    double level; // of the case; the first of its task if there is none
    double (*x)(const RiContactSample *s);
    double (*y[2])(const RiContactSample *s);
    double from; // [s]
} Figure;

static double tilt_of(const RiContactSample *s)
{
    return s->tilt / DEG;
}

static double way_of(const RiContactSample *s)
{
    const double way = -1e3 * (fabs(s->y) > fabs(s->x) ? s->y : s->x);
    return way < 60.0 ? way : NAN; // what comes is a parabola
}

static double roll_of(const RiContactSample *s)
{
    return s->roll / DEG;
}

static double time_of(const RiContactSample *s)
{
    return s->t;
}

static double z_of(const RiContactSample *s)
{
    return s->z;
}

static double pitch_of(const RiContactSample *s)
{
    return s->pitch / DEG;
}

static const Figure figures[] = {
    {"slide",
     "Way downhill with brakes on, friction",
     "",
     1.0,
     "tilt [deg]",
     {"mm", NULL},
     {"", NULL},
     RI_CONTACT_SLIDE,
     0.5,
     tilt_of,
     {way_of, NULL},
     5.5},
    {"tip",
     "Roll with brakes on, friction",
     "",
     1.0,
     "tilt [deg]",
     {"deg", NULL},
     {"", NULL},
     RI_CONTACT_TIP,
     2.0,
     tilt_of,
     {roll_of, NULL},
     5.5},
    {"step",
     "A step of",
     " cm, friction 0.7",
     100.0,
     "time [s]",
     {"m", "deg"},
     {" height", " pitch"},
     RI_CONTACT_STEP,
     0.15,
     time_of,
     {z_of, pitch_of},
     0.0},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static RiStatus save(RiContext *ctx, const char *folder, const char *name, const RiPlot *plot)
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

/// The case that a figure is about; -1: none was run.
static int case_of(const ContactStudy *s, const Figure *f)
{
    int first = -1;
    for (int i = 0; i < s->case_count; i++) {
        if (s->cases[i].task != f->task)
            continue;
        if (fabs(s->cases[i].level - f->level) < 1e-9)
            return i;
        if (first < 0)
            first = i;
    }
    return first;
}

/// Points of a curve; where x turns back the line has a gap, as plots want rising x.
static int fill(const RiContactTrace *trace, const Figure *f, int part, double *x, double *y)
{
    int n = 0;
    double most = -INFINITY;
    for (int i = 0; i < trace->count; i++) {
        const RiContactSample *s = &trace->list[i];
        if (s->t < f->from || f->x(s) < most)
            continue;
        most = f->x(s);
        x[n] = most;
        y[n++] = f->y[part](s);
    }
    return n;
}

static RiStatus draw_figure(RiContext *ctx, const char *folder, const ContactStudy *s, const Figure *f)
{
    enum { CURVES = 2 * CONTACT_MODELS };
    RiCurve curves[CURVES];
    char names[CURVES][64], title[128];
    const int at = case_of(s, f);
    size_t room = 0;
    int n = 0;
    for (int k = 0; at >= 0 && k < CONTACT_MODELS; k++)
        room += (size_t)s->models[k].traces[at].count;
    double *points = ri_alloc_zero(ctx, 4 * room + 1, sizeof *points), *next = points;
    if (!points)
        return ri_error_memory(ctx);
    for (int part = 0; at >= 0 && part < 2 && f->y[part]; part++)
        for (int k = 0; k < CONTACT_MODELS; k++) {
            const RiContactTrace *trace = &s->models[k].traces[at];
            snprintf(names[n], sizeof names[n], "%s%s", s->models[k].label, f->what[part]);
            const int count = fill(trace, f, part, next, next + trace->count);
            curves[n] = (RiCurve){names[n], f->unit[part], next, next + trace->count, count};
            next += 2 * trace->count;
            n += count > 1;
        }
    RiPlot plot = ri_plot_default();
    snprintf(title, sizeof title, "%s %g%s", f->title, at >= 0 ? f->show * s->cases[at].level : 0.0, f->behind);
    plot.title = title;
    plot.x_label = f->x_label;
    plot.curves = curves;
    plot.curve_count = n;
    plot.panel_height = f->y[1] ? 220 : 360;
    const RiStatus status = n ? save(ctx, folder, f->file, &plot) : RI_OK;
    ri_release(ctx, points);
    return status;
}

/// Slip over slope of all models; slips of 1.2 and more are left out.
static RiStatus draw_slopes(RiContext *ctx, const char *folder, const ContactStudy *s)
{
    double x[CONTACT_MODELS][RI_CONTACT_CASES], y[CONTACT_MODELS][RI_CONTACT_CASES];
    RiCurve curves[CONTACT_MODELS];
    int n = 0;
    for (int k = 0; k < CONTACT_MODELS; k++) {
        int count = 0;
        for (int i = 0; s->models[k].there && i < s->case_count; i++)
            if (s->cases[i].task == RI_CONTACT_SLOPE && s->models[k].results[i].value < 1.2) {
                x[n][count] = s->cases[i].level / DEG;
                y[n][count++] = 100.0 * s->models[k].results[i].value;
            }
        curves[n] = (RiCurve){s->models[k].label, "%", x[n], y[n], count};
        n += count > 1;
    }
    RiPlot plot = ri_plot_default();
    plot.title = "Slip while driving up, friction 0.5 (limit 26.57 deg)";
    plot.x_label = "slope [deg]";
    plot.curves = curves;
    plot.curve_count = n;
    plot.panel_height = 360;
    return n ? save(ctx, folder, "slope", &plot) : RI_OK;
}

static RiStatus open_file(RiContext *ctx, const char *folder, const char *name, RiBeside *out)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return ri_beside_stream(out, path) ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: cannot be written", path);
}

static RiStatus close_file(RiContext *ctx, RiBeside *out)
{
    return ri_beside_close(out, true) == 0 ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: cannot be written", out->path);
}

static RiStatus write_csv(RiContext *ctx, const char *folder, const ContactStudy *s)
{
    RiBeside beside;
    RI_TRY(open_file(ctx, folder, "results.csv", &beside));
    FILE *out = beside.stream;
    fprintf(out, "case,model,level,friction,closed,value,beside,seconds_of_processor\n");
    for (int i = 0; i < s->case_count; i++)
        for (int k = 0; k < CONTACT_MODELS; k++) {
            const ContactModel *m = &s->models[k];
            if (m->there)
                fprintf(out, "%s,%s,%.9g,%g,%.9g,%.9g,%.9g,%.4g\n", s->cases[i].name, m->label, s->cases[i].level,
                        s->cases[i].friction, s->cases[i].closed, m->results[i].value, m->results[i].beside,
                        m->traces[i].cpu);
        }
    return close_file(ctx, &beside);
}

static void put_models(FILE *out, const ContactStudy *s, const char *open, const char *close)
{
    for (int k = 0; k < CONTACT_MODELS; k++)
        if (s->models[k].there)
            fprintf(out, "%s%s%s: %s %s\n", open, s->models[k].label, close, s->models[k].what, s->models[k].version);
}

static RiStatus write_markdown(RiContext *ctx, const char *folder, const ContactStudy *s)
{
    RiBeside beside;
    RI_TRY(open_file(ctx, folder, "report.md", &beside));
    FILE *out = beside.stream;
    fprintf(out, "# One rover, several contact models\n\n");
    contact_print_table(out, s, true);
    fprintf(out, "\n");
    put_models(out, s, "- **", "**");
    fprintf(out, "\n![](slide.svg)\n![](tip.svg)\n![](slope.svg)\n![](step.svg)\n");
    return close_file(ctx, &beside);
}

static void put_html_creep(FILE *out, const ContactStudy *s, int i)
{
    fprintf(out, "\n<tr><td>creep before<td>0");
    for (int k = 0; k < CONTACT_MODELS; k++)
        if (s->models[k].there)
            fprintf(out, "<td>%.2g mm/s", 1e3 * s->models[k].results[i].beside);
}

/// Processor time of all cases, which is not a matter of physics.
static void put_html_time(FILE *out, const ContactStudy *s)
{
    fprintf(out, "\n<tr><td>processor time<td>");
    for (int k = 0; k < CONTACT_MODELS; k++) {
        double sum = 0.0;
        for (int i = 0; s->models[k].there && i < s->case_count; i++)
            sum += s->models[k].traces[i].cpu;
        if (s->models[k].there)
            fprintf(out, "<td>%.3g s", sum);
    }
}

static void put_html_table(FILE *out, const ContactStudy *s)
{
    char word[32];
    fprintf(out, "<table><tr><th>case<th>closed form");
    for (int k = 0; k < CONTACT_MODELS; k++)
        if (s->models[k].there)
            fprintf(out, "<th>%s", s->models[k].label);
    for (int i = 0; i < s->case_count; i++) {
        const RiContactCase *c = &s->cases[i];
        fprintf(out, "\n<tr><td>%s<td>", c->name);
        if (!isnan(c->closed))
            fprintf(out, "%.2f deg = %s", c->closed / DEG, c->closed_by);
        else
            fprintf(out, "%s", c->closed_by);
        for (int k = 0; k < CONTACT_MODELS; k++)
            if (s->models[k].there) {
                contact_word(c, &s->models[k].results[i], word);
                fprintf(out, "<td>%s", word);
            }
        if (c->task == RI_CONTACT_SLIDE)
            put_html_creep(out, s, i);
    }
    put_html_time(out, s);
    fprintf(out, "\n</table>\n");
}

/// The figure as SVG inside of the page; nothing if it was not drawn.
static void put_html_figure(FILE *out, const char *folder, const char *name)
{
    char path[PATH_MAX], block[4096];
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    FILE *in = fopen(path, "r");
    for (size_t n; in && (n = fread(block, 1, sizeof block, in)) > 0;)
        fwrite(block, 1, n, out);
    if (in)
        fclose(in);
}

static RiStatus write_html(RiContext *ctx, const char *folder, const ContactStudy *s)
{
    RiBeside beside;
    RI_TRY(open_file(ctx, folder, "report.html", &beside));
    FILE *out = beside.stream;
    fprintf(
        out,
        "<!doctype html><meta charset=utf-8><title>Contact models</title><style>body{font:15px sans-serif;"
        "margin:2em auto;max-width:70em}table{border-collapse:collapse}td,th{padding:.2em .7em;border-bottom:1px "
        "solid #ccc;text-align:left}svg{display:block;margin:1em 0;max-width:100%%}</style>\n"
        "<h1>One rover, several contact models</h1>\n<p>ExoMars, %.0f kg, mass %.3f m above the ground, "
        "%.2f m to the outer edges of its wheels. slide, tip: tilt at which it slides or falls over with brakes "
        "on, and how it creeps 3 deg before it slides; slope: slip while it drives up, 0 as long as all wheels hold "
        "(from 12 deg on the front wheels, which carry least, do not); step: time until the rear wheels are up. What "
        "differs and why: docs/contact-models.md.\n",
        s->rover.mass, s->rover.com.z, s->rover.half_track);
    put_html_table(out, s);
    fprintf(out, "<ul>");
    put_models(out, s, "<li><b>", "</b>");
    fprintf(out, "</ul>\n");
    for (int i = 0; i < FIGURES; i++)
        put_html_figure(out, folder, figures[i].file);
    put_html_figure(out, folder, "slope");
    return close_file(ctx, &beside);
}

RiStatus contact_write_report(RiContext *ctx, const char *folder, const ContactStudy *s)
{
    for (int i = 0; i < FIGURES; i++)
        RI_TRY(draw_figure(ctx, folder, s, &figures[i]));
    RI_TRY(draw_slopes(ctx, folder, s));
    RI_TRY(write_csv(ctx, folder, s));
    RI_TRY(write_markdown(ctx, folder, s));
    return write_html(ctx, folder, s);
}
