// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run of a plan, inside: shared by the executive (plan_run.c) and its activities
/// (plan_activity.c).
#ifndef RI_STUDY_PLAN_RUN_H
#define RI_STUDY_PLAN_RUN_H

#include <rille/perception.h>

#include "study/plan/plan.h"

/// A radio of the scene: numbers of its values, and the pass that goes on.
typedef struct RiPlanRadio {
    const char *name;
    int sent, visible, rate, light_time;
    bool seen;
    RiPlanPass pass;
    double sent_before;
} RiPlanRadio;

/// The mobility map of a plan (plan_map.c).
typedef struct RiPlanMap RiPlanMap;

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
    int base_x, base_y, base_z, generated, used, charge, mode, ledger, busy, refused, powered;
    int slip;    ///< of the locomotion device
    int dynamic; ///< `drive.dynamic` of a scene whose mode is switchable
    RiPlanRadio *radios;
    int radio_count;
    // where it is
    bool safe;
    double usual_mode; ///< of the bus during the activity, outside safe mode
    int safe_by;       ///< response that brought it there
    int next_fault;    ///< in order of time
    double last_x, last_y, last_sample;
    RiFidelity stretch;  ///< how it drives now; RI_FIDELITY_AUTO: it does not
    double map_slip;     ///< on a stretch by map
    double map_late;     ///< what parts of the way by map took too long [s]
    RiPlanMap *map;      ///< NULL: drives by map go by the plan's table
    RiPlanMapWay mapped; ///< what of the way it told
    double worst_slip;   ///< of the activity, NaN
    double light_time;   ///< of the activity's radio [s], NaN
    // what comes of it
    RiPlanRow *rows;
    RiPlanMargin *margins;
    RiPlanSample *samples;
    RiPlanPass *passes;
    int row_count, sample_count, sample_room, pass_count, pass_room;
    RiPerception *eyes; ///< NULL before the first picture
    RiPlanPicture pictures[RI_PLAN_PICTURES];
    int picture_count;
    RiPlanSol *sols; ///< the last one goes on
    int sol_count, sol_room, curtailed;
    int lost, dead_time;           ///< of recorder and bus
    int beyond;                    ///< `site.beyond_tables`
    double beyond_time, last_look; ///< [s]
    double sol_end, sol_lowest;    ///< next local midnight [s], infinite without one; lowest charge of the sol
    RiPlanSol sol_begin;           ///< sums at the start of the sol
    double way, lowest, way_at[RI_FIDELITY_AUTO];
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
RI_MUST_CHECK RiStatus ri_plan_get(RiPlanRun *r, const char *device, const char *port, double *out);
/// Looks at faults, responses, margins; keeps a sample. Called at least every minute.
RI_MUST_CHECK RiStatus ri_plan_look(RiPlanRun *r, RiPlanStop *out);
/// Rests for some seconds, with looks; ends early on a stop or where `until` is true.
RI_MUST_CHECK RiStatus ri_plan_rest(RiPlanRun *r, double seconds, const RiFormula *until, RiPlanStop *out);
/// Injects the faults that are due.
RI_MUST_CHECK RiStatus ri_plan_inject(RiPlanRun *r);
/// Seconds until the local true hour comes next, counted from `later` seconds after now.
double ri_plan_until_hour(const RiPlanRun *r, double later, double hour);
/// Carries out an activity after its window has opened; *out_reason NULL: done.
RI_MUST_CHECK RiStatus ri_plan_activity(RiPlanRun *r, int activity, const char **out_reason);
/// Steps for some time, or while the robot is busy; a tick that fails, or a stop condition, is a
/// reason.
RI_MUST_CHECK RiStatus ri_plan_step(RiPlanRun *r, double seconds, bool while_busy, const char **out_reason);
/// Steps until the robot rests. At fidelity auto, kinematics hold one that creeps.
RI_MUST_CHECK RiStatus ri_plan_come_to_rest(RiPlanRun *r);

// plan_map.c

/// Reads the plan's map, where there is one and the fidelity uses it.
RI_MUST_CHECK RiStatus ri_plan_map_open(RiPlanRun *r);
double ri_plan_map_step(const RiPlanRun *r); ///< way between places to look at [m]
/// Whether the map says that a place must not be entered in a heading.
bool ri_plan_map_forbids(const RiPlanRun *r, double x, double y, double heading);
/// Adds a short way at a place in a heading, which is not forbidden.
void ri_plan_map_add(const RiPlanRun *r, double x, double y, double heading, double way, RiPlanMapWay *sum);

// plan_payload.c

#define RI_PLAN_SETTLE 1.5 ///< [s] after dynamics are switched on or off
/// Whether the scene has the arms and cameras that the plan names.
RI_MUST_CHECK RiStatus ri_plan_find_payload(RiPlanRun *r);
/// Brings the arm of an activity to its target; and home.
RI_MUST_CHECK RiStatus ri_plan_reach(RiPlanRun *r, const RiActivity *a, const char **out_reason);
RI_MUST_CHECK RiStatus ri_plan_stow(RiPlanRun *r, const RiActivity *a, const char **out_reason);
/// Takes the picture of an activity's camera, as the scene is now; not by map.
RI_MUST_CHECK RiStatus ri_plan_take_picture(RiPlanRun *r, const RiActivity *a, const char **out_reason);
/// Bits of an activity's pictures; 0 without a camera.
double ri_plan_picture_bits(const RiPlanRun *r, const RiActivity *a);

/// A sentence that lives as long as the run; never NULL.
const char *ri_plan_text(RiPlanRun *r, const char *format, ...) RI_PRINTF(2, 3);

#endif
