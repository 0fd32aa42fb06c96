// SPDX-License-Identifier: Apache-2.0
/// \file
/// PostgreSQL through libpq: every statement by PQexecParams with text values, bytes as
/// hexadecimal. `?` becomes $1, $2, ... A query's rows are fetched at once.
#include "study/campaign/db_work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

#ifdef RILLE_HAVE_PQ
#include <libpq-fe.h>

typedef struct Postgres {
    PGconn *connection;
    PGresult *rows;
    int row;
    unsigned char *bytes; ///< of the last column asked for
} Postgres;

static RiStatus fail(RiDb *db, const char *text)
{
    const Postgres *s = db->state;
    char line[400];
    snprintf(line, sizeof line, "%s", text && *text ? text : "the connection failed");
    line[strcspn(line, "\n")] = '\0';
    db->lost = !s->connection || PQstatus(s->connection) != CONNECTION_OK || strstr(line, "terminat") ||
               strstr(line, "starting up") || strstr(line, "shutting down") || strstr(line, "recovery mode");
    return ri_error(db->ctx, RI_ERR_IO, "%s: %s", db->name, line);
}

static void drop_rows(Postgres *s)
{
    PQclear(s->rows);
    s->rows = NULL;
    PQfreemem(s->bytes);
    s->bytes = NULL;
}

static void postgres_close(RiDb *db)
{
    Postgres *s = db->state;
    if (!s)
        return;
    drop_rows(s);
    PQfinish(s->connection);
    ri_release(db->ctx, s);
    db->state = NULL;
}

static void no_notice(void *user, const PGresult *result)
{
    (void)user, (void)result; // "relation exists, skipping" is no news
}

static RiStatus postgres_open(RiDb *db, const char *url, bool create)
{
    Postgres *s = db->state = ri_alloc_zero(db->ctx, 1, sizeof *s);
    (void)create;
    if (!s)
        return ri_error_memory(db->ctx);
    s->connection = PQconnectdb(url);
    if (PQstatus(s->connection) != CONNECTION_OK)
        return fail(db, PQerrorMessage(s->connection));
    PQsetNoticeReceiver(s->connection, no_notice, NULL);
    return RI_OK;
}

/// The statement with $1, $2, ... in place of `?`. Statements have none in quotes.
static char *number_marks(RiDb *db, const char *sql)
{
    const size_t size = strlen(sql) + 4 * RI_DB_VALUES + 1;
    char *text = ri_alloc(db->ctx, size, 1), *at = text;
    int n = 0;
    if (!text)
        return NULL;
    for (; *sql; sql++) {
        if (*sql == '?')
            at += snprintf(at, size - (size_t)(at - text), "$%d", ++n);
        else
            *at++ = *sql;
    }
    *at = '\0';
    return text;
}

static void number_text(double x, char out[32])
{
    if (isinf(x))
        strcpy(out, x > 0.0 ? "Infinity" : "-Infinity");
    else
        snprintf(out, 32, "%.17g", x);
}

/// Values as text; `store` holds the numbers, *out_hex the bytes.
static bool to_text(RiDb *db, const RiDbValue *v, int count, char store[][32], const char **texts, char **out_hex)
{
    static const char digits[] = "0123456789abcdef";
    *out_hex = NULL;
    for (int i = 0; i < count; i++) {
        texts[i] = v[i].type ? store[i] : NULL;
        if (v[i].type == 'i')
            snprintf(store[i], 32, "%lld", v[i].i);
        else if (v[i].type == 'd')
            number_text(v[i].d, store[i]);
        else if (v[i].type == 's')
            texts[i] = v[i].s;
        else if (v[i].type == 'b') { // at most one in a statement
            char *hex = *out_hex = ri_alloc(db->ctx, 2 * v[i].size + 3, 1);
            if (!hex)
                return false;
            *hex++ = '\\';
            *hex++ = 'x';
            for (size_t k = 0; k < v[i].size; k++) {
                const unsigned char c = ((const unsigned char *)v[i].bytes)[k];
                *hex++ = digits[c >> 4];
                *hex++ = digits[c & 15];
            }
            *hex = '\0';
            texts[i] = *out_hex;
        }
    }
    return true;
}

static RiStatus execute(RiDb *db, const char *sql, const RiDbValue *values, int count, PGresult **out)
{
    Postgres *s = db->state;
    char store[RI_DB_VALUES][32], *hex = NULL;
    const char *texts[RI_DB_VALUES];
    *out = NULL;
    if (!s)
        return ri_error(db->ctx, RI_ERR_IO, "%s: there is no connection", db->name);
    char *text = number_marks(db, sql);
    RiStatus status = text && to_text(db, values, count, store, texts, &hex) ? RI_OK : ri_error_memory(db->ctx);
    if (status == RI_OK) {
        *out = PQexecParams(s->connection, text, count, NULL, texts, NULL, NULL, 0);
        const ExecStatusType code = PQresultStatus(*out);
        if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK) {
            status = fail(db, *out ? PQresultErrorMessage(*out) : PQerrorMessage(s->connection));
            PQclear(*out);
            *out = NULL;
        }
    }
    ri_release(db->ctx, hex);
    ri_release(db->ctx, text);
    return status;
}

static RiStatus postgres_run(RiDb *db, const char *sql, const RiDbValue *values, int count)
{
    PGresult *result;
    RI_TRY(execute(db, sql, values, count, &result));
    db->changes = atoll(PQcmdTuples(result));
    PQclear(result);
    return RI_OK;
}

static RiStatus postgres_query(RiDb *db, const char *sql, const RiDbValue *values, int count)
{
    Postgres *s = db->state;
    PGresult *result;
    RI_TRY(execute(db, sql, values, count, &result));
    drop_rows(s);
    s->rows = result;
    s->row = -1;
    return RI_OK;
}

static void postgres_end(RiDb *db)
{
    drop_rows(db->state);
}

static RiStatus postgres_next(RiDb *db, bool *out_row)
{
    Postgres *s = db->state;
    *out_row = s->rows && ++s->row < PQntuples(s->rows);
    if (!*out_row)
        drop_rows(s);
    return RI_OK;
}

static const char *cell(const RiDb *db, int column)
{
    const Postgres *s = db->state;
    return PQgetisnull(s->rows, s->row, column) ? NULL : PQgetvalue(s->rows, s->row, column);
}

static long long postgres_int(const RiDb *db, int column)
{
    const char *text = cell(db, column);
    return text ? atoll(text) : 0;
}

/// A number as the server writes it, whatever the locale of the program.
static double number_of(const char *text)
{
    double value;
    return ri_number_parse(text, strlen(text), &value) ? value : strtod(text, NULL); // NaN, Infinity
}

static double postgres_real(const RiDb *db, int column)
{
    const char *text = cell(db, column);
    return text ? number_of(text) : (double)NAN;
}

static const char *postgres_text(RiDb *db, int column)
{
    const char *text = cell(db, column);
    return text ? text : "";
}

static const void *postgres_bytes(RiDb *db, int column, size_t *out_size)
{
    Postgres *s = db->state;
    const char *text = cell(db, column);
    *out_size = 0;
    PQfreemem(s->bytes);
    s->bytes = text ? PQunescapeBytea((const unsigned char *)text, out_size) : NULL;
    return s->bytes;
}

static RiStatus postgres_now(RiDb *db, double *out_seconds)
{
    PGresult *result;
    RI_TRY(execute(db, "SELECT EXTRACT(EPOCH FROM clock_timestamp())", NULL, 0, &result));
    *out_seconds = number_of(PQgetvalue(result, 0, 0));
    PQclear(result);
    return RI_OK;
}

const RiDbDriver ri_db_postgres = {.open = postgres_open,
                                   .close = postgres_close,
                                   .run = postgres_run,
                                   .query = postgres_query,
                                   .next = postgres_next,
                                   .get_int = postgres_int,
                                   .get_real = postgres_real,
                                   .get_text = postgres_text,
                                   .get_bytes = postgres_bytes,
                                   .end = postgres_end,
                                   .now = postgres_now,
                                   .begin = "BEGIN",
                                   .server = true};

#else

static RiStatus no_open(RiDb *db, const char *url, bool create)
{
    (void)url, (void)create;
    return ri_error(db->ctx, RI_ERR_UNSUPPORTED,
                    "%s: this build has no PostgreSQL: install libpq-dev and rebuild, or use a file", db->name);
}

static void no_close(RiDb *db)
{
    (void)db;
}

const RiDbDriver ri_db_postgres = {.open = no_open, .close = no_close, .begin = "BEGIN", .server = true};

#endif
