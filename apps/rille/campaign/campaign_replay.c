// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille campaign replay`: a run of a campaign again, with everything that `rille run` writes; its
/// state at the end must have the stored hash.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/campaign.h"
#include "run/run.h"

/// Ticks as in ri_run_all, with the log of `rille run`.
static RiStatus step(RiRun *r, Run *run)
{
    const double duration = ri_scene_duration(r->scene), tick = ri_sim_options(r->sim)->tick;
    if (ri_sim_stopped(r->sim))
        run->stop = RUN_CONDITION;
    while (run->stop == RUN_GOING) {
        if (ri_sim_time(r->sim) >= duration - 0.5 * tick) {
            run->stop = RUN_DURATION;
            break;
        }
        RI_TRY(ri_run_before_tick(r));
        if (!run_tick(run))
            break;
        RI_TRY(ri_run_after_tick(r));
    }
    return RI_OK;
}

static RiStatus finish(Run *run)
{
    run_note(run, "end of the run: %s%s%s", run_stop_name(run->stop), *run->detail ? ": " : "", run->detail);
    RI_TRY(run_log_close(run));
    return run_write_results(run);
}

static RiStatus record(Campaign *c, RiRun *r, Run *run, RiOutcome *out)
{
    char path[PATH_MAX];
    run_path(run, "config.yaml", path);
    RI_TRY(ri_scene_save(r->scene, path));
    RI_TRY(run_log_open(run));
    RI_TRY(run_log_tick(run));
    run_note(run, "run %d of campaign %.100s", r->k, c->plan->name);
    RI_TRY(step(r, run));
    out->status = run->stop == RUN_DIVERGED ? RI_RUN_FAILED : RI_RUN_DONE;
    out->hash = ri_sim_hash(r->sim);
    RI_TRY(finish(run));
    return ri_run_finish(r, out);
}

/// Says what came of it; the exit code tells whether the bits are the stored ones.
static CliExit tell(const Campaign *c, const RiRun *r, const Run *run, const RiOutcome *stored, const RiOutcome *now)
{
    printf("run %d of %s: %s\n", r->k, c->plan->name, run_stop_name(run->stop));
    for (int i = 0; i < c->plan->design.dimensions; i++)
        printf("  %-28s %s\n", c->plan->dispersions[i].name, r->samples[i].value);
    for (int i = 0; i < c->plan->result_count; i++)
        printf("  %-28s %.9g\n", c->plan->results[i].name, now->values[i].value);
    printf("  files       %s/\n", run->folder);
    printf("  viewer      rille view %s/log.mcap\n", run->folder);
    printf("  state hash  %016" PRIx64, now->hash);
    if (stored->status != RI_RUN_DONE && stored->status != RI_RUN_FAILED) {
        printf(" (stored: none, the run was %s: %s)\n", ri_run_status_name(stored->status), stored->reason);
        return CLI_DONE;
    }
    if (stored->hash == now->hash) {
        printf(", as stored\n");
        return CLI_DONE;
    }
    printf("\n");
    cli_error("run %d: the stored hash is %016" PRIx64 ": robot, terrain or program have changed since", r->k,
              stored->hash);
    return CLI_RUN_FAILED;
}

static CliExit replay(Campaign *c, int k)
{
    RiOutcome *stored = calloc(2, sizeof *stored), *now = stored ? stored + 1 : NULL;
    char folder[64];
    RiRun r = {0};
    snprintf(folder, sizeof folder, "out/run_%d", k);
    RunArgs args = {
        .out = c->args->out ? c->args->out : folder, .quiet = true, .pictures = c->args->pictures, .factor = 1.0};
    Run run = {.args = &args, .ctx = c->ctx};
    CliExit code = CLI_DONE;
    if (!stored)
        return cli_no_memory();
    RiStatus status = ri_store_run(c->store, k, stored);
    if (status == RI_OK)
        status = ri_report_create(c->ctx, &run.report);
    if (status == RI_OK)
        status = ri_run_open(c->ctx, c->plan, &c->places, k, NULL, &r);
    if (status == RI_OK) {
        run.scene = r.scene;
        run.sim = r.sim;
        args.scene = ri_scene_name(r.scene);
        snprintf(run.scene_path, sizeof run.scene_path, "%s", c->scene_path);
        run_story_begin(&run);
        if (run_make_folder(&run, &code)) {
            code = CLI_DONE;
            status = record(c, &r, &run, now);
        }
    }
    if (status != RI_OK)
        code = cli_fail(c->ctx, status);
    else if (code == CLI_DONE)
        code = tell(c, &r, &run, stored, now);
    run_log_free(&run);
    run_story_free(&run);
    ri_outcome_free(c->ctx, now);
    ri_run_close(&r);
    ri_report_destroy(run.report);
    free(run.events);
    free(stored);
    return code;
}

int campaign_replay(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    campaign_parse(argc, argv, "STORE RUN",
                   "Makes a run again with log, report and pictures (--out DIR, default out/run_RUN).", 2, 2, &args);
    const int k = campaign_int("RUN", args.words[1], 0, 100000000);
    CliExit code = campaign_open(&c, args.words[0]);
    if (code == CLI_DONE && k >= c.plan->runs) {
        cli_error("%s: the campaign has runs 0 to %d", args.words[0], c.plan->runs - 1);
        code = CLI_BAD_INPUT;
    }
    if (code == CLI_DONE)
        code = replay(&c, k);
    campaign_close(&c);
    return code;
}
