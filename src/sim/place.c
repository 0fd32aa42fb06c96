// SPDX-License-Identifier: Apache-2.0
/// \file
/// Placement: stages and attempts, and the report.
///
///     guess --FREE--> out of the ground --SETTLE--> touching, still --PRESS--> pressed --HOLD--> under its own weight
///
/// Stages run in simulations of their own with the implicit method: FREE has no contacts, SETTLE has them without friction and gravity, PRESS
/// and HOLD are the world as it is. In PRESS gravity comes on and the joints take over: contact forces that press and balance the weight
/// (place_press.c) ask for efforts tau, and the references follow q + tau / k, so that servos give these efforts where the robot comes to lie. In HOLD
/// the references stay and what still moves is measured.
/// Tests: tests/sim/test_place.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/place.h"

/// Penetration from which contacts are left to do the rest [m].
static const double SHALLOW = 2e-3;
/// Penetration with which a guess is given up [m].
static const double HOPELESS = 20e-3;
/// Time for which nothing may move, and in which the pull of a module that does not touch grows by e [s].
static const double STILL_FOR = 0.1, GROW = 0.4;
/// Time for which joints may forget the guess [s].
static const double FORGET = 0.8;
/// Share of an actuator's limit that pressing may take.
static const double PRESS_SHARE = 0.7;
/// Pull of features out of the ground against that towards it.
static const double PUSH_OUT = 10.0;
/// Time in which gravity comes on, time constant with which references follow, and time between new efforts [s].
static const double RAMP = 0.4, FOLLOW = 0.1, RENEW = 0.02;
/// Mean upward part of the ground's normals from which a robot lies.
static const double LIES = 0.4;
/// Gap that joints may close when servos have taken over [m], and most time for it [s].
static const double CLOSES = 1e-3, CORRECT = 1.5;
/// Time after which a robot that lies is left to its weight [s].
static const double LIE_AFTER = 1.0;
/// Part of the time of an attempt in which it comes to rest under it.
static const double LIE_FOR = 0.25;
/// Time in which pulls of a limp robot change by e [s], and most that a module is pulled, over its weight.
static const double GIVE = 0.1, INSIST_LIMP = 6.0;
/// Time after which motion is braked whatever touches [s], and most that it is, relative to its usual damping.
static const double BRAKE_AFTER = 2.0, MOST_BRAKE = 1000.0;
/// Most that modules which do not touch are pulled at the ground, over the strength of the pull.
static const double INSIST = 4.0;
/// Steps of stages without friction over those of the world as it is.
static const double COARSE = 4.0;
enum { MOST_TRIES = 32, LOOK_EVERY = 2 }; // steps

struct RiPlacement {
    RiContext *ctx;
    RiArena arena;
    RiPlaceReport report;
};

/// A placement at work.
typedef struct Place {
    RiPlacement *out;
    RiContext *ctx;
    RiArena *arena;
    const RiModel *m;
    const RiContacts *contacts;
    RiContacts own;    // those of the simulation, with the numbers its pairs have now
    RiContacts smooth; // the same without friction
    const RiPlaceDef *def;
    RiVec3 gravity;
    int passes;
    RiChain chain;
    RiPuller puller;
    RiPlaceLink *links;
    RiPlaceTry *tries, *attempt;
    double h;             // step of the stage [s]
    double mass, share;   // of the robot, and of a feature that is meant to touch [kg]
    double preload, soft; // of this attempt
    double *given;        // [nq] as the caller had it
    double *guess, *q;    // [nq]
    RiCorners corners;
    double *reference;       // [ns]
    double *hold_k, *hold_d; // [ns]
    double *tau;             // [nv]
    double least;            // pressing of a module that lies [N]
    bool lies;               // the ground is below it: its weight keeps it there
    bool firm;               // all modules press while they are held
    double *extra;           // [feature] pressing beyond that of all [N]
    double stiffest;         // contact [N/m]
    double forgotten;        // time in which they forgot the guess [s]
    double *shape;           // [nq] around which joints are soft
    RiPress press;
    int try_index;
    int module_count;
} Place;

const char *ri_place_stage_name(RiPlaceStage stage)
{
    static const char *const names[RI_PLACE_STAGE_COUNT] = {"free", "settle", "press", "hold"};
    return (unsigned)stage < RI_PLACE_STAGE_COUNT ? names[stage] : "unknown";
}

RiPlaceDef ri_place_def_default(void)
{
    return (RiPlaceDef){.pose = ri_pose_identity(),
                        .leg = 1,
                        .attract = 40.0,
                        .strength = 10.0,
                        .preload = 1.0,
                        .soft = 0.05,
                        .still = 10e-3,
                        .time = 12.0,
                        .attempts = 32,
                        .depth = 1e-3,
                        .margin = 0.4,
                        .hold = 2.0,
                        .creep = 1e-3,
                        .step = 2e-3};
}

// --- what was asked for -------------------------------------------------------------------------------------------------

static RiStatus check_sizes(RiContext *ctx, const RiPlaceDef *d)
{
    const bool round = d->shape == RI_PLACE_HELIX || d->shape == RI_PLACE_CRESCENT;
    const struct {
        const char *name;
        double value, low, high;
        bool used;
    } numbers[] = {{"radius", d->radius, 1e-4, 1e6, round},
                   {"pitch", d->pitch, 1e-6, 1e6, d->shape == RI_PLACE_HELIX},
                   {"twist", fabs(d->twist), 0.0, M_PI, true},
                   {"width", d->width, 1e-6, 1e6, d->shape == RI_PLACE_ZIGZAG},
                   {"leg", d->leg, 1, 1000, d->shape == RI_PLACE_ZIGZAG},
                   {"attract", d->attract, 1e-3, 1e6, true},
                   {"strength", d->strength, 1e-3, 1e6, true},
                   {"preload", d->preload, 1e-6, 1e5, true},
                   {"soft", d->soft, 1e-6, 1e3, true},
                   {"still", d->still, 1e-9, 1e3, true},
                   {"time", d->time, 1e-3, 1e4, true},
                   {"attempts", d->attempts, 1, MOST_TRIES, true},
                   {"depth", d->depth, 1e-9, 1e3, true},
                   {"press", d->press, 0.0, 1e9, true},
                   {"margin", d->margin, 0.0, 0.95, true},
                   {"hold", d->hold, 0.0, 1e4, true},
                   {"creep", d->creep, 1e-9, 1e3, true},
                   {"step", d->step, 1e-5, 0.02, true}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].used && !(numbers[i].value >= numbers[i].low && numbers[i].value <= numbers[i].high))
            return ri_error(ctx, RI_ERR_ARGUMENT, "placement: %s is %g, it must be %g to %g", numbers[i].name,
                            numbers[i].value, numbers[i].low, numbers[i].high);
    if ((unsigned)d->shape >= RI_PLACE_SHAPE_COUNT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "placement: unknown shape %d", (int)d->shape);
    return RI_OK;
}

/// Whether a link is meant to touch: by name, or because screws or wheels are its features.
static bool is_meant(const Place *p, const RiContactLink *x, bool any_rolls)
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

/// Module of a link: the bending joint of the chain that moves it, or the link itself off the chain.
static int module_of(const Place *p, int link)
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
static void number_modules(Place *p)
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

static RiStatus choose_links(Place *p)
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
static RiStatus make_smooth(Place *p)
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

static RiStatus make_press(Place *p)
{
    const size_t n = (size_t)p->contacts->feature_count + 1;
    RiPress *x = &p->press;
    x->point = ri_arena_alloc(p->arena, n, sizeof *x->point);
    x->normal = ri_arena_alloc(p->arena, n, sizeof *x->normal);
    x->force = ri_arena_alloc(p->arena, n, sizeof *x->force);
    x->thread = ri_arena_alloc(p->arena, n, sizeof *x->thread);
    x->pair = ri_arena_alloc(p->arena, n, sizeof *x->pair);
    x->feature = ri_arena_alloc(p->arena, n, sizeof *x->feature);
    x->in = ri_arena_alloc(p->arena, n, sizeof *x->in);
    x->target = ri_arena_alloc(p->arena, n, sizeof *x->target);
    p->extra = ri_arena_alloc(p->arena, n, sizeof *p->extra);
    return p->extra && x->target && x->thread && x->pair && x->point && x->normal && x->force && x->feature && x->in
               ? RI_OK
               : ri_error_memory(p->ctx);
}

/// Servos of the hold: those given, else from weight and size.
static void choose_servos(Place *p)
{
    const double k = 50.0 * p->mass * 9.81 * p->chain.segment;
    for (int i = 0; i < p->m->ns; i++) {
        p->hold_k[i] = p->def->servo_stiffness ? p->def->servo_stiffness[i] : k;
        p->hold_d[i] = p->def->servo_damping ? p->def->servo_damping[i] : 0.05 * k;
    }
}

static RiStatus prepare(Place *p, RiSim *sim)
{
    const size_t nq = (size_t)p->m->nq + 1, ns = (size_t)p->m->ns + 1, nv = (size_t)p->m->nv + 1;
    double *x = ri_arena_alloc(p->arena, 4 * nq + 3 * ns + nv, sizeof *x);
    p->tries = ri_arena_alloc(p->arena, MOST_TRIES, sizeof *p->tries);
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

// --- scratch simulations ------------------------------------------------------------------------------------------------

/// A joint whose one coordinate is independent: servos act on it.
static bool is_driven(const RiModel *m, const RiBodyData *b)
{
    return m->joints[b->joint].parent_link >= 0 && b->ns == 1 && b->nq == 1 && m->joints[b->joint].v >= 0 &&
           m->joints[b->joint].q >= 0;
}

/// All joints by the servos of the hold, at the positions of q or at the references.
static void set_servos(const Place *p, RiSim *s, const double *reference)
{
    for (int i = 0; i < p->m->nb; i++) {
        const RiBodyData *b = &p->m->bodies[i];
        if (!is_driven(p->m, b))
            continue;
        s->servo_k[b->s] = p->hold_k[b->s];
        s->servo_d[b->s] = p->hold_d[b->s];
        s->servo_q[b->s] = reference ? reference[b->s] : p->q[p->m->joints[b->joint].q];
    }
}

static RiStatus open_scratch(const Place *p, const RiContacts *contacts, RiVec3 gravity, const double *reference,
                             RiSim **out_sim)
{
    RiSimOptions o = ri_sim_options_default();
    o.tick = p->h;
    o.substeps = LOOK_EVERY;
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
        set_servos(p, s, reference);
        status = ri_sim_start(s);
    }
    if (status != RI_OK) {
        ri_sim_destroy(s);
        return status;
    }
    *out_sim = s;
    return RI_OK;
}

/// Joints of the chain yield. At a limit they stop.
static void yield(const Place *p, RiSim *s)
{
    const double soft = p->soft * p->mass * 9.81 * p->chain.segment;
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        const double k = fmin(soft, p->hold_k[j->s] > 0.0 ? p->hold_k[j->s] : soft);
        const double q = s->q[j->q], end = q < j->lower ? j->lower : q > j->upper ? j->upper : q;
        s->servo_q[j->s] = end != q ? end : p->shape[j->q];
        s->servo_k[j->s] = end != q ? p->hold_k[j->s] : k;
        s->servo_d[j->s] = 0.2 * k;
    }
}

static void show(const Place *p, const RiSim *s, RiPlaceStage stage)
{
    const long long every = llround(fmax(1.0, 0.02 / p->h));
    if (!p->def->watch || s->head->tick % every)
        return;
    const RiPlaceView view = {stage, p->try_index, p->attempt->time, s->q, p->puller.pulls, p->puller.pull_count};
    p->def->watch(p->def->user, &view);
}

// --- state of things ----------------------------------------------------------------------------------------------------

/// The least gap of a module's links that are meant to touch; negative infinity if none is.
static double module_gap(const Place *p, int module)
{
    double gap = INFINITY;
    bool meant = false;
    for (int l = 0; l < p->contacts->link_count; l++)
        if (p->links[l].module == module && p->links[l].meant) {
            gap = fmin(gap, p->links[l].gap);
            meant = true;
        }
    return meant ? gap : -INFINITY;
}

/// Gaps and touches of links and modules at the puller's last look.
static void take_stock(Place *p)
{
    RiPlaceReport *r = &p->out->report;
    r->touching = 0;
    r->gap = -INFINITY;
    r->penetration = 0.0;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        RiPlaceLink *y = &p->links[l];
        y->touches = 0;
        y->gap = INFINITY;
        for (int i = x->first; i < x->first + x->count; i++) {
            y->touches += p->puller.gap[i] < 0.0;
            y->gap = fmin(y->gap, p->puller.gap[i]);
        }
        r->penetration = fmax(r->penetration, -y->gap);
    }
    for (int m = 0; m < p->module_count; m++) {
        const double gap = module_gap(p, m);
        r->touching += gap < 0.0 && isfinite(gap);
        r->gap = fmax(r->gap, gap);
    }
    p->attempt->touching = r->touching;
    p->attempt->penetration = r->penetration;
}

/// Joints of the chain that stand at a limit.
static int count_limits(const Place *p, const RiSim *s)
{
    int count = 0;
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        count += s->q[j->q] < j->lower + 1e-3 || s->q[j->q] > j->upper - 1e-3;
    }
    return count;
}

static void look(Place *p, const RiSim *s)
{
    ri_puller_look(&p->puller, s);
    take_stock(p);
    p->attempt->at_limit = count_limits(p, s);
    p->attempt->speed = ri_puller_speed(&p->puller, s);
}

/// Name of a link of the module with the largest gap.
static const char *farthest(const Place *p)
{
    for (int l = 0; l < p->contacts->link_count; l++)
        if (p->links[l].meant && p->links[l].gap == p->out->report.gap)
            return p->m->links[p->links[l].link].name;
    return "";
}

static const char *deepest(const Place *p)
{
    const RiPlaceLink *worst = &p->links[0];
    for (int l = 1; l < p->contacts->link_count; l++)
        if (p->links[l].gap < worst->gap)
            worst = &p->links[l];
    return p->m->links[worst->link].name;
}

/// Name of a link meant to touch that lies beyond the edge of the terrain; NULL.
static const char *outside(const Place *p)
{
    for (int k = 0; k < p->puller.pull_count; k++) {
        const RiPlacePull *x = &p->puller.pulls[k];
        RiSurface s;
        ri_terrain_query(p->contacts->terrain, x->point, &s);
        if (p->puller.meant[x->feature] && s.flags & RI_SURFACE_OUTSIDE)
            return p->m->links[p->contacts->features[x->feature].link].name;
    }
    return NULL;
}

// --- stages -------------------------------------------------------------------------------------------------------------

/// One step; false if the motion diverged (the attempt says so).
static bool step(Place *p, RiSim *s, RiPlaceStage stage)
{
    p->attempt->stage = stage;
    p->attempt->steps++;
    p->attempt->time += p->h;
    show(p, s, stage);
    if (ri_sim_step(s) == RI_OK)
        return true;
    snprintf(p->attempt->text, sizeof p->attempt->text, "the motion diverged in stage %s", ri_place_stage_name(stage));
    return false;
}

/// Out of the ground, without contacts. True unless the attempt has failed.
static bool run_free(Place *p, RiSim *s)
{
    const double end = p->attempt->time + 0.5 * p->def->time;
    p->puller.push = true;
    p->puller.k = PUSH_OUT * p->def->attract * p->share;
    p->puller.c = 2.0 * sqrt(PUSH_OUT * p->def->attract) * p->share;
    ri_puller_set_load(&p->puller, 0.0);
    p->puller.most = p->def->strength * p->share;
    for (;;) {
        look(p, s);
        if (p->out->report.penetration < SHALLOW || p->attempt->time >= end)
            break;
        yield(p, s);
        ri_puller_pull(&p->puller, s);
        if (!step(p, s, RI_PLACE_FREE))
            return false;
    }
    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    if (p->out->report.penetration < HOPELESS)
        return true;
    p->attempt->stage = RI_PLACE_FREE;
    snprintf(p->attempt->text, sizeof p->attempt->text,
             "the guess does not fit: '%.60s' is still %.3g m in the ground after %.3g s of pushing", deepest(p),
             p->out->report.penetration, p->attempt->time);
    return false;
}

/// Regulates the pulls: modules that do not touch, or as good as not, are pulled harder and harder, those that press hard less and less, down to
/// the load.
static void regulate(Place *p, double load)
{
    const double more = exp(p->h / GROW), enough = 0.25 * load / p->stiffest;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        const double gap = p->links[l].meant ? module_gap(p, p->links[l].module) : -INFINITY;
        const double factor = gap > -enough ? more : gap < -2.0 * enough ? 1.0 / more : 1.0;
        for (int i = x->first; i < x->first + x->count; i++)
            p->puller.load[i] = fmax(fmin(factor * p->puller.load[i], INSIST * p->puller.most), load);
    }
}

/// With everything touching, joints forget the guess for a while: what it took to get here is not needed to stay.
static void forget(Place *p, const RiSim *s)
{
    if (p->out->report.touching < p->out->report.meant || p->forgotten > FORGET)
        return;
    p->forgotten += p->h;
    for (int i = 0; i < p->chain.count; i++) {
        double *at = &p->shape[p->chain.joints[i].q];
        *at += (s->q[p->chain.joints[i].q] - *at) * p->h / GROW;
    }
}

/// Pulled onto the ground until everything touches and nothing moves, or for `time`. False: diverged.
static bool pull_down(Place *p, RiSim *s, RiPlaceStage stage, double load, double time, bool *out_still)
{
    const double end = p->attempt->time + time, c_most = MOST_BRAKE * p->puller.c;
    const RiPlaceReport *r = &p->out->report;
    double still = 0.0;
    *out_still = false;
    while (p->attempt->time < end) {
        look(p, s);
        regulate(p, load);
        forget(p, s);
        if ((r->touching == r->meant || p->attempt->time > BRAKE_AFTER) &&
            p->puller.c < c_most) // no friction ends the motion: dampers do
            p->puller.c *= exp(p->h / GROW);
        const bool good = p->attempt->speed < p->def->still && r->touching == r->meant && p->attempt->time > STILL_FOR;
        still = good ? still + p->h : 0.0;
        *out_still = still >= STILL_FOR;
        if (*out_still)
            break;
        yield(p, s);
        ri_puller_pull(&p->puller, s);
        if (!step(p, s, stage))
            return false;
    }
    return true;
}

/// What keeps a settled robot from being accepted; "" if nothing does.
static void judge(Place *p, bool still)
{
    const RiPlaceReport *r = &p->out->report;
    char *text = p->attempt->text;
    const size_t size = sizeof p->attempt->text;
    const char *edge = outside(p);
    text[0] = '\0';
    if (edge)
        snprintf(text, size,
                 "'%.60s' lies beyond the edge of the terrain: the robot is longer than what it is placed in", edge);
    else if (r->touching < r->meant)
        snprintf(text, size,
                 "%d of %d modules touch; '%.60s' is %.3g m away from the ground; %d joints are at their limits",
                 r->touching, r->meant, farthest(p), r->gap, p->attempt->at_limit);
    else if (r->penetration > p->def->depth)
        snprintf(text, size, "'%.60s' is %.3g mm in the ground", deepest(p), 1e3 * r->penetration);
    else if (!still)
        snprintf(text, size, "it still moves at %.3g mm/s", 1e3 * p->attempt->speed);
}

static void keep_pulls(Place *p)
{
    RiPlacePull *kept = (RiPlacePull *)p->out->report.pulls;
    memcpy(kept, p->puller.pulls, (size_t)p->puller.pull_count * sizeof *kept);
    p->out->report.pull_count = p->puller.pull_count;
}

/// Touches at the puller's last look; with `lost`, modules that have lost the ground count with the feature nearest to it.
static void collect_touches(Place *p, const RiSim *s, bool lost)
{
    RiPress *x = &p->press;
    x->count = 0;
    x->centre = ri_dyn_com(s->d);
    x->size = p->chain.segment;
    for (int k = 0; k < p->puller.pull_count; k++) {
        const RiTouch *t = &p->puller.work.touches[k];
        const RiPlaceLink *l = &p->links[t->slot];
        const bool nearest = lost && l->gap == -t->depth && l->gap == module_gap(p, l->module);
        if (!p->puller.meant[t->feature] || (t->depth <= 0.0 && !nearest))
            continue;
        x->feature[x->count] = t->feature;
        x->point[x->count] = t->point;
        x->thread[x->count] = t->thread;
        x->pair[x->count] = ri_contacts_pair(p->contacts, t->feature, t->ground);
        x->normal[x->count++] = t->normal;
    }
}

/// Efforts that hold the robot still under gravity and the forces of the touches, into tau.
static void find_efforts(Place *p, RiSim *s, RiVec3 gravity)
{
    const RiVec3 before = ri_dyn_gravity(s->d);
    ri_dyn_clear_wrenches(s->d);
    ri_dyn_clear_body_extra(s->d);
    ri_dyn_set_gravity(s->d, gravity);
    for (int i = 0; i < p->press.count; i++)
        ri_dyn_add_wrench(s->d, p->contacts->features[p->press.feature[i]].link, p->press.force[i],
                          ri_vec3(0.0, 0.0, 0.0), p->press.point[i]);
    ri_dyn_inverse(s->d, NULL, p->tau);
    ri_dyn_set_gravity(s->d, before);
}

/// The same under the robot's weight. Returns the largest share of an actuator's limit.
static double hold_efforts(Place *p, RiSim *s)
{
    double share = 0.0;
    find_efforts(p, s, p->gravity);
    for (int i = 0; i < p->m->nb; i++) {
        const RiJointData *j = &p->m->joints[p->m->bodies[i].joint];
        if (is_driven(p->m, &p->m->bodies[i]) && j->spec.effort > 0.0)
            share = fmax(share, fabs(p->tau[j->v]) / j->spec.effort);
    }
    return share;
}

/// Solves for an equal pressing of all touches.
static bool press_equally(Place *p, RiVec3 weight, double press)
{
    for (int i = 0; i < p->press.count; i++)
        p->press.target[i] = press;
    return ri_press_solve(&p->press, weight);
}

/// Whether the ground is below the robot rather than beside it.
static bool is_below(Place *p, const RiSim *s)
{
    const double g = ri_norm(p->gravity);
    double up = 0.0;
    collect_touches(p, s, true);
    for (int i = 0; i < p->press.count; i++)
        up -= ri_dot(p->press.normal[i], p->gravity);
    return g > 0.0 && up > LIES * g * p->press.count;
}

/// The least pressing that leaves the margin asked for, or where there is none the most friction, as far as the actuators let it.
static double choose_press(Place *p, RiSim *s)
{
    const RiVec3 weight = ri_scale(p->mass, p->gravity);
    const double first = fmax(0.02 * ri_norm(weight) / p->out->report.meant, 1e-3 * p->share);
    double best = -INFINITY, good = p->def->press;
    bool found = false;
    collect_touches(p, s, false);
    for (double press = p->def->press; press <= p->def->press + ri_norm(weight); press = fmax(1.15 * press, first)) {
        if (!press_equally(p, weight, press))
            continue;
        if (hold_efforts(p, s) > PRESS_SHARE && found)
            break;
        found = true;
        const double reserve = ri_press_reserve(&p->press);
        if (reserve > best + 0.01) {
            best = reserve;
            good = press;
        }
        if (reserve >= p->def->margin)
            break;
    }
    return good;
}

/// References of the hold to begin with: the found angles.
static void set_references(Place *p)
{
    for (int i = 0; i < p->m->nb; i++)
        if (is_driven(p->m, &p->m->bodies[i]))
            p->reference[p->m->bodies[i].s] = p->q[p->m->joints[p->m->bodies[i].joint].q];
}

/// Onto the ground. True: settled.
static bool run_settle(Place *p, RiSim *s)
{
    bool still;
    p->lies = false;
    p->puller.push = false;
    p->puller.k = p->def->attract * p->share;
    p->puller.c = 2.0 * sqrt(p->def->attract) * p->share;
    p->puller.most = fmax(p->def->strength, 2.0 * p->preload) * p->share;
    ri_puller_set_load(&p->puller, p->preload * p->share);
    if (!pull_down(p, s, RI_PLACE_SETTLE, p->preload * p->share, fmin(LIE_AFTER, p->def->time), &still))
        return false;
    p->lies = is_below(p, s);
    if (!p->lies && !still &&
        !pull_down(p, s, RI_PLACE_SETTLE, p->preload * p->share, p->def->time - LIE_AFTER, &still))
        return false;
    judge(p, still);
    keep_pulls(p);
    if (p->lies && !outside(p))
        p->attempt->text[0] = '\0'; // its weight does the rest
    if (p->attempt->text[0])
        return false;
    p->out->report.press = p->lies ? p->def->press : choose_press(p, s);

    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    set_references(p);
    return true;
}

/// Friction used at a touch over what there is.
static double used_friction(const RiSim *s, const RiTouchInfo *t, double *out_limit)
{
    const RiPairDef *pair = ri_sim_pair(s, t->feature, t->ground);
    const double mu = pair->law == RI_LAW_STRIBECK ? pair->friction_static : pair->friction;
    *out_limit = pair->law == RI_LAW_TERZAGHI ? t->traction : mu * t->pressing;
    if (pair->stick_stiffness > 0.0)
        return fmin(pair->stick_stiffness * ri_norm(s->deflection[t->feature]), *out_limit);
    return t->sliding ? *out_limit : 0.0;
}

/// Forces of the hold's last step: by link, and the friction that is left.
static void weigh(Place *p, const RiSim *s)
{
    RiPlaceReport *r = &p->out->report;
    double used = 0.0, limits = 0.0, total = 0.0;
    for (int l = 0; l < r->link_count; l++)
        p->links[l].pressing = 0.0, p->links[l].reserve = 1.0;
    for (int i = 0; i < s->touch_info_count; i++)
        total += s->touch_info[i].pressing;
    r->margin = r->reserve = NAN;
    for (int i = 0, l = 0; i < s->touch_info_count; i++) {
        const RiTouchInfo *t = &s->touch_info[i];
        double limit;
        if (t->other >= 0)
            continue; // links on each other
        const double friction = used_friction(s, t, &limit), left = limit > 0.0 ? 1.0 - friction / limit : 0.0;
        while (p->links[l].link != t->link)
            l++;
        p->links[l].pressing += t->pressing;
        used += friction;
        limits += limit;
        if (t->pressing < 0.01 * total / s->touch_info_count)
            continue; // a touch that bears nothing
        p->links[l].reserve = fmin(p->links[l].reserve, left);
        r->margin = isnan(r->margin) ? left : fmin(r->margin, left);
    }
    if (limits > 0.0)
        r->reserve = 1.0 - used / limits;
}

/// The most loaded actuator.
static void weigh_joints(Place *p, const RiSim *s)
{
    RiPlaceReport *r = &p->out->report;
    r->effort = 0.0;
    for (int i = 0; i < p->m->nb; i++) {
        const RiBodyData *b = &p->m->bodies[i];
        const RiJointSpec *j = &p->m->joints[b->joint].spec;
        if (!is_driven(p->m, b) || !isfinite(j->effort) || !(j->effort > 0.0))
            continue;
        const double share = fabs(s->load.tau[b->s]) / j->effort;
        if (share > r->effort) {
            r->effort = share;
            snprintf(r->weakest, sizeof r->weakest, "%s", j->name);
        }
    }
}

/// What keeps a held robot from being accepted; "" if nothing does.
static void judge_hold(Place *p)
{
    const RiPlaceReport *r = &p->out->report;
    char *text = p->attempt->text;
    const size_t size = sizeof p->attempt->text;
    judge(p, true);
    if (r->creep > p->def->creep && !p->def->may_slide)
        snprintf(text, size, "it does not hold its weight: it moved by %.3g mm in %.3g s; friction reserve %.2g",
                 1e3 * r->creep, 0.5 * p->def->hold, r->reserve);
    else if (!text[0] && r->effort > 1.0)
        snprintf(text, size, "joint '%.60s' would need %.3g times its effort to hold it", r->weakest, r->effort);
}

/// Efforts for the touches as they are, with a part of gravity. Modules that have lost the ground are pressed towards it, more from time to time.
static void renew_efforts(Place *p, RiSim *s, double part)
{
    const RiVec3 gravity = ri_scale(part, p->gravity);
    const double weight = p->mass * ri_norm(p->gravity),
                 load = fmax(0.1 * weight / p->out->report.meant, p->preload * p->share);
    const double joint = p->chain.count ? p->hold_k[p->chain.joints[0].s] / (p->chain.segment * p->chain.segment) : 0.0;
    look(p, s);
    collect_touches(p, s, true);
    p->firm = true;
    for (int i = 0, l = 0; i < p->press.count; i++) {
        while (p->links[l].link != p->contacts->features[p->press.feature[i]].link)
            l++;
        const double gap = module_gap(p, p->links[l].module);
        if (gap > -0.1 * load / p->stiffest) {
            p->extra[p->press.feature[i]] += fmax(load, 0.3 * joint * gap) * RENEW / FOLLOW;
            p->firm = false;
        }
        p->press.target[i] = p->out->report.press + p->extra[p->press.feature[i]];
    }
    if (ri_press_solve(&p->press, ri_scale(p->mass, gravity)))
        find_efforts(p, s, gravity);
}

/// References follow the joints at the distance that makes their servos give the efforts.
static void follow(Place *p, RiSim *s)
{
    for (int i = 0; i < p->m->nb; i++) {
        const RiBodyData *b = &p->m->bodies[i];
        const RiJointData *j = &p->m->joints[b->joint];
        if (!is_driven(p->m, b) || !(p->hold_k[b->s] > 0.0))
            continue;
        const double wanted = s->q[j->q] + p->tau[j->v] / p->hold_k[b->s];
        p->reference[b->s] += fmin(1.0, p->h / FOLLOW) * (wanted - p->reference[b->s]);
        s->servo_q[b->s] = p->reference[b->s];
    }
}

static void set_gravity(const Place *p, RiSim *s, double part)
{
    s->options.gravity = ri_scale(part, p->gravity);
    ri_dyn_set_gravity(s->d, s->options.gravity);
}

/// Gravity comes on and the joints take over, until everything touches and nothing moves; dampers keep it from rocking. False: diverged.
static bool run_press(Place *p, RiSim *s)
{
    const long long ticks = llround(0.5 * p->def->time / p->h), every = llround(fmax(1.0, RENEW / p->h));
    double still = 0.0;
    memset(p->tau, 0, (size_t)p->m->nv * sizeof *p->tau);
    memset(p->extra, 0, (size_t)p->contacts->feature_count * sizeof *p->extra);
    for (long long i = 0; i < ticks && still < 2.0 * STILL_FOR; i++) {
        const double time = (double)(i + 1) * p->h, part = fmin(1.0, time / RAMP);
        set_gravity(p, s, part);
        if (i % every == 0)
            renew_efforts(p, s, part);
        else
            look(p, s);
        const bool good = p->attempt->speed < 0.2 * p->def->still && p->firm && time > 1.5 * RAMP;
        still = good ? still + p->h : 0.0;
        ri_puller_pull(&p->puller, s);
        if (!p->firm ||
            time < 1.5 * RAMP) // once everything presses the references stay: forces alone would go on moving it
            follow(p, s);
        if (!step(p, s, RI_PLACE_PRESS))
            return false;
    }
    ri_puller_release(s);
    return true;
}

/// Forces without a resultant that joints add once they take over from the pulls of the last look, normal parts beyond the pulls into extra.
static void spread_pulls(Place *p, const RiSim *s)
{
    collect_touches(p, s, true);
    for (int i = 0; i < p->press.count; i++)
        p->press.target[i] = p->puller.load[p->press.feature[i]];
    for (int i = 0; i < p->contacts->feature_count; i++)
        p->extra[i] = 0.0;
    if (!ri_press_spread(&p->press))
        return;
    for (int i = 0; i < p->press.count; i++)
        p->extra[p->press.feature[i]] = ri_dot(p->press.force[i], p->press.normal[i]) - p->press.target[i];
}

/// The feature of a module that is nearest to the ground is pulled until it will press enough when the joints take over; all other pulls fade.
static void regulate_limp(Place *p, const RiSim *s, double least)
{
    const double rate = p->h / GIVE, most = INSIST_LIMP * p->mass * ri_norm(p->gravity) / p->out->report.meant;
    spread_pulls(p, s);
    p->firm = true;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        const double nearest = module_gap(p, p->links[l].module);
        for (int i = x->first; i < x->first + x->count && p->links[l].meant; i++) {
            double *load = &p->puller.load[i];
            const double left = p->extra[i] - p->stiffest * p->puller.gap[i];
            const bool lead = p->puller.gap[i] == nearest;
            p->firm &= !lead || (left > 0.5 * least && nearest < 0.0);
            if (lead && left < least)
                *load = fmin(*load + rate * (*load + least), fmax(most, *load));
            else if (!lead || left > 2.0 * least)
                *load -= rate * *load;
        }
    }
}

/// Joints of the chain yield to everything. At a limit they stop.
static void go_limp(const Place *p, RiSim *s, double brake)
{
    const double d = brake * 0.01 * p->mass * 9.81 * p->chain.segment;
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        const double q = s->q[j->q], end = q < j->lower ? j->lower : q > j->upper ? j->upper : q;
        s->servo_k[j->s] = end != q ? p->hold_k[j->s] : 0.0;
        s->servo_q[j->s] = end;
        s->servo_d[j->s] = d;
    }
}

/// Gravity but for its part along the chain: what has no friction would glide along its channel.
static RiVec3 gravity_across(const Place *p, const RiSim *s)
{
    const int n = p->chain.count;
    const RiVec3 tail = ri_dyn_frame_pose(s->d, p->m->joints[p->chain.joints[0].joint].child_link).p;
    const RiVec3 head = ri_dyn_frame_pose(s->d, p->m->joints[p->chain.joints[n - 1].joint].child_link).p;
    const RiVec3 way = ri_sub(head, tail);
    const double size = ri_norm(way);
    if (!(size > 0.0))
        return p->gravity;
    return ri_sub(p->gravity, ri_scale(ri_dot(p->gravity, way) / (size * size), way));
}

/// References at the distance from the positions taken over that makes servos give the efforts of the pulls.
static void refer(Place *p, double share)
{
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        const double k = p->hold_k[j->s], effort = p->tau[p->m->joints[j->joint].v];
        const double wanted = p->shape[j->q] + (k > 0.0 ? effort / k : 0.0);
        p->reference[j->s] += share * (wanted - p->reference[j->s]);
    }
}

/// Servos take over the positions, the efforts of joints at a limit, and those of the pulls.
static void take_over(Place *p, RiSim *s)
{
    memset(p->tau, 0, (size_t)p->m->nv * sizeof *p->tau);
    look(p, s);
    spread_pulls(p, s);
    find_efforts(p, s, ri_vec3(0.0, 0.0, 0.0));
    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    memcpy(p->shape, s->q, (size_t)p->m->nq * sizeof *p->shape);
    set_references(p);
    for (int i = 0; i < p->chain.count; i++) {
        const RiChainJoint *j = &p->chain.joints[i];
        if (p->hold_k[j->s] > 0.0)
            p->shape[j->q] += s->servo_k[j->s] * (s->servo_q[j->s] - s->q[j->q]) / p->hold_k[j->s];
    }
    refer(p, 1.0);
}

/// More pull, by the joints, for modules that have lost the ground.
static void ask_more(Place *p, RiSim *s)
{
    const double joint = p->chain.count ? p->hold_k[p->chain.joints[0].s] / (p->chain.segment * p->chain.segment) : 0.0;
    p->firm = true;
    for (int l = 0; l < p->contacts->link_count; l++) {
        const RiContactLink *x = &p->contacts->links[l];
        const double gap = module_gap(p, p->links[l].module), pressing = -gap * (gap > 0.0 ? joint : p->stiffest);
        if (!p->links[l].meant || p->links[l].gap != gap || pressing > 0.3 * p->least)
            continue;
        p->firm = false;
        for (int i = x->first; i < x->first + x->count; i++)
            if (p->puller.gap[i] == gap)
                p->puller.load[i] += 0.2 * (p->least - pressing);
    }
    if (p->firm)
        return;
    spread_pulls(p, s);
    find_efforts(p, s, ri_vec3(0.0, 0.0, 0.0));
}

/// Joints correct what the change to servos and friction has changed. False: diverged.
static bool correct(Place *p, RiSim *s)
{
    double still = 0.0;
    for (long long i = 0; i < llround(CORRECT / p->h) && still < STILL_FOR; i++) {
        look(p, s);
        if (i % llround(fmax(1.0, RENEW / p->h)) == 0)
            ask_more(p, s);
        still = p->firm && p->attempt->speed < 0.2 * p->def->still ? still + p->h : 0.0;
        refer(p, p->h / FOLLOW);
        set_servos(p, s, p->reference);
        ri_puller_brake(&p->puller, s);
        if (!step(p, s, RI_PLACE_PRESS))
            return false;
    }
    ri_puller_release(s);
    return true;
}

/// A robot that lies: without friction and with limp joints it comes to rest under its weight where that is stable, each module bearing its own weight
/// but for what it takes to bring the others down. Then servos take over.
static bool run_lie(Place *p, RiSim *s)
{
    const double least = p->least, start = p->attempt->time, end = LIE_FOR * p->def->time, c = p->puller.c;
    double still = 0.0, brake = 1.0;
    for (double time = p->h; time < end && still < STILL_FOR; time = p->attempt->time - start + p->h) {
        const RiVec3 across = ri_scale(fmin(1.0, time / RAMP), gravity_across(p, s));
        s->options.gravity = across;
        ri_dyn_set_gravity(s->d, across);
        look(p, s);
        regulate_limp(p, s, least);
        const bool firm = p->firm && time > RAMP;
        brake = fmin(fmax(brake * exp((firm ? 1.0 : -1.0) * p->h / GIVE), 1.0), MOST_BRAKE); // it rocks
        still = firm && p->attempt->speed < 0.2 * p->def->still ? still + p->h : 0.0;
        p->puller.c = brake * c;
        ri_puller_aim(&p->puller);
        ri_puller_pull(&p->puller, s);
        go_limp(p, s, brake);
        if (!step(p, s, RI_PLACE_PRESS))
            return false;
    }
    take_over(p, s);
    if (p->out->report.gap > CLOSES)
        judge(p, true);
    return !p->attempt->text[0];
}

/// Under its own weight. True: it stays.
static bool run_hold(Place *p, RiSim *s)
{
    RiPlaceReport *r = &p->out->report;
    const long long ticks = llround(p->def->hold / p->h);
    if (!p->lies)
        ri_puller_set_load(&p->puller, 0.0);
    p->puller.most = 0.0;
    p->puller.c = 2.0 * sqrt(p->def->attract) * p->share;
    if (!(p->lies ? correct : run_press)(p, s))
        return false;
    for (long long i = 0; i < ticks; i++) {
        if (i == ticks / 8 || i == ticks / 2) {
            look(p, s);
            ri_puller_mark(&p->puller);
            if (r->touching < r->meant && p->try_index + 1 < p->def->attempts)
                break; // no need to wait for the end
        }
        if (!step(p, s, RI_PLACE_HOLD))
            return false;
    }
    look(p, s);
    r->creep = ri_puller_moved(&p->puller);
    weigh(p, s);
    weigh_joints(p, s);
    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    judge_hold(p);
    return !p->attempt->text[0];
}

// --- attempts -----------------------------------------------------------------------------------------------------------

/// Opens the simulation of a stage, runs it, closes it.
static RiStatus run_in(Place *p, const RiContacts *contacts, RiVec3 gravity, const double *reference,
                       bool (*run)(Place *p, RiSim *s), bool *out_good)
{
    RiSim *s;
    p->h = LOOK_EVERY * fmin(contacts == p->contacts ? p->def->step : COARSE * p->def->step, 0.02);
    RI_TRY(open_scratch(p, contacts, gravity, reference, &s));
    *out_good = run(p, s);
    ri_sim_destroy(s);
    return RI_OK;
}

static RiStatus attempt(Place *p, bool *out_good)
{
    const RiVec3 none = {0.0, 0.0, 0.0};
    p->attempt = &p->tries[p->try_index];
    *p->attempt = (RiPlaceTry){.preload = p->preload, .soft = p->soft};
    p->out->report.try_count = p->try_index + 1;
    memcpy(p->q, p->guess, (size_t)p->m->nq * sizeof *p->q);
    memcpy(p->shape, p->guess, (size_t)p->m->nq * sizeof *p->shape);
    p->forgotten = 0.0;
    p->least = fmax(0.15 * p->mass * ri_norm(p->gravity) / p->out->report.meant, p->def->press);
    RI_TRY(run_in(p, NULL, none, NULL, run_free, out_good));
    if (*out_good)
        RI_TRY(run_in(p, &p->smooth, none, NULL, run_settle, out_good));
    if (*out_good && p->lies && p->def->hold > 0.0)
        RI_TRY(run_in(p, &p->smooth, none, NULL, run_lie, out_good));
    if (*out_good && p->def->hold > 0.0)
        RI_TRY(run_in(p, p->contacts, p->gravity, p->reference, run_hold, out_good));
    if (*out_good)
        snprintf(p->attempt->text, sizeof p->attempt->text, "placed");
    return RI_OK;
}

/// The guess of an attempt: the first is the one asked for. The ground between the modules of a chain is not everywhere within their reach, so later ones lie
/// a little further along, turned about themselves, or are a little narrower or wider.
static RiPlaceDef vary(const Place *p, int attempt)
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
static RiStatus guess_anew(Place *p)
{
    const RiPlaceDef d = vary(p, p->try_index);
    if (p->def->shape == RI_PLACE_GIVEN || p->try_index == 0)
        return RI_OK;
    memcpy(p->guess, p->given, (size_t)p->m->nq * sizeof *p->guess);
    if (ri_place_guess(p->ctx, &p->corners, p->m, &p->chain, &d, p->guess) == RI_OK)
        return RI_OK;
    return ri_place_guess(p->ctx, &p->corners, p->m, &p->chain, p->def, p->guess);
}

static void conclude(Place *p, bool good)
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

static RiStatus place(Place *p, RiSim *sim)
{
    bool good = false;
    RI_TRY(check_sizes(p->ctx, p->def));
    RI_TRY(prepare(p, sim));
    p->out->report.pulls = ri_arena_alloc(p->arena, (size_t)p->contacts->feature_count + 1, sizeof(RiPlacePull));
    if (!p->out->report.pulls)
        return ri_error_memory(p->ctx);
    for (p->try_index = 0; p->try_index < p->def->attempts && !good; p->try_index++) {
        p->preload = p->def->preload * pow(2.0, p->try_index % 3);
        p->soft = p->def->soft * pow(0.25, p->try_index % 3);
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
    Place p = {.out = out,
               .ctx = sim->ctx,
               .arena = &out->arena,
               .m = sim->m,
               .own = *sim->contacts,
               .def = &used,
               .gravity = sim->options.gravity,
               .passes = sim->options.passes};
    p.own.pairs = sim->pairs;
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
