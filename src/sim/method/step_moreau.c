// SPDX-License-Identifier: Apache-2.0
/// \file
/// A step of Moreau's time stepping: impacts, unilateral contact and Coulomb's cone, all at
/// velocity level.
///
///     q_m = q + h/2 v                                          half a step with the old velocity
///     u_f = J(q_m) (v + h a_f),  (M + ..) a_f = F - bias       the free motion: everything but contact
///     W = J M^-1 J^T,  u = W p + u_f                           impulses p of the contacts that would close (moreau_gather.c)
///     u_N >= b _|_ p_N >= 0,  |p_T| <= mu p_N against u_T      ri_cone_solve (moreau_problem.c)
///     v+ = v + h a_f + M^-1 J^T p,   q+ = q_m + h (theta v+ + (1/2 - theta) v)
///
/// Springs and servos count at `theta` of the step, dampers and joint friction at its end, by their
/// slopes (RiSlopes). What a step leaves in the ground is taken out by a projection of positions
/// (moreau_project.c).
///
/// Theory: docs/theory/moreau.md. Tests: tests/sim/test_moreau.c.
#include <string.h>

#include "sim/force/joints.h"
#include "sim/method/moreau.h"

/// How often contacts that the reactions of others close are taken in; what is left then is for the
/// projection.
enum { ROUNDS = 30 };
/// Solves of a step in which soil would give back more than it holds, at most.
enum { MOST_HOLDS = 40 };

void ri_sim_watch_cones(RiSim *s, RiConeFn fn, void *user)
{
    s->cone_fn = fn;
    s->cone_user = user;
}

/// d at the middle of the step, by the old velocity.
static RiStatus go_half(RiSim *s, double h)
{
    s->stage = RI_STAGE_LOOSE;
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    ri_model_integrate(s->m, s->q, s->v, 0.5 * h, s->new_q);
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    ri_dyn_update_velocity(s->d, s->v);
    ri_sim_find(s);
    return RI_OK;
}

/// Reactions of what is marked, and the accelerations with them.
static RiStatus react(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    RI_TRY(ri_moreau_assemble(s));
    ri_moreau_set_free(x);
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
    bool held = false;
    for (int pass = 0; status == RI_OK && pass <= MOST_HOLDS && !held; pass++) {
        ri_sim_apply(s, by);
        ri_moreau_put_drags(s, s->moreau->reaction, h);
        ri_dyn_set_joint_extra(s->d, s->joints->load.extra);
        status = solve_motion(s, h);
        ri_dyn_set_joint_extra(s->d, NULL);
        if (status == RI_OK && pass < MOST_HOLDS)
            RI_FORCES_ALL(&s->acting, hold, &held, s, h);
    }
    return status;
}

RiStatus ri_moreau_step(RiSim *s, double h)
{
    const double theta = s->options.theta;
    const RiSlopes by = {(theta - 0.5) * h, theta * theta * h * h, h};
    RI_TRY(go_half(s, h));
    RI_FORCES(&s->acting, evaluate, s, by);
    RI_TRY(settle(s, h, by));
    ri_sim_span_acceleration(s);
    go_on(s, h);
    RI_FORCES_TRY(&s->acting, finish, s, h);
    ri_sim_account(s, h, by);
    ri_moreau_account(s, h);
    ri_moreau_book_drags(s, s->moreau->reaction, h);
    if (s->contacts)
        ri_moreau_report(s, h);
    RI_TRY(ri_moreau_project(s));
    ri_moreau_report_depths(s);
    s->stage = RI_STAGE_FOUND;
    return RI_OK;
}

// --- the row -------------------------------------------------------------------------------------

static RiStatus check(RiContext *ctx, const RiSimOptions *o)
{
    const bool ours = o->method == RI_METHOD_MOREAU;
    if (ours && !(o->theta >= 0.5 && o->theta <= 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "theta of integrator moreau is %g, it must be 0.5 to 1", o->theta);
    if (ours && !(o->most_contacts >= 1 && o->most_contacts <= 4096))
        return ri_error(ctx, RI_ERR_ARGUMENT, "most_contacts is %d, it must be 1 to 4096", o->most_contacts);
    if (ours && !(o->cone_tolerance >= 1e-14 && o->cone_tolerance <= 1e-3))
        return ri_error(ctx, RI_ERR_ARGUMENT, "cone_tolerance is %g, it must be 1e-14 to 1e-3", o->cone_tolerance);
    if (!ours && o->events != 0.0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "impacts are located by integrator moreau only, not by %s",
                        ri_method_name(o->method));
    if (o->events != 0.0 && !(o->events >= 1e-13 && o->events <= 1e-3))
        return ri_error(ctx, RI_ERR_ARGUMENT, "events is %g s, it must be 0 or 1e-13 to 1e-3", o->events);
    return RI_OK;
}

static RiStatus create(RiSim *s)
{
    RI_TRY(ri_moreau_create(s));
    return ri_events_create(s);
}

static void destroy(RiSim *s)
{
    ri_moreau_destroy(s);
    ri_events_destroy(s);
}

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    if (part != RI_BLOCK_MOVING)
        return;
    ri_moreau_lay_out(s, block, at);
    ri_events_lay_out(s, block, at);
}

static RiStatus name(RiSim *s)
{
    RI_TRY(ri_moreau_name(s));
    return ri_events_name(s);
}

static RiStatus step(RiSim *s, double h)
{
    return s->events ? ri_events_step(s, h) : ri_moreau_step(s, h);
}

const RiMethodKind ri_method_moreau = {
    .info = {"moreau", "time stepping with exact Coulomb cones and impacts, first order", true, true},
    .offers = RI_OFFERS_CONTACT | RI_OFFERS_LINK_CONTACT | RI_OFFERS_PASSIVE_SOIL,
    .first_order = true,
    .solves_contact = true,
    .check = check,
    .create = create,
    .destroy = destroy,
    .lay_out = lay_out,
    .name = name,
    .place = ri_moreau_place_start,
    .apply_reactions = ri_moreau_apply_reactions,
    .step = step,
};
