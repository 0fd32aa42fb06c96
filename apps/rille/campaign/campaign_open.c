// SPDX-License-Identifier: Apache-2.0
/// \file
/// Options, campaign files, scenes and stores of `rille campaign`.
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rille/memory.h>

#include "campaign/campaign.h"
#include "run/run.h"
#include "terrain/terrain.h"

enum {
    OPTION_STORE = 256,
    OPTION_EXPERIMENT,
    OPTION_JSON,
    OPTION_LEASE,
    OPTION_BY,
    OPTION_LEAST,
    OPTION_SLURM,
    OPTION_TASKS,
    OPTION_PARTITION,
    OPTION_PICTURES,
    OPTION_SAMPLES,
    OPTION_WAIT,
    OPTION_RUNS,
    OPTION_RETRY,
    OPTION_RATE
};

static const struct argp_option options[] = {
    {"store", OPTION_STORE, "URL", 0, "A file, or postgresql://... (default: out/NAME.db)", 0},
    {"experiment", OPTION_EXPERIMENT, "NAME", 0, "Which campaign of the store (default: the newest)", 0},
    {"workers", 'j', "N", 0, "Worker processes (default: one per processor)", 0},
    {"out", 'o', "PATH", 0, "Where to write", 0},
    {"json", OPTION_JSON, NULL, 0, "JSON on the standard output", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {"runs", OPTION_RUNS, "N", 0, "run: this many instead of the file's number (a campaign of its own name: NAME-N)",
     0},
    {"lease", OPTION_LEASE, "S", 0, "Take over a run when its worker has been silent this long (default 30 s)", 0},
    {"by", OPTION_BY, "RESULT", 0, "Which result (default: the first)", 0},
    {"least", OPTION_LEAST, NULL, 0, "The lowest is the worst (default: the highest)", 0},
    {"slurm", OPTION_SLURM, NULL, 0, "submit: as an array job of Slurm", 0},
    {"tasks", OPTION_TASKS, "N", 0, "submit: tasks of the array, each carries many runs (default 4)", 0},
    {"partition", OPTION_PARTITION, "NAME", 0, "submit: partition of the cluster", 0},
    {"wait", OPTION_WAIT, NULL, 0, "submit: wait until all runs are finished", 0},
    {"retry", OPTION_RETRY, NULL, 0, "resume: also repeat runs that diverged, were refused, crashed or hung", 0},
    {"rate", OPTION_RATE, "HZ", 0, "series: entries for each second (default: every tick)", 0},
    {"pictures", OPTION_PICTURES, NULL, 0, "replay: with pictures in the report", 0},
    {"samples", OPTION_SAMPLES, "N", 0, "search, risk: runs of each generation or level", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

typedef struct Parse {
    CampaignArgs *args;
    int least, most;
} Parse;

int campaign_int(const char *what, const char *text, int least, int most)
{
    double x;
    if (!cli_parse_number(text, &x) || x < least || x > most || x > (int)x || x < (int)x) {
        cli_error("%s: '%s' is not a whole number from %d to %d", what, text, least, most);
        exit(CLI_BAD_INPUT);
    }
    return (int)x;
}

static double seconds_of(const char *text)
{
    double x;
    if (!cli_parse_number(text, &x) || !(x >= 0.1 && x <= 1e6)) {
        cli_error("--lease: '%s' is not a number of seconds from 0.1 to 1e6", text);
        exit(CLI_BAD_INPUT);
    }
    return x;
}

static double rate_of(const char *text)
{
    double x;
    if (!cli_parse_number(text, &x) || !(x > 0.0 && x <= 1e9)) {
        cli_error("--rate: '%s' is not a positive number of hertz", text);
        exit(CLI_BAD_INPUT);
    }
    return x;
}

static error_t parse_word(int key, char *text, struct argp_state *state)
{
    const Parse *p = state->input;
    CampaignArgs *a = p->args;
    switch (key) {
    case OPTION_STORE:
        a->store = text;
        return 0;
    case OPTION_EXPERIMENT:
        a->experiment = text;
        return 0;
    case 'j':
        a->workers = campaign_int("--workers", text, 1, 4096);
        return 0;
    case 'o':
        a->out = text;
        return 0;
    case OPTION_JSON:
        a->json = true;
        return 0;
    case 'q':
        a->quiet = true;
        return 0;
    case OPTION_LEASE:
        a->lease = seconds_of(text);
        return 0;
    case OPTION_RATE:
        a->rate = rate_of(text);
        return 0;
    case OPTION_BY:
        a->by = text;
        return 0;
    case OPTION_LEAST:
        a->least = true;
        return 0;
    case OPTION_SLURM:
        a->slurm = true;
        return 0;
    case OPTION_TASKS:
        a->tasks = campaign_int("--tasks", text, 1, 100000);
        return 0;
    case OPTION_PARTITION:
        a->partition = text;
        return 0;
    case OPTION_WAIT:
        a->wait = true;
        return 0;
    case OPTION_RUNS:
        a->runs = campaign_int("--runs", text, 1, 100000000);
        return 0;
    case OPTION_RETRY:
        a->retry = true;
        return 0;
    case OPTION_PICTURES:
        a->pictures = true;
        return 0;
    case OPTION_SAMPLES:
        a->samples = campaign_int("--samples", text, 4, 1000000);
        return 0;
    case ARGP_KEY_ARG:
        if (a->word_count == p->most)
            argp_error(state, "'%s' is too much", text);
        a->words[a->word_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (a->word_count < p->least)
            argp_error(state, "something is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void campaign_parse(int argc, char **argv, const char *usage, const char *doc, int least_words, int most_words,
                    CampaignArgs *out)
{
    const struct argp argp = {.options = options, .parser = parse_word, .args_doc = usage, .doc = doc};
    Parse parse = {out, least_words, most_words};
    *out = (CampaignArgs){.lease = 30.0, .tasks = 4};
    if (cli_parse(&argp, argc, argv, &parse) != 0)
        exit(cli_no_memory());
}

// ------------------------------------------------------------------------------------------ scenes

static void find_places(Campaign *c)
{
    cli_robots_folder(c->robots);
    cli_terrains_folder(c->terrains);
    cli_data_path(c->data);
    cli_soils_folder(c->soils);
    cli_cache_folder(c->cache);
    c->robot_folders[0] = c->robots;
    c->terrain_folders[0] = *c->terrains ? c->terrains : c->data;
    c->terrain_folders[1] = c->data;
    c->places = (RiRunPlaces){.scene = c->scene_path,
                              .robot_paths = c->robot_folders,
                              .robot_path_count = *c->robots ? 1 : 0,
                              .terrain_paths = c->terrain_folders,
                              .terrain_path_count = !*c->terrains && !*c->data ? 0
                                                    : *c->data                 ? 2
                                                                               : 1,
                              .soils = *c->soils ? c->soils : NULL,
                              .cache = *c->cache ? c->cache : NULL};
}

/// A scene by name is the library's; a path is seen from the campaign file's folder.
CliExit campaign_find_scene(Campaign *c, const char *file)
{
    const char *word = c->plan->scene, *slash = strrchr(file, '/');
    char path[2 * PATH_MAX];
    if (!strchr(word, '/') && !strchr(word, '.')) {
        if (!cli_find_scene(word, c->scene_path))
            return CLI_BAD_INPUT;
    } else if (*word == '/' || !slash) {
        snprintf(c->scene_path, sizeof c->scene_path, "%s", word);
    } else {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - file), file, word);
        snprintf(c->scene_path, sizeof c->scene_path, "%.*s", PATH_MAX - 1, path);
    }
    char *full = realpath(c->scene_path, NULL); // workers may have another working folder
    if (full)
        snprintf(c->scene_path, sizeof c->scene_path, "%s", full);
    free(full);
    find_places(c);
    return CLI_DONE;
}

/// Another number of runs is another campaign: a Latin hypercube of 10 points is not the beginning
/// of one of 100.
static bool choose_runs(Campaign *c, int runs)
{
    RiDesign *d = &c->plan->design;
    const int group = d->kind == RI_DESIGN_SALTELLI ? d->dimensions + 2 : 1;
    static char name[256];
    if (d->kind == RI_DESIGN_GRID || runs % group != 0) {
        cli_error("--runs: %d: a grid has all its runs, a Saltelli design a multiple of %d", runs, group);
        return false;
    }
    d->blocks[0] = c->plan->runs = runs;
    snprintf(name, sizeof name, "%.200s-%d", c->plan->name, runs);
    c->plan->name = name;
    return true;
}

CliExit campaign_load(Campaign *c, const char *file)
{
    if (ri_context_create(NULL, &c->ctx) != RI_OK)
        return cli_no_memory();
    if (!cli_expect_kind(file, "campaign"))
        return CLI_BAD_INPUT;
    const RiStatus status = ri_campaign_load(c->ctx, file, &c->plan);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    if (c->args->runs && !choose_runs(c, c->args->runs))
        return CLI_BAD_INPUT;
    return campaign_find_scene(c, file);
}

// ------------------------------------------------------------------------------------------- store

/// out/NAME.db, with what does not belong into a file's name replaced.
static void choose_store(Campaign *c)
{
    if (c->args->store) {
        snprintf(c->url, sizeof c->url, "%s", c->args->store);
        return;
    }
    mkdir("out", 0777);
    snprintf(c->url, sizeof c->url, "out/%.200s.db", c->plan->name);
    for (char *at = c->url + 4; at[3]; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *at))
            *at = '_';
}

CliExit campaign_enter(Campaign *c)
{
    uint64_t hash;
    choose_store(c);
    RiStatus status = campaign_hash_scene(c, &hash);
    if (status == RI_OK)
        status = ri_store_open(c->ctx, c->url, true, &c->store);
    if (status == RI_OK) {
        c->store->lease = c->args->lease;
        status = ri_store_enter(c->store, c->plan, c->scene_path, hash);
    }
    if (status == RI_OK)
        status = ri_store_check_proof(c->store, c->proof);
    if (status == RI_OK) { // with the extensions that the store knows
        RiCampaignPlan *plan;
        status = ri_store_plan(c->store, &plan, &c->stored_scene);
        if (status == RI_OK) {
            ri_campaign_destroy(c->plan);
            c->plan = plan;
        }
    }
    return status == RI_OK ? CLI_DONE : cli_fail(c->ctx, status);
}

CliExit campaign_open(Campaign *c, const char *url)
{
    snprintf(c->url, sizeof c->url, "%s", url);
    if (ri_context_create(NULL, &c->ctx) != RI_OK)
        return cli_no_memory();
    RiStatus status = ri_store_open(c->ctx, url, false, &c->store);
    if (status == RI_OK) {
        c->store->lease = c->args->lease;
        status = ri_store_choose(c->store, c->args->experiment);
    }
    if (status == RI_OK)
        status = ri_store_plan(c->store, &c->plan, &c->stored_scene);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    snprintf(c->scene_path, sizeof c->scene_path, "%s", c->stored_scene);
    if (access(c->scene_path, R_OK) != 0) // another machine: by its name
        return campaign_find_scene(c, c->plan->file);
    find_places(c);
    return CLI_DONE;
}

void campaign_close(Campaign *c)
{
    ri_store_close(c->store);
    ri_campaign_destroy(c->plan);
    if (c->ctx)
        ri_release(c->ctx, c->stored_scene);
    ri_context_destroy(c->ctx);
    c->store = NULL;
    c->plan = NULL;
    c->stored_scene = NULL;
    c->ctx = NULL;
}
