// SPDX-License-Identifier: Apache-2.0
/// \file
/// Statistics of campaigns: the normal and beta distributions, intervals of proportions, ranks of
/// quantiles.
///
///     successes k of n --(Clopper-Pearson, Wilson)--> interval of the probability
///     n samples, quantile p --(binomial ranks)--> order statistics that bound it, whatever the distribution is
///
/// Pure functions; any number of threads. Theory: docs/theory/campaign.md. Tests:
/// tests/study/test_campaign_stats.c.
#ifndef RILLE_STUDY_STATS_H
#define RILLE_STUDY_STATS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiInterval {
    double low, high;
} RiInterval;

/// Distribution function of the standard normal distribution.
double ri_normal_cdf(double z);
/// Its inverse, for 0 < p < 1; -INFINITY and INFINITY at the ends. Relative error below 1e-15.
double ri_normal_quantile(double p);

/// Regularised incomplete beta function I_x(a, b), a and b > 0, 0 <= x <= 1.
double ri_beta_cdf(double a, double b, double x);
/// Its inverse in x.
double ri_beta_quantile(double a, double b, double p);
/// P(at most k successes in n trials of probability p).
double ri_binomial_cdf(int k, int n, double p);

/// t for which a two-sided interval of Student's distribution has the confidence, 0 < confidence <
/// 1; freedom > 0.
double ri_student_quantile(double freedom, double confidence);

/// Two-sided intervals of a probability after k successes of n, 0 <= k <= n, n > 0.
RiInterval ri_clopper_pearson(int k, int n, double confidence);
/// Wilson's score interval of a proportion of k in n.
RiInterval ri_wilson(int k, int n, double confidence);

/// Smallest n for which the `order`-th largest of n samples is an upper bound of the p quantile
/// with the confidence [wilks1941].
int ri_wilks_count(double p, double confidence, int order);
/// Smallest rank (from 1) whose order statistic of n samples is an upper bound of the p quantile; 0
/// if there is none.
int ri_quantile_upper_rank(int n, double p, double confidence);
/// Largest rank that is a lower bound; 0 if there is none.
int ri_quantile_lower_rank(int n, double p, double confidence);

/// Quantile of sorted numbers, between neighbours by linear interpolation; NaN if n is 0.
double ri_sorted_quantile(const double *sorted, int n, double p);
/// Sorts numbers upwards in place. They must not be NaN.
void ri_sort_numbers(double *x, int n);
/// Arithmetic mean of n > 0 numbers.
double ri_mean(const double *x, int n);
/// Unbiased variance; 0 for n < 2.
double ri_variance(const double *x, int n);
/// Pearson's correlation; NaN where one of the two does not vary.
double ri_correlation(const double *x, const double *y, int n);
/// Ranks from 1, of equal numbers their mean, into out_rank. `work` has room for n indices.
/// Spearman's correlation is Pearson's of these.
void ri_ranks(const double *x, int n, int *work, double *out_rank);

#ifdef __cplusplus
}
#endif
#endif
