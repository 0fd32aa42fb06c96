// SPDX-License-Identifier: Apache-2.0
/// \file
/// The solver for cone problems: sweeps, then Newton steps on the contacts that carry, then whatever helps.
///
///     load --> sweeps --> { Newton step --> sweep --> residual: better? } --> done
///                              \-- worse: shorter step, more sweeps, larger shift, regularised problem
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/cone_solver.h"

/// Contacts from which a problem is large.
enum { LARGE = 128 };

RiConeOptions ri_cone_options_default(void)
{
    return (RiConeOptions){.tolerance = 1e-10, .max_iterations = 5000, .warm = false};
}

// --- the whole -----------------------------------------------------------------------------------------------------

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
        s->factor_n = 0;
    s->alpha = 0.0;
    s->raising = false;
    s->shift = RI_CONE_SHIFT_LEAST;
    s->tolerance = options->tolerance;
    s->budget = options->max_iterations;
    s->best_residual = INFINITY;
    s->rounding = 0.0;
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

/// Whether the reaction has run away along a direction of the cone that moves nothing.
static bool has_run_away(const RiConeSolver *s, const RiConeProblem *p, const double *r, const double *u)
{
    double size = 0.0, moved = 0.0, work = 0.0;
    for (int i = 0; i < 3 * p->n; i++) {
        size += r[i] * r[i];
        moved += (u[i] - p->q[i]) * (u[i] - p->q[i]);
        work += r[i] * p->q[i];
    }
    return work < 0.0 && sqrt(moved) <= 1e-6 * s->diagonal * sqrt(size);
}

static int first_unreachable(const RiConeSolver *s)
{
    for (int i = 0; i < s->w.n; i++)
        if (s->w.local[i].w_inv == 0.0 && s->w.u[4 * i] < -s->tolerance * s->scale)
            return i;
    return -1;
}

static void explain(RiConeSolver *s, const RiConeProblem *p, const double *r, const double *u)
{
    RiConeResult *out = s->result;
    const size_t room = sizeof out->reason;
    if (out->residual <= s->tolerance) {
        out->end = RI_CONE_SOLVED;
        return;
    }
    const int blocked = first_unreachable(s);
    if (blocked >= 0) {
        out->end = RI_CONE_INCONSISTENT;
        snprintf(out->reason, room, "contact %d closes at %.3g and no reaction can change that", blocked,
                 u[3 * blocked]);
    } else if (has_run_away(s, p, r, u)) {
        out->end = RI_CONE_INCONSISTENT;
        snprintf(out->reason, room, "reactions grow without end against each other; residual %.3g", out->residual);
    } else if (s->best_residual <= fmax(s->tolerance, 4.0 * s->rounding)) { // the judge adds up in another order
        out->end = RI_CONE_STALLED;
        snprintf(out->reason, room, "residual %.3g, wanted %.3g: rounding times friction leaves that much",
                 out->residual, s->tolerance);
    } else {
        out->end = s->budget <= 0 ? RI_CONE_LIMIT : RI_CONE_STALLED;
        snprintf(out->reason, room, "residual %.3g after %d iterations, wanted %.3g", out->residual, out->iterations,
                 s->tolerance);
    }
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
    explain(s, p, r, u);
}

/// The residual that rounding alone leaves at the best point: velocities are sums of products with an error of 1e-16 of the largest, and De Saxce's
/// correction multiplies that by the friction.
static double rounding(const RiConeSolver *s)
{
    const RiConeWork *w = &s->w;
    double sum = 0.0;
    for (int i = 0; i < w->n; i++) {
        double size[3] = {fabs(s->q[4 * i]), fabs(s->q[4 * i + 1]), fabs(s->q[4 * i + 2])};
        const int first = w->dense ? 0 : w->row[i], end = w->dense ? w->n : w->row[i + 1];
        for (int b = first; b < end; b++) {
            const int j = w->dense ? b : w->column[b];
            const double *c = w->block + 12 * (w->dense ? (size_t)j * (size_t)w->n + (size_t)i : (size_t)b);
            for (int k = 0; k < 9 && (!w->dense || w->ready[j]); k++) // what carries is there
                size[k % 3] += fabs(c[4 * (k / 3) + k % 3] * s->best[4 * (size_t)j + (size_t)(k / 3)]);
        }
        const double across = w->local[i].mu * sqrt(size[1] * size[1] + size[2] * size[2]);
        sum += size[0] * size[0] + across * across;
    }
    return 0x1p-52 * sqrt(sum) / s->scale;
}

/// Whether the best point is as good as double precision allows; nothing more is tried then.
static bool is_exhausted(RiConeSolver *s)
{
    s->rounding = rounding(s);
    if (s->rounding > 1e-6) // reactions have run away: other methods may find better ones
        s->rounding = 0.0;
    return s->best_residual <= 4.0 * s->rounding;
}

/// One method after the other, the cheapest first, until one ends it. Of large problems passes of the splitting are cheap beside the factors of the other methods.
static void solve_loaded(RiConeSolver *s, const double *mu)
{
    const bool large = s->w.n >= LARGE;
    (void)(ri_cone_iterate(s, s->tolerance, 4) || is_exhausted(s) || (large && ri_cone_split(s, 400)) ||
           ri_cone_alart(s, s->tolerance, 100) || is_exhausted(s) || ri_cone_interior(s, 100) || is_exhausted(s) ||
           ri_cone_proximal(s, 1.0, true) || is_exhausted(s) || ri_cone_proximal(s, 0.01, false) ||
           ri_cone_split(s, 400) || ri_cone_raise_friction(s, mu) || ri_cone_split(s, 5000) || is_exhausted(s));
}

/// A small problem whose contacts go on doing what r says.
static bool follow(RiConeSolver *s, const RiConeProblem *p, double tolerance, double *r, double *u)
{
    RiConeResult *out = s->result;
    double sum = 0.0;
    if (!p->W || p->n > RI_CONE_FOLLOW_MOST || p->n > s->max_contacts)
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
    solve_loaded(s, p->mu);
    finish(s, p, r, out_u);
}
