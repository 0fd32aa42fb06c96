// SPDX-License-Identifier: Apache-2.0
/// \file
/// The statistics of campaigns against closed forms: intervals, ranks, Sobol' points and indices,
/// small probabilities, a linear-Gaussian posterior.
///
/// Bands: figures that are computed, not sampled, must agree to 1e-9 or exactly. Of a sampled
/// figure the exact value must lie in the interval that we state for it (the row is the distance in
/// half-widths); intervals of 99.9 % and fixed seeds keep a right program from failing.
#include <math.h>
#include <string.h>

#include <rille/study/indices.h>
#include <rille/study/posterior.h>
#include <rille/study/sample.h>
#include <rille/study/search.h>
#include <rille/study/stats.h>

#include "base/memory.h"
#include "validate/validate.h"

// --------------------------------------------------------------------------------------- intervals

static void check_proportions(RiValidation *run)
{
    static const struct {
        int k, n;
        double confidence, clopper[2], wilson[2];
    } rows[] = {
        {0, 10, 0.95, {0.0, 0.3084971078}, {0.0, 0.2775327999}},
        {1, 10, 0.95, {0.0025285785, 0.4450161170}, {0.0178762131, 0.4041500268}},
        {5, 10, 0.95, {0.1870860284, 0.8129139716}, {0.2365930905, 0.7634069095}},
        {10, 10, 0.95, {0.6915028922, 1.0}, {0.7224672001, 1.0}},
        {0, 59, 0.9, {0.0, 0.0495076099}, {0.0, 0.0438460356}},
        {3, 50, 0.95, {0.0125485878, 0.1654819466}, {0.0206149703, 0.1621709169}},
        {47, 50, 0.95, {0.8345180534, 0.9874514122}, {0.8378290831, 0.9793850297}},
        {92, 100, 0.99, {0.8238856452, 0.9736988475}, {0.8213251852, 0.9664094371}},
        {998, 1000, 0.95, {0.9927941611, 0.9997576989}, {0.9927371921, 0.9994513564}},
        {500, 1000, 0.9, {0.4735177312, 0.5264822688}, {0.4740276915, 0.5259723085}},
    };
    double clopper = 0.0, wilson = 0.0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const RiInterval c = ri_clopper_pearson(rows[i].k, rows[i].n, rows[i].confidence);
        const RiInterval w = ri_wilson(rows[i].k, rows[i].n, rows[i].confidence);
        clopper = fmax(clopper, fmax(fabs(c.low - rows[i].clopper[0]), fabs(c.high - rows[i].clopper[1])));
        wilson = fmax(wilson, fmax(fabs(w.low - rows[i].wilson[0]), fabs(w.high - rows[i].wilson[1])));
    }
    ri_validate_most(run, "Clopper-Pearson intervals of ten proportions: largest error", "", 1e-9, clopper);
    ri_validate_most(run, "Wilson intervals of ten proportions: largest error", "", 1e-9, wilson);
}

static void check_ranks(RiValidation *run)
{
    ri_validate_near(run, "runs for a 95 % quantile at 95 % confidence", "", 59, 0, ri_wilks_count(0.95, 0.95, 1));
    ri_validate_near(run, "the same by the second largest", "", 93, 0, ri_wilks_count(0.95, 0.95, 2));
    ri_validate_near(run, "runs for a 99 % quantile at 95 % confidence", "", 299, 0, ri_wilks_count(0.99, 0.95, 1));
    ri_validate_near(run, "runs for a 90 % quantile at 90 % confidence", "", 22, 0, ri_wilks_count(0.9, 0.9, 1));
    ri_validate_near(run, "rank that bounds the 90 % quantile of 100 runs", "", 96, 0,
                     ri_quantile_upper_rank(100, 0.9, 0.95));
    ri_validate_near(run, "rank that bounds the median of 100 runs", "", 59, 0, ri_quantile_upper_rank(100, 0.5, 0.95));
    ri_validate_near(run, "rank that bounds the 99 % quantile of 1000 runs", "", 996, 0,
                     ri_quantile_upper_rank(1000, 0.99, 0.95));
    ri_validate_near(run, "58 runs bound no 95 % quantile", "", 0, 0, ri_quantile_upper_rank(58, 0.95, 0.95));
}

static void check_sobol_points(RiValidation *run)
{
    static const double points[8][10] = {
        {0},
        {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
        {0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75, 0.75, 0.75},
        {0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75, 0.25, 0.25, 0.25},
        {0.375, 0.375, 0.625, 0.875, 0.375, 0.125, 0.375, 0.875, 0.875, 0.625},
        {0.875, 0.875, 0.125, 0.375, 0.875, 0.625, 0.875, 0.375, 0.375, 0.125},
        {0.625, 0.125, 0.875, 0.625, 0.625, 0.875, 0.125, 0.125, 0.125, 0.375},
        {0.125, 0.625, 0.375, 0.125, 0.125, 0.375, 0.625, 0.625, 0.625, 0.875},
    };
    double worst = 0.0;
    for (uint32_t k = 0; k < 8; k++)
        for (int d = 0; d < 10; d++)
            worst = fmax(worst, fabs(ri_sobol_point(k, d) - points[k][d]));
    ri_validate_most(run, "Sobol' points in ten dimensions: largest difference", "", 0.0, worst);
}

// ---------------------------------------------------------------------------------- Sobol' indices

typedef double (*Function)(const double *u);

static double ishigami(const double *u)
{
    const double pi = M_PI;
    const double x1 = pi * (2 * u[0] - 1), x2 = pi * (2 * u[1] - 1), x3 = pi * (2 * u[2] - 1);
    return sin(x1) + 7.0 * sin(x2) * sin(x2) + 0.1 * pow(x3, 4) * sin(x1);
}

static double g_function(const double *u)
{
    static const double a[] = {0, 1, 4.5, 9, 99, 99, 99, 99};
    double f = 1.0;
    for (int i = 0; i < 8; i++)
        f *= (fabs(4 * u[i] - 2) + a[i]) / (1 + a[i]);
    return f;
}

enum { ROWS = 8192, REPLICAS = 200 };

/// Largest distance of the exact indices from the estimates, in half-widths of the stated
/// intervals; 1e-4 is the least half-width that counts.
static RiStatus index_distance(RiValidation *run, Function f, int d, const double *S, const double *ST, double *out)
{
    const RiDesign design = {.kind = RI_DESIGN_SALTELLI,
                             .scrambled = true,
                             .seed = 5,
                             .dimensions = d,
                             .blocks = {ROWS * (d + 2)},
                             .block_count = 1};
    RiSobolIndex index[8];
    double u[8];
    const int count = ROWS * (d + 2);
    double *y = ri_alloc(run->ctx, (size_t)count + (size_t)(2 * d * REPLICAS), sizeof *y);
    if (!y)
        return ri_error_memory(run->ctx);
    for (int k = 0; k < count; k++) {
        ri_design_point(&design, k, u);
        y[k] = f(u);
    }
    ri_sobol_indices(y, ROWS, d, 0.999, REPLICAS, 7, y + count, index);
    *out = 0.0;
    for (int i = 0; i < d; i++) {
        const double h1 = 0.5 * (index[i].first_interval.high - index[i].first_interval.low);
        const double ht = 0.5 * (index[i].total_interval.high - index[i].total_interval.low);
        *out = fmax(*out, fabs(index[i].first - S[i]) / fmax(h1, 1e-4));
        *out = fmax(*out, fabs(index[i].total - ST[i]) / fmax(ht, 1e-4));
    }
    ri_release(run->ctx, y);
    return RI_OK;
}

static RiStatus check_indices(RiValidation *run)
{
    static const double S[] = {0.313905191148, 0.44241114479, 0.0},
                        ST[] = {0.55758885521, 0.44241114479, 0.243683664062};
    static const double G[] = {0.716192168879,    0.17904804222,     0.0236757741778,   0.00716192168879,
                               7.16192168879e-05, 7.16192168879e-05, 7.16192168879e-05, 7.16192168879e-05};
    static const double GT[] = {0.787144126659,   0.242198192818,   0.0343169101541,  0.0104603870652,
                                0.00010494905192, 0.00010494905192, 0.00010494905192, 0.00010494905192};
    double distance;
    RI_TRY(index_distance(run, ishigami, 3, S, ST, &distance));
    ri_validate_most(run, "Ishigami's indices, 8192 rows: distance in half-widths of 99.9 %", "", 1.0, distance);
    RI_TRY(index_distance(run, g_function, 8, G, GT, &distance));
    ri_validate_most(run, "indices of the g-function, 8192 rows: distance in half-widths of 99.9 %", "", 1.0, distance);
    return RI_OK;
}

// -------------------------------------------------------------------------------------- posteriors

static const double A[12][3] = {{1, -1.951, -1.55},  {1, -0.429, 0.735}, {1, -1.445, -1.55},  {1, -1.073, 1.03},
                                {1, -1.41, 0.963},   {1, 0.649, -1.454}, {1, 0.143, -0.209},  {1, -0.35, 1.985},
                                {1, -1.628, -1.919}, {1, 1.759, -0.388}, {1, -1.206, -0.679}, {1, -0.54, 1.82}};
static const double Y[12] = {2.6906, 1.8918, 1.6557, 2.4663,  3.6154, -0.8622,
                             0.3954, 2.3079, 2.5183, -2.4325, 2.5423, 2.4137};

static RiStatus linear_gaussian(void *user, int n, const double *x, double *out_log)
{
    static const double mean[] = {0, 0, 0.5}, variance[] = {4, 1, 0.25};
    (void)user;
    *out_log = 0.0;
    for (int i = 0; i < n; i++)
        *out_log -= 0.5 * (x[i] - mean[i]) * (x[i] - mean[i]) / variance[i];
    for (int k = 0; k < 12; k++) {
        const double r = (Y[k] - A[k][0] * x[0] - A[k][1] * x[1] - A[k][2] * x[2]) / 0.3;
        *out_log -= 0.5 * r * r;
    }
    return RI_OK;
}

static RiStatus check_posterior(RiValidation *run)
{
    static const double mean[] = {0.693918170022, -1.53509733, 0.513153227661};
    static const double sd[] = {0.101138602145, 0.085021287114, 0.0657085887263};
    static const double covariance[] = {0.0102290168439,    0.00441765308833,   -5.76543983427e-05,
                                        0.00441765308833,   0.00722861926253,   -0.000794462539912,
                                        -5.76543983427e-05, -0.000794462539912, 0.0043176186324};
    const double start[] = {0, 0, 0}, cloud[] = {1, 1, 1};
    const RiChains o = {.n = 3, .walkers = 32, .steps = 4000, .warmup = 1000, .start = start, .sd = cloud, .seed = 3};
    RiChainsResult c;
    RI_TRY(ri_chains_sample(run->ctx, &o, linear_gaussian, NULL, NULL, &c));
    double off = 0.0, spread = 0.0, r = 0.0;
    for (int i = 0; i < 3; i++) {
        off = fmax(off, fabs(c.mean[i] - mean[i]) / c.standard_error[i]);
        r = fmax(r, c.r_hat[i]);
        for (int j = 0; j < 3; j++)
            spread = fmax(spread, fabs(c.covariance[i * 3 + j] - covariance[i * 3 + j]) / (sd[i] * sd[j]));
    }
    ri_validate_most(run, "linear-Gaussian posterior: mean, in its standard errors", "", 3.0, off);
    ri_validate_most(run, "the same: covariance, relative to the standard deviations", "", 0.05, spread);
    ri_validate_most(run, "the same: R-hat - 1", "", 0.01, r - 1.0);
    return RI_OK;
}

// ------------------------------------------------------------------------------------ small events

typedef struct Plane {
    double beta; ///< distance of the failure plane from the origin, in standard deviations
} Plane;

static RiStatus plane(void *user, int n, int count, const double *z, double *out_g, double *out_violation)
{
    const Plane *p = user;
    (void)out_violation;
    for (int k = 0; k < count; k++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += z[k * n + i];
        out_g[k] = p->beta - sum / sqrt(n);
    }
    return RI_OK;
}

static RiStatus check_subset(RiValidation *run)
{
    static const struct {
        double p;
        const char *name;
    } cases[] = {{1e-3, "a failure of probability 1e-3 in ten dimensions: error in standard deviations"},
                 {1e-4, "the same of 1e-4"},
                 {1e-5, "the same of 1e-5"}};
    for (int i = 0; i < 3; i++) {
        Plane p = {-ri_normal_quantile(cases[i].p)};
        const RiSubsetOptions o = {.n = 10, .samples = 5000, .seed = 11};
        RiSubsetResult r;
        RI_TRY(ri_subset_probability(run->ctx, &o, plane, &p, &r));
        ri_validate_most(run, cases[i].name, "", 3.0, fabs(r.probability / cases[i].p - 1.0) / r.variation);
        if (i == 2)
            ri_validate_most(run, "the same: stated coefficient of variation", "", 0.3, r.variation);
    }
    return RI_OK;
}

RiStatus ri_case_campaign(RiValidation *run)
{
    check_proportions(run);
    check_ranks(run);
    check_sobol_points(run);
    RI_TRY(check_indices(run));
    RI_TRY(check_posterior(run));
    return check_subset(run);
}
