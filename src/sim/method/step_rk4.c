// SPDX-License-Identifier: Apache-2.0
/// \file
/// A step by the fourth-order Runge-Kutta method of rk4.c, for smooth motion without contact.
///
/// Work and loss are integrated with the same weights as the state, so the energy books are of
/// fourth order as well. Tests: tests/sim/test_sim.c.
#include <string.h>

#include "sim/internal.h"

struct RiRk4 {
    RiIntegrator *integrator;
    int stage;
    double work, lost; // mean powers of the step so far [W]
};

/// Forces of one stage; the powers are integrated as the state is.
static void efforts(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    RiSim *s = user;
    RiRk4 *x = s->rk4;
    RiFlow flow = {.tau = tau};
    (void)d, (void)time, (void)q, (void)v;
    s->trial = x->stage > 0; // the first stage is the state itself
    ri_sim_flow(s, &flow);
    s->trial = false;
    x->work += weight[x->stage] * flow.work;
    x->lost += weight[x->stage] * flow.lost;
    x->stage = (x->stage + 1) % 4;
}

static RiStatus step(RiSim *s, double h)
{
    RiRk4 *x = s->rk4;
    s->stage = RI_STAGE_LOOSE;
    x->stage = 0;
    x->work = x->lost = 0.0;
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->new_v, s->v, (size_t)s->m->nv * sizeof *s->v);
    ri_integrator_set_efforts(x->integrator, efforts, s, false);
    RI_TRY(ri_integrator_rk4(x->integrator, s->head->time, h, s->new_q, s->new_v));
    s->head->work += h * x->work;
    s->head->dissipated += h * x->lost;
    ri_sim_span_acceleration(s);
    return RI_OK;
}

static RiStatus create(RiSim *s)
{
    s->rk4 = ri_arena_alloc(&s->arena, 1, sizeof *s->rk4);
    return s->rk4 ? ri_integrator_create(s->ctx, s->d, &s->rk4->integrator) : ri_error_memory(s->ctx);
}

static void destroy(RiSim *s)
{
    if (s->rk4)
        ri_integrator_destroy(s->rk4->integrator);
}

const RiMethodKind ri_method_rk4 = {
    .info = {"rk4", "fourth order, for smooth motion without contact", true, true},
    .create = create,
    .destroy = destroy,
    .step = step,
};
