// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cone problems: closed forms of one contact, the conditions of Coulomb's law on random problems,
/// hyperstatic and hopeless ones.
#include "check.h"

#include "../../bench/cone_families.h"
#include "../../bench/cone_heap.h"
#include "contact/cone_solver.h"
#include "contact/cone_work.h"
#include "io/faults.h"

enum { MOST = 100 };

/// A solver and room for a solution.
typedef struct Bench {
    RiContext *ctx;
    RiConeSolver *solver;
    double r[3 * MOST], u[3 * MOST];
    RiConeResult result;
} Bench;

static void open_bench(Bench *b)
{
    memset(b, 0, sizeof *b);
    if (ri_context_create(NULL, &b->ctx) != RI_OK || ri_cone_solver_create(b->ctx, MOST, 0, &b->solver) != RI_OK)
        abort();
}

static void close_bench(Bench *b)
{
    ri_cone_solver_destroy(b->solver);
    ri_context_destroy(b->ctx);
}

static void solve(Bench *b, const RiConeProblem *p)
{
    const RiConeOptions options = ri_cone_options_default();
    ri_cone_solve(b->solver, p, &options, b->r, b->u, &b->result);
}

// --- one contact: a block of 2 kg ----------------------------------------------------------------

static void solve_block(Bench *b, double mu, double across, RiConeFlow flow, double q_n, double q_1, double q_2)
{
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, q[3] = {q_n, q_1, q_2};
    solve(b, &(RiConeProblem){.n = 1, .W = W, .q = q, .mu = &mu, .across = &across, .flow = flow});
    CHECK_INT(b->result.end, RI_CONE_SOLVED);
}

TEST(a_rising_block_leaves_without_reaction)
{
    Bench b;
    open_bench(&b);
    solve_block(&b, 0.5, 1.0, RI_CONE_OPPOSED, 0.1, 3.0, 0.0);
    CHECK(b.r[0] == 0.0 && b.r[1] == 0.0 && b.r[2] == 0.0 && b.u[1] == 3.0);
    CHECK_INT(b.result.open, 1);
    close_bench(&b);
}

TEST(a_slow_block_sticks_with_the_impulse_that_stops_it)
{
    Bench b;
    open_bench(&b);
    solve_block(&b, 0.5, 1.0, RI_CONE_OPPOSED, -1.0, 0.3, -0.2);
    CHECK_CLOSE(b.r[0], 2.0, 1e-14);
    CHECK_CLOSE(b.r[1], -0.6, 1e-14);
    CHECK_CLOSE(b.r[2], 0.4, 1e-14);
    CHECK_INT(b.result.stick, 1);
    close_bench(&b);
}

TEST(a_fast_block_slides_against_mu_times_the_normal_impulse)
{
    Bench b;
    open_bench(&b);
    solve_block(&b, 0.5, 1.0, RI_CONE_OPPOSED, -1.0, 3.0, 4.0);
    CHECK_CLOSE(b.r[0], 2.0, 1e-13);
    CHECK_CLOSE(b.r[1], -0.6, 1e-13); // mu r_N = 1 along -(0.6, 0.8)
    CHECK_CLOSE(b.r[2], -0.8, 1e-13);
    CHECK_CLOSE(b.u[1], 3.0 - 0.3, 1e-13);
    CHECK_INT(b.result.slide, 1);
    close_bench(&b);
}

TEST(coupled_normal_and_tangent_slide_by_the_root_of_the_quartic)
{
    // W couples N and T1: 2 r_N + r_1 = 1 with u_N = 0, r_1 = -mu r_N while sliding along +T1.
    Bench b;
    const double W[9] = {2, 1, 0, 1, 2, 0, 0, 0, 2}, q[3] = {-1, 5, 0}, mu = 0.4;
    open_bench(&b);
    solve(&b, &(RiConeProblem){.n = 1, .W = W, .q = q, .mu = &mu});
    CHECK_INT(b.result.end, RI_CONE_SOLVED);
    CHECK_CLOSE(b.r[0], 1.0 / (2.0 - 0.4), 1e-13);
    CHECK_CLOSE(b.r[1], -0.4 / (2.0 - 0.4), 1e-13);
    close_bench(&b);
}

TEST(an_elliptic_cone_opposes_the_velocity_scaled_across)
{
    Bench b;
    open_bench(&b);
    solve_block(&b, 0.2, 3.0, RI_CONE_OPPOSED, -1.0, 3.0, 4.0);
    const double speed = hypot(b.u[1], b.u[2]), limit = 0.2 * b.r[0];
    CHECK_CLOSE(b.r[1], -limit * b.u[1] / speed, 1e-12); // r_T = -mu r_N diag(1, E) u_T / |u_T|
    CHECK_CLOSE(b.r[2], -limit * 3.0 * b.u[2] / speed, 1e-12);
    close_bench(&b);
}

TEST(the_associated_flow_dissipates_most_of_all_reactions_of_the_cone)
{
    Bench b;
    open_bench(&b);
    solve_block(&b, 0.2, 3.0, RI_CONE_ASSOCIATED, -1.0, 3.0, 4.0);
    const double power = b.r[1] * b.u[1] + b.r[2] * b.u[2], limit = 0.2 * b.r[0];
    double least = 0.0;
    for (int k = 0; k < 100000; k++) { // the ellipse by brute force
        const double angle = 2.0 * 3.14159265358979 * k / 100000.0;
        least = fmin(least, limit * cos(angle) * b.u[1] + 3.0 * limit * sin(angle) * b.u[2]);
    }
    CHECK_CLOSE(power, least, 1e-8);
    CHECK_CLOSE(hypot(b.r[1], b.r[2] / 3.0), limit, 1e-13);
    close_bench(&b);
}

// --- conditions on random problems ---------------------------------------------------------------

/// Coulomb's law with unilateral contact, contact by contact.
static void check_conditions(const RiConeProblem *p, const double *r, const double *u, double tolerance)
{
    double scale = 0.0, reach = 0.0;
    for (int i = 0; i < 3 * p->n; i++)
        scale = fmax(scale, fabs(p->q[i])), reach = fmax(reach, fabs(r[i]));
    const double speed = tolerance * scale, force = tolerance * reach;
    for (int i = 0; i < p->n; i++) {
        const double *a = r + 3 * i, *v = u + 3 * i, friction = hypot(a[1], a[2]), slip = hypot(v[1], v[2]);
        CHECK(v[0] >= -speed);                                     // nothing penetrates
        CHECK(a[0] >= 0.0 && friction <= p->mu[i] * a[0] + force); // in the cone
        CHECK(fabs(v[0] * a[0]) <= speed * reach);                 // either open or pressed
        CHECK_CLOSE(a[1] * v[1] + a[2] * v[2], -p->mu[i] * a[0] * slip,
                    3.0 * (speed * reach + force * slip)); // most dissipation
    }
}

TEST(random_problems_meet_every_condition_of_coulombs_law)
{
    Bench b;
    open_bench(&b);
    for (uint64_t k = 0; k < 60; k++) {
        const int n = 1 + (int)(k * 7 % 50);
        ConeCase *c = k % 2 ? cone_case_free(n, k) : cone_case_snake(n, k);
        REQUIRE(c);
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        CHECK(b.result.residual <= 1e-10);
        check_conditions(&c->problem, b.r, b.u, 1e-7);
        cone_case_destroy(c);
    }
    close_bench(&b);
}

TEST(the_residual_sees_every_kind_of_wrong)
{
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, q[3] = {-1, 3, 4}, mu = 0.5;
    const RiConeProblem p = {.n = 1, .W = W, .q = q, .mu = &mu};
    double u[3], good[3] = {2.0, -0.6, -0.8};
    CHECK(ri_cone_residual(&p, good, u) < 1e-15);
    const double wrong[5][3] = {{0, 0, 0}, {2.1, -0.6, -0.8}, {2, 0, 0}, {2, -0.8, -0.6}, {2, -1.2, -1.6}};
    for (int k = 0; k < 5; k++)
        CHECK(ri_cone_residual(&p, wrong[k], u) > 1e-3);
}

TEST(the_residual_sees_velocities_beside_reactions_of_any_size)
{
    const double W[9] = {0}, q[3] = {-0.1, 0.05, 0.0}, mu = 0.5; // r - (r - u) would be 0 in double precision
    const RiConeProblem p = {.n = 1, .W = W, .q = q, .mu = &mu};
    double u[3];
    CHECK(ri_cone_residual(&p, (const double[3]){1e18, 0.0, 0.0}, u) > 0.5);
    CHECK(ri_cone_residual(&p, (const double[3]){1e18, -4e17, 1e17}, u) > 0.5);
}

// --- hyperstatic ---------------------------------------------------------------------------------

/// A box on a plane with n contacts under it, sliding and turning.
static ConeCase *sliding_box(int n, uint64_t seed)
{
    ConeCase *c = cone_case_new(n, 6);
    const double v[6] = {1.0, 0.4, -0.05, 0.0, 0.0, 2.0};
    double R[9];
    for (int i = 0; c && i < 6; i++)
        c->M_inv[7 * i] = i < 3 ? 0.2 : 10.0, c->free_motion[i] = v[i];
    for (int i = 0; c && i < n; i++) {
        const double x = 0.3 * cone_case_random(&seed), y = 0.2 * cone_case_random(&seed);
        cone_case_frame((const double[3]){0, 0, 1}, R);
        cone_case_point(c, i, 0, (const double[3]){x, y, -0.1}, R, 1.0);
    }
    if (c && !cone_case_finish(c, 0.5)) {
        cone_case_destroy(c);
        return NULL;
    }
    return c;
}

/// Boxes on each other, four contacts each.
static ConeCase *stack(int boxes, double mu, uint64_t seed)
{
    ConeCase *c = cone_case_new(4 * boxes, 6 * boxes);
    double R[9];
    cone_case_frame((const double[3]){0, 0, 1}, R);
    for (int i = 0; c && i < 6 * boxes; i++) {
        c->M_inv[(size_t)i * (size_t)(6 * boxes + 1)] = i % 6 < 3 ? 1.0 : 10.0;
        c->free_motion[i] = 0.02 * cone_case_random(&seed) - (i % 6 == 2 ? 0.05 : 0.0);
    }
    for (int i = 0; c && i < 4 * boxes; i++) {
        const double x = i & 1 ? 0.5 : -0.5, y = i & 2 ? 0.5 : -0.5;
        cone_case_point(c, i, i / 4, (const double[3]){x, y, -0.5}, R, 1.0);
        if (i >= 4)
            cone_case_point(c, i, i / 4 - 1, (const double[3]){x, y, 0.5}, R, -1.0);
    }
    if (c && !cone_case_finish(c, mu)) {
        cone_case_destroy(c);
        return NULL;
    }
    return c;
}

TEST(redundant_sliding_contacts_are_solved_where_sweeps_stall)
{
    Bench b;
    open_bench(&b);
    for (int n = 4; n <= 48; n += 4) {
        ConeCase *c = sliding_box(n, 77);
        REQUIRE(c);
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        check_conditions(&c->problem, b.r, b.u, 1e-7);
        cone_case_destroy(c);
    }
    close_bench(&b);
}

TEST(stacks_with_more_unknowns_than_motions_are_solved)
{
    Bench b;
    open_bench(&b);
    for (uint64_t k = 1; k <= 30; k++) {
        ConeCase *c = stack(1 + (int)(k % 10), k % 3 ? 0.6 : 0.3, 1000 + k);
        REQUIRE(c);
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        check_conditions(&c->problem, b.r, b.u, 1e-6);
        cone_case_destroy(c);
    }
    close_bench(&b);
}

/// Without friction the problem is convex: reactions of 20 contacts on 6 motions are many,
/// velocities are one.
TEST(velocities_without_friction_do_not_depend_on_the_order_of_contacts)
{
    Bench b;
    open_bench(&b);
    ConeCase *c = sliding_box(20, 5);
    REQUIRE(c);
    const size_t n = 20, n3 = 60;
    static double W[3600], q[60], first[60];
    for (int i = 0; i < 20; i++)
        c->mu[i] = 0.0;
    solve(&b, &c->problem);
    memcpy(first, b.u, sizeof first);
    for (size_t i = 0; i < n3; i++) {
        q[i] = c->q[3 * (n - 1 - i / 3) + i % 3];
        for (size_t j = 0; j < n3; j++)
            W[i * n3 + j] = c->W[(3 * (n - 1 - i / 3) + i % 3) * n3 + 3 * (n - 1 - j / 3) + j % 3];
    }
    RiConeProblem p = c->problem;
    p.W = W, p.q = q;
    solve(&b, &p);
    CHECK_INT(b.result.end, RI_CONE_SOLVED);
    for (size_t i = 0; i < n3; i++)
        CHECK_CLOSE(b.u[i], first[3 * (n - 1 - i / 3) + i % 3], 1e-9);
    cone_case_destroy(c);
    close_bench(&b);
}

// --- extremes ------------------------------------------------------------------------------------

TEST(without_friction_only_normals_push)
{
    Bench b;
    open_bench(&b);
    ConeCase *c = cone_case_free(20, 3);
    REQUIRE(c);
    for (int i = 0; i < 20; i++)
        c->mu[i] = 0.0;
    solve(&b, &c->problem);
    CHECK_INT(b.result.end, RI_CONE_SOLVED);
    for (int i = 0; i < 20; i++)
        CHECK(b.r[3 * i + 1] == 0.0 && b.r[3 * i + 2] == 0.0);
    check_conditions(&c->problem, b.r, b.u, 1e-7);
    cone_case_destroy(c);
    close_bench(&b);
}

/// Solves problems 0 .. count-1 of a family; returns how many were, and checks the rest to say why
/// not.
static int solve_family(Bench *b, ConeFamily family, int count, double mu)
{
    int solved = 0;
    for (int k = 0; k < count; k++) {
        ConeCase *c = cone_family_case(family, (uint64_t)k, mu);
        if (!c)
            abort();
        solve(b, &c->problem);
        CHECK(b->result.end == RI_CONE_SOLVED ? b->result.residual <= 1e-10 : b->result.reason[0] != '\0');
        CHECK(isfinite(b->result.residual));
        solved += b->result.end == RI_CONE_SOLVED;
        cone_case_destroy(c);
    }
    return solved;
}

TEST(hyperstatic_families_are_solved_whatever_their_scale)
{
    enum { COUNT = 10 };
    const double friction[] = {0.0, 0.05, 0.3, 0.6, 0.7, 1.0, 2.0};
    Bench b;
    open_bench(&b);
    for (size_t m = 0; m < sizeof friction / sizeof *friction; m++)
        for (int f = CONE_BOX; f <= CONE_SCALES; f++)
            CHECK_INT(solve_family(&b, (ConeFamily)f, COUNT, friction[m]), COUNT);
    close_bench(&b);
}

TEST(families_with_friction_far_above_one_are_nearly_all_solved)
{
    enum { COUNT = 10 };
    Bench b;
    open_bench(&b);
    int solved = 0;
    for (int f = CONE_BOX; f <= CONE_SCALES; f++)
        solved += solve_family(&b, (ConeFamily)f, COUNT, 5.0) + solve_family(&b, (ConeFamily)f, COUNT, 10.0);
    CHECK(solved >= 2 * 7 * COUNT - 2);
    close_bench(&b);
}

TEST(piles_that_need_another_rho_are_solved)
{
    const uint64_t number[] = {16, 35, 44};
    const double friction[] = {0.7, 1.0, 1.5, 2.0};
    Bench b;
    open_bench(&b);
    for (int k = 0; k < 12; k++) {
        ConeCase *c = cone_family_case(CONE_PILE, number[k % 3], friction[k / 3]);
        REQUIRE(c);
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        cone_case_destroy(c);
    }
    close_bench(&b);
}

/// Random piles that took up to four thousand factors when only the map of Alart and Curnier and proximal points far
/// from the solution were tried on them.
TEST(an_interior_point_method_and_proximal_points_close_to_its_end_solve_piles_soon)
{
    const struct {
        uint64_t number;
        double friction;
    } piles[] = {{133, 0.3}, {7, 0.5}, {22, 0.5}, {98, 0.5}, {112, 0.5}};
    Bench b;
    open_bench(&b);
    for (size_t k = 0; k < sizeof piles / sizeof *piles; k++) {
        ConeCase *c = cone_family_case(CONE_PILE, piles[k].number, piles[k].friction);
        REQUIRE(c);
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        CHECK(b.result.factors <= (k == 0 ? 1500 : 400));
        cone_case_destroy(c);
    }
    close_bench(&b);
}

/// A rover at rest on two or three points per wheel, which differ by velocities of nanometres per
/// second.
static ConeCase *parked_rover(uint64_t number, double creep)
{
    uint64_t seed = 0x9e3779b97f4a7c15ULL * (number + 1);
    for (int k = 0; k < 8; k++)
        (void)cone_case_uniform(&seed);
    ConeCase *c = cone_family_wheels(&seed);
    for (int i = 0; c && i < c->v; i++)
        c->free_motion[i] = creep * cone_case_random(&seed) - (i == 2 ? 7.4e-3 : 0.0);
    if (c && !cone_case_finish(c, 0.8)) {
        cone_case_destroy(c);
        return NULL;
    }
    for (int i = 0; c && i < 3 * c->n; i++)
        c->q[i] += creep * cone_case_random(&seed);
    return c;
}

TEST(a_parked_rover_whose_wheels_creep_is_solved)
{
    Bench b;
    open_bench(&b);
    for (uint64_t k = 0; k < 60; k++) {
        ConeCase *c = parked_rover(k, k % 2 ? 1e-9 : 1e-8);
        REQUIRE(c);
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        cone_case_destroy(c);
    }
    close_bench(&b);
}

/// Reactions are 10^8 times the velocities: one on its cone is off it by more than 1e-10, one
/// inside is not.
TEST(heavy_stacks_at_rest_are_solved_inside_their_cones)
{
    Bench b;
    open_bench(&b);
    for (int boxes = 2; boxes <= 10; boxes++) {
        ConeCase *c = stack(boxes, 0.7, 1);
        REQUIRE(c);
        memset(c->W, 0, (size_t)(144 * boxes * boxes) * sizeof *c->W);
        for (int i = 0; i < c->v; i++) {
            c->M_inv[(size_t)i * (size_t)(c->v + 1)] *= 1e-8;
            c->free_motion[i] = 1e-3 * c->free_motion[i] - (i % 6 == 2 ? 0.05 : 0.0);
        }
        REQUIRE(cone_case_finish(c, 0.7));
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        CHECK(b.r[0] > 1e5);
        cone_case_destroy(c);
    }
    close_bench(&b);
}

TEST(rebounds_that_no_motion_has_are_solved_or_called_hopeless)
{
    Bench b;
    open_bench(&b);
    CHECK(solve_family(&b, CONE_BOUNCE, 12, 0.0) >= 11);
    CHECK(solve_family(&b, CONE_BOUNCE, 12, 0.6) >= 9);
    close_bench(&b);
}

TEST(a_million_of_friction_is_solved_as_far_as_rounding_lets_it)
{
    Bench b;
    open_bench(&b);
    int named = 0;
    for (uint64_t k = 1; k <= 20; k++) {
        ConeCase *c = k % 2 ? sliding_box(8, k) : stack(2, 1e6, k);
        REQUIRE(c);
        for (int i = 0; i < c->n; i++)
            c->mu[i] = 1e6;
        solve(&b, &c->problem);
        CHECK(b.result.residual <= 1e-7);
        const bool rounded = strstr(b.result.reason, "rounding of reactions and friction") != NULL;
        CHECK(b.result.end == RI_CONE_SOLVED || (b.result.end == RI_CONE_STALLED && rounded));
        named += rounded;
        for (int i = 0; i < c->n; i++) // nothing slides
            CHECK(b.r[3 * i] == 0.0 || hypot(b.u[3 * i + 1], b.u[3 * i + 2]) <= 1e-12);
        cone_case_destroy(c);
    }
    CHECK(named > 0);
    close_bench(&b);
}

TEST(passes_of_splitting_are_summed_over_its_calls)
{
    Bench b;
    open_bench(&b);
    ConeCase *c = stack(3, 0.5, 1);
    REQUIRE(c);
    solve(&b, &c->problem);
    const int before = b.result.splitting;
    b.solver->result = &b.result;
    for (int k = 1; k <= 2; k++) {
        b.solver->budget = 1000;
        CHECK(ri_cone_split(b.solver, 20));
        CHECK_INT(b.result.splitting, before + 20 * k);
    }
    cone_case_destroy(c);
    close_bench(&b);
}

TEST(a_contact_that_nothing_can_stop_is_inconsistent)
{
    Bench b;
    const double W[9] = {0}, q[3] = {-1, 0, 0}, mu = 0.5;
    open_bench(&b);
    solve(&b, &(RiConeProblem){.n = 1, .W = W, .q = q, .mu = &mu});
    CHECK_INT(b.result.end, RI_CONE_INCONSISTENT);
    CHECK(strstr(b.result.reason, "contact 0"));
    close_bench(&b);
}

TEST(a_body_squeezed_by_two_closing_walls_is_inconsistent)
{
    // One coordinate x between two walls that both close: u = (x' + q_1, -x' + q_2) with q_1 + q_2
    // < 0.
    Bench b;
    double W[36] = {0};
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0, 0};
    W[0] = W[3 * 6 + 3] = 1.0, W[3] = W[3 * 6] = -1.0;
    W[7] = W[14] = W[28] = W[35] = 1.0;
    open_bench(&b);
    solve(&b, &(RiConeProblem){.n = 2, .W = W, .q = q, .mu = mu});
    CHECK(b.result.end != RI_CONE_SOLVED);
    CHECK(b.result.reason[0] != '\0');
    CHECK_INT(b.result.end, RI_CONE_INCONSISTENT);
    close_bench(&b);
}

/// A body between two walls that both come in, four contacts with friction on each: nothing stops
/// that. Reactions of the answer are small all the same.
TEST(a_squeezed_body_with_friction_is_proven_inconsistent_with_reactions_that_stay_small)
{
    Bench b;
    open_bench(&b);
    for (int k = 0; k < 12; k++) {
        uint64_t seed = 1234567 + 7919 * (uint64_t)k;
        ConeCase *c = cone_case_new(8, 6);
        double R[9], largest = 0.0;
        REQUIRE(c);
        cone_family_body(c, 0, 2.0, 0.1, 0.3, &seed);
        for (int i = 0; i < 8; i++) {
            const double sign = i & 1 ? 1.0 : -1.0, y = i & 2 ? 0.1 : -0.1, z = i & 4 ? 0.1 : -0.1;
            cone_case_frame((const double[3]){-sign, 0.0, 0.0}, R);
            cone_case_point(c, i, 0, (const double[3]){0.1 * sign, y, z}, R, 1.0);
        }
        REQUIRE(cone_case_finish(c, 0.2 * k));
        for (int i = 0; i < 8; i++)
            c->q[3 * i] -= 0.1;
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_INCONSISTENT);
        CHECK(strstr(b.result.reason, "close against each other"));
        for (int i = 0; i < 24; i++)
            largest = fmax(largest, fabs(b.r[i]));
        CHECK(largest < 1e7 && b.result.iterations < 1000);
        cone_case_destroy(c);
    }
    close_bench(&b);
}

TEST(bad_numbers_are_refused)
{
    Bench b;
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0.5;
    const RiConeProblem p = {.n = 1, .W = W, .q = q, .mu = &mu};
    open_bench(&b);
    W[4] = NAN;
    solve(&b, &p);
    CHECK_INT(b.result.end, RI_CONE_BAD_INPUT);
    CHECK_ERROR(b.ctx, ri_cone_check(b.ctx, &p), RI_ERR_ARGUMENT, "W[4]");
    W[4] = 1.0, q[1] = INFINITY;
    solve(&b, &p);
    CHECK_INT(b.result.end, RI_CONE_BAD_INPUT);
    q[1] = 0.0, mu = -0.1;
    solve(&b, &p);
    CHECK_INT(b.result.end, RI_CONE_BAD_INPUT);
    CHECK_ERROR(b.ctx, ri_cone_check(b.ctx, &p), RI_ERR_ARGUMENT, "mu[0]");
    mu = 0.5;
    solve(&b, &(RiConeProblem){.n = MOST + 1, .W = W, .q = q, .mu = &mu}); // does not look at them
    CHECK_INT(b.result.end, RI_CONE_BAD_INPUT);
    solve(&b, &(RiConeProblem){.n = 0});
    CHECK_INT(b.result.end, RI_CONE_SOLVED);
    close_bench(&b);
}

// --- storage, kernels, starts --------------------------------------------------------------------

/// Blocks of a dense matrix that are not zero.
typedef struct Rows {
    int row[31], column[900];
    double block[900 * 9];
} Rows;

static RiConeProblem by_blocks(const RiConeProblem *dense, Rows *rows)
{
    int count = 0;
    for (int i = 0; i < dense->n; i++) {
        for (int j = 0; j < dense->n; j++) {
            double *w = rows->block + 9 * count;
            bool any = false;
            ri_cone_block(dense, i, j, w);
            for (int k = 0; k < 9; k++)
                any |= w[k] != 0.0;
            rows->column[count] = j;
            count += any;
        }
        rows->row[i + 1] = count;
    }
    RiConeProblem p = *dense;
    p.W = NULL, p.row = rows->row, p.column = rows->column, p.block = rows->block;
    return p;
}

TEST(blocks_and_dense_matrices_give_the_same_bits)
{
    Bench b;
    open_bench(&b);
    for (int k = 0; k < 4; k++) { // sparse and full, round and elliptic
        static Rows rows;
        ConeCase *c = k % 2 ? cone_case_snake(30, 2) : cone_case_free(30, 2);
        double first[90], across[30];
        REQUIRE(c);
        for (int i = 0; i < 30; i++)
            across[i] = 0.5 + 0.05 * i;
        c->problem.across = k / 2 ? across : NULL;
        c->problem.flow = k == 3 ? RI_CONE_ASSOCIATED : RI_CONE_OPPOSED;
        solve(&b, &c->problem);
        memcpy(first, b.r, sizeof first);
        const RiConeProblem p = by_blocks(&c->problem, &rows);
        CHECK_INT(rows.row[30] == 900, k % 2);
        CHECK_OK(b.ctx, ri_cone_check(b.ctx, &p));
        solve(&b, &p);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        CHECK(memcmp(first, b.r, sizeof first) == 0);
        rows.column[rows.row[3]] = 29;
        CHECK_ERROR(b.ctx, ri_cone_check(b.ctx, &p), RI_ERR_ARGUMENT, "column[");
        cone_case_destroy(c);
    }
    close_bench(&b);
}

/// A full matrix is not copied: only columns of contacts that carry are, when they first do.
TEST(a_bad_number_anywhere_in_a_full_matrix_is_refused)
{
    Bench b;
    open_bench(&b);
    ConeCase *c = cone_case_snake(50, 3);
    REQUIRE(c);
    solve(&b, &c->problem);
    CHECK_INT(b.result.end, RI_CONE_SOLVED);
    CHECK(b.result.open > 25);
    for (size_t k = 0; k < 150 * 150; k += 331) {
        const double good = c->W[k];
        c->W[k] = k % 2 ? NAN : -INFINITY;
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_BAD_INPUT);
        c->W[k] = good;
    }
    cone_case_destroy(c);
    close_bench(&b);
}

/// One contact in three carries, at the start, the end, and alone: runs of columns.
TEST(velocities_are_those_of_the_product_by_hand)
{
    ConeCase *c = cone_case_snake(40, 5);
    double r[120] = {0}, u[120];
    REQUIRE(c);
    for (int i = 0; i < 120; i++)
        r[i] = i / 3 % 3 == 0 || i >= 105 ? sin(i + 1.0) : 0.0;
    ri_cone_velocity(&c->problem, r, u);
    for (int i = 0; i < 120; i++) {
        double sum = c->q[i];
        for (int k = 0; k < 120; k++)
            sum += c->W[120 * i + k] * r[k];
        CHECK_CLOSE(u[i], sum, 1e-13);
    }
    cone_case_destroy(c);
}

TEST(all_kernels_give_the_same_bits)
{
    Bench b;
    open_bench(&b);
    const char *const names[] = {"generic", "avx2", "avx512"};
    for (uint64_t k = 0; k < 8; k++) {
        ConeCase *c = k % 2 ? cone_case_free(40, k) : cone_case_snake(k < 4 ? 14 : 90, k);
        static double first[3 * MOST];
        REQUIRE(c);
        for (int i = 0; i < 3; i++) {
            if (!ri_cone_solver_set_kernels(b.solver, names[i]))
                continue;
            solve(&b, &c->problem);
            if (i == 0)
                memcpy(first, b.r, sizeof first);
            CHECK(memcmp(first, b.r, 3 * (size_t)c->n * sizeof *first) == 0);
        }
        cone_case_destroy(c);
    }
    CHECK(!ri_cone_solver_set_kernels(b.solver, "abacus"));
    close_bench(&b);
}

TEST(a_warm_start_along_a_path_stays_true_and_allocates_nothing)
{
    Bench b;
    open_bench(&b);
    ConeCase *c = cone_case_free(24, 4);
    REQUIRE(c);
    double motion[36];
    RiConeOptions options = ri_cone_options_default();
    const unsigned long long before = ri_context_allocation_count(b.ctx);
    long warm = 0, cold = 0;
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < c->v; i++)
            motion[i] = c->free_motion[i] * (1.0 + 0.5 * sin(0.05 * k + i));
        cone_case_q(c, motion);
        options.warm = k > 0;
        ri_cone_solve(b.solver, &c->problem, &options, b.r, b.u, &b.result);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        check_conditions(&c->problem, b.r, b.u, 1e-7);
        warm += b.result.iterations;
        double r[72], u[72];
        RiConeResult again;
        memset(r, 0, sizeof r);
        if (k % 10 == 0) {
            RiConeSolver *other = NULL;
            REQUIRE_OK(b.ctx, ri_cone_solver_create(b.ctx, 24, 0, &other));
            options.warm = false;
            ri_cone_solve(other, &c->problem, &options, r, u, &again);
            cold += 10 * again.iterations;
            for (int i = 0; i < 72; i++)
                CHECK_CLOSE(b.u[i], u[i], 1e-8);
            ri_cone_solver_destroy(other);
        }
    }
    CHECK(warm < cold);
    CHECK_INT(ri_context_allocation_count(b.ctx) - before, 2 * 20); // those of the other solvers
    cone_case_destroy(c);
    close_bench(&b);
}

/// Every contact carries and the matrix is full, but each contact moves itself far more than the
/// others do.
TEST(contacts_that_hardly_know_of_each_other_are_swept_and_factored_only_when_that_pays)
{
    const char *const names[] = {"generic", "avx2", "avx512"};
    double first[3 * 80];
    Bench b;
    open_bench(&b);
    ConeCase *c = cone_case_feet(80, 1);
    REQUIRE(c);
    for (int i = 0; i < 3; i++) {
        if (!ri_cone_solver_set_kernels(b.solver, names[i]))
            continue;
        solve(&b, &c->problem);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        CHECK_INT(b.result.factors, 0);
        CHECK_INT(b.result.open, 0);
        check_conditions(&c->problem, b.r, b.u, 1e-7);
        if (i == 0)
            memcpy(first, b.r, sizeof first);
        CHECK(memcmp(first, b.r, sizeof first) == 0);
    }
    RiConeOptions options = ri_cone_options_default();
    int factors = 0, swept = 0;
    options.warm = true;
    for (int k = 0; k < 40; k++) { // along a trajectory a factor is paid for once sweeps have cost as much
        for (int i = 0; i < 240; i++)
            c->q[i] *= 1.0 + 1e-4 * sin(k + i);
        ri_cone_solve(b.solver, &c->problem, &options, b.r, b.u, &b.result);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
        factors += b.result.factors;
        swept += b.result.factors == 0 && b.result.newton == 0;
    }
    CHECK(factors >= 1 && factors <= 10);
    CHECK(swept >= 1 && swept <= 30);
    cone_case_destroy(c);
    close_bench(&b);
}

TEST(small_problems_are_followed_with_three_newton_steps_alike_by_all_kernels)
{
    const char *const names[] = {"generic", "avx2", "avx512"};
    static double first[100][18];
    Bench b;
    open_bench(&b);
    ConeCase *c = cone_case_free(6, 1);
    REQUIRE(c);
    RiConeOptions options = ri_cone_options_default();
    for (int i = 0; i < 3; i++) {
        if (!ri_cone_solver_set_kernels(b.solver, names[i]))
            continue;
        int newton = 0, sweeps = 0;
        for (int k = 0; k < 100; k++) {
            double motion[12], u[18];
            for (int l = 0; l < c->v; l++)
                motion[l] = c->free_motion[l] * (1.0 + 0.05 * sin(0.0628 * k + l));
            cone_case_q(c, motion);
            options.warm = k > 0;
            ri_cone_solve(b.solver, &c->problem, &options, b.r, b.u, &b.result);
            CHECK_INT(b.result.end, RI_CONE_SOLVED);
            CHECK(ri_cone_residual(&c->problem, b.r, u) <= 1e-10);
            CHECK_CLOSE(b.result.residual, ri_cone_residual(&c->problem, b.r, u), 1e-13);
            check_conditions(&c->problem, b.r, b.u, 1e-7);
            if (i == 0)
                memcpy(first[k], b.r, sizeof first[k]);
            CHECK(memcmp(first[k], b.r, sizeof first[k]) == 0);
            newton += k > 0 ? b.result.newton : 0;
            sweeps += k > 0 ? b.result.sweeps : 0;
        }
        CHECK(newton <= 3 * 99);
        CHECK(sweeps <= 4);
    }
    cone_case_destroy(c);
    close_bench(&b);
}

TEST(a_useless_guess_does_no_harm)
{
    Bench b;
    open_bench(&b);
    ConeCase *c = cone_case_free(12, 9);
    REQUIRE(c);
    RiConeOptions options = ri_cone_options_default();
    options.warm = true;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 36; i++)
            b.r[i] = k == 0 ? NAN : k == 1 ? -1e9 : 1e12;
        ri_cone_solve(b.solver, &c->problem, &options, b.r, b.u, &b.result);
        CHECK_INT(b.result.end, RI_CONE_SOLVED);
    }
    cone_case_destroy(c);
    close_bench(&b);
}

/// A solver made for more contacts than it could factor takes no matrix; small problems show that it
/// ends where the others do.
TEST(sparse_problems_are_solved_without_a_matrix)
{
    enum { VAST = 4001 };
    Bench b;
    open_bench(&b);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ConeHeap *h = cone_heap(seed % 2 ? 4 : 8, 5, seed < 5 ? 0.6 : 0.0, seed % 3 ? 0.1 : 0.01, seed);
        REQUIRE(h);
        RiConeSolver *vast;
        RiConeResult result;
        const RiConeOptions options = ri_cone_options_default();
        double *r = calloc(6 * (size_t)h->n, sizeof *r), *u = r + 3 * h->n;
        REQUIRE(r);
        CHECK_OK(b.ctx, ri_cone_check(b.ctx, &h->problem));
        CHECK_OK(b.ctx, ri_cone_solver_create(b.ctx, VAST, h->blocks, &vast));
        CHECK(ri_cone_solver_bytes(vast) < (size_t)20000000);
        ri_cone_solve(vast, &h->problem, &options, r, u, &result);
        CHECK_INT(result.end, RI_CONE_SOLVED);
        CHECK_INT(result.factors, 0);
        CHECK(ri_cone_residual(&h->problem, r, u) <= options.tolerance);
        check_conditions(&h->problem, r, u, 1e-9);
        free(r);
        ri_cone_solver_destroy(vast);
        cone_heap_destroy(h);
    }
    close_bench(&b);
}

TEST(elliptic_cones_and_warm_starts_work_without_a_matrix)
{
    Bench b;
    open_bench(&b);
    for (int flow = 0; flow < 2; flow++) {
        ConeHeap *h = cone_heap(4, 5, 0.6, 0.1, 3);
        REQUIRE(h);
        RiConeSolver *vast;
        RiConeResult result;
        RiConeOptions options = ri_cone_options_default();
        double *r = calloc(7 * (size_t)h->n, sizeof *r), *u = r + 3 * h->n, *across = u + 3 * h->n;
        REQUIRE(r);
        for (int i = 0; i < h->n; i++)
            across[i] = 0.5 + (i % 7) / 7.0;
        h->problem.across = across;
        h->problem.flow = flow ? RI_CONE_ASSOCIATED : RI_CONE_OPPOSED;
        CHECK_OK(b.ctx, ri_cone_solver_create(b.ctx, 4001, h->blocks, &vast));
        ri_cone_solve(vast, &h->problem, &options, r, u, &result);
        CHECK_INT(result.end, RI_CONE_SOLVED);
        const int cold = result.iterations + result.products;
        options.warm = true;
        ri_cone_solve(vast, &h->problem, &options, r, u, &result);
        CHECK_INT(result.end, RI_CONE_SOLVED);
        CHECK(result.iterations + result.products < cold);
        free(r);
        ri_cone_solver_destroy(vast);
        cone_heap_destroy(h);
    }
    close_bench(&b);
}

TEST(large_solvers_want_to_know_their_blocks)
{
    Bench b;
    open_bench(&b);
    RiConeSolver *s;
    CHECK_ERROR(b.ctx, ri_cone_solver_create(b.ctx, 4001, 0, &s), RI_ERR_LIMIT, "number of blocks");
    CHECK_ERROR(b.ctx, ri_cone_solver_create(b.ctx, 200001, 10, &s), RI_ERR_LIMIT, "200000");
    CHECK(!s);
    close_bench(&b);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
    for (long k = 0;; k++) {
        Faults faults = {.fail_at = -1};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        RiConeSolver *solver;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        faults.call = 0, faults.fail_at = k;
        const RiStatus status = ri_cone_solver_create(ctx, 10, 20, &solver);
        CHECK(status == RI_OK ? solver != NULL : solver == NULL && status == RI_ERR_MEMORY);
        ri_cone_solver_destroy(solver);
        const bool done = faults.call <= k;
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
        if (done)
            break;
    }
}

TEST_MAIN(CASE(a_rising_block_leaves_without_reaction), CASE(a_slow_block_sticks_with_the_impulse_that_stops_it),
          CASE(sparse_problems_are_solved_without_a_matrix), CASE(elliptic_cones_and_warm_starts_work_without_a_matrix),
          CASE(large_solvers_want_to_know_their_blocks), CASE(a_fast_block_slides_against_mu_times_the_normal_impulse),
          CASE(coupled_normal_and_tangent_slide_by_the_root_of_the_quartic),
          CASE(an_elliptic_cone_opposes_the_velocity_scaled_across),
          CASE(the_associated_flow_dissipates_most_of_all_reactions_of_the_cone),
          CASE(random_problems_meet_every_condition_of_coulombs_law), CASE(the_residual_sees_every_kind_of_wrong),
          CASE(the_residual_sees_velocities_beside_reactions_of_any_size),
          CASE(redundant_sliding_contacts_are_solved_where_sweeps_stall),
          CASE(stacks_with_more_unknowns_than_motions_are_solved),
          CASE(velocities_without_friction_do_not_depend_on_the_order_of_contacts),
          CASE(without_friction_only_normals_push), CASE(hyperstatic_families_are_solved_whatever_their_scale),
          CASE(families_with_friction_far_above_one_are_nearly_all_solved),
          CASE(piles_that_need_another_rho_are_solved),
          CASE(an_interior_point_method_and_proximal_points_close_to_its_end_solve_piles_soon),
          CASE(a_parked_rover_whose_wheels_creep_is_solved), CASE(heavy_stacks_at_rest_are_solved_inside_their_cones),
          CASE(rebounds_that_no_motion_has_are_solved_or_called_hopeless),
          CASE(a_million_of_friction_is_solved_as_far_as_rounding_lets_it),
          CASE(passes_of_splitting_are_summed_over_its_calls), CASE(a_contact_that_nothing_can_stop_is_inconsistent),
          CASE(a_body_squeezed_by_two_closing_walls_is_inconsistent),
          CASE(a_squeezed_body_with_friction_is_proven_inconsistent_with_reactions_that_stay_small),
          CASE(bad_numbers_are_refused), CASE(blocks_and_dense_matrices_give_the_same_bits),
          CASE(a_bad_number_anywhere_in_a_full_matrix_is_refused), CASE(velocities_are_those_of_the_product_by_hand),
          CASE(all_kernels_give_the_same_bits), CASE(a_warm_start_along_a_path_stays_true_and_allocates_nothing),
          CASE(contacts_that_hardly_know_of_each_other_are_swept_and_factored_only_when_that_pays),
          CASE(small_problems_are_followed_with_three_newton_steps_alike_by_all_kernels),
          CASE(a_useless_guess_does_no_harm), CASE(every_failed_allocation_is_reported_and_leaks_nothing))
