// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille campaign`: many runs of a scene whose values vary, from one laptop to a cluster.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/file.h>

#include "campaign/campaign.h"

/// Commands under a condition that no finished run carried out.
static bool tell_stages(const Campaign *c, const RiTable *t)
{
    uint64_t carried_out = 0;
    bool all = true;
    for (int k = 0; k < t->count; k++)
        if (t->runs[k].status == RI_RUN_DONE)
            carried_out |= t->runs[k].stages;
    for (int i = 0; i < c->plan->stage_count; i++)
        if (c->plan->stages[i].stage == RI_STAGE_WHEN && !(carried_out >> i & 1)) {
            cli_error("%s:%d: stage command '%s' was carried out in no run: '%s' never held", c->plan->file,
                      c->plan->stages[i].line, c->plan->stages[i].name, c->plan->stages[i].when);
            all = false;
        }
    return all;
}

/// Exit code after the runs: those that ended badly, and triggers that never fired, must not look
/// like success.
static CliExit judge(Campaign *c)
{
    RiStoreCounts n;
    RiTable t;
    RiStatus status = ri_store_counts(c->store, &n);
    if (status == RI_OK)
        status = ri_store_table(c->store, c->plan, &t);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    CliExit code = CLI_DONE;
    double *column = malloc(((size_t)t.count + 1) * sizeof *column);
    for (int i = 0; column && i < t.results; i++)
        if (n.runs[RI_RUN_DONE] > 0 && campaign_column(&t, i, column, NULL) == 0) {
            cli_error("%s:%d: result '%s' was collected in no run: its trigger never fired", c->plan->file,
                      c->plan->results[i].line, c->plan->results[i].name);
            code = CLI_RUN_FAILED;
        }
    if (n.runs[RI_RUN_DONE] > 0 && !tell_stages(c, &t))
        code = CLI_RUN_FAILED;
    free(column);
    ri_table_free(&t);
    return n.runs[RI_RUN_FAILED] + n.runs[RI_RUN_REFUSED] + n.runs[RI_RUN_CRASHED] + n.runs[RI_RUN_HUNG]
               ? CLI_RUN_FAILED
               : code;
}

static CliExit run_and_tell(Campaign *c)
{
    CliExit code = campaign_coordinate(c);
    if (code != CLI_DONE)
        return code;
    code = c->args->json ? campaign_write_json(c, stdout) : campaign_print_results(c);
    return code == CLI_DONE ? judge(c) : code;
}

static int campaign_run(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "FILE",
                   "Runs a campaign on this machine; what is in the store already is not run again.", 1, 1, &args);
    CliExit code = campaign_load(&c, args.words[0]);
    if (code == CLI_DONE)
        code = campaign_check(&c);
    if (code == CLI_DONE)
        code = campaign_enter(&c);
    if (code == CLI_DONE)
        code = run_and_tell(&c);
    campaign_close(&c);
    return code;
}

static int campaign_resume(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE", "Goes on with a campaign: runs that wait, were cancelled or whose worker died.",
                   1, 1, &args);
    CliExit code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE)
        code = campaign_prove(&c);
    if (code == CLI_DONE) {
        RiStatus status = ri_store_revive(c.store);
        long long again = 0;
        if (status == RI_OK && args.retry)
            status = ri_store_retry(c.store, &again);
        if (status == RI_OK && args.retry && !args.quiet)
            fprintf(stderr, "%s: %lld runs that ended badly are made again\n", c.plan->name, again);
        code = status == RI_OK ? run_and_tell(&c) : cli_fail(c.ctx, status);
    }
    campaign_close(&c);
    return code;
}

static int campaign_worker(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE",
                   "Joins a campaign from any machine that reaches the store, until no runs are left.", 1, 1, &args);
    CliExit code = campaign_open(&c, args.words[0]);
    campaign_catch_signals();
    if (code == CLI_DONE)
        code = campaign_prove(&c);
    if (code == CLI_DONE) {
        code = campaign_work(&c, NULL);
        if (!args.quiet)
            fprintf(stderr, "%s: %d runs of %s were made here\n", c.store->worker, c.made, c.plan->name);
    }
    campaign_close(&c);
    return code;
}

static int campaign_status(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    RiStoreCounts n;
    campaign_parse(argc, argv, "STORE", "Says how far a campaign is.", 1, 1, &args);
    CliExit code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE) {
        const RiStatus status = ri_store_counts(c.store, &n);
        if (status == RI_OK)
            campaign_print_counts(&c, &n);
        else
            code = cli_fail(c.ctx, status);
    }
    campaign_close(&c);
    return code;
}

static int campaign_extend(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE N", "Adds runs; those that are there stay as they are. 'resume' makes them.", 2,
                   2, &args);
    const int runs = campaign_int("N", args.words[1], 1, 100000000);
    CliExit code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE) {
        const RiStatus status = ri_store_extend(c.store, c.plan, runs);
        if (status == RI_OK)
            printf("%s: %d runs; 'rille campaign resume %s' makes those that wait\n", c.plan->name, c.plan->runs,
                   c.url);
        else
            code = cli_fail(c.ctx, status);
    }
    campaign_close(&c);
    return code;
}

static int campaign_cancel(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE", "Cancels the runs that wait; workers end when they have finished theirs.", 1, 1,
                   &args);
    CliExit code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE) {
        const RiStatus status = ri_store_drop(c.store, RI_RUN_CANCELLED, 0, -1);
        code = status == RI_OK ? CLI_DONE : cli_fail(c.ctx, status);
    }
    campaign_close(&c);
    return code;
}

static int campaign_report(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE",
                   "Writes what the runs say: one HTML page (--out, default NAME.html), or --json.", 1, 1, &args);
    CliExit code = campaign_open(&c, args.words[0]);
    char path[PATH_MAX];
    if (code == CLI_DONE) {
        snprintf(path, sizeof path, "%.*s.html", PATH_MAX - 8, args.words[0]);
        if (ri_store_is_url(args.words[0]))
            snprintf(path, sizeof path, "campaign.html");
        code = args.json ? campaign_write_json(&c, stdout) : campaign_write_report(&c, args.out ? args.out : path);
    }
    campaign_close(&c);
    return code;
}

static int campaign_export(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    RiTable t;
    campaign_parse(argc, argv, "STORE",
                   "Writes all runs: values, results, outcome, as CSV or, if --out ends in .parquet, as Parquet "
                   "(--out FILE; default: CSV to standard output).",
                   1, 1, &args);
    bool parquet;
    CliExit code = campaign_is_parquet(args.out, &parquet);
    if (code == CLI_DONE)
        code = campaign_open(&c, args.words[0]);
    RiBeside beside = {.file = -1};
    FILE *out = stdout;
    if (code == CLI_DONE && args.out && !parquet && !(out = ri_beside_stream(&beside, args.out))) {
        cli_error("%s: cannot be written: %s", args.out, strerror(errno));
        code = CLI_ENVIRONMENT;
    }
    if (code == CLI_DONE) {
        const RiStatus status = ri_store_table(c.store, c.plan, &t);
        code = status != RI_OK ? cli_fail(c.ctx, status)
               : parquet       ? campaign_write_parquet(&c, &t, args.out)
                               : campaign_write_csv(&c, &t, out);
        if (status == RI_OK)
            ri_table_free(&t);
    }
    const int error = ri_beside_close(&beside, code == CLI_DONE);
    if (error != 0 && code == CLI_DONE) {
        cli_error("%s: cannot be written: %s", args.out, strerror(error));
        code = CLI_ENVIRONMENT;
    }
    campaign_close(&c);
    return code;
}

static const CliCommand commands[] = {
    {"run", campaign_run, "run a campaign file with worker processes on all cores"},
    {"worker", campaign_worker, "join a campaign from this machine"},
    {"submit", campaign_submit, "run a campaign on a cluster (--slurm)"},
    {"status", campaign_status, "show the progress"},
    {"resume", campaign_resume, "continue with runs that wait or were interrupted"},
    {"extend", campaign_extend, "add runs"},
    {"cancel", campaign_cancel, "cancel the waiting runs"},
    {"report", campaign_report, "histograms, intervals, correlations, Sobol' indices, failures, convergence"},
    {"export", campaign_export, "all runs as CSV or Parquet"},
    {"worst", campaign_worst, "the runs with the greatest (or least) result, with replay commands"},
    {"replay", campaign_replay, "a run again, bit for bit, with log, report and pictures"},
    {"series", campaign_series, "time series of runs as CSV or Parquet"},
    {"artefacts", campaign_artefacts, "series and checkpoint that a run left"},
    {"compare", campaign_compare, "two campaigns: differences of results with intervals, equal runs"},
    {"search", campaign_search, "the worst case or best design by evolution (CMA-ES)"},
    {"boundary", campaign_boundary, "where failure begins: points of the boundary, the nearest one"},
    {"risk", campaign_risk, "a small probability of failure by subset simulation"},
};

int cmd_campaign(int argc, char **argv)
{
    enum { COUNT = sizeof commands / sizeof *commands };
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
        printf("Usage: rille campaign COMMAND [ARGUMENT...]\n\nCommands:\n");
        cli_print_commands(commands, COUNT);
        printf("\nA store is a file (SQLite) or postgresql://USER:PASSWORD@HOST/NAME. See docs/campaigns.md.\n");
        return CLI_DONE;
    }
    return cli_dispatch("rille campaign", commands, COUNT, argc, argv);
}
