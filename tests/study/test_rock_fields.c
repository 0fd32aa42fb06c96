// SPDX-License-Identifier: Apache-2.0
/// \file
/// A sample of the study of rock fields: nothing is hit, every drive ends with a reason, and again
/// with the same bits.
#include <rille/study/rock_fields.h>

#include "check.h"

TEST(drives_through_rock_fields_hit_nothing_end_and_repeat)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiRockDrive drives[5] = {{.cover = 0.02, .field = 1},
                             {.cover = 0.08, .field = 3},
                             {.cover = 0.12, .field = 4},
                             {.cover = 0.16, .field = 5},
                             {.cover = 0.16, .field = 5}};
    REQUIRE_OK(ctx, ri_rock_field_drives(ctx, RILLE_SOURCE_DIR "/scenes/mer_gestalt.yaml", 2, drives, 5));
    int arrived = 0;
    for (int i = 0; i < 5; i++) {
        CHECK(!drives[i].collided && drives[i].step < ri_rock_step_limit);
        CHECK(drives[i].reason == 1 || drives[i].reason == 3 || drives[i].reason == 4 || drives[i].reason == 11 ||
              drives[i].reason == 13 || drives[i].reason == -1);
        arrived += drives[i].reason == 1;
    }
    CHECK(arrived >= 1);
    CHECK(drives[3].hash == drives[4].hash);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(drives_through_rock_fields_hit_nothing_end_and_repeat))
