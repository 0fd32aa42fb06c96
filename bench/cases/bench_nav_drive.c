// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole drives and mobility maps: 100 m by GESTALT without dynamics, and on soft sand with dynamics
/// and visual odometry, against real time; a map of 1000 x 1000 cells and 8 headings, and its growth with the
/// number of cells.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <rille/mobility.h>
#include <rille/robot.h>
#include <rille/scene.h>

#include "bench/bench_run.h"
#include "bench/cases/bench_nav.h"
#include "cli.h"

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void emit(const BenchRun *run, const char *name, const char *unit, double ours, double limit,
                 bool more_is_better)
{
    BenchRow row = bench_row(run->bench, name, unit, 1);
    row.peer = "limit";
    row.ours = ours;
    row.peer_value = limit;
    row.ratio = more_is_better ? ours / limit : limit / ours;
    row.bar = 1.0;
    bench_emit(run, &row);
}

// --- drives --------------------------------------------------------------------------------------

/// Runs a scene to a time or to where it stops by itself; simulated time over CPU time.
static RiStatus time_scene(RiScene *scene, double most, double *out)
{
    RI_TRY(ri_scene_build(scene));
    RiSim *sim = ri_scene_sim(scene);
    const double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    while (!ri_sim_stopped(sim) && ri_sim_time(sim) < most)
        RI_TRY(ri_sim_step(sim));
    *out = ri_sim_time(sim) / (seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin);
    return RI_OK;
}

/// The rover believes to be at its last goal, and is near it.
static bool has_arrived(RiScene *scene)
{
    double x = 0.0;
    return ri_values_eval(ri_sim_values(ri_scene_sim(scene)),
                          "nav.arrived*(sqrt((base.x - nav.x4)^2 + (base.y - nav.y4)^2) < 4)", &x) == RI_OK &&
           x == 1.0;
}

/// One row: a scene from the folder of scenes, to the end of its drive or to a time.
static void bench_drive(BenchRun *run, const char *row, const char *name, const RiSceneOptions *options, double most,
                        double limit)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    char path[PATH_MAX], folder[PATH_MAX];
    double factor = 0.0;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return;
    cli_scenes_folder(folder);
    snprintf(path, sizeof path, "%.4000s/%s.yaml", folder, name);
    RiStatus status = ri_scene_load(ctx, path, options, &scene);
    if (status == RI_OK)
        status = time_scene(scene, most, &factor);
    if (status != RI_OK)
        bench_fail(run, row, ri_context_message(ctx));
    else if (isinf(most) && !has_arrived(scene))
        bench_fail(run, row, "the rover did not arrive: there is no 100 m drive to time");
    else
        emit(run, row, "x real", factor, limit, true);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

/// Without dynamics, and on soft sand with them: as flown for a while, and 100 m without standing to
/// think.
void bench_nav_drives(BenchRun *run)
{
    const RiSetting restless[] = {{"think_time", "0 s"}, {"vo_time", "0 s"}};
    const RiSceneOptions moving = {.settings = restless, .setting_count = 2};
    const RiSetting brief = {"vo_time", "0 s"};
    const RiSceneOptions flown = {.settings = &brief, .setting_count = 1};
    bench_drive(run, "drive.kinematic.100m", "mer_gestalt", NULL, INFINITY, 500.0);
    bench_drive(run, "drive.dynamic.sand", "mer_gestalt_sand", &flown, 200.0, 20.0);
    bench_drive(run, "drive.dynamic.sand.100m", "mer_gestalt_sand", &moving, INFINITY, 20.0);
}

// --- maps ----------------------------------------------------------------------------------------

typedef struct Rig {
    RiContext *ctx;
    RiSpec *spec;
    RiModel *model;
    RiTerrain *terrain;
    RiMobilityResponse response;
} Rig;

static RiStatus open_rig(Rig *rig)
{
    char folder[PATH_MAX], path[PATH_MAX];
    RiRaster *raster;
    cli_robots_folder(folder);
    snprintf(path, sizeof path, "%.4000s/mer.yaml", folder);
    RI_TRY(ri_robot_load(rig->ctx, path, NULL, &rig->spec));
    RI_TRY(ri_model_create(rig->ctx, rig->spec, NULL, &rig->model));
    RI_TRY(ri_raster_create(rig->ctx, 1101, 1101, 0.5, 0.5, &raster));
    raster->x0 = raster->y0 = -275.0;
    for (int i = 0; i < 1101 * 1101; i++)
        raster->values[i] = (float)(0.4 * sin(0.11 * (i % 1101)) * cos(0.07 * (i / 1101.0)));
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(rig->ctx, &def, &rig->terrain);
    ri_raster_destroy(raster);
    rig->response.slope_step = 0.07;
    return status;
}

/// CPU time of a map of n x n cells on two threads, over two: its time on two idle cores [s].
static RiStatus time_map(Rig *rig, int n, double *out)
{
    RiMobilityMapDef def = ri_mobility_map_def_default();
    RiMobilityMap *map;
    def.cell = 0.5;
    def.x0 = def.y0 = -0.25 * n;
    def.x1 = def.y1 = 0.25 * n;
    def.threads = 2;
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    RI_TRY(ri_mobility_map_create(rig->ctx, &def, rig->spec, rig->model, rig->terrain, &rig->response, &map));
    *out = 0.5 * (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin);
    ri_mobility_map_destroy(map);
    return RI_OK;
}

void bench_nav_maps(BenchRun *run)
{
    Rig rig = {.ctx = NULL};
    double small = 0.0, large = 0.0;
    if (ri_context_create(NULL, &rig.ctx) != RI_OK)
        return;
    RiStatus status = open_rig(&rig);
    if (status == RI_OK)
        status = time_map(&rig, 500, &small);
    if (status == RI_OK)
        status = time_map(&rig, 1000, &large);
    if (status == RI_OK) {
        emit(run, "map.1000x1000x8", "s", large, 60.0, false);
        emit(run, "map.growth", "x for 4x", large / small, 5.0, false);
    } else {
        bench_fail(run, "map", ri_context_message(rig.ctx));
    }
    ri_terrain_destroy(rig.terrain);
    ri_model_destroy(rig.model);
    ri_spec_destroy(rig.spec);
    ri_context_destroy(rig.ctx);
}
