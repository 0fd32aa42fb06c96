// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: positions out of the ground at the end of a step.
///
/// The least move in the metric of the mass matrix with g + J move >= 0 for all that is deep or
/// near: the contact problem without friction, gaps in units of the deepest.
#include <string.h>

#include "sim/method/moreau.h"

/// A pass need not be exact: it is to leave this part of the depth, and is of use up to that one.
static const double MOVED = 1e-3, OF_USE = 0.3;
enum { PROJECTIONS = 60 };
/// What is nearer than so many times the deepest contact of the first pass takes part in all of
/// them.
static const double NEAR = 4.0;
/// Part of the depth that later passes leave open. Four points of two faces that lie on each other
/// are known at a time, and others of them may be deepest next.
static const double FURTHER = 0.5;

/// Deepest penetration at new_q, stops included.
static double deepest(const RiSim *s)
{
    double most = 0.0;
    for (int i = 0; i < s->touches->count; i++)
        most = fmax(most, s->touches->list[i].depth);
    for (int i = 0; i < s->moreau->stop_count; i++)
        most = fmax(most, -ri_moreau_stop_gap(s, i));
    return most;
}

/// Contacts that are in the ground or so near that a move may bring them there, as a problem
/// without friction; gaps in units of `depth`, of which `over` are to be left open.
static RiStatus gather_deep(RiSim *s, double depth, double near, double over)
{
    RiMoreau *x = s->moreau;
    x->n = x->seen = 0;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        if (t->depth < -near)
            continue;
        if (x->n == x->limit)
            return ri_moreau_too_many(s);
        RiMoreauContact *c = &x->contacts[x->n];
        *c = (RiMoreauContact){
            .touch = i, .stop = -1, .normal = t->normal, .u = {-t->depth / depth, 0.0, 0.0}, .bound = over};
        ri_moreau_choose_tangents(t, c);
        ri_moreau_place(s, t);
        x->mu[x->n] = 0.0;
        x->across[x->n++] = 1.0;
    }
    x->points = x->n;
    for (int i = 0; i < x->stop_count; i++) {
        const double gap = ri_moreau_stop_gap(s, i);
        if (gap <= near)
            RI_TRY(ri_moreau_add_stop(s, i, gap, gap / depth, over));
    }
    memset(x->r, 0, 3 * (size_t)x->n * sizeof *x->r);
    return RI_OK;
}

/// One move of positions: the least one, measured by the mass matrix, that takes all contacts out
/// of the ground. *moved is false if there is none. d is at rest, before and after.
static RiStatus move_out(RiSim *s, double depth, double near, double over, bool *moved)
{
    RiMoreau *x = s->moreau;
    const RiVec3 gravity = ri_dyn_gravity(s->d);
    RI_TRY(gather_deep(s, depth, near, over));
    const double size = ri_moreau_set_free(x); // residuals are relative to it: open gaps must not hide a depth
    RI_TRY(ri_moreau_assemble(s));
    *moved = ri_moreau_try(x, MOVED / size) || x->result.residual * size <= OF_USE;
    if (!*moved)
        return RI_OK;
    ri_moreau_unscale(x);
    ri_dyn_set_gravity(s->d, ri_vec3(0.0, 0.0, 0.0));
    ri_dyn_clear_wrenches(s->d);
    memset(s->tau, 0, (size_t)s->m->nv * sizeof *s->tau);
    ri_moreau_put(s, depth, s->tau);
    const RiStatus status = ri_dyn_forward(s->d, s->tau, x->moved);
    ri_dyn_set_gravity(s->d, gravity);
    RI_TRY(status);
    ri_model_integrate(s->m, s->new_q, x->moved, 1.0, s->new_q);
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    ri_dyn_update_velocity(s->d, x->rest);
    ri_sim_find(s);
    return RI_OK;
}

/// d and the touches to new_q and new_v; the deepest penetration there.
static RiStatus look(RiSim *s, double *out_depth)
{
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    ri_dyn_update_velocity(s->d, s->new_v);
    ri_sim_find(s);
    *out_depth = deepest(s);
    return RI_OK;
}

/// Moves until nothing is deep any more.
static RiStatus move_all_out(RiSim *s, double depth)
{
    const double near = NEAR * depth;
    bool moved = true;
    ri_dyn_clear_body_extra(s->d);
    ri_dyn_update_velocity(s->d, s->moreau->rest);
    for (int k = 0; k < PROJECTIONS && moved && depth > RI_MOREAU_TOO_DEEP; k++) {
        RI_TRY(move_out(s, depth, near, k > 0 ? FURTHER : 0.0, &moved));
        depth = deepest(s);
    }
    if (depth > RI_MOREAU_CLOSED)
        ri_sim_report_validity(s, s->moreau->too_deep);
    ri_dyn_update_velocity(s->d, s->new_v);
    ri_sim_find(s);
    return RI_OK;
}

/// What is put in by lifting the robot is reported where it is more than this part of the energy
/// turned over, and more than lifting all of it by so much takes [m].
static const double MOST_GAIN = 0.01, LEAST_LIFT = 1e-4;

static void book_lift(RiSim *s, double lift)
{
    double *sum = &s->moreau->out[RI_MOREAU_OUT_LIFTED];
    const double least = ri_model_mass(s->m) * ri_norm(ri_dyn_gravity(s->d)) * LEAST_LIFT;
    *sum += lift;
    if (lift > 0.0 && *sum > MOST_GAIN * s->head->energy_scale && *sum > least)
        ri_sim_report_validity(s, s->moreau->gains);
}

RiStatus ri_moreau_project(RiSim *s)
{
    double depth;
    RI_TRY(look(s, &depth));
    s->moreau->out[RI_MOREAU_OUT_PROJECTED] = depth > RI_MOREAU_TOO_DEEP ? depth : 0.0;
    if (depth <= RI_MOREAU_TOO_DEEP)
        return RI_OK;
    const double before = ri_dyn_potential_energy(s->d) + ri_sim_potential(s);
    RI_TRY(move_all_out(s, depth));
    book_lift(s, ri_dyn_potential_energy(s->d) + ri_sim_potential(s) - before);
    return RI_OK;
}

RiStatus ri_moreau_place_start(RiSim *s)
{
    static const double TOLD = 1e-6; // less than this may be rounding of a pose in a file [m]
    const size_t nq = (size_t)s->m->nq * sizeof *s->q, nv = (size_t)s->m->nv * sizeof *s->v;
    double depth;
    if (!s->contacts)
        return RI_OK;
    memcpy(s->new_q, s->q, nq);
    memcpy(s->new_v, s->v, nv);
    s->stage = RI_STAGE_LOOSE;
    RI_TRY(look(s, &depth));
    if (depth > TOLD) {
        RI_TRY(move_all_out(s, depth));
        ri_sim_report_validity(s, s->moreau->inside);
        memcpy(s->q, s->new_q, nq);
    }
    return ri_sim_place(s);
}
