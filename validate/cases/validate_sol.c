// SPDX-License-Identifier: Apache-2.0
/// \file
/// Light and warmth of a sol on Mars: worked insolation, Viking's sites, the split of light, ground
/// temperatures.
///
/// Bands. Worked insolation: 1e-4 for what comes from formulas alone and for optical depths that
/// the built-in table has; the reference interpolates between optical depths of the whole published
/// table, of which the built-in one holds every second above 2: 1 % there. Viking's global flux:
/// the table differs from its own recomputation by up to 2.5 % in winter of the second site; the
/// recomputed column is the reference, to 1 %. Ground: 0.5 K.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/sky.h>

#include "base/memory.h"
#include "study/fit/csv_rows.h"
#include "validate/validate.h"

static const double degree = M_PI / 180.0;

typedef struct Row {
    char name[32];
    double x[RI_CSV_COLUMNS];
} Row;

static RiStatus take_row(const RiCsvRows *rows, void *all, int *index)
{
    Row *row = (Row *)all + (*index)++;
    for (int k = 0; k < rows->column_count; k++)
        row->x[k] = strtod(ri_csv_text(rows, k), NULL);
    snprintf(row->name, sizeof row->name, "%s", ri_csv_text(rows, 0));
    return RI_OK;
}

/// The rows of a table; *out_rows NULL without a folder of data.
static RiStatus load(RiValidation *run, const char *file, const char *const *columns, int count, Row **out_rows,
                     int *out_count)
{
    *out_rows = NULL;
    *out_count = 0;
    if (!run->data)
        return RI_OK;
    char path[1024];
    snprintf(path, sizeof path, "%s/operations/%s", run->data, file);
    RiCsvRows rows = {.ctx = run->ctx, .path = path, .columns = columns, .column_count = count};
    void *all = NULL;
    RI_TRY(ri_csv_load(&rows, sizeof(Row), take_row, &all, out_count));
    *out_rows = all;
    return RI_OK;
}

/// Hands in worst rows of several labels, or skips them without data.
static void hand_in(RiValidation *run, bool have, const char *const *labels, const double *limits, const double *worst,
                    int count)
{
    for (int k = 0; k < count; k++)
        if (have)
            ri_validate_most(run, labels[k], "-", limits[k], worst[k]);
        else
            ri_validate_skip(run, labels[k]);
}

/// Of a quantity that is printed to two decimals.
static double beyond_hundredths(double got, double want)
{
    return want == 0.0 ? fmax(fabs(got) - 0.005, 0.0) : fmax(fabs(got - want) - 0.005, 0.0) / fabs(want);
}

static double relative(double got, double want)
{
    return want == 0.0 ? fabs(got) : fabs(got / want - 1.0);
}

/// The same beyond the digits given: energies are printed to 0.001 Wh/m^2, and a beam through a
/// storm is that small.
static double beyond_digits(double got, double want)
{
    return want == 0.0 ? fabs(got) : fmax(fabs(got - want) - 0.0005, 0.0) / fabs(want);
}

/// Whether the built-in table holds an optical depth, so that nothing is interpolated in it.
static bool has_depth(double tau)
{
    return tau <= 2.0 + 1e-9 && fabs(10.0 * tau - round(10.0 * tau)) < 1e-9;
}

static RiStatus worked(RiValidation *run)
{
    static const char *const columns[] = {"Ls_deg",  "lat_deg",          "tau",         "G_top_W_m2",
                                          "dec_deg", "daylight_solar_h", "H_top_Wh_m2", "H_beam_Wh_m2"};
    static const char *const more[] = {"Ls_deg", "lat_deg", "tau", "H_global_table_Wh_m2", "noon_G_global_table_W_m2"};
    static const char *const labels[] = {"worked insolation: flux on top, worst row",
                                         "worked insolation: declination, worst row",
                                         "worked insolation: hours of daylight, worst row",
                                         "worked insolation: sol on top of the air, worst row",
                                         "worked insolation: beam over the sol, worst row",
                                         "worked insolation: global at depths of the table, worst row",
                                         "worked insolation: global between depths of the table, worst row",
                                         "worked insolation: global at noon, worst row"};
    static const double limits[] = {1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 0.01, 0.01};
    double worst[8] = {0};
    Row *a, *b;
    int count, other;
    RI_TRY(load(run, "worked_insolation.csv", columns, 8, &a, &count));
    const RiStatus status = load(run, "worked_insolation.csv", more, 5, &b, &other);
    if (status != RI_OK) {
        ri_release(run->ctx, a);
        return status;
    }
    for (int r = 0; r < count && r < other; r++) {
        const double Ls = degree * a[r].x[0], tau = a[r].x[2];
        const RiInsolation s = ri_mars_insolation(Ls, degree * a[r].x[1], tau, 0.1);
        const double got[8] = {ri_mars_sunlight(Ls), ri_mars_declination(Ls) / degree, s.daylight, s.top / 3600.0,
                               s.beam / 3600.0};
        for (int k = 0; k < 5; k++)
            worst[k] = fmax(worst[k], k == 1 ? fabs(got[k] - a[r].x[4]) : beyond_digits(got[k], a[r].x[3 + k]));
        const int column = has_depth(tau) ? 5 : 6;
        worst[column] = fmax(worst[column], relative(s.global / 3600.0, b[r].x[3]));
        worst[7] = fmax(worst[7], relative(s.noon, b[r].x[4]));
    }
    hand_in(run, a != NULL, labels, limits, worst, 8);
    ri_release(run->ctx, a);
    ri_release(run->ctx, b);
    return RI_OK;
}

static RiStatus viking(RiValidation *run)
{
    static const char *const columns[] = {"site",   "lat_deg",  "Ls_deg",     "tau",
                                          "H_beam", "H_global", "own_H_beam", "own_H_global_table"};
    static const char *const labels[] = {
        "Viking sites: beam against table V, worst row", "Viking sites: beam against its recomputation, worst row",
        "Viking sites: global against its recomputation, worst row", "Viking sites: global against table V, median"};
    static const double limits[] = {0.01, 0.01, 0.01, 0.01};
    double worst[4] = {0}, off[256];
    Row *rows;
    int count, seen = 0;
    RI_TRY(load(run, "viking_daily_insolation.csv", columns, 8, &rows, &count));
    for (int r = 0; r < count && r < 256; r++) {
        const RiInsolation s = ri_mars_insolation(degree * rows[r].x[2], degree * rows[r].x[1], rows[r].x[3], 0.1);
        worst[0] = fmax(worst[0], beyond_hundredths(s.beam / 3600.0, rows[r].x[4]));
        worst[1] = fmax(worst[1], beyond_hundredths(s.beam / 3600.0, rows[r].x[6]));
        worst[2] = fmax(worst[2], beyond_hundredths(s.global / 3600.0, rows[r].x[7]));
        off[seen++] = relative(s.global / 3600.0, rows[r].x[5]);
    }
    for (int i = 1; i < seen; i++) // sorted for the median
        for (int k = i; k > 0 && off[k] < off[k - 1]; k--) {
            const double swap = off[k];
            off[k] = off[k - 1];
            off[k - 1] = swap;
        }
    worst[3] = seen > 0 ? off[seen / 2] : 0.0;
    hand_in(run, rows != NULL, labels, limits, worst, 4);
    ri_release(run->ctx, rows);
    return RI_OK;
}

/// All entries of the two tables of net flux, of depths that the built-in table has and of others;
/// off beyond the digits given (0.001).
static RiStatus tables(RiValidation *run)
{
    enum { PARTS = 3, SHARE = 6 };
    static const char *const columns[PARTS][SHARE + 1] = {{"tau", "z0", "z5", "z10", "z15", "z20", "z25"},
                                                          {"tau", "z30", "z35", "z40", "z45", "z50", "z55"},
                                                          {"tau", "z60", "z65", "z70", "z75", "z80", "z85"}};
    static const char *const files[] = {"netflux_al0.1.csv", "netflux_al0.4.csv"};
    static const char *const labels[] = {"net flux at albedo 0.1, worst entry", "net flux at albedo 0.4, worst entry"};
    static const double limits[] = {0.01, 0.01}, albedos[] = {0.1, 0.4};
    double worst[2] = {0};
    bool have = false;
    for (int k = 0; k < 2 * PARTS; k++) {
        const int table = k / PARTS, part = k % PARTS;
        Row *rows;
        int count;
        RI_TRY(load(run, files[table], columns[part], SHARE + 1, &rows, &count));
        for (int r = 0; r < count; r++)
            for (int c = 0; c < SHARE; c++) {
                const double want = rows[r].x[1 + c], zenith = 5.0 * degree * (SHARE * part + c);
                const double off = fabs(ri_net_flux(zenith, rows[r].x[0], albedos[table]) - want);
                worst[table] = fmax(worst[table], fmax(off - 0.0005, 0.0) / want);
            }
        have = rows != NULL;
        ri_release(run->ctx, rows);
    }
    hand_in(run, have, labels, limits, worst, 2);
    return RI_OK;
}

static RiStatus split(RiValidation *run)
{
    static const char *const columns[] = {"z_deg", "tau", "direct", "global", "diffuse"};
    static const char *const labels[] = {"split of light: direct, worst row", "split of light: global, worst row",
                                         "split of light: diffuse, worst row",
                                         "split of light: global between depths of the table, worst row",
                                         "split of light: diffuse between depths of the table, worst row"};
    static const double limits[] = {1e-6, 1e-6, 1e-6, 0.01, 0.01};
    double worst[5] = {0};
    Row *rows;
    int count;
    RI_TRY(load(run, "sky_split.csv", columns, 5, &rows, &count));
    for (int r = 0; r < count; r++) {
        const double tau = rows[r].x[1];
        const RiDaylight d = ri_daylight_compute(RI_WORLD_MARS, 1.0, cos(degree * rows[r].x[0]), tau, 0.1, 1.0);
        worst[0] = fmax(worst[0], relative(d.direct, rows[r].x[2]));
        const int column = has_depth(tau) || tau == 6.0 ? 1 : 3;
        worst[column] = fmax(worst[column], relative(d.global, rows[r].x[3]));
        worst[column + 1] = fmax(worst[column + 1], relative(d.diffuse, rows[r].x[4]));
    }
    hand_in(run, rows != NULL, labels, limits, worst, 5);
    ri_release(run->ctx, rows);
    return RI_OK;
}

/// Surface temperatures at whole solar hours of the last of 60 sols.
static void warm(const Row *row, double out_hours[24])
{
    enum { STEPS = 5760, SOLS = 60 }; // 15 s, about what a site is stepped by
    const double obliquity = 25.19 * degree, e = 0.0934, a = 1.52367934, lat = degree * row->x[4],
                 Ls = degree * row->x[5];
    const double k = (1.0 + e * cos(Ls - 251.0 * degree)) / (1.0 - e * e), S = 1361.0 / (a * a) * k * k;
    const double d = asin(sin(obliquity) * sin(Ls)), albedo = row->x[2];
    const double down = row->x[6] * (1.0 - albedo) * S * cos(lat - d);
    const RiSoilColumnDef def = {.inertia = row->x[1], .emissivity = row->x[3], .day = 88775.244};
    RiSoilColumn c;
    ri_soil_column_init(&c, 200.0);
    for (int i = 0; i < SOLS * STEPS; i++) {
        const double H = 2.0 * M_PI * ((i + 0.5) / STEPS - 0.5);
        const double sine = sin(lat) * sin(d) + cos(lat) * cos(d) * cos(H);
        const double absorbed = (1.0 - albedo) * S * fmax(sine, 0.0) + down;
        const double q = ri_soil_column_step(&def, &c, absorbed, def.day / STEPS) * STEPS / def.day;
        if (i >= (SOLS - 1) * STEPS - 1 && (i + 1) % (STEPS / 24) == 0)
            out_hours[(i + 1) / (STEPS / 24) % 24] = pow((absorbed - q) / (def.emissivity * 5.670374419e-8), 0.25);
    }
}

static RiStatus ground(RiValidation *run)
{
    static const char *const columns[] = {"case",    "TI",     "albedo",      "emissivity",
                                          "lat_deg", "Ls_deg", "Fd_fraction", "solar_hour"};
    static const char *const more[] = {"case", "solar_hour", "T_surface_K"};
    static const char *const label = "ground temperature over a sol, worst row";
    Row *rows, *want;
    int count, other;
    RI_TRY(load(run, "ground_temperature.csv", columns, 8, &rows, &count));
    const RiStatus status = load(run, "ground_temperature.csv", more, 3, &want, &other);
    if (status != RI_OK) {
        ri_release(run->ctx, rows);
        return status;
    }
    double worst = 0.0, hours[24] = {0};
    for (int r = 0; r < count && r < other; r++) {
        if (r == 0 || strcmp(rows[r].name, rows[r - 1].name) != 0)
            warm(&rows[r], hours);
        worst = fmax(worst, fabs(hours[(int)want[r].x[1] % 24] - want[r].x[2]));
    }
    if (rows)
        ri_validate_most(run, label, "K", 0.5, worst);
    else
        ri_validate_skip(run, label);
    ri_release(run->ctx, rows);
    ri_release(run->ctx, want);
    return RI_OK;
}

RiStatus ri_case_sol(RiValidation *run)
{
    RI_TRY(tables(run));
    RI_TRY(worked(run));
    RI_TRY(viking(run));
    RI_TRY(split(run));
    return ground(run);
}
