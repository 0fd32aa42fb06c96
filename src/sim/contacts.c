// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contacts within a step: touches at its beginning, forces linearised for its end, deflections and books after the solve.
///
/// A law gives F(v) and a slope S about a velocity w of the touching point, so at the end of a step with v+ = v + h (J a + rate)
///
///     F+ = F(w) - S (v + h (J a + rate) - w)
///
/// h S becomes inertia of the body, the rest a force. The first pass takes for w the sliding velocity as it would go on changing; where the
/// v+ that comes out calls for another friction force, or a touch would pull, a further pass takes that v+.
#include <stdio.h>
#include <string.h>

#include "sim/internal.h"

/// Faster than anything that should come as a surprise [m/s]: features nearer than a step of it are looked at.
static const double FAST = 5.0;
/// Relative error of a friction force that is left alone.
static const double SETTLED = 0.01;

RiStatus ri_sim_set_contacts(RiSim *s, const RiContacts *contacts)
{
    if (s->built)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "contacts are set before ri_sim_build");
    if (contacts && s->options.method == RI_METHOD_RK4)
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "integrator rk4 is for smooth motion: with contact take implicit, semi-implicit, cvode or moreau, or "
            "set contact to none");
    if (contacts && contacts->pair_room && s->options.method == RI_METHOD_CVODE)
        return ri_error(s->ctx, RI_ERR_ARGUMENT,
                        "integrator cvode knows the ground only: with back_end hulls take implicit, semi-implicit or "
                        "moreau, or set self to false");
    s->contacts = contacts;
    return RI_OK;
}

const RiContacts *ri_sim_contacts(const RiSim *s)
{
    return s->contacts;
}

RiStatus ri_sim_allocate_contacts(RiSim *s)
{
    if (!s->contacts)
        return RI_OK;
    ri_sim_take_pairs(s);
    const size_t n = (size_t)s->contacts->state_count + 1;
    s->touch_force = ri_arena_alloc(&s->arena, n, sizeof *s->touch_force);
    s->touch_applied = ri_arena_alloc(&s->arena, n, sizeof *s->touch_applied);
    s->touch_drag = ri_arena_alloc(&s->arena, n, sizeof *s->touch_drag);
    s->pressed = ri_arena_alloc(&s->arena, n, sizeof *s->pressed);
    s->touch_after = ri_arena_alloc(&s->arena, n, sizeof *s->touch_after);
    s->touch_velocity = ri_arena_alloc(&s->arena, n, sizeof *s->touch_velocity);
    s->touch_info = ri_arena_alloc(&s->arena, n, sizeof *s->touch_info);
    s->touch_of = ri_arena_alloc(&s->arena, n, sizeof *s->touch_of);
    s->cg = ri_arena_alloc(&s->arena, RI_CG_VECTORS * RI_MEETS * (size_t)s->contacts->pair_room + 1, sizeof *s->cg);
    s->pair_scratch = ri_arena_alloc(&s->arena, (size_t)s->m->nv + 1, sizeof *s->pair_scratch);
    if (!s->touch_of || !s->cg || !s->pair_scratch || !s->pressed || !s->touch_drag || !s->touch_after ||
        !s->touch_applied || !s->touch_force || !s->touch_velocity || !s->touch_info)
        return ri_error_memory(s->ctx);
    RI_TRY(ri_touch_work_create(&s->arena, s->contacts, &s->touch));
    for (int l = 0; s->soil && l < s->contacts->slot_count; l++) { // leave_soft would take them away
        const RiContactLink *x = &s->contacts->links[l];
        for (int i = x->first; i < x->first + x->count; i++)
            s->touch.skipped[i] = ri_sim_is_always_soft(s, x->link);
    }
    return RI_OK;
}

/// Takes touches off the list that a law of soft soil answers for; a wheel that stands beside hard ground touches its edge.
static void leave_soft(RiSim *s, double margin)
{
    int kept = 0;
    for (int i = 0; i < s->touch_count; i++) {
        RiTouch *t = &s->touch.touches[i];
        if (!ri_sim_is_soft(s, s->contacts->links[t->slot].link, t->ground) || ri_sim_border_touch(s, margin, t))
            s->touch.touches[kept++] = *t;
    }
    s->touch_count = kept;
}

/// Touches at the current state of d.
static void find_touches(RiSim *s)
{
    const double margin = FAST * s->options.tick;
    s->touch_count = ri_contacts_find(s->contacts, s->d, margin, s->held_normal, &s->touch);
    if (s->soil || s->soil_screws)
        leave_soft(s, margin);
    s->ground_count = s->touch_count;
    s->touch_count = ri_contacts_find_pairs(s->contacts, margin, s->pool, &s->touch, s->ground_count);
    for (int i = 0; i < s->touch_count; i++) {
        RiTouch *t = &s->touch.touches[i];
        t->pair = s->pairs + (t->pair - s->contacts->pairs);
        ri_sim_melt_touch(s, t);
        s->touch_velocity[i] = t->fresh ? t->v : ri_add(t->v, s->dragged[t->state]);
    }
}

void ri_sim_find_contacts(RiSim *s)
{
    if (s->contacts)
        find_touches(s);
    ri_sim_find_soil(s);
}

/// J^T E J and the wrench of all touches of one link, about the origin of its body's region.
typedef struct LinkLoad {
    double X[48], f[8];
} LinkLoad;

/// X += a u u^T with u = (arm x u, u)
static void add_direction(double *X, RiVec3 arm, RiVec3 u, double a)
{
    const RiVec3 n = ri_cross(arm, u);
    const double x[8] = {n.x, n.y, n.z, 0.0, u.x, u.y, u.z, 0.0};
    for (int k = 0; k < 6; k++) {
        const double s = a * x[k < 3 ? k : k + 1];
        for (int r = 0; r < 8; r++)
            X[8 * k + r] += s * x[r];
    }
}

/// X += a (-[arm]x 1)^T (-[arm]x 1): a in every direction.
static void add_isotropic(double *X, RiVec3 p, double a)
{
    const double xx = a * p.x * p.x, yy = a * p.y * p.y, zz = a * p.z * p.z;
    const double xy = a * p.x * p.y, xz = a * p.x * p.z, yz = a * p.y * p.z;
    const double x = a * p.x, y = a * p.y, z = a * p.z;
    X[0] += yy + zz, X[1] -= xy, X[2] -= xz, X[5] += -z, X[6] += y;
    X[8] -= xy, X[9] += xx + zz, X[10] -= yz, X[12] += z, X[14] += -x;
    X[16] -= xz, X[17] -= yz, X[18] += xx + yy, X[20] += -y, X[21] += x;
    X[25] += z, X[26] += -y, X[28] += a;
    X[32] += -z, X[34] += x, X[37] += a;
    X[40] += y, X[41] += -x, X[46] += a;
}

void ri_sim_add_force(double *f, RiVec3 arm, RiVec3 force)
{
    const RiVec3 n = ri_cross(arm, force);
    f[0] += n.x, f[1] += n.y, f[2] += n.z, f[4] += force.x, f[5] += force.y, f[6] += force.z;
}

/// Rolling resistance at a wheel's hub: -drag times its speed ahead at the end of the step.
static void load_drag(const RiTouch *t, const RiTouchForce *f, double h, LinkLoad *load)
{
    const RiRolling *r = &t->roll;
    const double speed = ri_dot(r->ahead, ri_add(r->v, ri_scale(h, r->rate)));
    if (h > 0.0)
        add_direction(load->X, r->arm, r->ahead, h * f->drag);
    ri_sim_add_force(load->f, r->arm, ri_scale(-f->drag * speed, r->ahead));
}

/// One touch: its force linearised for the end of the step.
static void load_touch(RiSim *s, int i, double h, LinkLoad *load)
{
    const RiTouch *t = &s->touch.touches[i];
    RiTouchForce *f = &s->touch_force[i];
    const RiVec3 w = s->touch_velocity[i];
    *f = ri_touch_force(t, w, ri_sim_deflection(s, t), h);
    if (f->pressing <= 0.0)
        return;
    if (f->drag > 0.0)
        load_drag(t, f, h, load);
    RiVec3 force = f->force;
    if (h > 0.0) {
        force = ri_add(force, ri_touch_slope(t, f, ri_sub(ri_sub(w, t->v), ri_scale(h, t->rate))));
        add_isotropic(load->X, t->arm, h * f->flat);
        add_direction(load->X, t->arm, t->normal, h * f->along_n);
        if (f->along_e != 0.0)
            add_direction(load->X, t->arm, t->thread, h * f->along_e);
    }
    ri_sim_add_force(load->f, t->arm, force);
    s->touch_applied[i] = force;
}

/// A touch of two links without slopes: the same force on both.
static void apply_pair(RiSim *s, int i)
{
    const RiTouch *t = &s->touch.touches[i];
    RiTouchForce *f = &s->touch_force[i];
    double here[8] = {0.0}, there[8] = {0.0};
    *f = ri_touch_force(t, s->touch_velocity[i], ri_sim_deflection(s, t), 0.0);
    s->touch_applied[i] = f->force;
    ri_sim_add_force(here, t->arm, f->force);
    ri_sim_add_force(there, t->other_arm, ri_scale(-1.0, f->force));
    ri_dyn_add_link_load(s->d, s->contacts->links[t->slot].link, NULL, here);
    ri_dyn_add_link_load(s->d, s->contacts->links[t->other].link, NULL, there);
}

void ri_sim_apply_contacts(RiSim *s, double h)
{
    for (int i = s->ground_count; i < s->touch_count && h == 0.0; i++)
        apply_pair(s, i);
    for (int i = 0; i < s->ground_count;) {
        const int slot = s->touch.touches[i].slot;
        LinkLoad load = {{0.0}, {0.0}};
        for (; i < s->ground_count && s->touch.touches[i].slot == slot; i++)
            load_touch(s, i, h, &load);
        ri_dyn_add_link_load(s->d, s->contacts->links[slot].link, h > 0.0 ? load.X : NULL, load.f);
    }
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

bool ri_sim_predict_contacts(RiSim *s, double h)
{
    bool settled = true;
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        s->touch_after[i] = ri_sim_velocity_after(s, t, h);
        const RiVec3 xi = ri_sim_deflection(s, t);
        settled &= ri_touch_mismatch(t, &s->touch_force[i], s->touch_after[i], xi, h) < SETTLED;
    }
    return settled;
}

void ri_sim_relinearize_contacts(RiSim *s)
{
    memcpy(s->touch_velocity, s->touch_after, (size_t)s->touch_count * sizeof *s->touch_velocity);
}

/// Sinkage and slip of a wheel on soil, from the hub's and the rim's speed at the beginning of the step.
static void report_rolling(const RiTouch *t, const RiTouchForce *f, RiTouchInfo *out)
{
    const RiRolling *r = &t->roll;
    if (!r->soil)
        return;
    const double ahead = ri_dot(r->v, r->ahead), rim = r->speed, slow = t->pair->creep;
    const double aside = ri_dot(r->v, ri_cross(t->normal, r->ahead)), sign = rim < 0.0 ? -1.0 : 1.0;
    const double faster = fmax(fmax(fabs(ahead), fabs(rim)), slow);
    out->sinkage = f->sinkage;
    out->traction = f->limit;
    out->slip_ratio = sign * (rim - ahead) / faster;
    out->slip_angle = hypot(ahead, aside) > slow ? atan2(aside, fabs(ahead)) : 0.0;
    out->sliding = fabs(out->slip_ratio) > 3.0 * r->transition; // 95 % of the traction are in use
}

static void report_touch(RiSim *s, const RiTouch *t, const RiTouchForce *f, RiVec3 force, RiVec3 v)
{
    const double away = ri_dot(t->normal, v);
    s->touch_of[s->touch_info_count] = (int)(t - s->touch.touches);
    RiTouchInfo *out = &s->touch_info[s->touch_info_count++];
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
    double *all = s->contact_out + c->slot_count * RI_CONTACT_COUNT;
    memset(s->contact_out, 0, (size_t)(c->slot_count + 1) * RI_CONTACT_COUNT * sizeof *s->contact_out);
    for (int i = 0; i < s->touch_info_count; i++) {
        const RiTouchInfo *t = &s->touch_info[i];
        const RiTouch *from = &s->touch.touches[s->touch_of[i]];
        add_to_sum(all, t);
        add_to_sum(s->contact_out + from->slot * RI_CONTACT_COUNT, t);
        if (from->other >= 0)
            add_to_sum(s->contact_out + from->other * RI_CONTACT_COUNT, t);
    }
}

void ri_sim_forget_place(RiSim *s, int state)
{
    s->deflection[state] = s->dragged[state] = s->held_normal[state] = ri_vec3(0.0, 0.0, 0.0);
}

/// Forgets all places that no touch presses in.
static void forget_others(RiSim *s)
{
    const size_t n = (size_t)s->contacts->state_count;
    memset(s->pressed, 0, n * sizeof *s->pressed);
    for (int i = 0; i < s->touch_count; i++)
        s->pressed[s->touch.touches[i].state] |= s->touch_force[i].pressing > 0.0;
    for (size_t k = 0; k < n; k++)
        if (!s->pressed[k])
            ri_sim_forget_place(s, (int)k);
}

/// What rolling resistance came to, in place of what was put on the robot before the solve.
static void finish_drag(RiSim *s, int i, double h, double *more)
{
    const RiTouch *t = &s->touch.touches[i];
    const RiRolling *r = &t->roll;
    const RiVec3 after = velocity_after(s, t, r->arm, r->v, r->rate, h), put = ri_add(r->v, ri_scale(h, r->rate));
    const double drag = s->touch_force[i].drag, speed = ri_dot(after, r->ahead);
    ri_sim_add_force(more, r->arm, ri_scale(drag * (ri_dot(put, r->ahead) - speed), r->ahead));
    s->touch_drag[i] = ri_scale(-drag * speed, r->ahead);
}

/// The force of a touch with the ground as it was at the end of the step, with v there.
static void take_end_force(RiSim *s, int i, RiVec3 v, double h)
{
    const RiTouch *t = &s->touch.touches[i];
    const RiTouchForce *f = &s->touch_force[i];
    const RiVec3 force = ri_sub(f->force, ri_touch_slope(t, f, ri_sub(v, s->touch_velocity[i])));
    double more[8] = {0.0};
    ri_sim_add_force(more, t->arm, ri_sub(force, s->touch_applied[i]));
    if (f->drag > 0.0)
        finish_drag(s, i, h, more);
    ri_dyn_correct_link_wrench(s->d, s->contacts->links[t->slot].link, more);
    s->touch_applied[i] = force;
}

void ri_sim_keep_pool(RiSim *s)
{
    if (!s->contacts->pair_room)
        return;
    memcpy(s->pool, s->touch.pairs.next, (size_t)s->contacts->pair_room * sizeof *s->pool);
    if (s->touch.pairs.full)
        ri_sim_report_validity(s, s->pair_flag);
}

void ri_sim_finish_contacts(RiSim *s, double h)
{
    if (!s->contacts)
        return;
    s->touch_info_count = 0;
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        const RiTouchForce *f = &s->touch_force[i];
        if (f->pressing <= 0.0)
            continue;
        const RiVec3 v = s->touch_after[i], change = ri_sub(v, t->v);
        s->held_normal[t->state] = t->normal;
        s->dragged[t->state] = ri_sub(change, ri_scale(ri_dot(change, t->normal), t->normal));
        if (t->other < 0)
            take_end_force(s, i, v, h);
        s->deflection[t->state] = ri_touch_deflect(t, f, v, ri_sim_deflection(s, t), h);
        report_touch(s, t, f, s->touch_applied[i], v);
    }
    ri_sim_keep_pool(s);
    forget_others(s);
    ri_sim_sum_touches(s);
}

void ri_sim_account_contacts(RiSim *s, double h)
{
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        if (s->touch_force[i].pressing <= 0.0)
            continue;
        const int link = s->contacts->links[t->slot].link;
        RiVec3 share = ri_dyn_point_share(s->d, link, t->point);
        if (t->other >= 0)
            share = ri_sub(share, ri_dyn_point_share(s->d, s->contacts->links[t->other].link, t->point));
        const double work = h * ri_dot(s->touch_applied[i], ri_add(t->v, ri_scale(0.5 * h, share)));
        s->head->contact_work += work;
        if (t->other < 0)
            ri_sim_melt_work(s, t->slot, work);
        if (s->touch_force[i].drag > 0.0) {
            const RiVec3 hub = ri_dyn_point_share(s->d, link, t->roll.hub);
            s->head->contact_work += h * ri_dot(s->touch_drag[i], ri_add(t->roll.v, ri_scale(0.5 * h, hub)));
        }
    }
}

void ri_sim_contact_rates(RiSim *s, const double *xi, double *out_rate, double *lost)
{
    const RiContacts *c = s->contacts;
    const RiVec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < c->state_count; i++) { // in the air a deflection goes back
        const RiPairDef *p = ri_sim_pair(s, c->feature_of[i], 0);
        for (int k = 0; k < 3; k++)
            out_rate[3 * i + k] =
                p->stick_stiffness > 0.0 ? -p->stick_stiffness / p->stick_damping * xi[3 * i + k] : 0.0;
    }
    find_touches(s);
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        const double *at = xi + 3 * t->state;
        const RiVec3 x = ri_vec3(at[0], at[1], at[2]);
        const RiTouchForce f = ri_touch_force(t, t->v, x, 0.0);
        const RiVec3 rate = ri_touch_deflection_rate(t, &f, t->v, x);
        double *out = out_rate + 3 * t->state;
        out[0] = rate.x, out[1] = rate.y, out[2] = rate.z;
        *lost += ri_touch_loss(t, &f, t->v, x, rate);
        if (f.pressing <= 0.0)
            continue;
        ri_dyn_add_wrench(s->d, c->links[t->slot].link, f.force, zero, t->point);
        if (f.drag > 0.0) {
            const RiVec3 drag = ri_scale(-f.drag * ri_dot(t->roll.v, t->roll.ahead), t->roll.ahead);
            ri_dyn_add_wrench(s->d, c->links[t->slot].link, drag, zero, t->roll.hub);
        }
    }
}

/// Reports the forces of the current state, for methods that do not end a step with them.
static void report_now(RiSim *s)
{
    s->touch_info_count = 0;
    for (int i = 0; i < s->touch_count; i++) {
        const RiTouch *t = &s->touch.touches[i];
        const RiTouchForce f = ri_touch_force(t, t->v, s->deflection[t->state], 0.0);
        if (f.pressing <= 0.0)
            continue;
        s->held_normal[t->state] = t->normal;
        report_touch(s, t, &f, f.force, t->v);
    }
    ri_sim_sum_touches(s);
}

double ri_sim_contact_energy(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->touch_count; i++)
        energy += ri_touch_energy(&s->touch.touches[i], ri_sim_deflection(s, &s->touch.touches[i]));
    return energy + ri_sim_soil_energy(s);
}

void ri_sim_book_contacts(RiSim *s)
{
    if (!s->contacts)
        return;
    ri_sim_melt(s);
    const double stored = ri_sim_contact_energy(s);
    if (s->options.method == RI_METHOD_CVODE)
        report_now(s);
    else
        s->head->dissipated -= s->head->contact_work + stored - s->head->contact_stored;
    s->head->contact_work = 0.0;
    s->head->contact_stored = stored;
}

RiStatus ri_sim_name_contacts(RiSim *s)
{
    static const char *const names[RI_CONTACT_COUNT] = {"normal",  "depth",    "slip",       "touching",
                                                        "sinkage", "traction", "slip_ratio", "slip_angle"};
    static const char *const units[RI_CONTACT_COUNT] = {"N", "m", "m/s", "", "m", "N", "", "rad"};
    static const char *const docs[RI_CONTACT_COUNT] = {"sum of normal forces from the ground and other links",
                                                       "deepest penetration",
                                                       "fastest sliding of a touching point",
                                                       "number of touches",
                                                       "sinkage of a wheel into soil, estimated from its load",
                                                       "traction that the soil can give",
                                                       "slip of a wheel on soil, 1 - v / (r w) driving",
                                                       "slip angle of a wheel on soil"};
    const RiContacts *c = s->contacts;
    for (int l = 0; c && l <= c->slot_count; l++)
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
            v.at = s->contact_out + l * RI_CONTACT_COUNT + k;
            v.writable = false;
            RI_TRY(ri_values_add(s->values, &v));
        }
    return ri_sim_name_pairs(s);
}

int ri_sim_touch_count(const RiSim *s)
{
    return s->touch_info_count;
}

const RiTouchInfo *ri_sim_touch(const RiSim *s, int touch)
{
    return &s->touch_info[touch];
}
