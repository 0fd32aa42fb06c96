// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stage commands and results of one run. Expressions are compiled once against the run's table of
/// values; a name that does not exist is reported with the line of the campaign file.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <rille/checkpoint.h>
#include <rille/study/collect.h>
#include <rille/study/stats.h>

#include "base/hash.h"
#include "base/memory.h"

static const char *const status_names[] = {"waiting", "leased", "done",      "failed", "refused",
                                           "crashed", "hung",   "cancelled", "skipped"};

const char *ri_run_status_name(RiRunStatus status)
{
    return status_names[status];
}

RiRunStatus ri_run_status_find(const char *name)
{
    int i = 0;
    while (i < RI_RUN_STATUSES && strcmp(status_names[i], name) != 0)
        i++;
    return (RiRunStatus)i;
}

typedef struct Item {
    const RiFormula *value, *when;
    char function[8]; ///< of a glob; "" for an expression
    int *indices;     ///< [index_count] that the glob matched
    int index_count;
    long long count, period, next; ///< looks taken; ticks between entries of a series
    double sum, best, time;        ///< so far
    double *kept;                  ///< values for a quantile
    int kept_count, kept_room;
} Item;

typedef struct RiCollector {
    Item items[RI_CAMPAIGN_RESULTS];
    const RiFormula *when[RI_CAMPAIGN_STAGES];
    bool done[RI_CAMPAIGN_STAGES];
    RiSeries series[RI_CAMPAIGN_RESULTS]; ///< by result
} RiCollector;

/// The last message, with file, line and name of what it is about.
static RiStatus about(const RiRun *r, RiStatus status, int line, const char *kind, const char *name)
{
    char message[700];
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    snprintf(message, sizeof message, "%s", ri_context_message(r->ctx));
    return ri_error(r->ctx, status == RI_ERR_NUMERIC ? RI_ERR_FORMAT : status, "%s:%d: %s '%.60s': %s", r->plan->file,
                    line, kind, name, message);
}

// ----------------------------------------------------------------------------------------- opening

static RiStatus match_glob(RiRun *r, Item *item, const char *glob)
{
    const RiValues *values = ri_sim_values(r->sim);
    int n = 0;
    for (int i = ri_values_match(values, glob, 0); i >= 0; i = ri_values_match(values, glob, i + 1))
        n++;
    if (n == 0)
        return ri_error(r->ctx, RI_ERR_NOT_FOUND, "no value matches '%.100s'", glob);
    item->indices = ri_alloc(r->ctx, (size_t)n, sizeof *item->indices);
    if (!item->indices)
        return ri_error_memory(r->ctx);
    for (int i = ri_values_match(values, glob, 0); i >= 0; i = ri_values_match(values, glob, i + 1))
        item->indices[item->index_count++] = i;
    return RI_OK;
}

static RiStatus open_result(RiRun *r, int index)
{
    const RiResultSpec *spec = &r->plan->results[index];
    Item *item = &r->collector->items[index];
    RiValues *values = ri_sim_values(r->sim);
    char glob[256];
    const double tick = ri_sim_options(r->sim)->tick;
    item->period = spec->rate > 0.0 ? (long long)fmax(1.0, round(1.0 / (spec->rate * tick))) : 1;
    r->collector->series[index].result = index;
    if (ri_campaign_is_spread(spec->value, item->function, glob, sizeof glob)) {
        RI_TRY(about(r, match_glob(r, item, glob), spec->line, "result", spec->name));
    } else {
        *item->function = '\0';
        RI_TRY(about(r, ri_values_compile(values, spec->value, &item->value), spec->line, "result", spec->name));
    }
    return spec->when ? about(r, ri_values_compile(values, spec->when, &item->when), spec->line, "trigger of result",
                              spec->name)
                      : RI_OK;
}

static RiStatus open_stages(RiRun *r)
{
    RiValues *values = ri_sim_values(r->sim);
    for (int i = 0; i < r->plan->stage_count; i++) {
        const RiStageCommand *c = &r->plan->stages[i];
        if (c->stage == RI_STAGE_WHEN)
            RI_TRY(
                about(r, ri_values_compile(values, c->when, &r->collector->when[i]), c->line, "condition of", c->name));
        const int index = c->stage == RI_STAGE_BUILD ? 0 : ri_values_find(values, c->name);
        if (index < 0) // the attempt says which name may be meant
            RI_TRY(about(r, ri_values_set(values, c->name, "0"), c->line, "stage command", c->name));
        if (c->stage == RI_STAGE_TIME && c->time > ri_scene_duration(r->scene))
            return ri_error(r->ctx, RI_ERR_FORMAT,
                            "%s:%d: stage command '%.60s' at %g s is after the end of the scene, %g s", r->plan->file,
                            c->line, c->name, c->time, ri_scene_duration(r->scene));
    }
    return RI_OK;
}

static RiStatus carry_out(RiRun *r, int index)
{
    const RiStageCommand *c = &r->plan->stages[index];
    r->collector->done[index] = true;
    return about(r, ri_values_set(ri_sim_values(r->sim), c->name, c->value), c->line, "stage command", c->name);
}

static RiStatus carry_out_stage(RiRun *r, RiStage stage)
{
    for (int i = 0; i < r->plan->stage_count; i++)
        if (r->plan->stages[i].stage == stage)
            RI_TRY(carry_out(r, i));
    return RI_OK;
}

static bool sets(const RiSetting *settings, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(settings[i].name, name) == 0)
            return true;
    return false;
}

/// A message about a setting gets the line of the campaign file that made it.
static RiStatus about_setting(const RiRun *r, RiStatus status)
{
    char message[700], quoted[128];
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    snprintf(message, sizeof message, "%s", ri_context_message(r->ctx));
    for (int i = 0; i < r->plan->design.dimensions; i++) {
        const RiDispersion *d = &r->plan->dispersions[i];
        snprintf(quoted, sizeof quoted, "setting '%.60s'", d->name);
        if (strstr(message, quoted))
            return ri_error(r->ctx, status, "%s:%d: %s", r->plan->file, d->line, message);
    }
    return status;
}

static RiStatus load_scene(RiRun *r, const RiRunPlaces *places)
{
    RiSetting settings[RI_CAMPAIGN_SETTINGS + RI_CAMPAIGN_STAGES + RI_DESIGN_DIMENSIONS + 1];
    char seed[32];
    int count = ri_campaign_settings(r->plan, r->samples, settings);
    if (!sets(settings, count, "seed")) {
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)ri_campaign_seed(r->plan, r->k));
        settings[count++] = (RiSetting){"seed", seed};
    }
    RiSceneOptions o = ri_scene_options_default();
    o.settings = settings;
    o.setting_count = count;
    o.robot_paths = places->robot_paths;
    o.robot_path_count = places->robot_path_count;
    o.terrain_paths = places->terrain_paths;
    o.terrain_path_count = places->terrain_path_count;
    o.soils = places->soils;
    o.cache = places->cache;
    RI_TRY(about_setting(r, ri_scene_load(r->ctx, places->scene, &o, &r->scene)));
    RI_TRY(about_setting(r, ri_scene_build(r->scene)));
    r->sim = ri_scene_sim(r->scene);
    return RI_OK;
}

RiStatus ri_run_open(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places, int k,
                     const RiSample *samples, RiRun *r)
{
    *r = (RiRun){.ctx = ctx, .plan = plan, .k = k};
    if (samples)
        memcpy(r->samples, samples, (size_t)plan->design.dimensions * sizeof *samples);
    else
        ri_campaign_sample(plan, k, r->samples);
    for (int i = 0; i < plan->design.dimensions; i++)
        if (!plan->dispersions[i].words) // the text moved with the copy
            r->samples[i].value = r->samples[i].text;
    RI_TRY(load_scene(r, places));
    r->collector = ri_alloc_zero(ctx, 1, sizeof *r->collector);
    if (!r->collector)
        return ri_error_memory(ctx);
    for (int i = 0; i < plan->result_count; i++)
        RI_TRY(open_result(r, i));
    RI_TRY(open_stages(r));
    RI_TRY(carry_out_stage(r, RI_STAGE_START));
    ri_scene_look(r->scene);
    return ri_run_after_tick(r);
}

/// Whether a condition of the time alone holds at some tick. A condition that asks for more may
/// hold: only the run can say.
static RiStatus may_hold(const RiRun *r, RiValues *clock, double *time, const char *when, bool *out)
{
    const RiFormula *f;
    const double tick = ri_sim_options(r->sim)->tick;
    const long long ticks = llround(ri_scene_duration(r->scene) / tick);
    *out = true;
    RiStatus status = ri_values_compile(clock, when, &f);
    if (status != RI_OK)
        return status == RI_ERR_MEMORY ? status : RI_OK;
    *out = false;
    for (long long i = 0; i <= ticks && !*out; i++) {
        double holds = 0.0;
        *time = (double)i * tick;
        RI_TRY(ri_formula_eval(f, &holds));
        *out = fabs(holds) > 0.5;
    }
    return RI_OK;
}

static RiStatus check_trigger(const RiRun *r, RiValues *clock, double *time, const char *when, int line,
                              const char *kind, const char *name)
{
    bool holds;
    RI_TRY(may_hold(r, clock, time, when, &holds));
    return holds ? RI_OK
                 : ri_error(r->ctx, RI_ERR_FORMAT, "%s:%d: %s '%.60s': '%.60s' holds at no tick of the %g s of a run",
                            r->plan->file, line, kind, name, when, ri_scene_duration(r->scene));
}

static RiStatus check_triggers(const RiRun *r, RiValues *clock, double *time)
{
    RiValue v = ri_value_default();
    v.name = "time", v.unit = "s", v.doc = "simulated time", v.kind = RI_VALUE_OUTPUT, v.at = time;
    v.writable = false;
    RI_TRY(ri_values_add(clock, &v));
    for (int i = 0; i < r->plan->result_count; i++) {
        const RiResultSpec *x = &r->plan->results[i];
        if (x->when)
            RI_TRY(check_trigger(r, clock, time, x->when, x->line, "trigger of result", x->name));
    }
    for (int i = 0; i < r->plan->stage_count; i++) {
        const RiStageCommand *x = &r->plan->stages[i];
        if (x->stage == RI_STAGE_WHEN)
            RI_TRY(check_trigger(r, clock, time, x->when, x->line, "condition of", x->name));
    }
    return RI_OK;
}

RiStatus ri_run_check_triggers(RiRun *r)
{
    RiValues *clock;
    double time = 0.0;
    bool lasts = isfinite(ri_scene_duration(r->scene));
    for (int i = 0; i < r->plan->design.dimensions; i++) // a scene's key or parameter may change how long runs last
        lasts &= strchr(r->plan->dispersions[i].name, '.') != NULL;
    if (!lasts)
        return RI_OK;
    RI_TRY(ri_values_create(r->ctx, &clock));
    const RiStatus status = check_triggers(r, clock, &time);
    ri_values_destroy(clock);
    return status;
}

// ------------------------------------------------------------------------------------------- ticks

RiStatus ri_run_before_tick(RiRun *r)
{
    const double now = ri_sim_time(r->sim), half = 0.5 * ri_sim_options(r->sim)->tick;
    for (int i = 0; i < r->plan->stage_count; i++) {
        const RiStageCommand *c = &r->plan->stages[i];
        bool due = c->stage == RI_STAGE_TIME && now >= c->time - half;
        if (r->collector->done[i])
            continue;
        if (c->stage == RI_STAGE_WHEN) {
            double holds;
            RI_TRY(about(r, ri_formula_eval(r->collector->when[i], &holds), c->line, "condition of", c->name));
            due = fabs(holds) > 0.5;
        }
        if (due)
            RI_TRY(carry_out(r, i));
    }
    return RI_OK;
}

/// max, min, mean or sum over the values that a glob matched.
static double spread(const Item *item, const RiValues *values)
{
    double x = ri_values_read(values, item->indices[0]);
    for (int i = 1; i < item->index_count; i++) {
        const double y = ri_values_read(values, item->indices[i]);
        if (item->function[1] == 'a') // max
            x = fmax(x, y);
        else if (item->function[1] == 'i')
            x = fmin(x, y);
        else
            x += y;
    }
    return strcmp(item->function, "mean") == 0 ? x / item->index_count : x;
}

static RiStatus push(RiContext *ctx, double **list, int *count, int *room, double x)
{
    RI_TRY(ri_grow(ctx, list, *count, room, 256, sizeof **list));
    (*list)[(*count)++] = x;
    return RI_OK;
}

/// Puts a value into what is taken of it.
static RiStatus take(RiRun *r, int index, double x)
{
    Item *item = &r->collector->items[index];
    RiSeries *series = &r->collector->series[index];
    const double now = ri_sim_time(r->sim);
    const bool first = item->count++ == 0;
    switch (r->plan->results[index].take) {
    case RI_TAKE_LAST:
        item->best = x;
        item->time = now;
        return RI_OK;
    case RI_TAKE_FIRST:
        item->best = first ? x : item->best;
        item->time = first ? now : item->time;
        return RI_OK;
    case RI_TAKE_MAX:
    case RI_TAKE_MIN:
        if (first || (r->plan->results[index].take == RI_TAKE_MAX ? x > item->best : x < item->best)) {
            item->best = x;
            item->time = now;
        }
        return RI_OK;
    case RI_TAKE_MEAN:
        item->sum += x;
        item->best = item->sum / (double)item->count;
        item->time = now;
        return RI_OK;
    case RI_TAKE_QUANTILE:
        item->time = now;
        return push(r->ctx, &item->kept, &item->kept_count, &item->kept_room, x);
    case RI_TAKE_FIRST_TIME:
        item->count -= fabs(x) < 0.5;
        if (item->count == 1 && fabs(x) >= 0.5)
            item->best = item->time = now;
        return RI_OK;
    case RI_TAKE_DURATION:
        item->best = first ? 0.0 : item->best;
        item->best += fabs(x) >= 0.5 ? ri_sim_options(r->sim)->tick : 0.0;
        item->time = now;
        return RI_OK;
    case RI_TAKE_SERIES:
        if (item->next++ % item->period != 0)
            return RI_OK;
        RI_TRY(push(r->ctx, &series->pairs, &series->count, &series->room, now));
        item->best = 0.5 * (series->count + 1);
        item->time = now;
        return push(r->ctx, &series->pairs, &series->count, &series->room, x);
    case RI_TAKE_COUNT:
        break;
    }
    return RI_OK;
}

RiStatus ri_run_after_tick(RiRun *r)
{
    const RiValues *values = ri_sim_values(r->sim);
    for (int i = 0; i < r->plan->result_count; i++) {
        const RiResultSpec *spec = &r->plan->results[i];
        const Item *item = &r->collector->items[i];
        double x, holds = 1.0;
        if (item->when)
            RI_TRY(about(r, ri_formula_eval(item->when, &holds), spec->line, "trigger of result", spec->name));
        if (fabs(holds) < 0.5)
            continue;
        if (item->value)
            RI_TRY(about(r, ri_formula_eval(item->value, &x), spec->line, "result", spec->name));
        else
            x = spread(item, values);
        RI_TRY(take(r, i, x));
    }
    return RI_OK;
}

// --------------------------------------------------------------------------------------------- end

static void fill_in(RiRun *r, RiOutcome *out)
{
    for (int i = 0; i < r->plan->result_count; i++) {
        Item *item = &r->collector->items[i];
        RiSeries *series = &r->collector->series[i];
        out->values[i] = (RiCollected){item->count > 0 ? item->best : NAN, item->count > 0 ? item->time : NAN};
        if (item->kept_count > 0) {
            ri_sort_numbers(item->kept, item->kept_count);
            out->values[i].value = ri_sorted_quantile(item->kept, item->kept_count, r->plan->results[i].quantile);
        }
        if (series->count > 0) {
            out->series[out->series_count++] = *series;
            *series = (RiSeries){.result = i};
        }
    }
}

static bool checks_passed(const RiScene *scene)
{
    for (int i = 0; i < ri_scene_check_count(scene); i++) {
        const RiSceneCheck c = ri_scene_check(scene, i);
        if (c.seen && !c.passed)
            return false;
    }
    return true;
}

RiStatus ri_run_finish(RiRun *r, RiOutcome *out)
{
    double values[RI_CAMPAIGN_RESULTS];
    out->hash = ri_sim_hash(r->sim);
    out->time = ri_sim_time(r->sim);
    out->ticks = ri_sim_tick(r->sim);
    out->violations = ri_sim_violations(r->sim);
    bool ends = false;
    for (int i = 0; i < r->plan->stage_count; i++)
        ends |= r->plan->stages[i].stage == RI_STAGE_END;
    if (ends && out->status == RI_RUN_DONE) {
        RI_TRY(carry_out_stage(r, RI_STAGE_END));
        RI_TRY(ri_run_after_tick(r));
    }
    fill_in(r, out);
    for (int i = 0; i < r->plan->stage_count; i++) {
        const RiStage stage = r->plan->stages[i].stage;
        out->stages |= (uint64_t)(r->collector->done[i] || stage == RI_STAGE_BUILD) << i;
    }
    for (int i = 0; i < r->plan->result_count; i++)
        values[i] = out->values[i].value;
    bool success;
    RI_TRY(ri_campaign_success(r->plan, values, &success));
    out->success = out->status == RI_RUN_DONE && success && (r->plan->success || checks_passed(r->scene));
    return RI_OK;
}

void ri_run_close(RiRun *r)
{
    if (r->collector)
        for (int i = 0; i < r->plan->result_count; i++) {
            ri_release(r->ctx, r->collector->items[i].indices);
            ri_release(r->ctx, r->collector->items[i].kept);
            ri_release(r->ctx, r->collector->series[i].pairs);
        }
    if (r->ctx)
        ri_release(r->ctx, r->collector);
    ri_scene_destroy(r->scene);
    *r = (RiRun){.ctx = NULL};
}

void ri_outcome_free(RiContext *ctx, RiOutcome *out)
{
    for (int i = 0; i < out->series_count; i++)
        ri_release(ctx, out->series[i].pairs);
    out->series_count = 0;
}

// ----------------------------------------------------------------------------------- the whole run

static void end_as(RiOutcome *out, RiRunStatus status, const char *reason, const char *detail)
{
    out->status = status;
    snprintf(out->reason, sizeof out->reason, "%s", reason);
    snprintf(out->detail, sizeof out->detail, "%s", detail);
}

/// Ticks until something ends the run.
static RiStatus step_all(RiRun *r, const volatile sig_atomic_t *interrupt, const char *checkpoint, RiOutcome *out)
{
    const double duration = ri_scene_duration(r->scene), tick = ri_sim_options(r->sim)->tick;
    const long long period = r->plan->checkpoint > 0.0 ? (long long)fmax(1.0, round(r->plan->checkpoint / tick)) : 0;
    end_as(out, RI_RUN_DONE, "duration", "");
    while (!ri_sim_stopped(r->sim) && ri_sim_time(r->sim) < duration - 0.5 * tick) {
        if (interrupt && *interrupt) {
            end_as(out, RI_RUN_HUNG, "timeout", "it took longer than the campaign's timeout");
            return RI_OK;
        }
        RI_TRY(ri_run_before_tick(r));
        const RiStatus status = ri_sim_step(r->sim);
        if (status == RI_ERR_NUMERIC) {
            end_as(out, RI_RUN_FAILED, "diverged", ri_context_message(r->ctx));
            return RI_OK;
        }
        if (status == RI_ERR_DEVICE) {
            end_as(out, RI_RUN_FAILED, "device", ri_context_message(r->ctx));
            return RI_OK;
        }
        RI_TRY(status);
        ri_scene_look(r->scene);
        RI_TRY(ri_run_after_tick(r));
        if (checkpoint && period && ri_sim_tick(r->sim) % period == 0)
            RI_TRY(ri_checkpoint_save(r->sim, checkpoint));
    }
    if (ri_sim_stopped(r->sim))
        end_as(out, RI_RUN_DONE, "stopped", ri_sim_stopped(r->sim));
    return RI_OK;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// A scene that cannot be built with the run's values is an outcome; memory and files are the
/// machine's affair, names the campaign's.
static bool is_refusal(const RiRun *r, RiStatus status)
{
    return !r->collector && (status == RI_ERR_NUMERIC || status == RI_ERR_MODEL || status == RI_ERR_ARGUMENT ||
                             status == RI_ERR_FORMAT || status == RI_ERR_LIMIT || status == RI_ERR_NOT_FOUND ||
                             status == RI_ERR_UNSUPPORTED);
}

RiStatus ri_run_all(RiContext *ctx, const RiCampaignPlan *plan, const RiRunPlaces *places, int k,
                    const RiSample *samples, const volatile sig_atomic_t *interrupt, const char *checkpoint,
                    RiOutcome *out)
{
    RiRun r;
    const double begin = seconds();
    memset(out, 0, sizeof *out);
    for (int i = 0; i < RI_CAMPAIGN_RESULTS; i++)
        out->values[i] = (RiCollected){NAN, NAN};
    RiStatus status = ri_run_open(ctx, plan, places, k, samples, &r);
    if (is_refusal(&r, status)) {
        end_as(out, RI_RUN_REFUSED, "refused", ri_context_message(ctx));
        status = RI_OK;
    } else if (status == RI_OK) {
        status = step_all(&r, interrupt, checkpoint, out);
        if (status == RI_OK && checkpoint && out->status != RI_RUN_DONE)
            status = ri_checkpoint_save(r.sim, checkpoint);
        if (status == RI_OK)
            status = ri_run_finish(&r, out);
    }
    ri_run_close(&r);
    out->wall = seconds() - begin;
    return status;
}
