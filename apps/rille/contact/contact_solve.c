// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille contact solve FILE...`: solves discrete contact problems, by our solver, one of Siconos'
/// or all of them, and judges the answers by the one residual.
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rille/cone_file.h>

#include "cli.h"
#include "contact/contact.h"
#include "contact/contact_answer.h"
#include "siconos.h"

enum { OPT_SOLVER = 0x100, OPT_TOLERANCE, OPT_LIMIT, OPT_JSON, OPT_WRITE, OPT_OUT };

/// Who is asked.
typedef enum Choice { OURS = -1, ANY_SICONOS = SICONOS_SOLVERS, EVERYONE } Choice;
enum { MOST_ANSWERS = 1 + SICONOS_SOLVERS };

typedef struct SolveArgs {
    char *const *files;
    int file_count;
    const char *write, *out;
    int choice; ///< a Choice or a SiconosSolver
    RiConeOptions options;
    bool json;
} SolveArgs;

// --- options -------------------------------------------------------------------------------------

static const struct argp_option options[] = {
    {"solver", OPT_SOLVER, "NAME", 0,
     "ours (default); siconos, the first of its solvers that succeeds; siconos-nsgs, siconos-nsn_ac, siconos-admm; "
     "all, side by side",
     0},
    {"tolerance", OPT_TOLERANCE, "X", 0, "Largest residual of a solved problem (default 1e-10)", 0},
    {"max-iterations", OPT_LIMIT, "N", 0, "Iterations at most (default 20000)", 0},
    {"json", OPT_JSON, NULL, 0, "Everything as JSON; of several files a sequence", 0},
    {"out", OPT_OUT, "FILE", 0, "Also write the solution as CSV, of one file", 0},
    {"write", OPT_WRITE, "FILE", 0, "Also write the problem in the text format, of one file", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static int parse_solver(const char *text, const struct argp_state *state)
{
    if (strcmp(text, "ours") == 0)
        return OURS;
    if (strcmp(text, "siconos") == 0)
        return ANY_SICONOS;
    if (strcmp(text, "all") == 0)
        return EVERYONE;
    for (int k = 0; k < SICONOS_SOLVERS; k++)
        if (strncmp(text, "siconos-", 8) == 0 && strcmp(text + 8, siconos_solver_name((SiconosSolver)k)) == 0)
            return k;
    argp_error(state,
               "--solver: '%s' is not known; known are ours, siconos, siconos-nsgs, siconos-nsn_ac, siconos-admm, all",
               text);
    return OURS;
}

static double parse_range(const char *option, const char *text, double low, double high, const struct argp_state *state)
{
    double value;
    if (!cli_parse_number(text, &value) || !(value >= low && value <= high))
        argp_error(state, "--%s: '%s' is not a number from %g to %g", option, text, low, high);
    return value;
}

static int parse_limit(const char *text, const struct argp_state *state)
{
    const double value = parse_range("max-iterations", text, 1, 1e8, state);
    if (value != floor(value))
        argp_error(state, "--max-iterations: '%s' is not a whole number", text);
    return (int)value;
}

static void check_files(const SolveArgs *args, const struct argp_state *state)
{
    if (args->file_count == 0)
        argp_error(state, "which file? Siconos' text format (.dat) or FCLIB's HDF5; - is the standard input");
    if (args->file_count > 1 && (args->out || args->write))
        argp_error(state, "--%s takes one problem, %d files are given", args->out ? "out" : "write", args->file_count);
    if (args->choice == EVERYONE && args->out)
        argp_error(state, "--out takes one solution, --solver all gives several");
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    SolveArgs *args = state->input;
    switch (key) {
    case OPT_SOLVER:
        args->choice = parse_solver(text, state);
        return 0;
    case OPT_TOLERANCE:
        args->options.tolerance = parse_range("tolerance", text, 1e-16, 1.0, state);
        return 0;
    case OPT_LIMIT:
        args->options.max_iterations = parse_limit(text, state);
        return 0;
    case OPT_JSON:
        args->json = true;
        return 0;
    case OPT_OUT:
        args->out = text;
        return 0;
    case OPT_WRITE:
        args->write = text;
        return 0;
    case ARGP_KEY_ARGS:
        args->files = state->argv + state->next;
        args->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check_files(args, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- solving -------------------------------------------------------------------------------------

/// Solutions are repeated for so long [s], less where there are many files, in batches so long that
/// the clock's steps do not matter.
static const double TIME_TO_MEASURE = 0.05, TIME_OF_MANY = 0.005, TIME_OF_BATCH = 5e-4;
enum { MANY = 20 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// One solution from nothing.
typedef void SolveOnce(void *solver, const SolveArgs *args, const RiConeProblem *p, Answer *a);

/// CPU time of one solution, from the fastest batch; at least one is done.
static void measure(SolveOnce *once, void *solver, const SolveArgs *args, const RiConeProblem *p, Answer *a)
{
    const double stop = cpu_seconds() + (args->file_count < MANY ? TIME_TO_MEASURE : TIME_OF_MANY);
    int batch = 1;
    a->seconds = INFINITY;
    do {
        const double start = cpu_seconds();
        for (int k = 0; k < batch; k++)
            once(solver, args, p, a);
        const double taken = cpu_seconds() - start;
        if (taken >= TIME_OF_BATCH)
            a->seconds = fmin(a->seconds, taken / batch);
        else
            batch *= 2;
    } while (cpu_seconds() < stop || !(a->seconds < INFINITY));
}

static void once_ours(void *solver, const SolveArgs *args, const RiConeProblem *p, Answer *a)
{
    ri_cone_solve(solver, p, &args->options, a->r, a->u, &a->result);
}

static RiStatus solve_ours(RiContext *ctx, const SolveArgs *args, const RiConeProblem *p, Answer *a)
{
    RiConeSolver *solver;
    RI_TRY(ri_cone_solver_create(ctx, p->n, 0, &solver));
    measure(once_ours, solver, args, p, a);
    ri_cone_solver_destroy(solver);
    snprintf(a->solver, sizeof a->solver, "ours");
    a->ours = true;
    return RI_OK;
}

static void once_siconos(void *solver, const SolveArgs *args, const RiConeProblem *p, Answer *a)
{
    (void)args;
    memset(a->r, 0, 3 * (size_t)p->n * sizeof *a->r);
    memset(a->u, 0, 3 * (size_t)p->n * sizeof *a->u);
    a->verdict = siconos_solve(solver, a->r, a->u);
}

static void solve_siconos(const SolveArgs *args, const RiConeProblem *p, SiconosSolver which, Answer *a)
{
    const char *why;
    snprintf(a->solver, sizeof a->solver, "siconos-%s", siconos_solver_name(which));
    Siconos *s = siconos_open(p, which, false, args->options.tolerance, args->options.max_iterations, &why);
    a->missing = !s;
    a->result = (RiConeResult){.end = RI_CONE_STALLED};
    if (!s) {
        snprintf(a->result.reason, sizeof a->result.reason, "%s", why);
        return;
    }
    measure(once_siconos, s, args, p, a);
    a->result.iterations = siconos_iterations(s);
    a->result.residual = ri_cone_residual(p, a->r, a->u);
    if (a->result.residual <= args->options.tolerance)
        a->result.end = RI_CONE_SOLVED;
    else
        snprintf(a->result.reason, sizeof a->result.reason, "residual %.3g, wanted %.3g; its own verdict is %d",
                 a->result.residual, args->options.tolerance, a->verdict);
    siconos_close(s);
}

/// The better of two answers, by the one residual.
static bool is_better(const Answer *a, const Answer *than)
{
    return a->result.residual < than->result.residual || !(than->result.residual >= 0.0);
}

/// The answers of the solvers of Siconos that are asked for, the first behind room for ours. Where
/// any will do, the first that solves it, else the best, becomes the only one.
static RiStatus ask_siconos(RiContext *ctx, const SolveArgs *args, Answers *all)
{
    Answer *best = NULL;
    for (int k = 0; k < SICONOS_SOLVERS; k++) {
        Answer *a = &all->answer[1 + k];
        if (args->choice < SICONOS_SOLVERS && args->choice != k)
            continue;
        solve_siconos(args, all->problem, (SiconosSolver)k, a);
        if (a->missing && args->choice != EVERYONE)
            return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s", a->result.reason);
        best = !best || is_better(a, best) ? a : best;
        if (args->choice == ANY_SICONOS && a->result.end == RI_CONE_SOLVED)
            break;
    }
    if (args->choice != EVERYONE)
        all->answer = best;
    return RI_OK;
}

/// Fills the answers that were asked for.
static RiStatus solve(RiContext *ctx, const SolveArgs *args, Answers *all)
{
    all->count = args->choice == EVERYONE ? MOST_ANSWERS : 1;
    if (args->choice == OURS || args->choice == EVERYONE)
        RI_TRY(solve_ours(ctx, args, all->problem, all->answer));
    return args->choice == OURS ? RI_OK : ask_siconos(ctx, args, all);
}

// --- the command ---------------------------------------------------------------------------------

static RiStatus show(RiContext *ctx, const SolveArgs *args, const Answers *all, Json *j)
{
    const Answer *a = all->answer;
    if (args->json)
        answers_print_json(all, j);
    else if (args->choice == EVERYONE)
        answers_print_comparison(all);
    else
        (args->file_count > 1 ? answer_print_line : answer_print_table)(all, a);
    if (a->result.end != RI_CONE_SOLVED)
        cli_error("%s: %s: %s", all->file, ri_cone_end_name(a->result.end), a->result.reason);
    if (args->out && !answer_write_csv(all, a, args->out))
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", args->out, strerror(errno));
    return RI_OK;
}

/// Solves and shows a problem; room for the answers is taken here.
static RiStatus answer(RiContext *ctx, const SolveArgs *args, const char *file, const RiConeProblem *p, Json *j,
                       bool *out_solved)
{
    const size_t n3 = 3 * (size_t)p->n;
    Answer answers[MOST_ANSWERS] = {0};
    Answers all = {.file = file, .problem = p, .tolerance = args->options.tolerance, .answer = answers};
    double *room = calloc(2 * n3 * MOST_ANSWERS, sizeof *room);
    RiStatus status = room ? RI_OK : ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    for (size_t k = 0; room && k < MOST_ANSWERS; k++) {
        answers[k].r = room + 2 * k * n3;
        answers[k].u = answers[k].r + n3;
    }
    if (status == RI_OK && args->write)
        status = ri_cone_file_save(ctx, args->write, p);
    if (status == RI_OK)
        status = solve(ctx, args, &all);
    *out_solved = status == RI_OK && all.answer->result.end == RI_CONE_SOLVED;
    if (status == RI_OK)
        status = show(ctx, args, &all, j);
    free(room);
    return status;
}

static CliExit work(RiContext *ctx, const SolveArgs *args, const char *file, Json *j)
{
    RiConeFile *problem;
    bool solved = false;
    RiStatus status = ri_cone_file_load(ctx, strcmp(file, "-") == 0 ? "/dev/stdin" : file, &problem);
    if (status == RI_OK)
        status = answer(ctx, args, file, ri_cone_file_problem(problem), j, &solved);
    ri_cone_file_destroy(problem);
    return status != RI_OK ? cli_fail(ctx, status) : solved ? CLI_DONE : CLI_RUN_FAILED;
}

/// All files, whatever became of those before; the exit code is the largest.
static CliExit work_all(RiContext *ctx, const SolveArgs *args)
{
    Json j = {.out = stdout};
    CliExit worst = CLI_DONE;
    int solved = 0;
    const bool many = args->file_count > 1;
    if (args->json && many)
        json_open(&j, NULL, '[');
    for (int k = 0; k < args->file_count; k++) {
        const CliExit code = work(ctx, args, args->files[k], &j);
        solved += code == CLI_DONE;
        worst = code > worst ? code : worst;
    }
    if (args->json && many)
        json_close(&j, ']');
    else if (many)
        printf("%d of %d solved\n", solved, args->file_count);
    return worst;
}

int contact_solve(int argc, char **argv)
{
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "FILE...",
        .doc =
            "Solves discrete contact problems with exact Coulomb friction: u = W r + q, r in its cone, (u_N + mu "
            "|u_T|, u_T) in the dual cone and normal to r. FILE is Siconos' text format or FCLIB's HDF5, - the "
            "standard input. Shows what each contact does, reactions, velocities, the natural map's residual, "
            "status and time.\v"
            "Ends with 0 if all were solved, 1 if one was not, 2 if a file is wrong, 3 if something is missing here.",
    };
    SolveArgs args = {.choice = OURS, .options = ri_cone_options_default()};
    RiContext *ctx;
    argp_err_exit_status = CLI_BAD_INPUT;
    if (cli_parse(&parser, argc, argv, &args) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const CliExit code = work_all(ctx, &args);
    ri_context_destroy(ctx);
    return code;
}
