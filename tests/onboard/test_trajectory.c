// SPDX-License-Identifier: Apache-2.0
/// \file
/// Trajectories: tables are read exactly or refused with line and column; references are linear
/// between rows and held at the ends.
#include <rille/scene.h>

#include "check.h"
#include "io/robot/joint_table.h"

static const char *const snake = "scene: s\nrobot: {file: ../robots/mini_eels.yaml, set: {modules: 2}}\ngravity: none\n"
                                 "devices: [{name: path, type: trajectory, group: \"bend_*\", file: "
                                 "../tests/onboard/two.csv, set: {delay: 0.5 s}}]\n";

static double value(RiContext *ctx, RiScene *scene, const char *name)
{
    double x = NAN;
    CHECK_OK(ctx, ri_values_eval(ri_sim_values(ri_scene_sim(scene)), name, &x));
    return x;
}

TEST(references_are_linear_between_rows_and_held_at_the_ends)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", snake, strlen(snake), NULL, &scene));
    REQUIRE(scene != NULL);
    CHECK_OK(ctx, ri_scene_build(scene));
    for (int k = 0; k < 2500; k++) {
        const double t = 1e-3 * k - 0.5;
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
        const double b1 = t < 1.0 ? 0.5 : t < 1.5 ? 0.5 - (t - 1.0) : 0.0;
        const double b2 = t < 0.0 ? 0.0 : t < 1.0 ? 0.2 * t : t < 1.5 ? 0.2 - 1.2 * (t - 1.0) : -0.4;
        CHECK_CLOSE(value(ctx, scene, "path.bend_1.position"), b1, 1e-12);
        CHECK_CLOSE(value(ctx, scene, "path.bend_2.position"), b2, 1e-12);
        const bool on_row = k % 500 == 0; // rates jump there
        if (!on_row)
            CHECK_CLOSE(value(ctx, scene, "path.bend_2.rate"), t < 0.0 || t > 1.5 ? 0.0 : t < 1.0 ? 0.2 : -1.2, 1e-12);
    }
    CHECK(value(ctx, scene, "path.done") == 1.0);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

/// Parses a text as the table of both joints.
static void refused(const RiModel *m, RiContext *ctx, const char *text, const char *part)
{
    char copy[512];
    RiArena arena;
    double *table;
    int rows, columns;
    snprintf(copy, sizeof copy, "%s", text);
    ri_arena_init(&arena, ctx);
    CHECK_ERROR(ctx, ri_joint_table_parse(ctx, &arena, "t.csv", copy, m, "bend_*", &table, &rows, &columns),
                RI_ERR_FORMAT, part);
    CHECK(table == NULL && rows == 0);
    ri_arena_free(&arena);
}

/// Recorded velocities: the cubic that meets positions and rates of both rows, here that of
/// q = t^3, which it is exactly.
TEST(recorded_velocities_make_cubics)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    char text[512], path[] = RILLE_BINARY_DIR "/tests/trajectory_rates.csv";
    FILE *f = fopen(path, "w");
    REQUIRE(f != NULL);
    fputs("time,bend_1,bend_1.velocity,bend_2.velocity,bend_2\n0,0,0,0.3,0\n0.5,0.125,0.75,0.3,0.15\n"
          "0.8,0.512,1.92,0.3,0.24\n",
          f);
    fclose(f);
    snprintf(text, sizeof text,
             "scene: s\nrobot: {file: ../robots/mini_eels.yaml, set: {modules: 2}}\ngravity: none\n"
             "devices: [{name: path, type: trajectory, group: \"bend_*\", file: \"%s\"}]\n",
             path);
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &scene));
    REQUIRE(scene != NULL);
    CHECK_OK(ctx, ri_scene_build(scene));
    for (int k = 0; k < 1000; k++) {
        const double t = 1e-3 * k;
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
        CHECK_CLOSE(value(ctx, scene, "path.bend_1.position"), t < 0.8 ? t * t * t : 0.512, 1e-12);
        CHECK_CLOSE(value(ctx, scene, "path.bend_1.rate"), t < 0.8 ? 3.0 * t * t : 0.0, 1e-11);
        CHECK_CLOSE(value(ctx, scene, "path.bend_2.position"), t < 0.8 ? 0.3 * t : 0.24, 1e-12);
    }
    const RiModel *m = ri_sim_model(ri_scene_sim(scene));
    refused(m, ctx, "time,bend_1,bend_2,bend_1.velocity\n", "t.csv:1: there is no column 'bend_2.velocity'");
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    remove(path);
}

TEST(a_saved_scene_finds_its_table_again)
{
    RiContext *ctx;
    RiScene *scene = NULL, *again = NULL;
    const char *saved = RILLE_BINARY_DIR "/tests/trajectory_saved.yaml";
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", snake, strlen(snake), NULL, &scene));
    REQUIRE(scene != NULL);
    CHECK_OK(ctx, ri_scene_build(scene));
    CHECK_OK(ctx, ri_scene_save(scene, saved));
    CHECK_OK(ctx, ri_scene_load(ctx, saved, NULL, &again));
    REQUIRE(again != NULL);
    CHECK_OK(ctx, ri_scene_build(again));
    for (int k = 0; k < 900; k++) {
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(again)));
    }
    CHECK(ri_sim_hash(ri_scene_sim(scene)) == ri_sim_hash(ri_scene_sim(again)));
    ri_scene_destroy(scene);
    ri_scene_destroy(again);
    ri_context_destroy(ctx);
}

TEST(bad_tables_are_refused_with_line_column_and_reason)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", snake, strlen(snake), NULL, &scene));
    REQUIRE(scene != NULL);
    CHECK_OK(ctx, ri_scene_build(scene));
    const RiModel *m = ri_sim_model(ri_scene_sim(scene));
    refused(m, ctx, "", "t.csv: is empty");
    refused(m, ctx, "# only a comment\n", "t.csv: is empty");
    refused(m, ctx, "time,bend_1,bend_2\n", "t.csv: has no rows");
    refused(m, ctx, "time,bend_1\n0,0\n", "t.csv:1: there is no column 'bend_2'");
    refused(m, ctx, "bend_2,bend_1\n0,0\n", "t.csv:1: there is no column 'time'");
    refused(m, ctx, "time,bend_1,bend_2,bend_3\n", "t.csv:1:20: 'bend_3' is neither time nor a joint");
    refused(m, ctx, "time,bend_1,bend_2,bend_1\n", "t.csv:1:20: 'bend_1' is given twice");
    refused(m, ctx, "time,bend_1,bend_2\n0,0,0\n1,x,0\n", "t.csv:3:3: 'x' is not a number");
    refused(m, ctx, "time,bend_1,bend_2\n\n0,0,\n", "t.csv:3:5: '' is not a number");
    refused(m, ctx, "time,bend_1,bend_2\n0,0,nan\n", "t.csv:2:5: 'nan' is not a number");
    refused(m, ctx, "time,bend_1,bend_2\n0,0\n", "t.csv:2: has 2 fields; the head has 3");
    refused(m, ctx, "time,bend_1,bend_2\r\n0,0,0,0\r\n", "t.csv:2: has more fields");
    refused(m, ctx, "bend_1,time,bend_2\n0,1,0\n0, 1,0\n", "t.csv:3:4: '1' is not later");
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_missing_file_is_told_with_the_scenes_line)
{
    const char *text = "scene: s\nrobot: {file: ../robots/mini_eels.yaml, set: {modules: 2}}\n"
                       "devices: [{name: path, type: trajectory, group: \"bend_*\", file: nowhere.csv}]\n";
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &scene));
    REQUIRE(scene != NULL);
    CHECK_ERROR(ctx, ri_scene_build(scene), RI_ERR_NOT_FOUND, "test.yaml:3:65: key 'file'");
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(references_are_linear_between_rows_and_held_at_the_ends), CASE(a_saved_scene_finds_its_table_again),
          CASE(recorded_velocities_make_cubics), CASE(bad_tables_are_refused_with_line_column_and_reason),
          CASE(a_missing_file_is_told_with_the_scenes_line))
