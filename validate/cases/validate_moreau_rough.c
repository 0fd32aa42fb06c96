// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integrator moreau on ground rougher than a wheel is round (scene exomars_rough): what the method
/// itself puts into the robot. Nothing may come from nothing, so the ideal is 0; the band is a
/// hundredth of the energy turned over.
#include <math.h>
#include <stdio.h>

#include <rille/scene.h>

#include "validate/cases/validate_moreau.h"

static RiStatus drive(RiValidation *run, const RiSetting *settings, int count, double *out_share)
{
    char path[1024];
    RiSceneOptions options = ri_scene_options_default();
    RiScene *scene = NULL;
    options.settings = settings;
    options.setting_count = count;
    snprintf(path, sizeof path, "%s/../scenes/exomars_rough.yaml", run->robots);
    RiStatus status = ri_scene_load(run->ctx, path, &options, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    while (status == RI_OK && ri_sim_time(ri_scene_sim(scene)) < 2.0 - 1e-9)
        status = ri_sim_step(ri_scene_sim(scene));
    if (status == RI_OK) {
        const RiEnergy e = ri_sim_energy(ri_scene_sim(scene));
        *out_share = fmax(0.0, -ri_energy_method_share(&e));
    }
    ri_scene_destroy(scene);
    return status;
}

RiStatus ri_case_moreau_rough(RiValidation *run)
{
    static const struct {
        const char *what;
        RiSetting settings[2];
    } rows[] = {{"1 cm cells, 1 ms", {{"speed", "0.5 rad/s"}, {"tick", "1 ms"}}},
                {"1 cm cells, 0.5 ms", {{"speed", "0.5 rad/s"}, {"tick", "0.5 ms"}}},
                {"5 mm cells, 1 ms", {{"speed", "0.5 rad/s"}, {"cell", "5 mm"}}},
                {"1 cm cells of 14 degrees RMS, 1 ms", {{"speed", "0.5 rad/s"}, {"slope", "14 deg"}}}};
    if (!run->robots) {
        ri_validate_skip(run, "a rover on rough ground: the robots are not there");
        return RI_OK;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[160];
        double share;
        RI_TRY(drive(run, rows[i].settings, 2, &share));
        snprintf(text, sizeof text, "ExoMars on fractal rock, %s: energy that the method puts in", rows[i].what);
        ri_validate_most(run, text, "of that turned over", 0.01, share);
    }
    return RI_OK;
}
