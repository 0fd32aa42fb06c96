// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: the operator W = J M^-1 J^T from the articulated-body factor, the problem's
/// solution, and reactions on the robot.
///
/// A contact with a bond b pulls with up to b and has friction mu (r_N + b). With r' = r + b n it is a
/// contact without a bond whose free velocity is q - W b n: the problem is solved for r'.
///
/// W is divided by the mean of its diagonal: reactions are then velocities as q is, and one
/// tolerance suits grams and tons.
#include <string.h>

#include "sim/method/moreau.h"

/// A bond breaks where a contact opens faster than this [m/s]. (Of several points on one face some may
/// have no shifted reaction although none opens: loads are not unique there.)
static const double TORN = 1e-8;
/// A solution with a larger residual than this is not used.
static const double USELESS = 1e-3;
/// Iterations of a warm and of a cold try.
enum { WARM_PATIENCE = 400, COLD_PATIENCE = 20000 };

/// Block (i, j) of W from world axes to those of the contacts.
static void turn_block(const RiMoreau *x, int i, int j, double *W)
{
    const size_t m = 3 * (size_t)x->points, n = 3 * (size_t)x->n;
    const RiMoreauContact *a = &x->contacts[i], *b = &x->contacts[j];
    const RiVec3 left[3] = {a->normal, a->t1, a->t2}, right[3] = {b->normal, b->t1, b->t2};
    const double *from = x->world + 3 * (size_t)i * m + 3 * (size_t)j;
    for (int k = 0; k < 3; k++) {
        const RiVec3 l = left[k];
        const RiVec3 row = {l.x * from[0] + l.y * from[m] + l.z * from[2 * m],
                            l.x * from[1] + l.y * from[m + 1] + l.z * from[2 * m + 1],
                            l.x * from[2] + l.y * from[m + 2] + l.z * from[2 * m + 2]};
        for (int c = 0; c < 3; c++) {
            const double w = ri_dot(row, right[c]);
            W[(3 * (size_t)i + (size_t)k) * n + 3 * (size_t)j + (size_t)c] = w;
            W[(3 * (size_t)j + (size_t)c) * n + 3 * (size_t)i + (size_t)k] = w;
        }
    }
}

/// Rows and columns of a stop: W_ij = row_i M^-1 row_j, and what it does to the touches.
static void couple_stop(RiSim *s, int i)
{
    RiMoreau *x = s->moreau;
    const size_t n = 3 * (size_t)x->n, at = 3 * (size_t)i, nv = (size_t)s->m->nv;
    double *column = x->columns + (size_t)(i - x->points) * nv;
    ri_dyn_apply_inverse(s->d, column);
    ri_dyn_mean_power(s->d, column, 0.0); // for the velocities that it gives to points
    for (int j = 0; j < x->points; j++) {
        const RiMoreauContact *c = &x->contacts[j];
        const RiVec3 v = ri_moreau_share(s, &s->touches->list[c->touch]);
        const double w[3] = {ri_dot(v, c->normal), ri_dot(v, c->t1), ri_dot(v, c->t2)};
        for (size_t k = 0; k < 3; k++)
            x->W[at * n + 3 * (size_t)j + k] = x->W[(3 * (size_t)j + k) * n + at] = w[k];
    }
    for (int j = x->points; j <= i; j++) {
        const double *row = x->rows + (size_t)(j - x->points) * nv;
        double sum = 0.0;
        for (size_t k = 0; k < nv; k++)
            sum += row[k] * column[k];
        x->W[at * n + 3 * (size_t)j] = x->W[3 * (size_t)j * n + at] = sum;
    }
    x->W[(at + 1) * n + at + 1] = x->W[(at + 2) * n + at + 2] = x->W[at * n + at]; // tangents that nothing moves
}

/// W of all contacts, divided by the mean of its diagonal: reactions are then velocities as q is,
/// and one tolerance suits grams and tons.
RiStatus ri_moreau_assemble(RiSim *s)
{
    RiMoreau *x = s->moreau;
    const size_t n = 3 * (size_t)x->n;
    RI_TRY(ri_dyn_articulate(s->d));
    memset(x->W, 0, n * n * sizeof *x->W);
    if (x->points > 0)
        ri_dyn_delassus_between(s->d, x->points, x->at, x->seen, x->from, x->seen_of, x->world);
    for (int i = 0; i < x->points; i++)
        for (int j = 0; j <= i; j++)
            turn_block(x, i, j, x->W);
    for (int i = 0; i < x->points; i++) {
        double *at = x->W + (3 * (size_t)i + 1) * n + 3 * (size_t)i + 1;
        const double *D = x->contacts[i].D;
        at[0] += D[0], at[1] += D[1], at[n] += D[1], at[n + 1] += D[2];
    }
    for (int i = x->points; i < x->n; i++)
        couple_stop(s, i);
    double trace = 0.0;
    for (size_t i = 0; i < n; i++)
        trace += x->W[i * n + i];
    x->scale = trace > 0.0 ? trace / (double)n : 1.0;
    for (size_t i = 0; i < n * n; i++)
        x->W[i] /= x->scale;
    for (size_t i = 0; i < n; i++)
        x->r[i] *= x->scale;
    for (int i = 0; i < x->n; i++)
        x->r[3 * i] = fmax(0.0, x->r[3 * i] + x->scale * x->contacts[i].bond);
    return RI_OK;
}

/// What the bonds do to the free velocities.
static void pull_together(RiMoreau *x)
{
    const size_t n = 3 * (size_t)x->n;
    for (int j = 0; j < x->n; j++) {
        const double bond = x->scale * x->contacts[j].bond;
        for (size_t i = 0; bond > 0.0 && i < n; i++)
            x->q[i] -= x->W[i * n + 3 * (size_t)j] * bond;
    }
}

/// Free velocities of the problem; returns their size.
double ri_moreau_set_free(RiMoreau *x)
{
    double sum = 0.0;
    for (int i = 0; i < x->n; i++) {
        x->q[3 * i] = x->contacts[i].u[0] - x->contacts[i].bound;
        x->q[3 * i + 1] = x->contacts[i].u[1];
        x->q[3 * i + 2] = x->contacts[i].u[2];
        for (int k = 0; k < 3; k++)
            sum += x->q[3 * i + k] * x->q[3 * i + k];
    }
    pull_together(x);
    return sqrt(sum);
}

RiConeProblem ri_moreau_problem(const RiMoreau *x)
{
    return (RiConeProblem){.n = x->n, .W = x->W, .q = x->q, .mu = x->mu, .across = x->across};
}

/// From the reactions at hand, and if that does not do, from nothing.
bool ri_moreau_try(RiMoreau *x, double tolerance)
{
    const RiConeProblem p = ri_moreau_problem(x);
    RiConeOptions o = ri_cone_options_default();
    o.tolerance = tolerance;
    o.warm = true;
    o.max_iterations = WARM_PATIENCE;
    ri_cone_solver_forget(x->solver);
    ri_cone_solve(x->solver, &p, &o, x->r, x->u, &x->result);
    if (x->result.end == RI_CONE_SOLVED)
        return true;
    o.warm = false;
    o.max_iterations = COLD_PATIENCE;
    ri_cone_solve(x->solver, &p, &o, x->r, x->u, &x->result);
    return x->result.end == RI_CONE_SOLVED;
}

/// What is not solved is reported; what is useless ends the step.
RiStatus ri_moreau_solve(RiSim *s)
{
    RiMoreau *x = s->moreau;
    if (ri_moreau_try(x, s->options.cone_tolerance))
        return RI_OK;
    ri_sim_report_validity(s, x->not_converged);
    if (!(x->result.residual <= USELESS))
        return ri_error(
            s->ctx, RI_ERR_NUMERIC,
            "the contact problem of the step at t = %.9g s with %d contacts has no usable solution: %s (%s)",
            s->head->time, x->n, ri_cone_end_name(x->result.end), x->result.reason);
    return RI_OK;
}

/// Reactions to SI units, bonds taken off.
void ri_moreau_unscale(RiMoreau *x)
{
    for (int i = 0; i < 3 * x->n; i++)
        x->r[i] /= x->scale;
    for (int i = 0; i < x->n; i++) {
        RiMoreauContact *c = &x->contacts[i];
        c->holds = c->bond > 0.0 ? x->u[3 * i] + c->bound <= TORN : x->r[3 * i] > 0.0;
        x->r[3 * i] -= c->bond;
    }
}

/// Puts reactions on the robot: wrenches, and efforts of stops added to tau. Reactions times
/// `factor` are forces.
void ri_moreau_put(RiSim *s, double factor, double *tau)
{
    RiMoreau *x = s->moreau;
    const RiVec3 none = {0.0, 0.0, 0.0};
    for (int i = 0; i < x->points; i++) {
        const RiVec3 force = ri_scale(factor, ri_moreau_in_world(&x->contacts[i], x->r + 3 * i));
        ri_dyn_add_wrench(s->d, x->at[i].link, force, none, x->at[i].point_W);
        if (x->contacts[i].other >= 0)
            ri_dyn_add_wrench(s->d, x->contacts[i].other, ri_scale(-1.0, force), none, x->at[i].point_W);
    }
    for (int i = x->points; i < x->n; i++)
        for (int k = 0; k < s->m->nv; k++)
            tau[k] += factor * x->r[3 * i] * x->rows[(i - x->points) * s->m->nv + k];
}
