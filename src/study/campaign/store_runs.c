// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs of a store: leases, finishing, counting.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/study/store.h>
#include <rille/version.h>

#include "study/campaign/db.h"
#include "study/campaign/store_work.h"

// ------------------------------------------------------------------------------------ transactions

static RiStatus once(RiStore *s, RiStoreDeed deed, void *user)
{
    RI_TRY(ri_db_begin(s->db));
    const RiStatus status = deed(s, user);
    if (status == RI_OK)
        return ri_db_commit(s->db);
    ri_db_rollback(s->db);
    return status;
}

static void nap(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
}

RiStatus ri_store_transact(RiStore *s, RiStoreDeed deed, void *user)
{
    double waited = 0.0, pause = 0.05;
    for (;;) {
        const RiStatus status = once(s, deed, user);
        if (status == RI_OK || !ri_db_is_lost(s->db) || waited >= s->patience)
            return status;
        do {
            nap(pause);
            waited += pause;
            pause = fmin(1.0, 1.5 * pause);
        } while (ri_db_reconnect(s->db) != RI_OK && waited < s->patience);
    }
}

// ------------------------------------------------------------------------------------------ leases

enum { SHARES = 4 }; ///< of the runs that wait: ri_store_lease_share takes one of them at most

typedef struct Take {
    int most, count;
    bool share;
    RiLease *leases;
} Take;

/// Appends the runs of a query to those that are taken.
static RiStatus add_leases(RiStore *s, Take *t)
{
    bool row;
    for (;;) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            return RI_OK;
        t->leases[t->count++] = (RiLease){(int)ri_db_int(s->db, 0), ri_db_int(s->db, 1) + 1};
    }
}

/// Takes less where few runs wait. Rows beyond those that matter are not counted.
static RiStatus limit_to_share(RiStore *s, Take *t)
{
    bool row;
    RI_TRY(ri_db_query(s->db,
                       "SELECT count(*) FROM (SELECT 1 FROM run WHERE experiment = ? AND status = 'waiting' ORDER BY k "
                       "LIMIT ?) AS w",
                       "ii", s->experiment, (long long)SHARES * t->most));
    RI_TRY(ri_db_next(s->db, &row));
    const int waiting = row ? (int)ri_db_int(s->db, 0) : 0;
    while (row)
        RI_TRY(ri_db_next(s->db, &row));
    t->most = (waiting + SHARES - 1) / SHARES;
    t->most = t->most > 1 ? t->most : 1;
    return RI_OK;
}

/// Leases that ran out, then runs that wait: each query reads the index (experiment, status, k)
/// from the place where its runs begin, so that finished runs cost nothing.
static RiStatus take_leases(RiStore *s, void *user)
{
    Take *t = user;
    double now;
    const bool server = ri_db_is_server(s->db);
    t->count = 0;
    RI_TRY(ri_db_now(s->db, &now));
    if (t->share && t->most > 1)
        RI_TRY(limit_to_share(s, t));
    // A lease far in the future was given by a clock that jumped back since: it counts as run out,
    // too.
    RI_TRY(ri_db_query(s->db,
                       server ? "SELECT k, attempt FROM run WHERE experiment = ? AND status = 'leased' AND (lease < ? "
                                "OR lease > ?) ORDER BY k LIMIT ? FOR UPDATE SKIP LOCKED"
                              : "SELECT k, attempt FROM run WHERE experiment = ? AND status = 'leased' AND (lease < ? "
                                "OR lease > ?) ORDER BY k LIMIT ?",
                       "iddi", s->experiment, now, now + 3.0 * s->lease, (long long)t->most));
    RI_TRY(add_leases(s, t));
    if (t->count < t->most) {
        RI_TRY(ri_db_query(s->db,
                           server ? "SELECT k, attempt FROM run WHERE experiment = ? AND status = 'waiting' ORDER BY k "
                                    "LIMIT ? FOR UPDATE SKIP LOCKED"
                                  : "SELECT k, attempt FROM run WHERE experiment = ? AND status = 'waiting' ORDER BY k "
                                    "LIMIT ?",
                           "ii", s->experiment, (long long)(t->most - t->count)));
        RI_TRY(add_leases(s, t));
    }
    for (int i = 0; i < t->count; i++)
        RI_TRY(ri_db_run(s->db,
                         "UPDATE run SET status = 'leased', worker = ?, attempt = ?, lease = ?, started = ? WHERE "
                         "experiment = ? AND "
                         "k = ?",
                         "siddii", s->worker, t->leases[i].attempt, now + s->lease, now, s->experiment,
                         (long long)t->leases[i].run));
    return RI_OK;
}

static RiStatus lease(RiStore *s, Take *t, int *out_count)
{
    const RiStatus status = ri_store_transact(s, take_leases, t);
    *out_count = status == RI_OK ? t->count : 0;
    return status;
}

RiStatus ri_store_lease(RiStore *s, int most, RiLease *out_leases, int *out_count)
{
    Take t = {.most = most, .leases = out_leases};
    return lease(s, &t, out_count);
}

RiStatus ri_store_lease_share(RiStore *s, int most, RiLease *out_leases, int *out_count)
{
    Take t = {.most = most, .share = true, .leases = out_leases};
    return lease(s, &t, out_count);
}

static RiStatus renew(RiStore *s, void *user)
{
    double now;
    (void)user;
    RI_TRY(ri_db_now(s->db, &now));
    return ri_db_run(s->db, "UPDATE run SET lease = ? WHERE experiment = ? AND status = 'leased' AND worker = ?", "dis",
                     now + s->lease, s->experiment, s->worker);
}

RiStatus ri_store_renew(RiStore *s)
{
    return ri_store_transact(s, renew, NULL);
}

static RiStatus release(RiStore *s, void *user)
{
    return ri_db_run(
        s->db,
        "UPDATE run SET status = 'waiting', worker = NULL, lease = NULL WHERE experiment = ? AND status = 'leased' AND "
        "worker = ?",
        "is", s->experiment, (const char *)user);
}

RiStatus ri_store_release(RiStore *s, const char *worker)
{
    char name[RI_STORE_WORD];
    snprintf(name, sizeof name, "%s", worker ? worker : s->worker);
    return ri_store_transact(s, release, name);
}

// ------------------------------------------------------------------------------------------- proof

typedef struct Proof {
    char here[20], stored[20];
} Proof;

static RiStatus keep_proof(RiStore *s, void *user)
{
    Proof *p = user;
    bool row;
    RI_TRY(ri_db_query(s->db, "SELECT COALESCE(proof, '') FROM experiment WHERE id = ?", "i", s->experiment));
    RI_TRY(ri_db_next(s->db, &row));
    snprintf(p->stored, sizeof p->stored, "%s", row ? ri_db_text(s->db, 0) : "");
    if (row)
        ri_db_end(s->db);
    if (*p->stored)
        return RI_OK;
    snprintf(p->stored, sizeof p->stored, "%s", p->here);
    return ri_db_run(s->db, "UPDATE experiment SET proof = ? WHERE id = ?", "si", p->here, s->experiment);
}

RiStatus ri_store_check_proof(RiStore *s, uint64_t proof)
{
    Proof p;
    if (proof == 0)
        return RI_OK;
    snprintf(p.here, sizeof p.here, "%016" PRIx64, proof);
    RI_TRY(ri_store_transact(s, keep_proof, &p));
    if (strcmp(p.here, p.stored) == 0)
        return RI_OK;
    return ri_error(s->ctx, RI_ERR_MODEL,
                    "%s: run 0 of the campaign does not begin here as it did where the campaign was begun: its scene, "
                    "robot, terrain or soils have changed since, or this machine's are others. Restore them, or take "
                    "another store. Nothing was changed",
                    ri_db_name(s->db));
}

// --------------------------------------------------------------------------------------- finishing

typedef struct Finish {
    const RiCampaignPlan *plan;
    RiLease lease;
    const RiOutcome *o;
    const char *artefact;
    const void *bytes;
    size_t size;
    bool kept;
} Finish;

static RiStatus insert_samples(RiStore *s, const Finish *f)
{
    RiSample samples[RI_DESIGN_DIMENSIONS];
    ri_campaign_sample(f->plan, f->lease.run, samples);
    for (int i = 0; i < f->plan->design.dimensions; i++)
        RI_TRY(ri_db_run(
            s->db,
            "INSERT INTO stage_command (experiment, run, place, stage, name, value) VALUES (?, ?, ?, 'build', ?, ?)",
            "iiiss", s->experiment, (long long)f->lease.run, (long long)i, f->plan->dispersions[i].name,
            samples[i].value));
    return RI_OK;
}

static RiStatus insert_results(RiStore *s, const Finish *f)
{
    const long long run = f->lease.run;
    for (int i = 0; i < f->plan->result_count; i++)
        if (!isnan(f->o->values[i].value))
            RI_TRY(ri_db_run(s->db, "INSERT INTO result (experiment, run, spec, time, value) VALUES (?, ?, ?, ?, ?)",
                             "iiidd", s->experiment, run, (long long)i, f->o->values[i].time, f->o->values[i].value));
    for (int i = 0; i < f->o->series_count; i++) {
        const RiSeries *x = &f->o->series[i];
        RI_TRY(ri_db_run(s->db, "INSERT INTO artefact (experiment, run, name, bytes) VALUES (?, ?, ?, ?)", "iisb",
                         s->experiment, run, f->plan->results[x->result].name, (const void *)x->pairs,
                         (size_t)x->count * sizeof *x->pairs));
    }
    if (f->artefact)
        RI_TRY(ri_db_run(s->db, "INSERT INTO artefact (experiment, run, name, bytes) VALUES (?, ?, ?, ?)", "iisb",
                         s->experiment, run, f->artefact, f->bytes, f->size));
    return RI_OK;
}

static RiStatus finish(RiStore *s, void *user)
{
    Finish *f = user;
    const RiOutcome *o = f->o;
    char hash[20], host[64] = "unknown";
    double now;
    gethostname(host, sizeof host - 1);
    snprintf(hash, sizeof hash, "%016" PRIx64, o->hash);
    RI_TRY(ri_db_now(s->db, &now));
    RI_TRY(ri_db_run(
        s->db,
        "UPDATE run SET status = ?, lease = NULL, host = ?, finished = ?, wall = ?, time = ?, ticks = ?, hash = ?, "
        "version = ?, success = ?, violations = ?, reason = ?, detail = ?, stages = ? WHERE experiment = ? AND k = ? "
        "AND "
        "status = 'leased' AND worker = ? AND attempt = ?",
        "ssdddissiissiiisi", ri_run_status_name(o->status), host, now, o->wall, o->time, o->ticks, hash, ri_version(),
        (long long)o->success, (long long)o->violations, o->reason, o->detail, (long long)o->stages, s->experiment,
        (long long)f->lease.run, s->worker, f->lease.attempt));
    f->kept = ri_db_changes(s->db) == 1;
    if (!f->kept)
        return RI_OK;
    RI_TRY(insert_samples(s, f));
    return insert_results(s, f);
}

RiStatus ri_store_finish(RiStore *s, const RiCampaignPlan *plan, RiLease lease, const RiOutcome *o,
                         const char *artefact, const void *bytes, size_t size, bool *out_kept)
{
    Finish f = {plan, lease, o, artefact, bytes, size, false};
    const RiStatus status = ri_store_transact(s, finish, &f);
    *out_kept = status == RI_OK && f.kept;
    return status;
}

typedef struct Drop {
    RiRunStatus as;
    int first, stopped;
} Drop;

static RiStatus drop(RiStore *s, void *user)
{
    const Drop *d = user;
    if (d->stopped >= 0)
        RI_TRY(ri_db_run(s->db, "UPDATE experiment SET stopped = ? WHERE id = ?", "ii", (long long)d->stopped,
                         s->experiment));
    return ri_db_run(s->db, "UPDATE run SET status = ? WHERE experiment = ? AND status = 'waiting' AND k >= ?", "sii",
                     ri_run_status_name(d->as), s->experiment, (long long)d->first);
}

RiStatus ri_store_drop(RiStore *s, RiRunStatus as, int first, int stopped)
{
    Drop d = {as, first, stopped};
    return ri_store_transact(s, drop, &d);
}

static RiStatus revive(RiStore *s, void *user)
{
    (void)user;
    return ri_db_run(s->db, "UPDATE run SET status = 'waiting' WHERE experiment = ? AND status = 'cancelled'", "i",
                     s->experiment);
}

RiStatus ri_store_revive(RiStore *s)
{
    return ri_store_transact(s, revive, NULL);
}

static RiStatus retry(RiStore *s, void *user)
{
#define ENDED_BADLY "status IN ('failed', 'refused', 'crashed', 'hung')"
    static const char *const forget[] = {
        "DELETE FROM result WHERE experiment = ? AND run IN (SELECT k FROM run WHERE experiment = ? AND " ENDED_BADLY
        ")",
        "DELETE FROM artefact WHERE experiment = ? AND run IN (SELECT k FROM run WHERE experiment = ? AND " ENDED_BADLY
        ")",
        "DELETE FROM stage_command WHERE experiment = ? AND run IN (SELECT k FROM run WHERE experiment = ? "
        "AND " ENDED_BADLY ")"};
    for (size_t i = 0; i < sizeof forget / sizeof *forget; i++)
        RI_TRY(ri_db_run(s->db, forget[i], "ii", s->experiment, s->experiment));
    RI_TRY(
        ri_db_run(s->db,
                  "UPDATE run SET status = 'waiting', worker = NULL, lease = NULL, host = NULL, finished = NULL, wall "
                  "= NULL, time = NULL, ticks = NULL, hash = NULL, success = NULL, violations = NULL, reason = NULL, "
                  "detail = NULL, stages = NULL WHERE experiment = ? AND " ENDED_BADLY,
                  "i", s->experiment));
    *(long long *)user = ri_db_changes(s->db);
    if (*(long long *)user == 0)
        return RI_OK;
    RI_TRY(ri_db_run(s->db, "UPDATE experiment SET stopped = NULL WHERE id = ?", "i", s->experiment));
    return ri_db_run(s->db, "UPDATE run SET status = 'waiting' WHERE experiment = ? AND status = 'skipped'", "i",
                     s->experiment);
#undef ENDED_BADLY
}

RiStatus ri_store_retry(RiStore *s, long long *out_runs)
{
    *out_runs = 0;
    s->seen = (RiStoreSeen){0};
    return ri_store_transact(s, retry, out_runs);
}

// ---------------------------------------------------------------------------------------- counting

static RiStatus count_runs(RiStore *s, void *user)
{
    RiStoreCounts *c = user;
    bool row;
    memset(c, 0, sizeof *c);
    RI_TRY(ri_db_query(s->db,
                       "SELECT status, COUNT(*), SUM(success), SUM(wall) FROM run WHERE experiment = ? GROUP BY status",
                       "i", s->experiment));
    double wall = 0.0, finished = 0.0;
    for (;;) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            break;
        const RiRunStatus status = ri_run_status_find(ri_db_text(s->db, 0));
        const long long n = ri_db_int(s->db, 1);
        if (status < RI_RUN_STATUSES)
            c->runs[status] = n;
        c->total += n;
        c->success += ri_db_int(s->db, 2);
        if (!isnan(ri_db_real(s->db, 3))) {
            wall += ri_db_real(s->db, 3);
            finished += (double)n;
        }
    }
    c->wall = finished > 0.0 ? wall / finished : NAN;
    return RI_OK;
}

RiStatus ri_store_counts(RiStore *s, RiStoreCounts *out)
{
    return ri_store_transact(s, count_runs, out);
}

typedef struct Moments {
    int results;
    RiStoreMoments *out;
} Moments;

static RiStatus read_moments(RiStore *s, void *user)
{
    const Moments *m = user;
    bool row;
    for (int i = 0; i < m->results; i++)
        m->out[i] = (RiStoreMoments){0, NAN, NAN, NAN};
    RI_TRY(ri_db_query(s->db,
                       "SELECT spec, COUNT(*), AVG(value), MIN(value), MAX(value) FROM result WHERE experiment = ? "
                       "GROUP BY spec",
                       "i", s->experiment));
    for (;;) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            return RI_OK;
        const long long spec = ri_db_int(s->db, 0);
        if (spec >= 0 && spec < m->results)
            m->out[spec] =
                (RiStoreMoments){ri_db_int(s->db, 1), ri_db_real(s->db, 2), ri_db_real(s->db, 3), ri_db_real(s->db, 4)};
    }
}

RiStatus ri_store_moments(RiStore *s, const RiCampaignPlan *plan, RiStoreMoments *out)
{
    Moments m = {plan->result_count, out};
    return ri_store_transact(s, read_moments, &m);
}
