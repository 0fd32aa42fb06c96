// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes driven by validation cases.
#include "validate/drive.h"

#include <math.h>
#include <stdio.h>

RiStatus ri_drive_open(RiDrive *d, const RiValidation *run, const char *name, const RiSetting *settings, int count)
{
    char path[1024];
    RiSceneOptions options = ri_scene_options_default();
    options.settings = settings;
    options.setting_count = count;
    options.terrain_paths = &run->data;
    options.terrain_path_count = run->data ? 1 : 0;
    *d = (RiDrive){.ctx = run->ctx};
    snprintf(path, sizeof path, "%s/../scenes/%s.yaml", run->robots, name);
    RI_TRY(ri_scene_load(run->ctx, path, &options, &d->scene));
    RI_TRY(ri_scene_build(d->scene));
    d->sim = ri_scene_sim(d->scene);
    return RI_OK;
}

void ri_drive_close(RiDrive *d)
{
    ri_scene_destroy(d->scene);
    *d = (RiDrive){0};
}

double ri_drive_value(const RiDrive *d, const char *name)
{
    double x = NAN;
    return ri_values_eval(ri_sim_values(d->sim), name, &x) == RI_OK ? x : NAN;
}

RiStatus ri_drive_until(RiDrive *d, double time, RiDriveWatch watch, void *user)
{
    while (ri_sim_time(d->sim) < time - 1e-9 && !ri_sim_stopped(d->sim)) {
        RI_TRY(ri_sim_step(d->sim));
        if (watch)
            watch(d, user);
    }
    return RI_OK;
}
