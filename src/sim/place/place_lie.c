// SPDX-License-Identifier: Apache-2.0
/// \file
/// A robot that lies rather than presses: how it comes to rest under its weight, limp, and how
/// servos take over. Tests: tests/sim/test_place.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "sim/place/place_work.h"

/// Gap that joints may close when servos have taken over [m], and most time for it [s].
static const double CLOSES = 1e-3, CORRECT = 1.5;
/// Part of the time of an attempt in which it comes to rest under it.
static const double LIE_FOR = 0.25;
/// Time in which pulls of a limp robot change by e [s], and most that a module is pulled, over its
/// weight.
static const double GIVE = 0.1, INSIST_LIMP = 6.0;

/// Forces without a resultant that joints add once they take over from the pulls of the last look,
/// normal parts beyond the pulls into extra.
static void spread_pulls(RiPlaceWork *p, const RiSim *s)
{
    ri_place_collect_touches(p, s, true);
    for (int i = 0; i < p->press.count; i++)
        p->press.target[i] = p->puller.load[p->press.feature[i]];
    for (int i = 0; i < p->contacts->feature_count; i++)
        p->extra[i] = 0.0;
    if (!ri_press_spread(&p->press))
        return;
    for (int i = 0; i < p->press.count; i++)
        p->extra[p->press.feature[i]] = ri_dot(p->press.force[i], p->press.normal[i]) - p->press.target[i];
}

/// The feature of a module that is nearest to the ground is pulled until it will press enough when
/// the joints take over; all other pulls fade.
static void regulate_limp(RiPlaceWork *p, const RiSim *s, double least)
{
    const double rate = p->h / GIVE, most = INSIST_LIMP * p->mass * ri_norm(p->gravity) / p->out->report.meant;
    spread_pulls(p, s);
    p->firm = true;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        const double nearest = ri_place_module_gap(p, p->links[l].module);
        for (int i = x->first; i < x->first + x->count && p->links[l].meant; i++) {
            double *load = &p->puller.load[i];
            const double left = p->extra[i] - p->stiffest * p->puller.gap[i];
            const bool lead = p->puller.gap[i] == nearest;
            p->firm &= !lead || (left > 0.5 * least && nearest < 0.0);
            if (lead && left < least)
                *load = fmin(*load + rate * (*load + least), fmax(most, *load));
            else if (!lead || left > 2.0 * least)
                *load -= rate * *load;
        }
    }
}

/// Joints of the chain yield to everything. At a limit they stop.
static void go_limp(const RiPlaceWork *p, RiSim *s, double brake)
{
    const double d = brake * 0.01 * p->mass * 9.81 * p->chain.segment;
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        const double q = s->q[j->q], end = q < j->lower ? j->lower : q > j->upper ? j->upper : q;
        s->joints->servo_k[j->s] = end != q ? p->hold_k[j->s] : 0.0;
        s->joints->servo_q[j->s] = end;
        s->joints->servo_d[j->s] = d;
    }
}

/// Gravity but for its part along the chain: what has no friction would glide along its channel.
static RiVec3 gravity_across(const RiPlaceWork *p, const RiSim *s)
{
    const int n = p->chain.count;
    const RiVec3 tail = ri_dyn_frame_pose(s->d, p->m->joints[p->chain.joints[0].joint].child_link).p;
    const RiVec3 head = ri_dyn_frame_pose(s->d, p->m->joints[p->chain.joints[n - 1].joint].child_link).p;
    const RiVec3 way = ri_sub(head, tail);
    const double size = ri_norm(way);
    if (!(size > 0.0))
        return p->gravity;
    return ri_sub(p->gravity, ri_scale(ri_dot(p->gravity, way) / (size * size), way));
}

/// References at the distance from the positions taken over that makes servos give the efforts of
/// the pulls.
static void refer(RiPlaceWork *p, double share)
{
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        const double k = p->hold_k[j->s], effort = p->tau[p->m->joints[j->joint].v];
        const double wanted = p->shape[j->q] + (k > 0.0 ? effort / k : 0.0);
        p->reference[j->s] += share * (wanted - p->reference[j->s]);
    }
}

/// Servos take over the positions, the efforts of joints at a limit, and those of the pulls.
static void take_over(RiPlaceWork *p, RiSim *s)
{
    memset(p->tau, 0, (size_t)p->m->nv * sizeof *p->tau);
    ri_place_look(p, s);
    spread_pulls(p, s);
    ri_place_find_efforts(p, s, ri_vec3(0.0, 0.0, 0.0));
    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    memcpy(p->shape, s->q, (size_t)p->m->nq * sizeof *p->shape);
    ri_place_set_references(p);
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        if (p->hold_k[j->s] > 0.0)
            p->shape[j->q] += s->joints->servo_k[j->s] * (s->joints->servo_q[j->s] - s->q[j->q]) / p->hold_k[j->s];
    }
    refer(p, 1.0);
}

/// More pull, by the joints, for modules that have lost the ground.
static void ask_more(RiPlaceWork *p, RiSim *s)
{
    const double joint = p->chain.count ? p->hold_k[p->chain.joints[0].s] / (p->chain.segment * p->chain.segment) : 0.0;
    p->firm = true;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        const double gap = ri_place_module_gap(p, p->links[l].module),
                     pressing = -gap * (gap > 0.0 ? joint : p->stiffest);
        if (!p->links[l].meant || p->links[l].gap != gap || pressing > 0.3 * p->least)
            continue;
        p->firm = false;
        for (int i = x->first; i < x->first + x->count; i++)
            if (p->puller.gap[i] == gap)
                p->puller.load[i] += 0.2 * (p->least - pressing);
    }
    if (p->firm)
        return;
    spread_pulls(p, s);
    ri_place_find_efforts(p, s, ri_vec3(0.0, 0.0, 0.0));
}

bool ri_place_correct(RiPlaceWork *p, RiSim *s)
{
    double still = 0.0;
    for (long long i = 0; i < llround(CORRECT / p->h) && still < RI_PLACE_STILL_FOR; i++) {
        ri_place_look(p, s);
        if (i % llround(fmax(1.0, RI_PLACE_RENEW / p->h)) == 0)
            ask_more(p, s);
        still = p->firm && p->attempt->speed < 0.2 * p->def->still ? still + p->h : 0.0;
        refer(p, p->h / RI_PLACE_FOLLOW);
        ri_place_set_servos(p, s, p->reference);
        ri_puller_brake(&p->puller, s);
        if (!ri_place_step(p, s, RI_PLACE_PRESS))
            return false;
    }
    ri_puller_release(s);
    return true;
}

bool ri_place_run_lie(RiPlaceWork *p, RiSim *s)
{
    const double least = p->least, start = p->attempt->time, end = LIE_FOR * p->def->time, c = p->puller.c;
    double still = 0.0, brake = 1.0;
    for (double time = p->h; time < end && still < RI_PLACE_STILL_FOR; time = p->attempt->time - start + p->h) {
        const RiVec3 across = ri_scale(fmin(1.0, time / RI_PLACE_RAMP), gravity_across(p, s));
        s->options.gravity = across;
        ri_dyn_set_gravity(s->d, across);
        ri_place_look(p, s);
        regulate_limp(p, s, least);
        const bool firm = p->firm && time > RI_PLACE_RAMP;
        brake = fmin(fmax(brake * ri_exp((firm ? 1.0 : -1.0) * p->h / GIVE), 1.0), RI_PLACE_MOST_BRAKE); // it rocks
        still = firm && p->attempt->speed < 0.2 * p->def->still ? still + p->h : 0.0;
        p->puller.c = brake * c;
        ri_puller_aim(&p->puller);
        ri_puller_pull(&p->puller, s);
        go_limp(p, s, brake);
        if (!ri_place_step(p, s, RI_PLACE_PRESS))
            return false;
    }
    take_over(p, s);
    if (p->out->report.gap > CLOSES)
        ri_place_judge(p, true);
    return !p->attempt->text[0];
}
