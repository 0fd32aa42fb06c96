// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille sweep`: a scene over all combinations of values; a campaign on a grid that is written,
/// run and shown in one go.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rille/file.h>
#include <rille/memory.h>
#include <rille/plot.h>

#include "campaign/campaign.h"

enum { MOST = 64, OPTION_OVER = 256, OPTION_RESULT, OPTION_PLOT, OPTION_STORE };

typedef struct SweepArgs {
    const char *scene, *over[MOST], *results[MOST], *settings[MOST], *csv, *plot, *store;
    int over_count, result_count, setting_count, workers;
    bool quiet;
} SweepArgs;

static const struct argp_option options[] = {
    {"over", OPTION_OVER, "NAME=VALUES,...", 0, "Values to take: 20:60:5 (from, to, step), or a,b,c; may be repeated",
     0},
    {"result", OPTION_RESULT, "EXPRESSION", 0,
     "What to collect: max, min or mean of a glob over time, or the last value; may be "
     "given again",
     0},
    {"set", 's', "NAME=VALUE", 0, "A setting of all runs, as in rille run", 0},
    {"out", 'o', "FILE", 0, "The table as CSV", 0},
    {"plot", OPTION_PLOT, "FILE", 0, "The results over the first name: .svg or .png", 0},
    {"store", OPTION_STORE, "URL", 0, "Keep the runs, for rille campaign report, replay, ...", 0},
    {"workers", 'j', "N", 0, "Worker processes (default: one per processor)", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void keep(const char **list, int *count, const char *text, const char *what, struct argp_state *state)
{
    if (*count == MOST)
        argp_error(state, "there are more than %d of %s", MOST, what);
    list[(*count)++] = text;
}

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    SweepArgs *a = state->input;
    switch (key) {
    case OPTION_OVER:
        keep(a->over, &a->over_count, text, "--over", state);
        return 0;
    case OPTION_RESULT:
        keep(a->results, &a->result_count, text, "--result", state);
        return 0;
    case 's':
        if (!strchr(text, '='))
            argp_error(state, "--set: '%s' is not NAME=VALUE", text);
        keep(a->settings, &a->setting_count, text, "--set", state);
        return 0;
    case 'o':
        a->csv = text;
        return 0;
    case OPTION_PLOT:
        a->plot = text;
        return 0;
    case OPTION_STORE:
        a->store = text;
        return 0;
    case 'j':
        a->workers = campaign_int("--workers", text, 1, 4096);
        return 0;
    case 'q':
        a->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->scene)
            argp_error(state, "one scene is enough: '%s' follows '%s'", text, a->scene);
        a->scene = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->scene || !a->over_count || !a->result_count)
            argp_error(state, "a scene, --over and --result are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// ----------------------------------------------------------------------------------- as a campaign

/// A text in single quotes of YAML.
static void quote(FILE *out, const char *text, size_t size)
{
    fputc('\'', out);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'')
            fputc('\'', out);
        fputc(text[i], out);
    }
    fputc('\'', out);
}

/// "NAME=a:b:c" or "NAME=a,b": one dispersion. The values end before the next "NAME=".
static const char *write_over(FILE *out, const char *text)
{
    const char *equal = strchr(text, '=');
    if (!equal || equal == text)
        return NULL;
    const char *values = equal + 1, *next = strchr(values, '=');
    const char *end = values + strlen(values);
    if (next) { // back to the comma before the next name
        end = next;
        while (end > values && *end != ',')
            end--;
        if (*end != ',')
            return NULL;
    }
    fputs("  ", out);
    quote(out, text, (size_t)(equal - text));
    const bool grid = memchr(values, ':', (size_t)(end - values)) != NULL;
    fprintf(out, ": {%s: [", grid ? "grid" : "list");
    for (const char *at = values; at < end;) {
        size_t n = strcspn(at, grid ? ":" : ",");
        n = at + n > end ? (size_t)(end - at) : n;
        quote(out, at, n);
        at += n + 1;
        fputs(at < end ? ", " : "", out);
    }
    fputs("]}\n", out);
    return next ? end + 1 : "";
}

static bool write_plan(const SweepArgs *a, FILE *out)
{
    fprintf(out, "campaign: ");
    quote(out, a->scene, strlen(a->scene));
    fprintf(out, "\nscene: ");
    quote(out, a->scene, strlen(a->scene));
    fprintf(out, "\nsampling: grid\ndispersions:\n");
    for (int i = 0; i < a->over_count; i++)
        for (const char *rest = a->over[i]; *rest;) {
            rest = write_over(out, rest);
            if (!rest) {
                cli_error("--over: '%s' is not NAME=FROM:TO:STEP or NAME=A,B,...", a->over[i]);
                return false;
            }
        }
    fprintf(out, "results:\n");
    for (int i = 0; i < a->result_count; i++) {
        fprintf(out, "  result_%d: ", i + 1);
        quote(out, a->results[i], strlen(a->results[i]));
        fputc('\n', out);
    }
    fprintf(out, "set: {");
    for (int i = 0; i < a->setting_count; i++) {
        const char *equal = strchr(a->settings[i], '=');
        fputs(i ? ", " : "", out);
        quote(out, a->settings[i], (size_t)(equal - a->settings[i]));
        fputs(": ", out);
        quote(out, equal + 1, strlen(equal + 1));
    }
    fprintf(out, "}\nseed: 1\n");
    return true;
}

// -------------------------------------------------------------------------------------- the result

static void print_table(const Campaign *c, const SweepArgs *a, const RiTable *t)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    const RiCampaignPlan *p = c->plan;
    for (int i = 0; i < p->design.dimensions; i++)
        printf("%-16s ", p->dispersions[i].name);
    for (int i = 0; i < a->result_count; i++)
        printf("%24s ", a->results[i]);
    printf("\n");
    for (int k = 0; k < t->count; k++) {
        ri_campaign_sample(p, k, samples);
        for (int i = 0; i < p->design.dimensions; i++)
            printf("%-16s ", p->dispersions[i].words ? samples[i].value : samples[i].text);
        for (int i = 0; i < t->results; i++)
            printf("%24.9g ", t->values[i * t->count + k]);
        printf("%s\n", t->runs[k].status == RI_RUN_DONE ? "" : ri_run_status_name(t->runs[k].status));
    }
}

/// Results over the first dispersion, a curve for each combination of the others.
static RiStatus save_text(RiContext *ctx, const char *text, const char *path)
{
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
    int error = out ? 0 : errno;
    if (out) {
        (void)fputs(text, out); // closing says whether it failed
        error = ri_beside_close(&beside, true);
    }
    return error == 0 ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", path, strerror(error));
}

static CliExit draw(const Campaign *c, const SweepArgs *a, const RiTable *t)
{
    const RiCampaignPlan *p = c->plan;
    const int points = p->design.levels[0], others = t->count / points, curves = others * t->results;
    double *x = malloc((size_t)points * sizeof *x), *y = malloc((size_t)(curves * points + 1) * sizeof *y);
    RiCurve *list = calloc((size_t)curves + 1, sizeof *list);
    char(*names)[200] = calloc((size_t)curves + 1, sizeof *names);
    CliExit code = x && y && list && names ? CLI_DONE : cli_no_memory();
    for (int i = 0; code == CLI_DONE && i < curves; i++) {
        const int result = i / others, other = i % others;
        RiSample samples[RI_DESIGN_DIMENSIONS];
        for (int k = 0; k < points; k++) {
            ri_campaign_sample(p, k * others + other, samples);
            x[k] = samples[0].x;
            y[i * points + k] = t->values[result * t->count + k * others + other];
        }
        int n = snprintf(names[i], sizeof names[i], "%.80s", a->results[result]);
        for (int d = 1; d < p->design.dimensions && n < 150; d++)
            n += snprintf(names[i] + n, sizeof names[i] - (size_t)n, ", %.20s=%.20s", p->dispersions[d].name,
                          samples[d].value);
        list[i] = (RiCurve){names[i], "", x, y + (size_t)(i * points), points};
    }
    if (code == CLI_DONE) {
        RiPlot plot = ri_plot_default();
        plot.title = a->scene;
        plot.x_label = p->dispersions[0].name;
        plot.curves = list;
        plot.curve_count = curves;
        const size_t n = strlen(a->plot);
        RiStatus status;
        if (n > 4 && strcmp(a->plot + n - 4, ".png") == 0) {
            status = ri_plot_png(c->ctx, &plot, a->plot);
        } else {
            char *svg;
            status = ri_plot_svg(c->ctx, &plot, &svg);
            if (status == RI_OK)
                status = save_text(c->ctx, svg, a->plot);
            if (svg)
                ri_release(c->ctx, svg);
        }
        code = status == RI_OK ? CLI_DONE : cli_fail(c->ctx, status);
    }
    free(x);
    free(y);
    free(list);
    free(names);
    return code;
}

static CliExit save_csv(Campaign *c, const RiTable *t, const char *path)
{
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
    CliExit code = CLI_DONE;
    int error = out ? 0 : errno;
    if (out) {
        code = campaign_write_csv(c, t, out);
        error = ri_beside_close(&beside, code == CLI_DONE);
    }
    if (error == 0 || code != CLI_DONE)
        return code;
    cli_error("%s: cannot be written: %s", path, strerror(error));
    return CLI_ENVIRONMENT;
}

static CliExit show(Campaign *c, const SweepArgs *a)
{
    RiTable t;
    const RiStatus status = ri_store_table(c->store, c->plan, &t);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    CliExit code = CLI_DONE;
    print_table(c, a, &t);
    if (a->csv)
        code = save_csv(c, &t, a->csv);
    if (code == CLI_DONE && a->plot)
        code = draw(c, a, &t);
    for (int k = 0; k < t.count; k++)
        if (code == CLI_DONE && t.runs[k].status != RI_RUN_DONE)
            code = CLI_RUN_FAILED;
    ri_table_free(&t);
    return code;
}

static CliExit sweep(const SweepArgs *a, Campaign *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    const bool good = memory && write_plan(a, memory);
    if (!memory || fclose(memory) != 0 || !good) {
        free(text);
        return good ? cli_no_memory() : CLI_BAD_INPUT;
    }
    if (ri_context_create(NULL, &c->ctx) != RI_OK) {
        free(text);
        return cli_no_memory();
    }
    const RiStatus status = ri_campaign_parse(c->ctx, "sweep", text, size, &c->plan);
    free(text);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);

    CliExit code = campaign_find_scene(c, "./sweep");
    if (code == CLI_DONE)
        code = campaign_check(c);
    if (code == CLI_DONE)
        code = campaign_enter(c);
    if (code == CLI_DONE)
        code = campaign_coordinate(c);
    return code == CLI_DONE ? show(c, a) : code;
}

int cmd_sweep(int argc, char **argv)
{
    const struct argp argp = {
        .options = options,
        .parser = parse_word,
        .args_doc = "SCENE",
        .doc = "Runs a scene over all combinations of values.\n\n"
               "  rille sweep wheel_testbed --over 'load=2:6:2,slip=0.1,0.3' --result 'max(soil.*.sinkage)'"};
    SweepArgs a = {0};
    char folder[] = "/tmp/rille-sweep-XXXXXX", path[64], more[80];
    if (cli_parse(&argp, argc, argv, &a) != 0)
        return cli_no_memory();
    if (!a.store && !mkdtemp(folder)) {
        cli_error("no folder for the store can be made: %s", strerror(errno));
        return CLI_ENVIRONMENT;
    }
    snprintf(path, sizeof path, "%s/sweep.db", folder);
    const CampaignArgs args = {
        .store = a.store ? a.store : path, .workers = a.workers, .quiet = a.quiet, .lease = 30.0};
    Campaign c = {.args = &args};
    const CliExit code = sweep(&a, &c);
    campaign_close(&c);
    if (!a.store) {
        static const char *const endings[] = {"", "-wal", "-shm"};
        for (int i = 0; i < 3; i++) {
            snprintf(more, sizeof more, "%s%s", path, endings[i]);
            unlink(more);
        }
        rmdir(folder);
    }
    return code;
}
