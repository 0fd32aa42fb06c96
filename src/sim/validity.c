// SPDX-License-Identifier: Apache-2.0
/// \file
/// Validity: laws say when they run outside of what they were made for.
///
///     ri_sim_add_validity (until build) --> flag --(ri_sim_report_validity, by the law)--> raised --(end of tick)--> first time, count
///
/// A report raises a flag for the tick at hand; at its end raised flags are counted and lowered. The counts are the named values
/// `validity.*` and stand in the state block, so a resumed run goes on counting. A report costs one store. What is evaluated at
/// states that are never accepted (stages, trial steps) is not heard: RiSim.trial.
///
/// The flags of joints and springs stand here as well: a joint's position, rate and actuator effort beyond what the robot's description
/// allows, and a spring that is stretched further than a linear law is good for. Tests: tests/sim/test_validity.c.
#include <stdio.h>
#include <string.h>

#include "sim/internal.h"

/// Share of its range by which a joint may press into its stop before the stop's law is doubted.
#define RI_STOP_DEPTH 0.05
/// Share of its range that a joint without a stop may stand beyond a limit: rounding.
#define RI_LIMIT_SLACK 1e-9
/// Length over unstretched length up to which a spring's linear law is believed.
#define RI_SPRING_STRETCH 2.0

void ri_sim_report_validity(RiSim *s, int flag)
{
    if (flag < 0 || s->trial)
        return;
    s->validity[flag].raised = 1;
    s->reported = true;
}

/// A flag of one joint or spring: `owner.what`.
static RiStatus add_flag(RiSim *s, const char *owner, const char *what, const char *text, int *out_flag)
{
    char name[512];
    snprintf(name, sizeof name, "%.380s.%.100s", owner, what);
    return ri_sim_add_validity(s, name, text, out_flag);
}

static RiStatus watch_joint(RiSim *s, const RiBodyData *b)
{
    const RiJointSpec *j = &s->m->joints[b->joint].spec;
    RiJointWatch w = {-INFINITY, INFINITY, j->velocity, j->effort * (1.0 + 1e-9), b->s, b->sq, -1, -1, -1};
    const double range = j->upper - j->lower;
    if (j->has_limits) {
        const bool stop = j->stop_stiffness > 0.0;
        const double slack = range * (stop ? RI_STOP_DEPTH : RI_LIMIT_SLACK);
        w.lower = j->lower - slack;
        w.upper = j->upper + slack;
        RI_TRY(add_flag(s, j->name, "position_limit",
                        stop ? "the joint is further in its stop than 5 % of its range"
                             : "the joint is beyond its limits, and it has no stop",
                        &w.position));
    }
    if (isfinite(j->velocity))
        RI_TRY(
            add_flag(s, j->name, "velocity_limit", "the joint is faster than the robot's description allows", &w.rate));
    if (isfinite(j->effort))
        RI_TRY(add_flag(s, j->name, "effort_limit", "the actuator effort is larger than the robot's description allows",
                        &w.effort));
    s->most_rate[b->s] = w.most_rate;
    s->most_effort[b->s] = w.most_effort;
    s->lower[b->sq] = w.lower;
    s->upper[b->sq] = w.upper;
    if (w.position >= 0 || w.rate >= 0 || w.effort >= 0)
        s->watches[s->watch_count++] = w;
    return RI_OK;
}

/// Room for the limits, all infinite.
static RiStatus make_room(RiSim *s)
{
    const size_t ns = (size_t)s->m->ns, nsq = (size_t)s->m->nsq;
    double *x = ri_arena_alloc(&s->arena, 2 * ns + 2 * nsq + 1, sizeof *x);
    s->watches = ri_arena_alloc(&s->arena, (size_t)s->m->nb + 1, sizeof *s->watches);
    if (!x || !s->watches)
        return ri_error_memory(s->ctx);
    for (size_t i = 0; i < 2 * ns + nsq; i++)
        x[i] = INFINITY;
    for (size_t i = 0; i < nsq; i++)
        x[2 * ns + nsq + i] = -INFINITY;
    s->most_rate = x;
    s->most_effort = x + ns;
    s->upper = x + 2 * ns;
    s->lower = s->upper + nsq;
    return RI_OK;
}

/// Devices that can refuse a command have an output that says so.
static RiStatus watch_device(RiSim *s, const RiDeviceSlot *x)
{
    for (int k = 0; k < x->device->port_count; k++) {
        if (x->device->ports[k].kind != RI_VALUE_OUTPUT || strcmp(x->device->ports[k].name, "refused") != 0)
            continue;
        RiRefusal *r = ri_arena_alloc(&s->arena, 1, sizeof *r);
        if (!r)
            return ri_error_memory(s->ctx);
        *r = (RiRefusal){s->refusals, x->port + k, -1};
        s->refusals = r;
        RI_TRY(add_flag(s, x->name, "refused", "the device refused a command: its other outputs say why", &r->flag));
    }
    return RI_OK;
}

static void check_refusals(RiSim *s)
{
    for (const RiRefusal *r = s->refusals; r; r = r->next)
        if (s->ports[r->port] != 0.0)
            ri_sim_report_validity(s, r->flag);
}

RiStatus ri_sim_watch(RiSim *s)
{
    RI_TRY(make_room(s));
    for (int i = 0; i < s->m->nb; i++)
        if (s->m->bodies[i].ns == 1)
            RI_TRY(watch_joint(s, &s->m->bodies[i]));
    for (int i = 0; i < s->spring_count; i++)
        RI_TRY(add_flag(s, s->springs[i].name, "stretch",
                        "the spring is longer than twice its unstretched length: the law is linear",
                        &s->springs[i].stretched));
    if (s->contacts && s->contacts->pair_room)
        RI_TRY(ri_sim_add_validity(s, "contact.pair_room",
                                   "more pairs of hulls touch than there is room for: the rest passes through each "
                                   "other; give contact a larger pair_room",
                                   &s->pair_flag));
    for (int i = 0; i < s->device_count; i++)
        RI_TRY(watch_device(s, &s->devices[i]));
    return ri_sim_watch_threads(s);
}

/// A joint at the end of a tick that stands beyond one of its limits.
static void report_joint(RiSim *s, const RiJointWatch *w, double q, double v, double effort)
{
    if (q < w->lower || q > w->upper)
        ri_sim_report_validity(s, w->position);
    if (fabs(v) > w->most_rate)
        ri_sim_report_validity(s, w->rate);
    if (fabs(effort) > w->most_effort)
        ri_sim_report_validity(s, w->effort);
}

typedef double Pair __attribute__((vector_size(16)));
typedef long long Bits __attribute__((vector_size(16)));

static Pair load_pair(const double *x)
{
    Pair p;
    memcpy(&p, x, sizeof p);
    return p;
}

static Pair size_of(Pair x)
{
    return (Pair)((Bits)x & (Bits){LLONG_MAX, LLONG_MAX});
}

/// Whether any joint is beyond a limit, two at a time and without branches: room that is left is positive, so it is the signs that are
/// collected. Efforts are those that acted in the last step.
static bool any_beyond(const RiSim *s)
{
    const double *q = s->d->jq, *v = s->d->js, *tau = s->load.tau, *lost = s->load.lost, *stored = s->load.stored;
    const int ns = s->m->ns & ~1, nsq = s->m->nsq & ~1;
    Bits signs = {0, 0};
    for (int i = 0; i < ns; i += 2) {
        const Pair effort = load_pair(tau + i) - load_pair(lost + i) - load_pair(stored + i);
        signs |= (Bits)(load_pair(s->most_rate + i) - size_of(load_pair(v + i)));
        signs |= (Bits)(load_pair(s->most_effort + i) - size_of(effort));
    }
    for (int i = 0; i < nsq; i += 2) {
        const Pair x = load_pair(q + i);
        signs |= (Bits)(x - load_pair(s->lower + i)) | (Bits)(load_pair(s->upper + i) - x);
    }
    bool beyond = (signs[0] | signs[1]) < 0;
    if (ns < s->m->ns)
        beyond |= fabs(v[ns]) > s->most_rate[ns] || fabs(tau[ns] - lost[ns] - stored[ns]) > s->most_effort[ns];
    if (nsq < s->m->nsq)
        beyond |= q[nsq] < s->lower[nsq] || q[nsq] > s->upper[nsq];
    return beyond;
}

static void check_joints(RiSim *s)
{
    if (s->watch_count == 0 || !any_beyond(s))
        return;
    for (int i = 0; i < s->watch_count; i++) {
        const RiJointWatch *w = &s->watches[i];
        report_joint(s, w, s->d->jq[w->sq], s->d->js[w->s],
                     s->load.tau[w->s] - s->load.lost[w->s] - s->load.stored[w->s]);
    }
}

void ri_sim_check_validity(RiSim *s)
{
    check_joints(s);
    for (int i = 0; i < s->spring_count; i++)
        if (s->springs[i].out[RI_SPRING_ATTACHED] != 0.0 && s->springs[i].length > 0.0 &&
            s->springs[i].out[RI_SPRING_LENGTH] > RI_SPRING_STRETCH * s->springs[i].length)
            ri_sim_report_validity(s, s->springs[i].stretched);
    check_refusals(s);
    ri_sim_check_threads(s);
    ri_sim_check_melt(s);
    for (int i = 0; i < s->validity_count && s->reported; i++) {
        RiValidityState *x = &s->validity[i];
        if (!x->raised)
            continue;
        if (x->count == 0) {
            x->first_time = s->head->time;
            s->head->violations++;
        }
        x->count += x->count < INT_MAX;
        x->raised = 0;
    }
    s->counted |= s->reported;
    s->reported = false;
}

int ri_sim_violations(const RiSim *s)
{
    return s->head ? (int)s->head->violations : 0;
}

int ri_sim_validity_count(const RiSim *s)
{
    return s->validity_count;
}

RiValidity ri_sim_validity(const RiSim *s, int index)
{
    const RiValiditySlot *slot = &s->validity_slots[index];
    const RiValidityState *x = s->validity ? &s->validity[index] : NULL;
    return (RiValidity){slot->name, slot->text, x ? x->first_time : 0.0, x ? x->count : 0};
}
