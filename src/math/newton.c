// SPDX-License-Identifier: Apache-2.0
/// \file
/// Newton's method:  J dx = -f,  x <- x (+) s dx,  s = 1, 1/2, 1/4 ... until |f|^2 falls.
#include "math/newton.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/dense.h"

static size_t lay_out(char *block, int rows, int unknowns, RiNewtonWork *w)
{
    const size_t r = (size_t)rows, n = (size_t)unknowns, most = r > n ? r : n;
    size_t at = 0;
    w->f = ri_carve(block, &at, r, sizeof(double));
    w->J = ri_carve(block, &at, r * n, sizeof(double));
    w->A = ri_carve(block, &at, r * n, sizeof(double));
    w->H = ri_carve(block, &at, n * n, sizeof(double));
    w->rhs = ri_carve(block, &at, most, sizeof(double));
    w->step = ri_carve(block, &at, most, sizeof(double));
    w->beta = ri_carve(block, &at, n, sizeof(double));
    w->pivot = ri_carve(block, &at, n, sizeof(int));
    return at;
}

size_t ri_newton_size(int rows, int unknowns)
{
    RiNewtonWork w;
    return lay_out(NULL, rows, unknowns, &w);
}

RiNewtonWork ri_newton_layout(void *block, int rows, int unknowns)
{
    RiNewtonWork w;
    lay_out(block, rows, unknowns, &w);
    return w;
}

/// Largest residual, its row and the sum of squares; infinite where something is not a number.
typedef struct Size {
    double most, sum;
    int row;
} Size;

static Size measure(const double *f, int rows)
{
    Size s = {0.0, 0.0, 0};
    for (int i = 0; i < rows; i++) {
        const double x = fabs(f[i]);
        s.sum += x * x;
        if (x > s.most || isnan(x)) {
            s.most = x;
            s.row = i;
        }
    }
    return s;
}

static Size evaluate(const RiNewtonProblem *p, const RiNewtonWork *w)
{
    if (!p->evaluate(p->user, w->f, w->J))
        return (Size){INFINITY, INFINITY, 0};
    return measure(w->f, p->rows);
}

/// No component longer than the options say.
static void shorten(const RiNewtonOptions *o, int n, double *step)
{
    double longest = 0.0;
    for (int i = 0; i < n; i++)
        longest = fmax(longest, fabs(step[i]));
    for (int i = 0; o->longest > 0.0 && longest > o->longest && i < n; i++)
        step[i] *= o->longest / longest;
}

/// dx of J dx = -f into w->step.
static void find_step(const RiNewtonProblem *p, const RiNewtonOptions *o, const RiNewtonWork *w)
{
    const int n = p->unknowns;
    const size_t entries = (size_t)p->rows * (size_t)n;
    memcpy(w->A, w->J, entries * sizeof *w->A);
    for (int i = 0; i < p->rows; i++)
        w->rhs[i] = -w->f[i];
    if (o->lu && p->rows == n && ri_lu_factor(n, w->A, w->pivot)) {
        memcpy(w->step, w->rhs, (size_t)n * sizeof *w->step);
        ri_lu_solve(n, w->A, w->pivot, w->step);
    } else {
        memcpy(w->A, w->J, entries * sizeof *w->A);
        const int rank = ri_qr_factor(p->rows, n, w->A, w->beta, w->pivot, o->rank);
        ri_qr_solve(p->rows, n, w->A, w->beta, w->pivot, rank, w->rhs, w->step);
    }
    shorten(o, n, w->step);
}

/// Moves along w->step until the residual is smaller; the last move is kept.
static Size search_line(const RiNewtonProblem *p, const RiNewtonOptions *o, const RiNewtonWork *w, double sum)
{
    double scale = 1.0;
    for (int k = 0;; k++, scale *= 0.5) {
        p->move(p->user, w->step, scale);
        const Size now = evaluate(p, w);
        if (now.sum < sum || k >= o->halvings)
            return now;
    }
}

/// dx of (J^T J + lambda) dx = -J^T f into w->step, of the J and f kept in A and rhs. Unknowns
/// whose column is zero stay.
static void find_damped(const RiNewtonProblem *p, const RiNewtonOptions *o, const RiNewtonWork *w, double lambda)
{
    const int n = p->unknowns, rows = p->rows;
    for (int a = 0; a < n; a++) {
        w->step[a] = 0.0;
        for (int i = 0; i < rows; i++)
            w->step[a] -= w->A[i * n + a] * w->rhs[i];
        for (int b = 0; b <= a; b++) {
            double sum = a == b ? lambda : 0.0;
            for (int i = 0; i < rows; i++)
                sum += w->A[i * n + a] * w->A[i * n + b];
            w->H[a * n + b] = w->H[b * n + a] = sum;
        }
    }
    if (ri_ldl_factor(n, w->H, 0.0))
        ri_ldl_solve(n, w->H, w->step);
    else
        memset(w->step, 0, (size_t)n * sizeof *w->step);
    shorten(o, n, w->step);
}

static RiNewtonResult solve_damped(const RiNewtonProblem *p, const RiNewtonOptions *o, const RiNewtonWork *w)
{
    static const double LEAST = 1e-15, MOST = 1e6;
    const size_t rows = (size_t)p->rows, n = (size_t)p->unknowns;
    Size at = evaluate(p, w);
    double lambda = o->damping;
    int count = 0;
    bool stands = true; // the point is the best one
    for (; count < o->iterations && at.most > o->enough && isfinite(at.most) && lambda < MOST; count++) {
        if (stands) {
            p->keep(p->user);
            memcpy(w->A, w->J, rows * n * sizeof *w->A);
            memcpy(w->rhs, w->f, rows * sizeof *w->rhs);
        }
        find_damped(p, o, w, lambda);
        p->move(p->user, w->step, 1.0);
        const Size now = evaluate(p, w);
        stands = now.sum < at.sum;
        lambda = !stands ? 10.0 * lambda : fmax((now.sum < 0.25 * at.sum ? 0.01 : 0.3) * lambda, LEAST);
        if (stands)
            at = now;
    }
    if (!stands) {
        p->move(p->user, w->step, 0.0);
        memcpy(w->J, w->A, rows * n * sizeof *w->A);
        memcpy(w->f, w->rhs, rows * sizeof *w->rhs);
    }
    return (RiNewtonResult){at.most <= o->tolerance, count, at.most, at.row};
}

RiNewtonResult ri_newton_solve(const RiNewtonProblem *p, const RiNewtonOptions *o, const RiNewtonWork *w)
{
    if (o->damping > 0.0)
        return solve_damped(p, o, w);
    Size at = evaluate(p, w);
    int count = 0;
    for (; count < o->iterations && at.most > o->enough && isfinite(at.most); count++) {
        p->keep(p->user);
        find_step(p, o, w);
        const Size now = search_line(p, o, w, at.sum);
        const bool gained = o->halvings > 0 ? now.sum < at.sum : now.most < at.most;
        if (!gained && (o->halvings > 0 || at.most < o->tolerance)) { // nothing to gain: keep the better of the two
            p->move(p->user, w->step, 0.0);
            at = evaluate(p, w);
            break;
        }
        at = now;
    }
    return (RiNewtonResult){at.most <= o->tolerance, count, at.most, at.row};
}
