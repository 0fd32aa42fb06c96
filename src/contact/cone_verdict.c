// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a solution ended, and why: what rounding leaves, and the proof that a problem has no
/// solution.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/cone_solver.h"

#define RUN_AWAY   1e-6 ///< of what rounding leaves: reactions that leave more are no answer
#define CALM_ALPHA 1e-6 ///< over the diagonal of W

// --- rounding ------------------------------------------------------------------------------------

/// The residual that rounding alone leaves at the best point: velocities are sums of products with
/// an error of 1e-16 of the largest, De Saxce's correction multiplies that by the friction, and a
/// reaction on its cone is off it by 1e-16 of itself.
static double rounding(const RiConeSolver *s, bool reactions)
{
    const RiConeWork *w = &s->w;
    double sum = 0.0;
    for (int i = 0; i < w->n; i++) {
        const double *r = s->best + 4 * (size_t)i, mu = w->local[i].mu, t = sqrt(r[1] * r[1] + r[2] * r[2]);
        double size[3] = {fabs(s->q[4 * i]), fabs(s->q[4 * i + 1]), fabs(s->q[4 * i + 2])};
        const double *c;
        for (int k = 0, j; (c = ri_cone_row_block(w, i, k, &j)); k++)
            for (int l = 0; l < 9; l++)
                size[l % 3] += fabs(c[4 * (l / 3) + l % 3] * s->best[4 * (size_t)j + (size_t)(l / 3)]);
        const double across = mu * sqrt(size[1] * size[1] + size[2] * size[2]);
        const double on_cone = reactions && t > 0.0 && t >= (1.0 - 1e-12) * mu * r[0] ? fmax(r[0], t) : 0.0;
        sum += size[0] * size[0] + across * across + on_cone * on_cone;
    }
    return 0x1p-52 * sqrt(sum) / s->scale;
}

bool ri_cone_is_exhausted(RiConeSolver *s, bool reactions)
{
    s->rounding = rounding(s, reactions);
    if (s->rounding > RUN_AWAY) // reactions have run away: other methods may find better ones
        s->rounding = 0.0;
    return s->best_residual <= 4.0 * s->rounding;
}

// --- no solution ---------------------------------------------------------------------------------

/// Least size of reactions that stop the contacts pressed by y >= 0 along their normals, given as
/// w.r. With y . u = y . q + (W' y) . r and u_N >= 0 any solution has |r| >= -y . q / |W' y|.
static double least_reaction(RiConeSolver *s)
{
    const RiConeWork *w = &s->w;
    double asked = 0.0, moved = 0.0, *sum = s->base;
    memset(sum, 0, 4 * (size_t)w->n * sizeof *sum);
    for (int i = 0; i < w->n; i++) {
        const double y = fmax(0.0, w->r[4 * i]);
        asked -= y * s->q[4 * i];
        const double *c;
        for (int k = 0, j; (c = ri_cone_row_block(w, i, k, &j)); k++)
            for (int l = 0; l < 3; l++)
                sum[4 * j + l] += c[4 * l] * y;
    }
    for (int i = 0; i < 4 * w->n; i++)
        moved += sum[i] * sum[i];
    return asked > 0.0 ? asked / sqrt(moved) : 0.0;
}

/// Where there is no solution the best point may have reactions that differ by parts in 10^16. Puts
/// the solution of the problem made regular, as little as can be, in its place.
static void calm(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    const size_t size = 4 * (size_t)w->n * sizeof(double);
    memset(s->near, 0, size);
    memset(w->r, 0, size);
    s->best_residual = INFINITY;
    for (double alpha = 1.0; alpha > 0.5 * CALM_ALPHA; alpha *= 0.1) {
        s->budget = HOPELESS_STEPS;
        ri_cone_regularise(s, alpha * s->diagonal);
        const bool solved = ri_cone_alart(s, 1.0, 1e-6, HOPELESS_STEPS);
        ri_cone_regularise(s, 0.0);
        if (!solved)
            return;
        ri_cone_measure(s);
        ri_cone_keep_best(s);
    }
}

bool ri_cone_is_hopeless(RiConeSolver *s, const double *mu)
{
    RiConeWork *w = &s->w;
    const size_t size = 4 * (size_t)w->n * sizeof(double);
    const int left = s->budget; // a proof takes nothing from what methods may use
    for (int i = 0; i < w->n; i++)
        w->local[i].mu = 0.0;
    s->raising = true;
    memset(s->near, 0, size);
    memset(w->r, 0, size);
    for (double alpha = 1e-3; alpha > 0.5 * HOPELESS_ALPHA; alpha *= 1e-3) { // each from the one before: few steps
        s->budget = HOPELESS_STEPS;
        ri_cone_regularise(s, alpha * s->diagonal);
        (void)ri_cone_alart(s, 1.0, 1e-4, HOPELESS_STEPS);
    }
    ri_cone_regularise(s, 0.0);
    for (int i = 0; i < w->n; i++)
        w->local[i].mu = mu[i];
    s->raising = false;
    const double least = least_reaction(s);
    s->least = least >= HOPELESS_REACTION * s->scale / s->diagonal ? least : 0.0;
    s->budget = HOPELESS_STEPS;
    if (s->least > 0.0 && rounding(s, true) > RUN_AWAY)
        calm(s);
    s->budget = left;
    return s->least > 0.0;
}

// --- the verdict ---------------------------------------------------------------------------------

static int first_unreachable(const RiConeSolver *s, const double *u)
{
    for (int i = 0; i < s->w.n; i++)
        if (s->w.local[i].w_inv == 0.0 && u[3 * i] < -s->tolerance * s->scale)
            return i;
    return -1;
}

/// Whether reactions have grown far beyond what they move.
static bool has_run_away(const RiConeSolver *s, const RiConeProblem *p, const double *r, const double *u)
{
    double size = 0.0, moved = 0.0;
    for (int i = 0; i < 3 * p->n; i++) {
        size += r[i] * r[i];
        moved += (u[i] - p->q[i]) * (u[i] - p->q[i]);
    }
    return sqrt(moved) <= 1e-6 * s->diagonal * sqrt(size);
}

void ri_cone_explain(RiConeSolver *s, const RiConeProblem *p, const double *r, const double *u)
{
    RiConeResult *out = s->result;
    const size_t room = sizeof out->reason;
    const int blocked = first_unreachable(s, u);
    out->end = s->budget <= 0 ? RI_CONE_LIMIT : RI_CONE_STALLED;
    if (out->residual <= s->tolerance) {
        out->end = RI_CONE_SOLVED;
    } else if (blocked >= 0) {
        out->end = RI_CONE_INCONSISTENT;
        snprintf(out->reason, room, "contact %d closes at %.3g and no reaction can change that", blocked,
                 u[3 * blocked]);
    } else if (s->least > 0.0) {
        out->end = RI_CONE_INCONSISTENT;
        snprintf(out->reason, room,
                 "contacts close against each other; reactions up to %.0e do not stop them; residual %.3g", s->least,
                 out->residual);
    } else if (s->best_residual <= fmax(s->tolerance, 4.0 * s->rounding)) { // the judge adds up in another order
        out->end = RI_CONE_STALLED;
        snprintf(out->reason, room, "residual %.3g, wanted %.3g: rounding of reactions and friction leaves that much",
                 out->residual, s->tolerance);
    } else {
        snprintf(out->reason, room, "residual %.3g after %d iterations, wanted %.3g%s", out->residual, out->iterations,
                 s->tolerance, has_run_away(s, p, r, u) ? "; reactions grow without end" : "");
    }
}
