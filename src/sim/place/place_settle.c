// SPDX-License-Identifier: Apache-2.0
/// \file
/// The first stages of a placement: out of the ground (FREE), pulled onto it without friction and
/// gravity (SETTLE), and how hard joints will press. Tests: tests/sim/test_place.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "sim/place/place_work.h"

/// Penetration from which contacts are left to do the rest [m].
static const double SHALLOW = 2e-3;
/// Penetration with which a guess is given up [m].
static const double HOPELESS = 20e-3;
/// Time for which joints may forget the guess [s].
static const double FORGET = 0.8;
/// Share of an actuator's limit that pressing may take.
static const double PRESS_SHARE = 0.7;
/// Pull of features out of the ground against that towards it.
static const double PUSH_OUT = 10.0;
/// Mean upward part of the ground's normals from which a robot lies.
static const double LIES = 0.4;
/// Time after which a robot that lies is left to its weight [s].
static const double LIE_AFTER = 1.0;
/// Most that modules which do not touch are pulled at the ground, over the strength of the pull.
static const double INSIST = 4.0;

bool ri_place_run_free(RiPlaceWork *p, RiSim *s)
{
    const double end = p->attempt->time + 0.5 * p->def->time;
    p->puller.push = true;
    p->puller.k = PUSH_OUT * p->def->attract * p->share;
    p->puller.c = 2.0 * sqrt(PUSH_OUT * p->def->attract) * p->share;
    ri_puller_set_load(&p->puller, 0.0);
    p->puller.most = p->def->strength * p->share;
    for (;;) {
        ri_place_look(p, s);
        if (p->out->report.penetration < SHALLOW || p->attempt->time >= end)
            break;
        ri_place_yield(p, s);
        ri_puller_pull(&p->puller, s);
        if (!ri_place_step(p, s, RI_PLACE_FREE))
            return false;
    }
    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    if (p->out->report.penetration < HOPELESS)
        return true;
    p->attempt->stage = RI_PLACE_FREE;
    snprintf(p->attempt->text, sizeof p->attempt->text,
             "the guess does not fit: '%.60s' is still %.3g m in the ground after %.3g s of pushing",
             ri_place_deepest(p), p->out->report.penetration, p->attempt->time);
    return false;
}

/// Regulates the pulls: modules that do not touch, or as good as not, are pulled harder and harder,
/// those that press hard less and less, down to the load.
static void regulate(RiPlaceWork *p, double load)
{
    const double more = ri_exp(p->h / RI_PLACE_GROW), enough = 0.25 * load / p->stiffest;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        const double gap = p->links[l].meant ? ri_place_module_gap(p, p->links[l].module) : -INFINITY;
        const double factor = gap > -enough ? more : gap < -2.0 * enough ? 1.0 / more : 1.0;
        for (int i = x->first; i < x->first + x->count; i++)
            p->puller.load[i] = fmax(fmin(factor * p->puller.load[i], INSIST * p->puller.most), load);
    }
}

/// With everything touching, joints forget the guess for a while: what it took to get here is not
/// needed to stay.
static void forget(RiPlaceWork *p, const RiSim *s)
{
    if (p->out->report.touching < p->out->report.meant || p->forgotten > FORGET)
        return;
    p->forgotten += p->h;
    for (int i = 0; i < p->chain.count; i++) {
        double *at = &p->shape[p->chain.joints[i].q];
        *at += (s->q[p->chain.joints[i].q] - *at) * p->h / RI_PLACE_GROW;
    }
}

/// Pulled onto the ground until everything touches and nothing moves, or for `time`. False:
/// diverged.
static bool pull_down(RiPlaceWork *p, RiSim *s, RiPlaceStage stage, double load, double time, bool *out_still)
{
    const double end = p->attempt->time + time, c_most = RI_PLACE_MOST_BRAKE * p->puller.c;
    const RiPlaceReport *r = &p->out->report;
    double still = 0.0;
    *out_still = false;
    while (p->attempt->time < end) {
        ri_place_look(p, s);
        regulate(p, load);
        forget(p, s);
        if ((r->touching == r->meant || p->attempt->time > RI_PLACE_BRAKE_AFTER) &&
            p->puller.c < c_most) // no friction ends the motion: dampers do
            p->puller.c *= ri_exp(p->h / RI_PLACE_GROW);
        const bool good =
            p->attempt->speed < p->def->still && r->touching == r->meant && p->attempt->time > RI_PLACE_STILL_FOR;
        still = good ? still + p->h : 0.0;
        *out_still = still >= RI_PLACE_STILL_FOR;
        if (*out_still)
            break;
        ri_place_yield(p, s);
        ri_puller_pull(&p->puller, s);
        if (!ri_place_step(p, s, stage))
            return false;
    }
    return true;
}

void ri_place_judge(RiPlaceWork *p, bool still)
{
    const RiPlaceReport *r = &p->out->report;
    char *text = p->attempt->text;
    const size_t size = sizeof p->attempt->text;
    const char *edge = ri_place_outside(p);
    text[0] = '\0';
    if (edge)
        snprintf(text, size,
                 "'%.60s' lies beyond the edge of the terrain: the robot is longer than what it is placed in", edge);
    else if (r->touching < r->meant)
        snprintf(text, size,
                 "%d of %d modules touch; '%.60s' is %.3g m away from the ground; %d joints are at their limits",
                 r->touching, r->meant, ri_place_farthest(p), r->gap, p->attempt->at_limit);
    else if (r->penetration > p->def->depth)
        snprintf(text, size, "'%.60s' is %.3g mm in the ground", ri_place_deepest(p), 1e3 * r->penetration);
    else if (!still)
        snprintf(text, size, "it still moves at %.3g mm/s", 1e3 * p->attempt->speed);
}

static void keep_pulls(RiPlaceWork *p)
{
    RiPlacePull *kept = (RiPlacePull *)p->out->report.pulls;
    memcpy(kept, p->puller.pulls, (size_t)p->puller.pull_count * sizeof *kept);
    p->out->report.pull_count = p->puller.pull_count;
}

/// The same under the robot's weight. Returns the largest share of an actuator's limit.
static double hold_efforts(RiPlaceWork *p, RiSim *s)
{
    double share = 0.0;
    ri_place_find_efforts(p, s, p->gravity);
    for (int i = 0; i < p->m->nb; i++) {
        const RiJointData *j = &p->m->joints[p->m->bodies[i].joint];
        if (ri_place_is_driven(p->m, &p->m->bodies[i]) && j->spec.effort > 0.0)
            share = fmax(share, fabs(p->tau[j->v]) / j->spec.effort);
    }
    return share;
}

/// Solves for an equal pressing of all touches.
static bool press_equally(RiPlaceWork *p, RiVec3 weight, double press)
{
    for (int i = 0; i < p->press.count; i++)
        p->press.target[i] = press;
    return ri_press_solve(&p->press, weight);
}

/// Whether the ground is below the robot rather than beside it.
static bool is_below(RiPlaceWork *p, const RiSim *s)
{
    const double g = ri_norm(p->gravity);
    double up = 0.0;
    ri_place_collect_touches(p, s, true);
    for (int i = 0; i < p->press.count; i++)
        up -= ri_dot(p->press.normal[i], p->gravity);
    return g > 0.0 && up > LIES * g * p->press.count;
}

/// The least pressing that leaves the margin asked for, or where there is none the most friction,
/// as far as the actuators let it.
static double choose_press(RiPlaceWork *p, RiSim *s)
{
    const RiVec3 weight = ri_scale(p->mass, p->gravity);
    const double first = fmax(0.02 * ri_norm(weight) / p->out->report.meant, 1e-3 * p->share);
    double best = -INFINITY, good = p->def->press;
    bool found = false;
    ri_place_collect_touches(p, s, false);
    for (double press = p->def->press; press <= p->def->press + ri_norm(weight); press = fmax(1.15 * press, first)) {
        if (!press_equally(p, weight, press))
            continue;
        if (hold_efforts(p, s) > PRESS_SHARE && found)
            break;
        found = true;
        const double reserve = ri_press_reserve(&p->press);
        if (reserve > best + 0.01) {
            best = reserve;
            good = press;
        }
        if (reserve >= p->def->margin)
            break;
    }
    return good;
}

void ri_place_set_references(RiPlaceWork *p)
{
    for (int i = 0; i < p->m->nb; i++)
        if (ri_place_is_driven(p->m, &p->m->bodies[i]))
            p->reference[p->m->bodies[i].s] = p->q[p->m->joints[p->m->bodies[i].joint].q];
}

bool ri_place_run_settle(RiPlaceWork *p, RiSim *s)
{
    bool still;
    p->lies = false;
    p->puller.push = false;
    p->puller.k = p->def->attract * p->share;
    p->puller.c = 2.0 * sqrt(p->def->attract) * p->share;
    p->puller.most = fmax(p->def->strength, 2.0 * p->preload) * p->share;
    ri_puller_set_load(&p->puller, p->preload * p->share);
    if (!pull_down(p, s, RI_PLACE_SETTLE, p->preload * p->share, fmin(LIE_AFTER, p->def->time), &still))
        return false;
    p->lies = is_below(p, s);
    if (!p->lies && !still &&
        !pull_down(p, s, RI_PLACE_SETTLE, p->preload * p->share, p->def->time - LIE_AFTER, &still))
        return false;
    ri_place_judge(p, still);
    keep_pulls(p);
    if (p->lies && !ri_place_outside(p))
        p->attempt->text[0] = '\0'; // its weight does the rest
    if (p->attempt->text[0])
        return false;
    p->out->report.press = p->lies ? p->def->press : choose_press(p, s);

    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    ri_place_set_references(p);
    return true;
}
