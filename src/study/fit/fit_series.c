// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fits against recorded series: residuals of runs, least squares, densities.
#include "base/functions.h"

#include <math.h>
#include <string.h>

#include <rille/study/fit_series.h>

#include "base/rng.h"

RiStatus ri_series_fit_create(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places,
                              const RiSeriesData *data, const double *sigma, RiSeriesFit **out)
{
    *out = NULL;
    if (plan->design.dimensions < 1 || plan->design.dimensions > RI_FIT_PARAMETERS)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: a fit needs 1 to %d dispersions, not %d", plan->file,
                        RI_FIT_PARAMETERS, plan->design.dimensions);
    for (int i = 0; i < plan->design.dimensions; i++)
        if (plan->dispersions[i].dist.kind == RI_DIST_LIST || plan->dispersions[i].dist.kind == RI_DIST_GRID)
            return ri_error(ctx, RI_ERR_FORMAT, "%s:%d: '%s' has steps; a fit needs dispersions without", plan->file,
                            plan->dispersions[i].line, plan->dispersions[i].name);
    RiSeriesFit *f = ri_alloc_zero(ctx, 1, sizeof *f);
    double *model = ri_alloc_zero(ctx, (size_t)data->rows * (size_t)data->series + 1, sizeof *model);
    if (!f || !model) {
        ri_release(ctx, f);
        ri_release(ctx, model);
        return ri_error_memory(ctx);
    }
    *f = (RiSeriesFit){.ctx = ctx, .plan = plan, .places = places, .data = data, .model = model};
    for (int s = 0; s < data->series; s++) {
        f->known[s] = sigma && sigma[s] > 0.0;
        f->sigma[s] = f->known[s] ? sigma[s] : 0.0;
    }
    *out = f;
    return RI_OK;
}

void ri_series_fit_destroy(RiSeriesFit *f)
{
    if (!f)
        return;
    ri_release(f->ctx, f->model);
    ri_release(f->ctx, f);
}

// --- runs ----------------------------------------------------------------------------------------

/// A run's series at a time, between its samples; NAN outside.
static double at_time(const RiSeries *s, double time)
{
    int low = 0, high = s->count / 2 - 1;
    if (high < 0 || time < s->pairs[0] - 1e-9 || time > s->pairs[2 * high] + 1e-9)
        return NAN;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(s->pairs[2 * middle] <= time ? &low : &high) = middle;
    }
    const double *a = s->pairs + 2 * low, *b = s->pairs + 2 * high;
    const double t = b[0] > a[0] ? fmin(1.0, fmax(0.0, (time - a[0]) / (b[0] - a[0]))) : 0.0;
    return a[1] + t * (b[1] - a[1]);
}

static const RiSeries *series_of(const RiOutcome *o, int result)
{
    for (int i = 0; i < o->series_count; i++)
        if (o->series[i].result == result)
            return &o->series[i];
    return NULL;
}

static RiStatus run_at(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places, const double *u,
                       RiOutcome *out)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    ri_campaign_map(plan, u, samples);
    return ri_run_all(ctx, plan, places, 0, samples, NULL, NULL, out);
}

RiStatus ri_series_run(RiSeriesFit *f, const double *u)
{
    const RiSeriesData *d = f->data;
    RiOutcome *o = ri_alloc_zero(f->ctx, 1, sizeof *o);
    if (!o)
        return ri_error_memory(f->ctx);
    RiStatus status = run_at(f->ctx, f->plan, f->places, u, o);
    f->runs++;
    if (status == RI_OK && o->status != RI_RUN_DONE) {
        f->refused++;
        status = ri_error(f->ctx, RI_ERR_NUMERIC, "%s: a run ended as %s: %s", f->plan->file,
                          ri_run_status_name(o->status), o->detail);
    }
    for (int s = 0; s < d->series && status == RI_OK; s++) {
        const RiSeries *series = series_of(o, d->result[s]);
        for (int i = 0; i < d->rows; i++)
            f->model[i * d->series + s] = series ? at_time(series, d->time[i]) : NAN;
    }
    ri_outcome_free(f->ctx, o);
    ri_release(f->ctx, o);
    return status;
}

RiStatus ri_series_simulate(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places, const double *u,
                            const double *sigma, uint64_t seed, RiSeriesData *out)
{
    RiRng rng = ri_rng_stream(seed, "measurement");
    RiOutcome *o = ri_alloc_zero(ctx, 1, sizeof *o);
    *out = (RiSeriesData){.ctx = ctx};
    RiStatus status = o ? run_at(ctx, plan, places, u, o) : ri_error_memory(ctx);
    if (status == RI_OK && (o->status != RI_RUN_DONE || o->series_count == 0))
        status = ri_error(ctx, RI_ERR_FORMAT, "%s: %s", plan->file,
                          o->series_count ? o->detail : "no result has 'take: series'");
    for (int s = 0; status == RI_OK && s < o->series_count && s < RI_SERIES_MOST; s++)
        out->result[out->series++] = o->series[s].result;
    if (status == RI_OK) {
        out->rows = o->series[0].count / 2;
        out->time = ri_alloc(ctx, (size_t)out->rows + 1, sizeof *out->time);
        out->value = ri_alloc(ctx, (size_t)out->rows * (size_t)out->series + 1, sizeof *out->value);
        status = out->time && out->value ? RI_OK : ri_error_memory(ctx);
    }
    for (int i = 0; status == RI_OK && i < out->rows; i++) {
        out->time[i] = o->series[0].pairs[2 * i];
        for (int s = 0; s < out->series; s++) {
            const double noise = sigma && sigma[s] > 0.0 ? sigma[s] * ri_rng_normal(&rng) : 0.0;
            out->value[i * out->series + s] = at_time(&o->series[s], out->time[i]) + noise;
            out->measured[s]++;
        }
    }
    if (o)
        ri_outcome_free(ctx, o);
    ri_release(ctx, o);
    return status;
}

// --- least squares -------------------------------------------------------------------------------

static bool is_measured(const RiSeriesData *d, int i, int s)
{
    return isfinite(d->value[i * d->series + s]);
}

/// Residuals of the last run in the order of the data; NAN becomes a failure: the run ended before
/// the data.
static RiStatus residuals(void *user, int n, const double *u, int m, double *out)
{
    RiSeriesFit *f = user;
    const RiSeriesData *d = f->data;
    int at = 0;
    (void)n;
    RI_TRY(ri_series_run(f, u));
    for (int i = 0; i < d->rows; i++)
        for (int s = 0; s < d->series; s++)
            if (is_measured(d, i, s)) {
                out[at] = (f->model[i * d->series + s] - d->value[i * d->series + s]) / f->sigma[s];
                if (!isfinite(out[at]))
                    return ri_error(f->ctx, RI_ERR_NUMERIC, "%s: the run has no value at %g s", f->plan->file,
                                    d->time[i]);
                at++;
            }
    (void)m;
    return RI_OK;
}

/// A first scale of a series: its scatter.
static double scatter_of(const RiSeriesData *d, int s)
{
    double sum = 0.0, sum2 = 0.0;
    int n = 0;
    for (int i = 0; i < d->rows; i++)
        if (is_measured(d, i, s)) {
            const double x = d->value[i * d->series + s];
            sum += x, sum2 += x * x, n++;
        }
    const double variance = n > 1 ? (sum2 - sum * sum / n) / (n - 1) : 0.0;
    return variance > 0.0 ? sqrt(variance) : n ? fmax(fabs(sum / n), 1e-12) : 1.0;
}

static void measure_rms(const RiSeriesFit *f, double *out)
{
    const RiSeriesData *d = f->data;
    for (int s = 0; s < d->series; s++) {
        double sum = 0.0;
        for (int i = 0; i < d->rows; i++)
            if (is_measured(d, i, s))
                sum += ri_pow(f->model[i * d->series + s] - d->value[i * d->series + s], 2.0);
        out[s] = sqrt(sum / fmax(1.0, d->measured[s]));
    }
}

/// Directions with an uncertainty of less than a fifth of the cube; the covariance is made from the
/// sigmas, not from the sum of squares.
static void scale_errors(RiLeastSquaresResult *r, int n, int m)
{
    const double factor = r->sum > 0.0 && m > n ? (m - n) / r->sum : 1.0;
    r->identifiable = 0;
    for (int i = 0; i < n * n; i++)
        r->covariance[i] *= factor;
    for (int i = 0; i < n; i++) {
        r->sd[i] *= sqrt(factor);
        r->uncertainty[i] *= sqrt(factor);
        r->identifiable += r->uncertainty[i] < 0.2;
    }
}

static void judge(const RiSeriesFit *f, RiSeriesResult *out)
{
    const RiSeriesData *d = f->data;
    int paid = f->plan->design.dimensions;
    out->log_likelihood = -0.5 * out->least.sum - 0.5 * out->numbers * ri_log(2.0 * M_PI);
    for (int s = 0; s < d->series; s++) {
        out->log_likelihood -= d->measured[s] * ri_log(f->sigma[s]);
        paid += !f->known[s];
    }
    out->aic = 2.0 * paid - 2.0 * out->log_likelihood;
    out->bic = paid * ri_log((double)out->numbers) - 2.0 * out->log_likelihood;
}

RiStatus ri_series_fit(RiSeriesFit *f, RiSeriesResult *out)
{
    const RiSeriesData *d = f->data;
    const int n = f->plan->design.dimensions;
    double low[RI_FIT_PARAMETERS], high[RI_FIT_PARAMETERS], start[RI_FIT_PARAMETERS];
    bool find = false;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < n; i++)
        low[i] = 0.001, high[i] = 0.999, start[i] = 0.5;
    for (int s = 0; s < d->series; s++) {
        out->numbers += d->measured[s];
        find |= !f->known[s];
        if (!f->known[s])
            f->sigma[s] = scatter_of(d, s);
    }
    if (out->numbers <= n)
        return ri_error(f->ctx, RI_ERR_FORMAT, "%s: %d measured numbers cannot fit %d parameters", f->plan->file,
                        out->numbers, n);
    for (int round = 0; round < (find ? 2 : 1); round++) {
        const RiLeastSquares o = {
            .n = n, .m = out->numbers, .low = low, .high = high, .start = start, .iterations = 25, .step = 2e-3};
        RI_TRY(ri_least_squares(f->ctx, &o, residuals, f, &out->least));
        memcpy(start, out->least.x, (size_t)n * sizeof *start);
        RI_TRY(ri_series_run(f, out->least.x));
        measure_rms(f, out->rms);
        for (int s = 0; s < d->series && find && round == 0; s++)
            if (!f->known[s])
                f->sigma[s] = fmax(out->rms[s], 1e-9 * scatter_of(d, s));
    }
    scale_errors(&out->least, n, out->numbers);
    judge(f, out);
    return RI_OK;
}

RiStatus ri_series_density(void *user, int n, const double *u, double *out_log)
{
    RiSeriesFit *f = user;
    const RiSeriesData *d = f->data;
    *out_log = -INFINITY;
    for (int i = 0; i < n; i++)
        if (!(u[i] > 1e-6 && u[i] < 1.0 - 1e-6))
            return RI_OK;
    const RiStatus status = ri_series_run(f, u);
    if (status == RI_ERR_NUMERIC)
        return RI_OK;
    RI_TRY(status);
    double sum = 0.0;
    for (int i = 0; i < d->rows; i++)
        for (int s = 0; s < d->series; s++)
            if (is_measured(d, i, s))
                sum += ri_pow((f->model[i * d->series + s] - d->value[i * d->series + s]) / f->sigma[s], 2.0);
    *out_log = isfinite(sum) ? -0.5 * sum : -INFINITY;
    return RI_OK;
}
