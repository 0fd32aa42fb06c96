// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sobol' indices from the runs of a Saltelli design.
///
///     y[N (d + 2)]: per row f(A), f(B), f(A with column 1 of B), ... --> first-order S_i and total ST_i, with bootstrap intervals
#ifndef RILLE_STUDY_INDICES_H
#define RILLE_STUDY_INDICES_H

#include <stdint.h>

#include <rille/study/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiSobolIndex {
    double first, total;
    RiInterval first_interval, total_interval; ///< by bootstrap over the rows
} RiSobolIndex;

/// Indices of `dimensions` inputs from `rows` complete rows. Estimators of [saltelli2010] (first
/// order) and [jansen1999] (total). `replicas` of the bootstrap, at most 2000, at least 20; 0:
/// the intervals are NaN. `work`
/// has room for 2 * dimensions * replicas numbers.
void ri_sobol_indices(const double *y, int rows, int dimensions, double confidence, int replicas, uint64_t seed,
                      double *work, RiSobolIndex *out_index);

#ifdef __cplusplus
}
#endif
#endif
