// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille plot LOG NAME...`: signals of a log as a picture, on the terminal, or as CSV.
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/record.h>

#include "commands.h"
#include "io/draw/plot.h"
#include "io/file/sink.h"
#include "io/record/log_work.h"
#include "view/plot_terminal.h"

enum { PLOT_BAD_INPUT = 2, PLOT_ENVIRONMENT = 3 };

typedef struct PlotRequest {
    const char *log;
    const char **names;
    int name_count;
    double from, to;
    const char *picture, *csv;
    bool terminal;
} PlotRequest;

// --- options -------------------------------------------------------------------------------------

enum { OPTION_FROM = 256, OPTION_TO, OPTION_OUT, OPTION_TERMINAL, OPTION_CSV };

static const struct argp_option plot_options[] = {
    {"from", OPTION_FROM, "T", 0, "Begin at this time [s]", 0},
    {"to", OPTION_TO, "T", 0, "End at this time [s]", 0},
    {"out", OPTION_OUT, "FILE", 0, "Write a picture: FILE ends in .svg or .png", 0},
    {"terminal", OPTION_TERMINAL, NULL, 0, "Draw on the terminal (default without --out and --csv)", 0},
    {"csv", OPTION_CSV, "FILE", 0, "Write the signals as a table", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static double plot_time(const char *option, const char *text, const struct argp_state *state)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        argp_error(state, "--%s: '%s' is not a time in seconds", option, text);
    return value;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static error_t parse_plot_option(int key, char *text, struct argp_state *state)
{
    PlotRequest *request = state->input;
    switch (key) {
    case OPTION_FROM:
        request->from = plot_time("from", text, state);
        return 0;
    case OPTION_TO:
        request->to = plot_time("to", text, state);
        return 0;
    case OPTION_OUT:
        if (!ends_with(text, ".svg") && !ends_with(text, ".png"))
            argp_error(state, "--out: '%s' does not end in .svg or .png", text);
        request->picture = text;
        return 0;
    case OPTION_TERMINAL:
        request->terminal = true;
        return 0;
    case OPTION_CSV:
        request->csv = text;
        return 0;
    case ARGP_KEY_ARG:
        if (!request->log)
            request->log = text;
        else
            request->names[request->name_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!request->log)
            argp_error(state, "which log? Runs write one as DIR/log.mcap");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- the work ------------------------------------------------------------------------------------

static void list_signals(const RiLog *log, const char *path)
{
    printf("%s: %d signals, %g s to %g s%s\n", path, ri_log_signal_count(log), ri_log_start(log), ri_log_end(log),
           ri_log_is_complete(log) ? "" : " (not closed or damaged: read as far as it is whole)");
    for (int i = 0; i < ri_log_signal_count(log); i++)
        printf("  %s%s%s%s\n", ri_log_signal_name(log, i), ri_log_signal_unit(log, i)[0] ? " [" : "",
               ri_log_signal_unit(log, i), ri_log_signal_unit(log, i)[0] ? "]" : "");
    const char *topic;
    for (int i = 0; (topic = ri_log_other_channel(log, i)); i++)
        printf("  (%s: no signals)\n", topic);
}

static RiStatus write_svg(RiContext *ctx, const RiPlot *plot, const char *path)
{
    char *text;
    RI_TRY(ri_plot_svg(ctx, plot, &text));
    const RiStatus status = ri_file_write(ctx, path, text, strlen(text));
    ri_release(ctx, text);
    return status;
}

static RiStatus show(RiContext *ctx, const PlotRequest *request, const RiPlot *plot)
{
    if (request->picture && ends_with(request->picture, ".svg"))
        RI_TRY(write_svg(ctx, plot, request->picture));
    else if (request->picture)
        RI_TRY(ri_plot_png(ctx, plot, request->picture));
    const TerminalStyle style = plot_terminal_style();
    if ((request->terminal || (!request->picture && !request->csv)) && !plot_terminal(stdout, plot, &style))
        return ri_error_memory(ctx);
    return RI_OK;
}

/// Reads the chosen signals and shows them.
static RiStatus plot_signals(RiContext *ctx, RiLog *log, const PlotRequest *request, const int *signals, int count)
{
    RiSeries *series = ri_alloc_zero(ctx, (size_t)count, sizeof *series);
    RiCurve *curves = ri_alloc_zero(ctx, (size_t)count, sizeof *curves);
    RiStatus status = series && curves ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK)
        status = ri_log_read_many(log, signals, count, request->from, request->to, series);
    for (int i = 0; i < count && status == RI_OK; i++)
        curves[i] = (RiCurve){ri_log_signal_name(log, signals[i]), ri_log_signal_unit(log, signals[i]), series[i].times,
                              series[i].values, (int)series[i].count};
    RiPlot plot = ri_plot_default();
    plot.curves = curves;
    plot.curve_count = count;
    if (status == RI_OK)
        status = show(ctx, request, &plot);
    if (series)
        ri_log_free_series(log, series, count);
    ri_release(ctx, series);
    ri_release(ctx, curves);
    return status;
}

static RiStatus run_plot(RiContext *ctx, const PlotRequest *request)
{
    RiLog *log = NULL;
    int *signals = NULL, count = 0;
    RI_TRY(ri_log_open(ctx, request->log, &log));
    if (!ri_log_is_complete(log))
        fprintf(stderr, "rille plot: %s was not closed or is damaged: read as far as it is whole\n", request->log);
    RiStatus status = RI_OK;
    const bool list = request->name_count == 0 && !request->csv && !request->picture;
    if (list)
        list_signals(log, request->log);
    else
        status = ri_log_select(log, request->names, request->name_count, &signals, &count);
    if (status == RI_OK && !list && request->csv)
        status =
            ri_log_write_csv_range(log, request->names, request->name_count, request->from, request->to, request->csv);
    if (status == RI_OK && !list && (request->picture || request->terminal || !request->csv))
        status = plot_signals(ctx, log, request, signals, count);
    ri_log_release(log, signals);
    ri_log_close(log);
    return status;
}

static int exit_code(RiStatus status)
{
    return status == RI_OK                                  ? EXIT_SUCCESS
           : status == RI_ERR_IO || status == RI_ERR_MEMORY ? PLOT_ENVIRONMENT
                                                            : PLOT_BAD_INPUT;
}

int cmd_plot(int argc, char **argv)
{
    static const struct argp parser = {
        .options = plot_options,
        .parser = parse_plot_option,
        .args_doc = "LOG [NAME...]",
        .doc = "Plots signals of a log. Names may have * and ?; without a name the signals are listed.",
    };
    PlotRequest request = {.from = -INFINITY, .to = INFINITY};
    RiContext *ctx = NULL;
    request.names = calloc((size_t)argc + 1, sizeof *request.names);
    if (!request.names || ri_context_create(NULL, &ctx) != RI_OK) {
        fprintf(stderr, "rille plot: out of memory\n");
        free(request.names);
        return PLOT_ENVIRONMENT;
    }
    argp_err_exit_status = PLOT_BAD_INPUT;
    RiStatus status = argp_parse(&parser, argc, argv, 0, NULL, &request) == 0 ? RI_OK : RI_ERR_ARGUMENT;
    if (status == RI_OK)
        status = run_plot(ctx, &request);
    if (status != RI_OK)
        fprintf(stderr, "rille plot: %s\n", ri_context_message(ctx));
    int code = exit_code(status);
    if (fflush(stdout) != 0 || ferror(stdout))
        code = PLOT_ENVIRONMENT;
    ri_context_destroy(ctx);
    free(request.names);
    return code;
}
