// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille bench [NAME]`: measures Rille against other engines and against limits, in one interleaved run.
#include <argp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rille/version.h>

#include "bench_run.h"

int cmd_bench(int argc, char **argv);

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2, EXIT_ENVIRONMENT = 3 };

static const struct {
    const char *name, *summary;
    void (*run)(BenchRun *run);
} benches[] = {
    {"dynamics", "forward and inverse dynamics, Jacobians, factor and contact matrix; growth, peak share, loading",
     bench_dynamics},
    {"snake", "snakes with screws, controllers and a log on a height field and between walls, against MuJoCo",
     bench_snake},
    {"rover", "stances per second on a DEM, a driven MER on a height field against real time and MuJoCo", bench_rover},
    {"soil", "one soil node, one wheel, one screw, a six-wheeled rover on soft soil with ruts", bench_soil},
    {"view", "what a watching page costs, bytes on the wire, opening a log of an hour", bench_view},
    {"sim", "a tick with 30 controllers and a log, writing records, starting a scene", bench_sim},
    {"contact", "contact problems with exact friction against Siconos: cold, along a trajectory, growth",
     bench_contact},
    {"terrain", "distance grids, closest points, baking and the cache, height fields, stones, large maps",
     bench_terrain},
};

typedef struct Request {
    BenchRun run;
    const char *name;  ///< of the bench; NULL: list them
    const char *peers; ///< folder; NULL: beside the program
    double timeout;    ///< [s]
} Request;

// --- options -------------------------------------------------------------------------------------------------------

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

// --- the run -------------------------------------------------------------------------------------------------------

bool bench_wants(const BenchRun *run, const char *name)
{
    const bool wanted = !run->only || strstr(name, run->only);
    if (wanted && isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO))
        fprintf(stderr, "measuring %s\n", name);
    return wanted;
}

void bench_emit(const BenchRun *run, const BenchRow *row)
{
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
    const ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - sizeof below);
    if (n <= 0)
        return false;
    folder[n] = '\0';
    strcpy(strrchr(folder, '/'), below);
    return true;
}

/// A folder named by the user must exist; the one beside the program may be missing (built without peers).
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
        fprintf(stderr, "rille bench: no peers in '%s': measuring Rille alone\n", chosen ? chosen : "bench/peers");
    return EXIT_SUCCESS;
}

/// The processor's name as the kernel tells it, "unknown processor" where it does not.
static void processor_name(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown processor");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (f)
        fclose(f);
}

/// Tables for people begin with what was measured on what.
static void print_settings(const BenchRun *run)
{
    char processor[128];
    if (run->format == BENCH_JSON)
        return;
    processor_name(processor, sizeof processor);
    printf("Rille %s on one core of %s; medians of %d rounds of %g s.\n\n", ri_version(), processor, run->repeats,
           run->seconds);
}

static int list_benches(void)
{
    printf("Benches (rille bench NAME):\n");
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        printf("  %-12s %s\n", benches[i].name, benches[i].summary);
    return EXIT_SUCCESS;
}

static int run_bench(Request *request)
{
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
        if (strcmp(benches[i].name, request->name) != 0)
            continue;
        request->run.bench = benches[i].name;
        const int status = start_peers(request);
        if (status != EXIT_SUCCESS)
            return status;
        print_settings(&request->run);
        bench_print_head(stdout, request->run.format);
        benches[i].run(&request->run);
        bench_peers_stop(&request->run.peers);
        if (fflush(stdout) != 0 || ferror(stdout))
            return EXIT_ENVIRONMENT;
        return request->run.failed ? EXIT_RUN_FAILED : EXIT_SUCCESS;
    }
    fprintf(stderr, "rille bench: there is no bench '%s'; 'rille bench' lists them\n", request->name);
    return EXIT_BAD_INPUT;
}

int cmd_bench(int argc, char **argv)
{
    static const struct argp argp = {.options = options,
                                     .parser = parse_option,
                                     .args_doc = "[NAME]",
                                     .doc = "Measures Rille against other engines and against limits."};
    Request request = {.run = {.repeats = 9, .seconds = 0.05}, .timeout = 60.0};
    static char program[] = "rille bench"; // argv outlives this function
    argv[0] = program;
    argp_err_exit_status = EXIT_BAD_INPUT;
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return EXIT_BAD_INPUT;
    return request.name ? run_bench(&request) : list_benches();
}
