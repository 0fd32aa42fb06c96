// SPDX-License-Identifier: Apache-2.0
/// \file
/// The last stages of a placement: gravity comes on and joints take over (PRESS), what moves under
/// its own weight (HOLD), and what it carries. Tests: tests/sim/test_place.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/place/place_work.h"

/// Friction used at a touch over what there is.
static double used_friction(const RiSim *s, const RiTouchInfo *t, double *out_limit)
{
    const RiPairDef *pair = ri_sim_pair(s, t->feature, t->ground);
    const RiLawUse *use = ri_contacts_use(s->contacts, s->touches->uses, (int)(pair - s->touches->laws));
    *out_limit =
        ri_laws[pair->law].rolls ? t->traction : ri_pair_friction_at_rest(pair, use, t->pressing) * t->pressing;
    if (pair->stick_stiffness > 0.0)
        return fmin(pair->stick_stiffness * ri_norm(s->touches->deflection[t->feature]), *out_limit);
    return t->sliding ? *out_limit : 0.0;
}

/// Forces of the hold's last step: by link, and the friction that is left.
static void weigh(RiPlaceWork *p, const RiSim *s)
{
    RiPlaceReport *r = &p->out->report;
    double used = 0.0, limits = 0.0, total = 0.0;
    for (int l = 0; l < r->link_count; l++)
        p->links[l].pressing = 0.0, p->links[l].reserve = 1.0;
    for (int i = 0; i < s->touches->info_count; i++)
        total += s->touches->info[i].pressing;
    r->margin = r->reserve = NAN;
    for (int i = 0, l = 0; i < s->touches->info_count; i++) {
        const RiTouchInfo *t = &s->touches->info[i];
        double limit;
        if (t->other >= 0)
            continue; // links on each other
        const double friction = used_friction(s, t, &limit), left = limit > 0.0 ? 1.0 - friction / limit : 0.0;
        while (p->links[l].link != t->link)
            l++;
        p->links[l].pressing += t->pressing;
        used += friction;
        limits += limit;
        if (t->pressing < 0.01 * total / s->touches->info_count)
            continue; // a touch that bears nothing
        p->links[l].reserve = fmin(p->links[l].reserve, left);
        r->margin = isnan(r->margin) ? left : fmin(r->margin, left);
    }
    if (limits > 0.0)
        r->reserve = 1.0 - used / limits;
}

/// The most loaded actuator.
static void weigh_joints(RiPlaceWork *p, const RiSim *s)
{
    RiPlaceReport *r = &p->out->report;
    r->effort = 0.0;
    for (int i = 0; i < p->m->nb; i++) {
        const RiBodyData *b = &p->m->bodies[i];
        const RiJointSpec *j = &p->m->joints[b->joint].spec;
        if (!ri_place_is_driven(p->m, b) || !isfinite(j->effort) || !(j->effort > 0.0))
            continue;
        const double share = fabs(s->joints->load.tau[b->s]) / j->effort;
        if (share > r->effort) {
            r->effort = share;
            snprintf(r->weakest, sizeof r->weakest, "%s", j->name);
        }
    }
}

/// What keeps a held robot from being accepted; "" if nothing does.
static void judge_hold(RiPlaceWork *p)
{
    const RiPlaceReport *r = &p->out->report;
    char *text = p->attempt->text;
    const size_t size = sizeof p->attempt->text;
    ri_place_judge(p, true);
    if (r->creep > p->def->creep && !p->def->may_slide)
        snprintf(text, size, "it does not hold its weight: it moved by %.3g mm in %.3g s; friction reserve %.2g",
                 1e3 * r->creep, 0.5 * p->def->hold, r->reserve);
    else if (!text[0] && r->effort > 1.0)
        snprintf(text, size, "joint '%.60s' would need %.3g times its effort to hold it", r->weakest, r->effort);
}

/// Efforts for the touches as they are, with a part of gravity. Modules that have lost the ground
/// are pressed towards it, more from time to time.
static void renew_efforts(RiPlaceWork *p, RiSim *s, double part)
{
    const RiVec3 gravity = ri_scale(part, p->gravity);
    const double weight = p->mass * ri_norm(p->gravity),
                 load = fmax(0.1 * weight / p->out->report.meant, p->preload * p->share);
    const double joint = p->chain.count ? p->hold_k[p->chain.joints[0].s] / (p->chain.segment * p->chain.segment) : 0.0;
    ri_place_look(p, s);
    ri_place_collect_touches(p, s, true);
    p->firm = true;
    for (int i = 0, l = 0; i < p->press.count; i++) {
        while (p->links[l].link != p->contacts->features[p->press.feature[i]].link)
            l++;
        const double gap = ri_place_module_gap(p, p->links[l].module);
        if (gap > -0.1 * load / p->stiffest) {
            p->extra[p->press.feature[i]] += fmax(load, 0.3 * joint * gap) * RI_PLACE_RENEW / RI_PLACE_FOLLOW;
            p->firm = false;
        }
        p->press.target[i] = p->out->report.press + p->extra[p->press.feature[i]];
    }
    if (ri_press_solve(&p->press, ri_scale(p->mass, gravity)))
        ri_place_find_efforts(p, s, gravity);
}

/// References follow the joints at the distance that makes their servos give the efforts.
static void follow(RiPlaceWork *p, RiSim *s)
{
    for (int i = 0; i < p->m->nb; i++) {
        const RiBodyData *b = &p->m->bodies[i];
        const RiJointData *j = &p->m->joints[b->joint];
        if (!ri_place_is_driven(p->m, b) || !(p->hold_k[b->s] > 0.0))
            continue;
        const double wanted = s->q[j->q] + p->tau[j->v] / p->hold_k[b->s];
        p->reference[b->s] += fmin(1.0, p->h / RI_PLACE_FOLLOW) * (wanted - p->reference[b->s]);
        s->joints->servo_q[b->s] = p->reference[b->s];
    }
}

static void set_gravity(const RiPlaceWork *p, RiSim *s, double part)
{
    s->options.gravity = ri_scale(part, p->gravity);
    ri_dyn_set_gravity(s->d, s->options.gravity);
}

/// Gravity comes on and the joints take over, until everything touches and nothing moves; dampers
/// keep it from rocking. False: diverged.
static bool run_press(RiPlaceWork *p, RiSim *s)
{
    const long long ticks = llround(0.5 * p->def->time / p->h), every = llround(fmax(1.0, RI_PLACE_RENEW / p->h));
    double still = 0.0;
    memset(p->tau, 0, (size_t)p->m->nv * sizeof *p->tau);
    memset(p->extra, 0, (size_t)p->contacts->feature_count * sizeof *p->extra);
    for (long long i = 0; i < ticks && still < 2.0 * RI_PLACE_STILL_FOR; i++) {
        const double time = (double)(i + 1) * p->h, part = fmin(1.0, time / RI_PLACE_RAMP);
        set_gravity(p, s, part);
        if (i % every == 0)
            renew_efforts(p, s, part);
        else
            ri_place_look(p, s);
        const bool good = p->attempt->speed < 0.2 * p->def->still && p->firm && time > 1.5 * RI_PLACE_RAMP;
        still = good ? still + p->h : 0.0;
        ri_puller_pull(&p->puller, s);
        if (!p->firm ||
            time <
                1.5 * RI_PLACE_RAMP) // once everything presses the references stay: forces alone would go on moving it
            follow(p, s);
        if (!ri_place_step(p, s, RI_PLACE_PRESS))
            return false;
    }
    ri_puller_release(s);
    return true;
}

bool ri_place_run_hold(RiPlaceWork *p, RiSim *s)
{
    RiPlaceReport *r = &p->out->report;
    const long long ticks = llround(p->def->hold / p->h);
    if (!p->lies)
        ri_puller_set_load(&p->puller, 0.0);
    p->puller.most = 0.0;
    p->puller.c = 2.0 * sqrt(p->def->attract) * p->share;
    if (!(p->lies ? ri_place_correct : run_press)(p, s))
        return false;
    for (long long i = 0; i < ticks; i++) {
        if (i == ticks / 8 || i == ticks / 2) {
            ri_place_look(p, s);
            ri_puller_mark(&p->puller);
            if (r->touching < r->meant && p->try_index + 1 < p->def->attempts)
                break; // no need to wait for the end
        }
        if (!ri_place_step(p, s, RI_PLACE_HOLD))
            return false;
    }
    ri_place_look(p, s);
    r->creep = ri_puller_moved(&p->puller);
    weigh(p, s);
    weigh_joints(p, s);
    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    judge_hold(p);
    return !p->attempt->text[0];
}
