// SPDX-License-Identifier: Apache-2.0
/// \file
/// The laws of hard ground. With depth d (d' = -n.v), deflection xi, and A = (1 - n n^T) + (E - 1)
/// e e^T for a thread normal e,
///
///     F_n = max(0, k d + c (d' - u))                normal spring-damper without pull, on ground that melts away at u
///     y   = k_t xi + c_t v_t                        what the stick spring-damper would carry
///     F_t = -A y          and xi' = v_t             while |y| <= mu F_n
///     F_t = -A mu F_n y/|y| and c_t xi' + k_t xi = mu F_n y/|y|  beyond: sliding
///
/// Sliding steadily xi settles along v and F_t = -mu F_n (v^ + (E - 1)(v^.e) e): equation 6 of
/// EELS-DARTS, and Coulomb's law for E = 1. At rest xi carries the load and nothing creeps. Without
/// stick stiffness y = mu F_n v / max(|v|, creep). Tests: tests/contact/test_law.c.
///
/// Under a wheel on soil (RI_LAW_TERZAGHI) new ground comes at the speed V, and the deflection
/// creeps away with it at the slip S that the carried force needs: xi' = v_t - V S(F), F = k_t xi +
/// c_t xi', |F| < T. See terzaghi.c and docs/theory/roams.md.
#include <math.h>

#include "base/functions.h"
#include "contact/contacts.h"

const char *ri_law_name(RiLawKind kind)
{
    static const char *const names[RI_LAW_COUNT] = {"coulomb", "stribeck", "screw", "terzaghi"};
    return kind >= 0 && kind < RI_LAW_COUNT ? names[kind] : "?";
}

RiPairDef ri_pair_default(void)
{
    return (RiPairDef){.law = RI_LAW_COULOMB,
                       .stiffness = 1e5,
                       .damping = 1e3,
                       .soft = 1e-4,
                       .friction = 0.5,
                       .friction_static = 0.6,
                       .stribeck_speed = 0.01,
                       .stick_stiffness = NAN,
                       .stick_damping = NAN,
                       .creep = 1e-3,
                       .e0 = 1.0,
                       .e_min = 1.0,
                       .e_max = 100.0,
                       .backward = 1.0,
                       .density = NAN,
                       .friction_angle = NAN,
                       .cohesion = NAN,
                       .rolling_resistance = 0.05,
                       .slip_transition = 0.1,
                       .patch = 0.5};
}

/// Damping that comes in with depth, so that the force does not jump at touch.
static double damping_at(const RiPairDef *p, double depth)
{
    if (depth <= 0.0)
        return p->soft > 0.0 ? 0.0 : p->damping;
    return p->soft > 0.0 && depth < p->soft ? p->damping * depth / p->soft : p->damping;
}

double ri_pair_friction(const RiPairDef *p, double speed)
{
    double mu = p->friction;
    if (p->law == RI_LAW_STRIBECK) {
        const double x = speed / p->stribeck_speed;
        mu += (p->friction_static - p->friction) * ri_exp(-x * x);
    }
    return mu + p->viscous * speed;
}

double ri_thread_engagement(double engagement, double edge, double height)
{
    if (engagement <= 0.0 || height <= 0.0)
        return 1.0;
    if (edge <= 0.0)
        return 0.0;
    const double deep = edge / (engagement * height);
    return fmin(1.0, deep) * (edge > height ? height / edge : 1.0); // beyond its height the shank carries the rest
}

double ri_touch_anisotropy(const RiTouch *t, double pressing, RiVec3 v)
{
    const RiPairDef *p = t->pair;
    if (p->law != RI_LAW_SCREW || (t->thread.x == 0.0 && t->thread.y == 0.0 && t->thread.z == 0.0))
        return 1.0;
    double E = p->e0 + p->e1 * pressing;
    E = E < p->e_min ? p->e_min : E > p->e_max ? p->e_max : E;
    if (p->backward != 1.0) { // goes over smoothly where the sliding across the thread changes sign
        const double across = ri_dot(v, t->thread) / p->creep;
        E = 1.0 + (E - 1.0) * (across < 0.0 ? 1.0 + (p->backward - 1.0) * fmin(1.0, -across) : 1.0);
    }
    return p->engagement > 0.0 ? 1.0 + (E - 1.0) * ri_thread_engagement(p->engagement, t->edge, t->height) : E;
}

/// x + (E - 1)(x.e) e for x in the ground's plane.
static RiVec3 skew(const RiTouch *t, double E, RiVec3 x)
{
    return E == 1.0 ? x : ri_add(x, ri_scale((E - 1.0) * ri_dot(x, t->thread), t->thread));
}

static RiVec3 in_plane(const RiTouch *t, RiVec3 x)
{
    return ri_sub(x, ri_scale(ri_dot(x, t->normal), t->normal));
}

/// What of a stick force of size |y| the ground carries; b is dy/dv.
static double carried(const RiTouch *t, double limit, double y, double b)
{
    if (t->pair->law == RI_LAW_TERZAGHI)
        return ri_bearing_carried(y, limit, b * t->roll.renewed, t->roll.transition);
    return y > limit ? limit : y;
}

/// The share of a stick force of size |y| that is carried. Ground without friction carries none,
/// whatever y is.
static double share_of(const RiTouch *t, double limit, double y, double b)
{
    if (!(limit > 0.0))
        return 0.0;
    return y > 0.0 ? carried(t, limit, y, b) / y : 1.0;
}

/// Sinkage, traction and rolling resistance of a wheel on soil that presses with a force.
static void load_soil(const RiTouch *t, RiTouchForce *f)
{
    const RiRolling *r = &t->roll;
    const double ahead = fabs(ri_dot(r->v, r->ahead)), slow = t->pair->creep;
    f->sinkage = ri_bearing_sinkage(r->soil, f->pressing, r->radius, r->width);
    f->limit = ri_bearing_traction(r->soil, f->pressing, r->radius, r->width, f->sinkage);
    f->drag = t->pair->rolling_resistance * f->pressing / (ahead > slow ? ahead : slow);
}

RiTouchForce ri_touch_force(const RiTouch *t, RiVec3 v, RiVec3 xi, double h)
{
    const RiPairDef *p = t->pair;
    const double closing = -ri_dot(t->normal, v), c = damping_at(p, t->depth), k = p->stiffness;
    RiTouchForce f = {.gain = 1.0, .E = 1.0};
    const double pressing = k * (t->depth + h * closing) + c * (closing - t->recede);
    if (pressing <= 0.0 || t->depth + h * closing <= 0.0)
        return f;
    const RiVec3 vt = ri_add(v, ri_scale(closing, t->normal));
    const double speed = ri_norm(vt), kt = p->stick_stiffness;
    f.pressing = pressing;
    f.E = ri_touch_anisotropy(t, pressing, vt);
    if (p->law == RI_LAW_TERZAGHI)
        load_soil(t, &f);
    else
        f.limit = ri_pair_friction(p, speed) * pressing;
    RiVec3 y;
    double b; // dy/dv
    if (kt > 0.0) {
        b = h * kt + p->stick_damping;
        y = ri_add(ri_scale(kt, in_plane(t, xi)), ri_scale(b, vt));
        f.gain = share_of(t, f.limit, ri_norm(y), b);
    } else {
        b = f.limit / (speed > p->creep ? speed : p->creep);
        y = ri_scale(b, vt);
        f.gain = speed > p->creep ? 0.0 : 1.0;
    }
    const double share = kt > 0.0 ? f.gain : 1.0;
    f.force = ri_sub(ri_scale(pressing, t->normal), ri_scale(share, skew(t, f.E, y)));
    f.flat = share * b;
    f.along_n = h * k + c - f.flat;
    f.along_e = f.flat * (f.E - 1.0);
    return f;
}

double ri_touch_mismatch(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi, double h)
{
    const RiPairDef *p = t->pair;
    const double closing = -ri_dot(t->normal, v), depth = t->depth + h * closing;
    const double pressing = p->stiffness * depth + damping_at(p, t->depth) * (closing - t->recede);
    const bool presses = pressing > 0.0 && depth > 0.0;
    if (presses != (f->pressing > 0.0))
        return 1.0;
    if (!presses || !(p->stick_stiffness > 0.0))
        return 0.0;
    const RiVec3 vt = ri_add(v, ri_scale(closing, t->normal));
    const double kt = p->stick_stiffness, b = h * kt + p->stick_damping;
    const double size = ri_norm(ri_add(ri_scale(kt, in_plane(t, xi)), ri_scale(b, vt)));
    const double gain = share_of(t, f->limit, size, b);
    return gain == f->gain ? 0.0 : fabs(gain - f->gain) / gain;
}

RiVec3 ri_touch_deflect(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi, double h)
{
    const double kt = t->pair->stick_stiffness;
    if (!(kt > 0.0) || f->pressing <= 0.0)
        return ri_vec3(0.0, 0.0, 0.0);
    const RiVec3 x = in_plane(t, xi), vt = in_plane(t, v);
    const double b = h * kt + t->pair->stick_damping;
    const RiVec3 y = ri_add(ri_scale(kt, x), ri_scale(b, vt));
    const double share = share_of(t, f->limit, ri_norm(y), b);
    if (share == 1.0)
        return ri_add(x, ri_scale(h, vt));
    const RiVec3 rate = ri_scale(1.0 / b, ri_sub(ri_scale(share, y), ri_scale(kt, x)));
    return ri_add(x, ri_scale(h, rate));
}

RiVec3 ri_touch_deflection_rate(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi)
{
    const double kt = t->pair->stick_stiffness, ct = t->pair->stick_damping;
    if (!(kt > 0.0))
        return ri_vec3(0.0, 0.0, 0.0);
    const RiVec3 x = in_plane(t, xi), vt = in_plane(t, v);
    const RiVec3 y = ri_add(ri_scale(kt, x), ri_scale(ct, vt));
    const double share = share_of(t, f->limit, ri_norm(y), ct);
    if (share == 1.0)
        return vt;
    return ri_scale(1.0 / ct, ri_sub(ri_scale(share, y), ri_scale(kt, x)));
}

double ri_touch_energy(const RiTouch *t, RiVec3 xi)
{
    const double d = t->depth > 0.0 ? t->depth : 0.0, kt = t->pair->stick_stiffness;
    return 0.5 * t->pair->stiffness * d * d + (kt > 0.0 ? 0.5 * kt * ri_dot(xi, xi) : 0.0);
}

double ri_touch_loss(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi, RiVec3 rate)
{
    const double d = t->depth > 0.0 ? t->depth : 0.0, kt = t->pair->stick_stiffness;
    const double stored = -t->pair->stiffness * d * ri_dot(t->normal, v) + (kt > 0.0 ? kt * ri_dot(xi, rate) : 0.0);
    const double ahead = ri_dot(t->roll.v, t->roll.ahead);
    return -ri_dot(f->force, v) - stored + f->drag * ahead * ahead;
}
