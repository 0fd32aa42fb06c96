// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/hash.h"
#include "base/names.h"

TEST(names_are_found_and_misspellings_suggested)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNames names;
    ri_names_init(&names, ctx);
    char keys[500][24];
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

/// A name of 16 bytes that a table without salt hashes to the same 64 bits as all others: the
/// second half undoes the first.
static bool craft(uint64_t seed, char out_name[17])
{
    const uint64_t first = ri_hash_mix(seed, 17) | 0x0101010101010101ULL, target = 0x123456789ABCDEFULL;
    const uint64_t second = target ^ ri_hash_mix(ri_hash_mix(0, 16), first);
    memcpy(out_name, &first, 8);
    memcpy(out_name + 8, &second, 8);
    out_name[16] = '\0';
    return strlen(out_name) == 16;
}

/// 100 000 such names in one run of slots would take 5e9 comparisons, which this test's time limit
/// does not allow.
TEST(names_made_to_collide_do_not_crowd_the_table)
{
    enum { N = 100000 };
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNames names;
    ri_names_init(&names, ctx);
    char(*keys)[17] = malloc(N * sizeof *keys);
    REQUIRE(keys != NULL);
    int count = 0, existing;
    for (uint64_t seed = 1; count < N; seed++)
        count += craft(seed, keys[count]);
    CHECK(ri_hash_text(0, keys[0]) == ri_hash_text(0, keys[N - 1]) && strcmp(keys[0], keys[N - 1]) != 0);
    for (int i = 0; i < N; i++)
        CHECK_OK(ctx, ri_names_add(&names, keys[i], i, &existing));
    CHECK(names.salt != 0);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += ri_names_find(&names, keys[i]) != i;
    CHECK_INT(wrong, 0);
    ri_names_free(&names);
    free(keys);
    ri_context_destroy(ctx);
}

TEST(a_file_name_leads_to_no_other_folder)
{
    char out[12];
    ri_file_name("../../etc/x", out, sizeof out);
    CHECK(strcmp(out, "______etc_x") == 0);
    ri_file_name("/a\n.b", out, sizeof out);
    CHECK(strcmp(out, "_a__b") == 0);
    ri_file_name("..", out, sizeof out);
    CHECK(strcmp(out, "__") == 0);
    ri_file_name("", out, sizeof out);
    CHECK(strcmp(out, "scene") == 0);
    ri_file_name("a_name-that-is-long", out, sizeof out);
    CHECK(strcmp(out, "a_name-that") == 0);
}

TEST_MAIN(CASE(a_file_name_leads_to_no_other_folder), CASE(names_are_found_and_misspellings_suggested),
          CASE(edit_distance_counts_swaps_once), CASE(names_made_to_collide_do_not_crowd_the_table))
