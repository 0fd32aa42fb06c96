// SPDX-License-Identifier: Apache-2.0
/// \file
/// Arms: forward kinematics and inverse kinematics by damped least squares from many starting
/// points.
///
/// With the tip at x(q), the tool's axis t(q), the wanted point p and direction a, the residuals
/// are
///
///     (x - p) / L                       L the length of the stretched arm, so that metres and radians compare
///     axis:   theta t x a / |t x a|     theta the angle between t and a: the rotation that is missing
///     plane:  the same in the plane across the last joint's axis, one number
///
/// and the damped form of Newton's method goes down within the limits: a joint at a limit that
/// would leave it stays there. Starting points are the best 64 of the first 256 of a Halton
/// sequence [halton1960] over the ranges of the joints; where none of them leads to a solution, the
/// next 1792. Test: tests/onboard/test_arm.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "math/newton.h"
#include "model/tree.h"
#include "onboard/arm.h"

enum { ROWS = 6, SEEDS = 256, TRIED = 64, MORE = 2048, FOUND = 32, ITERATIONS = 60 };
#define PI        M_PI
#define CONVERGED 1e-13 // of the residual's norm
#define ACCEPTED  1e-8  // where the arm is singular, and converges slowly

const char *ri_arm_status_name(RiArmStatus status)
{
    static const char *const names[] = {"reached", "too far", "beyond joint limits", "unreachable"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

// --- chain ---------------------------------------------------------------------------------------

static bool moves_in_one_coordinate(RiJointType type)
{
    return type == RI_JOINT_REVOLUTE || type == RI_JOINT_CONTINUOUS || type == RI_JOINT_PRISMATIC;
}

static RiArmJoint chain_joint(const RiJointSpec *spec)
{
    RiArmJoint j = {.before = spec->origin,
                    .axis = ri_scale(1.0 / ri_norm(spec->axis), spec->axis),
                    .slides = spec->type == RI_JOINT_PRISMATIC,
                    .lower = spec->has_limits ? spec->lower : -INFINITY,
                    .upper = spec->has_limits ? spec->upper : INFINITY,
                    .max_rate = spec->velocity > 0.0 ? spec->velocity : INFINITY};
    snprintf(j.name, sizeof j.name, "%s", spec->name);
    return j;
}

/// Pose of a link in the one above it, both of one body.
static RiPose in_parent(const RiModel *m, int link)
{
    const RiPose above = ri_pose_inverse(&m->links[m->links[link].parent].pose);
    return ri_pose_mul(&above, &m->links[link].pose);
}

/// The moving joints from the tip inwards, each with the pose that follows it still to be put
/// before the next.
static RiStatus walk(RiContext *ctx, const RiModel *m, int base, int tip, RiArmChain *out)
{
    RiArmJoint inward[RI_ARM_JOINTS];
    const RiPose outside = ri_pose_inverse(&m->links[tip].pose);
    RiPose rest = ri_pose_mul(&outside, &out->tool), *next = &out->tool;
    for (int link = tip; link != base; link = m->links[link].parent) {
        const RiJointData *j = &m->joints[m->links[link].joint];
        if (m->links[link].parent < 0)
            return ri_error(ctx, RI_ERR_ARGUMENT, "'%s' is not behind '%s': no arm goes from one to the other",
                            m->links[tip].name, m->links[base].name);
        if (j->merged) {
            const RiPose inner = in_parent(m, link);
            rest = ri_pose_mul(&inner, &rest);
            continue;
        }
        if (!moves_in_one_coordinate(j->spec.type))
            return ri_error(ctx, RI_ERR_ARGUMENT, "joint '%s' cannot be part of an arm: it has several coordinates",
                            j->spec.name);
        if (out->count == RI_ARM_JOINTS)
            return ri_error(ctx, RI_ERR_LIMIT, "an arm has at most %d joints; from '%s' to '%s' there are more",
                            RI_ARM_JOINTS, m->links[base].name, m->links[tip].name);
        *next = rest;
        inward[out->count] = chain_joint(&j->spec);
        rest = inward[out->count].before;
        next = &inward[out->count++].before;
    }
    *next = rest;
    for (int i = 0; i < out->count; i++)
        out->joints[i] = inward[out->count - 1 - i];
    return RI_OK;
}

RiStatus ri_arm_chain(RiContext *ctx, const RiModel *m, const char *base, const char *tip, RiArmChain *out)
{
    *out = (RiArmChain){.tool_axis = {1.0, 0.0, 0.0}};
    const int frame = ri_model_find_frame(m, tip), link = base ? ri_model_find_link(m, base) : m->link_order[0];
    if (frame < 0)
        return ri_error(ctx, RI_ERR_NOT_FOUND, "there is no link or frame '%s' for the tip of an arm", tip);
    if (link < 0)
        return ri_error(ctx, RI_ERR_NOT_FOUND, "there is no link '%s' for the base of an arm", base);
    out->tool = m->frames[frame].pose;
    RI_TRY(walk(ctx, m, link, m->frames[frame].link, out));
    if (out->count == 0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "there is no joint between '%s' and '%s'", m->links[link].name, tip);
    return RI_OK;
}

// --- forward -------------------------------------------------------------------------------------

/// The arm at a position: where its joints are and which way they turn.
typedef struct Stance {
    RiVec3 origin[RI_ARM_JOINTS], axis[RI_ARM_JOINTS];
    RiPose tip;
    RiVec3 tool;
} Stance;

static Stance stand(const RiArmChain *arm, const double *q)
{
    Stance s;
    RiPose x = ri_pose_identity();
    for (int i = 0; i < arm->count; i++) {
        const RiArmJoint *j = &arm->joints[i];
        x = ri_pose_mul(&x, &j->before);
        s.origin[i] = x.p;
        s.axis[i] = ri_rotate(&x.R, j->axis);
        if (j->slides) {
            x.p = ri_add(x.p, ri_scale(q[i], s.axis[i]));
        } else {
            const RiMat3 turn = ri_mat3_axis_angle(j->axis, q[i]);
            x.R = ri_mat3_mul(&x.R, &turn);
        }
    }
    s.tip = ri_pose_mul(&x, &arm->tool);
    s.tool = ri_rotate(&s.tip.R, arm->tool_axis);
    return s;
}

RiPose ri_arm_tip(const RiArmChain *arm, const double *q)
{
    return stand(arm, q).tip;
}

int ri_arm_points(const RiArmChain *arm, const double *q, RiVec3 *out)
{
    const Stance s = stand(arm, q);
    memcpy(out, s.origin, (size_t)arm->count * sizeof *out);
    out[arm->count] = s.tip.p;
    return arm->count + 1;
}

/// Length of the stretched arm from its first joint on: nothing farther can be reached.
static double reach(const RiArmChain *arm)
{
    double length = ri_norm(arm->tool.p);
    for (int i = 0; i < arm->count; i++) {
        const RiArmJoint *j = &arm->joints[i];
        length += i > 0 ? ri_norm(j->before.p) : 0.0;
        length += j->slides ? fmax(fabs(j->lower), fabs(j->upper)) : 0.0;
    }
    return length;
}

// --- residuals -----------------------------------------------------------------------------------

/// A question as the search works on it.
typedef struct Question {
    const RiArmChain *arm;
    RiVec3 point, direction;
    RiArmAim aim;
    double length;
    double low[RI_ARM_JOINTS], high[RI_ARM_JOINTS];
} Question;

typedef struct Linear {
    double r[ROWS], J[ROWS][RI_ARM_JOINTS], square;
    int rows;
} Linear;

/// The angle by which t is to be turned about m so that it lies in the plane of m and a, and how
/// a's part across m changes it.
static double plane_angle(RiVec3 t, RiVec3 a, RiVec3 m, RiVec3 *out_across)
{
    *out_across = ri_sub(a, ri_scale(ri_dot(a, m), m));
    return ri_atan2(ri_dot(ri_cross(t, a), m), ri_dot(t, a) - ri_dot(t, m) * ri_dot(a, m));
}

static void aim_plane(const Question *x, const Stance *s, Linear *l)
{
    const RiVec3 m = s->axis[x->arm->count - 1];
    RiVec3 across;
    l->r[3] = plane_angle(s->tool, x->direction, m, &across);
    const double size = fmax(ri_dot(across, across), 1e-12);
    for (int k = 0; k < x->arm->count; k++) {
        const RiVec3 seen = ri_cross(x->direction, s->axis[k]); // how the direction moves, seen from the turning arm
        l->J[3][k] = x->arm->joints[k].slides ? 0.0 : ri_dot(ri_cross(across, seen), m) / size;
    }
    l->rows = 4;
}

static void aim_axis(const Question *x, const Stance *s, Linear *l)
{
    const RiVec3 c = ri_cross(s->tool, x->direction);
    const double sine = ri_norm(c), cosine = ri_dot(s->tool, x->direction);
    RiVec3 turn = sine > 0.0 ? ri_scale(ri_atan2(sine, cosine) / sine, c) : ri_vec3(0.0, 0.0, 0.0);
    if (sine < 1e-9 && cosine < 0.0) { // straight away from it: any axis across will do
        const RiMat3 R = ri_mat3_from_z(s->tool);
        turn = ri_scale(PI, ri_mat3_col(&R, 0));
    }
    const double e[3] = {turn.x, turn.y, turn.z};
    for (int i = 0; i < 3; i++)
        l->r[3 + i] = e[i];
    for (int k = 0; k < x->arm->count; k++) {
        const RiVec3 w = s->axis[k];
        const RiVec3 turned = ri_sub(w, ri_scale(ri_dot(w, s->tool), s->tool));
        const double d[3] = {-turned.x, -turned.y, -turned.z};
        for (int i = 0; i < 3; i++)
            l->J[3 + i][k] = x->arm->joints[k].slides ? 0.0 : d[i];
    }
    l->rows = 6;
}

static void linearize(const Question *x, const double *q, Linear *l)
{
    const Stance s = stand(x->arm, q);
    const RiVec3 off = ri_scale(1.0 / x->length, ri_sub(s.tip.p, x->point));
    l->r[0] = off.x, l->r[1] = off.y, l->r[2] = off.z;
    for (int k = 0; k < x->arm->count; k++) {
        const RiVec3 v = x->arm->joints[k].slides ? s.axis[k] : ri_cross(s.axis[k], ri_sub(s.tip.p, s.origin[k]));
        l->J[0][k] = v.x / x->length, l->J[1][k] = v.y / x->length, l->J[2][k] = v.z / x->length;
    }
    l->rows = 3;
    switch (x->aim) {
    case RI_ARM_PLANE:
        aim_plane(x, &s, l);
        break;
    case RI_ARM_AXIS:
        aim_axis(x, &s, l);
        break;
    case RI_ARM_AUTO: // resolved before
    case RI_ARM_POINT:
        break;
    }
    l->square = 0.0;
    for (int i = 0; i < l->rows; i++)
        l->square += l->r[i] * l->r[i];
}

// --- search --------------------------------------------------------------------------------------

/// A position that goes down to a solution, as the solver sees it.
typedef struct Descent {
    const Question *x;
    double q[RI_ARM_JOINTS], kept[RI_ARM_JOINTS];
} Descent;

/// Residuals and slopes; joints at a limit that the residual pushes outwards have none, and stay
/// there.
static bool evaluate(void *user, double *out_f, double *out_J)
{
    const Descent *d = user;
    const Question *x = d->x;
    const int n = x->arm->count;
    Linear l;
    linearize(x, d->q, &l);
    memcpy(out_f, l.r, (size_t)l.rows * sizeof *out_f);
    for (int k = 0; k < n; k++) {
        double push = 0.0;
        for (int i = 0; i < l.rows; i++)
            push -= l.J[i][k] * l.r[i];
        const bool held = (d->q[k] <= x->low[k] && push < 0.0) || (d->q[k] >= x->high[k] && push > 0.0);
        for (int i = 0; i < l.rows; i++)
            out_J[i * n + k] = held ? 0.0 : l.J[i][k];
    }
    return true;
}

static void keep(void *user)
{
    Descent *d = user;
    memcpy(d->kept, d->q, sizeof d->kept);
}

static void move(void *user, const double *step, double scale)
{
    Descent *d = user;
    for (int k = 0; k < d->x->arm->count; k++)
        d->q[k] = fmin(fmax(d->kept[k] + scale * step[k], d->x->low[k]), d->x->high[k]);
}

/// Goes down from q. Returns the square of the residual that is left.
static double descend(const Question *x, double *q, int iterations)
{
    _Alignas(64) char block[4096];
    const int rows = x->aim == RI_ARM_POINT ? 3 : x->aim == RI_ARM_PLANE ? 4 : ROWS, n = x->arm->count;
    const RiNewtonWork w = ri_newton_layout(block, rows, n);
    Descent d = {.x = x};
    memcpy(d.q, q, (size_t)n * sizeof *q);
    const RiNewtonProblem p = {
        .rows = rows, .unknowns = n, .user = &d, .evaluate = evaluate, .keep = keep, .move = move};
    const RiNewtonOptions o = {
        .enough = CONVERGED, .tolerance = ACCEPTED, .longest = 1.0, .iterations = iterations, .damping = 1e-3};
    ri_newton_solve(&p, &o, &w);
    memcpy(q, d.q, (size_t)n * sizeof *q);
    double square = 0.0;
    for (int i = 0; i < rows; i++)
        square += w.f[i] * w.f[i];
    return square;
}

/// Number i of the van der Corput sequence to a base.
static double radical_inverse(int i, int base)
{
    double x = 0.0, digit = 1.0 / base;
    for (; i > 0; i /= base, digit /= base)
        x += digit * (i % base);
    return x;
}

/// Fixed starting point i.
static void seed_at(const Question *x, int i, double *q)
{
    static const int bases[RI_ARM_JOINTS] = {2, 3, 5, 7, 11, 13, 17, 19};
    for (int k = 0; k < x->arm->count; k++) {
        const double wide = x->arm->joints[k].slides ? x->length : PI;
        const double low = isfinite(x->low[k]) ? x->low[k] : -wide, high = isfinite(x->high[k]) ? x->high[k] : wide;
        q[k] = low + (high - low) * radical_inverse(i, bases[k]);
    }
}

/// The best `TRIED` of the first `SEEDS`, best first.
static void list_seeds(const Question *x, double (*out_q)[RI_ARM_JOINTS])
{
    double best[TRIED];
    int count = 0;
    for (int i = 1; i <= SEEDS; i++) {
        double q[RI_ARM_JOINTS];
        Linear l;
        seed_at(x, i, q);
        linearize(x, q, &l);
        if (count == TRIED && l.square >= best[TRIED - 1])
            continue;
        int at = count < TRIED ? count++ : TRIED - 1;
        for (; at > 0 && best[at - 1] > l.square; at--) {
            best[at] = best[at - 1];
            memcpy(out_q[at], out_q[at - 1], sizeof *out_q);
        }
        best[at] = l.square;
        memcpy(out_q[at], q, sizeof q);
    }
}

/// Turns joints without limits to the turn nearest to `from`.
static void unwind(const Question *x, const double *from, double *q)
{
    for (int k = 0; k < x->arm->count; k++)
        if (!x->arm->joints[k].slides && isinf(x->low[k]) && isinf(x->high[k]))
            q[k] -= 2.0 * PI * round((q[k] - (from ? from[k] : 0.0)) / (2.0 * PI));
}

static double farthest(const double *a, const double *b, int n)
{
    double most = 0.0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

static RiArmSolution describe(const Question *x, const double *q)
{
    RiArmSolution out = {.margin = 1.0};
    const Stance s = stand(x->arm, q);
    memcpy(out.q, q, (size_t)x->arm->count * sizeof *q);
    out.distance = ri_norm(ri_sub(s.tip.p, x->point));
    if (x->aim != RI_ARM_POINT)
        out.angle = ri_atan2(ri_norm(ri_cross(s.tool, x->direction)), ri_dot(s.tool, x->direction));
    for (int k = 0; k < x->arm->count; k++) {
        const RiArmJoint *j = &x->arm->joints[k];
        if (isfinite(j->lower) && isfinite(j->upper) && j->upper > j->lower)
            out.margin = fmin(out.margin, fmin(q[k] - j->lower, j->upper - q[k]) / (j->upper - j->lower));
    }
    return out;
}

static Question ask(const RiArmChain *arm, const RiArmTarget *target, bool limits)
{
    Question x = {.arm = arm, .point = target->point, .aim = target->aim, .length = fmax(reach(arm), 1e-6)};
    if (x.aim == RI_ARM_AUTO)
        x.aim = arm->count >= 5 ? RI_ARM_AXIS : arm->count == 4 ? RI_ARM_PLANE : RI_ARM_POINT;
    const double size = ri_norm(target->direction);
    if (!(size > 0.0))
        x.aim = RI_ARM_POINT;
    else
        x.direction = ri_scale(1.0 / size, target->direction);
    for (int k = 0; k < arm->count; k++) {
        x.low[k] = limits ? arm->joints[k].lower : -INFINITY;
        x.high[k] = limits ? arm->joints[k].upper : INFINITY;
    }
    return x;
}

/// What a search has found.
typedef struct Found {
    double q[FOUND][RI_ARM_JOINTS];
    int count;
    double least; ///< square of the smallest residual
    double nearest[RI_ARM_JOINTS];
} Found;

static void try_seed(const Question *x, const double *start, const double *seed, Found *found)
{
    double q[RI_ARM_JOINTS];
    memcpy(q, seed, (size_t)x->arm->count * sizeof *q);
    for (int k = 0; k < x->arm->count; k++)
        q[k] = fmin(fmax(q[k], x->low[k]), x->high[k]);
    const double square = descend(x, q, ITERATIONS);
    unwind(x, start, q);
    if (square < found->least) {
        found->least = square;
        memcpy(found->nearest, q, sizeof q);
    }
    if (!(square < ACCEPTED * ACCEPTED) || found->count == FOUND)
        return;
    for (int i = 0; i < found->count; i++)
        if (farthest(found->q[i], q, x->arm->count) < 1e-3)
            return;
    memcpy(found->q[found->count++], q, sizeof q);
}

/// Looks for `wanted` solutions; without hope, for the nearest position only.
static void search(const Question *x, const double *start, int wanted, bool hope, Found *found)
{
    double seeds[TRIED][RI_ARM_JOINTS];
    found->count = 0;
    found->least = INFINITY;
    if (start)
        try_seed(x, start, start, found);
    if (found->count >= wanted)
        return;
    list_seeds(x, seeds);
    for (int i = 0; i < TRIED && found->count < wanted; i++)
        try_seed(x, start, seeds[i], found);
    for (int i = SEEDS; i < MORE && found->count == 0 && hope; i++) {
        seed_at(x, i, seeds[0]);
        try_seed(x, start, seeds[0], found);
    }
}

/// Orders what was found by its distance from the start, and writes the first `room` of it.
static int write_solutions(const Question *x, const double *start, Found *found, int room, RiArmSolution *out)
{
    const double zero[RI_ARM_JOINTS] = {0.0}, *from = start ? start : zero;
    const int n = x->arm->count;
    for (int i = 1; i < found->count; i++)
        for (int k = i; k > 0 && farthest(found->q[k], from, n) < farthest(found->q[k - 1], from, n); k--) {
            double t[RI_ARM_JOINTS];
            memcpy(t, found->q[k], sizeof t);
            memcpy(found->q[k], found->q[k - 1], sizeof t);
            memcpy(found->q[k - 1], t, sizeof t);
        }
    const int count = found->count < room ? found->count : room;
    for (int i = 0; i < count; i++)
        out[i] = describe(x, found->q[i]);
    return count;
}

/// Whether the target would be reached without limits, and which joint is then farthest beyond its
/// own: of all ways the one that asks least.
static bool blame_limits(const RiArmChain *arm, const RiArmTarget *target, RiArmReach *r)
{
    const Question x = ask(arm, target, false);
    Found found;
    search(&x, NULL, FOUND, false, &found);
    double least = INFINITY;
    for (int i = 0; i < found.count; i++) {
        double most = 0.0;
        int joint = -1;
        for (int k = 0; k < arm->count; k++) {
            const double beyond = fmax(found.q[i][k] - arm->joints[k].upper, arm->joints[k].lower - found.q[i][k]);
            if (beyond > most)
                most = beyond, joint = k;
        }
        if (joint >= 0 && most < least)
            least = most, r->joint = joint, r->beyond = most;
    }
    return r->joint >= 0;
}

RiArmReach ri_arm_solve(const RiArmChain *arm, const RiArmTarget *target, const double *start, int room,
                        RiArmSolution *out_solutions)
{
    RiArmReach r = {.joint = -1};
    const Question x = ask(arm, target, true);
    Found found;
    r.shortest = ri_norm(ri_sub(x.point, arm->joints[0].before.p)) - x.length;
    search(&x, start, room > 0 ? (room < FOUND ? room : FOUND) : 1, r.shortest <= 0.0, &found);
    r.nearest = describe(&x, found.nearest);
    r.count = write_solutions(&x, start, &found, room, out_solutions);
    if (found.count > 0) {
        r.shortest = 0.0;
        return r;
    }
    r.status = r.shortest > 0.0 ? RI_ARM_TOO_FAR : blame_limits(arm, target, &r) ? RI_ARM_LIMITS : RI_ARM_UNREACHABLE;
    return r;
}

bool ri_arm_follow(const RiArmChain *arm, const RiArmTarget *target, double *q, RiArmSolution *out_solution)
{
    const Question x = ask(arm, target, true);
    double to[RI_ARM_JOINTS];
    memcpy(to, q, (size_t)arm->count * sizeof *q);
    const double square = descend(&x, to, 30);
    if (!(square < ACCEPTED * ACCEPTED))
        return false;
    memcpy(q, to, (size_t)arm->count * sizeof *q);
    if (out_solution)
        *out_solution = describe(&x, q);
    return true;
}
