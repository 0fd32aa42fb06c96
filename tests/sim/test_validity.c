// SPDX-License-Identifier: Apache-2.0
/// \file
/// Validity flags: who raises them, when they count, and that a snapshot carries them.
#include "check.h"

#include "sim/internal.h"

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiSim *s;
    int flag;
} Rig;

/// 1 kg on a horizontal slide, limited as given.
static Rig slide_rig(RiMethod method, void (*limit)(RiJointSpec *))
{
    Rig r = {0};
    if (ri_context_create(NULL, &r.ctx) != RI_OK || ri_spec_create(r.ctx, "rig", &r.spec) != RI_OK)
        abort();
    RiLinkSpec world = ri_link_default(), mass = ri_link_default();
    world.name = "world";
    mass.name = "mass";
    mass.mass = 1.0;
    mass.inertia = ri_inertia_box(1.0, ri_vec3(0.1, 0.1, 0.1));
    RiJointSpec j = ri_joint_default();
    j.name = "slide";
    j.type = RI_JOINT_PRISMATIC;
    j.parent = "world";
    j.child = "mass";
    j.axis = ri_vec3(1, 0, 0);
    limit(&j);
    RiSimOptions o = ri_sim_options_default();
    o.method = method;
    o.tick = 0.01;
    if (ri_spec_add_link(r.spec, &world) != RI_OK || ri_spec_add_link(r.spec, &mass) != RI_OK ||
        ri_spec_add_joint(r.spec, &j) != RI_OK || ri_model_create(r.ctx, r.spec, NULL, &r.m) != RI_OK ||
        ri_sim_create(r.ctx, r.m, &o, &r.s) != RI_OK ||
        ri_sim_add_validity(r.s, "soil.depth", "deeper than its law", &r.flag) != RI_OK)
        abort();
    return r;
}

static void begin(Rig *r)
{
    if (ri_sim_build(r->s) != RI_OK || ri_sim_start(r->s) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(r->ctx));
        abort();
    }
}

static void close_rig(Rig *r)
{
    ri_sim_destroy(r->s);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static RiValidity find(const Rig *r, const char *name)
{
    for (int i = 0; i < ri_sim_validity_count(r->s); i++)
        if (strcmp(ri_sim_validity(r->s, i).name, name) == 0)
            return ri_sim_validity(r->s, i);
    return (RiValidity){.count = -1};
}

static double value(const Rig *r, const char *name)
{
    const int i = ri_values_find(ri_sim_values(r->s), name);
    return i < 0 ? NAN : ri_values_read(ri_sim_values(r->s), i);
}

static void step(Rig *r, int ticks)
{
    for (int i = 0; i < ticks; i++)
        CHECK_OK(r->ctx, ri_sim_step(r->s));
}

static void no_limits(RiJointSpec *j)
{
    (void)j;
}

static void travel(RiJointSpec *j)
{
    j->has_limits = true;
    j->lower = -1.0;
    j->upper = 0.255;
}

static void all(RiJointSpec *j)
{
    travel(j);
    j->upper = 0.5;
    j->stop_stiffness = 1e5;
    j->stop_exponent = 1.0;
    j->velocity = 0.55;
    j->effort = 2.0;
}

TEST(a_report_counts_once_a_tick_and_keeps_its_first_time)
{
    Rig r = slide_rig(RI_METHOD_IMPLICIT, no_limits);
    begin(&r);
    step(&r, 3);
    CHECK_INT(ri_sim_violations(r.s), 0);
    for (int i = 0; i < 5; i++)
        ri_sim_report_validity(r.s, r.flag);
    ri_sim_report_validity(r.s, -1);
    step(&r, 4);
    CHECK_INT(find(&r, "soil.depth").count, 1);
    CHECK_CLOSE(find(&r, "soil.depth").first_time, 0.04, 1e-15);
    ri_sim_report_validity(r.s, r.flag);
    step(&r, 1);
    CHECK_CLOSE(value(&r, "validity.soil.depth"), 2.0, 0.0);
    CHECK_CLOSE(find(&r, "soil.depth").first_time, 0.04, 1e-15);
    CHECK_INT(ri_sim_violations(r.s), 1);
    close_rig(&r);
}

TEST(a_snapshot_carries_the_flags)
{
    Rig r = slide_rig(RI_METHOD_IMPLICIT, no_limits);
    begin(&r);
    ri_sim_report_validity(r.s, r.flag);
    step(&r, 1);
    void *block = malloc(ri_sim_state_size(r.s));
    ri_sim_save_state(r.s, block);
    ri_sim_report_validity(r.s, r.flag);
    step(&r, 1);
    CHECK_INT(find(&r, "soil.depth").count, 2);
    CHECK_OK(r.ctx, ri_sim_load_state(r.s, block));
    CHECK_INT(find(&r, "soil.depth").count, 1);
    free(block);
    close_rig(&r);
}

TEST(a_joint_that_leaves_its_range_is_seen_by_every_method)
{
    for (RiMethod method = RI_METHOD_IMPLICIT; method < RI_METHOD_KINEMATIC; method++) {
        Rig r = slide_rig(method, travel);
        if (ri_sim_build(r.s) == RI_ERR_UNSUPPORTED) {
            close_rig(&r);
            continue;
        }
        CHECK_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "slide.velocity", "1 m/s"));
        CHECK_OK(r.ctx, ri_sim_start(r.s));
        step(&r, 40); // passes 0.255 m between ticks 25 and 26
        CHECK_CLOSE(find(&r, "slide.position_limit").first_time, 0.26, 1e-9);
        CHECK_INT(find(&r, "slide.position_limit").count, 15);
        CHECK(find(&r, "slide.velocity_limit").count < 0); // not limited: no flag
        close_rig(&r);
    }
}

TEST(rate_and_effort_have_their_own_flags_and_a_stop_may_be_touched)
{
    Rig r = slide_rig(RI_METHOD_IMPLICIT, all);
    begin(&r);
    CHECK_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "slide.command", "2 N"));
    step(&r, 20);
    CHECK_INT(ri_sim_violations(r.s), 0); // 0.4 m/s, the effort right at its limit
    CHECK_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "slide.command", "2.5 N"));
    step(&r, 100); // faster than 0.55 m/s, then against the stop
    CHECK_CLOSE(find(&r, "slide.effort_limit").first_time, 0.21, 1e-9);
    CHECK_INT(find(&r, "slide.effort_limit").count, 100);
    CHECK(find(&r, "slide.velocity_limit").count > 0);
    CHECK_INT(find(&r, "slide.position_limit").count, 0); // a touched stop is what stops are for
    CHECK(value(&r, "slide.position") > 0.45);
    close_rig(&r);
}

TEST(an_overstretched_spring_is_seen)
{
    Rig r = slide_rig(RI_METHOD_IMPLICIT, no_limits);
    const RiSpringDef def = {.name = "tether", .link = "mass", .anchor = {-0.5, 0, 0}, .stiffness = 0.1, .length = 0.5};
    CHECK_OK(r.ctx, ri_sim_add_spring(r.s, &def));
    CHECK_OK(r.ctx, ri_sim_build(r.s));
    CHECK_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "slide.velocity", "1 m/s"));
    CHECK_OK(r.ctx, ri_sim_start(r.s));
    step(&r, 40);
    CHECK_INT(find(&r, "tether.stretch").count, 0);
    step(&r, 40);
    CHECK(find(&r, "tether.stretch").count > 0);
    CHECK_CLOSE(find(&r, "tether.stretch").first_time, 0.52, 0.015);
    close_rig(&r);
}

TEST(flags_come_before_the_build_and_have_one_name)
{
    Rig r = slide_rig(RI_METHOD_IMPLICIT, no_limits);
    int flag;
    CHECK_OK(r.ctx, ri_sim_add_validity(r.s, "soil.depth", "again", &flag));
    CHECK_ERROR(r.ctx, ri_sim_build(r.s), RI_ERR_ARGUMENT, "validity.soil.depth");
    close_rig(&r);
    r = slide_rig(RI_METHOD_IMPLICIT, no_limits);
    begin(&r);
    CHECK_ERROR(r.ctx, ri_sim_add_validity(r.s, "late", "late", &flag), RI_ERR_ARGUMENT, "after ri_sim_build");
    CHECK_INT(flag, -1);
    close_rig(&r);
}

TEST_MAIN(CASE(a_report_counts_once_a_tick_and_keeps_its_first_time), CASE(a_snapshot_carries_the_flags),
          CASE(a_joint_that_leaves_its_range_is_seen_by_every_method),
          CASE(rate_and_effort_have_their_own_flags_and_a_stop_may_be_touched), CASE(an_overstretched_spring_is_seen),
          CASE(flags_come_before_the_build_and_have_one_name))
