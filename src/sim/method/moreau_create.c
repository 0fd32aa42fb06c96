// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact contact: workspace, part of the state block, named values.
///
/// The reactions are in the state block, so a warm start is the same after a resume.
#include "sim/method/moreau.h"

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
            x->stops[x->stop_count++] = (RiMoreauStop){b->s, b->sq, j->lower, 1.0, j->stop_restitution};
        if (isfinite(j->upper))
            x->stops[x->stop_count++] = (RiMoreauStop){b->s, b->sq, j->upper, -1.0, j->stop_restitution};
    }
    return RI_OK;
}

/// Soil is a law of wheels on the ground: hulls do not meet by it.
static RiStatus check_hulls(RiSim *s)
{
    const RiContacts *c = s->contacts;
    char hard[RI_LAW_LIST_ROOM];
    ri_law_list_hard(hard);
    for (int i = 0; c && c->law_of && i < c->solid_count * c->solid_count; i++)
        if (c->law_of[i] >= 0 && ri_laws[c->pairs[c->law_of[i]].law].rolls)
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "integrator moreau: hulls '%s' and '%s' meet by law %s, which is for wheels on the "
                            "ground; exact contact between links takes %s",
                            c->solids[i / c->solid_count].name, c->solids[i % c->solid_count].name,
                            ri_law_name(c->pairs[c->law_of[i]].law), hard);
    return RI_OK;
}

static RiStatus allocate(RiSim *s, RiMoreau *x)
{
    const int places = s->contacts ? s->contacts->state_count : 0;
    const int between = s->contacts ? RI_MEETS * s->contacts->pair_room : 0;
    x->limit = places + x->stop_count < s->options.most_contacts ? places + x->stop_count : s->options.most_contacts;
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

RiStatus ri_moreau_create(RiSim *s)
{
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
    RI_TRY(ri_sim_add_validity(s, "contact.rebound_lessened",
                               "restitution and friction would have given energy to an impact: it rebounds less",
                               &x->lessened));
    RI_TRY(ri_sim_add_validity(s, "contact.energy_gain",
                               "lifting the robot out of the ground put in more than 1 % of the energy turned over: "
                               "touches were missed or came too fast for the tick; do not trust the run",
                               &x->gains));
    RI_TRY(ri_sim_add_validity(s, "contact.started_inside",
                               "the robot started in the ground and was lifted out of it before the first tick",
                               &x->inside));
    RI_TRY(ri_sim_add_validity(s, "contact.friction_capped", "friction above 1000 counts as 1000", &x->too_rough));
    return allocate(s, x);
}

void ri_moreau_destroy(RiSim *s)
{
    if (s->moreau)
        ri_cone_solver_destroy(s->moreau->solver);
}

void ri_moreau_lay_out(RiSim *s, char *block, size_t *at)
{
    RiMoreau *x = s->moreau;
    const size_t places = s->contacts ? (size_t)s->contacts->state_count : 0;
    x->reaction = ri_carve(block, at, places, sizeof *x->reaction);
    x->stop_force = ri_carve(block, at, (size_t)x->stop_count, sizeof *x->stop_force);
    x->out = ri_carve(block, at, RI_MOREAU_OUT_COUNT, sizeof *x->out);
}

RiStatus ri_moreau_name(RiSim *s)
{
    static const char *const names[RI_MOREAU_OUT_COUNT] = {"contact.problem.contacts", "contact.problem.iterations",
                                                           "contact.problem.residual", "contact.problem.projected",
                                                           "contact.problem.lifted"};
    static const char *const docs[RI_MOREAU_OUT_COUNT] = {
        "contacts of the last step's problem", "iterations of its solution", "natural-map residual of its solution",
        "deepest penetration that the projection took out in the last step",
        "energy that projections have put in since the start"};
    for (int i = 0; i < RI_MOREAU_OUT_COUNT; i++) {
        RiValue v = ri_value_default();
        v.name = names[i];
        v.unit = i == RI_MOREAU_OUT_PROJECTED ? "m" : i == RI_MOREAU_OUT_LIFTED ? "J" : "";
        v.doc = docs[i];
        v.kind = RI_VALUE_OUTPUT;
        v.at = s->moreau->out + i;
        v.writable = false;
        RI_TRY(ri_values_add(s->values, &v));
    }
    return RI_OK;
}
