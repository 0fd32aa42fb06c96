// SPDX-License-Identifier: Apache-2.0
/// \file
/// Mobility maps of navigating rovers: they are read, steer the rover, are saved and are part of the
/// fingerprint; bad ones are refused with the file or the cell.
#include <sys/stat.h>
#include <unistd.h>

#include <rille/terrain_io.h>

#include "needs.h"
#include "sim/fixture.h"

#define FOLDER RILLE_BINARY_DIR "/test-scene-map"
#define ROVER(key)                                                                                                     \
    "scene: s\nrobot: ../robots/mer.yaml\nterrain: {kind: plane, material: rock}\nmode: kinematic\nduration: 1 h\n"    \
    "tick: 200 ms\ngravity: mars\ninitial: {base: {xyz: [-8 m, 0, 0]}}\ndevices:\n"                                    \
    "  - {name: rover, type: locomotion, group: ['drive_*', 'steer_*'], set: {speed: 0.1 m/s, acceleration: 0.1 "      \
    "m/s^2, steer_time: 0 s}, connect: {command: nav.drive_command, radius: nav.drive_radius, length: "                \
    "nav.drive_length, angle: nav.drive_angle, direction: nav.drive_direction}}\n"                                     \
    "  - {name: nav, type: navigation, group: ['drive_*', 'rocker_*', 'bogie_*'], " key                                \
    "set: {radius: 1.1 m, camera_x: 0.7 m, rear_x: -0.7 m, think_time: 1 s, step: 0.6 m, columns: 40, rows: 32}, "     \
    "connect: {drive_busy: rover.busy, drive_completed: rover.completed, drive_refused: rover.refused}}\n"             \
    "commands: [{at: 1 s, set: {nav.x1: 8 m, nav.y1: 0, nav.goals: 1, nav.command: 1}}]\n"                             \
    "stop: {when: 'nav.reason > 0'}\n"

/// Costs of 1, and a bar that must not be entered: |x| < 1 m from y = -4 m to the northern edge.
/// `spoilt`: a cell of heading 90 degrees has this cost instead.
static void write_maps(double spoilt, int odd)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    mkdir(FOLDER, 0777);
    for (int h = 0; h < 8; h++) {
        char path[512];
        RiRaster *r;
        const int n = h == odd ? 47 : 48;
        snprintf(path, sizeof path, FOLDER "/cost_%03d.tif", 45 * h);
        REQUIRE_OK(ctx, ri_raster_create(ctx, n, n, 0.5, 0.5, &r));
        r->x0 = r->y0 = -11.75;
        for (int i = 0; i < n * n; i++) {
            const double x = r->x0 + 0.5 * (i % n), y = r->y0 + 0.5 * (i / n);
            r->values[i] = fabs(x) < 1.0 && y > -4.0 ? (float)NAN : 1.0F;
        }
        if (h == 2 && spoilt != 0.0)
            r->values[5 * n + 7] = (float)spoilt;
        REQUIRE_OK(ctx, ri_raster_save(ctx, r, path, false));
        ri_raster_destroy(r);
    }
    ri_context_destroy(ctx);
}

TEST(a_rover_keeps_to_its_mobility_map)
{
    NEEDS("gdal");
    write_maps(0.0, -1);
    Fixture f = parse(ROVER("map: '" FOLDER "', "));
    const RiDeviceMap *m = ri_sim_device_map(f.sim, 1);
    REQUIRE(m != NULL && ri_sim_device_map(f.sim, 0) == NULL && ri_sim_device_map(f.sim, 9) == NULL);
    CHECK(m->nx == 48 && m->headings == 8 && m->cell == 0.5 && m->x0 == -11.75 && m->outside == 1.0 && !m->slip);
    double least = INFINITY;
    while (!ri_sim_stopped(f.sim) && ri_sim_time(f.sim) < 3000.0) {
        REQUIRE_OK(f.ctx, ri_sim_step(f.sim));
        const double x = value(&f, "base.x"), y = value(&f, "base.y");
        if (fabs(x) < 1.0)
            least = fmin(least, -4.0 - y);
    }
    CHECK(value(&f, "nav.reason") == 1.0);
    CHECK(least > 0.0 && least < 3.0); // around the southern end of the bar, nowhere through it
    CHECK(value(&f, "nav.way") > 17.0 && value(&f, "nav.way") < 24.0);
    close_all(&f);
    Fixture g = parse(ROVER("")); // without a map nothing is in its way
    run_to(&g, 3000.0);
    CHECK(value(&g, "nav.reason") == 1.0 && value(&g, "nav.way") < 16.1);
    close_all(&g);
}

TEST(a_map_is_saved_and_part_of_the_fingerprint)
{
    NEEDS("gdal");
    write_maps(0.0, -1);
    Fixture f = parse(ROVER("map: '" FOLDER "', ")), g = parse(ROVER(""));
    RiScene *again = NULL;
    CHECK(ri_sim_fingerprint(f.sim) != ri_sim_fingerprint(g.sim));
    REQUIRE_OK(f.ctx, ri_scene_save(f.scene, FOLDER "/saved.yaml"));
    REQUIRE_OK(f.ctx, ri_scene_load(f.ctx, FOLDER "/saved.yaml", NULL, &again));
    REQUIRE_OK(f.ctx, ri_scene_build(again));
    CHECK(ri_sim_fingerprint(ri_scene_sim(again)) == ri_sim_fingerprint(f.sim));
    ri_scene_destroy(again);
    close_all(&g);
    write_maps(2.0, -1);
    Fixture other = parse(ROVER("map: '" FOLDER "', "));
    CHECK(ri_sim_fingerprint(other.sim) != ri_sim_fingerprint(f.sim));
    close_all(&other);
    close_all(&f);
}

static void refused(const char *text, const char *part)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    if (status == RI_OK || !strstr(ri_context_message(ctx), part))
        CHECK_FAIL("'%s' is not in '%s'", part, ri_context_message(ctx));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(bad_maps_are_refused_with_the_reason)
{
    NEEDS("gdal");
    refused(ROVER("map: '/nowhere/at/all', "), "/nowhere/at/all/cost_000.tif");
    write_maps(0.25, -1);
    refused(ROVER("map: '" FOLDER "', "), "cost 0.25 in cell (7, 5), heading 2");
    write_maps(0.0, 3);
    refused(ROVER("map: '" FOLDER "', "), "cost_135.tif: 47 x 47 cells");
    refused("scene: s\nrobot: ../robots/mer.yaml\nterrain: {kind: plane}\nmode: kinematic\nduration: 1 s\ndevices:\n"
            "  - {name: imu, type: imu, frame: chassis, map: maps}\n",
            "devices of type imu take no map");
}

TEST_MAIN(CASE(a_rover_keeps_to_its_mobility_map), CASE(a_map_is_saved_and_part_of_the_fingerprint),
          CASE(bad_maps_are_refused_with_the_reason))
