// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact with impacts located in time: smooth phases (moreau_phase.c), events where a gap
/// closes or sliding ends, impacts.
///
///     impact:  u+ = W p + u-,   u+_N >= e |u-_N| _|_ p_N >= 0,  p in the cone against u+_T
///
/// Contacts are touches with the ground, touches of two links, and stops of joints. Those of a
/// phase are the ones that are closed at its beginning and do not part; they stick, roll or slide.
///
/// What it does not do is left to the time stepping of step_moreau.c for the rest of the tick, and
/// counted: impacts and phases that come too fast to be told apart (the end of a Zeno sequence),
/// sliding contacts without a solution (Painleve), faces of links whose points change, and servos
/// too stiff for an explicit method. Soft soil is refused.
///
/// Theory: docs/theory/moreau.md. Tests: tests/sim/test_events.c, test_events_links.c.
#include <string.h>

#include "sim/method/moreau_events.h"

/// As RI_EVENT_CLOSED and RI_EVENT_REST for contacts that were closed before: what a phase of
/// fourth order drifts by is not a flight. Half of a gap beyond the second is taken back in a step.
static const double HELD = 1e-6, SHUT = 5e-9;
/// A contact that time stepping has closed rests up to so many times the tick, and is closed up to
/// as many times its square [m/s^2]: its velocity is right in the middle of a step, not at its end.
static const double STEPPED = 10.0;
/// What is faster than so many times rest slides.
static const double SLIDING = 10.0;
/// Part of the energy that a phase turns over which may be missing in its books, and of all energy.
static const double UNSOUND = 1e-6, ROUNDING = 1e-12;
/// More impacts, or phases, than this within a step are not told apart.
enum { MOST_IMPACTS = 40, MOST_PHASES = 100 };
/// After phases that did not succeed so many ticks go by time stepping at most, before one is tried
/// again.
static const double LONGEST_WAIT = 63.0;

enum { OUT_IMPACTS, OUT_LAST, OUT_STEPPED, OUT_COUNT };

// --- life ----------------------------------------------------------------------------------------

static RiStatus refuse_rolling(const RiSim *s, const RiFeature *f, const RiPairDef *p)
{
    char hard[RI_LAW_LIST_ROOM];
    ri_law_list_hard(hard);
    return ri_error(s->ctx, RI_ERR_ARGUMENT,
                    "contact.events: feature '%s' meets the ground by law %s, under which wheels always slip; "
                    "impacts are located for %s. Leave `events` out",
                    f->name, ri_law_name(p->law), hard);
}

RiStatus ri_events_create(RiSim *s)
{
    if (s->options.events == 0.0)
        return RI_OK;
    if (s->soil)
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "contact.events: impacts are located on hard ground only; wheels or screws of this scene are on soft soil. "
            "Leave `events` out");
    const RiContacts *c = s->contacts;
    for (int i = 0; c && i < c->feature_count * c->ground_count; i++)
        if (ri_laws[c->pairs[c->pair_of[i]].law].rolls)
            return refuse_rolling(s, &c->features[i / c->ground_count], &c->pairs[c->pair_of[i]]);
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    const size_t places = s->contacts ? (size_t)s->contacts->state_count : 0, stops = (size_t)s->moreau->stop_count;
    RiEvents *e = ri_arena_alloc(&s->arena, 1, sizeof *e);
    double *numbers = ri_arena_alloc(&s->arena, 2 * nq + 3 * nv + 2 * places + 2 * stops + 1, sizeof *numbers);
    bool *closed = ri_arena_alloc(&s->arena, 2 * places + stops + 1, sizeof *closed);
    RiMoreauTouch *list = ri_arena_alloc(&s->arena, places + stops + 1, sizeof *list);
    int *of = ri_arena_alloc(&s->arena, 2 * places + 1, sizeof *of);
    RiVec3 *velocity = ri_arena_alloc(&s->arena, 3 * places + 1, sizeof *velocity);
    if (!e || !numbers || !closed || !list || !of || !velocity)
        return ri_error_memory(s->ctx);
    *e = (RiEvents){.q = numbers,
                    .q1 = numbers + nq,
                    .v = numbers + 2 * nq,
                    .v1 = numbers + 2 * nq + nv,
                    .a1 = numbers + 2 * nq + 2 * nv,
                    .before = numbers + 2 * nq + 3 * nv,
                    .below = numbers + 2 * nq + 3 * nv + places,
                    .stop_left = numbers + 2 * nq + 3 * nv + 2 * places + stops,
                    .places = (int)places,
                    .closed = closed,
                    .slides = closed + places + stops,
                    .list = list,
                    .of = of,
                    .met = of + places,
                    .velocity = velocity,
                    .left_over = velocity + places,
                    .ahead = velocity + 2 * places};
    s->events = e;
    return ri_integrator_create(s->ctx, s->d, &e->integrator);
}

void ri_events_destroy(RiSim *s)
{
    if (s->events)
        ri_integrator_destroy(s->events->integrator);
}

void ri_events_lay_out(RiSim *s, char *block, size_t *at)
{
    RiEvents *e = s->events;
    if (!e)
        return;
    e->out = ri_carve(block, at, OUT_COUNT, sizeof *e->out);
    e->held = ri_carve(block, at, (size_t)e->places + (size_t)s->moreau->stop_count, sizeof *e->held);
    e->wait = ri_carve(block, at, 2, sizeof *e->wait);
}

RiStatus ri_events_name(RiSim *s)
{
    static const char *const names[OUT_COUNT] = {"contact.events.impacts", "contact.events.last",
                                                 "contact.events.stepped"};
    static const char *const docs[OUT_COUNT] = {"impacts located since the start", "time of the last one",
                                                "steps that were left to time stepping, wholly or their ends"};
    for (int i = 0; s->events && i < OUT_COUNT; i++) {
        RiValue v = ri_value_default();
        v.name = names[i];
        v.unit = i == OUT_LAST ? "s" : "";
        v.doc = docs[i];
        v.kind = RI_VALUE_OUTPUT;
        v.at = s->events->out + i;
        v.writable = false;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}

// --- who touches ---------------------------------------------------------------------------------

/// Speed up to which a contact rests, and gap up to which it is closed, by what it was before.
static double rest_of(const RiSim *s, double held)
{
    return held > 1.0 ? STEPPED * s->options.tick : held > 0.0 ? HELD : RI_EVENT_REST;
}
static double shut_of(const RiSim *s, double held)
{
    return held > 1.0 ? STEPPED * s->options.tick * s->options.tick : held > 0.0 ? HELD : RI_EVENT_CLOSED;
}

/// Whether a contact is closed with a gap and a normal velocity; *impact if it approaches. Keeps
/// what there is below zero of others.
static bool judge(RiSim *s, int i, double held, double gap, double u, bool *impact)
{
    RiEvents *e = s->events;
    const double rest = rest_of(s, held), shut = shut_of(s, held);
    e->closed[i] = gap <= shut && u <= rest;
    e->below[i] = fmin(0.0, gap);
    *impact |= e->closed[i] && u < -rest;
    e->closed_count += e->closed[i];
    return e->closed[i];
}

/// A velocity, and half of what a gap is too large, over the length of a phase that is to take them
/// back. `inverse` is 1/length, 0: it has none.
static double rate_back(double u, double gap, double inverse)
{
    return inverse * (u + 0.5 * fmax(0.0, gap - SHUT) * inverse);
}

/// A touch as it is at the beginning of a phase.
static void look_at(RiSim *s, const RiTouch *t, double inverse, bool *impact)
{
    RiEvents *e = s->events;
    const double u = ri_dot(t->v, t->normal), gap = -t->depth, held = t->fresh ? 0.0 : e->held[t->place];
    e->slides[t->place] = false;
    if (!judge(s, t->place, held, gap, u, impact))
        return;
    const RiVec3 slip = ri_sub(t->v, ri_scale(u, t->normal));
    const double speed = ri_norm(slip);
    e->slides[t->place] = speed > SLIDING * (held > 0.0 ? HELD : RI_EVENT_REST);
    e->ahead[t->place] = ri_scale(speed > 0.0 ? 1.0 / speed : 0.0, slip);
    const RiVec3 back = ri_scale(rate_back(u, gap, inverse), t->normal);
    e->left_over[t->place] = e->slides[t->place] ? back : ri_add(back, ri_scale(inverse, slip));
}

/// Chooses the contacts of the phase of length h that begins here. Whether there is an impact
/// first.
static bool look(RiSim *s, double h)
{
    RiEvents *e = s->events;
    const int all = e->places + s->moreau->stop_count;
    const double inverse = h > 0.0 ? 1.0 / h : 0.0;
    bool impact = false;
    memset(e->closed, 0, (size_t)all * sizeof *e->closed);
    memset(e->below, 0, (size_t)all * sizeof *e->below);
    e->closed_count = 0;
    if (s->contacts)
        ri_sim_keep_pool(s);
    for (int i = 0; i < s->touches->count; i++)
        look_at(s, &s->touches->list[i], inverse, &impact);
    for (int i = 0; i < s->moreau->stop_count; i++) {
        const double gap = ri_moreau_stop_gap(s, i), u = ri_moreau_stop_speed(s, i);
        if (judge(s, e->places + i, e->held[e->places + i], gap, u, &impact))
            e->stop_left[i] = rate_back(u, gap, inverse);
    }
    for (int i = 0; i < all; i++)
        e->held[i] = e->closed[i];
    return impact;
}

// --- books ---------------------------------------------------------------------------------------

typedef struct Energies {
    double kinetic, potential;
} Energies;

static Energies energies_now(const RiSim *s)
{
    return (Energies){ri_dyn_kinetic_energy(s->d), ri_dyn_potential_energy(s->d) + ri_sim_potential(s)};
}

/// Whether the energies that a phase of length tau came to are what its forces did, as far as an
/// explicit method of fourth order can tell: stiff servos throw it off within a step.
static bool is_sound(const RiSim *s, Energies from, double tau)
{
    const RiEvents *e = s->events;
    const Energies to = energies_now(s);
    const double gained = to.kinetic - from.kinetic + to.potential - from.potential;
    const double turned =
        to.kinetic + from.kinetic + fabs(to.potential - from.potential) + tau * fabs(e->work) + tau * fabs(e->lost);
    return fabs(gained - tau * (e->work - e->lost)) <=
           UNSOUND * turned + ROUNDING * (fabs(to.potential) + s->head->energy_scale);
}

/// A phase of length tau has come to the current d. What its forces did is what the energies
/// changed by, so that nothing is the method's own; errors of the integration show in the balance.
static void book_phase(RiSim *s, Energies from, double tau)
{
    const Energies to = energies_now(s);
    s->head->work += tau * s->events->work;
    s->head->dissipated += tau * s->events->lost;
    s->head->conservative += from.potential - to.potential;
    s->head->inertial += to.kinetic - from.kinetic;
    const double turned = to.kinetic + fabs(s->head->conservative) + fabs(s->head->work) + s->head->dissipated;
    s->head->energy_scale = fmax(s->head->energy_scale, turned);
}

// --- impacts -------------------------------------------------------------------------------------

/// Least normal velocity after an impact.
static double rebound(double u, double restitution)
{
    return u < -RI_EVENT_REST ? -restitution * u : 0.0;
}

/// Everything that is closed at (q, v), where d is, with its velocity and rebound; what is to
/// leave is held no longer. Returns how many contacts.
static int gather_closed(RiSim *s)
{
    RiEvents *e = s->events;
    const RiMoreau *x = s->moreau;
    int n = 0;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const double u = ri_dot(t->v, t->normal), bound = rebound(u, t->pair->restitution);
        if (-t->depth > RI_EVENT_CLOSED && e->held[t->place] == 0.0)
            continue;
        e->list[n++] = (RiMoreauTouch){.touch = i, .stop = -1, .rate = t->v, .normal_rate = u, .bound = bound};
        e->held[t->place] = bound > 0.0 ? 0.0 : e->held[t->place];
    }
    for (int i = 0; i < x->stop_count; i++) {
        double *held = e->held + e->places + i;
        const double u = ri_moreau_stop_speed(s, i), bound = rebound(u, x->stops[i].restitution);
        if (ri_moreau_stop_gap(s, i) > RI_EVENT_CLOSED && *held == 0.0)
            continue;
        e->list[n++] = (RiMoreauTouch){.touch = -1, .stop = i, .normal_rate = u, .bound = bound};
        *held = bound > 0.0 ? 0.0 : *held;
    }
    return n;
}

/// Newton's impact of everything that is closed at (q, v), where d is: v after it.
static RiStatus impact(RiSim *s)
{
    const double before = ri_dyn_kinetic_energy(s->d);
    const int n = gather_closed(s);
    ri_dyn_clear_body_extra(s->d);
    RI_TRY(ri_moreau_react(s, s->events->list, n, s->options.tick, NULL));
    RI_TRY(ri_moreau_bump(s, s->v));
    RI_TRY(ri_phase_stand_at(s, s->q, s->v));
    const double lost = before - ri_dyn_kinetic_energy(s->d);
    s->head->dissipated += lost;
    s->head->inertial -= lost;
    s->events->out[OUT_IMPACTS] += 1.0;
    return RI_OK;
}

// --- the step ------------------------------------------------------------------------------------

static void take(RiSim *s)
{
    memcpy(s->q, s->new_q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->v, s->new_v, (size_t)s->m->nv * sizeof *s->v);
}

/// The end of a step: reactions there for reports, and positions out of the ground.
static RiStatus finish(RiSim *s, double h)
{
    RiEvents *e = s->events;
    RiFlow flow = {.tau = s->tau};
    look(s, 0.0);
    ri_sim_flow(s, &flow);
    ri_moreau_forget(s);
    if (e->closed_count > 0)
        RI_TRY(ri_phase_add_reactions(s, s->q, s->v, s->tau));
    RI_TRY(ri_dyn_forward(s->d, s->tau, s->a));
    ri_sim_span_acceleration(s);
    return ri_moreau_finish(s, h);
}

/// One phase, from q and v; *left is what remains of the step. False in *out_ours: it did not
/// succeed, and time stepping has to go on.
static RiStatus go_smoothly(RiSim *s, double *left, bool *out_ours)
{
    RiEvents *e = s->events;
    double tau;
    bool event;
    memcpy(e->q, s->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(e->v, s->v, (size_t)s->m->nv * sizeof *s->v);
    const Energies from = energies_now(s);
    const RiStatus status = ri_phase_follow(s, *left, &tau, &event);
    *out_ours = status == RI_OK && !e->astray && is_sound(s, from, tau);
    if (!*out_ours)
        return status == RI_ERR_NUMERIC ? RI_OK : status;
    take(s);
    book_phase(s, from, tau);
    *left = event ? *left - tau : 0.0;
    return RI_OK;
}

/// One impact or phase.
static RiStatus go_on(RiSim *s, double begin, double h, double *left, bool *out_ours)
{
    RiEvents *e = s->events;
    if (!look(s, *left))
        return go_smoothly(s, left, out_ours);
    e->out[OUT_LAST] = begin + h - *left;
    return impact(s);
}

/// The rest of a step by time stepping. Contacts that press then are those that hold.
static RiStatus step(RiSim *s, double left)
{
    RiEvents *e = s->events;
    const RiMoreau *x = s->moreau;
    RI_TRY(ri_moreau_step(s, left));
    e->out[OUT_STEPPED] += 1.0;
    for (int i = 0; i < e->places; i++)
        e->held[i] = ri_dot(x->reaction[i], x->reaction[i]) > 0.0 ? 2.0 : 0.0;
    for (int i = 0; i < x->stop_count; i++)
        e->held[e->places + i] = x->stop_force[i] > 0.0 ? 2.0 : 0.0;
    return RI_OK;
}

/// For how many ticks phases are not tried: longer and longer, as long as they do not succeed.
static void set_wait(RiEvents *e, bool succeeded)
{
    e->wait[1] = succeeded ? 0.0 : fmin(LONGEST_WAIT, 2.0 * e->wait[1] + 1.0);
    e->wait[0] = e->wait[1];
}

RiStatus ri_events_step(RiSim *s, double h)
{
    RiEvents *e = s->events;
    const double begin = s->head->time, impacts = e->out[OUT_IMPACTS];
    double left = h;
    bool ours = true;
    s->stage = RI_STAGE_LOOSE;
    if (e->wait[0] > 0.0) {
        e->wait[0] -= 1.0;
        return step(s, h);
    }
    RI_TRY(ri_phase_stand_at(s, s->q, s->v));
    for (int k = 0; k < MOST_PHASES && left > 0.0 && ours && e->out[OUT_IMPACTS] - impacts < MOST_IMPACTS; k++)
        RI_TRY(go_on(s, begin, h, &left, &ours));
    set_wait(e, ours);
    return left > 0.0 ? step(s, left) : finish(s, h);
}
