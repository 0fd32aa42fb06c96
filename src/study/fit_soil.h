// SPDX-License-Identifier: Apache-2.0
/// \file
/// The wheel-soil law from single-wheel tests: pull, side force and sinkage of a wheel at controlled slip, slip angle and load.
///
///     tests --> residuals of the closed forms --(Levenberg and Marquardt)--> numbers of the law with 95 % intervals
///
/// Threads and ownership: a fit belongs to the thread of its context; tests belong to the caller.
#ifndef RI_STUDY_FIT_SOIL_H
#define RI_STUDY_FIT_SOIL_H

#include <rille/soil.h>

#include "study/fit_screw.h"

/// One steady test of a wheel.
typedef struct RiWheelTest {
    double slip, beta; ///< [-], [rad] not negative
    double load;       ///< [N]
    double pull, side; ///< [N]; side: against the sliding
    double sinkage;    ///< [m]
    bool used;         ///< by the fit
} RiWheelTest;

/// Reads tests from a table with the columns slip, slip_angle [deg], load [N], fx [N], fy [N], sinkage [mm] (any order; others are ignored). All are
/// marked as used. The caller releases them with ri_release. RI_ERR_FORMAT names file, line and field.
RI_MUST_CHECK RiStatus ri_wheel_tests_load(RiContext *ctx, const char *path, RiWheelTest **out_tests, int *out_count);
/// The same from memory: `text` has `size` bytes and a zero behind them, and is cut into fields in place; `path` is for messages.
RI_MUST_CHECK RiStatus ri_wheel_tests_parse(RiContext *ctx, const char *path, char *text, size_t size,
                                            RiWheelTest **out_tests, int *out_count);

enum { RI_SOIL_FIT_MAX = 16 };

/// A number of the law that may be fitted.
typedef struct RiSoilParameter {
    const char *name, *unit;
    size_t at; ///< in RiSoilLaw
    double low, high;
    bool logarithmic;
} RiSoilParameter;
/// By name (n, n1, n1_skid, n_beta, k, c, kx, ky, kx_beta, ky_beta, a0, a1, a1_skid, a0_beta, a1_beta, exit0, exit1, bulldozing); NULL if there is none.
const RiSoilParameter *ri_soil_parameter(const char *name);

/// What a law makes of a test: pull, side force, sinkage. A wheel that is swallowed is sunk to its hub.
void ri_wheel_test_predict(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *law, const RiWheelTest *t,
                           double out[3]);

/// Deviations of a set of tests: root mean squares of pull and side force over load, largest of sinkage [m].
typedef struct RiSoilMisfit {
    double pull, side, sinkage;
    int count;
} RiSoilMisfit;
RiSoilMisfit ri_soil_misfit(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *law, const RiWheelTest *tests,
                            int count, bool used);

typedef struct RiSoilFit {
    RiSoilLaw law;
    RiEstimate estimates[RI_SOIL_FIT_MAX];
    double scatter; ///< root of the mean square residual, in units of the scales
    int iterations;
} RiSoilFit;
/// Fits the named numbers to the tests that are marked as used; `start` gives the others and the first guess. Forces count by 0.15 of the load,
/// sinkage by 5 mm. RI_ERR_ARGUMENT for an unknown name or too few tests, RI_ERR_NUMERIC if a number cannot be told from the tests.
RI_MUST_CHECK RiStatus ri_soil_fit(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *start,
                                   const RiWheelTest *tests, int count, const char *const *names, int name_count,
                                   RiSoilFit *out);

#endif
