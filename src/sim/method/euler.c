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
#include "sim/method/euler.h"

/// Solves of a step in which soil would give back more than it holds, at most.
enum { MOST_HOLDS = 40 };

/// Loads of one pass, on d.
static void load(RiSim *s, RiSlopes by)
{
    ri_sim_apply(s, by);
    if (by.c > 0.0)
        ri_dyn_set_joint_extra(s->d, s->joints->load.extra);
}

/// After the recursion of a pass: forces between two bodies, and the joints are as they were.
static RiStatus unload(RiSim *s, RiSlopes by)
{
    RiStatus status = RI_OK;
    for (int i = 0; i < s->acting.count && by.c > 0.0 && status == RI_OK; i++)
        if (s->acting.row[i]->couple)
            status = s->acting.row[i]->couple(s, by);
    if (by.c > 0.0)
        ri_dyn_set_joint_extra(s->d, NULL);
    return status;
}

/// Whether the step has to be solved again: until contacts press and slide as they were linearised,
/// and until soil gives back no more than it holds.
static bool is_open(RiSim *s, double h, RiSlopes by, RiPasses *x)
{
    bool settled, held;
    RI_FORCES_ALL(&s->acting, predict, &settled, s, h);
    if (by.c <= 0.0)
        return false;
    if (x->holds == 0 && !settled && ++x->passes < s->options.passes) {
        RI_FORCES(&s->acting, relinearize, s, by);
        return true;
    }
    if (x->holds == MOST_HOLDS)
        return false;
    RI_FORCES_ALL(&s->acting, hold, &held, s, h);
    x->holds += !held;
    return !held;
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

/// After the recursion: the step is solved, or it is loaded to be solved again.
static RiStatus judge(RiSim *s, double h, RiSlopes by, RiPasses *x, bool *out_again)
{
    RI_TRY(unload(s, by));
    *out_again = is_open(s, h, by, x);
    if (*out_again)
        load(s, by);
    return RI_OK;
}

/// Once it is solved: to its end, but for the energy books.
static RiStatus end(RiSim *s, double h)
{
    move(s, h);                              // accelerations      -> new_q, new_v
    RI_FORCES_TRY(&s->acting, finish, s, h); // end velocities     -> deflections, memories, ruts
    RI_FORCES(&s->acting, report, s);        // end forces         -> touches, sums
    return RI_OK;
}

static RiStatus step(RiSim *s, double h)
{
    const RiSlopes by = ri_slopes_at_end(s->method->implicit ? h : 0.0);
    RiPasses passes = {0, 0};
    RI_TRY(ri_sim_arrive(s)); // q, v               -> d, touches, ground under wheels
    RI_ASSERT(s->stage == RI_STAGE_FOUND);
    RI_FORCES(&s->acting, evaluate, s, by); // laws               -> forces and slopes
    load(s, by);                            // forces             -> d, tau
    for (bool again = true; again;) {
        RiStatus status = ri_dyn_forward(s->d, s->tau, s->a); // forces, inertia    -> accelerations
        if (status == RI_OK)
            status = judge(s, h, by, &passes, &again);
        if (status != RI_OK)
            return ri_euler_fail(s, status);
    }
    RI_TRY(end(s, h));
    ri_sim_account(s, h, by);   // forces, velocities -> energy books
    s->stage = RI_STAGE_PLACED; // what touches remember has changed
    return RI_OK;
}

/// The beginning of `step`, which robots of a batch make before they meet at the recursion.
RiStatus ri_euler_begin(RiSim *s, double h, RiPasses *x)
{
    const RiSlopes by = ri_slopes_at_end(h);
    *x = (RiPasses){0, 0};
    RI_TRY(ri_sim_arrive(s));
    RI_ASSERT(s->stage == RI_STAGE_FOUND);
    RI_FORCES(&s->acting, evaluate, s, by);
    load(s, by);
    return RI_OK;
}

RiStatus ri_euler_judge(RiSim *s, double h, RiPasses *x, bool *out_again)
{
    return judge(s, h, ri_slopes_at_end(h), x, out_again);
}

RiStatus ri_euler_end(RiSim *s, double h)
{
    return end(s, h);
}

void ri_euler_close(RiSim *s, double h)
{
    ri_sim_account_forces(s, h, ri_slopes_at_end(h));
    s->stage = RI_STAGE_PLACED;
}

RiStatus ri_euler_fail(RiSim *s, RiStatus status)
{
    ri_dyn_set_joint_extra(s->d, NULL);
    return status;
}

const RiMethodKind ri_method_implicit = {
    .info = {"implicit", "linearly implicit, first order: stiff servos, springs and contacts at long steps", true,
             true},
    .offers = RI_OFFERS_CONTACT | RI_OFFERS_LINK_CONTACT | RI_OFFERS_PASSIVE_SOIL | RI_OFFERS_CONTACT_WORK,
    .first_order = true,
    .implicit = true,
    .step = step,
};

const RiMethodKind ri_method_semi_implicit = {
    .info = {"semi-implicit", "symplectic Euler, first order, for smooth problems", true, true},
    .offers = RI_OFFERS_CONTACT | RI_OFFERS_LINK_CONTACT | RI_OFFERS_CONTACT_WORK,
    .first_order = true,
    .step = step,
};
