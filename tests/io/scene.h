// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes of the project in tests: open, run, look. One context for a test, named `ctx`.
#ifndef RI_TESTS_IO_SCENE_H
#define RI_TESTS_IO_SCENE_H

#include <rille/scene.h>

#include "check.h"

static RiContext *ctx;
static const char *const folders[] = {RILLE_SOURCE_DIR "/robots"};
static const char *const grounds[] = {RILLE_SOURCE_DIR "/terrains"};

/// A scene of the project with settings "name=value".
static inline RiStatus open_in(RiContext *c, const char *name, const RiSetting *settings, int count, RiScene **out)
{
    char path[512];
    const RiSceneOptions options = {.settings = settings,
                                    .setting_count = count,
                                    .robot_paths = folders,
                                    .robot_path_count = 1,
                                    .terrain_paths = grounds,
                                    .terrain_path_count = 1};
    snprintf(path, sizeof path, RILLE_SOURCE_DIR "/scenes/%s.yaml", name);
    *out = NULL;
    RI_TRY(ri_scene_load(c, path, &options, out));
    const RiStatus status = ri_scene_build(*out);
    if (status == RI_OK)
        return RI_OK;
    ri_scene_destroy(*out);
    *out = NULL;
    return status;
}

static inline RiScene *open_scene(const char *name, const RiSetting *settings, int count)
{
    RiScene *scene;
    if (open_in(ctx, name, settings, count, &scene) != RI_OK)
        CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
    return scene;
}

static inline bool run_to(RiScene *scene, double time)
{
    RiSim *s = ri_scene_sim(scene);
    while (ri_sim_time(s) < time - 1e-9)
        if (ri_sim_step(s) != RI_OK) {
            CHECK_FAIL("%s", ri_context_message(ctx));
            return false;
        }
    return true;
}

static inline double value(RiScene *scene, const char *name)
{
    double x = NAN;
    if (ri_values_eval(ri_sim_values(ri_scene_sim(scene)), name, &x) != RI_OK)
        CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
    return x;
}

#endif
