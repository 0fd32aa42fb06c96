// SPDX-License-Identifier: Apache-2.0
/// \file
/// The past of all values, and plots of it made of characters.
#include "run_history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 72, HEIGHT = 16, NUMBERS = 2000000, MOST_ROWS = 4096 };

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

static double at(const RunHistory *h, int row, int column)
{
    return h->x[(size_t)row * (size_t)h->columns + (size_t)column];
}

/// Smallest and largest of all chosen values.
static void range(const RunHistory *h, const int *picked, int count, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int r = 0; r < h->rows; r++)
        for (int k = 0; k < count; k++) {
            *low = fmin(*low, at(h, r, picked[k]));
            *high = fmax(*high, at(h, r, picked[k]));
        }
    if (!(*high - *low > 0.0)) { // a constant: in the middle
        const double half = fmax(1e-12, 0.5 * fabs(*high));
        *low -= half;
        *high += half;
    }
}

void run_history_plot(const RunHistory *h, const int *picked, int count)
{
    static const char marks[] = "*+ox#%";
    char grid[HEIGHT][WIDTH + 1];
    if (h->rows < 2) {
        printf("there is no past yet; 'step' or 'run' makes one\n");
        return;
    }
    count = count > 6 ? 6 : count;
    double low, high;
    range(h, picked, count, &low, &high);
    const double begin = h->times[0], span = h->times[h->rows - 1] - begin;
    for (int i = 0; i < HEIGHT; i++) {
        memset(grid[i], ' ', WIDTH);
        grid[i][WIDTH] = '\0';
    }
    for (int k = 0; k < count; k++)
        for (int r = 0; r < h->rows; r++) {
            const double x = span > 0.0 ? (h->times[r] - begin) / span : 0.0,
                         y = (at(h, r, picked[k]) - low) / (high - low);
            if (isfinite(x) && isfinite(y))
                grid[HEIGHT - 1 - (int)(y * (HEIGHT - 1) + 0.5)][(int)(x * (WIDTH - 1) + 0.5)] = marks[k];
        }
    for (int k = 0; k < count; k++) {
        const RiValue *v = ri_values_get(h->values, picked[k]);
        printf("  %c %s [%s]", marks[k], v->name, *v->unit ? v->unit : "-");
    }
    printf("\n");
    for (int i = 0; i < HEIGHT; i++)
        printf("%11.4g |%s\n", high - (high - low) * i / (HEIGHT - 1), grid[i]);
    printf("%12s+%.*s\n%13.6g s%*.6g s\n", "", WIDTH,
           "------------------------------------------------------------------------", begin, WIDTH - 3, begin + span);
}
