// SPDX-License-Identifier: Apache-2.0
/// \file
/// Warm screws in a running simulation: heat books, speeds of sinking, embedding, and the state.
#include "check.h"

#include <rille/sim.h>

#include "../io/faults.h"

static const double G = 9.81;

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
    if (r->ctx)
        ri_context_destroy(r->ctx);
    *r = (Rig){0};
}

static RiStatus add_link(Rig *r, const char *name, double mass)
{
    RiLinkSpec link = ri_link_default();
    link.name = name;
    link.mass = mass;
    link.inertia = ri_inertia_box(mass, ri_vec3(0.3, 0.2, 0.2));
    return ri_spec_add_link(r->spec, &link);
}

/// A screw of 40 kg that lies along x on ice, in a frame that lets it move along x and z and turn.
static RiStatus build_spec(Rig *r)
{
    static const char *const links[] = {"world", "lift", "frame", "screw"};
    static const double masses[] = {0.0, 5.0, 5.0, 30.0};
    const RiVec3 axes[] = {{0, 0, 1}, {1, 0, 0}, {1, 0, 0}};
    RI_TRY(ri_spec_create(r->ctx, "rig", &r->spec));
    r->spec->base = RI_BASE_FIXED;
    for (int i = 0; i < 4; i++)
        RI_TRY(add_link(r, links[i], masses[i]));
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"up", "along", "turn"};
        RiJointSpec j = ri_joint_default();
        j.name = names[i], j.parent = links[i], j.child = links[i + 1], j.axis = axes[i];
        j.type = i < 2 ? RI_JOINT_PRISMATIC : RI_JOINT_CONTINUOUS;
        j.effort = i < 2 ? INFINITY : 50.0;
        RI_TRY(ri_spec_add_joint(r->spec, &j));
    }
    RiScrewSpec screw = {.name = "thread", .link = "screw", .hand = 1, .starts = 2, .lead = 0.2, .radius = 0.1};
    screw.core_radius = 0.08, screw.length = 0.3;
    screw.pose = ri_pose_identity();
    screw.pose.R = ri_mat3_from_cols(ri_vec3(0, 0, -1), ri_vec3(0, 1, 0), ri_vec3(1, 0, 0)); // z along x
    return ri_spec_add_screw(r->spec, &screw);
}

static RiStatus open_with(Rig *r, const RiAllocator *allocator, const RiMeltDef *melt, RiMethod method)
{
    *r = (Rig){0};
    RI_TRY(ri_context_create(allocator, &r->ctx));
    RI_TRY(build_spec(r));
    RiPairDef pair = ri_pair_default();
    pair.law = RI_LAW_SCREW, pair.friction = 0.1, pair.e0 = 4.0, pair.engagement = 0.5;
    RiContactOptions contact = ri_contact_options_default();
    RiSimOptions options = ri_sim_options_default();
    contact.pairs = &pair, contact.pair_count = 1;
    options.method = method;
    RI_TRY(ri_terrain_create_plane(r->ctx, &(RiPlaneDef){.material = "ice"}, &r->t));
    RI_TRY(ri_model_create(r->ctx, r->spec, NULL, &r->m));
    RI_TRY(ri_contacts_create(r->ctx, r->spec, r->m, r->t, &contact, &r->c));
    RI_TRY(ri_sim_create(r->ctx, r->m, &options, &r->s));
    RI_TRY(ri_sim_set_contacts(r->s, r->c));
    RI_TRY(ri_sim_set_melt(r->s, melt));
    RI_TRY(ri_sim_build(r->s));
    ri_sim_q(r->s)[0] = 0.1 - 40.0 * G / (3.0 * pair.stiffness);
    return ri_sim_start(r->s);
}

static RiStatus run(Rig *r, double time)
{
    while (ri_sim_time(r->s) < time - 1e-9)
        RI_TRY(ri_sim_step(r->s));
    return RI_OK;
}

static double value(Rig *r, const char *name)
{
    const int i = ri_values_find(ri_sim_values(r->s), name);
    if (i < 0)
        abort();
    return ri_values_read(ri_sim_values(r->s), i);
}

static RiMeltDef warm_def(double temperature)
{
    RiMeltDef d = ri_melt_default();
    d.start_temperature = temperature;
    return d;
}

TEST(a_cold_screw_in_the_books_warms_and_cools_as_a_lump)
{
    RiMeltDef d = warm_def(263.15);
    Rig r;
    d.ice_conductivity = 0.0; // to the surroundings alone
    REQUIRE_OK(r.ctx, open_with(&r, NULL, &d, RI_METHOD_IMPLICIT));
    REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "screw.heater", "2 W"));
    REQUIRE_OK(r.ctx, run(&r, 30.0));
    const double rest = 263.15 + 2.0 / d.surroundings_conductance;
    const double want = rest + (263.15 - rest) * exp(-30.0 * d.surroundings_conductance / d.heat_capacity);
    CHECK_CLOSE(value(&r, "screw.temperature"), want, 1e-7); // settling makes a trace of friction heat
    close_rig(&r);
}

/// All heat that contacts made, and where it went.
static void check_books(Rig *r, double start)
{
    const RiEnergy e = ri_sim_energy(r->s);
    const double friction = value(r, "screw.friction_heat"), taken = value(r, "screw.heat_from_friction");
    const double heater = value(r, "screw.heat_from_heater"), ice = value(r, "screw.heat_to_ice");
    const double around = value(r, "screw.heat_to_surroundings"), share = value(r, "melt.friction_share");
    const double stored = value(r, "melt.heat_capacity") * (value(r, "screw.temperature") - start);
    CHECK_CLOSE(ri_energy_residual(&e), 0.0, 1e-9);
    CHECK_CLOSE(friction, e.dissipated, 1e-9 * e.dissipated); // nothing else loses energy here
    CHECK_CLOSE(taken, share * friction, 1e-9 * friction);
    const double scale = taken + heater + fabs(ice) + fabs(around);
    CHECK_CLOSE(stored, taken + heater - ice - around, 1e-9 * scale);
    if (start > 273.15) // warmer than the ice all the time
        CHECK(value(r, "screw.heat_to_melt") > 0.0 && value(r, "screw.heat_to_melt") < ice);
}

TEST(heat_into_screw_and_ice_adds_up_to_what_friction_dissipates)
{
    const double starts[] = {255.0, 273.0, 300.0};
    for (int i = 0; i < 3; i++) {
        const RiMeltDef d = warm_def(starts[i]);
        Rig r;
        REQUIRE_OK(r.ctx, open_with(&r, NULL, &d, RI_METHOD_IMPLICIT));
        REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "screw.heater", "30 W"));
        REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "turn.command", "8 N*m"));
        REQUIRE_OK(r.ctx, run(&r, 3.0));
        CHECK(fabs(value(&r, "turn.velocity")) > 0.1);
        check_books(&r, starts[i]);
        close_rig(&r);
    }
}

TEST(a_parked_screw_sinks_at_the_speed_of_its_blades_conduction_and_is_reported_stuck)
{
    RiMeltDef d = warm_def(303.15);
    Rig r;
    d.thread_conductivity = 40.0; // far less than the film conducts: w = k dT / (rho H height)
    d.heat_capacity = 1e6;
    REQUIRE_OK(r.ctx, open_with(&r, NULL, &d, RI_METHOD_IMPLICIT));
    REQUIRE_OK(r.ctx, run(&r, 5.0));
    const double z = value(&r, "up.position");
    REQUIRE_OK(r.ctx, run(&r, 15.0));
    const double heat = d.latent_heat + d.ice_specific_heat * 10.0;
    const double want = 40.0 * 30.0 / (d.ice_density * heat * 0.02);
    CHECK_CLOSE((z - value(&r, "up.position")) / 10.0 / want, 1.0, 0.002);
    CHECK_CLOSE(value(&r, "screw.embedded") * 0.02, 0.1 - value(&r, "up.position"), 1e-12);
    int stuck = 0;
    while (!stuck && ri_sim_time(r.s) < 60.0) {
        REQUIRE_OK(r.ctx, ri_sim_step(r.s));
        stuck = (int)value(&r, "validity.screw.embedded");
        CHECK(stuck == (value(&r, "screw.breakout") > 50.0 || value(&r, "screw.embedded") > 1.0));
    }
    CHECK(stuck);
    close_rig(&r);
}

TEST(a_screw_that_drives_off_in_time_stays_shallow)
{
    double deep[2];
    for (int i = 0; i < 2; i++) {
        const RiMeltDef d = warm_def(303.15);
        Rig r;
        REQUIRE_OK(r.ctx, open_with(&r, NULL, &d, RI_METHOD_IMPLICIT));
        if (i)
            ri_sim_v(r.s)[1] = 0.2;
        for (int k = 0; k < 3000; k++) {
            if (i)
                ri_sim_v(r.s)[1] = 0.2; // pulled along
            REQUIRE_OK(r.ctx, ri_sim_step(r.s));
        }
        deep[i] = value(&r, "screw.melted_in");
        close_rig(&r);
    }
    CHECK(deep[0] > 1e-3);
    CHECK(deep[1] < 0.5 * deep[0]);
}

TEST(temperatures_and_grooves_are_state_and_continue_with_equal_bits)
{
    const RiMeltDef d = warm_def(300.0);
    Rig a, b;
    REQUIRE_OK(a.ctx, open_with(&a, NULL, &d, RI_METHOD_IMPLICIT));
    REQUIRE_OK(b.ctx, open_with(&b, NULL, &d, RI_METHOD_IMPLICIT));
    CHECK(ri_sim_hash(a.s) == ri_sim_hash(b.s));
    REQUIRE_OK(a.ctx, ri_values_set(ri_sim_values(a.s), "screw.heater", "50 W"));
    REQUIRE_OK(a.ctx, ri_values_set(ri_sim_values(a.s), "turn.command", "8 N*m"));
    REQUIRE_OK(a.ctx, run(&a, 1.0));
    void *block = malloc(ri_sim_state_size(a.s));
    REQUIRE(block);
    ri_sim_save_state(a.s, block);
    REQUIRE_OK(b.ctx, ri_sim_load_state(b.s, block));
    free(block);
    REQUIRE_OK(a.ctx, run(&a, 2.0));
    REQUIRE_OK(b.ctx, run(&b, 2.0));
    CHECK(ri_sim_hash(a.s) == ri_sim_hash(b.s));
    close_rig(&a);
    close_rig(&b);
}

TEST(what_cannot_melt_says_why)
{
    RiMeltDef d = ri_melt_default();
    Rig r;
    CHECK(open_with(&r, NULL, &d, RI_METHOD_CVODE) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(r.ctx), "implicit"));
    close_rig(&r);
    d.ground = "sno*";
    CHECK(open_with(&r, NULL, &d, RI_METHOD_IMPLICIT) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(r.ctx), "sno*"));
    close_rig(&r);
    d = ri_melt_default();
    d.latent_heat = -1.0;
    CHECK(open_with(&r, NULL, &d, RI_METHOD_IMPLICIT) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(r.ctx), "latent_heat"));
    close_rig(&r);
}

TEST(every_failed_allocation_is_an_error_without_leaks)
{
    bool done = false;
    long at = 0;
    const RiMeltDef d = warm_def(300.0);
    for (; !done && at < 3000; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        Rig r;
        const RiStatus status = open_with(&r, &allocator, &d, RI_METHOD_IMPLICIT);
        done = status == RI_OK;
        if (!done)
            CHECK_INT(status, RI_ERR_MEMORY);
        close_rig(&r);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done && at > 10);
}

TEST_MAIN(CASE(a_cold_screw_in_the_books_warms_and_cools_as_a_lump),
          CASE(heat_into_screw_and_ice_adds_up_to_what_friction_dissipates),
          CASE(a_parked_screw_sinks_at_the_speed_of_its_blades_conduction_and_is_reported_stuck),
          CASE(a_screw_that_drives_off_in_time_stays_shallow),
          CASE(temperatures_and_grooves_are_state_and_continue_with_equal_bits), CASE(what_cannot_melt_says_why),
          CASE(every_failed_allocation_is_an_error_without_leaks))
