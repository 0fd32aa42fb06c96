// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fits of any parameters against any recorded series.
///
///     campaign file (dispersions: parameters and what is believed of them; results with take: series: what was measured)
///     data (time and one column for each series) --(runs of the scene)--> least squares, posterior, predictions
///
/// Parameters live in the unit cube of the dispersions (ri_campaign_map): there the prior is
/// uniform, and a step is a share of what was thought possible. A residual is (run - data) / sigma;
/// the run is interpolated between its samples. Sigmas that are not known are the rms of the first
/// fit's residuals, series by series. Docs: docs/theory/fit.md. Tests:
/// tests/study/test_fit_series.c.
///
/// Threads and ownership: a fit belongs to one thread; plan, places and data are borrowed.
#ifndef RILLE_STUDY_FIT_SERIES_H
#define RILLE_STUDY_FIT_SERIES_H

#include <rille/study/collect.h>
#include <rille/study/posterior.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_SERIES_MOST = 7 };

typedef struct RiSeriesData {
    RiContext *ctx;
    int series, rows;
    int result[RI_SERIES_MOST]; ///< of the plan
    double *time;               ///< [rows], rising
    double *value;              ///< [rows * series]; NAN: not measured
    int measured[RI_SERIES_MOST];
} RiSeriesData;

/// Reads a table (.csv: `time` and a column for each series result of the plan) or a log (.mcap:
/// signals by the result's name or value). Fields of a table may be empty. RI_ERR_FORMAT names
/// file, line and field; RI_ERR_NOT_FOUND the series that is missing.
RI_MUST_CHECK RiStatus ri_series_data_load(RiContext *ctx, const RiCampaignPlan *plan, const char *path,
                                           RiSeriesData *out);
/// Releases the arrays of the data.
void ri_series_data_free(RiSeriesData *data);
/// Runs the plan's scene at a point of the cube, and writes what would have been measured with
/// noise of these sigmas (NULL: none).
RI_MUST_CHECK RiStatus ri_series_simulate(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places,
                                          const double *u, const double *sigma, uint64_t seed, RiSeriesData *out);

typedef struct RiSeriesFit {
    RiContext *ctx;
    const RiCampaignPlan *plan;
    const RiRunPlaces *places;
    const RiSeriesData *data;
    double sigma[RI_SERIES_MOST]; ///< 0: found by the fit
    bool known[RI_SERIES_MOST];
    int runs, refused;
    double *model; ///< [rows * series] of the last run
} RiSeriesFit;

/// `sigma` may be NULL; entries that are 0 are not known.
RI_MUST_CHECK RiStatus ri_series_fit_create(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places,
                                            const RiSeriesData *data, const double *sigma, RiSeriesFit **out);
/// Destroys it; NULL does nothing.
void ri_series_fit_destroy(RiSeriesFit *fit);

/// The run at a point of the cube, at the data's times: rows x series into fit->model.
/// RI_ERR_NUMERIC: it diverged or was refused.
RI_MUST_CHECK RiStatus ri_series_run(RiSeriesFit *fit, const double *u);

typedef struct RiSeriesResult {
    RiLeastSquaresResult least; ///< in the cube
    int numbers;                ///< residuals
    double log_likelihood;      ///< at the optimum, with its sigmas
    double aic, bic;            ///< parameters and unknown sigmas are paid for
    double rms[RI_SERIES_MOST]; ///< of residuals, in units of the series
} RiSeriesResult;
/// Least squares; twice if there are sigmas to find.
RI_MUST_CHECK RiStatus ri_series_fit(RiSeriesFit *fit, RiSeriesResult *out);

/// Log of the posterior density at a point of the cube, up to a constant.
RI_MUST_CHECK RiStatus ri_series_density(void *fit, int n, const double *u, double *out_log);

#ifdef __cplusplus
}
#endif
#endif
