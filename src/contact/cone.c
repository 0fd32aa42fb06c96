// SPDX-License-Identifier: Apache-2.0
/// \file
/// The discrete contact problem: access, checks, and the residual that judges solvers. Nothing here
/// knows of a solver.
#include <math.h>
#include <string.h>

#include <rille/cone.h>

#include "contact/cone_work.h"

const char *ri_cone_end_name(RiConeEnd end)
{
    static const char *const names[RI_CONE_END_COUNT] = {"solved", "limit", "stalled", "inconsistent", "bad input"};
    return end >= 0 && end < RI_CONE_END_COUNT ? names[end] : "?";
}

const char *ri_cone_contact_name(RiConeContact contact)
{
    return contact == RI_CONE_OPEN ? "open" : contact == RI_CONE_STICK ? "stick" : "slide";
}

void ri_cone_block(const RiConeProblem *p, int i, int j, double out[9])
{
    memset(out, 0, 9 * sizeof *out);
    if (p->W) {
        for (int k = 0; k < 3; k++)
            memcpy(out + 3 * k, p->W + (size_t)(3 * i + k) * 3 * (size_t)p->n + 3 * j, 3 * sizeof *out);
        return;
    }
    for (int b = p->row[i]; b < p->row[i + 1]; b++)
        if (p->column[b] == j)
            memcpy(out, p->block + 9 * (size_t)b, 9 * sizeof *out);
}

static RiStatus check_numbers(RiContext *ctx, const char *what, const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return ri_error(ctx, RI_ERR_ARGUMENT, "%s[%zu] = %g; it must be finite", what, k, x[k]);
    return RI_OK;
}

static RiStatus check_rows(RiContext *ctx, const RiConeProblem *p)
{
    if (!p->row || !p->column || !p->block)
        return ri_error(ctx, RI_ERR_ARGUMENT, "neither a dense matrix nor rows of blocks are given");
    if (p->row[0] != 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "row[0] = %d; it must be 0", p->row[0]);
    for (int i = 0; i < p->n; i++) {
        if (p->row[i + 1] < p->row[i])
            return ri_error(ctx, RI_ERR_ARGUMENT, "row[%d] = %d follows %d", i + 1, p->row[i + 1], p->row[i]);
        for (int b = p->row[i]; b < p->row[i + 1]; b++)
            if (p->column[b] < 0 || p->column[b] >= p->n || (b > p->row[i] && p->column[b] <= p->column[b - 1]))
                return ri_error(ctx, RI_ERR_ARGUMENT,
                                "column[%d] = %d in row %d; columns ascend from 0 to %d within a row", b, p->column[b],
                                i, p->n - 1);
    }
    return check_numbers(ctx, "block", p->block, 9 * (size_t)p->row[p->n]);
}

RiStatus ri_cone_check(RiContext *ctx, const RiConeProblem *p)
{
    const size_t n = p->n > 0 ? (size_t)p->n : 0;
    if (p->n < 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "%d contacts", p->n);
    if (n == 0)
        return RI_OK;
    if (!p->q || !p->mu)
        return ri_error(ctx, RI_ERR_ARGUMENT, "q or mu is missing");
    RI_TRY(p->W ? check_numbers(ctx, "W", p->W, 9 * n * n) : check_rows(ctx, p));
    RI_TRY(check_numbers(ctx, "q", p->q, 3 * n));
    RI_TRY(check_numbers(ctx, "mu", p->mu, n));
    for (size_t i = 0; i < n; i++) {
        if (p->mu[i] < 0.0)
            return ri_error(ctx, RI_ERR_ARGUMENT, "mu[%zu] = %g; it must not be negative", i, p->mu[i]);
        if (p->across && !(p->across[i] > 0.0 && isfinite(p->across[i])))
            return ri_error(ctx, RI_ERR_ARGUMENT, "across[%zu] = %g; it must be above 0", i, p->across[i]);
    }
    return RI_OK;
}

static double row_times(const double *row, const double *x, int n)
{
    double s[4] = {0.0, 0.0, 0.0, 0.0}; // four sums: their order is part of the result
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int l = 0; l < 4; l++)
            s[l] += row[k + l] * x[k + l];
    for (; k < n; k++)
        s[0] += row[k] * x[k];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static bool carries(const double *r)
{
    return r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0;
}

/// u += W r in rows from .. to-1. Columns of contacts without reaction are not read.
static void add_rows(const RiConeProblem *p, const double *r, int from, int to, double *u)
{
    const size_t n3 = 3 * (size_t)p->n;
    for (int j = 0, end; j < p->n; j = end) {
        const bool used = carries(r + 3 * j);
        for (end = j + 1; end < p->n && carries(r + 3 * end) == used; end++)
            ;
        for (int i = from; used && i < to; i++)
            u[i] += row_times(p->W + (size_t)i * n3 + 3 * j, r + 3 * j, 3 * (end - j));
    }
}

void ri_cone_velocity(const RiConeProblem *p, const double *r, double *u)
{
    enum { STRIPE = 48 }; // rows at a time: of what the cache holds, contacts side by side share lines
    const int n3 = 3 * p->n;
    if (p->W) {
        memcpy(u, p->q, (size_t)n3 * sizeof *u);
        for (int i = 0; i < n3; i += STRIPE)
            add_rows(p, r, i, i + STRIPE < n3 ? i + STRIPE : n3, u);
        return;
    }
    for (int i = 0; i < p->n; i++) {
        double s[3] = {0.0, 0.0, 0.0};
        for (int b = p->row[i]; b < p->row[i + 1]; b++) {
            const double *w = p->block + 9 * (size_t)b, *x = r + 3 * p->column[b];
            for (int k = 0; k < 3; k++)
                s[k] += w[3 * k] * x[0] + w[3 * k + 1] * x[1] + w[3 * k + 2] * x[2];
        }
        for (int k = 0; k < 3; k++)
            u[3 * i + k] = p->q[3 * i + k] + s[k];
    }
}

double ri_cone_residual(const RiConeProblem *p, const double *r, double *out_u)
{
    double sum = 0.0, scale = 0.0;
    ri_cone_velocity(p, r, out_u);
    for (int i = 0; i < p->n; i++) {
        const double across = p->across ? p->across[i] : 1.0, flow = p->flow == RI_CONE_ASSOCIATED ? across : 1.0;
        const double *x = r + 3 * i, *v = out_u + 3 * i;
        sum += ri_cone_map(p->mu[i], 1.0, (const double[3]){x[0], x[1], x[2] / across},
                           (const double[3]){v[0], v[1], v[2] * flow});
    }
    for (int i = 0; i < 3 * p->n; i++)
        scale += p->q[i] * p->q[i];
    return scale > 0.0 ? sqrt(sum) / sqrt(scale) : sqrt(sum);
}

RiConeContact ri_cone_contact(const double r[3], const double u[3], double speed)
{
    if (!(r[0] > 0.0))
        return RI_CONE_OPEN;
    return u[1] * u[1] + u[2] * u[2] <= speed * speed ? RI_CONE_STICK : RI_CONE_SLIDE;
}
