// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: which touches and stops take part in a step, and with what gap, bound, free
/// velocity and friction.
///
/// A contact takes part if its gap at the end of the step, g_m + h/2 u_f, is not positive, or if
/// the reactions of others close it. Those of two links have J = J_a - J_b and act on both. The
/// bound b is Newton's rebound, e times the approach speed, where that is more than the forces take
/// back within the step; elsewhere the contact lands: b = -2 g_m / h, so that the step ends with no
/// gap. Stops of joints are contacts without friction.
#include <string.h>

#include "sim/method/moreau.h"

/// A touch that has come off by more than this in the first half of a step has no bond any more [m].
static const double STUCK = 1e-5;

/// Least normal velocity after the step: the rebound of Newton's law, or a landing without a gap.
/// `pushed` is the speed that forces give towards the ground within the step.
static double least_speed(double e, double before, double free, double gap, double h)
{
    const double approach = before < 0.0 ? -before : 0.0, pushed = before > free ? before - free : 0.0;
    if (e * approach > pushed)
        return e * approach;
    return gap > RI_MOREAU_CLOSED ? -2.0 * gap / h : 0.0;
}

/// First tangent along the thread, second across it; any two without a thread.
void ri_moreau_choose_tangents(const RiTouch *t, RiMoreauContact *c)
{
    const RiVec3 n = c->normal, e = t->thread;
    if (ri_dot(e, e) > 0.0) {
        c->t2 = e;
        c->t1 = ri_cross(e, n);
        return;
    }
    const RiVec3 side = fabs(n.x) < 0.8 ? ri_vec3(1.0, 0.0, 0.0) : ri_vec3(0.0, 1.0, 0.0);
    const RiVec3 a = ri_sub(side, ri_scale(ri_dot(side, n), n));
    c->t1 = ri_scale(1.0 / ri_norm(a), a);
    c->t2 = ri_cross(n, c->t1);
}

RiStatus ri_moreau_too_many(RiSim *s)
{
    return ri_error(s->ctx, RI_ERR_LIMIT,
                    "more than %d contacts close at once at t = %.9g s; the key 'contact: {most: N}' makes room for "
                    "more, up to 4096",
                    s->moreau->limit, s->head->time);
}

/// The point of contact n on its link, and on the other one.
void ri_moreau_place(RiSim *s, const RiTouch *t)
{
    RiMoreau *x = s->moreau;
    const RiContactLink *links = s->contacts->links;
    x->at[x->n] = (RiPoint){links[t->slot].link, t->point};
    x->contacts[x->n].other = -1;
    if (t->other < 0)
        return;
    x->contacts[x->n].other = links[t->other].link;
    x->seen_of[x->seen] = x->n;
    x->from[x->seen++] = (RiPoint){links[t->other].link, t->point};
}

double ri_moreau_friction(RiSim *s, const RiTouch *t, double pressing, RiVec3 slip)
{
    const double friction = ri_pair_friction(t->pair, t->use, pressing, ri_norm(slip));
    if (friction > RI_MOREAU_ROUGHEST)
        ri_sim_report_validity(s, s->moreau->too_rough);
    return fmin(RI_MOREAU_ROUGHEST, friction);
}

/// The contact at hand is a wheel's on soil: it slips by its law inside of the cone.
static void give_way(RiMoreau *x, const RiTouch *t, RiVec3 last, double h)
{
    RiMoreauContact *c = &x->contacts[x->n];
    const RiMoreauSlip slip = ri_moreau_slip(t, last, c->t1, c->t2, h);
    x->mu[x->n] = fmin(RI_MOREAU_ROUGHEST, slip.friction);
    memcpy(c->D, slip.D, sizeof c->D);
    c->u[1] += slip.offset[0], c->u[2] += slip.offset[1];
}

/// Impulse that a touch can pull with: it sticks to what it has touched at the end of the last step,
/// until it is torn off.
static double bond_of(const RiSim *s, const RiTouch *t, double h)
{
    const bool held = !t->fresh && ri_dot(s->moreau->reaction[t->place], s->moreau->reaction[t->place]) > 0.0;
    return held && -t->depth < STUCK ? h * t->pair->adhesion : 0.0;
}

/// Adds a touch to the problem.
static RiStatus add_touch(RiSim *s, int i, double h)
{
    RiMoreau *x = s->moreau;
    const RiTouch *t = &s->touches->list[i];
    if (x->n == x->limit)
        return ri_moreau_too_many(s);
    RiMoreauContact *c = &x->contacts[x->n];
    *c = (RiMoreauContact){.touch = i, .stop = -1, .gap = -t->depth, .normal = t->normal};
    ri_moreau_choose_tangents(t, c);
    const RiVec3 free = x->free[i], from = x->guess[i];
    c->u[0] = ri_dot(free, c->normal), c->u[1] = ri_dot(free, c->t1), c->u[2] = ri_dot(free, c->t2);
    c->bound = least_speed(t->pair->restitution, ri_dot(t->v, t->normal), c->u[0], c->gap, h);
    const RiVec3 slip = ri_sub(t->v, ri_scale(ri_dot(t->v, t->normal), t->normal));
    const double pressing = t->fresh ? 0.0 : fmax(0.0, ri_dot(x->reaction[t->place], t->normal) / h);
    x->mu[x->n] = ri_moreau_friction(s, t, pressing, slip);
    x->across[x->n] = ri_touch_anisotropy(t, pressing, slip);
    ri_moreau_place(s, t);
    if (t->roll.soil)
        give_way(x, t, x->reaction[t->place], h);
    c->bond = bond_of(s, t, h);
    double *r = x->r + 3 * x->n++;
    r[0] = ri_dot(from, c->normal), r[1] = ri_dot(from, c->t1), r[2] = ri_dot(from, c->t2);
    return RI_OK;
}

/// Adds a stop as a contact without friction: its row of the Jacobian is that of one spanning
/// coordinate.
RiStatus ri_moreau_add_stop(RiSim *s, int stop, double gap, double u, double bound)
{
    RiMoreau *x = s->moreau;
    if (x->n == x->limit)
        return ri_moreau_too_many(s);
    const int k = x->n - x->points;
    double *row = x->rows + k * s->m->nv, *column = x->columns + k * s->m->nv;
    x->contacts[x->n] = (RiMoreauContact){.touch = -1, .stop = stop, .gap = gap, .bound = bound, .u = {u, 0.0, 0.0}};
    memset(s->tau_s, 0, (size_t)s->m->ns * sizeof *s->tau_s);
    s->tau_s[x->stops[stop].s] = x->stops[stop].sign;
    ri_dyn_map_efforts(s->d, s->tau_s, row);
    memcpy(column, row, (size_t)s->m->nv * sizeof *row);
    x->mu[x->n] = 0.0;
    x->across[x->n] = 1.0;
    double *r = x->r + 3 * x->n++;
    r[0] = fmax(0.0, x->stop_force[stop]), r[1] = r[2] = 0.0;
    return RI_OK;
}

/// Velocity of a stop after the step with the accelerations in accel_s.
static double stop_after(const RiSim *s, int i, double h)
{
    const RiMoreauStop *p = &s->moreau->stops[i];
    return p->sign * (s->d->js[p->s] + h * (s->accel_s[p->s] - s->d->jg[p->s]));
}

/// Touches and stops that the free motion closes in this step. After ri_dyn_mean_power of the free
/// accelerations.
void ri_moreau_mark_closing(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        x->free[i] = ri_add(t->v, ri_scale(h, ri_moreau_share(s, t)));
        x->guess[i] = t->fresh ? ri_vec3(0.0, 0.0, 0.0) : x->reaction[t->place];
        x->closing[i] = -t->depth + 0.5 * h * ri_dot(x->free[i], t->normal) <= 0.0 || bond_of(s, t, h) > 0.0;
    }
    for (int i = 0; i < x->stop_count; i++) {
        x->stop_free[i] = stop_after(s, i, h);
        x->closing[s->touches->count + i] = ri_moreau_stop_gap(s, i) + 0.5 * h * x->stop_free[i] <= 0.0;
    }
}

/// Touches and stops that the reactions of the others would close: box by box a blow goes through a
/// stack. Whether there are any. After ri_dyn_mean_power of the accelerations.
bool ri_moreau_mark_more(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    bool any = false;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const double after = ri_dot(ri_add(t->v, ri_scale(h, ri_moreau_share(s, t))), t->normal);
        if (!x->closing[i] && -t->depth + 0.5 * h * after < -RI_MOREAU_TOO_DEEP)
            any = x->closing[i] = true;
    }
    for (int i = 0; i < x->stop_count; i++)
        if (!x->closing[s->touches->count + i] &&
            ri_moreau_stop_gap(s, i) + 0.5 * h * stop_after(s, i, h) < -RI_MOREAU_TOO_DEEP)
            any = x->closing[s->touches->count + i] = true;
    return any;
}

/// The problem of all that was marked.
RiStatus ri_moreau_gather(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    x->n = x->seen = 0;
    for (int i = 0; i < s->touches->count; i++)
        if (x->closing[i])
            RI_TRY(add_touch(s, i, h));
    x->points = x->n;
    for (int i = 0; i < x->stop_count; i++) {
        const RiMoreauStop *p = &x->stops[i];
        const double gap = ri_moreau_stop_gap(s, i), free = x->stop_free[i];
        const double bound = least_speed(p->restitution, ri_moreau_stop_speed(s, i), free, gap, h);
        if (x->closing[s->touches->count + i])
            RI_TRY(ri_moreau_add_stop(s, i, gap, free, bound));
    }
    return RI_OK;
}
