// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inside the solver for cone problems: the working copy of a problem, and the kernels that run
/// over it.
///
/// Vectors have four numbers per contact (N, T1, T2, 0) and blocks three columns of four, so that a
/// block times a reaction is three fused products. Elliptic cones are made round on the way in
/// (docs/theory/cone.md), so nothing here knows of them.
#ifndef RI_CONTACT_CONE_WORK_H
#define RI_CONTACT_CONE_WORK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <rille/cone.h>

/// What solving one contact alone needs, computed once per problem.
///
/// With r_N = -(q_N + a . r_T) / w eliminated, sliding is (S + lambda) r_T = -b, |r_T| = mu r_N; b
/// = q_T - c q_N / w.
typedef struct RiConeLocal {
    double inverse[9]; ///< of the diagonal block
    double a[2], c[2]; ///< W_NT and W_TN
    double w, w_inv;   ///< W_NN and its inverse; 0: no reaction can change the normal velocity
    double s[4];       ///< S = W_TT - c a / w
    double mu;
    double lambda; ///< speed over friction of the last solution: where the search starts
    double weight; ///< velocity per reaction of the block, at least 1: rho of the inner residual is its inverse
} RiConeLocal;

/// Storage of a full matrix: entry (k, c) of block (i, j) is at i row + j column + k line + c.
typedef struct RiConeSource {
    const double *W;
    size_t row, column, line;
    const double *across; ///< NULL: 1
    bool associated;      ///< flow of elliptic cones
} RiConeSource;

/// Rows of blocks, or where every block is there, columns: block (i, j) at j n + i, fetched from
/// the problem when contact j first carries. Contacts that never carry, most of them where there
/// are many on few motions, leave their columns unread.
typedef struct RiConeWork {
    int n, block_count;
    bool dense;           ///< every block is there
    RiConeSource source;  ///< of columns, if dense
    unsigned char *ready; ///< columns fetched, if dense
    int *start, *column;  ///< first block of each row, and columns of blocks, if not dense
    int *active;          ///< room for a list of contacts
    int *diagonal;        ///< block (i, i)
    double *block;        ///< 12 each, column-major, padded
    double *q, *r, *u;    ///< 4 each
    RiConeLocal *local;
    unsigned char *state; ///< RiConeContact by the last sweep
} RiConeWork;

/// The k-th block of row i and its column, fetched if need be; NULL behind the last.
const double *ri_cone_row_block(const RiConeWork *w, int i, int k, int *out_column);

/// Reduced Newton system: unknowns of a sticking contact are its three reactions, of a sliding one
/// its normal reaction and the turn of its friction.
typedef struct RiConeNewton {
    int m;           ///< unknowns
    int *first;      ///< of each contact; n + 1
    int *low, *high; ///< profile of each row: columns low .. high-1 may be non-zero
    int *pivot;
    double *A; ///< m rows of `stride`
    size_t stride;
    double *x;
    double (*e)[2]; ///< direction of friction of each contact
    double *turn;   ///< what sliding friction of each contact resists turning with: the speed over the friction
} RiConeNewton;

/// Problems up to so many contacts are followed along a trajectory without a working copy.
enum { RI_CONE_FOLLOW_MOST = 16 };
/// Least shift of a Newton matrix, over the largest diagonal entry of W.
#define RI_CONE_SHIFT_LEAST 1e-13

typedef struct RiConeKernels RiConeKernels;
/// Solves a small dense problem from a guess r whose contacts go on doing what they did: r, u, and
/// in `out` residual, newton and factors. False: they do not, or it is not such a problem; only t
/// has been used then.
typedef bool RiConeFollowFn(const RiConeKernels *k, RiConeNewton *t, const RiConeProblem *p, double tolerance,
                            double *r, double *u, RiConeResult *out);
RiConeFollowFn ri_cone_follow_generic, ri_cone_follow_avx2, ri_cone_follow_avx512;

struct RiConeKernels {
    const char *name;
    RiConeFollowFn *follow;
    bool (*is_finite)(const double *x, size_t count); ///< all of them
    bool (*has_zero)(const double *x, size_t count);  ///< any of them
    /// Passes over all contacts, each solved exactly with the others held. Uses u.
    void (*sweep)(RiConeWork *w, int count);
    /// u = W r + q.
    void (*velocity)(const RiConeWork *w, const double *r, double *u);
    /// The reduced matrix with `shift` on its diagonal; profile and `first` are set before.
    void (*assemble)(const RiConeWork *w, RiConeNewton *t, double shift);
    /// L U in the profile without exchanges; false at a pivot below `floor`.
    bool (*factor_profile)(RiConeNewton *t, double floor);
    void (*solve_profile)(const RiConeNewton *t, double *x);
    /// L U with exchanges of rows.
    bool (*factor)(RiConeNewton *t);
    void (*solve)(const RiConeNewton *t, double *x);
};

extern const RiConeKernels ri_cone_kernels_generic;
#if defined(__x86_64__)
extern const RiConeKernels ri_cone_kernels_avx2, ri_cone_kernels_avx512;
#endif
/// The kernels for a name, or the best for NULL; NULL if this processor has not.
const RiConeKernels *ri_cone_kernels_find(const char *name);

/// Projection of z onto {|r_T| <= mu r_N}.
static inline void ri_cone_project(double mu, const double z[3], double out[3])
{
    const double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    if (mu * t <= -z[0]) { // first: without friction and sliding the other one holds as well
        out[0] = out[1] = out[2] = 0.0;
    } else if (t <= mu * z[0]) {
        out[0] = z[0], out[1] = z[1], out[2] = z[2];
    } else {
        const double along = (z[0] + mu * t) / (1.0 + mu * mu); // t > 0: the case t = 0 is one of the two above
        const double s = mu * along / t;
        out[0] = along, out[1] = s * z[1], out[2] = s * z[2];
    }
}

/// Square of the natural map of one contact with a round cone, |r - P(r - rho (u + De Saxce))|^2.
///
/// With z = r - rho y the map is rho y + (z - P(z)), and z - P(z) is 0 inside the cone: y is not
/// lost in a reaction that is 10^16 times as large.
static inline double ri_cone_map(double mu, double rho, const double r[3], const double u[3])
{
    const double y[3] = {rho * (u[0] + mu * sqrt(u[1] * u[1] + u[2] * u[2])), rho * u[1], rho * u[2]};
    const double z[3] = {r[0] - y[0], r[1] - y[1], r[2] - y[2]}, t = sqrt(z[1] * z[1] + z[2] * z[2]);
    if (mu * t <= -z[0]) // first: without friction and sliding the other one holds as well
        return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const double out = fmax(0.0, t - mu * z[0]) / (1.0 + mu * mu), side = t > 0.0 ? out / t : 0.0;
    const double F[3] = {y[0] - mu * out, y[1] + side * z[1], y[2] + side * z[2]};
    return F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
}

#endif
