// SPDX-License-Identifier: Apache-2.0
/// \file
/// A database behind one small interface: SQLite files, or a PostgreSQL server by URL.
///
///     "runs.db" | "postgresql://host/name" --(ri_db_open)--> RiDb --(ri_db_run, ri_db_query with bound values)--> rows
///
/// Statements are texts of this program with `?` for values; what comes from users is always bound,
/// never put into the text.
///
/// Threads and ownership: a connection belongs to the thread of its context, and to the process
/// that opened it.
#ifndef RI_STUDY_CAMPAIGN_DB_H
#define RI_STUDY_CAMPAIGN_DB_H

#include <stdbool.h>
#include <stddef.h>

#include <rille/context.h>

typedef struct RiDb RiDb;

/// Opens a file (created if `create`; WAL) or connects to a server. RI_ERR_UNSUPPORTED for a server
/// in a build without libpq; RI_ERR_FORMAT for a file that is something else.
RI_MUST_CHECK RiStatus ri_db_open(RiContext *ctx, const char *url, bool create, RiDb **out_db);
void ri_db_close(RiDb *db);
bool ri_db_is_url(const char *text); ///< of a server
bool ri_db_is_server(const RiDb *db);
/// The name in messages; without a password.
const char *ri_db_name(const RiDb *db);

/// Runs a statement that gives no rows. `types` has a letter for each `?`: i long long, d double
/// (NaN is stored as NULL), s text (NULL too), b bytes (pointer and size_t). RI_ERR_IO with the
/// database's message.
RI_MUST_CHECK RiStatus ri_db_run(RiDb *db, const char *sql, const char *types, ...);
/// Rows that the last ri_db_run changed.
long long ri_db_changes(const RiDb *db);
/// Begins a query; one at a time. Rows are fetched by ri_db_next until *out_row is false.
RI_MUST_CHECK RiStatus ri_db_query(RiDb *db, const char *sql, const char *types, ...);
RI_MUST_CHECK RiStatus ri_db_next(RiDb *db, bool *out_row);
/// Columns of the row, from 0; texts and bytes live until the next call.
long long ri_db_int(const RiDb *db, int column);
double ri_db_real(const RiDb *db, int column); ///< NaN for NULL
const char *ri_db_text(RiDb *db, int column);  ///< "" for NULL
const void *ri_db_bytes(RiDb *db, int column, size_t *out_size);
/// Ends a query before its last row.
void ri_db_end(RiDb *db);

/// A transaction that sees and takes the write lock at once.
RI_MUST_CHECK RiStatus ri_db_begin(RiDb *db);
RI_MUST_CHECK RiStatus ri_db_commit(RiDb *db);
void ri_db_rollback(RiDb *db);

/// Seconds since 1970 by the store's clock: the server's, or this machine's for a file.
RI_MUST_CHECK RiStatus ri_db_now(RiDb *db, double *out_seconds);
/// Whether the last failure was that of the connection, and trying again may help.
bool ri_db_is_lost(const RiDb *db);
/// Connects again after the connection was lost.
RI_MUST_CHECK RiStatus ri_db_reconnect(RiDb *db);

#endif
