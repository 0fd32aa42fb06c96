// SPDX-License-Identifier: Apache-2.0
/// \file
/// Power: batteries against closed forms, the ledger of a sol, Opportunity's measured sols.
///
/// Opportunity: E = K(Ls) dust H, with the horizontal insolation H of the net-flux tables at its
/// date, optical depth and dust factor from the report. K(Ls) = exp(c0 + c1 cos Ls + c2 sin Ls)
/// represents area, efficiency, losses, the cells' temperature and the unreported tilt (to the
/// north in winter); its three constants were fitted to the complete rows of the shared table
/// (least absolute deviations). The row `fit` is the median error with these constants; the row
/// after it leaves out each block of 20 reports in turn.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "device/network/assembly.h"
#include "sim/method/ode_cvode.h"
#include "study/fit/csv_rows.h"
#include "validate/validate.h"

static const double degree = M_PI / 180.0;

// --- batteries -----------------------------------------------------------------------------------

/// A battery as a capacitor (U from 0 to `full`), drawn by a constant power.
static RiStatus capacitor(RiValidation *run)
{
    static const RiSunDef nowhere = {.world = RI_WORLD_UNKNOWN};
    RiArena arena;
    RiNetworkWorld w = {.place = &nowhere};
    RiAssembly *a = ri_alloc_zero(run->ctx, 1, sizeof *a);
    if (!a)
        return ri_error_memory(run->ctx);
    ri_arena_init(&arena, run->ctx);
    ri_assembly_init(a);
    const int bus = ri_assembly_add(a, &ri_device_bus, -1, -1, -1);
    const int battery = ri_assembly_add(a, &ri_device_battery, bus, -1, -1);
    const int load = ri_assembly_add(a, &ri_device_load, bus, -1, -1);
    const double U0 = 20.0, U1 = 40.0, Q = 36000.0, P = 50.0, t = 6000.0, k = (U1 - U0) / Q;
    a->x[battery][BATTERY_EMPTY_VOLTAGE] = U0;
    a->x[battery][BATTERY_FULL_VOLTAGE] = U1;
    a->x[battery][BATTERY_RESISTANCE] = 0.0;
    a->x[load][LOAD_POWER] = P;
    const RiStatus status = ri_assembly_start(run->ctx, &arena, a, &w);
    if (status == RI_OK)
        ri_assembly_run(a, &w, t, 1.0);
    // U dU/dt = -k P: U^2 falls evenly
    const double want = (sqrt(U1 * U1 - 2.0 * k * P * t) - U0) / k;
    ri_validate_near(run, "charge after a constant power, R = 0", "A s", want, 1e-6 * want,
                     a->x[battery][BATTERY_CHARGE]);
    ri_validate_near(run, "energy drawn, R = 0", "J", P * t, 1e-6 * P * t, -a->x[battery][BATTERY_STORED]);
    ri_validate_most(run, "ledger of the discharge", "-", 1e-9, fabs(a->x[bus][BUS_RESIDUAL]));
    ri_arena_free(&arena);
    ri_release(run->ctx, a);
    return status;
}

/// The same with a resistance, against a Runge-Kutta integration of q' = -i, P = i (U - R i).
static RiStatus resistive(RiValidation *run)
{
    static const RiSunDef nowhere = {.world = RI_WORLD_UNKNOWN};
    const double U0 = 24.0, U1 = 32.8, Q = 36000.0, R = 0.5, P = 120.0, t = 5000.0;
    RiArena arena;
    RiNetworkWorld w = {.place = &nowhere};
    RiAssembly *a = ri_alloc_zero(run->ctx, 1, sizeof *a);
    if (!a)
        return ri_error_memory(run->ctx);
    ri_arena_init(&arena, run->ctx);
    ri_assembly_init(a);
    const int bus = ri_assembly_add(a, &ri_device_bus, -1, -1, -1);
    const int battery = ri_assembly_add(a, &ri_device_battery, bus, -1, -1);
    const int load = ri_assembly_add(a, &ri_device_load, bus, -1, -1);
    a->x[battery][BATTERY_RESISTANCE] = R;
    a->x[load][LOAD_POWER] = P;
    const RiStatus status = ri_assembly_start(run->ctx, &arena, a, &w);
    if (status == RI_OK)
        ri_assembly_run(a, &w, t, 10.0);
    double q = Q, heat = 0.0;
    const double h = 0.5;
    for (int i = 0; i < (int)(t / h); i++) {
        double k[4], slope[4] = {0.0, 0.5, 0.5, 1.0};
        for (int s = 0; s < 4; s++) {
            const double U = U0 + (U1 - U0) / Q * (q - (s ? slope[s] * h * k[s - 1] : 0.0));
            k[s] = (U - sqrt(U * U - 4.0 * R * P)) / (2.0 * R);
        }
        const double mean = (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]) / 6.0;
        heat += R * mean * mean * h;
        q -= mean * h;
    }
    ri_validate_near(run, "charge after a constant power with R, against Runge-Kutta", "A s", q, 1e-5 * q,
                     a->x[battery][BATTERY_CHARGE]);
    ri_validate_near(run, "heat in the battery, against Runge-Kutta", "J", heat, 1e-3 * heat,
                     a->x[battery][BATTERY_LOSS]);
    ri_arena_free(&arena);
    ri_release(run->ctx, a);
    return status;
}

/// A battery that warms itself and loses that warmth, at constant power: charge, heat, temperature.
typedef struct Warm {
    double U0, slope, R, P, C, g, T0;
} Warm;

static RiStatus warm_slopes(void *user, double t, const double *y, double *out)
{
    const Warm *b = user;
    const double U = b->U0 + b->slope * y[0], i = (U - sqrt(U * U - 4.0 * b->R * b->P)) / (2.0 * b->R);
    (void)t;
    out[0] = -i;
    out[1] = b->R * i * i;
    out[2] = (b->R * i * i - b->g * (y[2] - b->T0)) / b->C;
    return RI_OK;
}

static RiStatus warm_reference(RiValidation *run, Warm *b, double end, double y[3])
{
    const RiOdeProblem problem = {.n = 3, .rhs = warm_slopes, .user = b};
    RiOdeOptions options = ri_ode_options_default();
    RiOde *ode;
    double time;
    options.rtol = 1e-11;
    RI_TRY(ri_ode_create(run->ctx, &problem, &options, &ode));
    RiStatus status = ri_ode_reset(ode, 0.0, y);
    if (status == RI_OK)
        status = ri_ode_advance(ode, end, y, &time, NULL);
    ri_ode_destroy(ode);
    return status;
}

static RiStatus against_cvode(RiValidation *run)
{
    static const RiSunDef nowhere = {.world = RI_WORLD_UNKNOWN};
    static const char *const labels[] = {"a battery that warms itself against CVODE: charge",
                                         "a battery that warms itself against CVODE: heat",
                                         "a battery that warms itself against CVODE: temperature"};
    Warm b = {.U0 = 24.0, .slope = 8.8 / 36000.0, .R = 0.5, .P = 120.0, .C = 2000.0, .g = 0.6, .T0 = 294.0};
    double y[3] = {36000.0, 0.0, 294.0};
    const RiStatus known = warm_reference(run, &b, 5000.0, y);
    if (known == RI_ERR_UNSUPPORTED) {
        for (int i = 0; i < 3; i++)
            ri_validate_skip(run, labels[i]);
        return RI_OK;
    }
    RI_TRY(known);
    RiArena arena;
    RiNetworkWorld w = {.place = &nowhere};
    RiAssembly *a = ri_alloc_zero(run->ctx, 1, sizeof *a);
    if (!a)
        return ri_error_memory(run->ctx);
    ri_arena_init(&arena, run->ctx);
    ri_assembly_init(a);
    const int bus = ri_assembly_add(a, &ri_device_bus, -1, -1, -1),
              cells = ri_assembly_add(a, &ri_device_thermal_node, -1, -1, -1),
              wall = ri_assembly_add(a, &ri_device_thermal_node, -1, -1, -1),
              battery = ri_assembly_add(a, &ri_device_battery, bus, cells, -1),
              load = ri_assembly_add(a, &ri_device_load, bus, -1, -1),
              mount = ri_assembly_add(a, &ri_device_conductor, cells, wall, -1);
    a->x[battery][BATTERY_CAPACITY] = 36000.0;
    a->x[battery][BATTERY_EMPTY_VOLTAGE] = b.U0;
    a->x[battery][BATTERY_FULL_VOLTAGE] = 32.8;
    a->x[battery][BATTERY_RESISTANCE] = b.R;
    a->x[load][LOAD_POWER] = b.P;
    a->x[cells][NODE_CAPACITY] = b.C;
    a->x[wall][NODE_CAPACITY] = 0.0;
    a->x[cells][NODE_START] = a->x[wall][NODE_START] = b.T0;
    a->x[mount][CONDUCTOR_CONDUCTANCE] = b.g;
    const RiStatus status = ri_assembly_start(run->ctx, &arena, a, &w);
    if (status == RI_OK)
        ri_assembly_run(a, &w, 5000.0, 1.0);
    ri_validate_near(run, labels[0], "A s", y[0], 1e-7 * y[0], a->x[battery][BATTERY_CHARGE]);
    ri_validate_near(run, labels[1], "J", y[1], 1e-4 * y[1], a->x[battery][BATTERY_LOSS]);
    ri_validate_near(run, labels[2], "K", y[2], 0.01, a->x[cells][NODE_TEMPERATURE]);
    ri_arena_free(&arena);
    ri_release(run->ctx, a);
    return status;
}

// --- Opportunity ---------------------------------------------------------------------------------

enum { ROWS = 256, BLOCK = 20, CONSTANTS = 3 };

/// Fitted to the 209 complete rows of the shared table: log m^2.
static const double fitted[CONSTANTS] = {-1.5372, -0.0465, 0.0208};

typedef struct Report {
    double Ls, tau, dust, energy; // [rad], -, -, [Wh]
    double H;                     // [Wh/m^2]
} Report;

static RiStatus take_report(const RiCsvRows *rows, void *all, int *index)
{
    Report *r = (Report *)all + *index;
    if (!*ri_csv_text(rows, 2) || !*ri_csv_text(rows, 3)) // tau or dust was not reported
        return RI_OK;
    r->Ls = degree * strtod(ri_csv_text(rows, 0), NULL);
    const double R = strtod(ri_csv_text(rows, 1), NULL);
    r->tau = strtod(ri_csv_text(rows, 2), NULL);
    r->dust = strtod(ri_csv_text(rows, 3), NULL);
    r->energy = strtod(ri_csv_text(rows, 4), NULL);
    if (r->tau > 0.0 && r->dust > 0.0 && r->energy > 0.0) {
        r->H = ri_mars_insolation(r->Ls, -2.28 * degree, r->tau, 0.1).global / 3600.0 * ri_sunlight(R) /
               ri_mars_sunlight(r->Ls);
        ++*index;
    }
    return RI_OK;
}

static void features(const Report *r, double f[CONSTANTS])
{
    f[0] = 1.0;
    f[1] = cos(r->Ls);
    f[2] = sin(r->Ls);
}

static double predict(const Report *r, const double c[CONSTANTS])
{
    double f[CONSTANTS], sum = 0.0;
    features(r, f);
    for (int k = 0; k < CONSTANTS; k++)
        sum += c[k] * f[k];
    return exp(sum) * r->dust * r->H;
}

/// Solves a small symmetric system by elimination.
static void solve(double A[CONSTANTS][CONSTANTS + 1], double c[CONSTANTS])
{
    for (int i = 0; i < CONSTANTS; i++)
        for (int r = 0; r < CONSTANTS; r++) {
            const double f = r == i ? 0.0 : A[r][i] / A[i][i];
            for (int k = i; k <= CONSTANTS; k++)
                A[r][k] -= f * A[i][k];
        }
    for (int i = 0; i < CONSTANTS; i++)
        c[i] = A[i][CONSTANTS] / A[i][i];
}

/// Least absolute deviations of the logarithm over all rows but one block, by weights.
static void fit(const Report *r, int count, int without, double c[CONSTANTS])
{
    c[0] = -1.5, c[1] = c[2] = 0.0;
    for (int pass = 0; pass < 30; pass++) {
        double A[CONSTANTS][CONSTANTS + 1] = {{0}};
        for (int i = 0; i < count; i++) {
            if (i / BLOCK == without)
                continue;
            double f[CONSTANTS];
            features(&r[i], f);
            const double y = log(r[i].energy / (r[i].dust * r[i].H));
            const double w = pass == 0 ? 1.0 : 1.0 / fmax(fabs(log(r[i].energy / predict(&r[i], c))), 1e-3);
            for (int a = 0; a < CONSTANTS; a++) {
                for (int b = 0; b < CONSTANTS; b++)
                    A[a][b] += w * f[a] * f[b];
                A[a][CONSTANTS] += w * f[a] * y;
            }
        }
        solve(A, c);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int count)
{
    qsort(x, (size_t)count, sizeof *x, compare);
    return count > 0 ? x[count / 2] : NAN;
}

static RiStatus opportunity(RiValidation *run)
{
    static const char *const columns[] = {"Ls_deg", "R_AU", "tau", "dust_factor", "energy_Wh"};
    static const char *const labels[] = {"Opportunity: energy of a sol with the built-in constants, median error",
                                         "Opportunity: energy of a sol, blocks of 20 left out in turn, median error"};
    if (!run->data) {
        ri_validate_skip(run, labels[0]);
        ri_validate_skip(run, labels[1]);
        return RI_OK;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/operations/opportunity_energy.csv", run->data);
    RiCsvRows table = {.ctx = run->ctx, .path = path, .columns = columns, .column_count = 5};
    void *all = NULL;
    int count;
    RI_TRY(ri_csv_load(&table, sizeof(Report), take_report, &all, &count));
    const Report *r = all;
    double built_in[ROWS], left_out[ROWS], c[CONSTANTS] = {0.0};
    count = count < ROWS ? count : ROWS;
    for (int i = 0; i < count; i++) {
        if (i % BLOCK == 0)
            fit(r, count, i / BLOCK, c);
        built_in[i] = fabs(predict(&r[i], fitted) / r[i].energy - 1.0);
        left_out[i] = fabs(predict(&r[i], c) / r[i].energy - 1.0);
    }
    ri_validate_fit(run, labels[0], "-", 0.0, 0.0, 0.06, median(built_in, count));
    ri_validate_most(run, labels[1], "-", 0.06, median(left_out, count));
    ri_release(run->ctx, all);
    return RI_OK;
}

/// What the colour of the light leaves of the cells' efficiency, with the numbers of
/// scenes/systems/mer.yaml.
static double colour(double tau)
{
    return exp(-0.09 * fmax(tau - 2.0, 0.0));
}

/// Energy of a sol at an optical depth over that at another one, the dust on the array being equal.
static double storm_ratio(double latitude, const double Ls[2], const double R[2], const double tau[2])
{
    double energy[2];
    for (int i = 0; i < 2; i++) {
        Report r = {.Ls = degree * Ls[i], .tau = tau[i], .dust = 1.0};
        r.H = ri_mars_insolation(r.Ls, degree * latitude, r.tau, 0.1).global / 3600.0 * ri_sunlight(R[i]) /
              ri_mars_sunlight(r.Ls);
        energy[i] = predict(&r, fitted) * colour(r.tau);
    }
    return energy[1] / energy[0];
}

/// Storms: Opportunity on 3, 4 and 10 June 2018 (468, 345, 22 Wh at tau 1.0, 2.1, 10.8); Spirit on
/// sols 2001 and 2006 (744 Wh below 0.5, 392 Wh at about 2.6). The dust factor was not reported; it
/// cancels between days that follow each other, but for what fell in between: bands 10 %, and 20 %
/// over the six days to 10 June, whose depth is beyond the tables (tau 6), where the flux is
/// continued.
static void storm(RiValidation *run)
{
    static const double Ls[2][2] = {{186.765, 187.340}, {187.340, 190.811}},
                        R[2][2] = {{1.45172, 1.45054}, {1.45054, 1.44362}}, tau[2][2] = {{1.0, 2.1}, {2.1, 10.8}};
    static const double spirit_Ls[2] = {323.9, 326.8}, spirit_R[2] = {1.4704, 1.4764}, spirit_tau[2] = {0.45, 2.6};
    const double rise = 345.0 / 468.0, peak = 22.0 / 345.0, spirit = 392.0 / 744.0;
    ri_validate_near(run, "storm of 2018: energy at tau 2.1 over that at 1.0", "-", rise, 0.1 * rise,
                     storm_ratio(-2.28, Ls[0], R[0], tau[0]));
    ri_validate_near(run, "storm of 2018: energy at tau 10.8 over that at 2.1", "-", peak, 0.2 * peak,
                     storm_ratio(-2.28, Ls[1], R[1], tau[1]));
    ri_validate_near(run, "storm of 2009: Spirit's energy at tau 2.6 over that at 0.45", "-", spirit, 0.1 * spirit,
                     storm_ratio(-14.6, spirit_Ls, spirit_R, spirit_tau));
}

RiStatus ri_case_power(RiValidation *run)
{
    storm(run);
    RI_TRY(capacitor(run));
    RI_TRY(resistive(run));
    RI_TRY(against_cvode(run));
    return opportunity(run);
}
