// SPDX-License-Identifier: Apache-2.0
/// \file
/// A step of Moreau's time stepping: impacts, unilateral contact and Coulomb's cone, all at velocity level.
///
///     q_m = q + h/2 v                                          half a step with the old velocity
///     u_f = J(q_m) (v + h a_f),  (M + ..) a_f = F - bias       the free motion: everything but contact
///     W = J M^-1 J^T,  u = W p + u_f                           impulses p of the contacts that would close (moreau_gather.c)
///     u_N >= b _|_ p_N >= 0,  |p_T| <= mu p_N against u_T      ri_cone_solve (moreau_problem.c)
///     v+ = v + h a_f + M^-1 J^T p,   q+ = q_m + h (theta v+ + (1/2 - theta) v)
///
/// Springs and servos count at `theta` of the step, dampers and joint friction at its end, by their slopes (RiSlopes). What a step leaves in the ground is taken
/// out by a projection of positions (moreau_project.c).
///
/// Theory: docs/theory/moreau.md. Tests: tests/sim/test_moreau.c.
#include <string.h>

#include "sim/moreau.h"

/// How often contacts that the reactions of others close are taken in; what is left then is for the projection.
enum { ROUNDS = 30 };

void ri_sim_watch_cones(RiSim *s, RiConeFn fn, void *user)
{
    s->cone_fn = fn;
    s->cone_user = user;
}

/// d at the middle of the step, by the old velocity.
static RiStatus go_half(RiSim *s, double h)
{
    s->fresh = s->standing = false;
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    ri_model_integrate(s->m, s->q, s->v, 0.5 * h, s->new_q);
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    ri_dyn_update_velocity(s->d, s->v);
    ri_sim_find_contacts(s);
    return RI_OK;
}

static void load_joints(RiSim *s, RiSlopes by)
{
    ri_sim_joint_load(s, by);
    for (int i = 0; i < s->m->ns; i++)
        s->tau_s[i] = s->load.tau[i] - s->load.drift[i];
    ri_dyn_map_efforts(s->d, s->tau_s, s->tau);
}

/// Reactions of what is marked, and the accelerations with them.
static RiStatus react(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    ri_moreau_set_free(x);
    RI_TRY(ri_moreau_assemble(s));
    const RiConeProblem p = ri_moreau_problem(x);
    if (s->cone_fn)
        RI_TRY(s->cone_fn(s->cone_user, s->head->time, &p));
    RI_TRY(ri_moreau_solve(s));
    RI_TRY(ri_moreau_limit_rebounds(s));
    ri_moreau_unscale(x);
    for (int i = 0; i < x->points; i++)
        x->guess[x->contacts[i].touch] = ri_moreau_in_world(&x->contacts[i], x->r + 3 * i);
    ri_moreau_put(s, 1.0 / h, s->tau);
    RI_TRY(ri_dyn_forward(s->d, s->tau, s->a));
    ri_sim_span_acceleration(s);
    ri_dyn_mean_power(s->d, s->a, h);
    return RI_OK;
}

/// Accelerations of the free motion, then with the reactions of what closes.
static RiStatus solve_motion(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    x->n = x->points = x->seen = 0;
    x->result = (RiConeResult){.end = RI_CONE_SOLVED};
    RI_TRY(ri_dyn_forward(s->d, s->tau, s->a));
    if (x->limit > 0) {
        ri_sim_span_acceleration(s);
        ri_dyn_mean_power(s->d, s->a, h);
        ri_moreau_mark_closing(s, h);
        RI_TRY(ri_moreau_gather(s, h));
    }
    for (int round = 0; x->n > 0; round++) {
        RI_TRY(react(s, h));
        if (round == ROUNDS || !ri_moreau_mark_more(s, h))
            break;
        ri_moreau_put(s, -1.0 / h, s->tau); // off again
        RI_TRY(ri_moreau_gather(s, h));
    }
    x->out[RI_MOREAU_OUT_CONTACTS] = x->n;
    x->out[RI_MOREAU_OUT_ITERATIONS] = x->result.iterations;
    x->out[RI_MOREAU_OUT_RESIDUAL] = x->result.residual;
    return RI_OK;
}

/// From the middle of the step to its end.
static void go_on(RiSim *s, double h)
{
    const double theta = s->options.theta;
    for (int i = 0; i < s->m->nv; i++) {
        s->new_v[i] = s->v[i] + h * s->a[i];
        s->moreau->moved[i] = theta * s->new_v[i] + (0.5 - theta) * s->v[i];
    }
    ri_model_integrate(s->m, s->new_q, s->moreau->moved, h, s->new_q);
}

/// Accelerations of a step, solved again where soil would give more than it holds.
static RiStatus settle(RiSim *s, double h, RiSlopes by)
{
    RiStatus status = RI_OK;
    ri_sim_find_soil_forces(s, h);
    for (int pass = 0; status == RI_OK && pass <= RI_HOLDS; pass++) {
        ri_sim_apply_springs(s, by);
        ri_sim_apply_soil(s, h);
        ri_moreau_put_drags(s, s->moreau->reaction, h);
        ri_dyn_set_joint_extra(s->d, s->load.extra);
        status = solve_motion(s, h);
        ri_dyn_set_joint_extra(s->d, NULL);
        if (status == RI_OK && pass < RI_HOLDS && ri_sim_hold_soil(s, h))
            break;
    }
    return status;
}

RiStatus ri_sim_step_moreau(RiSim *s, double h)
{
    const double theta = s->options.theta;
    const RiSlopes by = {(theta - 0.5) * h, theta * theta * h * h, h};
    s->found = false;
    RI_TRY(go_half(s, h));
    load_joints(s, by);
    RI_TRY(settle(s, h, by));
    ri_sim_span_acceleration(s);
    go_on(s, h);
    RI_TRY(ri_sim_finish_soil(s, h));
    ri_sim_account(s, h, by);
    ri_moreau_account(s, h);
    ri_moreau_book_drags(s, s->moreau->reaction, h);
    if (s->contacts)
        ri_moreau_report(s, h);
    RI_TRY(ri_moreau_project(s));
    ri_moreau_report_depths(s);
    s->fresh = s->found = true;
    return RI_OK;
}
