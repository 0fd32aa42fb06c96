// SPDX-License-Identifier: Apache-2.0
/// \file
/// A step by CVODE: the simulation as an ordinary differential equation, and stop conditions as its
/// roots.
///
///     y = (q, v, work, loss, deflections),   y' = (E(q) G(q) v, M^-1 (tau - bias), powers, rates)
///
/// CVODE is started afresh where something jumped: efforts, servo references, the state,
/// parameters. Elsewhere it goes on with its history, and its steps do not end at ticks. The state
/// block stays all there is to know: it holds where CVODE was started, and a run that comes from a
/// saved state repeats the steps from there (the same bits). See docs/theory/cvode.md.
/// Tests: tests/sim/test_sim.c, tests/sim/test_roots.c, tests/sim/test_history.c.
#include <string.h>

#include "base/hash.h"
#include "sim/force/joints.h"
#include "sim/force/springs.h"
#include "sim/force/touches.h"
#include "sim/method/cvode.h"
#include "sim/schedule.h"

/// CVODE is started afresh after this time at the latest, so that little has to be repeated
/// [s].
static const double LONGEST_HISTORY = 1.0;

RiStatus ri_sim_ode_rates(void *user, double t, const double *y, double *out)
{
    RiSim *s = user;
    const int nq = s->m->nq, nv = s->m->nv;
    (void)t;
    RI_TRY(ri_dyn_update_position(s->d, y));
    ri_dyn_update_velocity(s->d, y + nq);
    ri_dyn_get_qdot(s->d, out);
    RiFlow flow = {.tau = s->tau, .xi = y + nq + nv + 2, .xi_rate = out + nq + nv + 2};
    ri_sim_flow(s, &flow);
    out[nq + nv] = flow.work;
    out[nq + nv + 1] = flow.lost;
    return ri_dyn_forward(s->d, s->tau, out + nq);
}

/// Deflections of contacts, as numbers.
static size_t deflection_count(const RiSim *s)
{
    return s->contacts ? 3 * (size_t)s->contacts->state_count : 0;
}

/// Shows a state on the way to whoever looks at named values: state, outputs and books.
static RiStatus show(RiSim *s, double t, const double *y)
{
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    RI_TRY(ri_sim_ode_rates(s, t, y, s->cvode->y_rate));
    ri_sim_span_acceleration(s);
    memcpy(s->q, y, nq * sizeof *y);
    memcpy(s->v, y + nq, nv * sizeof *y);
    s->head->time = s->cvode->head.time + (t - (double)s->cvode->start->steps * s->cvode->start->h);
    s->head->work = s->cvode->head.work + (y[nq + nv] - s->cvode->books[0]);
    s->head->dissipated = s->cvode->head.dissipated + (y[nq + nv + 1] - s->cvode->books[1]);
    s->stale = RI_OUTPUTS_ALL;
    return RI_OK;
}

/// Stop conditions: 1 where one is true, -1 where not. The root finder halves its interval on such
/// a function, so that any expression can be one, and the time is found to rounding. The state
/// block is as before afterwards.
static RiStatus ode_roots(void *user, double t, const double *y, double *out_g)
{
    RiSim *s = user;
    for (int i = 0; i < s->schedule->stop_count && s->cvode->again; i++)
        out_g[i] = -1.0;
    if (s->cvode->again)
        return RI_OK;
    RiStatus status = show(s, t, y);
    for (int i = 0; i < s->schedule->stop_count && status == RI_OK; i++) {
        double x = 0.0;
        status = ri_formula_eval(s->schedule->stops[i].formula, &x);
        out_g[i] = x != 0.0 ? 1.0 : -1.0;
    }
    *s->head = s->cvode->head;
    memcpy(s->q, s->new_q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->v, s->new_v, (size_t)s->m->nv * sizeof *s->v);
    s->stale = RI_OUTPUTS_ALL;
    return status;
}

/// Length of what CVODE integrates.
static int ode_size(const RiSim *s)
{
    return s->m->nq + s->m->nv + 2 + (int)deflection_count(s);
}

static RiStatus create(RiSim *s)
{
    RiOdeOptions o = ri_ode_options_default();
    o.rtol = s->options.rtol;
    o.atol = s->options.atol;
    const size_t n = (size_t)ode_size(s), stops = (size_t)s->schedule->stop_count;
    s->cvode = ri_arena_alloc(&s->arena, 1, sizeof *s->cvode);
    if (!s->cvode)
        return ri_error_memory(s->ctx);
    int *rising = ri_arena_alloc(&s->arena, stops + 1, sizeof *rising);
    s->cvode->y = ri_arena_alloc(&s->arena, 3 * n, sizeof *s->cvode->y);
    if (!rising || !s->cvode->y)
        return ri_error_memory(s->ctx);
    s->cvode->y_rate = s->cvode->y + n;
    s->cvode->live_from = s->cvode->y + 2 * n;
    s->cvode->n = (int)n;
    for (size_t i = 0; i < stops; i++)
        rising[i] = 1;
    const RiOdeProblem problem = {.n = (int)n,
                                  .rhs = ri_sim_ode_rates,
                                  .prepare = ri_sim_prepare_newton,
                                  .solve = ri_sim_solve_newton,
                                  .root_count = s->schedule->stop_count,
                                  .roots = ode_roots,
                                  .root_directions = rising,
                                  .user = s};
    RI_TRY(ri_sim_create_newton(s));
    return ri_ode_create(s->ctx, &problem, &o, &s->cvode->ode);
}

/// Forces and accelerations where CVODE arrived (after arrive()): what it evaluated last is a
/// trial, not the solution.
static RiStatus settle(RiSim *s)
{
    ri_dyn_update_velocity(s->d, s->new_v);
    s->stage = RI_STAGE_PLACED;
    ri_sim_find(s);
    return ri_sim_accelerate(s);
}

// --- history -------------------------------------------------------------------------------------

/// What acts on the robot and stands still during a step: efforts and servos, gravity, springs,
/// laws of contact, and what tells apart the touches of a circle.
static uint64_t hash_inputs(const RiSim *s)
{
    const char *begin = (const char *)s->joints->effort, *end = (const char *)(s->joints->servo_max + s->m->ns);
    uint64_t h = ri_hash(0, begin, (size_t)(end - begin));
    h = ri_hash(h, &s->options.gravity, sizeof s->options.gravity);
    for (int i = 0; i < s->springs->count; i++) {
        const RiSpringSlot *x = &s->springs->items[i];
        const double numbers[] = {x->point.x,  x->point.y,   x->point.z, x->anchor.x, x->anchor.y,
                                  x->anchor.z, x->stiffness, x->damping, x->length,   x->slack ? 1.0 : 0.0};
        h = ri_hash(h, numbers, sizeof numbers);
    }
    const RiContacts *c = s->contacts;
    if (c)
        h = ri_hash(h, s->touches->laws, (size_t)c->pair_count * sizeof *s->touches->laws);
    if (c && c->uses)
        h = ri_hash(h, s->touches->numbers, (size_t)(c->given + 1) * RI_PLUGIN_OPTIONS * sizeof *s->touches->numbers);
    for (int i = 0; c && i < c->feature_count; i++) {
        const int at = c->state_first[i], places = c->state_first[i + 1] - at;
        if (places > 1)
            h = ri_hash(h, s->touches->held_normal + at, (size_t)places * sizeof *s->touches->held_normal);
    }
    return h;
}

static uint64_t hash_state(const RiSim *s, const double *q, const double *v, const double *xi)
{
    uint64_t h = ri_hash(0, q, (size_t)s->m->nq * sizeof *q);
    h = ri_hash(h, v, (size_t)s->m->nv * sizeof *v);
    return ri_hash(h, xi, deflection_count(s) * sizeof *xi);
}

/// Whether the solution goes on smoothly from the last step.
static bool goes_on(const RiSim *s, double h, uint64_t inputs)
{
    const RiOdeStart *x = s->cvode->start;
    return x->steps > 0 && x->h == h && (double)x->steps * h < LONGEST_HISTORY && x->inputs == inputs && !s->ruts &&
           x->left == hash_state(s, s->q, s->v, s->touches->deflection ? &s->touches->deflection->x : NULL);
}

static bool is_live(const RiSim *s)
{
    const RiOdeStart *x = s->cvode->start, *y = &s->cvode->live;
    return x->steps == y->steps && x->h == y->h && x->inputs == y->inputs && x->left == y->left &&
           memcmp(s->cvode->from, s->cvode->live_from, (size_t)s->cvode->n * sizeof *s->cvode->from) == 0;
}

/// One step of CVODE from number `from`. The first one ends where it is asked to, as something may
/// jump there; later ones may go past it.
static RiStatus go(RiSim *s, double h, long long from, double *out_y, int *out_stop)
{
    const double end = (double)(from + 1) * h;
    return from == 0 ? ri_ode_advance(s->cvode->ode, end, out_y, &s->advanced, out_stop)
                     : ri_ode_pass(s->cvode->ode, end, out_y, &s->advanced, out_stop);
}

/// Where a step arrived, as the state keeps it: quaternions of length one, loops closed.
static RiStatus arrive(RiSim *s, uint64_t *out_left)
{
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    memcpy(s->new_q, s->cvode->y, nq * sizeof *s->cvode->y);
    memcpy(s->new_v, s->cvode->y + nq, nv * sizeof *s->cvode->y);
    ri_model_normalize(s->m, s->new_q);
    RI_TRY(ri_dyn_update_position(s->d, s->new_q));
    ri_dyn_get_q(s->d, s->new_q);
    *out_left = hash_state(s, s->new_q, s->new_v, s->cvode->y + nq + nv + 2);
    return RI_OK;
}

/// Repeats the steps since the last start, to have their history. False if they do not lead
/// here: something changed that no hash knows.
static bool go_again(RiSim *s)
{
    int stop = -1;
    s->trial = s->cvode->again = true;
    RiStatus status = ri_ode_reset(s->cvode->ode, 0.0, s->cvode->from);
    for (long long i = 0; i < s->cvode->start->steps && status == RI_OK; i++)
        status = go(s, s->cvode->start->h, i, s->cvode->y, &stop);
    s->trial = s->cvode->again = false;
    uint64_t left = 0;
    if (status == RI_OK)
        status = arrive(s, &left);
    return status == RI_OK && left == s->cvode->start->left;
}

/// Starts CVODE at the current state.
static RiStatus start(RiSim *s, double h, uint64_t inputs)
{
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    memcpy(s->cvode->y, s->q, nq * sizeof *s->cvode->y);
    memcpy(s->cvode->y + nq, s->v, nv * sizeof *s->cvode->y);
    s->cvode->y[nq + nv] = s->cvode->y[nq + nv + 1] = 0.0;
    if (s->contacts)
        memcpy(s->cvode->y + nq + nv + 2, s->touches->deflection, deflection_count(s) * sizeof *s->cvode->y);
    memcpy(s->cvode->from, s->cvode->y, (size_t)s->cvode->n * sizeof *s->cvode->y);
    *s->cvode->start = (RiOdeStart){.steps = 0, .h = h, .inputs = inputs};
    return ri_ode_reset(s->cvode->ode, 0.0, s->cvode->y);
}

/// Brings CVODE to the current state, with its history if there is one.
static RiStatus prepare(RiSim *s, double h)
{
    const uint64_t inputs = hash_inputs(s);
    const bool on = goes_on(s, h, inputs), live = on && is_live(s);
    s->cvode->live.steps = -1; // until the step is good
    return live || (on && go_again(s)) ? RI_OK : start(s, h, inputs);
}

/// After a step: what the history now belongs to. A stop within a step ends it.
static void remember(RiSim *s, uint64_t left, bool stopped)
{
    s->cvode->start->steps = stopped ? 0 : s->cvode->start->steps + 1;
    s->cvode->start->left = left;
    s->cvode->live = *s->cvode->start;
    memcpy(s->cvode->live_from, s->cvode->from, (size_t)s->cvode->n * sizeof *s->cvode->from);
}

/// To the end of the step, or to where a stop condition becomes true.
static RiStatus run(RiSim *s, double h, double *out_y, int *out_stop)
{
    RiStatus status;
    s->trial = true;
    do // a run that was stopped before goes on through further conditions
        status = go(s, h, s->cvode->start->steps, out_y, out_stop);
    while (status == RI_OK && *out_stop >= 0 && s->head->stopped);
    s->trial = false;
    return status;
}

/// To new_q and new_v, at the end of the step or where a stop condition became true: then
/// head->stopped is set.
static RiStatus step(RiSim *s, double h)
{
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv, books = nq + nv;
    int stop = -1;
    s->stage = RI_STAGE_LOOSE;
    s->cvode->head = *s->head;
    RI_TRY(prepare(s, h));
    memcpy(s->new_q, s->q, nq * sizeof *s->q); // for ode_roots to put back
    memcpy(s->new_v, s->v, nv * sizeof *s->v);
    memcpy(s->cvode->books, s->cvode->y + books, sizeof s->cvode->books);
    RI_TRY(run(s, h, s->cvode->y, &stop));
    s->advanced = stop < 0 ? h : s->advanced - (double)s->cvode->start->steps * h;
    uint64_t left;
    RI_TRY(arrive(s, &left));
    remember(s, left, stop >= 0);
    if (s->contacts)
        memcpy(s->touches->deflection, s->cvode->y + books + 2, deflection_count(s) * sizeof *s->cvode->y);
    s->head->work += s->cvode->y[books] - s->cvode->books[0];
    s->head->dissipated += s->cvode->y[books + 1] - s->cvode->books[1];
    if (stop >= 0)
        s->head->stopped = 1 + stop;
    return settle(s);
}

// --- the row -------------------------------------------------------------------------------------

static RiStatus check(RiContext *ctx, const RiSimOptions *o)
{
    if (o->method == RI_METHOD_CVODE &&
        (!(o->rtol >= 0.0) || !(o->rtol < 1.0) || !(o->atol >= 0.0) || o->rtol + o->atol == 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "tolerances rtol %g and atol %g: both must be at least 0, not both 0, and rtol below 1",
                        o->rtol, o->atol);
    return RI_OK;
}

static void destroy(RiSim *s)
{
    if (s->cvode)
        ri_ode_destroy(s->cvode->ode);
}

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    if (part != RI_BLOCK_MOVING)
        return;
    s->cvode->start = ri_carve(block, at, 1, sizeof *s->cvode->start);
    s->cvode->from = ri_carve(block, at, (size_t)ode_size(s), sizeof *s->cvode->from);
}

#ifdef RILLE_HAVE_CVODE
enum { AVAILABLE = true };
#else
enum { AVAILABLE = false };
#endif

const RiMethodKind ri_method_cvode = {
    .info = {"cvode", "SUNDIALS CVODE (BDF) to a tolerance: the reference", true, AVAILABLE},
    .offers = RI_OFFERS_CONTACT,
    .integrates_loss = true,
    .check = check,
    .create = create,
    .destroy = destroy,
    .lay_out = lay_out,
    .step = step,
};
