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
    double longest = 0.0;
    for (int i = 0; i < n; i++)
        longest = fmax(longest, fabs(w->step[i]));
    for (int i = 0; o->longest > 0.0 && longest > o->longest && i < n; i++)
        w->step[i] *= o->longest / longest;
}

/// Moves along w->step until the residual is smaller; the last move stands.
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

RiNewtonResult ri_newton_solve(const RiNewtonProblem *p, const RiNewtonOptions *o, const RiNewtonWork *w)
{
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
