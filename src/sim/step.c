// SPDX-License-Identifier: Apache-2.0
/// \file
/// One integration step.
///
/// **implicit** evaluates stiff forces at the end of the step, linearised about its beginning. A joint force with slopes K = -dtau/dq,
/// C = -dtau/dq' contributes, with q+ = q + h v+ and v+ = v + h a,
///
///     tau+ = tau - h K v - (h C + h^2 K) a
///
/// so stiffness becomes inertia: (M + h C + h^2 K) a = tau - h K v - bias, solved by the same articulated-body recursion with h C + h^2 K
/// as armature. A force at a point of a body does the same with its 3x3 slopes in the body's inertia. For friction the slope is
/// the secant |f(v)| / |v|, which brings a sliding joint to rest without chatter. First order; unconditionally stable for
/// linear springs and dampers. **semi-implicit** is the same with the slopes left out; **rk4** see rk4.c; **cvode** see ode_cvode.h; **moreau** see
/// step_moreau.c.
/// Tests: tests/sim/test_sim.c.
#include <string.h>

#include "sim/internal.h"

/// The joint's servo: tau = k (q_ref - q) + d (v_ref - v), limited. Saturated, it has no slope.
static RiJointLoad servo(const RiSim *s, int i, double q, double v)
{
    const double k = s->servo_k[i], d = s->servo_d[i], most = s->servo_max[i];
    double tau = k * (s->servo_q[i] - q) + d * (s->servo_v[i] - v);
    if (most > 0.0 && fabs(tau) > most)
        return (RiJointLoad){tau > 0.0 ? most : -most, 0.0, 0.0, 0.0, 0.0};
    return (RiJointLoad){tau, k, d, 0.0, 0.0};
}

/// All loads of one spanning coordinate.
static RiJointLoad joint_load(RiSim *s, const RiBodyData *b, int k)
{
    const int i = b->s + k;
    const bool plain = b->ns == b->nq;
    const double q = plain ? s->d->jq[b->sq + k] : 0.0, v = s->d->js[i];
    const RiJointSpec *spec = &s->m->joints[b->joint].spec;
    RiJointLoad x = s->moreau ? ri_joint_smooth(spec, b->type, q, v) : ri_joint_passive(spec, b->type, q, v);
    s->load.K[i] = x.K;
    s->load.C[i] = x.C;
    x.tau += s->effort[i] + s->held[i];
    if ((s->servo_k[i] > 0.0 || s->servo_d[i] > 0.0) && plain) {
        const RiJointLoad y = servo(s, i, q, v);
        x.tau += y.tau;
        x.K += y.K;
        x.C += y.C;
    }
    return x;
}

void ri_sim_joint_load(RiSim *s, RiSlopes by)
{
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        for (int k = 0; k < b->ns; k++) {
            const RiJointLoad x = joint_load(s, b, k);
            const int at = b->s + k;
            s->load.tau[at] = x.tau;
            s->load.extra[at] = by.c * x.C + by.a * x.K;
            s->load.drift[at] = by.v * x.K * s->d->js[at];
            s->load.stiffness[at] = x.K;
            s->load.lost[at] = x.lost;
            s->load.stored[at] = x.stored;
        }
    }
}

/// A spring at the current state: where its point is, how it moves, and what it does.
typedef struct SpringState {
    RiVec3 p, v, rate; // point, its velocity, and the part of its acceleration that no joint acceleration gives
    RiVec3 n;          // away from the anchor
    double l;          // distance from it
    RiVec3 spring, damper;
    bool slack; // a rope that does not pull: spring and damper add up to nothing
} SpringState;

static void place_spring(const RiSim *s, const RiSpringSlot *x, SpringState *y)
{
    const RiPose pose = ri_dyn_frame_pose(s->d, x->link);
    const RiSpatial twist = ri_dyn_frame_velocity(s->d, x->link);
    const RiVec3 r = ri_rotate(&pose.R, x->point);
    y->p = ri_add(pose.p, r);
    y->v = ri_add(twist.lin, ri_cross(twist.ang, r));
    y->rate = ri_cross(twist.ang, y->v);
    const RiVec3 stretch = ri_sub(y->p, x->anchor);
    y->l = ri_norm(stretch);
    y->n = y->l > 0.0 ? ri_scale(1.0 / y->l, stretch) : ri_vec3(0.0, 0.0, 1.0);
}

/// The law of RiSpringDef. A rope whose damper would push lets go: the damper then takes all that the spring gives.
static SpringState spring_state(const RiSim *s, const RiSpringSlot *x)
{
    SpringState y = {.slack = true};
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

/// Slopes of a spring force: k and c along its line, and k (1 - length / l) across it, left out where that is negative.
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
    const RiSpringSlot *x = &s->springs[spring];
    const SpringState y = spring_state(s, x);
    *out_point = y.p;
    *out_K = spring_slope(x, y.n, y.l, x->stiffness, x->stiffness);
    *out_C = spring_slope(x, y.n, y.l, x->damping, 0.0);
    return !y.slack;
}

/// One spring at the current state: wrench and implicit terms.
static void apply_spring(RiSim *s, RiSpringSlot *x, RiSlopes by)
{
    const SpringState y = spring_state(s, x);
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

void ri_sim_apply_springs(RiSim *s, RiSlopes by)
{
    ri_dyn_clear_wrenches(s->d);
    ri_dyn_clear_body_extra(s->d);
    for (int i = 0; i < s->spring_count; i++)
        apply_spring(s, &s->springs[i], by);
}

/// What is stored in a spring that is attached [J].
static double stored_energy(const RiSim *s, const RiSpringSlot *x)
{
    SpringState y;
    place_spring(s, x, &y);
    const double stretch = y.l - x->length;
    return !x->slack || stretch > 0.0 ? 0.5 * x->stiffness * stretch * stretch : 0.0;
}

double ri_sim_spring_energy(const RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->spring_count; i++)
        if (s->springs[i].out[RI_SPRING_ATTACHED] != 0.0)
            energy += stored_energy(s, &s->springs[i]);
    return energy;
}

double ri_sim_released_energy(RiSim *s)
{
    double energy = 0.0;
    for (int i = 0; i < s->spring_count; i++) {
        double *out = s->springs[i].out;
        if (out[RI_SPRING_ATTACHED] == 0.0 && out[RI_SPRING_BOOKED] != 0.0)
            energy += stored_energy(s, &s->springs[i]);
        out[RI_SPRING_BOOKED] = out[RI_SPRING_ATTACHED];
    }
    return energy;
}

/// Coordinates beyond this are the end of a motion, though their squares may still be numbers.
static const double BEYOND = 1e75;

/// Name of the first coordinate that is no sensible number, NULL if all are.
static const char *first_bad(const RiSim *s)
{
    for (int i = 0; i < s->m->nv; i++)
        if (!(fabs(s->new_v[i]) < BEYOND))
            return ri_model_v_name(s->m, i);
    for (int i = 0; i < s->m->nq; i++)
        if (!(fabs(s->new_q[i]) < BEYOND))
            return ri_model_q_name(s->m, i);
    return NULL;
}

/// Books of a point spring: its forces as a first-order step used them, at the mean velocity of its point. After ri_dyn_mean_power.
static void account_spring(RiSim *s, const RiSpringSlot *x, double h, RiSlopes by)
{
    const SpringState y = spring_state(s, x);
    const RiSpatial a = ri_dyn_frame_acceleration(s->d, x->link);
    const RiVec3 r = ri_sub(y.p, ri_dyn_frame_pose(s->d, x->link).p), w = ri_dyn_frame_velocity(s->d, x->link).ang;
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

/// Energy books of a first-order step. At the step's configuration the kinetic energy changes by the work of its forces F+ and of the
/// velocity-product forces at the mean velocity, exactly:
///
///     T(q, v+) - T(q, v) + h bias . (v + v+) / 2 = h F+ . (v + v+) / 2
///
/// The left side is computed by an outward pass that knows nothing of forces or of the solution (ri_dyn_mean_power) and summed as
/// `inertial`; the right side is booked force by force. Positions however move with v+, and the inertia with them: outputs.c compares what was
/// summed with the change of kinetic energy and potential, and books the difference as the method's own.
void ri_sim_account(RiSim *s, double h, RiSlopes by)
{
    const RiMeanPower power = ri_dyn_mean_power(s->d, s->a, h);
    double work = 0.0, lost_sum = 0.0, stored_sum = power.gravity, inertia = power.inertia, armature = 0.0;
    for (int i = 0; i < s->m->ns; i++) {
        const double a = s->accel_s[i], v = s->d->js[i], K = s->load.K[i], C = s->load.C[i];
        const double mean = v + 0.5 * h * (a - s->d->jg[i]); // the change at this configuration
        const double force = s->load.tau[i] - s->load.drift[i] - s->load.extra[i] * a;
        const double stored = s->load.stored[i] - K * (by.v * v + by.a * a);
        const double lost = s->load.lost[i] - C * by.c * a;
        work += mean * (force - stored - lost);
        lost_sum += mean * lost;
        stored_sum += mean * stored;
        inertia += mean * s->d->arm0[i] * a;
        armature += 0.5 * mean * s->d->arm0[i] * mean;
    }
    s->head->work += h * work;
    s->head->dissipated -= h * lost_sum;
    s->head->conservative += h * stored_sum;
    s->head->inertial += h * inertia;
    for (int i = 0; i < s->spring_count; i++)
        account_spring(s, &s->springs[i], h, by);
    if (!s->moreau)
        ri_sim_account_contacts(s, h);
    ri_sim_account_soil(s, h);
    const double turned =
        power.kinetic + armature + fabs(s->head->conservative) + fabs(s->head->work) + s->head->dissipated;
    if (turned > s->head->energy_scale)
        s->head->energy_scale = turned;
}

/// Spanning accelerations from those of the independent coordinates.
void ri_sim_span_acceleration(RiSim *s)
{
    if (s->m->plain) {
        memcpy(s->accel_s, s->d->a, (size_t)s->m->nv * sizeof *s->a);
        return;
    }
    for (int i = 0; i < s->m->nb; i++)
        if (s->m->bodies[i].ns)
            ri_dyn_joint_acceleration(s->d, s->m->bodies[i].joint, s->accel_s + s->m->bodies[i].s);
}

bool ri_sim_is_fresh(const RiSim *s)
{
    const size_t nq = (size_t)s->m->nq * sizeof *s->q, nv = (size_t)s->m->nv * sizeof *s->v;
    return s->fresh && memcmp(s->q, s->d->q, nq) == 0 && memcmp(s->v, s->d->v, nv) == 0;
}

RiStatus ri_sim_refresh(RiSim *s)
{
    return ri_sim_is_fresh(s) ? RI_OK : ri_sim_bring(s);
}

RiStatus ri_sim_bring(RiSim *s)
{
    s->fresh = false;
    RI_TRY(ri_dyn_update_position(s->d, s->q));
    ri_dyn_get_q(s->d, s->q);
    ri_dyn_update_velocity(s->d, s->v);
    s->fresh = true;
    return RI_OK;
}

/// Accelerations of one pass: loads on d, then the articulated-body recursion.
static RiStatus solve_euler(RiSim *s, double h, bool implicit, bool first)
{
    ri_sim_apply_springs(s, ri_slopes_at_end(implicit ? h : 0.0));
    ri_sim_apply_contacts(s, implicit ? h : 0.0);
    ri_sim_apply_soil(s, implicit ? h : 0.0);
    if (implicit)
        ri_dyn_set_joint_extra(s->d, s->load.extra);
    RiStatus status = ri_dyn_forward(s->d, s->tau, s->a);
    if (implicit && status == RI_OK && s->touch_count > s->ground_count)
        status = ri_sim_solve_pairs(s, h, first);
    if (implicit)
        ri_dyn_set_joint_extra(s->d, NULL);
    return status;
}

/// Accelerations of a step: contacts settle, and soil gives back no more than it holds.
static RiStatus settle_euler(RiSim *s, double h, bool implicit)
{
    RI_TRY(solve_euler(s, h, implicit, true));
    for (int pass = 1; !ri_sim_predict_contacts(s, h) && pass < s->options.passes && implicit; pass++) {
        ri_sim_relinearize_contacts(s);
        RI_TRY(solve_euler(s, h, implicit, false));
    }
    for (int pass = 0; implicit && pass < RI_HOLDS && !ri_sim_hold_soil(s, h); pass++) {
        RI_TRY(solve_euler(s, h, implicit, false));
        ri_sim_predict_contacts(s, h);
    }
    return RI_OK;
}

static RiStatus step_euler(RiSim *s, double h, bool implicit)
{
    if (!s->standing && !ri_sim_is_fresh(s)) {
        RI_TRY(ri_sim_bring(s));
        ri_sim_find_contacts(s);
    }
    s->standing = false;
    ri_sim_joint_load(s, ri_slopes_at_end(implicit ? h : 0.0));
    for (int i = 0; i < s->m->ns; i++)
        s->tau_s[i] = s->load.tau[i] - s->load.drift[i];
    ri_dyn_map_efforts(s->d, s->tau_s, s->tau);
    ri_sim_find_soil_forces(s, implicit ? h : 0.0);
    RI_TRY(settle_euler(s, h, implicit));
    for (int i = 0; i < s->m->nv; i++)
        s->new_v[i] = s->v[i] + h * s->a[i];
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    ri_model_integrate(s->m, s->q, s->new_v, h, s->new_q);
    ri_sim_span_acceleration(s);
    ri_sim_finish_contacts(s, h);
    RI_TRY(ri_sim_finish_soil(s, h));
    ri_sim_account(s, h, ri_slopes_at_end(implicit ? h : 0.0));
    return RI_OK;
}

void ri_sim_evaluate_forces(RiSim *s, double *tau, double *out_work, double *out_lost)
{
    ri_sim_joint_load(s, ri_slopes_at_end(0.0));
    ri_sim_apply_springs(s, ri_slopes_at_end(0.0));
    ri_dyn_map_efforts(s->d, s->load.tau, tau);
    double lost = 0.0, work = 0.0;
    for (int i = 0; i < s->m->ns; i++) {
        lost -= s->load.lost[i] * s->d->js[i];
        work += (s->load.tau[i] - s->load.lost[i] - s->load.stored[i]) * s->d->js[i];
    }
    for (int i = 0; i < s->spring_count; i++) {
        const SpringState y = spring_state(s, &s->springs[i]);
        lost -= ri_dot(y.damper, y.v);
    }
    *out_work = work;
    *out_lost = lost;
}

/// Forces of one rk4 stage; the powers are integrated as the state is.
static void rk4_efforts(void *user, RiDyn *d, double time, const double *q, const double *v, double *tau)
{
    RiSim *s = user;
    double work, lost;
    (void)d, (void)time, (void)q, (void)v;
    s->trial = s->rk4_stage > 0; // the first stage is the state itself
    ri_sim_evaluate_forces(s, tau, &work, &lost);
    s->trial = false;
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    s->rk4_work += weight[s->rk4_stage] * work;
    s->rk4_lost += weight[s->rk4_stage] * lost;
    s->rk4_stage = (s->rk4_stage + 1) % 4;
}

static RiStatus step_rk4(RiSim *s, double h)
{
    s->fresh = false;
    s->rk4_stage = 0;
    s->rk4_work = s->rk4_lost = 0.0;
    memcpy(s->new_q, s->q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->new_v, s->v, (size_t)s->m->nv * sizeof *s->v);
    ri_integrator_set_efforts(s->rk4, rk4_efforts, s, false);
    RI_TRY(ri_integrator_rk4(s->rk4, s->head->time, h, s->new_q, s->new_v));
    s->head->work += h * s->rk4_work;
    s->head->dissipated += h * s->rk4_lost;
    ri_sim_span_acceleration(s);
    return RI_OK;
}

RiStatus ri_sim_advance(RiSim *s, double h)
{
    if (s->options.method == RI_METHOD_RK4)
        RI_TRY(step_rk4(s, h));
    else if (s->options.method == RI_METHOD_CVODE)
        RI_TRY(ri_sim_step_cvode(s, h));
    else if (s->options.method == RI_METHOD_MOREAU)
        RI_TRY(s->events ? ri_sim_step_events(s, h) : ri_sim_step_moreau(s, h));
    else if (s->options.method == RI_METHOD_KINEMATIC)
        RI_TRY(ri_sim_step_kinematic(s, h));
    else
        RI_TRY(step_euler(s, h, s->options.method == RI_METHOD_IMPLICIT));
    const char *bad = first_bad(s);
    if (bad)
        return ri_error(s->ctx, RI_ERR_NUMERIC,
                        "the motion diverged at t = %.9g s: coordinate '%s' is not finite (step %g s)", s->head->time,
                        bad, h);
    memcpy(s->q, s->new_q, (size_t)s->m->nq * sizeof *s->q);
    memcpy(s->v, s->new_v, (size_t)s->m->nv * sizeof *s->v);
    s->head->time += s->options.method == RI_METHOD_CVODE ? s->arrived_after : h; // it finds stop conditions on the way
    return RI_OK;
}
