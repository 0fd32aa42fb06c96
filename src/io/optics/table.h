// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of text: a head with the names of columns, then rows. Lines that start with # are
/// comments.
///
/// Threads and ownership: a table belongs to one thread and holds a copy of its text.
#ifndef RI_IO_OPTICS_TABLE_H
#define RI_IO_OPTICS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <rille/context.h>

enum { RI_TABLE_COLUMNS = 64 };

typedef struct RiTable {
    RiContext *ctx;
    char *path, *text;
    const char *columns[RI_TABLE_COLUMNS];
    int column_count, row_count;
    const char **fields; ///< [row_count * column_count]
    int *lines;          ///< [row_count] for messages
} RiTable;

/// Reads a file of at most `limit` bytes whose fields are parted by `separator`.
RI_MUST_CHECK RiStatus ri_table_load(RiContext *ctx, const char *path, char separator, size_t limit, RiTable **out);
/// From memory. RI_ERR_FORMAT names file and line: no head, too many columns, a row whose number of
/// fields differs from the head's.
RI_MUST_CHECK RiStatus ri_table_parse(RiContext *ctx, const char *path, const char *text, size_t size, char separator,
                                      RiTable **out);
void ri_table_destroy(RiTable *t);

int ri_table_column(const RiTable *t, const char *name); ///< -1: there is none
const char *ri_table_text(const RiTable *t, int row, int column);
/// A finite number; RI_ERR_FORMAT names file, line, column and text.
RI_MUST_CHECK RiStatus ri_table_number(const RiTable *t, int row, int column, double *out);
/// The number of a named column; RI_ERR_FORMAT if it is missing.
RI_MUST_CHECK RiStatus ri_table_need(const RiTable *t, int row, const char *column, double *out);

#endif
