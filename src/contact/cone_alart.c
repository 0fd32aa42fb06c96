// SPDX-License-Identifier: Apache-2.0
/// \file
/// Newton's method on the map of Alart and Curnier [alart1991], made to go downhill: the map says
/// what contacts do, not a sweep.
///
///     z = r - rho u        z_N <= 0: open, |z_T| <= mu z_N: stick, else slide with friction along e = z_T / |z_T|
///     F_N = r_N - max(0, z_N),     F_T = r_T - (the point next to z_T of the disc of radius mu max(0, z_N))
///
/// The linear system of F is reduced as in cone_newton.c: open contacts have no unknown; a sliding
/// one has its normal reaction and the friction across e, with (1 - k) / (k rho), k = mu z_N /
/// |z_T|, on the diagonal of the latter. A step that does not lower |F| is shortened.
#include <math.h>
#include <string.h>

#include "contact/cone_solver.h"

enum { MEMORY = 5 }; ///< the worst of so many past steps is what a step has to be better than

/// What contact i does by the map, and its share of |F|^2 in units of velocity.
static double map(const RiConeSolver *s, int i, unsigned char *out_state, double out_z[3])
{
    const double mu = s->w.local[i].mu, rho = s->rho[i], *r = s->w.r + 4 * (size_t)i, *u = s->w.u + 4 * (size_t)i;
    const double z[3] = {r[0] - rho * u[0], r[1] - rho * u[1], r[2] - rho * u[2]};
    const double t = sqrt(z[1] * z[1] + z[2] * z[2]), disc = mu * fmax(0.0, z[0]), f = t > disc ? disc / t : 1.0;
    const double F[3] = {r[0] - fmax(0.0, z[0]), r[1] - f * z[1], r[2] - f * z[2]};
    *out_state = z[0] <= 0.0 ? RI_CONE_OPEN : t <= disc && mu > 0.0 ? RI_CONE_STICK : RI_CONE_SLIDE;
    memcpy(out_z, z, sizeof z);
    return (F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / (rho * rho);
}

/// |F| at w.r, and velocities there.
static double merit(RiConeSolver *s)
{
    double sum = 0.0, z[3];
    s->k->velocity(&s->w, s->w.r, s->w.u);
    for (int i = 0; i < s->w.n; i++)
        sum += map(s, i, &s->w.state[i], z);
    return sqrt(sum) / s->scale;
}

/// Puts reactions where the linearised map has them before any unknown is found: open ones to zero,
/// friction of sliding ones to mu r_N along e, and what is across e. Sets what the contacts do, e,
/// and the resistance to turning.
static void project(RiConeSolver *s)
{
    RiConeWork *w = &s->w;
    for (int i = 0; i < w->n; i++) {
        double *r = w->r + 4 * (size_t)i, *e = s->t.e[i], z[3];
        const double mu = w->local[i].mu;
        map(s, i, &w->state[i], z);
        s->t.turn[i] = 0.0;
        if (w->state[i] == RI_CONE_OPEN)
            r[0] = r[1] = r[2] = 0.0;
        if (w->state[i] != RI_CONE_SLIDE)
            continue;
        const double t = sqrt(z[1] * z[1] + z[2] * z[2]), k = t > 0.0 ? mu * z[0] / t : 1.0;
        e[0] = t > 0.0 ? z[1] / t : 1.0, e[1] = t > 0.0 ? z[2] / t : 0.0;
        s->t.turn[i] = mu > 0.0 ? (1.0 - k) / (k * s->rho[i]) : 0.0;
        const double side = mu > 0.0 ? e[0] * r[2] - e[1] * r[1] : 0.0;
        r[1] = mu * r[0] * e[0] - side * e[1], r[2] = mu * r[0] * e[1] + side * e[0];
    }
}

/// Right-hand sides: velocities, with their change, shall vanish; across e they shall oppose the
/// friction.
static void fill(RiConeSolver *s)
{
    for (int i = 0; i < s->w.n; i++) {
        const double *u = s->w.u + 4 * (size_t)i, *r = s->w.r + 4 * (size_t)i, *e = s->t.e[i];
        double *x = s->t.x + s->t.first[i];
        const int count = s->t.first[i + 1] - s->t.first[i];
        if (count >= 1)
            x[0] = -u[0];
        if (count == 2)
            x[1] = e[1] * u[1] - e[0] * u[2] - s->t.turn[i] * (e[0] * r[2] - e[1] * r[1]);
        if (count == 3)
            x[1] = -u[1], x[2] = -u[2];
    }
}

/// Takes w.r to where the linearised map vanishes. False where there is no such point.
static bool full_step(RiConeSolver *s)
{
    RiConeNewton *t = &s->t;
    project(s);
    s->k->velocity(&s->w, s->w.r, s->w.u);
    if (!ri_cone_factor(s))
        return false;
    fill(s);
    const bool solved = ri_cone_solve_system(s);
    for (int i = 0; i < s->w.n; i++) {
        const double *x = t->x + t->first[i], *e = t->e[i], mu = s->w.local[i].mu;
        double *r = s->w.r + 4 * (size_t)i;
        const int count = t->first[i + 1] - t->first[i];
        for (int k = 0; k < 3 && count == 3; k++)
            r[k] += x[k];
        if (count == 1 || count == 2) {
            const double side = count == 2 ? x[1] : 0.0;
            r[0] += x[0];
            r[1] += mu * x[0] * e[0] - side * e[1];
            r[2] += mu * x[0] * e[1] + side * e[0];
        }
    }
    return solved;
}

/// Goes from base towards the full step, shorter and shorter, until |F| is below `limit`. Returns
/// it.
static double search(RiConeSolver *s, double limit)
{
    RiConeWork *w = &s->w;
    memcpy(s->kept, w->r, 4 * (size_t)w->n * sizeof(double));
    for (double length = 1.0;; length *= 0.5) {
        for (int i = 0; i < 4 * w->n; i++)
            w->r[i] = s->base[i] + length * (s->kept[i] - s->base[i]);
        const double now = merit(s);
        if (now <= (1.0 - 1e-3 * length) * limit || length < 0.02)
            return now;
    }
}

bool ri_cone_alart(RiConeSolver *s, double stretch, double tolerance, int steps)
{
    RiConeWork *w = &s->w;
    double past[MEMORY];
    for (int i = 0; i < w->n; i++) {
        const double *d = w->block + 12 * (size_t)w->diagonal[i];
        s->rho[i] = stretch * 3.0 / fmax(fabs(d[0]) + fabs(d[5]) + fabs(d[10]), 1e-12 * s->diagonal);
    }
    s->shift = RI_CONE_SHIFT_LEAST;
    past[0] = merit(s);
    for (int k = 1; k < MEMORY; k++)
        past[k] = past[0];
    for (int k = 0; k < steps && s->budget > 0; k++) {
        double worst = 0.0;
        for (int l = 0; l < MEMORY; l++)
            worst = fmax(worst, past[l]);
        s->result->newton++;
        s->budget--;
        memcpy(s->base, w->r, 4 * (size_t)w->n * sizeof(double));
        if (!full_step(s)) {
            memcpy(w->r, s->base, 4 * (size_t)w->n * sizeof(double));
            break;
        }
        past[k % MEMORY] = search(s, worst);
        ri_cone_measure(s);
        ri_cone_keep_best(s);
        if (s->residual <= tolerance)
            return true;
    }
    return ri_cone_measure(s) <= tolerance;
}

/// Zeros of the map do not depend on rho, the way to them does, and so do the pieces that it is
/// smooth on.
bool ri_cone_alart_again(RiConeSolver *s, int steps)
{
    static const double stretch[] = {1.0, 0.1, 10.0, 0.01, 100.0, 1.0, 0.1, 10.0};
    enum { FROM_NOTHING = 5, COUNT = sizeof stretch / sizeof *stretch };
    const size_t size = 4 * (size_t)s->w.n * sizeof(double);
    for (int k = 0; k < COUNT && s->budget > 0; k++) {
        if (k < FROM_NOTHING)
            memset(s->w.r, 0, size);
        else
            memcpy(s->w.r, s->best, size);
        if (ri_cone_alart(s, stretch[k], s->tolerance, steps))
            return true;
    }
    return false;
}
