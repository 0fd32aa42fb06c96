// SPDX-License-Identifier: Apache-2.0
/// \file
/// Devices that a program brings to a scene itself: found by their type, called with their data,
/// and able to end a step.
#include "scene.h"

#include <rille/campaign.h>
#include <rille/paths.h>

enum { OWN_LIMIT, OWN_EFFORT, OWN_PORTS };

typedef struct Own {
    int calls;
    char name[32];
} Own;

static const RiPort own_ports[OWN_PORTS] = {
    {.name = "limit", .unit = "s", .doc = "time of failure", .initial = 0.05, .low = 0, .high = 100},
    {.name = "effort", .unit = "N*m", .doc = "torque", .kind = RI_VALUE_OUTPUT, .action = RI_PORT_EFFORT},
};

static void own_update(RiDeviceCall *call)
{
    Own *own = call->user;
    own->calls++;
    snprintf(own->name, sizeof own->name, "%s", call->name);
    call->x[OWN_EFFORT] = 1.0;
    if (call->time >= call->x[OWN_LIMIT] - 1e-9)
        call->trouble = "its time is over";
}

static const char scene_text[] = "scene: own\n"
                                 "robot: pendulum\n"
                                 "devices:\n"
                                 "  - {name: mine, type: own, joint: hinge_1}\n";

static RiDeviceClass own_class(Own *own)
{
    return (RiDeviceClass){.abi = RI_DEVICE_ABI,
                           .name = "own",
                           .doc = "A device of the test.",
                           .attach = RI_ATTACH_JOINT,
                           .ports = own_ports,
                           .port_count = OWN_PORTS,
                           .update = own_update,
                           .user = own};
}

TEST(a_device_of_the_program_drives_a_joint_and_ends_a_step_with_its_sentence)
{
    Own own = {0};
    const RiDeviceClass device = own_class(&own);
    const RiDeviceClass *const list[] = {&device};
    RiPaths paths;
    RiScene *scene;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    ri_paths_default(NULL, &paths);
    RiSceneOptions o = ri_scene_options_default();
    ri_paths_use(&paths, &o);
    o.devices = list;
    o.device_count = 1;
    REQUIRE_OK(ctx, ri_scene_parse(ctx, "text.yaml", scene_text, strlen(scene_text), &o, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    RiSim *s = ri_scene_sim(scene);
    for (int i = 0; i < 50; i++)
        REQUIRE_OK(ctx, ri_sim_step(s));
    CHECK_INT(own.calls, 50);
    CHECK(strcmp(own.name, "mine") == 0);
    CHECK_CLOSE(value(scene, "mine.effort"), 1.0, 0.0);
    const uint64_t before = ri_sim_hash(s);
    CHECK_ERROR(ctx, ri_sim_step(s), RI_ERR_DEVICE, "text.yaml:4: device 'mine' (own): its time is over");
    CHECK(ri_sim_hash(s) == before); // the tick is taken back, ports and counters included
    CHECK_CLOSE(ri_sim_time(s), 0.05, 1e-12);
    REQUIRE_OK(ctx, ri_values_set(ri_sim_values(s), "mine.limit", "1 s"));
    CHECK(ri_sim_step(s) == RI_OK);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_batch_from_text_tells_which_robot_failed)
{
    Own own = {0};
    const RiDeviceClass device = own_class(&own);
    const RiDeviceClass *const list[] = {&device};
    RiPaths paths;
    RiBatch *batch;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    ri_paths_default(NULL, &paths);
    RiSceneOptions o = ri_scene_options_default();
    ri_paths_use(&paths, &o);
    o.devices = list;
    o.device_count = 1;
    REQUIRE_OK(ctx, ri_batch_parse(ctx, "text.yaml", scene_text, strlen(scene_text), &o, 2, &batch));
    REQUIRE_OK(ctx, ri_values_set(ri_sim_values(ri_batch_sim(batch, 0)), "mine.limit", "1 s"));
    CHECK_ERROR(ctx, ri_batch_step(batch, 60, 1), RI_ERR_DEVICE, "robot 1: text.yaml:4: device 'mine'");
    CHECK(ri_batch_status(batch, 0) == RI_OK && *ri_batch_message(batch, 0) == '\0');
    CHECK(ri_batch_status(batch, 1) == RI_ERR_DEVICE && strstr(ri_batch_message(batch, 1), "its time is over"));
    CHECK_CLOSE(ri_sim_time(ri_batch_sim(batch, 0)), 0.06, 1e-12);
    ri_batch_destroy(batch);
    ri_context_destroy(ctx);
}

TEST(folders_are_found_and_the_environment_has_the_first_word)
{
    RiPaths paths;
    char path[RI_PATH_SIZE];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    ri_paths_default(NULL, &paths);
    CHECK(strstr(paths.robots, "/robots") && strstr(paths.scenes, "/scenes") && strstr(paths.soils, "/soils"));
    CHECK(ri_paths_find_scene(ctx, &paths, "mer_sand", path) == RI_OK && strstr(path, "/scenes/mer_sand.yaml"));
    CHECK(ri_paths_find_scene(ctx, &paths, "some/file.yaml", path) == RI_OK && strcmp(path, "some/file.yaml") == 0);
    CHECK_ERROR(ctx, ri_paths_find_scene(ctx, &paths, "mer_sandd", path), RI_ERR_NOT_FOUND, "did you mean 'mer_sand'");
    CHECK_ERROR(ctx, ri_paths_find_scene(ctx, &paths, "nothing_like_it", path), RI_ERR_NOT_FOUND, "there is no scene");
    setenv("RILLE_SCENES", "/nowhere", 1);
    ri_paths_default(RILLE_SOURCE_DIR, &paths);
    CHECK(strcmp(paths.scenes, "/nowhere") == 0 && strcmp(paths.robots, RILLE_SOURCE_DIR "/robots") == 0);
    unsetenv("RILLE_SCENES");
    setenv("RILLE_DATA", "/maps", 1);
    ri_paths_default(NULL, &paths);
    RiSceneOptions o = ri_scene_options_default();
    ri_paths_use(&paths, &o);
    CHECK_INT(o.terrain_path_count, 2);
    CHECK(strcmp(o.terrain_paths[1], "/maps") == 0 && o.robot_path_count == 1);
    unsetenv("RILLE_DATA");
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(a_device_of_the_program_drives_a_joint_and_ends_a_step_with_its_sentence),
          CASE(a_batch_from_text_tells_which_robot_failed),
          CASE(folders_are_found_and_the_environment_has_the_first_word))
