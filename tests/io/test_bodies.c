// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole robots touch the world: shapes on hard ground and in soft soil against closed forms, a
/// dropped rover against CVODE, and what is said of links without shapes.
#include <rille/model.h>
#include <rille/robot.h>

#include "io/scene.h"
#include "needs.h"

static const double G = 10.0;

/// A scene of a block with the shape `block`, on ground given by its keys.
static RiScene *open_block(const char *shape, const char *ground, const char *rest)
{
    char text[2400];
    snprintf(text, sizeof text,
             "scene: block\n"
             "robot:\n"
             "  template:\n"
             "    robot: block\n"
             "    base: floating\n"
             "    links:\n"
             "      - {name: block, mass: 10 kg, solid: box, size: [0.4 m, 0.2 m, 0.1 m], collision: [%s]}\n"
             "terrain: %s\n"
             "gravity: [0, 0, -10]\n"
             "%s",
             shape, ground, rest);
    RiScene *scene = NULL;
    RiSceneOptions options = ri_scene_options_default();
    options.soils = RILLE_SOURCE_DIR "/soils";
    if (ri_scene_parse(ctx, NULL, text, strlen(text), &options, &scene) != RI_OK || ri_scene_build(scene) != RI_OK) {
        CHECK_FAIL("%s", ri_context_message(ctx));
        ri_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

#define BOX "{type: box, size: [0.4 m, 0.2 m, 0.1 m]}"
/// p = 200 kPa/m z, so 10 kg on 0.08 m^2 sink by 6.25 mm; friction of 30 degrees.
#define SOFT                                                                                                           \
    "{kind: plane, soil: {library: {soft: {like: dry_sand_LLL, n: 1, kc: 0, kphi: 200000, cohesion: 100 Pa, "          \
    "friction: 30 deg, kx: 10 mm, density: 1600}}, base: soft}}"

static double highest(RiScene *scene, const char *name, double until)
{
    double most = 0.0;
    RiSim *s = ri_scene_sim(scene);
    while (ri_sim_time(s) < until && ri_sim_step(s) == RI_OK)
        most = fmax(most, value(scene, name));
    CHECK(ri_sim_time(s) >= until);
    return most;
}

/// A rigid block on springs: F = m g (1 + sqrt(1 + 2 h K / (m g))), K of its four lower corners.
TEST(a_falling_block_peaks_as_the_closed_form_says)
{
    const double h = 0.05, K = 4.0 * 20e3, W = 10.0 * G;
    RiScene *scene =
        open_block(BOX, "{kind: plane}",
                   "tick: 0.02 ms\n"
                   "contact: {pairs: [{robot: '*', stiffness: 20 kN/m, damping: 0, friction: 0, stick_stiffness: 0}]}\n"
                   "initial: {base: {xyz: [0, 0, 10 cm]}}\n");
    REQUIRE(scene != NULL);
    CHECK_CLOSE(highest(scene, "contact.normal", 0.2) / (W * (1.0 + sqrt(1.0 + 2.0 * h * K / W))), 1.0, 2e-3);
    ri_scene_destroy(scene);
}

/// On a plane the corners are enough; a stone under the middle meets the face.
TEST(a_block_lies_on_a_stone_between_its_corners)
{
    const char *rest = "tick: 1 ms\ninitial: {base: {xyz: [0, 0, 0.152 m]}}\n"
                       "contact: {shape_spacing: 2 cm, pairs: [{robot: '*', friction: 0.8, stiffness: 50 kN/m, "
                       "damping: 500 N*s/m}]}\n";
    RiScene *flat = open_block(BOX, "{kind: plane}", rest);
    RiScene *stone = open_block(
        BOX, "{kind: shapes, parts: [{shape: plane}, {shape: sphere, radius: 0.1 m, xyz: [0, 0, 0]}]}", rest);
    REQUIRE(flat != NULL && stone != NULL);
    CHECK_INT(ri_contacts_feature_count(ri_sim_contacts(ri_scene_sim(flat))), 8);
    CHECK(run_to(stone, 0.3));
    CHECK_CLOSE(value(stone, "base.z"), 0.15, 3e-3);
    CHECK_CLOSE(value(stone, "contact.normal"), 100.0, 10.0);
    ri_scene_destroy(flat);
    ri_scene_destroy(stone);
}

/// z = W / (A k) at rest; the sand does not lift it.
TEST(a_block_sinks_into_soft_soil_as_a_plate_does)
{
    RiScene *scene = open_block(BOX, SOFT, "tick: 1 ms\ninitial: {base: {xyz: [0, 0, 50 mm]}}\n");
    REQUIRE(scene != NULL);
    CHECK(run_to(scene, 1.0));
    const double least = 100.0 / (0.08 * 200e3); // set down at rest it sinks to between this and twice of it
    CHECK(value(scene, "soil.block.sinkage") > 0.99 * least && value(scene, "soil.block.sinkage") < 2.01 * least);
    CHECK_CLOSE(value(scene, "soil.block.normal"), 100.0, 0.1);
    CHECK_CLOSE(value(scene, "contact.normal"), 0.0, 0.0);
    check_resumes(scene, 1.1, 1.3);
    ri_scene_destroy(scene);
}

/// Dragged by a spring, it slides at c A + W tan(phi) and the passive pressure on its leading face,
/// (1/2 gamma z^2 K_p + 2 c z sqrt(K_p)) b.
TEST(a_block_ploughs_with_the_strength_of_its_soil)
{
    RiScene *scene =
        open_block(BOX, SOFT,
                   "tick: 1 ms\ninitial: {base: {xyz: [0, 0, 45 mm]}}\n"
                   "springs:\n"
                   "  - {name: rope, link: block, anchor: [3 m, 0, 4.4 cm], stiffness: 40 N/m, damping: 1000 N*s/m}\n");
    REQUIRE(scene != NULL);
    CHECK(run_to(scene, 2.0));
    const double z = value(scene, "soil.block.sinkage"), Kp = 3.0, c = 100.0, gamma = 16000.0;
    const double shear = c * 0.08 + value(scene, "soil.block.normal") * tan(3.14159265358979 / 6.0);
    const double front = 0.2 * (0.5 * gamma * z * z * Kp + 2.0 * c * z * sqrt(Kp));
    CHECK(value(scene, "base.vx") > 0.005);
    CHECK(z > 6e-3 && front > 0.5);
    CHECK(value(scene, "soil.block.drag") > shear);
    CHECK(value(scene, "soil.block.drag") < shear + 1.6 * front);
    ri_scene_destroy(scene);
}

TEST(a_ball_and_a_capsule_rest_in_soft_soil)
{
    const char *const shapes[] = {"{type: sphere, size: [0.1 m]}",
                                  "{type: capsule, size: [0.05 m, 0.3 m], origin: {rpy: [0, 90 deg, 0]}}",
                                  "{type: cylinder, size: [0.1 m, 0.2 m], origin: {rpy: [0, 90 deg, 0]}}"};
    for (int i = 0; i < 3; i++) {
        RiScene *scene = open_block(shapes[i], SOFT, "tick: 1 ms\ninitial: {base: {xyz: [0, 0, 0.1 m]}}\n");
        REQUIRE(scene != NULL);
        CHECK(run_to(scene, 2.0));
        CHECK_CLOSE(value(scene, "soil.block.normal"), 100.0, 1.0);
        CHECK(fabs(value(scene, "base.vz")) < 1e-4 && value(scene, "soil.block.sinkage") > 1e-3);
        ri_scene_destroy(scene);
    }
}

/// A rover on sand and one that hangs on its belly over a rock of the same sand.
TEST(a_rock_under_the_belly_holds_a_rover)
{
    const RiSetting settings[] = {{"tick", "4 ms"}};
    RiScene *scene = open_scene("spirit_high_centred", settings, 1);
    REQUIRE(scene != NULL);
    CHECK(run_to(scene, 20.0));
    const double x = value(scene, "base.x");
    CHECK(value(scene, "contact.chassis.normal") > 20.0);
    CHECK(run_to(scene, 21.0));
    CHECK_CLOSE(value(scene, "base.x"), x, 1e-2);
    CHECK(value(scene, "soil.tyre_front_left.slip") > 0.5);
    ri_scene_destroy(scene);
}

TEST(a_dropped_rover_meets_the_ground_as_cvode_says)
{
    NEEDS("cvode");
    const RiSetting fine[] = {{"tick", "0.1 ms"}}, exact[] = {{"tick", "1 ms"}, {"integrator", "cvode"}};
    RiScene *ours = open_scene("rover_drop", fine, 1), *theirs = open_scene("rover_drop", exact, 2);
    REQUIRE(ours != NULL && theirs != NULL);
    const double peak = highest(ours, "contact.normal", 0.3), other = highest(theirs, "contact.normal", 0.3);
    CHECK(peak > 2000.0);
    CHECK_CLOSE(peak / other, 1.0, 0.02);
    CHECK_CLOSE(value(ours, "base.z"), value(theirs, "base.z"), 1e-4);
    ri_scene_destroy(ours);
    ri_scene_destroy(theirs);
}

/// The scenes with bodies that touch keep what they claim.
TEST(a_rover_that_tips_over_rests_on_its_panel)
{
    RiScene *scene = open_scene("rover_tip_over", NULL, 0);
    REQUIRE(scene != NULL);
    CHECK(run_to(scene, 6.0));
    const double line = atan2(0.66 - 0.5 * 0.03 * 1.15, 0.95 - 0.61);
    CHECK_CLOSE(value(scene, "base.roll"), line, 0.03);
    CHECK(value(scene, "contact.chassis.normal") > 50.0);
    ri_scene_destroy(scene);
}

TEST(links_that_touch_nothing_are_named)
{
    const char *const whole[] = {"mer",     "curiosity", "mars2020",  "fido",    "sojourner", "rocky8",
                                 "jpl_osr", "exomars",   "mini_eels", "arm_mer", "arm_m2020", "arm_fido"};
    char names[64], path[256];
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        RiSpec *spec = NULL;
        snprintf(path, sizeof path, RILLE_SOURCE_DIR "/robots/%s.yaml", whole[i]);
        REQUIRE(ri_robot_load(ctx, path, NULL, &spec) == RI_OK);
        CHECK_INT(ri_spec_list_bare_links(spec, names, sizeof names), 0);
        ri_spec_destroy(spec);
    }
    RiSpec *spec = NULL;
    REQUIRE(ri_robot_load(ctx, RILLE_SOURCE_DIR "/robots/single_wheel.yaml", NULL, &spec) == RI_OK);
    CHECK_INT(ri_spec_list_bare_links(spec, names, sizeof names), 4);
    CHECK(strcmp(names, "rails, carriage, slide, fork") == 0);
    CHECK_INT(ri_spec_list_bare_links(spec, names, 24), 4);
    CHECK(strstr(names, "...") != NULL);
    ri_spec_destroy(spec);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(a_falling_block_peaks_as_the_closed_form_says),
                               CASE(a_block_lies_on_a_stone_between_its_corners),
                               CASE(a_block_sinks_into_soft_soil_as_a_plate_does),
                               CASE(a_block_ploughs_with_the_strength_of_its_soil),
                               CASE(a_ball_and_a_capsule_rest_in_soft_soil),
                               CASE(a_rock_under_the_belly_holds_a_rover),
                               CASE(a_dropped_rover_meets_the_ground_as_cvode_says),
                               CASE(a_rover_that_tips_over_rests_on_its_panel),
                               CASE(links_that_touch_nothing_are_named)};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return EXIT_FAILURE;
    const int result = check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
    ri_context_destroy(ctx);
    return result;
}
