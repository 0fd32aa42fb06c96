// SPDX-License-Identifier: Apache-2.0
/// \file
/// Growing lists of a context.
#include "check.h"

#include <limits.h>

#include <rille/memory.h>

#include "io/faults.h"

TEST(a_list_keeps_its_items_while_it_grows_by_doubling)
{
    RiContext *ctx;
    double *list = NULL;
    int room = 0, calls = 0, last = 0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    for (int i = 0; i < 1000; i++) {
        CHECK_OK(ctx, ri_grow(ctx, &list, i, &room, 8, sizeof *list));
        REQUIRE(room > i);
        list[i] = 0.5 * i;
        calls += room != last;
        last = room;
    }
    CHECK_INT(room, 1024);
    CHECK_INT(calls, 8); // 8, 16, ... 1024
    for (int i = 0; i < 1000; i++)
        CHECK_CLOSE(list[i], 0.5 * i, 0.0);
    ri_release(ctx, list);
    ri_context_destroy(ctx);
}

TEST(a_list_that_cannot_grow_stays_as_it_was)
{
    Faults faults = {.fail_at = -1};
    const RiAllocator allocator = faults_allocator(&faults);
    RiContext *ctx;
    int *list = NULL;
    int room = 0;
    REQUIRE(ri_context_create(&allocator, &ctx) == RI_OK);
    REQUIRE(ri_grow(ctx, &list, 0, &room, 4, sizeof *list) == RI_OK);
    for (int i = 0; i < 4; i++)
        list[i] = 7 + i;
    const int *before = list;
    faults.fail_at = faults.call;
    CHECK(ri_grow(ctx, &list, 4, &room, 4, sizeof *list) == RI_ERR_MEMORY);
    CHECK_INT(room, 4);
    CHECK(list == before && list[0] == 7 && list[3] == 10);
    room = INT_MAX / 2 + 1; // twice that is no int
    CHECK(ri_grow(ctx, &list, room, &room, 4, sizeof *list) == RI_ERR_MEMORY);
    ri_release(ctx, list);
    ri_context_destroy(ctx);
    CHECK_INT(faults.live, 0);
}

TEST_MAIN(CASE(a_list_keeps_its_items_while_it_grows_by_doubling), CASE(a_list_that_cannot_grow_stays_as_it_was))
