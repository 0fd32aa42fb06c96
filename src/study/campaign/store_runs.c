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

#include <rille/study/stats.h>
#include <rille/study/store.h>
#include <rille/version.h>

#include "base/memory.h"
#include "study/campaign/db.h"

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
    return transact(s, retry, out_runs);
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
    return transact(s, read_moments, &m);
}

typedef struct Rule {
    const RiCampaignPlan *plan;
    int stopped;
} Rule;

/// Whether a mean's interval, Student's, is narrow enough. Values that are all equal so far have a
/// scatter of 0: ten of them are taken as known, fewer are not.
static bool is_mean_known(const RiMeanRule *r, const RiRunningMean *m, double confidence)
{
    if (m->count < 10)
        return false;
    const double sd = sqrt(m->squares / (m->count - 1));
    return 2.0 * ri_student_quantile(m->count - 1, confidence) * sd / sqrt(m->count) <= r->width;
}

/// Whether the rule is met. Intervals are of independent runs, and looked at after every ten of
/// them, so that they are not tested too often. All widths that the rule names must be reached;
/// failures end a campaign alone.
static bool is_met(const RiStopRule *r, const RiStoreSeen *n)
{
    if (n->runs < r->least)
        return false;
    if (r->failures > 0 && n->failures >= r->failures)
        return true;
    if ((!(r->width > 0.0) && r->mean_count == 0) || n->trials == 0 || n->trials % 10 != 0)
        return false;
    if (r->width > 0.0) {
        const RiInterval i = ri_clopper_pearson(n->success, n->trials, r->confidence);
        if (i.high - i.low > r->width)
            return false;
    }
    for (int i = 0; i < r->mean_count; i++)
        if (!is_mean_known(&r->means[i], &n->means[i], r->confidence))
            return false;
    return true;
}

static void add_value(RiRunningMean *m, double x)
{
    if (isnan(x))
        return; // not collected in this run
    const double d = x - m->mean;
    m->count++;
    m->mean += d / m->count;
    m->squares += d * (x - m->mean);
}

/// `values`: of the results whose mean has a rule.
static void count_run(RiStoreSeen *n, const RiStopRule *r, bool independent, bool success, const double *values)
{
    n->runs++;
    n->failures += !success;
    n->trials += independent;
    n->success += independent && success;
    for (int i = 0; i < r->mean_count && independent; i++)
        add_value(&n->means[i], values[i]);
}

enum { LOOK = 1000 }; ///< runs of one look at the rules

/// The next runs that are finished, without a gap.
typedef struct Look {
    int count;
    bool success[LOOK];
    double *values; ///< [LOOK][mean_count]; NaN: not collected
} Look;

static RiStatus read_finished(RiStore *s, Look *l)
{
    bool row;
    const int first = s->seen.runs;
    RI_TRY(ri_db_query(s->db, "SELECT status, success FROM run WHERE experiment = ? AND k >= ? AND k < ? ORDER BY k",
                       "iii", s->experiment, (long long)first, (long long)first + LOOK));
    for (l->count = 0;; l->count++) {
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            return RI_OK;
        const RiRunStatus status = ri_run_status_find(ri_db_text(s->db, 0));
        if (status < RI_RUN_DONE || status > RI_RUN_HUNG)
            break; // in order: what came later does not count yet, so that workers' speed does not matter
        l->success[l->count] = ri_db_int(s->db, 1) != 0;
    }
    ri_db_end(s->db);
    return RI_OK;
}

/// After read_finished: what was committed with those runs is seen by this later statement.
static RiStatus read_values(RiStore *s, const RiStopRule *rule, Look *l)
{
    const int first = s->seen.runs, n = rule->mean_count;
    bool row;
    for (int i = 0; i < l->count * n; i++)
        l->values[i] = NAN;
    for (int i = 0; i < n && l->count > 0; i++) {
        RI_TRY(ri_db_query(
            s->db, "SELECT run, value FROM result WHERE experiment = ? AND run >= ? AND run < ? AND spec = ?", "iiii",
            s->experiment, (long long)first, (long long)first + l->count, (long long)rule->means[i].result));
        for (;;) {
            RI_TRY(ri_db_next(s->db, &row));
            if (!row)
                break;
            l->values[(ri_db_int(s->db, 0) - first) * n + i] = ri_db_real(s->db, 1);
        }
    }
    return RI_OK;
}

/// Reads the next runs after those seen. *out_more: all of them are finished and the rule is not
/// met, so that the next ones may be looked at.
static RiStatus look_further(RiStore *s, Rule *r, Look *l, bool *out_more)
{
    const RiStopRule *rule = &r->plan->stop;
    RI_TRY(read_finished(s, l));
    RI_TRY(read_values(s, rule, l));
    for (int i = 0; i < l->count && r->stopped < 0; i++) {
        count_run(&s->seen, rule, ri_campaign_is_independent(r->plan, s->seen.runs), l->success[i],
                  l->values + (ptrdiff_t)i * rule->mean_count);
        if (is_met(rule, &s->seen))
            r->stopped = s->seen.runs;
    }
    *out_more = l->count == LOOK && r->stopped < 0;
    return RI_OK;
}

static RiStatus look_on(RiStore *s, Rule *r, Look *l)
{
    r->stopped = -1;
    for (bool more = true; more;)
        RI_TRY(look_further(s, r, l, &more));
    return RI_OK;
}

/// Goes on where the last look ended. What was finished then may wait again by now (ri_store_retry
/// of another program): a rule that is met is looked at again from the first run on, which finds
/// the same number unless that is so.
static RiStatus look_at_rule(RiStore *s, void *user)
{
    Rule *r = user;
    const RiStoreSeen none = {.experiment = s->experiment + 1};
    Look *l = ri_alloc_zero(s->ctx, 1, sizeof *l);
    if (l)
        l->values = ri_alloc(s->ctx, (size_t)LOOK * (size_t)r->plan->stop.mean_count + 1, sizeof *l->values);
    RiStatus status = l && l->values ? RI_OK : ri_error_memory(s->ctx);
    const bool anew = s->seen.experiment != s->experiment + 1;
    if (anew)
        s->seen = none;
    if (status == RI_OK)
        status = look_on(s, r, l);
    if (status == RI_OK && r->stopped >= 0 && !anew) {
        s->seen = none;
        status = look_on(s, r, l);
    }
    if (r->stopped >= 0)
        s->seen = (RiStoreSeen){0};
    if (l)
        ri_release(s->ctx, l->values);
    ri_release(s->ctx, l);
    return status;
}

RiStatus ri_store_stop(RiStore *s, const RiCampaignPlan *plan, int *out_stopped)
{
    Rule r = {plan, -1};
    *out_stopped = -1;
    if (!(plan->stop.width > 0.0) && plan->stop.failures == 0 && plan->stop.mean_count == 0)
        return RI_OK;
    const RiStatus status = transact(s, look_at_rule, &r);
    *out_stopped = r.stopped;
    return status;
}

RiStatus ri_store_apply_stop(RiStore *s, const RiCampaignPlan *plan, int *out_stopped)
{
    RI_TRY(ri_store_stop(s, plan, out_stopped));
    return *out_stopped < 0 ? RI_OK : ri_store_drop(s, RI_RUN_SKIPPED, *out_stopped, *out_stopped);
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
    char text[RI_REASON_SIZE];
    const bool once = strcmp(status, reason) == 0;
    snprintf(text, sizeof text, "%.20s%s%.80s%s", status, once ? "" : ": ", once ? "" : reason, *detail ? ": " : "");
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
        "SELECT k, status, success, hash, time, wall, violations, reason, detail, COALESCE(stages, -1) FROM run WHERE "
        "experiment = ? ORDER BY k",
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
                          .stages = (uint64_t)ri_db_int(s->db, 9),
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
