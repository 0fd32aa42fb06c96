// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact problems with exact friction, ours against Siconos Numerics in the same run: the same
/// problems, brought to the same residual, which ri_cone_residual measures for both.
///
/// Siconos takes part with NSGS, NSN_AC and ADMM, its matrix dense and, where most of it is zero,
/// also by blocks; what does not reach the residual does not count, and the fastest of the rest is
/// the peer. Cold: from r = 0. Trajectory: velocities change a little from problem to problem and
/// every solver starts from its last reactions.
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rille/rille.h>

#include "bench/bench_run.h"
#include "bench/cone_cases.h"
#include "bench/cone_heap.h"
#include "bench/engine.h"
#include "siconos.h"

enum { STEPS = 100, STEPS_LARGE = 10, ENTRANTS = 2 * SICONOS_SOLVERS, MOST_LARGE = 100 };

/// First solutions as short as this say nothing about speed: code and memory are cold [s].
#define FIRST_SECONDS 0.02

/// A problem under measurement.
typedef struct Subject {
    RiContext *ctx;
    const RiConeProblem *problem; ///< as the solvers of Siconos get it
    RiConeProblem ours;           ///< by blocks where most are zero
    int *row, *column;
    double *block;
    double *r, *u; ///< 3n each
    double *path;  ///< `steps` vectors q; NULL: none
    int steps;
    RiConeSolver *solver;
    RiConeOptions options;
    RiConeResult worst; ///< of the solutions timed
    double tolerance;
    bool sparse;
} Subject;

// --- ours ----------------------------------------------------------------------------------------

static void close_subject(Subject *s)
{
    ri_cone_solver_destroy(s->solver);
    free(s->row);
    free(s->column);
    free(s->block);
    free(s->r);
    free(s->path);
}

/// Stores the blocks that are not zero, if they are less than half.
static void compress(Subject *s)
{
    const RiConeProblem *p = s->problem;
    int count = 0;
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < p->n; j++) {
            double *b = s->block + 9 * (size_t)count;
            bool any = i == j;
            ri_cone_block(p, i, j, b);
            for (int k = 0; k < 9; k++)
                any |= b[k] != 0.0;
            s->column[count] = j;
            count += any;
        }
        s->row[i + 1] = count;
    }
    s->sparse = 2 * count < p->n * p->n;
    s->ours = *p;
    if (s->sparse)
        s->ours.W = NULL, s->ours.row = s->row, s->ours.column = s->column, s->ours.block = s->block;
}

static bool open_subject(Subject *s, RiContext *ctx, const RiConeProblem *problem, double tolerance)
{
    const size_t n = (size_t)problem->n;
    *s = (Subject){.ctx = ctx, .problem = problem, .tolerance = tolerance, .options = ri_cone_options_default()};
    s->options.tolerance = tolerance;
    s->row = calloc(n + 1, sizeof *s->row);
    s->column = calloc(n * n + 1, sizeof *s->column);
    s->block = calloc(9 * (n * n + 1), sizeof *s->block);
    s->r = calloc(6 * n, sizeof *s->r);
    if (!s->row || !s->column || !s->block || !s->r || ri_cone_solver_create(ctx, problem->n, 0, &s->solver) != RI_OK) {
        close_subject(s);
        return false;
    }
    s->u = s->r + 3 * n;
    compress(s);
    return true;
}

static void note(Subject *s, const RiConeResult *result)
{
    if (result->end != RI_CONE_SOLVED && s->worst.end == RI_CONE_SOLVED)
        s->worst = *result;
}

static void solve_cold(void *subject)
{
    Subject *s = subject;
    RiConeResult result;
    ri_cone_solve(s->solver, &s->ours, &s->options, s->r, s->u, &result);
    note(s, &result);
}

/// Along the path and back, so that a round ends where it began.
static const double *path_q(const Subject *s, int k)
{
    const int at = k < s->steps ? k : 2 * s->steps - 1 - k;
    return s->path + (size_t)at * 3 * (size_t)s->problem->n;
}

static void follow(void *subject)
{
    Subject *s = subject;
    RiConeProblem p = s->ours;
    RiConeOptions options = s->options;
    RiConeResult result;
    options.warm = true;
    for (int k = 0; k < 2 * s->steps; k++) {
        p.q = path_q(s, k);
        ri_cone_solve(s->solver, &p, &options, s->r, s->u, &result);
        note(s, &result);
    }
}

// --- Siconos -------------------------------------------------------------------------------------

typedef struct Entrant {
    Siconos *siconos; ///< NULL: out
    char name[32];
    double first; ///< time of its first solution [s]
} Entrant;

/// Siconos tells the standard error of singular matrices; not now. Returns what `speak` needs.
static int hush(void)
{
    fflush(stderr);
    const int kept = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY);
    if (nothing >= 0)
        dup2(nothing, STDERR_FILENO);
    close(nothing);
    return kept;
}

static void speak(int kept)
{
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
}

/// CPU seconds of one solution from r = 0, or of the path; INFINITY if a residual is above the
/// tolerance (with a hundredth to spare) or it takes longer than `most`.
static double run_siconos(const Subject *s, Siconos *z, double most)
{
    const size_t bytes = 3 * (size_t)s->problem->n * sizeof(double);
    RiConeProblem p = *s->problem;
    double spent = 0.0;
    bool good = true;
    memset(s->r, 0, bytes);
    memset(s->u, 0, bytes);
    for (int k = s->path ? -1 : 0; k < (s->path ? 2 * s->steps : 1) && good; k++) { // the first of a path is not timed
        if (s->path) {
            p.q = path_q(s, k < 0 ? 0 : k);
            siconos_set_q(z, p.q);
        }
        const double start = bench_cpu_seconds();
        siconos_solve(z, s->r, s->u);
        spent += k < 0 ? 0.0 : bench_cpu_seconds() - start;
        good = ri_cone_residual(&p, s->r, s->u) <= 1.01 * s->tolerance && spent <= most;
    }
    return good ? spent : INFINITY;
}

/// Opens the solvers that reach the residual at all and are not three times slower than another;
/// returns how many.
static int enter(const Subject *s, Entrant entrants[ENTRANTS])
{
    double best = INFINITY;
    int count = 0;
    const char *why;
    for (int k = 0; k < ENTRANTS; k++) {
        Entrant *e = &entrants[count];
        const SiconosSolver which = (SiconosSolver)(k % SICONOS_SOLVERS);
        const bool blocks = k >= SICONOS_SOLVERS, large = s->problem->n > MOST_LARGE;
        if ((blocks && !s->sparse) || (large && (which == SICONOS_ADMM || (which == SICONOS_NSN_AC && !blocks))))
            continue; // these take seconds to minutes where NSGS takes tenths
        e->siconos = siconos_open(s->problem, which, blocks, s->tolerance, which == SICONOS_NSN_AC ? 300 : 10000, &why);
        if (!e->siconos)
            continue;
        snprintf(e->name, sizeof e->name, "%s%s", siconos_solver_name(which), blocks ? " by blocks" : "");
        e->first = run_siconos(s, e->siconos, fmax(FIRST_SECONDS, 3.0 * best));
        best = fmin(best, e->first);
        if (isfinite(e->first))
            count++;
        else
            siconos_close(e->siconos);
    }
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (entrants[k].first <= fmax(FIRST_SECONDS, 3.0 * best))
            entrants[kept++] = entrants[k];
        else
            siconos_close(entrants[k].siconos);
    }
    return kept;
}

/// Microseconds per solution; small problems are repeated.
static double time_siconos(const BenchRun *run, const Subject *s, Siconos *z)
{
    double spent = 0.0;
    int count = 0;
    while (spent < run->seconds && count < 100000) {
        spent += run_siconos(s, z, INFINITY);
        count++;
    }
    return 1e6 * spent / count;
}

// --- rows ----------------------------------------------------------------------------------------

/// Times ours and Siconos' round by round and emits a row.
static void compare(BenchRun *run, const char *name, Subject *s, double bar)
{
    Entrant entrants[ENTRANTS];
    double ours[64], theirs[ENTRANTS][64], spread[ENTRANTS], best = INFINITY;
    const int repeats = run->repeats < 64 ? run->repeats : 64, per_call = s->path ? 2 * s->steps : 1;
    int fastest = -1;
    const int kept = hush(), count = enter(s, entrants);
    for (int k = 0; k < repeats; k++) {
        if (s->path)
            solve_cold(s);
        ours[k] = bench_time(s->path ? follow : solve_cold, s, run->seconds) / per_call;
        for (int e = 0; e < count; e++)
            theirs[e][k] = time_siconos(run, s, entrants[e].siconos) / per_call;
    }
    speak(kept);
    BenchRow row = bench_row(run->bench, name, "us", repeats);
    row.ours = bench_median(ours, repeats, &row.spread);
    for (int e = 0; e < count; e++) {
        const double median = bench_median(theirs[e], repeats, &spread[e]);
        if (median < best)
            best = median, fastest = e;
    }
    if (fastest >= 0) {
        row.peer = "siconos";
        row.peer_name = entrants[fastest].name;
        row.peer_value = best;
        row.peer_spread = spread[fastest];
        row.ratio = best / row.ours;
        row.bar = bar;
    }
    row.valid = s->worst.end == RI_CONE_SOLVED;
    bench_emit(run, &row);
    if (!row.valid)
        bench_fail(run, name, s->worst.reason);
    for (int e = 0; e < count; e++)
        siconos_close(entrants[e].siconos);
}

// --- families ------------------------------------------------------------------------------------

static ConeCase *make_case(const char *family, int n, uint64_t number)
{
    return strcmp(family, "free") == 0    ? cone_case_free(n, number)
           : strcmp(family, "snake") == 0 ? cone_case_snake(n, number)
                                          : cone_case_feet(n, number);
}

static void measure_case(BenchRun *run, RiContext *ctx, const char *family, int n)
{
    char name[64];
    Subject s;
    snprintf(name, sizeof name, "%s%d.cold", family, n);
    if (!bench_wants(run, name))
        return;
    ConeCase *c = make_case(family, n, 1);
    if (!c || !open_subject(&s, ctx, &c->problem, 1e-8)) {
        bench_fail(run, name, "out of memory");
        cone_case_destroy(c);
        return;
    }
    compare(run, name, &s, 3.0);
    close_subject(&s);
    cone_case_destroy(c);
}

/// Velocities that swing by a twentieth of themselves, each coordinate with its own phase.
static bool make_path(Subject *s, ConeCase *c)
{
    double *motion = calloc((size_t)c->v, sizeof *motion);
    s->steps = c->n >= MOST_LARGE ? STEPS_LARGE : STEPS;
    s->path = calloc((size_t)s->steps * 3 * (size_t)c->n, sizeof *s->path);
    for (int k = 0; motion && s->path && k < s->steps; k++) {
        for (int i = 0; i < c->v; i++)
            motion[i] = c->free_motion[i] * (1.0 + 0.05 * sin(2.0 * M_PI * k / STEPS + i));
        cone_case_q(c, motion);
        memcpy(s->path + (size_t)k * 3 * (size_t)c->n, c->q, 3 * (size_t)c->n * sizeof *c->q);
    }
    free(motion);
    return motion && s->path;
}

static void measure_path(BenchRun *run, RiContext *ctx, const char *family, int n)
{
    char name[64];
    Subject s = {0};
    snprintf(name, sizeof name, "%s%d.trajectory", family, n);
    if (!bench_wants(run, name))
        return;
    ConeCase *c = make_case(family, n, 1);
    if (!c || !open_subject(&s, ctx, &c->problem, 1e-8) || !make_path(&s, c)) {
        bench_fail(run, name, "out of memory");
    } else {
        compare(run, name, &s, 10.0);
        close_subject(&s);
    }
    cone_case_destroy(c);
}

// --- files ---------------------------------------------------------------------------------------

static void measure_file(BenchRun *run, RiContext *ctx, const char *file)
{
    char name[96], path[PATH_MAX];
    const char *data = getenv("RILLE_DATA");
    Subject s;
    RiConeFile *f;
    snprintf(name, sizeof name, "%.*s.cold", (int)strcspn(strrchr(file, '/') + 1, "-."), strrchr(file, '/') + 1);
    if (!bench_wants(run, name))
        return;
    snprintf(path, sizeof path, "%s/%s", data ? data : RILLE_SOURCE_DIR "/../shared/data", file);
    if (access(path, R_OK) != 0) {
        fprintf(stderr, "rille bench: %s: skipped, %s is not there (RILLE_DATA)\n", name, path);
        return;
    }
    if (ri_cone_file_load(ctx, path, &f) != RI_OK) {
        bench_fail(run, name, ri_context_message(ctx));
        return;
    }
    if (open_subject(&s, ctx, ri_cone_file_problem(f), 1e-10)) {
        compare(run, name, &s, 3.0);
        close_subject(&s);
    }
    ri_cone_file_destroy(f);
}

// --- sparse and large ----------------------------------------------------------------------------

typedef struct HeapSubject {
    RiConeSolver *solver;
    const ConeHeap *heap;
    double *r, *u;
    RiConeResult result;
} HeapSubject;

static void solve_heap(void *subject)
{
    HeapSubject *s = subject;
    RiConeOptions options = ri_cone_options_default();
    options.tolerance = 1e-8;
    ri_cone_solve(s->solver, &s->heap->problem, &options, s->r, s->u, &s->result);
}

/// A heap of ten layers, without a matrix however few contacts it has.
static void measure_heap(BenchRun *run, RiContext *ctx, int width)
{
    enum { LAYERS = 10, VAST = 4001 };
    char name[64];
    double us[64];
    const int repeats = run->repeats < 64 ? run->repeats : 64;
    snprintf(name, sizeof name, "heap%dx%dx%d.cold", width, width, LAYERS);
    if (!bench_wants(run, name))
        return;
    ConeHeap *h = cone_heap(width, LAYERS, 0.6, 0.1, 1);
    HeapSubject s = {.heap = h, .r = h ? calloc(6 * (size_t)h->n, sizeof *s.r) : NULL};
    if (!s.r || ri_cone_solver_create(ctx, h->n > VAST ? h->n : VAST, h->blocks, &s.solver) != RI_OK) {
        bench_fail(run, name, "out of memory");
    } else {
        s.u = s.r + 3 * h->n;
        for (int k = 0; k < repeats; k++)
            us[k] = bench_time(solve_heap, &s, 0.2 * run->seconds);
        BenchRow row = bench_row(run->bench, name, "us", repeats);
        row.ours = bench_median(us, repeats, &row.spread);
        if (s.result.end != RI_CONE_SOLVED)
            bench_fail(run, name, s.result.reason);
        else
            bench_emit(run, &row);
    }
    ri_cone_solver_destroy(s.solver);
    free(s.r);
    cone_heap_destroy(h);
}

// --- growth --------------------------------------------------------------------------------------

/// Time of 400 contacts over that of 100, each a mean over seeds since single problems are of
/// different difficulty; quadratic growth is 16.
static void measure_growth(BenchRun *run, RiContext *ctx, const char *family)
{
    enum { SEEDS = 5 };
    char name[64];
    double ratios[64];
    const int repeats = run->repeats < 64 ? run->repeats : 64;
    snprintf(name, sizeof name, "%s.growth_100_to_400", family);
    if (!bench_wants(run, name))
        return;
    for (int k = 0; k < repeats; k++) {
        double us[2] = {0.0, 0.0};
        for (int i = 0; i < 2 * SEEDS; i++) {
            const int n = i % 2 ? 400 : 100;
            ConeCase *c = make_case(family, n, (uint64_t)(i / 2 + 1));
            Subject s;
            if (c && open_subject(&s, ctx, &c->problem, 1e-8)) {
                us[i % 2] += bench_time(solve_cold, &s, 0.2 * run->seconds);
                if (s.worst.end != RI_CONE_SOLVED)
                    bench_fail(run, name, s.worst.reason);
                close_subject(&s);
            }
            cone_case_destroy(c);
        }
        ratios[k] = us[1] / us[0];
    }
    BenchRow row = bench_row(run->bench, name, "times", repeats);
    row.peer = "limit";
    row.peer_value = 16.0;
    row.ours = bench_median(ratios, repeats, &row.spread);
    row.ratio = row.peer_value / row.ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

void bench_contact(BenchRun *run)
{
    enum { FOLLOWED = 2 }; // families with trajectories and growth: those of the anchors
    static const int sizes[] = {6, 24, 100, 400};
    static const char *const families[] = {"free", "snake", "feet"};
    static const char *const files[] = {"contact/Rover11035.dat",
                                        "contact/Rover4396.dat",
                                        "contact/FC3D_Example1.dat",
                                        "contact/Rover1039.dat",
                                        "contact/Rover4516.dat",
                                        "contact/Rover1040.dat",
                                        "contact/Rover3865.dat",
                                        "contact/Rover4609.dat",
                                        "contact/NESpheres_10_1.dat",
                                        "contact/fclib/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
                                        "contact/fclib/Box_Stacks-i0122-82-5.hdf5"};
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK) {
        bench_fail(run, "contact", "out of memory");
        return;
    }
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        measure_file(run, ctx, files[k]);
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            measure_case(run, ctx, families[f], sizes[k]);
    for (size_t f = 0; f < FOLLOWED; f++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            measure_path(run, ctx, families[f], sizes[k]);
    for (size_t f = 0; f < FOLLOWED; f++)
        measure_growth(run, ctx, families[f]);
    measure_heap(run, ctx, 7);
    measure_heap(run, ctx, 14);
    ri_context_destroy(ctx);
    bench_contact_rover(run);
}
