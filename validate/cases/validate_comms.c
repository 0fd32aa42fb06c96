// SPDX-License-Identifier: Apache-2.0
/// \file
/// Relay passes against the closed-form table: every row to the digits given, and the same passes
/// found by looking at the orbiter.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <rille/relay.h>

#include "base/memory.h"
#include "study/fit/csv_rows.h"
#include "validate/validate.h"

static const double degree = M_PI / 180.0;

typedef struct Row {
    double x[RI_CSV_COLUMNS];
} Row;

static RiStatus take_row(const RiCsvRows *rows, void *all, int *index)
{
    Row *row = (Row *)all + (*index)++;
    for (int k = 0; k < rows->column_count; k++)
        row->x[k] = strtod(ri_csv_text(rows, k), NULL);
    return RI_OK;
}

/// Seconds for which an orbiter over the equator is above the mask, on a body that turns, less what
/// its turning adds.
static double seen(double altitude, double mask)
{
    const RiOrbit o = {.semi_major = ri_body_radius(RI_WORLD_MARS) + altitude};
    const double step = 0.05, n = 2.0 * M_PI / ri_orbit_period(&o, RI_WORLD_MARS);
    double t = 0.0;
    while (ri_orbit_look(&o, RI_WORLD_MARS, 0.0, 0.0, 0.0, t).elevation >= mask)
        t += step;
    return 2.0 * t * (n - ri_body_spin(RI_WORLD_MARS)) / n;
}

/// Volume of a pass at a constant rate, and periods of the orbits.
static RiStatus volumes(RiValidation *run)
{
    static const char *const columns[] = {"altitude_km", "mask_deg", "volume_Mbit_at_128kbps", "orbit_period_s"};
    static const char *const labels[] = {"volume at 128 kbit/s, worst row", "period of the orbit, worst row"};
    static const char *const units[] = {"Mbit", "s"};
    static const double limits[] = {1e-4, 1e-3}; // digits given
    const double rate = 128e3;
    double worst[2] = {0};
    if (!run->data) {
        ri_validate_skip(run, labels[0]);
        ri_validate_skip(run, labels[1]);
        return RI_OK;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/operations/relay_pass_geometry.csv", run->data);
    RiCsvRows table = {.ctx = run->ctx, .path = path, .columns = columns, .column_count = 4};
    void *all = NULL;
    int count;
    RI_TRY(ri_csv_load(&table, sizeof(Row), take_row, &all, &count));
    for (const Row *row = all; row < (const Row *)all + count; row++) {
        const RiOrbit o = {.semi_major = ri_body_radius(RI_WORLD_MARS) + 1e3 * row->x[0]};
        const double bits = rate * ri_pass_overhead(RI_WORLD_MARS, 1e3 * row->x[0], degree * row->x[1]).duration;
        worst[0] = fmax(worst[0], fabs(1e-6 * bits - row->x[2]));
        worst[1] = fmax(worst[1], fabs(ri_orbit_period(&o, RI_WORLD_MARS) - row->x[3]));
    }
    for (int k = 0; k < 2; k++)
        ri_validate_most(run, labels[k], units[k], limits[k], worst[k]);
    ri_release(run->ctx, all);
    return RI_OK;
}

RiStatus ri_case_comms(RiValidation *run)
{
    static const char *const columns[] = {
        "altitude_km", "mask_deg",        "half_angle_deg",   "duration_s", "slant_range_at_mask_km",
        "freq_MHz",    "loss_at_mask_dB", "loss_at_zenith_dB"};
    static const char *const labels[] = {
        "half angle, worst row",         "duration, worst row",
        "slant range, worst row",        "loss at the mask, worst row",
        "loss in the zenith, worst row", "duration by looking at the orbiter, worst row"};
    static const char *const units[] = {"deg", "s", "km", "dB", "dB", "s"};
    static const double limits[] = {1e-6, 1e-3, 1e-3, 1e-3, 1e-3, 0.2}; // digits given; the last: two steps of the look
    double worst[6] = {0};
    Row *rows = NULL;
    int count = 0;
    if (run->data) {
        char path[1024];
        snprintf(path, sizeof path, "%s/operations/relay_pass_geometry.csv", run->data);
        RiCsvRows table = {.ctx = run->ctx, .path = path, .columns = columns, .column_count = 8};
        void *all = NULL;
        RI_TRY(ri_csv_load(&table, sizeof(Row), take_row, &all, &count));
        rows = all;
    }
    for (int r = 0; r < count; r++) {
        const double h = 1e3 * rows[r].x[0], mask = degree * rows[r].x[1];
        const RiPass p = ri_pass_overhead(RI_WORLD_MARS, h, mask);
        const RiLink link = {.frequency = 1e6 * rows[r].x[5], .power = 1.0};
        const double got[6] = {p.half_angle / degree,
                               p.duration,
                               1e-3 * p.range,
                               ri_link_compute(&link, p.range, 0.0).space_loss,
                               ri_link_compute(&link, h, 0.0).space_loss,
                               seen(h, mask)};
        const double want[6] = {rows[r].x[2], rows[r].x[3], rows[r].x[4], rows[r].x[6], rows[r].x[7], rows[r].x[3]};
        for (int k = 0; k < 6; k++)
            worst[k] = fmax(worst[k], fabs(got[k] - want[k]));
    }
    for (int k = 0; k < 6; k++)
        if (rows)
            ri_validate_most(run, labels[k], units[k], limits[k], worst[k]);
        else
            ri_validate_skip(run, labels[k]);
    ri_release(run->ctx, rows);
    return volumes(run);
}
