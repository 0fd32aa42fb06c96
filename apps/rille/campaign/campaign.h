// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files of `rille campaign` and `rille sweep` share.
///
///     FILE --(campaign_load)--> Campaign { plan, scene } --(campaign_enter)--> store --(campaign_coordinate: workers)--> table
///     STORE --(campaign_open)--> Campaign { store, plan, scene } --> status, report, replay, ...
#ifndef RILLE_APP_CAMPAIGN_H
#define RILLE_APP_CAMPAIGN_H

#include <stdio.h>

#include <rille/study/store.h>

#include "cli.h"
#include "commands.h"

typedef struct CampaignArgs {
    const char *words[4]; ///< arguments that are no options
    int word_count;
    const char *store, *experiment, *out, *by, *partition;
    int workers, tasks, samples, runs;
    double lease, rate;
    bool json, quiet, least, slurm, pictures, csv, wait, retry;
} CampaignArgs;

typedef struct Campaign {
    const CampaignArgs *args;
    RiContext *ctx;
    RiStore *store;
    RiCampaignPlan *plan;
    char *stored_scene;
    char scene_path[PATH_MAX], url[PATH_MAX];
    char robots[PATH_MAX], terrains[PATH_MAX], data[PATH_MAX], soils[PATH_MAX], cache[PATH_MAX];
    const char *robot_folders[1], *terrain_folders[2];
    RiRunPlaces places;
    int made;       ///< runs that this process made and stored
    uint64_t proof; ///< how run 0 begins, after campaign_check
} Campaign;

// --- opening (campaign_open.c) ---
/// Reads the options and words of a subcommand; ends the program with a message where they are
/// wrong.
void campaign_parse(int argc, char **argv, const char *usage, const char *doc, int least_words, int most_words,
                    CampaignArgs *out);
/// Loads a campaign file and finds its scene; messages are printed.
CliExit campaign_load(Campaign *c, const char *file);
/// Finds the scene of a plan that is there already.
CliExit campaign_find_scene(Campaign *c, const char *file);
/// Opens the store and enters the plan.
CliExit campaign_enter(Campaign *c);
/// Opens a store and the plan in it.
CliExit campaign_open(Campaign *c, const char *url);
void campaign_close(Campaign *c);
/// A number of an option or word, or an end with a message.
int campaign_int(const char *what, const char *text, int least, int most);

// --- trying (campaign_check.c) ---
/// Builds run 0 and makes its first ticks in a process of its own, to see that all names exist
/// before anything is stored, and to fill c->proof.
CliExit campaign_check(Campaign *c);
/// Hash of the scene's file.
RiStatus campaign_hash_scene(Campaign *c, uint64_t *out_hash);
/// Before runs are made for a store that is open: program and run 0's beginning must be those that
/// the campaign was begun with.
CliExit campaign_prove(Campaign *c);

// --- running (campaign_worker.c, campaign_run.c) ---
/// Runs in a child process; crash and timeout become outcomes. *out_checkpoint: bytes of the last
/// checkpoint of a run that did not end well, to be released; NULL.
RiStatus campaign_run_guarded(Campaign *c, int k, const RiSample *samples, void (*beat)(void *user), void *user,
                              RiOutcome *out, void **out_checkpoint, size_t *out_size);
/// Takes runs from the store until there are no more; `name` is the worker's or NULL.
CliExit campaign_work(Campaign *c, const char *name);
/// Starts workers on this machine, watches them and shows the progress until all runs are finished.
CliExit campaign_coordinate(Campaign *c);
/// True after SIGINT or SIGTERM.
bool campaign_interrupted(void);
void campaign_catch_signals(void);

// --- looking (campaign_table.c, campaign_report.c) ---
void campaign_print_counts(Campaign *c, const RiStoreCounts *counts);
/// Statistics of all results, for people.
CliExit campaign_print_results(Campaign *c);
CliExit campaign_write_csv(Campaign *c, const RiTable *t, FILE *out);
/// Whether --out names a Parquet file; another ending than .csv, .txt and .parquet is refused.
CliExit campaign_is_parquet(const char *path, bool *out);
CliExit campaign_write_parquet(Campaign *c, const RiTable *t, const char *path);
CliExit campaign_write_report(Campaign *c, const char *path);
CliExit campaign_write_json(Campaign *c, FILE *out);
/// Copies the finished values of a result and returns their number; `runs` may be NULL.
int campaign_column(const RiTable *t, int result, double *out_values, int *out_runs);
/// The same, of independent runs alone: those that means, quantiles and their intervals are of.
int campaign_independent_column(const RiCampaignPlan *p, const RiTable *t, int result, double *out_values);
/// Finished independent runs, and how many of them are a success.
int campaign_trials(const RiCampaignPlan *p, const RiTable *t, int *out_success);
/// The shell's command that makes a run again.
void campaign_replay_command(const Campaign *c, int run, char *out, size_t size);

int campaign_replay(int argc, char **argv);
int campaign_series(int argc, char **argv);
int campaign_artefacts(int argc, char **argv);
int campaign_submit(int argc, char **argv);
int campaign_search(int argc, char **argv);
int campaign_risk(int argc, char **argv);
int campaign_boundary(int argc, char **argv);
int campaign_worst(int argc, char **argv);
int campaign_compare(int argc, char **argv);

#endif
