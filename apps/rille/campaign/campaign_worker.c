// SPDX-License-Identifier: Apache-2.0
/// \file
/// A worker: leases runs, makes each in a child process of its own, stores what came of it.
///
/// A child that crashes takes nothing with it: its run is stored with the signal. One that takes
/// too long is asked to stop (SIGTERM: it leaves a checkpoint), and killed two seconds later.
/// Children die with their worker.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

#include <rille/file.h>
#include <rille/memory.h>

#include "campaign/campaign.h"

static volatile sig_atomic_t asked_to_stop; // signal handlers have no other way to tell

static void on_stop(int number)
{
    (void)number;
    asked_to_stop = 1;
}

bool campaign_interrupted(void)
{
    return asked_to_stop != 0;
}

void campaign_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --------------------------------------------------------------------------------------- the child

/// What a child sends first; the outcome, its series and a hash over all of it follow.
typedef struct Head {
    char magic[8];
    RiStatus status;
    char message[400];
} Head;

static bool send(int fd, const void *data, size_t size, uint64_t *hash)
{
    const char *at = data;
    *hash = ri_campaign_hash(*hash, data, size);
    while (size > 0) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool send_all(int fd, const Head *head, const RiOutcome *o)
{
    uint64_t hash = 0;
    bool ok = send(fd, head, sizeof *head, &hash) && send(fd, o, sizeof *o, &hash);
    for (int i = 0; ok && i < o->series_count; i++)
        ok = send(fd, o->series[i].pairs, (size_t)o->series[i].count * sizeof(double), &hash);
    uint64_t unused = 0;
    return ok && send(fd, &hash, sizeof hash, &unused);
}

/// Never returns.
static void be_child(const Campaign *c, int k, const RiSample *samples, const char *checkpoint, int fd, pid_t parent)
{
    RiContext *ctx = NULL;
    Head head = {.magic = "RILRUN1"};
    RiOutcome *o = calloc(1, sizeof *o);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || !o || ri_context_create(NULL, &ctx) != RI_OK)
        _exit(CLI_ENVIRONMENT);
    campaign_catch_signals();
    signal(SIGINT, SIG_IGN); // the worker decides
    asked_to_stop = 0;
    head.status = ri_run_all(ctx, c->plan, &c->places, k, samples, &asked_to_stop, checkpoint, o);
    snprintf(head.message, sizeof head.message, "%s", ri_context_message(ctx));
    _exit(send_all(fd, &head, o) ? 0 : CLI_ENVIRONMENT);
}

// -------------------------------------------------------------------------------------- the parent

typedef struct Buffer {
    char *bytes;
    size_t size, room;
} Buffer;

static bool read_some(int fd, Buffer *b, bool *out_end)
{
    if (b->room - b->size < 65536) {
        char *more = realloc(b->bytes, 2 * b->room + 131072);
        if (!more)
            return false;
        b->bytes = more;
        b->room = 2 * b->room + 131072;
    }
    const ssize_t n = read(fd, b->bytes + b->size, b->room - b->size);
    *out_end = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
    b->size += n > 0 ? (size_t)n : 0;
    return true;
}

typedef struct Watch {
    double begin, timeout, asked, beaten, period;
    void (*beat)(void *user);
    void *user;
    bool hung;
} Watch;

/// What time asks for while a child runs: a beat, a word to a slow child, an end.
static void watch_child(Watch *w, pid_t child)
{
    const double now = seconds();
    if (w->beat && now - w->beaten > w->period) {
        w->beat(w->user);
        w->beaten = now;
    }
    if (!w->hung && now - w->begin > w->timeout) {
        w->hung = true;
        w->asked = now;
        kill(child, SIGTERM);
    } else if (w->hung && now - w->asked > 2.0) {
        kill(child, SIGKILL);
    }
}

/// Whether the bytes are a whole outcome; its series are given memory of their own.
static RiStatus unpack(RiContext *ctx, const Buffer *b, Head *head, RiOutcome *out, bool *out_whole)
{
    uint64_t hash = 0, sent;
    const size_t fixed = sizeof *head + sizeof *out;
    *out_whole = false;
    if (b->size < fixed + sizeof sent)
        return RI_OK;
    memcpy(head, b->bytes, sizeof *head);
    memcpy(out, b->bytes + sizeof *head, sizeof *out);
    hash = ri_campaign_hash(ri_campaign_hash(0, b->bytes, sizeof *head), b->bytes + sizeof *head, sizeof *out);
    const char *at = b->bytes + fixed;
    const int series = out->series_count;
    out->series_count = 0;
    for (int i = 0; i < series; i++) {
        const size_t size = (size_t)out->series[i].count * sizeof(double);
        if ((size_t)(at - b->bytes) + size + sizeof sent > b->size)
            return RI_OK;
        hash = ri_campaign_hash(hash, at, size);
        out->series[i].pairs = ri_alloc(ctx, (size_t)out->series[i].count, sizeof(double));
        if (!out->series[i].pairs)
            return ri_error_memory(ctx);
        out->series_count++;
        memcpy(out->series[i].pairs, at, size);
        at += size;
    }
    memcpy(&sent, at, sizeof sent);
    *out_whole = sent == hash && memcmp(head->magic, "RILRUN1", 8) == 0;
    return RI_OK;
}

static void end_badly(RiOutcome *o, RiRunStatus status, const char *detail)
{
    memset(o, 0, sizeof *o);
    for (int i = 0; i < RI_CAMPAIGN_RESULTS; i++)
        o->values[i] = (RiCollected){NAN, NAN};
    o->time = NAN;
    o->status = status;
    snprintf(o->detail, sizeof o->detail, "%s", detail);
}

/// An outcome out of what the child sent and how it ended.
static RiStatus judge(Campaign *c, const Buffer *b, int status, const Watch *w, RiOutcome *out)
{
    Head head;
    bool whole;
    RI_TRY(unpack(c->ctx, b, &head, out, &whole));
    if (whole && head.status == RI_OK) {
        return RI_OK;
    }
    if (whole) {
        ri_outcome_free(c->ctx, out);
        end_badly(out, RI_RUN_CRASHED, head.message);
        snprintf(out->reason, sizeof out->reason, "%s", ri_status_text(head.status));
    } else if (w->hung) {
        end_badly(out, RI_RUN_HUNG, "it took longer than the campaign's timeout and did not stop when asked");
        snprintf(out->reason, sizeof out->reason, "timeout");
    } else {
        end_badly(out, RI_RUN_CRASHED, "");
        if (WIFSIGNALED(status))
            snprintf(out->reason, sizeof out->reason, "signal %d", WTERMSIG(status));
        else
            snprintf(out->reason, sizeof out->reason, "exit code %d", WEXITSTATUS(status));
    }
    out->wall = seconds() - w->begin;
    return RI_OK;
}

static RiStatus wait_for(Campaign *c, pid_t child, int fd, Watch *w, RiOutcome *out)
{
    Buffer b = {0};
    bool end = false, memory = true;
    while (!end && memory) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (poll(&p, 1, 100) > 0)
            memory = read_some(fd, &b, &end);
        watch_child(w, child);
        if (asked_to_stop && !w->hung)
            kill(child, SIGKILL); // its run is given back
    }
    int status = 0;
    if (!memory)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    const RiStatus judged = memory ? judge(c, &b, status, w, out) : ri_error_memory(c->ctx);
    free(b.bytes);
    return judged;
}

/// A folder of mode 0700 for the checkpoint of a run, with a name that nobody can guess.
static RiStatus make_folder(Campaign *c, char out[PATH_MAX])
{
    const char *temporary = getenv("TMPDIR");
    snprintf(out, PATH_MAX, "%.*s/rille-run-XXXXXX", PATH_MAX - 64, temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(out))
        return RI_OK;
    return ri_error(c->ctx, RI_ERR_IO, "%s: no folder for a run's checkpoint can be made: %s", out, strerror(errno));
}

/// With all that is in it: the checkpoint, and what a killed run left of one.
static void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        (void)unlinkat(dirfd(dir), entry->d_name, 0); // . and .. stay
    if (dir)
        closedir(dir);
    rmdir(folder);
}

/// The checkpoint that a child left behind, if its run did not end well.
static void collect_checkpoint(Campaign *c, const char *path, const RiOutcome *o, void **out_bytes, size_t *out_size)
{
    char *text;
    if (o->status != RI_RUN_DONE && access(path, R_OK) == 0 &&
        ri_file_read(c->ctx, path, (size_t)1 << 30, &text, out_size) == RI_OK)
        *out_bytes = text;
}

RiStatus campaign_run_guarded(Campaign *c, int k, const RiSample *samples, void (*beat)(void *user), void *user,
                              RiOutcome *out, void **out_checkpoint, size_t *out_size)
{
    int ends[2];
    char folder[PATH_MAX], checkpoint[PATH_MAX + 16];
    Watch w = {
        .timeout = c->plan->timeout, .beat = beat, .user = user, .period = c->store ? c->store->lease / 3.0 : 10.0};
    *out_checkpoint = NULL;
    *out_size = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ri_error(c->ctx, RI_ERR_IO, "a pipe cannot be made: %s", strerror(errno));
    RiStatus status = make_folder(c, folder);
    if (status != RI_OK) {
        close(ends[0]);
        close(ends[1]);
        return status;
    }
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint", folder);
    w.begin = w.beaten = seconds();
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(c, k, samples, checkpoint, ends[1], parent);
    }
    close(ends[1]);
    if (child < 0)
        status = ri_error(c->ctx, RI_ERR_IO, "no process can be started: %s", strerror(errno));
    else
        status = wait_for(c, child, ends[0], &w, out);
    close(ends[0]);
    if (status == RI_OK)
        collect_checkpoint(c, checkpoint, out, out_checkpoint, out_size);
    remove_folder(folder);
    return status;
}

// ---------------------------------------------------------------------------------------- the loop

static void beat(void *user)
{
    Campaign *c = user;
    if (ri_store_renew(c->store) != RI_OK)
        cli_error("%s", ri_context_message(c->ctx)); // the lease runs out then, and another worker takes over
}

static RiStatus work_on(Campaign *c, RiLease lease, double *out_wall)
{
    RiOutcome *o = calloc(1, sizeof *o);
    void *checkpoint = NULL;
    size_t size = 0;
    bool kept;
    if (!o)
        return ri_error_memory(c->ctx);
    RiStatus status = campaign_run_guarded(c, lease.run, NULL, beat, c, o, &checkpoint, &size);
    if (status == RI_OK && !asked_to_stop) {
        status =
            ri_store_finish(c->store, c->plan, lease, o, checkpoint ? "checkpoint" : NULL, checkpoint, size, &kept);
        *out_wall = o->wall;
        c->made += status == RI_OK && kept;
    }
    ri_outcome_free(c->ctx, o);
    ri_release(c->ctx, checkpoint);
    free(o);
    return status;
}

enum { BLOCK = 64 };

/// Runs to lease at once: about half a second of work, so that the store is asked rarely and little
/// is lost with a worker.
static int block_size(double wall)
{
    return wall > 0.0 ? (int)fmax(1.0, fmin(BLOCK, 0.5 / wall)) : 1;
}

/// Looks at the stop rules, at most four times a second unless `at_once`. Where one is met, the
/// leases of this worker are given back, and no run waits any more.
static RiStatus look_at_rule(Campaign *c, bool at_once, double *looked, bool *out_met)
{
    const double now = seconds();
    int stopped;
    *out_met = false;
    if (!at_once && now - *looked < 0.25)
        return RI_OK;
    *looked = now;
    RI_TRY(ri_store_stop(c->store, c->plan, &stopped));
    if (stopped < 0)
        return RI_OK;
    *out_met = true;
    RI_TRY(ri_store_release(c->store, NULL));
    return ri_store_drop(c->store, RI_RUN_SKIPPED, stopped, stopped);
}

static RiStatus work(Campaign *c)
{
    RiLease leases[BLOCK];
    double wall = 0.0, looked = seconds();
    bool met;
    RI_TRY(look_at_rule(c, true, &looked, &met));
    while (!asked_to_stop) {
        int count;
        RI_TRY(ri_store_lease_share(c->store, block_size(wall), leases, &count));
        met = false;
        for (int i = 0; i < count && !met && !asked_to_stop; i++) {
            RI_TRY(work_on(c, leases[i], &wall));
            RI_TRY(look_at_rule(c, i == count - 1, &looked, &met));
        }
        if (count > 0)
            continue;
        RiStoreCounts counts;
        RI_TRY(look_at_rule(c, true, &looked, &met)); // the last runs may have met it
        RI_TRY(ri_store_counts(c->store, &counts));
        if (counts.runs[RI_RUN_WAITING] + counts.runs[RI_RUN_LEASED] == 0)
            return RI_OK;
        poll(NULL, 0, 100); // others are at work: theirs may have to be taken over
    }
    return RI_OK;
}

CliExit campaign_work(Campaign *c, const char *name)
{
    if (name)
        snprintf(c->store->worker, sizeof c->store->worker, "%s", name);
    RiStatus status = ri_store_check_version(c->store);
    if (status == RI_OK)
        status = work(c);
    char message[500];
    snprintf(message, sizeof message, "%s", ri_context_message(c->ctx));
    if (asked_to_stop || status != RI_OK) {
        const RiStatus released = ri_store_release(c->store, NULL);
        if (released != RI_OK && status == RI_OK)
            return cli_fail(c->ctx, released);
    }
    if (status != RI_OK) {
        cli_error("%s", message);
        return cli_exit_code(status);
    }
    return asked_to_stop ? CLI_RUN_FAILED : CLI_DONE;
}
