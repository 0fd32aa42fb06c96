// SPDX-License-Identifier: Apache-2.0
/// \file
/// The reader behind the tables of tests.
#include "study/fit/csv_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/file/file.h"

enum { LIMIT = 16 << 20, SHOWN = 40 };

const char *ri_csv_text(const RiCsvRows *rows, int column)
{
    return rows->fields[rows->place[column]];
}

RiStatus ri_csv_refuse(const RiCsvRows *rows, int column, const char *what)
{
    return ri_error(rows->ctx, RI_ERR_FORMAT, "%s:%d: field '%s': '%.*s' %s", rows->path, rows->line,
                    column == 0 && rows->is_instead ? rows->instead : rows->columns[column], SHOWN,
                    ri_csv_text(rows, column), what);
}

static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    for (size_t n = strlen(text); n > 0 && strchr(" \t\r", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

static RiStatus split(RiCsvRows *t, char *line)
{
    t->field_count = 0;
    for (char *at = line; at;) {
        if (t->field_count == RI_CSV_FIELDS)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: more than %d fields", t->path, t->line, RI_CSV_FIELDS);
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        t->fields[t->field_count++] = trim(at);
        at = comma ? comma + 1 : NULL;
    }
    return RI_OK;
}

static RiStatus missing(const RiCsvRows *t, int column)
{
    char all[256] = "";
    for (int c = 0, n = 0; c < t->column_count && n < (int)sizeof all; c++)
        n += snprintf(all + n, sizeof all - (size_t)n, "%s%s%s%s", c ? ", " : "", t->columns[c],
                      c == 0 && t->instead ? " or " : "", c == 0 && t->instead ? t->instead : "");
    return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column '%s' is missing; the head must name %s", t->path, t->line,
                    t->columns[column], all);
}

/// Field of a column; -1: there is none.
static RiStatus find_column(const RiCsvRows *t, const char *name, int *out_place)
{
    *out_place = -1;
    for (int i = 0; i < t->field_count; i++) {
        if (strcmp(t->fields[i], name) != 0)
            continue;
        if (*out_place >= 0)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column '%s' appears twice", t->path, t->line, name);
        *out_place = i;
    }
    return RI_OK;
}

static RiStatus read_head(RiCsvRows *t)
{
    int instead = -1;
    if (t->instead)
        RI_TRY(find_column(t, t->instead, &instead));
    for (int c = 0; c < t->column_count; c++) {
        RI_TRY(find_column(t, t->columns[c], &t->place[c]));
        if (c == 0 && instead >= 0 && t->place[0] >= 0)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: columns '%s' and '%s': one of them is allowed", t->path,
                            t->line, t->columns[0], t->instead);
        if (c == 0 && instead >= 0)
            t->place[0] = instead;
        if (t->place[c] < 0)
            return missing(t, c);
    }
    t->is_instead = instead >= 0;
    return RI_OK;
}

static RiStatus read_row(const RiCsvRows *t, int head, RiCsvRowFn row, void *tests, int *count)
{
    if (t->field_count != head)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: %d fields; the head names %d columns", t->path, t->line,
                        t->field_count, head);
    return row(t, tests, count);
}

static RiStatus read_all(RiCsvRows *t, char *text, RiCsvRowFn row, void *tests, int *count)
{
    int head = 0;
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        t->line++;
        char *said = trim(line);
        line = end ? end + 1 : NULL;
        if (!*said || *said == '#')
            continue;
        RI_TRY(split(t, said));
        if (head)
            RI_TRY(read_row(t, head, row, tests, count));
        else
            RI_TRY(read_head(t));
        head = head ? head : t->field_count;
    }
    return head ? RI_OK : ri_error(t->ctx, RI_ERR_FORMAT, "%s: there is no row with the names of columns", t->path);
}

RiStatus ri_csv_parse(RiCsvRows *rows, char *text, size_t size, size_t element, RiCsvRowFn row, void **out_tests,
                      int *out_count)
{
    size_t lines = 1;
    *out_tests = NULL;
    *out_count = 0;
    if (memchr(text, '\0', size))
        return ri_error(rows->ctx, RI_ERR_FORMAT, "%s: is not a text file", rows->path);
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    void *tests = ri_alloc_zero(rows->ctx, lines, element);
    if (!tests)
        return ri_error_memory(rows->ctx);
    const RiStatus status = read_all(rows, text, row, tests, out_count);
    if (status == RI_OK) {
        *out_tests = tests;
        return RI_OK;
    }
    ri_release(rows->ctx, tests);
    *out_count = 0;
    return status;
}

RiStatus ri_csv_load(RiCsvRows *rows, size_t element, RiCsvRowFn row, void **out_tests, int *out_count)
{
    char *text = NULL;
    size_t size;
    *out_tests = NULL;
    *out_count = 0;
    RI_TRY(ri_file_read(rows->ctx, rows->path, LIMIT, &text, &size));
    const RiStatus status = ri_csv_parse(rows, text, size, element, row, out_tests, out_count);
    ri_release(rows->ctx, text);
    return status;
}
