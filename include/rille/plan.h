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
    RI_FIDELITY_AUTO,      ///< one of the three for each stretch of a drive, by its slope
    RI_FIDELITY_COUNT
} RiFidelity;
/// "map", "kinematic", "dynamic" or "auto"; never NULL.
const char *ri_fidelity_name(RiFidelity fidelity);

typedef enum RiActivityState {
    RI_ACTIVITY_DONE,
    RI_ACTIVITY_SKIPPED, ///< its condition was false, or the robot was in safe mode
    RI_ACTIVITY_FAILED,  ///< it did not end in time, or a response stopped it
    RI_ACTIVITY_STATE_COUNT
} RiActivityState;
/// "done", "skipped" or "failed"; never NULL.
const char *ri_activity_state_name(RiActivityState state);

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
    /// The way at each fidelity [m], without RI_FIDELITY_AUTO.
    double way_at[RI_FIDELITY_AUTO];
    double slip;       ///< greatest while it drove; NaN: it did not
    double light_time; ///< of a pass or uplink at its end, one way [s]; NaN: it saw nobody
} RiPlanRow;

/// A time in which a radio saw its remote. Looks are a minute apart at most, and so are its ends.
typedef struct RiPlanPass {
    const char *radio;
    double start, end; ///< [s]
    double rate;       ///< highest that the link would have carried [bit/s]
    double sent;       ///< bits
    double light_time; ///< one way at its end [s]: the last bit is received that much later
} RiPlanPass;

/// A picture that a camera of the scene took. A run keeps the first 24.
enum { RI_PLAN_PICTURES = 24 };
typedef struct RiPlanPicture {
    const char *camera;
    int row;     ///< of the activity
    double time; ///< [s]
    int width, height;
    double radiance;          ///< mean over the picture, green [W/(m^2 sr)]
    const unsigned char *png; ///< its file
    size_t size;
} RiPlanPicture;

/// A sol of a run, from local midnight to local midnight; the first and the last may be shorter.
typedef struct RiPlanSol {
    double start, end;      ///< [s]
    double available;       ///< what sources could have given [J]
    double generated, used; ///< by the bus [J]
    double sent;            ///< bits
    double way;             ///< [m]
    double lowest;          ///< state of charge
    double tau;             ///< optical depth at its end; NaN without a site
} RiPlanSol;

/// What a margin was at its worst.
typedef struct RiPlanMargin {
    const char *name, *value; ///< the expression
    double least, most;       ///< limits, infinite without
    double worst, time;       ///< nearest to a limit, or farthest beyond, and when [s]
    double slack;             ///< distance to the limit; negative: beyond it
} RiPlanMargin;

/// A moment of a run.
enum { RI_PLAN_SIGNALS = 12 };
typedef struct RiPlanSample {
    double time, x, y;
    double signal[RI_PLAN_SIGNALS]; ///< of ri_plan_signal_name; NaN where the scene has none
} RiPlanSample;

/// Reads a plan and checks it without running it. RI_ERR_FORMAT names file, line and field.
RI_MUST_CHECK RiStatus ri_plan_load(RiContext *ctx, const char *path, RiPlan **out_plan);
/// Reads a text; `path` is used in messages and to find the scene, NULL: none is read.
RI_MUST_CHECK RiStatus ri_plan_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                     RiPlan **out_plan);
/// Destroys it; NULL does nothing.
void ri_plan_destroy(RiPlan *plan);

/// Name of the plan; borrowed.
const char *ri_plan_name(const RiPlan *plan);
/// Its description, one sentence; may be "". Borrowed.
const char *ri_plan_doc(const RiPlan *plan);
/// Path of its scene; borrowed.
const char *ri_plan_scene(const RiPlan *plan);
/// Number of activities, repetitions unrolled.
int ri_plan_activity_count(const RiPlan *plan);
/// The fidelity that the plan asks for.
RiFidelity ri_plan_fidelity(const RiPlan *plan);
/// Whether it has a table of slip over slope, for drives by map.
bool ri_plan_has_slips(const RiPlan *plan);

/// Carries a plan out. `paths` may be NULL. `settings` are those of the scene (RiSetting), after
/// the plan's own. A plan that goes wrong is a run with failed rows; RI_ERR_* is for scenes that
/// cannot be built and conditions that cannot be read.
RI_MUST_CHECK RiStatus ri_plan_run(RiPlan *plan, RiFidelity fidelity, const RiSetting *settings, int setting_count,
                                   RiPaths *paths, RiPlanRun **out_run);
/// Destroys it; NULL does nothing.
void ri_plan_run_destroy(RiPlanRun *run);

/// Number of rows: activities in the order in which they began.
int ri_plan_run_row_count(const RiPlanRun *run);
/// Row by index; borrowed, valid with the run.
const RiPlanRow *ri_plan_run_row(const RiPlanRun *run, int row);
/// Number of margins that the plan asks for.
int ri_plan_run_margin_count(const RiPlanRun *run);
/// Margin by index; borrowed, valid with the run.
const RiPlanMargin *ri_plan_run_margin(const RiPlanRun *run, int margin);
/// Number of samples of the timeline.
int ri_plan_run_sample_count(const RiPlanRun *run);
/// Sample by index; borrowed, valid with the run.
const RiPlanSample *ri_plan_run_sample(const RiPlanRun *run, int sample);
/// Name of a signal of the samples; "" beyond the last.
const char *ri_plan_signal_name(int signal);
/// Number of passes of orbiters, in order of their ends.
int ri_plan_run_pass_count(const RiPlanRun *run);
/// Pass by index; borrowed, valid with the run.
const RiPlanPass *ri_plan_run_pass(const RiPlanRun *run, int pass);
/// Number of pictures that activities took.
int ri_plan_run_picture_count(const RiPlanRun *run);
/// Picture by index; borrowed, valid with the run.
const RiPlanPicture *ri_plan_run_picture(const RiPlanRun *run, int picture);
/// Number of sols touched; 0: the sun does not move.
int ri_plan_run_sol_count(const RiPlanRun *run);
/// Sol by index; borrowed, valid with the run.
const RiPlanSol *ri_plan_run_sol(const RiPlanRun *run, int sol);
/// The fidelity at which it was carried out.
RiFidelity ri_plan_run_fidelity(const RiPlanRun *run);

/// What a mobility map told of drives by map.
typedef struct RiPlanMapWay {
    double inside, outside; ///< way on the map, and beyond it: there the plan's table of slip is used [m]
    double invalid;         ///< part of `inside` where the map is beyond its fit [m]
    double rolled;          ///< by the wheels inside, what odometry counts [m]
    double time, energy;    ///< inside: while it drives [s], of the motors, from the bus [J]
} RiPlanMapWay;

/// Totals: simulated time [s], way [m], energy generated and used [J], bits sent, lowest charge,
/// hash of the last state, state of the ledger.
typedef struct RiPlanTotals {
    double time, way, generated, used, sent, lowest_charge, charge, ledger;
    unsigned long long hash;
    int failed, skipped; ///< activities
    int violated;        ///< margins
    int responses;       ///< of the executive
    double lost;         ///< bits that found no room in the recorder
    double curtailed;    ///< what sources could have given and nobody took [J]
    double unserved;     ///< what loads asked for and did not get: shed, or a dead bus [J]
    double dead;         ///< for which the bus was dead [s]
    int pending;         ///< faults whose time did not come before the plan ended
    double beyond;       ///< daylight with dust beyond the tables of net flux: continued, not tabulated [s]
    /// The way at each fidelity [m], without RI_FIDELITY_AUTO.
    double way_at[RI_FIDELITY_AUTO];
    RiPlanMapWay mapped; ///< zeros without a map
} RiPlanTotals;
/// Sums over the whole run.
RiPlanTotals ri_plan_run_totals(const RiPlanRun *run);

/// Writes a page with the timeline, passes, the path on the map, slip, charge, power, temperatures,
/// data and margins. `predicted`, dashed: another run of the plan, or one of another plan; may be
/// NULL.
RI_MUST_CHECK RiStatus ri_plan_report(RiContext *ctx, const RiPlan *plan, const RiPlanRun *run,
                                      const RiPlanRun *predicted, const char *path);

#ifdef __cplusplus
}
#endif
#endif
