// SPDX-License-Identifier: Apache-2.0
/// \file
/// What all values were in the past, for plots at the prompt. When the room is used up every second
/// row is given up, so the whole past stays visible, ever more coarsely.
#ifndef RILLE_APP_RUN_HISTORY_H
#define RILLE_APP_RUN_HISTORY_H

#include <rille/values.h>

enum { RUN_CURVES = 6 }; ///< most values in a plot

typedef struct RunHistory {
    const RiValues *values;
    int columns; ///< values
    int rows, room;
    long long stride, seen; ///< every stride-th call is kept
    double *times;          ///< [room]
    double *x;              ///< [room][columns]
} RunHistory;

/// False: no memory.
bool run_history_open(RunHistory *h, const RiValues *values);
void run_history_close(RunHistory *h);
/// Keeps the values as they are now, if it is their turn.
void run_history_add(RunHistory *h, double time);
/// Forgets everything.
void run_history_clear(RunHistory *h);
/// Draws some values over time on the terminal; at least one row must be there. False: no memory.
bool run_history_plot(const RunHistory *h, const int *picked, int count);

#endif
