// SPDX-License-Identifier: Apache-2.0
/// \file
/// Links on links within an implicit step.
///
/// What touches the ground becomes inertia of its own body. What couples two bodies does not fit there: J^T S J with J = J_a - J_b has blocks between
/// them. So the step is solved without those touches first, and then for their forces. With v the relative velocities at the end of that solution,
/// W = J M^-1 J^T for the inertia M that the step used, and the laws F = F0 - S (v+ - w),
///
///     v+ = v + h W F        (1 + h R W R) z = R (v + h W F0 - w),   R = S^1/2,   F = F0 - R z
///
/// The matrix is symmetric with no eigenvalue below 1, and a product with it is one sweep over the tree, so conjugate gradients take few of them and
/// memory for none. Whatever they leave undone, each force acts on both bodies at one point: momentum does not depend on it.
/// Derivation and limits: docs/theory/hulls.md. Tests: tests/contact/test_pairs.c.
#include <string.h>

#include "sim/internal.h"

/// Residual that is left, relative to the right-hand side.
static const double LEFT = 1e-9;
enum { ROUNDS = 200 };

static const RiTouch *touch_at(const RiSim *s, int i)
{
    return &s->touch.touches[s->ground_count + i];
}

/// R x
static RiVec3 root(const RiSim *s, int i, RiVec3 x)
{
    const RiTouchForce *f = &s->touch_force[s->ground_count + i];
    const RiVec3 n = touch_at(s, i)->normal;
    if (f->pressing <= 0.0)
        return ri_vec3(0.0, 0.0, 0.0);
    const double flat = sqrt(f->flat), across = sqrt(f->flat + f->along_n);
    return ri_add(ri_scale(flat, x), ri_scale((across - flat) * ri_dot(n, x), n));
}

/// W f: what forces at all touches of two links do to the rates of their relative velocities.
static void apply_W(RiSim *s, int n, const RiVec3 *f, RiVec3 *out)
{
    double *force = s->d->force;
    memset(force, 0, 8 * (size_t)(s->m->nb + 1) * sizeof *force);
    for (int i = 0; i < n; i++) {
        const RiTouch *t = touch_at(s, i);
        ri_sim_add_force(force + 8 * (s->contacts->links[t->slot].body + 1), t->arm, ri_scale(-1.0, f[i]));
        ri_sim_add_force(force + 8 * (s->contacts->links[t->other].body + 1), t->other_arm, f[i]);
    }
    ri_dyn_respond(s->d, s->pair_scratch);
    for (int i = 0; i < n; i++) {
        const RiTouch *t = touch_at(s, i);
        const RiSpatial a = ri_spatial_at(force + 8 * (s->contacts->links[t->slot].body + 1));
        const RiSpatial b = ri_spatial_at(force + 8 * (s->contacts->links[t->other].body + 1));
        out[i] = ri_sub(ri_add(a.lin, ri_cross(a.ang, t->arm)), ri_add(b.lin, ri_cross(b.ang, t->other_arm)));
    }
}

static double product(int n, const RiVec3 *a, const RiVec3 *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += ri_dot(a[i], b[i]);
    return sum;
}

/// y += a x
static void add_scaled(int n, double a, const RiVec3 *x, RiVec3 *y)
{
    for (int i = 0; i < n; i++)
        y[i] = ri_add(y[i], ri_scale(a, x[i]));
}

/// out = (1 + h R W R) x; w is scratch.
static void multiply(RiSim *s, int n, double h, const RiVec3 *x, RiVec3 *out, RiVec3 *w)
{
    for (int i = 0; i < n; i++)
        out[i] = root(s, i, x[i]);
    apply_W(s, n, out, w);
    for (int i = 0; i < n; i++)
        out[i] = ri_add(x[i], ri_scale(h, root(s, i, w[i])));
}

/// z with (1 + h R W R) z = r, by conjugate gradients from the z that is there; r is used up. p, q, w are scratch.
static void solve(RiSim *s, int n, double h, RiVec3 *r, RiVec3 *z, RiVec3 *p, RiVec3 *q, RiVec3 *w)
{
    const double enough = LEFT * LEFT * product(n, r, r);
    if (product(n, z, z) > 0.0) {
        multiply(s, n, h, z, q, w);
        add_scaled(n, -1.0, q, r);
    }
    double rr = product(n, r, r);
    memcpy(p, r, (size_t)n * sizeof *p);
    for (int round = 0; round < ROUNDS && rr > enough; round++) {
        multiply(s, n, h, p, q, w);
        const double step = rr / product(n, p, q), before = rr;
        add_scaled(n, step, p, z);
        add_scaled(n, -step, q, r);
        rr = product(n, r, r);
        for (int i = 0; i < n; i++)
            p[i] = ri_add(r[i], ri_scale(rr / before, p[i]));
    }
}

/// The laws about the velocities w. False: nothing presses.
static bool linearize(RiSim *s, int n, double h)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        const RiTouch *t = touch_at(s, i);
        RiTouchForce *f = &s->touch_force[s->ground_count + i];
        *f = ri_touch_force(t, s->touch_velocity[s->ground_count + i], ri_sim_deflection(s, t), h);
        any |= f->pressing > 0.0;
        s->touch_applied[s->ground_count + i] = ri_vec3(0.0, 0.0, 0.0);
    }
    return any;
}

/// Puts the forces on both links.
static void apply(RiSim *s, int n, const RiVec3 *force)
{
    for (int i = 0; i < n; i++) {
        const RiTouch *t = touch_at(s, i);
        double here[8] = {0.0}, there[8] = {0.0};
        if (s->touch_force[s->ground_count + i].pressing <= 0.0)
            continue;
        s->touch_applied[s->ground_count + i] = force[i];
        ri_sim_add_force(here, t->arm, force[i]);
        ri_sim_add_force(there, t->other_arm, ri_scale(-1.0, force[i]));
        ri_dyn_add_link_load(s->d, s->contacts->links[t->slot].link, NULL, here);
        ri_dyn_add_link_load(s->d, s->contacts->links[t->other].link, NULL, there);
    }
}

RiStatus ri_sim_solve_pairs(RiSim *s, double h, bool first)
{
    const int n = s->touch_count - s->ground_count;
    const size_t room = RI_MEETS * (size_t)s->contacts->pair_room;
    RiVec3 *force = s->cg, *r = force + room, *z = r + room, *p = z + room, *q = p + room, *w = q + room;
    if (!linearize(s, n, h)) {
        memset(z, 0, (size_t)n * sizeof *z);
        return RI_OK;
    }
    RI_TRY(ri_dyn_articulate(s->d));
    for (int i = 0; i < n; i++)
        force[i] = s->touch_force[s->ground_count + i].force;
    apply_W(s, n, force, w);
    for (int i = 0; i < n; i++) {
        const RiVec3 free = ri_sim_velocity_after(s, touch_at(s, i), h);
        const RiVec3 beyond = ri_sub(ri_add(free, ri_scale(h, w[i])), s->touch_velocity[s->ground_count + i]);
        r[i] = root(s, i, beyond);
    }
    if (first)
        memset(z, 0, (size_t)n * sizeof *z);
    solve(s, n, h, r, z, p, q, w);
    for (int i = 0; i < n; i++)
        force[i] = ri_sub(force[i], root(s, i, z[i]));
    apply(s, n, force);
    return ri_dyn_forward(s->d, s->tau, s->a);
}
