// SPDX-License-Identifier: Apache-2.0
/// \file
/// Links on links in a running simulation: collisions, stacks, friction, coils, checkpoints, and
/// what is refused.
#include "check.h"

#include <rille/robot.h>
#include <rille/scene.h>
#include <rille/sim.h>

#include "contact/contacts.h"

static const double G = 9.81;

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *m;
    RiTerrain *t;
    RiContacts *c;
    RiSim *s;
    RiPairDef pairs[2];
    RiContactOptions contact;
    RiSimOptions sim;
} Rig;

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

static Rig open_rig(const RiAllocator *allocator)
{
    Rig r = {.contact = ri_contact_options_default(), .sim = ri_sim_options_default()};
    if (ri_context_create(allocator, &r.ctx) != RI_OK || ri_spec_create(r.ctx, "rig", &r.spec) != RI_OK)
        abort();
    r.pairs[0] = r.pairs[1] = ri_pair_default();
    r.pairs[1].with = "*";
    r.contact.back_end = RI_BACK_END_HULLS;
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

static void add_shape(Rig *r, const char *link, RiShapeType type, double a, double b, double c)
{
    RiShapeSpec x = ri_shape_default();
    x.link = link;
    x.use = RI_SHAPE_COLLISION;
    x.type = type;
    x.size[0] = a, x.size[1] = b, x.size[2] = c;
    ok(r, ri_spec_add_shape(r->spec, &x));
}

/// A free body; the rig needs the link "world".
static void add_free(Rig *r, const char *name, double mass, RiMat3 inertia)
{
    char joint[64];
    RiJointSpec j = ri_joint_default();
    snprintf(joint, sizeof joint, "free_%s", name);
    add_link(r, name, mass, inertia);
    j.name = joint;
    j.type = RI_JOINT_FREE;
    j.parent = "world";
    j.child = name;
    ok(r, ri_spec_add_joint(r->spec, &j));
}

static void add_world(Rig *r)
{
    add_link(r, "world", 0.0, ri_inertia_sphere(0.0, 1.0));
}

static void add_boxes(Rig *r, int count, double mass, RiVec3 size)
{
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "box_%d", i);
        add_free(r, name, mass, ri_inertia_box(mass, size));
        add_shape(r, name, RI_SHAPE_BOX, size.x, size.y, size.z);
    }
}

static void build(Rig *r, bool ground, bool gravity)
{
    const RiPlaneDef plane = {.slope = 0.0};
    r->sim.gravity = ri_vec3(0.0, 0.0, gravity ? -G : 0.0);
    r->contact.pairs = r->pairs;
    r->contact.pair_count = 2;
    if (ground)
        ok(r, ri_terrain_create_plane(r->ctx, &plane, &r->t));
    ok(r, ri_model_create(r->ctx, r->spec, NULL, &r->m));
    ok(r, ri_contacts_create(r->ctx, r->spec, r->m, r->t, &r->contact, &r->c));
    ok(r, ri_sim_create(r->ctx, r->m, &r->sim, &r->s));
    ok(r, ri_sim_set_contacts(r->s, r->c));
    ok(r, ri_sim_build(r->s));
}

/// Pose of free body i.
static void put(Rig *r, int i, RiVec3 p, RiQuat q)
{
    double *x = ri_sim_q(r->s) + 7 * i;
    x[0] = p.x, x[1] = p.y, x[2] = p.z, x[3] = q.w, x[4] = q.x, x[5] = q.y, x[6] = q.z;
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

static const RiQuat upright = {1.0, 0.0, 0.0, 0.0};

/// Momentum of all, and angular momentum about the origin.
static RiSpatial momentum(Rig *r)
{
    RiSpatial sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int b = 0; b < ri_model_body_count(r->m); b++) {
        const RiBodyInfo info = ri_model_body(r->m, b);
        const int link = ri_model_find_link(r->m, info.name);
        const RiPose pose = ri_dyn_frame_pose(ri_sim_dyn(r->s), link);
        const RiSpatial v = ri_dyn_frame_velocity(ri_sim_dyn(r->s), link);
        const RiVec3 p = ri_scale(info.mass, v.lin);
        const RiVec3 spin = ri_rotate(&pose.R, ri_rotate(&info.inertia, ri_rotate_back(&pose.R, v.ang)));
        sum.lin = ri_add(sum.lin, p);
        sum.ang = ri_add(sum.ang, ri_add(spin, ri_cross(pose.p, p)));
    }
    return sum;
}

// --- collisions ----------------------------------------------------------------------------------

static Rig two_balls(RiMethod method, double tick)
{
    Rig r = open_rig(NULL);
    add_world(&r);
    add_free(&r, "a", 1.0, ri_inertia_sphere(1.0, 0.1));
    add_free(&r, "b", 3.0, ri_inertia_sphere(3.0, 0.1));
    add_shape(&r, "a", RI_SHAPE_SPHERE, 0.1, 0, 0);
    add_shape(&r, "b", RI_SHAPE_SPHERE, 0.1, 0, 0);
    r.pairs[1].damping = 0.0;
    r.sim.method = method;
    r.pairs[1].stick_stiffness = 0.0;
    r.pairs[1].friction = 0.0;
    r.sim.tick = tick;
    build(&r, false, false);
    put(&r, 0, ri_vec3(0.0, 0.0, 0.0), upright);
    put(&r, 1, ri_vec3(0.21, 0.0, 0.0), upright);
    ri_sim_v(r.s)[0] = 1.0;
    ok(&r, ri_sim_start(r.s));
    return r;
}

TEST(balls_without_damping_part_as_an_elastic_collision_says_and_the_error_falls_with_the_step)
{
    double error[3];
    for (int k = 0; k < 3; k++) {
        Rig r = two_balls(k == 2 ? RI_METHOD_SEMI_IMPLICIT : RI_METHOD_IMPLICIT, k == 1 ? 2.5e-6 : 1e-5);
        run(&r, 0.05);
        const double va = ri_sim_v(r.s)[0], vb = ri_sim_v(r.s)[6];
        error[k] = fmax(fabs(va - (1.0 - 3.0) / 4.0), fabs(vb - 2.0 / 4.0));
        CHECK_CLOSE(va + 3.0 * vb, 1.0, 1e-12);
        close_rig(&r);
    }
    CHECK(error[0] < 0.01);
    CHECK_CLOSE(error[0] / error[1], 4.0, 0.8); // first order
    CHECK(error[2] < 1e-3);
}

TEST(spinning_balls_with_friction_keep_momentum_and_angular_momentum_to_rounding_and_never_gain_energy)
{
    Rig r = open_rig(NULL);
    add_world(&r);
    for (int i = 0; i < 4; i++) {
        char name[24];
        snprintf(name, sizeof name, "ball_%d", i);
        add_free(&r, name, 1.0 + i, ri_inertia_sphere(1.0 + i, 0.1));
        add_shape(&r, name, i == 3 ? RI_SHAPE_CAPSULE : RI_SHAPE_SPHERE, 0.1, i == 3 ? 1e-3 : 0.0, 0);
    }
    r.pairs[1].friction = 0.4;
    build(&r, false, false);
    for (int i = 0; i < 4; i++) {
        put(&r, i, ri_vec3(0.21 * i, 0.03 * i, 0.02 * (i % 2)), upright);
        double *v = ri_sim_v(r.s) + 6 * i;
        v[0] = 1.0 - 0.8 * i, v[1] = 0.1 * i, v[3] = 20.0 - 9.0 * i, v[4] = 10.0, v[5] = -3.0 * i;
    }
    ok(&r, ri_sim_start(r.s));
    const RiSpatial before = momentum(&r);
    RiEnergy e = ri_sim_energy(r.s);
    double energy = e.kinetic + e.potential, most = 0.0;
    const double first = energy;
    int touched = 0;
    for (int i = 0; i < 1500; i++) {
        ok(&r, ri_sim_step(r.s));
        touched += ri_sim_touch_count(r.s);
        e = ri_sim_energy(r.s);
        most = fmax(most, e.kinetic + e.potential - energy);
        energy = e.kinetic + e.potential;
    }
    const RiSpatial after = momentum(&r);
    CHECK(touched > 10);
    CHECK(energy < 0.98 * first);
    CHECK(most < 1e-12 * first);
    CHECK(ri_energy_residual(&e) < 1e-9);
    CHECK(ri_norm(ri_sub(after.lin, before.lin)) < 1e-13 * 20.0);
    CHECK(ri_norm(ri_sub(after.ang, before.ang)) < 1e-13 * 20.0);
    close_rig(&r);
}

TEST(tumbling_boxes_keep_their_momentum_and_part)
{
    Rig r = open_rig(NULL);
    add_world(&r);
    add_boxes(&r, 3, 2.0, ri_vec3(0.3, 0.2, 0.1));
    build(&r, false, false);
    for (int i = 0; i < 3; i++) {
        put(&r, i, ri_vec3(0.4 * i, 0.02 * i, 0.03 * i), ri_quat_normalize((RiQuat){1.0, 0.3 * i, -0.2, 0.4}));
        double *v = ri_sim_v(r.s) + 6 * i;
        v[0] = 1.0 - i, v[1] = 0.1 * i, v[3] = 2.0 - i, v[4] = 1.0, v[5] = -3.0 * i;
    }
    ok(&r, ri_sim_start(r.s));
    const RiSpatial before = momentum(&r);
    const double first = ri_sim_energy(r.s).kinetic;
    int touched = 0;
    double deepest = 0.0;
    for (int i = 0; i < 2000; i++) {
        ok(&r, ri_sim_step(r.s));
        touched += ri_sim_touch_count(r.s) > 0;
        for (int k = 0; k < ri_sim_touch_count(r.s); k++)
            deepest = fmax(deepest, ri_sim_touch(r.s, k)->depth);
    }
    CHECK(touched > 10);
    CHECK(deepest < 0.01);
    CHECK(ri_sim_energy(r.s).kinetic < 0.9 * first);
    CHECK_INT(ri_sim_touch_count(r.s), 0);
    CHECK(ri_norm(ri_sub(momentum(&r).lin, before.lin)) < 1e-12);
    close_rig(&r);
}

// --- rest ----------------------------------------------------------------------------------------

enum { STACK = 5 };

static Rig stack_rig(const RiAllocator *allocator)
{
    Rig r = open_rig(allocator);
    add_world(&r);
    add_boxes(&r, STACK, 1.0, ri_vec3(0.2, 0.2, 0.1));
    build(&r, true, true);
    for (int i = 0; i < STACK; i++)
        put(&r, i, ri_vec3(0.004 * i, -0.003 * i, 0.05 + 0.101 * i), ri_quat_exp(ri_vec3(0.0, 0.0, 0.1 * i)));
    ok(&r, ri_sim_start(r.s));
    return r;
}

TEST(a_stack_of_boxes_stands_still_at_the_height_that_its_springs_say)
{
    Rig r = stack_rig(NULL);
    run(&r, 1.5);
    double height = 0.0, x[STACK], z[STACK];
    for (int i = 0; i < STACK; i++) { // four springs carry all that is above; turned boxes do not share them evenly
        height += (i ? 0.1 : 0.05) - (STACK - i) * G / (4.0 * r.pairs[0].stiffness);
        x[i] = ri_sim_q(r.s)[7 * i], z[i] = ri_sim_q(r.s)[7 * i + 2];
        CHECK_CLOSE(z[i], height, 1e-5);
    }
    run(&r, 2.5);
    for (int i = 0; i < STACK; i++) {
        CHECK_CLOSE(ri_sim_q(r.s)[7 * i], x[i], 1e-8);
        CHECK_CLOSE(ri_sim_q(r.s)[7 * i + 2], z[i], 1e-8);
    }
    CHECK_CLOSE(value(&r, "contact.box_4.normal"), G, 1e-4);
    CHECK_CLOSE(value(&r, "contact.box_0.normal"), (2 * STACK - 1) * G, 1e-3);
    const RiEnergy e = ri_sim_energy(r.s);
    CHECK(ri_energy_residual(&e) < 1e-9);
    close_rig(&r);
}

/// A box on a plank that is fixed to the world and tilted about y.
static Rig plank_rig(double slope, double mu, RiShapeType type)
{
    Rig r = open_rig(NULL);
    add_world(&r);
    RiShapeSpec plank = ri_shape_default();
    plank.link = "world";
    plank.use = RI_SHAPE_COLLISION;
    plank.type = RI_SHAPE_BOX;
    plank.size[0] = 10.0, plank.size[1] = 2.0, plank.size[2] = 0.2;
    plank.pose.R = ri_mat3_axis_angle(ri_vec3(0.0, 1.0, 0.0), slope);
    ok(&r, ri_spec_add_shape(r.spec, &plank));
    add_free(&r, "load", 2.0,
             type == RI_SHAPE_BOX ? ri_inertia_box(2.0, ri_vec3(0.4, 0.4, 0.1)) : ri_inertia_cylinder(2.0, 0.1, 0.3));
    if (type == RI_SHAPE_BOX)
        add_shape(&r, "load", type, 0.4, 0.4, 0.1);
    else
        add_shape(&r, "load", type, 0.1, 0.3, 0.0);
    r.pairs[1].friction = mu;
    r.pairs[1].robot = "load";
    r.pairs[1].with = "world";
    build(&r, false, true);
    const double up = 0.1 + (type == RI_SHAPE_BOX ? 0.05 : 0.1);
    const RiQuat tilt = ri_quat_exp(ri_vec3(0.0, slope, 0.0)), turn = ri_quat_exp(ri_vec3(0.5 * M_PI, 0.0, 0.0));
    put(&r, 0, ri_vec3(up * sin(slope), 0.0, up * cos(slope)), type == RI_SHAPE_BOX ? tilt : ri_quat_mul(tilt, turn));
    ok(&r, ri_sim_start(r.s));
    return r;
}

static double speed_down(Rig *r, double slope)
{
    const double *v = ri_sim_v(r->s);
    return v[0] * cos(slope) - v[2] * sin(slope);
}

TEST(a_box_slides_down_another_link_at_the_closed_form_and_sticks_within_its_cone)
{
    const double slope = 20.0 * M_PI / 180.0;
    Rig r = plank_rig(slope, 0.3, RI_SHAPE_BOX);
    run(&r, 0.5);
    const double v = speed_down(&r, slope);
    run(&r, 1.0);
    CHECK_CLOSE((speed_down(&r, slope) - v) / 0.5 / (G * (sin(slope) - 0.3 * cos(slope))), 1.0, 1e-3);
    close_rig(&r);
    r = plank_rig(slope, 0.5, RI_SHAPE_BOX);
    run(&r, 1.0);
    const double x = ri_sim_q(r.s)[0];
    run(&r, 3.0);
    CHECK_CLOSE(ri_sim_q(r.s)[0], x, 1e-9);
    close_rig(&r);
}

TEST(laws_between_links_are_named_values_that_a_run_can_change)
{
    const double slope = 20.0 * M_PI / 180.0;
    Rig r = plank_rig(slope, 0.5, RI_SHAPE_BOX);
    run(&r, 0.5);
    CHECK_CLOSE(speed_down(&r, slope), 0.0, 1e-6);
    REQUIRE_OK(r.ctx, ri_values_set(ri_sim_values(r.s), "contact.load_world.friction", "0.3"));
    run(&r, 1.0);
    const double v = speed_down(&r, slope);
    run(&r, 1.5);
    CHECK_CLOSE((speed_down(&r, slope) - v) / 0.5 / (G * (sin(slope) - 0.3 * cos(slope))), 1.0, 1e-3);
    close_rig(&r);
}

TEST(a_capsule_rolls_down_another_link_at_the_closed_form)
{
    const double slope = 10.0 * M_PI / 180.0, share = 0.5; // I / (m R^2)
    Rig r = plank_rig(slope, 0.5, RI_SHAPE_CAPSULE);
    run(&r, 0.3);
    const double v = speed_down(&r, slope);
    run(&r, 0.8);
    CHECK_CLOSE((speed_down(&r, slope) - v) / 0.5 / (G * sin(slope) / (1.0 + share)), 1.0, 2e-3);
    close_rig(&r);
}

// --- a snake on itself ---------------------------------------------------------------------------

enum { MODULES = 10 };

/// Capsules in a row, joints about z with springs that bend each by `rest`.
static Rig coil_rig(double rest, double stiffness)
{
    Rig r = open_rig(NULL);
    for (int i = 0; i < MODULES; i++) {
        char name[16], before[16], joint[16];
        snprintf(name, sizeof name, "m_%d", i);
        snprintf(before, sizeof before, "m_%d", i - 1);
        snprintf(joint, sizeof joint, "bend_%d", i);
        add_link(&r, name, 1.0, ri_inertia_sphere(1.0, 0.1));
        RiShapeSpec x = ri_shape_default();
        x.link = name;
        x.use = RI_SHAPE_COLLISION;
        x.type = RI_SHAPE_CAPSULE;
        x.size[0] = 0.05, x.size[1] = 0.2;
        x.pose.R = ri_mat3_axis_angle(ri_vec3(0.0, 1.0, 0.0), 0.5 * M_PI);
        x.pose.p.x = 0.15;
        ok(&r, ri_spec_add_shape(r.spec, &x));
        if (i == 0)
            continue;
        RiJointSpec j = ri_joint_default();
        j.name = joint;
        j.type = RI_JOINT_REVOLUTE;
        j.parent = before;
        j.child = name;
        j.origin.p.x = 0.3;
        j.stiffness = stiffness;
        j.damping = 3.0;
        j.rest = rest;
        ok(&r, ri_spec_add_joint(r.spec, &j));
    }
    return r;
}

TEST(a_snake_that_coils_onto_itself_presses_and_does_not_pass_through)
{
    Rig r = coil_rig(1.3, 5.0);
    build(&r, false, false);
    ok(&r, ri_sim_start(r.s));
    double deepest = 0.0;
    for (int i = 0; i < 20000; i++) {
        ok(&r, ri_sim_step(r.s));
        for (int k = 0; k < ri_sim_touch_count(r.s); k++)
            deepest = fmax(deepest, ri_sim_touch(r.s, k)->depth);
    }
    CHECK(deepest < 2e-3);
    CHECK(value(&r, "contact.touching") >= 2.0);
    CHECK(value(&r, "contact.normal") > 5.0);
    for (int i = 6; i < ri_model_nv(r.m); i++)
        CHECK_CLOSE(ri_sim_v(r.s)[i], 0.0, 1e-4);
    CHECK_INT(ri_sim_violations(r.s), 0);
    RiVec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < ri_sim_touch_count(r.s); k++) {
        const RiTouchInfo *t = ri_sim_touch(r.s, k);
        CHECK(t->feature == -1 && t->other >= 0 && t->other != t->link && t->hull >= 0);
        CHECK(abs(t->other - t->link) > 1); // joined modules do not touch
        sum = ri_add(sum, t->force);
    }
    close_rig(&r);
    r = coil_rig(1.3, 5.0); // without contact it goes through itself
    r.contact.self = false;
    build(&r, false, false);
    ok(&r, ri_sim_start(r.s));
    run(&r, 6.0);
    CHECK_INT(ri_sim_touch_count(r.s), 0);
    CHECK_CLOSE(ri_sim_q(r.s)[7], 1.3, 1e-2);
    close_rig(&r);
}

static int pairs_that_touch(const RiContacts *c)
{
    int count = 0;
    for (int a = 0; a < ri_contacts_hull_count(c); a++)
        for (int b = 0; b < a; b++)
            count += ri_contacts_hull_pair(c, a, b) != NULL;
    return count;
}

/// A snake of four modules with stiff joints, dropped on a slope from 2 cm; its position after 3 s.
static void rest_of_snake(RiBackEnd back_end, double *out_q, int *out_nq)
{
    Rig r = open_rig(NULL);
    ri_spec_destroy(r.spec);
    r.spec = NULL;
    const RiSetting modules = {"modules", "4"};
    const RiLoadOptions load = {.settings = &modules, .setting_count = 1};
    const RiPlaneDef plane = {.slope = 0.05};
    ok(&r, ri_robot_load(r.ctx, RILLE_SOURCE_DIR "/robots/eels_1_5.yaml", &load, &r.spec));
    for (int i = 0; i < r.spec->joint_count; i++) {
        RiJointSpec *j = &r.spec->joints[i];
        j->stiffness = 5000.0;
        j->damping = 100.0;
        j->rest = j->position[0] = strncmp(j->name, "bend", 4) == 0 ? 0.3 : 0.0;
    }
    r.contact.back_end = back_end;
    ok(&r, ri_terrain_create_plane(r.ctx, &plane, &r.t));
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    ok(&r, ri_contacts_create(r.ctx, r.spec, r.m, r.t, &r.contact, &r.c));
    CHECK(back_end == RI_BACK_END_POINTS || pairs_that_touch(r.c) > 3);
    ok(&r, ri_sim_create(r.ctx, r.m, &r.sim, &r.s));
    ok(&r, ri_sim_set_contacts(r.s, r.c));
    ok(&r, ri_sim_build(r.s));
    ri_sim_q(r.s)[2] = 0.25;
    ok(&r, ri_sim_start(r.s));
    run(&r, 3.0);
    CHECK(ri_sim_energy(r.s).kinetic < 1e-6);
    *out_nq = ri_model_nq(r.m);
    memcpy(out_q, ri_sim_q(r.s), (size_t)*out_nq * sizeof *out_q);
    close_rig(&r);
}

TEST(a_snake_comes_to_rest_in_one_pose_with_points_and_with_hulls)
{
    double a[64], b[64];
    int n, k;
    rest_of_snake(RI_BACK_END_POINTS, a, &n);
    rest_of_snake(RI_BACK_END_HULLS, b, &k);
    CHECK_INT(n, k);
    for (int i = 0; i < n && i < 64; i++)
        CHECK_CLOSE(b[i], a[i], 1e-9);
}

/// Runs the scene of a coil, or one saved from it, and gives the hash of its state.
static uint64_t run_coil(const char *path, const char *save)
{
    RiContext *ctx;
    RiScene *sc = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    RiStatus status = ri_scene_load(ctx, path, NULL, &sc);
    if (status == RI_OK)
        status = ri_scene_build(sc);
    RiSim *s = status == RI_OK ? ri_scene_sim(sc) : NULL;
    while (status == RI_OK && ri_sim_time(s) < 8.0)
        status = ri_sim_step(s);
    int touching = 0;
    for (int i = 0; status == RI_OK && i < ri_sim_touch_count(s); i++) {
        touching += ri_sim_touch(s, i)->other >= 0;
        CHECK(ri_sim_touch(s, i)->depth < 2e-3);
    }
    CHECK(touching >= 1);
    if (status == RI_OK && save)
        status = ri_scene_save(sc, save);
    const uint64_t hash = s ? ri_sim_hash(s) : 0;
    CHECK_OK(ctx, status);
    ri_scene_destroy(sc);
    ri_context_destroy(ctx);
    return hash;
}

TEST(the_scene_of_a_coil_presses_on_itself_and_its_saved_configuration_gives_equal_bits)
{
    const char *saved = RILLE_BINARY_DIR "/test_pairs_coil.yaml";
    const uint64_t hash = run_coil(RILLE_SOURCE_DIR "/scenes/coil.yaml", saved);
    CHECK(run_coil(saved, NULL) == hash);
    remove(saved);
}

/// The message of a scene whose robot is an arm and whose `contact` is this.
static void check_scene(const char *contact, const char *part)
{
    char text[1024];
    RiContext *ctx;
    RiScene *sc = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    snprintf(text, sizeof text, "scene: x\nrobot: {file: %s/robots/arm.urdf}\nduration: 1 s\ncontact: %s\n",
             RILLE_SOURCE_DIR, contact);
    RiStatus status = ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/x.yaml", text, strlen(text), NULL, &sc);
    if (status == RI_OK)
        status = ri_scene_build(sc);
    if (part) {
        CHECK(status != RI_OK);
        if (!strstr(ri_context_message(ctx), part))
            CHECK_FAIL("message '%s' does not contain '%s'", ri_context_message(ctx), part);
    } else {
        CHECK_OK(ctx, status);
    }
    ri_scene_destroy(sc);
    ri_context_destroy(ctx);
}

TEST(scenes_say_what_is_wrong_with_their_hulls)
{
    check_scene("{back_end: hulls}", NULL);
    check_scene("{back_end: hulls, ignore: [[\"*\", \"*\"]], pairs: [{with: \"*\", friction: 0.1}]}", NULL);
    check_scene("{back_end: points}", "no terrain to touch");
    check_scene("{back_end: hull}", "did you mean 'hulls'?");
    check_scene("{back_end: hulls, self: false}", "no terrain to touch");
    check_scene("{back_end: hulls, ignore: [a, b]}", "x.yaml:4:37: two links or globs are wanted: [a, b]");
    check_scene("{back_end: hulls, hull_sides: 3}", "8");
    check_scene("{back_end: hulls, hull_tolerance: 3 s}", "m");
    check_scene("{back_end: hulls, pairs: [{with: a, ground: b}]}",
                "either on 'ground' (b) or 'with' another link (a)");
}

// --- state ---------------------------------------------------------------------------------------

TEST(a_run_goes_on_from_a_saved_state_with_equal_bits)
{
    Rig r = stack_rig(NULL), q = stack_rig(NULL);
    run(&r, 0.2);
    CHECK(ri_sim_touch_count(r.s) >= 4 * STACK - 4);
    void *state = malloc(ri_sim_state_size(r.s));
    ri_sim_save_state(r.s, state);
    run(&r, 0.5);
    const uint64_t hash = ri_sim_hash(r.s);
    ok(&r, ri_sim_load_state(r.s, state));
    run(&r, 0.5);
    CHECK(ri_sim_hash(r.s) == hash);
    CHECK(ri_sim_fingerprint(q.s) == ri_sim_fingerprint(r.s));
    ok(&q, ri_sim_load_state(q.s, state));
    run(&q, 0.5);
    CHECK(ri_sim_hash(q.s) == hash);
    free(state);
    close_rig(&r);
    close_rig(&q);
}

static void *counting_resize(void *user, void *block, size_t size)
{
    ++*(long *)user;
    return realloc(block, size);
}

static void plain_release(void *user, void *block)
{
    (void)user;
    free(block);
}

TEST(steps_with_pairs_allocate_nothing)
{
    long calls = 0;
    const RiAllocator counting = {counting_resize, plain_release, &calls};
    Rig r = stack_rig(&counting);
    ok(&r, ri_sim_step(r.s));
    const long before = calls;
    run(&r, 1.0);
    CHECK_INT(calls, before);
    close_rig(&r);
}

TEST(too_little_room_for_pairs_is_reported)
{
    Rig r = open_rig(NULL);
    add_world(&r);
    add_boxes(&r, STACK, 1.0, ri_vec3(0.2, 0.2, 0.1));
    r.contact.pair_room = 2;
    build(&r, true, true);
    for (int i = 0; i < STACK; i++)
        put(&r, i, ri_vec3(0.0, 0.0, 0.05 + 0.1 * i), upright);
    ok(&r, ri_sim_start(r.s));
    run(&r, 0.01);
    CHECK(value(&r, "validity.contact.pair_room") > 0.0);
    close_rig(&r);
}

// --- who touches whom ----------------------------------------------------------------------------

TEST(joined_and_initially_touching_links_and_listed_ones_are_left_out_and_can_be_taken_in)
{
    Rig r = coil_rig(0.0, 1.0);
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    const int all = MODULES * (MODULES - 1) / 2;
    ok(&r, ri_contacts_create(r.ctx, r.spec, r.m, NULL, &r.contact, &r.c));
    CHECK_INT(ri_contacts_hull_count(r.c), MODULES);
    CHECK_INT(pairs_that_touch(r.c), all - (MODULES - 1));
    CHECK(ri_contacts_hull_pair(r.c, 0, 1) == NULL && ri_contacts_hull_pair(r.c, 0, 2) != NULL);
    CHECK_CLOSE(ri_contacts_hull(r.c, 3).radius, 0.05, 0.0);
    ri_contacts_destroy(r.c);
    const RiLinkPair ignore[] = {{"m_0", "*"}}, collide[] = {{"m_4", "m_5"}};
    r.contact.ignore = ignore, r.contact.ignore_count = 1;
    r.contact.collide = collide, r.contact.collide_count = 1;
    RiPairDef laws[2] = {ri_pair_default(), ri_pair_default()};
    laws[0].robot = "m_3", laws[0].with = "n_*", laws[0].friction = 0.1;
    laws[1].robot = "m_7", laws[1].with = "m_3", laws[1].friction = 0.2;
    r.contact.pairs = laws, r.contact.pair_count = 2;
    ok(&r, ri_contacts_create(r.ctx, r.spec, r.m, NULL, &r.contact, &r.c));
    CHECK_INT(pairs_that_touch(r.c), all - (MODULES - 1) - (MODULES - 2) + 1);
    CHECK(ri_contacts_hull_pair(r.c, 4, 5) != NULL);
    CHECK_CLOSE(ri_contacts_hull_pair(r.c, 3, 7)->friction, 0.2, 0.0); // either way round
    CHECK_CLOSE(ri_contacts_hull_pair(r.c, 7, 3)->friction, 0.2, 0.0);
    CHECK_CLOSE(ri_contacts_hull_pair(r.c, 7, 4)->friction, RI_FRICTION_UNKNOWN, 0.0);
    ri_contacts_destroy(r.c);
    r.contact.ignore_count = r.contact.collide_count = r.contact.pair_count = 0;
    add_link(&r, "hat", 1.0, ri_inertia_sphere(1.0, 0.1)); // sits on m_5, next to m_6, in which it sticks
    add_shape(&r, "hat", RI_SHAPE_SPHERE, 0.2, 0, 0);
    RiJointSpec j = ri_joint_default();
    j.name = "neck", j.type = RI_JOINT_REVOLUTE, j.parent = "m_5", j.child = "hat";
    j.origin.p.x = 0.3;
    ok(&r, ri_spec_add_joint(r.spec, &j));
    ri_model_destroy(r.m);
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    ok(&r, ri_contacts_create(r.ctx, r.spec, r.m, NULL, &r.contact, &r.c));
    CHECK(ri_contacts_hull_pair(r.c, MODULES, 5) == NULL); // joined
    CHECK(ri_contacts_hull_pair(r.c, MODULES, 6) == NULL); // touching from the start
    CHECK(ri_contacts_hull_pair(r.c, MODULES, 8) != NULL);
    close_rig(&r);
}

// --- meshes --------------------------------------------------------------------------------------

static const RiVec3 cube_points[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t cube_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                               {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static RiContactMesh cube_mesh(void)
{
    return (RiContactMesh){"cube.stl", cube_points, cube_triangles, 8, 12};
}

static void add_mesh(Rig *r, const char *link, RiVec3 scale)
{
    RiShapeSpec x = ri_shape_default();
    x.link = link;
    x.use = RI_SHAPE_COLLISION;
    x.type = RI_SHAPE_MESH;
    x.path = x.uri = "cube.stl";
    x.size[0] = scale.x, x.size[1] = scale.y, x.size[2] = scale.z;
    x.source = (RiSource){"cube.urdf", 7};
    ok(r, ri_spec_add_shape(r->spec, &x));
}

/// Height at which a block of 0.4 x 0.4 x 0.1 m comes to rest.
static double rest_height(bool mesh, RiBackEnd back_end, RiMeshPoints placement)
{
    Rig r = open_rig(NULL);
    const RiContactMesh cube = cube_mesh();
    add_link(&r, "block", 2.0, ri_inertia_box(2.0, ri_vec3(0.4, 0.4, 0.1)));
    if (mesh)
        add_mesh(&r, "block", ri_vec3(0.2, 0.2, 0.05));
    else
        add_shape(&r, "block", RI_SHAPE_BOX, 0.4, 0.4, 0.1);
    r.contact.meshes = &cube, r.contact.mesh_count = 1;
    r.contact.back_end = back_end;
    r.contact.mesh_placement = placement;
    r.contact.mesh_points = placement == RI_MESH_SURFACE ? 100 : 8;
    build(&r, true, true);
    ri_sim_q(r.s)[2] = 0.06;
    ok(&r, ri_sim_start(r.s));
    run(&r, 1.0);
    const double height = ri_sim_q(r.s)[2];
    close_rig(&r);
    return height;
}

TEST(a_block_rests_at_one_height_as_shape_and_as_mesh_with_points_and_with_hulls)
{
    const double want = 0.05 - 2.0 * G / 4e5;
    CHECK_CLOSE(rest_height(false, RI_BACK_END_POINTS, RI_MESH_HULL), want, 1e-9);
    CHECK_CLOSE(rest_height(false, RI_BACK_END_HULLS, RI_MESH_HULL), want, 1e-9);
    CHECK_CLOSE(rest_height(true, RI_BACK_END_POINTS, RI_MESH_HULL), want, 1e-9);
    const double six = 0.05 - 2.0 * G / 6e5; // corners and the middles of two triangles below
    CHECK_CLOSE(rest_height(true, RI_BACK_END_POINTS, RI_MESH_SURFACE), six, 1e-9);
    CHECK_CLOSE(rest_height(true, RI_BACK_END_HULLS, RI_MESH_HULL), want, 1e-9);
}

TEST(a_flat_mesh_touches_with_its_points_and_is_no_hull)
{
    Rig r = open_rig(NULL);
    const RiContactMesh cube = cube_mesh();
    const RiPlaneDef plane = {.slope = 0.0};
    add_link(&r, "sheet", 1.0, ri_inertia_sphere(1.0, 0.1));
    add_mesh(&r, "sheet", ri_vec3(0.2, 0.2, 0.0));
    r.contact.meshes = &cube, r.contact.mesh_count = 1;
    ok(&r, ri_terrain_create_plane(r.ctx, &plane, &r.t));
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
    r.contact.back_end = RI_BACK_END_POINTS;
    ok(&r, ri_contacts_create(r.ctx, r.spec, r.m, r.t, &r.contact, &r.c));
    CHECK(ri_contacts_feature_count(r.c) >= 6);
    for (int i = 0; i < ri_contacts_feature_count(r.c); i++)
        CHECK_CLOSE(ri_contacts_feature(r.c, i)->centre.z, 0.0, 0.0);
    close_rig(&r);
}

TEST(what_makes_no_sense_is_refused_by_name)
{
    Rig r = open_rig(NULL);
    RiContactMesh cube = cube_mesh();
    add_link(&r, "block", 2.0, ri_inertia_sphere(2.0, 0.1));
    add_mesh(&r, "block", ri_vec3(0.1, 0.1, 0.0));
    ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
#define CREATE() ri_contacts_create(r.ctx, r.spec, r.m, NULL, &r.contact, &r.c)
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT,
                "cube.urdf:7: collision mesh 'cube.stl' of link 'block' is not among");
    r.contact.meshes = &cube, r.contact.mesh_count = 1;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT,
                "cube.urdf:7: collision mesh 'cube.stl' of link 'block' has no volume");
    r.spec->shapes[0].size[2] = NAN;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT, "not finite");
    r.spec->shapes[0].size[2] = 0.1;
    cube.point_count = 7;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT, "has a triangle whose corner 7 does not exist");
    cube.point_count = 8;
    r.spec->shapes[0].path = NULL;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT, "collision mesh 'cube.stl' of link 'block' was not found");
    r.spec->shapes[0].path = r.spec->shapes[0].uri;
    r.contact.hull_sides = 40;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT, "hull_sides is 40; allowed: 8 to 32");
    r.contact.hull_sides = 32;
    r.contact.hull_tolerance = -1.0;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT, "hull_tolerance is -1 m");
    r.contact.hull_tolerance = 0.0;
    r.pairs[1].ground = "ice";
    r.contact.pairs = r.pairs, r.contact.pair_count = 2;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT, "either on 'ground' (ice) or 'with' another link (*)");
    r.pairs[1].ground = NULL;
    r.pairs[1].stiffness = 0.0;
    CHECK_ERROR(r.ctx, CREATE(), RI_ERR_ARGUMENT, "stiffness is 0");
    r.pairs[1].stiffness = 1e5;
    ok(&r, CREATE());
    r.sim.method = RI_METHOD_CVODE;
    if (ri_sim_create(r.ctx, r.m, &r.sim, &r.s) == RI_OK)
        CHECK_ERROR(r.ctx, ri_sim_set_contacts(r.s, r.c), RI_ERR_ARGUMENT, "self to false");
#undef CREATE
    close_rig(&r);
}

static void *failing_resize(void *user, void *block, size_t size)
{
    long *left = user;
    return --*left < 0 ? NULL : realloc(block, size);
}

TEST(every_failed_allocation_of_hulls_and_pairs_is_answered)
{
    const RiContactMesh cube = cube_mesh();
    const RiPlaneDef plane = {.slope = 0.0};
    bool done = false;
    for (long n = 0; n < 3000 && !done; n++) {
        long left = 1000000;
        const RiAllocator failing = {failing_resize, plain_release, &left};
        Rig r = open_rig(&failing);
        add_world(&r);
        add_boxes(&r, 2, 1.0, ri_vec3(0.1, 0.1, 0.1));
        add_mesh(&r, "box_1", ri_vec3(0.1, 0.2, 0.3));
        r.contact.meshes = &cube, r.contact.mesh_count = 1;
        ok(&r, ri_terrain_create_plane(r.ctx, &plane, &r.t));
        ok(&r, ri_model_create(r.ctx, r.spec, NULL, &r.m));
        left = n;
        RiStatus status = ri_contacts_create(r.ctx, r.spec, r.m, r.t, &r.contact, &r.c);
        CHECK((status == RI_OK) == (r.c != NULL));
        if (status == RI_OK)
            status = ri_sim_create(r.ctx, r.m, &r.sim, &r.s);
        if (status == RI_OK)
            status = ri_sim_set_contacts(r.s, r.c);
        if (status == RI_OK)
            status = ri_sim_build(r.s);
        done = status == RI_OK;
        CHECK(done || status == RI_ERR_MEMORY);
        close_rig(&r);
    }
    CHECK(done);
}

TEST_MAIN(CASE(balls_without_damping_part_as_an_elastic_collision_says_and_the_error_falls_with_the_step),
          CASE(spinning_balls_with_friction_keep_momentum_and_angular_momentum_to_rounding_and_never_gain_energy),
          CASE(tumbling_boxes_keep_their_momentum_and_part),
          CASE(a_stack_of_boxes_stands_still_at_the_height_that_its_springs_say),
          CASE(a_box_slides_down_another_link_at_the_closed_form_and_sticks_within_its_cone),
          CASE(laws_between_links_are_named_values_that_a_run_can_change),
          CASE(a_capsule_rolls_down_another_link_at_the_closed_form),
          CASE(a_snake_that_coils_onto_itself_presses_and_does_not_pass_through),
          CASE(a_snake_comes_to_rest_in_one_pose_with_points_and_with_hulls),
          CASE(the_scene_of_a_coil_presses_on_itself_and_its_saved_configuration_gives_equal_bits),
          CASE(scenes_say_what_is_wrong_with_their_hulls), CASE(a_run_goes_on_from_a_saved_state_with_equal_bits),
          CASE(steps_with_pairs_allocate_nothing), CASE(too_little_room_for_pairs_is_reported),
          CASE(joined_and_initially_touching_links_and_listed_ones_are_left_out_and_can_be_taken_in),
          CASE(a_block_rests_at_one_height_as_shape_and_as_mesh_with_points_and_with_hulls),
          CASE(a_flat_mesh_touches_with_its_points_and_is_no_hull), CASE(what_makes_no_sense_is_refused_by_name),
          CASE(every_failed_allocation_of_hulls_and_pairs_is_answered))
