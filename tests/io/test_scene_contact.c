// SPDX-License-Identifier: Apache-2.0
/// \file
/// The key `contact` of a scene: what it sets, and what is wrong with it by file, line and key.
#include "check.h"

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

TEST_MAIN(CASE(contact_none_turns_contacts_off), CASE(a_pair_reaches_the_features_that_it_names),
          CASE(bad_contacts_are_named_by_file_line_and_key))
