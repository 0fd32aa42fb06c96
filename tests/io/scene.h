// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes of the project in tests: open, run, look. One context for a test, named `ctx`.
#ifndef RI_TESTS_IO_SCENE_H
#define RI_TESTS_IO_SCENE_H

#include <rille/scene.h>

#include "check.h"
#include "faults.h"

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

/// Saves the state at a time, runs to the end, goes back and runs there again: equal bits.
static inline void check_resumes(RiScene *scene, double from, double to)
{
    RiSim *s = ri_scene_sim(scene);
    void *block = NULL;
    if (run_to(scene, from) && (block = malloc(ri_sim_state_size(s))) != NULL) {
        ri_sim_save_state(s, block);
        const uint64_t there = ri_sim_hash(s);
        CHECK(run_to(scene, to));
        const uint64_t end = ri_sim_hash(s);
        CHECK(ri_sim_load_state(s, block) == RI_OK && ri_sim_hash(s) == there && end != there);
        CHECK(run_to(scene, to));
        CHECK(ri_sim_hash(s) == end);
    }
    free(block);
}

/// Fails allocations of a scene that is opened, here and there, until none is left to fail.
static inline void fail_allocations(const char *name)
{
    bool built = false;
    for (long at = 1; !built && at < 20000; at += at < 3000 ? 61 : 17) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *c = NULL;
        RiScene *scene = NULL;
        if (ri_context_create(&allocator, &c) == RI_OK) {
            const RiStatus status = open_in(c, name, NULL, 0, &scene);
            built = status == RI_OK;
            CHECK(built || status == RI_ERR_MEMORY);
            ri_scene_destroy(scene);
        }
        ri_context_destroy(c);
        CHECK_INT(faults.live, 0);
    }
    CHECK(built);
}

#endif
