// SPDX-License-Identifier: Apache-2.0
/// \file
/// Least squares over steady wheel tests. The residuals are
///
///     (F_x - F_x') / (0.15 W),  (F_y - F_y') / (0.15 W),  (z - z') / 5 mm
///
/// and the step of Levenberg and Marquardt solves (J^T J + l diag(J^T J)) d = -J^T r, with J by
/// differences. Numbers with wide ranges are fitted by their logarithms, all stay within bounds.
/// The covariance is (J^T J)^-1 J^T S J (J^T J)^-1, where S has the mean squares of pull, side
/// force and sinkage, each by itself: their scatter need not be in the proportion of the scales.
/// Intervals are Student's, to first order. Test: tests/study/test_fit_soil.c.
#include "base/functions.h"

#include <math.h>
#include <string.h>

#include <rille/study/fit_soil.h>

#include "base/memory.h"
#include "math/dense.h"

static const double FORCE_SCALE = 0.15, SINKAGE_SCALE = 5e-3;
static const double LEAST_DOUBT = 0.03; ///< of tests that follow the law exactly
static const double UNTOLD =
    0.7; ///< of a prior's width: with a larger error tests say less about a number than the prior
enum { ROUNDS = 200, KINDS = 3 };

// Spreads: standard deviations over soils/soils.csv (logarithms of k, c, kx); of numbers that no
// soil there gives, estimates.
#define AT(field) offsetof(RiSoilLaw, field)
static const RiSoilParameter parameters[] = {
    {"n", "-", AT(n0), 0.1, 3.0, false, 0.38},
    {"n1", "-", AT(n1), -1.0, 3.0, false, 0.21},
    {"n1_skid", "-", AT(n1_skid), -1.0, 3.0, false, 0.21},
    {"n_beta", "1/rad", AT(n_beta), -2.0, 2.0, false, 0.3},
    {"k", "Pa", AT(k), 1e3, 1e12, true, 2.6},
    {"c", "Pa", AT(cohesion), 1.0, 1e6, true, 1.5},
    {"kx", "m", AT(kx), 1e-4, 1.0, true, 0.72},
    {"ky", "m", AT(ky), 1e-4, 1.0, true, 0.72},
    {"kx_beta", "m/rad", AT(kx_beta), -1.0, 1.0, false, 0.02},
    {"ky_beta", "m/rad", AT(ky_beta), -1.0, 1.0, false, 0.02},
    {"a0", "-", AT(a0), -1.0, 1.0, false, 0.1},
    {"a1", "-", AT(a1), -2.0, 2.0, false, 0.16},
    {"a0_beta", "1/rad", AT(a0_beta), -2.0, 2.0, false, 0.2},
    {"a1_beta", "1/rad", AT(a1_beta), -2.0, 2.0, false, 0.2},
    {"exit0", "-", AT(exit0), -1.0, 0.0, false, 0.3},
    {"a1_skid", "-", AT(a1_skid), -2.0, 2.0, false, 0.16},
    {"bulldozing", "-", AT(bulldozing), 0.0, 10.0, false, 0.5},
    {"exit1", "-", AT(exit1), -1.0, 1.0, false, 0.3},
    {"ploughing", "-", AT(ploughing), 0.0, 10.0, false, 0.5},
};

const RiSoilParameter *ri_soil_parameter(const char *name)
{
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
    return NULL;
}

static double *number_of(RiSoilLaw *law, const RiSoilParameter *p)
{
    return (double *)((char *)law + p->at);
}

static double number_in(const RiSoilLaw *law, const RiSoilParameter *p)
{
    double x;
    memcpy(&x, (const char *)law + p->at, sizeof x);
    return x;
}

void ri_wheel_test_predict(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *law, const RiWheelTest *t,
                           double out[3])
{
    RiWheelForce f;
    const RiSoilWheel *wheel = t->wheel ? t->wheel : w;
    const RiWheelMotion motion =
        t->travel ? ri_wheel_motion_travel(t->slip, t->beta) : ri_wheel_motion(t->slip, t->beta);
    if (ri_wheel_moving_load(ctx, wheel, law, t->load, motion, 0, &f) != RI_OK)
        f.sinkage = wheel->radius;
    out[0] = f.force.x;
    out[1] = -f.force.y;
    out[2] = f.sinkage;
}

RiSoilMisfit ri_soil_misfit(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *law, const RiWheelTest *tests,
                            int count, bool used)
{
    RiSoilMisfit m = {0};
    for (int i = 0; i < count; i++) {
        const RiWheelTest *t = &tests[i];
        double x[KINDS];
        if (t->used != used)
            continue;
        ri_wheel_test_predict(ctx, w, law, t, x);
        m.pull += ri_pow((x[0] - t->pull) / t->load, 2.0);
        m.side += ri_pow((x[1] - t->side) / t->load, 2.0);
        m.sinkage = fmax(m.sinkage, fabs(x[2] - t->sinkage));
        m.count++;
    }
    m.pull = sqrt(m.pull / m.count);
    m.side = sqrt(m.side / m.count);
    return m;
}

/// One fit at work.
typedef struct Work {
    RiContext *ctx;
    const RiSoilWheel *w;
    const RiWheelTest *tests;
    int count, rows, n;
    const RiSoilParameter *p[RI_SOIL_FIT_MAX];
    double *r, *next, *J;          ///< [rows], [rows], [rows][n]
    int tested;                    ///< rows of tests; those of the prior follow
    double about[RI_SOIL_FIT_MAX]; ///< the first guess, as it is fitted
    double doubt;                  ///< scatter of tests in units of the scales: a prior weighs as much against them
} Work;

static bool is_fitted(const Work *f, const char *name)
{
    for (int k = 0; k < f->n; k++)
        if (strcmp(f->p[k]->name, name) == 0)
            return true;
    return false;
}

/// The law with fitted numbers x, as logarithms where they are so. Braking shares n1 and a1 with
/// driving, unless it was given others or they are fitted.
static RiSoilLaw law_at(const Work *f, const RiSoilLaw *start, const double *x)
{
    RiSoilLaw law = *start;
    for (int k = 0; k < f->n; k++)
        *number_of(&law, f->p[k]) = f->p[k]->logarithmic ? ri_exp(x[k]) : x[k];
    if (start->n1_skid == start->n1 && !is_fitted(f, "n1_skid"))
        law.n1_skid = law.n1;
    if (start->a1_skid == start->a1 && !is_fitted(f, "a1_skid"))
        law.a1_skid = law.a1;
    return law;
}

/// Residuals; returns their square sum.
static double residuals(const Work *f, const RiSoilLaw *law, double *out)
{
    double sum = 0.0;
    int row = 0;
    for (int i = 0; i < f->count; i++) {
        const RiWheelTest *t = &f->tests[i];
        double x[KINDS];
        if (!t->used)
            continue;
        ri_wheel_test_predict(f->ctx, f->w, law, t, x);
        out[row++] = (x[0] - t->pull) / (FORCE_SCALE * t->load);
        out[row++] = (x[1] - t->side) / (FORCE_SCALE * t->load);
        out[row++] = (x[2] - t->sinkage) / SINKAGE_SCALE;
    }
    for (int k = 0; k < f->n && f->rows > f->tested; k++) {
        const double value = number_in(law, f->p[k]);
        out[row++] = f->doubt * ((f->p[k]->logarithmic ? ri_log(value) : value) - f->about[k]) / f->p[k]->spread;
    }
    for (int i = 0; i < row; i++)
        sum += out[i] * out[i];
    return sum;
}

static void differences(const Work *f, const RiSoilLaw *start, const double *x)
{
    double y[RI_SOIL_FIT_MAX];
    memcpy(y, x, sizeof y);
    for (int k = 0; k < f->n; k++) {
        const double step = 1e-5 * (f->p[k]->logarithmic ? 1.0 : fmax(0.1, fabs(x[k])));
        y[k] = x[k] + step;
        const RiSoilLaw law = law_at(f, start, y);
        residuals(f, &law, f->next);
        for (int i = 0; i < f->rows; i++)
            f->J[i * f->n + k] = (f->next[i] - f->r[i]) / step;
        y[k] = x[k];
    }
}

/// J^T J, and J^T r.
static void normal_equations(const Work *f, double *A, double *g)
{
    for (int a = 0; a < f->n; a++) {
        g[a] = 0.0;
        for (int i = 0; i < f->rows; i++)
            g[a] += f->J[i * f->n + a] * f->r[i];
        for (int b = 0; b < f->n; b++) {
            double sum = 0.0;
            for (int i = 0; i < f->rows; i++)
                sum += f->J[i * f->n + a] * f->J[i * f->n + b];
            A[a * f->n + b] = sum;
        }
    }
}

static double bounded(const RiSoilParameter *p, double x)
{
    const double low = p->logarithmic ? ri_log(p->low) : p->low, high = p->logarithmic ? ri_log(p->high) : p->high;
    return x < low ? low : x > high ? high : x;
}

/// One damped step from x, taken if it lowers the square sum. Returns the new sum.
static double try_step(const Work *f, const RiSoilLaw *start, const double *A, const double *g, double damping,
                       double sum, double *x)
{
    double L[RI_SOIL_FIT_MAX * RI_SOIL_FIT_MAX], d[RI_SOIL_FIT_MAX], y[RI_SOIL_FIT_MAX];
    memcpy(L, A, (size_t)(f->n * f->n) * sizeof *L);
    for (int k = 0; k < f->n; k++) {
        L[k * f->n + k] += damping * fmax(A[k * f->n + k], 1e-12);
        d[k] = -g[k];
    }
    if (!ri_ldl_factor(f->n, L, 1e-300))
        return sum;
    ri_ldl_solve(f->n, L, d);
    for (int k = 0; k < f->n; k++)
        y[k] = bounded(f->p[k], x[k] + d[k]);
    const RiSoilLaw law = law_at(f, start, y);
    const double next = residuals(f, &law, f->next);
    if (!(next < sum))
        return sum;
    memcpy(x, y, (size_t)f->n * sizeof *x);
    memcpy(f->r, f->next, (size_t)f->rows * sizeof *f->r);
    return next;
}

/// Mean squares of each kind of residual, with the degrees of freedom that are left to it.
static void scatter_of_kinds(const Work *f, double out[KINDS])
{
    const double freedom = (double)(f->tested > f->n ? f->tested - f->n : 1) / KINDS;
    memset(out, 0, KINDS * sizeof *out);
    for (int i = 0; i < f->tested; i++)
        out[i % KINDS] += f->r[i] * f->r[i] / freedom;
}

/// Variance of a fitted number from its column v of (J^T J)^-1.
static double variance_of(const Work *f, const double *v, const double scatter[KINDS])
{
    double sum = 0.0;
    for (int i = 0; i < f->rows; i++) {
        double w = 0.0;
        for (int k = 0; k < f->n; k++)
            w += f->J[i * f->n + k] * v[k];
        sum += w * w * (i < f->tested ? scatter[i % KINDS] : f->doubt * f->doubt);
    }
    return sum;
}

/// Values with their intervals at the end.
static RiStatus estimate_all(const Work *f, const double *x, double sum, RiSoilFit *out)
{
    double A[RI_SOIL_FIT_MAX * RI_SOIL_FIT_MAX], g[RI_SOIL_FIT_MAX], scatter[KINDS];
    normal_equations(f, A, g);
    scatter_of_kinds(f, scatter);
    if (!ri_ldl_factor(f->n, A, 1e-14))
        return ri_error(f->ctx, RI_ERR_NUMERIC, "the tests do not tell the fitted numbers apart");
    const double freedom = f->tested > f->n ? f->tested - f->n : 1, variance = sum / freedom;
    out->scatter = sqrt(variance);
    for (int k = 0; k < f->n; k++) {
        double e[RI_SOIL_FIT_MAX] = {0.0};
        e[k] = 1.0;
        ri_ldl_solve(f->n, A, e);
        const double error = sqrt(variance_of(f, e, scatter)), reach = ri_student_95(freedom) * error;
        out->untold[k] = f->rows > f->tested && error > UNTOLD * f->p[k]->spread;
        out->estimates[k] = f->p[k]->logarithmic ? (RiEstimate){ri_exp(x[k]), ri_exp(x[k]) * error,
                                                                ri_exp(x[k] - reach), ri_exp(x[k] + reach)}
                                                 : (RiEstimate){x[k], error, x[k] - reach, x[k] + reach};
    }
    return RI_OK;
}

static RiStatus descend(Work *f, const RiSoilLaw *start, RiSoilFit *out)
{
    double x[RI_SOIL_FIT_MAX] = {0.0}, A[RI_SOIL_FIT_MAX * RI_SOIL_FIT_MAX], g[RI_SOIL_FIT_MAX], damping = 1e-2;
    RiSoilLaw law = *start;
    for (int k = 0; k < f->n; k++) {
        const double value = *number_of(&law, f->p[k]);
        x[k] = bounded(f->p[k], f->p[k]->logarithmic ? ri_log(value) : value);
        f->about[k] = x[k];
    }
    law = law_at(f, start, x);
    double sum = residuals(f, &law, f->r);
    for (out->iterations = 0; out->iterations < ROUNDS && damping < 1e12; out->iterations++) {
        differences(f, start, x);
        normal_equations(f, A, g);
        double next = sum;
        for (; next == sum && damping < 1e12; damping *= 10.0)
            next = try_step(f, start, A, g, damping, sum, x);
        const bool done = sum - next < 1e-10 * sum;
        sum = next;
        damping *= 0.01;
        if (done)
            break;
    }
    out->law = law_at(f, start, x);
    return estimate_all(f, x, sum, out);
}

RiStatus ri_soil_fit(RiContext *ctx, const RiSoilWheel *w, const RiSoilLaw *start, const RiWheelTest *tests, int count,
                     const char *const *names, int name_count, RiSoilFit *out)
{
    Work f = {.ctx = ctx, .w = w, .tests = tests, .count = count, .n = name_count};
    if (name_count < 1 || name_count > RI_SOIL_FIT_MAX)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%d numbers to fit; 1 to %d are allowed", name_count, RI_SOIL_FIT_MAX);
    for (int k = 0; k < name_count; k++) {
        f.p[k] = ri_soil_parameter(names[k]);
        if (!f.p[k])
            return ri_error(ctx, RI_ERR_ARGUMENT, "the wheel-soil law has no number '%s'", names[k]);
        for (int i = 0; i < k; i++)
            if (f.p[i] == f.p[k])
                return ri_error(ctx, RI_ERR_ARGUMENT, "the number '%s' is to be fitted twice", names[k]);
    }
    for (int i = 0; i < count; i++)
        f.tested += tests[i].used ? KINDS : 0;
    f.rows = f.tested;
    if (f.rows <= name_count)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%d tests are too few for %d numbers", f.rows / KINDS, name_count);
    double *memory = ri_alloc_zero(ctx, (size_t)(f.rows + f.n) * (size_t)(2 + f.n), sizeof *memory);
    if (!memory)
        return ri_error_memory(ctx);
    f.r = memory;
    f.next = memory + f.rows + f.n;
    f.J = f.next + f.rows + f.n;
    *out = (RiSoilFit){0};
    RiStatus status = descend(&f, start, out);
    if (status == RI_ERR_NUMERIC) {
        *out = (RiSoilFit){.held = true};
        double squares = 0.0;
        for (int i = 0; i < f.tested; i++)
            squares += f.r[i] * f.r[i];
        f.doubt = fmax(LEAST_DOUBT, sqrt(squares / f.tested));
        f.rows += f.n;
        status = descend(&f, start, out);
    }
    ri_release(ctx, memory);
    return status;
}
