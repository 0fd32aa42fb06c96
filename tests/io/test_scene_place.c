// SPDX-License-Identifier: Apache-2.0
/// \file
/// The key `place` on height fields and inside meshes: what is placed touches everywhere, what
/// cannot be says what was tried.
#include "check.h"
#include "needs.h"

#include <rille/scene.h>

typedef struct Placed {
    RiContext *ctx;
    RiScene *scene;
    const RiPlaceReport *report; ///< NULL: there was none
    RiStatus status;
} Placed;

static Placed place(const char *robot, int modules, const char *terrain, const char *shape)
{
    char text[2048];
    Placed p = {NULL, NULL, NULL, RI_ERR_ARGUMENT};
    snprintf(text, sizeof text,
             "scene: placed\n"
             "robot: {file: ../robots/%s.yaml, set: {modules: %d}}\n"
             "terrain: %s\n"
             "contact: {pairs: [{robot: '*', ground: '*', stiffness: 500 kN/m, damping: 2 kN*s/m, friction: 0.6}]}\n"
             "place: {%s}\n",
             robot, modules, terrain, shape);
    if (ri_context_create(NULL, &p.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    p.status = ri_scene_parse(p.ctx, RILLE_SOURCE_DIR "/scenes/placed.yaml", text, strlen(text), NULL, &p.scene);
    if (p.status == RI_OK)
        p.status = ri_scene_build(p.scene);
    p.report = p.scene ? ri_scene_placement(p.scene) : NULL;
    return p;
}

static void end(Placed *p)
{
    ri_scene_destroy(p->scene);
    ri_context_destroy(p->ctx);
}

/// Placed with every module touching, within a millimetre, and held.
static void check_placed(const char *robot, int modules, const char *terrain, const char *shape)
{
    Placed p = place(robot, modules, terrain, shape);
    const RiPlaceReport *r = p.report;
    if (p.status != RI_OK)
        CHECK_FAIL("%s: %s", terrain, ri_context_message(p.ctx));
    else if (!r || r->touching != r->meant || r->penetration > 1e-3 || r->creep > 1e-3)
        CHECK_FAIL("%s: %s", terrain, r ? r->text : "no report");
    else
        CHECK_INT(r->meant, modules);
    end(&p);
}

#define FRACTAL(seed, slope)                                                                                           \
    "{kind: make, make: fractal, seed: " #seed ", set: {size_x: 12 m, size_y: 12 m, cell: 0.05 m, rms_slope: " #slope  \
    " deg, short_wave: 0.4 m}}"

TEST(on_fractal_heights_every_module_touches)
{
    check_placed("snake", 8, FRACTAL(1, 6), "shape: straight, xyz: [4 m, 6 m, 0.6 m]");
    check_placed("snake", 8, FRACTAL(2, 10), "shape: straight, xyz: [4 m, 5 m, 0.6 m]");
    check_placed("snake", 8, FRACTAL(3, 8), "shape: crescent, radius: 2 m, xyz: [5 m, 5 m, 0.6 m]");
}

TEST(in_a_crater_every_module_touches)
{
    check_placed("snake", 8, "{kind: make, make: craters, seed: 4, set: {size_x: 12 m, size_y: 12 m, cell: 0.05 m}}",
                 "shape: straight, xyz: [4 m, 6 m, 0.6 m]");
}

/// The baked mesh knows no direction far from its wall; the guess starts there.
TEST(inside_the_mesh_of_a_shaft_every_module_touches)
{
    NEEDS("embree");
    check_placed("snake", 8,
                 "{kind: make, make: moulin, seed: 2, set: {depth: 6 m, radius: 0.42 m, cell: 40 mm, roughness: 3 mm, "
                 "rough_wave: 1 m, scallop: 0.3 m, scallop_depth: 4 mm, bend: 20 mm, bend_wave: 5 m}, "
                 "bake: {cell: 20 mm, band: 60 mm, kind: sparse}}",
                 "shape: helix, radius: 0.285 m, pitch: 1.8 m, xyz: [0, 0, -4.5 m]");
}

TEST(on_a_dem_of_mars_every_module_touches)
{
    NEEDS("gdal");
    const char *data = getenv("RILLE_DATA") ? getenv("RILLE_DATA") : RILLE_SOURCE_DIR "/../shared/data";
    char path[1024], terrain[1200];
    snprintf(path, sizeof path, "%s/dem/msl_dingo_gap_16m_0p25.asc", data);
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("     skipped: %s needs %s (RILLE_DATA)\n", "on_a_dem_of_mars_every_module_touches", path);
        return;
    }
    fclose(file);
    snprintf(terrain, sizeof terrain, "{kind: heights, file: %s}", path);
    check_placed("snake", 8, terrain, "shape: straight, xyz: [-1.5 m, 0, 1 m]");
}

static void check_failed(const char *robot, int modules, const char *terrain, const char *shape, const char *part)
{
    Placed p = place(robot, modules, terrain, shape);
    CHECK_INT(p.status, RI_ERR_NUMERIC);
    REQUIRE(p.report != NULL);
    CHECK(!p.report->placed && p.report->try_count == 3);
    for (int i = 0; i < p.report->try_count; i++)
        CHECK(strlen(p.report->tries[i].text) > 20); // each says why it ended
    if (!strstr(p.report->text, part))
        CHECK_FAIL("'%s' lacks '%s'", p.report->text, part);
    end(&p);
}

TEST(walls_too_far_apart_say_what_does_not_reach)
{
    check_failed("eels_1_5", 4, "{kind: shapes, parts: [{shape: walls, gap: 2 m}]}",
                 "shape: zigzag, width: 0.12 m, attract: {attempts: 3, time: 3 s}", "modules touch; 'screw_front_");
}

TEST(a_snake_longer_than_its_ground_says_so)
{
    check_failed("snake", 10,
                 "{kind: make, make: fractal, seed: 1, edge: stop, set: {size_x: 3 m, size_y: 3 m, cell: 0.05 m}}",
                 "shape: straight, xyz: [0.2 m, 1.5 m, 0.4 m], attract: {attempts: 3}",
                 "the robot is longer than what it is placed in");
}

TEST_MAIN(CASE(on_fractal_heights_every_module_touches), CASE(in_a_crater_every_module_touches),
          CASE(inside_the_mesh_of_a_shaft_every_module_touches), CASE(on_a_dem_of_mars_every_module_touches),
          CASE(walls_too_far_apart_say_what_does_not_reach), CASE(a_snake_longer_than_its_ground_says_so))
