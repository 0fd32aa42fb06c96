// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sweeps that solve one contact after the other exactly, and Newton steps on the contacts that
/// carry.
///
/// A sweep leaves every reaction on or in its cone and tells what each contact does; with that
/// known the problem is smooth, and Newton's method on the carrying contacts has its quadratic
/// convergence. Where W is singular (hyperstatic) the step is the one of a matrix shifted by a tiny
/// multiple of the identity: it moves r little in directions that no velocity sees.
/// docs/theory/cone.md has the equations.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "contact/cone_solver.h"

// --- measuring -----------------------------------------------------------------------------------

double ri_cone_measure(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    double sum = 0.0;
    s->k->velocity(w, w->r, w->u);
    for (int i = 0; i < w->n; i++) {
        const double weight = w->local[i].weight;
        sum += weight * weight * ri_cone_map(w->local[i].mu, 1.0 / weight, w->r + 4 * (size_t)i, w->u + 4 * (size_t)i);
    }
    s->residual = sqrt(sum) / s->scale;
    return s->residual;
}

void ri_cone_keep_best(RiConeSolver *s)
{
    if (s->alpha == 0.0 && !s->raising && s->residual < s->best_residual) {
        s->best_residual = s->residual;
        memcpy(s->best, s->w.r, 4 * (size_t)s->w.n * sizeof(double));
    }
}

void ri_cone_sweep(RiConeSolver *s, int count)
{
    s->k->sweep(&s->w, count);
    s->result->sweeps += count;
    s->budget -= count;
}

// --- Newton --------------------------------------------------------------------------------------

void ri_cone_plan(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    RiConeNewton *t = &s->t;
    t->m = 0;
    for (int i = 0; i < w->n; i++) {
        t->first[i] = t->m;
        t->m += w->state[i] == RI_CONE_OPEN ? 0 : w->state[i] == RI_CONE_STICK ? 3 : w->local[i].mu > 0.0 ? 2 : 1;
    }
    t->first[w->n] = t->m;
    s->factor_dense = t->m <= DENSE_UNKNOWNS || w->dense;
    int reach = 0; // `high` is monotone, so that a factor stays inside
    for (int i = 0; i < w->n; i++) {
        int low = t->first[i];
        for (int b = w->start[i]; b < w->start[i + 1] && !s->factor_dense; b++) {
            const int j = w->column[b];
            if (t->first[j + 1] == t->first[j])
                continue;
            low = low < t->first[j] ? low : t->first[j];
            reach = reach > t->first[j + 1] ? reach : t->first[j + 1];
        }
        for (int k = t->first[i]; k < t->first[i + 1]; k++) {
            t->low[k] = s->factor_dense ? 0 : low;
            t->high[k] = s->factor_dense ? t->m : reach;
        }
    }
}

static void directions(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        const double *r = w->r + 4 * (size_t)i, t = sqrt(r[1] * r[1] + r[2] * r[2]);
        s->t.e[i][0] = t > 0.0 ? r[1] / t : 1.0;
        s->t.e[i][1] = t > 0.0 ? r[2] / t : 0.0;
        const double *u = w->u + 4 * (size_t)i, *e = s->t.e[i];
        const double against = -(e[0] * u[1] + e[1] * u[2]), friction = w->local[i].mu * r[0];
        s->t.turn[i] = against > 0.0 ? against / friction : 0.0;
    }
}

/// Whether the factored matrix is one for what the contacts do.
static bool is_factored(const RiConeSolver *s)
{
    return s->factor_n == s->w.n && memcmp(s->factor_state, s->w.state, (size_t)s->w.n) == 0;
}

bool ri_cone_factor(RiConeSolver *s)
{
    const RiConeWork *w = &s->w;
    ri_cone_plan(s);
    s->factor_n = 0;
    if (s->vast) {
        ri_cone_krylov_prepare(s);
        return true;
    }
    s->k->assemble(w, &s->t, s->shift * s->diagonal);
    s->result->factors++;
    s->swept = 0.0;
    if (!(s->factor_dense ? s->k->factor(&s->t) : s->k->factor_profile(&s->t, 1e-3 * s->shift * s->diagonal)))
        return false;
    s->factor_n = w->n;
    memcpy(s->factor_state, w->state, (size_t)w->n);
    return true;
}

/// A Newton step need not be exact far from the end.
static double enough(const RiConeSolver *s)
{
    return fmax(1e-3 * fmin(1.0, sqrt(s->residual)), 0.1 * s->tolerance / s->residual);
}

bool ri_cone_solve_system(RiConeSolver *s)
{
    if (s->vast)
        return ri_cone_krylov(s, enough(s));
    (s->factor_dense ? s->k->solve : s->k->solve_profile)(&s->t, s->t.x);
    return ri_cone_all_finite(s->t.x, (size_t)s->t.m);
}

/// The step from w.r with velocities w.u: t.x. False where there is none.
static bool newton_direction(RiConeSolver *s, bool may_reuse)
{
    const RiConeWork *w = &s->w;
    RiConeNewton *t = &s->t;
    directions(s);
    if (!(may_reuse && is_factored(s)) && !ri_cone_factor(s))
        return false;
    for (int i = 0; i < w->n; i++) {
        const double *u = w->u + 4 * (size_t)i, *e = t->e[i];
        double *x = t->x + t->first[i];
        const int count = t->first[i + 1] - t->first[i];
        if (count >= 1)
            x[0] = -u[0];
        if (count == 2)
            x[1] = e[1] * u[1] - e[0] * u[2];
        if (count == 3)
            x[1] = -u[1], x[2] = -u[2];
    }
    return ri_cone_solve_system(s);
}

/// w.r = base + length x; friction of a sliding contact turns and stays on its cone.
static void advance(RiConeSolver *s, double length)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        const double *x = s->t.x + s->t.first[i], *from = s->base + 4 * (size_t)i, *e = s->t.e[i];
        double *r = w->r + 4 * (size_t)i;
        const int count = s->t.first[i + 1] - s->t.first[i];
        for (int k = 0; k < 3; k++)
            r[k] = from[k] + (count == 3 ? length * x[k] : 0.0);
        if (count == 0 || count == 3)
            continue;
        r[0] += length * x[0];
        const double mu = w->local[i].mu, turn = count == 2 ? length * x[1] : 0.0, old = mu * from[0];
        const double size = sqrt(old * old + turn * turn), f = size > 0.0 && r[0] > 0.0 ? mu * r[0] / size : 0.0;
        r[1] = f * (old * e[0] - turn * e[1]);
        r[2] = f * (old * e[1] + turn * e[0]);
    }
}

/// Notes where a step starts.
static void set_base(RiConeSolver *s)
{
    const size_t size = 4 * (size_t)s->w.n * sizeof(double);
    memcpy(s->base, s->w.r, size);
    memcpy(s->kept, s->w.u, size);
    memcpy(s->base_state, s->w.state, (size_t)s->w.n);
}

static void return_to_base(RiConeSolver *s, double residual)
{
    const size_t size = 4 * (size_t)s->w.n * sizeof(double);
    memcpy(s->w.r, s->base, size);
    memcpy(s->w.u, s->kept, size);
    memcpy(s->w.state, s->base_state, (size_t)s->w.n);
    s->residual = residual;
}

/// Tries Newton steps of falling length from w.r; true if one lowered the residual enough. On
/// failure w is as before.
static bool newton_step(RiConeSolver *s, bool may_reuse)
{
    const double before = s->residual;
    s->result->newton++;
    s->budget--;
    set_base(s);
    if (newton_direction(s, may_reuse)) {
        advance(s, 1.0);
        if (ri_cone_measure(s) <= fmax(0.1 * before, s->tolerance))
            return true; // what the contacts do has not changed: no sweep is needed
        for (double length = 1.0; length > 0.2; length *= 0.5) {
            advance(s, length);
            ri_cone_sweep(s, 1);
            if (ri_cone_measure(s) <= (1.0 - 0.5 * length) * before)
                return true;
        }
    }
    return_to_base(s, before);
    return false;
}

/// Nanoseconds, roughly, of a sweep over a full matrix and of the factors of Newton's method: the
/// square and the cube of what carries.
static void estimate(const RiConeWork *w, double *out_sweep, double *out_newton)
{
    double carrying = 0.0, unknowns = 0.0;
    for (int i = 0; i < w->n; i++) {
        carrying += w->state[i] != RI_CONE_OPEN;
        unknowns += w->state[i] == RI_CONE_STICK ? 3.0 : w->state[i] == RI_CONE_SLIDE ? 2.0 : 0.0;
    }
    *out_sweep = 2.0 * carrying * (w->n + 100.0);
    *out_newton = 0.1 * unknowns * unknowns * unknowns;
}

/// Sweeps on while what is left to do costs less than a new matrix: where many contacts carry that
/// hardly know of each other. Once sweeps along a trajectory have cost as much as a factor, that is
/// tried: it may serve for many problems.
static void sweep_on(RiConeSolver *s, double tolerance)
{
    enum { AT_ONCE = 2 }; ///< sweeps between measurements
    double sweep, newton, left = 1.0;
    if (!s->w.dense)
        return;
    estimate(&s->w, &sweep, &newton);
    while (s->budget > 0 && s->residual > tolerance && fmax(8.0, left) * sweep + s->swept < newton) {
        const double before = s->residual;
        set_base(s);
        ri_cone_sweep(s, AT_ONCE);
        ri_cone_measure(s);
        s->swept += AT_ONCE * sweep;
        if (!(s->residual < 0.25 * before)) {
            if (!(s->residual < before))
                return_to_base(s, before);
            return;
        }
        left = AT_ONCE * ri_log(tolerance / s->residual) / ri_log(s->residual / before);
        estimate(&s->w, &sweep, &newton);
    }
}

bool ri_cone_iterate(RiConeSolver *s, double tolerance, int patience)
{
    enum { ATTEMPTS = 16 }; ///< Newton steps that may pass without halving the residual
    int sweeps = 2, failures = 0, attempts = 0;
    bool reuse = s->factor_n > 0 && s->t.m > SMALL_UNKNOWNS, swept = false;
    double mark = ri_cone_measure(s);
    ri_cone_keep_best(s);
    while (!(s->residual <= tolerance)) {
        if (!swept && !(reuse && is_factored(s))) {
            swept = true;
            sweep_on(s, tolerance);
            ri_cone_keep_best(s);
            continue;
        }
        if (s->budget <= 0 || failures > patience || attempts++ > ATTEMPTS)
            return false;
        const double before = s->residual;
        if (newton_step(s, reuse)) {
            reuse = s->residual < (s->t.m > SMALL_UNKNOWNS ? 0.1 : 0.01) * before;
            s->shift = fmax(RI_CONE_SHIFT_LEAST, 0.1 * s->shift);
            failures = 0, sweeps = 2;
        } else if (reuse) {
            reuse = false; // an old matrix did not do
        } else {
            failures++;
            s->shift = fmin(SHIFT_MOST, 30.0 * s->shift);
            ri_cone_sweep(s, sweeps);
            sweeps = sweeps < 64 ? 2 * sweeps : 64;
            ri_cone_measure(s);
        }
        ri_cone_keep_best(s);
        if (s->residual < 0.5 * mark)
            mark = s->residual, attempts = 0;
    }
    return true;
}

bool ri_cone_sweep_on(RiConeSolver *s, int most)
{
    enum { EACH = 50 };
    RiConeWork *w = &s->w;
    const size_t size = 4 * (size_t)w->n * sizeof(double);
    double last = INFINITY, tried = 1e-2;
    memset(w->r, 0, size);
    for (int k = 0; k < most && s->budget > 0; k += EACH) {
        ri_cone_sweep(s, EACH);
        const double now = ri_cone_measure(s);
        ri_cone_keep_best(s);
        if (now <= s->tolerance)
            return true;
        if (!(now < 0.8 * last))
            return false;
        last = now;
        if (now > tried)
            continue;
        tried = 0.1 * now;
        memcpy(s->near, w->r, size);
        s->shift = RI_CONE_SHIFT_LEAST;
        if (ri_cone_iterate(s, s->tolerance, 1))
            return true;
        memcpy(w->r, s->near, size);
    }
    return false;
}
