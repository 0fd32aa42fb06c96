// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ordinary differential equations y' = f(t, y) to a tolerance: the reference integrator, SUNDIALS
/// CVODE behind our conventions.
///
///     RiOdeProblem (f, jacobian, roots) --(ri_ode_create)--> RiOde --(reset: t, y)--(advance: t_end)--> y(t_end), or a root
///
/// Variable order, variable step: BDF (orders 1..5) for stiff systems, Adams (1..12) for smooth
/// ones. `docs/theory/cvode.md` has the equations, what the linear solvers cost and how to choose.
/// For a multibody system y = (q, v), and f is ri_dyn_get_qdot() and ri_dyn_forward():
/// tests/sim/test_cvode.c shows it.
///
/// Threads and ownership: an RiOde belongs to the thread of its context and keeps a copy of the
/// problem, whose `user` must outlive it. Equal inputs give equal bits, for a new RiOde as for one
/// that was reset. CVODE takes memory from malloc, at create and at the first advance; create asks
/// the context's allocator for as much beforehand, so that what cannot be had is RI_ERR_MEMORY. A
/// build without CVODE answers ri_ode_create() with RI_ERR_UNSUPPORTED.
#ifndef RI_SIM_ODE_CVODE_H
#define RI_SIM_ODE_CVODE_H

#include <rille/context.h>

/// What to integrate. All functions return RI_OK, or RI_ERR_NUMERIC for "not at this state": the
/// step is tried again, smaller, and only if that does not help the integration stops; or any other
/// status: it stops at once. The message they leave in the context becomes part of the one of
/// ri_ode_advance(). A result that is not finite counts as RI_ERR_NUMERIC. Functions are called at
/// times in [start, t_end] only, but not in order, and for states that are never accepted.
typedef struct RiOdeProblem {
    int n; ///< length of y, >= 1
    RiStatus (*rhs)(void *user, double t, const double *y, double *out_ydot);
    /// J[i + j n] = df_i/dy_j; comes in zeroed. NULL: by differences, n calls of rhs. Used by
    /// RI_ODE_DENSE.
    RiStatus (*jacobian)(void *user, double t, const double *y, const double *ydot, double *out_J);
    /// J x. NULL: by a directional difference, one call of rhs. Used by RI_ODE_GMRES.
    RiStatus (*jacobian_times)(void *user, double t, const double *y, const double *ydot, const double *x,
                               double *out_Jx);
    /// For RI_ODE_GMRES, both or none: prepare() keeps what solve() needs of P, an approximation of
    /// I - gamma J at (t, y), and solve() gives P^-1 r. The closer P is, the fewer products J x;
    /// the solution does not depend on it beyond the tolerance.
    RiStatus (*prepare)(void *user, double t, const double *y, const double *ydot, double gamma);
    RiStatus (*solve)(void *user, const double *r, double *out_z);
    int root_count; ///< length of g; integration stops where one of them changes sign
    /// Any failure of this one stops the integration.
    RiStatus (*roots)(void *user, double t, const double *y, double *out_g);
    const int *root_directions; ///< per root: +1 only rising, -1 only falling, 0 both; NULL: both. Copied
    void *user;
} RiOdeProblem;

typedef enum RiOdeMethod {
    RI_ODE_BDF,  ///< stiff systems
    RI_ODE_ADAMS ///< smooth systems without fast decay; the cheaper one there, most of all at tight tolerances
} RiOdeMethod;

/// How the implicit equation of a step is solved.
typedef enum RiOdeSolver {
    RI_ODE_SOLVER_AUTO, ///< for BDF GMRES if the problem has prepare() and solve(), else dense; for Adams fixed point
    RI_ODE_DENSE,       ///< Newton with a dense factored matrix
    RI_ODE_GMRES,       ///< Newton with matrix-free GMRES, preconditioned if the problem has prepare() and solve()
    RI_ODE_FIXED_POINT  ///< no Jacobian at all; converges only if the step times the stiffness is below about 1
} RiOdeSolver;

/// The local error of each step is held below 1 in the norm sqrt(sum_i (e_i / (rtol |y_i| +
/// atol_i))^2 / n). The error of the result is what the system makes of the sum: choose tolerances
/// 10 to 100 times tighter than the answer needs.
typedef struct RiOdeOptions {
    double rtol;               ///< in [0, 1)
    double atol;               ///< >= 0, in the units of y
    const double *atol_vector; ///< n numbers instead of atol; NULL: none. Copied
    double max_step;           ///< largest step [s]; 0: no limit
    long max_steps;            ///< in one ri_ode_advance(), >= 1
    RiOdeMethod method;
    RiOdeSolver solver;
    int krylov; ///< RI_ODE_GMRES: largest dimension of the search space, >= 1
} RiOdeOptions;

/// rtol 1e-8, atol 1e-10, no step limit, 100 000 steps, BDF, automatic solver, krylov 20.
RiOdeOptions ri_ode_options_default(void);

/// What was done since create.
typedef struct RiOdeStatistics {
    long steps;
    long rhs_count;               ///< calls of rhs, those for the Jacobian included
    long jacobian_count;          ///< dense Jacobians, given or by differences
    long jacobian_products;       ///< J x of GMRES
    long prepare_count;           ///< calls of prepare
    long root_count;              ///< calls of roots
    long newton_iterations;       ///< or those of the fixed point
    long rejected_by_error;       ///< step attempts whose error was too large
    long rejected_by_convergence; ///< iterations that did not converge
    long warnings;                ///< from CVODE: steps too small to change t
    int last_order;
    double last_step; ///< [s]
} RiOdeStatistics;

typedef struct RiOde RiOde;

/// `options` may be NULL. RI_ERR_ARGUMENT names the field that is out of range; RI_ERR_UNSUPPORTED
/// without CVODE.
RI_MUST_CHECK RiStatus ri_ode_create(RiContext *ctx, const RiOdeProblem *problem, const RiOdeOptions *options,
                                     RiOde **out_ode);
void ri_ode_destroy(RiOde *ode);

/// Starts at (t, y); comes before the first advance, and after every jump of the state or of f
/// (impacts, switched motors): the history, which assumes a smooth solution, is dropped.
RI_MUST_CHECK RiStatus ri_ode_reset(RiOde *ode, double t, const double *y);

/// Integrates to `t_end` exactly, or to the first root on the way: then *out_root is its index (the
/// lowest, if several are found at once; see ri_ode_root_signs), otherwise -1. `out_y` (n numbers)
/// belongs to *out_time. out_root may be NULL if there are no roots. After a root, calling again
/// goes on through it; a root that is zero at the start counts once it has left zero.
///
/// On failure out_y stays as it was, *out_time is the time up to which the solution is good, and a
/// reset must come before the next advance. RI_ERR_LIMIT: max_steps; RI_ERR_NUMERIC: no step is
/// small enough; else the status of a function.
RI_MUST_CHECK RiStatus ri_ode_advance(RiOde *ode, double t_end, double *out_y, double *out_time, int *out_root);

/// The same for solutions that go on: steps may go past `t_end`, and the result there is
/// interpolated. So the step length does not depend on how often somebody asks. rhs is called at
/// times beyond t_end.
RI_MUST_CHECK RiStatus ri_ode_pass(RiOde *ode, double t_end, double *out_y, double *out_time, int *out_root);

/// After a root: +1 for each root that was found rising, -1 falling, 0 for the others (root_count
/// numbers).
void ri_ode_root_signs(const RiOde *ode, int *out_signs);

RiOdeStatistics ri_ode_statistics(const RiOde *ode);

#endif
