// SPDX-License-Identifier: Apache-2.0
/// \file
/// Drag tests from a table.
#include <string.h>

#include <rille/study/fit_screw.h>

#include "base/expr.h"
#include "study/fit/csv_rows.h"

enum { LOAD, DIRECTION, FORCE, COLUMNS };
static const char *const columns[COLUMNS] = {"load", "direction", "force"};

static RiStatus read_positive(const RiCsvRows *t, int column, double *out)
{
    const char *text = ri_csv_text(t, column);
    if (!ri_number_parse(text, strlen(text), out))
        return ri_csv_refuse(t, column, "is not a number [N]");
    return *out > 0.0 && *out < 1e12 ? RI_OK : ri_csv_refuse(t, column, "must be positive and finite [N]");
}

static RiStatus read_test(const RiCsvRows *t, void *tests, int *index)
{
    RiDragTest *out = (RiDragTest *)tests + (*index)++;
    const char *direction = ri_csv_text(t, DIRECTION);
    *out = (RiDragTest){.line = t->line};
    RI_TRY(read_positive(t, LOAD, &out->load));
    RI_TRY(read_positive(t, FORCE, &out->force));
    if (strcmp(direction, "parallel") != 0 && strcmp(direction, "normal") != 0)
        return ri_csv_refuse(t, DIRECTION, "is not one of parallel, normal (to the thread)");
    out->direction = strcmp(direction, "normal") == 0 ? RI_DRAG_NORMAL : RI_DRAG_PARALLEL;
    return RI_OK;
}

RiStatus ri_drag_tests_parse(RiContext *ctx, const char *path, char *text, size_t size, RiDragTest **out_tests,
                             int *out_count)
{
    RiCsvRows rows = {.ctx = ctx, .path = path, .columns = columns, .column_count = COLUMNS};
    void *tests = NULL;
    const RiStatus status = ri_csv_parse(&rows, text, size, sizeof **out_tests, read_test, &tests, out_count);
    *out_tests = tests;
    return status;
}

RiStatus ri_drag_tests_load(RiContext *ctx, const char *path, RiDragTest **out_tests, int *out_count)
{
    RiCsvRows rows = {.ctx = ctx, .path = path, .columns = columns, .column_count = COLUMNS};
    void *tests = NULL;
    const RiStatus status = ri_csv_load(&rows, sizeof **out_tests, read_test, &tests, out_count);
    *out_tests = tests;
    return status;
}
