// SPDX-License-Identifier: Apache-2.0
/// \file
/// Drag tests from a table: a head with the names of columns, then one test a line.
#include <stdio.h>
#include <string.h>

#include "base/expr.h"
#include "base/memory.h"
#include "io/file.h"
#include "study/fit_screw.h"

enum { LIMIT = 16 << 20, COLUMNS = 3, FIELDS = 64, SHOWN = 40 };
static const char *const columns[COLUMNS] = {"load", "direction", "force"};

typedef struct Table {
    RiContext *ctx;
    const char *path;
    int line;
    int place[COLUMNS]; ///< field of each column
    int field_count;
    char *fields[FIELDS];
} Table;

static RiStatus refuse(const Table *t, int column, const char *what)
{
    return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: field '%s': '%.*s' %s", t->path, t->line, columns[column], SHOWN,
                    t->fields[t->place[column]], what);
}

static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    for (size_t n = strlen(text); n > 0 && strchr(" \t\r", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

static RiStatus split(Table *t, char *line)
{
    t->field_count = 0;
    for (char *at = line; at;) {
        if (t->field_count == FIELDS)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: more than %d fields", t->path, t->line, FIELDS);
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        t->fields[t->field_count++] = trim(at);
        at = comma ? comma + 1 : NULL;
    }
    return RI_OK;
}

static RiStatus read_head(Table *t)
{
    for (int c = 0; c < COLUMNS; c++) {
        t->place[c] = -1;
        for (int i = 0; i < t->field_count; i++) {
            if (strcmp(t->fields[i], columns[c]) != 0)
                continue;
            if (t->place[c] >= 0)
                return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column '%s' stands twice", t->path, t->line, columns[c]);
            t->place[c] = i;
        }
        if (t->place[c] < 0)
            return ri_error(t->ctx, RI_ERR_FORMAT,
                            "%s:%d: column '%s' is missing; the head must name load, direction, force", t->path,
                            t->line, columns[c]);
    }
    return RI_OK;
}

static RiStatus read_positive(const Table *t, int column, double *out)
{
    const char *text = t->fields[t->place[column]];
    if (!ri_number_parse(text, strlen(text), out))
        return refuse(t, column, "is not a number [N]");
    return *out > 0.0 && *out < 1e12 ? RI_OK : refuse(t, column, "must be positive and finite [N]");
}

static RiStatus read_test(const Table *t, int columns_in_head, RiDragTest *out)
{
    if (t->field_count != columns_in_head)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: %d fields; the head names %d columns", t->path, t->line,
                        t->field_count, columns_in_head);
    const char *direction = t->fields[t->place[1]];
    *out = (RiDragTest){.line = t->line};
    RI_TRY(read_positive(t, 0, &out->load));
    RI_TRY(read_positive(t, 2, &out->force));
    if (strcmp(direction, "parallel") != 0 && strcmp(direction, "normal") != 0)
        return refuse(t, 1, "is none of parallel, normal (to the thread)");
    out->direction = strcmp(direction, "normal") == 0 ? RI_DRAG_NORMAL : RI_DRAG_PARALLEL;
    return RI_OK;
}

static RiStatus read_all(Table *t, char *text, RiDragTest *tests, int *out_count)
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
            RI_TRY(read_test(t, head, &tests[(*out_count)++]));
        else
            RI_TRY(read_head(t));
        head = head ? head : t->field_count;
    }
    return head ? RI_OK : ri_error(t->ctx, RI_ERR_FORMAT, "%s: there is no row with the names of columns", t->path);
}

RiStatus ri_drag_tests_parse(RiContext *ctx, const char *path, char *text, size_t size, RiDragTest **out_tests,
                             int *out_count)
{
    size_t lines = 1;
    *out_tests = NULL;
    *out_count = 0;
    if (memchr(text, '\0', size))
        return ri_error(ctx, RI_ERR_FORMAT, "%s: is not a text file", path);
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    RiDragTest *tests = ri_alloc_zero(ctx, lines, sizeof *tests);
    if (!tests)
        return ri_error_memory(ctx);
    Table t = {.ctx = ctx, .path = path};
    const RiStatus status = read_all(&t, text, tests, out_count);
    if (status == RI_OK) {
        *out_tests = tests;
        return RI_OK;
    }
    ri_release(ctx, tests);
    *out_count = 0;
    return status;
}

RiStatus ri_drag_tests_load(RiContext *ctx, const char *path, RiDragTest **out_tests, int *out_count)
{
    char *text = NULL;
    size_t size;
    *out_tests = NULL;
    *out_count = 0;
    RI_TRY(ri_file_read(ctx, path, LIMIT, &text, &size));
    const RiStatus status = ri_drag_tests_parse(ctx, path, text, size, out_tests, out_count);
    ri_release(ctx, text);
    return status;
}
