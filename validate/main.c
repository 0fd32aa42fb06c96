// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille validate [CASE...]`: published figures beside ours, as a table or as JSON lines.
///
/// Exit status: 0 no row failed, 1 some row failed, 2 bad input, 3 out of memory.
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "validate/validate.h"

enum { EXIT_PASSED = 0, EXIT_FAILED = 1, EXIT_BAD_INPUT = 2, EXIT_ENVIRONMENT = 3, OPTION_QUICK = 0x100, OPTION_PLOTS };

typedef struct Options {
    bool json, list, quick;
    const char *plots;
    char **names;
    int name_count;
} Options;

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    Options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case 'l':
        o->list = true;
        return 0;
    case OPTION_QUICK:
        o->quick = true;
        return 0;
    case OPTION_PLOTS:
        o->plots = arg;
        return 0;
    case ARGP_KEY_ARGS:
        o->names = state->argv + state->next;
        o->name_count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"json", 'j', NULL, 0, "Print one JSON object per line", 0},
    {"list", 'l', NULL, 0, "List the cases and stop", 0},
    {"plots", OPTION_PLOTS, "DIR", 0, "Write pictures of measured and computed values into a folder (case soil)", 0},
    {"quick", OPTION_QUICK, NULL, 0, "Skip slow cases", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static const struct argp argp = {
    option_list,
    parse_option,
    "[CASE...]",
    "Compare this build with published and closed-form results.\v"
    "Without CASE all cases run. A row passes if our value lies in the band [low, high], both ends included. The band "
    "follows from the digits of the reference and the order of the integrator. Exit status: 0 no row failed, 1 some "
    "row "
    "failed, 2 bad input, 3 out of memory.",
    NULL,
    NULL,
    NULL,
};

// --- JSON ----------------------------------------------------------------------------------------

static void print_string(const char *key, const char *text)
{
    printf("\"%s\": \"", key);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    putchar('"');
}

/// JSON has no NaN and no infinity: null.
static void print_number(const char *key, double x)
{
    if (isfinite(x))
        printf("\"%s\": %.17g", key, x);
    else
        printf("\"%s\": null", key);
}

static void print_json(const RiRow *r)
{
    putchar('{');
    print_string("case", r->case_name);
    fputs(", ", stdout);
    print_string("quantity", r->quantity);
    fputs(", ", stdout);
    print_string("unit", r->unit);
    fputs(", ", stdout);
    print_number("published", r->published);
    fputs(", ", stdout);
    print_number("low", r->low);
    fputs(", ", stdout);
    print_number("high", r->high);
    fputs(", ", stdout);
    print_number("ours", r->ours);
    fputs(", ", stdout);
    print_string("verdict", ri_verdict_name(r->verdict));
    fputs(", ", stdout);
    print_string("use", ri_row_use_name(r->use));
    fputs(", ", stdout);
    print_string("source", r->source);
    puts("}");
}

// --- table ---------------------------------------------------------------------------------------

/// A heading when the case changes, then one line per row. A bound is shown as "<= 1e-6", a figure
/// with the difference.
static void print_line(const RiRow *r, const char **last_case)
{
    if (*last_case != r->case_name) {
        printf("\n%s  (%s)\n%-8s%-68s%20s%20s%11s  %s\n", r->case_name, r->source, "", "quantity", "published", "ours",
               "off by", "unit");
        *last_case = r->case_name;
    }
    const char *verdict = ri_verdict_name(r->verdict);
    if (r->verdict == RI_VERDICT_SKIPPED || isnan(r->published))
        printf("%-8s%s\n", verdict, r->quantity);
    else if (r->is_bound)
        printf("%-8s%-68s%6s%14.9g%20.12g%11s  %s\n", verdict, r->quantity, "<=", r->high, r->ours, "", r->unit);
    else
        printf("%-8s%-68s%20.12g%20.12g%11.1e  %s\n", verdict, r->quantity, r->published, r->ours,
               r->ours - r->published, r->unit);
}

typedef struct Printer {
    bool json, progress; ///< progress: standard error is a terminal
    const char *last_case;
} Printer;

static void print_row(void *user, const RiRow *row)
{
    Printer *p = user;
    if (p->progress)
        fputs("\r\033[K", stderr); // the row takes the place of the progress line
    if (p->json)
        print_json(row);
    else
        print_line(row, &p->last_case);
    fflush(stdout); // a long case shows its rows as they come
}

// --- command -------------------------------------------------------------------------------------

static void print_list(bool json)
{
    for (int i = 0; i < ri_validate_count(); i++) {
        const RiValidateCase *c = ri_validate_get(i);
        if (json) {
            putchar('{');
            print_string("case", c->name);
            fputs(", ", stdout);
            print_string("summary", c->summary);
            fputs(", ", stdout);
            print_string("source", c->source);
            puts("}");
        } else {
            printf("%-20s%5.0f s  %s%s\n", c->name, c->seconds, c->summary, c->slow ? " (not in --quick)" : "");
        }
    }
}

static bool names_are_known(const Options *o)
{
    enum { MOST = 256 };
    const char *known[MOST];
    const int count = ri_validate_count() < MOST ? ri_validate_count() : MOST;
    for (int i = 0; i < count; i++)
        known[i] = ri_validate_get(i)->name;
    for (int i = 0; i < o->name_count; i++)
        if (!ri_validate_find(o->names[i])) {
            const char *near = ri_nearest_name(o->names[i], known, count);
            cli_error("there is no case '%s'%s%s%s (--list shows them)", o->names[i], near ? "; did you mean '" : "",
                      near ? near : "", near ? "'?" : "");
            return false;
        }
    return true;
}

/// The i-th case that was asked for.
static const RiValidateCase *wanted_case(const Options *o, int i)
{
    return o->name_count ? ri_validate_find(o->names[i]) : ri_validate_get(i);
}

static RiStatus run_cases(RiValidation *run, const Options *o)
{
    const Printer *p = run->user;
    const int count = o->name_count ? o->name_count : ri_validate_count();
    double total = 0.0;
    for (int i = 0; i < count; i++)
        total += o->quick && wanted_case(o, i)->slow ? 0.0 : wanted_case(o, i)->seconds;
    if (p->progress)
        fprintf(stderr, "rille validate: %d cases, about %.0f s on an idle machine\n", count, total);
    for (int i = 0; i < count; i++) {
        const RiValidateCase *c = wanted_case(o, i);
        if (p->progress)
            fprintf(stderr, "\r\033[K[%d of %d] %s (about %.0f s)\r", i + 1, count, c->name, c->seconds);
        RI_TRY(ri_validate_run(run, c));
    }
    if (p->progress)
        fputs("\r\033[K", stderr);
    return RI_OK;
}

static bool plots_can_be_written(const char *folder)
{
    char reason[128];
    if (!folder || mkdir(folder, 0777) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr, "rille validate: --plots %s: cannot make the folder: %s\n", folder,
            strerror_r(errno, reason, sizeof reason));
    return false;
}

static int validate(const Options *o)
{
    if (!plots_can_be_written(o->plots))
        return EXIT_BAD_INPUT;
    Printer printer = {.json = o->json, .progress = isatty(STDERR_FILENO)};
    char robots[PATH_MAX], data[PATH_MAX];
    cli_data_folder("robots", robots);
    cli_data_path(data);
    RiValidation run = {.sink = print_row,
                        .user = &printer,
                        .quick = o->quick,
                        .plots = o->plots,
                        .robots = *robots ? robots : NULL,
                        .data = *data ? data : NULL};
    RiStatus status = ri_context_create(NULL, &run.ctx);
    if (status == RI_OK)
        status = run_cases(&run, o);
    ri_context_destroy(run.ctx);
    if (status != RI_OK) {
        fprintf(stderr, "rille validate: %s\n", ri_status_text(status));
        return EXIT_ENVIRONMENT;
    }
    if (!o->json)
        printf("\n%d passed, %d failed, %d skipped\n", run.passed, run.failed, run.skipped);
    return run.failed ? EXIT_FAILED : EXIT_PASSED;
}

int main(int argc, char **argv)
{
    Options options = {0};
    static char name[] = "rille validate"; // what usage messages show
    argp_err_exit_status = EXIT_BAD_INPUT;
    argv[0] = name;
    const error_t bad = argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (bad || !names_are_known(&options))
        return EXIT_BAD_INPUT;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // numbers with a point, whatever the user's language
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    int code = EXIT_PASSED;
    if (options.list)
        print_list(options.json);
    else
        code = validate(&options);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) { // a full disk or a closed pipe must not look like success
        fprintf(stderr, "rille validate: cannot write the output\n");
        return EXIT_ENVIRONMENT;
    }
    return code;
}
