// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clusters with loop closures: position map by Newton iteration, velocity map G and bias g.
///
/// Everything is computed in the frame of the cluster's parent body, as if that were at rest: the
/// closures tie bodies of the cluster to each other or to the parent, so the parent's own motion
/// drops out.
///
/// Equations phi(q) = 0, one row each:
///   - along n of a point:  n . (p_B - p_A),  n fixed in A;       rate  f . (V_B - V_A),  f = (p_B x n; n)
///   - across two axes:     a . b,  a fixed in A, b in B;         rate  f . (V_B - V_A),  f = (b x a; 0)
///   - distance:            (|p_B - p_A|^2 - L^2) / 2;            rate  f . (V_B - V_A),  n = p_B - p_A
/// Lengths in these are measured in units of the mechanism's own size, so that rows of both kinds
/// are of order one. With J the Jacobian in spanning velocities, split by columns into independent
/// (i) and dependent (d) ones:
///   dependent positions: Newton on J_d dq = -phi;   G_d = -J_d^+ J_i;   g_d = -J_d^+ (dJ/dt s)
/// J_d^+ is the least-squares inverse by pivoted QR, so redundant closures (Bricard, parallel
/// four-bars) do no harm.
///
/// **Next to a singular position** (smallest over largest pivot of J_d = k << 1) that inverse
/// multiplies rounding by 1/k in the positions, 1/k^2 in G and 1/k^3 in g, although the motion
/// itself passes smoothly. There G and g are taken from positions on both sides: dependent
/// coordinates solved at three distances before and behind, and a polynomial through them.
/// Constraint embedding: [jain2012]. Test: tests/dynamics/test_loops.c,
/// tests/sim/test_benchmarks.c.
#include "model/tree.h"

#include <string.h>

#include "math/dense.h"
#include "math/newton.h"

#define RI_LOOP_RANK_TOLERANCE 1e-9
/// Pivot ratio below which the map is sampled across, and the distance of the samples [rad or m of
/// the fastest joint].
#define RI_LOOP_NEAR  3e-3
#define RI_LOOP_REACH 0.04
enum { RI_LOOP_ITERATIONS = 40, RI_LOOP_SAMPLES = 3 };

int ri_closure_rows(RiLoopType type)
{
    static const int rows[RI_LOOP_TYPE_COUNT] = {6, 5, 5, 4, 4, 3, 3, 1};
    return rows[type];
}

static size_t lay_out(char *base, int nbody, int ns, int rows, int nsq, RiLoopWork *w)
{
    const size_t nb = (size_t)nbody, n = (size_t)ns, r = (size_t)rows;
    size_t at = 0;
    w->pose = ri_carve(base, &at, 1, nb * sizeof *w->pose);
    w->col = ri_carve(base, &at, 1, n * sizeof *w->col);
    w->bias = ri_carve(base, &at, 1, nb * sizeof *w->bias);
    w->vel = ri_carve(base, &at, 1, nb * sizeof *w->vel);
    w->axis = ri_carve(base, &at, 1, r * sizeof *w->axis);
    w->value = ri_carve(base, &at, 1, r * sizeof *w->value);
    w->jac = ri_carve(base, &at, 1, r * n * sizeof *w->jac);
    w->mat = ri_carve(base, &at, 1, r * n * sizeof *w->mat);
    w->rhs = ri_carve(base, &at, 1, (r > n ? r : n) * sizeof *w->rhs);
    w->step = ri_carve(base, &at, 1, 2 * (r > n ? r : n) * sizeof *w->step);
    w->beta = ri_carve(base, &at, 1, n * sizeof *w->beta);
    w->q = ri_carve(base, &at, 1, (size_t)nsq * sizeof *w->q);
    w->at = ri_carve(base, &at, 1, (size_t)nsq * sizeof *w->at);
    w->base = ri_carve(base, &at, 1, (size_t)nsq * sizeof *w->base);
    w->trial = ri_carve(base, &at, 1, (size_t)nsq * sizeof *w->trial);
    w->sample = ri_carve(base, &at, 1, (2 * RI_LOOP_SAMPLES + 1) * n * sizeof *w->sample);
    w->pivot = ri_carve(base, &at, 1, n * sizeof *w->pivot);
    w->newton = ri_carve(base, &at, 1, ri_newton_size(rows, ns));
    return at;
}

size_t ri_loop_work_size(int nbody, int ns, int rows, int nsq)
{
    RiLoopWork w;
    return lay_out(NULL, nbody, ns, rows, nsq, &w);
}

RiLoopWork ri_loop_work_layout(void *block, int nbody, int ns, int rows, int nsq)
{
    RiLoopWork w;
    memset(&w, 0, sizeof w);
    lay_out(block, nbody, ns, rows, nsq, &w);
    return w;
}

static RiVec3 spatial_point(RiSpatial v, RiVec3 p)
{
    return ri_add(v.lin, ri_cross(v.ang, p));
}

static double spatial_dot(RiSpatial a, RiSpatial b)
{
    return ri_dot(a.ang, b.ang) + ri_dot(a.lin, b.lin);
}

static RiSpatial spatial_sub(RiSpatial a, RiSpatial b)
{
    return (RiSpatial){ri_sub(a.ang, b.ang), ri_sub(a.lin, b.lin)};
}

/// a + s b.
static RiSpatial spatial_axpy(RiSpatial a, double s, RiSpatial b)
{
    return (RiSpatial){ri_add(a.ang, ri_scale(s, b.ang)), ri_add(a.lin, ri_scale(s, b.lin))};
}

/// Rate of change of a motion vector b that moves with velocity v.
static RiSpatial spatial_cross(RiSpatial v, RiSpatial b)
{
    return (RiSpatial){ri_cross(v.ang, b.ang), ri_add(ri_cross(v.ang, b.lin), ri_cross(v.lin, b.ang))};
}

/// Local index of the body's parent in the cluster; -1 if it is the cluster's parent.
static int local_parent(const RiModel *m, const RiClusterData *c, int local)
{
    const int parent = m->bodies[c->body + local].parent;
    return parent >= c->body ? parent - c->body : -1;
}

/// Frames A and B of a closure in the cluster's parent frame.
static void closure_frames(const RiLoopWork *w, const RiClosure *x, RiPose *A, RiPose *B)
{
    *A = x->body_a < 0 ? x->pose_a : ri_pose_mul(&w->pose[x->body_a], &x->pose_a);
    *B = x->body_b < 0 ? x->pose_b : ri_pose_mul(&w->pose[x->body_b], &x->pose_b);
}

/// One equation: residual and unit wrench.
typedef struct Row {
    double value;
    RiSpatial f;
} Row;

/// Row of the vector n (its length is the scale of the equation).
static Row row_point(RiVec3 n, RiVec3 p_A, RiVec3 p_B)
{
    return (Row){ri_dot(n, ri_sub(p_B, p_A)), {ri_cross(p_B, n), n}};
}

static Row row_axes(RiVec3 a, RiVec3 b)
{
    return (Row){ri_dot(a, b), {ri_cross(b, a), {0.0, 0.0, 0.0}}};
}

/// What each closure type constrains. Point rows: which axes of A (bits x, y, z). Axis pairs: a of
/// A against b of B.
static const struct {
    int points;
    int pairs;
    int pair[3][2];
} closure_table[RI_LOOP_TYPE_COUNT] = {
    [RI_LOOP_FIXED] = {7, 3, {{2, 1}, {0, 2}, {1, 0}}},
    [RI_LOOP_REVOLUTE] = {7, 2, {{0, 2}, {1, 2}}},
    [RI_LOOP_PRISMATIC] = {3, 3, {{2, 1}, {0, 2}, {1, 0}}},
    [RI_LOOP_CYLINDRICAL] = {3, 2, {{0, 2}, {1, 2}}},
    [RI_LOOP_UNIVERSAL] = {7, 1, {{0, 1}}},
    [RI_LOOP_BALL] = {7, 0, {{0, 0}}},
    [RI_LOOP_PLANAR] = {4, 2, {{0, 2}, {1, 2}}},
    [RI_LOOP_DISTANCE] = {0, 0, {{0, 0}}},
};

static void evaluate_closure(RiLoopWork *w, const RiClosure *x)
{
    RiPose A, B;
    closure_frames(w, x, &A, &B);
    int row = x->row;
    if (x->type == RI_LOOP_DISTANCE) {
        const double scale = x->per_length * x->per_length;
        const RiVec3 d = ri_sub(B.p, A.p), n = ri_scale(scale, d);
        w->value[row] = 0.5 * scale * (ri_dot(d, d) - x->distance * x->distance);
        w->axis[row] = (RiSpatial){ri_cross(B.p, n), n};
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (!(closure_table[x->type].points >> k & 1))
            continue;
        const Row r = row_point(ri_scale(x->per_length, ri_mat3_col(&A.R, k)), A.p, B.p);
        w->value[row] = r.value;
        w->axis[row++] = r.f;
    }
    for (int k = 0; k < closure_table[x->type].pairs; k++) {
        const int *pair = closure_table[x->type].pair[k];
        const Row r = row_axes(ri_mat3_col(&A.R, pair[0]), ri_mat3_col(&B.R, pair[1]));
        w->value[row] = r.value;
        w->axis[row++] = r.f;
    }
}

/// Adds sign * f . S for all joints between a body and the cluster's parent.
static void add_path(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const RiClosure *x, int body, double sign)
{
    for (int b = body; b >= 0; b = local_parent(m, c, b)) {
        const RiBodyData *data = &m->bodies[c->body + b];
        for (int k = 0; k < data->ns; k++) {
            const int s = data->s - c->s + k;
            for (int r = 0; r < x->rows; r++)
                w->jac[(x->row + r) * c->ns + s] += sign * spatial_dot(w->axis[x->row + r], w->col[s]);
        }
    }
}

static void evaluate_poses(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *q)
{
    const RiLoopData *loop = &m->loops[c->loop];
    const RiPose identity = ri_pose_identity();
    for (int b = 0; b < c->nbody; b++) {
        const RiBodyData *data = &m->bodies[c->body + b];
        const int parent = local_parent(m, c, b);
        const RiPose *base = parent < 0 ? &identity : &w->pose[parent];
        const RiPose rel = ri_joint_pose(data, q + loop->local_sq[b]);
        w->pose[b] = ri_pose_mul(base, &rel);
        ri_joint_columns(data, base, &w->pose[b], q + loop->local_sq[b], w->col + (data->s - c->s));
    }
}

void ri_loop_evaluate(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *q)
{
    const RiLoopData *loop = &m->loops[c->loop];
    memmove(w->at, q, (size_t)loop->nsq * sizeof *q);
    evaluate_poses(m, c, w, q);
    memset(w->jac, 0, (size_t)loop->rows * (size_t)c->ns * sizeof *w->jac);
    for (int i = 0; i < loop->closure_count; i++) {
        const RiClosure *x = &loop->closures[i];
        evaluate_closure(w, x);
        add_path(m, c, w, x, x->body_b, 1.0);
        add_path(m, c, w, x, x->body_a, -1.0);
    }
    int row = loop->rows - loop->linear_count;
    for (int i = 0; i < loop->linear_count; i++, row++) {
        const RiLinearRow *x = &loop->linear[i];
        w->value[row] = -x->offset;
        for (int k = 0; k < x->count; k++) {
            w->jac[row * c->ns + x->s[k]] += x->factor[k];
            w->value[row] += x->factor[k] * q[loop->sq_of_s[x->s[k]]];
        }
    }
}

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fabs(x[i]) > most || isnan(x[i]) ? fabs(x[i]) : most;
    return most;
}

/// The dependent columns of the Jacobian.
static void copy_dependent(const RiLoopData *loop, const RiClusterData *c, const RiLoopWork *w, double *out)
{
    const int nd = c->ns - c->nv;
    for (int r = 0; r < loop->rows; r++)
        for (int k = 0; k < nd; k++)
            out[r * nd + k] = w->jac[r * c->ns + loop->dependent[k]];
}

/// Copies the dependent columns of the Jacobian and factors them; returns the rank.
static int factor_dependent(const RiLoopData *loop, const RiClusterData *c, RiLoopWork *w)
{
    copy_dependent(loop, c, w, w->mat);
    w->rank = ri_qr_factor(loop->rows, c->ns - c->nv, w->mat, w->beta, w->pivot, RI_LOOP_RANK_TOLERANCE);
    return w->rank;
}

/// Moves all joints by the spanning displacement `step`.
static void displace(const RiModel *m, const RiClusterData *c, const double *step, double *q)
{
    const RiLoopData *loop = &m->loops[c->loop];
    for (int b = 0; b < c->nbody; b++) {
        const RiBodyData *data = &m->bodies[c->body + b];
        double *qb = q + loop->local_sq[b];
        ri_joint_integrate(data->type, qb, step + (data->s - c->s), 1.0, qb);
    }
}

bool ri_loop_is_reversed(const RiLoopData *loop, const RiLoopWork *w)
{
    static const int axes[RI_LOOP_TYPE_COUNT] = {[RI_LOOP_FIXED] = 7,
                                                 [RI_LOOP_PRISMATIC] = 7,
                                                 [RI_LOOP_REVOLUTE] = 4,
                                                 [RI_LOOP_CYLINDRICAL] = 4,
                                                 [RI_LOOP_PLANAR] = 4};
    for (int i = 0; i < loop->closure_count; i++) {
        RiPose A, B;
        closure_frames(w, &loop->closures[i], &A, &B);
        for (int k = 0; k < 3; k++)
            if (axes[loop->closures[i].type] >> k & 1 && ri_dot(ri_mat3_col(&A.R, k), ri_mat3_col(&B.R, k)) < 0.5)
                return true;
    }
    return false;
}

/// What the solver moves: the dependent positions of q.
typedef struct Closing {
    const RiModel *m;
    const RiClusterData *c;
    RiLoopWork *w;
    double *q;
} Closing;

static bool closing_evaluate(void *user, double *out_f, double *out_J)
{
    const Closing *x = user;
    const RiLoopData *loop = &x->m->loops[x->c->loop];
    ri_loop_evaluate(x->m, x->c, x->w, x->q);
    memcpy(out_f, x->w->value, (size_t)loop->rows * sizeof *out_f);
    copy_dependent(loop, x->c, x->w, out_J);
    return true;
}

static void closing_keep(void *user)
{
    const Closing *x = user;
    memcpy(x->w->q, x->q, (size_t)x->m->loops[x->c->loop].nsq * sizeof *x->q);
}

static void closing_move(void *user, const double *step, double scale)
{
    const Closing *x = user;
    const RiLoopData *loop = &x->m->loops[x->c->loop];
    memcpy(x->q, x->w->q, (size_t)loop->nsq * sizeof *x->q);
    if (scale == 0.0)
        return;
    memset(x->w->step, 0, (size_t)x->c->ns * sizeof *x->w->step);
    for (int k = 0; k < x->c->ns - x->c->nv; k++)
        x->w->step[loop->dependent[k]] = scale * step[k];
    displace(x->m, x->c, x->w->step, x->q);
}

/// Newton's iteration on the dependent positions; returns the largest residual left.
static double close_loop(const RiModel *m, const RiClusterData *c, RiLoopWork *w, double *q)
{
    const int rows = m->loops[c->loop].rows, nd = c->ns - c->nv;
    Closing x = {m, c, w, q};
    const RiNewtonProblem problem = {rows, nd, &x, closing_evaluate, closing_keep, closing_move};
    const RiNewtonOptions options = {.enough = 1e-15,
                                     .tolerance = RI_LOOP_TOLERANCE,
                                     .rank = RI_LOOP_RANK_TOLERANCE,
                                     .iterations = RI_LOOP_ITERATIONS};
    const RiNewtonWork work = ri_newton_layout(w->newton, rows, nd);
    return ri_newton_solve(&problem, &options, &work).residual;
}

double ri_loop_solve(const RiModel *m, const RiClusterData *c, RiLoopWork *w, double *q)
{
    const double residual = close_loop(m, c, w, q);
    return ri_loop_is_reversed(&m->loops[c->loop], w) ? INFINITY : residual;
}

/// Smallest over largest pivot of the factored dependent columns; 1 if there are none.
static double pivot_ratio(const RiClusterData *c, const RiLoopWork *w)
{
    const int nd = c->ns - c->nv;
    if (nd == 0)
        return 1.0;
    return w->rank < nd ? 0.0 : fabs(w->mat[nd * nd - 1]) / fabs(w->mat[0]);
}

/// Displacement of the spanning coordinates from w->base to the closed position next to base + x
/// dir.
static bool sample_at(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *dir, double x, double *out)
{
    const RiLoopData *loop = &m->loops[c->loop];
    memcpy(w->trial, w->base, (size_t)loop->nsq * sizeof *w->trial);
    for (int k = 0; k < c->ns; k++)
        w->step[k] = x * dir[k];
    displace(m, c, w->step, w->trial);
    if (!(ri_loop_solve(m, c, w, w->trial) < RI_LOOP_TOLERANCE))
        return false;
    for (int b = 0; b < c->nbody; b++) {
        const RiBodyData *data = &m->bodies[c->body + b];
        ri_joint_difference(data->type, w->base + loop->local_sq[b], w->trial + loop->local_sq[b],
                            out + (data->s - c->s));
    }
    return true;
}

/// Samples along w->sample's direction at x, 2x, 3x on both sides; leaves even parts, then odd
/// parts in w->sample.
static bool sample_across(const RiModel *m, const RiClusterData *c, RiLoopWork *w, double x)
{
    const int n = c->ns;
    const double *dir = w->sample + 2 * RI_LOOP_SAMPLES * n;
    for (int i = 0; i < RI_LOOP_SAMPLES; i++) {
        double *even = w->sample + i * n, *odd = w->sample + (RI_LOOP_SAMPLES + i) * n;
        if (!sample_at(m, c, w, dir, (i + 1) * x, even) || !sample_at(m, c, w, dir, -(i + 1) * x, odd))
            return false;
        for (int k = 0; k < n; k++) {
            const double ahead = even[k], behind = odd[k];
            even[k] = 0.5 * (ahead + behind);
            odd[k] = 0.5 * (ahead - behind);
        }
    }
    return true;
}

/// First derivative from odd parts o at x, 2x, 3x (sixth order).
static double slope_of(const double *o, int n, double x)
{
    return (45.0 * o[0] - 9.0 * o[n] + o[2 * n]) / (30.0 * x);
}

/// Second derivative from even parts e at x, 2x, 3x (fourth order). The value in the middle, the
/// least certain, is not used.
static double curvature_of(const double *e, int n, double x)
{
    const double e21 = e[n] - e[0], e32 = e[2 * n] - e[n];
    const double a4 = (e32 - 5.0 / 3.0 * e21) / 40.0;
    return 2.0 * (e21 - 15.0 * a4) / (3.0 * x * x);
}

/// Distance of the samples in the parameter along `dir`.
static double reach_along(const double *dir, int n)
{
    return RI_LOOP_REACH / largest(dir, n);
}

/// Back to where the map is wanted.
static void return_to_base(const RiModel *m, const RiClusterData *c, RiLoopWork *w)
{
    ri_loop_evaluate(m, c, w, w->base);
    factor_dependent(&m->loops[c->loop], c, w);
}

/// Replaces the columns of G by slopes across the singular position; a column that cannot be
/// sampled stays.
static void map_across(const RiModel *m, const RiClusterData *c, RiLoopWork *w, double *G)
{
    const RiLoopData *loop = &m->loops[c->loop];
    double *dir = w->sample + 2 * RI_LOOP_SAMPLES * c->ns;
    memcpy(w->base, w->at, (size_t)loop->nsq * sizeof *w->base);
    for (int k = 0; k < c->nv; k++) {
        for (int s = 0; s < c->ns; s++)
            dir[s] = G[s * c->nv + k];
        const double x = reach_along(dir, c->ns);
        if (!sample_across(m, c, w, x))
            continue;
        for (int d = 0; d < c->ns - c->nv; d++) {
            const int s = loop->dependent[d];
            G[s * c->nv + k] = slope_of(w->sample + RI_LOOP_SAMPLES * c->ns + s, c->ns, x);
        }
    }
    return_to_base(m, c, w);
}

/// Bias g from the curvature across the singular position; false if it cannot be sampled.
static bool bias_across(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *s, double *out_g)
{
    const RiLoopData *loop = &m->loops[c->loop];
    double *dir = w->sample + 2 * RI_LOOP_SAMPLES * c->ns;
    if (!(largest(s, c->ns) > 0.0))
        return false;
    memcpy(w->base, w->at, (size_t)loop->nsq * sizeof *w->base);
    memcpy(dir, s, (size_t)c->ns * sizeof *dir);
    const double x = reach_along(dir, c->ns);
    const bool sampled = sample_across(m, c, w, x);
    for (int d = 0; sampled && d < c->ns - c->nv; d++)
        out_g[loop->dependent[d]] = curvature_of(w->sample + loop->dependent[d], c->ns, x);
    return_to_base(m, c, w);
    return sampled;
}

bool ri_loop_map(const RiModel *m, const RiClusterData *c, RiLoopWork *w, double *out_G)
{
    const RiLoopData *loop = &m->loops[c->loop];
    const int nd = c->ns - c->nv;
    factor_dependent(loop, c, w);
    memset(out_G, 0, (size_t)c->ns * (size_t)c->nv * sizeof *out_G);
    for (int k = 0; k < c->nv; k++) {
        const int s = c->s_of_v[k];
        out_G[s * c->nv + k] = 1.0;
        for (int r = 0; r < loop->rows; r++)
            w->rhs[r] = -w->jac[r * c->ns + s];
        ri_qr_solve(loop->rows, nd, w->mat, w->beta, w->pivot, w->rank, w->rhs, w->step);
        for (int d = 0; d < nd; d++)
            out_G[loop->dependent[d] * c->nv + k] = w->step[d];
    }
    w->near = pivot_ratio(c, w) < RI_LOOP_NEAR;
    if (w->near)
        map_across(m, c, w, out_G);
    return w->rank == nd;
}

/// Velocities and velocity-product accelerations of the cluster's bodies relative to its parent.
static void evaluate_motion(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *s)
{
    const RiSpatial zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int b = 0; b < c->nbody; b++) {
        const RiBodyData *data = &m->bodies[c->body + b];
        const int parent = local_parent(m, c, b), first = data->s - c->s;
        const RiSpatial vp = parent < 0 ? zero : w->vel[parent];
        RiSpatial v = vp, a = parent < 0 ? zero : w->bias[parent];
        const int in_parent = ri_joint_columns_in_parent(data->type);
        for (int k = 0; k < data->ns; k++)
            v = spatial_axpy(v, s[first + k], w->col[first + k]);
        for (int k = 0; k < data->ns; k++)
            a = spatial_axpy(a, s[first + k], spatial_cross(k < in_parent ? vp : v, w->col[first + k]));
        w->vel[b] = v;
        w->bias[b] = a;
    }
}

/// dJ/dt s of one closure into w->value: f . (bias_B - bias_A) + f' . (V_B - V_A).
static void closure_bias(RiLoopWork *w, const RiClosure *x)
{
    const RiSpatial zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const RiSpatial va = x->body_a < 0 ? zero : w->vel[x->body_a], vb = x->body_b < 0 ? zero : w->vel[x->body_b];
    const RiSpatial ca = x->body_a < 0 ? zero : w->bias[x->body_a], cb = x->body_b < 0 ? zero : w->bias[x->body_b];
    const RiSpatial v = spatial_sub(vb, va), a = spatial_sub(cb, ca);
    RiPose A, B;
    closure_frames(w, x, &A, &B);
    const RiVec3 pb_rate = spatial_point(vb, B.p);
    int row = x->row;
    if (x->type == RI_LOOP_DISTANCE) {
        const double scale = x->per_length * x->per_length;
        const RiVec3 n = ri_scale(scale, ri_sub(B.p, A.p)),
                     n_rate = ri_scale(scale, ri_sub(pb_rate, spatial_point(va, A.p)));
        const RiSpatial f_rate = {ri_add(ri_cross(pb_rate, n), ri_cross(B.p, n_rate)), n_rate};
        w->value[row] = spatial_dot(w->axis[row], a) + spatial_dot(f_rate, v);
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (!(closure_table[x->type].points >> k & 1))
            continue;
        const RiVec3 n = ri_scale(x->per_length, ri_mat3_col(&A.R, k)), n_rate = ri_cross(va.ang, n);
        const RiSpatial f_rate = {ri_add(ri_cross(pb_rate, n), ri_cross(B.p, n_rate)), n_rate};
        w->value[row] = spatial_dot(w->axis[row], a) + spatial_dot(f_rate, v);
        row++;
    }
    for (int k = 0; k < closure_table[x->type].pairs; k++, row++) {
        const int *pair = closure_table[x->type].pair[k];
        const RiVec3 pa = ri_mat3_col(&A.R, pair[0]), pb = ri_mat3_col(&B.R, pair[1]);
        const RiVec3 rate = ri_add(ri_cross(ri_cross(vb.ang, pb), pa), ri_cross(pb, ri_cross(va.ang, pa)));
        w->value[row] = spatial_dot(w->axis[row], a) + ri_dot(rate, v.ang);
    }
}

void ri_loop_bias(const RiModel *m, const RiClusterData *c, RiLoopWork *w, const double *s, double *out_g)
{
    const RiLoopData *loop = &m->loops[c->loop];
    const int nd = c->ns - c->nv;
    memset(out_g, 0, (size_t)c->ns * sizeof *out_g);
    if (w->near && bias_across(m, c, w, s, out_g))
        return;
    evaluate_motion(m, c, w, s);
    memset(w->value, 0, (size_t)loop->rows * sizeof *w->value); // linear rows have none
    for (int i = 0; i < loop->closure_count; i++)
        closure_bias(w, &loop->closures[i]);
    for (int r = 0; r < loop->rows; r++)
        w->rhs[r] = -w->value[r];
    ri_qr_solve(loop->rows, nd, w->mat, w->beta, w->pivot, w->rank, w->rhs, w->step);
    for (int d = 0; d < nd; d++)
        out_g[loop->dependent[d]] = w->step[d];
}
