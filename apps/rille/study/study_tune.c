// SPDX-License-Identifier: Apache-2.0
/// \file
/// The derivative-free optimiser of `rille study tilt-table --tune`: SBPLX of NLopt, which bears
/// with the small jumps of ranges over runs.
#include "study/study.h"

#ifdef RILLE_HAVE_NLOPT
#include <nlopt.h>

typedef struct Problem {
    double (*score)(void *user, const double *x);
    void *user;
} Problem;

static double objective(unsigned n, const double *x, double *gradient, void *data)
{
    const Problem *p = data;
    (void)n, (void)gradient;
    return p->score(p->user, x);
}

static bool minimise(int n, double *x, double (*score)(void *user, const double *x), void *user)
{
    Problem problem = {score, user};
    double least;
    nlopt_opt opt = nlopt_create(NLOPT_LN_SBPLX, (unsigned)n);
    if (!opt)
        return false;
    nlopt_set_lower_bounds1(opt, 0.0);
    nlopt_set_upper_bounds1(opt, 1.0);
    nlopt_set_initial_step1(opt, 0.06);
    nlopt_set_min_objective(opt, objective, &problem);
    nlopt_set_maxeval(opt, 60);
    const nlopt_result result = nlopt_optimize(opt, x, &least);
    nlopt_destroy(opt);
    return result != NLOPT_OUT_OF_MEMORY;
}

StudyOptimiser *study_optimiser(void)
{
    return minimise;
}

const char *study_optimiser_name(void)
{
    return "NLopt SBPLX";
}
#else
StudyOptimiser *study_optimiser(void)
{
    return NULL;
}

const char *study_optimiser_name(void)
{
    return "none (built without NLopt)";
}
#endif
