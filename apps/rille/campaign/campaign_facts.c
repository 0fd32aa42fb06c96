// SPDX-License-Identifier: Apache-2.0
/// \file
/// The numbers of a campaign's report.
#include "campaign/campaign_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/study/stats.h>

const double fact_shares[FACT_QUANTILES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

static const double *sample_column(const Facts *f, int dimension)
{
    return f->samples + (size_t)dimension * (size_t)f->t.count;
}

static bool draw_samples(Facts *f)
{
    const int d = f->c->plan->design.dimensions;
    RiSample samples[RI_DESIGN_DIMENSIONS];
    f->samples = malloc(((size_t)d * (size_t)f->t.count + 1) * sizeof *f->samples);
    for (int k = 0; f->samples && k < f->t.count; k++) {
        ri_campaign_sample(f->c->plan, k, samples);
        for (int i = 0; i < d; i++)
            f->samples[(size_t)i * (size_t)f->t.count + (size_t)k] = samples[i].x;
    }
    return f->samples != NULL;
}

static void count_runs(Facts *f)
{
    for (int i = 0; i < f->t.count; i++) {
        const RiTableRun *r = &f->t.runs[i];
        const bool counts = r->status >= RI_RUN_DONE && r->status <= RI_RUN_HUNG;
        f->finished += counts;
        f->success += counts && r->success;
        f->flagged += r->violations > 0;
    }
    f->trials = campaign_trials(f->c->plan, &f->t, &f->trial_success);
    f->exact = f->wilson = (RiInterval){NAN, NAN};
    if (f->trials) {
        f->exact = ri_clopper_pearson(f->trial_success, f->trials, 0.95);
        f->wilson = ri_wilson(f->trial_success, f->trials, 0.95);
    }
}

/// The number of items after a fortieth, two fortieths, ... of them.
static int step_end(int step, int count)
{
    return (int)ceil((double)(step + 1) * count / FACT_STEPS);
}

/// Share of successes and its exact interval after each fortieth of the independent runs.
static void converge_success(Facts *f)
{
    int n = 0, k = 0, step = 0;
    for (int i = 0; i < f->t.count; i++) {
        const RiTableRun *r = &f->t.runs[i];
        if (r->status < RI_RUN_DONE || r->status > RI_RUN_HUNG || !ri_campaign_is_independent(f->c->plan, r->run))
            continue;
        n++;
        k += r->success;
        for (; step < FACT_STEPS && n >= step_end(step, f->trials); step++) {
            const RiInterval x = ri_clopper_pearson(k, n, 0.95);
            f->step_trials[step] = n;
            f->step_share[step] = (double)k / n;
            f->step_low[step] = x.low;
            f->step_high[step] = x.high;
        }
    }
}

static void find_quantiles(FactResult *r, const double *sorted)
{
    for (int i = 0; i < FACT_QUANTILES; i++) {
        const int low = ri_quantile_lower_rank(r->independent, fact_shares[i], 0.975);
        const int high = ri_quantile_upper_rank(r->independent, fact_shares[i], 0.975);
        r->quantiles[i].value = ri_sorted_quantile(sorted, r->independent, fact_shares[i]);
        r->quantiles[i].interval = (RiInterval){low ? sorted[low - 1] : NAN, high ? sorted[high - 1] : NAN};
    }
}

static void fill_bins(FactResult *r)
{
    r->bin_low = r->least;
    r->bin_width = r->greatest > r->least ? (r->greatest - r->least) / FACT_BINS : 1.0;
    for (int i = 0; i < r->count; i++) {
        int b = (int)((r->values[i] - r->bin_low) / r->bin_width);
        b = b < 0 ? 0 : b >= FACT_BINS ? FACT_BINS - 1 : b;
        r->bins[b]++;
    }
}

/// Mean and its half-width of 95 % after each fortieth of the independent runs.
static void converge(const Facts *f, FactResult *r)
{
    double sum = 0.0, square = 0.0;
    int step = 0, seen = 0;
    const double shift = r->values[0];
    for (int i = 0; i < r->count; i++) {
        if (!ri_campaign_is_independent(f->c->plan, f->t.runs[r->runs[i]].run))
            continue;
        const double x = r->values[i] - shift;
        sum += x;
        square += x * x;
        seen++;
        while (step < FACT_STEPS && seen >= step_end(step, r->independent)) {
            const double n = seen, mean = sum / n,
                         variance = n > 1 ? fmax(0.0, square - n * mean * mean) / (n - 1) : NAN;
            r->step_mean[step] = shift + mean;
            r->step_half[step++] = n > 1 ? ri_student_quantile(n - 1, 0.95) * sqrt(variance / n) : NAN;
        }
    }
}

/// Means of the result over the fifths of the dispersion at its ends; `order` sorts the runs by it.
static void find_ends(const FactResult *r, const int *order, FactPair *pair)
{
    const int n = r->count, fifth = n / 5 > 0 ? n / 5 : 1;
    pair->low_mean = pair->high_mean = 0.0;
    for (int i = 0; i < fifth; i++) {
        pair->low_mean += r->values[order[i]] / fifth;
        pair->high_mean += r->values[order[n - 1 - i]] / fifth;
    }
}

static bool correlate(const Facts *f, FactResult *r)
{
    const int d = f->c->plan->design.dimensions, n = r->count;
    double *x = malloc(3 * ((size_t)n + 1) * sizeof *x);
    int *order = malloc(((size_t)n + 1) * sizeof *order);
    if (!x || !order) {
        free(x);
        free(order);
        return false;
    }
    double *rank = x + n + 1, *result_rank = rank + n + 1;
    ri_ranks(r->values, n, order, result_rank);
    for (int i = 0; i < d; i++) {
        for (int k = 0; k < n; k++)
            x[k] = sample_column(f, i)[r->runs[k]];
        ri_ranks(x, n, order, rank);
        r->pairs[i].pearson = ri_correlation(x, r->values, n);
        r->pairs[i].spearman = ri_correlation(rank, result_rank, n);
        find_ends(r, order, &r->pairs[i]);
    }
    free(x);
    free(order);
    return true;
}

/// Indices from the rows of a Saltelli design that are complete.
static bool find_indices(Facts *f, int result, FactResult *r)
{
    enum { REPLICAS = 200 };
    const int d = f->c->plan->design.dimensions, group = d + 2, rows = f->t.count / group;
    const double *v = f->t.values + (size_t)result * (size_t)f->t.count;
    RiSobolIndex index[RI_DESIGN_DIMENSIONS];
    for (int i = 0; i < d; i++)
        r->pairs[i].index = (RiSobolIndex){NAN, NAN, {NAN, NAN}, {NAN, NAN}};
    if (f->c->plan->design.kind != RI_DESIGN_SALTELLI)
        return true;
    double *y = malloc(((size_t)f->t.count + (size_t)(2 * d * REPLICAS) + 1) * sizeof *y);
    int complete = 0;
    for (int k = 0; y && k < rows; k++) {
        bool whole = true;
        for (int i = 0; i < group; i++)
            whole &= !isnan(v[k * group + i]);
        if (whole)
            memcpy(y + (size_t)complete++ * (size_t)group, v + (size_t)(k * group), (size_t)group * sizeof *y);
    }
    r->rows = complete;
    if (y && complete > 1) {
        ri_sobol_indices(y, complete, d, 0.95, REPLICAS, 1, y + (size_t)complete * (size_t)group, index);
        for (int i = 0; i < d; i++)
            r->pairs[i].index = index[i];
        for (int step = 0; step < FACT_STEPS; step++) {
            ri_sobol_indices(y, step_end(step, complete), d, 0.95, 0, 1, NULL, index);
            for (int i = 0; i < d; i++) {
                r->pairs[i].step_first[step] = index[i].first;
                r->pairs[i].step_total[step] = index[i].total;
            }
        }
    }
    free(y);
    return y != NULL;
}

static bool compute_result(Facts *f, int i)
{
    FactResult *r = &f->results[i];
    const size_t n = (size_t)f->t.count + 1;
    r->values = malloc(n * sizeof *r->values);
    r->runs = malloc(n * sizeof *r->runs);
    r->pairs = calloc((size_t)f->c->plan->design.dimensions + 1, sizeof *r->pairs);
    double *sorted = malloc(n * sizeof *sorted);
    bool ok = r->values && r->runs && r->pairs && sorted;
    if (ok) {
        r->count = campaign_column(&f->t, i, r->values, r->runs);
        r->least = r->greatest = r->count ? r->values[0] : NAN;
        for (int k = 1; k < r->count; k++) {
            r->least = fmin(r->least, r->values[k]);
            r->greatest = fmax(r->greatest, r->values[k]);
        }
        r->independent = campaign_independent_column(f->c->plan, &f->t, i, sorted);
        ri_sort_numbers(sorted, r->independent);
        r->mean = ri_mean(sorted, r->independent);
        r->sd = sqrt(ri_variance(sorted, r->independent));
        const double half =
            r->independent > 1 ? ri_student_quantile(r->independent - 1, 0.95) * r->sd / sqrt(r->independent) : NAN;
        r->mean_interval = (RiInterval){r->mean - half, r->mean + half};
        find_quantiles(r, sorted);
    }
    free(sorted);
    if (ok && r->count) {
        fill_bins(r);
        converge(f, r);
        ok = correlate(f, r);
    }
    return ok && find_indices(f, i, r);
}

CliExit facts_compute(Campaign *c, Facts *f)
{
    *f = (Facts){.c = c};
    const RiStatus status = ri_store_table(c->store, c->plan, &f->t);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    count_runs(f);
    converge_success(f);
    f->results = calloc((size_t)c->plan->result_count + 1, sizeof *f->results);
    bool ok = f->results && draw_samples(f);
    for (int i = 0; ok && i < c->plan->result_count; i++)
        ok = compute_result(f, i);
    return ok ? CLI_DONE : cli_no_memory();
}

void facts_free(Facts *f)
{
    for (int i = 0; f->results && i < f->c->plan->result_count; i++) {
        free(f->results[i].values);
        free(f->results[i].runs);
        free(f->results[i].pairs);
    }
    free(f->results);
    free(f->samples);
    ri_table_free(&f->t);
    f->results = NULL;
    f->samples = NULL;
}
