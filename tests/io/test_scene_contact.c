// SPDX-License-Identifier: Apache-2.0
/// \file
/// The key `contact` of a scene: what it sets, and what is wrong with it by file, line and key.
#include "check.h"

#include <unistd.h>

#include <rille/scene.h>

static const char head[] = "scene: touch\n"
                           "robot: {file: ../robots/snake_short.yaml}\n"
                           "terrain: {kind: plane, material: ice}\n"
                           "duration: 1 s\n";

/// Loads and builds a scene of the head and a text that begins at line 5.
static RiStatus build(RiContext *ctx, const char *text, RiScene **out)
{
    char all[2048];
    snprintf(all, sizeof all, "%s%s", head, text);
    *out = NULL;
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/touch.yaml", all, strlen(all), NULL, out));
    return ri_scene_build(*out);
}

TEST(contact_none_turns_contacts_off)
{
    RiContext *ctx;
    RiScene *scene;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, build(ctx, "contact: none\n", &scene));
    CHECK(ri_sim_contacts(ri_scene_sim(scene)) == NULL);
    ri_scene_destroy(scene);
    REQUIRE_OK(ctx, build(ctx, "", &scene));
    CHECK(ri_sim_contacts(ri_scene_sim(scene)) != NULL);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_pair_reaches_the_features_that_it_names)
{
    RiContext *ctx;
    RiScene *scene;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, build(ctx,
                          "contact:\n  pairs:\n"
                          "    - {robot: screw, ground: ice, law: screw, friction: 0.15, e0: 2, e1: 0.01 N^-1}\n",
                          &scene));
    const RiContacts *c = ri_sim_contacts(ri_scene_sim(scene));
    REQUIRE(c && ri_contacts_feature_count(c) > 0);
    const RiPairDef *pair = ri_contacts_pair(c, 0, 0);
    CHECK_INT(pair->law, RI_LAW_SCREW);
    CHECK_CLOSE(pair->friction, 0.15, 0.0);
    CHECK_CLOSE(pair->e1, 0.01, 1e-15);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(bad_contacts_are_named_by_file_line_and_key)
{
    static const struct {
        const char *text, *part, *place;
    } bad[] = {
        {"contact: {stifness: 1}\n", "stifness", "touch.yaml:5"},
        {"contact:\n  points: edges\n", "edges", "touch.yaml:6"},
        {"contact:\n  passes: 0\n", "passes", "touch.yaml:6"},
        {"contact:\n  thread_points: 0\n", "thread_points", "touch.yaml:6"},
        {"contact:\n  pairs:\n    - {law: glue}\n", "glue", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {stiffness: 0}\n", "stiffness", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {stiffness: -1 kN/m}\n", "stiffness is -1000", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {stiffness: 1 kg}\n", "stiffness", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {friction: -0.1}\n", "friction", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {e_min: 5, e_max: 2}\n", "e_min", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {e_min: 0.5}\n", "e_min", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {frction: 0.1}\n", "frction", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {damping: -1}\n", "damping", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {stick_stiffness: 1 kN/m, stick_damping: 0}\n", "stick_damping", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {engagement: 2}\n", "engagement is 2, it must be 0 to 1", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {edge_width: -1 mm}\n", "edge_width", "touch.yaml:7"},
        {"contact:\n  melt: {ice_temprature: 260 K}\n", "ice_temprature", "touch.yaml:6"},
        {"contact:\n  melt: {ice_temperature: 300 K}\n", "ice_temperature is 300 K", "touch.yaml:6"},
        {"contact:\n  melt: {heat_capacity: 0 J/K}\n", "heat_capacity", "touch.yaml:6"},
        {"contact:\n  melt: {heat_capacity: 3 kg}\n", "heat_capacity", "touch.yaml:6"},
        {"contact:\n  melt: {ground: snow}\n", "snow", "touch.yaml:6"},
        {"contact:\n  points: thread\n  melt: {}\n", "envelope", "touch.yaml:7"},
        {"integrator: cvode\ncontact:\n  melt: {}\n", "implicit", "touch.yaml:7"},
        {"contact:\n  pairs:\n    - {name: a b}\n", "name of a contact pair", "touch.yaml:7"},
    };
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        RiScene *scene;
        const RiStatus status = build(ctx, bad[i].text, &scene);
        CHECK(status == RI_ERR_FORMAT || status == RI_ERR_ARGUMENT);
        const char *message = ri_context_message(ctx);
        if (!strstr(message, bad[i].part) || !strstr(message, bad[i].place))
            CHECK_FAIL("'%s': message '%s' does not name '%s' and '%s'", bad[i].text, message, bad[i].part,
                       bad[i].place);
        ri_scene_destroy(scene);
    }
    ri_context_destroy(ctx);
}

static const char lead_free[] =
    "scene: bare\n"
    "robot:\n"
    "  template:\n"
    "    robot: bare\n"
    "    base: floating\n"
    "    links: [{name: body, mass: 1, solid: sphere, size: [0.1]}]\n"
    "    screws: [{name: thread, link: body, radius: 0.1, core_radius: 0.08, length: 0.3, starts: 2}]\n"
    "terrain: {kind: plane}\n"
    "duration: 1 s\n";

TEST(a_screw_without_lead_is_named_by_file_and_line)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiStatus status =
        ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/bare.yaml", lead_free, strlen(lead_free), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    CHECK(status != RI_OK);
    const char *message = ri_context_message(ctx);
    if (!strstr(message, "lead") || !strstr(message, "bare.yaml:7") || !strstr(message, "thread"))
        CHECK_FAIL("message '%s'", message);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(pairs_written_into_a_configuration_read_back_the_same)
{
    RiContext *ctx;
    RiScene *scene, *again = NULL;
    char path[] = "/tmp/rille_pairs_XXXXXX.yaml";
    const int file = mkstemps(path, 5);
    REQUIRE(file >= 0 && ri_context_create(NULL, &ctx) == RI_OK);
    close(file);
    REQUIRE_OK(ctx,
               build(ctx,
                     "contact:\n  pairs:\n"
                     "    - {robot: screw, ground: ice, name: snow, law: screw, engagement: 0.5, edge_width: 2 mm}\n"
                     "  melt: {start_temperature: 290 K}\n",
                     &scene));
    REQUIRE_OK(ctx, ri_scene_save(scene, path));
    REQUIRE_OK(ctx, ri_scene_load(ctx, path, NULL, &again));
    REQUIRE_OK(ctx, ri_scene_build(again));
    CHECK(ri_values_find(ri_sim_values(ri_scene_sim(again)), "contact.snow.engagement") >= 0);
    const RiPairDef *pair = ri_contacts_pair(ri_sim_contacts(ri_scene_sim(again)), 0, 0);
    CHECK_CLOSE(pair->engagement, 0.5, 0.0);
    CHECK_CLOSE(pair->edge_width, 0.002, 0.0);
    const int screw = ri_values_match(ri_sim_values(ri_scene_sim(again)), "screw*.temperature", 0);
    REQUIRE(screw >= 0);
    CHECK_CLOSE(ri_values_read(ri_sim_values(ri_scene_sim(again)), screw), 290.0, 0.0);
    ri_scene_destroy(again);
    ri_scene_destroy(scene);
    unlink(path);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(contact_none_turns_contacts_off), CASE(a_pair_reaches_the_features_that_it_names),
          CASE(bad_contacts_are_named_by_file_line_and_key), CASE(a_screw_without_lead_is_named_by_file_and_line),
          CASE(pairs_written_into_a_configuration_read_back_the_same))
