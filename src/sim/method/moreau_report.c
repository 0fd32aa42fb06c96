// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: what is kept and reported of a step's reactions, and their work.
#include <string.h>

#include "sim/method/moreau.h"

/// Whether a contact slides: its cone begins where its bond would break.
static bool slides(const RiMoreauContact *c, const double *r, const double *u)
{
    const double shifted[3] = {r[0] + c->bond, r[1], r[2]};
    return ri_cone_contact(shifted, u, 1e-9) == RI_CONE_SLIDE;
}

/// Reactions to keep, and the touches as they are reported.
void ri_moreau_report(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    const int places = s->contacts ? s->contacts->state_count : 0;
    for (int i = 0; i < places; i++)
        x->info_of[i] = -1;
    memset(x->stop_force, 0, (size_t)x->stop_count * sizeof *x->stop_force);
    s->touches->info_count = 0;
    for (int i = 0; i < x->points; i++) {
        const double *r = x->r + 3 * i, *u = x->u + 3 * i;
        const RiMoreauContact *c = &x->contacts[i];
        if (!c->holds)
            continue;
        const RiTouch *t = &s->touches->list[c->touch];
        const RiVec3 p = ri_moreau_in_world(c, r);
        x->info_of[t->place] = s->touches->info_count;
        s->touches->info_of[s->touches->info_count] = c->touch;
        s->touches->held_normal[t->place] = t->normal;
        x->reaction[t->place] = p;
        s->touches->info[s->touches->info_count++] =
            (RiTouchInfo){.feature = t->feature,
                          .link = x->at[i].link,
                          .other = c->other,
                          .hull = t->solid,
                          .other_hull = t->other_solid,
                          .point = t->point,
                          .normal = t->normal,
                          .pressing = r[0] / h,
                          .force = ri_scale(1.0 / h, p),
                          .slip = ri_add(ri_scale(u[1], c->t1), ri_scale(u[2], c->t2)),
                          .sliding = slides(c, r, u),
                          .ground = t->ground};
        ri_sim_report_soil(t, r[0] / h, &s->touches->info[s->touches->info_count - 1]);
    }
    for (int i = x->points; i < x->n; i++)
        x->stop_force[x->contacts[i].stop] = x->r[3 * i];
    for (int i = 0; i < places; i++)
        if (x->info_of[i] < 0) {
            ri_sim_forget_place(s, i);
            x->reaction[i] = ri_vec3(0.0, 0.0, 0.0);
        }
    ri_sim_keep_pool(s);
    ri_sim_sum_touches(s);
}

/// Work of the reactions at mean velocities: what impacts and sliding take is lost. After
/// ri_sim_account.
void ri_moreau_account(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    double work = 0.0;
    for (int i = 0; i < x->points; i++) {
        const RiTouch *t = &s->touches->list[x->contacts[i].touch];
        const RiVec3 mean = ri_add(t->v, ri_scale(0.5 * h, ri_moreau_share(s, t)));
        work += ri_dot(ri_moreau_in_world(&x->contacts[i], x->r + 3 * i), mean);
    }
    for (int i = x->points; i < x->n; i++) {
        const RiMoreauStop *p = &x->stops[x->contacts[i].stop];
        const double mean = s->d->js[p->s] + 0.5 * h * (s->accel_s[p->s] - s->d->jg[p->s]);
        work += x->r[3 * i] * p->sign * mean;
    }
    s->head->dissipated -= work;
}

static void deepen(RiSim *s, int slot, double depth)
{
    double *sum = s->touches->out + slot * RI_CONTACT_COUNT;
    sum[RI_CONTACT_DEPTH] = fmax(sum[RI_CONTACT_DEPTH], depth);
}

/// Depths at the step's end for the reported touches and in their sums.
void ri_moreau_report_depths(RiSim *s)
{
    double *all = s->contacts ? s->touches->out + s->contacts->slot_count * RI_CONTACT_COUNT : NULL;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const int at = s->moreau->info_of[t->place];
        if (at < 0 || t->depth <= 0.0)
            continue;
        s->touches->info[at].depth = fmax(s->touches->info[at].depth, t->depth);
        deepen(s, t->slot, t->depth);
        if (t->other >= 0)
            deepen(s, t->other, t->depth);
        all[RI_CONTACT_DEPTH] = fmax(all[RI_CONTACT_DEPTH], t->depth);
    }
}

void ri_moreau_apply_reactions(RiSim *s)
{
    const RiVec3 none = {0.0, 0.0, 0.0};
    for (int i = 0; i < s->touches->info_count; i++) {
        const RiTouchInfo *t = &s->touches->info[i];
        ri_dyn_add_wrench(s->d, t->link, t->force, none, t->point);
        if (t->other >= 0)
            ri_dyn_add_wrench(s->d, t->other, ri_scale(-1.0, t->force), none, t->point);
    }
}
