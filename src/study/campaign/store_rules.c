// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stop rules: finished runs are looked at in the order of their numbers.
#include <math.h>
#include <stddef.h>

#include <rille/study/stats.h>
#include <rille/study/store.h>

#include "base/memory.h"
#include "study/campaign/db.h"
#include "study/campaign/store_work.h"

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
    const RiStatus status = ri_store_transact(s, look_at_rule, &r);
    *out_stopped = r.stopped;
    return status;
}

RiStatus ri_store_apply_stop(RiStore *s, const RiCampaignPlan *plan, int *out_stopped)
{
    RI_TRY(ri_store_stop(s, plan, out_stopped));
    return *out_stopped < 0 ? RI_OK : ri_store_drop(s, RI_RUN_SKIPPED, *out_stopped, *out_stopped);
}
