// SPDX-License-Identifier: Apache-2.0
/// \file
/// Smooth phases between located impacts: Runge-Kutta of fourth order with the contacts that are
/// closed, and the first event on the way.
///
///     q' = v,  M v' = F + J^T f,   u' = W f + u'_free,  u'_N >= 0 _|_ f_N >= 0
///     a contact that sticks or rolls: f in Coulomb's cone against u'_T;  one that slides: f_T = -mu f_N u_T / |u_T|
///
/// u'_free, the rate of the velocity at the touching point if nothing reacts, is a central
/// difference over points of contact as they are found: it knows how they wander over curved
/// surfaces. Stops of joints have the acceleration of their coordinate.
///
/// An event is the first zero of the least of: gaps that were open, and speeds of sliding contacts
/// along where they slid at the beginning. It is found by steps of fractions of the phase from its
/// beginning (regula falsi, Illinois).
///
/// Theory: docs/theory/moreau.md. Tests: tests/sim/test_events.c, test_events_links.c.
#include <string.h>

#include "sim/method/moreau_events.h"

/// Half of the difference by which rates are found [s].
static const double NEARBY = 1e-5;
/// Slower than this a contact slides to where it slid before [m/s].
static const double HARDLY = 1e-5;
/// So many tries find a zero.
enum { TRIES = 80 };

RiStatus ri_phase_stand_at(RiSim *s, const double *q, const double *v)
{
    s->stage = RI_STAGE_LOOSE;
    RI_TRY(ri_dyn_update_position(s->d, q));
    ri_dyn_update_velocity(s->d, v);
    ri_sim_find(s);
    return RI_OK;
}

// --- reactions -----------------------------------------------------------------------------------

/// Where a touch slides to: where it slid at the beginning of the phase, if it hardly moves or,
/// beyond the end of sliding, would go back. The direction of next to nothing is noise, and four
/// corners that do not agree in it share their load in as many ways as they are asked.
static RiVec3 slide_of(const RiEvents *e, const RiTouch *t)
{
    if (!e->slides[t->place])
        return ri_vec3(0.0, 0.0, 0.0);
    const RiVec3 slip = ri_sub(t->v, ri_scale(ri_dot(t->v, t->normal), t->normal));
    return ri_dot(slip, e->ahead[t->place]) > HARDLY ? slip : e->ahead[t->place];
}

/// The closed touches at the current d, with their places in the list; returns how many.
static int gather(RiSim *s)
{
    RiEvents *e = s->events;
    int n = 0;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        e->of[t->place] = -1;
        if (!e->closed[t->place])
            continue;
        e->list[n] = (RiMoreauTouch){.touch = i, .stop = -1, .slide = slide_of(e, t)};
        e->met[n] = 0;
        e->of[t->place] = n++;
    }
    return n;
}

/// The closed stops behind n touches, with the accelerations that d has now; returns how many
/// contacts there are.
static int gather_stops(RiSim *s, int n)
{
    RiEvents *e = s->events;
    const RiMoreau *x = s->moreau;
    for (int i = 0; i < x->stop_count; i++) {
        if (!e->closed[e->places + i])
            continue;
        const double rate = x->stops[i].sign * s->accel_s[x->stops[i].s] + e->stop_left[i];
        e->list[n++] = (RiMoreauTouch){.touch = -1, .stop = i, .normal_rate = rate};
    }
    return n;
}

/// Velocities at the touching points a time dt away on the free motion: kept (dt < 0), or made
/// rates with those kept (dt > 0).
static RiStatus look_nearby(RiSim *s, const double *q, const double *v, double dt)
{
    RiEvents *e = s->events;
    memcpy(e->q1, q, (size_t)s->m->nq * sizeof *q);
    ri_model_integrate(s->m, q, v, dt, e->q1);
    for (int k = 0; k < s->m->nv; k++)
        e->v1[k] = v[k] + dt * e->a1[k];
    RI_TRY(ri_phase_stand_at(s, e->q1, e->v1));
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const int k = e->closed[t->place] ? e->of[t->place] : -1;
        if (k < 0)
            continue;
        const double u = ri_dot(t->v, t->normal);
        e->met[k]++;
        if (dt < 0.0) {
            e->before[k] = u;
            e->velocity[k] = t->v;
            continue;
        }
        e->list[k].normal_rate = (u - e->before[k]) / (2.0 * dt) + ri_dot(e->left_over[t->place], t->normal);
        e->list[k].rate = ri_add(ri_scale(0.5 / dt, ri_sub(t->v, e->velocity[k])), e->left_over[t->place]);
    }
    return RI_OK;
}

/// Rates of the n touches of the list. d is at (q, v) again afterwards, with its springs.
static RiStatus find_rates(RiSim *s, const double *q, const double *v, int n)
{
    RiEvents *e = s->events;
    RI_TRY(look_nearby(s, q, v, -NEARBY));
    RI_TRY(look_nearby(s, q, v, NEARBY));
    for (int k = 0; k < n; k++)
        e->astray |= e->met[k] != 2; // a point of two faces that went elsewhere has no rate
    RI_TRY(ri_phase_stand_at(s, q, v));
    ri_sim_apply(s, ri_slopes_at_end(0.0));
    return RI_OK;
}

RiStatus ri_phase_add_reactions(RiSim *s, const double *q, const double *v, double *tau)
{
    RiEvents *e = s->events;
    bool settled;
    RI_TRY(ri_dyn_forward(s->d, tau, e->a1));
    ri_sim_span_acceleration(s);
    ri_sim_find(s);
    const int touches = gather(s), n = gather_stops(s, touches);
    if (n == 0)
        return RI_OK;
    if (touches > 0)
        RI_TRY(find_rates(s, q, v, touches));
    RI_TRY(ri_moreau_react(s, e->list, n, 1.0, &settled));
    e->astray |= !settled;
    ri_moreau_put(s, 1.0, tau);
    return RI_OK;
}

// --- motion --------------------------------------------------------------------------------------

/// Efforts of a stage, RiEffortFn. The powers are integrated as the state is.
static void stage_efforts(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    static const double weights[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    RiSim *s = user;
    RiEvents *e = s->events;
    const double weight = weights[e->stage];
    RiFlow flow = {.tau = tau};
    (void)d, (void)time;
    s->trial = e->stage > 0;
    ri_sim_flow(s, &flow);
    s->trial = false;
    e->stage = (e->stage + 1) % 4;
    if (e->closed_count > 0 && e->status == RI_OK && !e->astray) {
        ri_moreau_forget(s);
        e->status = ri_phase_add_reactions(s, q, v, tau);
        flow.lost += ri_moreau_loss(s);
    }
    e->work += weight * flow.work;
    e->lost += weight * flow.lost;
}

/// From the beginning of the phase over a time tau, into new_q and new_v; d and the touches stand
/// there afterwards.
static RiStatus flow(RiSim *s, double tau)
{
    RiEvents *e = s->events;
    e->stage = 0;
    e->work = e->lost = 0.0;
    e->status = RI_OK;
    e->astray = false;
    memcpy(s->new_q, e->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->new_v, e->v, (size_t)s->m->nv * sizeof *s->v);
    ri_integrator_set_efforts(s->events->integrator, stage_efforts, s, false);
    RI_TRY(ri_integrator_rk4(s->events->integrator, s->head->time, tau, s->new_q, s->new_v));
    RI_TRY(e->status);
    RI_TRY(ri_phase_stand_at(s, s->new_q, s->new_v));
    ri_dyn_get_q(s->d, s->new_q); // with closed loops
    return RI_OK;
}

// --- events --------------------------------------------------------------------------------------

/// What makes an event where it becomes negative, at the current d: the least gap of those that are
/// open in this phase, and the way that the slowest of those that slide would go in it. Infinite
/// where nothing is near.
static double least(const RiSim *s)
{
    const RiEvents *e = s->events;
    double most = INFINITY;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        if (!e->closed[t->place])
            most = fmin(most, -t->depth - e->below[t->place]);
        else if (e->slides[t->place])
            most = fmin(most, e->length * ri_dot(t->v, e->ahead[t->place]));
    }
    for (int i = 0; i < s->moreau->stop_count; i++)
        if (!e->closed[e->places + i])
            most = fmin(most, ri_moreau_stop_gap(s, i) - e->below[e->places + i]);
    return most;
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
        const double g = least(s);
        if (s->events->astray || fabs(g) <= tolerance * fabs(g_hi - g) / (hi - tau) || hi - lo <= 0.01 * tolerance)
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

RiStatus ri_phase_follow(RiSim *s, double left, double *out_tau, bool *out_event)
{
    const double ends[2] = {0.5 * left, left};
    s->events->length = left;
    *out_event = false;
    *out_tau = left;
    for (int k = 0; k < 2; k++) {
        RI_TRY(flow(s, ends[k]));
        if (s->events->astray)
            return RI_OK;
        const double g = least(s);
        if (g >= 0.0)
            continue;
        *out_event = true;
        return locate(s, ends[k], g, out_tau);
    }
    return RI_OK;
}
