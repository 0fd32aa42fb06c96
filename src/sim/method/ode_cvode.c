// SPDX-License-Identifier: Apache-2.0
/// \file
/// SUNDIALS CVODE [hindmarsh2005] behind RiOde: our status and messages instead of its codes and
/// prints, our Jacobian by differences (difference_jacobian), and times that end exactly where
/// asked.
///
/// Invariants: y holds the state at `time` between calls; CVODE's own time may be ahead of it after
/// a root (the last step went past it, y is interpolated), never behind. `ready` is false whenever
/// the history is not a solution to go on from.
#include "sim/method/ode_cvode.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

RiOdeOptions ri_ode_options_default(void)
{
    return (RiOdeOptions){.rtol = 1e-8, .atol = 1e-10, .max_steps = 100000, .method = RI_ODE_BDF, .krylov = 20};
}

#ifdef RILLE_HAVE_CVODE

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

_Static_assert(sizeof(realtype) == sizeof(double), "SUNDIALS in double precision");

enum {
    RI_ODE_TEXT = 512,
    RI_ODE_STANDSTILLS = 10 // steps too small to change t, in one advance, after which it is given up
};

/// The last failure of a function of the problem.
typedef struct Complaint {
    RiStatus status; ///< RI_OK: there was none
    const char *who;
    double time;
    char text[RI_ODE_TEXT];
} Complaint;

struct RiOde {
    RiContext *ctx;
    RiOdeProblem problem;
    SUNContext sun;
    void *cvode;
    N_Vector y;
    SUNMatrix matrix;               // dense
    SUNLinearSolver linear;         // dense and GMRES
    SUNNonlinearSolver fixed_point; // fixed point
    int *signs;                     // per root, see ri_ode_root_signs
    double time;
    bool ready;
    bool stopped;         // this advance is lost, whatever CVODE still tries
    int standstills;      // in this advance
    RiOdeStatistics past; // until the last reset, and what CVODE does not count
    Complaint complaint;
    char cvode_text[RI_ODE_TEXT]; // what CVODE said last
};

// --- functions of the problem --------------------------------------------------------------------

/// Remembers a failure and says in CVODE's terms what to do: 1 tries a smaller step, -1 stops.
static int complain(RiOde *ode, RiStatus status, const char *who, double t, const char *text)
{
    Complaint *c = &ode->complaint;
    c->status = status;
    c->who = who;
    c->time = t;
    snprintf(c->text, sizeof c->text, "%s", *text ? text : ri_status_text(status));
    ode->stopped = ode->stopped || status != RI_ERR_NUMERIC;
    return ode->stopped ? -1 : 1;
}

/// What a function returned and computed, in CVODE's terms: 0 is good.
static int judge(RiOde *ode, RiStatus status, const char *who, double t, const double *result, int count)
{
    if (status != RI_OK)
        return complain(ode, status, who, t, ri_context_message(ode->ctx));
    for (int i = 0; i < count; i++)
        if (!isfinite(result[i])) {
            char text[64];
            snprintf(text, sizeof text, "entry %d of the result is %g", i, result[i]);
            return complain(ode, RI_ERR_NUMERIC, who, t, text);
        }
    return 0;
}

/// CVODE's fixed-point iteration takes -1 for a reason to try a smaller step: `stopped` makes sure
/// that it gets nowhere.
static int rhs(realtype t, N_Vector y, N_Vector ydot, void *user)
{
    RiOde *ode = user;
    if (ode->stopped)
        return -1;
    double *result = N_VGetArrayPointer(ydot);
    ode->past.rhs_count++;
    const RiStatus status = ode->problem.rhs(ode->problem.user, t, N_VGetArrayPointer(y), result);
    return judge(ode, status, "the right-hand side", t, result, ode->problem.n);
}

static int roots(realtype t, N_Vector y, realtype *g, void *user)
{
    RiOde *ode = user;
    ode->past.root_count++;
    const RiStatus status = ode->problem.roots(ode->problem.user, t, N_VGetArrayPointer(y), g);
    return judge(ode, status, "the root function", t, g, ode->problem.root_count);
}

static int jacobian_times(N_Vector x, N_Vector Jx, realtype t, N_Vector y, N_Vector ydot, void *user, N_Vector work)
{
    (void)work;
    RiOde *ode = user;
    double *result = N_VGetArrayPointer(Jx);
    const RiStatus status = ode->problem.jacobian_times(ode->problem.user, t, N_VGetArrayPointer(y),
                                                        N_VGetArrayPointer(ydot), N_VGetArrayPointer(x), result);
    return judge(ode, status, "the Jacobian product", t, result, ode->problem.n);
}

static int prepare(realtype t, N_Vector y, N_Vector ydot, booleantype current, booleantype *out_current, realtype gamma,
                   void *user)
{
    (void)current;
    RiOde *ode = user;
    ode->past.prepare_count++;
    *out_current = SUNTRUE;
    const RiStatus status =
        ode->problem.prepare(ode->problem.user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), gamma);
    return judge(ode, status, "the preconditioner", t, NULL, 0);
}

static int solve(realtype t, N_Vector y, N_Vector ydot, N_Vector r, N_Vector z, realtype gamma, realtype delta,
                 int side, void *user)
{
    (void)y, (void)ydot, (void)gamma, (void)delta, (void)side;
    RiOde *ode = user;
    double *result = N_VGetArrayPointer(z);
    const RiStatus status = ode->problem.solve(ode->problem.user, N_VGetArrayPointer(r), result);
    return judge(ode, status, "the preconditioner", t, result, ode->problem.n);
}

/// One column of the Jacobian: (f(y + d e_j) - f(y)) / d, with -d if f cannot be had at +d.
/// `column` is overwritten.
static int difference_column(RiOde *ode, double t, N_Vector y, const double *ydot, int j, double d, N_Vector column)
{
    double *state = N_VGetArrayPointer(y), *out = N_VGetArrayPointer(column);
    const double y_j = state[j];
    int result = 1;
    for (int attempt = 0; attempt < 2 && result > 0; attempt++, d = -d) {
        state[j] = y_j + d;
        const double taken = state[j] - y_j; // what was really added
        result = rhs(t, y, column, ode);
        state[j] = y_j;
        for (int i = 0; i < ode->problem.n && result == 0; i++)
            out[i] = (out[i] - ydot[i]) / taken;
    }
    return result;
}

/// Dense Jacobian by forward differences, n calls of rhs. Increments:
///
///     d_j = max(sqrt(eps) |y_j|, 1000 n eps |gamma| ||f||_w / w_j)                                      [hindmarsh2005]
///
/// with the error weights w_j = 1 / (rtol |y_j| + atol_j) and their norm. The first term balances
/// truncation and rounding. The second, for y_j near zero, keeps rounding noise of f in the Newton
/// matrix I - gamma J below 1/1000 in the weighted norm.
static int difference_jacobian(RiOde *ode, double t, N_Vector y, N_Vector ydot, SUNMatrix J, N_Vector weights,
                               N_Vector column)
{
    const int n = ode->problem.n;
    double gamma = 0.0;
    CVodeGetCurrentGamma(ode->cvode, &gamma);
    CVodeGetErrWeights(ode->cvode, weights);
    const double noise = 1000.0 * n * DBL_EPSILON * fabs(gamma) * N_VWrmsNorm(ydot, weights);
    const double least = noise > 0.0 ? noise : 1.0;
    const double *w = N_VGetArrayPointer(weights), *state = N_VGetArrayPointer(y);
    double *own = N_VGetArrayPointer(column);
    int result = 0;
    for (int j = 0; j < n && result == 0; j++) {
        const double d = fmax(sqrt(DBL_EPSILON) * fabs(state[j]), least / w[j]);
        N_VSetArrayPointer(SUNDenseMatrix_Column(J, j), column);
        result = difference_column(ode, t, y, N_VGetArrayPointer(ydot), j, d, column);
    }
    N_VSetArrayPointer(own, column);
    return result;
}

static int jacobian(realtype t, N_Vector y, N_Vector ydot, SUNMatrix J, void *user, N_Vector work1, N_Vector work2,
                    N_Vector work3)
{
    (void)work3;
    RiOde *ode = user;
    const int n = ode->problem.n;
    ode->past.jacobian_count++;
    if (!ode->problem.jacobian)
        return difference_jacobian(ode, t, y, ydot, J, work1, work2);
    double *out = SUNDenseMatrix_Data(J);
    const RiStatus status =
        ode->problem.jacobian(ode->problem.user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), out);
    int result = judge(ode, status, "the Jacobian", t, out, 0);
    for (int j = 0; j < n && result == 0; j++)
        result = judge(ode, RI_OK, "the Jacobian", t, out + (size_t)j * (size_t)n, n);
    return result;
}

/// Takes what CVODE would print.
static void hear(int code, const char *module, const char *function, char *text, void *user)
{
    (void)module, (void)function;
    RiOde *ode = user;
    if (code == CV_WARNING) { // the only one left on: t + h = t
        ode->past.warnings++;
        ode->stopped = ode->stopped || ++ode->standstills == RI_ODE_STANDSTILLS;
    } else
        snprintf(ode->cvode_text, sizeof ode->cvode_text, "%s", text);
}

// --- life cycle ----------------------------------------------------------------------------------

static RiStatus check_problem(RiContext *ctx, const RiOdeProblem *p)
{
    if (p->n < 1)
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: n = %d, at least 1 is allowed", p->n);
    if (!p->rhs)
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: rhs is NULL, a function is needed");
    if (!p->prepare != !p->solve)
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: prepare and solve come together: %s is NULL",
                        p->prepare ? "solve" : "prepare");
    if (p->root_count < 0 || (p->root_count > 0 && !p->roots))
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: root_count = %d %s", p->root_count,
                        p->root_count < 0 ? "is negative" : "but roots is NULL");
    return RI_OK;
}

static RiStatus check_options(RiContext *ctx, const RiOdeOptions *o, int n)
{
    if (!(o->rtol >= 0.0 && o->rtol < 1.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: rtol = %g, allowed is 0 <= rtol < 1", o->rtol);
    for (int i = 0; i < (o->atol_vector ? n : 1); i++) {
        const double a = o->atol_vector ? o->atol_vector[i] : o->atol;
        if (!(a >= 0.0 && isfinite(a)) || a + o->rtol == 0.0)
            return ri_error(ctx, RI_ERR_ARGUMENT,
                            "ODE: atol%s %d = %g, allowed is a finite number >= 0, above 0 if rtol = 0",
                            o->atol_vector ? "_vector, entry" : ", entry", i, a);
    }
    if (!(o->max_step >= 0.0))
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: max_step = %g s, allowed is 0 (no limit) or more", o->max_step);
    if (o->max_steps < 1)
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: max_steps = %ld, at least 1 is allowed", o->max_steps);
    if (o->krylov < 1)
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: krylov = %d, at least 1 is allowed", o->krylov);
    if ((unsigned)o->method > RI_ODE_ADAMS || (unsigned)o->solver > RI_ODE_FIXED_POINT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "ODE: method %d or solver %d does not exist", (int)o->method,
                        (int)o->solver);
    return RI_OK;
}

/// The status of a call of CVODE while creating or resetting. Arguments are checked before, so what
/// is left is memory.
static RiStatus called(RiOde *ode, int flag)
{
    if (flag >= 0)
        return RI_OK;
    if (flag == CV_MEM_FAIL || flag == CVLS_MEM_FAIL || flag == CVLS_SUNLS_FAIL)
        return ri_error_memory(ode->ctx);
    return ri_error(ode->ctx, RI_ERR_ARGUMENT, "ODE: %s", ode->cvode_text);
}

static RiStatus set_tolerances(RiOde *ode, const RiOdeOptions *o)
{
    if (!o->atol_vector)
        return called(ode, CVodeSStolerances(ode->cvode, o->rtol, o->atol));
    memcpy(N_VGetArrayPointer(ode->y), o->atol_vector, (size_t)ode->problem.n * sizeof *o->atol_vector);
    const RiStatus status = called(ode, CVodeSVtolerances(ode->cvode, o->rtol, ode->y)); // copies
    N_VConst(0.0, ode->y);
    return status;
}

static RiOdeSolver chosen_solver(const RiOde *ode, const RiOdeOptions *o)
{
    if (o->solver != RI_ODE_SOLVER_AUTO)
        return o->solver;
    if (o->method == RI_ODE_ADAMS)
        return RI_ODE_FIXED_POINT;
    return ode->problem.prepare ? RI_ODE_GMRES : RI_ODE_DENSE;
}

static RiStatus set_fixed_point(RiOde *ode)
{
    ode->fixed_point = SUNNonlinSol_FixedPoint(ode->y, 0, ode->sun);
    return ode->fixed_point ? called(ode, CVodeSetNonlinearSolver(ode->cvode, ode->fixed_point))
                            : ri_error_memory(ode->ctx);
}

static RiStatus set_dense(RiOde *ode)
{
    const int n = ode->problem.n;
    ode->matrix = SUNDenseMatrix(n, n, ode->sun);
    ode->linear = ode->matrix ? SUNLinSol_Dense(ode->y, ode->matrix, ode->sun) : NULL;
    if (!ode->linear)
        return ri_error_memory(ode->ctx);
    RI_TRY(called(ode, CVodeSetLinearSolver(ode->cvode, ode->linear, ode->matrix)));
    return called(ode, CVodeSetJacFn(ode->cvode, jacobian));
}

static RiStatus set_gmres(RiOde *ode, const RiOdeOptions *o)
{
    const int n = ode->problem.n, side = ode->problem.prepare ? SUN_PREC_LEFT : SUN_PREC_NONE;
    ode->linear = SUNLinSol_SPGMR(ode->y, side, o->krylov < n ? o->krylov : n, ode->sun);
    if (!ode->linear)
        return ri_error_memory(ode->ctx);
    RI_TRY(called(ode, CVodeSetLinearSolver(ode->cvode, ode->linear, ode->matrix)));
    if (ode->problem.prepare)
        RI_TRY(called(ode, CVodeSetPreconditioner(ode->cvode, prepare, solve)));
    if (ode->problem.jacobian_times)
        return called(ode, CVodeSetJacTimes(ode->cvode, NULL, jacobian_times));
    return RI_OK;
}

static RiStatus set_solver(RiOde *ode, const RiOdeOptions *o)
{
    switch (chosen_solver(ode, o)) {
    case RI_ODE_FIXED_POINT:
        return set_fixed_point(ode);
    case RI_ODE_DENSE:
        return set_dense(ode);
    case RI_ODE_GMRES:
    case RI_ODE_SOLVER_AUTO: // chosen_solver has made its choice
        break;
    }
    return set_gmres(ode, o);
}

static RiStatus set_roots(RiOde *ode)
{
    const int count = ode->problem.root_count;
    const int *directions = ode->problem.root_directions;
    ode->problem.root_directions = NULL; // CVODE has its own copy
    if (count == 0)
        return RI_OK;
    ode->signs = ri_alloc_zero(ode->ctx, (size_t)count, sizeof *ode->signs);
    if (!ode->signs)
        return ri_error_memory(ode->ctx);
    RI_TRY(called(ode, CVodeRootInit(ode->cvode, count, roots)));
    if (directions) {
        memcpy(ode->signs, directions, (size_t)count * sizeof *directions);
        CVodeSetRootDirection(ode->cvode, ode->signs);
        memset(ode->signs, 0, (size_t)count * sizeof *ode->signs);
    }
    CVodeSetNoInactiveRootWarn(ode->cvode);
    return RI_OK;
}

/// CVODE takes its memory from malloc and does not survive its failure (version 6.4: N_VClone
/// writes through NULL). So as much as it can take is asked for beforehand, and given back for it
/// to have.
static RiStatus reserve(RiOde *ode, const RiOdeOptions *o)
{
    enum { FIXED = 65536, VECTORS = 48, HEAD = 1024 }; // its own records; vectors at order 12; head of a vector
    const size_t n = (size_t)ode->problem.n, krylov = chosen_solver(ode, o) == RI_ODE_GMRES ? (size_t)o->krylov : 0;
    const size_t matrices = n > SIZE_MAX / 32 / n ? SIZE_MAX : 2 * n * n * sizeof(double);
    void *vectors = ri_alloc(ode->ctx, VECTORS + 2 * krylov, HEAD + n * sizeof(double));
    void *rest = ri_alloc(ode->ctx, 1, FIXED);
    void *dense = ri_alloc(ode->ctx, 1, chosen_solver(ode, o) == RI_ODE_DENSE ? matrices : 0);
    const bool enough = vectors && rest && dense;
    ri_release(ode->ctx, vectors);
    ri_release(ode->ctx, rest);
    ri_release(ode->ctx, dense);
    return enough ? RI_OK : ri_error_memory(ode->ctx);
}

static RiStatus set_up(RiOde *ode, const RiOdeOptions *o)
{
    RI_TRY(reserve(ode, o));
    if (SUNContext_Create(NULL, &ode->sun) != 0)
        return ri_error_memory(ode->ctx);
    ode->y = N_VNew_Serial(ode->problem.n, ode->sun);
    if (!ode->y)
        return ri_error_memory(ode->ctx);
    N_VConst(0.0, ode->y);
    ode->cvode = CVodeCreate(o->method == RI_ODE_BDF ? CV_BDF : CV_ADAMS, ode->sun);
    if (!ode->cvode)
        return ri_error_memory(ode->ctx);
    RI_TRY(called(ode, CVodeSetErrHandlerFn(ode->cvode, hear, ode))); // first: what fails later is heard, not printed
    RI_TRY(called(ode, CVodeInit(ode->cvode, rhs, 0.0, ode->y)));
    RI_TRY(called(ode, CVodeSetUserData(ode->cvode, ode)));
    RI_TRY(called(ode, CVodeSetMaxNumSteps(ode->cvode, o->max_steps)));
    RI_TRY(called(ode, CVodeSetMaxStep(ode->cvode, isinf(o->max_step) ? 0.0 : o->max_step)));
    RI_TRY(set_tolerances(ode, o));
    RI_TRY(set_solver(ode, o));
    return set_roots(ode);
}

RiStatus ri_ode_create(RiContext *ctx, const RiOdeProblem *problem, const RiOdeOptions *options, RiOde **out_ode)
{
    *out_ode = NULL;
    const RiOdeOptions used = options ? *options : ri_ode_options_default();
    RI_TRY(check_problem(ctx, problem));
    RI_TRY(check_options(ctx, &used, problem->n));
    RiOde *ode = ri_alloc_zero(ctx, 1, sizeof *ode);
    if (!ode)
        return ri_error_memory(ctx);
    ode->ctx = ctx;
    ode->problem = *problem;
    const RiStatus status = set_up(ode, &used);
    if (status != RI_OK) {
        ri_ode_destroy(ode);
        return status;
    }
    *out_ode = ode;
    return RI_OK;
}

void ri_ode_destroy(RiOde *ode)
{
    if (!ode)
        return;
    if (ode->cvode)
        CVodeFree(&ode->cvode);
    if (ode->linear)
        SUNLinSolFree(ode->linear);
    if (ode->fixed_point)
        SUNNonlinSolFree(ode->fixed_point);
    if (ode->matrix)
        SUNMatDestroy(ode->matrix);
    if (ode->y)
        N_VDestroy(ode->y);
    if (ode->sun)
        SUNContext_Free(&ode->sun);
    ri_release(ode->ctx, ode->signs);
    ri_release(ode->ctx, ode);
}

// --- integrating ---------------------------------------------------------------------------------

/// Drops the history, and with it CVODE's counts: they go into ours.
static int restart(RiOde *ode, double t)
{
    ode->past = ri_ode_statistics(ode);
    return CVodeReInit(ode->cvode, t, ode->y);
}

RiStatus ri_ode_reset(RiOde *ode, double t, const double *y)
{
    ode->ready = false;
    if (!isfinite(t))
        return ri_error(ode->ctx, RI_ERR_ARGUMENT, "ODE: start time %g s, a finite one is needed", t);
    for (int i = 0; i < ode->problem.n; i++)
        if (!isfinite(y[i]))
            return ri_error(ode->ctx, RI_ERR_ARGUMENT, "ODE: entry %d of y is %g at t = %.9g s", i, y[i], t);
    memcpy(N_VGetArrayPointer(ode->y), y, (size_t)ode->problem.n * sizeof *y);
    RI_TRY(called(ode, restart(ode, t)));
    ode->time = t;
    ode->ready = true;
    return RI_OK;
}

/// A failed advance, in words: where it stopped, and what a function of the problem said about this
/// step or else CVODE.
static RiStatus explain(RiOde *ode, int flag, double t_end, double reached)
{
    const Complaint *c = &ode->complaint;
    if (flag == CV_MEM_FAIL)
        return ri_error_memory(ode->ctx);
    if (c->status != RI_OK && c->time >= reached)
        return ri_error(ode->ctx, c->status, "ODE: stopped at t = %.9g s: %s failed at t = %.9g s: %s", reached, c->who,
                        c->time, c->text);
    if (ode->standstills >= RI_ODE_STANDSTILLS)
        return ri_error(ode->ctx, RI_ERR_NUMERIC,
                        "ODE: stopped at t = %.9g s on the way to %.9g s: the steps no longer change t", reached,
                        t_end);
    if (flag == CV_TOO_MUCH_WORK)
        return ri_error(ode->ctx, RI_ERR_LIMIT,
                        "ODE: max_steps reached at t = %.9g s on the way to %.9g s: allow more, or looser tolerances",
                        reached, t_end);
    return ri_error(ode->ctx, RI_ERR_NUMERIC, "ODE: stopped at t = %.9g s on the way to %.9g s: %s", reached, t_end,
                    ode->cvode_text);
}

static RiStatus fail(RiOde *ode, int flag, double t_end, double *out_time)
{
    double reached = ode->time;
    CVodeGetCurrentTime(ode->cvode, &reached);
    ode->ready = false;
    *out_time = reached;
    return explain(ode, flag, t_end, reached);
}

/// An interval of one or two units in the last place, which CVODE refuses to start with (left over,
/// say, by a root just before t_end): one Euler step, exact to rounding.
static int tiny_step(RiOde *ode, double t_end)
{
    N_Vector ydot = N_VClone(ode->y);
    if (!ydot)
        return CV_MEM_FAIL;
    int flag = rhs(ode->time, ode->y, ydot, ode) == 0 ? CV_SUCCESS : CV_RHSFUNC_FAIL;
    if (flag == CV_SUCCESS) {
        N_VLinearSum(1.0, ode->y, t_end - ode->time, ydot, ode->y);
        flag = restart(ode, t_end);
    }
    N_VDestroy(ydot);
    return flag;
}

/// CVODE takes rates whose weighted norm is no number for small ones, and says that it arrived
/// without having gone.
static int check_arrival(RiOde *ode, double time)
{
    double ahead = ode->time;
    CVodeGetCurrentTime(ode->cvode, &ahead);
    if (ahead >= time)
        return CV_SUCCESS;
    snprintf(ode->cvode_text, sizeof ode->cvode_text, "the rates are too large to begin a step with");
    return CV_FIRST_RHSFUNC_ERR;
}

/// Goes on to t_end or a root; `exactly`: without a step beyond t_end.
static int run(RiOde *ode, double t_end, bool exactly, double *out_time)
{
    double ahead = ode->time;
    CVodeGetCurrentTime(ode->cvode, &ahead);
    if (exactly && t_end > ahead) { // otherwise the step that found the last root covers t_end
        const int flag = CVodeSetStopTime(ode->cvode, t_end);
        if (flag < 0)
            return flag;
    }
    const int flag = CVode(ode->cvode, t_end, ode->y, out_time, CV_NORMAL);
    if (flag >= 0 && check_arrival(ode, *out_time) != CV_SUCCESS)
        return CV_FIRST_RHSFUNC_ERR;
    if (flag != CV_TOO_CLOSE)
        return flag;
    *out_time = t_end;
    return tiny_step(ode, t_end);
}

static RiStatus advance(RiOde *ode, double t_end, bool exactly, double *out_y, double *out_time, int *out_root)
{
    *out_time = ode->time;
    if (out_root)
        *out_root = -1;
    if (!ode->ready)
        return ri_error(ode->ctx, RI_ERR_ARGUMENT, "ODE: no state to start from: ri_ode_reset() comes first");
    if (!isfinite(t_end) || t_end < ode->time)
        return ri_error(ode->ctx, RI_ERR_ARGUMENT, "ODE: t_end = %.17g s, allowed is a time from %.17g s on", t_end,
                        ode->time);
    if (t_end > ode->time) {
        ode->complaint.status = RI_OK;
        ode->stopped = false;
        ode->standstills = 0;
        ode->cvode_text[0] = '\0';
        ri_context_clear(ode->ctx);
        double t = t_end;
        const int flag = run(ode, t_end, exactly, &t);
        if (flag < 0)
            return fail(ode, flag, t_end, out_time);
        ode->time = *out_time = t;
        if (ode->signs)
            memset(ode->signs, 0, (size_t)ode->problem.root_count * sizeof *ode->signs);
        if (flag == CV_ROOT_RETURN)
            CVodeGetRootInfo(ode->cvode, ode->signs);
        for (int i = ode->problem.root_count - 1; i >= 0 && out_root; i--)
            *out_root = ode->signs[i] ? i : *out_root;
    }
    memcpy(out_y, N_VGetArrayPointer(ode->y), (size_t)ode->problem.n * sizeof *out_y);
    return RI_OK;
}

RiStatus ri_ode_advance(RiOde *ode, double t_end, double *out_y, double *out_time, int *out_root)
{
    return advance(ode, t_end, true, out_y, out_time, out_root);
}

RiStatus ri_ode_pass(RiOde *ode, double t_end, double *out_y, double *out_time, int *out_root)
{
    return advance(ode, t_end, false, out_y, out_time, out_root);
}

void ri_ode_root_signs(const RiOde *ode, int *out_signs)
{
    if (ode->signs)
        memcpy(out_signs, ode->signs, (size_t)ode->problem.root_count * sizeof *out_signs);
}

RiOdeStatistics ri_ode_statistics(const RiOde *ode)
{
    RiOdeStatistics s = ode->past;
    long steps = 0, errors = 0, iterations = 0, failures = 0, products = 0;
    CVodeGetNumSteps(ode->cvode, &steps);
    CVodeGetNumErrTestFails(ode->cvode, &errors);
    CVodeGetNonlinSolvStats(ode->cvode, &iterations, &failures);
    if (ode->linear && !ode->matrix && steps > 0) // before the first step they are still those of the last start
        CVodeGetNumJtimesEvals(ode->cvode, &products);
    s.steps += steps;
    s.rejected_by_error += errors;
    s.newton_iterations += iterations;
    s.rejected_by_convergence += failures;
    s.jacobian_products += products;
    if (steps > 0) {
        CVodeGetLastOrder(ode->cvode, &s.last_order);
        CVodeGetLastStep(ode->cvode, &s.last_step);
    }
    return s;
}

#else

RiStatus ri_ode_create(RiContext *ctx, const RiOdeProblem *problem, const RiOdeOptions *options, RiOde **out_ode)
{
    (void)problem, (void)options;
    *out_ode = NULL;
    return ri_error(ctx, RI_ERR_UNSUPPORTED,
                    "this build has no CVODE: fetch SUNDIALS 6 with tools/need.sh core and rebuild");
}

// Nothing can be created, so nothing of the rest can be reached.
void ri_ode_destroy(RiOde *ode)
{
    (void)ode;
}

RiStatus ri_ode_reset(RiOde *ode, double t, const double *y)
{
    (void)ode, (void)t, (void)y;
    return RI_ERR_UNSUPPORTED;
}

RiStatus ri_ode_advance(RiOde *ode, double t_end, double *out_y, double *out_time, int *out_root)
{
    (void)ode, (void)t_end, (void)out_y, (void)out_time, (void)out_root;
    return RI_ERR_UNSUPPORTED;
}

RiStatus ri_ode_pass(RiOde *ode, double t_end, double *out_y, double *out_time, int *out_root)
{
    (void)ode, (void)t_end, (void)out_y, (void)out_time, (void)out_root;
    return RI_ERR_UNSUPPORTED;
}

void ri_ode_root_signs(const RiOde *ode, int *out_signs)
{
    (void)ode, (void)out_signs;
}

RiOdeStatistics ri_ode_statistics(const RiOde *ode)
{
    (void)ode;
    return (RiOdeStatistics){0};
}

#endif
