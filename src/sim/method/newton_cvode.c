// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Newton matrix of CVODE for a robot with servos, springs and contacts, by its structure: P ~
/// I - gamma J is solved exactly for all that is stiff.
///
/// Let w be a displacement along the velocities (dq = E w), J_i the Jacobian of point i, and at
/// each touch, by differences of its law alone,
///
///     dF = Fp J_i w + Fv J_i dv + Fx dxi           dxi' = Xp J_i w + Xv J_i dv + Xx dxi
///
/// With z_q = r_q + gamma E z_v, w = w_r + gamma z_v and B = (1 - gamma Xx)^-1 the deflections can
/// be eliminated touch by touch,
///
///     z_xi = B (r_xi + gamma Xp J_i w + gamma Xv J_i z_v)
///
/// and what is left is a system of as many unknowns as the robot has velocities,
///
///     [M + gamma C + gamma^2 K + sum J_i^T S_i J_i] z_v = M r_v + gamma (sum J_i^T [Fp J_i w_r + Fx B (r_xi + gamma Xp J_i w_r)] - K w_r)
///     S_i = -gamma^2 Fp - gamma Fv - gamma Fx B (gamma^2 Xp + gamma Xv)
///
/// Left out is what is not stiff: velocity-product forces, and how Jacobians and inertia change
/// with position. Tests: tests/sim/test_history.c.
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "sim/force/joints.h"
#include "sim/force/springs.h"
#include "sim/force/touches.h"
#include "sim/method/cvode.h"

/// Slopes of the force at one point.
typedef struct Slope {
    int link, place; // of the deflection, -1: a spring
    RiVec3 arm;      // from the link's frame
    RiMat3 Fp, Fx, Xp, Xv, B;
} Slope;

struct RiNewton {
    double gamma;
    Slope *slopes; // by links
    int slope_count;
    bool *touching;       // [places]
    double *q;            // [nq]
    double *J;            // [links][6][nv]
    double *M, *A;        // [nv][nv]
    double *G;            // [ns][nv], NULL: the identity
    double *K;            // [ns] of the joints, times gamma
    double *w, *b, *span; // [nv], [nv], [ns]
    double *twist;        // [links][6]
    int *pivot;
};

RiStatus ri_sim_create_newton(RiSim *s)
{
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv, ns = (size_t)s->m->ns, nl = (size_t)s->m->nl;
    const size_t places = s->contacts ? (size_t)s->contacts->state_count : 0, G = s->m->plain ? 0 : ns * nv;
    RiNewton *n = ri_arena_alloc(&s->arena, 1, sizeof *n);
    double *x = ri_arena_alloc(&s->arena, nq + 6 * nl * nv + 2 * nv * nv + G + 2 * ns + 2 * nv + 6 * nl + 1, sizeof *x);
    if (!n || !x)
        return ri_error_memory(s->ctx);
    n->slopes = ri_arena_alloc(&s->arena, places + (size_t)s->springs->count + 1, sizeof *n->slopes);
    n->touching = ri_arena_alloc(&s->arena, places + 1, sizeof *n->touching);
    n->pivot = ri_arena_alloc(&s->arena, nv + 1, sizeof *n->pivot);
    if (!n->slopes || !n->touching || !n->pivot)
        return ri_error_memory(s->ctx);
    n->q = x;
    n->J = n->q + nq;
    n->M = n->J + 6 * nl * nv;
    n->A = n->M + nv * nv;
    n->K = n->A + nv * nv;
    n->span = n->K + ns;
    n->w = n->span + ns;
    n->b = n->w + nv;
    n->twist = n->b + nv;
    n->G = s->m->plain ? NULL : n->twist + 6 * nl;
    s->cvode->newton = n;
    return ri_dyn_reserve_mass_matrix(s->d);
}

// --- slopes of the laws --------------------------------------------------------------------------

static void set_column(RiMat3 *A, int k, double scale, RiVec3 x)
{
    A->m[0][k] = scale * x.x, A->m[1][k] = scale * x.y, A->m[2][k] = scale * x.z;
}

static RiMat3 scaled(double a, const RiMat3 *X)
{
    RiMat3 r;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r.m[i][k] = a * X->m[i][k];
    return r;
}

/// -a n^T
static RiMat3 along(RiVec3 a, RiVec3 n)
{
    return ri_mat3_from_cols(ri_scale(-n.x, a), ri_scale(-n.y, a), ri_scale(-n.z, a));
}

/// (1 - gamma X)^-1
static RiMat3 resolvent(double gamma, const RiMat3 *X)
{
    RiMat3 A = scaled(-gamma, X);
    for (int i = 0; i < 3; i++)
        A.m[i][i] += 1.0;
    const RiVec3 x = ri_mat3_col(&A, 0), y = ri_mat3_col(&A, 1), z = ri_mat3_col(&A, 2);
    const RiVec3 yz = ri_cross(y, z);
    const double inv = 1.0 / ri_dot(x, yz);
    const RiMat3 rows =
        ri_mat3_from_cols(ri_scale(inv, yz), ri_scale(inv, ri_cross(z, x)), ri_scale(inv, ri_cross(x, y)));
    return ri_mat3_transpose(&rows);
}

/// What a touch does at another depth, velocity and deflection.
typedef struct Response {
    RiVec3 force, rate;
} Response;

static Response respond(const RiTouch *t, RiVec3 v, RiVec3 xi)
{
    const RiTouchForce f = ri_touch_force(t, v, xi, 0.0);
    return (Response){f.force, ri_touch_deflection_rate(t, &f, v, xi)};
}

static RiVec3 moved(RiVec3 x, int k, double by)
{
    return ri_vec3(x.x + (k == 0 ? by : 0.0), x.y + (k == 1 ? by : 0.0), x.z + (k == 2 ? by : 0.0));
}

/// Slopes of a law by differences: seven evaluations of one touch.
static void touch_slopes(const RiTouch *t, RiVec3 xi, double gamma, Slope *out, RiMat3 *out_S)
{
    static const double DEPTH = 1e-9, SPEED = 1e-8,
                        DEFLECTION = 1e-10; // [m], [m/s], [m]: far below what a law resolves
    const Response at = respond(t, t->v, xi);
    RiTouch deeper = *t;
    deeper.depth += DEPTH;
    const Response d = respond(&deeper, t->v, xi);
    const RiMat3 Fp = along(ri_scale(1.0 / DEPTH, ri_sub(d.force, at.force)), t->normal);
    const RiMat3 Xp = along(ri_scale(1.0 / DEPTH, ri_sub(d.rate, at.rate)), t->normal);
    RiMat3 Fv, Fx, Xv, Xx;
    for (int k = 0; k < 3; k++) {
        const Response v = respond(t, moved(t->v, k, SPEED), xi), x = respond(t, t->v, moved(xi, k, DEFLECTION));
        set_column(&Fv, k, 1.0 / SPEED, ri_sub(v.force, at.force));
        set_column(&Xv, k, 1.0 / SPEED, ri_sub(v.rate, at.rate));
        set_column(&Fx, k, 1.0 / DEFLECTION, ri_sub(x.force, at.force));
        set_column(&Xx, k, 1.0 / DEFLECTION, ri_sub(x.rate, at.rate));
    }
    *out = (Slope){-1, t->place, ri_vec3(0.0, 0.0, 0.0), Fp, Fx, Xp, Xv, resolvent(gamma, &Xx)};
    const RiMat3 a = scaled(gamma * gamma, &Xp), b = scaled(gamma, &Xv), sum = ri_mat3_add(&a, &b);
    const RiMat3 moved_along = ri_mat3_mul(&out->B, &sum), through = ri_mat3_mul(&Fx, &moved_along);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out_S->m[i][k] = -gamma * (gamma * Fp.m[i][k] + Fv.m[i][k] + through.m[i][k]);
}

// --- the matrix ----------------------------------------------------------------------------------

/// Q += X^T S X with X = (-[arm]x, 1), which gives a point's velocity from its link's twist.
static void add_at_point(double Q[6][6], RiVec3 arm, const RiMat3 *S)
{
    const double X[3][6] = {
        {0.0, arm.z, -arm.y, 1.0, 0.0, 0.0}, {-arm.z, 0.0, arm.x, 0.0, 1.0, 0.0}, {arm.y, -arm.x, 0.0, 0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 6; c++) {
            double SX = 0.0;
            for (int k = 0; k < 3; k++)
                SX += S->m[i][k] * X[k][c];
            for (int r = 0; r < 6; r++)
                Q[r][c] += X[i][r] * SX;
        }
}

/// A += J^T Q J
static void add_link(RiNewton *n, int nv, int link, double Q[6][6])
{
    const double *J = n->J + (size_t)link * 6 * (size_t)nv;
    for (int r = 0; r < 6; r++) {
        double *QJ = n->b; // row r of Q J
        memset(QJ, 0, (size_t)nv * sizeof *QJ);
        for (int c = 0; c < 6; c++)
            for (int k = 0; k < nv; k++)
                QJ[k] += Q[r][c] * J[c * nv + k];
        for (int i = 0; i < nv; i++) {
            const double f = J[r * nv + i];
            for (int k = 0; k < nv && f != 0.0; k++)
                n->A[i * nv + k] += f * QJ[k];
        }
    }
}

/// All touches, link by link.
static void add_touches(RiSim *s, const double *xi)
{
    RiNewton *n = s->cvode->newton;
    memset(n->touching, 0, (size_t)s->contacts->state_count * sizeof *n->touching);
    for (int i = 0; i < s->touches->count;) {
        const int slot = s->touches->list[i].slot, link = s->contacts->links[slot].link;
        const RiVec3 from = ri_dyn_frame_pose(s->d, link).p;
        double Q[6][6] = {{0.0}};
        for (; i < s->touches->count && s->touches->list[i].slot == slot; i++) {
            const RiTouch *t = &s->touches->list[i];
            const double *x = xi + 3 * t->place;
            Slope *slope = &n->slopes[n->slope_count++];
            RiMat3 S;
            touch_slopes(t, ri_vec3(x[0], x[1], x[2]), n->gamma, slope, &S);
            slope->link = link;
            slope->arm = ri_sub(t->point, from);
            n->touching[t->place] = true;
            add_at_point(Q, slope->arm, &S);
        }
        add_link(n, s->m->nv, link, Q);
    }
}

static void add_springs(RiSim *s)
{
    RiNewton *n = s->cvode->newton;
    const RiMat3 none = {{{0.0}}};
    for (int i = 0; i < s->springs->count; i++) {
        const int link = s->springs->items[i].link;
        RiVec3 p;
        RiMat3 K, C;
        if (!ri_sim_spring_slopes(s, i, &p, &K, &C))
            continue;
        const RiVec3 arm = ri_sub(p, ri_dyn_frame_pose(s->d, link).p);
        n->slopes[n->slope_count++] = (Slope){link, -1, arm, scaled(-1.0, &K), none, none, none, none};
        const RiMat3 a = scaled(n->gamma * n->gamma, &K), b = scaled(n->gamma, &C), S = ri_mat3_add(&a, &b);
        double Q[6][6] = {{0.0}};
        add_at_point(Q, arm, &S);
        add_link(n, s->m->nv, link, Q);
    }
}

/// Velocities of all joints from the independent ones, one column at a time. Moves d.
static void find_map(RiSim *s)
{
    RiNewton *n = s->cvode->newton;
    const int nv = s->m->nv, ns = s->m->ns;
    memset(n->w, 0, (size_t)nv * sizeof *n->w);
    for (int k = 0; k < nv; k++) {
        n->w[k] = 1.0;
        ri_dyn_update_velocity(s->d, n->w);
        n->w[k] = 0.0;
        for (int i = 0; i < ns; i++)
            n->G[i * nv + k] = s->d->js[i];
    }
}

/// A += G^T diag(gamma C + gamma^2 K) G
static void add_joints(RiSim *s)
{
    RiNewton *n = s->cvode->newton;
    const int nv = s->m->nv, ns = s->m->ns;
    for (int i = 0; i < ns; i++) {
        const double extra = s->joints->load.extra[i];
        n->K[i] = n->gamma * s->joints->load.stiffness[i];
        if (!n->G)
            n->A[i * nv + i] += extra;
        for (int r = 0; r < nv && n->G && extra != 0.0; r++)
            for (int c = 0; c < nv; c++)
                n->A[r * nv + c] += extra * n->G[i * nv + r] * n->G[i * nv + c];
    }
}

RiStatus ri_sim_prepare_newton(void *sim, double t, const double *y, const double *ydot, double gamma)
{
    RiSim *s = sim;
    RiNewton *n = s->cvode->newton;
    const int nq = s->m->nq, nv = s->m->nv;
    (void)t, (void)ydot;
    RI_TRY(ri_dyn_update_position(s->d, y));
    ri_dyn_update_velocity(s->d, y + nq);
    memcpy(n->q, y, (size_t)nq * sizeof *y);
    n->gamma = gamma;
    n->slope_count = 0;
    RI_TRY(ri_dyn_mass_matrix(s->d, n->M));
    memcpy(n->A, n->M, (size_t)nv * (size_t)nv * sizeof *n->A);
    ri_dyn_link_jacobians(s->d, n->J);
    ri_joints_evaluate(s, ri_slopes_at_end(gamma));
    ri_sim_find(s);
    if (s->contacts)
        add_touches(s, y + nq + nv + 2);
    add_springs(s);
    if (n->G)
        find_map(s);
    add_joints(s);
    if (!ri_lu_factor(nv, n->A, n->pivot))
        return ri_error(s->ctx, RI_ERR_NUMERIC, "the Newton matrix is singular");
    return RI_OK;
}

// --- solving -------------------------------------------------------------------------------------

/// Joints' velocities from the independent ones.
static const double *span(const RiSim *s, const double *v)
{
    const RiNewton *n = s->cvode->newton;
    if (!n->G)
        return v;
    for (int i = 0; i < s->m->ns; i++) {
        n->span[i] = 0.0;
        for (int k = 0; k < s->m->nv; k++)
            n->span[i] += n->G[i * s->m->nv + k] * v[k];
    }
    return n->span;
}

/// w with E w = r: the inverse of ri_joint_qdot for one joint.
static void along_velocities(RiJointType type, const double *q, const double *r, double *out_w)
{
    const int plain = ri_joint_plain_nq(type);
    memcpy(out_w, r, (size_t)plain * sizeof *r);
    if (!ri_joint_has_quat(type))
        return;
    const RiQuat back = {q[plain], -q[plain + 1], -q[plain + 2], -q[plain + 3]};
    const RiQuat turn = {r[plain], r[plain + 1], r[plain + 2], r[plain + 3]};
    const RiQuat half = ri_quat_mul(back, turn);
    out_w[plain] = 2.0 * half.x, out_w[plain + 1] = 2.0 * half.y, out_w[plain + 2] = 2.0 * half.z;
}

/// Twists of the links that slopes belong to.
static void move_links(const RiSim *s, const double *v)
{
    const RiNewton *n = s->cvode->newton;
    const int nv = s->m->nv;
    for (int i = 0; i < n->slope_count; i++) {
        const int link = n->slopes[i].link;
        if (i > 0 && n->slopes[i - 1].link == link)
            continue;
        const double *J = n->J + (size_t)link * 6 * (size_t)nv;
        for (int r = 0; r < 6; r++) {
            double sum = 0.0;
            for (int k = 0; k < nv; k++)
                sum += J[r * nv + k] * v[k];
            n->twist[6 * link + r] = sum;
        }
    }
}

static RiVec3 point_velocity(const RiNewton *n, const Slope *x)
{
    const double *t = n->twist + 6 * x->link;
    return ri_add(ri_vec3(t[3], t[4], t[5]), ri_cross(ri_vec3(t[0], t[1], t[2]), x->arm));
}

/// b += gamma J^T f for a force f at the slope's point
static void push(const RiSim *s, const Slope *x, RiVec3 f)
{
    const RiNewton *n = s->cvode->newton;
    const int nv = s->m->nv;
    const double *J = n->J + (size_t)x->link * 6 * (size_t)nv;
    const RiVec3 m = ri_cross(x->arm, f);
    const double wrench[6] = {m.x, m.y, m.z, f.x, f.y, f.z};
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < nv; k++)
            n->b[k] += n->gamma * wrench[r] * J[r * nv + k];
}

/// Right side: M r_v, and what the displacements r_q and r_xi do by themselves. Leaves the
/// deflections so far in out_xi.
static void load(const RiSim *s, const double *r_v, const double *r_xi, double *out_xi)
{
    const RiNewton *n = s->cvode->newton;
    const int nv = s->m->nv;
    for (int i = 0; i < nv; i++) {
        n->b[i] = 0.0;
        for (int k = 0; k < nv; k++)
            n->b[i] += n->M[i * nv + k] * r_v[k];
    }
    const double *w = span(s, n->w);
    for (int i = 0; i < s->m->ns; i++) {
        const double tau = -n->K[i] * w[i];
        if (!n->G)
            n->b[i] += tau;
        for (int k = 0; k < nv && n->G && tau != 0.0; k++)
            n->b[k] += tau * n->G[i * nv + k];
    }
    move_links(s, n->w);
    for (int i = 0; i < n->slope_count; i++) {
        const Slope *x = &n->slopes[i];
        const RiVec3 u = point_velocity(n, x);
        RiVec3 f = ri_rotate(&x->Fp, u);
        if (x->place >= 0) {
            const double *r = r_xi + 3 * x->place;
            const RiVec3 c =
                ri_rotate(&x->B, ri_add(ri_vec3(r[0], r[1], r[2]), ri_scale(n->gamma, ri_rotate(&x->Xp, u))));
            double *out = out_xi + 3 * x->place;
            out[0] = c.x, out[1] = c.y, out[2] = c.z;
            f = ri_add(f, ri_rotate(&x->Fx, c));
        }
        push(s, x, f);
    }
}

/// Deflections once the velocities are known; in the air they go back by themselves.
static void finish_deflections(const RiSim *s, const double *z_v, const double *r_xi, double *z_xi)
{
    const RiNewton *n = s->cvode->newton;
    move_links(s, z_v);
    for (int i = 0; i < n->slope_count; i++) {
        const Slope *x = &n->slopes[i];
        if (x->place < 0)
            continue;
        const RiVec3 u = point_velocity(n, x);
        const RiVec3 rate = ri_add(ri_scale(n->gamma, ri_rotate(&x->Xp, u)), ri_rotate(&x->Xv, u));
        const RiVec3 more = ri_scale(n->gamma, ri_rotate(&x->B, rate));
        double *z = z_xi + 3 * x->place;
        z[0] += more.x, z[1] += more.y, z[2] += more.z;
    }
    for (int i = 0; i < s->contacts->state_count; i++) {
        if (n->touching[i])
            continue;
        const RiPairDef *p = ri_sim_pair(s, s->contacts->feature_of[i], 0);
        const double back = p->stick_stiffness > 0.0 ? n->gamma * p->stick_stiffness / p->stick_damping : 0.0;
        for (int k = 0; k < 3; k++)
            z_xi[3 * i + k] = r_xi[3 * i + k] / (1.0 + back);
    }
}

RiStatus ri_sim_solve_newton(void *sim, const double *r, double *z)
{
    RiSim *s = sim;
    RiNewton *n = s->cvode->newton;
    const int nq = s->m->nq, nv = s->m->nv, xi = nq + nv + 2;
    memset(n->w, 0, (size_t)nv * sizeof *n->w);
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        const RiJointData *j = &s->m->joints[b->joint];
        if (j->q >= 0 && j->v >= 0)
            along_velocities(b->type, n->q + j->q, r + j->q, n->w + j->v);
    }
    load(s, r + nq, r + xi, z + xi);
    ri_lu_solve(nv, n->A, n->pivot, n->b);
    memcpy(z + nq, n->b, (size_t)nv * sizeof *z);
    memcpy(z, r, (size_t)nq * sizeof *z);
    const double *rate = span(s, n->b);
    for (int i = 0; i < s->m->nb; i++) {
        const RiBodyData *b = &s->m->bodies[i];
        const int at = s->m->joints[b->joint].q;
        double qdot[7];
        if (at < 0)
            continue;
        ri_joint_qdot(b->type, n->q + at, rate + b->s, qdot);
        for (int k = 0; k < b->nq; k++)
            z[at + k] += n->gamma * qdot[k];
    }
    z[nq + nv] = r[nq + nv];
    z[nq + nv + 1] = r[nq + nv + 1];
    if (s->contacts)
        finish_deflections(s, n->b, r + xi, z + xi);
    return RI_OK;
}
