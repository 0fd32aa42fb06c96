// SPDX-License-Identifier: Apache-2.0
/// \file
/// An interior point method for cone problems: reactions and shifted velocities stay inside their
/// cones and reach the boundary together.
///
///     y = u + mu |u_T| e_N in K*,    y = W r + q + s,    r o y = tau e with tau -> 0,    s = mu |y_T| e_N of the point before
///
/// With s held this is a convex problem, and the matrix of its Newton step is W + T, with T the
/// positive scaling of Nesterov and Todd for each contact [nesterov1997]: regular however singular
/// W is. s follows from step to step, as the fixed point of Cadoux does [acary2011]. Nobody has to
/// guess what contacts do on the way; where the path comes near the solution, Newton steps on what
/// the contacts then do take over. Equations: docs/theory/cone.md.
#include <math.h>
#include <string.h>

#include "contact/cone_solver.h"

/// A contact in coordinates in which both cones are |x_T| <= x_0: a = (mu r_N, r_T), b = (y_N / mu,
/// y_T).
typedef struct Pair {
    double a[3], b[3];
} Pair;

/// x_0^2 - |x_T|^2, as a product: squares would cancel near the boundary.
static double inside(const double x[3])
{
    const double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

static Pair pair_of(const RiConeSolver *s, int i)
{
    const double mu = s->w.local[i].mu, *r = s->w.r + 4 * (size_t)i, *y = s->dual + 4 * (size_t)i;
    return (Pair){.a = {mu * r[0], r[1], r[2]}, .b = {y[0] / mu, y[1], y[2]}};
}

/// T with T a = b, in the coordinates of r and y. With |x| = sqrt(x_0^2 - |x_T|^2) and J = diag(1,
/// -1, -1):
///
///     T = (2 v v' - J) |b| / |a|,     v = (J a / |a| + b / |b|) / sqrt(2 + 2 a . b / (|a| |b|))
///
/// A contact without friction has y_N / r_N alone.
static void scaling(const RiConeSolver *s, int i, double T[9])
{
    const double mu = s->w.local[i].mu, *r = s->w.r + 4 * (size_t)i, *y = s->dual + 4 * (size_t)i;
    memset(T, 0, 9 * sizeof *T);
    T[0] = y[0] / r[0];
    if (mu == 0.0)
        return;
    const Pair p = pair_of(s, i);
    const double a = sqrt(inside(p.a)), b = sqrt(inside(p.b)), size = b / a;
    const double dot = (p.a[0] * p.b[0] + p.a[1] * p.b[1] + p.a[2] * p.b[2]) / (a * b), c = sqrt(2.0 * (1.0 + dot));
    const double v[3] = {(p.a[0] / a + p.b[0] / b) / c, (p.b[1] / b - p.a[1] / a) / c, (p.b[2] / b - p.a[2] / a) / c};
    const double J[3] = {1.0, -1.0, -1.0}, unit[3] = {mu, 1.0, 1.0};
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            T[3 * k + l] = size * unit[k] * unit[l] * (2.0 * v[k] * v[l] - (k == l ? J[k] : 0.0));
}

/// Factors W + T.
static bool factor(RiConeSolver *s)
{
    RiConeNewton *t = &s->t;
    for (int i = 0; i < s->w.n; i++)
        s->w.state[i] = s->w.local[i].mu > 0.0 ? RI_CONE_STICK : RI_CONE_SLIDE; // three unknowns, or the normal one
    memset(t->turn, 0, (size_t)s->w.n * sizeof *t->turn);
    ri_cone_plan(s);
    s->k->assemble(&s->w, t, 0.0);
    for (int i = 0; i < s->w.n; i++) {
        double T[9], *A = t->A + (size_t)t->first[i] * (t->stride + 1);
        const int count = t->first[i + 1] - t->first[i];
        scaling(s, i, T);
        for (int k = 0; k < count; k++)
            for (int l = 0; l < count; l++)
                A[(size_t)k * t->stride + (size_t)l] += T[3 * k + l];
    }
    s->result->factors++;
    s->factor_n = 0; // not a Newton matrix
    return s->factor_dense ? s->k->factor(t) : s->k->factor_profile(t, 0.0);
}

/// Largest length up to 1 at which x + length dx has not left |x_T| <= x_0: the least positive root
/// of a l^2 + 2 b l + c.
static double reach(const double x[3], const double dx[3])
{
    const double a = dx[0] * dx[0] - dx[1] * dx[1] - dx[2] * dx[2];
    const double b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2], c = inside(x), d = b * b - a * c;
    double length = dx[0] < 0.0 ? fmin(1.0, -x[0] / dx[0]) : 1.0;
    if (b < 0.0 && d >= 0.0)
        length = fmin(length, c / (sqrt(d) - b));
    else if (a < 0.0 && d >= 0.0)
        length = fmin(length, -(b + sqrt(d)) / a);
    return length;
}

/// How far contact i may go along dr = x and dy.
static double contact_reach(const RiConeSolver *s, int i, const double *x, const double *dy)
{
    const double mu = s->w.local[i].mu, *r = s->w.r + 4 * (size_t)i, *y = s->dual + 4 * (size_t)i;
    if (mu == 0.0)
        return fmin(x[0] < 0.0 ? fmin(1.0, -r[0] / x[0]) : 1.0, dy[0] < 0.0 ? fmin(1.0, -y[0] / dy[0]) : 1.0);
    const Pair p = pair_of(s, i);
    return fmin(reach(p.a, (const double[3]){mu * x[0], x[1], x[2]}),
                reach(p.b, (const double[3]){dy[0] / mu, dy[1], dy[2]}));
}

/// dr (t.x) and dy (base) that aim at r o y = target: (W + T) dr = (y - s - W r - q) + c, dy = c -
/// T dr with c = target a^-1 - b. Returns how far they may go.
static double direction(RiConeSolver *s, double target)
{
    const RiConeWork *w = &s->w;
    double length = 1.0, T[9];
    for (int i = 0; i < w->n; i++) {
        const double mu = w->local[i].mu, *r = w->r + 4 * (size_t)i, *y = s->dual + 4 * (size_t)i;
        const double *u = w->u + 4 * (size_t)i, slip = mu * sqrt(y[1] * y[1] + y[2] * y[2]);
        double *c = s->base + 4 * (size_t)i, *x = s->t.x + s->t.first[i];
        const Pair p = mu > 0.0 ? pair_of(s, i) : (Pair){0};
        const double d = mu > 0.0 ? target / inside(p.a) : 0.0;
        c[0] = mu > 0.0 ? mu * d * p.a[0] - y[0] : target / r[0] - y[0];
        c[1] = -d * p.a[1] - p.b[1], c[2] = -d * p.a[2] - p.b[2];
        x[0] = y[0] - slip - u[0] + c[0];
        for (int k = 1; k < 3 && mu > 0.0; k++)
            x[k] = y[k] - u[k] + c[k];
    }
    (s->factor_dense ? s->k->solve : s->k->solve_profile)(&s->t, s->t.x);
    for (int i = 0; i < w->n; i++) {
        const double *x = s->t.x + s->t.first[i];
        double *c = s->base + 4 * (size_t)i;
        const int count = s->t.first[i + 1] - s->t.first[i];
        scaling(s, i, T);
        for (int k = 0; k < count; k++)
            for (int l = 0; l < count; l++)
                c[k] -= T[3 * k + l] * x[l];
        length = fmin(length, contact_reach(s, i, x, c));
    }
    return length;
}

/// r . y per contact after a step.
static double product(const RiConeSolver *s, double length)
{
    double sum = 0.0;
    for (int i = 0; i < s->w.n; i++)
        for (int k = 0; k < s->t.first[i + 1] - s->t.first[i]; k++) {
            const size_t at = 4 * (size_t)i + (size_t)k;
            sum += (s->w.r[at] + length * s->t.x[s->t.first[i] + k]) * (s->dual[at] + length * s->base[at]);
        }
    return sum / s->w.n;
}

/// Every contact pressed by what would stop it, and opening at the speed of the problem.
static void start(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    const double speed = s->scale / sqrt((double)w->n);
    for (int i = 0; i < w->n; i++) {
        const double mu = w->local[i].mu, own = fmax(s->own[4 * (size_t)i], 1e-6 * s->diagonal);
        double *r = w->r + 4 * (size_t)i, *y = s->dual + 4 * (size_t)i;
        memset(r, 0, 4 * sizeof *r);
        memset(y, 0, 4 * sizeof *y);
        r[0] = speed / (own * fmin(1.0, fmax(0.1, mu)));
        y[0] = speed * fmax(1.0, mu);
    }
}

/// One step: first straight at the boundary to see how far that goes, then with as much centring as
/// that calls for. False where it gets nowhere.
static bool step(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    if (!factor(s))
        return false;
    const double straight = direction(s, 0.0), now = product(s, 0.0), ratio = product(s, straight) / now;
    const double centring = fmin(1.0, fmax(1e-3 * (1.0 - straight), ratio * ratio * ratio));
    const double most = direction(s, 0.5 * centring * now), length = most < 1.0 ? 0.99 * most : 1.0;
    if (!(length > 1e-10) || !ri_cone_all_finite(s->t.x, (size_t)s->t.m))
        return false;
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < s->t.first[i + 1] - s->t.first[i]; k++) {
            w->r[4 * i + k] += length * s->t.x[s->t.first[i] + k];
            s->dual[4 * i + k] += length * s->base[4 * i + k];
        }
    return true;
}

/// Takes each contact to where the path is leading it: open, sticking, or sliding on its cone.
static void settle(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        const double mu = w->local[i].mu, own = s->own[4 * (size_t)i], *y = s->dual + 4 * (size_t)i;
        double *r = w->r + 4 * (size_t)i;
        const double t = sqrt(r[1] * r[1] + r[2] * r[2]), slip = sqrt(y[1] * y[1] + y[2] * y[2]);
        const bool open = own * r[0]<y[0] - mu * slip, stick = mu> 0.0 && own * (mu * r[0] - t) > slip;
        w->state[i] = open ? RI_CONE_OPEN : stick ? RI_CONE_STICK : RI_CONE_SLIDE;
        if (open)
            r[0] = r[1] = r[2] = 0.0;
        else if (!stick && t > 0.0)
            r[1] *= mu * r[0] / t, r[2] *= mu * r[0] / t;
    }
}

bool ri_cone_interior(RiConeSolver *s, int steps)
{
    const size_t size = 4 * (size_t)s->w.n * sizeof(double);
    double tried = 1e-2;
    start(s);
    ri_cone_measure(s);
    for (int k = 0; k < steps && s->budget > 0; k++, s->budget--) {
        if (!step(s))
            return false;
        s->result->interior++;
        ri_cone_measure(s);
        ri_cone_keep_best(s);
        if (s->residual <= s->tolerance)
            return true;
        if (s->residual > tried)
            continue;
        tried = 0.1 * s->residual;
        memcpy(s->near, s->w.r, size);
        settle(s);
        s->shift = RI_CONE_SHIFT_LEAST;
        if (ri_cone_iterate(s, s->tolerance, 1))
            return true;
        memcpy(s->w.r, s->near, size);
        ri_cone_measure(s);
    }
    return false;
}
