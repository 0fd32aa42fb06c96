// SPDX-License-Identifier: Apache-2.0
/// \file
/// Mobility maps: tilt, margin and clearance by closed forms on planes, the response between its
/// points, ways around a hill.
#include <math.h>

#include <rille/mobility.h>
#include <rille/robot.h>
#include <rille/terrain_file.h>

#include "check.h"

static const double DEG = 3.14159265358979323846 / 180.0;

/// A made-up response: slip and energy rise with the slope ahead, linear in the table's own
/// coordinates.
static RiMobilityResponse make_response(void)
{
    RiMobilityResponse r = {.slope_step = 4.0 * DEG, .weight = 645.0};
    for (int s = 0; s < RI_MOBILITY_SLOPES; s++)
        for (int d = 0; d < RI_MOBILITY_DIRECTIONS; d++) {
            const double ahead = s * (1.0 - d / 2.0);
            r.points[s][d] = (RiMobilityPoint){.slip = 0.1 + 0.08 * ahead,
                                               .drift = 0.01 * s,
                                               .sinkage = 0.02,
                                               .energy = 100.0 + 50.0 * ahead,
                                               .valid = s < 6};
        }
    return r;
}

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiTerrain *terrain;
    RiMobilityMap *map;
} Rig;

static bool open_rig(Rig *rig)
{
    *rig = (Rig){NULL, NULL, NULL, NULL, NULL};
    if (ri_context_create(NULL, &rig->ctx) != RI_OK)
        return false;
    CHECK_OK(rig->ctx, ri_robot_load(rig->ctx, RILLE_SOURCE_DIR "/robots/mer.yaml", NULL, &rig->spec));
    CHECK_OK(rig->ctx, ri_model_create(rig->ctx, rig->spec, NULL, &rig->model));
    return rig->model != NULL;
}

static void close_rig(Rig *rig)
{
    ri_mobility_map_destroy(rig->map);
    ri_terrain_destroy(rig->terrain);
    ri_model_destroy(rig->model);
    ri_spec_destroy(rig->spec);
    ri_context_destroy(rig->ctx);
}

static RiMobilityMapDef region(double half, double cell)
{
    RiMobilityMapDef def = ri_mobility_map_def_default();
    def.x0 = def.y0 = -half;
    def.x1 = def.y1 = half;
    def.cell = cell;
    return def;
}

TEST(the_response_is_linear_between_its_points_and_valid_only_inside)
{
    const RiMobilityResponse r = make_response();
    const RiMobilityPoint p = ri_mobility_respond(&r, 6.0 * DEG, 0.0);
    CHECK_CLOSE(p.slip, 0.1 + 0.08 * 1.5, 1e-12);
    CHECK_CLOSE(p.energy, 100.0 + 50.0 * 1.5, 1e-9);
    CHECK(p.valid);
    CHECK_CLOSE(ri_mobility_respond(&r, 6.0 * DEG, 3.14159265358979).slip, 0.1 - 0.08 * 1.5, 1e-9);
    CHECK_CLOSE(ri_mobility_respond(&r, 6.0 * DEG, 90.0 * DEG).slip, 0.1, 1e-12);
    CHECK_CLOSE(ri_mobility_respond(&r, 6.0 * DEG, -90.0 * DEG).drift,
                -ri_mobility_respond(&r, 6.0 * DEG, 90.0 * DEG).drift, 1e-15);
    CHECK(!ri_mobility_respond(&r, 21.0 * DEG, 0.0).valid); // next to a point that is not valid
    CHECK(!ri_mobility_respond(&r, 40.0 * DEG, 0.0).valid);
}

/// On a plane every cell is the same: the body tilts as the plane, and slip is that of the heading
/// against uphill.
TEST(on_a_plane_tilt_slip_and_margin_are_closed_forms)
{
    Rig rig;
    REQUIRE(open_rig(&rig));
    const RiMobilityResponse r = make_response();
    const RiPlaneDef plane = {.slope = 8.0 * DEG, .azimuth = 0.0};
    CHECK_OK(rig.ctx, ri_terrain_create_plane(rig.ctx, &plane, &rig.terrain));
    const RiMobilityMapDef def = region(2.0, 1.0);
    REQUIRE_OK(rig.ctx, ri_mobility_map_create(rig.ctx, &def, rig.spec, rig.model, rig.terrain, &r, &rig.map));
    CHECK_INT(rig.map->nx, 4);
    CHECK(rig.map->missing == 0 && rig.map->stances == 128);
    const int cells = 16;
    for (int h = 0; h < RI_MOBILITY_HEADINGS; h++) {
        const float *slip = rig.map->layers[RI_MOBILITY_SLIP] + (ptrdiff_t)h * cells;
        const double turned = fabs(remainder(h * 45.0, 360.0)), ahead = 2.0 * (1.0 - turned / 90.0);
        CHECK_CLOSE((double)rig.map->layers[RI_MOBILITY_TILT][h * cells + 5], 8.0 * DEG, 2e-3);
        CHECK_CLOSE((double)slip[5], 0.1 + 0.08 * ahead, 2e-3);
        CHECK_CLOSE((double)slip[5], (double)slip[10], 1e-6);
    }
    // uphill the margin is what level ground has less the slope, to the shift of the suspension
    const double up = (double)rig.map->layers[RI_MOBILITY_MARGIN][5];
    CHECK(up > 25.0 * DEG && up < 55.0 * DEG);
    CHECK((double)rig.map->layers[RI_MOBILITY_CLEARANCE][5] > 0.2 &&
          (double)rig.map->layers[RI_MOBILITY_CLEARANCE][5] < 0.35);
    close_rig(&rig);
}

/// A round hill, too steep to cross, on level ground.
static RiStatus make_hill(Rig *rig)
{
    RiRaster *raster;
    RI_TRY(ri_raster_create(rig->ctx, 161, 161, 0.25, 0.25, &raster));
    raster->x0 = raster->y0 = -20.0;
    for (int j = 0; j < 161; j++)
        for (int i = 0; i < 161; i++)
            raster->values[j * 161 + i] =
                (float)(3.0 * exp(-(pow(-20.0 + 0.25 * i, 2.0) + pow(-20.0 + 0.25 * j, 2.0)) / 18.0));
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(rig->ctx, &def, &rig->terrain);
    ri_raster_destroy(raster);
    return status;
}

TEST(a_way_around_a_hill_is_found_and_the_straight_one_is_refused)
{
    Rig rig;
    RiVec3 path[512];
    int count;
    RiMobilityWay best, straight, same;
    REQUIRE(open_rig(&rig));
    const RiMobilityResponse r = make_response();
    REQUIRE_OK(rig.ctx, make_hill(&rig));
    RiMobilityMapDef def = region(15.0, 0.5);
    def.threads = 2;
    REQUIRE_OK(rig.ctx, ri_mobility_map_create(rig.ctx, &def, rig.spec, rig.model, rig.terrain, &r, &rig.map));
    const RiMobilityWeights w = {1.0, 1.0, 1.0}, none = {0.0, 0.0, 0.0};
    const RiVec3 a = ri_vec3(-12.0, 0.1, 0.0), b = ri_vec3(12.0, 0.1, 0.0);
    REQUIRE_OK(rig.ctx, ri_mobility_plan(rig.map, a, b, &w, path, 512, &count, &best));
    REQUIRE_OK(rig.ctx, ri_mobility_straight(rig.map, a, b, &w, &straight));
    CHECK(best.found && !straight.found && straight.risk_most >= 1.0);
    CHECK(best.length > 24.0 && best.length < 36.0 && best.risk_most < 1.0);
    double nearest = INFINITY;
    for (int i = 0; i < count; i++)
        nearest = fmin(nearest, hypot(path[i].x, path[i].y));
    CHECK(nearest > 3.0);
    CHECK_CLOSE(path[0].x, a.x, 0.5);
    CHECK_CLOSE(path[count - 1].x, b.x, 0.5);
    // over clear ground without weights the cost is the length over the grid
    REQUIRE_OK(rig.ctx, ri_mobility_plan(rig.map, ri_vec3(-12.0, 12.0, 0.0), ri_vec3(12.0, 12.0, 0.0), &none, path, 512,
                                         &count, &same));
    CHECK_CLOSE(same.cost, 24.0, 1e-9);
    CHECK_ERROR(rig.ctx, ri_mobility_plan(rig.map, a, ri_vec3(99.0, 0.0, 0.0), &w, path, 512, &count, &best),
                RI_ERR_ARGUMENT, "goal (99, 0) is outside the map");
    close_rig(&rig);
}

TEST(maps_have_equal_bits_for_any_number_of_threads)
{
    Rig a, b;
    const RiMobilityResponse r = make_response();
    REQUIRE(open_rig(&a) && open_rig(&b));
    REQUIRE_OK(a.ctx, make_hill(&a));
    REQUIRE_OK(b.ctx, make_hill(&b));
    RiMobilityMapDef def = region(10.0, 1.0);
    def.threads = 1;
    REQUIRE_OK(a.ctx, ri_mobility_map_create(a.ctx, &def, a.spec, a.model, a.terrain, &r, &a.map));
    def.threads = 2;
    REQUIRE_OK(b.ctx, ri_mobility_map_create(b.ctx, &def, b.spec, b.model, b.terrain, &r, &b.map));
    for (int k = 0; k < RI_MOBILITY_LAYERS; k++)
        CHECK(memcmp(a.map->layers[k], b.map->layers[k], 400 * RI_MOBILITY_HEADINGS * sizeof(float)) == 0);
    RiRaster *raster;
    REQUIRE_OK(a.ctx, ri_mobility_map_raster(a.map, RI_MOBILITY_SLIP, -1, &raster));
    for (int i = 0; i < 400; i++) // the worst of all headings
        for (int h = 0; h < RI_MOBILITY_HEADINGS; h++)
            CHECK(isnan(raster->values[i]) || raster->values[i] >= a.map->layers[RI_MOBILITY_SLIP][h * 400 + i]);
    ri_raster_destroy(raster);
    close_rig(&a);
    close_rig(&b);
}

TEST(bad_regions_robots_and_soils_are_refused_with_the_reason)
{
    Rig rig;
    REQUIRE(open_rig(&rig));
    RiMobilityResponse r = make_response();
    const RiPlaneDef plane = {.slope = 0.0};
    CHECK_OK(rig.ctx, ri_terrain_create_plane(rig.ctx, &plane, &rig.terrain));
    RiMobilityMapDef def = region(10.0, 0.0);
    CHECK_ERROR(rig.ctx, ri_mobility_map_create(rig.ctx, &def, rig.spec, rig.model, rig.terrain, &r, &rig.map),
                RI_ERR_ARGUMENT, "in cells of 0 m");
    def = region(10000.0, 0.5);
    CHECK_ERROR(rig.ctx, ri_mobility_map_create(rig.ctx, &def, rig.spec, rig.model, rig.terrain, &r, &rig.map),
                RI_ERR_ARGUMENT, "at most 16000000 cells");
    RiMobilityDef fit = ri_mobility_def_default();
    fit.robot = RILLE_SOURCE_DIR "/robots/nobody.yaml";
    fit.soil = "dry_sand_LLL";
    CHECK_ERROR(rig.ctx, ri_mobility_fit(rig.ctx, &fit, &r), RI_ERR_NOT_FOUND, "there is no such robot file");
    fit.robot = RILLE_SOURCE_DIR "/robots/mer.yaml";
    fit.soils = RILLE_SOURCE_DIR "/soils";
    fit.soil = "custard";
    fit.way = 0.1;
    CHECK(ri_mobility_fit(rig.ctx, &fit, &r) != RI_OK && strstr(ri_context_message(rig.ctx), "custard"));
    close_rig(&rig);
}

/// Two rails under the wheels and nothing between them: there the belly has all the room there is,
/// and beside the rails the rover cannot stand.
TEST(a_hole_below_the_belly_is_room_and_one_below_a_wheel_is_no_stance)
{
    static const char rails[] = "terrain: rails\ndoc: two rails\nkind: shapes\nparts:\n"
                                "  - {shape: box, size: [20 m, 0.6 m, 1 m], xyz: [0, 0.5 m, -0.5 m], material: rock}\n"
                                "  - {shape: box, size: [20 m, 0.6 m, 1 m], xyz: [0, -0.5 m, -0.5 m], material: rock}\n"
                                "soil: rock\n";
    Rig rig;
    RiTerrainFile *file = NULL;
    REQUIRE(open_rig(&rig));
    const RiMobilityResponse r = make_response();
    REQUIRE_OK(rig.ctx, ri_terrain_file_parse(rig.ctx, RILLE_SOURCE_DIR "/terrains/rails.yaml", rails, sizeof rails - 1,
                                              NULL, &file));
    const RiMobilityMapDef def = region(4.5, 1.0);
    REQUIRE_OK(rig.ctx,
               ri_mobility_map_create(rig.ctx, &def, rig.spec, rig.model, ri_terrain_file_terrain(file), &r, &rig.map));
    const int on = 4 * 9 + 4, off = 8 * 9 + 4; // (0, 0) and (0, 4 m), heading along the rails
    CHECK(rig.map->nx == 9 && rig.map->missing > 0);
    CHECK(rig.map->layers[RI_MOBILITY_CLEARANCE][on] > 0.2F && rig.map->layers[RI_MOBILITY_RISK][on] < 1.0F);
    CHECK(isnan(rig.map->layers[RI_MOBILITY_TILT][off]) && !(rig.map->layers[RI_MOBILITY_RISK][off] < 1.0F));
    ri_mobility_map_destroy(rig.map);
    rig.map = NULL;
    ri_terrain_file_destroy(file);
    close_rig(&rig);
}

/// Goals are corners of the way, the last is its end, and no place of the way is farther off than
/// said.
TEST(goals_of_a_way_are_its_corners_and_stay_as_near_as_they_say)
{
    RiVec3 path[101], goals[8];
    double off;
    for (int k = 0; k <= 100; k++) // along x, then along y, then along x
        path[k] = k <= 40 ? ri_vec3(k, 0, 0) : k <= 60 ? ri_vec3(40, k - 40, 0) : ri_vec3(k - 20, 20, 0);
    CHECK_INT(ri_mobility_goals(path, 101, 0.0, goals, 8, &off), 3);
    CHECK(goals[0].x == 40.0 && goals[0].y == 0.0 && goals[1].x == 40.0 && goals[1].y == 20.0 && goals[2].x == 80.0);
    CHECK_CLOSE(off, 0.0, 1e-9);
    CHECK_INT(ri_mobility_goals(path, 101, 0.0, goals, 1, &off), 1);
    CHECK(goals[0].x == 80.0 && goals[0].y == 20.0);
    CHECK_CLOSE(off, 40.0 * 20.0 / hypot(80.0, 20.0), 1e-9); // of the first corner from the straight line
    for (int k = 0; k <= 100; k++)
        path[k] = ri_vec3(10.0 * cos(0.0314 * k), 10.0 * sin(0.0314 * k), 0.0);
    const int few = ri_mobility_goals(path, 101, 1.0, goals, 8, &off);
    CHECK(few > 1 && few < 8 && off <= 1.0);
    double last = INFINITY;
    for (int room = 1; room <= 8; room++) { // more goals, never farther off
        CHECK_INT(ri_mobility_goals(path, 101, 0.0, goals, room, &off), room);
        CHECK(off <= last);
        last = off;
    }
    CHECK(last < 0.5);
    CHECK_INT(ri_mobility_goals(path, 1, 0.0, goals, 8, &off), 0);
    CHECK_INT(ri_mobility_goals(path, 101, 0.0, goals, 0, &off), 0);
}

TEST_MAIN(CASE(the_response_is_linear_between_its_points_and_valid_only_inside),
          CASE(on_a_plane_tilt_slip_and_margin_are_closed_forms),
          CASE(a_way_around_a_hill_is_found_and_the_straight_one_is_refused),
          CASE(maps_have_equal_bits_for_any_number_of_threads),
          CASE(bad_regions_robots_and_soils_are_refused_with_the_reason),
          CASE(a_hole_below_the_belly_is_room_and_one_below_a_wheel_is_no_stance),
          CASE(goals_of_a_way_are_its_corners_and_stay_as_near_as_they_say))
