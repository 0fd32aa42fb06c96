// SPDX-License-Identifier: Apache-2.0
/// \file
/// The first-order steps: linearly implicit Euler, and semi-implicit Euler.
///
/// **implicit** evaluates stiff forces at the end of the step, linearised about its beginning. A
/// joint force with slopes K = -dtau/dq and C = -dtau/dq' contributes, with q+ = q + h v+ and v+ =
/// v + h a,
///
///     tau+ = tau - h K v - (h C + h^2 K) a
///
/// so stiffness becomes inertia: (M + h C + h^2 K) a = tau - h K v - bias. The articulated-body
/// recursion solves this with h C + h^2 K as armature. A force at a point of a body does the same
/// with its 3x3 slopes in the body's inertia. The slope of friction is the secant |f(v)| / |v|,
/// which brings a sliding joint to rest without chatter. The method is of first order and
/// unconditionally stable for linear springs and dampers.
///
/// **semi-implicit** (symplectic Euler) is the same step without slopes.
/// Tests: tests/sim/test_sim.c.
#include <string.h>

#include "sim/force/joints.h"

/// Solves of a step in which soil would give back more than it holds, at most.
enum { MOST_HOLDS = 40 };

/// Accelerations of one pass: loads on d, then the articulated-body recursion.
static RiStatus solve(RiSim *s, RiSlopes by)
{
    const bool implicit = by.c > 0.0;
    ri_sim_apply(s, by);
    if (implicit)
        ri_dyn_set_joint_extra(s->d, s->joints->load.extra);
    RiStatus status = ri_dyn_forward(s->d, s->tau, s->a);
    for (int i = 0; i < s->acting.count && implicit && status == RI_OK; i++)
        if (s->acting.row[i]->couple)
            status = s->acting.row[i]->couple(s, by);
    if (implicit)
        ri_dyn_set_joint_extra(s->d, NULL);
    return status;
}

/// Solves until contacts press and slide as they were linearised, and until soil gives back no more
/// than it holds.
static RiStatus settle(RiSim *s, double h, RiSlopes by)
{
    const bool implicit = by.c > 0.0;
    bool settled, held;
    RI_TRY(solve(s, by));
    RI_FORCES_ALL(&s->acting, predict, &settled, s, h);
    for (int pass = 1; implicit && !settled && pass < s->options.passes; pass++) {
        RI_FORCES(&s->acting, relinearize, s, by);
        RI_TRY(solve(s, by));
        RI_FORCES_ALL(&s->acting, predict, &settled, s, h);
    }
    for (int pass = 0; implicit && pass < MOST_HOLDS; pass++) {
        RI_FORCES_ALL(&s->acting, hold, &held, s, h);
        if (held)
            break;
        RI_TRY(solve(s, by));
        RI_FORCES_ALL(&s->acting, predict, &settled, s, h);
    }
    return RI_OK;
}

/// Accelerations -> velocities and positions at the end of the step.
static void move(RiSim *s, double h)
{
    for (int i = 0; i < s->m->nv; i++)
        s->new_v[i] = s->v[i] + h * s->a[i];
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    ri_model_integrate(s->m, s->q, s->new_v, h, s->new_q);
    ri_sim_span_acceleration(s);
}

static RiStatus step(RiSim *s, double h)
{
    const RiSlopes by = ri_slopes_at_end(s->options.method == RI_METHOD_IMPLICIT ? h : 0.0);
    RI_TRY(ri_sim_arrive(s)); // q, v               -> d, touches, ground under wheels
    RI_ASSERT(s->stage == RI_STAGE_FOUND);
    RI_FORCES(&s->acting, evaluate, s, by);  // laws               -> forces and slopes
    RI_TRY(settle(s, h, by));                // forces, inertia    -> accelerations
    move(s, h);                              // accelerations      -> new_q, new_v
    RI_FORCES_TRY(&s->acting, finish, s, h); // end velocities     -> deflections, memories, ruts
    RI_FORCES(&s->acting, report, s);        // end forces         -> touches, sums
    ri_sim_account(s, h, by);                // forces, velocities -> energy books
    s->stage = RI_STAGE_PLACED;              // what touches remember has changed
    return RI_OK;
}

const RiMethodKind ri_method_implicit = {
    .info = {"implicit", "linearly implicit, first order: stiff servos, springs and contacts at long steps", true,
             true},
    .offers = RI_OFFERS_CONTACT | RI_OFFERS_LINK_CONTACT | RI_OFFERS_PASSIVE_SOIL | RI_OFFERS_CONTACT_WORK,
    .first_order = true,
    .step = step,
};

const RiMethodKind ri_method_semi_implicit = {
    .info = {"semi-implicit", "symplectic Euler, first order, for smooth problems", true, true},
    .offers = RI_OFFERS_CONTACT | RI_OFFERS_LINK_CONTACT | RI_OFFERS_CONTACT_WORK,
    .first_order = true,
    .step = step,
};
