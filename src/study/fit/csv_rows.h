// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of tests: a head with the names of columns, then one test a line.
///
///     text --(head: where each wanted column is)--> rows --(a function of the caller, one call each)--> tests
///
/// Columns may come in any order, others are ignored; lines that start with # are comments.
/// Messages name file, line and field.
#ifndef RI_STUDY_CSV_ROWS_H
#define RI_STUDY_CSV_ROWS_H

#include <stdbool.h>

#include <rille/context.h>

enum { RI_CSV_COLUMNS = 8, RI_CSV_FIELDS = 64 };

typedef struct RiCsvRows {
    RiContext *ctx;
    const char *path;
    const char *const *columns; ///< wanted ones
    int column_count;           ///< at most RI_CSV_COLUMNS
    const char *instead;        ///< column that may come in place of the first one; NULL: none
    bool is_instead;            ///< it did
    int line;
    int place[RI_CSV_COLUMNS]; ///< field of each column
    int field_count;
    char *fields[RI_CSV_FIELDS];
} RiCsvRows;

/// Called for each row. *index counts rows; the function raises it.
typedef RiStatus (*RiCsvRowFn)(const RiCsvRows *rows, void *tests, int *index);

/// Text of a wanted column in the row that was read last.
const char *ri_csv_text(const RiCsvRows *rows, int column);
/// RI_ERR_FORMAT "file:line: field 'column': 'text' what".
RI_MUST_CHECK RiStatus ri_csv_refuse(const RiCsvRows *rows, int column, const char *what);

/// Reads `text`, which has `size` bytes and a zero behind them and is cut into fields in place,
/// into an array of elements of `element` bytes with room for every line. The caller releases it
/// with ri_release.
RI_MUST_CHECK RiStatus ri_csv_parse(RiCsvRows *rows, char *text, size_t size, size_t element, RiCsvRowFn row,
                                    void **out_tests, int *out_count);
/// The same from the file `path`, of at most 16 MiB.
RI_MUST_CHECK RiStatus ri_csv_load(RiCsvRows *rows, size_t element, RiCsvRowFn row, void **out_tests, int *out_count);

#endif
