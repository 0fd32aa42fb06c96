// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plans: what a robot shall do over one or many sols, and what comes of it.
///
///     plan file --(ri_plan_load)--> RiPlan --(ri_plan_run, at a fidelity)--> RiPlanRun: rows, margins, samples --> report
///
/// A plan names a scene whose robot has subsystems (docs/operations.md) and lists activities. They
/// are carried out one after the other by an onboard executive: windows, conditions, loads, data,
/// fault responses. While the robot drives it is stepped; else it rests and the subsystems go on by
/// long steps. Format: docs/plans.md.
///
/// Threads and ownership: a plan and its runs belong to the thread of their context. Texts live as
/// long as the plan or run they come from.
#ifndef RILLE_PLAN_H
#define RILLE_PLAN_H

#include <rille/paths.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiPlan RiPlan;
typedef struct RiPlanRun RiPlanRun;

/// How drives are carried out.
typedef enum RiFidelity {
    RI_FIDELITY_MAP,       ///< by distance, slope and a table of slip; the robot is put down from metre to metre
    RI_FIDELITY_KINEMATIC, ///< the plan's scene, stepped
    RI_FIDELITY_DYNAMIC,   ///< the plan's dynamic scene, stepped: contact and soil
    RI_FIDELITY_COUNT
} RiFidelity;
const char *ri_fidelity_name(RiFidelity fidelity); ///< "map", "kinematic", "dynamic"

typedef enum RiActivityState {
    RI_ACTIVITY_DONE,
    RI_ACTIVITY_SKIPPED, ///< its condition was false, or the robot was in safe mode
    RI_ACTIVITY_FAILED,  ///< it did not end in time, or a response stopped it
    RI_ACTIVITY_STATE_COUNT
} RiActivityState;
const char *ri_activity_state_name(RiActivityState state); ///< "done", "skipped", "failed"

/// What became of an activity.
typedef struct RiPlanRow {
    const char *name, *kind;
    RiActivityState state;
    const char *reason;     ///< "" if it was done
    double start, end;      ///< [s] since the start of the plan
    double hour;            ///< local true hour when it began
    double generated, used; ///< energy of the bus during it [J]
    double charge;          ///< state of charge at its end
    double way;             ///< driven [m]
    double sent;            ///< bits sent by all radios
} RiPlanRow;

/// What a margin was at its worst.
typedef struct RiPlanMargin {
    const char *name, *value; ///< the expression
    double least, most;       ///< limits, infinite without
    double worst, time;       ///< nearest to a limit, or farthest beyond, and when [s]
    double slack;             ///< distance to the limit; negative: beyond it
} RiPlanMargin;

/// A moment of a run.
enum { RI_PLAN_SIGNALS = 10 };
typedef struct RiPlanSample {
    double time, x, y;
    double signal[RI_PLAN_SIGNALS]; ///< of ri_plan_signal_name; NaN where the scene has none
} RiPlanSample;

RI_MUST_CHECK RiStatus ri_plan_load(RiContext *ctx, const char *path, RiPlan **out_plan);
/// Reads a text; `path` is used in messages and to find the scene, NULL: none is read.
RI_MUST_CHECK RiStatus ri_plan_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                     RiPlan **out_plan);
void ri_plan_destroy(RiPlan *plan);

const char *ri_plan_name(const RiPlan *plan);
const char *ri_plan_doc(const RiPlan *plan);
const char *ri_plan_scene(const RiPlan *plan);  ///< path of its scene
int ri_plan_activity_count(const RiPlan *plan); ///< repetitions unrolled
RiFidelity ri_plan_fidelity(const RiPlan *plan);

/// Carries a plan out. `paths` may be NULL. `settings` are those of the scene (RiSetting), after
/// the plan's own. A plan that goes wrong is a run with failed rows; RI_ERR_* is for scenes that
/// cannot be built and conditions that cannot be read.
RI_MUST_CHECK RiStatus ri_plan_run(RiPlan *plan, RiFidelity fidelity, const RiSetting *settings, int setting_count,
                                   RiPaths *paths, RiPlanRun **out_run);
void ri_plan_run_destroy(RiPlanRun *run);

int ri_plan_run_row_count(const RiPlanRun *run);
const RiPlanRow *ri_plan_run_row(const RiPlanRun *run, int row);
int ri_plan_run_margin_count(const RiPlanRun *run);
const RiPlanMargin *ri_plan_run_margin(const RiPlanRun *run, int margin);
int ri_plan_run_sample_count(const RiPlanRun *run);
const RiPlanSample *ri_plan_run_sample(const RiPlanRun *run, int sample);
const char *ri_plan_signal_name(int signal);
/// Totals: simulated time [s], way [m], energy generated and used [J], bits sent, lowest charge,
/// hash of the last state, state of the ledger.
typedef struct RiPlanTotals {
    double time, way, generated, used, sent, lowest_charge, charge, ledger;
    unsigned long long hash;
    int failed, skipped; ///< activities
    int violated;        ///< margins
    int responses;       ///< of the executive
} RiPlanTotals;
RiPlanTotals ri_plan_run_totals(const RiPlanRun *run);

/// Writes a page with the timeline, the path, charge, power, temperatures, data and margins.
/// `predicted` may be NULL.
RI_MUST_CHECK RiStatus ri_plan_report(RiContext *ctx, const RiPlan *plan, const RiPlanRun *run,
                                      const RiPlanRun *predicted, const char *path);

#ifdef __cplusplus
}
#endif
#endif
