// SPDX-License-Identifier: Apache-2.0
/// \file
/// A step of Moreau's time stepping: impacts, unilateral contact and Coulomb's cone, all at velocity level.
///
///     q_m = q + h/2 v                                          half a step with the old velocity
///     u_f = J(q_m) (v + h a_f),  (M + ..) a_f = F - bias       the free motion: everything but contact
///     W = J M^-1 J^T,  u = W p + u_f                           impulses p of the contacts that would close
///     u_N >= b _|_ p_N >= 0,  |p_T| <= mu p_N against u_T      ri_cone_solve
///     v+ = v + h a_f + M^-1 J^T p,   q+ = q_m + h (theta v+ + (1/2 - theta) v)
///
/// A contact takes part if its gap at the end of the step, g_m + h/2 u_f, is not positive, or if the reactions of others close it. Those of two links have
/// J = J_a - J_b and act on both. b is Newton's rebound, e times the approach speed, where that is
/// more than the forces take back within the step; elsewhere the contact lands: b = -2 g_m / h, so that the step ends with no gap. Springs and servos count
/// at `theta` of the step, dampers and joint friction at its end, by their slopes (RiSlopes). What a step leaves in the ground is taken out by a projection of
/// positions in the metric of the mass matrix. Stops of joints are contacts without friction.
///
/// The reactions stand in the state block, so a warm start is the same after a resume. Theory: docs/theory/moreau.md. Tests: tests/sim/test_moreau.c.
#include <stdio.h>
#include <string.h>

#include <rille/cone.h>

#include "sim/internal.h"
#include "sim/moreau.h"

enum { MOST_CONTACTS = 512 };
/// Gaps up to here count as closed [m, rad].
static const double CLOSED = 1e-8;
/// Positions are corrected from this depth on [m, rad], in so many passes at most. A pass need not be exact: it is to leave this part of the depth, and is
/// of use up to that one.
static const double TOO_DEEP = 5e-9, MOVED = 1e-3, OF_USE = 0.3;
enum { PROJECTIONS = 60 };
/// What is nearer than so many times the deepest contact of the first pass takes part in all of them.
static const double NEAR = 4.0;
/// Part of the depth that later passes leave open. Four points of two faces that lie on each other are known at a time, and others of them may be deepest next.
static const double FURTHER = 0.5;
/// A solution with a larger residual than this is not used.
static const double USELESS = 1e-3;
/// More friction than this counts as this: a cone of 89.9 degrees.
static const double ROUGHEST = 1e3;
/// How often contacts that the reactions of others close are taken in; what is left then is for the projection.
enum { ROUNDS = 30 };
/// Iterations of a warm and of a cold try.
enum { WARM_PATIENCE = 200, COLD_PATIENCE = 20000 };

enum { OUT_CONTACTS, OUT_ITERATIONS, OUT_RESIDUAL, OUT_PROJECTED, OUT_COUNT };

/// A joint that has stops.
typedef struct Stop {
    int s, sq;
    double limit, sign; // gap = sign (q - limit)
} Stop;

/// A contact of the step at hand: a touch, or a stop.
typedef struct Contact {
    int touch, stop; // -1
    double gap;      // at the middle of the step
    double bound;    // least normal velocity after the step
    int other;       // link that the touch is seen from; -1: the ground
    RiVec3 normal, t1, t2;
    double u[3]; // free velocity: normal, tangents
    double D[3]; // of wheels on soil: velocity by which the tangents give way to an impulse, 11, 12, 22
} Contact;

struct RiMoreau {
    RiConeSolver *solver;
    int limit;
    Stop *stops;
    int stop_count;
    int not_converged, too_deep; // validity flags

    int n, points; // contacts; those before `points` are touches
    Contact *contacts;
    RiPoint *at;
    int seen;          // touches of two links
    RiPoint *from;     // [seen] their points on the other link,
    int *seen_of;      // [seen] and their contacts
    double *world, *W; // 3n x 3n: in world axes, in the contacts' own
    double scale;      // mean of W's diagonal, by which it is divided
    double *q, *mu, *across, *r, *u;
    double *rows, *columns; // [stops that are closed][nv] J^T and M^-1 J^T
    double *rest, *moved;   // [nv]
    bool *closing;          // [touches, then stops] takes part in this step
    RiVec3 *free, *guess;   // [touches] free velocity, impulse to start from
    double *stop_free;      // [stops]
    int *info_of;           // [places] its touch_info, -1
    RiConeResult result;

    // in the state block
    RiVec3 *reaction;   // [places] impulse of the last step, world axes [N s]
    double *stop_force; // [stops] the same [N s, N m s]
    double *out;        // [OUT_COUNT]
};

// --- life -----------------------------------------------------------------------------------------------------------------

/// Whether a joint has stops.
static bool has_stops(const RiSim *s, const RiBodyData *b)
{
    const RiJointSpec *j = &s->m->joints[b->joint].spec;
    return j->has_limits && j->stop_stiffness > 0.0 && b->ns == 1;
}

static RiStatus add_stops(RiSim *s, RiMoreau *x)
{
    x->stops = ri_arena_alloc(&s->arena, 2 * (size_t)s->m->nb + 1, sizeof *x->stops);
    if (!x->stops)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        if (!has_stops(s, b))
            continue;
        const RiJointSpec *j = &s->m->joints[b->joint].spec;
        if (isfinite(j->lower))
            x->stops[x->stop_count++] = (Stop){b->s, b->sq, j->lower, 1.0};
        if (isfinite(j->upper))
            x->stops[x->stop_count++] = (Stop){b->s, b->sq, j->upper, -1.0};
    }
    return RI_OK;
}

/// Soil is a law of wheels on the ground: hulls do not meet by it.
static RiStatus check_hulls(RiSim *s)
{
    const RiContacts *c = s->contacts;
    for (int i = 0; c && c->law_of && i < c->solid_count * c->solid_count; i++)
        if (c->law_of[i] >= 0 && c->pairs[c->law_of[i]].law == RI_LAW_TERZAGHI)
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "integrator moreau: hulls '%s' and '%s' meet by law terzaghi, which is for wheels on the "
                            "ground; exact contact between links takes coulomb, stribeck or screw",
                            c->solids[i / c->solid_count].name, c->solids[i % c->solid_count].name);
    return RI_OK;
}

static RiStatus allocate(RiSim *s, RiMoreau *x)
{
    const int places = s->contacts ? s->contacts->state_count : 0;
    const int between = s->contacts ? RI_MEETS * s->contacts->pair_room : 0;
    x->limit = places + x->stop_count < MOST_CONTACTS ? places + x->stop_count : MOST_CONTACTS;
    const int seen = between < x->limit ? between : x->limit;
    const size_t n = (size_t)x->limit + 1, nv = (size_t)s->m->nv + 1, stops = (size_t)x->stop_count + 1;
    double *numbers = ri_arena_alloc(&s->arena, 18 * n * n + 11 * n + 2 * stops * nv + 2 * nv, sizeof *numbers);
    x->contacts = ri_arena_alloc(&s->arena, n, sizeof *x->contacts);
    x->at = ri_arena_alloc(&s->arena, n, sizeof *x->at);
    x->from = ri_arena_alloc(&s->arena, (size_t)seen + 1, sizeof *x->from);
    x->seen_of = ri_arena_alloc(&s->arena, (size_t)seen + 1, sizeof *x->seen_of);
    x->info_of = ri_arena_alloc(&s->arena, (size_t)places + 1, sizeof *x->info_of);
    const size_t all = (size_t)places + stops;
    x->closing = ri_arena_alloc(&s->arena, all, sizeof *x->closing);
    x->free = ri_arena_alloc(&s->arena, all, sizeof *x->free);
    x->guess = ri_arena_alloc(&s->arena, all, sizeof *x->guess);
    x->stop_free = ri_arena_alloc(&s->arena, stops, sizeof *x->stop_free);
    if (!x->closing || !x->free || !x->guess || !x->stop_free)
        return ri_error_memory(s->ctx);
    if (!numbers || !x->contacts || !x->at || !x->from || !x->seen_of || !x->info_of)
        return ri_error_memory(s->ctx);
    const struct {
        double **to;
        size_t count;
    } parts[] = {{&x->world, 9 * n * n}, {&x->W, 9 * n * n},     {&x->q, 3 * n},
                 {&x->r, 3 * n},         {&x->u, 3 * n},         {&x->mu, n},
                 {&x->across, n},        {&x->rows, stops * nv}, {&x->columns, stops * nv},
                 {&x->rest, nv},         {&x->moved, nv}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; numbers += parts[i++].count)
        *parts[i].to = numbers;
    RI_TRY(ri_dyn_reserve_delassus(s->d, x->limit + seen));
    return x->limit > 0 ? ri_cone_solver_create(s->ctx, x->limit, 0, &x->solver) : RI_OK;
}

RiStatus ri_sim_create_moreau(RiSim *s)
{
    if (s->options.method != RI_METHOD_MOREAU)
        return RI_OK;
    RiMoreau *x = ri_arena_alloc(&s->arena, 1, sizeof *x);
    if (!x)
        return ri_error_memory(s->ctx);
    *x = (RiMoreau){.not_converged = -1};
    s->moreau = x;
    RI_TRY(check_hulls(s));
    RI_TRY(add_stops(s, x));
    RI_TRY(ri_sim_add_validity(s, "contact.not_converged",
                               "the contact problem was not solved to its tolerance: the best point found was used",
                               &x->not_converged));
    RI_TRY(ri_sim_add_validity(s, "contact.penetrating", "the projection left more than 1e-8 m in the ground",
                               &x->too_deep));
    return allocate(s, x);
}

void ri_sim_watch_cones(RiSim *s, RiConeFn fn, void *user)
{
    s->cone_fn = fn;
    s->cone_user = user;
}

void ri_sim_destroy_moreau(RiSim *s)
{
    if (s->moreau)
        ri_cone_solver_destroy(s->moreau->solver);
}

void ri_sim_lay_out_moreau(RiSim *s, char *block, size_t *at)
{
    RiMoreau *x = s->moreau;
    const size_t places = s->contacts ? (size_t)s->contacts->state_count : 0;
    x->reaction = ri_carve(block, at, places, sizeof *x->reaction);
    x->stop_force = ri_carve(block, at, (size_t)x->stop_count, sizeof *x->stop_force);
    x->out = ri_carve(block, at, OUT_COUNT, sizeof *x->out);
}

RiStatus ri_sim_name_moreau(RiSim *s)
{
    static const char *const names[OUT_COUNT] = {"contact.problem.contacts", "contact.problem.iterations",
                                                 "contact.problem.residual", "contact.problem.projected"};
    static const char *const docs[OUT_COUNT] = {"contacts of the last step's problem", "iterations of its solution",
                                                "natural-map residual of its solution",
                                                "deepest penetration that the projection took out in the last step"};
    for (int i = 0; s->moreau && i < OUT_COUNT; i++) {
        RiValue v = ri_value_default();
        v.name = names[i];
        v.unit = i == OUT_PROJECTED ? "m" : "";
        v.doc = docs[i];
        v.kind = RI_VALUE_OUTPUT;
        v.at = s->moreau->out + i;
        v.writable = false;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}

// --- the problem ----------------------------------------------------------------------------------------------------------

/// Least normal velocity after the step: the rebound of Newton's law, or a landing without a gap. `pushed` is the speed that forces give towards the
/// ground within the step.
static double least_speed(double e, double before, double free, double gap, double h)
{
    const double approach = before < 0.0 ? -before : 0.0, pushed = before > free ? before - free : 0.0;
    if (e * approach > pushed)
        return e * approach;
    return gap > CLOSED ? -2.0 * gap / h : 0.0;
}

/// First tangent along the thread, second across it; any two without a thread.
static void choose_tangents(const RiTouch *t, Contact *c)
{
    const RiVec3 n = c->normal, e = t->thread;
    if (ri_dot(e, e) > 0.0) {
        c->t2 = e;
        c->t1 = ri_cross(e, n);
        return;
    }
    const RiVec3 side = fabs(n.x) < 0.8 ? ri_vec3(1.0, 0.0, 0.0) : ri_vec3(0.0, 1.0, 0.0);
    const RiVec3 a = ri_sub(side, ri_scale(ri_dot(side, n), n));
    c->t1 = ri_scale(1.0 / ri_norm(a), a);
    c->t2 = ri_cross(n, c->t1);
}

static RiStatus too_many(RiSim *s)
{
    return ri_error(s->ctx, RI_ERR_LIMIT,
                    "more than %d contacts close at once at t = %.9g s; exact contact takes no more", s->moreau->limit,
                    s->head->time);
}

/// What the accelerations of the last ri_dyn_mean_power add to a touch's velocity in a unit of time.
static RiVec3 touch_share(const RiSim *s, const RiTouch *t)
{
    const RiContactLink *links = s->contacts->links;
    const RiVec3 share = ri_dyn_point_share(s->d, links[t->slot].link, t->point);
    return t->other < 0 ? share : ri_sub(share, ri_dyn_point_share(s->d, links[t->other].link, t->point));
}

/// The point of contact n on its link, and on the other one.
static void place_contact(RiSim *s, const RiTouch *t)
{
    RiMoreau *x = s->moreau;
    const RiContactLink *links = s->contacts->links;
    x->at[x->n] = (RiPoint){links[t->slot].link, t->point};
    x->contacts[x->n].other = -1;
    if (t->other < 0)
        return;
    x->contacts[x->n].other = links[t->other].link;
    x->seen_of[x->seen] = x->n;
    x->from[x->seen++] = (RiPoint){links[t->other].link, t->point};
}

/// The contact at hand is a wheel's on soil: it slips by its law inside of the cone.
static void give_way(RiMoreau *x, const RiTouch *t, RiVec3 last, double h)
{
    Contact *c = &x->contacts[x->n];
    const RiMoreauSlip slip = ri_moreau_slip(t, last, c->t1, c->t2, h);
    x->mu[x->n] = fmin(ROUGHEST, slip.friction);
    memcpy(c->D, slip.D, sizeof c->D);
    c->u[1] += slip.offset[0], c->u[2] += slip.offset[1];
}

/// Adds a touch to the problem.
static RiStatus add_touch(RiSim *s, int i, double h)
{
    RiMoreau *x = s->moreau;
    const RiTouch *t = &s->touch.touches[i];
    if (x->n == x->limit)
        return too_many(s);
    Contact *c = &x->contacts[x->n];
    *c = (Contact){.touch = i, .stop = -1, .gap = -t->depth, .normal = t->normal};
    choose_tangents(t, c);
    const RiVec3 free = x->free[i], from = x->guess[i];
    c->u[0] = ri_dot(free, c->normal), c->u[1] = ri_dot(free, c->t1), c->u[2] = ri_dot(free, c->t2);
    c->bound = least_speed(t->pair->restitution, ri_dot(t->v, t->normal), c->u[0], c->gap, h);
    const RiVec3 slip = ri_sub(t->v, ri_scale(ri_dot(t->v, t->normal), t->normal));
    const double pressing = t->fresh ? 0.0 : ri_dot(x->reaction[t->state], t->normal) / h;
    x->mu[x->n] = fmin(ROUGHEST, ri_pair_friction(t->pair, ri_norm(slip)));
    x->across[x->n] = ri_touch_anisotropy(t, pressing, slip);
    place_contact(s, t);
    if (t->roll.soil)
        give_way(x, t, x->reaction[t->state], h);
    double *r = x->r + 3 * x->n++;
    r[0] = fmax(0.0, ri_dot(from, c->normal)), r[1] = ri_dot(from, c->t1), r[2] = ri_dot(from, c->t2);
    return RI_OK;
}

/// Adds a stop as a contact without friction: its row of the Jacobian is that of one spanning coordinate.
static RiStatus add_stop(RiSim *s, int stop, double gap, double u, double bound)
{
    RiMoreau *x = s->moreau;
    if (x->n == x->limit)
        return too_many(s);
    const int k = x->n - x->points;
    double *row = x->rows + k * s->m->nv, *column = x->columns + k * s->m->nv;
    x->contacts[x->n] = (Contact){.touch = -1, .stop = stop, .gap = gap, .bound = bound, .u = {u, 0.0, 0.0}};
    memset(s->tau_s, 0, (size_t)s->m->ns * sizeof *s->tau_s);
    s->tau_s[x->stops[stop].s] = x->stops[stop].sign;
    ri_dyn_map_efforts(s->d, s->tau_s, row);
    memcpy(column, row, (size_t)s->m->nv * sizeof *row);
    x->mu[x->n] = 0.0;
    x->across[x->n] = 1.0;
    double *r = x->r + 3 * x->n++;
    r[0] = fmax(0.0, x->stop_force[stop]), r[1] = r[2] = 0.0;
    return RI_OK;
}

static double stop_gap(const RiSim *s, int i)
{
    const Stop *p = &s->moreau->stops[i];
    return p->sign * (s->d->jq[p->sq] - p->limit);
}

/// Velocity of a stop after the step with the accelerations in accel_s.
static double stop_after(const RiSim *s, int i, double h)
{
    const Stop *p = &s->moreau->stops[i];
    return p->sign * (s->d->js[p->s] + h * (s->accel_s[p->s] - s->d->jg[p->s]));
}

/// Touches and stops that the free motion closes in this step. After ri_dyn_mean_power of the free accelerations.
static void mark_closing(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        x->free[i] = ri_add(t->v, ri_scale(h, touch_share(s, t)));
        x->guess[i] = t->fresh ? ri_vec3(0.0, 0.0, 0.0) : x->reaction[t->state];
        x->closing[i] = -t->depth + 0.5 * h * ri_dot(x->free[i], t->normal) <= 0.0;
    }
    for (int i = 0; i < x->stop_count; i++) {
        x->stop_free[i] = stop_after(s, i, h);
        x->closing[s->touch_count + i] = stop_gap(s, i) + 0.5 * h * x->stop_free[i] <= 0.0;
    }
}

/// Touches and stops that the reactions of the others would close: box by box a blow goes through a stack. Whether there are any. After ri_dyn_mean_power of
/// the accelerations.
static bool mark_more(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    bool any = false;
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        const double after = ri_dot(ri_add(t->v, ri_scale(h, touch_share(s, t))), t->normal);
        if (!x->closing[i] && -t->depth + 0.5 * h * after < -TOO_DEEP)
            any = x->closing[i] = true;
    }
    for (int i = 0; i < x->stop_count; i++)
        if (!x->closing[s->touch_count + i] && stop_gap(s, i) + 0.5 * h * stop_after(s, i, h) < -TOO_DEEP)
            any = x->closing[s->touch_count + i] = true;
    return any;
}

/// The problem of all that was marked.
static RiStatus gather(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    x->n = x->seen = 0;
    for (int i = 0; i < s->touch_count; i++)
        if (x->closing[i])
            RI_TRY(add_touch(s, i, h));
    x->points = x->n;
    for (int i = 0; i < x->stop_count; i++) {
        const double gap = stop_gap(s, i), before = x->stops[i].sign * s->d->js[x->stops[i].s];
        if (x->closing[s->touch_count + i])
            RI_TRY(add_stop(s, i, gap, x->stop_free[i], least_speed(0.0, before, x->stop_free[i], gap, h)));
    }
    return RI_OK;
}

/// Block (i, j) of W from world axes to those of the contacts.
static void turn_block(const RiMoreau *x, int i, int j, double *W)
{
    const size_t m = 3 * (size_t)x->points, n = 3 * (size_t)x->n;
    const Contact *a = &x->contacts[i], *b = &x->contacts[j];
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
        const Contact *c = &x->contacts[j];
        const RiVec3 v = touch_share(s, &s->touch.touches[c->touch]);
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

/// W of all contacts, divided by the mean of its diagonal: reactions are then velocities as q is, and one tolerance suits grams and tons.
static RiStatus assemble(RiSim *s)
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
    return RI_OK;
}

static RiConeProblem problem_of(const RiMoreau *x)
{
    return (RiConeProblem){.n = x->n, .W = x->W, .q = x->q, .mu = x->mu, .across = x->across};
}

/// From the reactions at hand, and if that does not do, from nothing.
static bool try_cones(RiMoreau *x, double tolerance)
{
    const RiConeProblem p = problem_of(x);
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
static RiStatus solve(RiSim *s)
{
    RiMoreau *x = s->moreau;
    if (try_cones(x, s->options.cone_tolerance))
        return RI_OK;
    ri_sim_report_validity(s, x->not_converged);
    if (!(x->result.residual <= USELESS))
        return ri_error(
            s->ctx, RI_ERR_NUMERIC,
            "the contact problem of the step at t = %.9g s with %d contacts has no usable solution: %s (%s)",
            s->head->time, x->n, ri_cone_end_name(x->result.end), x->result.reason);
    return RI_OK;
}

/// Reactions to SI units.
static void unscale(RiMoreau *x)
{
    for (int i = 0; i < 3 * x->n; i++)
        x->r[i] /= x->scale;
}

static RiVec3 in_world(const Contact *c, const double *r)
{
    return ri_add(ri_scale(r[0], c->normal), ri_add(ri_scale(r[1], c->t1), ri_scale(r[2], c->t2)));
}

/// Puts reactions on the robot: wrenches, and efforts of stops added to tau. Reactions times `factor` are forces.
static void put_reactions(RiSim *s, double factor)
{
    RiMoreau *x = s->moreau;
    const RiVec3 none = {0.0, 0.0, 0.0};
    for (int i = 0; i < x->points; i++) {
        const RiVec3 force = ri_scale(factor, in_world(&x->contacts[i], x->r + 3 * i));
        ri_dyn_add_wrench(s->d, x->at[i].link, force, none, x->at[i].point_W);
        if (x->contacts[i].other >= 0)
            ri_dyn_add_wrench(s->d, x->contacts[i].other, ri_scale(-1.0, force), none, x->at[i].point_W);
    }
    for (int i = x->points; i < x->n; i++)
        for (int k = 0; k < s->m->nv; k++)
            s->tau[k] += factor * x->r[3 * i] * x->rows[(i - x->points) * s->m->nv + k];
}

void ri_sim_apply_reactions(RiSim *s)
{
    const RiVec3 none = {0.0, 0.0, 0.0};
    for (int i = 0; s->moreau && i < s->touch_info_count; i++) {
        const RiTouchInfo *t = &s->touch_info[i];
        ri_dyn_add_wrench(s->d, t->link, t->force, none, t->point);
        if (t->other >= 0)
            ri_dyn_add_wrench(s->d, t->other, ri_scale(-1.0, t->force), none, t->point);
    }
}

// --- projection -----------------------------------------------------------------------------------------------------------

/// Deepest penetration at new_q, stops included.
static double deepest(const RiSim *s)
{
    double most = 0.0;
    for (int i = 0; i < s->touch_count; i++)
        most = fmax(most, s->touch.touches[i].depth);
    for (int i = 0; i < s->moreau->stop_count; i++)
        most = fmax(most, -stop_gap(s, i));
    return most;
}

/// Contacts that are in the ground or so near that a move may bring them there, as a problem without friction; gaps in units of `depth`,
/// of which `over` are to be left open.
static RiStatus gather_deep(RiSim *s, double depth, double near, double over)
{
    RiMoreau *x = s->moreau;
    x->n = x->seen = 0;
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        if (t->depth < -near)
            continue;
        if (x->n == x->limit)
            return too_many(s);
        Contact *c = &x->contacts[x->n];
        *c = (Contact){.touch = i, .stop = -1, .normal = t->normal, .u = {-t->depth / depth, 0.0, 0.0}, .bound = over};
        choose_tangents(t, c);
        place_contact(s, t);
        x->mu[x->n] = 0.0;
        x->across[x->n++] = 1.0;
    }
    x->points = x->n;
    for (int i = 0; i < x->stop_count; i++) {
        const double gap = stop_gap(s, i);
        if (gap <= near)
            RI_TRY(add_stop(s, i, gap, gap / depth, over));
    }
    memset(x->r, 0, 3 * (size_t)x->n * sizeof *x->r);
    return RI_OK;
}

/// Free velocities of the problem; returns their size.
static double set_free_velocities(RiMoreau *x)
{
    double sum = 0.0;
    for (int i = 0; i < x->n; i++) {
        x->q[3 * i] = x->contacts[i].u[0] - x->contacts[i].bound;
        x->q[3 * i + 1] = x->contacts[i].u[1];
        x->q[3 * i + 2] = x->contacts[i].u[2];
        for (int k = 0; k < 3; k++)
            sum += x->q[3 * i + k] * x->q[3 * i + k];
    }
    return sqrt(sum);
}

/// One move of positions: the least one, measured by the mass matrix, that takes all contacts out of the ground. *moved is false if there is none.
static RiStatus move_out(RiSim *s, double depth, double near, double over, bool *moved)
{
    RiMoreau *x = s->moreau;
    const RiVec3 gravity = ri_dyn_gravity(s->d);
    RI_TRY(gather_deep(s, depth, near, over));
    const double size = set_free_velocities(x); // residuals are relative to it: open gaps must not hide a depth
    RI_TRY(assemble(s));
    *moved = try_cones(x, MOVED / size) || x->result.residual * size <= OF_USE;
    if (!*moved)
        return RI_OK;
    unscale(x);
    ri_dyn_update_velocity(s->d, x->rest);
    ri_dyn_set_gravity(s->d, ri_vec3(0.0, 0.0, 0.0));
    ri_dyn_clear_wrenches(s->d);
    memset(s->tau, 0, (size_t)s->m->nv * sizeof *s->tau);
    put_reactions(s, depth);
    const RiStatus status = ri_dyn_forward(s->d, s->tau, x->moved);
    ri_dyn_set_gravity(s->d, gravity);
    RI_TRY(status);
    ri_model_integrate(s->m, s->new_q, x->moved, 1.0, s->new_q);
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    ri_sim_find_contacts(s);
    return RI_OK;
}

/// new_q out of the ground; d and the touches stand there afterwards.
static RiStatus project(RiSim *s)
{
    RiMoreau *x = s->moreau;
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    ri_dyn_update_velocity(s->d, s->new_v);
    ri_sim_find_contacts(s);
    double depth = deepest(s);
    x->out[OUT_PROJECTED] = depth > TOO_DEEP ? depth : 0.0;
    if (depth <= TOO_DEEP)
        return RI_OK;
    ri_dyn_clear_body_extra(s->d);
    const double near = NEAR * depth;
    bool moved = true;
    for (int k = 0; k < PROJECTIONS && moved && depth > TOO_DEEP; k++) {
        RI_TRY(move_out(s, depth, near, k > 0 ? FURTHER : 0.0, &moved));
        depth = deepest(s);
    }
    if (depth > CLOSED)
        ri_sim_report_validity(s, x->too_deep);
    ri_dyn_update_velocity(s->d, s->new_v);
    ri_sim_find_contacts(s);
    return RI_OK;
}

// --- after the solution ---------------------------------------------------------------------------------------------------

/// Reactions to keep, and the touches as they are reported.
static void report(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    const int places = s->contacts ? s->contacts->state_count : 0;
    for (int i = 0; i < places; i++)
        x->info_of[i] = -1;
    memset(x->stop_force, 0, (size_t)x->stop_count * sizeof *x->stop_force);
    s->touch_info_count = 0;
    for (int i = 0; i < x->points; i++) {
        const double *r = x->r + 3 * i, *u = x->u + 3 * i;
        if (r[0] <= 0.0)
            continue;
        const Contact *c = &x->contacts[i];
        const RiTouch *t = &s->touch.touches[c->touch];
        const RiVec3 p = in_world(c, r);
        x->info_of[t->state] = s->touch_info_count;
        s->touch_of[s->touch_info_count] = c->touch;
        s->held_normal[t->state] = t->normal;
        x->reaction[t->state] = p;
        s->touch_info[s->touch_info_count++] =
            (RiTouchInfo){.feature = t->feature,
                          .link = x->at[i].link,
                          .other = c->other,
                          .hull = t->solid,
                          .other_hull = t->other_solid,
                          .point = t->point,
                          .normal = t->normal,
                          .pressing = r[0] / h,
                          .force = ri_scale(1.0 / h, p),
                          .slip = ri_add(ri_scale(u[1], c->t1), ri_scale(u[2], c->t2)),
                          .sliding = ri_cone_contact(r, u, 1e-9) == RI_CONE_SLIDE,
                          .ground = t->ground};
        ri_sim_report_soil(t, r[0] / h, &s->touch_info[s->touch_info_count - 1]);
    }
    for (int i = x->points; i < x->n; i++)
        x->stop_force[x->contacts[i].stop] = x->r[3 * i];
    for (int i = 0; i < places; i++)
        if (x->info_of[i] < 0) {
            ri_sim_forget_place(s, i);
            x->reaction[i] = ri_vec3(0.0, 0.0, 0.0);
        }
    ri_sim_keep_pool(s);
    ri_sim_sum_touches(s);
}

/// Work of the reactions at mean velocities: what impacts and sliding take is lost. After ri_sim_account.
static void account_reactions(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    double work = 0.0;
    for (int i = 0; i < x->points; i++) {
        const RiTouch *t = &s->touch.touches[x->contacts[i].touch];
        const RiVec3 mean = ri_add(t->v, ri_scale(0.5 * h, touch_share(s, t)));
        work += ri_dot(in_world(&x->contacts[i], x->r + 3 * i), mean);
    }
    for (int i = x->points; i < x->n; i++) {
        const Stop *p = &x->stops[x->contacts[i].stop];
        const double mean = s->d->js[p->s] + 0.5 * h * (s->accel_s[p->s] - s->d->jg[p->s]);
        work += x->r[3 * i] * p->sign * mean;
    }
    s->head->dissipated -= work;
}

static void deepen(RiSim *s, int slot, double depth)
{
    double *sum = s->contact_out + slot * RI_CONTACT_COUNT;
    sum[RI_CONTACT_DEPTH] = fmax(sum[RI_CONTACT_DEPTH], depth);
}

/// Depths at the step's end for the reported touches and in their sums.
static void report_depths(RiSim *s)
{
    double *all = s->contacts ? s->contact_out + s->contacts->slot_count * RI_CONTACT_COUNT : NULL;
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        const int at = s->moreau->info_of[t->state];
        if (at < 0 || t->depth <= 0.0)
            continue;
        s->touch_info[at].depth = fmax(s->touch_info[at].depth, t->depth);
        deepen(s, t->slot, t->depth);
        if (t->other >= 0)
            deepen(s, t->other, t->depth);
        all[RI_CONTACT_DEPTH] = fmax(all[RI_CONTACT_DEPTH], t->depth);
    }
}

// --- the step -------------------------------------------------------------------------------------------------------------

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
    set_free_velocities(x);
    RI_TRY(assemble(s));
    const RiConeProblem p = problem_of(x);
    if (s->cone_fn)
        RI_TRY(s->cone_fn(s->cone_user, s->head->time, &p));
    RI_TRY(solve(s));
    unscale(x);
    for (int i = 0; i < x->points; i++)
        x->guess[x->contacts[i].touch] = in_world(&x->contacts[i], x->r + 3 * i);
    put_reactions(s, 1.0 / h);
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
        mark_closing(s, h);
        RI_TRY(gather(s, h));
    }
    for (int round = 0; x->n > 0; round++) {
        RI_TRY(react(s, h));
        if (round == ROUNDS || !mark_more(s, h))
            break;
        put_reactions(s, -1.0 / h); // off again
        RI_TRY(gather(s, h));
    }
    x->out[OUT_CONTACTS] = x->n;
    x->out[OUT_ITERATIONS] = x->result.iterations;
    x->out[OUT_RESIDUAL] = x->result.residual;
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

RiStatus ri_sim_step_moreau(RiSim *s, double h)
{
    const double theta = s->options.theta;
    const RiSlopes by = {(theta - 0.5) * h, theta * theta * h * h, h};
    s->found = false;
    RI_TRY(go_half(s, h));
    load_joints(s, by);
    ri_sim_apply_springs(s, by);
    ri_sim_apply_soil(s, h);
    ri_moreau_put_drags(s, s->moreau->reaction, h);
    ri_dyn_set_joint_extra(s->d, s->load.extra);
    const RiStatus status = solve_motion(s, h);
    ri_dyn_set_joint_extra(s->d, NULL);
    RI_TRY(status);
    ri_sim_span_acceleration(s);
    go_on(s, h);
    RI_TRY(ri_sim_finish_soil(s, h));
    ri_sim_account(s, h, by);
    account_reactions(s, h);
    ri_moreau_book_drags(s, s->moreau->reaction, h);
    if (s->contacts)
        report(s, h);
    RI_TRY(project(s));
    report_depths(s);
    s->fresh = s->found = true;
    return RI_OK;
}

// --- for located impacts --------------------------------------------------------------------------------------------------

RiStatus ri_moreau_react(RiSim *s, const RiMoreauTouch *list, int count, double h)
{
    RiMoreau *x = s->moreau;
    if (count > x->limit)
        return too_many(s);
    x->n = x->points = count;
    x->seen = 0; // they are the ground's
    for (int i = 0; i < count; i++) {
        const RiTouch *t = &s->touch.touches[list[i].touch];
        Contact *c = &x->contacts[i];
        *c = (Contact){.touch = list[i].touch, .stop = -1, .other = -1, .normal = t->normal, .bound = list[i].bound};
        choose_tangents(t, c);
        c->u[0] = list[i].normal_rate, c->u[1] = ri_dot(list[i].rate, c->t1), c->u[2] = ri_dot(list[i].rate, c->t2);
        const RiVec3 slip = ri_sub(t->v, ri_scale(ri_dot(t->v, t->normal), t->normal));
        x->mu[i] = fmin(ROUGHEST, ri_pair_friction(t->pair, ri_norm(slip)));
        x->across[i] = ri_touch_anisotropy(t, ri_dot(x->reaction[t->state], t->normal) / s->options.tick, slip);
        x->at[i] = (RiPoint){s->contacts->links[t->slot].link, t->point};
        const RiVec3 last = ri_scale(h / s->options.tick, x->reaction[t->state]);
        double *r = x->r + 3 * i;
        r[0] = fmax(0.0, ri_dot(last, c->normal)), r[1] = ri_dot(last, c->t1), r[2] = ri_dot(last, c->t2);
    }
    set_free_velocities(x);
    RI_TRY(assemble(s));
    RI_TRY(solve(s));
    unscale(x);
    return RI_OK;
}

void ri_moreau_put(RiSim *s, double factor)
{
    put_reactions(s, factor);
}

RiStatus ri_moreau_bump(RiSim *s, double *v)
{
    RiMoreau *x = s->moreau;
    const RiVec3 gravity = ri_dyn_gravity(s->d);
    ri_dyn_update_velocity(s->d, x->rest);
    ri_dyn_set_gravity(s->d, ri_vec3(0.0, 0.0, 0.0));
    ri_dyn_clear_wrenches(s->d);
    memset(s->tau, 0, (size_t)s->m->nv * sizeof *s->tau);
    put_reactions(s, 1.0);
    const RiStatus status = ri_dyn_forward(s->d, s->tau, x->moved);
    ri_dyn_set_gravity(s->d, gravity);
    RI_TRY(status);
    for (int k = 0; k < s->m->nv; k++)
        v[k] += x->moved[k];
    return RI_OK;
}

void ri_moreau_forget(RiSim *s)
{
    s->moreau->n = s->moreau->points = 0;
    s->moreau->result = (RiConeResult){.end = RI_CONE_SOLVED};
}

RiStatus ri_moreau_finish(RiSim *s, double h)
{
    RiMoreau *x = s->moreau;
    for (int i = 0; i < 3 * x->n; i++)
        x->r[i] *= h; // impulses of a step, as reports and the next guess want them
    x->out[OUT_CONTACTS] = x->n;
    x->out[OUT_ITERATIONS] = x->result.iterations;
    x->out[OUT_RESIDUAL] = x->result.residual;
    if (s->contacts)
        report(s, h);
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->new_v, s->v, (size_t)s->m->nv * sizeof *s->v);
    RI_TRY(project(s));
    report_depths(s);
    s->fresh = s->found = true;
    return RI_OK;
}

bool ri_moreau_nears_stop(const RiSim *s, double h)
{
    const RiMoreau *x = s->moreau;
    for (int i = 0; i < x->stop_count; i++) {
        const Stop *p = &x->stops[i];
        const double gap = p->sign * (s->d->jq[p->sq] - p->limit), speed = -p->sign * s->d->js[p->s];
        if (gap <= CLOSED + 2.0 * h * fmax(0.0, speed))
            return true;
    }
    return false;
}
