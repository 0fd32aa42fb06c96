// SPDX-License-Identifier: Apache-2.0
#include <rille/campaign.h>

#include "check.h"

enum { ROBOTS = 3, TICKS = 150 };
static const char scene[] = RILLE_SOURCE_DIR "/scenes/pendulum.yaml";

/// Robots that start differently, as far as their named values let them.
static void scatter(RiBatch *b)
{
    for (int i = 0; i < ri_batch_count(b); i++) {
        RiSim *s = ri_batch_sim(b, i);
        ri_sim_v(s)[0] = 0.1 * i;
    }
}

TEST(robots_of_a_batch_have_the_bits_of_single_runs_for_any_number_of_threads)
{
    RiContext *ctx = NULL;
    RiBatch *b = NULL, *one = NULL;
    uint64_t want[ROBOTS];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int i = 0; i < ROBOTS; i++) {
        REQUIRE_OK(ctx, ri_batch_create(ctx, scene, NULL, 1, &one));
        ri_sim_v(ri_batch_sim(one, 0))[0] = 0.1 * i;
        CHECK_OK(ctx, ri_batch_step(one, TICKS, 1));
        want[i] = ri_sim_hash(ri_batch_sim(one, 0));
        ri_batch_destroy(one);
    }
    CHECK(want[0] != want[1] && want[1] != want[2]);
    REQUIRE_OK(ctx, ri_batch_create(ctx, scene, NULL, ROBOTS, &b));
    for (int threads = 1; threads <= 4; threads++) {
        CHECK_OK(ctx, ri_batch_reset(b));
        scatter(b);
        for (int part = 0; part < 3; part++)
            CHECK_OK(ctx, ri_batch_step(b, TICKS / 3, threads));
        for (int i = 0; i < ROBOTS; i++)
            CHECK(ri_sim_hash(ri_batch_sim(b, i)) == want[i]);
    }
    ri_batch_destroy(b);
    ri_context_destroy(ctx);
}

/// States of robots that start differently, alone and in step.
static void compare(const char *path, int robots, int ticks)
{
    RiContext *ctx = NULL;
    RiBatch *b = NULL, *one = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_batch_create(ctx, path, NULL, robots, &b));
    REQUIRE_OK(ctx, ri_batch_create(ctx, path, NULL, 1, &one));
    const int nv = ri_model_nv(ri_sim_model(ri_batch_sim(one, 0)));
    for (int i = 0; i < robots; i++)
        for (int k = 0; k < nv; k++)
            ri_sim_v(ri_batch_sim(b, i))[k] += 0.002 * ((i * 7 + k * 3) % 23 - 11);
    CHECK_OK(ctx, ri_batch_step(b, ticks - 3, 1));
    CHECK_OK(ctx, ri_batch_step(b, 3, 1));
    for (int i = 0; i < robots; i++) {
        CHECK_OK(ctx, ri_batch_reset(one));
        for (int k = 0; k < nv; k++)
            ri_sim_v(ri_batch_sim(one, 0))[k] += 0.002 * ((i * 7 + k * 3) % 23 - 11);
        for (int t = 0; t < ticks; t++)
            CHECK_OK(ctx, ri_sim_step(ri_batch_sim(one, 0)));
        CHECK(ri_sim_hash(ri_batch_sim(one, 0)) == ri_sim_hash(ri_batch_sim(b, i)));
        if (i > 0)
            CHECK(ri_sim_hash(ri_batch_sim(b, 0)) != ri_sim_hash(ri_batch_sim(b, i)));
    }
    ri_batch_destroy(one);
    ri_batch_destroy(b);
    ri_context_destroy(ctx);
}

TEST(robots_that_go_in_step_have_the_bits_of_single_runs)
{
    compare(RILLE_SOURCE_DIR "/scenes/snake_servo.yaml", 10, 70); // springs, gears; more than one group
    compare(RILLE_SOURCE_DIR "/scenes/sidewind.yaml", 3, 30);     // contact on ice, solved more than once
    compare(RILLE_SOURCE_DIR "/scenes/rover_step.yaml", 2, 30);
    compare(RILLE_SOURCE_DIR "/scenes/rock_and_sand.yaml", 3, 20); // wheels on soil, ruts
}

TEST(robots_of_a_batch_share_one_model_and_terrain)
{
    enum { COUNT = 3 };
    RiContext *ctx = NULL;
    RiBatch *b = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_batch_create(ctx, RILLE_SOURCE_DIR "/scenes/rock_and_sand.yaml", NULL, COUNT, &b));
    const RiSim *first = ri_batch_sim(b, 0);
    CHECK(ri_sim_terrain(first) != NULL);
    for (int i = 1; i < COUNT; i++) {
        const RiSim *s = ri_batch_sim(b, i);
        CHECK(ri_sim_model(s) == ri_sim_model(first) && ri_sim_terrain(s) == ri_sim_terrain(first));
        CHECK(ri_sim_fingerprint(s) == ri_sim_fingerprint(first) && ri_sim_hash(s) == ri_sim_hash(first));
    }
    CHECK_OK(ctx, ri_batch_step(b, 5, COUNT)); // all threads ask the one terrain; ruts are each robot's own
    CHECK(ri_sim_hash(ri_batch_sim(b, 1)) == ri_sim_hash(first));
    ri_batch_destroy(b);
    ri_context_destroy(ctx);
}

TEST(a_robot_that_stops_or_diverges_leaves_the_others_in_step)
{
    enum { COUNT = 5, STOPS = 1, FAILS = 3, SOME = 40 };
    const char *path = RILLE_SOURCE_DIR "/scenes/snake_servo.yaml";
    RiContext *ctx = NULL;
    RiBatch *b = NULL, *one = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_batch_create(ctx, path, NULL, COUNT, &b));
    REQUIRE_OK(ctx, ri_batch_create(ctx, path, NULL, 1, &one));
    REQUIRE_OK(ctx, ri_batch_step(one, SOME, 1));
    const uint64_t want = ri_sim_hash(ri_batch_sim(one, 0));
    for (int round = 0; round < 2; round++) { // the second one after a reset
        CHECK_OK(ctx, ri_batch_reset(b));
        ri_sim_q(ri_batch_sim(b, STOPS))[2] = -2.0; // the scene stops below -1 m
        ri_sim_v(ri_batch_sim(b, FAILS))[8] = 1e70;
        CHECK_ERROR(ctx, ri_batch_step(b, SOME, 1), RI_ERR_NUMERIC, "robot 3:");
        for (int i = 0; i < COUNT; i++) {
            RiSim *s = ri_batch_sim(b, i);
            CHECK((ri_batch_status(b, i) == RI_OK) == (i != FAILS));
            CHECK((ri_sim_stopped(s) != NULL) == (i == STOPS));
            if (i == STOPS)
                CHECK(ri_sim_tick(s) == 1);
            else if (i == FAILS)
                CHECK(ri_sim_tick(s) < SOME && *ri_batch_message(b, i));
            else
                CHECK(ri_sim_hash(s) == want);
        }
    }
    ri_batch_destroy(one);
    ri_batch_destroy(b);
    ri_context_destroy(ctx);
}

TEST(a_batch_that_cannot_be_built_says_why)
{
    RiContext *ctx = NULL;
    RiBatch *b = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    CHECK_ERROR(ctx, ri_batch_create(ctx, "/nowhere.yaml", NULL, 2, &b), RI_ERR_NOT_FOUND, "robot 0:");
    CHECK_ERROR(ctx, ri_batch_create(ctx, scene, NULL, 0, &b), RI_ERR_ARGUMENT, "1 to");
    CHECK(b == NULL);
    ri_batch_destroy(NULL);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(robots_of_a_batch_have_the_bits_of_single_runs_for_any_number_of_threads),
          CASE(robots_that_go_in_step_have_the_bits_of_single_runs),
          CASE(robots_of_a_batch_share_one_model_and_terrain),
          CASE(a_robot_that_stops_or_diverges_leaves_the_others_in_step), CASE(a_batch_that_cannot_be_built_says_why))
