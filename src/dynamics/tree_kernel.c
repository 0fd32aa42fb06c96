// SPDX-License-Identifier: Apache-2.0
/// \file
/// The hot loops: recursions over the clusters of a model, outward (parents first) and inward.
///
/// All spatial quantities are in world axes about the origin of their region, so the recursions add
/// vectors and matrices as they are; only at a region's border are they shifted. For a cluster of
/// bodies b with coordinates y, hanging on a body p:
///
///     V_b = V_p + Phi_b y'                 a_b = a_p + c_b + Phi_b y''
///
/// with Phi_b the motion columns of the body relative to p (for a plain joint, the joint's own
/// columns). The articulated-body algorithm [featherstone2008, jain2012], written for clusters,
/// with IA_b the body's articulated inertia and t_b = pA_b + IA_b c_b:
///
///     U = sum IA_b Phi_b       D = sum Phi_b^T IA_b Phi_b + armature       u = tau - sum Phi_b^T t_b
///     inward:  IA_p += sum IA_b - U D^-1 U^T        pA_p += sum t_b + U D^-1 u
///     outward: y'' = D^-1 (u - U^T a_p)
///
/// D = L diag(d) L^T; Z = U L^-T is kept instead of U, so that everything inward is a sum of
/// rank-one terms z z^T / d.
///
/// **Rotors.** A leaf body that is symmetric about its joint axis (screw, wheel, flywheel) looks
/// the same to its parent at any angle. Its inertia is merged into the parent's once and for all;
/// what is left of it is the spin. With U = (I_axis z; 0):
///     force on the parent: U s'' + w x U s'      joint: (I_axis + armature) s'' + U . a_p = tau
/// Exact, and it takes most of the work of a screw or a wheel away. Tied rotors (a geared pair)
/// share one U = sum g_b I_b z_b.
///
/// This file is compiled once per instruction set (cmake/RilleKernels.cmake). Tests:
/// tests/dynamics/test_identities.c.
#include <string.h>

#include "dynamics/dyn.h"
#include "dynamics/simd6.h"
#include "math/dense.h"
#include "math/sincos.h"

#define POSE(d, i)    ((d)->pose + 16 * (i))
#define SIX(a, i)     ((a) + 8 * (i))
#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

RI_INLINE VInertia inertia_load(const RiDyn *d, int i)
{
    const double *p = d->rigid + 48 * i;
    return (VInertia){{v4_load(p), v4_load(p + 8), v4_load(p + 16)}, v4_load(d->moment + 4 * i)};
}

// --- position ------------------------------------------------------------------------------------

/// Sines and cosines of all one-axis revolute joints, four at a time; lane by lane the same as
/// ri_sincos.
RI_INLINE void sincos_batch(RiDyn *d)
{
    const int n = d->m->nrev;
    const int *at = d->m->rev_sq;
    bool plain = true;
    for (int i = 0; i < n; i++) {
        const double x = d->jq[at[i]];
        plain &= fabs(x) <= RI_SINCOS_LIMIT;
        d->angle[i] = x;
    }
    if (!plain) {
        for (int i = 0; i < n; i++)
            ri_sincos(d->angle[i], &d->sn[i], &d->cs[i]);
        return;
    }
    typedef long long I4 __attribute__((vector_size(32)));
    for (int i = 0; i < n; i += 4) {
        const V4 x = v4_load(d->angle + i);
        const V4 shifted = x * RI_TWO_OVER_PI + RI_ROUND_MAGIC;
        const V4 k = shifted - RI_ROUND_MAGIC;
        const V4 r = (x - k * RI_PI_HALF_HIGH) - k * RI_PI_HALF_LOW;
        V4 s, c;
        RI_SINCOS_POLYNOMIALS(r, s, c);
        const I4 quadrant = (I4)shifted; // the low bits of the magic sum are the integer
        const I4 odd = -(quadrant & 1);
        const I4 s_sign = (quadrant & 2) << 62, c_sign = ((quadrant + 1) & 2) << 62;
        const I4 sine = ((I4)c & odd) | ((I4)s & ~odd), cosine = ((I4)s & odd) | ((I4)c & ~odd);
        v4_store(d->sn + i, (V4)(sine ^ s_sign));
        v4_store(d->cs + i, (V4)(cosine ^ c_sign));
    }
}

/// Inertia of a body about the region's origin in world axes, from its pose: the full matrix for
/// the articulated recursion, and the first moment with the mass. Entries that are always zero, and
/// the mass on the diagonal, were set at create.
///
///     ( J      [mc]x )     J = R J_c R^T + m (c.c 1 - c c^T)
///     ( [mc]x^T  m 1 )
RI_INLINE void place_inertia(const RiHot *hot, V4 x, V4 y, V4 z, V4 p, double *I, double *moment)
{
    const double *J = hot->J, m = hot->com[3];
    const V4 a0 = v4_combine(x, y, z, J[0], J[1], J[2]), a1 = v4_combine(x, y, z, J[4], J[5], J[6]);
    const V4 a2 = v4_combine(x, y, z, J[8], J[9], J[10]);
    const V4 c = p + v4_combine(x, y, z, hot->com[0], hot->com[1], hot->com[2]);
    const V4 mc = m * c, sq = mc * c;
    const double mcc = (sq[0] + sq[2]) + sq[1];
    const V4 e0 = {mcc, 0.0, 0.0, 0.0}, e1 = {0.0, mcc, 0.0, 0.0}, e2 = {0.0, 0.0, mcc, 0.0};
    v4_store(I + 0, (v4_combine(a0, a1, a2, x[0], y[0], z[0]) + e0) - mc[0] * c);
    v4_store(I + 8, (v4_combine(a0, a1, a2, x[1], y[1], z[1]) + e1) - mc[1] * c);
    v4_store(I + 16, (v4_combine(a0, a1, a2, x[2], y[2], z[2]) + e2) - mc[2] * c);
    I[6] = I[40] = mc[1]; // e_k x m c below the rotational columns, its negative above the others
    I[12] = I[25] = mc[2];
    I[21] = I[34] = mc[0];
    I[20] = I[26] = -mc[1];
    I[5] = I[32] = -mc[2];
    I[14] = I[41] = -mc[0];
    v4_store(moment, mc + (V4){0.0, 0.0, 0.0, m});
}

typedef struct Axes {
    V4 x, y, z, p;
} Axes;

/// Pose and motion columns of a joint with several coordinates (or none). `J` is the joint frame,
/// moved in place to the body.
static void place_general(const double *q, const RiHot *hot, const RiBodyData *body, Axes *J, double *S, bool from_here)
{
    RiBodyData flat = *body; // the joint frame as base: the tree pose is already in J
    flat.tree = ri_pose_identity();
    RiPose base;
    base.R = ri_mat3_from_cols(ri_vec3(J->x[0], J->x[1], J->x[2]), ri_vec3(J->y[0], J->y[1], J->y[2]),
                               ri_vec3(J->z[0], J->z[1], J->z[2]));
    base.p = ri_vec3(J->p[0], J->p[1], J->p[2]);
    const RiPose rel = ri_joint_pose(&flat, q);
    RiPose pose = ri_pose_mul(&base, &rel);
    if (from_here)
        pose.p = ri_vec3(0.0, 0.0, 0.0);
    RiSpatial cols[6];
    ri_joint_columns(&flat, &base, &pose, q, cols);
    for (int k = 0; k < hot->ns; k++)
        ri_spatial_put(SIX(S, k), cols[k]);
    J->x = v4_set(pose.R.m[0][0], pose.R.m[1][0], pose.R.m[2][0]);
    J->y = v4_set(pose.R.m[0][1], pose.R.m[1][1], pose.R.m[2][1]);
    J->z = v4_set(pose.R.m[0][2], pose.R.m[1][2], pose.R.m[2][2]);
    J->p = v4_set(pose.p.x, pose.p.y, pose.p.z);
}

/// Where a region starts: its origin is the position of its first body's joint (of the body itself
/// for a free joint, so that a robot far from the world's origin keeps all its digits). Returns the
/// position from the new origin.
static V4 start_region(RiDyn *d, const RiNode *n, const RiHot *hot, const Axes *J)
{
    V4 shift = J->p;
    if (hot->type == RI_JOINT_FREE) {
        const double *q = d->jq + hot->sq;
        shift += v4_combine(J->x, J->y, J->z, q[0], q[1], q[2]);
    }
    v4_store(d->shift + 4 * n->region, shift);
    v4_store(d->origin + 4 * n->region, v4_load(d->origin + 4 * n->parent_region) + shift);
    return v4_set(0.0, 0.0, 0.0);
}

/// Position of the parent's point `p` seen from this cluster's region.
RI_INLINE V4 from_region(const RiDyn *d, const RiNode *n, const RiHot *hot, V4 p)
{
    const bool crossed = (n->region_root || n->at_world) && hot->parent == n->parent && !hot->first_of_cluster;
    return crossed ? p - v4_load(d->shift + 4 * n->region) : p;
}

/// Places one body: pose, inertia, motion columns S of its joint.
RI_INLINE void place_body(RiDyn *d, const RiNode *n, int i, double *S, bool rotor)
{
    const RiHot *hot = &d->hot[i - 1];
    const double *P = POSE(d, hot->parent), *t = hot->tree_R, *tp = hot->tree_p;
    const V4 px = v4_load(P), py = v4_load(P + 4), pz = v4_load(P + 8);
    Axes J;
    J.x = v4_combine(px, py, pz, t[0], t[1], t[2]);
    J.y = v4_combine(px, py, pz, t[4], t[5], t[6]);
    J.z = v4_combine(px, py, pz, t[8], t[9], t[10]);
    J.p = v4_load(P + 12) + v4_combine(px, py, pz, tp[0], tp[1], tp[2]);
    bool from_here = false;
    if (__builtin_expect(n->region_root || n->at_world, 0)) {
        if (hot->first_of_cluster) {
            J.p = start_region(d, n, hot, &J);
            from_here = hot->type == RI_JOINT_FREE;
        } else {
            J.p = from_region(d, n, hot, J.p);
        }
    }
    if (__builtin_expect(hot->rev >= 0, 1)) {
        const double s = d->sn[hot->rev], c = d->cs[hot->rev];
        const V4 x = c * J.x + s * J.y, y = c * J.y - s * J.x;
        J.x = x;
        J.y = y;
        v6_store(S, v6_make(J.z, v4_cross(J.p, J.z)));
    } else if (hot->type == RI_JOINT_PRISMATIC) {
        J.p = J.p + d->jq[hot->sq] * J.z;
        v6_store(S, v6_make((V4){0}, J.z));
    } else {
        place_general(d->jq + hot->sq, hot, &d->m->bodies[i - 1], &J, S, from_here);
    }
    double *out = POSE(d, i);
    v4_store(out, J.x);
    v4_store(out + 4, J.y);
    v4_store(out + 8, J.z);
    v4_store(out + 12, J.p);
    if (!rotor)
        place_inertia(hot, J.x, J.y, J.z, J.p, d->rigid + 48 * i, d->moment + 4 * i);
}

/// Motion columns of a cluster of several bodies: Phi_b = Phi_parent + S_b G_b.
static void combine_columns(RiDyn *d, const RiNode *n)
{
    const double *G = d->G + n->map;
    for (int b = 0; b < n->nbody; b++) {
        const RiHot *hot = &d->hot[n->body + b - 1];
        double *phi = SIX(d->col, n->col + b * n->nv);
        const int up = hot->parent - n->body; // negative: the parent is outside the cluster
        for (int k = 0; k < n->nv; k++) {
            V6 x = up >= 0 ? v6_load(SIX(d->col, n->col + up * n->nv + k)) : v6_zero();
            for (int j = 0; j < hot->ns; j++)
                x = v6_axpy(x, G[(hot->s - n->s + j) * n->nv + k], v6_load(SIX(d->scol, hot->s + j)));
            v6_store(SIX(phi, k), x);
        }
    }
}

/// Poses and columns of a cluster of rotors, and its U.
RI_INLINE void place_rotor(RiDyn *d, const RiNode *n)
{
    V4 U = {0};
    for (int b = 0; b < n->nbody; b++) {
        const RiHot *hot = &d->hot[n->body + b - 1];
        const double g = n->map < 0 ? 1.0 : d->G[n->map + b];
        double *S = n->map < 0 ? SIX(d->col, n->col) : SIX(d->scol, hot->s);
        place_body(d, n, n->body + b, S, true);
        if (n->map >= 0)
            v6_store(SIX(d->col, n->col + b), v6_scale(g, v6_load(S)));
        U += (g * hot->spin) * v4_load(POSE(d, n->body + b) + 8);
    }
    v6_store(SIX(d->Z, n->v), v6_make(U, (V4){0}));
}

static void position(RiDyn *d)
{
    const RiNode *node = d->node;
    sincos_batch(d);
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &node[c];
        if (n->rotor) {
            place_rotor(d, n);
        } else if (n->map < 0) {
            place_body(d, n, n->body, SIX(d->col, n->col), false);
        } else {
            for (int b = 0; b < n->nbody; b++)
                place_body(d, n, n->body + b, SIX(d->scol, d->hot[n->body + b - 1].s), false);
            combine_columns(d, n);
        }
    }
}

/// The first body alone, for lanes_kernel.c.
static void place_root(RiDyn *d)
{
    const RiNode *n = &d->node[0];
    place_body(d, n, n->body, SIX(d->col, n->col), false);
}

// --- velocity ------------------------------------------------------------------------------------

/// A motion vector of the parent body, moved to this cluster's region.
RI_INLINE V6 parent_motion(const RiDyn *d, const RiNode *n, const double *array, int parent)
{
    const V6 v = v6_load(SIX(array, parent));
    return __builtin_expect(n->region_root, 0) ? v6_shift_motion(v, v4_load(d->shift + 4 * n->region)) : v;
}

/// Velocity and velocity-product terms of one body. `base_bias` is the bias of its parent within
/// the cluster.
RI_INLINE void move_body(RiDyn *d, int i, const double *S, V6 vp, V6 base_bias, bool with_g)
{
    const RiHot *hot = &d->hot[i - 1];
    const double *s = d->js + hot->s;
    V6 v, bias;
    if (__builtin_expect(hot->ns == 1, 1)) {
        const V6 sv = v6_scale(s[0], v6_load(S));
        v = v6_add(vp, sv);
        bias = v6_crm(v, sv);
    } else {
        const int in_parent = ri_joint_columns_in_parent((RiJointType)hot->type);
        V6 first = v6_zero(), second = v6_zero();
        for (int k = 0; k < hot->ns; k++) {
            if (k < in_parent)
                first = v6_axpy(first, s[k], v6_load(SIX(S, k)));
            else
                second = v6_axpy(second, s[k], v6_load(SIX(S, k)));
        }
        v = v6_add(v6_add(vp, first), second);
        bias = v6_add(v6_crm(vp, first), v6_crm(v, second));
    }
    if (with_g) {
        for (int k = 0; k < hot->ns; k++)
            bias = v6_axpy(bias, d->jg[hot->s + k], v6_load(SIX(S, k)));
        bias = v6_add(bias, base_bias);
    }
    const VInertia I = inertia_load(d, i);
    v6_store(SIX(d->vel, i), v);
    v6_store(SIX(d->bias, i), bias);
    v6_store(SIX(d->gyro, i), v6_crf(v, inertia_mul(&I, v)));
}

/// Velocities of a cluster of rotors; the parent feels w x U s'.
RI_INLINE void move_rotor(RiDyn *d, const RiNode *n)
{
    const V6 vp = v6_load(SIX(d->vel, n->parent));
    const double rate = d->v[n->v];
    for (int b = 0; b < n->nbody; b++) {
        const V6 sv = v6_scale(rate, v6_load(SIX(d->col, n->col + b)));
        v6_store(SIX(d->vel, n->body + b), v6_add(vp, sv));
        v6_store(SIX(d->bias, n->body + b), v6_crm(vp, sv));
    }
    double *gyro = SIX(d->gyro, n->parent);
    const V4 U = v4_load(SIX(d->Z, n->v));
    v4_store(gyro, v4_load(gyro) + v4_cross(v6_lo(vp), rate * U));
}

static void velocity(RiDyn *d)
{
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        if (n->rotor) {
            move_rotor(d, n);
            continue;
        }
        if (n->map < 0) {
            move_body(d, n->body, SIX(d->col, n->col), parent_motion(d, n, d->vel, n->parent), v6_zero(), false);
            continue;
        }
        for (int b = 0; b < n->nbody; b++) {
            const RiHot *hot = &d->hot[n->body + b - 1];
            const bool inside = hot->parent >= n->body;
            const V6 vp = inside ? v6_load(SIX(d->vel, hot->parent)) : parent_motion(d, n, d->vel, n->parent);
            const V6 up = inside ? v6_load(SIX(d->bias, hot->parent)) : v6_zero();
            move_body(d, n->body + b, SIX(d->scol, hot->s), vp, up, true);
        }
    }
}

/// Twice the kinetic energy that coordinate velocities v would give the bodies here, armature
/// apart. Uses `force` as scratch.
static double twice_kinetic(RiDyn *d, const double *v)
{
    double sum = 0.0;
    v6_store(d->force, v6_zero());
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        const V6 vp = parent_motion(d, n, d->force, n->parent);
        if (n->rotor) { // its parent carries the rest: V.U s' twice, and the spin alone
            double spin = 0.0;
            for (int b = 0; b < n->nbody; b++) {
                const double g = n->map < 0 ? 1.0 : d->G[n->map + b];
                spin += g * g * d->hot[n->body + b - 1].spin;
            }
            sum += v[n->v] * (2.0 * v6_dot(v6_load(SIX(d->Z, n->v)), vp) + v[n->v] * spin);
            continue;
        }
        for (int b = 0; b < n->nbody; b++) {
            const VInertia I = inertia_load(d, n->body + b);
            V6 x = vp;
            for (int k = 0; k < n->nv; k++)
                x = v6_axpy(x, v[n->v + k], v6_load(SIX(d->col, n->col + b * n->nv + k)));
            v6_store(SIX(d->force, n->body + b), x);
            sum += v6_dot(x, inertia_mul(&I, x));
        }
    }
    return sum;
}

/// Powers over a step that changes coordinate velocities by h a, at the mean velocity V_m = V + h/2
/// sum Phi a of every body:
///
///     inertia  sum V_m . (I (c + sum Phi a) + V x* I V)        gravity  g . sum (I V_m)_linear
///
/// c is the sum of the velocity-product accelerations from the root on. Outward only, and
/// independent of how a was found: for an a that solves the equations of motion the first equals
/// the power of all forces (tests/dynamics/test_identities.c). Armature apart. Leaves the bodies'
/// share of a in `share`; uses `pA` as scratch.
static void mean_power(RiDyn *d, const double *a, double h, double out[3])
{
    double inertia = 0.0, twice = 0.0;
    V6 momentum = v6_zero();
    v6_store(d->share, v6_zero());
    v6_store(d->pA, v6_zero());
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        const V6 share = parent_motion(d, n, d->share, n->parent), acc = parent_motion(d, n, d->pA, n->parent);
        if (n->rotor) { // its parent carries the rest
            double spin = 0.0;
            for (int b = 0; b < n->nbody; b++) {
                const double g = n->map < 0 ? 1.0 : d->G[n->map + b];
                spin += g * g * d->hot[n->body + b - 1].spin;
            }
            const V6 U = v6_load(SIX(d->Z, n->v)), mean = v6_axpy(v6_load(SIX(d->vel, n->parent)), 0.5 * h, share);
            inertia += a[n->v] * v6_dot(U, mean);
            inertia += (d->v[n->v] + 0.5 * h * a[n->v]) * (spin * a[n->v] + v6_dot(U, acc));
            continue;
        }
        for (int b = 0; b < n->nbody; b++) {
            const int i = n->body + b;
            const VInertia I = inertia_load(d, i);
            V6 x = share;
            for (int k = 0; k < n->nv; k++)
                x = v6_axpy(x, a[n->v + k], v6_load(SIX(d->col, n->col + b * n->nv + k)));
            const V6 w = v6_add(v6_add(acc, v6_sub(x, share)), v6_load(SIX(d->bias, i)));
            const V6 mean = v6_axpy(v6_load(SIX(d->vel, i)), 0.5 * h, x), p = inertia_mul(&I, mean);
            v6_store(SIX(d->share, i), x);
            v6_store(SIX(d->pA, i), w);
            inertia += v6_dot(p, w) + v6_dot(mean, v6_load(SIX(d->gyro, i)));
            twice += v6_dot(mean, p);
            momentum = v6_add(momentum, p);
        }
    }
    const V4 linear = v6_hi(momentum);
    out[0] = inertia;
    out[1] = d->gravity.x * linear[0] + d->gravity.y * linear[1] + d->gravity.z * linear[2];
    out[2] = 0.5 * twice;
}

// --- articulated bodies --------------------------------------------------------------------------

/// Moves a symmetric 6x6 inertia from origin O' to O, r = O' - O:  X^T A X with X = (1 0; -r x 1).
static void shift_articulated(V66 *A, V4 r)
{
    V6 cols[6];
    for (int k = 0; k < 6; k++) // rows: moments take r x force
        cols[k] = v6_shift_force(A->c[k], r);
    // columns: an angular unit velocity about O moves O' by e_k x r
    const V4 e[3] = {{0.0, -r[2], r[1], 0.0}, {r[2], 0.0, -r[0], 0.0}, {-r[1], r[0], 0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        A->c[k] = v6_axpy(v6_axpy(v6_axpy(cols[k], e[k][0], cols[3]), e[k][1], cols[4]), e[k][2], cols[5]);
        A->c[3 + k] = cols[3 + k];
    }
}

/// Hands the reduced inertia and bias force of a cluster to its parent body.
RI_INLINE void hand_inward(RiDyn *d, const RiNode *n, V66 *A, V6 p, bool with_force)
{
    if (n->at_world)
        return;
    if (__builtin_expect(n->region_root, 0)) {
        const V4 r = v4_load(d->shift + 4 * n->region);
        shift_articulated(A, r);
        p = v6_shift_force(p, r);
    }
    double *IA = d->IA + 48 * n->parent;
    if (!n->first) {
        v66_load_add(A, IA);
        if (with_force)
            p = v6_add(p, v6_load(SIX(d->pA, n->parent)));
    }
    v66_store(IA, A);
    if (with_force)
        v6_store(SIX(d->pA, n->parent), p);
}

/// Takes the rotors' share U U^T / D off the rotational block of their parent, whose columns stand
/// in A.
RI_INLINE void subtract_rotors(const RiDyn *d, const RiHot *hot, double *A)
{
    for (int r = hot->rotor; r < hot->rotor + hot->nrotor; r++) {
        const RiNode *n = &d->node[d->rotor[r]];
        const V4 U = v4_load(SIX(d->Z, n->v)), y = -d->fac[n->fac] * U;
        for (int k = 0; k < 3; k++)
            v4_store(A + 8 * k, v4_load(A + 8 * k) + U[k] * y);
    }
}

/// Their share U u / D of the bias force, and the external wrenches on them.
RI_INLINE V6 add_rotor_forces(const RiDyn *d, const RiHot *hot, V6 p)
{
    for (int r = hot->rotor; r < hot->rotor + hot->nrotor; r++) {
        const RiNode *n = &d->node[d->rotor[r]];
        p = v6_axpy(p, d->u[n->v] * d->fac[n->fac], v6_load(SIX(d->Z, n->v)));
        if (d->has_wrenches)
            for (int b = 0; b < n->nbody; b++)
                p = v6_sub(p, v6_load(SIX(d->wrench, n->body + b)));
    }
    return p;
}

/// Articulated inertia of body i, in memory: its own, its children's, less its rotors'. Returns
/// where it is.
RI_INLINE const double *gather_inertia(RiDyn *d, int i)
{
    const RiHot *hot = &d->hot[i - 1];
    const double *own = d->rigid + 48 * i;
    double *sum = d->IA + 48 * i;
    const bool extra = d->has_extra && d->extra_on[i];
    if (!hot->branched && !hot->nrotor && !extra)
        return own;
    for (int k = 0; k < 6; k++) {
        const V6 c = v6_load(own + 8 * k);
        v6_store(sum + 8 * k, hot->branched ? v6_add(c, v6_load(sum + 8 * k)) : c);
    }
    subtract_rotors(d, hot, sum);
    for (int k = 0; extra && k < 6; k++)
        v6_store(sum + 8 * k, v6_add(v6_load(sum + 8 * k), v6_load(d->extra + 48 * i + 8 * k)));
    return sum;
}

RI_INLINE V6 gather_force(const RiDyn *d, int i)
{
    const RiHot *hot = &d->hot[i - 1];
    V6 p = v6_load(SIX(d->gyro, i));
    if (d->has_wrenches)
        p = v6_sub(p, v6_load(SIX(d->wrench, i)));
    if (hot->branched)
        p = v6_add(p, v6_load(SIX(d->pA, i)));
    return hot->nrotor ? add_rotor_forces(d, hot, p) : p;
}

/// Inward step of a cluster of rotors: only its u; the parent collects the rest.
RI_INLINE void reduce_rotor(RiDyn *d, const RiNode *n, const double *tau)
{
    double u = tau ? tau[n->v] : 0.0;
    if (d->has_wrenches)
        for (int b = 0; b < n->nbody; b++)
            u += v6_dot(v6_load(SIX(d->col, n->col + b)), v6_load(SIX(d->wrench, n->body + b)));
    d->u[n->v] = u;
}

/// Two products with a symmetric matrix in memory, column by column: U = A S, w = A c.
RI_INLINE void multiply_twice(const double *A, const double *S, const double *c, V6 *U, V6 *w)
{
    V6 u0 = v6_scale(S[0], v6_load(A)), w0 = v6_scale(c[0], v6_load(A));
    V6 u1 = v6_scale(S[4], v6_load(A + 24)), w1 = v6_scale(c[4], v6_load(A + 24));
    for (int k = 1; k < 3; k++) {
        const V6 a = v6_load(A + 8 * k), b = v6_load(A + 24 + 8 * k);
        u0 = v6_axpy(u0, S[k], a);
        w0 = v6_axpy(w0, c[k], a);
        u1 = v6_axpy(u1, S[4 + k], b);
        w1 = v6_axpy(w1, c[4 + k], b);
    }
    *U = v6_add(u0, u1);
    *w = v6_add(w0, w1);
}

RI_INLINE V6 multiply(const double *A, const double *S)
{
    V6 u0 = v6_scale(S[0], v6_load(A)), u1 = v6_scale(S[4], v6_load(A + 24));
    for (int k = 1; k < 3; k++) {
        u0 = v6_axpy(u0, S[k], v6_load(A + 8 * k));
        u1 = v6_axpy(u1, S[4 + k], v6_load(A + 24 + 8 * k));
    }
    return v6_add(u0, u1);
}

/// Inward step of a cluster with one body and one coordinate. False if it has no inertia.
RI_INLINE bool reduce_one(RiDyn *d, const RiNode *n, const double *tau, bool with_force)
{
    const int i = n->body;
    const double *A = gather_inertia(d, i), *S = SIX(d->col, n->col);
    V6 U, w = v6_zero(), t = v6_zero();
    if (with_force)
        multiply_twice(A, S, SIX(d->bias, i), &U, &w);
    else
        U = multiply(A, S);
    const V6 Sv = v6_load(S);
    const double D = v6_dot(Sv, U) + d->arm[n->s], dinv = 1.0 / D;
    v6_store(SIX(d->Z, n->v), U);
    d->fac[n->fac] = dinv;
    V6 p = v6_zero();
    if (with_force) {
        t = v6_add(gather_force(d, i), w);
        const double u = (tau ? tau[n->v] : 0.0) - v6_dot(Sv, t);
        d->u[n->v] = u;
        p = v6_axpy(t, u * dinv, U);
    }
    if (__builtin_expect(n->region_root || n->at_world, 0)) {
        V66 B;
        for (int k = 0; k < 6; k++)
            B.c[k] = v6_load(A + 8 * k);
        v66_rank1(&B, U, dinv);
        hand_inward(d, n, &B, p, with_force);
        return D > 0.0;
    }
    // A - U U^T / D straight into the parent's sum, column by column.
    double *IA = d->IA + 48 * n->parent, *pA = SIX(d->pA, n->parent);
    const V6 y = v6_scale(-dinv, U);
    const V4 lo = v6_lo(U), hi = v6_hi(U);
    if (n->first) {
        for (int k = 0; k < 3; k++) {
            v6_store(IA + 8 * k, v6_axpy(v6_load(A + 8 * k), lo[k], y));
            v6_store(IA + 24 + 8 * k, v6_axpy(v6_load(A + 24 + 8 * k), hi[k], y));
        }
        if (with_force)
            v6_store(pA, p);
    } else {
        for (int k = 0; k < 3; k++) {
            v6_store(IA + 8 * k, v6_add(v6_axpy(v6_load(A + 8 * k), lo[k], y), v6_load(IA + 8 * k)));
            v6_store(IA + 24 + 8 * k, v6_add(v6_axpy(v6_load(A + 24 + 8 * k), hi[k], y), v6_load(IA + 24 + 8 * k)));
        }
        if (with_force)
            v6_store(pA, v6_add(p, v6_load(pA)));
    }
    return D > 0.0;
}

/// Sums over the bodies of a cluster: U into Z, D into fac, and the total inertia.
RI_INLINE void sum_cluster(RiDyn *d, const RiNode *n, V66 *total, V6 *total_t, const double *tau, bool with_force)
{
    const int nv = n->nv;
    double *D = d->fac + n->fac;
    memset(D, 0, (size_t)(nv * nv) * sizeof *D);
    for (int k = 0; k < nv; k++) {
        v6_store(SIX(d->Z, n->v + k), v6_zero());
        if (with_force)
            d->u[n->v + k] = tau ? tau[n->v + k] : 0.0;
    }
    *total_t = v6_zero();
    for (int b = 0; b < n->nbody; b++) {
        V66 A;
        const double *phi = SIX(d->col, n->col + b * nv), *sum = gather_inertia(d, n->body + b);
        V6 t = v6_zero();
        for (int k = 0; k < 6; k++)
            A.c[k] = v6_load(sum + 8 * k);
        if (with_force) {
            t = v6_add(gather_force(d, n->body + b), v66_mul(&A, v6_load(SIX(d->bias, n->body + b))));
            *total_t = v6_add(*total_t, t);
        }
        for (int k = 0; k < nv; k++) {
            const V6 S = v6_load(SIX(phi, k)), U = v66_mul(&A, S);
            double *Z = SIX(d->Z, n->v + k);
            v6_store(Z, v6_add(v6_load(Z), U));
            if (with_force)
                d->u[n->v + k] -= v6_dot(S, t);
            for (int l = 0; l <= k; l++)
                D[k * nv + l] += v6_dot(v6_load(SIX(phi, l)), U);
        }
        for (int k = 0; k < 6; k++)
            total->c[k] = b ? v6_add(total->c[k], A.c[k]) : A.c[k];
    }
}

/// Armature of the cluster's joints in its coordinates: D += G^T A G, and u -= G^T A g.
static void add_armature(RiDyn *d, const RiNode *n, bool with_force)
{
    const int nv = n->nv;
    double *D = d->fac + n->fac;
    for (int j = 0; j < n->ns; j++) {
        const double arm = d->arm[n->s + j];
        if (arm == 0.0)
            continue;
        if (n->map < 0) {
            D[j * nv + j] += arm;
            continue;
        }
        const double *G = d->G + n->map + j * nv;
        for (int k = 0; k < nv; k++) {
            if (with_force)
                d->u[n->v + k] -= G[k] * arm * d->jg[n->s + j];
            for (int l = 0; l <= k; l++)
                D[k * nv + l] += G[k] * arm * G[l];
        }
    }
}

/// Inward step of any cluster.
static bool reduce_cluster(RiDyn *d, const RiNode *n, const double *tau, bool with_force)
{
    const int nv = n->nv;
    double *D = d->fac + n->fac, *u = d->u + n->v;
    V66 A;
    V6 t;
    sum_cluster(d, n, &A, &t, tau, with_force);
    if (d->has_armature)
        add_armature(d, n, with_force);
    if (!ri_ldl_factor(nv, D, 0.0))
        return false;
    for (int k = 0; k < nv; k++) {
        V6 z = v6_load(SIX(d->Z, n->v + k));
        for (int p = 0; p < k; p++) {
            z = v6_axpy(z, -D[k * nv + p], v6_load(SIX(d->Z, n->v + p)));
            if (with_force)
                u[k] -= D[k * nv + p] * u[p];
        }
        v6_store(SIX(d->Z, n->v + k), z);
        if (n->at_world)
            continue;
        v66_rank1(&A, z, D[k * nv + k]);
        if (with_force)
            t = v6_axpy(t, u[k] * D[k * nv + k], z);
    }
    hand_inward(d, n, &A, t, with_force);
    return true;
}

/// Outward step: coordinates' accelerations of a cluster from the parent's acceleration; `y` gets
/// nv numbers.
RI_INLINE void resolve_cluster(const RiDyn *d, const RiNode *n, V6 ap, const double *u, double *y)
{
    const int nv = n->nv;
    const double *D = d->fac + n->fac;
    for (int k = 0; k < nv; k++)
        y[k] = D[k * nv + k] * (u[k] - v6_dot(v6_load(SIX(d->Z, n->v + k)), ap));
    for (int k = nv - 1; k >= 0; k--)
        for (int p = k + 1; p < nv; p++)
            y[k] -= D[p * nv + k] * y[p];
}

/// Accelerations of a cluster's bodies from those of its coordinates.
RI_INLINE void accelerate_cluster(RiDyn *d, const RiNode *n, V6 ap, const double *y)
{
    for (int b = 0; b < n->nbody; b++) {
        V6 a = v6_add(ap, v6_load(SIX(d->bias, n->body + b)));
        for (int k = 0; k < n->nv; k++)
            a = v6_axpy(a, y[k], v6_load(SIX(d->col, n->col + b * n->nv + k)));
        v6_store(SIX(d->acc, n->body + b), a);
    }
}

static void set_world_acceleration(RiDyn *d)
{
    v6_store(d->acc, v6_make((V4){0}, v4_set(-d->gravity.x, -d->gravity.y, -d->gravity.z)));
}

/// A floating base: nothing is inward of it and its six columns are orthonormal, so its
/// acceleration follows from A a_b = Phi tau - p directly, and y'' = Phi^T (a_b - a_p - c). Z and
/// the factor are left to `articulate`.
static bool solve_free_root(RiDyn *d, const RiNode *n, const double *tau)
{
    const int i = n->body;
    const RiHot *hot = &d->hot[i - 1];
    const double *own = d->rigid + 48 * i, *phi = SIX(d->col, n->col);
    double A[48] __attribute__((aligned(64))), b[8] __attribute__((aligned(64)));
    for (int k = 0; k < 6; k++) {
        const V6 c = v6_load(own + 8 * k);
        v6_store(A + 8 * k, hot->branched ? v6_add(c, v6_load(d->IA + 48 * i + 8 * k)) : c);
    }
    subtract_rotors(d, hot, A);
    for (int k = 0; d->has_extra && d->extra_on[i] && k < 6; k++)
        v6_store(A + 8 * k, v6_add(v6_load(A + 8 * k), v6_load(d->extra + 48 * i + 8 * k)));
    V6 f = v6_sub(v6_zero(), gather_force(d, i));
    for (int k = 0; tau && k < 6; k++)
        f = v6_axpy(f, tau[n->v + k], v6_load(SIX(phi, k)));
    static const int lane[6] = {0, 1, 2, 4, 5, 6};
    double pivot[6], head[6], x[6];
    for (int k = 0; k < 6; k++) { // eliminate by columns; b carries the right-hand side
        const V6 c = v6_load(A + 8 * k);
        v6_store(b, f);
        if (!(A[8 * k + lane[k]] > 0.0))
            return false;
        pivot[k] = 1.0 / A[8 * k + lane[k]];
        head[k] = b[lane[k]];
        for (int l = k + 1; l < 6; l++)
            v6_store(A + 8 * l, v6_axpy(v6_load(A + 8 * l), -(A[8 * k + lane[l]] * pivot[k]), c));
        f = v6_axpy(f, -(head[k] * pivot[k]), c);
    }
    for (int k = 5; k >= 0; k--) {
        double sum = head[k];
        for (int l = k + 1; l < 6; l++)
            sum -= A[8 * k + lane[l]] * x[l];
        x[k] = sum * pivot[k];
    }
    v6_store(SIX(d->acc, i), v6_make(v4_set(x[0], x[1], x[2]), v4_set(x[3], x[4], x[5])));
    return true;
}

/// Coordinates' accelerations of a floating base whose acceleration solve_free_root has left in
/// `acc`.
RI_INLINE void resolve_free_root(const RiDyn *d, const RiNode *n, V6 ap, double *a)
{
    const V6 rel = v6_sub(v6_sub(v6_load(SIX(d->acc, n->body)), ap), v6_load(SIX(d->bias, n->body)));
    for (int k = 0; k < 6; k++)
        a[n->v + k] = v6_dot(v6_load(SIX(d->col, n->col + k)), rel);
}

static bool forward(RiDyn *d, const double *tau, double *a)
{
    const RiNode *node = d->node;
    const int nc = d->m->nc;
    d->bad_cluster = -1;
    for (int c = nc - 1; c >= 0; c--) {
        const RiNode *n = &node[c];
        if (n->rotor) {
            reduce_rotor(d, n, tau);
            continue;
        }
        const bool good = n->kind == RI_CLUSTER_ONE ? reduce_one(d, n, tau, true)
                          : n->free_root            ? solve_free_root(d, n, tau)
                                                    : reduce_cluster(d, n, tau, true);
        if (__builtin_expect(!good, 0)) {
            d->bad_cluster = c;
            return false;
        }
    }
    set_world_acceleration(d);
    for (int c = 0; c < nc; c++) {
        const RiNode *n = &node[c];
        const V6 ap = parent_motion(d, n, d->acc, n->parent);
        if (n->kind == RI_CLUSTER_ONE && !n->rotor) {
            const double y = d->fac[n->fac] * (d->u[n->v] - v6_dot(v6_load(SIX(d->Z, n->v)), ap));
            const V6 acc = v6_add(ap, v6_load(SIX(d->bias, n->body)));
            a[n->v] = y;
            v6_store(SIX(d->acc, n->body), v6_axpy(acc, y, v6_load(SIX(d->col, n->col))));
        } else if (n->free_root) {
            resolve_free_root(d, n, ap, a);
        } else {
            resolve_cluster(d, n, ap, d->u + n->v, a + n->v);
            accelerate_cluster(d, n, ap, a + n->v);
        }
    }
    return true;
}

// --- inverse dynamics ----------------------------------------------------------------------------

/// Armature forces of a cluster: tau += G^T A (G y'' + g).
static void armature_force(const RiDyn *d, const RiNode *n, const double *a, double *tau)
{
    for (int j = 0; j < n->ns; j++) {
        const double arm = d->arm[n->s + j];
        if (arm == 0.0)
            continue;
        if (n->map < 0) {
            tau[n->v + j] += arm * (a ? a[n->v + j] : 0.0);
            continue;
        }
        const double *G = d->G + n->map + j * n->nv;
        double rate = d->jg[n->s + j];
        for (int k = 0; a && k < n->nv; k++)
            rate += G[k] * a[n->v + k];
        for (int k = 0; k < n->nv; k++)
            tau[n->v + k] += G[k] * arm * rate;
    }
}

/// Outward half of RNEA: accelerations and the force each body needs.
RI_INLINE void body_force(RiDyn *d, int i, V6 acc)
{
    const VInertia I = inertia_load(d, i);
    V6 f = v6_add(inertia_mul(&I, acc), v6_load(SIX(d->gyro, i)));
    if (d->has_wrenches)
        f = v6_sub(f, v6_load(SIX(d->wrench, i)));
    v6_store(SIX(d->acc, i), acc);
    v6_store(SIX(d->force, i), f);
}

RI_INLINE void add_force_inward(RiDyn *d, const RiNode *n, V6 f)
{
    if (n->at_world)
        return;
    if (__builtin_expect(n->region_root, 0))
        f = v6_shift_force(f, v4_load(d->shift + 4 * n->region));
    double *up = SIX(d->force, n->parent);
    v6_store(up, v6_add(v6_load(up), f));
}

/// Both halves of RNEA for a cluster of rotors.
RI_INLINE void accelerate_rotor(RiDyn *d, const RiNode *n, double y)
{
    const V6 ap = v6_load(SIX(d->acc, n->parent));
    for (int b = 0; b < n->nbody; b++) {
        const V6 a = v6_add(ap, v6_load(SIX(d->bias, n->body + b)));
        v6_store(SIX(d->acc, n->body + b), v6_axpy(a, y, v6_load(SIX(d->col, n->col + b))));
    }
}

RI_INLINE void rotor_force(RiDyn *d, const RiNode *n, double y, double *tau)
{
    const V6 U = v6_load(SIX(d->Z, n->v));
    double *f = SIX(d->force, n->parent);
    double t = y / d->fac[n->fac] + v6_dot(U, v6_load(SIX(d->acc, n->parent)));
    V6 sum = v6_axpy(v6_load(f), y, U);
    if (d->has_wrenches)
        for (int b = 0; b < n->nbody; b++) {
            const V6 w = v6_load(SIX(d->wrench, n->body + b));
            t -= v6_dot(v6_load(SIX(d->col, n->col + b)), w);
            sum = v6_sub(sum, w);
        }
    v6_store(f, sum);
    tau[n->v] = t;
}

static void inverse(RiDyn *d, const double *a, double *tau)
{
    const RiNode *node = d->node;
    const int nc = d->m->nc;
    set_world_acceleration(d);
    for (int c = 0; c < nc; c++) {
        const RiNode *n = &node[c];
        if (n->rotor) {
            accelerate_rotor(d, n, a ? a[n->v] : 0.0);
            continue;
        }
        const V6 ap = parent_motion(d, n, d->acc, n->parent);
        for (int b = 0; b < n->nbody; b++) {
            V6 acc = v6_add(ap, v6_load(SIX(d->bias, n->body + b)));
            for (int k = 0; a && k < n->nv; k++)
                acc = v6_axpy(acc, a[n->v + k], v6_load(SIX(d->col, n->col + b * n->nv + k)));
            body_force(d, n->body + b, acc);
        }
    }
    for (int c = nc - 1; c >= 0; c--) {
        const RiNode *n = &node[c];
        if (n->rotor) {
            rotor_force(d, n, a ? a[n->v] : 0.0, tau);
            continue;
        }
        if (n->kind == RI_CLUSTER_ONE) {
            const V6 f = v6_load(SIX(d->force, n->body));
            tau[n->v] = v6_dot(v6_load(SIX(d->col, n->col)), f);
            add_force_inward(d, n, f);
        } else {
            V6 sum = v6_zero();
            for (int k = 0; k < n->nv; k++)
                tau[n->v + k] = 0.0;
            for (int b = 0; b < n->nbody; b++) {
                const V6 f = v6_load(SIX(d->force, n->body + b));
                for (int k = 0; k < n->nv; k++)
                    tau[n->v + k] += v6_dot(v6_load(SIX(d->col, n->col + b * n->nv + k)), f);
                sum = v6_add(sum, f);
            }
            add_force_inward(d, n, sum);
        }
        if (d->has_armature)
            armature_force(d, n, a, tau);
    }
}

// --- M^-1 x --------------------------------------------------------------------------------------

/// Articulated inertias alone; after `forward`, only the floating bases' are missing.
static bool articulate(RiDyn *d, bool only_roots)
{
    d->bad_cluster = -1;
    for (int c = d->m->nc - 1; c >= 0; c--) {
        const RiNode *n = &d->node[c];
        if (n->rotor || (only_roots && !n->free_root))
            continue;
        if (!(n->kind == RI_CLUSTER_ONE ? reduce_one(d, n, NULL, false) : reduce_cluster(d, n, NULL, false))) {
            d->bad_cluster = c;
            return false;
        }
    }
    return true;
}

/// The recursion of `forward` with the articulated inertias known and no bias: x <- M^-1 (x + J^T
/// f). `force` holds -f on the bodies and comes out with their accelerations.
static void respond(RiDyn *d, double *x)
{
    const RiNode *node = d->node;
    const int nc = d->m->nc;
    for (int c = nc - 1; c >= 0; c--) {
        const RiNode *n = &node[c];
        const double *D = d->fac + n->fac;
        V6 p = v6_zero();
        for (int k = 0; k < n->nv; k++) {
            double u = x[n->v + k];
            for (int b = 0; b < n->nbody; b++)
                u -= v6_dot(v6_load(SIX(d->col, n->col + b * n->nv + k)), v6_load(SIX(d->force, n->body + b)));
            for (int l = 0; l < k; l++)
                u -= D[k * n->nv + l] * d->u[n->v + l];
            d->u[n->v + k] = u;
            p = v6_axpy(p, u * D[k * n->nv + k], v6_load(SIX(d->Z, n->v + k)));
        }
        for (int b = 0; b < n->nbody; b++)
            p = v6_add(p, v6_load(SIX(d->force, n->body + b)));
        add_force_inward(d, n, p);
    }
    for (int c = 0; c < nc; c++) { // accelerations in `force`, outward
        const RiNode *n = &node[c];
        const V6 ap = n->at_world ? v6_zero() : parent_motion(d, n, d->force, n->parent);
        resolve_cluster(d, n, ap, d->u + n->v, x + n->v);
        for (int b = 0; b < n->nbody; b++) {
            V6 a = ap;
            for (int k = 0; k < n->nv; k++)
                a = v6_axpy(a, x[n->v + k], v6_load(SIX(d->col, n->col + b * n->nv + k)));
            v6_store(SIX(d->force, n->body + b), a);
        }
    }
}

static void apply_inverse(RiDyn *d, double *x)
{
    memset(d->force, 0, (size_t)(d->m->nb + 1) * 8 * sizeof *d->force);
    respond(d, x);
}

// --- mass matrix ---------------------------------------------------------------------------------

RI_INLINE VInertia composite_load(const RiDyn *d, int i)
{
    const double *p = d->comp + 16 * i;
    return (VInertia){{v4_load(p), v4_load(p + 4), v4_load(p + 8)}, v4_load(p + 12)};
}

/// Composite inertia of a cluster's bodies onto its parent, moved over a region border where there
/// is one.
static void add_composite(RiDyn *d, const RiNode *n)
{
    for (int b = 0; b < n->nbody; b++) {
        VInertia I = composite_load(d, n->body + b);
        if (n->region_root) { // origin moves by -r: positions grow by r
            const V4 r = v4_load(d->shift + 4 * n->region), mc = inertia_moment(&I);
            const double m = I.mc[3];
            const V4 cross = mc * r, rr = r * r;
            const double on = 2.0 * ((cross[0] + cross[2]) + cross[1]) + m * ((rr[0] + rr[2]) + rr[1]);
            const V4 e[3] = {{on, 0.0, 0.0, 0.0}, {0.0, on, 0.0, 0.0}, {0.0, 0.0, on, 0.0}};
            for (int k = 0; k < 3; k++)
                I.J[k] = I.J[k] + e[k] - r[k] * mc - mc[k] * r - (m * r[k]) * r;
            I.mc = I.mc + m * r;
        }
        double *up = d->comp + 16 * n->parent;
        for (int k = 0; k < 3; k++)
            v4_store(up + 4 * k, v4_load(up + 4 * k) + I.J[k]);
        v4_store(up + 12, v4_load(up + 12) + I.mc);
    }
}

/// Composite inertias of all subtrees.
static void compose(RiDyn *d)
{
    for (int i = 1; i <= d->m->nb; i++) {
        for (int k = 0; k < 3; k++)
            v4_store(d->comp + 16 * i + 4 * k, v4_load(d->rigid + 48 * i + 8 * k));
        v4_store(d->comp + 16 * i + 12, v4_load(d->moment + 4 * i));
    }
    for (int c = d->m->nc - 1; c >= 0; c--)
        if (!d->node[c].rotor && !d->node[c].at_world)
            add_composite(d, &d->node[c]);
}

/// Writes motion columns into the path: column k of six rows at depth + k.
RI_INLINE void write_path(RiDyn *d, const double *phi, int nv, int depth)
{
    for (int k = 0; k < nv; k++) {
        const double *S = SIX(phi, k);
        double *at = d->path + depth + k;
        for (int r = 0; r < 3; r++) {
            at[r * d->path_stride] = S[r];
            at[(3 + r) * d->path_stride] = S[4 + r];
        }
    }
}

/// row[t] = path column t . F for from <= t < to, a register at a time; `spill` allows writing past
/// `to`.
RI_INLINE void fill_segment(const RiDyn *d, const double *F, double *row, int from, int to, bool spill)
{
    const double *p = d->path;
    const int stride = d->path_stride;
    int t = from;
    for (; t + (spill ? 1 : RI_LANES) <= to; t += RI_LANES) {
        VL x = F[0] * vl_load(p + t);
        x = vl_axpy(x, F[1], vl_load(p + stride + t));
        x = vl_axpy(x, F[2], vl_load(p + 2 * stride + t));
        x = vl_axpy(x, F[4], vl_load(p + 3 * stride + t));
        x = vl_axpy(x, F[5], vl_load(p + 4 * stride + t));
        vl_store(row + t, vl_axpy(x, F[6], vl_load(p + 5 * stride + t)));
    }
    for (; t < to; t++) {
        double x = F[0] * p[t];
        x = fma(F[1], p[stride + t], x);
        x = fma(F[2], p[2 * stride + t], x);
        x = fma(F[4], p[3 * stride + t], x);
        x = fma(F[5], p[4 * stride + t], x);
        row[t] = fma(F[6], p[5 * stride + t], x);
    }
}

/// The entries of a row that belong to coordinates inward of cluster n: products of force F with
/// all columns on the path, region by region.
RI_INLINE void fill_row(const RiDyn *d, const RiNode *n, V6 F, double *row, int depth)
{
    double f[8] __attribute__((aligned(64)));
    int region = n->region, to = depth;
    for (bool own = true;; own = false) {
        const int from = d->region_depth[region];
        v6_store(f, F);
        fill_segment(d, f, row, from, to, own);
        if (d->region_parent[region] < 0)
            return;
        F = v6_shift_force(F, v4_load(d->shift + 4 * region));
        to = from;
        region = d->region_parent[region];
    }
}

/// Rows of the mass matrix of one cluster: F = composite inertia times column.
RI_INLINE void mass_rows(RiDyn *d, const RiNode *n, int depth)
{
    if (n->rotor) {
        double *row = d->H + d->row[n->v];
        fill_row(d, n, v6_load(SIX(d->Z, n->v)), row, depth);
        row[depth] = 1.0 / d->fac[n->fac];
        return;
    }
    if (n->kind == RI_CLUSTER_ONE) {
        double *row = d->H + d->row[n->v];
        const VInertia I = composite_load(d, n->body);
        const V6 S = v6_load(SIX(d->col, n->col)), F = inertia_mul(&I, S);
        fill_row(d, n, F, row, depth);
        row[depth] = v6_dot(S, F) + d->arm[n->s];
        return;
    }
    for (int k = 0; k < n->nv; k++) {
        double *row = d->H + d->row[n->v + k];
        V6 F = v6_zero();
        for (int b = 0; b < n->nbody; b++) {
            const VInertia I = composite_load(d, n->body + b);
            F = v6_add(F, inertia_mul(&I, v6_load(SIX(d->col, n->col + b * n->nv + k))));
        }
        fill_row(d, n, F, row, depth);
        for (int l = 0; l <= k; l++)
            row[depth + l] = 0.0;
        for (int b = 0; b < n->nbody; b++) {
            const VInertia I = composite_load(d, n->body + b);
            const double *phi = SIX(d->col, n->col + b * n->nv);
            const V6 f = inertia_mul(&I, v6_load(SIX(phi, k)));
            for (int l = 0; l <= k; l++)
                row[depth + l] += v6_dot(v6_load(SIX(phi, l)), f);
        }
        for (int j = 0; d->has_armature && j < n->ns; j++) {
            const double arm = d->arm[n->s + j];
            const double *G = n->map < 0 ? NULL : d->G + n->map + j * n->nv;
            for (int l = 0; l <= k; l++)
                row[depth + l] += arm * (G ? G[k] * G[l] : j == k && j == l ? 1.0 : 0.0);
        }
    }
}

/// Walks the clusters outward with the path of motion columns from the root to each, and fills the
/// rows of the mass matrix or of its factor. The order is depth first, so below a cluster's depth
/// the path always holds its own ancestors; a cluster of several bodies is rewritten as seen by the
/// body the walk leaves it through.
RI_INLINE void walk_rows(RiDyn *d, bool factored)
{
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        if (!n->at_world) {
            const RiNode *up = &d->node[d->m->bodies[n->parent - 1].cluster];
            if (up->nbody > 1)
                write_path(d, SIX(d->col, up->col + (n->parent - up->body) * up->nv), up->nv, n->depth - up->nv);
        }
        if (factored) {
            for (int k = 0; k < n->nv; k++) {
                const double dinv = d->fac[n->fac + k * n->nv + k];
                fill_row(d, n, v6_scale(dinv, v6_load(SIX(d->Z, n->v + k))), d->L + d->row[n->v + k], n->depth);
            }
        } else {
            mass_rows(d, n, n->depth);
        }
        if (!n->leaf)
            write_path(d, SIX(d->col, n->col), n->nv, n->depth);
    }
}

static void mass_matrix(RiDyn *d)
{
    compose(d);
    walk_rows(d, false);
}

/// The factor M = E diag(d) E^T without elimination: column k of E is, for an ancestor j, Phi_j .
/// Z_k / d_k, and inside a cluster the cluster's own L: the innovations factorisation [jain2012],
/// in as many operations as it has entries. The articulated inertias must be there.
static void factor(RiDyn *d)
{
    walk_rows(d, true);
}

static void solve(const RiDyn *d, double *x)
{
    const int nc = d->m->nc;
    for (int c = nc - 1; c >= 0; c--) {
        const RiNode *n = &d->node[c];
        const double *L = d->fac + n->fac;
        for (int k = 0; k < n->nv; k++) {
            const double w = x[n->v + k], *row = d->L + d->row[n->v + k];
            for (int l = k + 1; l < n->nv; l++)
                x[n->v + l] -= L[l * n->nv + k] * w;
            for (int i = n->inward, at = n->depth - 1; i >= 0; i = d->dof_parent[i], at--)
                x[i] -= row[at] * w;
        }
    }
    for (int c = 0; c < nc; c++) {
        const RiNode *n = &d->node[c];
        const double *L = d->fac + n->fac;
        for (int k = n->nv - 1; k >= 0; k--) {
            const double *row = d->L + d->row[n->v + k];
            double sum = x[n->v + k] * L[k * n->nv + k];
            for (int l = k + 1; l < n->nv; l++)
                sum -= L[l * n->nv + k] * x[n->v + l];
            for (int i = n->inward, at = n->depth - 1; i >= 0; i = d->dof_parent[i], at--)
                sum -= row[at] * x[i];
            x[n->v + k] = sum;
        }
    }
}

// --- Jacobians -----------------------------------------------------------------------------------

/// Columns of cluster n as seen by one of its bodies, into the six rows of J; p is the point, from
/// the region's origin.
RI_INLINE void put_columns(const RiDyn *d, const RiNode *n, int body, V4 p, double *J, size_t nv)
{
    for (int k = 0; k < n->nv; k++) {
        const V6 S = v6_load(SIX(d->col, n->col + (body - n->body) * n->nv + k));
        const V4 w = v6_lo(S), lin = v6_hi(S);
        const V4 v = {fma(-p[1], w[2], fma(p[2], w[1], lin[0])), fma(-p[2], w[0], fma(p[0], w[2], lin[1])),
                      fma(-p[0], w[1], fma(p[1], w[0], lin[2])), 0.0};
        for (size_t r = 0; r < 3; r++) {
            J[r * nv + (size_t)(n->v + k)] = w[r];
            J[(3 + r) * nv + (size_t)(n->v + k)] = v[r];
        }
    }
}

RI_INLINE void zero_columns(double *J, size_t nv, int from, int to)
{
    for (size_t r = 0; r < 6; r++)
        for (int t = from; t < to; t++)
            J[r * nv + (size_t)t] = 0.0;
}

/// All bits of lane k where bit k of the index is set.
#define LANES_OF(n)                                                                                                    \
    {                                                                                                                  \
        -((n)&1), -((n) >> 1 & 1), -((n) >> 2 & 1), -((n) >> 3 & 1)                                                    \
    }
static const long long keep_lanes[16][4] __attribute__((aligned(32))) = {
    LANES_OF(0), LANES_OF(1), LANES_OF(2),  LANES_OF(3),  LANES_OF(4),  LANES_OF(5),  LANES_OF(6),  LANES_OF(7),
    LANES_OF(8), LANES_OF(9), LANES_OF(10), LANES_OF(11), LANES_OF(12), LANES_OF(13), LANES_OF(14), LANES_OF(15)};

/// All columns of a point's Jacobian, four at a time, from the columns side by side in `soa`: w,
/// and v + w x p, kept where the body's mask says that the coordinate moves it.
RI_INLINE void put_rows(const RiDyn *d, const unsigned char *mask, V4 p, double *J, size_t nv)
{
    typedef long long I4 __attribute__((vector_size(32)));
    typedef double U4 __attribute__((vector_size(32), aligned(8)));
    const size_t stride = (size_t)d->soa_stride;
    const V4 px = v4_splat(p[0]), py = v4_splat(p[1]), pz = v4_splat(p[2]);
    size_t t = 0;
    for (; t + 4 <= nv; t += 4) {
        const I4 keep = *(const I4 *)keep_lanes[mask[t >> 2]];
        const double *s = d->soa + t;
        const V4 w0 = v4_load(s), w1 = v4_load(s + stride), w2 = v4_load(s + 2 * stride);
        const V4 v0 = v4_fma(-py, w2, v4_fma(pz, w1, v4_load(s + 3 * stride)));
        const V4 v1 = v4_fma(-pz, w0, v4_fma(px, w2, v4_load(s + 4 * stride)));
        const V4 v2 = v4_fma(-px, w1, v4_fma(py, w0, v4_load(s + 5 * stride)));
        *(U4 *)(J + t) = (V4)((I4)w0 & keep);
        *(U4 *)(J + nv + t) = (V4)((I4)w1 & keep);
        *(U4 *)(J + 2 * nv + t) = (V4)((I4)w2 & keep);
        *(U4 *)(J + 3 * nv + t) = (V4)((I4)v0 & keep);
        *(U4 *)(J + 4 * nv + t) = (V4)((I4)v1 & keep);
        *(U4 *)(J + 5 * nv + t) = (V4)((I4)v2 & keep);
    }
    for (; t < nv; t++) {
        const double *s = d->soa + t, w0 = s[0], w1 = s[stride], w2 = s[2 * stride];
        const double x[6] = {w0,
                             w1,
                             w2,
                             fma(-p[1], w2, fma(p[2], w1, s[3 * stride])),
                             fma(-p[2], w0, fma(p[0], w2, s[4 * stride])),
                             fma(-p[0], w1, fma(p[1], w0, s[5 * stride]))};
        for (size_t r = 0; r < 6; r++)
            J[r * nv + t] = mask[t >> 2] >> (t & 3) & 1 ? x[r] : 0.0;
    }
}

/// Jacobian of one point of a body, column by column along its path to the root.
RI_INLINE void point_jacobian(const RiDyn *d, int body, V4 p, double *J, bool only_tied)
{
    const RiModel *m = d->m;
    const size_t nv = (size_t)m->nv;
    int end = m->nv;
    while (body > 0) {
        const RiNode *n = &d->node[m->bodies[body - 1].cluster];
        if (!only_tied)
            zero_columns(J, nv, n->v + n->nv, end);
        if (!only_tied || n->nbody > 1)
            put_columns(d, n, body, p, J, nv);
        end = n->v;
        if (n->region_root)
            p = p + v4_load(d->shift + 4 * n->region);
        body = n->parent;
    }
    if (!only_tied)
        zero_columns(J, nv, 0, end);
}

/// All motion columns side by side, about the first region's origin.
RI_INLINE void gather_columns(RiDyn *d)
{
    const size_t stride = (size_t)d->soa_stride;
    const V4 o = v4_load(d->origin);
    for (int c = 0; c < d->m->nc; c++) {
        const RiNode *n = &d->node[c];
        const V4 r = o - v4_load(d->origin + 4 * n->region);
        for (int k = 0; k < n->nv; k++) {
            V6 S = v6_load(SIX(d->col, n->col + k));
            if (n->region > 0)
                S = v6_shift_motion(S, r);
            double *at = d->soa + n->v + k;
            const V4 w = v6_lo(S), v = v6_hi(S);
            for (size_t i = 0; i < 3; i++) {
                at[i * stride] = w[i];
                at[(3 + i) * stride] = v[i];
            }
        }
    }
}

static void link_jacobians(RiDyn *d, double *J)
{
    const RiModel *m = d->m;
    const bool fast = d->moves != NULL;
    if (fast)
        gather_columns(d);
    for (int i = 0; i < m->nl; i++) {
        const RiLinkData *link = &m->links[i];
        double *out = J + (size_t)i * 6 * (size_t)m->nv;
        if (link->body < 0) {
            zero_columns(out, (size_t)m->nv, 0, m->nv);
            continue;
        }
        const double *P = POSE(d, link->body + 1);
        const V4 x = v4_load(P), y = v4_load(P + 4), z = v4_load(P + 8);
        const V4 p = v4_load(P + 12) + v4_combine(x, y, z, link->pose.p.x, link->pose.p.y, link->pose.p.z);
        if (fast) {
            const int region = d->node[m->bodies[link->body].cluster].region;
            const V4 r = v4_load(d->origin + 4 * region) - v4_load(d->origin);
            put_rows(d, d->moves + (size_t)link->body * d->moves_stride, p + r, out, (size_t)m->nv);
        }
        if (!fast || d->hot[link->body].tied)
            point_jacobian(d, link->body + 1, p, out, fast);
    }
}

// --- Delassus ------------------------------------------------------------------------------------

/// Wrenches of several unit forces at once, one per lane: component k of all of them.
typedef struct Wrenches {
    VL c[6];
} Wrenches;

enum { POINTS_AT_ONCE = RI_LANES / 3 };

/// Unit forces along x, y, z at up to POINTS_AT_ONCE points of one body.
RI_INLINE Wrenches unit_wrenches(const RiDyn *d, int count, const RiPoint *points)
{
    Wrenches f;
    memset(&f, 0, sizeof f);
    for (int i = 0; i < count; i++) {
        const RiVec3 o = ri_region_origin(d, d->m->links[points[i].link].body), p = ri_sub(points[i].point_W, o);
        const double moment[3][3] = {{0.0, p.z, -p.y}, {-p.z, 0.0, p.x}, {p.y, -p.x, 0.0}}; // p x e_k
        for (int k = 0; k < 3; k++) {
            for (int r = 0; r < 3; r++)
                f.c[r][3 * i + k] = moment[k][r];
            f.c[3 + k][3 * i + k] = 1.0;
        }
    }
    return f;
}

RI_INLINE VL wrenches_dot(const double *S, const Wrenches *f)
{
    VL x = S[0] * f->c[0];
    x = vl_axpy(x, S[1], f->c[1]);
    x = vl_axpy(x, S[2], f->c[2]);
    x = vl_axpy(x, S[4], f->c[3]);
    x = vl_axpy(x, S[5], f->c[4]);
    return vl_axpy(x, S[6], f->c[5]);
}

/// Takes a cluster's rows of Y from the wrenches and leaves what passes on to its parent.
RI_INLINE void project_wrenches(RiDyn *d, const RiNode *n, int body, Wrenches *f, int at, size_t stride)
{
    const double *D = d->fac + n->fac, *phi = SIX(d->col, n->col + (body - n->body) * n->nv);
    const Wrenches entry = *f;
    for (int k = 0; k < n->nv; k++) {
        VL rho = wrenches_dot(SIX(phi, k), &entry);
        for (int l = 0; l < k; l++) // forward substitution; Y holds rho sqrt(1/d)
            rho = vl_axpy(rho, -D[k * n->nv + l] / sqrt(D[l * n->nv + l]),
                          vl_load(d->Y + (size_t)(n->v + l) * stride + at));
        const double dinv = D[k * n->nv + k], *Z = SIX(d->Z, n->v + k);
        vl_store(d->Y + (size_t)(n->v + k) * stride + at, sqrt(dinv) * rho);
        const VL s = -dinv * rho;
        for (int r = 0; r < 3; r++) {
            f->c[r] = vl_axpy(f->c[r], Z[r], s);
            f->c[3 + r] = vl_axpy(f->c[3 + r], Z[4 + r], s);
        }
    }
}

RI_INLINE void shift_wrenches(Wrenches *f, const double *r)
{
    f->c[0] = vl_axpy(vl_axpy(f->c[0], r[1], f->c[5]), -r[2], f->c[4]);
    f->c[1] = vl_axpy(vl_axpy(f->c[1], r[2], f->c[3]), -r[0], f->c[5]);
    f->c[2] = vl_axpy(vl_axpy(f->c[2], r[0], f->c[4]), -r[1], f->c[3]);
}

/// Lower triangle of Y^T Y in blocks of four rows, mirrored.
RI_INLINE void multiply_Y(const RiDyn *d, int columns, size_t stride, double *W)
{
    for (int i = 0; i < columns; i += 4)
        for (int c = 0; c < i + 4 && c < columns; c += RI_LANES) {
            VL sum[4] = {{0}, {0}, {0}, {0}};
            for (int k = 0; k < d->m->nv; k++) {
                const double *Y = d->Y + (size_t)k * stride;
                const VL y = vl_load(Y + c);
                for (int r = 0; r < 4; r++)
                    sum[r] = vl_axpy(sum[r], Y[i + r], y);
            }
            for (int r = 0; r < 4 && i + r < columns; r++)
                for (int l = 0; l < RI_LANES && c + l <= i + r; l++)
                    W[(i + r) * columns + c + l] = W[(c + l) * columns + i + r] = sum[r][l];
        }
}

/// Columns of Y = d^-1/2 E^-1 J^T from column `from` on: each unit force is taken inward through
/// the articulated joints, leaving one row entry at every coordinate it passes.
RI_INLINE void fill_Y(RiDyn *d, int from, int n, const RiPoint *points, size_t stride)
{
    const RiModel *m = d->m;
    for (int i = 0; i < n;) {
        const int body = m->links[points[i].link].body;
        int count = 1;
        while (count < POINTS_AT_ONCE && i + count < n && m->links[points[i + count].link].body == body)
            count++;
        Wrenches f = unit_wrenches(d, count, points + i);
        for (int b = body + 1; b > 0;) {
            const RiNode *node = &d->node[m->bodies[b - 1].cluster];
            project_wrenches(d, node, b, &f, 3 * (from + i), stride);
            if (node->region_root)
                shift_wrenches(&f, d->shift + 4 * node->region);
            b = node->parent;
        }
        i += count;
    }
}

/// W = Y^T Y. Points that are seen from another link have the difference of two columns.
static void delassus(RiDyn *d, int n, const RiPoint *points, int seen, const RiPoint *from, const int *of, double *W)
{
    const size_t stride = 3 * (size_t)d->delassus_limit + 16, used = 3 * (size_t)(n + seen) + 8;
    for (int k = 0; k < d->m->nv; k++)
        memset(d->Y + (size_t)k * stride, 0, used * sizeof *d->Y);
    fill_Y(d, 0, n, points, stride);
    fill_Y(d, n, seen, from, stride);
    for (int k = 0; k < d->m->nv && seen > 0; k++) {
        double *Y = d->Y + (size_t)k * stride;
        for (int i = 0; i < seen; i++)
            for (int c = 0; c < 3; c++)
                Y[3 * of[i] + c] -= Y[3 * (n + i) + c];
        memset(Y + 3 * n, 0, (3 * (size_t)seen + 8) * sizeof *Y);
    }
    multiply_Y(d, 3 * n, stride, W);
}

const RiKernels CONCAT(ri_kernels_, RI_ISA) = {
#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
    .name = TEXT(RI_ISA),
    .place_root = place_root,
    .position = position,
    .velocity = velocity,
    .twice_kinetic = twice_kinetic,
    .mean_power = mean_power,
    .forward = forward,
    .inverse = inverse,
    .articulate = articulate,
    .apply_inverse = apply_inverse,
    .respond = respond,
    .mass_matrix = mass_matrix,
    .factor = factor,
    .solve = solve,
    .link_jacobians = link_jacobians,
    .delassus = delassus,
};
