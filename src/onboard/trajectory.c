// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joint positions over time from a table: linear in between, or, where the table has rates too, the
/// cubic through positions and rates of both rows. Before the first row and after the last one the
/// table's positions are held. Test: tests/onboard/test_trajectory.c.
#include <limits.h>

#include "onboard/onboard.h"

enum { SCALE, DELAY, ROW, DONE, COUNT };

static const RiPort ports[COUNT] = {
    [SCALE] = RI_PARAMETER("time_scale", "", 1.0, 0.0, INFINITY, "Seconds of the table per second."),
    [DELAY] = RI_ANY_PARAMETER("delay", "s", 0.0, "Time at which the table begins."),
    [ROW] = RI_LIMITED_STATE("row", "", 0.0, INT_MAX, "Row that was passed last, from 0."),
    [DONE] = RI_OUTPUT("done", "", "1 once the last row is passed."),
};

static const char *start(RiDeviceCall *call)
{
    if (call->joint_count > 0 && !call->table)
        return "needs a table of positions: the key 'file'";
    for (int i = 0; i < call->joint_count; i++)
        call->commands[i].position = call->joints[i].position;
    return ri_is_size(call->x[SCALE]) ? NULL : "'time_scale' must be finite";
}

/// The row must be one of the table: it is used as an index.
static const char *check_state(const RiDeviceCall *call)
{
    const double row = call->x[ROW];
    const bool fits = row == floor(row) && (!call->table || row < call->table_rows);
    return fits ? NULL : "'row' is not one of its table's";
}

/// The row of the table that was passed last at time t, from the one of the last update on; time
/// may be set back by a command.
static int find_row(const RiDeviceCall *call, double t)
{
    const int width = call->table_columns, last = call->table_rows - 1;
    int row = (int)call->x[ROW];
    while (row > 0 && call->table[(size_t)row * (size_t)width] > t)
        row--;
    while (row < last && call->table[((size_t)row + 1) * (size_t)width] <= t)
        row++;
    return row;
}

/// Hermite's cubic between positions p and rates v, `span` apart, at the share s of it.
static double cubic(double p0, double v0, double p1, double v1, double span, double s, double *out_rate)
{
    const double way = p1 - p0, m0 = span * v0, m1 = span * v1;
    const double b = 3.0 * way - 2.0 * m0 - m1, c = m0 + m1 - 2.0 * way;
    *out_rate = (m0 + s * (2.0 * b + 3.0 * s * c)) / span;
    return p0 + s * (m0 + s * (b + s * c));
}

static void update(RiDeviceCall *call)
{
    double *x = call->x;
    if (!call->table)
        return;
    const double t = x[SCALE] * (call->time - x[DELAY]);
    const int row = find_row(call, t), width = call->table_columns, count = call->joint_count;
    const bool rates = width > count + 1;
    const double *a = call->table + (size_t)row * (size_t)width, *b = row + 1 < call->table_rows ? a + width : a;
    const double span = b[0] - a[0], share = span > 0.0 ? fmax(0.0, (t - a[0]) / span) : 0.0;
    for (int i = 0; i < count; i++) {
        const double way = b[i + 1] - a[i + 1];
        const bool moves = span > 0.0 && t >= a[0];
        double rate = moves ? way / span : 0.0;
        call->commands[i].position =
            moves && rates ? cubic(a[i + 1], a[count + i + 1], b[i + 1], b[count + i + 1], span, share, &rate)
                           : a[i + 1] + share * way;
        call->commands[i].rate = x[SCALE] * rate;
    }
    x[ROW] = row;
    x[DONE] = row == call->table_rows - 1;
}

const RiDeviceClass ri_trajectory = {
    .abi = RI_DEVICE_ABI,
    .name = "trajectory",
    .doc = "Joint positions, and rates, over time from a table.",
    .attach = RI_ATTACH_JOINTS,
    .ports = ports,
    .port_count = COUNT,
    .start = start,
    .update = update,
    .check_state = check_state,
    .table_rates = true,
};
