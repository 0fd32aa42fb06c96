// SPDX-License-Identifier: Apache-2.0
/// \file
/// The store of campaigns: experiments, stage commands, result specifications, results, runs and
/// artefacts, as in ROAMS 3.7.
///
///     plan --(ri_store_enter)--> experiment, waiting runs --(lease)--> worker --(finish: run and results in one transaction)--> table
///
/// A worker holds a run by a lease that it renews; a lease that ran out may be taken over. A
/// finished run is written by the holder of its lease alone, so that no run is doubled whatever
/// clocks do: who lost the lease loses the result, and the other computes the same bits.
///
/// Threads and ownership: a store belongs to the thread and process that opened it.
#ifndef RILLE_STUDY_STORE_H
#define RILLE_STUDY_STORE_H

#include <rille/study/collect.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_STORE_VERSION = 4, RI_STORE_WORD = 96 };

/// Count, mean and sum of squared deviations of a result over independent runs [welford1962].
typedef struct RiRunningMean {
    int count;
    double mean, squares;
} RiRunningMean;

/// How far stop rules have looked, so that each run is read once.
typedef struct RiStoreSeen {
    long long experiment;                     ///< that these numbers belong to, plus 1; 0: none
    int runs, failures;                       ///< finished runs from number 0 on without a gap
    int trials, success;                      ///< those of them that are independent
    RiRunningMean means[RI_CAMPAIGN_RESULTS]; ///< of the results whose mean has a rule, in the rules' order
} RiStoreSeen;

typedef struct RiStore {
    RiContext *ctx;
    struct RiDb *db;
    long long experiment;       ///< that calls are about; -1: none is chosen
    double lease;               ///< how long a lease lasts [s]; default 30
    char worker[RI_STORE_WORD]; ///< name of this worker: host, process and time of birth
    double patience;            ///< how long a lost server is waited for [s]; default 60
    RiStoreSeen seen;
} RiStore;

/// Opens a store, creating file and tables if `create`. An older schema is migrated; a newer one,
/// and a database that is something else, are refused.
RI_MUST_CHECK RiStatus ri_store_open(RiContext *ctx, const char *url, bool create, RiStore **out_store);
/// Closes the store; NULL does nothing.
void ri_store_close(RiStore *s);
/// Whether a text is the URL of a server; otherwise it is a file's path.
bool ri_store_is_url(const char *text);
/// The name in messages; without a password.
const char *ri_store_name(const RiStore *s);

/// Chooses an experiment by name; NULL: the newest. RI_ERR_NOT_FOUND if there is none.
RI_MUST_CHECK RiStatus ri_store_choose(RiStore *s, const char *name);
/// Enters a plan as an experiment with its waiting runs, or finds it again. RI_ERR_MODEL if the
/// experiment was entered with another file, scene or program version. `scene_hash` is that of the
/// scene's file.
RI_MUST_CHECK RiStatus ri_store_enter(RiStore *s, const RiCampaignPlan *plan, const char *scene_path,
                                      uint64_t scene_hash);
/// The plan of the chosen experiment, with its extensions. *out_scene, the scene's path when it was
/// entered, is the caller's to release.
RI_MUST_CHECK RiStatus ri_store_plan(RiStore *s, RiCampaignPlan **out_plan, char **out_scene);
/// Refuses a program of another version than the experiment's: its bits may differ.
RI_MUST_CHECK RiStatus ri_store_check_version(RiStore *s);
/// `proof` is a hash of how run 0 begins here (its model, ground and first ticks); 0: not
/// known, nothing is done. The first one that an experiment gets is kept; RI_ERR_MODEL where a later one differs:
/// scene, robot, terrain or the bits of this machine are not those of the runs that are there.
RI_MUST_CHECK RiStatus ri_store_check_proof(RiStore *s, uint64_t proof);
/// Appends runs to the chosen experiment; `plan` is extended, too.
RI_MUST_CHECK RiStatus ri_store_extend(RiStore *s, RiCampaignPlan *plan, int runs);

typedef struct RiLease {
    int run;
    long long attempt;
} RiLease;

/// Takes at most `most` runs that wait or whose lease ran out.
RI_MUST_CHECK RiStatus ri_store_lease(RiStore *s, int most, RiLease *out_leases, int *out_count);
/// The same, but never more than a quarter of the runs that wait, or one: workers that take several
/// runs at once end together.
RI_MUST_CHECK RiStatus ri_store_lease_share(RiStore *s, int most, RiLease *out_leases, int *out_count);
/// Renews all leases of this worker.
RI_MUST_CHECK RiStatus ri_store_renew(RiStore *s);
/// Gives back all leases of a worker (NULL: of this one).
RI_MUST_CHECK RiStatus ri_store_release(RiStore *s, const char *worker);
/// Stores a finished run whole. *out_kept is false if the lease was lost: nothing is stored then.
/// `artefact` may be NULL.
RI_MUST_CHECK RiStatus ri_store_finish(RiStore *s, const RiCampaignPlan *plan, RiLease lease, const RiOutcome *o,
                                       const char *artefact, const void *bytes, size_t size, bool *out_kept);
/// Marks waiting runs (from `first` on) as cancelled or skipped; `stopped` is noted in the
/// experiment if it is not negative.
RI_MUST_CHECK RiStatus ri_store_drop(RiStore *s, RiRunStatus as, int first, int stopped);
/// Lets cancelled runs wait again.
RI_MUST_CHECK RiStatus ri_store_revive(RiStore *s);
/// Lets runs that diverged, were refused, crashed or hung wait again: their results and artefacts
/// are removed in the same transaction, and what a stop rule had skipped waits, too, since the rule
/// is to be looked at anew.
RI_MUST_CHECK RiStatus ri_store_retry(RiStore *s, long long *out_runs);

/// Numbers of runs by status.
typedef struct RiStoreCounts {
    long long runs[RI_RUN_STATUSES], total, success;
    double wall; ///< mean of finished runs [s]
} RiStoreCounts;
/// How many runs are in which status.
RI_MUST_CHECK RiStatus ri_store_counts(RiStore *s, RiStoreCounts *out);
/// What is known of a result so far.
typedef struct RiStoreMoments {
    long long count;
    double mean, least, greatest; ///< NaN if count is 0
} RiStoreMoments;
/// Of each result of the plan, computed by the database: for a look while runs are made.
RI_MUST_CHECK RiStatus ri_store_moments(RiStore *s, const RiCampaignPlan *plan, RiStoreMoments *out);
/// Looks at the finished runs in order and says after how many a stop rule is met; -1: not yet.
RI_MUST_CHECK RiStatus ri_store_stop(RiStore *s, const RiCampaignPlan *plan, int *out_stopped);
/// The same; where a rule is met, the waiting runs are skipped and the experiment notes it. Any
/// coordinator or worker may do so at any time: all of them find the same number.
RI_MUST_CHECK RiStatus ri_store_apply_stop(RiStore *s, const RiCampaignPlan *plan, int *out_stopped);

/// All runs of an experiment as columns.
typedef struct RiTableRun {
    int run;
    RiRunStatus status;
    bool success;
    uint64_t hash;
    double time, wall;
    int violations;
    uint64_t stages; ///< carried out, as in RiOutcome; all bits where it is not known
    int reason;      ///< index of reasons
} RiTableRun;
/// Room for the status, reason and detail of a run (RiOutcome) in one text.
enum { RI_REASON_SIZE = 512 };
typedef struct RiTable {
    RiContext *ctx;
    int count, results, stopped;
    RiTableRun *runs;                ///< [count], by number
    double *values;                  ///< [results][count]; NaN: none
    char (*reasons)[RI_REASON_SIZE]; ///< status, reason and detail of runs that are no success, [reason_count]
    int reason_count;
} RiTable;
/// The table of all runs of the experiment; release it with ri_table_free.
RI_MUST_CHECK RiStatus ri_store_table(RiStore *s, const RiCampaignPlan *plan, RiTable *out_table);
/// Releases the arrays of a table.
void ri_table_free(RiTable *t);
/// One run's row: status, hash and reason. RI_ERR_NOT_FOUND.
RI_MUST_CHECK RiStatus ri_store_run(RiStore *s, int run, RiOutcome *out);
/// An artefact of a run; the caller releases *out_bytes.
RI_MUST_CHECK RiStatus ri_store_artefact(RiStore *s, int run, const char *name, void **out_bytes, size_t *out_size);
/// Takes an artefact; `bytes` live until it returns. What it says ends the reading unless it is
/// RI_OK.
typedef RiStatus (*RiArtefactFn)(void *user, int run, const char *name, const void *bytes, size_t size);
/// Gives the artefacts of a run (-1: of all) with a name (NULL: any) by run and name. A series is
/// doubles, time and value in turn; "checkpoint" is what a run that ended badly left.
RI_MUST_CHECK RiStatus ri_store_each_artefact(RiStore *s, int run, const char *name, RiArtefactFn take, void *user);

#ifdef __cplusplus
}
#endif
#endif
