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
/// Most that modules which do not touch are pulled at the ground, over the strength of the pull.
static const double INSIST = 4.0;
enum { MOST_TRIES = 8 };

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
    RiContacts smooth; // the same without friction
    const RiPlaceDef *def;
    RiVec3 gravity;
    int passes;
    RiChain chain;
    RiPuller puller;
    RiPlaceLink *links;
    RiPlaceTry *tries, *attempt;
    double mass, share;      // of the robot, and of a feature that is meant to touch [kg]
    double preload, soft;    // of this attempt
    double *guess, *q;       // [nq]
    double *reference;       // [ns]
    double *hold_k, *hold_d; // [ns]
    double *tau;             // [nv]
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
                        .attempts = 3,
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
    double *x = ri_arena_alloc(p->arena, 3 * nq + 3 * ns + nv, sizeof *x);
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
    return ri_place_guess(p->ctx, p->arena, p->m, &p->chain, p->def, p->guess);
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
    o.tick = p->def->step;
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
    const long long every = llround(fmax(1.0, 0.02 / p->def->step));
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
    p->attempt->time += p->def->step;
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
    const double more = exp(p->def->step / GROW), enough = 0.25 * load / p->stiffest;
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
    p->forgotten += p->def->step;
    for (int i = 0; i < p->chain.count; i++) {
        double *at = &p->shape[p->chain.joints[i].q];
        *at += (s->q[p->chain.joints[i].q] - *at) * p->def->step / GROW;
    }
}

/// Pulled onto the ground until everything touches and nothing moves, or for `time`. False: diverged.
static bool pull_down(Place *p, RiSim *s, RiPlaceStage stage, double load, double time, bool *out_still)
{
    const double end = p->attempt->time + time;
    const RiPlaceReport *r = &p->out->report;
    double still = 0.0;
    *out_still = false;
    ri_puller_set_load(&p->puller, load);
    while (p->attempt->time < end) {
        look(p, s);
        regulate(p, load);
        forget(p, s);
        if (r->touching == r->meant) // no friction ends the motion: dampers do
            p->puller.c *= exp(p->def->step / GROW);
        const bool good = p->attempt->speed < p->def->still && r->touching == r->meant && p->attempt->time > STILL_FOR;
        still = good ? still + p->def->step : 0.0;
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
    p->puller.push = false;
    p->puller.k = p->def->attract * p->share;
    p->puller.c = 2.0 * sqrt(p->def->attract) * p->share;
    p->puller.most = fmax(p->def->strength, 2.0 * p->preload) * p->share;
    if (!pull_down(p, s, RI_PLACE_SETTLE, p->preload * p->share, p->def->time, &still))
        return false;
    judge(p, still);
    keep_pulls(p);
    if (p->attempt->text[0])
        return false;
    p->out->report.press = choose_press(p, s);
    memcpy(p->q, s->q, (size_t)p->m->nq * sizeof *p->q);
    set_references(p);
    return true;
}

/// Friction used at a touch over what there is.
static double used_friction(const RiSim *s, const RiTouchInfo *t, double *out_limit)
{
    const RiPairDef *pair = ri_contacts_pair(s->contacts, t->feature, t->ground);
    const double mu = pair->law == RI_LAW_STRIBECK ? pair->friction_static : pair->friction;
    *out_limit = mu * t->pressing;
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
        p->reference[b->s] += fmin(1.0, p->def->step / FOLLOW) * (wanted - p->reference[b->s]);
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
    const long long ticks = llround(0.5 * p->def->time / p->def->step),
                    every = llround(fmax(1.0, RENEW / p->def->step));
    double still = 0.0;
    memset(p->tau, 0, (size_t)p->m->nv * sizeof *p->tau);
    memset(p->extra, 0, (size_t)p->contacts->feature_count * sizeof *p->extra);
    for (long long i = 0; i < ticks && still < 2.0 * STILL_FOR; i++) {
        const double time = (double)(i + 1) * p->def->step, part = fmin(1.0, time / RAMP);
        set_gravity(p, s, part);
        if (i % every == 0)
            renew_efforts(p, s, part);
        else
            look(p, s);
        const bool good = p->attempt->speed < 0.2 * p->def->still && p->firm && time > 1.5 * RAMP;
        still = good ? still + p->def->step : 0.0;
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

/// Under its own weight. True: it stays.
static bool run_hold(Place *p, RiSim *s)
{
    RiPlaceReport *r = &p->out->report;
    const long long ticks = llround(p->def->hold / p->def->step);
    ri_puller_set_load(&p->puller, 0.0);
    p->puller.most = 0.0;
    p->puller.c = 2.0 * sqrt(p->def->attract) * p->share;
    if (!run_press(p, s))
        return false;
    for (long long i = 0; i < ticks; i++) {
        if (i == ticks / 2) {
            look(p, s);
            ri_puller_mark(&p->puller);
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
    RI_TRY(run_in(p, NULL, none, NULL, run_free, out_good));
    if (*out_good)
        RI_TRY(run_in(p, &p->smooth, none, NULL, run_settle, out_good));
    if (*out_good && p->def->hold > 0.0)
        RI_TRY(run_in(p, p->contacts, p->gravity, p->reference, run_hold, out_good));
    if (*out_good)
        snprintf(p->attempt->text, sizeof p->attempt->text, "placed");
    return RI_OK;
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
    p->preload = p->def->preload;
    p->soft = p->def->soft;
    for (p->try_index = 0; p->try_index < p->def->attempts && !good; p->try_index++) {
        RI_TRY(attempt(p, &good));
        p->preload *= 2.0;
        p->soft *= 0.25;
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
    if (!sim->built || sim->started)
        return ri_error(sim->ctx, RI_ERR_ARGUMENT, "placement comes between ri_sim_build and ri_sim_start");
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
               .contacts = sim->contacts,
               .def = &used,
               .gravity = sim->options.gravity,
               .passes = sim->options.passes};
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
