// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille study tilt-table`: FIDO's campaign on the tilt table, beside what was measured and what
/// ROAMS made of it.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <rille/memory.h>

#include "cli.h"
#include "commands.h"
#include "json.h"
#include "run/run.h"
#include "study/study.h"
#include "study/study_contact.h"

typedef struct StudyRequest {
    const char *kind, *out, *scene, *ends;
    bool json, tune, quick, by_ends, regimes;
    int threads, every;
    double seed;
    RiSetting *settings;
    int setting_count;
} StudyRequest;

enum {
    OPTION_JSON = 256,
    OPTION_OUT,
    OPTION_TUNE,
    OPTION_THREADS,
    OPTION_SEED,
    OPTION_SET,
    OPTION_EVERY,
    OPTION_QUICK,
    OPTION_SCORE,
    OPTION_ENDS,
    OPTION_REGIMES,
    OPTION_SCENE
};

static const struct argp_option study_options[] = {
    {"json", OPTION_JSON, NULL, 0, "One JSON object", 0},
    {"out", OPTION_OUT, "FOLDER", 0, "Write figures 5 to 8 and a table of all runs", 0},
    {"tune", OPTION_TUNE, NULL, 0, "Tune the five soil parameters on half of the drives first", 0},
    {"score", OPTION_SCORE, "ranges|ends", 0,
     "With --tune: by FIDO's ranges of slip (default), or by final places and headings", 0},
    {"ends", OPTION_ENDS, "FILE", 0,
     "With --score=ends: measured ends, test,ahead_m,aside_m,heading_deg (default: the commanded ones)", 0},
    {"regimes", OPTION_REGIMES, NULL, 0, "With --tune: parameters of their own for every slope", 0},
    {"scene", OPTION_SCENE, "SCENE", 0, "Another scene with the same parameters, such as fido_mosaic", 0},
    {"quick", OPTION_QUICK, NULL, 0, "Only every 17th run", 0},
    {"every", OPTION_EVERY, "N", 0, "With --tune: use only every N-th run of that half (default 1)", 0},
    {"threads", OPTION_THREADS, "N", 0, "Default: the processor's, at most 64", 0},
    {"seed", OPTION_SEED, "N", 0, "Of the soil's scatter (default 1)", 0},
    {"set", OPTION_SET, "NAME=VALUE", 0, "A parameter of the scene fido_tilt_table, or any other setting of it", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static double whole(const char *text, const char *option, double least, double most, struct argp_state *state)
{
    double x;
    if (!cli_parse_number(text, &x) || x != floor(x) || x < least || x > most)
        argp_error(state, "%s is '%s', it must be a whole number from %g to %g", option, text, least, most);
    return x;
}

static error_t parse_study_option(int key, char *text, struct argp_state *state)
{
    StudyRequest *r = state->input;
    switch (key) {
    case OPTION_JSON:
        r->json = true;
        return 0;
    case OPTION_OUT:
        r->out = text;
        return 0;
    case OPTION_TUNE:
        r->tune = true;
        return 0;
    case OPTION_QUICK:
        r->quick = true;
        return 0;
    case OPTION_SCORE:
        if (strcmp(text, "ranges") != 0 && strcmp(text, "ends") != 0)
            argp_error(state, "--score is '%s', it must be ranges or ends", text);
        r->by_ends = strcmp(text, "ends") == 0;
        return 0;
    case OPTION_ENDS:
        r->ends = text;
        return 0;
    case OPTION_REGIMES:
        r->regimes = true;
        return 0;
    case OPTION_SCENE:
        r->scene = text;
        return 0;
    case OPTION_EVERY:
        r->every = (int)whole(text, "--every", 1, 20, state);
        return 0;
    case OPTION_THREADS:
        r->threads = (int)whole(text, "--threads", 1, 64, state);
        return 0;
    case OPTION_SEED:
        r->seed = whole(text, "--seed", 0, 1e9, state);
        return 0;
    case OPTION_SET:
        return cli_add_setting(&r->settings, &r->setting_count, text, state);
    case ARGP_KEY_ARG:
        if (r->kind)
            argp_error(state, "one study at a time: '%s' follows '%s'", text, r->kind);
        r->kind = text;
        return 0;
    case ARGP_KEY_END:
        if (!r->kind || strcmp(r->kind, "tilt-table") != 0)
            argp_error(state, "which study? Known are: contact-models, rock-fields, tilt-table");
        if ((r->by_ends || r->ends || r->regimes) && !r->tune)
            argp_error(state, "--score, --ends and --regimes belong to --tune");
        if (r->ends && !r->by_ends)
            argp_error(state, "--ends belongs to --score=ends");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- progress ------------------------------------------------------------------------------------

static void show_progress(void *user, int done, int of)
{
    enum { WIDTH = 40 };
    (void)user;
    if (isatty(STDERR_FILENO)) {
        char bar[WIDTH + 1];
        for (int i = 0; i < WIDTH; i++)
            bar[i] = i < WIDTH * done / of ? '#' : '.';
        bar[WIDTH] = '\0';
        fprintf(stderr, "\r[%s] %d of %d runs%s", bar, done, of, done == of ? "\n" : "");
    } else if (10 * done / of != 10 * (done - 1) / of) {
        fprintf(stderr, "%3d %%  %d of %d runs\n", 100 * done / of, done, of);
    }
}

static void tell_tuning(void *user, const char *phase, int evaluation, const RiTiltSet *set, double score, double best)
{
    (void)user;
    fprintf(stderr, "%-9s %3d  score %8.4f  best %8.4f ", phase, evaluation, score, best);
    for (int i = 0; i < RI_TILT_PARAMETERS; i++)
        fprintf(stderr, " %s %.4g", ri_tilt_parameter_name(i), set->x[i]);
    fprintf(stderr, "\n");
}

// --- output --------------------------------------------------------------------------------------

/// Whether the other half's range meets the claim: inside FIDO's up to 10 degrees, at 20 degrees at
/// least 10 to 50 %.
static bool holds(int slope, RiTiltRange r)
{
    const RiTiltRange fido = ri_tilt_fido(slope);
    return slope < 3 ? r.low >= fido.low && r.high <= fido.high : r.low <= 10.0 && r.high >= 50.0;
}

static int count_unfinished(const RiTiltCampaign *c)
{
    int count = 0;
    for (int i = 0; i < c->run_count; i++)
        count += c->runs[i].made && !c->runs[i].done;
    return count;
}

static int count_made(const RiTiltCampaign *c)
{
    int count = 0;
    for (int i = 0; i < c->run_count; i++)
        count += c->runs[i].made;
    return count;
}

static void print_set(const RiTiltSet *set)
{
    printf("Soil:");
    for (int i = 0; i < RI_TILT_PARAMETERS; i++)
        printf("%s %s %.6g%s%s", i ? "," : "", ri_tilt_parameter_name(i), set->x[i],
               *ri_tilt_parameter_unit(i) ? " " : "", ri_tilt_parameter_unit(i));
    printf("\n");
}

static void print_table(const RiTiltCampaign *c)
{
    printf("\nTable 1: slip of the drives in %% of the commanded length\n\n");
    printf("%-8s %12s %12s %16s %16s   %s\n", "slope", "FIDO", "ROAMS", "Rille, tuned", "Rille, other", "claim");
    printf("%-8s %12s %12s %16s %16s\n", "", "min - max", "min - max", "min - max", "min - max");
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        const RiTiltRange f = ri_tilt_fido(slope), r = ri_tilt_roams(slope), a = ri_tilt_slip(c, slope, 1),
                          b = ri_tilt_slip(c, slope, 0);
        printf("%-8s %5.0f - %4.0f %5.0f - %4.0f %8.2f - %5.2f %8.2f - %5.2f   %s: %s\n", ri_tilt_slope_name(slope),
               f.low, f.high, r.low, r.high, a.low, a.high, b.low, b.high,
               slope < 3 ? "inside FIDO's range" : "covers 10 to 50 %", holds(slope, b) ? "holds" : "DOES NOT HOLD");
    }
}

/// Errors of the final places, along the first heading (X) and to its left (Y).
static void print_places(const RiTiltCampaign *c)
{
    printf("\nDrives: error of the final place against the command [cm]\n\n");
    printf("%-8s %8s %8s %8s %8s\n", "slope", "X mean", "X worst", "Y mean", "Y worst");
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        const RiTiltPlaces p = ri_tilt_places(c, slope);
        printf("%-8s %8.1f %8.1f %8.1f %8.1f\n", ri_tilt_slope_name(slope), 100.0 * p.ahead, 100.0 * p.worst_ahead,
               100.0 * p.aside, 100.0 * p.worst_aside);
    }
}

/// Mean and worst heading errors, against the bounds that the paper gives for ROAMS.
static void print_headings(const RiTiltCampaign *c, bool turns)
{
    const double deg = 180.0 / M_PI;
    printf("\n%s\n\n%-8s %8s %8s   %s\n",
           turns ? "Turns in place: heading error in % of the turn" : "Drives: heading error in deg", "slope", "mean",
           "worst", "ROAMS against FIDO (published)");
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        double sum = 0.0, worst = 0.0;
        int n = 0;
        for (int i = 0; i < c->run_count; i++) {
            const RiTiltTest *t = &c->tests[c->runs[i].test];
            if (t->turns != turns || t->slope != slope || !c->runs[i].made)
                continue;
            const double error = turns ? c->runs[i].slip : fabs(c->runs[i].heading) * deg;
            sum += error;
            worst = fmax(worst, error);
            n++;
        }
        printf("%-8s %8.2f %8.2f   %s\n", ri_tilt_slope_name(slope), sum / n, worst,
               slope == 3 ? (turns ? "7 of 18 tests above 10, worst 34" : "12 of 20 tests above 6, worst 21")
                          : (turns ? "usually below 10" : "usually below 6"));
    }
}

static void print_text(const RiTiltCampaign *c, const RiTiltSet *set, const RiTiltSet *regimes, double seconds)
{
    printf("FIDO on the tilt table: %d tests, %d runs, %.1f s\n", c->test_count, count_made(c), seconds);
    for (int slope = 0; slope < RI_TILT_SLOPES && regimes; slope++) {
        printf("%s: ", ri_tilt_slope_name(slope));
        print_set(&regimes[slope]);
    }
    if (!regimes)
        print_set(set);
    print_table(c);
    print_places(c);
    print_headings(c, false);
    print_headings(c, true);
    if (count_unfinished(c))
        printf("\n%d runs were not complete when their time was over.\n", count_unfinished(c));
    printf("\nFitted: the soil's five numbers, to FIDO's slip ranges; docs/tilt-table.md tells how. Predicted: "
           "headings and turns, and\n"
           "after --tune the slips of the other half. FIDO's single runs are not public: ranges are compared, not "
           "runs.\n");
}

static void json_range(Json *j, const char *key, RiTiltRange r)
{
    const double x[2] = {r.low, r.high};
    json_numbers(j, key, x, 2);
}

static void print_json(const RiTiltCampaign *c, const RiTiltSet *set, double seconds)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_int(&j, "tests", c->test_count);
    json_int(&j, "runs", count_made(c));
    json_int(&j, "unfinished", count_unfinished(c));
    json_number(&j, "seconds", seconds);
    json_open(&j, "soil", '{');
    for (int i = 0; i < RI_TILT_PARAMETERS; i++)
        json_number(&j, ri_tilt_parameter_name(i), set->x[i]);
    json_close(&j, '}');
    json_open(&j, "slip_percent", '[');
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        const RiTiltRange other = ri_tilt_slip(c, slope, 0);
        json_open(&j, NULL, '{');
        json_string(&j, "slope", ri_tilt_slope_name(slope));
        json_range(&j, "fido", ri_tilt_fido(slope));
        json_range(&j, "roams", ri_tilt_roams(slope));
        json_range(&j, "tuned_half", ri_tilt_slip(c, slope, 1));
        json_range(&j, "other_half", other);
        json_int(&j, "holds", holds(slope, other));
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
}

// --- the command ---------------------------------------------------------------------------------

/// One tuning: over all slopes, or over that of o->slope.
static RiStatus tune(RiContext *ctx, const StudyRequest *r, const RiTiltEnd *ends, int end_count, RiTiltOptions *o)
{
    RiTiltTuning tuning;
    RiTiltTuneOptions t = {.runs = *o, .optimise = study_optimiser(), .told = tell_tuning};
    t.runs.progress = NULL;
    t.runs.stride = r->every;
    t.by_ends = r->by_ends;
    t.ends = ends;
    t.end_count = end_count;
    fprintf(stderr, "Tuning on every %d-th drive of the first half; optimiser: %s\n", r->every, study_optimiser_name());
    RI_TRY(ri_tilt_tune(ctx, &t, &tuning));
    o->set = tuning.set;
    fprintf(stderr, "%d evaluations, score %.4f\n", tuning.evaluations, tuning.score);
    return RI_OK;
}

/// The same for every slope by itself where that is asked for.
static RiStatus tune_all(RiContext *ctx, const StudyRequest *r, RiTiltSet regimes[RI_TILT_SLOPES], RiTiltOptions *o)
{
    static RiTiltEnd ends[RI_TILT_TESTS];
    int count = 0;
    if (r->ends)
        RI_TRY(study_read_ends(ctx, r->ends, ends, RI_TILT_TESTS, &count));
    if (!r->regimes)
        return tune(ctx, r, ends, count, o);
    for (int slope = 0; slope < RI_TILT_SLOPES; slope++) {
        RiTiltOptions one = *o;
        one.slope = slope;
        fprintf(stderr, "%s: ", ri_tilt_slope_name(slope));
        RI_TRY(tune(ctx, r, ends, count, &one));
        regimes[slope] = one.set;
    }
    o->regimes = regimes;
    return RI_OK;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static RiStatus write_files(RiContext *ctx, const char *folder, const RiTiltCampaign *c)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be made: %s", folder, strerror(errno));
    RI_TRY(study_write_runs(ctx, folder, c));
    return study_draw(ctx, folder, c);
}

static RiStatus study(RiContext *ctx, const StudyRequest *r, RiTiltCampaign *c)
{
    char scene[PATH_MAX];
    RiTiltSet regimes[RI_TILT_SLOPES];
    const char *name = r->scene ? r->scene : "fido_tilt_table";
    if (!cli_find_scene(name, scene))
        return ri_error(ctx, RI_ERR_NOT_FOUND, "the study needs the scene %s", name);
    RiTiltOptions o = ri_tilt_options_default();
    o.scene = scene;
    o.settings = r->settings;
    o.setting_count = r->setting_count;
    o.seed = (unsigned long long)r->seed;
    o.threads = r->threads;
    o.progress = show_progress;
    if (r->tune)
        RI_TRY(tune_all(ctx, r, regimes, &o));
    o.stride = r->quick ? 17 : 1;
    ri_tilt_plan(c);
    const double begin = now();
    RI_TRY(ri_tilt_run(ctx, &o, c));
    const double seconds = now() - begin;
    if (r->json)
        print_json(c, &o.set, seconds);
    else
        print_text(c, &o.set, o.regimes, seconds);
    if (!r->out)
        return RI_OK;
    RI_TRY(write_files(ctx, r->out, c));
    return study_draw_ways(ctx, r->out, &o, c);
}

int cmd_study(int argc, char **argv)
{
    static const struct argp parser = {
        .options = study_options,
        .parser = parse_study_option,
        .args_doc = "tilt-table\ncontact-models [OPTION...]\nrock-fields [OPTION...]",
        .doc = "contact-models compares contact models on one rover (options: 'rille study contact-models --help'). "
               "rock-fields drives a navigating rover through random rock fields. "
               "tilt-table makes all runs of FIDO's campaign on the tilt table (Huntsberger et al.): drives and turns "
               "in place at "
               "four slopes, "
               "and prints slip and heading errors beside those of the rover and of ROAMS.",
    };
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    StudyRequest request = {.threads = processors < 1    ? 1
                                       : processors > 64 ? 64
                                                         : (int)processors,
                            .seed = 1.0,
                            .every = 1};
    RiContext *ctx;
    char name[] = "rille study contact-models";
    if (argc > 1 && strcmp(argv[1], "contact-models") == 0) {
        argv[1] = name;
        return cmd_study_contact(argc - 1, argv + 1);
    }
    char rocks[] = "rille study rock-fields";
    if (argc > 1 && strcmp(argv[1], "rock-fields") == 0) {
        argv[1] = rocks;
        return cmd_study_rock_fields(argc - 1, argv + 1);
    }
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&parser, argc, argv, &request) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    RiTiltCampaign *campaign = calloc(1, sizeof *campaign);
    const RiStatus status = campaign ? study(ctx, &request, campaign) : ri_error_memory(ctx);
    const int code = status == RI_OK ? CLI_DONE : cli_fail(ctx, status);
    free(campaign);
    free(request.settings);
    ri_context_destroy(ctx);
    return code;
}
