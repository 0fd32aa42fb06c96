// SPDX-License-Identifier: Apache-2.0
/// \file
/// Springs, dampers and ropes between a point of a link and a fixed point of the world.
///
/// Stiffness and damping go into the body's inertia as 3x3 slopes, as for contacts. A rope pulls
/// only; where its damper would push, it lets go. Tests: tests/sim/test_sim.c,
/// tests/sim/test_validity.c.
#include <string.h>

#include "base/hash.h"
#include "sim/force/springs.h"

/// Length over unstretched length up to which a spring's linear law is believed.
#define RI_SPRING_STRETCH 2.0

// --- building ------------------------------------------------------------------------------------

RiStatus ri_sim_add_spring(RiSim *s, const RiSpringDef *def)
{
    const char *name = def->name ? def->name : "";
    const int link = def->link ? ri_model_find_link(s->m, def->link) : -1;
    if (!*name || link < 0)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "spring '%s': link '%s' does not exist", name,
                        def->link ? def->link : "");
    if (!(def->stiffness >= 0.0) || !(def->damping >= 0.0) || !(def->length >= 0.0) || !isfinite(def->stiffness) ||
        !isfinite(def->damping))
        return ri_error(s->ctx, RI_ERR_ARGUMENT,
                        "spring '%s': stiffness, damping and length must be finite and not negative", name);
    RiSpringSlot slot = {.link = link,
                         .point = def->point,
                         .anchor = def->anchor,
                         .stiffness = def->stiffness,
                         .damping = def->damping,
                         .length = def->length,
                         .slack = def->slack};
    RI_SIM_GROW(s, s->springs->items, s->springs->count, s->springs->room);
    RI_TRY(ri_sim_copy_text(s, name, &slot.name));
    s->springs->items[s->springs->count++] = slot;
    return RI_OK;
}

static bool present(const RiSim *s)
{
    return s->springs->count > 0;
}

static RiStatus watch(RiSim *s)
{
    for (int i = 0; i < s->springs->count; i++)
        RI_TRY(ri_sim_add_flag(s, s->springs->items[i].name, "stretch",
                               "the spring is longer than twice its unstretched length: the law is linear",
                               &s->springs->items[i].stretched));
    return RI_OK;
}

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    if (part == RI_BLOCK_MOVING)
        s->springs->out = ri_carve(block, at, RI_SPRING_OUT * (size_t)s->springs->count, sizeof *s->springs->out);
}

static RiStatus build(RiSim *s)
{
    for (int i = 0; i < s->springs->count; i++) {
        double *out = s->springs->items[i].out = s->springs->out + RI_SPRING_OUT * i;
        out[RI_SPRING_ATTACHED] = out[RI_SPRING_BOOKED] = 1.0;
    }
    return RI_OK;
}

static RiStatus name_spring(RiSim *s, RiSpringSlot *x)
{
    RI_TRY(ri_sim_name_value(s, x->name, "stiffness", "N/m", "spring constant", RI_VALUE_PARAMETER, &x->stiffness,
                             RI_VALUE_REAL, true));
    RI_TRY(ri_sim_name_value(s, x->name, "damping", "N*s/m", "damper constant", RI_VALUE_PARAMETER, &x->damping,
                             RI_VALUE_REAL, true));
    RI_TRY(ri_sim_name_value(s, x->name, "rest_length", "m", "unstretched length", RI_VALUE_PARAMETER, &x->length,
                             RI_VALUE_REAL, true));
    RI_TRY(ri_sim_name_value(s, x->name, "attached", "", "1: it acts; 0: released", RI_VALUE_PARAMETER,
                             x->out + RI_SPRING_ATTACHED, RI_VALUE_REAL, true));
    RI_TRY(ri_sim_name_value(s, x->name, "force", "N", "pull on the link, positive towards the anchor", RI_VALUE_OUTPUT,
                             x->out, RI_VALUE_REAL, false));
    return ri_sim_name_value(s, x->name, "length", "m", "distance from the anchor", RI_VALUE_OUTPUT, x->out + 1,
                             RI_VALUE_REAL, false);
}

static RiStatus name_values(RiSim *s)
{
    for (int i = 0; i < s->springs->count; i++)
        RI_TRY(name_spring(s, &s->springs->items[i]));
    return RI_OK;
}

/// What no named value holds. Stiffness, damping and length are parameters: a checkpoint brings its
/// own.
static uint64_t fingerprint(const RiSim *s, uint64_t h)
{
    for (int i = 0; i < s->springs->count; i++) {
        const RiSpringSlot *x = &s->springs->items[i];
        const double numbers[] = {x->point.x,  x->point.y,  x->point.z,          x->anchor.x,
                                  x->anchor.y, x->anchor.z, x->slack ? 1.0 : 0.0};
        h = ri_hash_mix(ri_hash_text(h, x->name), (uint64_t)x->link);
        h = ri_hash(h, numbers, sizeof numbers);
    }
    return h;
}

// --- a step --------------------------------------------------------------------------------------

static void place_spring(const RiSim *s, const RiSpringSlot *x, RiSpringState *y)
{
    const RiPose pose = ri_dyn_frame_pose(s->d, x->link);
    const RiSpatial twist = ri_dyn_frame_velocity(s->d, x->link);
    const RiVec3 r = ri_rotate(&pose.R, x->point);
    y->origin = pose.p;
    y->w = twist.ang;
    y->p = ri_add(pose.p, r);
    y->v = ri_add(twist.lin, ri_cross(twist.ang, r));
    y->rate = ri_cross(twist.ang, y->v);
    const RiVec3 stretch = ri_sub(y->p, x->anchor);
    y->l = ri_norm(stretch);
    y->n = y->l > 0.0 ? ri_scale(1.0 / y->l, stretch) : ri_vec3(0.0, 0.0, 1.0);
}

/// The law of RiSpringDef. A rope whose damper would push lets go: the damper then takes all that
/// the spring gives.
static RiSpringState spring_state(const RiSim *s, const RiSpringSlot *x)
{
    RiSpringState y = {.slack = true};
    place_spring(s, x, &y);
    if (x->out[RI_SPRING_ATTACHED] == 0.0)
        return y;
    const bool along = x->length > 0.0;
    y.spring = ri_scale(-x->stiffness * (y.l - x->length), y.n);
    y.damper = along ? ri_scale(-x->damping * ri_dot(y.n, y.v), y.n) : ri_scale(-x->damping, y.v);
    if (x->slack && y.l < x->length)
        y.spring = y.damper = ri_vec3(0.0, 0.0, 0.0);
    y.slack = x->slack && (y.l < x->length || ri_dot(ri_add(y.spring, y.damper), y.n) > 0.0);
    if (y.slack)
        y.damper = ri_scale(-1.0, y.spring);
    return y;
}

/// Slopes of a spring force: k and c along its line, and k (1 - length / l) across it, left out
/// where that is negative.
static RiMat3 spring_slope(const RiSpringSlot *x, RiVec3 n, double l, double along, double across)
{
    const double side = l > 0.0 ? 1.0 - x->length / l : 0.0;
    const double t = x->length > 0.0 ? (side > 0.0 ? across * side : 0.0) : along;
    const double e[3] = {n.x, n.y, n.z};
    RiMat3 E;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            E.m[i][k] = (along - t) * e[i] * e[k] + (i == k ? t : 0.0);
    return E;
}

bool ri_sim_spring_slopes(const RiSim *s, int spring, RiVec3 *out_point, RiMat3 *out_K, RiMat3 *out_C)
{
    const RiSpringSlot *x = &s->springs->items[spring];
    const RiSpringState y = spring_state(s, x);
    *out_point = y.p;
    *out_K = spring_slope(x, y.n, y.l, x->stiffness, x->stiffness);
    *out_C = spring_slope(x, y.n, y.l, x->damping, 0.0);
    return !y.slack;
}

/// One spring at the current state: wrench and implicit terms.
static void apply_spring(RiSim *s, RiSpringSlot *x, RiSlopes by)
{
    const RiSpringState y = x->now = spring_state(s, x);
    RiVec3 total = ri_add(y.spring, y.damper), zero = {0.0, 0.0, 0.0};
    x->out[0] = y.slack ? 0.0 : -ri_dot(total, y.n);
    x->out[1] = y.l;
    if (y.slack)
        return;
    if (by.c > 0.0) {
        const RiMat3 K = spring_slope(x, y.n, y.l, x->stiffness, x->stiffness);
        const RiMat3 E = spring_slope(x, y.n, y.l, by.c * x->damping + by.a * x->stiffness, by.a * x->stiffness);
        total = ri_sub(total, ri_scale(by.v, ri_rotate(&K, y.v)));
        total = ri_sub(total, ri_rotate(&E, y.rate)); // the part of the point's acceleration that J a does not hold
        ri_dyn_add_point_extra(s->d, x->link, y.p, &E);
    }
    ri_dyn_add_wrench(s->d, x->link, total, zero, y.p);
}

static void apply(RiSim *s, RiSlopes by)
{
    for (int i = 0; i < s->springs->count; i++)
        apply_spring(s, &s->springs->items[i], by);
}

/// What is stored in a spring that is attached [J].
static double stored_energy(const RiSim *s, const RiSpringSlot *x)
{
    RiSpringState y;
    place_spring(s, x, &y);
    const double stretch = y.l - x->length;
    return !x->slack || stretch > 0.0 ? 0.5 * x->stiffness * stretch * stretch : 0.0;
}

static double potential(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->springs->count; i++)
        if (s->springs->items[i].out[RI_SPRING_ATTACHED] != 0.0)
            energy += stored_energy(s, &s->springs->items[i]);
    return energy;
}

static double released(RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->springs->count; i++) {
        double *out = s->springs->items[i].out;
        if (out[RI_SPRING_ATTACHED] == 0.0 && out[RI_SPRING_BOOKED] != 0.0)
            energy += stored_energy(s, &s->springs->items[i]);
        out[RI_SPRING_BOOKED] = out[RI_SPRING_ATTACHED];
    }
    return energy;
}

/// Books of a spring: its forces as a first-order step used them, at the mean velocity of its
/// point. After ri_dyn_mean_power.
static void account_spring(RiSim *s, const RiSpringSlot *x, double h, RiSlopes by)
{
    const RiSpringState y = x->now; // d is where it was
    const RiSpatial a = ri_dyn_frame_acceleration(s->d, x->link);
    const RiVec3 r = ri_sub(y.p, y.origin), w = y.w;
    const RiVec3 a_p = ri_add(a.lin, ri_add(ri_cross(a.ang, r), ri_cross(w, ri_cross(w, r))));
    const RiVec3 mean = ri_add(y.v, ri_scale(0.5 * h, ri_dyn_point_share(s->d, x->link, y.p)));
    RiVec3 spring = y.spring, damper = y.damper;
    if (!y.slack) { // slopes act only while it pulls
        const RiMat3 K = spring_slope(x, y.n, y.l, x->stiffness, x->stiffness);
        const RiMat3 C = spring_slope(x, y.n, y.l, x->damping, 0.0);
        spring = ri_sub(spring, ri_rotate(&K, ri_add(ri_scale(by.v, y.v), ri_scale(by.a, a_p))));
        damper = ri_sub(damper, ri_rotate(&C, ri_scale(by.c, a_p)));
    }
    s->head->dissipated -= h * ri_dot(mean, damper);
    s->head->conservative += h * ri_dot(mean, spring);
}

static void account(RiSim *s, double h, RiSlopes by)
{
    for (int i = 0; i < s->springs->count; i++)
        account_spring(s, &s->springs->items[i], h, by);
}

static void flow(RiSim *s, RiFlow *f)
{
    apply(s, ri_slopes_at_end(0.0));
    for (int i = 0; i < s->springs->count; i++) {
        const RiSpringState y = spring_state(s, &s->springs->items[i]);
        f->lost -= ri_dot(y.damper, y.v);
    }
}

static void check_validity(RiSim *s)
{
    for (int i = 0; i < s->springs->count; i++) {
        const RiSpringSlot *x = &s->springs->items[i];
        if (x->out[RI_SPRING_ATTACHED] != 0.0 && x->length > 0.0 &&
            x->out[RI_SPRING_LENGTH] > RI_SPRING_STRETCH * x->length)
            ri_sim_report_validity(s, x->stretched);
    }
}

const RiForceKind ri_force_springs = {
    .name = "springs",
    .present = present,
    .watch = watch,
    .lay_out = lay_out,
    .build = build,
    .name_values = name_values,
    .fingerprint = fingerprint,
    .apply = apply,
    .account = account,
    .flow = flow,
    .potential = potential,
    .released = released,
    .check_validity = check_validity,
};

// --- questions -----------------------------------------------------------------------------------

int ri_sim_spring_count(const RiSim *s)
{
    return s->springs->count;
}

RiSpringInfo ri_sim_spring(const RiSim *s, int spring)
{
    const RiSpringSlot *x = &s->springs->items[spring];
    const RiPose pose = ri_dyn_frame_pose(s->d, x->link);
    const RiVec3 point = ri_pose_point(&pose, x->point);
    return (RiSpringInfo){x->name, point, x->anchor, x->out[0], ri_norm(ri_sub(point, x->anchor))};
}
