// SPDX-License-Identifier: Apache-2.0
/// \file
/// Newton's method for systems of equations, shared by loop closures, stances and arms.
///
/// The unknowns may live on a manifold (quaternions): the solver never sees them. It asks for
/// residuals and their Jacobian at a point that the caller keeps, and tells the caller to move it.
/// Steps are least-squares solutions by pivoted QR (redundant equations do no harm), or by LU where
/// the system is square and speed counts. Steps that do not make the sum of squares smaller are
/// halved; or, with `damping`, steps solve (J^T J + lambda) dx = -J^T f with a lambda that grows
/// until they do (Levenberg-Marquardt [nocedal2006]), which goes on where J loses rank. A caller
/// holds unknowns at bounds by leaving their columns zero and by cutting moves. Test:
/// tests/math/test_newton.c.
#ifndef RI_MATH_NEWTON_H
#define RI_MATH_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct RiNewtonProblem {
    int rows, unknowns;
    void *user;
    /// Residuals [rows] and Jacobian [rows x unknowns], row-major, at the point. False: there are
    /// none here, as good as a large residual.
    bool (*evaluate)(void *user, double *out_f, double *out_J);
    /// Remembers the point.
    void (*keep)(void *user);
    /// The point becomes the remembered one moved by scale times step [unknowns]; scale 0: the
    /// remembered one itself.
    void (*move)(void *user, const double *step, double scale);
} RiNewtonProblem;

typedef struct RiNewtonOptions {
    double enough;    ///< largest residual at which it stops
    double tolerance; ///< largest residual that is a solution; below it a step that gains nothing ends the search
    double rank;      ///< relative size below which a pivot counts as zero
    double longest;   ///< longest component of a step, longer ones are shortened as a whole; 0: any
    int iterations;
    int halvings;   ///< of a step that gains nothing; 0: every step is taken
    double damping; ///< lambda of the first step; 0: steps are not damped
    bool lu;        ///< square systems by LU; a singular one falls back to QR
} RiNewtonOptions;

typedef struct RiNewtonResult {
    bool solved;
    int iterations;
    double residual; ///< largest
    int worst;       ///< its row
} RiNewtonResult;

/// Working memory, laid out by the caller in one block of ri_newton_size() bytes, 64-byte aligned.
typedef struct RiNewtonWork {
    double *f, *J, *A, *H, *rhs, *step, *beta;
    int *pivot;
} RiNewtonWork;
size_t ri_newton_size(int rows, int unknowns);
RiNewtonWork ri_newton_layout(void *block, int rows, int unknowns);

/// From the point where the caller is. The point it ends at is the best one; f of `w` holds the
/// residuals there, J the Jacobian.
RiNewtonResult ri_newton_solve(const RiNewtonProblem *p, const RiNewtonOptions *o, const RiNewtonWork *w);

#endif
