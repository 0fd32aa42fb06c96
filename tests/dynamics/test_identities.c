// SPDX-License-Identifier: Apache-2.0
/// \file
/// Identities that hold for every robot, over random trees with all joint types and couplings: the
/// algorithms agree with each other, and with sums and differences that are computed here without
/// them.
#include "support/trees.h"

#include "dynamics/dyn.h"

// --- forward, inverse, mass matrix ---------------------------------------------------------------

static int ill_conditioned; // trees for which 1e-10 was too much to ask

/// Two ways to the same acceleration agree to 1e-10 relative. Chains of a hundred bodies and more
/// can have mass matrices with condition numbers of 1e8 and above: rounding one number of the input
/// moves the answer by eps * condition, so no two algorithms can agree better than that. Such trees
/// are counted: they must stay rare.
static void check_acceleration(Robot *r, const double *a, const double *b)
{
    const double error = relative_difference(a, b, r->nv);
    if (error <= 1e-10)
        return;
    ill_conditioned++;
    CHECK_SMALL(r, error, 0.1 * 2.2e-16 * robot_condition(r));
}

static void forward_and_inverse(Robot *r)
{
    double *a = numbers((size_t)r->nv), *tau = numbers((size_t)r->nv);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    ri_dyn_inverse(r->d, a, tau);
    CHECK_SMALL(r, relative_difference(tau, r->tau, r->nv), 1e-10);
    ri_dyn_inverse(r->d, r->a, tau);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, tau, a));
    check_acceleration(r, a, r->a);
    free(a);
    free(tau);
}

TEST(forward_inverts_inverse)
{
    ill_conditioned = 0;
    over_trees(TREE_COUNT, forward_and_inverse);
    CHECK(ill_conditioned <= TREE_COUNT / 20);
}

/// y = M x.
static void multiply(int n, const double *M, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int k = 0; k < n; k++)
            y[i] += M[(size_t)i * (size_t)n + (size_t)k] * x[k];
    }
}

static void mass_matrix_solves(Robot *r)
{
    const int n = r->nv;
    double *M = numbers((size_t)n * (size_t)n), *bias = numbers((size_t)n), *tau = numbers((size_t)n),
           *sum = numbers((size_t)n), *a = numbers((size_t)n), *x = numbers((size_t)n), *y = numbers((size_t)n);
    ri_dyn_mass_matrix(r->d, M);
    ri_dyn_inverse(r->d, NULL, bias);
    ri_dyn_inverse(r->d, r->a, tau);
    multiply(n, M, r->a, sum);
    for (int i = 0; i < n; i++) {
        sum[i] += bias[i];
        for (int k = 0; k < i; k++)
            CHECK(M[(size_t)i * (size_t)n + (size_t)k] == M[(size_t)k * (size_t)n + (size_t)i]);
    }
    CHECK_SMALL(r, relative_difference(sum, tau, n), 1e-10);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    for (int i = 0; i < n; i++)
        x[i] = y[i] = sum[i] = r->tau[i] - bias[i];
    REQUIRE_OK(r->ctx, ri_dyn_factor(r->d));
    ri_dyn_solve(r->d, x);
    check_acceleration(r, x, a);
    REQUIRE_OK(r->ctx, ri_dyn_articulate(r->d));
    ri_dyn_apply_inverse(r->d, y);
    check_acceleration(r, y, a);
    CHECK(cholesky_solve(n, M, sum)); // positive definite
    check_acceleration(r, sum, a);
    free(M), free(bias), free(tau), free(sum), free(a), free(x), free(y);
}

TEST(mass_matrix_solve_equals_forward)
{
    ill_conditioned = 0;
    over_trees(TREE_COUNT, mass_matrix_solves);
    CHECK(ill_conditioned <= TREE_COUNT / 20);
}

static void articulates_alone(Robot *r)
{
    double *x = numbers((size_t)r->nv), *y = numbers((size_t)r->nv);
    for (int i = 0; i < r->nv; i++)
        x[i] = y[i] = r->tau[i];
    REQUIRE_OK(r->ctx, ri_dyn_update_position(r->d, r->q)); // forgets articulated inertias of an earlier forward
    REQUIRE_OK(r->ctx, ri_dyn_articulate(r->d));
    ri_dyn_apply_inverse(r->d, x);
    ri_dyn_mass_matrix(r->d, NULL);
    REQUIRE_OK(r->ctx, ri_dyn_factor(r->d));
    ri_dyn_solve(r->d, y);
    check_acceleration(r, x, y);
    free(x), free(y);
}

TEST(apply_inverse_needs_no_forward_pass)
{
    ill_conditioned = 0;
    over_trees(TREE_COUNT, articulates_alone);
    CHECK(ill_conditioned <= TREE_COUNT / 20);
}

// --- frames --------------------------------------------------------------------------------------

static RiSpatial times(const double *J, int nv, const double *x)
{
    double y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = 0.0;
        for (int k = 0; k < nv; k++)
            y[i] += J[i * nv + k] * x[k];
    }
    return (RiSpatial){{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

static void frame_moves_as_its_jacobian(Robot *r)
{
    double *J = numbers(6 * (size_t)r->nv), *a = numbers((size_t)r->nv);
    for (int i = 0; i < 6; i++) {
        const int frame = i < 3 ? r->nl + i : ri_rng_below(&r->rng, r->nl);
        const Path path = robot_follow(r, frame, 1e-3);
        const RiSpatial v = ri_dyn_frame_velocity(r->d, frame), bias = ri_dyn_frame_bias(r->d, frame);
        ri_dyn_frame_jacobian(r->d, frame, J);
        const double sv = 1.0 + spatial_size(v), sa = 1.0 + spatial_size(bias);
        CHECK_SMALL(r, spatial_difference(times(J, r->nv, r->v), v) / sv, 1e-12);
        CHECK_SMALL(r, spatial_difference(path_pose_rate(&path), v) / sv, 1e-9);
        CHECK_SMALL(r, spatial_difference(path_velocity_rate(&path), bias) / sa, 1e-9);
        REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
        RiSpatial Ja = times(J, r->nv, a);
        Ja.ang = ri_add(Ja.ang, bias.ang);
        Ja.lin = ri_add(Ja.lin, bias.lin);
        const RiSpatial acc = ri_dyn_frame_acceleration(r->d, frame);
        CHECK_SMALL(r, spatial_difference(acc, Ja) / (1.0 + spatial_size(Ja) + largest(a, r->nv)), 1e-11);
    }
    free(J), free(a);
}

TEST(frames_move_as_their_jacobians_say)
{
    over_trees(TREE_COUNT, frame_moves_as_its_jacobian);
}

/// Every column on its own: move one coordinate, look where the frame goes.
static void jacobian_column_by_column(Robot *r)
{
    double *J = numbers(6 * (size_t)r->nv), *keep = numbers((size_t)r->nv);
    const int frame = r->nl;
    ri_dyn_frame_jacobian(r->d, frame, J);
    memcpy(keep, r->v, (size_t)r->nv * sizeof *keep);
    for (int k = 0; k < r->nv && k < 40; k++) {
        memset(r->v, 0, (size_t)r->nv * sizeof *r->v);
        r->v[k] = 1.0;
        const Path path = robot_follow(r, frame, 1e-3);
        CHECK_SMALL(r, spatial_difference(path_pose_rate(&path), times(J, r->nv, r->v)), 1e-9);
    }
    memcpy(r->v, keep, (size_t)r->nv * sizeof *keep);
    free(J), free(keep);
}

TEST(jacobian_columns_equal_differences)
{
    over_trees(TREE_COUNT / 2, jacobian_column_by_column);
}

static void link_jacobians_match(Robot *r)
{
    const size_t block = 6 * (size_t)r->nv;
    double *all = numbers((size_t)r->nl * block), *one = numbers(block);
    for (size_t i = 0; i < (size_t)r->nl * block; i++)
        all[i] = NAN; // zero columns must be written too
    ri_dyn_link_jacobians(r->d, all);
    double most = 0.0;
    for (int l = 0; l < r->nl; l++) {
        ri_dyn_frame_jacobian(r->d, l, one);
        const double e = largest_difference(all + (size_t)l * block, one, 6 * r->nv);
        most = e > most || isnan(e) ? e : most;
    }
    CHECK_SMALL(r, most, 1e-12);
    free(all), free(one);
}

TEST(link_jacobians_equal_frame_jacobians)
{
    over_trees(TREE_COUNT, link_jacobians_match);
}

/// Joint positions satisfy the couplings, joint rates follow from v, q' from both.
static void couplings_hold(Robot *r)
{
    for (int i = 0; i < r->spec->coupling_count; i++) {
        const RiCouplingSpec *x = &r->spec->couplings[i];
        double position = -x->offset, rate = 0.0;
        for (int k = 0; k < x->term_count; k++) {
            const int j = ri_model_find_joint(r->m, x->terms[k].joint);
            double q, v;
            ri_dyn_joint_position(r->d, j, &q);
            ri_dyn_joint_velocity(r->d, j, &v);
            position += x->terms[k].factor * q;
            rate += x->terms[k].factor * v;
        }
        CHECK_SMALL(r, fabs(position), 1e-12);
        CHECK_SMALL(r, fabs(rate), 1e-12);
    }
    double *qdot = numbers((size_t)r->nq), *sum = numbers((size_t)r->nq), *q = numbers((size_t)r->nq);
    ri_dyn_get_qdot(r->d, qdot);
    for (int k = 1; k <= 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            ri_model_integrate(r->m, r->q, r->v, side * k * 1e-3, q);
            for (int i = 0; i < r->nq; i++)
                sum[i] += side * stencil[k - 1] * q[i] / 1e-3;
        }
    CHECK_SMALL(r, largest_difference(qdot, sum, r->nq), 1e-10);
    free(qdot), free(sum), free(q);
}

TEST(couplings_hold_exactly_and_q_rates_follow)
{
    over_trees(TREE_COUNT, couplings_hold);
}

static void difference_inverts_integrate(Robot *r)
{
    double *q = numbers((size_t)r->nq), *v = numbers((size_t)r->nv);
    ri_model_integrate(r->m, r->q, r->v, 1.0, q);
    ri_model_difference(r->m, r->q, q, v);
    CHECK_SMALL(r, largest_difference(v, r->v, r->nv), 1e-13);
    free(q), free(v);
}

TEST(difference_of_positions_inverts_integration)
{
    over_trees(TREE_COUNT, difference_inverts_integrate);
}

// --- forces --------------------------------------------------------------------------------------

/// tau += J^T f for a force at a point of a link.
static void add_transposed(Robot *r, int link, RiVec3 force, RiVec3 couple, RiVec3 point, double *J, double *tau)
{
    ri_dyn_frame_jacobian(r->d, link, J);
    const RiVec3 arm = ri_sub(point, ri_dyn_frame_pose(r->d, link).p), m = ri_add(couple, ri_cross(arm, force));
    const double f[6] = {m.x, m.y, m.z, force.x, force.y, force.z};
    for (int k = 0; k < r->nv; k++)
        for (int i = 0; i < 6; i++)
            tau[k] += J[i * r->nv + k] * f[i];
}

static void wrench_acts_as_transposed_jacobian(Robot *r)
{
    double *J = numbers(6 * (size_t)r->nv), *tau = numbers((size_t)r->nv), *a = numbers((size_t)r->nv),
           *b = numbers((size_t)r->nv);
    memcpy(tau, r->tau, (size_t)r->nv * sizeof *tau);
    ri_dyn_clear_wrenches(r->d);
    for (int i = 0; i < 4; i++) {
        const int link = ri_rng_below(&r->rng, r->nl);
        const RiVec3 f = random_vec3(&r->rng, 5.0), c = random_vec3(&r->rng, 2.0);
        const RiVec3 p = ri_add(ri_dyn_frame_pose(r->d, link).p, random_vec3(&r->rng, 0.3));
        ri_dyn_add_wrench(r->d, link, f, c, p);
        add_transposed(r, link, f, c, p, J, tau);
    }
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    ri_dyn_inverse(r->d, a, b); // inverse knows the wrenches as well
    CHECK_SMALL(r, relative_difference(b, r->tau, r->nv), 1e-10);
    ri_dyn_clear_wrenches(r->d);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, tau, b));
    CHECK_SMALL(r, relative_difference(a, b, r->nv), 1e-10);
    free(J), free(tau), free(a), free(b);
}

TEST(external_wrench_acts_as_its_transposed_jacobian)
{
    over_trees(TREE_COUNT, wrench_acts_as_transposed_jacobian);
}

/// Rows of the point's translational Jacobian: 3 x nv.
static void point_jacobian(Robot *r, const RiPoint *p, double *J, double *out)
{
    ri_dyn_frame_jacobian(r->d, p->link, J);
    const RiVec3 arm = ri_sub(p->point_W, ri_dyn_frame_pose(r->d, p->link).p);
    for (int k = 0; k < r->nv; k++) {
        const RiVec3 w = ri_vec3(J[k], J[r->nv + k], J[2 * r->nv + k]), turn = ri_cross(w, arm);
        out[k] = J[3 * r->nv + k] + turn.x;
        out[r->nv + k] = J[4 * r->nv + k] + turn.y;
        out[2 * r->nv + k] = J[5 * r->nv + k] + turn.z;
    }
}

/// W = J M^-1 J^T with dense pieces: M^-1 by ri_dyn_solve, J from frames.
static void dense_delassus(Robot *r, int n, const RiPoint *points, double *W)
{
    const size_t nv = (size_t)r->nv;
    double *J = numbers(6 * nv), *rows = numbers(3 * (size_t)n * nv), *x = numbers(nv);
    for (int i = 0; i < n; i++)
        point_jacobian(r, &points[i], J, rows + 3 * (size_t)i * nv);
    ri_dyn_mass_matrix(r->d, NULL);
    CHECK_OK(r->ctx, ri_dyn_factor(r->d));
    for (int i = 0; i < 3 * n; i++) {
        memcpy(x, rows + (size_t)i * nv, nv * sizeof *x);
        ri_dyn_solve(r->d, x);
        for (int k = 0; k < 3 * n; k++) {
            double sum = 0.0;
            for (size_t l = 0; l < nv; l++)
                sum += rows[(size_t)k * nv + l] * x[l];
            W[k * 3 * n + i] = sum;
        }
    }
    free(J), free(rows), free(x);
}

static void delassus_is_dense_product(Robot *r)
{
    enum { N = 7 };
    RiPoint points[N];
    double W[9 * N * N], want[9 * N * N];
    for (int i = 0; i < N; i++) {
        points[i].link = ri_rng_below(&r->rng, r->nl);
        points[i].point_W = ri_add(ri_dyn_frame_pose(r->d, points[i].link).p, random_vec3(&r->rng, 0.2));
    }
    points[N - 1] = points[0]; // a repeated point is allowed
    REQUIRE_OK(r->ctx, ri_dyn_articulate(r->d));
    ri_dyn_delassus(r->d, N, points, W);
    dense_delassus(r, N, points, want);
    CHECK_SMALL(r, relative_difference(W, want, 9 * N * N), 1e-10);
    for (int i = 0; i < 3 * N; i++)
        for (int k = 0; k < i; k++)
            CHECK_SMALL(r, fabs(W[i * 3 * N + k] - W[k * 3 * N + i]), 1e-13 * largest(W, 9 * N * N));
    for (int i = 0; i < 3 * N; i++)
        W[i * 3 * N + i] += 1e-9 * (1e-3 + largest(want, 9 * N * N)); // semidefinite: definite after a small shift
    double x[3 * N] = {0.0};
    CHECK(cholesky_solve(3 * N, W, x));
}

/// Points seen from other links: W = D J M^-1 J^T D^T with D = (1, -1) on the points of both.
static void delassus_between_links_is_dense_product(Robot *r)
{
    enum { N = 4, SEEN = 3, ALL = N + SEEN };
    const int of[SEEN] = {0, 2, 3};
    RiPoint points[ALL];
    double W[9 * N * N], all[9 * ALL * ALL], want[9 * N * N];
    for (int i = 0; i < N; i++) {
        points[i].link = ri_rng_below(&r->rng, r->nl);
        points[i].point_W = ri_add(ri_dyn_frame_pose(r->d, points[i].link).p, random_vec3(&r->rng, 0.2));
    }
    for (int i = 0; i < SEEN; i++)
        points[N + i] = (RiPoint){ri_rng_below(&r->rng, r->nl), points[of[i]].point_W};
    REQUIRE_OK(r->ctx, ri_dyn_articulate(r->d));
    ri_dyn_delassus_between(r->d, N, points, SEEN, points + N, of, W);
    dense_delassus(r, ALL, points, all);
    for (int i = 0; i < 3 * N; i++)
        for (int k = 0; k < 3 * N; k++) {
            int seen_i = -1, seen_k = -1;
            for (int l = 0; l < SEEN; l++) {
                seen_i = of[l] == i / 3 ? 3 * (N + l) + i % 3 : seen_i;
                seen_k = of[l] == k / 3 ? 3 * (N + l) + k % 3 : seen_k;
            }
            const double *a = all + (size_t)i * 3 * ALL, *b = all + (size_t)(seen_i < 0 ? 0 : seen_i) * 3 * ALL;
            want[i * 3 * N + k] = a[k] - (seen_k < 0 ? 0.0 : a[seen_k]) - (seen_i < 0 ? 0.0 : b[k]) +
                                  (seen_i < 0 || seen_k < 0 ? 0.0 : b[seen_k]);
        }
    CHECK_SMALL(r, relative_difference(W, want, 9 * N * N), 1e-9);
}

TEST(delassus_between_links_equals_the_dense_product)
{
    over_trees(TREE_COUNT, delassus_between_links_is_dense_product);
}

TEST(delassus_equals_the_dense_product)
{
    over_trees(TREE_COUNT, delassus_is_dense_product);
}

// --- shortcuts and additions ---------------------------------------------------------------------

/// Symmetric leaves merged into their parents as rotors, or computed like any other body.
static void rotors_change_nothing(Robot *r)
{
    const size_t n = (size_t)r->nv;
    RiDyn *plain;
    REQUIRE_OK(r->ctx, ri_dyn_create_with(r->ctx, r->m, false, &plain));
    ri_dyn_set_gravity(plain, ri_dyn_gravity(r->d));
    double *a = numbers(n), *b = numbers(n);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    REQUIRE_OK(r->ctx, ri_forward_dynamics(plain, r->q, r->v, r->tau, b));
    check_acceleration(r, a, b);
    ri_dyn_inverse(r->d, r->a, a);
    ri_dyn_inverse(plain, r->a, b);
    CHECK_SMALL(r, relative_difference(a, b, r->nv), 1e-12);
    ri_dyn_destroy(plain);
    free(a), free(b);
}

TEST(rotors_are_a_shortcut_without_effect)
{
    ill_conditioned = 0;
    over_trees(TREE_COUNT, rotors_change_nothing);
    CHECK(ill_conditioned <= TREE_COUNT / 20);
}

/// Extra inertia e at the joints: tau is spent on M a + bias and on G^T e G a.
static void joint_extra_is_armature(Robot *r)
{
    double *extra = numbers((size_t)r->ns), *a = numbers((size_t)r->nv), *spent = numbers((size_t)r->nv),
           *tau = numbers((size_t)r->nv);
    for (int j = 0; j < r->nj; j++) { // not at free joints: without a damper they are solved as free bodies
        const RiJointInfo info = ri_model_joint(r->m, j);
        for (int k = 0; k < info.nv && info.type != RI_JOINT_FREE; k++)
            extra[info.s_index + k] = (j + k) % 3 ? ri_rng_uniform(&r->rng) : 0.0;
    }
    ri_dyn_set_joint_extra(r->d, extra);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    for (int j = 0; j < r->nj; j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        double x[6];
        ri_dyn_joint_acceleration(r->d, j, x);
        for (int k = 0; k < info.nv; k++)
            extra[info.s_index + k] *= x[k];
    }
    ri_dyn_map_efforts(r->d, extra, spent);
    ri_dyn_set_joint_extra(r->d, NULL);
    ri_dyn_inverse(r->d, a, tau);
    for (int i = 0; i < r->nv; i++)
        tau[i] += spent[i];
    CHECK_SMALL(r, relative_difference(tau, r->tau, r->nv), 1e-10);
    free(extra), free(a), free(spent), free(tau);
}

TEST(extra_inertia_at_joints_is_armature)
{
    over_trees(TREE_COUNT, joint_extra_is_armature);
}

/// Extra inertia E at a point: a force -E a_p at the point, a_p its acceleration without the
/// centripetal part.
static void point_extra_resists(Robot *r)
{
    ri_dyn_destroy(r->d);
    REQUIRE_OK(r->ctx, ri_dyn_create_with(r->ctx, r->m, false, &r->d));
    REQUIRE_OK(r->ctx, ri_dyn_update_position(r->d, r->q));
    ri_dyn_update_velocity(r->d, r->v);
    double *J = numbers(6 * (size_t)r->nv), *a = numbers((size_t)r->nv), *tau = numbers((size_t)r->nv);
    const int link = ri_rng_below(&r->rng, r->nl);
    const RiMat3 R = random_rotation(&r->rng), D = {{{2.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 5.0}}},
                 Rt = ri_mat3_transpose(&R), RD = ri_mat3_mul(&R, &D), E = ri_mat3_mul(&RD, &Rt);
    const RiVec3 arm = random_vec3(&r->rng, 0.3), p = ri_add(ri_dyn_frame_pose(r->d, link).p, arm);
    ri_dyn_add_point_extra(r->d, link, p, &E);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    const RiSpatial v = ri_dyn_frame_velocity(r->d, link), acc = ri_dyn_frame_acceleration(r->d, link);
    const RiVec3 at_p = ri_add(acc.lin, ri_add(ri_cross(acc.ang, arm), ri_cross(v.ang, ri_cross(v.ang, arm))));
    const RiVec3 centripetal = ri_cross(v.ang, ri_add(v.lin, ri_cross(v.ang, arm)));
    const RiVec3 force = ri_scale(-1.0, ri_rotate(&E, ri_sub(at_p, centripetal)));
    ri_dyn_clear_body_extra(r->d);
    ri_dyn_clear_wrenches(r->d);
    ri_dyn_inverse(r->d, a, tau);
    for (int i = 0; i < r->nv; i++)
        tau[i] = -tau[i];
    add_transposed(r, link, force, ri_vec3(0.0, 0.0, 0.0), p, J, tau); // tau + J^T f - needed = 0
    double most = 0.0;
    for (int i = 0; i < r->nv; i++)
        most = fmax(most, fabs(tau[i] + r->tau[i]));
    CHECK_SMALL(r, most / (1.0 + largest(tau, r->nv)), 1e-9);
    free(J), free(a), free(tau);
}

TEST(extra_inertia_at_a_point_resists_its_acceleration)
{
    over_trees(TREE_COUNT, point_extra_resists);
}

// --- what joints carry ---------------------------------------------------------------------------

static void balance(Robot *r, const LinkWrench *extra)
{
    double scale = 1.0, worst = 0.0;
    for (int j = 0; j < r->nj; j++)
        scale = fmax(scale, spatial_size(ri_dyn_joint_wrench(r->d, j)));
    for (int l = 0; l < r->nl; l++)
        worst = fmax(worst, spatial_size(robot_link_residual(r, l, extra)));
    CHECK_SMALL(r, worst / scale, 1e-11);
}

/// Moment and force along a joint's free directions are its effort, less what turns the rotor, plus
/// what couplings bring.
static void efforts_appear_at_the_joints(Robot *r)
{
    double *coupling = numbers((size_t)r->ns), *sum = numbers((size_t)r->nv), scale = 10.0, worst = 0.0;
    for (int j = 0; j < r->nj; j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        const RiSpatial f = ri_dyn_joint_wrench(r->d, j);
        double a[6] = {0.0};
        ri_dyn_joint_acceleration(r->d, j, a);
        scale = fmax(scale, spatial_size(f));
        for (int k = 0; k < info.nv; k++) {
            const RiSpatial S = robot_joint_axis(r, j, k);
            const double along = ri_dot(S.ang, f.ang) + ri_dot(S.lin, f.lin);
            const double tie = ri_dyn_coupling_effort(r->d, j);
            const double effort = r->tau_s[info.s_index + k] + tie - info.spec->armature * a[k];
            coupling[info.s_index + k] = tie;
            worst = fmax(worst, fabs(along - effort));
        }
    }
    ri_dyn_map_efforts(r->d, coupling, sum);
    CHECK_SMALL(r, worst / scale, 1e-10);
    CHECK_SMALL(r, largest(sum, r->nv) / scale, 1e-10); // couplings do no work
    free(coupling), free(sum);
}

static void action_and_reaction(Robot *r)
{
    double *a = numbers((size_t)r->nv);
    LinkWrench *extra = calloc((size_t)r->nl, sizeof *extra);
    REQUIRE(extra);
    ri_dyn_clear_wrenches(r->d);
    for (int i = 0; i < 5; i++) {
        const int l = ri_rng_below(&r->rng, r->nl);
        if (ri_norm(extra[l].force) > 0.0)
            continue;
        extra[l] = (LinkWrench){random_vec3(&r->rng, 5.0), random_vec3(&r->rng, 3.0),
                                ri_add(ri_dyn_frame_pose(r->d, l).p, random_vec3(&r->rng, 0.3))};
        for (int half = 0; half < 2; half++) // in two parts: they add up
            ri_dyn_add_wrench(r->d, l, ri_scale(0.5, extra[l].force), ri_scale(0.5, extra[l].couple), extra[l].point);
    }
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    REQUIRE_OK(r->ctx, ri_dyn_update_wrenches(r->d, r->tau_s));
    balance(r, extra);
    efforts_appear_at_the_joints(r);
    ri_dyn_inverse(r->d, a, a); // the same from an inverse pass
    REQUIRE_OK(r->ctx, ri_dyn_update_wrenches(r->d, r->tau_s));
    balance(r, extra);
    free(a), free(extra);
}

TEST(action_equals_reaction_across_every_joint)
{
    over_trees(TREE_COUNT, action_and_reaction);
}

TEST(action_equals_reaction_across_merged_joints)
{
    for (uint64_t seed = 0; seed < TREE_COUNT / 2; seed++) {
        RobotPlan plan = robot_plan(seed);
        plan.locked = 0.3;
        plan.massless = 0.5;
        Robot r = robot_from_plan(&plan);
        action_and_reaction(&r);
        robot_close(&r);
    }
}

// --- sums ----------------------------------------------------------------------------------------

static void energy_balance(Robot *r)
{
    CHECK_SMALL(r, robot_energy_defect(r), 1e-9);
}

/// The power of inertia and gravity at a mean velocity is what inverse dynamics needs there, for
/// any a and h.
static void power_at_mean_velocity(Robot *r)
{
    const double h = 0.3;
    double *tau = numbers((size_t)r->nv), sum = 0.0, size = 0.0;
    const RiMeanPower power = ri_dyn_mean_power(r->d, r->a, h);
    ri_dyn_inverse(r->d, r->a, tau);
    for (int i = 0; i < r->nv; i++) {
        sum += tau[i] * (r->v[i] + 0.5 * h * r->a[i]);
        size += fabs(tau[i] * (r->v[i] + 0.5 * h * r->a[i]));
    }
    for (int j = 0; j < r->nj; j++) { // armature is not the bodies'
        double v[6] = {0.0}, a[6] = {0.0};
        ri_dyn_joint_velocity(r->d, j, v);
        ri_dyn_joint_acceleration(r->d, j, a);
        for (int k = 0; k < ri_model_joint(r->m, j).nv; k++)
            sum -= ri_model_joint(r->m, j).spec->armature * a[k] * (v[k] + 0.5 * h * a[k]);
    }
    CHECK_SMALL(r, fabs(power.inertia - power.gravity - sum) / (1.0 + size), 1e-12);
    free(tau);
}

TEST(power_at_the_mean_velocity_is_that_of_inverse_dynamics)
{
    over_trees(TREE_COUNT, power_at_mean_velocity);
}

TEST(energy_changes_by_the_power_of_the_forces)
{
    over_trees(TREE_COUNT, energy_balance);
}

/// Mass-weighted sums over links from the spec: kinetic energy, momentum, centre of mass.
static void sums_over_links(Robot *r)
{
    double twice = 0.0, mass = 0.0;
    RiVec3 P = {0.0, 0.0, 0.0}, L = P, C = P;
    for (int l = 0; l < r->nl; l++) {
        const RiLinkSpec *s = &r->spec->links[l];
        if (ri_model_link(r->m, l).body < 0)
            continue;
        const RiPose X = ri_dyn_frame_pose(r->d, l);
        const RiSpatial v = ri_dyn_frame_velocity(r->d, l);
        const RiVec3 c = ri_pose_point(&X, s->com), w = ri_rotate_back(&X.R, v.ang);
        const RiVec3 vc = ri_add(v.lin, ri_cross(v.ang, ri_rotate(&X.R, s->com))), Iw = ri_rotate(&s->inertia, w);
        twice += s->mass * ri_dot(vc, vc) + ri_dot(w, Iw);
        P = ri_add(P, ri_scale(s->mass, vc));
        L = ri_add(L, ri_add(ri_rotate(&X.R, Iw), ri_scale(s->mass, ri_cross(c, vc))));
        C = ri_add(C, ri_scale(s->mass, c));
        mass += s->mass;
    }
    for (int j = 0; j < r->nj; j++) {
        double v[6] = {0.0};
        ri_dyn_joint_velocity(r->d, j, v);
        for (int k = 0; k < ri_model_joint(r->m, j).nv; k++)
            twice += ri_model_joint(r->m, j).spec->armature * v[k] * v[k];
    }
    C = mass > 0.0 ? ri_scale(1.0 / mass, C) : C;
    L = ri_sub(L, ri_cross(C, P));
    const RiSpatial h = ri_dyn_momentum(r->d), want = {L, P};
    const double scale = 1.0 + spatial_size(want) + ri_norm(P) * ri_norm(C);
    CHECK_SMALL(r, fabs(ri_dyn_kinetic_energy(r->d) - 0.5 * twice) / (1.0 + twice), 1e-12);
    CHECK_SMALL(r, vec3_difference(ri_dyn_com(r->d), C) / (1.0 + ri_norm(C)), 1e-12);
    CHECK_SMALL(r, spatial_difference(h, want) / scale, 1e-12);
    CHECK_SMALL(r, fabs(ri_model_mass(r->m) - mass) / (1.0 + mass), 1e-13);
}

TEST(energy_and_momentum_are_sums_over_links)
{
    over_trees(TREE_COUNT, sums_over_links);
}

/// A floating robot free of outside forces keeps its momentum, whatever its joints do.
static void momentum_is_kept(Robot *r)
{
    if (!r->plan.floating)
        return;
    ri_dyn_set_gravity(r->d, ri_vec3(0.0, 0.0, 0.0));
    const int base = ri_model_joint(r->m, r->nj - 1).v_index;
    for (int k = 0; k < 6; k++)
        r->tau[base + k] = 0.0;
    double *a = numbers((size_t)r->nv), *q = numbers((size_t)r->nq), *v = numbers((size_t)r->nv);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    RiSpatial rate = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const double h = 1e-3 / (1.0 + 1e-2 * largest(a, r->nv));
    const double scale = 1.0 + spatial_size(ri_dyn_momentum(r->d)) + largest(r->tau, r->nv);
    for (int k = 1; k <= 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            robot_shift(r, a, side * k * h, q, v);
            const RiSpatial p = ri_dyn_momentum(r->d);
            rate.ang = ri_add(rate.ang, ri_scale(side * stencil[k - 1] / h, p.ang));
            rate.lin = ri_add(rate.lin, ri_scale(side * stencil[k - 1] / h, p.lin));
        }
    CHECK_SMALL(r, spatial_size(rate) / scale, 1e-8);
    free(a), free(q), free(v);
}

/// Rotors (armature) store angular momentum that ri_dyn_momentum does not see: only robots without
/// them are asked.
TEST(floating_robot_keeps_its_momentum)
{
    for (uint64_t seed = 0; seed < TREE_COUNT; seed++) {
        RobotPlan plan = robot_plan(seed);
        plan.floating = true;
        plan.armature = false;
        Robot r = robot_from_plan(&plan);
        momentum_is_kept(&r);
        robot_close(&r);
    }
}

static void step_keeps_momentum(Robot *r)
{
    RiIntegrator *it;
    REQUIRE_OK(r->ctx, ri_integrator_create(r->ctx, r->d, &it));
    ri_integrator_set_efforts(it, NULL, NULL, false);
    ri_dyn_set_gravity(r->d, ri_vec3(0.0, 0.0, 0.0));
    const RiSpatial before = ri_dyn_momentum(r->d);
    const double e = ri_dyn_kinetic_energy(r->d), h = 1e-4;
    REQUIRE_OK(r->ctx, ri_integrator_rk4(it, 0.0, h, r->q, r->v));
    REQUIRE_OK(r->ctx, ri_dyn_update_position(r->d, r->q));
    ri_dyn_update_velocity(r->d, r->v);
    CHECK_SMALL(r, spatial_difference(ri_dyn_momentum(r->d), before) / (1.0 + spatial_size(before)), 1e-11);
    CHECK_SMALL(r, fabs(ri_dyn_kinetic_energy(r->d) - e) / (1.0 + e), 1e-11);
    ri_integrator_destroy(it);
}

TEST(one_small_step_keeps_momentum_and_energy)
{
    for (uint64_t seed = 0; seed < TREE_COUNT / 4; seed++) {
        RobotPlan plan = robot_plan(seed);
        plan.floating = true;
        plan.armature = false;
        Robot r = robot_from_plan(&plan);
        step_keeps_momentum(&r);
        robot_close(&r);
    }
}

TEST_MAIN(CASE(forward_inverts_inverse), CASE(mass_matrix_solve_equals_forward),
          CASE(apply_inverse_needs_no_forward_pass), CASE(frames_move_as_their_jacobians_say),
          CASE(jacobian_columns_equal_differences), CASE(link_jacobians_equal_frame_jacobians),
          CASE(couplings_hold_exactly_and_q_rates_follow), CASE(difference_of_positions_inverts_integration),
          CASE(external_wrench_acts_as_its_transposed_jacobian), CASE(delassus_equals_the_dense_product),
          CASE(delassus_between_links_equals_the_dense_product), CASE(rotors_are_a_shortcut_without_effect),
          CASE(extra_inertia_at_joints_is_armature), CASE(extra_inertia_at_a_point_resists_its_acceleration),
          CASE(action_equals_reaction_across_every_joint), CASE(action_equals_reaction_across_merged_joints),
          CASE(power_at_the_mean_velocity_is_that_of_inverse_dynamics), CASE(energy_changes_by_the_power_of_the_forces),
          CASE(energy_and_momentum_are_sums_over_links), CASE(floating_robot_keeps_its_momentum),
          CASE(one_small_step_keeps_momentum_and_energy))
