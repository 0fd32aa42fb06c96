// SPDX-License-Identifier: Apache-2.0
/// \file
/// Devices on groups of joints in a simulation: which joints, in which order, what is named, saved,
/// restored and refused.
#include <rille/scene.h>

#include "check.h"
#include "device/group.h"
#include "io/faults.h"

typedef struct Fixture {
    RiContext *ctx;
    RiScene *scene;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {NULL, NULL};
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    return f;
}

static void end(Fixture *f)
{
    ri_scene_destroy(f->scene);
    ri_context_destroy(f->ctx);
}

static RiStatus build(Fixture *f, const char *text)
{
    ri_scene_destroy(f->scene);
    f->scene = NULL;
    RI_TRY(ri_scene_parse(f->ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &f->scene));
    return ri_scene_build(f->scene);
}

#define SNAKE "scene: s\nrobot: {file: ../robots/mini_eels.yaml, set: {modules: 6}}\ngravity: none\n"
#define SERVOS                                                                                                         \
    "  - {joints: \"bend_*\", name: \"servo_${joint}\", type: servo, set: {stiffness: 20, damping: 0.5},\n"            \
    "     connect: {position: \"gait.${joint}.position\", velocity: \"gait.${joint}.rate\"}}\n"
#define GAIT                                                                                                           \
    SNAKE "devices:\n  - {name: gait, type: gait_sidewind, group: \"bend_*\", rate: 100 Hz, set: {ramp: 0.1 "          \
          "s}}\n" SERVOS

static double value(Fixture *f, const char *name)
{
    double x = NAN;
    CHECK_OK(f->ctx, ri_values_eval(ri_sim_values(ri_scene_sim(f->scene)), name, &x));
    return x;
}

TEST(a_group_is_ordered_along_the_robot_whatever_the_file_says)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f, "scene: s\nrobot: {file: ../robots/eels_1_5.yaml, set: {modules: 12}}\n"));
    const RiModel *m = ri_sim_model(ri_scene_sim(f.scene));
    RiGroupMember joints[64];
    CHECK_INT(ri_joint_group(m, "twist_* , bend_*", joints, 64), 24);
    for (int i = 0; i < 24; i++) {
        char name[32];
        snprintf(name, sizeof name, i % 2 ? "twist_%d" : "bend_%d", i / 2 + 1);
        if (strcmp(ri_model_joint(m, joints[i].joint).name, name) != 0)
            CHECK_FAIL("joint %d is %s, not %s", i, ri_model_joint(m, joints[i].joint).name, name);
    }
    CHECK_INT(ri_joint_group(m, "bend_1?", NULL, 0), 3);
    CHECK_INT(ri_joint_group(m, "", NULL, 0), 0);
    CHECK_INT(ri_joint_group(m, ", bar_mount,,", NULL, 0), 0); // fixed
    end(&f);
}

TEST(references_are_named_values_that_servos_follow)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f, GAIT));
    for (int k = 0; k < 3000; k++)
        CHECK_OK(f.ctx, ri_sim_step(ri_scene_sim(f.scene)));
    CHECK(fabs(value(&f, "gait.bend_3.position")) > 0.05);
    CHECK_CLOSE(value(&f, "servo_bend_3.position"), value(&f, "gait.bend_3.position"), 0.0);
    CHECK_CLOSE(value(&f, "bend_3.position"), value(&f, "gait.bend_3.position"), 0.02);
    end(&f);
}

TEST(a_restored_state_goes_on_with_equal_bits_and_steps_do_not_allocate)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f, GAIT));
    RiSim *sim = ri_scene_sim(f.scene);
    for (int k = 0; k < 153; k++) // between two updates of the gait, while it is blended in
        CHECK_OK(f.ctx, ri_sim_step(sim));
    void *kept = malloc(ri_sim_state_size(sim));
    ri_sim_save_state(sim, kept);
    const unsigned long long before = ri_context_allocation_count(f.ctx);
    for (int k = 0; k < 500; k++)
        CHECK_OK(f.ctx, ri_sim_step(sim));
    CHECK_INT((long long)(ri_context_allocation_count(f.ctx) - before), 0);
    const uint64_t hash = ri_sim_hash(sim);
    CHECK_OK(f.ctx, ri_sim_load_state(sim, kept));
    for (int k = 0; k < 500; k++)
        CHECK_OK(f.ctx, ri_sim_step(sim));
    CHECK(ri_sim_hash(sim) == hash);
    free(kept);
    end(&f);
}

TEST(a_tick_that_fails_leaves_references_as_they_were)
{
    Fixture f = begin();
    REQUIRE_OK(f.ctx, build(&f, GAIT));
    RiSim *sim = ri_scene_sim(f.scene);
    for (int k = 0; k < 400; k++) // the next tick updates the gait
        CHECK_OK(f.ctx, ri_sim_step(sim));
    const double before = value(&f, "gait.bend_2.position"), phase = value(&f, "gait.phase");
    ri_sim_v(sim)[6] = 1e200;
    CHECK(ri_sim_step(sim) == RI_ERR_NUMERIC);
    CHECK(value(&f, "gait.bend_2.position") == before && value(&f, "gait.phase") == phase);
    end(&f);
}

static void refused(const char *text, RiStatus status, const char *part)
{
    Fixture f = begin();
    CHECK_ERROR(f.ctx, build(&f, text), status, part);
    end(&f);
}

TEST(bad_groups_are_refused_with_line_and_reason)
{
    refused(SNAKE "devices: [{name: g, type: gait_sidewind}]\n", RI_ERR_FORMAT, "needs the key 'group'");
    refused(SNAKE "devices: [{name: g, type: gait_sidewind, group: \"bent_*\"}]\n", RI_ERR_NOT_FOUND,
            "test.yaml:4:49: key 'group': no joint that moves in one coordinate matches 'bent_*'");
    refused(SNAKE "devices: [{name: g, type: servo, group: \"bend_*\"}]\n", RI_ERR_FORMAT,
            "a servo is not attached to a group");
    refused(SNAKE "devices: [{name: g, type: gait_roll, group: \"bend_*\", joint: bend_1}]\n", RI_ERR_FORMAT,
            "only one of joint, frame, group and attach");
    refused(SNAKE "devices: [{name: g, type: gait_roll, group: [bend_1, bend_3]}]\n", RI_ERR_ARGUMENT,
            "up and down (axis y)");
    refused(SNAKE "devices: [{name: g, type: servo, joint: bend_1, file: x.csv}]\n", RI_ERR_FORMAT, "reads no file");
    refused(SNAKE "devices: [{name: g, type: trajectory, group: \"bend_*\"}]\n", RI_ERR_ARGUMENT, "needs a table");
    refused(SNAKE "devices: [{name: g, type: screw_allocation, group: \"bend_*\"}]\n", RI_ERR_ARGUMENT,
            "turns no screw");
}

TEST(failing_memory_is_told_and_nothing_leaks)
{
    const char *text =
        GAIT "  - {name: path, type: trajectory, group: [bend_1, bend_2], file: ../tests/onboard/two.csv}\n";
    bool done = false;
    for (long at = 0; !done && at < 20000; at++) {
        Faults faults = {.fail_at = at};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx = NULL;
        RiScene *scene = NULL;
        RiStatus status = ri_context_create(&allocator, &ctx);
        if (status == RI_OK)
            status = ri_scene_parse(ctx, RILLE_SOURCE_DIR "/scenes/test.yaml", text, strlen(text), NULL, &scene);
        if (status == RI_OK)
            status = ri_scene_build(scene);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        done = status == RI_OK;
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
        at += at > 400 ? 6 : 0; // the robot's own loader is tested elsewhere
    }
    CHECK(done);
}

TEST_MAIN(CASE(a_group_is_ordered_along_the_robot_whatever_the_file_says),
          CASE(references_are_named_values_that_servos_follow),
          CASE(a_restored_state_goes_on_with_equal_bits_and_steps_do_not_allocate),
          CASE(a_tick_that_fails_leaves_references_as_they_were), CASE(bad_groups_are_refused_with_line_and_reason),
          CASE(failing_memory_is_told_and_nothing_leaks))
