// SPDX-License-Identifier: Apache-2.0
/// \file
/// Forces of joints: efforts from outside and from devices, servos, springs, dampers, friction and
/// stops of the robot's description.
///
/// Servos, springs and dampers have slopes, so that a step may take them at its end. Exact contact
/// (RI_METHOD_MOREAU) solves stops itself: there they are left out here. Tests:
/// tests/sim/test_sim.c, tests/sim/test_validity.c.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "math/snap.h"
#include "sim/force/joints.h"

/// Share of its range by which a joint may press into its stop before the stop's law is doubted.
#define RI_STOP_DEPTH 0.05
/// Share of its range by which a joint without a stop may be beyond a limit: rounding.
#define RI_LIMIT_SLACK 1e-9

// --- building ------------------------------------------------------------------------------------

static void lay_out(RiSim *s, RiBlockPart part, char *block, size_t *at)
{
    if (part != RI_BLOCK_MOVING)
        return; // what devices write is laid out by ri_joints_lay_out_inputs
    const size_t ns = (size_t)s->m->ns;
    s->joints->load.tau = ri_carve(block, at, ns, sizeof(double));
    s->accel_s = ri_carve(block, at, ns, sizeof *s->accel_s);
}

void ri_joints_lay_out_inputs(RiSim *s, char *block, size_t *at)
{
    RiJoints *x = s->joints;
    double **inputs[] = {&x->effort, &x->held, &x->servo_k, &x->servo_d, &x->servo_q, &x->servo_v, &x->servo_max};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        *inputs[i] = ri_carve(block, at, (size_t)s->m->ns, sizeof(double));
}

/// Springs and dampers of the description, as numbers that may be changed.
static RiStatus take_springs(RiSim *s)
{
    s->joints->spring = ri_arena_alloc(&s->arena, (size_t)s->m->ns + 1, sizeof *s->joints->spring);
    if (!s->joints->spring)
        return ri_error_memory(s->ctx);
    memcpy(s->joints->spring, s->d->own_spring, (size_t)s->m->ns * sizeof *s->joints->spring);
    ri_dyn_set_springs(s->d, s->joints->spring);
    return RI_OK;
}

static RiStatus take_seats(RiSim *s)
{
    s->joints->seats = ri_arena_alloc(&s->arena, (size_t)s->m->ns + 1, sizeof *s->joints->seats);
    if (!s->joints->seats)
        return ri_error_memory(s->ctx);
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        const RiJointSpec *spec = &s->m->joints[b->joint].spec;
        const bool limits = b->ns == 1 && spec->has_limits;
        for (int k = 0; k < b->ns; k++)
            s->joints->seats[b->s + k] = (RiJointSeat){limits ? spec->lower : -INFINITY,
                                                       limits ? spec->upper : INFINITY,
                                                       spec,
                                                       b->type,
                                                       b->ns == b->nq ? b->sq + k : -1,
                                                       spec->friction > 0.0};
    }
    return RI_OK;
}

static RiStatus prepare(RiSim *s)
{
    const size_t ns = (size_t)s->m->ns + 1;
    RiLoads *load = &s->joints->load;
    double **arrays[] = {&s->tau_s, &load->extra, &load->drift,     &load->lost,         &load->stored,
                         &load->K,  &load->C,     &load->stiffness, &s->joints->softened};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = ri_arena_alloc(&s->arena, ns, sizeof(double));
        if (!*arrays[i])
            return ri_error_memory(s->ctx);
    }
    RI_TRY(take_springs(s));
    return take_seats(s);
}

// --- a step --------------------------------------------------------------------------------------

static double servo_effort(const RiJoints *j, int i, double q, double v)
{
    return j->servo_k[i] * (j->servo_q[i] - q) + j->servo_d[i] * (j->servo_v[i] - v);
}

/// The joint's servo: tau = k (q_ref - q) + d (v_ref - v), limited. At its limit it has no slope,
/// unless it would leave the limit within the step: then it has the secant's, so that it does not
/// jump from one limit to the other.
static RiJointLoad servo(RiSim *s, int i, double q, double v)
{
    RiJoints *j = s->joints;
    const double k = j->servo_k[i], d = j->servo_d[i], most = j->servo_max[i];
    const double tau = servo_effort(j, i, q, v);
    if (most > 0.0 && fabs(tau) > most) {
        const double secant = j->softened[i] * most / fabs(tau);
        j->saturated++;
        return (RiJointLoad){tau > 0.0 ? most : -most, secant * k, secant * d, 0.0, 0.0};
    }
    return (RiJointLoad){tau, k, d, 0.0, 0.0};
}

/// Whether nothing passive acts: no spring, damper or friction, and no stop is touched.
static inline bool is_free(const RiJointSeat *x, const RiJointSpring *s, double q)
{
    const bool smooth = s->damping > 0.0 || s->stiffness > 0.0 || x->friction;
    return !smooth && q >= x->lower && q <= x->upper;
}

/// What acts without a command: spring, damper, friction, stop.
static RiJointLoad passive_load(const RiSim *s, const RiJointSeat *x, const RiJointSpring *spring, double q, double v)
{
    return s->method->solves_contact ? ri_joint_smooth(x->spec, spring, x->type, q, v)
                                     : ri_joint_passive(x->spec, spring, x->type, q, v);
}

void ri_joints_evaluate(RiSim *s, RiSlopes by)
{
    const RiJoints *j = s->joints;
    const RiLoads load = j->load;
    const double *jq = s->d->jq, *js = s->d->js;
    s->joints->saturated = 0;
    for (int i = 0, n = s->m->ns; i < n; i++) {
        const RiJointSeat *seat = &j->seats[i];
        const double q = seat->sq >= 0 ? jq[seat->sq] : 0.0, v = js[i];
        RiJointLoad x = {0.0, 0.0, 0.0, 0.0, 0.0};
        if (!is_free(seat, &j->spring[i], q))
            x = passive_load(s, seat, &j->spring[i], q, v);
        load.K[i] = x.K;
        load.C[i] = x.C;
        load.lost[i] = x.lost;
        load.stored[i] = x.stored;
        x.tau += j->effort[i] + j->held[i];
        if ((j->servo_k[i] > 0.0 || j->servo_d[i] > 0.0) && seat->sq >= 0) {
            const RiJointLoad y = servo(s, i, q, v);
            x.tau += y.tau;
            x.K += y.K;
            x.C += y.C;
        }
        load.tau[i] = x.tau;
        load.extra[i] = by.c * x.C + by.a * x.K;
        load.drift[i] = by.v * x.K * v;
        load.stiffness[i] = x.K;
    }
}

static void evaluate(RiSim *s, RiSlopes by)
{
    memset(s->joints->softened, 0, (size_t)s->m->ns * sizeof *s->joints->softened);
    ri_joints_evaluate(s, by);
}

/// Finds servos at their limits whose law asks for less than the limit at the end of the step.
/// Whether there were none.
static bool predict(RiSim *s, double h)
{
    RiJoints *j = s->joints;
    bool settled = true;
    if (j->saturated == 0)
        return true;
    ri_sim_span_acceleration(s);
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        for (int k = 0; k < b->ns && b->ns == b->nq; k++) {
            const int at = b->s + k;
            const double most = j->servo_max[at], q = s->d->jq[b->sq + k], v = s->d->js[at];
            const double now = servo_effort(j, at, q, v);
            if (most <= 0.0 || fabs(now) <= most || j->softened[at] > 0.0)
                continue;
            const double end = v + h * s->accel_s[at];
            if (servo_effort(j, at, q + h * end, end) * copysign(1.0, now) >= most)
                continue;
            j->softened[at] = 1.0;
            settled = false;
        }
    }
    return settled;
}

static void apply(RiSim *s, RiSlopes by)
{
    const RiLoads *load = &s->joints->load;
    (void)by; // evaluate has put the slopes into `extra` and `drift`
    for (int i = 0; i < s->m->ns; i++)
        s->tau_s[i] = load->tau[i] - load->drift[i];
    ri_dyn_map_efforts(s->d, s->tau_s, s->tau);
}

/// Work, loss and storage of a first-order step at mean velocities; also those of gravity, inertia
/// and armature.
static void account(RiSim *s, double h, RiSlopes by)
{
    const RiLoads *load = &s->joints->load;
    double work = 0.0, lost_sum = 0.0, stored_sum = s->power.gravity, inertia = s->power.inertia, armature = 0.0;
    for (int i = 0; i < s->m->ns; i++) {
        const double a = s->accel_s[i], v = s->d->js[i], K = load->K[i], C = load->C[i];
        const double mean = v + 0.5 * h * (a - s->d->jg[i]); // the change at this configuration
        const double force = load->tau[i] - load->drift[i] - load->extra[i] * a;
        const double stored = load->stored[i] - K * (by.v * v + by.a * a);
        const double lost = load->lost[i] - C * by.c * a;
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
    s->power.kinetic += armature;
}

static void flow(RiSim *s, RiFlow *f)
{
    const RiLoads *load = &s->joints->load;
    ri_joints_evaluate(s, ri_slopes_at_end(0.0));
    ri_dyn_map_efforts(s->d, load->tau, f->tau);
    for (int i = 0; i < s->m->ns; i++) {
        f->lost -= load->lost[i] * s->d->js[i];
        f->work += (load->tau[i] - load->lost[i] - load->stored[i]) * s->d->js[i];
    }
}

// --- validity ------------------------------------------------------------------------------------

static RiStatus watch_joint(RiSim *s, const RiBodyData *b)
{
    const RiJointSpec *j = &s->m->joints[b->joint].spec;
    RiJointWatch w = {-INFINITY, INFINITY, j->velocity, j->effort * (1.0 + 1e-9), b->s, b->sq, -1, -1, -1};
    const double range = j->upper - j->lower;
    if (j->has_limits) {
        const bool stop = j->stop_stiffness > 0.0;
        const double slack = range * (stop ? RI_STOP_DEPTH : RI_LIMIT_SLACK);
        w.lower = j->lower - slack;
        w.upper = j->upper + slack;
        RI_TRY(ri_sim_add_flag(s, j->name, "position_limit",
                               stop ? "the joint is further in its stop than 5 % of its range"
                                    : "the joint is beyond its limits, and it has no stop",
                               &w.position));
    }
    if (isfinite(j->velocity))
        RI_TRY(ri_sim_add_flag(s, j->name, "velocity_limit", "the joint is faster than the robot's description allows",
                               &w.rate));
    if (isfinite(j->effort))
        RI_TRY(ri_sim_add_flag(s, j->name, "effort_limit",
                               "the actuator effort is larger than the robot's description allows", &w.effort));
    s->joints->most_rate[b->s] = w.most_rate;
    s->joints->most_effort[b->s] = w.most_effort;
    s->joints->lower[b->sq] = w.lower;
    s->joints->upper[b->sq] = w.upper;
    if (w.position >= 0 || w.rate >= 0 || w.effort >= 0)
        s->joints->watches[s->joints->watch_count++] = w;
    return RI_OK;
}

/// Room for the limits, all infinite.
static RiStatus make_limits(RiSim *s)
{
    const size_t ns = (size_t)s->m->ns, nsq = (size_t)s->m->nsq;
    double *x = ri_arena_alloc(&s->arena, 2 * ns + 2 * nsq + 1, sizeof *x);
    s->joints->watches = ri_arena_alloc(&s->arena, (size_t)s->m->nb + 1, sizeof *s->joints->watches);
    if (!x || !s->joints->watches)
        return ri_error_memory(s->ctx);
    for (size_t i = 0; i < 2 * ns + nsq; i++)
        x[i] = INFINITY;
    for (size_t i = 0; i < nsq; i++)
        x[2 * ns + nsq + i] = -INFINITY;
    s->joints->most_rate = x;
    s->joints->most_effort = x + ns;
    s->joints->upper = x + 2 * ns;
    s->joints->lower = s->joints->upper + nsq;
    return RI_OK;
}

static RiStatus watch(RiSim *s)
{
    RI_TRY(make_limits(s));
    for (int i = 0; i < s->m->nb; i++)
        if (s->m->bodies[i].ns == 1)
            RI_TRY(watch_joint(s, &s->m->bodies[i]));
    return RI_OK;
}

/// A joint at the end of a tick that stands beyond one of its limits.
static void report_joint(RiSim *s, const RiJointWatch *w, double q, double v, double effort)
{
    if (q < w->lower || q > w->upper)
        ri_sim_report_validity(s, w->position);
    if (fabs(v) > w->most_rate)
        ri_sim_report_validity(s, w->rate);
    if (fabs(effort) > w->most_effort)
        ri_sim_report_validity(s, w->effort);
}

/// Whether any joint is beyond a limit, two at a time and without branches: room that is left is
/// positive, so it is the signs that are collected. Efforts are those that acted in the last step.
static bool any_beyond(const RiSim *s)
{
    const double *q = s->d->jq, *v = s->d->js, *tau = s->joints->load.tau, *lost = s->joints->load.lost,
                 *stored = s->joints->load.stored;
    const int ns = s->m->ns & ~1, nsq = s->m->nsq & ~1;
    RiPairBits signs = {0, 0};
    for (int i = 0; i < ns; i += 2) {
        const RiPair effort = ri_pair_load(tau + i) - ri_pair_load(lost + i) - ri_pair_load(stored + i);
        signs |= (RiPairBits)(ri_pair_load(s->joints->most_rate + i) - ri_pair_abs(ri_pair_load(v + i)));
        signs |= (RiPairBits)(ri_pair_load(s->joints->most_effort + i) - ri_pair_abs(effort));
    }
    for (int i = 0; i < nsq; i += 2) {
        const RiPair x = ri_pair_load(q + i);
        signs |=
            (RiPairBits)(x - ri_pair_load(s->joints->lower + i)) | (RiPairBits)(ri_pair_load(s->joints->upper + i) - x);
    }
    bool beyond = (signs[0] | signs[1]) < 0;
    if (ns < s->m->ns)
        beyond |= fabs(v[ns]) > s->joints->most_rate[ns] ||
                  fabs(tau[ns] - lost[ns] - stored[ns]) > s->joints->most_effort[ns];
    if (nsq < s->m->nsq)
        beyond |= q[nsq] < s->joints->lower[nsq] || q[nsq] > s->joints->upper[nsq];
    return beyond;
}

static void check_validity(RiSim *s)
{
    if (s->joints->watch_count == 0 || !any_beyond(s))
        return;
    for (int i = 0; i < s->joints->watch_count; i++) {
        const RiJointWatch *w = &s->joints->watches[i];
        report_joint(s, w, s->d->jq[w->sq], s->d->js[w->s],
                     s->joints->load.tau[w->s] - s->joints->load.lost[w->s] - s->joints->load.stored[w->s]);
    }
}

// --- names and fingerprint -----------------------------------------------------------------------

/// Spring and damper of a joint whose description has one of them.
static RiStatus name_spring(RiSim *s, const char *owner, const RiBodyData *b, int k, bool slide)
{
    RiJointSpring *x = &s->joints->spring[b->s + k];
    if (x->stiffness == 0.0 && x->damping == 0.0)
        return RI_OK;
    RI_TRY(ri_sim_name_value(s, owner, "damping", slide ? "N*s/m" : "N*m*s/rad", "damper of the joint",
                             RI_VALUE_PARAMETER, &x->damping, RI_VALUE_REAL, true));
    if (b->ns != b->nq)
        return RI_OK;
    RI_TRY(ri_sim_name_value(s, owner, "stiffness", slide ? "N/m" : "N*m/rad", "spring of the joint",
                             RI_VALUE_PARAMETER, &x->stiffness, RI_VALUE_REAL, true));
    return ri_sim_name_value(s, owner, "rest", slide ? "m" : "rad", "where the spring is at rest", RI_VALUE_PARAMETER,
                             &x->rest, RI_VALUE_REAL, true);
}

/// Springs and dampers that commands have written.
static RiStatus check(RiSim *s)
{
    for (int i = 0; i < s->m->nb; i++)
        for (int k = 0; k < s->m->bodies[i].ns; k++) {
            const RiJointSpring *x = &s->joints->spring[s->m->bodies[i].s + k];
            if (!(x->stiffness >= 0.0 && x->damping >= 0.0) || !isfinite(x->stiffness + x->damping + x->rest))
                return ri_error(s->ctx, RI_ERR_ARGUMENT,
                                "joint '%s': stiffness %g, damping %g, rest %g; the first two must be 0 or more and "
                                "all finite",
                                s->m->joints[s->m->bodies[i].joint].spec.name, x->stiffness, x->damping, x->rest);
        }
    return RI_OK;
}

static RiStatus name_joint(RiSim *s, const RiBodyData *b, int k)
{
    static const char *const suffix[6] = {"1", "2", "3", "4", "5", "6"};
    const RiJointSpec *joint = &s->m->joints[b->joint].spec;
    const bool slide = joint->type == RI_JOINT_PRISMATIC || (joint->type == RI_JOINT_PLANAR && k < 2) ||
                       (joint->type == RI_JOINT_FREE && k < 3);
    const char *x = slide ? "m" : "rad", *v = slide ? "m/s" : "rad/s", *a = slide ? "m/s^2" : "rad/s^2";
    const char *f = slide ? "N" : "N*m";
    char owner[400];
    snprintf(owner, sizeof owner, b->ns > 1 ? "%.380s.%s" : "%.380s", joint->name, suffix[k]);
    const int q = s->m->joints[b->joint].q, vel = s->m->joints[b->joint].v;
    // Independent coordinates are the state itself and can be set; the others are outputs, where
    // the dynamics has them.
    const bool free_q = q >= 0 && vel >= 0, free_v = vel >= 0;
    if (b->ns == b->nq)
        RI_TRY(ri_sim_name_value(s, owner, "position", x, "joint position", free_q ? RI_VALUE_STATE : RI_VALUE_OUTPUT,
                                 free_q ? s->q + q + k : s->d->jq + b->sq + k, RI_VALUE_REAL, free_q));
    RI_TRY(ri_sim_name_value(s, owner, "velocity", v, "joint velocity", free_v ? RI_VALUE_STATE : RI_VALUE_OUTPUT,
                             free_v ? s->v + vel + k : s->d->js + b->s + k, RI_VALUE_REAL, free_v));
    RI_TRY(ri_sim_name_value(s, owner, "acceleration", a, "joint acceleration", RI_VALUE_OUTPUT, s->accel_s + b->s + k,
                             RI_VALUE_REAL, false));
    RI_TRY(ri_sim_name_value(s, owner, "effort", f,
                             "effort acting on the joint: devices, servo, springs, friction, stops", RI_VALUE_OUTPUT,
                             s->joints->load.tau + b->s + k, RI_VALUE_REAL, false));
    RI_TRY(ri_sim_name_value(s, owner, "command", f, "effort commanded from outside", RI_VALUE_INPUT,
                             s->joints->effort + b->s + k, RI_VALUE_REAL, true));
    return name_spring(s, owner, b, k, slide);
}

static RiStatus name_values(RiSim *s)
{
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        for (int k = 0; k < b->ns && s->m->joints[b->joint].parent_link >= 0; k++) // the base has names of its own
            RI_TRY(name_joint(s, b, k));
    }
    return RI_OK;
}

/// Everything that the robot's description says about its bodies and joints.
static uint64_t fingerprint(const RiSim *s, uint64_t h)
{
    return ri_model_fingerprint(s->m, h);
}

const RiForceKind ri_force_joints = {
    .name = "joints",
    .prepare = prepare,
    .watch = watch,
    .lay_out = lay_out,
    .check = check,
    .name_values = name_values,
    .fingerprint = fingerprint,
    .evaluate = evaluate,
    .apply = apply,
    .predict = predict,
    .relinearize = ri_joints_evaluate,
    .account = account,
    .flow = flow,
    .check_validity = check_validity,
};
