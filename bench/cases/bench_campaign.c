// SPDX-License-Identifier: Apache-2.0
/// \file
/// Campaigns: what the store costs beside runs of 50 ms, two workers against one, 10 000 short runs
/// in one file, a table of a million results, and many robots in one process against single runs.
/// SQLite.
///
/// A "run of 50 ms" sleeps: it represents one on a core of its own, so that the rows tell what the
/// campaign adds, whatever else the machine does.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rille/campaign.h>
#include <rille/study/stats.h>
#include <rille/study/store.h>

#include "bench/bench_run.h"
#include "bench/temporary.h"
#include "cli.h"
#include "study/campaign/db.h"

enum {
    RUNS = 60,
    ROUNDS = 3,
    SHORT_RUNS = 10000,
    MILLION_RUNS = 250000,
    RESULTS = 4,
    ROBOTS = 16,
    STEPS = 400,
    TICKS = 100
};
static const double RUN_SECONDS = 0.05;

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void emit(const BenchRun *run, const char *name, const char *unit, double value, const char *peer,
                 double against, double ratio, double bar, bool valid)
{
    BenchRow row = bench_row(run->bench, name, unit, 1);
    row.ours = value;
    row.peer = peer;
    row.peer_value = against;
    row.ratio = ratio;
    row.bar = bar;
    row.valid = valid;
    bench_emit(run, &row);
}

// --- the store -----------------------------------------------------------------------------------

typedef struct Shop {
    RiContext *ctx;
    RiCampaignPlan *plan;
    RiStore *store;
    char path[PATH_MAX];
} Shop;

static RiStatus open_shop(Shop *s, int runs)
{
    char text[400];
    const int n = snprintf(text, sizeof text,
                           "campaign: bench\nscene: s\nruns: %d\ndispersions:\n  a: {uniform: [0, 1]}\nresults:\n"
                           "  w: time\n  x: time\n  y: time\n  z: time\n",
                           runs);
    bench_temporary(bench_temporary_folder(), ".db", s->path, sizeof s->path);
    unlink(s->path);
    RI_TRY(ri_context_create(NULL, &s->ctx));
    RI_TRY(ri_campaign_parse(s->ctx, "bench.yaml", text, (size_t)n, &s->plan));
    RI_TRY(ri_store_open(s->ctx, s->path, true, &s->store));
    return ri_store_enter(s->store, s->plan, "/s.yaml", 1);
}

static void close_shop(Shop *s)
{
    char side[PATH_MAX + 8];
    ri_store_close(s->store);
    if (s->plan)
        ri_campaign_destroy(s->plan);
    if (s->ctx)
        ri_context_destroy(s->ctx);
    unlink(s->path);
    snprintf(side, sizeof side, "%s-wal", s->path);
    unlink(side);
    snprintf(side, sizeof side, "%s-shm", s->path);
    unlink(side);
}

static RiOutcome outcome(int k)
{
    RiOutcome o = {.status = RI_RUN_DONE, .success = k % 3 != 0, .hash = (uint64_t)k, .time = 1.0, .wall = RUN_SECONDS};
    snprintf(o.reason, sizeof o.reason, "duration");
    for (int i = 0; i < RI_CAMPAIGN_RESULTS; i++)
        o.values[i] = (RiCollected){i < RESULTS ? sin(k + i) : NAN, 1.0};
    return o;
}

/// Takes runs until there are none. `out_busy`: seconds in the store. False: the store failed.
static bool work(const char *path, double seconds, int batch, double *out_busy)
{
    Shop s = {.ctx = NULL};
    RiLease leases[64];
    int count = 0;
    bool kept, good = ri_context_create(NULL, &s.ctx) == RI_OK &&
                      ri_store_open(s.ctx, path, false, &s.store) == RI_OK &&
                      ri_store_choose(s.store, "bench") == RI_OK;
    char *scene = NULL;
    good = good && ri_store_plan(s.store, &s.plan, &scene) == RI_OK;
    *out_busy = 0.0;
    do {
        double t = wall();
        good = good && ri_store_lease_share(s.store, batch, leases, &count) == RI_OK;
        *out_busy += wall() - t;
        for (int i = 0; good && i < count; i++) {
            const RiOutcome o = outcome(leases[i].run);
            if (seconds > 0.0)
                nanosleep(&(struct timespec){0, (long)(seconds * 1e9)}, NULL);
            t = wall();
            good = ri_store_finish(s.store, s.plan, leases[i], &o, NULL, NULL, 0, &kept) == RI_OK && kept;
            *out_busy += wall() - t;
        }
    } while (good && count > 0);
    ri_store_close(s.store);
    if (s.plan)
        ri_campaign_destroy(s.plan);
    if (s.ctx) {
        ri_release(s.ctx, scene);
        ri_context_destroy(s.ctx);
    }
    return good;
}

/// Wall time of all runs by so many processes; -1: one failed.
static double race(const char *path, int workers, double seconds, int batch)
{
    const double begin = wall();
    bool good = true;
    fflush(NULL);
    for (int i = 0; i < workers; i++)
        if (fork() == 0) {
            double busy;
            _exit(work(path, seconds, batch, &busy) ? 0 : 1);
        }
    for (int i = 0; i < workers; i++) {
        int state = 0;
        good &= wait(&state) > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
    }
    return good ? wall() - begin : -1.0;
}

static bool all_stored(const Shop *s, int runs)
{
    RiStoreCounts n;
    return ri_store_counts(s->store, &n) == RI_OK && n.runs[RI_RUN_DONE] == runs;
}

/// Two workers against one; the store's share of a run.
static void bench_throughput(BenchRun *run)
{
    double time[2] = {INFINITY, INFINITY}, busy = 0.0;
    bool good = true;
    for (int i = 0; i < 2 * ROUNDS; i++) { // in turn: the best of each
        const int w = 1 + i % 2;
        Shop s = {.ctx = NULL};
        if (open_shop(&s, RUNS * w) != RI_OK)
            bench_fail(run, "throughput", s.ctx ? ri_context_message(s.ctx) : "out of memory");
        const double t = race(s.path, w, RUN_SECONDS, 8);
        good &= t > 0.0 && all_stored(&s, RUNS * w);
        time[w - 1] = fmin(time[w - 1], t);
        close_shop(&s);
    }
    emit(run, "throughput.two_workers", "of linear", time[0] / time[1], "one worker", 1.0, time[0] / time[1], 0.97,
         good);
    Shop s = {.ctx = NULL};
    if (open_shop(&s, 500) != RI_OK)
        bench_fail(run, "store", s.ctx ? ri_context_message(s.ctx) : "out of memory");
    good = work(s.path, 0.0, 8, &busy) && all_stored(&s, 500);
    const double percent = 100.0 * busy / 500.0 / RUN_SECONDS;
    emit(run, "store.overhead", "% of 50 ms", percent, "limit", 2.0, 2.0 / percent, 1.0, good);
    close_shop(&s);
}

static void bench_short(BenchRun *run)
{
    Shop s = {.ctx = NULL};
    if (open_shop(&s, SHORT_RUNS) != RI_OK)
        bench_fail(run, "short", s.ctx ? ri_context_message(s.ctx) : "out of memory");
    const double time = race(s.path, 2, 0.0, 64);
    emit(run, "store.10000_short_runs", "s", time, "limit", 60.0, 60.0 / time, 1.0,
         time > 0.0 && all_stored(&s, SHORT_RUNS));
    close_shop(&s);
}

/// A quarter of a million runs with four results each, made by the database itself.
static RiStatus fill_million(Shop *s)
{
    RiDb *db = s->store->db;
    RI_TRY(ri_db_begin(db));
    RI_TRY(
        ri_db_run(db,
                  "UPDATE run SET status = 'done', success = k % 3 <> 0, time = 1, wall = 0.05, violations = 0, hash "
                  "= '00', reason = 'duration', detail = ''",
                  ""));
    RI_TRY(ri_db_run(db,
                     "INSERT INTO result SELECT r.experiment, r.k, s.place, 1.0, (r.k * 7919 + s.place) % 1000003 FROM "
                     "run r, result_spec s WHERE s.experiment = r.experiment",
                     ""));
    return ri_db_commit(db);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void bench_million(BenchRun *run)
{
    Shop s = {.ctx = NULL};
    RiTable table = {.ctx = NULL};
    RiStatus status = open_shop(&s, MILLION_RUNS);
    if (status == RI_OK)
        status = fill_million(&s);
    const double begin = processor();
    if (status == RI_OK)
        status = ri_store_table(s.store, s.plan, &table);
    for (int i = 0; status == RI_OK && i < table.results; i++)
        qsort(table.values + (size_t)i * (size_t)table.count, (size_t)table.count, sizeof *table.values, by_value);
    const double time = processor() - begin;
    if (status != RI_OK)
        bench_fail(run, "report", s.ctx ? ri_context_message(s.ctx) : "out of memory");
    emit(run, "table.million_results", "s", time, "limit", 5.0, 5.0 / time, 1.0,
         status == RI_OK && table.count == MILLION_RUNS && table.results == RESULTS);
    if (table.ctx)
        ri_table_free(&table);
    close_shop(&s);
}

// --- many robots ---------------------------------------------------------------------------------

/// Best robot-ticks per second of processor time of some rounds.
typedef struct BatchRates {
    double one, many, two; // a single robot, a batch, a batch on two threads
} BatchRates;

/// Of ROBOTS robots, one batch after the other: each window is equally long.
static double batch_rate(RiBatch *b, int threads, RiStatus *status)
{
    double time = 0.0;
    for (int done = 0; done < ROBOTS; done += ri_batch_count(b)) {
        if (*status == RI_OK)
            *status = ri_batch_reset(b);
        const double begin = processor();
        if (*status == RI_OK)
            *status = ri_batch_step(b, STEPS, threads);
        time += processor() - begin;
    }
    return ROBOTS * STEPS / time;
}

/// Rounds in turn, so that what else the machine does meets all of them.
static BatchRates batch_rates(BenchRun *run, RiContext *ctx, const char *scene)
{
    RiBatch *one = NULL, *many = NULL;
    BatchRates best = {0.0, 0.0, 0.0};
    RiStatus status = ri_batch_create(ctx, scene, NULL, 1, &one);
    if (status == RI_OK)
        status = ri_batch_create(ctx, scene, NULL, ROBOTS, &many);
    for (int k = 0; k < run->repeats && status == RI_OK; k++) {
        best.one = fmax(best.one, batch_rate(one, 1, &status));
        best.many = fmax(best.many, batch_rate(many, 1, &status));
        best.two = fmax(best.two, batch_rate(many, 2, &status));
    }
    if (status != RI_OK)
        bench_fail(run, "batch", ri_context_message(ctx));
    ri_batch_destroy(one);
    ri_batch_destroy(many);
    return best;
}

/// Episodes per second of processor time when each is loaded, built and stepped alone.
static double single_episodes(BenchRun *run, const char *scene)
{
    double best = 0.0;
    for (int k = 0; k < run->repeats; k++) {
        RiContext *ctx = NULL;
        RiBatch *b = NULL;
        const double begin = processor();
        RiStatus status = ri_context_create(NULL, &ctx);
        if (status == RI_OK)
            status = ri_batch_create(ctx, scene, NULL, 1, &b);
        if (status == RI_OK)
            status = ri_batch_step(b, TICKS, 1);
        best = fmax(best, 1.0 / (processor() - begin));
        if (status != RI_OK)
            bench_fail(run, "episodes", ctx ? ri_context_message(ctx) : "out of memory");
        ri_batch_destroy(b);
        if (ctx)
            ri_context_destroy(ctx);
    }
    return best;
}

static void bench_batch(BenchRun *run)
{
    char scenes[PATH_MAX], path[PATH_MAX + 32];
    RiContext *ctx;
    cli_data_folder("scenes", scenes);
    if (!*scenes || ri_context_create(NULL, &ctx) != RI_OK) {
        bench_fail(run, "batch", "the folder of scenes was not found");
        return;
    }
    snprintf(path, sizeof path, "%s/snake_servo.yaml", scenes); // 36 degrees of freedom
    const BatchRates x = batch_rates(run, ctx, path);
    emit(run, "batch.steps_36dof", "ticks/s", x.many, "single runs", x.one, x.many / x.one, 1.5, x.one > 0.0);
    emit(run, "batch.two_threads_36dof", "of linear", x.two / x.many, "one thread", 1.0, x.two / x.many, 0.97,
         x.many > 0.0);
    const double alone = single_episodes(run, path), episodes = x.many / TICKS;
    emit(run, "batch.episodes_36dof", "1/s", episodes, "built anew", alone, episodes / alone, 1.5, alone > 0.0);
    ri_context_destroy(ctx);
}

void bench_campaign(BenchRun *run)
{
    if (bench_wants(run, "throughput") || bench_wants(run, "store.overhead"))
        bench_throughput(run);
    if (bench_wants(run, "store.10000_short_runs"))
        bench_short(run);
    if (bench_wants(run, "table.million_results"))
        bench_million(run);
    if (bench_wants(run, "batch.steps_36dof") || bench_wants(run, "batch.two_threads_36dof") ||
        bench_wants(run, "batch.episodes_36dof"))
        bench_batch(run);
}
