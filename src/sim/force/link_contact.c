// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact between two links within a step.
///
/// What touches the ground becomes inertia of its own body. What couples two bodies does not fit
/// there: J^T S J with J = J_a - J_b has blocks between them. So the step is solved without those
/// touches first, and then for their forces. With v the relative velocities at the end of that
/// solution, W = J M^-1 J^T for the inertia M that the step used, and the laws F = F0 - S (v+ - w),
///
///     v+ = v + h W F        (1 + h R W R) z = R (v + h W F0 - w),   R = S^1/2,   F = F0 - R z
///
/// The matrix is symmetric with no eigenvalue below 1, and a product with it is one sweep over the
/// tree, so conjugate gradients take few of them and memory for none. Whatever they leave undone,
/// each force acts on both bodies at one point: momentum does not depend on it. Derivation and
/// limits: docs/theory/hulls.md. Tests: tests/contact/test_pairs.c.
#include <string.h>

#include "sim/force/link_contact.h"

/// Residual that is left, relative to the right-hand side.
static const double LEFT = 1e-9;
enum { ROUNDS = 200, CG_VECTORS = 6 };

static const RiTouch *touch_at(const RiSim *s, int i)
{
    return &s->touches->list[s->touches->ground_count + i];
}

/// R x
static RiVec3 root(const RiSim *s, int i, RiVec3 x)
{
    const RiTouchForce *f = &s->touches->force[s->touches->ground_count + i];
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
    ri_dyn_respond(s->d, s->links->scratch);
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

/// z with (1 + h R W R) z = r, by conjugate gradients from the z that is there; r is used up. p, q,
/// w are scratch.
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

/// Whether anything presses. Forces of this pass come later.
static bool begin(RiSim *s, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        any |= s->touches->force[s->touches->ground_count + i].pressing > 0.0;
        s->touches->applied[s->touches->ground_count + i] = ri_vec3(0.0, 0.0, 0.0);
    }
    return any;
}

/// Puts the forces on both links.
static void put(RiSim *s, int n, const RiVec3 *force)
{
    for (int i = 0; i < n; i++) {
        const RiTouch *t = touch_at(s, i);
        double here[8] = {0.0}, there[8] = {0.0};
        if (s->touches->force[s->touches->ground_count + i].pressing <= 0.0)
            continue;
        s->touches->applied[s->touches->ground_count + i] = force[i];
        ri_sim_add_force(here, t->arm, force[i]);
        ri_sim_add_force(there, t->other_arm, ri_scale(-1.0, force[i]));
        ri_dyn_add_link_load(s->d, s->contacts->links[t->slot].link, NULL, here);
        ri_dyn_add_link_load(s->d, s->contacts->links[t->other].link, NULL, there);
    }
}

/// Scratch of the conjugate gradients: six vectors of one RiVec3 per touch.
typedef struct Scratch {
    RiVec3 *force, *r, *z, *p, *q, *w;
} Scratch;

static Scratch scratch_of(const RiSim *s)
{
    const size_t room = RI_MEETS * (size_t)s->contacts->pair_room;
    RiVec3 *x = s->links->cg;
    return (Scratch){x, x + room, x + 2 * room, x + 3 * room, x + 4 * room, x + 5 * room};
}

static RiStatus couple(RiSim *s, RiSlopes by)
{
    const int n = s->touches->count - s->touches->ground_count;
    const double h = by.c;
    const Scratch x = scratch_of(s);
    RiVec3 *force = x.force, *r = x.r, *z = x.z, *p = x.p, *q = x.q, *w = x.w;
    if (n == 0)
        return RI_OK;
    if (!begin(s, n)) {
        memset(z, 0, (size_t)n * sizeof *z);
        return RI_OK;
    }
    RI_TRY(ri_dyn_articulate(s->d));
    for (int i = 0; i < n; i++)
        force[i] = s->touches->force[s->touches->ground_count + i].force;
    apply_W(s, n, force, w);
    for (int i = 0; i < n; i++) {
        const RiVec3 free = ri_sim_velocity_after(s, touch_at(s, i), h);
        const RiVec3 beyond =
            ri_sub(ri_add(free, ri_scale(h, w[i])), s->touches->velocity[s->touches->ground_count + i]);
        r[i] = root(s, i, beyond);
    }
    solve(s, n, h, r, z, p, q, w);
    for (int i = 0; i < n; i++)
        force[i] = ri_sub(force[i], root(s, i, z[i]));
    put(s, n, force);
    return ri_dyn_forward(s->d, s->tau, s->a);
}

static void evaluate_laws(RiSim *s, double h)
{
    RiTouches *x = s->touches;
    for (int i = x->ground_count; i < x->count; i++)
        x->force[i] = ri_touch_force(&x->list[i], x->velocity[i], ri_sim_deflection(s, &x->list[i]), h);
}

/// The first pass of a step starts its iteration from zero, later ones from the pass before.
static void evaluate(RiSim *s, RiSlopes by)
{
    const size_t n = (size_t)(s->touches->count - s->touches->ground_count);
    evaluate_laws(s, by.c);
    memset(scratch_of(s).z, 0, n * sizeof(RiVec3));
}

static void relinearize(RiSim *s, RiSlopes by)
{
    evaluate_laws(s, by.c);
}

/// Without slopes: the same force on both links. With slopes, couple() does it.
static void apply(RiSim *s, RiSlopes by)
{
    RiTouches *x = s->touches;
    for (int i = x->ground_count; i < x->count && by.c == 0.0; i++) {
        const RiTouch *t = &x->list[i];
        double here[8] = {0.0}, there[8] = {0.0};
        x->applied[i] = x->force[i].force;
        ri_sim_add_force(here, t->arm, x->applied[i]);
        ri_sim_add_force(there, t->other_arm, ri_scale(-1.0, x->applied[i]));
        ri_dyn_add_link_load(s->d, s->contacts->links[t->slot].link, NULL, here);
        ri_dyn_add_link_load(s->d, s->contacts->links[t->other].link, NULL, there);
    }
}

void ri_sim_keep_pool(RiSim *s)
{
    if (!s->contacts->pair_room)
        return;
    memcpy(s->touches->pool, s->touches->work.pairs.next, (size_t)s->contacts->pair_room * sizeof *s->touches->pool);
    if (s->touches->work.pairs.full)
        ri_sim_report_validity(s, s->links->full);
}

static RiStatus finish(RiSim *s, double h)
{
    const RiTouches *x = s->touches;
    for (int i = x->ground_count; i < x->count; i++)
        if (x->force[i].pressing > 0.0)
            ri_touches_remember(s, i, h);
    ri_sim_keep_pool(s);
    return RI_OK;
}

// --- building ------------------------------------------------------------------------------------

static bool present(const RiSim *s)
{
    return s->contacts && s->contacts->pair_room;
}

static RiStatus prepare(RiSim *s)
{
    const size_t touches = RI_MEETS * (size_t)s->contacts->pair_room;
    s->links->cg = ri_arena_alloc(&s->arena, CG_VECTORS * touches + 1, sizeof *s->links->cg);
    s->links->scratch = ri_arena_alloc(&s->arena, (size_t)s->m->nv + 1, sizeof *s->links->scratch);
    return s->links->cg && s->links->scratch ? RI_OK : ri_error_memory(s->ctx);
}

static RiStatus watch(RiSim *s)
{
    return ri_sim_add_validity(s, "contact.pair_room",
                               "more pairs of hulls touch than there is room for: the rest passes through each "
                               "other; give contact a larger pair_room",
                               &s->links->full);
}

const RiForceKind ri_force_link_contact = {
    .name = "contact between links",
    .is_contact = true,
    .present = present,
    .prepare = prepare,
    .watch = watch,
    .evaluate = evaluate,
    .apply = apply,
    .couple = couple,
    .relinearize = relinearize,
    .finish = finish,
};
