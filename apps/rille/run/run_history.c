// SPDX-License-Identifier: Apache-2.0
/// \file
/// The past of all values, and plots of it.
#include "run/run_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/plot_terminal.h"

enum { NUMBERS = 2000000, MOST_ROWS = 4096 };

bool run_history_open(RunHistory *h, const RiValues *values)
{
    const int columns = ri_values_count(values), fit = NUMBERS / (columns > 0 ? columns : 1);
    *h = (RunHistory){.values = values, .columns = columns, .stride = 1};
    h->room = fit > MOST_ROWS ? MOST_ROWS : fit < 64 ? 64 : fit / 2 * 2;
    h->times = malloc((size_t)h->room * sizeof *h->times);
    h->x = malloc((size_t)h->room * (size_t)(columns + 1) * sizeof *h->x);
    return h->times && h->x;
}

void run_history_close(RunHistory *h)
{
    free(h->times);
    free(h->x);
    *h = (RunHistory){0};
}

void run_history_clear(RunHistory *h)
{
    h->rows = 0;
    h->seen = 0;
    h->stride = 1;
}

/// Gives up every second row.
static void thin_out(RunHistory *h)
{
    const size_t n = (size_t)h->columns;
    for (int i = 0; i < h->rows / 2; i++) {
        h->times[i] = h->times[2 * i];
        memmove(h->x + (size_t)i * n, h->x + (size_t)(2 * i) * n, n * sizeof *h->x);
    }
    h->rows /= 2;
    h->stride *= 2;
}

void run_history_add(RunHistory *h, double time)
{
    if (h->seen++ % h->stride != 0)
        return;
    if (h->rows == h->room)
        thin_out(h);
    h->times[h->rows] = time;
    for (int i = 0; i < h->columns; i++)
        h->x[(size_t)h->rows * (size_t)h->columns + (size_t)i] = ri_values_read(h->values, i);
    h->rows++;
}

bool run_history_plot(const RunHistory *h, const int *picked, int count)
{
    RiCurve curves[RUN_CURVES];
    const size_t rows = (size_t)h->rows;
    double *y = malloc((size_t)RUN_CURVES * rows * sizeof *y);
    if (!y)
        return false;
    count = count > RUN_CURVES ? RUN_CURVES : count;
    for (int k = 0; k < count; k++) {
        const RiValue *v = ri_values_get(h->values, picked[k]);
        double *column = y + (size_t)k * rows;
        for (size_t r = 0; r < rows; r++)
            column[r] = h->x[r * (size_t)h->columns + (size_t)picked[k]];
        curves[k] = (RiCurve){v->name, v->unit, h->times, column, h->rows};
    }
    RiPlot plot = ri_plot_default();
    plot.curves = curves;
    plot.curve_count = count;
    const TerminalStyle terminal = plot_terminal_style();
    const bool ok = plot_terminal(stdout, &plot, &terminal);
    free(y);
    return ok;
}
