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
///
/// A law of a plugin (RI_LAW_PLUGIN) gives F_n(d, d' - u) with its slopes, mu(F_n, |v_t|) and E; the
/// rest is the same.
#include <math.h>
#include <stdio.h>

#include "base/functions.h"
#include "contact/contacts.h"

// in the order of RiLawKind; without designators, so that the compiler finds missing rows and
// fields
const RiLawRow ri_laws[] = {
    {"coulomb", false, false}, {"stribeck", false, false}, {"screw", true, false},
    {"terzaghi", false, true}, {"plugin", true, false},
};
_Static_assert(sizeof ri_laws / sizeof *ri_laws == RI_LAW_COUNT, "one row per RiLawKind");

const char *ri_law_name(RiLawKind kind)
{
    return (unsigned)kind < RI_LAW_COUNT ? ri_laws[kind].name : "?";
}

void ri_law_list_hard(char out[RI_LAW_LIST_ROOM])
{
    int left = 0;
    size_t n = 0;
    for (int i = 0; i < RI_LAW_COUNT; i++)
        left += !ri_laws[i].rolls;
    out[0] = '\0';
    for (int i = 0; i < RI_LAW_COUNT; i++) {
        if (ri_laws[i].rolls)
            continue;
        left--;
        const char *gap = left == 0 ? "" : left == 1 ? " or " : ", ";
        const int size = snprintf(out + n, RI_LAW_LIST_ROOM - n, "%s%s", ri_laws[i].name, gap);
        n += size > 0 && n + (size_t)size < RI_LAW_LIST_ROOM ? (size_t)size : 0;
    }
}

RiPairDef ri_pair_default(void)
{
    return (RiPairDef){.law = RI_LAW_COULOMB,
                       .stiffness = 1e5,
                       .damping = 1e3,
                       .soft = 1e-4,
                       .friction = NAN,
                       .friction_static = NAN,
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

double ri_pair_friction(const RiPairDef *p, const RiLawUse *use, double pressing, double speed)
{
    double mu = p->friction;
    switch (p->law) {
    case RI_LAW_PLUGIN:
        if (use->plugin->friction)
            return use->plugin->friction(use->numbers, pressing, speed);
        break;
    case RI_LAW_STRIBECK: {
        const double x = speed / p->stribeck_speed;
        mu += (p->friction_static - p->friction) * ri_exp(-x * x);
        break;
    }
    case RI_LAW_COULOMB:
    case RI_LAW_SCREW:
    case RI_LAW_TERZAGHI:
    case RI_LAW_COUNT:
        break;
    }
    return mu + p->viscous * speed;
}

double ri_pair_friction_at_rest(const RiPairDef *p, const RiLawUse *use, double pressing)
{
    switch (p->law) {
    case RI_LAW_PLUGIN:
        if (use->plugin->friction)
            return use->plugin->friction(use->numbers, pressing, 0.0);
        break;
    case RI_LAW_STRIBECK:
        return p->friction_static;
    case RI_LAW_COULOMB:
    case RI_LAW_SCREW:
    case RI_LAW_TERZAGHI:
    case RI_LAW_COUNT:
        break;
    }
    return p->friction;
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

static bool is_zero(RiVec3 x)
{
    return x.x == 0.0 && x.y == 0.0 && x.z == 0.0;
}

double ri_pair_anisotropy(const RiPairDef *p, const RiLawUse *use, double pressing)
{
    switch (p->law) {
    case RI_LAW_PLUGIN:
        return use->plugin->anisotropy ? use->plugin->anisotropy(use->numbers, pressing, 0.0) : 1.0;
    case RI_LAW_SCREW:
        return fmin(fmax(p->e0 + p->e1 * pressing, p->e_min), p->e_max);
    case RI_LAW_COULOMB:
    case RI_LAW_STRIBECK:
    case RI_LAW_TERZAGHI:
    case RI_LAW_COUNT:
        break;
    }
    return 1.0;
}

double ri_touch_anisotropy(const RiTouch *t, double pressing, RiVec3 v)
{
    const RiPairDef *p = t->pair;
    if (!ri_laws[p->law].threads || is_zero(t->thread))
        return 1.0;
    if (p->law == RI_LAW_PLUGIN)
        return t->use->plugin->anisotropy ? t->use->plugin->anisotropy(t->use->numbers, pressing, ri_dot(v, t->thread))
                                          : 1.0;
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
    switch (t->pair->law) {
    case RI_LAW_TERZAGHI:
        return ri_bearing_carried(y, limit, b * t->roll.renewed, t->roll.transition);
    case RI_LAW_COULOMB:
    case RI_LAW_STRIBECK:
    case RI_LAW_SCREW:
    case RI_LAW_PLUGIN:
    case RI_LAW_COUNT:
        break;
    }
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

/// The most that the ground carries along its surface under a touch that presses and slides.
static void set_limit(const RiTouch *t, double speed, RiTouchForce *f)
{
    switch (t->pair->law) {
    case RI_LAW_TERZAGHI:
        load_soil(t, f);
        return;
    case RI_LAW_COULOMB:
    case RI_LAW_STRIBECK:
    case RI_LAW_SCREW:
    case RI_LAW_PLUGIN:
    case RI_LAW_COUNT:
        break;
    }
    f->limit = ri_pair_friction(t->pair, t->use, f->pressing, speed) * f->pressing;
}

/// Normal force of a point whose depth is `depth` at the end of a step, and its slopes there. At no
/// depth a plugin is not asked.
static double press(const RiTouch *t, double depth, double closing, double *k, double *c)
{
    const RiPairDef *p = t->pair;
    if (p->law == RI_LAW_PLUGIN && t->use->plugin->press) {
        RiContactPress x = {0.0, 0.0, 0.0};
        if (depth > 0.0)
            t->use->plugin->press(t->use->numbers, depth, closing - t->recede, &x);
        *k = fmax(0.0, x.per_depth); // an implicit step wants none that push on
        *c = fmax(0.0, x.per_closing);
        return x.force;
    }
    *k = p->stiffness;
    *c = damping_at(p, t->depth);
    return *k * depth + *c * (closing - t->recede);
}

double ri_touch_pressed(const RiTouch *t)
{
    RiContactPress x = {0.0, 0.0, 0.0};
    if (!(t->depth > 0.0))
        return 0.0;
    if (t->pair->law != RI_LAW_PLUGIN || !t->use->plugin->press)
        return t->pair->stiffness * t->depth;
    t->use->plugin->press(t->use->numbers, t->depth, 0.0, &x);
    return x.force;
}

RiTouchForce ri_touch_force(const RiTouch *t, RiVec3 v, RiVec3 xi, double h)
{
    const RiPairDef *p = t->pair;
    RI_ASSERT(h >= 0.0 && (unsigned)p->law < RI_LAW_COUNT);
    RI_ASSERT(!(fabs(ri_dot(t->normal, t->normal) - 1.0) > 1e-9)); // NaN is for the step to find
    RI_ASSERT(is_zero(t->thread) || !(fabs(ri_dot(t->thread, t->thread) - 1.0) > 1e-9));
    RI_ASSERT(!ri_laws[p->law].rolls || t->roll.soil);
    const double closing = -ri_dot(t->normal, v);
    RiTouchForce f = {.gain = 1.0, .E = 1.0};
    double k, c;
    const double pressing = press(t, t->depth + h * closing, closing, &k, &c);
    if (pressing <= 0.0 || t->depth + h * closing <= 0.0)
        return f;
    const RiVec3 vt = ri_add(v, ri_scale(closing, t->normal));
    const double speed = ri_norm(vt), kt = p->stick_stiffness;
    f.pressing = pressing;
    f.E = ri_touch_anisotropy(t, pressing, vt);
    set_limit(t, speed, &f);
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
    double k, c;
    const double pressing = press(t, depth, closing, &k, &c);
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
    const bool own = t->pair->law == RI_LAW_PLUGIN && t->use->plugin->press;
    const double pressed = !own      ? 0.5 * t->pair->stiffness * d * d
                           : d > 0.0 ? t->use->plugin->energy(t->use->numbers, d)
                                     : 0.0;
    return pressed + (kt > 0.0 ? 0.5 * kt * ri_dot(xi, xi) : 0.0);
}

double ri_touch_loss(const RiTouch *t, const RiTouchForce *f, RiVec3 v, RiVec3 xi, RiVec3 rate)
{
    const double kt = t->pair->stick_stiffness;
    const double stored = -ri_touch_pressed(t) * ri_dot(t->normal, v) + (kt > 0.0 ? kt * ri_dot(xi, rate) : 0.0);
    const double ahead = ri_dot(t->roll.v, t->roll.ahead);
    return -ri_dot(f->force, v) - stored + f->drag * ahead * ahead;
}
