// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kinds of terrain from shared objects (examples/plugin/waves.c): they answer as other terrains
/// do, and what is wrong is told.
#include "check.h"

#include <rille/rille.h>

static const char library[] = RILLE_BINARY_DIR "/plugins/waves.so";

static RiStatus parse(RiContext *ctx, const char *rest, RiTerrainFile **out)
{
    char text[1024];
    snprintf(text, sizeof text, "terrain: t\nkind: plugin\nlibrary: %s\n%s", library, rest);
    return ri_terrain_file_parse(ctx, RILLE_BINARY_DIR "/t.yaml", text, strlen(text), NULL, out);
}

TEST(a_plugin_answers_heights_distances_and_rays)
{
    RiContext *ctx;
    RiTerrainFile *file;
    RiHeight h;
    RiSurface s;
    RiTerrainHit hit;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, parse(ctx, "name: waves\nset: {height: 10 cm, length: 2 m}\nmaterial: ice\n", &file));
    const RiTerrain *t = ri_terrain_file_terrain(file);
    CHECK(strcmp(ri_terrain_info(t).kind, "plugin") == 0 && strcmp(ri_terrain_material_name(t, 0), "ice") == 0);
    CHECK(ri_terrain_height(t, 0.5, 3.0, &h));
    CHECK_CLOSE(h.z, 0.1, 1e-12); // a crest
    CHECK_CLOSE(h.zx, 0.0, 1e-12);
    ri_terrain_query(t, ri_vec3(0.5, 0.0, 0.3), &s);
    CHECK_CLOSE(s.distance, 0.2, 1e-12);
    ri_terrain_query(t, ri_vec3(0.0, 0.0, 0.1), &s); // on the flank: along its normal, to first order
    const double slope = 0.1 * 3.14159265358979;
    CHECK_CLOSE(s.distance, 0.1 / sqrt(1.0 + slope * slope), 1e-9);
    CHECK_CLOSE(s.normal.x, -slope / sqrt(1.0 + slope * slope), 1e-9);
    CHECK(ri_terrain_ray(t, ri_vec3(1.5, 0.0, 1.0), ri_vec3(0.0, 0.0, -1.0), 10.0, &hit));
    CHECK_CLOSE(hit.range, 1.1, 1e-6); // a trough
    ri_terrain_file_destroy(file);
    ri_context_destroy(ctx);
}

TEST(wrong_plugins_are_refused_with_a_sentence)
{
    RiContext *ctx;
    RiTerrainFile *file;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_ERROR(ctx, parse(ctx, "name: dunes\n", &file), RI_ERR_FORMAT, "has no kind of terrain 'dunes'");
    CHECK_ERROR(ctx, parse(ctx, "name: waves\nset: {height: -1 m}\n", &file), RI_ERR_FORMAT, "height");
    CHECK_ERROR(ctx, parse(ctx, "name: waves\nset: {hight: 1 m}\n", &file), RI_ERR_FORMAT, "hight");
    CHECK_ERROR(ctx, parse(ctx, "name: waves\nset: {height: 1 m, length: 1 m}\n", &file), RI_ERR_FORMAT,
                "waves steeper than 45 deg");
    RiTerrainPlugin other = {.abi = RI_PLUGIN_ABI + 1};
    CHECK_ERROR(ctx, ri_terrain_plugin_check(ctx, &other), RI_ERR_UNSUPPORTED, "compiled for RI_PLUGIN_ABI 3");
    other.abi = 1; // a kind of terrain is the same in both versions
    CHECK_ERROR(ctx, ri_terrain_plugin_check(ctx, &other), RI_ERR_FORMAT, "needs a name");
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(a_plugin_answers_heights_distances_and_rays), CASE(wrong_plugins_are_refused_with_a_sentence))
