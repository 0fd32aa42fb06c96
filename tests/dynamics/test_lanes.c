// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robots in lanes have the bits that they have alone, over random trees with couplings, sliding
/// joints, added inertia and wrenches on some robots only. What lanes do not take is refused.
#include <string.h>

#include "dynamics/lanes.h"
#include "support/trees.h"

enum { TREES = 40 };

typedef struct Pair {
    RiDyn *alone, *lane;
    double *q, *v, *tau, *extra, *a, *b;
} Pair;

static RobotPlan plan_of(int seed)
{
    RobotPlan plan = robot_plan((uint64_t)seed);
    plan.types = 1u << RI_JOINT_REVOLUTE | 1u << RI_JOINT_CONTINUOUS | 1u << RI_JOINT_PRISMATIC;
    plan.one_axis = 1.0;
    plan.links = 2 + seed % 24;
    plan.couplings = seed % 4;
    plan.floating = true;
    plan.locked = plan.massless = 0.0;
    return plan;
}

static bool same(const double *x, const double *y, int n)
{
    return memcmp(x, y, (size_t)n * sizeof *x) == 0;
}

/// Padded threes: what stands in the pads is nobody's.
static bool same_threes(const double *x, const double *y, int n)
{
    for (int i = 0; i < n; i += 4)
        if (!same(x + i, y + i, 3))
            return false;
    return true;
}

static void load(RiDyn *d, const Pair *p, int lane)
{
    ri_dyn_clear_wrenches(d);
    ri_dyn_clear_body_extra(d);
    ri_dyn_set_joint_extra(d, lane % 3 == 1 ? NULL : p->extra);
    const int link = lane % d->m->nl;
    const RiVec3 point = {0.1 * lane, -0.2, 0.3};
    const RiMat3 E = {{{5.0, 1.0, 0.0}, {1.0, 4.0, 0.5}, {0.0, 0.5, 3.0}}};
    if (lane % 2 == 0)
        ri_dyn_add_wrench(d, link, ri_vec3(1.0, -2.0, 0.5), ri_vec3(0.1, 0.0, 0.3), point);
    if (lane % 3 == 0)
        ri_dyn_add_point_extra(d, link, point, &E);
}

/// Everything that may be read of both, and what is computed from it later.
static void compare(const Robot *r, Pair *p)
{
    RiDyn *x = p->alone, *y = p->lane;
    const int bodies = r->m->nb + 1;
    CHECK(same_threes(x->pose, y->pose, 16 * bodies));
    CHECK(same(x->vel, y->vel, 8 * bodies));
    CHECK(same(x->moment, y->moment, 4 * bodies));
    CHECK(same(x->acc, y->acc, 8 * bodies));
    CHECK(same(x->share, y->share, 8 * bodies));
    CHECK(same(p->a, p->b, r->nv));
    CHECK(y->elsewhere);
    CHECK(ri_dyn_kinetic_energy(x) == ri_dyn_kinetic_energy(y));
    CHECK(!y->elsewhere);
    CHECK(same(x->rigid, y->rigid, 48 * bodies) && same(x->bias, y->bias, 8 * bodies));
    CHECK(ri_dyn_articulate(x) == RI_OK && ri_dyn_articulate(y) == RI_OK);
    CHECK(same(x->Z, y->Z, 8 * r->nv));
    memcpy(p->a, p->tau, (size_t)r->nv * sizeof *p->a);
    memcpy(p->b, p->tau, (size_t)r->nv * sizeof *p->b);
    ri_dyn_apply_inverse(x, p->a);
    ri_dyn_apply_inverse(y, p->b);
    CHECK(same(p->a, p->b, r->nv));
}

/// One tree: each lane a state of its own. `gone`: a lane that takes no part in the second round.
static void run_tree(Robot *r, int count, unsigned gone)
{
    Pair p[RI_LANES_MOST];
    RiDyn *d[RI_LANES_MOST];
    RiLanes *w;
    const double *q[RI_LANES_MOST], *v[RI_LANES_MOST], *tau[RI_LANES_MOST], *a[RI_LANES_MOST];
    double *b[RI_LANES_MOST];
    RiMeanPower power[RI_LANES_MOST];
    for (int l = 0; l < count; l++) {
        REQUIRE_OK(r->ctx, ri_dyn_create_with(r->ctx, r->m, false, &p[l].alone));
        REQUIRE_OK(r->ctx, ri_dyn_create_with(r->ctx, r->m, false, &p[l].lane));
        double **own[] = {&p[l].q, &p[l].v, &p[l].tau, &p[l].extra, &p[l].a, &p[l].b};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            *own[i] = numbers((size_t)(r->nq + r->ns + 1));
        d[l] = p[l].lane;
        q[l] = p[l].q, v[l] = p[l].v, tau[l] = p[l].tau, a[l] = p[l].b, b[l] = p[l].b;
    }
    REQUIRE_OK(r->ctx, ri_lanes_create(r->ctx, count, d, &w));
    REQUIRE(w);
    for (int round = 0; round < 2; round++) {
        const unsigned mask = ((1u << count) - 1u) & ~(round == 1 ? gone : 0u);
        for (int l = 0; l < count; l++) {
            if (!(mask >> l & 1))
                continue;
            robot_randomize(r);
            memcpy(p[l].q, r->q, (size_t)r->nq * sizeof *r->q);
            memcpy(p[l].v, r->v, (size_t)r->nv * sizeof *r->v);
            memcpy(p[l].tau, r->tau, (size_t)r->nv * sizeof *r->tau);
            for (int i = 6; i < r->ns; i++)
                p[l].extra[i] = (i + l) % 3 * 0.5;
            REQUIRE_OK(r->ctx, ri_dyn_update_position(p[l].alone, p[l].q));
            ri_dyn_update_velocity(p[l].alone, p[l].v);
        }
        if (round == 0)
            ri_lanes_place(w, q, v, mask);
        else // placed by themselves: the lanes take that over
            for (int l = 0; l < count; l++) {
                if (!(mask >> l & 1))
                    continue;
                REQUIRE_OK(r->ctx, ri_dyn_update_position(p[l].lane, p[l].q));
                ri_dyn_update_velocity(p[l].lane, p[l].v);
                p[l].lane->elsewhere = true;
            }
        for (int l = 0; l < count; l++)
            if (mask >> l & 1) {
                load(p[l].alone, &p[l], l);
                load(p[l].lane, &p[l], l);
                REQUIRE_OK(r->ctx, ri_dyn_forward(p[l].alone, p[l].tau, p[l].a));
            }
        CHECK(ri_lanes_forward(w, tau, b, mask) == mask);
        ri_lanes_mean_power(w, a, 1e-3, mask, power);
        for (int l = 0; l < count; l++)
            if (mask >> l & 1) {
                const RiMeanPower x = ri_dyn_mean_power(p[l].alone, p[l].a, 1e-3);
                CHECK(x.inertia == power[l].inertia && x.gravity == power[l].gravity && x.kinetic == power[l].kinetic);
                compare(r, &p[l]);
            }
    }
    ri_lanes_destroy(w);
    for (int l = 0; l < count; l++) {
        ri_dyn_destroy(p[l].alone);
        ri_dyn_destroy(p[l].lane);
        double *own[] = {p[l].q, p[l].v, p[l].tau, p[l].extra, p[l].a, p[l].b};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            free(own[i]);
    }
}

TEST(robots_in_lanes_have_the_bits_that_they_have_alone)
{
    const int width = ri_lanes_width();
    int coupled = 0;
    for (int i = 0; i < TREES; i++) {
        const RobotPlan plan = plan_of(i);
        Robot r = robot_from_plan(&plan);
        REQUIRE(r.m->nregion == 1);
        run_tree(&r, i % 5 == 0 ? 1 : i % 3 == 0 ? width - 1 : width, 1u << i % width);
        for (int c = 0; c < r.m->nc; c++)
            coupled += r.m->clusters[c].nbody > 1;
        robot_close(&r);
    }
    CHECK(coupled > 10);
}

TEST(lanes_take_only_trees_of_their_kind)
{
    RobotPlan plan = plan_of(7);
    Robot good = robot_from_plan(&plan);
    plan.floating = false;
    Robot fixed = robot_from_plan(&plan);
    plan = plan_of(8);
    Robot other = robot_from_plan(&plan);
    RiDyn *d[3];
    RiLanes *w;
    REQUIRE_OK(good.ctx, ri_dyn_create_with(good.ctx, good.m, false, &d[0]));
    REQUIRE_OK(other.ctx, ri_dyn_create_with(other.ctx, other.m, false, &d[1]));
    REQUIRE_OK(fixed.ctx, ri_dyn_create_with(fixed.ctx, fixed.m, false, &d[2]));
    REQUIRE_OK(good.ctx, ri_lanes_create(good.ctx, 2, d, &w)); // two kinds of tree
    CHECK(w == NULL);
    REQUIRE_OK(good.ctx, ri_lanes_create(good.ctx, 1, d + 2, &w)); // no floating base
    CHECK(w == NULL);
    REQUIRE_OK(good.ctx, ri_lanes_create(good.ctx, 1, d, &w));
    CHECK(w != NULL);
    ri_lanes_destroy(w);
    ri_lanes_destroy(NULL);
    for (int i = 0; i < 3; i++)
        ri_dyn_destroy(d[i]);
    robot_close(&good);
    robot_close(&fixed);
    robot_close(&other);
}

TEST_MAIN(CASE(robots_in_lanes_have_the_bits_that_they_have_alone), CASE(lanes_take_only_trees_of_their_kind))
