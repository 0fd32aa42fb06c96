// SPDX-License-Identifier: Apache-2.0
/// \file
/// Laws of contact as named values of a run, and threads that engage with depth.
#include "check.h"

#include <rille/sim.h>

#include "contact/contacts.h"
#include "needs.h"

static const double G = 9.81, SLOPE = 20.0 * M_PI / 180.0;

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiContacts *c;
    RiSim *s;
} Rig;

static void close_rig(Rig *r)
{
    ri_sim_destroy(r->s);
    ri_contacts_destroy(r->c);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static RiStatus add_body(Rig *r, double mass)
{
    RiLinkSpec link = ri_link_default();
    link.name = "body";
    link.mass = mass;
    link.inertia = ri_inertia_box(mass, ri_vec3(0.4, 0.4, 0.1));
    return ri_spec_add_link(r->spec, &link);
}

static RiStatus finish(Rig *r, double slope, const RiPairDef *pair, RiMethod method, double tick)
{
    RiContactOptions contact = ri_contact_options_default();
    RiSimOptions options = ri_sim_options_default();
    contact.pairs = pair, contact.pair_count = 1;
    options.method = method, options.tick = tick;
    RI_TRY(ri_terrain_create_plane(r->ctx, &(RiPlaneDef){.slope = slope}, &r->t));
    RI_TRY(ri_model_create(r->ctx, r->spec, NULL, &r->m));
    RI_TRY(ri_contacts_create(r->ctx, r->spec, r->m, r->t, &contact, &r->c));
    RI_TRY(ri_sim_create(r->ctx, r->m, &options, &r->s));
    return ri_sim_set_contacts(r->s, r->c);
}

/// A block that rests on a slope of 20 degrees with friction 0.5: it sticks.
static RiStatus open_block(Rig *r, RiMethod method, double tick)
{
    RiPairDef pair = ri_pair_default();
    pair.source = (RiSource){"here.yaml", 3};
    pair.ground = "*";
    pair.name = "ice";
    RiShapeSpec box = ri_shape_default();
    box.link = "body", box.use = RI_SHAPE_COLLISION, box.type = RI_SHAPE_BOX;
    box.size[0] = box.size[1] = 0.4, box.size[2] = 0.1;
    *r = (Rig){0};
    RI_TRY(ri_context_create(NULL, &r->ctx));
    RI_TRY(ri_spec_create(r->ctx, "block", &r->spec));
    RI_TRY(add_body(r, 2.0));
    RI_TRY(ri_spec_add_shape(r->spec, &box));
    RI_TRY(finish(r, SLOPE, &pair, method, tick));
    RI_TRY(ri_sim_add_command(r->s, 1.0, "contact.ice.friction", "0.1", (RiSource){0}));
    RI_TRY(ri_sim_build(r->s));
    const double h = 0.05 - 2.0 * G * cos(SLOPE) / (4.0 * pair.stiffness);
    double *q = ri_sim_q(r->s);
    q[0] = -h * sin(SLOPE), q[1] = 0.0, q[2] = h * cos(SLOPE);
    q[3] = cos(0.5 * SLOPE), q[4] = q[6] = 0.0, q[5] = -sin(0.5 * SLOPE);
    return ri_sim_start(r->s);
}

static RiStatus run(Rig *r, double time)
{
    while (ri_sim_time(r->s) < time - 1e-9)
        RI_TRY(ri_sim_step(r->s));
    return RI_OK;
}

static double speed(Rig *r)
{
    const double *v = ri_sim_v(r->s);
    return -(v[0] * cos(SLOPE) + v[2] * sin(SLOPE));
}

TEST(a_block_that_sticks_slides_at_the_closed_form_rate_once_friction_drops)
{
    NEEDS("cvode");
    const RiMethod methods[] = {RI_METHOD_IMPLICIT, RI_METHOD_CVODE};
    for (int i = 0; i < 2; i++) {
        Rig r;
        REQUIRE_OK(r.ctx, open_block(&r, methods[i], i ? 1e-2 : 1e-3));
        REQUIRE_OK(r.ctx, run(&r, 0.99));
        CHECK_CLOSE(speed(&r), 0.0, 1e-6);
        REQUIRE_OK(r.ctx, run(&r, 1.5));
        const double from = speed(&r);
        REQUIRE_OK(r.ctx, run(&r, 2.5));
        CHECK_CLOSE((speed(&r) - from) / (G * (sin(SLOPE) - 0.1 * cos(SLOPE))), 1.0, 1e-4);
        const RiEnergy e = ri_sim_energy(r.s);
        CHECK_CLOSE(ri_energy_residual(&e), 0.0, 1e-9);
        close_rig(&r);
    }
}

TEST(what_is_set_is_hashed_and_comes_back_with_the_state)
{
    Rig a, b;
    REQUIRE_OK(a.ctx, open_block(&a, RI_METHOD_IMPLICIT, 1e-3));
    REQUIRE_OK(b.ctx, open_block(&b, RI_METHOD_IMPLICIT, 1e-3));
    CHECK(ri_sim_hash(a.s) == ri_sim_hash(b.s)); // no address is in it
    REQUIRE_OK(a.ctx, ri_values_set(ri_sim_values(a.s), "contact.ice.friction", "0.3"));
    CHECK(ri_sim_hash(a.s) != ri_sim_hash(b.s));
    REQUIRE_OK(a.ctx, run(&a, 0.3));
    void *block = malloc(ri_sim_state_size(a.s));
    REQUIRE(block);
    ri_sim_save_state(a.s, block);
    REQUIRE_OK(b.ctx, ri_sim_load_state(b.s, block));
    free(block);
    REQUIRE_OK(a.ctx, run(&a, 1.2)); // over the command at 1 s
    REQUIRE_OK(b.ctx, run(&b, 1.2));
    CHECK(ri_sim_hash(a.s) == ri_sim_hash(b.s));
    close_rig(&a);
    close_rig(&b);
}

TEST(numbers_without_meaning_are_refused_by_name)
{
    static const struct {
        const char *name, *text, *part;
    } bad[] = {{"contact.ice.friction", "-0.1", "contact.ice.friction"},
               {"contact.ice.stiffness", "0", "contact.ice.stiffness"},
               {"contact.ice.stiffness", "-5", "contact.ice.stiffness"},
               {"contact.ice.damping", "3 kg", "contact.ice.damping"},
               {"contact.ice.frction", "0.1", "contact.ice.friction"},
               {"contact.ice.stick_stiffness", "0", "contact.ice.stick_stiffness"},
               {"contact.ice.stick_damping", "0", "contact.ice.stick_damping"}};
    Rig r;
    REQUIRE_OK(r.ctx, open_block(&r, RI_METHOD_IMPLICIT, 1e-3));
    const uint64_t before = ri_sim_hash(r.s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(ri_values_set(ri_sim_values(r.s), bad[i].name, bad[i].text) != RI_OK);
        if (!strstr(ri_context_message(r.ctx), bad[i].part))
            CHECK_FAIL("%s = %s: %s", bad[i].name, bad[i].text, ri_context_message(r.ctx));
    }
    CHECK(ri_sim_hash(r.s) == before);
    CHECK_INT(ri_values_find(ri_sim_values(r.s), "contact.ice.e0"), -1); // its law does not read it
    CHECK_INT(ri_values_find(ri_sim_values(r.s), "contact.default.friction"), -1);
    close_rig(&r);
}

// --- threads -------------------------------------------------------------------------------------

/// A screw that lies on a plane under its own weight, on ground so soft that it sinks in by `sink`.
static RiStatus open_screw(Rig *r, double core, double sink, RiPairDef pair)
{
    RiScrewSpec screw = {.name = "screw", .link = "body", .hand = 1, .starts = 2, .lead = 0.2, .radius = 0.1};
    screw.core_radius = core;
    screw.length = 0.3;
    screw.pose = ri_pose_identity();
    screw.pose.R = ri_mat3_from_cols(ri_vec3(0, 0, -1), ri_vec3(0, 1, 0), ri_vec3(1, 0, 0)); // z along x
    pair.law = RI_LAW_SCREW;
    pair.robot = "screw";
    pair.friction = 0.2;
    pair.source = (RiSource){"here.yaml", 3};
    pair.stiffness = 10.0 * G / (3.0 * sink); // three stations
    pair.damping = 2.0 * sqrt(pair.stiffness * 10.0);
    *r = (Rig){0};
    RI_TRY(ri_context_create(NULL, &r->ctx));
    RI_TRY(ri_spec_create(r->ctx, "screw", &r->spec));
    RI_TRY(add_body(r, 10.0));
    RI_TRY(ri_spec_add_screw(r->spec, &screw));
    RI_TRY(finish(r, 0.0, &pair, RI_METHOD_IMPLICIT, 1e-3));
    RI_TRY(ri_sim_build(r->s));
    ri_sim_q(r->s)[2] = 0.1 - sink;
    return ri_sim_start(r->s);
}

static int flag_count(Rig *r, const char *name)
{
    for (int i = 0; i < ri_sim_validity_count(r->s); i++)
        if (strcmp(ri_sim_validity(r->s, i).name, name) == 0)
            return ri_sim_validity(r->s, i).count;
    return -1;
}

TEST(engagement_grows_with_depth_and_falls_when_the_shank_carries)
{
    const double height = 0.02;
    CHECK_CLOSE(ri_thread_engagement(0.0, 1e-6, height), 1.0, 0.0); // off
    CHECK_CLOSE(ri_thread_engagement(0.5, -1e-3, height), 0.0, 0.0);
    CHECK_CLOSE(ri_thread_engagement(0.5, 0.005, height), 0.5, 1e-15);
    CHECK_CLOSE(ri_thread_engagement(0.5, 0.01, height), 1.0, 1e-15);
    CHECK_CLOSE(ri_thread_engagement(0.5, 0.02, height), 1.0, 1e-15);
    CHECK_CLOSE(ri_thread_engagement(0.5, 0.04, height), 0.5, 1e-15);
    double last = 0.0;
    for (int i = 0; i <= 1000; i++) { // continuous
        const double now = ri_thread_engagement(0.7, 0.05 * i / 1000.0, height);
        CHECK(fabs(now - last) < 5e-3 && now >= 0.0 && now <= 1.0);
        last = now;
    }
}

/// Friction across the thread over friction along it, of the law at a depth.
static double ratio_at(const RiPairDef *p, double edge, double height)
{
    RiTouch t = {.pair = p, .normal = ri_vec3(0, 0, 1), .thread = ri_vec3(1, 0, 0), .depth = edge, .edge = edge};
    t.height = height;
    const double full = p->friction * p->stiffness * edge / p->stick_stiffness;
    const RiVec3 along = ri_touch_force(&t, ri_vec3(0, 1, 0), ri_vec3(0, full, 0), 0.0).force;
    const RiVec3 across = ri_touch_force(&t, ri_vec3(1, 0, 0), ri_vec3(full, 0, 0), 0.0).force;
    return across.x / along.y;
}

TEST(the_law_has_the_anisotropy_that_its_depth_allows)
{
    RiPairDef p = ri_pair_default();
    p.friction = 0.5;
    p.law = RI_LAW_SCREW, p.e0 = 6.0, p.engagement = 0.5;
    p.stick_stiffness = 5e4, p.stick_damping = 1e3;
    CHECK_CLOSE(ratio_at(&p, 0.0025, 0.02), 1.0 + 5.0 * 0.25, 1e-12);
    CHECK_CLOSE(ratio_at(&p, 0.015, 0.02), 6.0, 1e-12);
    CHECK_CLOSE(ratio_at(&p, 0.08, 0.02), 1.0 + 5.0 * 0.25, 1e-12);
    p.engagement = 0.0;
    CHECK_CLOSE(ratio_at(&p, 0.0025, 0.02), 6.0, 1e-12);
}

TEST(blunt_edges_and_touching_shanks_are_reported)
{
    RiPairDef p = ri_pair_default();
    Rig r;
    p.edge_width = 2e-3, p.engagement = 0.5;
    const double sinks[] = {1e-3, 5e-3, 25e-3}; // blunt, neither, shank
    for (int i = 0; i < 3; i++) {
        REQUIRE_OK(r.ctx, open_screw(&r, 0.08, sinks[i], p));
        REQUIRE_OK(r.ctx, run(&r, 0.2));
        CHECK_INT(flag_count(&r, "body.blunt") > 0, i == 0);
        CHECK_INT(flag_count(&r, "body.shank") > 0, i == 2);
        close_rig(&r);
    }
    p = ri_pair_default(); // off: no flags, no values to set
    REQUIRE_OK(r.ctx, open_screw(&r, 0.08, 1e-3, p));
    CHECK_INT(flag_count(&r, "body.blunt"), -1);
    CHECK(ri_values_set(ri_sim_values(r.s), "contact.screw.engagement", "0.5") != RI_OK);
    close_rig(&r);
}

TEST(engagement_needs_a_thread_of_known_height)
{
    RiPairDef p = ri_pair_default();
    Rig r;
    p.engagement = 0.5;
    CHECK(open_screw(&r, 0.0, 1e-3, p) == RI_ERR_ARGUMENT);
    const char *message = ri_context_message(r.ctx);
    CHECK(strstr(message, "here.yaml:3") && strstr(message, "engagement") && strstr(message, "core_radius"));
    close_rig(&r);
    p.engagement = 1.5;
    CHECK(open_screw(&r, 0.08, 1e-3, p) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(r.ctx), "engagement is 1.5, it must be 0 to 1"));
    close_rig(&r);
}

TEST(numbers_that_contradict_each_other_end_the_tick_with_the_pairs_name)
{
    RiPairDef p = ri_pair_default();
    Rig r;
    REQUIRE_OK(r.ctx, open_screw(&r, 0.08, 1e-3, p));
    REQUIRE_OK(r.ctx, ri_sim_step(r.s));
    REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "contact.screw.e_min", "200"));
    CHECK(ri_sim_step(r.s) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(r.ctx), "here.yaml:3") &&
          strstr(ri_context_message(r.ctx), "e_min is above e_max"));
    REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "contact.screw.e_max", "300"));
    REQUIRE_OK(r.ctx, ri_sim_step(r.s)); // mended
    close_rig(&r);
}

TEST_MAIN(CASE(a_block_that_sticks_slides_at_the_closed_form_rate_once_friction_drops),
          CASE(what_is_set_is_hashed_and_comes_back_with_the_state), CASE(numbers_without_meaning_are_refused_by_name),
          CASE(engagement_grows_with_depth_and_falls_when_the_shank_carries),
          CASE(the_law_has_the_anisotropy_that_its_depth_allows), CASE(blunt_edges_and_touching_shanks_are_reported),
          CASE(engagement_needs_a_thread_of_known_height),
          CASE(numbers_that_contradict_each_other_end_the_tick_with_the_pairs_name))
