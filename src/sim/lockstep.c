// SPDX-License-Identifier: Apache-2.0
/// \file
/// Simulations in step: see lockstep.h. The parts of a tick are those of sim.c and method/euler.c,
/// in their order.
#include "sim/lockstep.h"

#include "base/memory.h"
#include "dynamics/lanes.h"
#include "sim/method/euler.h"

struct RiLockstep {
    RiContext *ctx;
    RiLanes *lanes;
    int count, steps; // simulations; steps of a tick
    double h;         // their length [s]
    RiSim *sims[RI_LANES_MOST];
    RiPasses passes[RI_LANES_MOST];
    unsigned on; // those that are in the tick
    RiStatus *status;
};

int ri_lockstep_width(void)
{
    return ri_lanes_width();
}

/// The simulations of a set of bits.
#define EACH(w, l, set)                                                                                                \
    for (int l = 0; l < (w)->count; l++)                                                                               \
        if ((set) >> l & 1)

static bool fits(const RiSim *s, const RiSim *first)
{
    return s->method == ri_method_kind(RI_METHOD_IMPLICIT) && !s->switchable &&
           s->options.tick == first->options.tick && s->options.substeps == first->options.substeps;
}

RiStatus ri_lockstep_create(RiContext *ctx, int count, RiSim *const *sims, RiLockstep **out)
{
    RiDyn *d[RI_LANES_MOST];
    *out = NULL;
    RI_ASSERT(count >= 1 && count <= ri_lockstep_width());
    for (int l = 0; l < count; l++) {
        if (!fits(sims[l], sims[0]))
            return RI_OK;
        d[l] = sims[l]->d;
    }
    RiLanes *lanes;
    RI_TRY(ri_lanes_create(ctx, count, d, &lanes));
    if (!lanes)
        return RI_OK;
    RiLockstep *w = ri_alloc_zero(ctx, 1, sizeof *w);
    if (!w) {
        ri_lanes_destroy(lanes);
        return ri_error_memory(ctx);
    }
    w->ctx = ctx;
    w->lanes = lanes;
    w->count = count;
    w->steps = sims[0]->options.substeps;
    w->h = sims[0]->options.tick / sims[0]->options.substeps;
    for (int l = 0; l < count; l++)
        w->sims[l] = sims[l];
    *out = w;
    return RI_OK;
}

void ri_lockstep_destroy(RiLockstep *w)
{
    if (!w)
        return;
    ri_lanes_destroy(w->lanes);
    ri_release(w->ctx, w);
}

/// A simulation leaves the tick, which ends for it.
static void leave(RiLockstep *w, int l, RiStatus status)
{
    w->status[l] = ri_sim_close_tick(w->sims[l], status);
    w->on &= ~(1u << l);
}

/// Steps of a simulation that is within a tick.
static RiStatus go_alone(RiSim *s, int steps, double h)
{
    for (int i = 0; i < steps; i++) {
        s->advanced = h;
        RI_TRY(s->method->step(s, h));
        RI_TRY(ri_sim_accept(s, h));
    }
    return ri_sim_end_tick(s, true);
}

static void begin(RiLockstep *w, unsigned mask)
{
    w->on = 0;
    EACH(w, l, mask)
    {
        int steps;
        double h;
        w->status[l] = ri_sim_begin_tick(w->sims[l], &steps, &h);
        if (w->status[l] != RI_OK)
            continue;
        w->on |= 1u << l;
        if (steps != w->steps || h != w->h)
            leave(w, l, go_alone(w->sims[l], steps, h));
    }
}

/// Solves the step of every simulation as often as it asks for.
static void solve(RiLockstep *w)
{
    const double *tau[RI_LANES_MOST];
    double *a[RI_LANES_MOST];
    for (int l = 0; l < w->count; l++) {
        tau[l] = w->sims[l]->tau;
        a[l] = w->sims[l]->a;
    }
    for (unsigned open = w->on; open;) {
        const unsigned solved = ri_lanes_forward(w->lanes, tau, a, open);
        EACH(w, l, open)
        {
            RiSim *s = w->sims[l];
            bool again = false;
            RiStatus status = solved >> l & 1 ? RI_OK : ri_dyn_forward(s->d, s->tau, s->a);
            if (status == RI_OK)
                status = ri_euler_judge(s, w->h, &w->passes[l], &again);
            if (status != RI_OK)
                leave(w, l, ri_euler_fail(s, status));
            if (status != RI_OK || !again)
                open &= ~(1u << l);
        }
    }
}

static void account(RiLockstep *w)
{
    const double *a[RI_LANES_MOST];
    RiMeanPower power[RI_LANES_MOST];
    if (!w->on)
        return;
    for (int l = 0; l < w->count; l++)
        a[l] = w->sims[l]->a;
    ri_lanes_mean_power(w->lanes, a, w->h, w->on, power);
    EACH(w, l, w->on)
    {
        w->sims[l]->power = power[l];
        ri_euler_close(w->sims[l], w->h);
    }
}

/// ri_sim_place of all that moved.
static void place(RiLockstep *w)
{
    const double *q[RI_LANES_MOST], *v[RI_LANES_MOST];
    unsigned moved = 0;
    for (int l = 0; l < w->count; l++) {
        RiSim *s = w->sims[l];
        q[l] = s->q;
        v[l] = s->v;
        if (w->on >> l & 1 && !ri_sim_is_placed(s))
            moved |= 1u << l;
    }
    if (!moved)
        return;
    EACH(w, l, moved) w->sims[l]->stage = RI_STAGE_LOOSE;
    ri_lanes_place(w->lanes, q, v, moved);
    EACH(w, l, moved) w->sims[l]->stage = RI_STAGE_PLACED;
}

static void step(RiLockstep *w)
{
    EACH(w, l, w->on)
    {
        w->sims[l]->advanced = w->h;
        const RiStatus status = ri_euler_begin(w->sims[l], w->h, &w->passes[l]);
        if (status != RI_OK)
            leave(w, l, status);
    }
    solve(w);
    EACH(w, l, w->on)
    {
        const RiStatus status = ri_euler_end(w->sims[l], w->h);
        if (status != RI_OK)
            leave(w, l, status);
    }
    account(w);
    EACH(w, l, w->on)
    {
        const RiStatus status = ri_sim_accept(w->sims[l], w->h);
        if (status != RI_OK)
            leave(w, l, status);
    }
    place(w);
}

void ri_lockstep_step(RiLockstep *w, unsigned mask, RiStatus *out_status)
{
    w->status = out_status;
    begin(w, mask);
    for (int i = 0; i < w->steps; i++)
        step(w);
    EACH(w, l, w->on)
    {
        RiSim *s = w->sims[l];
        out_status[l] = ri_sim_close_tick(s, ri_sim_end_tick(s, true));
    }
}
