// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stop conditions as roots: with cvode a run ends where a condition becomes true, not at the tick
/// after it. Times from closed forms.
#include "check.h"

#include <rille/sim.h>
#include <rille/version.h>

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiSim *s;
} Rig;

/// A link on one joint: a mass on a vertical slide, or a bar of 1 kg and 1 m that swings about y.
static Rig open_rig(RiJointType type, RiMethod method, double tick, const char *const *stops, int stop_count)
{
    Rig r = {0};
    if (ri_context_create(NULL, &r.ctx) != RI_OK || ri_spec_create(r.ctx, "rig", &r.spec) != RI_OK)
        abort();
    const bool slide = type == RI_JOINT_PRISMATIC;
    RiLinkSpec world = ri_link_default(), body = ri_link_default();
    world.name = "world";
    body.name = "body";
    body.mass = 1.0;
    body.com = ri_vec3(0.0, 0.0, slide ? 0.0 : -0.5);
    body.inertia = ri_inertia_box(1.0, ri_vec3(0.0, 0.0, 1.0));
    RiJointSpec j = ri_joint_default();
    j.name = "j";
    j.type = type;
    j.parent = "world";
    j.child = "body";
    j.axis = slide ? ri_vec3(0, 0, 1) : ri_vec3(0, 1, 0);
    RiSimOptions o = ri_sim_options_default();
    o.method = method;
    o.tick = tick;
    o.rtol = 1e-12;
    o.atol = 1e-13;
    RiStatus status = ri_spec_add_link(r.spec, &world);
    status = status == RI_OK ? ri_spec_add_link(r.spec, &body) : status;
    status = status == RI_OK ? ri_spec_add_joint(r.spec, &j) : status;
    status = status == RI_OK ? ri_model_create(r.ctx, r.spec, NULL, &r.m) : status;
    status = status == RI_OK ? ri_sim_create(r.ctx, r.m, &o, &r.s) : status;
    for (int i = 0; i < stop_count && status == RI_OK; i++)
        status = ri_sim_add_stop(r.s, stops[i], (RiSource){NULL, 0});
    if (status == RI_OK)
        status = ri_sim_build(r.s);
    if (status != RI_OK && status != RI_ERR_UNSUPPORTED) {
        fprintf(stderr, "%s\n", ri_context_message(r.ctx));
        abort();
    }
    if (status == RI_ERR_UNSUPPORTED) {
        printf("skipped: this build has no CVODE\n");
        exit(77);
    }
    return r;
}

static void close_rig(Rig *r)
{
    ri_sim_destroy(r->s);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static void set(Rig *r, const char *name, const char *text)
{
    CHECK_OK(r->ctx, ri_values_set(ri_sim_values(r->s), name, text));
}

static double value(const Rig *r, const char *name)
{
    return ri_values_read(ri_sim_values(r->s), ri_values_find(ri_sim_values(r->s), name));
}

static void run_to_stop(Rig *r, double most)
{
    while (!ri_sim_stopped(r->s) && ri_sim_time(r->s) < most)
        REQUIRE_OK(r->ctx, ri_sim_step(r->s));
}

TEST(a_falling_body_stops_when_it_has_fallen_a_metre)
{
    const char *stop = "j.position < -1 m";
    Rig r = open_rig(RI_JOINT_PRISMATIC, RI_METHOD_CVODE, 0.1, &stop, 1);
    CHECK_OK(r.ctx, ri_sim_start(r.s));
    run_to_stop(&r, 2.0);
    REQUIRE(ri_sim_stopped(r.s) != NULL);
    CHECK_CLOSE(ri_sim_time(r.s), sqrt(2.0 / 9.81), 1e-9);
    CHECK_CLOSE(value(&r, "j.position"), -1.0, 1e-9);
    CHECK_CLOSE(value(&r, "j.velocity"), -sqrt(2.0 * 9.81), 1e-9);
    CHECK_CLOSE(value(&r, "time"), ri_sim_time(r.s), 0.0);
    CHECK_INT(ri_sim_tick(r.s), 4);
    close_rig(&r);
}

/// Quarter period of a bar released at theta: K(sin(theta / 2)) / w0, K by the arithmetic-geometric
/// mean.
static double quarter_period(double theta, double w0)
{
    double a = 1.0, b = cos(0.5 * theta);
    for (int i = 0; i < 10; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return acos(-1.0) / (2.0 * a) / w0;
}

TEST(a_pendulum_stops_at_its_lowest_point_after_a_quarter_period)
{
    const char *stop = "j.position < 0 || time > 5";
    Rig r = open_rig(RI_JOINT_REVOLUTE, RI_METHOD_CVODE, 0.05, &stop, 1);
    set(&r, "j.position", "2.5 rad");
    CHECK_OK(r.ctx, ri_sim_start(r.s));
    run_to_stop(&r, 6.0);
    const double inertia = 1.0 / 12.0 + 0.25, w0 = sqrt(9.81 * 0.5 / inertia);
    CHECK_CLOSE(ri_sim_time(r.s), quarter_period(2.5, w0), 1e-9);
    const RiEnergy e = ri_sim_energy(r.s);
    CHECK_CLOSE(ri_energy_residual(&e), 0.0, 1e-9);
    close_rig(&r);
}

TEST(the_first_of_several_conditions_ends_the_run)
{
    const char *const stops[] = {"time > 0.35", "energy.kinetic > 2 J",
                                 "j.velocity < -1 m/s"}; // the last comes first: 1/g
    Rig r = open_rig(RI_JOINT_PRISMATIC, RI_METHOD_CVODE, 0.1, stops, 3);
    CHECK_OK(r.ctx, ri_sim_start(r.s));
    run_to_stop(&r, 1.0);
    CHECK(strcmp(ri_sim_stopped(r.s), stops[2]) == 0);
    CHECK_CLOSE(ri_sim_time(r.s), 1.0 / 9.81, 1e-9);
    close_rig(&r);
    r = open_rig(RI_JOINT_PRISMATIC, RI_METHOD_CVODE, 0.1, stops, 2); // v = 2 at kinetic 2 J
    CHECK_OK(r.ctx, ri_sim_start(r.s));
    run_to_stop(&r, 1.0);
    CHECK(strcmp(ri_sim_stopped(r.s), stops[1]) == 0);
    CHECK_CLOSE(ri_sim_time(r.s), 2.0 / 9.81, 1e-9);
    close_rig(&r);
}

TEST(who_goes_on_after_a_stop_is_back_on_the_ticks)
{
    const char *stop = "j.position < -1 m";
    Rig r = open_rig(RI_JOINT_PRISMATIC, RI_METHOD_CVODE, 0.1, &stop, 1);
    CHECK_OK(r.ctx, ri_sim_start(r.s));
    run_to_stop(&r, 2.0);
    CHECK_OK(r.ctx, ri_sim_step(r.s));
    CHECK_CLOSE(ri_sim_time(r.s), 0.5, 1e-15);
    CHECK_CLOSE(value(&r, "j.position"), -0.5 * 9.81 * 0.25, 1e-9);
    CHECK_OK(r.ctx, ri_sim_step(r.s));
    CHECK_CLOSE(ri_sim_time(r.s), 0.6, 1e-15);
    CHECK_CLOSE(value(&r, "j.position"), -0.5 * 9.81 * 0.36, 1e-9);
    close_rig(&r);
}

TEST(looking_for_roots_leaves_no_trace_in_the_state)
{
    const char *stop = "j.position > 3 rad";
    Rig with = open_rig(RI_JOINT_REVOLUTE, RI_METHOD_CVODE, 0.05, &stop, 1),
        without = open_rig(RI_JOINT_REVOLUTE, RI_METHOD_CVODE, 0.05, NULL, 0);
    Rig *both[2] = {&with, &without};
    for (int i = 0; i < 2; i++) {
        set(both[i], "j.position", "1 rad");
        CHECK_OK(both[i]->ctx, ri_sim_start(both[i]->s));
        for (int k = 0; k < 20; k++)
            CHECK_OK(both[i]->ctx, ri_sim_step(both[i]->s));
    }
    CHECK(ri_sim_hash(with.s) == ri_sim_hash(without.s));
    close_rig(&with);
    close_rig(&without);
}

TEST_MAIN(CASE(a_falling_body_stops_when_it_has_fallen_a_metre),
          CASE(a_pendulum_stops_at_its_lowest_point_after_a_quarter_period),
          CASE(the_first_of_several_conditions_ends_the_run), CASE(who_goes_on_after_a_stop_is_back_on_the_ticks),
          CASE(looking_for_roots_leaves_no_trace_in_the_state))
