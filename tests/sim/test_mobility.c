// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rovers that tip over or slide away are told from those that drive, and law terzaghi says when it
/// is left.
#include "../io/scene.h"

static RiScene *open_with(const char *scene, const char *name, const char *text)
{
    const RiSetting setting = {name, text};
    return open_scene(scene, &setting, 1);
}

TEST(law_terzaghi_flags_slopes_steeper_than_its_soil_and_the_rover_slides_away)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_with("fido_tilt_table", "slope", "45 deg");
    REQUIRE(scene && run_to(scene, 3.0));
    CHECK(value(scene, "validity.contact.terzaghi_slope") > 500.0);
    CHECK(value(scene, "validity.contact.terzaghi_slip") > 0.0);
    CHECK_INT(ri_sim_mobility(ri_scene_sim(scene)), RI_MOBILITY_SLID);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_rover_that_climbs_what_it_can_raises_no_flag)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_with("fido_tilt_table", "slope", "5 deg");
    REQUIRE(scene && run_to(scene, 10.0));
    CHECK(value(scene, "validity.contact.terzaghi_slope") == 0.0);
    CHECK(value(scene, "validity.contact.terzaghi_slip") == 0.0);
    CHECK(value(scene, "validity.contact.terzaghi_sinkage") == 0.0);
    CHECK_INT(ri_sim_mobility(ri_scene_sim(scene)), RI_MOBILITY_KEPT);
    CHECK(!*ri_mobility_text(RI_MOBILITY_KEPT));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST(a_rover_on_its_side_has_tipped_over)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiScene *scene = open_scene("rover_tip_over", NULL, 0);
    REQUIRE(scene);
    CHECK_INT(ri_sim_mobility(ri_scene_sim(scene)), RI_MOBILITY_KEPT);
    CHECK(run_to(scene, ri_scene_duration(scene)));
    CHECK_INT(ri_sim_mobility(ri_scene_sim(scene)), RI_MOBILITY_TIPPED);
    CHECK(strstr(ri_mobility_text(RI_MOBILITY_TIPPED), "tipped over"));
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(law_terzaghi_flags_slopes_steeper_than_its_soil_and_the_rover_slides_away),
          CASE(a_rover_that_climbs_what_it_can_raises_no_flag), CASE(a_rover_on_its_side_has_tipped_over))
