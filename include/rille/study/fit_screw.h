// SPDX-License-Identifier: Apache-2.0
/// \file
/// The screw-ice law from drag tests: a screw pulled over ice along and across its thread under
/// several loads.
///
///     CSV (load, direction, force) --> tests --> mu, E(F_n) = e0 + e1 F_n with uncertainty, outliers
///
/// As section 2.2.2 and figure 7 of EELS-DARTS [hasseler2024]: the coefficient of a test is force /
/// load. mu is the mean of the parallel ones; E is a normal one over mu, fitted by a line. Theory:
/// docs/fit.md.
///
/// Threads and ownership: a fit belongs to the thread of its context; the tests belong to the
/// caller.
#ifndef RILLE_STUDY_FIT_SCREW_H
#define RILLE_STUDY_FIT_SCREW_H

#include <stdbool.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiDragDirection { RI_DRAG_PARALLEL, RI_DRAG_NORMAL } RiDragDirection;

/// One drag test.
typedef struct RiDragTest {
    double load;  ///< normal force [N]
    double force; ///< to keep it moving [N]
    RiDragDirection direction;
    int line;     ///< of the file
    bool outlier; ///< set by ri_screw_fit
} RiDragTest;

/// An estimate with its standard error and 95 % interval.
typedef struct RiEstimate {
    double value, error, low, high;
} RiEstimate;

typedef struct RiScrewFit {
    RiEstimate mu;        ///< [-]
    RiEstimate e0;        ///< [-]
    RiEstimate e1;        ///< [1/N]
    double load[2];       ///< least and largest load of the normal tests [N]
    double scatter[2];    ///< standard deviation of parallel coefficients, and of normal ones about the line [-]
    int parallel, normal; ///< tests used
    int outliers;         ///< tests marked
} RiScrewFit;

/// Reads tests from a table with the columns load, direction, force (any order; others are
/// ignored). Lines that start with # are comments. The caller releases the tests with ri_release.
/// RI_ERR_FORMAT names file, line and field.
RI_MUST_CHECK RiStatus ri_drag_tests_load(RiContext *ctx, const char *path, RiDragTest **out_tests, int *out_count);

/// The same from memory: `text` has `size` bytes and a zero behind them, and is cut into fields in
/// place; `path` is for messages.
RI_MUST_CHECK RiStatus ri_drag_tests_parse(RiContext *ctx, const char *path, char *text, size_t size,
                                           RiDragTest **out_tests, int *out_count);

/// Fits. Marks tests whose residual is beyond 3.5 robust standard deviations; with `drop` they are
/// left out of the fit. RI_ERR_ARGUMENT where there are fewer than two parallel and three normal
/// tests, or normal tests at one load only.
RI_MUST_CHECK RiStatus ri_screw_fit(RiContext *ctx, RiDragTest *tests, int count, bool drop, RiScrewFit *out_fit);

/// Two-sided 95 % quantile of Student's distribution; `freedom` at least 1, need not be whole.
double ri_student_95(double freedom);

#ifdef __cplusplus
}
#endif
#endif
