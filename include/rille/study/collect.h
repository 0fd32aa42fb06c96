// SPDX-License-Identifier: Apache-2.0
/// \file
/// One run of a campaign: stage commands carried out, results collected.
///
///     plan, run k --(ri_run_open)--> scene with its settings --(ticks: commands before, results after)--> RiOutcome
///
/// Threads and ownership: a run belongs to the thread of its context.
#ifndef RILLE_STUDY_COLLECT_H
#define RILLE_STUDY_COLLECT_H

#include <signal.h>

#include <rille/scene.h>
#include <rille/study/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiRunStatus {
    RI_RUN_WAITING,
    RI_RUN_LEASED,
    RI_RUN_DONE,      ///< to its end
    RI_RUN_FAILED,    ///< the motion diverged
    RI_RUN_REFUSED,   ///< its scene could not be built with these values
    RI_RUN_CRASHED,   ///< the process died
    RI_RUN_HUNG,      ///< it took longer than the campaign's timeout
    RI_RUN_CANCELLED, ///< by the user
    RI_RUN_SKIPPED,   ///< a stop rule made it unnecessary
    RI_RUN_STATUSES
} RiRunStatus;
/// Name of a status as stores have it ("done"); never NULL.
const char *ri_run_status_name(RiRunStatus status);
/// RI_RUN_STATUSES if there is none of this name.
RiRunStatus ri_run_status_find(const char *name);

/// A collected number.
typedef struct RiCollected {
    double value, time; ///< NaN: the trigger did not fire
} RiCollected;

/// A series: time and value in turn.
typedef struct RiSeries {
    int result, count, room; ///< count: numbers, two for each entry
    double *pairs;
} RiSeries;

typedef struct RiOutcome {
    RiRunStatus status;
    char reason[64];  ///< in a word: "duration", "stopped", "diverged", "signal 11", ... : failures are clustered by it
    char detail[400]; ///< the stop condition or the message
    bool success;
    uint64_t hash;     ///< of the state at the end
    double time, wall; ///< simulated and spent [s]
    long long ticks;
    int violations;  ///< of validity
    uint64_t stages; ///< bit i: stage command i of the plan was carried out
    RiCollected values[RI_CAMPAIGN_RESULTS];
    RiSeries series[RI_CAMPAIGN_RESULTS];
    int series_count;
} RiOutcome;

/// Where scenes and what they name are found; all borrowed.
typedef struct RiRunPlaces {
    const char *scene; ///< path of the scene's file
    const char *const *robot_paths;
    int robot_path_count;
    const char *const *terrain_paths;
    int terrain_path_count;
    const char *soils, *cache;
} RiRunPlaces;

typedef struct RiRun {
    RiContext *ctx;
    const RiCampaignPlan *plan;
    RiScene *scene;
    RiSim *sim;
    int k;
    RiSample samples[RI_DESIGN_DIMENSIONS];
    struct RiCollector *collector;
} RiRun;

/// Builds the scene of run k, or with samples of the caller's (k then chooses the seed only),
/// carries out stage start, and looks at the results for the first time. `samples` may be NULL.
/// Fails with the scene's message: close it also then.
RI_MUST_CHECK RiStatus ri_run_open(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places, int k,
                                   const RiSample *samples, RiRun *out_run);
/// Refuses triggers that ask for nothing but the time and hold at no tick: RI_ERR_FORMAT with file
/// and line. Not where dispersions may change how long runs last.
RI_MUST_CHECK RiStatus ri_run_check_triggers(RiRun *run);
/// Carries out what is due before the next tick.
RI_MUST_CHECK RiStatus ri_run_before_tick(RiRun *run);
/// Looks at the results after a tick.
RI_MUST_CHECK RiStatus ri_run_after_tick(RiRun *run);
/// Carries out stage end and fills in the results; series then belong to the outcome.
RI_MUST_CHECK RiStatus ri_run_finish(RiRun *run, RiOutcome *out);
/// Ends a run and releases it; NULL does nothing.
void ri_run_close(RiRun *run);

/// The whole run. Failures of the run itself are in the outcome; the status is not RI_OK for those
/// of the campaign (a name in it that does not exist) and of the machine. `interrupt` may be NULL:
/// when it becomes non-zero the run ends as RI_RUN_HUNG. `checkpoint` may be NULL: a file that gets
/// the state at the plan's period and after a failure.
RI_MUST_CHECK RiStatus ri_run_all(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places, int k,
                                  const RiSample *samples, const volatile sig_atomic_t *interrupt,
                                  const char *checkpoint, RiOutcome *out);
/// Releases the arrays of an outcome.
void ri_outcome_free(RiContext *ctx, RiOutcome *out);

#ifdef __cplusplus
}
#endif
#endif
