// SPDX-License-Identifier: Apache-2.0
/// \file
/// The solver for cone problems: sweeps, then Newton steps on the contacts that carry, then
/// whatever helps.
///
///     load --> sweeps --> { Newton step --> sweep --> residual: better? } --> done
///                              \-- worse: shorter step, more sweeps, larger shift, regularised problem
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/cone_solver.h"

/// Contacts from which a problem is large, and up to which every method may take its time.
enum { LARGE = 128, MIDDLE = 64 };

RiConeOptions ri_cone_options_default(void)
{
    return (RiConeOptions){.tolerance = 1e-10, .max_iterations = 20000, .warm = false};
}

// --- the whole -----------------------------------------------------------------------------------

static void start(RiConeSolver *s, const RiConeProblem *p, const RiConeOptions *options, const double *r)
{
    RiConeWork *w = &s->w;
    const bool warm = options->warm && ri_cone_all_finite(r, 3 * (size_t)p->n);
    bool known = warm && s->factor_n == p->n; // what each contact did in the last problem
    for (int i = 0; i < p->n; i++) {
        const double across = p->across ? p->across[i] : 1.0;
        for (int k = 0; k < 3; k++)
            w->r[4 * i + k] = warm ? r[3 * i + k] / (k == 2 ? across : 1.0) : 0.0;
        w->r[4 * i + 3] = 0.0;
        known &= (w->r[4 * i] > 0.0) == (s->factor_state[i] != RI_CONE_OPEN);
        if (!warm)
            w->local[i].lambda = 0.0;
    }
    if (!warm)
        s->factor_n = 0, s->swept = 0.0;
    s->alpha = 0.0;
    s->raising = false;
    s->shift = RI_CONE_SHIFT_LEAST;
    s->tolerance = options->tolerance;
    s->budget = options->max_iterations;
    s->best_residual = INFINITY;
    s->rounding = s->least = 0.0;
    memset(s->best, 0, 4 * (size_t)p->n * sizeof(double));
    if (known) {
        memcpy(w->state, s->factor_state, (size_t)p->n);
        return;
    }
    ri_cone_sweep(s, 1);
    if (!warm && p->n > 1 && ri_cone_measure(s) > s->tolerance)
        ri_cone_sweep(s, 2);
}

/// Whether nothing closes: then r = 0 is a solution, whatever W is.
static bool all_open(const RiConeProblem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        const double *q = p->q + 3 * i;
        if (!(q[0] >= 0.0) || !(p->mu[i] >= 0.0))
            return false;
        sum += q[0] + fabs(q[1]) + fabs(q[2]) + p->mu[i];
    }
    return isfinite(sum);
}

/// How many contacts do what.
static void count(RiConeResult *out, const RiConeProblem *p, const double *r, const double *u, double speed)
{
    for (int i = 0; i < p->n; i++) {
        const RiConeContact c = ri_cone_contact(r + 3 * i, u + 3 * i, speed);
        out->open += c == RI_CONE_OPEN;
        out->stick += c == RI_CONE_STICK;
        out->slide += c == RI_CONE_SLIDE;
    }
}

static void finish(RiConeSolver *s, const RiConeProblem *p, double *r, double *u)
{
    RiConeResult *out = s->result;
    for (int i = 0; i < p->n; i++) {
        const double across = p->across ? p->across[i] : 1.0;
        for (int k = 0; k < 3; k++)
            r[3 * i + k] = s->best[4 * i + k] * (k == 2 ? across : 1.0);
    }
    out->residual = ri_cone_residual(p, r, u);
    out->iterations = out->sweeps + out->newton;
    count(out, p, r, u, 10.0 * s->tolerance * s->scale);
    ri_cone_explain(s, p, r, u);
}

/// Small and middling problems: steps on the map of Alart and Curnier and of the interior point method, and proximal
/// points close to where that ends, that together solve nearly all of what sweeps and Newton steps leave.
enum { FIRST = 12, INSIDE = 50, CLOSE = 20 };

/// One method after the other, the cheapest first, until one ends it. An interior point method says what contacts do
/// where many ways of doing it are nearly equal, as in piles; proximal points go on from there.
static void solve_loaded(RiConeSolver *s, const double *mu)
{
    const double share = fmin(1.0, MIDDLE * MIDDLE / ((double)s->w.n * s->w.n)); // a step costs the cube of n
    const int steps = 50 + (int)(200 * share), rounds = 10 + (int)(390 * share);
    (void)(ri_cone_iterate(s, s->tolerance, 4) || ri_cone_is_exhausted(s, false) ||
           ri_cone_alart(s, 1.0, s->tolerance, FIRST) || ri_cone_is_exhausted(s, false) ||
           ri_cone_interior(s, INSIDE) || ri_cone_is_exhausted(s, true) || ri_cone_is_hopeless(s, mu) ||
           ri_cone_proximal_close(s, CLOSE) || ri_cone_is_exhausted(s, true) ||
           ri_cone_alart(s, 1.0, s->tolerance, 100) || ri_cone_is_exhausted(s, true) || ri_cone_sweep_on(s, 2000) ||
           ri_cone_proximal(s, 1.0, true) || ri_cone_is_exhausted(s, true) || ri_cone_alart_again(s, steps) ||
           ri_cone_is_exhausted(s, true) || ri_cone_proximal_close(s, rounds) || ri_cone_is_exhausted(s, true) ||
           ri_cone_proximal(s, 0.01, false) || ri_cone_split(s, 400) || ri_cone_raise_friction(s, mu) ||
           ri_cone_split(s, 5000) || ri_cone_is_exhausted(s, true));
}

/// The same for large problems, in which a factor costs more than many passes of the splitting.
static void solve_large(RiConeSolver *s, const double *mu)
{
    const double share = fmin(1.0, MIDDLE * MIDDLE / ((double)s->w.n * s->w.n));
    const int steps = 50 + (int)(200 * share), rounds = 10 + (int)(390 * share);
    (void)(ri_cone_iterate(s, s->tolerance, 4) || ri_cone_is_exhausted(s, false) || ri_cone_split(s, 400) ||
           ri_cone_alart(s, 1.0, s->tolerance, 100) || ri_cone_is_exhausted(s, false) || ri_cone_interior(s, 100) ||
           ri_cone_is_exhausted(s, true) || ri_cone_is_hopeless(s, mu) || ri_cone_sweep_on(s, 2000) ||
           ri_cone_proximal(s, 1.0, true) || ri_cone_is_exhausted(s, true) || ri_cone_alart_again(s, steps) ||
           ri_cone_is_exhausted(s, true) || ri_cone_proximal_close(s, rounds) || ri_cone_is_exhausted(s, true) ||
           ri_cone_proximal(s, 0.01, false) || ri_cone_split(s, 400) || ri_cone_raise_friction(s, mu) ||
           ri_cone_split(s, 5000) || ri_cone_is_exhausted(s, true));
}

/// A small problem whose contacts go on doing what r says.
static bool follow(RiConeSolver *s, const RiConeProblem *p, double tolerance, double *r, double *u)
{
    RiConeResult *out = s->result;
    double sum = 0.0;
    if (!p->W || p->n > RI_CONE_FOLLOW_MOST || p->n > s->max_contacts || s->vast)
        return false;
    s->factor_n = 0; // its matrix is used
    if (!s->k->follow(s->k, &s->t, p, tolerance, r, u, out))
        return false;
    for (int i = 0; i < 3 * p->n; i++)
        sum += p->q[i] * p->q[i];
    out->iterations = out->newton;
    count(out, p, r, u, 10.0 * tolerance * sqrt(sum));
    return true;
}

void ri_cone_solve(RiConeSolver *s, const RiConeProblem *p, const RiConeOptions *options, double *r, double *out_u,
                   RiConeResult *out_result)
{
    const char *why = "";
    *out_result = (RiConeResult){.end = RI_CONE_SOLVED};
    s->result = out_result;
    if (p->n <= 0)
        return;
    if (all_open(p)) {
        memset(r, 0, 3 * (size_t)p->n * sizeof *r);
        memcpy(out_u, p->q, 3 * (size_t)p->n * sizeof *out_u);
        out_result->open = p->n;
        return;
    }
    if (options->warm && follow(s, p, options->tolerance, r, out_u))
        return;
    if (!ri_cone_load(s, p, &why)) {
        out_result->end = RI_CONE_BAD_INPUT;
        out_result->residual = INFINITY;
        snprintf(out_result->reason, sizeof out_result->reason, "%s", why);
        s->factor_n = 0;
        return;
    }
    start(s, p, options, r);
    if (s->vast)
        ri_cone_solve_vast(s);
    else
        (p->n < LARGE ? solve_loaded : solve_large)(s, p->mu);
    finish(s, p, r, out_u);
}
