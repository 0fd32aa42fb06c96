// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille campaign series`: time series of runs as a table, from the store or, of a value that was
/// not collected, by making a run again. `rille campaign artefacts`: what runs left, as files.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <rille/file.h>
#include <rille/study/parquet.h>

#include "campaign/campaign.h"

// ------------------------------------------------------------------------------------------- table

/// Rows of run, time and value.
typedef struct Rows {
    int64_t *run;
    double *time, *value;
    int count, room;
} Rows;

static void free_rows(Rows *r)
{
    free(r->run);
    free(r->time);
    free(r->value);
}

static bool make_room(Rows *r, int more)
{
    if (more > INT_MAX / 2 - r->count)
        return false;
    if (r->count + more <= r->room)
        return true;
    const int room = 2 * (r->count + more);
    int64_t *run = realloc(r->run, (size_t)room * sizeof *run);
    r->run = run ? run : r->run;
    double *time = realloc(r->time, (size_t)room * sizeof *time);
    r->time = time ? time : r->time;
    double *value = realloc(r->value, (size_t)room * sizeof *value);
    r->value = value ? value : r->value;
    if (!run || !time || !value)
        return false;
    r->room = room;
    return true;
}

/// Appends a series: time and value in turn, at any alignment.
static bool add_series(Rows *r, int run, const void *pairs, size_t size)
{
    const size_t n = size / (2 * sizeof(double));
    if (n > INT_MAX || !make_room(r, (int)n))
        return false;
    for (size_t i = 0; i < n; i++) {
        double pair[2];
        memcpy(pair, (const char *)pairs + i * sizeof pair, sizeof pair);
        r->run[r->count] = run;
        r->time[r->count] = pair[0];
        r->value[r->count++] = pair[1];
    }
    return true;
}

static CliExit write_csv(const Rows *r, const char *name, const char *path)
{
    RiBeside beside = {.file = -1};
    FILE *out = path ? ri_beside_stream(&beside, path) : stdout;
    int error = out ? 0 : errno;
    if (out) {
        fprintf(out, "run,time,%s\n", name);
        for (int i = 0; i < r->count; i++)
            fprintf(out, "%" PRId64 ",%.17g,%.17g\n", r->run[i], r->time[i], r->value[i]);
        if (!path)
            error = fflush(out) == 0 ? 0 : errno;
    }
    if (path && out)
        error = ri_beside_close(&beside, true);
    if (error == 0)
        return CLI_DONE;
    cli_error("%s: cannot be written: %s", path ? path : "standard output", strerror(error));
    return CLI_ENVIRONMENT;
}

static CliExit write_rows(const Campaign *c, const Rows *r, const char *name)
{
    const char *path = c->args->out;
    bool parquet;
    const CliExit code = campaign_is_parquet(path, &parquet);
    if (code != CLI_DONE || !parquet)
        return code != CLI_DONE ? code : write_csv(r, name, path);
    const RiParquetColumn columns[] = {
        {"run", RI_PARQUET_INT64, r->run}, {"time", RI_PARQUET_DOUBLE, r->time}, {name, RI_PARQUET_DOUBLE, r->value}};
    const RiStatus status = ri_parquet_save(c->ctx, path, r->count, columns, 3);
    return status == RI_OK ? CLI_DONE : cli_fail(c->ctx, status);
}

// ------------------------------------------------------------------------------------------ series

typedef struct Gather {
    const Campaign *c;
    Rows *rows;
} Gather;

static RiStatus gather(void *user, int run, const char *name, const void *bytes, size_t size)
{
    const Gather *g = user;
    (void)name;
    return add_series(g->rows, run, bytes, size) ? RI_OK
                                                 : ri_error(g->c->ctx, RI_ERR_MEMORY, "the series need more memory");
}

/// A result that was collected as a series, of all runs.
static CliExit stored_series(Campaign *c, const char *name)
{
    const RiCampaignPlan *p = c->plan;
    Rows rows = {.run = NULL};
    Gather g = {c, &rows};
    int at = 0;
    while (at < p->result_count && strcmp(p->results[at].name, name) != 0)
        at++;
    if (at == p->result_count || p->results[at].take != RI_TAKE_SERIES) {
        cli_error("%s: '%.100s' is no result with 'take: series'; 'rille campaign series STORE RUN EXPRESSION' makes a "
                  "run again and takes any value",
                  c->args->words[0], name);
        return CLI_BAD_INPUT;
    }
    const RiStatus status = ri_store_each_artefact(c->store, -1, name, gather, &g);
    const CliExit code = status == RI_OK ? write_rows(c, &rows, name) : cli_fail(c->ctx, status);
    free_rows(&rows);
    return code;
}

/// Makes a run again with one more result, and compares its state with the stored one.
static RiStatus remake(Campaign *c, int k, const char *expression, RiOutcome *stored, RiOutcome *now)
{
    RiCampaignPlan *p = c->plan;
    if (p->result_count == RI_CAMPAIGN_RESULTS)
        return ri_error(c->ctx, RI_ERR_LIMIT, "%s: the campaign has %d results; there is no room for another one",
                        c->args->words[0], p->result_count);
    p->results[p->result_count++] =
        (RiResultSpec){.name = "value", .value = expression, .take = RI_TAKE_SERIES, .rate = c->args->rate, .line = 1};
    p->file = "the command line"; // of messages about the expression
    RI_TRY(ri_store_run(c->store, k, stored));
    return ri_run_all(c->ctx, p, &c->places, k, NULL, NULL, NULL, now);
}

static CliExit remade_series(Campaign *c, int k, const char *expression)
{
    RiOutcome *stored = calloc(2, sizeof *stored), *now = stored ? stored + 1 : NULL;
    Rows rows = {.run = NULL};
    if (!stored)
        return cli_no_memory();
    const RiStatus status = remake(c, k, expression, stored, now);
    CliExit code = status == RI_OK ? CLI_DONE : cli_fail(c->ctx, status);
    const bool known = stored->status == RI_RUN_DONE || stored->status == RI_RUN_FAILED;
    if (code == CLI_DONE && now->series_count > 0) {
        const RiSeries *x = &now->series[now->series_count - 1];
        if (x->result == c->plan->result_count - 1)
            code = add_series(&rows, k, x->pairs, (size_t)x->count * sizeof *x->pairs) ? CLI_DONE : cli_no_memory();
    }
    if (code == CLI_DONE)
        code = write_rows(c, &rows, "value");
    if (code == CLI_DONE && known && stored->hash != now->hash) {
        cli_error("run %d: its state's hash is not the stored one: robot, terrain or program have changed since", k);
        code = CLI_RUN_FAILED;
    }
    ri_outcome_free(c->ctx, now);
    free_rows(&rows);
    free(stored);
    return code;
}

/// Run of a word; -1 with a message if the campaign has none of this number.
static int find_run(const Campaign *c, const char *word)
{
    const int k = campaign_int("RUN", word, 0, 100000000);
    if (k < c->plan->runs)
        return k;
    cli_error("%s: the campaign has runs 0 to %d", c->args->words[0], c->plan->runs - 1);
    return -1;
}

int campaign_series(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(
        argc, argv, "STORE NAME\nSTORE RUN EXPRESSION",
        "Time series as a table of run, time and value: of a result with 'take: series' from all runs, or of "
        "any expression from a run that is made again (--rate; default: every tick). --out T.csv or "
        "T.parquet (default: CSV to standard output).",
        2, 3, &args);
    bool parquet;
    CliExit code = campaign_is_parquet(args.out, &parquet);
    if (code == CLI_DONE)
        code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE && args.word_count == 2) {
        code = stored_series(&c, args.words[1]);
    } else if (code == CLI_DONE) {
        const int k = find_run(&c, args.words[1]);
        code = k < 0 ? CLI_BAD_INPUT : remade_series(&c, k, args.words[2]);
    }
    campaign_close(&c);
    return code;
}

// --------------------------------------------------------------------------------------- artefacts

typedef struct Unpack {
    Campaign *c;
    int count;
    bool checkpoint;
} Unpack;

static bool is_series(const Campaign *c, const char *name)
{
    for (int i = 0; i < c->plan->result_count; i++)
        if (strcmp(c->plan->results[i].name, name) == 0)
            return c->plan->results[i].take == RI_TAKE_SERIES;
    return false;
}

static RiStatus write_file(Campaign *c, const char *name, const void *bytes, size_t size)
{
    char path[2 * PATH_MAX];
    Rows rows = {.run = NULL};
    if (strchr(name, '/') || *name == '.') // of a store from elsewhere
        return ri_error(c->ctx, RI_ERR_FORMAT, "%s: artefact '%.60s' is no name of a file", c->args->words[0], name);
    snprintf(path, sizeof path, "%.*s/%s%s", PATH_MAX, c->args->out, name, is_series(c, name) ? ".csv" : "");
    if (!is_series(c, name))
        return ri_file_write(c->ctx, path, bytes, size);
    const bool ok = add_series(&rows, (int)campaign_int("RUN", c->args->words[1], 0, 100000000), bytes, size);
    const CliExit code = ok ? write_csv(&rows, name, path) : CLI_ENVIRONMENT;
    free_rows(&rows);
    return code == CLI_DONE ? RI_OK : ri_error(c->ctx, RI_ERR_IO, "%s: cannot be written", path);
}

static RiStatus show(void *user, int run, const char *name, const void *bytes, size_t size)
{
    Unpack *u = user;
    const bool series = is_series(u->c, name);
    (void)run;
    u->count++;
    u->checkpoint |= strcmp(name, "checkpoint") == 0;
    printf("  %-28s %10zu bytes  %s\n", name, size, series ? "time series" : "state to resume from");
    return u->c->args->out ? write_file(u->c, name, bytes, size) : RI_OK;
}

/// The run's scene with all settings, so that `rille run` can go on from its checkpoint.
static RiStatus write_scene(Campaign *c, int k)
{
    char path[2 * PATH_MAX];
    RiRun r;
    snprintf(path, sizeof path, "%.*s/config.yaml", PATH_MAX, c->args->out);
    RiStatus status = ri_run_open(c->ctx, c->plan, &c->places, k, NULL, &r);
    if (status == RI_OK)
        status = ri_scene_save(r.scene, path);
    ri_run_close(&r);
    if (status == RI_OK)
        printf("  go on       rille run %s --resume %s/checkpoint\n", path, c->args->out);
    return status;
}

static CliExit unpack(Campaign *c, int k)
{
    Unpack u = {.c = c};
    if (c->args->out && mkdir(c->args->out, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: cannot be made: %s", c->args->out, strerror(errno));
        return CLI_ENVIRONMENT;
    }
    printf("run %d of %s\n", k, c->plan->name);
    RiStatus status = ri_store_each_artefact(c->store, k, NULL, show, &u);
    if (status == RI_OK && u.checkpoint && c->args->out)
        status = write_scene(c, k);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    if (u.count == 0)
        printf("  nothing: series are collected by 'take: series', checkpoints are left by runs that end badly\n");
    else if (!c->args->out)
        printf("  --out FOLDER writes them\n");
    return CLI_DONE;
}

int campaign_artefacts(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE RUN",
                   "What a run left beside its results: series, and the checkpoint of a run that diverged, crashed or "
                   "hung. --out FOLDER writes them.",
                   2, 2, &args);
    CliExit code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE) {
        const int k = find_run(&c, args.words[1]);
        code = k < 0 ? CLI_BAD_INPUT : unpack(&c, k);
    }
    campaign_close(&c);
    return code;
}
