// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille fit screw DATA.csv`: the parameters of the screw-ice law from drag tests.
#include <argp.h>
#include <math.h>
#include <stdlib.h>

#include <rille/memory.h>
#include <rille/study/fit_screw.h>

#include "json.h"
#include "study/fit.h"

typedef struct FitRequest {
    const char *file, *plots;
    bool json, drop;
} FitRequest;

enum { OPTION_JSON = 256, OPTION_PLOTS, OPTION_DROP };

static const struct argp_option fit_options[] = {
    {"json", OPTION_JSON, NULL, 0, "One JSON object", 0},
    {"plots", OPTION_PLOTS, "PREFIX", 0, "Write PREFIX-parallel, PREFIX-normal and PREFIX-E as .svg and .png", 0},
    {"drop-outliers", OPTION_DROP, NULL, 0, "Leave outliers out of the fit (default: only name them)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_fit_option(int key, char *text, struct argp_state *state)
{
    FitRequest *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->json = true;
        return 0;
    case OPTION_PLOTS:
        request->plots = text;
        return 0;
    case OPTION_DROP:
        request->drop = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->file)
            argp_error(state, "one file is enough: '%s' follows '%s'", text, request->file);
        request->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->file)
            argp_error(state, "which file? A table with the columns load, direction, force");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- output --------------------------------------------------------------------------------------

static void print_pair(FILE *out, const RiScrewFit *f)
{
    const double low = f->e0.value + f->e1.value * f->load[0], high = f->e0.value + f->e1.value * f->load[1];
    fprintf(
        out,
        "{robot: screw, ground: ice, law: screw, friction: %.6g, e0: %.6g, e1: %.6g N^-1, e_min: %.6g, e_max: %.6g}",
        f->mu.value, f->e0.value, f->e1.value, fmax(1.0, fmin(low, high)), fmax(1.0, fmax(low, high)));
}

static void print_estimate(const char *name, const char *unit, const RiEstimate *e)
{
    printf("%-4s %-4s %12.6g %12.3g   %.6g to %.6g\n", name, unit, e->value, e->error, e->low, e->high);
}

static void print_outliers(FILE *out, const char *file, const RiDragTest *tests, int count)
{
    for (int i = 0; i < count; i++)
        if (tests[i].outlier)
            fprintf(out, "outlier: %s:%d: %s at %g N: %g N\n", file, tests[i].line,
                    tests[i].direction == RI_DRAG_NORMAL ? "normal" : "parallel", tests[i].load, tests[i].force);
}

static void print_table(const FitRequest *r, const RiScrewFit *f, const RiDragTest *tests, int count)
{
    printf("%d parallel and %d normal tests used; E = e0 + e1 F_n, loads %g to %g N\n\n", f->parallel, f->normal,
           f->load[0], f->load[1]);
    printf("%-4s %-4s %12s %12s   %s\n", "", "unit", "value", "std. error", "95 % interval");
    print_estimate("mu", "-", &f->mu);
    print_estimate("e0", "-", &f->e0);
    print_estimate("e1", "1/N", &f->e1);
    printf("\nScatter of coefficients: parallel %.3g, normal %.3g\n", f->scatter[0], f->scatter[1]);
    print_outliers(stdout, r->file, tests, count);
    printf("\npairs:\n  - ");
    print_pair(stdout, f);
    printf("\n");
}

static void print_json(const RiScrewFit *f, const RiDragTest *tests, int count)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    fit_json_estimate(&j, "mu", &f->mu);
    fit_json_estimate(&j, "e0", &f->e0);
    fit_json_estimate(&j, "e1", &f->e1);
    json_int(&j, "parallel", f->parallel);
    json_int(&j, "normal", f->normal);
    json_numbers(&j, "load", f->load, 2);
    json_numbers(&j, "scatter", f->scatter, 2);
    json_open(&j, "outlier_lines", '[');
    for (int i = 0; i < count; i++)
        if (tests[i].outlier)
            json_int(&j, NULL, tests[i].line);
    json_close(&j, ']');
    json_close(&j, '}');
}

// --- plots ---------------------------------------------------------------------------------------

/// Tests as short upright strokes around their values, with gaps between, and the fitted line
/// across them.
typedef struct FitPlot {
    const char *name, *title;
    RiDragDirection direction;
    double scale;               ///< of coefficients
    double at_zero, per_newton; ///< of the line, scaled
} FitPlot;

static int by_load(const void *a, const void *b)
{
    const RiDragTest *x = a, *y = b;
    return (x->load > y->load) - (x->load < y->load);
}

static RiStatus draw(RiContext *ctx, const char *prefix, const FitPlot *p, const RiDragTest *tests, int count)
{
    double *x = ri_alloc_zero(ctx, 6 * (size_t)count, sizeof *x), *y = x ? x + 3 * count : NULL;
    if (!x)
        return ri_error_memory(ctx);
    int n = 0;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++)
        if (tests[i].direction == p->direction) {
            low = fmin(low, p->scale * tests[i].force / tests[i].load);
            high = fmax(high, p->scale * tests[i].force / tests[i].load);
        }
    const double stroke = 0.012 * (high - low > 0.0 ? high - low : high);
    for (int i = 0; i < count; i++)
        if (tests[i].direction == p->direction) {
            const double m = p->scale * tests[i].force / tests[i].load;
            x[n] = x[n + 1] = x[n + 2] = tests[i].load;
            y[n] = m - stroke, y[n + 1] = m + stroke, y[n + 2] = NAN;
            n += 3;
        }
    const double ends[2] = {x[0], x[n - 1]};
    const double line[2] = {p->at_zero + p->per_newton * ends[0], p->at_zero + p->per_newton * ends[1]};
    const RiCurve curves[2] = {{"tests", "", x, y, n}, {"fit", "", ends, line, 2}};
    RiPlot plot = ri_plot_default();
    plot.title = p->title;
    plot.x_label = "normal force [N]";
    plot.curves = curves;
    plot.curve_count = 2;
    const RiStatus status = fit_write_plot(ctx, prefix, &plot, p->name);
    ri_release(ctx, x);
    return status;
}

static RiStatus draw_all(RiContext *ctx, const char *prefix, const RiScrewFit *f, RiDragTest *tests, int count)
{
    const double mu = f->mu.value;
    const FitPlot plots[3] = {
        {"parallel", "Friction coefficient along the thread", RI_DRAG_PARALLEL, 1.0, mu, 0.0},
        {"normal", "Friction coefficient across the thread", RI_DRAG_NORMAL, 1.0, mu * f->e0.value, mu * f->e1.value},
        {"E", "E = across / mu", RI_DRAG_NORMAL, 1.0 / mu, f->e0.value, f->e1.value}};
    qsort(tests, (size_t)count, sizeof *tests, by_load);
    for (int i = 0; i < 3; i++)
        RI_TRY(draw(ctx, prefix, &plots[i], tests, count));
    return RI_OK;
}

// --- the command ---------------------------------------------------------------------------------

static RiStatus fit(RiContext *ctx, const FitRequest *r)
{
    RiDragTest *tests;
    int count;
    RiScrewFit f;
    RI_TRY(ri_drag_tests_load(ctx, r->file, &tests, &count));
    RiStatus status = ri_screw_fit(ctx, tests, count, r->drop, &f);
    if (status != RI_OK) {
        char why[512];
        snprintf(why, sizeof why, "%s", ri_context_message(ctx));
        status = ri_error(ctx, status, "%s: %s", r->file, why);
    } else if (r->json) {
        print_json(&f, tests, count);
    } else {
        print_table(r, &f, tests, count);
    }
    if (status == RI_OK && r->plots)
        status = draw_all(ctx, r->plots, &f, tests, count);
    ri_release(ctx, tests);
    return status;
}

int fit_screw(int argc, char **argv)
{
    static const struct argp parser = {
        .options = fit_options,
        .parser = parse_fit_option,
        .args_doc = "DATA.csv",
        .doc = "Fits the screw-ice law to drag tests: friction along the thread, and E = e0 + e1 F_n, with 95 % "
               "intervals. DATA.csv has the "
               "columns load [N], direction (parallel or normal to the thread) and force [N].",
    };
    FitRequest request = {0};
    RiContext *ctx;
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&parser, argc, argv, &request) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = fit(ctx, &request);
    const int code = status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    ri_context_destroy(ctx);
    return code;
}
