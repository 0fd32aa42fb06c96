// SPDX-License-Identifier: Apache-2.0
/// \file
/// The coordinator on one machine: starts workers, gives back the leases of those that die, starts
/// others, looks at stop rules, shows the progress. It holds no state: all of it is in the store,
/// and two coordinators may work on one campaign.
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "campaign/campaign.h"

enum { WORKERS = 4096 };

typedef struct Worker {
    pid_t pid; ///< 0: none
    int generation;
} Worker;

typedef struct Crew {
    Campaign *c;
    Worker *workers;
    int count, alive, births;
    char base[64]; ///< of the workers' names
    double begin;
    long long finished_before;
    int shown;
} Crew;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void worker_name(const Crew *crew, int i, char out[RI_STORE_WORD])
{
    snprintf(out, RI_STORE_WORD, "%s.%d.%d", crew->base, i, crew->workers[i].generation);
}

/// A worker has its own connection: the coordinator's is not touched. Never returns.
static void be_worker(const Crew *crew, int i, pid_t parent)
{
    char name[RI_STORE_WORD];
    CampaignArgs args = *crew->c->args;
    Campaign c = {.args = &args};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(CLI_ENVIRONMENT);
    signal(SIGINT, SIG_IGN); // the coordinator tells
    worker_name(crew, i, name);
    args.experiment = crew->c->plan->name;
    CliExit code = campaign_open(&c, crew->c->url);
    for (int tries = 0; code == CLI_ENVIRONMENT && ri_db_is_url(crew->c->url) && tries < 60;
         tries++) { // it may come back
        campaign_close(&c);
        poll(NULL, 0, 500);
        code = campaign_open(&c, crew->c->url);
    }
    if (code == CLI_DONE)
        code = campaign_work(&c, name);
    campaign_close(&c);
    fflush(NULL);
    _exit(code);
}

static bool start_worker(Crew *crew, int i)
{
    const pid_t parent = getpid();
    fflush(NULL);
    crew->workers[i].generation++;
    const pid_t pid = fork();
    if (pid == 0)
        be_worker(crew, i, parent);
    crew->workers[i].pid = pid > 0 ? pid : 0;
    crew->alive += pid > 0;
    crew->births++;
    return pid > 0;
}

/// Takes note of workers that ended; leases of one that died are given back at once. False if
/// workers fail for a reason that another one would have, too.
static bool look_after_workers(Crew *crew, CliExit *out_code)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < crew->count; i++) {
            char name[RI_STORE_WORD];
            if (crew->workers[i].pid != pid)
                continue;
            crew->workers[i].pid = 0;
            crew->alive--;
            const bool lost = ri_db_is_url(crew->c->url) && crew->births < 1000; // the server may come back
            if (WIFEXITED(status) && WEXITSTATUS(status) > CLI_RUN_FAILED && !lost) {
                *out_code = WEXITSTATUS(status);
                return false;
            }
            worker_name(crew, i, name);
            if ((!WIFEXITED(status) || WEXITSTATUS(status) != 0) && ri_store_release(crew->c->store, name) != RI_OK) {
                *out_code = cli_fail(crew->c->ctx, RI_ERR_IO);
                return false;
            }
        }
    return true;
}

static void stop_workers(Crew *crew)
{
    for (int i = 0; i < crew->count; i++)
        if (crew->workers[i].pid)
            kill(crew->workers[i].pid, SIGTERM);
    for (int i = 0; i < crew->count; i++)
        if (crew->workers[i].pid)
            waitpid(crew->workers[i].pid, NULL, 0);
}

// ---------------------------------------------------------------------------------------- progress

static long long finished_runs(const RiStoreCounts *n)
{
    long long sum = 0;
    for (int i = RI_RUN_DONE; i < RI_RUN_STATUSES; i++)
        sum += n->runs[i];
    return sum;
}

static void show(Crew *crew, const RiStoreCounts *n)
{
    const long long done = finished_runs(n), here = done - crew->finished_before;
    const double spent = seconds() - crew->begin,
                 left = here > 0 ? spent * (double)(n->total - done) / (double)here : NAN;
    const int percent = n->total ? (int)(100 * done / n->total) : 100;
    const bool terminal = isatty(STDERR_FILENO);
    if (crew->c->args->quiet || (!terminal && percent < crew->shown + 10))
        return;
    crew->shown = percent / 10 * 10;
    const long long bad =
        n->runs[RI_RUN_FAILED] + n->runs[RI_RUN_REFUSED] + n->runs[RI_RUN_CRASHED] + n->runs[RI_RUN_HUNG];
    fprintf(stderr, "%s%3d %%  %lld of %lld runs, %lld at work, %lld successful, %lld ended badly",
            terminal ? "\r" : "", percent, done, n->total, n->runs[RI_RUN_LEASED], n->success, bad);
    if (!isnan(left) && done < n->total)
        fprintf(stderr, ", %.3g s left", left);
    fprintf(stderr, terminal ? "   " : "\n");
    fflush(stderr);
}

// ---------------------------------------------------------------------------------------- the loop

/// Stops the rest if a rule is met.
static RiStatus look_at_rule(Crew *crew)
{
    int stopped;
    RI_TRY(ri_store_stop(crew->c->store, crew->c->plan, &stopped));
    return stopped < 0 ? RI_OK : ri_store_drop(crew->c->store, RI_RUN_SKIPPED, stopped, stopped);
}

static CliExit coordinate(Crew *crew)
{
    RiStoreCounts n;
    CliExit code = CLI_DONE;
    double looked = 0.0;
    for (;;) {
        if (!look_after_workers(crew, &code))
            return code;
        if (campaign_interrupted())
            return CLI_RUN_FAILED;
        const double now = seconds();
        if (now - looked > 0.25 || crew->alive == 0) {
            looked = now;
            RiStatus status = look_at_rule(crew);
            if (status == RI_OK)
                status = ri_store_counts(crew->c->store, &n);
            if (status != RI_OK)
                return cli_fail(crew->c->ctx, status);
            show(crew, &n);
            const long long open = n.runs[RI_RUN_WAITING] + n.runs[RI_RUN_LEASED];
            if (open == 0 && crew->alive == 0)
                return CLI_DONE;
            for (int i = 0; i < crew->count && open > 0; i++)
                if (!crew->workers[i].pid && !start_worker(crew, i) && crew->alive == 0) {
                    cli_error("no worker can be started: %s", strerror(errno));
                    return CLI_ENVIRONMENT;
                }
        }
        poll(NULL, 0, 20);
    }
}

CliExit campaign_coordinate(Campaign *c)
{
    static char host[48] = "unknown";
    RiStoreCounts n;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    Crew crew = {.c = c, .count = c->args->workers ? c->args->workers : cores > 0 ? (int)cores : 1, .shown = -1};
    gethostname(host, sizeof host - 1);
    snprintf(crew.base, sizeof crew.base, "%.40s:%ld:%lld", host, (long)getpid(), (long long)time(NULL));
    RiStatus status = ri_store_counts(c->store, &n);
    if (status != RI_OK)
        return cli_fail(c->ctx, status);
    crew.finished_before = finished_runs(&n);
    crew.begin = seconds();
    if (crew.count > n.total)
        crew.count = (int)n.total;
    crew.workers = calloc((size_t)crew.count + 1, sizeof *crew.workers);
    if (!crew.workers)
        return cli_no_memory();
    campaign_catch_signals();
    const CliExit code = coordinate(&crew);
    stop_workers(&crew);
    free(crew.workers);
    if (isatty(STDERR_FILENO) && !c->args->quiet)
        fputs("\r\033[K", stderr);
    if (campaign_interrupted())
        cli_error("interrupted; nothing is lost: 'rille campaign resume %s' goes on", c->url);
    return code;
}
