// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tables that subsystems read: what is wrong is told with file, line and column; the horizon of a
/// map of heights against closed forms.
#include <stdio.h>
#include <unistd.h>

#include <rille/scene.h>

#include "base/memory.h"
#include "device/network/network.h"
#include "io/scene/subsystem_table.h"

#include "check.h"
#include "needs.h"

static const double degree = 3.14159265358979323846 / 180.0;
static const char path[] = RILLE_BINARY_DIR "/test_subsystem_table.csv";

static void put(const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0)
        exit(1);
    fclose(f);
}

static void refused(const RiDeviceClass *device, const char *text, const char *says)
{
    RiContext *ctx;
    RiArena arena;
    double *table;
    int rows, columns;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    ri_arena_init(&arena, ctx);
    put(text);
    CHECK_ERROR(ctx, ri_subsystem_table_load(ctx, &arena, device, path, RI_WORLD_MOON, &table, &rows, &columns),
                RI_ERR_FORMAT, says);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
    unlink(path);
}

TEST(tables_are_read_in_si_and_refused_with_their_place)
{
    RiContext *ctx;
    RiArena arena;
    double *table;
    int rows, columns;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    ri_arena_init(&arena, ctx);
    put("# passes\nset,rise,elevation_deg,set_azimuth_deg,rise_azimuth_deg\n900,100,90,180,0\n");
    CHECK_OK(ctx,
             ri_subsystem_table_load(ctx, &arena, &ri_device_orbiter, path, RI_WORLD_MARS, &table, &rows, &columns));
    CHECK(rows == 1 && columns == 5 && table[0] == 100.0 && table[1] == 900.0);
    CHECK_CLOSE(table[2], 90.0 * degree, 1e-12);
    CHECK_CLOSE(table[4], 180.0 * degree, 1e-12);
    CHECK(ri_subsystem_table_load(ctx, &arena, &ri_device_bus, path, RI_WORLD_MARS, &table, &rows, &columns) ==
          RI_ERR_UNSUPPORTED);
    ri_arena_free(&arena);
    ri_context_destroy(ctx);
    refused(&ri_device_site, "", "time,tau");
    refused(&ri_device_site, "time,dust\n0,1\n", ":1:6: 'dust' is no column of such a table: time,tau");
    refused(&ri_device_site, "time,tau\n5,1\n5,2\n", ":3:1: '5' is not more than the time");
    refused(&ri_device_site, "time,tau\n5,x\n", ":2:3: 'x' is not a number");
    refused(&ri_device_horizon, "azimuth_deg\n5\n", "there is no column 'elevation_deg'");
}

/// A ring of hills of height h at a distance d on a ball of radius R.
TEST(the_horizon_of_a_map_is_that_of_its_hills_on_a_ball)
{
    enum { N = 401, ROWS = 360 };
    static double table[ROWS];
    RiContext *ctx;
    RiRaster *map = NULL;
    const double cell = 50.0, ring = 8000.0, h = 600.0, R = 1737400.0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_OK(ctx, ri_raster_create(ctx, N, N, cell, cell, &map));
    REQUIRE(map != NULL);
    map->x0 = map->y0 = -0.5 * (N - 1) * cell;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double d = hypot(map->x0 + i * cell, map->y0 + j * cell);
            map->values[j * N + i] = (float)(100.0 + fmax(0.0, h - fabs(d - ring))); // a ridge that is sharp at the top
        }
    CHECK_OK(ctx, ri_horizon_of_raster(ctx, map, 0.0, 0.0, R, 2.0, ROWS, 1, table));
    const double a = ring / R, top = R + 100.0 + h, eye = R + 102.0;
    const double want = atan2(top * cos(a) - eye, top * sin(a));
    for (int i = 0; i < ROWS; i++) {
        if (!(fabs(table[i] - want) < 0.004)) // a quarter of a degree: half a cell of the ridge
            CHECK_FAIL("azimuth %d deg: %g rad, a ridge at %g", i, table[i], want);
    }
    CHECK_OK(ctx, ri_horizon_of_raster(ctx, map, 0.0, 0.0, 0.0, 2.0, ROWS, 1, table)); // flat: higher by d / 2R
    CHECK_CLOSE(table[0], atan2(h - 2.0, ring), 0.004);
    for (int k = 0; k < N * N; k++)
        map->values[k] = 0.0f;
    CHECK_OK(ctx, ri_horizon_of_raster(ctx, map, 0.0, 0.0, R, 2.0, ROWS, 1, table)); // the dip of a ball
    CHECK_CLOSE(table[77], -sqrt(2.0 * 2.0 / R), 2e-5);
    map->x0 = 1000.0;
    CHECK_ERROR(ctx, ri_horizon_of_raster(ctx, map, 0.0, 0.0, R, 2.0, ROWS, 1, table), RI_ERR_FORMAT,
                "the map's local one");
    ri_raster_destroy(map);
    ri_context_destroy(ctx);
}

static RiStatus build(RiContext *ctx, const char *device, RiScene **out)
{
    char text[1000];
    const char *robots[] = {RILLE_SOURCE_DIR "/robots"};
    RiSceneOptions options = ri_scene_options_default();
    options.robot_paths = robots;
    options.robot_path_count = 1;
    const int n = snprintf(text, sizeof text, "scene: s\ninclude: systems/mer_base.yaml\ndevices:\n  - %s\n", device);
    RI_TRY(ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, (size_t)n, &options, out));
    return ri_scene_build(*out);
}

/// A wall 2 km to the north, 100 m high, on a map of 8 km: nearer by 200 m it is higher; 400 m is
/// farther than the places of its horizon.
TEST(the_horizon_of_a_map_moves_with_the_robot)
{
    NEEDS("gdal"); // reads a map
    static const char map[] = RILLE_BINARY_DIR "/test_subsystem_wall.asc";
    const double places[] = {0.0, 100.0, 200.0, -150.0, 400.0};
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    FILE *f = fopen(map, "w");
    REQUIRE(f != NULL);
    fprintf(f, "ncols 161\nnrows 161\nxllcorner -4025\nyllcorner -4025\ncellsize 50\n");
    for (int j = 0; j < 161; j++, fputc('\n', f))
        for (int i = 0; i < 161; i++)
            fprintf(f, "%d ", j == 40 ? 100 : 0); // rows from the north
    fclose(f);
    RiArena arena;
    double *table, ports[HORIZON_COUNT] = {0};
    int rows, columns;
    ri_arena_init(&arena, ctx);
    REQUIRE_OK(ctx,
               ri_subsystem_table_load(ctx, &arena, &ri_device_horizon, map, RI_WORLD_MARS, &table, &rows, &columns));
    RiMember rim = {.row = ri_subsystem_of(&ri_device_horizon),
                    .x = ports,
                    .table = table,
                    .table_rows = rows,
                    .table_columns = columns};
    RiNetwork n = {.members = &rim, .count = 1, .horizon = 0};
    CHECK(ri_member_table_trouble(&rim) == NULL);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const double y = fmin(places[k], 200.0), far = 2000.0 - y, R = ri_body_radius(RI_WORLD_MARS);
        n.y = places[k];
        CHECK_CLOSE(ri_network_horizon(&n, 0.0), atan2(99.0 - far * far / (2.0 * R), far),
                    2e-4); // straight between places 0.2 km apart
        ri_horizon_step(&n, &rim, &(RiNetworkWorld){.sun = {.elevation = 1.0, .distance = 1.5}});
        CHECK(ports[HORIZON_BEYOND] == (places[k] > 200.0));
    }
    n.y = 0.0; // to the south the wall is not there, wherever the robot is
    CHECK(ri_network_horizon(&n, 3.14159) < 0.0);
    ri_arena_free(&arena);
    unlink(map);
    ri_context_destroy(ctx);
}

TEST(a_scene_has_a_horizon_by_file_that_hides_the_sun_and_covers_by_name)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    double x;
    char device[600];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    put("azimuth_deg,elevation_deg\n0,80\n180,80\n");
    snprintf(device, sizeof device, "{name: rim, type: horizon, file: %s}\n  - {name: ground, type: ground_cover}",
             path);
    CHECK_OK(ctx, build(ctx, device, &scene));
    if (scene && ri_scene_sim(scene)) {
        CHECK_OK(ctx, ri_sim_rest(ri_scene_sim(scene), 4.0 * 3600.0, 60.0)); // eleven o'clock
        RiValues *v = ri_sim_values(ri_scene_sim(scene));
        CHECK_OK(ctx, ri_values_eval(v, "site.beam", &x));
        CHECK(x == 0.0);
        CHECK_OK(ctx, ri_values_eval(v, "site.diffuse", &x));
        CHECK(x > 50.0);
        CHECK_OK(ctx, ri_values_eval(v, "ground.under", &x));
        CHECK(x == 1.0);
    }
    ri_scene_destroy(scene);
    scene = NULL;
    CHECK_ERROR(ctx, build(ctx, "{name: clay, type: ground_cover}", &scene), RI_ERR_ARGUMENT,
                "no material of the terrain");
    CHECK(strstr(ri_context_message(ctx), "test.yaml:4") != NULL);
    ri_scene_destroy(scene);
    scene = NULL;
    CHECK_ERROR(ctx, build(ctx, "{name: rim, type: horizon}", &scene), RI_ERR_ARGUMENT, "needs a 'file'");
    ri_scene_destroy(scene);
    unlink(path);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(tables_are_read_in_si_and_refused_with_their_place),
          CASE(the_horizon_of_a_map_is_that_of_its_hills_on_a_ball), CASE(the_horizon_of_a_map_moves_with_the_robot),
          CASE(a_scene_has_a_horizon_by_file_that_hides_the_sun_and_covers_by_name))
