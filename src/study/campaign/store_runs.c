// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs of a store: leases, finishing, counting, stop rules, the table.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/version.h>

#include "base/memory.h"
#include "study/campaign/stats.h"
#include "study/campaign/store.h"

// ------------------------------------------------------------------------------------ transactions

/// What a transaction does, and for whom.
typedef RiStatus (*Deed)(RiStore *s, void *user);

static RiStatus once(RiStore *s, Deed deed, void *user)
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

/// A transaction; where the server is lost, again and again until it is back or patience has run
/// out. Each deed may be done twice without harm.
static RiStatus transact(RiStore *s, Deed deed, void *user)
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

typedef struct Take {
    int most, count;
    RiLease *leases;
} Take;

static RiStatus take_leases(RiStore *s, void *user)
{
    Take *t = user;
    double now;
    bool row;
    RI_TRY(ri_db_now(s->db, &now));
    // A lease far in the future was given by a clock that jumped back since: it counts as run out,
    // too.
    RI_TRY(ri_db_query(
        s->db,
        ri_db_is_server(s->db)
            ? "SELECT k, attempt FROM run WHERE experiment = ? AND (status = 'waiting' OR (status = 'leased' AND "
              "(lease < ? OR lease > ?))) ORDER BY k LIMIT ? FOR UPDATE SKIP LOCKED"
            : "SELECT k, attempt FROM run WHERE experiment = ? AND (status = 'waiting' OR (status = 'leased' AND "
              "(lease < ? OR lease > ?))) ORDER BY k LIMIT ?",
        "iddi", s->experiment, now, now + 3.0 * s->lease, (long long)t->most));
    for (t->count = 0;;) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            break;
        t->leases[t->count++] = (RiLease){(int)ri_db_int(s->db, 0), ri_db_int(s->db, 1) + 1};
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

RiStatus ri_store_lease(RiStore *s, int most, RiLease *out_leases, int *out_count)
{
    Take t = {.most = most, .leases = out_leases};
    const RiStatus status = transact(s, take_leases, &t);
    *out_count = status == RI_OK ? t.count : 0;
    return status;
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
    return transact(s, renew, NULL);
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
    return transact(s, release, name);
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
        "version = ?, success = ?, violations = ?, reason = ?, detail = ? WHERE experiment = ? AND k = ? AND "
        "status = 'leased' AND worker = ? AND attempt = ?",
        "ssdddissiissiisi", ri_run_status_name(o->status), host, now, o->wall, o->time, o->ticks, hash, ri_version(),
        (long long)o->success, (long long)o->violations, o->reason, o->detail, s->experiment, (long long)f->lease.run,
        s->worker, f->lease.attempt));
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
    const RiStatus status = transact(s, finish, &f);
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
    return transact(s, drop, &d);
}

static RiStatus revive(RiStore *s, void *user)
{
    (void)user;
    return ri_db_run(s->db, "UPDATE run SET status = 'waiting' WHERE experiment = ? AND status = 'cancelled'", "i",
                     s->experiment);
}

RiStatus ri_store_revive(RiStore *s)
{
    return transact(s, revive, NULL);
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
    return transact(s, count_runs, out);
}

typedef struct Rule {
    const RiCampaignPlan *plan;
    int stopped;
} Rule;

/// Whether the rule is met after n runs with k successes. Looked at every ten runs, so that it is
/// not tested too often.
static bool is_met(const RiStopRule *r, int k, int n)
{
    if (n < r->least)
        return false;
    if (r->failures > 0 && n - k >= r->failures)
        return true;
    if (!(r->width > 0.0) || n % 10 != 0)
        return false;
    const RiInterval i = ri_clopper_pearson(k, n, r->confidence);
    return i.high - i.low <= r->width;
}

static RiStatus look_at_rule(RiStore *s, void *user)
{
    Rule *r = user;
    bool row;
    int n = 0, k = 0;
    r->stopped = -1;
    RI_TRY(
        ri_db_query(s->db, "SELECT k, status, success FROM run WHERE experiment = ? ORDER BY k", "i", s->experiment));
    for (;;) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            return RI_OK;
        const RiRunStatus status = ri_run_status_find(ri_db_text(s->db, 1));
        if (status < RI_RUN_DONE || status > RI_RUN_HUNG)
            break; // in order: what came later does not count yet, so that workers' speed does not matter
        n++;
        k += ri_db_int(s->db, 2) != 0;
        if (is_met(&r->plan->stop, k, n)) {
            r->stopped = n;
            break;
        }
    }
    ri_db_end(s->db);
    return RI_OK;
}

RiStatus ri_store_stop(RiStore *s, const RiCampaignPlan *plan, int *out_stopped)
{
    Rule r = {plan, -1};
    *out_stopped = -1;
    if (!(plan->stop.width > 0.0) && plan->stop.failures == 0)
        return RI_OK;
    const RiStatus status = transact(s, look_at_rule, &r);
    *out_stopped = r.stopped;
    return status;
}

// ------------------------------------------------------------------------------------------- table

/// Appends a text, each number in it as '#', so that "left at (1.2, 3)" and "left at (4, 5)" are
/// one reason.
static void append_reason(char *out, size_t size, const char *text)
{
    size_t n = strlen(out);
    for (const char *c = text; *c && n + 2 < size; c++) {
        const bool digit = strchr("0123456789", *c) != NULL;
        if (!digit)
            out[n++] = *c;
        else if (n == 0 || out[n - 1] != '#') {
            out[n++] = '#';
            c += strspn(c, "0123456789.e") - 1;
        }
    }
    out[n] = '\0';
}

/// Index of a reason, added if it is new; the last one gathers the rest when there are too many.
static int find_reason(RiTable *t, const char *status, const char *reason, const char *detail)
{
    enum { MOST = 200 };
    char text[160];
    snprintf(text, sizeof text, "%.20s: %.60s%s", status, reason, *detail ? ": " : "");
    append_reason(text, sizeof text, detail);
    for (int i = 0; i < t->reason_count; i++)
        if (strcmp(t->reasons[i], text) == 0)
            return i;
    if (t->reason_count == MOST)
        return MOST - 1;
    strcpy(t->reasons[t->reason_count], t->reason_count == MOST - 1 ? "other reasons" : text);
    return t->reason_count++;
}

static RiStatus read_runs(RiStore *s, RiTable *t)
{
    bool row;
    RI_TRY(ri_db_query(
        s->db,
        "SELECT k, status, success, hash, time, wall, violations, reason, detail FROM run WHERE experiment = ? "
        "ORDER BY k",
        "i", s->experiment));
    for (int i = 0;; i++) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            break;
        if (i >= t->count)
            continue;
        const RiRunStatus status = ri_run_status_find(ri_db_text(s->db, 1));
        RiTableRun *r = &t->runs[i];
        *r = (RiTableRun){.run = (int)ri_db_int(s->db, 0),
                          .status = status,
                          .success = ri_db_int(s->db, 2) != 0,
                          .hash = strtoull(ri_db_text(s->db, 3), NULL, 16),
                          .time = ri_db_real(s->db, 4),
                          .wall = ri_db_real(s->db, 5),
                          .violations = (int)ri_db_int(s->db, 6),
                          .reason = -1};
        if (!r->success && status >= RI_RUN_DONE && status <= RI_RUN_HUNG) {
            char reason[80];
            snprintf(reason, sizeof reason, "%s", ri_db_text(s->db, 7));
            r->reason = find_reason(t, ri_run_status_name(status), reason, ri_db_text(s->db, 8));
        }
    }
    return RI_OK;
}

static RiStatus read_results(RiStore *s, RiTable *t)
{
    bool row;
    RI_TRY(ri_db_query(s->db, "SELECT run, spec, value FROM result WHERE experiment = ?", "i", s->experiment));
    for (;;) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            return RI_OK;
        const long long run = ri_db_int(s->db, 0), spec = ri_db_int(s->db, 1);
        if (run >= 0 && run < t->count && spec >= 0 && spec < t->results)
            t->values[spec * t->count + run] = ri_db_real(s->db, 2);
    }
}

static RiStatus read_stopped(RiStore *s, RiTable *t)
{
    bool row;
    RI_TRY(ri_db_query(s->db, "SELECT stopped FROM experiment WHERE id = ?", "i", s->experiment));
    RI_TRY(ri_db_next(s->db, &row));
    const double stopped = row ? ri_db_real(s->db, 0) : NAN;
    if (row)
        ri_db_end(s->db);
    t->stopped = isnan(stopped) ? -1 : (int)stopped;
    if (t->stopped >= 0 && t->stopped < t->count)
        t->count = t->stopped; // what other workers finished beyond the rule is no part of the answer
    return RI_OK;
}

RiStatus ri_store_table(RiStore *s, const RiCampaignPlan *plan, RiTable *t)
{
    *t = (RiTable){.ctx = s->ctx, .count = plan->runs, .results = plan->result_count};
    RI_TRY(read_stopped(s, t));
    const size_t n = (size_t)t->count, cells = n * (size_t)t->results;
    t->runs = ri_alloc_zero(s->ctx, n + 1, sizeof *t->runs);
    t->values = ri_alloc(s->ctx, cells + 1, sizeof *t->values);
    t->reasons = ri_alloc_zero(s->ctx, 200, sizeof *t->reasons);
    RiStatus status = t->runs && t->values && t->reasons ? RI_OK : ri_error_memory(s->ctx);
    for (size_t i = 0; status == RI_OK && i < cells; i++)
        t->values[i] = NAN;
    if (status == RI_OK)
        status = read_runs(s, t);
    if (status == RI_OK)
        status = read_results(s, t);
    if (status != RI_OK)
        ri_table_free(t);
    return status;
}

void ri_table_free(RiTable *t)
{
    if (!t->ctx)
        return;
    ri_release(t->ctx, t->runs);
    ri_release(t->ctx, t->values);
    ri_release(t->ctx, t->reasons);
    *t = (RiTable){.ctx = NULL};
}

RiStatus ri_store_run(RiStore *s, int run, RiOutcome *out)
{
    bool row;
    memset(out, 0, sizeof *out);
    RI_TRY(ri_db_query(
        s->db, "SELECT status, hash, time, wall, success, reason, detail FROM run WHERE experiment = ? AND k = ?", "ii",
        s->experiment, (long long)run));
    RI_TRY(ri_db_next(s->db, &row));
    if (!row)
        return ri_error(s->ctx, RI_ERR_NOT_FOUND, "%s: there is no run %d", ri_db_name(s->db), run);
    out->status = ri_run_status_find(ri_db_text(s->db, 0));
    out->hash = strtoull(ri_db_text(s->db, 1), NULL, 16);
    out->time = ri_db_real(s->db, 2);
    out->wall = ri_db_real(s->db, 3);
    out->success = ri_db_int(s->db, 4) != 0;
    snprintf(out->reason, sizeof out->reason, "%s", ri_db_text(s->db, 5));
    snprintf(out->detail, sizeof out->detail, "%s", ri_db_text(s->db, 6));
    ri_db_end(s->db);
    return RI_OK;
}

RiStatus ri_store_artefact(RiStore *s, int run, const char *name, void **out_bytes, size_t *out_size)
{
    bool row;
    *out_bytes = NULL;
    *out_size = 0;
    RI_TRY(ri_db_query(s->db, "SELECT bytes FROM artefact WHERE experiment = ? AND run = ? AND name = ?", "iis",
                       s->experiment, (long long)run, name));
    RI_TRY(ri_db_next(s->db, &row));
    if (!row)
        return ri_error(s->ctx, RI_ERR_NOT_FOUND, "%s: run %d has no artefact '%.60s'", ri_db_name(s->db), run, name);
    size_t size;
    const void *bytes = ri_db_bytes(s->db, 0, &size);
    *out_bytes = ri_alloc(s->ctx, size + 1, 1);
    if (*out_bytes && size)
        memcpy(*out_bytes, bytes, size);
    *out_size = size;
    ri_db_end(s->db);
    return *out_bytes ? RI_OK : ri_error_memory(s->ctx);
}
