// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wheels on soil by Terzaghi's traction (RI_LAW_TERZAGHI) with exact contact.
///
/// The normal direction is unilateral as everywhere. Along the ground the force F is limited by T =
/// c A + W tan(phi), a cone of friction T / W at the load W of the last step, and inside of it the
/// wheel slips by the law's curve,
///
///     u_T = -V S(|F|) F / |F|,   S(F) = -s_t ln(1 - F / T)
///
/// which is linearised about the last step's force: S' along it, S / F across. With impulses p = h
/// F the contact sticks in the sense of u_T + D p + o = 0, D = V / h (S' f f^T + S / F (1 - f
/// f^T)), o = V (S - S' F) f: D is added to the contact's own block of W, o to its velocity, and
/// the cone solver sees an ordinary contact. At rest V is zero: it holds. Rolling resistance acts
/// at the hub, its slope in the inertia as that of springs. Theory: docs/theory/roams.md. Test:
/// tests/contact/test_terzaghi.c.
#include <math.h>

#include "base/functions.h"
#include "sim/method/moreau.h"

/// The largest share of its limit about which a force is linearised.
static const double MOST_USED = 0.999;

RiMoreauSlip ri_moreau_slip(const RiTouch *t, RiVec3 last, RiVec3 t1, RiVec3 t2, double h)
{
    const RiRolling *r = &t->roll;
    const double load = ri_dot(last, t->normal) / h;
    if (!(load > 0.0))
        return (RiMoreauSlip){.friction = r->soil->tan_phi};
    const double sinkage = ri_bearing_sinkage(r->soil, load, r->radius, r->width);
    const double limit = ri_bearing_traction(r->soil, load, r->radius, r->width, sinkage);
    const double a = ri_dot(last, t1), b = ri_dot(last, t2), size = ri_hypot(a, b);
    const double used = fmin(MOST_USED, size / h / limit), first = r->transition / limit;
    const double slope = first / (1.0 - used), mean = used > 1e-9 ? -first * ri_log1p(-used) / used : first;
    const double f[2] = {size > 0.0 ? a / size : 1.0, size > 0.0 ? b / size : 0.0}, V = r->renewed;
    const double offset = V * (mean - slope) * used * limit;
    return (RiMoreauSlip){.friction = limit / load,
                          .D = {V / h * (mean + (slope - mean) * f[0] * f[0]), V / h * (slope - mean) * f[0] * f[1],
                                V / h * (mean + (slope - mean) * f[1] * f[1])},
                          .offset = {offset * f[0], offset * f[1]}};
}

/// Rolling resistance over speed of a touch that pressed with an impulse in the last step [N s/m].
static double drag_of(const RiTouch *t, RiVec3 last, double h)
{
    if (!t->roll.soil)
        return 0.0;
    const double load = fmax(0.0, ri_dot(last, t->normal)) / h, ahead = fabs(ri_dot(t->roll.v, t->roll.ahead));
    return t->pair->rolling_resistance * load / fmax(ahead, t->pair->creep);
}

void ri_moreau_put_drags(RiSim *s, const RiVec3 *last, double h)
{
    const RiVec3 none = {0.0, 0.0, 0.0};
    for (int i = 0; i < s->touches->ground_count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const RiRolling *r = &t->roll;
        const double drag = drag_of(t, last[t->place], h);
        if (!(drag > 0.0))
            continue;
        const int link = s->contacts->links[t->slot].link;
        const double e[3] = {r->ahead.x, r->ahead.y, r->ahead.z};
        RiMat3 E;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                E.m[j][k] = h * drag * e[j] * e[k];
        const double speed = ri_dot(ri_add(r->v, ri_scale(h, r->rate)), r->ahead);
        ri_dyn_add_point_extra(s->d, link, r->hub, &E);
        ri_dyn_add_wrench(s->d, link, ri_scale(-drag * speed, r->ahead), none, r->hub);
    }
}

void ri_moreau_book_drags(RiSim *s, const RiVec3 *last, double h)
{
    for (int i = 0; i < s->touches->ground_count; i++) {
        const RiTouch *t = &s->touches->list[i];
        const RiRolling *r = &t->roll;
        const double drag = drag_of(t, last[t->place], h);
        if (!(drag > 0.0))
            continue;
        const int link = s->contacts->links[t->slot].link;
        const double speed = ri_dot(ri_sim_hub_after(s, t, h), r->ahead);
        s->head->dissipated -= ri_sim_mean_work(s, link, r->hub, r->v, ri_scale(-drag * speed, r->ahead), h);
    }
}
