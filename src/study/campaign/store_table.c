// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading a store: the table of all runs, one run, artefacts.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/study/store.h>

#include "base/memory.h"
#include "study/campaign/db.h"

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

RiStatus ri_store_each_artefact(RiStore *s, int run, const char *name, RiArtefactFn take, void *user)
{
    bool row;
    char at[RI_STORE_WORD];
    const long long first = run < 0 ? 0 : run, last = run < 0 ? INT_MAX : run;
    RI_TRY(ri_db_query(s->db,
                       "SELECT run, name, bytes FROM artefact WHERE experiment = ? AND run >= ? AND run <= ? AND "
                       "(CAST(? AS TEXT) IS NULL OR name = ?) ORDER BY run, name",
                       "iiiss", s->experiment, first, last, name, name));
    for (;;) {
        size_t size;
        RI_TRY(ri_db_next(s->db, &row));
        if (!row)
            return RI_OK;
        snprintf(at, sizeof at, "%s", ri_db_text(s->db, 1));
        const int of = (int)ri_db_int(s->db, 0);
        const void *bytes = ri_db_bytes(s->db, 2, &size);
        const RiStatus status = take(user, of, at, bytes, size);
        if (status != RI_OK) {
            ri_db_end(s->db);
            return status;
        }
    }
}
