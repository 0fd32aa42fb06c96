// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the two databases share.
#ifndef RI_STUDY_CAMPAIGN_DB_WORK_H
#define RI_STUDY_CAMPAIGN_DB_WORK_H

#include "study/campaign/db.h"

enum { RI_DB_VALUES = 24 };

/// A bound value.
typedef struct RiDbValue {
    char type; ///< i, d, s or b; 0: NULL
    long long i;
    double d;
    const char *s;
    const void *bytes;
    size_t size;
} RiDbValue;

/// The verbs of a database.
typedef struct RiDbDriver {
    RiStatus (*open)(RiDb *db, const char *url, bool create);
    void (*close)(RiDb *db);
    RiStatus (*run)(RiDb *db, const char *sql, const RiDbValue *values, int count);
    RiStatus (*query)(RiDb *db, const char *sql, const RiDbValue *values, int count);
    RiStatus (*next)(RiDb *db, bool *out_row);
    long long (*get_int)(const RiDb *db, int column);
    double (*get_real)(const RiDb *db, int column);
    const char *(*get_text)(RiDb *db, int column);
    const void *(*get_bytes)(RiDb *db, int column, size_t *out_size);
    void (*end)(RiDb *db);
    RiStatus (*now)(RiDb *db, double *out_seconds);
    const char *begin;
    bool server;
} RiDbDriver;

struct RiDb {
    RiContext *ctx;
    const RiDbDriver *driver;
    void *state; ///< the driver's
    char *url, *name;
    long long changes;
    bool lost;
};

extern const RiDbDriver ri_db_sqlite;
extern const RiDbDriver ri_db_postgres;

#endif
