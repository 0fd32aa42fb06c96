// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contacts that another program supplies (ri_sim_set_outside): planes that touch points of links.
///
///     F_n = max(0, k d + c d'),  d = d_0 - n.(p - p_0)          spring-damper without pull on the plane through the given contact
///     F_t = -mu F_n v_t / max(|v_t|, creep)                     Coulomb, viscous below the creep speed
///
/// The damper gives the restitution e to the mass m that the robot has at the point along the
/// normal when the contact is given: c = 2 z sqrt(k m), z = -ln e / sqrt(pi^2 + ln^2 e), the
/// damping ratio of a linear bounce; z = 1 for e = 0. Between two lists the point moves with its
/// link and the plane stays. What touches may be round: the point's centripetal acceleration does
/// not lift it off the plane. Forces and slopes go into the step as those of springs; their work is
/// work from outside. Tests: tests/sim/test_outside.c.
#include "sim/force/outside.h"

#include <string.h>

#include "base/functions.h"
#include "base/hash.h"

static const double creep = 1e-3; // [m/s]

RiStatus ri_outside_create(RiSim *s)
{
    s->outside = ri_arena_alloc(&s->arena, 1, sizeof *s->outside);
    return s->outside ? RI_OK : ri_error_memory(s->ctx);
}

static bool present(const RiSim *s)
{
    return s->options.outside > 0;
}

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    if (part != RI_BLOCK_MOVING)
        return;
    s->outside->head = ri_carve(block, at, RI_OUTSIDE_HEAD, sizeof *s->outside->head);
    s->outside->list = ri_carve(block, at, (size_t)s->options.outside, sizeof *s->outside->list);
}

static RiStatus name_values(RiSim *s)
{
    RI_TRY(ri_sim_name_value(s, "outside", "contacts", "", "contacts that another program supplies now",
                             RI_VALUE_OUTPUT, s->outside->head + RI_OUTSIDE_COUNT, RI_VALUE_REAL, false));
    return ri_sim_name_value(s, "outside", "force", "N", "sum of their normal forces", RI_VALUE_OUTPUT,
                             s->outside->head + RI_OUTSIDE_FORCE, RI_VALUE_REAL, false);
}

static uint64_t fingerprint(const RiSim *s, uint64_t h)
{
    return ri_hash_mix(ri_hash_text(h, "outside"), (uint64_t)s->options.outside);
}

// --- a step --------------------------------------------------------------------------------------

/// A contact at the current state.
typedef struct State {
    int link;
    RiVec3 p, v, rate; // point, its velocity, the part of its acceleration that no joint acceleration gives
    RiVec3 n, force;
    double pressing, k, c, slip_slope; // slopes along the normal, and across it
} State;

static int count(const RiSim *s)
{
    const double n = s->outside->head[RI_OUTSIDE_COUNT];
    return n >= 0.0 && n <= s->options.outside ? (int)n : 0;
}

/// False: it does not press.
static bool state_of(const RiSim *s, const RiOutsideSlot *x, State *y)
{
    if (!(x->link >= 0.0 && x->link < ri_model_link_count(s->m)))
        return false; // from a checkpoint made by hand
    y->link = (int)x->link;
    const RiPose pose = ri_dyn_frame_pose(s->d, y->link);
    const RiSpatial twist = ri_dyn_frame_velocity(s->d, y->link);
    const RiVec3 r = ri_rotate(&pose.R, x->point);
    y->p = ri_add(pose.p, r);
    y->v = ri_add(twist.lin, ri_cross(twist.ang, r));
    y->rate = ri_cross(twist.ang, twist.lin);
    y->n = x->normal;
    const double depth = x->offset - ri_dot(y->n, y->p), closing = -ri_dot(y->n, y->v);
    y->pressing = x->stiffness * depth + x->damping * closing;
    if (!(depth > 0.0) || !(y->pressing > 0.0))
        return false;
    const RiVec3 vt = ri_add(y->v, ri_scale(closing, y->n));
    y->k = x->stiffness;
    y->c = x->damping;
    y->slip_slope = x->friction * y->pressing / fmax(ri_norm(vt), creep);
    y->force = ri_sub(ri_scale(y->pressing, y->n), ri_scale(y->slip_slope, vt));
    return true;
}

/// along n n^T + across (1 - n n^T).
static RiMat3 slope(RiVec3 n, double along, double across)
{
    const double e[3] = {n.x, n.y, n.z};
    RiMat3 E;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            E.m[i][k] = (along - across) * e[i] * e[k] + (i == k ? across : 0.0);
    return E;
}

static void apply(RiSim *s, RiSlopes by)
{
    const RiVec3 zero = {0.0, 0.0, 0.0};
    double sum = 0.0;
    for (int i = 0; i < count(s); i++) {
        State y;
        if (!state_of(s, &s->outside->list[i], &y))
            continue;
        RiVec3 total = y.force;
        sum += y.pressing;
        if (by.c > 0.0) {
            const RiMat3 K = slope(y.n, y.k, 0.0);
            const RiMat3 E = slope(y.n, by.c * y.c + by.a * y.k, by.c * y.slip_slope);
            total = ri_sub(total, ri_scale(by.v, ri_rotate(&K, y.v)));
            total = ri_sub(total, ri_rotate(&E, y.rate));
            ri_dyn_add_point_extra(s->d, y.link, y.p, &E);
        }
        ri_dyn_add_wrench(s->d, y.link, total, zero, y.p);
    }
    s->outside->head[RI_OUTSIDE_FORCE] = sum;
}

/// Work of the forces as a first-order step used them, at the mean velocities of their points.
/// After ri_dyn_mean_power.
static void account(RiSim *s, double h, RiSlopes by)
{
    for (int i = 0; i < count(s); i++) {
        State y;
        if (!state_of(s, &s->outside->list[i], &y))
            continue;
        const RiSpatial a = ri_dyn_frame_acceleration(s->d, y.link);
        const RiVec3 r = ri_sub(y.p, ri_dyn_frame_pose(s->d, y.link).p), a_p = ri_add(a.lin, ri_cross(a.ang, r));
        const RiVec3 mean = ri_add(y.v, ri_scale(0.5 * h, ri_dyn_point_share(s->d, y.link, y.p)));
        const RiMat3 K = slope(y.n, y.k, 0.0), C = slope(y.n, y.c, y.slip_slope);
        RiVec3 force = ri_sub(y.force, ri_rotate(&K, ri_add(ri_scale(by.v, y.v), ri_scale(by.a, a_p))));
        force = ri_sub(force, ri_rotate(&C, ri_scale(by.c, a_p)));
        s->head->work += h * ri_dot(mean, force);
    }
}

static void flow(RiSim *s, RiFlow *f)
{
    apply(s, ri_slopes_at_end(0.0));
    for (int i = 0; i < count(s); i++) {
        State y;
        if (state_of(s, &s->outside->list[i], &y))
            f->work += ri_dot(y.force, y.v);
    }
}

const RiForceKind ri_force_outside = {
    .name = "outside",
    .present = present,
    .lay_out = lay_out,
    .name_values = name_values,
    .fingerprint = fingerprint,
    .apply = apply,
    .account = account,
    .flow = flow,
};

// --- from outside --------------------------------------------------------------------------------

static RiStatus check(const RiSim *s, const RiOutsideContact *x, int i)
{
    const double numbers[] = {x->point.x,  x->point.y, x->point.z,  x->normal.x,    x->normal.y,
                              x->normal.z, x->depth,   x->friction, x->restitution, x->stiffness};
    bool finite = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        finite = finite && isfinite(numbers[k]);
    if (x->link < 0 || x->link >= ri_model_link_count(s->m))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "outside contact %d: link %d; the robot has %d links", i, x->link,
                        ri_model_link_count(s->m));
    if (!finite)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "outside contact %d on '%s': a number is not finite", i,
                        ri_model_link(s->m, x->link).name);
    if (fabs(ri_norm(x->normal) - 1.0) > 1e-6)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "outside contact %d on '%s': the normal's length is %.9g, not 1", i,
                        ri_model_link(s->m, x->link).name, ri_norm(x->normal));
    if (x->friction < 0.0 || x->restitution < 0.0 || x->restitution > 1.0 || !(x->stiffness > 0.0))
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "outside contact %d on '%s': friction %g, restitution %g, stiffness %g N/m; allowed: 0 or more, 0 "
            "to 1, above 0",
            i, ri_model_link(s->m, x->link).name, x->friction, x->restitution, x->stiffness);
    return RI_OK;
}

/// The damper that gives a restitution to what moves at a point along a normal.
static double damping_for(RiSim *s, const RiOutsideContact *x)
{
    const RiPoint point = {x->link, x->point};
    double W[9];
    ri_dyn_delassus(s->d, 1, &point, W);
    const double n[3] = {x->normal.x, x->normal.y, x->normal.z};
    double inverse = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse += n[i] * W[3 * i + k] * n[k];
    if (!(inverse > 0.0) || x->restitution >= 1.0)
        return 0.0; // a point that cannot move, or a bounce without loss
    const double l = x->restitution > 0.0 ? ri_log(x->restitution) : 0.0;
    const double z = x->restitution > 0.0 ? fmin(1.0, -l / sqrt(M_PI * M_PI + l * l)) : 1.0;
    return 2.0 * z * sqrt(x->stiffness / inverse);
}

RiStatus ri_sim_set_outside(RiSim *s, const RiOutsideContact *list, int n)
{
    if (!s->started || !present(s))
        return ri_error(
            s->ctx, RI_ERR_ARGUMENT,
            "contacts from outside need a simulation that is started and has room for them (outside: NUMBER)");
    if (n < 0 || n > s->options.outside)
        return ri_error(s->ctx, RI_ERR_LIMIT, "%d contacts from outside; there is room for %d (outside: NUMBER)", n,
                        s->options.outside);
    for (int i = 0; i < n; i++)
        RI_TRY(check(s, &list[i], i));
    if (n > 0)
        RI_TRY(ri_dyn_articulate(s->d));
    for (int i = 0; i < n; i++) {
        const RiOutsideContact *x = &list[i];
        const RiPose pose = ri_dyn_frame_pose(s->d, x->link), inverse = ri_pose_inverse(&pose);
        s->outside->list[i] = (RiOutsideSlot){.link = x->link,
                                              .point = ri_pose_point(&inverse, x->point),
                                              .normal = x->normal,
                                              .offset = x->depth + ri_dot(x->normal, x->point),
                                              .stiffness = x->stiffness,
                                              .damping = damping_for(s, x),
                                              .friction = x->friction};
    }
    memset(s->outside->list + n, 0, (size_t)(s->options.outside - n) * sizeof *s->outside->list);
    s->outside->head[RI_OUTSIDE_COUNT] = n;
    return RI_OK;
}
