// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables of text: one pass counts the lines, a second one cuts them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "io/file/file.h"
#include "io/optics/table.h"

void ri_table_destroy(RiTable *t)
{
    if (!t)
        return;
    RiContext *ctx = t->ctx;
    ri_release(ctx, t->path);
    ri_release(ctx, t->text);
    ri_release(ctx, t->fields);
    ri_release(ctx, t->lines);
    ri_release(ctx, t);
}

static bool is_blank(const char *line)
{
    return *line == '#' || line[strspn(line, " \t\r")] == 0;
}

/// Cuts a line into fields without the blanks around them. Returns their number, one more than
/// `most` if there are more.
static int cut(char *line, char separator, const char **fields, int most)
{
    int count = 0;
    for (char *at = line;;) {
        char *end = strchr(at, separator);
        char *last = end ? end : at + strlen(at);
        char *next = end ? end + 1 : NULL;
        at += strspn(at, " \t");
        while (last > at && strchr(" \t\r", last[-1]))
            last--;
        *last = 0;
        if (count == most)
            return most + 1;
        fields[count++] = at;
        if (!next)
            return count;
        at = next;
    }
}

static RiStatus read_head(RiTable *t, char *line, int number, char separator)
{
    t->column_count = cut(line, separator, t->columns, RI_TABLE_COLUMNS);
    if (t->column_count > RI_TABLE_COLUMNS)
        return ri_error(t->ctx, RI_ERR_LIMIT, "%s:%d: more than %d columns", t->path, number, RI_TABLE_COLUMNS);
    return RI_OK;
}

static RiStatus read_row(RiTable *t, char *line, int number, char separator)
{
    const char **fields = t->fields + (size_t)t->row_count * (size_t)t->column_count;
    const int count = cut(line, separator, fields, t->column_count);
    if (count != t->column_count)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: %s fields than the head's %d columns", t->path, number,
                        count < t->column_count ? "fewer" : "more", t->column_count);
    t->lines[t->row_count++] = number;
    return RI_OK;
}

/// Room for the rows below the head.
static RiStatus make_room(RiTable *t, int most)
{
    t->fields = ri_alloc(t->ctx, (size_t)most * (size_t)t->column_count + 1, sizeof *t->fields);
    t->lines = ri_alloc(t->ctx, (size_t)most + 1, sizeof *t->lines);
    return t->fields && t->lines ? RI_OK : ri_error_memory(t->ctx);
}

static RiStatus read_lines(RiTable *t, char separator)
{
    int number = 0, most = 1;
    for (const char *c = t->text; *c; c++)
        most += *c == '\n';
    for (char *line = t->text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        number++;
        if (is_blank(line))
            continue;
        if (t->column_count == 0) {
            RI_TRY(read_head(t, line, number, separator));
            RI_TRY(make_room(t, most));
        } else {
            RI_TRY(read_row(t, line, number, separator));
        }
    }
    if (t->column_count == 0)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s: the table has no head", t->path);
    return RI_OK;
}

RiStatus ri_table_parse(RiContext *ctx, const char *path, const char *text, size_t size, char separator, RiTable **out)
{
    *out = NULL;
    RiTable *t = ri_alloc_zero(ctx, 1, sizeof *t);
    if (!t)
        return ri_error_memory(ctx);
    t->ctx = ctx;
    t->path = ri_alloc(ctx, strlen(path) + 1, 1);
    t->text = ri_alloc(ctx, size + 1, 1);
    RiStatus status = t->path && t->text ? RI_OK : ri_error_memory(ctx);
    if (status == RI_OK) {
        memcpy(t->path, path, strlen(path) + 1);
        memcpy(t->text, text, size);
        t->text[size] = 0;
        status = strlen(t->text) == size ? read_lines(t, separator)
                                         : ri_error(ctx, RI_ERR_FORMAT, "%s: the text has a zero byte", path);
    }
    if (status != RI_OK) {
        ri_table_destroy(t);
        return status;
    }
    *out = t;
    return RI_OK;
}

RiStatus ri_table_load(RiContext *ctx, const char *path, char separator, size_t limit, RiTable **out)
{
    char *text = NULL;
    size_t size;
    *out = NULL;
    RI_TRY(ri_file_read(ctx, path, limit, &text, &size));
    const RiStatus status = ri_table_parse(ctx, path, text, size, separator, out);
    ri_release(ctx, text);
    return status;
}

int ri_table_column(const RiTable *t, const char *name)
{
    for (int i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i], name) == 0)
            return i;
    return -1;
}

const char *ri_table_text(const RiTable *t, int row, int column)
{
    return t->fields[(size_t)row * (size_t)t->column_count + (size_t)column];
}

RiStatus ri_table_number(const RiTable *t, int row, int column, double *out)
{
    const char *text = ri_table_text(t, row, column), *start = text + strspn(text, " \t");
    if (!ri_number_parse(start, strlen(start), out))
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column '%s': '%s' is not a finite number", t->path,
                        t->lines[row], t->columns[column], text);
    return RI_OK;
}

RiStatus ri_table_need(const RiTable *t, int row, const char *column, double *out)
{
    const int at = ri_table_column(t, column);
    *out = 0.0;
    if (at < 0)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s: there is no column '%s'", t->path, column);
    return ri_table_number(t, row, at, out);
}
