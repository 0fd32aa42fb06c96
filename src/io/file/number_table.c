// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of numbers from CSV.
#include "io/file/number_table.h"

#include <string.h>

#include "base/expr.h"
#include "io/file/file.h"

enum { FILE_LIMIT = 256 << 20, SHOWN = 40 };

typedef struct Reader {
    RiContext *ctx;
    const RiNumberTableDef *def;
    const char *path;
    char *at, *line_start;
    int line;
    int *column_of; ///< [field] place in a row of the table
    int field_count;
    int width; ///< of a row of the table
    double *table;
} Reader;

static RiStatus refuse(const Reader *r, const char *field, const char *what)
{
    return ri_error(r->ctx, RI_ERR_FORMAT, "%s:%d:%d: '%.*s' %s", r->path, r->line, (int)(field - r->line_start) + 1,
                    SHOWN, field, what);
}

/// Goes to the next line that says something; false at the end.
static bool next_line(Reader *r)
{
    for (;;) {
        r->line++;
        r->line_start = r->at;
        if (!*r->at)
            return false;
        if (*r->at != '#' && *r->at != '\n' && *r->at != '\r')
            return true;
        r->at += strcspn(r->at, "\n");
        r->at += *r->at == '\n';
    }
}

/// Cuts the next field of a line out, spaces off its ends. *more is false if it was the last.
static char *next_field(Reader *r, bool *more)
{
    char *field = r->at + strspn(r->at, " \t");
    char *end = field + strcspn(field, ",\r\n");
    const char mark = *end;
    *more = mark == ',';
    r->at = mark ? end + 1 : end;
    if (mark == '\r')
        r->at += *r->at == '\n';
    while (end > field && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
    return field;
}

/// Place of a column in the table, -1.
static int find_column(const Reader *r, const char *name)
{
    for (int i = 0; i < r->def->count; i++)
        if (strcmp(r->def->names[i], name) == 0)
            return i;
    return -1;
}

static RiStatus read_head(Reader *r)
{
    if (!next_line(r))
        return ri_error(r->ctx, RI_ERR_FORMAT, "%s: is empty; it begins with a line %s", r->path, r->def->head);
    for (bool more = true; more;) {
        const char *name = next_field(r, &more);
        const int column = find_column(r, name);
        if (column < 0)
            return refuse(r, name, r->def->unknown);
        for (int i = 0; i < r->field_count; i++)
            if (r->column_of[i] == column)
                return refuse(r, name, "is given twice");
        r->column_of[r->field_count++] = column;
    }
    const int needed = r->def->count - r->def->optional;
    r->width = needed;
    for (int i = 0; i < r->field_count; i++)
        r->width = r->column_of[i] >= needed ? r->def->count : r->width;
    for (int column = 0; column < r->width; column++) {
        int i = 0;
        while (i < r->field_count && r->column_of[i] != column)
            i++;
        if (i == r->field_count)
            return ri_error(r->ctx, RI_ERR_FORMAT, "%s:%d: there is no column '%s'", r->path, r->line,
                            r->def->names[column]);
    }
    return RI_OK;
}

static RiStatus read_row(Reader *r, int row)
{
    double *out = r->table + (size_t)row * (size_t)r->width;
    const char *first = r->line_start;
    bool more = true;
    for (int i = 0; i < r->field_count; i++) {
        if (!more)
            return ri_error(r->ctx, RI_ERR_FORMAT, "%s:%d: has %d fields; the head has %d", r->path, r->line, i,
                            r->field_count);
        const char *field = next_field(r, &more);
        if (!ri_number_parse(field, strlen(field), &out[r->column_of[i]]))
            return refuse(r, field, "is not a number");
        first = r->column_of[i] == 0 ? field : first;
    }
    if (more)
        return ri_error(r->ctx, RI_ERR_FORMAT, "%s:%d: has more fields than the head, which has %d", r->path, r->line,
                        r->field_count);
    if (row > 0 && !(out[0] > out[-r->width]))
        return refuse(r, first, r->def->late);
    return RI_OK;
}

/// An upper bound for the number of fields.
static size_t count_fields(const char *text)
{
    size_t fields = 1;
    for (; *(text += strcspn(text, ",\n")); text++)
        fields++;
    return fields;
}

RiStatus ri_number_table_parse(RiContext *ctx, RiArena *arena, const char *path, char *text,
                               const RiNumberTableDef *def, double **out_table, int *out_rows, int *out_columns)
{
    Reader r = {.ctx = ctx, .def = def, .path = path, .at = text};
    *out_table = NULL;
    *out_rows = 0;
    r.column_of = ri_arena_alloc(arena, (size_t)def->count, sizeof *r.column_of);
    if (!r.column_of)
        return ri_error_memory(ctx);
    RI_TRY(read_head(&r));
    r.table = ri_arena_alloc(arena, count_fields(r.at) + (size_t)def->count, sizeof *r.table);
    if (!r.table)
        return ri_error_memory(ctx);
    int rows = 0;
    for (; next_line(&r); rows++)
        RI_TRY(read_row(&r, rows));
    if (rows == 0)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: has no rows of numbers", path);
    *out_table = r.table;
    *out_rows = rows;
    if (out_columns)
        *out_columns = r.width;
    return RI_OK;
}

RiStatus ri_number_table_load(RiContext *ctx, RiArena *arena, const char *path, const RiNumberTableDef *def,
                              double **out_table, int *out_rows, int *out_columns)
{
    char *text;
    size_t size;
    *out_table = NULL;
    *out_rows = 0;
    RI_TRY(ri_file_read(ctx, path, FILE_LIMIT, &text, &size));
    const RiStatus status = strlen(text) == size
                                ? ri_number_table_parse(ctx, arena, path, text, def, out_table, out_rows, out_columns)
                                : ri_error(ctx, RI_ERR_FORMAT, "%s: contains a zero byte: not a text", path);
    ri_release(ctx, text);
    return status;
}
