// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finding the edge: search for the worst or best case, the boundary of failure, and small
/// probabilities of failure.
///
///     f(x), x in a box --(CMA-ES)--> a minimum, with constraints by ranking
///     g(z), z standard normal, failure where g <= 0 --(subset simulation)--> probability with its coefficient of variation
///     the same g --(rays from the median)--> points of the boundary g = 0, the nearest of them, probability
///
/// The caller evaluates whole generations, so that they can be run side by side. Threads:
/// everything belongs to the caller's thread.
#ifndef RILLE_STUDY_SEARCH_H
#define RILLE_STUDY_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_SEARCH_DIMENSIONS = 32 };

/// Evaluates `count` points (count x n, row-major). out_f: values, NaN for a point that failed.
/// `out_violation` may be NULL; else how far each point breaks the constraints, 0 for one that
/// keeps them. A status other than RI_OK ends the search.
typedef RiStatus (*RiSearchFn)(void *user, int n, int count, const double *x, double *out_f, double *out_violation);

typedef struct RiCmaOptions {
    int n;               ///< dimensions, 1 to RI_SEARCH_DIMENSIONS
    const double *low;   ///< [n] the box
    const double *high;  ///< [n]
    const double *start; ///< [n]; NULL: the middle of the box
    double step;         ///< first standard deviation, as a share of the box; default 0.3
    int population;      ///< 0: 4 + 3 ln n
    int evaluations;     ///< most
    double tolerance;    ///< ends when the step is below this share of the box; default 1e-6
    uint64_t seed;
} RiCmaOptions;

typedef struct RiCmaResult {
    double x[RI_SEARCH_DIMENSIONS];
    double f, violation; ///< of the best point; +INFINITY if none could be evaluated
    int evaluations, generations;
    double step; ///< last, as a share of the box
} RiCmaResult;

/// Minimises f over a box by the evolution strategy with covariance matrix adaptation [hansen2016].
/// Points outside are mirrored back in. Points that keep the constraints rank before those that do
/// not, these by their violation [deb2000].
RI_MUST_CHECK RiStatus ri_cma_minimise(RiContext *ctx, const RiCmaOptions *o, RiSearchFn f, void *user,
                                       RiCmaResult *out_result);

typedef struct RiSubsetOptions {
    int n;        ///< dimensions, 1 to RI_SEARCH_DIMENSIONS
    int samples;  ///< of each level, at least 50
    double share; ///< of samples that go on to the next level; default 0.1
    int levels;   ///< most; default 8
    uint64_t seed;
} RiSubsetOptions;

typedef struct RiSubsetResult {
    double probability;
    double variation; ///< coefficient of variation, estimated from the chains [au2001]
    int levels, evaluations;
    double worst[RI_SEARCH_DIMENSIONS]; ///< z of the smallest g
    double least;                       ///< that g
} RiSubsetResult;

/// Probability that g(z) <= 0 for standard normal z, by subset simulation [au2001]. RI_ERR_NUMERIC
/// if the levels do not reach 0: the probability is then below share^levels.
RI_MUST_CHECK RiStatus ri_subset_probability(RiContext *ctx, const RiSubsetOptions *o, RiSearchFn g, void *user,
                                             RiSubsetResult *out_result);

typedef struct RiBoundaryOptions {
    int n;            ///< dimensions, 1 to RI_SEARCH_DIMENSIONS
    int rays;         ///< even
    double reach;     ///< length of a ray [standard deviations]; default 6
    int steps;        ///< in which the first change of sign is looked for; default 6
    int iterations;   ///< most that close in on it; default 12
    double tolerance; ///< of the distance; default 1e-3
    int rounds;       ///< of the search for the nearest point; 0: none
    uint64_t seed;
} RiBoundaryOptions;

typedef struct RiBoundaryPoint {
    double z[RI_SEARCH_DIMENSIONS];
    double radius; ///< distance from the median [standard deviations]
    bool found;    ///< false: the ray met no boundary
} RiBoundaryPoint;

typedef struct RiBoundaryResult {
    RiBoundaryPoint nearest;
    double probability; ///< of failure, by directional simulation, if each ray meets the boundary once
    double variation;   ///< its coefficient of variation
    int found;          ///< rays that met the boundary
    int evaluations;
    bool fails_at_start; ///< the medians lie on the side of failure
} RiBoundaryResult;

/// Points of the boundary g(z) = 0 on rays from z = 0, and the one nearest to it. A point that
/// could not be evaluated lies beyond the boundary. out_points: [rays]. RI_ERR_NUMERIC if no ray
/// meets one.
RI_MUST_CHECK RiStatus ri_boundary_search(RiContext *ctx, const RiBoundaryOptions *o, RiSearchFn g, void *user,
                                          RiBoundaryPoint *out_points, RiBoundaryResult *out_result);

#ifdef __cplusplus
}
#endif
#endif
