// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every scene that comes with the program can be resumed: a simulation that was saved at a random
/// tick, built anew and loaded has the state hash of the uninterrupted one at every tick that
/// follows.
#include <rille/scene.h>

#include <dirent.h>

#include "base/hash.h"
#include "base/memory.h"
#include "check.h"
#include "data.h"
#include "io/record/checkpoint.h"

enum { MOST_TICKS = 40, TICKS_AFTER = 12 };

static RiScene *open_scene(RiContext *ctx, const char *name)
{
    char path[1024];
    RiScene *scene = NULL;
    const char *folders[] = {data_folder()};
    RiSceneOptions options = ri_scene_options_default();
    options.terrain_paths = folders;
    options.terrain_path_count = 1;
    snprintf(path, sizeof path, "%s/scenes/%s", RILLE_SOURCE_DIR, name);
    RiStatus status = ri_scene_load(ctx, path, &options, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    if (status == RI_OK)
        return scene;
    if (status == RI_ERR_UNSUPPORTED) // an optional part that this build lacks
        printf("skipped: %s: %s\n", name, ri_context_message(ctx));
    else
        CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
    ri_scene_destroy(scene);
    return NULL;
}

/// Steps a simulation; hashes[i] is that after tick i. A stop condition does not matter here.
static bool step(RiContext *ctx, RiSim *sim, const char *name, int ticks, uint64_t *hashes)
{
    for (int i = 0; i < ticks; i++) {
        if (ri_sim_step(sim) != RI_OK) {
            CHECK_FAIL("%s: %s", name, ri_context_message(ctx));
            return false;
        }
        if (hashes)
            hashes[i] = ri_sim_hash(sim);
    }
    return true;
}

static void compare(RiContext *ctx, RiScene *first, RiScene *second, const char *name)
{
    RiSim *a = ri_scene_sim(first), *b = ri_scene_sim(second);
    const int ticks = 1 + (int)(ri_hash(7, name, strlen(name)) % MOST_TICKS);
    uint64_t whole[TICKS_AFTER], resumed[TICKS_AFTER];
    if (!step(ctx, a, name, ticks, NULL))
        return;
    const size_t size = ri_checkpoint_size(a);
    unsigned char *data = ri_alloc(ctx, size, 1);
    REQUIRE(data != NULL);
    ri_checkpoint_compose(a, data);
    CHECK_OK(ctx, ri_checkpoint_parse(b, name, data, size));
    ri_release(ctx, data);
    if (!step(ctx, a, name, TICKS_AFTER, whole) || !step(ctx, b, name, TICKS_AFTER, resumed))
        return;
    for (int i = 0; i < TICKS_AFTER; i++)
        if (whole[i] != resumed[i]) {
            CHECK_FAIL("%s: resumed after tick %d, other bits at tick %d", name, ticks, ticks + i + 1);
            return;
        }
}

static void resume(const char *name)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        exit(EXIT_FAILURE);
    RiScene *first = open_scene(ctx, name), *second = first ? open_scene(ctx, name) : NULL;
    if (second)
        compare(ctx, first, second, name);
    ri_scene_destroy(first);
    ri_scene_destroy(second);
    ri_context_destroy(ctx);
}

TEST(every_scene_resumes_with_the_bits_of_an_uninterrupted_run)
{
    int count = 0;
    DIR *dir = opendir(RILLE_SOURCE_DIR "/scenes");
    REQUIRE(dir != NULL);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0)
            continue;
        if (!skips_scene(entry->d_name))
            resume(entry->d_name);
        count++;
    }
    closedir(dir);
    CHECK(count >= 56);
}

TEST_MAIN(CASE(every_scene_resumes_with_the_bits_of_an_uninterrupted_run))
