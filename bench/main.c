// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille bench [NAME]`: measures Rille against other engines and against limits, in one
/// interleaved run.
#include <argp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/version.h>

#include "bench/bench_run.h"
#include "cli.h"

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2, EXIT_ENVIRONMENT = 3 };

typedef struct Bench {
    const char *name, *summary;
    double seconds; ///< expected duration with default settings
    void (*run)(BenchRun *run);
} Bench;

static const Bench benches[] = {
#define BENCH(name, seconds, summary) {#name, summary, seconds, bench_##name},
#include "bench/benches.def"
#undef BENCH
};
enum { BENCHES = sizeof benches / sizeof *benches };

typedef struct Request {
    BenchRun run;
    const char *name;  ///< of the bench; NULL: list them
    const char *peers; ///< folder; NULL: beside the program
    double timeout;    ///< [s]
} Request;

// --- options -------------------------------------------------------------------------------------

enum { OPTION_JSON = 256, OPTION_MARKDOWN, OPTION_SECONDS, OPTION_TIMEOUT, OPTION_ONLY };

static const struct argp_option options[] = {
    {"repeats", 'n', "N", 0, "Rounds through all engines (default 9)", 0},
    {"json", OPTION_JSON, NULL, 0, "One JSON object per line", 0},
    {"markdown", OPTION_MARKDOWN, NULL, 0, "A Markdown table", 0},
    {"peers", 'p', "DIR", 0, "Folder with the peer programs (default: bench/peers beside the program)", 0},
    {"only", OPTION_ONLY, "TEXT", 0, "Only cases whose name contains TEXT", 0},
    {"seconds", OPTION_SECONDS, "S", 0, "CPU time of one timing (default 0.05)", 0},
    {"timeout", OPTION_TIMEOUT, "S", 0, "Longest wait for a peer's answer (default 60)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

/// A number within [low, high], or an end with a message that says what is allowed.
static double number(const char *option, const char *text, double low, double high, const struct argp_state *state)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= low && value <= high))
        argp_error(state, "--%s: '%s' is not a number from %g to %g", option, text, low, high);
    return value;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    Request *request = state->input;
    switch (key) {
    case 'n':
        request->run.repeats = (int)number("repeats", text, 1, 1000, state);
        return 0;
    case 'p':
        request->peers = text;
        return 0;
    case OPTION_JSON:
        request->run.format = BENCH_JSON;
        return 0;
    case OPTION_MARKDOWN:
        request->run.format = BENCH_MARKDOWN;
        return 0;
    case OPTION_ONLY:
        request->run.only = text;
        return 0;
    case OPTION_SECONDS:
        request->run.seconds = number("seconds", text, 1e-6, 10, state);
        return 0;
    case OPTION_TIMEOUT:
        request->timeout = number("timeout", text, 0.1, 3600, state);
        return 0;
    case ARGP_KEY_ARG:
        if (request->name)
            argp_error(state, "one name is enough: '%s' follows '%s'", text, request->name);
        request->name = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- the run -------------------------------------------------------------------------------------

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool bench_wants(const BenchRun *run, const char *name)
{
    const bool wanted = !run->only || strstr(name, run->only);
    if (wanted && run->progress)
        fprintf(stderr, "\r\033[K%4.0f s  measuring %s\r", wall_clock() - run->start, name);
    return wanted;
}

void bench_emit(const BenchRun *run, const BenchRow *row)
{
    if (run->progress)
        fputs("\r\033[K", stderr); // the row takes the place of the progress line
    bench_print_row(stdout, run->format, row);
}

void bench_fail(BenchRun *run, const char *name, const char *why)
{
    fprintf(stderr, "rille bench: %s: %s\n", name, why);
    run->failed = true;
}

/// bench/peers beside the running program.
static bool peers_beside_program(char folder[PATH_MAX])
{
    static const char below[] = "/bench/peers";
    if (!cli_program_folder(folder) || strlen(folder) + sizeof below > PATH_MAX)
        return false;
    strcat(folder, below);
    return true;
}

/// A folder named by the user must exist; the one beside the program may be missing (built without
/// peers).
static int start_peers(Request *request)
{
    char folder[PATH_MAX];
    const char *chosen = request->peers;
    if (!chosen && peers_beside_program(folder))
        chosen = folder;
    const bool readable = chosen && bench_peers_start(&request->run.peers, chosen, request->timeout);
    if (!readable && request->peers) {
        fprintf(stderr, "rille bench: --peers: '%s' is not a folder that can be read\n", request->peers);
        return EXIT_BAD_INPUT;
    }
    if (request->run.peers.count == 0)
        fprintf(stderr,
                "rille bench: no peers in '%s': measuring Rille alone\n"
                "rille bench: 'tools/need.sh peers' in the source tree installs other engines, "
                "'cmake --build build --target peers' builds what measures them\n",
                chosen ? chosen : "bench/peers");
    return EXIT_SUCCESS;
}

/// Tables for people begin with what was measured on what.
static void print_settings(const BenchRun *run)
{
    if (run->format != BENCH_JSON)
        printf("Rille %s on one core of %s; medians of %d rounds of %g s.\n\n", ri_version(), bench_processor(),
               run->repeats, run->seconds);
}

/// Says on a terminal how long this may take.
static void start_progress(BenchRun *run)
{
    run->progress = isatty(STDERR_FILENO);
    run->start = wall_clock();
    if (run->progress && run->expected > 0.0 && !run->only)
        fprintf(stderr, "rille bench %s: about %.0f s on an idle machine\n", run->bench, run->expected);
}

static int list_benches(void)
{
    printf("Benches (rille bench NAME), and how long each takes:\n");
    for (int i = 0; i < BENCHES; i++)
        printf("  %-10s %4.0f s  %s\n", benches[i].name, benches[i].seconds, benches[i].summary);
    return EXIT_SUCCESS;
}

static int run_bench(Request *request, const Bench *bench)
{
    BenchRun *run = &request->run;
    run->bench = bench->name;
    run->expected = bench->seconds * run->repeats / 9.0 * run->seconds / 0.05;
    const int status = start_peers(request);
    if (status != EXIT_SUCCESS)
        return status;
    start_progress(run);
    print_settings(run);
    bench_print_head(stdout, run->format);
    bench->run(run);
    bench_peers_stop(&run->peers);
    if (run->progress)
        fprintf(stderr, "\r\033[Krille bench %s: took %.0f s\n", run->bench, wall_clock() - run->start);
    if (fflush(stdout) != 0 || ferror(stdout))
        return EXIT_ENVIRONMENT;
    return run->failed ? EXIT_RUN_FAILED : EXIT_SUCCESS;
}

static int find_and_run(Request *request)
{
    const char *names[BENCHES];
    for (int i = 0; i < BENCHES; i++) {
        if (strcmp(benches[i].name, request->name) == 0)
            return run_bench(request, &benches[i]);
        names[i] = benches[i].name;
    }
    const char *near = ri_nearest_name(request->name, names, BENCHES);
    cli_error("there is no bench '%s'%s%s%s ('rille bench' lists them)", request->name, near ? "; did you mean '" : "",
              near ? near : "", near ? "'?" : "");
    return EXIT_BAD_INPUT;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {.options = options,
                                     .parser = parse_option,
                                     .args_doc = "[NAME]",
                                     .doc = "Measure Rille against other engines and against hardware limits."};
    Request request = {.run = {.repeats = 9, .seconds = 0.05}, .timeout = 60.0};
    static char program[] = "rille bench"; // what usage messages show
    argv[0] = program;
    argp_err_exit_status = EXIT_BAD_INPUT;
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return EXIT_BAD_INPUT;
    return request.name ? find_and_run(&request) : list_benches();
}
