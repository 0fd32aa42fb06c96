// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact Coulomb friction: the discrete contact problem, one residual that judges every solver, and
/// our solver.
///
///     W, q, mu (one step of a time stepping scheme, or a file) --> RiConeProblem --(ri_cone_solve)--> r, u = W r + q
///                                                                                --(ri_cone_residual)--> how true that is
///
/// For n contacts, each with rows (normal, first tangent, second tangent), find reactions r and
/// velocities u with
///
///     u = W r + q,      K* contains  (u_N + mu |u_T|, u_T)  _|_  r  in  K = {r : |r_T| <= mu r_N}        per contact,
///
/// which is Coulomb's law with unilateral contact: a contact opens (r = 0, u_N >= 0), sticks (u =
/// 0, r in K) or slides (u_N = 0, |r_T| = mu r_N against u_T). mu |u_T| is the correction of De
/// Saxce. Units are the caller's: impulses [N s] with velocities [m/s], or forces with
/// accelerations.
///
/// Where a contact has an `across` factor E, its cone is elliptic: |(r_T1, r_T2 / E)| <= mu r_N,
/// with the first tangent along the thread and the second across it. Two flow rules say where it
/// slides to:
///
///     RI_CONE_OPPOSED      r_T = -mu r_N A u_T / |u_T|,      A = diag(1, E)    the direction rule of EELS, as in RI_LAW_SCREW
///     RI_CONE_ASSOCIATED   r_T = -mu r_N A^2 u_T / |A u_T|                     u_T normal to the ellipse: the largest dissipation
///
/// They agree on the axes of the ellipse and for E = 1. Equations: docs/theory/cone.md.
///
/// Threads and ownership: a problem is borrowed pointers; a solver belongs to one thread, is
/// created once and allocates nothing afterwards.
#ifndef RILLE_CONE_H
#define RILLE_CONE_H

#include <stdbool.h>
#include <stddef.h>

#include <rille/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RiConeFlow { RI_CONE_OPPOSED, RI_CONE_ASSOCIATED } RiConeFlow;

/// The problem. W is dense (`W`) or by rows of 3x3 blocks (`row`, `column`, `block`); it need not
/// be symmetric nor regular.
typedef struct RiConeProblem {
    int n;                ///< contacts
    const double *W;      ///< 3n x 3n, row-major; NULL: blocks
    const int *row;       ///< n + 1: blocks of contact i are row[i] .. row[i+1]-1
    const int *column;    ///< of each block, ascending within a row
    const double *block;  ///< 9 numbers each, row-major
    const double *q;      ///< 3n
    const double *mu;     ///< n, >= 0
    const double *across; ///< n, > 0: E of the elliptic cone; NULL: 1
    RiConeFlow flow;      ///< of elliptic cones
} RiConeProblem;

/// The 3x3 block of contacts i and j, row-major; zero where none is stored.
void ri_cone_block(const RiConeProblem *problem, int i, int j, double out_block[9]);
/// Checks sizes, order of columns, finite numbers, friction >= 0 and factors > 0; the message names
/// the first offender.
RI_MUST_CHECK RiStatus ri_cone_check(RiContext *ctx, const RiConeProblem *problem);

/// u = W r + q.
void ri_cone_velocity(const RiConeProblem *problem, const double *r, double *out_u);
/// The natural map's residual, the judge of every solver:
///
///     | r - P_K(r - (u_N + mu |u_T|, u_T)) |  /  |q|        with u = W r + q; not divided where q is zero
///
/// out_u (3n) receives u. An elliptic contact is measured in the coordinates in which its cone is
/// round: r_T2 / E, and for the associated flow rule E u_T2.
double ri_cone_residual(const RiConeProblem *problem, const double *r, double *out_u);

typedef enum RiConeContact { RI_CONE_OPEN, RI_CONE_STICK, RI_CONE_SLIDE } RiConeContact;
/// What a contact with reaction r and velocity u does; tangential speeds up to `speed` count as
/// none.
RiConeContact ri_cone_contact(const double r[3], const double u[3], double speed);
/// "open", "stick" or "slide"; never NULL.
const char *ri_cone_contact_name(RiConeContact contact);

/// How a solution ended.
typedef enum RiConeEnd {
    RI_CONE_SOLVED,       ///< residual within tolerance
    RI_CONE_LIMIT,        ///< iterations used up; r is the best found
    RI_CONE_STALLED,      ///< no further progress although iterations were left; r is the best found
    RI_CONE_INCONSISTENT, ///< there is no solution: some reaction in the cone pushes nowhere and is still asked for
    RI_CONE_BAD_INPUT,    ///< NaN, infinity, negative friction, or more contacts than the solver was created for
    RI_CONE_END_COUNT
} RiConeEnd;
/// The end in words; never NULL.
const char *ri_cone_end_name(RiConeEnd end);

typedef struct RiConeOptions {
    double tolerance;   ///< of ri_cone_residual
    int max_iterations; ///< sweeps and Newton steps together
    bool warm;          ///< r is a first guess, and what the solver kept of its last problem may be of use
} RiConeOptions;
/// 1e-10, 20000 iterations, cold.
RiConeOptions ri_cone_options_default(void);

typedef struct RiConeResult {
    RiConeEnd end;
    double residual;        ///< by ri_cone_residual
    int iterations;         ///< sweeps and Newton steps
    int sweeps;             ///< of the block Gauss-Seidel method
    int newton;             ///< Newton steps
    int factors;            ///< matrices factored
    int interior;           ///< steps of the interior point method
    int splitting;          ///< passes of the alternating direction method
    int products;           ///< of W with a vector, in systems solved without a matrix
    int proximal;           ///< times the regularised problem was needed
    int open, stick, slide; ///< contacts
    char reason[96];        ///< for people, "" if solved
} RiConeResult;

typedef struct RiConeSolver RiConeSolver;
/// A solver for up to `max_contacts` contacts with up to `max_blocks` blocks (0: all of them).
RI_MUST_CHECK RiStatus ri_cone_solver_create(RiContext *ctx, int max_contacts, int max_blocks,
                                             RiConeSolver **out_solver);
/// Destroys it; NULL does nothing.
void ri_cone_solver_destroy(RiConeSolver *solver);
/// Forgets the last problem: a warm start then depends on r alone, so that equal states give equal
/// bits whatever was solved before.
void ri_cone_solver_forget(RiConeSolver *solver);
/// Bytes it holds.
size_t ri_cone_solver_bytes(const RiConeSolver *solver);

/// Solves. r (3n) is the first guess if options->warm; it and u (3n) receive the solution, or the
/// best point found. Never fails: the result says whether it converged.
void ri_cone_solve(RiConeSolver *solver, const RiConeProblem *problem, const RiConeOptions *options, double *r,
                   double *out_u, RiConeResult *out_result);

/// Chooses the kernels by name ("generic", "avx2", "avx512"); NULL: the best this processor has.
/// All give the same bits. False if it has not.
bool ri_cone_solver_set_kernels(RiConeSolver *solver, const char *name);

#ifdef __cplusplus
}
#endif
#endif
