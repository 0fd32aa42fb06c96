// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contacts that another program supplies: the test is that program. A ball on a plane that only
/// the test knows.
#include "check.h"

#include <rille/rille.h>

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiSim *sim;
} Rig;

static const double g = 9.81, radius = 0.1, mass = 2.0;

/// A ball whose centre is at a height, free to move.
static bool rig_open(Rig *r, RiMethod method, double tick, double height, int room)
{
    *r = (Rig){0};
    RiLinkSpec link = ri_link_default();
    link.name = "ball";
    link.mass = mass;
    link.inertia = ri_inertia_sphere(mass, radius);
    RiSimOptions o = ri_sim_options_default();
    o.method = method;
    o.tick = tick;
    o.outside = room;
    if (ri_context_create(NULL, &r->ctx) != RI_OK || ri_spec_create(r->ctx, "ball", &r->spec) != RI_OK)
        return false;
    r->spec->base = RI_BASE_FLOATING;
    if (ri_spec_add_link(r->spec, &link) != RI_OK || ri_model_create(r->ctx, r->spec, NULL, &r->model) != RI_OK ||
        ri_sim_create(r->ctx, r->model, &o, &r->sim) != RI_OK || ri_sim_build(r->sim) != RI_OK ||
        ri_sim_start(r->sim) != RI_OK) {
        CHECK_FAIL("%s", ri_context_message(r->ctx));
        return false;
    }
    ri_sim_q(r->sim)[2] = height;
    return true;
}

static void rig_close(Rig *r)
{
    ri_sim_destroy(r->sim);
    ri_model_destroy(r->model);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

/// The contact of the ball with the plane z = slope x, as the other program finds it.
static RiOutsideContact find_contact(const Rig *r, double mu, double e, double k)
{
    const RiPose pose = ri_dyn_frame_pose(ri_sim_dyn(r->sim), 0);
    const RiVec3 n = {0.0, 0.0, 1.0}, p = ri_sub(pose.p, ri_scale(radius, n));
    return (RiOutsideContact){
        .link = 0, .point = p, .normal = n, .depth = -p.z, .friction = mu, .restitution = e, .stiffness = k};
}

static double value(const Rig *r, const char *name)
{
    return ri_values_read(ri_sim_values(r->sim), ri_values_find(ri_sim_values(r->sim), name));
}

static void steps(Rig *r, int count, double mu, double e, double k)
{
    for (int i = 0; i < count; i++) {
        const RiOutsideContact x = find_contact(r, mu, e, k);
        CHECK_OK(r->ctx, ri_sim_set_outside(r->sim, &x, 1));
        CHECK_OK(r->ctx, ri_sim_step(r->sim));
    }
}

TEST(a_ball_comes_to_rest_on_its_weight)
{
    Rig r;
    REQUIRE(rig_open(&r, RI_METHOD_IMPLICIT, 1e-3, radius + 0.01, 4));
    steps(&r, 3000, 0.5, 0.0, 1e5);
    CHECK_CLOSE(value(&r, "outside.force"), mass * g, 1e-6 * mass * g);
    CHECK_CLOSE(value(&r, "base.z"), radius - mass * g / 1e5, 1e-9);
    CHECK_CLOSE(value(&r, "outside.contacts"), 1.0, 0.0);
    CHECK_CLOSE(value(&r, "energy.residual"), 0.0, 1e-9);
    rig_close(&r);
}

/// Height of the first bounce over the height of the fall.
static double bounce(double e)
{
    Rig r;
    double highest = 0.0;
    const double fall = 0.2;
    if (!rig_open(&r, RI_METHOD_RK4, 1e-4, radius + fall, 1))
        return NAN;
    bool down = false;
    for (int i = 0; i < 6000; i++) {
        steps(&r, 1, 0.0, e, 1e5);
        down = down || value(&r, "base.z") < radius;
        if (down && value(&r, "base.vz") > 0.0)
            highest = fmax(highest, value(&r, "base.z") - radius);
    }
    rig_close(&r);
    return highest / fall;
}

/// The law is a linear damper that does not pull: it gives back a little more than the textbook's
/// bounce, which ends at zero depth.
TEST(restitution_is_that_of_a_linear_bounce)
{
    CHECK_CLOSE(bounce(1.0), 1.0, 2e-3);
    CHECK_CLOSE(sqrt(bounce(0.8)), 0.8, 0.02);
    CHECK_CLOSE(sqrt(bounce(0.5)), 0.5, 0.07);
}

TEST(friction_slows_a_sliding_ball_by_mu_g)
{
    Rig r;
    const double mu = 0.3;
    REQUIRE(rig_open(&r, RI_METHOD_IMPLICIT, 1e-3, radius - mass * g / 1e5, 1));
    steps(&r, 100, mu, 0.0, 1e5); // settled
    double *v = ri_sim_v(r.sim);
    for (int i = 0; i < ri_model_nv(r.model); i++)
        v[i] = i == 0 ? 2.0 : 0.0;
    steps(&r, 1, mu, 0.0, 1e5);
    const double begin = value(&r, "base.vx");
    steps(&r, 100, mu, 0.0, 1e5);
    CHECK(begin > 1.0);
    CHECK_CLOSE(value(&r, "base.vx"), begin - mu * g * 0.1, 0.01 * mu * g * 0.1);
    rig_close(&r);
}

TEST(contacts_are_part_of_the_state)
{
    Rig r;
    REQUIRE(rig_open(&r, RI_METHOD_IMPLICIT, 1e-3, radius, 2));
    steps(&r, 50, 0.5, 0.3, 1e5);
    const size_t size = ri_sim_state_size(r.sim);
    void *block = malloc(size);
    ri_sim_save_state(r.sim, block);
    for (int i = 0; i < 30; i++) // without a new list: the plane stays
        CHECK_OK(r.ctx, ri_sim_step(r.sim));
    const uint64_t hash = ri_sim_hash(r.sim);
    CHECK_OK(r.ctx, ri_sim_set_outside(r.sim, NULL, 0));
    CHECK_OK(r.ctx, ri_sim_step(r.sim));
    CHECK(ri_sim_hash(r.sim) != hash);
    CHECK_OK(r.ctx, ri_sim_load_state(r.sim, block));
    for (int i = 0; i < 30; i++)
        CHECK_OK(r.ctx, ri_sim_step(r.sim));
    CHECK(ri_sim_hash(r.sim) == hash);
    CHECK(value(&r, "base.z") > 0.5 * radius); // it lies on the plane, and did not fall
    free(block);
    rig_close(&r);
}

TEST(wrong_contacts_are_refused_and_the_old_ones_stay)
{
    Rig r;
    REQUIRE(rig_open(&r, RI_METHOD_IMPLICIT, 1e-3, radius, 2));
    steps(&r, 5, 0.5, 0.0, 1e5);
    const uint64_t hash = ri_sim_hash(r.sim);
    RiOutsideContact list[3] = {find_contact(&r, 0.5, 0.0, 1e5)};
    list[1] = list[2] = list[0];
    CHECK_ERROR(r.ctx, ri_sim_set_outside(r.sim, list, 3), RI_ERR_LIMIT, "there is room for 2");
    list[1].link = 7;
    CHECK_ERROR(r.ctx, ri_sim_set_outside(r.sim, list, 2), RI_ERR_ARGUMENT, "outside contact 1: link 7");
    list[1] = list[0];
    list[1].depth = NAN;
    CHECK_ERROR(r.ctx, ri_sim_set_outside(r.sim, list, 2), RI_ERR_ARGUMENT,
                "outside contact 1 on 'ball': a number is not");
    list[1] = list[0];
    list[1].normal.z = 2.0;
    CHECK_ERROR(r.ctx, ri_sim_set_outside(r.sim, list, 2), RI_ERR_ARGUMENT, "the normal's length is 2");
    list[1] = list[0];
    list[1].restitution = 1.5;
    CHECK_ERROR(r.ctx, ri_sim_set_outside(r.sim, list, 2), RI_ERR_ARGUMENT, "restitution 1.5");
    CHECK(ri_sim_hash(r.sim) == hash);
    rig_close(&r);
    REQUIRE(rig_open(&r, RI_METHOD_IMPLICIT, 1e-3, radius, 0));
    CHECK_ERROR(r.ctx, ri_sim_set_outside(r.sim, list, 1), RI_ERR_ARGUMENT, "outside: NUMBER");
    rig_close(&r);
}

TEST_MAIN(CASE(a_ball_comes_to_rest_on_its_weight), CASE(restitution_is_that_of_a_linear_bounce),
          CASE(friction_slows_a_sliding_ball_by_mu_g), CASE(contacts_are_part_of_the_state),
          CASE(wrong_contacts_are_refused_and_the_old_ones_stay))
