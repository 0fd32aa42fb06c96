// SPDX-License-Identifier: Apache-2.0
/// \file
/// The shared Newton solver: quadratic convergence, line search, redundant equations, honest
/// failure.
#include "check.h"

#include "math/newton.h"

typedef struct Point {
    double x[2], kept[2];
    int evaluations;
    double limit; ///< there are no residuals beyond this x
    bool (*f)(const double *x, double *f, double *J);
    int rows;
} Point;

static bool evaluate(void *user, double *out_f, double *out_J)
{
    Point *p = user;
    p->evaluations++;
    return fabs(p->x[0]) < p->limit && p->f(p->x, out_f, out_J);
}

static void keep(void *user)
{
    Point *p = user;
    memcpy(p->kept, p->x, sizeof p->x);
}

static void move(void *user, const double *step, double scale)
{
    Point *p = user;
    for (int i = 0; i < 2; i++)
        p->x[i] = p->kept[i] + scale * step[i];
}

static RiNewtonResult solve(Point *p, RiNewtonOptions o)
{
    static _Alignas(64) char block[4096];
    CHECK(ri_newton_size(p->rows, 2) <= sizeof block);
    const RiNewtonProblem problem = {p->rows, 2, p, evaluate, keep, move};
    const RiNewtonWork w = ri_newton_layout(block, p->rows, 2);
    return ri_newton_solve(&problem, &o, &w);
}

static const RiNewtonOptions USUAL = {
    .enough = 1e-14, .tolerance = 1e-12, .rank = 1e-12, .iterations = 50, .halvings = 10};

/// x^2 + y^2 = 4, x y = 1.
static bool circle_and_hyperbola(const double *x, double *f, double *J)
{
    f[0] = x[0] * x[0] + x[1] * x[1] - 4.0;
    f[1] = x[0] * x[1] - 1.0;
    const double j[4] = {2.0 * x[0], 2.0 * x[1], x[1], x[0]};
    memcpy(J, j, sizeof j);
    return true;
}

TEST(a_smooth_system_is_solved_in_few_steps_by_qr_and_lu_alike)
{
    double roots[2];
    for (int lu = 0; lu < 2; lu++) {
        Point p = {.x = {2.0, 0.3}, .limit = 1e9, .f = circle_and_hyperbola, .rows = 2};
        RiNewtonOptions o = USUAL;
        o.lu = lu;
        const RiNewtonResult r = solve(&p, o);
        CHECK(r.solved);
        CHECK(r.iterations <= 6);
        CHECK_CLOSE(p.x[0] * p.x[1], 1.0, 1e-13);
        CHECK_CLOSE(p.x[0], sqrt(2.0 + sqrt(3.0)), 1e-13);
        roots[lu] = p.x[0];
    }
    CHECK_CLOSE(roots[0], roots[1], 1e-14);
}

/// atan: a full step from far away throws the point farther out.
static bool two_atans(const double *x, double *f, double *J)
{
    for (int i = 0; i < 2; i++)
        f[i] = atan(x[i]);
    const double j[4] = {1.0 / (1.0 + x[0] * x[0]), 0.0, 0.0, 1.0 / (1.0 + x[1] * x[1])};
    memcpy(J, j, sizeof j);
    return true;
}

TEST(the_line_search_converges_where_full_steps_diverge)
{
    Point p = {.x = {3.0, -2.0}, .limit = 1e9, .f = two_atans, .rows = 2};
    CHECK(solve(&p, USUAL).solved);
    Point q = {.x = {3.0, -2.0}, .limit = 1e9, .f = two_atans, .rows = 2};
    RiNewtonOptions plain = USUAL;
    plain.halvings = 0;
    CHECK(!solve(&q, plain).solved);
}

TEST(steps_into_where_nothing_is_defined_are_shortened)
{
    Point p = {.x = {3.0, 0.5}, .limit = 3.5, .f = two_atans, .rows = 2};
    CHECK(solve(&p, USUAL).solved);
}

/// The same equations, one of them three times.
static bool redundant(const double *x, double *f, double *J)
{
    double g[2], K[4];
    circle_and_hyperbola(x, g, K);
    for (int i = 0; i < 4; i++) {
        f[i] = g[i > 0];
        memcpy(J + 2 * i, K + 2 * (i > 0), 2 * sizeof *J);
    }
    return true;
}

TEST(redundant_equations_do_no_harm)
{
    Point p = {.x = {2.0, 0.3}, .limit = 1e9, .f = redundant, .rows = 4};
    CHECK(solve(&p, USUAL).solved);
    CHECK_CLOSE(p.x[0], sqrt(2.0 + sqrt(3.0)), 1e-13);
}

static bool no_root(const double *x, double *f, double *J)
{
    f[0] = x[0] * x[0] + 1.0;
    f[1] = x[1];
    const double j[4] = {2.0 * x[0], 0.0, 0.0, 1.0};
    memcpy(J, j, sizeof j);
    return true;
}

TEST(a_system_without_a_root_is_not_solved_and_names_the_row)
{
    Point p = {.x = {1.3, 1.0}, .limit = 1e9, .f = no_root, .rows = 2};
    const RiNewtonResult r = solve(&p, USUAL);
    CHECK(!r.solved);
    CHECK_INT(r.worst, 0);
    CHECK(r.residual >= 1.0);
}

TEST(long_steps_are_shortened_as_a_whole)
{
    Point p = {.x = {2.0, 0.3}, .limit = 1e9, .f = circle_and_hyperbola, .rows = 2};
    RiNewtonOptions o = USUAL;
    o.longest = 0.01;
    o.iterations = 1;
    (void)solve(&p, o);
    CHECK(fabs(p.x[0] - 2.0) <= 0.01 + 1e-15 && fabs(p.x[1] - 0.3) <= 0.01 + 1e-15);
}

/// x = y at a double root: the Jacobian loses rank there. Rosenbrock's valley on the way: full
/// steps would leave it.
static bool valley(const double *x, double *f, double *J)
{
    f[0] = 10.0 * (x[1] - x[0] * x[0]);
    f[1] = (1.0 - x[0]) * (1.0 - x[0]);
    J[0] = -20.0 * x[0], J[1] = 10.0;
    J[2] = -2.0 * (1.0 - x[0]), J[3] = 0.0;
    return true;
}

TEST(damped_steps_go_on_where_the_jacobian_loses_rank)
{
    Point p = {.x = {-1.2, 1.0}, .limit = 1e9, .f = valley, .rows = 2};
    RiNewtonOptions o = USUAL;
    o.damping = 1e-3;
    o.enough = 1e-13;
    o.iterations = 200;
    const RiNewtonResult r = solve(&p, o);
    CHECK(r.solved && r.residual <= 1e-12);
    CHECK_CLOSE(p.x[0], 1.0, 1e-5); // a double root: half of the digits
    CHECK_CLOSE(p.x[1], p.x[0] * p.x[0], 1e-10);
}

TEST(damping_keeps_the_last_digits)
{
    Point p = {.x = {0.4, 0.9}, .limit = 1e9, .f = circle_and_hyperbola, .rows = 2};
    RiNewtonOptions o = USUAL;
    o.damping = 1e-3;
    const RiNewtonResult r = solve(&p, o);
    CHECK(r.solved && r.residual <= 1e-14 && r.iterations < 20);
}

TEST_MAIN(CASE(a_smooth_system_is_solved_in_few_steps_by_qr_and_lu_alike),
          CASE(the_line_search_converges_where_full_steps_diverge),
          CASE(steps_into_where_nothing_is_defined_are_shortened), CASE(redundant_equations_do_no_harm),
          CASE(a_system_without_a_root_is_not_solved_and_names_the_row), CASE(long_steps_are_shortened_as_a_whole),
          CASE(damped_steps_go_on_where_the_jacobian_loses_rank), CASE(damping_keeps_the_last_digits))
