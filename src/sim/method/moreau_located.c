// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: the contact problem and the end of a step as located impacts (moreau_events.c,
/// moreau_phase.c) use them.
///
/// A contact that slides has friction in a direction that is known, against its velocity: f_T = f_N
/// along. The problem then is
///
///     u' = W f + u'_free,   u'_N >= 0 _|_ f_N >= 0,   f_T = f_N along
///
/// whose W is no longer symmetric in the unknown f_N. It is solved by turns: friction of the normal
/// forces at hand goes into u'_free, the cone solver finds normal forces without friction there
/// (and everything of contacts that stick), until they stay. That is a contraction as long as
/// friction of a contact presses it less than the force that it comes from; beyond that are the
/// paradoxes of Painleve, where it says that it did not settle.
#include <string.h>

#include "base/functions.h"
#include "sim/method/moreau.h"

/// Turns between normal forces and friction; so many one after the other in which the change stays
/// above that part of the last one end them.
enum { TURNS = 200, PATIENCE = 5 };
static const double SLOW = 0.9;
/// By how much contacts that slide give way, in units of the mean of W's diagonal.
static const double SOFT = 1e-6;

/// Friction of a contact that slides, per normal reaction: the opposed flow of an elliptic cone.
static void set_along(RiMoreauContact *c, RiVec3 v, double mu, double across)
{
    const double a = ri_dot(v, c->t1), b = ri_dot(v, c->t2), size = ri_hypot(a, b);
    c->slides = size > 0.0;
    if (!c->slides)
        return;
    c->along[0] = -mu * a / size;
    c->along[1] = -mu * across * b / size;
}

static void add_touch(RiSim *s, const RiMoreauTouch *from, double h)
{
    RiMoreau *x = s->moreau;
    const RiTouch *t = &s->touches->list[from->touch];
    const int i = x->n;
    RiMoreauContact *c = &x->contacts[i];
    *c = (RiMoreauContact){.touch = from->touch, .stop = -1, .normal = t->normal, .bound = from->bound};
    ri_moreau_choose_tangents(t, c);
    c->u[0] = from->normal_rate, c->u[1] = ri_dot(from->rate, c->t1), c->u[2] = ri_dot(from->rate, c->t2);
    const RiVec3 slip = ri_sub(t->v, ri_scale(ri_dot(t->v, t->normal), t->normal));
    const double pressing = ri_dot(x->reaction[t->place], t->normal) / s->options.tick;
    x->mu[i] = ri_moreau_friction(s, t, pressing, slip);
    x->across[i] = ri_touch_anisotropy(t, pressing, slip);
    set_along(c, from->slide, x->mu[i], x->across[i]);
    x->mu[i] = c->slides ? 0.0 : x->mu[i];
    ri_moreau_place(s, t);
    const RiVec3 last = ri_scale(h / s->options.tick, x->reaction[t->place]);
    double *r = x->r + 3 * x->n++;
    r[0] = fmax(0.0, ri_dot(last, c->normal)), r[1] = ri_dot(last, c->t1), r[2] = ri_dot(last, c->t2);
}

static RiStatus gather(RiSim *s, const RiMoreauTouch *list, int count, double h)
{
    RiMoreau *x = s->moreau;
    if (count > x->limit)
        return ri_moreau_too_many(s);
    x->n = x->points = x->seen = 0;
    for (int i = 0; i < count; i++) {
        if (list[i].stop < 0) {
            add_touch(s, &list[i], h);
            x->points = x->n;
            continue;
        }
        RI_TRY(ri_moreau_add_stop(s, list[i].stop, 0.0, list[i].normal_rate, list[i].bound));
        x->r[3 * i] *= h / s->options.tick;
    }
    return RI_OK;
}

/// q with the friction of contacts that slide at the present normal reactions, and without the part
/// `soft` of these by which they give way. Returns by how much it changed, in parts of itself: what
/// normal reactions of faces shift among themselves without moving anything does not count.
static double drag(RiMoreau *x, double soft)
{
    const size_t n = 3 * (size_t)x->n;
    double *last = x->world, change = 0.0, size = 0.0; // W is assembled: there is room
    memcpy(last, x->q, n * sizeof *last);
    ri_moreau_set_free(x);
    for (int c = 0; c < x->points; c++) {
        const RiMoreauContact *k = &x->contacts[c];
        const size_t at = 3 * (size_t)c;
        for (size_t i = 0; i < n && k->slides; i++)
            x->q[i] += x->r[at] * (x->W[i * n + at + 1] * k->along[0] + x->W[i * n + at + 2] * k->along[1]);
        x->q[at] -= k->slides ? soft * x->r[at] : 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        change += (x->q[i] - last[i]) * (x->q[i] - last[i]);
        size += x->q[i] * x->q[i];
    }
    return size > 0.0 ? sqrt(change / size) : 0.0;
}

/// Makes the loads of corners that slide unique, the least of all: each gives way by a millionth of
/// what it would if it were alone. From the second turn on it does so about the loads at hand (a
/// proximal point), so that nothing gives way in the end.
static void soften(RiMoreau *x)
{
    const size_t n = 3 * (size_t)x->n;
    for (size_t c = 0; c < (size_t)x->points; c++)
        if (x->contacts[c].slides)
            x->W[3 * c * n + 3 * c] += SOFT;
}

/// Reactions of what was gathered, in the units of W.
static RiStatus solve(RiSim *s, bool *out_settled)
{
    RiMoreau *x = s->moreau;
    const double tolerance = s->options.cone_tolerance;
    soften(x);
    drag(x, 0.0);
    if (!out_settled) {
        RI_TRY(ri_moreau_solve(s));
        return ri_moreau_limit_rebounds(s);
    }
    *out_settled = ri_moreau_try(x, tolerance);
    double change = drag(x, SOFT);
    int slow = 0;
    for (int k = 0; *out_settled && change > tolerance; k++) {
        *out_settled = k < TURNS && slow < PATIENCE && ri_moreau_try(x, tolerance);
        const double next = drag(x, SOFT);
        slow = next < SLOW * change ? 0 : slow + 1;
        change = next;
    }
    for (int c = 0; c < x->points; c++)
        for (int k = 0; k < 2 && x->contacts[c].slides; k++)
            x->r[3 * c + 1 + k] = x->r[3 * c] * x->contacts[c].along[k];
    return RI_OK;
}

RiStatus ri_moreau_react(RiSim *s, const RiMoreauTouch *list, int count, double h, bool *out_settled)
{
    RI_TRY(gather(s, list, count, h));
    RI_TRY(ri_moreau_assemble(s));
    RI_TRY(solve(s, out_settled));
    ri_moreau_unscale(s->moreau);
    return RI_OK;
}

double ri_moreau_loss(const RiSim *s)
{
    const RiMoreau *x = s->moreau;
    double lost = 0.0;
    for (int i = 0; i < x->points; i++)
        lost -= ri_dot(ri_moreau_in_world(&x->contacts[i], x->r + 3 * i), s->touches->list[x->contacts[i].touch].v);
    for (int i = x->points; i < x->n; i++)
        lost -= x->r[3 * i] * ri_moreau_stop_speed(s, x->contacts[i].stop);
    return lost;
}

RiStatus ri_moreau_bump(RiSim *s, double *v)
{
    RiMoreau *x = s->moreau;
    const RiVec3 gravity = ri_dyn_gravity(s->d);
    ri_dyn_update_velocity(s->d, x->rest);
    ri_dyn_set_gravity(s->d, ri_vec3(0.0, 0.0, 0.0));
    ri_dyn_clear_wrenches(s->d);
    memset(s->tau, 0, (size_t)s->m->nv * sizeof *s->tau);
    ri_moreau_put(s, 1.0, s->tau);
    const RiStatus status = ri_dyn_forward(s->d, s->tau, x->moved);
    ri_dyn_set_gravity(s->d, gravity);
    RI_TRY(status);
    for (int k = 0; k < s->m->nv; k++)
        v[k] += x->moved[k];
    return RI_OK;
}

void ri_moreau_forget(RiSim *s)
{
    s->moreau->n = s->moreau->points = 0;
    s->moreau->result = (RiConeResult){.end = RI_CONE_SOLVED};
}

/// Impulses of a step and velocities in place of forces and rates, as reports and the next guess
/// want them.
static void restate(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    for (int i = 0; i < 3 * x->n; i++)
        x->r[i] *= h;
    for (int i = 0; i < x->points; i++) {
        const RiMoreauContact *c = &x->contacts[i];
        const RiVec3 v = s->touches->list[c->touch].v;
        const double part = c->slides ? 1.0 : 0.0; // what a phase that sticks drifts by is no slip
        x->u[3 * i] = 0.0;
        x->u[3 * i + 1] = part * ri_dot(v, c->t1), x->u[3 * i + 2] = part * ri_dot(v, c->t2);
    }
}

RiStatus ri_moreau_finish(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    restate(s, h);
    x->out[RI_MOREAU_OUT_CONTACTS] = x->n;
    x->out[RI_MOREAU_OUT_ITERATIONS] = x->result.iterations;
    x->out[RI_MOREAU_OUT_RESIDUAL] = x->result.residual;
    if (s->contacts)
        ri_moreau_report(s, h);
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->new_v, s->v, (size_t)s->m->nv * sizeof *s->v);
    RI_TRY(ri_moreau_project(s));
    ri_moreau_report_depths(s);
    s->stage = RI_STAGE_FOUND;
    return RI_OK;
}
