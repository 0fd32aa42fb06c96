// SPDX-License-Identifier: Apache-2.0
/// \file
/// Validation: published and closed-form results beside ours.
///
///     case --(run)--> rows (quantity, published, band, ours, verdict) --> sink of the caller (table, JSON, test)
///
/// A case builds its robot with the spec interface, moves it and hands in one row per quantity. The
/// band of a row comes from the digits of the reference and from the order of the integrator, never
/// from what we happen to get; each case says how it was chosen. A row is a *fit* if some parameter
/// was tuned to the published figure, else a *check*.
///
/// Threads and ownership: a run belongs to the thread of its context. Rows are borrowed by the sink
/// during the call.
#ifndef RI_STUDY_VALIDATE_H
#define RI_STUDY_VALIDATE_H

#include <stdbool.h>

#include <rille/context.h>

typedef enum RiVerdict { RI_VERDICT_PASS, RI_VERDICT_FAIL, RI_VERDICT_SKIPPED } RiVerdict;
typedef enum RiRowUse { RI_USE_CHECK, RI_USE_FIT } RiRowUse;

/// "pass", "fail", "skipped"; "check", "fit".
const char *ri_verdict_name(RiVerdict verdict);
const char *ri_row_use_name(RiRowUse use);

typedef struct RiRow {
    const char *case_name;
    const char *quantity;
    const char *unit;
    double published; ///< NaN in a skipped row without figures
    double low, high; ///< accepted band, both ends included
    double ours;      ///< NaN in a skipped row
    bool is_bound;    ///< the row only asks for an error of at most `high`; shown as "<= high"
    RiVerdict verdict;
    RiRowUse use;
    const char *source;
} RiRow;

typedef void (*RiRowFn)(void *user, const RiRow *row);

struct RiValidation;

typedef struct RiValidateCase {
    const char *name;
    const char *summary; ///< one line
    const char *source;  ///< of the reference values
    bool slow;           ///< left out by --quick
    double seconds;      ///< expected duration on an idle core
    RiStatus (*run)(struct RiValidation *run);
} RiValidateCase;

/// One pass over one or more cases. Zero-initialise, then set ctx, sink, user and quick.
typedef struct RiValidation {
    RiContext *ctx;
    RiRowFn sink;
    void *user;
    bool quick;         ///< skip slow cases and slow rows
    const char *robots; ///< folder of robots; NULL: cases that need one skip their rows
    const char *data;   ///< folder of data that is not part of the project; NULL: likewise
    const char *plots;  ///< folder that pictures are written into; NULL: none
    int passed, failed, skipped;
    const RiValidateCase *current;
} RiValidation;

int ri_validate_count(void);
const RiValidateCase *ri_validate_get(int index);
/// NULL if there is none.
const RiValidateCase *ri_validate_find(const char *name);

/// Runs one case. A case that cannot be computed (the motion diverged, a model was refused) becomes
/// a failed row that says so; the status is not RI_OK only if memory ran out.
RI_MUST_CHECK RiStatus ri_validate_run(RiValidation *run, const RiValidateCase *the_case);

// --- for cases -----------------------------------------------------------------------------------

/// Hands in a row: ours must lie in [published - band, published + band].
void ri_validate_near(RiValidation *run, const char *quantity, const char *unit, double published, double band,
                      double ours);
/// Hands in a row: ours, an error with the ideal value 0, must not exceed `most`.
void ri_validate_most(RiValidation *run, const char *quantity, const char *unit, double most, double ours);
/// Hands in a row with a band of its own.
void ri_validate_between(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                         double high, double ours);
/// The same for a figure that some parameter was tuned to or chosen by: the row's use is fit.
void ri_validate_fit(RiValidation *run, const char *quantity, const char *unit, double published, double low,
                     double high, double ours);
/// Hands in a row that was not computed.
void ri_validate_skip(RiValidation *run, const char *quantity);

// Every case of the table.
#define RI_CASE(name, speed, seconds, summary, source) RiStatus ri_case_##name(RiValidation *run);
#include "validate/cases.def"
#undef RI_CASE

#endif
