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
          CASE(a_batch_that_cannot_be_built_says_why))
