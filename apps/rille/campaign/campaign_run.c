// SPDX-License-Identifier: Apache-2.0
/// \file
/// The coordinator on one machine: starts workers, gives back the leases of those that die, starts
/// others, looks at stop rules, shows the progress. It holds no state: all of it is in the store,
/// and two coordinators may work on one campaign.
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "campaign/campaign.h"

enum { LOOK_SHARE = 20 }; ///< for each second of looks at the store, seconds that are left to the workers

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
    int shown; ///< percent, of plain lines
    int lines; ///< of the live table that are on the terminal
    RiStoreMoments moments[RI_CAMPAIGN_RESULTS];
    double next_moments; ///< when they are read again
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
    for (int tries = 0; code == CLI_ENVIRONMENT && ri_store_is_url(crew->c->url) && tries < 60;
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
            const bool lost = ri_store_is_url(crew->c->url) && crew->births < 1000; // the server may come back
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

/// Time left, from the pace of this coordinator; NaN while there is none.
static double time_left(const Crew *crew, const RiStoreCounts *n)
{
    const long long done = finished_runs(n), here = done - crew->finished_before;
    return here > 0 ? (seconds() - crew->begin) * (double)(n->total - done) / (double)here : NAN;
}

static long long ended_badly(const RiStoreCounts *n)
{
    return n->runs[RI_RUN_FAILED] + n->runs[RI_RUN_REFUSED] + n->runs[RI_RUN_CRASHED] + n->runs[RI_RUN_HUNG];
}

/// A line for every tenth of the runs, for logs and pipes.
static void show_plain(Crew *crew, const RiStoreCounts *n)
{
    const long long done = finished_runs(n);
    const int percent = n->total ? (int)(100 * done / n->total) : 100;
    const double left = time_left(crew, n);
    if (percent < crew->shown + 10)
        return;
    crew->shown = percent / 10 * 10;
    fprintf(stderr, "%3d %%  %lld of %lld runs, %lld at work, %lld successful, %lld ended badly", percent, done,
            n->total, n->runs[RI_RUN_LEASED], n->success, ended_badly(n));
    if (!isnan(left) && done < n->total)
        fprintf(stderr, ", %.3g s left", left);
    fprintf(stderr, "\n");
    fflush(stderr);
}

/// A line of the live table, cut at the terminal's right edge so that it stays one line.
__attribute__((format(printf, 2, 3))) static void live_line(Crew *crew, const char *format, ...)
{
    struct winsize size;
    char line[400];
    va_list args;
    const int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "%.*s\033[K\n", width, line);
    crew->lines++;
}

static void erase_live(Crew *crew)
{
    if (crew->lines > 0)
        fprintf(stderr, "\033[%dA\r\033[J", crew->lines);
    crew->lines = 0;
}

static void bar_text(double share, char out[31])
{
    for (int i = 0; i < 30; i++)
        out[i] = i < (int)(30.0 * share) ? '#' : '.';
    out[30] = '\0';
}

static void left_text(double left, char out[40])
{
    const long long s = isnan(left) ? 0 : (long long)fmin(left + 0.5, 1e9);
    if (isnan(left))
        snprintf(out, 40, "time left not known yet");
    else
        snprintf(out, 40, "%lld:%02lld:%02lld left", s / 3600, s / 60 % 60, s % 60);
}

/// The table on a terminal, drawn again in place: progress, runs by status, results so far. The
/// database is asked for the results at most for a twentieth of the time.
static RiStatus show_live(Crew *crew, const RiStoreCounts *n)
{
    enum { MOST = 12 };
    const RiCampaignPlan *p = crew->c->plan;
    const long long done = finished_runs(n);
    char bar[31], left[40];
    const double now = seconds();
    if (now >= crew->next_moments) {
        RI_TRY(ri_store_moments(crew->c->store, p, crew->moments));
        const double after = seconds();
        crew->next_moments = after + fmax(0.5, 20.0 * (after - now));
    }
    erase_live(crew);
    bar_text(n->total ? (double)done / (double)n->total : 1.0, bar);
    left_text(done < n->total ? time_left(crew, n) : 0.0, left);
    live_line(crew, "%s  [%s] %lld of %lld runs, %s", p->name, bar, done, n->total, left);
    live_line(crew, "  %lld at work, %lld waiting, %lld successful, %lld ended badly, %d workers",
              n->runs[RI_RUN_LEASED], n->runs[RI_RUN_WAITING], n->success, ended_badly(n), crew->alive);
    live_line(crew, "  %-22s %7s %12s %12s %12s", "result", "runs", "mean", "least", "greatest");
    for (int i = 0; i < p->result_count && i < MOST; i++) {
        const RiStoreMoments *m = &crew->moments[i];
        if (m->count)
            live_line(crew, "  %-22.60s %7lld %12.6g %12.6g %12.6g", p->results[i].name, m->count, m->mean, m->least,
                      m->greatest);
        else
            live_line(crew, "  %-22.60s %7d %12s %12s %12s", p->results[i].name, 0, "-", "-", "-");
    }
    if (p->result_count > MOST)
        live_line(crew, "  and %d more", p->result_count - MOST);
    fflush(stderr);
    return RI_OK;
}

static RiStatus show(Crew *crew, const RiStoreCounts *n)
{
    if (crew->c->args->quiet)
        return RI_OK;
    if (isatty(STDERR_FILENO))
        return show_live(crew, n);
    show_plain(crew, n);
    return RI_OK;
}

// ---------------------------------------------------------------------------------------- the loop

static CliExit coordinate(Crew *crew)
{
    RiStoreCounts n;
    CliExit code = CLI_DONE;
    double next = 0.0;
    for (;;) {
        if (!look_after_workers(crew, &code))
            return code;
        if (campaign_interrupted())
            return CLI_RUN_FAILED;
        const double now = seconds();
        if (now > next || crew->alive == 0) {
            int stopped;
            RiStatus status = ri_store_apply_stop(crew->c->store, crew->c->plan, &stopped);
            if (status == RI_OK)
                status = ri_store_counts(crew->c->store, &n);
            if (status == RI_OK)
                status = show(crew, &n);
            if (status != RI_OK)
                return cli_fail(crew->c->ctx, status);
            next = seconds() + fmax(0.25, LOOK_SHARE * (seconds() - now)); // counting many runs takes long
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
    erase_live(&crew); // the results follow
    if (campaign_interrupted())
        cli_error("interrupted; nothing is lost: continue with 'rille campaign resume %s'", c->url);
    return code;
}
