// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille plot LOG... NAME...`: signals of one or several logs as a picture, on the terminal, or as
/// CSV.
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>
#include <rille/plot.h>
#include <rille/record.h>

#include "cli.h"
#include "commands.h"
#include "view/plot_terminal.h"

enum { PLOT_BAD_INPUT = 2, PLOT_ENVIRONMENT = 3, PLOT_LABEL = 240 };

enum { MOST_LOGS = 8 }; ///< that one picture compares

typedef struct PlotRequest {
    const char *logs[MOST_LOGS];
    int log_count;
    const char **names;
    int name_count;
    double from, to;
    const char *picture, *csv;
    bool terminal;
} PlotRequest;

// --- options -------------------------------------------------------------------------------------

enum { OPTION_FROM = 256, OPTION_TO, OPTION_OUT, OPTION_TERMINAL, OPTION_CSV };

static const struct argp_option plot_options[] = {
    {"from", OPTION_FROM, "T", 0, "Start at this time [s]", 0},
    {"to", OPTION_TO, "T", 0, "End at this time [s]", 0},
    {"out", OPTION_OUT, "FILE", 0, "Write a picture: FILE ends in .svg or .png", 0},
    {"terminal", OPTION_TERMINAL, NULL, 0, "Draw on the terminal (default without --out and --csv)", 0},
    {"csv", OPTION_CSV, "FILE", 0, "Write the signals of one log as a table; - is standard output", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static double plot_time(const char *option, const char *text, const struct argp_state *state)
{
    double value;
    if (!cli_parse_number(text, &value))
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
        if (request->log_count > 0 && (request->name_count > 0 || !ends_with(text, ".mcap")))
            request->names[request->name_count++] = text;
        else if (request->log_count == MOST_LOGS)
            argp_error(state, "at most %d logs can be compared", MOST_LOGS);
        else
            request->logs[request->log_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (request->log_count == 0)
            argp_error(state, "which log? Runs write one as DIR/log.mcap");
        if (request->log_count > 1 && request->csv)
            argp_error(state, "--csv writes the signals of one log; there are %d", request->log_count);
        if (request->log_count > 1 && request->name_count == 0)
            argp_error(state, "which signals are to be compared? 'rille plot %s' lists those of a log",
                       request->logs[0]);
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

/// A log and the signals of it that are drawn.
typedef struct Chosen {
    RiLog *log;
    int *signals, count;
    RiLogSeries *series;
    RiCurve *curves;
    char (*labels)[PLOT_LABEL]; ///< of several logs: which one a curve is from
} Chosen;

static RiStatus choose(RiContext *ctx, const PlotRequest *request, int index, Chosen *c)
{
    const char *path = request->logs[index];
    RI_TRY(ri_log_open(ctx, path, &c->log));
    if (!ri_log_is_complete(c->log))
        cli_error("%s was not closed or is damaged: read as far as it is whole", path);
    return ri_log_select(c->log, request->names, request->name_count, &c->signals, &c->count);
}

/// Name of a run in a legend: the folder that holds its log, or the log's own name.
static void run_label(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int length = (int)strlen(name) - (int)strlen(".mcap");
    if (slash && strcmp(name, "log.mcap") == 0) {
        const char *begin = slash;
        while (begin > path && begin[-1] != '/')
            begin--;
        name = begin;
        length = (int)(slash - begin);
    }
    snprintf(out, size, "%.*s", length > 0 ? length : 0, name);
}

static RiStatus read_curves(RiContext *ctx, const PlotRequest *request, int index, Chosen *c)
{
    c->series = ri_alloc_zero(ctx, (size_t)c->count, sizeof *c->series);
    c->curves = ri_alloc_zero(ctx, (size_t)c->count, sizeof *c->curves);
    c->labels = ri_alloc_zero(ctx, (size_t)c->count, sizeof *c->labels);
    if (!c->series || !c->curves || !c->labels)
        return ri_error_memory(ctx);
    char run[80];
    run_label(request->logs[index], run, sizeof run);
    RI_TRY(ri_log_read_many(c->log, c->signals, c->count, request->from, request->to, c->series));
    for (int i = 0; i < c->count; i++) {
        const char *name = ri_log_signal_name(c->log, c->signals[i]);
        snprintf(c->labels[i], PLOT_LABEL, "%.150s (%s)", name, run);
        c->curves[i] =
            (RiCurve){request->log_count > 1 ? c->labels[i] : name, ri_log_signal_unit(c->log, c->signals[i]),
                      c->series[i].times, c->series[i].values, (int)c->series[i].count};
    }
    return RI_OK;
}

static void release(RiContext *ctx, Chosen *c)
{
    if (c->series)
        ri_log_free_series(c->log, c->series, c->count);
    ri_release(ctx, c->series);
    ri_release(ctx, c->curves);
    ri_release(ctx, c->labels);
    ri_log_release(c->log, c->signals);
    ri_log_close(c->log);
}

/// Signal by signal, those of all logs beside each other.
static RiStatus draw(RiContext *ctx, const PlotRequest *request, const Chosen *chosen)
{
    int total = 0, most = 0, count = 0;
    for (int k = 0; k < request->log_count; k++) {
        total += chosen[k].count;
        most = chosen[k].count > most ? chosen[k].count : most;
    }
    RiCurve *curves = ri_alloc_zero(ctx, (size_t)total, sizeof *curves);
    if (!curves)
        return ri_error_memory(ctx);
    for (int i = 0; i < most; i++)
        for (int k = 0; k < request->log_count; k++)
            if (i < chosen[k].count)
                curves[count++] = chosen[k].curves[i];
    RiPlot plot = ri_plot_default();
    plot.curves = curves;
    plot.curve_count = count;
    const RiStatus status = show(ctx, request, &plot);
    ri_release(ctx, curves);
    return status;
}

static RiStatus plot_logs(RiContext *ctx, const PlotRequest *request, Chosen *chosen)
{
    for (int k = 0; k < request->log_count; k++)
        RI_TRY(choose(ctx, request, k, &chosen[k]));
    if (request->csv)
        RI_TRY(ri_log_write_csv_range(chosen[0].log, request->names, request->name_count, request->from, request->to,
                                      request->csv));
    if (request->csv && !request->picture && !request->terminal)
        return RI_OK;
    for (int k = 0; k < request->log_count; k++)
        RI_TRY(read_curves(ctx, request, k, &chosen[k]));
    return draw(ctx, request, chosen);
}

static RiStatus run_plot(RiContext *ctx, const PlotRequest *request)
{
    Chosen chosen[MOST_LOGS] = {{0}};
    RiStatus status;
    if (request->name_count == 0 && !request->csv && !request->picture) {
        status = ri_log_open(ctx, request->logs[0], &chosen[0].log);
        if (status == RI_OK)
            list_signals(chosen[0].log, request->logs[0]);
    } else {
        status = plot_logs(ctx, request, chosen);
    }
    for (int k = 0; k < request->log_count; k++)
        if (chosen[k].log)
            release(ctx, &chosen[k]);
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
        .args_doc = "LOG... [NAME...]",
        .doc = "Plots signals of a log, or of several logs (names that end in .mcap) to compare them. Names of "
               "signals may contain * and ?; without a name, the signals are listed.",
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
    RiStatus status = cli_parse(&parser, argc, argv, &request) == 0 ? RI_OK : RI_ERR_ARGUMENT;
    if (status == RI_OK)
        status = run_plot(ctx, &request);
    if (status != RI_OK)
        cli_error("%s", ri_context_message(ctx));
    int code = exit_code(status);
    if (fflush(stdout) != 0 || ferror(stdout))
        code = PLOT_ENVIRONMENT;
    ri_context_destroy(ctx);
    free(request.names);
    return code;
}
