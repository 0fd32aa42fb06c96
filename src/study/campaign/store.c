// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opening a store: schema, versions, experiments.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rille/study/store.h>
#include <rille/version.h>

#include "base/memory.h"
#include "study/campaign/db.h"

// The same statements make the tables of both databases. SQLite takes any word as a type; BYTEA
// columns hold bytes in both.
static const char *const schema[] = {
    "CREATE TABLE rille_store (version BIGINT NOT NULL)",
    "CREATE TABLE experiment (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, scene TEXT "
    "NOT NULL, "
    "scene_hash TEXT NOT NULL, file TEXT NOT NULL, plan TEXT NOT NULL, plan_hash TEXT NOT NULL, blocks TEXT NOT NULL, "
    "version TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, stopped BIGINT, proof TEXT)",
    "CREATE TABLE stage_command (experiment BIGINT NOT NULL REFERENCES experiment(id), run BIGINT NOT NULL, place "
    "BIGINT NOT NULL, "
    "stage TEXT NOT NULL, condition TEXT, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (experiment, run, "
    "place))",
    "CREATE TABLE result_spec (experiment BIGINT NOT NULL REFERENCES experiment(id), place BIGINT NOT NULL, name TEXT "
    "NOT NULL, "
    "value TEXT NOT NULL, take TEXT NOT NULL, condition TEXT, PRIMARY KEY (experiment, place))",
    "CREATE TABLE run (experiment BIGINT NOT NULL REFERENCES experiment(id), k BIGINT NOT NULL, status TEXT NOT NULL, "
    "worker TEXT, "
    "attempt BIGINT NOT NULL, lease DOUBLE PRECISION, host TEXT, started DOUBLE PRECISION, finished DOUBLE PRECISION, "
    "wall DOUBLE PRECISION, time DOUBLE PRECISION, ticks BIGINT, hash TEXT, version TEXT, success BIGINT, violations "
    "BIGINT, "
    "reason TEXT, detail TEXT, stages BIGINT, PRIMARY KEY (experiment, k))",
    "CREATE INDEX run_status ON run (experiment, status, k)",
    "CREATE TABLE result (experiment BIGINT NOT NULL, run BIGINT NOT NULL, spec BIGINT NOT NULL, time DOUBLE "
    "PRECISION, "
    "value DOUBLE PRECISION, PRIMARY KEY (experiment, run, spec))",
    ("CREATE TABLE artefact (experiment BIGINT NOT NULL, run BIGINT NOT NULL, name TEXT NOT NULL, bytes BYTEA NOT "
     "NULL, "
     "PRIMARY KEY (experiment, run, name))"),
};

/// What brings version i + 1 to version i + 2.
static const char *const migrations[] = {
    "ALTER TABLE experiment ADD COLUMN stopped BIGINT", // version 1 had no stop rules
    "ALTER TABLE run ADD COLUMN stages BIGINT",         // version 2 did not know which stage commands were carried out
    "ALTER TABLE experiment ADD COLUMN proof TEXT",     // version 3 did not know how run 0 begins
};

// ------------------------------------------------------------------------------------------ schema

static RiStatus count_tables(RiDb *db, int *out_tables, bool *out_ours)
{
    bool row;
    *out_tables = 0;
    *out_ours = false;
    RI_TRY(ri_db_query(db,
                       ri_db_is_server(db) ? "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
                                           : "SELECT name FROM sqlite_master WHERE type = 'table'",
                       ""));
    for (;;) {
        RI_TRY(ri_db_next(db, &row));
        if (!row)
            return RI_OK;
        ++*out_tables;
        *out_ours |= strcmp(ri_db_text(db, 0), "rille_store") == 0;
    }
}

static RiStatus create_tables(RiDb *db)
{
    for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
        RI_TRY(ri_db_run(db, schema[i], ""));
    return ri_db_run(db, "INSERT INTO rille_store (version) VALUES (?)", "i", (long long)RI_STORE_VERSION);
}

static RiStatus migrate(RiContext *ctx, RiDb *db)
{
    bool row;
    RI_TRY(ri_db_query(db, "SELECT version FROM rille_store", ""));
    RI_TRY(ri_db_next(db, &row));
    const long long version = row ? ri_db_int(db, 0) : 0;
    ri_db_end(db);
    if (version < 1 || version > RI_STORE_VERSION)
        return ri_error(ctx, RI_ERR_UNSUPPORTED,
                        "%s: the store has schema version %lld, this program knows 1 to %d: use a newer program",
                        ri_db_name(db), version, RI_STORE_VERSION);
    for (long long v = version; v < RI_STORE_VERSION; v++)
        RI_TRY(ri_db_run(db, migrations[v - 1], ""));
    return version < RI_STORE_VERSION
               ? ri_db_run(db, "UPDATE rille_store SET version = ?", "i", (long long)RI_STORE_VERSION)
               : RI_OK;
}

static RiStatus prepare_schema(RiStore *s, bool create)
{
    int tables;
    bool ours;
    if (ri_db_is_server(s->db)) // two coordinators may come at once
        RI_TRY(ri_db_run(s->db, "SELECT pg_advisory_xact_lock(7453298)", ""));
    RI_TRY(count_tables(s->db, &tables, &ours));
    if (ours)
        return migrate(s->ctx, s->db);
    if (tables > 0 && !ri_db_is_server(s->db))
        return ri_error(s->ctx, RI_ERR_FORMAT, "%s: a database, but not a store of campaigns: it is left alone",
                        ri_db_name(s->db));
    if (!create)
        return ri_error(s->ctx, RI_ERR_NOT_FOUND, "%s: there are no campaigns in it", ri_db_name(s->db));
    return create_tables(s->db);
}

static void name_worker(RiStore *s)
{
    char host[48] = "unknown";
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    gethostname(host, sizeof host - 1);
    snprintf(s->worker, sizeof s->worker, "%s:%ld:%lld", host, (long)getpid(),
             (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

RiStatus ri_store_open(RiContext *ctx, const char *url, bool create, RiStore **out_store)
{
    RiStore *s = ri_alloc_zero(ctx, 1, sizeof *s);
    *out_store = NULL;
    if (!s)
        return ri_error_memory(ctx);
    *s = (RiStore){.ctx = ctx, .experiment = -1, .lease = 30.0, .patience = 60.0};
    name_worker(s);
    RiStatus status = ri_db_open(ctx, url, create, &s->db);
    if (status == RI_OK)
        status = ri_db_begin(s->db);
    if (status == RI_OK) {
        status = prepare_schema(s, create);
        if (status == RI_OK)
            status = ri_db_commit(s->db);
        else
            ri_db_rollback(s->db);
    }
    if (status == RI_OK)
        *out_store = s;
    else
        ri_store_close(s);
    return status;
}

bool ri_store_is_url(const char *text)
{
    return ri_db_is_url(text);
}

const char *ri_store_name(const RiStore *s)
{
    return ri_db_name(s->db);
}

void ri_store_close(RiStore *s)
{
    if (!s)
        return;
    ri_db_close(s->db);
    ri_release(s->ctx, s);
}

// ------------------------------------------------------------------------------------- experiments

RiStatus ri_store_choose(RiStore *s, const char *name)
{
    bool row;
    if (name)
        RI_TRY(ri_db_query(s->db, "SELECT id FROM experiment WHERE name = ?", "s", name));
    else
        RI_TRY(ri_db_query(s->db, "SELECT id FROM experiment ORDER BY id DESC LIMIT 1", ""));
    RI_TRY(ri_db_next(s->db, &row));
    s->experiment = row ? ri_db_int(s->db, 0) : -1;
    if (row)
        ri_db_end(s->db);
    if (s->experiment < 0)
        return ri_error(s->ctx, RI_ERR_NOT_FOUND, "%s: there is no campaign%s%.100s%s in it", ri_db_name(s->db),
                        name ? " '" : "", name ? name : "", name ? "'" : "");
    return RI_OK;
}

static RiStatus insert_runs(RiStore *s, int first, int end)
{
    return ri_db_run(
        s->db,
        "INSERT INTO run (experiment, k, status, attempt) WITH RECURSIVE n(k) AS (SELECT CAST(? AS BIGINT) "
        "UNION ALL SELECT k + 1 FROM n WHERE k + 1 < ?) SELECT CAST(? AS BIGINT), k, 'waiting', 0 FROM n",
        "iii", (long long)first, (long long)end, s->experiment);
}

static RiStatus insert_specs(RiStore *s, const RiCampaignPlan *plan)
{
    for (int i = 0; i < plan->result_count; i++) {
        const RiResultSpec *r = &plan->results[i];
        RI_TRY(ri_db_run(
            s->db,
            "INSERT INTO result_spec (experiment, place, name, value, take, condition) VALUES (?, ?, ?, ?, ?, ?)",
            "iissss", s->experiment, (long long)i, r->name, r->value, ri_take_name(r->take), r->when));
    }
    for (int i = 0; i < plan->stage_count; i++) { // those of all runs are run -1
        const RiStageCommand *c = &plan->stages[i];
        char at[32];
        snprintf(at, sizeof at, "%.17g s", c->time);
        RI_TRY(ri_db_run(
            s->db,
            "INSERT INTO stage_command (experiment, run, place, stage, condition, name, value) VALUES (?, -1, ?, ?, "
            "?, ?, ?)",
            "iissss", s->experiment, (long long)i, ri_stage_name(c->stage),
            c->stage == RI_STAGE_WHEN   ? c->when
            : c->stage == RI_STAGE_TIME ? at
                                        : NULL,
            c->name, c->value));
    }
    return RI_OK;
}

static void blocks_text(const RiDesign *d, char *out, size_t size)
{
    size_t n = 0;
    *out = '\0';
    for (int i = 0; i < d->block_count && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%d", i ? "," : "", d->blocks[i]);
}

static RiStatus insert_experiment(RiStore *s, const RiCampaignPlan *plan, const char *scene_path,
                                  const char *scene_hash)
{
    char hash[20], blocks[RI_DESIGN_BLOCKS * 12];
    double now;
    bool row;
    RI_TRY(ri_db_now(s->db, &now));
    RI_TRY(ri_db_query(s->db, "SELECT COALESCE(MAX(id), 0) + 1 FROM experiment", ""));
    RI_TRY(ri_db_next(s->db, &row));
    s->experiment = ri_db_int(s->db, 0);
    ri_db_end(s->db);
    snprintf(hash, sizeof hash, "%016" PRIx64, plan->hash);
    blocks_text(&plan->design, blocks, sizeof blocks);
    RI_TRY(ri_db_run(
        s->db,
        "INSERT INTO experiment (id, name, description, scene, scene_hash, file, plan, plan_hash, blocks, version, "
        "created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "isssssssssd", s->experiment, plan->name, plan->doc, scene_path, scene_hash, plan->file, plan->text, hash,
        blocks, ri_version(), now));
    RI_TRY(insert_specs(s, plan));
    return insert_runs(s, 0, plan->runs);
}

RiStatus ri_store_check_version(RiStore *s)
{
    bool row;
    char version[32];
    RI_TRY(ri_db_query(s->db, "SELECT version FROM experiment WHERE id = ?", "i", s->experiment));
    RI_TRY(ri_db_next(s->db, &row));
    snprintf(version, sizeof version, "%s", row ? ri_db_text(s->db, 0) : "");
    if (row)
        ri_db_end(s->db);
    if (strcmp(version, ri_version()) != 0)
        return ri_error(s->ctx, RI_ERR_MODEL,
                        "%s: the campaign was begun by rille %s, this is %s: its runs could differ; use that version, "
                        "or begin anew",
                        ri_db_name(s->db), version, ri_version());
    return RI_OK;
}

/// An experiment of this name is there: it must be the same one.
static RiStatus check_same(RiStore *s, const RiCampaignPlan *plan, const char *scene_hash)
{
    char hash[20], stored[20] = "", stored_scene[20] = "";
    bool row;
    snprintf(hash, sizeof hash, "%016" PRIx64, plan->hash);
    RI_TRY(ri_db_query(s->db, "SELECT plan_hash, scene_hash FROM experiment WHERE id = ?", "i", s->experiment));
    RI_TRY(ri_db_next(s->db, &row));
    snprintf(stored, sizeof stored, "%s", ri_db_text(s->db, 0));
    snprintf(stored_scene, sizeof stored_scene, "%s", ri_db_text(s->db, 1));
    ri_db_end(s->db);
    if (strcmp(stored, hash) != 0)
        return ri_error(
            s->ctx, RI_ERR_MODEL,
            "%s:1: the campaign '%.60s' in %s was begun with another text of this file: take another name or store, or "
            "restore the file; 'extend' adds runs. Nothing was changed",
            plan->file, plan->name, ri_db_name(s->db));
    if (strcmp(stored_scene, scene_hash) != 0)
        return ri_error(
            s->ctx, RI_ERR_MODEL,
            "%s: the scene '%.60s' has changed since the campaign in %s was begun: take another store, or restore "
            "the scene. Nothing was changed",
            plan->file, plan->scene, ri_db_name(s->db));
    return ri_store_check_version(s);
}

static RiStatus enter(RiStore *s, const RiCampaignPlan *plan, const char *scene_path, const char *scene_hash)
{
    bool row;
    if (ri_db_is_server(s->db))
        RI_TRY(ri_db_run(s->db, "SELECT pg_advisory_xact_lock(7453298)", ""));
    RI_TRY(ri_db_query(s->db, "SELECT id FROM experiment WHERE name = ?", "s", plan->name));
    RI_TRY(ri_db_next(s->db, &row));
    if (!row)
        return insert_experiment(s, plan, scene_path, scene_hash);
    s->experiment = ri_db_int(s->db, 0);
    ri_db_end(s->db);
    return check_same(s, plan, scene_hash);
}

RiStatus ri_store_enter(RiStore *s, const RiCampaignPlan *plan, const char *scene_path, uint64_t scene_hash)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, scene_hash);
    RI_TRY(ri_db_begin(s->db));
    const RiStatus status = enter(s, plan, scene_path, hash);
    if (status == RI_OK)
        return ri_db_commit(s->db);
    ri_db_rollback(s->db);
    return status;
}

static char *copy_text(RiContext *ctx, const char *text)
{
    char *copy = ri_alloc(ctx, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

/// "100,50" after the first block.
static RiStatus extend_by_text(RiCampaignPlan *plan, const char *blocks)
{
    plan->runs = plan->design.blocks[0] = atoi(blocks);
    for (const char *comma = strchr(blocks, ','); comma; comma = strchr(comma + 1, ','))
        RI_TRY(ri_campaign_extend(plan, atoi(comma + 1)));
    return RI_OK;
}

RiStatus ri_store_plan(RiStore *s, RiCampaignPlan **out_plan, char **out_scene)
{
    bool row;
    *out_plan = NULL;
    *out_scene = NULL;
    RI_TRY(
        ri_db_query(s->db, "SELECT file, plan, blocks, scene, name FROM experiment WHERE id = ?", "i", s->experiment));
    RI_TRY(ri_db_next(s->db, &row));
    if (!row)
        return ri_error(s->ctx, RI_ERR_NOT_FOUND, "%s: the campaign is gone", ri_db_name(s->db));
    char *file = copy_text(s->ctx, ri_db_text(s->db, 0)), *text = copy_text(s->ctx, ri_db_text(s->db, 1));
    char *blocks = copy_text(s->ctx, ri_db_text(s->db, 2)), *scene = copy_text(s->ctx, ri_db_text(s->db, 3));
    char *name = copy_text(s->ctx, ri_db_text(s->db, 4));
    ri_db_end(s->db);
    RiStatus status = file && text && blocks && scene && name ? RI_OK : ri_error_memory(s->ctx);
    if (status == RI_OK)
        status = ri_campaign_parse(s->ctx, file, text, strlen(text), out_plan);
    if (status == RI_OK)
        status = extend_by_text(*out_plan, blocks);
    if (status == RI_OK) { // as it was entered: see --runs
        (*out_plan)->name = ri_arena_string(&(*out_plan)->arena, name);
        status = (*out_plan)->name ? RI_OK : ri_error_memory(s->ctx);
    }
    if (status == RI_OK) {
        *out_scene = scene;
        scene = NULL;
    } else {
        ri_campaign_destroy(*out_plan);
        *out_plan = NULL;
    }
    ri_release(s->ctx, file);
    ri_release(s->ctx, text);
    ri_release(s->ctx, blocks);
    ri_release(s->ctx, scene);
    ri_release(s->ctx, name);
    return status;
}

static RiStatus extend(RiStore *s, RiCampaignPlan *plan, int first)
{
    char blocks[RI_DESIGN_BLOCKS * 12];
    blocks_text(&plan->design, blocks, sizeof blocks);
    RI_TRY(
        ri_db_run(s->db, "UPDATE experiment SET blocks = ?, stopped = NULL WHERE id = ?", "si", blocks, s->experiment));
    return insert_runs(s, first, plan->runs);
}

RiStatus ri_store_extend(RiStore *s, RiCampaignPlan *plan, int runs)
{
    const int first = plan->runs;
    RI_TRY(ri_campaign_extend(plan, runs));
    RI_TRY(ri_db_begin(s->db));
    const RiStatus status = extend(s, plan, first);
    if (status == RI_OK)
        return ri_db_commit(s->db);
    ri_db_rollback(s->db);
    return status;
}
