// SPDX-License-Identifier: Apache-2.0
/// \file
/// Drives of plans by a mobility map: slip and energy of its cells and headings by closed forms,
/// like those of soft soil; what is forbidden, beyond it or not valid is told.
#include <rille/plan.h>
#include <rille/terrain_io.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "needs.h"

#define FOLDER RILLE_BINARY_DIR "/test-plan-map"
#define HEAD                                                                                                           \
    "plan: p\nscene: ../scenes/systems/mer_crater.yaml\nspeed: 0.04 m/s\noverhead: 0.1 s\n"                            \
    "set: {motors.start_temperature: 235 K}\nmap_loads: motors_by_map\n"
#define MOTORS "motor_efficiency: 0.6\nmotor_loss: 1.83e-4 W/N^2\n"
#define FRONT  "motor_drive_front_left_joint.electrical_energy + motor_drive_front_right_joint.electrical_energy"
#define MIDDLE "motor_drive_middle_left_joint.electrical_energy + motor_drive_middle_right_joint.electrical_energy"
#define REAR   "motor_drive_rear_left_joint.electrical_energy + motor_drive_rear_right_joint.electrical_energy"
// the slack of `most: 0` is least where the value is greatest
#define METERS                                                                                                         \
    "margins:\n  - {name: load, value: motors_by_map.energy, least: -1e12, most: 0}\n"                                 \
    "  - {name: motors, value: " FRONT " + " MIDDLE " + " REAR ", least: -1e12, most: 0}\n"

enum { SIDE = 40 };

/// What a file of the map says at a place.
static float value_of(const char *layer, int heading, double x)
{
    const bool east = heading == 0, west = heading == 4;
    if (strcmp(layer, "slip") == 0)
        return east ? (x < -14.0 ? 0.2F : 0.5F) : west ? 0.1F : 0.9F;
    if (strcmp(layer, "energy") == 0)
        return east ? 200.0F : west ? -50.0F : 5000.0F;
    if (strcmp(layer, "valid") == 0)
        return x < -14.0 || west ? 1.0F : 0.0F;
    return east && x > -11.0 ? NAN : 1.0F;
}

/// Cells of 0.5 m from (-20, -5); x > -11 m must not be entered to the east.
static void write_map(RiContext *ctx)
{
    static const char *const layers[] = {"cost", "slip", "energy", "valid"};
    mkdir(FOLDER, 0777);
    for (int k = 0; k < 4; k++)
        for (int h = 0; h < 8; h++) {
            char path[512];
            RiRaster *r;
            snprintf(path, sizeof path, FOLDER "/%s_%03d.tif", layers[k], 45 * h);
            REQUIRE_OK(ctx, ri_raster_create(ctx, SIDE, SIDE, 0.5, 0.5, &r));
            r->x0 = -19.75;
            r->y0 = -4.75;
            for (int i = 0; i < SIDE * SIDE; i++)
                r->values[i] = value_of(layers[k], h, r->x0 + 0.5 * (i % SIDE));
            REQUIRE_OK(ctx, ri_raster_save(ctx, r, path, false));
            ri_raster_destroy(r);
        }
}

typedef struct Run {
    RiContext *ctx;
    RiPlan *plan;
    RiPlanRun *run;
    RiPlanTotals t;
} Run;

static void carry_out(Run *x, const char *text, RiFidelity fidelity)
{
    *x = (Run){0};
    REQUIRE(ri_context_create(NULL, &x->ctx) == RI_OK);
    REQUIRE_OK(x->ctx, ri_plan_parse(x->ctx, RILLE_SOURCE_DIR "/plans/test.yaml", text, strlen(text), &x->plan));
    REQUIRE_OK(x->ctx, ri_plan_run(x->plan, fidelity, NULL, 0, NULL, &x->run));
    x->t = ri_plan_run_totals(x->run);
    CHECK_CLOSE(x->t.ledger, 0.0, 1e-6);
}

static void done(Run *x)
{
    ri_plan_run_destroy(x->run);
    ri_plan_destroy(x->plan);
    ri_context_destroy(x->ctx);
}

/// Energy from the bus per metre of way, by the formulas of docs/plans.md.
static double per_metre(double slip, double work)
{
    const double force = fmax(work, 0.0) * (1.0 - slip), speed = 0.04 * (1.0 - slip);
    return (force * 0.04 / 0.6 + 1.83e-4 * force * force) / speed;
}

TEST(slip_energy_and_what_is_forbidden_are_those_of_cells_and_headings)
{
    NEEDS("gdal");
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    write_map(ctx);
    ri_context_destroy(ctx);
    // 3 m east at slip 0.2; 2 m at 0.5 where it is not valid; 5 m back, to the west, at 0.1; 3 m
    // west at 0.1 and 1 m beyond the map at 0.25
    Run x;
    carry_out(&x,
              HEAD MOTORS METERS "map: '" FOLDER "'\nslip: [[0 deg, 0.25]]\nactivities:\n"
                                 "  - {do: drive, x: -14 m, y: 5.5 m, loads: \"drive, steering\"}\n"
                                 "  - {do: drive, x: -12 m, y: 5.5 m, loads: \"drive, steering\"}\n"
                                 "  - {do: arc, length: -5 m, loads: \"drive, steering\"}\n"
                                 "  - {do: drive, x: -21 m, y: 5.5 m, loads: \"drive, steering\"}\n"
                                 "  - {do: drive, x: -9 m, y: 5.5 m, loads: \"drive, steering\"}\n",
              RI_FIDELITY_MAP);
    REQUIRE(x.run != NULL);
    const double turn = 74.0; // pi 0.7 m / 0.03 m/s to the goal behind it, to the next step; not by the map
    const double times[] = {3.0 / 0.032, 2.0 / 0.02, 5.0 / 0.036, turn + 3.0 / 0.036 + 1.0 / 0.03};
    for (int i = 0; i < 4; i++) {
        const RiPlanRow *row = ri_plan_run_row(x.run, i);
        if (row->state != RI_ACTIVITY_DONE)
            CHECK_FAIL("drive %d: %s", i, row->reason);
        CHECK_CLOSE(row->end - row->start, times[i] + 1.5, 1.5);
    }
    CHECK_CLOSE(x.t.mapped.inside, 13.0, 1e-6);
    CHECK_CLOSE(x.t.mapped.outside, 1.0, 1e-6);
    CHECK_CLOSE(x.t.mapped.invalid, 2.0, 1e-6);
    CHECK_CLOSE(x.t.mapped.rolled, 3.0 / 0.8 + 2.0 / 0.5 + 8.0 / 0.9, 1e-5);
    const double expected = 3.0 * per_metre(0.2, 200.0) + 2.0 * per_metre(0.5, 200.0);
    CHECK_CLOSE(x.t.mapped.energy / expected, 1.0, 1e-5);
    // the load draws it; and 12 W while the robot turns or is beyond the map, or for a step or two gets ready
    CHECK_CLOSE(ri_plan_run_margin(x.run, 0)->worst, expected + 12.0 * (turn + 1.0 / 0.03 + 4.0 * 1.5), 30.0);
    // the last one is not begun
    const RiPlanRow *row = ri_plan_run_row(x.run, 4);
    double at = 0.0, y = 0.0;
    CHECK(row->state == RI_ACTIVITY_FAILED && x.t.failed == 1 && row->way == 0.0);
    const char *place = strstr(row->reason, "forbids (");
    REQUIRE(place && sscanf(place, "forbids (%lf, %lf)", &at, &y) == 2);
    CHECK_CLOSE(at, -10.94, 0.08);
    CHECK_CLOSE(y, 5.5, 1e-9);
    done(&x);
}

static void refused(const char *rest, const char *says)
{
    RiContext *ctx;
    RiPlan *plan = NULL;
    RiPlanRun *run = NULL;
    char text[2000];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    snprintf(text, sizeof text, "plan: p\nscene: ../scenes/systems/mer_crater.yaml\n%sactivities: [{do: image}]\n",
             rest);
    RiStatus status = ri_plan_parse(ctx, RILLE_SOURCE_DIR "/plans/bad.yaml", text, strlen(text), &plan);
    if (status == RI_OK)
        status = ri_plan_run(plan, RI_FIDELITY_MAP, NULL, 0, NULL, &run);
    CHECK(status != RI_OK && run == NULL);
    if (!strstr(ri_context_message(ctx), says))
        CHECK_FAIL("'%s' gives '%s'", rest, ri_context_message(ctx));
    ri_plan_destroy(plan);
    ri_context_destroy(ctx);
}

TEST(maps_that_cannot_be_used_are_refused)
{
    refused("map: x\nmotor_efficiency: 0.6\n", "map_loads");
    refused("map: x\nmap_loads: motors_by_map\n", "motor_efficiency");
    refused("map: x\nmap_loads: motors_by_map\nmotor_efficiency: 1.5\n", "motor_efficiency");
    NEEDS("gdal");
    refused("map: nowhere\nmap_loads: motors_by_map\nmotor_efficiency: 0.6\n", "nowhere");
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    write_map(ctx);
    ri_context_destroy(ctx);
    REQUIRE(remove(FOLDER "/valid_090.tif") == 0);
    refused("map: '" FOLDER "'\nmap_loads: motors_by_map\nmotor_efficiency: 0.6\n", "valid_090.tif");
}

/// From the plain up the rim of a crater of loose sand: the map of the repository against contact,
/// soil and motors.
TEST(map_and_soil_agree_on_way_and_energy)
{
    NEEDS("gdal");
    double motors[2], used[2], way[2], hours[2];
    for (int k = 0; k < 2; k++) {
        char text[3000];
        snprintf(text, sizeof text,
                 HEAD MOTORS METERS "map: ../terrains/crater_mobility\nactivities:\n"
                                    "  - {do: drive, x: -14 m, y: 5.5 m, fix_every: 1 m, fidelity: %s, loads: \"drive, "
                                    "steering\"}\n"
                                    "  - {do: drive, x: -10.5 m, y: 5.5 m, fix_every: 1 m, fidelity: %s, loads: "
                                    "\"drive, steering\"}\n",
                 k ? "dynamic" : "map", k ? "dynamic" : "map");
        Run x;
        carry_out(&x, text, RI_FIDELITY_AUTO);
        REQUIRE(x.run != NULL);
        CHECK_INT(x.t.failed, 0);
        motors[k] = ri_plan_run_margin(x.run, k)->worst;
        used[k] = x.t.used;
        way[k] = x.t.way;
        hours[k] = x.t.time;
        CHECK(x.t.mapped.invalid == 0.0 && x.t.mapped.outside == 0.0);
        CHECK_CLOSE(x.t.mapped.inside, k ? 0.0 : 6.5, 1e-6);
        done(&x);
    }
    if (!(fabs(motors[0] / motors[1] - 1.0) < 0.15 && fabs(used[0] / used[1] - 1.0) < 0.15 &&
          fabs(way[0] / way[1] - 1.0) < 0.15 && fabs(hours[0] / hours[1] - 1.0) < 0.15))
        CHECK_FAIL("motors %g and %g J, bus %g and %g J, way %g and %g m, %g and %g s", motors[0], motors[1], used[0],
                   used[1], way[0], way[1], hours[0], hours[1]);
}

TEST_MAIN(CASE(slip_energy_and_what_is_forbidden_are_those_of_cells_and_headings),
          CASE(maps_that_cannot_be_used_are_refused), CASE(map_and_soil_agree_on_way_and_energy))
