// SPDX-License-Identifier: Apache-2.0
/// \file
/// Run 0 as a probe: all names of a campaign exist, and scene, robot, ground and bits are those
/// that the campaign was begun with.
///
/// The probe is made in a process of its own, so that a run that crashes or hangs is an outcome to
/// be stored, not the end of the campaign.
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/file.h>
#include <rille/memory.h>

#include "campaign/campaign.h"

/// What the probe says; less than all of it: it died.
typedef struct Probe {
    RiStatus status;
    bool opened;    ///< its scene was built, and its triggers may fire
    uint64_t proof; ///< 0: it did not come that far
    char message[1000];
} Probe;

/// Of all named values, outputs too.
static uint64_t hash_values(const RiValues *values)
{
    uint64_t hash = 0;
    for (int i = 0; i < ri_values_count(values); i++) {
        const double x = ri_values_read(values, i), plain = isnan(x) ? 0.0 : x; // NaN has many bits
        hash = ri_campaign_hash(hash, &plain, sizeof plain);
    }
    return hash;
}

/// What model and ground are, and the state and all values after a few ticks.
static RiStatus begin_run(RiRun *run, uint64_t *out_proof)
{
    enum { TICKS = 5 };
    for (int i = 0; i < TICKS && !ri_sim_stopped(run->sim); i++) {
        RI_TRY(ri_run_before_tick(run));
        RI_TRY(ri_sim_step(run->sim));
    }
    const uint64_t parts[3] = {ri_sim_fingerprint(run->sim), ri_sim_hash(run->sim),
                               hash_values(ri_sim_values(run->sim))};
    *out_proof = ri_campaign_hash(1, parts, sizeof parts);
    return RI_OK;
}

/// In the child; never returns.
static void be_probe(const Campaign *c, int fd)
{
    Probe p = {.status = RI_OK};
    RiContext *ctx;
    RiRun run;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (ri_context_create(NULL, &ctx) != RI_OK)
        _exit(CLI_ENVIRONMENT);
    p.status = ri_run_open(ctx, c->plan, &c->places, 0, NULL, &run);
    if (p.status == RI_OK)
        p.status = ri_run_check_triggers(&run);
    p.opened = p.status == RI_OK;
    if (p.opened)
        p.status = begin_run(&run, &p.proof);
    snprintf(p.message, sizeof p.message, "%s", ri_context_message(ctx));
    _exit(write(fd, &p, sizeof p) == (ssize_t)sizeof p ? 0 : CLI_ENVIRONMENT);
}

/// Reads the probe's words until it ends or its time is over. False: it died, or was too slow.
static bool hear(int fd, double timeout, Probe *out)
{
    size_t got = 0;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (got < sizeof *out) {
        const int ready = poll(&p, 1, (int)fmin(1e9, 1e3 * timeout));
        if (ready < 0 && errno == EINTR && !campaign_interrupted())
            continue;
        if (ready <= 0)
            return false;
        const ssize_t n = read(fd, (char *)out + got, sizeof *out - got);
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static RiStatus probe(Campaign *c, Probe *out, bool *out_heard)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return ri_error(c->ctx, RI_ERR_IO, "a pipe cannot be made: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_probe(c, ends[1]);
    }
    close(ends[1]);
    *out_heard = child > 0 && hear(ends[0], c->plan->timeout, out);
    close(ends[0]);
    if (child < 0)
        return ri_error(c->ctx, RI_ERR_IO, "no process can be started: %s", strerror(errno));
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return RI_OK;
}

RiStatus campaign_hash_scene(Campaign *c, uint64_t *out_hash)
{
    char *text;
    size_t size;
    RI_TRY(ri_file_read(c->ctx, c->scene_path, (size_t)64 << 20, &text, &size));
    *out_hash = ri_campaign_hash(0, text, size);
    ri_release(c->ctx, text);
    return RI_OK;
}

/// Fills c->proof: what the probe says, and the scene's text, whose conditions may come true later.
static CliExit keep_proof(Campaign *c, const Probe *p)
{
    uint64_t parts[2] = {p->proof, 0};
    if (p->proof == 0)
        return CLI_DONE;
    const RiStatus status = campaign_hash_scene(c, &parts[1]);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    c->proof = ri_campaign_hash(1, parts, sizeof parts);
    return CLI_DONE;
}

/// Line of the campaign's file in which a value that a message is about is dispersed; 0: the
/// message names the file itself, or no such value.
static int blamed_line(const RiCampaignPlan *plan, const char *message)
{
    int line = 0;
    for (int i = 0; i < plan->design.dimensions && !strstr(message, plan->file); i++)
        if (line == 0 && strstr(message, plan->dispersions[i].name))
            line = plan->dispersions[i].line;
    return line;
}

CliExit campaign_check(Campaign *c)
{
    Probe p = {.status = RI_OK};
    bool heard = false;
    c->proof = 0;
    const RiStatus status = probe(c, &p, &heard);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    if (!heard) {
        cli_error("note: run 0 crashed or hung when it was tried");
        return CLI_DONE;
    }
    if (p.status == RI_OK || (p.opened && (p.status == RI_ERR_NUMERIC || p.status == RI_ERR_DEVICE)))
        return keep_proof(c, &p);
    if (p.status == RI_ERR_NUMERIC || p.status == RI_ERR_MODEL) { // may be so for this sample alone
        cli_error("note: run 0 is refused: %s", p.message);
        return CLI_DONE;
    }
    const int line = blamed_line(c->plan, p.message);
    if (line > 0)
        return cli_fail(c->ctx,
                        ri_error(c->ctx, p.status, "%s:%d: run 0 cannot be built: %s", c->plan->file, line, p.message));
    return cli_fail(c->ctx, ri_error(c->ctx, p.status, "%s", p.message));
}

CliExit campaign_prove(Campaign *c)
{
    RiStatus status = ri_store_check_version(c->store);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    const CliExit code = campaign_check(c);
    if (code != CLI_DONE)
        return code;
    status = ri_store_check_proof(c->store, c->proof);
    return status == RI_OK ? CLI_DONE : cli_fail(c->ctx, status);
}
