// SPDX-License-Identifier: Apache-2.0
/// \file
/// Siconos Numerics, by dlopen. Its matrices are column-major and it frees what it is given; its
/// solver options leak 256 bytes each, so they are made once per problem.
#include "siconos.h"

#include <stdlib.h>
#include <string.h>

static const char *const solver_names[SICONOS_SOLVERS] = {"nsgs", "nsn_ac", "admm"};

const char *siconos_solver_name(SiconosSolver solver)
{
    return solver_names[solver];
}

#ifdef RILLE_HAVE_SICONOS

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#define FUNCTIONS(X)                                                                                                   \
    X(frictionContactProblem_new_with_data)                                                                            \
    X(frictionContactProblem_free)                                                                                     \
    X(fc3d_driver)                                                                                                     \
    X(NM_create_from_data)                                                                                             \
    X(NM_create)                                                                                                       \
    X(NM_triplet_alloc)                                                                                                \
    X(NM_entry)                                                                                                        \
    X(NM_csc)                                                                                                          \
    X(SBM_from_csparse)                                                                                                \
    X(solver_options_create)                                                                                           \
    X(solver_options_delete)                                                                                           \
    X(numerics_set_verbose)

struct Siconos {
#define DECLARE(name) __typeof__(&(name)) name;
    FUNCTIONS(DECLARE)
#undef DECLARE
    void *library;
    FrictionContactProblem *problem;
    SolverOptions *options;
    int n;
};

static bool load(Siconos *s, const char **why)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1); // read when the library comes in
    s->library = dlopen(RILLE_SICONOS_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    *why = "Siconos Numerics cannot be loaded: install libsiconos-numerics-dev";
    if (!s->library)
        return false;
    *why = "this Siconos Numerics lacks a function that is needed";
#define LOAD(name)                                                                                                     \
    if (!(*(void **)&s->name = dlsym(s->library, #name)))                                                              \
        return false;
    FUNCTIONS(LOAD)
#undef LOAD
    s->numerics_set_verbose(0);
    return true;
}

static NumericsMatrix *dense_matrix(const Siconos *s, const RiConeProblem *p)
{
    const size_t n3 = 3 * (size_t)p->n;
    double *W = malloc(n3 * n3 * sizeof *W), block[9];
    if (!W)
        return NULL;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            ri_cone_block(p, i, j, block);
            for (size_t k = 0; k < 9; k++)
                W[(3 * (size_t)j + k % 3) * n3 + 3 * (size_t)i + k / 3] = block[k];
        }
    return s->NM_create_from_data(NM_DENSE, (int)n3, (int)n3, W);
}

/// By way of triplets. Blocks that are zero as a whole are left out.
static NumericsMatrix *block_matrix(const Siconos *s, const RiConeProblem *p)
{
    const int n3 = 3 * p->n;
    NumericsMatrix *triplets = s->NM_create(NM_SPARSE, n3, n3), *out = s->NM_create(NM_SPARSE_BLOCK, n3, n3);
    double block[9];
    s->NM_triplet_alloc(triplets, n3);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            bool any = i == j;
            ri_cone_block(p, i, j, block);
            for (int k = 0; k < 9; k++)
                any |= block[k] != 0.0;
            for (int k = 0; k < 9 && any; k++)
                s->NM_entry(triplets, 3 * i + k / 3, 3 * j + k % 3, block[k] != 0.0 ? block[k] : 1e-300);
        }
    s->SBM_from_csparse(3, s->NM_csc(triplets), out->matrix1);
    return out; // the triplets stay: freeing them is not safe in every version
}

Siconos *siconos_open(const RiConeProblem *p, SiconosSolver solver, bool blocks, double tolerance, int max_iterations,
                      const char **out_why)
{
    static const int ids[SICONOS_SOLVERS] = {SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_NSN_AC,
                                             SICONOS_FRICTION_3D_ADMM};
    *out_why = "Siconos knows round cones only";
    for (int i = 0; p->across && i < p->n; i++)
        if (p->across[i] != 1.0)
            return NULL;
    Siconos *s = calloc(1, sizeof *s);
    *out_why = "out of memory";
    if (!s)
        return NULL;
    s->n = p->n;
    if (!load(s, out_why)) {
        free(s);
        return NULL;
    }
    double *q = malloc(3 * (size_t)p->n * sizeof *q), *mu = malloc((size_t)p->n * sizeof *mu);
    NumericsMatrix *W = blocks ? block_matrix(s, p) : dense_matrix(s, p);
    *out_why = "out of memory";
    if (!q || !mu || !W) {
        free(q);
        free(mu);
        free(s);
        return NULL;
    }
    memcpy(q, p->q, 3 * (size_t)p->n * sizeof *q);
    memcpy(mu, p->mu, (size_t)p->n * sizeof *mu);
    s->problem = s->frictionContactProblem_new_with_data(3, p->n, W, q, mu);
    s->options = s->solver_options_create(ids[solver]);
    s->options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    s->options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
    return s;
}

void siconos_close(Siconos *s)
{
    if (!s)
        return;
    s->solver_options_delete(s->options);
    s->frictionContactProblem_free(s->problem);
    free(s);
}

void siconos_set_q(Siconos *s, const double *q)
{
    memcpy(s->problem->q, q, 3 * (size_t)s->n * sizeof *q);
}

int siconos_solve(Siconos *s, double *r, double *u)
{
    return s->fc3d_driver(s->problem, r, u, s->options);
}

int siconos_iterations(const Siconos *s)
{
    return s->options->iparam[SICONOS_IPARAM_ITER_DONE];
}

#else

struct Siconos {
    int unused;
};

Siconos *siconos_open(const RiConeProblem *p, SiconosSolver solver, bool blocks, double tolerance, int max_iterations,
                      const char **out_why)
{
    (void)p;
    (void)solver;
    (void)blocks;
    (void)tolerance;
    (void)max_iterations;
    *out_why = "this build has no Siconos: install libsiconos-numerics-dev and build again";
    return NULL;
}

void siconos_close(Siconos *s)
{
    (void)s;
}

void siconos_set_q(Siconos *s, const double *q)
{
    (void)s;
    (void)q;
}

int siconos_solve(Siconos *s, double *r, double *u)
{
    (void)s;
    (void)r;
    (void)u;
    return -1;
}

int siconos_iterations(const Siconos *s)
{
    (void)s;
    return 0;
}

#endif
