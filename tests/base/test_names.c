// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/names.h"

TEST(names_are_found_and_misspellings_suggested)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNames names;
    ri_names_init(&names, ctx);
    char keys[500][16];
    for (int i = 0; i < 500; i++) {
        snprintf(keys[i], sizeof keys[i], "joint_%d", i);
        int existing;
        CHECK_OK(ctx, ri_names_add(&names, keys[i], i, &existing));
        CHECK_INT(existing, -1);
    }
    int existing;
    CHECK_OK(ctx, ri_names_add(&names, "joint_7", 9, &existing));
    CHECK_INT(existing, 7);
    for (int i = 0; i < 500; i++)
        CHECK_INT(ri_names_find(&names, keys[i]), i);
    CHECK_INT(ri_names_find(&names, "nobody"), -1);
    CHECK(strcmp(ri_names_nearest(&names, "jiont_42"), "joint_42") == 0);
    CHECK(ri_names_nearest(&names, "entirely different") == NULL);
    ri_names_free(&names);
    ri_context_destroy(ctx);
}

TEST(edit_distance_counts_swaps_once)
{
    CHECK_INT(ri_edit_distance("wheel", "wheel", 9), 0);
    CHECK_INT(ri_edit_distance("wheel", "whele", 9), 1);
    CHECK_INT(ri_edit_distance("wheel", "wheels", 9), 1);
    CHECK_INT(ri_edit_distance("wheel", "steel", 9), 2);
}

TEST_MAIN(CASE(names_are_found_and_misspellings_suggested), CASE(edit_distance_counts_swaps_once))
