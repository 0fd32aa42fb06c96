// SPDX-License-Identifier: Apache-2.0
/// \file
/// The scenes of snakes do what their first sentence says, in short.
#include <rille/scene.h>

#include "check.h"
#include "needs.h"

typedef struct Fixture {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Fixture;

static Fixture load(const char *name, const RiSetting *settings, int count)
{
    Fixture f = {NULL, NULL, NULL};
    char path[1024];
    const RiSceneOptions options = {.settings = settings, .setting_count = count};
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", RILLE_SOURCE_DIR, name);
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    if (ri_scene_load(f.ctx, path, &options, &f.scene) != RI_OK || ri_scene_build(f.scene) != RI_OK)
        CHECK_FAIL("%s", ri_context_message(f.ctx));
    else
        f.sim = ri_scene_sim(f.scene);
    return f;
}

static void end(Fixture *f)
{
    ri_scene_destroy(f->scene);
    ri_context_destroy(f->ctx);
}

/// Runs until a time, or until a stop condition ends it.
static void run(Fixture *f, double until)
{
    while (ri_sim_time(f->sim) < until - 1e-9 && !ri_sim_stopped(f->sim))
        if (ri_sim_step(f->sim) != RI_OK) {
            CHECK_FAIL("%s", ri_context_message(f->ctx));
            return;
        }
}

static double value(Fixture *f, const char *name)
{
    double x = NAN;
    CHECK_OK(f->ctx, ri_values_eval(ri_sim_values(f->sim), name, &x));
    return x;
}

TEST(a_climber_between_walls_makes_contact_holds_and_climbs)
{
    const RiSetting settings[] = {{"hold", "1 s"}, {"goal", "0.15 m"}};
    Fixture f = load("climb_walls", settings, 2);
    REQUIRE(f.sim != NULL);
    run(&f, 5.4);
    CHECK(value(&f, "mission.phase") == 1.0 && value(&f, "tether_top.force") == 0.0);
    CHECK_CLOSE(value(&f, "contact.normal"), 12000.0, 600.0); // the commanded force
    run(&f, 20.0);
    CHECK(ri_sim_stopped(f.sim) && strcmp(ri_sim_stopped(f.sim), "mission.phase >= 3") == 0);
    CHECK(value(&f, "mission.held") >= 1.0 && value(&f, "mission.climbed") >= 0.15);
    CHECK(value(&f, "mission.pitch") < 0.3);
    end(&f);
}

TEST(a_climber_that_presses_too_little_falls)
{
    const RiSetting settings[] = {{"hold", "1 s"}, {"press", "700 N"}}; // less than its weight
    Fixture f = load("climb_walls", settings, 2);
    REQUIRE(f.sim != NULL);
    run(&f, 20.0);
    CHECK(ri_sim_stopped(f.sim) && value(&f, "mission.farthest") < 0.05);
    end(&f);
}

TEST(a_climber_that_is_not_steered_leans_and_loses_mobility)
{
    const RiSetting settings[] = {
        {"hold", "1 s"}, {"goal", "10 m"}, {"screws.heading_gain", "0"}, {"mission.pitch_limit", "20 deg"}};
    Fixture f = load("climb_walls", settings, 4);
    REQUIRE(f.sim != NULL);
    run(&f, 40.0);
    CHECK(ri_sim_stopped(f.sim) && strcmp(ri_sim_stopped(f.sim), "mission.mobility_failure") == 0);
    CHECK_CLOSE(value(&f, "mission.pitch"), 20.0 * 3.14159265358979323846 / 180.0, 0.01);
    CHECK(value(&f, "mission.farthest") > 0.0);
    end(&f);
}

/// In a made shaft: placed, let go, held, a part of the way down.
TEST(a_robot_placed_in_a_moulin_holds_and_climbs_down)
{
    NEEDS("embree");
    const RiSetting settings[] = {{"hold", "0.5 s"}, {"goal", "0.2 m"}};
    Fixture f = load("descend_moulin", settings, 2);
    REQUIRE(f.sim != NULL);
    const RiPlaceReport *r = ri_scene_placement(f.scene);
    REQUIRE(r && r->placed);
    CHECK_INT(r->touching, 9);
    const double z = value(&f, "base.z");
    run(&f, 15.0);
    CHECK(ri_sim_stopped(f.sim) && strcmp(ri_sim_stopped(f.sim), "mission.phase >= 3") == 0);
    CHECK(value(&f, "mission.held") >= 0.5 && value(&f, "mission.climbed") >= 0.2);
    CHECK(value(&f, "tether.force") == 0.0);
    CHECK(value(&f, "base.z") < z - 0.15 && value(&f, "base.z") > z - 0.4); // climbed, not fallen
    CHECK(ri_sim_time(f.sim) > 3.5 + 0.5 + 0.2 / 0.1);                      // at most as fast as commanded
    end(&f);
}

/// Without pressing the same robot falls, and has climbed nothing.
TEST(a_robot_in_a_moulin_that_does_not_press_falls)
{
    NEEDS("embree");
    const RiSetting settings[] = {{"press", "300 N"}};
    Fixture f = load("descend_moulin", settings, 1);
    REQUIRE(f.sim != NULL);
    run(&f, 15.0);
    CHECK(ri_sim_stopped(f.sim) && strcmp(ri_sim_stopped(f.sim), "base.z < -8 m") == 0);
    CHECK_CLOSE(value(&f, "mission.farthest"), 0.0, 0.0);
    end(&f);
}

TEST(on_enceladus_a_tenth_of_the_pressing_holds_and_climbs)
{
    const RiSetting settings[] = {{"hold", "1 s"}, {"goal", "0.1 m"}};
    Fixture f = load("climb_walls_enceladus", settings, 2);
    REQUIRE(f.sim != NULL);
    run(&f, 20.0);
    CHECK(ri_sim_stopped(f.sim) && strcmp(ri_sim_stopped(f.sim), "mission.phase >= 3") == 0);
    CHECK_CLOSE(value(&f, "contact.normal"), 1200.0, 60.0);
    end(&f);
}

TEST(a_crescent_on_enceladus_presses_with_its_weight_there_and_drives)
{
    Fixture f = load("crescent_enceladus", NULL, 0);
    REQUIRE(f.sim != NULL);
    const double x = value(&f, "base.x"), y = value(&f, "base.y");
    run(&f, 8.0);
    const double weight = 0.113 * ri_model_mass(ri_sim_model(f.sim));
    CHECK_CLOSE(value(&f, "contact.normal"), weight, 0.05 * weight);
    CHECK(hypot(value(&f, "base.x") - x, value(&f, "base.y") - y) > 0.05);
    end(&f);
}

TEST(a_helix_in_a_pipe_carries_its_weight_and_climbs)
{
    Fixture f = load("pipe", NULL, 0);
    REQUIRE(f.sim != NULL);
    run(&f, 6.0);
    const double z = value(&f, "base.z");
    run(&f, 8.0); // a whole period
    CHECK_CLOSE((value(&f, "base.z") - z) / 2.0, 0.038, 0.004);
    CHECK(value(&f, "tether.force") == 0.0);
    end(&f);
}

TEST(a_sidewinder_goes_sideways_more_than_along)
{
    Fixture f = load("sidewind", NULL, 0);
    REQUIRE(f.sim != NULL);
    run(&f, 2.0);
    const double x = value(&f, "base.x"), y = value(&f, "base.y");
    run(&f, 6.0);
    CHECK(value(&f, "base.y") - y < -0.3 && fabs(value(&f, "base.x") - x) < 0.2);
    end(&f);
}

TEST(a_dangling_robot_hangs_with_its_weight_on_the_tether)
{
    Fixture f = load("dangle_tube", NULL, 0);
    REQUIRE(f.sim != NULL);
    double mean = 0.0;
    run(&f, 5.0);
    for (int k = 0; k < 5000; k++) {
        CHECK_OK(f.ctx, ri_sim_step(f.sim));
        mean += value(&f, "tether.force") / 5000.0;
    }
    const double weight = 9.81 * ri_model_mass(ri_sim_model(f.sim));
    CHECK_CLOSE(mean, weight, 0.02 * weight); // what is left is swinging
    end(&f);
}

TEST_MAIN(CASE(a_climber_between_walls_makes_contact_holds_and_climbs), CASE(a_climber_that_presses_too_little_falls),
          CASE(a_climber_that_is_not_steered_leans_and_loses_mobility),
          CASE(a_robot_placed_in_a_moulin_holds_and_climbs_down), CASE(a_robot_in_a_moulin_that_does_not_press_falls),
          CASE(on_enceladus_a_tenth_of_the_pressing_holds_and_climbs),
          CASE(a_crescent_on_enceladus_presses_with_its_weight_there_and_drives),
          CASE(a_helix_in_a_pipe_carries_its_weight_and_climbs), CASE(a_sidewinder_goes_sideways_more_than_along),
          CASE(a_dangling_robot_hangs_with_its_weight_on_the_tether))
