// SPDX-License-Identifier: Apache-2.0
/// \file
/// Screw allocation: closed forms, the identity command -> turns -> motion, gears, limits, and
/// robots on ice that do what was commanded.
#include "device/drive.h"

#include <rille/scene.h>

static const double pi = 3.14159265358979323846;

/// Screws of alternating hands along a straight body, or wherever `place` puts them.
static void screws(Drive *d, int n)
{
    drive_init(d, "screw_allocation", 0.01);
    drive_group(d, n, "x");
    CHECK(drive_start(d) == NULL);
}

TEST(straight_screws_advance_by_their_lead_per_turn)
{
    Drive d;
    screws(&d, 4);
    drive_set(&d, "vx", 0.12);
    drive_update(&d);
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(d.commands[i].rate / (2.0 * pi) * d.joints[i].thread_lead, 0.12, 1e-15);
}

TEST(slip_is_compensated_by_the_closed_form_of_a_pair)
{
    const double E[] = {2.0, 5.0, 10.0, 100.0}, t = 0.3 / (2.0 * pi * 0.1);
    for (int k = 0; k < 4; k++) {
        Drive d;
        screws(&d, 4);
        drive_set(&d, "anisotropy", E[k]);
        drive_set(&d, "vx", 0.12);
        drive_update(&d);
        const double advance = (E[k] - 1.0) * t / (E[k] + t * t) * d.commands[0].rate * 0.1;
        CHECK_CLOSE(advance, 0.12, 1e-15);
    }
    drive_refuses("screw_allocation", "anisotropy", 1.0);
}

/// Puts the screws anywhere on level ground, with any heading and hand.
static void scatter(Drive *d, int n, RiRng *rng)
{
    for (int i = 0; i < n; i++) {
        const double heading = ri_rng_between(rng, -pi, pi);
        d->joints[i].pose.R = ri_mat3_rpy(ri_rng_between(rng, -pi, pi), 0.0, heading);
        d->joints[i].pose.p = ri_vec3(ri_rng_between(rng, -1.0, 1.0), ri_rng_between(rng, -1.0, 1.0), 0.1);
        d->joints[i].thread_lead = ri_rng_between(rng, 0.1, 0.5) * (i % 2 ? -1.0 : 1.0);
    }
}

TEST(the_turns_stand_for_the_commanded_motion)
{
    RiRng rng = ri_rng_stream(7, "screws");
    for (int run = 0; run < 200; run++) {
        Drive d;
        screws(&d, 8);
        scatter(&d, 8, &rng);
        drive_set(&d, "vx", ri_rng_between(&rng, -0.2, 0.2));
        drive_set(&d, "vy", ri_rng_between(&rng, -0.2, 0.2));
        drive_set(&d, "yaw_rate", ri_rng_between(&rng, -0.2, 0.2));
        drive_update(&d);
        CHECK(drive_get(&d, "scale") == 1.0);
        CHECK_CLOSE(drive_get(&d, "expected_vx"), drive_get(&d, "vx"), 1e-6);
        CHECK_CLOSE(drive_get(&d, "expected_vy"), drive_get(&d, "vy"), 1e-6);
        CHECK_CLOSE(drive_get(&d, "expected_yaw_rate"), drive_get(&d, "yaw_rate"), 1e-6);
        CHECK(drive_get(&d, "residual") < 1e-6);
    }
}

TEST(no_point_of_contact_slips_across_its_thread)
{
    RiRng rng = ri_rng_stream(8, "threads");
    for (int run = 0; run < 200; run++) {
        Drive d;
        screws(&d, 6);
        scatter(&d, 6, &rng);
        drive_set(&d, "yaw_rate", 0.3);
        drive_set(&d, "vx", 0.1);
        drive_update(&d);
        // the thread as a curve: a small turn of a point at the bottom along it
        RiVec3 middle = ri_vec3(0.0, 0.0, 0.0);
        for (int i = 0; i < 6; i++)
            middle = ri_add(middle, ri_scale(1.0 / 6.0, d.joints[i].pose.p));
        const RiVec3 chord = ri_sub(d.joints[5].pose.p, d.joints[0].pose.p);
        const RiVec3 x = ri_scale(1.0 / hypot(chord.x, chord.y), ri_vec3(chord.x, chord.y, 0.0));
        for (int i = 0; i < 6; i++) {
            const RiVec3 a = ri_mat3_col(&d.joints[i].pose.R, 0), down = ri_vec3(0.0, 0.0, -0.1);
            const RiVec3 arm = ri_sub(d.joints[i].pose.p, middle);
            const RiVec3 body = ri_add(ri_scale(0.1, x), ri_cross(ri_vec3(0.0, 0.0, 0.3), arm));
            const RiVec3 v = ri_add(body, ri_cross(ri_scale(d.commands[i].rate, a), down));
            const RiVec3 along =
                ri_add(ri_cross(a, down), ri_scale(d.joints[i].thread_lead / (2.0 * pi), a)); // tangent of the helix
            const RiVec3 across = ri_cross(along, ri_vec3(0.0, 0.0, 1.0));
            CHECK_CLOSE(ri_dot(across, v), 0.0, 1e-12);
        }
    }
}

TEST(geared_screws_share_one_turn_that_fits_both_best)
{
    Drive d;
    screws(&d, 2);
    drive_set(&d, "gear", -1.0);
    drive_set(&d, "vx", 0.1);
    drive_update(&d);
    CHECK_CLOSE(d.commands[0].rate, 0.1 * 2.0 * pi / 0.3, 1e-12); // opposite hands: nothing is lost
    CHECK_CLOSE(d.commands[1].rate, -d.commands[0].rate, 0.0);
    drive_set(&d, "vx", 0.0);
    drive_set(&d, "vy", 0.1); // a pair of opposite hands cannot drive sideways
    drive_update(&d);
    CHECK_CLOSE(d.commands[0].rate, 0.0, 1e-12);
    drive_init(&d, "screw_allocation", 0.01);
    drive_group(&d, 3, "x");
    drive_set(&d, "gear", -1.0);
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "even number"));
}

TEST(too_fast_a_command_is_slowed_down_in_all_screws_alike)
{
    Drive d;
    screws(&d, 4);
    drive_set(&d, "max_speed", 2.0);
    drive_set(&d, "vx", 1.0);
    drive_update(&d);
    CHECK_CLOSE(fabs(d.commands[0].rate), 2.0, 1e-12);
    CHECK_CLOSE(drive_get(&d, "expected_vx"), drive_get(&d, "scale") * 1.0, 1e-6);
    drive_set(&d, "acceleration", 10.0);
    drive_set(&d, "vx", 0.0);
    drive_update(&d);
    CHECK_CLOSE(fabs(d.commands[0].rate), 1.9, 1e-12);
}

TEST(a_joint_without_a_screw_is_refused)
{
    Drive d;
    drive_init(&d, "screw_allocation", 0.01);
    drive_group(&d, 4, "x");
    d.joints[2].thread_radius = 0.0;
    const char *why = drive_start(&d);
    CHECK(why && strstr(why, "turns no screw"));
}

/// A snake on a plane of ice with a constant E, its screws driven by an allocation.
typedef struct Ice {
    const char *robot, *group;
    int modules;
    double E, gear, bend, vx, vy, yaw_rate;
} Ice;

static const char *const on_ice =
    "scene: drive\n"
    "robot: {file: ../robots/%s.yaml, set: {modules: %d, hand_run: 1, head: 0, tail_mass: 0.01}}\n"
    "terrain: {kind: plane, material: ice}\n"
    "contact: {pairs: [{robot: screw, ground: ice, law: screw, friction: 0.15, e0: %g, e_max: 1000}]}\n"
    "initial: {base: {xyz: [0, 0, 99.5 mm]}, positions: {\"bend_*\": %g}}\n"
    "devices:\n"
    "  - {name: screws, type: screw_allocation, group: \"%s\", rate: 100 Hz,\n"
    "     set: {gear: %g, anisotropy: %g, vx: %g, vy: %g, yaw_rate: %g}}\n"
    "  - {joints: \"bend_*\", name: \"b_${joint}\", type: servo, set: {stiffness: 20000, damping: 1000, position: "
    "%g}}\n"
    "  - {joints: \"twist_*\", name: \"t_${joint}\", type: servo, set: {stiffness: 20000, damping: 1000}}\n"
    "  - {joints: \"screw_front_*\", name: \"d_${joint}\", type: servo, set: {damping: 2000},\n"
    "     connect: {velocity: \"screws.${joint}.rate\"}}\n";

static double value(RiContext *ctx, RiSim *sim, const char *name)
{
    double x = NAN;
    CHECK_OK(ctx, ri_values_eval(ri_sim_values(sim), name, &x));
    return x;
}

/// Runs it for six seconds; gives the mean speed of the tail and its yaw rate over the last three.
static void drive_on_ice(const Ice *ice, double *out_speed, double *out_yaw_rate)
{
    char text[2048];
    snprintf(text, sizeof text, on_ice, ice->robot, ice->modules, ice->E, ice->bend, ice->group, ice->gear, ice->E,
             ice->vx, ice->vy, ice->yaw_rate, ice->bend);
    RiContext *ctx;
    RiScene *scene = NULL;
    *out_speed = *out_yaw_rate = NAN;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &scene));
    if (!scene || ri_scene_build(scene) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else {
        RiSim *sim = ri_scene_sim(scene);
        double at[3] = {0.0};
        for (int k = 0; k < 6000; k++) {
            if (k == 3000) {
                at[0] = value(ctx, sim, "base.x");
                at[1] = value(ctx, sim, "base.y");
                at[2] = value(ctx, sim, "base.yaw");
            }
            CHECK_OK(ctx, ri_sim_step(sim));
        }
        *out_speed = hypot(value(ctx, sim, "base.x") - at[0], value(ctx, sim, "base.y") - at[1]) / 3.0;
        *out_yaw_rate = (value(ctx, sim, "base.yaw") - at[2]) / 3.0;
    }
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_straight_snake_on_ice_moves_as_commanded)
{
    const double E[] = {3.0, 8.0};
    for (int k = 0; k < 2; k++) {
        const Ice ice = {.robot = "snake", .group = "screw_*", .modules = 4, .E = E[k], .gear = -1.0, .vx = 0.08};
        double speed, yaw_rate;
        drive_on_ice(&ice, &speed, &yaw_rate);
        CHECK_CLOSE(speed, 0.08, 0.01 * 0.08);
        CHECK_CLOSE(yaw_rate, 0.0, 1e-3);
    }
}

TEST(a_crescent_with_sharp_threads_goes_forwards_sideways_and_turns_as_commanded)
{
    const Ice base = {.robot = "eels_front", .group = "screw_front_*", .modules = 8, .E = 100.0, .bend = 0.25};
    double speed, yaw_rate;
    Ice ice = base;
    ice.vx = 0.05;
    drive_on_ice(&ice, &speed, &yaw_rate);
    CHECK_CLOSE(speed, 0.05, 0.02 * 0.05);
    CHECK_CLOSE(yaw_rate, 0.0, 1e-3);
    ice = base;
    ice.vy = 0.05;
    drive_on_ice(&ice, &speed, &yaw_rate);
    CHECK_CLOSE(speed, 0.05, 0.02 * 0.05);
    CHECK_CLOSE(yaw_rate, 0.0, 1e-3);
    ice = base;
    ice.yaw_rate = 0.1;
    drive_on_ice(&ice, &speed, &yaw_rate);
    CHECK_CLOSE(yaw_rate, 0.1, 0.02 * 0.1);
}

TEST_MAIN(CASE(straight_screws_advance_by_their_lead_per_turn), CASE(slip_is_compensated_by_the_closed_form_of_a_pair),
          CASE(the_turns_stand_for_the_commanded_motion), CASE(no_point_of_contact_slips_across_its_thread),
          CASE(geared_screws_share_one_turn_that_fits_both_best),
          CASE(too_fast_a_command_is_slowed_down_in_all_screws_alike), CASE(a_joint_without_a_screw_is_refused),
          CASE(a_straight_snake_on_ice_moves_as_commanded),
          CASE(a_crescent_with_sharp_threads_goes_forwards_sideways_and_turns_as_commanded))
