// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: scenes. The text has no path, so no file is read and the robot stands in the scene.
/// What is accepted is built, run for a few ticks, and its saved text must load again.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <rille/model.h>
#include <rille/scene.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Saves a scene and reads it back.
static void save_and_load(RiContext *ctx, const RiScene *scene, const char *path)
{
    RiScene *again;
    if (ri_scene_save(scene, path) != RI_OK)
        abort();
    if (ri_scene_load(ctx, path, NULL, &again) != RI_OK || ri_scene_build(again) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(ctx));
        abort();
    }
    if (ri_sim_hash(ri_scene_sim(again)) != ri_sim_hash(ri_scene_sim(scene)))
        abort();
    ri_scene_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiScene *scene;
    char path[64];
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    const RiStatus status = ri_scene_parse(ctx, NULL, (const char *)data, size, NULL, &scene);
    if ((status == RI_OK) != (scene != NULL) || (status != RI_OK && !ri_context_message(ctx)[0]))
        abort();
    if (scene && ri_scene_build(scene) == RI_OK) {
        snprintf(path, sizeof path, P_tmpdir "/fuzz_scene_%ld.yaml", (long)getpid());
        save_and_load(ctx, scene, path);
        remove(path);
        for (int i = 0; i < 5; i++)
            if (ri_sim_options(ri_scene_sim(scene))->substeps > 10 || ri_sim_step(ri_scene_sim(scene)) != RI_OK)
                break;
    }
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return 0;
}
