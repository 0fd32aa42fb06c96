// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact with impacts located in time: smooth phases by Runge-Kutta of fourth order, events where a gap closes.
///
///     phase:   q' = v,  M v' = F + J^T f,   u' = W f + u'_free,  u'_N >= 0 _|_ f_N >= 0,  f in Coulomb's cone against u'_T
///     event:   the first time at which a gap that was open is zero
///     impact:  u+ = W p + u-,   u+_N >= e |u-_N| _|_ p_N >= 0,  p in the cone against u+_T
///
/// Both problems are ri_cone_solve's. Contacts of a phase are those that are closed at its beginning and neither part nor slide: they stick or roll. u'_free, the
/// rate of the velocity at the touching point if nothing reacts, is a central difference over points of contact as they are found: it knows how they wander
/// over curved surfaces. A gap's zero is found by steps of fractions of the phase from its beginning (regula falsi, Illinois).
///
/// What it does not do is left to the time stepping of step_moreau.c for the rest of the tick, and counted: contacts that slide, contacts of two links, joints
/// near a stop, and impacts that come too fast to be told apart (the end of a Zeno sequence). Soft soil is refused.
///
/// Theory: docs/theory/moreau.md. Tests: tests/sim/test_events.c.
#include <string.h>

#include "sim/internal.h"
#include "sim/moreau.h"

/// Gaps up to here are closed [m]; speeds up to here are rest [m/s].
static const double CLOSED = 1e-8, REST = 1e-8;
/// The same for contacts that were closed before: what a phase of fourth order drifts by is not a flight. Half of a gap beyond the second is taken back in a step.
static const double HELD = 1e-6, SHUT = 5e-9;
/// Half of the difference by which rates are found [s].
static const double NEARBY = 1e-5;
/// More impacts than this within a step are not told apart; and so many tries find a zero.
enum { MOST_IMPACTS = 40, TRIES = 80 };

enum { OUT_IMPACTS, OUT_LAST, OUT_STEPPED, OUT_COUNT };

struct RiEvents {
    double *q, *v;        // beginning of the phase
    double *q1, *v1, *a1; // scratch of rates
    bool *closed;         // [places] in this phase
    int closed_count;
    RiMoreauTouch *list; // [places]
    int *of;             // [places] in list, -1
    double *before;      // [places] normal velocity a little earlier
    RiVec3 *left_over;   // [places] velocity at the beginning of the phase over its length: rounding that is taken back
    RiVec3 *velocity;    // [places] velocity a little earlier
    int stage;
    double work, lost;
    RiStatus status; // of a stage: RiEffortFn has none

    // in the state block
    double *out;  // [OUT_COUNT]
    double *held; // [places] 1: closed in the last phase
};

// --- life -----------------------------------------------------------------------------------------------------------------

RiStatus ri_sim_create_events(RiSim *s)
{
    if (s->options.method != RI_METHOD_MOREAU || s->options.events == 0.0)
        return RI_OK;
    if (s->soil)
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "contact.events: impacts are located on hard ground only; wheels of this scene are on soft soil. "
            "Leave `events` out");
    const RiContacts *c = s->contacts;
    for (int i = 0; c && i < c->feature_count * c->ground_count; i++)
        if (c->pairs[c->pair_of[i]].law == RI_LAW_TERZAGHI)
            return ri_error(
                s->ctx, RI_ERR_ARGUMENT,
                "contact.events: feature '%s' meets the ground by law terzaghi, under which wheels always slip; "
                "impacts are located for coulomb, stribeck and screw. Leave `events` out",
                c->features[i / c->ground_count].name);
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    const size_t places = s->contacts ? (size_t)s->contacts->state_count : 0;
    RiEvents *e = ri_arena_alloc(&s->arena, 1, sizeof *e);
    double *numbers = ri_arena_alloc(&s->arena, 2 * nq + 3 * nv + places + 1, sizeof *numbers);
    bool *closed = ri_arena_alloc(&s->arena, places + 1, sizeof *closed);
    RiMoreauTouch *list = ri_arena_alloc(&s->arena, places + 1, sizeof *list);
    int *of = ri_arena_alloc(&s->arena, places + 1, sizeof *of);
    RiVec3 *velocity = ri_arena_alloc(&s->arena, 2 * places + 1, sizeof *velocity);
    if (!e || !numbers || !closed || !list || !of || !velocity)
        return ri_error_memory(s->ctx);
    *e = (RiEvents){.q = numbers,
                    .q1 = numbers + nq,
                    .v = numbers + 2 * nq,
                    .v1 = numbers + 2 * nq + nv,
                    .a1 = numbers + 2 * nq + 2 * nv,
                    .before = numbers + 2 * nq + 3 * nv,
                    .closed = closed,
                    .list = list,
                    .of = of,
                    .velocity = velocity,
                    .left_over = velocity + places};
    s->events = e;
    return RI_OK;
}

void ri_sim_lay_out_events(RiSim *s, char *block, size_t *at)
{
    if (!s->events)
        return;
    s->events->out = ri_carve(block, at, OUT_COUNT, sizeof *s->events->out);
    s->events->held = ri_carve(block, at, s->contacts ? (size_t)s->contacts->state_count : 0, sizeof *s->events->held);
}

RiStatus ri_sim_name_events(RiSim *s)
{
    static const char *const names[OUT_COUNT] = {"contact.events.impacts", "contact.events.last",
                                                 "contact.events.stepped"};
    static const char *const docs[OUT_COUNT] = {"impacts located since the start", "time of the last one",
                                                "steps that were left to time stepping, wholly or their ends"};
    for (int i = 0; s->events && i < OUT_COUNT; i++) {
        RiValue v = ri_value_default();
        v.name = names[i];
        v.unit = i == OUT_LAST ? "s" : "";
        v.doc = docs[i];
        v.kind = RI_VALUE_OUTPUT;
        v.at = s->events->out + i;
        v.writable = false;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}

// --- the state, and who touches in it -------------------------------------------------------------------------------------

static RiStatus stand_at(RiSim *s, const double *q, const double *v)
{
    s->fresh = false;
    RI_TRY(ri_dyn_update_position(s->d, q));
    ri_dyn_update_velocity(s->d, v);
    ri_sim_find_contacts(s);
    return RI_OK;
}

/// What the touches at the current d ask for.
typedef struct Situation {
    bool impact; // something closed approaches
    bool beyond; // it is none of ours: sliding, two links, a stop
} Situation;

/// A touch as it stands at the beginning of a phase of length h: closed, and if so, with what the phase should take back.
static void judge(RiEvents *e, const RiTouch *t, double h, Situation *x)
{
    const double u = ri_dot(t->v, t->normal), gap = -t->depth;
    const bool held = e->held[t->state] > 0.0;
    const double rest = held ? HELD : REST, shut = held ? HELD : CLOSED;
    e->closed[t->state] = gap <= shut && u <= rest;
    if (!e->closed[t->state])
        return;
    x->impact |= u < -rest;
    x->beyond |= ri_norm(ri_sub(t->v, ri_scale(u, t->normal))) > 10.0 * rest;
    e->closed_count++;
    const RiVec3 drift = ri_add(t->v, ri_scale(h > 0.0 ? 0.5 * fmax(0.0, gap - SHUT) / h : 0.0, t->normal));
    e->left_over[t->state] = ri_scale(h > 0.0 ? 1.0 / h : 0.0, drift);
}

/// Chooses the contacts of the phase of length h that begins here.
static Situation look(RiSim *s, double h)
{
    RiEvents *e = s->events;
    const int places = s->contacts ? s->contacts->state_count : 0;
    Situation x = {.beyond = s->touch_count > s->ground_count || ri_moreau_nears_stop(s, h)};
    memset(e->closed, 0, (size_t)places * sizeof *e->closed);
    e->closed_count = 0;
    for (int i = 0; i < s->ground_count; i++)
        judge(e, &s->touch.touches[i], h, &x);
    for (int i = 0; i < places; i++)
        e->held[i] = e->closed[i];
    return x;
}

/// Least gap of those that are open in this phase, at the current d; infinite where none is near.
static double least_gap(const RiSim *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->ground_count; i++)
        if (!s->events->closed[s->touch.touches[i].state])
            least = fmin(least, -s->touch.touches[i].depth);
    return least;
}

// --- smooth phases --------------------------------------------------------------------------------------------------------

/// The closed touches at the current d, with their places in the list.
static int gather(RiSim *s)
{
    RiEvents *e = s->events;
    int n = 0;
    for (int i = 0; i < s->ground_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        e->of[t->state] = -1;
        if (!e->closed[t->state])
            continue;
        e->list[n] = (RiMoreauTouch){.touch = i};
        e->of[t->state] = n++;
    }
    return n;
}

/// Velocities at the touching points a time dt away on the free motion: kept (dt < 0), or made rates with those kept (dt > 0).
static RiStatus look_nearby(RiSim *s, const double *q, const double *v, double dt)
{
    RiEvents *e = s->events;
    memcpy(e->q1, q, (size_t)s->m->nq * sizeof *q);
    ri_model_integrate(s->m, q, v, dt, e->q1);
    for (int k = 0; k < s->m->nv; k++)
        e->v1[k] = v[k] + dt * e->a1[k];
    RI_TRY(stand_at(s, e->q1, e->v1));
    for (int i = 0; i < s->ground_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        const int k = e->closed[t->state] ? e->of[t->state] : -1;
        if (k < 0)
            continue;
        const double u = ri_dot(t->v, t->normal);
        if (dt < 0.0) {
            e->before[k] = u;
            e->velocity[k] = t->v;
            continue;
        }
        e->list[k].normal_rate = (u - e->before[k]) / (2.0 * dt);
        e->list[k].rate = ri_scale(0.5 / dt, ri_sub(t->v, e->velocity[k]));
        e->list[k].normal_rate += ri_dot(e->left_over[t->state], t->normal);
        e->list[k].rate = ri_add(e->list[k].rate, e->left_over[t->state]);
    }
    return RI_OK;
}

/// Forces of the closed contacts at (q, v), on d; tau has the other efforts, whose wrenches are on d already.
static RiStatus add_reactions(RiSim *s, const double *q, const double *v, const double *tau)
{
    RiEvents *e = s->events;
    RI_TRY(ri_dyn_forward(s->d, tau, e->a1));
    ri_sim_find_contacts(s);
    const int n = gather(s);
    if (n == 0)
        return RI_OK;
    RI_TRY(look_nearby(s, q, v, -NEARBY));
    RI_TRY(look_nearby(s, q, v, NEARBY));
    RI_TRY(stand_at(s, q, v));
    ri_sim_apply_springs(s, ri_slopes_at_end(0.0));
    RI_TRY(ri_moreau_react(s, e->list, n, 1.0));
    ri_moreau_put(s, 1.0);
    return RI_OK;
}

/// Efforts of a stage, RiEffortFn. The powers are integrated as the state is.
static void stage_efforts(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    RiSim *s = user;
    RiEvents *e = s->events;
    double work, lost;
    (void)d, (void)time;
    s->trial = e->stage > 0;
    ri_sim_evaluate_forces(s, tau, &work, &lost);
    s->trial = false;
    e->work += weight[e->stage] * work;
    e->lost += weight[e->stage] * lost;
    e->stage = (e->stage + 1) % 4;
    if (e->closed_count > 0 && e->status == RI_OK)
        e->status = add_reactions(s, q, v, tau);
}

/// From the beginning of the phase over a time tau, into new_q and new_v; d and the touches stand there afterwards.
static RiStatus flow(RiSim *s, double tau)
{
    RiEvents *e = s->events;
    e->stage = 0;
    e->work = e->lost = 0.0;
    e->status = RI_OK;
    memcpy(s->new_q, e->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->new_v, e->v, (size_t)s->m->nv * sizeof *s->v);
    ri_integrator_set_efforts(s->rk4, stage_efforts, s, false);
    RI_TRY(ri_integrator_rk4(s->rk4, s->head->time, tau, s->new_q, s->new_v));
    RI_TRY(e->status);
    RI_TRY(stand_at(s, s->new_q, s->new_v));
    ri_dyn_get_q(s->d, s->new_q); // with closed loops
    return RI_OK;
}

/// The first zero of the least gap in (0, hi], where it is negative at hi; leaves the flow there.
static RiStatus locate(RiSim *s, double hi, double g_hi, double *out_tau)
{
    const double tolerance = s->options.events;
    double lo = 0.0, g_lo = NAN, tau = hi; // the gap at the beginning may be zero itself: something just left
    int side = 0;
    for (int k = 0; k < TRIES; k++) {
        const double guess = hi - g_hi * (hi - lo) / (g_hi - g_lo);
        tau = isfinite(guess) && guess > lo && guess < hi ? guess : 0.5 * (lo + hi);
        RI_TRY(flow(s, tau));
        const double g = least_gap(s);
        if (fabs(g) <= tolerance * fabs(g_hi - g) / (hi - tau) || hi - lo <= 0.01 * tolerance)
            break;
        if (g < 0.0) {
            hi = tau, g_hi = g;
            g_lo = side < 0 ? 0.5 * g_lo : g_lo;
            side = -1;
        } else {
            lo = tau, g_lo = g;
            g_hi = side > 0 ? 0.5 * g_hi : g_hi;
            side = 1;
        }
    }
    *out_tau = tau;
    return RI_OK;
}

/// Follows the phase to its end, an event or `left` later: *out_tau.
static RiStatus follow(RiSim *s, double left, double *out_tau, bool *out_event)
{
    const double ends[2] = {0.5 * left, left};
    *out_event = false;
    *out_tau = left;
    for (int k = 0; k < 2; k++) {
        RI_TRY(flow(s, ends[k]));
        const double g = least_gap(s);
        if (g >= 0.0)
            continue;
        *out_event = true;
        return locate(s, ends[k], g, out_tau);
    }
    return RI_OK;
}

// --- books ----------------------------------------------------------------------------------------------------------------

typedef struct Energies {
    double kinetic, potential;
} Energies;

static Energies energies_now(const RiSim *s)
{
    return (Energies){ri_dyn_kinetic_energy(s->d), ri_dyn_potential_energy(s->d) + ri_sim_spring_energy(s)};
}

/// A phase of length tau has come to the current d. What its forces did is what the energies changed by, so that nothing is the method's own; errors of the
/// integration show in the balance.
static void book_phase(RiSim *s, Energies from, double tau)
{
    const Energies to = energies_now(s);
    s->head->work += tau * s->events->work;
    s->head->dissipated += tau * s->events->lost;
    s->head->conservative += from.potential - to.potential;
    s->head->inertial += to.kinetic - from.kinetic;
    const double turned = to.kinetic + fabs(s->head->conservative) + fabs(s->head->work) + s->head->dissipated;
    s->head->energy_scale = fmax(s->head->energy_scale, turned);
}

// --- impacts --------------------------------------------------------------------------------------------------------------

/// Newton's impact of everything that is closed at (q, v), where d stands: v after it.
static RiStatus impact(RiSim *s)
{
    RiEvents *e = s->events;
    const double before = ri_dyn_kinetic_energy(s->d);
    int n = 0;
    for (int i = 0; i < s->ground_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        const double u = ri_dot(t->v, t->normal);
        if (-t->depth > CLOSED && e->held[t->state] == 0.0)
            continue;
        e->list[n++] = (RiMoreauTouch){
            .touch = i, .rate = t->v, .normal_rate = u, .bound = u < -REST ? -t->pair->restitution * u : 0.0};
    }
    for (int i = 0; i < n; i++)
        if (e->list[i].bound > 0.0)
            e->held[s->touch.touches[e->list[i].touch].state] = 0.0; // it leaves
    ri_dyn_clear_body_extra(s->d);
    RI_TRY(ri_moreau_react(s, e->list, n, s->options.tick));
    RI_TRY(ri_moreau_bump(s, s->v));
    RI_TRY(stand_at(s, s->q, s->v));
    const double lost = before - ri_dyn_kinetic_energy(s->d);
    s->head->dissipated += lost;
    s->head->inertial -= lost;
    e->out[OUT_IMPACTS] += 1.0;
    return RI_OK;
}

// --- the step -------------------------------------------------------------------------------------------------------------

static void take(RiSim *s)
{
    memcpy(s->q, s->new_q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->v, s->new_v, (size_t)s->m->nv * sizeof *s->v);
}

/// The end of a step: reactions there for reports, and positions out of the ground.
static RiStatus finish(RiSim *s, double h)
{
    RiEvents *e = s->events;
    double work, lost;
    look(s, 0.0);
    ri_sim_evaluate_forces(s, s->tau, &work, &lost);
    ri_moreau_forget(s);
    if (e->closed_count > 0)
        RI_TRY(add_reactions(s, s->q, s->v, s->tau));
    RI_TRY(ri_dyn_forward(s->d, s->tau, s->a));
    ri_sim_span_acceleration(s);
    return ri_moreau_finish(s, h);
}

/// One phase; *left is what remains of the step. False in *out_ours: time stepping has to go on.
static RiStatus go_on(RiSim *s, double begin, double h, double *left, bool *out_ours)
{
    RiEvents *e = s->events;
    double tau;
    bool event;
    Situation x = look(s, *left);
    *out_ours = !x.beyond || x.impact;
    if (!*out_ours)
        return RI_OK;
    if (x.impact) {
        e->out[OUT_LAST] = begin + h - *left;
        return impact(s);
    }
    memcpy(e->q, s->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(e->v, s->v, (size_t)s->m->nv * sizeof *s->v);
    const Energies from = energies_now(s);
    RI_TRY(follow(s, *left, &tau, &event));
    take(s);
    book_phase(s, from, tau);
    *left = event ? *left - tau : 0.0;
    return RI_OK;
}

RiStatus ri_sim_step_events(RiSim *s, double h)
{
    RiEvents *e = s->events;
    const double begin = s->head->time, impacts = e->out[OUT_IMPACTS];
    double left = h;
    bool ours = true;
    s->found = s->standing = false;
    RI_TRY(stand_at(s, s->q, s->v));
    while (left > 0.0 && ours && e->out[OUT_IMPACTS] - impacts < MOST_IMPACTS)
        RI_TRY(go_on(s, begin, h, &left, &ours));
    if (left > 0.0) {
        e->out[OUT_STEPPED] += 1.0;
        return ri_sim_step_moreau(s, left);
    }
    return finish(s, h);
}
