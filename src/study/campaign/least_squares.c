// SPDX-License-Identifier: Apache-2.0
/// \file
/// Levenberg-Marquardt on parameters scaled to their box [marquardt1963]. Identifiability:
/// eigenvectors of J^T J in scaled parameters; along one of eigenvalue l the standard deviation is
/// s / sqrt(l), s^2 = sum / (m - n). A direction that is less certain than the box is wide is reported
/// as not identifiable.
#include <math.h>
#include <string.h>

#include <rille/study/posterior.h>

#include "base/memory.h"
#include "math/dense.h"
#include "study/campaign/eigen.h"

typedef struct Fit {
    RiContext *ctx;
    const RiLeastSquares *o;
    RiResidualFn fn;
    void *user;
    int n, m;
    double *r, *trial, *J; // [m], [m], [m n]
    RiLeastSquaresResult *out;
} Fit;

static void to_user(const Fit *f, const double *u, double *x)
{
    for (int i = 0; i < f->n; i++)
        x[i] = f->o->low[i] + u[i] * (f->o->high[i] - f->o->low[i]);
}

/// Sum of squares at scaled u; INFINITY where the point could not be evaluated.
static RiStatus evaluate(Fit *f, const double *u, double *r, double *out_sum)
{
    double x[RI_FIT_PARAMETERS];
    to_user(f, u, x);
    const RiStatus status = f->fn(f->user, f->n, x, f->m, r);
    f->out->evaluations++;
    *out_sum = INFINITY;
    if (status == RI_ERR_NUMERIC)
        return RI_OK;
    RI_TRY(status);
    double sum = 0.0;
    for (int i = 0; i < f->m; i++)
        sum += r[i] * r[i];
    *out_sum = isfinite(sum) ? sum : INFINITY;
    return RI_OK;
}

static RiStatus differentiate(Fit *f, const double *u)
{
    const double h = f->o->step > 0.0 ? f->o->step : 1e-4;
    double v[RI_FIT_PARAMETERS], sum;
    for (int j = 0; j < f->n; j++) {
        memcpy(v, u, (size_t)f->n * sizeof *v);
        const double sign = u[j] + h <= 1.0 ? 1.0 : -1.0; // inside the box
        v[j] = u[j] + sign * h;
        RI_TRY(evaluate(f, v, f->trial, &sum));
        if (!isfinite(sum))
            return ri_error(f->ctx, RI_ERR_NUMERIC, "parameter %d: the model cannot be evaluated beside the estimate",
                            j + 1);
        for (int i = 0; i < f->m; i++)
            f->J[i * f->n + j] = (f->trial[i] - f->r[i]) / (sign * h);
    }
    return RI_OK;
}

static void normal_matrix(const Fit *f, double *A, double *g)
{
    const int n = f->n;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    memset(g, 0, (size_t)n * sizeof *g);
    for (int i = 0; i < f->m; i++)
        for (int j = 0; j < n; j++) {
            g[j] += f->J[i * n + j] * f->r[i];
            for (int k = 0; k < n; k++)
                A[j * n + k] += f->J[i * n + j] * f->J[i * n + k];
        }
}

/// The damped step from u, cut at the box. Parameters at a bound that the step would leave are
/// held.
static bool damped_step(const Fit *f, const double *A, const double *g, double damping, const double *u, double *out_u)
{
    const int n = f->n;
    double M[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS], d[RI_FIT_PARAMETERS];
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, A[i * n + i]);
    for (int i = 0; i < n; i++) {
        const bool held = (u[i] <= 0.0 && g[i] > 0.0) || (u[i] >= 1.0 && g[i] < 0.0);
        for (int j = 0; j < n; j++) {
            const bool other = (u[j] <= 0.0 && g[j] > 0.0) || (u[j] >= 1.0 && g[j] < 0.0);
            M[i * n + j] = held || other ? 0.0 : A[i * n + j];
        }
        M[i * n + i] = held ? 1.0 : A[i * n + i] + damping * (A[i * n + i] + 1e-9 * largest) + 1e-300;
        d[i] = held ? 0.0 : -g[i];
    }
    if (!ri_ldl_factor(n, M, 1e-300))
        return false;
    ri_ldl_solve(n, M, d);
    for (int i = 0; i < n; i++)
        out_u[i] = fmin(1.0, fmax(0.0, u[i] + d[i]));
    return true;
}

/// Iterates from u, where the sum is `*sum`, until nothing is gained any more.
static RiStatus iterate(Fit *f, double *u, double *sum)
{
    const int n = f->n, most = f->o->iterations > 0 ? f->o->iterations : 50;
    double A[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS], g[RI_FIT_PARAMETERS], v[RI_FIT_PARAMETERS];
    double damping = 1e-3;
    for (int k = 0; k < most; k++) {
        f->out->iterations = k + 1;
        RI_TRY(differentiate(f, u));
        normal_matrix(f, A, g);
        bool gained = false;
        double moved = 0.0;
        for (int attempt = 0; attempt < 12 && !gained; attempt++) {
            double trial = INFINITY;
            if (damped_step(f, A, g, damping, u, v))
                RI_TRY(evaluate(f, v, f->trial, &trial));
            gained = trial < *sum;
            damping = gained ? fmax(1e-12, damping * 0.2) : damping * 5.0;
            if (!gained)
                continue;
            for (int i = 0; i < n; i++)
                moved = fmax(moved, fabs(v[i] - u[i]));
            memcpy(u, v, (size_t)n * sizeof *u);
            memcpy(f->r, f->trial, (size_t)f->m * sizeof *f->r);
            *sum = trial;
        }
        if (!gained || moved < 1e-10)
            break;
    }
    return RI_OK;
}

/// Directions by certainty, strongest first, and the covariance that they add up to.
static void identify(Fit *f, const double *A)
{
    const int n = f->n;
    RiLeastSquaresResult *out = f->out;
    double V[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS], l[RI_FIT_PARAMETERS];
    int order[RI_FIT_PARAMETERS];
    memcpy(V, A, (size_t)(n * n) * sizeof *V);
    ri_eigen_symmetric(n, V, l);
    for (int i = 0; i < n; i++) {
        int k = i;
        for (; k > 0 && l[i] > l[order[k - 1]]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    const double s2 = f->m > n ? out->sum / (f->m - n) : NAN;
    for (int k = 0; k < n; k++) {
        const double value = l[order[k]];
        out->uncertainty[k] = value > 1e-14 * l[order[0]] ? sqrt(s2 / value) : INFINITY;
        out->identifiable += out->uncertainty[k] < 1.0;
        for (int i = 0; i < n; i++)
            out->direction[k * n + i] = V[i * n + order[k]];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double c = 0.0;
            for (int k = 0; k < n; k++) {
                const double part = out->direction[k * n + i] * out->direction[k * n + j];
                if (fabs(part) > 1e-12)
                    c += part * out->uncertainty[k] * out->uncertainty[k];
            }
            out->covariance[i * n + j] = c * (f->o->high[i] - f->o->low[i]) * (f->o->high[j] - f->o->low[j]);
        }
    for (int i = 0; i < n; i++)
        out->sd[i] = sqrt(out->covariance[i * n + i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out->correlation[i * n + j] = out->covariance[i * n + j] / (out->sd[i] * out->sd[j]);
}

static RiStatus run(Fit *f)
{
    const int n = f->n;
    double u[RI_FIT_PARAMETERS], A[RI_FIT_PARAMETERS * RI_FIT_PARAMETERS], g[RI_FIT_PARAMETERS], sum;
    for (int i = 0; i < n; i++)
        u[i] =
            f->o->start ? fmin(1.0, fmax(0.0, (f->o->start[i] - f->o->low[i]) / (f->o->high[i] - f->o->low[i]))) : 0.5;
    RI_TRY(evaluate(f, u, f->r, &sum));
    if (!isfinite(sum))
        return ri_error(f->ctx, RI_ERR_NUMERIC, "the model cannot be evaluated at the start of the fit");
    RI_TRY(iterate(f, u, &sum));
    RI_TRY(differentiate(f, u));
    normal_matrix(f, A, g);
    to_user(f, u, f->out->x);
    f->out->sum = sum;
    for (int i = 0; i < n; i++)
        f->out->at_bound[i] = u[i] <= 0.0 || u[i] >= 1.0;
    identify(f, A);
    return RI_OK;
}

RiStatus ri_least_squares(RiContext *ctx, const RiLeastSquares *o, RiResidualFn r, void *user,
                          RiLeastSquaresResult *out_result)
{
    memset(out_result, 0, sizeof *out_result);
    if (o->n < 1 || o->n > RI_FIT_PARAMETERS || o->m < 1)
        return ri_error(ctx, RI_ERR_ARGUMENT, "a fit has 1 to %d parameters and at least one residual",
                        RI_FIT_PARAMETERS);
    Fit f = {.ctx = ctx, .o = o, .fn = r, .user = user, .n = o->n, .m = o->m, .out = out_result};
    double *block = ri_alloc(ctx, (size_t)o->m * (size_t)(o->n + 2), sizeof *block);
    if (!block)
        return ri_error_memory(ctx);
    f.r = block;
    f.trial = block + o->m;
    f.J = block + 2 * (size_t)o->m;
    const RiStatus status = run(&f);
    ri_release(ctx, block);
    return status;
}
