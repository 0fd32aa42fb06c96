// SPDX-License-Identifier: Apache-2.0
/// \file
/// Single-wheel tests from a table.
#include <math.h>
#include <string.h>

#include <rille/study/fit_soil.h>

#include "base/expr.h"
#include "study/fit/csv_rows.h"

enum { SLIP, ANGLE, LOAD, PULL, SIDE, SINKAGE, COLUMNS };

/// A column with the values that make sense in it, in its unit.
typedef struct Column {
    double low, high;
    const char *not_a_number, *out_of_range;
} Column;

static const char *const names[COLUMNS] = {"slip", "slip_angle", "load", "fx", "fy", "sinkage"};
static const Column columns[COLUMNS] = {
    {-1.0, 1.0, "is not a number [-]", "must lie in -1 to 1"},
    {0.0, 90.0, "is not a number [deg]",
     "must lie in 0 to 90 degrees; turn the sign of fy for a slip to the other side"},
    {1e-6, 1e9, "is not a number [N]", "must be positive [N]"},
    {-1e9, 1e9, "is not a number [N]", "must be finite [N]"},
    {-1e9, 1e9, "is not a number [N]", "must be finite [N]"},
    {0.0, 1e6, "is not a number [mm]", "must not be negative [mm]"},
};

static RiStatus read_test(const RiCsvRows *t, void *tests, int *index)
{
    RiWheelTest *out = (RiWheelTest *)tests + (*index)++;
    double x[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) {
        const char *text = ri_csv_text(t, c);
        if (!ri_number_parse(text, strlen(text), &x[c]))
            return ri_csv_refuse(t, c, columns[c].not_a_number);
        if (!(x[c] >= columns[c].low && x[c] <= columns[c].high))
            return ri_csv_refuse(t, c, columns[c].out_of_range);
    }
    if (!t->is_instead && x[ANGLE] > 89.9)
        return ri_csv_refuse(
            t, ANGLE,
            "leaves no speed along the heading to give a slip by; give the slip by the speed of travel, "
            "column travel_slip");
    *out = (RiWheelTest){.slip = x[SLIP],
                         .travel = t->is_instead,
                         .beta = x[ANGLE] * M_PI / 180.0,
                         .load = x[LOAD],
                         .pull = x[PULL],
                         .side = x[SIDE],
                         .sinkage = 1e-3 * x[SINKAGE],
                         .used = true};
    return RI_OK;
}

RiStatus ri_wheel_tests_parse(RiContext *ctx, const char *path, char *text, size_t size, RiWheelTest **out_tests,
                              int *out_count)
{
    RiCsvRows rows = {.ctx = ctx, .path = path, .columns = names, .column_count = COLUMNS, .instead = "travel_slip"};
    void *tests = NULL;
    const RiStatus status = ri_csv_parse(&rows, text, size, sizeof **out_tests, read_test, &tests, out_count);
    *out_tests = tests;
    return status;
}

RiStatus ri_wheel_tests_load(RiContext *ctx, const char *path, RiWheelTest **out_tests, int *out_count)
{
    RiCsvRows rows = {.ctx = ctx, .path = path, .columns = names, .column_count = COLUMNS, .instead = "travel_slip"};
    void *tests = NULL;
    const RiStatus status = ri_csv_load(&rows, sizeof **out_tests, read_test, &tests, out_count);
    *out_tests = tests;
    return status;
}
