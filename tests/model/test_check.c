// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model refuses, and how it says so: file, line, item, value, what is allowed. And what it
/// does when memory ends.
#include "check.h"

#include "support/robots.h"

/// base -- a -- b, every item from r.urdf with a line of its own.
static RiSpec *good(void)
{
    RiSpec *spec = spec_new(context_new(), "good");
    const char *const names[] = {"base", "a", "b"};
    for (int i = 0; i < 3; i++) {
        RiLinkSpec link = ri_link_default();
        link.name = names[i], link.mass = 1.0, link.inertia = ri_inertia_sphere(1.0, 0.1);
        link.source = (RiSource){"r.urdf", 10 + i};
        spec_link(spec, &link);
    }
    for (int i = 1; i < 3; i++) {
        RiJointSpec j = ri_joint_default();
        j.name = names[i], j.parent = names[i - 1], j.child = names[i], j.type = RI_JOINT_REVOLUTE;
        j.source = (RiSource){"r.urdf", 20 + i};
        spec_joint(spec, &j);
    }
    return spec;
}

static void drop(RiSpec *spec)
{
    RiContext *ctx = spec->ctx;
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
}

/// The spec is refused with a message that contains both parts, and nothing comes out.
static void refused(RiSpec *spec, const char *where, const char *what)
{
    RiModel *m = (RiModel *)(void *)spec;
    CHECK_ERROR(spec->ctx, ri_model_create(spec->ctx, spec, NULL, &m), RI_ERR_MODEL, what);
    CHECK_ERROR(spec->ctx, ri_model_create(spec->ctx, spec, NULL, &m), RI_ERR_MODEL, where);
    CHECK(m == NULL);
    drop(spec);
}

static void tie(RiSpec *spec, const char *a, double fa, const char *b, double fb, double offset)
{
    const RiCouplingTerm terms[] = {{a, fa}, {b, fb}};
    spec_couple(spec, "tie", 2, terms, offset);
    spec->couplings[spec->coupling_count - 1].source = (RiSource){"r.urdf", 30 + spec->coupling_count};
}

TEST(the_good_robot_is_good)
{
    RiSpec *spec = good();
    RiModel *m;
    CHECK_OK(spec->ctx, ri_model_create(spec->ctx, spec, NULL, &m));
    ri_model_destroy(m);
    drop(spec);
}

TEST(links_that_cannot_be_are_refused)
{
    RiSpec *s = good();
    s->links[1].mass = NAN;
    refused(s, "r.urdf:11:", "link 'a': mass");
    (s = good())->links[1].mass = -2.0;
    refused(s, "r.urdf:11:", "negative");
    (s = good())->links[1].com.y = INFINITY;
    refused(s, "r.urdf:11:", "centre of mass");
    (s = good())->links[2].inertia.m[0][1] = 0.5;
    refused(s, "r.urdf:12:", "not symmetric");
    (s = good())->links[2].inertia.m[0][0] = NAN;
    refused(s, "r.urdf:12:", "inertia");
    (s = good())->links[2].inertia.m[0][0] = 1.0;
    refused(s, "r.urdf:12:", "triangle inequality");
    (s = good())->links[2].inertia.m[0][0] = -0.1;
    s->links[2].any_inertia = true;
    refused(s, "r.urdf:12:", "negative principal moment");
    (s = good())->links[2].mass = 0.0;
    refused(s, "r.urdf:12:", "inertia without mass");
    (s = good())->links[2].name = "a";
    refused(s, "r.urdf:12:", "defined twice");
}

TEST(an_inertia_that_no_body_has_is_taken_with_a_warning_where_the_link_says_so)
{
    RiSpec *s = good();
    RiReport *report = NULL;
    RiModel *m = NULL;
    s->links[2].inertia.m[0][0] = 1.0;
    s->links[2].any_inertia = true;
    REQUIRE_OK(s->ctx, ri_report_create(s->ctx, &report));
    CHECK_OK(s->ctx, ri_spec_check(s, report));
    bool said = false;
    for (int i = 0; i < ri_report_count(report); i++)
        said |= ri_report_get(report, i)->kind == RI_FINDING_WARNING &&
                strstr(ri_report_get(report, i)->text, "link 'b': no body has the principal moments") != NULL;
    CHECK(said);
    REQUIRE_OK(s->ctx, ri_model_create(s->ctx, s, NULL, &m));
    ri_model_destroy(m);
    ri_report_destroy(report);
    drop(s);
}

TEST(joints_that_cannot_be_are_refused)
{
    RiSpec *s = good();
    s->joints[1].axis = ri_vec3(0.0, 0.0, 0.0);
    refused(s, "r.urdf:22:", "not a unit vector");
    (s = good())->joints[1].axis.x = NAN;
    refused(s, "r.urdf:22:", "axis");
    s = good();
    s->joints[1].type = RI_JOINT_UNIVERSAL, s->joints[1].axis2 = s->joints[1].axis;
    refused(s, "r.urdf:22:", "parallel");
    (s = good())->joints[1].origin.p.z = NAN;
    refused(s, "r.urdf:22:", "origin");
    (s = good())->joints[1].damping = -1.0;
    refused(s, "r.urdf:22:", "damping");
    (s = good())->joints[1].armature = INFINITY;
    refused(s, "r.urdf:22:", "armature");
    (s = good())->joints[1].position[0] = NAN;
    refused(s, "r.urdf:22:", "position");
    s = good();
    s->joints[1].has_limits = true, s->joints[1].lower = 1.0, s->joints[1].upper = -1.0;
    refused(s, "r.urdf:22:", "lower 1 is above upper -1");
    (s = good())->joints[1].type = (RiJointType)77;
    refused(s, "r.urdf:22:", "unknown type 77");
    (s = good())->joints[1].name = "a";
    refused(s, "r.urdf:22:", "defined twice");
}

TEST(trees_that_are_no_trees_are_refused)
{
    RiSpec *s = good();
    s->joints[1].parent = "bse";
    refused(s, "r.urdf:22:", "did you mean 'base'");
    (s = good())->joints[1].child = "nobody";
    refused(s, "r.urdf:22:", "'nobody', which does not exist");
    (s = good())->joints[1].parent = "b";
    refused(s, "r.urdf:22:", "its own parent");
    s = good();
    s->joints[1].parent = "base", s->joints[1].child = "a"; // and b is left alone
    refused(s, "r.urdf:22:", "two parent joints");
    s = good();
    s->joint_count = 1; // b hangs on nothing
    refused(s, "r.urdf:12:", "two roots");
    s = good();
    RiJointSpec j = s->joints[0];
    j.name = "back", j.parent = "b", j.child = "base";
    spec_joint(s, &j);
    refused(s, "r.urdf:10:", "cycle");
    (s = good())->link_count = 0;
    refused(s, "", "no links");
}

/// A cycle beside a tree: the root is there, but some links never reach it.
TEST(cycle_beside_the_tree_is_refused)
{
    RiSpec *s = good();
    RiLinkSpec link = s->links[0];
    RiJointSpec j = s->joints[0];
    link.name = "c", link.source.line = 13;
    spec_link(s, &link);
    link.name = "d", link.source.line = 14;
    spec_link(s, &link);
    j.name = "cd", j.parent = "c", j.child = "d";
    spec_joint(s, &j);
    j.name = "dc", j.parent = "d", j.child = "c";
    spec_joint(s, &j);
    refused(s, "r.urdf:13:", "cycle through link 'c'");
}

TEST(couplings_that_cannot_hold_are_refused)
{
    RiSpec *s = good();
    tie(s, "a", 1.0, "b", -2.0, 0.0);
    tie(s, "b", 4.0, "a", -2.0, 1.0);
    refused(s, "r.urdf:32:", "contradicts");
    s = good();
    tie(s, "a", 1.0, "a", -2.0, 0.0);
    refused(s, "r.urdf:31:", "tied to itself");
    s = good();
    tie(s, "a", 1.0, "bb", -2.0, 0.0);
    refused(s, "r.urdf:31:", "'bb', which does not exist");
    s = good();
    tie(s, "a", 0.0, "b", 0.0, 0.0);
    refused(s, "r.urdf:31:", "all factors are zero");
    s = good();
    tie(s, "a", NAN, "b", 1.0, 0.0);
    refused(s, "r.urdf:31:", "not finite");
    s = good();
    tie(s, "a", 1.0, "b", 1.0, INFINITY);
    refused(s, "r.urdf:31:", "offset");
    s = good();
    s->joints[1].type = RI_JOINT_BALL, s->joints[1].position[0] = 1.0;
    tie(s, "a", 1.0, "b", 1.0, 0.0);
    refused(s, "r.urdf:31:", "only joints with one coordinate");
    s = good();
    s->joints[0].locked = s->joints[1].locked = true;
    tie(s, "a", 1.0, "b", 1.0, 0.5);
    refused(s, "r.urdf:31:", "locked joints");
}

TEST(loops_that_cannot_be_are_refused)
{
    RiLoopSpec loop = ri_loop_default();
    loop.name = "ring", loop.link_a = "base", loop.link_b = "b", loop.type = RI_LOOP_BALL;
    loop.source = (RiSource){"r.urdf", 44};
    RiSpec *s = good();
    loop.pose_a.p.x = NAN;
    spec_loop(s, &loop);
    refused(s, "r.urdf:44:", "loop 'ring': a frame is not finite");
    loop.pose_a.p.x = 0.0, loop.type = RI_LOOP_DISTANCE, loop.distance = -1.0;
    s = good();
    spec_loop(s, &loop);
    refused(s, "r.urdf:44:", "distance -1 m is not positive");
    loop.type = (RiLoopType)99;
    s = good();
    spec_loop(s, &loop);
    refused(s, "r.urdf:44:", "unknown type 99");
}

TEST(check_reports_every_problem_not_only_the_first)
{
    RiSpec *s = good();
    RiReport *report;
    REQUIRE_OK(s->ctx, ri_report_create(s->ctx, &report));
    s->links[1].mass = -1.0;
    s->links[2].inertia.m[0][0] = 9.0;
    s->joints[0].axis = ri_vec3(0.0, 0.0, 2.0);
    s->joints[1].has_limits = true, s->joints[1].lower = 0.5, s->joints[1].upper = 1.0; // starts outside: suspicious
    CHECK_OK(s->ctx, ri_spec_check(s, report));
    CHECK_INT(ri_report_count_kind(report, RI_FINDING_NONPHYSICAL), 3);
    CHECK_INT(ri_report_count_kind(report, RI_FINDING_WARNING), 2); // and links that touch nothing
    ri_report_destroy(report);
    drop(s);
}

// --- replacing one robot by another --------------------------------------------------------------

static bool similar(RiSpec *a, RiSpec *b, int *out_findings)
{
    RiReport *report = NULL;
    bool same = false;
    CHECK_OK(b->ctx, ri_report_create(b->ctx, &report));
    CHECK_OK(b->ctx, ri_spec_compare(a, b, report, &same));
    *out_findings = ri_report_count(report);
    ri_report_destroy(report);
    return same;
}

TEST(robots_with_the_same_moving_tree_are_similar)
{
    int findings;
    RiSpec *a = good(), *b = good();
    CHECK(similar(a, b, &findings));
    b->links[1].mass = 7.0, b->joints[0].axis = ri_vec3(1.0, 0.0, 0.0), b->joints[0].origin.p.x = 3.0;
    CHECK(similar(a, b, &findings)); // numbers may differ
    b->joints[0].type = RI_JOINT_CONTINUOUS;
    CHECK(similar(a, b, &findings)); // so may limits
    RiLinkSpec link = b->links[0];
    RiJointSpec j = b->joints[0];
    link.name = "camera", j.name = "mount", j.parent = "a", j.child = "camera", j.type = RI_JOINT_FIXED;
    spec_link(b, &link);
    spec_joint(b, &j);
    CHECK(similar(a, b, &findings)); // fixed frames may be added
    drop(a), drop(b);
}

TEST(robots_with_another_moving_tree_are_not_similar)
{
    int findings;
    RiSpec *a = good(), *b = good();
    b->joints[1].type = RI_JOINT_PRISMATIC;
    CHECK(!similar(a, b, &findings) && findings > 0);
    drop(b), b = good();
    b->joints[1].name = "c";
    CHECK(!similar(a, b, &findings) && findings == 2); // one missing, one new
    drop(b), b = good();
    b->joints[1].parent = "base";
    CHECK(!similar(a, b, &findings) && findings > 0);
    drop(b), b = good();
    b->joints[1].locked = true;
    CHECK(!similar(a, b, &findings) && findings > 0);
    drop(b), b = good();
    tie(b, "a", 1.0, "b", 1.0, 0.0);
    CHECK(!similar(a, b, &findings) && findings > 0);
    drop(a), drop(b);
}

// --- memory --------------------------------------------------------------------------------------

typedef struct Ration {
    long left;  // calls that still succeed
    long alive; // blocks not yet freed
} Ration;

static void *rationed_resize(void *user, void *block, size_t size)
{
    Ration *r = user;
    if (r->left-- <= 0)
        return NULL;
    r->alive += block == NULL;
    return realloc(block, size ? size : 1);
}

static void rationed_release(void *user, void *block)
{
    ((Ration *)user)->alive -= block != NULL;
    free(block);
}

/// Creates model and dynamics with every allocation failing in turn: status memory, nothing leaks,
/// then success.
static void starve(const RiSpec *spec)
{
    for (long allowed = 0; allowed < 100000; allowed++) {
        Ration ration = {1000000, 0};
        const RiAllocator allocator = {rationed_resize, rationed_release, &ration};
        RiContext *ctx;
        REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
        const long before = ration.alive;
        RiModel *m = NULL;
        RiDyn *d = NULL;
        ration.left = allowed;
        RiStatus status = ri_model_create(ctx, spec, NULL, &m);
        if (status == RI_OK)
            status = ri_dyn_create(ctx, m, &d);
        ration.left = 1000000;
        if (status != RI_OK) {
            CHECK_INT(status, RI_ERR_MEMORY);
            CHECK(d == NULL);
        }
        ri_dyn_destroy(d);
        ri_model_destroy(m);
        CHECK_INT(ration.alive, before);
        ri_context_destroy(ctx);
        CHECK_INT(ration.alive, 0);
        if (status == RI_OK) {
            CHECK(allowed > 5);
            return;
        }
    }
    CHECK_FAIL("never enough memory");
}

TEST(every_failed_allocation_is_survived)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        RobotPlan plan = robot_plan(seed);
        plan.links = plan.links > 40 ? 40 : plan.links;
        plan.locked = 0.1;
        RiContext *ctx = context_new();
        RiSpec *spec = robot_spec(ctx, &plan);
        starve(spec);
        drop(spec);
    }
}

TEST(every_failed_allocation_of_a_loop_is_survived)
{
    RiSpec *s = good();
    s->joints[0].origin.p.x = s->joints[1].origin.p.x = 0.5;
    s->joints[0].position[0] = 0.3;
    RiLoopSpec loop = ri_loop_default();
    loop.name = "rod", loop.link_a = "base", loop.link_b = "b", loop.type = RI_LOOP_DISTANCE, loop.distance = 0.9;
    loop.pose_b.p = ri_vec3(0.1, 0.4, 0.0);
    loop.source = (RiSource){"r.urdf", 44};
    spec_loop(s, &loop);
    starve(s);
    drop(s);
}

/// With a report, findings that find no memory are counted, not lost silently.
TEST(starved_reports_count_what_they_lost)
{
    RiSpec *s = good();
    Ration ration = {1000000, 0};
    const RiAllocator allocator = {rationed_resize, rationed_release, &ration};
    RiContext *ctx;
    REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
    RiReport *report;
    REQUIRE_OK(ctx, ri_report_create(ctx, &report));
    s->links[1].mass = -1.0;
    ration.left = 0;
    CHECK_INT(ri_spec_check(s, report), RI_ERR_MEMORY);
    CHECK_INT(ri_report_lost(report), 2); // and links that touch nothing
    ration.left = 1000000;
    ri_report_destroy(report);
    ri_context_destroy(ctx);
    CHECK_INT(ration.alive, 0);
    drop(s);
}

TEST_MAIN(CASE(the_good_robot_is_good), CASE(links_that_cannot_be_are_refused),
          CASE(an_inertia_that_no_body_has_is_taken_with_a_warning_where_the_link_says_so),
          CASE(joints_that_cannot_be_are_refused), CASE(trees_that_are_no_trees_are_refused),
          CASE(cycle_beside_the_tree_is_refused), CASE(couplings_that_cannot_hold_are_refused),
          CASE(loops_that_cannot_be_are_refused), CASE(check_reports_every_problem_not_only_the_first),
          CASE(robots_with_the_same_moving_tree_are_similar), CASE(robots_with_another_moving_tree_are_not_similar),
          CASE(every_failed_allocation_is_survived), CASE(every_failed_allocation_of_a_loop_is_survived),
          CASE(starved_reports_count_what_they_lost))
