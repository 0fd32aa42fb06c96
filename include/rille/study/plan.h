// SPDX-License-Identifier: Apache-2.0
/// \file
/// The campaign file: what is run, what varies, what is collected, when it ends.
///
///     campaign.yaml --(ri_campaign_load)--> RiCampaignPlan --(ri_campaign_settings)--> settings of run k, the same on every machine
///
/// Every message names file, line and key. docs/campaigns.md has the keys.
///
/// Threads and ownership: a plan is read by any number of threads; all texts live as long as it
/// does.
#ifndef RILLE_STUDY_PLAN_H
#define RILLE_STUDY_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <rille/memory.h>
#include <rille/robot.h>
#include <rille/study/dist.h>
#include <rille/study/sample.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RI_CAMPAIGN_RESULTS = 64,
    RI_CAMPAIGN_STAGES = 64,
    RI_CAMPAIGN_SETTINGS = 64,
    RI_CAMPAIGN_UNIT = 40,
    RI_CAMPAIGN_NUMBER = 80
};

/// Something that varies from run to run.
typedef struct RiDispersion {
    const char *name; ///< of a scene key, a parameter or a named value, as in `rille run --set`
    RiDist dist;
    const char *const *words;    ///< RI_DIST_LIST of texts: [dist.count]; NULL: numbers
    char unit[RI_CAMPAIGN_UNIT]; ///< that the file's numbers have, in SI: goes along with samples; "" for plain numbers
    int line;
} RiDispersion;

typedef enum RiStage { RI_STAGE_BUILD, RI_STAGE_START, RI_STAGE_TIME, RI_STAGE_WHEN, RI_STAGE_END } RiStage;
/// Name of a stage as campaign files give it; never NULL.
const char *ri_stage_name(RiStage stage);

/// A value that is set at a stage of every run.
typedef struct RiStageCommand {
    RiStage stage;
    double time;      ///< RI_STAGE_TIME [s]
    const char *when; ///< RI_STAGE_WHEN: the first tick at which this is true
    const char *name, *value;
    int line;
} RiStageCommand;

typedef enum RiTake {
    RI_TAKE_LAST,
    RI_TAKE_FIRST,
    RI_TAKE_MAX,
    RI_TAKE_MIN,
    RI_TAKE_MEAN,
    RI_TAKE_QUANTILE,
    RI_TAKE_FIRST_TIME, ///< time of the first tick at which the trigger holds and the value is not 0
    RI_TAKE_DURATION,   ///< for how long that is so [s]
    RI_TAKE_SERIES,     ///< the values over time, kept as an artefact; the result is their number
    RI_TAKE_COUNT
} RiTake;
/// Name of a reduction as campaign files give it; never NULL.
const char *ri_take_name(RiTake take);

/// A number that is collected from a run.
typedef struct RiResultSpec {
    const char *name;
    const char *value; ///< an expression of named values, or max, min, mean or sum of a glob: "max(soil.*.slip)"
    const char *when;  ///< trigger: ticks that are looked at; NULL: all
    RiTake take;
    double quantile; ///< RI_TAKE_QUANTILE
    double rate;     ///< RI_TAKE_SERIES [Hz]; 0: every tick
    int line;
} RiResultSpec;

/// Precision of a result's mean that is wanted.
typedef struct RiMeanRule {
    int result;   ///< index
    double width; ///< of the interval of the mean, in the result's unit; > 0
} RiMeanRule;

typedef struct RiStopRule {
    double width; ///< of the exact interval of the probability of success; 0: no such rule
    RiMeanRule means[RI_CAMPAIGN_RESULTS];
    int mean_count;
    double confidence; ///< default 0.95
    int failures;      ///< stop after so many runs without success; 0: no such rule
    int least;         ///< runs that are made at least; default 20
} RiStopRule;

typedef struct RiCampaignPlan {
    RiContext *ctx;
    struct RiYaml *document; ///< as parsed
    RiArena arena;
    const char *file; ///< as in messages
    const char *text; ///< of the file
    uint64_t hash;    ///< of the text
    const char *name, *doc;
    const char *scene; ///< as it is written
    RiDesign design;
    RiDispersion dispersions[RI_DESIGN_DIMENSIONS];
    double *copula;                           ///< factor of the correlation; NULL: independent
    RiSetting settings[RI_CAMPAIGN_SETTINGS]; ///< the same in all runs
    int setting_count;
    RiStageCommand stages[RI_CAMPAIGN_STAGES];
    int stage_count;
    RiResultSpec results[RI_CAMPAIGN_RESULTS];
    int result_count;
    const char *success; ///< expression of results; NULL: a run that finished and passed the checks of its scene
    int success_line;
    RiStopRule stop;
    double timeout;    ///< of one run, by the wall clock [s]; default 600
    double checkpoint; ///< simulated time between checkpoints that a crash leaves behind [s]; 0: none
    int runs;
} RiCampaignPlan;

/// Reads a campaign file. RI_ERR_FORMAT names file, line and field.
RI_MUST_CHECK RiStatus ri_campaign_load(RiContext *ctx, const char *path, RiCampaignPlan **out_plan);
/// From memory; `file` is used in messages.
RI_MUST_CHECK RiStatus ri_campaign_parse(RiContext *ctx, const char *file, const char *text, size_t size,
                                         RiCampaignPlan **out_plan);
/// Destroys it; NULL does nothing.
void ri_campaign_destroy(RiCampaignPlan *plan);

/// Appends runs: a new block of the design. RI_ERR_ARGUMENT for a grid, whose size is fixed.
RI_MUST_CHECK RiStatus ri_campaign_extend(RiCampaignPlan *plan, int runs);

/// A value of a dispersion as text that a setting takes.
typedef struct RiSample {
    double u, x;                   ///< x: the number, or the index of a word
    char text[RI_CAMPAIGN_NUMBER]; ///< with unit
    const char *value;             ///< `text`, or the word
} RiSample;

/// The samples of run k, one for each dispersion.
void ri_campaign_sample(const RiCampaignPlan *plan, int k, RiSample *out_samples);
/// Whether run k is independent of the others. In a row of a Saltelli design only the first two
/// are: the rest repeat their columns, and an interval that took them as runs of its own would be
/// too narrow.
bool ri_campaign_is_independent(const RiCampaignPlan *plan, int k);
/// The samples of a point of the unit cube.
void ri_campaign_map(const RiCampaignPlan *plan, const double *u, RiSample *out_samples);
/// All settings of a run with these samples: fixed ones, stage build, then samples. `out` has room
/// for RI_CAMPAIGN_SETTINGS + RI_CAMPAIGN_STAGES + RI_DESIGN_DIMENSIONS.
int ri_campaign_settings(const RiCampaignPlan *plan, const RiSample *samples, RiSetting *out);
/// Continues a hash of bytes, from 0 on: what tells the store that a scene's file has changed.
uint64_t ri_campaign_hash(uint64_t hash, const void *data, size_t size);
/// The seed of run k, given to its scene unless the scene's seed is set or dispersed otherwise.
uint64_t ri_campaign_seed(const RiCampaignPlan *plan, int k);

/// Whether a text is max, min, mean or sum of a glob; its parts.
bool ri_campaign_is_spread(const char *text, char out_function[8], char *out_glob, size_t size);
/// Evaluates an expression of results; NaN where one that it needs is missing or it is not finite.
/// `line` is used in messages.
RI_MUST_CHECK RiStatus ri_campaign_evaluate(const RiCampaignPlan *plan, const char *text, int line,
                                            const double *values, double *out_value);
/// Evaluates the plan's `success` with the values of the results (NaN: none). false with RI_OK
/// where it is false or a result that it needs is missing.
RI_MUST_CHECK RiStatus ri_campaign_success(const RiCampaignPlan *plan, const double *values, bool *out_success);

#ifdef __cplusplus
}
#endif
#endif
