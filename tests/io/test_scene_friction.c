// SPDX-License-Identifier: Apache-2.0
/// \file
/// Friction of materials: a block on a slope slides as the smaller friction of both says, a pair
/// overrides that, and pairs that fit nothing are errors.
#include "scene.h"

/// A block of a material on a plane of 40 degrees, described by further keys.
static RiStatus build(const char *block, const char *ground, const char *more, RiScene **out)
{
    char text[2048];
    snprintf(text, sizeof text,
             "scene: block\n"
             "robot: {template: {robot: block, base: floating, links: [{name: body, mass: 1 kg, solid: box, "
             "size: [0.2, 0.2, 0.1], collision: [{type: box, size: [0.2, 0.2, 0.1]%s%s}]}]}}\n"
             "terrain: {kind: plane, slope: 40 deg, %s}\n"
             "integrator: moreau\n"
             "tick: 1 ms\n"
             "duration: 1 s\n"
             "initial: {base: {xyz: [\"${-0.05*sin(40 deg)}\", 0, \"${0.05*cos(40 deg)}\"], rpy: [0, -40 deg, 0]}}\n"
             "%s",
             *block ? ", material: " : "", block, ground, more);
    *out = NULL;
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/block.yaml", text, strlen(text), NULL, out));
    return ri_scene_build(*out);
}

/// Friction that slides the block as the scene does: g (sin - mu cos) t after t.
static double measured(const char *block, const char *ground, const char *more)
{
    RiScene *scene;
    double mu = NAN;
    if (build(block, ground, more, &scene) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (run_to(scene, 0.5)) {
        const double slope = 40.0 * M_PI / 180.0, g = 9.80665,
                     v = hypot(value(scene, "base.vx"), value(scene, "base.vz"));
        mu = (sin(slope) - v / (0.5 * g)) / cos(slope);
    }
    ri_scene_destroy(scene);
    return mu;
}

TEST(a_block_slides_with_the_smaller_friction_of_both_materials)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_CLOSE(measured("", "material: ice", ""), 0.1, 2e-3);
    CHECK_CLOSE(measured("", "material: bedrock", ""), 0.7, 2e-3);
    CHECK_CLOSE(measured("", "material: frictionless", ""), 0.0, 2e-3);
    CHECK_CLOSE(measured("metal", "material: bedrock", ""), 0.5, 2e-3);
    CHECK_CLOSE(measured("metal", "material: ice", ""), 0.1, 2e-3);
    CHECK_CLOSE(measured("", "soil: ice", ""), 0.1, 2e-3);
    CHECK_CLOSE(measured("frictionless", "soil: rock", ""), 0.0, 2e-3);
    CHECK_CLOSE(measured("", "material: something_else", ""), RI_FRICTION_UNKNOWN, 2e-3);
    ri_context_destroy(ctx);
}

TEST(a_pair_overrides_materials_and_may_name_a_region_or_its_soil)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_CLOSE(measured("", "material: ice", "contact: {pairs: [{robot: \"*\", friction: 0.3}]}\n"), 0.3, 2e-3);
    CHECK_CLOSE(measured("", "soil: {base: {name: lake, layers: [{soil: ice}]}}",
                         "contact: {pairs: [{ground: lake, friction: 0.3}]}\n"),
                0.3, 2e-3);
    CHECK_CLOSE(measured("", "soil: {base: {name: lake, layers: [{soil: ice}]}}",
                         "contact: {pairs: [{ground: ice, friction: 0.2}]}\n"),
                0.2, 2e-3);
    CHECK_CLOSE(measured("", "soil: {base: {name: lake, layers: [{soil: ice}]}}",
                         "contact: {pairs: [{ground: lake, stiffness: 200 kN/m}]}\n"),
                0.1, 2e-3);
    ri_context_destroy(ctx);
}

TEST(one_pair_over_two_grounds_has_a_friction_for_each)
{
    RiScene *scene;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx,
               build("", "soil: {base: rock, regions: [{name: pond, soil: ice, polygon: [[5, 5], [6, 5], [6, 6]]}]}",
                     "", &scene));
    const RiContacts *c = ri_sim_contacts(ri_scene_sim(scene));
    REQUIRE(c && ri_terrain_material_count(ri_contacts_terrain(c)) == 2);
    CHECK_CLOSE(ri_contacts_pair(c, 0, 0)->friction, 0.7, 0.0);
    CHECK_CLOSE(ri_contacts_pair(c, 0, 1)->friction, 0.1, 0.0);
    CHECK_INT(ri_contacts_friction_from(c, 0, 1), RI_FRICTION_FROM_OTHER);
    CHECK_CLOSE(value(scene, "contact.default.friction"), 0.7, 0.0);
    CHECK_CLOSE(value(scene, "contact.default_2.friction"), 0.1, 0.0);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(pairs_that_fit_nothing_are_errors_with_what_there_is)
{
    static const struct {
        const char *pair, *message;
    } bad[] = {{"{ground: nonsense}", "block.yaml:8: contact pair of '*' on 'nonsense': the terrain has no such "
                                      "material; it has: ice"},
               {"{robot: wheell, friction: 0.3}", "block.yaml:8: contact pair of 'wheell': nothing of the robot"},
               {"{robot: \"*\", ground: roc}", "it has: ice"}};
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        RiScene *scene;
        char more[200];
        snprintf(more, sizeof more, "contact: {pairs: [%s]}\n", bad[i].pair);
        CHECK_ERROR(ctx, build("", "material: ice", more, &scene), RI_ERR_ARGUMENT, bad[i].message);
        ri_scene_destroy(scene);
    }
    ri_context_destroy(ctx);
}

TEST(friction_that_nothing_tells_is_warned_of)
{
    RiReport *report = NULL;
    RiScene *scene;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_report_create(ctx, &report));
    static const char text[] = "scene: block\n"
                               "robot: {file: ../robots/snake_short.yaml}\n"
                               "terrain: {kind: plane, material: something_else}\n"
                               "duration: 1 s\n";
    const RiSceneOptions options = {.report = report};
    REQUIRE_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/block.yaml", text, strlen(text), &options, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    bool said = false;
    for (int i = 0; i < ri_report_count(report); i++)
        said |= strstr(ri_report_get(report, i)->text, "neither material is in the library") != NULL;
    CHECK(said);
    ri_scene_destroy(scene);
    ri_report_destroy(report);
    ri_context_destroy(ctx);
}

/// How many warnings of a rover's scene say that a pair never acts.
static void idle_pairs(const char *ground, const char *soil, int want)
{
    RiReport *report = NULL;
    RiScene *scene;
    char text[600];
    int said = 0;
    snprintf(text, sizeof text,
             "scene: rover\nrobot: {file: ../robots/sojourner.yaml}\nterrain: {kind: plane, soil: %s}\nduration: 1 s\n"
             "contact: {pairs: [{robot: wheel, law: terzaghi, friction_angle: 30 deg, cohesion: 0}]}\n%s",
             ground, soil);
    REQUIRE_OK(ctx, ri_report_create(ctx, &report));
    const RiSceneOptions options = {.report = report};
    REQUIRE_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/rover.yaml", text, strlen(text), &options, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    for (int i = 0; i < ri_report_count(report); i++)
        said += strstr(ri_report_get(report, i)->text, "never acts") != NULL;
    const int wheel = ri_contacts_feature(ri_sim_contacts(ri_scene_sim(scene)), 0)->link;
    CHECK_INT(said, want);
    CHECK(ri_sim_soil_answers(ri_scene_sim(scene), wheel, 0) == (said > 0));
    ri_scene_destroy(scene);
    ri_report_destroy(report);
}

TEST(a_pair_that_the_law_of_soft_soil_stands_in_for_is_warned_of)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    idle_pairs("dry_sand_LLL", "", 1);
    idle_pairs("dry_sand_LLL", "soil: none\n", 0);
    idle_pairs("bedrock", "", 0);
    ri_context_destroy(ctx);
}

TEST(robot_terrain_and_contact_may_be_chosen_from_outside)
{
    static const RiSetting good[] = {{"robot", "sojourner"},
                                     {"terrain", "rough_rock"},
                                     {"contact.back_end", "hulls"},
                                     {"contact.law", "stribeck"},
                                     {"contact.wheel_stations", "1"}};
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_scene("mer_drive", good + 2, 3);
    REQUIRE(scene);
    const RiContacts *c = ri_sim_contacts(ri_scene_sim(scene));
    CHECK(ri_contacts_hull_count(c) > 0);
    CHECK_INT(ri_contacts_pair(c, 0, 0)->law, RI_LAW_STRIBECK);
    CHECK(strcmp(ri_contacts_feature(c, 0)->name, ri_contacts_feature(c, 1)->name) != 0); // one circle per wheel
    ri_scene_destroy(scene);
    scene = open_scene("rover_drop", good, 1);
    REQUIRE(scene);
    CHECK(strcmp(ri_model_name(ri_sim_model(ri_scene_sim(scene))), "sojourner") == 0);
    ri_scene_destroy(scene);
    scene = open_scene("rover_drop", good + 1, 1);
    REQUIRE(scene);
    CHECK(strcmp(ri_terrain_file_name(ri_scene_terrain(scene)), "rough_rock") == 0);
    ri_scene_destroy(scene);
    static const RiSetting bad[] = {
        {"robot", "nobody"}, {"terrain", "nowhere"}, {"contact.back_end", "magic"}, {"contact.law", "magic"}};
    for (int i = 0; i < 4; i++) {
        CHECK(open_in(ctx, "rover_drop", &bad[i], 1, &scene) != RI_OK);
        CHECK(strstr(ri_context_message(ctx), bad[i].value) != NULL);
    }
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(a_block_slides_with_the_smaller_friction_of_both_materials),
          CASE(a_pair_overrides_materials_and_may_name_a_region_or_its_soil),
          CASE(one_pair_over_two_grounds_has_a_friction_for_each),
          CASE(pairs_that_fit_nothing_are_errors_with_what_there_is), CASE(friction_that_nothing_tells_is_warned_of),
          CASE(a_pair_that_the_law_of_soft_soil_stands_in_for_is_warned_of),
          CASE(robot_terrain_and_contact_may_be_chosen_from_outside))
