// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is tried where sweeps and Newton steps fail: proximal points, alternating directions,
/// friction raised in steps.
#include <math.h>
#include <string.h>

#include "contact/cone_solver.h"

// --- the problem made regular --------------------------------------------------------------------

void ri_cone_regularise(RiConeSolver *s, double alpha)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        double *d = w->block + 12 * (size_t)w->diagonal[i];
        for (int k = 0; k < 3; k++)
            d[5 * k] = s->own[4 * i + k] + alpha;
        for (int k = 0; k < 3; k++)
            w->q[4 * i + k] = s->q[4 * i + k] - (alpha > 0.0 ? alpha * s->near[4 * i + k] : 0.0);
    }
    s->alpha = alpha;
    s->factor_n = 0;
    ri_cone_load_locals(s, NULL);
}

/// Proximal points: each regularised problem is well posed, and the sequence of its solutions ends
/// where the problem's own solution is.
bool ri_cone_proximal(RiConeSolver *s, double first, bool bold)
{
    enum { ROUNDS = 40, STEPS = 60 };
    RiConeWork *w = &s->w;
    const size_t size = 4 * (size_t)w->n * sizeof(double);
    double alpha = first * s->diagonal, last = s->best_residual;
    if (bold)
        memset(s->near, 0, size); // the best point may have run away
    else
        memcpy(s->near, s->best, size);
    for (int k = 0; k < ROUNDS && s->budget > 0; k++) {
        s->result->proximal++;
        memcpy(w->r, s->near, size);
        ri_cone_regularise(s, alpha);
        s->shift = RI_CONE_SHIFT_LEAST;
        ri_cone_sweep(s, 1);
        const bool solved = ri_cone_alart(s, 1.0, fmax(0.3 * s->tolerance, 1e-3 * last), STEPS);
        ri_cone_regularise(s, 0.0);
        ri_cone_measure(s);
        ri_cone_keep_best(s);
        if (s->residual <= s->tolerance)
            return true;
        if (solved) {
            alpha = fmax(0.1 * alpha, 1e-9 * s->diagonal);
            memcpy(s->near, w->r, size);
            last = fmin(last, s->residual);
        } else {
            alpha = fmin(5.0 * alpha, 10.0 * s->diagonal);
            memcpy(s->near, bold ? w->r : s->best, size);
        }
    }
    return false;
}

/// Proximal points with alpha as small as the residual: velocities that creep are then told apart,
/// and reactions may move far. What an unsolved one ends at is where the next begins.
bool ri_cone_proximal_close(RiConeSolver *s, int rounds)
{
    enum { STEPS = 60 };
    RiConeWork *w = &s->w;
    const size_t size = 4 * (size_t)w->n * sizeof(double);
    double alpha = 5.0 * s->best_residual * s->diagonal;
    memcpy(w->r, s->best, size);
    for (int k = 0; k < rounds && s->budget > 0; k++) {
        s->result->proximal++;
        memcpy(s->near, w->r, size);
        ri_cone_regularise(s, alpha);
        const bool solved = ri_cone_alart(s, 1.0, 0.1 * s->tolerance, STEPS);
        ri_cone_regularise(s, 0.0);
        ri_cone_measure(s);
        ri_cone_keep_best(s);
        if (s->residual <= s->tolerance)
            return true;
        alpha = fmin(10.0 * s->diagonal, solved ? 5.0 * s->residual * s->diagonal : 10.0 * alpha);
    }
    return false;
}

/// Solves with friction held below a cap that is raised in steps, each from the solution of the one
/// before: what contacts do at high friction is found on a path from low friction.
bool ri_cone_raise_friction(RiConeSolver *s, const double *mu)
{
    RiConeWork *w = &s->w;
    double most = 0.0;
    for (int i = 0; i < w->n; i++)
        most = fmax(most, mu[i]);
    memset(w->r, 0, 4 * (size_t)w->n * sizeof(double));
    for (double cap = 0.25; s->budget > 0; cap *= 1.5) {
        const bool last = cap >= most;
        for (int i = 0; i < w->n; i++)
            w->local[i].mu = last ? mu[i] : fmin(mu[i], cap);
        s->raising = !last;
        s->shift = RI_CONE_SHIFT_LEAST;
        s->factor_n = 0;
        ri_cone_sweep(s, 2);
        const bool solved = ri_cone_iterate(s, last ? s->tolerance : fmax(s->tolerance, 1e-6), 5);
        if (last)
            return solved;
    }
    s->raising = false;
    for (int i = 0; i < w->n; i++)
        w->local[i].mu = mu[i];
    return false;
}

// --- splitting -----------------------------------------------------------------------------------

/// Factors W + rho: the Newton matrix of contacts that all stick.
static bool factor_split(RiConeSolver *s, double rho)
{
    memset(s->w.state, RI_CONE_STICK, (size_t)s->w.n);
    s->shift = rho / s->diagonal;
    const bool done = ri_cone_factor(s);
    s->factor_n = 0; // not a Newton matrix
    return done;
}

/// Sizes that tell whether rho suits: of r - z, of the change of z, of z and of the dual.
typedef struct SplitSizes {
    double primal, change, z, dual;
} SplitSizes;

/// One pass of the alternating direction method: r = (W + rho)^-1 (rho (z - xi) - q - s), z = P(r +
/// xi), xi += r - z, with r over-relaxed and the correction s of De Saxce from -rho xi, which
/// becomes the velocity.
static SplitSizes split_pass(RiConeSolver *s, double rho)
{
    const RiConeWork *w = &s->w;
    SplitSizes size = {0};
    for (int i = 0; i < w->n; i++) {
        const double *z = s->near + 4 * (size_t)i, *xi = s->dual + 4 * (size_t)i;
        for (int k = 0; k < 3; k++)
            s->t.x[3 * i + k] = rho * (z[k] - xi[k]) - s->q[4 * i + k];
        s->t.x[3 * i] -= w->local[i].mu * rho * sqrt(xi[1] * xi[1] + xi[2] * xi[2]);
    }
    if (s->vast)
        ri_cone_krylov_from(s, w->r);
    else
        (s->factor_dense ? s->k->solve : s->k->solve_profile)(&s->t, s->t.x);
    for (int i = 0; i < w->n; i++) {
        double *z = s->near + 4 * (size_t)i, *xi = s->dual + 4 * (size_t)i, h[3], next[3];
        for (int k = 0; k < 3; k++)
            h[k] = 1.6 * s->t.x[3 * i + k] - 0.6 * z[k] + xi[k];
        ri_cone_project(w->local[i].mu, h, next);
        w->state[i] = next[0] == 0.0 ? RI_CONE_OPEN : memcmp(h, next, sizeof h) == 0 ? RI_CONE_STICK : RI_CONE_SLIDE;
        for (int k = 0; k < 3; k++) {
            const double r = s->t.x[3 * i + k];
            size.primal += (r - next[k]) * (r - next[k]);
            size.change += (next[k] - z[k]) * (next[k] - z[k]);
            size.z += next[k] * next[k];
            xi[k] = h[k] - next[k];
            size.dual += xi[k] * xi[k];
            z[k] = next[k];
        }
    }
    return size;
}

/// Newton steps from where the splitting is. Those of vast problems cost as much as many passes: there
/// they are tried each time the residual has fallen to a tenth of `tried`.
static bool split_finish(RiConeSolver *s, double *tried)
{
    memcpy(s->w.r, s->near, 4 * (size_t)s->w.n * sizeof(double));
    s->shift = RI_CONE_SHIFT_LEAST;
    if (s->vast) {
        const double now = ri_cone_measure(s);
        ri_cone_keep_best(s);
        if (now <= s->tolerance || now > 0.1 * *tried)
            return now <= s->tolerance;
        *tried = now;
    }
    return ri_cone_iterate(s, s->tolerance, 2);
}

/// The alternating direction method finds out what each contact does where sweeps cannot, and
/// Newton steps take over; tried more and more rarely.
bool ri_cone_split(RiConeSolver *s, int passes)
{
    enum { EACH = 50 };
    const size_t size = 4 * (size_t)s->w.n * sizeof(double);
    double rho = 0.1 * s->diagonal, tried = INFINITY;
    memcpy(s->near, s->best, size);
    memcpy(s->w.r, s->best, size);
    memset(s->dual, 0, size);
    for (int k = 0, next = 20, adapt = 20; k < passes && s->budget > 0; next = k + (s->vast ? EACH : k / 2)) {
        if (!factor_split(s, rho))
            return false;
        SplitSizes sizes = {0};
        for (; k < next && s->budget > 0; k++, s->budget--, s->result->splitting++)
            sizes = split_pass(s, rho);
        const double primal = sizes.primal / fmax(sizes.z, 1e-300), dual = sizes.change / fmax(sizes.dual, 1e-300);
        if (split_finish(s, &tried))
            return true;
        if (k < adapt)
            continue;
        adapt = k + k / 2;
        const double better = fmin(5.0, fmax(0.2, sqrt(sqrt(primal / fmax(dual, 1e-300)))));
        rho *= better;
        for (int i = 0; i < 4 * s->w.n; i++)
            s->dual[i] /= better;
    }
    return false;
}
