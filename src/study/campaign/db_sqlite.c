// SPDX-License-Identifier: Apache-2.0
/// \file
/// SQLite: one file in WAL mode, so that readers never wait; writers wait for each other up to a
/// minute. A commit survives the death of any process; with synchronous = NORMAL a power failure
/// may take back the last commits, never half of one.
#include <sqlite3.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "study/campaign/db_work.h"

enum { CACHED = 24, WAIT_MS = 60000, WAL_PAUSE_MS = 5 };

typedef struct Sqlite {
    sqlite3 *handle;
    struct {
        const char *sql; ///< texts are literals: equal pointers are equal statements
        sqlite3_stmt *statement;
    } cache[CACHED];
    int next; ///< entry that is given up next
    sqlite3_stmt *current;
} Sqlite;

static RiStatus fail(RiDb *db)
{
    const Sqlite *s = db->state;
    const int code = s && s->handle ? sqlite3_errcode(s->handle) : SQLITE_NOMEM;
    const char *text = s && s->handle ? sqlite3_errmsg(s->handle) : "out of memory";
    if (code == SQLITE_NOMEM)
        return ri_error_memory(db->ctx);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return ri_error(db->ctx, RI_ERR_FORMAT, "%s: not a store of campaigns: %s", db->name, text);
    return ri_error(db->ctx, RI_ERR_IO, "%s: %s", db->name, text);
}

static void sqlite_close(RiDb *db)
{
    Sqlite *s = db->state;
    if (!s)
        return;
    for (int i = 0; i < CACHED; i++)
        sqlite3_finalize(s->cache[i].statement);
    sqlite3_close(s->handle);
    ri_release(db->ctx, s);
    db->state = NULL;
}

/// Turns WAL on. SQLite does not call the busy handler while it changes the journal's mode, so two
/// programs that open a new store at once get "locked" at once: this waits and asks again.
static int turn_wal_on(sqlite3 *handle)
{
    for (int waited = 0;; waited += WAL_PAUSE_MS) {
        const int code = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if ((code & 0xff) != SQLITE_BUSY || waited >= WAIT_MS)
            return code;
        sqlite3_sleep(WAL_PAUSE_MS);
    }
}

static RiStatus sqlite_open(RiDb *db, const char *url, bool create)
{
    Sqlite *s = db->state = ri_alloc_zero(db->ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(db->ctx);
    if (!create && access(url, F_OK) != 0)
        return ri_error(db->ctx, RI_ERR_NOT_FOUND, "%s: there is no such store", url);
    const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(url, &s->handle, flags, NULL) != SQLITE_OK)
        return fail(db);
    sqlite3_busy_timeout(s->handle, WAIT_MS);
    if (turn_wal_on(s->handle) != SQLITE_OK ||
        sqlite3_exec(s->handle, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", NULL, NULL, NULL) != SQLITE_OK)
        return fail(db);
    return RI_OK;
}

static RiStatus prepare(RiDb *db, const char *sql, sqlite3_stmt **out)
{
    Sqlite *s = db->state;
    for (int i = 0; i < CACHED; i++)
        if (s->cache[i].sql == sql) {
            *out = s->cache[i].statement;
            return RI_OK;
        }
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(s->handle, sql, -1, &statement, NULL) != SQLITE_OK)
        return fail(db);
    sqlite3_finalize(s->cache[s->next].statement);
    s->cache[s->next].sql = sql;
    s->cache[s->next].statement = *out = statement;
    s->next = (s->next + 1) % CACHED;
    return RI_OK;
}

static RiStatus bind(RiDb *db, sqlite3_stmt *statement, const RiDbValue *v, int count)
{
    for (int i = 0; i < count; i++) {
        int code = SQLITE_OK;
        if (v[i].type == 'i')
            code = sqlite3_bind_int64(statement, i + 1, v[i].i);
        else if (v[i].type == 'd')
            code = sqlite3_bind_double(statement, i + 1, v[i].d);
        else if (v[i].type == 's')
            code = sqlite3_bind_text(statement, i + 1, v[i].s, -1, SQLITE_STATIC);
        else if (v[i].type == 'b')
            code = sqlite3_bind_blob64(statement, i + 1, v[i].bytes ? v[i].bytes : "", v[i].size, SQLITE_STATIC);
        else
            code = sqlite3_bind_null(statement, i + 1);
        if (code != SQLITE_OK)
            return fail(db);
    }
    return RI_OK;
}

static RiStatus sqlite_run(RiDb *db, const char *sql, const RiDbValue *values, int count)
{
    Sqlite *s = db->state;
    sqlite3_stmt *statement;
    RI_TRY(prepare(db, sql, &statement));
    RiStatus status = bind(db, statement, values, count);
    if (status == RI_OK) {
        const int code = sqlite3_step(statement);
        status = code == SQLITE_DONE || code == SQLITE_ROW ? RI_OK : fail(db);
        db->changes = sqlite3_changes64(s->handle);
    }
    sqlite3_reset(statement);
    return status;
}

static RiStatus sqlite_query(RiDb *db, const char *sql, const RiDbValue *values, int count)
{
    Sqlite *s = db->state;
    RI_TRY(prepare(db, sql, &s->current));
    return bind(db, s->current, values, count);
}

static void sqlite_end(RiDb *db)
{
    Sqlite *s = db->state;
    if (s->current)
        sqlite3_reset(s->current);
    s->current = NULL;
}

static RiStatus sqlite_next(RiDb *db, bool *out_row)
{
    Sqlite *s = db->state;
    const int code = sqlite3_step(s->current);
    *out_row = code == SQLITE_ROW;
    if (*out_row)
        return RI_OK;
    const RiStatus status = code == SQLITE_DONE ? RI_OK : fail(db);
    sqlite_end(db);
    return status;
}

static sqlite3_stmt *row(const RiDb *db)
{
    const Sqlite *s = db->state;
    return s->current;
}

static long long sqlite_int(const RiDb *db, int column)
{
    return sqlite3_column_int64(row(db), column);
}

static double sqlite_real(const RiDb *db, int column)
{
    return sqlite3_column_type(row(db), column) == SQLITE_NULL ? (double)__builtin_nan("")
                                                               : sqlite3_column_double(row(db), column);
}

static const char *sqlite_text(RiDb *db, int column)
{
    const unsigned char *text = sqlite3_column_text(row(db), column);
    return text ? (const char *)text : "";
}

static const void *sqlite_bytes(RiDb *db, int column, size_t *out_size)
{
    const void *bytes = sqlite3_column_blob(row(db), column);
    *out_size = (size_t)sqlite3_column_bytes(row(db), column);
    return bytes;
}

static RiStatus sqlite_now(RiDb *db, double *out_seconds)
{
    struct timespec now;
    (void)db;
    clock_gettime(CLOCK_REALTIME, &now);
    *out_seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    return RI_OK;
}

const RiDbDriver ri_db_sqlite = {.open = sqlite_open,
                                 .close = sqlite_close,
                                 .run = sqlite_run,
                                 .query = sqlite_query,
                                 .next = sqlite_next,
                                 .get_int = sqlite_int,
                                 .get_real = sqlite_real,
                                 .get_text = sqlite_text,
                                 .get_bytes = sqlite_bytes,
                                 .end = sqlite_end,
                                 .now = sqlite_now,
                                 .begin = "BEGIN IMMEDIATE",
                                 .server = false};
