// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run of a plan, inside: shared by the executive (plan_run.c) and its activities
/// (plan_activity.c).
#ifndef RI_STUDY_PLAN_RUN_H
#define RI_STUDY_PLAN_RUN_H

#include "study/plan/plan.h"

struct RiPlanRun {
    RiContext *ctx;
    RiPlan *plan;
    RiFidelity fidelity;
    RiScene *scene;
    RiSim *sim;
    RiValues *values;
    RiArena arena;
    // what the executive looks at
    const RiFormula **until, **when;      ///< [activities], NULL
    const RiFormula **margin;             ///< [margins]
    const RiFormula **response, **resume; ///< [responses]
    int signal[RI_PLAN_SIGNALS];          ///< numbers of values, -1
    int base_x, base_y, base_z, generated, used, charge, mode, ledger, busy;
    int *radios; ///< numbers of the values NAME.sent
    int radio_count;
    // where it is
    bool safe;
    int safe_by;    ///< response that brought it there
    int next_fault; ///< in order of time
    double last_x, last_y, last_sample;
    // what comes of it
    RiPlanRow *rows;
    RiPlanMargin *margins;
    RiPlanSample *samples;
    int row_count, sample_count, sample_room;
    double way, lowest;
    int responses;
    unsigned long long hash;
};

/// Whether a response ended the activity in the last look; its sentence.
typedef struct RiPlanStop {
    bool stop;
    const char *reason;
} RiPlanStop;

double ri_plan_value(const RiPlanRun *r, int value); ///< NaN for -1
RI_MUST_CHECK RiStatus ri_plan_set(RiPlanRun *r, const char *device, const char *port, double x);
/// Looks at faults, responses, margins; keeps a sample. Called at least every minute.
RI_MUST_CHECK RiStatus ri_plan_look(RiPlanRun *r, RiPlanStop *out);
/// Rests for some seconds, with looks; ends early on a stop or where `until` is true.
RI_MUST_CHECK RiStatus ri_plan_rest(RiPlanRun *r, double seconds, const RiFormula *until, RiPlanStop *out);
/// Seconds until the local true hour.
double ri_plan_until_hour(const RiPlanRun *r, double hour);
/// Carries out an activity after its window has opened; *out_reason NULL: done.
RI_MUST_CHECK RiStatus ri_plan_activity(RiPlanRun *r, int activity, const char **out_reason);
/// A sentence that lives as long as the run; never NULL.
const char *ri_plan_text(RiPlanRun *r, const char *format, ...) RI_PRINTF(2, 3);

#endif
