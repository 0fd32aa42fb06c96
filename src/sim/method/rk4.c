// SPDX-License-Identifier: Apache-2.0
/// \file
/// Classical fourth-order Runge-Kutta on (q, v). The position part integrates dq/dt as it is,
/// quaternions and dependent loop coordinates included; afterwards quaternions are made unit and
/// the loops are closed by the next position update, so the order is kept.
#include <string.h>

#include <rille/sim.h>

#include "base/memory.h"
#include "math/dense.h"

struct RiIntegrator {
    RiContext *ctx;
    RiDyn *d;
    RiEffortFn efforts;
    void *user;
    bool passive;
    int nq, nv;
    double *q[4], *qdot[4], *v[4], *a[4]; // stages
    double *tau, *extra;
    double *block;
};

RiStatus ri_integrator_create(RiContext *ctx, RiDyn *d, RiIntegrator **out_integrator)
{
    *out_integrator = NULL;
    RiIntegrator *it = ri_alloc_zero(ctx, 1, sizeof *it);
    if (!it)
        return ri_error_memory(ctx);
    it->ctx = ctx;
    it->d = d;
    it->passive = true;
    it->nq = ri_model_nq(ri_dyn_model(d));
    it->nv = ri_model_nv(ri_dyn_model(d));
    const size_t nq = (size_t)it->nq, nv = (size_t)it->nv;
    double *at = it->block = ri_alloc_zero(ctx, 8 * nq + 10 * nv + 1, sizeof *it->block);
    if (!at) {
        ri_release(ctx, it);
        return ri_error_memory(ctx);
    }
    for (int i = 0; i < 4; i++) {
        it->q[i] = at;
        it->qdot[i] = at + nq;
        it->v[i] = at + 2 * nq;
        it->a[i] = at + 2 * nq + nv;
        at += 2 * nq + 2 * nv;
    }
    it->tau = at;
    it->extra = at + nv;
    *out_integrator = it;
    return RI_OK;
}

void ri_integrator_destroy(RiIntegrator *it)
{
    if (!it)
        return;
    ri_release(it->ctx, it->block);
    ri_release(it->ctx, it);
}

void ri_integrator_set_efforts(RiIntegrator *it, RiEffortFn fn, void *user, bool passive)
{
    it->efforts = fn;
    it->user = user;
    it->passive = passive;
}

/// Rates at stage i, whose q and v are set; q is replaced by the one with closed loops.
static RiStatus stage(RiIntegrator *it, int i, double time)
{
    RI_TRY(ri_dyn_update_position(it->d, it->q[i]));
    ri_dyn_get_q(it->d, it->q[i]);
    ri_dyn_update_velocity(it->d, it->v[i]);
    ri_dyn_get_qdot(it->d, it->qdot[i]);
    memset(it->tau, 0, (size_t)it->nv * sizeof *it->tau);
    if (it->efforts) {
        ri_dyn_clear_wrenches(it->d);
        it->efforts(it->user, it->d, time, it->q[i], it->v[i], it->tau);
    }
    if (it->passive) {
        ri_dyn_passive_forces(it->d, it->extra);
        for (int k = 0; k < it->nv; k++)
            it->tau[k] += it->extra[k];
    }
    return ri_dyn_forward(it->d, it->tau, it->a[i]);
}

/// q[to] = q0 + h qdot[from], v[to] = v0 + h a[from].
static void advance(RiIntegrator *it, int to, int from, double h)
{
    for (int k = 0; k < it->nq; k++)
        it->q[to][k] = it->q[0][k] + h * it->qdot[from][k];
    for (int k = 0; k < it->nv; k++)
        it->v[to][k] = it->v[0][k] + h * it->a[from][k];
}

RiStatus ri_integrator_rk4(RiIntegrator *it, double time, double h, double *q, double *v)
{
    memcpy(it->q[0], q, (size_t)it->nq * sizeof *q);
    memcpy(it->v[0], v, (size_t)it->nv * sizeof *v);
    RI_TRY(stage(it, 0, time));
    advance(it, 1, 0, 0.5 * h);
    RI_TRY(stage(it, 1, time + 0.5 * h));
    advance(it, 2, 1, 0.5 * h);
    RI_TRY(stage(it, 2, time + 0.5 * h));
    advance(it, 3, 2, h);
    RI_TRY(stage(it, 3, time + h));
    double *new_q = it->q[1], *new_v = it->v[1]; // free by now: their rates are kept
    for (int k = 0; k < it->nq; k++)
        new_q[k] =
            it->q[0][k] + h / 6.0 * ((it->qdot[0][k] + it->qdot[3][k]) + 2.0 * (it->qdot[1][k] + it->qdot[2][k]));
    for (int k = 0; k < it->nv; k++)
        new_v[k] = it->v[0][k] + h / 6.0 * ((it->a[0][k] + it->a[3][k]) + 2.0 * (it->a[1][k] + it->a[2][k]));
    if (!ri_all_finite(new_q, it->nq) || !ri_all_finite(new_v, it->nv))
        return ri_error(it->ctx, RI_ERR_NUMERIC, "the motion diverged in the step at t = %.9g s", time);
    ri_model_normalize(ri_dyn_model(it->d), new_q);
    memcpy(q, new_q, (size_t)it->nq * sizeof *q);
    memcpy(v, new_v, (size_t)it->nv * sizeof *v);
    return RI_OK;
}
