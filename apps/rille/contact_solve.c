// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille contact solve FILE`: solves a discrete contact problem, by our solver or one of Siconos', and judges the answer by the one residual.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "contact.h"
#include "json.h"
#include "siconos.h"

enum { OPT_SOLVER = 0x100, OPT_TOLERANCE, OPT_LIMIT, OPT_JSON, OPT_WRITE };

typedef struct SolveArgs {
    const char *file, *write;
    int siconos; ///< -1: ours; SICONOS_SOLVERS: whichever solves it
    RiConeOptions options;
    bool json;
} SolveArgs;

/// What a solver answered.
typedef struct Answer {
    double *r, *u; ///< 3n each
    RiConeResult result;
    char solver[32];
    double seconds; ///< CPU time of one solution from nothing; the least of several
} Answer;

// --- options -------------------------------------------------------------------------------------------------------

static const struct argp_option options[] = {
    {"solver", OPT_SOLVER, "NAME", 0,
     "ours (default); siconos, the first of its solvers that succeeds; siconos-nsgs, siconos-nsn_ac, siconos-admm", 0},
    {"tolerance", OPT_TOLERANCE, "X", 0, "Residual that counts as solved (default 1e-10)", 0},
    {"max-iterations", OPT_LIMIT, "N", 0, "Iterations at most (default 20000)", 0},
    {"json", OPT_JSON, NULL, 0, "Everything as JSON", 0},
    {"write", OPT_WRITE, "FILE", 0, "Also write the problem in the text format", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static int parse_solver(const char *text, const struct argp_state *state)
{
    if (strcmp(text, "ours") == 0)
        return -1;
    if (strcmp(text, "siconos") == 0)
        return SICONOS_SOLVERS;
    for (int k = 0; k < SICONOS_SOLVERS; k++)
        if (strncmp(text, "siconos-", 8) == 0 && strcmp(text + 8, siconos_solver_name((SiconosSolver)k)) == 0)
            return k;
    argp_error(state,
               "--solver: '%s' is not known; known are ours, siconos, siconos-nsgs, siconos-nsn_ac, siconos-admm",
               text);
    return -1;
}

static double parse_range(const char *option, const char *text, double low, double high, const struct argp_state *state)
{
    double value;
    if (!cli_parse_number(text, &value) || !(value >= low && value <= high))
        argp_error(state, "--%s: '%s' is not a number from %g to %g", option, text, low, high);
    return value;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    SolveArgs *args = state->input;
    switch (key) {
    case OPT_SOLVER:
        args->siconos = parse_solver(text, state);
        return 0;
    case OPT_TOLERANCE:
        args->options.tolerance = parse_range("tolerance", text, 1e-16, 1.0, state);
        return 0;
    case OPT_LIMIT:
        args->options.max_iterations = (int)parse_range("max-iterations", text, 1, 1e8, state);
        return 0;
    case OPT_JSON:
        args->json = true;
        return 0;
    case OPT_WRITE:
        args->write = text;
        return 0;
    case ARGP_KEY_ARG:
        if (args->file)
            argp_error(state, "one file is enough: '%s' follows '%s'", text, args->file);
        args->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!args->file)
            argp_error(state, "which file? Siconos' text format (.dat) or FCLIB's HDF5");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// --- solving -------------------------------------------------------------------------------------------------------

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static RiStatus solve_ours(RiContext *ctx, const SolveArgs *args, const RiConeProblem *p, Answer *a)
{
    RiConeSolver *solver;
    RI_TRY(ri_cone_solver_create(ctx, p->n, 0, &solver));
    const double stop = cpu_seconds() + 0.05;
    a->seconds = INFINITY;
    do {
        const double start = cpu_seconds();
        ri_cone_solve(solver, p, &args->options, a->r, a->u, &a->result);
        a->seconds = fmin(a->seconds, cpu_seconds() - start);
    } while (cpu_seconds() < stop);
    ri_cone_solver_destroy(solver);
    snprintf(a->solver, sizeof a->solver, "ours");
    return RI_OK;
}

static RiStatus solve_siconos(RiContext *ctx, const SolveArgs *args, const RiConeProblem *p, SiconosSolver which,
                              Answer *a)
{
    const char *why;
    Siconos *s = siconos_open(p, which, false, args->options.tolerance, args->options.max_iterations, &why);
    if (!s)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s", why);
    memset(a->r, 0, 3 * (size_t)p->n * sizeof *a->r);
    memset(a->u, 0, 3 * (size_t)p->n * sizeof *a->u);
    const double start = cpu_seconds();
    const int verdict = siconos_solve(s, a->r, a->u);
    a->seconds = cpu_seconds() - start;
    a->result = (RiConeResult){.iterations = siconos_iterations(s)};
    a->result.residual = ri_cone_residual(p, a->r, a->u);
    const bool solved = a->result.residual <= args->options.tolerance;
    a->result.end = solved ? RI_CONE_SOLVED : RI_CONE_STALLED;
    if (!solved)
        snprintf(a->result.reason, sizeof a->result.reason, "residual %.3g, wanted %.3g; its own verdict is %d",
                 a->result.residual, args->options.tolerance, verdict);
    snprintf(a->solver, sizeof a->solver, "siconos-%s", siconos_solver_name(which));
    siconos_close(s);
    return RI_OK;
}

static RiStatus solve(RiContext *ctx, const SolveArgs *args, const RiConeProblem *p, Answer *a)
{
    if (args->siconos < 0)
        return solve_ours(ctx, args, p, a);
    if (args->siconos < SICONOS_SOLVERS)
        return solve_siconos(ctx, args, p, (SiconosSolver)args->siconos, a);
    for (int k = 0; k < SICONOS_SOLVERS; k++) {
        RI_TRY(solve_siconos(ctx, args, p, (SiconosSolver)k, a));
        if (a->result.end == RI_CONE_SOLVED)
            break;
    }
    return RI_OK;
}

// --- output --------------------------------------------------------------------------------------------------------

static const char *state_name(const RiConeProblem *p, const Answer *a, int i)
{
    double scale = 0.0;
    for (int k = 0; k < 3 * p->n; k++)
        scale += p->q[k] * p->q[k];
    return ri_cone_contact_name(ri_cone_contact(a->r + 3 * i, a->u + 3 * i, 1e-9 * sqrt(scale)));
}

static void print_table(const SolveArgs *args, const RiConeProblem *p, const Answer *a)
{
    const RiConeResult *x = &a->result;
    printf("%s: %d contacts, %s by %s: residual %.3g (wanted %.3g), %d iterations, %.3g us\n", args->file, p->n,
           ri_cone_end_name(x->end), a->solver, x->residual, args->options.tolerance, x->iterations, 1e6 * a->seconds);
    if (args->siconos < 0)
        printf(
            "%d sweeps, %d Newton steps, %d matrices factored, %d interior steps, %d passes of splitting, %d proximal "
            "points\n",
            x->sweeps, x->newton, x->factors, x->interior, x->splitting, x->proximal);
    printf("\n%4s %-6s %8s %14s %14s %14s %14s %14s %14s\n", "", "", "mu", "r_N", "r_T1", "r_T2", "u_N", "u_T1",
           "u_T2");
    for (int i = 0; i < p->n; i++) {
        const double *r = a->r + 3 * i, *u = a->u + 3 * i;
        printf("%4d %-6s %8.4g %14.7g %14.7g %14.7g %14.7g %14.7g %14.7g\n", i, state_name(p, a, i), p->mu[i], r[0],
               r[1], r[2], u[0], u[1], u[2]);
    }
}

static void print_json(const SolveArgs *args, const RiConeProblem *p, const Answer *a)
{
    Json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_string(&j, "file", args->file);
    json_int(&j, "contacts", p->n);
    json_string(&j, "solver", a->solver);
    json_string(&j, "status", ri_cone_end_name(a->result.end));
    json_string(&j, "reason", a->result.reason);
    json_number(&j, "residual", a->result.residual);
    json_number(&j, "tolerance", args->options.tolerance);
    json_int(&j, "iterations", a->result.iterations);
    json_int(&j, "sweeps", a->result.sweeps);
    json_int(&j, "newton", a->result.newton);
    json_int(&j, "factors", a->result.factors);
    json_int(&j, "interior", a->result.interior);
    json_int(&j, "splitting", a->result.splitting);
    json_int(&j, "proximal", a->result.proximal);
    json_number(&j, "microseconds", 1e6 * a->seconds);
    json_open(&j, "contact", '[');
    for (int i = 0; i < p->n; i++)
        json_string(&j, NULL, state_name(p, a, i));
    json_close(&j, ']');
    json_numbers(&j, "mu", p->mu, p->n);
    json_numbers(&j, "reaction", a->r, 3 * p->n);
    json_numbers(&j, "velocity", a->u, 3 * p->n);
    json_close(&j, '}');
}

// --- the command ---------------------------------------------------------------------------------------------------

static RiStatus work(RiContext *ctx, const SolveArgs *args, RiConeEnd *out_end)
{
    RiConeFile *file;
    RI_TRY(ri_cone_file_load(ctx, args->file, &file));
    const RiConeProblem *p = ri_cone_file_problem(file);
    Answer a = {.r = calloc(6 * (size_t)p->n, sizeof *a.r)};
    a.u = a.r ? a.r + 3 * p->n : NULL;
    RiStatus status = a.r ? RI_OK : ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    if (status == RI_OK && args->write)
        status = ri_cone_file_save(ctx, args->write, p);
    if (status == RI_OK)
        status = solve(ctx, args, p, &a);
    if (status == RI_OK) {
        (args->json ? print_json : print_table)(args, p, &a);
        *out_end = a.result.end;
        if (a.result.end != RI_CONE_SOLVED)
            cli_error("%s: %s: %s", args->file, ri_cone_end_name(a.result.end), a.result.reason);
    }
    free(a.r);
    ri_cone_file_destroy(file);
    return status;
}

int contact_solve(int argc, char **argv)
{
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "FILE",
        .doc = "Solves a discrete contact problem with exact Coulomb friction: u = W r + q, r in its cone, u + mu "
               "|u_T| in the "
               "dual cone and normal to r. FILE is Siconos' text format or FCLIB's HDF5. Ends with 1 if it was not "
               "solved.",
    };
    SolveArgs args = {.siconos = -1, .options = ri_cone_options_default()};
    RiConeEnd end = RI_CONE_SOLVED;
    RiContext *ctx;
    argp_err_exit_status = CLI_BAD_INPUT;
    if (argp_parse(&parser, argc, argv, 0, NULL, &args) != 0)
        return CLI_BAD_INPUT;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return cli_no_memory();
    const RiStatus status = work(ctx, &args, &end);
    const int code = status != RI_OK ? cli_fail(ctx, status) : end == RI_CONE_SOLVED ? CLI_DONE : CLI_RUN_FAILED;
    ri_context_destroy(ctx);
    return code;
}
