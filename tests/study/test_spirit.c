// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spirit with jammed wheels: what the scene on hard ground shows of ARTEMIS, and what it does not.
#include <math.h>
#include <string.h>

#include <rille/scene.h>

#include "check.h"
#include "validate/validate.h"

typedef struct Count {
    int checks, fits, not_shown;
} Count;

static void count_rows(void *user, const RiRow *row)
{
    Count *c = user;
    c->checks += row->verdict == RI_VERDICT_PASS && row->use == RI_USE_CHECK;
    c->fits += row->verdict == RI_VERDICT_PASS && row->use == RI_USE_FIT;
    c->not_shown += row->verdict == RI_VERDICT_SKIPPED && strstr(row->quantity, "NOT shown") != NULL;
    if (row->verdict == RI_VERDICT_FAIL)
        CHECK_FAIL("%s = %g", row->quantity, row->ours);
}

TEST(the_rover_yaws_to_the_jammed_side_sticks_and_slips_and_what_is_not_shown_is_said)
{
    Count count = {0};
    RiValidation run = {.sink = count_rows, .user = &count, .quick = true, .robots = RILLE_SOURCE_DIR "/robots"};
    REQUIRE(ri_context_create(NULL, &run.ctx) == RI_OK);
    CHECK_OK(run.ctx, ri_validate_run(&run, ri_validate_find("spirit")));
    CHECK_INT(count.checks, 2);
    CHECK_INT(count.fits, 4); // the cycle and the wheelie, with parameters chosen for them
    CHECK_INT(count.not_shown, 2);
    ri_context_destroy(run.ctx);
}

/// Heading after some seconds [rad].
static double heading(const RiSetting *settings, int count)
{
    RiContext *ctx;
    RiScene *scene = NULL;
    double yaw = NAN;
    const RiSceneOptions options = {.settings = settings, .setting_count = count};
    if (ri_context_create(NULL, &ctx) != RI_OK)
        exit(EXIT_FAILURE);
    RiStatus status = ri_scene_load(ctx, RILLE_SOURCE_DIR "/scenes/spirit_four_wheels.yaml", &options, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    while (status == RI_OK && ri_sim_time(ri_scene_sim(scene)) < 6.0)
        status = ri_sim_step(ri_scene_sim(scene));
    if (status == RI_OK)
        status = ri_values_eval(ri_sim_values(ri_scene_sim(scene)), "base.yaw", &yaw);
    CHECK_OK(ctx, status);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return yaw;
}

TEST(without_drag_of_the_jammed_wheels_it_goes_straight)
{
    const RiSetting smooth[] = {{"jammed_static", "0.001"}, {"jammed", "0.001"}};
    const double dragged = heading(NULL, 0), free_of_drag = heading(smooth, 2);
    CHECK(dragged > 0.03);
    CHECK(fabs(free_of_drag) < 0.1 * dragged);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(the_rover_yaws_to_the_jammed_side_sticks_and_slips_and_what_is_not_shown_is_said),
                               CASE(without_drag_of_the_jammed_wheels_it_goes_straight)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
