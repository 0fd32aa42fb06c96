// SPDX-License-Identifier: Apache-2.0
/// \file
/// Contact with hard ground in a running simulation: closed forms of sliding, rolling and sticking,
/// and of the screw-ice law.
#include "check.h"
#include "needs.h"

#include <rille/sim.h>

static const double G = 9.81;

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiContacts *c;
    RiSim *s;
    RiPairDef pair;
    RiContactOptions contact;
    RiSimOptions sim;
} Rig;

static Rig open_rig(void)
{
    Rig r = {.pair = ri_pair_default(), .contact = ri_contact_options_default(), .sim = ri_sim_options_default()};
    if (ri_context_create(NULL, &r.ctx) != RI_OK || ri_spec_create(r.ctx, "rig", &r.spec) != RI_OK)
        abort();
    r.sim.gravity = ri_vec3(0.0, 0.0, -G);
    return r;
}

static void close_rig(Rig *r)
{
    ri_sim_destroy(r->s);
    ri_contacts_destroy(r->c);
    ri_terrain_destroy(r->t);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
}

static void ok(Rig *r, RiStatus status)
{
    if (status == RI_OK)
        return;
    fprintf(stderr, "%s\n", ri_context_message(r->ctx));
    abort();
}

static void add_link(Rig *r, const char *name, double mass, RiMat3 inertia)
{
    RiLinkSpec link = ri_link_default();
    link.name = name;
    link.mass = mass;
    link.inertia = inertia;
    ok(r, ri_spec_add_link(r->spec, &link));
}

static void add_shape(Rig *r, const char *link, RiShapeType type, double a, double b, double c)
{
    RiShapeSpec x = ri_shape_default();
    x.link = link;
    x.use = RI_SHAPE_COLLISION;
    x.type = type;
    x.size[0] = a, x.size[1] = b, x.size[2] = c;
    ok(r, ri_spec_add_shape(r->spec, &x));
}

/// Model, plane of a slope rising along x, contacts, and a simulation ready to be placed.
static void build(Rig *r, double slope)
{
    const RiPlaneDef plane = {.slope = slope};
    r->contact.pairs = &r->pair;
    r->contact.pair_count = 1;
    ok(r, ri_terrain_create_plane(r->ctx, &plane, &r->t));
    ok(r, ri_model_create(r->ctx, r->spec, NULL, &r->m));
    ok(r, ri_contacts_create(r->ctx, r->spec, r->m, r->t, &r->contact, &r->c));
    ok(r, ri_sim_create(r->ctx, r->m, &r->sim, &r->s));
    ok(r, ri_sim_set_contacts(r->s, r->c));
    ok(r, ri_sim_build(r->s));
}

/// Pose of the floating base: quaternion of a turn about y.
static void place(Rig *r, RiVec3 p, double turn_y)
{
    double *q = ri_sim_q(r->s);
    q[0] = p.x, q[1] = p.y, q[2] = p.z;
    q[3] = cos(0.5 * turn_y), q[4] = 0.0, q[5] = sin(0.5 * turn_y), q[6] = 0.0;
}

static void run(Rig *r, double time)
{
    while (ri_sim_time(r->s) < time - 1e-9)
        ok(r, ri_sim_step(r->s));
}

static double value(Rig *r, const char *name)
{
    const int i = ri_values_find(ri_sim_values(r->s), name);
    if (i < 0)
        abort();
    return ri_values_read(ri_sim_values(r->s), i);
}

/// Speed down the slope.
static double down(Rig *r, double slope)
{
    return -(value(r, "base.vx") * cos(slope) + value(r, "base.vz") * sin(slope));
}

static Rig block_rig(double slope, double mu, RiMethod method, double tick, int passes)
{
    Rig r = open_rig();
    add_link(&r, "block", 2.0, ri_inertia_box(2.0, ri_vec3(0.4, 0.4, 0.1)));
    add_shape(&r, "block", RI_SHAPE_BOX, 0.4, 0.4, 0.1);
    r.pair.friction = mu;
    r.sim.method = method;
    r.sim.tick = tick;
    r.sim.passes = passes;
    build(&r, slope);
    const double sink = 2.0 * G * cos(slope) / (4.0 * r.pair.stiffness), h = 0.05 - sink;
    place(&r, ri_vec3(-h * sin(slope), 0.0, h * cos(slope)), -slope);
    ok(&r, ri_sim_start(r.s));
    return r;
}

static double slide_error(RiMethod method, double tick, int passes)
{
    const double slope = 20.0 * M_PI / 180.0, mu = 0.3;
    Rig r = block_rig(slope, mu, method, tick, passes);
    run(&r, 1.0);
    const double v1 = down(&r, slope);
    run(&r, 2.0);
    const double a = down(&r, slope) - v1;
    close_rig(&r);
    return a / (G * (sin(slope) - mu * cos(slope))) - 1.0;
}

TEST(a_block_slides_down_an_incline_at_the_closed_form_acceleration)
{
    NEEDS("cvode");
    CHECK_CLOSE(slide_error(RI_METHOD_CVODE, 1e-2, 1), 0.0, 1e-6);
    CHECK_CLOSE(slide_error(RI_METHOD_IMPLICIT, 1e-3, 2), 0.0, 1e-4);
}

TEST(one_pass_is_enough_where_sliding_goes_on_as_it_did)
{
    CHECK_CLOSE(slide_error(RI_METHOD_IMPLICIT, 1e-3, 1), 0.0, 1e-4);
    CHECK_CLOSE(slide_error(RI_METHOD_IMPLICIT, 5e-3, 1), 0.0, 1e-3);
}

static double parked_creep(double slope, double mu, double from, double to)
{
    Rig r = block_rig(slope, mu, RI_METHOD_IMPLICIT, 2e-3, 1);
    run(&r, from);
    const RiVec3 a = ri_vec3(value(&r, "base.x"), value(&r, "base.y"), value(&r, "base.z"));
    run(&r, to);
    const RiVec3 b = ri_vec3(value(&r, "base.x"), value(&r, "base.y"), value(&r, "base.z"));
    close_rig(&r);
    return ri_norm(ri_sub(b, a));
}

TEST(a_block_inside_its_friction_cone_does_not_creep)
{
    CHECK(parked_creep(20.0 * M_PI / 180.0, 0.4, 1.0, 61.0) < 1e-9);
}

TEST(a_sliding_block_stops_where_the_closed_form_says_and_stays)
{
    const double slope = 0.1, mu = 0.4, v0 = 1.0, want = v0 * v0 / (2.0 * G * (mu * cos(slope) - sin(slope)));
    Rig r = block_rig(slope, mu, RI_METHOD_IMPLICIT, 1e-3, 1);
    ri_sim_v(r.s)[0] = -v0 * cos(slope), ri_sim_v(r.s)[2] = -v0 * sin(slope);
    run(&r, 3.0);
    const double way = hypot(value(&r, "base.x") + (0.05) * sin(slope), value(&r, "base.z") - 0.05 * cos(slope));
    CHECK_CLOSE(way / want, 1.0, 0.01);
    const double x = value(&r, "base.x");
    run(&r, 10.0);
    CHECK_CLOSE(value(&r, "base.x"), x, 1e-9);
    close_rig(&r);
}

static double roll_factor(RiShapeType type, RiMat3 inertia)
{
    const double slope = 0.2, radius = 0.1;
    Rig r = open_rig();
    add_link(&r, "body", 1.0, inertia);
    if (type == RI_SHAPE_SPHERE)
        add_shape(&r, "body", RI_SHAPE_SPHERE, radius, 0.0, 0.0);
    else { // a wheel around y
        RiWheelSpec w = {.name = "wheel", .link = "body", .pose = ri_pose_identity(), .radius = radius, .width = 0.2};
        ok(&r, ri_spec_add_wheel(r.spec, &w));
    }
    r.pair.friction = 0.8;
    r.sim.tick = 1e-3;
    build(&r, slope);
    const double h = radius - G * cos(slope) / (r.pair.stiffness * (type == RI_SHAPE_SPHERE ? 1.0 : 2.0));
    place(&r, ri_vec3(-h * sin(slope), 0.0, h * cos(slope)), 0.0);
    ok(&r, ri_sim_start(r.s));
    run(&r, 0.5);
    const double v = down(&r, slope);
    run(&r, 1.5);
    const double a = down(&r, slope) - v;
    close_rig(&r);
    return a / (G * sin(slope));
}

TEST(spheres_and_cylinders_roll_down_at_their_closed_form_accelerations)
{
    const double solid = 0.4 * 0.01, shell = 2.0 / 3.0 * 0.01, disc = 0.5 * 0.01;
    const RiMat3 sphere = {{{solid, 0, 0}, {0, solid, 0}, {0, 0, solid}}};
    const RiMat3 hollow = {{{shell, 0, 0}, {0, shell, 0}, {0, 0, shell}}};
    const RiMat3 drum = {{{0.006, 0, 0}, {0, disc, 0}, {0, 0, 0.006}}};
    CHECK_CLOSE(roll_factor(RI_SHAPE_SPHERE, sphere), 5.0 / 7.0, 1e-3);
    CHECK_CLOSE(roll_factor(RI_SHAPE_SPHERE, hollow), 0.6, 1e-3);
    CHECK_CLOSE(roll_factor(RI_SHAPE_CYLINDER, drum), 2.0 / 3.0, 1e-3);
}

TEST(a_sliding_sphere_begins_to_roll_at_five_sevenths_of_its_speed)
{
    const double I = 0.4 * 0.01, v0 = 2.0, mu = 0.3;
    Rig r = open_rig();
    add_link(&r, "ball", 1.0, (RiMat3){{{I, 0, 0}, {0, I, 0}, {0, 0, I}}});
    add_shape(&r, "ball", RI_SHAPE_SPHERE, 0.1, 0.0, 0.0);
    r.pair.friction = mu;
    r.sim.tick = 1e-3;
    build(&r, 0.0);
    place(&r, ri_vec3(0.0, 0.0, 0.1 - G / r.pair.stiffness), 0.0);
    ri_sim_v(r.s)[0] = v0;
    ok(&r, ri_sim_start(r.s));
    const double t = 2.0 * v0 / (7.0 * mu * G);
    run(&r, round(t * 1000.0) / 1000.0);
    CHECK_CLOSE(value(&r, "base.x") / (12.0 * v0 * v0 / (49.0 * mu * G)), 1.0, 0.01);
    run(&r, 1.0);
    CHECK_CLOSE(value(&r, "base.vx"), 5.0 / 7.0 * v0, 0.005 * v0);
    CHECK_CLOSE(value(&r, "base.rate_y"), 5.0 / 7.0 * v0 / 0.1, 0.05 * v0);
    close_rig(&r);
}

// --- screws --------------------------------------------------------------------------------------

static RiScrewPoints screw_points = RI_SCREW_ENVELOPE;

/// Two screws of opposite hands along x, side by side, joined by a frame that slides along x; or
/// held.
static Rig screw_rig(double E, double lead_angle, bool held, RiMethod method, double tick)
{
    Rig r = open_rig();
    const double R = 0.1;
    r.spec->base = RI_BASE_FIXED;
    add_link(&r, "world", 0.0, (RiMat3){{{0}}});
    add_link(&r, "lift", 0.1, ri_inertia_sphere(0.1, 0.05));
    add_link(&r, "frame", 8.0, ri_inertia_sphere(8.0, 0.2));
    RiJointSpec j = ri_joint_default();
    j.name = "up", j.type = RI_JOINT_PRISMATIC, j.parent = "world", j.child = "lift", j.axis = ri_vec3(0, 0, 1);
    ok(&r, ri_spec_add_joint(r.spec, &j));
    j.name = "along", j.type = held ? RI_JOINT_FIXED : RI_JOINT_PRISMATIC, j.parent = "lift", j.child = "frame";
    j.axis = ri_vec3(1, 0, 0);
    ok(&r, ri_spec_add_joint(r.spec, &j));
    for (int i = 0; i < 2; i++) {
        const char *link = i ? "right" : "left";
        add_link(&r, link, 1.0, (RiMat3){{{1e3, 0, 0}, {0, 1e3, 0}, {0, 0, 1e3}}}); // a flywheel
        j.name = i ? "turn_right" : "turn_left", j.type = RI_JOINT_CONTINUOUS, j.parent = "frame", j.child = link;
        j.origin.p = ri_vec3(0.0, i ? -0.2 : 0.2, 0.0);
        ok(&r, ri_spec_add_joint(r.spec, &j));
        RiScrewSpec s = {.name = link, .link = link, .hand = i ? -1 : 1, .starts = 4, .radius = R, .length = 0.3};
        s.pose = ri_pose_identity();
        s.pose.R = ri_mat3_from_cols(ri_vec3(0, 0, -1), ri_vec3(0, 1, 0), ri_vec3(1, 0, 0)); // z along x
        s.lead = 2.0 * M_PI * R * tan(lead_angle);
        ok(&r, ri_spec_add_screw(r.spec, &s));
    }
    r.pair.law = RI_LAW_SCREW;
    r.pair.friction = 0.15;
    r.pair.e0 = E;
    r.contact.screw_points = screw_points;
    r.contact.thread_points = 96;
    r.sim.method = method;
    r.sim.tick = tick;
    build(&r, 0.0);
    ok(&r, ri_values_set(ri_sim_values(r.s), "up.position", "0.0998"));
    ok(&r, ri_values_set(ri_sim_values(r.s), "turn_left.velocity", "3"));
    ok(&r, ri_values_set(ri_sim_values(r.s), "turn_right.velocity", "-3"));
    ok(&r, ri_sim_start(r.s));
    return r;
}

/// Advances with both screws kept at 3 rad/s by hand.
static void drive(Rig *r, double time)
{
    while (ri_sim_time(r->s) < time - 1e-9) {
        ok(r, ri_values_set(ri_sim_values(r->s), "turn_left.velocity", "3"));
        ok(r, ri_values_set(ri_sim_values(r->s), "turn_right.velocity", "-3"));
        ok(r, ri_sim_step(r->s));
    }
}

TEST(a_counter_rotating_pair_of_screws_runs_at_the_closed_form_speed)
{
    const double table[5][3] = {
        {2, 20, 0.170680}, {5, 20, 0.283661}, {10, 20, 0.323290}, {10, 30, 0.502853}, {100, 30, 0.569678}};
    for (int i = 0; i < 5; i++) {
        Rig r = screw_rig(table[i][0], table[i][1] * M_PI / 180.0, false, RI_METHOD_IMPLICIT, 1e-3);
        drive(&r, 3.0);
        CHECK_CLOSE(fabs(value(&r, "along.velocity")) / (3.0 * 0.1), table[i][2], 0.01 * table[i][2]);
        close_rig(&r);
    }
}

TEST(a_stalled_screw_pulls_as_the_closed_form_says)
{
    const double L = 30.0 * M_PI / 180.0, E = 5.0;
    Rig r = screw_rig(E, L, true, RI_METHOD_IMPLICIT, 1e-3);
    drive(&r, 2.0);
    double thrust = 0.0, normal = 0.0;
    for (int i = 0; i < ri_sim_touch_count(r.s); i++) {
        thrust += ri_sim_touch(r.s, i)->force.x;
        normal += ri_sim_touch(r.s, i)->pressing;
    }
    CHECK_CLOSE(normal, 10.1 * G, 0.01 * 10.1 * G);
    CHECK_CLOSE(fabs(thrust), normal * 0.15 * (E - 1.0) * sin(L) * cos(L), 0.005 * fabs(thrust));
    close_rig(&r);
}

TEST(without_anisotropy_the_screw_law_is_coulombs)
{
    Rig r = screw_rig(1.0, 0.5, false, RI_METHOD_IMPLICIT, 1e-3);
    drive(&r, 1.0);
    CHECK_CLOSE(value(&r, "along.velocity"), 0.0, 1e-9);
    for (int i = 0; i < ri_sim_touch_count(r.s); i++) {
        const RiTouchInfo *t = ri_sim_touch(r.s, i);
        const RiVec3 side = ri_sub(t->force, ri_scale(t->pressing, t->normal));
        CHECK_CLOSE(ri_norm(side) / t->pressing, 0.15, 1e-3);
    }
    close_rig(&r);
}

TEST(thread_points_move_the_pair_as_the_envelope_does)
{
    double speed[2];
    for (int i = 0; i < 2; i++) {
        screw_points = i ? RI_SCREW_THREAD : RI_SCREW_ENVELOPE;
        Rig r = screw_rig(5.0, 20.0 * M_PI / 180.0, false, RI_METHOD_IMPLICIT, 1e-3);
        drive(&r, 1.0);
        const double from = value(&r, "along.position");
        drive(&r, 3.0);
        speed[i] = 0.5 * (value(&r, "along.position") - from);
        close_rig(&r);
    }
    screw_points = RI_SCREW_ENVELOPE;
    CHECK_CLOSE(speed[1] / speed[0], 1.0, 0.02);
}

// --- steps ---------------------------------------------------------------------------------------

/// A wheel without friction that cannot turn, on slides along x and z, before a step of height h at
/// x = 1 m.
static Rig step_rig(double h)
{
    Rig r = open_rig();
    r.spec->base = RI_BASE_FIXED;
    add_link(&r, "world", 0.0, (RiMat3){{{0}}});
    add_link(&r, "carriage", 0.1, ri_inertia_sphere(0.1, 0.05));
    add_link(&r, "wheel", 9.9, ri_inertia_sphere(9.9, 0.2));
    RiJointSpec j = ri_joint_default();
    j.name = "along", j.type = RI_JOINT_PRISMATIC, j.parent = "world", j.child = "carriage", j.axis = ri_vec3(1, 0, 0);
    ok(&r, ri_spec_add_joint(r.spec, &j));
    j.name = "up", j.parent = "carriage", j.child = "wheel", j.axis = ri_vec3(0, 0, 1);
    ok(&r, ri_spec_add_joint(r.spec, &j));
    RiWheelSpec w = {.name = "rim", .link = "wheel", .pose = ri_pose_identity(), .radius = 0.25, .width = 0.2};
    ok(&r, ri_spec_add_wheel(r.spec, &w));
    RiGroundPart parts[2] = {{.shape = RI_GROUND_PLANE, .pose = ri_pose_identity()},
                             {.shape = RI_GROUND_BOX, .pose = ri_pose_identity(), .a = 1.0, .b = 2.0, .c = 0.5 * h}};
    parts[1].pose.p = ri_vec3(2.0, 0.0, 0.5 * h);
    ok(&r, ri_terrain_create_shapes(r.ctx, 2, parts, &r.t));
    r.pair.friction = 0.0;
    r.pair.stiffness = 1e6;
    r.pair.damping = 1e4;
    r.contact.pairs = &r.pair;
    r.contact.pair_count = 1;
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    ok(&r, ri_contacts_create(r.ctx, r.spec, r.m, r.t, &r.contact, &r.c));
    ok(&r, ri_sim_create(r.ctx, r.m, &r.sim, &r.s));
    ok(&r, ri_sim_set_contacts(r.s, r.c));
    ok(&r, ri_sim_build(r.s));
    ok(&r, ri_values_set(ri_sim_values(r.s), "up.position", "0.25"));
    char text[40]; // a millimetre before the edge
    snprintf(text, sizeof text, "%.17g", 1.0 - sqrt(0.5 * h - h * h) - 1e-3);
    ok(&r, ri_values_set(ri_sim_values(r.s), "along.position", text));
    ok(&r, ri_sim_start(r.s));
    return r;
}

static void push(Rig *r, double force)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", force);
    ok(r, ri_values_set(ri_sim_values(r->s), "along.command", text));
}

TEST(a_wheel_leaves_the_ground_before_a_step_at_the_closed_form_force)
{
    const double R = 0.25; // the carriage's own weight is carried by its slide
    for (int i = 1; i <= 3; i++) {
        const double h = 0.05 * i, want = 9.9 * G * sqrt(2.0 * R * h - h * h) / (R - h);
        Rig r = step_rig(h);
        push(&r, 0.5 * want);
        run(&r, 3.0);
        CHECK_INT(ri_sim_touch_count(r.s), 4); // ground and edge, on both sides of the rim
        double force = 0.5 * want;
        while (value(&r, "up.position") < R + 0.2 * h && force < 2.0 * want) {
            push(&r, force += 1e-4 * want);
            run(&r, ri_sim_time(r.s) + 0.004);
        }
        CHECK_CLOSE(force / want, 1.0, 0.02);
        close_rig(&r);
    }
}

TEST(a_wheel_that_is_pushed_over_a_step_stands_on_it)
{
    Rig r = step_rig(0.1);
    push(&r, 250.0);
    while (value(&r, "along.position") < 1.2 && ri_sim_time(r.s) < 5.0)
        ok(&r, ri_sim_step(r.s));
    push(&r, 0.0);
    ok(&r, ri_values_set(ri_sim_values(r.s), "along.velocity", "0"));
    run(&r, ri_sim_time(r.s) + 2.0);
    CHECK_CLOSE(value(&r, "up.position"), 0.35, 2e-4);
    close_rig(&r);
}

TEST(bad_pairs_are_named)
{
    Rig r = open_rig();
    add_link(&r, "block", 1.0, ri_inertia_sphere(1.0, 0.1));
    add_shape(&r, "block", RI_SHAPE_SPHERE, 0.1, 0.0, 0.0);
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    ok(&r, ri_terrain_create_plane(r.ctx, &(RiPlaneDef){0}, &r.t));
    r.pair.stiffness = -1.0;
    r.contact.pairs = &r.pair;
    r.contact.pair_count = 1;
    CHECK(ri_contacts_create(r.ctx, r.spec, r.m, r.t, &r.contact, &r.c) == RI_ERR_ARGUMENT);
    CHECK(strstr(ri_context_message(r.ctx), "stiffness is -1"));
    close_rig(&r);
}

TEST_MAIN(CASE(one_pass_is_enough_where_sliding_goes_on_as_it_did),
          CASE(a_block_slides_down_an_incline_at_the_closed_form_acceleration),
          CASE(a_block_inside_its_friction_cone_does_not_creep),
          CASE(a_sliding_block_stops_where_the_closed_form_says_and_stays),
          CASE(spheres_and_cylinders_roll_down_at_their_closed_form_accelerations),
          CASE(a_sliding_sphere_begins_to_roll_at_five_sevenths_of_its_speed),
          CASE(a_counter_rotating_pair_of_screws_runs_at_the_closed_form_speed),
          CASE(a_stalled_screw_pulls_as_the_closed_form_says), CASE(without_anisotropy_the_screw_law_is_coulombs),
          CASE(thread_points_move_the_pair_as_the_envelope_does),
          CASE(a_wheel_leaves_the_ground_before_a_step_at_the_closed_form_force),
          CASE(a_wheel_that_is_pushed_over_a_step_stands_on_it), CASE(bad_pairs_are_named))
