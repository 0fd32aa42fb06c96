// SPDX-License-Identifier: Apache-2.0
/// \file
/// A step of an FMU beside the native one: a rover on soft soil, exported, loaded as another tool
/// would, and stepped in turns with the same scene.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rille/fmu.h>
#include <rille/paths.h>

#include "bench/links.h"
#include "bench/temporary.h"
#include "cli.h"
#include "io/fmu/fmu_work.h"

enum { FMU_TICKS = 500 };

/// Seconds of some steps, by the FMU's functions or natively.
static double time_steps(RiFmu *f, RiSim *sim, double *at, double tick)
{
    const double begin = links_clock();
    for (int i = 0; i < FMU_TICKS; i++, *at += f ? tick : 0.0)
        if (f ? ri_fmu_step(f, *at, tick) != FMI_OK : ri_sim_step(sim) != RI_OK)
            return -1.0;
    return links_clock() - begin;
}

static RiStatus export_scene(RiContext *ctx, const char *path)
{
    static RiPaths paths;
    static const char *const outputs[] = {"base.*"};
    char folder[PATH_MAX], library[PATH_MAX + 32], scene[PATH_MAX];
    RiSceneOptions o = ri_scene_options_default();
    RiFmuOptions f = ri_fmu_options_default();
    ri_paths_default(NULL, &paths);
    ri_paths_use(&paths, &o);
    o.cache = NULL;
    cli_program_folder(folder);
    snprintf(library, sizeof library, "%s/rille-fmu.so", folder);
    f.library = library;
    f.outputs = outputs;
    f.output_count = 1;
    return cli_find_scene("mer_sand", scene) ? ri_fmu_export(ctx, scene, &o, &f, path)
                                             : ri_error(ctx, RI_ERR_NOT_FOUND, "no scene mer_sand");
}

void links_fmu(BenchRun *run)
{
    RiContext *ctx;
    RiFmu *f = NULL;
    char path[200];
    if (!bench_wants(run, "fmu_step"))
        return;
    RiScene *scene = links_open_scene(run, "mer_sand", &ctx);
    double *times = calloc((size_t)run->repeats, sizeof *times), at = 0.0;
    bench_temporary(bench_temporary_folder(), ".fmu", path, sizeof path);
    if (scene && times && (export_scene(ctx, path) != RI_OK || ri_fmu_load(ctx, path, &f) != RI_OK))
        bench_fail(run, "fmu_step", ri_context_message(ctx));
    if (f && (f->call.reset(f->instance) != FMI_OK))
        bench_fail(run, "fmu_step", "reset");
    for (int i = 0; f && i < run->repeats; i++) {
        const double tick = ri_sim_options(ri_scene_sim(scene))->tick;
        const double other = time_steps(f, NULL, &at, tick), native = time_steps(NULL, ri_scene_sim(scene), &at, tick);
        if (other < 0.0 || native < 0.0)
            bench_fail(run, "fmu_step", other < 0.0 ? f->trouble : ri_context_message(ctx));
        times[i] = other / native;
    }
    if (f)
        links_limit(run, "fmu_step", "times", times, 1.05);
    unlink(path);
    free(times);
    ri_fmu_destroy(f);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}
