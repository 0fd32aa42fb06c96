// SPDX-License-Identifier: Apache-2.0
/// \file
/// Statistics of drag tests.
///
/// With coefficients m = force / load, mu is the mean of the parallel ones, with the variance s^2 /
/// n. The normal ones are fitted by least squares, m = a + b F_n, and e0 = a / mu, e1 = b / mu. The
/// two sets are independent, so to first order
///
///     var(e0) = var(a) / mu^2 + a^2 var(mu) / mu^4,      e1 likewise
///
/// Intervals are Student's; of the quotients with the degrees of freedom of Welch and
/// Satterthwaite. Scatter is taken as equal at all loads. Test: tests/study/test_fit_screw.c.
#include "base/functions.h"

#include <math.h>
#include <stdlib.h>

#include <rille/study/fit_screw.h>

#include "base/memory.h"

/// Robust standard deviations beyond which a test is an outlier [iglewicz1993].
static const double OUTLIER = 3.5;

double ri_student_95(double freedom)
{
    const double z = 1.959963984540054, z2 = z * z, v = freedom;
    if (v < 1.5)
        return 12.706204736432095; // 1 degree of freedom
    if (v < 2.5)
        return 4.302652729911275; // 2
    // expansion about the normal distribution
    return z * (1.0 + (z2 + 1.0) / (4.0 * v) + ((5.0 * z2 + 16.0) * z2 + 3.0) / (96.0 * v * v) +
                (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / (384.0 * v * v * v) +
                ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / (92160.0 * v * v * v * v));
}

/// A straight line m = a + b (F - centre) with the variances of a and b; for parallel tests b is 0.
typedef struct Line {
    double a, b, centre, var_a, var_b, scatter;
    int count;
} Line;

static double coefficient(const RiDragTest *t)
{
    return t->force / t->load;
}

static bool used(const RiDragTest *t, RiDragDirection direction, bool drop)
{
    return t->direction == direction && !(drop && t->outlier);
}

static double residual(const Line *l, const RiDragTest *t)
{
    return coefficient(t) - l->a - l->b * (t->load - l->centre);
}

/// Least squares over one direction. Centred loads make a and b uncorrelated.
static Line fit_line(const RiDragTest *tests, int count, RiDragDirection direction, bool drop)
{
    Line l = {0};
    double spread = 0.0, square = 0.0;
    for (int i = 0; i < count; i++)
        if (used(&tests[i], direction, drop)) {
            l.count++;
            l.a += coefficient(&tests[i]);
            l.centre += tests[i].load;
        }
    l.a /= l.count;
    l.centre /= l.count;
    const bool sloped = direction == RI_DRAG_NORMAL;
    for (int i = 0; i < count && sloped; i++)
        if (used(&tests[i], direction, drop)) {
            const double x = tests[i].load - l.centre;
            spread += x * x;
            l.b += x * coefficient(&tests[i]);
        }
    l.b = spread > 0.0 ? l.b / spread : 0.0;
    for (int i = 0; i < count; i++)
        if (used(&tests[i], direction, drop))
            square += residual(&l, &tests[i]) * residual(&l, &tests[i]);
    const double variance = square / (l.count - (sloped ? 2 : 1));
    l.scatter = sqrt(variance);
    l.var_a = variance / l.count;
    l.var_b = spread > 0.0 ? variance / spread : INFINITY;
    return l;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Marks tests far from a line through the medians: the median of their absolute residuals is
/// 0.6745 standard deviations of normal scatter.
static int mark_outliers(RiDragTest *tests, int count, RiDragDirection direction, double *work)
{
    const Line l = fit_line(tests, count, direction, false);
    int n = 0, marked = 0;
    for (int i = 0; i < count; i++)
        if (tests[i].direction == direction)
            work[n++] = residual(&l, &tests[i]);
    qsort(work, (size_t)n, sizeof *work, ascending);
    const double middle = 0.5 * (work[(n - 1) / 2] + work[n / 2]);
    for (int i = 0; i < n; i++)
        work[i] = fabs(work[i] - middle);
    qsort(work, (size_t)n, sizeof *work, ascending);
    const double deviation = 0.5 * (work[(n - 1) / 2] + work[n / 2]) / 0.6745;
    for (int i = 0; i < count; i++)
        if (tests[i].direction == direction) {
            tests[i].outlier = deviation > 0.0 && fabs(residual(&l, &tests[i]) - middle) > OUTLIER * deviation;
            marked += tests[i].outlier;
        }
    return marked;
}

static RiEstimate estimate(double value, double variance, double freedom)
{
    const double error = sqrt(variance), reach = ri_student_95(freedom) * error;
    return (RiEstimate){value, error, value - reach, value + reach};
}

/// x / mu, with the variances of both.
static RiEstimate quotient(double x, double var_x, double free_x, const Line *mu)
{
    const double a = var_x / (mu->a * mu->a), b = x * x * mu->var_a / ri_pow(mu->a, 4.0);
    const double freedom = (a + b) * (a + b) / (a * a / free_x + b * b / (mu->count - 1));
    return estimate(x / mu->a, a + b, a + b > 0.0 ? freedom : free_x);
}

static RiStatus check(RiContext *ctx, const RiDragTest *tests, int count, bool drop, RiScrewFit *f)
{
    f->load[0] = INFINITY;
    f->load[1] = -INFINITY;
    for (int i = 0; i < count; i++) {
        f->parallel += used(&tests[i], RI_DRAG_PARALLEL, drop);
        if (!used(&tests[i], RI_DRAG_NORMAL, drop))
            continue;
        f->normal++;
        f->load[0] = fmin(f->load[0], tests[i].load);
        f->load[1] = fmax(f->load[1], tests[i].load);
    }
    if (f->parallel < 2 || f->normal < 3)
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "%d parallel and %d normal tests: a fit needs at least 2 parallel and 3 normal ones",
                        f->parallel, f->normal);
    if (!(f->load[1] > f->load[0]))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "all normal tests have the load %g N: a line needs at least two different loads", f->load[0]);
    return RI_OK;
}

RiStatus ri_screw_fit(RiContext *ctx, RiDragTest *tests, int count, bool drop, RiScrewFit *out)
{
    *out = (RiScrewFit){0};
    RI_TRY(check(ctx, tests, count, false, out));
    double *work = ri_alloc_zero(ctx, (size_t)count, sizeof *work);
    if (!work)
        return ri_error_memory(ctx);
    int outliers = mark_outliers(tests, count, RI_DRAG_PARALLEL, work);
    outliers += mark_outliers(tests, count, RI_DRAG_NORMAL, work);
    ri_release(ctx, work);
    *out = (RiScrewFit){.outliers = outliers};
    RI_TRY(check(ctx, tests, count, drop, out));
    const Line mu = fit_line(tests, count, RI_DRAG_PARALLEL, drop), m = fit_line(tests, count, RI_DRAG_NORMAL, drop);
    if (!(mu.a > 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "the parallel tests give mu = %g: it must be positive", mu.a);
    const double a = m.a - m.b * m.centre, var_a = m.var_a + m.centre * m.centre * m.var_b;
    out->mu = estimate(mu.a, mu.var_a, mu.count - 1);
    out->e0 = quotient(a, var_a, m.count - 2, &mu);
    out->e1 = quotient(m.b, m.var_b, m.count - 2, &mu);
    out->scatter[0] = mu.scatter;
    out->scatter[1] = m.scatter;
    return RI_OK;
}
