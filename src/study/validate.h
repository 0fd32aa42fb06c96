// SPDX-License-Identifier: Apache-2.0
/// \file
/// Validation: published and closed-form results beside ours.
///
///     case --(run)--> rows (quantity, published, band, ours, verdict) --> sink of the caller (table, JSON, test)
///
/// A case builds its robot with the spec interface, moves it and hands in one row per quantity. The band of a row comes
/// from the digits of the reference and from the order of the integrator, never from what we happen to get; each case says
/// how it was chosen. A row is a *fit* if some parameter was tuned to the published figure, else a *check*.
///
/// Threads and ownership: a run belongs to the thread of its context. Rows are borrowed by the sink during the call.
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

/// Runs one case. A case that cannot be computed (the motion diverged, a model was refused) becomes a failed row that says
/// so; the status is not RI_OK only if memory ran out.
RI_MUST_CHECK RiStatus ri_validate_run(RiValidation *run, const RiValidateCase *the_case);

// --- for cases ------------------------------------------------------------------------------------------------------

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

// The cases, by file.
RiStatus ri_case_free_fall(RiValidation *run);         // validate_bodies.c
RiStatus ri_case_dzhanibekov(RiValidation *run);       //
RiStatus ri_case_heavy_top(RiValidation *run);         //
RiStatus ri_case_double_pendulum(RiValidation *run);   // validate_pendulums.c
RiStatus ri_case_physical_pendulum(RiValidation *run); //
RiStatus ri_case_iftomm_a01(RiValidation *run);        //
RiStatus ri_case_iftomm_a02(RiValidation *run);        // validate_fourbar.c
RiStatus ri_case_iftomm_a03(RiValidation *run);        // validate_andrews.c
RiStatus ri_case_iftomm_a04(RiValidation *run);        // validate_bricard.c
RiStatus ri_case_iftomm_a05(RiValidation *run);        // validate_flyball.c
RiStatus ri_case_snake(RiValidation *run);             // validate_snake.c
RiStatus ri_case_gears(RiValidation *run);             // validate_gears.c
RiStatus ri_case_differential(RiValidation *run);      //
RiStatus ri_case_ground(RiValidation *run);            // validate_ground.c
RiStatus ri_case_friction(RiValidation *run);          // validate_contact.c
RiStatus ri_case_moreau(RiValidation *run);            // validate_moreau.c
RiStatus ri_case_screws(RiValidation *run);            //
RiStatus ri_case_melt(RiValidation *run);              // validate_melt.c
RiStatus ri_case_soil(RiValidation *run);              // validate_soil.c
RiStatus ri_case_screw_soil(RiValidation *run);        // validate_screw_soil.c
RiStatus ri_case_ripple(RiValidation *run);            // validate_ripple.c
RiStatus ri_case_spirit(RiValidation *run);            // validate_spirit.c
RiStatus ri_case_opportunity(RiValidation *run);       // validate_opportunity.c
RiStatus ri_case_dingo_gap(RiValidation *run);         //
RiStatus ri_case_traverse(RiValidation *run);          // validate_traverse.c
RiStatus ri_case_rover(RiValidation *run);             // validate_rover.c

#endif
