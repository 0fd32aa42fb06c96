// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a report says, as numbers: computed once, written as HTML or JSON.
#ifndef RILLE_APP_CAMPAIGN_FACTS_H
#define RILLE_APP_CAMPAIGN_FACTS_H

#include <rille/study/indices.h>

#include "campaign/campaign.h"

enum { FACT_QUANTILES = 7, FACT_BINS = 30, FACT_STEPS = 40 };
extern const double fact_shares[FACT_QUANTILES];

typedef struct FactQuantile {
    double value;
    RiInterval interval; ///< distribution-free, 95 %; NaN where there are too few runs
} FactQuantile;

/// A result and one dispersion.
typedef struct FactPair {
    double pearson, spearman;
    double low_mean, high_mean; ///< mean of the result over the lowest and the highest fifth of the dispersion
    RiSobolIndex index;         ///< of a Saltelli design; NaN else
    double step_first[FACT_STEPS], step_total[FACT_STEPS]; ///< after a share of the complete rows
} FactPair;

typedef struct FactResult {
    int count;
    double *values;  ///< [count] in order of the runs
    int *runs;       ///< [count]
    double mean, sd; ///< these, their steps and the quantiles are of the independent runs
    int independent;
    double least, greatest;
    RiInterval mean_interval;
    FactQuantile quantiles[FACT_QUANTILES];
    double bin_low, bin_width;
    int bins[FACT_BINS];
    double step_mean[FACT_STEPS], step_half[FACT_STEPS]; ///< mean and half-width after a share of the runs
    FactPair *pairs;                                     ///< [dimensions]
    int rows;                                            ///< complete rows of a Saltelli design
} FactResult;

typedef struct Facts {
    Campaign *c;
    RiTable t;
    int finished, success, flagged;
    int trials, trial_success; ///< of independent runs: all but in a Saltelli design
    RiInterval exact, wilson;  ///< of the probability of success, from these
    int step_trials[FACT_STEPS];
    double step_share[FACT_STEPS], step_low[FACT_STEPS], step_high[FACT_STEPS]; ///< that after a share of them
    double *samples;                                                            ///< [dimensions][count]
    FactResult *results;
} Facts;

/// Computes everything; messages are printed. Free also after a failure.
CliExit facts_compute(Campaign *c, Facts *out);
void facts_free(Facts *f);

#endif
