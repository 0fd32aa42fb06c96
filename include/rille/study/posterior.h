// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fits: least squares with identifiability, and posteriors by Markov chains.
///
///     residuals r(x) --(Levenberg-Marquardt)--> x, covariance, weak directions
///     log density of x --(ensemble of walkers)--> samples, mean, covariance, R-hat, effective sample size
#ifndef RILLE_STUDY_POSTERIOR_H
#define RILLE_STUDY_POSTERIOR_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_FIT_PARAMETERS = 24 };

/// Residuals (m) at x (n), already divided by their standard deviations where these are known. A
/// status other than RI_OK ends the fit, except RI_ERR_NUMERIC: the point could not be evaluated
/// and is avoided.
typedef RiStatus (*RiResidualFn)(void *user, int n, const double *x, int m, double *out_r);

typedef struct RiLeastSquares {
    int n, m;
    const double *low, *high; ///< [n] the box; its widths are the scale of the parameters
    const double *start;      ///< [n]; NULL: the middle of the box
    int iterations;           ///< most; default 50
    double step;              ///< of difference quotients, as a share of the box; default 1e-4
} RiLeastSquares;

typedef struct RiLeastSquaresResult {
    double x[RI_FIT_PARAMETERS];
    double sum; ///< of squares at x
    /// n x n: sum / (m - n) (J^T J)^-1; NaN in directions that the data do not see
    double covariance[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS];
    double correlation[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS];
    double sd[RI_FIT_PARAMETERS];
    /// Directions in the scaled parameters (share of the box), strongest first, one per row, and
    /// the standard deviation along each as a share of the box.
    double direction[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS], uncertainty[RI_FIT_PARAMETERS];
    bool at_bound[RI_FIT_PARAMETERS];
    int identifiable; ///< directions whose uncertainty is less than the box
    int iterations, evaluations;
} RiLeastSquaresResult;

/// Minimises |r(x)|^2 over the box by Levenberg-Marquardt with difference quotients.
RI_MUST_CHECK RiStatus ri_least_squares(RiContext *ctx, const RiLeastSquares *o, RiResidualFn r, void *user,
                                        RiLeastSquaresResult *out_result);

/// Log density of x, up to a constant; -INFINITY where it is impossible.
typedef RiStatus (*RiDensityFn)(void *user, int n, const double *x, double *out_log);

/// The same of `count` points, [count][n]: whoever calls may have several processors.
typedef RiStatus (*RiDensitiesFn)(void *user, int n, int count, const double *x, double *out_log);

typedef struct RiChains {
    int n;                    ///< parameters
    int walkers;              ///< even, at least 2 n + 2; 0: 4 n, at least 16
    int steps;                ///< kept, of each walker
    int warmup;               ///< thrown away before
    const double *start, *sd; ///< [n] the walkers start from a normal cloud
    uint64_t seed;
    RiDensitiesFn many; ///< NULL: one point after the other; the samples are the same
} RiChains;

typedef struct RiChainsResult {
    double mean[RI_FIT_PARAMETERS], sd[RI_FIT_PARAMETERS];
    double covariance[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS];
    double r_hat[RI_FIT_PARAMETERS]; ///< split R-hat over groups of walkers [gelman2013]; near 1 when they agree
    /// Effective sample size, from the autocorrelation of the ensemble's mean [sokal1997]
    double ess[RI_FIT_PARAMETERS];
    double standard_error[RI_FIT_PARAMETERS];
    double acceptance, best_log;
    double best[RI_FIT_PARAMETERS];
    int samples, evaluations;
} RiChainsResult;

/// Samples a density by the affine-invariant ensemble with stretch moves [goodman2010]. If
/// `out_samples` is not NULL, the kept samples go there (walkers x steps x n, step by step), room
/// for all.
RI_MUST_CHECK RiStatus ri_chains_sample(RiContext *ctx, const RiChains *o, RiDensityFn density, void *user,
                                        double *out_samples, RiChainsResult *out_result);
/// Number of chains.
int ri_chains_walkers(const RiChains *o);

#ifdef __cplusplus
}
#endif
#endif
