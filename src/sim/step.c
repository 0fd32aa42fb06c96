// SPDX-License-Identifier: Apache-2.0
/// \file
/// What integration steps share: d at the state, forces without slopes, acceptance, energy books.
/// Tests: tests/sim/test_sim.c, tests/sim/test_books.c.
#include <string.h>

#include "math/snap.h"
#include "sim/internal.h"

// --- where d is ----------------------------------------------------------------------------------

bool ri_sim_is_placed(const RiSim *s)
{
    const size_t nq = (size_t)s->m->nq * sizeof *s->q, nv = (size_t)s->m->nv * sizeof *s->v;
    return s->stage >= RI_STAGE_PLACED && memcmp(s->q, s->d->q, nq) == 0 && memcmp(s->v, s->d->v, nv) == 0;
}

RiStatus ri_sim_place(RiSim *s)
{
    if (ri_sim_is_placed(s))
        return RI_OK;
    s->stage = RI_STAGE_LOOSE;
    RI_TRY(ri_dyn_update_position(s->d, s->q));
    ri_dyn_get_q(s->d, s->q);
    ri_dyn_update_velocity(s->d, s->v);
    s->stage = RI_STAGE_PLACED;
    return RI_OK;
}

void ri_sim_find(RiSim *s)
{
    RI_ASSERT(s->d->stage >= RI_DYN_MOVING);
    RI_FORCES(&s->present, find, s);
    if (s->stage == RI_STAGE_PLACED)
        s->stage = RI_STAGE_FOUND;
}

RiStatus ri_sim_arrive(RiSim *s)
{
    RI_TRY(ri_sim_place(s));
    if (s->stage < RI_STAGE_FOUND)
        ri_sim_find(s);
    return RI_OK;
}

// --- forces --------------------------------------------------------------------------------------

void ri_sim_apply(RiSim *s, RiSlopes by)
{
    ri_dyn_clear_wrenches(s->d);
    ri_dyn_clear_body_extra(s->d);
    RI_FORCES(&s->acting, apply, s, by);
}

RiStatus ri_sim_accelerate(RiSim *s)
{
    const RiSlopes none = ri_slopes_at_end(0.0);
    RI_ASSERT(s->stage == RI_STAGE_FOUND);
    RI_FORCES(&s->acting, evaluate, s, none);
    ri_sim_apply(s, none);
    if (s->method->apply_reactions)
        s->method->apply_reactions(s);
    RI_TRY(ri_dyn_forward(s->d, s->tau, s->a));
    ri_sim_span_acceleration(s);
    return RI_OK;
}

void ri_sim_flow(RiSim *s, RiFlow *flow)
{
    flow->work = flow->lost = 0.0;
    RI_ASSERT(s->d->stage >= RI_DYN_MOVING);
    ri_dyn_clear_wrenches(s->d);
    ri_dyn_clear_body_extra(s->d);
    RI_FORCES(&s->acting, flow, s, flow);
}

/// Spanning accelerations from those of the independent coordinates.
void ri_sim_span_acceleration(RiSim *s)
{
    RI_ASSERT(s->d->stage >= RI_DYN_ACCELERATED);
    if (s->m->plain) {
        memcpy(s->accel_s, s->d->a, (size_t)s->m->nv * sizeof *s->a);
        return;
    }
    ri_dyn_span_acceleration(s->d, s->accel_s);
}

// --- the end of a step ---------------------------------------------------------------------------

/// Larger coordinates are treated as divergence, before their squares overflow.
static const double BEYOND = 1e75;

/// Name of the first coordinate that is not finite or too large; NULL: all are good.
static const char *first_bad(const RiSim *s)
{
    if (ri_all_below(s->new_v, (size_t)s->m->nv, BEYOND) && ri_all_below(s->new_q, (size_t)s->m->nq, BEYOND))
        return NULL;
    for (int i = 0; i < s->m->nv; i++)
        if (!(fabs(s->new_v[i]) < BEYOND))
            return ri_model_v_name(s->m, i);
    for (int i = 0; i < s->m->nq; i++)
        if (!(fabs(s->new_q[i]) < BEYOND))
            return ri_model_q_name(s->m, i);
    return NULL;
}

RiStatus ri_sim_accept(RiSim *s, double h)
{
    const char *bad = first_bad(s);
    if (bad)
        return ri_error(s->ctx, RI_ERR_NUMERIC,
                        "the motion diverged at t = %.9g s: coordinate '%s' is not finite (step %g s)", s->head->time,
                        bad, h);
    RI_ASSERT(ri_model_is_normalized(s->m, s->new_q));
    RI_ASSERT(isfinite(s->advanced));
    memcpy(s->q, s->new_q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->v, s->new_v, (size_t)s->m->nv * sizeof *s->v);
    ri_snap(s->q, (size_t)s->m->nq);
    ri_snap(s->v, (size_t)s->m->nv);
    RI_FORCES(&s->present, snap, s);
    s->head->time += s->advanced;
    return RI_OK;
}

/// Energy books of a first-order step. At the step's configuration the kinetic energy changes by
/// the work of its forces F+ and of the velocity-product forces at the mean velocity, exactly:
///
///     T(q, v+) - T(q, v) + h bias . (v + v+) / 2 = h F+ . (v + v+) / 2
///
/// The left side is computed by an outward pass that knows nothing of forces or of the solution
/// (ri_dyn_mean_power) and summed as `inertial`; the right side is booked force by force. Positions
/// however move with v+, and the inertia with them: outputs.c compares what was summed with the
/// change of kinetic energy and potential, and books the difference as the method's own.
void ri_sim_account(RiSim *s, double h, RiSlopes by)
{
    RI_ASSERT(s->d->stage >= RI_DYN_ACCELERATED && h > 0.0);
    s->power = ri_dyn_mean_power(s->d, s->a, h);
    ri_sim_account_forces(s, h, by);
}

void ri_sim_account_forces(RiSim *s, double h, RiSlopes by)
{
    RI_FORCES(&s->acting, account, s, h, by);
    const double turned = s->power.kinetic + fabs(s->head->conservative) + fabs(s->head->work) + s->head->dissipated;
    if (turned > s->head->energy_scale)
        s->head->energy_scale = turned;
}
