// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: impacts do not give energy.
///
/// Newton's law prescribes the normal velocity after an impact, whatever friction does to it. Where
/// normal and tangential motion are coupled, friction may have to push along the slip before the
/// impact to get there, and energy grows [kane1985]: a rod of 45 degrees with e = 0.9 that sticks
/// after the impact gains 8 %. The impulses p change the kinetic energy by
///
///     sum over contacts of  p (u- + u+) / 2,            u-, u+: velocities at the contact before and after
///
/// With no rebound that is never positive: p u+ <= 0 by Coulomb's law, and p u- = p u+ - p W p. So
/// between e = 0 and e there is a rebound at which nothing is gained. The rebounds of contacts that
/// feel each other are lessened together, by the largest factor that bisection finds below that.
/// (In a step of time stepping forces act, too, and points that rest move along curved paths: the
/// little work of that is there without a rebound as well and is not counted.) Theory:
/// docs/theory/moreau.md. Tests: tests/sim/test_rebound.c.
#include "sim/method/moreau.h"

/// Bisections: the factor is known to 1e-6.
enum { HALVINGS = 20 };
/// Gains up to this part of what the impulses turn over are rounding and the solver's tolerance;
/// and up to that part of the energy that the run has turned over, boxes that settle in ever
/// smaller bounces.
static const double GAIN = 1e-8, SMALL = 1e-9;

/// The largest gain that counts as none, in units of the problem.
static double nothing(const RiSim *s, double size)
{
    return GAIN * size + SMALL * s->head->energy_scale * s->moreau->scale;
}

static bool has_rebound(const RiMoreau *x)
{
    for (int i = 0; i < x->points; i++)
        if (x->contacts[i].bound > 0.0)
            return true;
    return false;
}

/// Work of a touch's impulse, in units of the problem, and the size of its parts. Wheels that slip
/// by a law of soil are left out: their velocities of the problem are others.
static double work_of(const RiSim *s, int i, double *out_size)
{
    const RiMoreau *x = s->moreau;
    const RiMoreauContact *c = &x->contacts[i];
    const RiTouch *t = &s->touches->list[c->touch];
    const double *u = x->u + 3 * i, r[3] = {x->r[3 * i] - x->scale * c->bond, x->r[3 * i + 1], x->r[3 * i + 2]};
    const double normal = ri_dot(t->v, c->normal) + u[0] + c->bound;
    const double along = ri_dot(t->v, c->t1) + u[1], across = ri_dot(t->v, c->t2) + u[2];
    *out_size = 0.0;
    if (t->roll.soil)
        return 0.0;
    *out_size = 0.5 * (fabs(r[0]) * (fabs(ri_dot(t->v, c->normal)) + fabs(u[0] + c->bound)) + fabs(r[1] * along) +
                       fabs(r[2] * across));
    return 0.5 * (r[0] * normal + r[1] * along + r[2] * across);
}

static bool are_coupled(const RiMoreau *x, int i, int j)
{
    const size_t n = 3 * (size_t)x->n;
    const double *block = x->W + 3 * (size_t)i * n + 3 * (size_t)j;
    for (size_t k = 0; k < 9; k++)
        if (block[k / 3 * n + k % 3] != 0.0)
            return true;
    return false;
}

static int root(RiMoreauContact *c, int i)
{
    while (c[i].island != i)
        i = c[i].island = c[c[i].island].island;
    return i;
}

/// Contacts that W couples, directly or by way of others, stops included, get one number: that of
/// the first of them.
static void find_islands(RiMoreau *x)
{
    RiMoreauContact *c = x->contacts;
    for (int i = 0; i < x->n; i++) {
        c[i].island = i;
        for (int j = 0; j < i; j++)
            if (are_coupled(x, i, j)) {
                const int a = root(c, i), b = root(c, j);
                c[a > b ? a : b].island = a < b ? a : b;
            }
    }
    for (int i = 0; i < x->n; i++)
        c[i].island = root(c, i);
}

/// Work of the impulses of the island with number k, and the size of its parts.
static double work_of_island(const RiSim *s, int k, double *out_size)
{
    double work = 0.0, part;
    *out_size = 0.0;
    for (int i = k; i < s->moreau->points; i++)
        if (s->moreau->contacts[i].island == k) {
            work += work_of(s, i, &part);
            *out_size += part;
        }
    return work;
}

/// Whether some contacts together may gain energy: none does if the work of each is not positive.
static bool any_gains(const RiSim *s)
{
    double size = 0.0, most = 0.0, part;
    for (int i = 0; i < s->moreau->points; i++) {
        most = fmax(most, work_of(s, i, &part));
        size += part;
    }
    return most > nothing(s, size);
}

/// Rebounds by the factors of their islands, and the solution.
static RiStatus solve_with(RiSim *s)
{
    RiMoreau *x = s->moreau;
    for (int i = 0; i < x->points; i++) {
        RiMoreauContact *c = &x->contacts[i];
        if (c->rebound > 0.0)
            c->bound = x->contacts[c->island].part * c->rebound;
    }
    ri_moreau_set_free(x);
    return ri_moreau_solve(s);
}

/// Islands that gain begin with no rebound, the others keep theirs. Whether there are any.
static bool suspect(RiSim *s)
{
    RiMoreau *x = s->moreau;
    bool any = false;
    double size;
    for (int i = 0; i < x->points; i++) {
        RiMoreauContact *c = &x->contacts[i];
        c->rebound = fmax(0.0, c->bound);
        c->part = c->least = c->most = 1.0;
        if (c->island != i)
            continue;
        c->gain = work_of_island(s, i, &size);
        if (c->gain > nothing(s, size)) {
            c->part = c->least = 0.0;
            any = true;
        }
    }
    return any;
}

/// After a solution without rebounds: what is gained even so is not theirs. Islands that gain no
/// more with them keep them. Whether others are left.
static bool convict(RiSim *s)
{
    RiMoreau *x = s->moreau;
    bool any = false;
    double size;
    for (int i = 0; i < x->points; i++) {
        RiMoreauContact *c = &x->contacts[i];
        if (c->island != i || c->least == 1.0)
            continue;
        c->floor = fmax(0.0, work_of_island(s, i, &size));
        if (c->gain <= c->floor + nothing(s, size))
            c->least = 1.0;
        c->part = c->least < 1.0 ? 0.5 : 1.0;
        any |= c->least < 1.0;
    }
    return any;
}

/// After a solution: each island that is looked at to the half in which the limit is.
static void halve(RiSim *s)
{
    RiMoreau *x = s->moreau;
    double size;
    for (int i = 0; i < x->points; i++) {
        RiMoreauContact *c = &x->contacts[i];
        if (c->island != i || c->least == c->most)
            continue;
        *(work_of_island(s, i, &size) > c->floor + nothing(s, size) ? &c->most : &c->least) = c->part;
        c->part = 0.5 * (c->least + c->most);
    }
}

RiStatus ri_moreau_limit_rebounds(RiSim *s)
{
    RiMoreau *x = s->moreau;
    if (!has_rebound(x) || !any_gains(s))
        return RI_OK;
    find_islands(x);
    if (!suspect(s))
        return RI_OK;
    RI_TRY(solve_with(s));
    if (convict(s)) {
        ri_sim_report_validity(s, x->lessened);
        for (int k = 0; k < HALVINGS; k++) {
            RI_TRY(solve_with(s));
            halve(s);
        }
    }
    for (int i = 0; i < x->points; i++)
        x->contacts[i].part = x->contacts[i].least;
    return solve_with(s);
}
