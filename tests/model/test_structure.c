// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the model makes of a robot: which bodies become clusters, which are merged, which
/// coordinates are independent.
#include "check.h"

#include "support/robots.h"

// --- small robots --------------------------------------------------------------------------------

static RiSpec *robot(const char *root)
{
    RiSpec *spec = spec_new(context_new(), "small");
    RiLinkSpec link = ri_link_default();
    link.name = root, link.mass = 1.0, link.inertia = ri_inertia_sphere(1.0, 0.1);
    spec_link(spec, &link);
    return spec;
}

/// A link and the hinge that carries it, both called `name`.
static RiJointSpec *hinge(RiSpec *spec, const char *parent, const char *name)
{
    RiLinkSpec link = ri_link_default();
    link.name = name, link.mass = 1.0, link.com = ri_vec3(0.1, 0.2, 0.0), link.inertia = ri_inertia_sphere(1.0, 0.1);
    spec_link(spec, &link);
    RiJointSpec j = ri_joint_default();
    j.name = name, j.parent = parent, j.child = name, j.type = RI_JOINT_REVOLUTE;
    j.origin.p = ri_vec3(0.3, 0.0, 0.0);
    spec_joint(spec, &j);
    return &spec->joints[spec->joint_count - 1];
}

static void tie(RiSpec *spec, const char *a, double fa, const char *b, double fb, double offset)
{
    const RiCouplingTerm terms[] = {{a, fa}, {b, fb}};
    spec_couple(spec, "tie", 2, terms, offset);
}

static RiModel *build(RiSpec *spec, RiReport *report)
{
    RiModelOptions o = ri_model_options_default();
    o.report = report;
    RiModel *m = NULL;
    CHECK_OK(spec->ctx, ri_model_create(spec->ctx, spec, &o, &m));
    return m;
}

static void drop(RiSpec *spec, RiModel *m)
{
    RiContext *ctx = spec->ctx;
    ri_model_destroy(m);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
}

/// The cluster that moves a joint's child.
static RiClusterInfo cluster_of(const RiModel *m, const char *joint)
{
    return ri_model_cluster(m, ri_model_joint(m, ri_model_find_joint(m, joint)).cluster);
}

// --- clusters ------------------------------------------------------------------------------------

TEST(geared_siblings_are_a_cluster_of_two)
{
    RiSpec *spec = robot("case");
    hinge(spec, "case", "left");
    hinge(spec, "case", "right");
    hinge(spec, "case", "free");
    tie(spec, "right", 1.0, "left", 2.0, 0.1);
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    const RiClusterInfo c = cluster_of(m, "left");
    CHECK_INT(c.body_count, 2);
    CHECK_INT(c.nv, 1);
    CHECK_INT(c.spanning_nv, 2);
    CHECK(!c.has_loops);
    CHECK_INT(ri_model_cluster_count(m), 3); // base, pair, free
    CHECK_INT(ri_model_nv(m), 6 + 1 + 1);
    CHECK_INT(ri_model_spanning_nv(m), 6 + 3);
    const int right = ri_model_find_joint(m, "right"), left = ri_model_find_joint(m, "left");
    CHECK_INT(ri_model_joint(m, right).v_index, -1); // the first term is the dependent one
    CHECK_INT(ri_model_joint(m, right).q_index, -1);
    CHECK(ri_model_joint(m, left).v_index >= 0);
    drop(spec, m);
}

TEST(coupling_along_a_chain_takes_in_the_bodies_between)
{
    RiSpec *spec = robot("world");
    hinge(spec, "world", "a");
    hinge(spec, "a", "b");
    hinge(spec, "b", "c");
    hinge(spec, "c", "d");
    tie(spec, "c", 1.0, "a", -1.0, 0.0);
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    const RiClusterInfo c = cluster_of(m, "b");
    CHECK_INT(c.body_count, 3);
    CHECK_INT(c.nv, 2);
    CHECK_INT(cluster_of(m, "d").body_count, 1);
    CHECK_INT(cluster_of(m, "d").parent, ri_model_joint(m, ri_model_find_joint(m, "c")).body);
    drop(spec, m);
}

TEST(differential_between_cousins_takes_in_their_parents)
{
    RiSpec *spec = robot("chassis");
    hinge(spec, "chassis", "rocker_l");
    hinge(spec, "rocker_l", "bogie_l");
    hinge(spec, "chassis", "rocker_r");
    hinge(spec, "rocker_r", "bogie_r");
    tie(spec, "bogie_l", 1.0, "bogie_r", 1.0, 0.0);
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    CHECK_INT(cluster_of(m, "rocker_l").body_count, 4);
    CHECK_INT(cluster_of(m, "rocker_l").nv, 3);
    CHECK_INT(ri_model_joint(m, ri_model_find_joint(m, "rocker_l")).cluster,
              ri_model_joint(m, ri_model_find_joint(m, "bogie_r")).cluster);
    drop(spec, m);
}

TEST(chains_of_mimics_become_one_cluster_with_one_coordinate)
{
    RiSpec *spec = robot("palm");
    const char *const names[] = {"f0", "f1", "f2", "f3"};
    hinge(spec, "palm", names[0]);
    for (int i = 1; i < 4; i++) {
        hinge(spec, names[i - 1], names[i]);
        tie(spec, names[i], 1.0, names[i - 1], -0.5, 0.1);
    }
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    CHECK_INT(cluster_of(m, "f2").body_count, 4);
    CHECK_INT(cluster_of(m, "f2").nv, 1);
    RiDyn *d;
    REQUIRE_OK(spec->ctx, ri_dyn_create(spec->ctx, m, &d));
    double *q = numbers((size_t)ri_model_nq(m)), x;
    ri_model_get_initial_q(m, q);
    q[ri_model_joint(m, ri_model_find_joint(m, "f0")).q_index] = 0.8;
    CHECK_OK(spec->ctx, ri_dyn_update_position(d, q));
    ri_dyn_joint_position(d, ri_model_find_joint(m, "f3"), &x);
    CHECK_CLOSE(x, ((0.8 * 0.5 + 0.1) * 0.5 + 0.1) * 0.5 + 0.1, 1e-15);
    ri_dyn_destroy(d);
    free(q);
    drop(spec, m);
}

TEST(clusters_that_share_a_body_become_one)
{
    RiSpec *spec = robot("base");
    hinge(spec, "base", "a");
    hinge(spec, "base", "b");
    hinge(spec, "base", "c");
    tie(spec, "a", 1.0, "b", 1.0, 0.0);
    tie(spec, "c", 1.0, "b", 2.0, 0.0);
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    CHECK_INT(cluster_of(m, "a").body_count, 3);
    CHECK_INT(cluster_of(m, "a").nv, 1);
    drop(spec, m);
}

/// Parents come first: bodies after their parents, clusters contiguous and after the cluster of the
/// body they hang on.
static void check_order(const RiModel *m)
{
    int next = 0;
    for (int c = 0; c < ri_model_cluster_count(m); c++) {
        const RiClusterInfo info = ri_model_cluster(m, c);
        CHECK_INT(info.body, next);
        next += info.body_count;
        CHECK(info.parent < info.body);
        for (int b = info.body; b < next; b++) {
            CHECK_INT(ri_model_body(m, b).cluster, c);
            CHECK(ri_model_body(m, b).parent < b);
            const int parent = ri_model_body(m, b).parent;
            CHECK(parent == info.parent || parent >= info.body); // no other way in
        }
    }
    CHECK_INT(next, ri_model_body_count(m));
}

TEST(order_and_names_of_random_trees_are_consistent)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        Robot r = robot_make(seed);
        check_order(r.m);
        for (int i = 0; i < r.nv; i++)
            CHECK(ri_model_v_name(r.m, i) && *ri_model_v_name(r.m, i));
        for (int i = 0; i < r.nq; i++)
            CHECK(ri_model_q_name(r.m, i) && *ri_model_q_name(r.m, i));
        for (int l = 0; l < r.nl; l++) {
            CHECK_INT(ri_model_find_link(r.m, r.spec->links[l].name), l);
            CHECK_INT(ri_model_find_frame(r.m, r.spec->links[l].name), l);
        }
        robot_close(&r);
    }
}

TEST(links_come_after_their_parents_and_independent_velocities_are_spanning_ones)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        Robot r = robot_make(seed);
        bool *seen = calloc((size_t)r.nl + 1, sizeof *seen);
        REQUIRE(seen != NULL);
        for (int i = 0; i < r.nl; i++) {
            const int link = ri_model_link_in_order(r.m, i);
            const int parent = ri_model_joint(r.m, ri_model_link(r.m, link).joint).parent_link;
            CHECK(!seen[link] && (parent < 0 || seen[parent]));
            seen[link] = true;
        }
        free(seen);
        int checked = 0;
        for (int j = 0; j < ri_model_joint_count(r.m); j++) {
            const RiJointInfo info = ri_model_joint(r.m, j);
            for (int k = 0; k < info.nv && info.v_index >= 0; k++, checked++)
                CHECK_INT(ri_model_spanning_index(r.m, info.v_index + k), info.s_index + k);
        }
        CHECK_INT(checked, r.nv);
        robot_close(&r);
    }
}

// --- couplings -----------------------------------------------------------------------------------

TEST(repeated_couplings_are_warned_about)
{
    RiSpec *spec = robot("base");
    hinge(spec, "base", "a");
    hinge(spec, "base", "b");
    tie(spec, "a", 1.0, "b", -2.0, 0.1);
    tie(spec, "b", 4.0, "a", -2.0, -0.2);
    spec->couplings[1].source = (RiSource){"r.urdf", 40};
    RiReport *report;
    REQUIRE_OK(spec->ctx, ri_report_create(spec->ctx, &report));
    RiModel *m = build(spec, report);
    CHECK_INT(ri_report_count_kind(report, RI_FINDING_WARNING), 1);
    for (int i = 0; i < ri_report_count(report); i++)
        if (ri_report_get(report, i)->kind == RI_FINDING_WARNING)
            CHECK_INT(ri_report_get(report, i)->line, 40);
    CHECK_INT(ri_model_nv(m), 6 + 1);
    ri_report_destroy(report);
    drop(spec, m);
}

TEST(coupling_to_a_locked_joint_holds_the_other_one)
{
    RiSpec *spec = robot("base");
    RiJointSpec *a = hinge(spec, "base", "a");
    a->locked = true, a->position[0] = 0.5;
    hinge(spec, "base", "b");
    tie(spec, "b", 1.0, "a", -2.0, 0.1);
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    CHECK_INT(ri_model_nv(m), 6);
    RiDyn *d;
    REQUIRE_OK(spec->ctx, ri_dyn_create(spec->ctx, m, &d));
    double q[7], v[6] = {0.0}, acc[6], x = NAN;
    ri_model_get_initial_q(m, q);
    REQUIRE_OK(spec->ctx, ri_forward_dynamics(d, q, v, NULL, acc));
    ri_dyn_joint_position(d, ri_model_find_joint(m, "b"), &x);
    CHECK_CLOSE(x, 1.1, 1e-15);
    CHECK_CLOSE(acc[2], -9.81, 1e-12);
    ri_dyn_destroy(d);
    drop(spec, m);
}

TEST(all_coordinates_may_be_taken)
{
    RiSpec *spec = robot("world");
    hinge(spec, "world", "a");
    const RiCouplingTerm one[] = {{"a", 2.0}};
    spec_couple(spec, "stuck", 1, one, 0.6);
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    CHECK_INT(ri_model_nv(m), 0);
    RiDyn *d;
    double nothing[1] = {0.0}, x;
    REQUIRE_OK(spec->ctx, ri_dyn_create(spec->ctx, m, &d));
    CHECK_OK(spec->ctx, ri_forward_dynamics(d, nothing, nothing, nothing, nothing));
    ri_dyn_joint_position(d, 0, &x);
    CHECK_CLOSE(x, 0.3, 1e-15);
    ri_dyn_destroy(d);
    drop(spec, m);
}

// --- merging -------------------------------------------------------------------------------------

TEST(massless_leaf_is_held_and_reported)
{
    RiSpec *spec = robot("base");
    hinge(spec, "base", "arm");
    RiJointSpec *tip = hinge(spec, "arm", "tip");
    tip->position[0] = 0.4;
    tip->source = (RiSource){"r.urdf", 17};
    spec->links[2].mass = 0.0, spec->links[2].inertia = (RiMat3){{{0.0}}};
    RiReport *report;
    REQUIRE_OK(spec->ctx, ri_report_create(spec->ctx, &report));
    RiModel *m = build(spec, report);
    REQUIRE(m);
    CHECK(ri_model_joint(m, ri_model_find_joint(m, "tip")).merged);
    CHECK_INT(ri_model_nv(m), 7);
    CHECK_INT(ri_model_link(m, 2).body, ri_model_link(m, 1).body);
    bool told = false;
    for (int i = 0; i < ri_report_count(report); i++)
        told |= ri_report_get(report, i)->kind == RI_FINDING_MERGED && ri_report_get(report, i)->line == 17;
    CHECK(told);
    RiDyn *d;
    REQUIRE_OK(spec->ctx, ri_dyn_create(spec->ctx, m, &d));
    double q[8];
    ri_model_get_initial_q(m, q);
    REQUIRE_OK(spec->ctx, ri_dyn_update_position(d, q));
    const RiPose X = ri_dyn_frame_pose(d, 2);
    CHECK_CLOSE(X.R.m[1][0], sin(0.4), 1e-15); // held where it was
    ri_dyn_destroy(d);
    ri_report_destroy(report);
    drop(spec, m);
}

TEST(massless_links_between_masses_keep_moving)
{
    RiSpec *spec = robot("base");
    hinge(spec, "base", "frame")->axis = ri_vec3(1.0, 0.0, 0.0);
    hinge(spec, "frame", "wheel");
    spec->links[1].mass = 0.0, spec->links[1].inertia = (RiMat3){{{0.0}}};
    RiModel *m = build(spec, NULL);
    REQUIRE(m);
    CHECK_INT(ri_model_nv(m), 8);
    RiDyn *d;
    REQUIRE_OK(spec->ctx, ri_dyn_create(spec->ctx, m, &d));
    double q[9], v[8] = {0.0}, a[8];
    ri_model_get_initial_q(m, q);
    CHECK_OK(spec->ctx, ri_forward_dynamics(d, q, v, NULL, a));
    ri_dyn_destroy(d);
    drop(spec, m);
}

/// Without reduction a massless leaf has no inertia to divide by: the message says which joint.
TEST(joint_without_inertia_is_named)
{
    RiSpec *spec = robot("base");
    hinge(spec, "base", "ghost");
    spec->links[1].mass = 0.0, spec->links[1].inertia = (RiMat3){{{0.0}}};
    RiModelOptions o = ri_model_options_default();
    o.reduce = false;
    RiModel *m;
    RiDyn *d;
    REQUIRE_OK(spec->ctx, ri_model_create(spec->ctx, spec, &o, &m));
    REQUIRE_OK(spec->ctx, ri_dyn_create(spec->ctx, m, &d));
    double q[8], v[7] = {0.0}, a[7];
    ri_model_get_initial_q(m, q);
    CHECK_ERROR(spec->ctx, ri_forward_dynamics(d, q, v, NULL, a), RI_ERR_NUMERIC, "ghost");
    CHECK_ERROR(spec->ctx, ri_dyn_factor(d), RI_ERR_NUMERIC, "ghost");
    CHECK_ERROR(spec->ctx, ri_dyn_articulate(d), RI_ERR_NUMERIC, "ghost");
    ri_dyn_destroy(d);
    drop(spec, m);
}

TEST(root_called_world_is_fixed_and_others_float)
{
    RiSpec *spec = robot("world");
    RiModel *m = build(spec, NULL);
    CHECK(!ri_model_is_floating(m));
    CHECK_INT(ri_model_nv(m), 0);
    drop(spec, m);
    spec = robot("chassis");
    m = build(spec, NULL);
    CHECK(ri_model_is_floating(m));
    CHECK_INT(ri_model_nv(m), 6);
    RiModelOptions o = ri_model_options_default();
    RiModel *fixed = NULL;
    o.base = RI_BASE_FIXED;
    CHECK_OK(spec->ctx, ri_model_create(spec->ctx, spec, &o, &fixed));
    CHECK(!ri_model_is_floating(fixed));
    ri_model_destroy(fixed);
    drop(spec, m);
}

// --- size ----------------------------------------------------------------------------------------

typedef struct Meter {
    size_t left; // bytes that may still be asked for
} Meter;

static void *metered_resize(void *user, void *block, size_t size)
{
    Meter *meter = user;
    if (size > meter->left)
        return NULL;
    meter->left -= size;
    return realloc(block, size);
}

static void metered_release(void *user, void *block)
{
    (void)user;
    free(block);
}

/// Nothing recurses, and memory grows with the number of links, not with its square.
static void long_chain(int links, size_t allowed)
{
    Meter meter = {allowed};
    const RiAllocator allocator = {metered_resize, metered_release, &meter};
    RiContext *ctx;
    REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
    const RobotPlan plan = {
        .seed = 1, .links = links, .chain = 1.0, .types = 1u << RI_JOINT_REVOLUTE, .floating = true};
    RiSpec *spec = robot_spec(ctx, &plan);
    RiModel *m = NULL;
    RiDyn *d = NULL;
    CHECK_OK(ctx, ri_model_create(ctx, spec, NULL, &m));
    REQUIRE(m);
    CHECK_INT(ri_model_nv(m), links + 6);
    CHECK_OK(ctx, ri_dyn_create(ctx, m, &d));
    if (d) {
        double *q = numbers((size_t)ri_model_nq(m)), *v = numbers((size_t)links + 6), *a = numbers((size_t)links + 6);
        ri_model_get_initial_q(m, q);
        CHECK_OK(ctx, ri_forward_dynamics(d, q, v, NULL, a));
        CHECK_CLOSE(a[2], -9.81, 1e-9); // falls as a whole
        CHECK_CLOSE(largest(a + 3, links + 3), 0.0, 1e-9);
        if (links > 50000) { // the matrix would have 5e9 entries: refused with a way out, not tried
            CHECK_ERROR(ctx, ri_dyn_mass_matrix(d, NULL), RI_ERR_LIMIT, "ri_dyn_reserve_mass_matrix");
            CHECK_ERROR(ctx, ri_dyn_factor(d), RI_ERR_LIMIT, "ri_dyn_apply_inverse");
        }
        free(q), free(v), free(a);
    }
    ri_dyn_destroy(d);
    ri_model_destroy(m);
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
}

TEST(a_hundred_thousand_links_build_and_run)
{
    long_chain(1000, (size_t)64 << 20);
#ifndef __SANITIZE_THREAD__
    long_chain(100000, (size_t)2 << 30);
#endif
}

TEST_MAIN(CASE(geared_siblings_are_a_cluster_of_two), CASE(coupling_along_a_chain_takes_in_the_bodies_between),
          CASE(differential_between_cousins_takes_in_their_parents),
          CASE(chains_of_mimics_become_one_cluster_with_one_coordinate), CASE(clusters_that_share_a_body_become_one),
          CASE(order_and_names_of_random_trees_are_consistent),
          CASE(links_come_after_their_parents_and_independent_velocities_are_spanning_ones),
          CASE(repeated_couplings_are_warned_about), CASE(coupling_to_a_locked_joint_holds_the_other_one),
          CASE(all_coordinates_may_be_taken), CASE(massless_leaf_is_held_and_reported),
          CASE(massless_links_between_masses_keep_moving), CASE(joint_without_inertia_is_named),
          CASE(root_called_world_is_fixed_and_others_float), CASE(a_hundred_thousand_links_build_and_run))
