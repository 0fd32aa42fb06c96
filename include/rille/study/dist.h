// SPDX-License-Identifier: Apache-2.0
/// \file
/// Distributions of one number, by their quantile functions, and the Gaussian copula that
/// correlates several.
///
///     u in (0, 1) --(ri_dist_quantile)--> value
///
/// Every draw of a campaign is a quantile of a uniform number, so random, Latin hypercube and
/// Sobol' points all serve every distribution.
#ifndef RILLE_STUDY_DIST_H
#define RILLE_STUDY_DIST_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiDistKind {
    RI_DIST_UNIFORM,    ///< a low, b high
    RI_DIST_NORMAL,     ///< a mean, b standard deviation
    RI_DIST_LOGNORMAL,  ///< a median, b standard deviation of the logarithm
    RI_DIST_TRIANGULAR, ///< a low, b mode, c high
    RI_DIST_EMPIRICAL,  ///< values sorted upwards: linear between them, as the ogive of the sample
    RI_DIST_LIST,       ///< one of `count`: the value is the index, or values[index] where there are values
    RI_DIST_GRID,       ///< the same of equally spaced numbers a, a + c, ... up to b
    RI_DIST_KINDS
} RiDistKind;

/// Name of a distribution as campaign files give it; never NULL.
const char *ri_dist_kind_name(RiDistKind kind);

typedef struct RiDist {
    RiDistKind kind;
    double a, b, c;
    double low, high;     ///< truncation, -INFINITY and INFINITY for none: the distribution given that it is inside
    const double *values; ///< [count], borrowed
    int count;            ///< of values, list entries or grid points
} RiDist;

/// NULL if the distribution makes sense, else a sentence that says why not.
const char *ri_dist_check(const RiDist *d);
/// The value below which a share u of the distribution lies, 0 <= u <= 1. Rises with u; finite for
/// 0 < u < 1.
double ri_dist_quantile(const RiDist *d, double u);
/// Probability of values up to x.
double ri_dist_cdf(const RiDist *d, double x);
/// Whether it takes one of `count` values.
bool ri_dist_is_discrete(const RiDist *d);

/// Cholesky factor L (n x n, row-major, lower) of a correlation matrix, in place. False if the
/// matrix is not positive definite.
bool ri_copula_factor(int n, double *R);
/// Turns n independent uniform numbers into uniform numbers whose normal scores have the
/// correlation L L^T, in place. `work` has room for n.
void ri_copula_apply(int n, const double *L, double *u, double *work);

#ifdef __cplusplus
}
#endif
#endif
