// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille place` as a user meets it.
#define SCRATCH RILLE_BINARY_DIR "/place"
#include "run.h"

#include "check.h"

static const char scene[] =
    "scene: lying\n"
    "robot: {file: " RILLE_SOURCE_DIR "/robots/snake.yaml, set: {modules: 3}}\n"
    "terrain: {kind: plane}\n"
    "place: {shape: %s}\n"
    "devices:\n"
    "  - {joints: '*', name: 'servo_${joint}', type: servo, set: {stiffness: 20000, damping: 1000}}\n";

static Run place(const char *shape, const char *more)
{
    char text[2048];
    const int n = snprintf(text, sizeof text, scene, shape);
    run_setup();
    write_file(SCRATCH "/scene.yaml", text, (size_t)n);
    return more ? RUN("place", SCRATCH "/scene.yaml", "--out", more) : RUN("place", SCRATCH "/scene.yaml");
}

static void check(const char *shape, int code, const char *out, const char *err)
{
    Run r = place(shape, NULL);
    CHECK_INT(r.code, code);
    if (!strstr(r.out, out))
        CHECK_FAIL("output '%s' lacks '%s'", r.out, out);
    if (!strstr(r.err, err))
        CHECK_FAIL("messages '%s' lack '%s'", r.err, err);
    run_free(&r);
}

TEST(a_placed_scene_is_reported_and_written_and_starts_there)
{
    Run r = place("crescent, radius: 2 m, xyz: [0, 0, 30 cm]", SCRATCH "/start.yaml");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "placed: 3 of 3 modules touch") == r.out);
    run_free(&r);
    r = RUN("run", SCRATCH "/start.yaml", "--duration", "0.1", "--out", SCRATCH "/out", "--json");
    CHECK_INT(r.code, 0);
    run_free(&r);
    r = RUN("place", SCRATCH "/start.yaml"); // it starts there and places nothing any more
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "has no key 'place'") != NULL);
    run_free(&r);
}

TEST(what_cannot_be_placed_ends_with_code_1_and_what_was_tried)
{
    check("straight, xyz: [0, 0, 50 m], attract: {time: 0.5 s, attempts: 2}", 1,
          "not placed (shape straight, 2 attempts", "");
}

TEST(bad_input_is_named_with_line_and_key)
{
    check("helix", 2, "", "scene.yaml:4:");
    check("spiral", 2, "", "key 'shape'");
    check("straight, twist: 20 m", 2, "", "key 'twist'");
    check("straight, attract: {tim: 3}", 2, "", "did you mean 'time'?");
    check("straight, hold: {margin: 2}", 2, "", "allowed: 0 to 0.95");
    check("joints", 2, "", "needs one of the keys 'angles' and 'file'");
    check("joints, angles: {elbow: 1 rad}", 2, "", "no joint");
    check("straight, touch: [nothing]", 2, "", "no link that can touch");
}

TEST_MAIN(CASE(a_placed_scene_is_reported_and_written_and_starts_there),
          CASE(what_cannot_be_placed_ends_with_code_1_and_what_was_tried), CASE(bad_input_is_named_with_line_and_key))
