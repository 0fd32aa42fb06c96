// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact with the ground within a step.
///
/// A law gives F(v) and a slope S about a velocity w of the touching point, so at the end of a step
/// with v+ = v + h (J a + rate)
///
///     F+ = F(w) - S (v + h (J a + rate) - w)
///
/// h S becomes inertia of the body, the rest a force. The first pass takes for w the sliding
/// velocity as it would go on changing (touches.c). Where the v+ that comes out calls for another
/// friction force, or a touch would pull, a further pass takes that v+. Tests:
/// tests/contact/test_contact.c.
#include "sim/force/touches.h"

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
    const RiTouch *t = &s->touches->list[i];
    const RiTouchForce *f = &s->touches->force[i];
    if (f->pressing <= 0.0)
        return;
    if (f->drag > 0.0)
        load_drag(t, f, h, load);
    RiVec3 force = f->force;
    if (h > 0.0) {
        const RiVec3 w = s->touches->velocity[i];
        force = ri_add(force, ri_touch_slope(t, f, ri_sub(ri_sub(w, t->v), ri_scale(h, t->rate))));
        add_isotropic(load->X, t->arm, h * f->flat);
        add_direction(load->X, t->arm, t->normal, h * f->along_n);
        if (f->along_e != 0.0)
            add_direction(load->X, t->arm, t->thread, h * f->along_e);
    }
    ri_sim_add_force(load->f, t->arm, force);
    s->touches->applied[i] = force;
}

static void evaluate(RiSim *s, RiSlopes by)
{
    RiTouches *x = s->touches;
    for (int i = 0; i < x->ground_count; i++)
        x->force[i] = ri_touch_force(&x->list[i], x->velocity[i], ri_sim_deflection(s, &x->list[i]), by.c);
}

static void apply(RiSim *s, RiSlopes by)
{
    const RiTouches *x = s->touches;
    for (int i = 0; i < x->ground_count;) {
        const int slot = x->list[i].slot;
        LinkLoad load = {{0.0}, {0.0}};
        for (; i < x->ground_count && x->list[i].slot == slot; i++)
            load_touch(s, i, by.c, &load);
        ri_dyn_add_link_load(s->d, s->contacts->links[slot].link, by.c > 0.0 ? load.X : NULL, load.f);
    }
}

/// What rolling resistance came to, in place of what was put on the robot before the solve.
static void finish_drag(RiSim *s, int i, double h, double *more)
{
    const RiTouch *t = &s->touches->list[i];
    const RiRolling *r = &t->roll;
    const RiVec3 after = ri_sim_hub_after(s, t, h), put = ri_add(r->v, ri_scale(h, r->rate));
    const double drag = s->touches->force[i].drag, speed = ri_dot(after, r->ahead);
    ri_sim_add_force(more, r->arm, ri_scale(drag * (ri_dot(put, r->ahead) - speed), r->ahead));
    s->touches->drag[i] = ri_scale(-drag * speed, r->ahead);
}

/// The force of a touch with the ground as it was at the end of the step, with v there.
static void take_end_force(RiSim *s, int i, RiVec3 v, double h)
{
    const RiTouch *t = &s->touches->list[i];
    const RiTouchForce *f = &s->touches->force[i];
    const RiVec3 force = ri_sub(f->force, ri_touch_slope(t, f, ri_sub(v, s->touches->velocity[i])));
    double more[8] = {0.0};
    ri_sim_add_force(more, t->arm, ri_sub(force, s->touches->applied[i]));
    if (f->drag > 0.0)
        finish_drag(s, i, h, more);
    ri_dyn_correct_link_wrench(s->d, s->contacts->links[t->slot].link, more);
    s->touches->applied[i] = force;
}

static RiStatus finish(RiSim *s, double h)
{
    RiTouches *x = s->touches;
    for (int i = 0; i < x->ground_count; i++)
        if (x->force[i].pressing > 0.0) {
            take_end_force(s, i, x->after[i], h);
            ri_touches_remember(s, i, h);
        }
    return RI_OK;
}

/// Forces now for a method that integrates deflections xi: on d, with the rates of xi and the power
/// that is lost.
static void flow(RiSim *s, RiFlow *flow)
{
    const double *xi = flow->xi;
    double *out_rate = flow->xi_rate;
    const RiContacts *c = s->contacts;
    const RiVec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < c->state_count; i++) { // in the air a deflection goes back
        const RiPairDef *p = ri_sim_pair(s, c->feature_of[i], 0);
        for (int k = 0; k < 3; k++)
            out_rate[3 * i + k] =
                p->stick_stiffness > 0.0 ? -p->stick_stiffness / p->stick_damping * xi[3 * i + k] : 0.0;
    }
    ri_touches_find(s);
    for (int i = 0; i < s->touches->count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const double *at = xi + 3 * t->place;
        const RiVec3 x = ri_vec3(at[0], at[1], at[2]);
        const RiTouchForce f = ri_touch_force(t, t->v, x, 0.0);
        const RiVec3 rate = ri_touch_deflection_rate(t, &f, t->v, x);
        double *out = out_rate + 3 * t->place;
        out[0] = rate.x, out[1] = rate.y, out[2] = rate.z;
        flow->lost += ri_touch_loss(t, &f, t->v, x, rate);
        if (f.pressing <= 0.0)
            continue;
        ri_dyn_add_wrench(s->d, c->links[t->slot].link, f.force, zero, t->point);
        if (f.drag > 0.0) {
            const RiVec3 drag = ri_scale(-f.drag * ri_dot(t->roll.v, t->roll.ahead), t->roll.ahead);
            ri_dyn_add_wrench(s->d, c->links[t->slot].link, drag, zero, t->roll.hub);
        }
    }
}

static bool present(const RiSim *s)
{
    return s->contacts != NULL;
}

const RiForceKind ri_force_ground_contact = {
    .name = "contact with the ground",
    .is_contact = true,
    .present = present,
    .evaluate = evaluate,
    .apply = apply,
    .relinearize = evaluate,
    .finish = finish,
    .flow = flow,
};
