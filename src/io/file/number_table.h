// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of numbers from CSV: a head with the names of columns, then one row a line.
#ifndef RI_IO_NUMBER_TABLE_H
#define RI_IO_NUMBER_TABLE_H

#include <rille/context.h>

#include "base/memory.h"

/// Which columns a table has. They may come in any order, but each must be there once, and no other.
typedef struct RiNumberTableDef {
    const char *const *names; ///< the first one must rise from row to row
    int count;
    int optional;        ///< the last of them may be missing, but only all together
    const char *head;    ///< what the head looks like, for the message about an empty file
    const char *unknown; ///< what is wrong with a column of another name: "is not ..."
    const char *late;    ///< what is wrong with a first column that does not rise
} RiNumberTableDef;

/// Lines that start with # and empty ones are passed over. *out_table has the rows in the order of
/// `names`, in memory of the arena; without optional columns rows are that much shorter
/// (*out_columns; may be NULL). Messages start with path, line and column.
RI_MUST_CHECK RiStatus ri_number_table_load(RiContext *ctx, RiArena *arena, const char *path,
                                            const RiNumberTableDef *def, double **out_table, int *out_rows,
                                            int *out_columns);
/// The same from a text, which is changed; `path` is for messages.
RI_MUST_CHECK RiStatus ri_number_table_parse(RiContext *ctx, RiArena *arena, const char *path, char *text,
                                             const RiNumberTableDef *def, double **out_table, int *out_rows,
                                             int *out_columns);

#endif
