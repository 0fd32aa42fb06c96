// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the stages of a placement share: servos of the scratch simulation, how things stand, one
/// step. Tests: tests/sim/test_place.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/place/place_work.h"

bool ri_place_is_driven(const RiModel *m, const RiBodyData *b)
{
    return m->joints[b->joint].parent_link >= 0 && b->ns == 1 && b->nq == 1 && m->joints[b->joint].v >= 0 &&
           m->joints[b->joint].q >= 0;
}

void ri_place_set_servos(const RiPlaceWork *p, RiSim *s, const double *reference)
{
    for (int i = 0; i < p->m->nb; i++) {
        const RiBodyData *b = &p->m->bodies[i];
        if (!ri_place_is_driven(p->m, b))
            continue;
        s->joints->servo_k[b->s] = p->hold_k[b->s];
        s->joints->servo_d[b->s] = p->hold_d[b->s];
        s->joints->servo_q[b->s] = reference ? reference[b->s] : p->q[p->m->joints[b->joint].q];
    }
}

void ri_place_yield(const RiPlaceWork *p, RiSim *s)
{
    const double soft = p->soft * p->mass * 9.81 * p->chain.segment;
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        const double k = fmin(soft, p->hold_k[j->s] > 0.0 ? p->hold_k[j->s] : soft);
        const double q = s->q[j->q], end = q < j->lower ? j->lower : q > j->upper ? j->upper : q;
        s->joints->servo_q[j->s] = end != q ? end : p->shape[j->q];
        s->joints->servo_k[j->s] = end != q ? p->hold_k[j->s] : k;
        s->joints->servo_d[j->s] = 0.2 * k;
    }
}

// --- state of things -----------------------------------------------------------------------------

double ri_place_module_gap(const RiPlaceWork *p, int module)
{
    double gap = INFINITY;
    bool meant = false;
    for (int l = 0; l < p->contacts->link_count; l++)
        if (p->links[l].module == module && p->links[l].meant) {
            gap = fmin(gap, p->links[l].gap);
            meant = true;
        }
    return meant ? gap : -INFINITY;
}

/// Gaps and touches of links and modules at the puller's last look.
static void take_stock(RiPlaceWork *p)
{
    RiPlaceReport *r = &p->out->report;
    r->touching = 0;
    r->gap = -INFINITY;
    r->penetration = 0.0;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        RiPlaceLink *y = &p->links[l];
        y->touches = 0;
        y->gap = INFINITY;
        for (int i = x->first; i < x->first + x->count; i++) {
            y->touches += p->puller.gap[i] < 0.0;
            y->gap = fmin(y->gap, p->puller.gap[i]);
        }
        r->penetration = fmax(r->penetration, -y->gap);
    }
    for (int m = 0; m < p->module_count; m++) {
        const double gap = ri_place_module_gap(p, m);
        r->touching += gap < 0.0 && isfinite(gap);
        r->gap = fmax(r->gap, gap);
    }
    p->attempt->touching = r->touching;
    p->attempt->penetration = r->penetration;
}

/// Joints of the chain that stand at a limit.
static int count_limits(const RiPlaceWork *p, const RiSim *s)
{
    int count = 0;
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        count += s->q[j->q] < j->lower + 1e-3 || s->q[j->q] > j->upper - 1e-3;
    }
    return count;
}

void ri_place_look(RiPlaceWork *p, const RiSim *s)
{
    ri_puller_look(&p->puller, s);
    take_stock(p);
    p->attempt->at_limit = count_limits(p, s);
    p->attempt->speed = ri_puller_speed(&p->puller, s);
}

const char *ri_place_farthest(const RiPlaceWork *p)
{
    for (int l = 0; l < p->contacts->link_count; l++)
        if (p->links[l].meant && p->links[l].gap == p->out->report.gap)
            return p->m->links[p->links[l].link].name;
    return "";
}

const char *ri_place_deepest(const RiPlaceWork *p)
{
    const RiPlaceLink *worst = &p->links[0];
    for (int l = 1; l < p->contacts->link_count; l++)
        if (p->links[l].gap < worst->gap)
            worst = &p->links[l];
    return p->m->links[worst->link].name;
}

const char *ri_place_outside(const RiPlaceWork *p)
{
    for (int k = 0; k < p->puller.pull_count; k++) {
        const RiPlacePull *x = &p->puller.pulls[k];
        RiSurface s;
        ri_terrain_query(p->contacts->terrain, x->point, &s);
        if (p->puller.meant[x->feature] && s.flags & RI_SURFACE_OUTSIDE)
            return p->m->links[p->contacts->features[x->feature].link].name;
    }
    return NULL;
}

void ri_place_collect_touches(RiPlaceWork *p, const RiSim *s, bool lost)
{
    RiPress *x = &p->press;
    x->count = 0;
    x->centre = ri_dyn_com(s->d);
    x->size = p->chain.segment;
    for (int k = 0; k < p->puller.pull_count; k++) {
        const RiTouch *t = &p->puller.work.touches[k];
        const RiPlaceLink *l = &p->links[t->slot];
        const bool nearest = lost && l->gap == -t->depth && l->gap == ri_place_module_gap(p, l->module);
        if (!p->puller.meant[t->feature] || (t->depth <= 0.0 && !nearest))
            continue;
        x->feature[x->count] = t->feature;
        x->point[x->count] = t->point;
        x->thread[x->count] = t->thread;
        x->pair[x->count] = ri_contacts_pair(p->contacts, t->feature, t->ground);
        x->use[x->count] =
            ri_contacts_use(p->contacts, p->contacts->uses, (int)(x->pair[x->count] - p->contacts->pairs));
        x->normal[x->count++] = t->normal;
    }
}

void ri_place_find_efforts(RiPlaceWork *p, RiSim *s, RiVec3 gravity)
{
    const RiVec3 before = ri_dyn_gravity(s->d);
    ri_dyn_clear_wrenches(s->d);
    ri_dyn_clear_body_extra(s->d);
    ri_dyn_set_gravity(s->d, gravity);
    for (int i = 0; i < p->press.count; i++)
        ri_dyn_add_wrench(s->d, p->contacts->features[p->press.feature[i]].link, p->press.force[i],
                          ri_vec3(0.0, 0.0, 0.0), p->press.point[i]);
    ri_dyn_inverse(s->d, NULL, p->tau);
    ri_dyn_set_gravity(s->d, before);
}

// --- steps ---------------------------------------------------------------------------------------

static void show(const RiPlaceWork *p, const RiSim *s, RiPlaceStage stage)
{
    const long long every = llround(fmax(1.0, 0.02 / p->h));
    if (!p->def->watch || s->head->tick % every)
        return;
    const RiPlaceView view = {stage, p->try_index, p->attempt->time, s->q, p->puller.pulls, p->puller.pull_count};
    p->def->watch(p->def->user, &view);
}

bool ri_place_step(RiPlaceWork *p, RiSim *s, RiPlaceStage stage)
{
    p->attempt->stage = stage;
    p->attempt->steps++;
    p->attempt->time += p->h;
    show(p, s, stage);
    if (ri_sim_step(s) == RI_OK)
        return true;
    snprintf(p->attempt->text, sizeof p->attempt->text, "the motion diverged in stage %s", ri_place_stage_name(stage));
    return false;
}
