// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placement: stages and attempts, and the report.
///
///     guess --FREE--> out of the ground --SETTLE--> touching, still --PRESS--> pressed --HOLD--> under its own weight
///
/// Stages run in simulations of their own with the implicit method: FREE has no contacts, SETTLE
/// has them without friction and gravity, PRESS and HOLD are the world as it is. In PRESS gravity
/// comes on and the joints take over: contact forces that press and balance the weight
/// (place_press.c) ask for efforts tau, and the references follow q + tau / k, so that servos give
/// these efforts where the robot comes to lie. In HOLD the references stay and what still moves is
/// measured. Tests: tests/sim/test_place.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "sim/options.h"
#include "sim/place/place_work.h"

/// Steps of stages without friction over those of the world as it is.
static const double COARSE = 4.0;

const char *ri_place_stage_name(RiPlaceStage stage)
{
    static const char *const names[RI_PLACE_STAGE_COUNT] = {"free", "settle", "press", "hold"};
    return (unsigned)stage < RI_PLACE_STAGE_COUNT ? names[stage] : "unknown";
}

// --- what was asked for --------------------------------------------------------------------------

static RiStatus check_sizes(RiContext *ctx, const RiPlaceDef *d)
{
    static const RiOptionTable *const tables[] = {&ri_place_option_table, &ri_place_attract_option_table,
                                                  &ri_place_hold_option_table};
    const bool round = d->shape == RI_PLACE_HELIX || d->shape == RI_PLACE_CRESCENT;
    const struct {
        const char *name;
        double size;
        bool used;
    } sizes[] = {{"radius", d->radius, round},
                 {"pitch", d->pitch, d->shape == RI_PLACE_HELIX},
                 {"width", d->width, d->shape == RI_PLACE_ZIGZAG}};
    if ((unsigned)d->shape >= RI_PLACE_SHAPE_COUNT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "place: unknown shape %d", (int)d->shape);
    for (int i = 0; i < 3; i++)
        RI_TRY(ri_options_check(ctx, NULL, tables[i], d));
    for (int i = 0; i < 3; i++)
        if (sizes[i].used && sizes[i].size == 0.0)
            return ri_error(ctx, RI_ERR_ARGUMENT, "place: this shape needs a %s above 0", sizes[i].name);
    return RI_OK;
}

/// Whether a link is meant to touch: by name, or because screws or wheels are its features.
static bool is_meant(const RiPlaceWork *p, const RiContactLink *x, bool any_rolls)
{
    const char *name = p->m->links[x->link].name;
    for (int i = 0; i < p->def->touch_count; i++)
        if (ri_glob_match(p->def->touch[i], name))
            return true;
    if (p->def->touch_count)
        return false;
    const char *material = p->contacts->features[x->first].material;
    return !any_rolls || strcmp(material, "screw") == 0 || strcmp(material, "wheel") == 0;
}

/// Module of a link: the bending joint of the chain that moves it, or the link itself off the
/// chain.
static int module_of(const RiPlaceWork *p, int link)
{
    for (int at = link; at >= 0;) {
        const int joint = p->m->links[at].joint;
        for (int i = 0; i < p->chain.count; i++)
            if (p->chain.joints[i].joint == joint && p->chain.joints[i].bend)
                return i;
        at = joint >= 0 ? p->m->joints[joint].parent_link : -1;
    }
    return p->chain.bends ? -1 : p->chain.count + link;
}

/// Numbers the modules from 0 and counts those that are meant to touch.
static void number_modules(RiPlaceWork *p)
{
    RiPlaceReport *r = &p->out->report;
    for (int l = 0; l < r->link_count; l++) {
        const int module = module_of(p, p->links[l].link);
        p->links[l].module = p->module_count;
        for (int k = 0; k < l; k++)
            if (module_of(p, p->links[k].link) == module)
                p->links[l].module = p->links[k].module;
        p->module_count += p->links[l].module == p->module_count;
    }
    for (int m = 0; m < p->module_count; m++) {
        bool meant = false;
        for (int l = 0; l < r->link_count; l++)
            meant |= p->links[l].module == m && p->links[l].meant;
        r->meant += meant;
    }
}

static RiStatus choose_links(RiPlaceWork *p)
{
    const RiContacts *c = p->contacts;
    bool any_rolls = false;
    int features = 0;
    bool *meant = ri_arena_alloc(p->arena, (size_t)c->feature_count + 1, sizeof *meant);
    p->links = ri_arena_alloc(p->arena, (size_t)c->link_count + 1, sizeof *p->links);
    if (!meant || !p->links)
        return ri_error_memory(p->ctx);
    for (int i = 0; i < c->feature_count; i++)
        any_rolls |= strcmp(c->features[i].material, "screw") == 0 || strcmp(c->features[i].material, "wheel") == 0;
    for (int l = 0; l < c->link_count; l++) {
        p->links[l] = (RiPlaceLink){.link = c->links[l].link, .meant = is_meant(p, &c->links[l], any_rolls)};
        for (int i = 0; i < c->links[l].count && p->links[l].meant; i++, features++)
            meant[c->links[l].first + i] = true;
    }
    p->out->report.links = p->links;
    p->out->report.link_count = c->link_count;
    p->puller.meant = meant;
    number_modules(p);
    if (!features)
        return ri_error(p->ctx, RI_ERR_ARGUMENT, "placement: no link that can touch the ground is meant to touch it");
    p->share = p->mass / features;
    return RI_OK;
}

/// The contacts of SETTLE: as they are, without friction.
static RiStatus make_smooth(RiPlaceWork *p)
{
    p->smooth = *p->contacts;
    p->smooth.pairs = ri_arena_alloc(p->arena, (size_t)p->contacts->pair_count, sizeof *p->smooth.pairs);
    if (!p->smooth.pairs)
        return ri_error_memory(p->ctx);
    for (int i = 0; i < p->contacts->pair_count; i++) {
        RiPairDef *x = &p->smooth.pairs[i];
        *x = p->contacts->pairs[i];
        p->stiffest = fmax(p->stiffest, x->stiffness);
        x->law = RI_LAW_COULOMB;
        x->friction = x->friction_static = x->viscous = x->stick_stiffness = 0.0;
    }
    return RI_OK;
}

static RiStatus make_press(RiPlaceWork *p)
{
    const size_t n = (size_t)p->contacts->feature_count + 1;
    RiPress *x = &p->press;
    x->point = ri_arena_alloc(p->arena, n, sizeof *x->point);
    x->normal = ri_arena_alloc(p->arena, n, sizeof *x->normal);
    x->force = ri_arena_alloc(p->arena, n, sizeof *x->force);
    x->thread = ri_arena_alloc(p->arena, n, sizeof *x->thread);
    x->pair = ri_arena_alloc(p->arena, n, sizeof *x->pair);
    x->use = ri_arena_alloc(p->arena, n, sizeof *x->use);
    x->feature = ri_arena_alloc(p->arena, n, sizeof *x->feature);
    x->in = ri_arena_alloc(p->arena, n, sizeof *x->in);
    x->target = ri_arena_alloc(p->arena, n, sizeof *x->target);
    p->extra = ri_arena_alloc(p->arena, n, sizeof *p->extra);
    return p->extra && x->target && x->thread && x->pair && x->use && x->point && x->normal && x->force && x->feature &&
                   x->in
               ? RI_OK
               : ri_error_memory(p->ctx);
}

/// Servos of the hold: those given, else from weight and size.
static void choose_servos(RiPlaceWork *p)
{
    const double k = 50.0 * p->mass * 9.81 * p->chain.segment;
    for (int i = 0; i < p->m->ns; i++) {
        p->hold_k[i] = p->def->servo_stiffness ? p->def->servo_stiffness[i] : k;
        p->hold_d[i] = p->def->servo_damping ? p->def->servo_damping[i] : 0.05 * k;
    }
}

static RiStatus prepare(RiPlaceWork *p, RiSim *sim)
{
    const size_t nq = (size_t)p->m->nq + 1, ns = (size_t)p->m->ns + 1, nv = (size_t)p->m->nv + 1;
    double *x = ri_arena_alloc(p->arena, 4 * nq + 3 * ns + nv, sizeof *x);
    p->tries = ri_arena_alloc(p->arena, RI_PLACE_TRIES, sizeof *p->tries);
    if (!x || !p->tries)
        return ri_error_memory(p->ctx);
    p->guess = x;
    p->q = x + nq;
    p->reference = x + 2 * nq;
    p->hold_k = p->reference + ns;
    p->hold_d = p->hold_k + ns;
    p->tau = p->hold_d + ns;
    p->shape = p->tau + nv;
    p->given = p->shape + nq;
    memcpy(p->guess, sim->q, (size_t)p->m->nq * sizeof *x);
    p->mass = ri_model_mass(p->m);
    RI_TRY(ri_puller_create(p->arena, p->contacts, &p->puller));
    RI_TRY(ri_chain_find(p->arena, p->ctx, p->m, p->contacts, p->guess, &p->chain));
    RI_TRY(choose_links(p));
    RI_TRY(make_smooth(p));
    RI_TRY(make_press(p));
    if (!(p->chain.segment > 0.0))
        p->chain.segment = 1.0;
    choose_servos(p);
    memcpy(p->given, p->guess, (size_t)p->m->nq * sizeof *x);
    RI_TRY(ri_corners_create(p->arena, &p->chain, &p->corners));
    return ri_place_guess(p->ctx, &p->corners, p->m, &p->chain, p->def, p->guess);
}

// --- attempts ------------------------------------------------------------------------------------

static RiStatus open_scratch(const RiPlaceWork *p, const RiContacts *contacts, RiVec3 gravity, const double *reference,
                             RiSim **out_sim)
{
    RiSimOptions o = ri_sim_options_default();
    o.tick = p->h;
    o.substeps = RI_PLACE_LOOK_EVERY;
    o.gravity = gravity;
    o.passes = p->passes;
    RiSim *s;
    RI_TRY(ri_sim_create(p->ctx, p->m, &o, &s));
    RiStatus status = contacts ? ri_sim_set_contacts(s, contacts) : RI_OK;
    if (status == RI_OK)
        status = ri_puller_add_springs(&p->puller, s);
    if (status == RI_OK)
        status = ri_sim_build(s);
    if (status == RI_OK) {
        memcpy(s->q, p->q, (size_t)p->m->nq * sizeof *s->q);
        ri_place_set_servos(p, s, reference);
        status = ri_sim_start(s);
    }
    if (status != RI_OK) {
        ri_sim_destroy(s);
        return status;
    }
    *out_sim = s;
    return RI_OK;
}

/// Opens the simulation of a stage, runs it, closes it.
static RiStatus run_in(RiPlaceWork *p, const RiContacts *contacts, RiVec3 gravity, const double *reference,
                       bool (*run)(RiPlaceWork *p, RiSim *s), bool *out_good)
{
    RiSim *s;
    p->h = RI_PLACE_LOOK_EVERY * fmin(contacts == p->contacts ? p->def->step : COARSE * p->def->step, 0.02);
    RI_TRY(open_scratch(p, contacts, gravity, reference, &s));
    *out_good = run(p, s);
    ri_sim_destroy(s);
    return RI_OK;
}

static RiStatus attempt(RiPlaceWork *p, bool *out_good)
{
    const RiVec3 none = {0.0, 0.0, 0.0};
    p->attempt = &p->tries[p->try_index];
    *p->attempt = (RiPlaceTry){.preload = p->preload, .soft = p->soft};
    p->out->report.try_count = p->try_index + 1;
    memcpy(p->q, p->guess, (size_t)p->m->nq * sizeof *p->q);
    memcpy(p->shape, p->guess, (size_t)p->m->nq * sizeof *p->shape);
    p->forgotten = 0.0;
    p->least = fmax(0.15 * p->mass * ri_norm(p->gravity) / p->out->report.meant, p->def->press);
    RI_TRY(run_in(p, NULL, none, NULL, ri_place_run_free, out_good));
    if (*out_good)
        RI_TRY(run_in(p, &p->smooth, none, NULL, ri_place_run_settle, out_good));
    if (*out_good && p->lies && p->def->hold > 0.0)
        RI_TRY(run_in(p, &p->smooth, none, NULL, ri_place_run_lie, out_good));
    if (*out_good && p->def->hold > 0.0)
        RI_TRY(run_in(p, p->contacts, p->gravity, p->reference, ri_place_run_hold, out_good));
    if (*out_good)
        snprintf(p->attempt->text, sizeof p->attempt->text, "placed");
    return RI_OK;
}

/// The guess of an attempt: the first is the one asked for. The ground between the modules of a
/// chain is not everywhere within their reach, so later ones lie a little further along, turned
/// about themselves, or are a little narrower or wider.
static RiPlaceDef vary(const RiPlaceWork *p, int attempt)
{
    static const double shifts[] = {0.0, 0.0, 0.25, -0.25, 0.5, -0.5, 0.125, -0.125};
    static const double offsets[] = {0.0, 0.0625, 0.75, -0.75};
    static const double sizes[] = {1.0, 1.0, 0.95, 1.05, 0.9, 1.1, 0.97, 1.03};
    RiPlaceDef d = *p->def;
    const int k = attempt % 8;
    const bool upright = d.shape == RI_PLACE_HELIX || d.shape == RI_PLACE_ZIGZAG;
    const double shift = (shifts[k] + offsets[attempt / 8 % 4]) * p->chain.segment;
    const RiVec3 way = ri_rotate(&d.pose.R, upright ? ri_vec3(0.0, 0.0, 1.0) : ri_vec3(1.0, 0.0, 0.0));
    d.pose.p = ri_add(d.pose.p, ri_scale(shift, way));
    if (upright) {
        d.radius *= sizes[k];
        d.width *= sizes[k];
    }
    if (d.shape == RI_PLACE_STRAIGHT) {
        const RiMat3 roll = ri_mat3_axis_angle(ri_vec3(1.0, 0.0, 0.0), 0.25 * M_PI *
                                                                           (attempt % 3 == 1   ? 2
                                                                            : attempt % 3 == 2 ? 1
                                                                                               : 0));
        d.pose.R = ri_mat3_mul(&d.pose.R, &roll);
    }
    return d;
}

/// The guess of the attempt into guess. One that cannot be laid is that asked for.
static RiStatus guess_anew(RiPlaceWork *p)
{
    const RiPlaceDef d = vary(p, p->try_index);
    if (p->def->shape == RI_PLACE_GIVEN || p->try_index == 0)
        return RI_OK;
    memcpy(p->guess, p->given, (size_t)p->m->nq * sizeof *p->guess);
    if (ri_place_guess(p->ctx, &p->corners, p->m, &p->chain, &d, p->guess) == RI_OK)
        return RI_OK;
    return ri_place_guess(p->ctx, &p->corners, p->m, &p->chain, p->def, p->guess);
}

static void conclude(RiPlaceWork *p, bool good)
{
    RiPlaceReport *r = &p->out->report;
    r->placed = good;
    r->tries = p->tries;
    r->q = p->q;
    r->reference = p->reference;
    r->nq = p->m->nq;
    r->ns = p->m->ns;
    r->speed = p->attempt->speed;
    if (good)
        snprintf(r->text, sizeof r->text, "placed: %d of %d modules touch, deepest %.3g mm, creep %.3g mm", r->touching,
                 r->meant, 1e3 * r->penetration, 1e3 * r->creep);
    else
        snprintf(r->text, sizeof r->text, "not placed (shape %s, %d attempt%s, the last ended in stage %s): %s",
                 ri_place_shape_name(p->def->shape), r->try_count, r->try_count == 1 ? "" : "s",
                 ri_place_stage_name(p->attempt->stage), p->attempt->text);
}

static RiStatus place(RiPlaceWork *p, RiSim *sim)
{
    bool good = false;
    RI_TRY(check_sizes(p->ctx, p->def));
    RI_TRY(prepare(p, sim));
    p->out->report.pulls = ri_arena_alloc(p->arena, (size_t)p->contacts->feature_count + 1, sizeof(RiPlacePull));
    if (!p->out->report.pulls)
        return ri_error_memory(p->ctx);
    for (p->try_index = 0; p->try_index < p->def->attempts && !good; p->try_index++) {
        p->preload = p->def->preload * ri_pow(2.0, p->try_index % 3);
        p->soft = p->def->soft * ri_pow(0.25, p->try_index % 3);
        RI_TRY(guess_anew(p));
        RI_TRY(attempt(p, &good));
    }
    conclude(p, good);
    if (!good)
        return RI_OK;
    memcpy(sim->q, p->q, (size_t)p->m->nq * sizeof *p->q);
    memset(sim->v, 0, (size_t)p->m->nv * sizeof *sim->v);
    return RI_OK;
}

RiStatus ri_place(RiSim *sim, const RiPlaceDef *def, RiPlacement **out_placement)
{
    *out_placement = NULL;
    if (!sim->built)
        return ri_error(sim->ctx, RI_ERR_ARGUMENT, "placement comes after ri_sim_build");
    if (!sim->contacts || !sim->contacts->feature_count)
        return ri_error(sim->ctx, RI_ERR_ARGUMENT, "placement needs a terrain and a robot that can touch it");
    RiPlacement *out = ri_alloc_zero(sim->ctx, 1, sizeof *out);
    if (!out)
        return ri_error_memory(sim->ctx);
    out->ctx = sim->ctx;
    ri_arena_init(&out->arena, sim->ctx);
    const RiPlaceDef used = def ? *def : ri_place_def_default();
    RiPlaceWork p = {.out = out,
                     .ctx = sim->ctx,
                     .arena = &out->arena,
                     .m = sim->m,
                     .own = *sim->contacts,
                     .def = &used,
                     .gravity = sim->options.gravity,
                     .passes = sim->options.passes};
    p.own.pairs = sim->touches->laws;
    p.own.uses = sim->touches->uses;
    p.contacts = &p.own;
    const RiStatus status = place(&p, sim);
    if (status != RI_OK) {
        ri_placement_destroy(out);
        return status;
    }
    *out_placement = out;
    return RI_OK;
}

void ri_placement_destroy(RiPlacement *p)
{
    if (!p)
        return;
    RiContext *ctx = p->ctx;
    ri_arena_free(&p->arena);
    ri_release(ctx, p);
}

const RiPlaceReport *ri_placement_report(const RiPlacement *p)
{
    return &p->report;
}
