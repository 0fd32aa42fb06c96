// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which database a URL means, values bound from an argument list, transactions.
#include "study/campaign/db.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "study/campaign/db_work.h"

bool ri_db_is_url(const char *text)
{
    return strncmp(text, "postgresql://", 13) == 0 || strncmp(text, "postgres://", 11) == 0;
}

/// The URL without what is between ':' and '@' after the user's name, and without a password
/// among its options.
static char *public_name(RiContext *ctx, const char *url)
{
    char *name = ri_alloc(ctx, strlen(url) + 1, 1);
    if (!name)
        return NULL;
    strcpy(name, url);
    char *host = ri_db_is_url(url) ? strstr(name, "://") + 3 : NULL;
    char *at = host ? strchr(host, '@') : NULL, *colon = host ? strchr(host, ':') : NULL;
    if (at && colon && colon < at)
        memmove(colon, at, strlen(at) + 1);
    char *password = host ? strstr(host, "password=") : NULL;
    if (password) {
        char *rest = password + strcspn(password, "&");
        memmove(password, rest, strlen(rest) + 1);
    }
    return name;
}

RiStatus ri_db_open(RiContext *ctx, const char *url, bool create, RiDb **out_db)
{
    RiDb *db = ri_alloc_zero(ctx, 1, sizeof *db);
    *out_db = NULL;
    if (!db)
        return ri_error_memory(ctx);
    db->ctx = ctx;
    db->url = ri_alloc(ctx, strlen(url) + 1, 1);
    db->name = public_name(ctx, url);
    RiStatus status = db->url && db->name ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK) {
        strcpy(db->url, url);
        db->driver = ri_db_is_url(url) ? &ri_db_postgres : &ri_db_sqlite;
        status = db->driver->open(db, url, create);
    }
    if (status == RI_OK)
        *out_db = db;
    else
        ri_db_close(db);
    return status;
}

void ri_db_close(RiDb *db)
{
    if (!db)
        return;
    if (db->driver)
        db->driver->close(db);
    ri_release(db->ctx, db->url);
    ri_release(db->ctx, db->name);
    ri_release(db->ctx, db);
}

RiStatus ri_db_reconnect(RiDb *db)
{
    db->driver->close(db);
    db->state = NULL;
    db->lost = false;
    return db->driver->open(db, db->url, false);
}

bool ri_db_is_server(const RiDb *db)
{
    return db->driver->server;
}

const char *ri_db_name(const RiDb *db)
{
    return db->name;
}

bool ri_db_is_lost(const RiDb *db)
{
    return db->lost;
}

static int gather(const char *types, va_list args, RiDbValue *out)
{
    int n = 0;
    for (const char *t = types; *t && n < RI_DB_VALUES; t++, n++) {
        out[n] = (RiDbValue){.type = *t};
        if (*t == 'i') {
            out[n].i = va_arg(args, long long);
        } else if (*t == 'd') {
            out[n].d = va_arg(args, double);
            out[n].type = isnan(out[n].d) ? 0 : 'd';
        } else if (*t == 's') {
            out[n].s = va_arg(args, const char *);
            out[n].type = out[n].s ? 's' : 0;
        } else {
            out[n].bytes = va_arg(args, const void *);
            out[n].size = va_arg(args, size_t);
        }
    }
    return n;
}

RiStatus ri_db_run(RiDb *db, const char *sql, const char *types, ...)
{
    RiDbValue values[RI_DB_VALUES];
    va_list args;
    va_start(args, types);
    const int n = gather(types, args, values);
    va_end(args);
    return db->driver->run(db, sql, values, n);
}

RiStatus ri_db_query(RiDb *db, const char *sql, const char *types, ...)
{
    RiDbValue values[RI_DB_VALUES];
    va_list args;
    va_start(args, types);
    const int n = gather(types, args, values);
    va_end(args);
    return db->driver->query(db, sql, values, n);
}

RiStatus ri_db_next(RiDb *db, bool *out_row)
{
    return db->driver->next(db, out_row);
}

long long ri_db_changes(const RiDb *db)
{
    return db->changes;
}

long long ri_db_int(const RiDb *db, int column)
{
    return db->driver->get_int(db, column);
}

double ri_db_real(const RiDb *db, int column)
{
    return db->driver->get_real(db, column);
}

const char *ri_db_text(RiDb *db, int column)
{
    return db->driver->get_text(db, column);
}

const void *ri_db_bytes(RiDb *db, int column, size_t *out_size)
{
    return db->driver->get_bytes(db, column, out_size);
}

void ri_db_end(RiDb *db)
{
    db->driver->end(db);
}

RiStatus ri_db_begin(RiDb *db)
{
    return ri_db_run(db, db->driver->begin, "");
}

RiStatus ri_db_commit(RiDb *db)
{
    return ri_db_run(db, "COMMIT", "");
}

void ri_db_rollback(RiDb *db)
{
    // Of use after a failure only, whose message is the one to keep.
    if (!db->lost && db->driver->run(db, "ROLLBACK", NULL, 0) != RI_OK)
        db->lost = db->driver->server;
}

RiStatus ri_db_now(RiDb *db, double *out_seconds)
{
    return db->driver->now(db, out_seconds);
}
