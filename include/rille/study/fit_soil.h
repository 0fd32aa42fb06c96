// SPDX-License-Identifier: Apache-2.0
/// \file
/// The wheel-soil law from single-wheel tests: pull, side force and sinkage of a wheel at
/// controlled slip, slip angle and load.
///
///     tests --> residuals of the closed forms --(Levenberg and Marquardt)--> numbers of the law with 95 % intervals
///
/// Threads and ownership: a fit belongs to the thread of its context; tests belong to the caller.
#ifndef RILLE_STUDY_FIT_SOIL_H
#define RILLE_STUDY_FIT_SOIL_H

#include <rille/soil.h>
#include <rille/study/fit_screw.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One steady test of a wheel.
typedef struct RiWheelTest {
    double slip, beta;        ///< [-], [rad] not negative
    bool travel;              ///< the slip is by the speed of travel (a carriage), else by that along the heading
    const RiSoilWheel *wheel; ///< of this test; NULL: that of the fit
    double load;              ///< [N]
    double pull, side;        ///< [N]; side: against the sliding
    double sinkage;           ///< [m]
    bool used;                ///< by the fit
} RiWheelTest;

/// Reads tests from a table with the columns slip or travel_slip, slip_angle [deg], load [N], fx
/// [N], fy [N], sinkage [mm] (any order; others are ignored). All are marked as used. The caller
/// releases them with ri_release. RI_ERR_FORMAT names file, line and field.
RI_MUST_CHECK RiStatus ri_wheel_tests_load(RiContext *ctx, const char *path, RiWheelTest **out_tests, int *out_count);
/// The same from memory: `text` has `size` bytes and a zero behind them, and is cut into fields in
/// place; `path` is for messages.
RI_MUST_CHECK RiStatus ri_wheel_tests_parse(RiContext *ctx, const char *path, char *text, size_t size,
                                            RiWheelTest **out_tests, int *out_count);

enum { RI_SOIL_FIT_MAX = 16 };

/// A number of the law that may be fitted.
typedef struct RiSoilParameter {
    const char *name, *unit;
    size_t at; ///< in RiSoilLaw
    double low, high;
    bool logarithmic;
    double spread; ///< over the soils of the library, of the logarithm where that is fitted
} RiSoilParameter;
/// By name (n, n1, n1_skid, n_beta, k, c, kx, ky, kx_beta, ky_beta, a0, a1, a1_skid, a0_beta,
/// a1_beta, exit0, exit1, bulldozing, ploughing); NULL if there is none.
const RiSoilParameter *ri_soil_parameter(const char *name);

/// What a law makes of a test: pull, side force, sinkage. A wheel that is swallowed is sunk to its
/// hub.
void ri_wheel_test_predict(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *law, const RiWheelTest *t,
                           double out[3]);

/// Deviations of a set of tests: root mean squares of pull and side force over load, largest of
/// sinkage [m].
typedef struct RiSoilMisfit {
    double pull, side, sinkage;
    int count;
} RiSoilMisfit;
/// Misfit of the tests that were used for a fit (`used`), or of the others.
RiSoilMisfit ri_soil_misfit(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *law, const RiWheelTest *tests,
                            int count, bool used);

typedef struct RiSoilFit {
    RiSoilLaw law;
    RiEstimate estimates[RI_SOIL_FIT_MAX];
    double scatter; ///< root of the mean square residual, in units of the scales
    bool held;      ///< the tests alone do not tell the numbers apart: a prior holds them near the first guess
    bool untold[RI_SOIL_FIT_MAX]; ///< then: the tests say less about this number than the prior does
    int iterations;
} RiSoilFit;
/// Fits the named numbers to the tests that are marked as used; `start` gives the others and the
/// first guess. Forces count by 0.15 of the load, sinkage by 5 mm. RI_ERR_ARGUMENT for an unknown
/// name, one that comes twice, or too few tests. Where the tests do not tell the numbers apart, all
/// are fitted again with a prior about the first guess, as wide as the soils of the library spread
/// (`held`).
RI_MUST_CHECK RiStatus ri_soil_fit(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *start,
                                   const RiWheelTest *tests, int count, const char *const *names, int name_count,
                                   RiSoilFit *out);

#ifdef __cplusplus
}
#endif
#endif
