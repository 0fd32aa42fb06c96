// SPDX-License-Identifier: Apache-2.0
/// \file
/// A step by CVODE: the simulation as an ordinary differential equation, and stop conditions as its roots.
///
///     y = (q, v, work, loss, deflections),   y' = (E(q) G(q) v, M^-1 (tau - bias), powers, rates)
///
/// CVODE is started afresh at every step: efforts jump at ticks, and the state block stays all there is to know. See docs/theory/cvode.md.
/// Tests: tests/sim/test_sim.c, tests/sim/test_roots.c.
#include <string.h>

#include "sim/internal.h"

/// y' for CVODE; leaves d at y.
static RiStatus ode_rates(void *user, double t, const double *y, double *out)
{
    RiSim *s = user;
    const int nq = s->m->nq, nv = s->m->nv;
    (void)t;
    RI_TRY(ri_dyn_update_position(s->d, y));
    ri_dyn_update_velocity(s->d, y + nq);
    ri_dyn_get_qdot(s->d, out);
    ri_sim_evaluate_forces(s, s->tau, out + nq + nv, out + nq + nv + 1);
    if (s->contacts)
        ri_sim_contact_rates(s, y + nq + nv + 2, out + nq + nv + 2, out + nq + nv + 1);
    return ri_dyn_forward(s->d, s->tau, out + nq);
}

/// Deflections of contacts, as numbers.
static size_t deflection_count(const RiSim *s)
{
    return s->contacts ? 3 * (size_t)s->contacts->state_count : 0;
}

/// Shows a state on the way to whoever looks at named values: state, outputs and books.
static RiStatus show(RiSim *s, double t, const double *y)
{
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    RI_TRY(ode_rates(s, t, y, s->y_rate));
    ri_sim_span_acceleration(s);
    memcpy(s->q, y, nq * sizeof *y);
    memcpy(s->v, y + nq, nv * sizeof *y);
    s->head->time = s->ode_head.time + t;
    s->head->work = s->ode_head.work + y[nq + nv];
    s->head->dissipated = s->ode_head.dissipated + y[nq + nv + 1];
    s->stale = true;
    return RI_OK;
}

/// Stop conditions: 1 where one is true, -1 where not. The root finder halves its interval on such a function, so that any expression can be
/// one, and the time is found to rounding. The state block is as before afterwards.
static RiStatus ode_roots(void *user, double t, const double *y, double *out_g)
{
    RiSim *s = user;
    RiStatus status = show(s, t, y);
    for (int i = 0; i < s->stop_count && status == RI_OK; i++) {
        double x = 0.0;
        status = ri_values_eval(s->values, s->stops[i].text, &x);
        out_g[i] = x != 0.0 ? 1.0 : -1.0;
    }
    *s->head = s->ode_head;
    memcpy(s->q, s->new_q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->v, s->new_v, (size_t)s->m->nv * sizeof *s->v);
    s->stale = true;
    return status;
}

RiStatus ri_sim_create_ode(RiSim *s)
{
    RiOdeOptions o = ri_ode_options_default();
    o.rtol = s->options.rtol;
    o.atol = s->options.atol;
    const size_t n = (size_t)(s->m->nq + s->m->nv + 2) + deflection_count(s), stops = (size_t)s->stop_count;
    int *rising = ri_arena_alloc(&s->arena, stops + 1, sizeof *rising);
    s->y = ri_arena_alloc(&s->arena, 2 * n, sizeof *s->y);
    if (!rising || !s->y)
        return ri_error_memory(s->ctx);
    s->y_rate = s->y + n;
    for (size_t i = 0; i < stops; i++)
        rising[i] = 1;
    const RiOdeProblem problem = {.n = (int)n,
                                  .rhs = ode_rates,
                                  .root_count = s->stop_count,
                                  .roots = ode_roots,
                                  .root_directions = rising,
                                  .user = s};
    return ri_ode_create(s->ctx, &problem, &o, &s->ode);
}

/// Forces and accelerations where CVODE arrived: what it evaluated last is a trial, not the solution.
static RiStatus settle(RiSim *s)
{
    double work, lost;
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    ri_dyn_update_velocity(s->d, s->new_v);
    s->fresh = true;
    ri_sim_evaluate_forces(s, s->tau, &work, &lost);
    ri_sim_find_contacts(s);
    ri_sim_apply_contacts(s, 0.0);
    RI_TRY(ri_dyn_forward(s->d, s->tau, s->a));
    ri_sim_span_acceleration(s);
    return RI_OK;
}

/// To the end of the step, or to where a stop condition becomes true.
static RiStatus run(RiSim *s, double h, int *out_stop)
{
    s->trial = true;
    RiStatus status = ri_ode_reset(s->ode, 0.0, s->y);
    do { // a run that was stopped before goes on through further conditions
        if (status == RI_OK)
            status = ri_ode_advance(s->ode, h, s->y, &s->arrived_after, out_stop);
    } while (status == RI_OK && *out_stop >= 0 && s->head->stopped);
    s->trial = false;
    return status;
}

RiStatus ri_sim_step_cvode(RiSim *s, double h)
{
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    int stop = -1;
    s->fresh = false;
    s->ode_head = *s->head;
    memcpy(s->new_q, s->q, nq * sizeof *s->q); // for ode_roots to put back
    memcpy(s->new_v, s->v, nv * sizeof *s->v);
    memcpy(s->y, s->q, nq * sizeof *s->y);
    memcpy(s->y + nq, s->v, nv * sizeof *s->y);
    s->y[nq + nv] = s->y[nq + nv + 1] = 0.0;
    if (s->contacts)
        memcpy(s->y + nq + nv + 2, s->deflection, deflection_count(s) * sizeof *s->y);
    RI_TRY(run(s, h, &stop));
    if (s->contacts)
        memcpy(s->deflection, s->y + nq + nv + 2, deflection_count(s) * sizeof *s->y);
    memcpy(s->new_q, s->y, nq * sizeof *s->y);
    memcpy(s->new_v, s->y + nq, nv * sizeof *s->y);
    ri_model_normalize(s->m, s->new_q);
    s->head->work += s->y[nq + nv];
    s->head->dissipated += s->y[nq + nv + 1];
    if (stop >= 0)
        s->head->stopped = 1 + stop;
    return settle(s);
}
