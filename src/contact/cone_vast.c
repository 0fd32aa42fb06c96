// SPDX-License-Identifier: Apache-2.0
/// \file
/// Vast sparse problems, up to hundreds of thousands of contacts: sweeps say what contacts do, Newton
/// steps on that are solved without a matrix.
///
/// The Newton system is that of cone_newton.c. Its products are those of W with a move of the
/// reactions, so that memory and time of a product grow with the blocks of W. It is solved by the
/// stabilised method of biconjugate gradients [vandervorst1992], preconditioned by each contact's own
/// part, only as well as the step is worth. docs/theory/cone.md.
#include <math.h>
#include <string.h>

#include "contact/cone_solver.h"

/// Products with W in one Newton step at most.
enum { PRODUCTS = 400 };
/// What a pass of the splitting may leave of its system: the next goes on from there.
static const double SHARE = 0.05;

static double dot(const double *a, const double *b, int count)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// --- the system ----------------------------------------------------------------------------------

/// Move of the reactions of contact i for its unknowns x.
static void expand(const RiConeSolver *s, int i, const double *x, double out[4])
{
    const RiConeNewton *t = &s->t;
    const int count = t->first[i + 1] - t->first[i];
    const double *e = t->e[i], mu = s->w.local[i].mu;
    out[0] = count > 0 ? x[0] : 0.0;
    out[1] = out[2] = out[3] = 0.0;
    if (count == 3) {
        out[1] = x[1], out[2] = x[2];
    } else if (count > 0) {
        const double turn = count == 2 ? x[1] : 0.0;
        out[1] = mu * e[0] * x[0] - e[1] * turn;
        out[2] = mu * e[1] * x[0] + e[0] * turn;
    }
}

/// Rows of contact i for a change u of its velocity.
static void reduce(const RiConeSolver *s, int i, const double *x, const double u[3], double *out)
{
    const RiConeNewton *t = &s->t;
    const int count = t->first[i + 1] - t->first[i];
    const double *e = t->e[i], shift = s->shift * s->diagonal;
    if (count > 0)
        out[0] = u[0] + shift * x[0];
    if (count == 2)
        out[1] = e[0] * u[2] - e[1] * u[1] + (t->turn[i] + shift) * x[1];
    if (count == 3)
        out[1] = u[1] + shift * x[1], out[2] = u[2] + shift * x[2];
}

static void product(RiConeSolver *s, const double *x, double *out)
{
    RiConeKrylov *v = &s->krylov;
    RiConeWork w = s->w;
    w.q = v->zero;
    for (int i = 0; i < w.n; i++)
        expand(s, i, x + s->t.first[i], v->move + 4 * (size_t)i);
    s->k->velocity(&w, v->move, v->change);
    for (int i = 0; i < w.n; i++)
        reduce(s, i, x + s->t.first[i], v->change + 4 * (size_t)i, out + s->t.first[i]);
}

/// Inverse of the part of one contact, `count` by `count`; nothing is done to what is singular.
static void invert_own(const double a[9], int count, double out[9])
{
    const double size = fmax(fabs(a[0]), fmax(fabs(a[4]), fabs(a[8])));
    double m[9];
    memset(out, 0, 9 * sizeof *out);
    for (int i = 0; i < 9; i++)
        m[i] = i % 3 < count && i / 3 < count ? a[i] : i % 4 == 0 ? 1.0 : 0.0;
    const double c[3] = {m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6]};
    const double det = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
    double least = 1e-12;
    for (int i = 0; i < count; i++)
        least *= size;
    if (!(fabs(det) > least)) {
        out[0] = out[4] = out[8] = size > 0.0 ? 1.0 / size : 1.0;
        return;
    }
    const double f = 1.0 / det;
    const double rows[9] = {c[0], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                            c[1], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                            c[2], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    for (int i = 0; i < 9; i++)
        out[i] = f * rows[i];
}

void ri_cone_krylov_prepare(RiConeSolver *s)
{
    const RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        const double *d = w->block + 12 * (size_t)w->diagonal[i];
        const int count = s->t.first[i + 1] - s->t.first[i];
        double a[9] = {0.0};
        for (int k = 0; k < count; k++) {
            double x[3] = {0.0, 0.0, 0.0}, move[4], u[3], y[3] = {0.0, 0.0, 0.0};
            x[k] = 1.0;
            expand(s, i, x, move);
            for (int l = 0; l < 3; l++)
                u[l] = d[l] * move[0] + d[4 + l] * move[1] + d[8 + l] * move[2];
            reduce(s, i, x, u, y);
            for (int l = 0; l < count; l++)
                a[3 * l + k] = y[l];
        }
        invert_own(a, count, s->krylov.inverse + 9 * (size_t)i);
    }
}

static void precondition(const RiConeSolver *s, const double *x, double *out)
{
    const int *first = s->t.first;
    for (int i = 0; i < s->w.n; i++) {
        const double *m = s->krylov.inverse + 9 * (size_t)i;
        const int count = first[i + 1] - first[i];
        for (int k = 0; k < count; k++) {
            double sum = 0.0;
            for (int l = 0; l < count; l++)
                sum += m[3 * k + l] * x[first[i] + l];
            out[first[i] + k] = sum;
        }
    }
}

bool ri_cone_krylov(RiConeSolver *s, double share)
{
    RiConeKrylov *v = &s->krylov;
    double *x = v->sum, *b = s->t.x;
    const int m = s->t.m;
    memset(x, 0, (size_t)m * sizeof *x);
    memcpy(v->residual, b, (size_t)m * sizeof *b);
    memcpy(v->shadow, b, (size_t)m * sizeof *b);
    memcpy(v->search, b, (size_t)m * sizeof *b);
    const double begin = sqrt(dot(b, b, m)), enough = share * begin;
    double rho = begin * begin, left = begin;
    for (int k = 0; k < PRODUCTS && left > enough && rho != 0.0; k += 2) {
        precondition(s, v->search, v->trial);
        product(s, v->trial, v->along);
        const double under = dot(v->shadow, v->along, m), alpha = rho / under;
        if (!(under != 0.0) || !isfinite(alpha))
            break;
        for (int i = 0; i < m; i++) {
            x[i] += alpha * v->trial[i];
            v->residual[i] -= alpha * v->along[i];
        }
        precondition(s, v->residual, v->half);
        product(s, v->half, v->other);
        const double square = dot(v->other, v->other, m);
        const double omega = square > 0.0 ? dot(v->other, v->residual, m) / square : 0.0;
        for (int i = 0; i < m; i++) {
            x[i] += omega * v->half[i];
            v->residual[i] -= omega * v->other[i];
        }
        left = sqrt(dot(v->residual, v->residual, m));
        s->result->products += 2;
        const double next = dot(v->shadow, v->residual, m);
        if (!(omega != 0.0) || !isfinite(left))
            break;
        const double beta = next / rho * (alpha / omega);
        rho = next;
        for (int i = 0; i < m; i++)
            v->search[i] = v->residual[i] + beta * (v->search[i] - omega * v->along[i]);
    }
    memcpy(b, x, (size_t)m * sizeof *b);
    return left < 0.5 * begin && ri_cone_all_finite(b, (size_t)m);
}

/// Conjugate gradients for t.x, where the matrix is symmetric and positive.
static void conjugate(RiConeSolver *s, double share)
{
    RiConeKrylov *v = &s->krylov;
    double *x = v->sum, *b = s->t.x;
    const int m = s->t.m;
    memset(x, 0, (size_t)m * sizeof *x);
    memcpy(v->residual, b, (size_t)m * sizeof *b);
    precondition(s, v->residual, v->search);
    const double enough = share * sqrt(dot(b, b, m));
    double rho = dot(v->residual, v->search, m);
    for (int k = 0; k < PRODUCTS && rho > 0.0; k++) {
        product(s, v->search, v->along);
        s->result->products++;
        const double under = dot(v->search, v->along, m), alpha = rho / under;
        if (!(under > 0.0))
            break;
        for (int i = 0; i < m; i++) {
            x[i] += alpha * v->search[i];
            v->residual[i] -= alpha * v->along[i];
        }
        if (sqrt(dot(v->residual, v->residual, m)) <= enough)
            break;
        precondition(s, v->residual, v->half);
        const double next = dot(v->residual, v->half, m), beta = next / rho;
        rho = next;
        for (int i = 0; i < m; i++)
            v->search[i] = v->half[i] + beta * v->search[i];
    }
    memcpy(b, x, (size_t)m * sizeof *b);
}

void ri_cone_krylov_from(RiConeSolver *s, double *r)
{
    double *b = s->t.x, *out = s->krylov.other;
    for (int i = 0; i < s->w.n; i++)
        memcpy(s->krylov.half + 3 * (size_t)i, r + 4 * (size_t)i, 3 * sizeof *r);
    product(s, s->krylov.half, out);
    for (int i = 0; i < 3 * s->w.n; i++)
        b[i] -= out[i];
    if (s->w.source.across && !s->w.source.associated)
        (void)ri_cone_krylov(s, SHARE);
    else
        conjugate(s, SHARE);
    for (int i = 0; i < s->w.n; i++)
        for (int k = 0; k < 3; k++)
            b[3 * i + k] = r[4 * i + k] += b[3 * i + k];
}

// --- the whole -----------------------------------------------------------------------------------

void ri_cone_solve_vast(RiConeSolver *s)
{
    enum { SWEEPS = 50, PASSES = 4000, STEPS = 100 };
    ri_cone_sweep(s, SWEEPS);
    (void)(ri_cone_iterate(s, s->tolerance, 2) || ri_cone_is_exhausted(s, false) || ri_cone_split(s, PASSES) ||
           ri_cone_is_exhausted(s, true) || ri_cone_alart(s, 1.0, s->tolerance, STEPS) ||
           ri_cone_is_exhausted(s, true));
}
