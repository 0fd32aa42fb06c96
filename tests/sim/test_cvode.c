// SPDX-License-Identifier: Apache-2.0
/// \file
/// The reference integrator against closed forms, published stiff problems and multibody systems;
/// its failures; its bits.
#include "sim/method/ode_cvode.h"

#include <limits.h>
#include <stdbool.h>
#include <unistd.h>

#include <rille/dynamics.h>
#include <rille/robot.h>
#include <rille/sim.h>
#include <rille/version.h>

#include "check.h"
#include "io/faults.h"

// --- problems ------------------------------------------------------------------------------------

static RiContext *ctx;

/// m x'' + c x' + k x = 0 with m = 1.
typedef struct Oscillator {
    double k, c;
} Oscillator;

static RiStatus oscillator(void *user, double t, const double *y, double *ydot)
{
    (void)t;
    const Oscillator *o = user;
    ydot[0] = y[1];
    ydot[1] = -o->k * y[0] - o->c * y[1];
    return RI_OK;
}

static RiStatus oscillator_jacobian(void *user, double t, const double *y, const double *ydot, double *J)
{
    (void)t, (void)y, (void)ydot;
    const Oscillator *o = user;
    J[1] = -o->k;
    J[2] = 1.0;
    J[3] = -o->c;
    return RI_OK;
}

static RiStatus oscillator_times(void *user, double t, const double *y, const double *ydot, const double *x, double *Jx)
{
    (void)ydot, (void)y;
    return oscillator(user, t, x, Jx); // linear
}

static RiStatus van_der_pol(void *user, double t, const double *y, double *ydot)
{
    (void)t;
    const double mu = *(const double *)user;
    ydot[0] = y[1];
    ydot[1] = mu * (1.0 - y[0] * y[0]) * y[1] - y[0];
    return RI_OK;
}

static RiStatus robertson(void *user, double t, const double *y, double *ydot)
{
    (void)user, (void)t;
    ydot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    ydot[2] = 3e7 * y[1] * y[1];
    ydot[1] = -ydot[0] - ydot[2];
    return RI_OK;
}

static RiStatus robertson_jacobian(void *user, double t, const double *y, const double *ydot, double *J)
{
    (void)user, (void)t, (void)ydot;
    J[0] = -0.04, J[3] = 1e4 * y[2], J[6] = 1e4 * y[1];
    J[2] = 0.0, J[5] = 6e7 * y[1], J[8] = 0.0;
    for (int j = 0; j < 3; j++)
        J[1 + 3 * j] = -J[3 * j] - J[2 + 3 * j];
    return RI_OK;
}

/// From (t0, y) to t_end in one go; the statistics are of this run.
static RiStatus integrate(const RiOdeProblem *problem, const RiOdeOptions *options, double t0, double t_end, double *y,
                          RiOdeStatistics *out_statistics)
{
    RiOde *ode = NULL;
    RI_TRY(ri_ode_create(ctx, problem, options, &ode));
    double t = 0.0;
    RiStatus status = ri_ode_reset(ode, t0, y);
    if (status == RI_OK)
        status = ri_ode_advance(ode, t_end, y, &t, NULL);
    if (status == RI_OK)
        CHECK(t == t_end);
    if (out_statistics)
        *out_statistics = ri_ode_statistics(ode);
    ri_ode_destroy(ode);
    return status;
}

// --- closed forms --------------------------------------------------------------------------------

TEST(error_follows_the_tolerance_with_every_method_and_solver)
{
    Oscillator o = {.k = 1.0};
    for (int given = 0; given < 2; given++) {
        RiOdeProblem problem = {.n = 2, .rhs = oscillator, .user = &o};
        problem.jacobian = given ? oscillator_jacobian : NULL;
        problem.jacobian_times = given ? oscillator_times : NULL;
        for (int method = RI_ODE_BDF; method <= RI_ODE_ADAMS; method++)
            for (int solver = RI_ODE_SOLVER_AUTO; solver <= RI_ODE_FIXED_POINT; solver++) {
                double error[3];
                for (int k = 0; k < 3; k++) {
                    RiOdeOptions options = ri_ode_options_default();
                    options.method = (RiOdeMethod)method;
                    options.solver = (RiOdeSolver)solver;
                    options.rtol = pow(10.0, -5 - 3 * k);
                    options.atol = options.rtol;
                    double y[2] = {1.0, 0.0};
                    REQUIRE_OK(ctx, integrate(&problem, &options, 0.0, 10.0, y, NULL));
                    error[k] = hypot(y[0] - cos(10.0), y[1] + sin(10.0));
                    CHECK_CLOSE(error[k], 0.0, 1000.0 * options.rtol);
                }
                CHECK(error[2] < 1e-4 * error[0]); // six decades tighter: at least four better
            }
    }
}

TEST(overdamped_stiff_oscillator_takes_few_steps)
{
    Oscillator o = {.k = 1e6, .c = 1e5}; // rates about -10 and -1e5 [1/s]
    const double root = sqrt(o.c * o.c - 4.0 * o.k), slow = -2.0 * o.k / (o.c + root), fast = -(o.c + root) / 2.0;
    const double t = 0.1, x = (-fast * exp(slow * t) + slow * exp(fast * t)) / (slow - fast);
    const RiOdeProblem problem = {.n = 2, .rhs = oscillator, .user = &o};
    double y[2] = {1.0, 0.0};
    RiOdeStatistics s;
    REQUIRE_OK(ctx, integrate(&problem, NULL, 0.0, t, y, &s));
    CHECK_CLOSE(y[0], x, 1e-6);
    CHECK(s.steps < 500); // an explicit method needs 5000 for stability alone
    CHECK(s.jacobian_count > 0 && s.jacobian_count < s.steps);
    CHECK(s.rhs_count >= s.newton_iterations + 2 * s.jacobian_count);
}

TEST(ringing_stiff_oscillator_keeps_phase_and_decay)
{
    Oscillator o = {.k = 1e6, .c = 200.0};
    const double w = sqrt(o.k - 0.25 * o.c * o.c), t = 0.02;
    const double x = exp(-0.5 * o.c * t) * (cos(w * t) + 0.5 * o.c / w * sin(w * t));
    const RiOdeProblem problem = {.n = 2, .rhs = oscillator, .user = &o};
    RiOdeOptions options = ri_ode_options_default();
    const double atol[2] = {1e-12, 1e-9};
    options.rtol = 1e-10;
    options.atol_vector = atol;
    double y[2] = {1.0, 0.0};
    REQUIRE_OK(ctx, integrate(&problem, &options, 0.0, t, y, NULL));
    CHECK_CLOSE(y[0], x, 1e-8);
}

// --- published stiff problems --------------------------------------------------------------------

TEST(van_der_pol_with_mu_1000_reaches_the_published_state)
{
    // [mazzia2008] gives y = 1.706167732170483, y' = -0.8928097010247975e-3 (in this scaling of
    // time) at t = 2000.
    double mu = 1000.0;
    const RiOdeProblem problem = {.n = 2, .rhs = van_der_pol, .user = &mu};
    for (int k = 0; k < 2; k++) {
        RiOdeOptions options = ri_ode_options_default();
        options.rtol = k ? 1e-12 : 1e-7;
        options.atol = k ? 1e-14 : 1e-9;
        double y[2] = {2.0, 0.0};
        RiOdeStatistics s;
        REQUIRE_OK(ctx, integrate(&problem, &options, 0.0, 2000.0, y, &s));
        CHECK_CLOSE(y[0], 1.706167732170483, k ? 1e-9 : 1e-4);
        CHECK_CLOSE(y[1], -0.8928097010247975e-3, k ? 1e-12 : 1e-7);
        CHECK(s.steps < (k ? 30000 : 3000));
    }
}

TEST(robertson_reaches_the_published_state_and_conserves_mass)
{
    // [mazzia2008] at t = 1e11.
    const double want[3] = {0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050};
    for (int given = 0; given < 2; given++) {
        const RiOdeProblem problem = {.n = 3, .rhs = robertson, .jacobian = given ? robertson_jacobian : NULL};
        RiOdeOptions options = ri_ode_options_default();
        options.rtol = 1e-10;
        const double atol[3] = {1e-16, 1e-21, 1e-14};
        options.atol_vector = atol;
        double y[3] = {1.0, 0.0, 0.0};
        RiOdeStatistics s;
        REQUIRE_OK(ctx, integrate(&problem, &options, 0.0, 1e11, y, &s));
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(y[i], want[i], 1e-6 * want[i]);
        CHECK_CLOSE(y[0] + y[1] + y[2], 1.0, 1e-9);
        CHECK(given ? s.rhs_count < 4 * s.steps : s.jacobian_count > 0);
    }
}

// --- the Jacobian by differences ---

/// A slow decay beside a stiff one; the second cannot be evaluated above its bound.
static RiStatus bounded_decay(void *user, double t, const double *y, double *ydot)
{
    (void)t;
    const double bound = *(const double *)user;
    if (y[1] > bound)
        return ri_error(ctx, RI_ERR_NUMERIC, "outside of the domain");
    ydot[0] = -y[0];
    ydot[1] = -1e6 * (y[1] - bound);
    return RI_OK;
}

TEST(differences_cope_with_zero_entries_and_one_sided_domains)
{
    for (int k = 0; k < 2; k++) {
        double bound = k; // y_1 rests on the edge of its domain: at zero, and at one
        const RiOdeProblem problem = {.n = 2, .rhs = bounded_decay, .user = &bound};
        double y[2] = {1.0, bound};
        RiOdeStatistics s;
        REQUIRE_OK(ctx, integrate(&problem, NULL, 0.0, 1.0, y, &s));
        CHECK_CLOSE(y[0], exp(-1.0), 1e-6);
        CHECK(y[1] == bound);
        CHECK(s.steps < 300 && s.rejected_by_convergence == 0);
    }
}

// --- roots and jumps -----------------------------------------------------------------------------

static RiStatus fall(void *user, double t, const double *y, double *ydot)
{
    (void)user, (void)t;
    ydot[0] = y[1];
    ydot[1] = -9.81;
    return RI_OK;
}

static RiStatus ground(void *user, double t, const double *y, double *g)
{
    (void)user, (void)t;
    g[0] = y[0];
    return RI_OK;
}

static RiStatus ground_and_top(void *user, double t, const double *y, double *g)
{
    g[1] = y[1];
    return ground(user, t, y, g);
}

TEST(impacts_of_a_bouncing_ball_are_located_to_a_nanosecond)
{
    const int falling_only = -1;
    const RiOdeProblem problem = {
        .n = 2, .rhs = fall, .root_count = 1, .roots = ground, .root_directions = &falling_only};
    RiOdeOptions options = ri_ode_options_default();
    options.method = RI_ODE_ADAMS;
    options.rtol = options.atol = 1e-12;
    RiOde *ode = NULL;
    REQUIRE_OK(ctx, ri_ode_create(ctx, &problem, &options, &ode));
    double y[2] = {1.0, 0.0}, t = 0.0;
    const double e = 0.9, t1 = sqrt(2.0 / 9.81);
    CHECK_OK(ctx, ri_ode_reset(ode, 0.0, y));
    for (int k = 0; k < 20; k++) {
        int root = -1, sign = 0;
        REQUIRE_OK(ctx, ri_ode_advance(ode, 100.0, y, &t, &root));
        CHECK_INT(root, 0);
        ri_ode_root_signs(ode, &sign);
        CHECK_INT(sign, -1);
        CHECK_CLOSE(t, t1 * (1.0 + 2.0 * e * (1.0 - pow(e, k)) / (1.0 - e)), 1e-9);
        CHECK_CLOSE(y[1], -9.81 * t1 * pow(e, k), 1e-8);
        y[0] = 0.0;
        y[1] *= -e;
        CHECK_OK(ctx, ri_ode_reset(ode, t, y));
    }
    CHECK(ri_ode_statistics(ode).steps >= 20 && ri_ode_statistics(ode).root_count > 20);
    ri_ode_destroy(ode);
}

TEST(integration_goes_on_through_a_root_and_ends_where_asked)
{
    const RiOdeProblem problem = {.n = 2, .rhs = fall, .root_count = 2, .roots = ground_and_top};
    RiOde *ode = NULL;
    REQUIRE_OK(ctx, ri_ode_create(ctx, &problem, NULL, &ode));
    double y[2] = {1.0, 3.0}, t = 0.0;
    int root = 7;
    CHECK_OK(ctx, ri_ode_reset(ode, 0.0, y));
    CHECK_OK(ctx, ri_ode_advance(ode, 10.0, y, &t, &root)); // the top
    CHECK_INT(root, 1);
    CHECK_CLOSE(t, 3.0 / 9.81, 1e-9);
    const double soon = t + 1e-7; // the step that found the root is already past it
    CHECK_OK(ctx, ri_ode_advance(ode, soon, y, &t, &root));
    CHECK_INT(root, -1);
    CHECK(t == soon);
    CHECK_CLOSE(y[1], 3.0 - 9.81 * soon, 1e-8);
    CHECK_OK(ctx, ri_ode_advance(ode, 10.0, y, &t, &root)); // the ground
    CHECK_INT(root, 0);
    CHECK_OK(ctx, ri_ode_advance(ode, 10.0, y, &t, &root)); // and on below it
    CHECK_INT(root, -1);
    CHECK(t == 10.0);
    CHECK_CLOSE(y[0], 1.0 + 30.0 - 0.5 * 9.81 * 100.0, 1e-6);
    CHECK_OK(ctx, ri_ode_advance(ode, 10.0, y, &t, NULL)); // no way to go is no error
    CHECK(t == 10.0);
    ri_ode_destroy(ode);
}

static RiStatus crossing(void *user, double t, const double *y, double *g)
{
    (void)user, (void)t;
    g[0] = g[1] = y[0];
    return RI_OK;
}

TEST(roots_count_only_in_the_direction_asked)
{
    Oscillator o = {.k = 1.0}; // y = cos t falls through zero at pi/2 and rises at 3 pi/2
    const double pi = acos(-1.0);
    for (int direction = -1; direction <= 1; direction++) {
        const int directions[2] = {direction, 1};
        const RiOdeProblem problem = {
            .n = 2, .rhs = oscillator, .root_count = 2, .roots = crossing, .root_directions = directions, .user = &o};
        RiOde *ode = NULL;
        REQUIRE_OK(ctx, ri_ode_create(ctx, &problem, NULL, &ode));
        double y[2] = {1.0, 0.0}, t = 0.0;
        int root = -1, signs[2] = {9, 9};
        CHECK_OK(ctx, ri_ode_reset(ode, 0.0, y));
        CHECK_OK(ctx, ri_ode_advance(ode, 6.0, y, &t, &root));
        CHECK_INT(root, 0);
        CHECK_CLOSE(t, (direction > 0 ? 1.5 : 0.5) * pi, 1e-6);
        ri_ode_root_signs(ode, signs);
        CHECK_INT(signs[0], direction > 0 ? 1 : -1);
        CHECK_INT(signs[1], direction > 0 ? 1 : 0);
        ri_ode_destroy(ode);
    }
}

/// Switches sign at t = 1, and must never be asked beyond it before it is told so.
typedef struct Switch {
    double until, latest, rate;
} Switch;

static RiStatus switched(void *user, double t, const double *y, double *ydot)
{
    (void)y;
    Switch *s = user;
    s->latest = fmax(s->latest, t);
    ydot[0] = s->rate;
    return RI_OK;
}

TEST(functions_are_never_asked_beyond_the_end_and_a_jump_restarts)
{
    Switch s = {.rate = 1.0};
    const RiOdeProblem problem = {.n = 1, .rhs = switched, .user = &s};
    RiOde *ode = NULL;
    REQUIRE_OK(ctx, ri_ode_create(ctx, &problem, NULL, &ode));
    double y = 0.0, t = 0.0;
    CHECK_OK(ctx, ri_ode_reset(ode, 0.0, &y));
    CHECK_OK(ctx, ri_ode_advance(ode, 1.0, &y, &t, NULL));
    CHECK(s.latest <= 1.0);
    CHECK_CLOSE(y, 1.0, 1e-9);
    s.rate = -2.0;
    y += 5.0;
    CHECK_OK(ctx, ri_ode_reset(ode, t, &y));
    CHECK_OK(ctx, ri_ode_advance(ode, 2.0, &y, &t, NULL));
    CHECK_CLOSE(y, 4.0, 1e-8);
    const double next = nextafter(2.0, 3.0); // too short to start a multistep method on
    CHECK_OK(ctx, ri_ode_reset(ode, 2.0, &y));
    CHECK_OK(ctx, ri_ode_advance(ode, next, &y, &t, NULL));
    CHECK(t == next);
    CHECK_OK(ctx, ri_ode_advance(ode, 3.0, &y, &t, NULL));
    CHECK(t == 3.0);
    CHECK_CLOSE(y, 2.0, 1e-8);
    ri_ode_destroy(ode);
}

// --- failures ------------------------------------------------------------------------------------

TEST(too_few_steps_are_told_with_the_time_reached)
{
    double mu = 1000.0;
    const RiOdeProblem problem = {.n = 2, .rhs = van_der_pol, .user = &mu};
    RiOdeOptions options = ri_ode_options_default();
    options.max_steps = 50;
    RiOde *ode = NULL;
    REQUIRE_OK(ctx, ri_ode_create(ctx, &problem, &options, &ode));
    double y[2] = {2.0, 0.0}, t = -1.0;
    CHECK_OK(ctx, ri_ode_reset(ode, 0.0, y));
    CHECK_ERROR(ctx, ri_ode_advance(ode, 2000.0, y, &t, NULL), RI_ERR_LIMIT, "max_steps reached at t = ");
    char part[64];
    snprintf(part, sizeof part, "t = %.9g s on the way to 2000 s", t);
    CHECK(strstr(ri_context_message(ctx), part));
    CHECK(t > 0.0 && t < 2000.0);
    CHECK(y[0] == 2.0 && y[1] == 0.0);
    CHECK_ERROR(ctx, ri_ode_advance(ode, 2000.0, y, &t, NULL), RI_ERR_ARGUMENT, "ri_ode_reset() comes first");
    ri_ode_destroy(ode);
}

/// y' = 1; from t = 1 on the functions fail in the way told.
typedef struct Faulty {
    RiStatus status;
    double from;   ///< [s]
    long failures; ///< at most; then it works
    bool nan;
} Faulty;

static RiStatus faulty(void *user, double t, const double *y, double *ydot)
{
    (void)y;
    Faulty *f = user;
    ydot[0] = 1.0;
    if (t < f->from || f->failures-- <= 0)
        return RI_OK;
    if (f->nan)
        ydot[0] = NAN;
    else
        return ri_error(ctx, f->status, "broken at %g", f->from);
    return RI_OK;
}

static RiStatus faulty_root(void *user, double t, const double *y, double *g)
{
    (void)user, (void)y;
    g[0] = -1.0;
    return t > 1.0 ? ri_error(ctx, RI_ERR_MODEL, "no ground here") : RI_OK;
}

static RiStatus faulty_jacobian(void *user, double t, const double *y, const double *ydot, double *J)
{
    (void)user, (void)t, (void)y, (void)ydot;
    J[0] = NAN;
    return RI_OK;
}

TEST(a_failing_right_hand_side_stops_with_its_own_words)
{
    for (int solver = RI_ODE_DENSE; solver <= RI_ODE_FIXED_POINT; solver++) {
        RiOdeOptions options = ri_ode_options_default();
        options.solver = (RiOdeSolver)solver;
        options.max_step = 0.1;
        double y = 0.0;
        Faulty fatal = {.status = RI_ERR_MODEL, .from = 1.0, .failures = 1};
        RiOdeProblem problem = {.n = 1, .rhs = faulty, .user = &fatal};
        CHECK_ERROR(ctx, integrate(&problem, &options, 0.0, 2.0, &y, NULL), RI_ERR_MODEL,
                    "the right-hand side failed at t = ");
        CHECK(strstr(ri_context_message(ctx), "broken at 1"));
        Faulty never = {.status = RI_ERR_NUMERIC, .from = 1.0, .failures = 1000000};
        problem.user = &never;
        CHECK_ERROR(ctx, integrate(&problem, &options, 0.0, 2.0, &y, NULL), RI_ERR_NUMERIC, "broken at 1");
        CHECK(never.failures > 990000); // it does not creep towards t = 1 until max_steps
        Faulty nan = {.from = 1.0, .failures = 1000000, .nan = true};
        problem.user = &nan;
        CHECK_ERROR(ctx, integrate(&problem, &options, 0.0, 2.0, &y, NULL), RI_ERR_NUMERIC,
                    "entry 0 of the result is nan");
        Faulty first = {.status = RI_ERR_NUMERIC, .from = -1.0, .failures = 1000000};
        problem.user = &first;
        CHECK_ERROR(ctx, integrate(&problem, &options, 0.0, 2.0, &y, NULL), RI_ERR_NUMERIC, "broken at -1");
        CHECK(y == 0.0);
    }
}

TEST(a_recoverable_failure_costs_a_step_not_the_run)
{
    for (int solver = RI_ODE_DENSE; solver <= RI_ODE_FIXED_POINT; solver++) {
        RiOdeOptions options = ri_ode_options_default();
        options.solver = (RiOdeSolver)solver;
        options.max_step = 0.1;
        double y = 0.0;
        Faulty once = {.status = RI_ERR_NUMERIC, .from = 1.0, .failures = 3};
        RiOdeProblem problem = {.n = 1, .rhs = faulty, .user = &once};
        CHECK_OK(ctx, integrate(&problem, &options, 0.0, 2.0, &y, NULL));
        CHECK_CLOSE(y, 2.0, 1e-8);
        CHECK(once.failures <= 0);
    }
}

TEST(failing_roots_and_jacobians_are_named)
{
    Faulty good = {.from = 100.0};
    RiOdeProblem problem = {.n = 1, .rhs = faulty, .root_count = 1, .roots = faulty_root, .user = &good};
    double y = 0.0;
    CHECK_ERROR(ctx, integrate(&problem, NULL, 0.0, 2.0, &y, NULL), RI_ERR_MODEL, "the root function failed at t = ");
    CHECK(strstr(ri_context_message(ctx), "no ground here"));
    problem.root_count = 0;
    problem.jacobian = faulty_jacobian;
    CHECK_ERROR(ctx, integrate(&problem, NULL, 0.0, 2.0, &y, NULL), RI_ERR_NUMERIC, "the Jacobian failed at t = ");
}

TEST(bad_arguments_are_named_with_their_value)
{
    Oscillator o = {.k = 1.0};
    const RiOdeProblem good = {.n = 2, .rhs = oscillator, .user = &o};
    RiOde *ode = NULL;
    RiOdeProblem p = good;
    p.n = 0;
    CHECK_ERROR(ctx, ri_ode_create(ctx, &p, NULL, &ode), RI_ERR_ARGUMENT, "n = 0");
    p = good, p.rhs = NULL;
    CHECK_ERROR(ctx, ri_ode_create(ctx, &p, NULL, &ode), RI_ERR_ARGUMENT, "rhs is NULL");
    p = good, p.root_count = 2;
    CHECK_ERROR(ctx, ri_ode_create(ctx, &p, NULL, &ode), RI_ERR_ARGUMENT, "root_count = 2 but roots is NULL");
    const double atol[2] = {1.0, -3.0};
    struct {
        RiOdeOptions options;
        const char *part;
    } bad[] = {
        {{.rtol = -1.0}, "rtol = -1"},
        {{.rtol = NAN}, "rtol = nan"},
        {{.atol = INFINITY}, "atol, entry 0 = inf"},
        {{.rtol = 0.0, .atol = 0.0}, "above 0 if rtol = 0"},
        {{.atol_vector = atol}, "atol_vector, entry 1 = -3"},
        {{.atol = 1.0, .max_step = -2.0}, "max_step = -2"},
        {{.atol = 1.0}, "max_steps = 0"},
        {{.atol = 1.0, .max_steps = 1}, "krylov = 0"},
        {{.atol = 1.0, .max_steps = 1, .krylov = 1, .method = (RiOdeMethod)2}, "method 2"},
        {{.atol = 1.0, .max_steps = 1, .krylov = 1, .solver = (RiOdeSolver)4}, "solver 4"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_ERROR(ctx, ri_ode_create(ctx, &good, &bad[i].options, &ode), RI_ERR_ARGUMENT, bad[i].part);
    CHECK(!ode);
    REQUIRE_OK(ctx, ri_ode_create(ctx, &good, NULL, &ode));
    double y[2] = {1.0, NAN}, t = 0.0;
    CHECK_ERROR(ctx, ri_ode_advance(ode, 1.0, y, &t, NULL), RI_ERR_ARGUMENT, "ri_ode_reset() comes first");
    CHECK_ERROR(ctx, ri_ode_reset(ode, 0.0, y), RI_ERR_ARGUMENT, "entry 1 of y is nan");
    y[1] = 0.0;
    CHECK_ERROR(ctx, ri_ode_reset(ode, INFINITY, y), RI_ERR_ARGUMENT, "start time inf");
    CHECK_OK(ctx, ri_ode_reset(ode, 1.0, y));
    CHECK_ERROR(ctx, ri_ode_advance(ode, 0.5, y, &t, NULL), RI_ERR_ARGUMENT, "t_end = 0.5");
    CHECK_ERROR(ctx, ri_ode_advance(ode, NAN, y, &t, NULL), RI_ERR_ARGUMENT, "t_end = nan");
    CHECK_OK(ctx, ri_ode_advance(ode, 2.0, y, &t, NULL)); // a refused call changes nothing
    ri_ode_destroy(ode);
    ri_ode_destroy(NULL);
}

TEST(failures_print_nothing)
{
    fflush(stdout);
    fflush(stderr);
    FILE *heard = tmpfile();
    REQUIRE(heard);
    const int out = dup(1), err = dup(2);
    dup2(fileno(heard), 1);
    dup2(fileno(heard), 2);
    double y[2] = {0.0, 0.0};
    Faulty never = {.status = RI_ERR_NUMERIC, .from = 1.0, .failures = 1000000};
    const RiOdeProblem failing = {.n = 1, .rhs = faulty, .user = &never};
    const RiStatus failed = integrate(&failing, NULL, 0.0, 2.0, y, NULL);
    double mu = 1000.0;
    const RiOdeProblem long_way = {.n = 2, .rhs = van_der_pol, .user = &mu};
    RiOdeOptions options = ri_ode_options_default();
    options.max_steps = 3;
    y[0] = 2.0;
    const RiStatus limited = integrate(&long_way, &options, 0.0, 2.0, y, NULL);
    fflush(stdout);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    CHECK_INT(failed, RI_ERR_NUMERIC);
    CHECK_INT(limited, RI_ERR_LIMIT);
    CHECK_INT(fseek(heard, 0, SEEK_END), 0);
    CHECK_INT(ftell(heard), 0);
    fclose(heard);
}

// --- memory --------------------------------------------------------------------------------------

/// Creates, integrates a little, destroys.
static RiStatus short_life(RiContext *context, int solver)
{
    Oscillator o = {.k = 1.0};
    const double atol[2] = {1e-9, 1e-9};
    const RiOdeProblem problem = {.n = 2, .rhs = oscillator, .root_count = 2, .roots = ground_and_top, .user = &o};
    RiOdeOptions options = ri_ode_options_default();
    options.solver = (RiOdeSolver)solver;
    options.atol_vector = atol;
    RiOde *ode = NULL;
    RI_TRY(ri_ode_create(context, &problem, &options, &ode));
    double y[2] = {1.0, 0.1}, t = 0.0;
    int root = -1;
    RiStatus status = ri_ode_reset(ode, 0.0, y);
    if (status == RI_OK)
        status = ri_ode_advance(ode, 0.5, y, &t, &root);
    ri_ode_destroy(ode);
    return status;
}

TEST(every_failed_allocation_is_told_and_nothing_leaks)
{
    RiStatus status = RI_ERR_MEMORY;
    long k = 0;
    for (; k < 100 && status != RI_OK; k++) {
        Faults faults = {.fail_at = k + 1}; // call 0 is the context
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *context = NULL;
        REQUIRE(ri_context_create(&allocator, &context) == RI_OK);
        status = short_life(context, RI_ODE_DENSE);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        ri_context_destroy(context);
        CHECK_INT(faults.live, 0);
    }
    CHECK_INT(status, RI_OK);
    CHECK_INT(k, 6); // the object, three reserves, the signs; then the run that succeeds
}

/// Refuses blocks above 1 MB.
static void *small_resize(void *user, void *block, size_t size)
{
    (void)user;
    return size > 1000000 ? NULL : realloc(block, size);
}

static void small_release(void *user, void *block)
{
    (void)user;
    free(block);
}

TEST(more_than_the_allocator_allows_is_refused_before_cvode_takes_it)
{
    const RiAllocator allocator = {small_resize, small_release, NULL};
    RiContext *context = NULL;
    REQUIRE(ri_context_create(&allocator, &context) == RI_OK);
    Oscillator o = {.k = 1.0};
    RiOde *ode = NULL;
    RiOdeProblem problem = {.n = 400, .rhs = oscillator, .user = &o};
    CHECK_ERROR(context, ri_ode_create(context, &problem, NULL, &ode), RI_ERR_MEMORY, "out of memory");
    CHECK(!ode);
    RiOdeOptions options = ri_ode_options_default();
    options.solver = RI_ODE_GMRES; // no matrix
    CHECK_OK(context, ri_ode_create(context, &problem, &options, &ode));
    ri_ode_destroy(ode);
    problem.n = INT_MAX; // a size that overflows when squared
    CHECK_ERROR(context, ri_ode_create(context, &problem, NULL, &ode), RI_ERR_MEMORY, "out of memory");
    ri_context_destroy(context);
}

// --- bits ----------------------------------------------------------------------------------------

TEST(two_runs_give_equal_bits_new_or_reset)
{
    double mu = 100.0;
    const RiOdeProblem problem = {.n = 2, .rhs = van_der_pol, .user = &mu};
    for (int solver = RI_ODE_DENSE; solver <= RI_ODE_GMRES; solver++) {
        RiOdeOptions options = ri_ode_options_default();
        options.solver = (RiOdeSolver)solver;
        double first[2] = {2.0, 0.0}, second[2] = {2.0, 0.0}, third[2] = {2.0, 0.0}, t = 0.0;
        RiOdeStatistics s;
        REQUIRE_OK(ctx, integrate(&problem, &options, 0.0, 200.0, first, &s));
        RiOde *ode = NULL;
        REQUIRE_OK(ctx, ri_ode_create(ctx, &problem, &options, &ode));
        CHECK_OK(ctx, ri_ode_reset(ode, 0.0, second));
        CHECK_OK(ctx, ri_ode_advance(ode, 200.0, second, &t, NULL));
        CHECK_OK(ctx, ri_ode_reset(ode, 0.0, third));
        CHECK_OK(ctx, ri_ode_advance(ode, 200.0, third, &t, NULL));
        CHECK(memcmp(first, second, sizeof first) == 0);
        CHECK(memcmp(first, third, sizeof first) == 0);
        const RiOdeStatistics both = ri_ode_statistics(ode);
        CHECK_INT(both.steps, 2 * s.steps);
        CHECK_INT(both.rhs_count, 2 * s.rhs_count);
        CHECK_INT(both.jacobian_count, 2 * s.jacobian_count);
        CHECK_INT(both.jacobian_products, 2 * s.jacobian_products);
        CHECK(solver == RI_ODE_GMRES ? s.jacobian_products > s.steps : s.jacobian_products == 0);
        ri_ode_destroy(ode);
    }
}

// --- multibody systems ---------------------------------------------------------------------------

/// y = (q, v): q' from the dynamics, v' without efforts.
static RiStatus multibody(void *user, double t, const double *y, double *ydot)
{
    (void)t;
    RiDyn *d = user;
    const int nq = ri_model_nq(ri_dyn_model(d));
    RI_TRY(ri_forward_dynamics(d, y, y + nq, NULL, ydot + nq));
    ri_dyn_get_qdot(d, ydot);
    return RI_OK;
}

/// Two point masses of 1 kg on rods of 1 m; q = (th1, th2 - th1) from hanging down.
static RiStatus double_pendulum(RiModel **out_model)
{
    *out_model = NULL;
    RiSpec *spec = NULL;
    RI_TRY(ri_spec_create(ctx, "double_pendulum", &spec));
    spec->base = RI_BASE_FIXED;
    const char *names[] = {"world", "upper", "lower"};
    RiStatus status = RI_OK;
    for (int i = 0; i < 3 && status == RI_OK; i++) {
        RiLinkSpec link = ri_link_default();
        link.name = names[i];
        link.mass = i ? 1.0 : 0.0;
        link.com = (RiVec3){0.0, 0.0, i ? -1.0 : 0.0};
        status = ri_spec_add_link(spec, &link);
        RiJointSpec joint = ri_joint_default();
        joint.name = names[i];
        joint.type = RI_JOINT_CONTINUOUS;
        joint.axis = (RiVec3){0.0, 1.0, 0.0};
        joint.origin.p.z = i == 2 ? -1.0 : 0.0;
        joint.child = names[i];
        joint.parent = i ? names[i - 1] : NULL;
        if (i && status == RI_OK)
            status = ri_spec_add_joint(spec, &joint);
    }
    if (status == RI_OK)
        status = ri_model_create(ctx, spec, NULL, out_model);
    ri_spec_destroy(spec);
    return status;
}

TEST(double_pendulum_agrees_with_the_published_states)
{
    const double times[4] = {1.0, 2.0, 3.0, 5.0};
    const double want[4][4] = {// th1, th2, w1, w2 to 1e-10, by an eighth-order method at 1e-13
                               {-0.6250876998, -1.0345850857, -3.9222795729, -1.3030992487},
                               {-0.4829715343, -1.3240487123, 3.0652881921, 2.9492715476},
                               {1.7857955221, 1.1181074612, 0.3279806195, -0.5044551039},
                               {-0.6271867051, -1.3013155502, 2.1254086738, 3.8818887273}};
    RiModel *model = NULL;
    RiDyn *d = NULL;
    REQUIRE_OK(ctx, double_pendulum(&model));
    REQUIRE_OK(ctx, ri_dyn_create(ctx, model, &d));
    const RiOdeProblem problem = {.n = 4, .rhs = multibody, .user = d};
    for (int method = RI_ODE_BDF; method <= RI_ODE_ADAMS; method++) {
        RiOdeOptions options = ri_ode_options_default();
        options.method = (RiOdeMethod)method;
        options.rtol = options.atol = method == RI_ODE_BDF ? 1e-12 : 1e-11;
        RiOde *ode = NULL;
        REQUIRE_OK(ctx, ri_ode_create(ctx, &problem, &options, &ode));
        const double right = acos(0.0);
        double y[4] = {right, 0.0, 0.0, 0.0}, t = 0.0;
        CHECK_OK(ctx, ri_ode_reset(ode, 0.0, y));
        for (int k = 0; k < 4; k++) {
            REQUIRE_OK(ctx, ri_ode_advance(ode, times[k], y, &t, NULL));
            CHECK_CLOSE(y[0], want[k][0], 1e-8);
            CHECK_CLOSE(y[0] + y[1], want[k][1], 1e-8);
            CHECK_CLOSE(y[2], want[k][2], 1e-8);
            CHECK_CLOSE(y[2] + y[3], want[k][3], 1e-8);
        }
        ri_ode_destroy(ode);
    }
    ri_dyn_destroy(d);
    ri_model_destroy(model);
}

/// The 36-degree-of-freedom snake, thrown: every joint turning, no gravity left out.
static RiStatus thrown_snake(RiModel **out_model, RiDyn **out_dyn)
{
    RiSpec *spec = NULL;
    RI_TRY(ri_robot_load(ctx, RILLE_SOURCE_DIR "/robots/snake.yaml", NULL, &spec));
    const RiStatus status = ri_model_create(ctx, spec, NULL, out_model);
    ri_spec_destroy(spec);
    return status == RI_OK ? ri_dyn_create(ctx, *out_model, out_dyn) : status;
}

TEST(thrown_snake_agrees_with_small_runge_kutta_steps)
{
    enum { MOST = 128 };
    RiModel *model = NULL;
    RiDyn *d = NULL;
    REQUIRE_OK(ctx, thrown_snake(&model, &d));
    const int nq = ri_model_nq(model), nv = ri_model_nv(model), n = nq + nv;
    CHECK_INT(nv, 36);
    REQUIRE(n <= MOST);
    double start[MOST], fine[MOST];
    ri_model_get_initial_q(model, start);
    for (int i = 0; i < nv; i++)
        start[nq + i] = 0.5 * sin(1.0 + 7.0 * i);
    memcpy(fine, start, sizeof fine);
    RiIntegrator *rk4 = NULL;
    REQUIRE_OK(ctx, ri_integrator_create(ctx, d, &rk4));
    ri_integrator_set_efforts(rk4, NULL, NULL, false);
    for (int k = 0; k < 2000; k++)
        REQUIRE_OK(ctx, ri_integrator_rk4(rk4, k * 2.5e-4, 2.5e-4, fine, fine + nq));
    ri_integrator_destroy(rk4);
    const struct {
        RiOdeMethod method;
        RiOdeSolver solver;
    } ways[] = {{RI_ODE_ADAMS, RI_ODE_FIXED_POINT}, {RI_ODE_BDF, RI_ODE_DENSE}, {RI_ODE_BDF, RI_ODE_GMRES}};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        RiOdeOptions options = ri_ode_options_default();
        options.method = ways[w].method;
        options.solver = ways[w].solver;
        options.rtol = options.atol = 1e-10;
        const RiOdeProblem problem = {.n = n, .rhs = multibody, .user = d};
        double y[MOST];
        memcpy(y, start, sizeof y);
        RiOdeStatistics s;
        REQUIRE_OK(ctx, integrate(&problem, &options, 0.0, 0.5, y, &s));
        double worst = 0.0;
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(y[i] - fine[i]));
        CHECK_CLOSE(worst, 0.0, 1e-7);
        CHECK(s.steps < 1000); // against 2000 of the Runge-Kutta method
    }
    ri_dyn_destroy(d);
    ri_model_destroy(model);
}

// --- without CVODE -------------------------------------------------------------------------------

TEST(a_build_without_cvode_says_how_to_get_it)
{
    RiOde *ode = (RiOde *)&ctx;
    const RiOdeProblem problem = {.n = 2, .rhs = oscillator};
    CHECK_ERROR(ctx, ri_ode_create(ctx, &problem, NULL, &ode), RI_ERR_UNSUPPORTED, "this build has no CVODE: ");
    CHECK(!ode);
    ri_ode_destroy(ode);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(error_follows_the_tolerance_with_every_method_and_solver),
        CASE(overdamped_stiff_oscillator_takes_few_steps),
        CASE(ringing_stiff_oscillator_keeps_phase_and_decay),
        CASE(van_der_pol_with_mu_1000_reaches_the_published_state),
        CASE(robertson_reaches_the_published_state_and_conserves_mass),
        CASE(differences_cope_with_zero_entries_and_one_sided_domains),
        CASE(impacts_of_a_bouncing_ball_are_located_to_a_nanosecond),
        CASE(roots_count_only_in_the_direction_asked),
        CASE(integration_goes_on_through_a_root_and_ends_where_asked),
        CASE(functions_are_never_asked_beyond_the_end_and_a_jump_restarts),
        CASE(too_few_steps_are_told_with_the_time_reached),
        CASE(a_failing_right_hand_side_stops_with_its_own_words),
        CASE(a_recoverable_failure_costs_a_step_not_the_run),
        CASE(failing_roots_and_jacobians_are_named),
        CASE(bad_arguments_are_named_with_their_value),
        CASE(failures_print_nothing),
        CASE(every_failed_allocation_is_told_and_nothing_leaks),
        CASE(more_than_the_allocator_allows_is_refused_before_cvode_takes_it),
        CASE(two_runs_give_equal_bits_new_or_reset),
        CASE(double_pendulum_agrees_with_the_published_states),
        CASE(thrown_snake_agrees_with_small_runge_kutta_steps),
    };
    const CheckCase without[] = {CASE(a_build_without_cvode_says_how_to_get_it)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = strstr(ri_version_features(), "cvode: yes")
                           ? check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv)
                           : check_run(without, 1, argc, argv);
    ri_context_destroy(ctx);
    return result;
}
