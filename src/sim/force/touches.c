// SPDX-License-Identifier: Apache-2.0
/// \file
/// Touches: what of the robot touches the ground or another link. Contact with the ground
/// (ground_contact.c), between links (link_contact.c), melting and exact contact all work on this
/// list.
///
///     d, terrain --(find)--> list --(laws)--> force --(solve)--> after --(finish, report)--> deflections, infos, sums
///
/// The list has the touches with the ground first, in order of links, then those between links.
/// Every touch has a place, the same from step to step as long as it lasts: its stick deflection,
/// its last normal and its melt depth are kept there. Tests: tests/contact/test_contact.c,
/// tests/sim/test_pairs.c.
#include "sim/force/touches.h"

#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "base/hash.h"
#include "contact/rim.h"
#include "math/snap.h"
#include "sim/force/soil.h"

/// Features nearer than this speed times a tick are looked at [m/s]: nothing approaches faster.
static const double FAST = 5.0;
/// Relative error of a friction force up to which a step is settled.
static const double SETTLED = 0.01;

// --- building ------------------------------------------------------------------------------------

RiStatus ri_sim_set_contacts(RiSim *s, const RiContacts *contacts)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "contacts are set before ri_sim_build");
    if (contacts)
        RI_TRY(ri_method_require(s->ctx, s->options.method, RI_OFFERS_CONTACT, "contacts with the ground",
                                 "set contact to none instead"));
    if (contacts && contacts->pair_room)
        RI_TRY(ri_method_require(s->ctx, s->options.method, RI_OFFERS_LINK_CONTACT,
                                 "contacts between links (back_end hulls)", "set self to false instead"));
    s->contacts = contacts;
    return RI_OK;
}

const RiContacts *ri_sim_contacts(const RiSim *s)
{
    return s->contacts;
}

static bool present(const RiSim *s)
{
    return s->contacts != NULL;
}

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    RiTouches *x = s->touches;
    const size_t links = (size_t)s->contacts->slot_count + 1, places = (size_t)s->contacts->state_count;
    switch (part) {
    case RI_BLOCK_MOVING:
        x->deflection = ri_carve(block, at, places, sizeof *x->deflection);
        x->dragged = ri_carve(block, at, places, sizeof *x->dragged);
        x->held_normal = ri_carve(block, at, places, sizeof *x->held_normal);
        x->pool = ri_carve(block, at, (size_t)s->contacts->pair_room, sizeof *x->pool);
        x->out = ri_carve(block, at, links * RI_CONTACT_COUNT, sizeof *x->out);
        break;
    case RI_BLOCK_MEMORY:
        break;
    case RI_BLOCK_KEPT:
        x->laws = ri_carve(block, at, (size_t)s->contacts->pair_count, sizeof *x->laws);
        if (s->contacts->uses)
            x->numbers = ri_carve(block, at, (size_t)(s->contacts->given + 1) * RI_PLUGIN_OPTIONS, sizeof *x->numbers);
        break;
    }
}

/// Features whose touches leave_soft would take away at every find: they are not looked for.
static void skip_soft(RiSim *s)
{
    for (int l = 0; l < s->contacts->slot_count; l++) {
        const RiContactLink *link = &s->contacts->links[l];
        for (int i = link->first; i < link->first + link->count; i++)
            s->touches->work.skipped[i] = ri_soil_is_always_soft(s, link->link);
    }
}

static RiStatus build(RiSim *s)
{
    RiTouches *x = s->touches;
    RI_TRY(ri_laws_take(s));
    const size_t n = (size_t)s->contacts->state_count + 1;
    x->force = ri_arena_alloc(&s->arena, n, sizeof *x->force);
    x->applied = ri_arena_alloc(&s->arena, n, sizeof *x->applied);
    x->drag = ri_arena_alloc(&s->arena, n, sizeof *x->drag);
    x->work_done = ri_arena_alloc(&s->arena, n, sizeof *x->work_done);
    x->pressed = ri_arena_alloc(&s->arena, n, sizeof *x->pressed);
    x->after = ri_arena_alloc(&s->arena, n, sizeof *x->after);
    x->velocity = ri_arena_alloc(&s->arena, n, sizeof *x->velocity);
    x->info = ri_arena_alloc(&s->arena, n, sizeof *x->info);
    x->info_of = ri_arena_alloc(&s->arena, n, sizeof *x->info_of);
    if (!x->force || !x->applied || !x->drag || !x->work_done || !x->pressed || !x->after || !x->velocity || !x->info ||
        !x->info_of)
        return ri_error_memory(s->ctx);
    RI_TRY(ri_touch_work_create(&s->arena, s->contacts, &x->work));
    if (s->method->solves_contact)
        x->work.same = RI_RIM_SAME_EXACT;
    skip_soft(s);
    return RI_OK;
}

// --- finding -------------------------------------------------------------------------------------

/// Takes touches off the list that a law of soft soil answers for; a wheel that stands beside hard
/// ground touches its edge.
static void leave_soft(RiSim *s, double margin)
{
    int kept = 0;
    for (int i = 0; i < s->touches->count; i++) {
        RiTouch *t = &s->touches->list[i];
        if (!ri_soil_is_soft(s, s->contacts->links[t->slot].link, t->ground, t->normal) ||
            ri_soil_border_touch(s, margin, t))
            s->touches->list[kept++] = *t;
    }
    s->touches->count = kept;
}

void ri_touches_find(RiSim *s)
{
    RiTouches *x = s->touches;
    const double margin = FAST * s->options.tick;
    if (s->soil && ri_soil_find_lying(s))
        skip_soft(s);
    x->count = ri_contacts_find(s->contacts, s->d, margin, x->held_normal, &x->work);
    x->list = x->work.touches; // finding exchanges its two buffers
    if (s->soil)
        leave_soft(s, margin);
    x->ground_count = x->count;
    x->count = ri_contacts_find_pairs(s->contacts, margin, x->pool, &x->work, x->ground_count);
    for (int i = 0; i < x->count; i++) {
        RiTouch *t = &x->list[i];
        const int pair = (int)(t->pair - s->contacts->pairs);
        t->pair = x->laws + pair;
        t->use = ri_contacts_use(s->contacts, x->uses, pair);
        x->velocity[i] = t->fresh ? t->v : ri_add(t->v, x->dragged[t->place]);
    }
}

// --- a step --------------------------------------------------------------------------------------

void ri_sim_add_force(double *f, RiVec3 arm, RiVec3 force)
{
    const RiVec3 n = ri_cross(arm, force);
    f[0] += n.x, f[1] += n.y, f[2] += n.z, f[4] += force.x, f[5] += force.y, f[6] += force.z;
}

/// Velocity at the end of the step just solved of a point of a touch's link that now moves at v.
static RiVec3 velocity_after(const RiSim *s, const RiTouch *t, RiVec3 arm, RiVec3 v, RiVec3 more, double h)
{
    const RiSpatial a = ri_spatial_at(s->d->acc + 8 * (s->contacts->links[t->slot].body + 1));
    const RiVec3 rate = ri_add(ri_add(a.lin, s->d->gravity), ri_cross(a.ang, arm));
    return ri_add(v, ri_scale(h, ri_add(rate, more)));
}

RiVec3 ri_sim_velocity_after(const RiSim *s, const RiTouch *t, double h)
{
    const RiVec3 v = velocity_after(s, t, t->arm, t->v, t->rate, h);
    if (t->other < 0)
        return v;
    const RiSpatial b = ri_spatial_at(s->d->acc + 8 * (s->contacts->links[t->other].body + 1));
    return ri_sub(v, ri_scale(h, ri_add(ri_add(b.lin, s->d->gravity), ri_cross(b.ang, t->other_arm))));
}

RiVec3 ri_sim_hub_after(const RiSim *s, const RiTouch *t, double h)
{
    return velocity_after(s, t, t->roll.arm, t->roll.v, t->roll.rate, h);
}

static bool predict(RiSim *s, double h)
{
    RiTouches *x = s->touches;
    bool settled = true;
    for (int i = 0; i < x->count; i++) {
        const RiTouch *t = &x->list[i];
        x->after[i] = ri_sim_velocity_after(s, t, h);
        const RiVec3 xi = ri_sim_deflection(s, t);
        settled &= ri_touch_mismatch(t, &x->force[i], x->after[i], xi, h) < SETTLED;
    }
    return settled;
}

/// The laws of this list's other rows are then evaluated about the predicted velocities.
static void relinearize(RiSim *s, RiSlopes by)
{
    (void)by;
    memcpy(s->touches->velocity, s->touches->after, (size_t)s->touches->count * sizeof *s->touches->velocity);
}

void ri_touches_remember(RiSim *s, int i, double h)
{
    RiTouches *x = s->touches;
    const RiTouch *t = &x->list[i];
    const RiVec3 v = x->after[i], change = ri_sub(v, t->v);
    x->held_normal[t->place] = t->normal;
    x->dragged[t->place] = ri_sub(change, ri_scale(ri_dot(change, t->normal), t->normal));
    x->deflection[t->place] = ri_touch_deflect(t, &x->force[i], v, ri_sim_deflection(s, t), h);
}

/// Sinkage and slip of a wheel on soil, from the hub's and the rim's speed at the beginning of the
/// step.
static void report_rolling(const RiTouch *t, const RiTouchForce *f, RiTouchInfo *out)
{
    const RiRolling *r = &t->roll;
    if (!r->soil)
        return;
    const double ahead = ri_dot(r->v, r->ahead), rim = r->speed, slow = t->pair->creep;
    const double aside = ri_dot(r->v, ri_cross(t->normal, r->ahead)),
                 sign = (rim == 0.0 ? ahead : rim) < 0.0 ? -1.0 : 1.0;
    const double faster = fmax(fmax(fabs(ahead), fabs(rim)), slow);
    out->sinkage = f->sinkage;
    out->traction = f->limit;
    out->slip_ratio = sign * (rim - ahead) / faster;
    out->slip_angle = ri_hypot(ahead, aside) > slow ? ri_atan2(aside, fabs(ahead)) : 0.0;
    out->sliding = fabs(out->slip_ratio) > 3.0 * r->transition; // 95 % of the traction are in use
}

static void report_touch(RiSim *s, const RiTouch *t, const RiTouchForce *f, RiVec3 force, RiVec3 v)
{
    const double away = ri_dot(t->normal, v);
    s->touches->info_of[s->touches->info_count] = (int)(t - s->touches->list);
    RiTouchInfo *out = &s->touches->info[s->touches->info_count++];
    *out = (RiTouchInfo){.feature = t->feature,
                         .link = s->contacts->links[t->slot].link,
                         .other = t->other < 0 ? -1 : s->contacts->links[t->other].link,
                         .hull = t->solid,
                         .other_hull = t->other_solid,
                         .point = t->point,
                         .normal = t->normal,
                         .depth = t->depth,
                         .pressing = ri_dot(force, t->normal),
                         .force = force,
                         .slip = ri_sub(v, ri_scale(away, t->normal)),
                         .sliding = f->gain < 1.0,
                         .ground = t->ground};
    report_rolling(t, f, out);
}

void ri_sim_report_soil(const RiTouch *t, double pressing, RiTouchInfo *out)
{
    const RiRolling *r = &t->roll;
    if (!r->soil)
        return;
    const double sinkage = ri_bearing_sinkage(r->soil, pressing, r->radius, r->width);
    const RiTouchForce f = {.sinkage = sinkage,
                            .limit = ri_bearing_traction(r->soil, pressing, r->radius, r->width, sinkage)};
    out->slip = ri_sub(t->v, ri_scale(ri_dot(t->v, t->normal), t->normal));
    report_rolling(t, &f, out);
}

static void add_to_sum(double *sum, const RiTouchInfo *t)
{
    const double slip = ri_norm(t->slip);
    sum[RI_CONTACT_NORMAL] += t->pressing;
    if (t->depth > sum[RI_CONTACT_DEPTH])
        sum[RI_CONTACT_DEPTH] = t->depth;
    if (slip > sum[RI_CONTACT_SLIP])
        sum[RI_CONTACT_SLIP] = slip;
    if (t->sinkage > sum[RI_CONTACT_SINKAGE])
        sum[RI_CONTACT_SINKAGE] = t->sinkage;
    sum[RI_CONTACT_TRACTION] += t->traction;
    if (fabs(t->slip_ratio) > fabs(sum[RI_CONTACT_SLIP_RATIO]))
        sum[RI_CONTACT_SLIP_RATIO] = t->slip_ratio;
    if (fabs(t->slip_angle) > fabs(sum[RI_CONTACT_SLIP_ANGLE]))
        sum[RI_CONTACT_SLIP_ANGLE] = t->slip_angle;
    sum[RI_CONTACT_TOUCHING] += 1.0;
}

void ri_sim_sum_touches(RiSim *s)
{
    const RiContacts *c = s->contacts;
    double *all = s->touches->out + c->slot_count * RI_CONTACT_COUNT;
    memset(s->touches->out, 0, (size_t)(c->slot_count + 1) * RI_CONTACT_COUNT * sizeof *s->touches->out);
    for (int i = 0; i < s->touches->info_count; i++) {
        const RiTouchInfo *t = &s->touches->info[i];
        const RiTouch *from = &s->touches->list[s->touches->info_of[i]];
        add_to_sum(all, t);
        add_to_sum(s->touches->out + from->slot * RI_CONTACT_COUNT, t);
        if (from->other >= 0)
            add_to_sum(s->touches->out + from->other * RI_CONTACT_COUNT, t);
    }
}

void ri_sim_forget_place(RiSim *s, int state)
{
    s->touches->deflection[state] = s->touches->dragged[state] = s->touches->held_normal[state] =
        ri_vec3(0.0, 0.0, 0.0);
}

/// Forgets places from `first` on that no touch presses in.
static void forget_between(RiSim *s, int first, int end)
{
    for (int k = first; k < end; k++)
        if (!s->touches->pressed[k])
            ri_sim_forget_place(s, k);
}

/// Forgets all places that no touch presses in. Nothing is kept for links that did not touch in the
/// last step, whose sums still stand.
static void forget_others(RiSim *s)
{
    const RiContacts *c = s->contacts;
    RiTouches *x = s->touches;
    memset(x->pressed, 0, (size_t)c->state_count * sizeof *x->pressed);
    for (int i = 0; i < x->count; i++)
        x->pressed[x->list[i].place] |= x->force[i].pressing > 0.0;
    for (int l = 0; l < c->link_count; l++) {
        const RiContactLink *link = &c->links[l];
        if (!link->shaped || x->out[l * RI_CONTACT_COUNT + RI_CONTACT_TOUCHING] > 0.0)
            forget_between(s, c->state_first[link->first], c->state_first[link->first + link->count]);
    }
    forget_between(s, c->state_first[c->feature_count], c->state_count);
}

static void report(RiSim *s)
{
    RiTouches *x = s->touches;
    x->info_count = 0;
    for (int i = 0; i < x->count; i++)
        if (x->force[i].pressing > 0.0)
            report_touch(s, &x->list[i], &x->force[i], x->applied[i], x->after[i]);
    forget_others(s);
    ri_sim_sum_touches(s);
}

/// Work of all touches at the mean velocity of the step. Melting needs it touch by touch.
static void account(RiSim *s, double h, RiSlopes by)
{
    RiTouches *x = s->touches;
    (void)by;
    for (int i = 0; i < x->count; i++) {
        const RiTouch *t = &x->list[i];
        x->work_done[i] = 0.0;
        if (x->force[i].pressing <= 0.0)
            continue;
        const int link = s->contacts->links[t->slot].link;
        RiVec3 share = ri_dyn_point_share(s->d, link, t->point);
        if (t->other >= 0)
            share = ri_sub(share, ri_dyn_point_share(s->d, s->contacts->links[t->other].link, t->point));
        x->work_done[i] = h * ri_dot(x->applied[i], ri_add(t->v, ri_scale(0.5 * h, share)));
        s->head->contact_work += x->work_done[i];
        if (x->force[i].drag > 0.0) {
            const RiVec3 hub = ri_dyn_point_share(s->d, link, t->roll.hub);
            s->head->contact_work += h * ri_dot(x->drag[i], ri_add(t->roll.v, ri_scale(0.5 * h, hub)));
        }
    }
}

/// Reports the forces of the current state, for methods that do not end a step with them.
static void report_now(RiSim *s)
{
    s->touches->info_count = 0;
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const RiTouchForce f = ri_touch_force(t, t->v, s->touches->deflection[t->place], 0.0);
        if (f.pressing <= 0.0)
            continue;
        s->touches->held_normal[t->place] = t->normal;
        report_touch(s, t, &f, f.force, t->v);
    }
    ri_sim_sum_touches(s);
}

static void snap(RiSim *s)
{
    const RiContacts *c = s->contacts;
    const int ground = c->state_first[c->feature_count];
    for (int l = 0; l < c->link_count; l++) {
        const RiContactLink *x = &c->links[l];
        const int first = c->state_first[x->first], end = c->state_first[x->first + x->count];
        if (!x->shaped || s->method->integrates_loss ||
            s->touches->out[l * RI_CONTACT_COUNT + RI_CONTACT_TOUCHING] > 0.0)
            ri_snap(&s->touches->deflection[first].x, 3 * (size_t)(end - first));
    }
    ri_snap(&s->touches->deflection[ground].x, 3 * (size_t)(c->state_count - ground));
}

static void end_tick(RiSim *s)
{
    if (s->method->integrates_loss) // it does not end its steps with finish and report
        report_now(s);
}

static double stored(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->touches->count; i++)
        energy += ri_touch_energy(&s->touches->list[i], ri_sim_deflection(s, &s->touches->list[i]));
    return energy;
}

// --- names and fingerprint -----------------------------------------------------------------------

static RiStatus name_values(RiSim *s)
{
    static const char *const names[RI_CONTACT_COUNT] = {"normal",  "depth",    "slip",       "touching",
                                                        "sinkage", "traction", "slip_ratio", "slip_angle"};
    static const char *const units[RI_CONTACT_COUNT] = {"N", "m", "m/s", "", "m", "N", "", "rad"};
    static const char *const docs[RI_CONTACT_COUNT] = {
        "sum of normal forces from the ground and other links",
        "deepest penetration",
        "fastest sliding of a touching point",
        "number of touches",
        "sinkage of a wheel into soil, estimated from its load",
        "traction that the soil can give",
        "slip of a wheel on soil: -1 locked, 1 spinning, above 1 sliding back",
        "slip angle of a wheel on soil"};
    const RiContacts *c = s->contacts;
    for (int l = 0; l <= c->slot_count; l++)
        for (int k = 0; k < RI_CONTACT_COUNT; k++) {
            char name[512];
            if (l < c->slot_count)
                snprintf(name, sizeof name, "contact.%.380s.%s", s->m->links[c->links[l].link].name, names[k]);
            else
                snprintf(name, sizeof name, "contact.%s", names[k]);
            RiValue v = ri_value_default();
            v.name = name;
            v.unit = units[k];
            v.doc = docs[k];
            v.kind = RI_VALUE_OUTPUT;
            v.at = s->touches->out + l * RI_CONTACT_COUNT + k;
            v.writable = false;
            RI_TRY(ri_values_add(s->values, &v));
        }
    return ri_laws_name(s);
}

static uint64_t fingerprint(const RiSim *s, uint64_t h)
{
    const RiContacts *c = s->contacts;
    for (int i = 0; i < c->feature_count; i++) {
        h = ri_hash_text(h, c->features[i].name);
        h = ri_hash(h, &c->features[i].centre, sizeof c->features[i].centre);
        h = ri_hash(h, &c->features[i].crown, sizeof c->features[i].crown);
        h = ri_hash(h, &c->features[i].low, sizeof c->features[i].low);
    }
    for (int i = 0; i < c->solid_count; i++) {
        const RiSolid *x = &c->solids[i];
        h = ri_hash(ri_hash_text(h, x->name), x->hull.points, (size_t)x->hull.point_count * sizeof *x->hull.points);
    }
    return ri_laws_fingerprint(c, h);
}

const RiForceKind ri_force_touches = {
    .name = "touches",
    .is_contact = true,
    .present = present,
    .watch = ri_laws_watch,
    .lay_out = lay_out,
    .build = build,
    .name_values = name_values,
    .fingerprint = fingerprint,
    .check = ri_laws_check,
    .find = ri_touches_find,
    .predict = predict,
    .relinearize = relinearize,
    .snap = snap,
    .report = report,
    .account = account,
    .end_tick = end_tick,
    .stored = stored,
    .check_validity = ri_laws_check_validity,
};

// --- the part of the state that is zero unless bodies touch --------------------------------------

bool ri_touches_are_quiet(const RiSim *s)
{
    const RiContacts *c = s->contacts;
    if (!c || s->method->integrates_loss || s->method->solves_contact || c->shaped_first == c->link_count)
        return false;
    for (int l = c->shaped_first; l < c->link_count; l++)
        if (s->touches->out[l * RI_CONTACT_COUNT + RI_CONTACT_TOUCHING] > 0.0)
            return false;
    return true;
}

char *ri_touches_quiet_part(const RiSim *s, int array, size_t *out_size)
{
    const RiContacts *c = s->contacts;
    RiVec3 *const arrays[RI_QUIET_ARRAYS] = {s->touches->deflection, s->touches->dragged, s->touches->held_normal};
    const int first = c->state_first[c->links[c->shaped_first].first], end = c->state_first[c->feature_count];
    *out_size = (size_t)(end - first) * sizeof(RiVec3);
    return (char *)(arrays[array] + first);
}

// --- questions -----------------------------------------------------------------------------------

int ri_sim_touch_count(const RiSim *s)
{
    return s->touches->info_count;
}

const RiTouchInfo *ri_sim_touch(const RiSim *s, int touch)
{
    return &s->touches->info[touch];
}
