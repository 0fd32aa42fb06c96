// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: the contact problem, the end of a step and its reports as located impacts (moreau_events.c) use them.
#include <string.h>

#include "sim/moreau.h"

RiStatus ri_moreau_react(RiSim *s, const RiMoreauTouch *list, int count, double h)
{
    RiMoreau *x = s->moreau;
    if (count > x->limit)
        return ri_moreau_too_many(s);
    x->n = x->points = count;
    x->seen = 0; // they are the ground's
    for (int i = 0; i < count; i++) {
        const RiTouch *t = &s->touch.touches[list[i].touch];
        RiMoreauContact *c = &x->contacts[i];
        *c = (RiMoreauContact){
            .touch = list[i].touch, .stop = -1, .other = -1, .normal = t->normal, .bound = list[i].bound};
        ri_moreau_choose_tangents(t, c);
        c->u[0] = list[i].normal_rate, c->u[1] = ri_dot(list[i].rate, c->t1), c->u[2] = ri_dot(list[i].rate, c->t2);
        const RiVec3 slip = ri_sub(t->v, ri_scale(ri_dot(t->v, t->normal), t->normal));
        x->mu[i] = fmin(RI_MOREAU_ROUGHEST, ri_pair_friction(t->pair, ri_norm(slip)));
        x->across[i] = ri_touch_anisotropy(t, ri_dot(x->reaction[t->state], t->normal) / s->options.tick, slip);
        x->at[i] = (RiPoint){s->contacts->links[t->slot].link, t->point};
        const RiVec3 last = ri_scale(h / s->options.tick, x->reaction[t->state]);
        double *r = x->r + 3 * i;
        r[0] = fmax(0.0, ri_dot(last, c->normal)), r[1] = ri_dot(last, c->t1), r[2] = ri_dot(last, c->t2);
    }
    ri_moreau_set_free(x);
    RI_TRY(ri_moreau_assemble(s));
    RI_TRY(ri_moreau_solve(s));
    ri_moreau_unscale(x);
    return RI_OK;
}

RiStatus ri_moreau_bump(RiSim *s, double *v)
{
    RiMoreau *x = s->moreau;
    const RiVec3 gravity = ri_dyn_gravity(s->d);
    ri_dyn_update_velocity(s->d, x->rest);
    ri_dyn_set_gravity(s->d, ri_vec3(0.0, 0.0, 0.0));
    ri_dyn_clear_wrenches(s->d);
    memset(s->tau, 0, (size_t)s->m->nv * sizeof *s->tau);
    ri_moreau_put(s, 1.0);
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

RiStatus ri_moreau_finish(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    for (int i = 0; i < 3 * x->n; i++)
        x->r[i] *= h; // impulses of a step, as reports and the next guess want them
    x->out[RI_MOREAU_OUT_CONTACTS] = x->n;
    x->out[RI_MOREAU_OUT_ITERATIONS] = x->result.iterations;
    x->out[RI_MOREAU_OUT_RESIDUAL] = x->result.residual;
    if (s->contacts)
        ri_moreau_report(s, h);
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->new_v, s->v, (size_t)s->m->nv * sizeof *s->v);
    RI_TRY(ri_moreau_project(s));
    ri_moreau_report_depths(s);
    s->fresh = s->found = true;
    return RI_OK;
}

bool ri_moreau_nears_stop(const RiSim *s, double h)
{
    const RiMoreau *x = s->moreau;
    for (int i = 0; i < x->stop_count; i++) {
        const RiMoreauStop *p = &x->stops[i];
        const double gap = p->sign * (s->d->jq[p->sq] - p->limit), speed = -p->sign * s->d->js[p->s];
        if (gap <= RI_MOREAU_CLOSED + 2.0 * h * fmax(0.0, speed))
            return true;
    }
    return false;
}
