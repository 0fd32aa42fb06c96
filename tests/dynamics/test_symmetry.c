// SPDX-License-Identifier: Apache-2.0
/// \file
/// Nature has no preferred place or direction, and processors no opinion: turn or move the world
/// and the answer turns and moves with it; change the instruction set and not one bit changes; and
/// nothing is allocated on the way.
#include "support/trees.h"

#include <stdint.h>

// --- the world turned and moved ------------------------------------------------------------------

static RiVec3 at3(const double *x)
{
    return ri_vec3(x[0], x[1], x[2]);
}

static void put3(double *x, RiVec3 v)
{
    x[0] = v.x, x[1] = v.y, x[2] = v.z;
}

/// The base of a floating robot moved by the pose X, its velocity turned.
static void move_base(const Robot *r, const RiPose *X, double *q, double *v)
{
    const RiJointInfo base = ri_model_joint(r->m, r->nj - 1);
    double *p = q + base.q_index, *u = v + base.v_index;
    const RiQuat turn = ri_quat_from_mat3(&X->R), was = {p[3], p[4], p[5], p[6]}, now = ri_quat_mul(turn, was);
    put3(p, ri_pose_point(X, at3(p)));
    p[3] = now.w, p[4] = now.x, p[5] = now.y, p[6] = now.z;
    put3(u, ri_rotate(&X->R, at3(u)));
}

/// Accelerations of a floating robot here, and with the world moved by X (turned back for
/// comparison).
static void accelerations_in_two_worlds(Robot *r, const RiPose *X, double *here, double *there)
{
    double *q = numbers((size_t)r->nq), *v = numbers((size_t)r->nv), *tau = numbers((size_t)r->nv);
    const int base = ri_model_joint(r->m, r->nj - 1).v_index;
    const RiVec3 g = ri_dyn_gravity(r->d);
    memcpy(q, r->q, (size_t)r->nq * sizeof *q);
    memcpy(v, r->v, (size_t)r->nv * sizeof *v);
    memcpy(tau, r->tau, (size_t)r->nv * sizeof *tau);
    REQUIRE_OK(r->ctx, ri_forward_dynamics(r->d, q, v, tau, here));
    move_base(r, X, q, v);
    put3(tau + base, ri_rotate(&X->R, at3(tau + base)));
    ri_dyn_set_gravity(r->d, ri_rotate(&X->R, g));
    REQUIRE_OK(r->ctx, ri_forward_dynamics(r->d, q, v, tau, there));
    put3(there + base, ri_rotate_back(&X->R, at3(there + base)));
    ri_dyn_set_gravity(r->d, g);
    free(q), free(v), free(tau);
}

static void check_two_worlds(Robot *r, const RiPose *X, double bound)
{
    double *here = numbers((size_t)r->nv), *there = numbers((size_t)r->nv);
    accelerations_in_two_worlds(r, X, here, there);
    CHECK_SMALL(r, relative_difference(there, here, r->nv), bound);
    free(here), free(there);
}

static void over_floating_trees(void (*claim)(Robot *))
{
    for (uint64_t seed = 0; seed < TREE_COUNT; seed++) {
        RobotPlan plan = robot_plan(seed);
        plan.floating = true;
        Robot r = robot_from_plan(&plan);
        claim(&r);
        robot_close(&r);
    }
}

static void turned(Robot *r)
{
    const RiPose X = random_pose(&r->rng, 3.0);
    check_two_worlds(r, &X, 1e-10);
}

TEST(turn_the_world_and_the_answer_turns)
{
    over_floating_trees(turned);
}

static void moved_far(Robot *r)
{
    RiPose X = ri_pose_identity();
    X.p = ri_scale(1e4, random_unit(&r->rng));
    check_two_worlds(r, &X, 1e-10);
}

/// The positions themselves lose eps * 1e4 m when the base is moved; regions keep that out of the
/// dynamics.
TEST(ten_kilometres_away_accelerations_are_the_same)
{
    over_floating_trees(moved_far);
}

/// A fixed robot is moved by moving the joints on its root.
static void move_roots(RiSpec *spec, const RiPose *X)
{
    for (int i = 0; i < spec->joint_count; i++)
        if (strcmp(spec->joints[i].parent, "l0") == 0)
            spec->joints[i].origin = ri_pose_mul(X, &spec->joints[i].origin);
}

static void check_fixed_robot_moved(uint64_t seed, const RiPose *X, double bound)
{
    RobotPlan plan = robot_plan(seed);
    plan.floating = false;
    Robot r = robot_from_plan(&plan);
    RiContext *ctx = context_new();
    RiSpec *spec = robot_spec(ctx, &plan);
    move_roots(spec, X);
    Robot far = robot_open(ctx, spec, true, seed);
    double *a = numbers((size_t)r.nv), *b = numbers((size_t)r.nv);
    ri_dyn_set_gravity(far.d, ri_rotate(&X->R, ri_dyn_gravity(r.d)));
    CHECK_OK(r.ctx, ri_dyn_forward(r.d, r.tau, a));
    CHECK_OK(ctx, ri_forward_dynamics(far.d, r.q, r.v, r.tau, b));
    CHECK_SMALL(&r, relative_difference(b, a, r.nv), bound);
    free(a), free(b);
    robot_close(&r);
    robot_close(&far);
}

TEST(fixed_robots_may_stand_anywhere)
{
    RiRng rng = ri_rng_stream(7, "places");
    for (uint64_t seed = 0; seed < TREE_COUNT; seed++) {
        RiPose X = random_pose(&rng, 3.0);
        check_fixed_robot_moved(seed, &X, 1e-10);
        X = ri_pose_identity();
        X.p = ri_scale(1e4, random_unit(&rng));
        check_fixed_robot_moved(seed, &X, 1e-10);
    }
}

// --- equal bits ----------------------------------------------------------------------------------

static uint64_t hash(uint64_t h, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        h = (h ^ bits) * 1099511628211u;
        h ^= h >> 29;
    }
    return h;
}

static uint64_t hash_spatial(uint64_t h, RiSpatial x)
{
    const double y[6] = {x.ang.x, x.ang.y, x.ang.z, x.lin.x, x.lin.y, x.lin.z};
    return hash(h, y, 6);
}

enum {
    OUT_FRAMES,
    OUT_FORWARD,
    OUT_INVERSE,
    OUT_MASS,
    OUT_SOLVE,
    OUT_APPLY,
    OUT_LINKS,
    OUT_DELASSUS,
    OUT_WRENCH,
    OUTS
};
static const char *const out_names[OUTS] = {"frames", "forward",        "inverse",  "mass matrix",   "solve",
                                            "apply",  "link jacobians", "delassus", "joint wrenches"};

static uint64_t hash_frames(Robot *r)
{
    uint64_t h = 1;
    for (int f = 0; f < ri_model_frame_count(r->m); f++) {
        const RiPose X = ri_dyn_frame_pose(r->d, f);
        h = hash(hash(h, &X.R.m[0][0], 9), &X.p.x, 3);
        h = hash_spatial(h, ri_dyn_frame_velocity(r->d, f));
        h = hash_spatial(h, ri_dyn_frame_bias(r->d, f));
    }
    return h;
}

static uint64_t hash_wrenches(Robot *r)
{
    uint64_t h = 1;
    CHECK_OK(r->ctx, ri_dyn_update_wrenches(r->d, r->tau_s));
    for (int j = 0; j < r->nj; j++)
        h = hash_spatial(h, ri_dyn_joint_wrench(r->d, j));
    return h;
}

/// Hashes of everything the dynamics computes, starting from q and v.
static void hash_all(Robot *r, double *big, uint64_t out[OUTS])
{
    const size_t n = (size_t)r->nv;
    RiPoint points[9];
    double *x = numbers(n), W[27 * 27];
    CHECK_OK(r->ctx, ri_dyn_update_position(r->d, r->q));
    ri_dyn_update_velocity(r->d, r->v);
    ri_dyn_clear_wrenches(r->d);
    for (int i = 0; i < 9; i++) {
        points[i].link = i * 5 % r->nl;
        points[i].point_W = ri_add(ri_dyn_frame_pose(r->d, points[i].link).p, ri_vec3(0.1, 0.2 * i, -0.05));
        ri_dyn_add_wrench(r->d, points[i].link, ri_vec3(1.0, 2.0, i), ri_vec3(0.1, i, 0.3), points[i].point_W);
    }
    out[OUT_FRAMES] = hash_frames(r);
    CHECK_OK(r->ctx, ri_dyn_forward(r->d, r->tau, x));
    out[OUT_FORWARD] = hash(1, x, n);
    out[OUT_WRENCH] = hash_wrenches(r);
    ri_dyn_inverse(r->d, r->a, x);
    out[OUT_INVERSE] = hash(1, x, n);
    ri_dyn_mass_matrix(r->d, big);
    out[OUT_MASS] = hash(1, big, n * n);
    CHECK_OK(r->ctx, ri_dyn_factor(r->d));
    memcpy(x, r->tau, n * sizeof *x);
    ri_dyn_solve(r->d, x);
    out[OUT_SOLVE] = hash(1, x, n);
    CHECK_OK(r->ctx, ri_dyn_update_position(r->d, r->q));
    ri_dyn_update_velocity(r->d, r->v);
    CHECK_OK(r->ctx, ri_dyn_articulate(r->d));
    memcpy(x, r->tau, n * sizeof *x);
    ri_dyn_apply_inverse(r->d, x);
    out[OUT_APPLY] = hash(1, x, n);
    ri_dyn_delassus(r->d, 9, points, W);
    out[OUT_DELASSUS] = hash(1, W, 27 * 27);
    ri_dyn_link_jacobians(r->d, big);
    out[OUT_LINKS] = hash(1, big, 6 * n * (size_t)r->nl);
    free(x);
}

static int kernels_seen;

static void kernels_agree(Robot *r)
{
    static const char *const names[] = {"avx2", "avx512"};
    const size_t n = (size_t)r->nv, size = n * n + 6 * n * (size_t)r->nl;
    double *big = numbers(size);
    uint64_t want[OUTS], got[OUTS];
    REQUIRE_OK(r->ctx, ri_dyn_set_kernels(r->d, "generic"));
    CHECK(strcmp(ri_dyn_kernels(r->d), "generic") == 0);
    hash_all(r, big, want);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (ri_dyn_set_kernels(r->d, names[k]) != RI_OK)
            continue;
        kernels_seen |= 1 << k;
        hash_all(r, big, got);
        for (int i = 0; i < OUTS; i++)
            if (got[i] != want[i])
                CHECK_FAIL("robot %llu: %s differs between generic and %s", (unsigned long long)r->plan.seed,
                           out_names[i], names[k]);
    }
    free(big);
}

TEST(all_kernels_give_the_same_bits)
{
    kernels_seen = 0;
    over_trees(TREE_COUNT, kernels_agree);
    printf("     compared with generic:%s%s\n", kernels_seen & 1 ? " avx2" : "", kernels_seen & 2 ? " avx512" : "");
}

TEST(unknown_kernels_are_refused)
{
    Robot r = robot_make(1);
    CHECK_ERROR(r.ctx, ri_dyn_set_kernels(r.d, "abacus"), RI_ERR_UNSUPPORTED, "abacus");
    CHECK_OK(r.ctx, ri_dyn_set_kernels(r.d, NULL));
    robot_close(&r);
}

static void repeats(Robot *r)
{
    const size_t n = (size_t)r->nv;
    double *big = numbers(n * n + 6 * n * (size_t)r->nl);
    uint64_t first[OUTS], second[OUTS];
    hash_all(r, big, first);
    RiDyn *old = r->d;
    REQUIRE_OK(r->ctx, ri_dyn_create(r->ctx, r->m, &r->d)); // nothing is left behind by earlier calls
    ri_dyn_set_gravity(r->d, ri_dyn_gravity(old));
    hash_all(r, big, second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    ri_dyn_destroy(old);
    free(big);
}

TEST(a_fresh_workspace_gives_the_same_bits)
{
    over_trees(TREE_COUNT / 2, repeats);
}

// --- no allocation -------------------------------------------------------------------------------

TEST(ten_thousand_calls_allocate_nothing)
{
    Robot robots[5];
    double *big[5];
    unsigned long long before[5];
    for (int i = 0; i < 5; i++) {
        robots[i] = robot_make((uint64_t)(2 * i + 1));
        const size_t n = (size_t)robots[i].nv;
        big[i] = numbers(n * n + 6 * n * (size_t)robots[i].nl);
        before[i] = ri_context_allocation_count(robots[i].ctx);
    }
    uint64_t out[OUTS];
    double energy = 0.0;
    for (int call = 0; call < 10000;) { // hash_all makes more than ten calls of the library
        Robot *r = &robots[call / 10 % 5];
        hash_all(r, big[call / 10 % 5], out);
        energy += ri_dyn_kinetic_energy(r->d) + ri_dyn_potential_energy(r->d);
        ri_dyn_passive_forces(r->d, r->tau);
        ri_dyn_map_efforts(r->d, r->tau_s, r->tau);
        call += 14;
    }
    CHECK(isfinite(energy));
    for (int i = 0; i < 5; i++) {
        CHECK_INT(ri_context_allocation_count(robots[i].ctx) - before[i], 0);
        free(big[i]);
        robot_close(&robots[i]);
    }
}

TEST(delassus_grows_only_when_asked)
{
    Robot r = robot_make(5);
    CHECK_INT(ri_dyn_delassus_limit(r.d), 64);
    REQUIRE_OK(r.ctx, ri_dyn_reserve_delassus(r.d, 100));
    CHECK_INT(ri_dyn_delassus_limit(r.d), 100);
    RiPoint points[100];
    double *W = numbers(300 * 300), small[9];
    for (int i = 0; i < 100; i++) {
        points[i].link = i % r.nl;
        points[i].point_W = random_vec3(&r.rng, 1.0);
    }
    CHECK_OK(r.ctx, ri_dyn_articulate(r.d));
    ri_dyn_delassus(r.d, 100, points, W);
    ri_dyn_delassus(r.d, 1, &points[99], small);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(W[(297 + i) * 300 + 297 + k], small[3 * i + k], 1e-12);
    free(W);
    robot_close(&r);
}

TEST_MAIN(CASE(turn_the_world_and_the_answer_turns), CASE(ten_kilometres_away_accelerations_are_the_same),
          CASE(fixed_robots_may_stand_anywhere), CASE(all_kernels_give_the_same_bits),
          CASE(unknown_kernels_are_refused), CASE(a_fresh_workspace_gives_the_same_bits),
          CASE(ten_thousand_calls_allocate_nothing), CASE(delassus_grows_only_when_asked))
